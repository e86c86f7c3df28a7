#!/usr/bin/env python3
"""Writes the models of this folder with their inputs and the outputs that PyTorch gives.

Needs numpy, onnx and torch of Debian 12 (python3-onnx 1.12, python3-torch 1.13). Only whoever
changes a model needs to run it: python3 make.py
"""
import os
import shutil

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn import functional

HERE = os.path.dirname(os.path.abspath(__file__))
F32, I64 = TensorProto.FLOAT, TensorProto.INT64


def folder(name):
    path = os.path.join(HERE, name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(os.path.join(path, "test_data_set_0"))
    return path


def save_data(path, kind, names, arrays):
    for i, (name, array) in enumerate(zip(names, arrays)):
        with open(os.path.join(path, "test_data_set_0", f"{kind}_{i}.pb"), "wb") as f:
            f.write(numpy_helper.from_array(array.detach().numpy(), name).SerializeToString())


def tuple_of(x):
    return x if isinstance(x, (tuple, list)) else (x,)


def exported(name, module, inputs, names, outputs, **more):
    """MODULE as PyTorch's own exporter writes it."""
    path = folder(name)
    save_data(path, "input", names, inputs)
    with torch.no_grad():
        expected = tuple_of(module(*[x.clone() for x in inputs]))
    save_data(path, "output", outputs, expected)
    file = os.path.join(path, "model.onnx")
    torch.onnx.export(module, tuple(inputs), file, input_names=names, output_names=outputs,
                      opset_version=16, **more)
    model = onnx.load(file)
    for node in model.graph.node:  # names of Python's files and lines
        node.ClearField("doc_string")
    onnx.save(model, file)


def written(name, nodes, constants, infos, inputs, expected, opset=18):
    """A graph that is written here; EXPECTED is what PyTorch computes."""
    path = folder(name)
    graph = helper.make_graph(nodes, name, infos[0], infos[1],
                              [numpy_helper.from_array(v, k) for k, v in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    model.ir_version = 8
    onnx.save(model, os.path.join(path, "model.onnx"))
    save_data(path, "input", [i.name for i in infos[0]], inputs)
    save_data(path, "output", [o.name for o in infos[1]], expected)


def info(name, shape, element=F32):
    return helper.make_tensor_value_info(name, element, shape)


# slice_scatter: rows 2 to 5 of a table of 8 rows, replaced by what is computed from them

def update(x):
    return x[2:6] * 1.5 + 0.25


class Assigned(nn.Module):
    def forward(self, x):
        y = x.clone()
        y[2:6] = update(x)
        return y


def ints(*x):
    return np.array(x, np.int64)


def windows(tail, constants):
    """The Slice and what is computed, and then TAIL, which writes "u" back as "y"."""
    head = [helper.make_node("Slice", ["x", "two", "six", "zero"], ["w"]),
            helper.make_node("Mul", ["w", "scale"], ["m"]),
            helper.make_node("Add", ["m", "shift"], ["u"])]
    constants = {"two": ints(2), "six": ints(6), "zero": ints(0), "scale": np.float32(1.5),
                 "shift": np.float32(0.25), **constants}
    return head + tail, constants


def slice_scatters():
    x = torch.rand(8, 4)
    exported("slice_scatter_nd", Assigned(), [x], ["x"], ["y"])
    infos = [info("x", [8, 4])], [info("y", [8, 4])]
    expected = [torch.slice_scatter(x, update(x), 0, 2, 6, 1)]

    # aten_slice_scatter of torchlib (onnxscript, function_libs/torch_lib/ops/core.py): the places
    # along the axis are a Slice of a Range, stretched to the updates' shape.
    node = helper.make_node
    tail = [node("Shape", ["x"], ["x_shape"]), node("Shape", ["u"], ["u_shape"]),
            node("Gather", ["x_shape", "dim"], ["size"], axis=0),
            node("Range", ["start", "size", "step"], ["all"]),
            node("Slice", ["all", "two", "six", "zero", "one"], ["places"]),
            node("Unsqueeze", ["places", "one"], ["column"]),
            node("ScatterElements", ["u_shape", "zero", "one"], ["stretched"], axis=0),
            node("Expand", ["column", "stretched"], ["indices"]),
            node("ScatterElements", ["x", "indices", "u"], ["y"], axis=0)]
    nodes, constants = windows(tail, {"one": ints(1), "dim": np.int64(0), "start": np.int64(0),
                                      "step": np.int64(1)})
    written("slice_scatter_elements", nodes, constants, infos, [x], expected)

    # As it is written where no scatter is wanted: what is before, the updates, what is behind.
    tail = [node("Slice", ["x", "zero", "two", "zero"], ["before"]),
            node("Slice", ["x", "six", "end", "zero"], ["behind"]),
            node("Concat", ["before", "u", "behind"], ["y"], axis=0)]
    nodes, constants = windows(tail, {"end": ints(2**63 - 1)})
    written("slice_scatter_concat", nodes, constants, infos, [x], expected)


# networks

class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(6, 8, num_layers=2, bidirectional=True)

    def forward(self, x):
        return self.lstm(x)[0]


class Block(nn.Module):
    """A layer of a transformer, normalised before each half."""

    def __init__(self, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.one, self.two = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x):
        b, n, w = x.shape
        split = self.qkv(self.one(x)).view(b, n, 3, self.heads, w // self.heads)
        q, k, v = split.permute(2, 0, 3, 1, 4)
        a = functional.softmax(q @ k.transpose(-1, -2) * (w // self.heads) ** -0.5, dim=-1)
        x = x + self.out((a @ v).transpose(1, 2).reshape(b, n, w))
        return x + self.down(functional.gelu(self.up(self.two(x))))


class Inverted(nn.Module):
    """An inverted residual of MobileNet V2, its batch normalisation not folded."""

    def __init__(self, channels=8, hidden=24):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, hidden, 1, bias=False), nn.BatchNorm2d(hidden), nn.ReLU6(),
            nn.Conv2d(hidden, hidden, 3, padding=1, groups=hidden, bias=False),
            nn.BatchNorm2d(hidden), nn.ReLU6(),
            nn.Conv2d(hidden, channels, 1, bias=False), nn.BatchNorm2d(channels))
        for m in self.layers:
            if isinstance(m, nn.BatchNorm2d):
                m.running_mean.uniform_(-0.2, 0.2)
                m.running_var.uniform_(0.5, 1.5)

    def forward(self, x):
        return x + self.layers(x)


class Decoder(nn.Module):
    """Writes a row after the other into a cache, in a Loop, and reads the one before it."""

    def forward(self, cache, rows):
        for i in range(rows.size(0)):
            cache[i + 1] = rows[i] * 0.5 + cache[i]
        return cache


def networks():
    exported("lstm", Recurrent().eval(), [torch.rand(5, 2, 6)], ["x"], ["y"])
    exported("transformer", Block().eval(), [torch.rand(2, 5, 32)], ["x"], ["y"],
             dynamic_axes={"x": {0: "batch", 1: "tokens"}, "y": {0: "batch", 1: "tokens"}})
    exported("mobilenet", Inverted().eval(), [torch.rand(1, 8, 7, 7)], ["x"], ["y"],
             training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False)
    exported("loop_cache", torch.jit.script(Decoder()), [torch.zeros(7, 4), torch.rand(6, 4)],
             ["cache", "rows"], ["out"])


torch.manual_seed(1)
slice_scatters()
networks()
