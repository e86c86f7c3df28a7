#!/usr/bin/env python3
"""Writes chain.json, and the inputs and expected outputs of the models of this folder.

Needs numpy. Only whoever changes a model needs to run it: python3 make.py
"""
import json
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
WINDOWS, HEIGHT, WIDTH = 32, 4, 8  # of the chain; each window begins two rows after the one before
ROWS = 2 * (WINDOWS - 1) + HEIGHT


def save(name, array):
    np.save(os.path.join(HERE, name + ".npy"), array)


def update(data, start, stop, scale, shift):
    """One window update on a copy: f32, rounded after the product and after the sum."""
    out = data.copy()
    out[start:stop] = data[start:stop] * np.float32(scale) + np.float32(shift)
    return out


def constant(name, element, value):
    shape = [1] if element == "i64" else []
    return {"name": name, "type": element, "shape": shape, "data": [value]}


def chain_model():
    constants = [constant("step", "i64", 1), constant("scale", "f32", 0.75)]
    nodes, data = [], "data"
    for i in range(WINDOWS):
        start, stop, shift = f"start{i}", f"stop{i}", f"shift{i}"
        out = "out" if i == WINDOWS - 1 else f"out{i}"
        constants += [constant(start, "i64", 2 * i), constant(stop, "i64", 2 * i + HEIGHT),
                      constant(shift, "f32", i / 8)]
        nodes += [
            {"name": f"rows{i}", "type": "Slice", "inputs": [data, start, stop, "step"]},
            {"name": f"scaled{i}", "type": "Multiply", "inputs": [f"rows{i}", "scale"]},
            {"name": f"shifted{i}", "type": "Add", "inputs": [f"scaled{i}", shift]},
            {"name": out, "type": "SliceScatter",
             "inputs": [data, f"shifted{i}", start, stop, "step"]},
        ]
        data = out
    return {"format": "inlay-graph", "format_version": 1, "name": "chain",
            "inputs": [{"name": "data", "type": "f32", "shape": [ROWS, WIDTH]}],
            "constants": constants, "nodes": nodes, "outputs": [data]}


def write_json(name, model):
    """One entry a line."""
    parts = []
    for key, value in model.items():
        if isinstance(value, list):
            entries = ",\n".join("    " + json.dumps(v) for v in value)
            parts.append(f'  "{key}": [\n{entries}\n  ]')
        else:
            parts.append(f'  "{key}": {json.dumps(value)}')
    with open(os.path.join(HERE, name + ".json"), "w") as f:
        f.write("{\n" + ",\n".join(parts) + "\n}\n")


def main():
    random = np.random.RandomState(1)  # a stream that numpy keeps the same for good
    data = random.uniform(-1, 1, (8, 4)).astype(np.float32)
    out = update(data, 2, 5, 1.5, 0.25)
    save("data", data)
    save("out", out)
    save("change", out - data)

    data = random.uniform(-1, 1, (ROWS, WIDTH)).astype(np.float32)
    out = data
    for i in range(WINDOWS):
        out = update(out, 2 * i, 2 * i + HEIGHT, 0.75, i / 8)
    save("chain_data", data)
    save("chain_out", out)
    write_json("chain", chain_model())


main()
