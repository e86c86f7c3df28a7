"""Tries the mutants of files.txt, in a copy of the tree, and goes on where an earlier call stopped.

Each mutant is built and meets the nearest tests, then, if it lives and equivalent.txt does not explain it, `make
quick` and `make check`. A verdict is a line of $LONG_STATE/verdicts: FILE, NAME, LINE, VERDICT, separated by tabs. Ends with status 75 at LONG_UNTIL.
usage: run.py [FILE...]            only the mutants of these files

With MUTATION_LAST=nearest or quick what outlives these tests is tried no further, for one who looks for missing
tests; give it a LONG_STATE of its own, since such a verdict is none.
"""
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutate

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.environ["ROOT"]
STATE = os.environ["LONG_STATE"]
UNTIL = float(os.environ.get("LONG_UNTIL", "inf"))
TARGETS = {"nearest": (), "quick": ("quick",), "check": ("quick", "check")}[os.environ.get("MUTATION_LAST", "check")]
TREE = os.path.join(STATE, "tree")
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}


def rows(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]


def copy_tree():
    """The files that the checkout has, changes included. A test that looks at the clone finds a repository."""
    if not os.path.isdir(TREE):
        os.makedirs(TREE)
        files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, check=True,
                               capture_output=True).stdout
        subprocess.run(["xargs", "-0", "cp", "--parents", "-t", TREE], cwd=ROOT, input=files, check=True)
        subprocess.run("git init -q . && git add -A && git -c user.name=m -c user.email=m@m commit -qm tree",
                       shell=True, cwd=TREE, check=True)
    if not make("quick"):
        sys.exit("the tests fail without any mutant")


def environment():
    env = dict(os.environ, ROOT=TREE, BUILD=os.path.join(TREE, "build"), INLAY_SLOW="1", INLAY_TEST_TIMEOUT="120")
    for name in ("MAKEFLAGS", "MAKELEVEL", "CFLAGS", "LDFLAGS"):
        env.pop(name, None)
    return env


def make(*targets):
    return subprocess.run(["make", "-s", "BUILD=build", "CFLAGS=-O1", *targets], cwd=TREE, env=environment(),
                          **QUIET).returncode == 0


def passes(test):
    """Whether the nearest test TEST, which is built, passes."""
    if test.endswith(".t"):
        command = ["build/tests/golden", test]
    elif test.endswith(".sh"):
        command = ["sh", test]
    else:
        command = [f"build/tests/test_{test}"]
    try:
        return subprocess.run(command, cwd=TREE, env=environment(), timeout=120, **QUIET).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def verdict_of(tests, targets):
    """Of the mutant that stands in the tree."""
    built = [f"build/tests/test_{t}" for t in tests if not t.endswith((".t", ".sh"))]
    if any(t.endswith((".t", ".sh")) for t in tests):
        built += ["all", "build/tests/golden", "build/tests/run_graphs"]
    if not make(*built):
        return "does not compile"
    for test in tests:
        if not passes(test):
            return f"killed by {test}"
    for target in targets:
        if not make(target):
            return f"killed by make {target}"
    return "lives"


def try_mutant(path, number, new, tests, targets):
    whole = os.path.join(TREE, path)
    with open(whole, encoding="utf-8") as file:
        text = file.read()
    lines = text.split("\n")
    lines[number - 1] = new
    with open(whole, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    try:
        return verdict_of(tests, targets)
    finally:
        with open(whole, "w", encoding="utf-8") as file:
            file.write(text)


def known_verdicts():
    try:
        with open(os.path.join(STATE, "verdicts"), encoding="utf-8") as file:
            return {tuple(line.split("\t")[:2]) for line in file}
    except FileNotFoundError:
        return set()


def main():
    only = sys.argv[1:]
    copy_tree()
    known = known_verdicts()
    explained = {tuple(row.split("\t")[:2]) for row in rows("equivalent.txt")}
    for row in rows("files.txt"):
        path, count, *tests = row.split()
        if only and path not in only:
            continue
        with open(os.path.join(TREE, path), encoding="utf-8") as file:
            text = file.read()  # the checkout may be at work
        for number, name, new in mutate.drawn(text, int(count)):
            if (path, name) in known:
                continue
            if time.time() > UNTIL:
                return 75
            # No test can tell what is explained as equivalent, so the whole suite need not try.
            targets = () if (path, name) in explained else TARGETS
            verdict = try_mutant(path, number, new, tests, targets)
            with open(os.path.join(STATE, "verdicts"), "a", encoding="utf-8") as file:
                file.write(f"{path}\t{name}\t{number}\t{verdict}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
