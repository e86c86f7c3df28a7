/* What in-place-windows costs on long chains, and the check of its notes: steps are counted, not
 * time. Four times the windows may cost little more than four times the steps (a search among n is
 * log n, more where windows come in no order), and by no means sixteen times, in every form in
 * which such chains come. */
#include "graphs.h"
#include "ir/work.h"
#include "passes/pass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

pass_function pass_in_place_windows;

struct form {
    const char *name;
    const char *before; /* %data, or what stands for it, is "d" */
    bool from_data;     /* each slice reads d, not the result of the scatter before */
    int window;         /* of step i: 0: the i-th, 1: always the first, 2: all over the place */
    bool by_index;      /* ScatterUpdate of a row, nothing is computed */
    const char *after;  /* what else there is; r is the last result */
};

static const struct form forms[] = {
    {"chain", "%d = Abs-1(%data)\n", false, 0, false, ""},
    {"each from the data", "%d = Abs-1(%data)\n", true, 0, false, ""},
    {"one window again and again", "%d = Abs-1(%data)\n", false, 1, false, ""},
    {"windows in no order", "%d = Abs-1(%data)\n", true, 2, false, ""},
    {"a reader at the end", "%d = Abs-1(%data)\n", false, 0, false,
     "%z = Exp-1(%d)\n%out_z = Result-1(%z)\n"},
    {"a reader of the result", "%d = Abs-1(%data)\n", false, 0, false,
     "%z = Add-1(%d, %r)\n%out_z = Result-1(%z)\n"},
    {"a state",
     "%d = ReadValue-6(%data) {variable_id = \"v\", variable_type = f32, variable_shape = SHAPE}\n",
     true, 0, false, "%save = Assign-6(%r) {variable_id = \"v\"}\n"},
    {"rows that are not known", "%d = Reshape-1(%data, %s) {special_zero = false}\n", false, 0,
     false, ""},
    {"rows by index", "%d = Abs-1(%data)\n", false, 0, true, ""},
};

static int window_of(const struct form *f, int i, int n)
{
    return f->window == 0 ? i : f->window == 1 ? 0 : (int)((int64_t)i * 7919 % n);
}

static inlay_graph *chain(const struct form *f, int n)
{
    inlay_buf b = {0};
    char before[32] = "d";
    inlay_graph *g;

    inlay_buf_printf(&b,
                     "%%data = Parameter-1 {element_type = f32, shape = [%d,4]}\n"
                     "%%s = Parameter-1 {element_type = i64, shape = [2]}\n"
                     "%%one = Const-1 {value = i64[1] [1]}\n%%axis = Const-1 {value = i64[] 0}\n",
                     2 * n);
    if (strstr(f->before, "SHAPE"))
        inlay_buf_printf(&b, "%.*s[%d,4]}\n", (int)(strstr(f->before, "SHAPE") - f->before),
                         f->before, 2 * n);
    else
        inlay_buf_puts(&b, f->before);
    for (int i = 0; i < n; i++) {
        const char *last = i + 1 < n ? "" : "\n", *from = f->from_data ? "d" : before;
        int at = window_of(f, i, n);
        char r[32];

        snprintf(r, sizeof r, i + 1 < n ? "r%d" : "r", i);
        inlay_buf_printf(&b, "%%b%d = Const-1 {value = i64[1] [%d]}\n", i, 2 * at);
        if (f->by_index)
            inlay_buf_printf(&b,
                             "%%u%d = Const-1 {value = f32[1,4] [1, 2, 3, 4]}\n"
                             "%%%s = ScatterUpdate-3(%%%s, %%b%d, %%u%d, %%axis)\n%s",
                             i, r, before, i, i, last);
        else
            inlay_buf_printf(&b,
                             "%%e%d = Const-1 {value = i64[1] [%d]}\n"
                             "%%x%d = Slice-8(%%%s, %%b%d, %%e%d, %%one)\n"
                             "%%w%d = Tanh-1(%%x%d)\n%%y%d = Exp-1(%%w%d)\n"
                             "%%%s = SliceScatter-15(%%%s, %%y%d, %%b%d, %%e%d, %%one)\n%s",
                             i, 2 * at + 2, i, from, i, i, i, i, i, i, r, before, i, i, i, last);
        snprintf(before, sizeof before, "%s", r);
    }
    inlay_buf_printf(&b, "%s%%t = ReduceSum-1(%%r, %%one)\n%%out = Result-1(%%t)\n", f->after);
    g = graph_of(b.bytes);
    inlay_buf_free(&b);
    return g;
}

struct cost {
    uint64_t pass, check;
};

static struct cost cost_of(const struct form *f, int n)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = chain(f, n);
    inlay_pass_options o = {0};
    pass_run run = {.options = &o, .diags = d};
    inlay_order_list order;
    struct cost cost;

    if (!pass_in_place_windows(g, &run) || !inlay_order(g, false, &order, d))
        fail_msg("%s: %s", f->name, inlay_diags_at(d, 0)->text);
    cost = (struct cost){run.looks, inlay_steps(g)};
    if (!inlay_check_notes(g, &order, NULL, d))
        fail_msg("%s: %s", f->name, inlay_diags_at(d, 0)->text);
    cost.check = inlay_steps(g) - cost.check;
    inlay_order_free(&order);
    assert_true(run.changes + 1 >= (uint64_t)n); /* O at least, for all but perhaps the first */
    inlay_graph_free(g);
    inlay_diags_free(d);
    return cost;
}

static void compare(const struct form *f, const char *what, uint64_t few, uint64_t many)
{
    print_message("# %s, %s: %llu steps for 500 windows, %llu for 2000\n", f->name, what,
                  (unsigned long long)few, (unsigned long long)many);
    if (many > 8 * few)
        fail_msg("%s, %s: %llu steps for 500 windows, %llu for 2000", f->name, what,
                 (unsigned long long)few, (unsigned long long)many);
}

static void test_steps(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct cost few = cost_of(&forms[i], 500), many = cost_of(&forms[i], 2000);

        compare(&forms[i], "pass", few.pass, many.pass);
        compare(&forms[i], "check", few.check, many.check);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
