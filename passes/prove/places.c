/* Which positions (places) of the data indices name, and which update wins at each of them: the
 * last one. Scatters over the same indices into data of the same sizes share this, even if one of
 * them takes the indices with one more axis, of size 1, as tuples of one component. */
#include "passes/prove/rows.h"

#include <string.h>

const smt *prove_index_at(prove_case *c, const prove_value *v, const smt *const *at)
{
    return prove_integer(c, prove_element(c, v, at));
}

/* An index below zero counts from the end. */
static const smt *from_front(prove_case *c, const smt *index, const smt *size)
{
    smt_pool *p = &c->pool;

    return smt_ite(p, smt_lt(p, index, smt_int(p, 0)), smt_add(p, index, size), index);
}

/* The indices before they got a last axis of size 1, or NULL. */
static prove_value *without_last(prove_value *v)
{
    const prove_node *n = v->node;

    if (!n || !(n->row->flags & PROVE_BRINGS_AXES) || n->in[0]->rank + 1 != v->rank ||
        !n->axes[v->rank - 1])
        return NULL;
    return n->in[0];
}

/* INDICES with one more axis of size 1, as tuples of one component; or NULL. */
static prove_value *with_last(prove_value *v)
{
    const prove_node *n = v->node;

    if (!n || !(n->row->flags & PROVE_TAKES_AXES) || n->in[0]->rank != v->rank + 1 ||
        !n->axes[v->rank])
        return NULL;
    return n->in[0];
}

static void find_root(prove_places *h, prove_value *indices)
{
    prove_value *tuples = h->kind == PROVE_SINGLE ? with_last(indices) : NULL;
    prove_value *single = h->kind == PROVE_TUPLES && h->n == 1 ? without_last(indices) : NULL;

    h->indices = tuples ? tuples : single ? single : indices;
    if (tuples)
        h->kind = PROVE_TUPLES;
    if (single)
        h->kind = PROVE_SINGLE;
    h->n_last = h->kind == PROVE_ELEMENTS ? 1
                : h->kind == PROVE_SINGLE ? h->indices->rank
                                          : h->indices->rank - 1;
}

void prove_place_of(prove_case *c, const prove_places *h, const smt *const *at, const smt **place)
{
    const smt *full[PROVE_RANK + 1], *index;
    int rank = h->indices->rank;

    memcpy(full, at, (size_t)(rank - (h->kind == PROVE_TUPLES)) * sizeof *full);
    for (int i = 0; i < h->n; i++) {
        if (h->kind == PROVE_TUPLES)
            full[rank - 1] = smt_int(&c->pool, i);
        place[i] = at[i];
        if (h->kind == PROVE_ELEMENTS && i != h->axis)
            continue;
        index = prove_index_at(c, h->indices, full);
        place[i] = h->raw ? index : from_front(c, index, h->size[i]);
    }
}

/* Axis I of V is one that an Unsqueeze brought, or known to be 1, so that it has one place. */
static bool is_brought(const prove_value *v, int i)
{
    return (v->node && (v->node->row->flags & PROVE_BRINGS_AXES) && v->node->axes[i]) ||
           (!v->node && v->dim[i]->op == SMT_INT && v->dim[i]->n == 1);
}

/* The indices of H, which point to single elements, are those of H->GIVEN, repeated beside their
 * axis. */
static bool is_repeated(const prove_places *h)
{
    return h->kind == PROVE_ELEMENTS && h->indices->node && h->indices->node->single;
}

/* The indices of H are those of H->GIVEN, which are repeated elsewhere, as one list. */
static bool is_listed(const prove_case *c, const prove_places *h)
{
    const prove_node *n = h->indices->node;

    return n && h->kind == PROVE_SINGLE && prove_is_type(n->row->type, "Reshape") &&
           h->indices->rank == 1 && prove_count_calls(c->rule, "repeated_beside") > 0;
}

/* Makes variables X for the position AT of an update, of which axes have one place alone; returns
 * the condition that there is such an update. */
static const smt *any_update(prove_case *c, const prove_places *h, const smt **at, const smt **x,
                             int *n)
{
    smt_pool *p = &c->pool;
    const smt *within = smt_bool(true);

    *n = 0;
    for (int i = 0; i < h->indices->rank - (h->kind == PROVE_TUPLES); i++) {
        at[i] = smt_int(p, 0);
        if (is_brought(h->indices, i))
            continue;
        at[i] = x[(*n)++] = smt_variable(p);
        within = smt_and(p, within, smt_within(p, smt_int(p, 0), at[i], h->indices->dim[i]));
    }
    return within;
}

/* T consists of calls and sums alone, so that the solver can use it as a pattern. */
static bool is_pattern(const smt *t)
{
    bool plain = t->op == SMT_APPLY || t->op == SMT_INT || t->op == SMT_ADD || t->op == SMT_SUB;

    for (int i = 0; plain && i < t->n_args; i++)
        plain = is_pattern(t->arg[i]);
    return plain;
}

/* Does the same with a pattern: the solver uses it where it meets component number K of a tuple. */
static const smt *of_each_by(prove_case *c, const prove_places *h, int k, about_update *body,
                             void *ctx)
{
    smt_pool *p = &c->pool;
    const smt *at[PROVE_RANK + 1], *x[PROVE_RANK], *element, *within;
    int n;

    within = any_update(c, h, at, x, &n);
    if (h->kind == PROVE_TUPLES)
        at[h->indices->rank - 1] = smt_int(p, k);
    element = prove_element(c, h->indices, at);
    if (n > 0 && (element->op != SMT_APPLY || !is_pattern(element))) {
        prove_unknown(c, "indices that are computed");
        return within;
    }
    if (n == 1 && smt_same(prove_integer(c, element), x[0])) { /* indices that are 0, 1, 2, ... */
        const smt *tried = smt_apply(p, h->hit, 1, x);

        return smt_all(p, x[0], smt_implies(p, within, body(c, h, at, ctx)), tried);
    }
    return smt_all_of(p, n, x, smt_implies(p, within, body(c, h, at, ctx)), element);
}

const smt *prove_of_each_update(prove_case *c, const prove_places *h, about_update *body, void *ctx)
{
    const smt *all = smt_bool(true);

    if (h->given && (is_repeated(h) || is_listed(c, h)))
        return prove_of_each_update(c, h->given, body, ctx);
    for (int i = 0; i < h->n_parts; i++)
        all = smt_and(&c->pool, all, prove_of_each_update(c, h->parts[i], body, ctx));
    if (h->n_parts > 0)
        return all;
    for (int k = 0; k < (h->kind == PROVE_TUPLES ? h->n : 1); k++)
        all = smt_and(&c->pool, all, of_each_by(c, h, k, body, ctx));
    return all;
}

/* The place that the update is written to is hit. */
static const smt *is_written(prove_case *c, const prove_places *h, const smt *const *at, void *ctx)
{
    const smt *place[PROVE_RANK];

    (void)ctx;
    prove_place_of(c, h, at, place);
    return smt_apply(&c->pool, h->hit, h->n, place);
}

void prove_last_at(prove_case *c, const prove_places *h, const smt *const *place, const smt **at)
{
    for (int i = 0; h->kind == PROVE_ELEMENTS && i < h->n; i++)
        at[i] = place[i];
    for (int i = 0; i < h->n_last; i++)
        at[h->kind == PROVE_ELEMENTS ? h->axis : i] = smt_apply(&c->pool, h->last[i], h->n, place);
}

/* Each place that is hit has an update that writes it: its last one. */
static void state_last(prove_case *c, const prove_places *h)
{
    smt_pool *p = &c->pool;
    const smt *x[PROVE_RANK], *at[PROVE_RANK + 1], *place[PROVE_RANK], *there = smt_bool(true),
                                                                       *hit;
    int n = h->indices->rank - (h->kind == PROVE_TUPLES);

    for (int i = 0; i < h->n; i++)
        x[i] = smt_variable(p);
    hit = smt_apply(p, h->hit, h->n, x);
    prove_last_at(c, h, x, at);
    for (int i = 0; i < n; i++)
        there = smt_and(p, there, smt_within(p, smt_int(p, 0), at[i], h->indices->dim[i]));
    prove_place_of(c, h, at, place);
    for (int i = 0; i < h->n; i++)
        there = smt_and(p, there, smt_eq(p, place[i], x[i]));
    prove_assume(c, smt_all_of(p, h->n, x, smt_implies(p, hit, there), hit));
}

static const smt *is_inside(prove_case *c, const prove_places *h, const smt *const *at, void *ctx)
{
    smt_pool *p = &c->pool;
    const smt *inside = smt_bool(true), *full[PROVE_RANK + 1], *zero = smt_int(p, 0);
    int rank = h->indices->rank;

    memcpy(full, at, (size_t)(rank - (h->kind == PROVE_TUPLES)) * sizeof *full);
    for (int i = 0; i < h->n; i++) {
        const smt *lo = *(const bool *)ctx ? smt_sub(p, zero, h->size[i]) : zero;

        if (h->kind == PROVE_TUPLES)
            full[rank - 1] = smt_int(p, i);
        if (h->kind != PROVE_ELEMENTS || i == h->axis)
            inside = smt_and(p, inside,
                             smt_within(p, lo, prove_index_at(c, h->indices, full), h->size[i]));
    }
    return inside;
}

const smt *prove_points_inside(prove_case *c, const prove_places *h, bool from_end)
{
    return prove_of_each_update(c, h, is_inside, &from_end);
}

/* The Concat of indices along their first axis that makes V; NULL: it is not one. */
static const prove_node *joining(const prove_value *v)
{
    const prove_node *n = v->node;

    return n && strcmp(n->row->type, "Concat") == 0 && n->axis == 0 && n->n_in <= PROVE_LIST ? n
                                                                                             : NULL;
}

/* The last update that the indices of H from part I on write at PLACE. */
static void last_of_parts(prove_case *c, const prove_places *h, int i, const smt *const *place,
                          const smt **at)
{
    smt_pool *p = &c->pool;
    const prove_places *part = h->parts[i];
    const smt *behind[PROVE_RANK + 1], *hit = smt_bool(false);

    prove_last_at(c, part, place, at);
    if (i + 1 >= h->n_parts)
        return;
    last_of_parts(c, h, i + 1, place, behind);
    behind[0] = smt_add(p, behind[0], part->indices->dim[0]);
    for (int k = i + 1; k < h->n_parts; k++)
        hit = smt_or(p, hit, smt_apply(p, h->parts[k]->hit, h->n, place));
    for (int k = 0; k < h->n_last; k++)
        at[k] = smt_ite(p, hit, behind[k], at[k]);
}

/* Joined indices hit the places that their parts hit, and the last part that hits a place wins. */
static void state_parts(prove_case *c, const prove_places *h)
{
    smt_pool *p = &c->pool;
    const smt *x[PROVE_RANK], *last[PROVE_RANK + 1], *at[PROVE_RANK + 1], *any = smt_bool(false);
    const smt *hit, *same;

    for (int i = 0; i < h->n; i++)
        x[i] = smt_variable(p);
    hit = smt_apply(p, h->hit, h->n, x);
    for (int i = 0; i < h->n_parts; i++)
        any = smt_or(p, any, smt_apply(p, h->parts[i]->hit, h->n, x));
    same = smt_eq(p, hit, any);
    last_of_parts(c, h, 0, x, last);
    prove_last_at(c, h, x, at);
    for (int i = 0; i < h->n_last; i++)
        same = smt_and(p, same, smt_implies(p, hit, smt_eq(p, at[i], last[i])));
    prove_assume(c, smt_all_of(p, h->n, x, same, hit));
}

/* The places of the indices that an Unsqueeze or a Transpose turned into those of ASKED; NULL: none
 * did. */
static const prove_places *given_places(prove_case *c, const prove_places *asked)
{
    const prove_node *n = asked->indices->node;
    bool turned = n && asked->kind == PROVE_ELEMENTS && prove_is_type(n->row->type, "Transpose");
    prove_places given = *asked;

    if (is_listed(c, asked))
        return prove_places_of(c, n->in[0], given);
    if (is_repeated(asked)) {
        given = (prove_places){.kind = PROVE_SINGLE, .n = 1, .raw = asked->raw};
        given.size[0] = asked->size[asked->axis];
        prove_need(c, n->axis == asked->axis);
        return prove_places_of(c, n->in[0], given);
    }
    if (turned) {
        given.axis = n->order[asked->axis];
        for (int i = 0; i < asked->n; i++)
            given.size[n->order[i]] = asked->size[i];
    }
    turned = turned || (n && asked->kind == PROVE_SINGLE && (n->row->flags & PROVE_BRINGS_AXES));
    return turned ? prove_places_of(c, n->in[0], given) : NULL;
}

/* What is written by repeated indices, or by the same as one list, is what their givers write. */
static void state_as_given(prove_case *c, const prove_places *h)
{
    smt_pool *p = &c->pool;
    const prove_node *n = h->indices->node;
    const prove_value *of = n->in[0];
    const smt *x[PROVE_RANK], *last[PROVE_RANK], *within = smt_bool(true), *hit, *at;
    bool listed = is_listed(c, h);

    for (int i = 0; i < h->n; i++)
        x[i] = smt_variable(p);
    for (int i = 0; i < h->n && !listed; i++) {
        if (i != h->axis)
            within = smt_and(p, within, smt_within(p, smt_int(p, 0), x[i], h->indices->dim[i]));
    }
    at = x[listed ? 0 : h->axis];
    for (int i = 0; i < of->rank; i++)
        last[i] = is_brought(of, i) ? smt_int(p, 0) : smt_apply1(p, h->given->last[i], at);
    hit = smt_apply(p, h->hit, h->n, x);
    within = smt_eq(p, hit, smt_and(p, within, smt_apply1(p, h->given->hit, at)));
    at = listed ? prove_number(c, of, last) : smt_int(p, 0);
    for (int i = 0; i < of->rank && !listed; i++)
        at = n->order[i] == h->axis ? last[i] : at;
    prove_assume(c, smt_all_of(p, h->n, x,
                               smt_and(p, within, smt_eq(p, smt_apply(p, h->last[0], h->n, x), at)),
                               hit));
}

/* PLACE in the order of axes that the given indices have. */
static void given_place(const prove_places *h, const smt *const *place, const smt **out)
{
    for (int i = 0; i < h->n; i++)
        out[h->kind == PROVE_ELEMENTS ? h->indices->node->order[i] : i] = place[i];
}

/* Neither axes of one place nor another order of axes change which places are written, and of the
 * updates of a place, which differ along one axis alone where axes are turned, which is the last.
 */
static void state_given(prove_case *c, const prove_places *h)
{
    smt_pool *p = &c->pool;
    const smt *x[PROVE_RANK], *before[PROVE_RANK], *hit, *same;

    for (int i = 0; i < h->n; i++)
        x[i] = smt_variable(p);
    given_place(h, x, before);
    hit = smt_apply(p, h->hit, h->n, x);
    same = smt_eq(p, hit, smt_apply(p, h->given->hit, h->n, before));
    for (int i = 0, k = 0; i < h->n_last; i++) {
        bool brought = h->kind == PROVE_SINGLE && is_brought(h->indices, i);
        const smt *last = brought ? smt_int(p, 0) : smt_apply(p, h->given->last[k++], h->n, before);

        same = smt_and(p, same, smt_eq(p, smt_apply(p, h->last[i], h->n, x), last));
    }
    prove_assume(c, smt_all_of(p, h->n, x, same, hit));
}

static bool is_same(const prove_places *a, const prove_places *b)
{
    bool same = a->indices == b->indices && a->kind == b->kind && a->n == b->n &&
                a->axis == b->axis && a->raw == b->raw;

    for (int i = 0; same && i < a->n; i++)
        same = smt_same(a->size[i], b->size[i]);
    return same;
}

const prove_places *prove_places_of(prove_case *c, prove_value *indices, prove_places asked)
{
    const prove_node *joined;
    prove_places *h;

    find_root(&asked, indices);
    joined = asked.n_last == 0 || asked.kind == PROVE_ELEMENTS ? NULL : joining(asked.indices);
    for (int i = 0; joined && i < joined->n_in && prove_goes_on(c); i++) {
        prove_places part = asked;

        part.n_parts = 0;
        asked.parts[asked.n_parts++] = prove_places_of(c, joined->in[i], part);
    }
    for (int i = 0; i < c->windows.n_places; i++) {
        if (is_same(&c->windows.places[i], &asked))
            return &c->windows.places[i];
    }
    asked.given = given_places(c, &asked);
    if (c->windows.n_places == PROVE_PLACES) {
        prove_unknown(c, "too many operands of indices");
        return c->windows.places;
    }
    h = &c->windows.places[c->windows.n_places++];
    *h = asked;
    c->windows.wide = c->windows.wide || (h->kind == PROVE_TUPLES && h->n > 1);
    if (c->cut)
        return h;
    h->hit = smt_function(&c->pool, "hit", h->n, false, "Bool");
    for (int i = 0; i < h->n_last; i++)
        h->last[i] = smt_function(&c->pool, "last", h->n, false, "Int");
    if (h->n_parts > 0) {
        state_parts(c, h);
        return h;
    }
    if (h->given && (is_repeated(h) || is_listed(c, h)))
        state_as_given(c, h);
    else if (h->given)
        state_given(c, h);
    state_last(c, h);
    prove_assume(c, prove_of_each_update(c, h, is_written, NULL));
    return h;
}
