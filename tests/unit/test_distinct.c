/* Which lists are known to name distinct rows (ir/graph/distinct.c). What is expected follows from
 * what the operations say of their outputs, and from arithmetic. */
#include "graphs.h"
#include "ir/graph/distinct.h"
#include "ir/shared.h"

static const char body[] =
    "%p = Parameter-1 {element_type = i64, shape = [3]}\n"
    "%x = Parameter-1 {element_type = f32, shape = [9]}\n"
    "%m = Parameter-1 {element_type = f32, shape = [4,9]}\n"
    "%k = Const-1 {value = i64[] 3}\n%one = Const-1 {value = i64[] 1}\n"
    "%two = Const-1 {value = i64[] 2}\n%zero = Const-1 {value = i64[] 0}\n"
    "%q = Parameter-1 {element_type = i64, shape = []}\n"
    "%place = Parameter-1 {element_type = i64, shape = [1,2]}\n"
    "%two_places = Parameter-1 {element_type = i64, shape = [2,2]}\n"
    "%some = Parameter-1 {element_type = i64, shape = [?,2]}\n"
    "%turn = Const-1 {value = i64[2] [1, 0]}\n%flat = Const-1 {value = i64[1] [-1]}\n"
    "%once = Const-1 {value = i64[4] [6, 0, 5, 2]}\n%twice = Const-1 {value = i64[3] [6, 0, 6]}\n"
    "%ends = Const-1 {value = i64[3] [-1, 0, 8]}\n%below = Const-1 {value = i64[3] [-1, 0, 7]}\n"
    "%pairs = Const-1 {value = i64[3,2] [0, 1, 1, 0, 0, 0]}\n"
    "%again = Const-1 {value = i64[3,2] [0, 1, 1, 0, 0, 1]}\n"
    "%t:2 = TopK-11(%x, %k) {axis = 0, mode = max, sort = value, index_element_type = i64}\n"
    "%behind = Add-1(%t:1, %one)\n%before = Subtract-1(%t:1, %one)\n"
    "%turned = Subtract-1(%one, %t:1)\n%even = Multiply-1(%two, %t:1)\n"
    "%none = Multiply-1(%t:1, %zero)\n%moved = Add-1(%t:1, %q)\n%mixed = Add-1(%t:1, %p)\n"
    "%lines:2 = TopK-11(%m, %k) {axis = 1, mode = max, sort = value, index_element_type = i64}\n"
    "%flatly = Reshape-1(%lines:1, %flat) {special_zero = false}\n"
    "%n = NonZero-3(%x) {output_type = i64}\n"
    "%list = Reshape-1(%n, %flat) {special_zero = false}\n"
    "%short = Convert-1(%list) {destination_type = i32}\n"
    "%tiny = Convert-1(%list) {destination_type = i8}\n"
    "%places = NonZero-3(%m) {output_type = i64}\n%tuples = Transpose-1(%places, %turn)\n"
    "%mat = Const-1 {value = i64[2,3] [0, 1, 2, 2, 0, 1]}\n"
    "%rep = Const-1 {value = i64[2,3] [0, 1, 2, 2, 1, 0]}\n"
    "%neg = Const-1 {value = i64[1,2] [-1, 2]}\n%third = Const-1 {value = i64[] 1}\n"
    "%narrow = Convert-1(%lines:1) {destination_type = i32}\n"
    "%next = Add-1(%narrow, %narrow)\n%aside = Transpose-1(%lines:1, %turn)\n"
    "%cuts:3 = Split-1(%lines:1, %third) {num_splits = 3}\n"
    "%rows:2 = Split-1(%lines:1, %zero) {num_splits = 2}\n"
    "%u:4 = Unique-10(%p) {index_element_type = i64}\n"
    "%r0 = Result-1(%behind)\n%r1 = Result-1(%before)\n%r2 = Result-1(%turned)\n"
    "%r3 = Result-1(%even)\n%r4 = Result-1(%none)\n%r5 = Result-1(%moved)\n%r6 = Result-1(%mixed)\n"
    "%r7 = Result-1(%flatly)\n%r8 = Result-1(%short)\n%r9 = Result-1(%tiny)\n"
    "%r10 = Result-1(%tuples)\n%r11 = Result-1(%u:0)\n%r12 = Result-1(%once)\n"
    "%r13 = Result-1(%twice)\n%r14 = Result-1(%ends)\n%r15 = Result-1(%below)\n"
    "%r16 = Result-1(%pairs)\n%r17 = Result-1(%again)\n%r18 = Result-1(%u:2)\n"
    "%r19 = Result-1(%mat)\n%r20 = Result-1(%rep)\n%r21 = Result-1(%neg)\n"
    "%r22 = Result-1(%next)\n%r23 = Result-1(%aside)\n%r24 = Result-1(%cuts:1)\n"
    "%r25 = Result-1(%rows:1)\n%raised = Unsqueeze-1(%lines:1, %zero)\n"
    "%parted = Const-1 {value = i64[2] [3, 4]}\n"
    "%cut = Reshape-1(%lines:1, %parted) {special_zero = false}\n"
    "%r26 = Result-1(%raised)\n%r27 = Result-1(%cut)\n";

static const inlay_value *value_of(const inlay_graph *g, const char *name, int output)
{
    const inlay_node *n = inlay_graph_node(g, name);

    assert_non_null(n);
    return &n->out[output];
}

static void test_lists(void **state)
{
    static const struct {
        const char *name;
        int output, tuple;
        int64_t size;
        bool from_end, distinct;
    } cases[] = {
        {"p", 0, 1, 9, true, false},      {"once", 0, 1, 9, true, true},
        {"once", 0, 1, -1, true, true},   {"twice", 0, 1, 9, true, false},
        {"ends", 0, 1, 9, true, false},   {"ends", 0, 1, 9, false, false},
        {"ends", 0, 1, 10, true, true},   {"below", 0, 1, 9, true, true},
        {"below", 0, 1, 8, true, false},  {"below", 0, 1, -1, true, false},
        {"pairs", 0, 2, 2, true, true},   {"again", 0, 2, 2, true, false},
        {"pairs", 0, 2, -1, true, true},  {"pairs", 0, 1, 2, true, false},
        {"t", 1, 1, 9, true, true},       {"t", 1, 1, -1, true, true},
        {"behind", 0, 1, -1, true, true}, {"before", 0, 1, 20, true, true},
        {"before", 0, 1, 5, true, false}, {"before", 0, 1, 5, false, true},
        {"turned", 0, 1, 20, true, true}, {"even", 0, 1, -1, true, true},
        {"none", 0, 1, 9, true, false},   {"moved", 0, 1, 20, true, true},
        {"moved", 0, 1, 5, true, false},  {"mixed", 0, 1, 20, true, false},
        {"flatly", 0, 1, 9, true, false}, {"list", 0, 1, -1, true, true},
        {"short", 0, 1, -1, true, true},  {"tiny", 0, 1, -1, true, true},
        {"tuples", 0, 2, -1, true, true}, {"places", 0, 1, -1, true, false},
        {"u", 0, 1, 9, false, true},      {"u", 0, 1, 9, true, false},
        {"u", 2, 1, 9, false, false},     {"q", 0, 1, 9, true, true},
        {"place", 0, 2, 9, true, true},   {"place", 0, 2, -1, true, true},
        {"place", 0, 1, 9, true, false},  {"two_places", 0, 2, 9, true, false},
        {"some", 0, 2, 9, true, false},
    };
    inlay_graph *g = graph_of(body);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int64_t dims[2] = {cases[i].size, cases[i].size};
        bool distinct = inlay_value_is_distinct(value_of(g, cases[i].name, cases[i].output),
                                                cases[i].tuple, dims, cases[i].from_end);

        if (distinct != cases[i].distinct)
            fail_msg("%s of %lld", cases[i].name, (long long)cases[i].size);
    }
    inlay_graph_free(g);
}

/* Lines of a list along one axis, each of which has its own numbers. */
static void test_lines(void **state)
{
    static const struct {
        const char *name;
        int output, axis;
        int64_t size;
        bool distinct;
    } cases[] = {
        {"lines", 1, 1, 9, true},       {"lines", 1, 0, 9, false}, {"lines", 1, 1, -1, true},
        {"mat", 0, 0, 3, true},         {"mat", 0, 1, 3, true},    {"rep", 0, 1, 3, true},
        {"rep", 0, 0, 3, false},        {"neg", 0, 1, 3, false},   {"neg", 0, 1, 4, true},
        {"neg", 0, 1, -1, false},       {"neg", 0, 0, 3, true},    {"narrow", 0, 1, 9, true},
        {"next", 0, 1, 20, false},      {"aside", 0, 0, 9, true},  {"rows", 0, 1, 9, true},
        {"two_places", 0, 1, 9, false}, {"raised", 0, 2, 9, true}, {"raised", 0, 1, 9, false},
        {"cut", 0, 1, 9, false},        {"aside", 0, 1, 9, false},
    };
    inlay_graph *g = graph_of(body);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (inlay_value_lines_are_distinct(value_of(g, cases[i].name, cases[i].output),
                                           cases[i].axis, cases[i].size, true) != cases[i].distinct)
            fail_msg("%s along %d of %lld", cases[i].name, cases[i].axis, (long long)cases[i].size);
    }
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists), cmocka_unit_test(test_lines)};

    return cmocka_run_group_tests_name("distinct", tests, NULL, NULL);
}
