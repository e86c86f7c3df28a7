/* The checker of storage notes: nodes with bodies, which may hand through what they are given, or
 * write over it. The notes of the bodies themselves are set in the text. */
#include "claims.h"
#include "unit.h"

#define P "%p = Parameter-1 {element_type = f32, shape = [8,4]}\n"
#define GIVEN                                                                                      \
    "%data = Parameter-1 {element_type = f32, shape = [8,4]}\n"                                    \
    "%u = Parameter-1 {element_type = f32, shape = [3,4]}\n"                                       \
    "%c = Parameter-1 {element_type = boolean, shape = []}\n"                                      \
    "%n = Parameter-1 {element_type = i64, shape = []}\n"                                          \
    "%c0 = Const-1 {value = i64[1] [0]}\n"                                                         \
    "%c1 = Const-1 {value = i64[1] [1]}\n"                                                         \
    "%c3 = Const-1 {value = i64[1] [3]}\n"                                                         \
    "%c8 = Const-1 {value = i64[1] [8]}\n"                                                         \
    "%d = Tanh-1(%data)\n%e = Abs-1(%data)\n"
#define ONE_BRANCH(role, nodes) role " \"" role "\" {\n" P nodes "}\nin 1 -> %p\nout %o -> 0\n"
#define IF(then, other)                                                                            \
    "%i = If-8(%c, %d)\n" ONE_BRANCH("then_body", then) ONE_BRANCH("else_body", other)
#define OVER_OF(rows) "%q = ReLU-1(%p) : f32[" rows ",4] overwrites %p\n%o = Result-1(%q)\n"
#define OVER OVER_OF("8")
#define OTHER "%q = ReLU-1(%p)\n%o = Result-1(%q)\n"
#define THROUGH "%o = Result-1(%p)\n"
#define LATE "%r = SliceScatter-15(%d, %u, %c0, %c3, %c1)\n"
#define END(v) "%end_" #v " = Result-1(%" #v ")\n"

/* A loop over D and E. */
#define LOOP(trip, nodes, ports)                                                                   \
    "%go = Const-1 {value = boolean[] true}\n"                                                     \
    "%l:2 = Loop-5(" trip ", %go, %d, %e)\nbody \"b\" {\n" P                                       \
    "%k = Parameter-1 {element_type = f32, shape = [8,4]}\n"                                       \
    "%yes = Const-1 {value = boolean[] true}\n" nodes "%on = Result-1(%yes)\n}\n"                  \
    "in 2 -> %p\nin 3 -> %k\nout %on -> none condition\nout %o -> 0\nout %s -> 1\n" ports
#define SUM "%m = Add-1(%q, %k)\n%s = Result-1(%m)\n"
#define BOTH "back %o -> %p\nback %s -> %k\n"
#define USED "%z = Add-1(%l:0, %l:1)\n" END(z)

static void handed_through(void **state)
{
    static const char handed[] =
        "\"i\" (If-8) reads \"d\" after this is written over it (B3 not-passed-through)";

    check_legal(GIVEN IF(OTHER, OTHER) LATE END(i) END(r), "r overwrites d; i before r");
    check_illegal(GIVEN IF(OTHER, THROUGH) LATE END(i) END(r), "r overwrites d; i before r",
                  "\"r\" overwrites \"d\"", handed);
    /* a body may write over its own copy of what it hands through otherwise */
    check_illegal(GIVEN IF(OVER, THROUGH) LATE END(i) END(r), "r overwrites d; i before r",
                  "\"r\" overwrites \"d\"", handed);
    check_illegal(GIVEN IF(OTHER, OTHER) LATE END(i) END(r), "r overwrites d; r before i",
                  "\"r\" overwrites \"d\"",
                  "\"i\" (If-8) reads \"d\" after this is written over it (O3 no-later-read)");
    /* a view may be given to a body, if it stays there */
    check_legal(GIVEN "%d2 = Slice-8(%data, %c0, %c8, %c1)\n%i = If-8(%c, %d2)\n" ONE_BRANCH(
                    "then_body", OTHER) ONE_BRANCH("else_body", OTHER) END(i),
                "d2 view of data");
    check_illegal(GIVEN "%d2 = Slice-8(%data, %c0, %c8, %c1)\n%i = If-8(%c, %d2)\n" ONE_BRANCH(
                      "then_body", OTHER) ONE_BRANCH("else_body", THROUGH) END(i),
                  "d2 view of data", "\"d2\" view of \"data\"",
                  "it outlives the buffer: \"i\" (If-8) has it (V3 does-not-outlive)");
    /* what it gives may be written over: it is copied where it was handed through */
    check_legal(GIVEN IF(OTHER, THROUGH) "%r = SliceScatter-15(%i, %u, %c0, %c3, %c1)\n" END(r),
                "r overwrites i");
}

static void handed_through_by_loops(void **state)
{
    static const char three[] = GIVEN
        "%three = Const-1 {value = i64[] 3}\n" LOOP("%three", OTHER SUM, BOTH) LATE USED END(r);
    static const char some[] = GIVEN LOOP("%n", OTHER SUM, BOTH) LATE USED END(r);
    static const char later[] = GIVEN "%three = Const-1 {value = i64[] 3}\n" LOOP(
        "%three", "%o = Result-1(%k)\n%s = Result-1(%p)\n", BOTH) LATE USED END(r);
    static const char handed[] =
        "\"l\" (Loop-5) reads \"d\" after this is written over it (B3 not-passed-through)";

    check_legal(three, "r overwrites d; l before r");
    /* without an iteration the output is what the loop begins with */
    check_illegal(some, "r overwrites d; l before r", "\"r\" overwrites \"d\"", handed);
    check_illegal(later, "r overwrites d; l before r", "\"r\" overwrites \"d\"", handed);
}

static void given_to_bodies(void **state)
{
    check_legal(GIVEN IF(OVER, OVER) END(i), "i overwrites d");
    check_legal(GIVEN IF(OVER, THROUGH) END(i), "i overwrites d");
    check_illegal(GIVEN IF(OVER, OTHER) END(i), "i overwrites d", "\"i\" overwrites \"d\"",
                  "body 1 does not end where input 1 enters (B4 ends-in-its-buffer)");
    check_illegal(GIVEN IF(OVER, OVER) "%z = Add-1(%i, %d)\n" END(z), "i overwrites d",
                  "\"i\" overwrites \"d\"",
                  "\"z\" (Add-1) reads \"d\" after this is written over it (O3 no-later-read)");
    check_illegal(GIVEN IF(OVER, OVER) END(i), "i overwrites e", "\"i\" overwrites \"e\"",
                  "an operation writes over one of its inputs");
    check_legal(GIVEN LOOP("%n", OVER SUM, BOTH) USED, "l.0 overwrites d");
    check_illegal(GIVEN LOOP("%n", OVER SUM, BOTH) USED, "l.1 overwrites e",
                  "\"l.1\" overwrites \"e\"",
                  "body 0 does not end where input 3 enters (B4 ends-in-its-buffer)");
    check_illegal(GIVEN LOOP("%n", OVER "%s = Result-1(%k)\n", "back %o -> %k\nback %s -> %p\n")
                      USED,
                  "l.0 overwrites d", "\"l.0\" overwrites \"d\"",
                  "body 0 does not end where input 2 enters (B4 ends-in-its-buffer)");
    check_legal(GIVEN
                "%v = ReadValue-6 {variable_id = \"v\", variable_type = f32, "
                "variable_shape = [8,4]}\n%i = If-8(%c, %v)\n" ONE_BRANCH("then_body", OVER)
                    ONE_BRANCH("else_body", OVER) "%put = Assign-6(%i) {variable_id = \"v\"}\n",
                "i overwrites v");
    check_illegal(
        GIVEN "%v = ReadValue-6 {variable_id = \"v\", variable_type = f32, "
              "variable_shape = [8,4]}\n%i = If-8(%c, %v)\n" ONE_BRANCH("then_body", OVER)
                  ONE_BRANCH("else_body", OVER) "%put = Assign-6(%e) {variable_id = \"v\"}\n"
                                                "%z = Add-1(%i, %e)\n" END(z),
        "i overwrites v", "\"i\" overwrites \"v\"",
        "\"put\" (Assign-6) assigns something else to variable \"v\" (O13 result-survives)");
    check_illegal(
        GIVEN "%d2 = Slice-8(%e, %c0, %c3, %c1)\n%i = If-8(%c, %d2)\n"
              "then_body \"t\" {\n%p = Parameter-1 {element_type = f32, shape = [3,4]}\n" OVER_OF(
                  "3") "}\nin 1 -> %p\nout %o -> 0\n"
                       "else_body \"f\" {\n%p = Parameter-1 {element_type = f32, shape = "
                       "[3,4]}\n" OVER_OF("3") "}\nin 1 -> %p\nout %o -> 0\n" END(i),
        "d2 view of e; i overwrites d2", "\"i\" overwrites \"d2\"",
        "bodies write over whole buffers only (O1 same-type-and-shape)");
}

/* Two values that a loop exchanges end where the number of iterations says. */
static void changing_places(void **state)
{
#define EXCHANGE(trip) LOOP(trip, OVER "%s = Result-1(%k)\n", "back %o -> %k\nback %s -> %p\n") USED
    static const char two[] = GIVEN "%two = Const-1 {value = i64[] 2}\n" EXCHANGE("%two");
    static const char three[] = GIVEN "%three = Const-1 {value = i64[] 3}\n" EXCHANGE("%three");

    check_legal(two, "l.0 overwrites e; l.1 overwrites d");
    check_legal(three, "l.0 overwrites d; l.1 overwrites e");
    check_illegal(two, "l.0 overwrites d; l.1 overwrites e", "\"l.0\" overwrites \"d\"",
                  "body 0 does not end where input 2 enters (B4 ends-in-its-buffer)");
    check_illegal(three, "l.0 overwrites e; l.1 overwrites d", "\"l.0\" overwrites \"e\"",
                  "body 0 does not end where input 3 enters (B4 ends-in-its-buffer)");
    check_illegal(GIVEN EXCHANGE("%n"), "l.0 overwrites e; l.1 overwrites d",
                  "\"l.0\" overwrites \"e\"",
                  "body 0 does not end where input 3 enters (B4 ends-in-its-buffer)");
}

/* What bodies make in a window, or in a part. */
static void made_in_bodies(void **state)
{
#define BIG(v)                                                                                     \
    "%w = Parameter-1 {element_type = f32, shape = [16,4]}\n%b = Tanh-1(%w)\n"                     \
    "%r = SliceScatter-15(" v ", %i, %c0, %c8, %c1)\n" END(r)

#define PART_AND_SUM "%j = Concat-1(%l:0, %e) {axis = 0}\n%z = Add-1(%l:1, %e)\n" END(j) END(z)

    check_legal(GIVEN IF(OTHER, OTHER) BIG("%b"), "r overwrites b; i into r; b before i");
    /* what a body hands through is copied there */
    check_legal(GIVEN IF(OTHER, THROUGH) BIG("%b"), "r overwrites b; i into r; b before i");
    check_illegal(GIVEN IF(OTHER, OTHER) BIG("%w"), "r overwrites w; i into r", "\"i\" into \"r\"",
                  "\"i\" may fail when part of the window is written (I8 no-failure-midway)");
    check_illegal(GIVEN IF(OTHER, OTHER) "%r = SliceScatter-15(%d, %i, %c0, %c8, %c1)\n" END(r),
                  "r overwrites d; i into r", "\"i\" into \"r\"",
                  "it reads other positions of \"d\" than the one it writes (N5 no-branch-read)");
    check_legal(GIVEN IF(OTHER, OTHER) "%j = Concat-1(%i, %e) {axis = 0}\n" END(j), "i into j");
    check_illegal(
        GIVEN IF(OTHER, OTHER) "%v = ReLU-1(%i)\n%j = Concat-1(%v, %e) {axis = 0}\n" END(j),
        "i into j", "\"i\" into \"j\"", "its part is not known before the run (N2 checks-first)");
    check_legal(GIVEN LOOP("%n", OTHER SUM, BOTH) PART_AND_SUM, "l.0 into j");
    check_illegal(GIVEN LOOP("%n", OTHER "%s = Result-1(%q)\n", BOTH) PART_AND_SUM, "l.0 into j",
                  "\"l.0\" into \"j\"",
                  "what the bodies make may be another output, too (N4 one-output)");
#undef BIG
#undef PART_AND_SUM
}

/* Bodies in bodies in bodies are looked into as well. */
static void made_deep_in_bodies(void **state)
{
#define OUT(a, b)                                                                                  \
    "%o = Result-1(" a ")\n%v = Result-1(" b ")\n}\nin 1 -> %c\nin 2 -> %x\n"                      \
    "out %o -> 0\nout %v -> 1\n"
#define GIVES                                                                                      \
    "%c = Parameter-1 {element_type = boolean, shape = []}\n"                                      \
    "%x = Parameter-1 {element_type = f32, shape = [2,2]}\n"
#define DEEP(then)                                                                                 \
    "%i:2 = If-8(%c, %c, %x)\nthen_body \"t\" {\n" GIVES then "else_body \"e\" {\n" GIVES          \
    "%s = Sin-1(%x)\n%t = Cos-1(%x)\n" OUT("%s", "%t")
#define MADE(second) "%q = Exp-1(%x)\n%z = ReLU-1(%x)\n" OUT("%q", second)
#define IN(then) DEEP(then) OUT("%i:0", "%i:1")
#define WHOLE(then)                                                                                \
    GIVES DEEP(then) "%j = Concat-1(%i:0, %x) {axis = 0}\n%y = Abs-1(%i:1)\n" END(j) END(y)

    check_legal(WHOLE(IN(IN(IN(MADE("%z"))))), "i.0 into j");
    check_illegal(WHOLE(IN(IN(IN(MADE("%q"))))), "i.0 into j", "\"i.0\" into \"j\"",
                  "what the bodies make may be another output, too (N4 one-output)");
#undef OUT
#undef GIVES
#undef DEEP
#undef MADE
#undef IN
#undef WHOLE
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_in_bodies),  cmocka_unit_test(made_deep_in_bodies),
        cmocka_unit_test(handed_through),  cmocka_unit_test(handed_through_by_loops),
        cmocka_unit_test(given_to_bodies), cmocka_unit_test(changing_places),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
