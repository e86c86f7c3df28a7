"""Unary, binary, comparing and logical operations; Select and Convert."""

import math

import numpy as np

from case import (CARRIER, FLOATS, INTEGERS, NUMERIC, SIGNED, UNSIGNED, Case, Tensor, exact, rounded)

BROADCASTS = [
    ((2, 3), (1,)), ((3,), (2, 3)), ((2, 3), ()), ((), (2, 2)), ((2, 1, 3), (1, 4, 3)),
    ((4, 3), (2, 1, 3)), ((2, 1, 3), (4, 1)), ((3, 2, 1, 2), (3, 2)), ((1, 3, 2), (3, 2, 1, 2)),
    ((), ()), ((1,), (1, 1)), ((0, 3), (1, 3)), ((2, 1), (2, 0)), ((0,), ()),
]


def trunc_div(a, b):
    q = abs(a) // abs(b)
    return -q if (a < 0) != (b < 0) else q


def c_mod(a, b):
    return a - b * trunc_div(a, b)


# name -> (on floats, on Python integers)
BINARY = {
    "Add": (np.add, lambda a, b: a + b),
    "Subtract": (np.subtract, lambda a, b: a - b),
    "Multiply": (np.multiply, lambda a, b: a * b),
    "Divide": (np.divide, lambda a, b: a // b),
    "Mod": (np.fmod, c_mod),
    "FloorMod": (np.mod, lambda a, b: a % b),
    "Maximum": (np.maximum, max),
    "Minimum": (np.minimum, min),
    "SquaredDifference": (lambda a, b: (a - b) ** 2, lambda a, b: (a - b) ** 2),
}
NO_ZERO = {"Divide", "Mod", "FloorMod"}


def apply_binary(op, a, b):
    on_floats, on_ints = BINARY[op]
    if a.type in FLOATS:
        with np.errstate(all="ignore"):
            return rounded(a.type, on_floats(exact(a), exact(b)))
    result = np.frompyfunc(on_ints, 2, 1)(exact(a), exact(b))
    return rounded(a.type, np.asarray(result, dtype=object))


def divisor(case, type_, shape):
    t = case.values(type_, shape)
    t.array[t.array == 0] = 3
    return t


def second(case, op, type_, shape):
    return divisor(case, type_, shape) if op in NO_ZERO else case.values(type_, shape)


def binary():
    for op in BINARY:
        c = Case(op, "types")
        for t in NUMERIC:
            a, b = c.values(t, (2, 3)), second(c, op, t, (2, 3))
            c.node([a, b], apply_binary(op, a, b))
        for t in ("f32", "i32"):
            c = Case(op, f"broadcast_{t}")
            for left, right in BROADCASTS:
                a, b = c.values(t, left), second(c, op, t, right)
                c.node([a, b], apply_binary(op, a, b))
    overflow()
    special_floats()
    division()
    broadcast_rules()
    power()


def overflow():
    for op in ("Add", "Subtract", "Multiply", "SquaredDifference"):
        c = Case(op, "wraps")
        for t in INTEGERS:
            info = np.iinfo(Tensor(t, 0).array.dtype)
            a = Tensor(t, [info.max, info.min, info.max, info.min, info.max])
            b = Tensor(t, [1, 1, info.max, info.max, 2])
            c.node([a, b], apply_binary(op, a, b))


def special_floats():
    inf, nan = np.inf, np.nan
    for op in ("Add", "Subtract", "Multiply", "Divide"):
        c = Case(op, "special")
        for t in FLOATS:
            a = Tensor(t, [inf, inf, nan, 1, -inf, 0.5])
            b = Tensor(t, [1, inf, 2, nan, -2, inf])
            c.node([a, b], apply_binary(op, a, b))
        big = Tensor("f16", [60000, -60000, 2048])
        c.node([big, Tensor("f16", [60000, -60000, 1])],
               apply_binary(op, big, Tensor("f16", [60000, -60000, 1])))


def division():
    c = Case("Divide", "pythondiv")
    for t in SIGNED:
        a, b = Tensor(t, [7, -7, 7, -7, 6, -6, 0]), Tensor(t, [2, 2, -2, -2, 3, -3, -5])
        c.node([a, b], apply_binary("Divide", a, b), {"m_pythondiv": True})
        c.node([a, b], rounded(t, np.frompyfunc(trunc_div, 2, 1)(exact(a), exact(b))),
               {"m_pythondiv": False})
    a, b = Tensor("u64", [2**64 - 1, 2**63, 10]), Tensor("u64", [2, 2**63, 3])
    c.node([a, b], apply_binary("Divide", a, b))
    for op in ("Mod", "FloorMod"):
        c = Case(op, "signs")
        for t in FLOATS + SIGNED:
            a, b = Tensor(t, [7, -7, 7, -7, 6, -6, 0]), Tensor(t, [4, 4, -4, -4, 3, 3, 5])
            c.node([a, b], apply_binary(op, a, b))
        a, b = Tensor("f32", [5.5, -5.5, 0.75]), Tensor("f32", [2, 2, 0.5])
        c.node([a, b], apply_binary(op, a, b))
        a, b = Tensor("u64", [2**64 - 1, 2**63 + 5]), Tensor("u64", [10, 2**63])
        c.node([a, b], apply_binary(op, a, b))


def broadcast_rules():
    c = Case("Add", "none")
    a, b = c.values("f32", (2, 3)), c.values("f32", (2, 3))
    c.node([a, b], apply_binary("Add", a, b), {"auto_broadcast": "none"})
    for op in ("Add", "Divide"):
        c = Case(op, "pdpd")
        # The pdpd examples of the broadcast rules, in small. axis is no attribute of these
        # operations, so it is always -1: the trailing dimensions, after ones at the end are dropped.
        for left, right, seen in (((2, 3, 2, 2), (2, 2), (2, 2)), ((2, 3, 2), (2,), (2,)),
                                  ((2, 3, 2), (), ()), ((2, 3), (2, 3), (2, 3))):
            a, b = c.values("f32", left), divisor(c, "f32", right)
            want = apply_binary(op, a, b.like(b.array.reshape(seen)))
            c.node([a, b], want, {"auto_broadcast": "pdpd"})


def power():
    c = Case("Power", "floats")
    for t in FLOATS:
        a = Tensor(t, [0.5, 2, 3, 1.5, 4, 0, 1, 2.5])
        b = Tensor(t, [2, -1, 3, 0.5, 0.5, 2, -7, 0])
        c.node([a, b], rounded(t, exact(a) ** exact(b)), ulp=2)
    a, b = Tensor("f32", [-2, -2, -0.5]), Tensor("f32", [3, 2, -2])
    c.node([a, b], rounded("f32", exact(a) ** exact(b)), ulp=2)
    c = Case("Power", "cubes")
    a = Tensor("f32", np.append(c.floats("f32", (61,), -9, 9).array, [-0.0, -np.inf, np.nan, 1e-14, 1e14]))
    with np.errstate(over="ignore"):
        want = Tensor("f32", (exact(a) * exact(a) * exact(a)).astype(np.float32))
    c.node([a, Tensor("f32", 3)], want)
    c.node([a, a.like(np.full_like(a.array, 3))], want)
    c = Case("Power", "integers")
    for t in INTEGERS:
        a, b = Tensor(t, [2, 3, 5, 0, 7, 1]), Tensor(t, [6, 4, 2, 3, 0, 9])
        c.node([a, b], rounded(t, np.frompyfunc(pow, 2, 1)(exact(a), exact(b))))
    for t in ("i32", "i64"):
        a, b = Tensor(t, [-2, -3, -1]), Tensor(t, [5, 4, 7])
        c.node([a, b], rounded(t, np.frompyfunc(pow, 2, 1)(exact(a), exact(b))))
    c = Case("Power", "broadcast")
    a = c.floats("f32", (2, 3), 1, 4)
    c.node([a, Tensor("f32", 2)], rounded("f32", exact(a) ** 2), ulp=2)
    c.node([Tensor("f32", [[2], [3]]), Tensor("f32", [1, 2, 3])],
           Tensor("f32", [[2, 4, 8], [3, 9, 27]]), ulp=2)


COMPARE = {
    "Equal": np.equal, "NotEqual": np.not_equal, "Greater": np.greater,
    "GreaterEqual": np.greater_equal, "Less": np.less, "LessEqual": np.less_equal,
}


def compare():
    for op, f in COMPARE.items():
        c = Case(op, "types")
        for t in NUMERIC:
            a, b = c.ints(t, (2, 4), 1, 4), c.ints(t, (2, 4), 1, 4)
            c.node([a, b], Tensor("boolean", f(a.array, b.array)))
        c = Case(op, "broadcast")
        for left, right in BROADCASTS:
            a, b = c.ints("i32", left, 0, 3), c.ints("i32", right, 0, 3)
            c.node([a, b], Tensor("boolean", f(a.array, b.array)))
        c = Case(op, "extremes")
        for t in INTEGERS:
            info = np.iinfo(Tensor(t, 0).array.dtype)
            a = Tensor(t, [info.min, info.max, info.max, info.min, info.max - 1])
            b = Tensor(t, [info.max, info.min, info.max, info.min, info.max])
            c.node([a, b], Tensor("boolean", f(a.array, b.array)))
        for t in FLOATS:
            a = Tensor(t, [np.nan, np.nan, 1, np.inf, -np.inf, np.inf, 0.0])
            b = Tensor(t, [np.nan, 1, np.nan, np.inf, np.inf, 1, -0.0])
            c.node([a, b], Tensor("boolean", f(a.array, b.array)))


LOGICAL = {"LogicalAnd": np.logical_and, "LogicalOr": np.logical_or, "LogicalXor": np.logical_xor}


def logical():
    for op, f in LOGICAL.items():
        c = Case(op, "table")
        a, b = Tensor("boolean", [[0, 0], [1, 1]]), Tensor("boolean", [[0, 1], [0, 1]])
        c.node([a, b], Tensor("boolean", f(a.array, b.array)))
        for left, right in BROADCASTS:
            a, b = c.values("boolean", left), c.values("boolean", right)
            c.node([a, b], Tensor("boolean", f(a.array, b.array)))
    c = Case("LogicalNot", "table")
    for shape in ((2, 3), (), (0, 2)):
        a = c.values("boolean", shape)
        c.node([a], Tensor("boolean", ~a.array))


BITWISE = {"BitwiseAnd": np.bitwise_and, "BitwiseOr": np.bitwise_or,
           "BitwiseXor": np.bitwise_xor}


def bitwise():
    for op, f in BITWISE.items():
        c = Case(op, "types")
        for t in INTEGERS + ["boolean"]:
            a, b = c.values(t, (2, 4)), c.values(t, (2, 4))
            c.node([a, b], a.like(f(a.array, b.array)))
        a, b = c.values("i32", (2, 1)), c.values("i32", (3,))
        c.node([a, b], a.like(f(a.array, b.array)))
    c = Case("BitwiseNot", "types")
    for t in INTEGERS + ["boolean"]:
        a = c.values(t, (2, 4))
        c.node([a], a.like(~a.array))
    for op, f in (("BitwiseLeftShift", np.left_shift), ("BitwiseRightShift", np.right_shift)):
        c = Case(op, "types")
        for t in INTEGERS:
            top = np.iinfo(Tensor(t, 0).array.dtype).max
            # To the left what does not fit is defined for unsigned types only.
            values = [1, 3, 5, 0, 7] if t in SIGNED and op == "BitwiseLeftShift" else \
                [top, top - 5, 5, 0, 100]
            a, b = Tensor(t, values), Tensor(t, [0, 3, 1, 7, 2])
            c.node([a, b], a.like(f(a.array, b.array)))


def classify():
    inf, nan = np.inf, np.nan
    for op, f in (("IsFinite", np.isfinite), ("IsNaN", np.isnan)):
        c = Case(op, "types")
        for t in FLOATS:
            x = Tensor(t, [[0, 1.5, inf], [-inf, nan, -2]])
            c.node([x], Tensor("boolean", f(x.array)))
    c = Case("IsInf", "signs")
    x = Tensor("f32", [0, 1.5, inf, -inf, nan, -2])
    for negative in (True, False):
        for positive in (True, False):
            want = np.isposinf(x.array) & positive | np.isneginf(x.array) & negative
            c.node([x], Tensor("boolean", want),
                   {"detect_negative": negative, "detect_positive": positive})
    c.node([x], Tensor("boolean", np.isinf(x.array)))


def erf(x):
    return np.vectorize(math.erf, otypes=[np.float64])(x)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softplus(x):
    return np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0)


def erf_inverse(x):
    """By bisection, on erf or, beyond a half, on erfc."""
    if abs(x) >= 1 or x != x:
        return math.copysign(math.inf, x) if abs(x) == 1 else math.nan
    low, high = 0.0, 7.0
    for _ in range(200):
        middle = (low + high) / 2
        below = math.erf(middle) < abs(x) if abs(x) < 0.5 else math.erfc(middle) > 1 - abs(x)
        low, high = (middle, high) if below else (low, middle)
    return math.copysign(low, x)


def erf_inverses():
    c = Case("ErfInv", "values")
    edge = [0, -0.0, 1, -1, 1.5, math.nan, 1e-7, -1e-9, 0.4999, 0.5, -0.5001, 0.9, -0.99, 0.999999]
    for t in FLOATS:
        x = rounded(t, np.array(edge))
        c.node([x], rounded(t, np.vectorize(erf_inverse, otypes=[np.float64])(exact(x))), ulp=4 if t == "f64" else 1)
    deep = Tensor("f64", [1 - 2.0**-53, 2.0**-53 - 1, 1 - 1e-12, 0.75, 1e-300])
    c.node([deep], Tensor("f64", [erf_inverse(x) if x > 1e-200 or x < 0 else x * math.sqrt(math.pi) / 2
                                  for x in deep.array]), ulp=4)


# name -> (function on f64, lowest and highest operand, version or None)
FUNCTIONS = {
    "Exp": (np.exp, -5, 5, None), "Log": (np.log, 0.125, 8, None), "Sqrt": (np.sqrt, 0, 8, None),
    "Sin": (np.sin, -4, 4, None), "Cos": (np.cos, -4, 4, None), "Tan": (np.tan, -1, 1, None),
    "Sinh": (np.sinh, -3, 3, None), "Cosh": (np.cosh, -3, 3, None),
    "Tanh": (np.tanh, -4, 4, None), "Asin": (np.arcsin, -1, 1, None),
    "Acos": (np.arccos, -1, 1, None), "Atan": (np.arctan, -4, 4, None),
    "Asinh": (np.arcsinh, -4, 4, None), "Acosh": (np.arccosh, 1, 8, None),
    "Atanh": (np.arctanh, -0.875, 0.875, None), "Erf": (erf, -3, 3, None),
    "Sigmoid": (sigmoid, -6, 6, None), "SoftPlus": (softplus, -6, 6, None),
    "Mish": (lambda x: x * np.tanh(softplus(x)), -6, 6, None),
    "SoftSign": (lambda x: x / (1 + abs(x)), -6, 6, None),
    "HSwish": (lambda x: x * np.clip(x + 3, 0, 6) / 6, -5, 5, None),
    "HSigmoid": (lambda x: np.clip(x + 3, 0, 6) / 6, -5, 5, None),
}


def functions():
    erf_inverses()
    for op, (f, lo, hi, version) in FUNCTIONS.items():
        c = Case(op, "floats")
        for t in FLOATS:
            x = rounded(t, np.clip(rounded(t, np.linspace(lo, hi, 9)).array, lo, hi))
            with np.errstate(all="ignore"):
                c.node([x], rounded(t, f(exact(x))), version=version, ulp=8, atol=5e-7)
        x = Tensor("f32", np.array(lo / 2 + hi / 2 + 0.25))
        c.node([x], rounded("f32", f(exact(x))), version=version, ulp=8, atol=5e-7)
        c.node([Tensor("f32", np.zeros((2, 0)))], Tensor("f32", np.zeros((2, 0))), version=version)
    c = Case("Exp", "special")
    c.node([Tensor("f32", [np.inf, -np.inf, np.nan, 200, -200])],
           Tensor("f32", [np.inf, 0, np.nan, np.inf, 0]))
    c = Case("Sigmoid", "special")
    c.node([Tensor("f32", [np.inf, -np.inf, 200, -200])], Tensor("f32", [1, 0, 1, 0]), atol=1e-30)
    c = Case("Log", "special")
    c.node([Tensor("f32", [0, -1, np.inf, 1])], Tensor("f32", [-np.inf, np.nan, np.inf, 0]))


# Exact ones, on floats and integers: name -> function of an array
SIMPLE = {"Abs": np.abs, "Negative": lambda x: -x, "Sign": np.sign,
          "ReLU": lambda x: np.maximum(x, 0)}


def simple():
    for op, f in SIMPLE.items():
        c = Case(op, "types")
        for t in FLOATS + SIGNED:
            x = c.values(t, (2, 5))
            x.array[0, 0] = 0
            c.node([x], rounded(t, f(exact(x)) if t in FLOATS else f(x.array.astype(np.int64))))
        x = Tensor("f32", -2.5)
        c.node([x], Tensor("f32", f(np.array(-2.5))))
        c.node([Tensor("f32", np.zeros((0, 3)))], Tensor("f32", np.zeros((0, 3))))
    c = Case("Sign", "special")
    c.node([Tensor("f32", [np.nan, np.inf, -np.inf])], Tensor("f32", [np.nan, 1, -1]))
    halves = [-4.5, -1.9, -1.5, -0.25, 0.5, 0.9, 1.5, 2.3, 2.5, 3]
    for op, f in (("Floor", np.floor), ("Ceiling", np.ceil)):
        c = Case(op, "floats")
        for t in FLOATS:
            x = rounded(t, np.array(halves))
            c.node([x], rounded(t, f(exact(x))))
    c = Case("Round", "modes")
    for t in FLOATS:
        x = rounded(t, np.array(halves))
        c.node([x], rounded(t, np.round(exact(x))), {"mode": "half_to_even"})
        away = np.copysign(np.floor(np.abs(exact(x)) + 0.5), exact(x))
        c.node([x], rounded(t, away), {"mode": "half_away_from_zero"})
    c.node([Tensor("i32", [-3, 0, 7])], Tensor("i32", [-3, 0, 7]), {"mode": "half_to_even"})


def with_parameters():
    c = Case("Clamp", "types")
    for t in FLOATS:
        x = c.values(t, (2, 4))
        c.node([x], rounded(t, np.clip(exact(x), -1.5, 2.25)), {"min": -1.5, "max": 2.25})
    for t in SIGNED:
        # ceil(min) and floor(max) for integers, says the specification.
        x = c.ints(t, (8,), -5, 6)
        c.node([x], x.like(np.clip(x.array, -1, 2)), {"min": -1.5, "max": 2.25})
    for t in UNSIGNED:
        x = c.ints(t, (8,), 0, 6)
        c.node([x], x.like(np.clip(x.array, 2, 4)), {"min": 1.5, "max": 4.25})
    c = Case("Elu", "alpha")
    for t in FLOATS:
        x = c.values(t, (2, 4))
        for alpha in (1.0, 0.5):
            y = np.where(exact(x) < 0, alpha * np.expm1(exact(x)), exact(x))
            c.node([x], rounded(t, y), {"alpha": alpha}, ulp=8, atol=5e-7)
    c = Case("PReLU", "slopes")
    for shape, slope, seen in (((2, 3, 2), (3,), (3, 1)), ((2, 3), (3,), (3,)),
                               ((2, 3, 2, 2), (1,), (1,)), ((2, 3, 2), (2, 3, 2), (2, 3, 2))):
        x, s = c.floats("f32", shape), c.floats("f32", slope, 0, 1)
        y = np.where(x.array < 0, x.array * s.array.reshape(seen), x.array)
        c.node([x, s], Tensor("f32", y))
    c = Case("Swish", "beta")
    x = c.values("f32", (2, 4))
    c.node([x], rounded("f32", exact(x) * sigmoid(exact(x))), ulp=8, atol=5e-7)
    c.node([x, Tensor("f32", 2)], rounded("f32", exact(x) * sigmoid(2 * exact(x))), ulp=8,
           atol=5e-7)
    c = Case("HardSigmoid", "parameters")
    x = c.values("f32", (2, 4))
    c.node([x, Tensor("f32", 0.25), Tensor("f32", 0.5)],
           rounded("f32", np.clip(0.25 * exact(x) + 0.5, 0, 1)))
    c = Case("Selu", "parameters")
    y = 1.5 * np.where(exact(x) > 0, exact(x), 0.75 * np.expm1(exact(x)))
    c.node([x, Tensor("f32", 0.75), Tensor("f32", 1.5)], rounded("f32", y), ulp=8, atol=5e-7)
    c = Case("Gelu", "modes")
    for t in FLOATS:
        x = c.values(t, (2, 4))
        y = exact(x)
        c.node([x], rounded(t, 0.5 * y * (1 + erf(y / np.sqrt(2)))), None, "opset2", ulp=8,
               atol=1e-6)
        c.node([x], rounded(t, 0.5 * y * (1 + erf(y / np.sqrt(2)))), {"approximation_mode": "ERF"},
               "opset7", ulp=8, atol=1e-6)
        inner = np.sqrt(2 / np.pi) * (y + 0.044715 * y**3)
        c.node([x], rounded(t, 0.5 * y * (1 + np.tanh(inner))), {"approximation_mode": "TANH"},
               "opset7", ulp=8, atol=1e-6)


def select():
    c = Case("Select", "example")
    c.node([Tensor("boolean", [[0, 0], [1, 0], [1, 1]]), Tensor("i32", [[-1, 0], [1, 2], [3, 4]]),
            Tensor("i32", [[11, 10], [9, 8], [7, 6]])], Tensor("i32", [[11, 10], [1, 8], [3, 4]]))
    c = Case("Select", "types")
    for t in NUMERIC + ["boolean"]:
        cond, a, b = c.values("boolean", (2, 4)), c.values(t, (2, 4)), c.values(t, (2, 4))
        c.node([cond, a, b], a.like(np.where(cond.array, a.array, b.array)))
    c = Case("Select", "broadcast")
    for sc, sa, sb in (((1,), (2, 3), (3,)), ((2, 1), (2, 3), ()), ((), (3,), (2, 1)),
                       ((3,), (2, 3), (2, 3)), ((2, 3), (), (2, 3)), ((), (), ()),
                       ((1, 3), (4, 1, 1), (2, 1)), ((2, 1), (1, 0), (2, 1))):
        cond, a, b = c.values("boolean", sc), c.values("f32", sa), c.values("f32", sb)
        c.node([cond, a, b], a.like(np.where(cond.array, a.array, b.array)))
    c = Case("Select", "none")
    cond, a, b = c.values("boolean", (2, 2)), c.values("i64", (2, 2)), c.values("i64", (2, 2))
    c.node([cond, a, b], a.like(np.where(cond.array, a.array, b.array)),
           {"auto_broadcast": "none"})


def promotions():
    # types, attributes, the common type
    rows = [("i8", "f32", {}, "f32"), ("i32", "u8", {}, "i32"), ("f16", "i64", {"promote_unsafe": True}, "f16"),
            ("f64", "u64", {"promote_unsafe": True}, "f64"), ("i8", "u8", {"promote_unsafe": True}, "i16"),
            ("f16", "bf16", {"promote_unsafe": True}, "f32"), ("f8e4m3", "f8e5m2", {"promote_unsafe": True}, "f16"),
            ("u64", "i8", {"promote_unsafe": True}, "f32"), ("i16", "u32", {"promote_unsafe": True}, "i64"),
            ("u64", "i8", {"promote_unsafe": True, "u64_integer_promotion_target": "i64"}, "i64"),
            ("boolean", "i8", {}, "i8"), ("boolean", "f16", {}, "f16"), ("f32", "f64", {}, "f64"), ("i32", "i32", {}, "i32"),
            ("f32", "bf16", {}, "f32"), ("u8", "u32", {}, "u32")]
    c = Case("ConvertPromoteTypes", "types")
    for a, b, attributes, common in rows:
        for x, y in ((Tensor(a, [[0, 1]]), Tensor(b, [1])), (Tensor(b, [1]), Tensor(a, [[0, 1]]))):
            c.node([x, y], [Tensor(common, x.array), Tensor(common, y.array)], attributes)
    c = Case("ConvertPromoteTypes", "scalars")
    for a, b, unsafe, common in (("i64", "u8", True, "u8"), ("u8", "i64", False, "i64"), ("f16", "i8", True, "f16"),
                                 ("f64", "f16", True, "f16")):
        x, y = Tensor(a, 1), Tensor(b, [1, 0])
        c.node([x, y], [Tensor(common, 1), Tensor(common, [1, 0])],
               {"promote_unsafe": unsafe, "pytorch_scalar_promotion": True})


def fake_quantize_reference(x, low, high, out_low, out_high, levels):
    steps = x.dtype.type(levels - 1)
    with np.errstate(all="ignore"):
        inner = np.rint((x - low) / (high - low) * steps) / steps * (out_high - out_low) + out_low
    return np.where(x <= np.minimum(low, high), out_low, np.where(x > np.maximum(low, high), out_high, inner))


def fake_quantize():
    each = lambda *values: np.array(values).reshape(1, -1, 1)
    for t in FLOATS:
        c = Case("FakeQuantize", t)
        x = c.floats(t, (2, 3, 4))
        x.array.flat[:3] = [-3, 3, np.nan]
        for levels in (2, 5, 256):
            for limits in ((-3, 3, -1, 1), (0, 2, 0, 4), (3, -3, 1, -1), (1, 1, -1, 1),
                           (each(-1, -2, 0), 3, each(0, 1, 2), [[[4]]])):
                ends = [Tensor(t, v) for v in limits]
                wide = np.float64 if t == "f64" else np.float32
                y = fake_quantize_reference(x.array.astype(wide), *[e.array.astype(wide) for e in ends], levels)
                c.node([x, *ends], rounded(t, y), {"levels": levels}, ulp=1)
    c = Case("FakeQuantize", "broadcast")
    x = Tensor("f32", [[0.2, 0.4], [0.6, 0.9]])
    same = [Tensor("f32", np.full((2, 2), v)) for v in (0, 1, 0, 1)]
    c.node([x, *same], Tensor("f32", [[0, 0.5], [0.5, 1]]), {"levels": 3, "auto_broadcast": "none"})


def inverse():
    for t in FLOATS:
        c = Case("Inverse", t)
        for shape in ((1, 1), (3, 3), (2, 2, 2), (2, 1, 4, 4), (0, 2, 2), (2, 0, 0)):
            x = c.floats(t, shape)
            x.array[...] += 9 * np.eye(shape[-1])
            y = np.linalg.inv(exact(x))
            for adjoint in (False, True):
                c.node([x], rounded(t, y.swapaxes(-1, -2) if adjoint else y), {"adjoint": adjoint}, ulp=8, atol=1e-7)
    c = Case("Inverse", "pivots")
    c.node([Tensor("f32", [[0, 2], [4, 0]])], Tensor("f32", [[0, 0.25], [0.5, 0]]))
    c.node([Tensor("f32", [[[1, 2], [2, 4]], [[1, 0], [0, 2]]])],
           Tensor("f32", [[[np.nan] * 2] * 2, [[1, 0], [0, 0.5]]]))


def convert():
    promotions()
    fake_quantize()
    inverse()
    """Only what the destination holds, or what rounding to a float type defines."""
    for source in NUMERIC + ["boolean"]:
        c = Case("Convert", f"from_{source}")
        small = Tensor(source, [0, 1, 1, 0] if source == "boolean" else [0, 1, 2, 100])
        for target in NUMERIC + ["boolean"]:
            c.node([small], Tensor(target, small.array), {"destination_type": target})
        if source in SIGNED:
            negative = Tensor(source, [-1, -100, 5])
            for target in FLOATS + SIGNED:
                c.node([negative], Tensor(target, negative.array), {"destination_type": target})
            # "congruent to the source integer modulo 2^N"
            for target in UNSIGNED:
                c.node([negative], rounded(target, exact(negative)), {"destination_type": target})
    c = Case("Convert", "rounds")
    x = Tensor("f64", [1 / 3, 1 + 2**-24, 1 + 3 * 2**-24, 1 + 2**-11, 1 + 3 * 2**-11, 65519.0,
                       2**-24, 2**-25, 1.5 * 2**-25, 1e-45, -1 / 3, 3.141592])
    for target in FLOATS:
        with np.errstate(under="ignore"):
            c.node([x], rounded(target, x.array), {"destination_type": target})
    y = Tensor("f32", [1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-11, 1 + 3 * 2**-11, 65519.0, 65520.0,
                       6e-8, 2**-25, 2**-24, np.inf, -np.inf, np.nan, 3.4e38])
    for target in FLOATS:
        c.node([y], rounded(target, y.array), {"destination_type": target})
    c.node([Tensor("f32", [2.75, -2.75, 0.5, -0.5])], Tensor("i32", [2, -2, 0, 0]),
           {"destination_type": "i32"})
    c.node([Tensor("f32", [0, 0.25, -3, 1])], Tensor("boolean", [0, 1, 1, 1]),
           {"destination_type": "boolean"})
    c.node([Tensor("i64", [2**24 + 1, 2**53 + 1, -(2**62) - 1])],
           Tensor("f32", np.array([2**24 + 1, 2**53 + 1, -(2**62) - 1]).astype(np.float32)),
           {"destination_type": "f32"})
    c = Case("ConvertLike", "types")
    x = Tensor("f32", [1, 2, 100])
    for target in NUMERIC:
        c.node([x, c.values(target, (2, 1))], Tensor(target, x.array))
    c = Case("Convert", "shapes")
    for shape in ((), (0,), (2, 0, 3), (1, 2, 1, 3)):
        x = c.ints("i32", shape, 0, 9)
        c.node([x], Tensor("f32", x.array), {"destination_type": "f32"})
    c = Case("Convert", "packed")
    for source in ("i4", "u4", "u1"):
        x = c.values(source, (3, 3))
        for target in ("i32", "f32"):
            c.node([x], Tensor(target, x.array), {"destination_type": target})
    for target, values in (("i4", [-8, 7, 0, -1, 3]), ("u4", [0, 15, 7, 8, 1]),
                           ("u1", [1, 0, 1, 1, 0, 0, 1, 0, 1])):
        c.node([Tensor("i32", values)], Tensor(target, values), {"destination_type": target})
    c = Case("Convert", "wraps")  # truncated, then modulo 2^N
    x = Tensor("f64", [0.9, -0.9, 1.5, -1.5, 7.9, 8, -8.5, 15.5, 16, 17, 255.5, 256, 300, -300, 65536.5,
                       -65537, 2.0**32 + 3, -(2.0**32) - 3, 2.0**52 + 1, -(2.0**40) - 7, 2.0**51 + 0.5])
    for target, bits in (("u1", 1), ("i4", 4), ("u4", 4), ("u8", 8), ("u16", 16), ("u32", 32), ("u64", 64)):
        rest = [int(v) % 2**bits for v in x.array]  # int truncates
        rest = [v - 2**bits if target == "i4" and v >= 8 else v for v in rest]
        c.node([x], Tensor(target, np.array(rest, dtype=object).astype(CARRIER[target])),
               {"destination_type": target})


def make():
    binary()
    compare()
    logical()
    bitwise()
    classify()
    functions()
    simple()
    with_parameters()
    select()
    convert()
