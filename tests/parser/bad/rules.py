"""Rule files."""

BASE = """rule sum-of-zero exact:
  Add(x, c) => x
  where equals(c, 0), once(x)
"""

CHANGES = [
    ("no_name", "rule sum-of-zero exact", "rule exact", ""),
    ("no_kind", " exact:", ":", ""),
    ("kind_unknown", "exact", "surely", "surely"),
    ("no_colon", "exact:", "exact", ""),
    ("no_arrow", "=> x", "x", ""),
    ("no_right", "=> x", "=>", ""),
    ("type_unknown", "Add(", "Adder(", "Adder"),
    ("version_cut", "Add(", "Add@(", ""),
    ("few_operands", "Add(x, c)", "Add()", ""),
    ("many_operands", "Add(x, c)", "Add(x, c, c, x)", "Add"),
    ("name_unknown", "=> x", "=> y", "y"),
    ("condition_unknown", "once(x)", "one_used(x)", "one_used"),
    ("condition_name", "once(x)", "once(y)", "y"),
    ("condition_few", "equals(c, 0)", "equals(c)", "equals"),
    ("condition_many", "equals(c, 0)", "equals(c, 0, 0)", "equals"),
    ("condition_cut", "equals(c, 0)", "equals(c, 0", ""),
    ("number_float", "equals(c, 0)", "equals(c, 1e999)", ""),
    ("let_cut", "once(x)", "let y =", ""),
    ("let_unknown", "once(x)", "let y = whatever(x)", "whatever"),
    ("attribute_unknown", "Add(x, c)", "Add(x, c) {axis = 1}", "axis"),
    ("attribute_value", "Add(x, c)", "Add(x, c) {auto_broadcast = numpi}", "numpi"),
    ("window_of_nothing", "Add(x, c)", "Add(x, window w)", "window"),
    ("any_right", "=> x", "=> any f(x)", ""),
    ("character", "=> x", "=> x ; \x01", ""),
    ("not_utf8", "rule sum", "rule \udcff", ""),
]


def cases():
    for name, old, new, words in CHANGES:
        assert old in BASE, name
        yield name, 2, words, {"m.rules": BASE.replace(old, new, 1).encode("utf-8", "surrogateescape")}
    yield "twice", 2, "sum-of-zero", {"m.rules": (BASE + BASE).encode()}
    yield "deep", 2, "", {"m.rules": ("rule deep exact:\n  " + "Abs(" * 100000).encode()}
    yield "zeros", 2, "", {"m.rules": bytes(1000)}
    yield "many_names", 2, "", {"m.rules": ("rule many exact:\n  Concat(%s) => x\n" % ", ".join(f"a{i}" for i in range(5000))).encode()}
