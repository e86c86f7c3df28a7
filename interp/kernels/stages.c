/* Computes lists of operations on floats. See call/stages.h. */
#include "interp/call/stages.h"
#include "interp/kernels/elementwise.h"
#include "interp/kernels/formulas.h"

#include <string.h>

/* Eight of these hold the numbers that are computed together. They fill half of the registers of
 * AVX2; where registers are shorter, the compiler takes several for one. */
enum { LANES = 8 };
typedef float floats __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t bits __attribute__((vector_size(LANES * sizeof(float))));

/* Returns A where CONDITION is true, and else B. */
#define PICK(condition, a, b)                                                                      \
    ((floats)(((bits)(condition) & (bits)(a)) | (~(bits)(condition) & (bits)(b))))

#define ONE(v, i, other, form)                                                                     \
    do {                                                                                           \
        const floats x = v;                                                                        \
        floats y;                                                                                  \
                                                                                                   \
        other(y, i);                                                                               \
        (v) = form;                                                                                \
    } while (0)
#define ALL(other, form)                                                                           \
    ONE(a, 0, other, form);                                                                        \
    ONE(b, 1, other, form);                                                                        \
    ONE(c, 2, other, form);                                                                        \
    ONE(d, 3, other, form);                                                                        \
    ONE(e, 4, other, form);                                                                        \
    ONE(f, 5, other, form);                                                                        \
    ONE(g, 6, other, form);                                                                        \
    ONE(h, 7, other, form)
#define NUMBER(v, i) (v) = p
#define ARRAY(v, i) memcpy(&(v), y_at + (i)*LANES, sizeof(v))
/* Makes FORM of each number x; y is P. */
#define EACH_NUMBER(form)                                                                          \
    ALL(NUMBER, ((void)y, form));                                                                  \
    break
/* The same, with P or the floats of operand y. */
#define EACH_PAIR(form)                                                                            \
    if (y_at) {                                                                                    \
        ALL(ARRAY, form);                                                                          \
    } else {                                                                                       \
        ALL(NUMBER, form);                                                                         \
    }                                                                                              \
    break

/* The vectors are variables of their own, because compilers keep an array in memory. */
#define ALL_VECTORS(move)                                                                          \
    move(a, 0);                                                                                    \
    move(b, 1);                                                                                    \
    move(c, 2);                                                                                    \
    move(d, 3);                                                                                    \
    move(e, 4);                                                                                    \
    move(f, 5);                                                                                    \
    move(g, 6);                                                                                    \
    move(h, 7)
#define LOAD(v, i) memcpy(&(v), from + (i)*LANES, sizeof(v))
#define STORE(v, i) memcpy(to + (i)*LANES, &(v), sizeof(v))

/* The operations on one row. */
struct row {
    int n;
    row_stage list[STAGES_MOST]; /* Y is where its floats begin, or NULL: P is that number */
};

/* Computes N times STAGES_WIDTH floats that follow each other, the first of them being number AT of
 * the row. */
static INLAY_CLONES void compute(float *to, const float *from, int64_t at, int64_t n,
                                 const struct row *s)
{
    const floats zero = {0};
    floats a, b, c, d, e, f, g, h;

    for (; n > 0; n--, to += STAGES_WIDTH, from += STAGES_WIDTH, at += STAGES_WIDTH) {
        ALL_VECTORS(LOAD);
        for (const row_stage *i = s->list; i < s->list + s->n; i++) {
            const float *y_at = i->y ? (const float *)(const void *)i->y + at : NULL;
            const floats p = i->p - zero, q = i->q - zero;

            switch (i->op) {
            case ROW_OTHER:
                break;
            case ROW_ADD:
                EACH_PAIR(FORM_ADD(x, y));
            case ROW_SUBTRACT:
                EACH_PAIR(FORM_SUBTRACT(x, y));
            case ROW_MULTIPLY:
                EACH_PAIR(FORM_MULTIPLY(x, y));
            case ROW_DIVIDE:
                EACH_PAIR(FORM_DIVIDE(x, y));
            case ROW_MAXIMUM:
                EACH_PAIR(FORM_MAXIMUM(x, y));
            case ROW_MINIMUM:
                EACH_PAIR(FORM_MINIMUM(x, y));
            case ROW_RELU:
                EACH_NUMBER(FORM_RELU(x, zero));
            case ROW_ABS:
                EACH_NUMBER((floats)((bits)x & INT32_MAX));
            case ROW_CLAMP:
                EACH_NUMBER(FORM_CLAMP(x, y, q));
            }
        }
        ALL_VECTORS(STORE);
    }
}

/* Computes the N floats of a short row beside their place: operands may have nothing behind them.
 */
static void compute_short(float *to, const float *from, int64_t n, const struct row *s)
{
    float part[STAGES_WIDTH] = {0}, others[STAGES_ROWS][STAGES_WIDTH] = {{0}};
    struct row beside = {.n = s->n};
    size_t bytes = (size_t)n * sizeof *part;
    int rows = 0;

    memcpy(beside.list, s->list, (size_t)s->n * sizeof *s->list);
    for (int i = 0; i < s->n; i++) {
        if (s->list[i].y)
            beside.list[i].y = memcpy(others[rows++], s->list[i].y, bytes);
    }
    memcpy(part, from, bytes);
    compute(part, part, 0, 1, &beside);
    memcpy(to, part, bytes);
}

/* The last floats of a row, which are too few, are computed with those before them, beside their
 * place, and before the others: TO may be where an operand is. */
static void compute_row(float *to, const float *from, int64_t n, const struct row *s)
{
    int64_t rest = n % STAGES_WIDTH, last = n - STAGES_WIDTH;
    float part[STAGES_WIDTH];

    if (last < 0) {
        compute_short(to, from, n, s);
        return;
    }
    if (rest > 0)
        compute(part, from + last, last, 1, s);
    compute(to, from, 0, n / STAGES_WIDTH, s);
    if (rest > 0)
        memcpy(to + n - rest, part + STAGES_WIDTH - rest, (size_t)rest * sizeof *to);
}

/* Sets S to the operations of ALL on row R. */
static void take_row(const row_stages *all, int64_t r, struct row *s)
{
    s->n = all->n;
    for (int i = 0; i < all->n; i++) {
        row_stage *stage = &s->list[i];

        *stage = all->list[i];
        if (stage->y)
            stage->y += r * stage->y_pitch;
        if (stage->y && stage->each) {
            memcpy(&stage->p, stage->y, sizeof stage->p);
            stage->y = NULL;
        }
    }
}

void row_stages_f32(const row_block *k)
{
    struct row s;

    for (int64_t r = 0; r < k->rows; r++) {
        take_row(k->with, r, &s);
        compute_row((float *)(void *)(k->to + r * k->to_pitch),
                    (const float *)(const void *)(k->x + r * k->x_pitch), k->length, &s);
    }
}

row_stage row_stage_of(row_op op, const row_block *k)
{
    bool number = k->single == SINGLE_X || k->single == SINGLE_Y;

    return (row_stage){.op = op, .p = number ? k->number.f32 : (float)k->a, .q = (float)k->b};
}
