"""Random programs of ONNX's operators on sequences, optionals and maps, run by plain lists of Python. Positions are
constants in some and inputs in others, so that some programs lose their sequences before they run."""

import random

import numpy as np

from onnx_model import block, node, number, tensor, type_of

ML = "ai.onnx.ml"
I64 = np.int64


class Sequence:
    """LIKE: an array of the type and rank of the items."""

    def __init__(self, items, like):
        self.items, self.like = items, like


class Optional:
    def __init__(self, item, like):
        self.item, self.like = item, like


class Map:
    def __init__(self, keys, values):
        self.keys, self.values = np.asarray(keys), np.asarray(values)


def element(x):
    return block(1, number(1, type_of(x)))


def type_proto(x):
    if isinstance(x, Sequence):
        return block(4, block(1, type_proto(x.like)))
    if isinstance(x, Optional):
        return block(9, block(1, type_proto(x.like)))
    if isinstance(x, Map):
        return block(5, number(1, type_of(x.keys)) + block(2, element(x.values[:1])))
    return element(x)


def value(x):
    """The bytes of a file that holds X."""
    if isinstance(x, Map):
        keys = b"".join(number(3, int(k)) if x.keys.dtype.kind == "i" else block(4, str(k)) for k in x.keys)
        return number(2, type_of(x.keys)) + keys + block(5, value(Sequence(list(x.values), x.values)))
    if isinstance(x, Optional):
        if x.item is None:
            return number(2, 1)
        inner = isinstance(x.item, Sequence)
        return number(2, 3 if inner else 1) + block(5 if inner else 3, value(x.item))
    if not isinstance(x, Sequence):
        return tensor(np.asarray(x))
    if isinstance(x.like, Map):
        return number(2, 4) + b"".join(block(6, value(m)) for m in x.items)
    return number(2, 1) + b"".join(block(3, tensor(np.asarray(i))) for i in x.items)


def port(name, x):
    return block(1, name) + block(2, type_proto(x))


def graph(nodes, inputs, outputs, constants=()):
    return (b"".join(block(1, n) for n in nodes) + block(2, "g") + b"".join(block(5, tensor(a, n)) for n, a in constants) +
            b"".join(block(11, port(n, x)) for n, x in inputs) + b"".join(block(12, port(n, x)) for n, x in outputs))


class Program:
    """VALUES: what each name stands for. FIXED: positions are constants."""

    def __init__(self, seed, fixed):
        self.r, self.fixed = random.Random(seed), fixed
        self.values, self.nodes, self.inputs, self.constants, self.results = {}, [], [], [], []

    def name(self, x):
        name = f"v{len(self.values)}"
        self.values[name] = x
        return name

    def given(self, x, constant=False):
        name = self.name(x)
        (self.constants if constant else self.inputs).append((name, x))
        return name

    def make(self, op, inputs, x, attributes=None, domain=""):
        name = self.name(x)
        self.nodes.append(node(op, inputs, [name], attributes, domain))
        return name

    def some(self, kind, test=lambda x: True):
        names = [n for n, x in self.values.items() if isinstance(x, kind) and test(x)]
        return self.r.choice(names) if names else None

    def floats(self):
        return self.some(np.ndarray, lambda x: x.dtype == np.float32 and x.ndim == 2 and x.size)

    def sequence(self, least=0):
        return self.some(Sequence, lambda s: isinstance(s.like, np.ndarray) and len(s.items) >= least)

    def position(self, n):
        """A position among N, from either end: the operand and the number from the front."""
        at = self.r.randrange(n)
        written = np.array(at - n if self.r.random() < 0.5 and n > 1 else at, I64)
        return self.given(written.reshape(1) if self.r.random() < 0.3 else written, self.fixed), at

    def construct(self):
        names = [self.floats() for _ in range(self.r.randint(1, 3))]
        return self.make("SequenceConstruct", names, Sequence([self.values[n] for n in names], self.values[names[0]]))

    def empty(self):
        return self.make("SequenceEmpty", [], Sequence([], np.zeros((1, 1), np.float32)), {"dtype": 1})

    def insert(self):
        s, t = self.sequence(), self.floats()
        items = list(self.values[s].items)
        if self.r.random() < 0.4 or not items:
            return self.make("SequenceInsert", [s, t], Sequence(items + [self.values[t]], self.values[s].like))
        # One behind the last counts only from the front: -n is the first of n.
        at = self.r.randrange(len(items) + 1)
        written = at - len(items) if at < len(items) and self.r.random() < 0.5 else at
        items.insert(at, self.values[t])
        return self.make("SequenceInsert", [s, t, self.given(np.array(written, I64), self.fixed)],
                         Sequence(items, self.values[s].like))

    def erase(self):
        s = self.sequence(1)
        items = list(self.values[s].items) if s else []
        if not s:
            return None
        if self.r.random() < 0.4:
            return self.make("SequenceErase", [s], Sequence(items[:-1], self.values[s].like))
        name, at = self.position(len(items))
        return self.make("SequenceErase", [s, name], Sequence(items[:at] + items[at + 1:], self.values[s].like))

    def at(self):
        s = self.sequence(1)
        if not s:
            return None
        name, at = self.position(len(self.values[s].items))
        return self.make("SequenceAt", [s, name], self.values[s].items[at])

    def length(self):
        s = self.sequence()
        return self.make("SequenceLength", [s], np.array(len(self.values[s].items), I64))

    def split(self):
        t = self.floats()
        x, axis = self.values[t], self.r.choice([0, 1, -1])
        n = x.shape[axis]
        how = self.r.randrange(3)
        if how == 0:
            parts = np.split(x, n, axis)
            return self.make("SplitToSequence", [t], Sequence(parts, x), {"axis": axis})
        if how == 1:
            size = self.r.randint(1, n)
            parts = np.split(x, range(size, n, size), axis)
            return self.make("SplitToSequence", [t, self.given(np.array(size, I64), self.fixed)], Sequence(parts, x),
                             {"axis": axis, "keepdims": 0})
        first = self.r.randint(0, n)
        return self.make("SplitToSequence", [t, self.given(np.array([first, n - first], I64), self.fixed)],
                         Sequence(np.split(x, [first], axis), x), {"axis": axis})

    def rows(self):
        """Without the axis, and joined again with a new one."""
        t = self.floats()
        x, axis = self.values[t], self.r.choice([0, 1])
        parts = [np.take(x, i, axis) for i in range(x.shape[axis])]
        s = self.make("SplitToSequence", [t], Sequence(parts, parts[0]), {"axis": axis, "keepdims": 0})
        to = self.r.choice([0, 1, -1])
        return self.make("ConcatFromSequence", [s], np.stack(parts, to), {"axis": to, "new_axis": 1})

    def concat(self):
        axis = self.r.choice([0, 1, -1])
        other = 1 - axis % 2
        s = self.some(Sequence, lambda s: isinstance(s.like, np.ndarray) and s.items and
                      all(i.ndim == 2 for i in s.items) and len({i.shape[other] for i in s.items}) == 1)
        return s and self.make("ConcatFromSequence", [s], np.concatenate(self.values[s].items, axis), {"axis": axis})

    def optional(self):
        x = self.r.choice([self.floats(), self.sequence()])
        v = self.values[x]
        o = self.make("Optional", [x], Optional(v, v))
        self.results.append(self.make("OptionalHasElement", [o], np.array(True)))
        return self.make("OptionalGetElement", [o], v)

    def branch(self):
        """An If that gives one of two sequences."""
        s, t = self.sequence(), self.floats()
        yes, x = self.r.random() < 0.5, self.values[s]
        longer = Sequence(x.items + [self.values[t]], x.like)
        then = graph([node("SequenceInsert", [s, t], ["longer"])], [], [("longer", longer)])
        other = graph([node("Identity", [s], ["same"])], [], [("same", x)])
        return self.make("If", [self.given(np.array(yes))], longer if yes else x,
                         {"then_branch": then, "else_branch": other})

    def loop(self):
        """A Loop that inserts the same tensor in front, some times."""
        s, t, count = self.sequence(), self.floats(), self.r.randrange(4)
        x = self.values[s]
        zero = np.array(0, I64)
        body = graph([node("SequenceInsert", ["carried", t, "front"], ["next"]), node("Identity", ["go"], ["on"])],
                     [("i", zero), ("go", np.array(True)), ("carried", x)], [("on", np.array(True)), ("next", x)],
                     [("front", zero)])
        return self.make("Loop", [self.given(np.array(count, I64)), self.given(np.array(True), True), s],
                         Sequence([self.values[t]] * count + x.items, x.like), {"body": body})

    def map(self):
        """The sum of each item and its number along axis 0."""
        s = self.sequence()
        x = self.values[s]
        body = graph([node("Neg", ["item"], ["less"])], [("item", x.like)], [("less", x.like)])
        return self.make("SequenceMap", [s], Sequence([-i for i in x.items], x.like), {"body": body})

    def step(self):
        kinds = [self.construct, self.empty, self.insert, self.insert, self.erase, self.at, self.at, self.length, self.split,
                 self.rows, self.concat, self.concat, self.optional, self.branch, self.loop, self.map]
        name = self.r.choice(kinds)()
        if name and (self.r.random() < 0.4 or isinstance(self.values[name], np.ndarray)):
            self.results.append(name)

    def write(self, folder, opset=18):
        sets = block(8, block(1, "") + number(2, opset)) + block(8, block(1, ML) + number(2, 3))
        outputs = [(n, self.values[n]) for n in dict.fromkeys(self.results)]
        data = folder / "test_data_set_0"
        data.mkdir(parents=True)
        body = graph(self.nodes, self.inputs, outputs, self.constants)
        (folder / "model.onnx").write_bytes(number(1, 8) + block(7, body) + sets)
        for prefix, values in (("input", self.inputs), ("output", outputs)):
            for i, (_, x) in enumerate(values):
                (data / f"{prefix}_{i}.pb").write_bytes(value(x))


def programs(s):
    rng = np.random.RandomState(11)
    for seed in range(24):
        p = Program(seed, seed % 2 == 0)
        for shape in ((2, 3), (2, 2), (1, 3)):
            p.given(rng.uniform(-1, 1, shape).astype(np.float32))
        if seed % 3 == 0:
            x = rng.uniform(-1, 1, (2, 3)).astype(np.float32)
            p.given(Sequence([x, x[:1]], x))
        p.construct()
        for _ in range(3 + seed // 2):
            p.step()
        p.results.append(p.length())
        p.write(s.folder / f"Sequence_18_{seed}")


def maps(s):
    x = np.float32([[0.25, 0.75], [1, 0]])
    p = Program(0, True)
    for labels, keys in (("classlabels_int64s", [3, 1]), ("classlabels_strings", ["no", "yes"])):
        rows = Sequence([Map(keys, row) for row in x], Map(keys, x[0]))
        p.results.append(p.make("ZipMap", [p.given(x)], rows, {labels: keys}, ML))
    p.write(s.folder / "ZipMap_1_labels")
    p = Program(0, True)
    words, numbers = Map(["b", "a"], np.float32([0.5, -2])), Map([7, 2, 5], np.float32([1.5, 2.5, -3]))
    by_word, by_number = p.given(words), p.given(numbers)
    p.results.append(p.make("DictVectorizer", [by_word], np.float32([[-2, 0, 0.5]]), {"string_vocabulary": ["a", "z", "b"]}, ML))
    p.results.append(p.make("DictVectorizer", [by_number], np.float32([[1.5, 0]]), {"int64_vocabulary": [7, 3]}, ML))
    p.results.append(p.make("CastMap", [by_number], np.float32([[2.5, -3, 1.5]]), None, ML))
    p.results.append(p.make("CastMap", [by_number], np.array([[0, 0, 2, 0, 0, -3, 0, 1]], I64),
                            {"map_form": "SPARSE", "max_map": 8, "cast_to": "TO_INT64"}, ML))
    p.write(s.folder / "DictVectorizer_1_maps")


def write(s):
    programs(s)
    maps(s)
