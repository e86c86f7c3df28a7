#include "tests/unit/onnx_refused.h"

#define MS(node) "y = com.microsoft." node
#define SAYS(op) "(com.microsoft." op "-1): "

const refused_case refused_fused[] = {
    {17, "float[2, 2] x", MS("FusedGemm <activation = \"Maxout\"> (x, x)"),
     SAYS("FusedGemm") "activation is \"Maxout\", which is not known"},
    {17, "float[2, 2] x", MS("FusedGem (x, x)"),
     SAYS("FusedGem") "is an operation that this build does not have, did you mean \"FusedGemm\"?; "
                      "--allow-unknown shows the graph"},
    {17, "float[1, 2, 4] x", MS("MultiHeadAttention <num_heads = 0> (x, x, x)"),
     SAYS("MultiHeadAttention") "attribute \"num_heads\" is 0, it must be from 1 to 2147483647"},
    {17, "float[1, 2, 4] x", MS("MultiHeadAttention <num_heads = 2> (x)"),
     SAYS("MultiHeadAttention") "query, key and value have 3, 0 and 0 axes, which is no form that "
                                "they can have"},
    {17, "float[1, 2, 4] x, int32[1] p",
     MS("MultiHeadAttention <num_heads = 2> (x, x, x, \"\", \"\", \"\", \"\", \"\", p)"),
     SAYS("MultiHeadAttention") "operand 8, past_sequence_length, is there, but no past"},
    {17, "float[1, 2, 4] x, int32[3] m",
     MS("MultiHeadAttention <num_heads = 2> (x, x, x, \"\", m)"),
     SAYS(
         "MultiHeadAttention") "the mask has 3 numbers, it must have b, 2 b or 3 b + 2, where b is "
                               "the batch, 1"},
    {17, "float[1, 2, 4] x, int32[1, 1, 1, 2, 2] m",
     MS("MultiHeadAttention <num_heads = 2> (x, x, x, \"\", m)"),
     SAYS("MultiHeadAttention") "the mask has 5 axes, it must have 1 to 4"},
    {17, "float[1, 2, 4] x, int32[1] l, int32 t",
     MS("GroupQueryAttention <num_heads = 2, kv_num_heads = 2, k_quant_type = \"PER_TENSOR\"> (x, "
        "x, "
        "x, \"\", \"\", l, t)"),
     SAYS("GroupQueryAttention") "k_quant_type is PER_TENSOR, so that kv_cache_bit_width must be 4 "
                                 "or "
                                 "8, and operand 12 be there"},
    {17, "float[1, 2, 4] x, float[4, 10] w", MS("Attention <num_heads = 2> (x, w)"),
     SAYS("Attention") "the weights have 10 columns, of which 3 are no heads"},
    {17, "float[1, 2, 4] x, float[4, 12] w",
     MS("Attention <num_heads = 2, qkv_hidden_sizes = [4, 4, 2]> (x, w)"),
     SAYS("Attention") "the weights have 12 columns, which are not those of queries, keys and "
                       "values"},
    {17, "float[1, 2, 4] x, float[4, 12] w",
     MS("Attention <num_heads = 2, qkv_hidden_sizes = [14, 4, 4]> (x, w)"),
     SAYS("Attention") "the weights have 12 columns, of which 14 are no heads"},
    {17, "float[1, 2, 4] x, float[4, 6442450944] w", MS("Attention <num_heads = 2> (x, w)"),
     SAYS("Attention") "the weights have 6442450944 columns, of which 2147483648 are no heads"},
    {17, "float[1, 2, 4] x, float[4, 12] w", MS("Attention <num_heads = 2, do_rotary = 1> (x, w)"),
     SAYS("Attention") "attribute \"do_rotary\" is 1, only 0 is read"},
    {17, "float[1, 2, 4] x",
     MS("GroupQueryAttention <num_heads = 2, kv_num_heads = 9223372036854775807> (x, x, x)"),
     SAYS("GroupQueryAttention") "attribute \"kv_num_heads\" is 9223372036854775807, it must be "
                                 "from 1 to 2147483647"},
    {17, "float[1, 2, 4] x, float[4611686018427387904, 4611686018427387904] c, int64[1] p",
     MS("RotaryEmbedding (x, p, c, c)"),
     SAYS("RotaryEmbedding") "the cosines have 4611686018427387904 columns, there may be "
                             "2147483647"},
    {17, "float[1, 2, 4] x", MS("GroupQueryAttention <num_heads = 3, kv_num_heads = 2> (x, x, x)"),
     SAYS("GroupQueryAttention") "num_heads is 3, it must be a multiple of kv_num_heads, 2"},
    {17, "float[1, 2, 4] x", MS("GroupQueryAttention <num_heads = 2, kv_num_heads = 2> (x, x, x)"),
     SAYS("GroupQueryAttention") "operands 5 and 6, seqlens_k and total_sequence_length, are "
                                 "missing"},
    {17, "float[1, 2, 4] x, int32[1] l, int32 t",
     MS("GroupQueryAttention <num_heads = 2, kv_num_heads = 2, do_rotary = 1> (x, x, x, \"\", "
        "\"\", l, t)"),
     SAYS(
         "GroupQueryAttention") "operands 7 and 8, cosines and sines, are missing, which do_rotary "
                                "asks for"},
    {17, "float[1, 2, 4] x, int32[1] l, int32 t, float[3] b",
     MS("GroupQueryAttention <num_heads = 2, kv_num_heads = 2> (x, x, x, \"\", \"\", l, t, "
        "\"\", \"\", \"\", b)"),
     SAYS("GroupQueryAttention") "attention_bias must have 4 axes"},
    {17, "float[1, 2, 4] x, int64[1] p, float[3, 4] c", MS("RotaryEmbedding (x, p, c, c)"),
     SAYS("RotaryEmbedding") "a head has 8 elements, which input[0] has not"},
    {17, "float[2, 4] x, int64[1] p, float[3, 4] c", MS("RotaryEmbedding (x, p, c, c)"),
     SAYS("RotaryEmbedding") "input[0] has 2 axes, it must have 3 or 4, and cosines 1 or more"},
    {17, "float[1, 2, 4] x, float[4] g",
     "y, m = com.microsoft.SkipSimplifiedLayerNormalization (x, x, g)",
     SAYS("SkipSimplifiedLayerNormalization") "output 1, a mean, is wanted, which is not computed "
                                              "here"},
    {17, "int32[1, 2] x", MS("EmbedLayerNormalization (x)"),
     SAYS("EmbedLayerNormalization") "input[2] is missing"},
    {17, "float[1, 2, 4] x, float[4] g", MS("GroupNorm <groups = 2> (x, g, g)"),
     SAYS("GroupNorm") "has groups 2, activation 0 and an input with 3 axes, they must be 1 or "
                       "more, 0 or 1, and 4"},
    {17, "float[2, 4] x, float[2, 3] r, float[3, 4, 4] w",
     MS("MoE <use_sparse_mixer = 1> (x, r, w, \"\", w)"),
     SAYS("MoE") "attribute \"use_sparse_mixer\" is 1, only 0 is read"},
    {17, "float[2, 4] x, float[2, 3] r, float[3, 4, 4] w",
     MS("MoE <k = 0, swiglu_fusion = 3> (x, r, w, \"\", w)"),
     SAYS(
         "MoE") "attributes \"k\" and \"swiglu_fusion\" are 0 and 3, they must be 1 or more, and 0 "
                "to 2"},
    {17, "float[2, 4] x, float[2, 3] r, float[3, 4, 4] w",
     MS("MoE <activation_type = \"swiglu\"> (x, r, w, \"\", w)"),
     SAYS("MoE") "operand 6, the weights of the gate, is missing"},
    {17, "float[2, 4] x, float[2, 3] r, float[3, 4, 4] w", MS("MoE (x, r, w)"),
     SAYS("MoE") "input[4] is missing"},
    {17, "float[3, 4] x, int32[2, 2] o, int32[3] e",
     MS("PackedMultiHeadAttention <num_heads = 2> (x, \"\", \"\", \"\", o, e)"),
     SAYS("PackedMultiHeadAttention") "query has 2 axes, which must be 2 beside key and value and "
                                      "else 4, and operands 4 and 5 must be there"},
    {17, "float[8, 2] x, int64[1] l", MS("RelativePositionBias <max_distance = 4> (x, l, l)"),
     SAYS("RelativePositionBias") "has max_distance 4 and 8 buckets on a side, they must be more "
                                  "than half of these, and 2 or more"},
    {17,
     "float[1, 2, 4] x, float[4] b, float[1, 2, 2, 2] r, float[2, 4] w, float[1, 2, 1, 1] a, "
     "int32[1, 2] o",
     MS("GatedRelativePositionBias <num_heads = 2> (x, b, r, w, b, a, o)"),
     SAYS("GatedRelativePositionBias") "operand 6, token_offset, is not read"},
    {17, "float[2, 6] x", MS("UnfoldTensor <dim = 1> (x)"),
     SAYS("UnfoldTensor") "attributes \"size\" and \"step\" are 0 and 1, they must be from 1 to "
                          "2147483647"},
    {17, "float[2, 6] x", MS("Rfft <signal_ndim = 3> (x)"),
     SAYS(
         "Rfft") "attributes \"onesided\", \"normalized\" and \"signal_ndim\" are 1, 0 and 3, they "
                 "must be 1, 0 and from 1 to 2"},
    {17, "float[2, 3] x", MS("ComplexMul (x, x)"),
     SAYS("ComplexMul") "the last axis of input[0] must have 2 elements"},
    {17, "float[2, 3] x, float[3] b, bool t", MS("BiasDropout (x, b, x, \"\", t)"),
     SAYS("BiasDropout") "input[4], training_mode, is not known to be false"},
    {17, "float[2, 3] x", "y, m = com.microsoft.BitmaskDropout (x)",
     SAYS("BitmaskDropout") "output 1, a mask of bits, is wanted, which is not computed here"},
    {17, "float[1, 2, 8] x, int64[3, 1, 2] p, float[3, 2] c",
     MS("MRotaryEmbedding <mrope_section = [1, 1]> (x, p, c, c)"),
     SAYS("MRotaryEmbedding") "needs 3 numbers in \"mrope_section\", cosines of 1 or more pairs, "
                              "and "
                              "3 or 4 axes"},
    {17, "float[1, 2, 8] x, int64[3, 1, 2] p, float[3, 2] c",
     MS("MRotaryEmbedding <mrope_section = [1, 1, 3]> (x, p, c, c)"),
     SAYS("MRotaryEmbedding") "mrope_section[2] is 3, there are 2 pairs"},
    {17, "float[1, 2, 4] x, float[2, 1, 3] w", MS("CausalConvWithState <ndim = 2> (x, w)"),
     SAYS("CausalConvWithState") "attribute \"ndim\" is 2, only 1 is read"},
    {17, "float[1] x", MS("AttnLSTM (x)"), SAYS("AttnLSTM") "is not read"},
    {17, "float[1] x", MS("WordConvEmbedding (x)"), SAYS("WordConvEmbedding") "is not read"},
    {17, "int32[1, 4] x", MS("BeamSearch (x, x)"),
     SAYS("BeamSearch") "runs a decoder in a loop of its own to generate text, and is not read; "
                        "export the decoder alone"},
    {17, "float[1, 4] x, uint8[1, 4, 2] w",
     MS("QMoE <expert_weight_bits = 3> (x, x, w, x, \"\", w, x)"),
     SAYS("QMoE") "attribute \"expert_weight_bits\" is 3, it must be 2, 4 or 8"},
    {17, "float[1, 4] x, uint8[1, 4, 2] w",
     MS("QMoE <weights_prepacked = 1> (x, x, w, x, \"\", w, x)"),
     SAYS("QMoE") "attribute \"weights_prepacked\" is not 0: the layout of the weights is one "
                  "device's own"},
    {17, "int32[1, 4] x", MS("EPContext (x)"),
     SAYS("EPContext") "has a layout or code that one device alone knows; export without it"},
    {17, "uint8[2] x, float s, uint8 z", MS("QLinearSoftmax (x, s, z, s, z)"),
     SAYS("QLinearSoftmax") "attribute \"opset\" is 0, it must be 1 or more"},
};
const size_t n_refused_fused = sizeof refused_fused / sizeof *refused_fused;

#define BITS_INPUTS "float[2, 16] x, uint8[8] b = {1, 2, 3, 4, 5, 6, 7, 8}, float[1] s"

const refused_case refused_nbits[] = {
    {17, BITS_INPUTS,
     "y = com.microsoft.MatMulNBits <K = 16, N = 1, block_size = 16, weight_prepacked = 1> (x, b, "
     "s)",
     "(com.microsoft.MatMulNBits-1): attribute \"weight_prepacked\" is not 0: the layout of B is "
     "one device's "
     "own"},
    {17, BITS_INPUTS, "y = com.microsoft.MatMulNBits <K = 16, block_size = 16> (x, b, s)",
     "(com.microsoft.MatMulNBits-1): attributes \"K\" and \"N\" are 16 and 0, they must be from 1 "
     "to 2147483647"},
    {17, BITS_INPUTS, "y = com.microsoft.MatMulNBits <K = 16, N = 1, block_size = 24> (x, b, s)",
     "(com.microsoft.MatMulNBits-1): attribute \"block_size\" is 24, it must be a power of 2 from "
     "16 to 2^30"},
    {17, BITS_INPUTS,
     "y = com.microsoft.MatMulNBits <K = 16, N = 1, bits = 3, block_size = 16> (x, b, s)",
     "(com.microsoft.MatMulNBits-1): attribute \"bits\" is 3, it must be 2, 4 or 8"},
    {17, BITS_INPUTS, "y = com.microsoft.MatMulNBits <K = 17, N = 1, block_size = 16> (x, b, s)",
     "(com.microsoft.MatMulNBits-1): operand 1, B, has 8 bytes, the attributes ask for 16"},
    {17, BITS_INPUTS, "y = com.microsoft.MatMulNBits <K = 16, N = 1, block_size = 16> (x, b, s, b)",
     "(com.microsoft.MatMulNBits-1): operand 3, zero_points, has 8 bytes, the attributes ask for "
     "1"},
    {17, BITS_INPUTS ", int32[1, 16] g",
     "y = com.microsoft.MatMulNBits <K = 16, N = 1, block_size = 16> (x, b, s, \"\", g)",
     "(com.microsoft.MatMulNBits-1): input[4] has 2 axes, it must have 1"},
    {17, BITS_INPUTS,
     "y = com.microsoft.MatMulBnb4 <K = 16, N = 1, block_size = 16, quant_type = 2> (x, b, s)",
     "(com.microsoft.MatMulBnb4-1): attribute \"quant_type\" is 2, it must be 0 or 1"},
    {17, "uint8[2, 8] x, int64[3] i, float[2, 9] s",
     "y = com.microsoft.GatherBlockQuantized <block_size = 8> (x, i, s)",
     "(com.microsoft.GatherBlockQuantized-1): attribute \"block_size\" is 8, it must be a power of "
     "2 "
     "from 16 to 2^30"},
    {17, "float[2, 8] x, int64[3] i, float[2, 1] s",
     "y = com.microsoft.GatherBlockQuantized <block_size = 24> (x, i, s)",
     "(com.microsoft.GatherBlockQuantized-1): attribute \"block_size\" is 24, it must be a power "
     "of "
     "2 from 16 to 2^30"},
    {17, "uint8[2, 8] x, int64[3] i, float[2] s",
     "y = com.microsoft.GatherBlockQuantized <block_size = 16> (x, i, s)",
     "(com.microsoft.GatherBlockQuantized-1): data, scales and zero points must have as many axes, "
     "1 "
     "or more"},
    {17, "uint8[2, 8] x, int64[3] i, float[2, 1] s",
     "y = com.microsoft.GatherBlockQuantized <bits = 3, block_size = 16> (x, i, s)",
     "(com.microsoft.GatherBlockQuantized-1): attribute \"bits\" is 3, it must be 2, 4 or 8"},
    {17, "uint8[2, 1] x = {1, 2}, int64[3] i, float[2, 3] s",
     "y = com.microsoft.GatherBlockQuantized <block_size = 16> (x, i, s, x)",
     "(com.microsoft.GatherBlockQuantized-1): operand 3, zero_points, has 2 numbers in a row, the "
     "scales ask for 3"},
};
const size_t n_refused_nbits = sizeof refused_nbits / sizeof *refused_nbits;
