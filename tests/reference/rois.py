"""Regions of images: turned ones, those whose parts have channels of their own, and what YOLO's layers make of planes.

Direct loops over the results, from the text of the specifications and, where that is silent, from the paper that it
names (R-FCN, Deformable ConvNets, YOLO9000).
"""

import math

import numpy as np

from case import FLOATS, MOVED, Case, Tensor, exact, rounded
from images import case_of, corners_of


BOUNDS = {"f64": 1e-9, "f32": 2e-6, "f16": 4e-3, "bf16": 4e-2}


def close(case, inputs, expected, attributes, version=None, dynamic=False):
    """A node whose results are computed in f64 and rounded once: tensors, or an array of the first operand's type."""
    type_ = inputs[0].type
    expected = rounded(type_, expected) if isinstance(expected, np.ndarray) else expected
    case.node(inputs, expected, attributes, version, ulp=2, atol=BOUNDS.get(type_, 1e-6), dynamic=dynamic)


# ---- ROIAlignRotated ----


def roi_align_rotated(data, rois, images, size, ratio, scale, clockwise):
    y = np.zeros((len(rois), data.shape[1], *size))
    for at in np.ndindex(*y.shape):
        center_x, center_y, width, height = rois[at[0]][:4] * scale
        angle = rois[at[0]][4] * (1 if clockwise else -1)
        counts = [ratio or math.ceil(height / size[0]), ratio or math.ceil(width / size[1])]
        samples = []
        for v, u in np.ndindex(*counts):
            # where the sample is, seen from the center of the region that is not turned
            down = ((at[2] + (v + 0.5) / counts[0]) / size[0] - 0.5) * height
            right = ((at[3] + (u + 0.5) / counts[1]) / size[1] - 0.5) * width
            # y grows downwards, so that this turns with the clock
            x_turned = right * math.cos(angle) - down * math.sin(angle)
            y_turned = right * math.sin(angle) + down * math.cos(angle)
            samples.append(sum(corners_of(data[images[at[0]], at[1]], center_y - 0.5 + y_turned,
                                          center_x - 0.5 + x_turned)))
        y[at] = sum(samples) / len(samples) if samples else 0.0
    return y


def turned_regions():
    rows = [[4, 3, 5, 4, 0.5], [6, 6, 8, 3, -1.25], [1, 1, 6, 6, math.pi / 2], [9, 8, 2, 9, 3.0]]
    for clockwise in (False, True):
        for ratio in (2, 0):
            c = case_of("ROIAlignRotated", "clockwise" if clockwise else "counterclockwise")
            x, rois, images = c.floats("f32", (2, 2, 5, 6)), Tensor("f32", rows), c.i64(0, 1, 1, 0)
            y = roi_align_rotated(exact(x), exact(rois), images.array, (2, 3), ratio, 0.5, clockwise)
            close(c, [x, rois, images], y, {"pooled_h": 2, "pooled_w": 3, "sampling_ratio": ratio, "spatial_scale": 0.5,
                                            "clockwise_mode": clockwise})
    c = case_of("ROIAlignRotated", "no_area")
    x, rois = c.floats("f32", (1, 1, 3, 3)), Tensor("f32", [[1, 1, 0, 2, 0.5]])
    for ratio, images in ((0, c.i64(0)), (1, Tensor("i32", [0]))):
        y = roi_align_rotated(exact(x), exact(rois), images.array, (1, 1), ratio, 1.0, False)
        close(c, [x, rois, images], y, {"pooled_h": 1, "pooled_w": 1, "sampling_ratio": ratio, "spatial_scale": 1})
    c = case_of("ROIAlignRotated", "types")
    for t in FLOATS:
        x, rois, images = c.floats(t, (1, 1, 4, 4)), Tensor(t, [[2, 2, 3, 2, 0.25]]), c.i64(0)
        y = roi_align_rotated(exact(x), exact(rois), images.array, (2, 2), 2, 1.0, False)
        close(c, [x, rois, images], y, {"pooled_h": 2, "pooled_w": 2, "sampling_ratio": 2, "spatial_scale": 1})


# ---- PSROIPooling ----


def half_up(x):
    """Rounded, halves away from zero."""
    return math.copysign(math.floor(abs(x) + 0.5), x)


def part(start, end, i, n, size):
    """Part i of n of [start, end) on an axis, rounded outwards and cut to the axis."""
    bin_ = max(end - start, 0.1) / n
    low, high = math.floor(start + i * bin_), math.ceil(start + (i + 1) * bin_)
    return slice(min(max(low, 0), size), min(max(high, 0), size))


def psroi_average(data, rois, channels, group, scale):
    y = np.zeros((len(rois), channels, group, group))
    for r, k, i, j in np.ndindex(*y.shape):
        if -1 in rois[:r + 1, 0]:
            continue
        x0, y0 = (half_up(v) * scale for v in rois[r, 1:3])
        x1, y1 = ((half_up(v) + 1) * scale for v in rois[r, 3:5])
        plane = data[int(rois[r, 0]), (k * group + i) * group + j]
        piece = plane[part(y0, y1, i, group, plane.shape[0]), part(x0, x1, j, group, plane.shape[1])]
        y[r, k, i, j] = piece.mean() if piece.size else 0.0
    return y


def psroi_bilinear(data, rois, channels, group, scale, bins_x, bins_y):
    y = np.zeros((len(rois), channels, group, group))
    height, width = data.shape[2:]
    for r, k, i, j in np.ndindex(*y.shape):
        x0, y0, x1, y1 = rois[r, 1:] * scale
        for v, u in np.ndindex(bins_y, bins_x):
            # the bin from end to end, with as many places in it as the result has
            share_y = i / (group - 1) if group > 1 else 0.5
            share_x = j / (group - 1) if group > 1 else 0.5
            at_y = (y0 + (y1 - y0) * (v + share_y) / bins_y) * (height - 1)
            at_x = (x0 + (x1 - x0) * (u + share_x) / bins_x) * (width - 1)
            if 0 <= at_y <= height - 1 and 0 <= at_x <= width - 1:
                plane = data[int(rois[r, 0]), (v * bins_x + u) * channels + k]
                y[r, k, i, j] += sum(corners_of(plane, at_y, at_x)) / (bins_x * bins_y)
    return y


BOXES = [[0, 0, 0, 9, 8], [1, 3.5, 2, 5.25, 11], [1, -6, 1, 2, 3], [0, 4, 4, 4.125, 4.125], [1, 30, 2, 40, 9]]
ENDED = [[1, 1, 2, 8, 9], [-1, 0, 0, 0, 0], [0, 0, 0, 8, 8]]


def position_sensitive():
    for name, rows in (("average", BOXES), ("end_of_the_list", ENDED)):
        c = case_of("PSROIPooling", name)
        x, rois = c.floats("f32", (2, 8, 6, 7)), Tensor("f32", rows)
        close(c, [x, rois], psroi_average(exact(x), exact(rois), 2, 2, 0.5),
              {"output_dim": 2, "group_size": 2, "spatial_scale": 0.5})
    for group, bins in ((2, (2, 3)), (1, (2, 1)), (3, (1, 1))):
        c = case_of("PSROIPooling", "bilinear")
        x = c.floats("f32", (2, 2 * bins[0] * bins[1], 5, 4))
        rois = Tensor("f32", [[0, 0, 0, 1, 1], [1, 0.125, 0.25, 0.5, 0.875], [1, -0.5, 0.5, 0.75, 1.5]])
        attributes = {"output_dim": 2, "group_size": group, "spatial_scale": 1, "mode": "bilinear",
                      "spatial_bins_x": bins[0], "spatial_bins_y": bins[1]}
        close(c, [x, rois], psroi_bilinear(exact(x), exact(rois), 2, group, 1, *bins), attributes)
    c = case_of("PSROIPooling", "types")
    for t in FLOATS:
        x, rois = c.floats(t, (1, 4, 3, 3)), Tensor(t, [[0, 0, 0, 2, 2]])
        close(c, [x, rois], psroi_average(exact(x), exact(rois), 1, 2, 1), {"output_dim": 1, "group_size": 2,
                                                                           "spatial_scale": 1})


# ---- DeformablePSROIPooling ----


def psroi_deformable(data, rois, offsets, channels, group, scale, bins_x, bins_y, spread, parts):
    y = np.zeros((len(rois), channels, group, group))
    height, width = data.shape[2:]
    for r, k, i, j in np.ndindex(*y.shape):
        if -1 in rois[:r + 1, 0]:
            continue
        x0, y0 = (half_up(v) * scale - 0.5 for v in rois[r, 1:3])
        x1, y1 = ((half_up(v) + 1) * scale - 0.5 for v in rois[r, 3:5])
        w, h = max(x1 - x0, 0.1), max(y1 - y0, 0.1)
        left, top = x0 + j * w / group, y0 + i * h / group
        if offsets is not None:
            class_ = k // (channels // (offsets.shape[1] // 2))
            v, u = i * parts // group, j * parts // group
            left += offsets[r, 2 * class_, v, u] * spread * w
            top += offsets[r, 2 * class_ + 1, v, u] * spread * h
        plane, samples = data[int(rois[r, 0]), (k * group + i) * group + j], []
        for v, u in np.ndindex(bins_y, bins_x):
            sx, sy = left + u * w / group / bins_x, top + v * h / group / bins_y
            if -0.5 <= sx <= width - 0.5 and -0.5 <= sy <= height - 0.5:
                samples.append(sum(corners_of(plane, min(max(sy, 0), height - 1), min(max(sx, 0), width - 1))))
        y[r, k, i, j] = sum(samples) / len(samples) if samples else 0.0
    return y


def deformable():
    for name, rows, classes, parts, spread in (("plain", BOXES, 0, 1, 1.0), ("offsets", BOXES, 1, 2, 0.25),
                                               ("classes", BOXES, 2, 3, 1.0), ("end_of_the_list", ENDED, 1, 1, 0.5)):
        c = case_of("DeformablePSROIPooling", name)
        x, rois = c.floats("f32", (2, 8, 6, 7)), Tensor("f32", rows)
        offsets = c.floats("f32", (len(rows), 2 * classes, parts, parts), lo=-1, hi=1) if classes else None
        attributes = {"output_dim": 2, "group_size": 2, "spatial_scale": 0.5, "spatial_bins_x": 3, "spatial_bins_y": 2,
                      "trans_std": spread, "part_size": parts}
        y = psroi_deformable(exact(x), exact(rois), exact(offsets) if classes else None, 2, 2, 0.5, 3, 2, spread, parts)
        close(c, [x, rois, *([offsets] if classes else [])], y, attributes)
    c = case_of("DeformablePSROIPooling", "types")
    for t in FLOATS:
        x, rois = c.floats(t, (1, 4, 3, 3)), Tensor(t, [[0, 0, 0, 2, 2]])
        close(c, [x, rois], psroi_deformable(exact(x), exact(rois), None, 1, 2, 1, 1, 1, 1, 1),
              {"output_dim": 1, "group_size": 2, "spatial_scale": 1})


# ---- YOLO's layers ----


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def region_yolo(x, coords, classes, num, softmax):
    n, _, *plane = x.shape
    each = coords + 1 + classes
    y = x[:, :num * each].reshape(n, num, each, *plane).copy()
    for k in (0, 1, coords):
        y[:, :, k] = sigmoid(y[:, :, k])
    if softmax:
        e = np.exp(y[:, :, coords + 1:])
        y[:, :, coords + 1:] = e / e.sum(2, keepdims=True)
    else:
        y[:, :, coords + 1:] = sigmoid(y[:, :, coords + 1:])
    return y.reshape(n, num * each, *plane)


def yolo_regions():
    anchors = [1.5, 2, 3, 4.5]
    for axis, end_axis, shape in ((1, 3, (2, 112)), (-2, -1, (2, 14, 8)), (2, 2, (2, 14, 2, 4)), (0, 2, (56, 4))):
        c = case_of("RegionYolo", "softmax")
        x = c.floats("f32", (2, 14, 2, 4))
        close(c, [x], region_yolo(exact(x), 4, 2, 2, True).reshape(shape),
              {"anchors": anchors, "axis": axis, "end_axis": end_axis, "coords": 4, "classes": 2, "num": 2})
    for mask, coords, classes in (([0, 2], 4, 2), ([1], 4, 2), ([0], 5, 1)):
        c = case_of("RegionYolo", "sigmoid")
        x = c.floats("f32", (2, 14, 2, 3))
        close(c, [x], region_yolo(exact(x), coords, classes, len(mask), False),
              {"axis": 1, "end_axis": 3, "coords": coords, "classes": classes, "num": 9, "do_softmax": False,
               "mask": mask})
    for t in FLOATS:
        c = case_of("RegionYolo", "types")
        x = c.floats(t, (1, 8, 1, 2))
        close(c, [x], region_yolo(exact(x), 4, 3, 1, True).reshape(1, 16),
              {"axis": 1, "end_axis": 3, "coords": 4, "classes": 3, "num": 1})


def reorg(x, stride):
    """darknet's: the elements are taken for an image of fewer and larger planes, whose blocks become channels."""
    n, channels, height, width = x.shape
    deep = channels // stride**2
    image = x.reshape(n, deep, height * stride, width * stride)
    y = np.zeros((n, channels, height, width), x.dtype)
    for b, k, i, j in np.ndindex(*y.shape):
        v, u = divmod(k // deep, stride)
        y[b, k, i, j] = image[b, k % deep, i * stride + v, j * stride + u]
    return y.reshape(n, channels * stride**2, height // stride, width // stride)


def yolo_reorganised():
    for stride, shape in ((2, (2, 8, 2, 4)), (3, (1, 9, 3, 6)), (1, (1, 2, 2, 2))):
        c = case_of("ReorgYolo", "strides")
        x = c.distinct("f32", shape)
        c.node([x], x.like(reorg(x.array, stride)), {"stride": stride})
    c = case_of("ReorgYolo", "types")
    for t in MOVED:
        x = c.values(t, (1, 4, 2, 2))
        c.node([x], x.like(reorg(x.array, 2)), {"stride": 2})


def make():
    yolo_regions()
    yolo_reorganised()
    turned_regions()
    position_sensitive()
    deformable()
