#include "interp/audit/tags.h"

#include "interp/audit/audit.h"
#include "ir/shared.h"

#include <stdlib.h>

static size_t representative(const exec_instance *x, size_t allocation)
{
    return x->allocations[allocation].same;
}

static bool is_apart(const exec_instance *x, size_t allocation)
{
    return representative(x, allocation) == allocation &&
           !exec_in_arena(&x->allocations[allocation]) &&
           x->allocations[allocation].root != EXEC_CONST;
}

/* Whether allocation U is bound to a tensor in the run. Such a tensor may have negative strides,
 * and then extends to both sides of its address, so its space has room on both sides. */
static bool is_outer(const exec_allocation *u)
{
    return u->root == EXEC_INPUT || u->root == EXEC_STATE || (u->root == EXEC_MADE && !u->room);
}

static uint64_t bytes_of(const exec_allocation *u)
{
    return is_outer(u) ? 2 * u->bytes : u->bytes;
}

static bool make_space(audit_space *s, uint64_t bytes)
{
    *s = (audit_space){inlay_take(NULL, (size_t)bytes + 1, sizeof *s->tag), bytes};
    return s->tag != NULL;
}

bool tags_begin(audit_tags *t, const exec_instance *x, bool *fits)
{
    uint64_t all = x->arena.bytes;

    *t = (audit_tags){.x = x};
    *fits = all <= AUDIT_MOST;
    for (size_t i = 0; *fits && i < x->n_allocations; i++) {
        all += is_apart(x, i) ? bytes_of(&x->allocations[i]) : 0;
        *fits = x->allocations[i].bytes <= AUDIT_MOST && all <= AUDIT_MOST;
    }
    if (!*fits)
        return true;
    t->spaces =
        inlay_take(inlay_graph_budget(x->steps->graph), x->n_allocations + 1, sizeof *t->spaces);
    t->from = inlay_take(inlay_graph_budget(x->steps->graph), x->n_values + 1, sizeof *t->from);
    t->seen = inlay_take(inlay_graph_budget(x->steps->graph), x->n_values + 1, sizeof *t->seen);
    if (!t->spaces || !t->from || !t->seen ||
        !make_space(&t->spaces[x->n_allocations], x->arena.bytes))
        return false;
    for (size_t i = 0; i < x->n_allocations; i++) {
        if (is_apart(x, i) && !make_space(&t->spaces[i], bytes_of(&x->allocations[i])))
            return false;
    }
    return true;
}

void tags_end(audit_tags *t)
{
    for (size_t i = 0; t->spaces && i <= t->x->n_allocations; i++)
        inlay_give(t->spaces[i].tag);
    inlay_give(t->spaces);
    inlay_give(t->from);
    inlay_give(t->seen);
}

audit_space *tags_space(const audit_tags *t, size_t allocation, uint64_t *base)
{
    size_t one = representative(t->x, allocation);
    bool arena = exec_in_arena(&t->x->allocations[one]);

    *base = arena ? t->x->allocations[one].offset : 0;
    if (is_outer(&t->x->allocations[one]))
        *base = t->x->allocations[one].bytes;
    return &t->spaces[arena ? t->x->n_allocations : one];
}

/* A walk over the elements of a tensor, axis by axis. */
struct walk {
    const inlay_tensor *t;
    uint64_t size;  /* of an element */
    int64_t at;     /* of the first element, in bytes */
    uint64_t bytes; /* of the space */
    audit_run_fn *call;
    void *ctx;
};

static bool visit(const struct walk *w, int axis, int64_t at)
{
    const inlay_tensor *t = w->t;
    int64_t step = axis < t->rank ? t->strides[axis] * (int64_t)w->size : 0;
    bool row = axis == t->rank - 1 && t->strides[axis] == 1;
    uint64_t bytes = row ? w->size * (uint64_t)t->dims[axis] : w->size;

    if (axis < t->rank && !row) {
        for (int64_t i = 0; i < t->dims[axis]; i++) {
            if (!visit(w, axis + 1, at + i * step))
                return false;
        }
        return true;
    }
    return at >= 0 && bytes <= w->bytes && (uint64_t)at <= w->bytes - bytes &&
           w->call(w->ctx, (uint64_t)at, bytes);
}

bool tags_each(const audit_tags *t, const inlay_tensor *tensor, size_t allocation,
               audit_run_fn *call, void *ctx)
{
    uint64_t base;
    const audit_space *s = tags_space(t, allocation, &base);
    uint64_t size = (uint64_t)inlay_type_info_of(tensor->type)->bits / 8;
    struct walk w = {.t = tensor, .size = size, .bytes = s->bytes, .call = call, .ctx = ctx};

    for (int i = 0; i < tensor->rank; i++) {
        if (tensor->dims[i] == 0)
            return true;
    }
    w.at = ((char *)tensor->data - t->x->allocations[allocation].fake) + (int64_t)base +
           tensor->offset * (int64_t)size;
    return visit(&w, 0, w.at);
}

/* Set in a tag while two sets of bytes are compared, or while the bytes are to stay. */
#define MARK (UINT32_C(1) << 31)

struct touch {
    audit_tags *t;
    uint32_t *tag;
    size_t value;
};

static bool write_run(void *ctx, uint64_t at, uint64_t bytes)
{
    const struct touch *w = ctx;

    for (uint64_t i = at; i < at + bytes; i++) {
        if (!(w->tag[i] & MARK))
            w->tag[i] = (uint32_t)w->value + 1;
    }
    return true;
}

/* Whether tag TAG is that of value V, or of a value that V was made from by scatters. A chain of
 * scatters may be long, so the data of a scatter is followed by the loop, not by recursion. */
static bool comes_from(audit_tags *t, uint32_t v, uint32_t tag, int depth)
{
    enum { MOST_DEPTH = 1000 };

    while (v && v != tag && t->seen[v - 1] != t->question && depth < MOST_DEPTH) {
        const struct audit_source *s = &t->from[v - 1];

        t->seen[v - 1] = t->question;
        for (uint32_t part = s->parts; part; part = t->from[part - 1].next) {
            if (comes_from(t, part, tag, depth + 1))
                return true;
        }
        if (comes_from(t, s->updates, tag, depth + 1))
            return true;
        v = s->shows ? s->shows : s->data;
    }
    return v && v == tag;
}

static bool stands_for(audit_tags *t, uint32_t tag, size_t value)
{
    t->question++;
    return comes_from(t, (uint32_t)value + 1, tag, 0);
}

static bool hold_run(void *ctx, uint64_t at, uint64_t bytes)
{
    const struct touch *w = ctx;

    for (uint64_t i = at; i < at + bytes; i++) {
        if ((i > at && w->tag[i] == w->tag[i - 1]) || (w->tag[i] & MARK))
            continue;
        if (!stands_for(w->t, w->tag[i], w->value))
            return false;
    }
    return true;
}

static bool set_mark(void *ctx, uint64_t at, uint64_t bytes)
{
    const struct touch *w = ctx;

    for (uint64_t i = at; i < at + bytes; i++)
        w->tag[i] |= MARK;
    return true;
}

static bool clear_mark(void *ctx, uint64_t at, uint64_t bytes)
{
    const struct touch *w = ctx;

    for (uint64_t i = at; i < at + bytes; i++)
        w->tag[i] &= ~MARK;
    return true;
}

static bool is_unmarked(void *ctx, uint64_t at, uint64_t bytes)
{
    const struct touch *w = ctx;

    for (uint64_t i = at; i < at + bytes; i++) {
        if (w->tag[i] & MARK)
            return false;
    }
    return true;
}

/* Calls CALL for the elements of PART, which are elements of VALUE, in ALLOCATION. */
static bool each_of(audit_tags *t, size_t value, const inlay_tensor *part, size_t allocation,
                    audit_run_fn *call)
{
    uint64_t base;
    struct touch w = {t, tags_space(t, allocation, &base)->tag, value};

    return tags_each(t, part, allocation, call, &w);
}

static bool each_of_value(audit_tags *t, size_t value, audit_run_fn *call)
{
    return each_of(t, value, t->x->meta[value], t->x->allocation[value], call);
}

/* Rows that only the run knows. Each is a space of its own, and may be any part of the value that
 * it is a row of: a write to one may be a write anywhere in the other. */

size_t tags_whole(const audit_tags *t, size_t allocation)
{
    const exec_allocation *u = &t->x->allocations[representative(t->x, allocation)];

    return u->points ? steps_slot(t->x->steps, u->node->in[0].value) : SIZE_MAX;
}

static bool has_place(const audit_tags *t, size_t value)
{
    return t->x->meta[value] && t->x->allocation[value] != SIZE_MAX;
}

size_t tags_below(const audit_tags *t, size_t allocation)
{
    size_t whole = tags_whole(t, allocation);

    while (whole != SIZE_MAX && has_place(t, whole)) {
        allocation = t->x->allocation[whole];
        whole = tags_whole(t, allocation);
    }
    return representative(t->x, allocation);
}

/* The rows from allocation FIRST to LAST, each of which is a row of the next one, and WHOLE, of
 * which the last one is a row. */
struct row {
    audit_tags *t;
    uint32_t *tag;
    size_t first, last, whole;
    bool is_of; /* WHOLE was made from the value that row FIRST is of */
};

/* Whether VALUE was written in one of the rows. */
static bool is_in_rows(const struct row *r, size_t value)
{
    const exec_instance *x = r->t->x;
    size_t allocation = r->first, is = x->allocation[value];

    if (is == SIZE_MAX)
        return false;
    for (is = representative(x, is); allocation != is && allocation != r->last;)
        allocation = representative(x, x->allocation[tags_whole(r->t, allocation)]);
    return allocation == is;
}

/* Whether a byte with tag TAG may belong to WHOLE: it does, or was written by scatters in place of
 * which only the run knows where they write. That they write elsewhere is trusted. */
static bool may_stay(audit_tags *t, uint32_t tag, size_t whole)
{
    size_t left = t->x->n_values;

    while (!stands_for(t, tag, whole)) {
        tag = tag && left-- > 0 ? t->from[tag - 1].beside : 0;
        if (!tag)
            return false;
    }
    return true;
}

/* Whether only writes to the rows may have changed the bytes. */
static bool stay_run(void *ctx, uint64_t at, uint64_t bytes)
{
    const struct row *r = ctx;

    for (uint64_t i = at; i < at + bytes; i++) {
        uint32_t tag = r->tag[i];

        if ((i > at && tag == r->tag[i - 1]) || (tag & MARK) || (tag && is_in_rows(r, tag - 1)))
            continue;
        if (!may_stay(r->t, tag, r->whole))
            return false;
    }
    return true;
}

/* Whether nothing but ALLOCATION itself was written where it may be, since it is known what it is a
 * row of. */
static bool stays(audit_tags *t, size_t allocation)
{
    struct row r = {.t = t, .first = representative(t->x, allocation)};
    uint64_t base;

    r.last = r.first;
    for (r.whole = tags_whole(t, allocation); r.whole != SIZE_MAX;
         r.whole = tags_whole(t, r.last)) {
        if (!has_place(t, r.whole))
            return false;
        allocation = t->x->allocation[r.whole];
        if (t->x->allocations[allocation].root == EXEC_CONST)
            return true;
        r.tag = tags_space(t, allocation, &base)->tag;
        if (!tags_each(t, t->x->meta[r.whole], allocation, stay_run, &r))
            return false;
        r.last = representative(t->x, allocation);
    }
    return true;
}

/* Whether VALUE was written in allocation ROW, or in a row of it. */
static bool is_in_row(const audit_tags *t, size_t value, size_t row)
{
    size_t allocation = t->x->allocation[value], whole;

    while (allocation != SIZE_MAX && representative(t->x, allocation) != row) {
        whole = tags_whole(t, allocation);
        allocation = whole == SIZE_MAX ? SIZE_MAX : t->x->allocation[whole];
    }
    return allocation != SIZE_MAX;
}

/* Only the write to the row may have changed the whole; everything outside of the row is unchanged.
 */
static bool but_row_run(void *ctx, uint64_t at, uint64_t bytes)
{
    const struct row *r = ctx;

    for (uint64_t i = at; i < at + bytes; i++) {
        uint32_t tag = r->tag[i];
        bool own = tag && !(tag & MARK) && r->is_of && is_in_row(r->t, tag - 1, r->first);

        if (!(own ? r->t->from[tag - 1].stood : stands_for(r->t, tag, r->whole)))
            return false;
    }
    return true;
}

bool tags_hold_but_row(audit_tags *t, size_t value, size_t row)
{
    size_t allocation = t->x->allocation[value], whole = tags_whole(t, row);
    struct row r = {.t = t, .first = representative(t->x, row), .whole = value};
    uint64_t base;

    r.tag = tags_space(t, allocation, &base)->tag;
    r.is_of = whole != SIZE_MAX && stands_for(t, (uint32_t)whole + 1, value);
    return t->x->allocations[allocation].root == EXEC_CONST ||
           (tags_each(t, t->x->meta[value], allocation, but_row_run, &r) && stays(t, allocation));
}

/* VALUE was written to ALLOCATION, and so perhaps to anything that this is a row of. */
static bool spoil(audit_tags *t, size_t value, size_t allocation)
{
    bool ok = true;

    t->from[value].stood = true;
    for (size_t whole = tags_whole(t, allocation); ok && whole != SIZE_MAX && has_place(t, whole);
         whole = tags_whole(t, allocation)) {
        t->from[value].stood = t->from[value].stood && tags_hold_but_row(t, whole, allocation);
        allocation = t->x->allocation[whole];
        ok = t->x->allocations[allocation].root == EXEC_CONST ||
             each_of(t, value, t->x->meta[whole], allocation, write_run);
    }
    return ok;
}

bool tags_show(audit_tags *t, size_t value)
{
    return each_of_value(t, value, write_run);
}

static bool lose_run(void *ctx, uint64_t at, uint64_t bytes)
{
    const struct touch *w = ctx;

    for (uint64_t i = at; i < at + bytes; i++)
        w->tag[i] = 0;
    return true;
}

void tags_lose(audit_tags *t, size_t value)
{
    each_of_value(t, value, lose_run);
}

bool tags_write(audit_tags *t, size_t value)
{
    return tags_write_part(t, value, t->x->meta[value]);
}

bool tags_write_part(audit_tags *t, size_t value, const inlay_tensor *part)
{
    size_t allocation = t->x->allocation[value];

    return each_of(t, value, part, allocation, write_run) && spoil(t, value, allocation);
}

bool tags_hold_part(audit_tags *t, size_t value, const inlay_tensor *part)
{
    size_t allocation = t->x->allocation[value];

    return t->x->allocations[allocation].root == EXEC_CONST ||
           (each_of(t, value, part, allocation, hold_run) && stays(t, allocation));
}

bool tags_hold(audit_tags *t, size_t value)
{
    return tags_hold_part(t, value, t->x->meta[value]);
}

bool tags_hold_beside(audit_tags *t, size_t value, const inlay_tensor *part)
{
    size_t allocation = t->x->allocation[value];
    bool ok;

    each_of(t, value, part, allocation, set_mark);
    ok = tags_hold(t, value);
    each_of(t, value, part, allocation, clear_mark);
    return ok;
}

void tags_shield(audit_tags *t, size_t value, bool on)
{
    each_of_value(t, value, on ? set_mark : clear_mark);
}

bool tags_unshielded(audit_tags *t, size_t part)
{
    return each_of_value(t, part, is_unmarked);
}

/* Whether A, as TENSOR in allocation OF, shares a byte with PART in ALLOCATION. */
static bool meet(audit_tags *t, size_t a, const inlay_tensor *tensor, size_t of,
                 const inlay_tensor *part, size_t allocation)
{
    uint64_t base;
    bool apart;

    if (tags_space(t, of, &base) != tags_space(t, allocation, &base))
        return false;
    each_of(t, a, tensor, of, set_mark);
    apart = each_of(t, a, part, allocation, is_unmarked);
    each_of(t, a, tensor, of, clear_mark);
    return !apart;
}

/* A row that only the run knows meets whatever the value that it is a row of meets. */
bool tags_meet_part(audit_tags *t, size_t a, const inlay_tensor *part, size_t allocation)
{
    const inlay_tensor *tensor = t->x->meta[a];
    size_t of = t->x->allocation[a], whole = tags_whole(t, of);
    bool meets = meet(t, a, tensor, of, part, allocation);

    for (; !meets && whole != SIZE_MAX && has_place(t, whole); whole = tags_whole(t, of)) {
        tensor = t->x->meta[whole];
        of = t->x->allocation[whole];
        meets = meet(t, a, tensor, of, part, allocation);
    }
    return meets;
}

bool tags_meet(audit_tags *t, size_t a, size_t b)
{
    size_t whole = tags_whole(t, t->x->allocation[b]);

    return tags_meet_part(t, a, t->x->meta[b], t->x->allocation[b]) ||
           (whole != SIZE_MAX && has_place(t, whole) && tags_meet(t, a, whole));
}
