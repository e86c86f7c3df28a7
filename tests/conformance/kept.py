"""Prints of each operator in how many of its models it is written as itself, and how many nodes those models have as
they are written: "OPERATOR KEPT OF NODES".

    python3 kept.py WRITTEN FOLDER...       WRITTEN/NAME.onnx was written from NAME/model.onnx in a FOLDER
"""

import collections
import os
import sys

from unknown import GRAPH, NODE, fields

OPERATOR = 4


def operators(path):
    with open(path, "rb") as file:
        graph = next(content for n, content in fields(file.read()) if n == GRAPH)
    nodes = (fields(content) for n, content in fields(graph) if n == NODE)
    return [next(content for n, content in node if n == OPERATOR).decode() for node in nodes]


kept, of, nodes = collections.Counter(), collections.Counter(), collections.Counter()
for folder in sys.argv[2:]:
    for name in os.listdir(folder):
        written = os.path.join(sys.argv[1], name + ".onnx")
        if os.path.exists(written):
            read, made = set(operators(os.path.join(folder, name, "model.onnx"))), operators(written)
            of.update(read)
            kept.update(read.intersection(made))
            nodes.update({operator: len(made) for operator in read})
for operator in sorted(of):
    print(operator, kept[operator], of[operator], nodes[operator])
