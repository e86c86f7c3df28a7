/* What the buffers of variables held where a run wrote over them. */
#ifndef INLAY_EXEC_RUN_JOURNAL_H
#define INLAY_EXEC_RUN_JOURNAL_H

#include "interp/kernel.h"

typedef struct exec_journal {
    struct journal_entry *last;
    struct journal_entry *spare; /* of runs before, for the same again; the last one first */
    uint64_t spare_bytes;
} exec_journal;

/* Returns the elements that were saved last, as long as the run goes on; NULL: none were. */
const inlay_tensor *journal_saved_last(const exec_journal *j);
/* Saves elements that are about to be written over, if T stands in the buffer of a variable's
 * state: all of T when N is below 0, else N runs of LENGTH elements at the row-major positions TO
 * of T. */
bool journal_save(inlay_call *c, const inlay_tensor *t, int64_t n, int64_t length,
                  const int64_t *to);
/* Puts back what was saved. */
void journal_undo(exec_journal *j);
/* Forgets what was saved, when the run is over. Small entries stay as room for the next run. */
void journal_forget(exec_journal *j);
void journal_free(exec_journal *j);

#endif
