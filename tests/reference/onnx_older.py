"""Models of operators of ONNX as older versions had them, with attributes, ranks and types that no other model has, and
of those that draw numbers, with results by numpy: `onnx_variants.py` adds them."""

import numpy as np

from onnx_model import node, write_graph

ML = "ai.onnx.ml"


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def hardmax(x, axis=-1):
    return (np.arange(x.shape[axis]).reshape([-1 if i == axis % x.ndim else 1 for i in range(x.ndim)]) ==
            np.expand_dims(x.argmax(axis), axis)).astype(np.float32)


def flattened(s, f32):
    """Before version 13 the axes from `axis` on, by default 1, were one; from then on `axis` is one, by default the last."""
    x = f32(2, 3, 4)
    for op, f in (("Softmax", softmax), ("LogSoftmax", lambda x, axis=-1: np.log(softmax(x, axis))), ("Hardmax", hardmax)):
        for axis in (None, 0, 1, 2, -1, -2):
            for opset in (1, 11, 13):
                attributes = {} if axis is None else {"axis": axis}
                if opset == 13:
                    y = f(x, -1 if axis is None else axis)
                else:
                    at = (1 if axis is None else axis) % 3
                    y = f(x.reshape(int(np.prod(x.shape[:at])), -1)).reshape(x.shape)
                s.add(f"axis_{axis}".replace("-", "m"), op, opset, [x], [y], attributes)


def attributes_of_old(s, f32):
    """What later versions have as operands."""
    x, thin = f32(2, 3, 4), f32(1, 3, 1, 2)
    for opset in (1, 6):
        s.add("both", "Clip", opset, [x], [np.clip(x, -0.5, 0.25)], {"min": -0.5, "max": 0.25})
        s.add("low", "Clip", opset, [x], [np.maximum(x, np.float32(0.125))], {"min": 0.125})
        s.add("high", "Clip", opset, [x], [np.minimum(x, np.float32(-0.125))], {"max": -0.125})
    s.add("shape", "Reshape", 1, [x], [x.reshape(2, 12)], {"shape": [0, -1]})
    for opset in (1, 11):
        s.add("one", "Squeeze", opset, [thin], [thin[0]], {"axes": [0]})
        s.add("two", "Squeeze", opset, [thin], [thin[0, :, 0]], {"axes": [2, 0]})
        s.add("all", "Squeeze", opset, [thin], [thin[0, :, 0]])
        s.add("two", "Unsqueeze", opset, [x], [x[:, None, :, :, None]], {"axes": [1, 4]})
    s.add("axes", "Slice", 1, [x], [x[1:2, :, 1:]], {"axes": [0, 2], "starts": [1, -3], "ends": [2, 1000]})
    s.add("all", "Slice", 1, [x], [x[0:1, 1:3]], {"starts": [0, 1], "ends": [-1, 3]})
    image = f32(1, 2, 2, 3)
    s.add("nearest", "Upsample", 1, [image], [image.repeat(2, 2).repeat(3, 3)],
          {"height_scale": 2.0, "width_scale": 3.0, "mode": "nearest"})
    below = np.concatenate((image[:, :, 1:], image[:, :, 1:]), 2)
    rows = np.stack((image, (image + below) / 2), 3).reshape(1, 2, 4, 3)
    s.add("bilinear", "Upsample", 1, [image], [rows], {"height_scale": 2.0, "width_scale": 1.0, "mode": "bilinear"})
    s.add("linear", "Upsample", 7, [image], [rows], {"scales": [1.0, 1.0, 2.0, 1.0], "mode": "linear"})
    for op, opset in (("Upsample", 9), ("Resize", 10)):
        write_graph(s.folder / f"{op}_{opset}_fixed", opset, [node(op, ["x", "scales"], ["y"], {"mode": "linear"})],
                    [("x", image)], [("y", rows)], constants=[("scales", np.array([1, 1, 2, 1], np.float32))])
    for name, y in (("sizes", rows), ("fewer", rows[:, :, ::2])):
        sizes = np.array(y.shape, np.int64)
        write_graph(s.folder / f"Resize_13_{name}", 13, [node("Resize", ["x", "", "", "sizes"], ["y"], {
            "mode": "linear", "coordinate_transformation_mode": "asymmetric"})], [("x", image)], [("y", y)],
                    constants=[("sizes", sizes)])


def ranks(s, f32):
    for i, x in enumerate((-2.0, 0.5, 2.0)):
        x, slope = np.array(x, np.float32), np.array(0.25, np.float32)
        s.add(f"scalar_{i}", "PRelu", 16, [x, slope], [np.where(x < 0, x * slope, x).astype(np.float32)])
    x, slope = f32(2, 3, 4), f32(3)
    s.add("channels", "PRelu", 1, [x, slope], [np.where(x < 0, x * slope[:, None], x)])
    s.add("last", "PRelu", 7, [x, slope[:1]], [np.where(x < 0, x * slope[0], x)])
    s.add("tensor", "OptionalGetElement", 18, [x], [x])
    rng = np.random.RandomState(5)
    for name, left, right, zero in (("vector", (4,), (4, 5), (1,)), ("vectors", (4,), (4,), ()), ("rows", (3, 4), (4, 5), (3,)),
                                    ("one_row", (1, 4), (4, 5), (1,)), ("batches", (2, 3, 4), (4, 5), ()),
                                    ("column", (3, 4), (4,), ())):
        a, b = rng.randint(0, 255, left).astype(np.uint8), rng.randint(0, 255, right).astype(np.uint8)
        z = rng.randint(0, 255, zero).astype(np.uint8)
        wide = np.asarray((a.astype(np.int32) - (z.astype(np.int32)[:, None] if name == "rows" else z.astype(np.int32))) @
                          b.astype(np.int32), np.int32)
        s.add(name, "MatMulInteger", 10, [a, b, z], [wide])
    base = np.array([4, -3, 2, 9], np.int32)
    s.add("root", "Pow", 13, [np.abs(base), np.array(1.5, np.float32)], [np.array([8, 5, 2, 27], np.int32)])
    s.add("square", "Pow", 12, [base, np.array(2.0, np.float32)], [base * base])


def places(s, f32):
    """Of the greatest elements, counted with the first spatial axis or the last one fastest, over all of the data."""
    for name, shape, kernel, strides in (("plane", (2, 2, 4, 6), (2, 3), (2, 1)), ("cube", (1, 2, 2, 4, 3), (1, 2, 3), (1, 2, 1))):
        x = np.random.RandomState(8).permutation(int(np.prod(shape))).astype(np.float32).reshape(shape)
        sizes = [(n - k) // t + 1 for n, k, t in zip(shape[2:], kernel, strides)]
        y = np.zeros(shape[:2] + tuple(sizes), np.float32)
        at = {order: np.zeros(y.shape, np.int64) for order in "CF"}
        for i in np.ndindex(*y.shape):
            begin = [k * t for k, t in zip(i[2:], strides)]
            part = x[i[:2] + tuple(slice(b, b + k) for b, k in zip(begin, kernel))]
            best = np.unravel_index(part.argmax(), part.shape)
            y[i] = part.max()
            for order in "CF":
                inside = np.ravel_multi_index([b + k for b, k in zip(begin, best)], shape[2:], order=order)
                at[order][i] = (i[0] * shape[1] + i[1]) * int(np.prod(shape[2:])) + inside
        for order in "CF":
            s.add(f"{name}_{order}", "MaxPool", 12, [x], [y, at[order]],
                  {"kernel_shape": list(kernel), "strides": list(strides), "storage_order": int(order == "F")})


def frames(s, f32):
    x, window = f32(2, 9, 1), np.abs(f32(4))
    pair = f32(1, 7, 2)
    split = lambda z: np.stack((z.real, z.imag), -1).astype(np.float32)
    parts = np.stack([x[:, at:at + 4, 0] for at in (0, 2, 4)], 1)
    step, length = np.array(2, np.int64), np.array(4, np.int64)
    for name, sided in (("half", 1), ("whole", 0)):
        turn = np.fft.rfft if sided else np.fft.fft
        s.add(name, "STFT", 17, [x, step, window], [split(turn(parts * window))], {"onesided": sided})
        s.add(name + "_bare", "STFT", 17, [x, step, None, length], [split(turn(parts))], {"onesided": sided})
    z = pair[..., 0] + 1j * pair[..., 1]
    s.add("complex", "STFT", 17, [pair, step, window, length],
          [split(np.fft.fft(np.stack([z[:, at:at + 4] for at in (0, 2)], 1) * window))], {"onesided": 0})


def convolutions(s, f32):
    x, w, bias, past = f32(2, 3, 5), f32(3, 1, 3), f32(3), f32(2, 3, 2)
    long = np.concatenate((past, x), 2)
    y = sum(long[:, :, k:k + 5] * w[:, 0, k, None] for k in range(3)) + bias[:, None]
    for word, want in (("none", y), ("silu", y / (1 + np.exp(-y))), ("swish", y / (1 + np.exp(-y)))):
        s.add(word, "CausalConvWithState", 27, [x, w, bias, past], [want, long[:, :, -2:]], {"activation": word})


def linear_models(s, f32):
    """The transforms of scores, one score for two classes, all kernels, and classes that are words."""
    x = f32(3, 4)
    w = [0.5, -1.0, 2.0, 0.25, 1.0, 0.0, -0.5, 3.0]
    scores = x @ np.float32(w).reshape(2, 4).T + np.float32([1, -1])
    scores[0, 1] = 0
    logistic = lambda v: 1 / (1 + np.exp(-v))
    kept = np.where(scores != 0, np.exp(scores - scores.max(1, keepdims=True)), 0)
    for how, y in (("NONE", scores), ("LOGISTIC", logistic(scores)), ("SOFTMAX", softmax(scores)),
                   ("SOFTMAX_ZERO", kept / kept.sum(1, keepdims=True))):
        eye = {"coefficients": [1.0, 0.0, 0.0, 1.0], "post_transform": how}
        s.add(how, "LinearRegressor", 1, [scores], [y], {"targets": 2, **eye}, ML)
        s.add(how, "LinearClassifier", 1, [scores], [np.array(["no", "yes"])[y.argmax(1)], y],
              {"classlabels_strings": ["no", "yes"], "intercepts": [0.0, 0.0], **eye}, ML)
    one = x @ np.float32(w[:4]) + np.float32(0.25)
    for how, y in (("NONE", one), ("LOGISTIC", logistic(one))):
        both = np.stack((1 - y, y), 1)
        s.add(f"{how}_one", "LinearClassifier", 1, [x], [np.array([4, 6])[(one > 0).astype(int)], both],
              {"coefficients": w[:4], "intercepts": [0.25], "classlabels_ints": [4, 6], "post_transform": how}, ML)
    support, factors = f32(2, 4), np.float32([1.5, -0.5])
    dot = x @ support.T
    square = ((x[:, None] - support[None]) ** 2).sum(-1)
    for kernel, y in (("LINEAR", dot), ("POLY", (0.5 * dot + 2) ** 3), ("RBF", np.exp(-0.5 * square)),
                      ("SIGMOID", np.tanh(0.5 * dot + 2))):
        y = (y @ factors + np.float32(0.25)).reshape(-1, 1)
        given = {"coefficients": [1.5, -0.5], "kernel_params": [0.5, 2.0, 3.0], "kernel_type": kernel, "n_supports": 2,
                 "support_vectors": [float(v) for v in support.reshape(-1)]}
        for shift in (0.25, -0.125):
            name = f"{kernel}_{'up' if shift > 0 else 'down'}"
            s.add(name, "SVMRegressor", 1, [x], [y - np.float32(0.25 - shift)], {"rho": [shift], **given}, ML)
            s.add(f"{name}_side", "SVMRegressor", 1, [x], [np.where(y - np.float32(0.25 - shift) > 0, 1, -1).astype(np.float32)],
                  {"rho": [shift], "one_class": 1, **given}, ML)
    s.add("plain", "SVMRegressor", 1, [x], [(x @ np.float32(w[:4]) + np.float32(0.5)).reshape(-1, 1)],
          {"coefficients": w[:4], "rho": [0.5]}, ML)


def voted(scores, pairs, count):
    """The class that wins most pairs, the first one of several."""
    out = []
    for row in scores:
        votes = np.zeros(count)
        for s, (i, j) in zip(row, pairs):
            votes[i if s > 0 else j] += 1
        out.append(votes.argmax())
    return np.array(out)


def coupled(r, pairs, count):
    """Wu, Lin and Weng's second method of combining the probabilities of pairs, iterated until nothing changes."""
    out = []
    for row in r:
        m = np.zeros((count, count))
        for p, (i, j) in zip(row, pairs):
            m[i, j], m[j, i] = p, 1 - p
        q = -m * m.T
        np.fill_diagonal(q, (m**2).sum(0))
        p = np.full(count, 1 / count)
        for _ in range(2000):
            for t in range(count):
                qp = q @ p
                p[t] += (p @ qp - qp[t]) / q[t, t]
                p /= p.sum()
        out.append(p)
    return np.array(out)


def machines(s, f32):
    """SVMClassifier: each pair of classes votes."""
    logistic = lambda v: 1 / (1 + np.exp(-v))
    for name, counts, kernel, chance, how in (
            ("two", [2, 1], "RBF", 0, "NONE"), ("three", [2, 1, 2], "POLY", 0, "NONE"), ("three_logistic", [1, 1, 2], "LINEAR", 0, "LOGISTIC"),
            ("two_chances", [2, 1], "LINEAR", 1, "NONE"), ("four_chances", [2, 1, 1, 3], "RBF", 1, "NONE")):
        n, total = len(counts), sum(counts)
        pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
        x, vectors, factors = f32(5, 3), f32(total, 3), f32(n - 1, total)
        rho, a, b = f32(len(pairs)) / 4, -np.abs(f32(len(pairs))), f32(len(pairs))
        wide = x.astype(np.float64)
        k = (np.exp(-0.5 * ((wide[:, None] - vectors) ** 2).sum(-1)) if kernel == "RBF" else wide @ vectors.T if kernel == "LINEAR"
             else (0.5 * wide @ vectors.T + 2) ** 3)
        ends = np.concatenate(([0], np.cumsum(counts)))
        own = [slice(ends[i], ends[i + 1]) for i in range(n)]
        scores = np.stack([k[:, own[i]] @ factors[j - 1, own[i]] + k[:, own[j]] @ factors[i, own[j]] + r
                           for (i, j), r in zip(pairs, rho)], 1)
        labels = voted(scores, pairs, n) + 3
        z = coupled(logistic(-(scores * a + b)), pairs, n) if chance else np.concatenate((-scores, scores), 1) if n == 2 else scores
        given = {"kernel_type": kernel, "kernel_params": [0.5, 2.0, 3.0], "vectors_per_class": counts,
                 "coefficients": [float(v) for v in factors.reshape(-1)], "support_vectors": [float(v) for v in vectors.reshape(-1)],
                 "rho": [float(v) for v in rho], "classlabels_ints": list(range(3, 3 + n)), "post_transform": how,
                 **({"prob_a": [float(v) for v in a], "prob_b": [float(v) for v in b]} if chance else {})}
        s.add(name, "SVMClassifier", 1, [x], [labels, logistic(z) if how == "LOGISTIC" else z], given, ML)
    x, w = f32(4, 3), f32(3, 3)
    y = x.astype(np.float64) @ w.T + 0.25
    s.add("linear", "SVMClassifier", 1, [x], [np.array(["a", "b", "c"])[y.argmax(1)], y],
          {"coefficients": [float(v) for v in w.reshape(-1)], "rho": [0.25], "classlabels_strings": ["a", "b", "c"]}, ML)
    p = np.array([[0.1, 0.5, 0.9, 0.99]], np.float32)
    t = 2 * p.astype(np.float64) - 1
    l = np.log(1 - t * t)
    c = 2 / (np.pi * 0.147) + l / 2
    s.add("probit", "LinearRegressor", 1, [p], [np.sign(t) * np.sqrt(2) * np.sqrt(-c + np.sqrt(c * c - l / 0.147))],
          {"targets": 4, "coefficients": [float(v) for v in np.eye(4).reshape(-1)], "post_transform": "PROBIT"}, ML)

def trees(s, f32):
    """All votes for one of two classes, and what votes of several trees become."""
    x = f32(3, 4)
    at = x[:, 1] <= 0
    vote = np.where(at, 0.75, 0.125).astype(np.float32)
    nodes = {"nodes_treeids": [0] * 3, "nodes_nodeids": [0, 1, 2], "nodes_featureids": [1, 0, 0],
             "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"], "nodes_values": [0.0, 0.0, 0.0],
             "nodes_truenodeids": [1, 0, 0], "nodes_falsenodeids": [2, 0, 0]}
    both = np.stack((1 - vote, vote), 1)
    s.add("one_class", "TreeEnsembleClassifier", 1, [x], [np.array(["no", "yes"])[both.argmax(1)], both],
          {**nodes, "class_treeids": [0, 0], "class_nodeids": [1, 2], "class_ids": [1, 1], "class_weights": [0.75, 0.125],
           "classlabels_strings": ["no", "yes"]}, ML)
    pair = {k: v + v for k, v in nodes.items()}
    pair["nodes_treeids"] = [0] * 3 + [1] * 3
    pair["nodes_featureids"] = [1, 0, 0, 2, 0, 0]
    other = np.where(x[:, 2] <= 0, -0.5, 2.0).astype(np.float32)
    for word, fold in (("SUM", np.add), ("AVERAGE", lambda a, b: (a + b) / 2), ("MIN", np.minimum), ("MAX", np.maximum)):
        s.add(word, "TreeEnsembleRegressor", 1, [x], [fold(vote, other).reshape(-1, 1) + np.float32(0.5)],
              {**pair, "n_targets": 1, "aggregate_function": word, "target_treeids": [0, 0, 1, 1], "target_nodeids": [1, 2] * 2,
               "target_ids": [0] * 4, "target_weights": [0.75, 0.125, -0.5, 2.0], "base_values": [0.5]}, ML)


def tables(s, f32):
    x, line = f32(3, 4), f32(4)
    words, numbers = np.array(["b", "z", "a"]), np.array([1, 7, 0], np.int64)
    s.add("words", "LabelEncoder", 1, [words], [np.array([1, -1, 0])], {"classes_strings": ["a", "b"]}, ML)
    s.add("default", "LabelEncoder", 1, [words], [np.array([1, 9, 0])], {"classes_strings": ["a", "b"], "default_int64": 9}, ML)
    s.add("numbers", "LabelEncoder", 1, [numbers], [np.array(["b", "_Unused", "a"])], {"classes_strings": ["a", "b"]}, ML)
    s.add("numbers", "CategoryMapper", 1, [numbers], [np.array(["a", "?", "b"])],
          {"cats_strings": ["a", "b"], "cats_int64s": [1, 0], "default_string": "?"}, ML)
    s.add("floats", "LabelEncoder", 2, [words], [np.float32([0.5, 4, 0.25])],
          {"keys_strings": ["a", "b"], "values_floats": [0.25, 0.5], "default_float": 4.0}, ML)
    s.add("texts", "LabelEncoder", 2, [numbers], [np.array(["x", "_Unused", "y"])],
          {"keys_int64s": [1, 0], "values_strings": ["x", "y"]}, ML)
    known = np.array([[7, 5], [9, 7]])
    s.add("all_known", "OneHotEncoder", 1, [known], [(known[..., None] == np.array([5, 7, 9])).astype(np.float32)],
          {"cats_int64s": [5, 7, 9], "zeros": 0}, ML)
    s.add("words", "OneHotEncoder", 1, [words], [(words[:, None] == np.array(["a", "b"])).astype(np.float32)],
          {"cats_strings": ["a", "b"]}, ML)
    s.add("line", "ArrayFeatureExtractor", 1, [line, np.array([2, 0], np.int64)], [line[None, [2, 0]]], None, ML)
    s.add("lines", "FeatureVectorizer", 1, [line, line[:2]], [np.concatenate((line, line[:2]))[None]],
          {"inputdimensions": [4, 2]}, ML)
    whole = np.array([[1, 0, 3], [0, 5, 0]], np.int64)
    s.add("numbers", "Imputer", 1, [whole], [np.where(whole == 0, [7, 8, 9], whole)],
          {"imputed_value_int64s": [7, 8, 9], "replaced_value_int64": 0}, ML)
    s.add("floats", "Imputer", 1, [x], [np.where(x == x[1, 2], np.float32(2.5), x)],
          {"imputed_value_floats": [2.5], "replaced_value_float": float(x[1, 2])}, ML)
    s.add("numbers", "Binarizer", 1, [whole], [(whole > 0.5).astype(np.int64)], {"threshold": 0.5}, ML)
    s.add("none", "Scaler", 1, [x], [x * np.float32(2)], {"scale": [2.0]}, ML)
    zeros = np.abs(x)
    zeros[1] = 0
    for norm, by in (("MAX", zeros.max(1)), ("L1", zeros.sum(1)), ("L2", np.sqrt((zeros * zeros).sum(1)))):
        s.add(norm, "Normalizer", 1, [zeros], [zeros / np.where(by == 0, 1, by)[:, None]], {"norm": norm}, ML)


def drawn(s, f32):
    """Of numbers that are drawn: those that can be but one, and what many of them are in the mean."""
    x, most = f32(3, 4), 0.99999994
    for opset, rest in ((1, {"is_test": 1}), (6, {"is_test": 1})):
        s.add("test", "Dropout", opset, [x], [x], {"ratio": 0.75, **rest})
    s.add("all", "Dropout", 6, [x], [0 * x], {"ratio": most})
    s.add("test", "Dropout", 10, [x], [x, np.ones(x.shape, bool)], {"ratio": 0.75})
    for opset in (12, 22):
        for trains in (False, True):
            for fixed in (False, True):
                rest = [("ratio", np.array(most, np.float32)), ("train", np.array(trains))]
                write_graph(s.folder / f"Dropout_{opset}_{trains}_{fixed}", opset, [node("Dropout", ["x", "ratio", "train"], ["y", "m"])],
                            [("x", x)] + ([] if fixed else rest), [("y", 0 * x if trains else x), ("m", np.full(x.shape, not trains))],
                            constants=rest if fixed else [])
    s.add("sure", "Bernoulli", 15, [(x > 0).astype(np.float32)], [x > 0], {"dtype": 9})
    sure = np.float32([[0, -1e4, -1e4], [-1e4, -1e4, 0]])
    for kind, dtype in ((np.int32, 6), (np.int64, 7)):
        s.add(f"sure_{dtype}", "Multinomial", 7, [sure], [np.repeat(np.array([[0], [2]], kind), 5, 1)], {"sample_size": 5, "dtype": dtype})
    count = [200, 200]
    like = np.zeros(count, np.float32)
    bits = lambda p: [p, p * (1 - p)]
    for op, opset, given, attributes, (mean, spread) in (
            ("RandomUniform", 1, [], {"shape": count, "low": -1.0, "high": 3.0}, (1, 16 / 12)),
            ("RandomUniform", 1, [], {"shape": count}, (0.5, 1 / 12)),
            ("RandomUniformLike", 1, [like], {"low": 2.0, "high": 3.0}, (2.5, 1 / 12)),
            ("RandomNormal", 1, [], {"shape": count, "mean": 3.0, "scale": 2.0}, (3, 4)),
            ("RandomNormal", 1, [], {"shape": count}, (0, 1)),
            ("RandomNormalLike", 1, [like], {"mean": -1.0, "scale": 0.5}, (-1, 0.25)),
            ("Bernoulli", 15, [like + np.float32(0.25)], {}, bits(0.25)),
            ("Multinomial", 7, [np.log(np.float32([[0.25, 0.75]]))], {"sample_size": 40000}, bits(0.75)),
            ("Dropout", 13, [like + 1, np.array(0.25, np.float32), np.array(True)], {}, (1, 1 / 3))):
        names = [f"x{i}" for i in range(len(given))]
        constants = [("mean", np.array(mean, np.float32)), ("spread", np.array(spread, np.float32)), ("near", np.array(0.05, np.float32))]
        nodes = [node(op, names, ["drawn"], attributes), node("Cast", ["drawn"], ["wide"], {"to": 1}),
                 node("Sub", ["wide", "mean"], ["d"]), node("Mul", ["d", "d"], ["q"]), node("ReduceMean", ["d"], ["d0"]),
                 node("ReduceMean", ["q"], ["q0"]), node("Sub", ["q0", "spread"], ["q1"]), node("Abs", ["d0"], ["d2"]),
                 node("Abs", ["q1"], ["q2"]), node("Max", ["d2", "q2"], ["most"]), node("Less", ["most", "near"], ["y"])]
        write_graph(s.folder / f"{op}_{opset}_mean_{mean}", max(opset, 9), nodes, list(zip(names, given)),
                    [("y", np.array([[True]]))], constants=constants)


def all_of(s, f32):
    for part in (flattened, attributes_of_old, ranks, places, frames, convolutions, linear_models, machines, trees, tables, drawn):
        part(s, f32)
