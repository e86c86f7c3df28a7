"""Convolution and MaxPool, which the models of the tree need."""

import itertools
import math

import numpy as np

from .reduction import COUNTS, whole
from .registry import Unsupported, check, operation
from .tensor import EPSILON, finish, is_float


def paddings(node, sizes, windows, strides):
    """Before and after each spatial axis."""
    mode = node.text("auto_pad", "explicit")
    if mode == "valid":
        return [(0, 0)] * len(sizes)
    if mode == "explicit":
        return list(zip(node.integers("pads_begin"), node.integers("pads_end")))
    made = []
    for n, window, stride in zip(sizes, windows, strides):
        both = max((-(-n // stride) - 1) * stride + window - n, 0)
        less, more = both // 2, both - both // 2
        made.append((less, more) if mode == "same_upper" else (more, less))
    return made


def shifted(data, window, pads, strides, dilations, fill, least=1):
    """For each position in the window: that element of every window, as one array, of LEAST windows on an axis."""
    spatial = len(window)
    padded = np.pad(data, [(0, 0), (0, 0)] + pads, constant_values=fill)
    reach = [(w - 1) * d + 1 for w, d in zip(window, dilations)]
    counts = [(n - r) // s + 1 for n, r, s in zip(padded.shape[2:], reach, strides)]
    check(all(c >= least for c in counts), "the window is larger than the image")
    for at in itertools.product(*[range(w) for w in window]):
        begin = [at[i] * dilations[i] for i in range(spatial)]
        cut = [slice(b, b + max((c - 1) * s + 1, 0), s) for b, c, s in zip(begin, counts, strides)]
        yield at, padded[(slice(None), slice(None)) + tuple(cut)]


@operation("Convolution", "opset1")
def convolution_1(node, data, filters):
    if not is_float(data.type) or filters.slack:
        raise Unsupported("this convolution")
    check(data.rank == filters.rank and data.shape[1] == filters.shape[1], "operands do not fit")
    window, strides = filters.shape[2:], node.integers("strides")
    dilations = node.integers("dilations")
    reach = [(w - 1) * d + 1 for w, d in zip(window, dilations)]
    pads = paddings(node, data.shape[2:], reach, strides)
    out = size = 0.0
    for at, part in shifted(data.array.astype(np.float64), window, pads, strides, dilations, 0.0):
        weights = filters.array[(slice(None), slice(None)) + at].astype(np.float64)
        out = out + np.einsum("nc...,oc->no...", part, weights)
        size = size + np.einsum("nc...,oc->no...", np.abs(part), np.abs(weights))
    most = float(np.max(size)) if np.size(size) else 0.0
    exact = most < COUNTS[data.type] and whole(data.array.reshape(-1)) and whole(filters.array.reshape(-1))
    terms = data.shape[1] * math.prod(window)
    slack = 0.0 if exact else 4 * terms * EPSILON["f32"] * most + EPSILON[data.type] * most
    return finish(data.type, out, slack + data.slack * terms * filters.greatest())


@operation("MaxPool", "opset1")
def max_pool_1(node, data):
    """Padding that keeps the size divided by the strides keeps an image without rows."""
    if not is_float(data.type) or node.text("rounding_type", "floor") != "floor":
        raise Unsupported("this pooling")
    window, strides = node.integers("kernel"), node.integers("strides")
    pads = paddings(node, data.shape[2:], window, strides)
    least = 0 if node.text("auto_pad", "explicit").startswith("same") else 1
    out = None
    for _, part in shifted(data.array, window, pads, strides, [1] * len(window), -np.inf, least):
        out = part if out is None else np.maximum(out, part)
    return data.like(out)


@operation("MaxPool", "opset8")
def max_pool_8(node, data):
    raise Unsupported("MaxPool with indices")
