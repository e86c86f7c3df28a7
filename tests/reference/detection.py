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


def make():
    prior_grids()
    top_regions()
    priors()
    clusters()
