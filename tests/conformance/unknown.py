"""Takes from models what a reader may want to know, and sees whether they give the same numbers.

    python3 unknown.py INLAY SHARE/OF FOLDER...

Every model of the FOLDERs (ONNX's node tests, onnx_variants.py) that passes is written again in the forms of forms():
the rank, or all sizes, of an operand are not declared; what stands beside the data comes from the run, or is in the
file; the nodes stand in a branch of an If, or in the body of a Loop. Each form must give what the test expects, and
each operator of the importer's table must have a model here, or stand in onnx-no-model.txt with the reason. Of SHARE/OF
only each OF-th model is tried, from number SHARE on. Prints TAP. Field numbers are those of onnx.proto; nothing of the
library is used."""

import glob
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "reference"))
from onnx_model import attribute, block, node, number, tensor, varint  # noqa: E402

GRAPH, NODE, INITIALIZER, INPUT, OUTPUT, VALUE_INFO = 7, 1, 5, 11, 12, 13
NAME, TYPE, TENSOR_TYPE, ELEMENT, SHAPE, DIM = 1, 2, 1, 1, 2, 1


def fields(data):
    """The fields of a message, in order: (number, content), where content is an int or bytes."""
    at, out = 0, []

    def read():
        nonlocal at
        n = shift = 0
        while True:
            byte = data[at]
            at += 1
            n |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return n
    while at < len(data):
        key = read()
        if key & 7 == 0:
            out.append((key >> 3, read()))
            continue
        size = read() if key & 7 == 2 else 4 if key & 7 == 5 else 8
        out.append((key if key & 7 != 2 else key >> 3, data[at:at + size]) if key & 7 == 2 else
                   (-key, data[at:at + size]))
        at += size
    return out


def message(parts):
    out = b""
    for n, content in parts:
        out += (varint(-n) + content) if n < 0 else number(n, content) if isinstance(content, int) else block(n, content)
    return out


def get(parts, n, default=b""):
    return next((c for k, c in parts if k == n), default)


def put(parts, n, content):
    return [(k, content if k == n else c) for k, c in parts]


class Model:
    def __init__(self, folder):
        with open(folder + "/model.onnx", "rb") as f:
            self.parts = fields(f.read())
        self.graph = fields(get(self.parts, GRAPH))
        self.inputs = [c for n, c in self.graph if n == INPUT]
        self.outputs = [c for n, c in self.graph if n == OUTPUT]
        self.files = [f"{folder}/test_data_set_0/input_{i}.pb" for i in range(len(self.inputs))]

    def with_graph(self, graph):
        return message(put(self.parts, GRAPH, message(graph)))

    def with_inputs(self, inputs):
        """The model with these declarations of its inputs; what is said of other values is left out."""
        rest = [(n, c) for n, c in self.graph if n not in (INPUT, VALUE_INFO)]
        return rest + [(INPUT, c) for c in inputs]

    def domains(self):
        return {get(fields(c), 1) for n, c in self.parts if n == 8}

    def opset(self):
        return max((get(fields(c), 2, 0) for n, c in self.parts if n == 8 and get(fields(c), 1) in (b"", b"ai.onnx")),
                   default=0)


def shaped(value, change):
    """The declaration VALUE with CHANGE, of a list of dims to one or to None, on its shape."""
    parts = fields(value)
    kind = fields(get(parts, TYPE))
    inner = fields(get(kind, TENSOR_TYPE))
    shape = get(inner, SHAPE, None)
    dims = change([c for n, c in fields(shape) if n == DIM]) if shape is not None else None
    inner = [(n, c) for n, c in inner if n != SHAPE]
    if dims is not None:
        inner.append((SHAPE, message([(DIM, c) for c in dims])))
    return message(put(parts, TYPE, message(put(kind, TENSOR_TYPE, message(inner)))))


def is_tensor(value):
    return any(n == TENSOR_TYPE for n, c in fields(get(fields(value), TYPE)))


def no_rank(value):
    return shaped(value, lambda dims: None) if is_tensor(value) else value


def open_sizes(value):
    return shaped(value, lambda dims: [b""] * len(dims)) if is_tensor(value) else value


def value_name(value):
    return get(fields(value), NAME).decode()


def each_unknown(m, change, word):
    for i, value in enumerate(m.inputs):
        changed = change(value)
        if changed != value:
            yield f"{word} of input {i}", m.with_inputs([changed if k == i else v for k, v in enumerate(m.inputs)])
    if len(m.inputs) > 1:
        yield f"{word} of all inputs", m.with_inputs([change(v) for v in m.inputs])


def from_file(m):
    """All operands but the first are initializers; the first is declared, has open sizes, or no known rank."""
    if len(m.inputs) < 2 or not all(os.path.exists(f) for f in m.files) or not all(map(is_tensor, m.inputs)):
        return
    given = []
    for value, path in list(zip(m.inputs, m.files))[1:]:
        with open(path, "rb") as f:
            content = [(n, c) for n, c in fields(f.read()) if n not in (8, 12)]
        given.append((INITIALIZER, message(content + [(8, value_name(value).encode())])))
    for word, change in (("input 0", lambda v: v), ("rank of input 0", no_rank), ("sizes of input 0", open_sizes)):
        yield f"{word}, the others in the file", m.with_inputs([change(m.inputs[0])]) + given, 1


def without_shapes(values):
    return [no_rank(v) for v in values]


def in_branch(m):
    """The nodes stand in a branch of an If, which takes the inputs from the graph around."""
    inner = [(n, c) for n, c in m.graph if n not in (INPUT, OUTPUT, VALUE_INFO)]
    inner += [(OUTPUT, v) for v in without_shapes(m.outputs)]
    body = message([(NODE, c) for n, c in inner if n == NODE] + [(n, c) for n, c in inner if n != NODE])
    body += b"" if any(n == 2 for n, c in inner) else block(2, "branch")
    names = [value_name(v) for v in m.outputs]
    made = node("If", ["__yes"], names, {"then_branch": body, "else_branch": body})
    yes = (INITIALIZER, tensor(True, "__yes"))
    rest = [(2, b"graph"), (INITIALIZER, yes[1]), (NODE, made)] + [(OUTPUT, v) for v in m.outputs]
    yield "all known, in a branch", rest + [(INPUT, v) for v in m.inputs]
    yield "rank of all inputs, in a branch", rest + [(INPUT, v) for v in without_shapes(m.inputs)]


def in_loop(m):
    """The nodes stand in the body of a Loop that makes one iteration; its outputs are carried, so that what they begin
    with is the outputs of the same nodes before the loop."""
    inner = [(n, c) for n, c in m.graph if n in (NODE, INITIALIZER, 15)]
    names = [value_name(v) for v in m.outputs]
    if not all(map(is_tensor, m.outputs)) or not all(names):
        return
    carried = [block(NAME, f"__in_{i}") + message([(TYPE, get(fields(no_rank(v)), TYPE))])
               for i, v in enumerate(m.outputs)]
    count = block(NAME, "__i") + block(TYPE, block(TENSOR_TYPE, number(ELEMENT, 7) + block(SHAPE, b"")))
    going = block(NAME, "__go") + block(TYPE, block(TENSOR_TYPE, number(ELEMENT, 9) + block(SHAPE, b"")))
    on = block(NAME, "__on") + block(TYPE, block(TENSOR_TYPE, number(ELEMENT, 9) + block(SHAPE, b"")))
    body = message([(NODE, node("Identity", ["__go"], ["__on"]))] + inner + [(2, b"body"), (INPUT, count), (INPUT, going)] +
                   [(INPUT, c) for c in carried] + [(OUTPUT, on)] + [(OUTPUT, v) for v in without_shapes(m.outputs)])
    renamed = [(OUTPUT, block(NAME, f"__result_{i}") + message([(TYPE, get(fields(v), TYPE))]))
               for i, v in enumerate(m.outputs)]
    made = node("Loop", ["__one", "__yes"] + names, [f"__result_{i}" for i in range(len(names))], {"body": body})
    graph = [(2, b"graph"), (INITIALIZER, tensor(1, "__one")), (INITIALIZER, tensor(True, "__yes"))]
    graph += inner + [(NODE, made)] + renamed
    yield "rank of all inputs, in a loop", graph + [(INPUT, v) for v in without_shapes(m.inputs)]


def forms(m):
    yield from each_unknown(m, no_rank, "rank")
    yield from each_unknown(m, open_sizes, "sizes")
    yield from from_file(m)
    if m.opset() >= 13 and any(d in (b"", b"ai.onnx") for d in m.domains()):
        yield from in_branch(m)
        yield from in_loop(m)


def run(inlay, model, folder, n_files=None):
    """Status and first message of a run of the bytes MODEL on the data of FOLDER, of which the first N_FILES inputs."""
    with tempfile.TemporaryDirectory() as scratch:
        with open(scratch + "/model.onnx", "wb") as f:
            f.write(model)
        data = scratch + "/test_data_set_0"
        os.mkdir(data)
        for path in glob.glob(folder + "/test_data_set_0/*.pb"):
            name = os.path.basename(path)
            if n_files is None or not name.startswith("input_") or int(name[6:-3]) < n_files:
                os.symlink(path, f"{data}/{name}")
        try:
            done = subprocess.run([inlay, "run", scratch + "/model.onnx", "--test-data", scratch, "--quiet"],
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=60)
        except subprocess.TimeoutExpired:
            return 124, "more than a minute"
    said = re.sub(r".*?: (error: )?", "", (done.stdout + done.stderr).strip().split("\n")[0], count=1)
    return done.returncode, said


def operators(root):
    """The operators of the importer's table, as its files list them."""
    found = set()
    for path in glob.glob(root + "/parser/onnx/import/*.c"):
        with open(path) as f:
            found |= set(re.findall(r'^    {"([\w.]+)", \d+, ', f.read(), re.M))
    return found


def operators_of(m):
    out = set()
    for n, c in m.graph:
        if n == NODE:
            parts = fields(c)
            domain = get(parts, 7).decode()
            out.add((domain + "." if domain not in ("", "ai.onnx") else "") + get(parts, 4).decode())
    return out


def try_test(inlay, folder):
    """None: the test itself fails; else how many forms there are, and what failed."""
    m = Model(folder)
    if run(inlay, message(m.parts), folder)[0] != 0:
        return None
    n, failed = 0, []
    for word, graph, *n_files in forms(m):
        status, said = run(inlay, m.with_graph(graph), folder, *n_files)
        n += 1
        if status != 0:
            failed.append(f"{os.path.basename(folder)}: {word}: {status} {said}")
    return n, failed


def operators_without_model(root, tests):
    """The operators that no model of TESTS has, and onnx-no-model.txt does not list."""
    with open(root + "/tests/conformance/onnx-no-model.txt") as f:
        known = {line.split(":")[0] for line in f if not line.startswith("#")}
    return sorted(operators(root) - known - set().union(*(operators_of(Model(t)) for t in tests)))


def main():
    inlay, share, folders = sys.argv[1], sys.argv[2], sys.argv[3:]
    first, of = map(int, share.split("/"))
    tests = [f for folder in folders for f in sorted(glob.glob(folder + "/*"))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [r for r in pool.map(lambda f: try_test(inlay, f), tests[first - 1::of]) if r]
    failed = [line for r in results for line in r[1]]
    n = sum(r[0] for r in results)
    print("1..2")
    print(f"{'not ok' if failed else 'ok'} - {n - len(failed)} of {n} forms of {len(results)} tests give the same")
    for line in failed:
        print("#", line)
    left = operators_without_model(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."), tests)
    print(f"{'not ok' if left else 'ok'} - each operator has a model here")
    for name in left:
        print("#", name)


if __name__ == "__main__":
    main()
