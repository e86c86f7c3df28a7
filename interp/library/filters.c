/* Convolutions with packed filters. */
#include "interp/library/filters.h"
#include "interp/library/fused.h"
#include "interp/library/halves.h"
#include "interp/library/library.h"
#include "interp/library/panel.h"

#include <string.h>

enum {
    LINE = 64, /* bytes */
    LINE_FLOATS = LINE / sizeof(float),
    DEPTH = 512, /* elements of the filters for which all positions of a part are computed before
                    the next ones: this much of a panel stays in the first-level cache */
    PART = FILTERS_PART,    /* positions that are computed in a buffer, in the second-level cache */
    PART_FLOATS = 16 << 10, /* of an image that all filters read from the first-level cache, where
                              positions are side by side, */
    PART_MOST = 1 << 10,    /* and the most positions of such a part */
    SEEN_FLOATS = 192 << 10, /* of an image that all panels read from the second-level cache */
    LONGEST = 2 * PART,      /* line of positions that is not divided */
    TURNED = 16,             /* positions that are transposed at a time */
    TURNED_MOST = 160,       /* longest sums whose positions are side by side */
    TURNED_DEPTH = 6, /* a position is transposed in the time of so many elements of its sums */
    PRODUCTS = 8      /* as many of these products take the time that call_split counts for one */
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

int64_t filters_floats(int64_t out, int64_t depth)
{
    return filters_are_panels(out) ? group_of(out, depth).floats : out * depth;
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
    if ((t->type != INLAY_F32 && !call_is_half(t->type)) || !inlay_tensor_is_dense(t) ||
        t->rank < 2 + grouped || inlay_tensor_count(t) == 0)
        return 0;
    if (!filters_are_panels(t->dims[grouped]))
        return LINE + sizeof(float) * (size_t)inlay_tensor_count(t);
    return LINE + sizeof(float) *
                      (size_t)((grouped ? t->dims[0] : 1) * group_of_tensor(t, grouped).floats);
}

/* Packs the filters of T from element AT on, N of them, which have DEPTH elements each. Returns
 * whether these are finite. */
static bool pack_panel(const inlay_tensor *t, int64_t at, int64_t depth, int64_t n, int64_t cols,
                       float *to)
{
    const float *data = (const float *)t->data + at;

    if (t->type != INLAY_F32)
        return halves_pack(t, at, 1, depth, depth, n, cols, to);
    panel_pack_f32(data, 1, depth, depth, n, cols, to);
    return library_are_finite(data, n * depth);
}

void filters_pack(const inlay_tensor *t, bool grouped, void *to)
{
    struct group g = group_of_tensor(t, grouped);
    int64_t cols = tile_set_best()->cols_f32, groups = grouped ? t->dims[0] : 1;
    int64_t n = inlay_tensor_count(t), data = t->offset;
    float *at = (float *)to + LINE_FLOATS;
    bool finite = true;

    if (!filters_are_panels(g.out)) {
        load_row_f32(at, t, data, 1, n);
        ((filters *)to)->finite = library_are_finite(at, n);
        return;
    }
    for (int64_t i = 0; i < groups; i++, at += g.floats, data += g.out * g.depth) {
        for (int64_t j = 0; j < g.out; j += cols)
            finite = pack_panel(t, data + j * g.depth, g.depth, panel_smaller(cols, g.out - j),
                                cols, at + j * g.depth) &&
                     finite;
    }
    ((filters *)to)->finite = finite;
}

/* A convolution, and how it is divided: a work item is a panel for a part of the positions. */
struct cut {
    const filters_work *w;
    const tile_set *set;
    struct group g;
    int64_t parts;
    int64_t line, unit; /* positions that lie side by side; of which parts consist */
    bool side_by_side;  /* in vectors there are positions instead of filters */
    bool panels_first;  /* all parts of a panel are computed, then those of the next one */
};

/* Returns where row ROW of the positions of W begins in the image. */
static int64_t line_at(const filters_work *w, int64_t row)
{
    const field_axis *a = w->v->w.axis;
    const image *x = w->form;

    return (row / a[1].small * x->step[0] * x->width[1] + row % a[1].small * x->step[1]) *
           x->width[2];
}

/* Lists where N positions from FIRST on lie in the image. */
static void list_positions(const filters_work *w, int64_t first, int64_t n, int64_t *at)
{
    int64_t small = w->v->w.axis[2].small, step = w->form->step[2];
    int64_t r = first % small, row = first / small, line = line_at(w, row);

    for (int64_t i = 0; i < n; i++) {
        at[i] = line + r * step;
        if (++r < small)
            continue;
        r = 0;
        line = line_at(w, ++row);
    }
}

/* Some filters of a group, in one panel, for some positions. */
struct part {
    const float *panel, *x; /* X: the images of the group */
    int64_t row, rows;      /* of Y: filters */
    int64_t first, n;       /* positions */
    bool last;              /* no panel lies behind */
};

/* Returns where P belongs, and sets PITCH: in the output, where the reader wants it, or in ROOM. */
static float *place_of(const filters_work *w, const struct part *p, float *room, int64_t *pitch)
{
    const call_reader *r = w->reader;

    *pitch = r && r->to ? (int64_t)(r->to_pitch / (ptrdiff_t)sizeof *room) : w->v->w.small;
    if (!r)
        return w->y + p->row * *pitch + p->first;
    if (r->to)
        return (float *)(void *)r->to + (w->row + p->row) * *pitch + p->first;
    *pitch = p->n;
    return room;
}

tile_end filters_end(const call_reader *r)
{
    if (!r)
        return (tile_end){.add = NULL};
    return (tile_end){.add = r->add,
                      .sum = (const float *)(const void *)r->sum.data,
                      .sum_row = r->sum.pitch / (ptrdiff_t)sizeof(float),
                      .relu = r->then.op == ROW_RELU,
                      .clamps = r->then.op == ROW_CLAMP,
                      .low = r->then.p,
                      .high = r->then.q,
                      .half = r->then.half == INLAY_F16    ? FUSED_F16
                              : r->then.half == INLAY_BF16 ? FUSED_BF16
                                                           : 0};
}

/* Sets E to what the reader of W has done to P; ADD is room for the numbers to add. Returns NULL if
 * that is nothing. */
static const tile_end *end_of(const filters_work *w, const struct part *p, int64_t cols, float *add,
                              tile_end *e)
{
    const call_reader *r = w->reader;

    if (!call_begins(r))
        return NULL;
    *e = filters_end(r);
    if (e->sum)
        e->sum += (w->row + p->row) * e->sum_row + p->first;
    if (r->add) {
        memset(add, 0, (size_t)cols * sizeof *add);
        memcpy(add, (const float *)r->add + (w->row + p->row) % r->add_rows,
               (size_t)p->rows * sizeof *add);
        e->add = add;
    }
    return e;
}

/* Returns what the reader of W reads beside P, and where it writes its result. */
static tile_ask others_of(const filters_work *w, const struct part *p)
{
    const call_reader *r = w->reader;
    ptrdiff_t size = sizeof *w->y;
    tile_ask a = {.bytes = p->n * size};

    if (!r || !r->beside.data)
        return a;
    a.rows = p->rows;
    for (int k = 0; k < 2; k++) {
        const call_beside *at = k ? &r->becomes : &r->beside;

        a.pitch[k] = at->pitch;
        a.at[k] = at->data ? at->data + (w->row + p->row) * at->pitch + p->first * size : NULL;
    }
    return a;
}

/* Computes P, filters side by side, and transposes it to TO. What is added to the result comes when
 * it is transposed. */
static void sum_filters(const struct cut *k, const struct part *p, const tile_end *end, float *to,
                        int64_t pitch)
{
    const tile_end early = {.add = end ? end->add : NULL}, *first = end && end->sum ? &early : end;
    int64_t cols = k->set->cols_f32, depth = k->g.depth, row_at[PART];
    int64_t pieces = (depth + DEPTH - 1) / DEPTH, piece = (depth + pieces - 1) / pieces;
    _Alignas(LINE) float room[PART * TILE_BYTES / sizeof(float)];
    tile_positions t = {.a = p->x, .row_at = row_at, .c = room};

    list_positions(k->w, p->first, p->n, row_at);
    for (int64_t i = 0; i < depth; i += piece) {
        t.depth = panel_smaller(piece, depth - i);
        t.col_at = k->w->at + i;
        t.b = p->panel + i * cols;
        t.adds = i > 0;
        t.end = i + piece >= depth ? first : NULL;
        /* the first positions read panels from memory, the others find them in a cache */
        t.goes_on = p->first == 0 && (i + piece < depth || !p->last);
        if (i + piece >= depth)
            t.then = others_of(k->w, p);
        k->set->positions_f32(&t, p->n, p->rows);
    }
    if (first != end)
        panel_turn_f32(room, cols, p->rows, p->n, end, pitch, to);
    else
        panel_move_f32(room, 1, cols, p->rows, p->n, pitch, to);
}

/* Computes ROWS and WIDE positions of T, of which the first SKIP have been computed before. */
static void sum_again(const struct cut *k, const tile_f32 *t, int64_t rows, int64_t wide,
                      int64_t skip)
{
    _Alignas(LINE) float room[TILE_ROWS * TILE_BYTES / sizeof(float)];
    tile_f32 apart = *t;

    apart.c = room;
    apart.c_row = wide;
    k->set->fn_f32(&apart, rows, wide);
    for (int64_t i = 0; i < rows; i++)
        memcpy(t->c + i * t->c_row + skip, room + i * wide + skip,
               (size_t)(wide - skip) * sizeof *room);
}

/* Computes N positions of P that lie side by side from FIRST on: all of them for some filters, so
 * that few rows of the result are written at a time. The last tile begins early enough to be a
 * whole one. */
static void sum_line(const struct cut *k, const struct part *p, const tile_f32 *all, int64_t first,
                     int64_t n, float *to)
{
    const tile_ask others = others_of(k->w, p);
    int64_t cols = k->set->cols_f32, step = k->set->step, rows = k->set->rows, line, wide;
    tile_end end;

    list_positions(k->w, first, 1, &line);
    for (int64_t row = 0; row < p->rows; row += rows) {
        tile_f32 t = *all;

        t.a += row;
        if (t.end) {
            end = *t.end;
            if (end.add)
                end.add += row;
            t.end = &end;
        }
        for (int64_t at = 0; at < n; at += wide) {
            int64_t begin;

            wide = n - at >= cols || (n - at > step && n >= cols) ? cols : step;
            begin = panel_smaller(at, n - wide);
            t.b = p->x + line + begin;
            t.c = to + row * t.c_row + begin;
            for (int64_t i = row; i < panel_smaller(row + rows, others.rows); i++)
                tile_ask_row(&others, i, (at + first - p->first) * (int64_t)sizeof *to,
                             (at + wide + first - p->first) * (int64_t)sizeof *to);
            if (t.end && end.sum)
                end.sum = all->end->sum + row * end.sum_row + (first - p->first) + begin;
            if (begin < at && t.end && end.sum)
                sum_again(k, &t, panel_smaller(rows, p->rows - row), wide, at - begin);
            else
                k->set->fn_f32(&t, panel_smaller(rows, p->rows - row), wide);
        }
    }
}

/* Computes P, positions side by side. */
static void sum_positions(const struct cut *k, const struct part *p, const tile_end *end, float *to,
                          int64_t pitch)
{
    int64_t cols = k->set->cols_f32, depth = k->g.depth, n;
    tile_f32 t = {.a_row = 1, .a_col = cols, .c_row = pitch};

    for (int64_t i = 0; i < depth; i += DEPTH) {
        t.depth = panel_smaller(DEPTH, depth - i);
        t.a = p->panel + i * cols;
        t.b_at = k->w->at + i;
        t.adds = i > 0;
        t.end = i + DEPTH >= depth ? end : NULL;
        for (int64_t at = 0; at < p->n; at += n) {
            n = panel_smaller(k->line - (p->first + at) % k->line, p->n - at);
            sum_line(k, p, &t, p->first + at, n, to + at);
        }
    }
}

static void multiply_part(const struct cut *k, const struct part *p)
{
    const filters_work *w = k->w;
    float room[LONGEST * TILE_BYTES / sizeof(float)], add[TILE_BYTES / sizeof(float)];
    tile_end e;
    const tile_end *end = end_of(w, p, k->set->cols_f32, add, &e);
    int64_t pitch;
    float *to = place_of(w, p, room, &pitch);

    (k->side_by_side ? sum_positions : sum_filters)(k, p, end, to, pitch);
    if (w->reader && !w->reader->to)
        w->reader->read(w->reader, &(call_rows){.data = (const char *)to,
                                                .pitch = pitch * (ptrdiff_t)sizeof *to,
                                                .row = w->row + p->row,
                                                .rows = p->rows,
                                                .first = p->first,
                                                .length = p->n,
                                                .begun = end != NULL});
}

/* Returns the first position of part PART. */
static int64_t begin_of(const struct cut *k, int64_t part)
{
    int64_t small = k->w->v->w.small;

    return panel_smaller(part * ((small + k->unit - 1) / k->unit) / k->parts * k->unit, small);
}

static void multiply_items(void *ctx, int64_t from, int64_t to)
{
    const struct cut *k = ctx;

    const filters_work *w = k->w;
    int64_t cols = k->set->cols_f32;

    for (; from < to; from++) {
        int64_t item = from % (k->g.n * k->parts), group = from / (k->g.n * k->parts);
        int64_t part = k->panels_first ? item % k->parts : item / k->g.n;
        int64_t j = k->panels_first ? item / k->parts : item % k->g.n;
        struct part p = {.panel = w->panels + (group * k->g.n + j) * cols * k->g.depth,
                         .x = w->x + group * w->v->in * w->form->plane,
                         .row = group * k->g.out + j * cols,
                         .rows = panel_smaller(cols, k->g.out - j * cols),
                         .first = begin_of(k, part),
                         .last = from + 1 == k->w->v->groups * k->parts * k->g.n};

        p.n = begin_of(k, part + 1) - p.first;
        multiply_part(k, &p);
    }
}

/* Returns how many positions lie side by side in X. */
static int64_t line_of(const image *x)
{
    const field_axis *a = x->w->axis;

    return x->dense || (a[0].small == 1 && a[1].small == 1) ? x->w->small : a[2].small;
}

/* Nothing is transposed then, but some positions at the end of each line are computed twice, if a
 * line is no multiple of a vector, or in tiles of one vector, which take longer. So it pays for
 * short sums. */
bool filters_side_by_side(const convolution *v, const image *form)
{
    const tile_set *set = tile_set_best();
    int64_t line = line_of(form), depth = v->in * v->w.kernel, rest = line % set->cols_f32;
    int64_t step = set->step;
    int64_t lost = rest == 0 ? 0 : rest <= step ? step - rest + step / 4 : 2 * step - rest;

    return line >= step && (line == v->w.small || line <= LONGEST) && depth <= TURNED_MOST &&
           lost * depth < line * TURNED_DEPTH;
}

/* Divides the positions into parts: of whole lines or, if all of them lie side by side, of whole
 * tiles; else of as many as are transposed at a time. */
static void cut_parts(struct cut *k)
{
    const call_reader *r = k->w->reader;
    int64_t small = k->w->v->w.small, units, most = PART;

    k->line = line_of(k->w->form);
    k->side_by_side = k->w->form->w == &k->w->v->w && filters_side_by_side(k->w->v, k->w->form);
    k->unit = !k->side_by_side ? TURNED : k->line == small ? k->set->cols_f32 : k->line;
    units = (small + k->unit - 1) / k->unit;
    if (k->side_by_side && (!r || r->to) && most < PART_FLOATS / k->g.depth)
        most = panel_smaller(PART_FLOATS / k->g.depth, PART_MOST);
    k->parts = panel_smaller((small + most - 1) / most, units);
    k->panels_first = k->w->v->in * k->w->form->plane <= SEEN_FLOATS;
}

void filters_convolve(inlay_call *c, const filters_work *w)
{
    const convolution *v = w->v;
    struct cut k = {.w = w, .set = tile_set_best(), .g = group_of(v->out, v->in * v->w.kernel)};

    cut_parts(&k);
    call_split(c, v->groups * k.parts * k.g.n,
               (double)v->w.small / (double)k.parts * (double)k.g.depth * (double)k.set->cols_f32 /
                   PRODUCTS,
               multiply_items, &k);
}
