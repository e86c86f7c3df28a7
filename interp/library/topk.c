/* TopK by a selection (select.h). */
#include "interp/kernels/topk.h"
#include "inlay_ops.h"
#include "interp/library/library.h"
#include "interp/library/mover.h"
#include "interp/library/select.h"

#include <string.h>

enum {
    SLOTS = 8,         /* rooms, each of which one thread uses at a time */
    KEY_COST = 4,      /* of an element that is looked at */
    SIDE_BY_SIDE = 64, /* lines that are worth comparing as they lie */
    SHORT = 64,        /* elements of lines */
    NEAR = 16 << 10    /* bytes that stay in the first cache */
};

typedef struct work {
    topk t;
    selection s;
    const inlay_tensor *data;
    inlay_tensor *values, *indices;
    size_t size; /* of an element */
    bool dense;  /* so are both results */
    int64_t lines, slots, room;
    /* Blocks of at most BLOCK lines that are compared with each other: for each of those before the
     * axis; or, of those that follow each other, for each after it; or a line with itself. */
    int64_t block, blocks;
    bool across, along;
    char *rooms;
} work;

#define COPY_CASE(T)                                                                               \
    case sizeof(T):                                                                                \
        memcpy((char *)w->values->data + to * (int64_t)sizeof(T),                                  \
               (const char *)w->data->data + from * (int64_t)sizeof(T), sizeof(T));                \
        break;

/* Stores element PLACE of the line at START as element TO of the result. */
static void take(const work *w, int64_t to, int64_t start, int64_t place)
{
    int64_t from = start + place * w->t.s.after;
    int32_t narrow = (int32_t)place;

    if (!w->dense) {
        tensor_move_element(w->values, inlay_tensor_index(w->values, to), w->data, from);
        inlay_tensor_set_i64(w->indices, to, place);
        return;
    }
    switch (w->size) {
        COPY_CASE(uint8_t)
        COPY_CASE(uint16_t)
        COPY_CASE(uint32_t)
    default:
        COPY_CASE(uint64_t)
    }
    if (w->indices->type == INLAY_I64)
        memcpy((char *)w->indices->data + to * (int64_t)sizeof place, &place, sizeof place);
    else
        memcpy((char *)w->indices->data + to * (int64_t)sizeof narrow, &narrow, sizeof narrow);
}

/* Item I has the lines I, I + SLOTS, ..., and a room. */
static void take_lines(void *ctx, int64_t from, int64_t to)
{
    const work *w = ctx;
    const int64_t after = w->t.s.after, k = w->t.k;

    for (; from < to; from++) {
        for (int64_t i = from; i < w->lines; i += w->slots) {
            int64_t start = i / after * w->t.s.length * after + i % after;
            const int64_t *place = (const int64_t *)(void *)(w->rooms + from * w->room);

            selection_of(&w->s, start, w->rooms + from * w->room);
            for (int64_t m = 0; m < k; m++)
                take(w, i / after * k * after + i % after + m * after, start, place[m]);
        }
    }
}

/* Lines are compared with each other in blocks: those that lie side by side, or short ones of which
 * few do and which follow each other, as many as stay in the first cache. */
static void plan_blocks(work *w)
{
    const int64_t before = w->t.s.before, after = w->t.s.after, length = w->t.s.length;
    bool few = after < SIDE_BY_SIDE && selection_goes_along(&w->s);
    int64_t plane = length * after * (int64_t)w->size;

    w->along = few && (length * after >= SHORT || before < SIDE_BY_SIDE);
    w->across = few && !w->along;
    w->block = SELECTION_BESIDE;
    if (w->across && plane * w->block > NEAR)
        w->block = NEAR / plane;
    w->blocks = w->along ? 1 : ((w->across ? before : after) + w->block - 1) / w->block;
}

/* An item is a block of lines, or all lines before an element. */
static void take_best(void *ctx, int64_t from, int64_t to)
{
    const work *w = ctx;
    const int64_t after = w->t.s.after, plane = w->t.s.length * after;
    int64_t place[SELECTION_BESIDE];

    for (; from < to; from++) {
        int64_t i = from / w->blocks, j = from % w->blocks * w->block;
        int64_t n = after - j < w->block ? after - j : w->block, start = i * plane + j;

        if (w->along)
            selection_along(&w->s, start, place);
        else
            selection_best(&w->s, start, n, place);
        for (int64_t m = 0; m < n; m++)
            take(w, i * after + j + m, start + m, place[m]);
    }
}

/* An item is a block of planes, which are turned so that their lines lie side by side. */
static void take_turned(void *ctx, int64_t from, int64_t to)
{
    const work *w = ctx;
    const int64_t after = w->t.s.after, plane = w->t.s.length * after;
    _Alignas(uint64_t) char room[NEAR];
    int64_t place[SELECTION_BESIDE];

    for (; from < to; from++) {
        int64_t first = from * w->block, left = w->t.s.before - first;
        int64_t n = left < w->block ? left : w->block;
        int64_t dims[] = {plane, n}, there[] = {1, plane}, here[] = {n, 1};
        inlay_tensor data = *w->data, turned = data;
        selection s = w->s;

        data.rank = turned.rank = 2;
        data.dims = turned.dims = dims;
        data.strides = there;
        data.offset = turned.offset = 0;
        data.data = (char *)data.data + first * plane * (int64_t)w->size;
        turned.strides = here;
        turned.data = room;
        library_assign(&turned, &data); /* cannot fail: these are no strings */
        s.data = room;
        s.step = after * n;
        for (int64_t j = 0; j < after; j++) {
            selection_best(&s, j * n, n, place);
            for (int64_t m = 0; m < n; m++)
                take(w, (first + m) * after + j, (first + m) * plane + j, place[m]);
        }
    }
}

static bool takes(const inlay_call *c)
{
    int64_t axis = inlay_node_int(c->node, "axis"), rank = c->in[0]->rank;

    axis += axis < 0 ? rank : 0;
    return axis >= 0 && axis < rank && selection_takes(c->in[0]->type, c->in[0]->dims[axis]);
}

static bool run_lines(inlay_call *c, work *w)
{
    w->lines = w->t.s.before * w->t.s.after;
    w->slots = w->lines < SLOTS ? w->lines : SLOTS;
    w->rooms = inlay_call_memory(c, w->slots, (size_t)w->room);
    if (w->rooms)
        call_split(c, w->slots,
                   (double)w->lines / (double)w->slots * (double)w->t.s.length * KEY_COST,
                   take_lines, w);
    return w->rooms != NULL;
}

static bool run(inlay_call *c, const void *packed)
{
    work w = {.data = c->in[0],
              .values = c->out[0],
              .indices = c->out[1],
              .size = (size_t)inlay_type_info_of(c->in[0]->type)->bits / 8};
    int64_t items;

    (void)packed;
    if (!topk_read(c, &w.t))
        return false;
    if (inlay_tensor_count(w.values) == 0)
        return true;
    w.dense = inlay_tensor_is_dense(w.values) && inlay_tensor_is_dense(w.indices);
    w.s = (selection){.type = w.data->type,
                      .data = w.data->data,
                      .length = w.t.s.length,
                      .step = w.t.s.after,
                      .k = w.t.k,
                      .greatest = w.t.greatest,
                      .by_index = w.t.by_index};
    w.room = selection_begin(&w.s);
    if (w.t.k > 1)
        return run_lines(c, &w);
    plan_blocks(&w);
    items = w.across ? w.blocks : w.blocks * w.t.s.before;
    call_split(c, items, (double)inlay_tensor_count(c->in[0]) / (double)items,
               w.across ? take_turned : take_best, &w);
    return true;
}

const library_kernel library_topk = {
    .op = INLAY_OP_TOP_K, .name = "selection", .takes = takes, .packs = -1, .run = run};
