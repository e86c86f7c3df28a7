"""What operations ask of their operands."""

import itertools

import numpy as np

from .registry import Unknown, check
from .tensor import Tensor


def integers(tensor):
    """All elements of an operand that counts or selects, as a list of Python integers."""
    if tensor.slack:
        raise Unknown("a selection that depends on a sum")
    return [int(x) for x in tensor.array.reshape(-1)]


def integer(tensor):
    values = integers(tensor)
    check(len(values) == 1, "one element is expected")
    return values[0]


def axis_of(axis, rank):
    check(-rank <= axis < rank, f"axis {axis} of rank {rank}")
    return axis + rank if axis < 0 else axis


def axes_of(axes, rank):
    """Distinct axes below RANK."""
    found = [axis_of(a, rank) for a in axes]
    check(len(set(found)) == len(found), "an axis is repeated")
    return found


def index_of(index, size):
    """From either end."""
    check(-size <= index < size, f"index {index} of {size}")
    return index + size if index < 0 else index


def every_index(shape):
    return itertools.product(*[range(n) for n in shape])


def joined_slack(*tensors):
    """Of elements that are moved from several tensors."""
    return max([t.slack for t in tensors if t is not None] or [0.0])


def take(data, selected):
    """The elements at the product of the positions SELECTED, a list for each axis."""
    if data.rank == 0:
        return data.like(data.array.copy())
    grid = np.ix_(*[np.array(s, dtype=np.int64) for s in selected])
    return data.like(data.array[grid])


def broadcast_shape(a, b):
    """Right aligned; sizes agree, or one of them is 1."""
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + tuple(a), (1,) * (rank - len(b)) + tuple(b)
    for m, n in zip(a, b):
        check(m == n or m == 1 or n == 1, f"shapes {a} and {b} do not broadcast")
    return tuple(n if m == 1 else m for m, n in zip(a, b))


def stretch(array, shape):
    """ARRAY broadcast to SHAPE, right aligned."""
    padded = array.reshape((1,) * (len(shape) - array.ndim) + array.shape)
    for have, want in zip(padded.shape, shape):
        check(have in (1, want), f"{array.shape} does not broadcast to {shape}")
    for axis, want in enumerate(shape):
        if padded.shape[axis] != want:
            padded = np.repeat(padded, want, axis=axis)
    return padded


def together(node, a, b):
    """Two operands brought to one shape, as attribute auto_broadcast says."""
    mode = node.text("auto_broadcast", "numpy")
    if mode == "none":
        check(a.shape == b.shape, f"shapes {a.shape} and {b.shape} differ")
        return a, b
    if mode == "pdpd":
        return a, b.like(stretch_paddle(a.shape, b.array, node.integer("axis", -1)))
    shape = broadcast_shape(a.shape, b.shape)
    return a.like(stretch(a.array, shape)), b.like(stretch(b.array, shape))


def stretch_paddle(shape, array, axis):
    """B lies along A from an axis on; ones at its end do not count."""
    axis = len(shape) - array.ndim if axis == -1 else axis
    check(0 <= axis <= len(shape), f"axis {axis}")
    while array.ndim and array.shape[-1] == 1:
        array = array.reshape(array.shape[:-1])
    check(axis + array.ndim <= len(shape), "the second operand is too long")
    return stretch(array.reshape(array.shape + (1,) * (len(shape) - axis - array.ndim)), shape)


def per_element(function, *arrays):
    """FUNCTION of Python numbers over each element; always an array, of objects."""
    made = np.frompyfunc(function, len(arrays), 1)(*arrays)
    return np.asarray(made, dtype=object).reshape(np.shape(arrays[0]))


def filled(type_, shape, value):
    array = np.empty(shape, Tensor(type_, []).array.dtype)
    array[...] = value
    return array
