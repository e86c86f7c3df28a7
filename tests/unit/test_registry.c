/* Passes and pipelines that the caller brings. */
#include "graphs.h"
#include "models.h"

#include "inlay_ops.h"
#include "passes/passes.h"

#define TWICE                                                                                      \
    "%x = Parameter-1 {element_type = f32, shape = [2]}\n%a = Negative(%x)\n%b = Negative(%a)\n"   \
    "%c = ReLU(%b)\n%r = Result(%c)\n"

typedef struct subject {
    inlay_graph *g;
    inlay_diags *d;
    inlay_pass_registry *p;
} subject;

static subject begin(void)
{
    subject s = {.g = graph_of(TWICE), .d = inlay_diags_new()};

    s.p = inlay_pass_registry_new(s.d);
    assert_non_null(s.p);
    return s;
}

static void end(subject *s)
{
    inlay_pass_registry_free(s->p);
    inlay_graph_free(s->g);
    inlay_diags_free(s->d);
}

/* Replaces Negative(Negative(x)) by x, and writes down that the pass ran. */
static bool drop_pairs(inlay_graph *g, inlay_pass_run *r)
{
    int *runs = inlay_pass_context(r);

    (*runs)++;
    for (inlay_node *n = g->first, *next; n; n = next) {
        inlay_value *once = inlay_node_input(n, 0);
        bool done;

        next = n->next;
        if (!inlay_node_is(n, INLAY_OP_NEGATIVE) || !inlay_node_is(once->node, INLAY_OP_NEGATIVE) ||
            !inlay_pass_begin(r, n))
            continue;
        if (!inlay_replace_by_old(&n->out[0], inlay_node_input(once->node, 0), &done,
                                  inlay_pass_diags(r)) ||
            !inlay_pass_end(r, done))
            return false;
    }
    return true;
}

static bool complain(inlay_graph *g, inlay_pass_run *r)
{
    return inlay_fail(inlay_pass_diags(r), NULL, "%s is not for me", g->name);
}

static const inlay_pass_info pairs = {"drop-pairs", "Drops pairs."};

static bool keep_changes(void *ctx, const inlay_event *e, inlay_diags *d)
{
    (void)d;
    if (e->kind == INLAY_EVENT_PASS_ENDS && strcmp(e->pass, "drop-pairs") == 0)
        *(uint64_t *)ctx += e->as.stats->changes;
    return true;
}

static void test_a_pass_runs(void **state)
{
    subject s = begin();
    int runs = 0;
    uint64_t changes = 0;
    inlay_pass_options o = {.registry = s.p,
                            .passes = "drop-pairs,eliminate-dead",
                            .check = true,
                            .events = {keep_changes, &changes, false}};

    assert_true(inlay_pass_register(s.p, &pairs, drop_pairs, &runs, s.d));
    if (!inlay_run_passes(s.g, &o, s.d))
        fail_msg("%s", model_messages(s.d));
    assert_int_equal(runs, 1);
    assert_int_equal(changes, 1);
    assert_ptr_equal(inlay_graph_node(s.g, "c")->in[0].value->node, inlay_graph_node(s.g, "x"));
    assert_null(inlay_graph_node(s.g, "a"));
    end(&s);
}

static void test_a_pipeline_runs(void **state)
{
    static const char *const list[] = {"drop-pairs", "eliminate-dead", "drop-pairs", NULL};
    subject s = begin();
    int runs = 0;
    char name[] = "mine";
    inlay_pass_options o = {.registry = s.p, .passes = "mine"};

    assert_true(inlay_pass_register(s.p, &pairs, drop_pairs, &runs, s.d));
    assert_true(inlay_pipeline_register(s.p, name, list, s.d));
    name[0] = 'x'; /* the registry has a copy */
    if (!inlay_run_passes(s.g, &o, s.d))
        fail_msg("%s", model_messages(s.d));
    assert_int_equal(runs, 2);
    end(&s);
}

/* What a pass says is why the run failed. */
static void test_a_pass_fails(void **state)
{
    subject s = begin();
    inlay_pass_options o = {.registry = s.p, .passes = "complain"};

    assert_true(
        inlay_pass_register(s.p, &(inlay_pass_info){"complain", "Fails."}, complain, NULL, s.d));
    assert_false(inlay_run_passes(s.g, &o, s.d));
    assert_string_equal(model_messages(s.d), "error: t is not for me");
    end(&s);
}

/* A registry knows what was added to it and nothing that was added to another one; a call without a
 * registry knows only what is built in. */
static void test_registries_are_apart(void **state)
{
    subject s = begin();
    inlay_pass_registry *other = inlay_pass_registry_new(s.d);
    inlay_pass_options o = {.passes = "drop-pears"};
    size_t n = inlay_pass_count(NULL);
    int runs = 0;

    assert_int_equal(inlay_pass_count(s.p), n);
    assert_true(inlay_pass_register(s.p, &pairs, drop_pairs, &runs, s.d));
    assert_int_equal(inlay_pass_count(s.p), n + 1);
    assert_string_equal(inlay_pass_at(s.p, n).name, "drop-pairs");
    assert_string_equal(inlay_pass_at(s.p, n).summary, "Drops pairs.");
    assert_string_equal(inlay_pass_at(s.p, 0).name, inlay_pass_at(NULL, 0).name);
    assert_int_equal(inlay_pass_count(other), n);
    assert_int_equal(inlay_pass_count(NULL), n);
    assert_false(inlay_run_passes(s.g, &o, s.d));
    assert_string_equal(model_messages(s.d), "error: there is no pass or pipeline \"drop-pears\"");
    inlay_diags_clear(s.d);
    o.registry = s.p;
    assert_false(inlay_run_passes(s.g, &o, s.d));
    assert_string_equal(
        model_messages(s.d),
        "error: there is no pass or pipeline \"drop-pears\", did you mean \"drop-pairs\"?");
    assert_int_equal(runs, 0);
    inlay_pass_registry_free(other);
    end(&s);
}

static void check_refused(subject *s, const char *name, const char *said)
{
    static const char *const nothing[] = {NULL};
    size_t passes = inlay_pass_count(s->p), pipelines = inlay_pipeline_count(s->p);
    int runs;

    assert_false(
        inlay_pass_register(s->p, &(inlay_pass_info){name, "One."}, drop_pairs, &runs, s->d));
    assert_string_equal(model_messages(s->d), said);
    inlay_diags_clear(s->d);
    assert_false(inlay_pipeline_register(s->p, name, nothing, s->d));
    assert_string_equal(model_messages(s->d), said);
    inlay_diags_clear(s->d);
    assert_int_equal(inlay_pass_count(s->p), passes);
    assert_int_equal(inlay_pipeline_count(s->p), pipelines);
}

static void test_names(void **state)
{
    static const char *const unknown[] = {"simplify", "complicate", NULL};
    static const char rest[] = "\": a name has letters, digits, '-', '_' and '.'";
    static const char *const wrong[] = {"", "a,b", "a b", "a\nb", "\xc3\xa4"};
    char said[200];
    subject s = begin();

    check_refused(&s, "simplify", "error: there is already a pass \"simplify\"");
    check_refused(&s, "default", "error: there is already a pipeline \"default\"");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(said, sizeof said, "error: a pass or pipeline cannot be called \"%s%s", wrong[i],
                 rest);
        check_refused(&s, wrong[i], said);
    }
    assert_false(inlay_pipeline_register(s.p, "mine", unknown, s.d));
    assert_string_equal(model_messages(s.d),
                        "error: pipeline \"mine\": there is no pass \"complicate\"");
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pass_runs),  cmocka_unit_test(test_a_pipeline_runs),
        cmocka_unit_test(test_a_pass_fails), cmocka_unit_test(test_registries_are_apart),
        cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests_name("the registry of passes", tests, NULL, NULL);
}
