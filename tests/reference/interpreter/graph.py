"""Graphs of JSON documents: values are computed when they are asked for, each once a run."""

import sys

import numpy as np

from .registry import Fault, check, find
from .tensor import fits, from_bytes, from_json

sys.setrecursionlimit(20000)


class Node:
    """A node of the document, with its attributes by kind."""

    def __init__(self, row):
        self.row, self.name, self.type = row, row["name"], row["type"]
        self.inputs = [name or None for name in row.get("inputs", [])]
        self.outputs = row.get("outputs", [row["name"]])
        self.attributes = row.get("attributes", {})

    def has(self, name):
        return name in self.attributes

    def text(self, name, default=None):
        return self.attributes.get(name, default)

    def integer(self, name, default=None):
        return int(self.attributes.get(name, default))

    def number(self, name, default=None):
        return float(self.attributes.get(name, default))

    def boolean(self, name, default=None):
        value = self.attributes.get(name, default)
        return value in (True, 1, "true", "1") if isinstance(value, (bool, int, str)) else default

    def integers(self, name, default=()):
        value = self.attributes.get(name, default)
        if isinstance(value, str):
            value = [x for x in value.split(",") if x]
        return [int(x) for x in (value if isinstance(value, (list, tuple)) else [value])]


class Graph:
    """A graph, or a body. `folder` is where the files of its constants are. What a body says of the
    shapes of its inputs is no condition: they are those of what comes in."""

    def __init__(self, document, folder=None, is_body=False):
        self.folder, self.is_body = folder, is_body
        self.inputs = document.get("inputs", [])
        self.nodes = [Node(row) for row in document.get("nodes", [])]
        self.variables = {v["name"]: v for v in document.get("variables", [])}
        self.constants = {c["name"]: c for c in document.get("constants", [])}
        self.makers = {out: (node, i) for node in self.nodes for i, out in enumerate(node.outputs)}
        self.outputs = [o if isinstance(o, dict) else {"value": o} for o in document["outputs"]]

    def constant(self, row):
        if "data" in row:
            return from_json(row["type"], row["shape"], row["data"])
        with open(self.folder / row["file"], "rb") as file:
            file.seek(int(row.get("offset", 0)))
            return from_bytes_prefix(row["type"], row["shape"], file.read())

    def output_names(self, i):
        """What a port map may call output I."""
        value = self.outputs[i]["value"]
        return (self.outputs[i].get("name", value + "/sink_port_0"), value)

    def run(self, inputs, state):
        """The results of one run. STATE holds the variables by name, and is changed if it succeeds."""
        return self.run_with(inputs, state, state)

    def run_with(self, inputs, before, after):
        """Reads the variables of BEFORE, and puts what is assigned into AFTER."""
        check(len(inputs) == len(self.inputs), "a wrong number of inputs")
        if not self.is_body:
            for row, tensor in zip(self.inputs, inputs):
                check_input(row, tensor)
        run = Run(self, inputs, before)
        results = [run.value(out["value"]) for out in self.outputs]
        for node in self.nodes:
            if node.type == "Assign" or changes_state(node.row):
                run.outputs(node)
        after.update(run.assigned)
        return results


def changes_state(row):
    bodies = [row[k] for k in ("body", "then_body", "else_body") if k in row]
    return any(inner["type"] == "Assign" or changes_state(inner)
               for body in bodies for inner in body.get("nodes", []))


def from_bytes_prefix(type_, shape, raw):
    """The elements at the start of RAW, which may be longer."""
    bits = {"boolean": 8}.get(type_) or int("".join(c for c in type_ if c.isdigit()))
    count = int(np.prod(shape, dtype=np.int64))
    return from_bytes(type_, shape, raw[: (count * bits + 7) // 8])


class Run:
    def __init__(self, graph, inputs, before):
        self.graph, self.before, self.assigned = graph, before, {}
        self.values = {}
        for row, tensor in zip(graph.inputs, inputs):
            self.values[row["name"]] = tensor
        self.done = {}

    def value(self, name):
        if name not in self.values and name in self.graph.constants:
            self.values[name] = self.graph.constant(self.graph.constants[name])
        elif name not in self.values:
            node, i = self.graph.makers[name]
            self.values[name] = self.outputs(node)[i]
        return self.values[name]

    def outputs(self, node):
        if node.name not in self.done:
            operands = [None if name is None else self.value(name) for name in node.inputs]
            try:
                made = find(node.type, node.row.get("version"))(node, *operands, **self.more(node))
            except Fault as fault:
                raise Fault(f"{node.name} ({node.type}): {fault}") from None
            self.done[node.name] = made if isinstance(made, list) else [made]
        return self.done[node.name]

    def more(self, node):
        """What only variables and nodes with bodies see: the run."""
        special = ("ReadValue", "Assign", "If", "Loop", "TensorIterator")
        return {"run": self} if node.type in special else {}


def check_input(row, tensor):
    check(tensor.type == row["type"], f"input {row['name']} has type {tensor.type}")
    check(fits(row["shape"], tensor.shape), f"input {row['name']} has shape {tensor.shape}")
