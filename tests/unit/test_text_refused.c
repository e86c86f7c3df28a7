/* Texts of graphs that are refused: each message names the line, what was found and what was expected. */
#include "tests/unit/models.h"
#include "tests/unit/texts.h"
#include "unit.h"

#define A "%a = Parameter {element_type = f32, shape = [2]}\n"

static const struct refusal {
    const char *text, *said;
} refusals[] = {
    {"", "1: error: found the end of the text, expected `graph`"},
    {"\n\ngrap \"g\" {}", "3: error: found `grap`, expected `graph`"},
    {"graph g {}", "1: error: found `g`, expected the name of the graph in quotes"},
    {"graph \"g\" [", "1: error: found `[`, expected `{`"},
    {"graph \"a\\x00b\" {}",
     "1: error: found a zero byte in the name of the graph in quotes, it cannot have one"},
    {"graph \"g\" {\n",
     "2: error: found the end of the text, expected a node (%name = ...), `variable`, `meta`, "
     "`ir_version`, `order` or `}`"},
    {"graph \"g\" {} x", "1: error: found `x`, expected the end of the text"},
    {"graph \"g\n\" {}", "1: error: a string is not closed on its line"},
    {"graph \"g\\q\" {}", "1: error: found `\\q` in a string, expected one of \\\\ \\\" \\n \\r "
                          "\\t \\xHH"},
    {"graph \"g\" { ~ }", "1: error: a stray `~`"},
    {"graph \"g\" { \x01 }", "1: error: a stray byte 0x01"},
    {"graph \"g\" {\n%c = Const {value = f32[]~0} }", "2: error: a stray `~`"},
    {"graph \"g\" {\n%a Result }", "2: error: found `Result`, expected `=`"},
    {"graph \"g\" {\n%a = 3 }", "2: error: found `3`, expected an operation"},
    {"graph \"g\" {\n%a = Foo() }", "2: error: unknown operation Foo"},
    {"graph \"g\" {\n%a = Add-7() }", "2: error: unknown operation Add-7 (Add-1 is known)"},
    {"graph \"g\" {\n%a = Add-99999999999() }",
     "2: error: unknown operation Add-99999999999 (Add-1 is known)"},
    {"graph \"g\" {\n%a = Relu-1() }", "2: error: unknown operation Relu-1 (ReLU-1 is known)"},
    {"graph \"g\" {\n%a = Foo-1() }", "2: error: unknown operation Foo-1"},
    {"graph \"g\" {\n%a = SliceScatter@opset1() }",
     "2: error: opset1 does not contain operation SliceScatter (SliceScatter-15 is known)"},
    {"graph \"g\" {\n%a = Slice-13@onnx10() }",
     "2: error: found Slice-13@onnx10, but onnx10 has Slice-10"},
    {"graph \"g\" {\n" A "%r = Result(%b) }",
     "3: error: found `%b`, which is not defined in this graph"},
    {"graph \"g\" {\n" A "%a = ReLU(%a) }",
     "3: error: found `%a`, which is already defined on line 2"},
    {"graph \"g\" {\n" A "%r = Result(%a:1) }",
     "3: error: found `%a`, which has no output 1, it has 1"},
    {"graph \"g\" {\n" A "%r = Result(%a:-1) }", "3: error: found an output number below 0"},
    {"graph \"g\" {\n" A "%k = Const {value = i64[] 0}\n%s = Split(%a, %k) {num_splits = 2}\n"
     "%r = Result(%s) }",
     "5: error: found `%s`, expected `:` and an output number: it has 2 outputs"},
    {"graph \"g\" {\n" A "%r = Result(a) }", "3: error: found `a`, expected a name like %x"},
    {"graph \"g\" {\n" A "%r = Result(%a %a) }", "3: error: found `%a`, expected `,`"},
    {"graph \"g\" {\n" A "%b = Abs(%a) : f32[...] overwrites %a {O1 %a} }",
     "3: error: found `O1`, expected a condition on which a note can rely, as in `{O3 %z}`"},
    {"graph \"g\" {\n" A "%b = Abs(%a) : f32[...] overwrites %a {O3 %a O3 %a} }",
     "3: error: found `O3`, expected `,`"},
    {"graph \"g\" {\n" A "%b = Abs(%a) : f32[...] overwrites %a {O3 %z} }",
     "3: error: found `%z`, which is not defined in this graph"},
    {"graph \"g\" {\n" A "%r:9999999 = Result(%a) }",
     "3: error: found `%r`, which has too many outputs"},
    {"graph \"g\" {\n%\"\" = ReLU() }",
     "2: error: found `%\"\"`, expected a name without zero bytes that is not empty"},
    {"graph \"g\" {\n" A "%s = ReLU(%a) {slope = 1} }",
     "3: error: node \"s\" (ReLU-1): there is no attribute \"slope\""},
    {"graph \"g\" {\n" A "%s = Elu(%a) {alpha = 1, alpha = 2} }",
     "3: error: node \"s\" (Elu-1): attribute \"alpha\" is given twice"},
    {"graph \"g\" {\n" A "%s = Elu(%a) {alpha 1} }", "3: error: found `1`, expected `=`"},
    {"graph \"g\" {\n" A "%s = Elu(%a) {alpha = x} }", "3: error: found `x`, expected a number"},
    {"graph \"g\" {\n" A "%s = Elu(%a) {alpha = []} }", "3: error: found `[`, expected a number"},
    {"graph \"g\" {\n" A "%s = SoftMax(%a) {axis = 1.5} }",
     "3: error: found `1.5`, expected an integer"},
    {"graph \"g\" {\n" A "%s = SoftMax(%a) {axis = 9223372036854775808} }",
     "3: error: found `9223372036854775808`, expected an integer"},
    {"graph \"g\" {\n" A "%s = MatMul(%a, %a) {transpose_a = 1} }",
     "3: error: found `1`, expected `true` or `false`"},
    {"graph \"g\" {\n" A "%s = Add(%a, %a) {auto_broadcast = \"x\"} }",
     "3: error: node \"s\" (Add-1): attribute \"auto_broadcast\" is \"x\", it must be one of "
     "none, numpy, pdpd"},
    {"graph \"g\" {\n" A "%s = Convert(%a) {destination_type = FP16} }",
     "3: error: found `FP16`, expected an element type"},
    {"graph \"g\" {\n%a = Parameter {element_type = f32, shape = 2} }",
     "2: error: found `2`, expected `[`"},
    {"graph \"g\" {\n%a = Parameter {element_type = f32, shape = [2,x]} }",
     "2: error: found `x` in a shape: a dimension is a number, ?, -1 or an interval like 1..8, "
     "2.. or ..8"},
    {"graph \"g\" {\n%a = Parameter {element_type = f32, shape = [8..2]} }",
     "2: error: found `8..2` in a shape: the interval is empty: its end is below its start"},
    {"graph \"g\" {\n%a = Parameter {element_type = f32, shape = [2,]} }",
     "2: error: found `` in a shape: a dimension is empty"},
    {"graph \"g\" {\n%a = Parameter {element_type = f32, shape = "
     "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]} }",
     "2: error: found a shape of more than 32 dimensions"},
    {"graph \"g\" {\n%a = Parameter {element_type = f32, shape = [?#2]} }",
     "2: error: found the identity #2, expected at most #1: they are numbered in the order in "
     "which they appear"},
    {"graph \"g\" {\n%a = Parameter {element_type = f32, shape = [?#0]} }",
     "2: error: found the identity #0, expected a positive number"},
    {"graph \"g\" {\n%a = Parameter {element_type = f32, shape = [?#\"\"]} }",
     "2: error: found the name of a dimension that is empty"},
    {"graph \"g\" {\n%a = Parameter {element_type = f32, shape = [?#2147483648]} }",
     "2: error: found the identity #2147483648, expected a positive number"},
    {"graph \"g\" {\n%a = Const {value = i64[?] [1]} }",
     "2: error: found a tensor whose shape is not static"},
    {"graph \"g\" {\n%a = Const {value = u3[1] [1]} }",
     "2: error: found a tensor of type u3: its packed layout differs between OpenVINO "
     "releases, "
     "and files do not say which"},
    {"graph \"g\" {\n%a = Const {value = i64[9] [1,2] } }", "2: error: found `]`, expected `,`"},
    {"graph \"g\" {\n%a = Const {value = i64[1] [1,2] } }", "2: error: found `,`, expected `]`"},
    {"graph \"g\" {\n%a = Const {value = i64[1000000,1000000] [1] } }",
     "2: error: found a tensor of more elements than the text has characters"},
    {"graph \"g\" {\n%a = Const {value = i64[9223372036854775806,9] [1] } }",
     "2: error: found a tensor of more elements than the text has characters"},
    {"graph \"g\" {\n%a = Const {value = i8[1] [128] } }",
     "2: error: found `128`, expected an element of type i8"},
    {"graph \"g\" {\n%a = Const {value = u4[1] [-1] } }",
     "2: error: found `-1`, expected an element of type u4"},
    {"graph \"g\" {\n%a = Const {value = f32[1] [infinity] } }",
     "2: error: found `infinity`, expected an element of type f32"},
    {"graph \"g\" {\n%a = Const {value = f32[1] [1e999] } }",
     "2: error: found `1e999`, expected an element of type f32"},
    {"graph \"g\" {\n%a = Const {value = f32[1] [0x123456789] } }",
     "2: error: found `0x123456789`, expected an element of type f32"},
    {"graph \"g\" {\n%a = Const {value = string[1] [x] } }",
     "2: error: found `x`, expected a string"},
    {"graph \"g\" {\n%a = Const {value = i64[99] #0123456789abcdef } }",
     "2: error: found a constant whose elements were left out: only the full text form can be "
     "read"},
    {"graph \"g\" {\n" A "%s = ReLU(%a) : f32[3] }",
     "3: error: node \"s\" (ReLU-1): output 0 is written as f32[3], but it is f32[2]"},
    {"graph \"g\" {\n" A "%s = ReLU(%a) : f16[2] }",
     "3: error: node \"s\" (ReLU-1): output 0 is written as f16[2], but it is f32[2]"},
    {"graph \"g\" {\n%x = Parameter {element_type = f32, shape = [?]}\n"
     "%s = ReLU(%x) : f32[..7] }",
     "3: error: node \"s\" (ReLU-1): output 0 is written as f32[..7], but it is f32[?]"},
    {"graph \"g\" {\n" A "%s = ReLU(%a) : f32[2], f32[2] }",
     "3: error: found more types than node \"s\" has outputs, which is 1 (`%x:N =` gives it "
     "N)"},
    {"graph \"g\" {\n" A "%s = ReLU(%a) : f32 }", "3: error: found `}`, expected `[`"},
    {"graph \"g\" {\n" A "%s = ReLU(%a) : f32[2] as x }",
     "3: error: found `x`, expected a tensor name in quotes"},
    {"graph \"g\" {\n" A "%s = ReLU(%a) as \"x\" }",
     "3: error: found `as`, expected a node, or a type before names and notes, as in `: f32[2] "
     "as \"x\"`"},
    {"graph \"g\" {\n" A "%s = ReLU(%a) : f32[2] view %a }", "3: error: found `%a`, expected `of`"},
    {"graph \"g\" {\n" A "%s = ReLU(%a) : f32[2] into %b }",
     "3: error: found `%b`, which is not defined in this graph"},
    {"graph \"g\" {\n" A "order %a before %b }",
     "3: error: found `%b`, which is not defined in this graph"},
    {"graph \"g\" {\n" A "order %a %a }", "3: error: found `%a`, expected `before`"},
    {"graph \"g\" {\n%a = ReLU(%b)\n%b = ReLU(%a) }",
     "2: error: node \"a\" (ReLU-1): the node depends on itself (a cycle)"},
    {"graph \"g\" {\n" A "%s = Add(%a) }",
     "3: error: node \"s\" (Add-1): has 1 input, it must have 2"},
    {"graph \"g\" { ir_version 9 }", "1: error: found IR version 9, expected 10 or 11"},
    {"graph \"g\" { variable x }",
     "1: error: found `x`, expected the name of the variable in quotes"},
    {"graph \"g\" { meta { a(b) } }", "1: error: found `)`, expected `=`"},
    {"graph \"g\" { meta { 3 } }", "1: error: found `3`, expected an element of metadata or `}`"},
    {"graph \"g\" {\n" A "%s = TensorIterator(%a) body }",
     "3: error: found `}`, expected the name of the body in quotes"},
    {"graph \"g\" {\n" A "%s = TensorIterator(%a) body \"b\" { variable \"x\" : f32[] } }",
     "3: error: found `variable`, expected a node (%name = ...), `meta`, `order` or `}`"},
    {"graph \"g\" {\n" A "%s = TensorIterator(%a) b \"1\" {} b \"2\" {} b \"3\" {} b \"4\" {} "
     "b \"5\" {} b \"6\" {} b \"7\" {} b \"8\" {} b \"9\" {} }",
     "3: error: found more than 8 bodies of one node"},
    {"graph \"g\" {\n" A "%k = Const {value = i64[] 9999999}\n"
     "%s = Split(%a, %k) {num_splits = 9999999} }",
     "4: error: node \"s\" (Split-1): has 9999999 outputs, which is too many"},
    {"graph \"g\" {\n" A "%s = TensorIterator(%a) body \"b\" { } in 1 -> %x }",
     "3: error: found number 1, the node has 1"},
    {"graph \"g\" {\n" A "%s = TensorIterator(%a) body \"b\" { } in 0 -> %x }",
     "3: error: found `%x`, which is no Parameter of the body"},
    {"graph \"g\" {\n" A "%s = TensorIterator(%a) body \"b\" {\n" A "}\nout %a -> 0 }",
     "6: error: found `%a`, which is no Result of the body"},
    {"graph \"g\" {\n" A "%s = TensorIterator(%a) body \"b\" {\n" A "}\nin 0 -> %a axis 1 end 2 }",
     "6: error: found `end`, expected `start`"},
};

static void messages_name_place_found_and_expected(void **state)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        assert_string_equal(text_refusal(refusals[i].text), refusals[i].said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_name_place_found_and_expected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
