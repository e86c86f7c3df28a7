"""ONNX: models in the binary form, whose messages are written field by field, and .pb files of tensors. Field numbers
are those of onnx.proto."""
import struct

from onnx_model import attribute, block, number, real, varint

FLOAT, INT64, STRING = 1, 7, 8


def value(name, *dims, kind=FLOAT):
    shape = b"".join(block(1, number(1, d)) for d in dims)
    return block(1, name) + block(2, block(1, number(1, kind) + block(2, shape)))


def node(op="Add", inputs=("x", "w"), outputs=("y",), attributes=b"", name="the_node", domain=""):
    return (b"".join(block(1, i) for i in inputs) + b"".join(block(2, o) for o in outputs) + block(3, name) +
            block(4, op) + attributes + block(7, domain))


def dims(*sizes):
    return b"".join(number(1, d) for d in sizes)


def tensor(content=block(9, bytes(8)), shape=dims(2), kind=number(2, FLOAT), name="w"):
    return shape + kind + content + block(8, name)


def entry(key, text):
    return block(13, block(1, key) + block(2, text))


def external(**entries):
    return tensor(b"".join(entry(k, v) for k, v in entries.items()) + number(14, 1))


def graph(nodes=None, constants=None, inputs=None, outputs=None, more=b""):
    return (b"".join(block(1, n) for n in (nodes or [node()])) + block(2, "g") +
            b"".join(block(5, c) for c in (constants if constants is not None else [tensor()])) +
            b"".join(block(11, i) for i in (inputs if inputs is not None else [value("x", 2)])) +
            b"".join(block(12, o) for o in (outputs if outputs is not None else [value("y", 2)])) + more)


OPSET = block(8, block(1, "") + number(2, 17))


def model(content=None, ir=number(1, 8), opset=OPSET, more=b""):
    return ir + block(7, graph() if content is None else content) + opset + more


def attr(name, content, kind):
    return block(5, block(1, name) + content + number(20, kind))


def body(*nodes, outputs=("b",)):
    return b"".join(block(1, n) for n in nodes) + block(2, "body") + b"".join(block(12, block(1, o)) for o in outputs)


def branches(then, other):
    condition = tensor(block(9, b"\x01"), b"", number(2, 9), "c")
    fields = attr("then_branch", block(6, then), 5) + attr("else_branch", block(6, other), 5)
    return model(graph([node("If", ["c"], ["y"], fields)], [condition]))


def nested(levels):
    inner = node("Relu", ["x"], ["b"])
    for _ in range(levels):
        inside = body(inner)
        fields = attr("then_branch", block(6, inside), 5)
        inner = node("If", ["c"], ["b"], fields)
        if len(inner) > 10**6:
            break
    return model(graph([inner]))


def one(op, inputs, attributes=b"", shape=(2,), constants=None, domain=""):
    return model(graph([node(op, inputs, ["y"], attributes, domain=domain)], constants, [value("x", *shape)], [block(1, "y")]))


WHOLE = model()
N = "the_node"

MODELS = [
    ("cut_in_tag", WHOLE + b"\xff", "byte"),
    ("cut_in_length", WHOLE + b"\x3a", ""),
    ("cut_in_graph", WHOLE[:20], ""),
    ("varint_of_eleven", b"\x08" + b"\xff" * 10 + b"\x01" + WHOLE[2:], "ir_version"),
    ("field_zero", WHOLE + b"\x00\x01", ""),
    ("wire_type_7", WHOLE + b"\x0f\x01", ""),
    ("wire_type_of_field", number(7, 3) + WHOLE, "graph"),
    ("length_huge", varint(7 << 3 | 2) + varint(2**63 - 1) + b"\x00", ""),
    ("length_negative", varint(7 << 3 | 2) + varint(-1) + b"\x00", ""),
    ("length_by_one", varint(7 << 3 | 2) + varint(len(graph()) + 1) + graph(), "graph"),
    ("group_without_end", WHOLE + varint(99 << 3 | 3), ""),
    ("string_null", model(graph([node("A\0dd")])), "node"),
    ("string_no_utf8", model(graph([node(op=b"A\xffd")])), "node"),
    ("packed_cut", model(graph([node(attributes=attr("axes", varint(8 << 3 | 2) + varint(2) + b"\xff\xff", 7))])), "ints"),
    ("packed_float_cut", model(graph([node(attributes=attr("a", varint(7 << 3 | 2) + varint(3) + b"\0\0\0", 6))])), "floats"),
    ("ir_missing", model(ir=b""), "ir_version"),
    ("ir_zero", model(ir=number(1, 0)), "ir_version"),
    ("ir_huge", model(ir=number(1, 2**62)), str(2**62)),
    ("ir_negative", model(ir=number(1, -1)), "-1"),
    ("graph_missing", number(1, 8) + OPSET, "graph"),
    ("opset_missing", model(opset=b""), ""),
    ("opset_zero", model(opset=block(8, number(2, 0))), "0"),
    ("opset_huge", model(opset=block(8, number(2, 2**62))), str(2**62)),
    ("opset_negative", model(opset=block(8, number(2, -17))), "-17"),
    ("opset_domain_unknown", model(graph([node(domain="nobody")]), more=block(8, block(1, "nobody") + number(2, 1))), "nobody"),
    ("domain_not_imported", model(graph([node(domain="nobody")])), "nobody"),
    ("op_missing", model(graph([node("")])), "graph.node[0]"),
    ("op_unknown", model(graph([node("Adder")])), "Adder"),
    ("op_long", model(graph([node("A" * 100000)])), "AAA"),
    ("op_control", model(graph([node("A\x1b[31m")])), "A\\x1b[31m"),
    ("operand_unknown", model(graph([node(inputs=["x", "v"])])), '"v"'),
    ("operand_few", model(graph([node(inputs=["x"])])), N),
    ("operand_many", model(graph([node(inputs=["x", "w", "w"])])), N),
    ("operand_absent", model(graph([node(inputs=["x", ""])])), N),
    ("operand_itself", model(graph([node(inputs=["x", "y"])])), ""),
    ("cycle", model(graph([node(inputs=["x", "z"]), node("Relu", ["y"], ["z"])])), ""),
    ("output_twice", model(graph([node(), node("Relu", ["x"], ["y"])])), '"y"'),
    ("output_absent", model(graph([node(outputs=[""])])), ""),
    ("output_unknown", model(graph(outputs=[value("z", 2)])), '"z"'),
    ("output_like_input", model(graph([node(outputs=["x"])], outputs=[value("x", 2)])), '"x"'),
    ("input_twice", model(graph(inputs=[value("x", 2), value("x", 2)])), '"x"'),
    ("input_no_name", model(graph(inputs=[value("", 2)])), "graph.input[0]"),
    ("input_type_unknown", model(graph(inputs=[value("x", 2, kind=99)])), "99"),
    ("input_type_negative", model(graph(inputs=[value("x", 2, kind=-1)])), "graph.input[0]"),
    ("input_rank", model(graph(inputs=[value("x", *[1] * 33)])), "graph.input[0]"),
    ("input_rank_huge", model(graph(inputs=[value("x", *[1] * 100000)])), "graph.input[0]"),
    ("input_product", model(graph(inputs=[value("x", 2**40, 2**40)])), ""),
    ("input_sequence_deep", model(graph(inputs=[block(1, "x") + block(2, block(4, block(1, block(4, block(1, b"")))))])), ""),
    ("constant_no_name", model(graph(constants=[tensor(name="")])), "graph.initializer[0]"),
    ("constant_twice", model(graph(constants=[tensor(), tensor()])), '"w"'),
    ("constant_no_type", model(graph(constants=[tensor(kind=b"")])), '"w"'),
    ("constant_type_unknown", model(graph(constants=[tensor(kind=number(2, 99))])), "99"),
    ("constant_size_negative", model(graph(constants=[tensor(shape=dims(-2))])), '"w"'),
    ("constant_product", model(graph(constants=[tensor(shape=dims(2**40, 2**40))])), '"w"'),
    ("constant_promise", model(graph(constants=[tensor(shape=dims(2**40))])), '"w"'),
    ("constant_rank", model(graph(constants=[tensor(shape=dims(*[1] * 33))])), '"w"'),
    ("constant_bytes_few", model(graph(constants=[tensor(block(9, bytes(7)))])), '"w"'),
    ("constant_bytes_many", model(graph(constants=[tensor(block(9, bytes(9)))])), '"w"'),
    ("constant_floats_few", model(graph(constants=[tensor(real(4, 1.0))])), '"w"'),
    ("constant_no_data", model(graph(constants=[tensor(b"")])), '"w"'),
    ("constant_data_twice", model(graph(constants=[tensor(block(9, bytes(8)) + real(4, 1.0) + real(4, 1.0))])), '"w"'),
    ("constant_data_of_other_type", model(graph(constants=[tensor(number(7, 1) + number(7, 2))])), '"w"'),
    ("constant_strings_raw", model(graph(constants=[tensor(kind=number(2, STRING))])), '"w"'),
    ("constant_segment", model(graph(constants=[tensor(block(3, number(1, 0) + number(2, 1)) + block(9, bytes(8)))])), ""),
    ("external_no_location", model(graph(constants=[external(offset="0")])), '"w"'),
    ("external_missing", model(graph(constants=[external(location="v.bin")])), "v.bin"),
    ("external_outside", model(graph(constants=[external(location="../../etc/passwd")])), "passwd"),
    ("external_absolute", model(graph(constants=[external(location="/etc/passwd")])), "/etc/passwd"),
    ("external_folder", model(graph(constants=[external(location=".")])), ""),
    ("external_empty", model(graph(constants=[external(location="")])), '"w"'),
    ("external_null", model(graph(constants=[external(location="w.bin\0.txt")])), ""),
    ("external_short", model(graph(constants=[external(location="w.bin", offset="4")])), '"w"'),
    ("external_offset_word", model(graph(constants=[external(location="w.bin", offset="four")])), "four"),
    ("external_offset_negative", model(graph(constants=[external(location="w.bin", offset="-4")])), "-4"),
    ("external_offset_huge", model(graph(constants=[external(location="w.bin", offset="18446744073709551612")])), "18446744073709551612"),
    ("external_length_wrong", model(graph(constants=[external(location="w.bin", length="7")])), "7"),
    ("external_length_huge", model(graph(constants=[external(location="w.bin", length="9223372036854775807")])), "9223372036854775807"),
    ("external_length_sum", model(graph(constants=[external(location="w.bin", offset="8", length="18446744073709551608")])), ""),
    ("attribute_unknown", model(graph([node(attributes=attr("axis", number(3, 1), 2))])), '"axis"'),
    ("attribute_no_name", model(graph([node(attributes=attr("", number(3, 1), 2))])), N),
    ("attribute_no_type", one("Softmax", ["x"], block(5, block(1, "axis") + block(4, "one"))), "axis"),
    ("attribute_other_type", one("Softmax", ["x"], attr("axis", block(4, "one"), 3)), "axis"),
    ("attribute_type_unknown", one("Softmax", ["x"], attr("axis", number(3, 0), 99)), "axis"),
    ("attribute_twice", one("Softmax", ["x"], 2 * attr("axis", number(3, 0), 2)), "axis"),
    ("attribute_ref_outside", one("Softmax", ["x"], block(5, block(1, "axis") + block(21, "a") + number(20, 2))), "axis"),
    ("axis_behind", one("Softmax", ["x"], attr("axis", number(3, 1), 2)), N),
    ("axis_huge", one("Softmax", ["x"], attr("axis", number(3, 2**62), 2)), N),
    ("axis_least", one("Softmax", ["x"], attr("axis", number(3, -2**63), 2)), N),
    ("perm_repeats", one("Transpose", ["x"], attr("perm", number(8, 0) + number(8, 0), 7), (2, 2)), N),
    ("perm_behind", one("Transpose", ["x"], attr("perm", number(8, 0) + number(8, 7), 7), (2, 2)), N),
    ("cast_to_nothing", one("Cast", ["x"], attr("to", number(3, 99), 2)), "99"),
    ("cast_without_type", one("Cast", ["x"]), "to"),
    ("constant_of_nothing", model(graph([node("Constant", [], ["y"])])), N),
    ("constant_of_two", model(graph([node("Constant", [], ["y"], attr("value_int", number(3, 1), 2) + attr("value_float", real(2, 1.0), 1))])), N),
    ("reshape_overflow", one("Reshape", ["x", "w"], b"", (2,), [tensor(number(7, 2**62) + number(7, 4), dims(2), number(2, INT64))]), N),
    ("kernel_shape_zero", one("MaxPool", ["x"], attr("kernel_shape", number(8, 0), 7), (1, 1, 4)), N),
    ("strides_zero", one("MaxPool", ["x"], attr("kernel_shape", number(8, 2), 7) + attr("strides", number(8, 0), 7), (1, 1, 4)), N),
    ("pads_huge", one("MaxPool", ["x"], attr("kernel_shape", number(8, 2), 7) + attr("pads", number(8, 2**62) + number(8, 2**62), 7), (1, 1, 4)), N),
    ("groups_zero", one("Conv", ["x", "w"], attr("group", number(3, 0), 2), (1, 1, 4), [tensor(shape=dims(1, 1, 2))]), N),
    ("groups_do_not_divide", one("Conv", ["x", "w"], attr("group", number(3, 3), 2), (1, 1, 4), [tensor(shape=dims(1, 1, 2))]), N),
    ("split_of_nothing", one("Split", ["x"], attr("num_outputs", number(3, 0), 2)), N),
    ("hidden_size_negative", one("LSTM", ["x", "w", "w"], attr("hidden_size", number(3, -1), 2), (1, 1, 1), [tensor(shape=dims(1, 1, 2))]), N),
    ("if_without_branch", model(graph([node("If", ["c"], ["y"])], [tensor(block(9, b"\x01"), b"", number(2, 9), "c")])), "then_branch"),
    ("if_with_other_outputs", branches(body(node("Relu", ["x"], ["b"])), body(node("Relu", ["x"], ["b"]), outputs=("b", "b"))), N),
    ("if_body_unknown_name", branches(body(node("Relu", ["v"], ["b"])), body(node("Relu", ["x"], ["b"]))), '"v"'),
    ("if_nested", nested(2000), ""),
    ("loop_without_body", one("Loop", ["", "", "x"]), "body"),
    ("function_recursive", model(graph([node("twice", ["x"], ["y"], domain="local")]), opset=OPSET + block(8, block(1, "local") + number(2, 1)),
     more=block(25, block(1, "twice") + block(4, "p") + block(5, "q") + block(7, node("twice", ["p"], ["q"], domain="local")) +
                block(9, block(1, "local") + number(2, 1)) + block(10, "local"))), "twice"),
    ("function_few_operands", model(graph([node("twice", [], ["y"], domain="local")]), opset=OPSET + block(8, block(1, "local") + number(2, 1)),
     more=block(25, block(1, "twice") + block(4, "p") + block(5, "q") + block(7, node("Relu", ["r"], ["q"])) +
                block(9, block(1, "") + number(2, 17)) + block(10, "local"))), '"r"'),
    ("sparse_indices_behind", model(graph(constants=[], more=block(15, block(1, tensor()) + block(2, tensor(number(7, 0) + number(7, 9), dims(2), number(2, INT64), "i")) + number(3, 4)))), '"w"'),
    ("sparse_no_values", model(graph(constants=[], more=block(15, number(3, 4)))), "sparse_initializer[0]"),
    ("sparse_promise", model(graph(constants=[], more=block(15, block(1, tensor()) + block(2, tensor(number(7, 0) + number(7, 1), dims(2), number(2, INT64), "i")) + number(3, 2**40)))), "memory"),
]

TENSORS = [
    ("cut", tensor()[:-1], ""),
    ("tag", tensor() + b"\xff", ""),
    ("type_missing", tensor(kind=b""), "type 0"),
    ("type_unknown", tensor(kind=number(2, 99)), "99"),
    ("few", tensor(block(9, bytes(7))), "7"),
    ("size_negative", tensor(shape=dims(-2)), "-2"),
    ("product", tensor(shape=dims(2**40, 2**40)), ""),
    ("promise", tensor(shape=dims(2**40)), ""),
    ("external", external(location="/etc/passwd"), ""),
]

TEXTS = [
    ("json_cut", b'{"irVersion": "8", "graph": {', ""),
    ("json_kind", b'{"irVersion": "8", "graph": 7}', "graph"),
    ("json_number", b'{"irVersion": "eight", "graph": {}}', "irVersion"),
    ("json_base64", b'{"irVersion": "8", "graph": {"initializer": [{"name": "w", "dims": ["2"], "dataType": 1, "rawData": "?"}]}}', "rawData"),
    ("json_deep", b'{"irVersion": "8", "graph": ' + b'{"node": [{"attribute": [{"g": ' * 2000, ""),
    ("text_cut", b'<ir_version: 8, opset_import: ["" : 17]>\ng (float[2] x) => (float[2] y) {', ""),
    ("text_type", b'<ir_version: 8, opset_import: ["" : 17]>\ng (flote[2] x) => (float[2] y) { y = Relu(x) }', "`[`"),
    ("text_size", b'<ir_version: 8, opset_import: ["" : 17]>\ng (float[99999999999999999999] x) => (float[2] y) { y = Relu(x) }', ""),
    ("text_deep", b'<ir_version: 8, opset_import: ["" : 17]>\ng (float[2] x) => (float[2] y) { y = If(x) <then_branch = ' + b"b () => (float[2] z) { z = If(x) <then_branch = " * 2000, ""),
]


def cases():
    for name, content, words in MODELS:
        # 4 TB of zeros are a promise that a machine might keep; within 64 MiB nothing does.
        yield name, 3 if name == "sparse_promise" else 2, words, {"m.onnx": content, "w.bin": bytes(8)}
    for name, content, words in TENSORS:
        yield "tensor_" + name, 2, words, {"m.pb": content}
    for name, content, words in TEXTS:
        yield name, 2, words, {"m.onnxtxt" if name.startswith("text") else "m.onnx.json": content}
