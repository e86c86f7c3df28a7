/* Fuses steps that write in place to one large buffer: they are computed together, tile by tile of
 * the buffer. In a chain of windows each link updates a few rows. Computed link by link, the rows
 * would be fetched from memory again for each link. So first the rows of every link in the first
 * tile of the buffer are computed, then those in the second tile, and so on (run/windows.c).
 *
 *     the buffer  | slot 0 | slot 1 | slot 2 | slot 3 |   a slot for each row
 *     block a       aaaa     aaaa     aaaa
 *     block b                bbbb     bbbb     bbbb
 *     tiles       |   first tile    |   second tile   |   are computed as: a a b, then a b b
 *
 * The buffer is divided into slots as long as the distance between two rows of a block. A block may
 * join a group only if everything that it reads and writes in the buffer for a row lies in the slot
 * of that row. Slots do not overlap, and within a slot the blocks are computed in their order, so
 * the result is the same bit for bit. A block of a single row must read each element where it
 * writes it; then it may be cut between any two elements. The first copy of an input or a constant
 * that will be overwritten is such a block, too.
 *
 * Steps that do nothing may come between the steps of a group: slices that are views, and scatters
 * whose updates are in place already. */
#include "interp/exec/build/windows.h"
#include "interp/exec/build/record.h"
#include "interp/exec/build/segments.h"

#include <string.h>

enum {
    TILE = 48 << 10,      /* bytes of a tile of the buffer */
    SMALLEST = 256 << 10, /* bytes of the smallest buffer for which it pays */
    FLAT_SLOT = 64        /* bytes of a slot where all blocks are single rows */
};

/* The blocks that are being grouped. */
struct gather {
    exec_builder *b;
    exec_window list[FUSED_WINDOWS];
    int n;
    size_t allocation, first, last; /* the buffer; the first step and the last one */
    size_t entry;                   /* exec_windows */
    int64_t pitch;                  /* bytes of a slot; 0: no block has decided yet */
    int steps;
};

static exec_block *block_at(const struct gather *g, size_t i)
{
    return &g->b->x->blocks[i];
}

static exec_allocation *allocation_at(const struct gather *g, size_t i)
{
    return &g->b->x->allocations[i];
}

static int64_t smallest(const exec_builder *b)
{
    return b->plan->tile ? 0 : SMALLEST;
}

static bool is_kept(const exec_builder *b, const exec_step *s)
{
    bool kept = false;

    for (int i = 0; i < s->step->node->n_out; i++) {
        for (int k = 0; k < b->s->n_keep; k++)
            kept = kept || b->s->keep[k] == s->out[i];
    }
    return kept;
}

/* Blocks */

/* Returns whether each row of a lane that begins at P, with PITCH bytes from row to row, lies in
 * the slot of the output's row. */
static bool in_slots(const struct gather *g, const row_block *k, const char *p, ptrdiff_t pitch)
{
    const char *begin = allocation_at(g, g->allocation)->fake;
    int64_t at = p - begin, to = k->to - begin;

    if (k->rows == 1)
        return at == to && at % (int64_t)k->size == 0;
    return pitch == k->to_pitch && at / pitch == to / pitch &&
           at % pitch + k->length * (int64_t)k->size <= pitch;
}

/* Returns whether B may join the group. A number that is the same for all elements is read before
 * the first tile is computed, so no block may write it. */
static bool block_fits(const struct gather *g, const exec_block *b)
{
    const row_block *k = &b->k;

    if (b->allocation[0] != g->allocation || b->allocation[EXEC_ONE] == g->allocation ||
        (k->rows > 1 && (k->to_pitch <= 0 || (g->pitch && g->pitch != k->to_pitch))))
        return false;
    return in_slots(g, k, k->to, k->to_pitch) &&
           (b->allocation[1] != g->allocation || in_slots(g, k, k->x, k->x_pitch)) &&
           (b->allocation[2] != g->allocation || in_slots(g, k, k->y, k->y_pitch));
}

static void add_block(struct gather *g, size_t i)
{
    const row_block *k = &block_at(g, i)->k;
    bool single = k->rows == 1;

    g->list[g->n++] = (exec_window){.block = i,
                                    .rows = single ? k->length : k->rows,
                                    .at = k->to - allocation_at(g, g->allocation)->fake,
                                    .single_row = single};
    g->pitch = single ? g->pitch : k->to_pitch;
}

/* Returns whether S reads a view that may lie in the buffer although it has another allocation. */
static bool reads_floating(const exec_builder *b, const exec_step *s)
{
    bool any = false;

    for (int i = 0; i < s->step->node->n_in; i++)
        any = any || (s->in[i] != SIZE_MAX && build_floats(b, s->in[i]));
    return any;
}

/* Adds the blocks of S, or none if one of them does not fit. */
static bool add_blocks(struct gather *g, const exec_step *s)
{
    int n = g->n;
    int64_t pitch = g->pitch;
    bool ok = !reads_floating(g->b, s);

    for (size_t i = s->block; ok && i < s->block + s->n_blocks; i++) {
        const exec_block *b = block_at(g, i);

        if (b->k.rows <= 0 || b->k.length <= 0)
            continue;
        ok = g->n < FUSED_WINDOWS && block_fits(g, b);
        if (ok)
            add_block(g, i);
    }
    if (!ok) {
        g->n = n;
        g->pitch = pitch;
    }
    return ok;
}

/* Copies as blocks */

static void copy_row(const row_block *k)
{
    memcpy(k->to, k->x, (size_t)k->length);
}

/* Adds the copy from X, part of ALLOCATION, which need not be known yet, over all of the buffer. */
static bool add_copy(struct gather *g, const inlay_tensor *to, const char *x, size_t allocation)
{
    exec_block *b = g->n < FUSED_WINDOWS ? build_block(g->b) : NULL;

    if (!b)
        return false;
    b->k = (row_block){.run = copy_row, .to = to->data, .x = x, .rows = 1, .size = 1};
    b->k.length = (int64_t)inlay_tensor_bytes(to);
    b->allocation[0] = g->allocation;
    b->allocation[1] = allocation;
    add_block(g, g->b->x->n_blocks - 1);
    return true;
}

static bool touches(const exec_builder *b, const exec_step *s, size_t allocation)
{
    const inlay_node *n = s->step->node;
    bool any = false;

    for (int i = 0; i < n->n_in; i++)
        any = any || (s->in[i] != SIZE_MAX && b->x->allocation[s->in[i]] == allocation);
    for (int i = 0; i < n->n_out; i++)
        any = any || b->x->allocation[s->out[i]] == allocation;
    return any && s->kind != EXEC_NOTHING;
}

/* Looks for a Parameter that is copied to the buffer. If no step before I touches that copy, and it
 * need not be kept, the group makes it. */
static bool add_entry(struct gather *g, size_t i)
{
    const exec_instance *x = g->b->x;
    bool free = g->b->s->n_keep == 0;

    for (size_t k = 0; free && k < i; k++)
        free = !touches(g->b, &x->list[k], g->allocation);
    for (size_t e = 0; free && e < x->n_entries; e++) {
        const inlay_node *n = g->b->s->graph->params[x->entries[e].param];
        const inlay_tensor *to = x->meta[steps_slot(g->b->s, &n->out[0])];
        const inlay_tensor *from = g->b->outside->in[x->entries[e].param];

        if (x->allocation[steps_slot(g->b->s, &n->out[0])] != g->allocation ||
            !inlay_tensor_is_dense(to) || !inlay_tensor_is_dense(from))
            continue;
        g->entry = e;
        return add_copy(g, to, NULL, SIZE_MAX);
    }
    return true;
}

/* Adds S, which copies a value over all of the buffer. */
static bool add_copy_step(struct gather *g, const exec_step *s)
{
    const exec_instance *x = g->b->x;
    const inlay_tensor *to = x->meta[s->out[0]];
    const inlay_tensor *from =
        s->from == SIZE_MAX ? inlay_node_attr(s->step->node, "value")->as.tensor : x->meta[s->from];
    int64_t size = inlay_type_info_of(to->type)->bits / 8;

    return g->n == 0 && from && inlay_tensor_is_dense(to) && inlay_tensor_is_dense(from) &&
           add_copy(g, to, (char *)from->data + from->offset * size,
                    s->from == SIZE_MAX ? SIZE_MAX : x->allocation[s->from]);
}

/* Groups */

/* Finds the slots of each block, and the tiles. */
static void count_tiles(const struct gather *g, exec_window *list, exec_windows *w, exec_fused *f)
{
    int64_t tile = g->b->plan->tile ? g->b->plan->tile : TILE, end = 0;

    w->pitch = g->pitch ? g->pitch : FLAT_SLOT;
    w->first = INT64_MAX;
    for (int i = 0; i < g->n; i++) {
        const row_block *k = &block_at(g, list[i].block)->k;

        list[i].slot = list[i].at / w->pitch;
        list[i].end = list[i].single_row
                          ? (list[i].at + list[i].rows * (int64_t)k->size - 1) / w->pitch + 1
                          : list[i].slot + list[i].rows;
        w->first = list[i].slot < w->first ? list[i].slot : w->first;
        end = list[i].end > end ? list[i].end : end;
        w->cost += (double)k->rows * (double)k->length / (k->size == 1 ? sizeof(float) : 1);
    }
    w->slots = tile > w->pitch ? tile / w->pitch : 1;
    f->tiles = (end - w->first + w->slots - 1) / w->slots;
}

static bool make_group(struct gather *g)
{
    exec_instance *x = g->b->x;
    exec_fused *f = inlay_arena_alloc(x->memory, sizeof *f);
    exec_windows *w = inlay_arena_alloc(x->memory, sizeof *w);
    exec_window *list = inlay_arena_array(x->memory, (size_t)g->n, sizeof *list);
    exec_allocation *u = allocation_at(g, g->allocation);

    if (!f || !w || !list)
        return false;
    memcpy(list, g->list, (size_t)g->n * sizeof *list);
    *w = (exec_windows){.list = list, .n = g->n, .allocation = g->allocation, .entry = g->entry};
    *f = (exec_fused){
        .kind = FUSED_SLOTS, .number = ++g->b->n_fused, .first = g->first, .windows = w};
    f->n = g->last + 1 - g->first;
    count_tiles(g, list, w, f);
    if (u->first > exec_time(g->first))
        u->first = exec_time(g->first);
    if (g->entry != SIZE_MAX)
        x->entries[g->entry].later = true;
    for (size_t i = g->first; i <= g->last; i++) {
        exec_step *s = &x->list[i];

        s->fused = f;
        s->kind = s->kind == EXEC_NOTHING ? EXEC_NOTHING : EXEC_FUSED;
        f->counted += !inlay_node_is(s->step->node, INLAY_OP_CONST);
    }
    return true;
}

/* Ends the group. A single step is not fused, unless the group also makes a copy. */
static bool close_group(struct gather *g)
{
    bool ok = g->n == 0 || (g->steps == 1 && g->entry == SIZE_MAX) || make_group(g);

    g->n = g->steps = 0;
    return ok;
}

/* Steps of other kinds may have an output without an allocation. */
static bool may_begin(const exec_builder *b, const exec_step *s)
{
    bool fit = (s->kind == EXEC_BLOCKS && s->in_place) || s->kind == EXEC_COPY;

    return fit && (int64_t)b->x->allocations[b->x->allocation[s->out[0]]].bytes >= smallest(b);
}

static bool add_step(struct gather *g, size_t i)
{
    const exec_step *s = &g->b->x->list[i];
    bool ok = s->kind == EXEC_COPY ? add_copy_step(g, s) : add_blocks(g, s);

    if (ok) {
        g->last = i;
        g->steps++;
    }
    return ok;
}

/* Begins a group with step I, if that may be in one. */
static void open_group(struct gather *g, size_t i)
{
    const exec_step *s = &g->b->x->list[i];

    if (!may_begin(g->b, s))
        return;
    g->allocation = g->b->x->allocation[s->out[0]];
    g->first = i;
    g->entry = SIZE_MAX;
    g->pitch = 0;
    if ((s->kind == EXEC_BLOCKS && !add_entry(g, i)) || !add_step(g, i))
        g->n = 0;
}

static bool joins(struct gather *g, size_t i)
{
    const exec_step *s = &g->b->x->list[i];

    return g->n > 0 && s->kind == EXEC_BLOCKS && s->in_place &&
           g->b->x->allocation[s->out[0]] == g->allocation && add_step(g, i);
}

bool build_windows(exec_builder *b)
{
    struct gather g = {.b = b};
    bool ok = true;

    for (size_t i = 0; ok && b->plan->places && i < b->x->n; i++) {
        const exec_step *s = &b->x->list[i];

        if (is_kept(b, s)) { /* its value is saved now, before later steps overwrite it */
            ok = close_group(&g);
            continue;
        }
        if (s->kind == EXEC_NOTHING || joins(&g, i))
            continue;
        ok = close_group(&g);
        if (ok)
            open_group(&g, i);
    }
    return ok && close_group(&g);
}
