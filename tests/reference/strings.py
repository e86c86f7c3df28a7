"""Cases of operations on text. Python's own str and re compute what must come out."""

import re

import numpy as np

from case import Case, Tensor

CASES = {}


def case_of(op, name):
    """Nodes of one name are one case."""
    if (op, name) not in CASES:
        CASES[op, name] = Case(op, name)
    return CASES[op, name]


def text(values, shape=None):
    values = np.array(values, object)
    return Tensor("string", values if shape is None else values.reshape(shape))


def concat():
    c = case_of("StringConcat", "shapes")
    a, b = [["a", "b"], ["", "\u00e9"]], [["1"], ["22"]]
    c.node([text(a), text(b)], text([[x + y[0] for x in row] for row, y in zip(a, b)]), version="onnx20")
    c.node([text("x", ()), text(["p", "", "q"])], text(["xp", "x", "xq"]), version="onnx20")
    c.node([text([], (0, 2)), text(["p", "q"])], text([], (0, 2)), version="onnx20")


def split():
    def case(values, shape, **attributes):
        sep = attributes.get("delimiter") or None
        parts = [v.split(sep, attributes.get("maxsplit", -1)) for v in values]
        most = max([len(p) for p in parts], default=0)
        padded = [word for p in parts for word in p + [""] * (most - len(p))]
        case_of("StringSplit", case.name).node(
            [text(values, shape)], [text(padded, (*shape, most)), Tensor("i64", np.array(
                [len(p) for p in parts], np.int64).reshape(shape))], attributes, "onnx20", dynamic=True)

    case.name = "delimiter"
    case(["a.b", "", "c", ".d."], (2, 2), delimiter=".")
    case(["a--b---c"], (1,), delimiter="--")
    case(["a.b.c.d", "x"], (2,), delimiter=".", maxsplit=2)
    case(["a.b.c.d", "x"], (2,), delimiter=".", maxsplit=0)
    case.name = "white-space"
    case(["  a b\t\nc ", "", "\u2003d\u00a0e"], (3,))
    case([" a  b  c "], (1,), maxsplit=1)
    case(["abc"], ())


def normalizer():
    def case(values, stop, change="NONE", sensitive=False, two=False):
        fold = (lambda s: s) if sensitive else str.lower
        kept = [v for v in values if fold(v) not in [fold(w) for w in stop or []]] or [""]
        change_case = {"NONE": str, "LOWER": str.lower, "UPPER": str.upper}[change]
        shape = lambda n: (1, n) if two else (n,)
        c = case_of("StringNormalizer", f"{change.lower()},{'' if sensitive else 'in'}sensitive,{len(stop or [])}-words"
                 f"{',two-axes' if two else ''}")
        c.node([text(values, shape(len(values)))] + ([text(stop)] if stop else []),
               text([change_case(k) for k in kept], shape(len(kept))),
               {"case_change_action": change, "is_case_sensitive": sensitive}, "onnx10", dynamic=True)

    days = ["Monday", "tuesday", "\u00c4rger", "monday", "\u0436\u0423\u043a"]
    case(days, ["monday", "\u00e4rger"], "UPPER")
    case(days, ["monday"], "LOWER", sensitive=True)
    case(days, None, "LOWER")
    case(days, ["nothing"], two=True)
    case(["monday", "Monday"], ["MONDAY"], "UPPER", two=True)


PATTERNS = [
    r"www\.[\w.-]+\.\bcom\b", r"(\W|^)[\w.\-]{0,25}@(yahoo|gmail)\.com(\W|$)", r"a*", r"(a|b)*c+d?", r"[^a-c]{2,3}",
    r"\d+\.\d{2}", r"(?:x|yy)+?", r".", r"[[:upper:]][[:lower:]]*", r"\x41\x{e9}", r"a{,2}", r"", r"(?P<n>ab)+",
    r"\Ba|\bb", r"[]a]+", r"[\d\-x]*\.?",
]
STRINGS = [
    "www.google.com", "www.bbc.co.uk", "account@gmail.com", "account@hotmail.com", "not email", "", "aaa", "abac",
    "abccd", "dd", "ddd", "dddd", "12.34", "12.3", "xyyx", "xy", "\u00e9", "A\u00e9", "Abc", "aBC", "a{,2}", "abab", "b",
    "]a]", "1-2x.", "a\n",
]


def regex():
    for k, pattern in enumerate(PATTERNS):
        python = pattern.replace("[[:upper:]]", "[A-Z]").replace("[[:lower:]]", "[a-z]").replace(r"\x{e9}", "\u00e9")
        python = python.replace(r"a{,2}", r"a\{,2\}").replace("$", r"\Z")
        found = [re.fullmatch(python, s, re.ASCII) is not None for s in STRINGS]
        case_of("RegexFullMatch", f"pattern-{k}").node([text(STRINGS)], Tensor("boolean", found), {"pattern": pattern},
                                                    "onnx20")


def vectorizer():
    pool, counts, indexes = [2, 3, 5, 4, 5, 6, 7, 8, 6, 7], [0, 4], [0, 1, 2, 3, 4, 5, 6]
    grams = [[2], [3], [5], [4], [5, 6], [7, 8], [6, 7]]
    weights = [1, 2, 0.5, 4, 3, 0.25, 8]
    x = [[1, 1, 3, 3, 3, 7], [8, 6, 7, 5, 6, 8]]

    def count(row, low, high, skips):
        y = [0.0] * len(grams)
        for i, gram in enumerate(grams):
            if low <= len(gram) <= high:
                for step in range(1, (skips if len(gram) > 1 else 0) + 2):
                    for at in range(len(row) - (len(gram) - 1) * step):
                        y[i] += [row[at + k * step] for k in range(len(gram))] == gram
        return y

    for low, high, skips, mode in ((1, 1, 0, "TF"), (2, 2, 0, "TF"), (2, 2, 5, "TF"), (1, 2, 5, "TF"), (1, 2, 5, "IDF"),
                                   (1, 2, 1, "TFIDF")):
        y = np.array([count(row, low, high, skips) for row in x])
        y = {"TF": y, "IDF": (y > 0) * np.array(weights), "TFIDF": y * np.array(weights)}[mode]
        attributes = {"min_gram_length": low, "max_gram_length": high, "max_skip_count": skips, "mode": mode, "size": 7}
        lists = [Tensor("i64", counts), Tensor("i64", indexes)] + ([Tensor("f32", weights)] if mode != "TF" else [])
        c = case_of("TfIdfVectorizer", "integers")
        c.node([Tensor("i64", x), Tensor("i64", pool)] + lists, Tensor("f32", y), attributes, "onnx9")
        c = case_of("TfIdfVectorizer", "strings")
        c.node([text([str(v) for v in x[1]]), text([str(v) for v in pool])] + lists, Tensor("f32", y[1]), attributes,
               "onnx9")


def packs():
    words = [["Intel", "OpenVINO"], ["OMZ", "GenAI"], ["", "d\u00e9f"]]
    for values, shape in ((["OMZ", "", "GenAI", " ", "2024"], (5,)), (sum(words, []), (3, 2)), (["\u4e2d"], ()), ([], (0, 2)),
                          (["", ""], (2, 1))):
        raw = [v.encode() for v in values]
        ends = np.cumsum([len(b) for b in raw], dtype=np.int64)
        begins = ends - [len(b) for b in raw]
        symbols = Tensor("u8", list(b"".join(raw)))
        for t in ("i32", "i64"):
            case_of("StringTensorPack", "words").node(
                [Tensor(t, begins.reshape(shape)), Tensor(t, ends.reshape(shape)), symbols], text(values, shape), {},
                "opset15")
        case_of("StringTensorUnpack", "words").node(
            [text(values, shape)], [Tensor("i32", begins.reshape(shape)), Tensor("i32", ends.reshape(shape)), symbols], {},
            "opset15", dynamic=True)
    case_of("StringTensorPack", "skipped").node(
        [Tensor("i64", [0, 8, 3]), Tensor("i64", [1, 9, 5]), Tensor("u8", list(b"123456789"))], text(["1", "9", "45"]), {},
        "opset15")


def make():
    concat()
    split()
    normalizer()
    regex()
    vectorizer()
    packs()
