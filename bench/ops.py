"""Operations beside ONNX Runtime, one thread, in turn in one process (`inlay bench --compare`): a row for each of
op_models.py, at sizes that models have and at drawn ones. A round's number is the ratio of the two smallest times, and
the median of the rounds counts."""
import json
import math
import os
import statistics
import subprocess
import sys

import kept
import op_models

LIMIT_MEAN, LIMIT = 1.0, 1.5
SEED = int(os.environ.get("BENCH_SEED", 1))
SECONDS = os.environ.get("BENCH_SECONDS", "0.2")


def ratio(inlay, library, model, inputs):
    command = [inlay, "bench", model, "-i", inputs, "-t", SECONDS, "--threads", "1", "--json", "--no-steps",
               "--compare", "onnxruntime", "--onnxruntime", library]
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if p.returncode:
        print(f"bench: {' '.join(command)}: {p.stderr.strip()}", file=sys.stderr)
        return None
    found = json.loads(p.stdout)
    return found["min_us"] / found["compare"]["min_us"]


def measure(folder, library, rounds):
    """{operation: {"models" or "drawn": ratio}}"""
    inlay, found = os.path.join(os.path.dirname(folder), "inlay"), {}
    models = list(op_models.write(os.path.join(folder, "ops"), SEED))
    for number in range(rounds):
        for name, which, model, inputs in models:
            what = f"ops, round {number + 1}: {name}, {which}"
            print(what, file=sys.stderr)
            one = kept.measured(what, lambda: ratio(inlay, library, model, inputs))
            if one:
                found.setdefault(name, {}).setdefault(which, []).append(one)
    return {name: {which: statistics.median(r) for which, r in sizes.items()} for name, sizes in found.items()}


def summary(found):
    """The geometric mean and the largest of all ratios."""
    every = [r for sizes in found.values() for r in sizes.values()]
    return math.exp(statistics.mean(map(math.log, every))), max(every)


def print_table(found):
    mean, worst = summary(found)
    print(f"\n## {len(found)} operations beside ONNX Runtime, one thread\n")
    print("Our smallest time over its smallest time, at sizes that models have and at odd ones that are drawn.\n")
    print(f"Geometric mean {mean:.2f} (the limit: {LIMIT_MEAN}), worst {worst:.2f} (the limit: {LIMIT}).\n")
    print("| | sizes of models | drawn sizes | |\n| --- | ---: | ---: | --- |")
    for name, sizes in sorted(found.items(), key=lambda each: -max(each[1].values())):
        cells = " | ".join(f"{sizes[which]:.2f}" if which in sizes else "" for which in ("models", "drawn"))
        print(f"| {name} | {cells} | {'**not met**' if max(sizes.values()) > LIMIT else ''} |")
