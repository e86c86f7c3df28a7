"""Operators of com.microsoft by which ONNX Runtime's optimisers replace several, with results by numpy in f64."""

import itertools
import math

import numpy as np

ERF = np.vectorize(math.erf)


def gelu(x):
    return x * (1 + ERF(x / np.sqrt(2))) / 2


def gelu_by_tanh(x):
    return x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def normal(x, epsilon):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + epsilon)


def activations(s, f32):
    x, bias = f32(2, 3, 8), f32(8)
    sum_ = x.astype(np.float64) + bias
    left, right = np.split(sum_, 2, -1)
    for op, operands, y in (("Gelu", [x], gelu(x)), ("BiasGelu", [x, bias], gelu(sum_)), ("FastGelu", [x], gelu_by_tanh(x)),
                            ("FastGelu", [x, bias], gelu_by_tanh(sum_)), ("QuickGelu", [x], x * sigmoid(1.702 * x)),
                            ("BiasSplitGelu", [x, bias], left * gelu(right)), ("BiasAdd", [x, bias, x], sum_ + x)):
        s.add(f"of_{len(operands)}", op, 1, operands, [y], domain="com.microsoft")
    s.add("alpha", "QuickGelu", 1, [x], [x * sigmoid(0.5 * x)], {"alpha": 0.5}, "com.microsoft")


ACTIVATIONS = {
    "Relu": ((), lambda x: np.maximum(x, 0)), "Tanh": ((), np.tanh), "Sigmoid": ((), sigmoid),
    "LeakyRelu": ((0.25,), lambda x, a: np.where(x < 0, a * x, x)),
    "HardSigmoid": ((0.5, 0.25), lambda x, a, b: np.clip(a * x + b, 0, 1)),
    "Clip": ((-0.25, 0.5), lambda x, a, b: np.clip(x, a, b)),
    "Elu": ((0.5,), lambda x, a: np.where(x < 0, a * np.expm1(x), x)),
    "Softplus": ((), lambda x: np.log1p(np.exp(x))), "Softsign": ((), lambda x: x / (1 + np.abs(x))),
}


def convolve(x, w, stride, pad):
    """Of two axes, with as many elements of padding on every side."""
    x = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    h, v = w.shape[2:]
    at = [range(0, n - k + 1, stride) for n, k in zip(x.shape[2:], (h, v))]
    return np.stack([np.stack([np.einsum("nchw,mchw->nm", x[:, :, i:i + h, j:j + v], w) for j in at[1]], -1) for i in at[0]], -2)


def convolutions(s, f32):
    x, w, b = f32(2, 3, 5, 6), f32(4, 3, 3, 2), f32(4)
    y = convolve(x, w, 2, 1) + b.reshape(4, 1, 1)
    more = f32(*y.shape)
    field = {"strides": [2, 2], "pads": [1, 1, 1, 1], "kernel_shape": [3, 2]}
    behind = lambda v: np.moveaxis(v, 1, -1)
    for name, (p, f) in ACTIVATIONS.items():
        extra = {"activation": name, **({"activation_params": list(p)} if p else {})}
        s.add(name, "FusedConv", 1, [x, w, b], [f(y, *p)], {**field, **extra}, "com.microsoft")
        s.add(name, "NhwcFusedConv", 1, [np.ascontiguousarray(behind(x)), w, b, np.ascontiguousarray(behind(more))],
              [behind(f(y + more, *p))], {**field, **extra}, "com.microsoft")
    s.add("sum", "FusedConv", 1, [x, w, None, more], [np.maximum(y - b.reshape(4, 1, 1) + more, 0)],
          {**field, "activation": "Relu"}, "com.microsoft")
    s.add("plain", "NhwcConv", 1, [np.ascontiguousarray(behind(x)), w, b], [behind(y)], field, "com.microsoft")


def products(s, f32):
    """FusedMatMul: alpha, and each operand transposed within its matrices, or with its rows in front of the batches."""
    for ta, tb, ba, bb in itertools.product((0, 1), repeat=4):
        a, b = f32(2, 3, 4, 5), f32(2, 3, 5, 6)
        y = 0.5 * a.astype(np.float64) @ b
        turn = lambda v, t, batches: np.ascontiguousarray(
            np.moveaxis(np.swapaxes(v, -1, -2) if t else v, -2, 0) if batches else np.swapaxes(v, -1, -2) if t else v)
        given = {"transA": ta, "transB": tb, "transBatchA": ba, "transBatchB": bb, "alpha": 0.5}
        s.add(f"{ta}{tb}{ba}{bb}", "FusedMatMul", 1, [turn(a, ta, ba), turn(b, tb, bb)], [y], given, "com.microsoft")
    a, b, c = f32(4, 5), f32(6, 5), f32(6)
    y = 2.0 * a.astype(np.float64) @ b.T
    s.add("plain", "TransposeMatMul", 1, [a, b], [y], {"transB": 1, "alpha": 2.0}, "com.microsoft")
    s.add("plain", "GemmFastGelu", 1, [a, b.T.copy(), c], [gelu_by_tanh(y / 2 + c)], None, "com.microsoft")
    for name, (p, f) in ACTIVATIONS.items():
        if name == "Clip":
            continue
        extra = {"activation": name, **dict(zip(("activation_alpha", "activation_beta"), p))}
        s.add(name, "FusedGemm", 1, [a, b, c], [f(y + 0.5 * c, *p)], {"transB": 1, "alpha": 2.0, "beta": 0.5, **extra},
              "com.microsoft")
        s.add(name, "FusedMatMulActivation", 1, [a, b], [f(y, *p)], {"transB": 1, "alpha": 2.0, **extra}, "com.microsoft")


def skipped(s, f32):
    x, gamma, beta, bias = f32(2, 3, 8), f32(8), f32(8), f32(8)
    for name, skip in (("whole", f32(2, 3, 8)), ("one", f32(1, 3, 8)), ("shared", f32(3, 8))):
        sum_ = x.astype(np.float64) + skip
        y = normal(sum_, 0.25) * gamma + beta
        s.add(name, "SkipLayerNormalization", 1, [x, skip, gamma, beta], [y, None, None, sum_], {"epsilon": 0.25}, "com.microsoft")
    sum_ = x.astype(np.float64) + x + bias
    of_rms = sum_ / np.sqrt((sum_**2).mean(-1, keepdims=True) + 1e-12)
    mean, inverse = sum_.mean(-1, keepdims=True), 1 / np.sqrt(sum_.var(-1, keepdims=True) + 1e-12)
    s.add("moments", "SkipLayerNormalization", 1, [x, x, gamma, None, bias],
          [(sum_ - mean) * inverse * gamma, mean, inverse, sum_], None, "com.microsoft")
    s.add("bias", "SkipSimplifiedLayerNormalization", 1, [x, x, gamma, bias], [of_rms * gamma, None, None, sum_], None,
          "com.microsoft")
    flat = sum_.reshape(6, 8)
    s.add("flat", "SkipSimplifiedLayerNormalization", 1, [x.reshape(6, 8), x.reshape(6, 8) + bias, gamma],
          [of_rms.reshape(6, 8) * gamma, None, 1 / np.sqrt((flat**2).mean(-1, keepdims=True) + 1e-12)], None, "com.microsoft")


def embedded(s, f32, rng):
    words, places, kinds, gamma, beta = f32(9, 8), f32(5, 8), f32(2, 8), f32(8), f32(8)
    ids, segments = rng.randint(0, 9, (2, 4)).astype(np.int32), rng.randint(0, 2, (2, 4)).astype(np.int32)
    at = rng.randint(0, 5, (2, 4)).astype(np.int32)
    mask = np.array([[1, 1, 1, 0], [1, 1, 0, 0]], np.int32)
    whole = words.astype(np.float64)[ids] + places[:4] + kinds[segments]
    bare = words.astype(np.float64)[ids] + places[at]
    y = lambda v: (normal(v, 1e-12) * gamma + beta).astype(np.float32)
    s.add("mask", "EmbedLayerNormalization", 1, [ids, segments, words, places, kinds, gamma, beta, mask],
          [y(whole), np.array([3, 2], np.int32), whole.astype(np.float32)], None, "com.microsoft")
    s.add("bare", "EmbedLayerNormalization", 1, [ids, None, words, places, None, gamma, beta, None, at],
          [y(bare), np.zeros(2, np.int32)], None, "com.microsoft")


def write(s, f32, rng):
    activations(s, f32)
    convolutions(s, f32)
    products(s, f32)
    skipped(s, f32)
    embedded(s, f32, rng)
