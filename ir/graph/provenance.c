/* Provenance: the node of the file from which a node was derived, and the application of a rewrite
 * that made it.
 *
 *     file            simplify, application 1      fold-constants, application 2
 *
 *     "s" Slice   ->  "s" Slice          ->        "s" Const
 *                     origin "s", made by 1        origin "s", made by 2
 *
 * A node has two numbers. An origin is listed when something is first derived from that node of the
 * file: an unchanged graph has none. For each application only the number of its maker, a pass with
 * a rule, is kept. */
#include "ir/graph/provenance.h"
#include "ir/base/arena.h"
#include "ir/graph/compare.h"
#include "ir/graph/graph.h"

#include <string.h>

struct origin {
    const char *name;
    unsigned line;
    int64_t place;
};

struct maker {
    const char *pass, *rule;
};

/* Numbers of all three lists begin with 1. */
struct history {
    struct origin *origins;
    struct maker *makers;
    uint32_t *applications; /* the maker of each */
    size_t n_origins, cap_origins, n_makers, cap_makers, n_applications, cap_applications;
    uint32_t origin;    /* of nodes made from now on; 0: none */
    uint32_t maker;     /* of the current application; 0: none */
    const char *pass;   /* the running pass; NULL: none */
    uint32_t placeless; /* the application for nodes that the pass makes without naming a place; 0:
                           none yet */
    const inlay_watcher *watcher; /* or NULL */
};

bool history_begin(inlay_graph *g, const inlay_graph *outer)
{
    g->priv->history =
        outer ? outer->priv->history : inlay_arena_alloc(g->arena, sizeof(struct history));
    return g->priv->history != NULL;
}

static struct history *history_of(const inlay_graph *g)
{
    return g->priv->history;
}

void inlay_graph_watch(inlay_graph *g, const inlay_watcher *w)
{
    history_of(g)->watcher = w;
}

void graph_tell_edit(inlay_node *n, bool made)
{
    const inlay_watcher *w = history_of(n->graph)->watcher;

    if (w)
        w->edits(w->ctx, n, made);
}

uint64_t *inlay_watched_hash(const inlay_graph *g, const inlay_tensor *t)
{
    const inlay_watcher *w = history_of(g)->watcher;

    return w ? w->hash(w->ctx, t) : NULL;
}

static const char *given_name(const inlay_node *n)
{
    return n->label ? n->label : n->name;
}

static bool add_origin(struct history *h, inlay_graph *g, struct origin origin, inlay_diags *d)
{
    if (!graph_grow(g, &h->origins, h->n_origins, &h->cap_origins, sizeof *h->origins, d))
        return false;
    h->origins[h->n_origins++] = origin;
    return true;
}

/* *ORIGIN is the number of the node from which N was derived; 0: none. */
static bool origin_of(inlay_node *n, uint32_t *origin, inlay_diags *d)
{
    struct history *h = history_of(n->graph);
    struct origin own = {given_name(n), n->line, n->place};

    if (n->origin == 0 && n->made_by == 0) {
        if (!add_origin(h, n->graph, own, d))
            return false;
        n->origin = (uint32_t)h->n_origins;
    }
    *origin = n->origin;
    return true;
}

static bool copy_text(inlay_graph *g, const char *from, const char **to)
{
    *to = from ? inlay_arena_strdup(g->arena, from) : NULL;
    return *to || !from;
}

/* The number of the maker with PASS and RULE. There are few makers, and mostly the last one is
 * asked for again. */
static bool maker_of(inlay_graph *g, const char *pass, const char *rule, uint32_t *maker,
                     inlay_diags *d)
{
    struct history *h = history_of(g);
    struct maker own;

    for (size_t i = h->n_makers; i > 0; i--) {
        if (inlay_same_text(h->makers[i - 1].rule, rule) &&
            inlay_same_text(h->makers[i - 1].pass, pass)) {
            *maker = (uint32_t)i;
            return true;
        }
    }
    if (!graph_grow(g, &h->makers, h->n_makers, &h->cap_makers, sizeof *h->makers, d))
        return false;
    if (!copy_text(g, pass, &own.pass) || !copy_text(g, rule, &own.rule))
        return inlay_fail_memory(d);
    h->makers[h->n_makers++] = own;
    *maker = (uint32_t)h->n_makers;
    return true;
}

static bool add_application(inlay_graph *g, uint32_t maker, inlay_diags *d)
{
    struct history *h = history_of(g);

    if (!graph_grow(g, &h->applications, h->n_applications, &h->cap_applications,
                    sizeof *h->applications, d))
        return false;
    h->applications[h->n_applications++] = maker;
    return true;
}

uint64_t inlay_applications(const inlay_graph *g)
{
    return history_of(g)->n_applications;
}

bool inlay_provenance_pass(inlay_graph *g, const char *pass, inlay_diags *d)
{
    struct history *h = history_of(g);

    h->placeless = 0;
    return copy_text(g, pass, &h->pass) || inlay_fail_memory(d);
}

bool inlay_provenance_begin(const inlay_node *at, const char *pass, const char *rule,
                            inlay_diags *d)
{
    struct history *h = history_of(at->graph);

    return origin_of((inlay_node *)at, &h->origin, d) &&
           maker_of(at->graph, pass, rule, &h->maker, d);
}

bool inlay_provenance_end(const inlay_graph *g, bool kept, inlay_diags *d)
{
    struct history *h = history_of(g);
    uint32_t maker = h->maker;

    h->maker = h->origin = 0;
    return !kept || maker == 0 || add_application((inlay_graph *)g, maker, d);
}

/* All nodes that a pass makes without saying where are one application, which begins with the first
 * of them. */
static bool begin_placeless(inlay_graph *g, inlay_diags *d)
{
    struct history *h = history_of(g);
    uint32_t maker;

    if (!maker_of(g, h->pass, NULL, &maker, d) || !add_application(g, maker, d))
        return false;
    h->placeless = (uint32_t)h->n_applications;
    return true;
}

bool history_stamp(inlay_node *n, inlay_diags *d)
{
    struct history *h = history_of(n->graph);

    if (h->maker) {
        n->origin = h->origin;
        n->made_by = (uint32_t)h->n_applications + 1;
        return true;
    }
    if (h->pass && !h->placeless && !begin_placeless(n->graph, d))
        return false;
    n->made_by = h->placeless;
    return true;
}

bool history_copy(const inlay_graph *from, inlay_graph *to, inlay_diags *d)
{
    const struct history *h = history_of(from);
    uint32_t maker;

    for (size_t i = 0; i < h->n_origins; i++) {
        struct origin own = h->origins[i];

        if (!copy_text(to, own.name, &own.name))
            return inlay_fail_memory(d);
        if (!add_origin(history_of(to), to, own, d))
            return false;
    }
    for (size_t i = 0; i < h->n_makers; i++) {
        if (!maker_of(to, h->makers[i].pass, h->makers[i].rule, &maker, d))
            return false;
    }
    for (size_t i = 0; i < h->n_applications; i++) {
        if (!add_application(to, h->applications[i], d))
            return false;
    }
    return true;
}

inlay_provenance inlay_node_provenance(const inlay_node *n)
{
    inlay_provenance p = {.place = -1};
    const struct history *h = n ? history_of(n->graph) : NULL;

    if (!n)
        return p;
    if (n->origin)
        p = (inlay_provenance){.name = h->origins[n->origin - 1].name,
                               .line = h->origins[n->origin - 1].line,
                               .place = h->origins[n->origin - 1].place};
    else if (!n->made_by)
        p = (inlay_provenance){.name = given_name(n), .line = n->line, .place = n->place};
    if (n->made_by && n->made_by <= h->n_applications) {
        const struct maker *m = &h->makers[h->applications[n->made_by - 1] - 1];

        p.application = n->made_by;
        p.pass = m->pass;
        p.rule = m->rule;
    }
    return p;
}
