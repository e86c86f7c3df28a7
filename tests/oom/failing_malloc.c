/*
 * Preloaded into a program, makes its INLAY_FAIL_AT-th allocation return NULL, and as many after it
 * as INLAY_FAIL_MORE says; with INLAY_FAIL_ON set all later ones. Counting starts when the
 * libraries are initialised, just before main. At the end the number of allocations and, after a
 * blank, of those that were never freed is written to the file INLAY_FAIL_COUNT. Allocations of the
 * loader of libraries do not fail: it ends the process where it has none for a thread's variables.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static atomic_long calls, live;
static long fail_at, fail_more;
static int fail_on, counting;

__attribute__((constructor)) static void start(void)
{
    const char *at = getenv("INLAY_FAIL_AT");
    const char *more = getenv("INLAY_FAIL_MORE");
    fail_at = at ? atol(at) : 0;
    fail_more = more ? atol(more) : 0;
    fail_on = getenv("INLAY_FAIL_ON") != NULL;
    counting = 1;
}

__attribute__((destructor)) static void report(void)
{
    const char *name = getenv("INLAY_FAIL_COUNT");
    char text[64];
    int length = snprintf(text, sizeof text, "%ld %ld\n", (long)calls, (long)live);
    int file = name ? open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
    if (file >= 0) {
        ssize_t written = write(file, text, (size_t)length);
        (void)written;
        close(file);
    }
}

static int is_of_loader(void *address)
{
    Dl_info library;

    return dladdr(address, &library) && (unsigned long)library.dli_fbase == getauxval(AT_BASE);
}

/* Counts an allocation by the code at CALLER, and says whether it fails. */
static int fails(void *caller)
{
    if (!counting)
        return 0;
    long call = atomic_fetch_add(&calls, 1) + 1;
    if (fail_at == 0 || call < fail_at || (call > fail_at + fail_more && !fail_on))
        return 0;
    if (is_of_loader(caller))
        return 0;
    errno = ENOMEM;
    return 1;
}

static void *counted(void *block)
{
    live += counting && block;
    return block;
}

void free(void *block)
{
    live -= counting && block;
    __libc_free(block);
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
    void *block = fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
    return old ? block : counted(block);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *p = fails(__builtin_return_address(0)) ? NULL : counted(__libc_memalign(alignment, size));
    if (!p)
        return ENOMEM;
    *out = p;
    return 0;
}
