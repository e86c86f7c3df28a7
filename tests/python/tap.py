"""Runs the tests beside this file, or those that the arguments name, and prints TAP."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))


class Result(unittest.TestResult):
    count = 0

    def line(self, ok, test, more=""):
        self.count += 1
        print(f"{ok} {self.count} - python: {test.id()}{more}", flush=True)

    def addSuccess(self, test):
        self.line("ok", test)

    def addSkip(self, test, reason):
        self.line("ok", test, f" # SKIP peer: {reason}")

    def told(self, test, err):
        self.line("not ok", test)
        for line in self._exc_info_to_string(err, test).splitlines():
            print(f"# {line}")

    addError = addFailure = told

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.told(subtest, err)


def main():
    sys.path.insert(0, HERE)
    os.chdir(os.path.join(HERE, "..", ".."))
    loader = unittest.defaultTestLoader
    names = sys.argv[1:]
    tests = loader.loadTestsFromNames(names) if names else loader.discover(HERE)
    result = Result()
    tests.run(result)
    print(f"1..{result.count}")


main()
