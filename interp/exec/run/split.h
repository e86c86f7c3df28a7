/* Work that is shared among threads. */
#ifndef INLAY_EXEC_RUN_SPLIT_H
#define INLAY_EXEC_RUN_SPLIT_H

#include "interp/exec/run/run.h"

/* Does what call_split asks for. */
void exec_split(inlay_call *c, int64_t n, double cost, call_part_fn *fn, void *ctx);
/* Does what call_rounds asks for. */
void exec_rounds(inlay_call *c, int64_t rounds, int64_t n, double cost, call_round_fn *fn,
                 void *ctx);
/* Computes K, whose number was read, in parts; if W is NULL, all at once. */
void exec_split_block(exec_workers *w, const row_block *k);

/* Computes K, whose number was read. */
static inline void exec_run_block(const exec_run *run, const row_block *k)
{
    if (k->rows * k->length < run->worth)
        k->run(k);
    else
        exec_split_block(run->workers, k);
}

/* Copies the elements of SRC over those of DST, as inlay_tensor_assign. */
bool exec_assign(const exec_run *run, inlay_tensor *dst, const inlay_tensor *src);
/* Do what call_block and call_copy_part ask for. */
bool exec_call_block(inlay_call *c, row_block *k);
bool exec_assign_part(inlay_call *c, const inlay_tensor *to, inlay_tensor *dst,
                      const inlay_tensor *from, const inlay_tensor *src);

#endif
