/* Shape rule of MatMulCompressed: products with weights that stay compressed. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

/* The scale and the zero points, if there are any, must not make the weights more. */
static bool check_fits(inlay_infer *cx, int i)
{
    inlay_shape one, weights;

    if (!in_has(cx, i))
        return true;
    inlay_infer_shape(cx, i, &one);
    inlay_infer_shape(cx, 1, &weights);
    return broadcasts_to(&one, &weights) ||
           inlay_infer_fail(
               cx, "input %d \"%s\" has shape %s, which does not broadcast to that of weights, %s",
               i, in_name(cx, i), in_text(cx, i), in_text(cx, 1));
}

/* DEPTH receives how many numbers of the weights each sum has; any dim where that is not known. */
static void depth_of(const inlay_infer *cx, bool turned, inlay_dim *depth)
{
    int rank = in_rank(cx, 1), first = turned ? 1 : 0;

    *depth = inlay_dim_any();
    if (rank == 2)
        *depth = in_dim(cx, 1, first);
    else if (rank == 3)
        *depth = inlay_dim_mul(in_dim(cx, 1, first), in_dim(cx, 1, first + 1));
}

bool infer_matmul_compressed(inlay_infer *cx)
{
    bool turned = inlay_node_bool(cx->node, "transpose_b");
    int rank = in_rank(cx, 1);
    inlay_shape s;
    inlay_dim depth;

    if (!in_check_rank(cx, 0, 1, -1) || !in_check_rank(cx, 1, 2, 3) || !check_fits(cx, 2) ||
        !check_fits(cx, 3))
        return false;
    inlay_infer_shape(cx, 0, &s);
    if (s.rank < 1)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    depth_of(cx, turned, &depth);
    if (!merge_dim(cx, 0, s.rank - 1, s.dim[s.rank - 1], &depth))
        return false;
    s.dim[s.rank - 1] = rank < 0 ? inlay_dim_any() : in_dim(cx, 1, turned ? 0 : rank - 1);
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}
