/* ROIAlign, ROIAlignRotated, ROIPooling, PSROIPooling, DeformablePSROIPooling: regions of images
 * that become planes of one size. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

#include <string.h>

/* data [N, C, H, W], a row of ROW numbers for each of COUNT regions: [regions, CHANNELS, H, W] */
static bool regions(inlay_infer *cx, int row, inlay_dim count, inlay_dim channels, int64_t h,
                    int64_t w)
{
    inlay_shape s = {.rank = 4};

    if (!in_check_rank(cx, 0, 4, 4) || !in_check_rank(cx, 1, 2, 2))
        return false;
    if (in_rank(cx, 1) >= 0 && !inlay_dim_compatible(in_dim(cx, 1, 1), inlay_dim_of(row)))
        return inlay_infer_fail(cx, "input 1 \"rois\" has shape %s, a region has %d number%s",
                                in_text(cx, 1), row, inlay_plural(row, "", "s"));
    if (in_rank(cx, 1) >= 0 && !merge_dim(cx, 1, 0, in_dim(cx, 1, 0), &count))
        return false;
    s.dim[0] = count;
    s.dim[1] = channels;
    s.dim[2] = inlay_dim_of(h);
    s.dim[3] = inlay_dim_of(w);
    return inlay_infer_set_out(cx, 0, shared_type(cx), &s);
}

/* The result has the channels of the data. */
static bool pooled(inlay_infer *cx, int row, inlay_dim count)
{
    int64_t h, w;

    return attr_count(cx, "pooled_h", 1, &h) && attr_count(cx, "pooled_w", 1, &w) &&
           in_check_rank(cx, 0, 4, 4) && regions(cx, row, count, in_dim(cx, 0, 1), h, w);
}

/* A region that is turned has a center, a size and an angle. */
bool infer_roi_align(inlay_infer *cx)
{
    bool turned = inlay_node_attr(cx->node, "clockwise_mode") != NULL;
    inlay_dim count;
    int64_t ratio;

    return attr_count(cx, "sampling_ratio", 0, &ratio) && in_length(cx, 2, false, &count) &&
           pooled(cx, turned ? 5 : 4, count);
}

bool infer_roi_pooling(inlay_infer *cx)
{
    return pooled(cx, 5, inlay_dim_any());
}

/* The data has EACH channels for each one of the result. */
static bool position_sensitive(inlay_infer *cx, int64_t each, inlay_dim count)
{
    int64_t channels, group;
    inlay_dim wanted;

    if (!attr_count(cx, "output_dim", 1, &channels) || !attr_count(cx, "group_size", 1, &group) ||
        !in_check_rank(cx, 0, 4, 4))
        return false;
    wanted = inlay_dim_mul(inlay_dim_of(channels), inlay_dim_of(each));
    if (in_rank(cx, 0) >= 0 && !inlay_dim_compatible(in_dim(cx, 0, 1), wanted))
        return inlay_infer_fail(cx, "data %s has another number of channels than %lld * %lld",
                                in_text(cx, 0), (long long)channels, (long long)each);
    return regions(cx, 5, count, inlay_dim_of(channels), group, group);
}

static bool read_bins(inlay_infer *cx, int64_t *bins)
{
    int64_t x, y;

    if (!attr_count(cx, "spatial_bins_x", 1, &x) || !attr_count(cx, "spatial_bins_y", 1, &y))
        return false;
    *bins = x * y;
    return true;
}

static int64_t squared(int64_t x)
{
    return x > INT32_MAX || x < 0 ? 0 : x * x;
}

bool infer_psroi_pooling(inlay_infer *cx)
{
    bool average = strcmp(inlay_node_string(cx->node, "mode"), "average") == 0;
    int64_t bins;

    return read_bins(cx, &bins) &&
           position_sensitive(cx, average ? squared(inlay_node_int(cx->node, "group_size")) : bins,
                              inlay_dim_any());
}

/* The offsets are [regions, 2 * classes, parts, parts]. */
static bool check_offsets(inlay_infer *cx, inlay_dim *count)
{
    int64_t parts, channels = inlay_node_int(cx->node, "output_dim");
    inlay_dim two;

    if (!attr_count(cx, "part_size", 1, &parts))
        return false;
    if (!in_has(cx, 2))
        return true;
    if (!in_check_rank(cx, 2, 4, 4) || in_rank(cx, 2) < 0)
        return in_rank(cx, 2) < 0;
    *count = in_dim(cx, 2, 0);
    two = in_dim(cx, 2, 1);
    for (int i = 2; i < 4; i++) {
        inlay_dim wanted = inlay_dim_of(parts);

        if (!merge_dim(cx, 2, i, in_dim(cx, 2, i), &wanted))
            return false;
    }
    if (inlay_dim_is_static(two) && (two.lo < 2 || two.lo % 2 != 0 || channels % (two.lo / 2) != 0))
        return inlay_infer_fail(cx,
                                "offsets %s have %lld channel%s, they must have 2 for each of some "
                                "classes among which output_dim %lld is divided",
                                in_text(cx, 2), (long long)two.lo, inlay_plural(two.lo, "", "s"),
                                (long long)channels);
    return true;
}

bool infer_deformable_psroi_pooling(inlay_infer *cx)
{
    inlay_dim count = inlay_dim_any();
    int64_t bins;

    return read_bins(cx, &bins) && check_offsets(cx, &count) &&
           position_sensitive(cx, squared(inlay_node_int(cx->node, "group_size")), count);
}
