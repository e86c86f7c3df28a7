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
#include "parser/parser.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 12 };

/* Inputs a, b, c, ... have TYPES, and shapes with blanks between them: "2,3", "." of a scalar. */
typedef struct demand {
    int opset;
    const char *types, *fit, *bad, *node;
    const char *shape; /* of y where the inputs fit */
    const char *said;  /* of the others, behind the place of the node; "": the run refuses them */
    bool known;        /* the sizes must be known: nothing is tried with open ones */
} demand;

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
static void put_inputs(inlay_strbuf *b, const demand *c, const char *shapes, bool open)
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

static inlay_graph *read_case(const demand *c, const char *shapes, bool open, inlay_diags *d)
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

static void say(const demand *c, const char *shapes, bool open, const char *what)
{
    print_error("%s, opset %d on %s%s: %s\n", c->node, c->opset, shapes, open ? " (open)" : "",
                what);
    wrong++;
}

static void check_taken(const demand *c, bool open)
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
static void check_refused(const demand *c)
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

static void check_refused_in_run(const demand *c, bool open)
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

static const demand demands[] = {
    {17, "float float", "1,3,1,3 3", "1,3,1,1 3", "y = LayerNormalization (a, b)", "1,3,1,3",
     "input[1] has shape [3], which cannot be broadcast to [1,3,1,1]", false},
    {17, "float float", "2,3 1", "2,3 2", "y = LayerNormalization (a, b)", "2,3",
     "input[1] has shape [2], which cannot be broadcast to [2,3]", false},
    {17, "float float", "2,3 2,3", "2,3 1,2,3", "y = LayerNormalization <axis = 0> (a, b)", "2,3",
     "input[1] has shape [1,2,3], which cannot be broadcast to [2,3]", false},
    {17, "float float float", "2,3 3 3", "2,1 1 3", "y = LayerNormalization (a, b, c)", "2,3",
     "input[2] has shape [3], which cannot be broadcast to [2,1]", false},
    {17, "float float float", "2,3 3 .", "2,3 3 2,1,3", "y = LayerNormalization (a, b, c)", "2,3",
     "input[2] has shape [2,1,3], which cannot be broadcast to [2,3]", false},
    {23, "float float", "1,3,1,3 3", "1,3,1,1 3", "y = RMSNormalization (a, b)", "1,3,1,3",
     "input[1] has shape [3], which cannot be broadcast to [1,3,1,1]", false},
    {23, "float float", "2,3 1,3", "1,3 2,3", "y = RMSNormalization (a, b)", "2,3",
     "input[1] has shape [2,3], which cannot be broadcast to [1,3]", false},
    {11, "float float float", "1,2,4 2 2", "1,2,4 1 2", "y = InstanceNormalization (a, b, c)",
     "1,2,4", "input[1] has shape [1], it must be [2]", false},
    {11, "float float float", "1,2,4 2 2", "1,2,4 2 1", "y = InstanceNormalization (a, b, c)",
     "1,2,4", "input[2] has shape [1], it must be [2]", false},
    {11, "float float float", "1,1,4 1 1", "1,1,4 2 1", "y = InstanceNormalization (a, b, c)",
     "1,1,4", "input[1] has shape [2], it must be [1]", false},
    {11, "float float float", "1,2,4 2 2", "1,2,4 1,2 2", "y = InstanceNormalization (a, b, c)",
     "1,2,4", "input[1] has shape [1,2], it must be [2]", false},
    {21, "float float float", "1,4,4 4 4", "1,4,4 1 4",
     "y = GroupNormalization <num_groups = 2> (a, b, c)", "1,4,4",
     "input[1] has shape [1], it must be [4]", false},
    {21, "float float float", "1,4,4 4 4", "1,4,4 4 2",
     "y = GroupNormalization <num_groups = 2> (a, b, c)", "1,4,4",
     "input[2] has shape [2], it must be [4]", false},
    {15, "float float float float float", "2,3,4 3 3 3 3", "2,3,4 1 3 3 3",
     "y = BatchNormalization (a, b, c, d, e)", "2,3,4",
     "node \"y\" (BatchNormInference-5): input 1 \"gamma\" has shape [1]: axis 0 is 1, it must be "
     "3",
     false},
    {15, "float float float float float", "2,3,4 3 3 3 3", "2,3,4 1 3 3 3",
     "y, m, v = BatchNormalization <training_mode = 1> (a, b, c, d, e)", "2,3,4",
     "input[1] has shape [1], it must be [3]", false},
    {7, "float float float float float", "2,3,4 3,4 3,4 3,4 3,4", "2,3,4 1,4 3,4 3,4 3,4",
     "y = BatchNormalization <spatial = 0> (a, b, c, d, e)", "2,3,4",
     "input[1] has shape [1,4], it must be [3,4]", false},
    {15, "float float float float float", "2,3,4 3 3 3 3", "2,3,4 3 1 3 3",
     "y = BatchNormalization (a, b, c, d, e)", "2,3,4",
     "node \"y\" (BatchNormInference-5): input 2 \"beta\" has shape [1]: axis 0 is 1, it must be 3",
     false},
    {15, "float float float float float", "2,3,4 3 3 3 3", "2,3,4 3 1 3 3",
     "y, m, v = BatchNormalization <training_mode = 1> (a, b, c, d, e)", "2,3,4",
     "input[2] has shape [1], it must be [3]", false},
    {7, "float float float float float", "2,3,4 3,4 3,4 3,4 3,4", "2,3,4 3,4 1,4 3,4 3,4",
     "y = BatchNormalization <spatial = 0> (a, b, c, d, e)", "2,3,4",
     "input[2] has shape [1,4], it must be [3,4]", false},
    {15, "float float float float float", "2,3,4 3 3 3 3", "2,3,4 3 3 1 3",
     "y = BatchNormalization (a, b, c, d, e)", "2,3,4",
     "node \"y\" (BatchNormInference-5): input 3 \"mean\" has shape [1]: axis 0 is 1, it must be 3",
     false},
    {15, "float float float float float", "2,3,4 3 3 3 3", "2,3,4 3 3 1 3",
     "y, m, v = BatchNormalization <training_mode = 1> (a, b, c, d, e)", "2,3,4",
     "input[3] has shape [1], it must be [3]", true},
    {7, "float float float float float", "2,3,4 3,4 3,4 3,4 3,4", "2,3,4 3,4 3,4 1,4 3,4",
     "y = BatchNormalization <spatial = 0> (a, b, c, d, e)", "2,3,4",
     "input[3] has shape [1,4], it must be [3,4]", false},
    {15, "float float float float float", "2,3,4 3 3 3 3", "2,3,4 3 3 3 1",
     "y = BatchNormalization (a, b, c, d, e)", "2,3,4",
     "node \"y\" (BatchNormInference-5): input 4 \"variance\" has shape [1]: axis 0 is 1, it must "
     "be 3",
     false},
    {15, "float float float float float", "2,3,4 3 3 3 3", "2,3,4 3 3 3 1",
     "y, m, v = BatchNormalization <training_mode = 1> (a, b, c, d, e)", "2,3,4",
     "input[4] has shape [1], it must be [3]", true},
    {7, "float float float float float", "2,3,4 3,4 3,4 3,4 3,4", "2,3,4 3,4 3,4 3,4 1,4",
     "y = BatchNormalization <spatial = 0> (a, b, c, d, e)", "2,3,4",
     "input[4] has shape [1,4], it must be [3,4]", false},
    {13, "float float float", "1,3 3,2 1,2", "1,3 3,2 4,2", "y = Gemm (a, b, c)", "1,2",
     "input[2] has shape [4,2], which cannot be broadcast to [1,2]", false},
    {13, "float float float", "4,3 3,2 2", "4,3 3,2 1,4,2", "y = Gemm (a, b, c)", "4,2",
     "input[2] has shape [1,4,2], which cannot be broadcast to [4,2]", false},
    {13, "float float float", "4,3 3,2 4,1", "4,3 3,2 4", "y = Gemm (a, b, c)", "4,2",
     "input[2] has shape [4], which cannot be broadcast to [4,2]", false},
    {13, "float float float", "4,3 2,3 .", "4,3 1,3 2",
     "y = Gemm <transB = 1, beta = 0.5> (a, b, c)", "4,2",
     "input[2] has shape [2], which cannot be broadcast to [4,1]", false},
    {13, "float float", "4,3 3,2", "2,4,3 3,2", "y = Gemm (a, b)", "4,2",
     "input[0] has 3 axes, it must have 2", false},
    {13, "float float", "4,3 3,2", "4,3 3", "y = Gemm (a, b)", "4,2",
     "input[1] has 1 axis, it must have 2", false},
    {11, "float float float", "1,1,4 2,1,2 2", "1,1,4 2,1,2 1", "y = Conv (a, b, c)", "1,2,3",
     "input[2] has shape [1], it must be [2]", false},
    {11, "float float float", "1,1,4 1,1,2 1", "1,1,4 1,1,2 2", "y = Conv (a, b, c)", "1,1,3",
     "input[2] has shape [2], it must be [1]", false},
    {11, "float float float", "1,1,4 2,1,2 2", "1,1,4 2,1,2 2,1", "y = Conv (a, b, c)", "1,2,3",
     "input[2] has shape [2,1], it must be [2]", false},
    {11, "float float float", "1,1,4 1,2,2 2", "1,1,4 1,2,2 1", "y = ConvTranspose (a, b, c)",
     "1,2,5", "input[2] has shape [1], it must be [2]", false},
    {11, "float float float", "1,2,4 2,2,2 4", "1,2,4 2,2,2 2",
     "y = ConvTranspose <group = 2> (a, b, c)", "1,4,5", "input[2] has shape [2], it must be [4]",
     true},
    {19, "float float float float", "1,1,3,3 2,1,2,2 1,8,2,2 2", "1,1,3,3 2,1,2,2 1,8,2,2 1",
     "y = DeformConv (a, b, c, d)", "1,2,2,2", "input[3] has shape [1], it must be [2]", false},
    {10, "uint8 uint8 uint8 uint8", "1,1,4 2,1,2 . 2", "1,1,4 2,1,2 . 3",
     "y = ConvInteger (a, b, c, d)", "1,2,3",
     "input[3] has shape [3], which cannot be broadcast to [2,1,2]", false},
    {10, "uint8 uint8 uint8", "1,2,4 2,2,2 1", "1,2,4 2,2,2 2", "y = ConvInteger (a, b, c)",
     "1,2,3", "input[2] has shape [2], it must be a scalar", false},
    {10, "uint8 float uint8 uint8 float uint8 float uint8 int32", "1,1,4 . . 2,1,2 2 2 . . 2",
     "1,1,4 . . 2,1,2 2 2 . . 1", "y = QLinearConv (a, b, c, d, e, f, g, h, i)", "1,2,3",
     "input[8] has shape [1], it must be [2]", false},
    {10, "uint8 float uint8 uint8 float uint8 float uint8 int32", "1,1,4 . . 2,1,2 2 2 . . 2",
     "1,1,4 2 . 2,1,2 2 2 . . 2", "y = QLinearConv (a, b, c, d, e, f, g, h, i)", "1,2,3",
     "input[1] has shape [2], it must be a scalar", false},
    {10, "uint8 float uint8 uint8 float uint8 float uint8 int32", "1,1,4 . . 2,1,2 2 2 . . 2",
     "1,1,4 . 2 2,1,2 2 2 . . 2", "y = QLinearConv (a, b, c, d, e, f, g, h, i)", "1,2,3",
     "input[2] has shape [2], it must be a scalar", false},
    {10, "uint8 float uint8 uint8 float uint8 float uint8 int32", "1,1,4 . . 2,1,2 2 2 . . 2",
     "1,1,4 . . 2,1,2 2 2 2 . 2", "y = QLinearConv (a, b, c, d, e, f, g, h, i)", "1,2,3",
     "input[6] has shape [2], it must be a scalar", false},
    {10, "uint8 float uint8 uint8 float uint8 float uint8 int32", "1,1,4 . . 2,1,2 2 2 . . 2",
     "1,1,4 . . 2,1,2 2 2 . 2 2", "y = QLinearConv (a, b, c, d, e, f, g, h, i)", "1,2,3",
     "input[7] has shape [2], it must be a scalar", false},
    {10, "uint8 float uint8 uint8 float uint8 float uint8 int32", "1,1,4 . . 2,1,2 2 2 . . 2",
     "1,1,4 . . 2,1,2 3 2 . . 2", "y = QLinearConv (a, b, c, d, e, f, g, h, i)", "1,2,3",
     "input[5] has shape [2], it must be [3]", false},
    {10, "uint8 float uint8 uint8 float uint8 float uint8 int32", "1,1,4 . . 2,1,2 2 2 . . 2",
     "1,1,4 . . 2,1,2 2 3 . . 2", "y = QLinearConv (a, b, c, d, e, f, g, h, i)", "1,2,3",
     "input[5] has shape [3], it must be [2]", false},
    {10, "uint8 float uint8 uint8 float uint8 float uint8 int32", "1,1,4 . . 2,1,2 2 2 . . 2",
     "1,1,4 . . 2,1,2 3 3 . . 2", "y = QLinearConv (a, b, c, d, e, f, g, h, i)", "1,2,3",
     "input[5] has shape [3], which cannot be broadcast to [2,1,2]", false},
    {10, "uint8 uint8 uint8 uint8", "2,3 3,4 2 4", "1,3 3,4 2 4", "y = MatMulInteger (a, b, c, d)",
     "2,4", "input[2] has shape [2], which cannot be broadcast to [1,3]", false},
    {10, "uint8 uint8 uint8 uint8", "2,3 3,4 1 4", "2,3 3,1 1 4", "y = MatMulInteger (a, b, c, d)",
     "2,4", "input[3] has shape [4], which cannot be broadcast to [3,1]", false},
    {10, "uint8 float uint8 uint8 float uint8 float uint8", "2,3 2 2 3,4 4 4 . .",
     "2,3 2 2 3,4 4 4 3 .", "y = QLinearMatMul (a, b, c, d, e, f, g, h)", "2,4",
     "input[7] has shape [], it must be [3]", false},
    {10, "uint8 float uint8 uint8 float uint8 float uint8", "2,3 2 2 3,4 4 4 . .",
     "2,3 2 2 3,4 1 4 . .", "y = QLinearMatMul (a, b, c, d, e, f, g, h)", "2,4",
     "input[5] has shape [4], it must be [1]", false},
    {10, "uint8 float uint8 uint8 float uint8 float uint8", "2,3 2 2 3,4 4 4 . .",
     "2,3 3 2 3,4 4 4 . .", "y = QLinearMatMul (a, b, c, d, e, f, g, h)", "2,4",
     "input[2] has shape [2], it must be [3]", false},
    {10, "uint8 float uint8 uint8 float uint8 float uint8", "2,3 2 2 3,4 4 4 . .",
     "2,3 3 3 3,4 4 4 . .", "y = QLinearMatMul (a, b, c, d, e, f, g, h)", "2,4",
     "input[2] has shape [3], which cannot be broadcast to [2,3]", false},
    {13, "float float uint8", "2,3 3 3", "2,1 3 3", "y = QuantizeLinear (a, b, c)", "2,3",
     "input[1] has shape [3], which cannot be broadcast to [2,1]", false},
    {13, "float float uint8", "2,3 1 .", "2,3 2 2", "y = QuantizeLinear (a, b, c)", "2,3",
     "input[1] has shape [2], which cannot be broadcast to [2,3]", false},
    {13, "float float uint8", ". 1 1", ". 2 2", "y = QuantizeLinear (a, b, c)", ".",
     "input[1] has shape [2], it must be [1]", false},
    {13, "float float uint8", "3 3 3", "1 3 3", "y = QuantizeLinear <axis = 0> (a, b, c)", "3",
     "input[1] has shape [3], which cannot be broadcast to [1]", false},
    {13, "float float uint8", "2,3 3 3", "2,3 3 1", "y = QuantizeLinear (a, b, c)", "2,3",
     "input[2] has shape [1], it must be [3]", false},
    {21, "float float uint8", "2,6 2,2 2,2", "2,6 1,2 1,2",
     "y = QuantizeLinear <block_size = 3> (a, b, c)", "2,6",
     "input[1] has shape [1,2], it must be [2,2]", false},
    {21, "float float uint8", "2,6 2,2 2,2", "2,6 2,3 2,3",
     "y = QuantizeLinear <block_size = 3> (a, b, c)", "2,6",
     "input[1] has shape [2,3], it must be [2,2]", false},
    {13, "uint8 float uint8", "2,3 3 3", "2,1 3 3", "y = DequantizeLinear (a, b, c)", "2,3",
     "input[2] has shape [3], which cannot be broadcast to [2,1]", false},
    {13, "uint8 float uint8", "2,3 1 .", "2,3 2 2", "y = DequantizeLinear (a, b, c)", "2,3",
     "input[2] has shape [2], which cannot be broadcast to [2,3]", false},
    {13, "uint8 float uint8", ". 1 1", ". 2 2", "y = DequantizeLinear (a, b, c)", ".",
     "input[2] has shape [2], it must be [1]", false},
    {13, "uint8 float uint8", "3 3 3", "1 3 3", "y = DequantizeLinear <axis = 0> (a, b, c)", "3",
     "input[2] has shape [3], which cannot be broadcast to [1]", false},
    {13, "uint8 float uint8", "2,3 3 3", "2,3 3 1", "y = DequantizeLinear (a, b, c)", "2,3",
     "input[2] has shape [1], it must be [3]", false},
    {21, "uint8 float uint8", "2,6 2,2 2,2", "2,6 1,2 1,2",
     "y = DequantizeLinear <block_size = 3> (a, b, c)", "2,6",
     "input[2] has shape [1,2], it must be [2,2]", false},
    {21, "uint8 float uint8", "2,6 2,2 2,2", "2,6 2,3 2,3",
     "y = DequantizeLinear <block_size = 3> (a, b, c)", "2,6",
     "input[2] has shape [2,3], it must be [2,2]", false},
    {13, "float float", "2,3 .", "2,3 3", "y = Clip (a, b)", "2,3",
     "input[1] has shape [3], it must be a scalar", false},
    {13, "float float", "2,3 1", "2,3 1,1", "y = Clip (a, \"\", b)", "2,3",
     "input[2] has shape [1,1], it must be a scalar", false},
    {13, "float float", ". 1", ". 2", "y = Clip (a, \"\", b)", ".",
     "input[2] has shape [2], it must be a scalar", false},
    {13, "int64 int64 float", "2 . 2", "2 . 3", "y = OneHot (a, b, c)", "2,1",
     "input[2] has shape [3], it must be [2]", false},
    {13, "int64 int64 float", "2 1 2", "2 2 2", "y = OneHot (a, b, c)", "2,1",
     "input[1] has shape [2], it must be a scalar", false},
    {13, "int64 int64 float", "2 . 2", "2 . 1", "y = OneHot (a, b, c)", "2,1",
     "input[2] has shape [1], it must be [2]", false},
    {14, "float int64", "2,3 .", "2,3 2", "y = Trilu (a, b)", "2,3",
     "input[1] has shape [2], it must be a scalar", false},
    {14, "float int64", "2,3 1", "2,3 1,1", "y = Trilu (a, b)", "2,3",
     "input[1] has shape [1,1], it must be a scalar", false},
    {11, "float int64", "3 1", "3 2", "y, i = TopK (a, b)", "1",
     "input[1] has shape [2], it must be a scalar", false},
    {13, "float float bool", "2,3 . .", "2,3 3 .", "y = Dropout (a, b, c)", "2,3",
     "input[1] has shape [3], it must be a scalar", false},
    {13, "float float bool", "2,3 1 1", "2,3 1 3", "y = Dropout (a, b, c)", "2,3",
     "input[2] has shape [3], it must be a scalar", false},
    {17, "int64", ".", "2", "y = HannWindow (a)", "1",
     "input[0] has shape [2], it must be a scalar", false},
    {11, "int64 int64 int64", ". . .", "2 . .", "y = Range (a, b, c)", "0",
     "node \"y\" (Range-4): input 0 \"start\" has shape [2], it must have one element", false},
    {11, "float int64", "2,3 .", "2,3 2", "y = CumSum (a, b)", "2,3",
     "node \"y\" (CumSum-3): input 1 \"axis\" has shape [2], it must be one number", false},
    {13, "float int64 float", "2 2 .", "2 2 2", "y = Pad (a, b, c)", "4",
     "input[2] has shape [2], it must be a scalar", false},
    {9, "float float", "2,3 3", "2,1 3", "y = PRelu (a, b)", "2,3",
     "input[1] has shape [3], which cannot be broadcast to [2,1]", false},
    {9, "float float", "2,3 1", "3 2,3", "y = PRelu (a, b)", "2,3",
     "input[1] has shape [2,3], which cannot be broadcast to [3]", false},
    {9, "float float", "2,3 .", "2,3 2", "y = PRelu (a, b)", "2,3",
     "input[1] has shape [2], which cannot be broadcast to [2,3]", false},
    {6, "float float", "2,3,4 3", "2,3,4 4", "y = PRelu (a, b)", "2,3,4",
     "input[1] has shape [4], which cannot be broadcast to [2,3,4]", false},
    {6, "float float", "2,3 2,3", "2,3 3", "y = Add (a, b)", "2,3",
     "input[1] has shape [3], it must be [2,3]", true},
    /* Attribute axis says nothing where nothing is broadcast. */
    {6, "float float", "2,3 2,3", "2,3 3", "y = Add <axis = 1> (a, b)", "2,3",
     "input[1] has shape [3], it must be [2,3]", false},
    {6, "float float", "2,3 3", "3 2,3", "y = Add <broadcast = 1> (a, b)", "2,3",
     "input[1] has shape [2,3], which cannot be broadcast to [3]", false},
    {6, "float float", "2,3,4 3", "2,3,4 4", "y = Mul <axis = 1, broadcast = 1> (a, b)", "2,3,4",
     "input[1] has shape [4], which cannot be broadcast to [2,3,4]", false},
    {6, "float float", "2,3,4 3,4", "2,3,4 3,4,1", "y = Mul <axis = 1, broadcast = 1> (a, b)",
     "2,3,4", "input[1] has 3 axes from axis 1 on, input[0] has 3", false},
    {6, "float float", "2,3 2,3", "2,3 2,1", "y = Sum (a, b)", "2,3",
     "input[1] has shape [2,1], it must be [2,3]", true},
    {6, "float float", "2,3 2,3", "2,3 3", "y = Max (a, b)", "2,3",
     "input[1] has shape [3], it must be [2,3]", true},
    {6, "float float", "2,3 2,3", "1,3 2,3", "y = Mean (a, b)", "2,3",
     "input[1] has shape [2,3], it must be [1,3]", true},
    {28, "float float", "2,3 2,3", "2,3 3", "y = SwiGLU (a, b)", "2,3",
     "input[1] has shape [3], it must be [2,3]", true},
    {13, "float int64 float", "2,3,4 2,4 3", "2,3,4 1,4 3",
     "y = NegativeLogLikelihoodLoss <reduction = \"none\"> (a, b, c)", "2,4",
     "input[1] has shape [1,4], it must be [2,4]", false},
    {13, "float int64 float", "2,3,4 2,4 3", "2,3,4 2,3 3",
     "y = NegativeLogLikelihoodLoss <reduction = \"none\"> (a, b, c)", "2,4",
     "input[1] has shape [2,3], it must be [2,4]", false},
    {13, "float int64 float", "2,3,4 2,4 3", "2,3,4 2,4 4",
     "y = NegativeLogLikelihoodLoss <reduction = \"none\"> (a, b, c)", "2,4",
     "input[2] has shape [4], it must be [3]", false},
    {13, "float int64 float", "2,3 2 3", "2,3 2,1 3",
     "y = NegativeLogLikelihoodLoss <reduction = \"none\"> (a, b, c)", "2",
     "input[1] has shape [2,1], it must be [2]", false},
    {13, "float int64 float", "2,3,4 2,4 3", "2,3,4 1,4 3",
     "y = SoftmaxCrossEntropyLoss <reduction = \"none\"> (a, b, c)", "2,4",
     "input[1] has shape [1,4], it must be [2,4]", false},
    {13, "float int64 float", "2,3,4 2,4 3", "2,3,4 2,3 3",
     "y = SoftmaxCrossEntropyLoss <reduction = \"none\"> (a, b, c)", "2,4",
     "input[1] has shape [2,3], it must be [2,4]", false},
    {13, "float int64 float", "2,3,4 2,4 3", "2,3,4 2,4 4",
     "y = SoftmaxCrossEntropyLoss <reduction = \"none\"> (a, b, c)", "2,4",
     "input[2] has shape [4], it must be [3]", false},
    {13, "float int64 float", "2,3 2 3", "2,3 2,1 3",
     "y = SoftmaxCrossEntropyLoss <reduction = \"none\"> (a, b, c)", "2",
     "input[1] has shape [2,1], it must be [2]", false},
    {14, "float float float float int32 float float float",
     "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2 1,6", "5,3,4 1,16,4 1,8,2 1,16 3 1,3,2 1,3,2 1,6",
     "y = LSTM <hidden_size = 2> (a, b, c, d, e, f, g, h)", "5,1,3,2",
     "input[1] has shape [1,16,4], it must be [1,8,4]", false},
    {14, "float float float float int32 float float float",
     "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2 1,6", "5,3,4 1,8,3 1,8,2 1,16 3 1,3,2 1,3,2 1,6",
     "y = LSTM <hidden_size = 2> (a, b, c, d, e, f, g, h)", "5,1,3,2",
     "input[1] has shape [1,8,3], it must be [1,8,4]", false},
    {14, "float float float float int32 float float float",
     "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2 1,6", "5,3,4 2,8,4 1,8,2 1,16 3 1,3,2 1,3,2 1,6",
     "y = LSTM <hidden_size = 2> (a, b, c, d, e, f, g, h)", "5,1,3,2",
     "input[1] has shape [2,8,4], it must be [1,8,4]", false},
    {14, "float float float float int32 float float float",
     "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2 1,6", "5,3,4 1,8,4 1,8,4 1,16 3 1,3,2 1,3,2 1,6",
     "y = LSTM <hidden_size = 2> (a, b, c, d, e, f, g, h)", "5,1,3,2",
     "input[2] has shape [1,8,4], it must be [1,8,2]", false},
    {14, "float float float float int32 float float float",
     "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2 1,6", "5,3,4 1,8,4 1,8,2 1,8 3 1,3,2 1,3,2 1,6",
     "y = LSTM <hidden_size = 2> (a, b, c, d, e, f, g, h)", "5,1,3,2",
     "input[3] has shape [1,8], it must be [1,16]", false},
    {14, "float float float float int32 float float float",
     "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2 1,6", "5,3,4 1,8,4 1,8,2 1,1 3 1,3,2 1,3,2 1,6",
     "y = LSTM <hidden_size = 2> (a, b, c, d, e, f, g, h)", "5,1,3,2",
     "input[3] has shape [1,1], it must be [1,16]", false},
    {14, "float float float float int32 float float float",
     "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2 1,6", "5,3,4 1,8,4 1,8,2 1,16 1 1,3,2 1,3,2 1,6",
     "y = LSTM <hidden_size = 2> (a, b, c, d, e, f, g, h)", "5,1,3,2",
     "input[4] has shape [1], it must be [3]", false},
    {14, "float float float float int32 float float float",
     "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2 1,6", "5,3,4 1,8,4 1,8,2 1,16 3 1,1,2 1,3,2 1,6",
     "y = LSTM <hidden_size = 2> (a, b, c, d, e, f, g, h)", "5,1,3,2",
     "input[5] has shape [1,1,2], it must be [1,3,2]", false},
    {14, "float float float float int32 float float float",
     "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2 1,6", "5,3,4 1,8,4 1,8,2 1,16 3 1,3,1 1,3,2 1,6",
     "y = LSTM <hidden_size = 2> (a, b, c, d, e, f, g, h)", "5,1,3,2",
     "input[5] has shape [1,3,1], it must be [1,3,2]", false},
    {14, "float float float float int32 float float float",
     "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2 1,6", "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,1,2 1,6",
     "y = LSTM <hidden_size = 2> (a, b, c, d, e, f, g, h)", "5,1,3,2",
     "input[6] has shape [1,1,2], it must be [1,3,2]", false},
    {14, "float float float float int32 float float float",
     "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2 1,6", "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2 1,2",
     "y = LSTM <hidden_size = 2> (a, b, c, d, e, f, g, h)", "5,1,3,2",
     "input[7] has shape [1,2], it must be [1,6]", false},
    {14, "float float float float int32 float float", "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2",
     "5,3,4 1,8,4 1,8,2 1,16 3 1,1,2 1,3,2", "y = LSTM <hidden_size = 2> (a, b, c, d, e, f, g)",
     "5,1,3,2", "input[5] has shape [1,1,2], it must be [1,3,2]", false},
    {14, "float float float float int32 float float", "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2",
     "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,1,2", "y = LSTM <hidden_size = 2> (a, b, c, d, e, f, g)",
     "5,1,3,2", "input[6] has shape [1,1,2], it must be [1,3,2]", false},
    {14, "float float float float int32 float float", "5,3,4 1,8,4 1,8,2 1,16 3 1,3,2 1,3,2",
     "5,3,4 1,8,4 1,8,2 1,8 3 1,3,2 1,3,2", "y = LSTM <hidden_size = 2> (a, b, c, d, e, f, g)",
     "5,1,3,2", "input[3] has shape [1,8], it must be [1,16]", false},
    {14, "float float float float int32 float", "5,3,4 1,6,4 1,6,2 1,12 3 1,3,2",
     "5,3,4 1,12,4 1,6,2 1,12 3 1,3,2", "y = GRU <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[1] has shape [1,12,4], it must be [1,6,4]", false},
    {14, "float float float float int32 float", "5,3,4 1,6,4 1,6,2 1,12 3 1,3,2",
     "5,3,4 1,6,3 1,6,2 1,12 3 1,3,2", "y = GRU <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[1] has shape [1,6,3], it must be [1,6,4]", false},
    {14, "float float float float int32 float", "5,3,4 1,6,4 1,6,2 1,12 3 1,3,2",
     "5,3,4 2,6,4 1,6,2 1,12 3 1,3,2", "y = GRU <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[1] has shape [2,6,4], it must be [1,6,4]", false},
    {14, "float float float float int32 float", "5,3,4 1,6,4 1,6,2 1,12 3 1,3,2",
     "5,3,4 1,6,4 1,6,4 1,12 3 1,3,2", "y = GRU <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[2] has shape [1,6,4], it must be [1,6,2]", false},
    {14, "float float float float int32 float", "5,3,4 1,6,4 1,6,2 1,12 3 1,3,2",
     "5,3,4 1,6,4 1,6,2 1,6 3 1,3,2", "y = GRU <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[3] has shape [1,6], it must be [1,12]", false},
    {14, "float float float float int32 float", "5,3,4 1,6,4 1,6,2 1,12 3 1,3,2",
     "5,3,4 1,6,4 1,6,2 1,1 3 1,3,2", "y = GRU <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[3] has shape [1,1], it must be [1,12]", false},
    {14, "float float float float int32 float", "5,3,4 1,6,4 1,6,2 1,12 3 1,3,2",
     "5,3,4 1,6,4 1,6,2 1,12 1 1,3,2", "y = GRU <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[4] has shape [1], it must be [3]", false},
    {14, "float float float float int32 float", "5,3,4 1,6,4 1,6,2 1,12 3 1,3,2",
     "5,3,4 1,6,4 1,6,2 1,12 3 1,1,2", "y = GRU <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[5] has shape [1,1,2], it must be [1,3,2]", false},
    {14, "float float float float int32 float", "5,3,4 1,6,4 1,6,2 1,12 3 1,3,2",
     "5,3,4 1,6,4 1,6,2 1,12 3 1,3,1", "y = GRU <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[5] has shape [1,3,1], it must be [1,3,2]", false},
    {14, "float float float float int32 float", "5,3,4 1,2,4 1,2,2 1,4 3 1,3,2",
     "5,3,4 1,4,4 1,2,2 1,4 3 1,3,2", "y = RNN <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[1] has shape [1,4,4], it must be [1,2,4]", false},
    {14, "float float float float int32 float", "5,3,4 1,2,4 1,2,2 1,4 3 1,3,2",
     "5,3,4 1,2,3 1,2,2 1,4 3 1,3,2", "y = RNN <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[1] has shape [1,2,3], it must be [1,2,4]", false},
    {14, "float float float float int32 float", "5,3,4 1,2,4 1,2,2 1,4 3 1,3,2",
     "5,3,4 2,2,4 1,2,2 1,4 3 1,3,2", "y = RNN <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[1] has shape [2,2,4], it must be [1,2,4]", false},
    {14, "float float float float int32 float", "5,3,4 1,2,4 1,2,2 1,4 3 1,3,2",
     "5,3,4 1,2,4 1,2,4 1,4 3 1,3,2", "y = RNN <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[2] has shape [1,2,4], it must be [1,2,2]", false},
    {14, "float float float float int32 float", "5,3,4 1,2,4 1,2,2 1,4 3 1,3,2",
     "5,3,4 1,2,4 1,2,2 1,2 3 1,3,2", "y = RNN <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[3] has shape [1,2], it must be [1,4]", false},
    {14, "float float float float int32 float", "5,3,4 1,2,4 1,2,2 1,4 3 1,3,2",
     "5,3,4 1,2,4 1,2,2 1,1 3 1,3,2", "y = RNN <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[3] has shape [1,1], it must be [1,4]", false},
    {14, "float float float float int32 float", "5,3,4 1,2,4 1,2,2 1,4 3 1,3,2",
     "5,3,4 1,2,4 1,2,2 1,4 1 1,3,2", "y = RNN <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[4] has shape [1], it must be [3]", false},
    {14, "float float float float int32 float", "5,3,4 1,2,4 1,2,2 1,4 3 1,3,2",
     "5,3,4 1,2,4 1,2,2 1,4 3 1,1,2", "y = RNN <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[5] has shape [1,1,2], it must be [1,3,2]", false},
    {14, "float float float float int32 float", "5,3,4 1,2,4 1,2,2 1,4 3 1,3,2",
     "5,3,4 1,2,4 1,2,2 1,4 3 1,3,1", "y = RNN <hidden_size = 2> (a, b, c, d, e, f)", "5,1,3,2",
     "input[5] has shape [1,3,1], it must be [1,3,2]", false},
    {13, "float int64", "2,3 2", "2,3 1", "y = Tile (a, b)", "2,3",
     "input[1] has shape [1], it must be [2]", false},
    {18, "float int64", "2,3 2", "2,3 1", "y = CenterCropPad (a, b)", "1,1",
     "input[1] has shape [1], it must be [2]", false},
    {10, "float int64", "2,3 3", "2,3 2", "y = ReverseSequence (a, b)", "2,3",
     "input[1] has shape [2], it must be [3]", false},
    {13, "float", "1,4,2,2", "1,4,2", "y = DepthToSpace <blocksize = 2> (a)", "1,1,4,4",
     "input[0] has 3 axes, it must have 4", false},
    {13, "float", "1,1,4,4", "1,1,4,4,4", "y = SpaceToDepth <blocksize = 2> (a)", "1,4,2,2",
     "input[0] has 5 axes, it must have 4", false},
    {13, "float int64", "2 2", "4 4", "y, z = Split (a, b)", "1",
     "makes 4 parts, and has 2 outputs", true},
    {11, "float int64", "1,1,2 1,1,2", "1,1,2 1,1,1",
     "y = MaxUnpool <kernel_shape = [2], strides = [2]> (a, b)", "1,1,4",
     "input[1] has shape [1,1,1], it must be [1,1,2]", false},
    {23, "float float float", "2,4,3,8 2,2,5,8 2,2,5,8", "2,4,3,8 1,2,5,8 1,2,5,8",
     "y = Attention (a, b, c)", "2,4,3,8", "input[1] has shape [1,2,5,8], it must be [2,?,?,?]",
     false},
    {23, "float float float", "2,4,3,8 2,2,5,8 2,2,5,8", "2,4,3,8 2,2,5,8 1,2,5,8",
     "y = Attention (a, b, c)", "2,4,3,8", "input[2] has shape [1,2,5,8], it must be [2,2,5,?]",
     false},
    {23, "float float float", "2,4,3,8 2,2,5,8 2,2,5,8", "2,4,3,8 2,2,5,8 2,1,5,8",
     "y = Attention (a, b, c)", "2,4,3,8", "input[2] has shape [2,1,5,8], it must be [2,2,5,?]",
     false},
    {23, "float float float float", "1,2,3,8 1,2,5,8 1,2,5,8 3,5",
     "1,2,3,8 1,2,5,8 1,2,5,8 2,1,3,5", "y = Attention (a, b, c, d)", "1,2,3,8",
     "axis 0 of the mask has 2 elements, that of the scores has 1", false},
    {23, "float float float float", "1,2,3,8 1,2,5,8 1,2,5,8 3,5", "1,2,1,8 1,2,5,8 1,2,5,8 3,5",
     "y = Attention (a, b, c, d)", "1,2,3,8",
     "axis 0 of the mask has 3 elements, that of the scores has 1", false},
    {23, "float float float float float", "2,2,3,8 2,2,5,8 2,2,5,8 2,2,1,8 2,2,1,8",
     "2,2,3,8 2,2,5,8 2,2,5,8 1,2,1,8 2,2,1,8", "y = Attention (a, b, c, \"\", d, e)", "2,2,3,8",
     "input[4] has shape [1,2,1,8], it must be [2,2,?,8]", false},
    {23, "float float float int64", "2,2,3,8 4,4 4,4 2,3", "2,2,3,8 4,4 4,4 1,3",
     "y = RotaryEmbedding (a, b, c, d)", "2,2,3,8", "input[3] has shape [1,3], it must be [2,3]",
     false},
    {23, "float float float", "2,2,3,8 2,3,4 2,3,4", "2,2,3,8 1,3,4 2,3,4",
     "y = RotaryEmbedding (a, b, c)", "2,2,3,8", "input[1] has shape [1,3,4], it must be [2,3,?]",
     false},
    {23, "float float float", "2,2,3,8 2,3,4 2,3,4", "2,2,3,8 2,3,4 2,1,4",
     "y = RotaryEmbedding (a, b, c)", "2,2,3,8", "input[2] has shape [2,1,4], it must be [2,3,?]",
     false},
    {27, "float float float", "1,2,4 2,1,3 2", "1,2,4 2,1,3 1", "y = CausalConvWithState (a, b, c)",
     "1,2,4", "input[2] has shape [1], it must be [2]", false},
    {27, "float float float", "1,2,4 2,1,3 1,2,2", "1,2,4 2,1,3 1,2,3",
     "y = CausalConvWithState (a, b, \"\", c)", "1,2,4",
     "input[3] has shape [1,2,3], it must be [1,2,2]", false},
    {17, "float int64 float float float", ". . 2 2 2", ". . 2 1 2",
     "y, v = ai.onnx.preview.training.Momentum <alpha = 0.9, beta = 1.0, mode = \"standard\", "
     "norm_coefficient = 0.0> (a, b, c, d, e)",
     "2", "input[3] has shape [1], it must be [2]", false},
    {17, "float", "2,3", "2,1",
     "y = ai.onnx.ml.Scaler <offset = [1.0, 2.0, 3.0], scale = [1.0]> (a)", "2,3",
     "attribute \"offset\" has 3 elements, it must have 1 or 1", true},
    {17, "float", "2,3", "2,1",
     "y = ai.onnx.ml.Imputer <imputed_value_floats = [1.0, 2.0, 3.0], replaced_value_float = 0.0> "
     "(a)",
     "2,3", "attribute \"imputed_value_floats\" has 3 elements, it must have 1 or 1", true},
    {20, "float int64", "1,2,3 4", "1,3,3 4", "y = AffineGrid (a, b)", "1,1,1,2",
     "input[0] has shape [1,3,3], it must be [?,2,3]", true},
    {11, "float float", "1,5,4 1,2,5", "1,5,4 2,2,5", "y = NonMaxSuppression (a, b)", "0,3",
     "node \"y\" (NonMaxSuppression-9): input 1 \"scores\" has shape [2,2,5]: axis 0 is 2, it must "
     "be 1",
     false},
    {11, "float float int64", "1,5,4 1,2,5 .", "1,5,4 1,2,5 2", "y = NonMaxSuppression (a, b, c)",
     "2,3",
     "node \"y\" (NonMaxSuppression-9): input 2 \"max_output_boxes_per_class\" has shape [2], it "
     "must be one number",
     false},
    {16, "float float int64", "2,1,4,4 3,4 3", "2,1,4,4 3,4 1", "y = RoiAlign (a, b, c)", "3,1,1,1",
     "node \"y\" (ROIAlign-9): input 1 \"rois\" has shape [3,4]: axis 0 is 3, it must be 1", false},
    {16, "float float int64", "2,1,4,4 3,4 3", "2,1,4,4 3,5 3", "y = RoiAlign (a, b, c)", "3,1,1,1",
     "node \"y\" (ROIAlign-9): input 1 \"rois\" has shape [3,5], a region has 4 numbers", false},
    {16, "float float", "2,1,4,4 2,3,3,2", "2,1,4,4 1,3,3,2", "y = GridSample (a, b)", "2,1,3,3",
     "node \"y\" (GridSample-9): input 1 \"grid\" has shape [1,3,3,2]: axis 0 is 1, it must be 2",
     false},
    {16, "float float", "2,1,4,4 2,3,3,2", "2,1,4,4 2,3,3,3", "y = GridSample (a, b)", "2,1,3,3",
     "node \"y\" (GridSample-9): input 1 \"grid\" has shape [2,3,3,3], its last axis must have 2 "
     "elements",
     false},
    {13, "float float", "1,2,4 3", "1,2,4 2", "y = Resize (a, \"\", b)", "1,2,4",
     "node \"y\" (Resize-19): input 2 \"scales\" has shape [2], it must have 3 elements for 3 axes",
     false},
    {13, "float int64", "1 1", "1 1,1", "y = Reshape (a, b)", "1",
     "node \"y\" (Reshape-1): input 1 \"shape\" has shape [1,1], it must have rank 1", false},
    {13, "float int64 int64", "2,3 2 2", "2,3 2 1", "y = Slice (a, b, c)", "0,0",
     "node \"y\" (Slice-8): input 2 \"stop\" has shape [1]: axis 0 is 1, it must be 2", false},
    {13, "float int64 int64 int64", "2,3 1 1 1", "2,3 1 1 2", "y = Slice (a, b, c, d)", "2,0",
     "node \"y\" (Slice-8): input 4 \"axes\" has shape [2]: axis 0 is 2, it must be 1", false},
    {13, "float int64 float", "2,3 1,2 1,2", "2,3 1,2 1,1", "y = ScatterElements (a, b, c)", "2,3",
     "node \"y\" (ScatterElementsUpdate-12): input 2 \"updates\" has shape [1,1]: axis 1 is 1, it "
     "must be 2",
     false},
    {13, "float int64 float", "2,3 1,1 1,3", "2,3 1,1 1,1", "y = ScatterND (a, b, c)", "2,3",
     "node \"y\" (ScatterNDUpdate-15): input 2 \"updates\" has shape [1,1]: axis 1 is 1, it must "
     "be 3",
     false},
    {13, "float int64 float", "2,3 1,1 1,3", "2,3 1,1 1", "y = ScatterND (a, b, c)", "2,3",
     "node \"y\" (ScatterNDUpdate-15): input 2 \"updates\" has shape [1], it must have rank 2",
     false},
    {13, "float int64", "2,3 2,3", "2,3 3", "y = GatherElements (a, b)", "2,3",
     "node \"y\" (GatherElements-6): input 1 \"indices\" has shape [3], it must have rank 2",
     false},
    {13, "float int64", "2,2 2", "2,2 3", "y = GatherND (a, b)", ".",
     "node \"y\" (GatherND-8): indices [3] has tuples of 3, data [2,2] has 2 dimensions after 0 "
     "batch dimensions",
     false},
    {18, "float int64 int64", "1,1,1 2 2", "1,1,1 2 1", "y = Col2Im (a, b, c)", "1,1,1,1",
     "node \"y\" (Col2Im-15): output_size has shape [2], kernel_size has shape [1]: they must have "
     "as many elements",
     false},
    {24, "float float int64", "2,1,4,3 2,1,1,3 2", "2,1,4,3 2,1,1,3 1",
     "y = TensorScatter (a, b, c)", "2,1,4,3",
     "node \"y\" (TensorScatter-24): input 2 \"write_indices\" has shape [1]: axis 0 is 1, it must "
     "be 2",
     false},
    {24, "float float int64", "2,1,4,3 2,1,1,3 2", "2,1,4,3 1,1,1,3 2",
     "y = TensorScatter (a, b, c)", "2,1,4,3",
     "node \"y\" (TensorScatter-24): input 1 \"update\" has shape [1,1,1,3]: axis 0 is 1, it must "
     "be 2",
     false},
    {24, "float float", "2,1,4,3 2,1,1,3", "2,1,4,3 1,1,1,3", "y = TensorScatter (a, b)", "2,1,4,3",
     "node \"SliceScatter\" (SliceScatter-15): input 1 \"updates\" has shape [1,1,1,3]: axis 0 is "
     "1, it must be 2",
     false},
    {13, "float float", "2,3 1,3", "2,3 1", "y = Concat <axis = 0> (a, b)", "3,3",
     "node \"y\" (Concat-1): input 1 \"inputs\" has shape [1], it must have rank 2", false},
    {11, "float bool float", "2,3 3 2,3", "2,3 2 2,3", "y = Where (b, a, c)", "2,3",
     "node \"y\" (Select-1): input 0 \"cond\" has shape [2], which does not broadcast with [2,3] "
     "and [2,3] (axis 1 of the result)",
     false},
    {12, "float float", "2,3 3,4", "2,3 2,4", "y = Einsum <equation = \"ij,jk->ik\"> (a, b)", "2,4",
     "node \"y\" (Einsum-7): axis 0 of input 1, [2,4], does not fit the axes of other inputs with "
     "its label",
     false},
    {13, "float float", "2,3 3,4", "2,3 2,4", "y = MatMul (a, b)", "2,4",
     "node \"y\" (MatMul-1): matrices of shapes [2,3] and [2,4] cannot be multiplied: 3 columns on "
     "the left, 2 rows on the right (after transposition)",
     false},
    {21, "float int64", "2,3 .", "2,3 2", "y = CumSum (a, b)", "2,3",
     "node \"y\" (CumSum-3): input 1 \"axis\" has shape [2], it must be one number", false},
    {11, "int64 int64 int64", ". . .", ". 2 .", "y = Range (a, b, c)", "0",
     "node \"y\" (Range-4): input 1 \"stop\" has shape [2], it must have one element", false},
    {11, "int64 int64 int64", ". . .", ". . 2", "y = Range (a, b, c)", "0",
     "node \"y\" (Range-4): input 2 \"step\" has shape [2], it must have one element", false},
    {17, "int64 int64 int64 float float", ". . . . .", "2 . . . .",
     "y = MelWeightMatrix (a, b, c, d, e)", "1,1",
     "node \"y\" (MelWeightMatrix-17): input 0 \"num_mel_bins\" has shape [2], it must have one "
     "element",
     false},
    {9, "float float", "2,3 2,3", "2,3 2,3,1", "y = Sum (a, b)", "2,3",
     "node \"y\" (Add-1): input 1 \"b\" has shape [2,3,1], which does not broadcast with [2,3] of "
     "input 0 \"a\" (axis 1 of the result)",
     false},
    {23, "float float float", "1,2,4 1,2,4 1,2,4", "1,2,4 2,2,4 2,2,4",
     "y = Attention <q_num_heads = 2, kv_num_heads = 2> (a, b, c)", "1,2,4",
     "input[1] has shape [2,2,4], it must be [1,?,?]", false},
    {24, "float float float int64", "1,2,3,4 1,2,3,4 1,2,3,4 1", "1,2,3,4 1,2,3,4 1,2,3,4 2",
     "y = Attention (a, b, c, \"\", \"\", \"\", d)", "1,2,3,4",
     "input[6] has shape [2], it must be [1]", false},
    {9, "float float", "2,3 3", "2,3 2", "y = Add (a, b)", "2,3",
     "node \"y\" (Add-1): input 1 \"b\" has shape [2], which does not broadcast with [2,3] of "
     "input 0 \"a\" (axis 1 of the result)",
     false},
    {8, "float float", "2,3 3", "2,3 2", "y = Max (a, b)", "2,3",
     "node \"y\" (Maximum-1): input 1 \"b\" has shape [2], which does not broadcast with [2,3] of "
     "input 0 \"a\" (axis 1 of the result)",
     false},
    {17, "float int64 float int64", "1,4,1 . 1 .", "1,4,1 . 2 .", "y = STFT (a, b, c, d)",
     "1,4,1,2", "", true},
    {17, "float int64 float", "1,4,1 . 2", "1,4,1 2 2", "y = STFT (a, b, c)", "1,3,2,2",
     "input[1] has shape [2], it must be a scalar", true},
    {20, "float int64", "1,4,2 .", "1,4,2 2", "y = DFT (a, b)", "1,1,2",
     "input[1] has shape [2], it must be a scalar", true},
    {17, "float float float", "2,16 1 1", "2,16 1 2",
     "k = Constant <value = uint8[8] {0, 0, 0, 0, 0, 0, 0, 0}> () y = com.microsoft.MatMulNBits <K "
     "= 16, N = 1, block_size = 16> (a, k, b, \"\", \"\", c)",
     "2,1", "input[5] has shape [2], it must be [1]", false},
    {10, "uint8 float uint8 uint8 float uint8 float uint8 int32", "1,1,4 . . 2,1,2 2 2 . . 2",
     "1,1,4 . . 2,1,2 2,1 2,1 . . 2", "y = QLinearConv (a, b, c, d, e, f, g, h, i)", "1,2,3",
     "input[5] has 2 axes, it must have 0 to 1", false},
    {24, "float float float float", "1,2,3,8 1,2,5,8 1,2,5,8 3,5", "1,2,3,8 1,2,5,8 1,2,5,8 5",
     "y = Attention (a, b, c, d)", "1,2,3,8", "input[3] has 1 axis, it must have 2 to 4", false},
    {13, "float", "6", "3", "k = Constant <value = int64[2] {0, 5}> () y = Gather (a, k)", "2",
     "index 5 is no place along axis 0, which has 3 elements", true},
    {13, "float", "2,6", "6,2",
     "k = Constant <value = int64 {-3}> () y = Gather <axis = -1> (a, k)", "2",
     "index -3 is no place along axis 1, which has 2 elements", true},
};

static void test_demands(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof demands / sizeof *demands; i++) {
        check_taken(&demands[i], false);
        if (demands[i].said[0])
            check_refused(&demands[i]);
        else
            check_refused_in_run(&demands[i], false);
        if (demands[i].known)
            continue;
        check_taken(&demands[i], true);
        check_refused_in_run(&demands[i], true);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_demands)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
