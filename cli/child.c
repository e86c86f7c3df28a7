#include "cli/child.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool cli_new_folder(const char *name, const char *what, char *buf, size_t size, inlay_diags *d)
{
    const char *base = getenv("TMPDIR");
    int n = snprintf(buf, size, "%s/inlay-%s-XXXXXX", base ? base : "/tmp", name);

    if (n >= 0 && (size_t)n < size && mkdtemp(buf))
        return true;
    *buf = '\0';
    return inlay_fail_resource(d, NULL, "no folder for %s can be made: %s", what,
                               (size_t)n >= size ? "the path is too long" : strerror(errno));
}

/* The child's streams, in the order of their numbers. */
enum { STREAMS = 3 };

static void streams_of(const cli_child *c, FILE **streams)
{
    streams[STDIN_FILENO] = c->in;
    streams[STDOUT_FILENO] = c->out;
    streams[STDERR_FILENO] = c->err;
}

static pid_t start_program(const cli_child *c)
{
    posix_spawn_file_actions_t files;
    FILE *streams[STREAMS];
    pid_t pid = -1;
    int error = posix_spawn_file_actions_init(&files);

    if (error) {
        errno = error;
        return -1;
    }
    streams_of(c, streams);
    for (int i = 0; !error && i < STREAMS; i++) {
        if (streams[i])
            error = posix_spawn_file_actions_adddup2(&files, fileno(streams[i]), i);
    }
    if (!error)
        error = posix_spawnp(&pid, c->argv[0], &files, NULL, c->argv, environ);
    posix_spawn_file_actions_destroy(&files);
    errno = error;
    return error ? -1 : pid;
}

/* What stands in buffers is written before there are two of each. */
static pid_t start_work(const cli_child *c)
{
    FILE *streams[STREAMS];
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid != 0)
        return pid;
    streams_of(c, streams);
    for (int i = 0; i < STREAMS; i++) {
        if (streams[i])
            dup2(fileno(streams[i]), i);
    }
    _exit(c->work(c->ctx));
}

int cli_run_child(const cli_child *c)
{
    pid_t pid = c->argv ? start_program(c) : start_work(c);
    int status = 0;

    if (pid < 0)
        return -1;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

FILE *cli_child_file(inlay_diags *d)
{
    FILE *f = tmpfile();

    if (!f)
        inlay_fail_resource(d, NULL, "no file for a child process can be made: %s",
                            strerror(errno));
    return f;
}

bool cli_child_said(FILE *f, inlay_strbuf *b)
{
    char part[4096];
    size_t n;

    rewind(f);
    while ((n = fread(part, 1, sizeof part, f)) > 0)
        inlay_strbuf_add(b, part, n);
    return !b->failed && !ferror(f);
}
