"""Functions at the ends of their range: the largest and the smallest numbers of each type, and those where a part of the
formula on the page is infinite, 0 or rounded away before the result is. Computed in numpy's long double, whose range is that
of the exponent of 15 bits."""

import numpy as np

from case import FLOATS, Case, Tensor, rounded

WIDE = np.longdouble
LIMITS = {"f64": (2.0**-1074, 2.0**-1022, 2.0**-52, np.finfo(np.float64).max),
          "f32": (2.0**-149, 2.0**-126, 2.0**-23, float(np.finfo(np.float32).max)),
          "f16": (2.0**-24, 2.0**-14, 2.0**-10, 65504.0),
          "bf16": (2.0**-133, 2.0**-126, 2.0**-7, float(np.finfo(np.float32).max) / (2 - 2.0**-23) * (2 - 2.0**-7))}
TURNS = [0.5, 1, 2, 3, 5, 9, 13, 16, 20, 37, 40, 88, 89, 100, 104, 110, 300, 700, 710, 745, 750, 5000, 1e4]


def numbers(type_, low=-np.inf, high=np.inf):
    """Both signs of what is large, small, and in between."""
    tiny, small, eps, most = LIMITS[type_]
    x = np.array([0, tiny, small, eps, np.sqrt(eps), np.sqrt(most), most / 4, most] + TURNS)
    x = np.concatenate([x, -x[1:]])
    x = rounded(type_, x[(abs(x) <= most) & (x >= low) & (x <= high)])
    return x


def wide(tensor):
    return tensor.array.astype(WIDE)


def erfc(x):
    """The tail by its continued fraction; near 0 by a series without cancellation."""
    out = np.empty_like(x)
    for at, v in np.ndenumerate(x):
        m = abs(v)
        if m < 2.5:
            term = total = m
            for n in range(1, 120):
                term = term * 2 * m * m / (2 * n + 1)
                total += term
            tail = 1 - 2 / np.sqrt(WIDE(PI)) * np.exp(-m * m) * total
        else:
            f = WIDE(0)
            for n in range(200, 0, -1):
                f = WIDE(n) / 2 / (m + f)
            tail = np.exp(-m * m) / np.sqrt(WIDE(PI)) / (m + f) if m < 200 else WIDE(0)
        out[at] = tail if v >= 0 else 2 - tail
    return out


PI = WIDE("3.14159265358979323846264338327950288")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu_tanh(x):
    return x * sigmoid(2 * np.sqrt(2 / PI) * (x + WIDE("0.044715") * x * x * x))


def softplus(x):
    return np.logaddexp(WIDE(0), x)


def elu(x):
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))


# operation: (function, version, attributes, least, greatest, units in the last place of f64). The argument of an exponential
# is rounded, which costs as many units as the argument is large.
FUNCTIONS = {
    "Sigmoid": (sigmoid, None, {}, -np.inf, np.inf, 4),
    "SoftPlus": (softplus, None, {}, -np.inf, np.inf, 4),
    "Mish": (lambda x: x * np.tanh(softplus(x)), None, {}, -np.inf, np.inf, 8),
    "Swish": (lambda x: x * sigmoid(x), None, {}, -np.inf, np.inf, 4),
    # The rule that finds its formula in graphs is exact: it is infinite where 6 x is.
    "HSwish": (lambda x: x * (np.clip(x + 3, 0, 6) / 6), None, {}, -np.inf, 1e37, 4),
    "HSigmoid": (lambda x: np.clip(x + 3, 0, 6) / 6, None, {}, -np.inf, np.inf, 4),
    "SoftSign": (lambda x: x / (1 + abs(x)), None, {}, -np.inf, np.inf, 4),
    "Elu": (elu, None, {"alpha": 1.0}, -np.inf, np.inf, 4),
    "Tanh": (np.tanh, None, {}, -np.inf, np.inf, 4),
    "Sinh": (np.sinh, None, {}, -np.inf, np.inf, 4),
    "Cosh": (np.cosh, None, {}, -np.inf, np.inf, 4),
    "Asinh": (np.arcsinh, None, {}, -np.inf, np.inf, 4),
    "Acosh": (np.arccosh, None, {}, 1, np.inf, 4),
    "Atanh": (np.arctanh, None, {}, -1, 1, 4),
    "Exp": (np.exp, None, {}, -np.inf, np.inf, 4),
    "Log": (np.log, None, {}, 0, np.inf, 4),
    "Erf": (lambda x: np.where(abs(x) < 1e-6, 2 / np.sqrt(PI) * x, 1 - erfc(x)), None, {}, -np.inf, np.inf, 4),
    "Gelu": (lambda x: x * erfc(-x / np.sqrt(WIDE(2))) / 2, "opset7", {"approximation_mode": "ERF"}, -np.inf, np.inf, 4096),
    "Gelu tanh": (gelu_tanh, "opset7", {"approximation_mode": "TANH"}, -np.inf, np.inf, 8192),
}


def functions():
    for name, (f, version, attributes, low, high, ulp) in FUNCTIONS.items():
        op = name.split()[0]
        for t in FLOATS:
            x = numbers(t, low, high)
            with np.errstate(all="ignore"):
                y = rounded(t, f(wide(x)))
            Case(op, name.replace(op, "ends").replace(" ", "_") + f"_{t}").node([x], y, attributes, version,
                                                                              ulp=ulp if t == "f64" else 1)


def rows(type_, length):
    """Lines of numbers whose squares or sums are too large or too small for the type, and one that changes nothing."""
    tiny, small, eps, most = LIMITS[type_]
    line = np.tile([3, -4, 0, 2, 4], length)[:length]
    return rounded(type_, np.stack([line * (most * by) for by in (1 / 4, 1 / 64)] +
                                   [line * by for by in (small, tiny, 0, 1, 16)]))


# How long the lines are, and how they lie.
FORMS = ((5, "rows"), (5, "columns"), (5, "planes"), (40, "rows"))


def turn(x, turned):
    return x.like(x.array.T) if turned else x


def laid(type_, length, form):
    """The lines, and the axes along them; those of planes are together twice as long."""
    x = rows(type_, length)
    if form == "planes":
        return x.like(np.stack([x.array, x.array[:, ::-1]])), (0, 2)
    return turn(x, form == "columns"), (0,) if form == "columns" else (1,)


def l2(x, axis):
    return np.sqrt((x * x).sum(axis, keepdims=True))


def mean(x, axis):
    return x.mean(axis, keepdims=True)


def folds(name, f, ulp):
    for t in FLOATS:
        c = Case(name, f"ends_{t}")
        for length, form in FORMS:
            v, axes = laid(t, length, form)
            c.node([v, c.i64(*axes)], rounded(t, f(wide(v), axes)), {"keep_dims": True}, None, ulp=ulp)


def mvn(x, axis, eps):
    y = x - mean(x, axis)
    return y / np.sqrt(mean(y * y, axis) + eps)


def norms():
    for t in FLOATS:
        ulp = 16 if t in ("f32", "f64") else 2
        for length, form in FORMS:
            x, axes = laid(t, length, form)
            for eps in (1e-6, 1e-30):
                name = f"ends_{t}_{length}_{form}_{eps}"
                square = (wide(x)**2).sum(axes, keepdims=True)
                Case("NormalizeL2", name).node([x, Tensor("i64", axes)], rounded(t, wide(x) / np.sqrt(square + WIDE(eps))),
                                               {"eps": eps, "eps_mode": "add"}, ulp=ulp)
                Case("MVN", name).node([x, Tensor("i64", axes)], rounded(t, mvn(wide(x), axes, WIDE(eps))),
                                       {"normalize_variance": True, "eps": eps, "eps_mode": "inside_sqrt"}, "opset6", ulp=ulp,
                                       atol=1e-6)
        others(t, ulp, rows(t, 5).array[:, None])


def others(t, ulp, x):
    """X: [N, 1, 5]"""
    ones, zeros = Tensor(t, np.ones(5)), Tensor(t, np.zeros(5))
    flat = Tensor(t, x[:, 0])
    Case("GroupNormalization", f"ends_{t}").node(
        [flat, ones, zeros], rounded(t, mvn(wide(flat), 1, WIDE(1e-6))), {"num_groups": 1, "epsilon": 1e-6}, ulp=ulp, atol=1e-6)
    Case("GRN", f"ends_{t}").node([flat], rounded(t, wide(flat) / np.sqrt((wide(flat)**2).sum(1, keepdims=True) + WIDE(1e-6))),
                                 {"bias": 1e-6}, ulp=ulp)
    Case("RMS", f"ends_{t}").node([flat, ones], rounded(t, wide(flat) / np.sqrt(mean(wide(flat)**2, 1) + WIDE(1e-6))),
                                 {"epsilon": 1e-6}, ulp=ulp)
    square = (wide(flat)**2).sum(1, keepdims=True)
    Case("LRN", f"ends_{t}").node([flat, Tensor("i64", [1])], rounded(t, wide(flat) / (1 + WIDE(0.25) / 9 * square)**WIDE(0.5)),
                                 {"alpha": 0.25, "beta": 0.5, "bias": 1.0, "size": 9}, ulp=ulp)
    image = Tensor(t, abs(x))
    attributes = {"strides": [1], "pads_begin": [0], "pads_end": [0], "kernel": [5], "rounding_type": "floor",
                  "auto_pad": "explicit"}
    Case("AvgPool", f"ends_{t}").node([image], rounded(t, mean(wide(image), 2)), {**attributes, "exclude-pad": False}, "opset14",
                                     ulp=2)
    Case("AdaptiveAvgPool", f"ends_{t}").node([image, Tensor("i64", [1])], rounded(t, mean(wide(image), 2)), ulp=2)
    for p in (1, 2, 3, 9):
        Case("LpPool", f"ends_{t}_{p}").node(
            [image], rounded(t, (wide(image)**p).sum(2, keepdims=True) ** (1 / WIDE(p))),
            {**attributes, "dilations": [1], "p": p}, "onnx18", ulp=8 if t == "f64" else 2)


def softmax():
    for t in FLOATS:
        most = LIMITS[t][3]
        x = rounded(t, [[most, most / 2, -most], [1e4, 9992, 0], [-1e4, -9992, -1e4], [88, -88, 0], [0, 2**-10, 60], [0, -20, -30],
                        [most, most, most]])
        above = wide(x) - wide(x).max(1, keepdims=True)
        e = np.exp(above)
        total, others = e.sum(1, keepdims=True), e.copy()
        others[range(len(e)), above.argmax(1)] = 0
        ulp = 4 if t == "f64" else 2
        with np.errstate(all="ignore"):
            y, z = rounded(t, e / total), rounded(t, above - np.log1p(others.sum(1, keepdims=True)))
        for turned in (False, True):
            name, axis = f"ends_{t}" + "_columns" * turned, 1 - turned
            Case("SoftMax", name).node([turn(x, turned)], turn(y, turned), {"axis": axis}, "opset8", ulp=ulp)
            Case("LogSoftmax", name).node([turn(x, turned)], turn(z, turned), {"axis": axis}, ulp=ulp)


def make():
    functions()
    folds("ReduceL2", l2, 2)
    folds("ReduceMean", mean, 2)
    norms()
    softmax()
