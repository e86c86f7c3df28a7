#!/usr/bin/env python3
"""Writes the workloads of this folder as ONNX models. usage: onnx_models.py OUTDIR

ONNX has no SliceScatter; each way in which exporters write one is a model of its own:
  nd      ScatterND, as torch.onnx wrote it
  el      ScatterElements, as the newer exporter does
  concat  Concat of what is before, the window and what is after
  ts      TensorScatter, which opset 24 has for caches
The protobuf is written by hand (onnx.proto3 gives the numbers of the fields), so that nothing but
numpy is needed."""
import os
import sys

import numpy as np

ROWS, COLUMNS, WINDOWS, HEADS, WIDTH = 16384, 1024, 32, 8, 64
FLOAT, INT64 = 1, 7


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
    dims = b"".join(field(1, field(1, d)) for d in shape)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, dims)))


class Graph:
    def __init__(self):
        self.nodes, self.tensors, self.inputs, self.outputs, self.count = [], [], [], [], 0

    def name(self):
        self.count += 1
        return f"t{self.count}"

    def input(self, name, kind, *shape):
        self.inputs.append(value_info(name, kind, shape))
        return name

    def output(self, name, *shape):
        self.outputs.append(value_info(name, FLOAT, shape))

    def constant(self, array):
        name, kind = self.name(), FLOAT if array.dtype == np.float32 else INT64
        dims = b"".join(field(1, d) for d in array.shape)
        self.tensors.append(dims + field(2, kind) + field(8, name)
                            + field(9, np.ascontiguousarray(array).tobytes()))
        return name

    def ints(self, *values):
        return self.constant(np.array(values, np.int64))

    def node(self, op, *inputs, out=None, **attributes):
        out = out or self.name()
        text = b"".join(field(1, i) for i in inputs) + field(2, out) + field(4, op)
        for key, value in attributes.items():
            text += field(5, field(1, key) + field(3, value) + field(20, 2))
        self.nodes.append(text)
        return out

    def save(self, path, opset=16):
        graph = b"".join(field(1, n) for n in self.nodes) + field(2, "bench")
        for number, entries in ((5, self.tensors), (11, self.inputs), (12, self.outputs)):
            graph += b"".join(field(number, e) for e in entries)
        model = field(1, 10 if opset > 20 else 8) + field(7, graph)
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
    g.output("out", 1, HEADS, length, WIDTH)
    g.output("y")
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


main()
