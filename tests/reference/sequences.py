"""Parts of networks for text, sound and pictures as exported models have them: tests/subgraphs. Each is computed as a
whole, in f64, by numpy and plain loops."""

import numpy as np

from attention import attention
from case import Tensor
from ctc import greedy
from images import grid_sample, interpolate
from nets import Net, softmax
from recurrent import DEFAULTS, functions, net
from rois import sigmoid
from signals import mel_matrix


def lstm_tagger():
    g = Net("lstm_tagger", "A tagger: embedded words, as many as each mask has, through an LSTM in both directions, a class "
            "for each word.")
    hidden, size, lengths = 3, 4, [4, 0, 3]
    table, tv = g.floats("table", (7, size))
    words = g.rng.randint(0, 7, (3, 4))
    mask = np.arange(4) < np.array(lengths)[:, None]
    zero, one = g.scalar("first_axis", 0), g.ints("along_1", 1)
    ids = g.constant("ids", Tensor("i64", words))
    x = g.node("Gather-8", table, ids, zero)
    counted = g.node("Convert-1", g.constant("mask", Tensor("boolean", mask)), destination_type="i32")
    counted = g.node("ReduceSum-1", counted, one, keep_dims=False)
    arrays = {name: g.floats(name, shape) for name, shape in
              (("h", (3, 2, hidden)), ("c", (3, 2, hidden)), ("w", (2, 4 * hidden, size)), ("r", (2, 4 * hidden, hidden)),
               ("b", (2, 4 * hidden)))}
    y, h, _ = g.node("LSTMSequence-5", x, arrays["h"][0], arrays["c"][0], counted, *(arrays[k][0] for k in "wrb"), outputs=3,
                     hidden_size=hidden, direction="bidirectional")
    both = g.node("Reshape-1", g.node("Transpose-1", y, g.ints("by_step", 0, 2, 1, 3)), g.ints("joined", 0, 0, -1),
                  special_zero=True)
    w, wv = g.floats("classes", (2 * hidden, 5))
    logits = g.node("MatMul-1", both, w)
    best = g.node("TopK-11", logits, g.scalar("best", 1), outputs=2, axis=-1, mode="max", sort="value",
                  index_element_type="i64")[1]

    def gates(v):  # the page's order f, i, c, o as i, o, f, c
        f, i, c, o = np.split(v, 4, axis=1)
        return np.concatenate([i, o, f, c], 1)

    w, r, b = (gates(arrays[k][1]) for k in "wrb")
    yv, hv, _ = net("LSTM", [functions(DEFAULTS["LSTM"])] * 2, tv[words], arrays["h"][1], arrays["c"][1], w, r, b, b * 0,
                    lengths, "bidirectional")
    out = yv.transpose(0, 2, 1, 3).reshape(3, 4, -1) @ wv
    g.result("logits", logits, out, atol=1e-5)
    g.result("tags", best, np.argmax(out, -1)[..., None], "i64")
    g.result("last", h, hv, atol=1e-5)


def gru_classifier():
    g = Net("gru_classifier", "Keyword spotting: a GRU whose reset comes behind the product, its last state, a class.")
    hidden, size, steps = 4, 3, 5
    x, xv = g.floats("frames", (2, steps, size))
    arrays = {name: g.floats(name, shape) for name, shape in
              (("h", (2, 1, hidden)), ("w", (1, 3 * hidden, size)), ("r", (1, 3 * hidden, hidden)), ("b", (1, 4 * hidden)))}
    lengths = g.node("Broadcast-3", g.scalar("steps", steps), g.ints("batch", 2), mode="numpy")
    _, last = g.node("GRUSequence-5", x, arrays["h"][0], lengths, *(arrays[k][0] for k in "wrb"), outputs=2,
                     hidden_size=hidden, direction="forward", linear_before_reset=True, activations=["sigmoid", "tanh"])
    w, wv = g.floats("classes", (3, hidden))
    logits = g.node("MatMul-1", g.node("Squeeze-1", last, g.ints("along_1", 1)), w, transpose_b=True)
    b = arrays["b"][1]
    zeros = np.zeros((1, hidden))
    _, hv, _ = net("GRU", [functions(DEFAULTS["GRU"])], xv, arrays["h"][1], np.zeros((2, 1, hidden)), arrays["w"][1],
                   arrays["r"][1], b[:, :3 * hidden], np.concatenate([zeros, zeros, b[:, 3 * hidden:]], 1), [steps] * 2,
                   "forward", linear=True)
    g.result("likely", g.node("LogSoftmax-5", logits, axis=1), np.log(softmax(hv[:, 0] @ wv.T)), atol=1e-5)


def turned_by_place(x, places):
    """Rotary positions: the two halves of each head are the coordinates that turn (Su et al., "RoFormer")."""
    half = x.shape[-1] // 2
    angle = np.outer(places, 10000.0 ** (-np.arange(half) / half))
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)], -1)


def rotary(g, x, sin, cos, axis):
    """The same as nodes, as exporters write it: x * cos + rotate_half(x) * sin."""
    a, b = g.node("Split-1", x, axis, outputs=2, num_splits=2)
    turned = g.node("Concat-1", g.node("Negative-1", b), a, axis=-1)
    return g.node("Add-1", g.node("Multiply-1", x, cos), g.node("Multiply-1", turned, sin))


def attention_step():
    g = Net("attention_step", "A step of a language model: two new tokens behind three that are cached, two heads for keys and "
            "values, four for queries; the second text is shorter, and its mask hides where it is padded.")
    size, heads, shared, past, new = 4, 4, 2, 3, 2
    x, xv = g.floats("x", (2, new, 6))
    scale, sv = g.floats("scale", (6,), 0.5, 1.5)
    power = g.node("ReduceMean-1", g.node("Multiply-1", x, x), g.ints("last", -1), keep_dims=True)
    root = g.node("Sqrt-1", g.node("Add-1", power, g.scalar("epsilon", 0.015625, "f32")))
    h = g.node("Multiply-1", g.node("Divide-1", x, root), scale)
    hv = xv / np.sqrt((xv**2).mean(-1, keepdims=True) + 0.015625) * sv
    places = g.node("Range-4", g.scalar("past", past), g.scalar("all", past + new), g.scalar("one", 1), output_type="f32")
    turns = g.f32("turns", 10000.0 ** (-np.arange(size // 2) / (size // 2)))
    angle = g.node("Multiply-1", g.node("Unsqueeze-1", places, g.scalar("column", 1)), turns)
    angle = g.node("Concat-1", angle, angle, axis=-1)
    sin, cos, axis = g.node("Sin-1", angle), g.node("Cos-1", angle), g.scalar("along", -1)
    by_head = g.ints("by_head", 0, 2, 1, 3)
    parts, made = {}, {}
    for name, count in (("q", heads), ("k", shared), ("v", shared)):
        w, wv = g.floats(f"w{name}", (count * size, 6))
        y = g.node("MatMul-1", h, w, transpose_b=True)
        y = g.node("Reshape-1", y, g.ints(f"heads_{name}", 0, 0, count, size), special_zero=True)
        y = g.node("Transpose-1", y, by_head)
        v = (hv @ wv.T).reshape(2, new, count, size).transpose(0, 2, 1, 3)
        parts[name] = y if name == "v" else rotary(g, y, sin, cos, axis)
        made[name] = v if name == "v" else turned_by_place(v, range(past, past + new))
    for name in "kv":
        cache, cv = g.floats(f"past_{name}", (2, shared, past, size))
        parts[name] = g.node("Concat-1", cache, parts[name], axis=2)
        made[name] = np.concatenate([cv, made[name]], 2)
        g.result(f"present_{name}", parts[name], made[name], atol=1e-5)
    wide = g.ints("repeated", 2, shared, heads // shared, past + new, size)
    again, behind = g.ints("heads_again", 0, heads, past + new, size), g.scalar("behind", 2)
    for name in "kv":
        y = g.node("Broadcast-3", g.node("Unsqueeze-1", parts[name], behind), wide, mode="bidirectional")
        parts[name] = g.node("Reshape-1", y, again, special_zero=True)
        made[name] = np.repeat(made[name], heads // shared, 1)
    there = np.array([[1, 1, 1, 1, 1], [0, 1, 1, 1, 1]])
    seen = there[:, None, None, :] * (np.arange(past + new) <= np.arange(past, past + new)[:, None])
    mask = g.constant("mask", Tensor("boolean", seen))
    y = g.node("ScaledDotProductAttention-13", parts["q"], parts["k"], parts["v"], mask, causal=False)
    y = g.node("Reshape-1", g.node("Transpose-1", y, by_head), g.ints("joined", 0, 0, -1), special_zero=True)
    w, wv = g.floats("wo", (6, heads * size))
    out = attention(made["q"], made["k"], made["v"], seen.astype(bool)).transpose(0, 2, 1, 3).reshape(2, new, -1)
    g.result("y", g.node("Add-1", x, g.node("MatMul-1", y, w, transpose_b=True)), xv + out @ wv.T, atol=2e-5)


def mel_spectrum():
    g = Net("mel_spectrum", "What speech models see: power of short-time spectra, in mel bands, as logarithms.")
    size, step, bands = 16, 8, 4
    x, xv = g.floats("signal", (2, 48))
    window = np.float32(np.hanning(size + 1)[:-1])
    spectra = g.node("STFT-15", x, g.f32("hann", window), g.scalar("frame", size), g.scalar("step", step),
                     transpose_frames=False)
    power = g.node("ReduceSum-1", g.node("Multiply-1", spectra, spectra), g.ints("parts", -1), keep_dims=False)
    mel = np.float32(mel_matrix(bands, size, 8192, 0.0, 4096.0))
    energy = g.node("MatMul-1", power, g.f32("mel", mel))
    logs = g.node("Log-1", g.node("Maximum-1", energy, g.scalar("least", 2.0**-10, "f32")))
    frames = [np.fft.rfft(xv[:, i:i + size] * window) for i in range(0, 48 - size + 1, step)]
    wanted = np.log(np.maximum(np.abs(np.stack(frames, 1))**2 @ mel, 2.0**-10))
    mean = g.node("ReduceMean-1", logs, g.ints("frames", 1), keep_dims=True)
    g.result("features", g.node("Subtract-1", logs, mean), wanted - wanted.mean(1, keepdims=True), atol=2e-4)


def ctc_reader():
    g = Net("ctc_reader", "A reader of text lines: columns of a map as steps, classes of each, the labels without blanks.")
    x, xv = g.floats("map", (2, 3, 1, 7), -2, 2)
    steps = g.node("Transpose-1", g.node("Squeeze-1", x, g.ints("height", 2)), g.ints("by_step", 0, 2, 1))
    w, wv = g.floats("classes", (3, 4))
    logits = g.node("LogSoftmax-5", g.node("MatMul-1", steps, w), axis=-1)
    lengths = [7, 4]
    labels, counts = g.node("CTCGreedyDecoderSeqLen-6", logits, g.constant("lengths", Tensor("i32", lengths)),
                            g.constant("blank", Tensor("i32", [3])), outputs=2, merge_repeated=True)
    each, n = greedy(xv[:, :, 0].transpose(0, 2, 1) @ wv, lengths, 3, True)
    assert n.max() > 2 and n.max() < 7
    g.result("labels", labels, each, "i32")
    g.result("counts", counts, n, "i32")


def recommender():
    g = Net("recommender", "Bags of embeddings, one of them empty and one weighted, beside numbers: how likely a click is.")
    first, fv = g.floats("table_0", (6, 3))
    second, sv = g.floats("table_1", (5, 3))
    weights, wv = g.floats("weights", (5,), 0, 1)
    numbers, nv = g.floats("numbers", (3, 4))
    ids, offsets = [4, 1, 1, 0, 5, 2], [0, 4, 4]
    a = g.node("EmbeddingBagOffsets-15", first, g.ints("ids", *ids), g.ints("offsets", *offsets), g.scalar("empty", 3),
               reduction="mean")
    rows, segments = [0, 3, 3, 2, 4], [0, 0, 2, 2, 2]
    b = g.node("EmbeddingSegmentsSum-3", second, g.ints("rows", *rows), g.ints("segments", *segments), g.scalar("bags", 3),
               g.scalar("none", 1), weights)
    w, dense = g.floats("dense", (4, 3))
    c = g.node("ReLU-1", g.node("MatMul-1", numbers, w))
    middle = g.scalar("middle", 1)
    every = g.node("Concat-1", *(g.node("Unsqueeze-1", v, middle) for v in (a, b, c)), axis=1)
    pairs = g.node("MatMul-1", every, every, transpose_b=True)
    flat = g.node("Reshape-1", pairs, g.ints("flat", 0, -1), special_zero=True)
    top, tv = g.floats("top", (9, 1))
    av = np.stack([fv[ids[:4]].mean(0), fv[3], fv[ids[4:]].mean(0)])
    bv = np.stack([sum(sv[r] * k for r, k in zip(rows[:2], wv[:2])), sv[1],
                   sum(sv[r] * k for r, k in zip(rows[2:], wv[2:]))])
    every = np.stack([av, bv, np.maximum(nv @ dense, 0)], 1)
    wanted = sigmoid((every @ every.transpose(0, 2, 1)).reshape(3, 9) @ tv)
    g.result("clicks", g.node("Sigmoid-1", g.node("MatMul-1", flat, top)), wanted, atol=1e-5)


def spatial_transformer():
    g = Net("spatial_transformer", "Two levels of a pyramid are joined, and each picture is turned as its matrix says "
            "(Jaderberg et al., \"Spatial transformer networks\").")
    low, lv = g.floats("low", (2, 2, 2, 3))
    high, hv = g.floats("high", (2, 2, 4, 6))
    theta, tv = g.floats("theta", (2, 2, 3))
    size = g.node("Slice-8", g.node("ShapeOf-3", high), g.ints("two", 2), g.ints("four", 4), g.ints("one", 1))
    up = g.node("Interpolate-11", low, size, g.ints("axes", 2, 3), mode="linear_onnx", shape_calculation_mode="sizes",
                coordinate_transformation_mode="half_pixel")
    joined = g.node("Add-1", high, up)
    ys, xs = ((np.arange(n) * 2 + 1) / n - 1 for n in (3, 4))
    places = np.stack([*np.meshgrid(xs, ys), np.ones((3, 4))], -1)
    flat = g.node("Reshape-1", g.f32("places", places), g.ints("rows", -1, 3), special_zero=False)
    grid = g.node("Reshape-1", g.node("MatMul-1", flat, theta, transpose_b=True), g.ints("grid", 2, 3, 4, 2),
                  special_zero=False)
    y = g.node("GridSample-9", joined, grid, mode="bilinear", padding_mode="zeros", align_corners=False)
    joined = hv + interpolate(lv, [4, 6], None, [2, 3], {"mode": "linear_onnx"})
    grid = np.einsum("yxk,nok->nyxo", np.float32(places), tv)
    g.result("y", y, grid_sample(joined, grid, "bilinear", "zeros", False), atol=2e-5)


def make():
    lstm_tagger()
    gru_classifier()
    attention_step()
    mel_spectrum()
    ctc_reader()
    recommender()
    spatial_transformer()
