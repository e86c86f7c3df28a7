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
    "ThresholdedRelu": ((0.25,), lambda x, a: np.where(x > a, x, 0)),
    "ScaledTanh": ((0.5, 0.75), lambda x, a, b: a * np.tanh(b * x)),
    "ParametricSoftplus": ((0.5, 0.75), lambda x, a, b: a * np.log1p(np.exp(b * x))),
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


def softmax(x, sink=None):
    """SINK: of each head, a score that takes its share and has no value."""
    most = x.max(-1, keepdims=True)
    most = most if sink is None else np.maximum(most, sink)
    e = np.exp(x - most)
    return e / (e.sum(-1, keepdims=True) + (0 if sink is None else np.exp(sink - most)))


def attend(q, k, v, bias=0, scale=None, cap=0, sink=None):
    """Of [batch, heads, length, size]; merged to [batch, length, heads * size]. Heads of K and V serve groups of Q's."""
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], 1) for x in (k, v))
    scores = q @ np.swapaxes(k, -1, -2) * (scale or q.shape[-1]**-0.5)
    y = softmax((np.tanh(scores / cap) * cap if cap else scores) + bias, sink) @ v
    return merged(y)


def split(x, heads):
    return x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)


def merged(x):
    return x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1)


def late(queries, keys):
    return np.where(np.arange(keys) > np.arange(queries)[:, None] + keys - queries, -np.inf, 0)


def shared(room, past, rows):
    """A cache [..., capacity, size] of PAST rows, before and after ROWS are written behind them; the rest is no number."""
    room[..., past:, :] = np.nan
    after = room.copy()
    after[..., past:past + rows.shape[-2], :] = rows
    return room, after


def multi_heads(s, f32):
    b, n, length, keys, size = 2, 2, 3, 5, 4
    q, k, v, bias = f32(b, length, n * size), f32(b, keys, n * size), f32(b, keys, n * size), f32(3 * n * size)
    biased = [split(x + part, n) for x, part in zip((q, k, v), np.split(bias, 3))]
    bare = [split(x, n) for x in (q, k, v)]
    add = lambda name, operands, results, extra=None: s.add(name, "MultiHeadAttention", 1, operands, results,
                                                            {"num_heads": n, **(extra or {})}, "com.microsoft")
    add("bare", [q, k, v], [attend(*bare)])
    add("bias", [q, k, v, bias], [attend(*biased)])
    add("scale", [q, k, v], [attend(*bare, scale=0.25)], {"scale": 0.25})
    mask = np.array([[1, 1, 0, 1, 1], [1, 0, 0, 1, 1]], np.int32)
    low = lambda m, f=-10000.0: np.where(m > 0, 0, f)
    add("mask", [q, k, v, None, mask], [attend(*bare, low(mask)[:, None, None])])
    add("filter", [q, k, v, None, mask], [attend(*bare, low(mask, -1.5)[:, None, None])], {"mask_filter_value": -1.5})
    ends = np.array([4, 2], np.int32)
    add("ends", [q, k, v, None, ends], [attend(*bare, low(np.arange(keys) < ends[:, None])[:, None, None])])
    add("lengths", [q, k, v, None, np.concatenate((ends, [0, 3, 6], [0, 5, 10])).astype(np.int32)],
        [attend(*bare, low(np.arange(keys) < ends[:, None])[:, None, None])])
    most = (np.arange(b * 49).reshape(b, 1, 7, 7) % 3 > 0).astype(np.int32)
    add("most", [q, k, v, None, most], [attend(*bare, low(most[:, :, 2:5, :5]))])
    whole = (np.arange(b * length * keys).reshape(b, length, keys) % 3 > 0).astype(np.int32)
    add("whole_mask", [q, k, v, None, whole], [attend(*bare, low(whole)[:, None])])
    more = f32(1, n, length, keys)
    add("scores", [q, k, v, None, None, more], [attend(*bare, more)])
    past_k, past_v = f32(b, n, 2, size), f32(b, n, 2, size)
    own = [split(x, n) for x in (q, k[:, :length], v[:, :length])]
    own_k, own_v = np.concatenate((past_k, own[1]), 2), np.concatenate((past_v, own[2]), 2)
    add("past", [q, k[:, :length].copy(), v[:, :length].copy(), None, None, None, past_k, past_v],
        [attend(own[0], own_k, own_v, late(length, length + 2)), own_k, own_v], {"unidirectional": 1})
    seen = late(length, length + 2)
    scores = own[0] @ np.swapaxes(own_k, -1, -2) / 2
    add("scores_given", [q, k[:, :length].copy(), v[:, :length].copy(), None, None, None, past_k, past_v],
        [attend(own[0], own_k, own_v, seen), own_k, own_v, np.where(seen < 0, np.finfo(np.float32).min, scores).astype(np.float32)],
        {"unidirectional": 1})
    for past in (0, 2, 5):
        room = shared(f32(2, b, n, 8, size), past, np.stack(own[1:]))
        add(f"shared_{past}", [q, k[:, :length].copy(), v[:, :length].copy(), None, None, None, *room[0], np.array([past], np.int32)],
            [attend(own[0], *room[1][:, :, :, :past + length], late(length, past + length)), *room[1]], {"unidirectional": 1})
    add("crossed", [q, bare[1], bare[2], bias], [attend(biased[0], *bare[1:])])
    pack = lambda *parts: np.ascontiguousarray(np.stack([x.swapaxes(1, 2) for x in parts], 3))
    add("packed_pairs", [q, pack(*bare[1:])], [attend(*bare)])
    add("packed", [pack(*own)], [attend(*own)])
    wide = f32(b, keys, n * 6)
    add("wide_values", [q, k, wide], [attend(*bare[:2], split(wide, n))])


def projections(s, f32):
    b, n, length, size, hidden = 2, 2, 3, 4, 6
    x, w, bias = f32(b, length, hidden), f32(hidden, 3 * n * size), f32(3 * n * size)
    parts = lambda w, bias, cuts: [split(p, n) for p in np.split(x.astype(np.float64) @ w + bias, cuts, -1)]
    q, k, v = parts(w, bias, 3)
    add = lambda name, operands, results, extra=None: s.add(name, "Attention", 1, operands, results,
                                                            {"num_heads": n, **(extra or {})}, "com.microsoft")
    add("bare", [x, w, bias], [attend(q, k, v)])
    add("causal", [x, w, bias], [attend(q, k, v, late(length, length))], {"unidirectional": 1})
    wide_w, wide_bias = f32(hidden, 2 * n * size + n * 5), f32(2 * n * size + n * 5)
    add("widths", [x, wide_w, wide_bias], [attend(*parts(wide_w, wide_bias, [n * size, 2 * n * size]))],
        {"qkv_hidden_sizes": [n * size, n * size, n * 5]})
    window = np.array([3, 2, 1, 0], np.int32)  # ends, and then starts
    keys = np.arange(length)
    kept = (keys < window[:2, None]) & (keys >= window[2:, None])
    add("starts", [x, w, bias, window], [attend(q, k, v, np.where(kept, 0, -10000.0)[:, None, None])])
    past = f32(2, b, n, 2, size)
    all_k, all_v = np.concatenate((past[0], k), 2), np.concatenate((past[1], v), 2)
    mask = np.array([[1, 1, 1, 1, 0], [0, 1, 1, 1, 1]], np.int32)
    add("past", [x, w, bias, mask, past],
        [attend(q, all_k, all_v, np.where(mask > 0, 0, -10000.0)[:, None, None] + late(length, length + 2)),
         np.stack((all_k, all_v)).astype(np.float32)], {"unidirectional": 1})
    more = f32(1, 1, length, length)
    add("scores", [x, w, bias, None, None, more], [attend(q, k, v, more)])
    for past in (0, 4):
        before, after = shared(f32(2, b, n, 7, size), past, np.stack((k, v)).astype(np.float32))
        add(f"shared_{past}", [x, w, bias, None, before, None, np.array([past], np.int32)],
            [attend(q, *after[:, :, :, :past + length], late(length, past + length)), after],
            {"unidirectional": 1, "past_present_share_buffer": 1})


def turned(x, cos, sin, places, interleaved):
    """Rotary embedding of [batch, heads, length, size] by rows of cos and sin for places [batch, length]."""
    c, s_, pairs = cos[places][:, None], sin[places][:, None], cos.shape[1]
    own = x[..., :2 * pairs]
    a, b = (own[..., ::2], own[..., 1::2]) if interleaved else (own[..., :pairs], own[..., pairs:])
    y = [a * c - b * s_, a * s_ + b * c]
    y = np.stack(y, -1).reshape(own.shape) if interleaved else np.concatenate(y, -1)
    return np.concatenate((y, x[..., 2 * pairs:]), -1)


def group_queries(s, f32):
    """The places of keys in a cache with more room than it has keys, apart and shared, by batch."""
    n, groups, size, capacity = 4, 2, 16, 16
    cos, sin, sink = f32(capacity, size // 2), f32(capacity, size // 2), f32(n)

    def add(name, batch, length, totals, room, extra=None, packed=False, rotary=False, window=None, more=None, sink=None, cap=0):
        totals = np.array(totals)
        q, k, v = f32(batch, length, n * size), f32(batch, length, groups * size), f32(batch, length, groups * size)
        starts = np.maximum(totals - length, 0)
        places = starts[:, None] + np.arange(length)
        heads = [split(q, n), split(k, groups), split(v, groups)]
        if rotary:
            for i in (0, 1):
                heads[i] = turned(heads[i], cos, sin, places, (extra or {}).get("rotary_interleaved", 0))
        past = [f32(batch, groups, room, size), f32(batch, groups, room, size)] if room else [None, None]
        for i in range(batch if room else 0):  # what is no row of the cache yet: nobody may look at it
            past[0][i, :, starts[i]:], past[1][i, :, starts[i]:] = np.nan, np.inf
        end = max(room, totals.max())
        present = [np.zeros((batch, groups, end, size), np.float32) for _ in "kv"]
        for p, old, new in zip(present, past, heads[1:]):
            if old is not None:
                p[:, :, :room] = old
            for i in range(batch):
                p[i, :, starts[i]:starts[i] + length] = new[i]
        key, query = np.arange(end), places[..., None]
        seen = (key < totals[:, None, None])
        if (extra or {}).get("causal", 1):
            seen = seen & (key <= query)
        if window:
            seen = seen & (key > query - window)
        bias = np.where(seen, 0, -np.inf)[:, None]
        if more is not None:
            bias = bias + np.pad(more, ((0, 0), (0, 0), (0, 0), (0, end - more.shape[3])))
        valid = (key < totals[:, None])[:, None, :, None]
        y = attend(heads[0], *(np.where(valid, p, 0) for p in present), bias, cap=cap, sink=sink.reshape(1, n, 1, 1) if sink is not None else 0.0 if (extra or {}).get("smooth_softmax") else None)
        operands = [np.concatenate((q, k, v), -1), None, None] if packed else [q, k, v]
        operands += past + [(totals - 1).astype(np.int32), np.array(totals.max(), np.int32)]
        operands += [cos, sin] if rotary else [None, None] if more is not None or sink is not None else []
        operands += [None, more, sink] if more is not None or sink is not None else []
        attributes = {"num_heads": n, "kv_num_heads": groups, **({"do_rotary": 1} if rotary else {}),
                      **({"local_window_size": window} if window else {}), **(extra or {}), **({"softcap": cap} if cap else {})}
        s.add(name, "GroupQueryAttention", 1, operands, [y] + present, attributes, "com.microsoft")

    add("prompt", 1, 5, [5], 0)
    add("prompt_shared", 1, 5, [5], 12)
    add("grown", 1, 1, [6], 5)
    add("shared", 2, 1, [6, 3], 12)
    add("rotary", 2, 1, [6, 3], 12, rotary=True)
    add("interleaved", 1, 3, [3], 8, {"rotary_interleaved": 1}, rotary=True)
    add("packed", 1, 4, [4], 0, packed=True, rotary=True)
    add("window", 1, 1, [9], 12, window=4)
    add("window_prompt", 1, 7, [7], 0, window=3)
    add("part", 1, 3, [8], 12, rotary=True)
    add("scores", 2, 1, [6, 3], 12, more=f32(1, n, 1, 6))
    add("sink", 2, 1, [6, 3], 12, sink=sink)
    add("smooth", 1, 3, [3], 0, {"smooth_softmax": 1})
    add("capped", 1, 3, [3], 0, cap=0.5)
    add("both_ways", 1, 4, [4], 0, {"causal": 0})
    add("full", 2, 1, [9, 4], 9, rotary=True)
    add("first", 2, 1, [1, 1], 6, rotary=True)
    add("prompts", 3, 4, [4, 2, 1], 9, rotary=True)
    add("prompts_full", 3, 4, [4, 2, 1], 4)
    add("prompts_apart", 3, 4, [4, 2, 1], 0)
    add("windows", 3, 1, [9, 5, 2], 12, window=3, rotary=True)
    add("both_ways_shared", 2, 1, [5, 3], 8, {"causal": 0})
    add("scores_part", 1, 3, [8], 12, more=f32(1, 1, 3, 8))


def coded_caches(s, f32, rng):
    """GroupQueryAttention whose caches hold codes: of 8 bits, or two of 4 bits in a byte, 8 more than they are."""
    n, groups, size, past, length = 4, 2, 16, 3, 2
    for bits, kind, shown in itertools.product((8, 4), ("PER_TENSOR", "PER_CHANNEL"), (1, 2)):
        low = -(1 << (bits - 1))
        q, k, v = f32(1, length, n * size), f32(1, length, groups * size), f32(1, length, groups * size)
        scales = [np.abs(f32(groups * size if kind == "PER_CHANNEL" else 1)) / -low + 0.01 for _ in "kv"]
        scales = [x.astype(np.float32) for x in scales]
        own = [x.reshape(1, groups, 1, size) if kind == "PER_CHANNEL" else x for x in scales]
        codes = [rng.randint(low, -low, (1, groups, past, size)) for _ in "kv"]
        all_ = [np.concatenate((c, np.clip(np.rint(split(x, groups) / t), low, -low - 1).astype(int)), 2)
                for c, x, t in zip(codes, (k, v), own)]
        packed = lambda c: c.astype(np.int8) if bits == 8 else (c[..., ::2] + 8 | c[..., 1::2] + 8 << 4).astype(np.uint8)
        floats = [c * t.astype(np.float64) for c, t in zip(all_, own)]
        seen = late(length, past + length)
        scores = split(q, n) @ np.swapaxes(np.repeat(floats[0], n // groups, 1), -1, -2) / 4
        scores = np.where(seen < 0, 0, scores) if shown == 1 else softmax(scores + seen)
        s.add(f"codes_{bits}_{kind.lower()}_{shown}", "GroupQueryAttention", 1,
              [q, k, v, packed(codes[0]), packed(codes[1]), np.array([past + length - 1], np.int32), np.array([past + length], np.int32),
               None, None, None, None, None, *scales],
              [attend(split(q, n), *floats, seen), packed(all_[0]), packed(all_[1]), scores.astype(np.float32)],
              {"num_heads": n, "kv_num_heads": groups, "k_quant_type": kind, "v_quant_type": kind, "kv_cache_bit_width": bits,
               "qk_output": shown}, "com.microsoft")


def rotaries(s, f32):
    size, n, length = 8, 2, 3
    cos, sin, x = f32(9, 4), f32(9, 4), f32(2, length, n * size)
    at = np.array([[1, 0, 4], [8, 7, 2]])
    add = lambda name, operands, y, extra=None: s.add(name, "RotaryEmbedding", 1, operands, [y], extra, "com.microsoft")
    heads = split(x, n)
    add("places", [x, at, cos, sin], merged(turned(heads, cos, sin, at, False)))
    add("ragged", [x, at, cos, sin], merged(turned(heads, cos, sin, at, False)), {"is_packed_batching": 1, "scale": 0.5})
    add("interleaved", [x, at, cos, sin], merged(turned(heads, cos, sin, at, True)), {"interleaved": 1})
    add("apart", [heads.copy(), np.array([5]), cos, sin], turned(heads, cos, sin, np.tile(np.arange(5, 8), (2, 1)), False))
    add("part", [x, at, cos[:, :2].copy(), sin[:, :2].copy()], merged(turned(heads, cos[:, :2], sin[:, :2], at, False)),
        {"rotary_embedding_dim": 4, "num_heads": n})


def groups(s, f32):
    x, gamma, beta, skip, bias = f32(2, 3, 2, 6), f32(6), f32(6), f32(2, 6), f32(6)

    def y(x, count, silu):
        flat = np.moveaxis(x.astype(np.float64), -1, 1).reshape(x.shape[0], count, -1)
        own = normal(flat, 0.25).reshape(x.shape[0], 6, 3, 2)
        own = np.moveaxis(own, 1, -1) * gamma + beta
        return own * sigmoid(own) if silu else own

    sum_ = x + skip[:, None, None] + bias
    given = lambda silu: {"groups": 3, "activation": silu, "epsilon": 0.25}
    s.add("last", "GroupNorm", 1, [x, gamma, beta], [y(x, 3, 0)], given(0), "com.microsoft")
    s.add("second", "GroupNorm", 1, [np.moveaxis(x, -1, 1).copy(), gamma, beta], [np.moveaxis(y(x, 3, 1), -1, 1)],
          {**given(1), "channels_last": 0}, "com.microsoft")
    s.add("bias", "SkipGroupNorm", 1, [x, gamma, beta, skip, bias], [y(sum_, 3, 1), sum_], given(1), "com.microsoft")


def coded(s, f32, rng):
    """Products of codes as floats; other operators on codes."""
    codes = lambda type_, *shape: rng.randint(np.iinfo(type_).min, np.iinfo(type_).max + 1, shape).astype(type_)
    a, b, a_code, bias = f32(3, 5), codes(np.int8, 5, 4), codes(np.uint8, 3, 5), f32(4)
    low, high = min(a.min(), 0), max(a.max(), 0)
    scale = np.float32((np.float32(high) - np.float32(low)) / np.float32(255))
    zero = np.uint8(np.clip(np.rint(-low / scale), 0, 255))
    q = np.clip(np.rint(a / scale) + zero, 0, 255).astype(np.int64)
    scales, zeros = np.array([0.5, 1, 2, 0.25], np.float32), np.array([3, -5, 0, 7], np.int8)
    add = lambda name, op, operands, y, extra=None: s.add(name, op, 1, operands, y, extra, "com.microsoft")
    y = ((q - int(zero)) @ (b.astype(np.int64) - zeros)) * (scale.astype(np.float64) * scales) + bias
    add("columns", "DynamicQuantizeMatMul", [a, b, scales, zeros, bias], [y])
    y = ((q - int(zero)) @ b.astype(np.int64)) * (float(scale) * 0.5)
    add("bare", "DynamicQuantizeMatMul", [a, b, np.array(0.5, np.float32)], [y])
    one, own = np.array(0.25, np.float32), np.array(9, np.uint8)
    y = ((a_code.astype(np.int64) - 9) @ (b.astype(np.int64) - zeros)) * (0.25 * scales.astype(np.float64)) + bias
    add("columns", "MatMulIntegerToFloat", [a_code, b, one, scales, own, zeros, bias], [y.astype(np.float32)])
    x, v, half = codes(np.uint8, 2, 5), codes(np.uint8, 2, 5), np.array(0.5, np.float32)
    small, point = np.array(1 / 256, np.float32), np.array(0, np.uint8)
    p = np.clip(np.rint(softmax((x.astype(np.float64) - 9) * 0.25) * 256), 0, 255).astype(np.uint8)
    add("rows", "QLinearSoftmax", [x, one, own, small, point], [p], {"opset": 13, "axis": -1})
    where = rng.rand(2, 5) > 0.5
    real = np.where(where, (x.astype(np.float64) - 9) * 0.25, v.astype(np.float64) * 0.5)
    add("both", "QLinearWhere", [where, x, one, own, v, half, point, half, own],
        [np.clip(np.rint(real / 0.5) + 9, 0, 255).astype(np.uint8)])


def echoes(s, f32):
    """Operators that ONNX has, too, or nearly."""
    add = lambda name, op, operands, y, extra=None: s.add(name, op, 1, operands, y, extra, "com.microsoft")
    x = f32(2, 3, 4)
    add("lower", "Trilu", [x, np.array(1)], [np.tril(x, 1)], {"upper": 0})
    add("pairs", "GatherND", [x, np.array([[0, 1], [1, 2]])], [x[[0, 1], [1, 2]]])
    add("bare", "Range", [np.array([1], np.int64), np.array(4)], [np.arange(1, 4)])
    add("step", "Range", [np.array(1.0, np.float32), np.array([4.0], np.float32), np.array(0.5, np.float32)],
        [np.arange(1, 4, 0.5, np.float32)])
    add("last", "ExpandDims", [x, np.array(-1, np.int32)], [x[..., None]])
    add("list", "Unique", [np.array([2, 1, 1, 3, 4, 3])],
        [np.array([2, 1, 3, 4]), np.array([0, 1, 1, 2, 3, 2]), np.array([1, 2, 2, 1])])
    table, rows = f32(5, 3), np.array([[4, 0], [2, 2]])
    add("rows", "TorchEmbedding", [table, rows], [table[rows]])
    square = f32(2, 3, 3) + 2 * np.eye(3, dtype=np.float32)
    scale, zero = np.array(0.25, np.float32), np.array(120, np.uint8)
    codes = np.clip(np.rint(x / scale) + 120, 0, 255).astype(np.uint8)
    add("scalar", "QuantizeLinear", [x, scale, zero], [codes])
    add("scalar", "DequantizeLinear", [codes, scale, zero], [(codes.astype(np.float32) - 120) * scale])
    root = np.sqrt((x.astype(np.float64)**2).mean(-1, keepdims=True) + 1e-5)
    gamma = f32(4)
    add("last", "SimplifiedLayerNormalization", [x, gamma], [x / root * gamma], {"axis": -1})
    image, grid = f32(1, 2, 3, 3), np.zeros((1, 1, 2, 2), np.float32)
    grid[0, 0, 1] = -1
    add("corners", "GridSample", [image, grid], [np.stack((image[0, :, 1, 1], image[0, :, 0, 0]), -1).reshape(1, 2, 1, 2)],
        {"align_corners": 1})
    add("batch", "Inverse", [square], [np.linalg.inv(square.astype(np.float64))])


def write(s, f32, rng):
    activations(s, f32)
    convolutions(s, f32)
    products(s, f32)
    skipped(s, f32)
    embedded(s, f32, rng)
    multi_heads(s, f32)
    projections(s, f32)
    group_queries(s, f32)
    coded_caches(s, f32, rng)
    rotaries(s, f32)
    groups(s, f32)
    coded(s, f32, rng)
    echoes(s, f32)
