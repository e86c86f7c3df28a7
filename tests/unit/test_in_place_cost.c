/* The costs of in-place-windows on long chains, and of the check of its notes: steps are counted,
 * not time. With four times the windows the steps may be little more than four times as many (a
 * search among n is log n, more where windows come in no order), and by no means sixteen times, in
 * every form in which such chains come. */
#include "graphs.h"
#include "ir/shared.h"
#include "passes/pass.h"

inlay_pass_fn pass_in_place_windows;

struct form {
    const char *name;
    const char *before; /* %data, or what stands for it, is "d" */
    bool from_data;     /* each slice reads d, not the result of the scatter before */
    int window;         /* of step i: 0: the i-th, 1: always the first, 2: all over the place */
    bool by_index;      /* ScatterUpdate of a row, nothing is computed */
    const char *after;  /* what else there is; r is the last result */
    bool given;         /* SliceScatter of what is given, as a wide Concat is lowered elsewhere */
};

static const struct form forms[] = {
    {"chain", "%d = Abs-1(%data)\n", false, 0, false, "", false},
    {"each from the data", "%d = Abs-1(%data)\n", true, 0, false, "", false},
    {"one window again and again", "%d = Abs-1(%data)\n", false, 1, false, "", false},
    {"windows in no order", "%d = Abs-1(%data)\n", true, 2, false, "", false},
    {"a reader at the end", "%d = Abs-1(%data)\n", false, 0, false,
     "%z = Exp-1(%d)\n%out_z = Result-1(%z)\n", false},
    {"a reader of the result", "%d = Abs-1(%data)\n", false, 0, false,
     "%z = Add-1(%d, %r)\n%out_z = Result-1(%z)\n", false},
    {"a state",
     "%d = ReadValue-6(%data) {variable_id = \"v\", variable_type = f32, variable_shape = SHAPE}\n",
     true, 0, false, "%save = Assign-6(%r) {variable_id = \"v\"}\n", false},
    {"rows that are not known", "%d = Tile-1(%data, %s)\n", false, 0, false, "", false},
    {"a reshape of what is not known",
     "%shape = Const-1 {value = i64[2] [-1, 4]}\n%given = Tile-1(%data, %s)\n"
     "%d = Reshape-1(%given, %shape) {special_zero = false}\n",
     false, 0, false, "", false},
    {"each from a reshape of what is not known",
     "%shape = Const-1 {value = i64[2] [-1, 4]}\n%given = Tile-1(%data, %s)\n"
     "%d = Reshape-1(%given, %shape) {special_zero = false}\n",
     true, 0, false, "", false},
    {"rows by index", "%d = Abs-1(%data)\n", false, 0, true, "", false},
    {"parts that are given",
     "%d = Abs-1(%data)\n%u = Parameter-1 {element_type = f32, shape = [2,4]}\n", false, 0, false,
     "", true},
};

static int window_of(const struct form *f, int i, int n)
{
    return f->window == 0 ? i : f->window == 1 ? 0 : (int)((int64_t)i * 7919 % n);
}

static inlay_graph *chain(const struct form *f, int n)
{
    inlay_strbuf b = {0};
    char before[32] = "d";
    inlay_graph *g;

    inlay_strbuf_printf(
        &b,
        "%%data = Parameter-1 {element_type = f32, shape = [%d,4]}\n"
        "%%s = Parameter-1 {element_type = i64, shape = [2]}\n"
        "%%one = Const-1 {value = i64[1] [1]}\n%%axis = Const-1 {value = i64[] 0}\n",
        2 * n);
    if (strstr(f->before, "SHAPE"))
        inlay_strbuf_printf(&b, "%.*s[%d,4]}\n", (int)(strstr(f->before, "SHAPE") - f->before),
                            f->before, 2 * n);
    else
        inlay_strbuf_puts(&b, f->before);
    for (int i = 0; i < n; i++) {
        const char *last = i + 1 < n ? "" : "\n", *from = f->from_data ? "d" : before;
        int at = window_of(f, i, n);
        char r[32];

        snprintf(r, sizeof r, i + 1 < n ? "r%d" : "r", i);
        inlay_strbuf_printf(&b, "%%b%d = Const-1 {value = i64[1] [%d]}\n", i, 2 * at);
        if (f->by_index)
            inlay_strbuf_printf(&b,
                                "%%u%d = Const-1 {value = f32[1,4] [1, 2, 3, 4]}\n"
                                "%%%s = ScatterUpdate-3(%%%s, %%b%d, %%u%d, %%axis)\n%s",
                                i, r, before, i, i, last);
        else if (f->given)
            inlay_strbuf_printf(&b,
                                "%%e%d = Const-1 {value = i64[1] [%d]}\n"
                                "%%%s = SliceScatter-15(%%%s, %%u, %%b%d, %%e%d, %%one)\n%s",
                                i, 2 * at + 2, r, before, i, i, last);
        else
            inlay_strbuf_printf(&b,
                                "%%e%d = Const-1 {value = i64[1] [%d]}\n"
                                "%%x%d = Slice-8(%%%s, %%b%d, %%e%d, %%one)\n"
                                "%%w%d = Tanh-1(%%x%d)\n%%y%d = Exp-1(%%w%d)\n"
                                "%%%s = SliceScatter-15(%%%s, %%y%d, %%b%d, %%e%d, %%one)\n%s",
                                i, 2 * at + 2, i, from, i, i, i, i, i, i, r, before, i, i, i, last);
        snprintf(before, sizeof before, "%s", r);
    }
    inlay_strbuf_printf(&b, "%s%%t = ReduceSum-1(%%r, %%one)\n%%out = Result-1(%%t)\n", f->after);
    g = graph_of(b.bytes);
    inlay_strbuf_free(&b);
    return g;
}

struct cost {
    uint64_t pass, check;
};

/* Returns the cost; at least CHANGES notes are made. */
static struct cost cost_of(const char *name, inlay_graph *g, uint64_t changes)
{
    inlay_diags *d = inlay_diags_new();
    inlay_pass_options o = {0};
    pass_run run = {.options = &o, .diags = d};
    inlay_order_list order;
    struct cost cost = {inlay_steps(g), 0};

    if (!pass_in_place_windows(g, &run) || !inlay_order(g, false, &order, d))
        fail_msg("%s: %s", name, inlay_diags_at(d, 0)->text);
    cost = (struct cost){inlay_steps(g) - cost.pass, inlay_steps(g)};
    if (!inlay_check_notes(g, &order, NULL, d))
        fail_msg("%s: %s", name, inlay_diags_at(d, 0)->text);
    cost.check = inlay_steps(g) - cost.check;
    inlay_order_free(&order);
    assert_true(run.changes >= changes);
    inlay_graph_free(g);
    inlay_diags_free(d);
    return cost;
}

static void compare(const char *name, const char *what, uint64_t few, uint64_t many)
{
    print_message("# %s, %s: %llu steps for 500 windows, %llu for 2000\n", name, what,
                  (unsigned long long)few, (unsigned long long)many);
    if (many > 8 * few)
        fail_msg("%s, %s: %llu steps for 500 windows, %llu for 2000", name, what,
                 (unsigned long long)few, (unsigned long long)many);
}

static void compare_costs(const char *name, const struct cost *few, const struct cost *many)
{
    compare(name, "pass", few->pass, many->pass);
    compare(name, "check", few->check, many->check);
}

/* At least decision O is made for every window but perhaps the first. */
static void test_steps(void **state)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const struct form *f = &forms[i];
        struct cost few = cost_of(f->name, chain(f, 500), 499);
        struct cost many = cost_of(f->name, chain(f, 2000), 1999);

        compare_costs(f->name, &few, &many);
    }
}

/* Each scatter is over the same tensor and needs the one before: one of them has the buffer. */
static void successors(inlay_strbuf *b, int n)
{
    inlay_strbuf_puts(b, "%data = Parameter-1 {element_type = f32, shape = [8,4]}\n"
                         "%d = Abs-1(%data)\n%u = Parameter-1 {element_type = f32, shape = [1,4]}\n"
                         "%p = Parameter-1 {element_type = i64, shape = [1]}\n"
                         "%axis = Const-1 {value = i64[] 0}\n%y0 = Exp-1(%u)\n");
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b,
                            "%%r%d = ScatterUpdate-3(%%d, %%p, %%y%d, %%axis)\n"
                            "%%y%d = Gather-8(%%r%d, %%p, %%axis)\n",
                            i, i, i + 1, i);
    inlay_strbuf_printf(b, "%%out = Result-1(%%y%d)\n", n);
}

/* All write what is computed from the row that none of them writes. */
static void far_row(inlay_strbuf *b, int n)
{
    inlay_strbuf_printf(
        b,
        "%%data = Parameter-1 {element_type = f32, shape = [%d,4]}\n"
        "%%r0 = Abs-1(%%data)\n%%one = Const-1 {value = i64[1] [1]}\n"
        "%%b = Const-1 {value = i64[1] [%d]}\n%%e = Const-1 {value = i64[1] [%d]}\n"
        "%%x = Slice-8(%%r0, %%b, %%e, %%one)\n%%y0 = Exp-1(%%x)\n%%y1 = Tanh-1(%%x)\n",
        n + 1, n, n + 1);
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b,
                            "%%b%d = Const-1 {value = i64[1] [%d]}\n"
                            "%%e%d = Const-1 {value = i64[1] [%d]}\n"
                            "%%r%d = SliceScatter-15(%%r%d, %%y%d, %%b%d, %%e%d, %%one)\n",
                            i, i, i, i + 1, i + 1, i, i % 2, i, i);
    inlay_strbuf_printf(b, "%%t = ReduceSum-1(%%r%d, %%one)\n%%out = Result-1(%%t)\n", n);
}

static void variables(inlay_strbuf *b, int n)
{
    inlay_strbuf_puts(b, "%u = Parameter-1 {element_type = f32, shape = [1]}\n"
                         "%p = Parameter-1 {element_type = i64, shape = [1]}\n"
                         "%axis = Const-1 {value = i64[] 0}\n%out = Result-1(%u)\n");
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(
            b,
            "%%r%d = ReadValue-6(%%u) {variable_id = \"v%d\", variable_type = f32, "
            "variable_shape = [1]}\n%%n%d = ScatterUpdate-3(%%r%d, %%p, %%u, %%axis)\n"
            "%%w%d = Assign-6(%%n%d) {variable_id = \"v%d\"}\n",
            i, i, i, i, i, i, i);
}

static void parts(inlay_strbuf *b, int n)
{
    inlay_strbuf_printf(b,
                        "%%data = Parameter-1 {element_type = f32, shape = [%d,4]}\n"
                        "%%axis = Const-1 {value = i64[] 0}\n"
                        "%%s:%d = Split-1(%%data, %%axis) {num_splits = %d}\n",
                        n, n, n);
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b, "%%y%d = Exp-1(%%s:%d)\n%%out%d = Result-1(%%y%d)\n", i, i, i, i);
}

/* A Concat has each of its operands computed in its part. */
static void joined(inlay_strbuf *b, int n)
{
    inlay_strbuf_puts(b, "%data = Parameter-1 {element_type = f32, shape = [1,4]}\n");
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b, "%%y%d = %s-1(%%data)\n", i, i % 2 ? "Exp" : "Tanh");
    inlay_strbuf_puts(b, "%c = Concat-1(");
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b, "%s%%y%d", i > 0 ? ", " : "", i);
    inlay_strbuf_puts(b, ") {axis = 0}\n%out = Result-1(%c)\n");
}

/* Many buffers, in each of which the same window is computed. */
static void apart(inlay_strbuf *b, int n)
{
    inlay_strbuf_puts(b, "%data = Parameter-1 {element_type = f32, shape = [8]}\n"
                         "%b = Const-1 {value = i64[1] [2]}\n%e = Const-1 {value = i64[1] [4]}\n"
                         "%s = Const-1 {value = i64[1] [1]}\n");
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b,
                            "%%d%d = Abs-1(%%data)\n%%x%d = Slice-8(%%d%d, %%b, %%e, %%s)\n"
                            "%%y%d = Exp-1(%%x%d)\n"
                            "%%r%d = SliceScatter-15(%%d%d, %%y%d, %%b, %%e, %%s)\n"
                            "%%out%d = Result-1(%%r%d)\n",
                            i, i, i, i, i, i, i, i, i, i);
}

static inlay_graph *written(void (*write)(inlay_strbuf *b, int n), int n)
{
    inlay_strbuf b = {0};
    inlay_graph *g;

    write(&b, n);
    g = graph_of(b.bytes);
    inlay_strbuf_free(&b);
    return g;
}

static void test_wide_steps(void **state)
{
    static const struct {
        const char *name;
        void (*write)(inlay_strbuf *b, int n);
        bool all; /* get a note */
    } graphs[] = {{"heirs", successors, false},   {"far row", far_row, true},
                  {"variables", variables, true}, {"parts", parts, true},
                  {"joined", joined, true},       {"apart", apart, true}};

    for (size_t i = 0; i < sizeof graphs / sizeof graphs[0]; i++) {
        const char *name = graphs[i].name;
        uint64_t each = graphs[i].all ? 500 : 0;
        struct cost few = cost_of(name, written(graphs[i].write, 500), each);
        struct cost many = cost_of(name, written(graphs[i].write, 2000), 4 * each);

        compare_costs(name, &few, &many);
    }
}

/* N scatters of one tensor, of which one can have its buffer, and before them another that can be
 * in place if a reader is moved. */
static void fan(inlay_strbuf *b, int n)
{
    inlay_strbuf_puts(b, "%data = Parameter-1 {element_type = f32, shape = [8,4]}\n"
                         "%u = Parameter-1 {element_type = f32, shape = [1,4]}\n"
                         "%p = Parameter-1 {element_type = i64, shape = [1]}\n"
                         "%axis = Const-1 {value = i64[] 0}\n%d = Abs-1(%data)\n%e = Exp-1(%data)\n"
                         "%r = ScatterUpdate-3(%e, %p, %u, %axis)\n%out = Result-1(%r)\n"
                         "%z = Tanh-1(%e)\n%out_z = Result-1(%z)\n");
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b,
                            "%%r%d = ScatterUpdate-3(%%d, %%p, %%u, %%axis)\n"
                            "%%out%d = Result-1(%%r%d)\n",
                            i, i, i);
}

/* No reader is moved for a tensor that is taken: moves are costly, so their number is limited. */
static void test_moves_in_vain(void **state)
{
    struct cost cost = cost_of("fan", written(fan, 400), 2);

    print_message("# fan of 400 scatters: %llu steps\n", (unsigned long long)cost.pass);
    assert_true(cost.pass < 400 * 200 * 6); /* orders, in which a few readers are moved at most */
}

/* A chain, and N scatters of tensors that are read once more behind the write. */
static void late_readers(inlay_strbuf *b, int n)
{
    inlay_strbuf_puts(b, "%data = Parameter-1 {element_type = f32, shape = [8]}\n"
                         "%u = Parameter-1 {element_type = f32, shape = [2]}\n"
                         "%b = Const-1 {value = i64[1] [2]}\n%e = Const-1 {value = i64[1] [4]}\n"
                         "%s = Const-1 {value = i64[1] [1]}\n%d = Sin-1(%data)\n"
                         "%x = Slice-8(%d, %b, %e, %s)\n%y = Exp-1(%x)\n"
                         "%r = SliceScatter-15(%d, %y, %b, %e, %s)\n%out = Result-1(%r)\n");
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b,
                            "%%d%d = Abs-1(%%data)\n"
                            "%%r%d = SliceScatter-15(%%d%d, %%u, %%b, %%e, %%s)\n"
                            "%%out%d = Result-1(%%r%d)\n%%z%d = Tanh-1(%%d%d)\n"
                            "%%out_z%d = Result-1(%%z%d)\n",
                            i, i, i, i, i, i, i, i, i);
}

/* 256 readers are moved. The chain needs no move, so that all of it is in place: three notes. */
static void test_moves_run_out(void **state)
{
    inlay_graph *g = written(late_readers, 300);
    inlay_diags *d = inlay_diags_new();
    inlay_pass_options o = {0};
    pass_run run = {.options = &o, .diags = d};

    assert_true(pass_in_place_windows(g, &run));
    assert_int_equal(run.changes, 256 + 3);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps), cmocka_unit_test(test_wide_steps),
        cmocka_unit_test(test_moves_in_vain), cmocka_unit_test(test_moves_run_out)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
