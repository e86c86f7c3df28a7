"""The stubs: mypy finds nothing, and they name what is there, no more and no less."""

import ast
import os
import re
import subprocess
import sys
import tempfile
import unittest

from inlay import _inlay

USE = '''
import inlay
import numpy as np

m = inlay.load("m.onnx", threads=2)
y: object = m(np.zeros(3), x=[1, 2])
name: str = m.inputs[0].name
out = m.run({"x": [1]}, donate=["x"])["y"]
d = inlay.optimize("m.onnx", explain=True)
v: bool = bool(inlay.verify("a", "b"))
for node in inlay.read("m.onnx"):
    s: str = node.op
bad: int = m.inputs[0].name
'''


class Types(unittest.TestCase):
    def test_stubs_name_what_is_there(self):
        with open("python/inlay/_inlay.pyi", encoding="utf-8") as f:
            module = ast.parse(f.read())
        wrong = []
        for item in module.body:
            if isinstance(item, ast.ClassDef):
                kind = getattr(_inlay, item.name)
                said = {m.name for m in item.body if isinstance(m, ast.FunctionDef)}
                there = {n for n in vars(kind) if not n.startswith("__")}
                wrong += [f"{item.name}.{n}" for n in there ^ {n for n in said if not
                                                              n.startswith("__")}]
        said = {i.name for i in module.body if isinstance(i, (ast.ClassDef, ast.FunctionDef))}
        wrong += said ^ {n for n in vars(_inlay) if not n.startswith("__")}
        self.assertEqual(wrong, [])

    def test_everything_public_is_documented(self):
        import inlay

        bare = [n for n in inlay.__all__ if not (getattr(inlay, n).__doc__ or "").strip()]
        self.assertEqual(bare, [])

    def test_mypy(self):
        try:
            import mypy  # noqa: F401
        except ImportError:
            self.skipTest("mypy is missing")
        with tempfile.TemporaryDirectory() as scratch:
            use = os.path.join(scratch, "use.py")
            with open(use, "w", encoding="utf-8") as f:
                f.write(USE)
            done = subprocess.run(
                [sys.executable, "-m", "mypy", "--disallow-untyped-defs", "--no-error-summary",
                 "--cache-dir", os.path.join(scratch, "cache"), "inlay", use], cwd="python",
                stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual(re.findall(r"^(.*?):\d+: error: .*\[(.*)\]$", done.stdout, re.M),
                         [(use, "assignment")], done.stdout)


if __name__ == "__main__":
    unittest.main()
