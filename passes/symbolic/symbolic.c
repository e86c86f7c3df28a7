/* Compares both graphs as terms, for given sizes (README.md). */
#include "ir/shared.h"
#include "passes/symbolic/term.h"
#include "passes/symbolic/whole.h"
#include "passes/verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TERMS = 1 << 24, MAX_CYCLE = 3 };

/* The sizes that open dims get, one identity after the other. */
static const struct sizes {
    int64_t size[MAX_CYCLE];
    int n;
} tries[] = {{{3}, 1}, {{0}, 1}, {{1}, 1}, {{2}, 1}, {{5}, 1}, {{2, 3, 5}, 3}};

enum { TRIES = sizeof tries / sizeof *tries };

struct comparison {
    const inlay_graph *a, *b;
    const inlay_symbolic_options *o;
    inlay_symbolic_result *out;
    verify_pairs pairs;
    inlay_diags *d, *refused;
};

/* Dim K of Parameter I of A, by the model or as the caller asked. */
static inlay_dim dim_of(const struct comparison *c, int i, int k)
{
    const inlay_fact *f = &c->a->params[i]->out[0].fact;

    if (c->o->shapes && c->o->shapes[i].rank >= 0)
        return c->o->shapes[i].dim[k];
    return f->rank < 0 ? inlay_dim_any() : f->dims[k];
}

static int rank_of(const struct comparison *c, int i)
{
    enum { LIKELY_RANK = 1 };
    int rank = c->a->params[i]->out[0].fact.rank;

    if (c->o->shapes && c->o->shapes[i].rank >= 0)
        return c->o->shapes[i].rank;
    return rank < 0 ? LIKELY_RANK : rank;
}

static bool is_open(const struct comparison *c)
{
    for (int i = 0; i < c->a->n_params; i++) {
        bool asked = c->o->shapes && c->o->shapes[i].rank >= 0;

        if (!asked && c->a->params[i]->out[0].fact.rank < 0)
            return true;
        for (int k = 0; k < rank_of(c, i); k++) {
            if (!inlay_dim_is_static(dim_of(c, i, k)))
                return true;
        }
    }
    return false;
}

static void shape_at(const struct comparison *c, int i, const struct sizes *s, inlay_shape *shape)
{
    inlay_shape_of_rank(shape, rank_of(c, i));
    for (int k = 0; k < shape->rank; k++) {
        inlay_dim d = dim_of(c, i, k);
        int64_t size = s->size[(d.id ? d.id : (uint32_t)k) % (uint32_t)s->n];

        shape->dim[k] = inlay_dim_of(inlay_dim_clamp(d, size));
    }
}

/* G with sizes S for its Parameters, of which PAIR[I] (NULL: I) corresponds to A's Parameter I;
 * NULL: it does not accept them. */
static inlay_graph *graph_at(const struct comparison *c, const inlay_graph *g, const int *pair,
                             const struct sizes *s)
{
    inlay_graph *at = inlay_graph_clone(g, c->refused);
    bool ok = at != NULL;

    for (int i = 0; ok && i < g->n_params; i++) {
        inlay_shape shape;

        shape_at(c, i, s, &shape);
        ok = inlay_node_set_shape(at->params[pair ? pair[i] : i], "shape", &shape, c->refused);
    }
    if (ok && inlay_infer_graph(at, c->refused))
        return at;
    inlay_graph_free(at);
    return NULL;
}

static bool set_input(symbolic_run *r, const inlay_node *param, int number)
{
    symbol *s = symbolic_new(r, param);
    int64_t dims[INLAY_MAX_RANK], count;

    if (!s)
        return false;
    if (!inlay_fact_dims(&param->out[0].fact, dims))
        return symbolic_unknown(r, param, "its sizes are not known");
    s->terms = symbolic_new_terms(r, param, param->out[0].fact.rank, dims);
    if (!s->terms)
        return false;
    count = inlay_tensor_count(s->terms);
    for (int64_t i = 0; i < count; i++) {
        const int64_t parts[2] = {number, i};
        int64_t term = term_of(r->terms, TERM_INPUT, parts, 2);

        if (term < 0)
            return symbolic_lacks_terms(r, param);
        inlay_tensor_set_i64(s->terms, i, term);
    }
    return true;
}

/* Runs all nodes of G; PAIR as in graph_at. */
static bool run_graph(symbolic_run *r, const inlay_graph *g, const int *pair)
{
    inlay_order_list order = {0};
    bool ok;

    r->n_of = (size_t)g->next_id + 1;
    r->of = inlay_take(inlay_graph_budget(g), r->n_of, sizeof *r->of);
    ok = (r->of || inlay_fail_memory(r->d)) && inlay_order(g, false, &order, r->d);
    for (int i = 0; ok && i < g->n_params; i++)
        ok = set_input(r, g->params[pair ? pair[i] : i], i);
    for (size_t i = 0; ok && i < order.n; i++) {
        const inlay_node *n = order.nodes[i];

        inlay_count_node(n);
        if (!inlay_node_is(n, INLAY_OP_PARAMETER) && !inlay_node_is(n, INLAY_OP_RESULT))
            ok = symbolic_node(r, n);
    }
    inlay_order_free(&order);
    return ok;
}

static void free_run(symbolic_run *r, const inlay_graph *g)
{
    for (const inlay_node *n = g->first; r->of && n; n = n->next) {
        for (int i = 0; r->of[n->id] && i < n->n_out; i++) {
            inlay_tensor_release(r->of[n->id][i].value);
            inlay_tensor_release(r->of[n->id][i].terms);
        }
        inlay_give(r->of[n->id]);
    }
    inlay_give(r->of);
    r->of = NULL;
}

/* Reports element I of output NAME as a term of each graph. */
static bool tell_terms(const struct comparison *c, const terms *t, const char *name, int64_t i,
                       int64_t a, int64_t b)
{
    inlay_strbuf text = {0};

    inlay_strbuf_printf(&text, "element %" PRId64 " of output \"%s\" is ", i, name);
    term_text(t, c->a, a, &text);
    inlay_strbuf_puts(&text, " in the first graph, ");
    term_text(t, c->a, b, &text);
    inlay_strbuf_puts(&text, " in the second");
    if (!text.failed)
        snprintf(c->out->why, sizeof c->out->why, "%s", text.bytes);
    else
        inlay_fail_memory(c->d);
    inlay_strbuf_free(&text);
    return false;
}

static bool compare_output(const struct comparison *c, symbolic_run *ra, symbolic_run *rb,
                           const char *name, const inlay_value *a, const inlay_value *b)
{
    const inlay_tensor *x = symbolic_terms(ra, a), *y = x ? symbolic_terms(rb, b) : NULL;
    int64_t count = x ? inlay_tensor_count(x) : 0;

    if (!x || !y)
        return false;
    if (a->fact.type != b->fact.type || !inlay_tensor_same_dims(x, y)) {
        snprintf(c->out->why, sizeof c->out->why,
                 "output \"%s\" has another type or shape in the second graph", name);
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t s = inlay_tensor_get_i64(x, i), t = inlay_tensor_get_i64(y, i);

        if (s != t)
            return tell_terms(c, ra->terms, name, i, s, t);
    }
    c->out->elements += (uint64_t)count;
    return true;
}

/* Compares A and B, the graphs of C at some sizes. */
static bool compare_at(struct comparison *c, const inlay_graph *a, const inlay_graph *b, terms *t)
{
    symbolic_run ra = {.terms = t,
                       .evaluator = &c->o->evaluator,
                       .why = c->out->why,
                       .size = sizeof c->out->why,
                       .d = c->d,
                       .refused = c->refused};
    symbolic_run rb = ra;
    bool same = run_graph(&ra, a, NULL) && run_graph(&rb, b, c->pairs.inputs);

    for (int i = 0; same && i < a->n_results; i++)
        same =
            compare_output(c, &ra, &rb, c->pairs.a_outputs[i], inlay_node_input(a->results[i], 0),
                           inlay_node_input(b->results[c->pairs.outputs[i]], 0));
    c->out->terms = t->n > c->out->terms ? t->n : c->out->terms;
    free_run(&ra, a);
    free_run(&rb, b);
    return same;
}

/* If neither graph accepts the sizes, there is nothing to compare. */
static bool same_at(struct comparison *c, const struct sizes *s)
{
    inlay_graph *a = graph_at(c, c->a, NULL, s), *b = graph_at(c, c->b, c->pairs.inputs, s);
    terms t = {0};
    bool same = symbolic_refused(c->refused, c->d) && !a && !b;

    if (!a != !b)
        snprintf(c->out->why, sizeof c->out->why,
                 "sizes of %" PRId64 " are only taken by the %s graph", s->size[0],
                 a ? "first" : "second");
    if (a && b &&
        terms_begin(&t, inlay_graph_budget(a), c->o->max_terms ? c->o->max_terms : MAX_TERMS,
                    c->d)) {
        same = compare_at(c, a, b, &t) && !t.lacked;
        c->out->sizes++;
    }
    if (t.lacked)
        inlay_fail_memory(c->d);
    terms_free(&t);
    inlay_graph_free(a);
    inlay_graph_free(b);
    return same;
}

static bool has_state(struct comparison *c)
{
    if (c->a->n_variables == 0 && c->b->n_variables == 0)
        return false;
    snprintf(c->out->why, sizeof c->out->why, "graphs with variables are not decided");
    return true;
}

/* Compares whole values, without their elements. */
static bool same_wholes(struct comparison *c)
{
    char why[sizeof c->out->why];
    bool same = symbolic_same_wholes(c->a, c->b, &c->pairs, why, sizeof why, c->d);

    if (same)
        *c->out = (inlay_symbolic_result){.proven = true, .all_sizes = true};
    return same;
}

/* Elements of all values of G, as far as they are known, up to LIMIT. */
static uint64_t count_elements(const inlay_graph *g, uint64_t limit)
{
    uint64_t total = 0;

    for (const inlay_node *n = g->first; n && total < limit; n = n->next) {
        for (int i = 0; i < n->n_out; i++) {
            int64_t dims[INLAY_MAX_RANK], count;

            if (inlay_fact_dims(&n->out[i].fact, dims))
                total += inlay_count_elements(n->out[i].fact.rank, dims, &count) ? (uint64_t)count
                                                                                 : limit;
        }
    }
    return total;
}

/* Where sizes are open, or there are many elements, whole values come first; else they are asked
 * where elements decide nothing. */
static void compare(struct comparison *c)
{
    enum { MANY = 1 << 18 };
    bool open = is_open(c), same = !has_state(c), stateless = same;
    bool wholes_first = open || count_elements(c->a, MANY) >= MANY;

    if (wholes_first && same && same_wholes(c))
        return;
    for (int i = 0; same && i < (open ? TRIES : 1); i++)
        same = same_at(c, &tries[i]);
    if (!wholes_first && stateless && !same && same_wholes(c))
        return;
    c->out->proven = same && c->out->sizes > 0;
    c->out->all_sizes = c->out->proven && !open;
    if (same && !c->out->proven)
        snprintf(c->out->why, sizeof c->out->why, "no sizes were found that the graphs take");
}

bool inlay_symbolic_same(const inlay_graph *a, const inlay_graph *b,
                         const inlay_symbolic_options *o, inlay_symbolic_result *out,
                         inlay_diags *d)
{
    struct comparison c = {.a = a, .b = b, .o = o, .out = out, .d = d};
    inlay_verify_result paired = {0};
    size_t errors = d ? inlay_diags_count(d) : 0;
    bool ok;

    *out = (inlay_symbolic_result){0};
    if (!inlay_graph_is_whole(a, d) || !inlay_graph_is_whole(b, d) ||
        !inlay_params_are_whole(a, d) || !inlay_params_are_whole(b, d) ||
        inlay_is_missing(o, "list of options", d) || !inlay_evaluator_is_sound(&o->evaluator, d))
        return false;
    c.refused = inlay_diags_new();
    ok = (c.refused || inlay_fail_memory(d)) && verify_pair_up(a, b, &c.pairs, &paired, d);
    if (ok && paired.verdict == INLAY_NOT_SAME)
        snprintf(out->why, sizeof out->why, "%s", paired.why);
    else if (ok)
        compare(&c);
    verify_pairs_free(&c.pairs);
    inlay_diags_free(c.refused);
    return ok && (!d || inlay_diags_count(d) == errors);
}
