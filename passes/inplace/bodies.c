/* What is said of bodies in bodies.h. */
#include "passes/inplace/bodies.h"

#include <stdlib.h>

/* The value of result R of B. */
static const inlay_value *result_of(const inlay_body *b, int r)
{
    return b->graph->results[r]->in[0].value;
}

/* What is handed through */

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
        if (!inlay_port_is_plain(&b->out[i]) || b->out[i].outer == except)
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

bool inplace_list_handed(const inlay_node *n, int except, bool *handed)
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

/* What is written over */

/* The value that V is written over, if V is the first that is written over it or over a view of it;
 * or NULL. */
static const inlay_value *first_under(const inlay_value *v)
{
    const inlay_value *t = v->note_target;

    if (v->note != INLAY_OVERWRITES)
        return NULL;
    while (t->note == INLAY_VIEW_OF)
        t = t->note_target;
    return t->note == INLAY_FRESH ? t : NULL;
}

/* Marks by node id, in OVER, the nodes whose outputs are written over in B. */
static void mark_written(const inlay_body *b, bool *over)
{
    for (const inlay_node *n = b->graph->has_notes ? b->graph->first : NULL; n; n = n->next) {
        for (int i = 0; i < n->n_out; i++) {
            const inlay_value *under = first_under(&n->out[i]);

            if (under)
                over[under->node->id] = true;
        }
    }
    inlay_count_steps(b->graph, b->graph->n_nodes);
}

bool inplace_list_written(const inlay_node *n, bool *written)
{
    bool ok = true;

    for (int i = 0; i < n->n_in; i++)
        written[i] = false;
    for (int i = 0; ok && i < n->n_bodies; i++) {
        const inlay_body *b = &n->bodies[i];
        bool *over = b->graph ? calloc((size_t)b->graph->next_id + 1, sizeof *over) : NULL;

        ok = over || !b->graph;
        if (over)
            mark_written(b, over);
        for (int k = 0; over && k < b->n_in; k++) {
            if (b->in[k].outer >= 0 && over[b->graph->params[b->in[k].inner]->id])
                written[b->in[k].outer] = true;
        }
        free(over);
    }
    return ok;
}

/* Is V all of PARAM, or written over it as a whole? */
static bool stands_over(const inlay_value *v, const inlay_node *param)
{
    while (v->note == INLAY_OVERWRITES)
        v = v->note_target;
    return v->node == param && v->note == INLAY_FRESH;
}

/* Has V bytes of PARAM? */
static bool stands_in(const inlay_value *v, const inlay_node *param)
{
    while (v->note != INLAY_FRESH)
        v = v->note_target;
    return v->node == param;
}

/* Does output OUTPUT stand in what INPUT brings into B? Not if another one does, too. */
static bool ends_there(const inlay_body *b, int input, int output)
{
    const inlay_node *param = b->graph ? inlay_body_entered(b, input) : NULL;
    bool there = false;

    for (int i = 0; param && i < b->n_out; i++) {
        const inlay_port *p = &b->out[i];

        if (!inlay_port_is_plain(p) || !stands_in(result_of(b, p->inner), param))
            continue;
        if (p->outer != output || !stands_over(result_of(b, p->inner), param) ||
            !inlay_body_renews(b, p->inner, param))
            return false;
        there = true;
    }
    return there;
}

int inplace_body_heir(const inlay_node *n, int input)
{
    for (int k = 0; k < n->n_out; k++) {
        bool there = n->n_bodies > 0;

        for (int i = 0; there && i < n->n_bodies; i++)
            there = ends_there(&n->bodies[i], input, k);
        if (there)
            return k;
    }
    return -1;
}
