/*
 * Preloaded into a program, runs its main again and again, each time in a process of its own that is forked just before
 * main, when the libraries are initialised: once as ever, then with the N-th allocation failing, with three from there,
 * and with all from there, for a sample of all N. INLAY_FAIL is a folder, in which stdout and stderr of the last run are
 * left, those of the first as good.stdout, its files in good.work, and in `wrong` a line for each run that did wrong;
 * the number of allocations is printed. A run does right if it ends with status 3, a message that says so and no file
 * left, or with the same result as ever, where the C library could do without; one failure is one error; and all blocks
 * are freed, but where it reads XML: libxml2 keeps some. INLAY_FAIL_RUNS: how large the sample is; 0: the first run is
 * all. INLAY_FAIL_WAYS: 1: only the N-th fails, 2: also three, 3, and where it is not set: also all. Allocations of the
 * loader of libraries do not fail: it ends the process where it has none for a thread's variables.
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
#include <sys/wait.h>
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

/* What a run tells the process that forked it. */
static struct counts {
    long calls, live;
    bool xml; /* it read XML */
} * told;
static const char *folder;    /* INLAY_FAIL */
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

static const char *in_folder(char path[4096], const char *name)
{
    snprintf(path, 4096, "%s/%s", folder, name);
    return path;
}

/* Runs COMMAND of the shell in the folder. */
static int shell(const char *command)
{
    char text[8192];

    snprintf(text, sizeof text, "cd '%s' && %s", folder, command);
    return system(text);
}

static void redirect(int fd, const char *name)
{
    char path[4096];
    int file = open(in_folder(path, name), O_WRONLY | O_CREAT | O_TRUNC, 0644);

    if (file < 0 || dup2(file, fd) < 0)
        _exit(99);
    close(file);
}

/* Forks a run in which allocation AT and MORE after it fail, with ON all others too. Returns whether
 * this is the run, which goes on to main. */
static bool start_run(long at, long more, int on, int *status)
{
    char path[4096];
    pid_t child;

    *told = (struct counts){-1, -1, false};
    child = fork();
    if (child > 0) {
        if (waitpid(child, status, 0) != child)
            *status = -1;
        return false;
    }
    redirect(1, "stdout");
    redirect(2, "stderr");
    setvbuf(stdout, printed, _IOFBF, sizeof printed);
    if (child < 0 || chdir(in_folder(path, "work")) != 0)
        _exit(99);
    unsetenv("LD_PRELOAD"); /* for processes that it starts */
    alarm(60);
    fail_at = at;
    fail_more = more;
    fail_on = on;
    counting = 1;
    return true;
}

/* Returns what is wrong with the messages of a run that had too little memory: one error says so, and no other does. */
static const char *judge_messages(void)
{
    char path[4096], text[1 << 16];
    FILE *f = fopen(in_folder(path, "stderr"), "r");
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

static bool is_empty(const char *name)
{
    char path[4096];
    DIR *dir = opendir(in_folder(path, name));
    int n = 0;

    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n == 2; /* . and .. */
}

/* Returns what the run did wrong; NULL: nothing. The times in statistics are others each time. */
static const char *judge(int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) {
        const char *why = judge_messages();

        if (why)
            return why;
        if (!is_empty("work"))
            return "files are left behind";
    } else if (status == first_status) {
        if (shell("cmp -s stdout good.stdout && diff -r -x stats.json work good.work >/dev/null") !=
            0)
            return "the status as ever but another output";
        if (shell("[ -e work/stats.json ] || [ ! -e good.work/stats.json ]") != 0)
            return "the status as ever but no statistics";
    } else {
        return "another status than ever and 3";
    }
    if (!told->xml && told->live != 0)
        return "blocks were never freed";
    return NULL;
}

/* Returns the number behind AT that is tried next: all of the first 60 and the last 20, where files take their
 * places, and a sample of those between. */
static double next_at(double at, long total)
{
    const char *runs = getenv("INLAY_FAIL_RUNS");
    double step = (double)(total - 80) / (runs ? atof(runs) : 60);

    if (at < 60 || (long)at >= total - 20)
        return (double)((long)at + 1);
    at += step < 1 ? 1 : step;
    return (long)at > total - 20 ? (double)(total - 19) : at;
}

/* Returns whether this is a run. */
static bool try_all(long total, FILE *wrong)
{
    static const struct {
        const char *name;
        long more;
        int on;
    } ways[] = {{"an allocation", 0, 0}, {"three allocations", 2, 0}, {"all allocations", 0, 1}};

    const char *most = getenv("INLAY_FAIL_WAYS");
    int n = most ? atoi(most) : 3;

    for (double x = 1; (long)x <= total; x = next_at(x, total)) {
        long at = (long)x;

        for (int i = 0; i < n; i++) {
            const char *why;
            int status;

            if (start_run(at, ways[i].more, ways[i].on, &status))
                return true;
            why = judge(status);
            if (why)
                fprintf(wrong, "%s from %ld of %ld: %s, status %d\n", ways[i].name, at, total, why,
                        status);
            if (why)
                fflush(wrong);
            if (!is_empty("work"))
                shell("rm -rf work && mkdir work");
        }
    }
    return false;
}

__attribute__((constructor)) static void start(void)
{
    char path[4096];
    FILE *wrong;
    long total;
    int status;
    const char *runs = getenv("INLAY_FAIL_RUNS");

    dl_iterate_phdr(find_loader, NULL);
    folder = getenv("INLAY_FAIL");
    counting = !folder; /* of a program that this is a part of, which sets what fails */
    if (!folder)
        return;
    unsetenv("LD_PRELOAD"); /* for the shells below */
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    wrong = fopen(in_folder(path, "wrong"), "w");
    if (told == MAP_FAILED || !wrong)
        _exit(99);
    if (start_run(0, 0, 0, &status))
        return;
    total = told->calls;
    first_status = status;
    if (runs && atol(runs) == 0) {
        fprintf(wrong, "%s", status != 0 || told->live != 0 ? "blocks were never freed\n" : "");
    } else if (!ends_well(status) ||
               shell("mv stdout good.stdout && mv work good.work && mkdir work") != 0) {
        fprintf(wrong, "status %d without any failure\n", status);
    } else if (try_all(total, wrong)) {
        return;
    }
    fclose(wrong);
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
