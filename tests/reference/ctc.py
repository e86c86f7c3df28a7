"""Sequences of classes: greedy decoding as the pages tell it, and the loss as a sum over all paths."""

import itertools
import math

import numpy as np

from case import FLOATS, Case, Tensor, exact, rounded

CASES = {}


def case_of(op, name):
    """Nodes of one name are one case."""
    if (op, name) not in CASES:
        CASES[op, name] = Case(op, name)
    return CASES[op, name]


def sequence(path, blank, merge):
    """Repeated classes first, then blanks."""
    if merge:
        path = [k for k, _ in itertools.groupby(path)]
    return [k for k in path if k != blank]


def greedy(x, lengths, blank, merge):
    """x [N, T, C]"""
    y = np.full(x.shape[:2], -1)
    for n, length in enumerate(lengths):
        found = sequence(list(np.argmax(x[n, :length], axis=1)), blank, merge)
        y[n, :len(found)] = found
    return y, (y >= 0).sum(axis=1)


def likely(c, type_, shape):
    """Logits whose paths repeat classes and have blanks."""
    x = c.floats(type_, shape)
    for at in np.ndindex(shape[:2]):
        if c.rng.randint(0, 3) and at[1] > 0:
            x.array[at] = x.array[at[0], at[1] - 1]
    return x


def decoders():
    for t in FLOATS:
        for merge in (True, False):
            c = case_of("CTCGreedyDecoder", "paths")
            x = likely(c, t, (3, 7, 3))
            lengths = [7, 4, 0]
            mask = Tensor(t, [[float(i < length) for length in lengths] for i in range(7)])
            y, _ = greedy(exact(x), lengths, 2, merge)
            c.node([x.like(np.transpose(x.array, (1, 0, 2))), mask], Tensor(t, y[:, :, None, None]),
                   {"ctc_merge_repeated": merge}, "opset1")
            c = case_of("CTCGreedyDecoderSeqLen", "paths")
            x = likely(c, t, (3, 8, 3))
            y, n = greedy(exact(x), [8, 5, 0], 0, merge)
            c.node([x, Tensor("i32", [8, 5, 0]), Tensor("i32", [0])], [Tensor("i32", y), Tensor("i32", n)],
                   {"merge_repeated": merge}, "opset6")
    c = case_of("CTCGreedyDecoderSeqLen", "types")
    x = likely(c, "f32", (2, 6, 4))
    for a in ("i32", "i64"):
        for b in ("i32", "i64"):
            y, n = greedy(exact(x), [6, 3], 3, True)
            c.node([x, Tensor("i64", [6, 3])], [Tensor(a, y), Tensor(b, n)],
                   {"classes_index_type": a, "sequence_length_type": b}, "opset6")
    c = case_of("CTCGreedyDecoderSeqLen", "page")  # ABB*B*B
    path = [0, 1, 1, 3, 1, 3, 1]
    x = Tensor("f32", np.eye(4)[path][None])
    for merge, want in ((False, [0, 1, 1, 1, 1, -1, -1]), (True, [0, 1, 1, 1, -1, -1, -1])):
        c.node([x, c.i64(7)], [Tensor("i32", [want]), Tensor("i32", [sum(k >= 0 for k in want)])],
               {"merge_repeated": merge}, "opset6")
    c = case_of("CTCGreedyDecoder", "shapes")
    for shape in ((0, 2, 3), (2, 0, 3), (3, 1, 1)):
        y = np.full((shape[1], shape[0], 1, 1), -1)
        c.node([c.floats("f32", shape), Tensor("f32", np.ones(shape[:2]))], Tensor("f32", y), {}, "opset1")


def decoded(labels, collapse, unique):
    if unique:
        return list(dict.fromkeys(labels))
    return [k for k, _ in itertools.groupby(labels)] if collapse else list(labels)


def loss(logits, target, blank, merge):
    """Each path of LOGITS [T, C] that has the target, one by one."""
    steps, classes = logits.shape
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    total = sum(math.prod(p[t, k] for t, k in enumerate(path)) for path in itertools.product(range(classes), repeat=steps)
                if sequence(path, blank, merge) == target)
    return -math.log(total) if total > 0 else math.inf


def losses():
    options = [dict(zip(("preprocess_collapse_repeated", "ctc_merge_repeated", "unique"), bits))
               for bits in itertools.product((False, True), repeat=3)]
    for t in FLOATS:
        for o in options if t == "f32" else options[2:3]:
            c = case_of("CTCLoss", "paths")
            x = c.floats(t, (4, 5, 3), -2, 2)
            steps, labels, length = [5, 4, 3, 5], np.zeros((4, 5), int), [4, 2, 0, 3]
            labels[0, :4], labels[1, :2], labels[3, :3] = [2, 2, 0, 2], [0, 2], [0, 0, 2]
            targets = [decoded(row[:n], o["preprocess_collapse_repeated"], o["unique"]) for row, n in zip(labels, length)]
            want = [loss(row[:n], target, 1, o["ctc_merge_repeated"])
                    for row, n, target in zip(exact(x), steps, map(list, targets))]
            c.node([x, Tensor("i32", steps), Tensor("i32", labels), Tensor("i32", length), Tensor("i32", 1)],
                   rounded(t, np.array(want)), o, "opset4", ulp=4, atol=1e-12)
    c = case_of("CTCLoss", "last_class_is_blank")
    x = c.floats("f32", (1, 4, 3), -2, 2)
    c.node([x, c.i64(4), Tensor("i64", [[1, 0, 0, 0]]), c.i64(2)],
           rounded("f32", np.array([loss(exact(x)[0], [1, 0], 2, True)])), {}, "opset4", ulp=4)
    c = case_of("CTCLoss", "no_path")  # a target that is too long, one that needs a blank between, one with a blank
    x = c.floats("f32", (3, 2, 2), -2, 2)
    c.node([x, c.i64(1, 2, 2), Tensor("i64", [[0, 0], [0, 0], [1, 0]]), c.i64(2, 2, 1)],
           Tensor("f32", [loss(row[:n], target, 1, True) for row, n, target in
                          zip(exact(x), (1, 2, 2), ([0, 0], [0, 0], [1]))]), {}, "opset4")
    c = case_of("CTCLoss", "far_apart")  # exponentials of these are infinite, or 0
    x = Tensor("f32", [[[1000, 0, -1000], [0, 1000, 0]]])
    c.node([x, c.i64(2), Tensor("i64", [[1, 0]]), c.i64(1)], Tensor("f32", [1000]), {}, "opset4", atol=1e-3)
    c = case_of("CTCLoss", "shapes")
    c.node([Tensor("f32", np.zeros((0, 3, 2))), Tensor("i64", []), Tensor("i64", np.zeros((0, 3))), Tensor("i64", [])],
           Tensor("f32", []), {}, "opset4")
    c.node([Tensor("f32", np.zeros((1, 0, 2))), c.i64(0), Tensor("i64", np.zeros((1, 0))), c.i64(0)],
           Tensor("f32", [0]), {}, "opset4")


def make():
    decoders()
    losses()
