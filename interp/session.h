/* What tests and named runs ask of programs and sessions beyond interp.h. */
#ifndef INLAY_INTERP_SESSION_H
#define INLAY_INTERP_SESSION_H

#include "interp/exec/threads/workers.h"
#include "interp/interp.h"

/* The size of the tiles, in bytes, in which P computes what can wait, if it runs planned. */
void program_tile(inlay_program *p, int64_t bytes);
/* Sets how many products for each element at the border a chain of a module must compute
 * (exec/build/chain.c), so that tests can have small ones. */
void program_chain_worth(inlay_program *p, double products);
/* Work is split among threads where a part of it costs LEAST or more, if P runs planned; 0: as
 * usual. */
void program_split(inlay_program *p, int64_t least);
/* What the threads of P have done. */
exec_worker_counts program_worker_counts(const inlay_program *p);

/* The graph that S runs. */
const inlay_graph *session_graph(const inlay_session *s);
/* The names of its outputs, made when they are first asked for; NULL and an error. */
const char *const *session_result_names(inlay_session *s, inlay_diags *d);

#endif
