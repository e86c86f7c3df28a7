/* GridSample, DeformableConvolution: images that are sampled at positions given as data. */
#include "ir/infer/field.h"
#include "ir/tensor/dim.h"

/* data [N, C, spatial...], grid [N, spatial..., axes]: [N, C, spatial... of the grid] */
bool infer_grid_sample(inlay_infer *cx)
{
    bool flat = cx->node->op->version == 9;
    int rank = in_rank(cx, 0) < 0 ? in_rank(cx, 1) : in_rank(cx, 0);
    inlay_dim batch;
    inlay_shape s;

    if (!in_check_rank(cx, 0, flat ? 4 : 3, flat ? 4 : -1) ||
        !in_check_rank(cx, 1, flat ? 4 : 3, flat ? 4 : -1))
        return false;
    if (flat)
        rank = 4;
    if (rank < 0)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    if (!in_check_rank(cx, 1, rank, rank))
        return false;
    if (in_rank(cx, 1) >= 0 &&
        !inlay_dim_compatible(in_dim(cx, 1, rank - 1), inlay_dim_of(rank - 2)))
        return inlay_infer_fail(cx,
                                "input 1 \"grid\" has shape %s, its last axis must have %d "
                                "element%s",
                                in_text(cx, 1), rank - 2, inlay_plural(rank - 2, "", "s"));
    inlay_shape_of_rank(&s, rank);
    batch = in_dim(cx, 0, 0);
    if (in_rank(cx, 1) >= 0 && !merge_dim(cx, 1, 0, in_dim(cx, 1, 0), &batch))
        return false;
    s.dim[0] = batch;
    s.dim[1] = in_dim(cx, 0, 1);
    for (int i = 2; in_rank(cx, 1) >= 0 && i < rank; i++)
        s.dim[i] = in_dim(cx, 1, i - 1);
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

/* Checks that operand I has GROUPS * K channels, which are axis 1. */
static bool check_channels(inlay_infer *cx, int i, int64_t groups, inlay_dim k)
{
    inlay_dim wanted = inlay_dim_mul(inlay_dim_of(groups), k);
    char text[64];

    if (inlay_dim_compatible(in_dim(cx, i, 1), wanted))
        return true;
    return inlay_infer_fail(cx, "input %d \"%s\" has shape %s, it must have %s channels", i,
                            in_name(cx, i), in_text(cx, i),
                            inlay_dim_text(wanted, text, sizeof text));
}

static bool check_groups(inlay_infer *cx, int64_t *group, int64_t *deformable)
{
    return attr_count(cx, "group", 1, group) && attr_count(cx, "deformable_group", 1, deformable);
}

bool infer_deformable_convolution(inlay_infer *cx)
{
    int64_t group, deformable;
    inlay_dim kernel;
    inlay_shape s = {.rank = 4};
    inlay_field w;

    for (int i = 0; i < 4; i++) {
        if (in_has(cx, i) && !in_check_rank(cx, i, 4, 4))
            return false;
    }
    if (!check_groups(cx, &group, &deformable) || !infer_read_field(cx, 2, &w))
        return false;
    kernel = inlay_dim_mul(in_dim(cx, 2, 2), in_dim(cx, 2, 3));
    if (!check_channels(cx, 0, group, in_dim(cx, 2, 1)) ||
        !check_channels(cx, 1, 2 * deformable, kernel) ||
        (in_has(cx, 3) && !check_channels(cx, 3, deformable, kernel)))
        return false;
    s.dim[0] = in_dim(cx, 0, 0);
    s.dim[1] = in_dim(cx, 2, 0);
    for (int i = 0; i < 2; i++) {
        if (!infer_slide(cx, &w, i, in_dim(cx, 0, 2 + i), in_dim(cx, 2, 2 + i), &s.dim[2 + i]))
            return false;
    }
    for (int i = 1; i < 4; i += 2) { /* the offsets and the mask have the size of the result */
        for (int k = 0; in_has(cx, i) && k < 4; k += k == 0 ? 2 : 1) {
            if (!merge_dim(cx, i, k, in_dim(cx, i, k), &s.dim[k]))
                return false;
        }
    }
    return inlay_infer_set_out(cx, 0, shared_type(cx), &s);
}
