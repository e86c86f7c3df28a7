/* The checker of storage notes: what is written while views of it are read. */
#include "claims.h"
#include "note_rows.h"
#include "unit.h"

#define PICKED                                                                                     \
    "%at = Parameter-1 {element_type = i64, shape = [1]}\n"                                        \
    "%axis = Const-1 {value = i64[] 0}\n"                                                          \
    "%x = Gather-8(%d, %at, %axis)\n"

/* One row, whichever it is, may be any: also one that is written. */
static void picked_row(void **state)
{
    check_legal(ROWS PICKED "%z = Exp-1(%x)\n%r = SliceScatter-15(%d, %u" MID END(z) END(r),
                "x view of d; r overwrites d; z before r");
    check_illegal(ROWS PICKED "%r = SliceScatter-15(%d, %u" MID "%z = Exp-1(%x)\n" END(r) END(z),
                  "x view of d; r overwrites d; r before z", "\"r\" overwrites \"d\"",
                  "\"z\" (Exp-1) reads \"x\" after this is written over it (V1 "
                  "read-before-write)");
    check_illegal(ROWS PICKED "%r = Exp-1(%x)\n" END(r) END(d), "x view of d; r overwrites x",
                  "\"r\" overwrites \"x\"",
                  "\"end_d\" (Result-1) reads \"d\" after this is written over it (O4 "
                  "not-read-at-end)");
}

static void views(void **state)
{
    check_illegal(ROWS "%x = Slice-8(%d" LO "%r = SliceScatter-15(%d, %u" MID
                       "%part = Slice-8(%r" HI "%z = Add-1(%x, %part)\n" END(z),
                  "x view of d; r overwrites d", "\"r\" overwrites \"d\"",
                  "\"z\" (Add-1) reads \"x\" after this is written over it (V1 "
                  "read-before-write)");
    check_illegal(ROWS "%x = Slice-8(%d" LO END(x), "x view of d", "\"x\" view of \"d\"",
                  "it outlives the buffer: \"end_x\" (Result-1) has it (V3 does-not-outlive)");
    /* all of a buffer that was made for this run leaves with it, if nothing else does */
#define AS_4_BY_8                                                                                  \
    "%to = Const-1 {value = i64[2] [4, 8]}\n%x = Reshape-1(%d, %to)"                               \
    " {special_zero = false}\n"
    check_legal(ROWS AS_4_BY_8 END(x), "x view of d");
    check_illegal(ROWS AS_4_BY_8 END(x) END(d), "x view of d", "\"x\" view of \"d\"",
                  "it outlives the buffer: \"end_d\" (Result-1) has it (V3 does-not-outlive)");
    check_illegal(ROWS AS_4_BY_8 END(d) END(x), "x view of d", "\"x\" view of \"d\"",
                  "it outlives the buffer: \"end_x\" (Result-1) has it (V3 does-not-outlive)");
    check_illegal(ROWS "%x = Unsqueeze-1(%data, %c0)\n" END(x), "x view of data",
                  "\"x\" view of \"data\"",
                  "it outlives the buffer: \"end_x\" (Result-1) has it (V3 does-not-outlive)");
    check_illegal(ROWS "%k = Slice-8(%d" LO "%x = Unsqueeze-1(%k, %c0)\n" END(x),
                  "k view of d; x view of k", "\"x\" view of \"k\"",
                  "it outlives the buffer: \"end_x\" (Result-1) has it (V3 does-not-outlive)");
    check_illegal(ROWS "%x = Slice-8(%d" LO "%y = ReLU-1(%x)\n" END(y), "x view of data",
                  "\"x\" view of \"data\"", "a view is of input 0 of its operation");
    check_illegal(ROWS "%y = ReLU-1(%d)\n" END(y), "y view of d", "\"y\" view of \"d\"",
                  "this operation computes its output, it cannot be a view");
}

static void views_of_elements_that_are_several(void **state)
{
    /* one element of %k would be all rows of %b */
    check_illegal(ROWS "%shape = Const-1 {value = i64[2] [8, 4]}\n%k = Slice-8(%d, %c0, %c1, %c1)\n"
                       "%b = Broadcast-3(%k, %shape)\n%r = SliceScatter-15(%b, %u" LO END(r),
                  "b view of k; r overwrites b", "\"r\" overwrites \"b\"",
                  "one element there is several (O8 distinct-elements)");
    check_illegal(ROWS "%shape = Const-1 {value = i64[2] [8, 4]}\n%k = Slice-8(%d, %c0, %c1, %c1)\n"
                       "%b = Broadcast-3(%k, %shape)\n%x = Slice-8(%b" LO "%y = Abs-1(%x)\n" END(y),
                  "b view of k; x view of b", "\"x\" view of \"b\"",
                  "one element there is several (O8 distinct-elements)");
    check_illegal(ROWS "%times = Const-1 {value = i64[2] [2, 1]}\n%b = Tile-1(%d, %times)\n"
                       "%r = ReLU-1(%b)\n" END(r),
                  "b view of d; r overwrites b", "\"b\" view of \"d\"",
                  "this operation computes its output, it cannot be a view");
}

/* Makes two columns of d. */
#define COLUMNS                                                                                    \
    "%flat = Const-1 {value = i64[1] [-1]}\n%cut = Const-1 {value = i64[3] [2, 4, 2]}\n"           \
    "%x = Slice-8(%d, %c1, %c3, %c1, %c1)\n"
/* Rows and columns of d change places; two is two rows of the result. */
#define TURNED                                                                                     \
    "%swap = Const-1 {value = i64[2] [1, 0]}\n%t = Transpose-1(%d, %swap)\n"                       \
    "%two = Const-1 {value = f32[2,8] [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8]}\n"

static void views_of_views(void **state)
{
    /* through two views, and through a Split whose other half is written */
    check_illegal(ROWS "%x = Slice-8(%d" LO "%x2 = Slice-8(%x, %c2, %c3, %c1)\n"
                       "%r = SliceScatter-15(%d, %u" MID "%k = Slice-8(%r, %c0, %c1, %c1)\n"
                       "%z = Add-1(%x2, %k)\n" END(z),
                  "x view of d; x2 view of x; r overwrites d", "\"r\" overwrites \"d\"",
                  "\"z\" (Add-1) reads \"x2\" after this is written over it (V1 "
                  "read-before-write)");
    /* halves side by side, the axis counted from either end */
#define HALVES(axis, part)                                                                         \
    ROWS "%axis = Const-1 {value = i64[] [" #axis "]}\n"                                           \
         "%a:2 = Split-1(%d, %axis) {num_splits = 2}\n"                                            \
         "%v = Parameter-1 {element_type = f32, shape = [8,2]}\n"                                  \
         "%c4 = Const-1 {value = i64[1] [4]}\n"                                                    \
         "%r = SliceScatter-15(%d, %v, %c2, %c4, %c1, %c1)\n%z = Exp-1(%a:" #part ")\n" END(z)     \
             END(r)
    check_legal(HALVES(1, 0), "a.0 view of d; r overwrites d; r before z");
    check_legal(HALVES(-1, 0), "a.0 view of d; r overwrites d; r before z");
    check_illegal(HALVES(1, 1), "a.1 view of d; r overwrites d; r before z; a before r",
                  "\"r\" overwrites \"d\"",
                  "\"z\" (Exp-1) reads \"a.1\" after this is written over it (V1 "
                  "read-before-write)");
    check_illegal(HALVES(-1, 1), "a.1 view of d; r overwrites d; r before z; a before r",
                  "\"r\" overwrites \"d\"",
                  "\"z\" (Exp-1) reads \"a.1\" after this is written over it (V1 "
                  "read-before-write)");
#define SPLIT                                                                                      \
    "%axis = Const-1 {value = i64[] [0]}\n%a:2 = Split-1(%d, %axis) {num_splits = 2}\n"            \
    "%r = SliceScatter-15(%d, %u" HI "%k = Slice-8(%r, %c0, %c1, %c1)\n"
    check_legal(ROWS SPLIT "%z = Add-1(%a:0, %k)\n" END(z), "a.0 view of d; a.1 view of d; "
                                                            "r overwrites d");
    check_illegal(ROWS SPLIT "%z = Add-1(%a:1, %k)\n" END(z),
                  "a.0 view of d; a.1 view of d; r overwrites d", "\"r\" overwrites \"d\"",
                  "\"z\" (Add-1) reads \"a.1\" after this is written over it (V1 "
                  "read-before-write)");
}

static void reshaped_views(void **state)
{
    check_illegal(ROWS COLUMNS "%f = Reshape-1(%x, %flat) {special_zero = false}\n"
                               "%y = ReLU-1(%f)\n" END(y),
                  "x view of d; f view of x", "\"f\" view of \"x\"",
                  "no strides show what it reshapes (V2 strided-readers)");
    check_legal(ROWS COLUMNS "%f = Reshape-1(%x, %cut) {special_zero = false}\n"
                             "%y = ReLU-1(%f)\n" END(y),
                "x view of d; f view of x");
    check_legal(ROWS COLUMNS "%f = Unsqueeze-1(%x, %c1)\n%y = ReLU-1(%f)\n" END(y),
                "x view of d; f view of x");
    check_legal(ROWS COLUMNS "%x2 = Slice-8(%d" MID
                             "%f = Reshape-1(%x2, %flat) {special_zero = false}\n"
                             "%y = ReLU-1(%f)\n" END(y),
                "x2 view of d; f view of x2");
    check_illegal(ROWS COLUMNS TURNED
                  "%f = Reshape-1(%t, %flat) {special_zero = false}\n%y = ReLU-1(%f)\n" END(y),
                  "t view of d; f view of t", "\"f\" view of \"t\"",
                  "no strides show what it reshapes (V2 strided-readers)");
    /* rows that a StridedSlice cuts, and columns; axes that go backwards */
#define STRIDED(last)                                                                              \
    ROWS "%sb = Const-1 {value = i64[2] [2, 0]}\n%se = Const-1 {value = i64[2] [5, " #last "]}\n"  \
         "%ss = Const-1 {value = i64[2] [1, 1]}\n%flat = Const-1 {value = i64[1] [-1]}\n"          \
         "%x = StridedSlice-1(%d, %sb, %se, %ss) {begin_mask = [0, 0], end_mask = [0, 0]}\n"       \
         "%f = Reshape-1(%x, %flat) {special_zero = false}\n%y = ReLU-1(%f)\n" END(y)
#define BACKWARDS(sizes)                                                                           \
    ROWS "%to = Const-1 {value = i64" sizes "}\n%x = Reverse-1(%d, %c0) {mode = index}\n"          \
         "%f = Reshape-1(%x, %to) {special_zero = false}\n%y = ReLU-1(%f)\n" END(y)
    check_legal(STRIDED(4), "x view of d; f view of x");
    check_illegal(STRIDED(2), "x view of d; f view of x", "\"f\" view of \"x\"",
                  "no strides show what it reshapes (V2 strided-readers)");
    check_legal(BACKWARDS("[3] [8, 2, 2]"), "x view of d; f view of x");
    check_illegal(BACKWARDS("[1] [32]"), "x view of d; f view of x", "\"f\" view of \"x\"",
                  "no strides show what it reshapes (V2 strided-readers)");
}

static void turned_views(void **state)
{
    /* a window of what a transpose shows is written, and another one is read behind that */
    check_legal(ROWS COLUMNS TURNED
                "%a = Slice-8(%t, %c0, %c1, %c1)\n"
                "%r = SliceScatter-15(%t, %two, %c1, %c3, %c1)\n"
                "%w = ReduceSum-1(%r, %c0) {keep_dims = false}\n%y = Add-1(%a, %w)\n" END(y),
                "t view of d; a view of t; r overwrites t");
    check_illegal(ROWS COLUMNS TURNED
                  "%a = Slice-8(%t, %c2, %c3, %c1)\n"
                  "%r = SliceScatter-15(%t, %two, %c1, %c3, %c1)\n"
                  "%w = ReduceSum-1(%r, %c0) {keep_dims = false}\n%y = Add-1(%a, %w)\n" END(y),
                  "t view of d; a view of t; r overwrites t", "\"r\" overwrites \"t\"",
                  "\"y\" (Add-1) reads \"a\" after this is written over it (V1 "
                  "read-before-write)");
    /* beside a window of the operand itself it is known only that it may lie anywhere */
    check_illegal(ROWS COLUMNS TURNED "%a = Slice-8(%d, %c0, %c1, %c1, %c1)\n"
                                      "%r = SliceScatter-15(%t, %two, %c1, %c3, %c1)\n"
                                      "%w = ReduceSum-1(%r, %c0) {keep_dims = false}\n"
                                      "%y = Add-1(%a, %w)\n" END(y),
                  "t view of d; a view of d; r overwrites t", "\"r\" overwrites \"t\"",
                  "\"y\" (Add-1) reads \"a\" after this is written over it (V1 "
                  "read-before-write)");
    check_legal(ROWS "%s = Const-1 {value = i64[1] [-1]}\n"
                     "%f = Reshape-1(%d, %s) {special_zero = false}\n%y = ReLU-1(%f)\n" END(y),
                "f view of d");
}

/* What writes all of a view that shows all of d covers what was written over d before, however
 * often the view turned it; what writes all of a part does not. */
static void turned_twice(void **state)
{
#define WRITTEN_OVER                                                                               \
    "%a = Exp-1(%d)\n%e = ReLU-1(%a)\n%z = Tanh-1(%w)\n%r = SliceScatter-15(%w, %z, %c0, %c8, "    \
    "%c1)\n" END(e) END(r)
    static const char notes[] = "t view of d; w view of t; a overwrites d; r overwrites w; "
                                "z before a; e before r";
    static const char part[] = "t view of d; s view of t; w view of s; a overwrites d; "
                               "r overwrites w; z before a; e before r";

    check_legal(ROWS TURNED "%w = Transpose-1(%t, %swap)\n" WRITTEN_OVER, notes);
    check_illegal(ROWS TURNED "%s = Slice-8(%t" LO "%w = Transpose-1(%s, %swap)\n" WRITTEN_OVER,
                  part, "\"r\" overwrites \"w\"",
                  "\"a\" was already written over \"w\" (O5 one-overwriter)");
}

/* What is turned within a turn lies in what that shows: M, which is written over rows of T turned
 * back, is covered by these rows, and not by others. */
static void turned_within_a_turn(void **state)
{
#define WRITTEN_WITHIN(first, last)                                                                \
    ROWS TURNED "%s = Slice-8(%t, %c1, %c3, %c1)\n%w = Transpose-1(%s, %swap)\n"                   \
                "%new = Const-1 {value = f32[2,2] [1, 2, 3, 4]}\n"                                 \
                "%m = SliceScatter-15(%w, %new, %c2, %c4, %c1)\n%y = Exp-1(%m)\n"                  \
                "%c4 = Const-1 {value = i64[1] [4]}\n"                                             \
                "%r = SliceScatter-15(%t, %two, %" #first ", %" #last ", %c1)\n" END(y) END(r)
    static const char notes[] = "t view of d; s view of t; w view of s; m overwrites w; "
                                "r overwrites t; y before r";

    check_legal(WRITTEN_WITHIN(c1, c3), notes);
    check_illegal(WRITTEN_WITHIN(c2, c4), notes, "\"r\" overwrites \"t\"",
                  "\"m\" was already written over \"t\" (O5 one-overwriter)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views),          cmocka_unit_test(views_of_elements_that_are_several),
        cmocka_unit_test(views_of_views), cmocka_unit_test(reshaped_views),
        cmocka_unit_test(turned_views),   cmocka_unit_test(picked_row),
        cmocka_unit_test(turned_twice),   cmocka_unit_test(turned_within_a_turn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
