"""Products with compressed weights: Convert, Subtract, Multiply, Convert and MatMul one after the other, each of them
rounded to its type. Sums run over the depth in order, in f32 (sums.py)."""

import numpy as np

from case import Case, Refused, Tensor, rounded
from sums import chain


def to(type_, x):
    """Numbers rounded to TYPE, as f32."""
    return np.asarray(rounded(type_, x).array, np.float32)


def weights_of(w, scale, zero, product):
    """W as floats that a product of this type is made with."""
    type_ = scale.type if scale else product
    x = to(type_, w.array)
    if zero:
        x = to(type_, x - to(type_, zero.array))
    if scale:
        x = to(type_, x * to(type_, scale.array))
    return to(product, x)


def multiplied(a, matrix):
    rows = a.array.reshape(int(np.prod(a.shape[:-1])), a.shape[-1])
    y = np.array([[chain("f32", zip(row, column)) for column in matrix.T] for row in rows], np.float32)
    return rounded(a.type, y.reshape(a.shape[:-1] + matrix.shape[1:]))


def as_matrix(x, turned):
    """Weights [depth, n] of weights in groups or not."""
    if turned:
        x = np.moveaxis(x, 0, -1)
    return x.reshape(int(np.prod(x.shape[:-1])), x.shape[-1])


def scales(c, type_, shape):
    return Tensor(type_, c.rng.randint(1, 4096, shape) / 8192)


def product(c, a, w, scale=None, zero=None, turned=True):
    matrix = as_matrix(weights_of(w, scale, zero, a.type), turned)
    c.node([a, w, scale, zero], multiplied(a, matrix), {"transpose_b": turned}, "inlay")


def types():
    for type_ in ("i8", "u8", "i4", "u4"):
        for scaled in ("f32", "f16", "bf16"):
            c = Case("MatMulCompressed", f"{type_}-by-{scaled}")
            product(c, c.floats("f32", (2, 5)), c.values(type_, (3, 5)), scales(c, scaled, (3, 1)),
                    c.ints(type_, (3, 1), 0, 8))
    for type_ in ("f16", "bf16", "u8"):
        for own in ("f32", "f16", "bf16"):
            c = Case("MatMulCompressed", f"{type_}-for-{own}")
            product(c, c.floats(own, (3, 4)), c.values(type_, (2, 4)))


def forms():
    for turned, one, shape in ((True, (3, 2, 1), (3, 2, 4)), (False, (2, 1, 3), (2, 4, 3)), (True, (2, 1), (2, 6)),
                               (False, (5,), (3, 5)), (False, (), (3, 5)), (True, (1, 6), (2, 6))):
        c = Case("MatMulCompressed", "shape-" + "x".join(map(str, shape)) + "-scale-" + "x".join(map(str, one)))
        depth = int(np.prod(shape)) // shape[0 if turned else -1]
        product(c, c.floats("f32", (2, 1, depth)), c.values("u4", shape), scales(c, "f32", one),
                c.floats("f32", one, 0, 8), turned)
        product(c, c.floats("f32", (depth,)), c.values("i4", shape), scales(c, "f16", one), None, turned)
        product(c, c.floats("f16", (depth,)), c.values("u8", shape), None, c.values("u8", one), turned)
    c = Case("MatMulCompressed", "nothing")
    product(c, c.floats("f32", (0, 4)), c.values("u4", (3, 4)), scales(c, "f32", ()))
    product(c, c.floats("f32", (2, 0)), c.values("u4", (3, 0)), scales(c, "f32", ()))
    product(c, c.floats("f32", (2, 4)), c.values("u4", (0, 4)), scales(c, "f32", ()))


def refused():
    for name, a, w, scale, text in (
            ("depth", (2, 4), (3, 5), (3, 1), 'input 0 "a"'),
            ("scale", (2, 5), (3, 5), (2, 5), 'input 2 "scale" has shape [2,5], which does not broadcast'),
            ("larger_scale", (2, 5), (1, 5), (3, 5), 'input 2 "scale" has shape [3,5], which does not broadcast'),
            ("groups", (2, 5), (3, 2, 2), (), 'input 0 "a"'),
            ("axes", (2, 5), (5,), (), 'input 1 "weights"')):
        c = Case("MatMulCompressed", "refused_" + name)
        c.node([c.floats("f32", a), c.values("i8", w), scales(c, "f32", scale)], Refused(text), {"transpose_b": True}, "inlay")


def make():
    types()
    forms()
    refused()
