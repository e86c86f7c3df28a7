"""Bags of rows of a table, folded segments, and sparse tensors: loops from the pages of OpenVINO."""

import numpy as np

from case import FLOATS, MOVED, NUMERIC, Case, Tensor, exact, rounded


def bag(table, rows, weights, mean, empty):
    """One row of the result: the rows of a bag put together, in exact arithmetic."""
    if not rows:
        return table[empty] if empty is not None and empty >= 0 else np.zeros_like(table[0])
    total = sum((table[r] * w for r, w in zip(rows, weights)), np.zeros_like(table[0]))
    if not mean:
        return total
    if table.dtype == object:  # integers: toward zero
        return np.vectorize(lambda x: abs(x) // len(rows) * (1 if x >= 0 else -1), otypes=[object])(total)
    return total / len(rows)


def bags_of(table, lists, weights, mean=False, empty=None):
    """LISTS: for each bag the positions in `weights` and the rows there."""
    exact_table = exact(table)
    ones = [1] * sum(len(rows) for rows in lists) if weights is None else list(exact(weights).reshape(-1))
    out, at = [], 0
    for rows in lists:
        out.append(bag(exact_table, rows, ones[at:at + len(rows)], mean, empty))
        at += len(rows)
    shape = (len(lists), *table.shape[1:])
    dtype = object if exact_table.dtype == object else np.float64
    return rounded(table.type, np.array(out, dtype).reshape(shape))


def small(c, type_, shape):
    return c.floats(type_, shape) if type_ in FLOATS else c.ints(type_, shape, 0, 60)


def offset_lists(indices, offsets):
    ends = [*offsets[1:], len(indices)]
    return [list(indices[a:b]) for a, b in zip(offsets, ends)]


def bags_by_offsets():
    for op, version in (("EmbeddingBagOffsetsSum", "opset3"), ("EmbeddingBagOffsets", "opset15")):
        c = Case(op, "types")
        for t in NUMERIC:
            table, weights = small(c, t, (5, 3)), small(c, t, (6,))
            indices, offsets = [0, 2, 4, 4, 3, 1], [0, 2, 2, 5]
            want = bags_of(table, offset_lists(indices, offsets), weights, empty=1)
            c.node([table, Tensor("i32", indices), Tensor("i32", offsets), Tensor("i32", 1), weights], want, {}, version,
                   ulp=2 if t in FLOATS else None)
        c = Case(op, "page")
        table = Tensor("f32", [[-0.2, -0.6], [-0.1, -0.4], [-1.9, -1.8], [-1, 1.5], [0.8, -0.7]])
        for empty, w, want in ((0, [0.5] * 4, [[-1.05, -1.2], [-0.2, -0.6], [-0.1, 0.4]]),
                               (-1, [0.5, 0.2, -2, 1], [[-0.48, -0.66], [0, 0], [2.8, -3.7]])):
            c.node([table, c.i64(0, 2, 3, 4), c.i64(0, 2, 2), c.scalar("i64", empty), Tensor("f32", w)],
                   Tensor("f32", want), {}, version, atol=1e-6)
        c = Case(op, "bags")
        for shape, indices, offsets, empty in (((4,), [3, 1], [0], None), ((4, 2, 2), [1, 1, 0], [0, 0, 3], 2),
                                               ((4, 2), [], [0, 0], 3), ((4, 2), [], [0, 0], None),
                                               ((4, 0), [1, 2], [0, 1], None), ((4, 2), [1, 2], [], None)):
            table = small(c, "f32", shape)
            want = bags_of(table, offset_lists(indices, offsets), None, empty=empty)
            c.node([table, Tensor("i64", indices), Tensor("i64", offsets),
                    *([] if empty is None else [c.scalar("i64", empty)])], want, {}, version)
        c = Case(op, "first_offset")
        table = small(c, "f32", (4, 2))
        c.node([table, c.i64(3, 0, 1), c.i64(1, 2)], bags_of(table, [[0], [1]], None), {}, version)


def bags_in_rows():
    for op, version in (("EmbeddingBagPackedSum", "opset3"), ("EmbeddingBagPacked", "opset15")):
        c = Case(op, "types")
        for t in NUMERIC:
            table, weights = small(c, t, (5, 2)), small(c, t, (3, 2))
            indices = [[0, 2], [1, 2], [3, 4]]
            c.node([table, Tensor("i64", indices), weights], bags_of(table, indices, weights), {}, version,
                   ulp=2 if t in FLOATS else None)
        c = Case(op, "bags")
        for shape, indices in (((3,), [[2, 1, 0]]), ((3, 2, 2), [[0, 0], [1, 2]]), ((3, 2), np.zeros((2, 0), int)),
                               ((3, 2), np.zeros((0, 2), int))):
            table = small(c, "f64", shape)
            c.node([table, Tensor("i32", indices)], bags_of(table, [list(row) for row in indices], None), {}, version)


def means():
    c = Case("EmbeddingBagOffsets", "mean")
    for t in NUMERIC:
        table, indices, offsets = small(c, t, (5, 3)), [0, 2, 4, 1, 3], [0, 3, 3]
        want = bags_of(table, offset_lists(indices, offsets), None, True, 4)
        c.node([table, Tensor("i32", indices), Tensor("i32", offsets), Tensor("i32", 4)], want, {"reduction": "mean"},
               "opset15", ulp=2 if t in FLOATS else None)
    c = Case("EmbeddingBagPacked", "mean")
    for t in ("f32", "f16", "i8", "u64"):
        table, indices = Tensor(t, -small(c, t, (5, 3)).array) if t == "i8" else small(c, t, (5, 3)), [[0, 2, 4], [1, 1, 3]]
        c.node([table, Tensor("i64", indices)], bags_of(table, indices, None, True), {"reduction": "mean"}, "opset15",
               ulp=2 if t in FLOATS else None)


def segment_sums():
    c = Case("EmbeddingSegmentsSum", "types")
    for t in NUMERIC:
        table, weights = small(c, t, (5, 2)), small(c, t, (4,))
        want = bags_of(table, [[0, 2], [], [3, 4]], weights, empty=1)
        c.node([table, Tensor("i32", [0, 2, 3, 4]), Tensor("i32", [0, 0, 2, 2]), Tensor("i32", 3), Tensor("i32", 1),
                weights], want, {}, "opset3", ulp=2 if t in FLOATS else None)
    c = Case("EmbeddingSegmentsSum", "segments")
    for shape, indices, ids, count, empty in (((3,), [2, 1], [0, 1], 4, None), ((3, 2, 2), [0, 0, 2], [1, 1, 1], 2, -1),
                                              ((3, 2), [], [], 2, 2), ((3, 2), [], [], 0, None)):
        table = small(c, "f32", shape)
        lists = [[r for r, s in zip(indices, ids) if s == k] for k in range(count)]
        c.node([table, Tensor("i64", indices), Tensor("i64", ids), c.scalar("i64", count),
                *([] if empty is None else [c.scalar("i64", empty)])], bags_of(table, lists, None, empty=empty), {},
               "opset3")
    c = Case("EmbeddingSegmentsSum", "in_any_order")
    table = small(c, "f32", (3, 2))
    c.node([table, c.i64(2, 1, 0), c.i64(1, 0, 1), c.scalar("i64", 2)], bags_of(table, [[1], [2, 0]], None), {}, "opset3")


LOWEST = {"f64": -np.finfo(np.float64).max, "f32": -np.finfo(np.float32).max, "f16": -65504.0, "bf16": -255.0 * 2.0**120}


def segment_max(x, ids, count, mode):
    lowest = LOWEST[x.type] if x.type in FLOATS else np.iinfo(x.array.dtype).min
    y = np.full((count, *x.shape[1:]), lowest if mode == "LOWEST" else 0, x.array.dtype)
    for k in range(count):
        rows = [i for i, s in enumerate(ids) if s == k]
        if rows:
            y[k] = np.max(x.array[rows], axis=0)
    return x.like(y)


def segment_maxima():
    for mode in ("ZERO", "LOWEST"):
        c = Case("SegmentMax", mode.lower())
        for t in NUMERIC:
            ids = [0, 0, 2, 3, 3]
            x = Tensor(t, small(c, t, (5, 2)).array - (0 if t.startswith("u") else 40))
            c.node([x, Tensor("i32", ids), Tensor("i64", 5)], segment_max(x, ids, 5, mode), {"fill_mode": mode},
                   "opset16")
            c.node([x, Tensor("i64", ids)], segment_max(x, ids, 4, mode), {"fill_mode": mode}, "opset16", dynamic=True)
    c = Case("SegmentMax", "shapes")
    for shape, ids, count in (((8,), [0, 0, 0, 1, 1, 3, 5, 5], 6), ((3, 2, 2), [1, 1, 1], 1), ((2, 0), [0, 1], 2),
                              ((0, 2), [], 2), ((3,), [0, 1, 2], 0)):
        x = small(c, "f32", shape)
        c.node([x, Tensor("i64", ids), c.scalar("i32", count)], segment_max(x, ids, count, "ZERO"),
               {"fill_mode": "ZERO"}, "opset16")
    c = Case("SegmentMax", "nan")
    x = Tensor("f32", [1, np.nan, 3, -np.inf, -np.inf])
    c.node([x, c.i64(0, 0, 0, 1, 1), c.i64(2)], Tensor("f32", [np.nan, -np.inf]), {"fill_mode": "ZERO"}, "opset16")


def filled_rows(places, values, rows, default):
    entries = [(r, k, i) for i, (r, k) in enumerate(places)]
    empty = [r for r in range(rows) if r not in {place[0] for place in places}]
    entries = sorted(entries + [(r, 0, len(places) + i) for i, r in enumerate(empty)])
    values = list(values) + [default] * len(empty)
    return [e[:2] for e in entries], [values[e[2]] for e in entries], [r in empty for r in range(rows)]


def sparse_rows():
    c = Case("SparseFillEmptyRows", "types")
    places = [[0, 1], [0, 3], [2, 0], [3, 1]]
    for t in [*MOVED, "string"]:
        x, default = c.values(t, (4,)), c.values(t, ())
        at, values, empty = filled_rows(places, x.array, 5, default.array[()])
        c.node([x, Tensor("i32", [5, 6]), Tensor("i32", places), default],
               [Tensor("i32", at), x.like(np.array(values, x.array.dtype)), Tensor("boolean", empty)], {}, "opset16",
               dynamic=True)
    c = Case("SparseFillEmptyRows", "places")
    for rows, columns, places in ((3, 3, [[2, 2], [0, 2], [2, 0]]), (2, 4, []), (0, 4, []), (1, 2, [[0, 1], [0, 1], [0, 0]])):
        x = c.floats("f32", (len(places),))
        at, values, empty = filled_rows([tuple(p) for p in places], x.array, rows, 42)
        c.node([x, c.i64(rows, columns), Tensor("i64", np.array(places, np.int64).reshape(-1, 2)), c.scalar("f32", 42)],
               [Tensor("i64", np.array(at, np.int64).reshape(-1, 2)), Tensor("f32", values), Tensor("boolean", empty)], {},
               "opset16", dynamic=True)


def make():
    bags_by_offsets()
    bags_in_rows()
    means()
    segment_sums()
    segment_maxima()
    sparse_rows()
