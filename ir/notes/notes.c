/* The checker of storage notes: its two functions. See README.md. */
#include "ir/notes/notes.h"
#include "ir/base/argument.h"
#include "ir/graph/fail.h"
#include "ir/graph/graph.h"
#include "ir/graph/node.h"
#include "ir/notes/illegal.h"

#include <stdio.h>

/* Each round finds one illegal note. After this many rounds all notes are dropped. */
enum { MAX_ROUNDS = 64 };

/* False: C has a note that is illegal in every order. */
static bool check_all_local(const inlay_graph *g, note_complaint *c)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->n_out; i++) {
            if (!note_check_local(&n->out[i], c))
                return false;
        }
    }
    return true;
}

/* False: C has an illegal note, or, if it has none, an error is in D. */
static bool are_legal(const inlay_graph *g, const inlay_order_list *order, note_complaint *c,
                      inlay_diags *d)
{
    c->bad = NULL;
    return !g->has_notes || (check_all_local(g, c) && note_walk(g, order, c, d));
}

/* The note of V in words: `"y" into "r"`. */
static char *claim_text(const inlay_value *v, char *buf, size_t size)
{
    char target[120] = "nothing", value[120];

    if (v->note_target)
        inlay_value_words(v->note_target, target, sizeof target);
    snprintf(buf, size, "%s %s %s", inlay_value_words(v, value, sizeof value),
             inlay_note_text(v->note), target);
    return buf;
}

bool inlay_check_notes(const inlay_graph *g, const inlay_order_list *order, const inlay_value **bad,
                       inlay_diags *d)
{
    note_complaint c = {0};
    char claim[300];

    if (bad)
        *bad = NULL;
    if (inlay_is_missing(g, "graph", d) || inlay_is_missing(order, "order", d))
        return false;
    if (are_legal(g, order, &c, d))
        return true;
    if (bad)
        *bad = c.bad;
    if (!c.bad)
        return false;
    return inlay_fail_node(d, c.bad->node, "the storage note %s is illegal: %s",
                           claim_text(c.bad, claim, sizeof claim), c.text);
}

/* Other notes may have stated grounds that depend on the note that is dropped. */
static bool drop(const note_complaint *c, inlay_diags *d)
{
    inlay_value *v = &c->bad->node->out[c->bad->index];
    char claim[300];

    inlay_warn_claim(d, v->node->graph, v->node, "the storage note %s is dropped: %s",
                     claim_text(v, claim, sizeof claim), c->text);
    inlay_graph_forget_grounds(v->node->graph);
    return inlay_value_set_note(v, INLAY_FRESH, NULL, d);
}

/* Finds the order of G. If its order edges contradict the graph, they are dropped with all notes.
 */
static bool order_or_drop(inlay_graph *g, inlay_order_list *order, inlay_diags *d)
{
    inlay_diags *why = inlay_diags_new();
    bool ok = why && inlay_order(g, false, order, why);
    bool contradicts = why && !ok && inlay_diags_status(why) == INLAY_INVALID;

    inlay_diags_free(why);
    if (ok || !contradicts)
        return ok || inlay_fail_memory(d);
    if (g->n_order_edges > 0) {
        inlay_warn_claim(d, g, NULL,
                         "the order edges contradict the graph: all storage notes are dropped");
        inlay_graph_drop_notes(g);
    }
    return inlay_order(g, false, order, d);
}

static bool drop_all_bad(inlay_graph *g, const inlay_order_list *order, inlay_diags *d)
{
    note_complaint c = {0};

    for (int i = 0; i < MAX_ROUNDS; i++) {
        if (are_legal(g, order, &c, d))
            return true;
        if (!c.bad || !drop(&c, d))
            return false;
    }
    inlay_warn_claim(d, g, NULL, "more than %d storage notes are illegal: all are dropped",
                     MAX_ROUNDS);
    inlay_graph_drop_notes(g);
    return true;
}

static bool drop_in(inlay_graph *g, inlay_diags *d)
{
    inlay_order_list order = {NULL, 0};
    bool ok = !g->has_notes || (order_or_drop(g, &order, d) && drop_all_bad(g, &order, d));

    inlay_order_free(&order);
    return ok;
}

bool inlay_drop_illegal_notes(inlay_graph *g, inlay_diags *d)
{
    if (inlay_is_missing(g, "graph", d))
        return false;
    for (inlay_graph *b = g->priv->bodies; b; b = b->priv->next_body) { /* the inner ones first */
        if (!drop_in(b, d))
            return false;
    }
    return drop_in(g, d);
}
