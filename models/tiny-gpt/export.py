#!/usr/bin/env python3
"""Writes the trained transformer as OpenVINO IR with its cache in variables, and as ONNX.

Needs numpy and python3-onnx. Run by itself it reads the weights back from tiny-gpt.bin.
"""

import argparse
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import onnx
from onnx import helper, numpy_helper

import network as net

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "digits"))
from openvino_ir import PRECISIONS, Model  # noqa: E402

F32, I64, BOOL = np.float32, np.int64, np.bool_
CAPACITY = 16
NUMPY = {"auto_broadcast": "numpy"}


class Writer(Model):
    """The layers that the transformer needs, each with the shape that it makes."""

    def __init__(self, name, capacity):
        super().__init__(name)
        self.capacity = capacity

    def scalar(self, name, value, dtype=I64):
        return self.constant(name, np.array(value, dtype))

    def same(self, kind, version, name, a, b, dtype=None):
        """An elementwise layer whose result has A's shape."""
        return self.layer(kind, version, name, [a, b], (dtype or a.dtype, a.shape), NUMPY)

    def gather(self, name, data, indices, shape):
        axis = self.scalar(f"{name}_axis", 0)
        return self.layer("Gather", "opset8", name, [data, indices, axis], (data.dtype, shape),
                          {"batch_dims": 0})

    def dense(self, name, x, weights):
        w = self.constant(f"{name}_weights", weights)
        return self.layer("MatMul", "opset1", name, [x, w], (F32, (*x.shape[:-1], weights.shape[1])),
                          {"transpose_a": "false", "transpose_b": "false"})

    def norm(self, name, x):
        axes = self.constant(f"{name}_axis", np.array([-1], I64))
        square = self.same("Multiply", "opset1", f"{name}_square", x, x)
        mean = self.layer("ReduceMean", "opset1", f"{name}_mean", [square, axes],
                          (F32, (*x.shape[:-1], 1)), {"keep_dims": "true"})
        epsilon = self.scalar(f"{name}_epsilon", net.EPSILON, F32)
        shifted = self.same("Add", "opset1", f"{name}_shifted", mean, epsilon)
        root = self.layer("Sqrt", "opset1", f"{name}_root", [shifted], (F32, mean.shape))
        return self.same("Divide", "opset1", name, x, root)

    def heads(self, name, x):
        """[1,t,width] to [1,heads,t,head]."""
        batch, t, _ = x.shape
        pattern = self.constant(f"{name}_pattern", np.array([0, 0, net.HEADS, net.HEAD], I64))
        parts = self.layer("Reshape", "opset1", f"{name}_parts", [x, pattern],
                           (F32, (batch, t, net.HEADS, net.HEAD)), {"special_zero": "true"})
        order = self.constant(f"{name}_order", np.array([0, 2, 1, 3], I64))
        return self.layer("Transpose", "opset1", f"{name}_heads", [parts, order],
                          (F32, (batch, net.HEADS, t, net.HEAD)))

    def joined(self, name, x):
        batch, _, t, _ = x.shape
        order = self.constant(f"{name}_order", np.array([0, 2, 1, 3], I64))
        turned = self.layer("Transpose", "opset1", f"{name}_turned", [x, order],
                            (F32, (batch, t, net.HEADS, net.HEAD)))
        pattern = self.constant(f"{name}_pattern", np.array([0, 0, net.WIDTH], I64))
        return self.layer("Reshape", "opset1", f"{name}_joined", [turned, pattern],
                          (F32, (batch, t, net.WIDTH)), {"special_zero": "true"})

    def variable(self, name, dtype, shape, start=()):
        """What NAME holds; START: the list of its initial value, if that is not zeros."""
        attributes = {"variable_id": name, "variable_type": PRECISIONS[np.dtype(dtype).name][0],
                      "variable_shape": ",".join(str(d) for d in shape)}
        return self.layer("ReadValue", "opset6", f"{name}_old", list(start), (dtype, shape), attributes)

    def store(self, name, value):
        self.layer("Assign", "opset6", f"{name}_store", [value], (value.dtype, value.shape),
                   {"variable_id": name})

    def cached(self, name, new, place):
        """The variable NAME with NEW's rows at PLACE = (start, stop, step, axis), written back."""
        shape = (1, net.HEADS, self.capacity, net.HEAD)
        old = self.variable(name, F32, shape)
        value = self.layer("SliceScatter", "opset15", name, [old, new, *place], (F32, shape))
        self.store(name, value)
        return value


def export_places(m, tokens):
    """Where the tokens stand: their numbers [t], and the window that they take in a cache."""
    shape = m.layer("ShapeOf", "opset3", "shape", [tokens], (I64, (2,)), {"output_type": "i64"})
    t = m.gather("length", shape, m.scalar("second", 1), ())
    # In a full cache the last places are written over: a run never fails for want of room.
    most = m.same("Subtract", "opset1", "last_begin", m.scalar("capacity", m.capacity), t)
    begin = m.same("Minimum", "opset1", "begin", m.variable("position", I64, (), [m.scalar("first", 0)]), most)
    end = m.same("Add", "opset1", "end", begin, t)
    m.store("position", end)
    # Range from 0 and not from BEGIN: its size then follows from the shape of the tokens alone.
    count = m.layer("Range", "opset4", "count", [m.scalar("zero", 0), t, m.scalar("one", 1)],
                    (I64, (-1,)), {"output_type": "i64"})
    places = m.same("Add", "opset1", "places", count, begin)
    axis = m.constant("list", np.array([0], I64))

    def lone(name, x):
        return m.layer("Unsqueeze", "opset1", name, [x, axis], (I64, (1,)))

    step, rows = m.constant("step", np.array([1], I64)), m.constant("rows", np.array([2], I64))
    return places, [lone("begin_list", begin), lone("end_list", end), step, rows]


def export_mask(m, places):
    """[t, capacity]: a token sees those that do not stand behind it."""
    axis = m.constant("column_axis", np.array([1], I64))
    column = m.layer("Unsqueeze", "opset1", "column", [places, axis], (I64, (-1, 1)))
    every = m.constant("every_place", np.arange(m.capacity))
    return m.layer("LessEqual", "opset1", "mask", [every, column], (BOOL, (-1, m.capacity)), NUMPY)


def export_layer(m, p, k, x, place, mask):
    y = m.norm(f"norm_a{k}", x)
    q, key, value = (m.heads(f"{n}{k}", m.dense(f"{n}{k}", y, p[f"{n}{k}"]))
                     for n in ("query", "key", "value"))
    keys, values = m.cached(f"keys{k}", key, place), m.cached(f"values{k}", value, place)
    mixed = m.layer("ScaledDotProductAttention", "opset13", f"attention{k}",
                    [q, keys, values, mask], (F32, q.shape), {"causal": "false"})
    change = m.dense(f"out{k}", m.joined(f"attention{k}", mixed), p[f"out{k}"])
    x = m.same("Add", "opset1", f"attended{k}", x, change)
    up = m.dense(f"up{k}", m.norm(f"norm_b{k}", x), p[f"up{k}"])
    active = m.layer("Swish", "opset4", f"silu{k}", [up], (F32, up.shape))
    return m.same("Add", "opset1", f"layer{k}", x, m.dense(f"down{k}", active, p[f"down{k}"]))


def export_scores(m, p, x):
    """The scores of what comes after the last token: [1,13]."""
    last = [m.constant(f"last_{n}", np.array([v], I64))
            for n, v in (("start", -1), ("stop", 2**31 - 1), ("step", 1), ("axis", 1))]
    x = m.layer("Slice", "opset8", "last", [x, *last], (F32, (1, 1, net.WIDTH)))
    scores = m.dense("scores", m.norm("norm", x), p["scores"])
    axis = m.constant("middle", np.array([1], I64))
    return m.layer("Squeeze", "opset1", "scores_row", [scores, axis],
                   (F32, (1, len(net.ALPHABET))), None, "scores")


def export_choice(m, scores):
    """The likeliest token: [1,1]."""
    attributes = {"axis": 1, "mode": "max", "sort": "value", "index_element_type": "i64"}
    outputs = [(F32, (1, 1), None), (I64, (1, 1), "next")]
    return m.layer_of("TopK", "opset11", "choice", [scores, m.scalar("k", 1)], outputs, attributes)[1]


def export_openvino(p, stem, capacity):
    m = Writer("tiny-gpt", capacity)
    tokens = m.layer("Parameter", "opset1", "tokens", [], (I64, (1, -1)),
                     {"shape": "1,?", "element_type": "i64"}, "tokens")
    places, window = export_places(m, tokens)
    mask = export_mask(m, places)
    x = m.gather("embedded", m.constant("embedding", p["embedding"]), tokens, (1, -1, net.WIDTH))
    where = m.constant("positions", net.positions(capacity))
    x = m.same("Add", "opset1", "placed", x, m.gather("angles", where, places, (-1, net.WIDTH)))
    for k in range(net.LAYERS):
        x = export_layer(m, p, k, x, window, mask)
    scores = export_scores(m, p, x)
    chosen = export_choice(m, scores)
    m.layer("Result", "opset1", "scores_result", [scores], None)
    m.layer("Result", "opset1", "next_result", [chosen], None)
    m.write(stem)


class Onnx:
    """The same transformer as ONNX has it: the cache goes in and comes out, [place, head, 16]."""

    def __init__(self, capacity):
        self.nodes, self.constants, self.capacity = [], {}, capacity
        cache = (capacity, net.HEADS, net.HEAD)
        self.caches = {f"{n}{k}": cache for k in range(net.LAYERS) for n in ("keys", "values")}

    def node(self, kind, name, *inputs, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [name], name, **attributes))
        return name

    def constant(self, name, value, dtype=I64):
        self.constants[name] = numpy_helper.from_array(np.array(value, dtype), name)
        return name

    def dense(self, name, x, weights):
        return self.node("MatMul", name, x, self.constant(f"{name}_weights", weights, F32))

    def norm(self, name, x):
        square = self.node("Mul", f"{name}_square", x, x)
        mean = self.node("ReduceMean", f"{name}_mean", square, axes=[-1])
        shifted = self.node("Add", f"{name}_shifted", mean, self.constant("epsilon", net.EPSILON, F32))
        return self.node("Div", name, x, self.node("Sqrt", f"{name}_root", shifted))

    def heads(self, name, x):
        """[t,64] to [t,4,16]."""
        return self.node("Reshape", f"{name}_heads", x, self.constant("parts", [0, net.HEADS, net.HEAD]))

    def turned(self, name, x, order):
        return self.node("Transpose", f"{name}_turned", x, perm=order)

    def cached(self, name, new):
        return self.node("ScatterND", f"{name}_out", name, "columns", new)

    def layer(self, p, k, x):
        y = self.norm(f"norm_a{k}", x)
        q, key, value = (self.heads(f"{n}{k}", self.dense(f"{n}{k}", y, p[f"{n}{k}"]))
                         for n in ("query", "key", "value"))
        keys, values = self.cached(f"keys{k}", key), self.cached(f"values{k}", value)
        fits = self.node("MatMul", f"fits{k}", self.turned(f"q{k}", q, [1, 0, 2]),
                         self.turned(keys, keys, [1, 2, 0]))
        scaled = self.node("Mul", f"scaled{k}", fits, self.constant("scale", net.HEAD**-0.5, F32))
        masked = self.node("Where", f"masked{k}", "mask", scaled, self.constant("never", -np.inf, F32))
        weights = self.node("Softmax", f"weights{k}", masked, axis=-1)
        mixed = self.node("MatMul", f"mixed{k}", weights, self.turned(values, values, [1, 0, 2]))
        flat = self.node("Reshape", f"mixed_flat{k}", self.turned(f"mixed{k}", mixed, [1, 0, 2]),
                         self.constant("row", [0, net.WIDTH]))
        x = self.node("Add", f"attended{k}", x, self.dense(f"out{k}", flat, p[f"out{k}"]))
        up = self.dense(f"up{k}", self.norm(f"norm_b{k}", x), p[f"up{k}"])
        active = self.node("Mul", f"silu{k}", up, self.node("Sigmoid", f"gate{k}", up))
        return self.node("Add", f"layer{k}", x, self.dense(f"down{k}", active, p[f"down{k}"]))

    def places(self, p):
        """The tokens' places, what they see, and their rows with the places' added."""
        listed = self.node("Squeeze", "listed", "tokens", self.constant("first_axis", [0]))
        t = self.node("Squeeze", "length", self.node("Shape", "shape", listed))
        count = self.node("Range", "count", self.constant("zero", 0), t, self.constant("one", 1))
        places = self.node("Add", "places", count, "position")
        self.node("Add", "position_out", "position", t)
        columns = self.node("Unsqueeze", "columns", places, self.constant("last_axis", [1]))
        self.node("LessOrEqual", "mask", self.constant("every_place", range(self.capacity)), columns)
        rows = self.node("Gather", "embedded", self.constant("embedding", p["embedding"], F32), listed)
        angles = self.constant("positions", net.positions(self.capacity), F32)
        return self.node("Add", "placed", rows, self.node("Gather", "angles", angles, places))

    def write(self, p, path):
        x = self.places(p)
        for k in range(net.LAYERS):
            x = self.layer(p, k, x)
        last = self.node("Gather", "last", x, self.constant("minus_one", [-1]))
        scores = self.dense("scores", self.norm("norm", last), p["scores"])
        self.node("ArgMax", "next", scores, axis=1, keepdims=1)
        onnx.save(self.model(), path)

    def model(self):
        f32, i64 = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64
        info = helper.make_tensor_value_info
        inputs = [info("tokens", i64, [1, "t"]), info("position", i64, [])]
        outputs = [info("scores", f32, [1, len(net.ALPHABET)]), info("next", i64, [1, 1]),
                   info("position_out", i64, [])]
        inputs += [info(name, f32, shape) for name, shape in self.caches.items()]
        outputs += [info(f"{name}_out", f32, shape) for name, shape in self.caches.items()]
        graph = helper.make_graph(self.nodes, "tiny-gpt", inputs, outputs, list(self.constants.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
        model.ir_version = 8
        return model


def read_weights(stem):
    """The matrices that export_openvino wrote, from STEM.xml and STEM.bin."""
    blob = np.memmap(f"{stem}.bin", np.uint8, "r")
    p = {}
    for layer in ElementTree.parse(f"{stem}.xml").iter("layer"):
        data, name = layer.find("data"), layer.get("name").removesuffix("_weights")
        if layer.get("type") == "Const" and name in dict(net.PARAMETERS):
            start, size = int(data.get("offset")), int(data.get("size"))
            p[name] = blob[start : start + size].view(F32).reshape(dict(net.PARAMETERS)[name])
    return p


def export(p, folder, capacity=CAPACITY):
    export_openvino(p, folder / "tiny-gpt", capacity)
    Onnx(capacity).write(p, folder / "tiny-gpt.onnx")


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--capacity", type=int, default=CAPACITY, help="tokens that the cache holds")
    args.add_argument("--out", type=Path, default=HERE, help="folder to write to")
    args = args.parse_args()
    export(read_weights(HERE / "tiny-gpt"), args.out, args.capacity)


if __name__ == "__main__":
    main()
