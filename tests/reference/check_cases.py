"""The interpreter against what is kept: the cases of tests/ops with the results in them, and the models
of the tree with theirs. Prints a line of TAP for each operation and model.

usage: check_cases.py ROOT INLAY SCRATCH, where INLAY is the command (it lists operations and turns models into JSON)
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from case_text import Operations, cases_in, read_case
from interpreter import Fault, Graph, Tensor, Unknown, Unsupported
from interpreter.tensor import EPSILON, from_json, is_float

# model, inputs in order, runs, output: what `inlay run --expect` is given in the documents of models/
MODELS = [
    ("models/digits/digits.xml", ["models/digits/ten.npy"], 1, "models/digits/ten_expected.npy"),
    ("models/window/window.inlay", ["models/window/data.npy"], 1, "models/window/out.npy"),
    ("models/window/second_reader.inlay", ["models/window/data.npy"], 1, "models/window/change.npy"),
    ("models/window/chain.json", ["models/window/chain_data.npy"], 1, "models/window/chain_out.npy"),
] + [("models/cache/step.inlay", ["models/cache/tokens.npy", "models/cache/query.npy"], n,
      f"models/cache/scores_{n}.npy") for n in (1, 16, 40)]


def spacing(type_, x):
    """The distance between neighbours at each element."""
    least = {"f64": -1022, "f16": -14}.get(type_, -126)
    with np.errstate(all="ignore"):
        exponent = np.where(np.isfinite(x) & (x != 0), np.floor(np.log2(np.abs(x))), least)
    return EPSILON[type_] * np.exp2(np.maximum(exponent, least))


def differs(got, want, ulp=0.0, atol=0.0):
    """Why two tensors are not the same, or None. What the interpreter allows one of them counts too."""
    slack = max(got.slack, want.slack)
    if got.type != want.type or got.shape != want.shape:
        return f"{got.type}{list(got.shape)} instead of {want.type}{list(want.shape)}"
    if not is_float(got.type):
        same = got.array == want.array
    else:
        a, b = got.array.astype(np.float64), want.array.astype(np.float64)
        with np.errstate(all="ignore"):
            near = np.abs(a - b) <= np.maximum(np.maximum(ulp, 0) * spacing(got.type, b), max(atol, slack))
        same = (a == b) | (np.isnan(a) & np.isnan(b)) | near
    if slack == np.inf or np.all(same):
        return None
    at = tuple(np.argwhere(~np.asarray(same))[0])
    return f"element {list(map(int, at))} is {got.array[at]}, {want.array[at]} is kept"


def check_case(case, text, operations):
    """(compared outputs, outputs that the interpreter cannot compute, differences)"""
    read = read_case(text, operations)
    if read is None:
        return 0, 0, []
    document, kept = read
    compared, missing, wrong = 0, 0, []
    for out, row in zip(document["outputs"], kept):
        try:
            got = Graph({**document, "outputs": [out]}).run([], {})[0]
        except (Unsupported, Unknown):
            missing += 1
            continue
        except Fault as fault:
            wrong.append(f"{case}: {row['name']}: {fault}")
            continue
        why = differs(got, from_json(row["type"], row["shape"], row["data"]), row["ulp"], row["atol"])
        compared += 1
        wrong += [f"{case}: {row['name']}: {why}"] if why else []
    return compared, missing, wrong


def report(name, compared, missing, wrong):
    """An operation that the interpreter does not know has no line; False then."""
    if compared or wrong:
        left_out = f", {missing} left out" if missing else ""
        print(f"{'not ok' if wrong else 'ok'} - {name}: {compared} results{left_out}")
        for line in wrong[:10]:
            print(f"# {line}")
    return bool(compared or wrong)


def read_npy(path):
    array = np.load(path)
    kind = {"f": "f", "i": "i", "u": "u", "b": "boolean"}[array.dtype.kind]
    return Tensor(kind if kind == "boolean" else f"{kind}{array.dtype.itemsize * 8}", array)


def model_document(root, inlay, model, scratch):
    path = root / model
    if path.suffix != ".json":
        path = scratch / (Path(model).stem + ".json")
        subprocess.run([inlay, "convert", root / model, path], check=True)
    return Graph(json.loads(path.read_text(encoding="utf-8")), path.parent)


def check_model(root, inlay, model, inputs, runs, output, scratch):
    graph, state = model_document(root, inlay, model, scratch), {}
    given = [read_npy(root / name) for name in inputs]
    for _ in range(runs):
        made = graph.run(given, state)
    wanted = read_npy(root / output)
    found = [t for t in made if t.shape == wanted.shape and t.type == wanted.type]
    why = min([differs(t, wanted, 4, 1e-6) or "" for t in found] or ["no output of its shape"])
    return (1, 0, [why] if why else [])


def seeds(root):
    """Each has one result and, if it has an input, 0, 1, 2, ... there."""
    for path in sorted((root / "models/seeds").glob("*.npy")):
        for ending in (".json", ".xml"):
            if path.with_suffix(ending).exists():
                yield f"models/seeds/{path.stem}{ending}", f"models/seeds/{path.name}"


def seed_input(model, row):
    """What models/seeds/README.md says: x and data count, the tensors of TensorFlow are zeros or ones."""
    count = int(np.prod(row["shape"]))
    ones = row["name"] == "updates" or model.endswith("tensorflow_elements_2d.json")
    flat = np.arange(count) if row["name"] in ("x", "data") else np.full(count, 1 if ones else 0)
    return Tensor(row["type"], flat.reshape(row["shape"]))


def main(root, inlay, scratch):
    unknown, operations = [], Operations(inlay)
    for folder in sorted(p for p in (root / "tests/ops").iterdir() if p.is_dir()):
        results = [check_case(*case, operations) for case in cases_in(folder)]
        compared, missing = (sum(r[i] for r in results) for i in (0, 1))
        if not report(f"tests/ops/{folder.name}", compared, missing, [line for r in results for line in r[2]]):
            unknown.append(folder.name)
    print("# the interpreter does not know", ", ".join(unknown))
    for model, inputs, runs, output in MODELS:
        report(f"{model}, {Path(output).name}", *check_model(root, inlay, model, inputs, runs, output, scratch))
    for model, output in seeds(root):
        graph = model_document(root, inlay, model, scratch)
        why = differs(graph.run([seed_input(model, r) for r in graph.inputs], {})[0], read_npy(root / output), 4, 1e-6)
        report(model, 1, 0, [why] if why else [])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
