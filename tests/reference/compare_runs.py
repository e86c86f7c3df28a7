"""Random graphs, run by the program in several ways and by the interpreter: the same results.

usage: compare_runs.py RUN_GRAPHS FIRST COUNT [KIND]

RUN_GRAPHS is the program of that name. For COUNT seeds from FIRST on there is a graph of each kind:
`graph` and `moves` as generate/ makes them, `program` as random_programs.py does.
What is movement, integers or exact arithmetic must be the same bit for bit; a sum of floats may be off
by what its roundings in any order may make. The answer to a run that must fail is an error; a graph that
was rewritten may have lost the node that fails. Shapes that were inferred must hold.
"""

import json
import re
import subprocess
import sys
import tempfile

import numpy as np

from check_cases import differs
from interpreter import Fault, Graph, Unknown, Unsupported
from interpreter.tensor import from_bytes, to_bytes
from random_programs import program

SHOWN = 25


# ---- the words of run_graphs ----


def tensor_line(tensor):
    return f"{tensor.type} [{','.join(map(str, tensor.shape))}] {to_bytes(tensor).hex()}\n"


def parse_tensor(line):
    type_, shape, raw = line.rstrip("\n").split(" ")
    dims = [int(d) for d in shape[1:-1].split(",") if d]
    return from_bytes(type_, dims, bytes.fromhex(raw))


def description(name, document, runs):
    text = json.dumps(document)
    lines = [f"graph {name} {len(text)}\n{text}\n"]
    for inputs in runs:
        lines.append(f"run {len(inputs)}\n")
        lines += [tensor_line(t) for t in inputs]
    return "".join(lines) + "end\n"


def parse_descriptions(text):
    """What `run_graphs random` printed, as (name, document, inputs of each run)."""
    at = 0
    while at < len(text):
        end = text.index("\n", at)
        _, name, size = text[at:end].split(" ")
        document = json.loads(text[end + 1:end + 1 + int(size)])
        at = end + 2 + int(size)
        stop = text.index("end\n", at)
        runs = [[parse_tensor(line) for line in run.splitlines()[1:]] for run in text[at:stop].split("run ")[1:]]
        yield name, document, runs
        at = stop + 4


class Answer:
    """What `run_graphs run` printed of one graph."""

    def __init__(self, lines):
        self.unreadable, self.shapes, self.ways = None, [], {}
        for line in lines:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "unreadable":
                self.unreadable = rest
            elif word == "shape":
                self.shapes.append(rest)
            elif word == "way":
                self.ways[rest] = runs = []
            elif word in ("ok", "error", "broken"):
                runs.append((word, rest, []))
            else:
                runs[-1][2].append(parse_tensor(line))


def parse_answers(text):
    """The complete ones: the last is cut off when the program ended too early."""
    for part in re.split(r"^graph ", text, flags=re.M)[1:]:
        lines = part.splitlines()
        if "end" in lines:
            yield lines[0], Answer(lines[1:lines.index("end")])


# ---- what must come out ----


def shape_holds(partial, shape, sizes):
    """SIZES: of the identities that were met, which must have one size in all results."""
    if partial == "[...]" or partial == "...":
        return True
    dims = [d for d in partial[1:-1].split(",") if d]
    if len(dims) != len(shape):
        return False
    for dim, n in zip(dims, shape):
        interval, _, identity = dim.partition("#")
        low, _, high = (interval if ".." in interval else f"{interval}..{interval}").partition("..")
        if interval != "?" and not (int(low or 0) <= n and (not high or n <= int(high))):
            return False
        if identity and sizes.setdefault(identity, n) != n:
            return False
    return True


def expected(document, runs):
    """The results of each run; a text where it must fail, None where nothing can be said from then on."""
    graph, state, made = Graph(document), {}, []
    for inputs in runs:
        try:
            made.append(graph.run(inputs, state))
        except Fault as fault:
            made.append(str(fault))
        except (Unknown, Unsupported):
            return made + [None] * (len(runs) - len(made))
    return made


def compare_run(way, k, run, want, shapes):
    """Why RUN is not what is wanted, or None."""
    word, message, tensors = run
    where = f"{way}, run {k}"
    if word == "broken":
        return f"{where}: {message}"
    if want is None:
        return None
    if isinstance(want, str):
        return f"{where}: succeeds, but {want}" if word == "ok" and not way.startswith("rewritten") else None
    if word == "error":
        return f"{where}: fails: {message}"
    sizes = {}
    for i, (tensor, right) in enumerate(zip(tensors, want)):
        why = differs(tensor, right)
        if why:
            return f"{where}: result {i}: {why}"
        if not shape_holds(shapes[i], right.shape, sizes):
            return f"{where}: result {i} has shape {list(right.shape)}, inferred was {shapes[i]}"
    return None


def compare(answer, want):
    """Why the answer to a graph is wrong, or None."""
    if answer.unreadable is not None:
        good = [w for w in want if not isinstance(w, str) and w is not None]
        return f"is refused: {answer.unreadable}" if good else None
    for way, runs in answer.ways.items():
        for k, run in enumerate(runs):
            right = want[k] if len(runs) == len(want) else None
            why = compare_run(way, k, run, right, answer.shapes)
            if why:
                return why
            if run[0] == "ok" and isinstance(right, str):
                break  # an error was lost, so that variables were set here and not there
    return None


# ---- all of it ----


def call(run_graphs, arguments, text=""):
    with tempfile.TemporaryFile("w+") as given:
        given.write(text)
        given.seek(0)
        done = subprocess.run([run_graphs] + arguments, stdin=given, capture_output=True, text=True, check=False)
    return done


def graphs_of(kind, run_graphs, first, count):
    if kind == "program":
        return [(f"program-{seed}", *program(seed)) for seed in range(first, first + count)]
    printed = call(run_graphs, ["random", str(first), str(count)]).stdout
    return [g for g in parse_descriptions(printed) if g[0].startswith(kind)]


def check_kind(kind, run_graphs, first, count):
    graphs = graphs_of(kind, run_graphs, first, count)
    done = call(run_graphs, ["run"], "".join(description(*g) for g in graphs))
    answers, wrong, failing, open_ = dict(parse_answers(done.stdout)), [], 0, 0
    for name, document, runs in graphs:
        want = expected(document, runs)
        failing += any(isinstance(w, str) for w in want)
        open_ += any(w is None for w in want)
        if name not in answers:
            wrong.append(f"{name}: the program ends without an answer")
            break
        why = compare(answers[name], want)
        wrong += [f"{name}: {why}"] if why else []
    if done.returncode != 0:
        wrong.append(f"the program ended with status {done.returncode}")
    print(f"{'not ok' if wrong else 'ok'} - {count} random graphs from seed {first}, kind {kind}")
    for line in wrong[:SHOWN] + done.stderr.splitlines()[:SHOWN]:
        print(f"# {line}")
    print(f"# {len(wrong)} of {count} differ; {failing} have a run that must fail, {open_} a run that cannot be told")
    return not wrong


def main(run_graphs, first, count, kinds):
    good = [check_kind(kind, run_graphs, int(first), int(count)) for kind in kinds]
    return 0 if all(good) else 1


if __name__ == "__main__":
    np.seterr(all="ignore")
    sys.exit(main(*sys.argv[1:4], sys.argv[4:] or ["graph", "moves", "program"]))
