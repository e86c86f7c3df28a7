/* Computes lists of operations on floats. See call/stages.h. */
#include "interp/call/stages.h"
#include "interp/call/halves.h"
#include "interp/kernels/cast.h"
#include "interp/kernels/elementwise.h"
#include "interp/kernels/formulas.h"

#include <math.h>
#include <string.h>

/* Eight of the first kind hold the numbers that are computed together, or four of the second. They
 * fill half of the registers of AVX2, and an eighth of those of AVX-512; where registers are
 * shorter, the compiler takes several for one. */
typedef float floats8 __attribute__((vector_size(8 * sizeof(float))));
typedef int32_t bits8 __attribute__((vector_size(8 * sizeof(float))));
typedef float floats16 __attribute__((vector_size(16 * sizeof(float))));
typedef int32_t bits16 __attribute__((vector_size(16 * sizeof(float))));

/* The end of a list: a quotient or a product, rounded, and zero added, from the least to the most
 * of an integer type, which is written. LOW and HIGH are the numbers that become these. */
struct quantized {
    bool divides;
    float by;            /* the divisor or the factor */
    float inverse, rest; /* of a divisor, 1 / by as their sum */
    float low, high;
    int32_t zero;
    bool nan; /* NaN is no least number, which would become 0 by itself */
};

enum { MOST_CODES = 2 }; /* within a list */

/* The operations on one row. */
struct row {
    inlay_type from, to; /* what is read, and written; */
    ptrdiff_t from_size, to_size;
    bool streams;   /* past the caches, where vectors are not across their lines */
    bool quantizes; /* by QUANTIZED, as the last operation */
    struct quantized quantized;
    int n_codes;
    struct quantized codes[MOST_CODES]; /* of each ROW_CODES: P is which */
    bool halves;                        /* all operations are rounded */
    int n;
    row_stage list[STAGES_MOST]; /* Y is where its floats begin, or NULL: P is that number */
};

/* The vectors are variables of their own, because compilers keep an array in memory. */
#define FOUR_VECTORS(move)                                                                         \
    move(a, 0);                                                                                    \
    move(b, 1);                                                                                    \
    move(c, 2);                                                                                    \
    move(d, 3)
#define EIGHT_VECTORS(move)                                                                        \
    FOUR_VECTORS(move);                                                                            \
    move(e, 4);                                                                                    \
    move(f, 5);                                                                                    \
    move(g, 6);                                                                                    \
    move(h, 7)

#define ONE(v, i, other, form)                                                                     \
    do {                                                                                           \
        floats x = v, y;                                                                           \
                                                                                                   \
        STAGE_STAYS(x);                                                                            \
        other(y, i);                                                                               \
        (v) = form;                                                                                \
    } while (0)
#define FOUR_TIMES(other, form)                                                                    \
    ONE(a, 0, other, form);                                                                        \
    ONE(b, 1, other, form);                                                                        \
    ONE(c, 2, other, form);                                                                        \
    ONE(d, 3, other, form)
#define EIGHT_TIMES(other, form)                                                                   \
    FOUR_TIMES(other, form);                                                                       \
    ONE(e, 4, other, form);                                                                        \
    ONE(f, 5, other, form);                                                                        \
    ONE(g, 6, other, form);                                                                        \
    ONE(h, 7, other, form)
#define NUMBER(v, i) (v) = p
#define ARRAY(v, i) memcpy(&(v), y_at + (i)*LANES, sizeof(v))
/* Makes FORM of each number x; y is P. */
#define EACH_NUMBER(form)                                                                          \
    ALL_TIMES(NUMBER, ((void)y, form));                                                            \
    break
/* The same, with P or the floats of operand y. */
#define EACH_PAIR(form)                                                                            \
    if (y_at) {                                                                                    \
        ALL_TIMES(ARRAY, form);                                                                    \
    } else {                                                                                       \
        ALL_TIMES(NUMBER, form);                                                                   \
    }                                                                                              \
    break

/* Vectors of any processor */

#define LANES 8
#define floats floats8
#define bits bits8
#define VECTORS a, b, c, d, e, f, g, h
#define ALL_VECTORS EIGHT_VECTORS
#define ALL_TIMES EIGHT_TIMES

/* Returns A where CONDITION is true, and else B. */
#define PICK(condition, a, b)                                                                      \
    ((floats)(((bits)(condition) & (bits)(a)) | (~(bits)(condition) & (bits)(b))))
#define LOAD(v, i) memcpy(&(v), x_at + (i)*LANES, sizeof(v))
#define STORE(v, i) memcpy(z_at + (i)*LANES, &(v), sizeof(v))

/* Other numbers than floats are converted beside their place, by the rows of the conversion. */
static const float *widened(inlay_type type, const char *from, float *beside)
{
    row_block k = {.x = from, .to = (char *)beside, .rows = 1, .length = STAGES_WIDTH};

    if (type == INLAY_F32)
        return (const float *)(const void *)from;
    cast_row(type, INLAY_F32)(&k);
    return beside;
}

static void narrowed(inlay_type type, char *to, const float *beside)
{
    row_block k = {.x = (const char *)beside, .to = to, .rows = 1, .length = STAGES_WIDTH};

    if (type != INLAY_F32)
        cast_row(INLAY_F32, type)(&k);
}

/* Rounds the floats of PART to TYPE. */
static void rounded(inlay_type type, float *part)
{
    uint16_t codes[STAGES_WIDTH];

    narrowed(type, (char *)codes, part);
    widened(type, (const char *)codes, part);
}

#define WIDEN_ROW(half, from, to) widened(half, from, to)
#define ROUND_ALL(type)                                                                            \
    do {                                                                                           \
        float *z_at = half;                                                                        \
                                                                                                   \
        ALL_VECTORS(STORE);                                                                        \
        rounded(type, half);                                                                       \
        x_at = half;                                                                               \
        ALL_VECTORS(LOAD);                                                                         \
    } while (0)
#define READ_ALL(s, from, type)                                                                    \
    float part[STAGES_WIDTH], half[STAGES_WIDTH];                                                  \
    const float *x_at = widened(type, from, part);                                                 \
    ALL_VECTORS(LOAD)
#define WRITE_ALL(s, to, type)                                                                     \
    float *z_at = (type) == INLAY_F32 ? (float *)(void *)(to) : part;                              \
    ALL_VECTORS(STORE);                                                                            \
    (void)q;                                                                                       \
    narrowed(type, to, part)
#define STAGE_MAXIMUM(x, y) FORM_MAXIMUM(x, y)
#define STAGE_MINIMUM(x, y) FORM_MINIMUM(x, y)
#define STAGE_RELU(x) FORM_RELU(x, zero)
#define STAGE_CLAMP(x, lo, hi) FORM_CLAMP(x, lo, hi)
/* From 2^23 on all numbers are integers; below it a sum with that number is rounded to one. */
#define MAGNITUDE(x) ((floats)((bits)(x)&INT32_MAX))
#define STAGE_ROUND(x)                                                                             \
    PICK(MAGNITUDE(x) < 0x1p23F,                                                                   \
         (bits)((MAGNITUDE(x) + 0x1p23F) - 0x1p23F) | ((bits)(x)&INT32_MIN), x)
#define STAGE_THROUGH(x)                                                                           \
    __builtin_convertvector(__builtin_convertvector(PICK((x) == (x), x, zero), bits), floats)
#define STAGE_QUOTIENT_CODES(x, c) ((void)(c), x) /* only where products are fused */
#define STAGE_PRODUCT_CODES(x, c) ((void)(c), x)
#define STAGE_STAYS(x) (void)(x)
#define STAGES_TARGET
#define NAME(name) name##_plain
#include "interp/kernels/stages_loop.h"

typedef void compute_fn(char *to, const char *from, int64_t at, int64_t n, const struct row *s);

#if defined __x86_64__ && defined __GNUC__
#include <immintrin.h>

#include "interp/kernels/stages_avx2.h"
#include "interp/kernels/stages_avx512.h"

static compute_fn *compute_with(stages_vectors vectors)
{
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq");

    return vectors == STAGES_AVX512 && avx512 ? compute_avx512
           : vectors == STAGES_PLAIN || !avx2 ? compute_plain
                                              : compute_avx2;
}

void row_stages_end(void)
{
    _mm_sfence();
}
#else
void row_stages_end(void)
{
}

static compute_fn *compute_with(stages_vectors vectors)
{
    (void)vectors;
    return compute_plain;
}
#endif

/* Returns the bytes of an element of operand y of I. */
static size_t size_of_y(const row_stage *i)
{
    return call_is_half(i->half) ? sizeof(uint16_t) : sizeof(float);
}

/* Computes the N floats of a short row beside their place: operands may have nothing behind them.
 */
static void compute_short(compute_fn *compute, char *to, const char *from, int64_t n,
                          const struct row *s)
{
    float part[STAGES_WIDTH] = {0}, others[STAGES_ROWS][STAGES_WIDTH] = {{0}};
    struct row beside = *s;
    int rows = 0;

    for (int i = 0; i < s->n; i++) {
        if (s->list[i].y)
            beside.list[i].y =
                memcpy(others[rows++], s->list[i].y, (size_t)n * size_of_y(&s->list[i]));
    }
    memcpy(part, from, (size_t)(n * s->from_size));
    compute((char *)part, (char *)part, 0, 1, &beside);
    memcpy(to, part, (size_t)(n * s->to_size));
}

/* The last floats of a row, which are too few, are computed with those before them, beside their
 * place, and before the others: TO may be where an operand is. */
static void compute_row(compute_fn *compute, char *to, const char *from, int64_t n,
                        const struct row *s)
{
    int64_t rest = n % STAGES_WIDTH, last = n - STAGES_WIDTH;
    float part[STAGES_WIDTH];

    if (last < 0) {
        compute_short(compute, to, from, n, s);
        return;
    }
    if (rest > 0)
        compute((char *)part, from + last * s->from_size, last, 1, s);
    compute(to, from, 0, n / STAGES_WIDTH, s);
    if (rest > 0)
        memcpy(to + (n - rest) * s->to_size, (char *)part + (STAGES_WIDTH - rest) * s->to_size,
               (size_t)(rest * s->to_size));
}

/* Makes the larger one, or the smaller one, of a number and P a bound, which takes less. Zeros are
 * ordered by their place, so only +0 is one. */
static void take_bound(row_stage *s)
{
    bool larger = s->op == ROW_MAXIMUM;

    if ((!larger && s->op != ROW_MINIMUM) || s->y || isnan(s->p) ||
        (s->p == 0 && (!larger || signbit(s->p))))
        return;
    s->op = s->p == 0 ? ROW_RELU : ROW_CLAMP;
    s->q = larger ? INFINITY : s->p;
    s->p = larger ? s->p : -INFINITY;
}

/* Whether X is an integer of at most MOST, which is exact. */
static bool is_integer(float x, float most)
{
    return fabsf(x) <= most && rintf(x) == x;
}

/* Returns the end of a list: x by the operation SCALE, rounded, plus ZERO, from LEAST to MOST. A
 * quotient is x times the inverse, with a rest, and its error, which is exact, makes it the nearest
 * float (Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor",
 * 1990); numbers so small that it is not are rounded to 0. x is held between those that become
 * LEAST and MOST first, so nothing is too large. */
static struct quantized quantized_by(const row_stage *scale, float zero, float least, float most)
{
    struct quantized q = {scale->op == ROW_DIVIDE, scale->p, .zero = (int32_t)zero};

    least = q.divides ? (least - zero) * q.by : (least - zero) / q.by;
    most = q.divides ? (most - zero) * q.by : (most - zero) / q.by;
    q.low = least < most ? least : most;
    q.high = least < most ? most : least;
    q.inverse = 1 / q.by;
    q.rest = fmaf(-q.inverse, q.by, 1) / q.by;
    return q;
}

/* Whether STAGE multiplies by, or divides by, a number that makes neither too large nor too small
 * numbers of those that are quantized. */
static bool scales(const row_stage *stage)
{
    return (stage->op == ROW_DIVIDE || stage->op == ROW_MULTIPLY) && !stage->y &&
           fabsf(stage->p) >= 0x1p-60F && fabsf(stage->p) <= 0x1p60F;
}

/* Sets Q to the end of the N operations of LIST, and returns how many they are; 0: it does not
 * quantize. */
static int quantizing(const row_stage *list, int n, struct quantized *q)
{
    const row_stage *clamp, *round;
    bool adds;
    float zero;

    if (n < 3 || list[n - 1].op != ROW_CLAMP)
        return 0;
    clamp = &list[n - 1];
    adds = n >= 4 && clamp[-1].op == ROW_ADD && !clamp[-1].y;
    zero = adds ? clamp[-1].p : 0;
    round = clamp - 1 - adds;
    if (round->op != ROW_ROUND || !scales(round - 1) || !is_integer(zero, 0x1p17F) ||
        !is_integer(clamp->p, 0x1p17F) || !is_integer(clamp->q, 0x1p17F) || clamp->p > clamp->q)
        return 0;
    *q = quantized_by(round - 1, zero, clamp->p, clamp->q);
    return 3 + adds;
}

/* Takes the last operations of S together, if they quantize. */
static void take_quantized(struct row *s)
{
    bool floats = s->to == INLAY_F32 || call_is_half(s->to);
    int count = floats ? 0 : quantizing(s->list, s->n, &s->quantized);
    const row_stage *clamp = count > 0 ? &s->list[s->n - 1] : NULL;

    s->quantizes = clamp && cast_holds(s->to, clamp->p, clamp->q);
    if (!s->quantizes)
        return;
    s->quantized.nan =
        s->quantized.zero < 0 || inlay_type_info_of(s->to)->cls != INLAY_CLASS_UNSIGNED;
    s->n -= count;
}

/* Takes the operations together that quantize to codes which become floats again. */
static void take_codes(struct row *s)
{
    int n = 0;

    for (int i = 0; i < s->n; i++) {
        bool takes = s->list[i].op == ROW_THROUGH && s->n_codes < MOST_CODES;
        int count = takes ? quantizing(s->list, n, &s->codes[s->n_codes]) : 0;

        n -= count;
        s->list[n++] =
            count > 0 ? (row_stage){.op = ROW_CODES, .p = (float)s->n_codes++} : s->list[i];
    }
    s->n = n;
}

/* Makes one operation of B, which follows A, and A, if there is one for both. */
static bool take_pair(row_stage *a, const row_stage *b)
{
    bool sums = a->op == ROW_ADD || a->op == ROW_SUBTRACT;
    bool last = b->op == ROW_ADD || b->op == ROW_SUBTRACT;

    if (a->y || b->y || call_is_half(a->half) || call_is_half(b->half) ||
        !((sums && b->op == ROW_MULTIPLY) || (a->op == ROW_MULTIPLY && last)))
        return false;
    *a = (row_stage){.op = sums ? ROW_ADD_MULTIPLY : ROW_MULTIPLY_ADD,
                     .p = a->op == ROW_SUBTRACT ? -a->p : a->p,
                     .q = b->op == ROW_SUBTRACT ? -b->p : b->p};
    return true;
}

/* The loop over operations takes as long as one of them. */
static void take_pairs(struct row *s)
{
    int n = s->n < 1 ? 0 : 1;

    for (int i = 1; i < s->n; i++) {
        if (!take_pair(&s->list[n - 1], &s->list[i]))
            s->list[n++] = s->list[i];
    }
    s->n = n;
}

/* Sets S to the operations of ALL on row R. */
static void take_row(const row_stages *all, int64_t r, struct row *s)
{
    const row_stage *first = all->list, *end = first + all->n;

    s->from = first->op == ROW_READS      ? (inlay_type)first++->p
              : call_is_half(first->half) ? first->half
                                          : INLAY_F32;
    s->to = first < end && end[-1].op == ROW_WRITES     ? (inlay_type)(--end)->p
            : first < end && call_is_half(end[-1].half) ? end[-1].half
                                                        : INLAY_F32;
    s->halves = false;
    s->from_size = inlay_type_info_of(s->from)->bits / 8;
    s->to_size = inlay_type_info_of(s->to)->bits / 8;
    s->streams = all->streams;
    s->quantizes = false;
    s->quantized = (struct quantized){0};
    s->n = s->n_codes = 0;
    for (; first < end; first++) {
        row_stage *stage = &s->list[s->n++];

        *stage = *first;
        if (first->op == ROW_WRITES) {
            *stage = (row_stage){.op = ROW_THROUGH};
            first++;
            continue;
        }
        if (stage->y)
            stage->y += r * stage->y_pitch;
        if (stage->y && stage->each) {
            if (call_is_half(stage->half))
                stage->p = inlay_load_f32(stage->half, stage->y, 0);
            else
                memcpy(&stage->p, stage->y, sizeof stage->p);
            stage->y = NULL;
        }
        take_bound(stage);
        s->halves = s->halves || call_is_half(stage->half);
    }
}

/* Have the operations of ALL a number of its own for each row? */
static bool has_each(const row_stages *all)
{
    for (int i = 0; i < all->n; i++) {
        if (all->list[i].y && all->list[i].each)
            return true;
    }
    return false;
}

/* Do rows of LENGTH floats of all operands lie one behind the other? */
static bool follow(const struct row *s, int64_t length)
{
    for (int i = 0; i < s->n; i++) {
        if (s->list[i].y && s->list[i].y_pitch != length * (ptrdiff_t)sizeof(float))
            return false;
    }
    return true;
}

static void next_row(struct row *s)
{
    for (int i = 0; i < s->n; i++) {
        if (s->list[i].y)
            s->list[i].y += s->list[i].y_pitch;
    }
}

/* Only processors with fused products quantize in one go. */
static void take_all(compute_fn *compute, const row_stages *all, int64_t r, struct row *s)
{
    take_row(all, r, s);
    if (compute != compute_plain && !s->halves) {
        take_quantized(s);
        take_codes(s);
    }
    take_pairs(s);
}

/* What is computed is prepared once, unless each row has its numbers; rows that lie one behind the
 * other are one then. */
static void compute_rows(compute_fn *compute, const row_block *k)
{
    bool each = has_each(k->with);
    int64_t rows = k->rows, length = k->length;
    struct row s;

    for (int64_t r = 0; r < rows; r++) {
        if (r == 0 || each)
            take_all(compute, k->with, r, &s);
        else
            next_row(&s);
        if (!each && k->x_pitch == length * s.from_size && k->to_pitch == length * s.to_size &&
            follow(&s, length)) {
            length *= rows;
            rows = 1;
        }
        compute_row(compute, k->to + r * k->to_pitch, k->x + r * k->x_pitch, length, &s);
    }
}

void row_stages_with(stages_vectors most, const row_block *k)
{
    compute_rows(compute_with(most), k);
}

void row_stages_f32(const row_block *k)
{
    row_stages_with(STAGES_AVX512, k);
}

bool row_stages_lead_through(const row_stage *clamp, const row_stage *writes,
                             const row_stage *reads)
{
    return clamp->op == ROW_CLAMP && writes->op == ROW_WRITES && reads->op == ROW_READS &&
           writes->p == reads->p && clamp->p <= clamp->q &&
           cast_holds((inlay_type)writes->p, clamp->p, clamp->q);
}

row_stage row_stage_of(row_op op, const row_block *k)
{
    bool number = k->single == SINGLE_X || k->single == SINGLE_Y;
    const call_halves *h = call_halves_of(k);
    row_stage s = {.op = op, .p = number ? k->number.f32 : (float)k->a, .q = (float)k->b};

    if (h) {
        s.half = h->half;
        s.p = number ? inlay_load_f32(h->half, &k->number, 0) : s.p;
    }
    return s;
}
