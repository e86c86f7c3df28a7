"""Folds along axes: reductions, running sums, matrix products, SoftMax.

Sums of floats are made exactly (math.fsum); the program may add in any order and round on its way, so
the result has a slack unless every order gives the same: whole numbers whose magnitudes add up to less
than the type counts exactly.
"""

import math
from fractions import Fraction

import numpy as np

from .operands import axes_of, axis_of, every_index, integer, integers, stretch, broadcast_shape
from .registry import Unknown, Unsupported, check, operation
from .tensor import EPSILON, Tensor, finish, is_float, least_and_greatest, wrap

# What a float of the working type counts without rounding: f16 and bf16 are added in f32.
COUNTS = {"f64": 2**53, "f32": 2**24, "f16": 2**24, "bf16": 2**24}


def whole(values):
    return all(float(v).is_integer() for v in values)


def order_slack(type_, values, how="sum"):
    """How much the result of folding VALUES may depend on order and roundings on the way."""
    values = [float(v) for v in values]
    if not all(math.isfinite(v) for v in values):
        return math.inf if how in ("prod", "mean") or len(values) > 2 else 0.0
    if how == "prod":
        size = math.prod(max(abs(v), 1.0) for v in values)
    else:
        size = total(abs(v) for v in values)
    if whole(values) and size < COUNTS[type_]:
        return 2 * EPSILON[type_] * size if how == "mean" else 0.0
    working = EPSILON["f64" if type_ == "f64" else "f32"]
    if len(values) <= 2 and how != "mean":
        return 0.0
    return 2 * len(values) * working * size + 2 * EPSILON[type_] * size


def total(values, over=1):
    """The exact sum over a number; not finite where an operand is not."""
    values = [float(v) for v in values]
    if not all(math.isfinite(v) for v in values):
        with np.errstate(all="ignore"):
            return float(np.sum(np.array(values, np.float64)) / over)
    exact = sum(Fraction(v) for v in values) / over if values else Fraction(0)
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def lines(array, axes):
    """Each index of the axes that stay, with the list of elements that are folded into it."""
    kept = [i for i in range(array.ndim) if i not in axes]
    moved = np.transpose(array, kept + list(axes))
    shape = tuple(array.shape[i] for i in kept)
    count = int(np.prod([array.shape[i] for i in axes], dtype=np.int64))
    return shape, moved.reshape(shape + (count,))


def reduce(node, data, axes, on_floats, on_integers, slack_of):
    axes = axes_of(integers(axes), data.rank)
    shape, groups = lines(data.array, axes)
    fold = on_floats if is_float(data.type) else on_integers
    out, slack = np.empty(shape, object), 0.0
    for at in every_index(shape):
        group = list(groups[at]) if is_float(data.type) else [int(x) for x in groups[at]]
        out[at] = fold(group)
        slack = max(slack, slack_of(data.type, group) if is_float(data.type) else 0.0)
    if data.slack:
        slack = slack + data.slack * max(1, groups.shape[-1]) if slack_of is not no_slack else data.slack
    if node.boolean("keep_dims", False):
        out = out.reshape([1 if i in axes else n for i, n in enumerate(data.shape)])
    return finish(data.type, out.astype(np.float64) if is_float(data.type) else out, slack)


def no_slack(type_, values):
    return 0.0


@operation("ReduceSum", "opset1")
def reduce_sum_1(node, data, axes):
    return reduce(node, data, axes, total, sum, order_slack)


@operation("ReduceProd", "opset1")
def reduce_prod_1(node, data, axes):
    if data.slack:
        raise Unsupported("a product of what is not exact")
    return reduce(node, data, axes, lambda v: math.prod(float(x) for x in v), math.prod,
                  lambda t, v: order_slack(t, v, "prod"))


def mean_of_integers(type_, values):
    """Rounded toward zero; the sum wraps in 64 bits."""
    check(values, "the mean of nothing")
    s = int(wrap(f"{type_[0]}64", sum(values)))
    return abs(s) // len(values) * (-1 if s < 0 else 1)


@operation("ReduceMean", "opset1")
def reduce_mean_1(node, data, axes):
    return reduce(node, data, axes, lambda v: total(v, len(v)) if v else math.nan,
                  lambda v: mean_of_integers(data.type, v), lambda t, v: order_slack(t, v, "mean") / max(len(v), 1))


def greatest_of(values):
    values = [float(v) for v in values]
    return math.nan if any(map(math.isnan, values)) else max(values, default=-math.inf)


def least_of(values):
    return -greatest_of([-float(v) for v in values])


@operation("ReduceMax", "opset1")
def reduce_max_1(node, data, axes):
    least = None if is_float(data.type) else least_and_greatest(data.type)[0]
    return reduce(node, data, axes, greatest_of, lambda v: max(v, default=least), no_slack)


@operation("ReduceMin", "opset1")
def reduce_min_1(node, data, axes):
    greatest = None if is_float(data.type) else least_and_greatest(data.type)[1]
    return reduce(node, data, axes, least_of, lambda v: min(v, default=greatest), no_slack)


@operation("ReduceL1", "opset4")
def reduce_l1_4(node, data, axes):
    return reduce(node, data, axes, lambda v: total([abs(float(x)) for x in v]),
                  lambda v: sum(abs(x) for x in v), order_slack)


@operation("ReduceL2", "opset4")
def reduce_l2_4(node, data, axes):
    if not is_float(data.type) or data.slack:
        raise Unsupported("ReduceL2 of integers")
    return reduce(node, data, axes, lambda v: math.hypot(*map(float, v)), None,
                  lambda t, v: 8 * EPSILON[t] * max(len(v), 1) * max([abs(float(x)) for x in v] or [0]))


def reduce_booleans(node, data, axes, fold):
    axes = axes_of(integers(axes), data.rank)
    if data.slack:
        return Tensor("boolean", fold(data.array, tuple(axes), node), math.inf)
    return Tensor("boolean", fold(data.array, tuple(axes), node))


@operation("ReduceLogicalAnd", "opset1")
def reduce_logical_and_1(node, data, axes):
    return reduce_booleans(node, data, axes, lambda v, a, n: np.all(v, a, keepdims=n.boolean("keep_dims", False)))


@operation("ReduceLogicalOr", "opset1")
def reduce_logical_or_1(node, data, axes):
    return reduce_booleans(node, data, axes, lambda v, a, n: np.any(v, a, keepdims=n.boolean("keep_dims", False)))


@operation("CumSum", "opset3")
def cumsum_3(node, data, axis=None):
    axis = axis_of(0 if axis is None else integer(axis), data.rank)
    exclusive, backward = node.boolean("exclusive", False), node.boolean("reverse", False)
    out, slack, n = np.empty(data.shape, object), 0.0, data.shape[axis]
    for at in every_index(data.shape):
        i = at[axis]
        first, stop = (i + exclusive, n) if backward else (0, i + (not exclusive))
        group = [data.array[at[:axis] + (k,) + at[axis + 1:]] for k in range(first, stop)]
        if is_float(data.type):
            out[at] = total(group)
            slack = max(slack, order_slack(data.type, group))
        else:
            out[at] = sum(int(x) for x in group)
    slack += data.slack * n if data.slack else 0.0
    return finish(data.type, out.astype(np.float64) if is_float(data.type) else out, slack)


# ---- matrices ----


def matrices(a, b, transpose_a, transpose_b):
    """Operands of at least two axes; a vector is a row on the left, a column on the right."""
    left = a.array.reshape(1, -1) if a.rank == 1 else a.array
    right = b.array.reshape(-1, 1) if b.rank == 1 else b.array
    if transpose_a and a.rank > 1:
        left = np.swapaxes(left, -1, -2)
    if transpose_b and b.rank > 1:
        right = np.swapaxes(right, -1, -2)
    return left, right


@operation("MatMul", "opset1")
def matmul_1(node, a, b):
    check(a.rank >= 1 and b.rank >= 1, "a scalar")
    if a.slack == math.inf or b.slack == math.inf:
        raise Unknown("a product of what is not known")
    left, right = matrices(a, b, node.boolean("transpose_a", False), node.boolean("transpose_b", False))
    check(left.shape[-1] == right.shape[-2], f"{left.shape} times {right.shape}")
    batch = broadcast_shape(left.shape[:-2], right.shape[:-2])
    left, right = stretch(left, batch + left.shape[-2:]), stretch(right, batch + right.shape[-2:])
    shape = batch + (left.shape[-2], right.shape[-1])
    if a.type == "boolean" or not is_float(a.type):
        out = np.empty(shape, object)
        for at in every_index(shape):
            row, column = left[at[:-1]], right[at[:-2] + (slice(None), at[-1])]
            out[at] = sum(int(x) * int(y) for x, y in zip(row, column))
        slack = 0.0
    else:
        wide, other = left.astype(np.float64), right.astype(np.float64)
        with np.errstate(all="ignore"):
            out, size = np.matmul(wide, other), np.matmul(np.abs(wide), np.abs(other))
        most = float(np.max(size)) if size.size else 0.0
        exact = most < COUNTS[a.type] and whole(left.reshape(-1)) and whole(right.reshape(-1))
        slack = 0.0 if exact else (2 * left.shape[-1] + 4) * EPSILON["f64" if a.type == "f64" else "f32"] * most
        slack += EPSILON[a.type] * most if not exact else 0.0
        slack = slack if math.isfinite(slack) else math.inf
        slack += left.shape[-1] * (a.slack * (b.greatest() + b.slack) + b.slack * a.greatest())
    if a.rank == 1:
        shape = shape[:-2] + shape[-1:]
    if b.rank == 1:
        shape = shape[:-1]
    return finish(a.type, out.reshape(shape), slack)


def softmax(x, axis, logarithm=False):
    """Of a few roundings each; one that is not finite leaves nothing to compare."""
    wide = x.array.astype(np.float64)
    with np.errstate(all="ignore"):
        moved = wide - np.max(wide, axis, keepdims=True) if wide.size else wide
        sums = np.sum(np.exp(moved), axis, keepdims=True) if wide.size else wide
        made = moved - np.log(sums) if logarithm else np.exp(moved) / sums
    n = x.shape[axis] if x.rank else 1
    scale = 1 + (Tensor("f64", made).greatest() if logarithm else 0)
    slack = (n + 16) * EPSILON[x.type] * scale + 2 * x.slack
    return finish(x.type, made, slack if np.all(np.isfinite(wide)) else math.inf)


@operation("SoftMax", "opset1", "opset8")
def softmax_1(node, x):
    return softmax(x, axis_of(node.integer("axis", 1), x.rank))


@operation("LogSoftmax", "opset5")
def log_softmax_5(node, x):
    return softmax(x, axis_of(node.integer("axis", 1), x.rank), True)


@operation("TopK", "opset1", "opset3", "opset11")
def topk(node, data, k):
    axis, k = axis_of(node.integer("axis"), data.rank), integer(k)
    check(0 <= k <= data.shape[axis], f"k {k} of {data.shape[axis]}")
    if data.slack or (is_float(data.type) and np.any(np.isnan(data.array))):
        raise Unknown("an order of what is not exact")
    sign = -1 if node.text("mode") == "max" else 1
    exact = data.array.astype(object if not is_float(data.type) else np.float64)
    shape = data.shape[:axis] + (k,) + data.shape[axis + 1:]
    indices = np.empty(shape, np.int64)
    for at in every_index(shape[:axis] + shape[axis + 1:]):
        line = [exact[at[:axis] + (i,) + at[axis:]] for i in range(data.shape[axis])]
        best = sorted(range(len(line)), key=lambda i: (sign * line[i], i))[:k]
        best = sorted(best) if node.text("sort") == "index" else best
        indices[at[:axis] + (slice(None),) + at[axis:]] = best
    return [data.like(np.take_along_axis(data.array, indices, axis)),
            Tensor(node.text("index_element_type", "i32"), indices)]
