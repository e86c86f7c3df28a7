/* What becomes of claims that stand in a document, however it is read; when notes are dropped, and
 * when they are made again. */
#include "claims.h"
#include "graphs.h"
#include "ir/shared.h"
#include "note_rows.h"

#include "parser/parser.h"
#include "passes/passes.h"

#define BODY(nodes, ports)                                                                         \
    "%x = Parameter-1 {element_type = f32, shape = [4]}\n"                                         \
    "%n = Const-1 {value = i64[] 3}\n%go = Const-1 {value = boolean[] true}\n"                     \
    "%l:1 = Loop-5(%n, %go, %x, %x)\nbody \"b\" {\n"                                               \
    "%p = Parameter-1 {element_type = f32, shape = [4]}\n"                                         \
    "%k = Parameter-1 {element_type = f32, shape = [4]}\n" nodes                                   \
    "%yes = Const-1 {value = boolean[] true}\n%on = Result-1(%yes)\n%o = Result-1(%r)\n}\n"        \
    "in 2 -> %p\nin 3 -> %k\nout %on -> none condition\nout %o -> 0\nback %o -> %p\n" ports        \
    "%result = Result-1(%l)\n"

/* Judges the claims CLAIMS of the body of the loop in TEXT: WHY is in the warning that drops one of
 * them; NULL: all are right. */
static void check_body(const char *text, const char *claims, const char *why)
{
    inlay_graph *g = graph_of(text), *body = inlay_graph_node(g, "l")->bodies[0].graph;
    inlay_diags *d = inlay_diags_new();

    set_claims(body, claims);
    assert_true(inlay_drop_illegal_notes(g, d));
    if (inlay_diags_count(d) != (why ? 1 : 0))
        fail_msg("%s: %zu warnings", claims, inlay_diags_count(d));
    if (why && !strstr(inlay_diags_at(d, 0)->text, why))
        fail_msg("%s: %s", claims, inlay_diags_at(d, 0)->text);
    inlay_diags_free(d);
    inlay_graph_free(g);
}

static void notes_in_bodies(void **state)
{
    check_body(BODY("%r = ReLU-1(%p)\n", ""), "r overwrites p", NULL);
    check_body(BODY("%m = Add-1(%p, %k)\n%r = ReLU-1(%m)\n", ""), "m overwrites p; r overwrites m",
               NULL);
    /* what does not vary is read again */
    check_body(BODY("%r = ReLU-1(%k)\n", ""), "r overwrites k",
               "\"k\" has the same value in other iterations, or in the graph around (B1 "
               "carried-input)");
    check_body(BODY("%r = Add-1(%p, %k)\n", ""), "r overwrites k", "(B1 carried-input)");
    /* the next iteration gets the old value, too */
    check_body(BODY("%r = ReLU-1(%p)\n%old = Result-1(%p)\n", "back %old -> %k\n"),
               "r overwrites p", "(O4 not-read-at-end)");
    /* it is read behind the write */
    check_body(BODY("%m = ReLU-1(%p)\n%r = Add-1(%m, %p)\n", ""), "m overwrites p",
               "(N7 two-buffers)");
    check_body(BODY("%v = ReadValue-6 {variable_id = \"v\", variable_type = f32, variable_shape = "
                    "[4]}\n%r = ReLU-1(%v)\n%put = Assign-6(%r) {variable_id = \"v\"}\n",
                    ""),
               "r overwrites v", "(B2 not-a-state)");
}

/* A reader of a file judges its claims. A claim that relies on one that is dropped is dropped too,
 * and the rest stay. */
static void dropping(void **state)
{
    inlay_graph *g =
        graph_of(ROWS "%x = Slice-8(%d" LO "%y = ReLU-1(%x)\n%r = SliceScatter-15(%d, "
                      "%y" LO "%v = Slice-8(%data" HI "%z = ReLU-1(%v)\n" END(d) END(r) END(z));
    inlay_diags *d = inlay_diags_new();

    set_claims(g, "x view of d; y into r; r overwrites d; v view of data");
    assert_true(inlay_drop_illegal_notes(g, d));
    assert_int_equal(inlay_diags_count(d), 2);
    assert_non_null(strstr(inlay_diags_at(d, 0)->text,
                           "the storage note \"y\" into \"r\" is dropped: \"end_d\" (Result-1) "
                           "reads \"d\" after this is written over it (I5 sole-consumer)"));
    assert_non_null(strstr(inlay_diags_at(d, 1)->text,
                           "the storage note \"r\" overwrites \"d\" is dropped: \"end_d\" "
                           "(Result-1) reads \"d\" after this is written over it (O4 "
                           "not-read-at-end)"));
    assert_int_equal(value_called(g, "x")->note, INLAY_VIEW_OF);
    assert_int_equal(value_called(g, "v")->note, INLAY_VIEW_OF);
    assert_int_equal(value_called(g, "y")->note, INLAY_FRESH);
    assert_int_equal(value_called(g, "r")->note, INLAY_FRESH);
    inlay_diags_clear(d);
    set_claims(g, "z before y; y before z");
    assert_true(inlay_drop_illegal_notes(g, d));
    assert_non_null(strstr(inlay_diags_at(d, 0)->text,
                           "the order edges contradict the graph: all storage notes are dropped"));
    assert_false(g->has_notes);
    inlay_diags_free(d);
    inlay_graph_free(g);
}

/* Writes G, whose claims are wrong, and reads it again: READ does that in memory. */
static void check_read_again(inlay_graph *g, inlay_graph *again(const inlay_graph *, inlay_diags *))
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *read = again(g, d);

    if (!read)
        fail_msg("%s", inlay_diags_at(d, 0)->text);
    assert_int_equal(inlay_diags_count(d), 1);
    assert_int_equal(inlay_diags_at(d, 0)->severity, INLAY_WARNING);
    assert_non_null(
        strstr(inlay_diags_at(d, 0)->text,
               "the storage note \"r\" overwrites \"d\" is dropped: \"end_d\" (Result-1) "
               "reads \"d\" after this is written over it (O4 not-read-at-end)"));
    assert_int_equal(value_called(read, "r")->note, INLAY_FRESH);
    assert_int_equal(value_called(read, "z")->note, INLAY_OVERWRITES);
    inlay_graph_free(read);
    inlay_diags_free(d);
}

static inlay_graph *through_text(const inlay_graph *g, inlay_diags *d)
{
    inlay_strbuf b = {0};
    inlay_sink to = {inlay_strbuf_sink, &b};
    inlay_graph *read;

    assert_true(inlay_print(g, true, &to, d));
    read = inlay_read_text("g.inlay", b.bytes, b.n, NULL, d);
    inlay_strbuf_free(&b);
    return read;
}

static inlay_graph *through_json(const inlay_graph *g, inlay_diags *d)
{
    inlay_strbuf b = {0};
    inlay_sink to = {inlay_strbuf_sink, &b};
    inlay_graph *read;

    assert_true(inlay_write_json(g, NULL, NULL, &to, NULL, d));
    read = inlay_read_json("g.json", b.bytes, b.n, NULL, d);
    inlay_strbuf_free(&b);
    return read;
}

static inlay_graph *through_xml(const inlay_graph *g, inlay_diags *d)
{
    inlay_strbuf b = {0}, bin = {0};
    inlay_sink to = {inlay_strbuf_sink, &b}, weights_to = {inlay_strbuf_sink, &bin};
    inlay_buffer *weights;
    inlay_graph *read;

    assert_true(inlay_write_xml(g, NULL, &to, &weights_to, d));
    weights = inlay_buffer_new(bin.n); /* constants stay views into it */
    assert_non_null(weights);
    memcpy(inlay_buffer_data(weights), bin.bytes, bin.n);
    read = inlay_read_xml("g.xml", b.bytes, b.n, weights, NULL, d);
    inlay_buffer_release(weights);
    inlay_strbuf_free(&b);
    inlay_strbuf_free(&bin);
    return read;
}

/* Notes in a document are claims wherever the document is read from. */
static void reading_from_memory(void **state)
{
    inlay_graph *g = graph_of(ROWS "%r = SliceScatter-15(%d, %u" LO "%y = Exp-1(%data)\n"
                                   "%z = ReLU-1(%y)\n" END(d) END(r) END(z));

    set_claims(g, "r overwrites d; z overwrites y");
    check_read_again(g, through_text);
    check_read_again(g, through_json);
    check_read_again(g, through_xml);
    inlay_graph_free(g);
}

/* Many illegal claims cost a bounded number of walks. */
static void many_illegal_claims(void **state)
{
    enum { N = 200 };
    inlay_strbuf text = {0};
    inlay_graph *g;
    inlay_diags *d = inlay_diags_new();

    inlay_strbuf_puts(&text, ROWS);
    for (int i = 0; i < N; i++)
        inlay_strbuf_printf(&text,
                            "%%d%d = Exp-1(%%data)\n%%r%d = ReLU-1(%%d%d)\n%%a%d = "
                            "Result-1(%%d%d)\n%%b%d = Result-1(%%r%d)\n",
                            i, i, i, i, i, i, i);
    g = graph_of(text.bytes);
    for (int i = 0; i < N; i++) {
        char claim[64];

        snprintf(claim, sizeof claim, "r%d overwrites d%d", i, i);
        set_claims(g, claim);
    }
    assert_true(inlay_drop_illegal_notes(g, d));
    assert_false(g->has_notes);
    assert_non_null(strstr(inlay_diags_at(d, inlay_diags_count(d) - 1)->text,
                           "more than 64 storage notes are illegal: all are dropped"));
    inlay_diags_free(d);
    inlay_strbuf_free(&text);
    inlay_graph_free(g);
}

static bool list_names(void *ctx, const inlay_event *e, inlay_diags *d)
{
    (void)d;
    if (e->kind == INLAY_EVENT_PASS_ENDS)
        inlay_strbuf_printf(ctx, "%s ", e->pass);
    return true;
}

/* A pass that edits the graph drops the notes, so the pass that made these notes runs once more. */
static void notes_are_made_again(void **state)
{
    inlay_graph *g = graph_of(ROWS "%x = Slice-8(%d" LO "%y = ReLU-1(%x)\n%dead = Exp-1(%d)\n"
                                   "%r = SliceScatter-15(%d, %y" LO END(r));
    inlay_strbuf names = {0};
    inlay_pass_options o = {.passes = "in-place-windows,eliminate-dead",
                            .check = true,
                            .events = {list_names, &names, false}};

    assert_true(inlay_run_passes(g, &o, NULL));
    assert_string_equal(names.bytes, "in-place-windows eliminate-dead in-place-windows ");
    assert_null(inlay_graph_node(g, "dead"));
    assert_int_equal(value_called(g, "r")->note, INLAY_OVERWRITES);
    inlay_strbuf_free(&names);
    /* nothing is dead any more, the notes stay */
    assert_true(inlay_run_passes(g, &o, NULL));
    assert_string_equal(names.bytes, "in-place-windows eliminate-dead ");
    inlay_strbuf_free(&names);
    inlay_graph_free(g);
}

/* Earlier notes have no influence: z over y is nothing that the pass would decide. */
static void notes_are_made_anew(void **state)
{
    inlay_graph *g = graph_of(ROWS "%y = Exp-1(%d)\n%z = ReLU-1(%y)\n"
                                   "%r = SliceScatter-15(%d, %u" LO END(r) END(z));
    inlay_pass_options o = {.passes = "in-place-windows", .check = true};

    set_claims(g, "z overwrites y; u before y; d before u");
    assert_true(inlay_run_passes(g, &o, NULL));
    assert_int_equal(value_called(g, "z")->note, INLAY_FRESH);
    assert_int_equal(value_called(g, "r")->note, INLAY_OVERWRITES);
    assert_int_equal(g->n_order_edges, 1);
    inlay_graph_free(g);
}

typedef bool edit(inlay_graph *g);

static inlay_node *first_const(inlay_graph *g)
{
    return inlay_graph_node(g, "c");
}

static bool add_node(inlay_graph *g)
{
    return inlay_node_new(g, inlay_op_find(NULL, "ReLU", NULL, NULL, NULL), "new", 1, 1, NULL) !=
           NULL;
}
static bool connect(inlay_graph *g)
{
    return inlay_node_set_input(inlay_graph_node(g, "q"), 0, &first_const(g)->out[0], NULL);
}
static bool more_outputs(inlay_graph *g)
{
    return inlay_node_set_n_out(inlay_graph_node(g, "free"), 2, NULL);
}
static bool remove_node(inlay_graph *g)
{
    return inlay_node_remove(inlay_graph_node(g, "free"), NULL);
}
static bool replace_value(inlay_graph *g)
{
    return inlay_value_replace(&inlay_graph_node(g, "q")->out[0], &first_const(g)->out[0], NULL);
}
static bool set_attribute(inlay_graph *g)
{
    return inlay_node_set_float(inlay_graph_node(g, "q"), "alpha", 2, NULL);
}
static bool set_attribute_text(inlay_graph *g)
{
    inlay_node *q = inlay_graph_node(g, "q");

    return inlay_node_set_attr_text(q, inlay_op_attr(q->op, "alpha"), "3", NULL);
}

/* Each edit, in the graph itself and in a body of it, drops the notes of the outermost graph. */
static void edits_drop_notes(void **state)
{
    static edit *const edits[] = {add_node,      connect,       more_outputs,      remove_node,
                                  replace_value, set_attribute, set_attribute_text};
    static const char inner[] = "%c = Const-1 {value = f32[2] [1, 2]}\n"
                                "%q = Elu-1(%c) {alpha = 1}\n%free = ReLU-1(%c)\n"
                                "%o = Result-1(%q)\n";
    char text[2048];

    snprintf(text, sizeof text,
             "%s%%b = Parameter-1 {element_type = boolean, shape = []}\n%%i = If-8(%%b)\n"
             "then_body \"t\" {\n%s}\nout %%o -> 0\nelse_body \"e\" {\n%s}\nout %%o -> 0\n"
             "%%z = ReLU-1(%%i)\n%%w = ReLU-1(%%z)\n%%end = Result-1(%%w)\n",
             inner, inner, inner);
    for (size_t i = 0; i < 2 * sizeof edits / sizeof edits[0]; i++) {
        inlay_graph *g = graph_of(text);

        set_claims(g, "w overwrites z; q before z");
        assert_true(edits[i / 2](i % 2 ? inlay_graph_node(g, "i")->bodies[0].graph : g));
        if (g->has_notes || value_called(g, "w")->note != INLAY_FRESH || g->n_order_edges > 0)
            fail_msg("edit %zu of the %s keeps the notes", i / 2, i % 2 ? "body" : "graph");
        inlay_graph_free(g);
    }
}

/* The order is the caller's: one that cannot be run is an error of its own, no note's. */
static void impossible_orders(void **state)
{
    inlay_graph *g = graph_of(ROWS "%x = Negative-1(%data)\n"
                                   "%y = ReLU-1(%x)\n"
                                   "%r = Result-1(%y)\n");
    inlay_diags *d = inlay_diags_new();
    inlay_node *x = inlay_graph_node(g, "x"), *y = inlay_graph_node(g, "y");
    inlay_order_list order;
    const inlay_value *bad = NULL;

    set_claims(g, "y overwrites x");
    assert_true(inlay_order(g, false, &order, d));
    for (size_t i = 0; i < order.n; i++) {
        inlay_node *n = order.nodes[i];

        order.nodes[i] = n == x ? y : n == y ? x : n;
    }
    assert_false(inlay_check_notes(g, &order, &bad, d));
    assert_null(bad);
    assert_int_equal(inlay_diags_count(d), 1);
    assert_string_equal(inlay_diags_at(d, 0)->text,
                        "node \"y\" (ReLU-1): the order has it before its input 0");
    inlay_order_free(&order);
    inlay_diags_free(d);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_in_bodies),      cmocka_unit_test(dropping),
        cmocka_unit_test(reading_from_memory),  cmocka_unit_test(many_illegal_claims),
        cmocka_unit_test(notes_are_made_again), cmocka_unit_test(notes_are_made_anew),
        cmocka_unit_test(edits_drop_notes),     cmocka_unit_test(impossible_orders),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
