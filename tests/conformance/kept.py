"""Prints of each operator in how many of its models it is written as itself, and how many nodes those models have as
they are written: "OPERATOR KEPT OF NODES".

    python3 kept.py WRITTEN FOLDER...       WRITTEN/NAME.onnx was written from NAME/model.onnx in a FOLDER
"""

import collections
import os
import sys

from unknown import GRAPH, NODE, fields

OPERATOR, ATTRIBUTE, BODY = 4, 5, 6


def graph_of(path):
    with open(path, "rb") as file:
        return next(content for n, content in fields(file.read()) if n == GRAPH)


def nodes_of(graph):
    return [list(fields(content)) for n, content in fields(graph) if n == NODE]


def operators(graph):
    return {next(content for n, content in node if n == OPERATOR).decode() for node in nodes_of(graph)}


def count(graph):
    """The nodes of a graph and of its bodies."""
    bodies = [body for node in nodes_of(graph) for n, attribute in node if n == ATTRIBUTE
              for m, body in fields(attribute) if m == BODY]
    return len(nodes_of(graph)) + sum(map(count, bodies))


kept, of, nodes = collections.Counter(), collections.Counter(), collections.Counter()
for folder in sys.argv[2:]:
    for name in os.listdir(folder):
        written = os.path.join(sys.argv[1], name + ".onnx")
        if os.path.exists(written):
            read, made = operators(graph_of(os.path.join(folder, name, "model.onnx"))), graph_of(written)
            of.update(read)
            kept.update(read & operators(made))
            nodes.update(dict.fromkeys(read, count(made)))
for operator in sorted(of):
    print(operator, kept[operator], of[operator], nodes[operator])
