"""What the extension module calls: all that is not hot."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import threading
import warnings
import weakref
from typing import Any, Callable, Dict, List, Optional, cast

import numpy as np

from . import _errors, _inlay

error = _errors.make

# Numpy has no such elements of its own: with ml_dtypes these come as its types, else as unsigned
# integers of their size.
_FOREIGN = {"bf16": "bfloat16", "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2",
            "f8e4m3fnuz": "float8_e4m3fnuz", "f8e5m2fnuz": "float8_e5m2fnuz",
            "f8e8m0": "float8_e8m0fnu"}
_NATIVE = {"boolean": "?", "f64": "f8", "f32": "f4", "f16": "f2", "i64": "i8", "i32": "i4",
           "i16": "i2", "i8": "i1", "u64": "u8", "u32": "u4", "u16": "u2", "u8": "u1",
           "c64": "c8", "c128": "c16"}


def _dtypes() -> Dict[str, Any]:
    dtypes = {name: np.dtype(code) for name, code in _NATIVE.items()}
    try:
        ml_dtypes: Any = importlib.import_module("ml_dtypes")
    except ImportError:
        ml_dtypes = None
    for name, foreign in _FOREIGN.items():
        known = getattr(ml_dtypes, foreign, None)
        dtypes[name] = np.dtype(known) if known else np.dtype("u2" if name == "bf16" else "u1")
    return dtypes


DTYPES = _dtypes()
_KIND = {name: kind for name, _bits, kind, _refused in _inlay.element_types()}
_given: Dict[int, Any] = {}  # donated arrays: the input's name by address
_watching: Dict[int, "weakref.ref[Any]"] = {}


def setup() -> None:
    from . import _hooks

    _inlay.setup(_hooks, np.ndarray, DTYPES, _given)


def main_thread() -> int:
    return threading.main_thread().ident or 0


def warn(file: Optional[str], line: int, text: str) -> None:
    place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
    warnings.warn(place + text, _errors.Warning, stacklevel=3)


def exception_text(e: BaseException) -> str:
    return f"{type(e).__name__}: {e}"


def _names(wanted: object, names: List[str], what: str) -> None:
    import difflib

    near = difflib.get_close_matches(str(wanted), names, 1)
    more = f', did you mean "{near[0]}"?' if near else f" (there are {', '.join(names) or 'none'})"
    raise TypeError(f'there is no {what} "{wanted}"{more}')


def no_input(name: object, graph: "_inlay.Graph") -> None:
    _names(name, [p.name for p in graph.parameters], "input")


def no_output(name: object, graph: "_inlay.Graph") -> None:
    _names(name, graph.result_names, "output")


def adapt(value: Any, name: str, use: int) -> Any:
    """VALUE as something with a buffer and elements of the type NAME ("dynamic": any)."""
    if name == "item":
        return _items(value)
    if use != 0 and not isinstance(value, np.ndarray):
        raise TypeError(f"a numpy array or an inlay.Tensor was expected, not {type(value)}")
    if not isinstance(value, (np.ndarray, list, tuple)):
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            return value
        if hasattr(value, "__array__"):
            value = np.asarray(value)
    if name == "string" or (isinstance(value, np.ndarray) and value.dtype.kind in "OSU"):
        return _strings(value)
    if _KIND.get(name) is not None and name not in DTYPES:
        return _packed(value, name)
    if not isinstance(value, np.ndarray):
        if name in _FOREIGN:
            return _packed(value, name)
        dtype = DTYPES.get(name)
        return np.asarray(value, dtype=dtype) if dtype is not None else np.asarray(value)
    return _plain(value, name, use)


def _plain(array: Any, name: str, use: int) -> Any:
    """An array whose type of elements has no buffer, or not in this machine's order of bytes."""
    for foreign in _FOREIGN:
        if array.dtype == DTYPES[foreign] and array.dtype.kind != "u":
            bits = (np.ascontiguousarray(array) if use == 0 else array).view(
                "u2" if foreign == "bf16" else "u1")
            return bits if name == foreign else _inlay.tensor(bits, foreign)
    if use == 0 and array.dtype.kind in "fiucb":
        return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))
    raise TypeError(f"elements of the type {array.dtype} are not known")


def _strings(value: Any) -> "_inlay.Tensor":
    array = np.asarray(value, dtype=object)
    flat = [x if isinstance(x, bytes) else str(x).encode() for x in array.reshape(-1)]
    return _inlay.strings(array.shape, flat)


def _packed(value: Any, name: str) -> "_inlay.Tensor":
    return _inlay.pack(np.ascontiguousarray(value, dtype="f8" if _KIND[name] == 2 else "i8"), name)


def _items(value: Any) -> "_inlay.Tensor":
    """A list is a sequence, a dict a map, anything else what is in an optional, None nothing."""
    if isinstance(value, dict):
        values = np.asarray(list(value.values()))
        if all(type(x) is float for x in value.values()):
            values = values.astype("f4")
        value = [np.asarray(list(value)), values]
    sequence = isinstance(value, (list, tuple))
    return _inlay.items([_item(x) for x in (value if sequence else [value])], sequence)


def _item(value: Any) -> Optional["_inlay.Tensor"]:
    if value is None or (isinstance(value, _inlay.Tensor) and value.readonly):
        return value
    if isinstance(value, (list, tuple, dict)):
        return _items(value)
    return _inlay.tensor(np.array(value))  # results may share the item, so it must not change


def array(tensor: "_inlay.Tensor", dtype: Any = None, copy: Optional[bool] = None) -> Any:
    """TENSOR as an array, without a copy where its elements are whole bytes."""
    name = tensor.type
    if name == "item":
        parts = [None if x is None else array(x) for x in tensor.items()]
        return parts if tensor.shape else parts[0]
    if name == "string":
        strings = [s.decode("utf-8", "replace") for s in tensor.strings()]
        made: Any = np.array(strings, dtype=object).reshape(tensor.shape)
    elif name not in DTYPES:
        made = np.asarray(memoryview(cast(Any, tensor.unpacked())))
    else:
        plain = tensor.bits() if name in _FOREIGN else tensor
        made = np.asarray(memoryview(cast(Any, plain)))
        made = made if made.dtype == DTYPES[name] else made.view(DTYPES[name])
    if dtype is not None and made.dtype != np.dtype(dtype):
        return made.astype(dtype)
    return made.copy() if copy else made


def gave_away(value: Any, name: str) -> None:
    """VALUE was donated as the input NAME: from now on it cannot be used."""
    if isinstance(value, _inlay.Tensor):
        value.give_away(name)
        return
    base = getattr(value, "base", None)
    if isinstance(base, _inlay.Tensor):
        base.give_away(name)
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
        key = id(value)
        _given[key] = name
        _watching[key] = weakref.ref(value, lambda _ref: _forget(key))


def _forget(key: int) -> None:
    _given.pop(key, None)
    _watching.pop(key, None)


def run_pass(function: Callable[..., Any], graph: "_inlay.Graph", run: "_inlay.PassRun") -> None:
    """Calls a pass, which takes the graph, and the run if it wants to."""
    takes_run = len(inspect.signature(function).parameters) > 1
    changed = function(graph, run) if takes_run else function(graph)
    if changed and not takes_run:
        run.changed(int(changed))


def dot(text: str) -> str:
    """What Graphviz's dot says of TEXT; empty where it is not there or takes too long."""
    try:
        done = subprocess.run(["dot", "-Tplain"], input=text, text=True, timeout=2,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def infer(function: Callable[..., Any], facts: List[Any], attrs: Dict[str, Any]) -> List[Any]:
    from ._tools import Fact

    operands = [Fact(*f) if f is not None else None for f in facts]
    made = function(*operands, **attrs)
    return [tuple(f) for f in (made if isinstance(made, list) else [made])]


def kernel(function: Callable[..., Any], operands: List[Any], attrs: Dict[str, Any]) -> List[Any]:
    made = function(*operands, **attrs)
    return list(made) if isinstance(made, (list, tuple)) else [made]
