"""Random graphs as JSON documents, with inputs for a few runs.

A graph is made node by node, and each node is computed by the interpreter at once: what fails is
mostly left out again, so that a proposal may be careless, and what is kept has known shapes. Some
graphs keep a node that fails.
"""

import random

import numpy as np

from interpreter import Fault, Unknown, Unsupported
from interpreter.graph import Graph, Node, Run
from interpreter.movement import positions
from interpreter.registry import find
from interpreter.tensor import CARRIER, FLOATS, INTEGERS, Tensor, is_float, least_and_greatest, rounded

PLAIN_INTEGERS = [t for t in INTEGERS if t != "u1"]
NUMERIC = list(FLOATS) + [t for t in PLAIN_INTEGERS if t not in ("i4", "u4")]
TYPES = NUMERIC + ["f32"] * 4 + ["i32", "i64", "i8", "boolean", "i4", "u4"]
INDEX_TYPES = ["i64"] * 6 + ["i32", "i32", "i16", "i8", "u8", "u64"]
MOST_ELEMENTS = 350
EXTREMES = [2**63 - 1, -(2**63), 2**31 - 1, -(2**31)]


def json_element(type_, x):
    if type_ == "boolean":
        return bool(x)
    if not is_float(type_):
        return str(int(x)) if abs(int(x)) >= 2**53 else int(x)
    x = float(x)
    return x if np.isfinite(x) else ("nan" if x != x else "inf" if x > 0 else "-inf")


def json_tensor(name, tensor):
    data = [json_element(tensor.type, x) for x in tensor.array.reshape(-1)]
    return {"name": name, "type": tensor.type, "shape": list(tensor.shape), "data": data}


class Nothing(Exception):
    """There is no value for a proposal to begin with."""


class Program:
    """A graph in the making. `values` are names with the tensors of the first run."""

    def __init__(self, rng, body=False):
        self.rng, self.body = rng, body
        self.inputs, self.constants, self.nodes, self.outputs = [], [], [], []
        self.values, self.givers, self.count, self.windows = {}, [], 0, []
        self.variables, self.read, self.broken = [], {}, False
        self.certain = False  # operands that select are constants

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def one_in(self, n):
        return self.rng.randrange(n) == 0

    # ---- tensors ----

    def elements(self, type_, shape):
        """Mostly small whole numbers, so that sums are exact; sometimes anything."""
        count = int(np.prod(shape, dtype=np.int64))
        wild = self.one_in(6)
        return Tensor(type_, self.array(type_, [self.element(type_, wild) for _ in range(count)], shape))

    def array(self, type_, flat, shape):
        array = np.empty(len(flat), CARRIER[type_])
        with np.errstate(all="ignore"):
            array[:] = rounded(type_, np.array(flat, np.float64)) if is_float(type_) else flat
        return array.reshape(shape)

    def element(self, type_, wild):
        if type_ == "boolean":
            return self.one_in(2)
        if is_float(type_):
            odd = [0.5, -1.25, 3e4, float("nan"), float("inf"), float("-inf"), 1e-3, -7.75, 0.0]
            return self.rng.choice(odd) if wild and self.one_in(3) else float(self.rng.randint(-8, 8))
        low, high = least_and_greatest(type_)
        if wild and self.one_in(3):
            return self.rng.choice([low, high, low + 1, high - 1])
        return self.rng.randint(max(low, -8), min(high, 8))

    def constant(self, tensor):
        name = self.name("c")
        self.constants.append(json_tensor(name, tensor))
        self.values[name] = tensor
        return name

    def declared(self, shape):
        """What the document says of SHAPE: all, or less."""
        if self.one_in(12):
            return "..."
        looser = self.one_in(3)
        return [self.declared_size(n) if looser else n for n in shape]

    def declared_size(self, n):
        how = self.rng.randrange(5)
        return ["?", n, n, f"{max(n - 1, 0)}..{n + 2}", f"..{n + 1}"][how]

    def parameter(self, tensor, giver=None):
        """GIVER makes the tensors of later runs."""
        name = self.name("p")
        shape = self.declared(tensor.shape)
        self.inputs.append({"name": name, "type": tensor.type, "shape": shape})
        self.values[name] = tensor
        self.givers.append(giver or (lambda rng: self.elements(tensor.type, tensor.shape)))
        return name

    def numbers(self, values, types=None, scalar=False):
        """An operand that selects: mostly a constant, sometimes what only the run knows."""
        fitting = [t for t in (types or INDEX_TYPES)
                   if all(least_and_greatest(t)[0] <= v <= least_and_greatest(t)[1] for v in values)]
        type_ = self.rng.choice(fitting or ["i64"])
        shape = () if scalar else (len(values),)
        tensor = Tensor(type_, np.array(values, dtype=CARRIER[type_]).reshape(shape))
        if not self.body and not self.certain and self.one_in(6) and len(self.inputs) < 10:
            return self.parameter(tensor, lambda rng: tensor)
        return self.constant(tensor)

    # ---- values that are there ----

    def search(self, test):
        """A value that passes TEST, often one of the newest; None: there is none."""
        found = [n for n, t in self.values.items() if test(t) and t.array.size <= MOST_ELEMENTS]
        if not found:
            return None
        return self.rng.choice(found[-3:] if self.one_in(2) else found)

    def pick(self, test=lambda t: True):
        """The same, but where there is none the proposal ends."""
        found = self.search(test)
        if found is None:
            raise Nothing()
        return found

    def of(self, type_, shape):
        """A value of this type and shape, made if there is none."""
        found = self.search(lambda t: t.type == type_ and t.shape == tuple(shape))
        if found and not self.one_in(4):
            return found
        return self.constant(self.elements(type_, shape))

    def companion(self, tensor):
        """An operand that broadcasts against TENSOR."""
        shape = [n if self.rng.randrange(3) else 1 for n in tensor.shape][self.rng.randrange(tensor.rank + 1):]
        return self.of(tensor.type, tensor.shape if self.one_in(2) else shape)

    # ---- nodes ----

    def add(self, type_, version, inputs, attributes=None, outputs=1, more=None):
        """Adds a node whose computation succeeds; else it is left out, and None comes back."""
        if None in inputs:
            return None
        name = self.name("n")
        outs = [name] if outputs == 1 else [f"{name}_{i}" for i in range(outputs)]
        row = {"name": name, "type": type_, "version": version, "inputs": inputs, "outputs": outs}
        if attributes:
            row["attributes"] = attributes
        row.update(more or {})
        try:
            made = self.compute(row)
        except (Unsupported, Unknown):
            return None
        except Fault:
            return self.add_broken(row) if self.one_in(10) else None
        if len(made) != outputs or any(t.array.size > MOST_ELEMENTS for t in made):
            return None
        self.nodes.append(row)
        self.values.update(zip(outs, made))
        return outs

    def add_broken(self, row):
        """The run fails here; the graph ends with it."""
        if self.body or self.broken:
            return None
        self.nodes.append(row)
        self.outputs = row["outputs"][:1]
        self.broken = True
        return None

    def compute(self, row):
        graph = Graph({"outputs": []})
        run = Run(graph, [], self.read)
        node = Node(row)
        operands = [None if n in ("", None) else self.values[n] for n in row["inputs"]]
        special = node.type in ("ReadValue", "Assign", "If", "Loop", "TensorIterator")
        made = find(node.type, node.row["version"])(node, *operands, **({"run": run} if special else {}))
        return made if isinstance(made, list) else [made]

    def document(self):
        doc = {"inputs": self.inputs, "constants": self.constants, "nodes": self.nodes, "outputs": self.outputs}
        if self.variables:
            doc["variables"] = self.variables
        return doc

    def choose_outputs(self):
        made = [out for row in self.nodes for out in row["outputs"] if row["type"] != "Assign"]
        if self.broken:
            return
        if not made:
            made = list(self.values)
        self.outputs = [made[-1]] + [self.rng.choice(made) for _ in range(self.rng.randrange(6))]


# ---- windows ----


def bound(p, size):
    if p.one_in(9):
        return p.rng.choice(EXTREMES)
    return p.rng.randint(-size - 2, size + 2)


def step_of(p, size):
    if p.one_in(16):
        return p.rng.choice([2**63 - 1, -(2**63), 2**31 - 1, -(2**63) + 1])
    return p.rng.choice([1, 1, 1, 2, 2, 3, -1, -1, -2, -3, size + 1, -size - 1, max(size, 1)])


def inside(p, size):
    """A window that selects something, spelt in one of the ways."""
    first, step = p.rng.randrange(size), p.rng.choice([1, 1, 1, 2, 2, 3, 4, 5])
    count = p.rng.randint(1, (size - 1 - first) // step + 1)
    last = first + step * (count - 1)
    if p.one_in(4):
        return [last, first - 1 if first > 0 and p.one_in(2) else first - size - 1, -step]
    stop = min(last + p.rng.randint(1, step), size + 3)
    return [first - size if p.one_in(4) else first, stop, step]


def stepping(p, size):
    """A window of two elements or more, not next to each other."""
    step = p.rng.choice([2, 2, 3, 3, 4, 5])
    first = p.rng.randrange(size - step)
    count = p.rng.randint(2, (size - 1 - first) // step + 1)
    return [first, first + step * (count - 1) + 1, step]


def one_window(p, size):
    if size > 0 and p.rng.randrange(5):
        return inside(p, size)
    return [bound(p, size), bound(p, size), step_of(p, size)]


def window(p, shape):
    """(starts, stops, steps, axes): fresh, or one that was there already, perhaps moved a little."""
    old = [w for w in p.windows if len(w[3]) <= len(shape) and all(-len(shape) <= a < len(shape) for a in w[3])]
    if old and p.rng.randrange(5) < 3:
        made = [list(part) for part in p.rng.choice(old[-4:])]
        if p.rng.randrange(3) and made[0]:
            k, i = p.rng.choice([0, 0, 1, 2]), p.rng.randrange(len(made[0]))
            made[k][i] = min(max(made[k][i] + p.rng.choice([-3, -2, -1, 1, 1, 2, 3]), -(2**63)), 2**63 - 1)
            made[2][i] = made[2][i] or 1
        return made
    n = p.rng.choice([1, 1, 1, len(shape), p.rng.randint(0, len(shape))])
    axes = p.rng.sample(range(len(shape)), min(n, len(shape)))
    made = [one_window(p, shape[a]) for a in axes]
    axes = [a - len(shape) if p.one_in(4) else a for a in axes]
    w = [[m[k] for m in made] for k in range(3)] + [axes]
    p.windows.append(w)
    return w


def window_operands(p, w):
    types = p.rng.choice([["i64"], ["i64"], ["i32"], INDEX_TYPES])
    fits = all(least_and_greatest("i32")[0] <= v <= least_and_greatest("i32")[1] for part in w for v in part)
    type_ = p.rng.choice(types) if fits else "i64"
    if any(not least_and_greatest(type_)[0] <= v <= least_and_greatest(type_)[1] for part in w[:3] for v in part):
        type_ = "i64"
    plain, p.certain = w[3] == list(range(len(w[3]))), not p.one_in(4)
    operands = [p.numbers(part, [type_]) for part in w[:3]]
    operands += [] if plain and p.one_in(2) else [p.numbers(w[3])]
    p.certain = False
    return operands


def ranked(t):
    return t.rank >= 1


def slice_(p):
    x = p.pick(ranked)
    return p.add("Slice", "opset8", [x] + window_operands(p, window(p, p.values[x].shape)))


def write_back(p):
    """Slice, something, SliceScatter: of one window or of two."""
    x = p.pick(lambda t: ranked(t) and t.type not in ("string",))
    w = window(p, p.values[x].shape)
    got = p.add("Slice", "opset8", [x] + window_operands(p, w))
    if not got:
        return None
    y = got[0]
    for _ in range(p.rng.randrange(3)):
        if p.values[y].type in NUMERIC:
            kind = p.rng.choice(["Add", "Multiply", "Maximum", "Subtract"])
            made = p.add(kind, "opset1", [y, p.of(p.values[y].type, ())])
            y = made[0] if made else y
    target = x if p.rng.randrange(4) else p.of(p.values[x].type, p.values[x].shape)
    made = p.add("SliceScatter", "opset15", [target, y] + window_operands(p, w))
    if made and p.one_in(2):
        p.add("Slice", "opset8", [made[0]] + window_operands(p, window(p, p.values[x].shape)))
    return made


def slice_scatter(p):
    x = p.pick(ranked)
    w, t = window(p, p.values[x].shape), p.values[x]
    operands = window_operands(p, w)
    try:
        part = p.compute({"name": "w", "type": "Slice", "version": "opset8", "inputs": [x] + operands})[0]
    except Fault:
        return p.add("SliceScatter", "opset15", [x, x] + operands)
    updates = p.of(t.type, part.shape)
    if p.one_in(25):
        updates = p.of(t.type, [n + (i == 0) for i, n in enumerate(part.shape)])
    return p.add("SliceScatter", "opset15", [x, updates] + operands)


def same_axis_windows(p):
    """Reads and writes of one axis that meet, lie side by side, or inside one another."""
    x = p.pick(lambda t: ranked(t) and max(t.shape) >= 3)
    axis = int(np.argmax(p.values[x].shape))
    size = p.values[x].shape[axis]
    for _ in range(p.rng.randint(2, 4)):
        w = [[v] for v in (stepping if size >= 6 and p.one_in(2) else inside)(p, size)] + [[axis]]
        p.windows.append(w)
        if p.one_in(2):
            part = p.compute({"name": "w", "type": "Slice", "version": "opset8",
                              "inputs": [x] + [p.constant(Tensor("i64", v)) for v in w]})[0]
            made = p.add("SliceScatter", "opset15", [x, p.of(part.type, part.shape)] + window_operands(p, w))
            x = made[0] if made else x
        else:
            made = p.add("Slice", "opset8", [x] + window_operands(p, w))
            if made and p.one_in(3):  # a slice of a slice
                n = p.values[made[0]].shape[axis]
                inner = [[v] for v in inside(p, n)] + [[axis]]
                p.add("Slice", "opset8", [made[0]] + window_operands(p, inner))
    return x


def part_of(p, size, w):
    """Some of what window W takes, as a window."""
    taken = positions(size, *w)
    at, step = p.rng.randrange(len(taken)), p.rng.choice([1, 1, 1, 2, 3])
    some = taken[at::step][:p.rng.randint(1, len(taken))]
    by = some[1] - some[0] if len(some) > 1 else 1
    stop = some[-1] + (1 if by > 0 else -1)
    return [some[0], stop if stop >= 0 else -size - 1, by]


def nested_windows(p):
    """A part of what was written is read, or what holds the part that was written."""
    x = p.pick(lambda t: ranked(t) and max(t.shape) >= 6)
    t, axis = p.values[x], int(np.argmax(p.values[x].shape))
    size = t.shape[axis]
    outer = p.rng.choice([stepping, stepping, inside])(p, size)
    pair = [outer, part_of(p, size, outer)]
    if p.one_in(3):
        pair.reverse()
    written, read = ([[v] for v in w] + [[axis]] for w in pair)
    shape = [len(positions(size, *pair[0])) if i == axis else n for i, n in enumerate(t.shape)]
    made = p.add("SliceScatter", "opset15", [x, p.of(t.type, shape)] + window_operands(p, written))
    return made and p.add("Slice", "opset8", [made[0]] + window_operands(p, read))


def strided_slice(p):
    x = p.pick()
    rank = p.values[x].rank
    shape, n = p.values[x].shape, p.rng.randint(0, rank + 1)
    made = [one_window(p, shape[i] if i < rank else 3) for i in range(n)]
    masks = {"begin_mask": [int(p.one_in(4)) for _ in range(n)], "end_mask": [int(p.one_in(4)) for _ in range(n)]}
    for name in ("new_axis_mask", "shrink_axis_mask", "ellipsis_mask"):
        if p.one_in(4):
            masks[name] = [int(p.one_in(4)) for _ in range(n)]
    if sum(masks.get("ellipsis_mask", [])) > 1 or any(
            sum(masks.get(k, [0] * n)[i] for k in ("new_axis_mask", "shrink_axis_mask", "ellipsis_mask")) > 1
            for i in range(n)):
        return None
    lists = [[m[k] for m in made] for k in range(3)]
    operands = [p.numbers(part, ["i64"]) for part in (lists if p.rng.randrange(3) else lists[:2])]
    return p.add("StridedSlice", "opset1", [x] + operands, masks)


def onnx_slice(p):
    x = p.pick(lambda t: ranked(t) and t.type not in ("i4", "u4", "bf16"))
    w = window(p, p.values[x].shape)
    if p.one_in(3):
        return p.add("Slice", "onnx1", [x], {"starts": w[0], "ends": w[1], "axes": w[3]}) if all(
            abs(v) < 2**53 for v in w[0] + w[1]) else None
    type_ = p.rng.choice(["i64", "i32"]) if all(abs(v) < 2**31 for part in w for v in part) else "i64"
    starts, stops, steps, axes = (p.numbers(part, [type_]) for part in w)
    return p.add("Slice", p.rng.choice(["onnx10", "onnx11", "onnx13"]), [x, starts, stops, axes, steps])


# ---- other moves ----


def axis_in(p, rank):
    return p.rng.randint(-rank, rank - 1) if rank else 0


def concat(p):
    x = p.pick(ranked)
    t = p.values[x]
    axis = axis_in(p, t.rank)
    others = [p.of(t.type, [p.rng.randint(0, 3) if i == axis % t.rank else n for i, n in enumerate(t.shape)])
              for _ in range(p.rng.randrange(3))]
    names = others + [x]
    p.rng.shuffle(names)
    return p.add("Concat", "opset1", names, {"axis": axis})


def split(p):
    x = p.pick(ranked)
    t = p.values[x]
    axis = axis_in(p, t.rank)
    size = t.shape[axis]
    if p.one_in(2):
        n = p.rng.choice([d for d in range(1, 5) if size % d == 0])
        return p.add("Split", "opset1", [x, p.numbers([axis], ["i64", "i32"], True)], {"num_splits": n}, n)
    first = p.rng.randint(0, size)
    lengths = p.rng.choice([[first, size - first], [first, -1], [0, size], [size], [-1, size - first]])
    made = p.constant(Tensor("i64", lengths))
    return p.add("VariadicSplit", "opset1", [x, p.constant(Tensor("i64", axis)), made], None, len(lengths))


def reshape(p):
    x = p.pick()
    t = p.values[x]
    n, shape = t.array.size, []
    while n > 1 and len(shape) < 3 and p.rng.randrange(4):
        d = p.rng.choice([d for d in range(1, n + 1) if n % d == 0])
        shape.append(d)
        n //= d
    shape.append(n)
    if p.one_in(3):
        shape[p.rng.randrange(len(shape))] = -1
    if p.one_in(4):
        shape = [0 if i < t.rank and t.shape[i] == d else d for i, d in enumerate(shape)]
    return p.add("Reshape", "opset1", [x, p.numbers(shape, ["i64", "i32"])], {"special_zero": p.one_in(2)})


def squeeze(p):
    x = p.pick(lambda t: 1 in t.shape)
    t = p.values[x]
    ones = [i - t.rank if p.one_in(3) else i for i, n in enumerate(t.shape) if n == 1]
    version = p.rng.choice(["opset1", "opset15"])
    if p.one_in(5):
        return p.add("Squeeze", version, [x])
    if not ones:
        return None
    return p.add("Squeeze", version, [x, p.numbers(p.rng.sample(ones, p.rng.randint(1, len(ones))), ["i64", "i32"])])


def unsqueeze(p):
    x = p.pick(lambda t: t.rank <= 3)
    n = p.rng.randint(1, 2)
    rank = p.values[x].rank + n
    axes = [a - rank if p.one_in(3) else a for a in p.rng.sample(range(rank), n)]
    return p.add("Unsqueeze", "opset1", [x, p.numbers(axes, ["i64", "i32"])])


def transpose(p):
    x = p.pick()
    order = list(range(p.values[x].rank))
    p.rng.shuffle(order)
    return p.add("Transpose", "opset1", [x, p.numbers(order, ["i64", "i32"])])


def broadcast(p):
    x = p.pick()
    t = p.values[x]
    target = [p.rng.randint(1, 3) for _ in range(p.rng.randrange(2))]
    target += [p.rng.randint(0, 3) if n == 1 else n for n in t.shape]
    mode = p.rng.choice(["numpy", "numpy", "bidirectional", "explicit"])
    if mode == "explicit":
        axes = sorted(p.rng.sample(range(t.rank + 1), t.rank))
        target = [2] * (t.rank + 1)
        for a, n in zip(axes, t.shape):
            target[a] = n
        return p.add("Broadcast", "opset3", [x, p.numbers(target, ["i64"]), p.numbers(axes, ["i64"])], {"mode": mode})
    if mode == "bidirectional":
        target = [1 if p.one_in(3) else n for n in target]
    return p.add("Broadcast", "opset3", [x, p.numbers(target, ["i64", "i32"])], {"mode": mode})


def tile(p):
    x = p.pick()
    times = [p.rng.choice([1, 1, 1, 2, 3, 0]) for _ in range(max(0, p.values[x].rank + p.rng.randint(-1, 1)))]
    return p.add("Tile", "opset1", [x, p.numbers(times, ["i64", "i32"])])


def pad(p):
    x = p.pick(lambda t: ranked(t) and t.type in NUMERIC)
    t, mode = p.values[x], p.rng.choice(["constant", "constant", "edge", "reflect", "symmetric"])
    begin = [p.rng.choice([0, 0, 1, 2, -1]) for _ in t.shape]
    end = [p.rng.choice([0, 0, 1, 2, -1]) for _ in t.shape]
    if any(n + b < 0 or n + e < 0 or n + b + e < 0 for n, b, e in zip(t.shape, begin, end)):
        return None
    if mode != "constant" and min(begin + end) < 0:
        return None
    value = [p.of(t.type, ())] if mode == "constant" and p.one_in(2) else []
    return p.add("Pad", "opset12", [x, p.numbers(begin, ["i64"]), p.numbers(end, ["i64"])] + value, {"pad_mode": mode})


def turn(p):
    x = p.pick(ranked)
    t = p.values[x]
    how = p.rng.randrange(4)
    if how == 0:
        axes = p.rng.sample(range(t.rank), p.rng.randint(1, t.rank))
        return p.add("Reverse", "opset1", [x, p.numbers(axes, ["i64", "i32"])], {"mode": "index"})
    if how == 1:
        mask = p.constant(Tensor("boolean", [p.one_in(2) for _ in t.shape]))
        return p.add("Reverse", "opset1", [x, mask], {"mode": "mask"})
    if how == 2 and t.rank >= 2 and t.array.size:
        batch, seq = p.rng.sample(range(t.rank), 2)
        lengths = [p.rng.randint(1, t.shape[seq]) for _ in range(t.shape[batch])]
        return p.add("ReverseSequence", "opset1", [x, p.numbers(lengths, ["i64", "i32"])],
                     {"batch_axis": batch, "seq_axis": seq})
    axes = [axis_in(p, t.rank) for _ in range(p.rng.randint(1, 2))]
    shifts = [p.rng.randint(-5, 5) for _ in axes]
    return p.add("Roll", "opset7", [x, p.numbers(shifts, ["i64"]), p.numbers(axes, ["i64"])])


def index_tensor(p, shape, low, high, types=("i64", "i64", "i32")):
    """Indices in [low, high]; a parameter's change from run to run."""
    count = int(np.prod(shape, dtype=np.int64))
    type_ = p.rng.choice(types)

    def give(rng):
        return Tensor(type_, np.array([rng.randint(low, high) for _ in range(count)], np.int64).reshape(shape))

    if high < low and count:
        return None
    if not p.body and p.one_in(4) and len(p.inputs) < 10:
        return p.parameter(give(p.rng), give)
    return p.constant(give(p.rng))


def gather(p):
    x = p.pick(ranked)
    t = p.values[x]
    axis = p.rng.randrange(t.rank)
    n, far = t.shape[axis], p.one_in(8)
    how = p.rng.randrange(4)
    if how < 2:
        batch = p.rng.randint(0, axis) if p.one_in(3) else 0
        shape = list(t.shape[:batch]) + p.rng.choice([[], [2], [1], [3], [2, 2], [0]])
        low, high = -n - far, n - 1 + far
        indices = index_tensor(p, shape, low, high)
        axis = axis - t.rank if p.one_in(3) else axis
        operands = [x, indices, p.numbers([axis], ["i64", "i32"], p.one_in(2))]
        version = p.rng.choice(["opset8", "opset8", "opset7"])
        return p.add("Gather", version, operands, {"batch_dims": batch} if batch else None)
    if how == 2:
        shape = [p.rng.randint(0, 3) if i == axis else d for i, d in enumerate(t.shape)]
        indices = index_tensor(p, shape, -p.one_in(15), n - 1 + far)
        return p.add("GatherElements", "opset6", [x, indices], {"axis": axis})
    batch = p.rng.randint(0, t.rank - 1) if p.one_in(3) else 0
    k = p.rng.randint(1, t.rank - batch)
    least = min(t.shape[batch:batch + k])
    shape = list(t.shape[:batch]) + [p.rng.randint(0, 3) for _ in range(p.rng.randrange(2))] + [k]
    return p.add("GatherND", "opset8", [x, index_tensor(p, shape, -least, least - 1 + far)],
                 {"batch_dims": batch} if batch else None)


def scatter_update(p):
    x = p.pick(lambda t: ranked(t) and t.type in NUMERIC)
    t = p.values[x]
    axis = p.rng.randrange(t.rank)
    shape = p.rng.choice([[], [1], [2], [3], [2, 1], [0]])
    updates = p.of(t.type, list(t.shape[:axis]) + shape + list(t.shape[axis + 1:]))
    indices = index_tensor(p, shape, 0, t.shape[axis] - 1 + p.one_in(12))
    axis = axis - t.rank if p.one_in(3) else axis
    return p.add("ScatterUpdate", "opset3", [x, indices, updates, p.numbers([axis], ["i64", "i32"], p.one_in(2))])


def scatter_elements(p):
    x = p.pick(lambda t: ranked(t) and t.type in NUMERIC + ["boolean"])
    t = p.values[x]
    axis = p.rng.randrange(t.rank)
    n, old = t.shape[axis], p.one_in(4) and t.type != "boolean"
    shape = [p.rng.randint(min(d, 1), d if old or i != axis else 4) for i, d in enumerate(t.shape)]
    updates, axes = p.of(t.type, shape), p.numbers([axis - t.rank if p.one_in(3) else axis], ["i64", "i32"], True)
    if old:
        return p.add("ScatterElementsUpdate", "opset3", [x, index_tensor(p, shape, -n, n - 1), updates, axes])
    attributes = {"reduction": p.rng.choice(["none", "sum", "prod", "min", "max", "mean"]),
                  "use_init_val": not p.one_in(3)}
    indices = index_tensor(p, shape, -n - p.one_in(15), n - 1)
    return p.add("ScatterElementsUpdate", "opset12", [x, indices, updates, axes], attributes)


def scatter_nd(p):
    x = p.pick(lambda t: ranked(t) and t.type in NUMERIC + ["boolean"])
    t = p.values[x]
    k = p.rng.randint(1, t.rank)
    tuples = p.rng.choice([[], [1], [2], [3], [2, 2], [0]])
    least = min(t.shape[:k])
    updates = p.of(t.type, tuples + list(t.shape[k:]))
    how = p.rng.randrange(5)
    if how == 0 and t.type != "boolean":
        indices = index_tensor(p, tuples + [k], 0, least - 1 + p.one_in(12))
        return p.add("ScatterNDUpdate", "opset4", [x, indices, updates])
    if how == 1 and tuples:
        bad = p.rng.choice(["error", "ignore"])
        indices = index_tensor(p, tuples + [k], -(bad == "ignore"), least - 1 + (bad == "ignore"), ("i32", "i64"))
        return p.add("tensor_scatter_nd_update", "tensorflow", [x, indices, updates], {"bad_indices": bad})
    reduction = p.rng.choice(["none", "none", "sum", "sub", "prod", "min", "max"])
    indices = index_tensor(p, tuples + [k], -least, least - 1 + p.one_in(12))
    return p.add("ScatterNDUpdate", "opset15", [x, indices, updates], {"reduction": reduction})


def mindspore_scatter(p):
    x = p.pick(lambda t: ranked(t) and t.type in NUMERIC)
    t = p.values[x]
    axis = p.rng.randrange(t.rank)
    shape = [p.rng.randint(min(d, 1), d) for d in t.shape]
    indices = index_tensor(p, shape, 0, t.shape[axis] - 1)
    attributes = {"dim": axis}
    if p.one_in(2):
        attributes["reduce"] = p.rng.choice(["add", "multiply"])
    if p.one_in(3):
        return p.add("Tensor.scatter_", "mindspore", [x, indices], dict(attributes, value=p.rng.randint(0, 5)))
    src = p.of(t.type, [n + p.rng.randrange(2) for n in shape])
    return p.add("Tensor.scatter_", "mindspore", [x, indices, src], attributes)


def small_shapes(p):
    """Shapes that are computed: ShapeOf, a part of it, and back into a Reshape or Broadcast."""
    x = p.pick(ranked)
    shape = p.add("ShapeOf", "opset3", [x], {"output_type": p.rng.choice(["i64", "i32"])})
    if not shape:
        return None
    if p.one_in(3):
        zero = p.constant(Tensor(p.values[shape[0]].type, 1))
        target = p.add("Maximum", "opset1", [shape[0], zero])[0]
        return p.add("Broadcast", "opset3", [p.of("f32", ()), target], {"mode": "numpy"})
    last = p.constant(Tensor("i64", [p.rng.randrange(p.values[x].rank)]))
    axis = p.constant(Tensor("i64", 0))
    size = p.add("Gather", "opset8", [shape[0], last, axis])
    rest = p.constant(Tensor(p.values[shape[0]].type, [-1]))
    joined = size and p.add("Concat", "opset1", [size[0], rest], {"axis": 0})
    return joined and p.add("Reshape", "opset1", [x, joined[0]], {"special_zero": False})


def generate(p):
    how = p.rng.randrange(3)
    if how == 0:
        type_ = p.rng.choice(["i64", "i32", "f32"])
        numbers = [p.rng.randint(-3, 4), p.rng.randint(-3, 9), p.rng.choice([1, 1, 2, 3, -1, -2])]
        return p.add("Range", "opset4", [p.numbers([v], ["i64", "i32"], True) for v in numbers], {"output_type": type_})
    if how == 1:
        x = p.pick(lambda t: t.type in NUMERIC + ["boolean"] and t.rank >= 1)
        return p.add("NonZero", "opset3", [x], {"output_type": p.rng.choice(["i64", "i32"])})
    rank = p.rng.randrange(3)
    indices = index_tensor(p, [p.rng.randint(1, 3) for _ in range(rank)], 0, 4, ("i64",))
    type_ = p.rng.choice(NUMERIC + ["boolean"])
    depth = p.constant(Tensor("i64", p.rng.randint(1, 4)))
    operands = [indices, depth, p.of(type_, ()), p.of(type_, ())]
    return p.add("OneHot", "opset1", operands, {"axis": p.rng.randint(-1, rank)})


# ---- arithmetic ----

UNARY = ["Abs", "Negative", "ReLU", "Sign", "Ceiling", "Floor"]
MATHS = ["Atan", "Cos", "Erf", "Exp", "Sigmoid", "Sin", "Sqrt", "Tanh", "Log"]
BINARY = ["Add", "Subtract", "Multiply", "Maximum", "Minimum", "SquaredDifference"]


def number(t):
    return t.type in NUMERIC


def unary(p):
    x = p.pick(number)
    t = p.values[x]
    if is_float(t.type) and p.one_in(4):
        return p.add(p.rng.choice(MATHS), "opset1", [x])
    if p.one_in(5):
        low = p.rng.randint(-4, 2)
        return p.add("Clamp", "opset1", [x], {"min": low, "max": low + p.rng.randint(0, 5)})
    return p.add(p.rng.choice(UNARY), "opset1", [x])


def other_unary(p):
    x = p.pick(lambda t: number(t) or t.type == "boolean")
    t = p.values[x]
    kind = p.rng.choice(["Round", "IsFinite", "IsNaN", "IsInf", "BitwiseNot", "SoftMax", "PReLU", "ConvertLike"])
    if kind == "Round" and number(t):
        return p.add(kind, "opset5", [x], {"mode": p.rng.choice(["half_to_even", "half_away_from_zero"])})
    if kind.startswith("Is") and is_float(t.type):
        return p.add(kind, "opset10", [x])
    if kind == "BitwiseNot" and not is_float(t.type):
        return p.add(kind, "opset13", [x])
    if kind == "SoftMax" and is_float(t.type) and t.rank:
        return p.add(p.rng.choice(["SoftMax", "LogSoftmax"]), "opset8", [x], {"axis": axis_in(p, t.rank)})
    if kind == "PReLU" and number(t):
        return p.add(kind, "opset1", [x, p.of(t.type, (1,))])
    return p.add("ConvertLike", "opset1", [x, p.of(p.rng.choice(NUMERIC + ["boolean"]), (1,))])


def shift_or_power(p):
    x = p.pick(number)
    t = p.values[x]
    if is_float(t.type) or p.one_in(2):
        low = -1 if is_float(t.type) or p.one_in(4) and t.type[0] == "i" else 0
        by = p.constant(Tensor(t.type, p.rng.randint(low, 4)))
        return p.add("Power", "opset1", [x, by])
    by = p.constant(Tensor(t.type, p.rng.randint(0, 9)))
    return p.add(p.rng.choice(["BitwiseLeftShift", "BitwiseRightShift"]), "opset15", [x, by])


def binary(p):
    x = p.pick(number)
    if p.one_in(12):
        t = p.values[x]
        b = p.of(t.type, t.shape[p.rng.randint(0, t.rank):])
        return p.add(p.rng.choice(BINARY), "opset1", [x, b], {"auto_broadcast": "pdpd"})
    operands = [x, p.companion(p.values[x])]
    p.rng.shuffle(operands)
    kind = p.rng.choice(BINARY)
    if p.one_in(8):
        kind = p.rng.choice(["Divide", "Mod", "FloorMod"])
    return p.add(kind, "opset1", operands)


def logic(p):
    how = p.rng.randrange(5)
    if how == 0:
        x = p.pick(number)
        return p.add(p.rng.choice(["Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"]), "opset1",
                           [x, p.companion(p.values[x])])
    if how == 1:
        x = p.pick(lambda t: t.type == "boolean")
        return p.add(p.rng.choice(["LogicalAnd", "LogicalOr", "LogicalXor"]), "opset1", [x, p.companion(p.values[x])])
    if how == 2:
        x = p.pick(lambda t: t.type in PLAIN_INTEGERS and t.type in NUMERIC or t.type == "boolean")
        return p.add(p.rng.choice(["BitwiseAnd", "BitwiseOr", "BitwiseXor"]), "opset13", [x, p.companion(p.values[x])])
    x = p.pick()
    t = p.values[x]
    cond = p.of("boolean", t.shape if p.one_in(2) else [1] * t.rank)
    return p.add("Select", "opset1", [cond, x, p.companion(t)])


def convert(p):
    x = p.pick(lambda t: t.type in NUMERIC + ["boolean", "i4", "u4"])
    types = NUMERIC + ["boolean"]
    return p.add("Convert", "opset1", [x], {"destination_type": p.rng.choice(types)})


def there_and_back(p):
    x = p.pick(number)
    made = p.add("Convert", "opset1", [x], {"destination_type": p.rng.choice(["f64", "f32", "i64", "i32", "f16"])})
    return made and p.add("Convert", "opset1", [made[0]], {"destination_type": p.values[x].type})


def reduce(p):
    x = p.pick(lambda t: ranked(t) and t.type in NUMERIC + ["boolean"])
    t = p.values[x]
    axes = [a - t.rank if p.one_in(4) else a for a in p.rng.sample(range(t.rank), p.rng.randint(0, t.rank))]
    operands, keep = [x, p.numbers(axes, ["i64", "i32"])], {"keep_dims": p.one_in(2)}
    if t.type == "boolean":
        return p.add(p.rng.choice(["ReduceLogicalAnd", "ReduceLogicalOr"]), "opset1", operands, keep)
    if p.one_in(5):
        axis = p.constant(Tensor("i64", axis_in(p, t.rank)))
        return p.add("CumSum", "opset3", [x, axis], {"exclusive": p.one_in(2), "reverse": p.one_in(2)})
    kind = p.rng.choice(["ReduceSum", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceMean", "ReduceL1"])
    return p.add(kind, "opset4", operands, keep)


def matmul(p):
    x = p.pick(lambda t: ranked(t) and t.type in ("f32", "f64", "i32", "f16"))
    t = p.values[x]
    n, columns, turned = t.shape[-1], p.rng.randint(1, 3), p.one_in(3)
    other = p.of(t.type, p.rng.choice([[n], [columns, n] if turned else [n, columns]]))
    if p.one_in(3) and t.rank >= 2:
        other = p.of(t.type, [t.shape[-2], columns])
        return p.add("MatMul", "opset1", [x, other], {"transpose_a": True})
    return p.add("MatMul", "opset1", [x, other], {"transpose_b": turned})


def topk(p):
    x = p.pick(lambda t: ranked(t) and number(t))
    axis = axis_in(p, p.values[x].rank)
    k = p.constant(Tensor("i64", p.rng.randint(1, p.values[x].shape[axis] + 1)))
    return p.add("TopK", "opset11", [x, k], {"axis": axis, "mode": p.rng.choice(["min", "max"]),
                                             "sort": p.rng.choice(["value", "index"]),
                                             "index_element_type": p.rng.choice(["i32", "i64"])}, 2)


# ---- bodies ----


def body_of(p, tensors, nodes):
    """A body whose parameters stand for TENSORS."""
    b = Program(p.rng, body=True)
    b.windows, b.read = p.windows, p.read
    names = []
    for t in tensors:
        name = b.name("b")
        b.inputs.append({"name": name, "type": t.type, "shape": b.declared(t.shape)})
        b.values[name] = t
        names.append(name)
    if not tensors:
        b.constant(b.elements("f32", (2, 3)))
    for _ in range(nodes):
        grow(b, False)
    return b, names


def results_of(b, wanted):
    """Names for results of the body's values, which are called apart from them."""
    b.outputs = [{"value": value, "name": f"r{i}"} for i, value in enumerate(wanted)]
    return [f"r{i}" for i in range(len(wanted))]


def if_(p):
    inputs = [p.pick() for _ in range(p.rng.randint(0, 2))]
    cond = p.of("boolean", () if p.one_in(2) else (1,))
    tensors = [p.values[n] for n in inputs]
    then, names = body_of(p, tensors, p.rng.randint(1, 3))
    otherwise, others = body_of(p, tensors, p.rng.randint(1, 3))
    y = p.rng.choice(list(then.values))
    fitting = [n for n, t in otherwise.values.items() if t.type == then.values[y].type]
    if not fitting:
        return None
    z = p.rng.choice(fitting)
    more = {"then_body": then.document(), "else_body": otherwise.document()}
    for key, b, params, value in (("then", then, names, y), ("else", otherwise, others, z)):
        result = results_of(b, [value])[0]
        more[f"{key}_body"] = b.document()
        more[f"{key}_port_map"] = {
            "input": [{"external_port_id": i + 1, "internal_layer_id": n} for i, n in enumerate(params)],
            "output": [{"external_port_id": 0, "internal_layer_id": result}]}
    return p.add("If", "opset8", [cond] + inputs, None, 1, more)


def carried(b, params, state):
    """For each parameter of STATE a value of the body that can come in its place: of the same type and shape."""
    found = []
    for i in state:
        t = b.values[params[i]]
        fitting = [n for n, v in b.values.items() if v.type == t.type and v.shape == t.shape]
        found.append(fitting[-1] if b.rng.randrange(3) else b.rng.choice(fitting))
    return found


def loop(p):
    inputs = [p.pick() for _ in range(p.rng.randint(1, 2))]
    tensors = [p.values[n] for n in inputs]
    iteration = Tensor("i64", 0)
    b, params = body_of(p, tensors + [iteration], p.rng.randint(1, 4))
    b.inputs[-1]["shape"] = []
    state = [i for i in range(len(inputs)) if p.rng.randrange(4)] or [0]
    back = carried(b, params, state)
    condition = b.constant(Tensor("boolean", True))
    if p.one_in(3):
        made = b.add("Less", "opset1", [params[-1], b.constant(Tensor("i64", p.rng.randint(-1, 3)))])
        condition = made[0] if made else condition
    scanned = [n for n, t in b.values.items() if t.rank >= 1 and t.array.size <= 40]
    scan = p.rng.choice(scanned) if scanned and p.one_in(2) else None
    names = results_of(b, [condition] + back + ([scan] if scan else []))
    ports_out = [{"external_port_id": -1, "internal_layer_id": names[0], "purpose": "execution_condition"}]
    ports_out += [{"external_port_id": i, "internal_layer_id": n} for i, n in enumerate(names[1:1 + len(back)])]
    if scan:
        ports_out.append({"external_port_id": len(back), "internal_layer_id": names[-1],
                          "axis": axis_in(p, b.values[scan].rank)})
    ports_in = [{"external_port_id": i + 2, "internal_layer_id": n} for i, n in enumerate(params[:-1])]
    ports_in.append({"external_port_id": -1, "internal_layer_id": params[-1], "purpose": "current_iteration"})
    trips = p.numbers([p.rng.randint(1 if scan else 0, 4)], ["i64", "i32"], p.one_in(2))
    start = p.constant(Tensor("boolean", not p.one_in(10) or bool(scan)))
    more = {"body": b.document(), "port_map": {"input": ports_in, "output": ports_out},
            "back_edges": [{"from-layer": names[1 + k], "to-layer": params[i]} for k, i in enumerate(state)]}
    return p.add("Loop", "opset5", [trips, start] + inputs, None, len(back) + bool(scan), more)


def iterate(p):
    x = p.pick(lambda t: ranked(t) and t.array.size)
    t = p.values[x]
    axis = p.rng.randrange(t.rank)
    part = p.rng.choice([d for d in (1, 2) if t.shape[axis] % d == 0])
    backward = p.one_in(3)
    port = {"external_port_id": 0, "axis": axis, "part_size": part, "stride": -part if backward else part}
    if backward:
        port.update(start=-1, end=0)
    piece = t.like(np.take(t.array, range(part), axis))
    other = p.pick() if p.one_in(2) else None
    b, params = body_of(p, [piece] + ([p.values[other]] if other else []), p.rng.randint(1, 3))
    port["internal_layer_id"] = params[0]
    joined = p.rng.choice([n for n, v in b.values.items() if v.rank >= 1])
    back = carried(b, params, [1]) if other else []
    names = results_of(b, [joined] + back)
    out = {"external_port_id": 0, "internal_layer_id": names[0], "axis": axis_in(p, b.values[joined].rank),
           "stride": p.rng.choice([1, 1, -1])}
    if out["stride"] == -1:
        out.update(start=-1, end=0)
    more = {"port_map": {"input": [port], "output": [out]}}
    if other:
        more["port_map"]["input"].append({"external_port_id": 1, "internal_layer_id": params[1]})
        more["port_map"]["output"].append({"external_port_id": 1, "internal_layer_id": names[1]})
        more["back_edges"] = [{"from-layer": names[1], "to-layer": params[1]}]
    more["body"] = b.document()
    return p.add("TensorIterator", "opset1", [x] + ([other] if other else []), None, 1 + bool(other), more)


# ---- variables ----


def read_variables(p):
    for k in range(p.rng.randint(1, 2) if p.one_in(3) else 0):
        t = p.values[p.pick()]
        shape = list(t.shape) if p.rng.randrange(4) else ["?" for _ in t.shape]
        name = f"v{k}"
        p.variables.append({"name": name, "type": t.type, "shape": shape})
        init = [p.of(t.type, t.shape)] if "?" in shape or p.rng.randrange(3) else []
        attributes = {"variable_id": name, "variable_type": t.type, "variable_shape": shape}
        p.add("ReadValue", "opset6", init, attributes)


def assign_variables(p):
    for row in p.variables:
        fitting = [n for n, t in p.values.items() if t.type == row["type"] and len(t.shape) == len(row["shape"])
                   and all(d in ("?", n) for d, n in zip(row["shape"], t.shape))]
        if fitting and p.rng.randrange(5):
            p.add("Assign", "opset6", [p.rng.choice(fitting[-4:])], {"variable_id": row["name"]})


# How often each kind of node is proposed.
PROPOSALS = [
    (slice_, 8), (write_back, 8), (slice_scatter, 6), (same_axis_windows, 6), (nested_windows, 5), (strided_slice, 4),
    (onnx_slice, 2), (concat, 4), (split, 4), (reshape, 3), (squeeze, 3), (unsqueeze, 3), (transpose, 3),
    (broadcast, 3), (tile, 1), (pad, 3), (turn, 3), (gather, 5), (scatter_update, 3),
    (scatter_elements, 4), (scatter_nd, 4), (mindspore_scatter, 2), (small_shapes, 2), (generate, 2),
    (unary, 5), (binary, 7), (logic, 4), (convert, 2), (there_and_back, 2), (reduce, 4), (matmul, 1),
    (topk, 1), (other_unary, 3), (shift_or_power, 2)]
BODIES = [(if_, 2), (loop, 2), (iterate, 2)]


def grow(p, bodies=True):
    rows = PROPOSALS + (BODIES if bodies else [])
    try:
        p.rng.choices([row[0] for row in rows], [row[1] for row in rows])[0](p)
    except Nothing:
        pass


def program(seed):
    """(document, inputs of each run)"""
    p = Program(random.Random(seed))
    main = p.rng.choice(TYPES)
    for _ in range(p.rng.randint(1, 3)):
        type_ = main if p.rng.randrange(3) else p.rng.choice(TYPES)
        shape = [p.rng.choice([1, 2, 2, 3, 3, 4, 5, 6, 0 if p.one_in(4) else 7]) for _ in range(p.rng.randint(0, 3))]
        if p.one_in(3):
            shape = [p.rng.randint(8, 16)] + p.rng.choice([[], [1], [2]])
        p.parameter(p.elements(type_, shape))
    read_variables(p)
    for _ in range(p.rng.randint(3, 14)):
        if not p.broken:
            grow(p)
    assign_variables(p)
    p.choose_outputs()
    document = {"format": "inlay-graph", "format_version": 1, "name": f"program-{seed}"}
    document.update(p.document())
    first = [p.values[row["name"]] for row in p.inputs]
    more = [[give(p.rng) for give in p.givers] for _ in range(2 if p.variables else 1)]
    return document, [first] + more
