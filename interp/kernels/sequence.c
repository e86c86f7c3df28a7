/* Sequences, optionals and maps: what goes into items is copied, and what comes out of them, because
 * executors write over tensors that are no longer read. */
#include "interp/kernels/moves.h"

#include <inttypes.h>
#include <string.h>

/* Returns a dense copy of T, which the caller releases. NULL after recording the error. */
static inlay_tensor *copy_of(inlay_call *c, const inlay_tensor *t)
{
    inlay_tensor *copy = call_tensor(c, t->type, t->rank, t->dims);

    if (copy && !inlay_tensor_assign(copy, t)) {
        inlay_tensor_release(copy);
        inlay_fail_memory(c->diags);
        return NULL;
    }
    return copy;
}

/* Sets element I of ITEMS to T, which is released; NULL: an error was recorded. */
static bool put(inlay_call *c, inlay_tensor *items, int64_t i, inlay_tensor *t)
{
    bool ok = t && inlay_tensor_set_item(items, i, t);

    if (t && !ok)
        inlay_call_fail(c, "items are nested more than %d deep, or there is no memory",
                        INLAY_MAX_ITEM_DEPTH);
    inlay_tensor_release(t);
    return ok;
}

static inlay_tensor *items_out(inlay_call *c, int64_t n)
{
    return call_sized_output(c, 0, INLAY_ITEM, 1, &n);
}

/* Makes a copy of ITEM output 0. */
static bool give(inlay_call *c, const inlay_tensor *item)
{
    inlay_tensor *out = call_sized_output(c, 0, item->type, item->rank, item->dims);

    if (!out)
        return false;
    call_copied(c, inlay_tensor_bytes(item));
    return inlay_tensor_assign(out, item) ||
           inlay_call_fail(c, "the item has another type or shape than was known");
}

/* Reads the position that operand I says among N items, where one behind the last counts if
 * BEHIND. */
static bool position_of(inlay_call *c, int i, int64_t n, bool behind, int64_t *at)
{
    int64_t x, most = behind ? n : n - 1;

    if (!load_one_int(c, i, &x))
        return false;
    *at = x < 0 ? x + n : x;
    return (*at >= 0 && *at <= most) ||
           inlay_call_fail(c, "position is %" PRId64 ", the sequence has %" PRId64 " item%s", x, n,
                           inlay_plural(n, "", "s"));
}

bool eval_sequence_construct(inlay_call *c)
{
    bool ok = c->out[0] != NULL;

    for (int i = 0; ok && i < c->n_in; i++)
        ok = put(c, c->out[0], i, copy_of(c, c->in[i]));
    return ok;
}

bool eval_sequence_at(inlay_call *c)
{
    const inlay_tensor *item;
    int64_t at;

    if (!position_of(c, 1, c->in[0]->dims[0], false, &at))
        return false;
    item = inlay_tensor_get_item(c->in[0], at);
    return item ? give(c, item) : inlay_call_fail(c, "item %" PRId64 " is none", at);
}

/* Copies N items of the sequence from item FROM on to output 0, from item TO on. */
static void take(inlay_call *c, int64_t to, int64_t from, int64_t n)
{
    const inlay_tensor *x = c->in[0];

    inlay_copy_elements(INLAY_ITEM, c->out[0]->data, to, x->data, from, n);
}

bool eval_sequence_insert(inlay_call *c)
{
    int64_t n = c->in[0]->dims[0], at = n;

    if ((call_has(c, 2) && !position_of(c, 2, n, true, &at)) || !items_out(c, n + 1))
        return false;
    take(c, 0, 0, at);
    take(c, at + 1, at, n - at);
    return put(c, c->out[0], at, copy_of(c, c->in[1]));
}

bool eval_sequence_erase(inlay_call *c)
{
    int64_t n = c->in[0]->dims[0], at = n - 1;

    if (n == 0)
        return inlay_call_fail(c, "the sequence is empty, so nothing can be erased");
    if ((call_has(c, 1) && !position_of(c, 1, n, false, &at)) || !items_out(c, n - 1))
        return false;
    take(c, 0, 0, at);
    take(c, at, at + 1, n - 1 - at);
    return true;
}

/* How an axis of SIZE elements is split: into N parts, of the sizes in LIST or else of EACH. */
typedef struct parts {
    int64_t n, size, each;
    const int64_t *list;
} parts;

static bool read_list(inlay_call *c, parts *p)
{
    int64_t sum = 0;

    if (!(p->list = load_ints(c, 1, &p->n)))
        return false;
    for (int64_t i = 0; i < p->n; i++) {
        if (p->list[i] < 0 || p->list[i] > p->size - sum)
            return inlay_call_fail(
                c, "split[%" PRId64 "] is %" PRId64 ", %" PRId64 " elements of the axis are left",
                i, p->list[i], p->size - sum);
        sum += p->list[i];
    }
    return sum == p->size ||
           inlay_call_fail(c, "split adds up to %" PRId64 ", the axis has %" PRId64 " elements",
                           sum, p->size);
}

static bool read_parts(inlay_call *c, parts *p)
{
    p->each = 1;
    if (call_has(c, 1) && c->in[1]->rank > 0)
        return read_list(c, p);
    if (call_has(c, 1) && !load_one_int(c, 1, &p->each))
        return false;
    if (p->each <= 0)
        return inlay_call_fail(c, "split is %" PRId64 ", it must be positive", p->each);
    p->n = p->size / p->each + (p->size % p->each != 0);
    return true;
}

/* Returns a copy of the COUNT elements of AXIS from FIRST on, without the axis if DROPPED. */
static inlay_tensor *part_of(inlay_call *c, int axis, int64_t first, int64_t count, bool dropped)
{
    const inlay_tensor *x = c->in[0];
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    inlay_tensor *window, *part;
    int rank = 0;

    for (int i = 0; i < x->rank; i++) {
        if (i == axis && dropped)
            continue;
        dims[rank] = i == axis ? count : x->dims[i];
        strides[rank++] = x->strides[i];
    }
    window = inlay_tensor_window(x, rank, dims, strides, count > 0 ? first * x->strides[axis] : 0);
    part = window ? copy_of(c, window) : NULL;
    if (!window)
        inlay_fail_memory(c->diags);
    inlay_tensor_release(window);
    return part;
}

bool eval_split_to_sequence(inlay_call *c)
{
    int64_t axis = inlay_node_int(c->node, "axis"), first = 0;
    bool dropped = !call_has(c, 1) && !inlay_node_bool(c->node, "keepdims"), ok;
    parts p;

    axis += axis < 0 ? c->in[0]->rank : 0;
    p = (parts){.size = c->in[0]->dims[axis]};
    ok = read_parts(c, &p) && items_out(c, p.n);
    for (int64_t i = 0; ok && i < p.n; i++) {
        int64_t left = p.size - first, count = p.list ? p.list[i] : p.each < left ? p.each : left;

        ok = put(c, c->out[0], i, part_of(c, (int)axis, first, count, dropped));
        first += count;
    }
    return ok;
}

/* Sets *OUT to item I, which must be there, and of the type and rank of item 0. */
static bool item_like(inlay_call *c, int64_t i, const inlay_tensor **out)
{
    const inlay_tensor *first = inlay_tensor_get_item(c->in[0], 0);

    *out = inlay_tensor_get_item(c->in[0], i);
    if (!*out || !first)
        return inlay_call_fail(c, "item %" PRId64 " is none", *out ? 0 : i);
    return ((*out)->type == first->type && (*out)->rank == first->rank) ||
           inlay_call_fail(c, "item %" PRId64 " has another type or rank than item 0", i);
}

/* Sets DIMS to the sizes of all items, joined along AXIS, which is a new one if ADDED. */
static bool joined_dims(inlay_call *c, int axis, bool added, int64_t *dims)
{
    int64_t n = c->in[0]->dims[0];
    const inlay_tensor *x;

    for (int64_t i = 0; i < n; i++) {
        if (!item_like(c, i, &x))
            return false;
        for (int k = 0; k < x->rank; k++) {
            int to = added && k >= axis ? k + 1 : k;
            bool joins = !added && k == axis;

            if (i > 0 && !joins && dims[to] != x->dims[k])
                return inlay_call_fail(
                    c, "item %" PRId64 " has %" PRId64 " elements on axis %d, item 0 has %" PRId64,
                    i, x->dims[k], k, dims[to]);
            if (__builtin_add_overflow(x->dims[k], i > 0 && joins ? dims[to] : 0, &dims[to]))
                return inlay_call_fail(c, "the result is too large");
        }
    }
    if (added)
        dims[axis] = n;
    return true;
}

/* Copies the items into output 0. */
static bool join(inlay_call *c, int axis, bool added)
{
    int64_t first = 0;

    for (int64_t i = 0; i < c->in[0]->dims[0]; i++) {
        const inlay_tensor *x = inlay_tensor_get_item(c->in[0], i);
        struct view place = view_all(c->out[0]);
        int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK], count = added ? 1 : x->dims[axis];
        inlay_tensor *whole;
        bool ok;

        for (int k = 0; k < c->out[0]->rank; k++) {
            dims[k] = k == axis ? count : c->out[0]->dims[k];
            strides[k] = !added || k < axis ? x->strides[k] : k > axis ? x->strides[k - 1] : 1;
        }
        place.dims[axis] = count;
        place.offset = count > 0 ? first * c->out[0]->strides[axis] : 0;
        whole = inlay_tensor_window(x, c->out[0]->rank, dims, strides, 0);
        ok = whole ? move_part(c, c->out[0], &place, whole) : inlay_fail_memory(c->diags);
        inlay_tensor_release(whole);
        if (!ok)
            return false;
        first += count;
    }
    return true;
}

bool eval_concat_from_sequence(inlay_call *c)
{
    bool added = inlay_node_bool(c->node, "new_axis");
    int64_t dims[INLAY_MAX_RANK], axis = inlay_node_int(c->node, "axis");
    const inlay_tensor *x;
    int rank;

    if (c->in[0]->dims[0] == 0)
        return inlay_call_fail(c, "the sequence is empty, so nothing says the shape of the result");
    if (!item_like(c, 0, &x))
        return false;
    rank = x->rank + added;
    if (axis < -rank || axis >= rank || rank > INLAY_MAX_RANK)
        return inlay_call_fail(c, "axis is %" PRId64 ", the result has %d ax%s", axis, rank,
                               inlay_plural(rank, "is", "es"));
    axis += axis < 0 ? rank : 0;
    return joined_dims(c, (int)axis, added, dims) && call_sized_output(c, 0, x->type, rank, dims) &&
           join(c, (int)axis, added);
}

bool eval_optional(inlay_call *c)
{
    return !call_has(c, 0) || put(c, c->out[0], 0, copy_of(c, c->in[0]));
}

/* Returns what is in the optional, operand 0, or the operand if that is no optional; NULL: none. */
static const inlay_tensor *element_of(const inlay_call *c)
{
    const inlay_tensor *x = c->in[0];

    return x->type == INLAY_ITEM && x->rank == 0 ? inlay_tensor_get_item(x, 0) : x;
}

bool eval_optional_has_element(inlay_call *c)
{
    inlay_tensor_set_i64(c->out[0], 0, element_of(c) != NULL);
    return true;
}

bool eval_optional_get_element(inlay_call *c)
{
    const inlay_tensor *item = element_of(c);

    return item ? give(c, item) : inlay_call_fail(c, "the optional has no element");
}

/* Makes the map of the keys and row I of X. */
static inlay_tensor *map_of(inlay_call *c, int64_t i)
{
    const inlay_tensor *x = c->in[0];
    int last = x->rank - 1;
    inlay_tensor *map = call_tensor(c, INLAY_ITEM, 1, (int64_t[]){2});
    inlay_tensor *row = inlay_tensor_window(x, 1, &x->dims[last], &x->strides[last],
                                            last > 0 ? i * x->strides[0] : 0);

    if (map && !row)
        inlay_fail_memory(c->diags);
    if (!map || !row || !put(c, map, 0, copy_of(c, c->in[1])) || !put(c, map, 1, copy_of(c, row))) {
        inlay_tensor_release(map);
        map = NULL;
    }
    inlay_tensor_release(row);
    return map;
}

bool eval_zip_map(inlay_call *c)
{
    const inlay_tensor *x = c->in[0];
    int64_t n = x->rank == 2 ? x->dims[0] : 1;
    bool ok = true;

    if (x->dims[x->rank - 1] != c->in[1]->dims[0])
        return inlay_call_fail(c, "X has %" PRId64 " columns for %" PRId64 " keys",
                               x->dims[x->rank - 1], c->in[1]->dims[0]);
    ok = items_out(c, n) != NULL;
    for (int64_t i = 0; ok && i < n; i++)
        ok = put(c, c->out[0], i, map_of(c, i));
    return ok;
}
