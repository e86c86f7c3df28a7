/* The pass in-place-windows: goes through the scatters and decides on each. See README.md. */
#include "passes/inplace/decide.h"

#include <stdlib.h>

enum { MAX_REORDERS = 256 }; /* each finds the order of the graph again */

/* V and I for the scatter of WHAT, on which O is decided; then the caller is told all three. */
static bool decide_view_and_into(inplace_pass *p, inlay_in_place *what)
{
    inlay_node *scatter = (inlay_node *)what->scatter;
    inplace_chain chain = {0};
    bool ok;

    p->words = inlay_arena_new();
    if (!p->words)
        return inlay_fail_memory(p->run->diags);
    ok = inplace_find_chain(p, scatter, &chain);
    what->slice = chain.slice;
    ok = ok && inplace_decide_views(p, scatter, &chain, what) &&
         inplace_decide_into(p, scatter, &chain, what);
    inplace_count_bytes(p, what);
    if (what->slice && what->view.asked)
        p->named[what->slice->id] = true;
    p->run->changes += what->overwrite.made + what->into.made;
    ok = ok && (p->silent || pass_tell(p->run, &(inlay_event){.kind = INLAY_EVENT_DECIDED,
                                                              .as.in_place = what}));
    inplace_free_chain(&chain);
    inlay_arena_free(p->words);
    return ok;
}

/* Lists the scatters in the order of the graph as it is before any order edge is added. A scatter
 * over data without elements leaves nothing to decide. */
static bool list_scatters(inplace_pass *p, inlay_in_place **out, size_t *n)
{
    const inlay_order_list *order = &p->s.order.list;
    inlay_in_place *list = calloc(order->n + 1, sizeof *list);

    *n = 0;
    *out = list;
    for (size_t i = 0; list && i < order->n; i++) {
        const inlay_node *node = order->nodes[i];
        const inlay_value *data = query_is_scatter(node) ? query_scatter_data(node) : NULL;

        if (data)
            p->origin[node->id] = p->origin[data->node->id] ? p->origin[data->node->id] : data;
        if (data && !inlay_fact_is_empty(&data->fact))
            list[(*n)++].scatter = node;
    }
    return list || inlay_fail_memory(p->run->diags);
}

/* For tests: whatever the order of the decisions, each must be right. */
static void shuffle(inlay_in_place *list, size_t n, uint64_t seed)
{
    for (size_t i = n; seed && i > 1; i--) {
        size_t k;
        inlay_in_place last = list[i - 1];

        seed = seed * 6364136223846793005u + 1442695040888963407u;
        k = (size_t)(seed >> 33) % i;
        list[i - 1] = list[k];
        list[k] = last;
    }
}

/* Finds the Assign of each variable, of which there is one at most, and the bodies that use it. In
 * bodies themselves no state is written in place, so that nothing is listed. */
static bool list_variables(inplace_pass *p, const inlay_graph *g)
{
    size_t n = g->owner ? 0 : (size_t)g->n_variables;

    p->assign = calloc(n + 1, sizeof *p->assign);
    p->inside = calloc(n + 1, sizeof *p->inside);
    for (const inlay_node *a = n && p->assign ? g->first : NULL; a; a = a->next) {
        const inlay_variable *v = inlay_variable_of(a, INLAY_OP_ASSIGN);

        inlay_count_steps(g, 1);
        if (v)
            p->assign[v->index] = a;
    }
    if (n && p->inside)
        inlay_variables_in_bodies(g, p->inside);
    return (p->assign && p->inside) || inlay_fail_memory(p->run->diags);
}

static bool begin_pass(inplace_pass *p, inlay_graph *g, pass_run *r)
{
    inlay_graph_drop_notes(g);
    p->views = calloc((size_t)g->next_id + 1, sizeof *p->views);
    p->origin = calloc((size_t)g->next_id + 1, sizeof *p->origin);
    p->named = calloc((size_t)g->next_id + 1, sizeof *p->named);
    return ((p->views && p->origin && p->named) || inlay_fail_memory(r->diags)) &&
           list_variables(p, g) && inplace_storage_begin(&p->s, g, r->diags) &&
           inplace_layouts_begin(&p->layouts, g, r->diags) && inplace_list_held(p);
}

static void end_pass(inplace_pass *p)
{
    p->run->looks += p->s.steps;
    free(p->views);
    free(p->origin);
    free(p->assign);
    free(p->inside);
    free(p->named);
    free(p->held);
    free(p->first_held);
    inplace_layouts_end(&p->layouts);
    inplace_storage_end(&p->s);
}

/* Decides on all of G. *COMPETE: another order of the decisions may save more. */
static bool decide_in_turn(inlay_graph *g, pass_run *r, inplace_turn turn, bool silent,
                           bool *compete)
{
    inplace_pass p = {.run = r, .reorders_left = MAX_REORDERS, .turn = turn, .silent = silent};
    inlay_in_place *scatters = NULL;
    size_t n = 0;
    bool ok = begin_pass(&p, g, r) && list_scatters(&p, &scatters, &n);

    if (ok)
        shuffle(scatters, n, r->shuffle);
    ok = ok && inplace_decide_overwrites(&p, scatters, n) && inplace_decide_given(&p);
    while (ok && n > 0)
        ok = decide_view_and_into(&p, &scatters[--n]);
    ok = ok && inplace_decide_held(&p) && inplace_view_the_rest(&p) &&
         (silent || !r->options->events.receive || inplace_tell_copies(&p));
    *compete = ok && inplace_held_compete(&p);
    inlay_count_steps(g, p.s.steps);
    free(scatters);
    end_pass(&p);
    return ok;
}

/* Which order saves the most bytes? Where nothing competes any will do. */
static bool choose_turn(inlay_graph *g, pass_run *r, inplace_turn *best)
{
    uint64_t most = 0, changes = r->changes;
    bool compete = true, ok = true;

    *best = INPLACE_LARGEST_FIRST;
    for (int t = 0; ok && t < INPLACE_TURNS && compete; t++) {
        uint64_t saved;

        ok = decide_in_turn(g, r, (inplace_turn)t, true, &compete);
        saved = ok ? inplace_saved_bytes(g) : 0;
        if (saved > most) {
            most = saved;
            *best = (inplace_turn)t;
        }
    }
    r->changes = changes;
    return ok;
}

/* Is there a node that holds an operand which somebody else reads too? */
static bool has_rivals(const inlay_graph *g)
{
    for (const inlay_node *n = inlay_graph_had(g, INLAY_HOLDS) ? g->first : NULL; n; n = n->next) {
        for (int i = 0; i < inlay_node_held(n) && i < n->n_in; i++) {
            const inlay_use *u = n->in[i].value ? n->in[i].value->uses : NULL;

            if (u && u->next)
                return true;
        }
    }
    return false;
}

/* Only scatters, views and what is held are decided on, and who listens is also told of what moves
 * elements. */
static bool leaves_nothing_to_decide(const inlay_graph *g)
{
    return !inlay_graph_had(g, INLAY_SCATTER | INLAY_VIEW | INLAY_MOVES | INLAY_CONVERTS |
                                   INLAY_HOLDS | INLAY_HAS_BODY);
}

static bool decide_graph(inlay_graph *g, pass_run *r)
{
    inplace_turn best = INPLACE_LARGEST_FIRST;
    bool compete;

    inlay_graph_drop_notes(g);
    if (leaves_nothing_to_decide(g))
        return true;
    return (!has_rivals(g) || choose_turn(g, r, &best)) &&
           decide_in_turn(g, r, best, false, &compete);
}

/* Bodies first: what they write over decides what the graph around may let them have. Bodies are
 * nested no deeper than INLAY_MAX_BODY_DEPTH. */
bool pass_in_place_windows(inlay_graph *g, pass_run *r)
{
    for (inlay_node *n = inlay_graph_had_bodies(g) ? g->first : NULL; n; n = n->next) {
        for (int i = 0; i < n->n_bodies; i++) {
            if (n->bodies[i].graph && !pass_in_place_windows(n->bodies[i].graph, r))
                return false;
        }
    }
    return decide_graph(g, r);
}
