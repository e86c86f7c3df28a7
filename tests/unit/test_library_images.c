/* Kernels that interpolate or normalize images: what the planned executor makes of rows of random
 * sizes, types, strides and attributes, with any number of threads, against the reference. */
#include "graphs.h"
#include "interp/library/chain.h"
#include "node_case.h"
#include "seeds.h"
#include "unit.h"

enum { MOST_AXES = 5 };

static const inlay_type numbers[] = {INLAY_F32, INLAY_F16, INLAY_BF16, INLAY_F64, INLAY_U8,
                                     INLAY_I8,  INLAY_I32, INLAY_I64,  INLAY_U16};

/* Returns a type of floats, or of any numbers. */
static inlay_type any_type(rng *r, bool floats)
{
    return rng_one_in(r, 2) ? INLAY_F32 : numbers[rng_in(r, 0, floats ? 3 : 8)];
}

/* Returns a tensor of numbers up to 100; of floats some are odd. */
static inlay_tensor *image_of(rng *r, inlay_type type, int rank, const int64_t *dims)
{
    bool floats = inlay_type_is_float(type), special = rng_one_in(r, 4);
    inlay_tensor *t = any_tensor(r, type, rank, dims, special, rng_one_in(r, 2));

    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (!floats)
            inlay_tensor_set_i64(t, i,
                                 rng_in(r, type == INLAY_U8 || type == INLAY_U16 ? 0 : -100, 100));
        else if (rng_one_in(r, 2))
            inlay_tensor_set_f64(t, i, (double)rng_in(r, -400, 400) / 4);
    }
    return t;
}

/* Returns a dense list of N numbers, those of X. */
static inlay_tensor *list(inlay_type type, const double *x, int64_t n)
{
    inlay_tensor *t = inlay_tensor_new(type, 1, &n);

    assert_non_null(t);
    for (int64_t i = 0; i < n; i++)
        inlay_tensor_set_f64(t, i, x[i]);
    return t;
}

static const char *one_of(rng *r, const char *const *names)
{
    int64_t n = 0;

    while (names[n])
        n++;
    return names[rng_in(r, 0, n - 1)];
}

static const char *flag(rng *r)
{
    return rng_one_in(r, 2) ? "true" : "false";
}

static void each_seed(void (*make)(rng *r, struct node_case *k), uint64_t usual, uint64_t slow)
{
    seed_range seeds = seeds_to_try(usual, slow);

    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        struct node_case k = {0};

        k.open = rng_one_in(&r, 3);
        make(&r, &k);
        for (int m = 1; m < MOST_OPERANDS && k.in[m]; m++)
            k.constant[m] = rng_one_in(&r, 2);
        check_case(&k, seeds.first + i);
    }
}

/* Interpolate and Resize */

/* Draws the dims of an image, and N of its axes with their new sizes. */
static void any_sizes(rng *r, int rank, int64_t *dims, int n, double *axes, double *sizes)
{
    for (int i = 0; i < rank; i++)
        dims[i] = rng_one_in(r, 4) ? rng_in(r, 8, 20) : rng_in(r, 1, 6);
    for (int i = 0, axis = (int)rng_in(r, 0, rank - n); i < n; i++) {
        axes[i] = axis;
        dims[axis] = rng_in(r, 1, 24);
        sizes[i] = (double)(rng_one_in(r, 4)   ? dims[axis]
                            : rng_one_in(r, 3) ? 2 * dims[axis]
                                               : rng_in(r, 1, 40));
        axis += (int)rng_in(r, 1, rank - axis - (n - i) + 1);
    }
    if (n > 1 && rng_one_in(r, 5)) { /* the axes in another order */
        double axis = axes[0], size = sizes[0];

        axes[0] = axes[1];
        sizes[0] = sizes[1];
        axes[1] = axis;
        sizes[1] = size;
    }
}

static void interpolate_case(rng *r, struct node_case *k)
{
    static const char *const modes[] = {"linear", "linear_onnx",     "cubic",          "nearest",
                                        "linear", "bilinear_pillow", "bicubic_pillow", NULL};
    static const char *const coordinates[] = {"half_pixel",    "pytorch_half_pixel",   "asymmetric",
                                              "align_corners", "tf_half_pixel_for_nn", NULL};
    const char *mode = one_of(r, modes);
    bool pillow = strstr(mode, "pillow"), pads = !pillow && rng_one_in(r, 4);
    int rank = (int)rng_in(r, 2, MOST_AXES),
        n = pillow ? 2 : (int)rng_in(r, 1, rank < 3 ? rank : 3);
    int64_t dims[MOST_AXES];
    double axes[MOST_AXES], sizes[MOST_AXES];
    char list_of_pads[40] = "";

    any_sizes(r, rank, dims, n, axes, sizes);
    k->in[0] = image_of(r, any_type(r, false), rank, dims);
    k->in[1] = list(INLAY_I64, sizes, n);
    k->in[2] = list(INLAY_I64, axes, n);
    for (int i = 0; i < rank && pads; i++)
        snprintf(list_of_pads + strlen(list_of_pads), 8, "%s%d", i ? "," : "",
                 (int)rng_in(r, 0, 2));
    snprintf(k->op, sizeof k->op, "Interpolate");
    snprintf(k->attrs, sizeof k->attrs,
             "mode=%s;shape_calculation_mode=sizes;coordinate_transformation_mode=%s;antialias=%s;"
             "pads_begin=%s;pads_end=%s",
             mode, one_of(r, coordinates), flag(r), list_of_pads, list_of_pads);
}

static void resize_case(rng *r, struct node_case *k)
{
    static const char *const modes[] = {"linear", "cubic", NULL};
    static const char *const coordinates[] = {"half_pixel",
                                              "half_pixel_symmetric",
                                              "pytorch_half_pixel",
                                              "align_corners",
                                              "asymmetric",
                                              "tf_crop_and_resize",
                                              NULL};
    int rank = (int)rng_in(r, 1, MOST_AXES), n = (int)rng_in(r, 1, rank < 3 ? rank : 3);
    int64_t dims[MOST_AXES];
    double axes[MOST_AXES], sizes[MOST_AXES], region[2 * MOST_AXES], scales[MOST_AXES];
    bool by_scale = rng_one_in(r, 2);
    size_t used;

    any_sizes(r, rank, dims, n, axes, sizes);
    for (int i = 0; i < 2 * n; i++)
        region[i] = (double)rng_in(r, -1, 5) / 4;
    for (int i = 0; i < n; i++)
        scales[i] = sizes[i] / (double)dims[(int)axes[i]];
    k->in[0] = image_of(r, any_type(r, false), rank, dims);
    k->in[1] = list(INLAY_F32, region, 2 * n);
    k->in[2] = list(INLAY_F32, scales, by_scale ? n : 0);
    k->in[3] = list(INLAY_I64, sizes, by_scale ? 0 : n);
    snprintf(k->op, sizeof k->op, "Resize@onnx19");
    snprintf(k->attrs, sizeof k->attrs,
             "mode=%s;coordinate_transformation_mode=%s;antialias=%s;exclude_outside=%s;axes=",
             one_of(r, modes), one_of(r, coordinates), flag(r), flag(r));
    used = strlen(k->attrs);
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(k->attrs + used, sizeof k->attrs - used, "%s%d", i ? "," : "",
                                 (int)axes[i]);
}

static void resampled(void **state)
{
    each_seed(interpolate_case, 150, 25);
    each_seed(resize_case, 150, 25);
}

/* GridSample, ROIAlign, DeformableConvolution */

/* Returns numbers of halves and quarters between LO and HI, now and then odd ones. */
static inlay_tensor *places(rng *r, inlay_type type, int rank, const int64_t *dims, int64_t lo,
                            int64_t hi)
{
    inlay_tensor *t = any_tensor(r, type, rank, dims, rng_one_in(r, 8), rng_one_in(r, 2));
    int64_t steps = rng_one_in(r, 2) ? 4 : 97;

    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (!rng_one_in(r, 60))
            inlay_tensor_set_f64(t, i, (double)rng_in(r, lo * steps, hi * steps) / (double)steps);
    }
    return t;
}

static int64_t some_channels(rng *r)
{
    return rng_one_in(r, 2) ? rng_in(r, 1, 4) : rng_in(r, 5, 40);
}

static void grid_case(rng *r, struct node_case *k)
{
    static const char *const modes[] = {"nearest", "linear", "cubic", NULL};
    static const char *const around[] = {"zeros", "border", "reflection", NULL};
    int axes = (int)rng_in(r, 1, 3);
    int64_t dims[MOST_AXES] = {rng_in(r, 1, 2), some_channels(r)}, grid[MOST_AXES] = {dims[0]};

    for (int i = 0; i < axes; i++) {
        dims[2 + i] = rng_in(r, 1, axes == 3 ? 6 : 12);
        grid[1 + i] = rng_in(r, 1, axes == 1 ? 150 : axes == 2 ? 12 : 5);
    }
    grid[1 + axes] = axes;
    k->in[0] = image_of(r, any_type(r, false), axes + 2, dims);
    k->in[1] = places(r, rng_one_in(r, 2) ? INLAY_F32 : INLAY_F16, axes + 2, grid, -2, 2);
    snprintf(k->op, sizeof k->op, "GridSample@onnx20");
    snprintf(k->attrs, sizeof k->attrs, "align_corners=%s;mode=%s;padding_mode=%s", flag(r),
             one_of(r, modes), one_of(r, around));
}

static void roi_case(rng *r, struct node_case *k)
{
    static const char *const ways[] = {"avg", "max", NULL};
    static const char *const ops[] = {"ROIAlign", "ROIAlignRotated", "RoiAlign@onnx16", NULL};
    const char *op = one_of(r, ops);
    bool turned = strstr(op, "Rotated");
    int64_t dims[] = {rng_in(r, 1, 2), some_channels(r), rng_in(r, 1, 12), rng_in(r, 1, 12)};
    int64_t n = rng_in(r, 0, 9), rois[] = {n, turned ? 5 : 4};
    inlay_type type = any_type(r, true);

    k->in[0] = image_of(r, type, 4, dims);
    k->in[1] = any_tensor(r, type, 2, rois, false, rng_one_in(r, 2));
    for (int64_t i = 0; i < inlay_tensor_count(k->in[1]); i++)
        inlay_tensor_set_f64(k->in[1], i, (double)rng_in(r, -8, 50) / 4);
    k->in[2] = inlay_tensor_new(INLAY_I64, 1, &n);
    for (int64_t i = 0; i < n; i++)
        inlay_tensor_set_i64(k->in[2], i, rng_in(r, 0, dims[0] - 1));
    snprintf(k->op, sizeof k->op, "%s", op);
    snprintf(k->attrs, sizeof k->attrs,
             "pooled_h=%d;pooled_w=%d;sampling_ratio=%d;spatial_scale=%s;", (int)rng_in(r, 1, 5),
             (int)rng_in(r, 1, 5), (int)rng_in(r, 0, 3), rng_one_in(r, 2) ? "1" : "0.75");
    if (!turned)
        snprintf(k->attrs + strlen(k->attrs), 20, "mode=%s", one_of(r, ways));
}

static void pooling_case(rng *r, struct node_case *k)
{
    int64_t dims[] = {rng_in(r, 1, 2), some_channels(r), rng_in(r, 1, 12), rng_in(r, 1, 12)};
    int64_t rois[] = {rng_in(r, 0, 9), 5};
    bool most = rng_one_in(r, 2);
    inlay_type type = any_type(r, true);

    k->in[0] = image_of(r, type, 4, dims);
    k->in[1] = any_tensor(r, type, 2, rois, false, rng_one_in(r, 2));
    for (int64_t i = 0; i < rois[0]; i++) {
        inlay_tensor_set_f64(k->in[1], 5 * i,
                             rng_one_in(r, 12) ? -1 : (double)rng_in(r, 0, dims[0] - 1));
        for (int64_t m = 1; m < 5; m++)
            inlay_tensor_set_f64(k->in[1], 5 * i + m, (double)rng_in(r, -2, 40) / (most ? 3 : 32));
    }
    snprintf(k->op, sizeof k->op, "ROIPooling");
    snprintf(k->attrs, sizeof k->attrs, "pooled_h=%d;pooled_w=%d;spatial_scale=%s;method=%s",
             (int)rng_in(r, 1, 5), (int)rng_in(r, 1, 5), rng_one_in(r, 2) ? "1" : "0.75",
             most ? "max" : "bilinear");
}

static void extractor_case(rng *r, struct node_case *k)
{
    int64_t rois[] = {rng_in(r, 0, 12), 4}, channels = some_channels(r), layers = rng_in(r, 1, 4);
    inlay_type type = any_type(r, true);

    k->in[0] = any_tensor(r, type, 2, rois, false, rng_one_in(r, 2));
    for (int64_t i = 0; i < 4 * rois[0]; i++)
        inlay_tensor_set_f64(k->in[0], i, (double)(rng_in(r, -10, 200) * rng_in(r, 1, 3)));
    for (int64_t i = 1; i <= layers; i++) {
        int64_t dims[] = {1, channels, rng_in(r, 1, 12), rng_in(r, 1, 12)};

        k->in[i] = image_of(r, type, 4, dims);
    }
    snprintf(k->op, sizeof k->op, "ExperimentalDetectronROIFeatureExtractor");
    snprintf(k->attrs, sizeof k->attrs,
             "output_size=%d;sampling_ratio=%d;aligned=%s;pyramid_scales=%s", (int)rng_in(r, 1, 5),
             (int)rng_in(r, 0, 3), flag(r),
             layers == 1   ? "32"
             : layers == 2 ? "16,32"
             : layers == 3 ? "16,32,64"
                           : "8,16,32,64");
    k->output = (int)rng_in(r, 0, 1);
}

static void deformable_case(rng *r, struct node_case *k)
{
    int64_t parts = rng_in(r, 1, 3), groups = rng_in(r, 1, 3), each = rng_in(r, 1, 5) * parts;
    int64_t kernel[] = {rng_in(r, 1, 3), rng_in(r, 1, 3)}, stride = rng_in(r, 1, 2);
    int64_t dims[] = {rng_in(r, 1, 2), each * groups, rng_in(r, 4, 14), rng_in(r, 4, 14)};
    int64_t out[] = {(dims[2] + 2 - kernel[0]) / stride + 1,
                     (dims[3] + 2 - kernel[1]) / stride + 1};
    int64_t filters[] = {groups * rng_in(r, 1, 9), each, kernel[0], kernel[1]};
    int64_t offsets[] = {dims[0], 2 * parts * kernel[0] * kernel[1], out[0], out[1]};
    bool old = rng_one_in(r, 4);
    inlay_type type = any_type(r, false);

    k->in[0] = image_of(r, type, 4, dims);
    k->in[1] = places(r, type, 4, offsets, type == INLAY_U8 || type == INLAY_U16 ? 0 : -3, 3);
    k->in[2] = image_of(r, type, 4, filters);
    offsets[1] /= 2;
    if (!old && rng_one_in(r, 2))
        k->in[3] = places(r, type, 4, offsets, 0, 1);
    snprintf(k->op, sizeof k->op, "DeformableConvolution@opset%d", old ? 1 : 8);
    snprintf(
        k->attrs, sizeof k->attrs,
        "strides=%d,%d;dilations=1,1;pads_begin=1,1;pads_end=1,1;group=%d;deformable_group=%d;",
        (int)stride, (int)stride, (int)groups, (int)parts);
    if (!old)
        snprintf(k->attrs + strlen(k->attrs), 40, "bilinear_interpolation_pad=%s", flag(r));
}

static void sampled(void **state)
{
    each_seed(grid_case, 150, 25);
    each_seed(roi_case, 150, 25);
    each_seed(pooling_case, 100, 20);
    each_seed(extractor_case, 60, 15);
    each_seed(deformable_case, 150, 25);
}

/* LRN, MVN, NormalizeL2, RMSNorm */

/* Makes the axes the last ones, most often, and draws a scale. */
static void rms_attrs(rng *r, struct node_case *k, int rank, const int64_t *dims, int n,
                      double *axes)
{
    int64_t scale[MOST_AXES];
    bool last = !rng_one_in(r, 4);

    for (int i = 0; i < n && last; i++)
        axes[i] = rank - n + i;
    inlay_tensor_release(k->in[1]);
    k->in[1] = list(INLAY_I64, axes, n);
    for (int i = 0; i < rank; i++)
        scale[i] = n > 0 && i >= rank - n && !rng_one_in(r, 6) ? dims[i] : 1;
    if (rng_one_in(r, 2))
        k->in[2] = image_of(r, k->in[0]->type, rank, scale);
    snprintf(k->attrs, sizeof k->attrs, "epsilon=%s", rng_one_in(r, 4) ? "0" : "0.01");
}

static void norm_case(rng *r, struct node_case *k)
{
    static const char *const ops[] = {"LRN", "MVN", "NormalizeL2", "RMSNorm", "RMSNorm", NULL};
    const char *op = one_of(r, ops);
    int rank = (int)rng_in(r, 1, MOST_AXES), n = 0;
    int64_t dims[MOST_AXES];
    double axes[MOST_AXES];

    for (int i = 0; i < rank; i++) {
        dims[i] = rng_one_in(r, 4) ? rng_in(r, 1, 2) : rng_in(r, 3, rank == 5 ? 6 : 12);
        if (rng_one_in(r, 2))
            axes[n++] = i;
    }
    k->in[0] = image_of(r, any_type(r, true), rank, dims);
    k->in[1] = list(INLAY_I64, axes, n);
    snprintf(k->op, sizeof k->op, "%s", op);
    if (strcmp(op, "LRN") == 0)
        snprintf(k->attrs, sizeof k->attrs, "alpha=0.01;beta=0.75;bias=%d;size=%d",
                 (int)rng_in(r, 1, 2), (int)rng_in(r, 1, 7));
    else if (strcmp(op, "RMSNorm") == 0)
        rms_attrs(r, k, rank, dims, n, axes);
    else if (strcmp(op, "MVN") == 0)
        snprintf(k->attrs, sizeof k->attrs, "normalize_variance=%s;eps=0.01;eps_mode=%s", flag(r),
                 rng_one_in(r, 2) ? "inside_sqrt" : "outside_sqrt");
    else
        snprintf(k->attrs, sizeof k->attrs, "eps=0.01;eps_mode=%s",
                 rng_one_in(r, 2) ? "add" : "max");
}

static void normalized(void **state)
{
    each_seed(norm_case, 200, 30);
}

/* Col2Im */

static void columns_case(rng *r, struct node_case *k)
{
    double image[2], kernel[2];
    int64_t dims[] = {rng_in(r, 1, 2), rng_in(r, 1, 20), 1}, stride[2], dilation[2], pad[2];

    for (int i = 0; i < 2; i++) {
        int64_t size = rng_in(r, 1, 3), room;

        stride[i] = rng_in(r, 1, 3);
        dilation[i] = rng_in(r, 1, 2);
        pad[i] = rng_in(r, 0, 2);
        kernel[i] = (double)size;
        image[i] = (double)rng_in(r, dilation[i] * (size - 1) + 1, 20);
        room = (int64_t)image[i] + 2 * pad[i] - dilation[i] * (size - 1) - 1;
        dims[1] *= size;
        dims[2] *= room / stride[i] + 1;
    }
    k->in[0] = image_of(r, any_type(r, false), 3, dims);
    k->in[1] = list(INLAY_I64, image, 2);
    k->in[2] = list(INLAY_I64, kernel, 2);
    snprintf(k->op, sizeof k->op, "Col2Im");
    snprintf(k->attrs, sizeof k->attrs,
             "strides=%d,%d;dilations=%d,%d;pads_begin=%d,%d;pads_end=%d,%d", (int)stride[0],
             (int)stride[1], (int)dilation[0], (int)dilation[1], (int)pad[0], (int)pad[1],
             (int)pad[0], (int)pad[1]);
}

static void columns(void **state)
{
    each_seed(columns_case, 100, 20);
}

/* What a packed form may take: channels in and out are padded to 64, of filters that have one of
 * each instead the groups. */
static void test_packed_filters(void **state)
{
    static const struct {
        const char *type;
        int rank;
        int64_t dims[5];
        size_t bytes;
    } of[] = {{"Convolution", 4, {3, 20, 3, 3}, sizeof(float) * 64 * 64 * 9},
              {"GroupConvolution", 5, {3, 1, 1, 3, 3}, sizeof(float) * 64 * 9},
              {"GroupConvolution", 5, {3, 1, 2, 3, 3}, sizeof(float) * 3 * 64 * 64 * 9},
              {"GroupConvolution", 5, {3, 2, 1, 3, 3}, sizeof(float) * 3 * 64 * 64 * 9}};

    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        inlay_tensor *t = inlay_tensor_new(INLAY_F32, of[i].rank, of[i].dims);
        char body[400];
        inlay_graph *g;

        snprintf(body, sizeof body,
                 "%%x = Parameter {element_type = f32, shape = [?,?,?,?]}\n"
                 "%%w = Parameter {element_type = f32, shape = [%s?,?,?,?]}\n"
                 "%%y = %s(%%x, %%w) {strides = [1, 1], pads_begin = [0, 0], pads_end = [0, 0], "
                 "dilations = [1, 1]}\n%%r = Result(%%y)\n",
                 of[i].rank == 5 ? "?," : "", of[i].type);
        g = graph_of(body);
        assert_int_equal(chain_packed_bytes(inlay_graph_node(g, "y"), t), of[i].bytes);
        inlay_graph_free(g);
        inlay_tensor_release(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resampled),           cmocka_unit_test(sampled),
        cmocka_unit_test(normalized),          cmocka_unit_test(columns),
        cmocka_unit_test(test_packed_filters),
    };

    return cmocka_run_group_tests_name("kernels of images", tests, NULL, NULL);
}
