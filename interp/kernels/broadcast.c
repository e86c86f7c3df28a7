/* Broadcast, Tile, Select: elements repeated to fill a shape.
 *
 * The output of Broadcast and Tile consists of copies of the data. The data may have been computed
 * straight into the first copy; then the others are copied from it. */
#include "interp/kernels/elementwise.h"
#include "interp/kernels/moves.h"
#include "ir/shared.h"

#include <inttypes.h>
#include <string.h>

enum { ELEMENT_COST = 4 }; /* of a Select, beside rows of it */

/* COUNT of the copies along an axis, from number FIRST on. */
struct copies {
    int64_t first, count;
};

static void add_axis(struct view *v, int64_t dim, int64_t stride)
{
    v->dims[v->rank] = dim;
    v->strides[v->rank++] = stride;
}

/* Copies DATA, viewed with an axis for each of the output's, to the copies that OF lists for each
 * axis. An axis with several elements and several copies becomes two: one for the copies, and one
 * within a copy. */
static bool repeat(inlay_call *c, const struct view *data, const struct copies *of)
{
    const inlay_tensor *out = c->out[0];
    struct view to = {0}, from = {.offset = data->offset};

    for (int i = 0; i < data->rank; i++) {
        int64_t size = data->dims[i];

        to.offset += of[i].first * size * out->strides[i];
        if (to.rank + 2 > INLAY_MAX_RANK)
            return inlay_call_fail(c, "the result has too many axes to be made of copies");
        if (of[i].count > 1) {
            add_axis(&to, of[i].count, size * out->strides[i]);
            add_axis(&from, of[i].count, 0);
        }
        if (size > 1) {
            add_axis(&to, size, out->strides[i]);
            add_axis(&from, size, data->strides[i]);
        }
    }
    return move_piece(c, &to, c->in[0], &from);
}

static bool repeat_all(inlay_call *c, const struct view *data)
{
    struct copies all[INLAY_MAX_RANK];

    for (int i = 0; i < data->rank; i++)
        all[i] = (struct copies){0, c->out[0]->dims[i] / data->dims[i]};
    return repeat(c, data, all);
}

/* Makes all copies but the first: one axis after the other, those after the first copy on that
 * axis, in the first copy of the axes before it, and in all copies of the axes after it. */
static bool repeat_rest(inlay_call *c, const struct view *data)
{
    struct copies of[INLAY_MAX_RANK];
    bool ok = true;

    for (int i = 0; i < data->rank; i++)
        of[i] = (struct copies){0, c->out[0]->dims[i] / data->dims[i]};
    for (int i = data->rank; ok && i-- > 0; of[i] = (struct copies){0, 1}) {
        if (of[i].count == 1)
            continue;
        of[i] = (struct copies){1, of[i].count - 1};
        ok = repeat(c, data, of);
    }
    return ok;
}

/* Was the data computed in the first copy of the output? */
static bool stands_first(const inlay_call *c)
{
    const inlay_tensor *data = c->in[0], *out = c->out[0];
    struct view first = {.rank = data->rank};

    for (int i = 0; i < data->rank; i++) {
        first.dims[i] = data->dims[i];
        first.strides[i] = out->strides[out->rank - data->rank + i];
    }
    return stands_in(c, &first, data);
}

/* The target is the shape of the output; for a bidirectional broadcast it may have ones where the
 * data has the size. */
static bool check_target(inlay_call *c, bool both_ways)
{
    const inlay_tensor *out = c->out[0];
    int64_t n;
    const int64_t *target = load_ints(c, 1, &n);

    for (int64_t i = 0; target && i < n; i++) {
        int64_t size = out->dims[out->rank - n + i];

        if (target[i] != size && !(both_ways && target[i] == 1))
            return inlay_call_fail(
                c, "data does not broadcast with target_shape (axis %d of the result)",
                (int)(out->rank - n + i));
    }
    return target != NULL;
}

/* Axis i of the data is axis map[i] of the output. A scalar may have a map of one axis, which has
 * one element. */
static bool map_axes(inlay_call *c, struct view *v)
{
    const inlay_tensor *data = c->in[0], *out = c->out[0];
    int64_t n;
    const int64_t *map = load_ints(c, 2, &n);

    memset(v->strides, 0, sizeof v->strides);
    for (int i = 0; map && i < n; i++) {
        int64_t size = i < data->rank ? data->dims[i] : 1;

        if (map[i] < 0 || map[i] >= out->rank || (i > 0 && map[i] <= map[i - 1]))
            return inlay_call_fail(
                c, "axes_mapping[%d] is %" PRId64 ", it must be in [%" PRId64 ", %d]", i, map[i],
                i > 0 ? map[i - 1] + 1 : 0, out->rank - 1);
        if (size != 1 && size != out->dims[map[i]])
            return inlay_call_fail(c,
                                   "axis %d of data has %" PRId64 " element%s, axis %" PRId64
                                   " of the target, to which axes_mapping[%d] leads, has %" PRId64,
                                   i, size, inlay_plural(size, "", "s"), map[i], i,
                                   out->dims[map[i]]);
        v->strides[map[i]] = size == 1 ? 0 : data->strides[i];
    }
    return map != NULL;
}

/* The data is viewed with strides of 0 where an element is repeated. */
bool eval_broadcast(inlay_call *c)
{
    const char *mode = inlay_node_string(c->node, "mode");
    struct view v = view_all(c->out[0]);

    if (!check_target(c, strcmp(mode, "bidirectional") == 0))
        return false;
    if (strcmp(mode, "explicit") != 0)
        strides_broadcast(c->in[0], v.rank, v.dims, v.strides);
    else if (!map_axes(c, &v))
        return false;
    if (!stands_first(c) || inlay_tensor_count(c->out[0]) == 0)
        return move_output(c, 0, NULL, c->in[0], &v);
    for (int i = 0; i < v.rank; i++)
        v.dims[i] = v.strides[i] == 0 ? 1 : v.dims[i];
    return repeat_rest(c, &v);
}

/* out[p] = data[p mod data's size] on every axis, where data gets axes of 1 in front. */
bool eval_tile(inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    struct view v = {.rank = c->out[0]->rank};
    int lead = v.rank - data->rank;

    for (int i = 0; i < v.rank; i++) {
        v.dims[i] = i < lead ? 1 : data->dims[i - lead];
        v.strides[i] = i < lead ? 0 : data->strides[i - lead];
    }
    return inlay_tensor_count(c->out[0]) == 0 ||
           (stands_first(c) ? repeat_rest(c, &v) : repeat_all(c, &v));
}

/* The operands of a Select, and how they are read along the axes of the output. */
struct choice {
    const inlay_call *c;
    int64_t strides[3][INLAY_MAX_RANK]; /* of cond, then, else */
};

static void choose_each(const struct choice *s, int64_t first, int64_t end)
{
    const inlay_call *c = s->c;
    inlay_tensor *out = c->out[0];
    const inlay_tensor *cond = c->in[0];

    for (index_iter it = index_from(out->rank, out->dims, first); it.linear < end;
         index_next(&it)) {
        int64_t at = cond->offset + index_dot(it.rank, it.at, s->strides[0]);
        int k = inlay_load_i64(cond->type, cond->data, at) != 0 ? 1 : 2;

        tensor_move_element(out, tensor_at(out, it.at), c->in[k],
                            c->in[k]->offset + index_dot(it.rank, it.at, s->strides[k]));
    }
}

/* A run of elements: where those of cond, then, else and the output are, and how far apart. */
struct choice_line {
    char *at[4];
    int64_t step[4];
};

/* Defines the function that selects N elements that are copied as numbers of type T, wherever they
 * are. */
#define CHOOSE_LINE(T)                                                                             \
    static void line_##T(const struct choice_line *l, int64_t n)                                   \
    {                                                                                              \
        const ptrdiff_t size = sizeof(T), yes = l->step[1] * size, no = l->step[2] * size;         \
                                                                                                   \
        for (int64_t i = 0; i < n; i++)                                                            \
            memcpy(l->at[3] + i * l->step[3] * size,                                               \
                   l->at[0][i * l->step[0]] ? l->at[1] + i * yes : l->at[2] + i * no, sizeof(T));  \
    }
CHOOSE_LINE(uint8_t)
CHOOSE_LINE(uint16_t)
CHOOSE_LINE(uint32_t)
CHOOSE_LINE(uint64_t)

/* Selects elements of BYTES bytes, line by line. */
static void choose_lines(const struct choice *s, int bytes, int64_t first, int64_t end)
{
    const inlay_tensor *out = s->c->out[0];
    int outer = out->rank > 0 ? out->rank - 1 : 0;
    int64_t length = out->rank > 0 && first < end ? out->dims[outer] : 1, n;

    for (index_iter it = index_from(outer, out->dims, first / length); first < end;
         index_next(&it), first += n) {
        const int64_t begin = first % length;
        struct choice_line l;

        n = length - begin < end - first ? length - begin : end - first;
        for (int k = 0; k < 4; k++) {
            const inlay_tensor *t = k < 3 ? s->c->in[k] : out;
            const int64_t *strides = k < 3 ? s->strides[k] : out->strides;

            l.step[k] = out->rank > 0 ? strides[outer] : 0;
            l.at[k] = (char *)t->data +
                      (t->offset + index_dot(outer, it.at, strides) + begin * l.step[k]) *
                          (k == 0 ? 1 : bytes);
        }
        (bytes == 1   ? line_uint8_t
         : bytes == 2 ? line_uint16_t
         : bytes == 4 ? line_uint32_t
                      : line_uint64_t)(&l, n);
    }
}

static void choose(void *ctx, int64_t first, int64_t end)
{
    const struct choice *s = ctx;
    inlay_type type = s->c->out[0]->type;
    int bits = inlay_type_info_of(type)->bits;

    if (type != INLAY_STRING && (bits == 8 || bits == 16 || bits == 32 || bits == 64))
        choose_lines(s, bits / 8, first, end);
    else
        choose_each(s, first, end);
}

/* Defines the function that selects rows of elements of one size, which are copied as numbers of
 * type T. Both elements are read, and one is selected by a mask: a branch that depends on data would
 * cost more. */
#define CHOOSE_ROWS(T, field)                                                                      \
    static inline T one_##field(uint8_t yes, T a, T b)                                             \
    {                                                                                              \
        return (T)(((a ^ b) & (T)(int8_t) - (yes != 0)) ^ b);                                      \
    }                                                                                              \
    static INLAY_CLONES void choose_##field(const row_block *k)                                    \
    {                                                                                              \
        const T number = k->number.field;                                                          \
        const bool yes = k->number.u8;                                                             \
                                                                                                   \
        if (k->single == SINGLE_X)                                                                 \
            EACH_ROW(T, (void)number, yes ? ROW_Y(T) : ROW_Z(T))                                   \
        else if (k->single == SINGLE_Y)                                                            \
            EACH_ROW(T, T z = ROW_Z(T), one_##field(ROW_X(uint8_t), number, z))                    \
        else if (k->single == SINGLE_Z)                                                            \
            EACH_ROW(T, T y = ROW_Y(T), one_##field(ROW_X(uint8_t), y, number))                    \
        else                                                                                       \
            EACH_ROW(T, T y = ROW_Y(T); T z = ROW_Z(T), one_##field(ROW_X(uint8_t), y, z))         \
    }

CHOOSE_ROWS(uint8_t, u8)
CHOOSE_ROWS(uint16_t, bits16)
CHOOSE_ROWS(uint32_t, bits32)
CHOOSE_ROWS(uint64_t, bits64)

static row_fn *choose_rows(inlay_type type)
{
    int bits = inlay_type_info_of(type)->bits;

    return bits == 8    ? choose_u8
           : bits == 16 ? choose_bits16
           : bits == 32 ? choose_bits32
           : bits == 64 ? choose_bits64
                        : NULL;
}

static bool announce_choice(inlay_call *c, const struct choice *s)
{
    row_form f = {.n = 3, .to = c->out[0]->type};

    f.run = f.to == INLAY_STRING ? NULL : choose_rows(f.to);
    for (int k = 0; k < 3; k++) {
        f.from[k] = c->in[k]->type;
        memcpy(f.strides[k], s->strides[k], sizeof f.strides[k]);
    }
    if (f.run)
        call_form(c, &f);
    return call_settle(c);
}

/* out[p] = cond[p] ? then[p] : else[p], where all three operands are broadcast to the output. */
bool eval_select(inlay_call *c)
{
    const inlay_tensor *out = c->out[0];
    struct choice s = {.c = c, .strides = {{0}}};

    for (int k = 0; k < 3; k++)
        strides_broadcast(c->in[k], out->rank, out->dims, s.strides[k]);
    if (!announce_choice(c, &s))
        return false;
    split_moves(c, inlay_tensor_count(out), ELEMENT_COST, choose, &s);
    return true;
}
