"""The scatter family, one update at a time."""

import numpy as np

from case import FLOATS, INTEGERS, MOVED, NUMERIC, SIGNED, Case, Tensor, exact, rounded

REDUCE = {
    "none": lambda a, u: u, "sum": lambda a, u: a + u, "sub": lambda a, u: a - u,
    "prod": lambda a, u: a * u, "min": min, "max": max,
}
BOOLEAN = {  # element-wise, versions 12 (sum, prod, min, max) and 15 (and sub)
    "none": lambda a, u: u, "sum": lambda a, u: a or u, "sub": lambda a, u: a != u,
    "prod": lambda a, u: a and u, "min": lambda a, u: a and u, "max": lambda a, u: a or u,
}


def scatter_update():
    c = Case("ScatterUpdate", "shapes")
    for shape, ishape, axis in (((3, 4), (2,), 0), ((3, 4), (2,), 1), ((3, 4), (2,), -1),
                                ((4, 3), (2, 2), 0), ((2, 5, 2), (2, 2), 1), ((3, 4), (), 0),
                                ((3, 4), (), 1), ((5,), (3,), 0), ((3, 4), (0,), 0),
                                ((2, 3, 4), (1,), -3), ((0, 3), (2,), 1), ((4,), (), 0)):
        data = c.distinct("f32", shape)
        count = int(np.prod(ishape, dtype=int))
        picked = c.rng.permutation(shape[axis])[:count].reshape(ishape)
        axis_at = axis % len(shape)
        updates = data.like(-c.distinct("f32", shape[:axis_at] + ishape + shape[axis_at + 1:]).array)
        want = data.array.copy()
        want[(slice(None),) * axis_at + (picked,)] = updates.array
        c.node([data, Tensor("i64", picked), updates, Tensor("i64", axis)], data.like(want), None,
               "opset3")
    c = Case("ScatterUpdate", "types")
    for t in NUMERIC:
        data, updates = c.values(t, (4, 2)), c.values(t, (2, 2))
        want = data.array.copy()
        want[[3, 1]] = updates.array
        c.node([data, Tensor("i32", [3, 1]), updates, Tensor("i32", [0])], data.like(want), None,
               "opset3")
    c = Case("ScatterUpdate", "index_types")
    for t in INTEGERS:
        data, updates = c.distinct("f32", (2, 4)), Tensor("f32", [[-1, -2], [-3, -4]])
        want = data.array.copy()
        want[:, [2, 0]] = updates.array
        c.node([data, Tensor(t, [2, 0]), updates, Tensor(t, 1)], data.like(want), None, "opset3")


def elements_reference(data, indices, updates, axis, reduction="none", use_init=True):
    """Groups the updates of each position, then reduces each group; exact numbers."""
    out = exact(data) if data.type != "boolean" else data.array.astype(object)
    news = exact(updates) if data.type != "boolean" else updates.array.astype(object)
    groups = {}
    for at in np.ndindex(indices.shape):
        place = list(at)
        place[axis] = int(indices.array[at]) % data.shape[axis]
        groups.setdefault(tuple(place), []).append(news[at])
    for place, group in groups.items():
        group = ([out[place]] if use_init or reduction == "none" else []) + group
        out[place] = reduce_group(data.type, reduction, group)
    return data.like(out) if data.type == "boolean" else rounded(data.type, out)


def reduce_group(type_, reduction, group):
    if reduction == "mean":
        # "For integer types the calculated mean is rounded down (towards negative infinity)."
        return sum(group) / len(group) if type_ in FLOATS else sum(group) // len(group)
    table = BOOLEAN if type_ == "boolean" else REDUCE
    result = group[0]
    for update in group[1:]:
        result = table[reduction](result, update)
    return result


def unique_indices(case, shape, data_shape, axis, negative):
    """Along the axis every index once, so that the order of updates cannot matter."""
    size = data_shape[axis]
    lanes = np.moveaxis(np.zeros(shape, np.int64), axis, -1)
    for at in np.ndindex(lanes.shape[:-1]):
        lanes[at] = case.rng.permutation(size)[: lanes.shape[-1]]
        if negative:
            lanes[at] -= size * case.rng.randint(0, 2, lanes.shape[-1])
    return np.moveaxis(lanes, -1, axis)


ELEMENT_SHAPES = [((3, 4), (2, 2), 1), ((3, 4), (2, 4), 0), ((3, 4), (3, 4), -1), ((5,), (3,), 0),
                  ((2, 3, 4), (1, 2, 4), 2), ((2, 3, 4), (2, 3, 2), -2), ((3, 4), (0, 4), 0)]


def scatter_elements():
    for version, negative in (("opset3", False), ("opset12", True)):
        c = Case("ScatterElementsUpdate", f"none_{version}")
        for shape, ishape, axis in ELEMENT_SHAPES:
            data = c.distinct("f32", shape)
            indices = Tensor("i64", unique_indices(c, ishape, shape, axis % len(shape), negative))
            updates = data.like(-c.distinct("f32", ishape).array)
            want = elements_reference(data, indices, updates, axis % len(shape))
            c.node([data, indices, updates, Tensor("i64", axis)], want, None, version)
        c = Case("ScatterElementsUpdate", f"types_{version}")
        for t in NUMERIC:
            data, updates = c.values(t, (2, 4)), c.values(t, (2, 2))
            indices = Tensor("i32", unique_indices(c, (2, 2), (2, 4), 1, negative))
            want = elements_reference(data, indices, updates, 1)
            c.node([data, indices, updates, Tensor("i32", [1])], want, None, version)
    element_reductions()
    element_examples()


def small(case, type_, shape):
    """Operands whose sums and products are exact."""
    if type_ in FLOATS:
        return case.floats(type_, shape, -3, 3, 2)
    return case.ints(type_, shape, -5 if type_ in SIGNED else 0, 6)


def element_reductions():
    for reduction in ("sum", "prod", "min", "max", "mean"):
        for use_init in (True, False):
            suffix = "" if use_init else "_without_data"
            c = Case("ScatterElementsUpdate", f"{reduction}{suffix}")
            attributes = {"reduction": reduction, "use_init_val": use_init}
            for t in ["f32", "f16", "bf16", "f64", "i32", "i64", "i8", "u8"]:
                # More updates than positions: every kind of repetition.
                data, updates = small(c, t, (2, 4)), small(c, t, (2, 7))
                indices = c.ints("i64", (2, 7), -4, 4)
                want = elements_reference(data, indices, updates, 1, reduction, use_init)
                c.node([data, indices, updates, Tensor("i64", 1)], want, attributes, "opset12",
                       ulp=1 if reduction == "mean" and t in FLOATS else None)
            data, updates = small(c, "f32", (3, 2, 2)), small(c, "f32", (5, 1, 2))
            indices = c.ints("i32", (5, 1, 2), 0, 3)
            want = elements_reference(data, indices, updates, 0, reduction, use_init)
            c.node([data, indices, updates, Tensor("i32", 0)], want, attributes, "opset12",
                   ulp=1 if reduction == "mean" else None)
    c = Case("ScatterElementsUpdate", "boolean")
    for reduction in ("none", "sum", "prod", "min", "max"):
        for use_init in (True, False):
            data, updates = c.values("boolean", (2, 4)), c.values("boolean", (2, 4))
            indices = Tensor("i64", unique_indices(c, (2, 4), (2, 4), 1, True))
            want = elements_reference(data, indices, updates, 1, reduction, use_init)
            c.node([data, indices, updates, Tensor("i64", 1)], want,
                   {"reduction": reduction, "use_init_val": use_init}, "opset12")
    c = Case("ScatterElementsUpdate", "mean_rounds_down")
    for t in SIGNED:
        data = Tensor(t, [0, -1, 4])
        indices, updates = Tensor("i64", [0, 1, 2]), Tensor(t, [-3, -2, 5])
        c.node([data, indices, updates, Tensor("i64", 0)], Tensor(t, [-2, -2, 4]),
               {"reduction": "mean"}, "opset12")


def element_examples():
    """As printed in the specification."""
    c = Case("ScatterElementsUpdate", "specification_examples")
    data = Tensor("f32", [2, 3, 4, 6])
    updates = Tensor("f32", [10, 20, 30, 40, 70, 60])
    c.node([data, c.i64(1, 0, 0, -2, -1, 2), updates, c.i64(0)], Tensor("f32", [52, 13, 104, 76]),
           {"reduction": "sum", "use_init_val": True}, "opset12")
    c.node([data, c.i64(1, 0, 0, 2, 3, 2), updates, c.i64(0)], Tensor("f32", [50, 10, 100, 70]),
           {"reduction": "sum", "use_init_val": False}, "opset12")
    indices, updates = Tensor("i64", [[1, 1], [0, 3]]), Tensor("i32", [[11, 12], [13, 14]])
    c.node([Tensor("i32", np.ones((3, 4))), indices, updates, c.i64(1)],
           Tensor("i32", [[1, 24, 1, 1], [14, 1, 1, 15], [1, 1, 1, 1]]),
           {"reduction": "sum", "use_init_val": True}, "opset12")
    c.node([Tensor("i32", np.full((3, 4), 2)), indices, updates, c.i64(1)],
           Tensor("i32", [[2, 264, 2, 2], [26, 2, 2, 28], [2, 2, 2, 2]]),
           {"reduction": "prod", "use_init_val": True}, "opset12")


def nd_reference(data, indices, updates, reduction="none"):
    out = exact(data) if data.type != "boolean" else data.array.astype(object)
    news = exact(updates) if data.type != "boolean" else updates.array.astype(object)
    table = np.frompyfunc((BOOLEAN if data.type == "boolean" else REDUCE)[reduction], 2, 1)
    for at in np.ndindex(indices.shape[:-1]):
        place = tuple(int(i) for i in indices.array[at])
        out[place] = table(out[place], news[at])
    return data.like(out) if data.type == "boolean" else rounded(data.type, out)


def unique_tuples(case, data_shape, lead, k, negative):
    sizes = data_shape[:k]
    flat = case.rng.permutation(int(np.prod(sizes)))[: int(np.prod(lead))]
    tuples = np.stack(np.unravel_index(flat, sizes), axis=-1)
    if negative:
        tuples = tuples - np.array(sizes) * case.rng.randint(0, 2, tuples.shape)
    return Tensor("i64", tuples.reshape(*lead, k))


ND_SHAPES = [((8,), (4,), 1), ((4, 3), (2,), 1), ((4, 3), (5,), 2), ((3, 2, 4), (2, 2), 2),
             ((3, 2, 4), (2,), 1), ((3, 2, 4), (2, 3), 3), ((4, 3), (0,), 1), ((3, 0), (2,), 1)]


def scatter_nd():
    for version, negative in (("opset4", False), ("opset15", True)):
        c = Case("ScatterNDUpdate", f"none_{version}")
        for shape, lead, k in ND_SHAPES:
            data, indices = c.distinct("f32", shape), unique_tuples(c, shape, lead, k, negative)
            updates = data.like(-c.distinct("f32", lead + shape[k:]).array)
            c.node([data, indices, updates], nd_reference(data, indices, updates), None, version)
        data = c.distinct("f32", (2, 3))
        c.node([data, c.i64(1), Tensor("f32", [-1, -2, -3])],
               data.like(np.vstack([data.array[0], [-1, -2, -3]])), None, version)
        if version == "opset4":  # which the page leaves out, and programs write
            indices = Tensor("i64", [[-1]])
            updates = Tensor("f32", [[-1, -2, -3]])
            c.node([data, indices, updates], nd_reference(data, indices, updates), None, version)
        c = Case("ScatterNDUpdate", f"types_{version}")
        for t in NUMERIC:
            data, updates = c.values(t, (4, 2)), c.values(t, (2, 2))
            indices = Tensor("i32", [[3], [0]])
            c.node([data, indices, updates], nd_reference(data, indices, updates), None, version)
    for reduction in ("sum", "sub", "prod", "min", "max"):
        c = Case("ScatterNDUpdate", reduction)
        for t in ["f32", "f16", "bf16", "f64", "i32", "i64", "i8", "u8"]:
            for shape, lead, k in (((4,), (6,), 1), ((3, 2), (4,), 1), ((2, 2), (5,), 2)):
                data, updates = small(c, t, shape), small(c, t, lead + shape[k:])
                indices = Tensor("i64", np.stack([c.rng.randint(-s, s, lead) for s in shape[:k]],
                                                 axis=-1))
                c.node([data, indices, updates], nd_reference(data, indices, updates, reduction),
                       {"reduction": reduction}, "opset15")
        data, updates = c.values("boolean", (2, 4)), c.values("boolean", (2, 4))
        indices = Tensor("i64", [[1], [-2]])
        c.node([data, indices, updates], nd_reference(data, indices, updates, reduction),
               {"reduction": reduction}, "opset15")
    c = Case("ScatterNDUpdate", "specification_examples")
    indices, updates = Tensor("i32", [[0], [2], [-3], [-3], [0]]), [10, 20, 30, 40, 50]
    for t, reduction, want in (("f16", "sum", [61, 72, 23, 4]), ("i32", "sub", [-59, -68, -17, 4])):
        c.node([Tensor(t, [1, 2, 3, 4]), indices, Tensor(t, updates)], Tensor(t, want),
               {"reduction": reduction}, "opset15")
    # The page prints [500, 3600, 40, 4], which is not the product of what it names.
    c.node([Tensor("f32", [1, 2, 3, 4]), indices, Tensor("f32", updates)],
           Tensor("f32", [500, 2400, 60, 4]), {"reduction": "prod"}, "opset15")


def tensorflow():
    op = "tensor_scatter_nd_update"
    c = Case(op, "tuples")
    for shape, lead, k in [s for s in ND_SHAPES if s[1]]:
        data, indices = c.distinct("f32", shape), unique_tuples(c, shape, lead, k, False)
        updates = data.like(-c.distinct("f32", lead + shape[k:]).array)
        c.node([data, indices, updates], nd_reference(data, indices, updates), None, "tensorflow")
    c = Case(op, "out_of_bounds_ignored")
    # Each component is held against its own axis: [0, 3] would still lie inside the tensor.
    data, updates = c.distinct("i32", (3, 2)), Tensor("i32", [-1, -2, -3, -4, -5])
    indices = Tensor("i32", [[0, 1], [0, 3], [-1, 0], [3, 0], [2, 0]])
    want = data.array.copy()
    want[0, 1], want[2, 0] = -1, -5
    c.node([data, indices, updates], data.like(want), {"bad_indices": "ignore"}, "tensorflow")


SCATTER_ = {"add": "sum", "multiply": "prod", None: "none"}


def mindspore():
    op = "Tensor.scatter_"
    for reduce, meaning in SCATTER_.items():
        c = Case(op, reduce or "replace")
        extra = {"reduce": reduce} if reduce else {}
        # src may be larger than index: what index does not name is not used.
        for shape, ishape, sshape, dim in (((2, 2), (2, 2), (2, 2), 1), ((3, 4), (2, 3), (2, 5), 0),
                                           ((3, 4), (2, 3), (4, 3), -1), ((5,), (3,), (6,), -1),
                                           ((2, 3, 2), (1, 2, 2), (2, 3, 2), 1)):
            axis = dim % len(shape)
            data, src = small(c, "f32", shape), small(c, "f32", sshape)
            indices = Tensor("i64", unique_indices(c, ishape, shape, axis, True))
            used = src.like(src.array[tuple(slice(n) for n in ishape)])
            c.node([data, indices, src], elements_reference(data, indices, used, axis, meaning),
                   {"dim": dim, **extra}, "mindspore")
            value = src.like(np.full(ishape, 2.5))
            c.node([data, indices], elements_reference(data, indices, value, axis, meaning),
                   {"dim": dim, "value": 2.5, "value_type": "float", **extra}, "mindspore")
        data = c.distinct("i32", (2, 3))
        c.node([data, Tensor("i32", np.zeros((0, 3))), c.distinct("i32", (2, 3))], data,
               {"dim": 0, **extra}, "mindspore")


def onnx_tensor_scatter():
    """ONNX's caches of keys and values: each batch goes on where it stopped."""
    c = Case("TensorScatter", "caches")
    for shape, axis, length, places, mode in (
            ((2, 3, 4, 2), -2, 1, [1, 3], None), ((2, 3, 4, 2), 2, 3, [1, 0], None), ((2, 5, 3), 1, 2, [3, 0], "linear"),
            ((1, 4, 2), -2, 2, None, None), ((2, 3, 4, 2), -2, 3, [3, 1], "circular"), ((3, 4), -1, 4, [3, 0, 1], "circular"),
            ((2, 3, 0), 1, 1, [0, 2], None), ((0, 3, 2), 1, 1, [], None), ((2, 3, 2), 1, 0, [3, 0], None)):
        data = c.distinct("f32", shape)
        at = axis % len(shape)
        update = data.like(-c.distinct("f32", shape[:at] + (length,) + shape[at + 1:]).array)
        want = data.array.copy()
        for place in np.ndindex(update.shape):
            row = (places[place[0]] if places is not None else 0) + place[at]
            want[place[:at] + (row % shape[at],) + place[at + 1:]] = update.array[place]
        c.node([data, update] + ([Tensor("i64", places)] if places is not None else []), data.like(want),
               {**({"axis": axis} if axis != -2 else {}), **({"mode": mode} if mode else {})}, "onnx24")
    c = Case("TensorScatter", "types")
    for t in MOVED:
        data, update = c.values(t, (2, 4)), c.values(t, (2, 1))
        want = data.array.copy()
        want[0, 3], want[1, 0] = update.array[0, 0], update.array[1, 0]
        c.node([data, update, Tensor("i64", [3, 0])], data.like(want), {"axis": 1}, "onnx24")


def make():
    onnx_tensor_scatter()
    scatter_update()
    scatter_elements()
    scatter_nd()
    tensorflow()
    mindspore()
