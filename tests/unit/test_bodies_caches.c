/* Caches that a loop carries, in the planned executor: what is copied for them. check_run compares
 * each run with the reference. */
#include "graphs.h"

#define FORWARD(axis) "axis " axis " start 0 end -1 stride 1 part_size 1"
#define BACKWARD(axis) "axis " axis " start -1 end 0 stride -1 part_size 1"

/* Caches */

/* Row i of a carried cache of three rows is replaced by row i of x. */
#define CACHE(more, results, ports)                                                                \
    "%trip = Parameter-1 {element_type = i64, shape = []}\n"                                       \
    "%cache = Parameter-1 {element_type = f32, shape = [3,2]}\n"                                   \
    "%x = Parameter-1 {element_type = f32, shape = [?,2]}\n"                                       \
    "%go = Const-1 {value = boolean[] true}\n"                                                     \
    "%l:2 = Loop-5(%trip, %go, %cache, %x)\n"                                                      \
    "body \"b\" {\n"                                                                               \
    "%c = Parameter-1 {element_type = f32, shape = [3,2]}\n"                                       \
    "%d = Parameter-1 {element_type = f32, shape = [3,2]}\n"                                       \
    "%row = Parameter-1 {element_type = f32, shape = [1,2]}\n"                                     \
    "%i = Parameter-1 {element_type = i64, shape = [1]}\n"                                         \
    "%axis = Const-1 {value = i64[] 0}\n"                                                          \
    "%yes = Const-1 {value = boolean[] true}\n"                                                    \
    "%new = ScatterUpdate-3(%c, %i, %row, %axis)\n" more "%on = Result-1(%yes)\n"                  \
    "%o = Result-1(%new)\n" results "}\n"                                                          \
    "in 2 -> %c\n"                                                                                 \
    "in 2 -> %d\n"                                                                                 \
    "in 3 -> %row " FORWARD("0") "\n"                                                              \
                                 "in none -> %i iteration\n"                                       \
                                 "out %on -> none condition\n"                                     \
                                 "out %o -> 0\n" ports                                             \
                                 "%a = Result-1(%l:0)\n%b = Result-1(%l:1)\n"

/* The initial value of the loop is copied once, the updates are copied in each iteration, and
 * nothing else is. The caller's tensor stays as it was: the second run gives what the first one
 * gave. */
static void test_cache(void **state)
{
    static const char body[] = CACHE("%z = ReduceSum-1(%d, %axis) {keep_dims = true}\n",
                                     "%r = Result-1(%z)\n", "out %r -> 1\nback %o -> %c\n");
    runner r = runner_of_noted(body);

    for (int i = 0; i < 3; i++) {
        check_noted(&r, OPERANDS("i64 3", "f32[3,2] 1 1 1 1 1 1", "f32[3,2] 5 6 7 8 9 10"),
                    OPERANDS("f32[3,2] 5 6 7 8 9 10", "f32[1,2] 3 3"), 24 + 3 * 8);
        check_noted(&r, OPERANDS("i64 2", "f32[3,2] 1 1 1 1 1 1", "f32[2,2] 5 6 7 8"),
                    OPERANDS("f32[3,2] 5 6 7 8 1 1", "f32[1,2] 3 3"), 24 + 2 * 8);
        check_noted(&r, OPERANDS("i64 1", "f32[3,2] 1 1 1 1 1 1", "f32[1,2] 5 6"),
                    OPERANDS("f32[3,2] 5 6 1 1 1 1", "f32[1,2] 3 3"), 24 + 8);
    }
    check_run_fails(&r, OPERANDS("i64 0", "f32[3,2] 1 1 1 1 1 1", "f32[1,2] 5 6"), INLAY_INVALID,
                    "no iteration ran, so output 1 has no value");
    runner_free(&r);
}

/* Both carried values are the new cache. The next iteration reads one of them while it writes over
 * the other: they must not be one tensor, so the cache is copied each time. */
static void test_caches_that_are_one(void **state)
{
    static const char body[] = CACHE("%z = Subtract-1(%new, %d)\n", "%r = Result-1(%z)\n",
                                     "out %r -> 1\nback %o -> %c\nback %o -> %d\n");
    runner r = runner_of_noted(body);

    for (int i = 0; i < 2; i++)
        check_noted(&r, OPERANDS("i64 3", "f32[3,2] 1 1 1 1 1 1", "f32[3,2] 5 6 7 8 9 10"),
                    OPERANDS("f32[3,2] 5 6 7 8 9 10", "f32[3,2] 0 0 0 0 8 9"), 3 * 24 + 3 * 8);
    runner_free(&r);
}

/* Two caches change places: each of them is written over in its turn. */
static void test_caches_that_change_places(void **state)
{
    static const char body[] =
        CACHE("", "%r = Result-1(%d)\n", "out %r -> 1\nback %o -> %d\nback %r -> %c\n");
    runner r = runner_of_noted(body);

    for (int i = 0; i < 2; i++)
        check_noted(&r, OPERANDS("i64 3", "f32[3,2] 1 1 1 1 1 1", "f32[3,2] 5 6 7 8 9 10"),
                    OPERANDS("f32[3,2] 5 6 1 1 9 10", "f32[3,2] 1 1 7 8 1 1"), 2 * 24 + 3 * 8);
    runner_free(&r);
}

/* The new cache is joined, too, and the next one must not be written over what was joined. */
static void test_cache_that_is_joined(void **state)
{
    static const char body[] = CACHE("", "", "out %o -> 1 " FORWARD("0") "\nback %o -> %c\n");
    runner r = runner_of_noted(body);

    for (int i = 0; i < 2; i++)
        check_noted(&r, OPERANDS("i64 2", "f32[3,2] 1 1 1 1 1 1", "f32[2,2] 5 6 7 8"),
                    OPERANDS("f32[3,2] 5 6 7 8 1 1", "f32[6,2] 5 6 1 1 1 1 5 6 7 8 1 1"),
                    24 + 2 * 8 + 2 * 24);
    runner_free(&r);
}

/* The old cache goes on as well: an iteration reads the previous value while it writes. */
static void test_cache_of_two_ages(void **state)
{
    static const char body[] =
        CACHE("%z = Subtract-1(%new, %d)\n", "%r = Result-1(%z)\n%p = Result-1(%c)\n",
              "out %r -> 1\nback %o -> %c\nback %p -> %d\n");
    runner r = runner_of_noted(body);

    for (int i = 0; i < 2; i++)
        check_noted(&r, OPERANDS("i64 3", "f32[3,2] 1 1 1 1 1 1", "f32[3,2] 5 6 7 8 9 10"),
                    OPERANDS("f32[3,2] 5 6 7 8 9 10", "f32[3,2] 0 0 6 7 8 9"), 3 * 24 + 3 * 8);
    runner_free(&r);
}

/* The cache grows in each iteration: it is written over where it was, and then made longer. */
static void test_cache_of_other_sizes(void **state)
{
    static const char body[] = "%trip = Parameter-1 {element_type = i64, shape = []}\n"
                               "%x = Parameter-1 {element_type = f32, shape = [?]}\n"
                               "%go = Const-1 {value = boolean[] true}\n"
                               "%l:1 = Loop-5(%trip, %go, %x)\n"
                               "body \"b\" {\n"
                               "%c = Parameter-1 {element_type = f32, shape = [?]}\n"
                               "%i = Parameter-1 {element_type = i64, shape = [1]}\n"
                               "%axis = Const-1 {value = i64[] 0}\n"
                               "%nine = Const-1 {value = f32[1] [9]}\n"
                               "%yes = Const-1 {value = boolean[] true}\n"
                               "%new = ScatterUpdate-3(%c, %i, %nine, %axis)\n"
                               "%more = Concat-1(%new, %nine) {axis = 0}\n"
                               "%on = Result-1(%yes)\n"
                               "%o = Result-1(%more)\n"
                               "}\n"
                               "in 2 -> %c\n"
                               "in none -> %i iteration\n"
                               "out %on -> none condition\n"
                               "out %o -> 0\n"
                               "back %o -> %c\n"
                               "%a = Result-1(%l)\n";
    runner r = runner_of_noted(body);

    for (int i = 0; i < 2; i++) {
        check_run(&r, OPERANDS("i64 2", "f32[3] 1 2 3"), OPERANDS("f32[5] 9 9 3 9 9"));
        check_run(&r, OPERANDS("i64 12", "f32[1] 1"),
                  OPERANDS("f32[13] 9 9 9 9 9 9 9 9 9 9 9 9 9"));
        check_run(&r, OPERANDS("i64 0", "f32[2] 1 2"), OPERANDS("f32[2] 1 2"));
    }
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cache),
                                       cmocka_unit_test(test_caches_that_are_one),
                                       cmocka_unit_test(test_caches_that_change_places),
                                       cmocka_unit_test(test_cache_that_is_joined),
                                       cmocka_unit_test(test_cache_of_two_ages),
                                       cmocka_unit_test(test_cache_of_other_sizes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
