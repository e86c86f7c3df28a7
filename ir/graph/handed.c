/* Inputs that the bodies of a node may return unchanged as outputs.
 *
 *     %i = If(%cond, %d)           then_body: %p = Parameter     else_body: %p = Parameter
 *                                             %q = Exp(%p)                  Result(%p)
 *                                             Result(%q)
 *
 * The output i may be d itself, because the second branch returns it. The notes of the bodies say
 * what is a view of what, and where it was overwritten. */
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"

#include <stdlib.h>

/* The value of result R of B. */
/* The values of a body from which an output may come unchanged. */
typedef struct sources {
    const inlay_body *body;
    const inlay_value **list;
    size_t n, cap;
    uint64_t *met; /* by node id: for which outputs it was visited, the last bit for all from the
                      64th on */
    bool failed;   /* out of memory */
    size_t *param; /* by node id: 1 + the number of a Parameter */
    bool *enters;  /* by Parameter: its input may be an output */
    /* The back edges that lead to a Parameter, as a list: numbers from 1, 0 ends it. */
    size_t *first_back, *next_back;
} sources;

static void sources_end(sources *s)
{
    inlay_give(s->list);
    inlay_give(s->met);
    inlay_give(s->param);
    inlay_give(s->enters);
    inlay_give(s->first_back);
    inlay_give(s->next_back);
}

static bool sources_begin(sources *s, const inlay_body *b)
{
    const inlay_graph *g = b->graph;
    size_t ids = (size_t)g->next_id + 1, params = (size_t)g->n_params + 1;

    *s = (sources){.body = b,
                   .list = inlay_take(inlay_graph_budget(g), ids, sizeof(inlay_value *)),
                   .cap = ids,
                   .met = inlay_take(inlay_graph_budget(g), ids, sizeof(uint64_t)),
                   .param = inlay_take(inlay_graph_budget(g), ids, sizeof(size_t)),
                   .enters = inlay_take(inlay_graph_budget(g), params, sizeof(bool)),
                   .first_back = inlay_take(inlay_graph_budget(g), params, sizeof(size_t)),
                   .next_back =
                       inlay_take(inlay_graph_budget(g), (size_t)b->n_back + 1, sizeof(size_t))};
    if (!s->list || !s->met || !s->param || !s->enters || !s->first_back || !s->next_back)
        return false;
    for (int i = 0; i < g->n_params; i++)
        s->param[g->params[i]->id] = (size_t)i + 1;
    for (int i = 0; i < b->n_back; i++) {
        s->next_back[i] = s->first_back[b->back[i].to];
        s->first_back[b->back[i].to] = (size_t)i + 1;
    }
    return true;
}

static uint64_t bit_of(const inlay_value *v)
{
    return UINT64_C(1) << (v->index < 63 ? v->index : 63);
}

static bool is_met(const sources *s, const inlay_value *v)
{
    return (s->met[v->node->id] & bit_of(v)) != 0;
}

static bool make_space(sources *s)
{
    const inlay_value **list =
        s->n < s->cap ? s->list : inlay_retake(NULL, s->list, 2 * s->cap * sizeof(inlay_value *));

    if (!list)
        return false;
    s->cap = s->n < s->cap ? s->cap : 2 * s->cap;
    s->list = list;
    return true;
}

static void meet(sources *s, const inlay_value *v)
{
    if (!v || is_met(s, v) || s->failed)
        return;
    s->failed = !make_space(s);
    if (s->failed)
        return;
    s->met[v->node->id] |= bit_of(v);
    s->list[s->n++] = v;
}

/* Follows V to where it may come from unchanged. For a node with bodies that may be any input: the
 * graph around need not know which. */
static void follow(sources *s, const inlay_value *v)
{
    const inlay_node *n = v->node;
    size_t param = s->param[n->id];

    if (param > 0) {
        s->enters[param - 1] = true;
        for (size_t e = s->first_back[param - 1]; e > 0; e = s->next_back[e - 1])
            meet(s, inlay_body_result(s->body, s->body->back[e - 1].from));
    } else if (v->note == INLAY_VIEW_OF) {
        meet(s, v->note_target);
    } else if (v->note == INLAY_FRESH && (n->op->flags & INLAY_ADOPTS)) {
        for (int i = 0; i < n->n_in; i++)
            meet(s, n->in[i].value);
    }
}

/* A loop may have no iteration: then an output is its initial value. LEAVES: by result, whether it
 * is an output. */
static void meet_beginnings(sources *s, const bool *leaves)
{
    for (int i = 0; i < s->body->n_back; i++) {
        if (leaves[s->body->back[i].from])
            s->enters[s->body->back[i].to] = true;
    }
}

/* The outputs in question: all but EXCEPT, or ONLY one; -1: none. */
typedef struct which {
    int except, only;
} which;

static bool is_asked(const inlay_node *n, which w, int k)
{
    return k != w.except && (w.only < 0 || k == w.only) && n->out[k].note != INLAY_OVERWRITES;
}

/* Sets HANDED for the body of S, a body of N. LEAVES is scratch memory, a flag for each result. */
static void hand(sources *s, const inlay_node *n, which w, bool *leaves, bool *handed)
{
    const inlay_body *b = s->body;

    for (int i = 0; i < b->n_out; i++) {
        if (!inlay_port_is_plain(&b->out[i]) || !is_asked(n, w, b->out[i].outer))
            continue;
        leaves[b->out[i].inner] = true;
        meet(s, inlay_body_result(b, b->out[i].inner));
    }
    for (size_t i = 0; i < s->n; i++)
        follow(s, s->list[i]);
    if (!inlay_node_surely_iterates(n))
        meet_beginnings(s, leaves);
    for (int i = 0; i < b->n_in; i++) {
        if (inlay_port_is_plain(&b->in[i]) && s->enters[b->in[i].inner])
            handed[b->in[i].outer] = true;
    }
    inlay_count_steps(b->graph, s->n + (size_t)b->n_in + (size_t)b->n_out + (size_t)b->n_back);
}

static bool find_handed(const inlay_node *n, which w, bool *handed)
{
    bool ok = true;

    for (int i = 0; i < n->n_in; i++)
        handed[i] = false;
    for (int i = 0; ok && i < n->n_bodies; i++) {
        const inlay_body *b = &n->bodies[i];
        bool *leaves = b->graph ? inlay_take(inlay_node_budget(n), (size_t)b->graph->n_results + 1,
                                             sizeof *leaves)
                                : NULL;
        sources s = {0};

        ok = !b->graph || (leaves && sources_begin(&s, b));
        if (ok && b->graph)
            hand(&s, n, w, leaves, handed);
        ok = ok && !s.failed;
        sources_end(&s);
        inlay_give(leaves);
    }
    return ok;
}

bool inlay_node_handed(const inlay_node *n, int except, bool *handed)
{
    return find_handed(n, (which){except, -1}, handed);
}

bool inlay_value_is_handed(const inlay_value *v, bool *is)
{
    bool *handed =
        inlay_take(inlay_node_budget(v->node), (size_t)v->node->n_in + 1, sizeof *handed);
    bool ok = handed && find_handed(v->node, (which){-1, v->index}, handed);

    *is = false;
    for (int i = 0; ok && i < v->node->n_in; i++)
        *is = *is || handed[i];
    inlay_give(handed);
    return ok;
}

/* Is V computed in the body, rather than existing before? */
static bool is_made(const inlay_value *v)
{
    return !(v->node->op->flags & INLAY_ADOPTS) || v->node->n_bodies > 0;
}

/* Follows V to what it may be in the same iteration. */
static bool follow_at_once(sources *s, const inlay_value *v)
{
    const inlay_node *n = v->node;
    bool *handed, ok;

    if (v->note != INLAY_FRESH && v->note != INLAY_INTO)
        meet(s, v->note_target);
    if (v->note != INLAY_FRESH || n->n_bodies == 0)
        return true;
    handed = inlay_take(inlay_node_budget(n), (size_t)n->n_in + 1, sizeof *handed);
    ok = handed && find_handed(n, (which){-1, v->index}, handed);
    for (int i = 0; ok && i < n->n_in; i++)
        meet(s, handed[i] ? n->in[i].value : NULL);
    inlay_give(handed);
    return ok;
}

/* Lists in S all values that output K of its node, or every other output, may be in an iteration.
 */
static bool list_outputs(sources *s, int k, bool others)
{
    const inlay_body *b = s->body;
    bool ok = true;

    for (int i = 0; i < b->n_out; i++) {
        if (inlay_port_is_plain(&b->out[i]) && (b->out[i].outer == k) != others)
            meet(s, inlay_body_result(b, b->out[i].inner));
    }
    for (size_t i = 0; ok && i < s->n; i++)
        ok = follow_at_once(s, s->list[i]);
    inlay_count_steps(b->graph, s->n + (size_t)b->n_out);
    return ok && !s->failed;
}

static bool is_given_twice(const inlay_value *v, int *left, bool *twice);

/* Is a value of A, computed in a body, also one of B? The bodies within the body are asked
 * separately. */
static bool have_common(const sources *a, const sources *b, int *left, bool *common)
{
    bool ok = true;

    *common = false;
    for (size_t i = 0; ok && i < a->n && !*common; i++) {
        const inlay_value *v = a->list[i];

        if (is_met(b, v))
            *common = is_made(v);
        else if (b->met[v->node->id] && v->node->n_bodies > 0)
            ok = is_given_twice(v, left, common);
    }
    return ok;
}

/* Bodies are nested no deeper than INLAY_MAX_BODY_DEPTH. At most LEFT values are visited. */
static bool is_given_twice(const inlay_value *v, int *left, bool *twice)
{
    const inlay_node *n = v->node;
    bool ok = true;

    for (int i = 0; ok && n->n_out > 1 && i < n->n_bodies && !*twice; i++) {
        const inlay_body *b = &n->bodies[i];
        sources own = {0}, others = {0};

        *twice = (*left)-- == 0;
        if (!b->graph || *twice)
            continue;
        ok = sources_begin(&own, b) && sources_begin(&others, b) &&
             list_outputs(&own, v->index, false) && list_outputs(&others, v->index, true) &&
             have_common(&own, &others, left, twice);
        sources_end(&own);
        sources_end(&others);
    }
    return ok;
}

bool inlay_value_is_given_twice(const inlay_value *v, bool *twice)
{
    int left = 256;

    *twice = false;
    return is_given_twice(v, &left, twice);
}
