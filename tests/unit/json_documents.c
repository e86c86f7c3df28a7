#include "tests/unit/json_documents.h"

#include <stdlib.h>
#include <string.h>

/* The members begin in line 2. */
#define DOC(members) "{'format': 'inlay-graph', 'format_version': 1,\n" members "}\n"
/* The inputs are in line 2, constants in line 3, nodes in line 4 and outputs in line 5. */
#define GRAPH(inputs, constants, nodes, outputs)                                                   \
    DOC("'inputs': [" inputs "],\n'constants': [" constants "],\n'nodes': [" nodes                 \
        "],\n'outputs': [" outputs "]")
#define X "{'name': 'x', 'type': 'f32', 'shape': [2, 3]}"
#define RELU "{'name': 'r', 'type': 'ReLU', 'inputs': ['x']}"
#define NODE(members) GRAPH(X, "", "{'name': 'r', 'type': 'ReLU', " members "}", "'r'")
#define CONSTANT(members) GRAPH("", "{'name': 'c', " members "}", "", "'c'")
#define INPUT(members) GRAPH("{'name': 'x', " members "}", "", "", "'x'")
#define OUTPUT(entry) GRAPH(X, "", RELU, entry)
#define SPLIT(members)                                                                             \
    GRAPH("{'name': 'x', 'type': 'f32', 'shape': [4]}",                                            \
          "{'name': 'axis', 'type': 'i64', 'shape': [], 'data': 0}",                               \
          "{'name': 's', 'type': 'Split', 'inputs': ['x', 'axis'], " members "}", "")
#define TI(map, more, body)                                                                        \
    GRAPH(X, "",                                                                                   \
          "{'name': 't', 'type': 'TensorIterator', 'inputs': ['x'],\n'port_map': {" map "}, " more \
          "\n'body': {" body "}}",                                                                 \
          "'t'")
#define TI_MAP                                                                                     \
    "'input': [{'external_port_id': 0, 'internal_layer_id': 'p', 'axis': 0}],\n"                   \
    "'output': [{'external_port_id': 0, 'internal_layer_id': 'q', 'axis': 0}]"
#define TI_IN(entry) TI("'input': [" entry "], 'output': []", "", TI_BODY)
#define TI_OUT(entry) TI("'input': [], 'output': [" entry "]", "", TI_BODY)
#define TI_BACK(entry)                                                                             \
    TI("'input': [{'external_port_id': 0, 'internal_layer_id': 'p'}], 'output': "                  \
       "[{'external_port_id': 0, 'internal_layer_id': 'q'}]",                                      \
       "'back_edges': [" entry "],", TI_BODY)
#define TI_BODY                                                                                    \
    "'inputs': [{'name': 'p', 'type': 'f32', 'shape': [1, 3]}],\n"                                 \
    "'nodes': [{'name': 'q', 'type': 'ReLU', 'inputs': ['p']}], 'outputs': ['q']"

const json_document json_good[] = {
    {"{'format': 'inlay-graph', 'format_version': 1}", "", true},
    {"\xef\xbb\xbf{'format_version': 1.0, '$schema': 'graph.schema.json', 'format': 'inlay-graph', "
     "'name': '', 'ir_version': 10, 'inputs': [], 'constants': [], 'nodes': [], 'outputs': []}",
     "", true},
    /* the example of the format's description */
    {"{'format': 'inlay-graph', 'format_version': 1, 'name': 'window',"
     "'inputs': [{'name': 'data', 'type': 'f32', 'shape': [2, 5]},"
     "           {'name': 'updates', 'type': 'f32', 'shape': ['1..2', '?']}],"
     "'constants': [{'name': 'start', 'type': 'i64', 'shape': [1], 'data': [0]},"
     "              {'name': 'stop', 'type': 'i64', 'shape': [1], 'data': ['9223372036854775807']},"
     "              {'name': 'step', 'type': 'i64', 'shape': [1], 'data': [1]}],"
     "'nodes': [{'name': 'set', 'type': 'SliceScatter', 'version': 'opset15',"
     "           'inputs': ['data', 'updates', 'start', 'stop', 'step'], 'outputs': ['out'],"
     "           'attributes': {}}],"
     "'outputs': ['out']}",
     "", true},
    /* nodes before what they use; optional inputs left out in three ways */
    {GRAPH("{'name': 'x', 'type': 'f32', 'shape': '...', 'tensor_names': ['b', 'a']}",
           "{'name': 'zero', 'type': 'i64', 'shape': [1], 'data': [0]}, "
           "{'name': 'one', 'type': 'i64', 'shape': [1], 'data': [1]}",
           "{'name': 'last', 'type': 'Add', 'inputs': ['s', 's2']}, "
           "{'name': 's', 'type': 'Slice', 'inputs': ['x', 'zero', 'one', 'one', null]}, "
           "{'name': 's2', 'type': 'Slice', 'inputs': ['x', 'zero', 'one', 'one', '']}",
           "'last', 'last', {'value': 's', 'name': 'window'}"),
     "", true},
    {INPUT("'type': 'dynamic', 'shape': [7, '7', '?', '2..8', '2..', '..8', '..']"), "", true},
    {INPUT("'type': 'f32', 'shape': [], 'label': 'y', 'version': 'opset5', 'rt_info': "
           "[{'tag': 'attribute', 'text': 't', 'attributes': {'name': 'n', 'version': '0'}, "
           "'children': [{'tag': 'a'}, {'tag': 'b'}]}], 'output_rt_info': [[{'tag': 'a'}]]"),
     "", true},
    /* elements */
    {CONSTANT("'type': 'f32', 'shape': [2, 3], 'data': [[1, 2.5, -3e2], ['nan', 'inf', '-inf']]"),
     "", true},
    {CONSTANT("'type': 'f32', 'shape': [2, 3], 'data': [1, 2, 3, 4, 5, '0x7fc00001']"), "", true},
    {CONSTANT("'type': 'f16', 'shape': [], 'data': 65504"), "", true},
    {CONSTANT("'type': 'boolean', 'shape': [4], 'data': [true, false, 1, 0]"), "", true},
    {CONSTANT("'type': 'u64', 'shape': [1], 'data': ['18446744073709551615']"), "", true},
    {CONSTANT("'type': 'i64', 'shape': [2], 'data': ['-9223372036854775808', 9007199254740991]"),
     "", true},
    {CONSTANT("'type': 'u1', 'shape': [9], 'data': [1, 0, 1, 0, 1, 0, 1, 0, 1]"), "", true},
    {CONSTANT("'type': 'c64', 'shape': [2], 'data': [[1, 2], [3, 'nan']]"), "", true},
    {CONSTANT(
         "'type': 'string', 'shape': [2, 2], 'data': [['a', ''], ['\xc3\xa9', {'hex': 'ff00'}]]"),
     "", true},
    {CONSTANT("'type': 'f32', 'shape': [2, 0], 'data': [[], []]"), "", true},
    {CONSTANT("'type': 'f32', 'shape': [9999999, 0], 'data': []"), "", true},
    {CONSTANT("'type': 'i8', 'shape': [1], 'data': [-128.0]"), "", true},
    /* several outputs */
    {GRAPH("{'name': 'x', 'type': 'f32', 'shape': ['?', 2], 'dim_names': ['n', null]}", "", "",
           "'x'"),
     "", true},
    {SPLIT("'attributes': {'num_splits': 2}, 'outputs': ['a', 'b'], 'dim_names': [[], ['n']]"), "",
     true},
    {SPLIT("'attributes': {'num_splits': 2}, 'outputs': ['a', 'b'], 'tensor_names': [[], ['n']]"),
     "", true},
    {GRAPH(X, "",
           RELU ", {'name': 'other', 'type': 'ReLU', 'inputs': ['x'], 'outputs': ['y'], "
                "'label': 'r', 'rt_info': []}",
           "{'value': 'y', 'name': 'n', 'label': 'r', 'version': 'opset2', 'rt_info': [], "
           "'output_names': 'o'}"),
     "", true},
    /* bodies */
    {TI(TI_MAP, "", "'name': 'b', 'meta': [], 'order_edges': [], 'constants': [], " TI_BODY), "",
     true},
    {TI_BACK("{'from-layer': 'q/sink_port_0', 'to-layer': 'p'}"), "", true},
    {GRAPH("{'name': 's', 'type': 'f32', 'shape': [3]}",
           "{'name': 'n', 'type': 'i64', 'shape': [], 'data': 4}, "
           "{'name': 'go', 'type': 'boolean', 'shape': [], 'data': true}",
           "{'name': 'l', 'type': 'Loop', 'inputs': ['n', 'go', 's'], 'outputs': ['s4'], "
           "'port_map': {'input': [{'external_port_id': 2, 'internal_layer_id': 's'}, "
           "{'internal_layer_id': 'i', 'purpose': 'current_iteration'}], "
           "'output': [{'external_port_id': -1, 'internal_layer_id': 'on', 'purpose': "
           "'execution_condition'}, {'external_port_id': 0, 'internal_layer_id': 'next'}]}, "
           "'back_edges': [{'from-layer': 'next', 'to-layer': 's'}], "
           "'body': {'inputs': [{'name': 's', 'type': 'f32', 'shape': [3]}, "
           "{'name': 'i', 'type': 'i64', 'shape': []}], "
           "'constants': [{'name': 'on', 'type': 'boolean', 'shape': [], 'data': true}], "
           "'nodes': [{'name': 'twice', 'type': 'Add', 'inputs': ['s', 's']}], "
           "'outputs': ['on', {'value': 'twice', 'name': 'next'}]}}",
           "'s4'"),
     "", true},
    {GRAPH(X ", {'name': 'c', 'type': 'boolean', 'shape': []}", "",
           "{'name': 'if', 'type': 'If', 'inputs': ['c', 'x'], "
           "'then_port_map': {'input': [{'external_port_id': 1, 'internal_layer_id': 'p'}], "
           "'output': [{'external_port_id': 0, 'internal_layer_id': 'q'}]}, "
           "'then_body': {" TI_BODY "}, "
           "'else_port_map': {'input': [{'external_port_id': 1, 'internal_layer_id': 'p'}], "
           "'output': [{'external_port_id': 0, 'internal_layer_id': 'p'}]}, "
           "'else_body': {'inputs': [{'name': 'p', 'type': 'f32', 'shape': [2, 3]}], "
           "'outputs': ['p']}}",
           "'if'"),
     "", true},
    /* what is recorded of a file that no constant names */
    {DOC("'weights': [{'file': 'w', 'size': '1', 'checksum': '0123456789abcdef'}]"), "", true},
    /* state, notes, order */
    {DOC("'variables': [{'name': 'v', 'type': 'f32', 'shape': [2]}],"
         "'inputs': [{'name': 'x', 'type': 'f32', 'shape': [2]}],"
         "'nodes': [{'name': 'read', 'type': 'ReadValue', 'inputs': ['x'], 'attributes': "
         "{'variable_id': 'v', 'variable_type': 'f32', 'variable_shape': [2]}},"
         "{'name': 'sum', 'type': 'Add', 'inputs': ['read', 'x'], 'notes': [{'kind': 'overwrites', "
         "'target': 'read', 'grounds': []}]},"
         "{'name': 'write', 'type': 'Assign', 'inputs': ['sum'], 'attributes': {'variable_id': "
         "'v'}, 'notes': [null]}],"
         "'outputs': ['x'], 'order_edges': [{'before': 'read', 'after': 'write'}], "
         "'meta': [{'tag': 'rt_info'}]"),
     "", true},
};
const size_t n_json_good = sizeof(json_good) / sizeof(json_good[0]);

const json_document json_bad[] = {
    /* the document */
    {"[]", "1: error: an object is expected, this is a list", false},
    {"{'format_version': 1}", "1: error: the member \"format\" is missing", false},
    {"{'format': 'inlay-graph'}", "1: error: the member \"format_version\" is missing", false},
    {"{'format': 'onnx', 'format_version': 1}",
     "1: error: the format is \"onnx\", it must be \"inlay-graph\"", false},
    {"{'format': 1, 'format_version': 1}",
     "1: error: format: a string is expected, this is a number", false},
    {"{'format': 'inlay-graph',\n'format_version': 2}",
     "2: error: format_version: version 2 is not known, 1 is", false},
    {"{'format': 'inlay-graph',\n'format_version': '1x'}",
     "2: error: format_version: \"1x\" is not a whole number", false},
    {DOC("'ir_version': 7"), "2: error: ir_version: 10 or 11 is expected", false},
    {DOC("'output': []"), "2: error: unknown member \"output\", did you mean \"outputs\"?", false},
    {DOC("'weight': 3"), "2: error: unknown member \"weight\", did you mean \"weights\"?", false},
    {DOC("'weights': 3"), "2: error: weights: a list is expected, this is a number", false},
    {DOC("'weights': [{'size': 1, 'checksum': '0123456789abcdef'}]"),
     "2: error: weights[0]: the member \"file\" is missing", false},
    {DOC("'weights': [{'file': 'w', 'checksum': '0123456789abcdef'}]"),
     "2: error: weights[0]: the member \"size\" is missing", false},
    {DOC("'weights': [{'file': 'w', 'size': 1}]"),
     "2: error: weights[0]: the member \"checksum\" is missing", false},
    {DOC("'weights': [{'file': 'w', 'size': -1, 'checksum': '0123456789abcdef'}]"),
     "2: error: weights[0].size: a size must not be negative", true},
    {DOC("'weights': [{'file': 'w', 'size': 1.5, 'checksum': '0123456789abcdef'}]"),
     "2: error: weights[0].size: a whole number is expected, this is a number", false},
    {DOC("'weights': [{'file': 'w', 'size': 1, 'checksum': '0123456789ABCDEF'}]"),
     "2: error: weights[0].checksum: 16 digits of 0-9a-f are expected", false},
    {DOC("'weights': [{'file': 'w', 'size': 1, 'checksum': '0123456789abcde'}]"),
     "2: error: weights[0].checksum: 16 digits of 0-9a-f are expected", false},
    {DOC("'name': 3"), "2: error: name: a string is expected, this is a number", false},
    {DOC("'inputs': {}"), "2: error: inputs: a list is expected, this is an object", false},
    {DOC("'nodes': [3]"), "2: error: nodes[0]: an object is expected, this is a number", false},
    {DOC("'inputs': [\n{},\nnull]"), "3: error: inputs[0]: the member \"name\" is missing", false},
    /* inputs */
    {INPUT("'shape': []"), "2: error: inputs[0]: the member \"type\" is missing", false},
    {INPUT("'type': 'f32'"), "2: error: inputs[0]: the member \"shape\" is missing", false},
    {INPUT("'type': 'F32', 'shape': []"),
     "2: error: inputs[0].type: \"F32\" is not an element type (\"f32\", \"i64\", \"boolean\", "
     "...)",
     false},
    {INPUT("'type': 3, 'shape': []"),
     "2: error: inputs[0].type: an element type is expected, this is a number", false},
    {INPUT("'type': 'f32', 'shape': 3"),
     "2: error: inputs[0].shape: a shape: a list of dimensions, or \"...\" is expected, this is a "
     "number",
     false},
    {INPUT("'type': 'f32', 'shape': '?'"),
     "2: error: inputs[0].shape: \"?\" is not a shape: a list of dimensions, or \"...\"", false},
    {INPUT("'type': 'f32', 'shape': [1,\n-1]"),
     "3: error: inputs[0].shape[1]: -1 is not a dimension: a number from 0 on, \"?\" or \"lo..hi\"",
     false},
    {INPUT("'type': 'f32', 'shape': ['-1']"),
     "2: error: inputs[0].shape[0]: \"-1\" is not a dimension: a number from 0 on, \"?\" or "
     "\"lo..hi\"",
     false},
    {INPUT("'type': 'f32', 'shape': [null]"),
     "2: error: inputs[0].shape[0]: a dimension: a number from 0 on, \"?\" or \"lo..hi\" is "
     "expected, this is null",
     false},
    {INPUT("'type': 'f32', 'shape': [1.5]"),
     "2: error: inputs[0].shape[0]: a whole number is expected, this is a number", false},
    {INPUT("'type': 'f32', 'shape': ['8..2']"),
     "2: error: inputs[0].shape[0]: \"8..2\": the interval is empty: its end is below its start",
     true},
    {INPUT("'type': 'f32', 'shape': ['1?']"),
     "2: error: inputs[0].shape[0]: \"1?\": a dimension is a number, ?, -1 or an interval like "
     "1..8, 2.. or ..8",
     false},
    {INPUT("'type': 'f32', 'shape': [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
           "1,1]"),
     "2: error: inputs[0].shape: a shape has at most 32 dimensions", false},
    {INPUT("'type': 'f32', 'shape': [], 'data': 1"), "2: error: inputs[0]: unknown member \"data\"",
     false},
    {INPUT("'type': 'f32', 'shape': [], 'version': 'opset99'"),
     "2: error: inputs[0]: operation Parameter is of unknown version \"opset99\"", true},
    {INPUT("'type': 'f32', 'shape': [], 'version': 3"),
     "2: error: inputs[0].version: a string is expected, this is a number", false},
    {INPUT("'type': 'f32', 'shape': [], 'label': 3"),
     "2: error: inputs[0].label: a string is expected, this is a number", false},
    {GRAPH("{'name': '', 'type': 'f32', 'shape': []}", "", "", ""),
     "2: error: inputs[0].name: a name must not be empty", false},
    {GRAPH(X ",\n" X, "", "", ""),
     "3: error: inputs[1].name: the name \"x\" is taken by the node of line 2", true},
    /* names of values */
    {INPUT("'type': 'f32', 'shape': [], 'tensor_names': 'a'"),
     "2: error: inputs[0].tensor_names: \"a\" is not a list", false},
    {INPUT("'type': 'f32', 'shape': [], 'tensor_names': [1]"),
     "2: error: inputs[0].tensor_names[0]: a tensor name is expected, this is a number", false},
    {INPUT("'type': 'f32', 'shape': [], 'tensor_names': [[], []]"),
     "2: error: inputs[0].tensor_names: there are 2 entries, the node has 1 output", true},
    {INPUT("'type': 'f32', 'shape': ['?'], 'dim_names': ['']"),
     "2: error: inputs[0].dim_names[0]: \"\" is not the name of a dimension, or null", false},
    {INPUT("'type': 'f32', 'shape': ['?'], 'dim_names': [[1]]"),
     "2: error: inputs[0].dim_names[0][0]: the name of a dimension, or null is expected, this is a "
     "number",
     false},
    {INPUT("'type': 'f32', 'shape': ['?'], 'dim_names': [['a'], ['b']]"),
     "2: error: inputs[0].dim_names: there are 2 entries, the node has 1 output", true},
    {SPLIT("'outputs': ['a', 'b'], 'attributes': {'num_splits': 2}, 'dim_names': ['a', 'b']"),
     "4: error: nodes[0].dim_names[0]: \"a\" is not a list of names of dimensions", true},
    {SPLIT("'outputs': ['a', 'b'], 'attributes': {'num_splits': 2}, 'tensor_names': ['a', 'b']"),
     "4: error: nodes[0].tensor_names[0]: \"a\" is not a list of tensor names", true},
    {GRAPH(X, "",
           "{'name': 'a', 'type': 'ReLU', 'inputs': ['x'], 'outputs': ['v']},\n"
           "{'name': 'v', 'type': 'ReLU', 'inputs': ['x']}",
           ""),
     "5: error: the value \"v\" is defined twice, the first time in line 4", true},
    /* metadata */
    {DOC("'meta': {}"),
     "2: error: meta: a list of metadata elements is expected, this is an object", false},
    {DOC("'meta': [3]"), "2: error: meta[0]: an object is expected, this is a number", false},
    {DOC("'meta': [{'text': ''}]"), "2: error: meta[0]: the member \"tag\" is missing", false},
    {DOC("'meta': [{'tag': ''}]"),
     "2: error: meta[0]: the tag of a metadata element must not be empty", false},
    {DOC("'meta': [{'tag': 'a', 'text': 3}]"),
     "2: error: meta[0].text: a string is expected, this is a number", false},
    {DOC("'meta': [{'tag': 'a', 'attributes': []}]"),
     "2: error: meta[0].attributes: an object is expected, this is a list", false},
    {DOC("'meta': [{'tag': 'a', 'attributes': {'b': 1}}]"),
     "2: error: meta[0].attributes.b: a string is expected, this is a number", false},
    {DOC("'meta': [{'tag': 'a', 'children': [{'tag': 'b', 'child': []}]}]"),
     "2: error: meta[0].children[0]: unknown member \"child\"", false},
    {INPUT("'type': 'f32', 'shape': [], 'output_rt_info': []"),
     "2: error: inputs[0].output_rt_info: there are 0 entries, the node has 1 output", true},
    /* constants */
    {CONSTANT("'shape': [], 'data': 1"), "3: error: constants[0]: the member \"type\" is missing",
     false},
    {CONSTANT("'type': 'f32', 'data': 1"),
     "3: error: constants[0]: the member \"shape\" is missing", false},
    {CONSTANT("'type': 'f32', 'shape': []"),
     "3: error: constants[0]: a constant has either \"data\" or \"file\"", false},
    {CONSTANT("'type': 'f32', 'shape': [], 'data': 1, 'file': 'c.bin'"),
     "3: error: constants[0]: a constant has either \"data\" or \"file\"", false},
    {CONSTANT("'type': 'f32', 'shape': [], 'data': 1, 'offset': 0"),
     "3: error: constants[0].offset: an offset belongs to a \"file\"", false},
    {CONSTANT("'type': 'u3', 'shape': [1], 'data': [1]"),
     "3: error: constants[0].type: a constant cannot be u3: its packed layout differs between "
     "OpenVINO releases, and files do not say which",
     true},
    {CONSTANT("'type': 'dynamic', 'shape': [1], 'data': [1]"),
     "3: error: constants[0].type: a constant cannot be dynamic: a tensor needs a known element "
     "type",
     true},
    {CONSTANT("'type': 'f32', 'shape': ['?'], 'data': [1]"),
     "3: error: constants[0].shape: a constant has a static shape", true},
    {CONSTANT("'type': 'f32', 'shape': [4294967296, 4294967296], 'data': []"),
     "3: error: constants[0].shape: the shape has more elements than can be counted", true},
    {CONSTANT("'type': 'f32', 'shape': [4294967296], 'data': [1]"),
     "3: error: constants[0].data: there are fewer elements than the shape needs, which is "
     "4294967296",
     true},
    {CONSTANT("'type': 'f32', 'shape': [2, 2], 'data': [1, 2, 3]"),
     "3: error: constants[0].data: the list has 3 elements, the shape needs 4", true},
    {CONSTANT("'type': 'f32', 'shape': [2, 2], 'data': [[1, 2],\n[3]]"),
     "4: error: constants[0].data[1]: the list has 1 entry, dimension 1 of the shape is 2", true},
    {CONSTANT("'type': 'f32', 'shape': [2, 2], 'data': [[1, 2], 3]"),
     "3: error: constants[0].data[1]: a list is expected, this is a number", true},
    {CONSTANT("'type': 'f32', 'shape': [2], 'data': 1"),
     "3: error: constants[0].data: a list of elements is expected, this is a number", true},
    {CONSTANT("'type': 'f32', 'shape': [1], 'data': [null]"),
     "3: error: constants[0].data[0]: a number, \"nan\", \"inf\" or \"-inf\" is expected, this is "
     "null",
     false},
    {CONSTANT("'type': 'f32', 'shape': [1], 'data': ['Infinity']"),
     "3: error: constants[0].data[0]: \"Infinity\" is not a number, \"nan\", \"inf\" or \"-inf\"",
     true},
    {CONSTANT("'type': 'f32', 'shape': [1], 'data': ['0x7fc000011']"),
     "3: error: constants[0].data[0]: \"0x7fc000011\" are not the bits of an element of type f32",
     true},
    {CONSTANT("'type': 'f16', 'shape': [1], 'data': [1e6]"),
     "3: error: constants[0].data[0]: 1000000 does not fit f16", true},
    {CONSTANT("'type': 'f4e2m1', 'shape': [1], 'data': [100]"),
     "3: error: constants[0].data[0]: 100 does not fit f4e2m1", true},
    {CONSTANT("'type': 'f4e2m1', 'shape': [1], 'data': [-12]"),
     "3: error: constants[0].data[0]: -12 does not fit f4e2m1", true},
    {CONSTANT("'type': 'i8', 'shape': [2], 'data': [0,\n128]"),
     "4: error: constants[0].data[1]: 128 does not fit i8", true},
    {CONSTANT("'type': 'u4', 'shape': [1], 'data': [-1]"),
     "3: error: constants[0].data[0]: -1 does not fit u4", true},
    {CONSTANT("'type': 'i64', 'shape': [1], 'data': ['9223372036854775808']"),
     "3: error: constants[0].data[0]: 9223372036854775808 does not fit i64", true},
    {CONSTANT("'type': 'u64', 'shape': [1], 'data': ['18446744073709551616']"),
     "3: error: constants[0].data[0]: \"18446744073709551616\" is not a whole number", true},
    {CONSTANT("'type': 'i64', 'shape': [1], 'data': [1.5]"),
     "3: error: constants[0].data[0]: a whole number is expected, this is a number", true},
    {CONSTANT("'type': 'i64', 'shape': [1], 'data': [1e300]"),
     "3: error: constants[0].data[0]: a whole number is expected, this is a number", true},
    {CONSTANT("'type': 'boolean', 'shape': [1], 'data': [2]"),
     "3: error: constants[0].data[0]: true or false is expected, this is a number", true},
    {CONSTANT("'type': 'string', 'shape': [1], 'data': [2]"),
     "3: error: constants[0].data[0]: a string is expected, this is a number", true},
    {CONSTANT("'type': 'string', 'shape': [1], 'data': [{'hex': 'f'}]"),
     "3: error: constants[0].data[0]: \"hex\" must be pairs of digits 0-9a-f", false},
    {CONSTANT("'type': 'string', 'shape': [1], 'data': [{'base64': ''}]"),
     "3: error: constants[0].data[0]: unknown member \"base64\"", false},
    {CONSTANT("'type': 'string', 'shape': [1], 'file': 'c.bin'"),
     "3: error: constants[0]: strings stand in \"data\", not in a file", true},
    {CONSTANT("'type': 'f32', 'shape': [1], 'file': 3"),
     "3: error: constants[0].file: a string is expected, this is a number", false},
    {CONSTANT("'type': 'f32', 'shape': [1], 'file': '/etc/passwd'"),
     "3: error: constants[0].file: \"/etc/passwd\" is not the name of a file below the document's "
     "folder",
     false},
    {CONSTANT("'type': 'f32', 'shape': [1], 'file': ''"),
     "3: error: constants[0].file: \"\" is not the name of a file below the document's folder",
     false},
    {CONSTANT("'type': 'f32', 'shape': [1], 'file': 'a/../../c.bin'"),
     "3: error: constants[0].file: \"a/../../c.bin\" is not the name of a file below the "
     "document's folder",
     true},
    {CONSTANT("'type': 'f32', 'shape': [1], 'file': 'no-such-file'"),
     "3: error: constants[0].file: cannot open \"no-such-file\": No such file or directory", true},
    /* nodes */
    {GRAPH(X, "", "{'type': 'ReLU'}", ""), "4: error: nodes[0]: the member \"name\" is missing",
     false},
    {GRAPH(X, "", "{'name': 'r'}", ""), "4: error: nodes[0]: the member \"type\" is missing",
     false},
    {NODE("'input': ['x']"),
     "4: error: nodes[0]: unknown member \"input\", did you mean "
     "\"inputs\"?",
     false},
    {NODE("'inputs': 'x'"), "4: error: nodes[0].inputs: \"x\" is not a list of the names of values",
     false},
    {NODE("'inputs': [3]"),
     "4: error: nodes[0].inputs[0]: the name of a value is expected, this is a number", false},
    {NODE("'inputs': [\n'y']"), "5: error: nodes[0].inputs[0]: there is no value \"y\"", true},
    {NODE("'version': 'opset1'"), "4: error: nodes[0] \"r\" (ReLU-1): has 0 inputs, it must have 1",
     true},
    {NODE("'inputs': ['x', 'x']"),
     "4: error: nodes[0] \"r\" (ReLU-1): has 2 inputs, it must have 1", true},
    {GRAPH(X, "", "{'name': 'r', 'type': 'Relu6', 'inputs': ['x']}", ""),
     "4: error: nodes[0]: unknown operation Relu6, did you mean \"ReLU\"?", true},
    {GRAPH(X, "", "{'name': 'r', 'type': 'SliceScatter', 'version': 'opset8'}", ""),
     "4: error: nodes[0]: opset8 does not contain operation SliceScatter (SliceScatter-15 is "
     "known)",
     true},
    {GRAPH("", "", "{'name': 'p', 'type': 'Parameter'}", ""),
     "4: error: nodes[0]: a Parameter stands in \"inputs\", not in \"nodes\"", true},
    {GRAPH("", "", "{'name': 'p', 'type': 'Const'}", ""),
     "4: error: nodes[0]: a Const stands in \"constants\", not in \"nodes\"", true},
    {GRAPH("", "", "{'name': 'p', 'type': 'Result'}", ""),
     "4: error: nodes[0]: a Result stands in \"outputs\", not in \"nodes\"", true},
    {NODE("'inputs': ['x'], 'outputs': 'y'"),
     "4: error: nodes[0].outputs: \"y\" is not a list of names", false},
    {NODE("'inputs': ['x'], 'outputs': ['']"),
     "4: error: nodes[0].outputs[0]: \"\" is not the name of a value", false},
    {NODE("'inputs': ['x'], 'outputs': ['a', 'b']"),
     "4: error: nodes[0].outputs: there are 2 names, ReLU has 1 output", true},
    {SPLIT("'attributes': {'num_splits': 2}"),
     "4: error: nodes[0]: the member \"outputs\" is missing: Split has 2 outputs", true},
    {SPLIT("'attributes': {'num_splits': 2}, 'outputs': ['a']"),
     "4: error: nodes[0].outputs: there is 1 name, Split has 2 outputs", true},
    {SPLIT("'attributes': {'num_splits': -2}"), "4: error: nodes[0]: Split cannot have -2 outputs",
     true},
    {SPLIT("'outputs': ['a', 'b']"),
     "4: error: nodes[0] \"s\" (Split-1): attribute \"num_splits\" is missing", true},
    {NODE("'inputs': ['x'], 'output_types': ['f32']"),
     "4: error: nodes[0].output_types: types and shapes of ReLU are inferred", true},
    {GRAPH(X, "",
           "{'name': 'r', 'type': 'ReLU', 'inputs': ['s']}, {'name': 's', 'type': 'ReLU', "
           "'inputs': ['r']}",
           "'r'"),
     "4: error: nodes[0] \"r\" (ReLU-1): the node depends on itself (a cycle)", true},
    /* attributes */
    {NODE("'inputs': ['x'], 'attributes': []"),
     "4: error: nodes[0].attributes: an object is expected, this is a list", false},
    {SPLIT("'attributes': {\n'num_split': 2}"),
     "5: error: nodes[0].attributes: Split-1 has no attribute \"num_split\", did you mean "
     "\"num_splits\"?",
     true},
    {SPLIT("'attributes': {'num_splits': '2x'}"),
     "4: error: nodes[0].attributes.num_splits: \"2x\" is not a whole number", true},
    {SPLIT("'attributes': {'num_splits': null}"),
     "4: error: nodes[0].attributes.num_splits: a whole number is expected, this is null", false},
    {SPLIT("'attributes': {'num_splits': '9223372036854775808'}"),
     "4: error: nodes[0].attributes.num_splits: 9223372036854775808 does not fit 64 bits", true},
    {GRAPH(X, "",
           "{'name': 'm', 'type': 'MatMul', 'inputs': ['x', 'x'], 'attributes': "
           "{'transpose_a': 1}}",
           ""),
     "4: error: nodes[0].attributes.transpose_a: true or false is expected, this is a number",
     true},
    {GRAPH(X, "",
           "{'name': 'm', 'type': 'Add', 'inputs': ['x', 'x'], 'attributes': "
           "{'auto_broadcast': 3}}",
           ""),
     "4: error: nodes[0].attributes.auto_broadcast: a string is expected, this is a number", true},
    {GRAPH(X, "",
           "{'name': 'm', 'type': 'Add', 'inputs': ['x', 'x'], 'attributes': "
           "{'auto_broadcast': 'nunpy'}}",
           ""),
     "4: error: nodes[0] \"m\" (Add-1): attribute \"auto_broadcast\" is \"nunpy\", it must be one "
     "of none, numpy, pdpd",
     true},
    {GRAPH(X, "",
           "{'name': 'm', 'type': 'Convert', 'inputs': ['x'], 'attributes': "
           "{'destination_type': 'float'}}",
           ""),
     "4: error: nodes[0].attributes.destination_type: \"float\" is not an element type (\"f32\", "
     "\"i64\", \"boolean\", ...)",
     true},
    {GRAPH(X, "",
           "{'name': 'm', 'type': 'MaxPool', 'version': 'opset1', 'inputs': ['x'], "
           "'attributes': {'strides': 1}}",
           ""),
     "4: error: nodes[0].attributes.strides: a list is expected, this is a number", true},
    {GRAPH(X, "",
           "{'name': 'm', 'type': 'MaxPool', 'version': 'opset1', 'inputs': ['x'], "
           "'attributes': {'strides': [1, 0.5]}}",
           ""),
     "4: error: nodes[0].attributes.strides[1]: a whole number is expected, this is a number",
     true},
    {GRAPH(X, "",
           "{'name': 'c', 'type': 'Clamp', 'inputs': ['x'], 'attributes': {'min': 'low', "
           "'max': 1}}",
           ""),
     "4: error: nodes[0].attributes.min: \"low\" is not a number, \"nan\", \"inf\" or \"-inf\"",
     true},
    {GRAPH(X, "",
           "{'name': 'v', 'type': 'ReadValue', 'attributes': {'variable_id': 'v', "
           "'variable_type': 'f32', 'variable_shape': 2}}",
           ""),
     "4: error: nodes[0].attributes.variable_shape: a shape: a list of dimensions, or \"...\" is "
     "expected, this is a number",
     true},
    /* outputs */
    {OUTPUT("3"),
     "5: error: outputs[0]: the name of a value, or an object is expected, this is a "
     "number",
     false},
    {OUTPUT("'y'"), "5: error: outputs[0]: there is no value \"y\"", true},
    {OUTPUT("{}"), "5: error: outputs[0]: the member \"value\" is missing", false},
    {OUTPUT("{'value': 'y'}"), "5: error: outputs[0].value: there is no value \"y\"", true},
    {OUTPUT("{'value': 3}"),
     "5: error: outputs[0].value: the name of a value is expected, this is a number", false},
    {OUTPUT("{'value': 'r', 'name': 'x'}"),
     "5: error: outputs[0].name: the name \"x\" is taken by the node of line 2", true},
    {OUTPUT("{'value': 'r', 'output_names': []}"),
     "5: error: outputs[0].output_names: a string is expected, this is a list", false},
    {OUTPUT("{'value': 'r', 'names': []}"),
     "5: error: outputs[0]: unknown member \"names\", did you mean \"name\"?", false},
    /* variables, notes, order */
    {DOC("'variables': [{'type': 'f32', 'shape': []}]"),
     "2: error: variables[0]: the member \"name\" is missing", false},
    {DOC("'variables': [{'name': 'v', 'shape': []}]"),
     "2: error: variables[0]: the member \"type\" is missing", false},
    {DOC("'variables': [{'name': 'v', 'type': 'f32'}]"),
     "2: error: variables[0]: the member \"shape\" is missing", false},
    {DOC("'variables': [{'name': 'v', 'type': 'f32', 'shape': []}, {'name': 'v', 'type': 'f32', "
         "'shape': []}]"),
     "2: error: variables[1]: the variable \"v\" is there twice", true},
    {NODE("'inputs': ['x'], 'notes': [null, null]"),
     "4: error: nodes[0].notes: an entry for each output is expected (1)", true},
    {NODE("'inputs': ['x'], 'notes': [{'kind': 'view', 'target': 'x'}]"),
     "4: error: nodes[0].notes[0]: \"view\" is no kind of note (\"view of\", \"overwrites\", "
     "\"into\")",
     false},
    {NODE("'inputs': ['x'], 'notes': [{'kind': 'view of'}]"),
     "4: error: nodes[0].notes[0]: the member \"target\" is missing", false},
    {NODE("'inputs': ['x'], 'notes': [{'kind': 'view of', 'target': 'y'}]"),
     "4: error: nodes[0].notes[0].target: there is no value \"y\"", true},
    {NODE("'inputs': ['x'], 'notes': [{'kind': 'into', 'target': 'x', 'grounds': {}}]"),
     "4: error: nodes[0].notes[0].grounds: a list is expected, this is an object", false},
    {NODE("'inputs': ['x'], 'notes': [{'kind': 'into', 'target': 'x', 'grounds': [{'condition': "
          "'O3', 'node': 'x'}]}]"),
     "4: error: nodes[0].notes[0].grounds[0]: \"O3\" is no condition on which a note can rely "
     "(\"O3 no-later-read\")",
     false},
    {NODE("'inputs': ['x'], 'notes': [{'kind': 'into', 'target': 'x', 'grounds': [{'condition': "
          "'O3 no-later-read', 'node': 'y'}]}]"),
     "4: error: nodes[0].notes[0].grounds[0].node: there is no node \"y\"", true},
    {NODE("'inputs': ['x'], 'notes': [{'kind': 'into', 'target': 'x', 'grounds': [{'condition': "
          "'O3 no-later-read'}]}]"),
     "4: error: nodes[0].notes[0].grounds[0]: the member \"node\" is missing", false},
    {DOC("'order_edges': [{'before': 'a', 'after': 'b'}]"),
     "2: error: order_edges[0].before: there is no node \"a\"", true},
    {DOC("'order_edges': [{'before': 'a'}]"),
     "2: error: order_edges[0].before: there is no node \"a\"", false},
    /* bodies */
    {NODE("'inputs': ['x'], 'body': {}"), "4: error: nodes[0].body: ReLU has no \"body\"", true},
    {TI(TI_MAP, "'then_body': {},", TI_BODY),
     "6: error: nodes[0].then_body: TensorIterator has no \"then_body\"", true},
    {GRAPH(X, "", "{'name': 't', 'type': 'TensorIterator', 'inputs': ['x']}", ""),
     "4: error: nodes[0]: the member \"body\" is missing", true},
    {TI("'inputs': []", "", TI_BODY),
     "5: error: nodes[0].port_map: unknown member \"inputs\", did you mean \"input\"?", false},
    {TI("'input': {}", "", TI_BODY),
     "5: error: nodes[0].port_map.input: a list is expected, this is an object", false},
    {TI_IN("{'internal_layer_id': 'p'}"),
     "5: error: nodes[0].port_map.input[0]: the member \"external_port_id\" is missing", false},
    {TI_IN("{'external_port_id': 1, 'internal_layer_id': 'p'}"),
     "5: error: nodes[0].port_map.input[0].external_port_id: 1 is no input of the node, which has "
     "1",
     true},
    {TI_OUT("{'external_port_id': -2, 'internal_layer_id': 'q'}"),
     "5: error: nodes[0].port_map.output[0].external_port_id: -2 is no output of the node, which "
     "has 1",
     true},
    {TI_IN("{'external_port_id': 0}"),
     "5: error: nodes[0].port_map.input[0]: the member \"internal_layer_id\" is missing", false},
    {TI_IN("{'external_port_id': 0, 'internal_layer_id': 'q'}"),
     "5: error: nodes[0].port_map.input[0].internal_layer_id: \"q\" is no input of the body", true},
    {TI_OUT("{'external_port_id': 0, 'internal_layer_id': 'p'}"),
     "5: error: nodes[0].port_map.output[0].internal_layer_id: \"p\" is no output of the body",
     true},
    {TI_IN("{'external_port_id': 0, 'internal_layer_id': 'p', 'axis': 'x'}"),
     "5: error: nodes[0].port_map.input[0].axis: \"x\" is not a whole number", false},
    {TI_IN("{'external_port_id': 0, 'internal_layer_id': 'p', 'purpose': 'execution_condition'}"),
     "5: error: nodes[0].port_map.input[0].purpose: \"execution_condition\" is no purpose of an "
     "input, \"current_iteration\" is",
     true},
    {TI_BACK("{'from-layer': 'z', 'to-layer': 'p'}"),
     "5: error: nodes[0].back_edges[0].from-layer: \"z\" is no output of the body", true},
    {TI_BACK("{'from-layer': 'q', 'to-layer': 'q'}"),
     "5: error: nodes[0].back_edges[0].to-layer: \"q\" is no input of the body", true},
    {TI_BACK("{'from-layer': 'q'}"),
     "5: error: nodes[0].back_edges[0]: the member \"to-layer\" is missing", false},
    {TI(TI_MAP, "", "'nodes': [{'name': 'q', 'type': 'ReLU',\n'inputs': ['x']}]"),
     "8: error: nodes[0].body.nodes[0].inputs[0]: there is no value \"x\" in this body (a body "
     "sees nothing of the graph around it)",
     true},
    {TI(TI_MAP, "", "'variables': []"), "7: error: nodes[0].body: unknown member \"variables\"",
     false},
};
const size_t n_json_bad = sizeof(json_bad) / sizeof(json_bad[0]);

/* These texts are no JSON at all, or JSON that two readers may read differently. */
const json_document json_malformed[] = {
    {"", "1: error: the text ends where a value is expected", false},
    {"{'a': 1,\n'b': [1, 2}", "2: error: b[1]: ',' or ']' is expected", false},
    {"{'a': 1\n'b': 2}", "2: error: a: ',' or '}' is expected", false},
    {"{'a': {'b': [1,\n2, {'c': 3, 'd'", "2: error: a.b[2].d: ':' is expected", false},
    {"{'a': [", "1: error: a[0]: the text ends where a value is expected", false},
    {"{'a': [1", "1: error: a[0]: the text ends inside a list", false},
    {"{'a': 1", "1: error: a: the text ends inside an object", false},
    {"{a: 1}", "1: error: a member's name in double quotes is expected", false},
    {"{'a': 1,}", "1: error: a: a member's name in double quotes is expected", false},
    {"{'a' 1}", "1: error: a: ':' is expected", false},
    {"{'a': tru}", "1: error: a: a value is expected", false},
    {"{'a': NaN}", "1: error: a: a value is expected", false},
    {"{'a': +1}", "1: error: a: a value is expected", false},
    {"{'a': 01}", "1: error: a: a number must not begin with 0", false},
    {"{'a': -}", "1: error: a: a value is expected", false},
    {"{'a': .5}", "1: error: a: a value is expected", false},
    {"{'a': 1.}", "1: error: a: a number needs digits after its point", false},
    {"{'a': 1e}", "1: error: a: a number needs digits in its exponent", false},
    {"{'a': [9007199254740991,\n9007199254740992]}",
     "2: error: a[1]: an integer of 2^53 or more must be written as a string, or it would be "
     "rounded",
     false},
    {"{'a': -9007199254740992}",
     "1: error: a: an integer of 2^53 or more must be written as a string, or it would be rounded",
     false},
    {"{'a': 99999999999999999999}",
     "1: error: a: an integer of 2^53 or more must be written as a string, or it would be rounded",
     false},
    {"{'a':\n1e400}", "2: error: a number is too large for a double", false},
    {"{'a': 0.0000000000000000000000000000000000000000000000000000000000000001}",
     "1: error: a: a number has more than 63 characters", false},
    {"{'a': 1} {}", "1: error: there is something after the end of the JSON text", false},
    {"{'a': 'b\n'}", "1: error: a: a control character in a string must be written as an escape",
     false},
    {"{'a': '\\x41'}", "1: error: a: an unknown escape in a string", false},
    {"{'a': '\\u12g4'}", "1: error: a: \\u needs four hexadecimal digits", false},
    {"{'a': '\\u0000'}", "1: error: a: \\u0000 is not accepted: no name or text has a zero byte",
     false},
    {"{'a': '\\ud800'}", "1: error: a: half of a surrogate pair is alone", false},
    {"{'a': '\\ud800\\u0041'}", "1: error: a: half of a surrogate pair is alone", false},
    {"{'a': '\\udc00'}", "1: error: a: half of a surrogate pair is alone", false},
    {"{'a': 'b", "1: error: a: the text ends inside a string", false},
    {"{'a': 'b\\", "1: error: a: the text ends inside a string", false},
    {"{'a': '\xff'}", "1: error: a: the text is not valid UTF-8", false},
    {"{'a': '\xc0\x80'}", "1: error: a: the text is not valid UTF-8", false},
    {"{'a': '\xed\xa0\x80'}", "1: error: a: the text is not valid UTF-8", false},
    {"{'a': '\xe2\x82'}", "1: error: a: the text is not valid UTF-8", false},
    {"{'a': {'b': 1,\n'b': 2}}", "2: error: a: the member \"b\" is there twice", false},
    {"{'a': 1, 'b': 2, '\\u0061': 3}", "1: error: the member \"\\u0061\" is there twice", false},
    {"{'\\u00e9': 1,\n'\xc3\xa9': 2}", "2: error: the member \"\xc3\xa9\" is there twice", false},
    {"{'\\ud83d\\ude00': 1,\n'\xf0\x9f\x98\x80': 2}",
     "2: error: the member \"\xf0\x9f\x98\x80\" is there twice", false},
};
const size_t n_json_malformed = sizeof(json_malformed) / sizeof(json_malformed[0]);

char *json_quoted(const char *text)
{
    char *copy = strdup(text);

    for (char *p = copy; p != NULL && *p != '\0'; p++) {
        if (*p == '\'')
            *p = '"';
    }
    return copy;
}
