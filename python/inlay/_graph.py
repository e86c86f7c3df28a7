"""Graphs: read, look at, build, change, save."""

from __future__ import annotations

import html
import os
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _inlay
from ._inlay import Graph, Node, Operations, Tensor, Value

Array = npt.NDArray[Any]
Size = Union[int, str]
Shape = Optional[Tuple[Size, ...]]
SHOWN = 60  # lines of a repr


class Port(NamedTuple):
    """An input, an output or a variable.

    shape: a size is a number, its name, "?" or an interval "1..8"; None: the rank is not known.
    """

    name: str
    type: str
    shape: Shape


def inputs(g: Graph) -> List[Port]:
    """The inputs of G in their order."""
    return [Port(p.name, p.outputs[0].type, p.outputs[0].shape) for p in g.parameters]


def outputs(g: Graph) -> List[Port]:
    """The outputs of G in their order."""
    values = [r.inputs[0] for r in g.results]
    return [Port(name, v.type, v.shape) for name, v in zip(g.result_names, values) if v]


def variables(g: Graph) -> List[Port]:
    """The variables of G."""
    return [Port(*row) for row in g.variable_list]


def read(path: Union[str, "os.PathLike[str]"], *, weights: Optional[str] = None,
         allow_unknown: bool = False, max_memory: int = 0,
         overrides: Optional[Sequence[str]] = None, follow_links: bool = False,
         random_weights: Optional[int] = None,
         operations: Optional[Operations] = None) -> Graph:
    """Reads the graph in a file: ONNX, OpenVINO IR, JSON or the text form.

    max_memory: in bytes, 0: no limit. random_weights: a seed; constants are made up then.
    operations: what `inlay.operations` made.
    """
    return _inlay.read(os.fspath(path), weights=weights, allow_unknown=allow_unknown,
                       max_memory=max_memory,
                       overrides=list(overrides) if overrides is not None else None,
                       follow_links=follow_links, random_weights=random_weights,
                       operations=operations)


def parse(text: Union[str, bytes], name: str = "text", *,
          operations: Optional[Operations] = None) -> Graph:
    """Reads a graph from a str or bytes, in any of the formats."""
    data = text.encode() if isinstance(text, str) else text
    return _inlay.read(name, data, operations=operations)


def _save(self: Graph, path: Union[str, "os.PathLike[str]"], *, weights: Optional[str] = None,
          ir_version: int = 0) -> None:
    """Writes the graph; the ending says how: .xml (with .bin), .json, .inlay."""
    self.write(os.fspath(path), weights, ir_version)


def _repr(self: Graph) -> str:
    lines = self.text().rstrip("\n").split("\n")
    if len(lines) > SHOWN:
        left = len(lines) - SHOWN
        half = SHOWN // 2
        lines = lines[:half] + [f"  ... {left} lines more, see text() ..."] + lines[-half:]
    return "\n".join(lines)


def _page(self: Graph, path: Union[None, str, "os.PathLike[str]"] = None, *,
          title: Optional[str] = None) -> str:
    """The page of HTML that `inlay view` writes; with PATH it is written there, too."""
    text = _inlay.page(self, title)
    if path is not None:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    return text


def _repr_html(self: Graph) -> str:
    text = html.escape(_page(self))
    return f'<iframe srcdoc="{text}" style="width:100%;height:30em;border:0"></iframe>'


def _constant(self: Graph, value: Any, name: str = "constant", type: Optional[str] = None) -> Value:
    """A constant: an array, a number (i64, f32) or a list."""
    if not isinstance(value, (Tensor, np.ndarray)) and type is None:
        value = np.asarray(value)
        value = value.astype("f4") if value.dtype == np.float64 else value
    tensor = value if isinstance(value, Tensor) else _inlay.tensor(value, type)
    return self.build_constant(name, tensor)


def _value_of(g: Graph, x: Any) -> Optional[Value]:
    if x is None or isinstance(x, Value):
        return x
    if isinstance(x, Node):
        if len(x.outputs) != 1:
            raise ValueError(f'the node "{x.name}" has {len(x.outputs)} outputs; name one of them')
        return x.outputs[0]
    return _constant(g, x)


def _parameter(self: Graph, name: str, type: str, shape: Any = None) -> Value:
    """An input: parameter("x", "f32", [1, "batch", None])."""
    return self.build_parameter(name, type, shape)


def _add(self: Graph, operation: str, *operands: Any, name: Optional[str] = None,
         **attrs: Any) -> Node:
    """A node: add("MaxPool@opset8", x, strides=[2, 2], ...). Numbers and arrays become constants.

    An attribute whose name is a word of Python, or `name`, is given with an underscore behind it.
    """
    values = [_value_of(self, x) for x in operands]
    named = {k[:-1] if k.endswith("_") else k: v for k, v in attrs.items()}
    return self.build(operation, name or operation.split("@")[0], values, named)


def _result(self: Graph, value: Any, name: Optional[str] = None) -> Node:
    """An output of the graph."""
    v = _value_of(self, value)
    if v is None:
        raise TypeError("an output needs a value")
    return self.build_result(name or v.name, v)


def _replace(self: Node, by: Any) -> None:
    """Has BY (a value, a node or a constant) read in place of this node, and removes the node."""
    v = _value_of(self.graph, by)
    if v is None:
        raise TypeError("a value is needed")
    self.outputs[0].replace_by(v)
    self.remove()


def _graphs(self: Graph) -> List[Graph]:
    """This graph and all bodies below it."""
    found = [self]
    for node in self.nodes:
        for body in node.bodies.values():
            found += _graphs(body)
    return found


def _carry(self: Graph, pairs: Dict[str, str]) -> None:
    """Makes states of outputs that are inputs of the next run: {"cache_out": "cache"}."""
    for output, given in pairs.items():
        names = [p.name for p in self.parameters]
        if output not in self.result_names or given not in names:
            raise ValueError(f'no output "{output}" and input "{given}" to carry; there are '
                             f"{self.result_names} and {names}")
        self.carry_one(self.result_names.index(output), names.index(given))


def _eq(self: Graph, other: object) -> bool:
    if not isinstance(other, Graph):
        return False
    return self.compare(other)[0]


def _attach() -> None:
    """The types are made in C; what is not hot of their methods is here."""
    more: Dict[type, Dict[str, Any]] = {
        Graph: {"save": _save, "__repr__": _repr, "_repr_html_": _repr_html, "page": _page,
                "constant": _constant, "parameter": _parameter, "add": _add, "result": _result,
                "graphs": _graphs, "carry": _carry, "__eq__": _eq, "__hash__": object.__hash__,
                "__iter__": lambda self: iter(self.nodes),
                "values": property(lambda self: [v for n in self.nodes for v in n.outputs]),
                "inputs": property(inputs), "outputs": property(outputs),
                "variables": property(variables)},
        Node: {"replace": _replace},
    }
    for kind, members in more.items():
        for name, member in members.items():
            setattr(kind, name, member)


_attach()
