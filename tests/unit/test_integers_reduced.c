/* Maxima, minima and sums of integers along any axes, of all types and views: drawn tensors, and
 * what must come out computed here, element by element, modulo the type. */
#include "generate/rng.h"
#include "graphs.h"
#include "ir/shared.h"
#include "models.h"
#include "seeds.h"

static const inlay_type types[] = {INLAY_I8,  INLAY_U8,  INLAY_I16, INLAY_U16,
                                   INLAY_I32, INLAY_U32, INLAY_I64};

/* Makes integers of TYPE, as a view with gaps at times. */
static inlay_tensor *any_integers(rng *r, inlay_type type, int rank, const int64_t *dims)
{
    int64_t larger[3], strides[3], step = 1;
    bool gaps = rng_one_in(r, 3);
    inlay_tensor *all, *t;

    for (int i = rank - 1; i >= 0; i--) {
        larger[i] = dims[i] + (gaps ? rng_in(r, 0, 2) : 0);
        strides[i] = step;
        step *= larger[i];
    }
    all = inlay_tensor_new(type, rank, larger);
    assert_non_null(all);
    for (int64_t i = 0; i < inlay_tensor_count(all); i++)
        inlay_tensor_set_i64(all, i, (int64_t)rng_next(r) >> rng_in(r, 0, 62));
    t = inlay_tensor_window(all, rank, dims, strides, 0);
    inlay_tensor_release(all);
    return t;
}

static int64_t step_of(char op, int64_t sum, int64_t x)
{
    return op == '+' ? (int64_t)((uint64_t)sum + (uint64_t)x) : (op == '>') == (x > sum) ? x : sum;
}

/* Checks OUT, X reduced along axes FOLDED by OP. */
static void check_reduced(const inlay_tensor *x, const inlay_tensor *out, const bool *folded,
                          char op, uint64_t seed)
{
    inlay_tensor *wanted = inlay_tensor_new(INLAY_I64, out->rank, out->dims);
    inlay_tensor *seen = inlay_tensor_new(INLAY_BOOLEAN, out->rank, out->dims);

    for (int64_t i = 0; i < inlay_tensor_count(x); i++) {
        int64_t rest = i, at = 0, dense = 1;

        for (int k = x->rank - 1; k >= 0; k--) {
            at += folded[k] ? 0 : rest % x->dims[k] * dense;
            dense *= folded[k] ? 1 : x->dims[k];
            rest /= x->dims[k];
        }
        inlay_tensor_set_i64(
            wanted, at,
            inlay_tensor_get_i64(seen, at)
                ? step_of(op, inlay_tensor_get_i64(wanted, at), inlay_tensor_get_i64(x, i))
                : inlay_tensor_get_i64(x, i));
        inlay_tensor_set_i64(seen, at, 1);
    }
    for (int64_t i = 0; i < inlay_tensor_count(out); i++) {
        uint64_t bits = inlay_type_info_of(x->type)->bits;
        uint64_t differ =
            (uint64_t)inlay_tensor_get_i64(out, i) ^ (uint64_t)inlay_tensor_get_i64(wanted, i);

        if (differ << (64 - bits) != 0)
            fail_msg("seed %llu: element %d", (unsigned long long)seed, (int)i);
    }
    inlay_tensor_release(wanted);
    inlay_tensor_release(seen);
}

static void check_seed(uint64_t seed)
{
    static const char *const names[] = {"ReduceMax", "ReduceMin", "ReduceSum"};
    rng r = {seed};
    int rank = (int)rng_in(&r, 1, 3), op = (int)rng_in(&r, 0, 2), n = 0;
    inlay_type type = types[rng_in(&r, 0, 6)];
    int64_t dims[3];
    bool folded[3];
    char text[500], axes[40] = "", shape[60] = "";
    inlay_tensor *x, *out;
    runner run;

    for (int i = 0; i < rank; i++) {
        dims[i] = rng_one_in(&r, 3) ? rng_in(&r, 60, 140) : rng_in(&r, 1, 9);
        folded[i] = rng_one_in(&r, 2);
        sprintf(shape + strlen(shape), "%s%d", i ? "," : "", (int)dims[i]);
        if (folded[i])
            sprintf(axes + strlen(axes), "%s%d", n++ ? "," : "", i);
    }
    sprintf(text,
            "%%x = Parameter-1 {element_type = %s, shape = [%s]}\n"
            "%%a = Const-1 {value = i64[%d] [%s]}\n%%y = %s-1(%%x, %%a) {keep_dims = true}\n"
            "%%out = Result-1(%%y)\n",
            inlay_type_info_of(type)->name, shape, n, axes, names[op]);
    x = any_integers(&r, type, rank, dims);
    run = runner_of(text, NULL);
    run_with(&run, (const inlay_tensor *const[]){x}, NULL, &out);
    check_reduced(x, out, folded, "><+"[op], seed);
    inlay_tensor_release(out);
    inlay_tensor_release(x);
    runner_free(&run);
}

static void test_drawn(void **state)
{
    seed_range seeds = seeds_to_try(400, 60);

    for (uint64_t i = 0; i < seeds.n; i++)
        check_seed(seeds.first + i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drawn),
    };

    return cmocka_run_group_tests_name("integers reduced", tests, NULL, NULL);
}
