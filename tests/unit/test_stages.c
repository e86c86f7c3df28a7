/* Lists of operations on floats that are computed in one go (call/stages.h), with conversions at
 * their ends: drawn lists, on numbers that are halfway between two integers, too large, tiny,
 * infinite or NaN, by the loops of this processor and by those of any. What must come is computed
 * here, number by number, as the documents say. */
#include "generate/rng.h"
#include "interp/call/share.h"
#include "seeds.h"
#include "unit.h"

#include <math.h>

enum { MOST_ROWS = 3, MOST_LENGTH = 200, MOST_STAGES = 20, ROOM = MOST_ROWS * MOST_LENGTH };

static const inlay_type numbers[] = {INLAY_F32, INLAY_U8,  INLAY_I8,  INLAY_U16,
                                     INLAY_I16, INLAY_I32, INLAY_F16, INLAY_BF16};

struct list {
    int64_t rows, length;
    inlay_type from, to;
    inlay_type half; /* to which each operation is rounded, or INLAY_F32 */
    int n;
    row_stage stage[MOST_STAGES];
    float other[MOST_STAGES][ROOM]; /* operand y, where it is rows, or a number for each row */
    uint32_t x[ROOM];               /* bytes of elements of FROM */
    float scale, zero;              /* of the end that quantizes, if there is one */
};

static float any_float(rng *r)
{
    static const float odd[] = {0,      -0.0F,   1,        -1,       1e-42F,    -1e-42F, 3e38F,
                                -3e38F, 0x1p31F, -0x1p31F, INFINITY, -INFINITY, NAN,     0.5F};
    uint32_t bits = (uint32_t)rng_next(r);
    float x;

    if (rng_one_in(r, 6))
        return odd[rng_in(r, 0, 13)];
    memcpy(&x, &bits, sizeof x);
    return rng_one_in(r, 8) ? x : (float)rng_in(r, -3000000, 3000000) / 9973;
}

/* A number that is, or nearly is, between two steps of the scale. */
static float near_half(rng *r, float scale)
{
    float x = ((float)rng_in(r, -300, 300) + 0.5F) * scale;

    for (int64_t k = rng_in(r, -3, 3); k != 0; k += k < 0 ? 1 : -1)
        x = nextafterf(x, k < 0 ? -INFINITY : INFINITY);
    return x;
}

static float any_scale(rng *r)
{
    float x = ldexpf(1 + (float)rng_in(r, 0, (1 << 23) - 1) / (1 << 23), (int)rng_in(r, -12, 4));

    if (rng_one_in(r, 20))
        return any_float(r);
    return rng_one_in(r, 10) ? -x : rng_one_in(r, 4) ? ldexpf(1, (int)rng_in(r, -6, 3)) : x;
}

static row_stage *add_stage(struct list *l, row_op op, float p, float q)
{
    l->stage[l->n] = (row_stage){.op = op, .p = p, .q = q};
    return &l->stage[l->n++];
}

/* Gives the last stage of L numbers instead of its one number: each made by NUMBER of the scale. */
static void spread(rng *r, struct list *l, row_stage *s, float p)
{
    int i = (int)(s - l->stage);
    bool each = rng_one_in(r, 2);

    s->y = (const char *)l->other[i];
    s->each = each;
    s->y_pitch = (each ? 1 : l->length) * (ptrdiff_t)sizeof(float);
    for (int k = 0; k < ROOM; k++)
        l->other[i][k] = rng_one_in(r, 2) ? p : rng_one_in(r, 2) ? p + 1 : any_float(r);
}

static void add_any(rng *r, struct list *l)
{
    row_op op = (row_op)rng_in(r, ROW_ADD, ROW_HARD_SIGMOID);
    float a = any_float(r), b = any_float(r);
    row_stage *s = add_stage(l, op, a, b);

    if (op <= ROW_MINIMUM && rng_one_in(r, 2))
        spread(r, l, s, a);
}

/* What quantizes to the type TO; some do not for one reason. */
static void add_quantized(rng *r, struct list *l, inlay_type to)
{
    int bits = inlay_type_info_of(to)->bits < 17 ? inlay_type_info_of(to)->bits : 16;
    bool is_signed = inlay_type_info_of(to)->cls == INLAY_CLASS_SIGNED;
    float low = is_signed ? -ldexpf(1, bits - 1) : 0, high = low + ldexpf(1, bits) - 1;
    bool divides = !rng_one_in(r, 4);
    row_stage *s;

    l->scale = any_scale(r);
    l->zero = (float)rng_in(r, (int64_t)low, (int64_t)high);
    s = add_stage(l, divides ? ROW_DIVIDE : ROW_MULTIPLY, divides ? l->scale : 1 / l->scale, 0);
    if (rng_one_in(r, 5))
        spread(r, l, s, s->p);
    add_stage(l, ROW_ROUND, 0, 0);
    if (rng_one_in(r, 8))
        l->zero += rng_one_in(r, 2) ? 0.5F : 1e9F;
    s = rng_one_in(r, 4) ? NULL : add_stage(l, ROW_ADD, l->zero, 0);
    if (s && rng_one_in(r, 5))
        spread(r, l, s, s->p);
    if (rng_one_in(r, 10))
        high = rng_one_in(r, 2) ? high + 1 : low - 1;
    add_stage(l, ROW_CLAMP, low, high);
}

/* Numbers of another type on the way, which become floats again. */
static void add_codes(rng *r, struct list *l)
{
    inlay_type type = numbers[rng_in(r, 1, 4)];
    row_stage writes = {.op = ROW_WRITES, .p = (float)type},
              reads = {.op = ROW_READS, .p = (float)type};

    add_quantized(r, l, type);
    if (!row_stages_lead_through(&l->stage[l->n - 1], &writes, &reads))
        return;
    add_stage(l, ROW_WRITES, writes.p, 0);
    add_stage(l, ROW_READS, reads.p, 0);
}

/* Operations on halves: operands y are such, too. */
static void any_halves(rng *r, struct list *l)
{
    l->half = l->from = l->to = rng_one_in(r, 2) ? INLAY_F16 : INLAY_BF16;
    for (int64_t i = rng_in(r, 1, 5); i > 0; i--)
        add_any(r, l);
    for (int i = 0; i < l->n; i++) {
        row_stage *s = &l->stage[i];

        s->half = l->half;
        if (!s->y)
            continue;
        s->y_pitch /= 2;
        for (int k = 0; k < ROOM; k++)
            inlay_store_f32(l->half, l->other[i], k, l->other[i][k]);
    }
    for (int i = 0; i < ROOM; i++)
        l->x[i] = (uint32_t)rng_next(r);
}

static void any_list(rng *r, struct list *l)
{
    float numbers_as[ROOM];

    *l = (struct list){.rows = rng_in(r, 1, MOST_ROWS), .length = rng_in(r, 1, MOST_LENGTH)};
    l->from = numbers[rng_one_in(r, 2) ? 0 : rng_in(r, 0, 7)];
    l->to = numbers[rng_one_in(r, 3) ? 0 : rng_in(r, 0, 7)];
    l->half = INLAY_F32;
    if (rng_one_in(r, 3)) {
        any_halves(r, l);
        return;
    }
    if (l->from != INLAY_F32)
        add_stage(l, ROW_READS, (float)l->from, 0);
    for (int64_t i = rng_in(r, 0, 4); i > 0; i--)
        add_any(r, l);
    for (int64_t i = rng_in(r, 0, 1); i > 0; i--)
        add_codes(r, l);
    if (rng_one_in(r, 2))
        add_any(r, l);
    if (!inlay_type_is_float(l->to) && !rng_one_in(r, 5))
        add_quantized(r, l, l->to);
    if (l->to != INLAY_F32)
        add_stage(l, ROW_WRITES, (float)l->to, 0);
    for (int i = 0; i < ROOM; i++) {
        numbers_as[i] = l->scale != 0 && rng_one_in(r, 2) ? near_half(r, l->scale) : any_float(r);
        l->x[i] = (uint32_t)rng_next(r);
    }
    if (l->from == INLAY_F32)
        memcpy(l->x, numbers_as, sizeof numbers_as);
}

/* Returns X as a number of TYPE, which Convert-1 makes of it. */
static int64_t converted(inlay_type type, double x)
{
    double most = ldexp(1, inlay_type_info_of(type)->bits - 1);

    if (isnan(x))
        return 0;
    if (inlay_type_info_of(type)->cls == INLAY_CLASS_UNSIGNED)
        return isinf(x) ? 0 : (int64_t)fmod(trunc(x), 2 * most);
    return x >= most ? (int64_t)most - 1 : x < -most ? (int64_t)-most : (int64_t)x;
}

static float between(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

static float stage_of(const row_stage *s, float x, float y)
{
    switch (s->op) {
    case ROW_ADD:
        return x + y;
    case ROW_SUBTRACT:
        return x - y;
    case ROW_MULTIPLY:
        return x * y;
    case ROW_DIVIDE:
        return x / y;
    case ROW_MAXIMUM:
        return isnan(x) || x > y ? x : y;
    case ROW_MINIMUM:
        return isnan(x) || x < y ? x : y;
    case ROW_RELU:
        return x <= 0 ? 0 : x;
    case ROW_ABS:
        return fabsf(x);
    case ROW_CLAMP:
        return between(x, s->p, s->q);
    case ROW_ROUND:
        return rintf(x);
    case ROW_HSWISH:
        return x * between(x + 3, 0, 6) / 6;
    case ROW_HSIGMOID:
        return between(x + 3, 0, 6) / 6;
    case ROW_HARD_SIGMOID:
        return between(s->p * x + s->q, 0, 1);
    default:
        return x;
    }
}

/* Sets element AT of Z to what element AT of row ROW of L becomes. */
static void compute_one(const struct list *l, int64_t row, int64_t at, void *z)
{
    int64_t i = row * l->length + at;
    float x = inlay_type_is_float(l->from) ? inlay_load_f32(l->from, l->x, i)
                                           : (float)inlay_load_i64(l->from, l->x, i);
    uint32_t rounded;

    for (int k = 0; k < l->n; k++) {
        const row_stage *s = &l->stage[k];

        if (k + 1 < l->n && s->op == ROW_WRITES)
            x = (float)converted((inlay_type)s->p, x);
        else
            x = stage_of(s, x,
                         !s->y ? s->p : inlay_load_f32(l->half, l->other[k], s->each ? row : i));
        inlay_store_f32(l->half, &rounded, 0, x);
        x = inlay_load_f32(l->half, &rounded, 0);
    }
    if (inlay_type_is_float(l->to))
        inlay_store_f32(l->to, z, i, x);
    else
        inlay_store_i64(l->to, z, i, converted(l->to, x));
}

/* Whether elements I of A and B are the same; one NaN is as good as another. */
static bool same(inlay_type type, const void *a, const void *b, int64_t i)
{
    float x = inlay_type_is_float(type) ? inlay_load_f32(type, a, i) : 0;
    float y = inlay_type_is_float(type) ? inlay_load_f32(type, b, i) : 0;

    if (!inlay_type_is_float(type))
        return inlay_load_i64(type, a, i) == inlay_load_i64(type, b, i);
    return (isnan(x) && isnan(y)) || (x == y && signbit(x) == signbit(y));
}

static void check_with(const struct list *l, stages_vectors most, uint64_t seed)
{
    uint32_t wanted[ROOM], z[ROOM];
    row_stages all = {.n = l->n, .list = l->stage};
    int size = inlay_type_info_of(l->to)->bits / 8;
    row_block k = {.x = (const char *)l->x,
                   .to = (char *)z,
                   .rows = l->rows,
                   .length = l->length,
                   .x_pitch = l->length * inlay_type_info_of(l->from)->bits / 8,
                   .to_pitch = l->length * size,
                   .with = &all};

    if (l->from == l->to) /* it may be computed in place */
        memcpy(k.to = (char *)z, l->x, sizeof z), k.x = k.to;
    row_stages_with(most, &k);
    for (int64_t row = 0; row < l->rows; row++) {
        for (int64_t at = 0; at < l->length; at++) {
            compute_one(l, row, at, wanted);
            if (!same(l->to, z, wanted, row * l->length + at))
                fail_msg("seed %llu, vectors %d: row %d, element %d of %d",
                         (unsigned long long)seed, (int)most, (int)row, (int)at, (int)l->length);
        }
    }
}

static void check_list(const struct list *l, uint64_t seed)
{
    for (int most = STAGES_PLAIN; most <= STAGES_AVX512; most++)
        check_with(l, (stages_vectors)most, seed);
}

static void test_drawn(void **state)
{
    seed_range seeds = seeds_to_try(4000, 400);
    static struct list l;

    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};

        any_list(&r, &l);
        if (l.n == 0)
            continue;
        check_list(&l, seeds.first + i);
    }
}

/* A quotient is exact for any scale, also where it is halfway: all floats around all steps. */
static void test_steps(void **state)
{
    rng r = {1};
    static struct list l;

    for (int i = 0; i < 300; i++) {
        float scale =
            ldexpf(1 + (float)rng_in(&r, 0, (1 << 23) - 1) / (1 << 23), (int)rng_in(&r, -58, 58));
        int64_t step = rng_in(&r, -70, 70);

        l = (struct list){.rows = MOST_ROWS,
                          .length = MOST_LENGTH,
                          .to = INLAY_I8,
                          .from = INLAY_F32,
                          .half = INLAY_F32};
        add_stage(&l, ROW_DIVIDE, scale, 0);
        add_stage(&l, ROW_ROUND, 0, 0);
        add_stage(&l, ROW_ADD, 5, 0);
        add_stage(&l, ROW_CLAMP, -128, 127);
        add_stage(&l, ROW_WRITES, INLAY_I8, 0);
        for (int k = 0; k < ROOM; k++) {
            float x = ((float)(step + k / 12) + 0.5F) * scale;

            for (int by = k % 12; by > 0; by--)
                x = nextafterf(x, k % 2 ? INFINITY : -INFINITY);
            memcpy(&l.x[k], &x, sizeof x);
        }
        check_list(&l, (uint64_t)i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drawn),
        cmocka_unit_test(test_steps),
    };

    return cmocka_run_group_tests_name("stages", tests, NULL, NULL);
}
