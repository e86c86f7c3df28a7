/* The table of operations, as opgen compiled it, and look-up by type and version. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The type sets that ops.def names. */
#define SET_f64 (1u << INLAY_F64)
#define SET_f32 (1u << INLAY_F32)
#define SET_f16 (1u << INLAY_F16)
#define SET_bf16 (1u << INLAY_BF16)
#define SET_f8e4m3 (1u << INLAY_F8E4M3)
#define SET_f8e5m2 (1u << INLAY_F8E5M2)
#define SET_f8e8m0 (1u << INLAY_F8E8M0)
#define SET_f4e2m1 (1u << INLAY_F4E2M1)
#define SET_nf4 (1u << INLAY_NF4)
#define SET_i64 (1u << INLAY_I64)
#define SET_i32 (1u << INLAY_I32)
#define SET_i16 (1u << INLAY_I16)
#define SET_i8 (1u << INLAY_I8)
#define SET_i4 (1u << INLAY_I4)
#define SET_u64 (1u << INLAY_U64)
#define SET_u32 (1u << INLAY_U32)
#define SET_u16 (1u << INLAY_U16)
#define SET_u8 (1u << INLAY_U8)
#define SET_u4 (1u << INLAY_U4)
#define SET_u1 (1u << INLAY_U1)
#define SET_boolean (1u << INLAY_BOOLEAN)
#define SET_string (1u << INLAY_STRING)
#define SET_complex (1u << INLAY_C64 | 1u << INLAY_C128)
#define SET_signed (SET_i64 | SET_i32 | SET_i16 | SET_i8 | SET_i4)
#define SET_unsigned (SET_u64 | SET_u32 | SET_u16 | SET_u8 | SET_u4 | SET_u1)
#define SET_int (SET_signed | SET_unsigned)
#define SET_float                                                                                  \
    (SET_f64 | SET_f32 | SET_f16 | SET_bf16 | SET_f8e4m3 | SET_f8e5m2 | SET_f8e8m0 | SET_f4e2m1 |  \
     SET_nf4)
#define SET_num (SET_int | SET_float)
#define SET_numb (SET_num | SET_boolean)
#define SET_any (SET_numb | SET_string | SET_complex)

/* How opgen spells a default of kind type. */
#define TYPE_f32 INLAY_F32
#define TYPE_i64 INLAY_I64
#define TYPE_i32 INLAY_I32
#define TYPE_boolean INLAY_BOOLEAN
#define TYPE_dynamic INLAY_DYNAMIC

#include "ir/base/argument.h"
#include "ir/base/locale.h"
#include "ir/op.h"
#include "ir/ops/rows.h"
#include "op_table.inc"

enum { N_OPS = sizeof op_table / sizeof op_table[0] };

size_t inlay_op_count(void)
{
    return N_OPS;
}

const inlay_op *inlay_op_at(size_t i)
{
    return i < N_OPS ? &op_table[i] : NULL;
}

/* First position in op_by_type whose type is not below TYPE. */
static int lower_bound(const char *type)
{
    int lo = 0, hi = N_OPS;

    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;

        if (inlay_word_compare(op_table[op_by_type[mid]].name, type) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* "opset8" -> set of 5 letters, number 8; "tensorflow" -> number 0. False for anything else. */
static bool split_version(const char *version, size_t *set, int *number)
{
    const char *p;
    long n = 0;

    *set = strcspn(version, "0123456789");
    *number = 0;
    for (p = version + *set; *p; p++) {
        if (*p < '0' || *p > '9' || n > 9999)
            return false;
        n = n * 10 + (*p - '0');
    }
    if (version[*set] == '0')
        return false;
    *number = (int)n;
    return *set > 0;
}

static bool in_version(const inlay_op *op, const char *version, size_t set, int number)
{
    return strlen(op->set) == set && strncmp(op->set, version, set) == 0 && number >= op->first &&
           number <= op->last;
}

enum { NEWEST_OPSET = 17, NEWEST_ONNX = 26 };

static bool known_version(const char *version, size_t set, int number)
{
    static const struct {
        const char *set;
        int last;
    } sets[] = {
        {"opset", NEWEST_OPSET}, {"onnx", NEWEST_ONNX}, {"tensorflow", 0}, {"mindspore", 0}};

    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        if (strlen(sets[i].set) == set && strncmp(sets[i].set, version, set) == 0)
            return sets[i].last == 0 ? number == 0 : number >= 1 && number <= sets[i].last;
    }
    return false;
}

/* Without a version: the newest OpenVINO row, else the newest row of any dialect. */
static const inlay_op *newest(int from, const char *type)
{
    const inlay_op *best = NULL;

    for (int i = from; i < N_OPS; i++) {
        const inlay_op *op = &op_table[op_by_type[i]];
        bool native = strcmp(op->set, "opset") == 0;

        if (inlay_word_compare(op->name, type) != 0)
            break;
        if (!best || (native && strcmp(best->set, "opset") != 0) ||
            (strcmp(op->set, best->set) == 0 && op->version > best->version))
            best = op;
    }
    return best;
}

static bool is_listed(const char *type, const char *const *list)
{
    for (; *list; list++) {
        if (inlay_word_compare(type, *list) == 0)
            return true;
    }
    return false;
}

/* OpenVINO marks some operations with a version that does not contain them; this is the one that
 * its reader looks in (parser/openvino/README.md 3.1). */
static const char *version_to_search(const char *type, const char *version)
{
    static const char *const from_opset2[] = {"MVN", "ROIPooling", "ReorgYolo", NULL};
    static const char *const from_opset6[] = {"ExperimentalDetectronDetectionOutput",
                                              "ExperimentalDetectronGenerateProposalsSingleImage",
                                              "ExperimentalDetectronPriorGridGenerator",
                                              "ExperimentalDetectronROIFeatureExtractor",
                                              "ExperimentalDetectronTopKROIs",
                                              "GRUCell",
                                              "RNNCell",
                                              "Proposal",
                                              NULL};

    if (strcmp(version, "opset1") == 0 && is_listed(type, from_opset2))
        return "opset2";
    if ((strcmp(version, "experimental") == 0 || strcmp(version, "extension") == 0) &&
        is_listed(type, from_opset6))
        return "opset6";
    return version;
}

const inlay_op *inlay_op_find(const char *type, const char *version, const inlay_pos *pos,
                              inlay_diags *d)
{
    const inlay_op *any;
    int from, number;
    char text[160];
    size_t set;

    if (inlay_is_missing(type, "type of an operation", d))
        return NULL;
    from = lower_bound(type);
    any = newest(from, type);
    if (!version || !*version) {
        if (!any)
            inlay_fail(d, pos, "unknown operation %s", type);
        return any;
    }
    version = version_to_search(type, version);
    if (!split_version(version, &set, &number) || !known_version(version, set, number)) {
        inlay_fail(d, pos, "operation %s is of unknown version \"%s\"", type, version);
        return NULL;
    }
    for (int i = from; i < N_OPS; i++) {
        const inlay_op *op = &op_table[op_by_type[i]];

        if (inlay_word_compare(op->name, type) != 0)
            break;
        if (in_version(op, version, set, number))
            return op;
    }
    if (any)
        inlay_fail(d, pos, "%s does not contain operation %s (%s is known)", version, type,
                   inlay_op_text(any, text, sizeof text));
    else
        inlay_fail(d, pos, "unknown operation %s of version %s", type, version);
    return NULL;
}

const inlay_op *inlay_op_of_spec(const char *type, int version)
{
    if (!type)
        return NULL;
    for (int i = lower_bound(type); i < N_OPS; i++) {
        const inlay_op *op = &op_table[op_by_type[i]];

        if (inlay_word_compare(op->name, type) != 0)
            break;
        if (op->version == version && strcmp(op->set, "opset") == 0 && strcmp(op->name, type) == 0)
            return op;
    }
    return NULL;
}

size_t inlay_op_of_type(const char *type, const inlay_op **rows, size_t room)
{
    size_t n = 0;

    if (!type)
        return 0;
    for (int i = lower_bound(type); i < N_OPS; i++) {
        const inlay_op *op = &op_table[op_by_type[i]];

        if (inlay_word_compare(op->name, type) != 0)
            break;
        if (n < room)
            rows[n] = op;
        n++;
    }
    return n;
}

char *inlay_op_text(const inlay_op *op, char *buf, size_t size)
{
    if (!op)
        snprintf(buf, size, "no operation");
    else if (op->flags & INLAY_STAND_IN)
        snprintf(buf, size, "%s of %s", op->name, op->written);
    else if (op->version > 0)
        snprintf(buf, size, "%s-%d", op->name, op->version);
    else
        snprintf(buf, size, "%s", op->name);
    return buf;
}

int inlay_op_attr(const inlay_op *op, const char *name)
{
    for (int i = 0; op && name && i < op->n_attrs; i++) {
        if (strcmp(op->attrs[i].name, name) == 0)
            return i;
    }
    return -1;
}

static int at_role(const signed char *of, inlay_role role)
{
    return of && (unsigned)role < INLAY_N_ROLES ? of[role] : -1;
}

int inlay_op_operand(const inlay_op *op, inlay_role role)
{
    return op ? at_role(op->in_of, role) : -1;
}

int inlay_op_role_attr(const inlay_op *op, inlay_role role)
{
    return op ? at_role(op->attr_of, role) : -1;
}
