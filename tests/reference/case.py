"""A test case of operations: operands, a node, and the results they must have.

The expected values are computed by numpy or by plain loops written from the operation specifications,
never by the program under test. A case is written as tests/ops/README.md says, one for each node.
"""

import sys
import zlib
from pathlib import Path

import numpy as np

from case_text import case_text, operand_names

# Element type -> the numpy type that carries it here. bf16 is carried by the f32 it stands for, smaller floats likewise, the
# packed types by bytes.
CARRIER = {
    "f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.float32,
    "i64": np.int64, "i32": np.int32, "i16": np.int16, "i8": np.int8, "i4": np.int8,
    "u64": np.uint64, "u32": np.uint32, "u16": np.uint16, "u8": np.uint8, "u4": np.uint8,
    "u1": np.uint8, "i2": np.int8, "u2": np.uint8, "boolean": np.bool_, "string": object,
    "f8e4m3": np.float32, "f8e5m2": np.float32, "f8e4m3fnuz": np.float32, "f8e5m2fnuz": np.float32,
    "f8e8m0": np.float64, "f4e2m1": np.float32,
}
FLOATS = ["f64", "f32", "f16", "bf16"]
SIGNED = ["i64", "i32", "i16", "i8"]
UNSIGNED = ["u64", "u32", "u16", "u8"]
INTEGERS = SIGNED + UNSIGNED
NUMERIC = FLOATS + INTEGERS
# What a data movement operation must carry, packed types included.
MOVED = NUMERIC + ["boolean", "i4", "u4", "u1"]


class Tensor:
    """An element type and a numpy array of its carrier."""

    def __init__(self, type_, array):
        self.type = type_
        self.array = np.asarray(array, dtype=CARRIER[type_])

    @property
    def shape(self):
        return self.array.shape

    def like(self, array):
        return Tensor(self.type, array)


class Refused:
    """Stands for the result of a node that must be refused, with a message that has TEXT in it."""

    def __init__(self, text):
        self.text = text


def to_bf16(x):
    """f32 values rounded to the nearest bf16, ties to even."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    finite = np.isfinite(np.asarray(x, np.float32))
    return np.where(finite, rounded, bits).astype(np.uint32).view(np.float32)


def rounded(type_, array):
    """Results computed in f64 (or as Python integers) as the type keeps them: one rounding for
    f32, by way of f32 for f16 and bf16; integers wrap."""
    if type_ in INTEGERS:
        bits = np.iinfo(CARRIER[type_]).bits
        half = 2 ** (bits - 1) if type_ in SIGNED else 0
        wrapped = (np.asarray(array, dtype=object) + half) % 2**bits - half
        return Tensor(type_, np.asarray(wrapped, dtype=object).astype(CARRIER[type_]))
    with np.errstate(over="ignore"):
        if type_ == "f16":
            return Tensor(type_, np.asarray(array, np.float32).astype(np.float16))
        if type_ == "bf16":
            return Tensor(type_, to_bf16(np.asarray(array).astype(np.float32)))
        return Tensor(type_, np.asarray(array).astype(CARRIER[type_]))


def exact(tensor):
    """The elements for exact arithmetic: f64, or Python integers of any size."""
    if tensor.type in FLOATS:
        return tensor.array.astype(np.float64)
    return tensor.array.astype(object)


class Case:
    """Nodes over constants, with the results they must have: a case each, NAME of its first word."""

    written = []

    def __init__(self, op, name):
        self.op, self.name, self.nodes = op, name, []
        # A stream of its own: a new case changes no other one.
        self.rng = np.random.RandomState(zlib.crc32(f"{op}/{name}".encode()))
        self.maker = Path(sys._getframe(1).f_code.co_filename).name
        Case.written.append(self)

    def i64(self, *values):
        return Tensor("i64", list(values))

    def scalar(self, type_, value):
        return Tensor(type_, value)

    def floats(self, type_, shape, lo=-4, hi=4, parts=8):
        """Multiples of 1/parts: few bits, so that sums and products of some of them are exact."""
        return Tensor(type_, self.rng.randint(lo * parts, hi * parts + 1, shape) / parts)

    def ints(self, type_, shape, lo, hi):
        return Tensor(type_, self.rng.randint(lo, hi, shape))

    def values(self, type_, shape):
        """Any values the type holds."""
        if type_ in FLOATS:
            return self.floats(type_, shape)
        if type_ == "string":
            words = np.array(["", "a", "bc", "d\u00e9f", "\u4e2d", "quo\"te"], object)
            return Tensor(type_, words[self.rng.randint(0, len(words), shape)])
        lo, hi = {"boolean": (0, 2), "u1": (0, 2), "u4": (0, 16), "i4": (-8, 8)}.get(
            type_, (0 if type_ in UNSIGNED else -100, 101))
        return self.ints(type_, shape, lo, hi)

    def distinct(self, type_, shape):
        """No value twice, in no order: every misplaced element shows."""
        count = int(np.prod(shape, dtype=int))
        return Tensor(type_, self.rng.permutation(count).reshape(shape) + 1)

    def node(self, inputs, expected, attributes=None, version=None, op=None, ulp=None, atol=None,
             dynamic=False):
        """A node over tensors (None: absent); expected is a tensor, or a list of one per output.
        dynamic: the shape depends on the data, so inference need not find it."""
        self.nodes.append(Node(op or self.op, inputs, expected, attributes or {}, version, (ulp, atol, dynamic)))

    def texts(self, operations):
        """(the operation, the name of the case, its text) of each node."""
        for node, name in zip(self.nodes, case_names(self.name, self.nodes, operations)):
            yield node.op, name, node.text(operations)

    @staticmethod
    def files(operations):
        """The files of all cases, by their paths in tests: one for each operation and script."""
        texts = {}
        for case in Case.written:
            for op, name, text in case.texts(operations) if operations.has(case.op) else ():
                cases = texts.setdefault(f"ops/{op}/{Path(case.maker).stem}.cases",
                                         {"": f"// Written by tests/reference/{case.maker}.\n"})
                if name in cases:
                    raise ValueError(f"two cases of {op} are called {name}")
                cases[name] = text
        return {path: "\n".join(f"case {name}\n{text}" if name else text for name, text in cases.items())
                for path, cases in texts.items()}


class Node:
    def __init__(self, op, inputs, expected, attributes, version, tolerance):
        self.op, self.inputs, self.expected, self.attributes = op, inputs, expected, attributes
        self.version, self.tolerance = version, tolerance

    def text(self, operations):
        return case_text(operations.row(self.op, self.version), self.version, self.inputs, self.expected,
                         self.attributes, self.tolerance)

    def facts(self, operations):
        """What tells it from others, the most telling first: (what it is about, how a name says it)."""
        for name, x in self.attributes.items():
            if isinstance(x, bool):
                yield name, name if x else ""
            else:
                yield name, f"{name}={words_of(x if isinstance(x, list) else [x])}"
        yield "version", self.version or ""
        names = operand_names(operations.row(self.op, self.version), len(self.inputs))
        operands = [(name, t) for name, t in zip(names, self.inputs) if t is not None]
        yield "type", operands[0][1].type
        for name, t in operands[1:]:
            yield f"type of {name}", f"{name}={t.type}"
        for name, t in operands:
            yield f"shape of {name}", "x".join(map(str, t.shape)) or "scalar"
        for name, t in operands:
            if t.type[0] in "iu" and t.array.ndim < 2 and t.array.size <= 4:
                yield f"elements of {name}", f"{name}={words_of(t.array.reshape(-1)) or 'none'}"


EXTREMES = {2**63 - 1: "max", -(2**63): "min", 2**31 - 1: "max32", -(2**31): "min32"}


def words_of(items):
    return "_".join(str(EXTREMES.get(x, x) if isinstance(x, (int, np.integer)) else x) for x in items)


def case_names(case, nodes, operations):
    """The name of the case, with as few facts as tell its nodes apart; a number where none does."""
    facts = [dict(node.facts(operations)) for node in nodes]

    def names(chosen):
        return [",".join([case.replace("_", "-")] + [f[key] for key in chosen if f.get(key)]) for f in facts]

    chosen = []
    for key in dict.fromkeys(key for f in facts for key in f):
        if len(set(names(chosen + [key]))) > len(set(names(chosen))):
            chosen.append(key)
    for key in list(chosen):  # those that later ones have made superfluous
        rest = [other for other in chosen if other != key]
        chosen = rest if len(set(names(rest))) == len(set(names(chosen))) else chosen
    found = names(chosen)
    return [f"{name},{found[:i].count(name) + 1}" if found.count(name) > 1 else name for i, name in enumerate(found)]
