"""Slice, SliceScatter, StridedSlice: windows on a tensor."""

import itertools

import numpy as np

from case import MOVED, NUMERIC, Case, Tensor

I32_MAX, I64_MAX, I64_MIN = 2**31 - 1, 2**63 - 1, -(2**63)
I32_MIN = -(2**31)


def window(size, start, stop, step):
    """The positions that one axis of Slice takes, in order.

    Negative ones count from the end, then start is held to [0, size] and stop too, and for a
    negative step to [0, size - 1] and [-1, size - 1]: this is not Python's slice where start is
    far below zero and step is negative.
    """
    if size == 0:
        return []
    start = start + size if start < 0 else start
    stop = stop + size if stop < 0 else stop
    low, high = (0, size) if step > 0 else (-1, size - 1)
    start, stop = min(max(start, max(low, 0)), high), min(max(stop, low), high)
    return list(range(start, stop, step))


def positions(shape, starts, stops, steps, axes=None):
    """For numpy.ix_: what each axis of a tensor takes."""
    taken = [list(range(n)) for n in shape]
    for start, stop, step, axis in zip(starts, stops, steps, axes or range(len(starts))):
        taken[axis] = window(shape[axis], start, stop, step)
    return np.ix_(*[np.array(t, dtype=np.int64) for t in taken])


def interesting(size):
    ends = [I64_MIN, I32_MIN, -size - 1, -size, -1, 0, size - 1, size, size + 1, I32_MAX, I64_MAX]
    steps = [1, -1, 2, -2, size + 1, -size - 1, I64_MAX, I64_MIN, I32_MAX]
    return sorted(set(ends)), sorted(s for s in set(steps) if s)


def some_windows(case, size, count):
    ends, steps = interesting(size)
    every = list(itertools.product(ends, ends, steps))
    chosen = case.rng.choice(len(every), min(count, len(every)), replace=False)
    return [every[i] for i in sorted(chosen)]


def one_axis():
    for size, count in ((0, 40), (1, 90), (2, 120), (5, 160)):
        c = Case("Slice", f"size_{size}")
        d = Case("SliceScatter", f"size_{size}")
        x = Tensor("i32", np.arange(1, size + 1))
        for start, stop, step in some_windows(c, size, count):
            at = positions((size,), [start], [stop], [step])
            bounds = [Tensor("i64", [v]) for v in (start, stop, step)]
            c.node([x, *bounds], x.like(x.array[at]), None, "opset8")
            updates = Tensor("i32", -10 - np.arange(len(at[0])))
            want = x.array.copy()
            want[at] = updates.array
            d.node([x, updates, *bounds], x.like(want), None, "opset15")


# shape, starts, stops, steps, axes
SEVERAL_AXES = [
    ((4, 5), [1, 0], [3, 5], [1, 2], None), ((4, 5), [-1, -1], [-6, -7], [-1, -2], None),
    ((4, 5), [1], [4], [2], [1]), ((4, 5), [1], [4], [2], [-1]),
    ((2, 3, 4), [3, 0], [0, 2], [-1, 1], [2, 1]), ((2, 3, 4), [1, 1], [2, 3], [1, 1], [-3, -1]),
    ((2, 3, 4), [0], [0], [1], [1]), ((2, 3, 4), [1, 2, 3], [-3, -4, -5], [-1, -1, -1], None),
    ((3, 2, 2, 2), [0, 1], [3, 2], [2, 1], [0, 3]), ((2, 0, 3), [0, 0], [2, 9], [1, 1], [0, 1]),
]


def several_axes():
    c, d = Case("Slice", "several_axes"), Case("SliceScatter", "several_axes")
    for shape, starts, stops, steps, axes in SEVERAL_AXES:
        x = c.distinct("f32", shape)
        at = positions(shape, starts, stops, steps, axes)
        operands = [Tensor("i64", v) for v in (starts, stops, steps)]
        operands += [Tensor("i64", axes)] if axes else []
        c.node([x, *operands], x.like(x.array[at]), None, "opset8")
        y = d.distinct("f32", shape)
        updates = y.like(-d.distinct("f32", y.array[at].shape).array)
        want = y.array.copy()
        want[at] = updates.array
        d.node([y, updates, *operands], y.like(want), None, "opset15")


def types():
    c, d = Case("Slice", "types"), Case("SliceScatter", "types")
    bounds = [Tensor("i64", [1]), Tensor("i64", [7]), Tensor("i64", [2]), Tensor("i64", [1])]
    for t in MOVED + ["string"]:
        x = c.values(t, (3, 7))
        c.node([x, *bounds], x.like(x.array[:, 1:7:2]), None, "opset8")
    for t in NUMERIC:
        x, updates = d.values(t, (3, 7)), d.values(t, (3, 3))
        want = x.array.copy()
        want[:, 1:7:2] = updates.array
        d.node([x, updates, *bounds], x.like(want), None, "opset15")
    c = Case("Slice", "index_types")
    x = c.distinct("f32", (2, 6))
    for t in ("i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"):
        c.node([x, Tensor(t, [1]), Tensor(t, [5]), Tensor(t, [3]), Tensor("i32", [-1])],
               x.like(x.array[:, 1:5:3]), None, "opset8")
    # Above what i64 holds: past the end of any axis.
    c.node([x, Tensor("u64", [2]), Tensor("u64", [2**64 - 1]), Tensor("u64", [1]), Tensor("i32", [1])],
           x.like(x.array[:, 2:]), None, "opset8")


def onnx():
    """The same windows as ONNX says them: other names, axes before steps, both optional."""
    for version in ("onnx10", "onnx11", "onnx13"):
        c = Case("Slice", version)
        x = Tensor("f32", np.arange(1, 6))
        for start, stop, step in some_windows(c, 5, 30):
            at = positions((5,), [start], [stop], [step])
            operands = [Tensor("i64", [v]) for v in (start, stop, 0, step)]
            c.node([x, *operands], x.like(x.array[at]), None, version)
        for shape, starts, stops, steps, axes in SEVERAL_AXES:
            x = c.distinct("f32", shape)
            at = positions(shape, starts, stops, steps, axes)
            operands = [Tensor("i32", starts), Tensor("i32", stops)]
            operands += [Tensor("i32", axes) if axes else None, Tensor("i32", steps)]
            c.node([x, *operands], x.like(x.array[at]), None, version)
        x = c.distinct("f32", (3, 4))
        c.node([x, c.i64(1, 0), c.i64(3, -1)], x.like(x.array[1:3, 0:-1]), None, version)
        c.node([x, c.i64(1), c.i64(3), c.i64(-1)], x.like(x.array[:, 1:3]), None, version)
    c = Case("Slice", "onnx1")
    for starts, ends, axes in (([0, 0], [3, 10], [0, 1]), ([1, 0], [2, -1], None), ([1], [4], [1]),
                               ([1], [1000], [0]), ([-2], [I64_MAX], [1]), ([0], [0], [0])):
        x = c.distinct("f32", (4, 5))
        at = positions((4, 5), starts, ends, [1] * len(starts), axes)
        c.node([x], x.like(x.array[at]),
               {"starts": starts, "ends": ends, **({"axes": axes} if axes else {})}, "onnx1")


# numpy index -> how StridedSlice says it. Left out on purpose: where the specification's text and
# numpy part ways (begin equal to end; end_mask with a negative stride).
STRIDED = [
    # shape, begin, end, strides, masks, numpy index
    ((4, 4), [0, 1], [4, 4], [1, 2], {}, np.s_[0:4, 1:4:2]),
    ((4, 5), [3, 3], [0, 0], [-1, -2], {}, np.s_[3:0:-1, 3:0:-2]),
    ((4, 5), [3, 3], [-9, -9], [-1, -2], {}, np.s_[3::-1, 3::-2]),
    ((2, 3, 4), [0, 0, 0], [2, 2, -1], None, {}, np.s_[0:2, 0:2, 0:-1]),
    ((2, 3, 4), [1, 1, 1], [9, 9, 2], [1, 1, 1], {"begin_mask": [0, 1, 1], "end_mask": [1, 1, 0]},
     np.s_[1:, :, :2]),
    ((2, 3, 4), [5], [7], [1], {"begin_mask": [1], "end_mask": [1]}, np.s_[:]),
    ((2, 3, 4), [1], [2], [1], {}, np.s_[1:2]),
    ((4, 4), [-2, -9], [9, 2], [1, 1], {}, np.s_[-2:9, -9:2]),
    ((2, 4), [0, 0, 0, 0], [0, 2, 0, 4], [1, 1, 1, 1], {"new_axis_mask": [1, 0, 1, 0]},
     np.s_[None, 0:2, None, 0:4]),
    ((3, 4), [2, 0], [2, 4], [1, 1], {"shrink_axis_mask": [1, 0]}, np.s_[2, 0:4]),
    ((3, 4), [2, 0], [3, 4], [1, 2], {"shrink_axis_mask": [1, 0]}, np.s_[2, 0:4:2]),
    ((3, 4), [-1, -2], [0, 0], [1, 1], {"shrink_axis_mask": [1, 1]}, np.s_[-1, -2]),
    ((2, 3, 2, 3), [0, 0, 1], [1, 0, 3], [1, 1, 1], {"ellipsis_mask": [0, 1, 0]},
     np.s_[0:1, ..., 1:3]),
    ((2, 3, 4), [0, 1], [0, 3], [1, 1], {"ellipsis_mask": [1]}, np.s_[..., 1:3]),
    ((2, 3, 4), [1, 0], [2, 0], [1, 1], {"ellipsis_mask": [0, 1]}, np.s_[1:2, ...]),
    ((2, 3), [0, 0, 1], [1, 0, 3], [1, 1, 1], {"ellipsis_mask": [0, 1, 0]}, np.s_[0:1, ..., 1:3]),
    ((2, 3, 4), [0, 0, 0, 1], [0, 0, 0, 1], [1, 1, 1, 1],
     {"ellipsis_mask": [1], "new_axis_mask": [0, 1, 1], "shrink_axis_mask": [0, 0, 0, 1]},
     np.s_[..., None, None, 1]),
    ((2, 3, 4), [1, 0, 0], [1, 0, 0], [1, 1, 1],
     {"shrink_axis_mask": [1], "ellipsis_mask": [0, 1], "new_axis_mask": [0, 0, 1]},
     np.s_[1, ..., None]),
    # A mask may be shorter or longer than begin.
    ((3, 4), [1, 1], [2, 3], [1, 1], {"begin_mask": [1], "end_mask": [0, 1, 1, 1, 1]},
     np.s_[:2, 1:]),
    ((2, 4), [0, 3], [2, 1], [1, -1], {"begin_mask": [0, 1]}, np.s_[0:2, :1:-1]),
    ((0, 3), [0, 1], [5, 3], [1, 1], {}, np.s_[0:5, 1:3]),
]


def strided_slice():
    c = Case("StridedSlice", "numpy_indices")
    for shape, begin, end, strides, masks, index in STRIDED:
        x = c.distinct("f32", shape)
        operands = [Tensor("i64", begin), Tensor("i64", end)]
        operands += [Tensor("i64", strides)] if strides else []
        # Required ones are given as zeros where a case does not need them.
        attributes = {"begin_mask": [0] * len(begin), "end_mask": [0] * len(end), **masks}
        c.node([x, *operands], x.like(x.array[index]), attributes, "opset1")
    c = Case("StridedSlice", "types")
    for t in MOVED:
        x = c.values(t, (3, 6))
        c.node([x, Tensor("i32", [1, 5]), Tensor("i32", [3, 0]), Tensor("i32", [1, -2])],
               x.like(x.array[1:3, 5:0:-2]), {"begin_mask": [0, 0], "end_mask": [0, 0]}, "opset1")


def make():
    one_axis()
    several_axes()
    types()
    onnx()
    strided_slice()
