/* Constants in the packed forms that kernels of the library and of the module need. */
#ifndef INLAY_EXEC_PLAN_PACKED_H
#define INLAY_EXEC_PLAN_PACKED_H

#include "interp/exec/plan/plan.h"

struct exec_packed *packed_new(const graph_steps *s);
void packed_free(struct exec_packed *p);
/* Sets which kernels compute the steps of P and of the plans of its bodies; called before the first
 * instance is made. PACKS: constants may be packed. */
void exec_plan_kernels(exec_plan *p, inlay_kernels kernels, bool packs);
/* Opens the module if it can compute steps of P or of a plan of its bodies, with that many threads.
 * False, after recording an error: the module is not there. */
bool exec_plan_module(exec_plan *p, int threads, inlay_diags *d);
/* Returns whether the step at U reads a packed form of T, a constant, and not T. */
bool exec_reads_packed(const exec_plan *p, const inlay_use *u, const inlay_tensor *t);
/* Returns how many bytes are packed so far, or more if more will be packed. */
uint64_t exec_plan_packed_bytes(const exec_plan *p);
uint64_t exec_plan_packable_bytes(const exec_plan *p);
/* Has the module of P prepare the steps W; their constants are kept once for all of P. NULL: it
 * cannot compute them. */
module_chain *exec_packed_chain(const exec_plan *p, const module_work *w);
/* Returns the kernel of the library that computes P's steps of N, or NULL. */
const struct library_kernel *exec_plan_library(const exec_plan *p, const inlay_node *n);

/* A step of N, computed by KERNEL, which needs the constant T of SLOT packed. */
typedef struct exec_want {
    const struct library_kernel *kernel;
    const inlay_node *node;
    size_t slot;
    const inlay_tensor *t;
    const void **packed; /* receives the packed form, or NULL: the kernel needs none of this
                            constant */
} exec_want;

/* Gives the N steps of LIST their packed forms, and makes those that do not exist. False: out of
 * memory. */
bool exec_packed_forms(const exec_plan *p, const exec_want *list, size_t n);

#endif
