/* The planned executor: what it copies and what it does not. test_planned_random.c compares the
 * elements of many graphs. */
#include "graphs.h"
#include "interp/exec/run/ownership.h"

static const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED};

/* Returns a graph with N windows of ROWS rows, one after the other; each is read, computed on and
 * written back. */
static char *windows(int64_t rows, int64_t columns, int n, int per_window)
{
    size_t size = 4096 + (size_t)n * 1024, at;
    char *body = malloc(size), before[32] = "data";

    assert_non_null(body);
    at = (size_t)snprintf(body, size,
                          "%%data = Parameter-1 {element_type = f32, shape = [%lld,%lld]}\n"
                          "%%one = Const-1 {value = i64[1] [1]}\n"
                          "%%half = Const-1 {value = f32[] 0.5}\n",
                          (long long)rows, (long long)columns);
    for (int i = 0; i < n; i++) {
        at += (size_t)snprintf(body + at, size - at,
                               "%%b%d = Const-1 {value = i64[1] [%d]}\n"
                               "%%e%d = Const-1 {value = i64[1] [%d]}\n"
                               "%%x%d = Slice-8(%%%s, %%b%d, %%e%d, %%one)\n"
                               "%%y%d = Add-1(%%x%d, %%half)\n"
                               "%%r%d = SliceScatter-15(%%%s, %%y%d, %%b%d, %%e%d, %%one)\n",
                               i, i * per_window, i, (i + 1) * per_window, i, before, i, i, i, i, i,
                               before, i, i, i);
        snprintf(before, sizeof before, "r%d", i);
    }
    snprintf(body + at, size - at, "%%out = Result-1(%%%s)\n", before);
    return body;
}

static runner windows_of(int64_t rows, int64_t columns, int n, int per_window)
{
    char *body = windows(rows, columns, n, per_window);
    runner r = runner_of_noted(body);

    free(body);
    return r;
}

/* A window has 64 KiB in a donated tensor of 256 MiB. */
static void test_donated_tensor_is_not_copied(void **state)
{
    int64_t rows = getenv("INLAY_SLOW") ? 512 : 8192;
    runner r = windows_of(rows, 8192, 1, 2);
    inlay_tensor *data = inlay_tensor_new(INLAY_F32, 2, (int64_t[]){rows, 8192}), *out[1];
    const void *bytes = data->data;

    run_with(&r, (const inlay_tensor *const[]){data}, (bool[]){true}, out);
    assert_true(stats_of(&r).copied_bytes < 1 << 20);
    assert_true(stats_of(&r).peak_bytes < 1 << 20);
    assert_int_equal(stats_of(&r).in_place_writes, 1);
    assert_ptr_equal(out[0]->data, bytes);
    assert_true(inlay_tensor_get_f64(out[0], 0) == 0.5);
    assert_true(inlay_tensor_get_f64(out[0], 2 * 8192 - 1) == 0.5);
    assert_true(inlay_tensor_get_f64(out[0], 2 * 8192) == 0);
    inlay_tensor_release(data);
    inlay_tensor_release(out[0]);
    runner_free(&r);
}

static void test_kept_input_is_copied_once(void **state)
{
    static const int n[] = {1, 32};
    inlay_tensor *data = inlay_tensor_new(INLAY_F32, 2, (int64_t[]){64, 100});

    for (int i = 0; i < 2; i++) {
        runner r = windows_of(64, 100, n[i], 2);
        inlay_tensor *out[1];

        run_with(&r, (const inlay_tensor *const[]){data}, NULL, out);
        assert_int_equal(stats_of(&r).copied_bytes, 64 * 100 * 4);
        assert_int_equal(stats_of(&r).in_place_writes, n[i]);
        assert_true(inlay_tensor_get_f64(data, 0) == 0);
        assert_true(inlay_tensor_get_f64(out[0], 2 * 100 * (int64_t)n[i] - 1) == 0.5);
        inlay_tensor_release(out[0]);
        runner_free(&r);
    }
    inlay_tensor_release(data);
}

/* The reference copies every slice of the same graph, and the data and the updates of every
 * scatter. */
static void test_reference_counts_copies(void **state)
{
    char *body = windows(64, 100, 2, 2);
    runner r = runner_of(body, NULL);
    inlay_tensor *data = inlay_tensor_new(INLAY_F32, 2, (int64_t[]){64, 100}), *out[1];

    run_with(&r, (const inlay_tensor *const[]){data}, (bool[]){true}, out);
    assert_int_equal(stats_of(&r).copied_bytes, 2 * (2 + 64 + 2) * 100 * 4);
    assert_int_equal(stats_of(&r).in_place_writes, 0);
    assert_true(inlay_tensor_get_f64(data, 0) == 0);
    inlay_tensor_release(data);
    inlay_tensor_release(out[0]);
    free(body);
    runner_free(&r);
}

/* Operations that only move elements copy what they write; a reference to no bytes copies none. */
static void test_moves_are_counted(void **state)
{
    static const inlay_exec_mode modes[] = {INLAY_EXEC_REFERENCE, INLAY_EXEC_PLANNED};

    for (int i = 0; i < 2; i++) {
        runner r = runner_of("%x = Parameter-1 {element_type = i32, shape = [2]}\n"
                             "%i = Const-1 {value = i64[3] [1, 0, 1]}\n"
                             "%axis = Const-1 {value = i64[] 0}\n"
                             "%one = Const-1 {value = i64[1] [1]}\n"
                             "%two = Const-1 {value = i64[1] [2]}\n"
                             "%a = Gather-8(%x, %i, %axis)\n"                     /* 12 bytes */
                             "%b = Concat-1(%a, %x) {axis = 0}\n"                 /* 20 */
                             "%c = Pad-1(%b, %one, %two) {pad_mode = \"edge\"}\n" /* 32 */
                             "%d = Tile-1(%c, %two)\n"                            /* 64 */
                             "%e = Add-1(%d, %d)\n"
                             "%s = ShapeOf-3(%e)\n"
                             "%out = Result-1(%e)\n"
                             "%size = Result-1(%s)\n",
                             &(inlay_exec_options){.mode = modes[i]});

        check_run(&r, OPERANDS("i32[2] 1 2"),
                  OPERANDS("i32[16] 4 4 2 4 2 4 4 4 4 4 2 4 2 4 4 4", "i64[1] 16"));
        assert_int_equal(stats_of(&r).copied_bytes, 12 + 20 + 32 + 64);
        runner_free(&r);
    }
}

/* NODES move elements of x, i32[2,3], and write so many BYTES, counted by hand, whose values stood
 * in x. */
static const struct moving {
    const char *nodes;
    int bytes;
} moving[] = {
    {"%r = Slice-8(%x, %i, %j, %i, %i)\n", 2 * 1 * 4},
    {"%r = StridedSlice-1(%x, %i, %j, %i) {begin_mask = [0], end_mask = [0]}\n", 1 * 3 * 4},
    {"%r = GatherElements-6(%x, %k) {axis = 1}\n", 2 * 1 * 4},
    {"%r = GatherND-8(%x, %i)\n", 3 * 4},
    {"%s:3 = Split-1(%x, %a) {num_splits = 3}\n%r = Concat-1(%s:0, %s:2) {axis = 0}\n", 3 * 8 + 16},
    {"%s:2 = VariadicSplit-1(%x, %a, %l)\n%r = Abs-1(%s:1)\n", 8 + 16},
    {"%r = Broadcast-3(%x, %n)\n", 2 * 2 * 3 * 4},
    {"%r = Reverse-1(%x, %i) {mode = index}\n", 24},
    {"%r = ReverseSequence-1(%x, %l) {batch_axis = 0, seq_axis = 1}\n", 24},
    {"%r = Roll-7(%x, %i, %i)\n", 24},
    {"%m = Const-1 {value = i64[1] [6]}\n%r = Reshape-1(%x, %m) {special_zero = false}\n", 24},
    {"%q = Unsqueeze-1(%x, %i)\n%r = Squeeze-1(%q, %i)\n", 24 + 24},
    {"%p = Const-1 {value = i64[2] [1, 0]}\n%r = Transpose-1(%x, %p)\n", 24},
    {"%r = Convert-1(%x) {destination_type = i32}\n", 24},
    {"%r = ConvertLike-1(%x, %x)\n", 24},
    {"%r = Convert-1(%x) {destination_type = i64}\n", 0}, /* computed */
    {"%r = Negative-1(%x)\n", 0},
};

static void test_each_move_is_counted(void **state)
{
    for (size_t i = 0; i < sizeof moving / sizeof moving[0]; i++) {
        inlay_tensor *x = tensor_of("i32[2,3] 1 2 3 4 5 6"), *out[1];
        char body[2048];
        runner r;

        snprintf(body, sizeof body,
                 "%%x = Parameter-1 {element_type = i32, shape = [2,3]}\n"
                 "%%i = Const-1 {value = i64[1] [1]}\n"
                 "%%j = Const-1 {value = i64[1] [2]}\n"
                 "%%k = Const-1 {value = i64[2,1] [2, 0]}\n"
                 "%%l = Const-1 {value = i64[2] [1, 2]}\n"
                 "%%n = Const-1 {value = i64[3] [2, 2, 3]}\n"
                 "%%a = Const-1 {value = i64[] 1}\n"
                 "%s%%out = Result-1(%%r)\n",
                 moving[i].nodes);
        r = runner_of(body, NULL);
        run_with(&r, (const inlay_tensor *const[]){x}, NULL, out);
        if (stats_of(&r).copied_bytes != (uint64_t)moving[i].bytes)
            fail_msg("%s: %llu bytes counted, %d moved", moving[i].nodes,
                     (unsigned long long)stats_of(&r).copied_bytes, moving[i].bytes);
        inlay_tensor_release(x);
        inlay_tensor_release(out[0]);
        runner_free(&r);
    }
}

/* NODES make r out of data i32[4,3], donated, u i32[1,3] and a constant x i64[1,3] of ones. The
 * reference copies all of data and UPDATES bytes; what writes in place copies IN_PLACE. */
static void check_scatter(const char *nodes, int updates, int in_place)
{
    static const inlay_exec_mode modes[] = {INLAY_EXEC_REFERENCE, INLAY_EXEC_PLANNED};
    const inlay_tensor *in[2];
    char body[2048];

    snprintf(body, sizeof body,
             "%%data = Parameter-1 {element_type = i32, shape = [4,3]}\n"
             "%%u = Parameter-1 {element_type = i32, shape = [1,3]}\n"
             "%%x = Const-1 {value = i64[1,3] [1, 1, 1]}\n"
             "%%i = Const-1 {value = i64[1] [1]}\n"
             "%%two = Const-1 {value = i64[1] [2]}\n"
             "%%zero = Const-1 {value = i64[] 0}\n"
             "%s"
             "%%out = Result-1(%%r)\n",
             nodes);
    for (int i = 0; i < 2; i++) {
        runner r = runner_of(body, &(inlay_exec_options){.mode = modes[i]});
        inlay_tensor *out[1];

        in[0] = tensor_of("i32[4,3] 0 0 0 0 0 0 0 0 0 0 0 0");
        in[1] = tensor_of("i32[1,3] 7 8 9");
        run_with(&r, in, (bool[]){true, false}, out);
        assert_int_equal(stats_of(&r).copied_bytes, i == 0 ? 48 + updates : in_place);
        for (int k = 0; k < 2; k++)
            inlay_tensor_release(in[k]);
        inlay_tensor_release(out[0]);
        runner_free(&r);
    }
}

/* Counted by hand: the updates are three elements of four bytes, unless they are computed. */
static void test_updates_are_counted(void **state)
{
    check_scatter("%r = SliceScatter-15(%data, %u, %i, %two, %i) : i32[4,3] overwrites %data\n", 12,
                  12);
    check_scatter("%y = Negative-1(%u) : i32[1,3] into %r\n"
                  "%r = SliceScatter-15(%data, %y, %i, %two, %i) : i32[4,3] overwrites %data\n"
                  "order %data before %y\n",
                  12, 0);
    check_scatter("%r = ScatterUpdate-3(%data, %i, %u, %zero) : i32[4,3] overwrites %data\n", 12,
                  12);
    check_scatter(
        "%r = ScatterElementsUpdate-12(%data, %x, %u, %zero) : i32[4,3] overwrites %data\n", 12,
        12);
    check_scatter(
        "%r = ScatterElementsUpdate-12(%data, %x, %u, %zero) {reduction = sum} : i32[4,3] "
        "overwrites %data\n",
        0, 0);
    check_scatter("%t = Const-1 {value = i64[1,1] [2]}\n"
                  "%r = ScatterNDUpdate-15(%data, %t, %u) : i32[4,3] overwrites %data\n",
                  12, 12);
    check_scatter(
        "%t = Const-1 {value = i64[2,1] [9, 2]}\n"
        "%uu = Concat-1(%u, %u) {axis = 0}\n" /* 24 bytes; one of its rows goes nowhere */
        "%r = tensor_scatter_nd_update@tensorflow(%data, %t, %uu) {bad_indices = ignore} : "
        "i32[4,3] overwrites %data\n",
        24 + 12, 24 + 12);
    check_scatter("%r = Tensor.scatter_@mindspore(%data, %x, %u) {dim = 0} : i32[4,3] overwrites "
                  "%data\n",
                  12, 12);
    check_scatter(
        "%r = Tensor.scatter_@mindspore(%data, %x) {dim = 0, value = 5, value_type = \"int\"}"
        " : i32[4,3] overwrites %data\n",
        0, 0);
}

/* A value to keep has the elements that it had when it was made. */
static void test_kept_values(void **state)
{
    static const char *const keep[] = {"data", "x", "r"};
    inlay_exec_options o = {.mode = INLAY_EXEC_PLANNED, .keep = keep, .n_keep = 3};
    runner r = runner_of("%data = Parameter-1 {element_type = i32, shape = [4]}\n"
                         "%b = Const-1 {value = i64[1] [1]}\n"
                         "%e = Const-1 {value = i64[1] [3]}\n"
                         "%x = Slice-8(%data, %b, %e, %b) : i32[2] view of %data\n"
                         "%y = Add-1(%x, %x) : i32[2] into %r\n"
                         "%r = SliceScatter-15(%data, %y, %b, %e, %b) : i32[4] overwrites %data\n"
                         "%z = Negative-1(%r) : i32[4] overwrites %r\n"
                         "%out = Result-1(%z)\n",
                         &o);

    check_run(&r, OPERANDS("i32[4] 1 2 3 4"), OPERANDS("i32[4] -1 -4 -6 -4"));
    check_tensor(inlay_session_kept(r.session, 0), "i32[4] 1 2 3 4");
    check_tensor(inlay_session_kept(r.session, 1), "i32[2] 2 3");
    check_tensor(inlay_session_kept(r.session, 2), "i32[4] 1 4 6 4");
    runner_free(&r);
}

/* A value that no node reads is computed if it is to be kept. */
static void test_kept_unread(void **state)
{
    static const char *const keep[] = {"y.1"};
    inlay_exec_options o = {.mode = INLAY_EXEC_PLANNED, .keep = keep, .n_keep = 1};
    runner r = runner_of("%x = Parameter-1 {element_type = f32, shape = [1,1,4]}\n"
                         "%y:2 = MaxPool-8(%x) {strides = [1], dilations = [1], pads_begin "
                         "= [0], pads_end = [0], kernel = [2]} : f32[1,1,3], i64[1,1,3]\n"
                         "%out = Result-1(%y:0)\n",
                         &o);

    check_run(&r, OPERANDS("f32[1,1,4] 3 1 2 4"), OPERANDS("f32[1,1,3] 3 2 4"));
    check_tensor(inlay_session_kept(r.session, 0), "i64[1,1,3] 0 2 3");
    runner_free(&r);
}

/* A value to keep is written over later, so it must be copied. The limit leaves memory for the run,
 * and none for this copy. */
static void test_kept_value_without_memory(void **state)
{
    static const char *const keep[] = {"data"};
    inlay_exec_options o = {
        .mode = INLAY_EXEC_PLANNED, .keep = keep, .n_keep = 1, .max_memory = 96 << 10};
    char body[1024];
    inlay_tensor *in = inlay_tensor_new(INLAY_I32, 1, (const int64_t[]){16 << 10}), *out[1];
    runner r;

    snprintf(body, sizeof body,
             "%%x = Parameter-1 {element_type = i32, shape = [%d]}\n"
             "%%b = Const-1 {value = i64[1] [1]}\n"
             "%%e = Const-1 {value = i64[1] [3]}\n"
             "%%u = Const-1 {value = i32[2] [8, 9]}\n"
             "%%data = Add-1(%%x, %%x)\n"
             "%%r = SliceScatter-15(%%data, %%u, %%b, %%e, %%b) : i32[%d] overwrites %%data\n"
             "%%out = Result-1(%%r)\n",
             16 << 10, 16 << 10);
    assert_non_null(in);
    r = runner_of(body, &o);
    assert_false(
        inlay_session_run(r.session, (const inlay_tensor *const[]){in}, NULL, out, r.diags));
    check_error(r.diags, INLAY_NO_RESOURCE, "memory");
    runner_free(&r);
    o.n_keep = 0;
    r = runner_of(body, &o);
    assert_true(
        inlay_session_run(r.session, (const inlay_tensor *const[]){in}, NULL, out, r.diags));
    inlay_tensor_release(out[0]);
    inlay_tensor_release(in);
    runner_free(&r);
}

/* A number that a kernel reads while the steps are made ready may be another number in each run. */
static void test_number_of_each_run(void **state)
{
    runner r = runner_of("%x = Parameter-1 {element_type = f32, shape = [2]}\n"
                         "%beta = Parameter-1 {element_type = f32, shape = []}\n"
                         "%y = Swish-4(%x, %beta)\n%out = Result-1(%y)\n",
                         &planned);

    check_run(&r, OPERANDS("f32[2] 1 2", "f32[] 0"), OPERANDS("f32[2] 0.5 1"));
    check_run(&r, OPERANDS("f32[2] 0 100", "f32[] 1"), OPERANDS("f32[2] 0 100"));
    runner_free(&r);
}

/* Views */

#define MATRIX "%x = Parameter-1 {element_type = i32, shape = [2,3]}\n"
#define COLUMNS                                                                                    \
    "%b = Const-1 {value = i64[1] [1]}\n"                                                          \
    "%e = Const-1 {value = i64[1] [3]}\n"                                                          \
    "%one = Const-1 {value = i64[1] [1]}\n"                                                        \
    "%w = Slice-8(%x, %b, %e, %one, %one) : i32[2,2] view of %x\n"

/* BODY computes v from x = [[0, 1, 2], [3, 4, 5]], and COPIED bytes are copied in that run. */
static void check_view(const char *body, const char *wanted, int copied)
{
    char text[2048];
    runner r;

    snprintf(text, sizeof text, "%s%s%s", MATRIX, body,
             "%nothing = Const-1 {value = i32[] 0}\n"
             "%seen = Add-1(%v, %nothing)\n"
             "%out = Result-1(%seen)\n");
    r = planned_of(text);
    check_run(&r, OPERANDS("i32[2,3] 0 1 2 3 4 5"), OPERANDS(wanted));
    assert_int_equal(stats_of(&r).copied_bytes, copied);
    runner_free(&r);
}

static void test_views_copy_nothing(void **state)
{
    check_view("%p = Const-1 {value = i64[2] [1, 0]}\n"
               "%v = Transpose-1(%x, %p) : i32[3,2] view of %x\n",
               "i32[3,2] 0 3 1 4 2 5", 0);
    check_view("%s = Const-1 {value = i64[2] [3, 2]}\n"
               "%v = Reshape-1(%x, %s) {special_zero = false} : i32[3,2] view of %x\n",
               "i32[3,2] 0 1 2 3 4 5", 0);
    check_view(COLUMNS "%v = Unsqueeze-1(%w, %one) : i32[2,1,2] view of %w\n", "i32[2,1,2] 1 2 4 5",
               0);
    check_view(COLUMNS "%u = Unsqueeze-1(%w, %one) : i32[2,1,2] view of %w\n"
                       "%v = Squeeze-1(%u, %one) : i32[2,2] view of %u\n",
               "i32[2,2] 1 2 4 5", 0);
    check_view("%v = Convert-1(%x) {destination_type = i32} : i32[2,3] view of %x\n",
               "i32[2,3] 0 1 2 3 4 5", 0);
    check_view("%a = Const-1 {value = i64[] 1}\n"
               "%l = Const-1 {value = i64[2] [1, 2]}\n"
               "%s:2 = VariadicSplit-1(%x, %a, %l) : i32[2,1] view of %x, i32[2,2] view of %x\n"
               "%v = Add-1(%s:0, %s:1)\n",
               "i32[2,2] 1 2 7 8", 0);
}

/* The caller's tensor may have gaps that no strides of the new shape can tell. */
static void test_reshape_of_a_strided_input_copies(void **state)
{
    static const char *const shapes[] = {"i64[1] [4]", "i64[3] [2, 1, 2]"};
    static const int copied[] = {16, 0};
    inlay_tensor *all = tensor_of("i32[2,3] 0 1 2 3 4 5"), *out[1];
    inlay_tensor *x = inlay_tensor_window(all, 2, (int64_t[]){2, 2}, all->strides, 1);

    for (int i = 0; i < 2; i++) {
        char body[512];
        runner r;

        snprintf(body, sizeof body,
                 "%%x = Parameter-1 {element_type = i32, shape = [2,2]}\n"
                 "%%s = Const-1 {value = %s}\n"
                 "%%v = Reshape-1(%%x, %%s) {special_zero = false} : %s view of %%x\n"
                 "%%y = Add-1(%%v, %%v)\n"
                 "%%out = Result-1(%%y)\n",
                 shapes[i], i == 0 ? "i32[4]" : "i32[2,1,2]");
        r = planned_of(body);
        run_with(&r, (const inlay_tensor *const[]){x}, NULL, out);
        check_tensor(out[0], i == 0 ? "i32[4] 2 4 8 10" : "i32[2,1,2] 2 4 8 10");
        assert_int_equal(stats_of(&r).copied_bytes, copied[i]);
        inlay_tensor_release(out[0]);
        runner_free(&r);
    }
    inlay_tensor_release(all);
    inlay_tensor_release(x);
}

/* A view says what is wrong with its operands as the copy does. */
static void test_views_check_their_operands(void **state)
{
    runner r = planned_of("%x = Parameter-1 {element_type = i32, shape = [4]}\n"
                          "%s = Parameter-1 {element_type = i64, shape = [1]}\n"
                          "%b = Const-1 {value = i64[1] [0]}\n"
                          "%e = Const-1 {value = i64[1] [4]}\n"
                          "%v = Slice-8(%x, %b, %e, %s) : i32[?] view of %x\n"
                          "%out = Result-1(%v)\n");

    check_run(&r, OPERANDS("i32[4] 1 2 3 4", "i64[1] 3"), OPERANDS("i32[2] 1 4"));
    check_run_fails(&r, OPERANDS("i32[4] 1 2 3 4", "i64[1] 0"), INLAY_INVALID,
                    "\"v\" (Slice-8): step[0] is 0, it must not be zero");
    runner_free(&r);
}

/* The place of a window is known only when the run begins. Where it is not known then either, y
 * gets a buffer of its own. */
static void test_windows_found_at_run_time(void **state)
{
    runner r = planned_of("%d = Parameter-1 {element_type = i32, shape = [?]}\n"
                          "%b = Parameter-1 {element_type = i64, shape = [1]}\n"
                          "%e = Parameter-1 {element_type = i64, shape = [1]}\n"
                          "%one = Const-1 {value = i64[1] [1]}\n"
                          "%x = Slice-8(%d, %b, %e, %one) : i32[?] view of %d\n"
                          "%y = Add-1(%x, %x) : i32[?] into %r\n"
                          "%r = SliceScatter-15(%d, %y, %b, %e, %one) : i32[?] overwrites %d\n"
                          "%out = Result-1(%r)\n");

    check_run(&r, OPERANDS("i32[4] 1 2 3 4", "i64[1] 1", "i64[1] 3"), OPERANDS("i32[4] 1 4 6 4"));
    assert_int_equal(stats_of(&r).in_place_writes, 1);
    assert_int_equal(stats_of(&r).copied_bytes, 16);
    check_run(&r, OPERANDS("i32[2] 1 2", "i64[1] -1", "i64[1] 9"), OPERANDS("i32[2] 1 4"));
    check_run(&r, OPERANDS("i32[2] 1 2", "i64[1] 1", "i64[1] 1"), OPERANDS("i32[2] 1 2"));
    runner_free(&r);
}

/* Updates that do not fit their window get a buffer of their own, and the scatter says what is
 * wrong with them. */
static void test_updates_that_do_not_fit(void **state)
{
    runner r = planned_of("%d = Parameter-1 {element_type = i32, shape = [?]}\n"
                          "%u = Parameter-1 {element_type = i32, shape = [?]}\n"
                          "%b = Parameter-1 {element_type = i64, shape = [1]}\n"
                          "%e = Parameter-1 {element_type = i64, shape = [1]}\n"
                          "%one = Const-1 {value = i64[1] [1]}\n"
                          "%y = Negative-1(%u) : i32[?] into %r\n"
                          "%r = SliceScatter-15(%d, %y, %b, %e, %one) : i32[?] overwrites %d\n"
                          "%out = Result-1(%r)\n");

    check_run(&r, OPERANDS("i32[4] 1 2 3 4", "i32[2] 8 9", "i64[1] 1", "i64[1] 3"),
              OPERANDS("i32[4] 1 -8 -9 4"));
    assert_int_equal(stats_of(&r).in_place_writes, 1);
    check_run_fails(&r, OPERANDS("i32[4] 1 2 3 4", "i32[3] 8 9 7", "i64[1] 1", "i64[1] 3"),
                    INLAY_INVALID,
                    "\"r\" (SliceScatter-15): input 1 \"updates\" has shape [3]: axis 0 is 3, it "
                    "must be 2");
    runner_free(&r);
}

/* These notes were not made by a pass: the one that would spoil z is dropped, the others are
 * obeyed. The graph itself keeps all notes, as it does not belong to the program. */
static void test_illegal_notes_are_not_obeyed(void **state)
{
    inlay_graph *g = graph_of("%data = Parameter-1 {element_type = i32, shape = [2]}\n"
                              "%zero = Const-1 {value = i64[1] [0]}\n"
                              "%one = Const-1 {value = i64[1] [1]}\n"
                              "%axis = Const-1 {value = i64[] 0}\n"
                              "%u = Const-1 {value = i32[1] [9]}\n"
                              "%r = ScatterUpdate-3(%data, %zero, %u, %axis)\n"
                              "%z = Add-1(%r, %data)\n"
                              "%d = Negative-1(%data)\n"
                              "%v = Abs-1(%u)\n"
                              "%q = SliceScatter-15(%d, %v, %zero, %one, %one)\n"
                              "%out = Result-1(%z)\n"
                              "%out_q = Result-1(%q)\n"
                              "order %d before %v\n");
    inlay_node *r = inlay_graph_node(g, "r"), *q = inlay_graph_node(g, "q");
    inlay_node *v = inlay_graph_node(g, "v"), *z = inlay_graph_node(g, "z");
    runner run;

    assert_true(inlay_value_set_note(&r->out[0], INLAY_OVERWRITES, r->in[0].value, NULL));
    assert_true(inlay_value_set_note(&z->out[0], INLAY_OVERWRITES, &r->out[0], NULL));
    assert_true(inlay_value_set_note(&q->out[0], INLAY_OVERWRITES, q->in[0].value, NULL));
    assert_true(inlay_value_set_note(&v->out[0], INLAY_INTO, &q->out[0], NULL));
    run = runner_on(g, &planned);
    assert_int_equal(inlay_diags_count(run.diags), 1);
    assert_int_equal(inlay_diags_at(run.diags, 0)->severity, INLAY_WARNING);
    assert_non_null(strstr(inlay_diags_at(run.diags, 0)->text,
                           "\"r\" (ScatterUpdate-3): the storage note \"r\" overwrites \"data\" is "
                           "dropped: \"z\" (Add-1) reads \"data\" after this is written over it"));
    check_run(&run, OPERANDS("i32[2] 1 2"), OPERANDS("i32[2] 10 4", "i32[2] 9 -2"));
    assert_int_equal(stats_of(&run).in_place_writes, 2);  /* z over r, v into q */
    assert_int_equal(stats_of(&run).copied_bytes, 8 + 4); /* data and updates, for r */
    assert_int_equal(r->out[0].note, INLAY_OVERWRITES);
    runner_free(&run);
}

/* What a scatter over a constant gives is computed in a Tile in the window of another scatter, so
 * that it is in place though its data are elsewhere: these are copied to the window, which goes
 * backwards. */
static void test_scatter_into_a_window(void **state)
{
    runner r = runner_of_noted("%p = Parameter-1 {element_type = i8, shape = [3]}\n"
                               "%q = Parameter-1 {element_type = i8, shape = [4]}\n"
                               "%c = Const-1 {value = i8[4] [-3, -8, 7, -5]}\n"
                               "%i = Const-1 {value = i64[3,1] [2, 1, 0]}\n"
                               "%first = Const-1 {value = i64[1] [3]}\n"
                               "%past = Const-1 {value = i64[1] [-5]}\n"
                               "%back = Const-1 {value = i64[1] [-1]}\n"
                               "%d = Negative-1(%q)\n"
                               "%u = Abs-1(%p)\n"
                               "%s = ScatterNDUpdate-15(%c, %i, %u)\n"
                               "%once = Const-1 {value = i64[1] [1]}\n"
                               "%t = Tile-1(%s, %once)\n"
                               "%r = SliceScatter-15(%d, %t, %first, %past, %back)\n"
                               "%out = Result-1(%r)\n");
    inlay_program_plan plan;

    check_run(&r, OPERANDS("i8[3] -1 -2 -3", "i8[4] 0 1 2 3"), OPERANDS("i8[4] -5 1 2 3"));
    assert_int_equal(stats_of(&r).copied_bytes, 4 + 3); /* the constant, and the updates */
    if (!inlay_program_plan_make(r.graph, INLAY_KERNELS_PORTABLE, &plan, r.diags))
        fail_msg("%s", inlay_diags_at(r.diags, 0)->text);
    assert_int_equal(plan.copied_bytes, 4 + 3);
    inlay_program_plan_free(&plan);
    runner_free(&r);
}

/* Sums of floats are taken in the order of the updates, so nothing is sorted: beside the operands,
 * of 8 bytes for each update, and as much for its place, no memory is asked for each. */
static void test_sums_are_not_sorted(void **state)
{
    enum { N = 1 << 16 };
    const inlay_exec_options o = {.mode = INLAY_EXEC_PLANNED, .max_memory = 24 * N};
    runner r = runner_of("%x = Parameter-1 {element_type = f32, shape = [16]}\n"
                         "%i = Parameter-1 {element_type = i32, shape = [65536]}\n"
                         "%u = Parameter-1 {element_type = f32, shape = [65536]}\n"
                         "%zero = Const-1 {value = i32[] 0}\n"
                         "%y = ScatterElementsUpdate-12(%x, %i, %u, %zero) {reduction = sum}\n"
                         "%out = Result-1(%y)\n",
                         &o);
    inlay_tensor *in[3] = {inlay_tensor_new(INLAY_F32, 1, (int64_t[]){16}),
                           inlay_tensor_new(INLAY_I32, 1, (int64_t[]){N}),
                           inlay_tensor_new(INLAY_F32, 1, (int64_t[]){N})},
                 *out;

    for (int64_t i = 0; i < N; i++) {
        inlay_tensor_set_i64(in[1], i, i % 16);
        inlay_tensor_set_f64(in[2], i, 1);
    }
    if (!inlay_session_run(r.session, (const inlay_tensor *const *)in, NULL, &out, r.diags))
        fail_msg("%s", inlay_diags_at(r.diags, 0)->text);
    for (int64_t i = 0; i < 16; i++)
        assert_true(inlay_tensor_get_f64(out, i) == N / 16);
    inlay_tensor_release(out);
    for (int i = 0; i < 3; i++)
        inlay_tensor_release(in[i]);
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_donated_tensor_is_not_copied),
        cmocka_unit_test(test_kept_input_is_copied_once),
        cmocka_unit_test(test_reference_counts_copies),
        cmocka_unit_test(test_moves_are_counted),
        cmocka_unit_test(test_each_move_is_counted),
        cmocka_unit_test(test_updates_are_counted),
        cmocka_unit_test(test_kept_values),
        cmocka_unit_test(test_kept_unread),
        cmocka_unit_test(test_kept_value_without_memory),
        cmocka_unit_test(test_number_of_each_run),
        cmocka_unit_test(test_views_copy_nothing),
        cmocka_unit_test(test_reshape_of_a_strided_input_copies),
        cmocka_unit_test(test_views_check_their_operands),
        cmocka_unit_test(test_windows_found_at_run_time),
        cmocka_unit_test(test_updates_that_do_not_fit),
        cmocka_unit_test(test_illegal_notes_are_not_obeyed),
        cmocka_unit_test(test_sums_are_not_sorted),
        cmocka_unit_test(test_scatter_into_a_window),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
