/* Budgets: how much memory the parts of the library may hold together. */
#ifndef INLAY_BUDGET_H
#define INLAY_BUDGET_H

#include "ir/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

/* base/budget.c
 *
 * A budget counts the memory that is taken on its account: graphs and tables, tensors and the
 * characters of their strings, scratch memory, packed weights, files that are read into memory.
 * What would exceed it is refused as if the system had none: the call fails with status
 * INLAY_NO_RESOURCE, and its message names the limit. All that is freed is given back.
 *
 * A graph carries its budget (inlay_read_options, inlay_graph_set_budget), and hands it to whatever
 * is made of it: its copies, programs and their sessions, outputs, and what passes, comparisons and
 * writers need meanwhile. So a program that gives one budget to all that it reads is bounded by it.
 * Threads may share one.
 *
 * Not counted: mapped files, messages, threads, and what other libraries take for themselves
 * (libxml2, oneDNN, decoders of images). */

typedef struct inlay_budget inlay_budget;

/* Makes a budget of LIMIT bytes; 0: no limit, it only counts. NULL: out of memory. */
INLAY_API inlay_budget *inlay_budget_new(uint64_t limit, inlay_diags *d);
/* The caller uses B no longer. What is counted there may outlive this call; it goes on counting,
 * and B is freed with the last of it. NULL is fine. */
INLAY_API void inlay_budget_free(inlay_budget *b);
/* The bytes that B allows, that are held now, and that were held at most. 0 without a budget. */
INLAY_API uint64_t inlay_budget_limit(const inlay_budget *b);
INLAY_API uint64_t inlay_budget_used(const inlay_budget *b);
INLAY_API uint64_t inlay_budget_peak(const inlay_budget *b);

#ifdef __cplusplus
}
#endif

#endif
