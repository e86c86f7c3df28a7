"""The text form."""

BASE = """graph "g" {
  %x = Parameter-1 {element_type = f32, shape = [2,2]} : f32[2,2]
  %w = Const-1 {value = f32[2] [1, 2]}
  %sum = Add-1(%x, %w) {auto_broadcast = numpy} : f32[2,2]
  %n = Const-1 {value = i64[2] [4, 1]}
  %flat = Reshape-1(%sum, %n) {special_zero = false}
  %r = Result-1(%flat)
}
"""

CHANGES = [
    ("no_brace", "}\n", "", ""),
    ("no_graph", 'graph "g" {', "{", "graph"),
    ("no_name_end", 'graph "g"', 'graph "g', ""),
    ("two_graphs", "%r = Result-1(%flat)\n}", '%r = Result-1(%flat)\n}\ngraph "h" {\n}', ""),
    ("escape", 'graph "g"', 'graph "\\q"', ""),
    ("null", "%sum = Add", "%su\0m = Add", ""),
    ("name_missing", "%w = Const", "= Const", ""),
    ("name_empty", "%w = Const", "% = Const", ""),
    ("name_twice", "%w = Const", "%x = Const", "%x"),
    ("name_long", "%sum = Add-1(%x, %w)", "%sum = Add-1(%x, %" + "w" * 100000 + ")", "www"),
    ("type_missing", "= Add-1(", "= (", ""),
    ("type_unknown", "Add-1", "Adder-1", "Adder"),
    ("version_unknown", "Add-1", "Add-7", "Add"),
    ("version_huge", "Add-1", "Add-99999999999999999999", "99999999999999999999"),
    ("opset_unknown", "Add-1(", "Add-1@opset99(", "opset99"),
    ("operand_unknown", "(%x, %w)", "(%x, %v)", "v"),
    ("operand_few", "(%x, %w)", "(%x)", '"sum"'),
    ("operand_many", "(%x, %w)", "(%x, %w, %w)", '"sum"'),
    ("operand_absent", "(%x, %w)", "(%x, -)", "`-`"),
    ("operand_output", "(%x, %w)", "(%x, %w:7)", "7"),
    ("operand_itself", "(%x, %w)", "(%x, %sum)", "sum"),
    ("cycle", "(%x, %w)", "(%x, %flat)", '"'),
    ("comma", "(%x, %w)", "(%x %w)", ""),
    ("parenthesis", "(%x, %w)", "(%x, %w", ""),
    ("attribute_unknown", "auto_broadcast =", "auto_brodcast =", "auto_brodcast"),
    ("attribute_value", "= numpy}", "= numpi}", "numpi"),
    ("attribute_twice", "auto_broadcast = numpy", "auto_broadcast = numpy, auto_broadcast = numpy", "auto_broadcast"),
    ("attribute_cut", "{auto_broadcast = numpy}", "{auto_broadcast = }", ""),
    ("attribute_missing", "{special_zero = false}", "", "special_zero"),
    ("attribute_boolean", "special_zero = false", "special_zero = maybe", "maybe"),
    ("element_type", "element_type = f32", "element_type = f33", "f33"),
    ("shape_cut", "shape = [2,2]", "shape = [2,", ""),
    ("shape_negative", "shape = [2,2]", "shape = [2,-2]", ""),
    ("shape_huge", "shape = [2,2]", "shape = [2,9223372036854775808]", ""),
    ("shape_backwards", "shape = [2,2]", "shape = [2,8..2]", "8..2"),
    ("shape_rank", "shape = [2,2]", "shape = [%s]" % ",".join("1" * 33), "32"),
    ("value_few", "f32[2] [1, 2]", "f32[2] [1]", ""),
    ("value_many", "f32[2] [1, 2]", "f32[2] [1, 2, 3]", ""),
    ("value_word", "f32[2] [1, 2]", "f32[2] [1, two]", "two"),
    ("value_type", "f32[2] [1, 2]", "f33[2] [1, 2]", "f33"),
    ("value_open", "f32[2] [1, 2]", "f32[?] [1, 2]", ""),
    ("value_negative", "f32[2] [1, 2]", "f32[-2] [1, 2]", ""),
    ("value_product", "f32[2] [1, 2]", "f32[4294967296,4294967296] [1, 2]", ""),
    ("value_promise", "f32[2] [1, 2]", "f32[100000000] [1, 2]", ""),
    ("value_range", "i64[2] [4, 1]", "i64[2] [4, 9223372036854775808]", "9223372036854775808"),
    ("value_fraction", "i64[2] [4, 1]", "i64[2] [4, 1.5]", "1.5"),
    ("value_hex", "f32[2] [1, 2]", "f32[2] 0x0000", ""),
    ("claim_other", "auto_broadcast = numpy} : f32[2,2]", "auto_broadcast = numpy} : f32[3,2]", "f32[3,2]"),
    ("claim_cut", "auto_broadcast = numpy} : f32[2,2]", "auto_broadcast = numpy} : f32[2", ""),
    ("fits_not", "i64[2] [4, 1]", "i64[2] [4, 2]", '"flat" (Reshape'),
    ("sizes_negative", "i64[2] [4, 1]", "i64[2] [-2, 1]", '"flat" (Reshape'),
    ("sizes_two_open", "i64[2] [4, 1]", "i64[2] [-1, -1]", '"flat" (Reshape'),
    ("sizes_overflow", "i64[2] [4, 1]", "i64[2] [4611686018427387904, 4]", '"flat" (Reshape'),
    ("result_of_nothing", "Result-1(%flat)", "Result-1()", '"r"'),
]

# A body in a body, as deep as that.
DEEP = "".join("  %%r%d = Loop-5(%%t, %%c) body {\n" % i for i in range(3000))


def cases():
    for name, old, new, words in CHANGES:
        assert old in BASE, name
        yield name, 2, words, {"m.inlay": BASE.replace(old, new, 1).encode("utf-8", "surrogateescape")}
    yield "deep_bodies", 2, "", {"m.inlay": ('graph "g" {\n' + DEEP).encode()}
    yield "only_blanks", 2, "", {"m.inlay": b" " * 100000}
    yield "comment_without_end", 2, "", {"m.inlay": b"// " + b"a" * 100000}
    yield "braces", 2, "", {"m.inlay": b'graph "g" ' + b"{" * 100000}
