/* The mover of interp/library/mover.h against element by element: types of all widths, any order of
 * axes in the result and in the data, gaps, repeated and reversed axes. What lies between the
 * elements of the result stays as it is. */
#include "generate/rng.h"
#include "interp/library/mover.h"
#include "ir/shared.h"
#include "seeds.h"
#include "unit.h"

enum { RANK = 6, ROOM = 1 << 16 };

/* Sets the strides of axes that lie in memory in a random order, with gaps now and then, and
 * reversed ones. REPEATS: elements may be repeated. Returns the index of the first element. */
static int64_t any_strides(rng *r, int rank, const int64_t *dims, bool repeats, int64_t *strides)
{
    int64_t step = rng_one_in(r, 4) ? rng_in(r, 1, 3) : 1, first = 0;
    int order[RANK] = {0};

    for (int i = 0; i < rank; i++) {
        int k = (int)rng_in(r, 0, i);

        order[i] = order[k];
        order[k] = i;
    }
    for (int i = rank - 1; i >= 0; i--) {
        int axis = order[i];

        strides[axis] = repeats && rng_one_in(r, 4) ? 0 : step;
        if (strides[axis])
            step = step * dims[axis] + (dims[axis] > 1 && rng_one_in(r, 4) ? rng_in(r, 1, 3) : 0);
        if (rng_one_in(r, 6)) {
            strides[axis] = -strides[axis];
            first -= (dims[axis] - 1) * strides[axis];
        }
    }
    assert_true(step < ROOM);
    return first;
}

static int64_t any_dim(rng *r)
{
    return rng_one_in(r, 4) ? rng_in(r, 17, 40) : rng_in(r, 1, 5);
}

/* Returns all elements in row-major order as bytes, and for the result as pointers to write to. */
static void move_plainly(const inlay_tensor *dst, char *to, const inlay_tensor *src)
{
    size_t size = (size_t)inlay_type_info_of(src->type)->bits / 8;

    for (int64_t i = 0; i < inlay_tensor_count(src); i++)
        memcpy(to + (size_t)inlay_tensor_index(dst, i) * size,
               (const char *)src->data + (size_t)inlay_tensor_index(src, i) * size, size);
}

static void compare(uint64_t seed, char *from, char *to, char *wanted)
{
    static const inlay_type types[] = {INLAY_U8,  INLAY_F16,     INLAY_F32,
                                       INLAY_F64, INLAY_BOOLEAN, INLAY_C128};
    rng r = {seed};
    int rank = (int)rng_in(&r, 0, RANK);
    inlay_type type = types[rng_in(&r, 0, 5)];
    int64_t dims[RANK], strides[2][RANK], count = 1;
    inlay_tensor dst = {.type = type, .rank = rank, .dims = dims, .strides = strides[0]}, src = dst;

    for (int i = 0; i < rank; i++) {
        dims[i] = any_dim(&r);
        dims[i] = count * dims[i] > 2000 ? 1 : dims[i];
        count *= dims[i];
    }
    src.strides = strides[1];
    dst.offset = any_strides(&r, rank, dims, false, strides[0]);
    src.offset = any_strides(&r, rank, dims, true, strides[1]);
    dst.data = to;
    src.data = from + rng_in(&r, 0, 3);
    memset(to, 0xA5, ROOM * 16);
    memset(wanted, 0xA5, ROOM * 16);
    move_plainly(&dst, wanted, &src);
    assert_true(library_assign(&dst, &src));
    if (memcmp(to, wanted, ROOM * 16) != 0)
        fail_msg("seed %llu: not moved as wanted", (unsigned long long)seed);
}

static void against_elements(void **state)
{
    seed_range seeds = seeds_to_try(3000, 200);
    char *room = malloc((size_t)ROOM * 48 + 16), *from = room;
    rng r = {9};

    assert_non_null(room);
    for (int64_t i = 0; i < ROOM * 16 + 16; i++)
        from[i] = (char)rng_in(&r, 0, 255);
    for (uint64_t i = 0; i < seeds.n; i++)
        compare(seeds.first + i, from, room + (size_t)ROOM * 16 + 16,
                room + (size_t)ROOM * 32 + 16);
    free(room);
}

/* What is written may be what is read, as inlay_tensor_assign allows. */
static void within_one(void **state)
{
    int64_t dims[] = {3, 4}, strides[] = {5, 1};
    int32_t x[20], wanted[20];
    inlay_tensor src = {.type = INLAY_I32, .rank = 2, .dims = dims, .strides = strides, .data = x},
                 dst = src;

    for (int i = 0; i < 20; i++)
        x[i] = wanted[i] = i;
    for (int i = 0; i < 12; i++)
        wanted[i / 4 * 5 + i % 4 + 1] = i / 4 * 5 + i % 4;
    dst.offset = 1;
    assert_true(library_assign(&dst, &src));
    assert_memory_equal(x, wanted, sizeof x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_elements),
        cmocka_unit_test(within_one),
    };

    return cmocka_run_group_tests_name("mover", tests, NULL, NULL);
}
