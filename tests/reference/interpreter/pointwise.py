"""Pointwise operations: arithmetic, functions of one number, comparisons, logic, conversions.

Floats are computed in f32 (f64 for f64) and rounded once; integers exactly, then wrapped. Functions
such as Tanh are computed in f64, and may be off by a few last places.
"""

import math

import numpy as np

from .operands import per_element, together
from .registry import Unsupported, check, operation
from .tensor import (EPSILON, Tensor, finish, is_float, least_and_greatest, rounded, working, wrap)


def through(*steep):
    """The slack of a result whose operands have some: STEEP are (operand, by how much its error
    may be multiplied)."""
    return sum(t.slack * factor if t.slack else 0.0 for t, factor in steep)


def with_rounding(out, slack):
    """A result that is off can be rounded to another neighbour."""
    if slack:
        out.slack = slack + EPSILON.get(out.type, 0.0) * out.greatest()
    return out


# ---- two operands ----


def arithmetic(node, a, b, on_floats, on_integers, steep):
    a, b = together(node, a, b)
    with np.errstate(all="ignore"):
        if is_float(a.type):
            made = on_floats(working(a), working(b))
        else:
            made = per_element(on_integers, working(a), working(b))
    return with_rounding(finish(a.type, made), steep(a, b))


def linear(a, b):
    return through((a, 1), (b, 1))


def crosswise(a, b):
    return through((a, b.greatest() + b.slack), (b, a.greatest() + a.slack)) if a.slack or b.slack else 0.0


def nothing_known(a, b):
    return math.inf if a.slack or b.slack else 0.0


@operation("Add", "opset1")
def add_1(node, a, b):
    return arithmetic(node, a, b, np.add, lambda x, y: x + y, linear)


@operation("Subtract", "opset1")
def subtract_1(node, a, b):
    return arithmetic(node, a, b, np.subtract, lambda x, y: x - y, linear)


@operation("Multiply", "opset1")
def multiply_1(node, a, b):
    return arithmetic(node, a, b, np.multiply, lambda x, y: x * y, crosswise)


@operation("Maximum", "opset1")
def maximum_1(node, a, b):
    return arithmetic(node, a, b, np.maximum, max, linear)


@operation("Minimum", "opset1")
def minimum_1(node, a, b):
    return arithmetic(node, a, b, np.minimum, min, linear)


@operation("SquaredDifference", "opset1")
def squared_difference_1(node, a, b):
    """f32 rounds the difference and then its square."""
    return arithmetic(node, a, b, lambda x, y: (x - y) * (x - y), lambda x, y: (x - y) ** 2,
                      nothing_known)


def quotient(node):
    """Of integers: rounded down, or toward zero."""
    down = node.boolean("m_pythondiv", True)

    def divide(x, y):
        check(y != 0, "an integer is divided by 0")
        q = abs(x) // abs(y)
        return x // y if down else (-q if (x < 0) != (y < 0) else q)

    return divide


@operation("Divide", "opset1")
def divide_1(node, a, b):
    return arithmetic(node, a, b, np.divide, quotient(node), nothing_known)


def remainder(x, y):
    """With the sign of the dividend."""
    check(y != 0, "an integer is divided by 0")
    return abs(x) % abs(y) * (-1 if x < 0 else 1)


def floor_remainder(x, y):
    check(y != 0, "an integer is divided by 0")
    return x % y


@operation("Mod", "opset1")
def mod_1(node, a, b):
    return arithmetic(node, a, b, np.fmod, remainder, nothing_known)


@operation("FloorMod", "opset1")
def floor_mod_1(node, a, b):
    return arithmetic(node, a, b, np.mod, floor_remainder, nothing_known)


def integer_power(x, y):
    if y >= 0:
        return x**min(y, 10**4) if abs(x) > 1 or y == 0 else x ** (2 - y % 2 if x == -1 else 1)
    check(x != 0, "0 to a negative power")
    return 0 if abs(x) > 1 else (1 if x == 1 or y % 2 == 0 else -1)


@operation("Power", "opset1")
def power_1(node, a, b):
    wide = lambda x, y: np.power(x.astype(np.float64), y.astype(np.float64))
    out = arithmetic(node, a, b, wide, integer_power, nothing_known)
    if is_float(a.type) and not out.slack:
        out.slack = 4 * EPSILON[a.type] * out.greatest()
    return out


def compare(node, a, b, holds):
    a, b = together(node, a, b)
    if a.slack or b.slack:
        return Tensor("boolean", np.zeros(a.shape), math.inf)
    left, right = (t.array.astype(object) if not is_float(t.type) else t.array for t in (a, b))
    return Tensor("boolean", np.asarray(holds(left, right)).astype(bool).reshape(a.shape))


for name, relation in (("Equal", np.equal), ("NotEqual", np.not_equal), ("Less", np.less),
                       ("LessEqual", np.less_equal), ("Greater", np.greater),
                       ("GreaterEqual", np.greater_equal)):
    operation(name, "opset1")(lambda node, a, b, holds=relation: compare(node, a, b, holds))


def logic(node, a, b, on_booleans, on_integers):
    a, b = together(node, a, b)
    if a.slack or b.slack:
        return Tensor(a.type, np.zeros(a.shape), math.inf)
    if a.type == "boolean":
        return Tensor("boolean", on_booleans(a.array, b.array))
    return finish(a.type, per_element(on_integers, working(a), working(b)))


for name, on_booleans, on_integers in (("And", np.logical_and, lambda x, y: x & y),
                                       ("Or", np.logical_or, lambda x, y: x | y),
                                       ("Xor", np.logical_xor, lambda x, y: x ^ y)):
    for full in ((f"Logical{name}", "opset1"), (f"Bitwise{name}", "opset13")):
        operation(*full)(lambda node, a, b, f=on_booleans, g=on_integers: logic(node, a, b, f, g))


def shift(node, a, b, left):
    bits = 1 if a.type == "u1" else int(a.type[1:])

    def move(x, y):
        check(y >= 0, "a negative shift")
        return x << min(y, bits) if left else x >> min(y, bits)

    a, b = together(node, a, b)
    return finish(a.type, per_element(move, working(a), working(b)))


@operation("BitwiseLeftShift", "opset15")
def left_shift_15(node, a, b):
    return shift(node, a, b, True)


@operation("BitwiseRightShift", "opset15")
def right_shift_15(node, a, b):
    return shift(node, a, b, False)


# ---- one operand ----


def each(x, on_floats, on_integers, steep=1.0):
    """STEEP: by how much an error may be multiplied."""
    with np.errstate(all="ignore"):
        if is_float(x.type):
            made = on_floats(working(x))
        elif on_integers is None:
            raise Unsupported("this function of integers")
        else:
            made = per_element(on_integers, working(x))
    return with_rounding(finish(x.type, made), x.slack * steep if x.slack else 0.0)


@operation("Abs", "opset1")
def abs_1(node, x):
    return each(x, np.abs, abs)


@operation("Negative", "opset1")
def negative_1(node, x):
    return each(x, np.negative, lambda i: -i)


@operation("ReLU", "opset1")
def relu_1(node, x):
    return each(x, lambda v: np.where(v < 0, v.dtype.type(0), v), lambda i: max(i, 0))


@operation("Sign", "opset1")
def sign_1(node, x):
    return each(x, np.sign, lambda i: (i > 0) - (i < 0), math.inf)


@operation("Ceiling", "opset1")
def ceiling_1(node, x):
    return each(x, np.ceil, lambda i: i, math.inf)


@operation("Floor", "opset1")
def floor_1(node, x):
    return each(x, np.floor, lambda i: i, math.inf)


@operation("Round", "opset5")
def round_5(node, x):
    away = lambda v: np.where(np.abs(v - np.trunc(v)) >= 0.5, np.trunc(v) + np.sign(v), np.trunc(v))
    to_even = node.text("mode", "half_to_even") == "half_to_even"
    return each(x, np.rint if to_even else lambda v: away(v).astype(v.dtype), lambda i: i, math.inf)


@operation("Clamp", "opset1")
def clamp_1(node, x):
    low, high = node.number("min"), node.number("max")
    if is_float(x.type):
        return each(x, lambda v: np.minimum(np.maximum(v, v.dtype.type(low)), v.dtype.type(high)), None)
    least, greatest = least_and_greatest(x.type)
    low = least if low < least else min(math.ceil(low), greatest)
    high = greatest if high > greatest else max(math.floor(high), least)
    return each(x, None, lambda i: min(max(i, low), high))


def maths(x, function, steep=1.0):
    """By way of f64; a library's function may be some last places off, only a root is exact."""
    if not is_float(x.type):
        raise Unsupported("this function of integers")
    with np.errstate(all="ignore"):
        made = np.asarray(function(x.array.astype(np.float64)))
    out = finish(x.type, made)
    if x.slack:
        return with_rounding(out, x.slack * steep)
    if function is not np.sqrt:
        out.slack = 4 * EPSILON[x.type] * out.greatest()
    return out


def erf(v):
    return per_element(math.erf, v).astype(np.float64)


def sigmoid(v):
    return np.where(v < 0, np.exp(np.minimum(v, 0)) / (1 + np.exp(np.minimum(v, 0))),
                    1 / (1 + np.exp(-np.maximum(v, 0))))


for name, function, factor in (
        ("Acos", np.arccos, math.inf), ("Asin", np.arcsin, math.inf), ("Atan", np.arctan, 1),
        ("Cos", np.cos, 1), ("Cosh", np.cosh, math.inf), ("Erf", erf, 1.2), ("Exp", np.exp, math.inf),
        ("Log", np.log, math.inf), ("Sigmoid", sigmoid, 1), ("Sin", np.sin, 1),
        ("Sinh", np.sinh, math.inf), ("Sqrt", np.sqrt, math.inf), ("Tan", np.tan, math.inf),
        ("Tanh", np.tanh, 1)):
    operation(name, "opset1")(lambda node, x, f=function, s=factor: maths(x, f, s))
for name, function, factor in (("Acosh", np.arccosh, math.inf), ("Asinh", np.arcsinh, 1),
                               ("Atanh", np.arctanh, math.inf)):
    operation(name, "opset4")(lambda node, x, f=function, s=factor: maths(x, f, s))


def roughly(x, function):
    """Of several steps, whose roundings the specification does not fix."""
    out = maths(x, function, 2.0)
    out.slack += 8 * EPSILON[x.type] * (out.greatest() + x.greatest())
    return out


@operation("Elu", "opset1")
def elu_1(node, x):
    return roughly(x, lambda v: np.where(v > 0, v, node.number("alpha") * np.expm1(np.minimum(v, 0))))


@operation("HSigmoid", "opset5")
def hsigmoid_5(node, x):
    return roughly(x, lambda v: np.clip(v + 3, 0, 6) / 6)


@operation("HSwish", "opset4")
def hswish_4(node, x):
    return roughly(x, lambda v: v * np.clip(v + 3, 0, 6) / 6)


@operation("SoftSign", "opset9")
def softsign_9(node, x):
    return roughly(x, lambda v: v / (1 + np.abs(v)))


@operation("SoftPlus", "opset4")
def softplus_4(node, x):
    return roughly(x, lambda v: np.logaddexp(v, 0))


@operation("Mish", "opset4")
def mish_4(node, x):
    return roughly(x, lambda v: v * np.tanh(np.logaddexp(v, 0)))


@operation("Gelu", "opset2")
def gelu_2(node, x):
    return roughly(x, lambda v: 0.5 * v * (1 + erf(v / math.sqrt(2))))


@operation("Gelu", "opset7")
def gelu_7(node, x):
    if node.text("approximation_mode", "erf").lower() == "erf":
        return gelu_2(node, x)
    inner = lambda v: math.sqrt(2 / math.pi) * (v + 0.044715 * v**3)
    return roughly(x, lambda v: 0.5 * v * (1 + np.tanh(inner(v))))


@operation("Swish", "opset4")
def swish_4(node, x, beta=None):
    factor = 1.0 if beta is None else float(beta.array.reshape(-1)[0])
    return roughly(x, lambda v: v * sigmoid(factor * v))


@operation("PReLU", "opset1")
def prelu_1(node, x, slope):
    """A slope of rank 1 goes along axis 1; anything else is broadcast."""
    array = slope.array
    if array.ndim == 1 and x.rank > 1 and array.shape[0] != 1:
        array = array.reshape((-1,) + (1,) * (x.rank - 2))
    scaled = multiply_1(node, x, slope.like(array))
    check(scaled.shape == x.shape, "the slope does not fit")
    below = x.array < 0
    return Tensor(x.type, np.where(below, scaled.array, x.array), max(x.slack, scaled.slack))


def boolean_of(data, holds):
    if data.slack:
        return Tensor("boolean", np.zeros(data.shape), math.inf)
    return Tensor("boolean", holds(data.array))


@operation("IsFinite", "opset10")
def is_finite_10(node, data):
    return boolean_of(data, np.isfinite)


@operation("IsNaN", "opset10")
def is_nan_10(node, data):
    return boolean_of(data, np.isnan)


@operation("IsInf", "opset10")
def is_inf_10(node, data):
    negative, positive = node.boolean("detect_negative", True), node.boolean("detect_positive", True)
    return boolean_of(data, lambda v: np.isinf(v) & np.where(v < 0, negative, positive))


@operation("LogicalNot", "opset1")
def logical_not_1(node, x):
    return Tensor("boolean", ~x.array, x.slack)


@operation("BitwiseNot", "opset13")
def bitwise_not_13(node, x):
    return logical_not_1(node, x) if x.type == "boolean" else each(x, None, lambda i: ~i)


# ---- conversions ----


def cut_off(type_, array):
    """Floats as integers, toward zero. Signed types hold what is too large at their ends; for i4 and
    the unsigned ones it is wrapped afterwards, and infinity is 0. NaN is 0."""
    low, high = least_and_greatest(type_)
    holds = type_ in ("i8", "i16", "i32", "i64")

    def one(v):
        if math.isnan(v) or (math.isinf(v) and not holds):
            return 0
        whole = v if math.isinf(v) else math.trunc(v)
        return int(min(max(whole, low), high)) if holds else whole

    return per_element(one, array.astype(np.float64).astype(object))


def convert(x, type_):
    if x.type == type_:
        return x
    if is_float(type_):
        with np.errstate(all="ignore"):
            wide = x.array if type_ == "f16" and x.type == "f64" else rounded(type_, x.array)
        return with_rounding(Tensor(type_, wide.astype(Tensor(type_, []).array.dtype)), x.slack)
    if x.slack:
        return Tensor(type_, np.zeros(x.shape), math.inf)
    if type_ == "boolean":
        return Tensor(type_, x.array != 0)
    whole = cut_off(type_, x.array) if is_float(x.type) else x.array.astype(object)
    return Tensor(type_, wrap(type_, whole))


@operation("Convert", "opset1")
def convert_1(node, x):
    return convert(x, node.text("destination_type"))


@operation("ConvertLike", "opset1")
def convert_like_1(node, data, like):
    return convert(data, like.type)


