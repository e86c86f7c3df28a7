/* The threads that help the sessions of a program. A step is one piece of work for a run; a large
 * step is split into parts that write different bytes, and workers compute some of these parts.
 * Which thread computes which part is left to chance, so a part must not depend on another.  The
 * workers belong to the program and its sessions share them, because a processor that one session
 * uses is not there for another: no more than THREADS threads compute at a time, those that called
 * inlay_session_run among them. Where so many sessions run already, each computes alone. */
#ifndef INLAY_EXEC_THREADS_WORKERS_H
#define INLAY_EXEC_THREADS_WORKERS_H

#include "interp/call/split.h"

#include <stdint.h>

typedef struct exec_workers exec_workers;

/* What the workers of a program have done so far (tests). */
typedef struct exec_worker_counts {
    uint64_t splits; /* pieces of work that were split */
    uint64_t parts;  /* into so many */
    uint64_t helped; /* so many of which another thread than the owner computed */
} exec_worker_counts;

/* Makes workers for at most THREADS threads that compute. No thread is made before the first piece
 * of work that is worth it. NULL: out of memory. */
exec_workers *exec_workers_new(int threads);
/* Waits until all threads have ended; NULL is fine. */
void exec_workers_free(exec_workers *w);
/* Says that a run begins in the calling thread, or ends. */
void exec_workers_enter(exec_workers *w);
void exec_workers_leave(exec_workers *w);
/* Computes items 0 <= i < N, each of which costs about COST (call/split.h), and returns when all
 * are computed. */
void exec_workers_split(exec_workers *w, int64_t n, double cost, call_part_fn *fn, void *ctx);
/* Returns how many threads compute at a time, at most. */
int exec_workers_threads(const exec_workers *w);
/* Returns the least cost of work that is split. INT64_MAX: none is split. */
int64_t exec_workers_worth(const exec_workers *w);
/* Sets the least cost of a part, so that tests can split what is small; 0: the usual cost. */
void exec_workers_set_least(exec_workers *w, int64_t least);
exec_worker_counts exec_workers_counts(exec_workers *w);

/* Tells the processor that this thread waits for another one. */
static inline void exec_workers_relax(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

#endif
