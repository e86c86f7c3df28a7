/* Storage notes, by a run over places: where the elements of values lie, and whose element is
 * there. It needs none of the grounds that are stated: it shows what they are to show. */
#include "check/check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STORED = 1 << 24 }; /* elements of all values together */

/* A value that shares its buffer. What lies in a place has the number of the element that it came
 * from. */
typedef struct stored {
    const node *n;
    int k;
    size_t count;
    struct stored *root; /* in whose buffer it is; NULL: that cannot be told */
    size_t *places;      /* of its elements within the buffer */
    uint64_t *content;   /* what its elements should be */
    uint64_t *buffer;    /* of a root: what lies there */
} stored;

typedef struct run {
    question q;
    verdict *v;
    const graph *g;
    uint64_t total; /* elements */
    const node *at; /* NULL: all is fine */
    const char *why;
} run;

/* NULL: it shares none, or that cannot be told. */
static stored *stored_of(element e)
{
    stored *s = e.n && e.k < e.n->n_out ? e.n->out[e.k].stored : NULL;

    return s && s->root ? s : NULL;
}

static bool blame(run *r, const node *n, const char *why)
{
    r->why = r->at ? r->why : why;
    r->at = r->at ? r->at : n;
    return false;
}

static bool holds(const stored *s, size_t i)
{
    return s->root->buffer[s->places[i]] == s->content[i];
}

/* The element of operand I that element E is made of; OF.n NULL: of none. False: of any. */
static bool source(run *r, element e, int i, element *of)
{
    element from = e;

    if (moved(&r->q, &from)) {
        bool is = from.n == e.n->in[i].n && from.k == e.n->in[i].k;

        *of = is ? from : (element){NULL, 0, 0};
        return true;
    }
    return is_pointwise(e.n) && pointwise_of(&r->q, e, i, of);
}

/* Is E made of an element of S, by moving, or element by element? AT: of which one. */
static bool leads_to(run *r, element e, const stored *s, int depth, size_t *at)
{
    static int64_t looks = 1 << 25; /* for all notes */
    element from = e;

    *at = e.at;
    if (!e.n || depth == 0 || looks-- <= 0 || (e.n == s->n && e.k == s->k))
        return e.n && depth > 0 && looks >= 0;
    if (moved(&r->q, &from))
        return leads_to(r, from, s, depth - 1, at);
    for (int i = 0; i < e.n->n_in && is_pointwise(e.n); i++) {
        if (pointwise_of(&r->q, e, i, &from) && leads_to(r, from, s, depth - 1, at))
            return true;
    }
    return false;
}

/* The bits of an element: f32, bf16, boolean. */
static long width_of(const stored *s)
{
    const char *type = s->n->out[s->k].type;
    long n = strtol(type + strcspn(type, "0123456789"), NULL, 10);

    return n ? n : 8;
}

/* Where each element of S lies, by its note. False: it cannot be told. */
static bool place_in(run *r, stored *s, const stored *target)
{
    const value *v = &s->n->out[s->k];
    size_t at, found = 0;
    bool *seen = keep(s->count + 1);
    int i = s->n->n_in;

    while (v->note != INTO && --i >= 0 &&
           !(s->n->in[i].n == target->n && s->n->in[i].k == target->k))
        ;
    if (i < 0)
        return blame(r, s->n, "its buffer is that of no operand");
    if (v->note == OVERWRITES && s->count != target->count)
        return blame(r, s->n, "it is larger or smaller than its buffer");
    for (size_t p = 0; v->note == INTO && p < target->count; p++) {
        if (leads_to(r, (element){(node *)target->n, target->k, p}, s, 6, &at) && !seen[at]) {
            seen[at] = true;
            s->places[at] = target->places[p];
            found++;
        }
    }
    for (size_t e = 0; v->note != INTO && e < s->count; e++, found++) {
        element from = {(node *)s->n, s->k, e};

        if (v->note == VIEW_OF && !moved(&r->q, &from))
            return false;
        if (v->note == VIEW_OF && stored_of(from) != target)
            return blame(r, s->n, "its buffer has not all of its elements");
        s->places[e] = target->places[from.at];
    }
    return found == s->count;
}

/* What is known of a value that shares a buffer; NULL: it is open, or too large. */
static stored *share(run *r, element e)
{
    value *v = e.n->op && e.k < e.n->n_out ? &e.n->out[e.k] : NULL;
    const shape *of = v && v->type ? shape_of(&r->q, e) : NULL;
    static int depth;
    stored *s, *target = NULL;

    if (!of || v->stored || r->total > MOST_STORED)
        return v ? v->stored : NULL;
    s = v->stored = keep(sizeof *s);
    *s = (stored){.n = e.n, .k = e.k, .count = count_of(of)};
    r->total += s->count;
    s->places = keep((s->count + 1) * sizeof *s->places);
    s->content = keep((s->count + 1) * sizeof *s->content);
    for (size_t i = 0; i < s->count; i++) {
        s->places[i] = i;
        s->content[i] = r->total - i;
    }
    if (v->note == FRESH) {
        s->root = s;
        s->buffer = keep((s->count + 1) * sizeof *s->buffer);
        return s;
    }
    if (v->target.n && depth < MOST_DEPTH) {
        depth++;
        target = share(r, v->target);
        depth--;
    }
    if (!target || !target->root || width_of(s) < 8) /* elements share bytes */
        return s;
    if (width_of(s) != width_of(target))
        blame(r, s->n, "its elements have another width than its buffer");
    else if (place_in(r, s, target))
        s->root = target->root;
    return s;
}

/* What is read of operand I for output K must be there, and not be written over before. */
static void check_reads(run *r, node *n, int k, int i)
{
    const shape *of = shape_of(&r->q, (element){n, k, 0});
    const stored *out = stored_of((element){n, k, 0}), *s = stored_of(n->in[i]);
    bool any = !of, over = false, meets = out && out->root == s->root;
    size_t *written_for = room((meets ? out->root->count + 1 : 1) * sizeof *written_for);

    for (size_t e = 0; meets && e < out->count; e++)
        written_for[out->places[e]] = holds(out, e) ? 0 : e + 1;
    for (size_t e = 0; !any && e < count_of(of); e++) {
        element from;
        size_t by;

        if (out && holds(out, e))
            continue;
        any = !source(r, (element){n, k, e}, i, &from);
        if (any || !from.n)
            continue;
        by = meets ? written_for[s->places[from.at]] : 0;
        over |= by && by != e + 1;
        if (!holds(s, from.at))
            blame(r, n, "it reads an element that was written over before");
    }
    for (size_t e = 0; any && e < s->count; e++) {
        if (!holds(s, e))
            blame(r, n, "it reads an element that was written over before");
    }
    free(written_for);
    if (over && is_pointwise(n))
        blame(r, n, "it writes over an element that it reads for another one");
    else if (over || (any && meets && !(i == 0 && has_flag(n, "scatter"))))
        assume(r->v, BY_NOTE, NULL, NULL, n->name, "its kernel writes over what it reads");
}

/* The value assigned to a variable whose buffer was written must be what lies there. */
static void check_state(run *r, const node *n, const stored *s)
{
    for (int i = 0; i < r->g->n_nodes; i++) {
        const node *from = r->g->nodes[i];
        const stored *state =
            is_op(from, "ReadValue") ? stored_of((element){(node *)from, 0, 0}) : NULL;

        if (!state || attr_of(from, "variable_id") != attr_of(n, "variable_id") ||
            (s->root == state->root && s->count == state->count &&
             memcmp(s->places, state->places, s->count * sizeof *s->places) == 0))
            continue;
        for (size_t e = 0; e < state->count; e++) {
            if (!holds(state, e))
                blame(r, n, "another value lies in the buffer of the variable");
        }
    }
}

/* Writes output K of N, unless it is there already. */
static void write(run *r, node *n, int k)
{
    const stored *s = stored_of((element){n, k, 0});
    const node *owner = s ? s->root->n : NULL;
    bool given = r->g->depth > 0 && s && is_op(owner, "Parameter") && owner != n, over = false;

    for (size_t e = 0; s && n->out[k].note != VIEW_OF && e < s->count; e++) {
        uint64_t *p = &s->root->buffer[s->places[e]];

        over |= *p != s->content[e];
        *p = s->content[e];
    }
    if (over && is_op(owner, "Const") && owner != n)
        blame(r, n, "it writes over a constant");
    if (over && given)
        assume(r->v, BY_NOTE, NULL, NULL, n->name, "it writes over what a body is given");
}

static void run_node(run *r, node *n)
{
    for (int k = 0; k < n->n_out; k++) {
        const stored *s = stored_of((element){n, k, 0});

        for (size_t e = 0; s && e < s->count; e++) {
            element from = {n, k, e};
            const stored *of = moved(&r->q, &from) ? stored_of(from) : NULL;

            if (of)
                s->content[e] = of->content[from.at];
        }
        for (int i = 0; i < n->n_in && n->out[k].note != VIEW_OF; i++) {
            if (stored_of(n->in[i]) && !is_op(n, "ShapeOf"))
                check_reads(r, n, k, i);
        }
    }
    for (int k = 0; k < n->n_out; k++)
        write(r, n, k);
    for (int i = 0; i < n->n_in; i++) {
        const stored *s = stored_of(n->in[i]);

        if (s && is_op(n, "Assign"))
            check_state(r, n, s);
        if (s && is_op(n, "Result") && s->n->out[s->k].note == VIEW_OF &&
            s->count != s->root->count)
            blame(r, n, "it is a part of a buffer, and leaves the run");
    }
}

/* A note that cannot be followed is assumed, and what lies in its buffer is not looked at. */
bool check_notes(const graph *g, verdict *v)
{
    run r = {.q = {.steps = INT64_MAX}, .v = v, .g = g};

    for (int i = 0; i < g->n_nodes; i++) {
        node *n = g->nodes[i];

        for (int k = 0; k < n->n_out; k++) {
            const stored *s = n->out[k].note != FRESH ? share(&r, (element){n, k, 0}) : NULL;

            v->n_notes += n->out[k].note != FRESH;
            if (n->out[k].note != FRESH && !(s && s->root) && !r.at)
                assume(v, BY_NOTE, NULL, NULL, n->name, "where its elements lie cannot be told");
        }
        for (int b = 0; b < n->n_bodies; b++) {
            if (!check_notes(n->bodies[b], v))
                return false;
        }
    }
    for (int i = 0; i < 2 * g->n_nodes && !r.at; i++) {
        node *n = g->nodes[i % g->n_nodes];

        if ((is_op(n, "Result") || is_op(n, "Assign")) == (i >= g->n_nodes)) /* at the end */
            run_node(&r, n);
    }
    return !r.at || refuse(v, NULL, "notes of OUT: \"%s\": %s", r.at->name, r.why);
}
