/* The checker of storage notes: a note that states what it relies on states all of it, and nothing
 * that is not so. */
#include "claims.h"
#include "graphs.h"
#include "note_rows.h"
#include "parser/parser.h"

/* One of each kind; "data" keeps no condition. */
static const struct proof {
    const char *body, *claims;
} proofs[] = {
    /* a reader of the data, of a slice, of what stands in the window; another scatter */
    {ROWS "%z = Exp-1(%d)\n%r = SliceScatter-15(%d, %u" LO END(r) END(z),
     "r overwrites d {O3 z}; z before r"},
    {ROWS "%x = Slice-8(%d" LO "%z = Exp-1(%x)\n%r = SliceScatter-15(%d, %u" LO END(r) END(z),
     "x view of d; r overwrites d {V1 z}; z before r"},
    {ROWS "%x = Slice-8(%d" LO "%z = Exp-1(%x)\n%y = ReLU-1(%x)\n"
          "%r = SliceScatter-15(%d, %y" LO END(r) END(z),
     "x view of d; y into r {I1 x, N1 d, I5 z}; r overwrites d {}; z before y"},
    {ROWS "%r1 = SliceScatter-15(%d, %u" HI "%r = SliceScatter-15(%d, %u" LO END(r) END(r1),
     "r overwrites d {O5 r1}; r1 before r"},
    /* of two writes the first answers for a read, the other one comes after it */
    {ROWS "%z = Exp-1(%d)\n%r = SliceScatter-15(%d, %u" LO
          "%r2 = SliceScatter-15(%r, %u" MID END(r2) END(z),
     "r overwrites d {O3 z}; r2 overwrites r {}; z before r"},
    /* the node itself reads the same positions, or moves what it reads */
    {ROWS "%x = Slice-8(%d" LO "%y = ReLU-1(%x)\n%w = Exp-1(%y)\n"
          "%r = SliceScatter-15(%d, %w" LO END(r),
     "x view of d; y into r {I1 x, N1 d}; w into r {I3 y, N1 d}; r overwrites d {}"},
    {ROWS "%x = Slice-8(%d" LO "%r = SliceScatter-15(%d, %x" MID END(r),
     "x view of d; r overwrites d {O6 x}"},
    /* the rest of the data, and the numbers of the window */
    {ROWS "%r1 = SliceScatter-15(%d, %u" HI "%x = Slice-8(%r1" LO "%y = ReLU-1(%x)\n"
          "%r = SliceScatter-15(%r1, %y" LO END(r),
     "r1 overwrites d {}; x view of r1; y into r {I1 x, I9 r1}; r overwrites r1 {}"},
    {ROWS "%p = Parameter-1 {element_type = i64, shape = [1]}\n%at = Abs-1(%p)\n"
          "%x = Slice-8(%d, %at, %c8, %c1)\n%y = ReLU-1(%x)\n"
          "%r = SliceScatter-15(%d, %y, %at, %c8, %c1)\n" END(r),
     "x view of d; y into r {I1 x, N1 d, N2 at}; r overwrites d {}"},
    /* each part needs the rest of the data before it */
    {ROWS
     "%a = Exp-1(%data)\n%a1 = Slice-8(%a" LO "%b = Tanh-1(%a1)\n%s = Slice-8(%a" HI
     "%e = Abs-1(%s)\n%c = Concat-1(%b, %e) {axis = 0}\n"
     "%c6 = Const-1 {value = i64[1] [6]}\n%r = SliceScatter-15(%d, %c, %c0, %c6, %c1)\n" END(r),
     "a1 view of a; s view of a; b into c {N1 d}; e into c {N1 d}; c into r {N1 d}; "
     "r overwrites d {}; d before b; d before e"},
};

/* Where the ground number I of CLAIMS stands, as in `O3 z`; NULL: there are fewer. */
static char *ground_at(char *claims, int i)
{
    char *at = claims;

    for (bool inside = false; *at; at++) {
        inside = *at == '{' || (inside && *at != '}');
        if (inside && strchr("OVIN", *at) && strchr("{ ,", at[-1]) && i-- == 0)
            return at;
    }
    return NULL;
}

static void check_refused(const struct proof *p, const char *claims, const char *why)
{
    char text[1024];

    judge_claims(p->body, claims, text, sizeof text);
    if (!strstr(text, why))
        fail_msg("%s\n%s\nwanted: %s\nfound:  %s", p->body, claims, why, text);
}

static void stated_and_so(void **state)
{
    for (size_t i = 0; i < sizeof proofs / sizeof proofs[0]; i++)
        check_legal(proofs[i].body, proofs[i].claims);
}

/* Each ground is taken away in turn: the note is refused by its condition. */
static void missing(void **state)
{
    int n = 0;

    for (size_t i = 0; i < sizeof proofs / sizeof proofs[0]; i++) {
        char claims[1024], *at, node[64], wanted[160];

        for (int k = 0;; k++, n++) {
            snprintf(claims, sizeof claims, "%s", proofs[i].claims);
            at = ground_at(claims, k);
            if (!at)
                break;
            assert_int_equal(sscanf(at, "%*s %63[a-z0-9]", node), 1);
            snprintf(wanted, sizeof wanted, "it does not say that \"%s\" (", node);
            memset(at, ' ', strcspn(at, ",}"));
            check_refused(&proofs[i], claims, wanted);
        }
    }
    assert_true(n > 18);
}

/* "data", which reads nothing, is put beside the grounds of each note and in their place,
 * with each condition. */
static void not_so(void **state)
{
    static const char *const conditions[] = {"O3", "O5", "O6", "V1", "I1", "I3",
                                             "I5", "I9", "N1", "N2", "N7"};

    for (size_t i = 0; i < sizeof proofs / sizeof proofs[0]; i++) {
        for (size_t c = 0; c < sizeof conditions / sizeof conditions[0]; c++) {
            char claims[1024];
            const char *open = strchr(proofs[i].claims, '{');

            for (; open; open = strchr(open + 1, '{')) {
                snprintf(claims, sizeof claims, "%.*s%s data, %s",
                         (int)(open - proofs[i].claims) + 1, proofs[i].claims, conditions[c],
                         open + 1);
                check_refused(&proofs[i], claims, "it is not so that \"data\" (Parameter-1)");
            }
        }
    }
}

/* What is true, but is no ground of this note. */
static void superfluous(void **state)
{
    /* it reads other rows */
    check_illegal(ROWS "%x = Slice-8(%d" HI "%z = Exp-1(%x)\n%r = SliceScatter-15(%d, %u" LO END(r)
                      END(z),
                  "x view of d; r overwrites d {V1 z}; z before r", "\"r\" overwrites \"d\"",
                  "it is not so that \"z\" (Exp-1) reads the slice before (V1 read-before-write)");
    /* it reads the result */
    check_illegal(ROWS "%r = SliceScatter-15(%d, %u" LO "%z = Exp-1(%r)\n" END(z),
                  "r overwrites d {O3 z}", "\"r\" overwrites \"d\"",
                  "it is not so that \"z\" (Exp-1) reads the old data before (O3 no-later-read)");
    /* it asks for the shape */
    check_illegal(
        ROWS "%z = ShapeOf-3(%d)\n%r = SliceScatter-15(%d, %u" LO END(r) END(z),
        "r overwrites d {O3 z}; z before r", "\"r\" overwrites \"d\"",
        "it is not so that \"z\" (ShapeOf-3) reads the old data before (O3 no-later-read)");
    /* the name of another condition */
    check_illegal(ROWS "%z = Exp-1(%d)\n%r = SliceScatter-15(%d, %u" LO END(r) END(z),
                  "r overwrites d {O3 z, V1 z}; z before r", "\"r\" overwrites \"d\"",
                  "it is not so that \"z\" (Exp-1) reads the slice before (V1 read-before-write)");
    /* a view writes nothing */
    check_illegal(ROWS "%z = Exp-1(%d)\n%x = Slice-8(%d" LO "%y = Abs-1(%x)\n" END(y) END(z),
                  "x view of d {O3 z}", "\"x\" view of \"d\"",
                  "it is not so that \"z\" (Exp-1) reads the old data before (O3 no-later-read)");
}

/* What is stated makes nothing legal that is not. */
static void stated_in_vain(void **state)
{
    check_illegal(ROWS "%r = SliceScatter-15(%d, %u" LO "%z = Add-1(%d, %r)\n" END(z),
                  "r overwrites d {}", "\"r\" overwrites \"d\"",
                  "\"z\" (Add-1) reads \"d\" after this is written over it (O3 no-later-read)");
    check_illegal(ROWS "%r = SliceScatter-15(%d, %u" LO "%z = Add-1(%d, %r)\n" END(z),
                  "r overwrites d {O3 z}", "\"r\" overwrites \"d\"",
                  "it is not so that \"z\" (Add-1) reads the old data before (O3 no-later-read)");
}

#define LOOP(grounds)                                                                              \
    "graph \"t\" {\n%d = Parameter-1 {element_type = f32, shape = [8,4]}\n"                        \
    "%n = Const-1 {value = i64[] 5}\n%go = Const-1 {value = boolean[] true}\n"                     \
    "%l:2 = Loop-5(%n, %go, %d)\nbody \"b\" {\n"                                                   \
    "%c = Parameter-1 {element_type = f32, shape = [8,4]}\n"                                       \
    "%c0 = Const-1 {value = i64[1] [0]}\n%c1 = Const-1 {value = i64[1] [1]}\n"                     \
    "%c3 = Const-1 {value = i64[1] [3]}\n%yes = Const-1 {value = boolean[] true}\n"                \
    "%z = ReduceSum-1(%c, %c0)\n%p = Slice-8(%c, %c0, %c3, %c1)\n%q = Abs-1(%p)\n"                 \
    "%r = SliceScatter-15(%c, %q, %c0, %c3, %c1) : f32[8,4] overwrites %c " grounds                \
    "\n%on = Result-1(%yes)\n%o = Result-1(%r)\n%s = Result-1(%z)\norder %z before %r\n}\n"        \
    "in 2 -> %c\nout %on -> none condition\nout %o -> 0\nout %s -> 1\nback %o -> %c\n"             \
    "%e = Result-1(%l:0)\n%f = Result-1(%l:1)\n}\n"

/* TEXT is read, with a warning that has WHY in it, or without any. */
static void check_read(const char *text, const char *why)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_text("t", text, strlen(text), NULL, d);

    if (!g || (why ? inlay_diags_count(d) != 1 || !strstr(inlay_diags_at(d, 0)->text, why)
                   : inlay_diags_count(d) != 0))
        fail_msg("%s\nwanted: %s\nfound:  %s", text, why ? why : "",
                 inlay_diags_count(d) ? inlay_diags_at(d, 0)->text : "");
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* In a body: what the iteration before made. */
static void in_bodies(void **state)
{
    check_read(LOOP(""), NULL);
    check_read(LOOP("{N7 %z, N7 %p}"), NULL);
    check_read(LOOP("{N7 %p}"), "it does not say that \"z\" (ReduceSum-1) reads what the iteration "
                                "before made, before the write (N7 two-buffers)");
    check_read(
        LOOP("{N7 %z, N7 %p, O3 %z}"),
        "it is not so that \"z\" (ReduceSum-1) reads the old data before (O3 no-later-read)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_and_so),  cmocka_unit_test(missing),
        cmocka_unit_test(not_so),         cmocka_unit_test(superfluous),
        cmocka_unit_test(stated_in_vain), cmocka_unit_test(in_bodies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
