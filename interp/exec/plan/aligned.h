/* Copies of constants whose elements are at addresses where kernels cannot read them, such as the
 * raw data of an ONNX tensor. They are made on first use and shared by all threads. */
#ifndef INLAY_EXEC_PLAN_ALIGNED_H
#define INLAY_EXEC_PLAN_ALIGNED_H

#include "interp/exec/plan/plan.h"

struct exec_aligned *aligned_new(const graph_steps *s);
void aligned_free(struct exec_aligned *a);
/* Returns T, the value of the Const N, or its aligned copy if it needs one. NULL: out of memory. */
const inlay_tensor *exec_plan_const(const exec_plan *p, const inlay_node *n, const inlay_tensor *t);
/* Returns the bytes of the copies made so far, also for bodies. */
uint64_t exec_plan_aligned_bytes(const exec_plan *p);
/* Returns the bytes of all copies that there will be once every constant was used. */
uint64_t exec_plan_misaligned_bytes(const exec_plan *p);

#endif
