"""OpenVINO IR. A case changes a piece of one model, or is a document of its own."""

BASE = """<net name="n" version="11">
<layers>
<layer id="0" name="x" type="Parameter" version="opset1">
<data element_type="f32" shape="2,2"/>
<output><port id="0" precision="FP32"><dim>2</dim><dim>2</dim></port></output>
</layer>
<layer id="1" name="w" type="Const" version="opset1">
<data element_type="f32" shape="2" offset="0" size="8"/>
<output><port id="0" precision="FP32"><dim>2</dim></port></output>
</layer>
<layer id="2" name="sum" type="Add" version="opset1">
<data auto_broadcast="numpy"/>
<input><port id="0"/><port id="1"/></input>
<output><port id="2" precision="FP32"><dim>2</dim><dim>2</dim></port></output>
</layer>
<layer id="3" name="out" type="Result" version="opset1">
<input><port id="0"/></input>
</layer>
</layers>
<edges>
<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
</edges>
</net>
"""

# name, what is there, what stands there instead, words of the message
CHANGES = [
    ("cut_off", BASE[300:], "", "not well-formed XML"),
    ("no_end", "</net>\n", "", "not well-formed XML"),
    ("two_roots", "</net>\n", "</net><net/>", "not well-formed XML"),
    ("entity", 'name="n"', 'name="&e;"', "not well-formed XML"),
    ("attribute_twice", 'id="0" name="x"', 'id="0" id="0" name="x"', "not well-formed XML"),
    ("control_character", 'name="sum"', 'name="s&#1;m"', "not well-formed XML"),
    ("null_in_name", 'name="sum"', 'name="s&#0;m"', "not well-formed XML"),
    ("surrogate", 'name="sum"', 'name="s&#xd800;m"', "not well-formed XML"),
    ("version_9", 'version="11"', 'version="9"', "9"),
    ("version_huge", 'version="11"', 'version="99999999999999999999"', "<net>"),
    ("version_negative", 'version="11"', 'version="-11"', "-11"),
    ("version_empty", 'version="11"', 'version=""', '""'),
    ("no_layers", BASE[BASE.index("<layers>"):BASE.index("<edges>")], "", "layers"),
    ("id_word", 'layer id="0"', 'layer id="zero"', '"zero"'),
    ("id_negative", 'layer id="0"', 'layer id="-1"', '"-1"'),
    ("id_huge", 'layer id="0"', 'layer id="9223372036854775808"', "9223372036854775808"),
    ("id_empty", 'layer id="0"', 'layer id=""', "id"),
    ("id_missing", 'layer id="0"', "layer", "id"),
    ("id_twice", 'layer id="1"', 'layer id="0"', "0"),
    ("name_missing", 'name="sum" ', "", "name"),
    ("type_missing", ' type="Add"', "", "type"),
    ("type_unknown", 'type="Add"', 'type="Adder"', "Adder"),
    ("type_empty", 'type="Add"', 'type=""', "type"),
    ("type_long", 'type="Add"', 'type="%s"' % ("A" * 100000), "AAAA"),
    ("opset_missing", 'type="Add" version="opset1"', 'type="Add"', "version"),
    ("opset_unknown", 'type="Add" version="opset1"', 'type="Add" version="opset99"', "opset99"),
    ("opset_word", 'type="Add" version="opset1"', 'type="Add" version="-"', '"-"'),
    ("element_type_unknown", 'element_type="f32" shape="2,2"', 'element_type="f33" shape="2,2"', "f33"),
    ("element_type_missing", 'element_type="f32" shape="2,2"', 'shape="2,2"', "element_type"),
    ("shape_word", 'shape="2,2"', 'shape="2,b"', "shape"),
    ("shape_negative", 'shape="2,2"', 'shape="2,-2"', "shape"),
    ("shape_huge", 'shape="2,2"', 'shape="2,99999999999999999999"', "shape"),
    ("shape_product", 'shape="2,2"', 'shape="4294967296,4294967296"', "shape"),
    ("shape_backwards", 'shape="2,2"', 'shape="2,8..2"', "8..2"),
    ("shape_empty_field", 'shape="2,2"', 'shape="2,,2"', "shape"),
    ("shape_rank", 'shape="2,2"', 'shape="%s"' % ",".join("1" * 33), "32"),
    ("shape_long", 'shape="2,2"', 'shape="%s"' % ",".join("1" * 100000), "shape"),
    ("const_open", 'element_type="f32" shape="2"', 'element_type="f32" shape="?"', '"w"'),
    ("const_size", 'size="8"', 'size="7"', "7"),
    ("const_size_zero", 'size="8"', 'size="0"', "0"),
    ("const_size_huge", 'size="8"', 'size="18446744073709551615"', "18446744073709551615"),
    ("const_size_negative", 'size="8"', 'size="-8"', "-8"),
    ("const_size_missing", ' size="8"', "", "size"),
    ("const_offset_behind", 'offset="0"', 'offset="1"', '"w"'),
    ("const_offset_huge", 'offset="0"', 'offset="9223372036854775800"', '"w"'),
    ("const_offset_sum", 'offset="0"', 'offset="18446744073709551608"', "18446744073709551608"),
    ("const_offset_negative", 'offset="0"', 'offset="-8"', "-8"),
    ("const_offset_missing", 'offset="0" ', "", "offset"),
    ("const_shape_product", 'element_type="f32" shape="2"', 'element_type="f32" shape="2305843009213693952,4"', '"w"'),
    ("port_id_missing", '<port id="2" ', "<port ", "port"),
    ("port_id_word", '<port id="2" ', '<port id="two" ', "two"),
    ("port_id_twice", '<input><port id="0"/><port id="1"/></input>', '<input><port id="0"/><port id="0"/></input>', "port"),
    ("precision_unknown", '<port id="2" precision="FP32">', '<port id="2" precision="FP33">', "FP33"),
    ("precision_missing", '<port id="2" precision="FP32">', '<port id="2">', "precision"),
    ("dim_word", "<dim>2</dim></port></output>\n</layer>\n<layer id=\"1\"", "<dim>two</dim></port></output>\n</layer>\n<layer id=\"1\"", "two"),
    ("dim_negative", "<dim>2</dim></port></output>\n</layer>\n<layer id=\"1\"", "<dim>-2</dim></port></output>\n</layer>\n<layer id=\"1\"", "-2"),
    ("dim_empty", "<dim>2</dim></port></output>\n</layer>\n<layer id=\"1\"", "<dim></dim></port></output>\n</layer>\n<layer id=\"1\"", "dim"),
    ("edge_layer_missing", 'from-layer="1" ', "", "from-layer"),
    ("edge_layer_unknown", 'from-layer="1"', 'from-layer="7"', "7"),
    ("edge_port_unknown", 'from-layer="1" from-port="0"', 'from-layer="1" from-port="7"', "7"),
    ("edge_to_unknown", 'to-layer="3"', 'to-layer="30"', '"out"'),
    ("edge_word", 'to-layer="3"', 'to-layer="x"', '"x"'),
    ("edge_twice", '<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>', 2 * '<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>', "2"),
    ("edge_to_itself", 'from-layer="0" from-port="0" to-layer="2"', 'from-layer="2" from-port="2" to-layer="2"', "sum"),
    ("edge_absent", '<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>\n', "", '"sum"'),
    ("edges_absent", BASE[BASE.index("<edges>"):BASE.index("</net>")], "", '"'),
    ("shapes_do_not_fit", 'shape="2,2"', 'shape="2,3"', '"sum" (Add'),
    ("types_do_not_fit", 'element_type="f32" shape="2,2"', 'element_type="i64" shape="2,2"', '"sum" (Add'),
    ("broadcast_unknown", 'auto_broadcast="numpy"', 'auto_broadcast="numpi"', "numpi"),
]

DOCUMENTS = [
    ("empty", b"", "empty"),
    ("zeros", bytes(4096), ""),
    ("only_root", b'<net version="11"/>', "layers"),
    ("other_root", b'<html version="11"/>', "<html>"),
    ("utf16", BASE.encode("utf-16"), "UTF-8"),
    ("latin", b'<?xml version="1.0" encoding="ISO-8859-1"?><net version="11"/>', "ISO-8859-1"),
    ("not_utf8", BASE.replace('name="sum"', 'name="s\udcffm"').encode("utf-8", "surrogateescape"), "UTF-8"),
    ("doctype", b'<!DOCTYPE net [<!ENTITY a "b">]><net version="11"/>', "DOCTYPE"),
    ("laughs", b'<!DOCTYPE net [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><net name="&b;" version="11"/>', "DOCTYPE"),
    ("outside", b'<!DOCTYPE net SYSTEM "file:///etc/passwd"><net version="11"/>', "DOCTYPE"),
    ("deep", b'<net version="11">' + b"<a>" * 100000, "deep"),
    ("attributes", b'<net version="11" ' + b" ".join(b'a%d="1"' % i for i in range(2000)) + b"/>", "1000"),
]


def cases():
    for name, old, new, words in CHANGES:
        assert old in BASE, name
        text = BASE.replace(old, new, 1)
        yield name, 2, words, {"m.xml": text.encode(), "m.bin": bytes(8)}
    for name, text, words in DOCUMENTS:
        yield name, 2, words, {"m.xml": text, "m.bin": bytes(8)}
    for size in (0, 7):
        yield f"weights_of_{size}", 2, '"w"', {"m.xml": BASE.encode(), "m.bin": bytes(size)}
    yield "weights_missing", 2, "m.bin", {"m.xml": BASE.encode()}
