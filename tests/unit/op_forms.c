/* The helpers of op_forms.h. */
#include "op_forms.h"
#include "ir/shared.h"
#include "unit.h"

#include "interp/call/run.h"
#include "written.h"

const char operands_end[] = "end";

enum { MAX_OPERANDS = 64 };

static const char *first_error(const inlay_diags *d)
{
    for (size_t i = 0; i < inlay_diags_count(d); i++) {
        if (inlay_diags_at(d, i)->severity == INLAY_ERROR)
            return inlay_diags_at(d, i)->text;
    }
    return NULL;
}

inlay_tensor *forms_tensor(const char *text)
{
    inlay_diags *d = inlay_diags_new();
    inlay_tensor *t = written_tensor(text, d);

    if (!t)
        fail_msg("\"%s\": %s", text, first_error(d));
    inlay_diags_free(d);
    return t;
}

void check_elements(const inlay_tensor *t, const char *text)
{
    inlay_tensor *want = forms_tensor(text);
    inlay_strbuf found = {0}, expected = {0};

    written_add_tensor(&found, t);
    written_add_tensor(&expected, want);
    assert_false(found.failed || expected.failed);
    if (strcmp(found.bytes, expected.bytes) != 0)
        fail_msg("found    %s\n    expected %s", found.bytes, expected.bytes);
    inlay_strbuf_free(&found);
    inlay_strbuf_free(&expected);
    inlay_tensor_release(want);
}

static int count_operands(const char *const *in)
{
    int n = 0;

    while (in[n] != operands_end)
        n++;
    assert_true(n <= MAX_OPERANDS);
    return n;
}

enum operand_form { AS_CONSTANT, AS_PARAMETER, AS_UNKNOWN };

static inlay_value *operand(inlay_graph *g, const inlay_tensor *t, enum operand_form form,
                            inlay_diags *d)
{
    inlay_shape s = {.rank = -1};

    if (form == AS_CONSTANT)
        return inlay_build_const(g, NULL, t, d);
    if (form == AS_PARAMETER) {
        s.rank = t->rank;
        for (int i = 0; i < t->rank; i++)
            s.dim[i] = inlay_dim_of(t->dims[i]);
    }
    return inlay_build_parameter(g, NULL, t->type, &s, d);
}

/* Gives a node or tells an error, not both. */
static inlay_node *build(inlay_graph *g, const char *op, const char *version,
                         inlay_value *const *in, int n_in, const char *attrs, inlay_diags *d)
{
    char operation[80];
    inlay_node *n;

    snprintf(operation, sizeof operation, "%s@%s", op, version ? version : "");
    n = inlay_build(g, NULL, operation, in, n_in, attrs, d);
    assert_int_equal(n != NULL, inlay_diags_status(d) == INLAY_OK);
    return n;
}

/* Checks that what inference promised holds; of constants everything is to be known beforehand,
 * unless the size depends on data. */
static void check_promise(const inlay_value *v, const inlay_tensor *t, enum operand_form form,
                          bool by_data)
{
    const inlay_fact *f = &v->fact;

    assert_int_equal(f->type, t->type);
    if (f->rank < 0) {
        assert_true(form != AS_CONSTANT || by_data);
        return;
    }
    assert_int_equal(f->rank, t->rank);
    for (int i = 0; i < t->rank; i++) {
        assert_true(f->dims[i].lo <= t->dims[i] && t->dims[i] <= f->dims[i].hi);
        assert_true(form != AS_CONSTANT || by_data || inlay_dim_is_static(f->dims[i]));
    }
    for (int i = 0; f->known && i < f->n_known; i++) {
        int64_t x = inlay_tensor_get_i64(t, i);

        assert_int_equal(f->n_known, inlay_tensor_count(t));
        assert_true(f->known[i].lo <= x && x <= f->known[i].hi);
    }
}

static void check_form(const char *op, const char *version, const char *attrs,
                       const inlay_tensor *const *in, int n_in, const char *const *want,
                       enum operand_form form)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("test", d);
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_value *values[MAX_OPERANDS];
    inlay_tensor *out[MAX_OPERANDS] = {NULL};
    bool fails = strncmp(want[0], "error: ", 7) == 0, ok;
    inlay_node *n;

    for (int i = 0; i < n_in; i++) {
        /* The lengths of a split also say how many outputs there are: they cannot be unknown. */
        bool counts = strcmp(op, "VariadicSplit") == 0 && i == 2 && form == AS_UNKNOWN;

        values[i] = in[i] ? operand(g, in[i], counts ? AS_PARAMETER : form, d) : NULL;
        assert_true(!in[i] || values[i]);
    }
    n = build(g, op, version, values, n_in, attrs, d);
    ok = n && e.eval_node(e.ctx, n, in, out, d);
    if (fails) {
        if (ok)
            fail_msg("%s ran, the error expected is \"%s\"", op, want[0] + 7);
        if (!strstr(first_error(d), want[0] + 7))
            fail_msg("found error \"%s\"\n    expected \"%s\"", first_error(d), want[0] + 7);
    } else {
        if (!ok)
            fail_msg("%s: %s", op, first_error(d));
        for (int i = 0; i < n->n_out; i++) {
            assert_non_null(want[i]);
            check_elements(out[i], want[i]);
            check_promise(&n->out[i], out[i], form, strcmp(op, "NonZero") == 0);
            inlay_tensor_release(out[i]);
        }
        assert_null(want[n->n_out]);
    }
    inlay_graph_free(g);
    inlay_diags_free(d);
}

void check_forms(const char *op, const char *version, const char *attrs, const char *const *in,
                 const char *const *want)
{
    const inlay_tensor *t[MAX_OPERANDS];
    int n = count_operands(in);

    for (int i = 0; i < n; i++)
        t[i] = in[i] ? forms_tensor(in[i]) : NULL;
    check_form(op, version, attrs, t, n, want, AS_CONSTANT);
    check_form(op, version, attrs, t, n, want, AS_PARAMETER);
    check_form(op, version, attrs, t, n, want, AS_UNKNOWN);
    for (int i = 0; i < n; i++) {
        const inlay_tensor *dense = t[i];

        t[i] = dense ? written_strided(dense) : NULL;
        assert_true(!dense || t[i]);
        inlay_tensor_release(dense);
    }
    check_form(op, version, attrs, t, n, want, AS_PARAMETER);
    for (int i = 0; i < n; i++)
        inlay_tensor_release(t[i]);
}

void check_in_place(const char *op, const char *version, const char *attrs, const char *const *in,
                    int n_in, const char *want, const char *after)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("test", d);
    inlay_exec_stats stats = {0};
    run_env env = {.meter = meter_new(NULL, 0, 0, false), .stats = &stats};
    static const call_executor in_place; /* keeps nothing of what is written over */
    struct inlay_run run = {.executor = &in_place, .env = &env};
    inlay_value *values[MAX_OPERANDS];
    inlay_tensor *t[MAX_OPERANDS], *out;
    inlay_call c = {.in = (const inlay_tensor *const *)t,
                    .n_in = n_in,
                    .out = &out,
                    .n_out = 1,
                    .diags = d,
                    .scratch = inlay_arena_new(),
                    .run = &run};
    bool fails = strncmp(want, "error: ", 7) == 0, ok;
    bool computes = attrs && strstr(attrs, "reduction");
    int updates = strcmp(op, "SliceScatter") == 0 ? 1 : 2;

    for (int i = 0; i < n_in; i++) {
        t[i] = forms_tensor(in[i]);
        values[i] = operand(g, t[i], AS_PARAMETER, d);
    }
    out = t[0];
    c.node = build(g, op, version, values, n_in, attrs, d);
    assert_non_null(c.node);
    ok = call_kernel_of(c.node->op)(&c);
    assert_int_equal(ok, !fails);
    if (fails && !strstr(first_error(d), want + 7))
        fail_msg("found error \"%s\"\n    expected \"%s\"", first_error(d), want + 7);
    check_elements(out, fails ? after : want);
    check_elements(t[0], after);
    assert_int_equal(stats.copied_bytes, fails || computes ? 0 : inlay_tensor_bytes(t[updates]));
    for (int i = 0; i < n_in; i++)
        inlay_tensor_release(t[i]);
    inlay_arena_free(c.scratch);
    meter_release(env.meter);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static char *rule_text(const char *op, const char *version, const char *attrs,
                       const char *const *in)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("test", d);
    inlay_value *values[MAX_OPERANDS];
    int n_in = count_operands(in);
    inlay_strbuf b = {0};
    inlay_node *n;

    for (int i = 0; i < n_in; i++) {
        values[i] = in[i] ? written_operand(g, in[i], d) : NULL;
        if (in[i] && !values[i])
            fail_msg("\"%s\": %s", in[i], first_error(d));
    }
    n = build(g, op, version, values, n_in, attrs, d);
    if (!n)
        inlay_strbuf_printf(&b, "error: %s", first_error(d));
    for (int i = 0; n && i < n->n_out; i++) {
        inlay_strbuf_puts(&b, i ? " " : "");
        written_add_fact(&b, &n->out[i].fact);
        assert_true(n->out[i].fact.rank > 0 || !n->out[i].fact.dims);
    }
    inlay_graph_free(g);
    inlay_diags_free(d);
    assert_false(b.failed);
    return b.bytes;
}

void check_rule(const char *op, const char *version, const char *attrs, const char *const *in,
                const char *want)
{
    char *found = rule_text(op, version, attrs, in);

    if (strncmp(want, "error: ", 7) == 0
            ? strncmp(found, "error: ", 7) != 0 || !strstr(found, want + 7)
            : strcmp(found, want) != 0)
        fail_msg("found    %s\n    expected %s", found, want);
    free(found);
}
