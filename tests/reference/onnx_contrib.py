"""More operators of com.microsoft, with results by numpy in f64: weights and tables of codes, packed sequences, mixtures
of experts, biases by distance, crops, transforms."""

import itertools

import numpy as np

import recurrent
from onnx_fused import attend, gelu_by_tanh, late, merged, normal, sigmoid, softmax, split, turned
from onnx_model import Nibbles

DOMAIN = "com.microsoft"


def packed_bits(codes, bits):
    """Numbers of few bits in bytes along the last axis, the first one in the low bits."""
    each = 8 // bits
    pad = -codes.shape[-1] % each
    codes = np.pad(codes, [(0, 0)] * (codes.ndim - 1) + [(0, pad)]).reshape(*codes.shape[:-1], -1, each)
    return sum(codes[..., i].astype(np.uint8) << (i * bits) for i in range(each)).astype(np.uint8)


def weights(s, f32, rng):
    """MatMulNBits with all its operands, where the blocks do not fill the columns."""
    k, n = 40, 3
    for bits, block, few in ((4, 16, False), (2, 16, True), (8, 16, True), (4, 32, True), (4, 64, True)):
        blocks = -(-k // block)
        x, scales, bias = f32(2, 2, k), np.abs(f32(n, blocks)), f32(n)
        codes = rng.randint(0, 1 << bits, (n, blocks, block))
        zeros, real = rng.randint(0, 1 << bits, (n, blocks)), f32(n, blocks)
        group = rng.randint(0, blocks, k).astype(np.int32)
        data = packed_bits(codes, bits)
        given = {"K": k, "N": n, "bits": bits, "block_size": block, "accuracy_level": 1}

        def of(zero, at=None):
            w = codes.reshape(n, -1)[:, :k].astype(np.float64)
            at = np.arange(k) // block if at is None else at
            return (w - np.broadcast_to(zero, (n, blocks))[:, at]) * scales[:, at]

        half = 1 << (bits - 1)
        for name, operands, w in (
                ("bare", [], of(half)), ("zeros", [packed_bits(zeros, bits)], of(zeros)), ("real", [real], of(real)),
                ("groups", [packed_bits(zeros, bits), group], of(zeros, group)), ("groups_bare", [None, group], of(half, group)),
                ("groups_real", [real, group], of(real, group)), ("bias", [packed_bits(zeros, bits), None, bias], of(zeros))):
            if few and name not in ("zeros", "groups"):
                continue
            y = x.astype(np.float64) @ w.T + (bias if name == "bias" else 0)
            s.add(f"{bits}_{block}_{name}", "MatMulNBits", 1, [x, data, scales] + operands, [y], given, DOMAIN)


NF4 = [-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
       -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
       0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0]
FP4 = [0, 5.208333333e-03, 0.66666667, 1, 0.33333333, 0.5, 0.16666667, 0.25]


def tables(s, f32, rng):
    k, n, block = 36, 5, 16
    codes = rng.randint(0, 16, n * k)
    data = (codes[::2] << 4 | codes[1::2]).astype(np.uint8)
    scales = np.abs(f32(-(-n * k // block)))
    for kind, table in ((0, FP4 + [-x for x in FP4]), (1, NF4)):
        w = (np.array(table)[codes] * np.repeat(scales, block)[:n * k]).reshape(n, k)
        given = {"K": k, "N": n, "block_size": block, "quant_type": kind}
        x, back = f32(2, 3, k), f32(2, n)
        s.add(f"forward_{kind}", "MatMulBnb4", 1, [x, data, scales], [x.astype(np.float64) @ w.T], given, DOMAIN)
        s.add(f"back_{kind}", "MatMulBnb4", 1, [back, data, scales], [back.astype(np.float64) @ w], {**given, "transB": 0},
              DOMAIN)


def embeddings(s, f32, rng):
    """Tables of codes, of which rows are taken."""
    rows, size, block = 5, 40, 16
    blocks = -(-size // block)
    at = np.array([[4, 0], [-1, 2]])
    for bits in (2, 4, 8):
        codes, zeros, scales = rng.randint(0, 1 << bits, (rows, size)), rng.randint(0, 1 << bits, (rows, blocks)), f32(rows, blocks)
        wide = lambda v: np.repeat(v, block, 1)[:, :size]
        given = {"bits": bits, "block_size": block, "gather_axis": 0, "quantize_axis": 1}
        data = packed_bits(codes, bits)
        s.add(f"bytes_{bits}", "GatherBlockQuantized", 1, [data, at, scales, packed_bits(zeros, bits)],
              [((codes - wide(zeros)).astype(np.float64) * wide(scales))[at].astype(np.float32)], given, DOMAIN)
        s.add(f"bytes_{bits}_middle", "GatherBlockQuantized", 1, [data, at.astype(np.int32), scales],
              [((codes - (1 << (bits - 1))).astype(np.float64) * wide(scales))[at].astype(np.float32)], given, DOMAIN)
    for signed, gather, quantize in itertools.product((False, True), (0, 1, 2), (0, 2)):
        shape = [18, 3, 20]
        few = list(shape)
        few[quantize] = -(-shape[quantize] // block)
        low = -8 if signed else 0
        codes, zeros, scales = rng.randint(low, low + 16, shape), rng.randint(low, low + 16, few), f32(*few)
        wide = lambda v: np.take(v, np.arange(shape[quantize]) // block, quantize)
        given = {"block_size": block, "gather_axis": gather, "quantize_axis": quantize - 3}
        index = np.array([[1, 2, -3], [0, -1, 0]])
        s.add(f"{'i' if signed else 'u'}_{gather}{quantize}", "GatherBlockQuantized", 1,
              [Nibbles(codes, signed), index, scales, Nibbles(zeros, signed)],
              [np.take((codes - wide(zeros)) * wide(scales).astype(np.float64), index, gather).astype(np.float32)], given, DOMAIN)
        if quantize == 2 and gather == 0:
            s.add(f"{'i' if signed else 'u'}_bare", "GatherBlockQuantized", 1, [Nibbles(codes, signed), index, scales],
                  [np.take(codes * wide(scales).astype(np.float64), index, gather).astype(np.float32)], given, DOMAIN)


def quantized_lstm(s, f32, rng):
    batch, steps, size, hidden = 2, 3, 4, 3
    for name, dirs, direction, columns, type_ in (("whole", 1, "forward", False, np.int8), ("columns", 2, "bidirectional", True, np.uint8)):
        x, h, c, b = f32(steps, batch, size), f32(dirs, batch, hidden), f32(dirs, batch, hidden), f32(dirs, 8 * hidden)
        info = np.iinfo(type_)
        w, r = (rng.randint(info.min, info.max + 1, (dirs, k, 4 * hidden)).astype(type_) for k in (size, hidden))
        numbers = (dirs, 4 * hidden) if columns else (dirs,)
        scales = [(np.abs(f32(*numbers)) / 64 + 1 / 256).astype(np.float32) for _ in "wr"]
        zeros = [rng.randint(info.max // 2 - 9, info.max // 2 + 9, numbers).astype(type_) for _ in "wr"]
        real = [np.swapaxes((v.astype(np.float64) - z.reshape(dirs, 1, -1)) * t.reshape(dirs, 1, -1), 1, 2)
                for v, z, t in zip((w, r), zeros, scales)]
        acts = [recurrent.functions(recurrent.DEFAULTS["LSTM"], (), ())] * dirs
        turn = lambda v: np.swapaxes(v, 0, 1)
        y, ho, co = recurrent.net("LSTM", acts, *[v.astype(np.float64) for v in (turn(x), turn(h), turn(c))], *real,
                                  *[v.astype(np.float64) for v in np.split(b, 2, 1)], [steps] * batch, direction, None,
                                  clip=np.inf, coupled=False)
        s.add(name, "DynamicQuantizeLSTM", 1, [x, w, r, b, None, h, c, None, scales[0], zeros[0], scales[1], zeros[1]],
              [y.transpose(2, 1, 0, 3), turn(ho), turn(co)], {"hidden_size": hidden, "direction": direction}, DOMAIN)


def quantized(s, f32, rng):
    codes = lambda type_, *shape: rng.randint(np.iinfo(type_).min, np.iinfo(type_).max + 1, shape).astype(type_)
    one, two = np.array(0.25, np.float32), np.array(0.5, np.float32)
    z, v = np.array(120, np.uint8), np.array(9, np.uint8)
    add = lambda name, op, operands, y, extra=None: s.add(name, op, 1, operands, y, extra, DOMAIN)
    coded = lambda y: np.clip(np.rint(y / 0.5) + 9, 0, 255).astype(np.uint8)
    x = codes(np.uint8, 2, 4, 5, 3)
    real = (x.astype(np.float64) - 120) * 0.25
    add("axes", "QLinearReduceMean", [x, one, z, two, v], [coded(real.mean((1, 2), keepdims=True))], {"axes": [1, 2], "keepdims": 1})
    add("flat", "QLinearReduceMean", [x, one, z, two, v], [coded(real.mean(-1))], {"axes": [-1], "keepdims": 0})
    add("last", "QLinearGlobalAveragePool", [x, one, z, two, v], [coded(real.mean((1, 2), keepdims=True))], {"channels_last": 1})
    pool = np.stack([np.stack([real[:, i:i + 2, j:j + 2].mean((1, 2)) for j in (0, 2)], 1) for i in (0, 2)], 1)
    add("last", "QLinearAveragePool", [x, one, z, two, v], [coded(pool)],
        {"kernel_shape": [2, 2], "strides": [2, 2], "ceil_mode": 0, "channels_last": 1, "pads": [0, 0, 0, 0]})
    most = np.stack([np.stack([x[:, i:i + 2, j:j + 2].max((1, 2)) for j in range(4)], 1) for i in range(3)], 1)
    add("codes", "NhwcMaxPool", [x], [most], {"kernel_shape": [2, 2]})
    w, b = codes(np.int8, 2, 3, 2, 2), rng.randint(-99, 99, 2).astype(np.int32)
    scales, zeros = np.array([0.5, 0.125], np.float32), np.array([0, 0], np.int8)
    wide = x.astype(np.int64) - 120
    sums = np.stack([np.stack([np.einsum("nhwc,mchw->nm", wide[:, i:i + 2, j:j + 2], w.astype(np.int64)) for j in range(4)], 1)
                     for i in range(3)], 1) + b
    big = np.array(64, np.float32)
    for last in (0, 1):
        place = (lambda t: t) if last else (lambda t: np.ascontiguousarray(np.moveaxis(t, -1, 1)))
        add(f"last_{last}", "QLinearConv", [place(x), one, z, w, scales, zeros, big, v, b],
            [place(np.clip(np.rint(sums * (0.25 * scales.astype(np.float64)) / 64) + 9, 0, 255).astype(np.uint8))],
            {"channels_last": last, "kernel_shape": [2, 2]})
    a, c = codes(np.int8, 3, 4), codes(np.int8, 4)
    low = np.array(-7, np.int8)
    add("zeros", "MulInteger", [a, low, c, np.array(5, np.int8)], [((a.astype(np.int32) + 7) * (c.astype(np.int32) - 5))])
    add("bare", "MulInteger", [a, None, c], [a.astype(np.int32) * c.astype(np.int32)])
    wide_a, wide_b = codes(np.int16, 2, 3, 4), codes(np.int16, 4, 2)
    add("words", "MatMulInteger16", [wide_a // 99, wide_b // 99], [((wide_a // 99).astype(np.int32) @ (wide_b // 99).astype(np.int32))])
    add("axes", "ReduceSumInteger", [a], [a.sum(1, np.int32, keepdims=True)], {"axes": [1], "keepdims": 1})
    projected(s, f32, codes)
    embedded(s, f32, rng, codes)


def projected(s, f32, codes):
    """QAttention: the projection is one of codes."""
    b, n, length, size, hidden = 2, 2, 3, 4, 6
    x, w, bias = codes(np.uint8, b, length, hidden), codes(np.int8, hidden, 3 * n * size), f32(3 * n * size)
    one, z = np.array(1 / 64, np.float32), np.array(128, np.uint8)
    whole, columns = np.array(1 / 64, np.float32), (np.abs(f32(3 * n * size)) / 64).astype(np.float32)
    zero, zeros = np.array(0, np.int8), np.zeros(3 * n * size, np.int8)
    past = f32(2, b, n, 2, size)
    mask = np.array([3, 2], np.int32)
    low = np.where(np.arange(length) < mask[:, None], 0, -10000.0)[:, None, None]
    for name, scale, at, operands, extra in (
            ("whole", whole, zero, [None, z, zero], {}), ("columns", columns, zeros, [None, z, zeros], {}),
            ("mask", whole, zero, [mask, z, zero], {}), ("past", whole, zero, [None, z, zero, past], {"unidirectional": 1})):
        y = ((x.astype(np.int64) - 128) @ (w.astype(np.int64) - at)) * (scale.astype(np.float64) / 64) + bias
        q, k, v = (split(p, n) for p in np.split(y, 3, -1))
        results = [attend(q, k, v, low if name == "mask" else 0)]
        if name == "past":
            k, v = np.concatenate((past[0], k), 2), np.concatenate((past[1], v), 2)
            results = [attend(q, k, v, late(length, length + 2)), np.stack((k, v))]
        s.add(name, "QAttention", 1, [x, w, bias, one, scale] + operands, [r.astype(np.float32) for r in results],
              {"num_heads": n, **extra}, DOMAIN)


def embedded(s, f32, rng, codes):
    tables = [codes(np.uint8, *shape) for shape in ((9, 8), (5, 8), (2, 8), (8,), (8,))]
    scales = [np.abs(f32()).astype(np.float32) / 32 for _ in tables]
    zeros = [np.array(128, np.uint8)] * 5
    words, places, kinds, gamma, beta = ((t.astype(np.float64) - 128) * x for t, x in zip(tables, scales))
    ids, segments = rng.randint(0, 9, (2, 4)).astype(np.int32), rng.randint(0, 2, (2, 4)).astype(np.int32)
    mask = np.array([[1, 1, 1, 0], [1, 1, 0, 0]], np.int32)
    y = normal(words[ids] + places[:4] + kinds[segments], 1e-12) * gamma + beta
    s.add("codes", "QEmbedLayerNormalization", 1, [ids, segments] + tables + [mask] + scales + zeros,
          [y.astype(np.float32), np.array([3, 2], np.int32)], {"epsilon": 1e-12}, DOMAIN)


def packed_sequences(s, f32):
    """Two sequences of 3 and 1 of 4 tokens."""
    b, n, length, size, hidden = 2, 2, 4, 4, 6
    counts = np.array([3, 1], np.int32)
    kept = np.arange(length) < counts[:, None]
    flat = np.arange(b * length).reshape(b, length)
    offsets = np.concatenate((flat[kept], flat[~kept])).reshape(b, length).astype(np.int32)
    ends = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    whole = f32(b, length, hidden)
    x = whole[kept]
    zeros = np.where(kept[..., None], whole, 0).astype(np.float32)
    s.add("two", "RemovePadding", 1, [whole, counts], [x, offsets, ends, np.array([3], np.int32)], None, DOMAIN)
    s.add("two", "RestorePadding", 1, [x, offsets], [zeros], None, DOMAIN)
    w, bias, more = f32(hidden, 3 * n * size), f32(3 * n * size), f32(1, n, length, length)
    low = np.where(kept, 0, -np.inf)[:, None, None]

    def heads(v):
        full = np.zeros((b, length, v.shape[-1]))
        full[kept] = v
        return split(full, n)

    q, k, v = np.split(x.astype(np.float64) @ w + bias, 3, -1)
    y = lambda bias: attend(heads(q), heads(k), heads(v), bias)[kept].astype(np.float32)
    given = {"num_heads": n}
    s.add("bare", "PackedAttention", 1, [x, w, bias, offsets, ends], [y(low)], given, DOMAIN)
    s.add("scores", "PackedAttention", 1, [x, w, bias, offsets, ends, more], [y(low + more)], given, DOMAIN)
    q, k, v = f32(4, n * size), f32(4, n * size), f32(4, n * size)
    s.add("bare", "PackedMultiHeadAttention", 1, [q, k, v, None, offsets, ends], [y(low)], given, DOMAIN)
    joined = np.stack([p.reshape(4, n, size) for p in (q, k, v)], 2)
    s.add("packed", "PackedMultiHeadAttention", 1, [joined, None, None, None, offsets, ends], [y(low)], given, DOMAIN)
    operands = [q, k, v, bias, offsets, ends, more]
    q, k, v = (p + r for p, r in zip((q, k, v), np.split(bias, 3)))
    s.add("bias", "PackedMultiHeadAttention", 1, operands, [y(low + more)], given, DOMAIN)


def experts(s, f32):
    """MoE: of each token only the experts that it chooses are computed here."""
    tokens, hidden, inner, count = 5, 6, 4, 3
    x, router = f32(tokens, hidden), 2 * f32(tokens, count)
    ends = {"relu": lambda v: np.maximum(v, 0), "silu": lambda v: v * sigmoid(v), "identity": lambda v: v,
            "gelu": gelu_by_tanh}

    def add(name, act, k=2, normal=0, fusion=0, biased=True, third=False, extra=None, shape=None):
        rows = inner * (2 if fusion else 1)
        fc1, b1, fc2, b2, fc3, b3 = (f32(count, rows, hidden), f32(count, rows), f32(count, hidden, inner), f32(count, hidden),
                                     f32(count, inner, hidden), f32(count, inner))
        p = softmax(router.astype(np.float64))
        y = np.zeros((tokens, hidden))
        extra = extra or {}
        alpha, beta, limit = (extra.get(k, v) for k, v in (("activation_alpha", 1), ("activation_beta", 0), ("swiglu_limit", np.inf)))
        for t in range(tokens):
            best = np.argsort(-p[t])[:k]
            for e in best:
                h = fc1[e].astype(np.float64) @ x[t] + (b1[e] if biased else 0)
                g, l = (h[::2], h[1::2]) if fusion == 1 else np.split(h, 2) if fusion else (h, None)
                if third:
                    l = fc3[e].astype(np.float64) @ x[t] + (b3[e] if biased else 0)
                if act == "swiglu":
                    g, l = np.minimum(g, limit), np.clip(l, -limit, limit)
                    h = g * sigmoid(alpha * g) * (l + beta)
                else:
                    h = ends[act](g) * (l if third else 1)
                y[t] += p[t, e] / (p[t, best].sum() if normal else 1) * (fc2[e] @ h + (b2[e] if biased else 0))
        own = x if shape is None else x.reshape(*shape, hidden)
        operands = [own, router, fc1, b1 if biased else None, fc2, b2 if biased else None]
        operands += [fc3] + ([b3] if biased else []) if third else []
        s.add(name, "MoE", 1, operands, [y.reshape(own.shape)],
              {"k": k, "activation_type": act, "normalize_routing_weights": normal, **({"swiglu_fusion": fusion} if fusion else {}),
               **extra}, DOMAIN)

    for act in ends:
        add(act, act)
    add("bare", "relu", biased=False, k=1)
    add("shape", "silu", normal=1, shape=(1, 5))
    add("third", "silu", normal=1, third=True)
    add("interleaved", "swiglu", normal=1, fusion=1,
        extra={"activation_alpha": 1.75, "activation_beta": 1.0, "swiglu_limit": 0.5})
    add("halves", "swiglu", fusion=2)
    add("apart", "swiglu", third=True, normal=1)


def coded_experts(s, f32, rng):
    """QMoE: shares of the chosen experts alone, weights in codes."""
    tokens, hidden, inner, count, k = 3, 32, 16, 3, 2
    for bits, block, zeros, others in ((4, 0, False, False), (8, 16, True, False), (4, 16, False, True), (4, 0, True, False)):
        x, router = f32(tokens, hidden), 2 * f32(tokens, count)

        def weights(rows, columns):
            codes, blocks = rng.randint(0, 1 << bits, (count, rows, columns)), columns // block if block else 1
            points = rng.randint(0, 1 << bits, (count, rows, blocks)) if zeros else np.full((count, rows, blocks), 1 << (bits - 1))
            scales = np.abs(f32(count, rows, blocks)) / 8
            wide = lambda t: np.repeat(t, columns // blocks, 2)
            one = lambda t: t if block else t[..., 0]
            return ((codes - wide(points)) * wide(scales).astype(np.float64), packed_bits(codes, bits), one(scales),
                    packed_bits(one(points), bits) if zeros else None)

        (w1, c1, s1, z1), (w2, c2, s2, z2) = weights(inner, hidden), weights(hidden, inner)
        b1, b2, given = f32(count, inner), f32(count, hidden), np.abs(f32(tokens, count))
        y = np.zeros((tokens, hidden))
        for t in range(tokens):
            best = np.argsort(-router[t])[:k]
            share = given[t, best] / given[t, best].sum() if others else softmax(router[t, best].astype(np.float64))
            for e, p in zip(best, share):
                h = w1[e] @ x[t] + b1[e]
                y[t] += p * (w2[e] @ (h * sigmoid(h)) + b2[e])
        s.add(f"{bits}_{block}_{int(zeros)}", "QMoE", 1, [x, router, c1, s1, b1, c2, s2, b2, None, None, None, z1, z2] +
              ([None, given] if others else []), [y],
              {"k": k, "activation_type": "silu", "normalize_routing_weights": 1, "expert_weight_bits": bits,
               **({"block_size": block} if block else {})}, DOMAIN)


def distances(s, f32):
    """Buckets of T5, counted for each distance."""
    def bucket(distance, buckets, most, both):
        own = 0
        if both:
            buckets //= 2
            own, distance = (buckets if distance > 0 else 0), abs(distance)
        else:
            distance = max(-distance, 0)
        exact = buckets // 2
        if distance < exact:
            return own + distance
        return own + min(exact + int(np.log(distance / exact) / np.log(most / exact) * (buckets - exact) + 1e-6), buckets - 1)

    table = f32(12, 3)
    for name, both, queries, keys in (("one_way", 0, 9, 9), ("both", 1, 20, 20)):
        rows = [[bucket(k - q, 12, 17, both) for k in range(keys)] for q in range(queries)]
        s.add(name, "RelativePositionBias", 1, [table, np.array([queries]), np.array([keys])], [table[rows].transpose(2, 0, 1)[None]],
              {"max_distance": 17, "is_bidirectional": both}, DOMAIN)
    b, n, length, size, d = 2, 2, 3, 4, 6
    q, bias, rel = f32(b, length, n * size), f32(n * size), f32(1, n, length, length)
    w, wb, eco = f32(size, d), f32(d), f32(1, n, 1, 1)
    gates = (split(q.astype(np.float64) + bias, n) @ w + wb).reshape(b, n, length, 2, d // 2).sum(-1)
    u, r = np.split(sigmoid(gates), 2, -1)
    s.add("gates", "GatedRelativePositionBias", 1, [q, bias, rel, w, wb, eco], [(u * (r * eco - 1) + 2) * rel], {"num_heads": n},
          DOMAIN)


def images(s, f32):
    """CropAndResize, element by element; transposed convolutions with pads beside the data."""
    x = f32(2, 3, 5, 4)
    boxes = np.array([[0, 0, 1, 1], [0.25, 0.125, 0.8, 0.7], [-0.3, 0.2, 0.9, 1.4], [0.9, 0.8, 0.1, 0.2]], np.float32)
    at = np.array([0, 1, 1, 0], np.int32)
    for mode, (rows, columns) in itertools.product(("bilinear", "nearest"), ((3, 4), (1, 2), (2, 1))):
        y = np.full((4, 3, rows, columns), 0.75)
        for r, i, j in np.ndindex(4, rows, columns):
            b = boxes[r].astype(np.float64)
            place = []
            for first, size, count, k in ((0, 5, rows, i), (1, 4, columns, j)):
                low, high = b[first], b[first + 2]
                place.append((low * (size - 1) + k * (high - low) * (size - 1) / (count - 1)) if count > 1 else
                             (low + high) / 2 * (size - 1))
            v, h = place
            if not (0 <= v <= 4 and 0 <= h <= 3):
                continue
            image = x[at[r]].astype(np.float64)
            if mode == "nearest":
                y[r, :, i, j] = image[:, int(np.floor(v + 0.5)), int(np.floor(h + 0.5))]
                continue
            t, l = int(np.floor(v)), int(np.floor(h))
            d, e = min(t + 1, 4), min(l + 1, 3)
            top, below = (image[:, k, l] + (image[:, k, e] - image[:, k, l]) * (h - l) for k in (t, d))
            y[r, :, i, j] = top + (below - top) * (v - t)
        s.add(f"{mode}_{rows}{columns}", "CropAndResize", 1, [x, boxes, at, np.array([rows, columns], np.int32)], [y],
              {"mode": mode, "extrapolation_value": 0.75}, DOMAIN)
    w, bias = f32(3, 2, 3, 2), f32(2)
    full = np.zeros((2, 2, 12, 9))
    for i, j, k, l in np.ndindex(5, 4, 3, 2):
        full[:, :, 2 * i + k, 2 * j + l] += np.einsum("nc,cm->nm", x[:, :, i, j].astype(np.float64), w[:, :, k, l])
    pads = np.array([1, 0, 2, 1])
    y = full[:, :, 1:12 - 2, 0:9 - 1]
    given = {"strides": [2, 2], "output_padding": [1, 1], "kernel_shape": [3, 2]}
    s.add("pads", "ConvTransposeWithDynamicPads", 1, [x, w, pads, bias], [y + bias.reshape(2, 1, 1)], given, DOMAIN)
    s.add("bare", "ConvTransposeWithDynamicPads", 1, [x, w], [full], given, DOMAIN)


def elements(s, f32):
    add = lambda name, op, operands, y, extra=None: s.add(name, op, 1, operands, y, extra, DOMAIN)
    x, bias, more = f32(2, 3, 4), f32(4), f32(2, 3, 4)
    sum_ = x.astype(np.float64) + bias
    add("all", "BiasDropout", [x, bias, more, np.array(0.5, np.float32)], [sum_ + more, np.ones(x.shape, bool)])
    add("bare", "BiasDropout", [x, bias], [sum_])
    add("all", "BitmaskBiasDropout", [x, bias, more], [sum_ + more])
    add("all", "BitmaskDropout", [x], [x])
    add("last", "BiasSoftmax", [x, bias], [softmax(sum_)], {"axis": 2, "is_inner_broadcast": 1})
    two = x.astype(np.float64) + more[:1]
    add("two", "BiasSoftmax", [x, more[:1].copy()], [softmax(two.reshape(2, 12)).reshape(x.shape)], {"axis": 1, "is_inner_broadcast": 0})
    add("all", "SampleOp", [x], [x])
    add("all", "GatedAdd", [x, more, bias[:3].reshape(3, 1).copy()], [x + more.astype(np.float64) * bias[:3, None]])
    gate, scale = f32(2, 3, 4), f32(2)
    pairs = x.astype(np.float64).reshape(2, 3, 2, 2)
    y = pairs / np.sqrt((pairs**2).mean(-1, keepdims=True) + 1e-5) * scale
    add("heads", "GatedRMSNorm", [x, scale, gate], [y.reshape(x.shape) * gate * sigmoid(gate)], {"epsilon": 1e-5})
    decay = f32(4)
    add("both", "LinearAttentionGate", [x, bias, decay, more], [decay * np.log1p(np.exp(sum_)), sigmoid(more)])
    a, b = f32(3, 4, 2), f32(4, 2)
    number = lambda v: v[..., 0] + 1j * v[..., 1].astype(np.float64)
    parts = lambda v: np.stack((v.real, v.imag), -1)
    add("shared", "ComplexMul", [a, b], [parts(number(a) * number(b))])
    add("shared", "ComplexMulConj", [a, b], [parts(number(a) * number(b).conj())])
    rows, others = f32(3, 5), f32(4, 5)
    apart = rows.astype(np.float64)[:, None] - others
    for metric, y in (("sqeuclidean", (apart**2).sum(-1)), ("euclidean", np.sqrt((apart**2).sum(-1))),
                      ("cityblock", np.abs(apart).sum(-1)), ("chebyshev", np.abs(apart).max(-1))):
        add(metric, "CDist", [rows, others], [y], {"metric": metric})
    add("matrix", "Pad", [x[0].copy(), np.array([[1, 0, 0, 2]]), np.array(0.5, np.float32)],
        [np.pad(x[0], ((1, 0), (0, 2)), constant_values=0.5)])
    add("edge", "Pad", [x[0].copy(), np.array([1, 0, 0, 2])], [np.pad(x[0], ((1, 0), (0, 2)), "edge")], {"mode": "edge"})
    for dim, size, step in ((1, 2, 1), (-1, 3, 1), (0, 1, 1), (2, 2, 2)):
        view = np.lib.stride_tricks.sliding_window_view(x, size, dim)
        view = np.take(view, np.arange(0, view.shape[dim], step), dim)
        add(f"{dim}_{size}{step}", "UnfoldTensor", [x], [np.ascontiguousarray(view)], {"dim": dim, "size": size, "step": step})
    signal = f32(2, 3, 6)
    for count, axes in ((1, (2,)), (2, (1, 2))):
        half = np.fft.rfftn(signal.astype(np.float64), axes=axes)
        add(f"axes_{count}", "Rfft", [signal], [parts(half).astype(np.float32)], {"signal_ndim": count, "onesided": 1, "normalized": 0})
        add(f"axes_{count}", "Irfft", [parts(half).astype(np.float32)], [signal], {"signal_ndim": count})


def streams(s, f32):
    """Rotary embedding with three positions for each token."""
    size, n, length, pairs = 12, 2, 3, 5
    cos, sin, x = f32(9, pairs), f32(9, pairs), f32(2, length, n * size)
    at = np.arange(18).reshape(3, 2, 3) % 9
    for name, sections, layout, own in (("sections", [2, 1, 2], 0, [0, 0, 1, 2, 2]), ("thirds", [2, 2, 1], 1, [0, 1, 2, 0, 1])):
        for interleaved in (0, 1):
            c, v = (np.stack([t[at[j]][..., i] for i, j in enumerate(own)], -1)[:, None] for t in (cos, sin))
            heads = split(x.astype(np.float64), n)
            part, rest = heads[..., :2 * pairs], heads[..., 2 * pairs:]
            a, b = (part[..., ::2], part[..., 1::2]) if interleaved else (part[..., :pairs], part[..., pairs:])
            y = [a * c - b * v, a * v + b * c]
            y = np.stack(y, -1).reshape(part.shape) if interleaved else np.concatenate(y, -1)
            s.add(f"{name}_{interleaved}", "MRotaryEmbedding", 1, [x, at, cos, sin], [merged(np.concatenate((y, rest), -1))],
                  {"mrope_section": sections, "mrope_layout": layout, "interleaved": interleaved, "num_heads": n,
                   "rotary_embedding_dim": 2 * pairs}, DOMAIN)
    angle, q, k = f32(2, length, size), *(f32(2, n, length, size).astype(np.float16) for _ in "qk")
    r, t = q[::-1].copy(), k[::-1].copy()
    c, v = (f(angle).astype(np.float16)[:, None] for f in (np.cos, np.sin))
    s.add("half", "GemmaRotaryEmbedding", 1, [angle, q, r, k, t], [q * c + r * v, k * c + t * v],
          None, DOMAIN)


def states(s, f32):
    """Convolution and recurrence with a carried state."""
    x, w, bias, past = f32(2, 3, 4), f32(3, 1, 3), f32(3), f32(2, 3, 2)
    all_ = np.concatenate((past, x), 2)
    y = sum(all_[..., i:i + 4].astype(np.float64) * w[:, 0, i, None] for i in range(3)) + bias[:, None]
    s.add("past", "CausalConvWithState", 1, [x, w, bias, past], [y * sigmoid(y), all_[..., 4:].copy()], {"activation": "silu"}, DOMAIN)
    n, groups, size, length = 4, 2, 3, 3
    q, k, v = f32(1, length, n * size), f32(1, length, groups * size), f32(1, length, groups * size)
    decay, beta, state = -np.abs(f32(1, length, groups)), np.abs(f32(1, length, groups)), f32(1, groups, size, size)
    now, out = state.astype(np.float64), []
    for t in range(length):
        kt, vt = (p[:, t].reshape(1, groups, size).astype(np.float64) for p in (k, v))
        now = now * np.exp(decay[:, t].astype(np.float64))[..., None, None]
        held = np.einsum("bgkv,bgk->bgv", now, kt)
        now = now + np.einsum("bgk,bgv->bgkv", kt, (vt - held) * beta[:, t][..., None])
        qt = q[:, t].reshape(1, groups, n // groups, size)
        out.append(np.einsum("bghk,bgkv->bghv", qt, now).reshape(1, -1) / np.sqrt(size))
    s.add("gated_delta", "LinearAttention", 1, [q, k, v, state, decay, beta], [np.stack(out, 1), now],
          {"q_num_heads": n, "kv_num_heads": groups}, DOMAIN)


def write(s, f32, rng):
    weights(s, f32, rng)
    tables(s, f32, rng)
    embeddings(s, f32, rng)
    quantized_lstm(s, f32, rng)
    quantized(s, f32, rng)
    packed_sequences(s, f32)
    experts(s, f32)
    coded_experts(s, f32, rng)
    distances(s, f32)
    images(s, f32)
    elements(s, f32)
    streams(s, f32)
    states(s, f32)
