"""Heads of detectors as exported models have them: tests/subgraphs. Each is computed as a whole, in f64, by numpy and
plain loops."""

import numpy as np

from detection import prior_box, proposal
from heads import CENTER, detection_output
from images import roi_align
from nets import Net, softmax
from rois import region_yolo
from suppression import overlap, suppress


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


def ssd_head():
    """Two maps with boxes of their own, as SSD has six."""
    g = Net("ssd_head", "The head of SSD: boxes and classes of two maps, prior boxes of their sizes, what is detected.")
    image, classes = (32, 40), 3
    image_size = g.ints("image_size", *image)
    parts = {"moves": [], "classes": [], "priors": []}
    wanted = {"moves": [], "classes": [], "priors": []}
    nhwc, zero, two, four = g.ints("nhwc", 0, 2, 3, 1), g.ints("zero", 0), g.ints("two", 2), g.ints("four", 4)
    one, flat = g.ints("one", 1), g.ints("flat", 0, -1)
    for i, (height, width, a) in enumerate((
            (2, 3, {"min_size": [8.0], "max_size": [14.0], "aspect_ratio": [2.0], "flip": True}),
            (1, 2, {"min_size": [16.0], "aspect_ratio": [2.0]}))):
        a = {**a, "offset": 0.5, "step": 0.0, "clip": False, "variance": [0.1, 0.1, 0.2, 0.2]}
        boxes = 4 if i == 0 else 2
        x, xv = g.floats(f"map_{i}", (2, 4, height, width))
        for what, each in (("moves", 4), ("classes", classes)):
            operands, arrays = layer(g, f"{what}_{i}", 4, boxes * each)
            y = g.node("Transpose-1", convolution(g, x, *operands), nhwc)
            parts[what].append(g.node("Reshape-1", y, flat, special_zero=True))
            wanted[what].append(np.transpose(pointwise(xv, *arrays), (0, 2, 3, 1)).reshape(2, -1))
        size = g.node("StridedSlice-1", g.node("ShapeOf-3", x), two, four, one, begin_mask=[0], end_mask=[0])
        prior = g.node("PriorBox-8", size, image_size, **a)
        parts["priors"].append(g.node("Unsqueeze-1", prior, zero))
        wanted["priors"].append(prior_box((height, width), image, a))
    moves = g.node("Concat-1", *parts["moves"], axis=1)
    scores = g.node("Reshape-1", g.node("Concat-1", *parts["classes"], axis=1), g.ints("rows", 0, -1, classes),
                    special_zero=True)
    scores = g.node("Reshape-1", g.node("SoftMax-8", scores, axis=2), flat, special_zero=True)
    priors = g.node("Concat-1", *parts["priors"], axis=2)
    a = {"background_label_id": 0, "top_k": 20, "keep_top_k": [6], "code_type": CENTER, "share_location": True,
         "nms_threshold": 0.45, "confidence_threshold": 0.3, "normalized": True}
    found = g.node("DetectionOutput-8", moves, scores, priors, **a)
    moves, scores, priors = (np.concatenate(wanted[k], -1) for k in ("moves", "classes", "priors"))
    scores = softmax(scores.reshape(2, -1, classes)).reshape(2, -1)
    y = detection_output(moves, scores, priors[None], [], a, classes)
    assert len({tuple(row[:2]) for row in y[0, 0] if row[0] >= 0}) > 2, "too little is detected to say much"
    g.result("detections", found, y, atol=2e-5)


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


def make():
    ssd_head()
    rcnn_head()
    yolo_head()
