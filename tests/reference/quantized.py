"""Products of 8-bit integers less their zero points, in integers that wrap, and what follows them: a bias, a scale and
a shift in f32, and steps that quantise, each rounded to f32."""

import numpy as np

from case import Case, Refused, Tensor

TYPES = ("u8", "i8")
RANGE = {"u8": (0, 255), "i8": (-128, 127)}


def factor(x, zero):
    return x.array.astype(object) - (int(zero.array.reshape(-1)[0]) if zero else 0)


def wrapped(x):
    return ((np.asarray(x, object) + 2**31) % 2**32 - 2**31).astype(np.int64).astype(np.int32)


def f32(x):
    return x.array.astype(np.float32)


def ended(type_, sums, bias=None, scale=None, shift=None, by=None, divisor=None, zero=None, low=0, high=0):
    y = wrapped(sums + (bias.array.astype(object) if bias else 0))
    if type_ == "i32":
        return Tensor(type_, y)
    y = y.astype(np.float32)
    y = y * f32(scale) if scale else y
    y = y + f32(shift) if shift else y
    if type_ != "f32":
        y = y * f32(by) if by else y
        y = y / f32(divisor) if divisor else y
        y = np.rint(y)
        y = np.clip(y + f32(zero) if zero else y, np.float32(low), np.float32(high))
    return Tensor(type_, y)


def convolved(x, f, strides, begin, end, dilations, grouped):
    if not grouped:
        f = f[None]
    groups, out, channels = f.shape[:3]
    x = np.pad(x, [(0, 0), (0, 0), *zip(begin, end)])
    reach = [(k - 1) * d + 1 for k, d in zip(f.shape[3:], dilations)]
    sizes = [(n - r) // s + 1 for n, r, s in zip(x.shape[2:], reach, strides)]
    y = np.zeros((x.shape[0], groups * out, *sizes), object)
    for at in np.ndindex(*y.shape):
        group = at[1] // out
        part = x[(at[0], slice(group * channels, (group + 1) * channels),
                  *(slice(p * s, p * s + r, d) for p, s, r, d in zip(at[2:], strides, reach, dilations)))]
        y[at] = (part * f[group, at[1] % out]).sum()
    return y


def lists(c, shape, type_, steps):
    """Operands behind the zero points, of SHAPE, as far as STEPS says."""
    numbers = [c.ints("i32", shape, -500, 500), Tensor("f32", c.rng.randint(1, 64, shape) / 512), c.floats("f32", shape),
               Tensor("f32", 2.0), Tensor("f32", c.rng.randint(1, 16, shape) / 3),
               Tensor("f32", float(c.rng.randint(*RANGE.get(type_, (0, 1)))))]
    return [x if steps & 1 << i else None for i, x in enumerate(numbers)]


def node(c, operands, sums, type_, steps, shape, attributes):
    rest = lists(c, shape, type_, steps)
    low, high = RANGE.get(type_, (0, 0))
    c.node(operands + rest, ended(type_, sums, *rest, low, high),
           {**attributes, "output_type": type_, "min": float(low), "max": float(high)}, "inlay")


# Which of bias, scale, shift, factor, divisor and zero point there are, and the type that is made.
ENDS = (("i32", 0), ("i32", 1), ("f32", 0), ("f32", 2), ("f32", 7), ("u8", 0), ("u8", 0b110011), ("i8", 0b110010),
        ("i8", 0b111111))


def products():
    for a_type in TYPES:
        for b_type in TYPES:
            c = Case("MatMulQuantized", f"{a_type}-by-{b_type}")
            for turn, (type_, steps) in enumerate(ENDS):
                a, b = c.values(a_type, (3, 5)), c.values(b_type, (5, 4))
                zeros = [c.ints("i32", (), -128, 256) if turn % 3 else None, c.ints("i32", (1,), -128, 256) if turn % 2 else None]
                node(c, [a, b, *zeros], factor(a, zeros[0]) @ factor(b, zeros[1]), type_, steps,
                     (4,) if turn % 2 else (), {"transpose_a": False, "transpose_b": False})
    c = Case("MatMulQuantized", "shapes")
    for shape, other, turned in (((2, 1, 3, 4), (3, 4, 2), False), ((7,), (2, 7), True), ((3, 6), (6,), False), ((2, 3), (3, 0), False),
                                 ((2, 0), (0, 3), False), ((0, 3), (3, 2), False)):
        a, b = c.values("u8", shape), c.values("i8", other)
        y = factor(a, None) @ (factor(b, None).T if turned else factor(b, None))
        node(c, [a, b, None, None], np.asarray(y, object), "i32", 0, (), {"transpose_a": False, "transpose_b": turned})


def convolutions():
    for at, (data, filters, strides, begin, end, dilations, grouped) in enumerate((
            ((1, 3, 6), (2, 3, 3), (1,), (1,), (1,), (1,), False),
            ((2, 2, 5, 6), (3, 2, 3, 2), (1, 1), (0, 0), (0, 0), (1, 1), False),
            ((1, 5, 7, 6), (2, 5, 3, 3), (2, 2), (1, 0), (1, 2), (1, 2), False),
            ((1, 4, 5, 5), (2, 3, 2, 3, 3), (1, 1), (1, 1), (1, 1), (1, 1), True),
            ((1, 3, 5, 5), (3, 1, 1, 3, 3), (2, 1), (1, 1), (1, 1), (1, 1), True),
            ((1, 2, 3, 3, 4), (2, 2, 2, 2, 2), (1, 1, 1), (1, 0, 1), (0, 0, 1), (1, 1, 1), False))):
        c = Case("ConvolutionQuantized", "of_" + "x".join(map(str, data)))
        for turn, (type_, steps) in enumerate(ENDS):
            x, f = c.values(TYPES[turn % 2], data), c.values(TYPES[(turn + at) % 2], filters)
            zeros = [c.ints("i32", (), 0, 100) if turn % 3 else None, c.ints("i32", (1,), -9, 200) if turn % 2 else None]
            channels = filters[0] * filters[1] if grouped else filters[0]
            y = convolved(factor(x, zeros[0]), factor(f, zeros[1]), strides, begin, end, dilations, grouped)
            shape = (channels,) + (1,) * (len(data) - 2) if turn % 2 else ()
            node(c, [x, f, *zeros], y, type_, steps, shape,
                 {"strides": list(strides), "pads_begin": list(begin), "pads_end": list(end), "dilations": list(dilations),
                  "auto_pad": "explicit", "grouped": grouped})


def turned():
    c = Case("MatMulQuantized", "first-turned")
    a, b = c.values("u8", (4, 3)), c.values("i8", (4, 2))
    node(c, [a, b, None, None], factor(a, None).T @ factor(b, None), "i32", 0, (), {"transpose_a": True, "transpose_b": False})


def padded():
    for auto in ("same_upper", "same_lower", "valid"):
        c = Case("ConvolutionQuantized", auto)
        x, f, strides, dilations = c.values("u8", (1, 2, 6, 5)), c.values("i8", (3, 2, 2, 3)), (1, 2), (1, 1)
        missing = [max((-(-n // s) - 1) * s + k - n, 0) if auto != "valid" else 0
                   for n, k, s in zip((6, 5), (2, 3), strides)]
        begin = [(m + (auto == "same_lower")) // 2 for m in missing]
        end = [m - b for m, b in zip(missing, begin)]
        y = convolved(factor(x, None), factor(f, None), strides, begin, end, dilations, False)
        node(c, [x, f, None, None], y, "i32", 0, (),
             {"strides": list(strides), "pads_begin": [0, 1], "pads_end": [0, 0], "dilations": list(dilations),
              "auto_pad": auto, "grouped": False})


def refused():
    for name, type_, low, high, scale, text in (
            ("type", "i16", 0, 1, None, "output_type is i16"), ("range", "u8", -1, 3, None, "min and max are -1 and 3"),
            ("order", "i8", 3, 2, None, "min and max are 3 and 2"), ("unscaled", "i32", 0, 0, (), "is given"),
            ("list", "f32", 0, 0, (5,), 'input 5 "scale" has shape [5]')):
        c = Case("MatMulQuantized", "refused_" + name)
        c.node([c.values("u8", (2, 3)), c.values("i8", (3, 4)), None, None, None,
                None if scale is None else Tensor("f32", np.ones(scale))], Refused(text),
               {"output_type": type_, "min": float(low), "max": float(high)}, "inlay")


def make():
    products()
    convolutions()
    turned()
    padded()
    refused()
