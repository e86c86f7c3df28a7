/* What unit tests of operations share. */
#include "support.h"
#include "ir/shared.h"

#include "interp/interp.h"
#include "written.h"

#include <math.h>

enum { MAX_OPERANDS = 16 };

/* An operation being tested: a graph with one node and what feeds it. */
typedef struct subject {
    inlay_diags *diags;
    inlay_graph *graph;
    inlay_node *node;
    const inlay_tensor *in[MAX_OPERANDS];
    int n_in;
} subject;

static const char *first_message(const inlay_diags *d)
{
    return inlay_diags_count(d) > 0 ? inlay_diags_at(d, 0)->text : "(no message)";
}

/* Parses "f32[2,?] ..." to a type, a shape and what follows. */
static const char *parse_head(const char *text, inlay_type *type, inlay_shape *shape)
{
    size_t name = strcspn(text, "[ ");
    char copy[256];
    const char *why = "", *end = text + name;

    snprintf(copy, sizeof copy, "%.*s", (int)name, text);
    if (!inlay_type_by_name(copy, type))
        fail_msg("\"%s\": unknown type \"%s\"", text, copy);
    shape->rank = 0;
    if (*end == '[') {
        size_t len = strcspn(end, "]") + 1;

        snprintf(copy, sizeof copy, "%.*s", (int)len, end);
        if (!inlay_shape_parse(copy, shape, &why))
            fail_msg("\"%s\": %s", text, why);
        end += len;
    }
    return end + strspn(end, " ");
}

/* Returns whether ELEMENTS is the mark of elements that are not known before the operation runs. */
static bool is_hidden(const char *elements)
{
    return *elements == '?';
}

inlay_tensor *tensor_of(const char *text)
{
    char visible[4096];
    const char *mark = strchr(text, '?');
    inlay_diags *d = inlay_diags_new();
    inlay_tensor *t;

    snprintf(visible, sizeof visible, "%.*s%s", (int)(mark ? mark - text : (long)strlen(text)),
             text, mark ? mark + 1 : "");
    t = written_tensor(visible, d);
    if (!t)
        fail_msg("\"%s\": %s", text, first_message(d));
    inlay_diags_free(d);
    return t;
}

/* Makes a Const when elements follow (or there are none to write), else a Parameter. */
static inlay_value *operand(subject *s, const char *text)
{
    inlay_type type;
    inlay_shape shape;
    const char *elements = parse_head(text, &type, &shape);
    inlay_value *v;
    inlay_tensor *t = NULL;
    bool empty = false;

    for (int i = 0; i < shape.rank; i++)
        empty = empty || (shape.dim[i].lo == 0 && shape.dim[i].hi == 0);
    if (*elements || (empty && inlay_shape_is_static(&shape)))
        s->in[s->n_in] = t = tensor_of(text);
    if (t && !is_hidden(elements))
        v = inlay_build_const(s->graph, NULL, t, s->diags);
    else
        v = inlay_build_parameter(s->graph, NULL, type, &shape, s->diags);
    if (!v)
        fail_msg("operand \"%s\": %s", text, first_message(s->diags));
    return v;
}

/* Builds the node; S->node stays NULL when the operation was refused, which is told. */
static void build(subject *s, const char *op, const char *attrs, const char *const *in)
{
    inlay_value *values[MAX_OPERANDS] = {NULL};
    char operation[64], *blank;

    memset(s, 0, sizeof *s);
    s->diags = inlay_diags_new();
    s->graph = inlay_graph_new("test", s->diags);
    assert_non_null(s->graph);
    for (; in[s->n_in]; s->n_in++) {
        assert_true(s->n_in < MAX_OPERANDS);
        if (strcmp(in[s->n_in], "-") != 0)
            values[s->n_in] = operand(s, in[s->n_in]);
    }
    snprintf(operation, sizeof operation, "%s", op);
    if ((blank = strchr(operation, ' ')))
        *blank = '@';
    s->node = inlay_build(s->graph, "x", operation, values, s->n_in, attrs, s->diags);
    assert_int_equal(s->node != NULL, inlay_diags_status(s->diags) == INLAY_OK);
}

static void finish(subject *s)
{
    for (int i = 0; i < s->n_in; i++)
        inlay_tensor_release(s->in[i]);
    inlay_graph_free(s->graph);
    inlay_diags_free(s->diags);
}

static bool run(subject *s, inlay_tensor **out)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL);

    return e.eval_node(e.ctx, s->node, s->in, out, s->diags);
}

/* Returns whether A and B are near: they differ by a relative error of some last places of the
 * type, or of one last place of the f32 in which they were computed. */
static bool near(inlay_type type, double a, double b)
{
    double tolerance = type == INLAY_F64 ? 1e-14 : type == INLAY_F32 ? 5e-7 : 0;

    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= tolerance * fabs(b);
}

static bool same_element(const inlay_tensor *a, const inlay_tensor *b, int64_t i)
{
    if (inlay_type_is_float(a->type))
        return near(a->type, inlay_tensor_get_f64(a, i), inlay_tensor_get_f64(b, i));
    return inlay_tensor_get_i64(a, i) == inlay_tensor_get_i64(b, i);
}

static void compare(const char *op, int k, const inlay_tensor *got, const char *expected)
{
    inlay_tensor *want = tensor_of(expected);
    bool same = got->type == want->type && got->rank == want->rank;

    for (int i = 0; same && i < got->rank; i++)
        same = got->dims[i] == want->dims[i];
    if (!same)
        fail_msg("%s: output %d has type %s, rank %d and %lld elements, expected \"%s\"", op, k,
                 inlay_type_info_of(got->type)->name, got->rank, (long long)inlay_tensor_count(got),
                 expected);
    for (int64_t i = 0; i < inlay_tensor_count(got); i++) {
        if (!same_element(got, want, i))
            fail_msg("%s: output %d: element %lld is %.17g, expected %.17g", op, k, (long long)i,
                     inlay_tensor_get_f64(got, i), inlay_tensor_get_f64(want, i));
    }
    inlay_tensor_release(want);
}

void check_op(const char *op, const char *attrs, const char *const *in, const char *const *expected)
{
    subject s;
    inlay_tensor *out[MAX_OPERANDS] = {NULL};

    build(&s, op, attrs, in);
    if (!s.node || !run(&s, out))
        fail_msg("%s: %s", op, first_message(s.diags));
    for (int i = 0; i < s.node->n_out; i++) {
        if (!expected[i])
            fail_msg("%s has %d outputs", op, s.node->n_out);
        if (strcmp(expected[i], "-") != 0)
            compare(op, i, out[i], expected[i]);
        inlay_tensor_release(out[i]);
    }
    finish(&s);
}

/* Writes a fact as "f32[2,?] {1 2..3}". */
static void describe(const inlay_fact *f, bool with_known, char *buf, size_t size)
{
    char shape[256], text[64];
    size_t used;

    inlay_shape_text(f->rank, f->dims, shape, sizeof shape);
    used = (size_t)snprintf(buf, size, "%s%s", inlay_type_info_of(f->type)->name, shape);
    if (!with_known || !f->known)
        return;
    for (int i = 0; i < f->n_known && used < size; i++) {
        bool open = f->known[i].lo == INT64_MIN && f->known[i].hi == INT64_MAX;

        used += (size_t)snprintf(buf + used, size - used, "%s%s", i == 0 ? " {" : " ",
                                 open ? "?" : inlay_dim_text(f->known[i], text, sizeof text));
    }
    if (used < size)
        snprintf(buf + used, size - used, "}");
}

void check_infer(const char *op, const char *attrs, const char *const *in,
                 const char *const *expected)
{
    subject s;

    build(&s, op, attrs, in);
    if (!s.node)
        fail_msg("%s: %s", op, first_message(s.diags));
    for (int i = 0; i < s.node->n_out; i++) {
        char text[512];

        assert_non_null(expected[i]);
        describe(&s.node->out[i].fact, strchr(expected[i], '{') != NULL, text, sizeof text);
        assert_string_equal(text, expected[i]);
    }
    finish(&s);
}

static void check_message(const char *op, const inlay_diags *d, const char *text)
{
    const char *message = first_message(d);
    size_t n = strlen(message), m = strlen(text);

    if (n < m || strcmp(message + n - m, text) != 0)
        fail_msg("%s: the message is\n  %s\nexpected\n  ...%s", op, message, text);
}

void check_infer_fails(const char *op, const char *attrs, const char *const *in, const char *text)
{
    subject s;

    build(&s, op, attrs, in);
    if (s.node)
        fail_msg("%s was accepted, expected: %s", op, text);
    check_message(op, s.diags, text);
    finish(&s);
}

void check_op_fails(const char *op, const char *attrs, const char *const *in, const char *text)
{
    subject s;
    inlay_tensor *out[MAX_OPERANDS] = {NULL};

    build(&s, op, attrs, in);
    if (!s.node)
        fail_msg("%s: %s", op, first_message(s.diags));
    if (run(&s, out))
        fail_msg("%s ran, expected: %s", op, text);
    check_message(op, s.diags, text);
    finish(&s);
}
