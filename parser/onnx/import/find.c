/* The table of all operators: those of each family. */
#include "parser/onnx/import.h"

#include <string.h>

#define FAMILY(name) extern const onnx_operator onnx_operators_##name[];
#include "parser/onnx/import/families.def"
#undef FAMILY

static const onnx_operator *const families[] = {
#define FAMILY(name) onnx_operators_##name,
#include "parser/onnx/import/families.def"
#undef FAMILY
};

const onnx_operator *onnx_operator_find(const char *domain, const char *name, int64_t version)
{
    const onnx_operator *best = NULL;

    if (*domain)
        return NULL;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        for (const onnx_operator *op = families[i]; op->name; op++) {
            if (strcmp(op->name, name) == 0 && op->since <= version &&
                (!best || op->since > best->since))
                best = op;
        }
    }
    return best;
}
