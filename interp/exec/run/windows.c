/* Computes steps that write in place to one buffer (build/windows.c): all of them on one tile of
 * the buffer, then all of them on the next. */
#include "interp/exec/run/windows.h"

/* What a group computes, at real addresses. */
struct work {
    const exec_fused *f;
    const row_block *blocks; /* the frame's */
};

/* Returns how many rows of V's block lie in slots before SLOT. */
static int64_t rows_before(const struct work *w, const exec_window *v, int64_t slot)
{
    const exec_windows *s = w->f->windows;
    int64_t n = v->single_row ? (slot * s->pitch - v->at) / (ptrdiff_t)w->blocks[v->block].size
                              : slot - v->slot;

    return n < 0 ? 0 : n < v->rows ? n : v->rows;
}

/* Computes the rows of V in the slots FROM <= slot < END. */
static void compute_slots(const struct work *w, const exec_window *v, int64_t from, int64_t end)
{
    int64_t first = rows_before(w, v, from), n = rows_before(w, v, end) - first;
    row_block k = w->blocks[v->block];
    ptrdiff_t size = (ptrdiff_t)k.size;

    if (n == 0)
        return;
    *(v->single_row ? &k.length : &k.rows) = n;
    k.to += first * (v->single_row ? size : k.to_pitch);
    if (k.x)
        k.x += first * (v->single_row ? size : k.x_pitch);
    if (k.y)
        k.y += first * (v->single_row ? size : k.y_pitch);
    k.run(&k);
}

/* Lists the blocks that have rows in TILE, in their order. Returns the first tile after it for
 * which the list is another. */
static int64_t list_blocks(const exec_windows *s, int64_t tile, int *list, int *n)
{
    int64_t change = INT64_MAX;

    *n = 0;
    for (int i = 0; i < s->n; i++) {
        int64_t first = (s->list[i].slot - s->first) / s->slots;
        int64_t behind = (s->list[i].end - 1 - s->first) / s->slots + 1;

        if (tile >= behind)
            continue;
        if (first <= tile)
            list[(*n)++] = i;
        else
            behind = first;
        change = behind < change ? behind : change;
    }
    return change;
}

/* Computes the tiles FROM <= tile < TO. The list of blocks changes only where a window begins or
 * ends, so it is not made anew for each tile. */
static void compute_windows(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    const exec_windows *s = w->f->windows;
    int list[FUSED_WINDOWS], n;

    while (from < to) {
        int64_t change = list_blocks(s, from, list, &n), stop = change < to ? change : to;

        for (int64_t tile = from; n > 0 && tile < stop; tile++) {
            int64_t begin = s->first + tile * s->slots;

            for (int i = 0; i < n; i++)
                compute_slots(w, &s->list[list[i]], begin, begin + s->slots);
        }
        from = stop;
    }
}

/* Tiles do not share a slot, so threads may share the tiles. */
void exec_fused_windows(const exec_frame *f, const exec_fused *g)
{
    const exec_windows *s = g->windows;
    struct work w = {g, f->blocks};

    if (s->entry != SIZE_MAX)
        f->blocks[s->list[0].block].x =
            (const char *)exec_first_byte(f->outside->in[f->x->entries[s->entry].param]);
    for (int i = 0; i < s->n; i++) {
        row_block *k = &f->blocks[s->list[i].block];

        if (k->one)
            row_block_read(k);
    }
    if (s->cost < (double)f->run.worth)
        compute_windows(&w, 0, g->tiles);
    else
        exec_workers_split(f->run.workers, g->tiles, s->cost / (double)g->tiles, compute_windows,
                           &w);
}
