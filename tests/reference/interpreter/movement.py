"""Operations that move elements, and those that change shapes."""

import numpy as np

from .operands import (axes_of, axis_of, broadcast_shape, every_index, filled, index_of, integer,
                       integers, joined_slack, stretch, take)
from .registry import Unsupported, check, operation
from .tensor import Tensor


# ---- windows ----


def positions(size, start, stop, step):
    """Which positions one axis of a slice takes, in order.

    Negative bounds count from the end. Going forward, what is taken begins at the first position
    not below start; going backward at start, held to [0, size - 1] (so says the page of ONNX, which
    differs from Python where start is below -size)."""
    check(step != 0, "step is 0")
    start = start + size if start < 0 else start
    stop = stop + size if stop < 0 else stop
    if step > 0:
        first = max(start, 0)
        return [i for i in range(size) if first <= i < stop and (i - first) % step == 0]
    first = min(max(start, 0), size - 1)
    return [i for i in reversed(range(size)) if stop < i <= first and (first - i) % -step == 0]


def selection(shape, start, stop, step, axes=None):
    """The positions that Slice and SliceScatter take, a list for each axis."""
    rank = len(shape)
    check(rank >= 1, "data has rank 0")
    axes = list(range(len(start))) if axes is None else axes
    check(len(start) == len(stop) == len(step) == len(axes), "lists of different lengths")
    check(len(axes) <= rank, "more entries than axes")
    selected = [list(range(n)) for n in shape]
    for i, axis in enumerate(axes_of(axes, rank)):
        selected[axis] = positions(shape[axis], start[i], stop[i], step[i])
    return selected


@operation("Slice", "opset8")
def slice_8(node, data, start, stop, step, axes=None):
    axes = None if axes is None else integers(axes)
    return take(data, selection(data.shape, integers(start), integers(stop), integers(step), axes))


@operation("SliceScatter", "opset15")
def slice_scatter_15(node, data, updates, start, stop, step, axes=None):
    axes = None if axes is None else integers(axes)
    selected = selection(data.shape, integers(start), integers(stop), integers(step), axes)
    check(updates.shape == tuple(len(s) for s in selected), f"updates have shape {updates.shape}")
    out = data.array.copy()
    for index in every_index(updates.shape):
        out[tuple(selected[axis][i] for axis, i in enumerate(index))] = updates.array[index]
    return Tensor(data.type, out, joined_slack(data, updates))


@operation("Slice", "onnx1")
def onnx_slice_1(node, data):
    starts, ends = node.integers("starts"), node.integers("ends")
    axes = node.integers("axes") if node.has("axes") else None
    return take(data, selection(data.shape, starts, ends, [1] * len(starts), axes))


@operation("Slice", "onnx10", "onnx11", "onnx13")
def onnx_slice_10(node, data, starts, ends, axes=None, steps=None):
    start = integers(starts)
    step = integers(steps) if steps is not None else [1] * len(start)
    axes = None if axes is None else integers(axes)
    return take(data, selection(data.shape, start, integers(ends), step, axes))


def mask_bit(node, name, i):
    mask = node.integers(name)
    return i < len(mask) and mask[i] != 0


@operation("StridedSlice", "opset1")
def strided_slice_1(node, data, begin, end, stride=None):
    """Where the page and its examples part (end_mask going backward), it is as array[begin::-1]."""
    begin, end = integers(begin), integers(end)
    stride = [1] * len(begin) if stride is None else integers(stride)
    check(len(begin) == len(end) == len(stride), "lists of different lengths")
    steps = range(len(begin))
    ellipses = [i for i in steps if mask_bit(node, "ellipsis_mask", i)]
    added = [i for i in steps if mask_bit(node, "new_axis_mask", i) and i not in ellipses]
    check(len(ellipses) <= 1, "two ellipses")
    skipped = data.rank - (len(begin) - len(added) - len(ellipses))
    check(skipped >= 0, "more entries than axes")
    out, axis, shape = data, 0, []
    for i in steps:
        if i in ellipses:
            shape += data.shape[axis:axis + skipped]
            axis += skipped
        elif i in added:
            shape.append(1)
        else:
            taken = strided_step(node, i, data.shape[axis], begin[i], end[i], stride[i])
            out = take(out, [taken if a == axis else range(n) for a, n in enumerate(out.shape)])
            shape += [] if mask_bit(node, "shrink_axis_mask", i) else [len(taken)]
            axis += 1
    return out.like(out.array.reshape(shape + list(data.shape[axis:])))


def strided_step(node, i, size, begin, end, stride):
    if mask_bit(node, "shrink_axis_mask", i):
        return [index_of(0 if mask_bit(node, "begin_mask", i) else begin, size)]
    check(stride != 0, "stride is 0")
    if mask_bit(node, "begin_mask", i):
        begin = 0 if stride > 0 else max(size - 1, 0)
    if mask_bit(node, "end_mask", i):
        end = size if stride > 0 else -size - 1
    return positions(size, begin, end, stride)


# ---- parts and joins ----


@operation("Concat", "opset1")
def concat_1(node, *tensors):
    axis = axis_of(node.integer("axis"), tensors[0].rank)
    for t in tensors:
        check(t.rank == tensors[0].rank and t.type == tensors[0].type, "operands differ")
        check(all(t.shape[i] == n for i, n in enumerate(tensors[0].shape) if i != axis), "sizes differ")
    return Tensor(tensors[0].type, np.concatenate([t.array for t in tensors], axis),
                  joined_slack(*tensors))


def parts(data, axis, lengths):
    made, at = [], 0
    for n in lengths:
        made.append(take(data, [range(at, at + n) if a == axis else range(size)
                                for a, size in enumerate(data.shape)]))
        at += n
    return made


@operation("Split", "opset1")
def split_1(node, data, axis):
    axis, n = axis_of(integer(axis), data.rank), node.integer("num_splits")
    check(n > 0 and data.shape[axis] % n == 0, f"{data.shape[axis]} is not divisible by {n}")
    return parts(data, axis, [data.shape[axis] // n] * n)


@operation("VariadicSplit", "opset1")
def variadic_split_1(node, data, axis, split_lengths):
    axis, lengths = axis_of(integer(axis), data.rank), integers(split_lengths)
    check(all(n >= -1 for n in lengths) and lengths.count(-1) <= 1, f"lengths {lengths}")
    if -1 in lengths:
        lengths[lengths.index(-1)] = data.shape[axis] - sum(n for n in lengths if n >= 0)
    check(all(n >= 0 for n in lengths) and sum(lengths) == data.shape[axis], f"lengths {lengths}")
    return parts(data, axis, lengths)


# ---- shapes ----


def product(sizes):
    made = 1
    for n in sizes:
        made *= n
    return made


@operation("Reshape", "opset1")
def reshape_1(node, data, shape):
    """An axis that is copied does not count for the -1; beside another 0 the -1 is 0."""
    want = integers(shape)
    check(all(n >= -1 for n in want) and want.count(-1) <= 1, f"shape {want}")
    copied = [i for i, n in enumerate(want) if n == 0] if node.boolean("special_zero") else []
    check(all(i < data.rank for i in copied), "0 beyond the rank")
    if -1 in want:
        have = product(n for i, n in enumerate(data.shape) if i not in copied)
        known = product(n for i, n in enumerate(want) if i not in copied and n != -1)
        check(have % known == 0 if known else have == 0, f"{data.shape} does not fit {want}")
        want[want.index(-1)] = have // known if known else 0
    want = [data.shape[i] if i in copied else n for i, n in enumerate(want)]
    check(product(want) == data.array.size, f"{data.shape} does not fit {want}")
    return data.like(data.array.reshape(want))


@operation("Squeeze", "opset1", "opset15")
def squeeze(node, data, axes=None):
    """An axis of another size than 1 stays, as OpenVINO's documents say since 2024.3, of Squeeze-1 too."""
    gone = [i for i, n in enumerate(data.shape) if n == 1]
    if axes is not None and axes.array.size > 0:
        asked = {axis_of(a, data.rank) for a in integers(axes)}
        gone = [i for i in gone if i in asked]
    return data.like(data.array.reshape([n for i, n in enumerate(data.shape) if i not in gone]))


@operation("Unsqueeze", "opset1")
def unsqueeze_1(node, data, axes):
    asked = integers(axes)
    rank = data.rank + len(asked)
    new, sizes = axes_of(asked, rank), iter(data.shape)
    return data.like(data.array.reshape([1 if i in new else next(sizes) for i in range(rank)]))


@operation("Transpose", "opset1")
def transpose_1(node, data, input_order):
    order = integers(input_order) or list(reversed(range(data.rank)))
    check(sorted(order) == list(range(data.rank)), f"order {order}")
    return data.like(np.transpose(data.array, order))


@operation("ShapeOf", "opset1", "opset3")
def shape_of(node, data):
    return Tensor(node.text("output_type", "i64"), np.array(data.shape, np.int64))


# ---- repeating ----


@operation("Tile", "opset1")
def tile_1(node, data, repeats):
    times = integers(repeats)
    check(all(n >= 0 for n in times), f"repeats {times}")
    rank = max(data.rank, len(times))
    times = [1] * (rank - len(times)) + times
    array = data.array.reshape((1,) * (rank - data.rank) + data.shape)
    for axis, n in enumerate(times):
        array = np.concatenate([array] * n, axis) if n else array[(slice(None),) * axis + ([],)]
    return data.like(array)


def broadcast(node, data, target, axes_mapping, modes):
    mode = node.text("mode", "numpy")
    if mode not in modes:
        raise Unsupported(f"mode {mode}")
    check(all(n >= 0 for n in target), f"target {target}")
    if mode == "bidirectional":
        return data.like(stretch(data.array, broadcast_shape(data.shape, target)))
    if mode == "explicit":
        axes = integers(axes_mapping)
        data = data.like(data.array.reshape(1)) if data.rank == 0 and len(axes) == 1 else data
        check(len(axes) == data.rank and all(0 <= a < len(target) for a in axes), f"axes {axes}")
        check(axes == sorted(set(axes)), f"axes {axes} are not sorted")
        shape = [1] * len(target)
        for axis, n in zip(axes, data.shape):
            shape[axis] = n
        return data.like(stretch(data.array.reshape(shape), target))
    check(data.rank <= len(target), "the target has a lower rank")
    return data.like(stretch(data.array, target))


@operation("Broadcast", "opset1")
def broadcast_1(node, data, target_shape, axes_mapping=None):
    return broadcast(node, data, integers(target_shape), axes_mapping, ("numpy", "explicit"))


@operation("Broadcast", "opset3")
def broadcast_3(node, data, target_shape, axes_mapping=None):
    modes = ("numpy", "explicit", "bidirectional")
    return broadcast(node, data, integers(target_shape), axes_mapping, modes)


def reflected(i, size, mode):
    """Which position stands for position I of the padded axis, or None for the pad value."""
    if 0 <= i < size:
        return i
    if mode == "constant":
        return None
    if mode == "edge":
        return 0 if i < 0 else size - 1
    twice = 1 if mode == "symmetric" else 0  # the edge itself is repeated
    return -i - twice if i < 0 else 2 * (size - 1) - i + twice


@operation("Pad", "opset1", "opset12")
def pad_12(node, data, pads_begin, pads_end, pad_value=None):
    """Pad-1 crops too."""
    mode, begin, end = node.text("pad_mode"), integers(pads_begin), integers(pads_end)
    check(len(begin) == len(end) == data.rank, "lists of another length than the rank")
    value = 0 if pad_value is None else pad_value.array.reshape(-1)[0]
    out, most = data.array, {"reflect": -1, "symmetric": 0}.get(mode)
    for axis, n in enumerate(data.shape):
        wider = begin[axis] > 0 or end[axis] > 0
        check(most is None or max(begin[axis], end[axis]) <= max(n + most, 0), "a pad is too wide")
        check(mode == "constant" or n > 0 or not wider, "nothing to repeat")
        source = [reflected(i, n, mode) for i in range(-begin[axis], n + end[axis])]
        columns = [filled(data.type, out.shape[:axis] + (1,) + out.shape[axis + 1:], value)
                   if s is None else np.take(out, [s], axis) for s in source]
        nothing = np.take(out, np.array([], np.int64), axis)
        out = np.concatenate([nothing] + columns, axis)
    return Tensor(data.type, out, joined_slack(data, pad_value))


# ---- orders ----


@operation("Reverse", "opset1")
def reverse_1(node, data, axis):
    if node.text("mode") == "mask":
        check(axis.shape == (data.rank,), "the mask has another length than the rank")
        turned = [i for i, bit in enumerate(axis.array) if bit]
    else:
        turned = axes_of(integers(axis), data.rank)
    return take(data, [list(reversed(range(n))) if i in turned else range(n)
                       for i, n in enumerate(data.shape)])


@operation("ReverseSequence", "opset1")
def reverse_sequence_1(node, data, seq_lengths):
    check(data.rank >= 2, "data has a rank below 2")
    batch = axis_of(node.integer("batch_axis", 0), data.rank)
    seq = axis_of(node.integer("seq_axis", 1), data.rank)
    lengths = integers(seq_lengths)
    check(batch != seq and seq_lengths.shape == (data.shape[batch],), "seq_lengths does not fit")
    check(all(1 <= n <= data.shape[seq] for n in lengths), f"lengths {lengths}")
    out = data.array.copy()
    for index in every_index(data.shape):
        n, at = lengths[index[batch]], list(index)
        at[seq] = n - 1 - index[seq] if index[seq] < n else index[seq]
        out[index] = data.array[tuple(at)]
    return data.like(out)


@operation("Roll", "opset7")
def roll_7(node, data, shift, axes):
    axes, shifts = [axis_of(a, data.rank) for a in integers(axes)], integers(shift)
    shifts = shifts * len(axes) if len(shifts) == 1 else shifts
    check(len(shifts) == len(axes), "shift and axes differ in length")
    total = [sum(s for s, a in zip(shifts, axes) if a == axis) for axis in range(data.rank)]
    return take(data, [[(i - total[axis]) % n for i in range(n)]
                       for axis, n in enumerate(data.shape)])


# ---- gathers ----


def gather(node, data, indices, axis, beyond_is_zero):
    """What an index beyond the axis would take is 0, or the run fails, even if nothing is taken."""
    axis = axis_of(integer(axis), data.rank)
    batch = node.integer("batch_dims", 0)
    batch = batch + indices.rank if batch < 0 else batch
    check(0 <= batch <= min(axis, indices.rank), f"batch_dims {batch}")
    check(data.shape[:batch] == indices.shape[:batch], "batches differ")
    inside = all(-data.shape[axis] <= i < data.shape[axis] for i in integers(indices))
    check(inside or beyond_is_zero, "an index is out of range")
    inner = indices.rank - batch
    shape = data.shape[:axis] + indices.shape[batch:] + data.shape[axis + 1:]
    out = filled(data.type, shape, "" if data.type == "string" else 0)
    for at in every_index(shape):
        index = int(indices.array[at[:batch] + at[axis:axis + inner]])
        if -data.shape[axis] <= index < data.shape[axis]:
            index = index_of(index, data.shape[axis])
            out[at] = data.array[at[:axis] + (index,) + at[axis + inner:]]
    return data.like(out)


@operation("Gather", "opset1", "opset7")
def gather_7(node, data, indices, axis):
    return gather(node, data, indices, axis, False)


@operation("Gather", "opset8")
def gather_8(node, data, indices, axis):
    return gather(node, data, indices, axis, True)


@operation("GatherElements", "opset6")
def gather_elements_6(node, data, indices):
    axis = axis_of(node.integer("axis"), data.rank)
    check(indices.rank == data.rank, "ranks differ")
    check(all(a == b for i, (a, b) in enumerate(zip(data.shape, indices.shape)) if i != axis),
          "sizes differ")
    integers(indices)
    out = filled(data.type, indices.shape, "" if data.type == "string" else 0)
    for at in every_index(indices.shape):
        index = int(indices.array[at])
        check(-data.shape[axis] <= index < data.shape[axis], f"index {index} of {data.shape[axis]}")
        out[at] = data.array[at[:axis] + (index,) + at[axis + 1:]]
    return data.like(out)


@operation("GatherND", "opset5")
def gather_nd_5(node, data, indices):
    """The batches of the result are one axis."""
    out, batch = gather_nd_8(node, data, indices), node.integer("batch_dims", 0)
    if batch > 1:
        out = out.like(out.array.reshape((-1,) + out.shape[batch:]))
    return out


@operation("GatherND", "opset8")
def gather_nd_8(node, data, indices):
    """A batch of one stands for each of the other operand's."""
    batch, k = node.integer("batch_dims", 0), indices.shape[-1] if indices.rank else 0
    check(indices.rank >= 1 and data.rank >= 1, "a scalar")
    check(0 <= batch < min(data.rank, indices.rank), f"batch_dims {batch}")
    check(k <= data.rank - batch, f"tuples of {k}")
    check(all(a == b or 1 in (a, b) for a, b in zip(data.shape[:batch], indices.shape[:batch])), "batches differ")
    batches = np.broadcast_shapes(data.shape[:batch], indices.shape[:batch])
    chosen = np.broadcast_to(indices.array, batches + indices.shape[batch:])
    given = np.broadcast_to(data.array, batches + data.shape[batch:])
    tuples, rest = chosen.shape[:-1], data.shape[batch + k:]
    integers(indices)
    out = filled(data.type, tuples + rest, "" if data.type == "string" else 0)
    for at in every_index(tuples):
        place = [index_of(int(i), data.shape[batch + j]) for j, i in enumerate(chosen[at])]
        out[at] = given[at[:batch] + tuple(place)]
    return data.like(out)


@operation("Select", "opset1")
def select_1(node, cond, then, otherwise):
    mode = node.text("auto_broadcast", "numpy")
    if mode == "pdpd":
        raise Unsupported("Select with pdpd")
    shapes = (cond.shape, then.shape, otherwise.shape)
    check(mode == "numpy" or len(set(shapes)) == 1, f"shapes {shapes} differ")
    shape = broadcast_shape(broadcast_shape(*shapes[:2]), shapes[2])
    integers(cond)
    out = np.where(stretch(cond.array, shape), stretch(then.array, shape),
                   stretch(otherwise.array, shape))
    return Tensor(then.type, out, joined_slack(then, otherwise))


