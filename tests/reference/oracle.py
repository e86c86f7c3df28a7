"""The interpreter as an oracle of `inlay fuzz`.

usage: oracle.py FOLDER, which holds graph.json, in_0.npy, ..., out_0.npy, ... Exit status: 0 the results are right, 1
they are not, and a line says why, 4 nothing can be said.
"""

import json
import sys
from pathlib import Path

import numpy as np

from check_cases import differs
from interpreter import Fault, Graph, Unknown, Unsupported
from interpreter.tensor import from_bytes

UNDECIDED = 4


def read(folder, name, type_, dims=None):
    """The tensor NAME; of a packed type DIMS are its sizes. None: they are not known."""
    path = folder / f"{name}.npy"
    if path.exists():
        array = np.load(path)
        return from_bytes(type_, array.shape, np.ascontiguousarray(array).tobytes())
    if dims is None:
        return None
    return from_bytes(type_, dims, (folder / f"{name}.bin").read_bytes())


def judge(folder):
    """Why the results are wrong; "" when they are right. None: nothing can be said."""
    document = json.loads((folder / "graph.json").read_text(encoding="utf-8"))
    graph = Graph(document, folder)
    inputs = []
    for i, row in enumerate(graph.inputs):
        static = all(isinstance(n, int) for n in row["shape"])
        inputs.append(read(folder, f"in_{i}", row["type"], row["shape"] if static else None))
    if any(t is None for t in inputs):
        return None
    try:
        wanted = graph.run(inputs, {})
    except Fault as fault:
        return f"it runs, but {fault}"
    except (Unknown, Unsupported):
        return None
    for i, right in enumerate(wanted):
        why = differs(read(folder, f"out_{i}", right.type, right.shape), right)
        if why:
            return f"result {i}: {why}"
    return ""


def main(folder):
    np.seterr(all="ignore")
    why = judge(Path(folder))
    if why:
        print(why)
    return UNDECIDED if why is None else int(why != "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
