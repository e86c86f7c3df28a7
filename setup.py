"""Builds the wheel: `make python`, and the library beside the extension."""

import os
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("BUILD", "build")


def version():
    with open(os.path.join(ROOT, "ir", "version.h"), encoding="utf-8") as f:
        return ".".join(re.findall(r"^#define INLAY_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", f.read(), re.M))


class Make(build_ext):
    """The Makefile knows how; the loader finds the library beside the extension."""

    def build_extension(self, ext):
        subprocess.run(["make", "-s", "BUILD=" + BUILD, "PYTHON=" + sys.executable, "python"], cwd=ROOT, check=True)
        to = os.path.dirname(self.get_ext_fullpath(ext.name))
        os.makedirs(to, exist_ok=True)
        built = os.path.join(ROOT, BUILD)
        self.take(os.path.join(built, "python", "inlay", "_inlay.abi3.so"), os.path.join(to, "_inlay.abi3.so"))
        self.take(os.path.join(built, "libinlay.so"), os.path.join(to, "libinlay.so.1"))
        if os.path.exists(os.path.join(built, "libinlay-onednn.so")):
            self.take(os.path.join(built, "libinlay-onednn.so"), os.path.join(to, "libinlay-onednn.so"))

    @staticmethod
    def take(built, to):
        shutil.copyfile(built, to)
        os.chmod(to, 0o755)
        subprocess.run([os.environ.get("STRIP", "strip"), "--strip-unneeded", to], check=False)


setup(
    version=version(),
    ext_modules=[Extension("inlay._inlay", ["python/src/module.c"], py_limited_api=True)],
    cmdclass={"build_ext": Make},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
