/* The operations that have a kernel in this folder. */
#include "interp/library/library.h"

static const library_kernel *const kernels[] = {
#define KERNEL(name) &library_##name,
#include "interp/library/kernels.def"
#undef KERNEL
};

const library_kernel *library_find(const inlay_op *op)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (kernels[i]->op == op->kind)
            return kernels[i];
    }
    return NULL;
}
