"""A graph of several operations with the results that it must have, written as tests/ops/README.md says of a case."""

import sys
import zlib
from pathlib import Path

import numpy as np

from case import Tensor
from case_text import attribute_text, expectation, tensor_text


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


class Net:
    """Nodes over constants. What a method gives is how the text refers to it: "%scores", "%split:1"."""

    written = []

    def __init__(self, name, about):
        self.name, self.about, self.lines, self.count = name, about, [], 0
        self.rng = np.random.RandomState(zlib.crc32(name.encode()))
        self.maker = Path(sys._getframe(1).f_code.co_filename).name
        Net.written.append(self)

    def floats(self, name, shape, lo=-1, hi=1, parts=64):
        """Multiples of 1/parts as an operand, and as an array of f64."""
        x = self.rng.randint(int(lo * parts), int(hi * parts) + 1, shape) / parts
        return self.constant(name, Tensor("f32", x)), x

    def constant(self, name, tensor):
        self.lines.append(tensor_text(tensor, f"  %{name} = Const {{value = ", "    ") + "}")
        return f"%{name}"

    def f32(self, name, x):
        return self.constant(name, Tensor("f32", x))

    def ints(self, name, *values):
        return self.constant(name, Tensor("i64", list(values)))

    def scalar(self, name, value, type_="i64"):
        return self.constant(name, Tensor(type_, value))

    def node(self, operation, *inputs, outputs=1, **attributes):
        """OPERATION as the text spells it, "Add-1". An input may be None: absent."""
        self.count += 1
        name = f"{operation.split('-')[0].lower()}_{self.count}"
        said = ", ".join(f"{k} = {attribute_text(k, x)}" for k, x in attributes.items())
        operands = ", ".join("none" if x is None else x for x in inputs)
        self.lines.append(f"  %{name}{f':{outputs}' if outputs > 1 else ''} = {operation}({operands})" +
                          (f" {{{said}}}" if said else ""))
        return f"%{name}" if outputs == 1 else [f"%{name}:{i}" for i in range(outputs)]

    def result(self, name, value, expected, type_="f32", atol=None, dynamic=False):
        self.lines.append(f"  %{name} = Result({value})")
        self.lines.append(expectation(name, Tensor(type_, expected), None, atol, dynamic)[:-1])

    def text(self):
        return "\n".join([f"// {self.about}", f"// Written by tests/reference/{self.maker}.", f'graph "{self.name}" {{',
                          *self.lines, "}", ""])
