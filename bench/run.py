#!/usr/bin/env python3
"""Runs every peer on the workloads, one after another in each round, and prints Markdown.

A line during which other processes used more than 5 % of the machine is measured again, up to
$BENCH_TRIES (3) times in all, and the quietest is kept; `run.sh` says what is needed."""
import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import time

import exports
import kept
import ops
import table

HERE = os.path.dirname(os.path.abspath(__file__))
LENGTHS = table.LENGTHS
QUIET, TRIES = 0.05, int(os.environ.get("BENCH_TRIES", 3))


def processor():
    with open("/proc/cpuinfo") as f:
        for line in f:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def run(command):
    """The JSON lines of the quietest of some tries."""
    best = None
    for _ in range(TRIES):
        p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines = [json.loads(line) for line in p.stdout.splitlines()]
        if p.returncode or not lines:
            print(f"bench: {' '.join(command)}: {p.stderr.strip()}", file=sys.stderr)
            return []
        worst = max(line["foreign_cpu"] for line in lines)
        if best is None or worst < best[0]:
            best = (worst, lines)
        if worst < QUIET:
            break
        time.sleep(1)
    return best[1]


class Bench:
    def __init__(self, options):
        self.o = options
        self.lines = {}  # workload: {label: [a line a round]}

    def program(self, name, *arguments):
        return [os.path.join(self.o.bin, name), *arguments]

    def ort(self, workload, kind, variant, threads):
        model = os.path.join(self.o.bin, "onnx", f"{workload}.{kind}.onnx")
        return (f"ONNX Runtime, {kind}, {variant}" + (f", {threads} threads" if threads > 1 else ""),
                self.program("ort", self.o.ort, model, workload, variant, str(threads)))

    def peers(self, workload):
        chain = not workload.startswith("cache")
        for variant in ("donated", "kept") if chain else ("variable",):
            yield f"Inlay, {variant}", self.program("windows", workload, variant)
        yield "numpy", [sys.executable, os.path.join(HERE, "numpy_peer.py"), workload]
        yield "limit", self.program("limits", workload)
        if self.o.ort:
            for kind in ("nd", "el", "concat" if chain else "ts"):
                yield self.ort(workload, kind, "own output", 1)
                if chain and kind != "concat":
                    yield self.ort(workload, kind, "own output", 2)
                if kind != "concat":
                    yield self.ort(workload, kind, "output bound to input", 1)

    def measure(self, workload, number):
        for label, command in self.peers(workload):
            what = f"{workload}, round {number + 1}: {label}"
            print(what, file=sys.stderr)
            for line in kept.measured(what, lambda: run(command)):
                name = f"numpy, {line['variant']}" if label == "numpy" else label
                name = line["variant"] if label == "limit" else name
                self.lines.setdefault(workload, {}).setdefault(name, []).append(line)

    def agree(self, workload):
        """Everybody must have computed the same."""
        found = {label: lines[0]["check"] for label, lines in self.lines[workload].items()}
        want = statistics.median(found.values())
        for label, check in found.items():
            if abs(check - want) > 1e-4 * abs(want):
                sys.exit(f"bench: {workload}: {label} gave {check}, {want} was expected")

    def median(self, workload, label, key="median_us"):
        return statistics.median(line[key] for line in self.lines[workload][label])

    def disturbed(self, workload, label):
        worst = max(line["foreign_cpu"] for line in self.lines[workload][label])
        return f" ({100 * worst:.0f} % disturbed)" if worst >= QUIET else ""

    def ort_best(self, workload, forms=""):
        """Of each round, the fastest of ONNX Runtime's lines that have FORMS in their labels, or,
        with "1 thread", of those on one thread."""
        lines = [lines for label, lines in self.lines[workload].items()
                 if label.startswith("ONNX")
                 and ("threads" not in label if forms == "1 thread" else forms in label)]
        return [min(line["median_us"] for line in round_) for round_ in zip(*lines)]

    def ahead(self, workload, label, forms=""):
        best, lines = self.ort_best(workload, forms), self.lines[workload][label]
        ratios = [b / line["median_us"] for b, line in zip(best, lines)]
        return statistics.median(ratios) if ratios else None


def microseconds(us):
    return f"{us / 1000:.2f} ms" if us >= 1000 else f"{us:.2f} us"


def memcpy_of(b, workload):
    return statistics.median(line["memcpy_us"] for lines in b.lines[workload].values()
                             for line in lines if "memcpy_us" in line)


def chain_table(b, workload):
    memcpy = memcpy_of(b, workload)
    print(f"\n## 32 windows of 1 MiB on a tensor of 64 MiB: {workload}\n")
    print("| | median | a memcpy of the tensor = 1 | ONNX Runtime's fastest form on one thread takes "
          "| on any number |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for label in b.lines[workload]:
        us = b.median(workload, label)
        ahead = [b.ahead(workload, label, forms) for forms in ("1 thread", "")]
        times = " | ".join(f"{a:.1f} times as long" if a else "" for a in ahead)
        print(f"| {label}{b.disturbed(workload, label)} | {microseconds(us)} | {us / memcpy:.2f} "
              f"| {times} |")
    print(f"| memcpy of the tensor | {microseconds(memcpy)} | 1 | | |")
    for variant in ("kept", "donated"):
        line = b.lines[workload][f"Inlay, {variant}"][0]
        print(f"\n{variant}: {line['copied_bytes']} bytes copied, {line['in_place_writes']} writes "
              "in place.", end="")
    print()


def cache_table(b):
    names = [f"cache-{n}" for n in LENGTHS]
    print("\n## A step of a cache, f32 [1,8,length,64]: a row is written and read\n")
    print("| | " + " | ".join(str(n) for n in LENGTHS) + " | longest : shortest |")
    print("| --- |" + " ---: |" * (len(LENGTHS) + 1))
    for label in b.lines[names[0]]:
        medians = [b.median(name, label) for name in names]
        worst = max((b.disturbed(name, label) for name in names), key=len)
        cells = " | ".join(microseconds(us) for us in medians)
        print(f"| {label}{worst} | {cells} | {medians[-1] / medians[0]:.2f} |")
    if b.o.ort:
        cells = " | ".join(f"{b.ahead(name, 'Inlay, variable'):.2f}" for name in names)
        print(f"| ONNX Runtime's fastest form : Inlay | {cells} | |")


def short(us):
    return f"{us / 1000:.1f} ms" if us >= 1000 else f"{us:.1f} µs"


def limits(b, chains, caches):
    """The rows of the table of limits that come from the workloads."""
    yield from table.windows_rows([(w, memcpy_of(b, w)) for w in chains], b.median)
    if caches:
        times = [b.median(name, "Inlay, variable") for name in caches]
        own = [statistics.median(b.ort_best(name)) for name in caches] if b.o.ort else None
        yield ("step of a cache in a variable, the slowest length", "us", max(times), 1.0,
               max(own) if own else None)
        yield ("step of a cache in a variable, slowest length : fastest", "x",
               max(times) / min(times), None, max(own) / min(own) if own else None)


WHOLE = ("ResNet-50", "MobileNetV2", "BERT-base 128", "two-layer LSTM")


def readme_rows(b, rows, found):
    """The table of the README: of several measurements of one kind the worst."""
    for workload in ("rows", "columns"):
        kept, donated = (short(b.median(workload, f"Inlay, {variant}")) for variant in ("kept", "donated"))
        peer = short(statistics.median(b.ort_best(workload)))
        loops = short(b.median(workload, "loops in C, in place"))
        yield f"| 32 windows of {workload}, one after another on 64 MiB | {kept} | {peer} | |"
        yield f"| the same, the input donated | {donated} | {peer} | {loops} |"
    names = [f"cache-{n}" for n in LENGTHS]
    ours = max(b.median(name, "Inlay, variable") for name in names)
    bound = min(statistics.median(b.ort_best(name, "bound")) for name in names)
    loops = max(b.median(name, "loops in C, in place") for name in names)
    yield f"| a step of a cache, at the slowest of five lengths | {short(ours)} | {short(bound)} | {short(loops)} |"
    for kernels, text in (("portable", "portable kernels"), ("onednn", "oneDNN's kernels")):
        worst = max(number for what, _, number, *_ in rows
                    if number and what.startswith(tuple(f"{m}, --kernels {kernels} " for m in WHOLE)))
        yield f"| the slowest of four whole models, {text} | {worst:.2f} | 1 | |"
    mean, worst = ops.summary(found)
    yield f"| the slowest of {len(found)} operations; their geometric mean is {mean:.2f} | {worst:.2f} | 1 | |"


def write_readme(b, name, rows, found):
    """Puts the new numbers between the table's head and the mark behind it."""
    begin, end = "| --- | ---: | ---: | ---: |\n", "<!-- make bench-results -->"
    with open(name) as f:
        text = f.read()
    head, rest = text.split(begin, 1)
    tail = rest.split(end, 1)[1]
    with open(name, "w") as f:
        f.write(head + begin + "\n".join(readme_rows(b, rows, found)) + "\n\n" + end + tail)


def read_onnx(b):
    """Large models are only there where run.sh could have them written."""
    folder = os.path.join(b.o.bin, "onnx-large")
    models = [os.path.join(folder, m) for m in sorted(os.listdir(folder))
              if m.endswith(".onnx")] if os.path.isdir(folder) else []
    print("\n## Reading ONNX\n\n```", flush=True)
    subprocess.run(b.program("read_onnx", b.o.ort or "-", *models), check=True)
    print("```")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--bin", required=True)
    a.add_argument("--ort")
    a.add_argument("--rounds", type=int, default=int(os.environ.get("BENCH_ROUNDS", 2)))
    a.add_argument("--only", nargs="*", default=[])
    a.add_argument("--readme", help="a file whose table of these numbers is brought up to date")
    b = Bench(a.parse_args())
    if b.o.readme and (b.o.only or not b.o.ort):
        sys.exit("bench: --readme needs all workloads, and ONNX Runtime")
    chains = [w for w in ("rows", "columns") if not b.o.only or w in b.o.only]
    caches = [f"cache-{n}" for n in LENGTHS] if not b.o.only or "cache" in b.o.only else []
    for number in range(b.o.rounds):
        for workload in chains + caches:
            b.measure(workload, number)
    print(f"# Measured on {datetime.date.today()}\n")
    print(f"{os.cpu_count()} processors, {processor()}. Medians of the "
          f"{b.o.rounds} rounds' medians. README.md says what the lines are.")
    for workload in chains + caches:
        b.agree(workload)
    for workload in chains:
        chain_table(b, workload)
    if caches:
        cache_table(b)
    rows = list(limits(b, chains, caches))
    if b.o.ort and (not b.o.only or "table" in b.o.only):
        rows += table.measure(b.o.bin, b.o.ort).rows()
    if rows:
        table.print_rows(rows)
    found = ops.measure(b.o.bin, b.o.ort, b.o.rounds) if b.o.ort and (not b.o.only or "ops" in b.o.only) else {}
    if found:
        ops.print_table(found)
    models = os.environ.get("BENCH_EXPORTS")
    if models and b.o.ort and (not b.o.only or "exports" in b.o.only):
        exports.print_table(exports.measure(models, os.path.join(b.o.bin, "..", "inlay"), b.o.ort, b.o.rounds))
    sys.stdout.flush()
    if b.o.readme:
        write_readme(b, b.o.readme, rows, found)
    xml = os.path.join(b.o.bin, "read_xml")
    if not b.o.only and os.path.exists(xml):
        print("\n## Reading OpenVINO IR\n\n```", flush=True)
        subprocess.run([xml], check=True)
        print("```")
        read_onnx(b)


main()
