/* What ONNX's operators demand of the shapes of their operands. Each case has shapes that fit and
 * shapes that do not, where the operations that an import makes would broadcast:
 *
 *     all sizes known    the first are read and run, the second are refused in the words of the
 *                        case
 *     all sizes open     a model of the ranks of the first runs on them; one of the ranks of the
 *                        second is refused, when it is read or when it runs on them
 */
#include "interp/interp.h"
#include "models.h"
#include "onnx_demands.h"
#include "parser/parser.h"
#include "unit.h"

enum { MOST = 12 };

/* Shapes */

/* Reads the shape that TEXT begins with; returns what stands behind it. */
static const char *read_shape(const char *text, inlay_shape *s)
{
    s->rank = 0;
    for (text += *text == '.'; *text && *text != ' '; text += *text == ',') {
        char *end;

        s->dim[s->rank++] = inlay_dim_of(strtoll(text, &end, 10));
        text = end;
    }
    return *text ? text + 1 : text;
}

static int read_shapes(const char *text, inlay_shape *out)
{
    int n = 0;

    while (*text) {
        assert_true(n < MOST);
        text = read_shape(text, &out[n++]);
    }
    return n;
}

static void shape_text(const inlay_tensor *t, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "%s", t->rank == 0 ? "." : "");

    for (int i = 0; i < t->rank && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%lld", i ? "," : "",
                                 (long long)t->dims[i]);
}

/* Models */

/* Writes the declaration of the inputs: "float[2,3] a", or with OPEN "float[a0,a1] a". */
static void put_inputs(inlay_strbuf *b, const onnx_demand *c, const char *shapes, bool open)
{
    inlay_shape s[MOST];
    int n = read_shapes(shapes, s);
    const char *type = c->types;

    for (int i = 0; i < n; i++) {
        int length = (int)strcspn(type, " ");

        inlay_strbuf_printf(b, "%s%.*s", i ? ", " : "", length, type);
        for (int k = 0; k < s[i].rank; k++) {
            if (open)
                inlay_strbuf_printf(b, "%s%c%d", k ? "," : "[", 'a' + i, k);
            else
                inlay_strbuf_printf(b, "%s%lld", k ? "," : "[", (long long)s[i].dim[k].lo);
        }
        inlay_strbuf_printf(b, "%s %c", s[i].rank > 0 ? "]" : "", 'a' + i);
        type += length;
        type += *type == ' ';
    }
}

static inlay_graph *read_case(const onnx_demand *c, const char *shapes, bool open, inlay_diags *d)
{
    inlay_strbuf b = {0};
    inlay_graph *g;

    inlay_strbuf_printf(&b,
                        "<ir_version: 10, opset_import: [\"\" : %d, \"ai.onnx.ml\" : 3, "
                        "\"ai.onnx.preview.training\" : 1, \"com.microsoft\" : 1]>\nm (",
                        c->opset);
    put_inputs(&b, c, shapes, open);
    inlay_strbuf_printf(&b, ") => (y)\n{\n%s\n}\n", c->node);
    g = inlay_read_onnx("m.onnxtxt", b.bytes, b.n, NULL, NULL, d);
    inlay_strbuf_free(&b);
    return g;
}

/* Runs G on ones. Returns y; NULL and an error. */
static inlay_tensor *run_case(const inlay_graph *g, const char *shapes, inlay_exec_mode mode,
                              inlay_diags *d)
{
    inlay_shape s[MOST];
    int n = read_shapes(shapes, s);
    inlay_tensor *in[MOST] = {NULL}, *out[1] = {NULL};
    inlay_program *p = inlay_compile(g, &(inlay_exec_options){.mode = mode, .threads = 1}, d);
    inlay_session *session = p ? inlay_session_new(p, d) : NULL;

    assert_int_equal(n, g->n_params);
    for (int i = 0; i < n; i++) {
        int64_t dims[INLAY_MAX_RANK];

        for (int k = 0; k < s[i].rank; k++)
            dims[k] = s[i].dim[k].lo;
        in[i] = inlay_tensor_new(g->params[i]->out[0].fact.type, s[i].rank, dims);
        assert_non_null(in[i]);
        for (int64_t k = 0; k < inlay_tensor_count(in[i]); k++)
            inlay_tensor_set_f64(in[i], k, 1);
    }
    if (session)
        inlay_session_run(session, (const inlay_tensor *const *)in, NULL, out, d);
    for (int i = 0; i < n; i++)
        inlay_tensor_release(in[i]);
    inlay_session_free(session);
    inlay_program_free(p);
    return out[0];
}

/* Checks */

static int wrong;

static void say(const onnx_demand *c, const char *shapes, bool open, const char *what)
{
    print_error("%s, opset %d on %s%s: %s\n", c->node, c->opset, shapes, open ? " (open)" : "",
                what);
    wrong++;
}

static void check_taken(const onnx_demand *c, bool open)
{
    for (int mode = 0; mode < 2; mode++) {
        inlay_diags *d = inlay_diags_new();
        inlay_graph *g = read_case(c, c->fit, open, d);
        inlay_tensor *y =
            g ? run_case(g, c->fit, mode ? INLAY_EXEC_REFERENCE : INLAY_EXEC_PLANNED, d) : NULL;
        char shape[200];

        if (!y)
            say(c, c->fit, open, model_messages(d));
        else if (shape_text(y, shape, sizeof shape), strcmp(shape, c->shape) != 0)
            say(c, c->fit, open, shape);
        inlay_tensor_release(y);
        inlay_graph_free(g);
        inlay_diags_free(d);
    }
}

/* What is known is refused in the words of the case. */
static void check_refused(const onnx_demand *c)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = read_case(c, c->bad, false, d);
    const inlay_diag *e = inlay_diags_error(d);
    const char *text = e ? strstr(e->text, "): ") : NULL;

    if (g || !text || strcmp(text + 3, c->said) != 0 || inlay_diags_count(d) != 1 ||
        inlay_diags_status(d) != INLAY_INVALID)
        say(c, c->bad, false, g ? "it is taken" : model_messages(d));
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static void check_refused_in_run(const onnx_demand *c, bool open)
{
    for (int mode = 0; mode < 2; mode++) {
        inlay_diags *d = inlay_diags_new();
        inlay_graph *g = read_case(c, c->bad, open, d);
        inlay_tensor *y =
            g ? run_case(g, c->bad, mode ? INLAY_EXEC_REFERENCE : INLAY_EXEC_PLANNED, d) : NULL;

        if (y || inlay_diags_count(d) != 1 || inlay_diags_status(d) != INLAY_INVALID)
            say(c, c->bad, open, y ? "it is taken" : model_messages(d));
        inlay_tensor_release(y);
        inlay_graph_free(g);
        inlay_diags_free(d);
    }
}

static void test_demands(void **state)
{
    for (size_t i = 0; i < n_onnx_demands; i++) {
        check_taken(&onnx_demands[i], false);
        if (onnx_demands[i].said[0])
            check_refused(&onnx_demands[i]);
        else
            check_refused_in_run(&onnx_demands[i], false);
        if (onnx_demands[i].known)
            continue;
        check_taken(&onnx_demands[i], true);
        check_refused_in_run(&onnx_demands[i], true);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_demands)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
