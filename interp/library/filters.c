/* Convolutions with packed filters. */
#include "interp/library/filters.h"
#include "interp/library/library.h"
#include "interp/library/panel.h"

#include <string.h>

enum {
    LINE = 64, /* bytes */
    LINE_FLOATS = LINE / sizeof(float),
    DEPTH = 512, /* elements of the filters for which all positions of a part are computed before
                    the next ones: this much of a panel stays in the first-level cache */
    PART = 128,  /* positions that are computed in a buffer, in the second-level cache */
    PRODUCTS = 8 /* as many of these products take the time that call_split counts for one */
};

/* A group as a matrix product. */
struct group {
    int64_t out, depth, n; /* filters; elements of each; panels */
    int64_t floats;        /* of these panels */
};

static struct group group_of(int64_t out, int64_t depth)
{
    int64_t cols = tile_set_best()->cols_f32, n = (out + cols - 1) / cols;

    return (struct group){out, depth, n, n * cols * depth};
}

bool filters_are_panels(int64_t out)
{
    return out >= tile_set_best()->step;
}

const float *filters_of(const filters *f)
{
    return (const float *)(const void *)f + LINE_FLOATS;
}

static struct group group_of_tensor(const inlay_tensor *t, bool grouped)
{
    int64_t out = t->dims[grouped], groups = grouped ? t->dims[0] : 1;

    return group_of(out, inlay_tensor_count(t) / (groups * out));
}

size_t filters_bytes(const inlay_tensor *t, bool grouped)
{
    if (t->type != INLAY_F32 || !inlay_tensor_is_dense(t) || t->rank < 2 + grouped ||
        inlay_tensor_count(t) == 0)
        return 0;
    if (!filters_are_panels(t->dims[grouped]))
        return LINE + inlay_tensor_bytes(t);
    return LINE + sizeof(float) *
                      (size_t)((grouped ? t->dims[0] : 1) * group_of_tensor(t, grouped).floats);
}

void filters_pack(const inlay_tensor *t, bool grouped, void *to)
{
    const float *data = (const float *)t->data + t->offset;
    struct group g = group_of_tensor(t, grouped);
    int64_t cols = tile_set_best()->cols_f32, groups = grouped ? t->dims[0] : 1;
    float *at = (float *)to + LINE_FLOATS;

    ((filters *)to)->finite = library_are_finite(data, inlay_tensor_count(t));
    if (!filters_are_panels(g.out)) {
        memcpy(at, data, inlay_tensor_bytes(t));
        return;
    }
    for (int64_t i = 0; i < groups; i++, at += g.floats, data += g.out * g.depth) {
        for (int64_t j = 0; j < g.out; j += cols)
            panel_pack_f32(data + j * g.depth, 1, g.depth, g.depth, panel_smaller(cols, g.out - j),
                           cols, at + j * g.depth);
    }
}

/* A convolution, and how it is divided: a work item is a panel for a part of the positions. */
struct cut {
    const filters_work *w;
    const tile_set *set;
    struct group g;
    int64_t parts;
};

/* Lists where N positions from FIRST on lie in an image. */
static void list_positions(const image *x, int64_t first, int64_t n, int64_t *at)
{
    const field_axis *a = x->w->axis;
    int64_t r = first % a[2].small, row = first / a[2].small;
    int64_t line = (row / a[1].small * x->width[1] + row % a[1].small) * x->width[2];

    for (int64_t i = 0; i < n; i++) {
        at[i] = line + r;
        if (++r < a[2].small)
            continue;
        r = 0;
        row++;
        line = (row / a[1].small * x->width[1] + row % a[1].small) * x->width[2];
    }
}

/* Transposes ROOM, positions of COLS filters, to the rows P of the result, or of what is handed
 * over. */
static void store_part(const filters_work *w, const float *room, int64_t cols, call_rows p)
{
    const call_reader *r = w->reader;
    int64_t small = w->v->w.small;
    float part[PART * TILE_BYTES / sizeof(float)];

    if (!r || r->to) {
        ptrdiff_t pitch = r ? r->to_pitch / (ptrdiff_t)sizeof *part : small;
        float *to = r ? (float *)(void *)r->to + (w->row + p.row) * pitch : w->y + p.row * pitch;

        panel_move_f32(room, 1, cols, p.rows, p.length, pitch, to + p.first);
        return;
    }
    panel_move_f32(room, 1, cols, p.rows, p.length, p.length, part);
    p.data = (const char *)part;
    p.pitch = p.length * (ptrdiff_t)sizeof *part;
    p.row += w->row;
    p.begun = call_begins(r);
    r->read(r, &p);
}

/* Returns what the reader of W has done to COLS filters from ROW on, of which SOME are there; ADD
 * is room for the numbers to add. */
static tile_end end_of(const filters_work *w, int64_t row, int64_t some, int64_t cols, float *add)
{
    const call_reader *r = w->reader;
    tile_end e = {.relu = r->then.op == ROW_RELU,
                  .clamps = r->then.op == ROW_CLAMP,
                  .low = r->then.p,
                  .high = r->then.q};

    if (r->add) {
        memset(add, 0, (size_t)cols * sizeof *add);
        memcpy(add, r->add + (w->row + row) % r->add_rows, (size_t)some * sizeof *add);
        e.add = add;
    }
    return e;
}

/* Computes N positions from FIRST on of panel J of GROUP. */
static void multiply_part(const struct cut *k, int64_t group, int64_t j, int64_t first, int64_t n)
{
    const filters_work *w = k->w;
    int64_t cols = k->set->cols_f32, depth = k->g.depth;
    int64_t some = panel_smaller(cols, k->g.out - j * cols), row_at[PART];
    const float *panel = w->panels + (group * k->g.n + j) * cols * depth;
    _Alignas(LINE) float room[PART * TILE_BYTES / sizeof(float)];
    tile_positions t = {.a = w->x + group * w->v->in * w->form->plane, .row_at = row_at, .c = room};
    float add[TILE_BYTES / sizeof(float)];
    tile_end end;

    list_positions(w->form, first, n, row_at);
    if (call_begins(w->reader))
        end = end_of(w, group * k->g.out + j * cols, some, cols, add);
    for (int64_t i = 0; i < depth; i += DEPTH) {
        t.depth = panel_smaller(DEPTH, depth - i);
        t.col_at = w->at + i;
        t.b = panel + i * cols;
        t.adds = i > 0;
        t.end = i + DEPTH >= depth && call_begins(w->reader) ? &end : NULL;
        k->set->positions_f32(&t, n, some);
    }
    store_part(
        w, room, cols,
        (call_rows){.row = group * k->g.out + j * cols, .rows = some, .first = first, .length = n});
}

static void multiply_items(void *ctx, int64_t from, int64_t to)
{
    const struct cut *k = ctx;

    for (; from < to; from++) {
        int64_t part = from / k->g.n % k->parts, small = k->w->v->w.small;
        int64_t first = part * small / k->parts, end = (part + 1) * small / k->parts;

        multiply_part(k, from / k->g.n / k->parts, from % k->g.n, first, end - first);
    }
}

void filters_convolve(inlay_call *c, const filters_work *w)
{
    const convolution *v = w->v;
    struct cut k = {.w = w, .set = tile_set_best(), .g = group_of(v->out, v->in * v->w.kernel)};

    k.parts = (v->w.small + PART - 1) / PART;
    call_split(c, v->groups * k.parts * k.g.n,
               (double)v->w.small / (double)k.parts * (double)k.g.depth * (double)k.set->cols_f32 /
                   PRODUCTS,
               multiply_items, &k);
}
