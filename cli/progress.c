/* The progress line of long work: on a terminal, on standard error, and only once the work has
 * taken a moment. A thread draws it, because a single step may take long. */
#include "cli/cli.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_MS = 500, EVERY_MS = 200, WIDTH = 78, NAME = 40 };

static struct {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool on, shown;
    const char *command;
    char what[NAME + 1]; /* what is being done: the name of a rule, a pass or a node */
    char item[NAME + 1]; /* "3 of 40", or empty */
    double began, part;  /* when the work began, and how much of it is done */
    const char *unit;    /* "trial" or "instance", of which COUNT of ALL are begun */
    int64_t count, all;
    uint64_t steps;
} line = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

bool cli_dumb_terminal(void)
{
    const char *terminal = getenv("TERM");

    return terminal && strcmp(terminal, "dumb") == 0;
}

static void erase(void)
{
    if (line.shown)
        fputs("\r\033[K", stderr);
    line.shown = false;
}

/* Writes how many seconds are left, if some of the work is done. */
static size_t print_left(char *text, size_t size)
{
    double passed = (cli_now_ms() - line.began) / 1000;

    if (line.part <= 0 || line.part > 1 || line.began <= 0)
        return 0;
    return (size_t)snprintf(text, size, ", %.0f s left", passed / line.part * (1 - line.part));
}

/* Draws the line. The name comes from a file, so control characters are left out. */
static void draw(void)
{
    char text[WIDTH + 1] = "";
    size_t n = 0;

    n += (size_t)snprintf(text, sizeof text, "inlay %s:", line.command);
    if (*line.item)
        n += (size_t)snprintf(text + n, sizeof text - n, " %s", line.item);
    if (line.all > 0)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s %s %" PRId64 " of %" PRId64,
                              *line.item ? "," : "", line.unit, line.count, line.all);
    n += print_left(text + n, sizeof text - n);
    if (line.steps > 0 && n < sizeof text)
        n += (size_t)snprintf(text + n, sizeof text - n, " step %" PRIu64, line.steps);
    if (*line.what && n < sizeof text)
        snprintf(text + n, sizeof text - n, " %s", line.what);
    for (char *p = text; *p; p++)
        *p = *p < 0x20 || *p > 0x7e ? '?' : *p;
    fprintf(stderr, "\r\033[K%s", text);
    fflush(stderr);
    line.shown = true;
}

static struct timespec in_ms(int ms)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += (long)ms * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static void *keep_drawing(void *unused)
{
    struct timespec next = in_ms(FIRST_MS);

    (void)unused;
    pthread_mutex_lock(&line.lock);
    while (line.on) {
        if (pthread_cond_timedwait(&line.ended, &line.lock, &next) == 0)
            continue;
        draw();
        next = in_ms(EVERY_MS);
    }
    pthread_mutex_unlock(&line.lock);
    return NULL;
}

void cli_progress_begin(const char *command)
{
    if (line.on || !isatty(STDERR_FILENO) || cli_dumb_terminal())
        return;
    line.command = command;
    line.began = cli_now_ms();
    line.part = 0;
    *line.item = *line.what = '\0';
    line.on = true;
    if (pthread_create(&line.thread, NULL, keep_drawing, NULL) != 0)
        line.on = false;
}

void cli_progress_end(void)
{
    if (!line.on)
        return;
    pthread_mutex_lock(&line.lock);
    line.on = false;
    erase();
    pthread_cond_signal(&line.ended);
    pthread_mutex_unlock(&line.lock);
    pthread_join(line.thread, NULL);
}

void cli_progress_clear(void)
{
    pthread_mutex_lock(&line.lock);
    erase();
    pthread_mutex_unlock(&line.lock);
}

static void set_item(const char *what, uint64_t done, uint64_t all)
{
    snprintf(line.item, sizeof line.item, "%" PRIu64 " of %" PRIu64, done + 1, all);
    snprintf(line.what, sizeof line.what, "%s", what);
    line.part = all > 0 ? (double)done / (double)all : 0;
}

void cli_progress_item(const char *what, uint64_t done, uint64_t all)
{
    if (!line.on)
        return;
    pthread_mutex_lock(&line.lock);
    set_item(what, done, all);
    pthread_mutex_unlock(&line.lock);
}

void cli_progress_part(double part)
{
    if (!line.on)
        return;
    pthread_mutex_lock(&line.lock);
    line.part = part;
    pthread_mutex_unlock(&line.lock);
}

void cli_progress_now(const char *command, const char *what, uint64_t done, uint64_t all)
{
    if (!isatty(STDERR_FILENO) || cli_dumb_terminal())
        return;
    pthread_mutex_lock(&line.lock);
    line.command = command;
    line.began = line.began > 0 ? line.began : cli_now_ms();
    set_item(what, done, all);
    draw();
    pthread_mutex_unlock(&line.lock);
}

void cli_progress_trial(void *unused, int trial, int trials)
{
    (void)unused;
    cli_interrupt_point();
    pthread_mutex_lock(&line.lock);
    line.unit = "trial";
    line.count = trial + 1;
    line.all = trials;
    line.part = trials > 0 ? (double)trial / trials : 0;
    pthread_mutex_unlock(&line.lock);
}

void cli_progress_instance(int64_t done, int64_t all, double part)
{
    if (!line.on)
        return;
    pthread_mutex_lock(&line.lock);
    line.unit = "instance";
    line.count = done + 1;
    line.all = all;
    line.part = part;
    pthread_mutex_unlock(&line.lock);
}

static void set_what(const char *name, uint64_t steps)
{
    if (!line.on)
        return;
    pthread_mutex_lock(&line.lock);
    snprintf(line.what, sizeof line.what, "%s", name);
    for (char *c = line.what; *c; c++)
        *c = (unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c;
    line.steps = steps;
    pthread_mutex_unlock(&line.lock);
}

void cli_progress_pass(const char *pass)
{
    set_what(pass, 0);
}

void cli_progress_step(void *unused, const inlay_node *n, uint64_t steps)
{
    (void)unused;
    cli_interrupt_point();
    set_what(n->name, steps + 1);
}
