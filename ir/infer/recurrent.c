/* Shape rule of LSTMCell-1 and -4. */
#include "ir/infer/infer.h"

#include <string.h>

static bool check_activations(inlay_infer *cx)
{
    const inlay_attr *a = inlay_node_attr(cx->node, "activations");

    if (!a || a->n == 0)
        return true;
    if (a->n != 3)
        return inlay_infer_fail(cx, "activations has %d names, it must have 3", a->n);
    for (int i = 0; i < a->n; i++) {
        const char *name = a->as.strings[i];

        if (strcmp(name, "relu") != 0 && strcmp(name, "sigmoid") != 0 && strcmp(name, "tanh") != 0)
            return inlay_infer_fail(
                cx, "activations[%d] is \"%s\", it must be relu, sigmoid or tanh", i, name);
    }
    return true;
}

/* Input I must be [*ROWS, *COLS] (COLS NULL: a vector); what it tells of them is kept. */
static bool merge_matrix(inlay_infer *cx, int i, inlay_dim *rows, inlay_dim *cols)
{
    inlay_shape s;

    if (!in_has(cx, i))
        return true;
    if (!in_check_rank(cx, i, cols ? 2 : 1, cols ? 2 : 1))
        return false;
    inlay_infer_shape(cx, i, &s);
    return s.rank < 0 ||
           (merge_dim(cx, i, 0, s.dim[0], rows) && (!cols || merge_dim(cx, i, 1, s.dim[1], cols)));
}

bool infer_lstm_cell(inlay_infer *cx)
{
    int64_t size = inlay_node_int(cx->node, "hidden_size");
    inlay_dim batch = inlay_dim_any(), input = inlay_dim_any(), hidden, gates, peepholes;
    inlay_shape out = {.rank = 2};

    if (size < 1 || size > INT32_MAX)
        return inlay_infer_fail(cx, "hidden_size is %lld, it must be in [1, %d]", (long long)size,
                                (int)INT32_MAX);
    if (!check_activations(cx))
        return false;
    hidden = inlay_dim_of(size);
    gates = inlay_dim_of(4 * size);
    peepholes = inlay_dim_of(3 * size);
    if (!merge_matrix(cx, 0, &batch, &input) || !merge_matrix(cx, 1, &batch, &hidden) ||
        !merge_matrix(cx, 2, &batch, &hidden) || !merge_matrix(cx, 3, &gates, &input) ||
        !merge_matrix(cx, 4, &gates, &hidden) || !merge_matrix(cx, 5, &gates, NULL) ||
        !merge_matrix(cx, 6, &peepholes, NULL))
        return false;
    out.dim[0] = batch;
    out.dim[1] = hidden;
    if (!inlay_dim_is_static(batch) && batch.id == 0)
        out.dim[0] = fresh_dim(cx, batch.lo, batch.hi);
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &out) &&
           inlay_infer_set_out(cx, 1, cx->in[0]->type, &out);
}
