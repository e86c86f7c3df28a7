"""Recurrent nets: a loop over directions, batches and steps of one cell each, from the formulas of OpenVINO's pages
and of ONNX's operators. The LSTM cell of OpenVINO alone stands in normalize.py."""

import itertools

import numpy as np

from case import Case, Tensor, exact, rounded

NETS = {"LSTM": (4, 3), "GRU": (3, 2), "RNN": (1, 1)}  # gates, activation functions
DEFAULTS = {"LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"], "RNN": ["Tanh"]}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


# Functions of x, alpha, beta, and how many of the two they take.
FUNCTIONS = {
    "Relu": (lambda x, a, b: np.maximum(x, 0), 0), "Sigmoid": (lambda x, a, b: sigmoid(x), 0),
    "Tanh": (lambda x, a, b: np.tanh(x), 0), "Affine": (lambda x, a, b: a * x + b, 2),
    "LeakyRelu": (lambda x, a, b: np.where(x < 0, a * x, x), 1),
    "ThresholdedRelu": (lambda x, a, b: np.where(x >= a, x, 0), 1),
    "ScaledTanh": (lambda x, a, b: a * np.tanh(b * x), 2),
    "HardSigmoid": (lambda x, a, b: np.clip(a * x + b, 0, 1), 2),
    "Elu": (lambda x, a, b: np.where(x < 0, a * (np.exp(x) - 1), x), 1),
    "Softsign": (lambda x, a, b: x / (1 + np.abs(x)), 0), "Softplus": (lambda x, a, b: np.log(1 + np.exp(x)), 0),
}


def functions(names, alphas=(), betas=()):
    """Numbers are taken in the order of the functions that have some."""
    alphas, betas, out = iter(alphas), iter(betas), []
    for name in names:
        f, count = FUNCTIONS[name]
        a = next(alphas) if count > 0 else 0
        b = next(betas) if count > 1 else 0
        out.append(lambda x, f=f, a=a, b=b: f(x, a, b))
    return out


def cell(kind, acts, x, h, c, w, r, wb, rb, clip=np.inf, p=None, coupled=False, linear=False, score=0):
    """One step. Gates of an LSTM in the order i, o, f, c, of a GRU z, r, h; biases of input and state apart. SCORE: of
    attention, for a GRU."""
    def cut(v):
        return np.clip(v, -clip, clip)

    if kind == "RNN":
        return acts[0](cut(w @ x + r @ h + wb + rb)), None
    gates = NETS[kind][0]
    w, r, wb, rb = (np.split(v, gates) for v in (w, r, wb, rb))
    see = [w[k] @ x + r[k] @ h + wb[k] + rb[k] for k in range(gates)]
    if kind == "GRU":
        z, reset = acts[0](cut(see[0])), acts[0](cut(see[1]))
        old = reset * (r[2] @ h + rb[2]) if linear else r[2] @ (reset * h) + rb[2]
        z = (1 - score) * z
        return (1 - z) * acts[1](cut(w[2] @ x + old + wb[2])) + z * h, None
    pi, po, pf = np.split(p, 3) if p is not None else (0, 0, 0)
    new = acts[0](cut(see[0] + pi * c))
    forget = 1 - new if coupled else acts[0](cut(see[2] + pf * c))
    c = forget * c + new * acts[1](cut(see[3]))
    return acts[0](cut(see[1] + po * c)) * acts[2](c), c


def net(kind, acts, x, h, c, w, r, wb, rb, lengths, direction, p=None, scores=None, **options):
    """X [batch, steps, input], states [batch, directions, hidden], SCORES [batch, steps]. ACTS: a list for each
    direction."""
    batch, steps = x.shape[:2]
    y = np.zeros((batch, len(w), steps, h.shape[2]))
    h, c = h.copy(), c.copy()
    for n, d in itertools.product(range(batch), range(len(w))):
        order = range(lengths[n])
        for t in reversed(order) if direction == "reverse" or d == 1 else order:
            attention = {} if scores is None else {"score": scores[n, t]}
            h[n, d], new = cell(kind, acts[d], x[n, t], h[n, d], c[n, d], w[d], r[d], wb[d], rb[d],
                                p=None if p is None else p[d], **attention, **options)
            c[n, d] = c[n, d] if new is None else new
            y[n, d, t] = h[n, d]
    return y, h, c


def to_fico(x, kind, axis):
    """The gates of an LSTM in OpenVINO's order."""
    if kind != "LSTM":
        return x
    i, o, f, c = np.split(x, 4, axis=axis)
    return np.concatenate((f, i, c, o), axis=axis)


def openvino_biases(kind, wb, rb, linear):
    both = wb + rb
    if not linear:
        return to_fico(both, kind, 1)
    two = wb.shape[1] // 3 * 2
    return np.concatenate((both[:, :two], wb[:, two:], rb[:, two:]), axis=1)


class Operands:
    """Random operands of a net, few bits each."""

    def __init__(self, c, kind, batch, steps, size, hidden, dirs, type_="f32"):
        gates = NETS[kind][0]
        self.type = type_
        self.x = c.floats(type_, (batch, steps, size), -1, 1)
        self.h, self.c = (c.floats(type_, (batch, dirs, hidden), -1, 1) for _ in range(2))
        self.w = c.floats(type_, (dirs, gates * hidden, size), -1, 1)
        self.r = c.floats(type_, (dirs, gates * hidden, hidden), -1, 1)
        self.wb, self.rb = (c.floats(type_, (dirs, gates * hidden), -1, 1) for _ in range(2))
        self.p = c.floats(type_, (dirs, 3 * hidden), -1, 1)

    def run(self, kind, acts, lengths, direction, p=None, **options):
        operands = (exact(v) for v in (self.x, self.h, self.c, self.w, self.r, self.wb, self.rb))
        y, h, c = net(kind, acts, *operands, lengths, direction, p if p is None else exact(p), **options)
        return [rounded(self.type, v) for v in ((y, h, c) if kind == "LSTM" else (y, h))]


def sequences():
    for kind, (_, count) in NETS.items():
        c = Case(f"{kind}Sequence", "nets")
        for direction, lengths, clip, linear, names in (
                ("forward", [3, 3], 0, False, None), ("reverse", [3, 1], 0, False, None),
                ("bidirectional", [2, 0], 0.5, False, None), ("forward", [1, 2], 0, True, None),
                ("bidirectional", [3, 2], 0, True, ["Relu", "Sigmoid", "Sigmoid"])):
            dirs = 2 if direction == "bidirectional" else 1
            linear = linear and kind == "GRU"
            o = Operands(c, kind, 2, 3, 2, 3, dirs)
            acts = [functions((names or DEFAULTS[kind])[:count])] * dirs
            want = o.run(kind, acts, lengths, direction, clip=clip or np.inf,
                         **({"linear": linear} if kind == "GRU" else {}))
            fico = [v.like(to_fico(v.array, kind, 1)) for v in (o.w, o.r)]
            b = o.wb.like(openvino_biases(kind, o.wb.array, o.rb.array, linear))
            states = [o.h, o.c] if kind == "LSTM" else [o.h]
            attributes = {"hidden_size": 3, "direction": direction}
            attributes.update({"clip": clip} if clip else {})
            attributes.update({"activations": [n.lower() for n in names[:count]]} if names else {})
            attributes.update({"linear_before_reset": True} if linear else {})
            c.node([o.x, *states, Tensor("i32", lengths), *fico, b], want, attributes, "opset5", ulp=16, atol=2e-6)


def cells():
    for kind in ("GRU", "RNN"):
        c = Case(f"{kind}Cell", "cells")
        for type_, clip, linear in (("f32", 0, False), ("f64", 0.5, False), ("f32", 0, True)):
            linear = linear and kind == "GRU"
            o = Operands(c, kind, 2, 1, 3, 2, 1, type_)
            want = o.run(kind, [functions(DEFAULTS[kind])], [1, 1], "forward", clip=clip or np.inf,
                         **({"linear": linear} if kind == "GRU" else {}))[1]
            b = openvino_biases(kind, o.wb.array, o.rb.array, linear)[0]
            attributes = {"hidden_size": 2, **({"clip": clip} if clip else {}),
                          **({"linear_before_reset": True} if linear else {})}
            c.node([o.x.like(o.x.array[:, 0]), o.h.like(o.h.array[:, 0]), o.w.like(o.w.array[0]),
                    o.r.like(o.r.array[0]), o.wb.like(b)], want.like(want.array[:, 0]), attributes, "opset3", ulp=16,
                   atol=2e-6)


def in_order(v, order, axis):
    """The gates of an LSTM, which stand in ONNX's order i, o, f, c, in another one: "ifco"."""
    parts = dict(zip("iofc", np.split(v.array, 4, axis=axis)))
    return v.like(np.concatenate([parts[gate] for gate in order], axis=axis))


def old_sequences():
    """LSTMSequence-1 has peepholes, coupled gates, and weights in any order."""
    c = Case("LSTMSequence", "old")
    for direction, lengths, coupled, order, has_p in (
            ("forward", [3, 2], False, "fico", False), ("reverse", [2, 3], False, "icof", True),
            ("bidirectional", [3, 1], True, "ifco", True), ("forward", [1, 3], True, "ifoc", False),
            ("bidirectional", [0, 3], False, "iofc", True)):
        o = Operands(c, "LSTM", 2, 3, 2, 3, 2 if direction == "bidirectional" else 1)
        acts = [functions(DEFAULTS["LSTM"])] * len(o.w.array)
        want = o.run("LSTM", acts, lengths, direction, o.p if has_p else None, coupled=coupled)
        b = in_order(o.wb.like(o.wb.array + o.rb.array), order, 1)
        c.node([o.x, o.h, o.c, Tensor("i64", lengths), in_order(o.w, order, 1), in_order(o.r, order, 1), b,
                *([o.p] if has_p else [])], want,
               {"hidden_size": 3, "direction": direction, "input_forget": coupled, "weights_format": order}, "opset1",
               ulp=16, atol=2e-6)


def attention_nets():
    c = Case("AUGRUSequence", "nets")
    for type_, lengths, linear in (("f32", [3, 3], False), ("f64", [1, 2], False), ("f32", [0, 3], True)):
        o = Operands(c, "GRU", 2, 3, 2, 3, 1, type_)
        scores = c.floats(type_, (2, 3), 0, 1)
        want = o.run("GRU", [functions(DEFAULTS["GRU"])], lengths, "forward", scores=exact(scores), linear=linear)
        b = o.wb.like(openvino_biases("GRU", o.wb.array, o.rb.array, linear))
        c.node([o.x, o.h, Tensor("i32", lengths), o.w, o.r, b, scores.like(scores.array[..., None])], want,
               {"hidden_size": 3, "linear_before_reset": linear}, "ie_internal_opset", ulp=16, atol=2e-6)
    c = Case("AUGRUCell", "cells")
    for type_, clip in (("f32", 0), ("f16", 0.5)):
        o = Operands(c, "GRU", 2, 1, 3, 2, 1, type_)
        scores = c.floats(type_, (2, 1), 0, 1)
        want = o.run("GRU", [functions(DEFAULTS["GRU"])], [1, 1], "forward", scores=exact(scores), linear=False,
                     clip=clip or np.inf)[1]
        b = o.wb.like(openvino_biases("GRU", o.wb.array, o.rb.array, False)[0])
        c.node([o.x.like(o.x.array[:, 0]), o.h.like(o.h.array[:, 0]), o.w.like(o.w.array[0]), o.r.like(o.r.array[0]), b,
                scores], want.like(want.array[:, 0]), {"hidden_size": 2, **({"clip": clip} if clip else {})},
               "ie_internal_opset", ulp=16, atol=2e-6 if type_ == "f32" else 2e-3)


def turned(v, order):
    return v.like(np.transpose(v.array, order))


def onnx_nets():
    """Every activation function once; layouts, directions, peepholes, coupled gates."""
    for kind, (_, count) in NETS.items():
        c = Case(kind, "nets")
        names = list(FUNCTIONS)
        for i, (direction, layout, lengths, special) in enumerate((
                ("forward", 0, None, False), ("reverse", 1, [2, 3], True), ("bidirectional", 0, [3, 1], True),
                ("bidirectional", 1, None, False))):
            dirs = 2 if direction == "bidirectional" else 1
            chosen = [names[(5 * i + k) % len(names)] for k in range(count * dirs)]
            alphas = [0.5, 0.25, 0.75, 0.5, 1.5, 0.125][:sum(FUNCTIONS[n][1] > 0 for n in chosen)]
            betas = [0.5, 0.25, 0.125, 1, 0.5, 0.25][:sum(FUNCTIONS[n][1] > 1 for n in chosen)]
            acts = functions(chosen, alphas, betas)
            acts = [acts[d * count:][:count] for d in range(dirs)]
            o = Operands(c, kind, 2, 3, 2, 2, dirs)
            options = {"LSTM": {"coupled": special}, "GRU": {"linear": special}, "RNN": {}}[kind]
            p = o.p if kind == "LSTM" and special else None
            want = o.run(kind, acts, lengths or [3, 3], direction, p, **options)
            attributes = {"hidden_size": 2, "activations": chosen, "activation_alpha": alphas,
                          "activation_beta": betas, "direction": direction, "layout": layout}
            attributes = {name: v for name, v in attributes.items() if v != []}
            if special and options:
                attributes["input_forget" if kind == "LSTM" else "linear_before_reset"] = 1
            y, *states = want if layout else (turned(want[0], (2, 1, 0, 3)), *(turned(v, (1, 0, 2)) for v in want[1:]))
            y = turned(want[0], (0, 2, 1, 3)) if layout else y
            first = [o.x, o.h, o.c] if layout else [turned(v, (1, 0, 2)) for v in (o.x, o.h, o.c)]
            operands = [first[0], o.w, o.r, o.wb.like(np.concatenate((o.wb.array, o.rb.array), 1)),
                        lengths and Tensor("i32", lengths), first[1]]
            operands += [first[2]] + ([p] if p else []) if kind == "LSTM" else []
            c.node(operands, [y, *states], attributes, "onnx14", ulp=64, atol=4e-6)


def make():
    sequences()
    cells()
    old_sequences()
    attention_nets()
    onnx_nets()
