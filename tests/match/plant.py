"""Plants errors into what an optimiser wrote, and asks `inlay verify A B --match` where they are.

usage: plant.py INLAY COUNT SEED MODEL [OTHER [INPUTS.npz]]

B is OTHER, or what `inlay opt` makes of MODEL, with other names for all its nodes. COUNT errors are planted, one at a
time; the piece that is named must hold the node, or the node that reads it when it was dropped, and have six nodes at
most in one of the graphs. An error that changes no output of `inlay run --random` is drawn again. Prints TAP.
"""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

MOST_NODES = 6


def rename(graph):
    """Names say nothing, and notes on storage go."""
    names = {x["name"]: x["name"] for x in graph["inputs"]}
    for i, x in enumerate(graph["constants"] + graph["nodes"]):
        new = names[x["name"]] = "v%d" % i
        if "outputs" in x:
            outputs = ["%s.%d" % (new, k) for k in range(len(x["outputs"]))]
            names.update(zip(x["outputs"], outputs))
            x["outputs"] = outputs
        x["name"] = new
        x.pop("tensor_names", None)
        x.pop("notes", None)
    for node in graph["nodes"]:
        node["inputs"] = [value and names[value] for value in node["inputs"]]
    for output in graph["outputs"]:
        output["value"] = names[output["value"]]


class Graph:
    def __init__(self, path):
        self.graph = json.load(open(path))
        self.graph.setdefault("constants", [])
        self.folder = os.path.dirname(path)
        if "order" in self.graph:
            del self.graph["order"]
        self.outputs = [output.get("name") for output in self.graph["outputs"]]
        rename(self.graph)
        self.constants = {x["name"]: x for x in self.graph["constants"]}
        self.nodes = {x["name"]: x for x in self.graph["nodes"]}
        varying = {x["name"] for x in self.graph["inputs"]}
        self.varying = []
        for node in self.graph["nodes"]:
            if any(value in varying for value in node["inputs"]):
                varying.update([node["name"]] + node.get("outputs", []))
                self.varying.append(node["name"])
        self.bytes = {}
        for x in self.constants.values():
            if "file" in x and x["file"] not in self.bytes:
                self.bytes[x["file"]] = open(os.path.join(self.folder, x["file"]), "rb").read()

    def write(self, folder):
        for name, content in self.bytes.items():
            open(os.path.join(folder, name), "wb").write(content)
        json.dump(self.graph, open(os.path.join(folder, "planted.json"), "w"))

    def users(self, name):
        return [node["name"] for node in self.graph["nodes"] if name in node["inputs"]]

    def constant(self, node, i):
        """The constant that is operand I, with a copy of its own, so that no other node sees a change."""
        old = self.constants.get(node["inputs"][i]) if i < len(node["inputs"]) else None
        if old is None:
            return None
        new = dict(old, name="%s_own" % node["name"])
        self.graph["constants"].append(new)
        node["inputs"][i] = new["name"]
        return new


def floats_of(graph, x):
    """A constant's floats and how they are written back, or None."""
    count = 1
    for size in x["shape"]:
        count *= size
    if x["type"] != "f32" or count == 0:
        return None
    if "data" in x:
        return list(x["data"]) if all(not isinstance(v, (str, list)) for v in x["data"]) else None
    at = x.get("offset", 0)
    return list(struct.unpack("<%df" % count, graph.bytes[x["file"]][at:at + 4 * count]))


def store(x, floats):
    for key in ("file", "offset"):
        x.pop(key, None)
    x["data"] = floats


# Each takes a graph, a node and a generator, and returns whether it has planted something.

def weight(g, node, draw):
    if node["type"] not in ("MatMul", "Convolution", "Add", "Multiply"):
        return False
    x = g.constant(node, len(node["inputs"]) - 1)
    values = floats_of(g, x) if x else None
    if values is None:
        return False
    i = draw.randrange(len(values))
    scale = max(abs(v) for v in values) or 1
    values[i] += 2 * scale
    store(x, values)
    return True


def swapped(g, node, draw):
    if node["type"] not in ("Subtract", "Divide", "Power", "Concat", "Greater", "Less"):
        return False
    a, b = node["inputs"][:2]
    node["inputs"][:2] = [b, a]
    return a != b


def other_operand(g, node, draw):
    """Reads another value of the same node's inputs."""
    if node["type"] not in ("Add", "Multiply") or len(set(node["inputs"])) != 2:
        return False
    if any(value in g.constants for value in node["inputs"]):
        return False
    node["inputs"][1] = node["inputs"][0]
    return True


def integers(g, node, i, change):
    x = g.constant(node, i)
    if x is None or x["type"] not in ("i32", "i64") or "data" not in x:
        return False
    before = list(x["data"])
    x["data"] = change(before)
    return x["data"] != before


def axis(g, node, draw):
    attributes = node.get("attributes", {})
    if node["type"] in ("Softmax", "Concat", "LogSoftmax") and "axis" in attributes:
        attributes["axis"] = attributes["axis"] - 1
        return True
    if node["type"] == "Transpose":
        swap = lambda order: [order[1], order[0]] + order[2:] if len(order) > 1 else order
        return integers(g, node, 1, swap)
    if node["type"].startswith("Reduce") or node["type"] in ("MVN", "Gather"):
        at = 2 if node["type"] == "Gather" else 1
        return integers(g, node, at, lambda axes: [axes[0] - 1] + axes[1:])
    return False


def epsilon(g, node, draw):
    attributes = node.get("attributes", {})
    for key in ("eps", "epsilon"):
        if key in attributes:
            attributes[key] = 0.3
            return True
    return False


def dropped(g, node, draw):
    if node["type"] not in ("ReLU", "Gelu", "Tanh", "Sigmoid", "Softmax", "Swish", "MVN", "Exp", "Sqrt", "HSwish",
                            "Clamp", "RMSNorm", "Negative", "Sin", "Cos"):
        return False
    users = g.users(node["name"])
    for user in users:
        inputs = g.nodes[user]["inputs"]
        g.nodes[user]["inputs"] = [node["inputs"][0] if v == node["name"] else v for v in inputs]
    g.found_in = users
    return bool(users)


def off_by_one(g, node, draw):
    if node["type"] == "Slice":
        return integers(g, node, 1, lambda starts: [starts[0] + 1] + starts[1:])
    if node["type"] == "Gather":
        return integers(g, node, 1, lambda at: [at[0] + 1 if at[0] == 0 else at[0] - 1] + at[1:])
    return False


OTHERS = {"Add": "Subtract", "Multiply": "Add", "Subtract": "Add", "Tanh": "Sigmoid", "ReLU": "Sigmoid",
          "Sigmoid": "Tanh", "ReduceMean": "ReduceMax", "Exp": "Tanh", "Sin": "Cos", "Cos": "Sin", "Maximum": "Minimum",
          "Minimum": "Maximum", "Sqrt": "Tanh"}


def other_operation(g, node, draw):
    if node["type"] not in OTHERS:
        return False
    node["type"] = OTHERS[node["type"]]
    node.pop("version", None)
    return True


KINDS = [weight, swapped, other_operand, axis, epsilon, dropped, off_by_one, other_operation]


def run(*words):
    r = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
    return r.returncode, r.stdout, r.stderr


def has_effect(inlay, model, planted, folder, given):
    for seed in "012":
        for path, to in ((model, "a"), (planted, "b")):
            run(inlay, "run", path, "--random", "--seed", seed, "--quiet", "-o", os.path.join(folder, to), *given)
        if run(inlay, "compare", os.path.join(folder, "a"), os.path.join(folder, "b"), "--rtol", "1e-3", "--atol",
               "1e-4")[0] == 1:
            return True
    return False


def judge(inlay, model, given, folder, g, expected):
    """Returns None: no effect; else whether the piece is right, and what was said."""
    planted = os.path.join(folder, "planted.json")
    status, said, errors = run(inlay, "verify", model, planted, "--match", "--json", *given)
    if status not in (0, 1):
        return None  # the graph with the error cannot be read
    result = json.loads(said)
    if status == 0:
        return (False, "said to be the same") if has_effect(inlay, model, planted, folder, given) else None
    piece = result.get("piece") or {"a": [], "b": []}
    right = any(name in piece["b"] for name in expected) and min(len(piece["a"]), len(piece["b"])) <= MOST_NODES
    return right, "piece %s of %s" % (piece["b"], piece["a"])


def main():
    inlay, count, seed, model = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    other = sys.argv[5] if len(sys.argv) > 5 else None
    given = ["-i", sys.argv[6]] if len(sys.argv) > 6 else []
    draw = random.Random(seed)
    done = found = tries = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "b.json")
        status, _, errors = run(inlay, *(["convert", other, path] if other else ["opt", model, "-o", path]))
        if status != 0:
            sys.exit("%s: %s" % (model, errors))
        g = Graph(path)
        g.write(folder)
        status, said, errors = run(inlay, "verify", model, os.path.join(folder, "planted.json"), "--match", *given)
        print("%s - without an error: %s" % ("ok" if status == 0 else "not ok", (said + errors).replace("\n", ";")))
        while done < count and tries < 40 * count:
            tries += 1
            g = Graph(path)
            kind, name = draw.choice(KINDS), draw.choice(g.varying)
            g.found_in = [name]
            before = dict(g.nodes[name])
            if not kind(g, g.nodes[name], draw):
                continue
            g.write(folder)
            verdict = judge(inlay, model, given, folder, g, g.found_in)
            if verdict is None:
                continue
            done += 1
            found += verdict[0]
            print("%s - %s at %s (%s)" % ("ok" if verdict[0] else "not ok", kind.__name__, name, before["type"]))
            if not verdict[0]:
                print("# expected in %s; %s" % (g.found_in, verdict[1]))
    print("# result: %d of %d errors in the right piece" % (found, done))


main()
