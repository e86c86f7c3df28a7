"""Fourier transforms by numpy and by their sums, windows' matrices, and what is counted or folded."""

import math

import numpy as np

from case import FLOATS, MOVED, Case, Tensor, exact, rounded


MADE = {}


def case_of(op, name):
    """The case of this name, to which several nodes may be added."""
    if (op, name) not in MADE:
        MADE[op, name] = Case(op, name)
    return MADE[op, name]


def pair(z):
    return np.stack([z.real, z.imag], axis=-1)


def number(x):
    return x[..., 0] + 1j * x[..., 1]


# shape without the parts, axes, signal_size
TRANSFORMS = [((8,), [0], None), ((2, 5), [1], None), ((3, 4), [0, 1], None), ((3, 6, 2), [-2], None),
              ((2, 6), [1], [4]), ((2, 6), [1], [9]), ((3, 4, 5), [2, 0], [-1, 6]), ((1, 7), [-1, 0], [3, 2])]


def complex_transforms():
    for name, function in (("DFT", np.fft.fftn), ("IDFT", np.fft.ifftn)):
        for shape, axes, size in TRANSFORMS:
            c = case_of(name, "numpy")
            x = c.floats("f32", (*shape, 2))
            sizes = None if size is None else [shape[a] if s < 0 else s for s, a in zip(size, axes)]
            y = function(number(exact(x)), s=sizes, axes=axes)
            c.node([x, c.i64(*axes), *([] if size is None else [c.i64(*size)])], rounded("f32", pair(y)), {},
                   ulp=2, atol=1e-6)
    c = case_of("DFT", "types")
    for t in FLOATS:
        x = c.floats(t, (4, 2))
        c.node([x, c.i64(0)], rounded(t, pair(np.fft.fft(number(exact(x))))), {}, ulp=2, atol=1e-6)
    c = case_of("DFT", "exact_zeros")
    x = Tensor("f64", np.stack([np.ones(12), np.zeros(12)], axis=-1))
    y = np.zeros((12, 2))
    y[0, 0] = 12
    c.node([x, c.i64(0)], Tensor("f64", y), {}, atol=1e-14)


def real_transforms():
    for shape, axes, size in TRANSFORMS:
        sizes = None if size is None else [shape[a] if s < 0 else s for s, a in zip(size, axes)]
        tail = [] if size is None else [Tensor("i64", size)]
        c = case_of("RDFT", "numpy")
        x = c.floats("f32", shape)
        c.node([x, c.i64(*axes), *tail], rounded("f32", pair(np.fft.rfftn(exact(x), s=sizes, axes=axes))), {},
               ulp=2, atol=2e-6)
        c = case_of("IRDFT", "numpy")
        x = c.floats("f32", (*shape, 2))
        last = axes[-1]
        full = [shape[a] for a in axes[:-1]] + [2 * (shape[last] - 1)]
        wanted = full if size is None else [f if s < 0 else s for f, s in zip(full, size)]
        if wanted[-1] > 0:
            c.node([x, c.i64(*axes), *tail], rounded("f32", hermitian_inverse(number(exact(x)), axes, wanted)), {},
                   ulp=2, atol=2e-6)


def hermitian_inverse(z, axes, sizes):
    """The other axes first, then the half along the last one; imaginary parts that cancel out do not count."""
    for axis, size in zip(axes[:-1], sizes):
        z = np.fft.ifft(z, n=size, axis=axis)
    return np.fft.irfft(z, n=sizes[-1], axis=axes[-1])


def short_time(x, window, size, step):
    frames = 1 + (x.shape[-1] - size) // step
    left = (size - len(window)) // 2
    window = np.pad(window, (left, size - len(window) - left))
    y = [np.fft.rfft(x[..., i * step:i * step + size] * window, axis=-1) for i in range(frames)]
    return pair(np.stack(y, axis=-2))


def short_times():
    for shape, window, size, step in (((17,), 5, 5, 3), ((2, 16), 4, 8, 4), ((1, 20), 7, 8, 6), ((2, 6), 6, 6, 1)):
        for transpose in (False, True):
            c = case_of("STFT", "numpy")
            x, w = c.floats("f32", shape), c.floats("f32", (window,), lo=0, hi=1)
            y = short_time(exact(x), exact(w), size, step)
            y = np.swapaxes(y, -2, -3) if transpose else y
            c.node([x, w, c.scalar("i64", size), c.scalar("i64", step)], rounded("f32", y),
                   {"transpose_frames": transpose}, ulp=2, atol=2e-6)


def joined_frames(z, window, size, step, center, normalized, length):
    """What the frames have in common at each sample: their sum over that of their windows."""
    *lead, _, count = z.shape
    left = (size - len(window)) // 2
    window = np.pad(window, (left, size - len(window) - left))
    total, weight = np.zeros((*lead, (count - 1) * step + size)), np.zeros((count - 1) * step + size)
    for i in range(count):
        total[..., i * step:i * step + size] += np.fft.irfft(z[..., i], n=size, axis=-1)
        weight[i * step:i * step + size] += window
    y = np.divide(total, weight, out=np.zeros_like(total), where=weight != 0) * (np.sqrt(size) if normalized else 1)
    start = size // 2 if center else 0
    length = (count - 1) * step + (0 if center else size) if length is None else length
    y = y[..., start:start + length]
    return np.concatenate((y, np.zeros((*lead, length - y.shape[-1]))), axis=-1)


def joined_signals():
    for shape, window, size, step, length in (((6, 16), 7, 11, 3, None), ((2, 5, 4), 8, 8, 4, None), ((3, 3), 4, 5, 2, 12),
                                              ((1, 5, 3), 8, 8, 3, 5), ((2, 2, 1), 2, 2, 5, None), ((4, 2), 3, 6, 8, 20)):
        for center in (False, True):
            for normalized in (False, True):
                c = case_of("ISTFT", "frames")
                x, w = c.floats("f32", (*shape, 2)), c.floats("f32", (window,), lo=0, hi=1)
                y = joined_frames(number(exact(x)), exact(w), size, step, center, normalized, length)
                c.node([x, w, c.scalar("i64", size), c.scalar("i64", step),
                        *([] if length is None else [c.scalar("i64", length)])], rounded("f32", y),
                       {"center": center, "normalized": normalized}, ulp=2, atol=4e-6)
    c = case_of("ISTFT", "types")
    for t in FLOATS:
        x, w = c.floats(t, (3, 3, 2)), c.floats(t, (4,), lo=1, hi=2)
        y = joined_frames(number(exact(x)), exact(w), 4, 2, False, False, None)
        c.node([x, w, c.scalar("i32", 4), c.scalar("i32", 2)], rounded(t, y), {"center": False, "normalized": False}, ulp=2,
               atol=1e-6)


def mel_matrix(bands, length, rate, low, high):
    """The example of ONNX's page in words: edges that are equally far apart in mel, triangles between them."""
    mel = lambda f: 2595 * math.log10(1 + f / 700)
    step = (mel(high) - mel(low)) / (bands + 2)
    hertz = [700 * (10**((mel(low) + i * step) / 2595) - 1) for i in range(bands + 2)]
    edges = [math.floor((length + 1) * f / rate) for f in hertz]
    y = np.zeros((length // 2 + 1, bands))
    for i, (left, middle, right) in enumerate(zip(edges, edges[1:], edges[2:])):
        for row in range(left, middle):
            y[row, i] = (row - left) / (middle - left)
        y[middle, i] = 1
        for row in range(middle, right):
            y[row, i] = (right - row) / (right - middle)
    return y


def mel_matrices():
    c = case_of("MelWeightMatrix", "bands")
    for bands, length, rate, low, high in ((8, 16, 8192, 0.0, 4096.0), (4, 33, 16000, 125.0, 7000.0)):
        for t in ("f32", "f64"):
            c.node([c.scalar("i64", bands), c.scalar("i64", length), c.scalar("i64", rate), c.scalar("f32", low),
                    c.scalar("f32", high)], rounded(t, mel_matrix(bands, length, rate, low, high)),
                   {"output_datatype": t}, "onnx17", ulp=1)


def determinants():
    c = case_of("Det", "numpy")
    for shape in ((1, 1), (2, 2), (4, 4), (3, 2, 2), (2, 2, 3, 3), (2, 0, 0)):
        x = c.floats("f32", shape)
        c.node([x], rounded("f32", np.linalg.det(exact(x))), {}, "onnx11", ulp=2, atol=1e-5)
    c = case_of("Det", "singular")
    c.node([Tensor("f64", [[1, 2, 3], [2, 4, 6], [1, 0, 1]])], Tensor("f64", 0.0), {}, "onnx11", atol=1e-12)


def products():
    for t in ("f32", "f64", "i32", "u8"):
        for exclusive in (False, True):
            for reverse in (False, True):
                c = case_of("CumProd", t + "_exclusive" * exclusive + "_reverse" * reverse)
                x = c.floats(t, (2, 4), lo=-2, hi=2, parts=2) if t in FLOATS else c.ints(t, (2, 4), 1, 9)
                y = exact(x)[:, ::-1] if reverse else exact(x)
                if exclusive:
                    y = np.concatenate([np.ones((2, 1), y.dtype), y[:, :-1]], axis=1)
                y = np.cumprod(y, axis=1)
                y = y[:, ::-1] if reverse else y
                c.node([x, c.scalar("i64", 1)], rounded(t, y), {"exclusive": exclusive, "reverse": reverse}, "onnx26")
    c = case_of("CumProd", "axes")
    for axis in (-3, 1):
        x = c.ints("i64", (2, 3, 2), -3, 4)
        c.node([x, c.scalar("i32", axis)], x.like(np.cumprod(x.array, axis=axis)), {}, "onnx26")


def eyes():
    c = case_of("Eye", "diagonals")
    for rows, columns, k in ((3, 4, 2), (3, 4, -1), (3, 3, 0), (2, 2, 5), (0, 3, 0)):
        c.node([c.scalar("i64", rows), c.scalar("i64", columns), c.scalar("i64", k)],
               Tensor("i32", np.eye(rows, columns, k)), {"output_type": "i32"})
    c = case_of("Eye", "batches")
    for t, batch in (("f32", [2, 1]), ("u8", []), ("f16", [3])):
        c.node([c.i64(2), c.i64(3), c.i64(1), Tensor("i64", np.array(batch, np.int64))],
               Tensor(t, np.broadcast_to(np.eye(2, 3, 1), (*batch, 2, 3))), {"output_type": t})


def unique(x, axis, is_sorted):
    y, first, inverse, counts = np.unique(x, True, True, True, axis=axis)
    inverse = inverse.reshape(-1)
    if not is_sorted:
        order = np.argsort(first)
        y, first, counts = np.take(y, order, axis or 0), first[order], counts[order]
        inverse = np.argsort(order)[inverse]
    return y, first, inverse, counts


def uniques():
    for shape, axis in (((7,), None), ((3, 4), None), ((5, 2), 0), ((2, 6), -1), ((2, 5, 2), 1), ((), None)):
        for is_sorted in (True, False):
            c = case_of("Unique", "sorted" if is_sorted else "in_order")
            for t in ("f32", "i8", "u64"):
                x = c.ints(t, shape, 0, 3)
                y, *lists = unique(x.array, axis, is_sorted)
                c.node([x, *([] if axis is None else [c.scalar("i64", axis)])],
                       [x.like(y), *[Tensor("i64", v) for v in lists]], {"sorted": is_sorted}, dynamic=True)
    c = case_of("Unique", "types")
    for t in [t for t in MOVED if t != "bf16"] + ["string"]:
        x = c.values(t, (9,))
        y, *lists = unique(x.array, None, True)
        c.node([x], [x.like(y), *[Tensor("i32", v) for v in lists[:2]], Tensor("i32", lists[2])],
               {"index_element_type": "i32", "count_element_type": "i32"}, dynamic=True)


def lp_pools():
    """Windows as networks.py has them."""
    from networks import POOLS, Window, pool_attributes
    for p in (1, 2, 3):
        for name, size, kernel, strides, begin, end, auto_pad, rounding in POOLS:
            if rounding == "ceil":
                continue
            c = case_of("LpPool", name)
            x = c.floats("f32", (2, 2, *size))
            window = Window(size, kernel, strides, [1] * len(size), begin, end, auto_pad, rounding)
            y = np.zeros((2, 2, *window.out))
            for n, k in np.ndindex(2, 2):
                for place in window.places():
                    y[(n, k) + place] = sum(abs(float(x.array[(n, k) + at]))**p for _, at in window.taps(place))**(1 / p)
            c.node([x], rounded("f32", y), {**pool_attributes(kernel, strides, begin, end, auto_pad, rounding), "p": p},
                   "onnx18", ulp=2)


def make():
    complex_transforms()
    real_transforms()
    short_times()
    joined_signals()
    mel_matrices()
    determinants()
    products()
    eyes()
    uniques()
    lp_pools()
