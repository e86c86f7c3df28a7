"""Draws mutants of the files of all rooms, and runs for each the tests that come to its line until one fails.

The mutants that compile stand in one build (place.py), in a copy of the tree. Every test runs once without a mutant: it
counts if it passes then, and says how long it takes and to which mutants it comes. Those that are fast, of the room
(rooms.txt), and come to few mutants meet one first, those of the shell in a later round. What outlives the first round
has a line in $LONG_STATE/alive: FILE, LINE, old text, new text, how many tests come to it. A verdict is a line of
$LONG_STATE/verdicts: FILE, NAME, LINE, VERDICT. Both are separated by tabs. Ends with status 75 at LONG_UNTIL, and goes
on from there when it is called again.

MUTATION_SAMPLE=N draws N, 400 if it is not set, in the order of the digests of their names behind MUTATION_SEED;
MUTATION_AGAIN=FOLDER takes instead those of an earlier run, whose $LONG_STATE that was, which no test has killed,
MUTATION_TESTS="FILE..." no tests but these. With MUTATION_SANITIZED=1 the build has AddressSanitizer and
UndefinedBehaviorSanitizer, as one of `.ci/run`'s.
"""
import concurrent.futures
import glob
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutate
import place

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.environ["ROOT"]
STATE = os.environ["LONG_STATE"]
UNTIL = float(os.environ.get("LONG_UNTIL", "inf"))
SEED = os.environ.get("MUTATION_SEED", "sample")
SAMPLE = int(os.environ.get("MUTATION_SAMPLE", 400))
AGAIN = os.environ.get("MUTATION_AGAIN")
TESTS = os.environ.get("MUTATION_TESTS", "").split()
SANITIZED = bool(os.environ.get("MUTATION_SANITIZED"))
TREE = os.path.join(STATE, "tree")
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
PROGRAMS = ("ir/ops/opgen.c", "passes/rules/rulegen.c")  # of the build, in no library
HOOKS = ("ir/base/mutants.c", "interp/onednn/mutants.c")
# They look at the sources or at a build of their own, which has no mutants.
ASIDE = re.compile(r"tests/(build|mutation|places|planted)/")
MEMORY = 8 << 30  # bytes that a test may ask for, since a mutant may ask without end
# Tests that are new in a round, and how many seconds a mutant may outlive in it.
ROUNDS = ((("tests/unit/test_*.c", "tests/golden/**/*.t"), 8), ((), 60), (("tests/*/test_*.sh",), 60), ((), float("inf")))
PROCESSORS = len(os.sched_getaffinity(0))
WRITING = threading.Lock()


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
    """The rows that this slice and those before it kept."""
    try:
        with open(os.path.join(STATE, name), encoding="utf-8") as file:
            return [line.split("\t") for line in file.read().splitlines()]
    except FileNotFoundError:
        return []


def keep(name, *columns):
    with WRITING, open(os.path.join(STATE, name), "a", encoding="utf-8") as file:
        file.write("\t".join(map(str, columns)) + "\n")


def each(function, things, until=UNTIL):
    """Calls FUNCTION for all THINGS, as many at a time as there are processors, until UNTIL."""
    with concurrent.futures.ThreadPoolExecutor(PROCESSORS) as pool:
        return list(pool.map(lambda thing: function(thing) if time.time() < until else None, things))


def copy_tree():
    """The files that the checkout has, changes included. A test that looks at the clone finds a repository."""
    os.makedirs(TREE)
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, check=True,
                           capture_output=True).stdout
    subprocess.run(["xargs", "-0", "cp", "--parents", "-t", TREE], cwd=ROOT, input=files, check=True)
    subprocess.run("git init -q . && git add -A && git -c user.name=m -c user.email=m@m commit -qm tree",
                   shell=True, cwd=TREE, check=True)


def environment(**more):
    env = dict(os.environ, ROOT=TREE, BUILD=os.path.join(TREE, "build"), LC_ALL="C", CMOCKA_MESSAGE_OUTPUT="TAP", **more)
    env.setdefault("CC", "cc")
    for name in ("MAKEFLAGS", "MAKELEVEL", "CFLAGS", "LDFLAGS", "LONG_STATE"):
        env.pop(name, None)
    return env


def make(*targets):
    flags = ["CFLAGS=-O1 -w"]
    if SANITIZED:
        flags = ["CC=clang", "LDFLAGS=-no-pie", "INLAY_SLOW=1", "CFLAGS=-O1 -w -gline-tables-only "
                 "-fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"]
    if subprocess.run(["make", "-s", f"-j{PROCESSORS}", "BUILD=build", *flags, *targets], cwd=TREE,
                      env=environment(), stdin=subprocess.DEVNULL).returncode:
        sys.exit(f"cannot make {' '.join(targets)}")


def rooms():
    """(beginning of the path, nearest tests), the longest beginning first."""
    found = [row.split() for row in rows("rooms.txt")]
    return sorted(((room + "/", [t if "." in t else f"tests/unit/test_{t}.c" for t in tests]) for room, *tests in found),
                  key=lambda room: -len(room[0]))


def all_mutants():
    """(file, number of the line, name, new text) of all mutants, in the order of the draw."""
    files = subprocess.run(["git", "ls-files", "*.c"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    found = [(mutate.digest(SEED + path, mutant), path, *mutant) for path in files.split()
             if path.startswith(tuple(room for room, _ in rooms())) and path not in PROGRAMS
             for mutant in mutate.mutants(read(path))]
    return [mutant[1:] for mutant in sorted(found)]


def compiles(path, text):
    """Whether TEXT would do in the place of PATH. All pictures are read, as far as their libraries are there."""
    compiler, pictures = read("build/flags").split(" | ")[:2]
    flags = [f"-DINLAY_READS_{re.sub('^lib|-4$', '', picture)}" for picture in pictures.split()]
    return subprocess.run([*compiler.split(), *flags, "-w", "-fsyntax-only", "-I", os.path.dirname(path), "-x", "c", "-"],
                          cwd=TREE, input=text.encode(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def fit(path, mutants):
    """Of MUTANTS, (number, line, name, new text), those that compile and have a place: (number, line, new text, whether
    the line is marked). The others are dropped, and those without a place are told."""
    text = read(path)
    every = [(number, line, new, True) for number, line, _, new in mutants]
    if compiles(path, place.placed(text, every) or "?"):
        return every
    good = []
    for number, line, new, _ in every:
        fitting = [(number, line, new, marked) for marked in (True, False)
                   if compiles(path, place.placed(text, [(number, line, new, marked)]) or "?")]
        good += fitting[:1]
        lines = text.split("\n")
        lines[line - 1] = new
        if not fitting and compiles(path, "\n".join(lines)):
            keep("unplaced", path, line, new)
    return good


def prepare():
    """Draws, and makes the build that has all mutants."""
    copy_tree()
    make("build/gen/rules", "build/gen/onnx.pb-c.h", "build/gen/conditions.inc", "build/gen/view_page.inc")
    drawn = all_mutants()
    if AGAIN:
        wanted = {(row[1], row[3]) for row in kept(os.path.join(AGAIN, "drawn"))}
        wanted -= {tuple(row[:2]) for row in kept(os.path.join(AGAIN, "verdicts")) if row[3].startswith("killed")}
        drawn = [mutant for mutant in drawn if mutant[0::2][:2] in wanted]
    else:
        drawn = drawn[:SAMPLE + SAMPLE // 4 + 4]  # some do not compile
    numbered = list(enumerate(drawn, 1))
    of_file = {path: [(number, *mutant[1:]) for number, mutant in numbered if mutant[0] == path]
               for path in sorted({mutant[0] for mutant in drawn})}
    fitting = dict(zip(of_file, each(lambda path: fit(path, of_file[path]), of_file, float("inf"))))
    chosen = set(sorted(mutant[0] for mutants in fitting.values() for mutant in mutants)[:len(drawn) if AGAIN else SAMPLE])
    hook = place.HOOK % (len(drawn) + 1)
    write("ir/ops/opgen.c", read("ir/ops/opgen.c") + hook)
    for path in HOOKS:
        write(path, hook)
    for number, (path, line, name, new) in numbered:
        if number in chosen:
            keep("drawn", number, path, line, name, read(path).split("\n")[line - 1], new)
    for path, mutants in fitting.items():
        here = [mutant for mutant in mutants if mutant[0] in chosen]
        if here:
            write(path, place.placed(read(path), here))
    make("tests")
    keep("built", len(drawn) + 1)


def prepare_test():
    if not SANITIZED:  # which reserve terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for ignored in (signal.SIGINT, signal.SIGQUIT):  # by what a shell runs behind its back
        signal.signal(ignored, signal.SIG_DFL)


def reports_success(text):
    """Whether what a test printed says that all of its plans are carried out."""
    planned = sum(map(int, re.findall(r"(?m)^1\.\.(\d+)$", text)))
    done = re.findall(r"(?m)^(?:not )?ok .*$", text)
    return 0 < len(done) >= planned and not any(line.startswith("not ") and "# SKIP" not in line for line in done)


def passes(test, seconds, **more):
    """Whether TEST passes within SECONDS, in the environment MORE."""
    command = ["build/tests/golden", test] if test.endswith(".t") else ["sh", test] if test.endswith(".sh") else \
        ["build/tests/" + os.path.basename(test)[:-2]]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=TREE, env=environment(TMPDIR=folder, **more), stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=prepare_test)
        try:
            fine = process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            fine = False
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        output.seek(0)
        return fine and reports_success(output.read().decode(errors="replace"))


def measure(test, size):
    """Runs TEST without a mutant."""
    with tempfile.NamedTemporaryFile() as met:
        met.truncate(size)
        begin = time.time()
        fine = passes(test, 900, MUTANTS_MET=met.name)
        seconds = time.time() - begin
        keep("tests", test, f"{seconds:.2f}", "passes" if fine else "fails",
             " ".join(str(i) for i, byte in enumerate(met.read()) if byte))


class Judge:
    def __init__(self):
        tests = [row for row in kept("tests") if row[2] == "passes"]
        self.seconds = {row[0]: float(row[1]) for row in tests}
        self.met = {row[0]: set(map(int, row[3].split())) for row in tests}
        self.locks = {test: threading.Lock() for test in self.seconds}
        self.explained = {tuple(row.split("\t")[:2]) for row in rows("equivalent.txt")}
        self.outlived = {}
        for number, test in kept("outlived"):
            self.outlived.setdefault(int(number), set()).add(test)

    def order(self, number, path, thorough):
        """(test, file that it is told of): those that come to the mutant, then, if they shall be THOROUGH, those of its
        room that do more for a file in $MUTANT. What is fast, near, and comes to few others has the best chance."""
        near = next(tests for room, tests in rooms() if path.startswith(room))
        found = sorted((test for test in self.seconds if number in self.met[test]), key=lambda test:
                       (self.seconds[test] + 0.05) * (0.2 if test in near else 1) * len(self.met[test]) ** 0.5)
        more = [test for test in near if thorough and test in self.seconds and 'getenv("MUTANT")' in read(test)]
        return [(test, None) for test in found] + [(test, path) for test in more]

    def kills(self, test, told, number):
        """A test runs once at a time, since some have a file of one name. It must pass without the mutant still."""
        most, more = (900, {"MUTANT": told}) if told else (10 + 10 * self.seconds[test], {})
        with self.locks[test]:
            return not passes(test, most, MUTANT_NUMBER=str(number), **more) and passes(test, most, **more)

    def try_mutant(self, row, patience):
        number, path, line, name, old, new = int(row[0]), *row[1:]
        first, last = patience == ROUNDS[0][1], patience == ROUNDS[-1][1]
        order = self.order(number, path, last)
        alive = [path, line, old.strip(), new.strip(), str(len(order))]
        spent = 0
        if first and alive in kept("alive"):
            return
        for test, told in order:
            called = test + (" with MUTANT" if told else "")
            if called in self.outlived.get(number, ()) or spent + self.seconds[test] > patience:
                continue
            if time.time() > UNTIL:
                break
            if self.kills(test, told, number):
                keep("verdicts", path, name, line, f"killed by {called}")
                return
            keep("outlived", number, called)
            spent += self.seconds[test]
            self.outlived.setdefault(number, set()).add(called)
        else:
            if last:
                keep("verdicts", path, name, line, f"outlives {len(order)} tests")
        if first and time.time() < UNTIL and (path, name) in self.explained:
            keep("verdicts", path, name, line, "outlives the fastest tests, and is explained")
        elif first and time.time() < UNTIL:
            keep("alive", *alive)


def main():
    if not kept("built"):
        subprocess.run(["rm", "-rf", TREE, *(os.path.join(STATE, name) for name in ("drawn", "unplaced"))], check=True)
        prepare()
    drawn = kept("drawn")
    print(f"# {len(drawn)} mutants; drawn and left, since they have no place in one build: {len(kept('unplaced'))}")
    for patterns, patience in ROUNDS:
        known = {row[0] for row in kept("tests")}
        tests = [path for pattern in patterns for path in sorted(glob.glob(pattern, root_dir=TREE, recursive=True))
                 if path not in known and not ASIDE.match(path) and (not TESTS or path in TESTS)]
        each(lambda test: measure(test, int(kept("built")[0][0])), tests)
        judge, known = Judge(), {tuple(row[:2]) for row in kept("verdicts")}
        each(lambda row: judge.try_mutant(row, patience), [row for row in drawn if (row[1], row[3]) not in known])
    print("# fail without a mutant:", *(row[0] for row in kept("tests") if row[2] == "fails"))
    return 0 if len(kept("verdicts")) == len(drawn) else 75


if __name__ == "__main__":
    sys.exit(main())
