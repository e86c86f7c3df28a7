/* Imports of ONNX's operators refuse these, in these words: models in the text form, of one
 * node. */
#include "models.h"
#include "onnx_refused.h"
#include "unit.h"

static void check(const refused_case *c)
{
    static const char model[] = "<ir_version: 10, opset_import: [\"\" : %d, \"ai.onnx.ml\" : 5, "
                                "\"ai.onnx.preview\" : 1, \"ai.onnx.preview.training\" : 1, "
                                "\"com.microsoft\" : 1]>\n"
                                "refused (%s) => (float y)\n{\n%s\n}\n";
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf text = {0};
    char said[300];

    inlay_strbuf_printf(&text, model, c->opset, c->inputs, c->node);
    snprintf(said, sizeof said, "4: error: graph.node[0] %s", c->said);
    assert_null(inlay_read_onnx("m.onnxtxt", text.bytes, text.n, NULL, NULL, d));
    assert_string_equal(model_messages(d), said);
    assert_int_equal(inlay_diags_status(d), INLAY_INVALID);
    inlay_strbuf_free(&text);
    inlay_diags_free(d);
}

/* Attributes that an operator must have, and values that it must not have. */
static const refused_case attributes[] = {
    {17, "float x", "y = LayerNormalization (x, x)",
     "(LayerNormalization-17): axis is -1, it must be from 0 to -1"},
    {13, "float[2] x", "y = Constant <value_int = 1, value_float = 2.0> ()",
     "(Constant-13): has 2 attributes that hold a value"},
    {17, "float[1, 2, 4] x, int32[1] l, int32 t",
     "y = com.microsoft.GroupQueryAttention <num_heads = 2, kv_num_heads = 2, qk_output = 3> (x, "
     "x, x, \"\", \"\", l, t)",
     "(com.microsoft.GroupQueryAttention-1): attribute \"qk_output\" is 3, it must be from 0 to 2"},
    {17, "float[1, 2, 4] x, float[4, 12] w, float[12] b",
     "y = com.microsoft.Attention <num_heads = 2, past_present_share_buffer = 1> (x, w, b)",
     "(com.microsoft.Attention-1): operand 4, past, or 6, past_sequence_length, is missing, which "
     "past_present_share_buffer asks for"},
    {17, "float[2, 4] x, int64[3, 1, 2] p, float[9, 2] c",
     "y = com.microsoft.MRotaryEmbedding <mrope_section = [1, 1, 0], scale = 2.0> (x, p, c, c)",
     "(com.microsoft.MRotaryEmbedding-1): attribute \"scale\" is not 1, which is not read"},
    {17, "float[2, 4] x, float[2, 2] r, uint8[2, 4, 2] w, float[2, 4, 3] s",
     "y = com.microsoft.QMoE <k = 1> (x, r, w, s, \"\", w, s)",
     "(com.microsoft.QMoE-1): operand 2 has 4 weights in a row, which are not 3 blocks"},
    {15, "float[2] x", "y = Optional ()", "(Optional-15): needs an input, or attribute \"type\""},
    {11, "float[1, 1, 4, 4] x", "y = MaxPool <kernel_shape = [2, 2], auto_pad = \"SAME\"> (x)",
     "(MaxPool-11): attribute \"auto_pad\" is \"SAME\""},
    {7, "float[4] x", "y = Upsample (x)", "(Upsample-7): has no attribute \"scales\""},
    {17, "float[2, 4] x, float[2, 2] r, uint8[2, 4, 2] w, float[2] s",
     "y = com.microsoft.QMoE <k = 1> (x, r, w, s, \"\", w, s)",
     "(com.microsoft.QMoE-1): operand 3, scales, must have 2 or 3 axes, and weights 3"},
    {17, "uint8[2, 3] x, float s, uint8 z",
     "y = com.microsoft.QLinearConcat <axis = 1> (s, z, x, s, z, x, s)",
     "(com.microsoft.QLinearConcat-1): has 7 operands, behind the first two each three belong "
     "together"},
    {19, "float[4] x, float[1] s, int64[1] z", "y = Resize (x, \"\", s, z)",
     "(Resize-19): must have either scales or sizes"},
    {17, "float[2, 3] x",
     "y = ai.onnx.ml.SVMRegressor <n_supports = 1, support_vectors = [1.0, 2.0, 3.0]> (x)",
     "(ai.onnx.ml.SVMRegressor-5): coefficients, rho or support_vectors are missing"},
    {17, "float[2, 4] x, float[2, 2] r, uint8[2, 4, 2, 1] w, float[2, 4] s",
     "y = com.microsoft.QMoE <k = 1> (x, r, w, s, \"\", w, s)",
     "(com.microsoft.QMoE-1): input[2] has 4 axes, it must have 3"},
    {20, "float[1, 1, 2, 2] x, float[1, 1, 1, 2] g", "y = GridSample <mode = \"bilinear\"> (x, g)",
     "(GridSample-20): attribute \"mode\" is \"bilinear\", it must be linear, cubic or nearest"},
    {16, "float[1, 1, 2, 2] x, float[1, 1, 1, 2] g", "y = GridSample <mode = \"cubic\"> (x, g)",
     "(GridSample-16): attribute \"mode\" is \"cubic\", it must be bilinear, bicubic or nearest"},
    {11, "float[2] x", "y = SequenceLength (x)",
     "(SequenceLength-11): input[0] must be a sequence"},
    {11, "float[1, 5] x", "y = Squeeze <axes = [0, -1]> (x)",
     "(Squeeze-11): axis 1 cannot be taken out, it has not 1 element"},
    {18, "float[2, 3] x, int64[1] a", "y = ReduceMax <axes = [0]> (x, a)",
     "(ReduceMax-18): axes are an operand and an attribute"},
    {11, "uint8[2] x", "y = BitShift (x, x)",
     "(BitShift-11): direction is \"\", it must be LEFT or RIGHT"},
    {11, "uint8[2] x", "y = BitShift <direction = \"UP\"> (x, x)",
     "(BitShift-11): direction is \"UP\", it must be LEFT or RIGHT"},
    {13, "float[2] x", "y = Mod (x, x)", "(Mod-13): attribute \"fmod\" must be 1 for floats"},
    {13, "float[2] x", "y = Concat (x, x)", "(Concat-13): attribute \"axis\" is missing"},
    {13, "float[1, 4, 2, 2] x", "y = DepthToSpace (x)",
     "(DepthToSpace-13): attribute \"blocksize\" is missing"},
    {13, "float[1, 4, 2, 2] x", "y = SpaceToDepth (x)",
     "(SpaceToDepth-13): attribute \"blocksize\" is missing"},
    {13, "float[1, 4, 2, 2] x", "y = LRN (x)", "(LRN-13): attribute \"size\" is missing"},
    {11, "float[1, 1, 4] x", "y = MaxPool (x)",
     "(MaxPool-11): attribute \"kernel_shape\" is missing"},
    {11, "float[1, 1, 4] x", "y = AveragePool (x)",
     "(AveragePool-11): attribute \"kernel_shape\" is missing"},
    {11, "float[1, 1, 4] x", "y = LpPool (x)",
     "(LpPool-11): attribute \"kernel_shape\" is missing"},
    {11, "float[1, 1, 2] x, int64[1, 1, 2] i", "y = MaxUnpool (x, i)",
     "(MaxUnpool-11): attribute \"kernel_shape\" is missing"},
    {9, "float[4] x", "y = Slice <ends = [2]> (x)", "(Slice-9): attribute \"starts\" is missing"},
    {9, "float[4] x", "y = Slice <starts = [2]> (x)", "(Slice-9): attribute \"ends\" is missing"},
    {10, "float x", "y = Pad (x)", "(Pad-10): attribute \"pads\" is missing"},
    {10, "float[2, 3] x", "y = Pad <mode = \"wrap\", pads = [1, 1]> (x)",
     "(Pad-10): the pads must have 2 numbers for each of 2 axes"},
    {10, "float[2] x", "y = Pad <pads = [1, 1, 1]> (x)",
     "(Pad-10): attribute \"pads\" has 3 elements, it must have 2 for each axis"},
    {10, "float[2, 3] x, int64[2] n", "y = ReverseSequence <batch_axis = 1, time_axis = 1> (x, n)",
     "(ReverseSequence-10): batch_axis is 1 and time_axis 1, they must be 0 and 1"},
    {10, "float[2, 3, 4] x, int64[4] n",
     "y = ReverseSequence <batch_axis = 2, time_axis = 0> (x, n)",
     "(ReverseSequence-10): batch_axis is 2 and time_axis 0, they must be 0 and 1"},
    {11, "float[1, 1, 4] x, float[1, 1, 2] w", "y = Conv <kernel_shape = [3]> (x, w)",
     "(Conv-11): kernel_shape[0] is 3, the filters have 2 there"},
    {11, "float[1, 1, 4] x, float[1, 1, 2] w", "y = ConvTranspose <kernel_shape = [3]> (x, w)",
     "(ConvTranspose-11): kernel_shape[0] is 3, the filters have 2 there"},
    {11, "float[1, 1, 4] x, float[1, 1, 2] w", "y = ConvTranspose <output_shape = [0]> (x, w)",
     "(ConvTranspose-11): attribute \"output_shape\", \"strides\" or \"dilations\", or a size has "
     "a "
     "number that is not from 1 to 2147483647"},
    {11, "float[1, 1, 4] x, float[1, 1, 2] w",
     "y = ConvTranspose <output_shape = [1, 1, 1, 8]> (x, w)",
     "(ConvTranspose-11): attribute \"output_shape\" has 4 elements, it must have 1"},
    {14, "float[3, 1, 2] x, float[1, 4, 2] w, float[1, 4, 1] r",
     "y = LSTM <hidden_size = -1> (x, w, r)",
     "(LSTM-14): attribute \"hidden_size\" is -1, it must be from 1 to 2147483647"},
    {14, "float[3, 1, 2] x, float[1, 4, 2] w, float[1, 4, 1] r",
     "y = LSTM <hidden_size = 1, activations = [\"Tanh\"]> (x, w, r)",
     "(LSTM-14): attribute \"activations\" has 1 element, it must have 3"},
    {24, "float[1, 2, 3, 4] x", "y = Attention <qk_matmul_output_mode = 4294967296> (x, x, x)",
     "(Attention-24): qk_matmul_output_mode is 4294967296, it must be from 0 to 3"},
    {17, "float[2, 3] x, float[3] s", "y = LayerNormalization <stash_type = 4294967297> (x, s)",
     "(LayerNormalization-17): element type -1 is none that ONNX has"},
    {23, "float[1, 2, 3, 4] x, float[3, 4] c, int64[1, 3] p",
     "y = RotaryEmbedding <rotary_embedding_dim = 6> (x, c, c, p)",
     "(RotaryEmbedding-23): rotary_embedding_dim is 6, a head has 4 elements"},
    {17, "float[2, 3] x",
     "y = ai.onnx.ml.LinearRegressor <coefficients = [1.0, 2.0, 3.0], targets = 0> (x)",
     "(ai.onnx.ml.LinearRegressor-5): targets is 0, it must be from 1 to 2147483647"},
    {17, "float[2, 3] x",
     "y = ai.onnx.ml.LinearRegressor <coefficients = [1.0, 2.0, 3.0], intercepts = [1.0, 2.0]> (x)",
     "(ai.onnx.ml.LinearRegressor-5): attribute \"intercepts\" has 2 elements, it must have 1 or "
     "1"},
    {17, "float[2, 3] x",
     "y = ai.onnx.ml.SVMRegressor <coefficients = [1.0], rho = [1.0], n_supports = -1> (x)",
     "(ai.onnx.ml.SVMRegressor-5): n_supports is -1, it must be from 0 to 2147483647"},
    {17, "float[2, 3] x",
     "y = ai.onnx.ml.TreeEnsembleRegressor <nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], "
     "nodes_featureids = [0, 0, 0], nodes_values = [0.5, 0.0, 0.0], nodes_modes = "
     "[\"BRANCH_LEQ\", \"LEAF\", \"LEAF\"], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = "
     "[2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], "
     "target_weights = [1.0, 2.0], n_targets = 1, base_values = [1.0, 2.0]> (x)",
     "(ai.onnx.ml.TreeEnsembleRegressor-5): attribute \"base_values\" has 2 elements, it must have "
     "1 or 1"},
    {17, "float r, int64 t, float[2] x",
     "y, v = ai.onnx.preview.training.Momentum <alpha = 0.9, beta = 1.0, norm_coefficient = 0.0> "
     "(r, t, x, x, x)",
     "(ai.onnx.preview.training.Momentum-1): attribute \"mode\" is missing"},
    {9, "int64[4] x",
     "y = TfIdfVectorizer <min_gram_length = 1, max_gram_length = 1, max_skip_count = 0, "
     "ngram_counts = [0], ngram_indexes = [0], pool_int64s = [1]> (x)",
     "(TfIdfVectorizer-9): attribute \"mode\" is missing"},
};

static const refused_case attention[] = {
    {23, "float[2, 3] x", "y = Attention (x, x, x)",
     "(Attention-23): input[0] has 2 axes, it must have 3 or 4"},
    {23, "float[2, 3, 4] x", "y = Attention <q_num_heads = 2> (x, x, x)",
     "(Attention-23): attributes \"q_num_heads\" and \"kv_num_heads\" must say the heads of "
     "operands with 3 axes"},
    {23, "float[1, 2, 3, 4] x", "y = Attention <qk_matmul_output_mode = 4> (x, x, x)",
     "(Attention-23): qk_matmul_output_mode is 4, it must be from 0 to 3"},
    {23, "float[1, 2, 3, 4] x, float[1, 3, 5, 4] p", "y = Attention (x, x, x, \"\", p, x)",
     "(Attention-23): input[4] has shape [1,3,5,4], it must be [1,2,?,4]"},
    {23, "float[1, 2, 3, 4] x, float[1, 3, 5, 4] p", "y = Attention (x, x, x, \"\", x, p)",
     "(Attention-23): input[5] has shape [1,3,5,4], it must be [1,2,?,4]"},
    {23, "float[1, 2, 3, 4] x, float[3] m", "y = Attention (x, x, x, m)",
     "(Attention-23): input[3] has 1 axis, it must have 2 to 4"},
    {24, "float[1, 2, 3, 4] x, int64[3] n", "y = Attention (x, x, x, \"\", \"\", \"\", n)",
     "(Attention-24): input[6] has shape [3], it must be [1]"},
    {22, "float[1, 2, 3, 4] x", "y = Attention (x, x, x)",
     "(Attention-22): is an operation of operator set 23 and later; the model imports set 22; "
     "--allow-unknown shows the graph"},
    {23, "float[1, 2, 3, 4] x", "y = Atention (x, x, x)",
     "(Atention-23): is an operation that this build does not have, did you mean \"Attention\"?; "
     "--allow-unknown shows the graph"},
    {27, "float[2, 3, 4] x", "y = ai.onnx.preview.FlexAttention (x, x, x)",
     "(ai.onnx.preview.FlexAttention-1): input[0] must have 4 axes"},
    {27, "float[2, 1, 3, 4] x",
     "y = ai.onnx.preview.FlexAttention <score_mod = two (float s, float t) => (float u) {u = Add "
     "(s, t)}> (x, x, x)",
     "(ai.onnx.preview.FlexAttention-1).attribute \"score_mod\": must be a graph with one input "
     "and one output"},
    {27, "float[2, 1, 3, 4] x",
     "y = ai.onnx.preview.FlexAttention <score_mod = none (float s) => (float u) {t = Abs (s)}> "
     "(x, x, x)",
     "(ai.onnx.preview.FlexAttention-1).attribute \"score_mod\": no node makes its output \"u\""},
};

static const refused_case decoder[] = {
    {24, "float[1, 1, 1, 4] q, float[1, 1, 7, 4] past, int64[1] valid",
     "y, k, v = Attention (q, q, q, \"\", past, past, valid)",
     "(Attention-24): nonpad_kv_seqlen says what is valid of keys and values that are a whole "
     "cache, "
     "so that past_key and past_value must not be given"},
    {23, "float[2, 3] x, float[3] k", "y = RotaryEmbedding (x, k, k)",
     "(RotaryEmbedding-23): input[0] has 2 axes, it must have 3 or 4"},
    {23, "float[2, 3, 4] x, float[3] k", "y = RotaryEmbedding (x, k, k)",
     "(RotaryEmbedding-23): attribute \"num_heads\" must say the heads of an input with 3 axes"},
    {23, "float[1, 2, 3, 4] x, float[3] k",
     "y = RotaryEmbedding <rotary_embedding_dim = 3> (x, k, k)",
     "(RotaryEmbedding-23): rotary_embedding_dim is 3, it must be even and not negative"},
    {27, "float[1, 2, 3] x, float[2, 1, 2] w",
     "y = CausalConvWithState <activation = \"tanh\"> (x, w)",
     "(CausalConvWithState-27): activation is \"tanh\", it must be none, silu or swish"},
    {14, "float[4, 1, 3] x, float[1, 2, 3] w, float[1, 2] r", "y = RNN (x, w, r)",
     "(RNN-14): attribute \"hidden_size\" is missing"},
    {27, "float[1, 2] x, float[2, 1, 2] w", "y = CausalConvWithState (x, w)",
     "(CausalConvWithState-27): inputs 0 and 1 must have 3 axes"},
    {27, "float[1, 2, 3] x, float[2, 1] w", "y = CausalConvWithState (x, w)",
     "(CausalConvWithState-27): inputs 0 and 1 must have 3 axes"},
    {27, "float[1, 2, 4] x",
     "y = LinearAttention <q_num_heads = 2, kv_num_heads = 2, update_rule = \"cubic\"> (x, x, x)",
     "(LinearAttention-27): update_rule is \"cubic\", it must be linear, gated, delta or "
     "gated_delta"},
    {27, "float[1, 2, 4] x",
     "y = LinearAttention <q_num_heads = 3, kv_num_heads = 2, update_rule = \"linear\"> (x, x, x)",
     "(LinearAttention-27): q_num_heads is 3, it must be a multiple of kv_num_heads, 2"},
    {27, "float[1, 2, 4] x",
     "y = LinearAttention <q_num_heads = 2, kv_num_heads = 2, update_rule = \"delta\"> (x, x, x)",
     "(LinearAttention-27): input[5] is missing, which update_rule \"delta\" needs"},
    {27, "float[1, 2, 4] x, float[2, 4] v",
     "y = LinearAttention <q_num_heads = 2, kv_num_heads = 2, update_rule = \"linear\"> (x, x, v)",
     "(LinearAttention-27): input[2] must have 3 axes"},
};

static const refused_case constant[] = {
    {9, "int64[1] x", "y = ConstantOfShape <value = float[2] {1, 2}> (x)",
     "(ConstantOfShape-9): attribute \"value\" must have one element"},
    {15, "float[2] x", "y = Constant <value_no = 1> ()",
     "(Constant-15): has none of the attributes that hold a value"},
    {5, "float[2] x", "y = Cast <to = \"FLOTA\"> (x)",
     "(Cast-5): to is \"FLOTA\", it must be the name of an element type"},
};

static const refused_case loss[] = {
    {13, "float[2, 3] x, int64[2] t",
     "y = NegativeLogLikelihoodLoss <reduction = \"median\"> (x, t)",
     "(NegativeLogLikelihoodLoss-13): reduction is \"median\", it must be none, sum or mean"},
};

static const refused_case matmul[] = {
    {12, "float[2, 3] x", "y = Einsum (x)", "(Einsum-12): attribute \"equation\" is missing"},
    {12, "float[2, 3] x", "y = Einsum <equation = \"ij;->i\"> (x)",
     "(Einsum-12): equation \"ij;->i\" has something that is no label"},
};

static const refused_case movement[] = {
    {18, "float[2] x, int64[1, 1] i, float[1] u", "y = ScatterND <reduction = \"sub\"> (x, i, u)",
     "(ScatterND-18): attribute \"reduction\" is \"sub\", it must be none, add, mul, max or min"},
    {13, "float[1, 4, 2, 2] x", "y = DepthToSpace <blocksize = 2, mode = \"CDR\"> (x)",
     "(DepthToSpace-13): attribute \"mode\" is \"CDR\", it must be DCR or CRD"},
    {18, "float[4] x", "y = Split <num_outputs = 100000> (x)",
     "(Split-18): makes 100000 parts, and has 1 output"},
};

static const refused_case normalize[] = {
    {14, "float[2] x", "y = BatchNormalization <training_mode = 1> (x, x, x, x, x)",
     "(BatchNormalization-14): input[0] has 1 axis, it must have 2 or more"},
    {21, "float[2, 4] x, float[4] s", "y = GroupNormalization (x, s, s)",
     "(GroupNormalization-21): has num_groups 0 and an input with 2 axes, they must be 1 and 2 or "
     "more"},
    {13, "float[2, 2] x", "y = LpNormalization <p = 3> (x)",
     "(LpNormalization-13): p is 3, it must be 1 or 2"},
};

static const refused_case quantize[] = {
    {21, "float[4, 2] x, float[2, 2] s", "y = QuantizeLinear <axis = 0> (x, s)",
     "(QuantizeLinear-21): attribute \"block_size\" is 0, scales in blocks need 1 or more"},
    {21, "float[4, 2, 2] x, float[2, 2] s", "y = QuantizeLinear <axis = 0, block_size = 2> (x, s)",
     "(QuantizeLinear-21): a scale or zero point has 2 axes, it must have none, 1 or 3"},
    {21, "float[4] x, float s, int32 z", "y = QuantizeLinear (x, s, z)",
     "(QuantizeLinear-21): the quantized type is i32, it must be a small integer or float"},
};

static const refused_case random_numbers[] = {
    {22, "float[4] x", "y = RandomNormal ()", "(RandomNormal-22): attribute \"shape\" is missing"},
    {22, "float[4] x", "y = Multinomial (x)",
     "(Multinomial-22): the data has 1 axis, it must have 2"},
};

static const refused_case recurrent[] = {
    {14, "float[2, 1, 3] x, float w, float r", "y = LSTM (x, w, r)",
     "(LSTM-14): attribute \"hidden_size\" is missing"},
    {14, "float[2, 1, 3] x, float[1, 8, 3] w, float[1, 8, 2] r",
     "y = LSTM <hidden_size = 2, layout = 2> (x, w, r)",
     "(LSTM-14): layout is 2, it must be 0 or 1"},
};

static const refused_case resize[] = {
    {19, "float[4] x", "y = Resize (x)", "(Resize-19): must have either scales or sizes"},
    {7, "float[4] x", "y = Upsample (x)", "(Upsample-7): has no attribute \"scales\""},
};

static const refused_case scan[] = {
    {16, "float s, float[3] x",
     "t, y = Scan <num_scan_inputs = 1, body = b (float s, float e) => (float t, float o) {t = Add "
     "(s, e)}> (s, x)",
     "(Scan-16): no node of its body makes output 1"},
    {16, "float s, float[3] x",
     "t, y = Scan <num_scan_inputs = 1, scan_input_directions = [0, 1], body = b (float s, float "
     "e) => (float t, float o) {t = Add (s, e) o = Abs (t)}> (s, x)",
     "(Scan-16): attribute \"scan_input_directions\" has 2 elements, it must have 1"},
    {16, "float s, float[3] x",
     "t, y = Scan <num_scan_inputs = 1, scan_input_axes = [0, 1], body = b (float s, float e) => "
     "(float t, float o) {t = Add (s, e) o = Abs (t)}> (s, x)",
     "(Scan-16): attribute \"scan_input_axes\" has 2 elements, it must have 1"},
    {16, "float s, float[3] x",
     "t, y = Scan <num_scan_inputs = 1, scan_input_axes = [100], body = b (float s, float e) => "
     "(float t, float o) {t = Add (s, e) o = Abs (t)}> (s, x)",
     "(Scan-16): attribute \"scan_input_axes\" has an axis 100"},
    {16, "float s, float[3] x",
     "t, y = Scan <body = b (float s, float e) => (float t, float o) {t = Add (s, e) o = Abs (t)}> "
     "(s, x)",
     "(Scan-16): attributes \"body\" and \"num_scan_inputs\" must say a graph and how many of at "
     "most 64 inputs are scanned"},
    {16, "float s, float[3] x",
     "y = Scan <num_scan_inputs = 1, body = b (float s, float e) => (float t, float o) {t = Add "
     "(s, e) o = Abs (t)}> (s, x)",
     "(Scan-16): attribute \"body\" must be a graph with 2 inputs and 1 output"},
    {16, "float s, float[3] x",
     "t, y = Scan <num_scan_inputs = 1, body = b (float s, float e) => (float t, float o) {t = Add "
     "(s, e) o = Abs (t)}> (\"\", x)",
     "(Scan-16): input[0] is missing"},
    {8, "float[65, 2] s, float[65, 3] x",
     "t, y = Scan <num_scan_inputs = 1, body = b (float s, float e) => (float t, float o) {t = Add "
     "(s, e) o = Abs (t)}> (\"\", s, x)",
     "(Scan-8): is read for 1 to 64 batches only"},
    {8, "int64[1] n, float[1] s, float[1, 3] x",
     "t, y = Scan <num_scan_inputs = 1, directions = [1], body = b (float s, float e) => (float t, "
     "float o) {t = Add (s, e) o = Abs (t)}> (n, s, x)",
     "(Scan-8): scans backward sequences of several lengths, which is not read"},
};

static const refused_case search[] = {
    {9, "float[4] x", "i, y = TopK (x)", "(TopK-9): attribute \"k\" is missing or negative"},
    {10, "float[4] x, int64[1] k", "i, y = TopK <k = 1> (x, k)",
     "(TopK-10): attribute \"k\" is not known for this operator"},
    {10, "float[4] x, int64[1] k", "i, y = TopK <largest = 0> (x, k)",
     "(TopK-10): attribute \"largest\" is not known for this operator"},
    {9, "float[4] x", "i, y = TopK <k = 1, sorted = 1> (x)",
     "(TopK-9): attribute \"sorted\" is not known for this operator"},
    {11, "float[4] x, int64[1] k", "i, y = TopK <k = 1> (x, k)",
     "(TopK-11): attribute \"k\" is not known for this operator"},
    {14, "float[4] x", "y = Trilu (x)", "(Trilu-14): the data has 1 axis, it must have 2 or more"},
    {9, "float[4] x", "y = EyeLike (x)", "(EyeLike-9): the operand has 1 axis, it must have 2"},
    {13, "float[4] x", "y = Flatten <axis = 2> (x)",
     "(Flatten-13): axis is 2, it must be from -1 to 1"},
};

static const refused_case signals[] = {
    {17, "float[1, 4, 3] x", "y = DFT <axis = 1> (x)",
     "(DFT-17): the last axis of the data must have 1 or 2 elements"},
    {17, "float[1, 4, 2] x", "y = DFT <axis = 1, onesided = 1> (x)",
     "(DFT-17): is onesided, so the data must be real"},
    {17, "float[1, 4, 1] x, int64 s", "y = STFT (x, s)",
     "(STFT-17): has neither a window nor a frame length"},
    {17, "float[1, 4, 2] x, int64 s, float[2] w", "y = STFT (x, s, w)",
     "(STFT-17): is onesided, so the data must be real"},
};

static const refused_case spatial[] = {
    {11, "float[1, 1, 4] x, float[1, 1, 2] w", "y = Conv <strides = [1, 1]> (x, w)",
     "(Conv-11): attribute \"strides\" has 2 elements, it must have 1"},
    {11, "float[1, 1, 4] x, float[1, 1, 2] w", "y = Conv <strides = [4294967296]> (x, w)",
     "(Conv-11): attribute \"strides\" has an element 4294967296, which is too large"},
    {11, "float[1, 4] x, float[1, 1] w", "y = Conv (x, w)",
     "(Conv-11): the data has 2 axes, it must have 3 or more"},
    {11, "float[1, 2, 4] x, float[3, 1, 2] w", "y = Conv <group = 2> (x, w)",
     "(Conv-11): attribute \"group\" is 2, it does not divide the filters"},
    {11, "float[1, 1, 4, 4] x, float[1, 1, 2, 2] w",
     "y = ConvTranspose <output_shape = [8]> (x, w)",
     "(ConvTranspose-11): attribute \"output_shape\" has 1 element, it must have 2"},
    {1, "float[1, 1, 4] x", "y = LpPool <kernel_shape = [2], p = 1.5> (x)",
     "(LpPool-1): attribute \"p\" is 1.5, it must be a positive integer"},
    {19, "float[1, 1, 4] x, float[1, 1, 2] w, float[1, 2, 3] o", "y = DeformConv (x, w, o)",
     "(DeformConv-19): the data has 3 axes, 4 are read"},
};

static const refused_case text[] = {
    {9, "int64[4] x",
     "y = TfIdfVectorizer <mode = \"TF\", min_gram_length = 1, max_gram_length = 1, max_skip_count "
     "= 0, ngram_counts = [0], ngram_indexes = [0], pool_strings = [\"a\"]> (x)",
     "(TfIdfVectorizer-9): attribute \"pool_int64s\" is missing"},
};

static const refused_case training[] = {
    {17, "float r, int64 t, float[2] x",
     "y = ai.onnx.preview.training.Momentum <alpha = 0.9, beta = 1.0, mode = \"standard\", "
     "norm_coefficient = 0.0> (r, t, x, x)",
     "(ai.onnx.preview.training.Momentum-1): has 4 inputs and 1 output, they must be 2 and 3, and "
     "2, for each tensor"},
    {17, "float r, int64 t, float[2] x",
     "y, v = ai.onnx.preview.training.Momentum <alpha = 0.9, beta = 1.0, mode = \"standard\", "
     "norm_coefficient = 0.0> (r, t, x, \"\", x)",
     "(ai.onnx.preview.training.Momentum-1): input[3] is missing"},
    {17, "float r, int64 t, float[2] x",
     "y, v = ai.onnx.preview.training.Momentum <alpha = 0.9, beta = 1.0, mode = \"fast\", "
     "norm_coefficient = 0.0> (r, t, x, x, x)",
     "(ai.onnx.preview.training.Momentum-1): mode is \"fast\", it must be standard or nesterov"},
};

static const refused_case vision[] = {
    {20, "float[1, 2, 3] x, int64[3] s", "y = AffineGrid (x, s)",
     "(AffineGrid-20): input \"size\" must be a list of 4 or 5 elements"},
    {20, "float[1, 1, 4, 4] x, float[1, 2, 2, 2] g", "y = GridSample <mode = \"best\"> (x, g)",
     "(GridSample-20): attribute \"mode\" is \"best\", it must be linear, cubic or nearest"},
    {1, "float[1, 1, 4, 4] x, float[1, 5] r", "y = MaxRoiPool <pooled_shape = [2]> (x, r)",
     "(MaxRoiPool-1): attribute \"pooled_shape\" has 1 element, it must have 2"},
    {20, "int8[4] x", "y = ImageDecoder (x)",
     "(ImageDecoder-20): input[0] has type i8, it must have u8"},
};

static const struct {
    const refused_case *cases;
    size_t n;
} families[] = {
    {attributes, sizeof attributes / sizeof *attributes},
    {attention, sizeof attention / sizeof *attention},
    {decoder, sizeof decoder / sizeof *decoder},
    {constant, sizeof constant / sizeof *constant},
    {loss, sizeof loss / sizeof *loss},
    {matmul, sizeof matmul / sizeof *matmul},
    {movement, sizeof movement / sizeof *movement},
    {normalize, sizeof normalize / sizeof *normalize},
    {quantize, sizeof quantize / sizeof *quantize},
    {random_numbers, sizeof random_numbers / sizeof *random_numbers},
    {recurrent, sizeof recurrent / sizeof *recurrent},
    {resize, sizeof resize / sizeof *resize},
    {scan, sizeof scan / sizeof *scan},
    {search, sizeof search / sizeof *search},
    {signals, sizeof signals / sizeof *signals},
    {spatial, sizeof spatial / sizeof *spatial},
    {text, sizeof text / sizeof *text},
    {training, sizeof training / sizeof *training},
    {vision, sizeof vision / sizeof *vision},
};

static void check_family(const refused_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check(&cases[i]);
}

static void test_refusals(void **state)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        check_family(families[i].cases, families[i].n);
    check_family(refused_fused, n_refused_fused);
    check_family(refused_nbits, n_refused_nbits);
    check_family(refused_tables, n_refused_tables);
    check_family(refused_trees, n_refused_trees);
}

/* Checks a text of BEFORE, WORD as often as TIMES says with ", " between, and AFTER. */
static void check_long(int opset, const char *inputs, const char *before, const char *word,
                       int times, const char *after, const char *said)
{
    inlay_strbuf node = {0};

    inlay_strbuf_puts(&node, before);
    for (int i = 0; i < times; i++)
        inlay_strbuf_printf(&node, "%s%s", i ? ", " : "", word);
    inlay_strbuf_puts(&node, after);
    check(&(refused_case){opset, inputs, node.bytes, said});
    inlay_strbuf_free(&node);
}

static void test_lists_that_are_too_long(void **state)
{
    check_long(12, "float[2, 3] x", "y = Einsum <equation = \"", "i", 500, "\"> (x)",
               "(Einsum-12): node \"y\" (Einsum-7): equation \"i, i, i, i, i, i, i, i, i, i, i, i, "
               "i, i, i, i, "
               "i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i\": input 0 has 2 axes, its "
               "subscript has 1");
    check_long(
        14, "float[2, 1, 3] x, float[1, 8, 3] w, float[1, 8, 2] r",
        "y = LSTM <hidden_size = 2, activations = [\"Affine\", \"Tanh\", \"Tanh\"], "
        "activation_alpha = [",
        "0.25", 900, "]> (x, w, r)",
        "(LSTM-14): attribute \"activation_alpha\" has 900 elements, at most 6 have a meaning");
    check_long(19, "float[4] x, float[1] s",
               "y = Resize <mode = \"cubic\", exclude_outside = 1, axes = [", "0", 70,
               "]> (x, \"\", s)", "(Resize-19): attribute \"axes\" has 70 elements");
    check_long(7, "float[4] x", "y = Upsample <scales = [", "1.5", 70, "]> (x)",
               "(Upsample-7): has 70 scales");
    check_long(17, "float[4] x", "y = Abs <", "a = 1", 1001, "> (x)",
               "(Abs-17): has 1001 attributes, at most 1000 are read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_lists_that_are_too_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
