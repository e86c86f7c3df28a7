"""Recurrent networks as exported models have them: tests/subgraphs. Each is computed as a whole, in f64, by numpy and plain
loops."""

import numpy as np

from case import Tensor
from ctc import greedy, loss
from nets import Net, softmax
from recurrent import DEFAULTS, cell, functions, net
from rois import sigmoid

CTC_BLANK = 3


def weights(g, name, gates, size, hidden, dirs=1, biases=None):
    """W, R and B of a sequence: operands and arrays. BIASES: how many of them a direction has, if not one for each gate."""
    shapes = {"w": (dirs, gates * hidden, size), "r": (dirs, gates * hidden, hidden), "b": (dirs, (biases or gates) * hidden)}
    both = [g.floats(f"{name}_{k}", shape) for k, shape in shapes.items()]
    return [operand for operand, _ in both], [array for _, array in both]


def of_cell(g, name, gates, size, hidden):
    """The same of a cell, which has no directions."""
    both = [g.floats(f"{name}_{k}", shape) for k, shape in
            (("w", (gates * hidden, size)), ("r", (gates * hidden, hidden)), ("b", (gates * hidden,)))]
    return [operand for operand, _ in both], [array for _, array in both]


def to_iofc(*arrays, axis):
    """OpenVINO's order of gates f, i, c, o as that of recurrent.py."""
    parts = [dict(zip("fico", np.split(v, 4, axis))) for v in arrays]
    return [np.concatenate([p[k] for k in "iofc"], axis) for p in parts]


def step(kind, x, h, c, arrays, **options):
    """A cell on a batch: [batch, size] and states of [batch, hidden]."""
    w, r, b = arrays
    given = options.pop("scores", [{}] * len(x))
    both = [cell(kind, functions(DEFAULTS[kind]), x[n], h[n], c[n], w, r, b, b * 0, **given[n], **options)
            for n in range(len(x))]
    return np.array([a for a, _ in both]), np.array([b for _, b in both])


def translator():
    g = Net("translator", "A translator: an LSTM reads, and at each of two steps the state of another one asks what was read "
            "(Luong et al., \"Effective approaches to attention\"). The steps are cells of two versions.")
    size, hidden, steps, lengths = 3, 3, 4, [4, 2]
    x, xv = g.floats("words", (2, steps, size))
    h, hv = g.floats("h", (2, 1, hidden))
    c, cv = g.floats("c", (2, 1, hidden))
    peep, pv = g.floats("peepholes", (1, 3 * hidden))
    operands, arrays = weights(g, "reader", 4, size, hidden)
    y, last, state = g.node("LSTMSequence-1", x, h, c, g.ints("lengths", *lengths), *operands, peep, outputs=3,
                            hidden_size=hidden, direction="forward", input_forget=False, weights_format="fico")
    one = g.ints("direction", 1)
    read, last, state = (g.node("Squeeze-1", v, one) for v in (y, last, state))
    w, r, b = to_iofc(*arrays, axis=1)
    yv, hv, cv = net("LSTM", [functions(DEFAULTS["LSTM"])], xv, hv, cv, w, r, b, b * 0, lengths, "forward", pv)
    yv, hv, cv = yv[:, 0], hv[:, 0], cv[:, 0]
    there = np.arange(steps) < np.array(lengths)[:, None]
    mask = g.f32("mask", np.where(there, 0, -1000))
    operands, arrays = of_cell(g, "writer", 4, size + hidden, hidden)
    arrays = [to_iofc(v, axis=0)[0] for v in arrays]
    for i, version in enumerate((1, 4)):
        scores = g.node("Add-1", g.node("Einsum-7", last, read, equation="bh,bth->bt"), mask)
        seen = g.node("Einsum-7", g.node("SoftMax-8", scores, axis=-1), read, equation="bt,bth->bh")
        word, wordv = g.floats(f"word_{i}", (2, size))
        last, state = g.node(f"LSTMCell-{version}", g.node("Concat-1", word, seen, axis=1), last, state, *operands, outputs=2,
                             hidden_size=hidden)
        scores = np.where(there, (yv * hv[:, None]).sum(-1), -np.inf)
        seen = (softmax(scores)[..., None] * yv).sum(1)
        hv, cv = step("LSTM", np.concatenate([wordv, seen], 1), hv, cv, arrays)
        g.result(f"state_{i}", last, hv, atol=1e-5)
    g.result("read", read, yv, atol=1e-5)


def interest_net():
    g = Net("interest_net", "How interest in an advertisement evolves over what was clicked (Zhou et al., \"Deep interest "
            "evolution network\"): a GRU, attention, and a GRU whose update the attention scales.")
    size, hidden, steps, lengths = 3, 3, 4, [3, 4]
    x, xv = g.floats("clicked", (2, steps, size))
    target, tv = g.floats("target", (2, hidden))
    h, hv = g.floats("h", (2, 1, hidden))
    count = g.constant("counts", Tensor("i32", lengths))
    operands, arrays = weights(g, "extract", 3, size, hidden)
    y, last = g.node("GRUSequence-5", x, h, count, *operands, outputs=2, hidden_size=hidden, direction="forward")
    scores = g.node("Einsum-7", g.node("Squeeze-1", y, g.ints("direction", 1)), target, equation="bth,bh->bt")
    scores = g.node("Unsqueeze-1", g.node("SoftMax-8", scores, axis=1), g.ints("last", -1))
    more, evolve = weights(g, "evolve", 3, hidden, hidden)
    _, last = g.node("AUGRUSequence-1@ie_internal_opset", g.node("Squeeze-1", y, "%direction"), last, count, *more, scores,
                     outputs=2, hidden_size=hidden, direction="forward")
    last = g.node("Squeeze-1", last, "%direction")
    sure = g.node("Sigmoid-1", g.node("ReduceSum-1", g.node("Multiply-1", last, target), "%direction", keep_dims=True))
    more, final = of_cell(g, "final", 3, hidden, hidden)
    out = g.node("AUGRUCell-1@ie_internal_opset", target, last, *more, sure, hidden_size=hidden)

    acts, none = [functions(DEFAULTS["GRU"])], np.zeros((2, 1, hidden))
    w, r, b = arrays
    yv, hv, _ = net("GRU", acts, xv, hv, none, w, r, b, b * 0, lengths, "forward")
    scores = softmax((yv[:, 0] * tv[:, None]).sum(-1), 1)
    w, r, b = evolve
    _, hv, _ = net("GRU", acts, yv[:, 0], hv, none, w, r, b, b * 0, lengths, "forward", scores=scores)
    hv = hv[:, 0]
    sure = sigmoid((hv * tv).sum(1))
    g.result("interest", last, hv, atol=1e-5)
    g.result("state", out, step("GRU", tv, hv, hv, final, scores=[{"score": s} for s in sure])[0], atol=1e-5)


def speller():
    g = Net("speller", "A speller: a plain recurrent net in both directions, then a step of one and a step of a GRU.")
    size, hidden, steps, lengths = 2, 3, 4, [4, 3]
    x, xv = g.floats("letters", (2, steps, size))
    h, hv = g.floats("h", (2, 2, hidden))
    operands, arrays = weights(g, "read", 1, size, hidden, 2)
    y, last = g.node("RNNSequence-5", x, h, g.constant("counts", Tensor("i32", lengths)), *operands, outputs=2,
                     hidden_size=hidden, direction="bidirectional")
    ahead, back = g.node("Split-1", last, g.scalar("directions", 1), outputs=2, num_splits=2)
    one = g.ints("direction", 1)
    ahead, back = g.node("Squeeze-1", ahead, one), g.node("Squeeze-1", back, one)
    plain, plain_arrays = of_cell(g, "plain", 1, hidden, hidden)
    gated, gated_arrays = of_cell(g, "gated", 3, hidden, hidden)
    state = g.node("RNNCell-0", ahead, back, *plain, hidden_size=hidden)
    out = g.node("GRUCell-3", state, ahead, *gated, hidden_size=hidden)
    w, r, b = arrays
    yv, hv, _ = net("RNN", [functions(DEFAULTS["RNN"])] * 2, xv, hv, hv, w, r, b, b * 0, lengths, "bidirectional")
    sv, _ = step("RNN", hv[:, 0], hv[:, 1], hv[:, 1], plain_arrays)
    g.result("read", y, yv, atol=1e-5)
    g.result("state", out, step("GRU", sv, hv[:, 0], hv[:, 0], gated_arrays)[0], atol=1e-5)


def recurrent_stack():
    g = Net("recurrent_stack", "Three layers as ONNX has them, the steps first: an LSTM in both directions, a GRU backwards, a "
            "plain net.")
    size, hidden, steps, lengths = 2, 2, 3, [3, 2]
    x, xv = g.floats("x", (steps, 2, size))
    count, two = g.constant("counts", Tensor("i32", lengths)), g.ints("directions", 1)
    by_step, joined = g.ints("by_step", 0, 2, 1, 3), g.ints("joined", 0, 0, -1)
    xv = xv.transpose(1, 0, 2)
    for kind, gates, direction in (("LSTM", 4, "bidirectional"), ("GRU", 3, "reverse"), ("RNN", 1, "forward")):
        dirs = 2 if direction == "bidirectional" else 1
        operands, (w, r, b) = weights(g, kind.lower(), gates, xv.shape[-1], hidden, dirs, 2 * gates)
        y, last = g.node(f"{kind}-14@onnx14", x, *operands, count, outputs=3 if kind == "LSTM" else 2, hidden_size=hidden,
                         direction=direction)[:2]
        x = g.node("Reshape-1", g.node("Transpose-1", y, by_step), joined, special_zero=True)
        zeros = np.zeros((2, dirs, hidden))
        yv, hv, _ = net(kind, [functions(DEFAULTS[kind])] * dirs, xv, zeros, zeros, w, r, *np.split(b, 2, 1), lengths,
                        direction)
        xv = yv.transpose(0, 2, 1, 3).reshape(2, steps, -1)
        g.result(f"last_{kind.lower()}", last, hv.transpose(1, 0, 2), atol=1e-5)
    g.result("y", x, xv.transpose(1, 0, 2), atol=1e-5)


def ctc_trainer():
    g = Net("ctc_trainer", "How well a net reads two lines: the loss of their labels, and what it reads.")
    x, xv = g.floats("columns", (2, 5, 3), -2, 2)
    w, wv = g.floats("classes", (3, CTC_BLANK + 1))
    logits = g.node("MatMul-1", x, w)
    lengths, labels, counts = [5, 4], np.array([[0, 1, 1, 0, 0], [2, 0, 0, 0, 0]]), [3, 1]
    y = g.node("CTCLoss-4", logits, g.ints("lengths", *lengths), g.constant("labels", Tensor("i64", labels)),
               g.ints("counts", *counts), g.scalar("blank", CTC_BLANK), preprocess_collapse_repeated=False,
               ctc_merge_repeated=True, unique=False)
    steps = g.node("Transpose-1", g.node("SoftMax-8", logits, axis=2), g.ints("steps_first", 1, 0, 2))
    mask = (np.arange(5)[:, None] < lengths).astype(float)
    read = g.node("CTCGreedyDecoder-1", steps, g.f32("mask", mask), ctc_merge_repeated=True)
    scores = xv @ wv
    each = [loss(row[:n], list(label[:k]), CTC_BLANK, True) for row, n, label, k in zip(scores, lengths, labels, counts)]
    found, count = greedy(scores, lengths, CTC_BLANK, True)
    assert count.min() > 0 and np.isfinite(each).all()
    g.result("loss", y, np.array(each), atol=2e-5)
    g.result("read", read, found[:, :, None, None])


def make():
    translator()
    interest_net()
    speller()
    recurrent_stack()
    ctc_trainer()
