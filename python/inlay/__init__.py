"""Inlay: an IR, an optimiser and an interpreter of tensor programs.

    m = inlay.load("model.onnx")
    y = m(x)

docs/python.md is a tutorial. Arrays of numpy go in and come out without a copy; what comes out is
read-only, because it may share its memory with a constant or an input.
"""

from __future__ import annotations

from typing import Any, Optional

from . import _hooks, _inlay

_hooks.setup()

from ._errors import Error, InvalidError, ResourceError, Warning
from ._graph import Port, parse, read
from ._inlay import (Graph, Model, Node, Operations, PassRun, Rules, Session, Tensor, Value)
from ._model import compile, load
from ._tools import (Application, Check, Copy, Culprit, Decision, Decisions, Difference, Fact,
                     InPlace, Pair, Plan, Proof, Reduced, Refusal, Step, ValuePlan, Verdict,
                     bisect, diff, first_difference, make_inputs, operation, operations, optimize,
                     passes, plan, reduce, rule, verify)

__version__: str = _inlay.version()


def tensor(value: Any, type: Optional[str] = None) -> Tensor:
    """VALUE, which has a buffer or speaks DLPack, without a copy; or a list. type: "bf16", ..."""
    return _inlay.tensor(value, type)


def from_dlpack(value: Any) -> Tensor:
    """A tensor of another framework, in the memory of the CPU, without a copy."""
    return _inlay.from_dlpack(value)


def empty(shape: Any, type: str = "f32") -> Tensor:
    """A writable tensor of zeros, in memory of the library: for `out`, or to donate."""
    return _inlay.empty(shape, type)


__all__ = ["Application", "Check", "Copy", "Culprit", "Decision", "Decisions", "Difference",
           "Error", "Fact", "Graph", "InPlace", "InvalidError", "Model", "Node", "Operations",
           "Pair", "PassRun", "Plan", "Port", "Proof", "Reduced", "Refusal", "ResourceError",
           "Rules", "Session", "Step", "Tensor", "Value", "ValuePlan", "Verdict", "Warning",
           "bisect", "compile", "diff", "empty", "first_difference", "from_dlpack", "load",
           "make_inputs", "operation", "operations", "optimize", "parse", "passes", "plan",
           "read", "reduce", "rule", "tensor", "verify"]
