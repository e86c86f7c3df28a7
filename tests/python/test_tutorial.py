"""docs/python.md: every block of Python is run, and must print what is shown below it."""

import contextlib
import io
import re
import tempfile
import unittest

PAGE = "docs/python.md"


def blocks(text):
    """(line, code, what it must print) of each block; the text shown is indented by four."""
    for found in re.finditer(r"^```python\n((?:.*\n)*?)```\n((?:\n?(?: {4}.*\n)+)?)", text, re.M):
        shown = [line[4:] for line in found[2].strip("\n").split("\n")]
        yield text[:found.start()].count("\n") + 2, found[1], "\n".join(shown)


class Tutorial(unittest.TestCase):
    def test_every_block(self):
        try:
            import PIL.Image  # noqa: F401
        except ImportError:
            self.skipTest("Pillow is missing")
        with open(PAGE, encoding="utf-8") as f:
            found = list(blocks(f.read()))
        self.assertGreater(len(found), 10)
        with tempfile.TemporaryDirectory() as scratch:
            names = {"scratch": scratch}
            for line, code, shown in found:
                said = io.StringIO()
                with contextlib.redirect_stdout(said):
                    exec(compile("\n" * (line - 1) + code, PAGE, "exec"), names)
                self.assertEqual(said.getvalue().rstrip("\n"), shown, f"{PAGE}:{line}")


if __name__ == "__main__":
    unittest.main()
