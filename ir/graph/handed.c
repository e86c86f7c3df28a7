/* What the bodies of a node hand through: the values that they are given and that may be an output.
 *
 *     %i = If(%cond, %d)           then_body: %p = Parameter     else_body: %p = Parameter
 *                                             %q = Exp(%p)                  Result(%p)
 *                                             Result(%q)
 *
 * The output i may be d itself, for the second branch hands it through. The notes of the bodies say
 * what is a view of what, and where it was written over. */
#include "ir/graph/node.h"
#include "ir/graph/work.h"

#include <stdlib.h>

/* The value of result R of B. */
static const inlay_value *result_of(const inlay_body *b, int r)
{
    return b->graph->results[r]->in[0].value;
}

/* The values of a body from which an output may come unchanged. */
typedef struct sources {
    const inlay_body *body;
    const inlay_value **list;
    bool *met; /* by node id */
    size_t n;
    size_t *param; /* by node id: 1 + the number of a Parameter */
    bool *enters;  /* by Parameter: what enters it may be an output */
    /* The back edges that lead to a Parameter, as a list: numbers from 1, 0 ends it. */
    size_t *first_back, *next_back;
} sources;

static void sources_end(sources *s)
{
    free(s->list);
    free(s->met);
    free(s->param);
    free(s->enters);
    free(s->first_back);
    free(s->next_back);
}

static bool sources_begin(sources *s, const inlay_body *b)
{
    const inlay_graph *g = b->graph;
    size_t ids = (size_t)g->next_id + 1, params = (size_t)g->n_params + 1;

    *s = (sources){.body = b,
                   .list = calloc(ids, sizeof(inlay_value *)),
                   .met = calloc(ids, sizeof(bool)),
                   .param = calloc(ids, sizeof(size_t)),
                   .enters = calloc(params, sizeof(bool)),
                   .first_back = calloc(params, sizeof(size_t)),
                   .next_back = calloc((size_t)b->n_back + 1, sizeof(size_t))};
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

static void meet(sources *s, const inlay_value *v)
{
    if (!v || s->met[v->node->id])
        return;
    s->met[v->node->id] = true;
    s->list[s->n++] = v;
}

/* V goes on to where it comes from. Of a node with bodies any input may be it: which of them, the
 * graph around need not know. */
static void follow(sources *s, const inlay_value *v)
{
    const inlay_node *n = v->node;
    size_t param = s->param[n->id];

    if (param > 0) {
        s->enters[param - 1] = true;
        for (size_t e = s->first_back[param - 1]; e > 0; e = s->next_back[e - 1])
            meet(s, result_of(s->body, s->body->back[e - 1].from));
    } else if (v->note == INLAY_VIEW_OF) {
        meet(s, v->note_target);
    } else if (v->note == INLAY_FRESH && (n->op->flags & INLAY_ADOPTS)) {
        for (int i = 0; i < n->n_in; i++)
            meet(s, n->in[i].value);
    }
}

/* A loop may make no iteration: then an output is what it began with. LEAVES: by result, whether it
 * is an output. */
static void meet_beginnings(sources *s, const bool *leaves)
{
    for (int i = 0; i < s->body->n_back; i++) {
        if (leaves[s->body->back[i].from])
            s->enters[s->body->back[i].to] = true;
    }
}

/* Sets HANDED for the body of S, a body of N. LEAVES is room for a flag by result. */
static void hand(sources *s, const inlay_node *n, int except, bool *leaves, bool *handed)
{
    const inlay_body *b = s->body;

    for (int i = 0; i < b->n_out; i++) {
        int k = b->out[i].outer;

        if (!inlay_port_is_plain(&b->out[i]) || k == except || n->out[k].note == INLAY_OVERWRITES)
            continue;
        leaves[b->out[i].inner] = true;
        meet(s, result_of(b, b->out[i].inner));
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

bool inlay_node_handed(const inlay_node *n, int except, bool *handed)
{
    bool ok = true;

    for (int i = 0; i < n->n_in; i++)
        handed[i] = false;
    for (int i = 0; ok && i < n->n_bodies; i++) {
        const inlay_body *b = &n->bodies[i];
        bool *leaves = b->graph ? calloc((size_t)b->graph->n_results + 1, sizeof *leaves) : NULL;
        sources s = {0};

        ok = !b->graph || (leaves && sources_begin(&s, b));
        if (ok && b->graph)
            hand(&s, n, except, leaves, handed);
        sources_end(&s);
        free(leaves);
    }
    return ok;
}
