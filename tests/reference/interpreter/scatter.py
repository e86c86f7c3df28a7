"""Scatters: a copy of data, and updates one after another in row-major order (the last one wins,
where the specification does not say which)."""

import math

import numpy as np

from .operands import axis_of, every_index, index_of, integer, integers, joined_slack
from .registry import Unsupported, check, operation
from .reduction import order_slack
from .tensor import Tensor, finish, is_float, least_and_greatest, working, wrap


def larger(x, y):
    """NaN of either side stays."""
    return x if x != x or x > y else y


def smaller(x, y):
    return x if x != x or x < y else y


COMBINE = {
    "none": lambda x, y: y, "sum": lambda x, y: x + y, "sub": lambda x, y: x - y,
    "prod": lambda x, y: x * y, "max": larger, "min": smaller, "mean": lambda x, y: x + y,
}
ON_BOOLEANS = {
    "none": lambda x, y: y, "sum": lambda x, y: x or y, "sub": lambda x, y: x != y,
    "prod": lambda x, y: x and y, "max": lambda x, y: x or y, "min": lambda x, y: x and y,
}


def neutral(type_, reduction):
    if reduction in ("sum", "mean"):
        return 0
    if reduction == "prod":
        return 1
    if type_ == "boolean":
        return reduction == "min"
    if is_float(type_):
        return -math.inf if reduction == "max" else math.inf
    return least_and_greatest(type_)[0 if reduction == "max" else 1]


def apply(data, places, values, reduction="none", from_data=True):
    """VALUES[i] goes to index PLACES[i] of a copy of DATA, whose elements take part in the reduction
    if FROM_DATA. Floats are combined exactly here; `order_slack` tells what order may change."""
    if data.type == "boolean" and reduction == "mean":
        raise Unsupported("mean of booleans")
    combine = (ON_BOOLEANS if data.type == "boolean" else COMBINE)[reduction]
    groups = {}
    for place, value in zip(places, values):
        groups.setdefault(place, []).append(value)
    out, slack = working(data).astype(object) if data.type != "boolean" else data.array.copy(), 0.0
    for place, group in groups.items():
        start = out[place] if from_data or reduction == "none" else neutral(data.type, reduction)
        total = start
        for value in group:
            total = combine(total, value)
        if reduction == "mean":
            total = mean(data.type, total, len(group) + from_data)
        if is_float(data.type) and reduction in ("sum", "sub", "prod", "mean"):
            slack = max(slack, order_slack(data.type, [start] + group, reduction))
        out[place] = total
    if data.type in ("boolean", "string"):
        return Tensor(data.type, out)
    array = out.astype(np.float64) if is_float(data.type) else out
    return finish(data.type, array, slack)


def mean(type_, total, n):
    """Sums of integers wrap in 64 bits; their mean is rounded down."""
    return total / n if is_float(type_) else int(wrap(f"{type_[0]}64", total)) // n


def elements(tensor):
    """As Python numbers, exact."""
    if tensor.type == "boolean":
        return tensor.array
    return tensor.array.astype(np.float64).astype(object) if is_float(tensor.type) else tensor.array.astype(object)


def scatter(data, places, updates, reduction="none", from_data=True):
    wide = Tensor(data.type, data.array)
    with np.errstate(all="ignore"):
        out = apply(wide, places, updates, reduction, from_data)
    return out


def with_slack(out, data, updates):
    joined = joined_slack(data, updates)
    if joined:
        out.slack = math.inf if out.slack else joined
    return out


@operation("ScatterUpdate", "opset3")
def scatter_update_3(node, data, indices, updates, axis):
    axis = axis_of(integer(axis), data.rank)
    check(updates.shape == data.shape[:axis] + indices.shape + data.shape[axis + 1:],
          f"updates have shape {updates.shape}")
    check(all(0 <= i < data.shape[axis] for i in integers(indices)), "an index is out of range")
    out, inner = data.array.copy(), indices.rank
    for at in every_index(updates.shape):
        index = int(indices.array[at[axis:axis + inner]])
        out[at[:axis] + (index,) + at[axis + inner:]] = updates.array[at]
    return Tensor(data.type, out, joined_slack(data, updates))


def scatter_elements(node, data, indices, updates, axis, reduction, from_data):
    axis = axis_of(integer(axis), data.rank)
    check(indices.shape == updates.shape and indices.rank == data.rank, "shapes differ")
    check(all(m <= n for i, (m, n) in enumerate(zip(indices.shape, data.shape)) if i != axis),
          f"indices of shape {indices.shape} for {data.shape}")
    integers(indices)
    places, values = [], []
    given = elements(updates)
    for at in every_index(indices.shape):
        index = index_of(int(indices.array[at]), data.shape[axis])
        places.append(at[:axis] + (index,) + at[axis + 1:])
        values.append(given[at])
    return with_slack(scatter(data, places, values, reduction, from_data), data, updates)


@operation("ScatterElementsUpdate", "opset3")
def scatter_elements_update_3(node, data, indices, updates, axis):
    """Negative indices are taken, as every program does; updates are nowhere larger than data."""
    check(all(m <= n for m, n in zip(indices.shape, data.shape)), "more indices than data has")
    return scatter_elements(node, data, indices, updates, axis, "none", True)


@operation("ScatterElementsUpdate", "opset12")
def scatter_elements_update_12(node, data, indices, updates, axis):
    return scatter_elements(node, data, indices, updates, axis, node.text("reduction", "none"),
                            node.boolean("use_init_val", True))


def tuples_of(data, indices, least, skip=False):
    """The index in data of each tuple; None for one out of bounds that is to be skipped. Indices
    may be as low as LEAST(size)."""
    check(data.rank >= 1 and indices.rank >= 1 and indices.shape[-1] <= data.rank, "tuples too long")
    integers(indices)
    found = []
    for at in every_index(indices.shape[:-1]):
        tuple_ = [int(i) for i in indices.array[at]]
        inside = all(least(n) <= i < n for i, n in zip(tuple_, data.shape))
        check(inside or skip, f"tuple {tuple_} of {data.shape}")
        found.append((at, tuple(i + n if i < 0 else i for i, n in zip(tuple_, data.shape)) if inside else None))
    return found


def scatter_nd(data, found, updates, reduction):
    k = data.rank - (updates.rank - len(found[0][0])) if found else 0
    places, values, given = [], [], elements(updates)
    for at, place in found:
        for rest in every_index(data.shape[k:]) if place is not None else ():
            places.append(place + rest)
            values.append(given[at + rest])
    return with_slack(scatter(data, places, values, reduction), data, updates)


def nd_updates(data, indices, updates):
    want = indices.shape[:-1] + data.shape[indices.shape[-1]:]
    if want == () and updates.array.size == 1:
        return updates.like(updates.array.reshape(()))
    check(updates.shape == want, f"updates have shape {updates.shape}, not {want}")
    return updates


@operation("ScatterNDUpdate", "opset4")
def scatter_nd_update_3(node, data, indices, updates):
    """Negative indices are taken, as those of ScatterElementsUpdate-3 are."""
    check(indices.rank >= 1, "indices are a scalar")
    updates = nd_updates(data, indices, updates)
    return scatter_nd(data, tuples_of(data, indices, lambda n: -n), updates, "none")


@operation("ScatterNDUpdate", "opset15")
def scatter_nd_update_15(node, data, indices, updates):
    check(indices.rank >= 1, "indices are a scalar")
    updates = nd_updates(data, indices, updates)
    return scatter_nd(data, tuples_of(data, indices, lambda n: -n), updates,
                      node.text("reduction", "none"))


@operation("tensor_scatter_nd_update", "tensorflow")
def tensor_scatter_nd_update(node, tensor, indices, updates):
    check(indices.rank >= 2, "indices have a rank below 2")
    check(updates.shape == indices.shape[:-1] + tensor.shape[indices.shape[-1]:], "updates do not fit")
    skip = node.text("bad_indices", "error") == "ignore"
    return scatter_nd(tensor, tuples_of(tensor, indices, lambda n: 0, skip), updates, "none")


@operation("TensorScatter", "onnx24")
def onnx_tensor_scatter(node, past_cache, update, write_indices=None):
    axis = axis_of(node.integer("axis", -2), past_cache.rank)
    size, length = past_cache.shape[axis], update.shape[axis]
    circular = node.text("mode", "linear") == "circular"
    check(axis > 0 and length <= size, f"{length} updates along axis {axis} of {size}")
    check(update.shape == past_cache.shape[:axis] + (length,) + past_cache.shape[axis + 1:], "update does not fit")
    starts = integers(write_indices) if write_indices else [0] * past_cache.shape[0]
    for start in starts:
        check(start >= 0 and (circular and (start < size or length == 0) or start + length <= size), "it is out of range")
    out = past_cache.array.copy()
    for at in every_index(update.shape):
        out[at[:axis] + ((starts[at[0]] + at[axis]) % size,) + at[axis + 1:]] = update.array[at]
    return Tensor(past_cache.type, out, joined_slack(past_cache, update))


@operation("Tensor.scatter_", "mindspore")
def mindspore_scatter(node, self, index, src=None):
    """src may be larger than index; a value stands for every element. Negative indices, which the
    newest page leaves undefined, count from the end."""
    axis = axis_of(node.integer("dim"), self.rank)
    reduction = {"add": "sum", "multiply": "prod"}.get(node.text("reduce"), "none")
    if src is None:
        value = node.attributes["value"]
        value = bool(value) if self.type == "boolean" else value
        src = Tensor(self.type, np.full(index.shape, value))
    check(index.rank == self.rank == src.rank, "ranks differ")
    check(all(m <= n for m, n in zip(index.shape, src.shape)), "src is smaller than index")
    cut = src.like(src.array[tuple(slice(0, n) for n in index.shape)])
    return scatter_elements(node, self, index, cut, Tensor("i64", axis), reduction, True)
