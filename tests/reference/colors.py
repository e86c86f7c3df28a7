"""Images in other colours: the formulas of the pages in fractions, pixel by pixel."""

from fractions import Fraction

import numpy as np

from case import FLOATS, Case, Tensor, rounded

TYPES = ["u8", *FLOATS]
CASES = {}


def case_of(op, name):
    """Nodes of one name are one case."""
    if (op, name) not in CASES:
        CASES[op, name] = Case(op, name)
    return CASES[op, name]


def clipped(type_, x):
    if type_ == "u8":  # halves up
        x = Fraction((x + Fraction(1, 2)).__floor__())
    return min(max(x, Fraction(0)), Fraction(255))


def fraction(x):
    return Fraction(float(x)) if not isinstance(x, Fraction) else x


def pixel(type_, y, u, v):
    y, u, v = fraction(y) - 16, fraction(u) - 128, fraction(v) - 128
    k = lambda x: Fraction(x, 1000)
    return [clipped(type_, k(1164) * y + k(1596) * v), clipped(type_, k(1164) * y - k(813) * v - k(391) * u),
            clipped(type_, k(1164) * y + k(2018) * u)]


def kept(type_, values, shape):
    return rounded(type_, np.array([float(x) for x in values]).reshape(shape))


def to_rgb(y, u, v, bgr):
    """y [N, H, W], u and v [N, H/2, W/2]"""
    out = []
    for n, i, j in np.ndindex(y.shape):
        rgb = pixel(y.type, y.array[n, i, j], u[n, i // 2, j // 2], v[n, i // 2, j // 2])
        out += rgb[::-1] if bgr else rgb
    return kept(y.type, out, (*y.shape, 3))


def some(c, type_, shape):
    return c.ints(type_, shape, 0, 256) if type_ == "u8" else rounded(type_, c.floats(type_, shape, 0, 255).array)


def from_planes():
    for name, paired in (("NV12", True), ("I420", False)):
        for bgr in (False, True):
            op = f"{name}to{'BGR' if bgr else 'RGB'}"
            for t in TYPES:
                for n, h, w in ((2, 4, 4), (1, 2, 6)) if t in ("u8", "f32") else ((1, 2, 4),):
                    c = case_of(op, f"planes_{n}x{h}x{w}")
                    y, u, v = some(c, t, (n, h, w)), some(c, t, (n, h // 2, w // 2)), some(c, t, (n, h // 2, w // 2))
                    want = to_rgb(y, u.array, v.array, bgr)
                    uv = np.stack((u.array, v.array), axis=-1)
                    chroma = [y.like(uv)] if paired else [x.like(x.array[..., None]) for x in (u, v)]
                    c.node([y.like(y.array[..., None]), *chroma], want, {}, "opset8")
                    flat = [x.array.reshape(n, -1) for x in ([y, y.like(uv)] if paired else [y, u, v])]
                    c = case_of(op, f"one_plane_{n}x{h}x{w}")
                    c.node([y.like(np.concatenate(flat, axis=1).reshape(n, h * 3 // 2, w, 1))], want, {}, "opset8")


def to_nv12(x, bgr):
    """Y [N, H, W] and UV [N, H/2, W/2, 2]"""
    t, k = x.type, lambda number: Fraction(number, 1000)
    n, h, w, _ = x.shape
    y, uv = np.zeros((n, h, w), object), np.zeros((n, h // 2, w // 2, 2), object)
    for at in np.ndindex(n, h, w):
        r, g, b = (fraction(v) for v in (x.array[at][::-1] if bgr else x.array[at]))
        y[at] = clipped(t, k(257) * r + k(504) * g + k(98) * b + 16)
        pair = (clipped(t, k(-148) * r - k(291) * g + k(439) * b + 128),
                clipped(t, k(439) * r - k(368) * g - k(71) * b + 128))
        for i in range(2):
            uv[at[0], at[1] // 2, at[2] // 2, i] += pair[i] / 4
    return y, np.vectorize(lambda v: clipped(t, v), otypes=[object])(uv)


def to_planes():
    for bgr in (False, True):
        op = f"{'BGR' if bgr else 'RGB'}toNV12"
        for t in TYPES:
            c = case_of(op, "pixels")
            for shape in ((1, 2, 4, 3), (2, 4, 2, 3)):
                x = some(c, t, shape)
                y, uv = to_nv12(x, bgr)
                n, h, w, _ = shape
                one = np.concatenate((y.reshape(n, -1), uv.reshape(n, -1)), axis=1)
                c.node([x], kept(t, one.reshape(-1), (n, h * 3 // 2, w, 1)), {"single_plane": True}, "opset17",
                       ulp={"u8": None, "f64": 2}.get(t, 1))
                c.node([x], [kept(t, y.reshape(-1), (n, h, w, 1)), kept(t, uv.reshape(-1), uv.shape)],
                       {"single_plane": False}, "opset17", ulp={"u8": None, "f64": 2}.get(t, 1))


def extremes():
    """Each corner of the cube of colours, and the halves that u8 rounds."""
    c = case_of("NV12toRGB", "corners")
    levels = [0, 16, 128, 235, 255]
    y = Tensor("u8", np.array([levels[i % 5] for i in range(50)] * 2).reshape(1, 2, 50))
    u = np.array([levels[i % 5] for i in range(25)]).reshape(1, 1, 25)
    v = np.array([levels[i // 5] for i in range(25)]).reshape(1, 1, 25)
    c.node([y.like(y.array[..., None]), Tensor("u8", np.stack((u, v), axis=-1))], to_rgb(y, u, v, False), {}, "opset8")


def make():
    from_planes()
    to_planes()
    extremes()
