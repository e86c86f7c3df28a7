/* Shape rule of MatMul-1, by the four steps of its specification. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

/* Steps 1 and 2: S becomes the shape of operand I as matrices, of rank 2 or more. */
static void align(const inlay_infer *cx, int i, const char *transpose, inlay_shape *s)
{
    inlay_infer_shape(cx, i, s);
    if (s->rank == 1) {
        s->dim[1] = i == 0 ? s->dim[0] : inlay_dim_of(1);
        if (i == 0)
            s->dim[0] = inlay_dim_of(1);
        s->rank = 2;
    } else if (s->rank > 1 && inlay_node_bool(cx->node, transpose)) {
        inlay_dim d = s->dim[s->rank - 2];

        s->dim[s->rank - 2] = s->dim[s->rank - 1];
        s->dim[s->rank - 1] = d;
    }
}

/* The two dims that the sum runs over must be the same size. */
static bool check_depth(inlay_infer *cx, inlay_dim a, inlay_dim b)
{
    char ta[64], tb[64];

    if (inlay_dim_compatible(a, b))
        return true;
    return inlay_infer_fail(
        cx,
        "matrices of shapes %s and %s cannot be multiplied: %s columns on the left, "
        "%s rows on the right (after transposition)",
        in_text(cx, 0), in_text(cx, 1), inlay_dim_text(a, ta, sizeof ta),
        inlay_dim_text(b, tb, sizeof tb));
}

bool infer_matmul(inlay_infer *cx)
{
    inlay_shape a, b, out;
    int axis, rank_a = in_rank(cx, 0), rank_b = in_rank(cx, 1);

    if (!in_check_rank(cx, 0, 1, -1) || !in_check_rank(cx, 1, 1, -1))
        return false;
    if (rank_a < 0 || rank_b < 0)
        return set_out_unknown(cx, 0, shared_type(cx));
    align(cx, 0, "transpose_a", &a);
    align(cx, 1, "transpose_b", &b);
    if (!check_depth(cx, a.dim[a.rank - 1], b.dim[b.rank - 2]))
        return false;
    inlay_dim rows = a.dim[a.rank - 2], cols = b.dim[b.rank - 1];

    a.rank -= 2;
    b.rank -= 2;
    if (!broadcast_shapes(&a, &b, &out, &axis))
        return inlay_infer_fail(cx, "the batch dimensions of %s and %s do not broadcast",
                                in_text(cx, 0), in_text(cx, 1));
    if (rank_a > 1)
        out.dim[out.rank++] = rows;
    if (rank_b > 1)
        out.dim[out.rank++] = cols;
    return inlay_infer_set_out(cx, 0, shared_type(cx), &out);
}

/* Det gives a number for each of the square matrices that the last two axes hold. */
bool infer_det(inlay_infer *cx)
{
    inlay_shape s;

    if (!in_check_rank(cx, 0, 2, -1))
        return false;
    inlay_infer_shape(cx, 0, &s);
    if (s.rank < 0)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    if (s.rank >= 2 && !inlay_dim_compatible(s.dim[s.rank - 2], s.dim[s.rank - 1]))
        return inlay_infer_fail(cx, "input 0 \"%s\" has shape %s, its matrices must be square",
                                in_name(cx, 0), in_text(cx, 0));
    s.rank -= 2;
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

/* [batch..., n, n] */
bool infer_inverse(inlay_infer *cx)
{
    inlay_shape s;
    inlay_dim both;

    if (!in_check_rank(cx, 0, 2, -1))
        return false;
    inlay_infer_shape(cx, 0, &s);
    if (s.rank < 2) /* it is not known */
        return inlay_infer_set_out_like(cx, 0, 0);
    if (!inlay_dim_merge(s.dim[s.rank - 2], s.dim[s.rank - 1], &both))
        return inlay_infer_fail(cx, "data %s has matrices that are not square", in_text(cx, 0));
    s.dim[s.rank - 2] = s.dim[s.rank - 1] = both;
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}
