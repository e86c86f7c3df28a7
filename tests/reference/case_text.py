"""The files of tests/ops (tests/ops/README.md says what stands in one): written and read."""

import json
import re
import subprocess

import numpy as np

FLOATS = ("f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2", "f8e4m3fnuz", "f8e5m2fnuz", "f8e8m0", "f4e2m1")
WIDTH = 100


class Operations:
    """The rows of the program's table, as `inlay ops --json` gives them."""

    def __init__(self, inlay):
        self.rows = json.loads(subprocess.run([inlay, "ops", "--json"], check=True, capture_output=True).stdout)

    def has(self, op):
        return any(row["type"] == op for row in self.rows)

    def row(self, op, version):
        """The row that VERSION ("opset8", "onnx13") holds; None: the newest one of OpenVINO, or the only one."""
        rows = [row for row in self.rows if row["type"] == op]
        if version is None:
            rows = [row for row in rows if row["opsets"].startswith("opset")] or rows
            return max(rows, key=lambda row: row["version"])
        return next(row for row in rows if holds(row["opsets"], version))

    def written(self, op, number, opset):
        """The version by name, of an operation that a file calls OP-NUMBER or OP-NUMBER@OPSET."""
        if opset:
            return opset
        rows = [row for row in self.rows if row["type"] == op and row["opsets"].startswith("opset")]
        return next(row["written"] for row in rows if row["version"] == number)


def holds(opsets, version):
    """"opset1..7" holds "opset3"."""
    name, first, last = re.match(r"([a-z_]+)(\d*)(?:\.\.(\d*))?", opsets).groups()
    wanted, number = re.match(r"([a-z_]+)(\d*)$", version).groups()
    if name != wanted or not first:
        return name == wanted
    last = first if ".." not in opsets else last or 10**6
    return int(first) <= int(number) <= int(last)


# ---- writing ----


def element_text(type_, x):
    if type_ == "string":
        return json.dumps(x, ensure_ascii=False)
    if type_ == "boolean":
        return "true" if x else "false"
    if type_ not in FLOATS:
        return str(int(x))
    if not np.isfinite(x):
        return "nan" if np.isnan(x) else "inf" if x > 0 else "-inf"
    text = str(x)
    return text[:-2] if text.endswith(".0") else text


def wrapped(words, width):
    """The words in lines of at most WIDTH characters, with a comma after each but the last."""
    lines = [""]
    for i, word in enumerate(words):
        word += "," if i + 1 < len(words) else ""
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += " " + word if lines[-1] else word
    return lines


def tensor_text(tensor, before, margin):
    """BEFORE and the literal behind it: in one line where it fits, else a line for each row, after MARGIN."""
    type_, shape = tensor.type, tensor.shape
    words = [element_text(type_, x) for x in tensor.array.reshape(-1)]
    head = f"{before}{type_}[{','.join(map(str, shape))}] "
    if not shape:
        return head + words[0]
    line = f"{head}[{', '.join(words)}]"
    if len(line) <= WIDTH and (len(shape) < 2 or len(words) <= 8):
        return line
    lines, size = [], shape[-1]
    for i in range(0, len(words), size):
        row = wrapped(words[i:i + size], WIDTH - len(margin))
        row[-1] += "," if i + size < len(words) else ""
        lines += row
    return f"{head}[" + "".join(f"\n{margin}{row}" for row in lines) + "]"


# Attributes that are strings, which the text form has in quotes; others are words.
STRINGS = ("equation", "reduce", "activations", "delimiter", "pattern", "framework")


def attribute_text(name, x):
    if isinstance(x, list):
        return f"[{', '.join(attribute_text(name, item) for item in x)}]"
    if isinstance(x, bool):
        return "true" if x else "false"
    return json.dumps(x) if name in STRINGS else str(x)


def operand_names(row, count):
    """A name for each operand, as the row has it; several operands of one row entry are counted."""
    names = [info["name"] for info in row["inputs"]]
    last = names[-1]
    names += [last] * (count - len(names))
    more = count > len(row["inputs"])
    return [f"{last}{i - len(row['inputs']) + 1}" if more and i >= len(row["inputs"]) - 1 else name
            for i, name in enumerate(names[:count])]


def expectation(name, tensor, ulp, atol, dynamic):
    """The comment that says what a Result must be."""
    said = "dynamic " if dynamic else ""
    bounds = ([f"{ulp} ulp"] if ulp else []) + ([str(atol)] if atol else [])
    said += f"within {' or '.join(bounds)} " if bounds else ""
    return tensor_text(tensor, f"  // expect {name} {said}= ", "  //   ") + "\n"


def case_text(row, version, inputs, expected, attributes, tolerance):
    """The case of one node. EXPECTED: a list of tensors, or the only one, or Refused; TOLERANCE: ulp, atol, dynamic."""
    lines, names = [f'graph "{row["type"]}" {{'], []
    seen = {}
    for name, tensor in zip(operand_names(row, len(inputs)), inputs):
        if tensor is not None and id(tensor) not in seen:
            seen[id(tensor)] = f"%{name}"
            lines.append(tensor_text(tensor, f"  %{name} = Const {{value = ", "    ") + "}")
        names.append("none" if tensor is None else seen[id(tensor)])
    several = isinstance(expected, list)
    spelling = f"{row['type']}-{row['version']}"
    if (version or row["written"]) != row["written"] or not row["opsets"].startswith("opset"):
        spelling += f"@{version or row['written']}"
    node = f"  %y{f':{len(expected)}' if several else ''} = {spelling}({', '.join(names)})"
    if attributes:
        node += " {" + ", ".join(f"{k} = {attribute_text(k, x)}" for k, x in attributes.items()) + "}"
    lines.append(node)
    for i, tensor in enumerate(expected if several else [expected]):
        out = f"out{i}" if several else "out"
        lines.append(f"  %{out} = Result(%y{f':{i}' if several else ''})")
        lines.append(f"  // expect error: {tensor.text}" if hasattr(tensor, "text") else
                     expectation(out, tensor, *tolerance)[:-1])
    return "\n".join(lines) + "\n}\n"


# ---- reading ----

NUMBER = r"-?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|inf\b)"
TOKEN = re.compile(r'\s+|("(?:[^"\\]|\\.)*"|' + NUMBER + r"|[A-Za-z_][\w.]*(?:-[A-Za-z_]\w*)*|.)")


class Text:
    """The tokens of a text, taken one by one."""

    def __init__(self, text):
        self.tokens = [token for token in TOKEN.findall(text) if token] + [""]
        self.at = 0

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, token):
        there = self.tokens[self.at] == token
        self.at += there
        return there

    def expect(self, *tokens):
        for token in tokens:
            found = self.next()
            if found != token:
                raise ValueError(f"found {found!r}, expected {token!r}")

    def listing(self, item, end):
        """What ITEM reads, a comma between, up to END."""
        items = []
        while self.tokens[self.at] != end:
            items.append(item())
            if self.tokens[self.at] != end:
                self.expect(",")
        self.expect(end)
        return items

    def scalar(self):
        """A number as a string, which its reader knows the type of; true, false, a word, a string."""
        token = self.next()
        return json.loads(token) if token[0] == '"' or token in ("true", "false") else token

    def value(self):
        return self.listing(self.scalar, "]") if self.accept("[") else self.scalar()

    def tensor(self):
        """f32[2] [1, 2], as the members of a JSON graph."""
        type_ = self.next()
        self.expect("[")
        shape = [int(n) for n in self.listing(self.next, "]")]
        data = self.value()
        return {"type": type_, "shape": shape, "data": data if isinstance(data, list) else [data]}

    def reference(self):
        """%x, %x:1, or none."""
        if self.accept("none"):
            return ""
        self.expect("%")
        name = self.next()
        return f"{name}:{self.next()}" if self.accept(":") else name


def attribute(text):
    name = text.next()
    text.expect("=")
    return name, text.value()


def read_node(text, graph, operations):
    """A line `%name = Operation-1(%a, %b) {axis = 1}`, into the document."""
    text.expect("%")
    name = text.next()
    count = int(text.next()) if text.accept(":") else None
    text.expect("=")
    op = text.next()
    if op == "Const":
        text.accept("-1")
        text.expect("{", "value", "=")
        graph["constants"].append({"name": name, **text.tensor()})
        text.expect("}")
        return
    number = -int(text.next()) if text.tokens[text.at].startswith("-") else None
    version = text.next() if text.accept("@") else None
    if op != "Result":
        version = operations.written(op, number, version) if number else version or operations.row(op, None)["written"]
    text.expect("(")
    inputs = text.listing(text.reference, ")")
    attributes = dict(text.listing(lambda: attribute(text), "}")) if text.accept("{") else {}
    if op == "Result":
        graph["outputs"].append({"value": inputs[0], "name": name})
        return
    outputs = [name] if count is None else [f"{name}:{i}" for i in range(count)]
    graph["nodes"].append({"name": name, "type": op, "version": version, "inputs": inputs, "outputs": outputs,
                           "attributes": attributes})


EXPECT = re.compile(r"(\w+)( dynamic)?(?: within ([^=]+?))? = (.*)$")


def read_expectation(said):
    """The members of a tensor, and name, ulp and atol."""
    name, _, bounds, literal = EXPECT.match(said).groups()
    row = {"name": name, "ulp": 0, "atol": 0, **Text(literal).tensor()}
    for bound in (bounds or "").split(" or ") if bounds else []:
        row["ulp" if bound.endswith(" ulp") else "atol"] = float(bound.removesuffix(" ulp"))
    return row


def cases_in(folder):
    """(name, text) of each case in FOLDER of tests/ops."""
    for path in sorted(folder.glob("*.inlay")):
        yield path.stem, path.read_text(encoding="utf-8")
    for path in sorted(folder.glob("*.cases")):
        _, *cases = re.split("^case ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        yield from (case.split("\n", 1) for case in cases)


def read_case(case, operations):
    """(the graph as a JSON document, what its Results must be, in their order). None where an error is expected, and
    of a graph with bodies or variables, which is not read here."""
    lines, said = [], []
    for line in case.splitlines():
        line = line.strip()
        if line.startswith("// expect "):
            said.append(line.removeprefix("// expect "))
        elif line.startswith("//") and said and said[-1][-1] in ",[":
            said[-1] += " " + line[2:].strip()
        elif not line.startswith("//"):
            lines.append(line)
    if any(text.startswith("error: ") for text in said) or re.search(r'body "|\bvariable', " ".join(lines)):
        return None
    text = Text(" ".join(lines))
    text.expect("graph")
    graph = {"name": text.scalar(), "constants": [], "nodes": [], "outputs": []}
    text.expect("{")
    while not text.accept("}"):
        read_node(text, graph, operations)
    rows = {row["name"]: row for row in map(read_expectation, said)}
    return graph, [rows[out["name"]] for out in graph["outputs"]]
