"""Heads of detectors as exported models have them: tests/subgraphs. Each is computed as a whole, in f64, by numpy and
plain loops."""

import numpy as np

from detection import clustered, prior_box, proposal
from heads import CENTER, detection_output
from images import roi_align
from nets import Net, softmax
from rois import region_yolo, reorg, sigmoid
from suppression import hard_class, matrix_class, multiclass, overlap, padded, soft, suppress


def pointwise(x, filters, bias):
    """A convolution of one place: [N, CI, H, W] by [CO, CI]."""
    return np.einsum("nchw,oc->nohw", x, filters) + bias.reshape(1, -1, 1, 1)


def convolution(g, x, filters, bias):
    """The same as nodes, by filters of [CO, CI, 1, 1]."""
    y = g.node("Convolution-1", x, filters, strides=[1, 1], pads_begin=[0, 0], pads_end=[0, 0], dilations=[1, 1])
    return g.node("Add-1", y, bias)


def layer(g, name, inputs, outputs):
    """Weights of a convolution of one place: operands and arrays."""
    w, wx = g.floats(f"{name}_filters", (outputs, inputs, 1, 1))
    b, bx = g.floats(f"{name}_bias", (1, outputs, 1, 1))
    return (w, b), (wx[:, :, 0, 0], bx.reshape(-1))


# ---- detection ----


def ssd(name, about, maps, detection, a):
    """MAPS: height, width, the operation that makes prior boxes and how many at each place, and its attributes."""
    g = Net(name, about)
    image, classes = (32, 40), 3
    image_size = g.ints("image_size", *image)
    parts = {"moves": [], "classes": [], "priors": []}
    wanted = {"moves": [], "classes": [], "priors": []}
    nhwc, zero, two, four = g.ints("nhwc", 0, 2, 3, 1), g.ints("zero", 0), g.ints("two", 2), g.ints("four", 4)
    one, flat = g.ints("one", 1), g.ints("flat", 0, -1)
    for i, (height, width, operation, boxes, sizes) in enumerate(maps):
        x, xv = g.floats(f"map_{i}", (2, 4, height, width))
        for what, each in (("moves", 4), ("classes", classes)):
            operands, arrays = layer(g, f"{what}_{i}", 4, boxes * each)
            y = g.node("Transpose-1", convolution(g, x, *operands), nhwc)
            parts[what].append(g.node("Reshape-1", y, flat, special_zero=True))
            wanted[what].append(np.transpose(pointwise(xv, *arrays), (0, 2, 3, 1)).reshape(2, -1))
        size = g.node("StridedSlice-1", g.node("ShapeOf-3", x), two, four, one, begin_mask=[0], end_mask=[0])
        prior = g.node(operation, size, image_size, **sizes)
        parts["priors"].append(g.node("Unsqueeze-1", prior, zero))
        rule = clustered if "Clustered" in operation else prior_box
        wanted["priors"].append(rule((height, width), image, sizes))
    moves = g.node("Concat-1", *parts["moves"], axis=1)
    scores = g.node("Reshape-1", g.node("Concat-1", *parts["classes"], axis=1), g.ints("rows", 0, -1, classes),
                    special_zero=True)
    scores = g.node("Reshape-1", g.node("SoftMax-8", scores, axis=2), flat, special_zero=True)
    priors = g.node("Concat-1", *parts["priors"], axis=2)
    found = g.node(detection, moves, scores, priors, **a)
    moves, scores, priors = (np.concatenate(wanted[k], -1) for k in ("moves", "classes", "priors"))
    scores = softmax(scores.reshape(2, -1, classes)).reshape(2, -1)
    y = detection_output(moves, scores, priors[None], [], a, classes)
    assert len({tuple(row[:2]) for row in y[0, 0] if row[0] >= 0}) > 2, "too little is detected to say much"
    g.result("detections", found, y, atol=2e-5)


VARIANCE = {"offset": 0.5, "variance": [0.1, 0.1, 0.2, 0.2], "clip": False}
DETECTION = {"background_label_id": 0, "top_k": 20, "keep_top_k": [6], "code_type": CENTER, "share_location": True,
             "nms_threshold": 0.45, "confidence_threshold": 0.3, "normalized": True}


def ssd_heads():
    """Two maps with boxes of their own, as SSD has six."""
    ssd("ssd_head", "The head of SSD: boxes and classes of two maps, prior boxes of their sizes, what is detected.",
        [(2, 3, "PriorBox-8", 4, {"min_size": [8.0], "max_size": [14.0], "aspect_ratio": [2.0], "flip": True, "step": 0.0,
                                  **VARIANCE}),
         (1, 2, "PriorBox-8", 2, {"min_size": [16.0], "aspect_ratio": [2.0], "step": 0.0, **VARIANCE})],
        "DetectionOutput-8", DETECTION)
    ssd("clustered_head", "A head of SSD in files of opset 1: the sizes of boxes of one map are clusters of those that were "
        "met (Redmon and Farhadi, \"YOLO9000\").",
        [(2, 2, "PriorBoxClustered-1", 3, {"width": [8.0, 14.0, 9.5], "height": [8.0, 7.0, 16.0], "step": 16.0, **VARIANCE}),
         (1, 2, "PriorBox-1", 3, {"min_size": [16.0], "max_size": [24.0], "aspect_ratio": [0.5], "step": 20.0, **VARIANCE})],
        "DetectionOutput-1", {"num_classes": 3, **DETECTION})


def rcnn_head():
    g = Net("rcnn_head", "The second stage of Faster R-CNN: proposals, regions of the map, classes and boxes of each, the "
            "boxes that remain.")
    a = {"base_size": 8, "pre_nms_topn": 20, "post_nms_topn": 5, "nms_thresh": 0.7, "feat_stride": 8, "min_size": 4,
         "ratio": [0.5, 2.0], "scale": [1.0], "framework": "tensorflow", "clip_before_nms": True}
    image, classes = [24.0, 32.0, 1.0, 1.0], 3
    x, xv = g.floats("map", (1, 4, 3, 4))
    (w, b), rpn = layer(g, "objectness", 4, 4)
    (w2, b2), rpn_moves = layer(g, "anchors", 4, 8)
    logits = g.node("Reshape-1", convolution(g, x, w, b), g.ints("pairs", 0, 2, -1, 4), special_zero=True)
    scores = g.node("Reshape-1", g.node("SoftMax-8", logits, axis=1), g.ints("again", 0, 4, -1, 4), special_zero=True)
    rois, _ = g.node("Proposal-4", scores, convolution(g, x, w2, b2), g.f32("image", image), outputs=2, **a)
    start, stop, step, axis = (g.ints(n, v) for n, v in (("at_1", 1), ("at_5", 5), ("every", 1), ("along_1", 1)))
    at_0 = g.ints("at_0", 0)
    boxes = g.node("Slice-8", rois, start, stop, step, axis)
    index = g.node("Slice-8", rois, at_0, start, step, axis)
    index = g.node("Convert-1", g.node("Squeeze-1", index, axis), destination_type="i32")
    index = g.node("Maximum-1", index, g.scalar("no_image", 0, "i32"))
    pooled = g.node("ROIAlign-9", x, boxes, index, pooled_h=2, pooled_w=2, sampling_ratio=2, spatial_scale=0.125, mode="avg",
                    aligned_mode="half_pixel")
    greatest = g.node("RoiAlign-16@onnx16", x, boxes, index, pooled_h=2, pooled_w=2, sampling_ratio=2, spatial_scale=0.125,
                      mode="max", aligned_mode="half_pixel_for_nn")
    flat = g.node("Reshape-1", pooled, g.ints("flat", 0, -1), special_zero=True)
    w, wv = g.floats("head", (16, classes))
    w2, w2v = g.floats("box_head", (16, 4), -0.25, 0.25)
    found = g.node("SoftMax-8", g.node("MatMul-1", flat, w), axis=1)
    moves = g.node("MatMul-1", flat, w2)
    # Boxes are moved by their center and size, as torchvision's BoxCoder does it.
    low, high = (g.node("Slice-8", boxes, g.ints(f"from_{i}", i), g.ints(f"to_{i}", i + 2), step, axis) for i in (0, 2))
    shift, grow = (g.node("Slice-8", moves, f"%from_{i}", f"%to_{i}", step, axis) for i in (0, 2))
    size = g.node("Subtract-1", high, low)
    half = g.scalar("half", 0.5, "f32")
    center = g.node("Add-1", g.node("Add-1", low, g.node("Multiply-1", size, half)), g.node("Multiply-1", shift, size))
    reach = g.node("Multiply-1", g.node("Multiply-1", size, g.node("Exp-1", grow)), half)
    moved = g.node("Concat-1", g.node("Subtract-1", center, reach), g.node("Add-1", center, reach), axis=1)
    moved = g.node("Clamp-1", moved, min=0, max=32)
    every = g.node("Unsqueeze-1", moved, at_0)
    by_class = g.node("Unsqueeze-1", g.node("Transpose-1", found, g.ints("turned", 1, 0)), at_0)
    picked = g.node("NonMaxSuppression-9", every, by_class, g.scalar("most", 4), g.scalar("overlap", 0.5, "f32"),
                    g.scalar("least", 0.2, "f32"), outputs=3, box_encoding="corner", sort_result_descending=False,
                    output_type="i64")

    logits = pointwise(xv, *rpn).reshape(1, 2, -1, 4)
    regions, _ = proposal(softmax(logits, 1).reshape(1, 4, 3, 4), pointwise(xv, *rpn_moves), image, a)
    images = np.maximum(regions[:, 0], 0).astype(int)
    flat = roi_align(xv, regions[:, 1:], images, (2, 2), 2, 0.125, "avg", "half_pixel").reshape(len(regions), -1)
    scores, moves, box = softmax(flat @ wv), flat @ w2v, regions[:, 1:]
    size = box[:, 2:] - box[:, :2]
    center, reach = box[:, :2] + size / 2 + moves[:, :2] * size, size * np.exp(moves[:, 2:]) / 2
    box = np.clip(np.concatenate([center - reach, center + reach], 1), 0, 32)
    rows = suppress(box[None], scores.T[None], 4, 0.5, 0.2, False, overlap)
    assert len(rows) > 3
    g.result("regions", rois, regions, atol=1e-4)
    g.result("greatest", greatest, roi_align(xv, regions[:, 1:], images, (2, 2), 2, 0.125, "max", "half_pixel_for_nn", True),
             atol=1e-4)
    g.result("boxes", moved, box, atol=2e-4)
    g.result("selected", picked[0], np.array([row[:3] for row in rows]), "i64", dynamic=True)
    g.result("scores", picked[1], np.array([[n, k, s] for n, k, _, s in rows]), atol=1e-5, dynamic=True)


def yolo_head():
    g = Net("yolo_head", "The head of YOLO v3: a region, decoded by anchors and places of the grid, and what is selected.")
    anchors, size, classes = [(10, 14), (23, 27)], (2, 3), 2
    x, xv = g.floats("map", (1, 4, *size), -2, 2)
    (w, b), arrays = layer(g, "head", 4, 2 * (5 + classes))
    y = g.node("RegionYolo-1", convolution(g, x, w, b), anchors=[10.0, 14.0, 23.0, 27.0, 37.0, 58.0], axis=1,
               end_axis=3, coords=4, classes=classes, num=3, do_softmax=False, mask=[0, 1])
    rows = g.node("Reshape-1", y, g.ints("by_anchor", 1, 2, 5 + classes, *size), special_zero=False)
    rows = g.node("Transpose-1", rows, g.ints("last", 0, 1, 3, 4, 2))
    place, extent, sure, each = g.node("VariadicSplit-1", rows, g.scalar("along", -1), g.ints("widths", 2, 2, 1, classes),
                                       outputs=4)
    grid = np.stack(np.meshgrid(range(size[1]), range(size[0])), -1)
    boxes_of = np.array(anchors).reshape(1, 2, 1, 1, 2)
    center = g.node("Multiply-1", g.node("Add-1", place, g.f32("grid", grid)), g.scalar("stride", 16, "f32"))
    extent = g.node("Multiply-1", g.node("Exp-1", extent), g.f32("sizes", boxes_of))
    all_boxes = g.node("Reshape-1", g.node("Concat-1", center, extent, axis=-1), g.ints("boxes", 1, -1, 4),
                       special_zero=False)
    scores = g.node("Reshape-1", g.node("Multiply-1", sure, each), g.ints("classes", 1, -1, classes), special_zero=False)
    scores = g.node("Transpose-1", scores, g.ints("by_class", 0, 2, 1))
    picked = g.node("NonMaxSuppression-9", all_boxes, scores, g.scalar("most", 5), g.scalar("overlap", 0.4, "f32"),
                    g.scalar("least", 0.25, "f32"), outputs=3, box_encoding="center", sort_result_descending=True,
                    output_type="i32")

    raw = region_yolo(pointwise(xv, *arrays), 4, classes, 2, False).reshape(1, 2, 5 + classes, *size)
    raw = raw.transpose(0, 1, 3, 4, 2)
    center, extent = (raw[..., :2] + grid) * 16, np.exp(raw[..., 2:4]) * boxes_of
    box = np.concatenate([center - extent / 2, center + extent / 2], -1).reshape(1, -1, 4)
    sure = (raw[..., 4:5] * raw[..., 5:]).reshape(1, -1, classes).transpose(0, 2, 1)
    rows = suppress(box, sure, 5, 0.4, 0.25, True, overlap)
    assert len(rows) > 3
    g.result("selected", picked[0], np.array([row[:3] for row in rows]), "i32", dynamic=True)
    g.result("scores", picked[1], np.array([[n, k, s] for n, k, _, s in rows]), atol=1e-5, dynamic=True)
    g.result("count", picked[2], [len(rows)], "i32")


def passthrough_head():
    g = Net("passthrough_head", "The head of YOLO v2: the blocks of a finer map become channels beside a coarse one, then a "
            "region whose classes exclude one another.")
    fine, fv = g.floats("fine", (1, 4, 4, 6))
    coarse, cv = g.floats("coarse", (1, 3, 2, 3))
    y = g.node("Concat-1", g.node("ReorgYolo-1", fine, stride=2), coarse, axis=1)
    (w, b), arrays = layer(g, "head", 19, 2 * 7)
    y = g.node("RegionYolo-1", convolution(g, y, w, b), anchors=[1.0, 2.0, 3.0, 1.5], axis=1, end_axis=3, coords=4,
               classes=2, num=2, do_softmax=True)
    wanted = pointwise(np.concatenate([reorg(fv, 2), cv], 1), *arrays)
    g.result("regions", y, region_yolo(wanted, 4, 2, 2, True).reshape(1, -1), atol=1e-5)


# name, version, attributes, the type of what is picked, whether there are three outputs, and what soft_nms_sigma is
SELECTIONS = [("first", 1, {"sort_result_descending": True}, "i64", False, 0),
              ("third", 3, {"sort_result_descending": True, "output_type": "i32"}, "i32", False, 0),
              ("fourth", 4, {"sort_result_descending": False, "output_type": "i32"}, "i32", False, 0),
              ("soft", 5, {"sort_result_descending": True, "output_type": "i64"}, "i64", True, 0.5)]


def dense_head():
    g = Net("dense_head", "A head without anchors (Tian et al., \"FCOS\"): from each place the ways to four sides of a box. "
            "What is selected of the boxes, as each operation of exporters does it.")
    height, width, classes = 2, 3, 2
    x, xv = g.floats("map", (1, 4, height, width))
    sides, side_arrays = layer(g, "sides", 4, 4)
    scores, score_arrays = layer(g, "classes", 4, classes)
    flat, turned = g.ints("flat", 0, 0, -1), g.ints("turned", 0, 2, 1)
    ways = g.node("Exp-1", convolution(g, x, *sides))
    ways = g.node("Transpose-1", g.node("Reshape-1", ways, flat, special_zero=True), turned)
    low, high = g.node("Split-1", ways, g.scalar("last", -1), outputs=2, num_splits=2)
    places = np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1).reshape(1, -1, 2) + 0.5
    at = g.f32("places", places)
    boxes = g.node("Concat-1", g.node("Subtract-1", at, low), g.node("Add-1", at, high), axis=-1)
    sure = g.node("Reshape-1", g.node("Sigmoid-1", convolution(g, x, *scores)), flat, special_zero=True)

    ways = np.exp(pointwise(xv, *side_arrays)).reshape(1, 4, -1).transpose(0, 2, 1)
    box = np.concatenate([places - ways[..., :2], places + ways[..., 2:]], -1)
    scored = sigmoid(pointwise(xv, *score_arrays)).reshape(1, classes, -1)
    most, iou, least = g.scalar("most", 3), g.scalar("overlap", 0.125, "f32"), g.scalar("least", 0.515, "f32")
    for name, version, a, type_, has_scores, sigma in SELECTIONS:
        more = [g.scalar("sigma", sigma, "f32")] if sigma else []
        y = g.node(f"NonMaxSuppression-{version}", boxes, sure, most, iou, least, *more, outputs=3 if has_scores else 1,
                   box_encoding="corner", **a)
        keeps = soft(0.125, sigma, True) if sigma else 0.125
        rows = suppress(box, scored, 3, keeps, 0.515, a["sort_result_descending"], overlap)
        assert 2 < len(rows) < 6, "nothing is suppressed"
        if has_scores:
            g.result(name, y[0], np.array([row[:3] for row in rows]), type_, dynamic=True)
            g.result(f"{name}_scores", y[1], np.array([[n, k, s] for n, k, _, s in rows]), atol=1e-5, dynamic=True)
        else:
            g.result(name, y, padded(rows, 6, type_).array, type_)
    a = {"sort_result": "class", "output_type": "i32", "score_threshold": 0.25, "nms_top_k": 4, "keep_top_k": 5,
         "background_class": -1, "normalized": True}
    for operation, rule, more in (("MulticlassNms-8", hard_class, {"iou_threshold": 0.125, "nms_eta": 1.0}),
                                  ("MatrixNms-8", matrix_class, {"decay_function": "gaussian", "gaussian_sigma": 2.0,
                                                                 "post_threshold": 0.125})):
        name = operation[:-2].lower()
        y = g.node(operation, boxes, sure, outputs=3, **a, **more)
        rows, counts = multiclass([([box[0]] * classes, scored[0])], {**a, **more}, rule, rule is hard_class)
        g.result(name, y[0], np.array([[k, s, *box[0, i]] for _, k, i, s in rows]), atol=2e-5, dynamic=True)
        g.result(f"{name}_places", y[1], np.array([[i] for _, _, i, _ in rows]), "i32", dynamic=True)
        g.result(f"{name}_counts", y[2], counts, "i32")


def make():
    ssd_heads()
    rcnn_head()
    yolo_head()
    passthrough_head()
    dense_head()
