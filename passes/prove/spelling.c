/* Windows that are given as lists, by operands or attributes: starts, stops, steps, axes. The same
 * lists mean the same window of data of the same sizes, because all operations clamp them in the
 * same way. */
#include "passes/prove/contracts.h"

#include <string.h>

enum { START, STOP, STEP, AXES };

/* The attribute of N that is the list ROLE, as a value; NULL: there is none. */
static const prove_value *attribute(prove_case *c, const prove_node *n, inlay_role role)
{
    const inlay_op *op = n->from->rows[0];
    int at = op->attr_of ? op->attr_of[role] : -1;
    const rule_attr *a = at >= 0 ? prove_attr(n, op->attrs[at].name) : NULL;
    prove_name *name = a && a->var >= 0 ? &c->names[a->var] : NULL;

    if (!name)
        return NULL;
    if (!name->value && !name->absent) {
        name->absent = !op->attrs[at].required && prove_choose(c, 2) == 1;
        name->value = name->absent ? NULL : prove_free_value(c);
    }
    return name->value;
}

static const prove_value *list(prove_case *c, const prove_node *n, int i)
{
    inlay_role role = (inlay_role)(INLAY_ROLE_START + i);
    int at = inlay_op_operand(n->from->rows[0], role);

    if (at < 0)
        return attribute(c, n, role);
    return at < n->n_in ? n->in[at] : NULL;
}

/* Steps of 1 count as absent. */
static void read_lists(prove_case *c, const prove_node *n, const prove_value **lists)
{
    for (int i = 0; i < PROVE_SPELT; i++)
        lists[i] = list(c, n, i);
    if (lists[STEP] && lists[STEP]->ones_of == lists[START])
        lists[STEP] = NULL;
}

/* V is integers that the rule writes. */
static bool is_written(const prove_value *v)
{
    bool written = v->n_ints >= 0 && v->rank == 1;

    for (int i = 0; i < v->n_ints && written; i++)
        written = v->ints[i]->op == SMT_INT;
    return written;
}

/* A and B are one list, or have the same numbers; NULL: absent. */
static bool same_list(const prove_value *a, const prove_value *b)
{
    bool same = a && b && is_written(a) && is_written(b) && a->n_ints == b->n_ints;

    for (int i = 0; same && i < a->n_ints; i++)
        same = a->ints[i]->n == b->ints[i]->n;
    return same || a == b;
}

static bool spells(const prove_spelling *s, const prove_value *const *lists,
                   const prove_value *data)
{
    bool same = s->window->rank == data->rank;

    for (int i = 0; i < PROVE_SPELT; i++)
        same = same && same_list(s->lists[i], lists[i]);
    for (int i = 0; same && i < data->rank; i++)
        same = smt_same(s->window->axis[i].size, data->dim[i]);
    return same;
}

static prove_spelling *new_spelling(prove_case *c, prove_window *w)
{
    prove_spelling *s = c->windows.spellings;

    if (c->windows.n_spellings == PROVE_PLACES)
        prove_unknown(c, "too many spellings of windows");
    else
        s += c->windows.n_spellings++;
    *s = (prove_spelling){.window = w};
    return s;
}

static prove_window *new_window(prove_case *c, const prove_value *data)
{
    prove_window *w = prove_new_window(c, data->rank, data->dim);

    w->proper = smt_constant(&c->pool, "proper", "Bool");
    return w;
}

/* ---- windows of numbers that the rule writes, in steps of 1 ---- */

static bool are_written(const prove_value *const *lists)
{
    bool written = lists[START] && lists[STOP];

    for (int i = 0; i < PROVE_SPELT && written; i++)
        written = !lists[i] || is_written(lists[i]);
    for (int i = 0; written && lists[STEP] && i < lists[STEP]->n_ints; i++)
        written = lists[STEP]->ints[i]->n == 1;
    return written;
}

/* X of an axis of SIZE elements: counted from the end if negative, then clamped. No size is above
 * the largest integer. */
static const smt *clamped(prove_case *c, int64_t x, const smt *size)
{
    smt_pool *p = &c->pool;
    const smt *zero = smt_int(p, 0), *at = smt_int(p, x);

    if (x == 0 || x == INT64_MAX)
        return x == 0 ? zero : size;
    if (x > 0)
        return smt_ite(p, smt_le(p, at, size), at, size);
    at = smt_add(p, size, at);
    return smt_ite(p, smt_le(p, zero, at), at, zero);
}

static void state_numbers(prove_case *c, const prove_window *w, int axis, int64_t start,
                          int64_t stop)
{
    smt_pool *p = &c->pool;
    const smt *from = clamped(c, start, w->axis[axis].size);
    const smt *count = smt_sub(p, clamped(c, stop, w->axis[axis].size), from);
    const smt *zero = smt_int(p, 0);

    prove_assume(c,
                 smt_eq(p, w->axis[axis].count, smt_ite(p, smt_le(p, zero, count), count, zero)));
    contract_run(c, w, axis, from);
}

/* It is an error if lists have different lengths, or if they name an axis twice or one that is not
 * there. */
static void state_written(prove_case *c, prove_window *w, const prove_value *const *lists)
{
    int n = lists[START]->n_ints;
    bool named[PROVE_RANK] = {false};

    for (int i = 0; i < PROVE_SPELT; i++)
        prove_need(c, !lists[i] || lists[i]->n_ints == n);
    for (int i = 0; i < n && !c->cut; i++) {
        int64_t axis = lists[AXES] ? lists[AXES]->ints[i]->n : i;

        axis += axis < 0 ? w->rank : 0;
        prove_need(c, axis >= 0 && axis < w->rank && !named[axis]);
        if (c->cut)
            return;
        named[axis] = true;
        state_numbers(c, w, (int)axis, lists[START]->ints[i]->n, lists[STOP]->ints[i]->n);
    }
    for (int i = 0; i < w->rank && !c->cut; i++) {
        if (!named[i])
            contract_whole(c, w, i);
    }
    w->proper = smt_bool(true);
}

prove_window *prove_spelt_window(prove_case *c, const prove_node *n)
{
    const prove_value *lists[PROVE_SPELT];
    prove_spelling *s;

    prove_rank(c, n->in[0]);
    read_lists(c, n, lists);
    for (int i = 0; i < c->windows.n_spellings && !c->cut; i++) {
        if (spells(&c->windows.spellings[i], lists, n->in[0]))
            return c->windows.spellings[i].window;
    }
    if (c->cut)
        return NULL;
    s = new_spelling(c, new_window(c, n->in[0]));
    memcpy(s->lists, lists, sizeof s->lists);
    if (!c->cut && are_written(lists))
        state_written(c, s->window, lists);
    return s->window;
}

/* Makes W's lists values of their own, also those that nothing has asked for yet: an absent list
 * differs from a given one. */
static prove_spelling *spell(prove_case *c, prove_window *w)
{
    prove_spelling *s = new_spelling(c, w);

    for (int i = 0; i < PROVE_SPELT; i++)
        s->lists[i] = s->asked[i] = prove_free_value(c);
    return s;
}

prove_value *prove_spell(prove_case *c, prove_window *w, int list)
{
    prove_spelling *s = NULL;

    for (int i = 0; i < c->windows.n_spellings && !s; i++)
        s = c->windows.spellings[i].window == w ? &c->windows.spellings[i] : NULL;
    return (s ? s : spell(c, w))->asked[list];
}
