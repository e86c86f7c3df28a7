/* Long work that is interrupted (Ctrl-C) prints what it has. The first signal is remembered, and the
 * work looks for it from time to time; the second one ends the process at once. */
#include "cli/cli.h"

#include <stdlib.h>

static volatile sig_atomic_t caught;
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
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction before;

        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
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
