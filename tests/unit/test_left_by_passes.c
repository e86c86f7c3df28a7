/* What passes leave is read again, and is the same function. The graphs are made up, and then some
 * of their integers are hidden from shape rules, one in three as another number than the one that
 * fits: such a model is read, and runs as far as it comes. A pass that finds the number out may not
 * make a model of it that no reader takes. INLAY_SEED=N tries the graphs of seed N. */
#include "folder.h"
#include "random_graphs.h"
#include "tests/unit/models.h"
#include "tests/unit/texts.h"
#include "unit.h"

#include "interp/interp.h"
#include "passes/passes.h"

enum { MOST_HIDDEN = 8 /* elements */ };

struct trying {
    uint64_t seed;
    inlay_generate_mix mix;
    rng lots;
    uint64_t written, left; /* how many files; how many warnings that a node stays as it is */
    inlay_diags *d;
};

static void fail_of(const struct trying *t, const char *passes, const char *what, const char *why)
{
    fail_msg("seed %llu, mix %d, passes %s, %s: %s", (unsigned long long)t->seed, (int)t->mix,
             passes, what, why);
}

/* ---- numbers that are hidden ---- */

static inlay_value *built(struct trying *t, const char *type, inlay_value *in, const char *attrs)
{
    inlay_node *n = inlay_build(in->node->graph, NULL, type, &in, 1, attrs, t->d);

    assert_non_null(n);
    return &n->out[0];
}

/* Of the constant N, whose elements no rule can tell from what is made, and perhaps not all. */
static inlay_value *hidden(struct trying *t, inlay_node *n)
{
    inlay_tensor *x = inlay_tensor_copy(n->out[0].fact.content);
    inlay_value *v;

    assert_non_null(x);
    for (int64_t i = 0; i < inlay_tensor_count(x); i++) {
        int64_t change = rng_one_in(&t->lots, 3) ? rng_in(&t->lots, -1, 1) : 0;

        inlay_tensor_set_i64(x, i, -(inlay_tensor_get_i64(x, i) + change));
    }
    v = inlay_build_const(n->graph, NULL, x, t->d);
    assert_non_null(v);
    inlay_tensor_release(x);
    v = built(t, "Negative", v, NULL);
    switch (rng_in(&t->lots, 0, 3)) {
    case 0: /* a rule takes these away */
        v = built(t, "Negative", v, NULL);
        return built(t, "Negative", v, NULL);
    case 1:
        v = built(t, "Convert", v, "destination_type=f32");
        return built(t, "Convert", v,
                     n->out[0].fact.type == INLAY_I64 ? "destination_type=i64"
                                                      : "destination_type=i32");
    default:
        return v;
    }
}

static bool may_hide(const inlay_node *n)
{
    const inlay_tensor *x = inlay_node_is(n, INLAY_OP_CONST) ? n->out[0].fact.content : NULL;

    return x && n->out[0].uses && (x->type == INLAY_I64 || x->type == INLAY_I32) &&
           inlay_tensor_count(x) <= MOST_HIDDEN;
}

/* Nothing is known any more of what is computed. */
static void forget(inlay_node *n)
{
    for (int i = 0; i < n->n_out; i++)
        n->out[i].fact = (inlay_fact){.type = n->out[i].fact.type, .rank = -1};
    n->settled = false;
}

static void hide_some(struct trying *t, inlay_graph *g)
{
    size_t left = g->n_nodes;

    for (inlay_node *n = g->first; left-- > 0; n = n->next) {
        for (int i = 0; i < n->n_bodies; i++)
            hide_some(t, n->bodies[i].graph);
        if (may_hide(n) && rng_one_in(&t->lots, 3))
            assert_true(inlay_value_replace(&n->out[0], hidden(t, n), t->d));
    }
    for (inlay_node *n = g->first; n; n = n->next)
        forget(n);
}

/* ---- what is left ---- */

static void check_same(struct trying *t, const char *passes, const char *where,
                       const inlay_graph *a, const inlay_graph *b)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    inlay_verify_options o = {
        .seed = t->seed, .trials = 4, .may_mend = true, .tolerance = {.rtol = 1e-3, .atol = 1e-3}};
    inlay_verify_result r;

    if (!inlay_verify(a, &reference, b, &reference, &o, &r, t->d))
        fail_of(t, passes, where, model_messages(t->d));
    if (r.verdict == INLAY_NOT_SAME)
        fail_of(t, passes, where, r.why);
}

/* G as a file of each format is read again. A format may be unable to hold it. */
static void check_files(struct trying *t, const char *passes, const inlay_graph *was,
                        const inlay_graph *g)
{
    static const char *const names[] = {"m.xml", "m.json", "m.inlay", "m.txt"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        inlay_graph *back;

        inlay_diags_clear(t->d);
        if (!inlay_write_file(g, names[i], NULL, t->d))
            continue;
        back = inlay_read_file(names[i], NULL, t->d);
        if (!back)
            fail_of(t, passes, names[i], model_messages(t->d));
        t->written++;
        if (back->n_variables == was->n_variables) /* an .xml leaves out one that nothing reads */
            check_same(t, passes, names[i], was, back);
        inlay_graph_free(back);
    }
}

static void remove_files(void)
{
    remove("m.xml"), remove("m.bin"), remove("m.json"), remove("m.json.bin");
    remove("m.inlay"), remove("m.txt");
}

static void count_left(struct trying *t)
{
    for (size_t i = 0; i < inlay_diags_count(t->d); i++)
        t->left += strstr(inlay_diags_at(t->d, i)->text, "the node is left as it is") != NULL;
}

static void try_passes(struct trying *t, const inlay_graph *was, const char *passes)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    inlay_pass_options o = {.evaluator = &reference, .passes = passes, .check = true};
    inlay_graph *g = inlay_graph_clone(was, t->d);

    inlay_diags_clear(t->d);
    if (!inlay_run_passes(g, &o, t->d))
        fail_of(t, passes, "the passes", model_messages(t->d));
    count_left(t);
    check_files(t, passes, was, g);
    inlay_graph_free(g);
}

static void try_graph(struct trying *t)
{
    inlay_graph *g = random_graph_of(t->mix, t->seed, t->d).graph;

    t->lots.state = t->seed * INLAY_GENERATE_MIXES + t->mix;
    hide_some(t, g);
    inlay_diags_clear(t->d);
    if (inlay_infer_graph(g, t->d)) { /* one that does not infer is no model */
        try_passes(t, g, "default");
        try_passes(t, g, rng_one_in(&t->lots, 2) ? "aggressive" : "canonical");
        try_passes(
            t, g,
            inlay_pass_at(NULL, (size_t)rng_in(&t->lots, 0, (int64_t)inlay_pass_count(NULL) - 1))
                .name);
    }
    inlay_graph_free(g);
}

static void test_random_graphs(void **state)
{
    seed_range s = seeds_to_try(30, 8);
    struct trying t = {.d = inlay_diags_new()};

    for (t.seed = s.first; t.seed < s.first + s.n; t.seed++) {
        for (int m = 0; m < INLAY_GENERATE_MIXES; m++) {
            t.mix = (inlay_generate_mix)m;
            try_graph(&t);
        }
    }
    remove_files();
    inlay_diags_free(t.d);
    print_message("# %llu files; %llu nodes were left because a rule refuses\n",
                  (unsigned long long)t.written, (unsigned long long)t.left);
    if (s.whole)
        assert_true(t.left > s.n && t.written > 20 * s.n);
}

/* In a branch that is not taken what is left by inner bodies does not fit. */
static void test_what_leaves_a_body(void **state)
{
    struct trying t = {.d = inlay_diags_new()};
    inlay_graph *g = graph_of_text(
        "graph \"g\" {\n"
        "  %c = Parameter {element_type = boolean, shape = []}\n"
        "  %x = Parameter {element_type = f32, shape = [6]}\n"
        "  %y = If(%c, %x)\n"
        "    then_body \"then\" {\n"
        "      %a = Parameter {element_type = f32, shape = [6]}\n"
        "      %two = Const {value = i64[] 2}\n"
        "      %go = Const {value = boolean[] true}\n"
        "      %t = Loop(%two, %go, %a)\n"
        "        body \"rows\" {\n"
        "          %b = Parameter {element_type = f32, shape = [6]}\n"
        "          %m = Const {value = i64[2] [-2, -3]}\n"
        "          %s = Abs(%m)\n"
        "          %z = Reshape(%b, %s) {special_zero = false}\n"
        "          %on = Const {value = boolean[] true}\n"
        "          %q = Result(%z)\n"
        "          %w = Result(%on)\n"
        "        }\n"
        "        in 2 -> %b\n"
        "        out %q -> 0\n"
        "        out %w -> none condition\n"
        "      %k = Const {value = f32[4,4] [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}\n"
        "      %u = Add(%t, %k)\n"
        "      %r = Result(%u)\n"
        "    }\n"
        "    in 1 -> %a\n"
        "    out %r -> 0\n"
        "    else_body \"else\" {\n"
        "      %a = Parameter {element_type = f32, shape = [6]}\n"
        "      %r = Result(%a)\n"
        "    }\n"
        "    in 1 -> %a\n"
        "    out %r -> 0\n"
        "  %r = Result(%y)\n"
        "}\n");

    try_passes(&t, g, "default");
    assert_true(t.left > 0 && t.written == 4);
    try_passes(&t, g, "aggressive");
    inlay_graph_free(g);
    inlay_diags_free(t.d);
    remove_files();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_graphs),
                                       cmocka_unit_test(test_what_leaves_a_body)};

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
