/* What the functions of passes/prove mean that tell where indices point, which updates are written
 * there, and what a reduction makes of several elements. */
#ifndef INLAY_TESTS_SMT_PLACES_H
#define INLAY_TESTS_SMT_PLACES_H

#include "passes/prove/rows.h"
#include "smt_value.h"

/* H is where INDICES point to; its sizes mean something already. False: they do not. */
bool smt_mean_places(smt_world *w, inlay_arena *arena, const prove_places *h,
                     const inlay_tensor *indices);
/* What stands for the updates of a place is their sum. */
void smt_mean_updates(smt_world *w, inlay_arena *arena, const struct prove_updates *of,
                      const inlay_tensor *indices, const inlay_tensor *updates);
/* What the reduction TYPE, ReduceSum, ReduceMax or ReduceMin, has MADE. */
void smt_mean_made(smt_world *w, prove_case *c, inlay_arena *arena, const struct prove_made *made,
                   const char *type);

#endif
