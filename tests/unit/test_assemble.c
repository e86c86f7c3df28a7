/* The assembler of readers, as a reader calls it that has no file. */
#include "parser/assemble.h"
#include "unit.h"

#include "inlay_ops.h"

/* What the reader is told. */
struct told {
    char what[200];
    const void *at;
    int fault; /* -1: none */
};

static bool tell(void *reader, const void *at, const char *what)
{
    struct told *told = reader;

    snprintf(told->what, sizeof told->what, "%s", what);
    told->at = at;
    return false;
}

static bool tell_fault(void *reader, const assemble_ref *ref, assemble_fault fault)
{
    struct told *told = reader;

    told->fault = (int)fault;
    told->at = ref->at;
    return false;
}

static const assemble_words words = {tell, tell_fault};

static assemble_scope *begin(assembler *a, struct told *told, const inlay_read_options *o)
{
    *told = (struct told){.fault = -1};
    *a = (assembler){.words = &words, .reader = told};
    assert_true(assemble_begin(a, "file", o, NULL));
    return assemble_scope_new(a, NULL, a->graph);
}

static assemble_name *name(assemble_scope *s, const char *text)
{
    assemble_name *found = assemble_name_of(s, text, strlen(text));

    assert_non_null(found);
    return found;
}

/* Makes a node of TYPE with N_IN inputs, called TEXT in the file. */
static inlay_node *node(assemble_scope *s, const char *type, const char *text, int n_in)
{
    const inlay_op *op = assemble_row(s, &(assemble_spec){type, NULL, -1, ASSEMBLE_ROW}, NULL);
    assemble_record record = {.name = text, .n_in = n_in};
    inlay_node *n;

    assert_non_null(op);
    record.n_out = op->n_out < 0 ? 1 : op->n_out;
    n = assemble_node(s, op, &record);
    assert_non_null(n);
    assemble_define(name(s, text), n, -1, 1);
    return n;
}

static inlay_node *parameter(assemble_scope *s, const char *text)
{
    inlay_node *n = node(s, "Parameter", text, 0);
    inlay_shape shape = {.rank = 1, .dim = {inlay_dim_of(2)}};

    assert_true(inlay_node_set_type(n, "element_type", INLAY_F32, NULL));
    assert_true(inlay_node_set_shape(n, "shape", &shape, NULL));
    return n;
}

static bool operand(assemble_scope *s, inlay_node *n, int i, const char *text)
{
    return assemble_operand(s, n, i, &(assemble_ref){name(s, text), -1, n});
}

static void test_names_before_their_definition(void **state)
{
    struct told told;
    assembler a;
    assemble_scope *s = begin(&a, &told, NULL);
    inlay_node *result = node(s, "Result", "r", 1), *relu = node(s, "ReLU", "y", 1), *x;
    inlay_graph *g;

    assert_true(operand(s, result, 0, "y"));
    assert_true(operand(s, relu, 0, "x"));
    assert_ptr_equal(result->in[0].value, &relu->out[0]);
    assert_null(relu->in[0].value);
    x = parameter(s, "x");
    assert_true(assemble_all_defined(s));
    assert_ptr_equal(relu->in[0].value, &x->out[0]);
    assert_true(assemble_infer(&a, NULL));
    g = assemble_end(&a, true);
    assert_non_null(g);
    assert_int_equal(g->results[0]->in[0].value->fact.dims[0].lo, 2);
    inlay_graph_free(g);
}

static void test_references_that_lead_to_no_value(void **state)
{
    struct told told;
    assembler a;
    assemble_scope *s = begin(&a, &told, NULL);
    inlay_node *relu = node(s, "ReLU", "y", 1), *result = node(s, "Result", "r", 1);
    assemble_ref ref = {name(s, "y"), 1, "second output"};

    assert_false(assemble_operand(s, result, 0, &ref));
    assert_int_equal(told.fault, ASSEMBLE_NO_OUTPUT);
    assert_ptr_equal(told.at, ref.at);
    ref = (assemble_ref){name(s, "r"), -1, "a Result has no output"};
    assert_null(assemble_value(s, &ref));
    assert_int_equal(told.fault, ASSEMBLE_WHICH_OUTPUT);
    assert_true(operand(s, relu, 0, "nowhere"));
    assert_false(assemble_all_defined(s));
    assert_int_equal(told.fault, ASSEMBLE_UNDEFINED);
    assert_ptr_equal(told.at, relu);
    assert_null(assemble_end(&a, false));
}

static void test_many_names(void **state)
{
    enum { MANY = 1000 };
    struct told told;
    assembler a;
    assemble_scope *s = begin(&a, &told, NULL);
    assemble_name *names[MANY];
    char text[16];

    for (int i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "name %d", i);
        names[i] = name(s, text);
    }
    for (int i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "name %d", i);
        assert_ptr_equal(names[i], name(s, text));
    }
    /* A name is as long as the file says, and need not end in a zero byte. */
    assert_ptr_equal(assemble_name_of(s, "name 77 and more", 7), names[77]);
    assert_ptr_not_equal(assemble_name_of(s, "name 77", 5), names[77]);
    assert_null(assemble_end(&a, false));
}

static void test_rows(void **state)
{
    static const inlay_read_options unknown = {.allow_unknown = true};
    struct told told;
    assembler a;
    assemble_scope *s = begin(&a, &told, NULL);
    assemble_spec spec = {"Slice", "opset8", -1, ASSEMBLE_EITHER};

    assert_int_equal(assemble_row(s, &spec, NULL)->kind, INLAY_OP_SLICE);
    spec = (assemble_spec){"Slise", "opset8", -1, ASSEMBLE_EITHER};
    assert_null(assemble_row(s, &spec, "place"));
    assert_string_equal(told.what,
                        "unknown operation Slise of version opset8, did you mean \"Slice\"?");
    assert_string_equal(told.at, "place");
    spec = (assemble_spec){"Slice", NULL, 7, ASSEMBLE_ROW};
    assert_null(assemble_row(s, &spec, NULL));
    assert_string_equal(told.what, "unknown operation Slice-7 (Slice-8 is known)");
    assert_null(assemble_end(&a, false));

    s = begin(&a, &told, &unknown);
    spec = (assemble_spec){"Slise", "opset8", -1, ASSEMBLE_EITHER};
    assert_true(assemble_row(s, &spec, NULL)->flags & INLAY_STAND_IN);
    spec.wanted = ASSEMBLE_ROW;
    assert_null(assemble_row(s, &spec, NULL));
    spec = (assemble_spec){"Slice", "opset8", -1, ASSEMBLE_STAND_IN};
    assert_true(assemble_row(s, &spec, NULL)->flags & INLAY_STAND_IN);
    assert_null(assemble_end(&a, false));
}

/* The node of a body uses a value of the graph around it: the reader adds the port when it meets
 * that use, after ports that the file gives itself. */
static void test_a_captured_value(void **state)
{
    struct told told;
    assembler a;
    assemble_scope *s = begin(&a, &told, NULL), *body;
    inlay_node *owner, *inner, *result;
    inlay_port port = {.outer = 0};

    parameter(s, "x");
    parameter(s, "captured");
    owner = node(s, "TensorIterator", "ti", 2);
    assert_true(operand(s, owner, 0, "x") && operand(s, owner, 1, "captured"));
    body = assemble_body(s, owner, "body", "b");
    assert_non_null(body);
    inner = parameter(body, "x");
    port.inner = assemble_inner(body->graph, true, inner);
    assert_true(assemble_port(body, true, &port));

    assert_null(name(body, "captured")->node);
    assert_non_null(name(body->outer, "captured")->node);
    inner = parameter(body, "captured");
    port = (inlay_port){.outer = 1, .inner = assemble_inner(body->graph, true, inner)};
    assert_true(assemble_port(body, true, &port));
    result = node(body, "Result", "r", 1);
    assert_true(operand(body, result, 0, "captured") && assemble_all_defined(body));
    port = (inlay_port){.inner = assemble_inner(body->graph, false, result)};
    assert_true(assemble_port(body, false, &port));
    assert_int_equal(assemble_inner(body->graph, false, inner), -1);
    assert_true(assemble_bodies(owner, &body, 1, NULL));
    assert_int_equal(owner->n_bodies, 1);
    assert_int_equal(owner->bodies[0].n_in, 2);
    assert_int_equal(owner->bodies[0].in[0].inner, 0);
    assert_int_equal(owner->bodies[0].in[1].outer, 1);
    assert_int_equal(owner->bodies[0].in[1].inner, 1);
    assert_int_equal(owner->bodies[0].n_out, 1);
    assert_int_equal(owner->bodies[0].n_back, 0);
    assert_null(assemble_end(&a, false));
}

/* Two scopes with names of their own make nodes of one graph, as calls of a function would. */
static void test_scopes_of_one_graph(void **state)
{
    struct told told;
    assembler a;
    assemble_scope *s = begin(&a, &told, NULL);
    inlay_node *x = parameter(s, "x"), *last = x;
    inlay_graph *g;

    for (int call = 0; call < 2; call++) {
        assemble_scope *f = assemble_scope_new(&a, s, a.graph);
        inlay_node *relu;

        assemble_define(name(f, "argument"), last, 0, 1);
        relu = node(f, "ReLU", "y", 1);
        assert_true(operand(f, relu, 0, "argument"));
        last = relu;
    }
    assert_string_equal(last->name, "y_2");
    assert_string_equal(last->in[0].value->node->name, "y");
    assert_ptr_equal(last->in[0].value->node->in[0].value, &x->out[0]);
    g = assemble_end(&a, true);
    assert_int_equal(g->n_nodes, 3);
    inlay_graph_free(g);
}

/* The limit of memory counts names, too, and the message says so. */
static void test_the_limit_of_memory(void **state)
{
    static const inlay_read_options o = {.max_memory = 100000};
    inlay_diags *d = inlay_diags_new();
    struct told told = {.fault = -1};
    assembler a = {.words = &words, .reader = &told};
    assemble_scope *s;
    const assemble_name *last;
    char text[16];
    int i = 0;

    assert_true(assemble_begin(&a, "file", &o, d));
    s = assemble_scope_new(&a, NULL, a.graph);
    do {
        snprintf(text, sizeof text, "%d", i++);
        last = assemble_name_of(s, text, strlen(text));
    } while (last && i < 100000);
    assert_null(last);
    assert_null(assemble_end(&a, false));
    assert_int_equal(inlay_diags_count(d), 1);
    assert_int_equal(inlay_diags_status(d), INLAY_NO_RESOURCE);
    assert_string_equal(inlay_diags_at(d, 0)->text,
                        "reading it takes more than the memory limit of 100000 bytes");
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_before_their_definition),
        cmocka_unit_test(test_references_that_lead_to_no_value),
        cmocka_unit_test(test_many_names),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_a_captured_value),
        cmocka_unit_test(test_scopes_of_one_graph),
        cmocka_unit_test(test_the_limit_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
