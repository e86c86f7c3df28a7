/* An attribute that is left out is what ONNX's specification says: both models become one graph. */
#include "ir/print.h"
#include "models.h"
#include "unit.h"

/* A node of OPERATOR with what it NEEDS, and the defaults of the others. */
static const struct {
    int opset;
    const char *operator, * operands, *inputs, *needs, *defaults;
} cases[] = {
    {10, "RoiAlign", "x, r, i", "float[1, 2, 6, 6] x, float[2, 4] r, int64[2] i", "",
     "mode = \"avg\", output_height = 1, output_width = 1, sampling_ratio = 0, spatial_scale = "
     "1.0"},
    {16, "RoiAlign", "x, r, i", "float[1, 2, 6, 6] x, float[2, 4] r, int64[2] i", "",
     "coordinate_transformation_mode = \"half_pixel\", mode = \"avg\", output_height = 1"},
    {22, "RoiAlign", "x, r, i", "float[1, 2, 6, 6] x, float[2, 4] r, int64[2] i", "",
     "coordinate_transformation_mode = \"half_pixel\", sampling_ratio = 0, spatial_scale = 1.0"},
    {12, "Softmax", "x", "float[2, 3, 4] x", "", "axis = 1"},
    {13, "Softmax", "x", "float[2, 3, 4] x", "", "axis = -1"},
    {12, "LogSoftmax", "x", "float[2, 3, 4] x", "", "axis = 1"},
    {13, "LogSoftmax", "x", "float[2, 3, 4] x", "", "axis = -1"},
    {12, "Hardmax", "x", "float[2, 3, 4] x", "", "axis = 1"},
    {13, "Hardmax", "x", "float[2, 3, 4] x", "", "axis = -1"},
    {13, "ArgMax", "x", "float[2, 3] x", "", "axis = 0, keepdims = 1, select_last_index = 0"},
    {13, "ArgMin", "x", "float[2, 3] x", "", "axis = 0, keepdims = 1, select_last_index = 0"},
    {13, "Gather", "x, i", "float[2, 3] x, int64[1] i", "", "axis = 0"},
    {13, "GatherElements", "x, i", "float[2, 3] x, int64[1, 3] i", "", "axis = 0"},
    {13, "GatherND", "x, i", "float[2, 3] x, int64[2, 1] i", "", "batch_dims = 0"},
    {18, "ScatterElements", "x, i, u", "float[2, 3] x, int64[1, 3] i, float[1, 3] u", "",
     "axis = 0, reduction = \"none\""},
    {18, "ScatterND", "x, i, u", "float[2, 3] x, int64[1, 1] i, float[1, 3] u", "",
     "reduction = \"none\""},
    {13, "Flatten", "x", "float[2, 3, 4] x", "", "axis = 1"},
    {11, "CumSum", "x, a", "float[2, 3] x, int64 a", "", "exclusive = 0, reverse = 0"},
    {13, "ReduceMax", "x", "float[2, 3] x", "axes = [1]", "keepdims = 1"},
    {18, "ReduceMean", "x", "float[2, 3] x", "", "keepdims = 1, noop_with_empty_axes = 0"},
    {13, "Gemm", "a, b", "float[2, 3] a, float[3, 4] b", "",
     "alpha = 1.0, beta = 1.0, transA = 0, transB = 0"},
    {6, "Elu", "x", "float[2] x", "", "alpha = 1.0"},
    {6, "Selu", "x", "float[2] x", "",
     "alpha = 1.67326319217681884765625, gamma = 1.05070102214813232421875"},
    {12, "Celu", "x", "float[2] x", "", "alpha = 1.0"},
    {16, "LeakyRelu", "x", "float[2] x", "", "alpha = 0.01"},
    {6, "HardSigmoid", "x", "float[2] x", "", "alpha = 0.2, beta = 0.5"},
    {10, "ThresholdedRelu", "x", "float[2] x", "", "alpha = 1.0"},
    {9, "Shrink", "x", "float[2] x", "", "bias = 0.0, lambd = 0.5"},
    {20, "Gelu", "x", "float[2] x", "", "approximate = \"none\""},
    {13, "LRN", "x", "float[1, 4, 2, 2] x", "size = 3", "alpha = 0.0001, beta = 0.75, bias = 1.0"},
    {13, "MeanVarianceNormalization", "x", "float[1, 4, 2, 2] x", "", "axes = [0, 2, 3]"},
    {1, "LpNormalization", "x", "float[2, 3] x", "", "axis = -1, p = 2"},
    {6, "InstanceNormalization", "x, s, b", "float[1, 2, 3] x, float[2] s, float[2] b", "",
     "epsilon = 0.00001"},
    {17, "LayerNormalization", "x, s", "float[2, 3] x, float[3] s", "",
     "axis = -1, epsilon = 0.00001, stash_type = 1"},
    {15, "BatchNormalization", "x, s, b, m, v",
     "float[1, 2, 3] x, float[2] s, float[2] b, float[2] m, float[2] v", "",
     "epsilon = 0.00001, momentum = 0.9, training_mode = 0"},
    {22, "MaxPool", "x", "float[1, 1, 4, 4] x", "kernel_shape = [2, 2]",
     "auto_pad = \"NOTSET\", ceil_mode = 0, dilations = [1, 1], pads = [0, 0, 0, 0], strides = [1, "
     "1]"},
    {22, "AveragePool", "x", "float[1, 1, 4, 4] x", "kernel_shape = [2, 2]",
     "auto_pad = \"NOTSET\", ceil_mode = 0, count_include_pad = 0, dilations = [1, 1]"},
    {18, "LpPool", "x", "float[1, 1, 4, 4] x", "kernel_shape = [2, 2]", "p = 2, ceil_mode = 0"},
    {11, "Conv", "x, w", "float[1, 2, 4, 4] x, float[2, 2, 3, 3] w", "",
     "auto_pad = \"NOTSET\", dilations = [1, 1], group = 1, pads = [0, 0, 0, 0], strides = [1, 1]"},
    {11, "ConvTranspose", "x, w", "float[1, 2, 4, 4] x, float[2, 2, 3, 3] w", "",
     "dilations = [1, 1], group = 1, output_padding = [0, 0], pads = [0, 0, 0, 0]"},
    {13, "DepthToSpace", "x", "float[1, 4, 2, 2] x", "blocksize = 2", "mode = \"DCR\""},
    {11, "TopK", "x, k", "float[2, 3] x, int64[1] k", "", "axis = -1, largest = 1, sorted = 1"},
    {11, "OneHot", "x, d, v", "int64[3] x, int64 d, float[2] v", "", "axis = -1"},
    {14, "Trilu", "x", "float[2, 3] x", "", "upper = 1"},
    {16, "GridSample", "x, g", "float[1, 1, 4, 4] x, float[1, 2, 2, 2] g", "",
     "mode = \"bilinear\", padding_mode = \"zeros\", align_corners = 0"},
    {20, "GridSample", "x, g", "float[1, 1, 4, 4] x, float[1, 2, 2, 2] g", "",
     "mode = \"linear\", padding_mode = \"zeros\", align_corners = 0"},
    {22, "RandomNormalLike", "x", "double[2] x", "", "dtype = 11, mean = 0.0, scale = 1.0"},
    {22, "RandomUniformLike", "x", "float16[2] x", "", "dtype = 10, low = 0.0, high = 1.0"},
    {22, "RandomNormal", "", "float[2] x", "shape = [2]", "dtype = 1, mean = 0.0, scale = 1.0"},
    {22, "RandomUniform", "", "float[2] x", "shape = [2]", "dtype = 1, low = 0.0, high = 1.0"},
    {22, "Bernoulli", "x", "double[2] x", "", "dtype = 11"},
    {22, "Multinomial", "x", "float[1, 3] x", "", "dtype = 6, sample_size = 1"},
    {22, "EyeLike", "x", "double[2, 3] x", "", "dtype = 11"},
    {13, "Mod", "x, x", "int64[2] x", "", "fmod = 0"},
    {10, "IsInf", "x", "float[2] x", "", "detect_negative = 1, detect_positive = 1"},
    {16, "Einsum", "x", "float[2, 3] x", "equation = \"ij->ji\"", ""},
    {11, "Unique", "x", "float[4] x", "", "sorted = 1"},
    {13, "QuantizeLinear", "x, s", "float[2, 3] x, float[3] s", "", "axis = 1"},
    {13, "DequantizeLinear", "x, s", "uint8[2, 3] x, float[3] s", "", "axis = 1"},
    {22, "EyeLike", "x", "float[2, 3] x", "", "k = 0"},
    {10, "ReverseSequence", "x, n", "float[2, 3] x, int64[3] n", "",
     "batch_axis = 1, time_axis = 0"},
    {10, "NonMaxSuppression", "b, s", "float[1, 4, 4] b, float[1, 1, 4] s", "",
     "center_point_box = 0"},
    {14, "LSTM", "x, w, r", "float[3, 1, 2] x, float[1, 4, 2] w, float[1, 4, 1] r",
     "hidden_size = 1", "direction = \"forward\", input_forget = 0, layout = 0"},
    {14, "GRU", "x, w, r", "float[3, 1, 2] x, float[1, 3, 2] w, float[1, 3, 1] r",
     "hidden_size = 1", "direction = \"forward\", linear_before_reset = 0, layout = 0"},
    {13, "NegativeLogLikelihoodLoss", "x, t", "float[2, 3] x, int64[2] t", "",
     "reduction = \"mean\""},
    {13, "SoftmaxCrossEntropyLoss", "x, t", "float[2, 3] x, int64[2] t", "",
     "reduction = \"mean\""},
    {13, "Split", "x", "float[4] x", "", "axis = 0"},
    {17, "HannWindow", "n", "int64 n", "", "output_datatype = 1, periodic = 1"},
    {17, "DFT", "x", "float[1, 4, 1] x", "", "axis = 1, inverse = 0, onesided = 0"},
};

static void print(size_t i, const char *more, inlay_strbuf *out)
{
    const char *needs = cases[i].needs, *comma = *needs && *more ? ", " : "";
    bool some = *needs || *more;
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf text = {0};
    inlay_graph *g;

    inlay_strbuf_printf(&text,
                        "<ir_version: 10, opset_import: [\"\" : %d]>\nm (%s) => (y)\n{\n"
                        "y = %s %s%s%s%s%s (%s)\n}\n",
                        cases[i].opset, cases[i].inputs, cases[i].operator, some ? "<" : "", needs,
                        comma, more, some ? ">" : "", cases[i].operands);
    g = inlay_read_onnx("m.onnxtxt", text.bytes, text.n, NULL, NULL, d);
    if (!g)
        fail_msg("%s%s", text.bytes, model_messages(d));
    assert_true(inlay_print(g, true, &(inlay_sink){inlay_strbuf_sink, out}, NULL));
    inlay_graph_free(g);
    inlay_strbuf_free(&text);
    inlay_diags_free(d);
}

static void test_defaults(void **state)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_strbuf bare = {0}, full = {0};

        print(i, "", &bare);
        print(i, cases[i].defaults, &full);
        if (strcmp(bare.bytes, full.bytes) != 0)
            fail_msg("%s-%d:\n%snot\n%s", cases[i].operator, cases[i].opset, bare.bytes,
                     full.bytes);
        inlay_strbuf_free(&bare);
        inlay_strbuf_free(&full);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_defaults)};

    return cmocka_run_group_tests_name("defaults of ONNX", tests, NULL, NULL);
}
