/* Computes lists of operations on floats. See call/stages.h. */
#include "interp/call/stages.h"
#include "interp/kernels/elementwise.h"

#include <string.h>

/* Eight of these hold the numbers that are computed together. They fill half of the registers of
 * AVX2; where registers are shorter, the compiler takes several for one. */
enum { LANES = 8 };
typedef float floats __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t bits __attribute__((vector_size(LANES * sizeof(float))));

/* Returns A where CONDITION is true, and else B. */
#define PICK(condition, a, b)                                                                      \
    ((floats)(((bits)(condition) & (bits)(a)) | (~(bits)(condition) & (bits)(b))))
#define ONE(v, form)                                                                               \
    do {                                                                                           \
        const floats x = v;                                                                        \
                                                                                                   \
        (v) = form;                                                                                \
    } while (0)
/* Makes FORM of each number x. */
#define EACH_NUMBER(form)                                                                          \
    ONE(a, form);                                                                                  \
    ONE(b, form);                                                                                  \
    ONE(c, form);                                                                                  \
    ONE(d, form);                                                                                  \
    ONE(e, form);                                                                                  \
    ONE(f, form);                                                                                  \
    ONE(g, form);                                                                                  \
    ONE(h, form);                                                                                  \
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

/* Computes N times STAGES_WIDTH floats that follow each other. */
static INLAY_CLONES void compute(float *to, const float *from, int64_t n, const row_stages *s)
{
    const floats zero = {0};
    floats a, b, c, d, e, f, g, h;

    for (; n > 0; n--, to += STAGES_WIDTH, from += STAGES_WIDTH) {
        ALL_VECTORS(LOAD);
        for (const row_stage *i = s->list; i < s->list + s->n; i++) {
            const floats p = i->p - zero, q = i->q - zero;

            switch (i->op) {
            case ROW_OTHER:
                break;
            case ROW_ADD:
                EACH_NUMBER(x + p);
            case ROW_SUBTRACT:
                EACH_NUMBER(x - p);
            case ROW_MULTIPLY:
                EACH_NUMBER(x * p);
            case ROW_MAXIMUM:
                EACH_NUMBER(PICK((x > p) | (x != x), x, p));
            case ROW_MINIMUM:
                EACH_NUMBER(PICK((x < p) | (x != x), x, p));
            case ROW_RELU:
                EACH_NUMBER(PICK(x <= zero, zero, x));
            case ROW_ABS:
                EACH_NUMBER((floats)((bits)x & INT32_MAX));
            case ROW_CLAMP:
                EACH_NUMBER(PICK(x < p, p, PICK(x > q, q, x)));
            }
        }
        ALL_VECTORS(STORE);
    }
}

/* A row's last floats are computed beside their place. */
static void compute_row(float *to, const float *from, int64_t n, const row_stages *s)
{
    float part[STAGES_WIDTH] = {0};
    int64_t whole = n / STAGES_WIDTH * STAGES_WIDTH;
    size_t rest = (size_t)(n - whole) * sizeof *part;

    compute(to, from, n / STAGES_WIDTH, s);
    if (rest == 0)
        return;
    memcpy(part, from + whole, rest);
    compute(part, part, 1, s);
    memcpy(to + whole, part, rest);
}

void row_stages_f32(const row_block *k)
{
    for (int64_t r = 0; r < k->rows; r++)
        compute_row((float *)(void *)(k->to + r * k->to_pitch),
                    (const float *)(const void *)(k->x + r * k->x_pitch), k->length, k->with);
}

row_stage row_stage_of(row_op op, const row_block *k)
{
    bool number = k->single == SINGLE_Y;

    return (row_stage){op, number ? k->number.f32 : (float)k->a, (float)k->b};
}
