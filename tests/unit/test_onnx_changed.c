/* What is written as ONNX and read again is the same function, whatever an attribute is and whatever
 * numbers say where, how much and how often: the cases of tests/ops are changed in one such place,
 * and where the reference executor still runs them, what is written of them gives the same. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "models.h"
#include "op_cases.h"

#include "interp/interp.h"
#include "parser/onnx/onnx.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_CASES = 6, MOST_NUMBERS = 10 };

/* What a graph knows of its operands: all, the shapes, the ranks, or the types. */
enum { FORM_CONSTANTS, FORM_SHAPES, FORM_RANKS, FORM_TYPES, FORMS };

struct walk {
    const inlay_op *row;
    int form;              /* a FORM */
    const op_case *shapes; /* the case, where operands are Parameters; NULL: they are constants */
    int cases, held, refused, wrong, written;
    char what[200]; /* the change that is tried */
};

static bool run(const inlay_graph *g, const op_case *shapes, inlay_tensor **out)
{
    const inlay_exec_options o = {
        .mode = INLAY_EXEC_REFERENCE, .max_memory = 1 << 26, .max_iterations = 1000};
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, &o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    bool ok = s && inlay_session_run(s, shapes ? shapes->operand : NULL, NULL, out, d);

    inlay_session_free(s);
    inlay_program_free(p);
    inlay_diags_free(d);
    return ok;
}

static void release(inlay_tensor **out, int n)
{
    for (int i = 0; i < n; i++)
        inlay_tensor_release(out[i]);
}

/* Says what is wrong with AGAIN, which was written of G: "" if nothing is. */
static void compare(const inlay_graph *again, const op_case *shapes, inlay_tensor **wanted, int n,
                    char *why, size_t size)
{
    const inlay_compare_options near = {.rtol = 1e-3, .atol = 1e-4},
                                narrow = {.rtol = 0.01, .atol = 0.1};
    inlay_tensor *out[OP_CASE_MAX] = {NULL};

    snprintf(why, size, again->n_results == n && run(again, shapes, out) ? "" : "it does not run");
    for (int i = 0; i < n && !*why; i++) {
        const inlay_compare_options *o =
            wanted[i]->type == INLAY_BF16 || wanted[i]->type == INLAY_F16 ? &narrow : &near;

        if (inlay_compare_tensors(wanted[i], out[i], o, why, size))
            *why = '\0';
    }
    release(out, n);
}

/* Of larger integers nobody says what they become on their way through floats. */
static bool are_exact(inlay_tensor *const *out, int n)
{
    const int64_t most = INT64_C(1) << 53;
    bool are = true;

    for (int i = 0; i < n; i++) {
        for (int64_t k = 0; inlay_type_is_int(out[i]->type) && k < inlay_tensor_count(out[i]);
             k++) {
            int64_t x = inlay_tensor_get_i64(out[i], k);

            are = are && x >= -most && x <= most;
        }
    }
    return are;
}

/* Writes G, whose Results are WANTED, and reads and runs that. */
static void write(const char *path, const inlay_graph *g, inlay_tensor **wanted, struct walk *w)
{
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf file = {0};
    inlay_sink to = {inlay_strbuf_sink, &file};
    int k = w->written++; /* each other one as it needs, or 17 to 28 */
    const inlay_write_options o = {.opset = k % 2 ? 17 + k / 2 % (ONNX_MAX_OPSET - 16) : 0};
    bool ok = inlay_write_onnx(g, NULL, &o, &to, NULL, d);
    inlay_graph *again = ok ? inlay_read_onnx("m.onnx", file.bytes, file.n, NULL, NULL, d) : NULL;
    char why[512] = "";

    if (ok && !again)
        snprintf(why, sizeof why, "%s", model_messages(d));
    else if (ok)
        compare(again, w->shapes, wanted, g->n_results, why, sizeof why);
    else if (!strstr(model_messages(d), "ONNX cannot say") ||
             strstr(model_messages(d), "has no form with these operands"))
        snprintf(why, sizeof why, "%s", model_messages(d));
    w->held += ok && !*why;
    w->refused += !ok;
    w->wrong += *why != '\0';
    if (*why)
        print_message("%s: %s, set %d: %s\n", path, w->what, o.opset, why);
    inlay_graph_free(again);
    inlay_strbuf_free(&file);
    inlay_diags_free(d);
}

/* Tries G, which was changed at N; G is freed. */
static void try_changed(const char *path, inlay_graph *g, struct walk *w)
{
    inlay_diags *d = inlay_diags_new();
    inlay_tensor *out[OP_CASE_MAX] = {NULL};

    for (inlay_node *n = g->first; n; n = n->next)
        n->settled = false;
    if (g->n_variables == 0 && inlay_infer_graph(g, d) && inlay_check_graph(g, d) &&
        run(g, w->shapes, out) && are_exact(out, g->n_results))
        write(path, g, out, w);
    release(out, g->n_results);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* What is added to integers: one more and one less, and as many as make an axis one that counts from
 * the end. */
static const int64_t by[] = {1, -1, -2, -3, -4};
enum { N_BY = sizeof by / sizeof *by };

static int64_t sum(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Makes the K-th change of attribute A, which is X. False: there is none. LIST has room for the
 * elements of a list. */
static bool change(const inlay_attr_info *a, inlay_attr *x, int k, int64_t *list)
{
    static const double steps[] = {1, -1, 0.25};

    if (!x->set && a->has_default)
        *x = a->dflt;
    x->set = true;
    switch (a->kind) {
    case INLAY_ATTR_BOOL:
        x->as.b = !x->as.b;
        return k == 0;
    case INLAY_ATTR_ENUM:
        for (int i = 0; i <= k; i++) {
            if (!a->allowed[i])
                return false;
        }
        x->as.s = a->allowed[k];
        return true;
    case INLAY_ATTR_INT:
        x->as.i = sum(x->as.i, by[k < N_BY ? k : 0]);
        return k < N_BY;
    case INLAY_ATTR_FLOAT:
        x->as.f += k < 3 ? steps[k] : 0;
        return k < 3;
    case INLAY_ATTR_INTS:
        if (x->n > MOST_NUMBERS || k >= N_BY * x->n)
            return false;
        memcpy(list, x->as.ints, (size_t)x->n * sizeof *list);
        list[k / N_BY] = sum(list[k / N_BY], by[k % N_BY]);
        x->as.ints = list;
        return true;
    default:
        return false;
    }
}

/* Writes "?" for each size of a Parameter in TEXT. */
static void open_sizes(char *text)
{
    static const char shape[] = "shape = [";

    for (char *at = strstr(text, shape); at; at = strstr(at, shape)) {
        char *to = at += sizeof shape - 1;

        for (bool begins = true; *at != ']'; at++) {
            if (begins || *at == ',')
                *to++ = begins ? '?' : ',';
            begins = *at == ',';
        }
        memmove(to, at, strlen(at) + 1);
    }
}

static inlay_graph *graph_in(const char *path, const op_case *c, int form, inlay_diags *d)
{
    const inlay_strbuf *text = &c->form[form == FORM_TYPES ? OP_FORM_OPEN : OP_FORM_SHAPES];
    char *copy;
    inlay_graph *g;

    if (form == FORM_CONSTANTS)
        return op_case_graph(path, c, d);
    copy = test_malloc(text->n + 1);
    memcpy(copy, text->bytes, text->n);
    copy[text->n] = '\0';
    if (form == FORM_RANKS)
        open_sizes(copy);
    g = inlay_read_text(path, copy, strlen(copy), NULL, d);
    test_free(copy);
    return g;
}

/* The change K of an attribute; change -1 is none. */
static bool try_attribute(const char *path, const op_case *c, struct walk *w, int attr, int k)
{
    const inlay_attr_info *a = attr < w->row->n_attrs ? &w->row->attrs[attr] : NULL;
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_in(path, c, w->form, d);
    inlay_node *n = g ? op_case_node(g, w->row) : NULL;
    int64_t list[MOST_NUMBERS];
    bool is = n && (k < 0 || (a && change(a, &n->attrs[attr], k, list)));

    snprintf(w->what, sizeof w->what, "form %d, change %d of attribute %s", w->form, k,
             a ? a->name : "");
    if (is)
        try_changed(path, g, w);
    else
        inlay_graph_free(g);
    inlay_diags_free(d);
    return is;
}

/* The K-th change of operand I, a few integers: one of them is another. */
static bool try_operand(const char *path, const op_case *c, struct walk *w, int i, int k)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = op_case_graph(path, c, d);
    inlay_node *n = g ? op_case_node(g, w->row) : NULL;
    const inlay_value *v = n && i < n->n_in ? inlay_node_input(n, i) : NULL;
    bool is = v && inlay_node_is(v->node, INLAY_OP_CONST) &&
              (v->fact.type == INLAY_I64 || v->fact.type == INLAY_I32);
    inlay_attr *value = is ? &v->node->attrs[inlay_op_attr(v->node->op, "value")] : NULL;
    const inlay_tensor *was = is ? value->as.tensor : NULL;
    inlay_tensor *t;

    is = is && inlay_tensor_count(was) <= MOST_NUMBERS && k < N_BY * inlay_tensor_count(was);
    snprintf(w->what, sizeof w->what, "change %d of operand %d", k, i);
    if (is) {
        t = inlay_tensor_new(was->type, was->rank, was->dims);
        for (int64_t e = 0; e < inlay_tensor_count(was); e++)
            inlay_tensor_set_i64(
                t, e, sum(inlay_tensor_get_i64(was, e), e == k / N_BY ? by[k % N_BY] : 0));
        value->as.tensor = t;
        try_changed(path, g, w);
        inlay_tensor_release(t);
    } else
        inlay_graph_free(g);
    inlay_diags_free(d);
    return is;
}

/* The case with floats, or integers, of type TO where it has those of type FROM, and numbers that TO
 * has. */
static void try_type(const char *path, const op_case *c, struct walk *w, const char *from,
                     const char *to)
{
    const inlay_strbuf *text = &c->form[OP_FORM_CONSTANTS];
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf changed = {0};
    size_t n = strlen(from);
    inlay_graph *g;

    for (const char *at = text->bytes; at < text->bytes + text->n;) {
        bool is =
            strncmp(at, from, n) == 0 && at > text->bytes && at[-1] == ' ' && strchr("[, }", at[n]);

        inlay_strbuf_add(&changed, is ? to : at, is ? strlen(to) : 1);
        at += is ? n : 1;
    }
    g = strstr(text->bytes, from) ? inlay_read_text(path, changed.bytes, changed.n, NULL, d) : NULL;
    snprintf(w->what, sizeof w->what, "%s for %s", to, from);
    if (g && op_case_node(g, w->row))
        try_changed(path, g, w);
    else
        inlay_graph_free(g);
    inlay_strbuf_free(&changed);
    inlay_diags_free(d);
}

static void try_types(const char *path, const op_case *c, struct walk *w)
{
    static const char *const floats[] = {"f64", "f16", "bf16", NULL};
    static const char *const integers[] = {"i8",  "u8", "i16", "u16", "u32",
                                           "i64", "i4", "u4",  NULL};

    for (int i = 0; floats[i]; i++)
        try_type(path, c, w, "f32", floats[i]);
    for (int i = 0; integers[i]; i++)
        try_type(path, c, w, "i32", integers[i]);
}

static bool visit(const char *path, const op_case *c, void *ctx)
{
    struct walk *w = ctx;

    if (c->error.n > 0 || strstr(path, "/ends.cases"))
        return true;
    for (w->form = 0; w->form < FORMS; w->form++) {
        w->shapes = w->form == FORM_CONSTANTS ? NULL : c;
        try_attribute(path, c, w, 0, -1);
        for (int a = 0; a < w->row->n_attrs; a++) {
            for (int k = 0; try_attribute(path, c, w, a, k); k++)
                ;
        }
    }
    w->shapes = NULL;
    try_types(path, c, w);
    for (int i = 1; i < 8 && strcmp(w->row->name, "Bucketize") != 0; i++) { /* bounds are sorted */
        for (int k = 0; try_operand(path, c, w, i, k); k++)
            ;
    }
    return ++w->cases < (getenv("INLAY_SLOW") ? 10 * MOST_CASES : MOST_CASES);
}

static void every_row(void **state)
{
    struct walk all = {0};

    (void)state;
    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        struct walk w = {.row = inlay_op_at(NULL, i)};

        if (strcmp(w.row->name, "RandomUniform") != 0 && strcmp(w.row->name, "Multinomial") != 0)
            op_cases_each(w.row->name, visit, &w);
        all.held += w.held;
        all.refused += w.refused;
        all.wrong += w.wrong;
    }
    print_message("# %d changed graphs held, %d are refused\n", all.held, all.refused);
    assert_int_equal(all.wrong, 0);
    assert_true(all.held > 3000);
}

/* The graph of BODY, written as ONNX and read again, gives this one result. */
static inlay_tensor *result_of(const char *body)
{
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf text = {0}, file = {0};
    inlay_sink to = {inlay_strbuf_sink, &file};
    inlay_graph *g, *again;
    inlay_tensor *out[1] = {NULL};

    inlay_strbuf_printf(&text, "graph \"g\" {\n%s\n%%out = Result(%%y)\n}\n", body);
    g = inlay_read_text("g.inlay", text.bytes, text.n, NULL, d);
    if (!g || !inlay_write_onnx(g, NULL, NULL, &to, NULL, d))
        fail_msg("%s: %s", body, model_messages(d));
    again = inlay_read_onnx("m.onnx", file.bytes, file.n, NULL, NULL, d);
    if (!again || !run(again, NULL, out))
        fail_msg("%s: %s", body, model_messages(d));
    inlay_graph_free(again);
    inlay_graph_free(g);
    inlay_strbuf_free(&file);
    inlay_strbuf_free(&text);
    inlay_diags_free(d);
    return out[0];
}

static bool same(const inlay_tensor *a, const inlay_tensor *b)
{
    bool all = inlay_tensor_count(a) == inlay_tensor_count(b);

    for (int64_t i = 0; all && i < inlay_tensor_count(a); i++)
        all = inlay_tensor_get_f64(a, i) == inlay_tensor_get_f64(b, i);
    return all;
}

/* Numbers are of the range that was asked for, to its ends, and another seed gives others. */
static void of_numbers(void **state)
{
    static const char *const seeds[] = {
        "global_seed = 7", "global_seed = 8", "global_seed = 7, op_seed = 1",
        "global_seed = 7, op_seed = 2", "global_seed = 2139095041" /* no float has these bits */};
    enum { SEEDS = sizeof seeds / sizeof *seeds, BODIES = 2 };
    static const char *const forms[BODIES] = {
        "%%n = Const {value = i64[1] [1000]}\n%%a = Const {value = f32[] 2}\n"
        "%%b = Const {value = f32[] 6}\n"
        "%%y = RandomUniform(%%n, %%a, %%b) {output_type = f32, %s}",
        "%%o = Const {value = i64[] 1}\n%%t = Const {value = i64[] 1001}\n"
        "%%r = Range(%%o, %%t, %%o) {output_type = i64}\n%%x = NonZero(%%r)\n%%n = ShapeOf(%%x)\n"
        "%%a = Const {value = f32[] 2}\n%%b = Const {value = f32[] 6}\n"
        "%%y = RandomUniform(%%n, %%a, %%b) {output_type = f32, %s}"};

    (void)state;
    for (int form = 0; form < BODIES; form++) {
        inlay_tensor *t[SEEDS + 1];

        for (int k = 0; k <= SEEDS; k++) {
            char body[400];
            double least = INFINITY, most = -INFINITY;

            snprintf(body, sizeof body, forms[form], seeds[k % SEEDS]);
            t[k] = result_of(body);
            assert_int_equal(inlay_tensor_count(t[k]), 1000);
            for (int64_t i = 0; i < 1000; i++) {
                least = fmin(least, inlay_tensor_get_f64(t[k], i));
                most = fmax(most, inlay_tensor_get_f64(t[k], i));
            }
            if (least < 2 || least > 2.1 || most < 5.9 || most >= 6)
                fail_msg("%s: from %g to %g", body, least, most);
            for (int j = 0; j < k && k < SEEDS; j++)
                assert_false(same(t[j], t[k]));
        }
        assert_true(same(t[0], t[SEEDS]));
        for (int k = 0; k <= SEEDS; k++)
            inlay_tensor_release(t[k]);
    }
}

/* A class of no probability is never drawn, one of three in four about as often; without
 * replacement each is drawn once. */
static void of_classes(void **state)
{
    static const char *const bodies[] = {
        "%p = Const {value = f32[1,3] [0.25, 0, 0.75]}\n%n = Const {value = i32[] 1000}\n"
        "%y = Multinomial(%p, %n) {convert_type = i64, with_replacement = true, log_probs = false, "
        "global_seed = 3}",
        "%p = Const {value = f64[1,3] [-1.3862943611, -inf, -0.28768207245]}\n"
        "%n = Const {value = i64[1] [1000]}\n"
        "%y = Multinomial(%p, %n) {convert_type = i32, with_replacement = true, log_probs = true, "
        "global_seed = 3, op_seed = 4}"};

    (void)state;
    for (int k = 0; k < 2; k++) {
        inlay_tensor *t = result_of(bodies[k]);
        int count[3] = {0};

        assert_int_equal(t->type, k ? INLAY_I32 : INLAY_I64);
        for (int64_t i = 0; i < inlay_tensor_count(t); i++)
            count[inlay_tensor_get_i64(t, i)]++;
        assert_int_equal(count[1], 0);
        assert_true(count[0] + count[2] == 1000 && count[2] > 680 && count[2] < 820);
        inlay_tensor_release(t);
    }
    for (int k = 0; k < 20; k++) {
        char body[400];
        inlay_tensor *t;
        int count[3] = {0};

        snprintf(body, sizeof body,
                 "%%p = Const {value = f32[1,3] [0.0001, 0.0001, 0.9998]}\n"
                 "%%n = Const {value = i32[] %d}\n%%y = Multinomial(%%p, %%n) {convert_type = i64, "
                 "with_replacement = false, log_probs = false, global_seed = %d}",
                 k % 3 + 1, k + 1);
        t = result_of(body);
        assert_int_equal(inlay_tensor_count(t), k % 3 + 1);
        for (int64_t i = 0; i < inlay_tensor_count(t); i++)
            count[inlay_tensor_get_i64(t, i)]++;
        assert_true(count[0] <= 1 && count[1] <= 1 && count[2] == 1);
        inlay_tensor_release(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row), cmocka_unit_test(of_numbers),
                                       cmocka_unit_test(of_classes)};

    return cmocka_run_group_tests_name("onnx_changed", tests, NULL, NULL);
}
