#!/usr/bin/python3
"""What ONNX Runtime copies in the cases of tests/in_place, as copied.c counts it: one line a case.

usage: copied.py BUILD LIBRARY. ONNX's text form is made binary by python3-onnx.
"""
import glob
import os
import subprocess
import sys
import tempfile

import onnx.parser

build, library = sys.argv[1:]
cases = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "in_place", "*.onnxtxt")
for path in sorted(glob.glob(cases)):
    with open(path, encoding="utf-8") as file:
        model = onnx.parser.parse_model("".join(line for line in file if not line.startswith("#")))
    with tempfile.NamedTemporaryFile(suffix=".onnx") as binary:
        binary.write(model.SerializeToString())
        binary.flush()
        said = subprocess.check_output([build + "/bench/copied", library, binary.name], text=True)
    print(os.path.basename(path)[: -len(".onnxtxt")], said.split()[-1])
