/* Storage notes, by a run over places: where the elements of values lie, and whose element is
 * there. */
#include "check/check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 24 };                       /* elements of all values together */
enum { OWN = 0x3ffffffe, OTHER = 0x3ffffffd }; /* bases of tags that say where an element is from */

/* A place is (buffer << 32 | element), what lies there the tag of an element of a value. */
struct stored {
    const node *n;
    int k;
    tags *places, *content;
    bool shared, placing; /* it shares its buffer; its places are being found */
    struct stored *next;
};

struct run {
    const graph *g;
    verdict *v;
    struct stored *all;
    tag **buffers; /* what lies there; NULL: not looked at */
    const node **owners;
    size_t n_buffers;
    const node *at; /* NULL: all is fine */
    const char *why;
};

static struct stored *stored_of(struct run *r, operand o)
{
    const node *n = find(r->g, o.name);
    struct stored *s = n ? n->stored : NULL;

    for (; s && s->k != o.index; s = s->next)
        ;
    return s;
}

static void blame(struct run *r, const node *n, const char *why)
{
    if (!r->why) {
        r->at = n;
        r->why = why;
    }
}

/* Elements tagged BASE << 32 | 0, 1, 2, ... */
static tags *numbered(const value *v, uint64_t base)
{
    tags *t = v->type ? new_tags(v->type, v->shape) : NULL;

    for (size_t i = 0; t && i < t->n; i++)
        t->at[i] = base << 32 | i;
    return t;
}

static tags *places_of(struct run *r, struct stored *s);

/* Output K of N, where operand I has the tags GIVEN and the others none; with OF, those that it
 * gives. Constants are known. */
static tags *moved_by(struct run *r, const node *n, int k, int i, tags *given,
                      tags *(*of)(struct run *, struct stored *))
{
    tags **in = scratch(((size_t)n->n_in + 1) * sizeof *in), *whole;
    const char *why;
    size_t stated;

    for (int a = 0; a < n->n_in; a++) {
        struct stored *s = stored_of(r, n->in[a]);

        if (!s)
            continue;
        in[a] = a == i                          ? given
                : is_op(s->n, "Const") && a > 0 ? tags_of_constant(s->n)
                : of                            ? of(r, s)
                                                : NULL;
        if (!in[a])
            in[a] = numbered(&s->n->out[s->k], OTHER - 1 - (uint64_t)a);
        if (!in[a])
            return NULL;
    }
    whole = moves(n) ? move(n, in, k, &why) : NULL;
    if (whole && n->stored && count_of(n->out[k].shape, &stated) && stated != whole->n) {
        blame(r, n, "its shape is not what its operands give");
        return NULL;
    }
    return whole;
}

static int operand_of(const node *n, operand o)
{
    int i = n->n_in;

    while (--i >= 0 && (n->in[i].name != o.name || n->in[i].index != o.index))
        ;
    return i;
}

/* The elements of S in the node N, which reads them, perhaps through views. */
static tags *traced(struct run *r, const node *n, struct stored *s, int depth)
{
    operand own = {s->n->name, s->k};
    size_t own_n, its_n;
    int i = operand_of(n, own);
    tags *t = NULL;

    if (i >= 0 && is_pointwise(n)) /* element by element, if none is read for several */
        return n->stored && count_of(s->n->out[s->k].shape, &own_n) &&
                       count_of(n->out[0].shape, &its_n) && own_n == its_n
                   ? numbered(&s->n->out[s->k], OWN)
                   : NULL;
    if (i >= 0)
        return moved_by(r, n, 0, i, numbered(&s->n->out[s->k], OWN), NULL);
    for (i = n->n_in; depth > 0 && !t && --i >= 0;) {
        const node *from = find(r->g, n->in[i].name);

        if (from && (moves(from) || is_pointwise(from)) && (t = traced(r, from, s, depth - 1)))
            t = is_pointwise(n) ? t : moved_by(r, n, 0, i, t, NULL);
    }
    return t;
}

/* S is computed where the result of its target has its elements. */
static tags *places_into(struct run *r, struct stored *s, struct stored *target)
{
    tags *whole = moves(target->n) ? places_of(r, target) : NULL,
         *in = whole ? traced(r, target->n, s, 4) : NULL;
    tags *t = numbered(&s->n->out[s->k], OTHER);
    size_t found = 0;

    for (size_t p = 0; t && in && target->k == 0 && in->n == whole->n && p < in->n; p++) {
        size_t e = in->at[p] & 0xffffffff;

        if (in->at[p] >> 32 == OWN && t->at[e] >> 32 == OTHER) {
            t->at[e] = whole->at[p];
            found++;
        }
    }
    return t && found == t->n ? t : NULL;
}

/* The bits of an element: f32, bf16, boolean. */
static long width_of(word type)
{
    long n = strtol(type + strcspn(type, "0123456789"), NULL, 10);

    return n ? n : 8;
}

/* The value whose buffer S is in. */
static struct stored *root_of(struct run *r, struct stored *s)
{
    for (size_t i = 0; i < r->g->n_nodes && s->n->out[s->k].note; i++)
        s = stored_of(r, s->n->out[s->k].target);
    return s;
}

static tags *places_of(struct run *r, struct stored *s)
{
    const value *v = &s->n->out[s->k];
    struct stored *target = v->note ? stored_of(r, v->target) : NULL;
    int i = target ? operand_of(s->n, v->target) : -1;

    if (s->places || s->placing)
        return s->places;
    s->placing = true;
    if (target && width_of(v->type) < 8)
        return NULL; /* elements share bytes */
    if (target && width_of(v->type) != width_of(target->n->out[target->k].type)) {
        blame(r, s->n, "its elements have another width than its buffer");
        return NULL;
    }
    if (!v->note) {
        r->owners[r->n_buffers] = s->n;
        s->places = numbered(v, r->n_buffers++);
    } else if (target && v->note == INTO) {
        s->places = places_into(r, s, target);
    } else if (target && places_of(r, target)) {
        if (v->note == VIEW_OF && i >= 0)
            s->places = moved_by(r, s->n, s->k, i, target->places, NULL);
        else if (v->note == OVERWRITES && i >= 0)
            s->places = target->places;
        else
            blame(r, s->n, "its buffer is that of no operand");
    }
    for (size_t e = 0; s->places && e < s->places->n; e++) {
        if (s->places->at[e] >> 32 >= r->n_buffers) { /* an element of another operand */
            blame(r, s->n, "its buffer has not all of its elements");
            return s->places = NULL;
        }
    }
    if (target && s->places)
        s->shared = root_of(r, s)->shared = target->shared = true;
    if (v->note == OVERWRITES && s->places && s->places->n != numbered(v, OWN)->n) {
        blame(r, s->n, "it is larger or smaller than its buffer");
    }
    return s->places;
}

static tags *content_of(struct run *r, struct stored *s)
{
    (void)r;
    return s->content;
}

/* Does the place P hold what it should? */
static bool holds(struct run *r, tag p, tag content)
{
    const tag *b = r->buffers[p >> 32];

    return !b || b[p & 0xffffffff] == content;
}

/* N moves elements of operand I, which is S, to OUT: those that do not lie there yet must be where
 * they belong, and if one is moved over another one, all must move by one distance. */
static void check_moves(struct run *r, const node *n, int i, struct stored *s, struct stored *out)
{
    tags *from = moved_by(r, n, out->k, i, numbered(&s->n->out[s->k], OWN), NULL);
    size_t room = out->shared ? root_of(r, out)->places->n : 0;
    bool *moves_to = scratch(room + 1), meets = false, alike = true;
    tag distance = 0;

    for (int twice = 0; twice < 2; twice++) {
        for (size_t e = 0; from && e < from->n; e++) {
            size_t at = from->at[e] & 0xffffffff;
            tag p, q = out->shared ? out->places->at[e] : 0;

            if (from->at[e] >> 32 != OWN || (out->shared && holds(r, q, out->content->at[e])))
                continue;
            p = s->places->at[at];
            if (!holds(r, p, s->content->at[at]))
                blame(r, n, "it reads an element that was written over before");
            alike = alike && (distance == 0 || distance == q - p);
            distance = q - p;
            if (room)
                moves_to[q & 0xffffffff] = true;
            meets = meets || (twice && room && p >> 32 == q >> 32 && moves_to[p & 0xffffffff]);
        }
    }
    if (meets && !alike)
        blame(r, n, "it moves elements over others that it has to move");
}

static bool broadcasts_to(const shape *from, const shape *to)
{
    bool fits = from->rank <= to->rank;

    for (int a = 1; fits && a <= from->rank; a++)
        fits =
            from->dims[from->rank - a] == 1 || from->dims[from->rank - a] == to->dims[to->rank - a];
    return fits;
}

/* OUT is written element by element: what is read for one element must not be written for another.
 */
static void check_in_step(struct run *r, const node *n, struct stored *s, struct stored *out)
{
    size_t *written_for = scratch((root_of(r, out)->places->n + 1) * sizeof *written_for);

    if (!broadcasts_to(&s->places->shape, &out->places->shape)) {
        blame(r, n, "its shape is not what its operands give");
        return;
    }
    for (size_t e = 0; e < out->places->n; e++)
        written_for[out->places->at[e] & 0xffffffff] = e + 1;
    for (size_t e = 0; e < out->places->n; e++) {
        tag p = s->places->at[broadcast_at(&s->places->shape, &out->places->shape, e)];
        size_t by = p >> 32 == out->places->at[0] >> 32 ? written_for[p & 0xffffffff] : 0;

        if (by && by != e + 1)
            blame(r, n, "it writes over an element that it reads for another one");
    }
}

static bool meet(const tags *a, const tags *b)
{
    for (size_t e = 0; e < a->n && b->n > 0; e++) {
        if (a->at[e] >> 32 == b->at[0] >> 32)
            return true;
    }
    return false;
}

/* The value assigned to a variable whose buffer was written must be what lies there. */
static void check_state(struct run *r, const node *n, const struct stored *s)
{
    const attr *own = attr_of(n, "variable_id");

    for (size_t i = 0; own && i < r->g->n_nodes; i++) {
        const node *from = r->g->nodes[i];
        const attr *other = is_op(from, "ReadValue") ? attr_of(from, "variable_id") : NULL;
        const struct stored *state = from->stored;
        bool same = s->places->n == (other ? state->places->n : 0);

        if (!other || other->n != own->n || memcmp(other->text, own->text, own->n) != 0 ||
            !state->shared)
            continue;
        for (size_t e = 0; same && e < s->places->n; e++)
            same = s->places->at[e] == state->places->at[e];
        for (size_t e = 0; !same && e < state->places->n; e++) {
            if (!holds(r, state->places->at[e], state->content->at[e]))
                blame(r, n, "another value lies in the buffer of the variable");
        }
    }
}

static void check_reads(struct run *r, const node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        struct stored *s = stored_of(r, n->in[i]);

        if (s && is_op(n, "Assign"))
            check_state(r, n, s);
        if (s && is_op(n, "Result") && s->places && s->n->out[s->k].note == VIEW_OF &&
            s->places->n != root_of(r, s)->places->n)
            blame(r, n, "it is a part of a buffer, and leaves the run");
        if (!s || !s->shared || is_op(n, "ShapeOf"))
            continue;
        for (struct stored *out = n->stored; out && moves(n); out = out->next) {
            if (n->out[out->k].note != VIEW_OF)
                check_moves(r, n, i, s, out);
        }
        for (size_t e = 0; e < s->places->n && !(n->stored && moves(n)); e++) {
            if (!holds(r, s->places->at[e], s->content->at[e]))
                blame(r, n, "it reads an element that was written over before");
        }
        for (struct stored *out = n->stored; out && !moves(n); out = out->next) {
            if (!out->shared || !meet(s->places, out->places))
                continue;
            if (is_pointwise(n))
                check_in_step(r, n, s, out);
            else
                assume(r->v, BY_NOTE, NULL, n->name, "its kernel writes over what it reads");
        }
    }
}

static void write(struct run *r, struct stored *s)
{
    for (size_t e = 0; e < s->places->n; e++) {
        tag p = s->places->at[e], *b = r->buffers[p >> 32];

        if (is_op(r->owners[p >> 32], "Const") && s->n != r->owners[p >> 32] &&
            b[p & 0xffffffff] != s->content->at[e])
            blame(r, s->n, "it writes over a constant");
        b[p & 0xffffffff] = s->content->at[e];
    }
}

static void run_node(struct run *r, const node *n)
{
    check_reads(r, n);
    for (struct stored *s = n->stored; s; s = s->next) {
        if (s->shared && n->out[s->k].note != VIEW_OF)
            write(r, s);
    }
}

/* A note that cannot be followed is assumed, and what lies in its buffer is not looked at. */
static void forget_unknown(struct run *r)
{
    for (size_t i = 0; i < r->g->n_nodes; i++) {
        const node *n = r->g->nodes[i];

        for (int k = 0; k < n->n_out; k++) {
            struct stored *s = stored_of(r, (operand){n->name, k}),
                          *target = stored_of(r, n->out[k].target);

            if (!n->out[k].note || (s && s->places))
                continue;
            assume(r->v, BY_NOTE, NULL, n->name, "where its elements lie cannot be told");
            if (target && target->places && target->places->n > 0)
                r->buffers[target->places->at[0] >> 32] = NULL;
        }
    }
    for (size_t i = 0; i < r->g->n_nodes; i++) {
        for (struct stored *s = r->g->nodes[i]->stored; s; s = s->next)
            s->shared =
                s->shared && s->places && s->places->n > 0 && r->buffers[s->places->at[0] >> 32];
    }
}

/* Finds where everything lies, and gives the buffers that several values share room. */
static void place_all(struct run *r)
{
    for (size_t i = 0; i < r->g->n_nodes; i++) {
        for (struct stored *s = r->g->nodes[i]->stored; s; s = s->next)
            places_of(r, s);
    }
    r->buffers = scratch(r->n_buffers * sizeof *r->buffers);
    for (size_t i = 0; i < r->g->n_nodes; i++) {
        const node *n = r->g->nodes[i];

        for (struct stored *s = n->stored; s; s = s->next) {
            s->content = moves(n) ? moved_by(r, n, s->k, -1, NULL, content_of) : NULL;
            if (!s->content)
                s->content = numbered(&n->out[s->k], (uint64_t)i * 16 + (uint64_t)s->k + 1);
            if (s->shared && !n->out[s->k].note && s->places->n > 0)
                r->buffers[s->places->at[0] >> 32] = scratch((s->places->n + 1) * sizeof(tag));
        }
    }
    forget_unknown(r);
}

static void store_all(struct run *r)
{
    size_t n = 0, total = 0;

    for (size_t i = 0; i < r->g->n_nodes; i++) {
        node *at = r->g->nodes[i];

        at->stored = NULL;
        for (int k = is_op(at, "Result") ? -1 : at->n_out - 1; k >= 0; k--) {
            struct stored *s = scratch(sizeof *s);
            size_t elements;

            if (!at->out[k].type || !count_of(at->out[k].shape, &elements) ||
                total + elements > MOST)
                continue;
            total += elements;
            *s = (struct stored){.n = at, .k = k, .next = at->stored};
            at->stored = s;
            n++;
        }
    }
    r->owners = scratch((n + 1) * sizeof *r->owners);
}

static size_t count_notes(const graph *g, verdict *v)
{
    size_t n = 0;

    for (size_t i = 0; i < g->n_nodes; i++) {
        for (int k = 0; k < g->nodes[i]->n_out; k++)
            n += g->nodes[i]->out[k].note != FRESH;
        for (int b = 0; b < g->nodes[i]->n_bodies; b++) {
            size_t within = count_notes(g->nodes[i]->bodies[b], v);

            if (within > 0)
                assume(v, BY_NOTE, NULL, g->nodes[i]->name, "notes in a body");
            n += within;
        }
    }
    return n;
}

bool check_notes(const graph *out, verdict *v)
{
    struct run r = {.g = out, .v = v};

    v->n_notes = count_notes(out, v);
    if (v->n_notes == 0)
        return true;
    store_all(&r);
    place_all(&r);
    for (size_t i = 0; i < 2 * out->n_nodes && !r.why; i++) {
        const node *n = out->nodes[i % out->n_nodes];

        if ((is_op(n, "Result") || is_op(n, "Assign")) == (i >= out->n_nodes)) /* at the end */
            run_node(&r, n);
    }
    if (r.why)
        refuse(v, NULL, "notes of OUT: \"%s\" (line %zu): %s", r.at->name, r.at->line, r.why);
    scratch_ends();
    return !v->refused;
}
