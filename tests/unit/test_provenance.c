/* Where nodes come from and who made them. The graphs are small enough to say this by hand; what
 * holds for every graph is asked of random ones (INLAY_SEED=N: that of seed N alone). */
#include "graphs.h"
#include "models.h"
#include "tests/unit/random_graphs.h"

#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/passes.h"

/* Writes `"b" 3 by 1 rules same`: the name, the line, the application. */
static char *text_of(const inlay_node *n, char *out, size_t size)
{
    inlay_provenance p = inlay_node_provenance(n);
    size_t k = 0;

    assert_non_null(n);
    k += (size_t)snprintf(out, size, p.name ? "\"%s\" %u" : "-", p.name, p.line);
    if (p.application)
        snprintf(out + k, size - k, " by %d %s%s%s", (int)p.application, p.pass, p.rule ? " " : "",
                 p.rule ? p.rule : "");
    return out;
}

static void check(const inlay_graph *g, const char *name, const char *wanted)
{
    char text[200];

    assert_string_equal(text_of(inlay_graph_node(g, name), text, sizeof text), wanted);
}

static void run_passes(inlay_graph *g, const char *passes, const char *rules,
                       const inlay_pass_registry *registry)
{
    inlay_diags *d = inlay_diags_new();
    inlay_rules *own = inlay_rules_parse("own.rules", rules, strlen(rules), d);
    const inlay_rules *sets[1] = {own};
    inlay_evaluator ev = inlay_reference_evaluator(NULL);
    inlay_pass_options o = {.registry = registry,
                            .passes = passes,
                            .check = true,
                            .evaluator = &ev,
                            .rules = sets,
                            .n_rules = 1};

    if (!own || !inlay_run_passes(g, &o, d))
        fail_msg("%s", model_messages(d));
    inlay_rules_free(own);
    inlay_diags_free(d);
}

#define LIFT "rule lift exact: Negative(Transpose(x, p)) => Transpose(Negative(x), p)\n"
#define TURN "rule first exact: Exp(x) => Log(x)\nrule second exact: Log(x) => Abs(x)\n"

/* Line 1 is `graph "t" {`. */
#define BODY                                                                                       \
    "%x = Parameter-1 {element_type = f32, shape = [2,3]}\n%p = Const {value = i64[2] [1, 0]}\n"   \
    "%e = Exp(%x)\n%t = Transpose(%e, %p)\n%n = Negative(%t)\n%r = Result(%n)\n"

/* Exp becomes Log and, when its turn comes again, Abs; in between Negative(Transpose) is replaced
 * by two nodes, of which one has its name. The origin of all these nodes is the node that was
 * replaced first. */
static void test_chains(void **state)
{
    inlay_graph *g = graph_of(BODY);

    check(g, "e", "\"e\" 4");
    assert_int_equal(inlay_applications(g), 0);
    run_passes(g, "rules", TURN LIFT, NULL);
    assert_int_equal(inlay_applications(g), 3);
    assert_true(inlay_node_is(inlay_graph_node(g, "e"), INLAY_OP_ABS));
    check(g, "x", "\"x\" 2");
    check(g, "e", "\"e\" 4 by 3 rules second");
    check(g, "n", "\"n\" 6 by 2 rules lift");
    check(g, "Negative", "\"n\" 6 by 2 rules lift");
    check(g, "r", "\"r\" 7");
    assert_int_equal(inlay_node_provenance(inlay_graph_node(g, "r")).place, -1);
    inlay_graph_free(g);
}

/* A copy says the same, even when the graph that it was made of is gone; numbers go on in the
 * copy. */
static void test_clone(void **state)
{
    inlay_graph *g = graph_of(BODY), *copy;

    run_passes(g, "rules", LIFT, NULL);
    copy = inlay_graph_clone(g, NULL);
    inlay_graph_free(g);
    check(copy, "x", "\"x\" 2");
    check(copy, "n", "\"n\" 6 by 1 rules lift");
    check(copy, "Negative", "\"n\" 6 by 1 rules lift");
    run_passes(copy, "rules", TURN, NULL);
    check(copy, "e", "\"e\" 4 by 3 rules second");
    check(copy, "Negative", "\"n\" 6 by 1 rules lift");
    inlay_graph_free(copy);
}

/* A body has names of its own, and the numbers of its outermost graph. */
static void test_bodies(void **state)
{
    inlay_graph *g = graph_of("%c = Parameter-1 {element_type = boolean, shape = []}\n"
                              "%x = Parameter-1 {element_type = f32, shape = [2]}\n"
                              "%e = Exp(%x)\n%y = If-8(%c, %e)\n"
                              "  then_body \"a\" {\n"
                              "    %i = Parameter-1 {element_type = f32, shape = [2]}\n"
                              "    %e = Exp(%i)\n"
                              "    %o = Result(%e)\n"
                              "  }\n  in 1 -> %i\n  out %o -> 0\n"
                              "  else_body \"b\" {\n"
                              "    %i = Parameter-1 {element_type = f32, shape = [2]}\n"
                              "    %o = Result(%i)\n"
                              "  }\n  in 1 -> %i\n  out %o -> 0\n"
                              "%r = Result(%y)\n");
    inlay_graph *copy;

    run_passes(g, "rules", "rule first exact: Exp(x) => Log(x)\n", NULL);
    copy = inlay_graph_clone(g, NULL);
    inlay_graph_free(g);
    check(copy, "e", "\"e\" 4 by 1 rules first");
    check(inlay_graph_node(copy, "y")->bodies[0].graph, "e", "\"e\" 8 by 2 rules first");
    check(inlay_graph_node(copy, "y")->bodies[0].graph, "i", "\"i\" 7");
    check(inlay_graph_node(copy, "y")->bodies[1].graph, "o", "\"o\" 15");
    inlay_graph_free(copy);
}

/* These are made by passes in C: the sum is folded, then the scatter is a window with constants of
 * its own. */
static void test_passes(void **state)
{
    inlay_graph *g = graph_of(
        "%d = Parameter-1 {element_type = f32, shape = [8,2]}\n"
        "%u = Parameter-1 {element_type = f32, shape = [3,2]}\n"
        "%one = Const {value = i64[3] [1, 1, 1]}\n%two = Const {value = i64[3] [0, 2, 4]}\n"
        "%i = Add(%one, %two)\n%axis = Const {value = i64[] 0}\n"
        "%s = ScatterUpdate(%d, %i, %u, %axis)\n%r = Result(%s)\n");

    run_passes(g, "fold-constants,fold-scatter-update", "", NULL);
    check(g, "i", "\"i\" 6 by 1 fold-constants");
    check(g, "s", "\"s\" 8 by 2 fold-scatter-update");
    check(g, "start", "\"s\" 8 by 2 fold-scatter-update");
    check(g, "one", "\"one\" 4");
    inlay_graph_free(g);
}

/* A name that was not unique is reported as it was given. */
static void test_labels(void **state)
{
    inlay_graph *g = inlay_graph_new("g", NULL);
    inlay_shape shape = {.rank = 0};
    inlay_value *first = inlay_build_parameter(g, "x", INLAY_F32, &shape, NULL), *second;

    second = inlay_build_parameter(g, "x", INLAY_F32, &shape, NULL);
    assert_string_equal(second->node->name, "x_2");
    assert_string_equal(inlay_node_provenance(first->node).name, "x");
    assert_string_equal(inlay_node_provenance(second->node).name, "x");
    inlay_graph_free(g);
}

/* Is a pass that names no place: what it makes in one run is one application, of no node. */
static bool add_two(inlay_graph *g, inlay_pass_run *r)
{
    static const int64_t one = 1;

    return inlay_build_ints(g, "a", INLAY_I64, 1, &one, &one, inlay_pass_diags(r)) &&
           inlay_build_ints(g, "b", INLAY_I64, 1, &one, &one, inlay_pass_diags(r));
}

/* Is a pass that names a place, and then comes to nothing but for a node that stays. */
static bool try_in_vain(inlay_graph *g, inlay_pass_run *r)
{
    static const int64_t one = 1;
    bool ok = inlay_pass_begin(r, g->first) &&
              inlay_build_ints(g, "left", INLAY_I64, 1, &one, &one, inlay_pass_diags(r)) &&
              inlay_pass_end(r, false);

    return ok && inlay_pass_begin(r, g->first) && inlay_pass_end(r, false);
}

static void test_passes_without_a_place(void **state)
{
    inlay_pass_registry *p = inlay_pass_registry_new(NULL);
    const inlay_pass_info two = {"two", "Two."}, vain = {"vain", "None."};
    inlay_graph *g = graph_of(BODY);

    assert_true(inlay_pass_register(p, &two, add_two, NULL, NULL));
    assert_true(inlay_pass_register(p, &vain, try_in_vain, NULL, NULL));
    run_passes(g, "two,vain,rules,two", LIFT, p);
    inlay_pass_registry_free(p);
    check(g, "a", "- by 1 two");
    check(g, "b", "- by 1 two");
    check(g, "left", "\"x\" 2 by 2 vain");
    check(g, "n", "\"n\" 6 by 3 rules lift");
    check(g, "a_2", "- by 4 two");
    assert_int_equal(inlay_applications(g), 4);
    inlay_graph_free(g);
}

/* A match whose result does not fit is no application. */
static void test_nothing_done(void **state)
{
    inlay_graph *g = graph_of(BODY);

    run_passes(g, "rules", "rule unfit exact: Exp(x) => Unsqueeze(x, [0])\n", NULL);
    assert_int_equal(inlay_applications(g), 0);
    check(g, "e", "\"e\" 4");
    assert_null(inlay_node_provenance(NULL).name);
    inlay_graph_free(g);
}

/* Checks one node. Its origin is a node of the graph that was read, or a pass made the node from
 * none; the maker is known of just those nodes that were not read. A copy says the same. */
static void check_node(const inlay_graph *read, const inlay_node *n, const inlay_node *same)
{
    inlay_provenance p = inlay_node_provenance(n);
    char a[400], b[400];

    assert_true(p.name || p.application);
    assert_int_equal(p.application > 0, p.pass != NULL);
    if (p.name)
        assert_non_null(inlay_graph_node(read, p.name));
    if (!p.application)
        assert_string_equal(p.name, n->label ? n->label : n->name);
    assert_string_equal(text_of(n, a, sizeof a), text_of(same, b, sizeof b));
}

static void check_seed(inlay_generate_mix mix, uint64_t seed, inlay_diags *d)
{
    generated_graph r = random_graph_of(mix, seed, d);
    inlay_graph *read = inlay_graph_clone(r.graph, d), *copy;

    print_message("# seed %llu\n", (unsigned long long)seed);
    run_passes(r.graph, NULL, "", NULL);
    copy = inlay_graph_clone(r.graph, d);
    for (const inlay_node *n = r.graph->first, *m = copy->first; n; n = n->next, m = m->next)
        check_node(read, n, m);
    inlay_graph_free(copy);
    inlay_graph_free(read);
    inlay_graph_free(r.graph);
}

static void test_random_graphs(void **state)
{
    const seed_range s = seeds_to_try(60, 60);
    inlay_diags *d = inlay_diags_new();

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++) {
        check_seed(INLAY_GENERATE_WINDOWS, seed, d);
        check_seed(INLAY_GENERATE_MOVES, seed, d);
    }
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains),       cmocka_unit_test(test_clone),
        cmocka_unit_test(test_bodies),       cmocka_unit_test(test_passes),
        cmocka_unit_test(test_labels),       cmocka_unit_test(test_passes_without_a_place),
        cmocka_unit_test(test_nothing_done), cmocka_unit_test(test_random_graphs),
    };

    return cmocka_run_group_tests_name("provenance", tests, NULL, NULL);
}
