"""Images that are resized, sampled at places, cut into blocks: by direct loops over the results."""

import itertools
import math

import numpy as np

from case import MOVED, Case, Tensor, exact, rounded


MADE = {}


def case_of(op, name):
    """The case of this name, to which several nodes may be added."""
    if (op, name) not in MADE:
        MADE[op, name] = Case(op, name)
    return MADE[op, name]


def original(mode, x, scale, out, size, length=None, roi=None):
    """Where x of the resized axis stands on the axis of the data; length: what ONNX takes out for."""
    length = out if length is None else length
    if mode == "half_pixel":
        return (x + 0.5) / scale - 0.5
    if mode == "pytorch_half_pixel":
        return (x + 0.5) / scale - 0.5 if length > 1 else 0.0
    if mode == "asymmetric":
        return x / scale
    if mode == "tf_half_pixel_for_nn":
        return (x + 0.5) / scale
    if mode == "align_corners":
        return 0.0 if length == 1 else x * (size - 1) / (length - 1)
    if mode == "half_pixel_symmetric":
        return size / 2 * (1 - out / length) + (x + 0.5) / scale - 0.5
    start, end = roi
    if length > 1:
        return start * (size - 1) + x * (end - start) * (size - 1) / (length - 1)
    return 0.5 * (start + end) * (size - 1)


def nearest_place(mode, x, shrinks):
    if mode == "simple":
        return math.ceil(x) if shrinks else int(x)
    return {"floor": math.floor(x), "ceil": math.ceil(x), "round_prefer_floor": math.ceil(x - 0.5),
            "round_prefer_ceil": math.floor(x + 0.5)}[mode]


def triangle(t):
    return max(0.0, 1 - abs(t))


def keys(t, a):
    t = abs(t)
    if t <= 1:
        return (a + 2) * t**3 - (a + 3) * t**2 + 1
    return a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a if t < 2 else 0.0


def gather(data, weights):
    """weights: for each axis a list of (index, weight); the sum over all combinations."""
    return sum(math.prod(w for _, w in combination) * data[tuple(i for i, _ in combination)]
               for combination in itertools.product(*weights))


def normalized(pairs):
    total = sum(w for _, w in pairs)
    return [(i, w / total if total else 0.0) for i, w in pairs]


def axis_weights(x, size, how):
    """The elements of an axis that make place x, with their weights."""
    clamp = lambda i: min(max(i, 0), size - 1)
    mode, stretch = how["mode"], how.get("stretch", 1.0)
    if mode == "nearest":
        return [(clamp(nearest_place(how["nearest"], x, how["shrinks"])), 1.0)]
    kernel = (lambda t: keys(t, how["a"])) if "cubic" in mode else triangle
    reach = math.ceil((2 if "cubic" in mode else 1) / stretch) + 1
    near = range(math.floor(x) - reach, math.floor(x) + reach + 2)
    pairs = [(i, kernel((i - x) * stretch)) for i in near]
    if how.get("cut"):
        pairs = [(i, w) for i, w in pairs if 0 <= i < size]
    pairs = normalized(pairs) if how.get("cut") or how.get("normalized") else pairs
    return [(clamp(i), w) for i, w in pairs if w]


def resized(data, out, weights_of):
    y = np.zeros(out)
    for at in np.ndindex(*out):
        y[at] = gather(data, [weights_of(axis, x) for axis, x in enumerate(at)])
    return y


def interpolate(data, sizes, scales, axes, attributes):
    """data is padded. sizes or scales is None."""
    shape = list(data.shape)
    for k, axis in enumerate(axes):
        shape[axis] = sizes[k] if sizes else int(np.floor(np.float32(scales[k]) * np.float32(data.shape[axis])))
    used = [float(np.float32(scales[k])) if scales else shape[axis] / data.shape[axis] for k, axis in enumerate(axes)]
    mode = attributes["mode"]
    antialias = attributes.get("antialias", False) and any(s < 1 for s in used)

    def weights_of(axis, x):
        if axis not in axes:
            return [(x, 1.0)]
        scale, size = used[axes.index(axis)], data.shape[axis]
        how = {"mode": mode, "nearest": attributes.get("nearest_mode", "round_prefer_floor"), "shrinks": scale < 1,
               "a": attributes.get("cube_coeff", -0.75)}
        place = original(attributes.get("coordinate_transformation_mode", "half_pixel"), x, scale, shape[axis], size)
        if mode == "linear":
            how.update(cut=True, stretch=scale if antialias else 1.0)
        if "pillow" in mode:
            ratio = shape[axis] / size
            place = (x + 0.5) / ratio - 0.5
            how.update(cut=True, stretch=min(ratio, 1.0))
        return axis_weights(place, size, how)

    return resized(data, shape, weights_of)


# mode, shape, axes, sizes, scales, other attributes
INTERPOLATIONS = [
    ("nearest", (1, 1, 3, 4), [2, 3], [5, 2], None, {"nearest_mode": "floor"}),
    ("nearest", (1, 1, 3, 4), [2, 3], [5, 2], None, {"nearest_mode": "ceil"}),
    ("nearest", (1, 1, 3, 4), [2, 3], [6, 2], None, {"nearest_mode": "round_prefer_floor"}),
    ("nearest", (1, 1, 3, 4), [2, 3], [6, 2], None, {"nearest_mode": "round_prefer_ceil"}),
    ("nearest", (1, 1, 3, 4), [2, 3], [7, 3], None, {"nearest_mode": "simple"}),
    ("nearest", (3, 4), [1], None, [2.5], {"coordinate_transformation_mode": "tf_half_pixel_for_nn"}),
    ("nearest", (3, 4), [1, 0], None, [0.6, 2.0], {"coordinate_transformation_mode": "asymmetric"}),
    ("nearest", (3, 4), None, [3, 8], None, {"coordinate_transformation_mode": "align_corners"}),
    ("linear_onnx", (1, 1, 3, 4), [2, 3], [5, 7], None, {}),
    ("linear_onnx", (1, 1, 3, 4), [2, 3], None, [0.6, 1.5], {"coordinate_transformation_mode": "align_corners"}),
    ("linear_onnx", (3, 4), [0, 1], [1, 6], None, {"coordinate_transformation_mode": "pytorch_half_pixel"}),
    ("linear_onnx", (1, 1, 2, 3, 2), [2, 3, 4], [3, 2, 4], None, {"coordinate_transformation_mode": "asymmetric"}),
    ("linear", (1, 2, 4, 3), [2, 3], [7, 5], None, {}),
    ("linear", (1, 1, 6, 5), [2, 3], [3, 2], None, {"antialias": True}),
    ("linear", (5, 6), [0, 1], None, [0.7, 1.2], {"antialias": True}),
    ("cubic", (1, 1, 4, 5), [2, 3], [7, 3], None, {}),
    ("cubic", (4, 3), [0], None, [2.2], {"cube_coeff": -0.5, "coordinate_transformation_mode": "asymmetric"}),
    ("cubic", (3, 2, 4), [2, 0], [6, 5], None, {"coordinate_transformation_mode": "align_corners"}),
]


def interpolations():
    for mode, shape, axes, sizes, scales, other in INTERPOLATIONS:
        for version in ("opset4", "opset11"):
            c = case_of("Interpolate", f"{mode}_{version}")
            x = c.floats("f32", shape)
            attributes = {"mode": mode, "shape_calculation_mode": "scales" if scales else "sizes", **other}
            y = interpolate(exact(x), sizes, scales, axes or list(range(len(shape))), attributes)
            last = [] if axes is None else [c.i64(*axes)]
            given = [c.i64(*sizes)] if sizes else [Tensor("f32", scales)]
            if version == "opset4":
                n = len(sizes or scales)
                given = [c.i64(*(sizes or [1] * n)), Tensor("f32", scales or [1.0] * n)]
            c.node([x, *given, *last], rounded("f32", y), attributes, version, ulp=2, atol=2e-6)
    for mode, a in (("bilinear_pillow", -0.75), ("bicubic_pillow", -0.5)):
        c = case_of("Interpolate", mode)
        for sizes in ([3, 4], [7, 9]):
            x = c.floats("f32", (1, 1, 6, 7))
            attributes = {"mode": mode, "shape_calculation_mode": "sizes", "cube_coeff": a}
            c.node([x, c.i64(*sizes), c.i64(2, 3)], rounded("f32", interpolate(exact(x), sizes, None, [2, 3], attributes)),
                   attributes, "opset11", ulp=2, atol=2e-6)
    c = case_of("Interpolate", "pads")
    for mode in ("nearest", "linear_onnx", "cubic"):
        x = c.floats("f32", (2, 3))
        attributes = {"mode": mode, "shape_calculation_mode": "sizes"}
        padded = np.pad(exact(x), [(1, 0), (0, 2)])
        c.node([x, c.i64(5, 4), c.i64(0, 1)], rounded("f32", interpolate(padded, [5, 4], None, [0, 1], attributes)),
               {**attributes, "pads_begin": [1, 0], "pads_end": [0, 2]}, "opset11", ulp=2, atol=2e-6)
    c = case_of("Interpolate", "types")
    for t in ("f64", "f16", "i32", "u8"):
        x = c.values(t, (2, 3))
        c.node([x, c.i64(4, 2), c.i64(0, 1)],
               x.like(interpolate(exact(x), [4, 2], None, [0, 1], {"mode": "nearest"}).astype(x.array.dtype)),
               {"mode": "nearest", "shape_calculation_mode": "sizes"}, "opset11")


def resize(data, roi, scales, sizes, attributes):
    """ONNX's formulas, with all axes; scales or sizes is None."""
    axes = [axis % data.ndim for axis in attributes.get("axes", range(data.ndim))]
    shape = list(data.shape)
    policy = attributes.get("keep_aspect_ratio_policy", "stretch")
    if sizes:
        used = [s / data.shape[a] for s, a in zip(sizes, axes)]
        if policy != "stretch":
            used = [(min if policy == "not_larger" else max)(used)] * len(axes)
            sizes = [math.floor(used[0] * data.shape[a] + 0.5) for a in axes]
        lengths = [u * data.shape[a] for u, a in zip(used, axes)]
    else:
        used = [float(np.float32(s)) for s in scales]
        lengths = [u * data.shape[a] for u, a in zip(used, axes)]
        sizes = [int(np.floor(np.float32(s) * np.float32(data.shape[a]))) for s, a in zip(scales, axes)]
    for size, axis in zip(sizes, axes):
        shape[axis] = size
    mode, transform = attributes["mode"], attributes.get("coordinate_transformation_mode", "half_pixel")
    outside = np.zeros(shape, bool)

    def place(axis, x):
        k = axes.index(axis)
        region = (roi[k], roi[k + len(axes)]) if roi else None
        return original(transform, x, used[k], shape[axis], data.shape[axis], lengths[k], region)

    def weights_of(axis, x):
        if axis not in axes:
            return [(x, 1.0)]
        scale = used[axes.index(axis)]
        antialias = attributes.get("antialias", False)
        how = {"mode": mode, "nearest": attributes.get("nearest_mode", "round_prefer_floor"), "shrinks": scale < 1,
               "a": attributes.get("cubic_coeff_a", -0.75), "cut": attributes.get("exclude_outside", False),
               "normalized": antialias, "stretch": min(scale, 1.0) if antialias else 1.0}
        return axis_weights(place(axis, x), data.shape[axis], how)

    y = resized(data, shape, weights_of)
    if transform == "tf_crop_and_resize":
        for at in np.ndindex(*shape):
            outside[at] = any(not 0 <= place(a, at[a]) <= data.shape[a] - 1 for a in axes)
        y[outside] = attributes.get("extrapolation_value", 0.0)
    return y


# name, shape, roi, scales, sizes, attributes
RESIZES = [
    ("symmetric", (1, 1, 4, 5), None, [1, 1, 0.6, 2.3], None,
     {"mode": "linear", "coordinate_transformation_mode": "half_pixel_symmetric"}),
    ("align_corners_of_a_fraction", (2, 4), None, [1, 0.6], None,
     {"mode": "linear", "coordinate_transformation_mode": "align_corners"}),
    ("linear_antialias", (1, 1, 5, 6), None, [1, 1, 0.6, 0.4], None, {"mode": "linear", "antialias": True}),
    ("cubic_antialias", (6, 7), None, None, [3, 9], {"mode": "cubic", "antialias": True}),
    ("cubic_antialias_cut", (6, 7), None, None, [3, 4],
     {"mode": "cubic", "antialias": True, "exclude_outside": True}),
    ("cubic_cut", (4, 4), None, [2, 1.5], None, {"mode": "cubic", "cubic_coeff_a": -0.5, "exclude_outside": True}),
    ("crop", (1, 1, 4, 5), [0, 0, 0.4, 0.6, 1, 1, 0.6, 0.8], None, [1, 1, 3, 3],
     {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize"}),
    ("crop_beyond", (4, 5), [0.5, -0.25, 1.25, 0.5], None, [3, 4],
     {"mode": "cubic", "coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 7.5}),
    ("crop_to_one", (4, 5), [0.2, 0.7], None, [1],
     {"mode": "nearest", "coordinate_transformation_mode": "tf_crop_and_resize", "axes": [-1]}),
    ("not_larger", (1, 1, 3, 4), None, None, [7, 8],
     {"mode": "nearest", "axes": [2, 3], "keep_aspect_ratio_policy": "not_larger"}),
    ("not_smaller", (1, 1, 3, 4), None, None, [7, 8],
     {"mode": "linear", "axes": [3, 2], "keep_aspect_ratio_policy": "not_smaller"}),
    ("axes_and_scales", (2, 3, 4), None, [1.5, 2], None, {"mode": "nearest", "axes": [2, 0], "nearest_mode": "ceil"}),
]


def resizes():
    for name, shape, roi, scales, sizes, attributes in RESIZES:
        c = case_of("Resize", name)
        x = c.floats("f32", shape)
        if attributes["mode"] == "linear" and "symmetric" not in name:
            x = c.floats("f32", shape, parts=4)
        y = resize(exact(x), roi and [float(np.float32(r)) for r in roi], scales, sizes, attributes)
        c.node([x, None if roi is None else Tensor("f32", roi), None if scales is None else Tensor("f32", scales),
                *([] if sizes is None else [c.i64(*sizes)])], rounded("f32", y), attributes, "onnx19", ulp=4, atol=2e-5)


def reflect(x, low, high):
    if high <= low:
        return low
    while not low <= x <= high:
        x = 2 * low - x if x < low else 2 * high - x
    return x


def grid_element(plane, place, mode, padding, corners):
    """place: x, y, ...; the last axis of the plane is x."""
    def pad(x, size):
        if padding == "reflection":
            x = reflect(x, 0, size - 1) if corners else reflect(x, -0.5, size - 0.5)
        return min(max(x, 0.0), size - 1.0) if padding != "zeros" else x

    weights = []
    for size, g in zip(plane.shape, reversed(place)):
        x = (g + 1) / 2 * (size - 1) if corners else ((g + 1) * size - 1) / 2
        if "cubic" in mode:
            taps = [(round(pad(i, size)), keys(i - x, -0.75)) for i in range(math.floor(x) - 1, math.floor(x) + 3)]
        elif mode == "nearest":
            taps = [(int(np.rint(pad(x, size))), 1.0)]
        else:
            x = pad(x, size)
            taps = [(math.floor(x), 1 - (x - math.floor(x))), (math.floor(x) + 1, x - math.floor(x))]
        weights.append([(i, w) for i, w in taps if 0 <= i < size])
    return gather(plane, weights)


def grid_sample(data, grid, mode, padding, corners):
    y = np.zeros((data.shape[0], data.shape[1], *grid.shape[1:-1]))
    for n, k in np.ndindex(*data.shape[:2]):
        for at in np.ndindex(*grid.shape[1:-1]):
            y[(n, k, *at)] = grid_element(data[n, k], grid[(n, *at)], mode, padding, corners)
    return y


def grids():
    for mode, padding, corners in itertools.product(("bilinear", "bicubic", "nearest"),
                                                    ("zeros", "border", "reflection"), (False, True)):
        attributes = {"mode": mode, "padding_mode": padding, "align_corners": corners}
        c = case_of("GridSample", f"{mode}_{padding}" + "_corners" * corners)
        x, grid = c.floats("f32", (2, 2, 3, 4), parts=2), c.floats("f32", (2, 2, 3, 2), lo=-3, hi=3, parts=16)
        c.node([x, grid], rounded("f32", grid_sample(exact(x), exact(grid), mode, padding, corners)), attributes,
               "opset9", ulp=4, atol=4e-6)
    for mode, padding, corners in (("linear", "zeros", False), ("linear", "reflection", True),
                                   ("nearest", "border", False), ("cubic", "zeros", True)):
        c = case_of("GridSample", f"volume_{mode}")
        x, grid = c.floats("f32", (1, 2, 2, 3, 2), parts=2), c.floats("f32", (1, 2, 1, 3, 3), lo=-2, hi=2, parts=16)
        c.node([x, grid], rounded("f32", grid_sample(exact(x), exact(grid), mode, padding, corners)),
               {"mode": mode, "padding_mode": padding, "align_corners": corners}, "onnx20", ulp=4, atol=4e-6)
    c = case_of("GridSample", "nowhere")
    grid = Tensor("f32", [[[[np.nan, 0], [np.inf, 0], [0, -np.inf]]]])
    c.node([c.floats("f32", (1, 1, 2, 2)), grid], Tensor("f32", np.zeros((1, 1, 1, 3))), {}, "opset9")


def corners_of(plane, y, x):
    """The four elements around a place, times their weights."""
    height, width = plane.shape
    if not (-1 <= y <= height and -1 <= x <= width):
        return [0.0]
    y, x = min(max(y, 0), height - 1), min(max(x, 0), width - 1)
    top, left = int(y), int(x)
    bottom, right = min(top + 1, height - 1), min(left + 1, width - 1)
    fy, fx = y - top, x - left
    return [plane[top, left] * (1 - fy) * (1 - fx), plane[top, right] * (1 - fy) * fx,
            plane[bottom, left] * fy * (1 - fx), plane[bottom, right] * fy * fx]


def roi_align(data, rois, images, size, ratio, scale, mode, aligned, of_parts=False):
    """OF_PARTS: the maximum is not that of the samples, but of all that they are added up from."""
    y = np.zeros((len(rois), data.shape[1], *size))
    for at in np.ndindex(*y.shape):
        roi, plane = rois[at[0]], data[images[at[0]], at[1]]
        start = {"asymmetric": roi[:2] * scale, "half_pixel_for_nn": roi[:2] * scale - 0.5,
                 "half_pixel": (roi[:2] + 0.5) * scale - 0.5}[aligned]
        extent = (roi[2:] - roi[:2]) * scale
        if aligned == "asymmetric":
            extent = np.maximum(extent, 1)
        bins = extent / [size[1], size[0]]
        counts = [ratio or max(math.ceil(b), 0) for b in bins]
        samples = [corners_of(plane, start[1] + (at[2] + (v + 0.5) / counts[1]) * bins[1],
                              start[0] + (at[3] + (u + 0.5) / counts[0]) * bins[0])
                   for v in range(counts[1]) for u in range(counts[0])]
        fold = max if of_parts else sum
        y[at] = max(map(fold, samples), default=0) if mode == "max" else sum(map(sum, samples)) / max(len(samples), 1)
    return y


def regions():
    for mode, aligned, ratio in itertools.product(("avg", "max"), ("asymmetric", "half_pixel_for_nn", "half_pixel"),
                                                  (2, 0)):
        c = case_of("ROIAlign", f"{mode}_{aligned}" + "_as_many_as_fit" * (ratio == 0))
        x = c.floats("f32", (2, 2, 5, 6))
        rois = Tensor("f32", [[0, 0, 9, 8], [3.5, 2, 5.25, 11], [-6, 1, 2, 3], [4, 4, 4.125, 4.125], [4, 4, 4, 8]])
        images = c.i64(0, 1, 1, 0, 1)
        y = roi_align(exact(x), exact(rois), images.array, (2, 3), ratio, 0.5, mode, aligned)
        attributes = {"pooled_h": 2, "pooled_w": 3, "sampling_ratio": ratio, "spatial_scale": 0.5, "mode": mode}
        if aligned == "asymmetric":
            c.node([x, rois, images], rounded("f32", y), attributes, "opset3", ulp=2, atol=1e-6)
        attributes = {**attributes, "aligned_mode": aligned}
        c.node([x, rois, images], rounded("f32", y), attributes, "opset9", ulp=2, atol=1e-6)
        if aligned != "half_pixel":
            y = roi_align(exact(x), exact(rois), images.array, (2, 3), ratio, 0.5, mode, aligned, True)
            case_of("RoiAlign", f"{mode}_{aligned}" + "_as_many_as_fit" * (ratio == 0)).node(
                [x, rois, images], rounded("f32", y), attributes, "onnx16", ulp=2, atol=1e-6)
    c = case_of("ROIPooling", "max")
    x = c.floats("f32", (2, 2, 6, 7))
    rois = Tensor("f32", [[0, 0, 0, 12, 10], [1, 3.5, 2, 5, 9], [1, 8, 4, 2, 3], [0, 20, 20, 30, 30]])
    c.node([x, rois], rounded("f32", roi_max(exact(x), exact(rois), (2, 3), 0.5)),
           {"pooled_h": 2, "pooled_w": 3, "spatial_scale": 0.5}, "opset2")


def roi_max(data, rois, size, scale):
    """Caffe's: corners are rounded and belong to the region."""
    y = np.zeros((len(rois), data.shape[1], *size))
    for at in np.ndindex(*y.shape):
        roi = rois[at[0]]
        plane = data[int(roi[0]), at[1]]
        x0, y0, x1, y1 = (math.floor(v * scale + 0.5) for v in roi[1:])
        bins = max(y1 - y0 + 1, 1) / size[0], max(x1 - x0 + 1, 1) / size[1]
        cut = [slice(min(max(math.floor(i * b) + o, 0), n), min(max(math.ceil((i + 1) * b) + o, 0), n))
               for i, b, o, n in zip(at[2:], bins, (y0, x0), plane.shape)]
        part = plane[tuple(cut)]
        y[at] = part.max() if part.size else 0.0
    return y


def deformed(plane, y, x, pads):
    height, width = plane.shape
    if not (-1 < y < height and -1 < x < width):
        return 0.0
    if not pads:
        y, x = min(max(y, 0), height - 1), min(max(x, 0), width - 1)
    top, left = math.floor(y), math.floor(x)
    return sum(plane[i, j] * (1 - abs(y - i)) * (1 - abs(x - j)) for i in (top, top + 1) for j in (left, left + 1)
               if 0 <= i < height and 0 <= j < width)


def deformable(x, offsets, filters, mask, strides, dilations, begin, group, parts, pads):
    out, each, kh, kw = filters.shape
    y = np.zeros((x.shape[0], out, *offsets.shape[2:]))
    for n, o, i, j in np.ndindex(*y.shape):
        for k, u, v in np.ndindex(each, kh, kw):
            channel = o // (out // group) * each + k
            row = channel // (x.shape[1] // parts) * kh * kw + u * kw + v
            value = deformed(x[n, channel], i * strides[0] - begin[0] + u * dilations[0] + offsets[n, 2 * row, i, j],
                             j * strides[1] - begin[1] + v * dilations[1] + offsets[n, 2 * row + 1, i, j], pads)
            y[n, o, i, j] += filters[o, k, u, v] * value * (1 if mask is None else mask[n, row, i, j])
    return y


def deformables():
    # name, group, parts, strides, dilations, begin, end, output
    rows = [("plain", 1, 1, [1, 1], [1, 1], [0, 0], [0, 0], (3, 3)),
            ("groups", 2, 1, [1, 2], [1, 1], [1, 0], [0, 1], (4, 2)),
            ("offset_groups", 1, 2, [2, 1], [1, 2], [0, 1], [0, 1], (2, 4))]
    for name, group, parts, strides, dilations, begin, end, out in rows:
        for version, masked, pads in (("opset1", False, False), ("opset8", False, False), ("opset8", True, False),
                                      ("opset8", True, True)):
            c = case_of("DeformableConvolution", name + "_mask" * masked + "_pad" * pads)
            x, filters = c.floats("f32", (1, 4, 4, 4), parts=2), c.floats("f32", (2, 4 // group, 2, 2), parts=2)
            offsets = c.floats("f32", (1, 8 * parts, *out), lo=-2, hi=2, parts=4)
            mask = c.floats("f32", (1, 4 * parts, *out), lo=0, hi=1, parts=4) if masked else None
            y = deformable(exact(x), exact(offsets), exact(filters), exact(mask) if masked else None, strides,
                           dilations, begin, group, parts, pads)
            attributes = {"strides": strides, "pads_begin": begin, "pads_end": end, "dilations": dilations,
                          "group": group, "deformable_group": parts}
            if version == "opset8":
                attributes["bilinear_interpolation_pad"] = pads
            c.node([x, offsets, filters, *([mask] if masked else [])], rounded("f32", y), attributes, version, ulp=2,
                   atol=1e-5)


def depth_to_space(x, size, mode):
    """The page's reshape and transpositions."""
    n, channels, *spatial = x.shape
    k, rest = len(spatial), channels // size**len(spatial)
    blocks = [size] * k
    split = x.reshape([n, *blocks, rest, *spatial] if mode == "blocks_first" else [n, rest, *blocks, *spatial])
    first, channel = (1, k + 1) if mode == "blocks_first" else (2, 1)
    order = [0, channel] + [a for i in range(k) for a in (k + 2 + i, first + i)]
    return split.transpose(order).reshape([n, rest, *[d * size for d in spatial]])


def blocks():
    for mode in ("blocks_first", "depth_first"):
        for shape in ((2, 4, 3), (1, 8, 2, 3), (1, 16, 1, 2, 2)):
            attributes = {"block_size": 2, "mode": mode}
            c = case_of("DepthToSpace", mode)
            x = c.distinct("f32", shape)
            wide = depth_to_space(x.array, 2, mode)
            c.node([x], x.like(wide), attributes)
            c = case_of("SpaceToDepth", mode)
            c.node([x.like(wide)], x, attributes)
    c = case_of("DepthToSpace", "types")
    for t in MOVED:
        x = c.values(t, (1, 4, 1, 2))
        c.node([x], x.like(depth_to_space(x.array, 2, "blocks_first")), {"block_size": 2, "mode": "blocks_first"})


def col2im(x, image, kernel, strides, dilations, begin, end):
    counts = [(n + b + e - d * (k - 1) - 1) // s + 1
              for n, k, s, d, b, e in zip(image, kernel, strides, dilations, begin, end)]
    channels = x.shape[1] // math.prod(kernel)
    y = np.zeros((x.shape[0], channels, *image), x.dtype)
    columns = x.reshape(x.shape[0], channels, *kernel, *counts)
    every = (slice(None), slice(None))
    for k in np.ndindex(*kernel):
        for p in np.ndindex(*counts):
            at = tuple(q * s - b + i * d for q, s, b, i, d in zip(p, strides, begin, k, dilations))
            if all(0 <= a < n for a, n in zip(at, image)):
                y[every + at] += columns[every + k + p]
    return y


def columns():
    # image, kernel, strides, dilations, begin, end
    rows = [([5, 5], [1, 5], [1, 1], [1, 1], [0, 0], [0, 0]), ([4, 5], [2, 2], [1, 2], [1, 1], [0, 1], [1, 0]),
            ([6, 5], [2, 3], [1, 1], [3, 2], [1, 0], [0, 1])]
    for image, kernel, strides, dilations, begin, end in rows:
        total = math.prod((n + b + e - d * (k - 1) - 1) // s + 1
                          for n, k, s, d, b, e in zip(image, kernel, strides, dilations, begin, end))
        c = case_of("Col2Im", "planes")
        for t in ("f32", "i32"):
            x = c.values(t, (2, 2 * math.prod(kernel), total))
            y = rounded(t, col2im(exact(x), image, kernel, strides, dilations, begin, end))
            c.node([x, c.i64(*image), c.i64(*kernel)], y,
                   {"strides": strides, "dilations": dilations, "pads_begin": begin, "pads_end": end}, "opset15")
            c.node([x, c.i64(*image), c.i64(*kernel)], y,
                   {"strides": strides, "dilations": dilations, "pads": begin + end}, "onnx18")
    c = case_of("Col2Im", "volume")
    x = c.floats("f32", (1, 10, 12))
    ones = [1] * 3
    c.node([x, c.i64(3, 4, 5), c.i64(1, 1, 5)],
           rounded("f32", col2im(exact(x), [3, 4, 5], [1, 1, 5], ones, ones, [0] * 3, [0] * 3)), {}, "onnx18")
    c = case_of("Col2Im", "no_batch")
    x = c.floats("f32", (8, 9))
    c.node([x, c.i64(4, 4), c.i64(2, 2)],
           rounded("f32", col2im(exact(x)[None], [4, 4], [2, 2], [1, 1], [1, 1], [0, 0], [0, 0])[0]), {}, "opset15")


def patches(x, sizes, strides, rates, auto_pad):
    """ExtractImagePatches-3: place by place, patch by patch, zero outside the image."""
    n, depth, *image = x.shape
    reach = [(k - 1) * r + 1 for k, r in zip(sizes, rates)]
    counts = [(i - e) // s + 1 if auto_pad == "valid" else -(-i // s) for i, e, s in zip(image, reach, strides)]
    total = [max(0, (c - 1) * s + e - i) * (auto_pad != "valid") for c, s, e, i in zip(counts, strides, reach, image)]
    begin = [t // 2 if auto_pad == "same_upper" else t - t // 2 for t in total]
    y = np.zeros((n, sizes[0] * sizes[1] * depth, *counts), x.dtype)
    for place in np.ndindex(*sizes):
        channel = (place[0] * sizes[1] + place[1]) * depth
        for p in np.ndindex(*counts):
            at = [q * s - b + k * r for q, s, b, k, r in zip(p, strides, begin, place, rates)]
            if all(0 <= a < i for a, i in zip(at, image)):
                y[:, channel:channel + depth, p[0], p[1]] = x[:, :, at[0], at[1]]
    return y


def image_patches():
    rows = [((1, 1, 10, 10), [3, 3], [5, 5], [1, 1], "valid"), ((1, 1, 10, 10), [4, 4], [8, 8], [1, 1], "valid"),
            ((1, 1, 10, 10), [4, 4], [9, 9], [1, 1], "same_upper"), ((1, 1, 10, 10), [4, 4], [9, 9], [1, 1], "same_lower"),
            ((1, 1, 10, 10), [3, 3], [5, 5], [2, 2], "valid"), ((2, 2, 5, 4), [2, 3], [3, 1], [1, 1], "valid"),
            ((2, 3, 4, 5), [2, 3], [1, 2], [2, 1], "same_lower")]
    for shape, sizes, strides, rates, pad in rows:
        c = case_of("ExtractImagePatches", pad)
        x = c.distinct("f32", shape)
        c.node([x], x.like(patches(x.array, sizes, strides, rates, pad)),
               {"sizes": sizes, "strides": strides, "rates": rates, "auto_pad": pad})
    c = case_of("ExtractImagePatches", "types")
    for t in MOVED:
        x = c.values(t, (1, 2, 3, 3))
        c.node([x], x.like(patches(x.array, [2, 2], [2, 2], [1, 1], "same_upper")),
               {"sizes": [2, 2], "strides": [2, 2], "rates": [1, 1], "auto_pad": "same_upper"})


def make():
    image_patches()
    interpolations()
    resizes()
    grids()
    regions()
    deformables()
    blocks()
    columns()
