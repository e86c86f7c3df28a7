"""Models that tools exported beside ONNX Runtime, one thread, in turn in one process: each folder of $BENCH_EXPORTS
with a `model.onnx` and an `inputs.npz`. What a model is for is the first part of its folder's name up to `_`, how its
numbers are kept the last one behind `.`: d_gpt2.dynamo.qdq is a decoder in 8 bits."""
import os
import statistics
import sys

import kept
import ops

KINDS = {"v": "vision", "l": "language", "d": "decoder steps", "w": "writes in place", "r": "recurrent"}
KEPT = {"qdq": "8 bits", "qdq_pc": "8 bits", "qop": "8 bits", "dyn8": "8 bits", "nbits4": "4 bits",
        "fp16": "f16", "fused16": "f16"}
# the geometric mean, the worst
LIMITS = {"vision": (0.9, 1.2), "language": (0.7, 1.0), "decoder steps": (0.35, 0.5), "8 bits": (0.9, 1.1)}


def kind(name):
    return KEPT.get(name.rsplit(".", 1)[-1]) or KINDS.get(name.split("_", 1)[0], "others")


def measure(folder, inlay, library, rounds):
    """{kind: {model: ratio}}"""
    ratios, found = {}, {}
    for number in range(rounds):
        for name in sorted(os.listdir(folder)):
            files = [os.path.join(folder, name, file) for file in ("model.onnx", "inputs.npz")]
            if not all(map(os.path.exists, files)):
                continue
            what = f"exports, round {number + 1}: {name}"
            print(what, file=sys.stderr)
            one = kept.measured(what, lambda: ops.ratio(inlay, library, *files))
            if one:
                ratios.setdefault(name, []).append(one)
    for name, each in ratios.items():
        found.setdefault(kind(name), {})[name] = statistics.median(each)
    return found


def print_table(found):
    print("\n## Exported models beside ONNX Runtime, one thread\n")
    print("| | models | geometric mean | limit | worst | limit | |\n| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for what, models in sorted(found.items()):
        (mean, worst), limits = ops.summary({what: models}), LIMITS.get(what)
        slowest = max(models, key=models.get)
        most = [f"{limit:.2f}" for limit in limits] if limits else ["", ""]
        print(f"| {what} | {len(models)} | {mean:.2f} | {most[0]} | {worst:.2f} ({slowest}) | {most[1]} "
              f"| {'**not met**' if limits and (mean > limits[0] or worst > limits[1]) else ''} |")
