/* Operations that only a program knows: a row, a shape rule and a kernel, taken through everything
 * that the operations which are built in go through. */
#include "ir/ops/compile.h"
#include "ir/ops/rows.h"
#include "own_ops.h"
#include "tests/unit/graphs.h"
#include "unit.h"

static inlay_graph *read_xml(const char *name, const char *bytes, size_t n,
                             const inlay_read_options *o, inlay_diags *d)
{
    return inlay_read_xml(name, bytes, n, NULL, o, d);
}

static void check_fact(const inlay_graph *g, const char *node, const char *text)
{
    const inlay_fact *f = &inlay_graph_node(g, node)->out[0].fact;
    char found[200], shape[160];

    snprintf(found, sizeof found, "%s%s", inlay_type_info_of(f->type)->name,
             inlay_shape_text(f->rank, f->dims, shape, sizeof shape));
    assert_string_equal(found, text);
}

static void test_read_and_inferred(void **state)
{
    inlay_graph *g = my_graph("graph \"g\" {\n"
                              "  %x = Parameter-1 {element_type = f32, shape = [2,?]}\n"
                              "  %n = Const-1 {value = i64[] 3}\n"
                              "  %a = Stretch-2@mine2(%x, %n)\n"
                              "  %b = Stretch-2@mine7(%x, %n) {axis = 1}\n"
                              "  %c = stretch@mine2(%x, %n) {axis = -1}\n"
                              "  %d = Triple@mine(%a) {times = 5}\n"
                              "  %e = Triple(%a)\n"
                              "}\n");

    check_fact(g, "a", "f32[6,?]");
    check_fact(g, "b", "f32[2,?]");
    check_fact(g, "d", "f32[6,?]");
    assert_int_equal(inlay_graph_node(g, "e")->op->kind, INLAY_OP_ADDED);
    assert_string_equal(inlay_graph_node(g, "b")->opset, "mine7");
    assert_true(inlay_check_graph(g, NULL));
    inlay_graph_free(g);
}

static void refused(const inlay_op_set *ops, const char *node, const char *said)
{
    inlay_read_options o = {.ops = ops};
    inlay_diags *d = inlay_diags_new();
    char text[400];

    snprintf(text, sizeof text,
             "graph \"g\" {\n%%x = Parameter-1 {element_type = f32, shape = [2,3]}\n"
             "%%n = Const-1 {value = i64[] 3}\n%%y = %s\n}\n",
             node);
    assert_null(inlay_read_text("t", text, strlen(text), &o, d));
    check_error(d, INLAY_INVALID, said);
    inlay_diags_free(d);
}

static void test_held_to_its_row(void **state)
{
    const inlay_op_set *ops = my_ops();

    refused(NULL, "Triple-1@mine(%x)", "operation Triple is of unknown version \"mine\"");
    refused(ops, "Triple-1@yours(%x)", "operation Triple is of unknown version \"yours\"");
    refused(ops, "Stretch@mine1(%x, %n)", "mine1 does not contain operation Stretch");
    refused(ops, "Stretch@mine(%x, %n)", "mine does not contain operation Stretch");
    refused(ops, "Triple-1@mine(%x, %n)", "has 2 inputs");
    refused(ops, "Triple-1@mine(%x) {factor = 3}", "there is no attribute \"factor\"");
    refused(ops, "Stretch@mine2(%x, %x)", "input 1 \"repeats\" has type f32");
    refused(ops, "Triple-1@mine(%x) {times = -3}", "\"y\" (Triple-1): times is negative");
    refused(ops, "Stretch@mine2(%x, %n) {axis = 2}", "axis is 2, it must be in [-2, 1]");
    inlay_op_set_release(ops);
}

/* A file that the writer of the format makes is read again, with the same operations, to an equal
 * graph. */
static void test_formats(void **state)
{
    const inlay_op_set *ops = my_ops();
    inlay_graph *g = read_with(inlay_read_text, ops, window);
    inlay_strbuf text = {0}, json = {0}, xml = {0}, weights = {0};
    const inlay_sink to_text = {inlay_strbuf_sink, &text}, to_json = {inlay_strbuf_sink, &json},
                     to_xml = {inlay_strbuf_sink, &xml}, to_weights = {inlay_strbuf_sink, &weights};
    inlay_buffer *bytes;
    inlay_read_options o = {.ops = ops};
    inlay_graph *back;

    assert_true(inlay_print(g, true, &to_text, NULL));
    back = read_with(inlay_read_text, ops, text.bytes);
    assert_true(inlay_graph_equal(g, back, NULL, 0));
    inlay_graph_free(back);
    assert_true(inlay_write_json(g, NULL, NULL, &to_json, NULL, NULL));
    back = read_with(inlay_read_json, ops, json.bytes);
    assert_true(inlay_graph_equal(g, back, NULL, 0));
    inlay_graph_free(back);
    assert_true(inlay_write_xml(g, NULL, &to_xml, &to_weights, NULL));
    assert_non_null(strstr(xml.bytes, "type=\"Triple\" version=\"mine\""));
    bytes = inlay_buffer_wrap(weights.bytes, weights.n, NULL, NULL);
    back = inlay_read_xml("t", xml.bytes, xml.n, bytes, &o, NULL);
    assert_non_null(back);
    assert_true(inlay_graph_equal(g, back, NULL, 0));
    inlay_graph_free(back);
    assert_null(inlay_read_xml("t", xml.bytes, xml.n, bytes, NULL, NULL));
    inlay_buffer_release(bytes);
    inlay_graph_free(g);
    inlay_strbuf_free(&text);
    inlay_strbuf_free(&json);
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    inlay_op_set_release(ops);
}

/* This is the version that OpenVINO gives to operations that are not its own. */
static void test_xml_extension(void **state)
{
    static const char xml[] =
        "<net name=\"n\" version=\"11\"><layers>\n"
        "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">"
        "<data element_type=\"i64\" shape=\"5\"/>"
        "<output><port id=\"0\" precision=\"I64\"><dim>5</dim></port></output></layer>\n"
        "<layer id=\"1\" name=\"o\" type=\"Odds\" version=\"extension\">"
        "<input><port id=\"0\" precision=\"I64\"><dim>5</dim></port></input>"
        "<output><port id=\"1\" precision=\"I64\"><dim>-1</dim></port></output></layer>\n"
        "<layer id=\"2\" name=\"r\" type=\"Result\" version=\"opset1\">"
        "<input><port id=\"0\" precision=\"I64\"><dim>-1</dim></port></input></layer>\n"
        "</layers><edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>"
        "<edge from-layer=\"1\" from-port=\"1\" to-layer=\"2\" to-port=\"0\"/></edges></net>\n";
    const inlay_op_set *ops = my_ops();
    runner r = runner_on(read_with(read_xml, ops, xml), NULL);

    check_run(&r, OPERANDS("i64[5] 4 7 2 9 9"), OPERANDS("i64[3] 1 3 4"));
    check_run_fails(&r, OPERANDS("i64[5] 4 7 2 9 -9"), INLAY_INVALID, "element 4 is negative");
    runner_free(&r);
    inlay_op_set_release(ops);
}

static void test_built(void **state)
{
    const inlay_op_set *ops = my_ops();
    inlay_graph *g = inlay_graph_new_of(ops, "g", NULL);
    inlay_shape s = {.rank = 1, .dim = {inlay_dim_of(2)}};
    inlay_value *x = inlay_build_parameter(g, "x", INLAY_F32, &s, NULL);
    inlay_node *y = inlay_build(g, "y", "Triple@mine", &x, 1, "times=7", NULL);
    runner r;

    inlay_op_set_release(ops);
    assert_non_null(y);
    assert_non_null(inlay_build_result(g, "r", &y->out[0], NULL));
    r = runner_on(g, NULL);
    check_run(&r, OPERANDS("f32[2] 5 6"), OPERANDS("f32[2] 35 42"));
    runner_free(&r);
}

/* A set is made on a set; built-in operations go before those that are added. */
static void test_set_on_a_set(void **state)
{
    inlay_op_def more = {.type = "Quadruple",
                         .version = 1,
                         .opsets = "mine",
                         .inputs = "T:num x",
                         .outputs = "T",
                         .attributes = "int times=4",
                         .infer = infer_triple,
                         .eval = eval_triple};
    inlay_op_def newer = {.type = "ReLU",
                          .version = 99,
                          .opsets = "mine",
                          .inputs = "T:num x",
                          .outputs = "T",
                          .infer = infer_triple};
    const inlay_op_set *first = my_ops(), *second = inlay_op_set_new(first, &more, 1, NULL),
                       *third = inlay_op_set_new(second, &newer, 1, NULL);
    const size_t count = inlay_op_count(first);

    inlay_op_set_release(first);
    assert_int_equal(inlay_op_count(second), count + 1);
    assert_string_equal(inlay_op_find(second, "Triple", "mine", NULL, NULL)->name, "Triple");
    assert_string_equal(inlay_op_find(second, "quadruple", NULL, NULL, NULL)->name, "Quadruple");
    assert_int_equal(inlay_op_find(second, "Quadruple", "mine", NULL, NULL)->row,
                     inlay_op_count(second) - 1);
    assert_null(inlay_op_find(NULL, "Triple", "mine", NULL, NULL));
    assert_ptr_equal(inlay_op_find(third, "ReLU", NULL, NULL, NULL),
                     inlay_op_find(NULL, "ReLU", NULL, NULL, NULL));
    assert_int_equal(inlay_op_find(third, "ReLU", "mine", NULL, NULL)->kind, INLAY_OP_ADDED);
    assert_int_equal(inlay_op_of_type(third, "relu", NULL, 0), 2);
    inlay_op_set_release(second);
    assert_string_equal(inlay_op_find(third, "Triple", NULL, NULL, NULL)->name, "Triple");
    inlay_op_set_release(third);
}

static void test_malformed_rows(void **state)
{
    static const struct {
        const char *opsets, *inputs, *outputs, *attributes, *flags, *said;
    } rows[] = {
        {"", "T x", "T", "", "", "opsets: no set is named"},
        {"8..", "T x", "T", "", "", "opsets \"8..\": no set is named"},
        {"mine0..", "T x", "T", "", "", "opsets: a number is expected after the set"},
        {"mine3..1", "T x", "T", "", "", "opsets: an empty range"},
        {"mine3-", "T x", "T", "", "", "opsets: what is \"-\"?"},
        {"mine 3", "T x", "T", "", "", "opsets: what is \"3\"?"},
        {"mine", "x", "T", "", "", "input \"x\" is not TYPE name"},
        {"mine", "T x y", "T", "", "", "input \"T x y\" is not TYPE name"},
        {"mine", "T x,, T y", "T", "", "", "an empty input"},
        {"mine", "T:i31 x", "T", "", "", "unknown type \"i31\""},
        {"mine", "T:num x, T:int y", "T", "", "", "type variable T has two constraints"},
        {"mine", "[T x], T y", "T", "", "", "the required input \"T y\" after an optional one"},
        {"mine", "[T x", "T", "", "", "input \"[T x\": ] is missing"},
        {"mine", "T x..., T y", "T", "", "", "an input after one that repeats"},
        {"mine", "T x@begin", "T", "", "", "unknown role \"begin\""},
        {"mine", "T data, T y@data", "T", "", "", "two have role data"},
        {"mine", "T x", "T a{n}", "", "", "there is no attribute \"n\" of kind int or bool"},
        {"mine", "T x", "T a{n}", "float n", "", "there is no attribute \"n\" of kind int or bool"},
        {"mine", "T x", "T a{n}, T b", "int n", "", "an output after one that is counted"},
        {"mine", "T x", "T a{#1}", "", "", "there is no input #1"},
        {"mine", "T x", "@t", "int t", "", "there is no attribute \"t\" of kind type"},
        {"mine", "T x", "T, @t", "type t", "", "only the first output can have the type of"},
        {"mine", "T x", "T", "n", "", "attribute \"n\" is not KIND name"},
        {"mine", "T x", "T", "long n", "", "unknown attribute kind \"long\""},
        {"mine", "T x", "T", "enum m", "", "enum \"m\" needs its names in parentheses"},
        {"mine", "T x", "T", "enum m(a|b)=c", "", "its default is none of its names"},
        {"mine", "T x", "T", "shape s=1", "", "this kind cannot have a default"},
        {"mine", "T x", "T", "int n=1.5", "", "a default is no value of its kind"},
        {"mine", "T x", "T", "bool b=yes", "", "a default is no value of its kind"},
        {"mine", "T x", "T", "ints n=1;x", "", "a default is no value of its kind"},
        {"mine", "T x", "T", "type t=i31", "", "a default is no value of its kind"},
        {"mine", "T x", "T", "", "fast", "unknown flag \"fast\""},
        {"mine", "T x", "T", "", "overwrites=1", "overwrites=1: there is no such input"},
        {"mine", "T x", "T", "", "faults=-1", "faults=-1: there is no such input"},
        {"mine", "T x", "T", "", "strided blocks", "are flags of operations that are built in"},
        {"mine", "T x", "T", "", "view", "are flags of operations that are built in"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        inlay_op_def def = {"Bad",           3,
                            rows[i].opsets,  rows[i].inputs,
                            rows[i].outputs, rows[i].attributes,
                            rows[i].flags,   infer_triple,
                            eval_triple,     "bad.c",
                            (unsigned)i + 1};
        inlay_diags *d = inlay_diags_new();

        if (inlay_op_set_new(NULL, &def, 1, d))
            fail_msg("row %d was taken, not refused: %s", (int)i, rows[i].said);
        check_error(d, INLAY_INVALID, rows[i].said);
        check_error(d, INLAY_INVALID, "operation Bad-3: ");
        assert_string_equal(inlay_diags_error(d)->file, "bad.c");
        assert_int_equal(inlay_diags_error(d)->line, i + 1);
        inlay_diags_free(d);
    }
}

static void test_rows_that_are_there(void **state)
{
    inlay_op_def def = {.type = "ReLU",
                        .version = 7,
                        .opsets = "opset3",
                        .inputs = "T x",
                        .outputs = "T",
                        .infer = infer_triple};
    inlay_diags *d = inlay_diags_new();

    assert_null(inlay_op_set_new(NULL, &def, 1, d));
    check_error(d, INLAY_INVALID, "operation ReLU-7: ReLU-1 of opset1 is there already");
    inlay_diags_clear(d);
    def.opsets = "opset99";
    def.version = 1;
    assert_null(inlay_op_set_new(NULL, &def, 1, d));
    check_error(d, INLAY_INVALID, "operation ReLU-1: ReLU-1 of opset1 is there already");
    inlay_diags_free(d);
}

/* These are the built-in rows, as they are written. */
static const inlay_op_def built_in[] = {
#define SHAPE(rules, words)
#define DIFFERS(types, where, here)
#define NEWEST(set, number)
#define OP(type, version, opsets, inputs, outputs, attributes, flags, infer, eval)                 \
    {type, version, opsets, inputs, outputs, attributes, flags, infer_triple, eval_triple, NULL, 0},
#include "ir/ops/ops.def"
#undef OP
};

static void same_text(const char *a, const char *b)
{
    assert_int_equal(!a, !b);
    if (a)
        assert_string_equal(a, b);
}

static void same_operands(const inlay_operand_info *a, const inlay_operand_info *b, int n)
{
    for (int i = 0; i < n; i++) {
        assert_string_equal(a[i].name, b[i].name);
        assert_int_equal(a[i].types, b[i].types);
        assert_int_equal(a[i].var, b[i].var);
        assert_string_equal(a[i].constraint, b[i].constraint);
        assert_int_equal(a[i].optional, b[i].optional);
        assert_int_equal(a[i].role, b[i].role);
    }
}

static void same_default(inlay_attr_kind kind, const inlay_attr *a, const inlay_attr *b)
{
    assert_int_equal(a->set, b->set);
    assert_int_equal(a->n, b->n);
    if (!a->set)
        return;
    if (kind == INLAY_ATTR_BOOL)
        assert_int_equal(a->as.b, b->as.b);
    else if (kind == INLAY_ATTR_TYPE)
        assert_int_equal(a->as.type, b->as.type);
    else if (kind == INLAY_ATTR_FLOAT)
        assert_true(a->as.f == b->as.f);
    else if (kind == INLAY_ATTR_INT)
        assert_int_equal(a->as.i, b->as.i);
    else if (kind == INLAY_ATTR_INTS)
        assert_memory_equal(a->as.ints, b->as.ints, (size_t)a->n * sizeof *a->as.ints);
    else
        assert_string_equal(a->as.s, b->as.s);
}

static void same_attrs(const inlay_attr_info *a, const inlay_attr_info *b, int n)
{
    for (int i = 0; i < n; i++) {
        assert_string_equal(a[i].name, b[i].name);
        assert_int_equal(a[i].kind, b[i].kind);
        assert_int_equal(a[i].required, b[i].required);
        assert_int_equal(a[i].has_default, b[i].has_default);
        same_default(a[i].kind, &a[i].dflt, &b[i].dflt);
        assert_int_equal(!a[i].allowed, !b[i].allowed);
        for (int k = 0; a[i].allowed && (a[i].allowed[k] || b[i].allowed[k]); k++)
            same_text(a[i].allowed[k], b[i].allowed[k]);
    }
}

/* The library makes of a row at run time what the build made of it. */
static void test_compiled_alike(void **state)
{
    inlay_arena *arena = inlay_arena_new();

    assert_int_equal(sizeof built_in / sizeof built_in[0], inlay_op_count(NULL));
    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const inlay_op *a = inlay_op_at(NULL, i),
                       *b = op_compile(&built_in[i], (int)i, arena, NULL);

        assert_non_null(b);
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->version, b->version);
        assert_string_equal(a->set, b->set);
        assert_string_equal(a->written, b->written);
        assert_int_equal(a->first, b->first);
        assert_int_equal(a->last, b->last);
        assert_int_equal(a->n_in, b->n_in);
        assert_int_equal(a->min_in, b->min_in);
        assert_int_equal(a->variadic_in, b->variadic_in);
        same_operands(a->in, b->in, a->n_in);
        assert_int_equal(a->n_out, b->n_out);
        same_operands(a->out, b->out, a->n_out < 0 ? 1 : a->n_out);
        same_text(a->count_attr, b->count_attr);
        assert_int_equal(a->count_in, b->count_in);
        same_text(a->type_attr, b->type_attr);
        assert_int_equal(a->n_attrs, b->n_attrs);
        same_attrs(a->attrs, b->attrs, a->n_attrs);
        assert_memory_equal(a->in_of, b->in_of, INLAY_N_ROLES);
        assert_memory_equal(a->attr_of, b->attr_of, INLAY_N_ROLES);
        assert_int_equal(a->overwrites, b->overwrites);
        assert_int_equal(a->faults, b->faults);
        assert_int_equal(a->flags, b->flags);
        assert_int_equal(a->row, b->row);
    }
    inlay_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_and_inferred),
        cmocka_unit_test(test_held_to_its_row),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_xml_extension),
        cmocka_unit_test(test_built),
        cmocka_unit_test(test_set_on_a_set),
        cmocka_unit_test(test_malformed_rows),
        cmocka_unit_test(test_rows_that_are_there),
        cmocka_unit_test(test_compiled_alike),
    };

    return cmocka_run_group_tests_name("operations of a program's own", tests, NULL, NULL);
}
