/* Each built-in rule on each element type that the rows of its operations take, whether its
 * conditions take it or not. Among the graphs are such of all types, of all numbers of axes, of
 * unknown ones, of open sizes, and of pdpd broadcasting. INLAY_SEED=N chooses the graphs, and the
 * eighth of the rules that is tried; without it those of 0. */
#include "models.h"
#include "unit.h"

#include "interp/interp.h"
#include "passes/check/maker.h"

enum { PART = 8 };

/* What was in the graphs that ran. */
struct drawn {
    int rank[INLAY_MAX_RANK + 1], open_rank, open_size, pdpd; /* values, and nodes */
    inlay_type_set types;
};

static void see(struct drawn *seen, const inlay_node *n)
{
    const char *mode = inlay_node_string(n, "auto_broadcast");

    seen->pdpd += mode && strcmp(mode, "pdpd") == 0;
    for (int i = 0; i < n->n_out; i++) {
        const inlay_fact *f = &n->out[i].fact;

        seen->types |= (inlay_type_set)1 << f->type;
        seen->open_rank += f->rank < 0;
        if (f->rank >= 0)
            seen->rank[f->rank]++;
        for (int k = 0; k < f->rank; k++)
            seen->open_size += !inlay_dim_is_static(f->dims[k]);
    }
}

static bool eval_seen(void *ctx, const inlay_graph *g, const inlay_tensor *const *in,
                      inlay_tensor **out, inlay_tensor **variables, inlay_diags *d)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);

    for (const inlay_node *n = g->first; n; n = n->next)
        see(ctx, n);
    return reference.eval_graph(reference.ctx, g, in, out, variables, d);
}

static bool eval_node(void *ctx, const inlay_node *n, const inlay_tensor *const *in,
                      inlay_tensor **out, inlay_diags *d)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);

    (void)ctx;
    return reference.eval_node(reference.ctx, n, in, out, d);
}

/* Returns how many graphs the rule rewrote. */
static int64_t try_type(const inlay_rules *rules, size_t i, inlay_type type, uint64_t seed,
                        struct drawn *seen)
{
    inlay_check_options o = {
        .evaluator = {eval_node, eval_seen, seen}, .graphs = 2, .type = type, .seed = seed};
    inlay_diags *d = inlay_diags_new();
    inlay_check c;
    int64_t rewritten;

    if (!inlay_check_rule(rules, i, &o, &c, d))
        fail_msg("%s", model_messages(d));
    if (c.verdict == INLAY_CHECK_REFUTED)
        fail_msg("%s on %s, seed %llu: %s\n%s", inlay_rules_at(rules, i).name,
                 inlay_type_info_of(type)->name, (unsigned long long)c.seed, c.why,
                 c.counterexample);
    rewritten = c.rewritten;
    inlay_check_free(&c);
    inlay_diags_free(d);
    return rewritten;
}

static void test_types(void **state)
{
    uint64_t seed = getenv("INLAY_SEED") ? strtoull(getenv("INLAY_SEED"), NULL, 10) : 0;
    int64_t tried = 0, rewritten = 0;
    inlay_type_set wanted = 0;
    struct drawn seen = {.types = 0};

    for (size_t set = 0, nth = 0; inlay_rule_set_at(set); set++) {
        inlay_rules *rules = inlay_rules_builtin(inlay_rule_set_at(set), NULL);

        for (size_t i = 0; i < inlay_rules_count(rules); i++, nth++) {
            inlay_type_set all = check_types(rules->rules[i]);

            for (int t = 0; t < INLAY_N_TYPES && (nth + seed) % PART == 0; t++) {
                if (!(all >> t & 1))
                    continue;
                tried++;
                wanted |= (inlay_type_set)1 << t;
                rewritten += try_type(rules, i, (inlay_type)t, seed, &seen) > 0;
            }
        }
        inlay_rules_free(rules);
    }
    assert_true(rewritten * 2 > tried);
    assert_true((wanted & ~seen.types) == 0);
    for (int k = 0; k <= CHECK_RANK; k++) {
        print_message("values of %d axes: %d\n", k, seen.rank[k]);
        assert_true(seen.rank[k] > 0);
    }
    print_message("of an unknown number: %d, with open sizes: %d, by pdpd: %d\n", seen.open_rank,
                  seen.open_size, seen.pdpd);
    assert_true(seen.open_rank > 0 && seen.open_size > 0 && seen.pdpd > 0);
}

/* Tries 40 graphs that the rule TEXT takes. */
static inlay_check check_of(const char *text)
{
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("test.rules", text, strlen(text), d);
    inlay_check_options o = {
        .evaluator = inlay_reference_evaluator(NULL), .graphs = 40, .inputs = 3, .type = INLAY_I32};
    inlay_check c;

    assert_non_null(rules);
    assert_true(inlay_check_rule(rules, 0, &o, &c, d));
    if (c.verdict != INLAY_CHECK_PASSED)
        fail_msg("%s", c.why);
    inlay_rules_free(rules);
    inlay_diags_free(d);
    return c;
}

/* A graph without inputs is run once, others as often as is asked for. */
static void test_inputs(void **state)
{
    inlay_check c =
        check_of("rule constants exact:\n  Negative(x) => Negative(x)\n  where constant(x)\n");

    assert_int_equal(c.rewritten, 40);
    assert_int_equal(c.instances, 40);
}

/* Two parts of which one comes before the other are mostly all of the value. */
static void test_parts(void **state)
{
    inlay_check c = check_of("rule parts exact:\n"
                             "  y = Concat(Slice(x, window a), Slice(x, window b)) {axis = n}\n"
                             "  => Concat(Slice(x, window a), Slice(x, window b)) {axis = n}\n"
                             "  where let k = cut_axis(a), let l = cut_axis(b), before(a, b),\n"
                             "        same_shape(x, y)\n");

    print_message("%lld of %lld\n", (long long)c.rewritten, (long long)c.graphs);
    assert_true(c.rewritten * 8 > c.graphs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_types), cmocka_unit_test(test_inputs),
                                       cmocka_unit_test(test_parts)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
