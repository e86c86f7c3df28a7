"""DetectionOutput, BinaryConvolution and Interpolate-1: plain loops."""

import itertools
import math

import numpy as np

from case import FLOATS, Tensor, exact, rounded
from images import case_of, interpolate
from rois import close
from suppression import overlap


# ---- DetectionOutput ----


def cut(box):
    return [min(max(v, 0.0), 1.0) for v in box]


def decoded(prior, delta, variance, a):
    d = [x * v for x, v in zip(delta, variance)]
    if a.get("code_type", "CORNER").endswith("CORNER"):
        box = [p + x for p, x in zip(prior, d)]
    else:
        w, h = prior[2] - prior[0], prior[3] - prior[1]
        x, y = (prior[0] + prior[2]) / 2 + d[0] * w, (prior[1] + prior[3]) / 2 + d[1] * h
        w, h = w * math.exp(d[2]), h * math.exp(d[3])
        box = [x - w / 2, y - h / 2, x + w / 2, y + h / 2]
    return cut(box) if a.get("clip_before_nms") else box


def thinned(candidates, boxes, a):
    """Caffe's suppression of candidates (score, prior), the best first."""
    kept = []
    for score, p in candidates:
        if all(overlap(boxes[p], boxes[k]) <= a["nms_threshold"] for _, k in kept):
            kept.append((score, p))
    return kept


def top(candidates, a):
    order = sorted(candidates, key=lambda c: -c[0])
    return order if a.get("top_k", -1) < 0 else order[:a["top_k"]]


def detections(image, scores, boxes_of, a):
    """scores [priors, classes]; rows [image, label, score, box]."""
    classes, background, least = scores.shape[1], a.get("background_label_id", 0), a.get("confidence_threshold", 0.0)
    found = []
    if a.get("decrease_label_id"):
        best = []
        for p, row in enumerate(scores):
            allowed = [k for k in range(1, classes) if k != background]
            k = max(allowed, key=lambda k: (row[k], -k))
            if row[k] >= least:
                best.append((row[k], p, k))
        best = top(best, a)
        for k in range(1, classes):
            kept = thinned([(s, p) for s, p, label in best if label == k], boxes_of(k), a)
            found += [(k, s, p) for s, p in kept]
    else:
        for k in range(classes):
            if k != background:
                candidates = top([(row[k], p) for p, row in enumerate(scores) if row[k] > least], a)
                found += [(k, s, p) for s, p in thinned(candidates, boxes_of(k), a)]
    if 0 <= a["keep_top_k"][0] < len(found):
        found = sorted(sorted(found, key=lambda f: -f[1])[:a["keep_top_k"][0]], key=lambda f: f[0])
    for k, score, p in found:
        box = cut(boxes_of(k)[p]) if a.get("clip_after_nms") else boxes_of(k)[p]
        yield [image, k - bool(a.get("decrease_label_id")), score, *box]


def detection_output(moves, scores, priors, first, a, classes):
    images, row = len(moves), 4 if a.get("normalized") else 5
    count = priors.shape[2] // row
    places = 1 if a.get("share_location", True) else classes
    scale = [1] * 4 if a.get("normalized") else [a.get("input_width", 1), a.get("input_height", 1)] * 2
    rows = []
    for n in range(images):
        given = priors[n if len(priors) > 1 else 0]
        each = given[0].reshape(count, row)[:, row - 4:] / scale
        variances = np.ones((count, 4)) if a.get("variance_encoded_in_target") else given[1][:4 * count].reshape(count, 4)
        of_image = scores[n].reshape(count, classes).copy()
        if first:
            empty = first[0][n].reshape(count, 2)[:, 1] < a.get("objectness_score", 0.0)
            of_image[empty] = [float(k == a.get("background_label_id", 0)) for k in range(classes)]

        def boxes_of(k):
            at = min(k, places - 1)
            boxes = [list(box) for box in each]
            for step in ([first[1]] if first else []) + [moves]:
                d = step[n].reshape(count, places, 4)[:, at]
                boxes = [decoded(box, d[p], variances[p], a) for p, box in enumerate(boxes)]
            return boxes

        rows += detections(n, of_image, boxes_of, a)
    keep, limit = a["keep_top_k"][0], a.get("top_k", -1)
    y = np.zeros((images * (keep if keep > 0 else classes * (limit if limit > 0 else count)), 7))
    y[:len(rows)] = np.reshape(rows, (-1, 7))
    if len(rows) < len(y):
        y[len(rows), 0] = -1
    return y[None, None]


CENTER = "caffe.PriorBoxParameter.CENTER_SIZE"
# name, other attributes, sets of priors, five inputs
DETECTIONS = [
    ("corners", {}, 1, False), ("corners", {"code_type": CENTER}, 2, False),
    ("corners", {"code_type": "caffe.PriorBoxParameter.CORNER", "variance_encoded_in_target": True}, 1, False),
    ("limits", {"top_k": 2, "keep_top_k": [-1]}, 1, False), ("limits", {"keep_top_k": [3]}, 1, False),
    ("limits", {"keep_top_k": [0]}, 1, False), ("limits", {"confidence_threshold": 0.5}, 1, False),
    ("limits", {"nms_threshold": 0.05}, 1, False), ("limits", {"nms_threshold": 0.9}, 1, False),
    ("background", {"background_label_id": -1}, 1, False), ("background", {"background_label_id": 2}, 1, False),
    ("locations", {"share_location": False}, 1, False),
    ("locations", {"share_location": False, "decrease_label_id": True}, 1, False),
    ("mxnet", {"decrease_label_id": True}, 1, False), ("mxnet", {"decrease_label_id": True, "top_k": 3}, 1, False),
    ("mxnet", {"decrease_label_id": True, "keep_top_k": [2], "background_label_id": -1}, 1, False),
    ("clip", {"clip_before_nms": True}, 1, False), ("clip", {"clip_after_nms": True}, 1, False),
    ("pixels", {"normalized": False, "input_height": 20, "input_width": 40}, 1, False),
    ("refined", {"objectness_score": 0.5}, 1, True), ("refined", {"objectness_score": 0.25, "code_type": CENTER}, 2, True),
    ("refined", {"objectness_score": 0.5, "background_label_id": -1, "clip_before_nms": True}, 1, True),
]


def heads_of(c, t, a, sets, five, images=2, priors=6, classes=3):
    low = c.rng.randint(0, 24, (sets, priors, 2)) / 32
    boxes = np.concatenate([low, low + c.rng.randint(8, 20, (sets, priors, 2)) / 32], -1)
    if not a["normalized"]:
        boxes = np.concatenate([np.full((sets, priors, 1), 7), boxes * 32], -1)
    given = boxes.reshape(sets, 1, -1)
    if not a.get("variance_encoded_in_target"):
        variances = np.zeros_like(given)
        variances[..., :4 * priors] = c.rng.randint(1, 5, (sets, 1, 4 * priors)) / 16
        given = np.concatenate([given, variances], 1)
    places = 1 if a.get("share_location", True) else classes
    moves = [c.rng.randint(-8, 9, (images, priors * places * 4)) / 8 for _ in range(2)]
    scores = np.array([c.rng.permutation(priors * classes) + 1 for _ in range(images)]) / 32
    first = c.rng.randint(0, 17, (images, priors * 2)) / 16
    return [Tensor(t, x) for x in [moves[0], scores, given] + ([first, moves[1]] if five else [])]


def detection_outputs():
    base = {"keep_top_k": [9], "nms_threshold": 0.3, "normalized": True}
    for (name, other, sets, five), version in itertools.product(DETECTIONS, ("opset1", "opset8")):
        c, a = case_of("DetectionOutput", f"{name}_{version}"), {**base, **other}
        given = heads_of(c, "f32", a, sets, five)
        x = [exact(t) for t in given]
        y = detection_output(*x[:3], x[3:], a, 3)
        close(c, given, y, {**({"num_classes": 3} if version == "opset1" else {}), **a}, version)
    for t in FLOATS:
        c = case_of("DetectionOutput", "types")
        given = heads_of(c, t, base, 1, False, 1, 4, 2)
        close(c, given, detection_output(*[exact(x) for x in given], [], base, 2), base)


# ---- BinaryConvolution ----


def binary_convolution(x, filters, a, out):
    """1 where data and filter agree, else -1; a padding of 0 counts nothing (OpenVINO's CPU plugin)."""
    y = np.zeros((x.shape[0], filters.shape[0], *out), object)
    for n, o, i, j in np.ndindex(*y.shape):
        for k, u, v in np.ndindex(*filters.shape[1:]):
            row = i * a["strides"][0] - a["pads_begin"][0] + u * a["dilations"][0]
            column = j * a["strides"][1] - a["pads_begin"][1] + v * a["dilations"][1]
            inside = 0 <= row < x.shape[2] and 0 <= column < x.shape[3]
            if inside or a["pad_value"]:
                bit = x[n, k, row, column] if inside else int(a["pad_value"] == 1)
                y[n, o, i, j] += 1 if bit == filters[o, k, u, v] else -1
    return y


def binary_convolutions():
    plain = {"strides": [1, 1], "dilations": [1, 1], "pads_begin": [1, 0], "pads_end": [1, 2], "mode": "xnor-popcount"}
    for pad, other in ((0, {}), (1, {}), (-1, {}), (1, {"strides": [2, 1], "dilations": [1, 2]})):
        c, a = case_of("BinaryConvolution", "pads"), {**plain, **other, "pad_value": pad}
        x, filters = c.ints("f32", (2, 3, 3, 4), 0, 2), c.ints("u1", (2, 3, 2, 2), 0, 2)
        size = tuple((n + b + e - d - 1) // s + 1 for n, b, e, d, s in
                     zip((3, 4), a["pads_begin"], a["pads_end"], a["dilations"], a["strides"]))
        c.node([x, filters], rounded("f32", binary_convolution(exact(x), filters.array, a, size).astype(float)), a)
    for t in (*FLOATS, "i32", "i8", "u8", "u64"):
        c, a = case_of("BinaryConvolution", "types"), {**plain, "pads_begin": [0, 0], "pads_end": [0, 0], "pad_value": 0}
        x, filters = c.ints(t, (1, 2, 2, 3), 0, 2), c.ints("u1", (1, 2, 2, 2), 0, 2)
        y = binary_convolution(exact(x), filters.array, a, (1, 2))
        c.node([x, filters], rounded(t, y.astype(float) if t in FLOATS else y), a)


# ---- Interpolate-1 ----


def area(x, sizes, axes):
    """The mean of all elements that an element of the result covers, in whole or in part."""
    for size, axis in zip(sizes, axes):
        length = x.shape[axis]
        parts = [x.take(range(i * length // size, -(-(i + 1) * length // size)), axis).mean(axis) for i in range(size)]
        x = np.stack(parts, axis)
    return x


def old_interpolations():
    image, rows = (1, 2, 3, 4), [([5, 7], [2, 3]), ([2, 6], [2, 3])]
    for mode, corners in itertools.product(("nearest", "linear", "cubic"), (True, False)):
        for sizes, axes in rows + [([5], [3])]:
            c = case_of("Interpolate", f"{mode}_opset1")
            x = c.floats("f32", image)
            plain = mode == "linear" and axes != [2, 3]
            coordinates = "align_corners" if corners else "half_pixel" if plain else "asymmetric"
            y = interpolate(exact(x), sizes, None, axes, {
                "mode": "linear_onnx" if mode == "linear" else mode, "nearest_mode": "simple",
                "coordinate_transformation_mode": coordinates})
            close(c, [x, c.i64(*sizes)], y, {"mode": mode, "axes": axes, "align_corners": corners}, "opset1")
    for antialias in (False, True):
        c = case_of("Interpolate", "volume_opset1")
        x = c.floats("f32", (1, 1, 2, 6, 5))
        a = {"mode": "linear", "antialias": antialias, "coordinate_transformation_mode": "half_pixel"}
        y = interpolate(exact(x), [3, 3, 2], None, [2, 3, 4], a)
        close(c, [x, c.i64(3, 3, 2)], y, {"mode": "linear", "axes": [2, 3, 4], "align_corners": False,
                                          "antialias": antialias}, "opset1")
    for sizes, axes in (([2, 2], [2, 3]), ([5, 3], [3, 2]), ([7], [3])):
        c = case_of("Interpolate", "area_opset1")
        x = c.floats("f32", (1, 2, 5, 6))
        close(c, [x, c.i64(*sizes)], area(exact(x), sizes, axes), {"mode": "area", "axes": axes}, "opset1")
    c = case_of("Interpolate", "pads_opset1")
    x = c.floats("f32", (1, 1, 2, 3))
    padded = np.pad(exact(x), [(0, 0), (0, 0), (1, 0), (0, 2)])
    y = interpolate(padded, [5, 4], None, [2, 3], {"mode": "linear_onnx", "coordinate_transformation_mode": "asymmetric"})
    close(c, [x, c.i64(5, 4)], y, {"mode": "linear", "axes": [2, 3], "align_corners": False,
                                   "pads_begin": [0, 0, 1, 0], "pads_end": [0, 0, 0, 2]}, "opset1")
    for t in FLOATS:
        c = case_of("Interpolate", "types_opset1")
        x = c.floats(t, (1, 1, 2, 2))
        y = interpolate(exact(x), [3, 3], None, [2, 3], {"mode": "linear_onnx", "coordinate_transformation_mode": "align_corners"})
        close(c, [x, Tensor("i32", [3, 3])], y, {"mode": "linear", "axes": [2, 3]}, "opset1")


def make():
    binary_convolutions()
    old_interpolations()
    detection_outputs()
