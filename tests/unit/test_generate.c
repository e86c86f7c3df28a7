/* Random graphs are the same for the same options, valid, and what the options ask for. */
#include "generate/generator.h"
#include "models.h"
#include "seeds.h"
#include "texts.h"
#include "unit.h"

#include "interp/interp.h"
#include "ir/shared.h"

static generated_graph generate(const inlay_generate_options *o)
{
    inlay_diags *d = inlay_diags_new();
    generated_graph g;

    if (!generate_graph(o, &g, d))
        fail_msg("seed %llu: %s", (unsigned long long)o->seed, model_messages(d));
    assert_int_equal(inlay_diags_count(d), 0);
    inlay_diags_free(d);
    return g;
}

static char *generated_text(const inlay_generate_options *o)
{
    generated_graph g = generate(o);
    char *text = text_of_graph(g.graph, true);

    inlay_graph_free(g.graph);
    return text;
}

/* Returns the FNV-1a hash of the texts of SEEDS seeds. */
static uint64_t fingerprint(inlay_generate_options o, uint64_t seeds)
{
    uint64_t h = 0xCBF29CE484222325u;

    for (o.seed = 1; o.seed <= seeds; o.seed++) {
        char *text = generated_text(&o);

        for (const char *p = text; *p; p++)
            h = (h ^ (unsigned char)*p) * 0x100000001B3u;
        free(text);
    }
    return h;
}

/* The numbers are those of gcc and clang, with and without optimisation. They are of families to
 * which no maker adds an operation by itself: a new row of the table changes nothing here, but a
 * change of the makers, or of the text form, does. */
static void test_same_on_every_machine(void **state)
{
    static const char *const families[] = {"slice", "concat", "shape", "reverse", "softmax", NULL};

    assert_int_equal(fingerprint((inlay_generate_options){.families = families}, 100),
                     0xddae0c98fc48fbd0);
    assert_int_equal(
        fingerprint((inlay_generate_options){.mix = INLAY_GENERATE_MOVES, .families = families},
                    100),
        0x43947b78faf3f56e);
}

static void test_another_seed_is_another_graph(void **state)
{
    inlay_generate_options o = {.seed = 1}, p = {.seed = 2};
    char *a = generated_text(&o), *b = generated_text(&o), *c = generated_text(&p);

    assert_string_equal(a, b);
    assert_string_not_equal(a, c);
    free(a);
    free(b);
    free(c);
}

/* Runs the graph with the inputs that go with it; a run of a SAFE graph does not fail. */
static void check_runs(const inlay_generate_options *o, const generated_graph *g)
{
    inlay_diags *d = inlay_diags_new();
    inlay_exec_options options = {.mode = INLAY_EXEC_REFERENCE};
    inlay_program *program = inlay_compile(g->graph, &options, d);
    inlay_session *session = program ? inlay_session_new(program, d) : NULL;
    const inlay_tensor *in[GENERATE_MAX_INPUTS];
    inlay_tensor *out[8];
    rng r = {o->seed};

    assert_non_null(session);
    assert_true(g->graph->n_results <= 8);
    for (int i = 0; i < g->graph->n_params; i++)
        in[i] = generate_input(g, i, &r);
    if (inlay_session_run(session, in, NULL, out, d)) {
        for (int i = 0; i < g->graph->n_results; i++)
            inlay_tensor_release(out[i]);
    } else if (o->safe && o->mix != INLAY_GENERATE_ROWS) {
        fail_msg("seed %llu: %s", (unsigned long long)o->seed, model_messages(d));
    }
    for (int i = 0; i < g->graph->n_params; i++)
        inlay_tensor_release(in[i]);
    inlay_session_free(session);
    inlay_program_free(program);
    inlay_diags_free(d);
}

static bool is_computing(const inlay_node *n)
{
    return !inlay_node_is(n, INLAY_OP_PARAMETER) && !inlay_node_is(n, INLAY_OP_CONST) &&
           !inlay_node_is(n, INLAY_OP_RESULT);
}

static void check_families(const inlay_generate_options *o, const inlay_graph *g)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        const char *const *family = o->families;

        while (family && *family && strcmp(*family, n->op->family) != 0)
            family++;
        if (is_computing(n) && ((family && !*family) || (n->op->flags & o->without)))
            fail_msg("seed %llu has %s", (unsigned long long)o->seed, n->op->name);
    }
}

static bool is_static(const inlay_graph *g)
{
    for (int i = 0; i < g->n_params; i++) {
        const inlay_fact *f = &g->params[i]->out[0].fact;

        for (int k = 0; k < f->rank; k++) {
            if (!inlay_dim_is_static(f->dims[k]))
                return false;
        }
        if (f->rank < 0)
            return false;
    }
    return true;
}

/* Tries all seeds, and counts the graphs with open shapes and those with variables. */
static void try_options(inlay_generate_options o, int *n_open, int *n_variables)
{
    const seed_range s = seeds_to_try(200, 50);
    inlay_diags *d = inlay_diags_new();

    *n_open = *n_variables = 0;
    for (o.seed = s.first; o.seed < s.first + s.n; o.seed++) {
        generated_graph g = generate(&o);
        int computing = 0;

        if (!inlay_check_graph(g.graph, d))
            fail_msg("seed %llu: %s", (unsigned long long)o.seed, model_messages(d));
        for (const inlay_node *n = g.graph->first; n; n = n->next)
            computing += is_computing(n);
        if (computing < o.nodes)
            fail_msg("seed %llu: %d nodes compute, not %d", (unsigned long long)o.seed, computing,
                     o.nodes);
        check_families(&o, g.graph);
        check_runs(&o, &g);
        *n_open += !is_static(g.graph);
        *n_variables += g.graph->n_variables > 0;
        inlay_graph_free(g.graph);
    }
    inlay_diags_free(d);
}

static void test_options(void **state)
{
    static const char *const shape[] = {"shape", "binary", NULL};
    int n_open, n_variables;

    for (int mix = 0; mix < INLAY_GENERATE_MIXES; mix++) {
        inlay_generate_mix m = (inlay_generate_mix)mix;

        try_options((inlay_generate_options){.mix = m, .variables = true}, &n_open, &n_variables);
        assert_true(n_open > 0 && n_variables > 0);
        try_options(
            (inlay_generate_options){.mix = m, .shapes = INLAY_GENERATE_STATIC, .safe = true},
            &n_open, &n_variables);
        assert_true(n_open == 0 && n_variables == 0);
        try_options((inlay_generate_options){.mix = m, .shapes = INLAY_GENERATE_OPEN, .nodes = 60},
                    &n_open, &n_variables);
        assert_true(n_open > 20);
        try_options((inlay_generate_options){.mix = m, .families = shape, .nodes = 5}, &n_open,
                    &n_variables);
        try_options((inlay_generate_options){.mix = m, .without = INLAY_POINTWISE | INLAY_VIEW},
                    &n_open, &n_variables);
    }
}

/* Every operation that a maker knows comes about. */
static void test_all_operations(void **state)
{
    static const char *const wanted[] = {"Slice",
                                         "SliceScatter",
                                         "StridedSlice",
                                         "ScatterUpdate",
                                         "ScatterNDUpdate",
                                         "ScatterElementsUpdate",
                                         "Gather",
                                         "GatherElements",
                                         "GatherND",
                                         "Reshape",
                                         "Unsqueeze",
                                         "Squeeze",
                                         "Transpose",
                                         "Reverse",
                                         "Broadcast",
                                         "Tile",
                                         "Pad",
                                         "Concat",
                                         "Split",
                                         "VariadicSplit",
                                         "Convert",
                                         "ReduceSum",
                                         "Divide",
                                         "Add",
                                         "ReLU",
                                         "Sqrt",
                                         "SquaredDifference",
                                         "ReadValue",
                                         "Assign"};
    enum { WANTED = sizeof wanted / sizeof *wanted };
    bool found[WANTED] = {false};

    for (int seed = 1; seed <= 600; seed++) {
        generated_graph g = generate(&(inlay_generate_options){
            .seed = (uint64_t)seed, .mix = (inlay_generate_mix)(seed % 2), .variables = true});

        for (const inlay_node *n = g.graph->first; n; n = n->next) {
            for (int k = 0; k < WANTED; k++)
                found[k] = found[k] || strcmp(n->op->name, wanted[k]) == 0;
        }
        inlay_graph_free(g.graph);
    }
    for (int k = 0; k < WANTED; k++) {
        if (!found[k])
            fail_msg("no graph has a %s", wanted[k]);
    }
}

static bool grows(const inlay_graph *g)
{
    for (int i = 0; i < g->n_variables; i++) {
        if (g->variables[i]->name[0] == 'c')
            return true;
    }
    return false;
}

static bool compares_bytes(const inlay_graph *g)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        if (n->n_in == 2 && n->n_out == 1 && n->op->flags & INLAY_POINTWISE &&
            n->in[0].value->fact.type == INLAY_U8 && n->out[0].fact.type == INLAY_BOOLEAN)
            return true;
    }
    return false;
}

/* Graphs of all rows have states that get more rows in each run, and comparisons of bytes that have
 * no sign. */
static void test_what_comes_about(void **state)
{
    const seed_range s = seeds_to_try(1000, 1000);
    int growing = 0, comparing = 0;

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++) {
        generated_graph g = generate(
            &(inlay_generate_options){.seed = seed, .mix = INLAY_GENERATE_ROWS, .variables = true});

        growing += grows(g.graph);
        comparing += compares_bytes(g.graph);
        inlay_graph_free(g.graph);
    }
    if (s.n == 1000 && (growing < 100 || comparing < 4))
        fail_msg("%d graphs have a state that grows, %d compare bytes", growing, comparing);
}

static void test_nothing_allowed(void **state)
{
    static const char *const families[] = {"softmax", NULL};
    inlay_diags *d = inlay_diags_new();
    generated_graph g;

    assert_false(generate_graph(&(inlay_generate_options){.families = families}, &g, d));
    assert_null(g.graph);
    assert_string_equal(model_messages(d),
                        "error: no operation is allowed that a graph can be made of");
    inlay_diags_free(d);
}

/* What is in graphs of all rows. */
struct rows {
    bool *met; /* by row */
    int bodies, empty, open;
};

static void count_rows(const inlay_graph *g, struct rows *r)
{
    int64_t dims[INLAY_MAX_RANK];

    for (const inlay_node *n = g->first; n; n = n->next) {
        r->met[n->op->row] = true;
        r->bodies += n->n_bodies > 0;
        r->open += n->n_out > 0 && !inlay_fact_dims(&n->out[0].fact, dims);
        for (int i = 0; n->n_out > 0 && i < n->out[0].fact.rank; i++)
            r->empty += n->out[0].fact.dims[i].hi == 0;
        for (int i = 0; i < n->n_bodies; i++)
            count_rows(n->bodies[i].graph, r);
    }
}

/* Graphs of all rows are sound, and there are most rows in them, bodies, axes without elements and
 * sizes that are not known. */
static void test_all_rows(void **state)
{
    inlay_generate_options o = {.mix = INLAY_GENERATE_ROWS};
    struct rows r = {.met = calloc(inlay_op_count(NULL), sizeof(bool))};
    inlay_diags *d = inlay_diags_new();
    size_t met = 0;

    assert_non_null(r.met);
    for (o.seed = 1; o.seed <= 3000; o.seed++) {
        inlay_graph *g = inlay_generate(&o, d);

        if (!g || !inlay_check_graph(g, d))
            fail_msg("seed %llu: %s", (unsigned long long)o.seed, model_messages(d));
        count_rows(g, &r);
        inlay_graph_free(g);
    }
    for (size_t i = 0; i < inlay_op_count(NULL); i++)
        met += r.met[i];
    print_message("# %zu of %zu rows, %d nodes with bodies\n", met, inlay_op_count(NULL), r.bodies);
    assert_true(met >= 260 && r.bodies > 100 && r.empty > 100 && r.open > 100);
    free(r.met);
    inlay_diags_free(d);
}

/* Every row, or all but each seventh, from number N_IN on. */
static bool most_rows(const generator *g, const inlay_op *op, int n_in)
{
    (void)g;
    return n_in < 0 || op->row % 7 != n_in;
}

/* A table that has fewer rows: where one of those is drawn that remain, it is drawn still, and so
 * is what follows. */
static void test_new_rows_move_little(void **state)
{
    int same = 0;

    for (uint64_t seed = 1; seed <= 700; seed++) {
        generator all = {.r = {seed}}, fewer = {.r = {seed}};
        const inlay_op *op = gen_draw_row(&all, most_rows, -1);
        const inlay_op *drawn = gen_draw_row(&fewer, most_rows, (int)(seed % 7));

        assert_non_null(op);
        assert_true(drawn == op || op->row % 7 == (int)(seed % 7));
        assert_true(rng_next(&all.r) == rng_next(&fewer.r));
        same += drawn == op;
    }
    assert_in_range(same, 550, 650); /* six of seven: 600 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_on_every_machine),
        cmocka_unit_test(test_another_seed_is_another_graph),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_all_operations),
        cmocka_unit_test(test_what_comes_about),
        cmocka_unit_test(test_nothing_allowed),
        cmocka_unit_test(test_all_rows),
        cmocka_unit_test(test_new_rows_move_little),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
