#!/usr/bin/env python3
"""Models of operators of ONNX in the forms that ONNX's own node tests leave out (old versions, operands left out,
directions, empty tensors), with results by numpy. usage: onnx_variants.py FOLDER"""

import itertools
import sys
from pathlib import Path

import numpy as np

import onnx_contrib
import onnx_ends
import onnx_forms
import onnx_fused
import onnx_model
import onnx_older
import onnx_operators
import onnx_pools
import onnx_sequences
import recurrent

RNG = np.random.RandomState(7)


def f32(*shape):
    return RNG.uniform(-1, 1, shape).astype(np.float32)


class Suite:
    def __init__(self, folder):
        self.folder, self.count = Path(folder), 0

    def add(self, name, op, opset, operands, results, attributes=None, domain="", sizes="said"):
        results = [r if r is None else np.asarray(r, np.asarray(operands[0]).dtype) if np.asarray(r).dtype == np.float64
                   else np.asarray(r) for r in results]
        onnx_model.write(self.folder / f"{op}_{opset}_{name}", op, opset, operands, results, attributes, domain,
                         sizes)


def nets(s):
    """Batch first inside, as recurrent.py has it."""
    for kind, (gates, count) in recurrent.NETS.items():
        for name, dirs, direction, layout, opset, use, extra in (
                ("lengths", 1, "forward", 0, 14, "Bl", {}), ("reverse", 1, "reverse", 0, 7, "Blh", {}),
                ("both", 2, "bidirectional", 0, 22, "Blhc", {}), ("batch_first", 2, "bidirectional", 1, 14, "Bh", {}),
                ("bare", 1, "forward", 0, 1, "", {}), ("clipped", 1, "forward", 0, 14, "B", {"clip": 0.25}),
                ("linear", 2, "bidirectional", 0, 14, "Bl", {"linear_before_reset": 1}),
                ("peepholes", 1, "reverse", 0, 14, "BlhcP", {"input_forget": 1}),
                ("functions", 1, "forward", 0, 14, "B", {"activations": ["Relu", "Sigmoid", "Relu"][:count]}),
                ("own_functions", 1, "forward", 1, 14, "B", {"activations": ["Softsign", "Elu", "Affine"][:count],
                 "activation_alpha": [0.5, 0.75][:count - 1], "activation_beta": [0.25] if count == 3 else []})):
            if ("linear_before_reset" in extra and kind != "GRU") or ("P" in use and kind != "LSTM"):
                continue
            batch, steps, size, hidden = 2, 4, 3, 2
            x, h, c = f32(batch, steps, size), f32(batch, dirs, hidden), f32(batch, dirs, hidden)
            w, r = f32(dirs, gates * hidden, size), f32(dirs, gates * hidden, hidden)
            wb, rb = f32(dirs, gates * hidden), f32(dirs, gates * hidden)
            p, lengths = f32(dirs, 3 * hidden), np.array([4, 2], np.int32)
            zero = np.zeros_like
            names = extra.get("activations", recurrent.DEFAULTS[kind])
            acts = [recurrent.functions(names, extra.get("activation_alpha", ()), extra.get("activation_beta", ()))] * dirs
            options = {"clip": extra.get("clip", np.inf)}
            options.update({"coupled": "input_forget" in extra} if kind == "LSTM" else {})
            options.update({"linear": "linear_before_reset" in extra} if kind == "GRU" else {})
            wide = [v.astype(np.float64) for v in (x, h if "h" in use else zero(h), c if "c" in use else zero(c), w, r,
                                                   wb if "B" in use else zero(wb), rb if "B" in use else zero(rb))]
            y, ho, co = recurrent.net(kind, acts, *wide, lengths if "l" in use else [steps] * batch, direction,
                                      p if "P" in use else None, **options)
            def turn(v):
                return v if layout else np.swapaxes(v, 0, 1)
            y = y.transpose((0, 2, 1, 3) if layout else (2, 1, 0, 3))
            operands = [turn(x), w, r, np.concatenate((wb, rb), 1) if "B" in use else None,
                        lengths if "l" in use else None, turn(h) if "h" in use else None]
            operands += [turn(c) if "c" in use else None, p if "P" in use else None] if kind == "LSTM" else []
            attributes = {**({} if direction == "bidirectional" else {"hidden_size": hidden}), **extra,
                          **({"direction": direction} if direction != "forward" else {}),
                          **({"layout": 1} if layout else {})}
            attributes = {k: v for k, v in attributes.items() if v != []}
            s.add(name, kind, opset, operands, [y, turn(ho)] + ([turn(co)] if kind == "LSTM" else []), attributes)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attentions(s):
    q, k, v = f32(2, 4, 3, 8), f32(2, 2, 5, 8), f32(2, 2, 5, 6)
    scores = np.einsum("bhqd,bhkd->bhqk", q, np.repeat(k, 2, 1)) / np.sqrt(8)
    values = np.repeat(v, 2, 1)
    late = np.arange(5)[None] > np.arange(3)[:, None]
    s.add("groups", "Attention", 23, [q, k, v], [softmax(scores) @ values])
    s.add("causal", "Attention", 23, [q, k, v],
          [softmax(np.where(late, -np.inf, scores)) @ values, None, None, np.where(late, -np.inf, scores)],
          {"is_causal": 1, "qk_matmul_output_mode": 2})
    mask = RNG.rand(2, 1, 3, 5) > 0.5
    mask[0, 0, 1] = False
    p = np.nan_to_num(softmax(np.where(mask, scores, -1e9))) * mask.any(-1, keepdims=True)
    s.add("bool_mask", "Attention", 24, [q, k, v, mask], [p @ values, k, v, p], {"qk_matmul_output_mode": 3})
    lengths = np.array([5, 2])
    short = np.arange(5)[None, None, None] < lengths[:, None, None, None]
    s.add("padding", "Attention", 24, [q, k, v, None, None, None, lengths],
          [softmax(np.where(short, scores, -np.inf)) @ values])
    none = q[:, :, :0]
    s.add("no_queries", "Attention", 23, [none, k, v], [np.zeros((2, 4, 0, 6), np.float32)])


def normalizations(s):
    x = f32(2, 4, 3)
    scale, bias = f32(4), f32(4)
    grouped = x.reshape(2, 2, 6)
    flat = (grouped - grouped.mean(-1, keepdims=True)) / np.sqrt(grouped.var(-1, keepdims=True) + 1e-5)
    s.add("groups", "GroupNormalization", 18, [x, scale[:2], bias[:2]],
          [(flat * scale[:2, None] + bias[:2, None]).reshape(x.shape)], {"num_groups": 2})
    s.add("channels", "GroupNormalization", 21, [x, scale, bias],
          [flat.reshape(x.shape) * scale[:, None] + bias[:, None]], {"num_groups": 2})
    mean, var = f32(4), np.abs(f32(4))
    now, spread = x.mean((0, 2)), x.var((0, 2))
    y = (x - now[:, None]) / np.sqrt(spread[:, None] + 1e-5) * scale[:, None] + bias[:, None]
    running = [mean * 0.9 + now * 0.1, var * 0.9 + spread * 0.1]
    s.add("training", "BatchNormalization", 9, [x, scale, bias, mean, var], [y, *running, now, spread])
    s.add("training", "BatchNormalization", 6, [x, scale, bias, mean, var], [y])
    s.add("test", "BatchNormalization", 6, [x, scale, bias, mean, var],
          [(x - mean[:, None]) / np.sqrt(var[:, None] + 1e-5) * scale[:, None] + bias[:, None]], {"is_test": 1})
    large = x * np.float64(1e100)  # the scale is of another type than the data, whose squares f32 cannot hold
    own = (large - large.mean((0, 2), keepdims=True)) / large.std((0, 2), keepdims=True)
    s.add("training_of_doubles", "BatchNormalization", 15, [large, scale, bias, mean, var],
          [own * scale[:, None] + bias[:, None]], {"training_mode": 1})
    full = [f32(4, 3), f32(4, 3), f32(4, 3), np.abs(f32(4, 3))]
    s.add("elements", "BatchNormalization", 7, [x, *full],
          [(x - full[2]) / np.sqrt(full[3] + 1e-5) * full[0] + full[1]], {"spatial": 0})
    zero = x.copy()
    zero[0, 1] = 0
    norm = np.sqrt((zero**2).sum(-1, keepdims=True))
    s.add("zeros", "LpNormalization", 1, [zero], [zero / np.where(norm == 0, 1, norm)])
    image = f32(2, 3, 2, 2)
    for across, axes in ((0, (2, 3)), (1, (1, 2, 3))):
        s.add(f"across_{across}", "MeanVarianceNormalization", 1, [image],
              [(image - image.mean(axes, keepdims=True)) / (image.std(axes, keepdims=True) + 1e-9)],
              {"across_channels": across})


def losses(s):
    x, target, weight = f32(3, 4, 2), RNG.randint(0, 4, (3, 2)).astype(np.int64), np.abs(f32(4))
    target[1, 1] = -1
    log = x - np.log(np.exp(x).sum(1, keepdims=True))
    kept = target != -1
    picked = -np.take_along_axis(log, np.where(kept, target, 0)[:, None], 1)[:, 0] * kept
    weights = weight[np.where(kept, target, 0)] * kept
    for reduction, want in (("none", picked * weights), ("sum", (picked * weights).sum()),
                            ("mean", (picked * weights).sum() / weights.sum())):
        s.add(reduction, "SoftmaxCrossEntropyLoss", 12, [x, target.astype(np.int32), weight], [want, log],
              {"reduction": reduction, "ignore_index": -1})
        s.add(reduction, "NegativeLogLikelihoodLoss", 12, [log.astype(np.float32), target, weight], [want],
              {"reduction": reduction, "ignore_index": -1})


def scans(s):
    """The body adds up what comes in, and gives twice the sum."""
    body = onnx_model.graph([onnx_model.node("Add", ["a", "x"], ["b"]), onnx_model.node("Add", ["b", "b"], ["c"])],
                            [("a", None), ("x", None)], [("b", None), ("c", None)])
    x = f32(2, 3)
    for axis, back, out, out_back in itertools.product((0, 1, -1, -2), (0, 1), (0, 1, -1, -2), (0, 1)):
        parts = np.moveaxis(x, axis, 0)
        first = f32(parts.shape[1])
        sums = first + np.cumsum(parts[::-1] if back else parts, 0)
        y = np.moveaxis(2 * (sums[::-1] if out_back else sums), 0, out)
        s.add(f"{axis}_{back}_{out}_{out_back}", "Scan", 11, [first, x], [sums[-1], y],
              {"body": body, "num_scan_inputs": 1, "scan_input_axes": [axis], "scan_input_directions": [back],
               "scan_output_axes": [out], "scan_output_directions": [out_back]})
    first, x, lengths = f32(2, 2), f32(2, 3, 2), np.array([3, 1], np.int64)
    sums = first[:, None] + np.cumsum(x, 1)
    y = 2 * sums
    y[1, 1:] = 0
    last = np.stack((sums[0, 2], sums[1, 0]))
    onnx_model.write(s.folder / "Scan_8_lengths", "Scan", 8, [lengths, first, x], [last, y],
                     {"body": body, "num_scan_inputs": 1})


def loops(s):
    """Bodies that declare no types, a trip count that is left out, 0 or less, a condition that ends it: it is looked at behind
    iterations 0, 1 and 2."""
    v, double = f32(2), onnx_model.node("Add", ["v", "v"], ["w"])
    for name, trips, condition, rounds in (("trips", 3, "on", 3), ("none", 0, "on", 0), ("negative", -1, "on", 0),
                                           ("less", -7, "on", 0), ("until", None, "below", 3)):
        ask = onnx_model.node("Less", ["i", "limit"], ["below"])
        same = onnx_model.node("Identity", ["go"], ["on"])
        body = onnx_model.graph([double, onnx_model.node("Identity", ["v"], ["o"]), ask if condition == "below" else same],
                                [("i", None), ("go", None), ("v", None)], [(condition, None), ("w", None), ("o", None)])
        given = [("trips", np.array(trips, np.int64))] if trips is not None else [("limit", np.array(2, np.int64))]
        joined = np.array([v * 2**i for i in range(rounds)], np.float32).reshape(rounds, 2)
        loop = onnx_model.node("Loop", ["trips" if trips is not None else "", "", "first"], ["last", "all"], {"body": body})
        onnx_model.write_graph(s.folder / f"Loop_13_{name}", 13, [loop], given + [("first", v)],
                               [("last", v * np.float32(2**(rounds))), ("all", joined)])
    # Three values are carried, each of which becomes the next one: the order of the operands is that of the body's inputs.
    step = [onnx_model.node("Identity", [x], [y]) for x, y in (("go", "on"), ("b", "p"), ("c", "q"))]
    body = onnx_model.graph(step + [onnx_model.node("Sub", ["a", "b"], ["r"])], [(x, None) for x in ("i", "go", "a", "b", "c")],
                            [(x, None) for x in ("on", "p", "q", "r")])
    first = [f32(2) for _ in range(3)]
    x = list(first)
    for _ in range(3):
        x = x[1:] + [x[0] - x[1]]
    loop = onnx_model.node("Loop", ["trips", "", "x", "y", "z"], ["p", "q", "r"], {"body": body})
    onnx_model.write_graph(s.folder / "Loop_13_carried", 13, [loop],
                           [("trips", np.array(3, np.int64))] + list(zip("xyz", first)), list(zip("pqr", x)))


FOLDS = {"ReduceL1": lambda x, **k: np.abs(x).sum(**k), "ReduceL2": lambda x, **k: np.sqrt((x * x).sum(**k)),
         "ReduceLogSum": lambda x, **k: np.log(x.sum(**k)), "ReduceLogSumExp": lambda x, **k: np.log(np.exp(x).sum(**k)),
         "ReduceMax": np.max, "ReduceMean": np.mean, "ReduceMin": np.min, "ReduceProd": np.prod, "ReduceSum": np.sum,
         "ReduceSumSquare": lambda x, **k: (x * x).sum(**k)}


def folds(s):
    """Axes whose number is not known before the run, which may find none; and those that are left out."""
    x = np.abs(f32(2, 3, 2)) + np.float32(0.5)
    for op, fold in FOLDS.items():
        for name, axes in (("none", []), ("one", [1]), ("two", [-1, 0]), ("absent", None)):
            for noop, keep in ((0, 0), (0, 1), (1, 0), (1, 1)):
                along = tuple(axes) if axes else () if noop else None
                want = np.asarray(fold(x.astype(np.float64), axis=along, keepdims=bool(keep)), np.float64)
                s.add(f"{name}_{noop}{keep}", op, 18, [x] + ([] if axes is None else [np.array(axes, np.int64)]), [want],
                      {"noop_with_empty_axes": noop, "keepdims": keep}, sizes="open")


def in_bytes(numbers, bits):
    """Numbers of BITS bits along the last axis, the first one in the low bits; each row ends with a whole byte."""
    each = 8 // bits
    short = -numbers.shape[-1] % each
    x = np.concatenate((numbers, np.zeros(numbers.shape[:-1] + (short,), numbers.dtype)), -1)
    x = x.reshape(x.shape[:-1] + (-1, each)) << np.arange(each) * bits
    return x.sum(-1).astype(np.uint8)


def few_bits(s):
    """MatMulNBits of com.microsoft: whole and cut blocks, zero points packed, as floats, and left out, and a bias."""
    for name, bits, k, block, zeros, bias in (
            ("plain", 4, 32, 16, None, False), ("packed", 4, 48, 16, "packed", False), ("cut", 4, 40, 16, "packed", True),
            ("floats", 4, 32, 32, "floats", False), ("eight", 8, 64, 32, "packed", True), ("two", 2, 48, 16, "packed", False),
            ("flat", 4, 64, 16, "flat", False), ("eight_plain", 8, 20, 16, None, False),
            ("large", 4, 1024, 32, "packed", True)):
        n, blocks = 200 if name == "large" else 5, -(-k // block)
        q = RNG.randint(0, 1 << bits, (n, blocks, block))
        scale, a, b = f32(n, blocks), f32(2, 3, k), f32(n)
        zero = RNG.randint(0, 1 << bits, (n, blocks)) if zeros else np.full((n, blocks), 1 << bits - 1)
        w = ((q - zero[..., None]).astype(np.float32) * scale[..., None]).reshape(n, -1)[:, :k]
        y = (a.astype(np.float64) @ w.T.astype(np.float64) + (b if bias else 0)).astype(np.float32)
        packed = in_bytes(zero, bits)
        constants = [("w", in_bytes(q, bits)), ("scale", scale.reshape(-1) if zeros == "flat" else scale)]
        if zeros:
            constants.append(("zero", zero.astype(np.float32) if zeros == "floats" else
                              packed.reshape(-1) if zeros == "flat" else packed))
        if bias:
            constants.append(("bias", b))
        node = onnx_model.node("MatMulNBits", ["a", "w", "scale", "zero" if zeros else "", "", "bias" if bias else ""], ["y"],
                               {"K": k, "N": n, "bits": bits, "block_size": block, "accuracy_level": 4}, "com.microsoft")
        onnx_model.write_graph(s.folder / f"MatMulNBits_{name}", 1, [node], [("a", a)], [("y", y)], "com.microsoft", constants)


def codes_of(x, scale, zero, type_):
    low, high = np.iinfo(type_).min, np.iinfo(type_).max
    return np.clip(np.rint(x / np.float32(scale)) + np.float32(zero), low, high).astype(type_)


def quantized(s):
    """Operators on codes of com.microsoft, with and without zero points, of both types: floats, the operator, codes."""
    def write(name, op, operands, y, attributes=None):
        given = [(f"i{i}", v) for i, v in enumerate(operands) if v is not None]
        names = ["" if v is None else f"i{i}" for i, v in enumerate(operands)]
        node = onnx_model.node(op, names, ["y"], attributes or {}, "com.microsoft")
        onnx_model.write_graph(s.folder / f"{op}_{name}", 1, [node], given, [("y", y)], "com.microsoft")

    number = lambda v: np.array(v, np.float32)
    for type_, zeros in ((np.uint8, (120, 7, 130)), (np.int8, (-3, 5, 11)), (np.uint8, None)):
        info, name = np.iinfo(type_), f"{np.dtype(type_)}{'' if zeros else '_bare'}"
        draw = lambda *shape: RNG.randint(info.min, info.max + 1, shape).astype(type_)
        az, bz, yz = zeros or (0, 0, 0)
        zero = lambda z: np.array(z, type_) if zeros else None
        floats = lambda x, scale, z: (x.astype(np.float32) - np.float32(z)) * np.float32(scale)
        a, b, c = draw(2, 3, 4, 4), draw(3, 1, 4), draw(2, 2, 4, 4)
        x, v = floats(a, 0.25, az), floats(b, 0.5, bz)
        one, two = [a, number(0.25), zero(az)], [b, number(0.5), zero(bz)]
        end = lambda y, scale: [number(scale), zero(yz)] if zeros else [number(scale)]
        write(name, "QLinearAdd", one + two + end(0, 1), codes_of(x + v, 1, yz, type_))
        write(name, "QLinearMul", one + two + end(0, 16), codes_of(x * v, 16, yz, type_))
        write(name, "QLinearLeakyRelu", one + end(0, 0.5), codes_of(np.where(x < 0, x * np.float32(0.25), x), 0.5, yz, type_),
              {"alpha": 0.25})
        write(name, "QLinearSigmoid", one + end(0, 0.03125),
              codes_of((1 / (1 + np.exp(-x.astype(np.float64)))).astype(np.float32), 0.03125, yz, type_))
        pool = x.reshape(2, 3, 2, 2, 2, 2).mean((3, 5), dtype=np.float64).astype(np.float32)
        write(name, "QLinearAveragePool", one + end(0, 0.5), codes_of(pool, 0.5, yz, type_),
              {"kernel_shape": [2, 2], "strides": [2, 2], "channels_last": 0})
        write(name, "QLinearGlobalAveragePool", one + end(0, 0.5),
              codes_of(x.mean((2, 3), keepdims=True, dtype=np.float64).astype(np.float32), 0.5, yz, type_), {"channels_last": 0})
        for kept in range(1, 7) if zeros else ():  # each zero point may be left out, whichever others are there
            some = [z if kept >> i & 1 else 0 for i, z in enumerate(zeros)]
            at = [zero(z) if kept >> i & 1 else None for i, z in enumerate(zeros)]
            both = floats(a, 0.25, some[0]) + floats(b, 0.5, some[1])
            write(f"{name}_{kept}", "QLinearAdd", one[:2] + at[:1] + two[:2] + at[1:2] + [number(1), at[2]],
                  codes_of(both, 1, some[2], type_))
        if zeros:
            write(name, "QLinearConcat", [number(0.5), zero(yz)] + one + [c, number(2), zero(bz)],
                  codes_of(np.concatenate((x, floats(c, 2, bz)), 1), 0.5, yz, type_), {"axis": 1})
        m, n, bias = draw(3, 5), draw(4, 5), RNG.randint(-999, 999, 4).astype(np.int32)
        sums = (m.astype(np.int64) - az) @ (n.astype(np.int64) - bz).T
        scales = np.array([0.5, 1, 2, 0.25], np.float32)
        both = [m, number(0.25), np.array(az, type_), n]
        write(name, "QGemm", both + [scales, np.full(4, bz, type_), bias] + [number(64), np.array(yz, type_)],
              codes_of(((sums + bias).astype(np.float32) * (np.float32(0.25) * scales)), 64, yz, type_), {"transB": 1})
        write(name + "_float", "QGemm", both + [number(0.5), np.array(bz, type_)],
              (sums.astype(np.float32) * np.float32(0.25)), {"transB": 1, "alpha": 2.0})


def blocks(s):
    """A product with weights that DequantizeLinear makes of blocks, along either axis; the last block may be cut."""
    for name, axis, depth, size, signed, zeros in (
            ("rows", 0, 12, 4, True, True), ("columns", 1, 12, 4, False, True), ("bare", -2, 8, 8, True, False),
            ("cut", 0, 10, 4, False, True), ("large_rows", 0, 1024, 32, False, True),
            ("large_columns", 1, 1024, 64, True, True)):
        n = 200 if name.startswith("large") else 3
        q = RNG.randint(-8, 8, (depth, n)) if signed else RNG.randint(0, 16, (depth, n))
        count = -(-depth // size)
        scale = f32(count, n)
        zero = (RNG.randint(-8, 8, (count, n)) if signed else RNG.randint(0, 16, (count, n))) if zeros else None
        wide = lambda v: np.repeat(v, size, 0)[:depth]
        w = (q - (wide(zero) if zeros else 0)).astype(np.float32) * wide(scale)
        a = f32(2, depth)
        y = (a.astype(np.float64) @ w.astype(np.float64)).astype(np.float32)
        turned = axis == 1
        turn = lambda v: np.ascontiguousarray(v.T) if turned else v
        constants = [("q", onnx_model.Nibbles(turn(q), signed)), ("scale", turn(scale))]
        if zeros:
            constants.append(("zero", onnx_model.Nibbles(turn(zero), signed)))
        nodes = [onnx_model.node("DequantizeLinear", ["q", "scale"] + ["zero"] * zeros, ["w"], {"axis": axis, "block_size": size}),
                 onnx_model.node("Gemm", ["a", "w"], ["y"], {"transB": int(turned)})]
        onnx_model.write_graph(s.folder / f"DequantizeLinear_21_{name}", 21, nodes, [("a", a)], [("y", y)],
                               constants=constants)


def main(folder):
    s = Suite(folder)
    for part in (nets, attentions, normalizations, losses, scans, loops, folds, few_bits, quantized, blocks, onnx_ends.write,
                 onnx_pools.write, onnx_sequences.write):
        part(s)
    onnx_forms.write(s.folder)
    onnx_fused.write(s, f32, RNG)
    onnx_contrib.write(s, f32, RNG)
    onnx_operators.all_of(s, f32, RNG)
    onnx_older.all_of(s, f32)


if __name__ == "__main__":
    main(sys.argv[1])
