/* Taking memory, on the account of a budget. All memory of the library is taken here, or counted
 * here where another function takes it. For the folders of this project, not installed. */
#ifndef INLAY_IR_BASE_MEMORY_H
#define INLAY_IR_BASE_MEMORY_H

#include "ir/budget.h"

/* Takes COUNT objects of SIZE zeroed bytes; checks the product for overflow. NULL: the system has
 * none left, or B refuses. B NULL: nobody counts. */
void *inlay_take(inlay_budget *b, size_t count, size_t size)
    __attribute__((malloc, alloc_size(2, 3)));
/* Takes SIZE bytes that are not initialised. */
void *inlay_take_raw(inlay_budget *b, size_t size) __attribute__((malloc, alloc_size(2)));
/* Gives P (taken here; NULL: nothing) another SIZE, perhaps elsewhere. What is new is not
 * initialised, and counts where P does. NULL: P is as it was. */
void *inlay_retake(inlay_budget *b, void *p, size_t size) __attribute__((alloc_size(3)));
/* Frees what was taken; NULL is fine. */
void inlay_give(void *p);
/* Where P, which was taken, counts; NULL: P is NULL, or nobody counts. */
inlay_budget *inlay_budget_of(const void *p);

/* Counts SIZE bytes that another function takes, until they are discharged. False: B refuses. */
bool inlay_budget_charge(inlay_budget *b, uint64_t size);
void inlay_budget_discharge(inlay_budget *b, uint64_t size);
/* The bytes that B would still allow; UINT64_MAX: as many as there are. */
uint64_t inlay_budget_left(const inlay_budget *b);
/* The limit of B, or of one that it is within, that has refused something; 0: none has. */
uint64_t inlay_budget_refused(const inlay_budget *b);
/* Makes a budget of LIMIT bytes, all of which count in OUTER (may be NULL), too. */
inlay_budget *inlay_budget_within(inlay_budget *outer, uint64_t limit, inlay_diags *d);
/* Returns OK; where it is false because memory ended, and B was the reason, the message names B:
 * those who were refused could only say "out of memory". */
bool inlay_budget_tell(const inlay_budget *b, bool ok, inlay_diags *d);

#endif
