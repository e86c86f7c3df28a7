/* The helpers of op_forms.h. */
#include "op_forms.h"
#include "ir/shared.h"

#include "interp/call/run.h"

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const char operands_end[] = "end";

enum { MAX_OPERANDS = 64, MAX_IDS = 128 };

/* "f32[2,3] rest" -> type, dims as text between the brackets, rest. */
static inlay_type split_form(const char *text, char *dims, size_t size, const char **rest)
{
    const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
    char name[16];
    inlay_type type;

    if (!close || open - text >= (int)sizeof name || (size_t)(close - open) > size)
        fail_msg("\"%s\" is no tensor", text);
    snprintf(name, sizeof name, "%.*s", (int)(open - text), text);
    snprintf(dims, size, "%.*s", (int)(close - open - 1), open + 1);
    if (!inlay_type_by_name(name, &type))
        fail_msg("\"%s\" is no type", name);
    *rest = close + 1;
    return type;
}

static void set_element(inlay_tensor *t, int64_t i, const char *word)
{
    char *end;

    if (t->type == INLAY_STRING) {
        if (strcmp(word, "''") == 0)
            word = "";
        assert_true(inlay_tensor_set_string(t, i, word, strlen(word)));
        return;
    }
    if (inlay_type_is_float(t->type))
        inlay_tensor_set_f64(t, i, strtod(word, &end));
    else if (word[0] == '-')
        inlay_tensor_set_i64(t, i, strtoll(word, &end, 10));
    else
        inlay_tensor_set_i64(t, i, (int64_t)strtoull(word, &end, 10));
    if (*end)
        fail_msg("\"%s\" is no element of type %s", word, inlay_type_info_of(t->type)->name);
}

inlay_tensor *forms_tensor(const char *text)
{
    char dims_text[128], word[64];
    const char *p;
    inlay_type type = split_form(text, dims_text, sizeof dims_text, &p);
    int64_t dims[INLAY_MAX_RANK], n = 0;
    inlay_tensor *t;
    int rank = 0, used;

    for (const char *d = dims_text; *d; d += used + (d[used] == ',')) {
        used = (int)strcspn(d, ",");
        dims[rank++] = strtoll(d, NULL, 10);
    }
    t = inlay_tensor_new(type, rank, dims);
    assert_non_null(t);
    while (sscanf(p, "%63s%n", word, &used) == 1) {
        p += used;
        if (strcmp(word, "iota") == 0) {
            for (; n < inlay_tensor_count(t); n++)
                inlay_tensor_set_i64(t, n, n);
            break;
        }
        if (n >= inlay_tensor_count(t))
            fail_msg("too many elements in \"%s\"", text);
        set_element(t, n++, word);
    }
    if (n != inlay_tensor_count(t))
        fail_msg("%lld elements in \"%s\"", (long long)n, text);
    return t;
}

char *forms_text(const inlay_tensor *t)
{
    inlay_strbuf b = {0};

    inlay_strbuf_printf(&b, "%s[", inlay_type_info_of(t->type)->name);
    for (int i = 0; i < t->rank; i++)
        inlay_strbuf_printf(&b, "%s%lld", i ? "," : "", (long long)t->dims[i]);
    inlay_strbuf_puts(&b, "]");
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (t->type == INLAY_STRING) {
            inlay_string s = inlay_tensor_get_string(t, i);

            inlay_strbuf_puts(&b, " ");
            inlay_strbuf_add(&b, s.bytes, s.length);
        } else if (inlay_type_is_float(t->type)) {
            double x = inlay_tensor_get_f64(t, i);

            inlay_strbuf_printf(&b, " %.17g", isnan(x) ? fabs(x) : x);
        } else if (inlay_type_info_of(t->type)->cls == INLAY_CLASS_UNSIGNED) {
            inlay_strbuf_printf(&b, " %llu", (unsigned long long)inlay_tensor_get_i64(t, i));
        } else {
            inlay_strbuf_printf(&b, " %lld", (long long)inlay_tensor_get_i64(t, i));
        }
    }
    assert_false(b.failed);
    return b.bytes;
}

void check_elements(const inlay_tensor *t, const char *text)
{
    inlay_tensor *want = forms_tensor(text);
    char *a = forms_text(t), *b = forms_text(want);

    if (strcmp(a, b) != 0)
        fail_msg("found    %s\n    expected %s", a, b);
    free(a);
    free(b);
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

static inlay_node *build(inlay_graph *g, const char *op, const char *version,
                         inlay_value *const *in, int n_in, const char *attrs, inlay_diags *d)
{
    char operation[80];

    snprintf(operation, sizeof operation, "%s@%s", op, version ? version : "");
    return inlay_build(g, NULL, operation, in, n_in, attrs, d);
}

static const char *first_error(const inlay_diags *d)
{
    for (size_t i = 0; i < inlay_diags_count(d); i++) {
        if (inlay_diags_at(d, i)->severity == INLAY_ERROR)
            return inlay_diags_at(d, i)->text;
    }
    return NULL;
}

/* What inference promised must hold; of constants everything is to be known beforehand, unless the
 * size depends on data. */
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

inlay_tensor *forms_strided(const inlay_tensor *t)
{
    int64_t dims[INLAY_MAX_RANK + 1] = {3}, strides[INLAY_MAX_RANK];
    int rank = t->rank > 0 ? t->rank : 1, last = rank - 1;
    inlay_tensor *large, *view;

    for (int i = 0; i < t->rank; i++)
        dims[i] = i == last ? 2 * t->dims[i] + 1 : t->dims[i];
    if (inlay_tensor_count(t) == 0)
        return inlay_tensor_copy(t);
    large = inlay_tensor_new(t->type, rank, dims);
    assert_non_null(large);
    for (int i = 0; i < t->rank; i++)
        strides[i] = i == last ? 2 : large->strides[i];
    view = inlay_tensor_window(large, t->rank, t->dims, strides, 1);
    assert_true(view && inlay_tensor_assign(view, t));
    inlay_tensor_release(large);
    return view;
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

        t[i] = dense ? forms_strided(dense) : NULL;
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
    run_env env = {.meter = meter_new(0, 0, false), .stats = &stats};
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

/* One dim of a shape that may end in a letter, which names its identity. */
static inlay_dim dim_with_letter(const char *text, size_t len)
{
    inlay_dim d;
    const char *why;
    int id = 0;

    if (len > 1 && islower((unsigned char)text[len - 1]))
        id = text[--len];
    if (!inlay_dim_parse(text, len, &d, &why))
        fail_msg("\"%.*s\": %s", (int)len, text, why);
    d.id = (uint32_t)id;
    return d;
}

static inlay_value *fact_operand(inlay_graph *g, const char *text, inlay_diags *d)
{
    char dims[128];
    const char *rest;
    inlay_type type = split_form(text, dims, sizeof dims, &rest);
    inlay_shape s = {.rank = 0};
    inlay_value *v;

    if (strspn(rest, " ") != strlen(rest)) {
        inlay_tensor *t = forms_tensor(text);

        v = inlay_build_const(g, NULL, t, d);
        inlay_tensor_release(t);
        return v;
    }
    if (strcmp(dims, "...") == 0)
        s.rank = -1;
    for (const char *p = dims; s.rank >= 0 && *p;) {
        size_t len = strcspn(p, ",");

        s.dim[s.rank++] = dim_with_letter(p, len);
        p += len + (p[len] == ',');
    }
    if (g->next_dim_id < MAX_IDS) /* letters are identities below this */
        g->next_dim_id = MAX_IDS;
    return inlay_build_parameter(g, NULL, type, &s, d);
}

static void print_dim(inlay_strbuf *b, inlay_dim d)
{
    char text[64];

    inlay_strbuf_puts(b, inlay_dim_text(d, text, sizeof text));
    if (d.id != 0 && d.id < MAX_IDS && !inlay_dim_is_static(d))
        inlay_strbuf_printf(b, "%c", (char)d.id);
}

static void print_fact(inlay_strbuf *b, const inlay_fact *f)
{
    inlay_strbuf_printf(b, "%s[%s", inlay_type_info_of(f->type)->name, f->rank < 0 ? "..." : "");
    for (int i = 0; i < f->rank; i++) {
        inlay_strbuf_puts(b, i ? "," : "");
        print_dim(b, f->dims[i]);
    }
    inlay_strbuf_puts(b, "]");
    for (int i = 0; f->known && i < f->n_known; i++) {
        inlay_strbuf_puts(b, i ? "," : "={");
        print_dim(b, f->known[i]);
    }
    inlay_strbuf_puts(b, f->known ? f->n_known ? "}" : "={}" : "");
}

char *rule_text(const char *op, const char *version, const char *attrs, const char *const *in)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("test", d);
    inlay_value *values[MAX_OPERANDS];
    int n_in = count_operands(in);
    inlay_strbuf b = {0};
    inlay_node *n;

    for (int i = 0; i < n_in; i++)
        values[i] = in[i] ? fact_operand(g, in[i], d) : NULL;
    n = build(g, op, version, values, n_in, attrs, d);
    if (!n)
        inlay_strbuf_printf(&b, "error: %s", first_error(d));
    for (int i = 0; n && i < n->n_out; i++) {
        inlay_strbuf_puts(&b, i ? " " : "");
        print_fact(&b, &n->out[i].fact);
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
