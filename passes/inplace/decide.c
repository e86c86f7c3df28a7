/* The pass in-place-windows: goes through the scatters and decides on each. See README.md. */
#include "passes/inplace/decide.h"
#include "ir/shared.h"
#include "passes/inplace/attempt.h"
#include "passes/inplace/chain.h"
#include "passes/inplace/choose.h"
#include "passes/inplace/copies.h"
#include "passes/inplace/given.h"
#include "passes/inplace/grounds.h"
#include "passes/inplace/held.h"
#include "passes/inplace/into.h"
#include "passes/inplace/peak.h"
#include "passes/inplace/successors.h"
#include "passes/inplace/view.h"

#include <stdlib.h>

/* Limits on moved readers, because each one means a new topological order of the graph; lower in
 * trials. */
enum { MAX_REORDERS = 256, MAX_TRIED = 32 };

enum { MAX_RELIEFS = 64 }; /* decisions on the whole graph for the sake of the peak */

/* Decides V and I for the scatter of WHAT; O has been decided. */
static bool decide_view_and_into(inplace_pass *p, inlay_in_place *what)
{
    inlay_node *scatter = (inlay_node *)what->scatter;
    inplace_chain chain = {0};
    bool ok = inplace_find_chain(p, scatter, &chain);

    what->slice = chain.slice;
    ok = ok && inplace_decide_views(p, scatter, &chain, what) &&
         inplace_decide_into(p, scatter, &chain, what) &&
         inplace_decide_listed_views(p, scatter, &chain, what);
    inplace_count_bytes(p, what);
    if (what->slice && what->view.asked)
        p->named[what->slice->id] = true;
    p->run->changes += what->overwrite.made + what->into.made;
    inplace_free_chain(&chain);
    return ok && inplace_record(p, what);
}

/* Is the kernel of N one that cannot overwrite any operand, as an extension's scatter may have? */
static bool refuse_unsafe(inplace_pass *p, const inlay_node *n)
{
    inlay_in_place what = {.scatter = n, .overwrite.asked = true};

    if (!query_is_scatter(n) || n->op->overwrites >= 0)
        return true;
    inplace_refuse(&what.overwrite, INLAY_N13_NAMED_OPERAND, n);
    what.overwrite.bytes = inplace_bytes_of(&n->out[0]);
    return inplace_record(p, &what);
}

/* Lists the scatters in the order of the graph before any order edge is added, without those whose
 * data has no elements. */
static bool list_scatters(inplace_pass *p, inlay_in_place **out, size_t *n)
{
    const inlay_order_list *order = &p->s.order.list;
    inlay_in_place *list = inlay_take(inlay_graph_budget(p->s.order.g), order->n + 1, sizeof *list);
    bool ok = list || inlay_fail_memory(p->run->diags);

    *n = 0;
    *out = list;
    for (size_t i = 0; ok && i < order->n; i++) {
        const inlay_node *node = order->nodes[i];
        const inlay_value *data = query_is_scatter(node) ? query_scatter_data(node) : NULL;

        ok = refuse_unsafe(p, node);
        if (data)
            p->origin[node->id] = p->origin[data->node->id] ? p->origin[data->node->id] : data;
        if (data && !inlay_fact_is_empty(&data->fact))
            list[(*n)++].scatter = node;
    }
    return ok;
}

/* A scatter and its position in the order of decisions. */
typedef struct asked {
    const inlay_node *scatter;
    int rank;
    uint64_t bytes; /* 0: decided without regard to size */
    size_t place;
} asked;

/* Compares so that the first to be decided comes last: lists are processed from their end. */
static int first_asked_last(const void *a, const void *b)
{
    const asked *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank > y->rank ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Sorts the N scatters of LIST, which are in the order of the graph, by P->turns. The first *N_LATE
 * of them are decided after all views. */
static bool sort_scatters(inplace_pass *p, inlay_in_place *list, size_t n, size_t *n_late)
{
    asked *turns = inlay_take(inlay_graph_budget(p->s.order.g), n + 1, sizeof *turns);

    *n_late = 0;
    for (size_t i = 0; turns && i < n; i++) {
        const inlay_node *s = list[i].scatter;
        bool size = p->turns.turn == INPLACE_LARGEST_FIRST;

        turns[i] =
            (asked){s, inplace_rank(p, s), size ? inplace_bytes_of(query_scatter_data(s)) : 0,
                    p->turns.turn == INPLACE_FIRST_FIRST ? n - i : i};
        *n_late += turns[i].rank >= INPLACE_LATE;
    }
    if (turns && n > 0)
        qsort(turns, n, sizeof *turns, first_asked_last);
    for (size_t i = 0; turns && i < n; i++)
        list[i].scatter = turns[i].scatter;
    inlay_give(turns);
    return turns || inlay_fail_memory(p->run->diags);
}

/* For tests: every order of the decisions must give correct notes. */
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

/* Finds the only Assign of each variable, and a node in a body that uses the variable. Within
 * bodies no state is written in place, so nothing is listed there. */
static bool list_variables(inplace_pass *p, const inlay_graph *g)
{
    size_t n = g->owner ? 0 : (size_t)g->n_variables;

    p->assign = inlay_take(inlay_graph_budget(g), n + 1, sizeof *p->assign);
    p->inside = inlay_take(inlay_graph_budget(g), n + 1, sizeof *p->inside);
    if (n && p->assign)
        inlay_variables_assigned(g, p->assign);
    if (n && p->inside)
        inlay_variables_in_bodies(g, p->inside);
    return (p->assign && p->inside) || inlay_fail_memory(p->run->diags);
}

static bool begin_pass(inplace_pass *p, inlay_graph *g, pass_run *r)
{
    inlay_graph_drop_notes(g);
    p->words = inlay_arena_of(inlay_graph_budget(g));
    p->views = inlay_take(inlay_graph_budget(g), (size_t)g->next_id + 1, sizeof *p->views);
    p->origin = inlay_take(inlay_graph_budget(g), (size_t)g->next_id + 1, sizeof *p->origin);
    p->named = inlay_take(inlay_graph_budget(g), (size_t)g->next_id + 1, sizeof *p->named);
    p->late_sizes =
        inlay_take(inlay_graph_budget(g), (size_t)g->next_id + 1, sizeof *p->late_sizes);
    return ((p->words && p->views && p->origin && p->named && p->late_sizes) ||
            inlay_fail_memory(r->diags)) &&
           list_variables(p, g) && inplace_storage_begin(&p->s, g, r->diags) &&
           inplace_list_held(p);
}

/* It may be called again: where other orders are tried and memory runs out, nothing is decided
 * anew. */
static void end_pass(inplace_pass *p)
{
    inlay_arena_free(p->words);
    inlay_give(p->told);
    inlay_give(p->views);
    inlay_give(p->origin);
    inlay_give(p->late_sizes);
    inlay_give(p->assign);
    inlay_give(p->inside);
    inlay_give(p->named);
    inlay_give(p->held);
    inlay_give(p->first_held);
    inplace_storage_end(&p->s);
    *p = (inplace_pass){.run = p->run};
}

/* Decides on the N scatters of LIST, and on all views and held operands (see held.c). The scatters
 * before N_LATE come last. */
static bool decide_all(inplace_pass *p, inlay_in_place *list, size_t n, size_t n_late)
{
    bool ok = inplace_decide_overwrites(p, list + n_late, n - n_late) && inplace_decide_given(p);

    for (size_t i = n; ok && i > n_late; i--)
        ok = decide_view_and_into(p, &list[i - 1]);
    ok = ok && inplace_view_repeated(p) && inplace_decide_held(p) && inplace_view_the_rest(p);
    p->late = true;
    ok = ok && inplace_decide_overwrites(p, list, n_late);
    for (size_t i = n_late; ok && i > 0; i--)
        ok = decide_view_and_into(p, &list[i - 1]);
    return ok;
}

/* Begins P and decides on all of G. The caller ends P. */
static bool decide(inplace_pass *p, inlay_graph *g, pass_run *r, const inplace_priority *turns)
{
    inlay_in_place *scatters = NULL;
    size_t n = 0, n_late = 0;
    bool ok;

    *p = (inplace_pass){.run = r,
                        .reorders_left =
                            turns->turn == INPLACE_LAST_THEN_LARGEST ? MAX_REORDERS : MAX_TRIED,
                        .turns = *turns};
    ok = begin_pass(p, g, r) && list_scatters(p, &scatters, &n) &&
         sort_scatters(p, scatters, n, &n_late);
    if (ok)
        shuffle(scatters + n_late, n - n_late, r->shuffle);
    ok = ok && decide_all(p, scatters, n, n_late);
    r->looks += p->s.steps;
    inlay_count_steps(g, p->s.steps);
    inlay_give(scatters);
    return ok;
}

/* Sums up the decisions of P. */
static bool sum_up(const inplace_pass *p, inplace_outcome *out)
{
    const inlay_order_list *order = &p->s.order.list;

    *out = (inplace_outcome){.saved = inplace_saved_bytes(p->s.order.g), .contested = p->contested};
    out->ids =
        inlay_take(inlay_graph_budget(p->s.order.g), order->n + p->n_held + 1, sizeof *out->ids);
    for (size_t i = 0; out->ids && i < order->n; i++) {
        if (query_is_scatter(order->nodes[i]))
            out->ids[out->n++] = order->nodes[i]->id;
    }
    for (size_t i = 0; out->ids && i < p->n_held; i++)
        out->ids[out->n++] = p->held[i].value->node->id;
    return out->ids || inlay_fail_memory(p->run->diags);
}

/* Decides as a trial: without events, and without counting a change. */
static bool decide_silently(inlay_graph *g, pass_run *r, const inplace_priority *turns,
                            inplace_outcome *out)
{
    inplace_pass p;
    uint64_t changes = r->changes;
    bool ok = decide(&p, g, r, turns) && sum_up(&p, out);

    end_pass(&p);
    r->changes = changes;
    return ok;
}

/* Is there nothing in G to decide or report? Only scatters, views and operands of nodes like Concat
 * are decided; a listener is also told of nodes that move elements. */
static bool leaves_nothing_to_decide(const inlay_graph *g)
{
    return !inlay_graph_had(g, INLAY_SCATTER | INLAY_VIEW | INLAY_MOVES | INLAY_CONVERTS |
                                   INLAY_HOLDS | INLAY_HAS_BODY);
}

/* Decides again in another order if that saves more bytes than P did. CHANGES is the number of
 * changes of the run before P. *RANK receives what the caller frees. */
static bool decide_better(inplace_pass *p, inlay_graph *g, uint64_t changes, int **rank)
{
    pass_run *r = p->run;
    inplace_priority best = {0};
    inplace_outcome first;
    bool ok = sum_up(p, &first), better = ok && first.contested && first.n > 1;

    if (better) {
        end_pass(p);
        r->changes = changes;
        ok = inplace_choose(g, r, decide_silently, &first, &best) && decide(p, g, r, &best);
    }
    *rank = (int *)best.rank;
    inlay_give(first.ids);
    return ok;
}

/* Decides again without notes by which a run would hold more than without any; COSTLY has room for
 * the ids of all nodes. */
static bool decide_lighter(inplace_pass *p, inlay_graph *g, uint64_t changes, bool *costly)
{
    pass_run *r = p->run;
    inplace_priority turns = p->turns;
    bool more = true, ok = costly || inlay_fail_memory(r->diags);

    turns.costly = costly;
    for (int i = 0; ok && more && i < MAX_RELIEFS; i++) {
        ok = inplace_find_costly(p, costly, &more);
        if (!ok || !more)
            continue;
        end_pass(p);
        r->changes = changes;
        ok = decide(p, g, r, &turns);
    }
    return ok;
}

static bool decide_graph(inlay_graph *g, pass_run *r)
{
    const inplace_priority first = {.rank = r->ranks};
    inplace_pass p;
    uint64_t changes = r->changes;
    int *rank = NULL;
    bool *costly = NULL, ok;

    inlay_graph_drop_notes(g);
    if (leaves_nothing_to_decide(g))
        return true;
    ok = decide(&p, g, r, &first);
    if (!r->ranks && !r->shuffle)
        ok = ok && decide_better(&p, g, changes, &rank);
    if (!r->ranks && !r->shuffle && !r->options->prefer_copies) {
        costly = inlay_take(inlay_graph_budget(g), (size_t)g->next_id, sizeof *costly);
        ok = ok && decide_lighter(&p, g, changes, costly);
    }
    ok = ok && inplace_give_up_rows(&p) && inplace_state_grounds(&p);
    if (ok)
        inplace_find_standing(&p);
    ok = ok && inplace_tell(&p);
    end_pass(&p);
    inlay_give(rank);
    inlay_give(costly);
    return ok;
}

/* Bodies come first: what they overwrite tells what the graph around them may give them. Their
 * depth is limited by INLAY_MAX_BODY_DEPTH. */
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
