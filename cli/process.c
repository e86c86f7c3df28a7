/* What --max-memory and --max-time promise of the whole process, whatever part of it takes the
 * memory or the time. The parts count what they know of and say what did not fit; the system
 * refuses what none of them counts (small tables, the C library, other libraries), and refused
 * memory is an error like any other. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_setattr_default_np */
#endif
#include "cli/cli.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    BESIDE = 12 << 20, /* bytes above the limit: data of libraries, what the allocator holds back */
    STACK = 1 << 19,   /* bytes of the stack of a thread, which count from its start */
    ALLOCATORS = 2,    /* pools of the allocator, each of which holds memory back */
    HELD_BACK = 1 << 20, /* bytes that the allocator may hold back, and from which it maps pages */
    MAPPED = 5,          /* the column of /proc/self/statm for private pages that may be written */
    FACTS_SIZE = 200
};

/* The bytes of private memory that the process may write to, touched or not. */
static double private_bytes(void)
{
    char facts[FACTS_SIZE], *at = facts;
    FILE *f = fopen("/proc/self/statm", "r");
    bool read = f && fgets(facts, sizeof facts, f);
    double pages = 0;

    if (f)
        fclose(f);
    for (int i = 0; read && i <= MAPPED; i++)
        pages = strtod(at, &at);
    return pages * (double)sysconf(_SC_PAGESIZE);
}

static void take_little_beside(void)
{
    pthread_attr_t attr;

#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, ALLOCATORS);
    mallopt(M_MMAP_THRESHOLD, HELD_BACK);
    mallopt(M_TRIM_THRESHOLD, HELD_BACK);
    if (pthread_attr_init(&attr) != 0)
        return;
    if (pthread_attr_setstacksize(&attr, STACK) == 0)
        pthread_setattr_default_np(&attr);
    pthread_attr_destroy(&attr);
#else
    (void)attr;
#endif
}

static char held_text[80];

const char *cli_held_text(const inlay_diag *m)
{
    return m && strcmp(m->text, "out of memory") != 0 ? "" : held_text;
}

/* A program under a sanitizer has terabytes of which it touches few, and no such limit can be set.
 */
void cli_hold_memory(uint64_t limit)
{
    const double most = (double)limit + BESIDE, sanitizers = 1e12;
    struct rlimit r;

    if (most > sanitizers || private_bytes() > sanitizers || getrlimit(RLIMIT_DATA, &r) != 0 ||
        r.rlim_cur <= limit + BESIDE)
        return;
    take_little_beside();
    r.rlim_cur = (rlim_t)(limit + BESIDE);
    if (setrlimit(RLIMIT_DATA, &r) == 0)
        snprintf(held_text, sizeof held_text, ": the limit of --max-memory is %llu byte%s",
                 (unsigned long long)limit, inlay_plural((int64_t)limit, "", "s"));
}
