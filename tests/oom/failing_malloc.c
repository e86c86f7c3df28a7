/*
 * Preloaded into a program, runs its main again and again, in processes that are forked: once as ever, from just before
 * main, when the libraries are initialised, and once more, in which each allocation forks a process where it fails, one
 * where three fail from there, and one where all do, for a sample of all allocations. Where there are threads or
 * children that a fork would leave behind, the run is made from the beginning. INLAY_FAIL is a folder; in good, walk and
 * one the three kinds of run leave their stdout, stderr and a folder of work, in which they run; `wrong` has a line for
 * each run that did wrong; the number of allocations is printed. A run does right if it ends with status 3, a message
 * that says so and no file left, or with the same result as ever, where the C library could do without; one failure is
 * one error; and all blocks are freed, but where it reads XML: libxml2 keeps some. INLAY_FAIL_RUNS: how large the sample
 * is; 0: the first run is all. INLAY_FAIL_WAYS: 1: only one fails, 2: also three, 3, and where it is not set: also all.
 * Allocations of the loader of libraries do not fail: it ends the process where it has none for a thread's variables.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

#define CALLER __builtin_return_address(0)

static atomic_long calls, live;
static long fail_at, fail_more;
static int fail_on, counting;
static int first_status; /* of the first run */
static long total;       /* allocations of it */
static double sample;    /* how many of them fail */
static int ways;         /* in how many ways each */
static bool walking;     /* this run forks others */

/* What a run tells the process that forked it. */
static struct counts {
    long calls, live;
    bool xml; /* it read XML */
} * told;

/* Allocations that wait for a run from the beginning: the run that walks tells the process that forked it. */
static struct waiting {
    atomic_long n;
    long at[];
} * waiting;
static FILE *wrongs;
static char folder[4096];     /* INLAY_FAIL */
static char printed[1 << 12]; /* the C library would allocate it, and keep it */

static unsigned long loader_end; /* behind its code */

static int find_loader(struct dl_phdr_info *library, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (library->dlpi_addr != getauxval(AT_BASE))
        return 0;
    for (int i = 0; i < library->dlpi_phnum; i++) {
        unsigned long end = library->dlpi_phdr[i].p_vaddr + library->dlpi_phdr[i].p_memsz;

        if (library->dlpi_phdr[i].p_type == PT_LOAD && library->dlpi_addr + end > loader_end)
            loader_end = library->dlpi_addr + end;
    }
    return 1;
}

static int is_of_loader(void *address)
{
    return (unsigned long)address >= getauxval(AT_BASE) && (unsigned long)address < loader_end;
}

static int is_xml(struct dl_phdr_info *library, size_t size, void *unused)
{
    (void)size, (void)unused;
    return strstr(library->dlpi_name, "libxml2") != NULL;
}

__attribute__((destructor)) static void report(void)
{
    if (told)
        *told = (struct counts){calls, live, dl_iterate_phdr(is_xml, NULL) != 0};
}

static const char *in_folder(char *path, const char *name)
{
    snprintf(path, 4096 + 64, "%s/%s", folder, name);
    return path;
}

/* Runs COMMAND of the shell in the folder. */
static int shell(const char *command)
{
    char text[8192];

    snprintf(text, sizeof text, "cd '%s' && %s", folder, command);
    return system(text);
}

static void open_as(int fd, const char *path, int flags)
{
    int file = open(path, flags, 0644);

    if (file < 0 || dup3(file, fd, fcntl(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0) < 0)
        _exit(99);
    close(file);
}

static void redirect(int fd, const char *kind, const char *name)
{
    char path[4096 + 64];

    snprintf(path, sizeof path, "%s/%s/%s", folder, kind, name);
    open_as(fd, path, O_WRONLY | O_CREAT | O_TRUNC);
}

static bool is_empty(const char *name)
{
    char path[4096 + 64];
    DIR *dir = opendir(in_folder(path, name));
    int n = 0;

    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n == 2; /* . and .. */
}

static bool has_bytes(const char *name)
{
    char path[4096 + 64];
    struct stat file;

    return stat(in_folder(path, name), &file) != 0 || file.st_size != 0;
}

/* Gives the process a file of its own for FD: PATH, or where it has no name another one in its folder. */
static void reopen(int fd, char *path, bool nameless)
{
    char bytes[1 << 16];
    int flags = fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND | O_DIRECTORY);
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t n;
    int old = -1;

    if (nameless) {
        *strrchr(path, '/') = '\0';
        flags |= O_TMPFILE;
        snprintf(bytes, sizeof bytes, "/proc/self/fd/%d", fd);
        if ((old = open(bytes, O_RDONLY | O_CLOEXEC)) < 0)
            _exit(99);
    }
    open_as(fd, path, flags);
    while (old >= 0 && (n = read(old, bytes, sizeof bytes)) > 0) {
        if (write(fd, bytes, (size_t)n) != n)
            _exit(99);
    }
    if (old >= 0)
        close(old);
    lseek(fd, at, SEEK_SET);
}

/* Gives the process files of its own, open where they were, and copies of those that the run which walks has written
 * so far: whoever shares an open file moves the place in it for the other. */
static void leave_walk(void)
{
    char link[64], path[4096];
    size_t n = strlen(folder);

    if (has_bytes("walk/stdout") || has_bytes("walk/stderr") || !is_empty("walk/work")) {
        if (shell("rm -rf one && cp -a walk one") != 0)
            _exit(99);
    } else if (truncate(in_folder(path, "one/stdout"), 0) != 0 ||
               truncate(in_folder(path, "one/stderr"), 0) != 0) {
        _exit(99);
    }
    for (int fd = 0; fd < 64; fd++) {
        static const char deleted[] = " (deleted)";
        struct stat file;
        ssize_t length;
        bool nameless;

        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        length = readlink(link, path, sizeof path - 1);
        path[length < 0 ? 0 : length] = '\0';
        nameless = length >= (ssize_t)sizeof deleted &&
                   strcmp(path + length + 1 - sizeof deleted, deleted) == 0;
        if (strncmp(path, folder, n) == 0 && strncmp(path + n, "/walk/", 6) == 0) {
            memmove(path + n + 4, path + n + 5, strlen(path + n + 5) + 1);
            memcpy(path + n, "/one", 4);
        }
        if (fstat(fd, &file) == 0 && (S_ISREG(file.st_mode) || S_ISDIR(file.st_mode)))
            reopen(fd, path, nameless);
    }
}

/* Forks a run of a KIND, which writes into the folder of that name; in it allocation AT and MORE after it fail, with ON
 * all others too. Returns whether this is the run, which goes on. */
static bool start_run(const char *kind, long at, long more, int on, int *status)
{
    char path[4096 + 64];
    pid_t child;

    *told = (struct counts){-1, -1, false};
    child = fork();
    if (child > 0) {
        while (waitpid(child, status, 0) != child) {
            if (errno != EINTR)
                _exit(99);
        }
        return false;
    }
    if (child < 0)
        _exit(99);
    if (walking) {
        leave_walk();
    } else {
        redirect(1, kind, "stdout");
        redirect(2, kind, "stderr");
        setvbuf(stdout, printed, _IOFBF, sizeof printed);
    }
    snprintf(path, sizeof path, "%s/%s/work", folder, kind);
    if (chdir(path) != 0)
        _exit(99);
    unsetenv("LD_PRELOAD"); /* for processes that it starts */
    walking = strcmp(kind, "walk") == 0;
    alarm(walking ? 0 : 60);
    fail_at = at;
    fail_more = more;
    fail_on = on;
    counting = 1;
    return true;
}

/* Returns what is wrong with the messages of a run that had too little memory: one error says so, and no other does. */
static const char *judge_messages(void)
{
    char path[4096 + 64], text[1 << 16];
    FILE *f = fopen(in_folder(path, "one/stderr"), "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0, errors = 0;

    text[n] = '\0';
    if (f)
        fclose(f);
    for (const char *at = text; (at = strstr(at, "error: ")); at++)
        errors++;
    if (!strstr(text, "out of memory") && !strstr(text, "Cannot allocate memory"))
        return "no message";
    return errors > 1 ? "several errors for one failure" : NULL;
}

/* With an answer, if only that nothing is proven. */
static bool ends_well(int status)
{
    return WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 4);
}

/* Returns what the run did wrong; NULL: nothing. The times in statistics are others each time. */
static const char *judge(int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) {
        const char *why = judge_messages();

        if (why)
            return why;
        if (!is_empty("one/work"))
            return "files are left behind";
    } else if (status == first_status) {
        if (shell("cmp -s one/stdout good/stdout && diff -r -x stats.json one/work good/work "
                  ">/dev/null") != 0)
            return "the status as ever but another output";
        if (shell("[ -e one/work/stats.json ] || [ ! -e good/work/stats.json ]") != 0)
            return "the status as ever but no statistics";
    } else {
        return "another status than ever and 3";
    }
    if (!told->xml && told->live != 0)
        return "blocks were never freed";
    return NULL;
}

/* Whether allocation AT fails in a run: all of the first 60 and the last 20, where files take their places, and a sample
 * of those between. */
static bool is_tried(long at)
{
    double step = (double)(total - 80) / sample;

    if (at <= 60 || at > total - 20 || step <= 1)
        return at <= total;
    return (long)((double)(at - 60) / step) != (long)((double)(at - 61) / step);
}

/* Whether a fork would leave something behind: other threads, or a child that is waited for. */
static bool has_company(void)
{
    struct stat tasks;
    siginfo_t child;

    return stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink != 3 ||
           waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* Returns whether this is a run in which allocation AT fails. */
static bool try_allocation(long at)
{
    static const struct {
        const char *name;
        long more;
        int on;
    } kinds[] = {{"an allocation", 0, 0}, {"three allocations", 2, 0}, {"all allocations", 0, 1}};

    for (int i = 0; i < ways; i++) {
        const char *why;
        int status;

        if (start_run("one", at, kinds[i].more, kinds[i].on, &status))
            return true;
        why = judge(status);
        if (why)
            fprintf(wrongs, "%s from %ld of %ld: %s, status %d\n", kinds[i].name, at, total, why,
                    status);
        fflush(wrongs);
        if (!is_empty("one/work"))
            shell("rm -rf one/work && mkdir one/work");
    }
    return false;
}

/* The clock stands still while runs are forked: who waits for a program only so long does not wait for them. */
static long long paused; /* ns */

int clock_gettime(clockid_t which, struct timespec *now)
{
    int status = (int)syscall(SYS_clock_gettime, which, now);
    long long ns = now->tv_sec * 1000000000LL + now->tv_nsec - paused;

    if (status == 0 && paused && which == CLOCK_MONOTONIC)
        *now = (struct timespec){.tv_sec = (time_t)(ns / 1000000000),
                                 .tv_nsec = (long)(ns % 1000000000)};
    return status;
}

static long long now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* What the run that walks does at an allocation. */
static void try_here(long at)
{
    long long begin = now_ns();
    int was = errno;

    if (has_company()) {
        waiting->at[atomic_fetch_add(&waiting->n, 1)] = at;
    } else {
        counting = 0;
        if (!try_allocation(at))
            counting = 1;
    }
    if (walking)
        paused += now_ns() - begin;
    errno = was;
}

/* Returns whether this is a run. */
static bool try_all(void)
{
    size_t size = sizeof *waiting + (size_t)(total + 1) * sizeof *waiting->at;
    int status;

    waiting =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (waiting == MAP_FAILED)
        _exit(99);
    if (start_run("walk", 0, 0, 0, &status))
        return true;
    if (status != first_status || shell("cmp -s walk/stdout good/stdout") != 0)
        fprintf(wrongs, "the run that forks others is not as ever, status %d\n", status);
    fflush(wrongs);
    for (long i = 0; i < waiting->n; i++) {
        if (try_allocation(waiting->at[i]))
            return true;
    }
    return false;
}

__attribute__((constructor)) static void start(void)
{
    char path[4096 + 64];
    int status;
    const char *asked = getenv("INLAY_FAIL"), *runs = getenv("INLAY_FAIL_RUNS"),
               *most = getenv("INLAY_FAIL_WAYS");

    dl_iterate_phdr(find_loader, NULL);
    counting = !asked; /* of a program that this is a part of, which sets what fails */
    if (!asked)
        return;
    unsetenv("LD_PRELOAD"); /* for the shells below */
    sample = runs ? atof(runs) : 60;
    ways = most ? atoi(most) : 3;
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED || !realpath(asked, folder) ||
        shell("rm -rf good walk one && mkdir -p good/work walk/work one/work && touch one/stdout "
              "one/stderr") != 0 ||
        !(wrongs = fopen(in_folder(path, "wrong"), "w")))
        _exit(99);
    if (start_run("good", 0, 0, 0, &status))
        return;
    total = told->calls;
    first_status = status;
    if (sample == 0)
        fprintf(wrongs, "%s", status != 0 || told->live != 0 ? "blocks were never freed\n" : "");
    else if (!ends_well(status))
        fprintf(wrongs, "status %d without any failure\n", status);
    else if (try_all())
        return;
    fclose(wrongs);
    printf("%ld\n", total);
    fflush(stdout);
    _exit(0);
}

/* Counts an allocation by the code at CALLER, and says whether it fails. */
static int fails(void *caller)
{
    if (!counting)
        return 0;
    long call = atomic_fetch_add(&calls, 1) + 1;
    if (walking && is_tried(call) && !is_of_loader(caller))
        try_here(call);
    if (fail_at == 0 || call < fail_at || (call > fail_at + fail_more && !fail_on))
        return 0;
    if (is_of_loader(caller))
        return 0;
    errno = ENOMEM;
    return 1;
}

/* The loader keeps the variables of a thread that has ended for the next one. */
static void *counted(void *block, void *caller)
{
    live += counting && block && !is_of_loader(caller);
    return block;
}

void free(void *block)
{
    live -= counting && block && !is_of_loader(CALLER);
    __libc_free(block);
}

/* What has no size is no block, as it may be in other C libraries: who counts on one finds no memory. */
static int is_empty_block(size_t count, size_t size)
{
    return counting && (count == 0 || size == 0);
}

void *malloc(size_t size)
{
    if (is_empty_block(1, size))
        return NULL;
    return fails(CALLER) ? NULL : counted(__libc_malloc(size), CALLER);
}

void *calloc(size_t count, size_t size)
{
    if (is_empty_block(count, size))
        return NULL;
    return fails(CALLER) ? NULL : counted(__libc_calloc(count, size), CALLER);
}

void *realloc(void *old, size_t size)
{
    void *block = fails(CALLER) ? NULL : __libc_realloc(old, size);
    return old ? block : counted(block, CALLER);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(CALLER) ? NULL : counted(__libc_memalign(alignment, size), CALLER);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *p = fails(CALLER) ? NULL : counted(__libc_memalign(alignment, size), CALLER);
    if (!p)
        return ENOMEM;
    *out = p;
    return 0;
}
