/* What a step writes, or makes a view. */
#include "interp/audit/auditor.h"

bool write_is_shown(const auditor *a, int k)
{
    return a->s->views && is_seen(a, a->s->out[k]) && is_seen(a, a->s->in[0]) &&
           root_allocation(a, a->s->out[k]) == root_allocation(a, a->s->in[0]);
}

/* Whether output K is a view of what its operation selects, as far as the audit knows that: the
 * window of a Slice, or all elements in order. */
static bool shows_right(const auditor *a, int k)
{
    const inlay_tensor *out = a->x->meta[a->s->out[k]], *in = a->x->meta[a->s->in[0]];
    window_part part;

    if (window_selected(node_of(a), in, &part))
        return window_is(&part.tensor, out) || inlay_tensor_count(out) == 0;
    if (node_of(a)->op->flags & (INLAY_RESHAPES | INLAY_ADOPTS))
        return window_order_is(in, out);
    return true;
}

bool write_alias(auditor *a, int k)
{
    size_t value = a->s->out[k], from = a->s->in[0];

    if (!is_seen(a, value) || !is_seen(a, from))
        return true;
    if (root_allocation(a, value) != root_allocation(a, from))
        return audit_refuse(a, "a view is in another allocation than what it is a view of", value);
    if (!shows_right(a, k))
        return audit_refuse(a, "a view does not show what it selects", value);
    a->t.from[value].shows = (uint32_t)from + 1;
    return tags_hold(&a->t, value) || audit_refuse(a, "a view shows what is gone", value);
}

/* The bytes of an allocation from BEGIN to END of each PERIOD; COUNT receives how many were seen.
 */
struct stretch {
    uint64_t period, begin, end, count;
};

static struct stretch stretch_of(const exec_allocation *u, uint64_t begin, uint64_t end)
{
    uint64_t all = u->bytes ? u->bytes : 1;

    return (struct stretch){
        .period = u->state.period ? u->state.period : all, .begin = begin, .end = end};
}

static bool lies_in(void *ctx, uint64_t at, uint64_t bytes)
{
    struct stretch *s = ctx;

    s->count += bytes;
    return bytes == 0 || (at % s->period >= s->begin && at % s->period + bytes <= s->end);
}

/* Whether the elements of T stand as those of FORM, all of U, do: in the same strides, if U has
 * periods; else one behind the other, as T of any form may have them, such as a state in blocks:
 *
 *     %past = ReadValue("v")          i32[1,1,5]
 *     %new = SpaceToDepth(%past)      copies i32[1,1,1,1,5], all of the state
 */
static bool stands_as(const exec_allocation *u, const inlay_tensor *t, const inlay_tensor *form)
{
    bool same = t->rank == form->rank && t->type == form->type;

    if (u->state.period == 0)
        return inlay_tensor_is_dense(t) && inlay_tensor_is_dense(form);
    for (int k = 0; same && k < t->rank; k++)
        same = t->dims[k] == 1 || t->strides[k] == form->strides[k];
    return same;
}

/* Whether T begins BYTES behind the beginning of allocation number I. */
static bool begins_at(const auditor *a, size_t i, uint64_t bytes, const inlay_tensor *t)
{
    int64_t size = inlay_type_info_of(t->type)->bits / 8;

    return (char *)t->data + t->offset * size == a->x->allocations[i].fake + bytes;
}

/* Whether TO, in U, is the first bytes of U, of each of its periods, which are the last ones of the
 * state of U's variable, and FROM is these. */
static bool is_state(const auditor *a, const exec_allocation *u, size_t to, size_t from)
{
    const exec_allocation *state = &a->x->allocations[a->x->allocation[from]];
    const inlay_tensor *all = a->x->meta[state->slot], *form = a->x->meta[u->slot];
    const inlay_tensor *first = a->x->meta[to], *last = a->x->meta[from];
    struct stretch s = stretch_of(u, 0, u->state.grows);
    uint64_t periods = u->bytes / s.period;

    if (state->state.pick ? state->state.pick->variable != u->state.variable
                          : state->root != EXEC_STATE || state->number != u->state.variable)
        return false;
    return u->state.behind == a->x->allocation[from] && stands_as(u, first, form) &&
           stands_as(u, last, form) && stands_as(u, all, form) &&
           begins_at(a, a->x->allocation[to], 0, first) &&
           begins_at(a, a->x->allocation[from], u->state.skips, last) &&
           begins_at(a, a->x->allocation[from], 0, all) &&
           tags_each(&a->t, first, a->x->allocation[to], lies_in, &s) &&
           s.count == u->state.grows * periods && inlay_tensor_bytes(last) == s.count &&
           inlay_tensor_bytes(all) == (u->state.skips + u->state.grows) * periods;
}

/* The bytes of U that are behind the state which it begins with, and that the run asks for: in each
 * period as many as U's value has. */
static struct stretch new_bytes(const exec_allocation *u, const inlay_tensor *all)
{
    struct stretch s = stretch_of(u, u->state.grows, 0);

    s.end = u->bytes >= s.period ? inlay_tensor_bytes(all) / (u->bytes / s.period) : 0;
    return s;
}

/* Whether the step copies the state of U's variable to the beginning of U, as many bytes as U says
 * that it begins with, and everything else behind it. */
static bool brings_state(const auditor *a, const exec_allocation *u)
{
    struct stretch s = new_bytes(u, a->x->meta[u->slot]);
    bool right = a->s->kind == EXEC_MOVES;
    int n = 0;

    for (size_t k = a->s->copy; right && k < a->s->copy + a->s->n_copies; k++) {
        size_t to = a->x->copies[k].to;
        bool state = is_state(a, u, to, a->x->copies[k].from);

        n += state;
        right = &a->x->allocations[a->x->allocation[to]] == u &&
                (state || tags_each(&a->t, a->x->meta[to], a->x->allocation[to], lies_in, &s));
    }
    return right && n == 1;
}

/* A state that grows may stand where the next one begins, which has an allocation of its own here.
 * So only the step that makes the next one writes there, and it writes the state. */
bool write_leaves_state(auditor *a)
{
    for (int k = 0; k < node_of(a)->n_out; k++) {
        size_t value = a->s->out[k];
        const exec_allocation *u =
            is_seen(a, value) ? &a->x->allocations[root_allocation(a, value)] : NULL;
        struct stretch s;

        if (!u || u->state.grows == 0 || write_is_shown(a, k))
            continue;
        s = new_bytes(u, a->x->meta[u->slot]);
        if (u->slot == value
                ? !brings_state(a, u)
                : !tags_each(&a->t, a->x->meta[value], a->x->allocation[value], lies_in, &s))
            return audit_refuse(a, "what is written may lie over a state that grows", value);
    }
    return true;
}

static bool write_output(auditor *a, size_t value)
{
    if (!is_seen(a, value))
        return true;
    if (below(a, value)->root == EXEC_CONST) /* which is not the run's own */
        return audit_refuse(a, "a constant is written", value);
    return tags_write(&a->t, value) ||
           audit_refuse(a, "an output is outside of its allocation", value);
}

/* The elements that a scatter of windows in place does not write stay what they were. */
static bool scatter_in_place(auditor *a, const inlay_tensor *part)
{
    size_t early = part_early(a), value = a->s->out[0];

    a->t.from[value].data = (uint32_t)a->s->in[0] + 1;
    if (early != SIZE_MAX) {
        a->t.from[value].updates = (uint32_t)early + 1;
        return true;
    }
    return tags_write_part(&a->t, value, part) ||
           audit_refuse(a, "a window is outside of its allocation", value);
}

/* The first output of the step that would be written over an input which is not the run's own;
 * SIZE_MAX: none. */
static size_t trespassing(const auditor *a)
{
    for (int k = 0; k < node_of(a)->n_out; k++) {
        size_t value = a->s->out[k];

        if (is_seen(a, value) && !write_is_shown(a, k) && below(a, value)->root == EXEC_INPUT &&
            !below(a, value)->ours)
            return value;
    }
    return SIZE_MAX;
}

/* Checks that no output is written over rows that may be a state, and that such rows are picked,
 * for which the state may go. */
static bool check_picked(auditor *a)
{
    for (int k = 0; k < node_of(a)->n_out; k++) {
        size_t value = a->s->out[k];

        if (write_is_shown(a, k))
            continue;
        if (picked_is_over(a, value))
            return audit_refuse(a, "what is written may lie over a state", value);
        if (!picked_is_right(a, value))
            return audit_refuse(a, "what may be the state is not rows picked of it", value);
        picked_moves(a, value);
    }
    return true;
}

static bool write_joined(auditor *a)
{
    bool ok;

    part_shield(a, true);
    ok = write_output(a, a->s->out[0]);
    part_shield(a, false);
    return ok;
}

bool write_outputs(auditor *a)
{
    window_part part;
    bool ok = true;

    if (trespassing(a) != SIZE_MAX)
        return audit_refuse(a, "an input that is not the run's own is written", trespassing(a));
    if (!check_picked(a))
        return false;
    if (node_of(a)->op->flags & INLAY_HOLDS)
        return write_joined(a);

    if (part_written(a, &part) && root_of(a, a->s->out[0]) != EXEC_CONST)
        return scatter_in_place(a, &part.tensor);
    if (layer_put_back(a) != SIZE_MAX) {
        a->t.from[a->s->out[0]].data = (uint32_t)a->s->in[0] + 1;
        a->t.from[a->s->out[0]].updates = (uint32_t)layer_put_back(a) + 1;
        return true;
    }
    if (part_is_over(a))
        a->t.from[a->s->out[0]].beside = (uint32_t)a->s->in[0] + 1;
    for (int k = 0; ok && k < node_of(a)->n_out; k++)
        ok = write_is_shown(a, k) ? write_alias(a, k) : write_output(a, a->s->out[k]);
    return ok;
}

/* Blocks */

/* The bytes of lane LANE of block B lie in those of VALUE. */
static bool lane_within(const auditor *a, const exec_block *b, int lane, size_t value)
{
    const row_block *k = &b->k;
    const char *at[EXEC_LANES] = {k->to, k->x, k->y, k->z, k->one};
    const ptrdiff_t pitch[EXEC_LANES] = {k->to_pitch, k->x_pitch, k->y_pitch, k->z_pitch, 0};
    const inlay_tensor *t = a->x->meta[value];
    uint64_t length = lane == EXEC_ONE ? k->size : k->size * (uint64_t)k->length;
    int64_t lo = INT64_MAX, hi = INT64_MIN, size = inlay_type_info_of(t->type)->bits / 8;
    int64_t first =
        (char *)t->data - a->x->allocations[a->x->allocation[value]].fake + t->offset * size;
    int64_t from = at[lane] - a->x->allocations[b->allocation[lane]].fake;
    int64_t last = from + (lane == EXEC_ONE ? 0 : (k->rows - 1) * pitch[lane]);

    lo = hi = first;
    for (int i = 0; i < t->rank; i++) {
        int64_t way = (t->dims[i] - 1) * t->strides[i] * size;

        *(way < 0 ? &lo : &hi) += way;
    }
    return b->allocation[lane] == a->x->allocation[value] && from >= lo && last >= lo &&
           from + (int64_t)length <= hi + size && last + (int64_t)length <= hi + size;
}

bool write_check_blocks(auditor *a)
{
    uint64_t count = 0;
    size_t out = a->s->out[0];

    for (size_t i = a->s->block; i < a->s->block + a->s->n_blocks; i++) {
        const exec_block *b = &a->x->blocks[i];
        int one = b->k.single == SINGLE_X ? 0 : 1;

        if (b->k.rows <= 0 || b->k.length <= 0)
            continue;
        if (!lane_within(a, b, 0, out))
            return audit_refuse(a, "a block writes outside of the output", out);
        if (b->allocation[1] != SIZE_MAX && !lane_within(a, b, 1, a->s->in[0]))
            return audit_refuse(a, "a block reads outside of operand 0", a->s->in[0]);
        if (b->allocation[2] != SIZE_MAX && !lane_within(a, b, 2, a->s->in[1]))
            return audit_refuse(a, "a block reads outside of operand 1", a->s->in[1]);
        if (b->allocation[EXEC_ONE] != SIZE_MAX && !lane_within(a, b, EXEC_ONE, a->s->in[one]))
            return audit_refuse(a, "a block reads its number outside of the operand",
                                a->s->in[one]);
        count += (uint64_t)b->k.rows * (uint64_t)b->k.length;
    }
    return count == elements_of(a, out) ||
           audit_refuse(a, "the blocks do not compute the whole output", out);
}
