"""Values of attributes that no other case tells from the default: chosen such that the default gives another result,
or that only one of the two is refused (unit/test_attribute_values.c asks for one case for each value)."""

import itertools
import math

import numpy as np

from case import Refused, Tensor, exact, rounded
from detection import close, moved, prior_grid
from heads import binary_convolution
from images import case_of, deformable, interpolate, resize
from networks import (BACKPROPS, POOLS, Window, avg_pool, backprop_geometry, conv_attributes, max_pool, pool_attributes,
                      signed_distinct, spread)
from recurrent import DEFAULTS, Operands, functions, in_order, openvino_biases
from suppression import (centers, corners, hard_class, matrix_class, multiclass, multiclass_node, overlap, padded, scattered, suppress)

# ---- auto_broadcast ----

NUMBERS = ("Add", "Subtract", "Multiply", "Maximum", "Minimum", "Power", "Mod", "FloorMod", "SquaredDifference", "Divide",
           "Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual", "BitwiseAnd", "BitwiseOr", "BitwiseXor",
           "BitwiseLeftShift", "BitwiseRightShift")
BOOLEANS = ("LogicalAnd", "LogicalOr", "LogicalXor", "Xor")


def broadcasts():
    """numpy takes all of these; none wants equal shapes, and pdpd has the larger one on the left."""
    row, plane = np.array([1, 2, 3]), np.array([[3, 1, 2], [2, 3, 1]])
    for op, kind in [(op, "i32") for op in NUMBERS] + [(op, "boolean") for op in BOOLEANS]:
        c = case_of(op, "auto_broadcast")
        small, large = (Tensor(kind, x > 1 if kind == "boolean" else x) for x in (row, plane))
        c.node([large, small], Refused("it must have the rank of input 0"), {"auto_broadcast": "none"})
        c.node([small, large], Refused("does not fit input 0"), {"auto_broadcast": "pdpd"})
    for op, f in (("BitwiseLeftShift", np.left_shift), ("BitwiseRightShift", np.right_shift)):
        x, by = Tensor("i32", [[100, 7, 64], [5, 1, 33]]), Tensor("i32", [[1], [3]])
        case_of(op, "broadcast").node([x, by], x.like(f(x.array, by.array)))
    a, b = Tensor("boolean", [[0], [1]]), Tensor("boolean", [0, 1, 1])
    case_of("Xor", "broadcast").node([a, b], a.like(a.array ^ b.array), version="opset1")


def broadcasts_of_several():
    c, yes = case_of("Select", "auto_broadcast"), Tensor("boolean", [[True], [False]])
    a, b = Tensor("f32", [[1, 2, 3], [4, 5, 6]]), Tensor("f32", [7, 8, 9])
    c.node([yes, a, b], Refused("input"), {"auto_broadcast": "none"})
    c.node([yes, b, a], Refused("input"), {"auto_broadcast": "pdpd"})
    c = case_of("FakeQuantize", "auto_broadcast")
    x, low, high = c.floats("f32", (2, 3), -2, 2), Tensor("f32", [[-1], [-2]]), Tensor("f32", [1, 1.5, 2])
    step = (exact(high) - exact(low)) / 8
    y = np.round((np.clip(exact(x), exact(low), exact(high)) - exact(low)) / step) * step + exact(low)
    c.node([x, low, high, low, high], Refused("input"), {"levels": 9, "auto_broadcast": "none"})
    c.node([x, low, high, low, high], rounded("f32", y), {"levels": 9}, ulp=2, atol=1e-6)


# ---- convolutions and poolings ----


def window_of(size, kernel, strides, dilations, auto_pad, rounding="floor"):
    return Window(size, kernel, strides, dilations, [0, 0], [0, 0], auto_pad, rounding)


def paddings():
    for how in ("same_upper", "same_lower", "valid"):
        given = conv_attributes([1, 2], [1, 1], [1, 1], [2, 2], how)
        window = window_of([4, 5], [2, 2], [1, 2], [1, 1], how)
        c = case_of("BinaryConvolution", "auto_pad")
        x, filters = c.ints("f32", (1, 2, 4, 5), 0, 2), c.ints("u1", (2, 2, 2, 2), 0, 2)
        a = {**given, "mode": "xnor-popcount", "pad_value": 0}
        y = binary_convolution(exact(x), filters.array, {**a, "pads_begin": window.begin}, window.out)
        c.node([x, filters], rounded("f32", y.astype(float)), a)
        for version in ("opset1", "opset8"):
            c = case_of("DeformableConvolution", f"auto_pad_{version}")
            x, filters = c.floats("f32", (1, 2, 4, 5), parts=2), c.floats("f32", (2, 2, 2, 2), parts=2)
            offsets = c.floats("f32", (1, 8, *window.out), lo=-1, hi=1, parts=4)
            y = deformable(exact(x), exact(offsets), exact(filters), None, [1, 2], [1, 1], window.begin, 1, 1, False)
            c.node([x, offsets, filters], rounded("f32", y), {**given, "group": 1, "deformable_group": 1}, version, ulp=2,
                   atol=1e-5)
    for op, groups in (("ConvolutionBackpropData", 1), ("GroupConvolutionBackpropData", 2)):
        name, size, kernel, strides, dilations, begin, end, extra, wanted, _ = next(b for b in BACKPROPS if b[0] == "valid")
        pads, out = backprop_geometry(size, kernel, strides, dilations, begin, end, extra, wanted, "same_lower")
        c = case_of(op, "same_lower_has_no_pads")
        x, f = c.floats("f32", (1, 2, *size), parts=4), c.floats("f32", (groups, 2 // groups, 2, *kernel), parts=4)
        y = np.concatenate([spread(g, w, strides, dilations, pads, out)
                            for g, w in zip(np.split(exact(x), groups, axis=1), exact(f))], axis=1)
        c.node([x, f if groups > 1 else f.like(f.array[0])], rounded("f32", y),
               {**conv_attributes(strides, dilations, begin, end, "same_lower"), "output_padding": extra})


def poolings():
    for name, size, kernel, strides, begin, end, auto_pad, rounding in POOLS:
        if "same" in name or "valid" in name or name in ("ceil", "floor_drops_the_rest"):
            c = case_of("AvgPool", f"{name}_opset16")
            x = c.floats("f32", (1, 2, *size))
            y = avg_pool(x, Window(size, kernel, strides, [1, 1], begin, end, auto_pad, rounding), True)
            c.node([x], y, {**pool_attributes(kernel, strides, begin, end, auto_pad, rounding), "exclude-pad": True},
                   "opset16", ulp=2, atol=1e-7)
    # the last window of ceil would begin in the padding
    window, ceil = (Window([4], [2], [3], [1], [1], [1], "explicit", r) for r in ("ceil_torch", "ceil"))
    assert window.out != ceil.out
    given = pool_attributes([2], [3], [1], [1], "explicit", "ceil_torch")
    for version in ("opset14", "opset16"):
        c = case_of("AvgPool", f"ceil_torch_{version}")
        x = c.floats("f32", (1, 2, 4))
        c.node([x], avg_pool(x, window, True), {**given, "exclude-pad": True}, version, ulp=2, atol=1e-7)
    ceil_of_a_rest()
    powers()
    largest()


def ceil_of_a_rest():
    """Two elements are left behind the last whole window: floor drops them."""
    given = pool_attributes([3], [3], [0], [0], "explicit", "ceil_torch")
    window = Window([8], [3], [3], [1], [0], [0], "explicit", "ceil_torch")
    for version in ("opset14", "opset16"):
        c = case_of("AvgPool", f"rest_{version}")
        x = c.floats("f32", (1, 1, 8))
        c.node([x], avg_pool(x, window, True), {**given, "exclude-pad": True}, version, ulp=2, atol=1e-7)


def power_sum(x, window, p):
    y = np.zeros((*x.shape[:2], *window.out))
    for at in np.ndindex(*y.shape):
        y[at] = sum(abs(x[at[:2] + place])**p for _, place in window.taps(at[2:]))**(1 / p)
    return y


def powers():
    for name, dilations, rounding, size in (("dilations", [2], "floor", 7), ("rest", [1], "ceil_torch", 8)):
        c = case_of("LpPool", name)
        x = c.floats("f32", (1, 2, size))
        window = Window([size], [3], [3 if name == "rest" else 1], dilations, [0], [0], "explicit", rounding)
        given = pool_attributes([3], window.strides, [0], [0], "explicit", rounding)
        c.node([x], rounded("f32", power_sum(exact(x), window, 2)), {**given, "dilations": dilations}, "onnx18", ulp=4,
               atol=1e-6)


def largest():
    c = case_of("MaxPool", "attributes_opset14")
    for other in ({"dilations": [2, 1]}, {"axis": 2}, {"axis": -1}, {"index_element_type": "i32"}):
        x = signed_distinct(c, "f32", (2, 2, 4, 5))
        window = Window([4, 5], [2, 2], [1, 2], other.get("dilations", [1, 1]), [0, 0], [0, 0])
        y, indices = max_pool(x, window, other.get("axis", 0) % 4)
        c.node([x], [y, Tensor(other.get("index_element_type", "i64"), indices)],
               {**pool_attributes([2, 2], [1, 2], [0, 0], [0, 0], "explicit", "floor"), **other}, "opset14")


# ---- interpolation ----


def interpolations():
    for version in ("opset4", "opset11"):
        c, a = case_of("Interpolate", f"no_antialias_{version}"), {"mode": "linear", "shape_calculation_mode": "sizes"}
        x = c.floats("f32", (1, 1, 6, 5))
        given = [x, c.i64(3, 2), *([Tensor("f32", [1, 1])] if version == "opset4" else []), c.i64(2, 3)]
        c.node(given, rounded("f32", interpolate(exact(x), [3, 2], None, [2, 3], a)), {**a, "antialias": False}, version,
               ulp=2, atol=2e-6)
    c, a = case_of("Interpolate", "pads_opset4"), {"mode": "linear_onnx", "shape_calculation_mode": "sizes"}
    x = c.floats("f32", (2, 3))
    y = interpolate(np.pad(exact(x), [(1, 0), (0, 2)]), [5, 4], None, [0, 1], a)
    c.node([x, c.i64(5, 4), Tensor("f32", [1, 1]), c.i64(0, 1)], rounded("f32", y),
           {**a, "pads_begin": [1, 0], "pads_end": [0, 2]}, "opset4", ulp=2, atol=2e-6)
    for name, sizes, a in (
            ("to_one", [1, 7], {"mode": "linear", "coordinate_transformation_mode": "pytorch_half_pixel"}),
            ("coordinates", [3, 7], {"mode": "linear", "coordinate_transformation_mode": "asymmetric"}),
            ("coordinates", [7, 3], {"mode": "nearest", "coordinate_transformation_mode": "tf_half_pixel_for_nn"}),
            # places halfway between two elements, and others
            ("nearest", [8, 10], {"mode": "nearest", "nearest_mode": "round_prefer_ceil",
                                  "coordinate_transformation_mode": "asymmetric"}),
            ("nearest", [7, 3], {"mode": "nearest", "nearest_mode": "floor"})):
        c = case_of("Resize", name)
        x = c.floats("f32", (4, 5), parts=4)
        y = resize(exact(x), None, None, sizes, a)
        c.node([x, None, None, c.i64(*sizes)], rounded("f32", y), a, "onnx19", ulp=4, atol=2e-5)


# ---- regions ----


def region_bilinear(data, rois, size):
    """Places from end to end of a region, whose corners are parts of the image; one outside gives 0."""
    y = np.zeros((len(rois), data.shape[1], *size))
    for r, k, i, j in np.ndindex(*y.shape):
        plane, at = data[int(rois[r, 0]), k], []
        for part, n, low, high, length in ((i, size[0], rois[r, 2], rois[r, 4], data.shape[2]),
                                           (j, size[1], rois[r, 1], rois[r, 3], data.shape[3])):
            share = part / (n - 1) if n > 1 else 0.5
            at.append((low + (high - low) * share) * (length - 1))
        if all(0 <= v <= n - 1 for v, n in zip(at, plane.shape)):
            for v, u in itertools.product(*[{math.floor(v), math.ceil(v)} for v in at]):
                y[r, k, i, j] += plane[v, u] * (1 - abs(at[0] - v)) * (1 - abs(at[1] - u))
    return y


def regions():
    c = case_of("ROIPooling", "bilinear")
    x, rois = c.floats("f32", (2, 2, 5, 4)), Tensor("f32", [[0, 0, 0, 1, 1], [1, 0.125, 0.25, 0.5, 0.875],
                                                            [1, -0.5, 0.5, 0.75, 1.5]])
    for size in ((3, 2), (1, 1)):
        close(c, [x, rois], region_bilinear(exact(x), exact(rois), size),
              {"pooled_h": size[0], "pooled_w": size[1], "spatial_scale": 1, "method": "bilinear"})
    c = case_of("ExperimentalDetectronPriorGridGenerator", "steps")
    priors, feature, image = c.floats("f32", (2, 4)), c.floats("f32", (1, 1, 2, 3)), c.floats("f32", (1, 2, 5, 9))
    a = {"stride_x": 2.5, "stride_y": 3.25}
    close(c, [priors, feature, image], rounded("f32", prior_grid(exact(priors), feature.shape, image.shape, a)), a)


def pyramid_features(rois, layers, scales, size, ratio, aligned):
    """The steps of the page: a layer by the size of the region, ROIAlign there, the mean of the samples."""
    y = np.zeros((len(rois), layers[0].shape[1], size, size))
    for r, k, i, j in np.ndindex(*y.shape):
        x0, y0, x1, y1 = rois[r]
        level = min(max(math.floor(2 + math.log2(math.sqrt((x1 - x0) * (y1 - y0)) / 224)), 0), len(layers) - 1)
        plane, edge = layers[level][0, k], 0.5 if aligned else 0.0
        low = [v / scales[level] - edge for v in (y0, x0)]
        length = [v / scales[level] for v in (y1 - y0, x1 - x0)]
        length = length if aligned else [max(v, 1.0) for v in length]
        counts = [ratio or math.ceil(v / size) for v in length]
        samples = [sample(plane, *(l + (part + (s + 0.5) / n) * v / size for l, part, s, n, v in
                                   zip(low, (i, j), at, counts, length))) for at in np.ndindex(*counts)]
        y[r, k, i, j] = sum(samples) / len(samples)
    return y


def sample(plane, y, x):
    """Between four elements; up to one element outside the border goes on, further out there is nothing."""
    height, width = plane.shape
    if not (-1 <= y <= height and -1 <= x <= width):
        return 0.0
    y, x = min(max(y, 0.0), height - 1), min(max(x, 0.0), width - 1)
    return sum(plane[v, u] * (1 - abs(y - v)) * (1 - abs(x - u)) for v in {math.floor(y), math.ceil(y)}
               for u in {math.floor(x), math.ceil(x)})


def features():
    base = {"output_size": 2, "sampling_ratio": 2, "pyramid_scales": [4, 28]}
    for other in ({}, {"aligned": True}, {"sampling_ratio": 0}, {"sampling_ratio": 1}, {"output_size": 3},
                  {"pyramid_scales": [8, 14]}):
        c, a = case_of("ExperimentalDetectronROIFeatureExtractor", "pyramid"), {**base, **other}
        rois = Tensor("f32", [[2, 3, 18, 15], [0, 0, 112, 112], [5, 4, 6, 30], [90, 20, 140, 100]])
        layers = [c.floats("f32", (1, 2, 6, 5)), c.floats("f32", (1, 2, 5, 6))]
        y = pyramid_features(exact(rois), [exact(x) for x in layers], a["pyramid_scales"], a["output_size"],
                             a["sampling_ratio"], a.get("aligned", False))
        close(c, [rois, *layers], [rounded("f32", y), rois], a)


def detectron_detections(rois, deltas, scores, a):
    """Boxes are cut at 0 only, class 0 is the background, and a region without an area makes no box, as in OpenVINO
    (ir/OPERATIONS.md)."""
    found = []
    there = [i for i, (x0, y0, x1, y1) in enumerate(rois) if x1 > x0 and y1 > y0]
    for k in range(1, a["num_classes"]):
        boxes = [[max(v, 0.0) for v in moved(roi, np.array(d[4 * k:4 * k + 4]) / a["deltas_weights"], 1, 1,
                                             a["max_delta_log_wh"])] for roi, d in zip(rois, deltas)]
        kept = []
        for i in sorted((i for i in there if scores[i, k] > a["score_threshold"]), key=lambda i: -scores[i, k]):
            if len(kept) < a["post_nms_count"] and all(overlap(boxes[i], boxes[j], 1) <= a["nms_threshold"] for j in kept):
                kept.append(i)
        found += [(scores[i, k], k, boxes[i]) for i in kept]
    if len(found) > a["max_detections_per_image"]:
        found = sorted(found, key=lambda f: -f[0])[:a["max_detections_per_image"]]
    n = a["max_detections_per_image"]
    boxes, labels, best = np.zeros((n, 4)), np.zeros(n), np.zeros(n)
    for i, (score, k, box) in enumerate(found):
        boxes[i], labels[i], best[i] = box, k, score
    return [rounded("f32", boxes), Tensor("i32", labels), rounded("f32", best)]


def detections():
    base = {"score_threshold": 0.125, "nms_threshold": 0.25, "num_classes": 3, "post_nms_count": 4,
            "max_detections_per_image": 7, "max_delta_log_wh": 0.5, "deltas_weights": [2, 1, 1, 4]}
    for other in ({}, {"score_threshold": 0.5}, {"nms_threshold": 0.05}, {"nms_threshold": 0.9}, {"post_nms_count": 1},
                  {"max_detections_per_image": 2}, {"max_delta_log_wh": 0.0625}, {"deltas_weights": [1, 1, 2, 1]}):
        c, a = case_of("ExperimentalDetectronDetectionOutput", "attributes"), {**base, **other}
        low = c.rng.randint(0, 60, (6, 2)) / 2
        rois = Tensor("f32", np.concatenate([low, low + c.rng.randint(8, 30, (6, 2)) / 2], -1))
        deltas = c.floats("f32", (6, 12), lo=-1, hi=1)
        scores = Tensor("f32", (c.rng.permutation(18).reshape(6, 3) + 1) / 20)
        close(c, [rois, deltas, scores, Tensor("f32", [[50, 60, 1]])],
              detectron_detections(exact(rois), exact(deltas), exact(scores), a), a)
    c = case_of("ExperimentalDetectronDetectionOutput", "no_area")
    rois = Tensor("f32", [[1, 1, 1, 1], [3, 2, 12, 9], [20, 5, 20, 15], [30, 8, 24, 16], [6, 40, 14, 40], [40, 40, 50, 56]])
    deltas, scores = c.floats("f32", (6, 12), lo=-1, hi=1), Tensor("f32", np.full((6, 3), 0.5))
    close(c, [rois, deltas, scores, Tensor("f32", [[50, 60, 1]])],
          detectron_detections(exact(rois), exact(deltas), exact(scores), base), base)


# ---- boxes ----


def best_boxes(boxes, scores, encoding, descending):
    shape = centers if encoding == "center" else corners
    return suppress(exact(boxes), exact(scores), 3, 0.25, 0.125, descending, lambda a, b: overlap(shape(a), shape(b)))


def suppressions():
    """Boxes for which the other encoding, or the other order, gives other rows."""
    for version, encoding, descending in itertools.product(("opset1", "opset3", "opset4"), ("corner", "center"),
                                                           (True, False)):
        c = case_of("NonMaxSuppression", f"attributes_{version}")
        rows = others = None
        while rows is None or any(rows == other for other in others):
            boxes, scores = scattered(c, "f32", 1, 6, 2)
            rows = best_boxes(boxes, scores, encoding, descending)
            others = [best_boxes(boxes, scores, "corner" if encoding == "center" else "center", descending),
                      best_boxes(boxes, scores, encoding, not descending)]
        size = min(6, 3) * 2 if version == "opset4" else min(6, 3 * 2)
        c.node([boxes, scores, c.scalar("i64", 3), c.scalar("f32", 0.25), c.scalar("f32", 0.125)],
               padded(rows, size, "i64"), {"box_encoding": encoding, "sort_result_descending": descending}, version)


def thresholds():
    """nms_eta lowers the threshold behind each box that is kept, so that fewer ones are."""
    for version in ("opset8", "opset9"):
        c, a = case_of("MulticlassNms", f"eta_{version}"), {"iou_threshold": 0.8, "nms_eta": 0.5}
        low = np.array([[0, 0], [0.25, 0], [0, 0.5], [0.5, 0.25], [8, 8]])
        boxes, scores = Tensor("f32", [np.concatenate([low, low + 4], -1)]), Tensor("f32", [[[0.9, 0.8, 0.7, 0.6, 0.5]]])
        images = [([exact(boxes)[0]], exact(scores)[0])]
        rows, counts = multiclass(images, a, hard_class, True)
        assert rows != multiclass(images, {**a, "nms_eta": 1.0}, hard_class, True)[0]
        multiclass_node(c, [boxes, scores], rows, counts, lambda n, k, i: exact(boxes)[n, i], lambda n, k, i: n * 5 + i, a,
                        version)


def two_orders():
    """Files say sort_result_type, the pages sort_result: the former is obeyed."""
    for op, version in (("MatrixNms", "opset8"), ("MulticlassNms", "opset8"), ("MulticlassNms", "opset9")):
        c, a = case_of(op, f"two_orders_{version}"), {"sort_result": "class", "sort_result_type": "none"}
        boxes, scores = scattered(c, "f32", 1, 5, 3)
        images = [([exact(boxes)[0]] * 3, exact(scores)[0])]
        one_class, at_least = (matrix_class, False) if op == "MatrixNms" else (hard_class, True)
        rows, counts = multiclass(images, {}, one_class, at_least)
        assert rows != multiclass(images, {"sort_result": "class"}, one_class, at_least)[0]
        multiclass_node(c, [boxes, scores], rows, counts, lambda n, k, i: exact(boxes)[n, i], lambda n, k, i: n * 5 + i, a,
                        version)


# ---- recurrent nets ----


def gate_inputs(o, order):
    """The weights of an LSTM, and biases of both sides in one, with the gates in this order."""
    return [v.like(in_order(v, order, 1).array[0]) for v in (o.w, o.r, o.wb.like(o.wb.array + o.rb.array))]


def cells():
    """Weights in other orders, and bounds."""
    cases = [("opset1", {"weights_format": order}, order) for order in ("icof", "ifco", "ifoc", "iofc")]
    for version, other, order in [*cases, ("opset4", {"clip": 0.25}, "fico")]:
        c = case_of("LSTMCell", f"attributes_{version}")
        o = Operands(c, "LSTM", 2, 1, 3, 2, 1)
        want = o.run("LSTM", [functions(DEFAULTS["LSTM"])], [1, 1], "forward", clip=other.get("clip", np.inf))[1:]
        c.node([v.like(v.array[:, 0]) for v in (o.x, o.h, o.c)] + gate_inputs(o, order),
               [v.like(v.array[:, 0]) for v in want], {"hidden_size": 2, **other}, version, ulp=16, atol=2e-6)
    c = case_of("LSTMSequence", "attributes_opset1")
    o = Operands(c, "LSTM", 2, 2, 2, 2, 1)
    want = o.run("LSTM", [functions(DEFAULTS["LSTM"])], [2, 1], "forward", clip=0.25)
    w, r, b = (v.like(v.array[None]) for v in gate_inputs(o, "fico"))
    c.node([o.x, o.h, o.c, Tensor("i32", [2, 1]), w, r, b], want, {"hidden_size": 2, "direction": "forward", "clip": 0.25},
           "opset1", ulp=16, atol=2e-6)


def attention_nets():
    for op, steps, other in (("AUGRUCell", 1, {"linear_before_reset": True}), ("AUGRUSequence", 2, {"clip": 0.25})):
        c, linear = case_of(op, "attributes"), other.get("linear_before_reset", False)
        o = Operands(c, "GRU", 2, steps, 2, 2, 1)
        scores = c.floats("f32", (2, steps), 0, 1)
        want = o.run("GRU", [functions(DEFAULTS["GRU"])], [steps] * 2, "forward", scores=exact(scores), linear=linear,
                     clip=other.get("clip", np.inf))
        b = o.wb.like(openvino_biases("GRU", o.wb.array, o.rb.array, linear))
        if steps == 1:
            given = [o.x.like(o.x.array[:, 0]), o.h.like(o.h.array[:, 0]), *(v.like(v.array[0]) for v in (o.w, o.r, b)), scores]
            want = want[1].like(want[1].array[:, 0])
        else:
            given = [o.x, o.h, Tensor("i32", [steps] * 2), o.w, o.r, b, scores.like(scores.array[..., None])]
        c.node(given, want, {"hidden_size": 2, **other}, "ie_internal_opset", ulp=16, atol=2e-6)


def onnx_nets():
    for kind, other in (("LSTM", {"clip": 0.25}), ("GRU", {"clip": 0.25}), ("RNN", {"clip": 0.25}),
                        ("RNN", {"activations": ["HardSigmoid"], "activation_alpha": [0.25], "activation_beta": [0.75]})):
        c = case_of(kind, "attributes")
        o = Operands(c, kind, 2, 2, 2, 2, 1)
        acts = functions(["HardSigmoid"], [0.25], [0.75]) if "activations" in other else functions(DEFAULTS[kind])
        want = o.run(kind, [acts], [2, 2], "forward", clip=other.get("clip", np.inf))
        y = want[0].like(np.transpose(want[0].array, (2, 1, 0, 3)))
        states = [v.like(np.transpose(v.array, (1, 0, 2))) for v in want[1:]]
        first = [v.like(np.transpose(v.array, (1, 0, 2))) for v in (o.x, o.h, o.c)]
        b = o.wb.like(np.concatenate((o.wb.array, o.rb.array), 1))
        c.node([first[0], o.w, o.r, b, None, first[1], *([first[2]] if kind == "LSTM" else [])], [y, *states],
               {"hidden_size": 2, **other}, "onnx14", ulp=64, atol=4e-6)


def no_batches():
    """Nothing comes in, so nothing comes out."""
    def none(*dims):
        return Tensor("f32", np.zeros(dims))

    c = case_of("GRUCell", "no_batch")
    w, r, b = c.floats("f32", (6, 3)), c.floats("f32", (6, 2)), c.floats("f32", (6,))
    c.node([none(0, 3), none(0, 2), w, r, b], none(0, 2), {"hidden_size": 2}, "opset3")
    c = case_of("LSTMSequence", "no_batch")
    w, r, b = c.floats("f32", (1, 8, 3)), c.floats("f32", (1, 8, 2)), c.floats("f32", (1, 8))
    c.node([none(0, 4, 3), none(0, 1, 2), none(0, 1, 2), Tensor("i32", []), w, r, b],
           [none(0, 1, 4, 2), none(0, 1, 2), none(0, 1, 2)], {"hidden_size": 2, "direction": "forward"}, "opset5")
    c = case_of("AUGRUSequence", "no_batch")
    w, r, b = c.floats("f32", (1, 6, 3)), c.floats("f32", (1, 6, 2)), c.floats("f32", (1, 6))
    c.node([none(0, 4, 3), none(0, 1, 2), Tensor("i32", []), w, r, b, none(0, 4, 1)], [none(0, 1, 4, 2), none(0, 1, 2)],
           {"hidden_size": 2}, "ie_internal_opset")
    for op, gates in (("LSTM", 4), ("GRU", 3), ("RNN", 1)):
        c = case_of(op, "no_batch")
        b = c.floats("f32", (1, 4 * gates))
        c.node([none(4, 0, 3), c.floats("f32", (1, 2 * gates, 3)), c.floats("f32", (1, 2 * gates, 2)), b],
               [none(4, 1, 0, 2), *[none(1, 0, 2)] * (2 if op == "LSTM" else 1)], {"hidden_size": 2}, "onnx14")
    c = case_of("ExperimentalDetectronGenerateProposalsSingleImage", "no_anchor")
    c.node([Tensor("f32", [20, 30, 1]), none(0, 4), none(8, 2, 0), none(2, 2, 0)], [none(3, 4), none(3)],
           {"min_size": 1, "nms_threshold": 0.5, "pre_nms_count": 4, "post_nms_count": 3})


# ---- others ----


def top_kinds():
    x = Tensor("f32", [3, 1, 4, 1.5])
    for version in ("opset1", "opset3"):
        case_of("TopK", f"index_types_{version}").node(
            [x, Tensor("i64", 2)], [Tensor("f32", [4, 3]), Tensor("i64", [2, 0])],
            {"axis": 0, "mode": "max", "sort": "value", "index_element_type": "i64"}, version)


def root_mean_squares():
    c = case_of("RMS", "output_type_f32")
    x, scale = c.floats("f16", (2, 3)), c.floats("f16", (3,))
    y = exact(x) / np.sqrt((exact(x)**2).mean(-1, keepdims=True) + 1e-5) * exact(scale)
    c.node([x, scale], rounded("f32", y), {"epsilon": 1e-5, "output_type": "f32"}, ulp=4, atol=1e-6)


def make():
    for family in (broadcasts, broadcasts_of_several, paddings, poolings, interpolations, regions, features, detections,
                   suppressions, thresholds, two_orders, cells, attention_nets, onnx_nets, top_kinds, root_mean_squares, no_batches):
        family()
