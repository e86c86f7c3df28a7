"""Plants the bugs of bugs.txt in copies of the sources, and looks for them with `inlay fuzz`.

usage: plant.py sources OUT FILE      writes FILE of the tree, with its bugs, to OUT
       plant.py hunt INLAY [NAME...]  finds all bugs, or those; INLAY holds them all, and one is on at a time

README.md beside this file says how bugs.txt is read.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
TRIALS = 6  # of a comparison, as fuzz makes them
FIRST, LAST = 1, 400  # seeds, where a bug has none of its own


def read_bugs():
    bugs = []
    for line in (HERE / "bugs.txt").read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "bug":
            bugs.append({"bug": rest, "number": len(bugs) + 1, "-": [], "+": []})
        elif word in ("-", "+"):
            bugs[-1][word].append(rest)
        elif word and word != "#":
            bugs[-1][word] = rest
    return bugs


def planted_source(path, bugs):
    """The text of PATH in which each of its bugs waits for its number."""
    text = (ROOT / path).read_text(encoding="utf-8")
    for bug in bugs:
        old, new = "\n".join(bug["-"]), "\n".join(bug["+"])
        if text.count(old) != 1:
            sys.exit(f"{bug['bug']}: {path} has {text.count(old)} times: {old}")
        text = text.replace(old, new.replace("PLANTED", f"(planted_bug == {bug['number']})"))
    return f'#include "tests/planted/planted.h"\n#line 1 "{path}"\n{text}'


def rule_file(name, folder):
    """A file with the rule NAME of wrong.rules alone."""
    text = (ROOT / "tests/prove/wrong.rules").read_text(encoding="utf-8")
    path = Path(folder) / "planted.rules"
    path.write_text(re.search(rf"^rule {name} .*?(?=\n\n|\Z)", text, re.M | re.S).group() + "\n", encoding="utf-8")
    return path


def arguments(bug, folder):
    """What fuzz and bisect are given alike."""
    given = ["--passes", bug["passes"]]
    return given + (["--rules", rule_file(bug["rule"], folder)] if "rule" in bug else [])


def run(inlay, bug, words):
    return subprocess.run([inlay, *words], capture_output=True, text=True, check=False,
                          env={**os.environ, "INLAY_PLANTED": str(bug["number"])})


def oracle_of(bug):
    return [f"--oracle=/usr/bin/python3 -B '{ROOT}/tests/reference/oracle.py'"] if "oracle" in bug else []


def told(inlay, bug, words):
    """What fuzz says as JSON; a command that dies (a sanitizer stops it, say) ends the search with its words."""
    done = run(inlay, bug, words)
    try:
        return json.loads(done.stdout)
    except ValueError:
        sys.exit(f"{bug['bug']}: `{' '.join(map(str, words))}` ended with status {done.returncode}\n{done.stderr}")


def fuzz(inlay, bug, folder, seed):
    return told(inlay, bug, ["fuzz", "--seed", seed, "--count", "1", "--json", "--seconds", "5", "-o", folder,
                             *oracle_of(bug), *arguments(bug, folder)])


def search(inlay, bug, folder):
    """The first seed at which the bug shows."""
    for first in range(FIRST, LAST, 10):
        found = told(inlay, bug, ["fuzz", "--seed", f"{first}..{first + 9}", "--json", "--seconds", "2", "--large",
                                  *arguments(bug, folder), *oracle_of(bug)])
        if found:
            return str(found[0]["seed"])
    return None


def hunt_one(inlay, bug):
    """(seed, failure, seconds), what bisect says, and what is wrong with all that."""
    with tempfile.TemporaryDirectory() as folder:
        seed = bug.get("seed") or search(inlay, bug, folder)
        if not seed:
            return None, None, 0, "is not found"
        start = time.monotonic()
        found = fuzz(inlay, bug, folder, seed)
        seconds = time.monotonic() - start
        if not found:  # a new row of the table changes the graphs of seeds
            seed = search(inlay, bug, folder)
            found = fuzz(inlay, bug, folder, seed) if seed else []
        if not found:
            return seed, None, seconds, "is not found"
        failure, wrong = found[0], None
        if failure["operations"] > 6:
            wrong = f"{failure['operations']} operations are left"
        if failure["kind"] == "difference" and failure["serial"]:
            trials = ["--trials", str(TRIALS), "--seed", str(TRIALS * failure["seed"])]  # those of fuzz
            done = run(inlay, bug, ["bisect", f"{folder}/{failure['seed']}.small.inlay", "--json", "--large", "--every", *trials,
                                    *arguments(bug, folder)])
            named = json.loads(done.stdout) if done.stdout else {}
            if named.get("serial") != failure["serial"]:
                wrong = f"bisect finds application {named.get('serial')}, fuzz {failure['serial']}"
            failure["bisected"] = wrong is None
        return seed, failure, seconds, wrong


def hunt(inlay, names):
    bugs = [b for b in read_bugs() if not names or b["bug"] in names]
    nodes, operations, times, bisected = [], [], [], 0
    for bug in bugs:
        seed, failure, seconds, wrong = hunt_one(inlay, bug)
        print(f"{'not ok' if wrong else 'ok'} - {bug['bug']}{': ' + wrong if wrong else ''}")
        if failure:
            print(f"# seed {seed}: {failure['kind']}, {failure['way']}, {failure['operations']} operations, "
                  f"{failure['reduced']} nodes of {failure['nodes']}, {seconds:.1f} s"
                  f"{', bisected' if failure.get('bisected') else ''}", flush=True)
            nodes.append(failure["reduced"])
            operations.append(failure["operations"])
            times.append(seconds)
            bisected += failure.get("bisected", False)
    if times:
        print(f"# result: {len(times)} of {len(bugs)} bugs found, {bisected} bisected; medians: "
              f"{statistics.median(operations):g} operations, {statistics.median(nodes):g} nodes, "
              f"{statistics.median(times):.1f} s")


def main(what, *rest):
    if what == "sources":
        out, path = rest
        text = planted_source(path, [b for b in read_bugs() if b.get("file") == path])
        Path(out).write_text(text, encoding="utf-8")
    else:
        hunt(rest[0], rest[1:])


if __name__ == "__main__":
    main(*sys.argv[1:])
