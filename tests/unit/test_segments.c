/* Values that are sized by data: what follows such a value is planned as soon as the run knows its
 * size. The results are those of the reference, and so are the errors; what is planned lies in the
 * arena; instances come and go, and memory stays bounded. Models whose sizes are forgotten are
 * still the same function. */
#include "graphs.h"
#include "interp/exec/build/instance.h"
#include "interp/session.h"
#include "models.h"
#include "parser/parser.h"
#include "passes/passes.h"

#include <dirent.h>
#include <malloc.h>

/* Makes a list s of unknown length: the elements of x above zero. */
#define POSITIVE                                                                                   \
    "%x = Parameter-1 {element_type = f32, shape = [?]}\n"                                         \
    "%zero = Const-1 {value = f32[] 0}\n%o = Const-1 {value = i64[] 0}\n"                          \
    "%flat = Const-1 {value = i64[1] [-1]}\n"                                                      \
    "%is = Greater-1(%x, %zero)\n%n = NonZero-3(%is) {output_type = i64}\n"                        \
    "%at = Reshape-1(%n, %flat) {special_zero = false}\n%s = Gather-8(%x, %at, %o)\n"

static void test_what_follows(void **state)
{
    runner r = runner_of(POSITIVE "%y = Add-1(%s, %s)\n%sum = CumSum-3(%y, %o)\n"
                                  "%size = ShapeOf-3(%sum) {output_type = i64}\n"
                                  "%out = Result-1(%sum)\n%how = Result-1(%size)\n",
                         &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .poison = true});

    check_run(&r, OPERANDS("f32[4] 1 -2 3 4"), OPERANDS("f32[3] 2 8 16", "i64[1] 3"));
    check_run(&r, OPERANDS("f32[4] 1 2 3 4"), OPERANDS("f32[4] 2 6 12 20", "i64[1] 4"));
    check_run(&r, OPERANDS("f32[4] -1 -2 -3 -4"), OPERANDS("f32[0]", "i64[1] 0"));
    check_run(&r, OPERANDS("f32[0]"), OPERANDS("f32[0]", "i64[1] 0"));
    check_run(&r, OPERANDS("f32[1] 5"), OPERANDS("f32[1] 10", "i64[1] 1"));
    runner_free(&r);
}

/* Sizes are worked out by hand for 64 floats, all positive. The list of 512 bytes of the NonZero,
 * which is loose, lives at the border; behind it s and its square are alive together, 256 bytes
 * each, and the result leaves the run. Before the border is_positive lies in 64 bytes. */
static void test_arena_behind_non_zero(void **state)
{
    runner r = runner_of(POSITIVE "%q = Multiply-1(%s, %s)\n%e = SoftMax-8(%q) {axis = 0}\n"
                                  "%f = SoftMax-8(%e) {axis = 0}\n%m = Subtract-1(%f, %s)\n"
                                  "%out = Result-1(%m)\n",
                         &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED});
    inlay_tensor *x = inlay_tensor_new(INLAY_F32, 1, (int64_t[]){64}), *out;

    for (int64_t i = 0; i < 64; i++)
        inlay_tensor_set_f64(x, i, 1);
    assert_true(inlay_session_run(r.session, (const inlay_tensor *const *)&x, NULL, &out, r.diags));
    assert_true(stats_of(&r).arena_bytes >= 3 * 256);
    assert_true(stats_of(&r).arena_bytes <= 64 + 512 + 4 * 256);
    inlay_tensor_release(x);
    inlay_tensor_release(out);
    runner_free(&r);
}

/* Each of these makes v, whose size depends on elements; SIZE is the size of v for x = 3 1 3 2. */
static const struct sized {
    const char *name, *nodes, *size;
} sized[] = {
    {"NonZero", "%v = NonZero-3(%x) {output_type = i64}\n", "i64[2] 1 4"},
    {"Range", "%v = Range-4(%o, %k, %one) {output_type = i64}\n", "i64[1] 3"},
    {"Unique", "%v:4 = Unique-10(%x) {sorted = true}\n", "i64[1] 3"},
    {"TopK", "%v:2 = TopK-11(%x, %k) {axis = 0, mode = max, sort = value}\n", "i64[1] 3"},
    {"Slice", "%v = Slice-8(%x, %zeros, %ks, %ones)\n", "i64[1] 3"},
    {"Tile", "%v = Tile-1(%x, %ks)\n", "i64[1] 12"},
    {"Broadcast", "%v = Broadcast-3(%k, %ks) {mode = numpy}\n", "i64[1] 3"},
    {"Pad", "%v = Pad-1(%x, %ks, %zeros) {pad_mode = constant}\n", "i64[1] 7"},
    {"NonMaxSuppression",
     "%b = Const-1 {value = f32[1,2,4] [0, 0, 1, 1, 5, 5, 6, 6]}\n"
     "%sc = Const-1 {value = f32[1,1,2] [0.5, 0.25]}\n"
     "%v:3 = NonMaxSuppression-9(%b, %sc, %k) {output_type = i64}\n",
     "i64[2] 2 3"},
};

static void test_each_operation(void **state)
{
    for (size_t i = 0; i < sizeof sized / sizeof *sized; i++) {
        char body[2048];

        snprintf(body, sizeof body,
                 "%%x = Parameter-1 {element_type = f32, shape = [?]}\n"
                 "%%k = Parameter-1 {element_type = i64, shape = []}\n"
                 "%%o = Const-1 {value = i64[] 0}\n%%one = Const-1 {value = i64[] 1}\n"
                 "%%zeros = Const-1 {value = i64[1] [0]}\n%%ones = Const-1 {value = i64[1] [1]}\n"
                 "%%ks = Unsqueeze-1(%%k, %%zeros)\n%s"
                 "%%w = Add-1(%%v%s, %%v%s)\n%%u = Subtract-1(%%w, %%v%s)\n"
                 "%%size = ShapeOf-3(%%u) {output_type = i64}\n%%out = Result-1(%%size)\n",
                 sized[i].nodes, strchr(sized[i].nodes, ':') ? ":0" : "",
                 strchr(sized[i].nodes, ':') ? ":0" : "", strchr(sized[i].nodes, ':') ? ":0" : "");
        check_graph(body, OPERANDS("f32[4] 3 1 3 2", "i64[] 3"), OPERANDS(sized[i].size));
    }
}

/* One Loop has an output with as many parts as an input says, and the trips of a Loop behind it
 * depend on that output. */
static void test_loops_in_a_row(void **state)
{
    static const char loop[] = "body \"b\" {\n"
                               "%i = Parameter-1 {element_type = i64, shape = [1]}\n"
                               "%more = Const-1 {value = boolean[] true}\n"
                               "%a = Result-1(%i)\n%c = Result-1(%more)\n}\n"
                               "in none -> %i iteration\nout %c -> none condition\n";
    char body[4096];

    snprintf(
        body, sizeof body,
        "%%n = Parameter-1 {element_type = i64, shape = []}\n"
        "%%go = Const-1 {value = boolean[] true}\n%%o = Const-1 {value = i64[1] [0]}\n"
        "%%l:1 = Loop-5(%%n, %%go)\n%sout %%a -> 0 axis 0 start 0 end -1 stride 1 part_size 1\n"
        "%%s = ReduceSum-1(%%l, %%o) {keep_dims = false}\n"
        "%%m:1 = Loop-5(%%s, %%go)\n%sout %%a -> 0 axis 0 start 0 end -1 stride 1 part_size 1\n"
        "%%t = Add-1(%%m, %%m)\n%%out = Result-1(%%t)\n",
        loop, loop);
    check_graph(body, OPERANDS("i64[] 3"), OPERANDS("i64[3] 0 2 4"));
    check_graph(body, OPERANDS("i64[] 1"), OPERANDS("i64[0]"));
}

/* Buffers that are written over live over the border, in an input that is given away, and in a
 * variable. */
static void test_notes_over_the_border(void **state)
{
    runner r = runner_of("%data = Parameter-1 {element_type = i32, shape = [4]}\n"
                         "%k = Parameter-1 {element_type = i64, shape = []}\n"
                         "%o = Const-1 {value = i64[] 0}\n%one = Const-1 {value = i64[] 1}\n"
                         "%old = ReadValue-6(%data) {variable_id = \"v\", variable_type = i32, "
                         "variable_shape = [4]}\n"
                         "%two = Add-1(%old, %old) : i32[4] overwrites %old\n"
                         "%r = Range-4(%o, %k, %one) {output_type = i64}\n%u = Convert-1(%r) "
                         "{destination_type = i32}\n"
                         "%new = ScatterUpdate-3(%two, %r, %u, %o) : i32[4] overwrites %two\n"
                         "%save = Assign-6(%new) {variable_id = \"v\"}\n"
                         "%back = Gather-8(%new, %r, %o)\n%out = Result-1(%back)\n",
                         &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .poison = true});

    check_run(&r, OPERANDS("i32[4] 1 2 3 4", "i64[] 2"), OPERANDS("i32[2] 0 1"));
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 0 1 6 8");
    check_run(&r, OPERANDS("i32[4] 1 2 3 4", "i64[] 1"), OPERANDS("i32[1] 0"));
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 0 2 12 16");
    assert_int_equal(stats_of(&r).in_place_writes, 2);
    check_run_fails(&r, OPERANDS("i32[4] 1 2 3 4", "i64[] 5"), INLAY_INVALID, "\"new\"");
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 0 2 12 16");
    runner_free(&r);
}

/* A view of any size comes over the border with a tensor of its own: what dies behind the border is
 * not written over while the view shows it, the other way round. */
static void test_view_over_the_border(void **state)
{
    runner r = runner_of("%p = Parameter-1 {element_type = f32, shape = [4,2]}\n"
                         "%at = Parameter-1 {element_type = i64, shape = [1]}\n"
                         "%stop = Const-1 {value = i64[1] [-5]}\n"
                         "%back = Const-1 {value = i64[1] [-1]}\n"
                         "%d = Abs-1(%p)\n"
                         "%x = Slice-8(%d, %at, %stop, %back) : f32[..4,2] view of %d\n"
                         "%y = Subtract-1(%d, %x)\n%z = Abs-1(%y)\n%out = Result-1(%z)\n",
                         &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .poison = true});

    check_run(&r, OPERANDS("f32[4,2] 1 2 3 4 5 6 7 8", "i64[1] 3"),
              OPERANDS("f32[4,2] 6 6 2 2 2 2 6 6"));
    check_run(&r, OPERANDS("f32[4,2] 1 2 3 4 5 6 7 8", "i64[1] 0"),
              OPERANDS("f32[4,2] 0 0 2 2 4 4 6 6"));
    runner_free(&r);
}

/* Steps that are computed together, tile by tile: one reads such a view, and another one writes
 * over rows of the buffer that a later tile of the first shows. */
static void test_view_before_a_write(void **state)
{
    runner r = runner_of("%p = Parameter-1 {element_type = f32, shape = [4,2]}\n"
                         "%at = Parameter-1 {element_type = i64, shape = [1]}\n"
                         "%none = Const-1 {value = i64[1] [0]}\n"
                         "%stop = Const-1 {value = i64[2] [-5, 1]}\n"
                         "%back = Const-1 {value = i64[2] [-1, 1]}\n"
                         "%first = Const-1 {value = i64[1] [1]}\n"
                         "%second = Const-1 {value = i64[1] [2]}\n"
                         "%half = Const-1 {value = f32[] 0.5}\n"
                         "%d = Abs-1(%p)\n%start = Concat-1(%at, %none) {axis = 0}\n"
                         "%x = Slice-8(%d, %start, %stop, %back) : f32[..4,1] view of %d\n"
                         "%y = Multiply-1(%x, %half) : f32[..4,1] into %r\n"
                         "%r = SliceScatter-15(%d, %y, %first, %second, %first, %first) : f32[4,2] "
                         "overwrites %d\n"
                         "%z = Slice-8(%r, %none, %first, %first, %first) : f32[4,1] view of %r\n"
                         "%w = Multiply-1(%z, %z) : f32[4,1] into %s\n"
                         "%s = SliceScatter-15(%r, %w, %none, %first, %first, %first) : f32[4,2] "
                         "overwrites %r\n"
                         "%out = Result-1(%s)\n",
                         &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .poison = true});

    program_tile(r.program, 1);
    check_run(&r, OPERANDS("f32[4,2] 1 2 3 4 5 6 7 8", "i64[1] 3"),
              OPERANDS("f32[4,2] 1 3.5 9 2.5 25 1.5 49 0.5"));
    assert_int_equal(stats_of(&r).in_place_writes, 2);
    runner_free(&r);
}

/* The same without windows, in tiles of fused rows. */
static void test_view_before_a_fused_write(void **state)
{
    enum { N = 1 << 16 };
    runner r = runner_of("%p = Parameter-1 {element_type = f32, shape = [65536]}\n"
                         "%at = Parameter-1 {element_type = i64, shape = [1]}\n"
                         "%one = Const-1 {value = i64[1] [1]}\n"
                         "%last = Const-1 {value = i64[1] [65535]}\n"
                         "%end = Const-1 {value = i64[1] [65536]}\n"
                         "%d = Abs-1(%p)\n"
                         "%x = Slice-8(%d, %at, %last, %one) : f32[..65536] view of %d\n"
                         "%y = Abs-1(%x)\n"
                         "%s = Slice-8(%d, %one, %end, %one) : f32[65535] view of %d\n"
                         "%w = Subtract-1(%s, %y) : f32[65535] into %new\n"
                         "%new = SliceScatter-15(%d, %w, %one, %end, %one) : f32[65536] "
                         "overwrites %d\n%out = Result-1(%new)\n",
                         &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .poison = true});
    inlay_tensor *in[2], *out;

    in[0] = inlay_tensor_new(INLAY_F32, 1, (int64_t[]){N});
    in[1] = inlay_tensor_new(INLAY_I64, 1, (int64_t[]){1});
    for (int64_t i = 0; i < N; i++)
        inlay_tensor_set_f64(in[0], i, (double)i);
    inlay_tensor_set_i64(in[1], 0, 0);
    if (!inlay_session_run(r.session, (const inlay_tensor *const *)in, NULL, &out, r.diags))
        fail_msg("%s", inlay_diags_at(r.diags, 0)->text);
    for (int64_t i = 0; i < N; i++)
        assert_true(inlay_tensor_get_f64(out, i) == (i > 0));
    inlay_tensor_release(in[0]);
    inlay_tensor_release(in[1]);
    inlay_tensor_release(out);
    runner_free(&r);
}

/* What is computed in its part of a value stays there when that value comes behind the border. */
static void test_part_over_the_border(void **state)
{
    runner r = runner_of("%p = Parameter-1 {element_type = f32, shape = [3]}\n"
                         "%at = Parameter-1 {element_type = i32, shape = [2]}\n"
                         "%a = Add-1(%p, %p) : f32[3] into %t\n%n = NonZero-3(%at)\n"
                         "%axis = Const-1 {value = i64[] 0}\n%g = Gather-8(%a, %n, %axis)\n"
                         "%first = Result-1(%g)\n%once = Const-1 {value = i64[1] [1]}\n"
                         "%t = Tile-1(%a, %once)\n%out = Result-1(%t)\n",
                         &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .poison = true});

    check_run(&r, OPERANDS("f32[3] 1 2 3", "i32[2] 1 1"), OPERANDS("f32[1,2] 2 4", "f32[3] 2 4 6"));
    check_run(&r, OPERANDS("f32[3] 1 2 3", "i32[2] 0 1"), OPERANDS("f32[1,1] 4", "f32[3] 2 4 6"));
    runner_free(&r);
}

/* A value is made in a window, or in a part of what is, of data whose size only the run tells: the
 * border comes before it, so that nothing is copied. */
static void test_window_behind_the_border(void **state)
{
#define IN_A_WINDOW                                                                                \
    "%p = Parameter-1 {element_type = f32, shape = [3,2]}\n"                                       \
    "%at = Parameter-1 {element_type = i64, shape = [1]}\n"                                        \
    "%none = Const-1 {value = i64[1] [0]}\n%one = Const-1 {value = i64[1] [1]}\n"                  \
    "%two = Const-1 {value = i64[1] [2]}\n%once = Const-1 {value = i64[2] [1, 1]}\n"               \
    "%q = Const-1 {value = f32[3,1] [7, 8, 9]}\n%d = Abs-1(%p)\n"                                  \
    "%s = Slice-8(%d, %at, %two, %one, %one) : f32[3,..2] view of %d\n"
    static const char *const graphs[] = {
        IN_A_WINDOW "%y = Negative-1(%q) : f32[3,1] into %r\n"
                    "%r = SliceScatter-15(%s, %y, %none, %one, %one, %one) : f32[3,..2] "
                    "overwrites %s\n%z = Abs-1(%r)\n%out = Result-1(%z)\n",
        IN_A_WINDOW "%y = Negative-1(%q) : f32[3,1] into %t\n"
                    "%t = Tile-1(%y, %once) : f32[3,1] into %r\n"
                    "%r = SliceScatter-15(%s, %t, %none, %one, %one, %one) : f32[3,..2] "
                    "overwrites %s\n%z = Abs-1(%r)\n%out = Result-1(%z)\n"};

    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        runner r =
            runner_of(graphs[i], &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .poison = true});

        check_run(&r, OPERANDS("f32[3,2] 1 -2 3 4 5 6", "i64[1] 0"),
                  OPERANDS("f32[3,2] 7 2 8 4 9 6"));
        check_run(&r, OPERANDS("f32[3,2] 1 -2 3 4 5 6", "i64[1] 1"), OPERANDS("f32[3,1] 7 8 9"));
        assert_int_equal(stats_of(&r).copied_bytes, 0);
        runner_free(&r);
    }
}

static size_t in_use(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    return mallinfo2().uordblks;
#else
    return 0;
#endif
}

static inlay_tensor *run(runner *r, const inlay_tensor *x)
{
    inlay_tensor *out;

    inlay_diags_clear(r->diags);
    if (!inlay_session_run(r->session, &x, NULL, &out, r->diags))
        fail_msg("%s", inlay_diags_at(r->diags, 0)->text);
    return out;
}

#define TWO_BORDERS                                                                                \
    POSITIVE "%y = Exp-1(%s)\n%i = Greater-1(%y, %zero)\n%m = NonZero-3(%i) {output_type = i64}\n" \
             "%to = Reshape-1(%m, %flat) {special_zero = false}\n%z = Gather-8(%y, %to, %o)\n"     \
             "%sum = CumSum-3(%z, %o)\n%out = Result-1(%sum)\n"

/* A length grows by one in each run: after the first hundred runs no more memory is held. */
static void test_growing_length(void **state)
{
    const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED, .instances = 4};
    runner r = runner_of(TWO_BORDERS, &planned);
    runner reference = runner_of(TWO_BORDERS, &(inlay_exec_options){.mode = INLAY_EXEC_REFERENCE});
    int64_t runs = getenv("INLAY_SLOW") ? 300 : 1000;
    size_t before = 0;

    for (int64_t n = 0; n < runs; n++) {
        inlay_tensor *x = inlay_tensor_new(INLAY_F32, 1, &n), *a, *b;

        before = n == 100 ? in_use() : before;
        for (int64_t i = 0; i < n; i++)
            inlay_tensor_set_f64(x, i, i % 3 ? 0.25 : -1);
        a = run(&r, x);
        b = run(&reference, x);
        if (!inlay_tensor_equal(a, b))
            fail_msg("length %lld: not as the reference", (long long)n);
        inlay_tensor_release(x);
        inlay_tensor_release(a);
        inlay_tensor_release(b);
    }
    /* three segments of eight instances and frames, and arenas of a few values of 8,000 bytes */
    assert_true(in_use() < before + (300 << 10));
    runner_free(&r);
    runner_free(&reference);
}

/* There are more values sized by data in a row than there are segments: the rest is walked. */
static void test_many_borders(void **state)
{
    char body[200 * 2 * EXEC_SEGMENTS];
    size_t at;
    runner r;

    at = (size_t)snprintf(body, sizeof body, "%s%%y0 = Abs-1(%%s)\n", POSITIVE);
    for (int i = 0; i < 2 * EXEC_SEGMENTS; i++)
        at += (size_t)snprintf(body + at, sizeof body - at,
                               "%%n%d = NonZero-3(%%y%d) {output_type = i64}\n"
                               "%%f%d = Reshape-1(%%n%d, %%flat) {special_zero = false}\n"
                               "%%y%d = Gather-8(%%y%d, %%f%d, %%o)\n",
                               i + 1, i, i + 1, i + 1, i + 1, i, i + 1);
    snprintf(body + at, sizeof body - at, "%%out = Result-1(%%y%d)\n", 2 * EXEC_SEGMENTS);
    r = runner_of(body, &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .poison = true});
    for (int i = 0; i < 3; i++) {
        check_run(&r, OPERANDS("f32[4] 1 -2 3 4"), OPERANDS("f32[3] 1 3 4"));
        check_run(&r, OPERANDS("f32[4] 1 -2 -3 4"), OPERANDS("f32[2] 1 4"));
    }
    runner_free(&r);
}

/* In a body, a length is the same in each iteration, or another one in each. */
static void test_in_a_body(void **state)
{
    static const char body[] =
        "%%n = Const-1 {value = i64[] 40}\n%%go = Const-1 {value = boolean[] true}\n"
        "%%x = Parameter-1 {element_type = i64, shape = []}\n"
        "%%l:1 = Loop-5(%%n, %%go, %%x)\n"
        "body \"b\" {\n"
        "%%i = Parameter-1 {element_type = i64, shape = []}\n"
        "%%all = Parameter-1 {element_type = i64, shape = []}\n"
        "%%more = Const-1 {value = boolean[] true}\n"
        "%%o = Const-1 {value = i64[] 0}\n%%one = Const-1 {value = i64[] 1}\n"
        "%%axis = Const-1 {value = i64[1] [0]}\n"
        "%%to = Const-1 {value = i64[] 4}\n"
        "%%r = Range-4(%%o, %s, %%one) {output_type = i64}\n%%rr = Add-1(%%r, %%r)\n"
        "%%sum = ReduceSum-1(%%rr, %%axis) {keep_dims = false}\n%%next = Add-1(%%all, %%sum)\n"
        "%%a = Result-1(%%next)\n%%c = Result-1(%%more)\n}\n"
        "in none -> %%i iteration\nin 2 -> %%all\nout %%a -> 0\nout %%c -> none condition\n"
        "back %%a -> %%all\n%%out = Result-1(%%l)\n";
    char text[4096];

    snprintf(text, sizeof text, body, "%to");
    check_graph(text, OPERANDS("i64[] 0"), OPERANDS("i64[] 480")); /* 40 times 2 (0 + 1 + 2 + 3) */
    snprintf(text, sizeof text, body, "%i");
    check_graph(text, OPERANDS("i64[] 0"), OPERANDS("i64[] 19760")); /* the sum of i (i - 1) */
}

/* The sum of the numbers below i, and t. */
#define SUM                                                                                        \
    "%o = Const-1 {value = i64[] 0}\n%one = Const-1 {value = i64[] 1}\n"                           \
    "%axis = Const-1 {value = i64[1] [0]}\n%r = Range-4(%o, %i, %one) {output_type = i64}\n"       \
    "%s = ReduceSum-1(%r, %axis) {keep_dims = true}\n%b = Add-1(%s, %t)\n%a = Result-1(%b)\n"
#define NUMBER(name) "%" name " = Parameter-1 {element_type = i64, shape = []}\n"

/* What is made behind a size that the run finds out, is made in its part of what the loop joins,
 * and in its part of a Concat: nothing is copied. */
static void test_rooms_behind_a_size(void **state)
{
    runner r = runner_of(
        "%n = Const-1 {value = i64[] 3}\n%go = Const-1 {value = boolean[] true}\n" NUMBER(
            "x") "%l:1 = Loop-5(%n, %go, %x)\nbody \"b\" {\n" NUMBER("i")
            NUMBER("t") "%more = Const-1 {value = boolean[] true}\n" SUM "%c = Result-1(%more)\n}\n"
                        "in 2 -> %i\nin none -> %t iteration\nout %c -> none condition\n"
                        "out %a -> 0 axis 0 start 0 end -1 stride 1 part_size 1\n"
                        "%is = Greater-1(%x, %zero)\n%zero = Const-1 {value = i64[] 0}\n"
                        "%f:1 = If-8(%is, %x) : i64[1] into %both\n"
                        "then_body \"t\" {\n" NUMBER(
                            "i") "%t = Const-1 {value = i64[] 20}\n" SUM
                                 "}\nin 1 -> %i\nout %a -> 0\n"
                                 "else_body \"e\" {\n" NUMBER(
                                     "i") "%t = Const-1 {value = i64[] 30}\n" SUM
                                          "}\nin 1 -> %i\nout %a -> 0\n"
                                          "%last = Subtract-1(%x, %k) : i64[1] into %both\n%k = "
                                          "Const-1 {value = i64[1] [1]}\n"
                                          "%both = Concat-1(%f, %last) {axis = 0}\n%out = "
                                          "Result-1(%l)\n%two = Result-1(%both)\n",
        &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .poison = true});

    check_run(&r, OPERANDS("i64[] 4"), OPERANDS("i64[3] 6 7 8", "i64[2] 26 3"));
    assert_int_equal(stats_of(&r).copied_bytes, 0);
    check_run(&r, OPERANDS("i64[] 3"), OPERANDS("i64[3] 3 4 5", "i64[2] 23 2"));
    assert_int_equal(stats_of(&r).copied_bytes, 0);
    runner_free(&r);
}

/* Models whose inputs have lost their sizes */

/* Makes all sizes of inputs open; or, of the one model that has 1.5 GB of inputs, 10 of 1,000. */
static void change_sizes(inlay_graph *g, bool open, inlay_diags *d)
{
    for (int i = 0; i < g->n_params; i++) {
        const inlay_fact *f = &g->params[i]->out[0].fact;
        inlay_shape s = {.rank = f->rank};

        for (int k = 0; k < s.rank; k++)
            s.dim[k] = open                    ? inlay_dim_any()
                       : f->dims[k].lo == 1000 ? inlay_dim_of(10)
                                               : f->dims[k];
        if (!inlay_node_set_shape(g->params[i], "shape", &s, d))
            fail_msg("%s", model_messages(d));
    }
    if (!inlay_infer_graph(g, d))
        fail_msg("%s", model_messages(d));
}

/* Runs the static model by the reference, and the other one planned. */
static void check_model(const char *path)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    inlay_evaluator planned = inlay_planned_evaluator(NULL);
    inlay_verify_options o = {.trials = 2, .tolerance = {.rtol = 1e-4, .atol = 1e-5}};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_file(path, NULL, d), *open;
    inlay_verify_result result;

    if (!g)
        fail_msg("%s: %s", path, model_messages(d));
    change_sizes(g, false, d);
    open = inlay_graph_clone(g, d);
    assert_non_null(open);
    change_sizes(open, true, d);
    if (!inlay_run_passes(open, NULL, d) ||
        !inlay_verify(g, &reference, open, &planned, &o, &result, d))
        fail_msg("%s: %s", path, model_messages(d));
    if (result.verdict != INLAY_SAME)
        fail_msg("%s: %s", path, result.why);
    inlay_graph_free(g);
    inlay_graph_free(open);
    inlay_diags_free(d);
}

/* Checks FOLDER and the folders in it, no deeper than two. Returns how many models there are. */
static int check_folder(const char *folder, int depth)
{
    static const char *const endings[] = {".xml", ".inlay", ".json", ".onnx"};
    DIR *dir = opendir(folder);
    struct dirent *e;
    int n = 0;

    while (dir && (e = readdir(dir))) {
        char path[1200];
        const char *end = strrchr(e->d_name, '.');

        assert_true(snprintf(path, sizeof path, "%s/%s", folder, e->d_name) < (int)sizeof path);
        if (!end && depth < 2)
            n += check_folder(path, depth + 1);
        for (int i = 0; end && depth > 0 && i < 4; i++) {
            if (strcmp(end, endings[i]) == 0) {
                check_model(path);
                n++;
            }
        }
    }
    if (dir)
        closedir(dir);
    return n;
}

static void test_models(void **state)
{
    const char *root = getenv("ROOT");
    char models[1100];
    int n;

    snprintf(models, sizeof models, "%s/models", root ? root : ".");
    n = check_folder(models, 0);
    print_message("# %d models\n", n);
    assert_true(n >= 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_follows),
        cmocka_unit_test(test_arena_behind_non_zero),
        cmocka_unit_test(test_each_operation),
        cmocka_unit_test(test_loops_in_a_row),
        cmocka_unit_test(test_notes_over_the_border),
        cmocka_unit_test(test_view_over_the_border),
        cmocka_unit_test(test_view_before_a_write),
        cmocka_unit_test(test_view_before_a_fused_write),
        cmocka_unit_test(test_part_over_the_border),
        cmocka_unit_test(test_window_behind_the_border),
        cmocka_unit_test(test_growing_length),
        cmocka_unit_test(test_many_borders),
        cmocka_unit_test(test_in_a_body),
        cmocka_unit_test(test_rooms_behind_a_size),
        cmocka_unit_test(test_models),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
