/* Long work that is interrupted (Ctrl-C), or whose time is over (--max-time), prints what it has.
 * The first signal is remembered, and the work looks for it from time to time; the second one ends
 * the process at once. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t caught, looks_for_it;
static struct {
    void (*tell)(void *ctx);
    void *ctx;
} end;

static void catch_it(int number)
{
    caught = number;
}

void cli_on_interrupt(void (*tell)(void *ctx), void *ctx)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction action = {.sa_handler = catch_it, .sa_flags = (int)SA_RESETHAND};

    end.tell = tell;
    end.ctx = ctx;
    looks_for_it = true;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction before;

        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}

static void start_clock(double seconds)
{
    const double most = 1e9, left = seconds < most ? seconds : most;
    struct itimerval t = {.it_value = {.tv_sec = (time_t)left}};

    t.it_value.tv_usec = (suseconds_t)((left - (double)t.it_value.tv_sec) * 1e6) + 1;
    setitimer(ITIMER_REAL, &t, NULL);
}

static const char time_over[] = "inlay: error: the time of --max-time is over\n";

/* Work that does not look for signals ends here, and so does work that goes on for another second.
 * What is called is safe in a handler; files that have no name yet vanish. */
static void end_of_time(int number)
{
    if (caught || !looks_for_it) {
        ssize_t told = write(STDERR_FILENO, time_over, sizeof time_over - 1);

        (void)told;
        _exit(INLAY_NO_RESOURCE);
    }
    caught = number;
    start_clock(1);
}

void cli_hold_time(double seconds)
{
    const struct sigaction action = {.sa_handler = end_of_time, .sa_flags = SA_RESTART};

    sigaction(SIGALRM, &action, NULL);
    start_clock(seconds);
}

void cli_end_if_late(void)
{
    if (caught != SIGALRM)
        return;
    fflush(stdout);
    fputs(time_over, stderr);
    _exit(INLAY_NO_RESOURCE);
}

const volatile sig_atomic_t *cli_interrupt_flag(void)
{
    return &caught;
}

bool cli_interrupted(void)
{
    return caught != 0;
}

void cli_end_if_interrupted(void)
{
    const int number = caught;

    if (!number)
        return;
    fflush(stdout);
    cli_end_if_late();
    fprintf(stderr, "inlay: interrupted\n");
    signal(number, SIG_DFL);
    raise(number);
}

void cli_interrupt_point(void)
{
    if (!caught || !end.tell)
        return;
    end.tell(end.ctx);
    cli_end_if_interrupted();
}
