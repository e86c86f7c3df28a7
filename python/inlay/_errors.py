"""Errors and warnings. Each error says where: file, line, node."""

from __future__ import annotations

import re
from typing import List, Optional

_NODE = re.compile(r'^[^"\n]{0,40}"(?P<name>.*?)" \((?P<op>[^()\s]+)\): ')


class Error(Exception):
    """What the library refuses, in its own words.

    file, line: where, or None. node: the name of the node that it is about, or None.
    op: the operation of that node. notes: what was said beside it.
    """

    def __init__(self, text: str, file: Optional[str] = None, line: Optional[int] = None,
                 notes: Optional[List[str]] = None) -> None:
        place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
        super().__init__(place + text)
        found = _NODE.match(text)
        self.text = text
        self.file = file
        self.line = line
        self.node = found["name"] if found else None
        self.op = found["op"] if found else None
        self.notes = notes or []


class InvalidError(Error, ValueError):
    """A model, an input or an argument is wrong."""


class ResourceError(Error, RuntimeError):
    """Memory, a limit or a file is wanting; or the run was cancelled."""


class Warning(UserWarning):
    """What can be read but looks wrong."""


def make(status: int, file: Optional[str], line: int, text: str, notes: List[str]) -> Error:
    kind = ResourceError if status == 3 else InvalidError
    return kind(text, file, line or None, notes)
