#!/usr/bin/env python3
"""Writes the workloads of this folder as ONNX models. usage: onnx_models.py OUTDIR

ONNX has no SliceScatter; each way in which exporters write one is a model of its own:
  nd      ScatterND, as torch.onnx wrote it
  el      ScatterElements, as the newer exporter does
  concat  Concat of what is before, the window and what is after
  ts      TensorScatter, which opset 24 has for caches
Models of the table of limits (table.py) are written with them; sizes.json lists those that hold a
limit at other sizes: drawn by $BENCH_SEED (1), with a batch of 4, and with sizes left open.
The protobuf is written by hand (onnx.proto3 gives the numbers of the fields), so that nothing but
numpy is needed."""
import json
import os
import struct
import sys

import numpy as np

ROWS, COLUMNS, WINDOWS, HEADS, WIDTH = 16384, 1024, 32, 8, 64
KINDS = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7, "bool": 9, "float16": 10}
FLOAT, INT64, BOOL = (KINDS[name] for name in ("float32", "int64", "bool"))
STEPS = 1024  # of a cache in a Loop


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value & (1 << 64) - 1)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def value_info(name, kind, shape):
    """A size is a number, or the name of one that is open. SHAPE None: nothing is said of it."""
    if shape is None:
        return field(1, name) + field(2, field(1, field(1, kind)))
    dims = b"".join(field(1, field(2 if isinstance(d, str) else 1, d)) for d in shape)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, dims)))


class Graph:
    def __init__(self, prefix="t"):
        self.nodes, self.tensors, self.inputs, self.outputs, self.count = [], [], [], [], 0
        self.prefix = prefix

    def name(self):
        self.count += 1
        return f"{self.prefix}{self.count}"

    def input(self, name, kind, *shape):
        self.inputs.append(value_info(name, kind, shape))
        return name

    def output(self, name, *shape, kind=FLOAT):
        self.outputs.append(value_info(name, kind, shape))

    def constant(self, array):
        name = self.name()
        dims = b"".join(field(1, d) for d in array.shape)
        self.tensors.append(dims + field(2, KINDS[array.dtype.name]) + field(8, name)
                            + field(9, np.ascontiguousarray(array).tobytes()))
        return name

    def ints(self, *values):
        return self.constant(np.array(values, np.int64))

    def node(self, op, *inputs, out=None, **attributes):
        out = out or self.name()
        outputs = out if isinstance(out, list) else [out]
        text = b"".join(field(1, i) for i in inputs) + b"".join(field(2, o) for o in outputs)
        text += field(4, op)
        for key, value in attributes.items():
            if isinstance(value, Graph):
                text += field(5, field(1, key) + field(6, value.bytes()) + field(20, 5))
            elif isinstance(value, (list, tuple)):
                text += field(5, field(1, key) + b"".join(field(8, i) for i in value) + field(20, 7))
            elif isinstance(value, float):
                text += field(5, field(1, key) + b"\x15" + struct.pack("<f", value) + field(20, 1))
            elif isinstance(value, str):
                text += field(5, field(1, key) + field(4, value) + field(20, 3))
            else:
                text += field(5, field(1, key) + field(3, value) + field(20, 2))
        self.nodes.append(text)
        return out

    def bytes(self):
        parts = [field(1, n) for n in self.nodes] + [field(2, "bench")]
        for number, entries in ((5, self.tensors), (11, self.inputs), (12, self.outputs)):
            parts += [field(number, e) for e in entries]
        return b"".join(parts)

    def save(self, path, opset=16):
        model = field(1, 10 if opset > 20 else 8) + field(7, self.bytes())
        with open(path, "wb") as f:
            f.write(model + field(8, field(1, "") + field(2, opset)))


def scatter(g, kind, axis, data, window, a, b, out):
    """DATA with WINDOW at A to B of AXIS."""
    size = (ROWS, COLUMNS)[axis]
    places = np.arange(a, b, dtype=np.int64)
    if kind == "nd" and axis == 0:
        return g.node("ScatterND", data, g.constant(places[:, None]), window, out=out)
    if kind == "nd":
        index = np.stack(np.meshgrid(np.arange(ROWS), places, indexing="ij"), -1).astype(np.int64)
        return g.node("ScatterND", data, g.constant(index), window, out=out)
    if kind == "el":
        index = np.broadcast_to(places[:, None], (b - a, COLUMNS)) if axis == 0 \
            else np.broadcast_to(places[None], (ROWS, b - a))
        return g.node("ScatterElements", data, g.constant(index), window, axis=axis, out=out)
    part = lambda x, y: g.node("Slice", data, g.ints(x), g.ints(y), g.ints(axis))
    parts = ([part(0, a)] if a else []) + [window] + ([part(b, size)] if b < size else [])
    return g.node("Concat", *parts, axis=axis, out=out)


def chain(kind, axis):
    g = Graph()
    step, count = ((512, 256), (32, 16))[axis]
    data = g.input("x", FLOAT, ROWS, COLUMNS)
    scale, shift = g.constant(np.array(0.5, np.float32)), g.constant(np.array(0.25, np.float32))
    for i in range(WINDOWS):
        a, b = i * step, i * step + count
        window = g.node("Slice", data, g.ints(a), g.ints(b), g.ints(axis))
        window = g.node("Add", g.node("Mul", window, scale), shift)
        data = scatter(g, kind, axis, data, window, a, b, "out" if i == WINDOWS - 1 else None)
    g.output("out", ROWS, COLUMNS)
    return g


def cache(kind, length):
    g = Graph()
    table = g.input("x", FLOAT, 1, HEADS, length, WIDTH)
    row, place = g.input("row", FLOAT, 1, HEADS, 1, WIDTH), g.input("place", INT64, 1)
    write_row(g, kind, table, row, place)
    g.output("out", 1, HEADS, length, WIDTH)
    g.output("y")
    return g


def write_row(g, kind, table, row, place):
    """One step of a cache: out is TABLE with ROW at PLACE, y the sum of what stands there."""
    if kind == "ts":
        g.node("TensorScatter", table, row, place, axis=2, out="out")
    elif kind == "el":
        index = g.node("Expand", g.node("Reshape", place, g.ints(1, 1, 1, 1)),
                       g.ints(1, HEADS, 1, WIDTH))
        g.node("ScatterElements", table, index, row, axis=2, out="out")
    else:
        heads = np.arange(HEADS, dtype=np.int64)[None, :, None]
        before = np.stack([np.zeros((1, HEADS, 1), np.int64), heads], -1)
        index = g.node("Expand", g.node("Reshape", place, g.ints(1, 1, 1, 1)),
                       g.ints(1, HEADS, 1, 1))
        g.node("ScatterND", table, g.node("Concat", g.constant(before), index, axis=3), row,
               out="out")
    g.node("ReduceSum", g.node("Gather", "out", place, axis=2), out="y", keepdims=0)


def loop(g, steps, body, *carried, outputs):
    """A Loop of STEPS over BODY, which has made its condition."""
    g.node("Loop", g.constant(np.array(steps, np.int64)), g.constant(np.array(True)), *carried,
           body=body, out=outputs)


def begin_body():
    g = Graph("b")  # names of a body are not those of the graph around it
    g.input("i", INT64)
    g.input("cond", BOOL)
    g.node("Identity", "cond", out="more")
    g.output("more", kind=BOOL)
    return g


def cache_loop(kind, length):
    """As many steps of a cache as it has rows, STEPS at most, in one run."""
    steps, g, body = min(STEPS, length), Graph(), begin_body()
    body.input("c", FLOAT, 1, HEADS, length, WIDTH)
    place = body.node("Reshape", "i", body.ints(1))
    write_row(body, kind, "c", body.node("Gather", "rows", place, axis=2), place)
    body.output("out", 1, HEADS, length, WIDTH)
    body.output("y")
    g.input("x", FLOAT, 1, HEADS, length, WIDTH)
    g.input("rows", FLOAT, 1, HEADS, steps, WIDTH)
    loop(g, steps, body, "x", outputs=["last", "sums"])
    g.output("last", 1, HEADS, length, WIDTH)
    g.output("sums", steps)
    return g


def iterations(n):
    """A loop whose body is one Add on [4]."""
    g, body = Graph(), begin_body()
    body.input("c", FLOAT, 4)
    body.node("Add", "c", "b", out="next")
    body.output("next", 4)
    g.input("x", FLOAT, 4)
    g.input("b", FLOAT, 4)
    loop(g, n, body, "x", outputs=["y"])
    g.output("y", 4)
    return g


def adds(n):
    """A chain of N Adds on [4]."""
    g = Graph()
    x, b = g.input("x", FLOAT, 4), g.input("b", FLOAT, 4)
    for i in range(n):
        x = g.node("Add", x, b, out="y" if i == n - 1 else None)
    g.output("y", 4)
    return g


def elementwise():
    """Eight elementwise operations on a tensor of 64 MiB, one after another."""
    g = Graph()
    x = g.input("x", FLOAT, ROWS, COLUMNS)
    for op, number in (("Add", 0.5), ("Mul", 1.5), ("Sub", 0.25), ("Max", -0.5), ("Min", 0.75)):
        x = g.node(op, x, g.constant(np.array(number, np.float32)))
    x = g.node("Abs", g.node("Relu", x))
    g.node("Clip", x, g.constant(np.array(0.125, np.float32)),
           g.constant(np.array(0.5, np.float32)), out="y")
    g.output("y", ROWS, COLUMNS)
    return g


def softmax(rows=128, columns=768):
    g = Graph()
    g.node("Softmax", g.input("x", FLOAT, rows, columns), out="y", axis=-1)
    g.output("y", rows, columns)
    return g


def layernorm(rows=128, columns=768):
    """Layer normalisation, as exporters of opsets without an operator for it write it."""
    g = Graph()
    number = lambda x: g.constant(np.array(x, np.float32))
    mean = lambda x: g.node("ReduceMean", x, axes=[-1], keepdims=1)
    x = g.input("x", FLOAT, rows, columns)
    d = g.node("Sub", x, mean(x))
    spread = g.node("Sqrt", g.node("Add", mean(g.node("Pow", d, number(2))), number(1e-5)))
    scale, shift = (np.linspace(a, a + 1, columns, dtype=np.float32) for a in (0.5, -0.5))
    y = g.node("Mul", g.node("Div", d, spread), g.constant(scale))
    g.node("Add", y, g.constant(shift), out="y")
    g.output("y", rows, columns)
    return g


def matmul(n):
    g = Graph()
    g.node("MatMul", g.input("a", FLOAT, n, n), g.input("b", FLOAT, n, n), out="y")
    g.output("y", n, n)
    return g


def weights(*dims):
    return np.random.default_rng(1).random(dims, np.float32) - np.float32(.5)


def product(batch, n):
    """By weights that are a constant, as in a model."""
    g = Graph()
    g.node("MatMul", g.input("x", FLOAT, batch, n, n), g.constant(weights(n, n)), out="y")
    g.output("y", batch, n, n)
    return g


def convolution(batch, channels, size, depthwise, height=None):
    """3 x 3 with bias; HEIGHT: the name of an open one."""
    g, shape = Graph(), (batch, channels, height or size, size)
    f = weights(channels, 1 if depthwise else channels, 3, 3)
    g.node("Conv", g.input("x", FLOAT, *shape), g.constant(f), g.constant(weights(channels)), out="y",
           pads=[1] * 4, group=channels if depthwise else 1)
    g.output("y", *shape)
    return g


def other_sizes(folder):
    """The workloads of the table at other sizes, and sizes.json, which says what they are."""
    r, found = np.random.default_rng(int(os.environ.get("BENCH_SEED", 1))), []
    odd = lambda low, high: int(r.integers(low // 2, high // 2)) * 2 + 1

    def add(name, what, limit, graph, given=None):
        graph.save(os.path.join(folder, f"{name}.onnx"))
        if given:
            np.save(os.path.join(folder, f"{name}.npy"), weights(*given))
        found.append({"name": name, "what": what, "limit": limit, "given": bool(given),
                      "kernels": not name.startswith(("softmax", "layernorm"))})

    for i in range(3):
        n, c, s, d = odd(100, 900), odd(16, 120), odd(10, 70), odd(32, 400)
        rows, columns = odd(50, 300), odd(100, 1500)
        add(f"product-{i}", f"MatMul {n}", 1.0, product(1, n))
        add(f"conv3x3-{i}", f"Conv 3x3, {c} to {c}, {s}x{s}", 1.0, convolution(1, c, s, False))
        add(f"convdw-{i}", f"depthwise {d}, {s}x{s}", 1.0, convolution(1, d, s, True))
        add(f"softmax-{i}", f"softmax [{rows},{columns}]", 1.15, softmax(rows, columns))
        add(f"layernorm-{i}", f"layer normalisation [{rows},{columns}]", 1.0, layernorm(rows, columns))
    for name, what, shape, graph in (
            ("product", "MatMul 256", (256, 256), lambda b, _: product(b, 256)),
            ("conv3x3", "Conv 3x3, 64 to 64, 56x56", (64, 56, 56),
             lambda b, h: convolution(b, 64, 56, False, h)),
            ("convdw", "depthwise 144, 56x56", (144, 56, 56),
             lambda b, h: convolution(b, 144, 56, True, h))):
        add(f"{name}-batch", f"{what}, batch of 4", 1.0, graph(4, None))
        add(f"{name}-open", f"{what}, sizes open", 1.0, graph("batch", "height"), (1, *shape))
    with open(os.path.join(folder, "sizes.json"), "w") as f:
        json.dump(found, f)


def bert(layers=12, tokens=128, heads=12, width=768, inner=3072, words=30522):
    """A model with the sizes of BERT-base. Its weights are drawn, because no two tensors of a model
    are equal."""
    g, r = Graph(), np.random.default_rng(1)
    weight = lambda *dims: g.constant(r.random(dims, np.float32) / 10 - np.float32(.05))
    linear = lambda x, a, b: g.node("Add", g.node("MatMul", x, weight(a, b)), weight(b))
    norm = lambda x: g.node("LayerNormalization", x, weight(width), weight(width))
    split = lambda x: g.node("Transpose", g.node("Reshape", x, g.ints(1, tokens, heads, -1)),
                             perm=(0, 2, 1, 3))
    number = lambda x: g.constant(np.array(x, np.float32))
    x = norm(g.node("Gather", weight(words, width), g.input("ids", INT64, 1, tokens)))
    for _ in range(layers):
        q, k, v = (split(linear(x, width, width)) for _ in range(3))
        score = g.node("Div", g.node("MatMul", q, g.node("Transpose", k, perm=(0, 1, 3, 2))),
                       number(8))
        seen = g.node("MatMul", g.node("Softmax", score), v)
        seen = g.node("Reshape", g.node("Transpose", seen, perm=(0, 2, 1, 3)),
                      g.ints(1, tokens, width))
        x = norm(g.node("Add", x, linear(seen, width, width)))
        h = linear(x, width, inner)
        erf = g.node("Erf", g.node("Div", h, number(2 ** .5)))
        h = g.node("Mul", g.node("Mul", h, g.node("Add", erf, number(1))), number(.5))
        x = norm(g.node("Add", x, linear(h, inner, width)))
    g.node("Identity", x, out="y")
    g.output("y", 1, tokens, width)
    return g


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for axis, workload in enumerate(("rows", "columns")):
        for kind in ("nd", "el", "concat"):
            chain(kind, axis).save(os.path.join(folder, f"{workload}.{kind}.onnx"))
    for length in (512, 1024, 2048, 4096, 8192):
        for kind in ("nd", "el", "ts"):
            opset = 24 if kind == "ts" else 16
            cache(kind, length).save(os.path.join(folder, f"cache-{length}.{kind}.onnx"), opset)
        cache_loop("ts", length).save(os.path.join(folder, f"loop-{length}.onnx"), 24)
    for n in (10000, 100000, 1000000):
        adds(n).save(os.path.join(folder, f"adds-{n}.onnx"))
    iterations(10000).save(os.path.join(folder, "iterations.onnx"))
    elementwise().save(os.path.join(folder, "elementwise.onnx"))
    softmax().save(os.path.join(folder, "softmax.onnx"))
    layernorm().save(os.path.join(folder, "layernorm.onnx"))
    matmul(1024).save(os.path.join(folder, "matmul.onnx"))
    bert().save(os.path.join(folder, "bert.onnx"), 17)
    other_sizes(folder)


if __name__ == "__main__":
    main()
