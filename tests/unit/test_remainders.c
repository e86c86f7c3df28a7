/* Quotients, remainders, sums, powers and shifts of integers, and remainders of floats, beside C's own:
 * drawn operands with the ends of their types, the second one as an array, as a number for each row,
 * and as one for all, known before the run or not. */
#include "generate/rng.h"
#include "graphs.h"
#include "ir/shared.h"
#include "seeds.h"

#include <inttypes.h>
#include <math.h>

enum { ROWS = 3, MOST = 70 };

static const char *const ops[] = {"Divide-1(%x, %b) {m_pythondiv = false}",
                                  "Divide-1(%x, %b)",
                                  "Mod-1(%x, %b)",
                                  "FloorMod-1(%x, %b)",
                                  "Add-1(%x, %b)",
                                  "Subtract-1(%x, %b)",
                                  "Power-1(%x, %b)",
                                  "BitwiseRightShift-15(%x, %b)",
                                  "BitwiseLeftShift-15(%x, %b)"};
enum { OPS = sizeof ops / sizeof *ops, POWER = 6, SHIFTS = 7 };

__extension__ typedef __int128 wide;

/* Powers wrap at 64 bits, so they are right in fewer. */
static wide power(uint64_t a, wide b)
{
    uint64_t y = 1;

    for (wide i = 0; i < b; i++)
        y *= a;
    return (wide)y;
}

/* What operation OP makes of A and B, before it wraps. */
static wide whole_result(int op, wide a, wide b)
{
    wide r = op < 4 ? a % b : op == POWER ? power((uint64_t)a, b) : 0;
    bool apart = r != 0 && (a < 0) != (b < 0);

    return op == 0                  ? a / b
           : op == 1                ? a / b - apart
           : op == 2 || op == POWER ? r
           : op == 3                ? (apart ? r + b : r)
           : op == 4                ? a + b
           : op == 5                ? a - b
           : op == 7                ? a >> b
                                    : (wide)((uint64_t)a << b);
}

static wide element(const inlay_tensor *t, int64_t i)
{
    int64_t x = inlay_load_i64(t->type, t->data, i);

    return t->type == INLAY_U64 ? (wide)(uint64_t)x : x;
}

static int64_t drawn(rng *r, inlay_type type, int op, bool second)
{
    int bits = inlay_type_info_of(type)->bits;
    uint64_t x = rng_next(r) >> rng_in(r, 0, 63),
             ends[] = {1, UINT64_C(1) << (bits - 1), ~UINT64_C(0)};

    if (second && op == POWER)
        return rng_in(r, 0, 4);
    if (second && op >= SHIFTS)
        return rng_in(r, 0, bits - 1);
    x = rng_one_in(r, 4)   ? ends[rng_in(r, 0, 2)] - (uint64_t)rng_in(r, 0, 1)
        : rng_one_in(r, 2) ? -x
                           : x;
    x = bits < 64 ? x & ((UINT64_C(1) << bits) - 1) : x;
    return second && x == 0 ? 1 : (int64_t)x;
}

/* Returns a graph of operation OP on [ROWS, N] and the shape of B. */
static runner runner_for(int op, inlay_type type, int n, const char *b, inlay_exec_mode mode)
{
    inlay_exec_options o = {.mode = mode};
    const char *name = inlay_type_info_of(type)->name;
    char body[400];

    snprintf(body, sizeof body,
             "%%x = Parameter-1 {element_type = %s, shape = [%d,%d]}\n"
             "%%b = Parameter-1 {element_type = %s, shape = %s}\n"
             "%%y = %s\n%%out = Result-1(%%y)\n",
             name, ROWS, n, name, b, ops[op]);
    return runner_on(graph_of(body), &o);
}

static void check_whole(uint64_t seed, int op, inlay_type type)
{
    rng r = {seed};
    int n = (int)rng_in(&r, 1, MOST), form = (int)rng_in(&r, 0, 2);
    const int64_t d[] = {ROWS, n}, e[] = {form == 2 ? 1 : ROWS, form > 0 ? 1 : n};
    inlay_tensor *x = inlay_tensor_new(type, 2, d), *b = inlay_tensor_new(type, 2, e), *out;
    char shape[40];
    runner run;

    for (int64_t i = 0; i < ROWS * n; i++)
        inlay_store_i64(type, x->data, i, drawn(&r, type, op, false));
    for (int64_t i = 0; i < e[0] * e[1]; i++)
        inlay_store_i64(type, b->data, i, drawn(&r, type, op, true));
    snprintf(shape, sizeof shape, "[%d,%d]", (int)e[0], (int)e[1]);
    run = runner_for(op, type, n, shape, seed & 1 ? INLAY_EXEC_REFERENCE : INLAY_EXEC_PLANNED);
    run_with(&run, (const inlay_tensor *[]){x, b}, NULL, &out);
    for (int64_t i = 0; i < ROWS * n; i++) {
        int64_t j = form == 0 ? i : form == 1 ? i / n : 0;
        uint64_t wanted = 0, got = 0;

        inlay_store_i64(type, &wanted, 0,
                        (int64_t)(uint64_t)whole_result(op, element(x, i), element(b, j)));
        inlay_copy_element(type, &got, 0, out->data, i);
        if (wanted != got)
            fail_msg("seed %d, %s of %s: %" PRId64 " and %" PRId64 " give %" PRIx64, (int)seed,
                     ops[op], inlay_type_info_of(type)->name, (int64_t)element(x, i),
                     (int64_t)element(b, j), got);
    }
    inlay_tensor_release(out);
    inlay_tensor_release(x);
    inlay_tensor_release(b);
    runner_free(&run);
}

static void test_whole(void **state)
{
    static const inlay_type types[] = {INLAY_I8,  INLAY_U8,  INLAY_I16, INLAY_U16,
                                       INLAY_I32, INLAY_U32, INLAY_I64, INLAY_U64};
    seed_range seeds = seeds_to_try(1, 6);

    for (uint64_t i = 0; i < seeds.n; i++) {
        for (int op = 0; op < OPS; op++) {
            for (int k = 0; k < 8; k++)
                check_whole((seeds.first + i) * 100 + (uint64_t)(op * 8 + k), op, types[k]);
        }
    }
}

static double drawn_float(rng *r)
{
    static const double odd[] = {0, -0.0, 1, -1, 3e38, 1e-42, INFINITY, -INFINITY, NAN, 0x1p29};

    return rng_one_in(r, 8) ? odd[rng_in(r, 0, 9)]
           : rng_one_in(r, 2)
               ? (double)rng_in(r, -99, 99)
               : ldexp((double)rng_in(r, -9999999, 9999999), (int)rng_in(r, -40, 20));
}

/* The remainder toward zero is that of fmodf, which is exact. */
static void test_floats(void **state)
{
    seed_range seeds = seeds_to_try(1, 30);

    for (uint64_t s = 0; s < seeds.n; s++) {
        rng r = {seeds.first + s};
        int n = (int)rng_in(&r, 1, MOST);
        inlay_tensor *x = inlay_tensor_new(INLAY_F32, 2, (int64_t[]){ROWS, n}), *out;
        inlay_tensor *b = inlay_tensor_new(INLAY_F32, 2, (int64_t[]){ROWS, n});
        char shape[40];
        runner run;

        for (int64_t i = 0; i < ROWS * n; i++) {
            inlay_tensor_set_f64(x, i, drawn_float(&r));
            inlay_tensor_set_f64(b, i, drawn_float(&r));
        }
        snprintf(shape, sizeof shape, "[%d,%d]", ROWS, n);
        run = runner_for(2, INLAY_F32, n, shape, INLAY_EXEC_PLANNED);
        run_with(&run, (const inlay_tensor *[]){x, b}, NULL, &out);
        for (int64_t i = 0; i < ROWS * n; i++) {
            float wanted = fmodf(((const float *)x->data)[i], ((const float *)b->data)[i]);

            if (memcmp(&wanted, (const float *)out->data + i, sizeof wanted) != 0 &&
                !(isnan(wanted) && isnan(((const float *)out->data)[i])))
                fail_msg("%a modulo %a gives %a, not %a", inlay_tensor_get_f64(x, i),
                         inlay_tensor_get_f64(b, i), inlay_tensor_get_f64(out, i), (double)wanted);
        }
        inlay_tensor_release(out);
        inlay_tensor_release(x);
        inlay_tensor_release(b);
        runner_free(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_floats),
    };

    return cmocka_run_group_tests_name("remainders", tests, NULL, NULL);
}
