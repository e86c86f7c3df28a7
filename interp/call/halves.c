/* Widens and narrows the rows of functions of floats. */
#include "interp/call/halves.h"
#include "ir/shared.h"

#include <string.h>

/* Widened lanes do not begin at one offset within a page, by which processors compare addresses. */
enum { LANES = ROW_OPERANDS + 1, PIECE = HALVES_ROW / 2, APART = 272, ROOM = PIECE + APART };

/* Part of a block: ROWS rows from row ROW on, and of each N elements from AT on. */
struct part {
    int64_t row, rows, at, n;
};

/* Widens the halves of P, whose rows are PITCH bytes apart from X on, to rows of TO side by side. */
static void widen(inlay_type half, const char *x, ptrdiff_t pitch, const struct part *p, float *to)
{
    x += p->row * pitch + 2 * p->at;
    if (pitch == 2 * p->n) {
        inlay_load_f32_row(half, x, 0, 1, p->rows * p->n, to);
        return;
    }
    for (int64_t r = 0; r < p->rows; r++, x += pitch, to += p->n)
        inlay_load_f32_row(half, x, 0, 1, p->n, to);
}

void call_halves_narrow(inlay_type half, const char *x, ptrdiff_t from, int64_t rows, int64_t n,
                        char *to, ptrdiff_t pitch)
{
    if (from == n * (ptrdiff_t)sizeof(float) && pitch == 2 * n) {
        n *= rows;
        rows = 1;
    }
    for (; rows > 0; rows--, x += from, to += pitch)
        inlay_store_f32_row(half, to, 0, 1, n, (const float *)(const void *)x);
}

/* Returns the block that computes as K does, on floats. */
static row_block floats_of(const call_halves *h, const row_block *k)
{
    row_block floats = *k;

    floats.run = h->run;
    floats.with = h->with;
    floats.type = INLAY_F32;
    floats.half = INLAY_DYNAMIC;
    if (k->single != NO_SINGLE && (h->lanes & 1u << k->single))
        floats.number.f32 = inlay_load_f32(h->half, &k->number, 0);
    if (h->lanes & 1)
        floats.size = sizeof(float);
    return floats;
}

/* Computes FLOATS, part P of K. EACH: row by row, each of which has a number of its own. */
static void compute_floats(const call_halves *h, const row_block *k, const row_block *floats,
                           const struct part *p, bool each)
{
    ptrdiff_t pitch = k->single == SINGLE_X   ? k->x_pitch
                      : k->single == SINGLE_Y ? k->y_pitch
                                              : k->z_pitch;
    const char *number = k->single == SINGLE_X ? k->x : k->single == SINGLE_Y ? k->y : k->z;
    row_block one = *floats;

    if (!each) {
        h->run(floats);
        return;
    }
    for (one.rows = 1, number += p->row * pitch; one.to < floats->to + p->rows * floats->to_pitch;
         number += pitch) {
        one.number.f32 = inlay_load_f32(h->half, number, 0);
        h->run(&one);
        one.to += one.to_pitch;
        if (k->single != SINGLE_X)
            one.x += one.x_pitch;
        if (k->single != SINGLE_Y && one.y)
            one.y += one.y_pitch;
        if (k->single != SINGLE_Z && one.z)
            one.z += one.z_pitch;
    }
}

/* Computes P, a part of K; FLOATS is floats_of that. */
static void compute_part(const call_halves *h, const row_block *k, row_block *floats,
                         const struct part *p, bool each)
{
    const char *const from[LANES] = {NULL, k->x, k->y, k->z};
    const ptrdiff_t from_pitch[LANES] = {0, k->x_pitch, k->y_pitch, k->z_pitch};
    const char **x[LANES] = {NULL, &floats->x, &floats->y, &floats->z};
    ptrdiff_t *pitch[LANES] = {NULL, &floats->x_pitch, &floats->y_pitch, &floats->z_pitch};
    int64_t made = h->folds ? 1 : p->n;
    char *to = k->to + p->row * k->to_pitch + (h->folds ? 0 : p->at * (int64_t)k->size);
    _Alignas(64) float room[LANES * ROOM];
    int each_room = h->whole ? 2 * ROOM : ROOM;

    for (int i = 1; i < LANES; i++) {
        if (!from[i] || (int)k->single == i)
            continue;
        if (h->lanes & 1u << i) {
            widen(h->half, from[i], from_pitch[i], p, room + i * each_room);
            *x[i] = (const char *)(room + i * each_room);
            *pitch[i] = p->n * (ptrdiff_t)sizeof(float);
        } else {
            *x[i] = from[i] + p->row * from_pitch[i] + p->at * (int64_t)sizeof(float);
        }
    }
    floats->rows = p->rows;
    floats->length = p->n;
    floats->to = to;
    if (h->lanes & 1) {
        floats->to = (char *)room;
        floats->to_pitch = made * (ptrdiff_t)sizeof(float);
    }
    compute_floats(h, k, floats, p, each);
    if (h->lanes & 1)
        call_halves_narrow(h->half, floats->to, floats->to_pitch, p->rows, made, to, k->to_pitch);
}

/* Rows are computed several at a time, where they are short, or in pieces. */
static void compute_rows(const row_block *k, bool each)
{
    const call_halves *h = k->with;
    row_block floats = floats_of(h, k);
    int64_t most = h->whole ? HALVES_ROW : PIECE;
    int64_t rows = k->length > most || k->length == 0 ? 1 : most / k->length;

    for (struct part p = {.row = 0}; p.row < k->rows; p.row += p.rows) {
        p.rows = k->rows - p.row < rows ? k->rows - p.row : rows;
        for (p.at = 0; p.at < k->length; p.at += p.n) {
            p.n = k->length - p.at < most ? k->length - p.at : most;
            compute_part(h, k, &floats, &p, each);
        }
    }
}

static void row_halves(const row_block *k)
{
    compute_rows(k, false);
}

void call_halves_each(const row_block *k)
{
    compute_rows(k, true);
}

/* Makes of the floats Y their product by the N halves at X, each rounded. */
static void multiply_halves(inlay_type half, const float *y, const char *x, int64_t n, char *to)
{
    const row_stage list[] = {{.op = ROW_READS, .p = INLAY_F32},
                              {.op = ROW_OTHER, .half = half},
                              {.op = ROW_MULTIPLY, .y = x, .half = half}};
    const row_stages all = {.n = 3, .list = list};

    row_stages_f32(&(row_block){
        .x = (const char *)y, .to = to, .rows = 1, .length = n, .size = 2, .with = &all});
}

void call_halves_gate(const row_block *k)
{
    const call_halves *h = k->with;
    row_block floats = floats_of(h, k);
    float x[ROOM], y[ROOM];

    floats.rows = 1;
    floats.x = (const char *)x;
    floats.to = (char *)y;
    for (int64_t r = 0; r < k->rows; r++) {
        for (int64_t at = 0, n; at < k->length; at += n) {
            const char *from = k->x + r * k->x_pitch + 2 * at;

            n = floats.length = k->length - at < PIECE ? k->length - at : PIECE;
            inlay_load_f32_row(h->half, from, 0, 1, n, x);
            h->run(&floats);
            multiply_halves(h->half, y, from, n, k->to + r * k->to_pitch + 2 * at);
        }
    }
}

bool call_halves_form(const inlay_call *c, row_form *f, call_halves *h)
{
    inlay_type out = c->out[0]->type;
    inlay_type half = call_is_half(out) ? out : c->in[0]->type;

    *h = (call_halves){f->run, f->with, half, 0, f->row_dims > 0, f->folds};
    if (f->picks || !call_is_half(half) || (h->whole && f->n > 1))
        return false;
    if (f->to == INLAY_F32 && out == half) {
        h->lanes = 1;
        f->to = half;
    }
    for (int i = 0; i < f->n; i++) {
        if (f->from[i] != INLAY_F32 || c->in[i]->type != half)
            continue;
        h->lanes |= 2u << i;
        f->from[i] = half;
    }
    if (h->lanes == 0)
        return false;
    f->run = row_halves;
    f->half = half;
    f->with = h;
    return true;
}
