#include "cli/child.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
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

void cli_empty_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *e;
    char path[CLI_FOLDER_SIZE + 256];

    while (dir && (e = readdir(dir))) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (*e->d_name != '.')
            unlink(path);
    }
    if (dir)
        closedir(dir);
}

/* The child's streams, in the order of their numbers. */
enum { STREAMS = 3 };

static void streams_of(const cli_child *c, FILE **streams)
{
    streams[STDIN_FILENO] = c->in;
    streams[STDOUT_FILENO] = c->out;
    streams[STDERR_FILENO] = c->err;
}

/* A child with a time limit leads a process group, so that everything it starts can be ended with
 * it. */
static bool leads_group(const cli_child *c)
{
    return c->seconds > 0;
}

static int spawn(const cli_child *c, const posix_spawn_file_actions_t *files, pid_t *pid)
{
    posix_spawnattr_t attrs;
    int error = posix_spawnattr_init(&attrs);

    if (error)
        return error;
    if (leads_group(c)) {
        posix_spawnattr_setpgroup(&attrs, 0);
        posix_spawnattr_setflags(&attrs, POSIX_SPAWN_SETPGROUP);
    }
    error = posix_spawnp(pid, c->argv[0], files, &attrs, c->argv, environ);
    posix_spawnattr_destroy(&attrs);
    return error;
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
        error = spawn(c, &files, &pid);
    posix_spawn_file_actions_destroy(&files);
    errno = error;
    return error ? -1 : pid;
}

/* Flushes what is buffered before the fork, so that it is not written twice. */
static pid_t start_work(const cli_child *c)
{
    FILE *streams[STREAMS];
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid != 0)
        return pid;
    if (leads_group(c))
        setpgid(0, 0);
    streams_of(c, streams);
    for (int i = 0; i < STREAMS; i++) {
        if (streams[i])
            dup2(fileno(streams[i]), i);
    }
    _exit(c->work(c->ctx));
}

static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Signals that end this process but do not reach another process group. */
static const int endings[] = {SIGHUP, SIGINT, SIGTERM};
enum { ENDINGS = sizeof endings / sizeof *endings };

/* Blocks those of the signals that would end this process now (they are put in HELD). A process
 * that handles them is told of them as usual. WAS: the signals that were blocked before. */
static void hold_endings(const cli_child *c, sigset_t *held, sigset_t *was)
{
    sigemptyset(held);
    for (int i = 0; !c->stop && i < ENDINGS; i++) {
        struct sigaction now;

        if (sigaction(endings[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaddset(held, endings[i]);
    }
    sigaddset(held, SIGALRM); /* of --max-time, whose handler may end this process */
    pthread_sigmask(SIG_BLOCK, held, was);
}

static bool is_stopped(const cli_child *c, const sigset_t *held)
{
    bool stopped = c->stop && *c->stop;
    sigset_t come;

    sigpending(&come);
    stopped = stopped || sigismember(&come, SIGALRM) == 1;
    for (int i = 0; i < ENDINGS; i++)
        stopped =
            stopped || (sigismember(held, endings[i]) == 1 && sigismember(&come, endings[i]) == 1);
    return stopped;
}

/* Waits until the child PID has ended, or until its time is over. The pauses between two looks are
 * a tenth of the time that has passed, so that a short command is not delayed noticeably. */
static bool ends_in_time(const cli_child *c, pid_t pid, const sigset_t *held, int *status)
{
    double begin = seconds_now();

    while (waitpid(pid, status, WNOHANG) == 0) {
        double passed = seconds_now() - begin, nap = passed < 1 ? passed / 10 : 0.1;

        if (passed >= c->seconds || is_stopped(c, held))
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 20000 + (long)(1e9 * nap)}, NULL);
    }
    return true;
}

static void wait_for(pid_t pid, int *status)
{
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
}

/* Waits for the child PID, which leads a process group, and ends the group when its time is over or
 * when it is stopped. A signal that arrived in between ends this process only after that. */
static bool wait_for_group(const cli_child *c, pid_t pid, int *status)
{
    sigset_t held, was;
    bool ended;

    hold_endings(c, &held, &was);
    ended = ends_in_time(c, pid, &held, status);
    if (!ended) {
        kill(-pid, SIGKILL);
        wait_for(pid, status);
    }
    pthread_sigmask(SIG_SETMASK, &was, NULL);
    return ended;
}

int cli_run_child(const cli_child *c)
{
    pid_t pid = c->argv ? start_program(c) : start_work(c);
    int status = 0;

    if (pid < 0)
        return -1;
    if (!leads_group(c))
        wait_for(pid, &status);
    else if (!wait_for_group(c, pid, &status))
        return CLI_CHILD_LATE;
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
