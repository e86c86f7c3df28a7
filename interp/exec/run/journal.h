/* The earlier contents of variables' buffers that a run has overwritten. */
#ifndef INLAY_EXEC_RUN_JOURNAL_H
#define INLAY_EXEC_RUN_JOURNAL_H

#include "interp/kernel.h"

/* What a run has saved of the state of one variable. */
typedef struct exec_saved {
    uint64_t bytes;
    bool whole; /* all of it, at one moment: what bodies write from then on need not be saved */
} exec_saved;

typedef struct exec_journal {
    struct journal_entry *last;
    struct journal_entry *spare; /* entries of earlier runs, to be used again; the last one first */
    uint64_t spare_bytes;
    const inlay_tensor *const *states; /* as they were when the run began: one for each variable */
    exec_saved *saved;                 /* one for each variable */
    int n_states;
} exec_journal;

/* Makes J, which is all 0, the journal for N variables. False: out of memory. */
bool journal_new(exec_journal *j, inlay_budget *budget, int n);
/* Begins a run with STATES, one for each variable, which are there until the run is over. */
void journal_begin(exec_journal *j, const inlay_tensor *const *states);
/* Returns J if one of the N tensors IN is a state, so that bodies which are given them may
 * overwrite it; else NULL. */
exec_journal *journal_for(exec_journal *j, const inlay_tensor *const *in, int n);

/* Returns the elements that were saved last, which live as long as the run; NULL: none were saved.
 */
const inlay_tensor *journal_saved_last(const exec_journal *j);
/* Saves elements before they are overwritten, if T is in the buffer of a variable's state: all of T
 * if N is negative, otherwise N runs of LENGTH elements at the row-major positions TO of T. */
bool journal_save(inlay_call *c, const inlay_tensor *t, int64_t n, int64_t length,
                  const int64_t *to);
/* Restores what was saved. */
void journal_undo(exec_journal *j);
/* Forgets what was saved, at the end of a run. Small entries are kept for the next run. */
void journal_forget(exec_journal *j);
void journal_free(exec_journal *j);

#endif
