"""Convolutions and pooling, by direct loops over the window."""

import itertools

import numpy as np

from case import FLOATS, Case, Tensor, exact, rounded


class Window:
    """Where a window of the kernel lies on the input, per spatial axis."""

    def __init__(self, size, kernel, strides, dilations, begin, end, auto_pad="explicit",
                 rounding="floor"):
        self.size, self.kernel = size, kernel
        self.strides, self.dilations = strides, dilations
        self.reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
        self.begin, self.end = self.pads(auto_pad, begin, end)
        self.out = [self.count(i, rounding) for i in range(len(size))]

    def pads(self, auto_pad, begin, end):
        if auto_pad == "explicit":
            return begin, end
        if auto_pad == "valid":
            return [0] * len(self.size), [0] * len(self.size)
        # The output has as many elements as there are strides in the input; an odd padding has its
        # extra element at the end (upper) or at the beginning (lower).
        needed = [max((-(-n // s) - 1) * s + r - n, 0)
                  for n, s, r in zip(self.size, self.strides, self.reach)]
        small, large = [p // 2 for p in needed], [p - p // 2 for p in needed]
        return (small, large) if auto_pad == "same_upper" else (large, small)

    def count(self, i, rounding):
        room = self.size[i] + self.begin[i] + self.end[i] - self.reach[i]
        steps = room // self.strides[i] if rounding == "floor" else -(-room // self.strides[i])
        # ceil_torch: the last window may not start in the padding at the end.
        if rounding == "ceil_torch" and steps * self.strides[i] >= self.size[i] + self.begin[i]:
            steps -= 1
        return steps + 1

    def places(self):
        return itertools.product(*map(range, self.out))

    def taps(self, place):
        """(index in the kernel, index in the input) of what lies inside the input."""
        for k in itertools.product(*map(range, self.kernel)):
            at = tuple(o * s + j * d - b for o, s, j, d, b in
                       zip(place, self.strides, k, self.dilations, self.begin))
            if all(0 <= a < n for a, n in zip(at, self.size)):
                yield k, at


def convolve(x, filters, window):
    """x [N, CI, ...], filters [CO, CI, ...]"""
    y = np.zeros((x.shape[0], filters.shape[0], *window.out), x.dtype)
    for place in window.places():
        for k, at in window.taps(place):
            # [N, CI] with [CO, CI]
            xs, ws = x[(slice(None), slice(None)) + at], filters[(slice(None), slice(None)) + k]
            y[(slice(None), slice(None)) + place] += (xs[:, None, :] * ws[None]).sum(axis=2)
    return y


def convolve_groups(x, filters, window):
    """filters [G, CO / G, CI / G, ...]"""
    groups = np.split(x, filters.shape[0], axis=1)
    return np.concatenate([convolve(g, f, window) for g, f in zip(groups, filters)], axis=1)


# name, input size, kernel, strides, dilations, begin, end, auto_pad
CONVOLUTIONS = [
    ("plain_1d", [5], [3], [1], [1], [0], [0], "explicit"),
    ("plain_2d", [4, 5], [3, 2], [1, 1], [1, 1], [0, 0], [0, 0], "explicit"),
    ("plain_3d", [3, 3, 4], [2, 2, 3], [1, 1, 1], [1, 1, 1], [0, 0, 0], [0, 0, 0], "explicit"),
    ("padded", [3, 3], [3, 3], [1, 1], [1, 1], [1, 1], [1, 1], "explicit"),
    ("asymmetric_pads", [4, 3], [3, 2], [1, 1], [1, 1], [2, 0], [0, 3], "explicit"),
    ("strides", [6, 7], [2, 3], [2, 3], [1, 1], [0, 1], [1, 0], "explicit"),
    ("dilations", [7, 6], [3, 2], [1, 1], [2, 3], [0, 0], [0, 0], "explicit"),
    ("strides_and_dilations", [9, 8], [3, 2], [2, 3], [2, 2], [1, 2], [2, 1], "explicit"),
    ("same_upper", [5, 4], [3, 2], [1, 1], [1, 1], [0, 0], [0, 0], "same_upper"),
    ("same_lower", [5, 4], [3, 2], [1, 1], [1, 1], [0, 0], [0, 0], "same_lower"),
    ("same_upper_strides", [5, 6], [3, 4], [2, 3], [1, 1], [0, 0], [0, 0], "same_upper"),
    ("same_lower_strides", [5, 6], [3, 4], [2, 3], [1, 1], [0, 0], [0, 0], "same_lower"),
    ("same_upper_dilations", [6, 5], [2, 3], [1, 1], [3, 2], [0, 0], [0, 0], "same_upper"),
    # Pads that auto_pad makes meaningless must not be used.
    ("valid_ignores_pads", [5, 5], [2, 2], [2, 2], [1, 1], [3, 3], [3, 3], "valid"),
    ("same_ignores_pads", [3, 3], [2, 2], [1, 1], [1, 1], [3, 3], [3, 3], "same_upper"),
    ("kernel_covers_all", [3, 4], [3, 4], [1, 1], [1, 1], [0, 0], [0, 0], "explicit"),
    ("pointwise", [2, 3], [1, 1], [1, 1], [1, 1], [0, 0], [0, 0], "explicit"),
]


def conv_attributes(strides, dilations, begin, end, auto_pad):
    return {"strides": strides, "pads_begin": begin, "pads_end": end, "dilations": dilations,
            "auto_pad": auto_pad}


def convolutions():
    for name, size, kernel, strides, dilations, begin, end, auto_pad in CONVOLUTIONS:
        c = Case("Convolution", name)
        window = Window(size, kernel, strides, dilations, begin, end, auto_pad)
        x, f = c.floats("f32", (2, 2, *size), parts=4), c.floats("f32", (3, 2, *kernel), parts=4)
        attributes = conv_attributes(strides, dilations, begin, end, auto_pad)
        c.node([x, f], rounded("f32", convolve(exact(x), exact(f), window)), attributes)
        c = Case("GroupConvolution", name)
        x, f = c.floats("f32", (1, 4, *size), parts=4), c.floats("f32", (2, 1, 2, *kernel), parts=4)
        c.node([x, f], rounded("f32", convolve_groups(exact(x), exact(f), window)), attributes)
    c = Case("Convolution", "types")
    for t in FLOATS:
        window = Window([3, 3], [2, 2], [1, 1], [1, 1], [0, 1], [1, 0])
        x, f = c.floats(t, (1, 2, 3, 3), parts=2), c.floats(t, (2, 2, 2, 2), parts=2)
        c.node([x, f], rounded(t, convolve(exact(x), exact(f), window)),
               conv_attributes([1, 1], [1, 1], [0, 1], [1, 0], "explicit"))
    c = Case("Convolution", "no_batch")
    window = Window([3], [2], [1], [1], [0], [0])
    x, f = Tensor("f32", np.zeros((0, 2, 3))), c.floats("f32", (3, 2, 2))
    c.node([x, f], Tensor("f32", convolve(exact(x), exact(f), window)),
           conv_attributes([1], [1], [0], [0], "explicit"))
    c = Case("GroupConvolution", "depthwise")
    x, f = c.floats("f32", (2, 3, 4, 4), parts=4), c.floats("f32", (3, 2, 1, 3, 3), parts=4)
    window = Window([4, 4], [3, 3], [1, 1], [1, 1], [1, 1], [1, 1])
    c.node([x, f], rounded("f32", convolve_groups(exact(x), exact(f), window)),
           conv_attributes([1, 1], [1, 1], [1, 1], [1, 1], "explicit"))


def spread(x, filters, strides, dilations, begin, out):
    """The transpose of a convolution: every element of x spreads over the output.
    filters [CI, CO, ...]"""
    y = np.zeros((x.shape[0], filters.shape[1], *out), x.dtype)
    every = (slice(None), slice(None))
    for at in np.ndindex(x.shape[2:]):
        for k in np.ndindex(filters.shape[2:]):
            place = tuple(a * s + j * d - b
                          for a, s, j, d, b in zip(at, strides, k, dilations, begin))
            if all(0 <= p < n for p, n in zip(place, out)):
                y[every + place] += (x[every + at][:, :, None] * filters[every + k]).sum(axis=1)
    return y


# name, input size, kernel, strides, dilations, begin, end, output padding, wanted shape, auto_pad
BACKPROPS = [
    ("plain_1d", [3], [3], [1], [1], [0], [0], [0], None, "explicit"),
    ("strides", [3, 2], [2, 3], [2, 3], [1, 1], [0, 0], [0, 0], [0, 0], None, "explicit"),
    ("pads", [3, 3], [3, 3], [2, 2], [1, 1], [1, 0], [1, 2], [0, 0], None, "explicit"),
    ("dilations", [3, 3], [2, 3], [1, 2], [3, 2], [0, 1], [1, 0], [0, 0], None, "explicit"),
    ("output_padding", [2, 2], [3, 3], [3, 3], [1, 1], [0, 0], [0, 0], [2, 1], None, "explicit"),
    ("plain_3d", [2, 2, 2], [2, 2, 2], [2, 1, 2], [1, 1, 1], [0] * 3, [0] * 3, [0] * 3, None,
     "explicit"),
    ("valid", [3, 3], [2, 2], [2, 2], [1, 1], [1, 1], [1, 1], [0, 0], None, "valid"),
    ("output_shape", [3, 3], [3, 3], [2, 2], [1, 1], [0, 0], [0, 0], [0, 0], [6, 5], "same_upper"),
    ("output_shape_lower", [3, 3], [3, 3], [2, 2], [1, 1], [0, 0], [0, 0], [0, 0], [6, 5],
     "same_lower"),
]


def backprop_geometry(size, kernel, strides, dilations, begin, end, extra, wanted, auto_pad):
    """The pads at the beginning and the output shape, by the formulas of the specification."""
    full = [s * (n - 1) + (k - 1) * d + 1
            for n, k, s, d in zip(size, kernel, strides, dilations)]
    if not wanted:
        if auto_pad != "explicit":
            begin, end = [0] * len(size), [0] * len(size)
        return begin, [f - b - e + x for f, b, e, x in zip(full, begin, end, extra)]
    total = [f - w + x for f, w, x in zip(full, wanted, extra)]
    half = [t // 2 for t in total]
    return ([t - h for t, h in zip(total, half)] if auto_pad == "same_upper" else half), wanted


def backprops():
    for name, size, kernel, strides, dilations, begin, end, extra, wanted, auto_pad in BACKPROPS:
        pads, out = backprop_geometry(size, kernel, strides, dilations, begin, end, extra, wanted,
                                      auto_pad)
        attributes = {**conv_attributes(strides, dilations, begin, end, auto_pad),
                      "output_padding": extra}
        c = Case("ConvolutionBackpropData", name)
        tail = [Tensor("i64", wanted)] if wanted else []
        x, f = c.floats("f32", (2, 2, *size), parts=4), c.floats("f32", (2, 3, *kernel), parts=4)
        y = spread(exact(x), exact(f), strides, dilations, pads, out)
        c.node([x, f, *tail], rounded("f32", y), attributes)
        c = Case("GroupConvolutionBackpropData", name)
        x, f = c.floats("f32", (1, 4, *size), parts=4), c.floats("f32", (2, 2, 1, *kernel), parts=4)
        y = np.concatenate([spread(g, w, strides, dilations, pads, out)
                            for g, w in zip(np.split(exact(x), 2, axis=1), exact(f))], axis=1)
        c.node([x, f, *tail], rounded("f32", y), attributes)


# name, input size, kernel, strides, begin, end, auto_pad, rounding
POOLS = [
    ("plain_1d", [7], [3], [1], [0], [0], "explicit", "floor"),
    ("plain_2d", [4, 6], [2, 3], [2, 3], [0, 0], [0, 0], "explicit", "floor"),
    ("plain_3d", [3, 4, 3], [2, 2, 2], [1, 2, 1], [0, 0, 0], [0, 0, 0], "explicit", "floor"),
    ("pads", [3, 3], [2, 2], [1, 1], [1, 1], [1, 1], "explicit", "floor"),
    ("asymmetric_pads", [4, 3], [3, 2], [2, 1], [2, 0], [0, 1], "explicit", "floor"),
    ("floor_drops_the_rest", [5, 6], [2, 2], [2, 4], [0, 0], [0, 0], "explicit", "floor"),
    ("ceil", [5, 6], [2, 3], [2, 2], [0, 0], [0, 0], "explicit", "ceil"),
    ("ceil_with_pads", [5, 5], [3, 3], [2, 3], [1, 0], [0, 1], "explicit", "ceil"),
    ("same_upper", [3, 4], [2, 2], [1, 1], [0, 0], [0, 0], "same_upper", "floor"),
    ("same_lower", [3, 4], [2, 2], [1, 1], [0, 0], [0, 0], "same_lower", "floor"),
    ("same_upper_strides", [5, 6], [3, 4], [2, 3], [0, 0], [0, 0], "same_upper", "floor"),
    ("same_lower_strides", [5, 6], [3, 4], [2, 3], [0, 0], [0, 0], "same_lower", "floor"),
    ("valid_ignores_pads", [5, 5], [2, 3], [1, 2], [1, 1], [1, 1], "valid", "floor"),
]


def pool_attributes(kernel, strides, begin, end, auto_pad, rounding):
    return {"strides": strides, "pads_begin": begin, "pads_end": end, "kernel": kernel,
            "rounding_type": rounding, "auto_pad": auto_pad}


def max_pool(tensor, window, index_axis=0):
    """The largest values and where they were: an index into the dimensions from index_axis on."""
    y = np.empty((*tensor.shape[:2], *window.out), object)
    indices = np.empty_like(y)
    for n, c in np.ndindex(tensor.shape[:2]):
        for place in window.places():
            taps = [(tensor.array[(n, c) + at], at) for _, at in window.taps(place)]
            assert taps, "a window of nothing but padding is not defined"
            value, at = max(taps, key=lambda tap: tap[0])
            y[(n, c) + place] = value
            full = (n, c) + at
            indices[(n, c) + place] = np.ravel_multi_index(full[index_axis:],
                                                           tensor.shape[index_axis:])
    return tensor.like(y), indices


def avg_pool(tensor, window, exclude_pad):
    y = np.zeros((*tensor.shape[:2], *window.out))
    whole = int(np.prod(window.kernel))
    for n, c in np.ndindex(tensor.shape[:2]):
        for place in window.places():
            taps = [float(tensor.array[(n, c) + at]) for _, at in window.taps(place)]
            y[(n, c) + place] = sum(taps) / (len(taps) if exclude_pad else whole)
    return rounded(tensor.type, y)


def pools():
    for name, size, kernel, strides, begin, end, auto_pad, rounding in POOLS:
        window = Window(size, kernel, strides, [1] * len(size), begin, end, auto_pad, rounding)
        attributes = pool_attributes(kernel, strides, begin, end, auto_pad, rounding)
        c = Case("MaxPool", name)
        x = signed_distinct(c, "f32", (2, 2, *size))
        y, indices = max_pool(x, window)
        c.node([x], y, attributes, "opset1")
        c.node([x], [y, Tensor("i64", indices)], attributes, "opset8")
        c.node([x], [y, Tensor("i64", indices)], attributes, "opset14")
        c = Case("AvgPool", name)
        x = c.floats("f32", (2, 2, *size))
        for exclude in (True, False):
            # How much a window that ceil lets run over the padding's end counts is not said.
            if exclude or rounding == "floor":
                c.node([x], avg_pool(x, window, exclude), {**attributes, "exclude-pad": exclude},
                       "opset1", ulp=2, atol=1e-7)
                c.node([x], avg_pool(x, window, exclude), {**attributes, "exclude-pad": exclude},
                       "opset14", ulp=2, atol=1e-7)
    no_rows()
    max_pool_8()
    ceil_torch()
    avg_pool_16()
    pool_types()
    adaptive_pools()


def no_rows():
    """The size divided by the strides is none, whatever the padding could be."""
    c = Case("MaxPool", "no_rows")
    for strides, columns in (([1, 1], 3), ([2, 2], 2)):
        attributes = pool_attributes([2, 2], strides, [0, 0], [0, 0], "same_upper", "floor")
        c.node([Tensor("f32", np.zeros((1, 2, 0, 3)))], Tensor("f32", np.zeros((1, 2, 0, columns))), attributes,
               "opset1")


def adaptive_pools():
    """The parts are those of the page's formulas, by exact fractions."""
    for size, out in (([7], [3]), ([3], [5]), ([5, 4], [2, 3]), ([4, 3], [1, 1]), ([3, 4, 5], [2, 3, 2])):
        parts = [[range(i * n // m, -(-(i + 1) * n // m)) for i in range(m)] for n, m in zip(size, out)]
        c = Case("AdaptiveMaxPool", "x".join(map(str, size)))
        average = Case("AdaptiveAvgPool", "x".join(map(str, size)))
        for t in FLOATS if len(size) == 2 else ["f32"]:
            x = signed_distinct(c, t, (2, 2, *size))
            most, mean, where = (np.zeros((2, 2, *out)) for _ in range(3))
            for at in np.ndindex(2, 2, *out):
                places = list(itertools.product(*[p[i] for p, i in zip(parts, at[2:])]))
                values = [float(x.array[at[:2] + place]) for place in places]
                most[at], mean[at] = max(values), sum(values) / len(values)
                where[at] = np.ravel_multi_index(places[int(np.argmax(values))], size)
            for kind in ("i64", "i32"):
                c.node([x, Tensor(kind, out)], [rounded(t, most), Tensor(kind, where)], {"index_element_type": kind})
            average.node([x, Tensor("i64", out)], rounded(t, mean), ulp=2)


def signed_distinct(case, type_, shape):
    """Distinct values around zero: padding with zeros instead of -inf would show."""
    t = case.distinct(type_, shape)
    return t.like(t.array - int(np.prod(shape)) // 2 - 3)


def max_pool_8():
    c = Case("MaxPool", "dilations")
    for dilations, begin, end in (([2, 2], [1, 1], [1, 1]), ([1, 3], [0, 1], [1, 0])):
        x = signed_distinct(c, "f32", (1, 2, 5, 5))
        window = Window([5, 5], [2, 2], [1, 2], dilations, begin, end)
        y, indices = max_pool(x, window)
        attributes = pool_attributes([2, 2], [1, 2], begin, end, "explicit", "floor")
        c.node([x], [y, Tensor("i64", indices)], {**attributes, "dilations": dilations}, "opset8")
    c = Case("MaxPool", "index_axis")
    x = signed_distinct(c, "f32", (2, 3, 3, 4))
    window = Window([3, 4], [2, 2], [1, 2], [1, 1], [0, 0], [0, 0])
    attributes = pool_attributes([2, 2], [1, 2], [0, 0], [0, 0], "explicit", "floor")
    for axis in (0, 1, 2, 3, -1, -2):
        for kind in ("i64", "i32") if axis == 2 else ("i64",):
            y, indices = max_pool(x, window, axis % 4)
            c.node([x], [y, Tensor(kind, indices)],
                   {**attributes, "axis": axis, "index_element_type": kind}, "opset8")
    c = Case("MaxPool", "specification_examples")
    nine = Tensor("f32", [[[[-1, 2, 3], [4, 5, -6], [-7, 8, 9]]]])
    # The page prints -6 at [1, 3], the smaller one of the two values under that window.
    c.node([nine], [Tensor("f32", [[[[-1, 2, 3, 3], [4, 5, 5, 3], [4, 8, 9, 9], [-7, 8, 9, 9]]]]),
                    Tensor("i64", [[[[0, 1, 2, 2], [3, 4, 4, 2], [3, 7, 8, 8], [6, 7, 8, 8]]]])],
           pool_attributes([2, 2], [1, 1], [1, 1], [1, 1], "explicit", "floor"), "opset8")
    c.node([nine], [Tensor("f32", [[[[-1, 2, 3], [4, 5, 5], [4, 8, 9]]]]),
                    Tensor("i64", [[[[0, 1, 2], [3, 4, 4], [3, 7, 8]]]])],
           pool_attributes([2, 2], [1, 1], [0, 0], [0, 0], "same_lower", "floor"), "opset8")
    c.node([Tensor("f32", [[[[1, 2, 3], [4, 5, 6], [7, 8, 9]]]])],
           [Tensor("f32", [[[[1, 3], [7, 9]]]]), Tensor("i64", [[[[0, 2], [6, 8]]]])],
           pool_attributes([2, 2], [2, 2], [1, 1], [1, 1], "explicit", "ceil_torch"), "opset14")


def ceil_torch():
    c = Case("MaxPool", "ceil_torch")
    for size, kernel, stride, begin, end in ((5, 2, 2, 0, 0), (4, 2, 3, 1, 1), (3, 2, 2, 1, 1),
                                             (6, 3, 2, 1, 1)):
        x = signed_distinct(c, "f32", (1, 1, size))
        window = Window([size], [kernel], [stride], [1], [begin], [end], "explicit", "ceil_torch")
        y, indices = max_pool(x, window)
        c.node([x], [y, Tensor("i64", indices)],
               pool_attributes([kernel], [stride], [begin], [end], "explicit", "ceil_torch"),
               "opset14")


def avg_pool_16():
    c = Case("AvgPool", "dilations")
    for dilations, begin, end in (([2, 2], [1, 1], [1, 1]), ([1, 3], [0, 1], [1, 0])):
        x = c.floats("f32", (1, 2, 5, 5))
        window = Window([5, 5], [2, 2], [1, 2], dilations, begin, end)
        attributes = pool_attributes([2, 2], [1, 2], begin, end, "explicit", "floor")
        for exclude in (True, False):
            c.node([x], avg_pool(x, window, exclude),
                   {**attributes, "dilations": dilations, "exclude-pad": exclude}, "opset16",
                   ulp=2, atol=1e-7)


def pool_types():
    c = Case("MaxPool", "types")
    window = Window([3, 3], [2, 2], [1, 1], [1, 1], [1, 0], [0, 0])
    attributes = pool_attributes([2, 2], [1, 1], [1, 0], [0, 0], "explicit", "floor")
    for t in ("f64", "f16", "bf16", "i64", "i32", "i8"):
        x = signed_distinct(c, t, (1, 2, 3, 3))
        y, indices = max_pool(x, window)
        c.node([x], [y, Tensor("i64", indices)], attributes, "opset8")
    x = c.distinct("u8", (1, 2, 3, 3))
    y, indices = max_pool(x, window)
    c.node([x], [y, Tensor("i64", indices)], attributes, "opset8")
    c = Case("AvgPool", "types")
    for t in FLOATS:
        x = c.floats(t, (1, 2, 3, 3), parts=2)
        c.node([x], avg_pool(x, window, True), {**attributes, "exclude-pad": True}, "opset1",
               ulp=1)


def make():
    convolutions()
    backprops()
    pools()
