/* Nodes with bodies: which inputs they may hand through, and whether an output may be written over
 * an input. The notes of the bodies themselves are judged with the bodies. */
#include "ir/base/arena.h"
#include "ir/graph/work.h"
#include "ir/notes/notes.h"
#include "ir/notes/walk.h"

/* What of a body may be an output of its node: nodes, of which a list is gone through, and what
 * enters Parameters. */
typedef struct leaving {
    const inlay_body *b;
    const inlay_node **list;
    size_t n;
    bool *met;    /* by node id */
    int *param;   /* by node id: 1 + the number of a Parameter */
    bool *result; /* by result: it is an output */
    int *back;    /* by Parameter: 1 + the latest back edge that leads to it, */
    int *before;  /* and by back edge: 1 + the one before */
} leaving;

static bool passes_whole(const inlay_port *p)
{
    return p->purpose == INLAY_PORT_PLAIN && !p->has_axis && p->outer >= 0;
}

static void leave(leaving *l, const inlay_value *v)
{
    if (!v || l->met[v->node->id] || v->note == INLAY_OVERWRITES)
        return;
    l->met[v->node->id] = true;
    l->list[l->n++] = v->node;
}

static void leave_result(leaving *l, int r)
{
    leave(l, l->b->graph->results[r]->in[0].value);
}

static bool begin_leaving(leaving *l, inlay_arena *a, const inlay_body *b)
{
    const inlay_graph *g = b->graph;
    size_t ids = (size_t)g->next_id + 1, params = (size_t)g->n_params + 1;

    *l = (leaving){.b = b,
                   .list = inlay_arena_array(a, ids, sizeof *l->list),
                   .met = inlay_arena_array(a, ids, sizeof *l->met),
                   .param = inlay_arena_array(a, ids, sizeof *l->param),
                   .result = inlay_arena_array(a, (size_t)g->n_results + 1, sizeof *l->result),
                   .back = inlay_arena_array(a, params, sizeof *l->back),
                   .before = inlay_arena_array(a, (size_t)b->n_back + 1, sizeof *l->before)};
    if (!l->list || !l->met || !l->param || !l->result || !l->back || !l->before)
        return false;
    for (int i = 0; i < g->n_params; i++)
        l->param[g->params[i]->id] = i + 1;
    for (int i = 0; i < b->n_back; i++) {
        l->before[i] = l->back[b->back[i].to];
        l->back[b->back[i].to] = i + 1;
    }
    return true;
}

/* Where N has what it gives from. */
static void trace(leaving *l, const inlay_node *n)
{
    int param = l->param[n->id];

    for (int e = param ? l->back[param - 1] : 0; e; e = l->before[e - 1])
        leave_result(l, l->b->back[e - 1].from);
    for (int i = 0; !param && (n->op->flags & INLAY_ADOPTS) && i < n->n_in; i++)
        leave(l, n->in[i].value);
    for (int i = 0; i < n->n_out; i++) {
        if (n->out[i].note == INLAY_VIEW_OF)
            leave(l, n->out[i].note_target);
    }
}

/* Does N make an iteration in any case? Then what it begins with is no output by that alone. */
static bool always_iterates(const inlay_node *n)
{
    bool always = inlay_node_is(n, INLAY_OP_LOOP);

    for (int i = 0; i < 2 && always; i++) {
        const inlay_value *v = inlay_node_input(n, i);
        const inlay_attr *a =
            v && inlay_node_is(v->node, INLAY_OP_CONST) ? inlay_node_attr(v->node, "value") : NULL;

        always = a && inlay_tensor_count(a->as.tensor) == 1 &&
                 (a->as.tensor->type == INLAY_BOOLEAN || a->as.tensor->type == INLAY_I64 ||
                  a->as.tensor->type == INLAY_I32) &&
                 inlay_tensor_get_i64(a->as.tensor, 0) > 0;
    }
    return always;
}

/* Marks in HANDED the inputs of N that leave by L's body. An output that is noted as written over
 * an input is left out: who reads it reads what was written. */
static void mark_handed(leaving *l, const inlay_node *n, bool *handed)
{
    const inlay_body *b = l->b;

    for (int i = 0; i < b->n_out; i++) {
        if (!passes_whole(&b->out[i]) || n->out[b->out[i].outer].note == INLAY_OVERWRITES)
            continue;
        l->result[b->out[i].inner] = true;
        leave_result(l, b->out[i].inner);
    }
    for (size_t i = 0; i < l->n; i++)
        trace(l, l->list[i]);
    for (int i = 0; i < b->n_back && !always_iterates(n); i++) {
        if (l->result[b->back[i].from])
            l->met[b->graph->params[b->back[i].to]->id] = true;
    }
    for (int i = 0; i < b->n_in; i++) {
        if (passes_whole(&b->in[i]) && l->met[b->graph->params[b->in[i].inner]->id])
            handed[b->in[i].outer] = true;
    }
    inlay_count_steps(n->graph, l->n + (size_t)b->n_in + (size_t)b->n_out + (size_t)b->n_back);
}

const bool *note_handed_through(note_walker *w, const inlay_node *n)
{
    bool *handed = inlay_arena_array(w->arena, (size_t)n->n_in + 1, sizeof *handed);
    leaving l;

    for (int i = 0; handed && i < n->n_bodies; i++) {
        if (!n->bodies[i].graph)
            continue;
        if (begin_leaving(&l, w->arena, &n->bodies[i]))
            mark_handed(&l, n, handed);
        else
            handed = NULL;
    }
    if (!handed)
        note_out_of_memory(w);
    return handed;
}

/* Outputs that are written over inputs */

/* The value that owns the bytes of V by notes. *WHOLE: V is all of it. */
static const inlay_value *owner_of(const inlay_value *v, bool *whole)
{
    for (*whole = true; v->note != INLAY_FRESH; v = v->note_target)
        *whole = *whole && v->note == INLAY_OVERWRITES;
    return v;
}

/* The Parameter that input INPUT enters as it is, if it enters B once; or NULL. */
static const inlay_node *entered(const inlay_body *b, int input)
{
    const inlay_port *found = NULL;
    int n = 0;

    for (int i = 0; i < b->n_in; i++) {
        if (b->in[i].outer == input) {
            found = &b->in[i];
            n++;
        }
    }
    return n == 1 && passes_whole(found) ? b->graph->params[found->inner] : NULL;
}

/* Are the back edges of B that lead to PARAM one, from result R? Where nothing is repeated there is
 * none. */
static bool renews(const inlay_body *b, int r, const inlay_node *param)
{
    int right = 0, wrong = 0;

    for (int i = 0; i < b->n_back; i++) {
        bool to = b->graph->params[b->back[i].to] == param;

        right += to && b->back[i].from == r;
        wrong += to && b->back[i].from != r;
    }
    return wrong == 0 && (right == 1 || b->n_back == 0);
}

/* Does output V end, in B, in the Parameter that INPUT enters, and no other output have bytes of
 * it? */
static bool ends_in(const inlay_body *b, const inlay_value *v, int input)
{
    const inlay_node *param = b->graph ? entered(b, input) : NULL;
    int ends = 0;

    for (int i = 0; param && i < b->n_out; i++) {
        const inlay_port *p = &b->out[i];
        const inlay_value *result = b->graph->results[p->inner]->in[0].value;
        bool whole;

        if (!passes_whole(p) || owner_of(result, &whole)->node != param)
            continue;
        if (p->outer != v->index || !whole || !renews(b, p->inner, param))
            return false;
        ends++;
    }
    return ends > 0;
}

bool note_check_given(const inlay_value *v, note_complaint *c)
{
    const inlay_node *n = v->node;
    int input = -1;

    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value != v->note_target)
            continue;
        if (input >= 0)
            return note_complain(
                c, v, note_repeats(n) ? INLAY_N6_LATER_ITERATIONS : INLAY_O7_SAME_VALUE_TWICE,
                "it is input %d and %d", input, i);
        input = i;
    }
    for (int i = 0; input >= 0 && i < n->n_bodies; i++) {
        if (!ends_in(&n->bodies[i], v, input))
            return note_complain(c, v, INLAY_B4_ENDS_THERE,
                                 "body %d does not end where input %d enters", i, input);
    }
    return input >= 0 ||
           note_complain(c, v, INLAY_NO_CONDITION, "an operation writes over one of its inputs");
}
