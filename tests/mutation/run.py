"""Tries the mutants of files.txt, in a copy of the tree, and goes on where an earlier call stopped.

Each mutant meets the nearest tests, the fastest first, then, if it lives and equivalent.txt does not explain it, `make
quick` and `make check`. A verdict is a line of $LONG_STATE/verdicts: FILE, NAME, LINE, VERDICT, separated by tabs. Ends with status 75 at LONG_UNTIL.
usage: run.py [FILE...]            only the mutants of these files

With MUTATION_LAST=nearest or quick what outlives these tests is tried no further, for one who looks for missing
tests; give it a LONG_STATE of its own, since such a verdict is none. A mutant whose line is taken out of `verdicts` is
tried again, with the tests of today if the folder `tree` is taken away, too. MUTATION_SEED=WORD draws others,
MUTATION_MOST=N at most N of a file. MUTATION_SAMPLE=N draws N of all mutants of all rooms in rooms.txt instead.
MUTATION_STOP=N ends the slice after N of them. A test finds in MUTANT which file is changed.
"""
import os
import resource
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutate

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.environ["ROOT"]
STATE = os.environ["LONG_STATE"]
UNTIL = float(os.environ.get("LONG_UNTIL", "inf"))
TARGETS = {"nearest": (), "quick": ("quick",), "check": ("quick", "check")}[os.environ.get("MUTATION_LAST", "check")]
SEED = os.environ.get("MUTATION_SEED", "")
MOST = int(os.environ.get("MUTATION_MOST", 1000))
SAMPLE = int(os.environ.get("MUTATION_SAMPLE", 0))
STOP = int(os.environ.get("MUTATION_STOP", 1000000))
TREE = os.path.join(STATE, "tree")
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
PROGRAMS = ("ir/ops/opgen.c", "passes/rules/rulegen.c")  # of the build, in no library
HELPERS = ("build/near/tests/golden", "build/near/tests/inlays", "build/near/tests/run_graphs")
MEMORY = 4 << 30  # bytes that a test may ask for, since a mutant may ask without end


def rows(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]


def read(path):
    with open(os.path.join(TREE, path), encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(os.path.join(TREE, path), "w", encoding="utf-8") as file:
        file.write(text)


def kept(name):
    """The lines that this slice and those before it kept."""
    try:
        with open(os.path.join(STATE, name), encoding="utf-8") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def keep(name, line):
    with open(os.path.join(STATE, name), "a", encoding="utf-8") as file:
        file.write(line + "\n")


def copy_tree():
    """The files that the checkout has, changes included. A test that looks at the clone finds a repository."""
    if not os.path.isdir(TREE):
        os.makedirs(TREE)
        files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, check=True,
                               capture_output=True).stdout
        subprocess.run(["xargs", "-0", "cp", "--parents", "-t", TREE], cwd=ROOT, input=files, check=True)
        subprocess.run("git init -q . && git add -A && git -c user.name=m -c user.email=m@m commit -qm tree",
                       shell=True, cwd=TREE, check=True)


def environment(build):
    folder = os.path.join(TREE, build)
    env = dict(os.environ, ROOT=TREE, BUILD=folder, LD_LIBRARY_PATH=folder, INLAY_SLOW="1", INLAY_TEST_TIMEOUT="120",
               LC_ALL="C", CMOCKA_MESSAGE_OUTPUT="TAP")
    env.setdefault("CC", "cc")
    for name in ("MAKEFLAGS", "MAKELEVEL", "CFLAGS", "LDFLAGS"):
        env.pop(name, None)
    return env


def make(*words, build="build", flags="-O1"):
    return subprocess.run(["make", "-s", f"BUILD={build}", f"CFLAGS={flags}", *words], cwd=TREE,
                          env=environment(build), **QUIET).returncode == 0


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Near:
    """The nearest tests, in a build of their own: every program takes the library, what is private included, from the
    shared one, so that after a mutant one file is compiled and one thing linked."""

    BUILD = "build/near"
    ARCHIVES = ("build/near/libinlay.a", "build/near/tests/libinlay-private.a")

    def __init__(self, tests, path):
        # A test that has a mutant takes longer.
        os.environ["MUTANT"] = path
        self.times = {test: float(seconds) for test, seconds in (line.split("\t") for line in kept("times"))}
        if not make(*self.ARCHIVES, "build/near/inlay", build=self.BUILD, flags="-O1 -fvisibility=default"):
            sys.exit("the library cannot be built")
        self.compiler = read("build/near/flags").split(" | ")[0].split()
        self.soname, *self.objects = read("build/near/objects").split()
        self.libraries = subprocess.run(["make", "-s", "--eval=libraries: ; @echo $(LIBS)", "libraries"], cwd=TREE,
                                        check=True, capture_output=True, text=True).stdout.split()
        if not self.link():
            sys.exit("the shared library of the nearest tests cannot be linked")
        for archive in self.ARCHIVES:
            write(archive, f"INPUT({os.path.join(TREE, 'build/near/libinlay.so')})\n")
        programs = [f"build/near/tests/test_{t}" for t in tests if not t.endswith((".t", ".sh"))]
        old = [word for archive in self.ARCHIVES for word in ("-o", archive)]
        if not make(*old, *programs, *HELPERS, build=self.BUILD,
                    flags="-O1 -fvisibility=default"):
            sys.exit("the nearest tests cannot be built")
        for test in tests:
            if test in self.times:
                continue
            begin = time.time()
            if not self.passes(test):
                sys.exit(f"{test} fails without any mutant")
            self.times[test] = time.time() - begin
            keep("times", f"{test}\t{self.times[test]}")

    def link(self):
        command = [self.compiler[0], "-shared", "-Wl,-Bsymbolic", f"-Wl,-soname,{self.soname}", "-o",
                   "build/near/libinlay.so", *self.objects, *self.libraries, "-pthread"]
        return subprocess.run(command, cwd=TREE, **QUIET).returncode == 0

    def compile(self, path):
        target = f"build/near/obj/{path[:-2]}.o"
        return subprocess.run([*self.compiler, "-c", "-o", target, path], cwd=TREE, **QUIET).returncode == 0

    def passes(self, test):
        """Whether TEST, which is built, passes; it is ended at the first case that does not."""
        if test.endswith(".t"):
            command = ["build/near/tests/golden", test]
        elif test.endswith(".sh"):
            command = ["sh", test]
        else:
            command = [f"build/near/tests/test_{test}"]
        process = subprocess.Popen(command, cwd=TREE, env=environment(self.BUILD), stdout=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                                   preexec_fn=limit_memory)
        timer = threading.Timer(600 if test not in self.times else 10 + 10 * self.times[test], end, [process])
        timer.start()
        fine = True
        for line in process.stdout:
            if line.startswith(b"not ok") and b"# SKIP" not in line:
                fine = False
                end(process)
                break
        timer.cancel()
        process.stdout.close()
        return process.wait() == 0 and fine

    def verdict(self, path, tests):
        """Of the mutant of PATH that stands in the tree: None if it lives."""
        if not self.compile(path) or not self.link():
            return "does not compile"
        os.environ["MUTANT"] = path
        for test in sorted(tests, key=self.times.get):
            if not self.passes(test):
                return f"killed by {test}"
        return None


def end(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def outlives(targets):
    """The verdict on the mutant that stands in the tree and that the nearest tests do not kill."""
    for target in targets:
        if not make(target):
            return f"killed by make {target}"
    return "lives"


def try_mutant(near, path, number, new, tests, targets):
    text = read(path)
    lines = text.split("\n")
    lines[number - 1] = new
    try:
        write(path, "\n".join(lines))
        verdict = near.verdict(path, tests)
        if not verdict and targets and not kept("quick"):
            write(path, text)
            if not make("quick"):
                sys.exit("the tests fail without any mutant")
            keep("quick", "passes")
            write(path, "\n".join(lines))
        return verdict or outlives(targets)
    finally:
        write(path, text)
        near.compile(path)


def known_verdicts():
    return {tuple(line.split("\t")[:2]) for line in kept("verdicts")}


def sample():
    """SAMPLE mutants of all rooms, in the order of the digests of their names behind SEED, as those of a file are drawn:
    those that a slice which is cut off has tried are a draw, too."""
    named = {row.split()[0]: row.split()[2:] for row in rows("files.txt")}
    rooms = sorted((row.split() for row in rows("rooms.txt")), key=lambda row: -len(row[0]))
    files = subprocess.run(["git", "ls-files", "*.c"], cwd=TREE, check=True, capture_output=True, text=True).stdout
    found = []
    for path in files.split():
        tests = named.get(path) or next((row[1:] for row in rooms if path.startswith(row[0] + "/")), None)
        if tests and path not in PROGRAMS:
            found += [(mutate.digest(SEED + path, mutant), path, *mutant, tests) for mutant in mutate.mutants(read(path))]
    return [mutant[1:] for mutant in sorted(found)[:SAMPLE]]


def to_try(only, known):
    """The mutants without a verdict: (file, number of the line, name, new text, nearest tests)."""
    if SAMPLE:
        yield from (mutant for mutant in sample()
                    if mutant[0::2][:2] not in known and (not only or mutant[0] in only))
        return
    for row in rows("files.txt"):
        path, count, *tests = row.split()
        if only and path not in only:
            continue
        for number, name, new in mutate.drawn(read(path), min(int(count), MOST), SEED):  # of the copy: the checkout may be at work
            if (path, name) not in known:
                yield path, number, name, new, tests


def main():
    copy_tree()
    explained = {tuple(row.split("\t")[:2]) for row in rows("equivalent.txt")}
    wanted = list(to_try(sys.argv[1:], known_verdicts()))
    near = Near(sorted({test for mutant in wanted for test in mutant[4]}), wanted[0][0]) if wanted else None
    for done, (path, number, name, new, tests) in enumerate(wanted):
        if time.time() > UNTIL or done == STOP:
            return 75
        # No test can tell what is explained as equivalent, so the whole suite need not try.
        targets = () if (path, name) in explained else TARGETS
        verdict = try_mutant(near, path, number, new, tests, targets)
        keep("verdicts", f"{path}\t{name}\t{number}\t{verdict}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
