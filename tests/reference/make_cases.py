#!/usr/bin/env python3
"""Remakes tests/ops: cases of operations with the results they must have.

Needs numpy and nothing else. A case is written when ir/ops/*.def have a row for its operation; the
same sources give the same files. See case.py for what a case is.
"""

import re
import shutil
from pathlib import Path

import elementwise
import moves
import networks
import normalize
import reduce
import scatter
import windows
from case import Case

ROOT = Path(__file__).resolve().parents[2]


def known_operations():
    rows = "".join(f.read_text() for f in sorted((ROOT / "ir/ops").glob("*.def")))
    return set(re.findall(r'^OP\("([^"]+)"', rows, re.M))


def main():
    for family in (elementwise, reduce, networks, normalize, moves, windows, scatter):
        family.make()
    folder = ROOT / "tests/ops"
    shutil.rmtree(folder, ignore_errors=True)
    known, missing = known_operations(), set()
    for case in Case.written:
        if case.op in known:
            case.write(folder)
        else:
            missing.add(case.op)
    print(f"{sum(c.op in known for c in Case.written)} cases written")
    if missing:
        print("not in the table of operations:", ", ".join(sorted(missing)))


if __name__ == "__main__":
    main()
