"""Operations that make elements out of few numbers."""

import math
from fractions import Fraction

import numpy as np

from .operands import every_index, filled, integer, integers, joined_slack
from .registry import Unsupported, check, operation
from .tensor import Tensor, finish, is_float


def number_of(tensor, to_integer):
    """A scalar as an exact number; its fraction is cut off for an integer result."""
    check(tensor.array.size == 1, "one element is expected")
    x = tensor.array.reshape(-1)[0]
    check(not is_float(tensor.type) or np.isfinite(x), "not a finite number")
    exact = Fraction(float(x)) if is_float(tensor.type) else Fraction(int(x))
    return Fraction(math.trunc(exact)) if to_integer else exact


def span(type_, start, stop, step):
    """Elements start + i * step, from exact numbers; "val[i+1] = val[i] + step" is rounded each time."""
    numbers = [number_of(t, not is_float(type_)) for t in (start, stop, step)]
    check(numbers[2] != 0, "step is 0")
    n = max(math.ceil((numbers[1] - numbers[0]) / numbers[2]), 0)
    check(n < 10**6, "too many elements")
    if is_float(type_):
        first, by = (float(t.array.reshape(-1)[0]) for t in (start, step))
        return finish(type_, np.cumsum([first] + (n - 1) * [by])[:n])
    return finish(type_, np.array([int(numbers[0] + i * numbers[2]) for i in range(n)], object))


@operation("Range", "opset1")
def range_1(node, start, stop, step):
    return span(start.type, start, stop, step)


@operation("Range", "opset4")
def range_4(node, start, stop, step):
    return span(node.text("output_type"), start, stop, step)


@operation("OneHot", "opset1")
def one_hot_1(node, indices, depth, on_value, off_value):
    n, rank = integer(depth), indices.rank + 1
    axis = node.integer("axis")
    axis = axis + rank if axis < 0 else axis
    check(n >= 0 and 0 <= axis < rank, f"depth {n}, axis {axis}")
    if any(i < 0 for i in integers(indices)):
        raise Unsupported("a negative index")
    shape = indices.shape[:axis] + (n,) + indices.shape[axis:]
    out = filled(on_value.type, shape, off_value.array.reshape(-1)[0])
    for at in every_index(shape):
        if indices.array[at[:axis] + at[axis + 1:]] == at[axis]:
            out[at] = on_value.array.reshape(-1)[0]
    return Tensor(on_value.type, out, joined_slack(on_value, off_value))


@operation("NonZero", "opset3")
def non_zero_3(node, data):
    if data.rank == 0:
        raise Unsupported("NonZero of a scalar")
    integers(data if not is_float(data.type) else Tensor("f64", np.zeros(0), data.slack))
    found = [at for at in every_index(data.shape) if data.array[at] != 0]
    return Tensor(node.text("output_type", "i64"), np.array(found, np.int64).reshape(-1, data.rank).T)
