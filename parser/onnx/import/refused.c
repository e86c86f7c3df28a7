/* Operators of com.microsoft that are not read, and why. They are in no family, so that
 * --allow-unknown shows the graph around them. */
#include "parser/onnx/import.h"

#include <string.h>

#define SEARCH                                                                                     \
    "runs a decoder in a loop of its own to generate text, and is not read; export the decoder "   \
    "alone"
#define DEVICE "has a layout or code that one device alone knows; export without it"
#define BUFFER "writes into a buffer that its caller shares, and is not read; export without it"
#define HASH "hashes tokens or strings by a function of its own, and is not read"
#define MERGED                                                                                     \
    "is put together for one device when a model is run, and is not read; export without it"
#define RARE "is not read"

static const struct refusal {
    const char *name, *why;
} refusals[] = {
    {"AttnLSTM", RARE},
    {"BeamSearch", SEARCH},
    {"BifurcationDetector", RARE},
    {"DecoderAttention", RARE},
    {"DecoderMaskedMultiHeadAttention", BUFFER},
    {"DecoderMaskedSelfAttention", BUFFER},
    {"DequantizeBFP", DEVICE},
    {"DequantizeWithOrder", DEVICE},
    {"DynamicTimeWarping", RARE},
    {"EPContext", DEVICE},
    {"EngramGate", RARE},
    {"GatedDeltaNet", BUFFER},
    {"GemmFloat8", DEVICE},
    {"GreedySearch", SEARCH},
    {"IsAllFinite", "checks gradients in training, and is not read"},
    {"LongformerAttention", RARE},
    {"MatMulBlockQuantizedFp4Weight", MERGED},
    {"MatMulBlockQuantizedFp8Weight", MERGED},
    {"MatMulFpQ4", DEVICE},
    {"MatMulNBitsMlp", MERGED},
    {"MatMulNBitsQkv", MERGED},
    {"MaxpoolWithMask", "is for the internal use of ONNX Runtime, and is not read"},
    {"MurmurHash3", HASH},
    {"NGramHashMapping", HASH},
    {"NGramRepeatBlock", SEARCH},
    {"PagedAttention", BUFFER},
    {"QOrderedAttention", DEVICE},
    {"QOrderedGelu", DEVICE},
    {"QOrderedLayerNormalization", DEVICE},
    {"QOrderedLongformerAttention", DEVICE},
    {"QOrderedMatMul", DEVICE},
    {"QuantizeBFP", DEVICE},
    {"QuantizeWithOrder", DEVICE},
    {"Sampling", SEARCH},
    {"Snpe", DEVICE},
    {"SparseAttention", BUFFER},
    {"SparseToDenseMatMul", "has a sparse operand, which is not read"},
    {"Tokenizer", "cuts strings by regular expressions of RE2, and is not read"},
    {"VarlenCausalConvWithState", BUFFER},
    {"VarlenNGramHashMapping", HASH},
    {"WhisperBeamSearch", SEARCH},
    {"WordConvEmbedding", RARE},
};

const char *onnx_operator_refused(const char *domain, const char *name)
{
    if (strcmp(domain, "com.microsoft.nchwc") == 0)
        return "is written for one machine; export without layout optimisation";
    for (size_t i = 0;
         strcmp(domain, "com.microsoft") == 0 && i < sizeof refusals / sizeof *refusals; i++) {
        if (strcmp(refusals[i].name, name) == 0)
            return refusals[i].why;
    }
    return NULL;
}
