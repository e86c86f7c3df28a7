/* Runs z3, a program found on the path: questions go in by a file, answers come out by a pipe. */
#include "cli/solver.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts z3 with standard input from IN, standard output to OUT. Returns an errno. */
static int start(int in, int out, pid_t *pid)
{
    char name[] = "z3", from_input[] = "-in", *argv[] = {name, from_input, NULL};
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files);

    if (error)
        return error;
    error = posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    if (!error)
        error = posix_spawnp(pid, "z3", &files, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* Reads all that comes, until the other end is closed. */
static void receive(int from, inlay_strbuf *answer)
{
    char part[4096];
    ssize_t n;

    while ((n = read(from, part, sizeof part)) > 0 || (n < 0 && errno == EINTR)) {
        if (n > 0)
            inlay_strbuf_add(answer, part, (size_t)n);
    }
}

static bool run(int in, inlay_strbuf *answer, inlay_diags *d)
{
    int ends[2], status = 0, error = pipe(ends) == 0 ? 0 : errno;
    pid_t pid = -1;

    if (!error) {
        error = start(in, ends[1], &pid);
        close(ends[1]);
        if (!error)
            receive(ends[0], answer);
        close(ends[0]);
    }
    if (error)
        return inlay_fail_resource(d, NULL, "z3 cannot be started: %s (Debian: apt install z3)",
                                   strerror(error));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return !answer->failed || inlay_fail_memory(d);
}

bool cli_ask_solver(void *ctx, const char *text, size_t n, inlay_strbuf *answer, inlay_diags *d)
{
    FILE *f = tmpfile();
    bool ok = false;

    (void)ctx;
    if (!f)
        return inlay_fail_resource(d, NULL, "no file for the solver's questions: %s",
                                   strerror(errno));
    if (fwrite(text, 1, n, f) != n || fflush(f) != 0 || fseek(f, 0, SEEK_SET) != 0)
        inlay_fail_resource(d, NULL, "the solver's questions cannot be written: %s",
                            strerror(errno));
    else
        ok = run(fileno(f), answer, d);
    fclose(f);
    return ok;
}
