"""What detectors of two stages do with their regions, as exported models have it: tests/subgraphs. Each is computed as a
whole, in f64, by numpy and plain loops."""

import numpy as np

from detection import generated, prior_grid, proposal
from detectors import convolution, layer, pointwise
from heads import CENTER, detection_output
from images import roi_align, roi_max
from nets import Net, softmax
from rois import psroi_average, psroi_deformable, roi_align_rotated, sigmoid
from suppression import hard_class, multiclass, suppress, turned_overlap
from values import detectron_detections, pyramid_features


def dense(g, name, inputs, outputs, reach=1.0):
    """Weights of a product: an operand and an array. With a smaller REACH boxes move less."""
    return g.floats(name, (inputs, outputs), -reach, reach)


def rows(g, name, x, size):
    """X with all but its first axis joined, as a head has it before its products."""
    return g.node("Reshape-1", x, g.ints(name, -1, size), special_zero=False)


def detectron_head():
    g = Net("detectron_head", "Detectron's Faster R-CNN from its pyramid on: anchors of a grid, proposals, the best of them, "
            "features from the level that suits each, detections.")
    image, anchors = [128.0, 160.0, 1.0], np.array([[-64.0, -64, 64, 64], [-80, -72, 80, 72]])
    fine, fv = g.floats("fine", (1, 4, 8, 10))
    coarse, cv = g.floats("coarse", (1, 4, 4, 5))
    (w, b), objects = layer(g, "objectness", 4, 2)
    (w2, b2), moves = layer(g, "anchors", 4, 8)
    first, info = g.ints("first", 0), g.f32("image_size", image)
    scores = g.node("Sigmoid-1", g.node("Squeeze-1", convolution(g, coarse, w, b), first))
    deltas = g.node("Multiply-1", g.node("Squeeze-1", convolution(g, coarse, w2, b2), first), g.scalar("eighth", 0.125, "f32"))
    pixels = g.node("Broadcast-3", g.scalar("black", 0, "f32"), g.ints("pixels", 1, 3, 128, 160), mode="numpy")
    grid = g.node("ExperimentalDetectronPriorGridGenerator-6", g.f32("priors", anchors), coarse, pixels, flatten=True, h=0,
                  w=0, stride_x=32.0, stride_y=32.0)
    a = {"min_size": 1.0, "nms_threshold": 0.7, "pre_nms_count": 20, "post_nms_count": 10}
    found = g.node("ExperimentalDetectronGenerateProposalsSingleImage-6", info, grid, deltas, scores, outputs=2, **a)
    best = g.node("ExperimentalDetectronTopKROIs-6", *found, max_rois=7)
    extract = {"output_size": 2, "sampling_ratio": 2, "pyramid_scales": [16, 32], "aligned": False}
    features, regions = g.node("ExperimentalDetectronROIFeatureExtractor-6", best, fine, coarse, outputs=2, **extract)
    flat = rows(g, "flat", features, 16)
    wc, classes = dense(g, "class_weights", 16, 3)
    wb, boxes = dense(g, "box_weights", 16, 12, 0.25)
    detect = {"score_threshold": 0.2, "nms_threshold": 0.5, "num_classes": 3, "post_nms_count": 4,
              "max_detections_per_image": 6, "class_agnostic_box_regression": False, "max_delta_log_wh": 4.0,
              "deltas_weights": [10.0, 10.0, 5.0, 5.0]}
    y = g.node("ExperimentalDetectronDetectionOutput-6", regions, g.node("MatMul-1", flat, wb),
               g.node("SoftMax-8", g.node("MatMul-1", flat, wc), axis=1), g.node("Unsqueeze-1", info, first), outputs=3,
               **detect)

    places = prior_grid(anchors, cv.shape, (1, 3, 128, 160), {"stride_x": 32, "stride_y": 32}).reshape(4, 5, 2, 4)
    kept = generated(image, places, pointwise(cv, *moves)[0] / 8, sigmoid(pointwise(cv, *objects))[0], a, 1, 0, False, [1, 1])
    assert len(kept) >= 7
    kept = np.array([box for box, _ in sorted(kept, key=lambda row: -row[1])[:7]])
    large = (kept[:, 2:] - kept[:, :2]).prod(1) >= 112**2
    assert large.any() and not large.all(), "one level is for all"
    flat = pyramid_features(kept, [fv, cv], [16, 32], 2, 2, False).reshape(7, -1)
    want = detectron_detections(kept, flat @ boxes, softmax(flat @ classes), detect)
    assert set(want[1].array) >= {1, 2}, "too little is detected to say much"
    g.result("regions", regions, kept, atol=1e-3)
    g.result("boxes", y[0], want[0].array, atol=2e-3)
    g.result("classes", y[1], want[1].array, "i32")
    g.result("scores", y[2], want[2].array, atol=2e-5)


def proposed(g, a, image):
    """Regions of a map of [1, 4, 3, 4] by Proposal-1: how the text refers to map and regions, and their arrays."""
    x, xv = g.floats("map", (1, 4, 3, 4))
    anchors = len(a["ratio"]) * len(a["scale"])
    (w, b), objects = layer(g, "objectness", 4, 2 * anchors)
    (w2, b2), moves = layer(g, "anchors", 4, 4 * anchors)
    pairs, again = g.ints("pairs", 0, 2, -1, 4), g.ints("again", 0, 2 * anchors, -1, 4)
    logits = g.node("Reshape-1", convolution(g, x, w, b), pairs, special_zero=True)
    scores = g.node("Reshape-1", g.node("SoftMax-8", logits, axis=1), again, special_zero=True)
    found = g.node("Proposal-1", scores, convolution(g, x, w2, b2), g.f32("image", image), **a)
    scores = softmax(pointwise(xv, *objects).reshape(1, 2, -1, 4), 1).reshape(1, 2 * anchors, 3, 4)
    regions, _ = proposal(scores, pointwise(xv, *moves), image, a)
    assert regions[:, 0].min() == 0, "fewer regions than there is room for"
    return x, xv, found, regions


def rfcn_head():
    g = Net("rfcn_head", "The head of deformable R-FCN: parts of regions have channels of their own, and those of classes are "
            "moved by what a first pooling says (Dai et al., \"Deformable convolutional networks\").")
    a = {"base_size": 8, "pre_nms_topn": 12, "post_nms_topn": 4, "nms_thresh": 0.7, "feat_stride": 8, "min_size": 4,
         "ratio": [0.5, 2.0], "scale": [1.0, 2.0]}
    x, xv, found, regions = proposed(g, a, [24.0, 32.0, 1.0])
    maps = {}
    for name, channels in (("offsets", 2), ("classes", 3), ("boxes", 4)):
        (w, b), arrays = layer(g, name, 4, channels * 4)
        maps[name] = convolution(g, x, w, b), pointwise(xv, *arrays)
    parts = {"group_size": 2, "spatial_scale": 0.125}
    bins = {**parts, "mode": "bilinear_deformable", "spatial_bins_x": 2, "spatial_bins_y": 2, "part_size": 2}
    offsets = g.node("DeformablePSROIPooling-1", maps["offsets"][0], found, **bins, output_dim=2, trans_std=0.0)
    votes = g.node("DeformablePSROIPooling-1", maps["classes"][0], found, offsets, **bins, output_dim=3, trans_std=0.125)
    moves = g.node("PSROIPooling-1", maps["boxes"][0], found, **parts, output_dim=4)
    plane = g.ints("plane", 2, 3)
    scores = g.node("SoftMax-8", g.node("ReduceMean-1", votes, plane, keep_dims=False), axis=1)
    by = psroi_deformable(maps["offsets"][1], regions, None, 2, 2, 0.125, 2, 2, 0.0, 2)
    votes = psroi_deformable(maps["classes"][1], regions, by, 3, 2, 0.125, 2, 2, 0.125, 2)
    g.result("regions", found, regions, atol=1e-4)
    g.result("scores", scores, softmax(votes.mean((2, 3))), atol=1e-5)
    g.result("moves", g.node("ReduceMean-1", moves, plane, keep_dims=False),
             psroi_average(maps["boxes"][1], regions, 4, 2, 0.125).mean((2, 3)), atol=1e-5)


def pooled_rcnn_head():
    g = Net("pooled_rcnn_head", "Faster R-CNN as files of opset 1 have it: proposals, pooled regions, and DetectionOutput, for "
            "which the proposals are priors in pixels.")
    a = {"base_size": 8, "pre_nms_topn": 12, "post_nms_topn": 5, "nms_thresh": 0.7, "feat_stride": 8, "min_size": 4,
         "ratio": [0.5, 2.0], "scale": [1.0, 2.0], "clip_before_nms": True}
    x, xv, found, regions = proposed(g, a, [24.0, 32.0, 1.0])
    pooled = g.node("ROIPooling-1", x, found, pooled_h=2, pooled_w=2, spatial_scale=0.125, method="max")
    flat = rows(g, "flat", pooled, 16)
    wc, classes = dense(g, "class_weights", 16, 3)
    wb, boxes = dense(g, "box_weights", 16, 12, 0.25)
    one = g.ints("one_row", 1, -1)
    scores = g.node("Reshape-1", g.node("SoftMax-8", g.node("MatMul-1", flat, wc), axis=1), one, special_zero=False)
    moves = g.node("Reshape-1", g.node("MatMul-1", flat, wb), one, special_zero=False)
    priors = g.node("Reshape-1", found, g.ints("priors", 1, 1, -1), special_zero=False)
    detect = {"num_classes": 3, "background_label_id": 0, "top_k": 5, "variance_encoded_in_target": True,
              "keep_top_k": [6], "code_type": CENTER, "share_location": False, "nms_threshold": 0.5,
              "confidence_threshold": 0.2, "clip_after_nms": True, "normalized": False, "input_height": 24,
              "input_width": 32}
    y = g.node("DetectionOutput-1", moves, scores, priors, **detect)
    flat = roi_max(xv, regions, (2, 2), 0.125).reshape(5, -1)
    want = detection_output((flat @ boxes).reshape(1, -1), softmax(flat @ classes).reshape(1, -1),
                            regions.reshape(1, 1, -1), [], detect, 3)
    assert len({row[1] for row in want[0, 0] if row[0] >= 0 and row[1] > 0}) > 1
    g.result("detections", y, want, atol=2e-5)


def rotated_head():
    g = Net("rotated_head", "The second stage for turned boxes: features along each region, the boxes moved in the direction "
            "of theirs, the best ones.")
    x, xv = g.floats("map", (1, 3, 5, 6))
    given = np.array([[16, 20, 16, 8, 0.5], [18, 22, 16, 8, 0.75], [30, 12, 12, 20, -1.0], [28, 14, 12, 18, -0.5],
                      [36, 30, 8, 8, 0.0], [10, 30, 20, 6, 1.5]])
    regions, images = g.f32("regions", given), g.ints("images", *[0] * 6)
    pooled = g.node("ROIAlignRotated-15", x, regions, images, pooled_h=2, pooled_w=2, sampling_ratio=2, spatial_scale=0.125,
                    clockwise_mode=True)
    flat = rows(g, "flat", pooled, 12)
    wc, classes = dense(g, "class_weights", 12, 2)
    wb, boxes = dense(g, "box_weights", 12, 5, 0.125)
    scores = g.node("Sigmoid-1", g.node("MatMul-1", flat, wc))
    parts, along = g.ints("parts", 2, 2, 1), g.scalar("along", 1)
    shift, grow, turn = g.node("VariadicSplit-1", g.node("MatMul-1", flat, wb), along, parts, outputs=3)
    center, size, angle = g.node("VariadicSplit-1", regions, along, parts, outputs=3)
    # Along the sides of the region: by the matrix [[cos, -sin], [sin, cos]].
    dx, dy = g.node("Split-1", g.node("Multiply-1", shift, size), along, outputs=2, num_splits=2)
    cos, sin = g.node("Cos-1", angle), g.node("Sin-1", angle)
    right = g.node("Subtract-1", g.node("Multiply-1", dx, cos), g.node("Multiply-1", dy, sin))
    down = g.node("Add-1", g.node("Multiply-1", dx, sin), g.node("Multiply-1", dy, cos))
    center = g.node("Add-1", center, g.node("Concat-1", right, down, axis=1))
    moved = g.node("Concat-1", center, g.node("Multiply-1", size, g.node("Exp-1", grow)), g.node("Add-1", angle, turn),
                   axis=1)
    first = g.ints("first", 0)
    by_class = g.node("Unsqueeze-1", g.node("Transpose-1", scores, g.ints("by_class", 1, 0)), first)
    picked = g.node("NMSRotated-13", g.node("Unsqueeze-1", moved, first), by_class, g.scalar("most", 4),
                    g.scalar("overlap", 0.3, "f32"), g.scalar("least", 0.25, "f32"), outputs=3,
                    sort_result_descending=True, output_type="i64", clockwise=True)

    flat = roi_align_rotated(xv, given, [0] * 6, (2, 2), 2, 0.125, True).reshape(6, -1)
    delta, sure = flat @ boxes, sigmoid(flat @ classes)
    step = delta[:, :2] * given[:, 2:4]
    cos, sin = np.cos(given[:, 4]), np.sin(given[:, 4])
    center = given[:, :2] + np.stack([step[:, 0] * cos - step[:, 1] * sin, step[:, 0] * sin + step[:, 1] * cos], 1)
    box = np.concatenate([center, given[:, 2:4] * np.exp(delta[:, 2:4]), given[:, 4:] + delta[:, 4:]], 1)
    best = suppress(box[None], sure.T[None], 4, 0.3, 0.25, True, lambda a, b: turned_overlap(a, b, True))
    assert 3 < len(best) < 8
    g.result("boxes", moved, box, atol=2e-5)
    g.result("selected", picked[0], np.array([row[:3] for row in best]), "i64", dynamic=True)
    g.result("scores", picked[1], np.array([[n, k, s] for n, k, _, s in best]), atol=1e-5, dynamic=True)
    g.result("count", picked[2], [len(best)], "i64")


def image_of_each(g, counts):
    """The number of the image that each region is of, by how many regions each image has: how many images end before it."""
    ends = g.node("CumSum-3", counts, g.scalar("first_axis", 0), exclusive=False, reverse=False)
    total = g.node("ReduceSum-1", counts, g.ints("all", 0), keep_dims=False)
    each = g.node("Range-4", g.scalar("zero", 0), total, g.scalar("one", 1), output_type="i64")
    behind = g.node("GreaterEqual-1", g.node("Unsqueeze-1", each, g.scalar("column", 1)), ends)
    behind = g.node("Convert-1", behind, destination_type="i64")
    return g.node("ReduceSum-1", behind, g.ints("over_images", 1), keep_dims=False)


def paddle_rcnn_head():
    g = Net("paddle_rcnn_head", "Faster R-CNN as Paddle exports it: of two images each has as many regions as were found.")
    sizes, classes = [[32.0, 40.0, 1.0], [24.0, 40.0, 1.0]], 2
    x, xv = g.floats("map", (2, 4, 3, 4))
    (w, b), objects = layer(g, "objectness", 4, 2)
    (w2, b2), moves = layer(g, "anchors", 4, 8)
    low = np.stack(np.meshgrid(np.arange(4), np.arange(3)), -1)[:, :, None] * 8.0 - [[4, 4], [8, 2]]
    anchors = np.concatenate([low, low + [[16, 16], [24, 12]]], -1)
    scores = g.node("Sigmoid-1", convolution(g, x, w, b))
    deltas = g.node("Multiply-1", convolution(g, x, w2, b2), g.scalar("quarter", 0.25, "f32"))
    a = {"min_size": 2.0, "nms_threshold": 0.5, "pre_nms_count": 16, "post_nms_count": 5, "normalized": True, "nms_eta": 1.0,
         "roi_num_type": "i64"}
    rois, _, counts = g.node("GenerateProposals-9", g.f32("sizes", sizes), g.f32("grid", anchors), deltas, scores, outputs=3,
                             **a)
    pooled = g.node("ROIAlign-3", x, rois, image_of_each(g, counts), pooled_h=2, pooled_w=2, sampling_ratio=2,
                    spatial_scale=0.125, mode="avg")
    flat = rows(g, "flat", pooled, 16)
    wc, class_weights = dense(g, "class_weights", 16, classes)
    wb, box_weights = dense(g, "box_weights", 16, classes * 4, 2)
    scores = g.node("Sigmoid-1", g.node("MatMul-1", flat, wc))
    moved = g.node("Reshape-1", g.node("MatMul-1", flat, wb), g.ints("by_class", -1, classes, 4), special_zero=False)
    moved = g.node("Add-1", moved, g.node("Unsqueeze-1", rois, g.scalar("middle", 1)))
    last = {"sort_result": "score", "output_type": "i64", "score_threshold": 0.25, "nms_top_k": 4, "keep_top_k": 5,
          "background_class": -1, "normalized": True, "iou_threshold": 0.4, "nms_eta": 1.0}
    y = g.node("MulticlassNms-9", g.node("Transpose-1", moved, g.ints("classes_first", 1, 0, 2)),
               g.node("Transpose-1", scores, g.ints("turned", 1, 0)), counts, outputs=3, **last)

    found = [generated(size, anchors, d, s, a, 0, 0, True, [2.0, 2.0]) for size, d, s in
             zip(sizes, pointwise(xv, *moves) / 4, sigmoid(pointwise(xv, *objects)))]
    numbers = [len(rows_) for rows_ in found]
    regions = np.array([box for image in found for box, _ in image])
    flat = roi_align(xv, regions, np.repeat([0, 1], numbers), (2, 2), 2, 0.125, "avg", "asymmetric").reshape(len(regions), -1)
    box = (regions[:, None] + (flat @ box_weights).reshape(-1, classes, 4)).transpose(1, 0, 2)
    sure = sigmoid(flat @ class_weights).T
    parts = [slice(0, numbers[0]), slice(numbers[0], None)]
    best, each = multiclass([(box[:, part], sure[:, part]) for part in parts], last, hard_class, True)
    assert min(each) > 1
    g.result("regions", rois, regions, atol=1e-4, dynamic=True)
    g.result("regions_of_each", counts, numbers, "i64")
    g.result("detections", y[0], np.array([[k, s, *box[k, numbers[0] * n + i]] for n, k, i, s in best]), atol=1e-4,
             dynamic=True)
    g.result("selected", y[1], np.array([[(numbers[0] * n + i) * classes + k] for n, k, i, _ in best]), "i64", dynamic=True)
    g.result("detections_of_each", y[2], each, "i64")


def make():
    detectron_head()
    rfcn_head()
    pooled_rcnn_head()
    rotated_head()
    paddle_rcnn_head()
