#!/usr/bin/env python3
"""Writes the cases of tests/ops whose results numpy computes; those written by hand stay as they are. Writes
tests/subgraphs.

usage: make_cases.py [--check] [INLAY], where INLAY is the command, whose table of operations says what operands
are called. --check writes nothing, and says which files would be others. Needs numpy and nothing else. A case
is written when the table has a row for its operation; the same sources give the same files.
"""

import sys
from pathlib import Path

import attention
import colors
import compressed
import ctc
import detection
import detectors
import einsum
import elementwise
import ends
import heads
import images
import moves
import networks
import normalize
import onnx_types
import quantized
import readers
import recurrent
import reduce
import rois
import scatter
import second_stages
import sequences
import signals
import sounds
import sparse
import strings
import sums
import suppression
import tables
import values
import windows
from case import Case
from case_text import Operations
from nets import Net

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
MARK = "// Written by tests/reference/"


def kept_files():
    """The files of tests/ops and tests/subgraphs that this program wrote, by their paths in tests."""
    files = [*TESTS.glob("ops/*/*.cases"), *TESTS.glob("subgraphs/*.inlay")]
    texts = {str(path.relative_to(TESTS)): path.read_text(encoding="utf-8") for path in files}
    return {path: text for path, text in texts.items() if MARK in text}


def made_files(operations):
    for family in (elementwise, reduce, networks, normalize, recurrent, einsum, moves, windows, scatter, onnx_types,
                   images, attention, colors, compressed, quantized, ctc, signals, sparse, strings, tables,
                   rois, suppression, detection, heads, values, detectors, second_stages,
                   sequences, readers, sounds, ends, sums):
        family.make()
    return {**Case.files(operations), **{f"subgraphs/{net.name}.inlay": net.text() for net in Net.written}}


def main(arguments):
    check = arguments[:1] == ["--check"]
    inlay = (arguments[check:] or [ROOT / "build/inlay"])[0]
    old, new = kept_files(), made_files(Operations(inlay))
    others = sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))
    for path in [] if check else others:
        if path in new:
            (TESTS / path).parent.mkdir(parents=True, exist_ok=True)
            (TESTS / path).write_text(new[path], encoding="utf-8")
        else:
            (TESTS / path).unlink()
    print(f"{len(new)} files, {len(others)} of them {'would be' if check else 'were'} others")
    for path in others[:20]:
        print(path)
    return int(check and len(others) > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
