"""Reductions, softmax, matrix multiplication."""

import numpy as np

from case import FLOATS, INTEGERS, NUMERIC, Case, Tensor, exact, rounded


def reduce_exact(f, tensor, axes, keep):
    """f over Python integers or f64, one group of elements at a time."""
    axes = [a % len(tensor.shape) for a in axes]
    kept = [i for i in range(len(tensor.shape)) if i not in axes]
    shape = [1 if i in axes and keep else tensor.shape[i]
             for i in range(len(tensor.shape)) if keep or i not in axes]
    group = int(np.prod([tensor.shape[i] for i in axes], dtype=int))
    moved = np.transpose(exact(tensor), kept + axes)
    groups = moved.reshape([tensor.shape[i] for i in kept] + [group])
    result = np.empty(groups.shape[:-1], object)
    for at in np.ndindex(result.shape):
        result[at] = f(list(groups[at]))
    return result.reshape(shape)


def product(values):
    result = 1
    for v in values:
        result = result * v
    return result


# name -> (function of a list, version, units in the last place)
REDUCTIONS = {
    "ReduceSum": (sum, "opset1", None),
    "ReduceProd": (product, "opset1", None),
    "ReduceMax": (max, "opset1", None),
    "ReduceMin": (min, "opset1", None),
    "ReduceMean": (lambda v: sum(v) / len(v), "opset1", 1),
    "ReduceL1": (lambda v: sum(abs(x) for x in v), "opset4", None),
    "ReduceL2": (lambda v: np.sqrt(sum(x * x for x in v)), "opset4", 1),
}
WINDOWS = [([1], False), ([1], True), ([0, 2], False), ([2, 0], True), ([-1], False),
           ([-3, 1], True), ([0, 1, 2], False), ([0, 1, 2], True)]


def reductions():
    for op, (f, version, ulp) in REDUCTIONS.items():
        c = Case(op, "axes")
        x = operand(c, op, "f32", (2, 3, 2))
        for axes, keep in WINDOWS:
            want = rounded("f32", reduce_exact(f, x, axes, keep).astype(np.float64))
            c.node([x, c.i64(*axes)], want, {"keep_dims": keep}, version, ulp=ulp)
        for axis in (Tensor("i64", 2), Tensor("i32", -2), Tensor("u8", [0])):
            want = reduce_exact(f, x, [int(axis.array.reshape(-1)[0])], False)
            c.node([x, axis], rounded("f32", want.astype(np.float64)), None, version, ulp=ulp)
        c = Case(op, "types")
        for t in [t for t in NUMERIC if t in FLOATS or op not in ("ReduceMean", "ReduceL2")]:
            x = operand(c, op, t, (2, 3))
            want = reduce_exact(f, x, [1], False)
            c.node([x, c.i64(1)], rounded(t, want.astype(np.float64) if t in FLOATS else want),
                   {"keep_dims": False}, version, ulp=ulp)
    edges()
    logical()


def operand(case, op, type_, shape):
    """Elements whose sums or products are exact in the type."""
    if op == "ReduceProd":
        return case.ints(type_, shape, 1, 4)
    if type_ in FLOATS:
        return case.floats(type_, shape, -4, 4, 4)
    return case.ints(type_, shape, 0 if type_[0] == "u" else -9, 10)


def edges():
    c = Case("ReduceSum", "edges")
    x = c.floats("f32", (2, 3))
    c.node([x, Tensor("i64", np.zeros(0))], x, {"keep_dims": False})
    c.node([x, Tensor("i64", np.zeros(0))], x, {"keep_dims": True})
    for shape, axes, keep in (((2, 0), [1], False), ((0, 3), [0], True), ((0, 3), [1], False),
                              ((2, 0, 3), [0, 1], True)):
        e = Tensor("f32", np.zeros(shape))
        c.node([e, c.i64(*axes)], e.like(e.array.sum(axis=tuple(axes), keepdims=keep)),
               {"keep_dims": keep})
    c = Case("ReduceProd", "edges")
    e = Tensor("f32", np.zeros((2, 0)))
    c.node([e, c.i64(1)], Tensor("f32", [1, 1]), {"keep_dims": False})
    c = Case("ReduceSum", "wraps")
    for t in INTEGERS:
        x = Tensor(t, [np.iinfo(Tensor(t, 0).array.dtype).max, 1, 1])
        c.node([x, c.i64(0)], rounded(t, reduce_exact(sum, x, [0], False)))
    c = Case("ReduceMax", "extremes")
    for op, f in (("ReduceMax", max), ("ReduceMin", min)):
        for t in INTEGERS:
            info = np.iinfo(Tensor(t, 0).array.dtype)
            x = Tensor(t, [[info.min, info.max], [info.min, info.min], [info.max, info.max]])
            c.node([x, c.i64(1)], rounded(t, reduce_exact(f, x, [1], False)), op=op)
        x = Tensor("f32", [[-np.inf, -1], [np.inf, 1], [-np.inf, -np.inf]])
        want = reduce_exact(f, x, [1], False).astype(np.float64)
        c.node([x, c.i64(1)], Tensor("f32", want), op=op)
    c = Case("ReduceL2", "integers")
    for t in INTEGERS:
        for x in ([3, 4], [5, 6], [1, 1], [1, 2], [4, 2, 0], [6, 6, 6]):
            root = np.floor(np.sqrt(sum(v * v for v in x)) + 0.5)
            c.node([Tensor(t, x), c.i64(0)], Tensor(t, root), None, "opset4")
    for op in ("ReduceL1", "ReduceL2"):
        c = Case(op, "no_axes")  # each element is a group of its own
        x = c.floats("f32", (2, 3))
        for keep in (False, True):
            c.node([x, Tensor("i64", np.zeros(0))], x.like(abs(x.array)), {"keep_dims": keep},
                   "opset4")
    c = Case("ReduceMean", "integers")
    for t in INTEGERS:
        x = Tensor(t, [[1, 2, 3], [10, 20, 30]])  # the means are whole
        c.node([x, c.i64(1)], Tensor(t, [2, 20]))


def logical():
    for op, f in (("ReduceLogicalAnd", np.all), ("ReduceLogicalOr", np.any)):
        c = Case(op, "axes")
        x = c.values("boolean", (2, 3, 2))
        for axes, keep in WINDOWS:
            c.node([x, c.i64(*axes)],
                   Tensor("boolean", f(x.array, axis=tuple(axes), keepdims=keep)),
                   {"keep_dims": keep})
        e = Tensor("boolean", np.zeros((2, 0)))
        c.node([e, c.i64(1)], Tensor("boolean", f(e.array, axis=1)), {"keep_dims": False})


def softmax_f64(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax():
    for version, name in (("opset1", "version_1"), ("opset8", "version_8")):
        c = Case("SoftMax", name)
        axes = (0, 1, 2) if version == "opset1" else (0, 1, 2, -1, -2, -3)
        for t in FLOATS:
            x = c.floats(t, (2, 3, 2))
            for axis in axes if t == "f32" else axes[-1:]:
                c.node([x], rounded(t, softmax_f64(exact(x), axis)), {"axis": axis}, version,
                       ulp=8)
        x = c.floats("f32", (2, 3))
        c.node([x], rounded("f32", softmax_f64(exact(x), 1)), None, version, ulp=8)
        big = Tensor("f32", [[1000, 1001, 999], [-1000, -1001, -1000]])
        c.node([big], rounded("f32", softmax_f64(exact(big), 1)), {"axis": 1}, version, ulp=8)
        c.node([Tensor("f32", [[5], [7]])], Tensor("f32", [[1], [1]]), {"axis": 1}, version)
        c.node([Tensor("f32", np.zeros((2, 0)))], Tensor("f32", np.zeros((2, 0))), {"axis": 1},
               version)
    c = Case("LogSoftmax", "axes")
    x = c.floats("f32", (2, 3, 2))
    for axis in (0, 1, -1):
        c.node([x], rounded("f32", np.log(softmax_f64(exact(x), axis))), {"axis": axis}, ulp=8,
               atol=1e-6)
    c.node([Tensor("f32", [[1000, 0]])], Tensor("f32", [[0, -1000]]), {"axis": 1})


def matmul_exact(a, b, transpose_a, transpose_b):
    """The steps of the specification: transpose, unsqueeze, broadcast, multiply, squeeze."""
    x, y = exact(a), exact(b)
    x = np.swapaxes(x, -1, -2) if transpose_a and x.ndim > 1 else x
    y = np.swapaxes(y, -1, -2) if transpose_b and y.ndim > 1 else y
    x2 = x[None, :] if x.ndim == 1 else x
    y2 = y[:, None] if y.ndim == 1 else y
    batch = np.broadcast_shapes(x2.shape[:-2], y2.shape[:-2])
    x2 = np.broadcast_to(x2, batch + x2.shape[-2:])
    y2 = np.broadcast_to(y2, batch + y2.shape[-2:])
    z = np.zeros(batch + (x2.shape[-2], y2.shape[-1]), x2.dtype)
    for k in range(x2.shape[-1]):
        z = z + x2[..., :, k, None] * y2[..., None, k, :]
    z = z.reshape(z.shape[:-2] + z.shape[-1:]) if x.ndim == 1 else z
    return z.reshape(z.shape[:-1]) if y.ndim == 1 else z


MATMULS = [
    # name, shape of a, shape of b as they are without transposition
    ("matrices", (2, 3), (3, 4)), ("batched", (2, 2, 3), (2, 3, 2)),
    ("batch_broadcast", (2, 1, 2, 3), (3, 3, 2)), ("one_matrix_b", (3, 2, 3), (3, 2)),
    ("one_matrix_a", (2, 3), (2, 3, 2)), ("ones", (1, 1), (1, 1)), ("no_rows", (0, 3), (3, 2)),
    ("no_inner", (2, 0), (0, 3)), ("no_batch", (0, 2, 3), (3, 2)),
    ("row_and_column", (1, 5), (5, 1)), ("outer", (4, 1), (1, 3)),
]
VECTORS = [((3,), (3,)), ((3,), (3, 2)), ((2, 3), (3,)), ((3,), (2, 3, 2)), ((2, 2, 3), (3,)),
           ((0,), (0,)), ((0,), (0, 2))]


def flipped(shape, flip):
    return shape[:-2] + (shape[-1], shape[-2]) if flip else shape


def matmul():
    for name, sa, sb in MATMULS:
        c = Case("MatMul", name)
        for ta in (False, True):
            for tb in (False, True):
                a, b = c.floats("f32", flipped(sa, ta)), c.floats("f32", flipped(sb, tb))
                c.node([a, b], rounded("f32", matmul_exact(a, b, ta, tb)),
                       {"transpose_a": ta, "transpose_b": tb})
    c = Case("MatMul", "vectors")
    for sa, sb in VECTORS:
        for flip in (False, True):
            # "It is ignored if the input is a 1D tensor", so only the other one is turned.
            a = c.floats("f32", flipped(sa, flip) if len(sa) > 1 else sa)
            b = c.floats("f32", flipped(sb, flip) if len(sb) > 1 else sb)
            c.node([a, b], rounded("f32", matmul_exact(a, b, flip, flip)),
                   {"transpose_a": flip, "transpose_b": flip})
    c = Case("MatMul", "types")
    for t in NUMERIC:
        lo = 0 if t[0] == "u" else -9
        a = c.floats(t, (2, 3)) if t in FLOATS else c.ints(t, (2, 3), lo, 10)
        b = c.floats(t, (3, 2)) if t in FLOATS else c.ints(t, (3, 2), lo, 10)
        c.node([a, b], rounded(t, matmul_exact(a, b, False, False)))
    c = Case("MatMul", "defaults")
    a, b = c.floats("f32", (7, 33), -4, 4, 2), c.floats("f32", (33, 5), -4, 4, 2)
    c.node([a, b], rounded("f32", matmul_exact(a, b, False, False)))


def make():
    reductions()
    softmax()
    matmul()
