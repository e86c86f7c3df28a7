/* Products with compressed weights (interp/library/compressed.c) against those of the reference:
 * bit for bit, but for one row by compressed integers (digits.h), which is within a bound. */
#include "interp/library/tile.h"
#include "interp/library/unpack.h"
#include "node_case.h"
#include "passes/passes.h"
#include "seeds.h"
#include "unit.h"

#include <math.h>

/* Numbers that TYPE has, or scales of it, some of which are so small or large that they are rounded
 * otherwise. */
static inlay_tensor *any_low(rng *r, inlay_type type, int rank, const int64_t *dims, bool scale)
{
    static const double odd[] = {1e-5, 6e-8, 0.001, 3000, -0.25, 0};
    inlay_tensor *t = inlay_tensor_new(type, rank, dims);

    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (inlay_type_is_int(type))
            inlay_tensor_set_i64(t, i, rng_in(r, -128, 255));
        else if (scale && rng_one_in(r, 4))
            inlay_tensor_set_f64(t, i, odd[rng_in(r, 0, 5)]);
        else
            inlay_tensor_set_f64(t, i, any_number(r, !scale && rng_one_in(r, 50)));
        if (scale && fabs(inlay_tensor_get_f64(t, i)) > 1e30 && !rng_one_in(r, 100))
            inlay_tensor_set_f64(t, i, -1);
    }
    return t;
}

/* Zero points, as floats or as integers. */
static inlay_tensor *any_zero(rng *r, inlay_type weights, inlay_type scale, int rank,
                              const int64_t *dims)
{
    inlay_tensor *t =
        any_low(r, rng_one_in(r, 2) || scale == INLAY_BF16 ? weights : scale, rank, dims, false);

    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (!inlay_type_is_int(t->type))
            inlay_tensor_set_f64(t, i, (double)rng_in(r, -255, 255) + rng_one_in(r, 300) * 0.5);
    }
    return t;
}

/* Number K of GROUP of column J of T, which broadcasts. */
static double low_at(const inlay_tensor *t, bool turned, int64_t j, int64_t group, int64_t k)
{
    const int64_t place[3] = {turned ? j : group, turned ? group : k, turned ? k : j};
    const int64_t flat[2] = {turned ? j : k, turned ? k : j};
    int64_t at = 0;

    for (int i = 0; i < t->rank; i++)
        at = at * t->dims[i] + (t->dims[i] == 1 ? 0
                                : t->rank == 3  ? place[i]
                                                : flat[i + 2 - t->rank]);
    return inlay_tensor_get_f64(t, at);
}

/* The sum of the magnitudes of the products of which element J is the sum. */
static double magnitude_of(const struct node_case *k, bool turned, int64_t j)
{
    const inlay_tensor *w = k->in[1], *scale = k->in[2], *zero = k->in[3];
    int64_t depth = inlay_tensor_count(k->in[0]);
    int64_t groups = w->rank == 3 ? w->dims[turned ? 1 : 0] : 1, size = depth / groups;
    double sum = 0;

    for (int64_t i = 0; i < depth; i++) {
        double x = low_at(w, turned, j, i / size, i % size);

        x -= zero ? low_at(zero, turned, j, i / size, i % size) : 0;
        x *= scale ? low_at(scale, turned, j, i / size, i % size) : 1;
        sum += fabs(x * inlay_tensor_get_f64(k->in[0], i));
    }
    return sum;
}

static bool are_finite(const inlay_tensor *t)
{
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (!isfinite(inlay_tensor_get_f64(t, i)))
            return false;
    }
    return true;
}

/* One row by integers that are scaled in f32 or not at all, and whose products with the row are
 * exact, is less far from the reference's sum than this may be from the true one: each of its terms
 * is rounded at most as often as there are terms, and twice more. */
static void set_bounds(struct node_case *k, bool turned, int64_t n)
{
    const inlay_tensor *a = k->in[0], *scale = k->in[2];
    double unit = a->type == INLAY_F32 ? 0 : a->type == INLAY_F16 ? 0x1p-10 : 0x1p-7;
    int64_t terms = inlay_tensor_count(a);

    if (terms == 0 || !inlay_type_is_int(k->in[1]->type) || (scale && scale->type != INLAY_F32) ||
        terms != a->dims[a->rank - 1] || !are_finite(a))
        return;
    k->bounds = calloc((size_t)n + 1, sizeof *k->bounds);
    assert_non_null(k->bounds);
    for (int64_t j = 0; j < n; j++) {
        double sum = magnitude_of(k, turned, j);

        k->bounds[j] = sum * ((double)(terms + 3) * 0x1p-24 + unit) + (double)terms * 0x1p-149;
        if (sum > 3e38)
            k->bounds[j] = INFINITY;
    }
}

static void compressed_case(rng *r, struct node_case *k)
{
    static const inlay_type low[] = {INLAY_I8, INLAY_U8, INLAY_I4, INLAY_U4, INLAY_F16, INLAY_BF16};
    static const inlay_type floats[] = {INLAY_F32, INLAY_F16, INLAY_BF16};
    inlay_type type = low[rng_in(r, 0, 5)], own = floats[rng_one_in(r, 2) ? 0 : rng_in(r, 0, 2)];
    bool turned = rng_one_in(r, 2), grouped = rng_one_in(r, 2), wide = rng_one_in(r, 2);
    int64_t n = any_size(r), groups = grouped ? rng_in(r, 1, 5) : 1, size = any_size(r);
    int64_t rows = rng_one_in(r, 2) ? 1 : any_size(r);
    int64_t a[3] = {rng_in(r, 1, 2), rows, groups * size};
    int64_t w[3] = {turned ? n : groups, turned ? groups : size, turned ? size : n};
    int64_t one[3] = {w[0], turned ? groups : 1, turned ? 1 : n};
    int front = grouped ? 0 : 1;

    if (!grouped && turned)
        w[1] = n, one[1] = n;
    snprintf(k->op, sizeof k->op, "MatMulCompressed");
    snprintf(k->attrs, sizeof k->attrs, "transpose_b=%s", turned ? "true" : "false");
    k->in[0] = any_tensor(r, own, 3 - wide, a + wide, false, rng_one_in(r, 2));
    k->in[1] = any_low(r, type, 3 - front, w + front, false);
    if (rng_one_in(r, 8))
        one[1] = 1;
    if (inlay_type_is_int(type) || rng_one_in(r, 8)) {
        inlay_type scale = floats[rng_in(r, 0, 2)];

        k->in[2] = any_low(r, scale, 3 - front, one + front, true);
        if (rng_one_in(r, 2))
            k->in[3] = any_zero(r, type, scale, 3 - front, one + front);
    }
    for (int i = 1; i < 4; i++)
        k->constant[i] = !rng_one_in(r, 12);
    set_bounds(k, turned, n);
}

static void compressed(void **state)
{
    seed_range seeds = seeds_to_try(400, 60);

    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        struct node_case k = {0};

        compressed_case(&r, &k);
        check_case(&k, seeds.first + i);
        free(k.bounds);
    }
}

/* Weights of 4 bits as exporters write them are in memory once, packed, and nothing of them is
 * unpacked: what a run makes is smaller than the weights, whose floats were eight times them. */
static void stays_packed(void **state)
{
    enum { SIZE = 512 };
    const int64_t dims[] = {SIZE, SIZE}, one[] = {SIZE, 1}, row[] = {1, SIZE};
    const uint64_t bytes = SIZE * SIZE / 2;
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("packed", d);
    rng r = {1};
    inlay_tensor *w = any_low(&r, INLAY_I4, 2, dims, false), *out = NULL;
    inlay_tensor *s = any_low(&r, INLAY_F32, 2, one, true);
    inlay_tensor *x = any_tensor(&r, INLAY_F32, 2, row, false, true);
    inlay_shape shape = {.rank = 2, .dim = {inlay_dim_of(1), inlay_dim_of(SIZE)}};
    inlay_value *in[2] = {inlay_build_const(g, "weights", w, d)};
    inlay_exec_stats stats;
    inlay_session *session;
    inlay_program *p;

    in[0] = &inlay_build(g, "wide", "Convert", in, 1, "destination_type=f32", d)->out[0];
    in[1] = inlay_build_const(g, "scale", s, d);
    in[1] = &inlay_build(g, "scaled", "Multiply", in, 2, NULL, d)->out[0];
    in[0] = inlay_build_parameter(g, "x", INLAY_F32, &shape, d);
    in[0] = &inlay_build(g, "product", "MatMul", in, 2, "transpose_b=true", d)->out[0];
    assert_non_null(inlay_build_result(g, "y", in[0], d));
    assert_true(inlay_run_passes(g, NULL, d));
    p = inlay_compile(g, NULL, d);
    session = inlay_session_new(p, d);
    assert_true(inlay_session_run(session, (const inlay_tensor *const *)&x, NULL, &out, d));
    inlay_session_stats(session, &stats);
    assert_in_range(stats.packed_bytes, bytes, bytes + 2 * sizeof(float) * SIZE);
    assert_in_range(stats.peak_bytes + stats.arena_bytes, 0, bytes / 2);
    inlay_tensor_release(out);
    inlay_tensor_release(x);
    inlay_tensor_release(s);
    inlay_tensor_release(w);
    inlay_session_free(session);
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

enum { CODES = 256 };

/* A panel of all integers of BITS bits in each column, in words. */
static void count_up(uint32_t *words, int cols, int bits)
{
    const int per = 32 / bits;

    for (int k = 0; k < 1 << bits; k++) {
        for (int j = 0; j < cols; j++) {
            uint32_t *word = &words[k / per * cols + j];

            *word = (k % per ? *word : 0) | (uint32_t)k << k % per * bits;
        }
    }
}

static float of_half(uint16_t bits)
{
    return inlay_load_f32(INLAY_F16, &bits, 0);
}

/* Integers of BITS bits less ZERO times COLS scales from SCALE on, as bits of TYPE. */
static void check_scales(const unpack_set *set, inlay_type type, int bits, uint16_t scale,
                         float zero)
{
    static uint32_t words[CODES / 4 * TILE_BYTES / sizeof(float)];
    static float got[CODES * TILE_BYTES / sizeof(float)];
    const int codes = 1 << bits;
    float zeros[TILE_BYTES / sizeof(float)], scales[TILE_BYTES / sizeof(float)];
    const unpack_run r = {words, codes, zeros, scales};

    count_up(words, set->cols, bits);
    for (int j = 0; j < set->cols; j++) {
        uint16_t at = (uint16_t)(scale + j);

        zeros[j] = zero;
        scales[j] = inlay_load_f32(type, &at, 0);
    }
    set->fn[(bits == 4 ? UNPACK_U4 : UNPACK_U8) + (type == INLAY_F16 ? 1 : 2)](&r, got);
    for (int i = 0; i < codes * set->cols; i++) {
        float exact = ((float)(i / set->cols) - zero) * scales[i % set->cols], wanted;
        uint16_t rounded;

        inlay_store_f32(type, &rounded, 0, exact);
        wanted = inlay_load_f32(type, &rounded, 0);
        if (got[i] != wanted)
            fail_msg("%d - %g times %a is %a", i / set->cols, zero, scales[i % set->cols], got[i]);
    }
}

/* All differences of integers and zero points, times scales of each significand: of the smaller
 * numbers of f16 and bf16, of two larger exponents, and of the largest that are used. All others
 * are these times a power of two. */
static void rounds_to_even(void **state)
{
    const struct {
        inlay_type type;
        int most; /* the exponent of the largest scales */
    } types[] = {{INLAY_F16, 15 + 6}, {INLAY_BF16, 127 + 101}};
    bool more = true;

    for (int i = 0; more; i++) {
        const tile_set *tiles = tile_set_at(i, &more);
        const unpack_set *set = tiles ? unpack_set_of(tiles->cols_f32) : NULL;

        for (int t = 0; set && t < 2; t++) {
            const int numbers = types[t].type == INLAY_F16 ? 1024 : 128;

            for (int at = 0; at < 4 * numbers; at += set->cols) {
                int exponent = at < 3 * numbers ? 0 : types[t].most - 3;
                uint16_t scale = (uint16_t)(at + exponent * numbers);

                for (float zero = -255; zero <= 255; zero += 255) {
                    check_scales(set, types[t].type, 4, scale, zero);
                    check_scales(set, types[t].type, 8, scale, zero);
                    check_scales(set, types[t].type, 8, scale | 0x8000, zero);
                }
            }
        }
    }
}

/* All numbers of f16, for each width of vectors. */
static void reads_halves(void **state)
{
    _Alignas(4) static uint16_t halves[1 << 16];
    static float got[1 << 16];
    bool more = true;

    for (int i = 0; i < 1 << 16; i++)
        halves[i] = (uint16_t)i;
    for (int i = 0; more; i++) {
        const tile_set *tiles = tile_set_at(i, &more);
        const unpack_set *set = tiles ? unpack_set_of(tiles->cols_f32) : NULL;
        unpack_run r = {.words = (const void *)halves};

        if (!set)
            continue;
        r.depth = (1 << 16) / set->cols;
        set->fn[UNPACK_F16](&r, got);
        for (int k = 0; k < 1 << 16; k++) {
            float wanted = of_half((uint16_t)k);

            assert_true(isnan(wanted) ? isnan(got[k]) : memcmp(&got[k], &wanted, 4) == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compressed),
        cmocka_unit_test(stays_packed),
        cmocka_unit_test(rounds_to_even),
        cmocka_unit_test(reads_halves),
    };

    return cmocka_run_group_tests_name("compressed weights", tests, NULL, NULL);
}
