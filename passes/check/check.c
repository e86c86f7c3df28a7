/* Is a rule right on random graphs that match it? */
#include "ir/shared.h"
#include "passes/check/maker.h"
#include "passes/rules/chain.h"
#include "passes/rules/driver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    INPUTS = 4,       /* sets of inputs for a graph, if the options do not say how many */
    TRIES_EACH = 400, /* graphs that are made, at most, for each that the rule rewrites */
    MOST_SKIPPED =
        500, /* graphs that cannot be run before a rule is given up, because its graphs are too
                large */
    /* A filter adds CHECK_SIZE channels of 3 x 3 numbers, products of three up to 4, 3 and 3. Each
     * product may be rounded by half a unit of the largest intermediate sum, even if the final sum
     * is small. */
    LARGEST_SUM = CHECK_SIZE * 3 * 3 * 4 * 3 * 3
};

/* The left side has an operation with a sliding window. */
static bool slides(const rule *r)
{
    for (int i = 0; i < r->left.n_nodes; i++) {
        const rule_node *n = &r->left.nodes[i];

        if (n->n_rows > 0 && check_slides(n->rows[0]))
            return true;
    }
    return false;
}

/* The left side is an attention, where errors of scores are multiplied by an exponential. */
static bool has_scores(const rule *r)
{
    for (int i = 0; i < r->left.n_nodes; i++) {
        const char *type = r->left.nodes[i].type;

        if (type && strcmp(type, "ScaledDotProductAttention") == 0)
            return true;
    }
    return false;
}

/* Numbers of types with 8 bits or less overflow soon. */
static bool is_narrow(inlay_type type)
{
    return inlay_type_is_float(type) && inlay_type_info_of(type)->bits <= 8;
}

/* Chooses the sizes of most data: small ones if there are more than four axes. */
static void draw_sizes(check_maker *m, bool slides)
{
    int64_t most = CHECK_SIZE;

    m->rank = slides ? (int)check_draw(m, 3, 4) : (int)check_draw(m, 0, 3);
    if (!slides && check_one_in(m, 8)) {
        m->rank = (int)check_draw(m, 4, CHECK_RANK);
        most = m->rank > 5 ? 2 : 3;
    }
    for (int i = 0; i < m->rank; i++)
        m->dims[i] = check_one_in(m, 6) ? check_draw(m, 0, 1) : check_draw(m, 1, most);
}

static void begin(check_maker *m, const rule *r, inlay_type type, uint64_t seed)
{
    *m = (check_maker){.rule = r, .random = seed * 0x2545f4914f6cdd1d};
    m->type = type == INLAY_DYNAMIC ? check_draw_type(m) : type;
    draw_sizes(m, slides(r));
    m->specials = r->exactness != INLAY_APPROX;
    m->most = is_narrow(m->type) || (has_scores(r) && check_one_in(m, 2)) ? 0.5 : 4;
}

/* Applies the rule to the node ROOT of G, once. *DONE: it did; otherwise NEAREST says what
 * prevented it. False: out of memory. */
static bool apply(const rule *r, inlay_graph *g, inlay_node *root, bool *done,
                  rule_nearest *nearest, inlay_diags *d)
{
    rule_match *m = inlay_arena_alloc(g->arena, sizeof *m);
    bool ok;

    *done = false;
    if (!m)
        return inlay_fail_memory(d);
    *m = (rule_match){.scratch = inlay_arena_of(inlay_graph_budget(g)),
                      .chains = rule_chains_new(g)};
    ok = m->scratch && m->chains;
    if (ok && rule_matches(m, r, root))
        ok = rule_apply(m, done, d);
    if (ok && !*done)
        ok = rule_nearest_keep(nearest, root, m);
    inlay_arena_free(m->scratch);
    rule_chains_free(m->chains);
    return ok || inlay_fail_memory(d);
}

static double largest_of(const inlay_tensor *t)
{
    double most = 0;

    for (int64_t i = 0; inlay_type_is_float(t->type) && i < inlay_tensor_count(t); i++)
        most = fmax(most, fabs(inlay_tensor_get_f64(t, i)));
    return most;
}

/* The product of the largest elements of all constants, as far as these are above 1. */
static double largest_factor(const inlay_graph *g)
{
    double all = 1;

    for (const inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->op->n_attrs; i++) {
            if (n->op->attrs[i].kind == INLAY_ATTR_TENSOR && n->attrs[i].set)
                all *= fmax(1, largest_of(n->attrs[i].as.tensor));
        }
    }
    return all;
}

/* The error of an attention's scores. A score of the graph G is a sum of CHECK_SIZE products,
 * scaled; each product and each sum is rounded on either side. A weight is an exponential of a
 * score divided by a sum of exponentials, so the errors of two scores multiply it. */
static double error_of_scores(const check_maker *m, const inlay_graph *g)
{
    double score = CHECK_SIZE * m->most * m->most * largest_factor(g);

    return 2 * (CHECK_SIZE + 3) * score * m->most;
}

/* How large the error of a rule that is not exact may be, in units of the type's precision:
 * relative to sums of a few elements; if sums may be small although their terms are large, relative
 * to these. Any two finite floats of 8 bits or less are within these bounds: only NaN and
 * infinities are found there. */
static inlay_compare_options tolerance_of(const check_maker *m, const inlay_graph *g)
{
    double epsilon = rule_step_from_one(inlay_type_is_float(m->type) ? m->type : INLAY_F32);
    double units = slides(m->rule) ? LARGEST_SUM : 64;

    if (m->rule->exactness != INLAY_APPROX)
        return (inlay_compare_options){0};
    if (has_scores(m->rule))
        units += error_of_scores(m, g);
    return (inlay_compare_options){.rtol = 64 * epsilon, .atol = units * epsilon};
}

static bool keep_graph(const inlay_graph *g, inlay_check *out, inlay_diags *d)
{
    inlay_strbuf text = {0};
    inlay_sink sink = {inlay_strbuf_sink, &text};

    if (!inlay_print(g, true, &sink, d) || text.failed) {
        inlay_strbuf_free(&text);
        return false;
    }
    out->counterexample = text.bytes;
    return true;
}

/* For a rule that is not exact, inputs are of ordinary size: no tolerance helps if a sum overflows
 * on one side only. NULL: out of memory, or the rule is exact. */
static inlay_range *ranges_of(const check_maker *m, const inlay_graph *g)
{
    inlay_range *ranges;

    if (m->rule->exactness != INLAY_APPROX || g->n_params == 0)
        return NULL;
    ranges = inlay_arena_array(g->arena, (size_t)g->n_params, sizeof *ranges);
    for (int i = 0; ranges && i < g->n_params; i++)
        ranges[i] =
            (inlay_range){inlay_type_is_float(g->params[i]->out[0].fact.type), -m->most, m->most};
    return ranges;
}

static int inputs_of(const inlay_check_options *o)
{
    return o->inputs > 0 ? o->inputs : INPUTS;
}

/* Some input of G has elements that may be random, so that trials differ. */
static bool has_elements(const inlay_graph *g)
{
    for (int i = 0; i < g->n_params; i++) {
        const inlay_fact *f = &g->params[i]->out[0].fact;
        bool any = true;

        for (int k = 0; k < f->rank; k++)
            any = any && f->dims[k].hi > 0;
        if (any)
            return true;
    }
    return false;
}

/* A rule that is being checked. */
struct checking {
    const rule *rule;
    const check_given *given;
    const inlay_check_options *o;
    inlay_check *out;
    int64_t n_skipped; /* graphs that could not be run; WHY is from the first one */
    char why[256];
    const rule_node *unmade; /* the node of the last graph that could not be made */
    rule_nearest nearest;    /* the graph that the rule came closest to accepting */
    inlay_diags *diags;
};

/* If a graph needs more memory than the evaluator may use, that says nothing about the rule. */
static void skip(struct checking *x, const inlay_diags *said)
{
    const inlay_diag *e = inlay_diags_error(said);

    if (x->n_skipped++ == 0)
        snprintf(x->why, sizeof x->why, "%s", e ? e->text : "");
}

/* Compares the graph BEFORE the rule with that AFTER it; both are from seed SEED. The numbers of
 * trials continue those of the seed before. */
static bool compare(struct checking *x, const check_maker *m, const inlay_graph *before,
                    const inlay_graph *after, uint64_t seed)
{
    const inlay_check_options *o = x->o;
    inlay_verify_options options = {.trials = has_elements(before) ? inputs_of(o) : 1,
                                    .seed = seed * (uint64_t)inputs_of(o),
                                    .tolerance = tolerance_of(m, before),
                                    .ranges = ranges_of(m, before),
                                    .max_memory = (uint64_t)1 << 24,
                                    .may_mend = m->rule->exactness != INLAY_EXACT};
    inlay_verify_result result = {0};
    inlay_diags *said = inlay_diags_new();

    if (!said)
        return inlay_fail_memory(x->diags);
    if (!inlay_verify(before, &o->evaluator, after, &o->evaluator, &options, &result, said))
        skip(x, said);
    inlay_diags_free(said);
    x->out->rewritten += result.counted > 0;
    x->out->instances += result.counted;
    if (result.verdict != INLAY_NOT_SAME)
        return true;
    x->out->verdict = INLAY_CHECK_REFUTED;
    snprintf(x->out->why, sizeof x->out->why, "%s", result.why);
    return keep_graph(before, x->out, x->diags);
}

/* Makes one graph, rewrites it if the rule matches, and compares. */
static bool try_one(struct checking *x, uint64_t seed)
{
    const rule *r = x->rule;
    inlay_graph *before = NULL;
    check_maker m;
    bool done = false, ok = true;

    begin(&m, r, x->o->type, seed);
    m.graph = inlay_graph_new("counterexample", x->diags);
    if (m.graph && (!x->given || x->given->bind(&m, x->given->ctx)) && check_make(&m) &&
        (before = inlay_graph_clone(m.graph, x->diags))) {
        x->out->graphs++;
        ok = apply(r, m.graph, m.nodes[r->root], &done, &x->nearest, x->diags) &&
             (!done || compare(x, &m, before, m.graph, seed));
    }
    x->unmade = m.unmade;
    inlay_graph_free(before);
    inlay_graph_free(m.graph);
    return ok || inlay_diags_status(x->diags) == INLAY_INVALID;
}

static bool is_enough(const inlay_check_options *o, const inlay_check *out)
{
    return (o->graphs > 0 && out->rewritten >= o->graphs) ||
           (o->instances > 0 && out->instances >= o->instances);
}

/* The most graphs that may be made. */
static uint64_t most_made(const inlay_check_options *o)
{
    int64_t wanted = o->graphs > 0 ? o->graphs : o->instances / inputs_of(o) + 1;

    return (uint64_t)wanted * TRIES_EACH;
}

/* Reports a rule that no graph has refuted. */
static void tell_passed(const struct checking *x)
{
    inlay_check *out = x->out;
    size_t size = sizeof out->why;
    int n = 0;

    if (out->instances == 0)
        out->verdict = INLAY_CHECK_UNKNOWN;
    if (out->graphs == 0 && x->unmade)
        n = snprintf(out->why, size, "no graph was made, for no operands that %s takes were drawn",
                     x->unmade->type ? x->unmade->type : "an operation");
    else if (out->instances == 0 && x->n_skipped == 0)
        n = snprintf(out->why, size, "of %lld graph%s made the rule takes none%s%.600s",
                     (long long)out->graphs, inlay_plural(out->graphs, "", "s"),
                     x->nearest.why ? ": " : "", x->nearest.why ? x->nearest.why : "");
    else if (out->instances < x->o->instances)
        n = snprintf(out->why, size, "fewer than %lld, for it takes few graphs",
                     (long long)x->o->instances);
    if (x->n_skipped > 0)
        snprintf(out->why + n, size - (size_t)n, "%s%lld graph%s skipped, the first for: %s",
                 n > 0 ? "; " : "", (long long)x->n_skipped, inlay_plural(x->n_skipped, "", "s"),
                 x->why);
}

bool check_rule_given(const rule *r, const check_given *given, const inlay_check_options *o,
                      inlay_check *out, inlay_diags *d)
{
    struct checking x = {.rule = r, .given = given, .o = o, .out = out, .diags = d};
    uint64_t limit = most_made(o);
    bool ok = true;

    *out = (inlay_check){.verdict = INLAY_CHECK_PASSED};
    for (uint64_t n = 0; n < limit && ok && out->verdict == INLAY_CHECK_PASSED &&
                         x.n_skipped < MOST_SKIPPED && !is_enough(o, out);
         n++) {
        out->seed = o->seed + n;
        ok = try_one(&x, out->seed);
    }
    if (ok && out->verdict == INLAY_CHECK_PASSED)
        tell_passed(&x);
    rule_nearest_free(&x.nearest);
    return ok;
}

bool inlay_check_rule(const inlay_rules *rules, size_t i, const inlay_check_options *o,
                      inlay_check *out, inlay_diags *d)
{
    *out = (inlay_check){.verdict = INLAY_CHECK_PASSED};
    if (!rules || i >= rules->n)
        return inlay_fail(d, NULL, "there is no rule %zu", i);
    if (!o || !o->evaluator.eval_graph)
        return inlay_fail(d, NULL, "no evaluator is given");
    return check_rule_given(rules->rules[i], NULL, o, out, d);
}

void inlay_check_free(inlay_check *c)
{
    if (!c)
        return;
    inlay_strbuf_free(&(inlay_strbuf){.bytes = c->counterexample});
    c->counterexample = NULL;
}
