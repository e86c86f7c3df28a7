/* The checker of storage notes: what in-place-windows makes is accepted, every condition of the
 * catalogue broken by hand is found, and a claim that is accepted is true element by element. */
#include "claims.h"
#include "graphs.h"
#include "ir/shared.h"
#include "note_rows.h"

static void windows(void **state)
{
    /* the normal form */
    check_legal(ROWS "%x = Slice-8(%d" LO "%y = ReLU-1(%x)\n%z = Exp-1(%y)\n"
                     "%r = SliceScatter-15(%d, %z" LO END(r),
                "x view of d; y into r; z into r; r overwrites d");
    /* a parameter is protected by the executor */
    check_legal(ROWS "%r = SliceScatter-15(%data, %u" LO END(r), "r overwrites data");
    /* reads of rows that were not written */
    check_legal(ROWS "%x = Slice-8(%d" HI "%r = SliceScatter-15(%d, %u" LO "%part = Slice-8(%r" LO
                     "%z = Add-1(%x, %part)\n" END(z) END(r),
                "x view of d; r overwrites d");
    /* a later reader of a link that nobody writes over */
    check_legal(ROWS "%x = Slice-8(%d" LO "%y = ReLU-1(%x)\n%r = SliceScatter-15(%d, %y" LO
                     "%z = Add-1(%y, %k)\n%k = Slice-8(%r" HI END(z) END(r),
                "x view of d; y into r; r overwrites d");
    /* elementwise over any input */
    check_legal(ROWS "%r = Add-1(%data, %d)\n" END(r), "r overwrites d");
    check_legal(ROWS "%r = Add-1(%d, %d)\n" END(r), "r overwrites d");
    /* over a view: the other rows stay */
    check_legal(ROWS "%x = Slice-8(%d" LO "%y = ReLU-1(%x)\n%k = Slice-8(%d" HI
                     "%z = Add-1(%y, %k)\n" END(z),
                "x view of d; y overwrites x; k view of d");
}

static void readers(void **state)
{
    check_illegal(ROWS "%r = SliceScatter-15(%d, %u" LO "%z = Add-1(%d, %r)\n" END(z),
                  "r overwrites d", "\"r\" overwrites \"d\"",
                  "\"z\" (Add-1) reads \"d\" after this is written over it (O3 no-later-read)");
    /* the other reader stands after the write only because nobody ordered them */
    check_illegal(ROWS "%r = SliceScatter-15(%d, %u" LO "%z = Exp-1(%d)\n" END(r) END(z),
                  "r overwrites d", "\"r\" overwrites \"d\"",
                  "\"z\" (Exp-1) reads \"d\" after this is written over it (O3 no-later-read)");
    check_legal(ROWS "%r = SliceScatter-15(%d, %u" LO "%z = Exp-1(%d)\n" END(r) END(z),
                "r overwrites d; z before r");
    /* who asks for the shape looks at no element */
    check_legal(ROWS "%r = SliceScatter-15(%d, %u" LO "%s = ShapeOf-3(%d)\n" END(r) END(s),
                "r overwrites d; r before s");
    check_illegal(ROWS "%r = SliceScatter-15(%d, %u" LO END(d) END(r), "r overwrites d",
                  "\"r\" overwrites \"d\"",
                  "\"end_d\" (Result-1) reads \"d\" after this is written over it (O4 "
                  "not-read-at-end)");
    check_illegal(ROWS "%r = SliceScatter-15(%d, %u" LO "%r2 = SliceScatter-15(%d, %u" HI END(r)
                      END(r2),
                  "r overwrites d; r2 overwrites d", "\"r2\" overwrites \"d\"",
                  "\"r\" was already written over \"d\" (O5 one-overwriter)");
    check_illegal(ROWS "%r = Exp-1(%d)\n%r2 = Tanh-1(%d)\n" END(r) END(r2),
                  "r overwrites d; r2 overwrites d", "\"r\" overwrites \"d\"",
                  "\"r2\" (Tanh-1) reads \"d\" after this is written over it (O5 one-overwriter)");
    /* a chain, and a reader of its middle */
    check_illegal(ROWS "%r = SliceScatter-15(%d, %u" LO "%r2 = SliceScatter-15(%r, %u" MID
                       "%z = Add-1(%r, %r2)\n" END(z),
                  "r overwrites d; r2 overwrites r", "\"r2\" overwrites \"r\"",
                  "\"z\" (Add-1) reads \"r\" after this is written over it (O3 no-later-read)");
    /* steps: even rows do not meet odd ones, but they meet every third */
    check_legal(ROWS "%x = Slice-8(%d, %c1, %c8, %c2)\n%v = Slice-8(%data, %c0, %c8, %c2)\n"
                     "%r = SliceScatter-15(%d, %v, %c0, %c8, %c2)\n%z = Add-1(%x, %t)\n"
                     "%t = Slice-8(%r, %c0, %c8, %c2)\n" END(z),
                "x view of d; r overwrites d");
    check_illegal(ROWS "%x = Slice-8(%d, %c1, %c8, %c3)\n%v = Slice-8(%data, %c0, %c8, %c2)\n"
                       "%r = SliceScatter-15(%d, %v, %c0, %c8, %c2)\n%z = Add-1(%x, %t)\n"
                       "%t = Slice-8(%r" LO END(z),
                  "x view of d; r overwrites d", "\"r\" overwrites \"d\"",
                  "\"z\" (Add-1) reads \"x\" after this is written over it (V1 "
                  "read-before-write)");
}

static void writers(void **state)
{
    /* an index table that is written */
#define TABLE                                                                                      \
    "%data = Parameter-1 {element_type = i64, shape = [8]}\n%axis = Const-1 {value = i64[] 0}\n"   \
    "%u = Parameter-1 {element_type = i64, shape = [2]}\n%c0 = Const-1 {value = i64[1] [0]}\n"     \
    "%c2 = Const-1 {value = i64[1] [2]}\n%c1 = Const-1 {value = i64[1] [1]}\n"                     \
    "%d = Abs-1(%data)\n%i = Slice-8(%d, %c0, %c2, %c1)\n"
    check_illegal(
        TABLE "%r = ScatterUpdate-3(%d, %i, %u, %axis)\n" END(r), "i view of d; r overwrites d",
        "\"r\" overwrites \"d\"",
        "it reads other positions of \"i\" than the one it writes (O6 no-overlapping-operand)");
    check_legal(TABLE "%r = ScatterUpdate-3(%d, %i, %u, %axis)\n" END(r), "r overwrites d");
    check_illegal(TABLE "%r = ScatterUpdate-3(%d, %d, %data, %axis)\n" END(r), "r overwrites d",
                  "\"r\" overwrites \"d\"", "the data is also input 1 (O7 data-used-once)");
    /* the rows that the indices name are not known: any reader may be met */
    check_illegal(TABLE "%r = ScatterUpdate-3(%d, %c0, %c1, %axis)\n%k = Slice-8(%r, %c0, %c2, "
                        "%c1)\n%z = Add-1(%i, %k)\n" END(z),
                  "i view of d; r overwrites d", "\"r\" overwrites \"d\"",
                  "\"z\" (Add-1) reads \"i\" after this is written over it (V1 "
                  "read-before-write)");
    /* indices may name one position twice, a chain would be applied twice */
    check_illegal(TABLE
                  "%twice = Const-1 {value = i32[2] [2, 2]}\n%x = Gather-8(%d, %twice, %axis)\n"
                  "%y = Negative-1(%x)\n%r = ScatterUpdate-3(%d, %twice, %y, %axis)\n" END(r),
                  "y into r; r overwrites d", "\"y\" into \"r\"",
                  "only the result of a scatter of a window, or of what holds its operands, has a "
                  "window to compute in (I11 distinct-rows)");
    check_illegal(TABLE
                  "%twice = Const-1 {value = i32[2] [2, 2]}\n%x = Gather-8(%d, %twice, %axis)\n"
                  "%y = Negative-1(%x)\n" END(y),
                  "x view of d", "\"x\" view of \"d\"",
                  "this operation computes its output, it cannot be a view");
    check_illegal(
        ROWS "%x = Slice-8(%d" LO "%r = SliceScatter-15(%d, %x" DOWN END(r),
        "x view of d; r overwrites d", "\"r\" overwrites \"d\"",
        "it reads other positions of \"x\" than the one it writes (O6 no-overlapping-operand)");
    check_illegal(ROWS "%r = SliceScatter-15(%d, %d, %c0, %c8, %c1)\n" END(r), "r overwrites d",
                  "\"r\" overwrites \"d\"", "the data is also input 1 (O7 data-used-once)");
    /* the mirror of its own window */
    check_illegal(ROWS "%x = Slice-8(%d" LO
                       "%y = ReLU-1(%x)\n%r = SliceScatter-15(%d, %y" DOWN END(r),
                  "x view of d; y into r; r overwrites d", "\"y\" into \"r\"",
                  "it reads other positions of \"x\" than the one it writes (I1 same-window)");
    check_legal(ROWS "%x = Slice-8(%d" LO
                     "%y = ReLU-1(%x)\n%r = SliceScatter-15(%d, %y" DOWN END(r),
                "x view of d; r overwrites d");
    /* another operand, shifted */
    check_illegal(ROWS "%x = Slice-8(%d" LO "%k = Slice-8(%d" MID
                       "%y = Add-1(%x, %k)\n%r = SliceScatter-15(%d, %y" LO END(r),
                  "x view of d; k view of d; y into r; r overwrites d", "\"y\" into \"r\"",
                  "it reads other positions of \"k\" than the one it writes (I3 operands-in-step)");
    /* a row of the window, broadcast over it */
    check_illegal(
        ROWS "%x = Slice-8(%d" LO "%k = Slice-8(%d, %c0, %c1, %c1)\n"
             "%y = Subtract-1(%x, %k)\n%r = SliceScatter-15(%d, %y" LO END(r),
        "x view of d; k view of d; y into r; r overwrites d", "\"y\" into \"r\"",
        "it reads other positions of \"k\" than the one it writes (I4 no-broadcast-of-window)");
}

#define RANGE(step, reach)                                                                         \
    "%p = Parameter-1 {element_type = i64, shape = [1]}\n"                                         \
    "%to = Parameter-1 {element_type = i64, shape = []}\n"                                         \
    "%one = Const-1 {value = i64[] 1}\n%two = Const-1 {value = i64[] 2}\n"                         \
    "%reach = Const-1 {value = i64[] " reach                                                       \
    "}\n%end = Add-1(%p, %c3)\n%to_end = Add-1(%to, %reach)\n"                                     \
    "%x = Slice-8(%d, %p, %end, %c1)\n"                                                            \
    "%rows = Range-4(%to, %to_end, " step                                                          \
    ") {output_type = i64}\n%list = Unsqueeze-1(%rows, %one)\n"

/* Rows that move by one distance, within the buffer that they are in. */
static void moving(void **state)
{
    check_legal(ROWS "%x = Slice-8(%d" LO "%r = SliceScatter-15(%d, %x" MID END(r),
                "x view of d; r overwrites d");
    check_legal(ROWS "%x = Slice-8(%d" MID "%r = SliceScatter-15(%d, %x" LO END(r),
                "x view of d; r overwrites d");
    /* somebody needs them where they were */
    check_illegal(ROWS "%x = Slice-8(%d" LO "%r = SliceScatter-15(%d, %x" MID
                       "%z = Exp-1(%x)\n" END(r) END(z),
                  "x view of d; r overwrites d; r before z", "\"r\" overwrites \"d\"",
                  "\"z\" (Exp-1) reads \"x\" after this is written over it (V1 "
                  "read-before-write)");
    /* nobody knows where they are, but that all move as far as the first */
    check_legal(ROWS "%p = Parameter-1 {element_type = i64, shape = [1]}\n%q = Add-1(%p, %c3)\n"
                     "%x = Slice-8(%d, %p, %q, %c1)\n"
                     "%r = SliceScatter-15(%d, %x, %q, %p, %c1)\n" END(r),
                "x view of d; r overwrites d");
    check_illegal(
        ROWS "%p = Parameter-1 {element_type = i64, shape = [1]}\n"
             "%x = Slice-8(%d, %p, %c5, %c1)\n"
             "%r = SliceScatter-15(%d, %x, %p, %c5, %p)\n" END(r),
        "x view of d; r overwrites d", "\"r\" overwrites \"d\"",
        "it reads other positions of \"x\" than the one it writes (O6 no-overlapping-operand)");
    /* backwards, the first would be written over the last before this is read */
    check_illegal(
        ROWS "%p = Parameter-1 {element_type = i64, shape = [1]}\n"
             "%x = Slice-8(%d, %p, %c0, %down)\n"
             "%r = SliceScatter-15(%d, %x, %c5, %p, %down)\n" END(r),
        "x view of d; r overwrites d", "\"r\" overwrites \"d\"",
        "it reads other positions of \"x\" than the one it writes (O6 no-overlapping-operand)");
    /* nor rows that a Range names, if its step is that of the slice */
    check_legal(ROWS RANGE("%one", "3") "%r = ScatterNDUpdate-15(%d, %list, %x)\n" END(r),
                "x view of d; list view of rows; r overwrites d");
    check_illegal(
        ROWS RANGE("%two", "6") "%r = ScatterNDUpdate-15(%d, %list, %x)\n" END(r),
        "x view of d; list view of rows; r overwrites d", "\"r\" overwrites \"d\"",
        "it reads other positions of \"x\" than the one it writes (O6 no-overlapping-operand)");
    /* which rows are written more than once nobody knows, where they are added */
    check_illegal(
        ROWS RANGE("%one", "3") "%r = ScatterNDUpdate-15(%d, %list, %x) {reduction = sum}\n" END(r),
        "x view of d; list view of rows; r overwrites d", "\"r\" overwrites \"d\"",
        "it reads other positions of \"x\" than the one it writes (O6 no-overlapping-operand)");
    /* what is computed of them does not move */
    check_illegal(ROWS "%x = Slice-8(%d" LO
                       "%y = ReLU-1(%x)\n%r = SliceScatter-15(%d, %y" MID END(r),
                  "x view of d; y into r; r overwrites d", "\"y\" into \"r\"",
                  "it reads other positions of \"x\" than the one it writes (I1 same-window)");
}

static void computing_in_the_window(void **state)
{
    /* a division of whole numbers may end the run half way, when somebody can see the data */
#define DIVIDED(data, by, as)                                                                      \
    "%p = Parameter-1 {element_type = i32, shape = [8]}\n%a = Abs-1(%p)\n"                         \
    "%w = Parameter-1 {element_type = i32, shape = [2]}\n%k = Const-1 {value = i32[2] [1, 2]}\n"   \
    "%b = Const-1 {value = i64[1] [2]}\n%e = Const-1 {value = i64[1] [4]}\n"                       \
    "%s = Const-1 {value = i64[1] [1]}\n%x = Slice-8(%" data                                       \
    ", %b, %e, %s)\n%y = Divide-1(%x, %" by ")\n%r = SliceScatter-15(%" data                       \
    ", %y, %b, %e, %s)\n" END(r),                                                                  \
        as
    check_illegal(DIVIDED("p", "w", "x view of p; y into r; r overwrites p"), "\"y\" into \"r\"",
                  "\"y\" may fail when part of the window is written (I8 no-failure-midway)");
    check_legal(DIVIDED("p", "k", "x view of p; y into r; r overwrites p"));
    check_legal(DIVIDED("a", "w", "x view of a; y into r; r overwrites a"));
    check_illegal(ROWS "%x = Slice-8(%d" LO "%y = ReLU-1(%x)\n%z = Exp-1(%y)\n"
                       "%r = SliceScatter-15(%d, %z" LO END(y) END(r),
                  "x view of d; y into r; z into r; r overwrites d", "\"z\" into \"r\"",
                  "\"end_y\" (Result-1) reads \"y\" after this is written over it (I5 "
                  "sole-consumer)");
    check_illegal(ROWS "%y = ReLU-1(%u)\n%e = Exp-1(%d)\n%r = SliceScatter-15(%d, %y" LO
                       "%z = Add-1(%r, %e)\n" END(z),
                  "y into r; r overwrites d; y before e; d before y", "\"y\" into \"r\"",
                  "\"e\" (Exp-1) reads \"d\" after this is written over it (I5 sole-consumer)");
    check_illegal(ROWS "%y = ReLU-1(%u)\n%d2 = Exp-1(%d)\n%r = SliceScatter-15(%d2, %y" LO END(r),
                  "y into r; r overwrites d2; y before d2", "\"y\" into \"r\"",
                  "\"d2\", input 0 of the SliceScatter, is made later (N1 content-made-first)");
    check_illegal(ROWS "%x = Slice-8(%d" LO
                       "%y = CumSum-3(%x, %axis)\n%axis = Const-1 {value = i64[] [0]}\n"
                       "%r = SliceScatter-15(%d, %y" LO END(r),
                  "x view of d; y into r; r overwrites d; d before y", "\"y\" into \"r\"",
                  "it reads other positions of \"x\" than the one it writes (I2 pointwise)");
    check_illegal(ROWS "%y = ReLU-1(%u)\n%r = SliceScatter-15(%d, %y" LO END(r), "y into r",
                  "\"y\" into \"r\"", "the SliceScatter does not write over its data");
    check_illegal(ROWS "%y = ReLU-1(%u)\n%r = Exp-1(%y)\n" END(r), "y into r; r overwrites y",
                  "\"y\" into \"r\"",
                  "only the result of a scatter of a window, or of what holds its operands, has a "
                  "window to compute in");
    check_illegal(ROWS "%y = Convert-1(%u) {destination_type = f16}\n"
                       "%z = Convert-1(%y) {destination_type = f32}\n"
                       "%r = SliceScatter-15(%d, %z" LO END(r),
                  "y into r; z into r; r overwrites d; d before y", "\"y\" into \"r\"",
                  "its elements do not fit those of the window (I6 element-width)");
    check_illegal(ROWS "%k = Slice-8(%data, %c0, %c1, %c1)\n%y = ReLU-1(%k)\n%z = Add-1(%y, %u)\n"
                       "%r = SliceScatter-15(%d, %z" LO END(r),
                  "y into r; z into r; r overwrites d; d before y", "\"y\" into \"r\"",
                  "its shape is not proven to be the window's (I2 pointwise)");
    check_illegal(ROWS "%y = ReLU-1(%u)\n%z = Exp-1(%u)\n%r = SliceScatter-15(%d, %y" LO END(r)
                      END(z),
                  "z into r; r overwrites d; r before z", "\"z\" into \"r\"",
                  "what it would stand in runs before it");
    check_illegal(ROWS "%y = ReLU-1(%u)\n%r = SliceScatter-15(%d, %y" LO END(y),
                  "y into r; r overwrites d; d before y", "\"y\" into \"r\"",
                  "what it is computed into does not run");
    /* two chains for one window, the wrong one last */
    check_illegal(ROWS "%y = ReLU-1(%u)\n%z = Exp-1(%u)\n%r = SliceScatter-15(%d, %y" LO END(
                      r) "%keep = Result-1(%z)\n",
                  "y into r; z into r; r overwrites d; d before y; y before z; z before r",
                  "\"r\" overwrites \"d\"",
                  "\"z\" was already written over \"d\" (O5 one-overwriter)");
}

static void storage(void **state)
{
    check_illegal(
        "%a = Parameter-1 {element_type = f32, shape = [?,4]}\n"
        "%b = Parameter-1 {element_type = f32, shape = [?,4]}\n%r = Add-1(%a, %b)\n" END(r),
        "r overwrites a", "\"r\" overwrites \"a\"",
        "the two shapes are not proven equal (O1 same-type-and-shape)");
    check_illegal(ROWS "%r = Convert-1(%d) {destination_type = f16}\n" END(r), "r overwrites d",
                  "\"r\" overwrites \"d\"",
                  "their elements differ in size or type (O1 same-type-and-shape)");
    check_legal(ROWS "%r = Convert-1(%d) {destination_type = i32}\n" END(r), "r overwrites d");
    check_illegal(ROWS "%x = Convert-1(%d) {destination_type = f16}\n%y = Convert-1(%x) "
                       "{destination_type = f32}\n" END(y),
                  "x view of d", "\"x\" view of \"d\"",
                  "a view has the element type of what it views");
    check_illegal("%k = Const-1 {value = f32[2] [1, 2]}\n%r = ReLU-1(%k)\n" END(r),
                  "r overwrites k", "\"r\" overwrites \"k\"",
                  "\"k\" may not be written (O2 writable-buffer)");
    check_illegal("%k = Const-1 {value = f32[2,1] [1, 2]}\n"
                  "%axis = Const-1 {value = i64[1] [1]}\n%v = Squeeze-15(%k, %axis)\n"
                  "%r = ReLU-1(%v)\n" END(r),
                  "v view of k; r overwrites v", "\"r\" overwrites \"v\"",
                  "\"k\" may not be written (O2 writable-buffer)");
    check_illegal(ROWS "%m = MatMul-1(%d, %d) {transpose_b = true}\n" END(m), "m overwrites d",
                  "\"m\" overwrites \"d\"",
                  "this operation cannot write over an input (N13 named-operand)");
    check_illegal(ROWS "%r = ReLU-1(%d)\n" END(r), "r overwrites data", "\"r\" overwrites \"data\"",
                  "an operation writes over one of its inputs");
    check_illegal(ROWS "%r = SliceScatter-15(%d, %u" LO END(r), "r overwrites u",
                  "\"r\" overwrites \"u\"",
                  "a scatter writes over its data, input 0 (N13 named-operand)");
    check_illegal("%a = Parameter-1 {element_type = i4, shape = [2,8]}\n"
                  "%b = Const-1 {value = i64[2] [0, 1]}\n%e = Const-1 {value = i64[2] [2, 5]}\n"
                  "%s = Const-1 {value = i64[2] [1, 1]}\n%x = Slice-8(%a, %b, %e, %s)\n"
                  "%y = Convert-1(%x) {destination_type = f32}\n" END(y),
                  "x view of a", "\"x\" view of \"a\"",
                  "its rows do not begin and end on whole bytes (V4 whole-bytes)");
    check_illegal("%a = Parameter-1 {element_type = i4, shape = [8]}\n"
                  "%b = Const-1 {value = i64[1] [1]}\n%e = Const-1 {value = i64[1] [3]}\n"
                  "%d = Abs-1(%a)\n%x = Slice-8(%d, %b, %e, %b)\n%y = Abs-1(%x)\n"
                  "%r = SliceScatter-15(%d, %y, %b, %e, %b)\n" END(r),
                  "y into r; r overwrites d", "\"y\" into \"r\"",
                  "the window's rows do not begin and end on whole bytes (O12 whole-byte-window)");
    /* whole bytes in each row, but rows of a byte and a half */
    check_illegal("%a = Parameter-1 {element_type = i4, shape = [2,3]}\n"
                  "%z = Const-1 {value = i64[2] [1, 0]}\n"
                  "%e = Const-1 {value = i64[2] [2, 2]}\n%s = Const-1 {value = i64[2] [1, 1]}\n"
                  "%x = Slice-8(%a, %z, %e, %s)\n"
                  "%y = Convert-1(%x) {destination_type = f32}\n" END(y),
                  "x view of a", "\"x\" view of \"a\"",
                  "its rows do not begin and end on whole bytes (V4 whole-bytes)");
}

#define STATE                                                                                      \
    "%u = Parameter-1 {element_type = f32, shape = [2]}\n"                                         \
    "%s = ReadValue-6 {variable_id = \"s\", variable_type = f32, variable_shape = [8]}\n"          \
    "%b = Const-1 {value = i64[1] [2]}\n%e = Const-1 {value = i64[1] [4]}\n"                       \
    "%one = Const-1 {value = i64[1] [1]}\n%r = SliceScatter-15(%s, %u, %b, %e, %one)\n"            \
    "%axis = Const-1 {value = i64[1] [0]}\n"

static void variables(void **state)
{
    check_legal(STATE
                "%put = Assign-6(%r) {variable_id = \"s\"}\n%t = ReduceSum-1(%r, %axis)\n" END(t),
                "r overwrites s");
    /* through a view of all of it, as long as that is not turned round */
#define VIEWED(b, e, s)                                                                            \
    STATE "%vb = Const-1 {value = i64[1] [" #b "]}\n%ve = Const-1 {value = i64[1] [" #e "]}\n"     \
          "%vs = Const-1 {value = i64[1] [" #s "]}\n%all = Slice-8(%s, %vb, %ve, %vs)\n"           \
          "%r2 = SliceScatter-15(%all, %u, %b, %e, %one)\n"                                        \
          "%put = Assign-6(%r2) {variable_id = \"s\"}\n%t = ReduceSum-1(%r2, %axis)\n" END(t)
    check_legal(VIEWED(0, 8, 1), "all view of s; r2 overwrites all");
    check_illegal(VIEWED(-1, -9, -1), "all view of s; r2 overwrites all",
                  "\"r2\" overwrites \"all\"",
                  "\"put\" (Assign-6) assigns something else to variable \"s\" (O13 "
                  "result-survives)");
    check_illegal(STATE "%x = Parameter-1 {element_type = f32, shape = [8]}\n"
                        "%put = Assign-6(%x) {variable_id = \"s\"}\n" END(r),
                  "r overwrites s", "\"r\" overwrites \"s\"",
                  "\"put\" (Assign-6) assigns something else to variable \"s\" (O13 "
                  "result-survives)");
    check_illegal(STATE
                  "%put = Assign-6(%s) {variable_id = \"s\"}\n%t = ReduceSum-1(%r, %axis)\n" END(t),
                  "r overwrites s", "\"r\" overwrites \"s\"",
                  "\"put\" (Assign-6) reads \"s\" after this is written over it (O4 "
                  "not-read-at-end)");
    check_illegal(STATE "%other = Exp-1(%s)\n%put = Assign-6(%other) {variable_id = \"s\"}\n"
                        "%t = ReduceSum-1(%r, %axis)\n" END(t),
                  "r overwrites s; other before r", "\"r\" overwrites \"s\"",
                  "\"put\" (Assign-6) assigns something else to variable \"s\" (O13 "
                  "result-survives)");
    check_illegal(STATE "%t = ReduceSum-1(%r, %axis)\n" END(t), "r overwrites s",
                  "\"r\" overwrites \"s\"",
                  "nothing is assigned to variable \"s\", which is written (O2 writable-buffer)");
    /* two ReadValues of one variable are one buffer */
    check_illegal(STATE
                  "%s2 = ReadValue-6 {variable_id = \"s\", variable_type = f32, variable_shape = "
                  "[8]}\n%put = Assign-6(%r) {variable_id = \"s\"}\n%z = Add-1(%r, %s2)\n" END(z),
                  "r overwrites s", "\"r\" overwrites \"s\"",
                  "\"z\" (Add-1) reads \"s2\" after this is written over it (O3 no-later-read)");
    check_illegal(
        STATE "%q = ReadValue-6 {variable_id = \"q\", variable_type = f32, variable_shape = "
              "[8]}\n%put = Assign-6(%r) {variable_id = \"s\"}\n"
              "%put_q = Assign-6(%r) {variable_id = \"q\"}\n%z = ReduceSum-1(%q, %axis)\n" END(z),
        "r overwrites s", "\"r\" overwrites \"s\"",
        "\"put_q\" (Assign-6) would give away the buffer of variable \"s\" "
        "(O4 not-read-at-end)");
}

/* These starts and stops are known only at run time. */
#define DYNAMIC                                                                                    \
    "%d = Parameter-1 {element_type = f32, shape = [?,4]}\n"                                       \
    "%b = Parameter-1 {element_type = i64, shape = [1]}\n"                                         \
    "%e = Parameter-1 {element_type = i64, shape = [1]}\n"                                         \
    "%e2 = Parameter-1 {element_type = i64, shape = [1]}\n"                                        \
    "%one = Const-1 {value = i64[1] [1]}\n%again = Const-1 {value = i64[1] [1]}\n"                 \
    "%x = Slice-8(%d, %b, %e, %one)\n%y = ReLU-1(%x)\n"

static void dynamic_windows(void **state)
{
    check_legal(DYNAMIC "%r = SliceScatter-15(%d, %y, %b, %e, %again)\n" END(r),
                "x view of d; y into r; r overwrites d");
    check_illegal(DYNAMIC "%r = SliceScatter-15(%d, %y, %b, %e2, %one)\n" END(r),
                  "x view of d; y into r; r overwrites d", "\"y\" into \"r\"",
                  "it reads other positions of \"x\" than the one it writes (I1 same-window)");
    check_illegal(DYNAMIC "%r = SliceScatter-15(%d, %y, %b, %e, %one)\n%k = Slice-8(%d, %b, %e2, "
                          "%one)\n%m = Slice-8(%r, %b, %e2, %one)\n%z = Add-1(%k, %m)\n" END(z),
                  "x view of d; k view of d; r overwrites d; r before k", "\"r\" overwrites \"d\"",
                  "\"z\" (Add-1) reads \"k\" after this is written over it (V1 "
                  "read-before-write)");
    /* the window is not known yet when the updates are computed */
    check_illegal(DYNAMIC "%w = Add-1(%e, %e2)\n%w2 = ReLU-1(%y)\n"
                          "%r = SliceScatter-15(%d, %w2, %b, %w, %one)\n" END(r),
                  "w2 into r; r overwrites d; w2 before w", "\"w2\" into \"r\"",
                  "\"w\", input 3 of the SliceScatter, is made later (N2 checks-first)");
}

#define IF                                                                                         \
    "%c = Parameter-1 {element_type = boolean, shape = []}\n"                                      \
    "%i = If-8(%c, %d)\n"                                                                          \
    "then_body \"t\" {\n%p = Parameter-1 {element_type = f32, shape = [8,4]}\n"                    \
    "%q = ReLU-1(%p)\n%o = Result-1(%q)\n}\nin 1 -> %p\nout %o -> 0\n"                             \
    "else_body \"e\" {\n%p = Parameter-1 {element_type = f32, shape = [8,4]}\n"                    \
    "%o = Result-1(%p)\n}\nin 1 -> %p\nout %o -> 0\n"

static void bodies(void **state)
{
    inlay_graph *g = graph_of(ROWS IF END(i)), *body = inlay_graph_node(g, "i")->bodies[0].graph;
    inlay_diags *d = inlay_diags_new();

    /* the branch may hand %d through, so it is read to the end */
    check_illegal(ROWS IF "%r = SliceScatter-15(%d, %u" LO END(i) END(r),
                  "r overwrites d; i before r", "\"r\" overwrites \"d\"",
                  "\"i\" (If-8) reads \"d\" after this is written over it (B3 not-passed-through)");
    /* the branch may run after the write, and reads the state as it was before */
    check_illegal(STATE "%c = Parameter-1 {element_type = boolean, shape = []}\n"
                        "%put = Assign-6(%r) {variable_id = \"s\"}\n%i = If-8(%c)\n"
                        "then_body \"t\" {\n%q = ReadValue-6 {variable_id = \"s\", variable_type "
                        "= f32, variable_shape = [8]}\n%o = Result-1(%q)\n}\nout %o -> 0\n"
                        "else_body \"e\" {\n%q = Const-1 {value = f32[1] [1]}\n"
                        "%o = Result-1(%q)\n}\nout %o -> 0\n" END(i),
                  "r overwrites s", "\"r\" overwrites \"s\"",
                  "a body uses variable \"s\" (B5 variable-not-in-body)");
    set_claims(body, "q view of p");
    assert_true(inlay_drop_illegal_notes(g, d));
    assert_int_equal(inlay_diags_count(d), 1);
    assert_int_equal(inlay_diags_at(d, 0)->severity, INLAY_WARNING);
    assert_non_null(
        strstr(inlay_diags_at(d, 0)->text,
               "the storage note \"q\" view of \"p\" is dropped: this operation computes its "
               "output, it cannot be a view"));
    assert_int_equal(inlay_graph_node(body, "q")->out[0].note, INLAY_FRESH);
    inlay_diags_free(d);
    inlay_graph_free(g);
}

/* The grounds of a note may be that another one holds. */
static void dropped(void **state)
{
    inlay_graph *g = graph_of("%d = Parameter-1 {element_type = f32, shape = [8]}\n"
                              "%a = ReLU-1(%d)\n%b = Negative-1(%a)\n%c = Exp-1(%b)\n" END(c));
    const inlay_value *b = &inlay_graph_node(g, "b")->out[0];

    set_claims(g, "a view of d; b overwrites a {O3 a}");
    assert_non_null(b->grounds);
    assert_true(inlay_drop_illegal_notes(g, NULL));
    assert_int_equal(inlay_graph_node(g, "a")->out[0].note, INLAY_FRESH);
    assert_int_equal(b->note, INLAY_OVERWRITES);
    assert_null(b->grounds);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows),
        cmocka_unit_test(readers),
        cmocka_unit_test(writers),
        cmocka_unit_test(moving),
        cmocka_unit_test(computing_in_the_window),
        cmocka_unit_test(storage),
        cmocka_unit_test(variables),
        cmocka_unit_test(dynamic_windows),
        cmocka_unit_test(bodies),
        cmocka_unit_test(dropped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
