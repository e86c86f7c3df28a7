"""Data movement and shape manipulation, except the scatter family and windows."""

import itertools

import numpy as np

from case import INTEGERS, MOVED, NUMERIC, Case, Tensor

INDEX_TYPES = ["i64", "i32"]
AXIS_TYPES = ["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"]


def empty_ints(type_="i64"):
    return Tensor(type_, np.zeros(0))


def concat():
    c = Case("Concat", "types")
    for t in MOVED + ["string"]:
        a, b, d = c.values(t, (2, 1)), c.values(t, (2, 3)), c.values(t, (2, 2))
        c.node([a, b, d], a.like(np.concatenate([a.array, b.array, d.array], axis=1)), {"axis": 1})
    c = Case("Concat", "axes")
    for axis, shapes in ((0, [(1, 2), (3, 2)]), (-1, [(2, 1, 3), (2, 1, 2)]), (-3, [(1, 2, 2)] * 3),
                         (1, [(2, 0), (2, 3)]), (0, [(0, 3), (0, 3)]), (1, [(3, 2)]),
                         (2, [(2, 2, 1, 2), (2, 2, 3, 2), (2, 2, 2, 2)]), (0, [(0,), (2,), (0,)])):
        parts = [c.values("f32", s) for s in shapes]
        c.node(parts, Tensor("f32", np.concatenate([p.array for p in parts], axis=axis)),
               {"axis": axis})
    c = Case("Concat", "same_operand_twice")
    a = c.values("i32", (2, 2))
    c.node([a, a, a], a.like(np.concatenate([a.array] * 3, axis=0)), {"axis": 0})


def split():
    c = Case("Split", "axes")
    for shape, axis, count in (((4, 3), 0, 2), ((4, 3), 1, 3), ((4, 3), -1, 1), ((2, 6, 2), -2, 3),
                               ((0, 4), 1, 2), ((0, 4), 0, 2), ((5,), 0, 5)):
        x = c.distinct("f32", shape)
        parts = [x.like(p) for p in np.split(x.array, count, axis=axis)]
        c.node([x, Tensor("i64", axis)], parts, {"num_splits": count})
    c = Case("Split", "types")
    for t in MOVED:
        x = c.values(t, (3, 4))
        parts = [x.like(p) for p in np.split(x.array, 2, axis=1)]
        c.node([x, Tensor("i64", 1)], parts, {"num_splits": 2})
    c = Case("Split", "axis_types")
    x = c.distinct("i32", (2, 4))
    for t in AXIS_TYPES:
        parts = [x.like(p) for p in np.split(x.array, 2, axis=1)]
        c.node([x, Tensor(t, 1)], parts, {"num_splits": 2})


def variadic_split():
    c = Case("VariadicSplit", "lengths")
    for shape, axis, lengths in (((6, 2), 0, [1, 2, 3]), ((2, 6), -1, [4, 2]), ((6,), 0, [-1, 2]),
                                 ((2, 5), 1, [2, -1, 1]), ((6,), 0, [6]), ((4, 2), 0, [0, 3, 1]),
                                 ((4, 2), 0, [3, 1, -1]), ((0, 2), 0, [0, 0]), ((3,), 0, [-1])):
        x = c.distinct("f32", shape)
        full = [n if n >= 0 else shape[axis] - sum(m for m in lengths if m >= 0) for n in lengths]
        parts = [x.like(p) for p in np.split(x.array, np.cumsum(full)[:-1], axis=axis)]
        c.node([x, Tensor("i64", axis), c.i64(*lengths)], parts)
        c.node([x, Tensor("i64", [axis]), Tensor("i64", lengths)], parts)
    c = Case("VariadicSplit", "types")
    for t in MOVED:
        x = c.values(t, (2, 5))
        parts = [x.like(p) for p in np.split(x.array, [1, 3], axis=1)]
        c.node([x, Tensor("i32", 1), Tensor("i32", [1, 2, 2])], parts)


def tile():
    c = Case("Tile", "repeats")
    for shape, repeats in (((2, 3), [1, 2]), ((2, 3), [2, 1]), ((2, 3), [2, 2, 2]),
                           ((2, 2, 2), [2, 3]), ((2, 3), [0, 2]), ((3,), [3]), ((), [2]),
                           ((), [2, 2]), ((0, 2), [3, 2]), ((1, 1), [2, 3]), ((2,), [1])):
        x = c.distinct("f32", shape)
        c.node([x, c.i64(*repeats)], x.like(np.tile(x.array, repeats)))
    c.node([Tensor("f32", [1, 2]), empty_ints()], Tensor("f32", [1, 2]))
    c = Case("Tile", "types")
    for t in MOVED:
        x = c.values(t, (2, 3))
        c.node([x, Tensor("i32", [2, 2])], x.like(np.tile(x.array, (2, 2))))


def broadcast():
    for version in ("opset1", "opset3"):
        c = Case("Broadcast", f"numpy_{version}")
        for shape, target in (((3,), (2, 3)), ((2, 1), (2, 3)), ((), (2, 2)), ((1,), (3,)),
                              ((3, 1, 1), (1, 3, 2, 2)), ((2, 3), (2, 3)), ((1,), (0,)),
                              ((1, 3), (0, 3)), ((), ())):
            x = c.distinct("f32", shape)
            want = x.like(np.broadcast_to(x.array, target))
            c.node([x, Tensor("i64", np.array(target, np.int64))], want, {"mode": "numpy"}, version)
        c = Case("Broadcast", f"explicit_{version}")
        for shape, target, axes in (((2,), (3, 2, 2), [1]), ((2, 3), (2, 2, 3, 2), [1, 2]),
                                    ((2, 3), (2, 4, 3), [0, 2]), ((3,), (3, 2), [0]),
                                    ((2, 2), (2, 2), [0, 1])):
            x = c.distinct("f32", shape)
            seen = [1] * len(target)
            for size, axis in zip(shape, axes):
                seen[axis] = size
            want = x.like(np.broadcast_to(x.array.reshape(seen), target))
            c.node([x, Tensor("i64", target), c.i64(*axes)], want, {"mode": "explicit"}, version)
    c = Case("Broadcast", "bidirectional")
    for shape, target in (((5,), (1,)), ((2, 3), (3,)), ((3, 1), (3, 4)), ((3, 1), (2, 1, 3)),
                          ((2, 1, 3), (4, 1)), ((), (2,)), ((2, 1), (0,)), ((2, 2), (1, 1, 1))):
        x = c.distinct("f32", shape)
        want = np.broadcast_to(x.array, np.broadcast_shapes(shape, target))
        c.node([x, Tensor("i64", target)], x.like(want), {"mode": "bidirectional"}, "opset3")
    x = c.distinct("f32", (2, 2))
    c.node([x, empty_ints()], x, {"mode": "bidirectional"}, "opset3")
    c = Case("Broadcast", "types")
    for t in MOVED:
        x = c.values(t, (2, 1))
        c.node([x, Tensor("i32", [2, 2, 3])], x.like(np.broadcast_to(x.array, (2, 2, 3))))


def transpose():
    c = Case("Transpose", "orders")
    for order in itertools.permutations(range(3)):
        x = c.distinct("f32", (2, 3, 4))
        c.node([x, c.i64(*order)], x.like(x.array.transpose(order)))
    for shape, order in (((2, 3), None), ((2, 3, 4), None), ((3,), [0]), ((2, 0, 3), [2, 0, 1]),
                         ((2, 1, 3, 2), [3, 1, 0, 2]), ((2, 1, 2, 1, 3), [4, 2, 0, 3, 1])):
        x = c.distinct("f32", shape)
        c.node([x, empty_ints() if order is None else c.i64(*order)],
               x.like(x.array.transpose(order)))
    c.node([Tensor("f32", 5), empty_ints()], Tensor("f32", 5))
    c = Case("Transpose", "types")
    for t in MOVED + ["string"]:
        x = c.values(t, (2, 3))
        c.node([x, Tensor("i32", [1, 0])], x.like(x.array.T))


def roll():
    c = Case("Roll", "shifts")
    x = Tensor("i32", np.arange(1, 13).reshape(4, 3))
    for shift, axes in ((1, 0), ([-1, 2], [0, 1]), ([1, 2, 1], [0, 1, 0]), ([7], [-1]),
                        ([-9], [-2]), (2, [0, 1]), ([0], [0])):
        # A scalar shift goes for every axis; an axis named again shifts again.
        shifts = np.broadcast_to(shift, np.shape(np.atleast_1d(axes)))
        want = x.array
        for s, a in zip(shifts, np.atleast_1d(axes)):
            want = np.roll(want, s, axis=a)
        c.node([x, Tensor("i64", shift), Tensor("i64", axes)], x.like(want))
    for shape in ((0, 3), (1, 1), (2, 2, 3)):
        y = c.distinct("f32", shape)
        c.node([y, Tensor("i32", [1, -1]), Tensor("i32", [0, -1])],
               y.like(np.roll(np.roll(y.array, 1, 0), -1, -1)))
    c = Case("Roll", "types")
    for t in MOVED:
        y = c.values(t, (2, 5))
        c.node([y, Tensor("i64", 2), Tensor("i64", 1)], y.like(np.roll(y.array, 2, 1)))


def reverse():
    c = Case("Reverse", "index")
    for shape, axes in (((2, 3), [0]), ((2, 3), [1]), ((2, 3), [0, 1]), ((2, 2, 3), [2, 0]),
                        ((2, 3), []), ((0, 2), [1]), ((4,), [0])):
        x = c.distinct("f32", shape)
        axis = c.i64(*axes) if axes else empty_ints()
        c.node([x, axis], x.like(np.flip(x.array, tuple(axes))), {"mode": "index"})
    c = Case("Reverse", "mask")
    for shape, mask in (((2, 3), [1, 0]), ((2, 3), [0, 1]), ((2, 3), [0, 0]), ((2, 2, 2), [1, 1, 1])):
        x = c.distinct("f32", shape)
        axes = tuple(i for i, m in enumerate(mask) if m)
        c.node([x, Tensor("boolean", mask)], x.like(np.flip(x.array, axes)), {"mode": "mask"})
    c = Case("Reverse", "types")
    for t in MOVED:
        x = c.values(t, (2, 5))
        c.node([x, Tensor("i32", [1])], x.like(x.array[:, ::-1]), {"mode": "index"})


def reverse_sequence():
    c = Case("ReverseSequence", "axes")
    for shape, batch, seq in (((3, 4), 0, 1), ((4, 3), 1, 0), ((2, 3, 4), 0, 2), ((2, 3, 4), 2, 1),
                              ((2, 3, 4), -3, -1), ((2, 2, 3, 2), 1, 2)):
        x = c.distinct("f32", shape)
        batch_axis, seq_axis = batch % len(shape), seq % len(shape)
        lengths = c.rng.randint(1, shape[seq_axis] + 1, shape[batch_axis])
        want = x.array.copy()
        for at in np.ndindex(shape):
            source, n = list(at), lengths[at[batch_axis]]
            if at[seq_axis] < n:
                source[seq_axis] = n - 1 - at[seq_axis]
            want[at] = x.array[tuple(source)]
        for t in ("i64", "i32", "f32"):
            c.node([x, Tensor(t, lengths)], x.like(want), {"batch_axis": batch, "seq_axis": seq})


def non_zero():
    c = Case("NonZero", "types")
    for t in NUMERIC + ["boolean"]:
        x = c.ints(t, (2, 3), 0, 2)
        c.node([x], Tensor("i64", np.array(np.nonzero(x.array))), dynamic=True)
    for shape in ((4,), (2, 2, 3), (0, 3), (1, 1)):
        x = c.ints("i32", shape, -1, 2)
        for t in INDEX_TYPES:
            want = np.array(np.nonzero(x.array)).reshape(len(shape), -1)
            c.node([x], Tensor(t, want), {"output_type": t}, dynamic=True)


def one_hot():
    c = Case("OneHot", "axes")
    for shape, depth, axis in (((4,), 3, -1), ((2, 3), 3, 1), ((2, 3), 4, 0), ((2, 3), 2, -2),
                               ((), 3, 0), ((0,), 2, 1), ((2, 2), 1, 2)):
        for t in INDEX_TYPES:
            indices = c.ints(t, shape, 0, depth + 2)  # some are past the depth
            hot = np.moveaxis(indices.array[..., None] == np.arange(depth), -1, axis)
            c.node([indices, Tensor(t, depth), Tensor("f32", 1.5), Tensor("f32", -1)],
                   Tensor("f32", np.where(hot, 1.5, -1)), {"axis": axis}, "opset1")
    c = Case("OneHot", "negative")
    for shape, depth, axis in (((4,), 3, -1), ((2, 3), 3, 1), ((2, 3), 4, 0)):
        for mode in ("ignore-negative", "normalize"):
            indices = c.ints("i64", shape, -depth - 2, depth + 2)
            at = np.where(indices.array < 0, indices.array + depth, indices.array) if mode == "normalize" else indices.array
            hot = np.moveaxis(at[..., None] == np.arange(depth), -1, axis)
            c.node([indices, Tensor("i64", depth), Tensor("f32", 1.5), Tensor("f32", -1)],
                   Tensor("f32", np.where(hot, 1.5, -1)), {"axis": axis, "negative_indices_mode": mode}, "opset16")
    c.node([Tensor("i64", [0, -5, -2, 2]), Tensor("i64", 3), Tensor("f32", 1), Tensor("f32", 2)],
           Tensor("f32", [[1, 2, 2], [2, 2, 2], [2, 1, 2], [2, 2, 1]]), {"axis": -1, "negative_indices_mode": "normalize"},
           "opset16")
    c = Case("OneHot", "depth_types")
    for t in INTEGERS:
        for kind in INDEX_TYPES:
            c.node([Tensor(kind, [1, 0, 2]), Tensor(t, 3), Tensor("f32", 1), Tensor("f32", 0)],
                   Tensor("f32", np.eye(3)[[1, 0, 2]]), {"axis": 1}, "opset1")
    c = Case("OneHot", "types")
    for t in NUMERIC + ["boolean"]:
        indices = Tensor("i64", [1, 0, 2])
        want = np.where(np.eye(3)[[1, 0, 2]], 1, 0)
        c.node([indices, Tensor("i64", 3), Tensor(t, 1), Tensor(t, 0)], Tensor(t, want),
               {"axis": 1}, "opset1")


def pad_reference(x, begin, end, mode, value=0):
    """numpy pads by what is positive; what is negative is then cut off the result."""
    widths = [(max(b, 0), max(e, 0)) for b, e in zip(begin, end)]
    extra = {"constant_values": value} if mode == "constant" else {}
    y = np.pad(x, widths, mode=mode, **extra)
    window = tuple(slice(max(-b, 0), n - max(-e, 0)) for b, e, n in zip(begin, end, y.shape))
    return y[window]


PADS = [([0, 1], [2, 3]), ([1, 0], [0, 0]), ([0, 0], [0, 0]), ([2, 3], [2, 3])]
NEGATIVE_PADS = [([-1, -1], [-1, -1]), ([2, -1], [-1, 3]), ([-2, 1], [1, -3])]


def pad():
    table = Tensor("i32", np.arange(1, 13).reshape(3, 4))
    for mode in ("constant", "edge", "reflect", "symmetric"):
        for version in ("opset1", "opset12"):
            c = Case("Pad", f"{mode}_{version}")
            for begin, end in PADS + NEGATIVE_PADS:
                want = table.like(pad_reference(table.array, begin, end, mode))
                c.node([table, c.i64(*begin), c.i64(*end)], want, {"pad_mode": mode}, version)
            x = c.distinct("f32", (2, 2, 3))
            want = x.like(pad_reference(x.array, (1, 0, 1), (0, 1, 2), mode))
            c.node([x, Tensor("i32", [1, 0, 1]), Tensor("i32", [0, 1, 2])], want,
                   {"pad_mode": mode}, version)
    c = Case("Pad", "value")
    for t in NUMERIC:
        x, value = c.values(t, (2, 2)), c.values(t, ())
        want = pad_reference(x.array, (1, 0), (0, 2), "constant", value.array)
        c.node([x, c.i64(1, 0), c.i64(0, 2), value], x.like(want), {"pad_mode": "constant"})
    c = Case("Pad", "edges")
    for shape, begin, end in (((0,), [2], [1]), ((0, 2), [1, 0], [0, 1]), ((2, 3), [-2, 0], [0, 0]),
                              ((3,), [-1], [-2])):
        x = c.distinct("f32", shape)
        want = pad_reference(x.array, begin, end, "constant", 7)
        c.node([x, c.i64(*begin), c.i64(*end), Tensor("f32", 7)], x.like(want),
               {"pad_mode": "constant"})
    c.node([Tensor("f32", [1, 2]), c.i64(-3), c.i64(0)], Tensor("f32", np.zeros(0)),
           {"pad_mode": "constant"})


def gather_reference(data, indices, axis, batch, zero_outside=False):
    """The formula of the specification, one element at a time."""
    axis = axis % data.ndim
    batch = batch + indices.ndim if batch < 0 else batch
    shape = data.shape[:axis] + indices.shape[batch:] + data.shape[axis + 1:]
    out = np.zeros(shape, data.dtype)
    for at in np.ndindex(shape):
        mid = at[axis:axis + indices.ndim - batch]
        k = int(indices[at[:batch] + mid])
        inside = -data.shape[axis] <= k < data.shape[axis]
        if inside or not zero_outside:
            out[at] = data[at[:axis] + (k,) + at[axis + indices.ndim - batch:]]
    return out


def gather():
    c = Case("Gather", "axes")
    for shape, ishape, axis in (((5,), (3,), 0), ((3, 4), (2,), 0), ((3, 4), (2,), 1),
                                ((3, 4), (2, 2), -1), ((2, 3, 2), (), 1), ((3, 4), (0,), 0),
                                ((2, 3, 2), (1, 2), -3), ((3, 0), (2,), 0), ((4,), (), 0),
                                ((2, 3, 4), (2, 1, 2), 1)):
        data, indices = c.distinct("f32", shape), c.ints("i64", ishape, 0, shape[axis])
        want = data.like(gather_reference(data.array, indices.array, axis, 0))
        for version in ("opset1", "opset7", "opset8"):
            c.node([data, indices, Tensor("i64", axis)], want, None, version)
    c = Case("Gather", "batch_dims")
    for shape, ishape, axis, batch in (((2, 5), (2, 3), 1, 1), ((2, 2, 5), (2, 2, 3), 2, 2),
                                       ((2, 1, 5, 2), (2, 3), 2, 1), ((2, 5), (2, 3), 1, -1),
                                       ((2, 3), (2,), 1, 1), ((2, 3, 2), (2, 2, 2), -2, 1),
                                       ((2, 2, 3), (2, 2), -1, 2)):
        data, indices = c.distinct("f32", shape), c.ints("i64", ishape, 0, shape[axis])
        want = data.like(gather_reference(data.array, indices.array, axis, batch))
        for version in ("opset7", "opset8"):
            c.node([data, indices, Tensor("i64", axis)], want, {"batch_dims": batch}, version)
    c = Case("Gather", "negative_and_outside")
    data = Tensor("i32", [1, 2, 3, 4, 5])
    for indices, want in (([0, -2, -1], [1, 4, 5]), ([3, 10, -20], [4, 0, 0]),
                          ([-5, 4, 5, -6], [1, 5, 0, 0])):
        c.node([data, Tensor("i32", indices), Tensor("i32", 0)], Tensor("i32", want), None, "opset8")
    for version in ("opset1", "opset7"):
        for shape, ishape, axis in (((5,), (7,), 0), ((3, 4), (2, 3), 1), ((2, 3, 2), (), -2)):
            data, indices = c.distinct("f32", shape), c.ints("i32", ishape, -shape[axis], shape[axis])
            c.node([data, indices, Tensor("i64", axis)],
                   data.like(gather_reference(data.array, indices.array, axis, 0)), None, version)
    data, indices = c.distinct("f32", (2, 3, 2)), Tensor("i64", [2, -3, 3, -4])
    want = gather_reference(data.array, indices.array, 1, 0, True)
    c.node([data, indices, Tensor("i64", [1])], data.like(want), None, "opset8")
    c = Case("Gather", "types")
    for t in MOVED + ["string"]:
        data, indices = c.values(t, (3, 5)), c.ints("i64", (4,), 0, 5)
        c.node([data, indices, Tensor("i64", 1)], data.like(data.array[:, indices.array]))
    c = Case("Gather", "index_types")
    for t in AXIS_TYPES:
        data, indices = c.distinct("f32", (3, 2)), c.ints(t, (4,), 0, 3)
        c.node([data, indices, Tensor(t, 0)], data.like(data.array[indices.array.astype(int)]))


def gather_elements():
    c = Case("GatherElements", "axes")
    for shape, size, axis in (((2, 2), 2, 0), ((2, 2), 3, 1), ((3, 3), 2, 0), ((2, 3, 2), 5, 1),
                              ((2, 3, 2), 1, -1), ((4,), 6, 0), ((2, 3), 0, 1), ((0, 3), 2, 1)):
        data = c.distinct("f32", shape)
        ishape = list(shape)
        ishape[axis] = size
        for t in INDEX_TYPES:
            indices = c.ints(t, ishape, 0, shape[axis])
            want = np.take_along_axis(data.array, indices.array.astype(np.int64), axis)
            c.node([data, indices], data.like(want), {"axis": axis})
    c = Case("GatherElements", "from_the_end")
    for shape, size, axis in (((3, 2), 4, 0), ((2, 5), 7, 1), ((2, 3, 2), 5, -2)):
        data, ishape = c.distinct("f32", shape), list(shape)
        ishape[axis] = size
        for t in INDEX_TYPES:
            indices = c.ints(t, ishape, -shape[axis], shape[axis])
            at = indices.array.astype(np.int64) % shape[axis]
            c.node([data, indices], data.like(np.take_along_axis(data.array, at, axis)), {"axis": axis})
    c = Case("GatherElements", "types")
    for t in MOVED:
        data, indices = c.values(t, (2, 5)), c.ints("i64", (2, 3), 0, 5)
        c.node([data, indices], data.like(np.take_along_axis(data.array, indices.array, 1)),
               {"axis": 1})


def gather_nd_reference(data, indices, batch):
    k = indices.shape[-1]
    shape = indices.shape[:-1] + data.shape[batch + k:]
    out = np.zeros(shape, data.dtype)
    for at in np.ndindex(indices.shape[:-1]):
        out[at] = data[at[:batch] + tuple(int(i) for i in indices[at])]
    return out


def nd_indices(case, data_shape, lead, k, batch=0, negative=False):
    parts = [case.rng.randint(-s if negative else 0, s, lead) for s in data_shape[batch:batch + k]]
    return Tensor("i64", np.stack(parts, axis=-1))


def gather_nd():
    c = Case("GatherND", "tuples")
    for shape, lead, k in (((2, 2), (2,), 2), ((2, 2), (2,), 1), ((2, 2), (2, 1), 1),
                           ((2, 3, 4), (3,), 2), ((2, 3, 4), (2, 2), 3), ((4,), (3,), 1),
                           ((3, 2), (0,), 1), ((3, 0), (2,), 1)):
        data, indices = c.distinct("f32", shape), nd_indices(c, shape, lead, k)
        want = data.like(gather_nd_reference(data.array, indices.array, 0))
        for version in ("opset5", "opset8"):
            c.node([data, indices], want, None, version)
    data = c.distinct("f32", (2, 3))
    c.node([data, c.i64(1, 2)], data.like(data.array[1, 2]), None, "opset8")
    c.node([data, c.i64(1)], data.like(data.array[1]), None, "opset8")
    c = Case("GatherND", "batch_dims")
    for shape, lead, k, batch in (((2, 2), (2,), 1, 1), ((2, 3, 4), (2,), 1, 1),
                                  ((2, 3, 4), (2, 3, 1), 1, 2), ((1, 2, 2, 4), (1, 2, 2), 1, 3),
                                  ((2, 3, 4), (2, 5), 2, 1), ((2, 2, 3, 2), (2, 2, 2), 1, 2)):
        data, indices = c.distinct("f32", shape), nd_indices(c, shape, lead, k, batch)
        want = gather_nd_reference(data.array, indices.array, batch)
        c.node([data, indices], data.like(want), {"batch_dims": batch}, "opset8")
        # Version 5 multiplies the batch dimensions into one.
        flat = want.reshape((int(np.prod(want.shape[:batch])),) + want.shape[batch:])
        c.node([data, indices], data.like(flat), {"batch_dims": batch}, "opset5")
    # "Either equal or one of them equals 1, which will be broadcast to the other dimension."
    c = Case("GatherND", "batch_of_one")
    for shape, lead, batch in (((1, 3), (2,), 1), ((2, 3), (1,), 1), ((1, 2, 3), (2, 2, 4), 2), ((2, 1, 3), (1, 2), 2)):
        data, indices = c.distinct("f32", shape), nd_indices(c, shape, lead, 1, batch)
        both = np.broadcast_shapes(shape[:batch], lead[:batch])
        want = gather_nd_reference(np.broadcast_to(data.array, both + shape[batch:]),
                                   np.broadcast_to(indices.array, both + indices.shape[batch:]), batch)
        c.node([data, indices], data.like(want), {"batch_dims": batch}, "opset8")
    c = Case("GatherND", "negative")
    for shape, lead, k in (((3, 4), (5,), 2), ((3, 4, 2), (4,), 1), ((5,), (6,), 1)):
        data, indices = c.distinct("f32", shape), nd_indices(c, shape, lead, k, 0, True)
        want = data.like(gather_nd_reference(data.array, indices.array, 0))
        for version in ("opset5", "opset8"):
            c.node([data, indices], want, None, version)
    c = Case("GatherND", "types")
    for t in MOVED:
        data, indices = c.values(t, (3, 5)), nd_indices(c, (3, 5), (4,), 2)
        c.node([data, indices], data.like(gather_nd_reference(data.array, indices.array, 0)))


def gather_tree_reference(steps, parents, lengths, end):
    """The pseudocode of the page."""
    final = np.full(steps.shape, end, steps.dtype)
    for batch in range(steps.shape[1]):
        for beam in range(steps.shape[2]):
            longest = min(steps.shape[0], int(lengths[batch]))
            if longest <= 0:
                continue
            parent = int(parents[longest - 1, batch, beam])
            final[longest - 1, batch, beam] = steps[longest - 1, batch, beam]
            for level in reversed(range(longest - 1)):
                final[level, batch, beam] = steps[level, batch, parent]
                parent = int(parents[level, batch, parent])
            finished = False
            for time in range(longest):
                if finished:
                    final[time, batch, beam] = end
                elif final[time, batch, beam] == end:
                    finished = True
    return final


def gather_tree():
    for t in NUMERIC:
        c = Case("GatherTree", t)
        for shape, lengths, end in (((4, 2, 3), [4, 3], 9), ((5, 1, 4), [7], 2), ((3, 2, 2), [0, 1], 1), ((2, 0, 3), [], 0)):
            steps, parents = c.ints(t, shape, 0, 10), c.ints(t, shape, 0, shape[2])
            y = gather_tree_reference(steps.array, parents.array, lengths, end)
            c.node([steps, parents, Tensor(t, lengths), Tensor(t, end)], Tensor(t, y))


def batches_reference(x, block, begin, end):
    """SpaceToBatch-2: the page's reshape and transpositions. The axis of batches stands in front of axes 1, 3, ..."""
    x = np.pad(x, list(zip(begin, end)))
    n, k = x.shape[0], x.ndim - 1
    split = x.reshape([n] + [s for d, b in zip(x.shape[1:], block[1:]) for s in (d // b, b)])
    order = [2 * i + 2 for i in range(k)] + [0] + [2 * i + 1 for i in range(k)]
    return split.transpose(order).reshape([-1 if x.size else n * int(np.prod(block))]
                                          + [d // b for d, b in zip(x.shape[1:], block[1:])])


def space_reference(x, block, begin, end):
    """BatchToSpace-2, as its page has it."""
    k, n = x.ndim - 1, x.shape[0] // int(np.prod(block))
    split = x.reshape([*block[1:], n, *x.shape[1:]])
    order = [k] + [a for i in range(k) for a in (k + 1 + i, i)]
    y = split.transpose(order).reshape([n] + [d * b for d, b in zip(x.shape[1:], block[1:])])
    return y[tuple(slice(b, d - e) for d, b, e in zip(y.shape, begin, end))]


BATCHED = (((10, 2), [1, 5], [0, 2], [0, 0]), ((48, 3, 3, 1, 3), [1, 2, 4, 3, 1], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0]),
           ((4, 2, 3), [1, 2, 2], [0, 1, 0], [0, 0, 3]), ((3, 4), [1, 1], [0, 0], [0, 0]), ((4, 2), [1, 2], [0, 4], [0, 0]))
SPREAD = (((2, 6, 10, 3, 3), [1, 2, 4, 3, 1], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0]), ((1, 5), [1, 3], [0, 2], [0, 2]),
          ((2, 4, 3), [1, 2, 3], [0, 0, 0], [0, 2, 0]), ((0, 4), [1, 2], [0, 0], [0, 0]), ((2, 0), [1, 2], [0, 1], [0, 3]))


def batches():
    for op, rows, reference in (("BatchToSpace", BATCHED, space_reference), ("SpaceToBatch", SPREAD, batches_reference)):
        c = Case(op, "shapes")
        for shape, block, begin, end in rows:
            x = c.distinct("f32", shape)
            c.node([x, c.i64(*block), c.i64(*begin), c.i64(*end)], x.like(reference(x.array, block, begin, end)))
        shape, block, begin, end = rows[2]
        c = Case(op, "types")
        for t in MOVED + ["string"]:
            x = c.values(t, shape)
            y = reference(x.array.astype(object), block, begin, end)
            if t == "string":
                y = np.where(y == 0, "", y)
            c.node([x, c.i64(*block), c.i64(*begin), c.i64(*end)], x.like(y))
        c = Case(op, "list_types")
        for t in INTEGERS:
            x = c.distinct("f32", shape)
            c.node([x, Tensor(t, block), Tensor(t, begin), Tensor(t, end)], x.like(reference(x.array, block, begin, end)))


def shuffle_channels():
    c = Case("ShuffleChannels", "axes")
    for shape, axis, group in (((2, 6, 2), 1, 3), ((2, 6, 2), 1, 2), ((6,), 0, 2), ((2, 3, 4), -1, 2), ((2, 1, 3), -2, 1),
                               ((4, 0), 0, 2)):
        x = c.distinct("f32", shape)
        size = shape[axis]
        at = axis % len(shape)
        split = x.array.reshape([*shape[:at], group, size // group, *shape[at + 1:]])
        c.node([x], x.like(split.swapaxes(at, at + 1).reshape(shape)), {"axis": axis, "group": group})
    c = Case("ShuffleChannels", "types")
    for t in MOVED + ["string"]:
        x = c.values(t, (1, 4, 3))
        c.node([x], x.like(x.array[:, [0, 2, 1, 3]]), {"group": 2})


def range_():
    c = Case("Range", "numbers")
    for start, stop, step, t in ((2, 23, 3, "i32"), (23, 2, -3, "i32"), (1, 2.5, 0.5, "f32"),
                                 (0, 5, 1, "i64"), (5, 0, 1, "i64"), (0, 0, 1, "i32"),
                                 (0, 5, -1, "f32"), (-3, 3, 2, "i8"), (3, 10, 7, "u8"),
                                 (0, 1, 0.25, "f16"), (1, -1, -0.5, "bf16"), (0, 1, 2, "f64")):
        kind = "f32" if t in ("f16", "bf16", "f32", "f64") else "i64"
        # "max(ceil((stop - start) / step), 0)"
        n = max(int(np.ceil((stop - start) / step)), 0)
        want = Tensor(t, start + step * np.arange(n))
        operands = [Tensor(kind, v) for v in (start, stop, step)]
        c.node(operands, want, {"output_type": t}, "opset4")
        if t not in ("f16", "bf16"):
            c.node([Tensor(t, v) for v in (start, stop, step)], want,
                   {"output_type": t}, "opset4")
            c.node([Tensor(t, v) for v in (start, stop, step)], want, None, "opset1")
    c = Case("Range", "sums")  # each is the one before it and the step, rounded
    for start, step in ((0, 0.1), (0.3, 0.1), (-0.0, 0.25), (1e16, 1)):
        want = np.cumsum([start] + 9 * [step])
        operands = [Tensor("f64", v) for v in (start, start + 9.5 * step, step)]
        c.node(operands, Tensor("f64", want[:max(int(np.ceil((operands[1].array - start) / step)), 0)]),
               {"output_type": "f64"}, "opset4")


def squeeze():
    for version in ("opset1", "opset15"):
        c = Case("Squeeze", f"axes_{version}")
        for shape, axes in (((1, 3, 1, 2), [0, 2]), ((1, 3, 1, 2), [-2]), ((1, 3, 1, 2), None),
                            ((1,), [0]), ((1, 1), None), ((2, 3), None), ((1, 0, 1), [0]),
                            ((1, 2, 1), [-1, 0])):
            x = c.distinct("f32", shape)
            chosen = axes if axes is not None else [i for i, n in enumerate(shape) if n == 1]
            want = x.like(np.squeeze(x.array, tuple(a % len(shape) for a in chosen)))
            c.node([x] if axes is None else [x, c.i64(*axes)], want, None, version)
        x = c.distinct("f32", (2, 1))
        c.node([x, Tensor("i32", 1)], x.like(x.array[:, 0]), None, version)
    c = Case("Squeeze", "skips_other_sizes")
    # Version 15: a dimension that is not 1 "will be ignored and copied as is".
    x = c.distinct("f32", (1, 3, 1))
    c.node([x, c.i64(0, 1)], x.like(x.array.reshape(3, 1)), None, "opset15")


def unsqueeze():
    c = Case("Unsqueeze", "axes")
    for shape, axes in (((2, 3), [0, 3]), ((), [0]), ((3,), [-1]), ((2, 3), [1]), ((2,), [0, -1]),
                        ((2, 0), [1]), ((2, 3), [-4, -1]), ((), [0, 1])):
        x = c.distinct("f32", shape)
        c.node([x, c.i64(*axes)], x.like(np.expand_dims(x.array, tuple(axes))))
    x = c.distinct("f32", (2, 3))
    c.node([x, Tensor("i32", 1)], x.like(x.array[:, None]))


def reshape():
    c = Case("Reshape", "patterns")
    for shape, pattern, zero, result in (
            ((2, 5, 0), [0, 4], False, (0, 4)), ((2, 3, 4), [0, -1, 2], True, (2, 6, 2)),
            ((2, 2, 3), [0, 0, 1, -1], True, (2, 2, 1, 3)), ((3, 1, 1), [-1, 0], True, (3, 1)),
            ((3, 1, 1), [0, -1], True, (3, 1)), ((2, 6), [3, 4], False, (3, 4)),
            ((2, 6), [-1], False, (12,)), ((6,), [2, -1, 1], False, (2, 3, 1)),
            ((1,), [1, 1, 1], False, (1, 1, 1)), ((0, 3), [3, 0], False, (3, 0)),
            ((2, 0), [0, 0], True, (2, 0)), ((), [1], False, (1,)), ((4, 2), [0, 0], True, (4, 2))):
        x = c.distinct("f32", shape)
        c.node([x, c.i64(*pattern)], x.like(x.array.reshape(result)), {"special_zero": zero})
    c.node([Tensor("f32", [[7]]), empty_ints()], Tensor("f32", 7), {"special_zero": False})
    c = Case("Reshape", "types")
    for t in MOVED + ["string"]:
        x = c.values(t, (3, 5))
        c.node([x, Tensor("i32", [5, 3])], x.like(x.array.reshape(5, 3)), {"special_zero": False})
    c = Case("Reshape", "pattern_types")
    for t in INTEGERS:
        x = c.distinct("f32", (2, 3))
        c.node([x, Tensor(t, [3, 2])], x.like(x.array.reshape(3, 2)), {"special_zero": False})


def identity():
    c = Case("Identity", "types")
    for t in MOVED + ["string"]:
        x = c.values(t, (2, 3))
        c.node([x], x)
    for shape in ((), (0, 2)):
        x = c.distinct("f32", shape)
        c.node([x], x)


def search_types():
    """Numbers that a conversion would make equal, and NaN."""
    c = Case("Bucketize", "numbers")
    c.node([Tensor("u64", [2**64 - 1, 2**63, 1]), Tensor("i64", [-1, 2**63 - 1])], Tensor("i64", [2, 2, 1]))
    c.node([Tensor("i64", [2**62 + 1, -1]), Tensor("i64", [-1, 2**62, 2**62 + 1])], Tensor("i64", [2, 0]))
    c.node([Tensor("f32", [np.nan, np.inf, -0.0]), Tensor("f32", [0, 1])], Tensor("i64", [2, 2, 0]))
    c.node([Tensor("f32", [3.5, 1]), Tensor("i32", [1, 3])], Tensor("i64", [2, 0]))


def search():
    c = Case("Bucketize", "bounds")
    for right in (True, False):
        for kind in INDEX_TYPES:
            x = Tensor("f32", [[3, 50], [10, -1]])
            y = np.searchsorted([0, 5, 10], x.array, side="left" if right else "right")
            c.node([x, Tensor("f32", [0, 5, 10])], Tensor(kind, y), {"with_right_bound": right, "output_type": kind})
    c.node([Tensor("f32", [1, 2]), Tensor("f32", np.zeros(0))], Tensor("i64", [0, 0]))
    search_types()
    for t in NUMERIC:
        x, buckets = Case("Bucketize", t), Tensor(t, [1, 4, 5, 90])
        values = x.ints(t, (3, 4), 0, 100)
        x.node([values, buckets], Tensor("i64", np.searchsorted(buckets.array, values.array)))
        c = Case("SearchSorted", t)
        rows = Tensor(t, [[1, 3, 3, 7], [2, 2, 4, 9]])
        values = c.ints(t, (2, 5), 0, 10)
        for right in (True, False):
            side = "right" if right else "left"
            found = [np.searchsorted(r, v, side=side) for r, v in zip(rows.array, values.array)]
            c.node([rows, values], Tensor("i64", found), {"right": right})
            flat = np.searchsorted(rows.array[0], values.array, side=side)
            c.node([Tensor(t, rows.array[0]), values], Tensor("i64", flat), {"right": right})
    c = Case("SearchSorted", "many")
    rows, values = c.ints("i32", (2, 21), -9, 9), c.ints("i32", (2, 37), -10, 10)
    rows = rows.like(np.sort(rows.array))
    for right in (True, False):
        found = [np.searchsorted(r, v, "right" if right else "left") for r, v in zip(rows.array, values.array)]
        c.node([rows, values], Tensor("i64", found), {"right": right})


def shape_of():
    c = Case("ShapeOf", "shapes")
    for shape in ((2, 3), (), (0, 4), (1, 2, 3, 4)):
        x = c.distinct("f32", shape)
        dims = np.array(shape, np.int64)
        c.node([x], Tensor("i64", dims), None, "opset1")
        c.node([x], Tensor("i64", dims), None, "opset3")
        for t in INDEX_TYPES:
            c.node([x], Tensor(t, dims), {"output_type": t}, "opset3")


def make():
    for f in (concat, split, variadic_split, tile, broadcast, transpose, roll, reverse,
              reverse_sequence, non_zero, one_hot, pad, gather,
              gather_elements, gather_nd, gather_tree, batches, shuffle_channels, range_, squeeze, unsqueeze, reshape, identity, search,
              shape_of):
        f()
