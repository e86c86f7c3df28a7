"""Sums of products, bit for bit: the chains of fused multiply-adds that ir/OPERATIONS.md states, in exact fractions."""

import math
from fractions import Fraction

import numpy as np

from case import Case, Tensor, rounded
from networks import Window, conv_attributes

BITS = {"f32": (24, -149), "f64": (53, -1074)}  # of a significand, and the exponent of the smallest number


def nearest(type_, x):
    """The float nearest to a fraction, ties to even; zero is +0."""
    bits, least = BITS[type_]
    e = max(math.frexp(float(abs(x)))[1] - bits - 1, least) if float(x) else least
    while abs(x) >= Fraction(2) ** (e + bits):
        e += 1
    return math.ldexp(round(x / Fraction(2) ** e), e)


def fused(type_, a, b, c):
    return nearest(type_, Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c)))


def chain(type_, pairs):
    total = 0.0
    for a, b in pairs:
        total = fused(type_, a, b, total)
    return total


def domain(type_):
    return "f64" if type_ == "f64" else "f32"


def numbers(c, type_, shape):
    """Of all bits, so that nearly every step rounds."""
    return rounded(type_, c.rng.standard_normal(shape) * 2.0 ** c.rng.randint(-3, 4, shape))


def products(type_, a, b):
    out = [[chain(domain(type_), zip(row, column)) for column in b.T] for row in a]
    return rounded(type_, np.array(out).reshape(len(a), b.shape[1]))


def matmul():
    c = Case("MatMul", "sums")
    for type_ in ("f32", "f64", "f16", "bf16"):
        for shape in ((3, 17, 5), (1, 40, 3), (7, 30, 1)):
            a, b = numbers(c, type_, shape[:2]), numbers(c, type_, shape[1:])
            c.node([a, b], products(type_, a.array, b.array))
    c = Case("MatMul", "sums_at_the_ends")
    huge, tiny = 2.0**127, 2.0**-100
    for row, column in (([-huge, huge], [1, 2]),  # the second product alone is infinite
                        ([-tiny], [tiny]), ([-tiny, 0], [tiny, 1]),  # +0, not -0
                        ([-tiny, tiny], [tiny, tiny]), ([1 + 2.0**-12, -1], [1 + 2.0**-12, 1 + 2.0**-11])):
        a, b = Tensor("f32", [row]), Tensor("f32", [[x] for x in column])
        c.node([a, b], products("f32", a.array, b.array))


def convolved(type_, x, filters, window):
    """x [N, CI, ...], filters [CO, CI, ...]"""
    y = np.zeros((x.shape[0], filters.shape[0], *window.out))
    for n, o, *place in np.ndindex(*y.shape):
        y[(n, o, *place)] = chain(type_, [(filters[(o, i, *k)], x[(n, i, *at)])
                                          for i in range(x.shape[1]) for k, at in window.taps(place)])
    return y


def spread(type_, x, filters, strides, begin, out):
    """The transpose. filters [CI, CO, ...]"""
    y = np.zeros((x.shape[0], filters.shape[1], *out))
    for n, o, i in np.ndindex(x.shape[0], filters.shape[1], x.shape[1]):
        for k in np.ndindex(filters.shape[2:]):
            for at in np.ndindex(x.shape[2:]):
                place = tuple(a * s + j - b for a, s, j, b in zip(at, strides, k, begin))
                if all(0 <= p < m for p, m in zip(place, out)):
                    y[(n, o, *place)] = fused(type_, filters[(i, o, *k)], x[(n, i, *at)], y[(n, o, *place)])
    return y


def groups(f, x, filters):
    parts = np.split(x, filters.shape[0], axis=1)
    return np.concatenate([f(part, of_group) for part, of_group in zip(parts, filters)], axis=1)


def convolutions():
    for op, grouped in (("Convolution", []), ("GroupConvolution", [2])):
        c = Case(op, "sums")
        for type_, size, kernel, stride in (("f32", 6, 3, 1), ("f32", 9, 3, 2), ("f32", 5, 1, 1), ("f64", 6, 3, 1),
                                            ("f16", 5, 3, 1)):
            window = Window([size] * 2, [kernel] * 2, [stride] * 2, [1, 1], [kernel // 2] * 2, [kernel // 2] * 2)
            x = numbers(c, type_, (1, 4 if grouped else 3, size, size))
            f = numbers(c, type_, (*grouped, 2, 2 if grouped else 3, kernel, kernel))
            of = lambda x, f, w=window, t=domain(type_): convolved(t, x, f, w)
            want = groups(of, x.array, f.array) if grouped else of(x.array, f.array)
            c.node([x, f], rounded(type_, want),
                   conv_attributes(window.strides, [1, 1], window.begin, window.end, "explicit"))
        c = Case(op + "BackpropData", "sums")
        for type_ in ("f32", "f64"):
            x = numbers(c, type_, (1, 4, 3, 3))
            f = numbers(c, type_, (*grouped, 4 // (2 if grouped else 1), 2, 3, 3))
            of = lambda x, f, t=type_: spread(t, x, f, [2, 2], [1, 1], [5, 5])
            want = groups(of, x.array, f.array) if grouped else of(x.array, f.array)
            c.node([x, f], rounded(type_, want), {"strides": [2, 2], "dilations": [1, 1], "pads_begin": [1, 1],
                                                  "pads_end": [1, 1]})
    c = Case("DeformableConvolution", "sums")
    window = Window([4, 4], [3, 3], [1, 1], [1, 1], [0, 0], [0, 0])
    for type_ in ("f64", "f32"):
        x, f = numbers(c, type_, (1, 2, 4, 4)), numbers(c, type_, (2, 2, 3, 3))
        c.node([x, Tensor(type_, np.zeros((1, 18, 2, 2))), f], rounded(type_, convolved(type_, x.array, f.array, window)),
               {"strides": [1, 1], "dilations": [1, 1], "pads_begin": [0, 0], "pads_end": [0, 0]}, "opset8")


def einsum():
    c = Case("Einsum", "sums")
    for type_ in ("f32", "f64"):
        a, b, d = numbers(c, type_, (3, 7)), numbers(c, type_, (7, 2)), numbers(c, type_, (3, 7))
        c.node([a, b], products(type_, a.array, b.array), {"equation": "ij,jk->ik"}, "opset7")
        c.node([a, d], rounded(type_, chain(type_, zip(a.array.ravel(), d.array.ravel()))), {"equation": "ij,ij->"},
               "opset7")
        c.node([a, d], rounded(type_, chain(type_, zip(a.array.ravel(), d.array.ravel()))),
               {"equation": "bA,bA->"}, "opset7")  # the order of the axes, not of the alphabet
        c.node([a, Tensor(type_, d.array.T)], rounded(type_, chain(type_, zip(a.array.T.ravel(), d.array.T.ravel()))),
               {"equation": "ij,ji->"}, "opset7")
        alone = rounded(type_, [[chain(type_, [(x, 1) for x in column]) for column in a.array.T]]).array
        c.node([a, b], rounded(type_, products(type_, alone, b.array).array[0]), {"equation": "ij,jk->k"}, "opset7")
        first = products(type_, a.array, b.array).array
        c.node([a, b, Tensor(type_, b.array.T)], products(type_, first, b.array.T), {"equation": "ij,jk,kl->il"},
               "opset7")
        c.node([a, d, b], products(type_, a.array * d.array, b.array), {"equation": "ij,ij,jk->ik"}, "opset7")
        c.node([a], rounded(type_, [chain(type_, [(x, 1) for x in row]) for row in a.array]), {"equation": "ij->i"},
               "opset7")


def others():
    c = Case("EmbeddingBagPackedSum", "sums")
    for type_ in ("f32", "f64"):
        table, weights = numbers(c, type_, (4, 3)), numbers(c, type_, (2, 5))
        rows = c.rng.randint(0, 4, (2, 5))
        want = [[chain(type_, zip(table.array[rows[i], k], weights.array[i])) for k in range(3)] for i in range(2)]
        c.node([table, Tensor("i64", rows), weights], rounded(type_, want), {}, "opset3")
    c = Case("ScaledDotProductAttention", "sums")
    q, k, v = Tensor("f32", np.zeros((1, 1, 2, 4))), Tensor("f32", np.zeros((1, 1, 6, 4))), numbers(c, "f32", (1, 1, 6, 5))
    sixth = np.float32(1) / np.float32(6)
    want = [chain("f32", [(sixth, x) for x in column]) for column in v.array[0, 0].T]
    c.node([q, k, v], rounded("f32", np.array([[[want, want]]])), {"causal": False}, "opset13")
    c = Case("RNNCell", "sums")
    x, h, w, r, b = (numbers(c, "f32", shape) for shape in ((2, 9), (2, 4), (4, 9), (4, 4), (4,)))
    seen = products("f32", x.array, w.array.T).array + products("f32", h.array, r.array.T).array
    c.node([x, h, w, r, b], Tensor("f32", np.maximum(seen + b.array, 0)), {"hidden_size": 4, "activations": ["relu"]},
           "opset3")


def make():
    matmul()
    convolutions()
    einsum()
    others()
