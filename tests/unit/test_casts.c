/* Conversions between any two types of numbers, whole rows beside single elements: drawn numbers,
 * halfway between two of the narrower type, too large, tiny, infinite or NaN, also as views. What
 * must come is made element by element by the loads and stores that round once
 * (ir/tensor/number.c), as convert-1.rst says. */
#include "generate/rng.h"
#include "graphs.h"
#include "ir/shared.h"
#include "seeds.h"

#include <math.h>

static const inlay_type types[] = {
    INLAY_BOOLEAN, INLAY_F64,    INLAY_F32,        INLAY_F16,        INLAY_BF16,
    INLAY_F8E4M3,  INLAY_F8E5M2, INLAY_F8E4M3FNUZ, INLAY_F8E5M2FNUZ, INLAY_F8E8M0,
    INLAY_F4E2M1,  INLAY_NF4,    INLAY_I64,        INLAY_I32,        INLAY_I16,
    INLAY_I8,      INLAY_I4,     INLAY_I2,         INLAY_U64,        INLAY_U32,
    INLAY_U16,     INLAY_U8,     INLAY_U4,         INLAY_U2,         INLAY_U1};
enum { TYPES = sizeof types / sizeof *types, MOST = 1200 };

static double any_number(rng *r)
{
    static const double odd[] = {0,        -0.0,      1,      -1,      1e-42,    3e38,  -3e38,
                                 INFINITY, -INFINITY, NAN,    65519.9, 65520,    448,   464,
                                 0x1p31,   -0x1p31,   0x1p63, -0x1p63, 0x1p-127, 57344, 61440};
    float half = (float)(rng_in(r, -64, 64) + 0.5);

    if (rng_one_in(r, 5))
        return odd[rng_in(r, 0, 20)];
    if (rng_one_in(r, 3)) /* of few bits: often halfway */
        return ldexp((double)half, (int)rng_in(r, rng_one_in(r, 4) ? -140 : -20, 12));
    return rng_one_in(r, 3) ? (double)rng_in(r, -300, 300)
                            : ldexp((double)rng_in(r, -1000000, 1000000), (int)rng_in(r, -40, 45));
}

/* Sets all elements of T: numbers, or any bits of its type. Some tensors have only numbers that most
 * integers hold, as conversions of these may be others. */
static void fill(rng *r, inlay_tensor *t)
{
    bool near = rng_one_in(r, 3);

    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        uint64_t bits = rng_next(r);

        if (inlay_type_is_float(t->type) && near)
            inlay_store_f64(t->type, t->data, i,
                            ldexp((double)rng_in(r, -(1 << 20), 1 << 20), (int)rng_in(r, -20, 10)));
        else if (inlay_type_is_float(t->type) && rng_one_in(r, 2))
            inlay_store_f64(t->type, t->data, i, any_number(r));
        else if (inlay_type_is_float(t->type))
            inlay_copy_element(t->type, t->data, i, &bits, 0);
        else
            inlay_store_i64(t->type, t->data, i, (int64_t)bits >> rng_in(r, 0, 62));
    }
}

static uint64_t low_bits(double x, int bits)
{
    double rest = isfinite(x) ? fmod(trunc(x), ldexp(1, bits)) : 0;

    return rest < 0 ? -(uint64_t)-rest : (uint64_t)rest;
}

/* Sets element I of Z to element AT of X, converted. */
static void convert_one(const inlay_tensor *x, int64_t at, inlay_type to, void *z, int64_t i)
{
    const inlay_type_info *info = inlay_type_info_of(to);
    bool wraps =
        info->cls == INLAY_CLASS_UNSIGNED || (info->cls == INLAY_CLASS_SIGNED && info->bits < 8);
    bool is_float = inlay_type_is_float(x->type);
    double number = inlay_load_f64(x->type, x->data, at);
    int64_t whole = inlay_load_i64(x->type, x->data, at);

    if (to == INLAY_BOOLEAN)
        inlay_store_i64(to, z, i, is_float ? number != 0 : whole != 0);
    else if (is_float && wraps)
        inlay_store_i64(to, z, i, (int64_t)low_bits(number, info->bits));
    else if (is_float)
        inlay_store_f64(to, z, i, number);
    else if (to == INLAY_F64 || (x->type == INLAY_U64 && to == INLAY_F32))
        to == INLAY_F64 ? inlay_store_f64(to, z, i, number)
                        : inlay_store_f32(to, z, i, (float)(uint64_t)whole);
    else
        inlay_store_i64(to, z, i, whole);
}

static bool same(inlay_type type, const void *a, const void *b, int64_t i)
{
    uint64_t x = 0, y = 0;

    inlay_copy_element(type, &x, 0, a, i);
    inlay_copy_element(type, &y, 0, b, i);
    return x == y || (inlay_type_is_float(type) && isnan(inlay_load_f64(type, a, i)) &&
                      isnan(inlay_load_f64(type, b, i)));
}

static void check_pair(rng *r, inlay_type from, inlay_type to)
{
    int64_t all = rng_in(r, 1, MOST), first = rng_in(r, 0, all - 1), n = all - first, step = 1;
    inlay_tensor *x = inlay_tensor_new(from, 1, &all), *view, *out;
    static uint64_t wanted[MOST];
    char text[200];
    runner run;

    fill(r, x);
    if (rng_one_in(r, 4)) {
        step = 2;
        n = (n + 1) / 2;
    }
    view = inlay_tensor_window(x, 1, &n, &step, first);
    snprintf(text, sizeof text,
             "%%x = Parameter-1 {element_type = %s, shape = [%d]}\n"
             "%%y = Convert-1(%%x) {destination_type = %s}\n%%out = Result-1(%%y)\n",
             inlay_type_info_of(from)->name, (int)n, inlay_type_info_of(to)->name);
    run = runner_of(text, NULL);
    run_with(&run, (const inlay_tensor *const[]){view}, NULL, &out);
    for (int64_t i = 0; i < n; i++) {
        convert_one(view, view->offset + i * step, to, wanted, i);
        if (!same(to, out->data, wanted, i))
            fail_msg("%s to %s: element %d of %d, %a", inlay_type_info_of(from)->name,
                     inlay_type_info_of(to)->name, (int)i, (int)n,
                     inlay_load_f64(from, view->data, view->offset + i * step));
    }
    inlay_tensor_release(out);
    inlay_tensor_release(view);
    inlay_tensor_release(x);
    runner_free(&run);
}

static void test_pairs(void **state)
{
    seed_range seeds = seeds_to_try(3, 1);

    for (uint64_t i = 0; i < seeds.n; i++) {
        for (int a = 0; a < TYPES; a++) {
            for (int b = 0; b < TYPES; b++) {
                rng r = {(seeds.first + i) * 1000 + (uint64_t)(a * TYPES + b)};

                if (a != b && !(types[a] == INLAY_U64 && inlay_type_is_float(types[b]) &&
                                inlay_type_info_of(types[b])->bits < 32))
                    check_pair(&r, types[a], types[b]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
    };

    return cmocka_run_group_tests_name("casts", tests, NULL, NULL);
}
