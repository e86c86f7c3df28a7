/* The registry from inside. Private to passes/. */
#ifndef INLAY_PASSES_REGISTRY_H
#define INLAY_PASSES_REGISTRY_H

#include "passes/passes.h"

typedef struct pass {
    inlay_pass_info info;
    inlay_pass_fn *run;
    void *ctx;
    bool built_in;
    bool each; /* it is run on each graph, not only on the outermost one */
    inlay_exactness exactness;
} pass;

/* The pass whose name is the LEN bytes at NAME, or NULL. P may be NULL: the built-in ones. */
const pass *registry_pass(const inlay_pass_registry *p, const char *name, size_t len);
/* The passes of the pipeline of that name, NULL at the end; or NULL. */
const char *const *registry_pipeline(const inlay_pass_registry *p, const char *name, size_t len);

/* Errors of what is added from now on name FILE (NULL: none), which must live until the next call.
 */
void registry_come_from(inlay_pass_registry *p, const char *file);

#endif
