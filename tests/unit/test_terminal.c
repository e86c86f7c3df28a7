/* The command does two things on a terminal only: colour, and the progress line of long work. The
 * terminal is a pseudo terminal; long work is a Loop that never ends. */
#define _GNU_SOURCE /* posix_openpt */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char forever[] = "graph \"forever\" {\n"
                              "  %trip = Const-1 {value = i64[] -1}\n"
                              "  %x = Parameter-1 {element_type = i64, shape = []}\n"
                              "  %go = Const-1 {value = boolean[] true}\n"
                              "  %loop:1 = Loop-5(%trip, %go, %x)\n"
                              "    body \"b\" {\n"
                              "      %old = Parameter-1 {element_type = i64, shape = []}\n"
                              "      %one = Const-1 {value = i64[] 1}\n"
                              "      %\"next\\x1b[7m\" = Add-1(%old, %one)\n"
                              "      %yes = Const-1 {value = boolean[] true}\n"
                              "      %r0 = Result-1(%yes)\n"
                              "      %r1 = Result-1(%\"next\\x1b[7m\")\n"
                              "    }\n"
                              "    in 2 -> %old\n"
                              "    out %r0 -> none condition\n"
                              "    out %r1 -> 0\n"
                              "    back %r1 -> %old\n"
                              "  %last = Result-1(%loop)\n"
                              "}\n";

static char folder[64], inlay[4096];

static int make_folder(void **state)
{
    const char *build = getenv("BUILD");
    FILE *f;

    strcpy(folder, "/tmp/inlay-test-XXXXXX");
    if (!realpath(build ? build : "build", inlay) || !mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    strcat(inlay, "/inlay");
    f = fopen("forever.inlay", "w");
    return f && fputs(forever, f) >= 0 && fclose(f) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    return unlink("forever.inlay") == 0 && chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

/* A command that runs, and the text that it has written to its standard error. */
struct child {
    pid_t pid;
    int fd; /* our side of the terminal or pipe */
    char said[1 << 14];
    size_t n;
};

static int open_terminal(int *ours)
{
    *ours = posix_openpt(O_RDWR | O_NOCTTY);
    if (*ours < 0 || grantpt(*ours) != 0 || unlockpt(*ours) != 0)
        return -1;
    return open(ptsname(*ours), O_RDWR | O_NOCTTY);
}

static void start(struct child *c, bool terminal, const char *const *args)
{
    const char *argv[10] = {inlay};
    int ends[2];

    *c = (struct child){0};
    if (terminal)
        ends[1] = open_terminal(&ends[0]);
    else if (pipe(ends) != 0)
        ends[1] = -1;
    if (ends[1] < 0) {
        print_message("skipped: no pseudo terminal can be opened\n");
        skip();
    }
    c->fd = ends[0];
    for (int i = 0; args[i]; i++)
        argv[i + 1] = args[i];
    c->pid = fork();
    if (c->pid == 0) {
        int nowhere = open("/dev/null", O_RDWR);

        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        alarm(200); /* whatever becomes of the test, this ends */
        execv(inlay, (char *const *)argv);
        _exit(127);
    }
    close(ends[1]);
}

/* Reads until TEXT was said, the command has ended, or MS have passed. */
static bool says(struct child *c, const char *text, int ms)
{
    struct pollfd p = {c->fd, POLLIN, 0};

    while (!text || !strstr(c->said, text)) {
        ssize_t got;

        if (poll(&p, 1, ms) <= 0 || c->n + 1 >= sizeof c->said)
            return false;
        got = read(c->fd, c->said + c->n, sizeof c->said - 1 - c->n);
        if (got <= 0)
            return false;
        c->n += (size_t)got;
    }
    return true;
}

static int end(struct child *c)
{
    int status;

    waitpid(c->pid, &status, 0);
    close(c->fd);
    return status;
}

enum { PATIENCE = 60000, MOMENT = 1500 };

static void a_loop_without_end_shows_progress_and_can_be_stopped(void **state)
{
    struct child c;
    int status;

    setenv("TERM", "xterm", 1);
    start(&c, true, (const char *const[]){"run", "forever.inlay", "--random", NULL});
    assert_true(says(&c, "\r\033[Kinlay run: step ", PATIENCE));
    assert_true(says(&c, "next?[7m", PATIENCE));
    assert_null(strstr(c.said, "\033[7m"));
    kill(c.pid, SIGINT);
    status = end(&c);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

static void verify_shows_its_trials(void **state)
{
    struct child c;

    setenv("TERM", "xterm", 1);
    start(&c, true, (const char *const[]){"verify", "forever.inlay", "forever.inlay", NULL});
    assert_true(says(&c, "\r\033[Kinlay verify: trial 1 of 64 step ", PATIENCE));
    kill(c.pid, SIGTERM);
    end(&c);
}

static void nothing_is_shown_elsewhere(void **state)
{
    static const char *const args[] = {"run", "forever.inlay", "--random", NULL};
    struct child c;

    start(&c, false, args);
    assert_false(says(&c, "\r", MOMENT));
    kill(c.pid, SIGTERM);
    end(&c);
    assert_int_equal(c.n, 0);

    setenv("TERM", "dumb", 1);
    start(&c, true, args);
    assert_false(says(&c, "\r", MOMENT));
    kill(c.pid, SIGTERM);
    end(&c);
    assert_int_equal(c.n, 0);
}

static const char *said_of_a_missing_file(struct child *c, bool terminal)
{
    start(c, terminal, (const char *const[]){"info", "missing.xml", NULL});
    says(c, NULL, PATIENCE);
    assert_int_equal(WEXITSTATUS(end(c)), 2);
    c->said[strcspn(c->said, "\r\n")] = '\0';
    return c->said;
}

static void colour_on_a_terminal_only(void **state)
{
    static const char plain[] = "missing.xml: error: cannot open: No such file or directory";
    struct child c;

    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    assert_string_equal(said_of_a_missing_file(&c, true),
                        "missing.xml: \033[31merror:\033[0m cannot open: No such file or "
                        "directory");
    assert_string_equal(said_of_a_missing_file(&c, false), plain);
    setenv("NO_COLOR", "1", 1);
    assert_string_equal(said_of_a_missing_file(&c, true), plain);
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    assert_string_equal(said_of_a_missing_file(&c, true), plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_without_end_shows_progress_and_can_be_stopped),
        cmocka_unit_test(verify_shows_its_trials),
        cmocka_unit_test(nothing_is_shown_elsewhere),
        cmocka_unit_test(colour_on_a_terminal_only),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
