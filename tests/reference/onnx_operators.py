"""Models of the operators of ONNX that none of its node tests at hand has, with results by numpy: `onnx_variants.py`
adds them, so that each operator of the importer's table has a model for conformance/unknown.py."""

import numpy as np

ML = "ai.onnx.ml"


def elements(s, f32):
    x, slope = f32(2, 3, 4), f32(3, 1)
    s.add("channels", "PRelu", 16, [x, slope], [np.where(x < 0, x * slope, x)])
    s.add("middle", "Shrink", 9, [x], [np.where(x < -0.5, x + 0.25, np.where(x > 0.5, x - 0.25, 0)).astype(np.float32)],
          {"lambd": 0.5, "bias": 0.25})
    a, b = np.array([[1, 2, 3]], np.uint8), np.array([[4], [6]], np.uint8)
    s.add("rows", "BitwiseOr", 18, [a, b], [a | b])
    zeros = np.array([[1, 0, 2], [0, 0, 3]], np.float32)
    s.add("rows", "NonZero", 13, [zeros], [np.array(np.nonzero(zeros), np.int64)])
    n = np.arange(7)
    window = 0.42 - 0.5 * np.cos(2 * np.pi * n / 6) + 0.08 * np.cos(4 * np.pi * n / 6)
    s.add("whole", "BlackmanWindow", 17, [np.array(7, np.int64)], [window.astype(np.float32)], {"periodic": 0})
    s.add("default", "ConstantOfShape", 9, [np.array([2, 3], np.int64)], [np.zeros((2, 3), np.float32)])
    s.add("parts", "StringSplit", 20, [np.array(["a b", "c"])], [np.array([["a", "b"], ["c", ""]]), np.array([2, 1], np.int64)],
          {"delimiter": " "})
    line = f32(4)
    for rank in (1, 6):
        between = np.interp(np.arange(8) / 2, np.arange(4), line).astype(np.float32)
        s.add(f"{rank}_axes", "Resize", 13, [line.reshape([1] * (rank - 1) + [4]), None, np.array([1] * (rank - 1) + [2], np.float32)],
              [between.reshape([1] * (rank - 1) + [8])], {"mode": "linear", "coordinate_transformation_mode": "asymmetric"})


def images(s, f32):
    x = f32(2, 8, 2, 3)
    deep = x.reshape(2, 2, 2, 2, 2, 3)
    s.add("dcr", "DepthToSpace", 13, [x], [deep.transpose(0, 3, 4, 1, 5, 2).reshape(2, 2, 4, 6)], {"blocksize": 2})
    crd = x.reshape(2, 2, 2, 2, 2, 3).transpose(0, 1, 4, 2, 5, 3).reshape(2, 2, 4, 6)
    s.add("crd", "DepthToSpace", 13, [x], [crd], {"blocksize": 2, "mode": "CRD"})
    wide = f32(1, 2, 4, 6)
    flat = wide.reshape(1, 2, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4).reshape(1, 8, 2, 3)
    s.add("blocks", "SpaceToDepth", 13, [wide], [flat], {"blocksize": 2})
    s.add("cubes", "GlobalLpPool", 2, [wide], [(np.abs(wide) ** 3).sum((2, 3), keepdims=True) ** (1 / 3)], {"p": 3})
    boxes = np.array([[0, 0, 0, 3, 3], [0, 2, 1, 5, 2]], np.float32)
    best = np.stack([[[[wide[0, c, :2, :2].max(), wide[0, c, :2, 2:4].max()],
                       [wide[0, c, 2:, :2].max(), wide[0, c, 2:, 2:4].max()]] for c in range(2)],
                     [[[wide[0, c, 1:2, 2:4].max(), wide[0, c, 1:2, 4:].max()],
                       [wide[0, c, 2:3, 2:4].max(), wide[0, c, 2:3, 4:].max()]] for c in range(2)]])
    s.add("two", "MaxRoiPool", 22, [wide, boxes], [best], {"pooled_shape": [2, 2], "spatial_scale": 1.0})
    s.add("twice", "Upsample", 9, [wide, np.array([1, 1, 2, 3], np.float32)], [wide.repeat(2, 2).repeat(3, 3)])
    s.add("attribute", "Upsample", 7, [wide], [wide.repeat(2, 2).repeat(3, 3)], {"scales": [1.0, 1.0, 2.0, 3.0]})


def bytes_of_numbers(s, f32, rng):
    a, b = rng.randint(0, 255, (2, 3, 4)).astype(np.uint8), rng.randint(-128, 127, (4, 5)).astype(np.int8)
    zero_a, zero_b = np.array(130, np.uint8), np.array(3, np.int8)
    wide = (a.astype(np.int32) - 130) @ (b.astype(np.int32) - 3)
    s.add("zeros", "MatMulInteger", 10, [a, b, zero_a, zero_b], [wide])
    image, filters = rng.randint(0, 255, (1, 1, 4, 5)).astype(np.uint8), rng.randint(0, 255, (2, 1, 2, 2)).astype(np.uint8)
    scale, zero = (np.array(v, np.float32) for v in (0.5, 0.25)), np.array(128, np.uint8)
    x_scale, w_scale = scale
    bias = np.array([40, -40], np.int32)
    sums = np.zeros((1, 2, 3, 4), np.int64)
    for i in range(3):
        for j in range(4):
            part = image[:, :, i:i + 2, j:j + 2].astype(np.int64) - 128
            sums[:, :, i, j] = (part[:, None] * (filters.astype(np.int64) - 128)[None]).sum((2, 3, 4))
    sums += bias[None, :, None, None]
    y = np.clip(np.rint(sums * (0.125 / 64)) + 128, 0, 255).astype(np.uint8)
    s.add("bias", "QLinearConv", 10, [image, x_scale, zero, filters, w_scale, zero, np.array(64, np.float32), zero, bias], [y])


def tables(s, f32):
    x = f32(3, 4)
    s.add("above", "Binarizer", 1, [x], [(x > 0.25).astype(np.float32)], {"threshold": 0.25}, ML)
    holes = x.copy()
    holes[1, 2] = holes[0, 0] = np.nan
    s.add("holes", "Imputer", 1, [holes], [np.where(np.isnan(holes), np.float32([1, 2, 3, 4]), holes)],
          {"imputed_value_floats": [1.0, 2.0, 3.0, 4.0], "replaced_value_float": float("nan")}, ML)
    s.add("columns", "Scaler", 1, [x], [(x - np.float32([0.5, 0, 1, -1])) * np.float32([2, 1, 0.5, 4])],
          {"offset": [0.5, 0.0, 1.0, -1.0], "scale": [2.0, 1.0, 0.5, 4.0]}, ML)
    s.add("l2", "Normalizer", 1, [x], [x / np.sqrt((x * x).sum(1, keepdims=True))], {"norm": "L2"}, ML)
    w = [0.5, -1.0, 2.0, 0.25, 1.0, 0.0, -0.5, 3.0]
    s.add("two", "LinearRegressor", 1, [x], [x @ np.float32(w).reshape(2, 4).T + np.float32([1, -1])],
          {"coefficients": w, "intercepts": [1.0, -1.0], "targets": 2}, ML)
    words = np.array([3, 1, 7], np.int64)
    s.add("numbers", "OneHotEncoder", 1, [words], [(words[:, None] == np.array([1, 3, 5])).astype(np.float32)],
          {"cats_int64s": [1, 3, 5], "zeros": 1}, ML)
    s.add("joined", "FeatureVectorizer", 1, [x, x[:, :2]], [np.concatenate((x, x[:, :2]), 1)],
          {"inputdimensions": [4, 2]}, ML)
    scores = x @ np.float32(w).reshape(2, 4).T + np.float32([1, -1])
    s.add("labels", "LinearClassifier", 1, [x], [np.array([10, 20])[scores.argmax(1)].astype(np.int64), scores],
          {"coefficients": w, "intercepts": [1.0, -1.0], "classlabels_ints": [10, 20]}, ML)
    y = np.where(x[:, 1:2] <= 0, 1.5, np.where(x[:, 2:3] <= 0.5, 2.5, -1.0)).astype(np.float32)
    s.add("tree", "TreeEnsembleRegressor", 1, [x], [y],
          {"n_targets": 1, "nodes_treeids": [0] * 5, "nodes_nodeids": [0, 1, 2, 3, 4], "nodes_featureids": [1, 0, 2, 0, 0],
           "nodes_modes": ["BRANCH_LEQ", "LEAF", "BRANCH_LEQ", "LEAF", "LEAF"], "nodes_values": [0.0, 0.0, 0.5, 0.0, 0.0],
           "nodes_truenodeids": [1, 0, 3, 0, 0], "nodes_falsenodeids": [2, 0, 4, 0, 0], "target_treeids": [0] * 3,
           "target_nodeids": [1, 3, 4], "target_ids": [0] * 3, "target_weights": [1.5, 2.5, -1.0]}, ML)
    s.add("leaves", "TreeEnsembleClassifier", 1, [x], [np.where(x[:, 1] <= 0, 7, 9), np.where(x[:, 1:2] <= 0, [[1, 0]], [[0, 1]])
                                                       .astype(np.float32)],
          {"nodes_treeids": [0] * 3, "nodes_nodeids": [0, 1, 2], "nodes_featureids": [1, 0, 0],
           "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"], "nodes_values": [0.0, 0.0, 0.0], "nodes_truenodeids": [1, 0, 0],
           "nodes_falsenodeids": [2, 0, 0], "class_treeids": [0, 0], "class_nodeids": [1, 2], "class_ids": [0, 1],
           "class_weights": [1.0, 1.0], "classlabels_int64s": [7, 9]}, ML)
    names = np.array(["b", "c", "?"])
    s.add("words", "CategoryMapper", 1, [names], [np.array([2, 3, -1])],
          {"cats_strings": ["a", "b", "c"], "cats_int64s": [1, 2, 3], "default_int64": -1}, ML)
    support = f32(2, 4)
    kernel = np.exp(-0.5 * ((x[:, None] - support[None]) ** 2).sum(-1))
    s.add("rbf", "SVMRegressor", 1, [x], [(kernel @ np.float32([1.5, -0.5]) + np.float32(0.25)).reshape(-1, 1)],
          {"coefficients": [1.5, -0.5], "kernel_params": [0.5, 0.0, 3.0], "kernel_type": "RBF", "n_supports": 2,
           "rho": [0.25], "support_vectors": [float(v) for v in support.reshape(-1)]}, ML)


def places(s, f32):
    x, rows = f32(3, 4), np.array([[0, -1, 2, -3], [-2, 1, 0, 0]], np.int64)
    s.add("from_the_end", "GatherElements", 13, [x, rows], [np.take_along_axis(x, rows % 3, 0)], {"axis": 0})
    u = f32(2, 4)
    for name, combine in (("none", None), ("add", np.add), ("mul", np.multiply), ("max", np.maximum), ("min", np.minimum)):
        distinct, want, pairs = np.array([[0, -1, 2, -3], [-2, 1, 0, 2]], np.int64), x.copy(), x.copy()
        for i in range(2):
            for j in range(4):
                at = (distinct[i, j] % 3, j)
                want[at] = u[i, j] if combine is None else combine(want[at], u[i, j])
        s.add(name, "ScatterElements", 18, [x, distinct, u], [want], {"axis": 0, "reduction": name})
        for k, row in enumerate((2, 0)):
            pairs[row] = u[k] if combine is None else combine(pairs[row], u[k])
        s.add(name, "ScatterND", 18, [x, np.array([[2], [0]], np.int64), u], [pairs], {"reduction": name})


def all_of(s, f32, rng):
    places(s, f32)
    elements(s, f32)
    images(s, f32)
    bytes_of_numbers(s, f32, rng)
    tables(s, f32)
