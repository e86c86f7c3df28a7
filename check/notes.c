/* Storage notes, by a run over places: where the elements of values lie, and whose element is
 * there. It needs none of the grounds that are stated: it shows what they are to show. */
#include "check/check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STORED = 1 << 24 }; /* elements of all values together */

/* An element is tagged by the buffer and its place there; what lies in a place has the number of
 * the element that it came from. */
typedef struct stored {
    const node *n;
    int k;
    size_t count;
    struct stored *root; /* in whose buffer it is; NULL: that cannot be told */
    uint64_t first;      /* number of its first element */
    size_t *places;      /* within the buffer */
    uint64_t *content;   /* what its elements should be */
    uint64_t *buffer;    /* of a root: what lies there */
    bool shared, placed;
} stored;

typedef struct run {
    scope s;
    verdict *v;
    word rim;       /* the port map of a body, or NULL */
    uint64_t total; /* elements */
    const node *at; /* NULL: all is fine */
    const char *why;
} run;

static stored *stored_of(const element e)
{
    return e.n && e.k < e.n->n_out ? e.n->out[e.k].stored : NULL;
}

static void blame(run *r, const node *n, const char *why)
{
    r->why = r->at ? r->why : why;
    r->at = r->at ? r->at : n;
}

static bool holds(const stored *s, size_t i)
{
    return s->root->buffer[s->places[i]] == s->content[i];
}

/* Is E made of an element of S, by moving, or element by element? Which one? */
static bool leads_to(run *r, element e, const stored *s, int depth, size_t *at)
{
    element from = e;

    *at = e.at;
    if (!e.n || depth == 0 || (e.n == s->n && e.k == s->k))
        return e.n && depth > 0;
    if (moved(&r->s, &from))
        return leads_to(r, from, s, depth - 1, at);
    for (int i = 0; is_pointwise(e.n) && i < e.n->n_in; i++) {
        from = operand_of(&r->s, e.n, i);
        from.at = e.at;
        if (stored_of(from) && stored_of(e) && stored_of(from)->count == stored_of(e)->count &&
            leads_to(r, from, s, depth - 1, at))
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

static void place(run *r, stored *s);

/* Where each element of S lies, by its note. False: it cannot be told. */
static bool place_in(run *r, stored *s, stored *target)
{
    const value *v = &s->n->out[s->k];
    size_t at, found = 0;
    bool *seen = keep(s->count + 1);
    int i = s->n->n_in;

    while (v->note != INTO && --i >= 0 &&
           (s->n->in[i].name != v->target.name || s->n->in[i].index != v->target.index))
        ;
    if (i < 0)
        blame(r, s->n, "its buffer is that of no operand");
    if (v->note == OVERWRITES && s->count != target->count)
        blame(r, s->n, "it is larger or smaller than its buffer");
    for (size_t p = 0; !r->at && v->note == INTO && p < target->count; p++) {
        if (leads_to(r, (element){target->n, target->k, p}, s, 6, &at) && !seen[at]) {
            seen[at] = true;
            s->places[at] = target->places[p];
            found++;
        }
    }
    for (size_t e = 0; !r->at && v->note != INTO && e < s->count; e++) {
        element from = {s->n, s->k, e};

        at = e;
        if (v->note == VIEW_OF) {
            if (!moved(&r->s, &from))
                return false;
            at = from.at;
            if (stored_of(from) != target)
                blame(r, s->n, "its buffer has not all of its elements");
        }
        s->places[e] = r->at ? 0 : target->places[at];
        found++;
    }
    return found == s->count && !r->at;
}

static void place(run *r, stored *s)
{
    const value *v = &s->n->out[s->k];
    const node *n = find(r->s.g, v->target.name);
    stored *target = n ? stored_of((element){n, v->target.index, 0}) : NULL;

    if (s->placed)
        return;
    s->placed = true;
    s->places = keep((s->count + 1) * sizeof *s->places);
    if (v->note == FRESH) {
        s->root = s;
        s->buffer = keep((s->count + 1) * sizeof *s->buffer);
        for (size_t i = 0; i < s->count; i++)
            s->places[i] = i;
        return;
    }
    if (target)
        place(r, target);
    if (!target || !target->root || width_of(s) < 8) /* elements share bytes */
        return;
    if (width_of(s) != width_of(target))
        blame(r, s->n, "its elements have another width than its buffer");
    else if (place_in(r, s, target))
        s->root = target->root;
    if (s->root)
        s->shared = s->root->shared = true;
}

/* N moves elements to OUT: those that do not lie there yet must be where they belong, and if one
 * is moved over another one, all must move by one distance. */
static void check_moves(run *r, const node *n, const stored *out)
{
    bool *goes = keep(out->shared ? out->root->count + 1 : 1), meets = false, alike = true;
    size_t distance = 0;

    for (int twice = 0; twice < 2; twice++) {
        for (size_t i = 0; i < out->count; i++) {
            element e = {n, out->k, i};
            const stored *s = NULL;
            size_t p, q = out->shared ? out->places[i] : 0;

            if (out->shared && holds(out, i))
                continue;
            if (out->shared)
                goes[q] = true;
            if (!moved(&r->s, &e) || !(s = stored_of(e)) || !s->shared)
                continue;
            p = s->places[e.at];
            if (!holds(s, e.at))
                blame(r, n, "it reads an element that was written over before");
            if (!out->shared || out->root != s->root)
                continue;
            alike = alike && (distance == 0 || distance == q - p);
            distance = q - p;
            meets = meets || (twice && goes[p]);
        }
    }
    if (meets && !alike)
        blame(r, n, "it moves elements over others that it has to move");
}

/* OUT is written element by element: what is read for one must not be written for another. */
static void check_in_step(run *r, const node *n, const stored *s, const stored *out)
{
    size_t *written_for = keep((out->root->count + 1) * sizeof *written_for);
    const shape *from = s->n->out[s->k].shape, *to = out->n->out[out->k].shape;

    for (size_t i = 0; i < out->count; i++)
        written_for[out->places[i]] = i + 1;
    for (size_t i = 0; from->rank <= to->rank && i < out->count; i++) {
        size_t at = broadcast_at(from, to, i), by = at < s->count ? written_for[s->places[at]] : 0;

        if (at >= s->count)
            blame(r, n, "its shape is not what its operands give");
        else if (by && by != i + 1)
            blame(r, n, "it writes over an element that it reads for another one");
    }
}

/* The value assigned to a variable whose buffer was written must be what lies there. */
static void check_state(run *r, const node *n, const stored *s)
{
    for (int i = 0; i < r->s.g->n_nodes; i++) {
        const node *from = r->s.g->nodes[i];
        const stored *state = is_op(from, "ReadValue") ? from->out[0].stored : NULL;
        size_t k = 0;

        if (!state || !state->shared || attr_of(from, "variable_id") != attr_of(n, "variable_id"))
            continue;
        while (s->root == state->root && s->count == state->count && k < s->count &&
               s->places[k] == state->places[k])
            k++;
        for (size_t e = 0; k < state->count && e < state->count; e++) {
            if (!holds(state, e))
                blame(r, n, "another value lies in the buffer of the variable");
        }
    }
}

static void check_reads(run *r, const node *n)
{
    bool moves = false;

    for (int k = 0; k < n->n_out; k++) {
        element e = {n, k, 0};

        if (moved(&r->s, &e) && !is_op(n, "Result")) {
            moves = true;
            if (n->out[k].stored && n->out[k].note != VIEW_OF)
                check_moves(r, n, n->out[k].stored);
        }
    }
    for (int i = 0; i < n->n_in && !moves && !is_op(n, "ShapeOf"); i++) {
        stored *s = stored_of(operand_of(&r->s, n, i));

        if (s && s->root && is_op(n, "Assign"))
            check_state(r, n, s);
        if (s && s->root && is_op(n, "Result") && s->n->out[s->k].note == VIEW_OF &&
            s->count != s->root->count)
            blame(r, n, "it is a part of a buffer, and leaves the run");
        for (size_t e = 0; s && s->shared && e < s->count; e++) {
            if (!holds(s, e))
                blame(r, n, "it reads an element that was written over before");
        }
        for (int k = 0; k < n->n_out && s && s->shared; k++) {
            const stored *out = n->out[k].stored;

            if (!out || !out->shared || out->root != s->root || out->count == 0)
                continue;
            if (is_pointwise(n) || (i == 0 && has_flag(n, "scatter")))
                check_in_step(r, n, s, out);
            else
                assume(r->v, BY_NOTE, NULL, NULL, n->name, "its kernel writes over what it reads");
        }
    }
}

/* Is the Parameter of a body given anew in each iteration, so that it may be written over? */
static bool is_given_anew(const run *r, word name)
{
    const char *back = r->rim;

    while (back && (back = strstr(back, "back "))) {
        const char *to = strstr(back += 5, "-> %");

        if (to && strncmp(to + 4 + (to[4] == '"'), name, strlen(name)) == 0)
            return true;
    }
    return !r->rim;
}

static void write(run *r, const stored *s)
{
    const node *owner = s->root->n;
    bool given = is_op(owner, "Parameter") && s->n != owner && !is_given_anew(r, owner->name);

    for (size_t e = 0; e < s->count; e++) {
        uint64_t *p = &s->root->buffer[s->places[e]];

        if (is_op(owner, "Const") && s->n != owner && *p != s->content[e])
            blame(r, s->n, "it writes over a constant");
        if (given && *p != s->content[e])
            assume(r->v, BY_NOTE, NULL, NULL, s->n->name, "it writes over what a body is given");
        given = given && *p == s->content[e];
        *p = s->content[e];
    }
}

/* Gives each value room and the numbers of its elements. */
static void store(run *r, node *n, int k)
{
    const shape *of = shape_of(&r->s, (element){n, k, 0});
    stored *s = keep(sizeof *s);

    n->out[k].stored = NULL;
    if (!n->out[k].type || !of || is_op(n, "Result") || r->total > MOST_STORED)
        return;
    *s = (stored){.n = n, .k = k, .count = count_of(of), .first = r->total + 1};
    r->total += s->count;
    s->content = keep((s->count + 1) * sizeof *s->content);
    for (size_t i = 0; i < s->count; i++) {
        element e = {n, k, i};
        bool is_moved = moved(&r->s, &e);
        const stored *from = is_moved ? stored_of(e) : NULL;

        s->content[i] = from && e.at < from->count ? from->content[e.at] : s->first + i;
    }
    n->out[k].stored = s;
}

/* A note that cannot be followed is assumed, and what lies in its buffer is not looked at. */
static void place_all(run *r, int *notes)
{
    const graph *g = r->s.g;

    for (int i = 0; i < g->n_nodes; i++) {
        for (int k = 0; k < g->nodes[i]->n_out; k++) {
            stored *s = g->nodes[i]->out[k].stored;

            *notes += g->nodes[i]->out[k].note != FRESH;
            if (s)
                place(r, s);
            if (g->nodes[i]->out[k].note != FRESH && !(s && s->root) && !r->at)
                assume(r->v, BY_NOTE, NULL, NULL, g->nodes[i]->name,
                       "where its elements lie cannot be told");
        }
    }
}

bool check_notes(const graph *g, word rim, verdict *v)
{
    run r = {.s = {g, NULL, INT64_MAX, false}, .v = v, .rim = rim};

    for (int i = 0; i < g->n_nodes; i++) {
        for (int k = 0; k < g->nodes[i]->n_out; k++)
            store(&r, g->nodes[i], k);
    }
    place_all(&r, &v->n_notes);
    for (int i = 0; i < 2 * g->n_nodes && !r.at; i++) {
        const node *n = g->nodes[i % g->n_nodes];

        if ((is_op(n, "Result") || is_op(n, "Assign")) != (i >= g->n_nodes)) /* at the end */
            continue;
        check_reads(&r, n);
        for (int k = 0; k < n->n_out; k++) {
            if (n->out[k].stored && n->out[k].stored->shared && n->out[k].note != VIEW_OF)
                write(&r, n->out[k].stored);
        }
        for (int b = 0; b < n->n_bodies && i < g->n_nodes; b++) {
            if (!check_notes(n->bodies[b], n->rims[b], v))
                return false;
        }
    }
    return !r.at || refuse(v, NULL, "notes of OUT: \"%s\": %s", r.at->name, r.why);
}
