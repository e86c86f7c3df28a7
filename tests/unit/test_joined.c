/* Outputs of a loop that are joined of parts, where nobody knows how many parts there will be: the
 * whole grows, and what stands in the one that was too small is still read. */
#include "graphs.h"

/* The carried value is doubled as long as it is less than LIMIT; each of them is a part, too. */
#define DOUBLED                                                                                    \
    "%trip = Const-1 {value = i64[] [-1]}\n"                                                       \
    "%go = Const-1 {value = boolean[] [true]}\n"                                                   \
    "%x = Parameter-1 {element_type = f32, shape = [1,2]}\n"                                       \
    "%limit = Parameter-1 {element_type = f32, shape = []}\n"                                      \
    "%l:2 = Loop-5(%trip, %go, %x, %limit)\n"                                                      \
    "body \"double\" {\n"                                                                          \
    "%before = Parameter-1 {element_type = f32, shape = [1,2]}\n"                                  \
    "%most = Parameter-1 {element_type = f32, shape = []}\n"                                       \
    "%after = Add-1(%before, %before)\n"                                                           \
    "%axes = Const-1 {value = i64[2] [0, 1]}\n"                                                    \
    "%largest = ReduceMax-1(%after, %axes) {keep_dims = false}\n"                                  \
    "%more = Less-1(%largest, %most)\n"                                                            \
    "%out = Result-1(%after)\n"                                                                    \
    "%again = Result-1(%more)\n"                                                                   \
    "}\n"                                                                                          \
    "in 2 -> %before\n"                                                                            \
    "in 3 -> %most\n"                                                                              \
    "out %out -> 0\n"                                                                              \
    "out %out -> 1 axis 0 start 0 end -1 stride 1 part_size 1\n"                                   \
    "out %again -> none condition\n"                                                               \
    "back %out -> %before\n"                                                                       \
    "%last = Result-1(%l:0)\n"                                                                     \
    "%all = Result-1(%l:1)\n"

/* Twenty parts: the whole begins with room for fewer, and moves more than once. */
static void test_carried_and_joined(void **state)
{
    static const char *const in[] = {"f32[1,2] 1 0.5", "f32 1000000", NULL};
    static const char all[] =
        "f32[20,2] 2 1 4 2 8 4 16 8 32 16 64 32 128 64 256 128 512 256 1024 512 2048 1024 4096 "
        "2048 8192 4096 16384 8192 32768 16384 65536 32768 131072 65536 262144 131072 524288 "
        "262144 1048576 524288";
    static const char *const out[] = {"f32[1,2] 1048576 524288", all, NULL};
    runner plain = runner_of(DOUBLED, NULL);
    runner noted = runner_of_noted(DOUBLED);

    for (int i = 0; i < 3; i++) { /* slots stay with the session from run to run */
        check_run(&plain, in, out);
        check_run(&noted, in, out);
    }
    runner_free(&plain);
    runner_free(&noted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_carried_and_joined)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
