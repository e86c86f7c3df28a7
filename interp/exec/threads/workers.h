/* The threads that help the sessions of a program. A step is one piece of work; a large one is
 * split into parts that write different bytes, and workers compute some of them. Which thread
 * computes which part is left to chance, so parts must not depend on each other. The workers belong
 * to the program and its sessions share them, because a processor that one session uses is not
 * available to another: at most THREADS threads compute at a time, including those that called
 * inlay_session_run. If that many sessions run already, each computes alone. */
#ifndef INLAY_EXEC_THREADS_WORKERS_H
#define INLAY_EXEC_THREADS_WORKERS_H

#include "interp/call/split.h"

#include <stdint.h>

typedef struct exec_workers exec_workers;

/* What the workers of a program have done so far (tests). */
typedef struct exec_worker_counts {
    uint64_t splits;  /* the number of pieces of work that were split */
    uint64_t parts;   /* the number of parts they were split into */
    uint64_t helped;  /* how many of these another thread than the owner computed */
    uint64_t moved;   /* how often a worker left the processor of another thread */
    uint64_t cost;    /* the cost of all pieces since exec_workers_set_least, */
    uint64_t longest; /* and of what one thread has of each at the beginning, at most: what remains
                         of COST where threads never wait for anything else */
} exec_worker_counts;

/* Makes workers for at most THREADS threads that compute. No thread is started before the first
 * piece of work that is worth it. NULL: out of memory. */
exec_workers *exec_workers_new(int threads);
/* Waits until all threads have ended; NULL is fine. */
void exec_workers_free(exec_workers *w);
/* Called when a run begins in the calling thread, or ends. */
void exec_workers_enter(exec_workers *w);
void exec_workers_leave(exec_workers *w);
/* Computes items 0 <= i < N, each with a cost of about COST (call/split.h), and returns when all
 * are computed. */
void exec_workers_split(exec_workers *w, int64_t n, double cost, call_part_fn *fn, void *ctx);
/* Returns the maximum number of threads that compute at a time. */
int exec_workers_threads(const exec_workers *w);
/* Returns the least cost of work that is split. INT64_MAX: nothing is split. */
int64_t exec_workers_worth(const exec_workers *w);
/* Sets the least cost of a part, so that tests can split small work; 0: the default. */
void exec_workers_set_least(exec_workers *w, int64_t least);
exec_worker_counts exec_workers_counts(exec_workers *w);

/* Tells the processor that this thread is waiting for another one. */
static inline void exec_workers_relax(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

#endif
