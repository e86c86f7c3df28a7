#include "own_ops.h"
#include "interp/kernel.h"
#include "unit.h"

/* Triple multiplies each element by an attribute, or by 3 where nothing is said. */
bool infer_triple(inlay_infer *cx)
{
    if (inlay_node_int(cx->node, "times") < 0)
        return inlay_infer_fail(cx, "times is negative");
    return inlay_infer_set_out_like(cx, 0, 0);
}

bool eval_triple(inlay_call *c)
{
    double times = (double)inlay_node_int(c->node, "times");

    for (int64_t i = 0; i < inlay_tensor_count(c->out[0]); i++)
        inlay_tensor_set_f64(c->out[0], i, times * inlay_tensor_get_f64(c->in[0], i));
    return true;
}

/* Stretch repeats each element count times along the axis, as numpy.repeat does. */
static bool infer_stretch(inlay_infer *cx)
{
    int64_t count;
    int axis, n;
    inlay_shape s;

    inlay_infer_shape(cx, 0, &s);
    if (s.rank < 0)
        return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
    if (!inlay_infer_axis(cx, "axis", inlay_node_int(cx->node, "axis"), s.rank, &axis))
        return false;
    if (inlay_infer_ints(cx, 1, &count, 1, &n) && inlay_dim_is_static(s.dim[axis]))
        s.dim[axis] = inlay_dim_of(s.dim[axis].lo * count);
    else
        s.dim[axis] = inlay_dim_any();
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

static bool eval_stretch(inlay_call *c)
{
    const inlay_tensor *in = c->in[0], *out = c->out[0];
    int axis = (int)inlay_node_int(c->node, "axis");
    int64_t count = inlay_tensor_get_i64(c->in[1], 0), inner = 1;

    for (int i = axis + 1; i < in->rank; i++)
        inner *= in->dims[i];
    for (int64_t i = 0; i < inlay_tensor_count(out); i++) {
        int64_t from = i / inner / count * inner + i % inner;

        inlay_tensor_set_f64(c->out[0], i, inlay_tensor_get_f64(in, from));
    }
    return true;
}

/* Odds gives the places of the odd elements of a list. */
static bool infer_odds(inlay_infer *cx)
{
    inlay_shape s = {.rank = 1, .dim = {inlay_dim_any()}};

    return inlay_infer_set_out(cx, 0, INLAY_I64, &s);
}

static bool eval_odds(inlay_call *c)
{
    int64_t n = inlay_tensor_count(c->in[0]), found = 0;
    int64_t *at = inlay_call_memory(c, n, sizeof *at);
    inlay_tensor *out;

    for (int64_t i = 0; at && i < n; i++) {
        if (inlay_tensor_get_i64(c->in[0], i) < 0)
            return inlay_call_fail(c, "element %d is negative", (int)i);
        if (inlay_tensor_get_i64(c->in[0], i) % 2 != 0)
            at[found++] = i;
    }
    out = at ? inlay_call_output(c, 0, INLAY_I64, 1, &found) : NULL;
    for (int64_t i = 0; out && i < found; i++)
        inlay_tensor_set_i64(out, i, at[i]);
    return out != NULL;
}

/* Stamp puts updates over the first elements of data, from the last on, and copies data behind. */
static bool infer_stamp(inlay_infer *cx)
{
    return inlay_infer_set_out_like(cx, 0, 0);
}

static bool eval_stamp(inlay_call *c)
{
    int64_t n = inlay_tensor_count(c->in[1]);

    for (int64_t i = 0; i < inlay_tensor_count(c->out[0]); i++)
        inlay_tensor_set_f64(c->out[0], i,
                             inlay_tensor_get_f64(c->in[i < n], i < n ? n - 1 - i : i));
    return true;
}

static const inlay_op_def defs[] = {
    {"Triple", 1, "mine", "T:num x", "T", "int times=3", "strided pointwise overwrites=0",
     infer_triple, eval_triple, "mine.c", 1},
    {"Stretch", 2, "mine2..", "T:num data, I:int repeats", "T output", "int axis=0", "strided",
     infer_stretch, eval_stretch, "mine.c", 2},
    {"Odds", 1, "extension", "int data", "i64 positions@indices", NULL, "strided counts",
     infer_odds, eval_odds, "mine.c", 3},
    {"Stamp", 1, "mine", "T:num data, T updates", "T output", "", "scatter", infer_stamp,
     eval_stamp, "mine.c", 5},
    {"Riddle", 1, "mine", "T:num x", "T", "", NULL, infer_triple, NULL, "mine.c", 4},
    {"Collage", 1, "mine",
     "T:num data, T updates, I:int start, I stop, I step, A:int axes, T scraps...", "T output", "",
     "scatter", infer_stamp, eval_stamp, "mine.c", 6},
};

const inlay_op_set *my_ops(void)
{
    inlay_diags *d = inlay_diags_new();
    const inlay_op_set *ops = inlay_op_set_new(NULL, defs, sizeof defs / sizeof *defs, d);

    if (!ops)
        fail_msg("%s", inlay_diags_at(d, 0)->text);
    inlay_diags_free(d);
    return ops;
}

inlay_graph *read_with(reader *read, const inlay_op_set *ops, const char *text)
{
    inlay_read_options o = {.ops = ops};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = read("t", text, strlen(text), &o, d);

    if (!g)
        fail_msg("%s", inlay_diags_error(d)->text);
    inlay_diags_free(d);
    return g;
}

inlay_graph *my_graph(const char *text)
{
    const inlay_op_set *ops = my_ops();
    inlay_graph *g = read_with(inlay_read_text, ops, text);

    inlay_op_set_release(ops); /* the graph holds it */
    return g;
}
