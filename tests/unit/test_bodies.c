/* Bodies in the planned executor: where what enters and leaves an iteration stands, and what is
 * copied for it. check_run compares each with the reference. */
#include "graphs.h"

static const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED};

/* Checks that BODY gives OUT for IN, twice in one session, and copies COPIED bytes each time. */
static void check_copies(const char *body, const char *const *in, const char *const *out,
                         uint64_t copied)
{
    runner r = runner_of(body, &planned);

    for (int i = 0; i < 2; i++) {
        inlay_exec_stats s;

        check_run(&r, in, out);
        inlay_session_stats(r.session, &s);
        assert_int_equal(s.copied_bytes, copied);
    }
    runner_free(&r);
}

/* Doubles the parts of x, which are sliced and joined along an axis. */
#define TWICE(dims, in, out)                                                                       \
    "%x = Parameter-1 {element_type = f32, shape = [?,?]}\n"                                       \
    "%ti = TensorIterator-1(%x)\n"                                                                 \
    "body \"b\" {\n"                                                                               \
    "%p = Parameter-1 {element_type = f32, shape = [" dims "]}\n"                                  \
    "%s = Add-1(%p, %p)\n"                                                                         \
    "%r = Result-1(%s)\n"                                                                          \
    "}\n"                                                                                          \
    "in 0 -> %p " in "\n"                                                                          \
    "out %r -> 0 " out "\n"                                                                        \
    "%y = Result-1(%ti)\n"

#define FORWARD(axis) "axis " axis " start 0 end -1 stride 1 part_size 1"
#define BACKWARD(axis) "axis " axis " start -1 end 0 stride -1 part_size 1"

/* Parts are seen where they lie, and computed where they belong. */
static void test_parts_are_not_copied(void **state)
{
    check_copies(TWICE("1,?", FORWARD("0"), FORWARD("0")), OPERANDS("f32[3,2] 1 2 3 4 5 6"),
                 OPERANDS("f32[3,2] 2 4 6 8 10 12"), 0);
    check_copies(TWICE("1,?", BACKWARD("0"), FORWARD("0")), OPERANDS("f32[3,2] 1 2 3 4 5 6"),
                 OPERANDS("f32[3,2] 10 12 6 8 2 4"), 0);
    check_copies(TWICE("1,?", FORWARD("0"), BACKWARD("0")), OPERANDS("f32[3,2] 1 2 3 4 5 6"),
                 OPERANDS("f32[3,2] 10 12 6 8 2 4"), 0);
}

/* All parts of two floats begin alike within a word, and every other one of three floats: an
 * instance knows how parts begin, so that its frame stays begun in the first case only. */
static void test_parts_that_begin_alike(void **state)
{
    check_copies(TWICE("1,?", BACKWARD("0"), BACKWARD("0")),
                 OPERANDS("f32[5,2] 1 2 3 4 5 6 7 8 9 10"),
                 OPERANDS("f32[5,2] 2 4 6 8 10 12 14 16 18 20"), 0);
    check_copies(TWICE("1,?", FORWARD("0"), BACKWARD("0")),
                 OPERANDS("f32[5,3] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"),
                 OPERANDS("f32[5,3] 26 28 30 20 22 24 14 16 18 8 10 12 2 4 6"), 0);
}

/* A column of a matrix is not dense, so that it is computed elsewhere, and then copied there. */
static void test_columns_are_copied(void **state)
{
    check_copies(TWICE("?,1", FORWARD("1"), FORWARD("1")), OPERANDS("f32[2,3] 1 2 3 4 5 6"),
                 OPERANDS("f32[2,3] 2 4 6 8 10 12"), 24);
    check_copies(TWICE("?,1", FORWARD("1"), BACKWARD("1")), OPERANDS("f32[2,3] 1 2 3 4 5 6"),
                 OPERANDS("f32[2,3] 6 4 2 12 10 8"), 24);
    check_copies(TWICE("?,1", FORWARD("1"), FORWARD("0")), OPERANDS("f32[2,3] 1 2 3 4 5 6"),
                 OPERANDS("f32[6,1] 2 8 4 10 6 12"), 0);
}

/* Joins the numbers of all iterations up to n, which only the body knows. */
#define UP_TO(join)                                                                                \
    "%n = Parameter-1 {element_type = i32, shape = [1]}\n"                                         \
    "%trip = Const-1 {value = i64[] -1}\n"                                                         \
    "%go = Const-1 {value = boolean[] true}\n"                                                     \
    "%l:1 = Loop-5(%trip, %go, %n)\n"                                                              \
    "body \"b\" {\n"                                                                               \
    "%i = Parameter-1 {element_type = i32, shape = [1]}\n"                                         \
    "%m = Parameter-1 {element_type = i32, shape = [1]}\n"                                         \
    "%less = Less-1(%i, %m)\n"                                                                     \
    "%same = Abs-1(%i)\n"                                                                          \
    "%c = Result-1(%less)\n"                                                                       \
    "%r = Result-1(%same)\n"                                                                       \
    "}\n"                                                                                          \
    "in 2 -> %m\n"                                                                                 \
    "in none -> %i iteration\n"                                                                    \
    "out %c -> none condition\n"                                                                   \
    "out %r -> 0 " join "\n"                                                                       \
    "%y = Result-1(%l)\n"

/* There is room for 8 parts at first, then for 16. Parts that move to the larger room are copied,
 * and all parts are copied at the end if there was room for more. */
static void test_unknown_numbers_of_parts(void **state)
{
    check_copies(UP_TO(FORWARD("0")), OPERANDS("i32[1] 5"), OPERANDS("i32[6] 0 1 2 3 4 5"), 24);
    check_copies(UP_TO(FORWARD("0")), OPERANDS("i32[1] 7"), OPERANDS("i32[8] 0 1 2 3 4 5 6 7"), 0);
    check_copies(UP_TO(FORWARD("0")), OPERANDS("i32[1] 9"), OPERANDS("i32[10] 0 1 2 3 4 5 6 7 8 9"),
                 32 + 40);
    check_copies(UP_TO(BACKWARD("0")), OPERANDS("i32[1] 9"),
                 OPERANDS("i32[10] 9 8 7 6 5 4 3 2 1 0"), 32 + 40);
}

/* Joins an input as often as the condition, an input that the body only hands on, and TRIP let it.
 */
#define AGAIN(type, trip)                                                                          \
    "%more = Parameter-1 {element_type = boolean, shape = []}\n"                                   \
    "%x = Parameter-1 {element_type = " type "}\n"                                                 \
    "%trip = Const-1 {value = i64[] " trip "}\n"                                                   \
    "%go = Const-1 {value = boolean[] true}\n"                                                     \
    "%l:1 = Loop-5(%trip, %go, %x, %more)\n"                                                       \
    "body \"b\" {\n"                                                                               \
    "%p = Parameter-1 {element_type = " type "}\n"                                                 \
    "%m = Parameter-1 {element_type = boolean, shape = []}\n"                                      \
    "%a = Abs-1(%p)\n"                                                                             \
    "%c = Result-1(%m)\n"                                                                          \
    "%r = Result-1(%a)\n"                                                                          \
    "}\n"                                                                                          \
    "in 2 -> %p\n"                                                                                 \
    "in 3 -> %m\n"                                                                                 \
    "out %c -> none condition\n"                                                                   \
    "out %r -> 0 " FORWARD("0") "\n"                                                               \
                                "%y = Result-1(%l)\n"

/* There are as many parts as the trip count says, if the condition, which stays as it is, lets the
 * loop run. */
static void test_condition_that_stays(void **state)
{
    check_copies(AGAIN("i32, shape = [1]", "5"), OPERANDS("boolean[] 1", "i32[1] 7"),
                 OPERANDS("i32[5] 7 7 7 7 7"), 0);
    check_copies(AGAIN("i32, shape = [1]", "5"), OPERANDS("boolean[] 0", "i32[1] 7"),
                 OPERANDS("i32[1] 7"), 4);
}

/* Eight parts have no elements, and an axis so long that eight times its length just fits a
 * number. */
static void test_parts_without_elements(void **state)
{
    check_copies(AGAIN("f32, shape = [1152921504606846975,0]", "8"),
                 OPERANDS("boolean[] 1", "f32[1152921504606846975,0]"),
                 OPERANDS("f32[9223372036854775800,0]"), 0);
}

/* In the middle of the run, a loop takes and gives values without elements. */
#define INSIDE(trip, condition, results)                                                           \
    "%more = Parameter-1 {element_type = boolean, shape = []}\n"                                   \
    "%x = Parameter-1 {element_type = f32, shape = [2,0]}\n"                                       \
    "%trip = Const-1 {value = i64[] " trip "}\n"                                                   \
    "%n = Abs-1(%x)\n"                                                                             \
    "%l:2 = Loop-5(%trip, %more, %n)\n"                                                            \
    "body \"b\" {\n"                                                                               \
    "%i = Parameter-1 {element_type = i64, shape = []}\n"                                          \
    "%p = Parameter-1 {element_type = f32, shape = [2,0]}\n"                                       \
    "%two = Const-1 {value = i64[] 2}\n"                                                           \
    "%less = Less-1(%i, %two)\n"                                                                   \
    "%yes = Const-1 {value = boolean[] true}\n"                                                    \
    "%a = Abs-1(%p)\n"                                                                             \
    "%c = Result-1(" condition ")\n"                                                               \
    "%r = Result-1(%a)\n"                                                                          \
    "%s = Result-1(%p)\n"                                                                          \
    "}\n"                                                                                          \
    "in none -> %i iteration\n"                                                                    \
    "in 2 -> %p\n"                                                                                 \
    "out %c -> none condition\n" results "%u = Sqrt-1(%l:0)\n"                                     \
    "%v = Sqrt-1(%l:1)\n"                                                                          \
    "%f = Result-1(%u)\n"                                                                          \
    "%g = Result-1(%v)\n"
#define JOINED "out %r -> 0 " FORWARD("0") "\n"

/* Values without elements need no bytes, so that there may be no arena. */
static void test_values_without_elements(void **state)
{
    static const struct {
        const char *body, *joined;
    } cases[] = {
        {INSIDE("3", "%yes", JOINED "out %r -> 1\nback %r -> %p\n"), "f32[6,0]"},
        {INSIDE("3", "%yes", JOINED "out %s -> 1\n"), "f32[6,0]"},
        {INSIDE("3", "%yes", "out %r -> 0\nout %r -> 1\nback %r -> %p\n"), "f32[2,0]"},
        {INSIDE("3", "%yes", "out %s -> 0\nout %s -> 1\nback %s -> %p\n"), "f32[2,0]"},
        {INSIDE("-1", "%less", JOINED "out %s -> 1\nback %r -> %p\n"), "f32[6,0]"},
        {INSIDE("-1", "%less", JOINED "out %r -> 1\n"), "f32[6,0]"},
        {INSIDE("0", "%yes", "out %r -> 0\nout %r -> 1\nback %r -> %p\n"), "f32[2,0]"},
        {INSIDE("0", "%yes", JOINED "out %r -> 1\nback %r -> %p\n"), "f32[0,0]"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_copies(cases[i].body, OPERANDS("boolean[] 1", "f32[2,0]"),
                     OPERANDS(cases[i].joined, "f32[2,0]"), 0);
}

/* The same values enter and leave branches; the second one is a result of the run, too. */
static void test_branches_without_elements(void **state)
{
    static const char body[] = "%cond = Parameter-1 {element_type = boolean, shape = []}\n"
                               "%x = Parameter-1 {element_type = f32, shape = [2,0]}\n"
                               "%n = Abs-1(%x)\n"
                               "%if:2 = If-8(%cond, %n)\n"
                               "then_body \"t\" {\n"
                               "%a = Parameter-1 {element_type = f32, shape = [2,0]}\n"
                               "%s = Abs-1(%a)\n"
                               "%r = Result-1(%s)\n"
                               "%q = Result-1(%a)\n"
                               "}\n"
                               "in 1 -> %a\n"
                               "out %r -> 0\n"
                               "out %q -> 1\n"
                               "else_body \"e\" {\n"
                               "%a = Parameter-1 {element_type = f32, shape = [2,0]}\n"
                               "%s = Sqrt-1(%a)\n"
                               "%r = Result-1(%s)\n"
                               "%q = Result-1(%a)\n"
                               "}\n"
                               "in 1 -> %a\n"
                               "out %r -> 0\n"
                               "out %q -> 1\n"
                               "%u = Sqrt-1(%if:0)\n"
                               "%y = Result-1(%u)\n"
                               "%z = Result-1(%if:1)\n";

    check_copies(body, OPERANDS("boolean[] 1", "f32[2,0]"), OPERANDS("f32[2,0]", "f32[2,0]"), 0);
    check_copies(body, OPERANDS("boolean[] 0", "f32[2,0]"), OPERANDS("f32[2,0]", "f32[2,0]"), 0);
}

/* Rows without elements are sliced, handed out, and joined. */
static void test_slices_without_elements(void **state)
{
    static const char body[] = "%x = Parameter-1 {element_type = f32, shape = [3,0]}\n"
                               "%n = Abs-1(%x)\n"
                               "%ti:2 = TensorIterator-1(%n)\n"
                               "body \"b\" {\n"
                               "%p = Parameter-1 {element_type = f32, shape = [1,0]}\n"
                               "%r = Result-1(%p)\n"
                               "}\n"
                               "in 0 -> %p axis 0 start 0 end -1 stride 1 part_size 1\n"
                               "out %r -> 0 axis 0 start -1 end 0 stride -1 part_size 1\n"
                               "out %r -> 1\n"
                               "%u = Sqrt-1(%ti:0)\n"
                               "%v = Sqrt-1(%ti:1)\n"
                               "%y = Result-1(%u)\n"
                               "%z = Result-1(%v)\n";

    check_copies(body, OPERANDS("f32[3,0]"), OPERANDS("f32[3,0]", "f32[1,0]"), 0);
}

/* The loop has three carried values and a constant trip count. */
#define CARRIED(body, ports)                                                                       \
    "%trip = Parameter-1 {element_type = i64, shape = []}\n"                                       \
    "%x = Parameter-1 {element_type = f32, shape = [2]}\n"                                         \
    "%y = Parameter-1 {element_type = f32, shape = [2]}\n"                                         \
    "%z = Parameter-1 {element_type = f32, shape = [2]}\n"                                         \
    "%go = Const-1 {value = boolean[] true}\n"                                                     \
    "%l:3 = Loop-5(%trip, %go, %x, %y, %z)\n"                                                      \
    "body \"b\" {\n"                                                                               \
    "%a = Parameter-1 {element_type = f32, shape = [2]}\n"                                         \
    "%b = Parameter-1 {element_type = f32, shape = [2]}\n"                                         \
    "%c = Parameter-1 {element_type = f32, shape = [2]}\n"                                         \
    "%yes = Const-1 {value = boolean[] true}\n"                                                    \
    "%q = Result-1(%yes)\n" body "}\n"                                                             \
    "in 2 -> %a\n"                                                                                 \
    "in 3 -> %b\n"                                                                                 \
    "in 4 -> %c\n"                                                                                 \
    "out %q -> none condition\n"                                                                   \
    "out %ra -> 0\n"                                                                               \
    "out %rb -> 1\n"                                                                               \
    "out %rc -> 2\n" ports

#define GIVEN "%p = Result-1(%l:0)\n%v = Result-1(%l:1)\n%w = Result-1(%l:2)\n"

/* (a, b, c) becomes (a + c, a, b): each value is kept for three iterations. */
static void test_values_that_are_handed_down(void **state)
{
    static const char body[] = CARRIED("%s = Add-1(%a, %c)\n%ra = Result-1(%s)\n"
                                       "%rb = Result-1(%a)\n%rc = Result-1(%b)\n",
                                       "back %ra -> %a\nback %rb -> %b\nback %rc -> %c\n" GIVEN);

    check_copies(body, OPERANDS("i64 1", "f32[2] 1 10", "f32[2] 2 20", "f32[2] 3 30"),
                 OPERANDS("f32[2] 4 40", "f32[2] 1 10", "f32[2] 2 20"), 0);
    check_copies(body, OPERANDS("i64 6", "f32[2] 1 10", "f32[2] 2 20", "f32[2] 3 30"),
                 OPERANDS("f32[2] 24 240", "f32[2] 17 170", "f32[2] 11 110"), 0);
}

/* The values are wanted at certain places: one value is in the way of another. */
static void test_values_in_the_way(void **state)
{
    static const char body[] = CARRIED("%s = Add-1(%a, %c)\n%ra = Result-1(%s)\n"
                                       "%rb = Result-1(%a)\n%rc = Result-1(%b)\n",
                                       "back %ra -> %a\nback %rb -> %b\nback %rc -> %c\n"
                                       "%a0 = Abs-1(%l:0)\n%a1 = Abs-1(%l:1)\n"
                                       "%all = Concat-1(%a0, %a1, %l:2) {axis = 0}\n"
                                       "%u = Result-1(%all)\n");
    runner r = runner_of(body, &planned);

    for (int i = 0; i < 2; i++) {
        check_run(&r, OPERANDS("i64 6", "f32[2] 1 10", "f32[2] 2 20", "f32[2] 3 30"),
                  OPERANDS("f32[6] 24 240 17 170 11 110"));
        check_run(&r, OPERANDS("i64 5", "f32[2] 1 10", "f32[2] 2 20", "f32[2] 3 30"),
                  OPERANDS("f32[6] 17 170 11 110 7 70"));
        check_run(&r, OPERANDS("i64 4", "f32[2] 1 10", "f32[2] 2 20", "f32[2] 3 30"),
                  OPERANDS("f32[6] 11 110 7 70 6 60"));
    }
    runner_free(&r);
}

/* One result becomes two carried values, and replaces what two results were. */
static void test_values_that_are_one(void **state)
{
    static const char body[] =
        CARRIED("%s = Add-1(%a, %b)\n%t = Add-1(%c, %b)\n"
                "%ra = Result-1(%s)\n%rb = Result-1(%t)\n%rc = Result-1(%s)\n",
                "back %ra -> %a\nback %ra -> %b\nback %rb -> %c\n" GIVEN);

    check_copies(body, OPERANDS("i64 3", "f32[2] 1 10", "f32[2] 2 20", "f32[2] 3 30"),
                 OPERANDS("f32[2] 12 120", "f32[2] 14 140", "f32[2] 12 120"), 0);
}

/* What enters leaves as it is: where the part and the number of the last iteration are carried to
 * the next one, the part must not move on, and the number must not be counted up. */
static void test_what_enters_leaves(void **state)
{
    static const char body[] =
        "%x = Parameter-1 {element_type = i32, shape = [?]}\n"
        "%first = Const-1 {value = i32[1] [-1]}\n"
        "%trip = Parameter-1 {element_type = i64, shape = []}\n"
        "%go = Const-1 {value = boolean[] true}\n"
        "%l:4 = Loop-5(%trip, %go, %x, %first, %first)\n"
        "body \"b\" {\n"
        "%p = Parameter-1 {element_type = i32, shape = [1]}\n"
        "%i = Parameter-1 {element_type = i32, shape = [1]}\n"
        "%before = Parameter-1 {element_type = i32, shape = [1]}\n"
        "%j = Parameter-1 {element_type = i32, shape = [1]}\n"
        "%yes = Const-1 {value = boolean[] true}\n"
        "%q = Result-1(%yes)\n"
        "%rp = Result-1(%p)\n"
        "%ri = Result-1(%i)\n"
        "%rb = Result-1(%before)\n"
        "%rj = Result-1(%j)\n"
        "}\n"
        "in 2 -> %p " FORWARD("0") "\n"
                                   "in none -> %i iteration\n"
                                   "in 3 -> %before\n"
                                   "in 4 -> %j\n"
                                   "out %q -> none condition\n"
                                   "out %rp -> 0\n"
                                   "out %ri -> 1\n"
                                   "out %rb -> 2 " FORWARD("0") "\n"
                                                                "out %rj -> 3 " FORWARD(
                                                                    "0") "\n"
                                                                         "back %rp -> %before\n"
                                                                         "back %ri -> %j\n"
                                                                         "%a = Result-1(%l:0)\n"
                                                                         "%b = Result-1(%l:1)\n"
                                                                         "%c = Result-1(%l:2)\n"
                                                                         "%d = Result-1(%l:3)\n";
    runner r = runner_of(body, &planned);

    check_run(&r, OPERANDS("i32[3] 7 8 9", "i64 3"),
              OPERANDS("i32[1] 9", "i32[1] 2", "i32[3] -1 7 8", "i32[3] -1 0 1"));
    check_run(&r, OPERANDS("i32[2] 5 6", "i64 2"),
              OPERANDS("i32[1] 6", "i32[1] 1", "i32[2] -1 5", "i32[2] -1 0"));
    runner_free(&r);
}

/* What a variable is assigned must not stand where the loop goes on writing. */
static void test_carried_and_assigned(void **state)
{
    static const char body[] =
        "%trip = Parameter-1 {element_type = i64, shape = []}\n"
        "%x = Parameter-1 {element_type = f32, shape = [2]}\n"
        "%go = Const-1 {value = boolean[] true}\n"
        "%l:2 = Loop-5(%trip, %go, %x)\n"
        "body \"b\" {\n"
        "%a = Parameter-1 {element_type = f32, shape = [2]}\n"
        "%old = ReadValue-6 {variable_id = \"v\", variable_type = f32, variable_shape = [2]}\n"
        "%s = Add-1(%a, %a)\n"
        "%save = Assign-6(%s) {variable_id = \"v\"}\n"
        "%yes = Const-1 {value = boolean[] true}\n"
        "%q = Result-1(%yes)\n"
        "%rs = Result-1(%s)\n"
        "%ro = Result-1(%old)\n"
        "}\n"
        "in 2 -> %a\n"
        "out %q -> none condition\n"
        "out %rs -> 0\n"
        "out %ro -> 1 " FORWARD("0") "\n"
                                     "back %rs -> %a\n"
                                     "%b = Result-1(%l:0)\n"
                                     "%c = Result-1(%l:1)\n";
    runner r = runner_of(body, &planned);

    check_run(&r, OPERANDS("i64 3", "f32[2] 1 2"), OPERANDS("f32[2] 8 16", "f32[6] 0 0 2 4 4 8"));
    check_tensor(inlay_session_variable(r.session, 0), "f32[2] 8 16");
    check_run(&r, OPERANDS("i64 2", "f32[2] 1 1"), OPERANDS("f32[2] 4 4", "f32[4] 8 16 2 2"));
    runner_free(&r);
}

/* A branch hands through the slot of the carried value: what a variable is assigned must not stand
 * there either. */
static void test_handed_through_and_assigned(void **state)
{
    static const char body[] =
        "%trip = Parameter-1 {element_type = i64, shape = []}\n"
        "%x = Parameter-1 {element_type = f32, shape = [2]}\n"
        "%go = Const-1 {value = boolean[] true}\n"
        "%l:2 = Loop-5(%trip, %go, %x)\n"
        "body \"b\" {\n"
        "%a = Parameter-1 {element_type = f32, shape = [2]}\n"
        "%old = ReadValue-6 {variable_id = \"v\", variable_type = f32, variable_shape = [2]}\n"
        "%no = Const-1 {value = boolean[] false}\n"
        "%i:1 = If-8(%no, %a)\n"
        "then_body \"t\" {\n"
        "%p = Parameter-1 {element_type = f32, shape = [2]}\n"
        "%n = Negative-1(%p)\n"
        "%o = Result-1(%n)\n"
        "}\n"
        "in 1 -> %p\n"
        "out %o -> 0\n"
        "else_body \"e\" {\n"
        "%p = Parameter-1 {element_type = f32, shape = [2]}\n"
        "%o = Result-1(%p)\n"
        "}\n"
        "in 1 -> %p\n"
        "out %o -> 0\n"
        "%save = Assign-6(%i) {variable_id = \"v\"}\n"
        "%s = Add-1(%a, %a)\n"
        "%yes = Const-1 {value = boolean[] true}\n"
        "%q = Result-1(%yes)\n"
        "%rs = Result-1(%s)\n"
        "%ro = Result-1(%old)\n"
        "}\n"
        "in 2 -> %a\n"
        "out %q -> none condition\n"
        "out %rs -> 0\n"
        "out %ro -> 1 " FORWARD("0") "\n"
                                     "back %rs -> %a\n"
                                     "%b = Result-1(%l:0)\n"
                                     "%c = Result-1(%l:1)\n";
    runner r = runner_of(body, &planned);

    check_run(&r, OPERANDS("i64 4", "f32[2] 1 2"),
              OPERANDS("f32[2] 16 32", "f32[8] 0 0 1 2 2 4 4 8"));
    check_run(&r, OPERANDS("i64 2", "f32[2] 5 5"), OPERANDS("f32[2] 20 20", "f32[4] 8 16 5 5"));
    check_tensor(inlay_session_variable(r.session, 0), "f32[2] 10 10");
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts_are_not_copied),
                                       cmocka_unit_test(test_parts_that_begin_alike),
                                       cmocka_unit_test(test_columns_are_copied),
                                       cmocka_unit_test(test_unknown_numbers_of_parts),
                                       cmocka_unit_test(test_condition_that_stays),
                                       cmocka_unit_test(test_parts_without_elements),
                                       cmocka_unit_test(test_values_without_elements),
                                       cmocka_unit_test(test_branches_without_elements),
                                       cmocka_unit_test(test_slices_without_elements),
                                       cmocka_unit_test(test_values_that_are_handed_down),
                                       cmocka_unit_test(test_values_in_the_way),
                                       cmocka_unit_test(test_values_that_are_one),
                                       cmocka_unit_test(test_what_enters_leaves),
                                       cmocka_unit_test(test_carried_and_assigned),
                                       cmocka_unit_test(test_handed_through_and_assigned)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
