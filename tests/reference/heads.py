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


def make():
    detection_outputs()
