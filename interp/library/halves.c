/* Widens what kernels of floats read, and narrows what they compute. */
#include "interp/library/halves.h"
#include "interp/call/load.h"
#include "interp/library/library.h"
#include "interp/library/panel.h"
#include "interp/library/tile.h"

enum { PIECE = 8 << 10 /* elements that a thread converts at a time */ };
static const double cost = 0.25; /* of an element (call/split.h) */

/* All elements of a dense tensor. */
struct all {
    inlay_type half;
    char *codes;
    float *x;
    int64_t n;
};

static int64_t length_of(const struct all *a, int64_t from, int64_t to)
{
    return panel_smaller(a->n, to * PIECE) - from * PIECE;
}

static void widen_pieces(void *ctx, int64_t from, int64_t to)
{
    const struct all *a = ctx;

    halves_widen(a->half, a->codes + 2 * from * PIECE, length_of(a, from, to), a->x + from * PIECE);
}

static void narrow_pieces(void *ctx, int64_t from, int64_t to)
{
    const struct all *a = ctx;

    inlay_store_f32_row(a->half, a->codes, from * PIECE, 1, length_of(a, from, to),
                        a->x + from * PIECE);
}

static void convert(inlay_call *c, struct all *a, call_part_fn *fn)
{
    call_split(c, (a->n + PIECE - 1) / PIECE, cost * PIECE, fn, a);
}

const char *halves_at(const inlay_call *c, int i, int64_t at)
{
    return (const char *)c->in[i]->data + 2 * (c->in[i]->offset + at);
}

const float *halves_load(inlay_call *c, int i)
{
    const inlay_tensor *t = c->in[i];
    struct all a = {.half = t->type, .codes = (char *)halves_at(c, i, 0)};

    if (!call_is_half(t->type) || !inlay_tensor_is_dense(t) || !call_reads(c, i))
        return load_f32(c, i);
    a.n = inlay_tensor_count(t);
    a.x = call_raw_memory(c, a.n, sizeof *a.x);
    if (a.x)
        convert(c, &a, widen_pieces);
    return a.x;
}

bool halves_store(inlay_call *c, int o, const float *x)
{
    inlay_tensor *t = c->out[o];
    struct all a = {.half = t->type, .codes = (char *)t->data + 2 * t->offset, .x = (float *)x};

    if (!call_is_half(t->type) || !inlay_tensor_is_dense(t))
        return store_f32(c, o, x);
    a.n = inlay_tensor_count(t);
    if (!call_settle(c))
        return false;
    convert(c, &a, narrow_pieces);
    return true;
}

/* Stores P to R's output. */
static void store_part(const halves_reader *r, const call_rows *p)
{
    call_halves_narrow(r->half, p->data, p->pitch, p->rows, p->length,
                       r->y + p->row * r->pitch + 2 * p->first, r->pitch);
}

/* Hands P on. */
static void hand_on(const halves_reader *r, const call_rows *p)
{
    _Alignas(64) uint16_t room[HALVES_HANDED];
    call_rows half = *p;

    half.data = (const char *)room;
    for (int64_t at = 0; at < p->length; at += half.length) {
        half.first = p->first + at;
        half.length = panel_smaller(p->length - at, HALVES_HANDED);
        half.pitch = half.length * (ptrdiff_t)sizeof *room;
        for (int64_t row = 0; row < p->rows; row += half.rows) {
            half.row = p->row + row;
            half.rows = panel_smaller(p->rows - row, HALVES_HANDED / half.length);
            call_halves_narrow(r->half, p->data + row * p->pitch + at * (ptrdiff_t)sizeof(float),
                               p->pitch, half.rows, half.length, (char *)room, half.pitch);
            r->next->read(r->next, &half);
        }
    }
}

static void read_floats(const call_reader *reader, const call_rows *p)
{
    const halves_reader *r = (const halves_reader *)reader;

    if (!r->next || (p->begun && r->next->to))
        store_part(r, p);
    else
        hand_on(r, p);
}

bool halves_reader_of(inlay_call *c, bool whole, int64_t small, halves_reader *r)
{
    inlay_tensor *t = c->out[0];
    float *add;

    *r = (halves_reader){.reader = {.read = read_floats},
                         .next = call_reader_of(c, whole && small <= HALVES_HANDED),
                         .half = t->type,
                         .y = (char *)t->data + 2 * t->offset,
                         .pitch = 2 * small};
    if (!r->next)
        return inlay_tensor_is_dense(t) && call_settle(c);
    r->reader.then = r->next->then;
    r->reader.then.half = t->type;
    if (r->next->add) {
        add = call_raw_memory(c, r->next->add_rows, sizeof *add);
        if (!add)
            return false;
        halves_widen(t->type, r->next->add, r->next->add_rows, add);
        r->reader.add = add;
        r->reader.add_rows = r->next->add_rows;
    }
    if (r->next->to) {
        r->y = r->next->to;
        r->pitch = r->next->to_pitch;
    }
    return true;
}

bool halves_pack(const inlay_tensor *t, int64_t at, int64_t row, int64_t col, int64_t depth,
                 int64_t n, int64_t cols, float *to)
{
    enum { ROWS = 64 };
    float room[ROWS * TILE_BYTES / sizeof(float)];
    bool finite = true;

    for (int64_t k = 0, rows; k < depth; k += rows, to += rows * cols) {
        rows = panel_smaller(ROWS, depth - k);
        if (row == 1) {
            for (int64_t j = 0; j < n; j++)
                load_row_f32(room + j * rows, t, at + k + j * col, 1, rows);
            panel_pack_f32(room, 1, rows, rows, n, cols, to);
        } else {
            for (int64_t i = 0; i < rows; i++)
                load_row_f32(room + i * n, t, at + (k + i) * row, col, n);
            panel_pack_f32(room, n, 1, rows, n, cols, to);
        }
        finite = finite && library_are_finite(room, rows * n);
    }
    return finite;
}
