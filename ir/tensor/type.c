/* The table of element types, and lookups by name. XML spellings are OpenVINO's port precisions,
 * codes are ONNX's TensorProto.DataType. */

#include "ir/tensor/storage.h"

#include <limits.h>
#include <string.h>

/* OpenVINO has shipped two bit orders for these, and a file does not say which it holds. */
#define AMBIGUOUS "its packed layout differs between OpenVINO releases, and files do not say which"
#define NOT_KNOWN "a tensor needs a known element type"

static const inlay_type_info table[] = {
    [INLAY_DYNAMIC] = {"dynamic", "UNSPECIFIED", 0, 0, INLAY_CLASS_NONE, NOT_KNOWN},
    [INLAY_BOOLEAN] = {"boolean", "BOOL", 9, 8, INLAY_CLASS_BOOLEAN, NULL},
    [INLAY_F64] = {"f64", "FP64", 11, 64, INLAY_CLASS_FLOAT, NULL},
    [INLAY_F32] = {"f32", "FP32", 1, 32, INLAY_CLASS_FLOAT, NULL},
    [INLAY_F16] = {"f16", "FP16", 10, 16, INLAY_CLASS_FLOAT, NULL},
    [INLAY_BF16] = {"bf16", "BF16", 16, 16, INLAY_CLASS_FLOAT, NULL},
    [INLAY_F8E4M3] = {"f8e4m3", "F8E4M3", 17, 8, INLAY_CLASS_FLOAT, NULL},
    [INLAY_F8E5M2] = {"f8e5m2", "F8E5M2", 19, 8, INLAY_CLASS_FLOAT, NULL},
    [INLAY_F8E4M3FNUZ] = {"f8e4m3fnuz", NULL, 18, 8, INLAY_CLASS_FLOAT, NULL},
    [INLAY_F8E5M2FNUZ] = {"f8e5m2fnuz", NULL, 20, 8, INLAY_CLASS_FLOAT, NULL},
    [INLAY_F8E8M0] = {"f8e8m0", "F8E8M0", 24, 8, INLAY_CLASS_FLOAT, NULL},
    [INLAY_F4E2M1] = {"f4e2m1", "F4E2M1", 23, 4, INLAY_CLASS_FLOAT, NULL},
    [INLAY_NF4] = {"nf4", "NF4", 0, 4, INLAY_CLASS_FLOAT, NULL},
    [INLAY_I64] = {"i64", "I64", 7, 64, INLAY_CLASS_SIGNED, NULL},
    [INLAY_I32] = {"i32", "I32", 6, 32, INLAY_CLASS_SIGNED, NULL},
    [INLAY_I16] = {"i16", "I16", 5, 16, INLAY_CLASS_SIGNED, NULL},
    [INLAY_I8] = {"i8", "I8", 3, 8, INLAY_CLASS_SIGNED, NULL},
    [INLAY_I4] = {"i4", "I4", 22, 4, INLAY_CLASS_SIGNED, NULL},
    [INLAY_I2] = {"i2", NULL, 26, 2, INLAY_CLASS_SIGNED, NULL},
    [INLAY_U64] = {"u64", "U64", 13, 64, INLAY_CLASS_UNSIGNED, NULL},
    [INLAY_U32] = {"u32", "U32", 12, 32, INLAY_CLASS_UNSIGNED, NULL},
    [INLAY_U16] = {"u16", "U16", 4, 16, INLAY_CLASS_UNSIGNED, NULL},
    [INLAY_U8] = {"u8", "U8", 2, 8, INLAY_CLASS_UNSIGNED, NULL},
    [INLAY_U6] = {"u6", "U6", 0, 6, INLAY_CLASS_UNSIGNED, AMBIGUOUS},
    [INLAY_U4] = {"u4", "U4", 21, 4, INLAY_CLASS_UNSIGNED, NULL},
    [INLAY_U3] = {"u3", "U3", 0, 3, INLAY_CLASS_UNSIGNED, AMBIGUOUS},
    [INLAY_U2] = {"u2", "U2", 25, 2, INLAY_CLASS_UNSIGNED, NULL},
    [INLAY_U1] = {"u1", "BIN", 0, 1, INLAY_CLASS_UNSIGNED, NULL},
    [INLAY_STRING] = {"string", "STRING", 8, (int)sizeof(inlay_string) * CHAR_BIT,
                      INLAY_CLASS_STRING, NULL},
    [INLAY_C64] = {"c64", NULL, 14, 64, INLAY_CLASS_COMPLEX, NULL},
    [INLAY_C128] = {"c128", NULL, 15, 128, INLAY_CLASS_COMPLEX, NULL},
    [INLAY_ITEM] = {"item", NULL, 0, (int)sizeof(inlay_buffer *) * CHAR_BIT, INLAY_CLASS_NONE,
                    NULL},
};
_Static_assert(sizeof(table) / sizeof(table[0]) == INLAY_N_TYPES, "one row for each type");

/* Further spellings that OpenVINO reads. */
static const struct {
    const char *name;
    inlay_type type;
} aliases[] = {
    {"bin", INLAY_U1},
    {"undefined", INLAY_DYNAMIC},
};

const inlay_type_info *inlay_type_info_of(inlay_type type)
{
    return &table[(unsigned)type < INLAY_N_TYPES ? type : INLAY_DYNAMIC];
}

bool inlay_type_by_name(const char *name, inlay_type *type)
{
    for (int i = 0; name && i < INLAY_N_TYPES; i++) {
        if (strcmp(table[i].name, name) == 0) {
            *type = (inlay_type)i;
            return true;
        }
    }
    return false;
}

bool inlay_type_by_xml(const char *name, inlay_type *type)
{
    if (!name)
        return false;
    for (int i = 0; i < INLAY_N_TYPES; i++) {
        if (table[i].xml != NULL &&
            (strcmp(table[i].xml, name) == 0 || strcmp(table[i].name, name) == 0)) {
            *type = (inlay_type)i;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
        if (strcmp(aliases[i].name, name) == 0) {
            *type = aliases[i].type;
            return true;
        }
    }
    return false;
}
