/* The walk over the steps. */
#include "interp/audit/audit.h"

#include "interp/audit/border.h"
#include "interp/audit/tags.h"
#include "interp/audit/window.h"

#include <stdlib.h>
#include <string.h>

enum { AUDIT_MOST_PARTS = 64 }; /* of a value: more are not looked at, and are refused */

/* The step being looked at. */
typedef struct auditor {
    audit_tags t;
    const exec_instance *x;
    const exec_step *s; /* NULL behind the last one */
    size_t number;      /* of it, from 0 */
    inlay_diags *d;
} auditor;

static const inlay_node *node_of(const auditor *a)
{
    return a->s->step->node;
}

static bool refuse(const auditor *a, const char *what, size_t value)
{
    return inlay_fail(a->d, NULL, "audit: step %zu, \"%s\" (%s-%d): %s (value %zu)", a->number,
                      a->s ? node_of(a)->name : "the end", a->s ? node_of(a)->op->name : "",
                      a->s ? node_of(a)->op->version : 0, what, value);
}

/* Whether the audit sees VALUE: it has a place before the run. */
static bool is_seen(const auditor *a, size_t value)
{
    return value != SIZE_MAX && a->x->shadow[value] && a->x->unit[value] != SIZE_MAX;
}

static exec_root root_of(const auditor *a, size_t value)
{
    return a->x->units[a->x->units[a->x->unit[value]].same].root;
}

static size_t root_unit(const auditor *a, size_t value)
{
    return a->x->units[a->x->unit[value]].same;
}

/* Returns the updates of a scatter of windows; SIZE_MAX: the step is no such scatter, or its
 * updates have no place. */
static size_t updates_of(const auditor *a)
{
    const inlay_node *n = node_of(a);
    int i = n->op->flags & INLAY_SCATTER ? inlay_op_operand(n->op, INLAY_ROLE_UPDATES) : -1;

    return i >= 0 && is_seen(a, a->s->in[i]) ? a->s->in[i] : SIZE_MAX;
}

/* OUT receives the part of its output that a scatter of windows in place writes; false: that part
 * is not known. */
static bool written_part(const auditor *a, window_part *out)
{
    return a->s->in_place && (node_of(a)->op->flags & INLAY_SCATTER) && is_seen(a, a->s->in[0]) &&
           window_selected(node_of(a), a->x->shadow[a->s->in[0]], out);
}

/* Returns the updates of a scatter in place if they stand already where the scatter writes them;
 * SIZE_MAX: they do not. */
static size_t early_updates(const auditor *a)
{
    window_part part;
    size_t updates = updates_of(a);

    return updates != SIZE_MAX && written_part(a, &part) &&
                   root_unit(a, updates) == root_unit(a, a->s->in[0]) &&
                   window_is(&part.tensor, a->x->shadow[updates])
               ? updates
               : SIZE_MAX;
}

/* Whether operand I stands in its part of output 0, of a node that holds it. */
static bool stands(const auditor *a, int i)
{
    const inlay_node *n = node_of(a);
    size_t value = a->s->in[i], out = n->n_out > 0 ? a->s->out[0] : SIZE_MAX;
    const inlay_tensor *in[AUDIT_MOST_PARTS];
    window_part part;

    if (!(n->op->flags & INLAY_HOLDS) || i >= AUDIT_MOST_PARTS || !is_seen(a, value) ||
        !is_seen(a, out) || root_unit(a, value) != root_unit(a, out))
        return false;
    for (int k = 0; k <= i; k++)
        in[k] = is_seen(a, a->s->in[k]) ? a->x->shadow[a->s->in[k]] : NULL;
    return window_held(n, in, i, a->x->shadow[out], &part) &&
           window_is(&part.tensor, a->x->shadow[value]);
}

/* The same of VALUE as any of the operands. */
static bool is_part(const auditor *a, size_t value)
{
    bool found = false;

    for (int i = 0; i < node_of(a)->n_in && !found; i++)
        found = a->s->in[i] == value && stands(a, i);
    return found;
}

/* What is written leaves the operands that stand in their parts of output 0, or no longer; then the
 * output comes from them. */
static void shield_parts(auditor *a, bool on)
{
    for (int i = 0; i < node_of(a)->n_in; i++) {
        struct audit_source *out = &a->t.from[a->s->out[0]];

        if (!stands(a, i))
            continue;
        tags_shield(&a->t, a->s->in[i], on);
        if (on)
            continue;
        a->t.from[a->s->in[i]].next = out->parts;
        out->parts = (uint32_t)a->s->in[i] + 1;
    }
}

/* Returns the number of the value that the kernel reads as operand I: a dense copy, or the
 * operand. */
static size_t read_as(const auditor *a, int i)
{
    for (size_t k = a->s->copy; k < a->s->copy + a->s->n_copies; k++) {
        if (a->x->copies[k].operand == i)
            return a->x->copies[k].to;
    }
    return a->s->in[i];
}

static bool make_copies(auditor *a)
{
    for (size_t k = a->s->copy; k < a->s->copy + a->s->n_copies; k++) {
        const exec_copy *c = &a->x->copies[k];

        if (!tags_hold(&a->t, a->s->in[c->operand]))
            return refuse(a, "what is copied to be dense is gone", a->s->in[c->operand]);
        if (!tags_write(&a->t, c->to))
            return refuse(a, "a dense copy lies outside of its root", c->to);
    }
    return true;
}

/* Checks that what is read of DATA stands there: a Slice reads its window, and a scatter of windows
 * in place reads what it does not write. */
static bool holds_data(auditor *a, size_t data)
{
    size_t out = a->s->out[0];
    window_part part;

    if (written_part(a, &part))
        return tags_hold_beside(&a->t, data, &part.tensor);
    if ((node_of(a)->op->flags & INLAY_VIEW) && is_seen(a, out) &&
        window_selected(node_of(a), a->x->shadow[data], &part))
        return tags_hold_part(&a->t, data, &part.tensor);
    return tags_hold(&a->t, data);
}

static bool check_reads(auditor *a)
{
    for (int i = 0; i < node_of(a)->n_in; i++) {
        size_t value = read_as(a, i);

        if (border_lost(a->x, value))
            return refuse(a, "an operand has lost its place at the border", value);
        if (is_seen(a, value) && !(i == 0 ? holds_data(a, value) : tags_hold(&a->t, value)))
            return refuse(a, "an operand is gone when it is read", value);
    }
    return true;
}

/* Whether element p of A and of B are the same bytes, for each p. */
static bool same_elements(const auditor *a, size_t one, size_t other)
{
    const inlay_tensor *t = a->x->shadow[one], *o = a->x->shadow[other];
    uint64_t base_t, base_o;
    int64_t size = inlay_type_info_of(t->type)->bits / 8;
    bool same = t->rank == o->rank && inlay_type_info_of(o->type)->bits / 8 == size;

    tags_space(&a->t, a->x->unit[one], &base_t);
    tags_space(&a->t, a->x->unit[other], &base_o);
    for (int i = 0; same && i < t->rank; i++)
        same = t->dims[i] == o->dims[i] && (t->dims[i] <= 1 || t->strides[i] == o->strides[i]);
    return same && ((char *)t->data - a->x->units[a->x->unit[one]].fake) + (int64_t)base_t +
                           t->offset * size ==
                       ((char *)o->data - a->x->units[a->x->unit[other]].fake) + (int64_t)base_o +
                           o->offset * size;
}

/* Checks, where an output and operand I have bytes in common, that the kernel allows that. */
static bool may_meet(auditor *a, int i, size_t operand, size_t output)
{
    const inlay_op *op = node_of(a)->op;
    window_part part;

    if (output == a->s->out[0] && is_part(a, operand))
        return true;
    if (output == a->s->out[0] && i == op->overwrites)
        return same_elements(a, operand, output);
    if (output == a->s->out[0] && written_part(a, &part))
        return operand == early_updates(a) ||
               !tags_meet_part(&a->t, operand, &part.tensor, a->x->unit[output]);
    return (op->flags & INLAY_POINTWISE) && same_elements(a, operand, output);
}

/* Whether output K of a step that shows some of its outputs is one of these. */
static bool is_shown(const auditor *a, int k)
{
    return a->s->views && is_seen(a, a->s->out[k]) && is_seen(a, a->s->in[0]) &&
           root_unit(a, a->s->out[k]) == root_unit(a, a->s->in[0]);
}

static bool check_meetings(auditor *a)
{
    for (int k = 0; k < node_of(a)->n_out; k++) {
        for (int i = 0; i < node_of(a)->n_in && !is_shown(a, k); i++) {
            size_t operand = read_as(a, i), output = a->s->out[k];

            if (is_seen(a, operand) && is_seen(a, output) && tags_meet(&a->t, operand, output) &&
                !may_meet(a, i, operand, output))
                return refuse(a, "an output is written over an operand that is still read",
                              operand);
        }
    }
    return true;
}

/* Where the elements of a tensor are, one after the other. */
struct places {
    int64_t *at;
    size_t n;
};

static void list_places(const inlay_tensor *t, int axis, int64_t at, struct places *p)
{
    if (axis == t->rank) {
        p->at[p->n++] = at;
        return;
    }
    for (int64_t i = 0; i < t->dims[axis]; i++)
        list_places(t, axis + 1, at + i * t->strides[axis], p);
}

/* Whether A and B, of one type, show the same elements in the same row-major order. Large tensors
 * are not compared, and are taken to do so. */
static bool same_order(const inlay_tensor *a, const inlay_tensor *b)
{
    enum { MOST = 1 << 16 };
    int64_t n = inlay_tensor_count(a), size = inlay_type_info_of(a->type)->bits / 8;
    struct places p = {NULL, 0}, q = {NULL, 0};
    bool same = inlay_tensor_count(b) == n && a->type == b->type;

    if (!same || n > MOST || size == 0) /* packed elements have no places of their own */
        return same;
    p.at = calloc((size_t)n + 1, sizeof *p.at);
    q.at = calloc((size_t)n + 1, sizeof *q.at);
    if (p.at && q.at) {
        list_places(a, 0, a->offset, &p);
        list_places(b, 0, b->offset + ((char *)b->data - (char *)a->data) / size, &q);
        same = memcmp(p.at, q.at, (size_t)n * sizeof *p.at) == 0;
    }
    free(p.at);
    free(q.at);
    return same;
}

/* Whether output K shows what its operation selects, where the audit knows what that is: the window
 * of a Slice, all elements in their order. */
static bool shows_right(const auditor *a, int k)
{
    const inlay_tensor *out = a->x->shadow[a->s->out[k]], *in = a->x->shadow[a->s->in[0]];
    window_part part;

    if (window_selected(node_of(a), in, &part))
        return window_is(&part.tensor, out) || inlay_tensor_count(out) == 0;
    if (node_of(a)->op->flags & (INLAY_RESHAPES | INLAY_ADOPTS))
        return same_order(in, out);
    return true;
}

/* Output K shows elements of operand 0, and nothing is written. */
static bool alias(auditor *a, int k)
{
    size_t value = a->s->out[k], from = a->s->in[0];

    if (!is_seen(a, value) || !is_seen(a, from))
        return true;
    if (root_unit(a, value) != root_unit(a, from))
        return refuse(a, "a view lies in another root than what it shows", value);
    if (!shows_right(a, k))
        return refuse(a, "a view does not show what it selects", value);
    a->t.from[value].shows = (uint32_t)from + 1;
    return tags_hold(&a->t, value) || refuse(a, "a view shows what is gone", value);
}

static bool write_output(auditor *a, size_t value)
{
    if (!is_seen(a, value))
        return true;
    if (root_of(a, value) == EXEC_CONST) /* which is not the run's own */
        return refuse(a, "a constant is written", value);
    return tags_write(&a->t, value) || refuse(a, "an output lies outside of its root", value);
}

/* The elements that a scatter of windows in place does not write stay what they were. */
static bool scatter_in_place(auditor *a, const inlay_tensor *part)
{
    size_t early = early_updates(a), value = a->s->out[0];

    a->t.from[value].data = (uint32_t)a->s->in[0] + 1;
    if (early != SIZE_MAX) {
        a->t.from[value].updates = (uint32_t)early + 1;
        return true;
    }
    return tags_write_part(&a->t, value, part) ||
           refuse(a, "a window lies outside of its root", value);
}

/* The first output of the step that would be written over an input which is not the run's own;
 * SIZE_MAX: none. */
static size_t trespassing(const auditor *a)
{
    for (int k = 0; k < node_of(a)->n_out; k++) {
        size_t value = a->s->out[k];

        if (is_seen(a, value) && !is_shown(a, k) && root_of(a, value) == EXEC_INPUT &&
            !a->x->units[root_unit(a, value)].ours)
            return value;
    }
    return SIZE_MAX;
}

static bool write_joined(auditor *a)
{
    bool ok;

    shield_parts(a, true);
    ok = write_output(a, a->s->out[0]);
    shield_parts(a, false);
    return ok;
}

static bool write_outputs(auditor *a)
{
    window_part part;
    bool ok = true;

    if (trespassing(a) != SIZE_MAX)
        return refuse(a, "an input that is not the run's own is written", trespassing(a));
    if (node_of(a)->op->flags & INLAY_HOLDS)
        return write_joined(a);

    if (written_part(a, &part) && root_of(a, a->s->out[0]) != EXEC_CONST)
        return scatter_in_place(a, &part.tensor);
    for (int k = 0; ok && k < node_of(a)->n_out; k++)
        ok = is_shown(a, k) ? alias(a, k) : write_output(a, a->s->out[k]);
    return ok;
}

/* Blocks */

/* The bytes of lane LANE of block B lie in those of VALUE. */
static bool lane_within(const auditor *a, const exec_block *b, int lane, size_t value)
{
    const row_block *k = &b->k;
    const char *at[EXEC_LANES] = {k->to, k->x, k->y, k->one};
    const ptrdiff_t pitch[EXEC_LANES] = {k->to_pitch, k->x_pitch, k->y_pitch, 0};
    const inlay_tensor *t = a->x->shadow[value];
    uint64_t length = lane == 3 ? k->size : k->size * (uint64_t)k->length;
    int64_t lo = INT64_MAX, hi = INT64_MIN, size = inlay_type_info_of(t->type)->bits / 8;
    int64_t first = (char *)t->data - a->x->units[a->x->unit[value]].fake + t->offset * size;
    int64_t from = at[lane] - a->x->units[b->unit[lane]].fake;
    int64_t last = from + (lane == 3 ? 0 : (k->rows - 1) * pitch[lane]);

    lo = hi = first;
    for (int i = 0; i < t->rank; i++) {
        int64_t way = (t->dims[i] - 1) * t->strides[i] * size;

        *(way < 0 ? &lo : &hi) += way;
    }
    return b->unit[lane] == a->x->unit[value] && from >= lo && last >= lo &&
           from + (int64_t)length <= hi + size && last + (int64_t)length <= hi + size;
}

static uint64_t elements_of(const inlay_tensor *t)
{
    return (uint64_t)inlay_tensor_count(t);
}

/* The blocks lie in the step's operands and output, and compute as many elements as the output has,
 * none of them twice: lane `to` marks each that it writes. */
static bool check_blocks(auditor *a)
{
    uint64_t count = 0;
    size_t out = a->s->out[0];

    for (size_t i = a->s->block; i < a->s->block + a->s->n_blocks; i++) {
        const exec_block *b = &a->x->blocks[i];
        int one = b->k.single == SINGLE_X ? 0 : 1;

        if (b->k.rows <= 0 || b->k.length <= 0)
            continue;
        if (!lane_within(a, b, 0, out))
            return refuse(a, "a block writes outside of the output", out);
        if (b->unit[1] != SIZE_MAX && !lane_within(a, b, 1, a->s->in[0]))
            return refuse(a, "a block reads outside of operand 0", a->s->in[0]);
        if (b->unit[2] != SIZE_MAX && !lane_within(a, b, 2, a->s->in[1]))
            return refuse(a, "a block reads outside of operand 1", a->s->in[1]);
        if (b->unit[3] != SIZE_MAX && !lane_within(a, b, 3, a->s->in[one]))
            return refuse(a, "a block reads its number outside of the operand", a->s->in[one]);
        count += (uint64_t)b->k.rows * (uint64_t)b->k.length;
    }
    return count == elements_of(a->x->shadow[out]) ||
           refuse(a, "the blocks do not compute the whole output", out);
}

/* Steps */

static bool copy_step(auditor *a)
{
    if (a->s->from != SIZE_MAX && is_seen(a, a->s->from) && !tags_hold(&a->t, a->s->from))
        return refuse(a, "what is copied is gone", a->s->from);
    return write_outputs(a);
}

/* Checks that a part of a kernel is called alone only where the row allows that. */
static bool check_rest(const auditor *a)
{
    return !a->s->rest ||
           (a->s->kind == EXEC_KERNEL && (node_of(a)->op->flags & INLAY_PREPARES) && a->s->frame) ||
           refuse(a, "the rest of a kernel is called that has none", a->s->out[0]);
}

static bool compute_step(auditor *a)
{
    if (!check_rest(a))
        return false;
    if (!make_copies(a) || !check_reads(a) || !check_meetings(a))
        return false;
    if (a->s->kind == EXEC_BLOCKS && !check_blocks(a))
        return false;
    return write_outputs(a);
}

/* Checks that the elements of PART, a value that shows some elements of an operand, stand where
 * PART lies. */
static bool part_holds(auditor *a, size_t part)
{
    bool holds = false;

    for (int i = 0; i < node_of(a)->n_in && !holds; i++) {
        size_t value = a->s->in[i];

        holds = is_seen(a, value) && a->x->unit[value] == a->x->unit[part] &&
                tags_hold_part(&a->t, value, a->x->shadow[part]);
    }
    return holds;
}

/* The last copy of a scatter takes all its updates to the window that it writes, where the audit
 * knows that. Without updates there is no such copy. */
static bool ends_in_window(const auditor *a)
{
    const exec_copy *last;
    const inlay_tensor *updates = a->x->shadow[updates_of(a)];
    window_part part;

    if (elements_of(updates) == 0 || a->s->n_copies == 0)
        return elements_of(updates) == 0;
    last = &a->x->copies[a->s->copy + a->s->n_copies - 1];
    return a->x->unit[last->to] == a->x->unit[a->s->out[0]] &&
           a->x->unit[last->from] == a->x->unit[updates_of(a)] &&
           window_is(updates, a->x->shadow[last->from]) &&
           (!window_selected(node_of(a), a->x->shadow[a->s->out[0]], &part) ||
            window_is(&part.tensor, a->x->shadow[last->to]));
}

/* How many elements recorded copies must move, or find where they belong: all of the outputs that
 * are no views; those of the window that a scatter writes, and its data unless it is in place. */
static uint64_t wanted_moves(const auditor *a)
{
    size_t updates = updates_of(a);
    uint64_t wanted = 0;
    bool holds = node_of(a)->op->flags & INLAY_HOLDS;

    for (int k = 0; k < node_of(a)->n_out && (!a->s->in_place || holds); k++)
        wanted += is_shown(a, k) ? 0 : elements_of(a->x->shadow[a->s->out[k]]);
    return wanted + (updates == SIZE_MAX ? 0 : elements_of(a->x->shadow[updates]));
}

/* How many elements of output 0 stand there already; recorded copies leave them. */
static bool count_standing(auditor *a, uint64_t *count)
{
    bool ok = true;

    *count = 0;
    if (!(node_of(a)->op->flags & INLAY_HOLDS))
        return true;
    for (int i = 0; i < node_of(a)->n_in; i++) {
        if (!stands(a, i))
            continue;
        if (!tags_hold(&a->t, a->s->in[i]))
            return refuse(a, "what stands in its part is gone", a->s->in[i]);
        *count += elements_of(a->x->shadow[a->s->in[i]]);
    }
    shield_parts(a, true);
    for (size_t k = a->s->copy; k < a->s->copy + a->s->n_copies; k++)
        ok = ok && tags_unshielded(&a->t, a->x->copies[k].to);
    shield_parts(a, false);
    a->t.from[a->s->out[0]].parts = 0;
    return ok || refuse(a, "a copy is written over what stands in its part", a->s->out[0]);
}

/* Recorded copies take all their elements from operands, and fill the outputs that are no views. */
static bool moves_step(auditor *a)
{
    uint64_t moved;

    if (!count_standing(a, &moved))
        return false;

    for (size_t k = a->s->copy; k < a->s->copy + a->s->n_copies; k++) {
        const exec_copy *c = &a->x->copies[k];

        if (!part_holds(a, c->from))
            return refuse(a, "what is moved is gone", c->from);
        if (elements_of(a->x->shadow[c->to]) != elements_of(a->x->shadow[c->from]))
            return refuse(a, "a copy has another size than what it copies", c->to);
        moved += elements_of(a->x->shadow[c->to]);
    }
    if (moved != wanted_moves(a))
        return refuse(a, "the copies do not fill the outputs", a->s->out[0]);
    if (updates_of(a) != SIZE_MAX && !ends_in_window(a))
        return refuse(a, "a window is copied to where it does not belong", a->s->out[0]);
    return (updates_of(a) == SIZE_MAX || check_meetings(a)) && write_outputs(a);
}

/* Outputs that are bound to a place when the step is over are written then. The audit does not see
 * the other outputs. */
static bool walked_step(auditor *a)
{
    return make_copies(a) && check_reads(a) && write_outputs(a);
}

/* A scatter whose updates stand where it would write them. Where the audit does not know the window
 * it believes that. */
static bool written_early(auditor *a)
{
    size_t updates = updates_of(a), out = a->s->out[0];
    window_part part;

    if (!a->s->in_place || updates == SIZE_MAX || !same_elements(a, a->s->in[0], out) ||
        (elements_of(a->x->shadow[updates]) > 0 && root_unit(a, updates) != root_unit(a, out)))
        return refuse(a, "a scatter that writes nothing does not stand in its data", out);
    if (written_part(a, &part) && elements_of(a->x->shadow[updates]) > 0)
        return early_updates(a) == SIZE_MAX
                   ? refuse(a, "updates do not stand in their window", updates)
                   : compute_step(a);
    a->t.from[out].data = (uint32_t)a->s->in[0] + 1;
    a->t.from[out].updates = (uint32_t)updates + 1;
    return true;
}

static bool no_step(auditor *a)
{
    if ((node_of(a)->op->flags & INLAY_SCATTER) && is_seen(a, a->s->out[0]))
        return written_early(a);
    for (int k = 0; k < node_of(a)->n_out; k++) {
        if (inlay_node_is(node_of(a), INLAY_OP_CONST) ||
            (is_seen(a, a->s->out[k]) && root_of(a, a->s->out[k]) == EXEC_STATE &&
             a->x->units[a->x->unit[a->s->out[k]]].slot == a->s->out[k]))
            continue; /* the value stood there before the run */
        if (!alias(a, k))
            return false;
    }
    return true;
}

/* Checks that the operands and outputs of the step are those of its node. */
static bool check_numbers(const auditor *a)
{
    const inlay_node *n = node_of(a);

    for (int i = 0; i < n->n_in; i++) {
        size_t slot = n->in[i].value ? steps_slot(a->x->steps, n->in[i].value) : SIZE_MAX;

        if (a->s->in[i] != slot)
            return refuse(a, "an operand is another value than the node's", a->s->in[i]);
    }
    for (int i = 0; i < n->n_out; i++) {
        if (a->s->out[i] != steps_slot(a->x->steps, &n->out[i]))
            return refuse(a, "an output is another value than the node's", a->s->out[i]);
    }
    return true;
}

static bool look_at(auditor *a)
{
    if (!check_numbers(a))
        return false;
    switch (a->s->kind) {
    case EXEC_NOTHING:
        return no_step(a);
    case EXEC_ASSIGN:
        return alias(a, 0);
    case EXEC_COPY:
        return copy_step(a);
    case EXEC_ZEROS:
        return write_outputs(a);
    case EXEC_BLOCKS:
    case EXEC_KERNEL:
        return compute_step(a);
    case EXEC_MOVES:
        return moves_step(a);
    case EXEC_WALK:
        break;
    }
    return walked_step(a);
}

/* Writes what stands in memory before the first step: inputs, states, copies of inputs. */
static bool begin(auditor *a)
{
    const graph_steps *s = a->x->steps;

    for (int i = 0; i < s->graph->n_params; i++) {
        size_t slot = steps_slot(s, &s->graph->params[i]->out[0]);

        if (is_seen(a, slot) && root_of(a, slot) == EXEC_INPUT && !tags_write(&a->t, slot))
            return refuse(a, "a Parameter lies outside of its root", slot);
    }
    for (size_t i = 0; i < a->x->n_entries; i++) {
        size_t slot = steps_slot(s, &s->graph->params[a->x->entries[i]]->out[0]);

        if (is_seen(a, slot) && !tags_write(&a->t, slot))
            return refuse(a, "the copy of a Parameter lies outside of its root", slot);
    }
    for (size_t i = 0; i < a->x->n_units; i++) {
        const exec_unit *u = &a->x->units[i];

        if (u->same == i && u->root == EXEC_STATE && !tags_write(&a->t, u->slot))
            return refuse(a, "a state lies outside of its root", u->slot);
    }
    return true;
}

/* Whether SLOT is kept by a copy that is made when the value is. A Parameter that something writes
 * over is. */
static bool is_kept_early(const auditor *a, size_t slot)
{
    for (const exec_instance *x = a->x; x; x = x->before) {
        for (size_t i = 0; i < x->n; i++) {
            for (int k = 0; k < x->list[i].step->node->n_out; k++) {
                if (x->list[i].out[k] == slot)
                    return x->list[i].keeps;
            }
        }
    }
    return true;
}

static bool leaves(auditor *a, size_t slot)
{
    if (border_lost(a->x, slot))
        return refuse(a, "a value that leaves the run has lost its place at the border", slot);
    if (!is_seen(a, slot))
        return true;
    if (root_of(a, slot) == EXEC_ARENA)
        return refuse(a, "a value that leaves the run lies in the arena", slot);
    return tags_hold(&a->t, slot) || refuse(a, "a value that leaves the run is gone", slot);
}

static bool states_leave(auditor *a)
{
    bool ok = true;

    for (const exec_instance *x = a->x; x && ok; x = x->before) {
        for (size_t i = 0; ok && i < x->n; i++)
            ok = x->list[i].kind != EXEC_ASSIGN || leaves(a, x->list[i].in[0]);
    }
    return ok;
}

static bool end(auditor *a)
{
    const graph_steps *s = a->x->steps;
    bool last = !exec_goes_on(a->x);

    a->s = NULL;
    for (int i = 0; last && i < s->graph->n_results; i++) {
        if (!leaves(a, steps_slot(s, s->graph->results[i]->in[0].value)))
            return false;
    }
    for (int i = 0; last && i < s->n_keep; i++) {
        if (!is_kept_early(a, s->keep[i]) && !leaves(a, s->keep[i]))
            return false;
    }
    return states_leave(a);
}

static bool audit(auditor *a, bool *fits);

/* The segment before is looked at for what stands where at its end. */
static bool cross(auditor *a, bool *fits)
{
    auditor was = {.x = a->x->before, .d = a->d};
    const char *wrong = NULL;
    size_t value = SIZE_MAX;
    bool ok = audit(&was, fits);

    if (ok && *fits)
        wrong = border_cross(&a->t, &was.t, &value);
    tags_end(&was.t);
    return ok && (!wrong || refuse(a, wrong, value));
}

static bool walk(auditor *a, bool *fits)
{
    const char *wrong = border_frame(a->x);

    a->s = a->x->n ? &a->x->list[0] : NULL;
    if (wrong)
        return refuse(a, wrong, SIZE_MAX);
    if (a->x->before ? !cross(a, fits) : !begin(a))
        return false;
    for (a->number = 0; *fits && a->number < a->x->n; a->number++) {
        a->s = &a->x->list[a->number];
        if (!look_at(a))
            return false;
    }
    return !*fits || end(a);
}

/* No invocation has more than EXEC_SEGMENTS segments. The tags are left for the caller. */
static bool audit(auditor *a, bool *fits)
{
    if (!tags_begin(&a->t, a->x, fits))
        return inlay_fail_memory(a->d);
    return !*fits || walk(a, fits);
}

bool audit_instance(const exec_instance *x, inlay_diags *d)
{
    auditor a = {.x = x, .d = d};
    bool fits, ok = audit(&a, &fits);

    tags_end(&a.t);
    return ok;
}
