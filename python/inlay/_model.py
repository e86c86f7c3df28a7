"""Models: load, run, sessions."""

from __future__ import annotations

import os
from collections.abc import MutableMapping
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

from . import _graph, _inlay
from ._inlay import Graph, Model, Operations, Rules, Session
from ._tools import Passes, optimize


def load(source: Union[str, "os.PathLike[str]", Graph], *, passes: Passes = None,
         rules: Sequence[Union[Rules, str]] = (), executor: str = "planned",
         kernels: str = "portable", threads: int = 0, max_memory: int = 0,
         max_iterations: int = 0, instances: int = 0, keep: Sequence[str] = (),
         dims: Optional[Dict[str, int]] = None, shapes: Optional[Dict[str, Any]] = None,
         carry: Optional[Dict[str, str]] = None, weights: Optional[str] = None,
         random_weights: Optional[int] = None,
         operations: Optional[Operations] = None) -> Model:
    """Reads, optimises and compiles a model; SOURCE is a file or a graph, which is copied.

    executor: "planned" or "reference". kernels: "portable", "reference" or "onednn".
    threads: how many compute at a time, 0: as many as there are processors.
    max_memory: bytes at any time; max_iterations: of all loops of a run; 0: no limit.
    keep: names of values that a session keeps. dims: sizes by name; shapes: by name of input.
    carry: outputs that are inputs of the next run, as states of a session.
    """
    g = source.copy() if isinstance(source, Graph) else _graph.read(
        source, weights=weights, max_memory=max_memory, random_weights=random_weights,
        operations=operations)
    for name, shape in (shapes or {}).items():
        g[name].set("shape", shape)
    if shapes:
        g.infer()
    for name, size in (dims or {}).items():
        g.set_dim(name, size)
    if carry:
        g.carry(carry)
    done = optimize(g, passes=passes, rules=rules, max_memory=max_memory)
    return compile(done, executor=executor, kernels=kernels, threads=threads,
                   max_memory=max_memory, max_iterations=max_iterations, instances=instances,
                   keep=keep)


def compile(g: Graph, *, executor: str = "planned", kernels: str = "portable", threads: int = 0,
            max_memory: int = 0, max_iterations: int = 0, instances: int = 0,
            keep: Sequence[str] = ()) -> Model:
    """A model of a copy of G as it is: no pass runs."""
    return _inlay.Model(g.copy(), executor=executor, kernels=kernels, threads=threads,
                        max_memory=max_memory, max_iterations=max_iterations,
                        instances=instances, keep=tuple(keep))


class Variables(MutableMapping[str, Any]):
    """The variables of a session: arrays by name; None is a variable in the reset state."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._names = [v.name for v in _graph.variables(session.model.graph)]

    def _number(self, name: str) -> int:
        if name not in self._names:
            raise KeyError(name)
        return self._names.index(name)

    def __getitem__(self, name: str) -> Optional[_graph.Array]:
        return self._session.get_variable(self._number(name))

    def __setitem__(self, name: str, value: Any) -> None:
        self._session.set_variable(self._number(name), value)

    def __delitem__(self, name: str) -> None:
        self._session.set_variable(self._number(name), None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<inlay.Variables {', '.join(self._names)}>"


def _kept(self: Session) -> Dict[str, Optional[_graph.Array]]:
    return {name: self.get_kept(i) for i, name in enumerate(self.keep)}


def _repr(self: Model) -> str:
    def ports(list_: List[_graph.Port]) -> str:
        return ", ".join(f"{p.name}: {p.type}[{','.join(map(str, p.shape))}]"
                         if p.shape is not None else f"{p.name}: {p.type}[...]" for p in list_)

    return f"<inlay.Model {self.graph.name}({ports(self.inputs)}) -> {ports(self.outputs)}>"


def _attach() -> None:
    more: Dict[type, Dict[str, Any]] = {
        Model: {"inputs": property(lambda self: _graph.inputs(self.graph)),
                "outputs": property(lambda self: _graph.outputs(self.graph)),
                "__repr__": _repr},
        Session: {"variables": property(Variables), "kept": property(_kept)},
    }
    for kind, members in more.items():
        for name, member in members.items():
            setattr(kind, name, member)


_attach()
