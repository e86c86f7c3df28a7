/* The checker of storage notes: values that are computed in their part of what holds them. */
#include "claims.h"
#include "unit.h"

/* a and b are the halves of c, f32[4,4]; d has eight rows. */
#define HALVES                                                                                     \
    "%x = Parameter-1 {element_type = f32, shape = [2,4]}\n"                                       \
    "%u = Parameter-1 {element_type = f32, shape = [2,4]}\n"                                       \
    "%data = Parameter-1 {element_type = f32, shape = [8,4]}\n"                                    \
    "%c0 = Const-1 {value = i64[1] [0]}\n"                                                         \
    "%c1 = Const-1 {value = i64[1] [1]}\n"                                                         \
    "%c2 = Const-1 {value = i64[1] [2]}\n"                                                         \
    "%c4 = Const-1 {value = i64[1] [4]}\n"                                                         \
    "%both = Const-1 {value = i64[2] [0, 1]}\n"                                                    \
    "%d = Tanh-1(%data)\n"                                                                         \
    "%a = Exp-1(%x)\n"                                                                             \
    "%b = Abs-1(%u)\n"
#define C "%c = Concat-1(%a, %b) {axis = 0}\n"
#define R "%r = SliceScatter-15(%d, %c, %c0, %c4, %c1)\n"
#define END(v) "%end_" #v " = Result-1(%" #v ")\n"

static void parts(void **state)
{
    check_legal(HALVES C END(c), "a into c; b into c");
    check_legal(HALVES C END(c), "b into c");
    /* read where it stands, before and after the whole is made */
    check_legal(HALVES "%z = Exp-1(%a)\n" C
                       "%q = Add-1(%c, %d4)\n%d4 = Slice-8(%d, %c0, %c4, %c1)\n"
                       "%y = Add-1(%a, %z)\n" END(y) END(q),
                "a into c; b into c; c before y; d4 view of d");
    /* one value twice stands in its first part */
    check_legal(HALVES "%c = Concat-1(%a, %b, %a) {axis = 0}\n" END(c), "a into c; b into c");
    check_illegal(HALVES "%c = Concat-1(%a, %b) {axis = 0}\n%z = Exp-1(%u)\n" END(z) END(c),
                  "z into c", "\"z\" into \"c\"",
                  "its part is not known before the run (N2 checks-first)");
    check_illegal(HALVES "%n = NonZero-3(%x)\n%m = Convert-1(%n) {destination_type = f32}\n"
                         "%k = Transpose-1(%m, %turn)\n%turn = Const-1 {value = i64[2] [1, 0]}\n"
                         "%e = Abs-1(%u2)\n%u2 = Parameter-1 {element_type = f32, shape = [1,2]}\n"
                         "%c = Concat-1(%k, %e) {axis = 0}\n" END(c),
                  "e into c", "\"e\" into \"c\"",
                  "its part is not known before the run (N2 checks-first)");
    check_illegal(HALVES "%c = Concat-1(%x, %b) {axis = 0}\n" END(c), "x into c",
                  "\"x\" into \"c\"", "its kernel does not write all elements where they belong");
    check_illegal(HALVES "%m = Convert-1(%x) {destination_type = i4}\n"
                         "%c = Concat-1(%m, %m) {axis = 0}\n" END(c),
                  "m into c", "\"m\" into \"c\"",
                  "its part may not begin and end on whole bytes (O12 whole-byte-window)");
    check_illegal(HALVES C END(b), "a into c; b into c", "\"b\" into \"c\"",
                  "what it is computed into does not run");
}

#define OPEN                                                                                       \
    "%x = Parameter-1 {element_type = f32, shape = [?,4]}\n"                                       \
    "%y = Parameter-1 {element_type = f32, shape = [?,4]}\n"                                       \
    "%a = Exp-1(%x)\n"                                                                             \
    "%b = Abs-1(%y)\n"                                                                             \
    "%c = Concat-1(%a, %b) {axis = 0}\n"

/* Parts of sizes that the run begins with: those of two operands do not meet, and nothing else is
 * known of where they lie. */
static void open_parts(void **state)
{
    check_legal(OPEN END(c), "a into c; b into c");
    check_legal(OPEN "%z = Tanh-1(%a)\n" END(c) END(z), "a into c; b into c; b before z");
    check_legal(OPEN "%e = Tanh-1(%y)\n%f = Concat-1(%c, %e) {axis = 0}\n" END(f),
                "a into c; b into c; c into f; e into f");
    check_legal(OPEN "%t = Tile-1(%c, %n)\n%n = Const-1 {value = i64[2] [2, 1]}\n" END(t),
                "a into c; b into c; c into t");
    /* z stands over a, which c shows */
    check_illegal(OPEN "%z = Exp-1(%a)\n%f = Concat-1(%z, %b) {axis = 0}\n" END(c) END(f),
                  "a into c; b into c; z overwrites a", "\"z\" overwrites \"a\"",
                  "\"end_c\" (Result-1) reads \"c\" after this is written over it (O4 "
                  "not-read-at-end)");
    /* a row of b may be any row of c, but none of a */
    check_legal(OPEN "%q = Slice-8(%b, %c0, %c1, %c1)\n%c0 = Const-1 {value = i64[1] [0]}\n"
                     "%c1 = Const-1 {value = i64[1] [1]}\n%z = Exp-1(%q)\n" END(c) END(z),
                "a into c; b into c; q view of b; z before a");
    /* the margins of a Pad cut, or are not known */
    check_illegal(OPEN "%p = Pad-12(%c, %m, %m) {pad_mode = \"constant\"}\n"
                       "%m = Const-1 {value = i64[2] [-1, 1]}\n" END(p),
                  "c into p", "\"c\" into \"p\"",
                  "its part is not known before the run (N2 checks-first)");
    check_illegal(OPEN "%p = Pad-12(%c, %m, %m) {pad_mode = \"constant\"}\n"
                       "%m = Parameter-1 {element_type = i64, shape = [2]}\n" END(p),
                  "c into p", "\"c\" into \"p\"",
                  "its part is not known before the run (N2 checks-first)");
}

/* A node that holds its first operand alone: a Pad, a Broadcast, a Tile. */
static void parts_of_one(void **state)
{
    check_legal(HALVES "%p = Pad-12(%a, %both, %both) {pad_mode = \"edge\"}\n" END(p), "a into p");
    check_legal(HALVES "%p = Tile-1(%a, %both1)\n%both1 = Const-1 {value = i64[2] [3, 2]}\n" END(p),
                "a into p");
    check_legal(HALVES "%n = Const-1 {value = i64[3] [3, 2, 4]}\n%p = Broadcast-3(%a, %n)\n" END(p),
                "a into p");
    check_legal(HALVES "%p = Pad-12(%a, %both, %both) {pad_mode = \"constant\"}\n"
                       "%w = Concat-1(%p, %p) {axis = 0}\n" END(w),
                "a into p; p into w");
    /* only the first operand stands in the result */
    check_illegal(HALVES "%v = Abs-1(%c0)\n%n = Const-1 {value = i64[1] [3]}\n"
                         "%p = Pad-12(%c0, %n, %n, %v) {pad_mode = \"constant\"}\n" END(p),
                  "v into p", "\"v\" into \"p\"",
                  "its part is not known before the run (N2 checks-first)");
    check_illegal(HALVES "%n = Const-1 {value = i64[2] [0, -1]}\n"
                         "%p = Pad-12(%a, %n, %n) {pad_mode = \"constant\"}\n" END(p),
                  "a into p", "\"a\" into \"p\"",
                  "what holds it shows it elsewhere (I1 same-window)");
    check_illegal(HALVES "%n = Parameter-1 {element_type = i64, shape = [2]}\n"
                         "%p = Pad-12(%a, %n, %n) {pad_mode = \"constant\"}\n" END(p),
                  "a into p", "\"a\" into \"p\"",
                  "its part is not known before the run (N2 checks-first)");
    check_illegal(HALVES "%n = Const-1 {value = i64[3] [2, 4, 4]}\n"
                         "%m = Const-1 {value = i64[2] [0, 1]}\n"
                         "%p = Broadcast-3(%a, %n, %m) {mode = \"explicit\"}\n" END(p),
                  "a into p", "\"a\" into \"p\"",
                  "what holds it shows it elsewhere (I1 same-window)");
}

/* What stands in a part is a reshape of what is computed. */
static void parts_reshaped(void **state)
{
    check_legal(HALVES "%p = Unsqueeze-1(%a, %c1)\n%q = Unsqueeze-1(%b, %c1)\n"
                       "%c = Concat-1(%p, %q) {axis = 1}\n" END(c),
                "a into c; p view of a; b into c; q view of b");
    check_illegal(HALVES "%p = Unsqueeze-1(%a, %c1)\n%q = Unsqueeze-1(%b, %c1)\n"
                         "%c = Concat-1(%p, %q) {axis = 1}\n" END(c),
                  "a into c; b into c; q view of b", "\"a\" into \"c\"",
                  "its part is not known before the run (N2 checks-first)");
    /* rows of four elements in parts of two */
    check_illegal(HALVES "%n = Const-1 {value = i64[3] [2, 2, 2]}\n"
                         "%p = Reshape-1(%a, %n) {special_zero = false}\n"
                         "%c = Concat-1(%p, %p) {axis = 2}\n" END(c),
                  "a into c; p view of a", "\"p\" view of \"a\"",
                  "no strides show what it reshapes (V2 strided-readers)");
    /* the reshape still shows what was written over */
    check_illegal(HALVES
                  "%p = Unsqueeze-1(%a, %c1)\n%q = Unsqueeze-1(%b, %c1)\n"
                  "%c = Concat-1(%p, %q) {axis = 1}\n%n = Const-1 {value = i64[3] [2, 1, 4]}\n"
                  "%u3 = Reshape-1(%u, %n) {special_zero = false}\n"
                  "%r = SliceScatter-15(%c, %u3, %c0, %c1, %c1, %c1)\n"
                  "%y = Exp-1(%p)\n" END(r) END(y),
                  "a into c; p view of a; r overwrites c; r before y", "\"r\" overwrites \"c\"",
                  "\"y\" (Exp-1) reads \"p\" after this is written over it (V1 "
                  "read-before-write)");
}

/* What is computed in a window may have other axes than the updates, if strides show it, and reads
 * the window where it writes. */
static void windows_reshaped(void **state)
{
#define RESHAPED                                                                                   \
    HALVES "%n = Const-1 {value = i64[3] [2, 2, 2]}\n%m = Const-1 {value = i64[2] [2, 4]}\n"       \
           "%e = Const-1 {value = i64[1] [-9]}\n%s = Const-1 {value = i64[1] [-1]}\n"
#define COMPUTED                                                                                   \
    "%q = Reshape-1(%k, %n) {special_zero = false}\n%y = Exp-1(%q)\n"                              \
    "%v = Reshape-1(%y, %m) {special_zero = false}\n"                                              \
    "%r = SliceScatter-15(%d, %v, %c0, %c2, %c1)\n" END(r)
    check_legal(RESHAPED "%k = Slice-8(%d, %c0, %c2, %c1)\n" COMPUTED,
                "k view of d; q view of k; y into r; v view of y; r overwrites d");
    /* from the last row to the first */
    check_illegal(RESHAPED "%k = Slice-8(%d, %c1, %e, %s)\n" COMPUTED,
                  "k view of d; q view of k; y into r; v view of y; r overwrites d",
                  "\"y\" into \"r\"",
                  "it reads other positions of \"q\" than the one it writes (I1 same-window)");
    /* two columns are no row */
    check_illegal(HALVES "%w = Parameter-1 {element_type = f32, shape = [16]}\n%y = Exp-1(%w)\n"
                         "%n = Const-1 {value = i64[2] [8, 2]}\n"
                         "%v = Reshape-1(%y, %n) {special_zero = false}\n"
                         "%r = SliceScatter-15(%d, %v, %c0, %c2, %c1, %c1)\n" END(r),
                  "y into r; v view of y; r overwrites d; d before y", "\"v\" view of \"y\"",
                  "no strides show what it reshapes (V2 strided-readers)");
}

/* What is held with other axes has its parts still, and what turns one of them shows no other. */
static void parts_turned(void **state)
{
#define PADDED                                                                                     \
    HALVES C "%n = Const-1 {value = i64[1] [16]}\n%p = Reshape-1(%c, %n) {special_zero = false}\n" \
             "%e = Pad-12(%p, %c0, %c1) {pad_mode = constant}\n"                                   \
             "%swap = Const-1 {value = i64[2] [1, 0]}\n%t = Transpose-1(%a, %swap)\n"              \
             "%y = Exp-1(%t)\n" END(e) END(y)
    check_legal(PADDED, "a into c; b into c; c into e; p view of c; t view of a; a before b; "
                        "b before y");
}

/* An element of a part that is read must stand in that part. */
static void reading_parts(void **state)
{
    /* the whole is written over while a part is read, */
    check_illegal(HALVES C
                  "%r = SliceScatter-15(%c, %u, %c0, %c2, %c1)\n%y = Add-1(%a, %u)\n" END(r) END(y),
                  "a into c; r overwrites c; r before y", "\"r\" overwrites \"c\"",
                  "\"y\" (Add-1) reads \"a\" after this is written over it (I5 sole-consumer)");
    /* elsewhere that does no harm; */
    check_legal(HALVES C "%r = SliceScatter-15(%c, %u, %c2, %c4, %c1)\n%y = Add-1(%a, %u)\n" END(r)
                    END(y),
                "a into c; r overwrites c; r before y");
    /* a part is written over before the whole is made */
    check_illegal(HALVES C "%e = SliceScatter-15(%a, %u, %c0, %c2, %c1)\n" END(c) END(e),
                  "a into c; e overwrites a; e before c", "\"e\" overwrites \"a\"",
                  "\"c\" (Concat-1) reads \"a\" after this is written over it (I5 sole-consumer)");
}

/* Parts are in a value that stands in a window of another buffer. */
static void parts_of_windows(void **state)
{
    check_legal(HALVES C R END(r), "a into c; b into c; c into r; r overwrites d; d before a; d "
                                   "before b");
    check_legal(HALVES C "%e = Concat-1(%c, %x) {axis = 0}\n" END(e),
                "a into c; b into c; c into e");
    check_illegal(HALVES C R END(r), "a into c; c into r; r overwrites d; a before d",
                  "\"a\" into \"c\"",
                  "\"d\", input 0 of the SliceScatter, is made later (N1 content-made-first)");
    check_illegal(HALVES "%n = Add-1(%c2, %c2)\n" C
                         "%r = SliceScatter-15(%d, %c, %c0, %n, %c1)\n" END(r),
                  "a into c; c into r; r overwrites d; d before a; a before n", "\"a\" into \"c\"",
                  "\"n\", input 3 of the SliceScatter, is made later (N2 checks-first)");
    /* what stood in the window is still read */
    check_illegal(HALVES
                  "%m = ReduceMax-1(%a, %both) {keep_dims = true}\n%z = Add-1(%d, %m)\n" C R END(r)
                      END(z),
                  "a into c; c into r; r overwrites d; d before a; z before c", "\"a\" into \"c\"",
                  "\"z\" (Add-1) reads \"d\" after this is written over it (I5 sole-consumer)");
    /* the node of the whole reads of the buffer what it writes over */
    check_illegal(
        HALVES "%k = Slice-8(%d, %c1, %c4, %c1)\n%c = Concat-1(%a, %k) {axis = 0}\n"
               "%e = Const-1 {value = i64[1] [5]}\n"
               "%r = SliceScatter-15(%d, %c, %c0, %e, %c1)\n" END(r),
        "k view of d; c into r; r overwrites d", "\"c\" into \"r\"",
        "it reads other positions of \"k\" than the one it writes (I4 no-broadcast-of-window)");
    /* the part is erased when the scatter does not have the buffer */
    check_illegal(HALVES C R END(r), "a into c; c into r", "\"c\" into \"r\"",
                  "the SliceScatter does not write over its data");
}

/* A scatter writes over a slice of D, which is written back where it came from. */
#define NESTED                                                                                     \
    HALVES "%c3 = Const-1 {value = i64[1] [3]}\n%row = Const-1 {value = f32[1,4] [9, 8, 7, 6]}\n"  \
           "%x1 = Slice-8(%d, %c1, %c4, %c1)\n"                                                    \
           "%n = SliceScatter-15(%x1, %row, %c0, %c1, %c1)\n"

static void windows_in_windows(void **state)
{
    check_legal(NESTED "%r = SliceScatter-15(%d, %n, %c1, %c4, %c1)\n" END(r),
                "x1 view of d; n overwrites x1; r overwrites d");
    /* another window: the scatter keeps a row that is written in the slice */
    check_illegal(NESTED "%m = SliceScatter-15(%x1, %row, %c2, %c3, %c1)\n"
                         "%r = SliceScatter-15(%d, %m, %c0, %c3, %c1)\n" END(r),
                  "x1 view of d; m overwrites x1; r overwrites d", "\"r\" overwrites \"d\"",
                  "\"m\" was already written over \"d\" (O5 one-overwriter)");
    /* the slice as it was is still read */
    check_illegal(NESTED "%r = SliceScatter-15(%d, %n, %c1, %c4, %c1)\n%z = Add-1(%x1, %n)\n" END(r)
                      END(z),
                  "x1 view of d; n overwrites x1; r overwrites d", "\"n\" overwrites \"x1\"",
                  "\"z\" (Add-1) reads \"x1\" after this is written over it (V1 "
                  "read-before-write)");
}

/* The window of the slice is known in no run beforehand, but it is the scatter's own. */
#define UNKNOWN                                                                                    \
    HALVES "%p = Parameter-1 {element_type = i64, shape = [1]}\n"                                  \
           "%q = Parameter-1 {element_type = i64, shape = [1]}\n"                                  \
           "%row = Const-1 {value = f32[1,4] [9, 8, 7, 6]}\n"                                      \
           "%zero = Const-1 {value = i64[] 0}\n%x1 = Slice-8(%d, %p, %c4, %c1)\n"                  \
           "%n = ScatterUpdate-3(%x1, %q, %row, %zero)\n"

static void windows_in_unknown_windows(void **state)
{
    const char *notes = "x1 view of d; n overwrites x1; r overwrites d";

    check_legal(UNKNOWN "%r = SliceScatter-15(%d, %n, %p, %c4, %c1)\n" END(r), notes);
    /* what holds others is made in a window of it */
    check_legal(UNKNOWN C "%r = SliceScatter-15(%x1, %c, %c0, %c4, %c1)\n" END(r),
                "x1 view of d; a into c; b into c; c into r; r overwrites x1; x1 before a; "
                "x1 before b");
    check_legal(UNKNOWN "%m = SliceScatter-15(%n, %row, %c0, %c1, %c1)\n"
                        "%r = SliceScatter-15(%d, %m, %p, %c4, %c1)\n" END(r),
                "x1 view of d; n overwrites x1; m overwrites n; r overwrites d");
    /* the slice beside it is read behind the write, and one that is not beside it */
    check_legal(UNKNOWN "%z = Slice-8(%d, %c0, %p, %c1)\n%y = Exp-1(%z)\n" END(n) END(y),
                "x1 view of d; n overwrites x1; z view of d; n before y");
    check_illegal(UNKNOWN "%z = Slice-8(%d, %c0, %q, %c1)\n%y = Exp-1(%z)\n" END(n) END(y),
                  "x1 view of d; n overwrites x1; z view of d; n before y",
                  "\"n\" overwrites \"x1\"",
                  "\"y\" (Exp-1) reads \"z\" after this is written over it (V1 read-before-write)");
    /* some other window: what was read there would have to be the old data */
    check_illegal(UNKNOWN "%r = SliceScatter-15(%d, %n, %q, %c4, %c1)\n" END(r), notes,
                  "\"r\" overwrites \"d\"",
                  "\"n\" was already written over \"d\" (O5 one-overwriter)");
    check_illegal(UNKNOWN "%e = Exp-1(%n)\n%r = SliceScatter-15(%d, %e, %q, %c4, %c1)\n" END(r),
                  notes, "\"r\" overwrites \"d\"",
                  "\"n\" was already written over \"d\" (O5 one-overwriter)");
    check_illegal(UNKNOWN "%r = SliceScatter-15(%d, %n, %p, %c4, %c1)\n%z = Add-1(%x1, %n)\n" END(r)
                      END(z),
                  notes, "\"n\" overwrites \"x1\"",
                  "\"z\" (Add-1) reads \"x1\" after this is written over it (V1 "
                  "read-before-write)");
}

/* A tower of Concats is refused where it is higher than the pass would build it. */
static void nested_too_deep(void **state)
{
    enum { MOST = 24 };
    inlay_strbuf body = {0}, notes = {0};

    (void)state;
    inlay_strbuf_puts(&body, "%x = Parameter-1 {element_type = f32, shape = [1]}\n"
                             "%v0 = Concat-1(%x, %x) {axis = 0}\n");
    for (int i = 1; i <= MOST + 1; i++) {
        inlay_strbuf_printf(&body, "%%v%d = Concat-1(%%v%d, %%x) {axis = 0}\n", i, i - 1);
        inlay_strbuf_printf(&notes, "%sv%d into v%d", i > 1 ? "; " : "", i - 1, i);
        if (i < MOST)
            continue;
        inlay_strbuf_printf(&body, "%%end%d = Result-1(%%v%d)\n", i, i);
        if (i == MOST)
            check_legal(body.bytes, notes.bytes);
        else
            check_illegal(body.bytes, notes.bytes, "\"v0\" into \"v1\"",
                          "it is in more than 24 values (N15 nested-at-most)");
    }
    inlay_strbuf_free(&body);
    inlay_strbuf_free(&notes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts),
        cmocka_unit_test(open_parts),
        cmocka_unit_test(parts_of_one),
        cmocka_unit_test(parts_reshaped),
        cmocka_unit_test(windows_reshaped),
        cmocka_unit_test(parts_turned),
        cmocka_unit_test(reading_parts),
        cmocka_unit_test(parts_of_windows),
        cmocka_unit_test(windows_in_windows),
        cmocka_unit_test(nested_too_deep),
        cmocka_unit_test(windows_in_unknown_windows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
