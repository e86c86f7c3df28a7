/* Finds operators in the tables of the families. */
#include "parser/onnx/export.h"

#include <string.h>

#define FAMILY(name) extern const onnx_operator onnx_operators_##name[];
#include "parser/onnx/import/families.def"
#undef FAMILY

static const onnx_operator *const families[] = {
#define FAMILY(name) onnx_operators_##name,
#include "parser/onnx/import/families.def"
#undef FAMILY
};

/* Returns whether OP is called NAME in the set DOMAIN: its entry says "Relu" or
 * "ai.onnx.preview.FlexAttention". */
static bool is_called(const onnx_operator *op, const char *domain, const char *name)
{
    size_t length = strlen(domain);

    if (length == 0)
        return strcmp(op->name, name) == 0;
    return strncmp(op->name, domain, length) == 0 && op->name[length] == '.' &&
           strcmp(op->name + length + 1, name) == 0;
}

void onnx_operator_guess(const char *domain, inlay_guess *g)
{
    size_t length = strlen(domain);

    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        for (const onnx_operator *op = families[i]; op->name; op++) {
            if (length == 0 && !strchr(op->name, '.'))
                inlay_guess_try(g, op->name);
            else if (length > 0 && strncmp(op->name, domain, length) == 0 &&
                     op->name[length] == '.')
                inlay_guess_try(g, op->name + length + 1);
        }
    }
}

const onnx_operator *onnx_operator_find(const char *domain, const char *name, int64_t version)
{
    const onnx_operator *best = NULL;

    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        for (const onnx_operator *op = families[i]; op->name; op++) {
            if (is_called(op, domain, name) && op->since <= version &&
                (!best || op->since > best->since))
                best = op;
        }
    }
    return best;
}

#define EXPORTS(name) extern const onnx_exporter onnx_exporters_##name[];
#include "parser/onnx/import/exports.def"
#undef EXPORTS

static const onnx_exporter *const exports[] = {
#define EXPORTS(name) onnx_exporters_##name,
#include "parser/onnx/import/exports.def"
#undef EXPORTS
};

/* Whether E exports nodes of OP: it is called "Slice@onnx", or "Slice" for a row of OpenVINO's. */
static bool is_for(const onnx_exporter *e, const inlay_op *op)
{
    size_t n = strlen(op->name);
    const char *set = e->type + n;

    if (strncmp(e->type, op->name, n) != 0)
        return false;
    if (strstr(op->set, "opset")) /* "ie_internal_opset", too */
        return !*set;
    return *set == '@' && strcmp(set + 1, op->set) == 0;
}

const onnx_exporter *onnx_exporter_find(const inlay_op *op)
{
    for (size_t i = 0; i < sizeof exports / sizeof exports[0]; i++) {
        for (const onnx_exporter *e = exports[i]; e->type; e++) {
            if (is_for(e, op))
                return e;
        }
    }
    return NULL;
}
