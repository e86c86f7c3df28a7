"""Normalization over groups of elements, running sums, the largest few, and the LSTM cell."""

import numpy as np

from case import FLOATS, NUMERIC, Case, Tensor, exact, rounded

# Sums of squares, square roots and divisions in f32, in any order.
NEAR = {"ulp": 16, "atol": 1e-6}


def near(type_):
    return NEAR if type_ in ("f32", "f64") else {"ulp": 1}


def batch_norm():
    c = Case("BatchNormInference", "channels")
    for shape in ((4, 3), (2, 3, 4), (2, 3, 2, 2)):
        for t in FLOATS if len(shape) == 3 else ("f32",):
            x, gamma, beta, mean = c.floats(t, shape), *(c.floats(t, (3,)) for _ in range(3))
            variance = c.floats(t, (3,), 0, 4)
            seen = (3,) + (1,) * (len(shape) - 2)
            g, b, m, v = (exact(p).reshape(seen) for p in (gamma, beta, mean, variance))
            y = (exact(x) - m) / np.sqrt(v + 0.5) * g + b
            # Version 1: as in files, or as its page shows.
            for operands, version in (([x, gamma, beta, mean, variance], "opset5"),
                                      ([gamma, beta, x, mean, variance], "opset1"),
                                      ([x, gamma, beta, mean, variance], "opset1")):
                c.node(operands, rounded(t, y), {"epsilon": 0.5}, version, **near(t))


def mvn_f64(x, axes, variance, eps, inside):
    axes = tuple(axes)
    y = x - x.mean(axis=axes, keepdims=True)
    if not variance:
        return y
    spread = (y**2).mean(axis=axes, keepdims=True)
    return y / (np.sqrt(spread + eps) if inside else np.sqrt(spread) + eps)


def mvn():
    c = Case("MVN", "axes")
    for shape, axes in (((2, 3, 4), [2]), ((2, 3, 4), [-1, 1]), ((2, 3, 4), [0, 1, 2]), ((5,), [0]),
                        ((2, 2, 2, 3), [0, 2, 3])):
        x = c.floats("f32", shape)
        for variance in (True, False):
            for mode in ("inside_sqrt", "outside_sqrt"):
                y = mvn_f64(exact(x), axes, variance, 0.25, mode == "inside_sqrt")
                c.node([x, c.i64(*axes)], rounded("f32", y),
                       {"normalize_variance": variance, "eps": 0.25, "eps_mode": mode}, "opset6",
                       **NEAR)
    c = Case("MVN", "types")
    for t in FLOATS:
        x = c.floats(t, (2, 6))
        c.node([x, Tensor("i32", [1])], rounded(t, mvn_f64(exact(x), [1], True, 0.5, True)),
               {"normalize_variance": True, "eps": 0.5, "eps_mode": "inside_sqrt"}, "opset6",
               **near(t))
    c = Case("MVN", "version_1")
    x = c.floats("f32", (2, 3, 2, 2))
    for attributes, axes in (({"across_channels": True}, [1, 2, 3]),
                             ({"across_channels": False}, [2, 3]),
                             ({"reduction_axes": [2, 3]}, [2, 3]),
                             ({"reduction_axes": [0, -1]}, [0, 3])):
        for variance in (True, False):
            c.node([x], rounded("f32", mvn_f64(exact(x), axes, variance, 0.125, True)),
                   {**attributes, "normalize_variance": variance, "eps": 0.125}, "opset2", **NEAR)


def normalize_l2():
    c = Case("NormalizeL2", "axes")
    for shape, axes in (((2, 3, 2), [1]), ((2, 3, 2), [1, 2]), ((2, 3, 2), [-3, -1]), ((4,), [0]),
                        ((2, 3, 2), [0, 1, 2])):
        x = c.floats("f32", shape)
        for mode in ("add", "max"):
            square = (exact(x) ** 2).sum(axis=tuple(axes), keepdims=True)
            total = square + 30 if mode == "add" else np.maximum(square, 30)
            c.node([x, c.i64(*axes)], rounded("f32", exact(x) / np.sqrt(total)),
                   {"eps": 30.0, "eps_mode": mode}, **NEAR)
    c = Case("NormalizeL2", "types")
    for t in FLOATS:
        x = c.floats(t, (3, 4))
        square = (exact(x) ** 2).sum(axis=1, keepdims=True)
        c.node([x, Tensor("i32", 1)], rounded(t, exact(x) / np.sqrt(square + 1)),
               {"eps": 1.0, "eps_mode": "add"}, **near(t))
    for t in FLOATS:
        for mode in ("add", "max"):  # no axes: x / x, and 0 for 0, whatever eps is
            c.node([Tensor(t, [2, -3, 0, 0.125]), Tensor("i64", np.zeros(0))],
                   Tensor(t, [1, 1, 0, 1]), {"eps": 4.0, "eps_mode": mode})


def grn():
    for t in FLOATS:
        c = Case("GRN", t)
        for shape in ((2, 3), (2, 4, 3), (1, 3, 2, 2)):
            x = c.floats(t, shape)
            y = exact(x) / np.sqrt((exact(x) ** 2).sum(axis=1, keepdims=True) + 0.25)
            c.node([x], rounded(t, y), {"bias": 0.25}, **near(t))


def group_normalization():
    for t in FLOATS:
        c = Case("GroupNormalization", t)
        for shape, groups in (((2, 4), 2), ((2, 6, 3), 3), ((1, 4, 2, 2), 1), ((1, 4, 2, 2), 4),
                              ((2, 4, 3, 7), 2)):
            x, scale, bias = c.floats(t, shape), c.floats(t, shape[1:2]), c.floats(t, shape[1:2])
            split = exact(x).reshape(shape[0], groups, -1)
            split = (split - split.mean(-1, keepdims=True)) / np.sqrt(split.var(-1, keepdims=True) + 0.5)
            each = [-1] + [1] * (len(shape) - 2)
            y = split.reshape(shape) * exact(scale).reshape(each) + exact(bias).reshape(each)
            c.node([x, scale, bias], rounded(t, y), {"num_groups": groups, "epsilon": 0.5}, **near(t))


def lrn():
    c = Case("LRN", "regions")
    for shape, axes, size in (((1, 6, 2, 2), [1], 3), ((1, 6, 2, 2), [1], 5), ((2, 2, 5, 4), [2, 3], 3),
                              ((3, 4), [1], 1), ((7,), [0], 3)):
        x = c.floats("f32", shape)
        y = np.empty(shape)
        for at in np.ndindex(shape):
            region = tuple(slice(max(0, i - size // 2), i + size // 2 + 1) if k in axes
                           else slice(i, i + 1) for k, i in enumerate(at))
            square = (exact(x)[region] ** 2).sum()
            y[at] = exact(x)[at] / (1.5 + 0.75 / size ** len(axes) * square) ** 0.5
        c.node([x, c.i64(*axes)], rounded("f32", y),
               {"alpha": 0.75, "beta": 0.5, "bias": 1.5, "size": size}, **NEAR)


def cumulative_sum():
    c = Case("CumSum", "modes")
    for t in NUMERIC:
        for exclusive in (False, True):
            for reverse in (False, True):
                x = Tensor(t, [1, 2, 3, 4, 5])
                y = x.array[::-1] if reverse else x.array
                y = np.cumsum(y) - (y if exclusive else 0)
                c.node([x, Tensor("i64", 0)], Tensor(t, y[::-1] if reverse else y),
                       {"exclusive": exclusive, "reverse": reverse})
    c = Case("CumSum", "axes")
    for shape, axis in (((2, 3, 4), 0), ((2, 3, 4), 1), ((2, 3, 4), -1), ((0, 3), 1), ((3, 0), 0)):
        x = c.floats("f32", shape)
        c.node([x, Tensor("i32", axis)], x.like(np.cumsum(x.array, axis=axis)))
    c.node([Tensor("f32", [[1, 2], [3, 4]])], Tensor("f32", [[1, 2], [4, 6]]))


def top_k_reference(x, k, axis, mode, sort):
    """Equal elements keep their order."""
    lanes = np.moveaxis(x, axis, -1)
    key = -lanes.astype(object) if mode == "max" else lanes.astype(object)
    order = np.argsort(key, axis=-1, kind="stable")[..., :k]
    order = np.sort(order, axis=-1) if sort == "index" else order
    values = np.take_along_axis(lanes, order, -1)
    return np.moveaxis(values, -1, axis), np.moveaxis(order, -1, axis)


def top_k():
    for version in ("opset1", "opset3", "opset11"):
        c = Case("TopK", f"orders_{version}")
        for shape, axis, k in (((6,), 0, 3), ((2, 5), 1, 2), ((4, 3), 0, 4), ((2, 4, 3), -2, 1)):
            x = c.distinct("f32", shape)
            for mode in ("max", "min"):
                for sort in ("value", "index"):
                    values, order = top_k_reference(x.array, k, axis, mode, sort)
                    c.node([x, Tensor("i64", k)], [x.like(values), Tensor("i32", order)],
                           {"axis": axis, "mode": mode, "sort": sort}, version)
    c = Case("TopK", "stable")
    for t in NUMERIC:
        x = c.ints(t, (3, 7), 1, 4)
        for mode in ("max", "min"):
            for sort in ("value", "index"):
                values, order = top_k_reference(x.array, 4, 1, mode, sort)
                c.node([x, Tensor("i32", 4)], [x.like(values), Tensor("i64", order)],
                       {"axis": 1, "mode": mode, "sort": sort, "stable": True,
                        "index_element_type": "i64"}, "opset11")
    x = Tensor("i32", [5, 3, 1, 2, 5, 5])
    c.node([x, Tensor("i64", 4)], [Tensor("i32", [5, 3, 1, 2]), Tensor("i32", [0, 1, 2, 3])],
           {"axis": 0, "mode": "min", "sort": "index", "stable": True}, "opset11")
    c = Case("TopK", "extremes")
    for t in ("i64", "u64", "i8", "u8"):
        info = np.iinfo(Tensor(t, 0).array.dtype)
        x = Tensor(t, [info.max, info.min, info.max - 1, info.min + 1])
        for mode in ("max", "min"):
            values, order = top_k_reference(x.array, 3, 0, mode, "value")
            c.node([x, Tensor("i64", 3)], [x.like(values), Tensor("i32", order)],
                   {"axis": 0, "mode": mode, "sort": "value"}, "opset3")


ACTIVATIONS = {"sigmoid": lambda x: 1 / (1 + np.exp(-x)), "tanh": np.tanh,
               "relu": lambda x: np.maximum(x, 0)}


def lstm_f64(x, h, cell, w, r, b, names, clip=np.inf, p=None, coupled=False):
    """The gates lie in the weights in the order f, i, c, o, in the peepholes i, o, f. clip bounds
    what goes into f and g; what goes into the last activation is not bounded."""
    f, g, last = (ACTIVATIONS[n] for n in names)
    forget, update, candidate, output = np.split(x @ w.T + h @ r.T + b, 4, axis=1)
    see_update, see_output, see_forget = (0, 0, 0) if p is None else np.split(p, 3)
    added = f(np.clip(update + see_update * cell, -clip, clip))
    kept = 1 - added if coupled else f(np.clip(forget + see_forget * cell, -clip, clip))
    cell = kept * cell + added * g(np.clip(candidate, -clip, clip))
    return f(np.clip(output + see_output * cell, -clip, clip)) * last(cell), cell


def lstm_cell():
    defaults = ["sigmoid", "tanh", "tanh"]
    c = Case("LSTMCell", "cells")
    for batch, size, hidden, names in ((1, 3, 2, None), (3, 2, 4, None),
                                       (2, 2, 2, ["sigmoid", "relu", "tanh"])):
        x, h, cell = (c.floats("f32", (batch, n), -1, 1) for n in (size, hidden, hidden))
        w, r = c.floats("f32", (4 * hidden, size), -1, 1), c.floats("f32", (4 * hidden, hidden), -1, 1)
        b = c.floats("f32", (4 * hidden,), -1, 1)
        attributes = {"hidden_size": hidden}
        attributes.update({"activations": names} if names else {})
        for bias in (b, None):
            sums = exact(bias) if bias else 0
            want = lstm_f64(*map(exact, (x, h, cell, w, r)), sums, names or defaults)
            operands = [x, h, cell, w, r] + ([bias] if bias else [])
            for version in ("opset1", "opset4"):
                c.node(operands, [rounded("f32", y) for y in want], attributes, version, ulp=8,
                       atol=1e-6)
    lstm_cell_attributes(defaults)


def lstm_cell_attributes(names):
    """clip, and what only version 1 has: peepholes and coupled gates."""
    batch, size, hidden = 2, 3, 2
    c = Case("LSTMCell", "attributes")
    for t in ("f32", "f64"):
        x, h, cell = (c.floats(t, (batch, n), -2, 2) for n in (size, hidden, hidden))
        w, r = c.floats(t, (4 * hidden, size), -1, 1), c.floats(t, (4 * hidden, hidden), -1, 1)
        b, p = c.floats(t, (4 * hidden,), -1, 1), c.floats(t, (3 * hidden,), -2, 2)
        for clip in (0, 0.25, 1):
            for peepholes in (None, p):
                for coupled in (False, True):
                    want = lstm_f64(*map(exact, (x, h, cell, w, r, b)), names, clip or np.inf,
                                    exact(peepholes) if peepholes else None, coupled)
                    c.node([x, h, cell, w, r, b] + ([p] if peepholes else []),
                           [rounded(t, y) for y in want],
                           {"hidden_size": hidden, "clip": clip, "input_forget": coupled}, "opset1",
                           ulp=8, atol=1e-6)
    # All weights are 0: the new state is half the old one, and its tanh is not clipped.
    still = [Tensor("f32", [[0]]), Tensor("f32", [[0]]), Tensor("f32", [[4]]),
             Tensor("f32", np.zeros((4, 1))), Tensor("f32", np.zeros((4, 1)))]
    for version in ("opset1", "opset4"):
        c.node(still, [Tensor("f32", [[0.5 * np.tanh(2)]]), Tensor("f32", [[2]])],
               {"hidden_size": 1, "clip": 1.0}, version, ulp=2)


def make():
    for f in (batch_norm, mvn, normalize_l2, grn, group_normalization, lrn, cumulative_sum, top_k, lstm_cell):
        f()
