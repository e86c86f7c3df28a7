"""Operations of detection networks: prior boxes, proposals, what becomes detections of them.

Plain loops, from the text of the specifications and, where that is silent, from what OpenVINO is documented or known
to do (ir/OPERATIONS.md lists those places).
"""

import itertools
import math

import numpy as np

from case import FLOATS, INTEGERS, Tensor, exact, rounded
from images import case_of
from rois import close
from suppression import overlap

# ---- Detectron's grids ----


def prior_grid(priors, shape, image, attributes):
    height, width = attributes.get("h") or shape[2], attributes.get("w") or shape[3]
    step_x = attributes.get("stride_x") or image[3] / width
    step_y = attributes.get("stride_y") or image[2] / height
    rows = [prior + [step_x * (u + 0.5), step_y * (v + 0.5)] * 2 for v in range(height) for u in range(width)
            for prior in priors]
    y = np.zeros((shape[2] * shape[3] * len(priors), 4))
    y[:len(rows)] = np.reshape(rows, (-1, 4))
    flat = attributes.get("flatten", True)
    return y if flat else y.reshape(shape[2], shape[3], len(priors), 4)


def prior_grids():
    for attributes in ({}, {"flatten": False}, {"stride_x": 4, "stride_y": 2.5}, {"h": 1, "w": 2},
                       {"h": 2, "stride_x": 3, "flatten": False}):
        c = case_of("ExperimentalDetectronPriorGridGenerator", "grid")
        priors, feature, image = c.floats("f32", (3, 4)), c.floats("f32", (1, 1, 2, 3)), c.floats("f32", (1, 2, 5, 9))
        close(c, [priors, feature, image], rounded("f32", prior_grid(exact(priors), feature.shape, image.shape,
                                                                     attributes)), attributes)
    for t in FLOATS:
        c = case_of("ExperimentalDetectronPriorGridGenerator", "types")
        priors, feature, image = c.floats(t, (1, 4)), c.floats(t, (1, 1, 1, 2)), c.floats(t, (1, 1, 4, 8))
        close(c, [priors, feature, image], rounded(t, prior_grid(exact(priors), feature.shape, image.shape, {})), {})


def top_regions():
    c = case_of("ExperimentalDetectronTopKROIs", "counts")
    for most in (2, 5, 7, 0):
        rois, scores = c.floats("f32", (5, 4)), Tensor("f32", [0.25, 0.5, 0.125, 0.5, 0.75])
        y = np.zeros((most, 4))
        for k, i in enumerate([4, 1, 3, 0, 2][:most]):
            y[k] = rois.array[i]
        c.node([rois, scores], rois.like(y), {"max_rois": most})
    c = case_of("ExperimentalDetectronTopKROIs", "types")
    for t in FLOATS:
        rois = c.floats(t, (2, 4))
        c.node([rois, Tensor(t, [0.25, 0.5])], rois.like(rois.array[[1, 0]]), {"max_rois": 2})


# ---- PriorBox ----


def box_around(x, y, width, height):
    return [x - width / 2, y - height / 2, x + width / 2, y + height / 2]


def dense_boxes(x, y, size, density, width, height):
    """Caffe's: density by density boxes, whole pixels apart."""
    step = math.floor(size / density)
    for v, u in itertools.product(range(int(density)), repeat=2):
        yield box_around(x - int(size) // 2 + step / 2 + u * step, y - int(size) // 2 + step / 2 + v * step, width,
                         height)


def ratios_of(attributes):
    found = [1.0]
    for ratio in attributes.get("aspect_ratio", []):
        if all(abs(ratio - other) > 1e-6 for other in found):
            found += [ratio, 1 / ratio] if attributes.get("flip") else [ratio]
    return found[1:]


def fixed_boxes(x, y, attributes):
    fixed = attributes.get("fixed_ratio")
    for size, density in zip(attributes.get("fixed_size", []), attributes.get("density", [])):
        if not fixed:
            yield from dense_boxes(x, y, size, density, int(size), int(size))
        for ratio in fixed or ratios_of(attributes):
            yield from dense_boxes(x, y, size, density, size * ratio**0.5, size / ratio**0.5)


def sized_boxes(x, y, attributes, unit):
    each, sizes = attributes.get("scale_all_sizes", True), [s * unit for s in attributes.get("min_size", [])]
    most = attributes.get("max_size", []) if each else []
    for i, size in enumerate(sizes):
        between = [box_around(x, y, (size * m)**0.5, (size * m)**0.5) for m in most[i:i + 1]]
        source = size if each else sizes[0]
        turned = [box_around(x, y, source * r**0.5, source / r**0.5) for r in ratios_of(attributes)]
        turned = turned if each or i == len(sizes) - 1 else []
        caffe = attributes.get("min_max_aspect_ratios_order", True)
        yield box_around(x, y, size, size)
        yield from between + turned if caffe else turned + between


def with_variances(boxes, attributes):
    variance = attributes.get("variance") or [0.1]
    rows = np.array(boxes, float).reshape(-1)
    if attributes.get("clip", False):
        rows = np.clip(rows, 0, 1)
    return np.array([rows, (variance * (4 // len(variance)) * len(boxes))])


def prior_box(grid, image, attributes):
    unit = 1 if attributes.get("scale_all_sizes", True) else image[0]
    step = attributes.get("step", 0) * unit
    if attributes.get("step") == -1:
        step = image[0] / grid[0]
    size, boxes = np.array([image[1], image[0]] * 2), []
    for v, u in np.ndindex(*grid):
        if step:
            x, y = (u + attributes["offset"]) * step, (v + attributes["offset"]) * step
        else:
            x, y = (u + 0.5) * image[1] / grid[1], (v + 0.5) * image[0] / grid[0]
        for box in fixed_boxes(x, y, attributes):
            low, high = np.split(np.array(box) / size, 2)
            boxes.append([*np.maximum(low, 0), *np.minimum(high, 1)])
        boxes += [np.array(box) / size for box in sized_boxes(x, y, attributes, unit)]
    return with_variances(boxes, attributes)


PRIORS = [
    ("sizes", {"min_size": [3, 5], "max_size": [8], "offset": 0.5, "step": 4}),
    ("ratios", {"min_size": [3], "max_size": [8], "aspect_ratio": [2, 1, 3, 0.5], "offset": 0.25, "step": 4,
                "variance": [0.1, 0.1, 0.2, 0.2]}),
    ("ratios", {"min_size": [3], "max_size": [8], "aspect_ratio": [2, 3, 0.5], "flip": True, "offset": 0.5,
                "variance": [0.25]}),
    ("clip", {"min_size": [6], "offset": 0.5, "clip": True}),
    ("mxnet", {"min_size": [0.25, 0.5], "max_size": [0.75], "aspect_ratio": [2], "flip": True, "offset": 0.5,
               "scale_all_sizes": False, "step": -1}),
    ("mxnet", {"min_size": [0.25, 0.5], "offset": 0.5, "scale_all_sizes": False, "step": 0.25}),
    ("mxnet", {"min_size": [0.25], "aspect_ratio": [3], "offset": 0.5, "scale_all_sizes": False}),
    ("fixed", {"fixed_size": [5.5, 8], "density": [2, 1], "aspect_ratio": [2], "flip": True, "offset": 0.5, "step": 4}),
    ("fixed", {"fixed_size": [7], "density": [3], "fixed_ratio": [1, 4], "offset": 0.5, "step": 4}),
    ("fixed", {"fixed_size": [4], "density": [1], "min_size": [2], "offset": 0.5, "step": 4}),
]


def priors():
    for (name, attributes), version in itertools.product(PRIORS, ("opset1", "opset8")):
        c = case_of("PriorBox", f"{name}_{version}")
        grid, image = (2, 3), (9, 12)
        close(c, [c.i64(*grid), c.i64(*image)], rounded("f32", prior_box(grid, image, attributes)), attributes, version)
    c = case_of("PriorBox", "order")
    for order in (True, False):
        attributes = {"min_size": [3, 4], "max_size": [8, 9], "aspect_ratio": [2], "offset": 0.5, "step": 4,
                      "min_max_aspect_ratios_order": order}
        close(c, [c.i64(1, 2), c.i64(8, 8)], rounded("f32", prior_box((1, 2), (8, 8), attributes)), attributes)
    for op, attributes in (("PriorBox", {"min_size": [3], "offset": 0.5}), ("PriorBoxClustered", {"offset": 0.5})):
        c = case_of(op, "types")
        for t in INTEGERS:
            rule = prior_box if op == "PriorBox" else clustered
            close(c, [Tensor(t, [1, 2]), Tensor(t, [8, 6])], rounded("f32", rule((1, 2), (8, 6), attributes)), attributes)


def clustered(grid, image, attributes):
    steps = [attributes.get("step_h") or attributes.get("step", 0), attributes.get("step_w") or attributes.get("step", 0)]
    if not any(steps):
        steps = [image[0] / grid[0], image[1] / grid[1]]
    sizes = list(zip(attributes.get("width", [1]), attributes.get("height", [1])))
    boxes = [np.array(box_around((u + attributes["offset"]) * steps[1], (v + attributes["offset"]) * steps[0], w, h))
             / ([image[1], image[0]] * 2) for v, u in np.ndindex(*grid) for w, h in sizes]
    return with_variances(boxes, {"clip": True, **attributes})


def clusters():
    sizes = {"width": [3, 6], "height": [5, 2], "offset": 0.5}
    for attributes in ({"offset": 0.25}, sizes, {**sizes, "clip": False}, {**sizes, "step": 4, "variance": [0.5]},
                       {**sizes, "step_w": 3, "step_h": 2, "variance": [0.1, 0.2, 0.3, 0.4]},
                       {**sizes, "step_w": 3, "clip": False}, {**sizes, "step_h": 2, "step": 4, "clip": False}):
        c = case_of("PriorBoxClustered", "boxes")
        grid, image = (2, 2), (9, 12)
        close(c, [c.i64(*grid), c.i64(*image)], rounded("f32", clustered(grid, image, attributes)), attributes)


# ---- proposals ----


def moved(anchor, delta, edge, cut, most=math.inf):
    """The anchor [x0, y0, x1, y1], moved and scaled by [dx, dy, log w, log h]."""
    w, h = anchor[2] - anchor[0] + edge, anchor[3] - anchor[1] + edge
    x, y = anchor[0] + w / 2 + delta[0] * w, anchor[1] + h / 2 + delta[1] * h
    w, h = w * math.exp(min(delta[2], most)), h * math.exp(min(delta[3], most))
    return [x - w / 2, y - h / 2, x + w / 2 - cut, y + h / 2 - cut]


def cut_to(box, width, height):
    return [min(max(v, 0.0), limit) for v, limit in zip(box, [width, height] * 2)]


def touch(a, b):
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def best_proposals(boxes, scores, large, before, after, threshold, margin, drops, eta=1.0):
    """Those that no better one suppresses: [(box, score)]."""
    scores = [s if fits or drops else 0.0 for s, fits in zip(scores, large)]
    order = sorted(range(len(boxes)), key=lambda i: -scores[i])[:before]
    kept = []
    for i in order:
        if drops and not large[i]:
            continue
        if len(kept) < after and not any(touch(boxes[i], boxes[k]) and overlap(boxes[i], boxes[k], margin) > threshold
                                         for k in kept):
            kept.append(i)
            threshold *= eta if eta < 1 and threshold > 0.5 else 1
    return [(boxes[i], scores[i]) for i in kept]


def anchors_of(a):
    tensorflow, size = a.get("framework") == "tensorflow", a["base_size"]
    for ratio, scale in itertools.product(a["ratio"], a["scale"]):
        w = (size * size / ratio)**0.5
        w, h = (w, w * ratio) if tensorflow else (math.floor(w + 0.5), math.floor(math.floor(w + 0.5) * ratio + 0.5))
        if tensorflow:
            yield [-w * scale / 2, -h * scale / 2, w * scale / 2, h * scale / 2]
        else:
            middle = (size - 1) / 2
            yield [middle - (w * scale - 1) / 2, middle - (h * scale - 1) / 2, middle + (w * scale - 1) / 2,
                   middle + (h * scale - 1) / 2]


def proposal(probs, deltas, image, a):
    tensorflow = a.get("framework") == "tensorflow"
    edge, anchors = 0 if tensorflow else 1, list(anchors_of(a))
    least = a["min_size"] * image[-1], a["min_size"] * image[2]
    rois, best = np.zeros((len(probs), a["post_nms_topn"], 5)), np.zeros((len(probs), a["post_nms_topn"]))
    divide = np.array([a.get("box_coordinate_scale", 1)] * 2 + [a.get("box_size_scale", 1)] * 2)
    for n in range(len(probs)):
        boxes, scores, large = [], [], []
        for i, j, k in itertools.product(*map(range, (*probs.shape[2:], len(anchors)))):
            at = np.array([i, j] if tensorflow else [j, i]) * a["feat_stride"]
            anchor = np.array(anchors[k]) + [*at, *at]
            anchor = cut_to(anchor, image[1], image[0]) if tensorflow else anchor
            box = moved(anchor, deltas[n, 4 * k:4 * k + 4, i, j] / divide, edge, 0)
            if a.get("clip_before_nms", True):
                box = cut_to(box, image[1] - edge, image[0] - edge)
            boxes.append(box)
            scores.append(probs[n, len(anchors) + k, i, j])
            large.append(box[2] - box[0] + edge >= least[0] and box[3] - box[1] + edge >= least[1])
        found = best_proposals(boxes, scores, large, a["pre_nms_topn"], a["post_nms_topn"], a["nms_thresh"], edge, False)
        for r, (box, score) in enumerate(found):
            box = cut_to(box, image[1], image[0]) if a.get("clip_after_nms") else box
            scale = [image[1], image[0]] * 2 if a.get("normalize") else [1] * 4
            rois[n, r], best[n, r] = [n, *np.divide(box, scale)], score
        if len(found) < a["post_nms_topn"]:
            rois[n, len(found), 0] = -1
    return rois.reshape(-1, 5), best.reshape(-1)


def map_of(c, type_, images, anchors, size):
    """Scores, no two of which are equal in an image, and deltas that overlap boxes and make small ones."""
    scores = np.array([c.rng.permutation(anchors * size[0] * size[1]) + 1 for _ in range(max(images, 1))]) / 128
    deltas = c.rng.randint(-8, 9, (max(images, 1), anchors * 4, *size)) / 8
    scores = scores.reshape(max(images, 1), anchors, *size)
    return (scores, deltas) if images else (scores[0], deltas[0])


PROPOSALS = [
    ("plain", {}, [24, 32, 1]), ("plain", {"post_nms_topn": 20, "nms_thresh": 0.5}, [24, 32, 1]),
    ("small", {"min_size": 7, "pre_nms_topn": 20, "post_nms_topn": 20}, [24, 32, 1.5, 0.5]),
    ("clip", {"clip_before_nms": False}, [20, 24, 1]),
    ("clip", {"clip_before_nms": False, "clip_after_nms": True, "normalize": True}, [20, 24, 1]),
    ("scales", {"box_size_scale": 2, "box_coordinate_scale": 4}, [24, 32, 1]),
    ("few", {"pre_nms_topn": 3, "nms_thresh": 0.9}, [24, 32, 1]),
    ("tensorflow", {"framework": "tensorflow", "min_size": 3}, [24, 32, 1]),
]


def proposals():
    for (name, other, image), version in itertools.product(PROPOSALS, ("opset1", "opset4")):
        c = case_of("Proposal", f"{name}_{version}")
        a = {"base_size": 6, "pre_nms_topn": 14, "post_nms_topn": 6, "nms_thresh": 0.3, "feat_stride": 8, "min_size": 2,
             "ratio": [0.5, 2], "scale": [1, 2.5], **other}
        scores, deltas = map_of(c, "f32", 2, 4, (2, 3))
        probs = np.concatenate([1 - scores, scores], 1)
        y = [rounded("f32", t) for t in proposal(probs, deltas, image, a)]
        close(c, [Tensor("f32", probs), Tensor("f32", deltas), Tensor("f32", image)], y if version == "opset4" else y[0],
              a, version)
    c = case_of("Proposal", "types")
    a = {"base_size": 4, "pre_nms_topn": 4, "post_nms_topn": 2, "nms_thresh": 0.5, "feat_stride": 4, "min_size": 1,
         "ratio": [1], "scale": [2]}
    for t in FLOATS:
        scores, deltas = map_of(c, t, 1, 1, (1, 2))
        probs = np.concatenate([1 - scores, scores], 1)
        close(c, [Tensor(t, probs), Tensor(t, deltas), Tensor(t, [8, 8, 1])],
              [rounded(t, y) for y in proposal(probs, deltas, [8, 8, 1], a)], a)


def generated(image, anchors, deltas, scores, a, edge, margin, drops, least):
    """Of one image; the anchors are [height, width, anchors, 4]."""
    boxes, found, large = [], [], []
    for i, j, k in np.ndindex(*anchors.shape[:3]):
        box = moved(anchors[i, j, k], deltas[4 * k:4 * k + 4, i, j], edge, edge, math.log(1000 / 16))
        box = cut_to(box, image[1] - edge, image[0] - edge)
        boxes.append(box)
        found.append(scores[k, i, j])
        large.append(box[2] - box[0] + edge >= least[0] and box[3] - box[1] + edge >= least[1])
    return best_proposals(boxes, found, large, a["pre_nms_count"], a["post_nms_count"], a["nms_threshold"], margin, drops,
                          a.get("nms_eta", 1.0))


def grid_anchors(c, anchors, size):
    at = c.rng.randint(0, 40, (*size, anchors, 2)) / 2
    return np.concatenate([at, at + c.rng.randint(4, 24, (*size, anchors, 2)) / 2], -1)


def single_images():
    for t, name, other in (("f32", "counts", {}), ("f32", "counts", {"post_nms_count": 3}),
                           ("f32", "counts", {"pre_nms_count": 5, "nms_threshold": 0.9}),
                           ("f32", "small", {"min_size": 6, "post_nms_count": 9}),
                           ("f32", "none", {"post_nms_count": 0}),
                           *((t, "types", {"post_nms_count": 3}) for t in FLOATS)):
        c = case_of("ExperimentalDetectronGenerateProposalsSingleImage", name)
        a = {"min_size": 1, "nms_threshold": 0.25, "pre_nms_count": 15, "post_nms_count": 12, **other}
        anchors, (scores, deltas), image = grid_anchors(c, 3, (2, 3)), map_of(c, t, 0, 3, (2, 3)), [24, 28, 1]
        rows = generated(image, anchors, deltas, scores, a, 1, 0, False, [a["min_size"]] * 2)
        rois, best = np.zeros((a["post_nms_count"], 4)), np.zeros(a["post_nms_count"])
        for i, (box, score) in enumerate(rows):
            rois[i], best[i] = box, score
        given = [Tensor(t, x) for x in (image, anchors.reshape(-1, 4), deltas, scores)]
        close(c, given, [rounded(t, rois), rounded(t, best)], a)


def counted_proposals():
    images = [[24, 28, 1], [20, 32, 1]]
    scaled = [[24, 28, 2, 0.5], [20, 32, 1, 3]]
    for t, name, other, sizes in (("f32", "images", {}, images), ("f32", "images", {"roi_num_type": "i32"}, images),
                                  ("f32", "small", {"min_size": 4}, scaled), ("f32", "small", {"min_size": 90}, images),
                                  ("f32", "pixels", {"normalized": False, "min_size": 4}, images),
                                  ("f32", "eta", {"nms_threshold": 0.75, "nms_eta": 0.6}, images),
                                  ("f32", "eta", {"nms_threshold": 0.75}, images),
                                  ("f32", "counts", {"pre_nms_count": 7, "post_nms_count": 2}, images),
                                  ("f32", "none", {"post_nms_count": 0}, images), *((t, "types", {}, images) for t in FLOATS)):
        c = case_of("GenerateProposals", name)
        a = {"min_size": 1, "nms_threshold": 0.25, "pre_nms_count": 15, "post_nms_count": 12, **other}
        anchors, (scores, deltas) = grid_anchors(c, 3, (2, 3)), map_of(c, t, 2, 3, (2, 3))
        edge = 0 if a.get("normalized", True) else 1
        rows = [generated(image, anchors, deltas[n], scores[n], a, edge, edge, True,
                          [a["min_size"] * image[-1], a["min_size"] * image[2]]) for n, image in enumerate(sizes)]
        both = [row for image in rows for row in image]
        y = [rounded(t, np.reshape([box for box, _ in both], (-1, 4))), rounded(t, np.array([s for _, s in both])),
             Tensor(a.get("roi_num_type", "i64"), [len(image) for image in rows])]
        close(c, [Tensor(t, x) for x in (sizes, anchors, deltas, scores)], y, a, dynamic=True)


def make():
    proposals()
    single_images()
    counted_proposals()
    prior_grids()
    top_regions()
    priors()
    clusters()
