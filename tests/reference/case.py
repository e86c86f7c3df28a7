"""A test case of operations: operands, nodes, and the results they must have.

One case is two files: a JSON graph without inputs, whose operands are constants, and beside it
NAME.expect.json with one entry per output. An entry without "ulp" and "atol" must be met exactly
(NaN by NaN); with them each element must be met to so many units in the last place of its type, or
to that absolute difference. "dynamic" says that inference need not find the shape. The expected values are computed by numpy or by plain loops written
from the operation specifications, never by the program under test.
"""

import json
import zlib
from pathlib import Path

import numpy as np

# Element type -> the numpy type that carries it here. bf16 is carried by the f32 it stands for, the
# packed types by bytes.
CARRIER = {
    "f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.float32,
    "i64": np.int64, "i32": np.int32, "i16": np.int16, "i8": np.int8, "i4": np.int8,
    "u64": np.uint64, "u32": np.uint32, "u16": np.uint16, "u8": np.uint8, "u4": np.uint8,
    "u1": np.uint8, "boolean": np.bool_, "string": object,
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


def element_text(type_, x):
    if type_ == "string":
        return json.dumps(x)
    if type_ == "boolean":
        return "true" if x else "false"
    if type_ not in FLOATS:
        return f'"{int(x)}"' if abs(int(x)) >= 2**53 else str(int(x))
    if np.isnan(x):
        return '"nan"'
    if np.isinf(x):
        return '"inf"' if x > 0 else '"-inf"'
    text = str(x)
    return text[:-2] if text.endswith(".0") and text != "-0.0" else text


def tensor_members(tensor):
    """The JSON members type, shape, data."""
    data = ", ".join(element_text(tensor.type, x) for x in tensor.array.reshape(-1))
    shape = ", ".join(map(str, tensor.shape))
    return f'"type": "{tensor.type}", "shape": [{shape}], "data": [{data}]'


class Case:
    """Collects constants and nodes; every output of every node is checked."""

    written = []

    def __init__(self, op, name):
        self.op, self.name = op, name
        self.constants, self.nodes, self.outputs, self.expected = {}, [], [], []
        # A stream of its own: a new case changes no other one.
        self.rng = np.random.RandomState(zlib.crc32(f"{op}/{name}".encode()))
        Case.written.append(self)

    def const(self, tensor):
        """The name of a constant with this content."""
        return self.constants.setdefault(tensor_members(tensor), f"c{len(self.constants)}")

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
        several = isinstance(expected, list)
        name = f"n{len(self.nodes)}"
        values = [f"{name}_{i}" for i in range(len(expected))] if several else [name]
        fields = [f'"name": "{name}"', f'"type": "{op or self.op}"']
        if version:
            fields.append(f'"version": "{version}"')
        names = ["" if t is None else self.const(t) for t in inputs]
        fields.append(f'"inputs": {json.dumps(names)}')
        if several:
            fields.append(f'"outputs": {json.dumps(values)}')
        if attributes:
            fields.append(f'"attributes": {json.dumps(spelled(attributes))}')
        self.nodes.append("{" + ", ".join(fields) + "}")
        self.outputs += values
        for tensor in expected if several else [expected]:
            entry = tensor_members(tensor)
            entry += f', "ulp": {ulp}' if ulp else ""
            entry += f', "atol": {atol}' if atol else ""
            entry += ', "dynamic": true' if dynamic else ""
            self.expected.append("{" + entry + "}")

    def write(self, root):
        folder = Path(root) / self.op
        folder.mkdir(parents=True, exist_ok=True)
        constants = ['{"name": "%s", %s}' % (name, body) for body, name in self.constants.items()]
        graph = "\n".join([
            "{",
            '  "format": "inlay-graph", "format_version": 1, "name": "%s",' % self.name,
            '  "inputs": [],',
            listing("constants", constants) + ",",
            listing("nodes", self.nodes) + ",",
            '  "outputs": ' + json.dumps(self.outputs),
            "}", ""])
        expect = "\n".join(["{", listing("outputs", self.expected), "}", ""])
        (folder / f"{self.name}.json").write_text(graph, encoding="utf-8")
        (folder / f"{self.name}.expect.json").write_text(expect, encoding="utf-8")


def spelled(attribute):
    """Integers that a double does not hold are written as strings."""
    if isinstance(attribute, dict):
        return {name: spelled(x) for name, x in attribute.items()}
    if isinstance(attribute, list):
        return [spelled(x) for x in attribute]
    return str(attribute) if type(attribute) is int and abs(attribute) >= 2**53 else attribute


def listing(name, rows):
    return f'  "{name}": [\n    ' + ",\n    ".join(rows) + "\n  ]"
