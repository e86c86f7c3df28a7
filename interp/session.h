/* Functions on programs and sessions for tests and named runs, beyond interp.h. */
#ifndef INLAY_INTERP_SESSION_H
#define INLAY_INTERP_SESSION_H

#include "interp/exec/threads/workers.h"
#include "interp/interp.h"

/* Sets the size, in bytes, of the tiles in which P computes deferred blocks, if it is planned. */
void program_tile(inlay_program *p, int64_t bytes);
/* Sets how many products for each element at its ends a chain of a module must compute
 * (exec/build/chain.c), so that tests can have small ones. */
void program_chain_worth(inlay_program *p, double products);
/* Splits work among threads if a part of it costs LEAST or more, if P is planned; 0: the default.
 */
void program_split(inlay_program *p, int64_t least);
/* Returns counts of what the threads of P did. */
exec_worker_counts program_worker_counts(const inlay_program *p);

/* Returns the graph that S runs. */
const inlay_graph *session_graph(const inlay_session *s);
/* Returns the names of its outputs, made at the first call; NULL and an error. */
const char *const *session_result_names(inlay_session *s, inlay_diags *d);

#endif
