#include "tests/unit/onnx_left_out.h"

const onnx_left_out onnx_left_outs[] = {
    {18, "int32[2] x", "y = BitwiseOr (x, x)"},
    {5, "float[2] x", "y = Cast <to = \"INT32\"> (x)"},
    {9, "float[2] x", "y = NonZero (x)"},
    {15, "float[2] x", "y = OptionalGetElement (x)"},
    {15, "float[2] x", "y = Optional (x)"},
    {11, "float[2] x", "y = SequenceConstruct (x, x)"},
    {11, "float[2] x", "y = SequenceEmpty <dtype = 1> ()"},
    {11, "float[2] x, int64 i", "s = SequenceConstruct (x, x) y = SequenceAt (s, i)"},
    {11, "float[2] x, int64 i", "s = SequenceConstruct (x, x) y = SequenceErase (s, i)"},
    {11, "float[2] x", "s = SequenceConstruct (x, x) y = SequenceLength (s)"},
    {11, "float[2] x",
     "s = SplitToSequence <axis = 0, keepdims = 0> (x) y = ConcatFromSequence <axis = 0, new_axis "
     "= 1> (s)"},
    {17, "float[2] x", "y = ai.onnx.ml.Binarizer <threshold = 0.5> (x)"},
    {17, "float[2] x", "y = ai.onnx.ml.CastMap (x)"},
    {17, "int64[2] x",
     "y = ai.onnx.ml.CategoryMapper <cats_int64s = [1, 2], cats_strings = [\"a\", \"b\"]> (x)"},
    {17, "float[2] x", "y = ai.onnx.ml.DictVectorizer (x)"},
    {17, "float[2, 3] x", "y = ai.onnx.ml.FeatureVectorizer <inputdimensions = [3, 3]> (x, x)"},
    {17, "int64[2, 2] x",
     "y = ai.onnx.ml.Imputer <imputed_value_int64s = [1, 2], replaced_value_int64 = 0> (x)"},
    {1, "int64[2] x", "y = ai.onnx.ml.LabelEncoder <classes_strings = [\"a\", \"b\"]> (x)"},
    {17, "float[2, 3] x", "y = ai.onnx.ml.Normalizer <norm = \"L2\"> (x)"},
    {17, "int64[2] x", "y = ai.onnx.ml.OneHotEncoder <cats_int64s = [1, 2], zeros = 1> (x)"},
    {17, "float[2, 2] x", "y = ai.onnx.ml.Scaler <offset = [1.0], scale = [2.0]> (x)"},
    {17, "float[2] x", "y = ai.onnx.ml.ZipMap <classlabels_int64s = [1]> (x)"},
    {17, "float[2, 3] x",
     "y, z = ai.onnx.ml.LinearClassifier <coefficients = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "
     "intercepts = [1.0, 2.0], classlabels_ints = [0, 1]> (x)"},
    {17, "float[2, 3] x",
     "y = ai.onnx.ml.LinearRegressor <coefficients = [1.0, 2.0, 3.0], targets = 1> (x)"},
    {17, "float[2, 3] x",
     "y, z = ai.onnx.ml.SVMClassifier <coefficients = [1.0, 2.0, 3.0], rho = [1.0], "
     "support_vectors = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], vectors_per_class = [1, 2], "
     "kernel_type = \"RBF\", kernel_params = [1.0, 0.0, 2.0], classlabels_ints = [3, 4], prob_a = "
     "[1.0], prob_b = [0.5], post_transform = \"NONE\"> (x)"},
    {17, "float[2, 3] x",
     "y = ai.onnx.ml.SVMRegressor <coefficients = [1.0, 2.0], rho = [1.0], n_supports = 2, "
     "support_vectors = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], kernel_type = \"RBF\", kernel_params = "
     "[1.0, 0.0, 2.0]> (x)"},
    {17, "float[2, 3] x",
     "y, z = ai.onnx.ml.TreeEnsembleClassifier <nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, "
     "2], nodes_featureids = [0, 0, 0], nodes_values = [0.5, 0.0, 0.0], nodes_modes = "
     "[\"BRANCH_LEQ\", \"LEAF\", \"LEAF\"], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = "
     "[2, 0, 0], nodes_missing_value_tracks_true = [0, 0, 0], class_treeids = [0, 0], "
     "class_nodeids = [1, 2], class_ids = [0, 1], class_weights = [1.0, 1.0], classlabels_int64s "
     "= [3, 4]> (x)"},
    {17, "float[2, 3] x",
     "y = ai.onnx.ml.TreeEnsembleRegressor <nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], "
     "nodes_featureids = [0, 0, 0], nodes_values = [0.5, 0.0, 0.0], nodes_modes = "
     "[\"BRANCH_LEQ\", \"LEAF\", \"LEAF\"], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = "
     "[2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], "
     "target_weights = [1.0, 2.0], n_targets = 1> (x)"},
    {13, "float[1, 8, 2, 3] x", "y = DepthToSpace <blocksize = 2> (x)"},
    {13, "float[1, 2, 4, 6] x", "y = SpaceToDepth <blocksize = 2> (x)"},
    {17, "float[2, 32] x, float[6] s",
     "b = Constant <value = uint8[3, 2, 8] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "
     "0, "
     "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}> () y "
     "= com.microsoft.MatMulNBits <K = 32, N = 3, bits = 4, block_size = 16> (x, b, s)"},
    {17, "uint8[2, 3] x, float s, uint8 z, int8[4, 3] w, float[4] t, int8[4] v, int32[4] b",
     "y = com.microsoft.QGemm <transA = 0, transB = 1, alpha = 2.0> (x, s, z, w, t, v, b, s, z)"},
    {17, "uint8[2, 3] x, float s, uint8 z",
     "y = com.microsoft.QLinearAdd (x, s, z, x, s, z, s, z)"},
    {17, "int8[2, 3] x, float s, int8 z", "y = com.microsoft.QLinearMul (x, s, z, x, s, z, s, z)"},
    {17, "uint8[1, 2, 4, 4] x, float s, uint8 z",
     "y = com.microsoft.QLinearAveragePool <kernel_shape = [2, 2], strides = [2, 2], pads = [0, 0, "
     "0, 0], count_include_pad = 1, channels_last = 0> (x, s, z, s, z)"},
    {17, "uint8[1, 2, 4, 4] x, float s, uint8 z",
     "y = com.microsoft.QLinearGlobalAveragePool <channels_last = 0> (x, s, z, s, z)"},
    {17, "uint8[2, 3] x, float s, uint8 z",
     "y = com.microsoft.QLinearConcat <axis = 1> (s, z, x, s, z, x, s, z)"},
    {17, "uint8[2, 3] x, float s, uint8 z",
     "y = com.microsoft.QLinearLeakyRelu <alpha = 0.5> (x, s, z, s, z)"},
    {17, "uint8[2, 3] x, float s, uint8 z", "y = com.microsoft.QLinearSigmoid (x, s, z, s, z)"},
    {17, "float[1, 2, 8] x, float[8] b", "y = com.microsoft.BiasAdd (x, b, x)"},
    {17, "float[1, 2, 8] x, float[8] b", "y = com.microsoft.BiasGelu (x, b)"},
    {17, "float[1, 2, 8] x, float[8] b", "y = com.microsoft.BiasSplitGelu (x, b)"},
    {17, "float[1, 2, 8] x, float[8] b", "y = com.microsoft.FastGelu (x, b)"},
    {17, "float[1, 2, 8] x", "y = com.microsoft.Gelu (x)"},
    {17, "float[1, 2, 8] x", "y = com.microsoft.QuickGelu <alpha = 2.0> (x)"},
    {17, "float[2, 3] x, float[3, 4] y, float[4] c",
     "y = com.microsoft.FusedGemm <transA = 0, transB = 0, alpha = 2.0, beta = 3.0, activation = "
     "\"LeakyRelu\", activation_alpha = 0.5> (x, y, c)"},
    {17, "float[2, 2, 3] x, float[2, 3, 4] y",
     "y = com.microsoft.FusedMatMul <transA = 0, transB = 0, transBatchA = 0, transBatchB = 0, "
     "alpha = 2.0> (x, y)"},
    {17, "float[2, 3] x, float[3, 4] y",
     "y = com.microsoft.FusedMatMulActivation <activation = \"HardSigmoid\", activation_alpha = "
     "0.5, activation_beta = 0.5, activation_axis = 1> (x, y)"},
    {17, "float[2, 3] x, float[3, 4] y, float[4] c", "y = com.microsoft.GemmFastGelu (x, y, c)"},
    {17, "float[2, 3] x, float[3, 4] y",
     "y = com.microsoft.TransposeMatMul <transA = 0, transB = 0, alpha = 2.0> (x, y)"},
    {17, "float[2, 3, 3] x", "y = com.microsoft.Inverse (x)"},
    {17, "float[1, 2, 4, 4] x, float[2, 1, 2, 2] w, float[2] b",
     "y = com.microsoft.FusedConv <group = 2, strides = [1, 1], pads = [0, 0, 0, 0], dilations = "
     "[1, 1], kernel_shape = [2, 2], activation = \"Clip\", activation_params = [0.0, 6.0]> (x, w, "
     "b)"},
    {17, "float[1, 4, 4, 2] x, float[2, 1, 2, 2] w, float[2] b",
     "y = com.microsoft.NhwcConv <group = 2, strides = [1, 1], pads = [0, 0, 0, 0], dilations = "
     "[1, 1], kernel_shape = [2, 2]> (x, w, b)"},
    {17, "float[1, 4, 4, 2] x, float[2, 1, 2, 2] w, float[2] b",
     "y = com.microsoft.NhwcFusedConv <group = 2, strides = [1, 1], pads = [0, 0, 0, 0], "
     "kernel_shape = [2, 2], activation = \"Relu\"> (x, w, b)"},
    {17, "float[1, 2, 4] x, float[4, 12] w, float[12] b, int32[1, 2] m",
     "y = com.microsoft.Attention <num_heads = 2, unidirectional = 1, scale = 0.5, "
     "mask_filter_value = -1.0, qkv_hidden_sizes = [4, 4, 4]> (x, w, b, m)"},
    {17, "float[1, 2, 4] x, float[12] b, int32[1, 2] m, float[1, 2, 2, 2] s",
     "y = com.microsoft.MultiHeadAttention <num_heads = 2, unidirectional = 1, scale = 0.5, "
     "mask_filter_value = -1.0> (x, x, x, b, m, s)"},
    {17, "float[1, 2, 4] x, float[1, 2, 4, 2] p, int32[1] l, int32 t, float[4, 1] c",
     "y = com.microsoft.GroupQueryAttention <num_heads = 2, kv_num_heads = 2, do_rotary = 1, "
     "rotary_interleaved = 1, causal = 1, local_window_size = 2, smooth_softmax = 1, softcap = "
     "2.0, scale = 0.5> (x, x, x, p, p, l, t, c, c)"},
    {17, "float[1, 2, 4] x, int64[1, 2] p, float[3, 1] c",
     "y = com.microsoft.RotaryEmbedding <num_heads = 2, rotary_embedding_dim = 2, interleaved = 1> "
     "(x, p, c, c)"},
    {17, "float[1, 2, 4] x, float[4] g",
     "y = com.microsoft.SkipLayerNormalization <epsilon = 0.5> (x, x, g, g, g)"},
    {17, "float[1, 2, 4] x, float[4] g",
     "y = com.microsoft.SkipSimplifiedLayerNormalization <epsilon = 0.5> (x, x, g, g)"},
    {17, "float[1, 2, 4] x, float[4] g",
     "y = com.microsoft.SimplifiedLayerNormalization <axis = 1, epsilon = 0.5, stash_type = 1> (x, "
     "g)"},
    {17, "int32[1, 2] i, float[3, 4] w, float[4] g",
     "y = com.microsoft.EmbedLayerNormalization <epsilon = 0.5, mask_index_type = 1> (i, i, w, w, "
     "w, g, g, i)"},
    {17, "float[1, 2, 2, 4] x, float[4] g",
     "y = com.microsoft.GroupNorm <groups = 2, activation = 1, channels_last = 1> (x, g, g)"},
    {17, "float[1, 2, 2, 4] x, float[4] g, float[1, 4] s",
     "y = com.microsoft.SkipGroupNorm <groups = 2, activation = 1, channels_last = 1> (x, g, g, s, "
     "g)"},
    {17, "uint8[2, 3] x, float s, uint8 z",
     "y = com.microsoft.DequantizeLinear <axis = 1> (x, s, z)"},
    {17, "float[2, 3] x, float s, uint8 z",
     "y = com.microsoft.QuantizeLinear <axis = 1> (x, s, z)"},
    {17, "float[2, 3] x, int8[3, 4] w, float[4] s, int8[4] z, float[4] b",
     "y = com.microsoft.DynamicQuantizeMatMul (x, w, s, z, b)"},
    {17, "uint8[2, 3] x, int8[3, 4] w, float s, float[4] t, uint8 z, int8[4] v, float[4] b",
     "y = com.microsoft.MatMulIntegerToFloat (x, w, s, t, z, v, b)"},
    {17, "uint8[2, 3] x, float s, uint8 z",
     "y = com.microsoft.QLinearSoftmax <axis = 1, opset = 13> (x, s, z, s, z)"},
    {17, "bool[2, 3] c, uint8[2, 3] x, float s, uint8 z",
     "y = com.microsoft.QLinearWhere (c, x, s, z, x, s, z, s, z)"},
    {17, "float[2, 2, 16] x, float[2] s",
     "b = Constant <value = uint8[16] {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7}> () y = "
     "com.microsoft.MatMulBnb4 <K = 16, N = 2, block_size = 16, quant_type = 1, transB = 1, "
     "training_mode = 0> (x, b, s)"},
    {17, "uint8[2, 8] x, int64[3] i, float[2, 1] s",
     "y = com.microsoft.GatherBlockQuantized <bits = 4, block_size = 16, gather_axis = 0, "
     "quantize_axis = 1> (x, i, s)"},
    {17, "uint8[1, 2, 4] x, int8[4, 12] w, float[12] b, float s, int32[1, 2] m, uint8 z, int8 v",
     "y = com.microsoft.QAttention <num_heads = 2, unidirectional = 1, scale = 0.5, "
     "mask_filter_value = -1.0, do_rotary = 0, past_present_share_buffer = 0> (x, w, b, s, s, m, "
     "z, v)"},
    {17, "float[3, 4] x, float[4, 12] w, float[12] b, int32[2, 2] o, int32[3] e",
     "y = com.microsoft.PackedAttention <num_heads = 2, scale = 0.5, qkv_hidden_sizes = [4, 4, 4]> "
     "(x, w, b, o, e)"},
    {17, "float[3, 4] x, float[12] b, int32[2, 2] o, int32[3] e",
     "y = com.microsoft.PackedMultiHeadAttention <num_heads = 2, scale = 0.5, mask_filter_value = "
     "-1.0> (x, x, x, b, o, e)"},
    {17, "float[2, 3, 4] x, int32[2] c", "y, o, e, m = com.microsoft.RemovePadding (x, c)"},
    {17, "float[3, 4] x, int32[2, 2] o", "y = com.microsoft.RestorePadding (x, o)"},
    {17, "float[8, 2] x, int64[1] l",
     "y = com.microsoft.RelativePositionBias <max_distance = 9, is_bidirectional = 1> (x, l, l)"},
    {17, "float[1, 2, 4] x, float[4] b, float[1, 2, 2, 2] r, float[2, 4] w, float[1, 2, 1, 1] a",
     "y = com.microsoft.GatedRelativePositionBias <num_heads = 2> (x, b, r, w, b, a)"},
    {17, "float[2, 4] x, float[2, 3] r, float[3, 4, 4] w, float[3, 4] b, float[3, 4, 2] v",
     "y = com.microsoft.MoE <k = 2, activation_type = \"swiglu\", swiglu_fusion = 1, "
     "activation_alpha = 1.5, activation_beta = 1.0, swiglu_limit = 2.0, normalize_routing_weights "
     "= 1, use_sparse_mixer = 0> (x, r, w, b, v)"},
    {17,
     "float[2, 4] x, float[2, 3] r, uint8[3, 2, 2] w, float[3, 2] s, uint8[3, 4, 1] v, float[3, 4] "
     "t",
     "y = com.microsoft.QMoE <k = 2, activation_type = \"silu\", expert_weight_bits = 4, "
     "normalize_routing_weights = 1, block_size = 0> (x, r, w, s, \"\", v, t)"},
    {17, "float[3, 1, 2] x, int8[1, 2, 8] w, float[1] s, int8[1] z",
     "y = com.microsoft.DynamicQuantizeLSTM <hidden_size = 2, direction = \"forward\", clip = 0.5, "
     "input_forget = 1> (x, w, w, \"\", \"\", \"\", \"\", \"\", s, z, s, z)"},
    {17, "uint8[1, 4, 4, 2] x, float s, uint8 z, uint8[2, 1, 2, 2] w",
     "y = com.microsoft.QLinearConv <group = 2, strides = [1, 1], pads = [0, 0, 0, 0], dilations = "
     "[1, 1], kernel_shape = [2, 2], channels_last = 1> (x, s, z, w, s, z, s, z)"},
    {17, "uint8[2, 3, 4] x, float s, uint8 z",
     "y = com.microsoft.QLinearReduceMean <axes = [1], keepdims = 0> (x, s, z, s, z)"},
    {17, "int8[2, 3] x, int8 z", "y = com.microsoft.MulInteger (x, z, x, z)"},
    {17, "int16[2, 3] x, int16[3, 2] w", "y = com.microsoft.MatMulInteger16 (x, w)"},
    {17, "uint8[2, 3] x", "y = com.microsoft.ReduceSumInteger <axes = [0], keepdims = 1> (x)"},
    {17, "float[1, 2, 3, 3] x, float[2, 1, 2, 2] w, int64[4] p, float[2] b",
     "y = com.microsoft.ConvTransposeWithDynamicPads <group = 2, strides = [2, 2], dilations = [1, "
     "1], kernel_shape = [2, 2], output_padding = [1, 1]> (x, w, p, b)"},
    {17, "uint8[1, 4, 4, 2] x",
     "y = com.microsoft.NhwcMaxPool <kernel_shape = [2, 2], strides = [2, 2], pads = [0, 0, 0, 0], "
     "dilations = [1, 1], ceil_mode = 1> (x)"},
    {17, "float[2, 2, 3, 3] x, float[3, 4] r, int32[3] i, int32[2] c",
     "y = com.microsoft.CropAndResize <mode = \"nearest\", extrapolation_value = 0.5> (x, r, i, "
     "c)"},
    {17, "float[2, 3, 4] x, float[4] b", "y = com.microsoft.BiasDropout <seed = 1> (x, b, x)"},
    {17, "float[2, 3, 4] x, float[4] b",
     "y = com.microsoft.BitmaskBiasDropout <seed = 1> (x, b, x)"},
    {17, "float[2, 3, 4] x", "y = com.microsoft.BitmaskDropout <seed = 1> (x)"},
    {17, "float[2, 3, 4] x, float[4] b",
     "y = com.microsoft.BiasSoftmax <axis = 1, is_inner_broadcast = 1> (x, b)"},
    {17, "float[2, 3] x", "y = com.microsoft.SampleOp (x)"},
    {17, "float[2, 3] x",
     "t = Tanh (x) y = ai.onnx.preview.training.Gradient <xs = [\"x\"], y = \"t\"> (x)"},
    {17, "float[2, 3] x, float[2, 1] g", "y = com.microsoft.GatedAdd (x, x, g)"},
    {17, "float[2, 6] x, float[3] s", "y = com.microsoft.GatedRMSNorm <epsilon = 0.5> (x, s, x)"},
    {17, "float[1, 2, 3] x, float[3] s", "y, z = com.microsoft.LinearAttentionGate (x, s, s, x)"},
    {17, "float[2, 3, 2] x", "y = com.microsoft.ComplexMul (x, x)"},
    {17, "float[2, 3, 2] x", "y = com.microsoft.ComplexMulConj (x, x)"},
    {17, "float[2, 3] x, float[4, 3] z", "y = com.microsoft.CDist <metric = \"euclidean\"> (x, z)"},
    {17, "float[2, 3] x, int64[1, 4] p, float v",
     "y = com.microsoft.Pad <mode = \"constant\"> (x, p, v)"},
    {17, "float[2, 6] x", "y = com.microsoft.UnfoldTensor <dim = 1, size = 2, step = 2> (x)"},
    {17, "float[2, 6] x",
     "y = com.microsoft.Rfft <signal_ndim = 1, onesided = 1, normalized = 0> (x)"},
    {17, "float[2, 4, 2] x",
     "y = com.microsoft.Irfft <signal_ndim = 1, onesided = 1, normalized = 0> (x)"},
    {17, "float[1, 2, 8] x, int64[3, 1, 2] p, float[3, 2] c",
     "y = com.microsoft.MRotaryEmbedding <num_heads = 2, rotary_embedding_dim = 4, interleaved = "
     "1, mrope_section = [1, 1, 0], mrope_layout = 1, is_packed_batching = 0> (x, p, c, c)"},
    {17, "float[1, 2, 4] e, float16[1, 2, 2, 4] q",
     "y, z = com.microsoft.GemmaRotaryEmbedding (e, q, q, q, q)"},
    {17, "float[1, 2, 4] x, float[2, 1, 3] w, float[2] b, float[1, 2, 2] p",
     "y, q = com.microsoft.CausalConvWithState <activation = \"silu\", ndim = 1, dilation = 1, "
     "channels_last = 0, state_window = 0> (x, w, b, p)"},
    {17, "float[1, 2, 4] x, float[1, 2, 2] d, float[1, 2, 1] b, float[1, 2, 2, 2] p",
     "y, q = com.microsoft.LinearAttention <q_num_heads = 2, kv_num_heads = 2, update_rule = "
     "\"gated_delta\", scale = 0.5, chunk_size = 8, state_window = 0> (x, x, x, p, d, b)"},
    {17, "int32[1, 2] i, uint8[3, 4] w, uint8[4] g, float s, uint8 z",
     "y, m = com.microsoft.QEmbedLayerNormalization <epsilon = 0.5> (i, i, w, w, w, g, g, i, s, s, "
     "s, s, s, z, z, z, z, z)"},
    {17, "float[2, 3, 4] x, int64 k", "y = com.microsoft.Trilu <upper = 0> (x, k)"},
    {17, "int64[4] x", "y = com.microsoft.Unique (x)"},
    {17, "float[2, 3] x, int64[2, 1] i", "y = com.microsoft.GatherND (x, i)"},
    {17, "float[2, 3] x, int64[2] i", "y = com.microsoft.TorchEmbedding (x, i)"},
    {17, "int64 x", "y = com.microsoft.Range (x, x)"},
    {17, "float[2, 3] x, int32 a", "y = com.microsoft.ExpandDims (x, a)"},
    {17, "float[1, 1, 3, 3] x, float[1, 2, 2, 2] g",
     "y = com.microsoft.GridSample <mode = \"bilinear\", padding_mode = \"border\", align_corners "
     "= 1> (x, g)"},
    {10, "uint8[2, 3] x, uint8[3, 4] y", "z = MatMulInteger (x, y)"},
    {10, "uint8[1, 2, 4, 4] x, float s, uint8 z, uint8[2, 1, 2, 2] w",
     "y = QLinearConv <group = 2, strides = [1, 1], pads = [0, 0, 0, 0], dilations = [1, 1], "
     "kernel_shape = [2, 2]> (x, s, z, w, s, z, s, z)"},
    {7, "float[2, 3] x", "y = Multinomial <sample_size = 4, dtype = 6> (x)"},
    {1, "float[2] x", "y = RandomNormal <shape = [2, 3], dtype = 1> ()"},
    {1, "float[2] x", "y = RandomNormalLike <dtype = 1> (x)"},
    {1, "float[2] x", "y = RandomUniform <shape = [2, 3], dtype = 1> ()"},
    {1, "float[2] x", "y = RandomUniformLike <dtype = 1> (x)"},
    {10, "float[1, 2, 3, 4] x",
     "s = Constant <value = float[4] {1, 1, 2, 2}> () y = Resize <mode = \"linear\"> (x, s)"},
    {9, "float[1, 2, 3, 4] x",
     "s = Constant <value = float[4] {1, 1, 2, 2}> () y = Upsample <mode = \"linear\"> (x, s)"},
    {7, "float[1, 2, 3, 4] x", "y = Upsample <scales = [1.0, 1.0, 2.0, 2.0]> (x)"},
    {1, "float[1, 2, 3, 4] x", "y = Upsample <height_scale = 2.0, width_scale = 2.0> (x)"},
    {1, "float[4] x", "y, i = TopK <k = 2, axis = 0> (x)"},
    {2, "float[2, 3] x", "y = Pad <mode = \"reflect\", pads = [0, 1, 0, 1]> (x)"},
    {1, "float[2, 3] x", "y = Pad <mode = \"edge\", paddings = [0, 1, 0, 1]> (x)"},
    {1, "float[2, 3] x", "y = Slice <axes = [0, 1], starts = [0, 1], ends = [1, 3]> (x)"},
    {1, "float[4] x", "y = Reshape <shape = [2, 2]> (x)"},
    {1, "float[4] x", "y = Unsqueeze <axes = [0, 2]> (x)"},
    {17, "int64 x", "y = BlackmanWindow <output_datatype = 1, periodic = 1> (x)"},
    {2, "float[1, 2, 3, 4] x", "y = GlobalLpPool <p = 2> (x)"},
    {1, "float[1, 2, 3, 4] x", "y = LpPool <kernel_shape = [2, 2], p = 2.0> (x)"},
    {18, "float[1, 4, 2, 2] x, float[2] s", "y = GroupNormalization <num_groups = 2> (x, s, s)"},
    {7, "float[2, 3] x, float[3] s", "y = PRelu (x, s)"},
    {6, "float[2, 3] x", "y = Relu (x)"},
    {9, "float[2, 3] x", "y = Shrink <lambd = 0.5> (x)"},
    {17, "float[2, 3] x, float[3] s",
     "y = SimplifiedLayerNormalization <axis = 1, stash_type = 1> (x, s)"},
    {20, "uint8[4] x", "y = ImageDecoder <pixel_format = \"BGR\"> (x)"},
    {1, "float[1, 1, 4, 4] x, float[1, 5] r", "y = MaxRoiPool <pooled_shape = [2, 2]> (x, r)"},
};
const size_t n_onnx_left_outs = sizeof onnx_left_outs / sizeof *onnx_left_outs;
