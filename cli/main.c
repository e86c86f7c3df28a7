/* `inlay SUBCOMMAND ...`: finds the subcommand in the table and runs it. */
#include "cli/cli.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static void print_commands(FILE *f, bool first)
{
    for (const cli_command *c = cli_commands; c->name; c++) {
        if (c->first == first)
            fprintf(f, "  %-12s %-8s %s\n", c->name, c->arguments, c->summary);
    }
}

static void print_usage(FILE *f)
{
    fprintf(f, "usage: inlay SUBCOMMAND [options] ...\n"
               "       inlay MODEL (the same as `inlay info MODEL`)\n\n");
    print_commands(f, true);
    fprintf(f, "\nfor researchers:\n");
    print_commands(f, false);
    fprintf(
        f,
        "\n`inlay help SUBCOMMAND` shows its options and an example, `inlay help options` "
        "the\noptions that many of them take, `inlay help conditions` the conditions of writing in "
        "place,\n`inlay --version` what is built in.\n");
}

static const cli_command *find_command(const char *name)
{
    const cli_command *c = cli_commands;

    while (c->name && strcmp(c->name, name) != 0)
        c++;
    return c->name ? c : NULL;
}

static int unknown_command(const char *name, bool helped)
{
    static const char *const others[] = {"help", "--help", "--version"};
    inlay_guess guess = {.word = name, .length = strlen(name)};
    char text[100];

    for (const cli_command *c = cli_commands; c->name; c++)
        inlay_guess_try(&guess, c->name);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        inlay_guess_try(&guess, others[i]);
    if (helped) {
        inlay_guess_try(&guess, "options");
        cli_guess_conditions(&guess);
    }
    fprintf(stderr, "inlay: error: unknown subcommand %s\"%s\"%s (see `inlay --help`%s)\n",
            helped ? "or condition " : "", name, inlay_guess_text(&guess, text, sizeof text),
            helped ? ", `inlay help conditions`" : "");
    return INLAY_INVALID;
}

/* `inlay help`, `inlay help SUBCOMMAND`, `inlay help options`, `inlay help N7` */
static int help(const char *name)
{
    char option[] = "--help", *argv[] = {option, NULL};
    const cli_command *c = name ? find_command(name) : NULL;

    if (c)
        return c->run(c, 1, argv);
    if (name && cli_help_condition(name))
        return INLAY_OK;
    if (name && strcmp(name, "options") != 0)
        return unknown_command(name, true);
    if (name)
        cli_print_shared_options();
    else
        print_usage(stdout);
    return INLAY_OK;
}

/* Whether NAME is a file rather than a subcommand: no subcommand contains a dot or a slash. */
static bool is_file(const char *name)
{
    return *name != '-' && (strpbrk(name, "./") || access(name, F_OK) == 0);
}

static int run(int argc, char **argv)
{
    const cli_command *c;

    if (argc < 2) {
        print_usage(stderr);
        return INLAY_INVALID;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0)
        return help(argc > 2 ? argv[2] : NULL);
    if (strncmp(argv[1], "--help=", 7) == 0 && cli_print_completion(argv[1] + 7))
        return INLAY_OK;
    if (strcmp(argv[1], "--version") == 0)
        return cli_print_version();
    c = find_command(argv[1]);
    if (c)
        return c->run(c, argc - 2, argv + 2);
    c = find_command("info");
    return is_file(argv[1]) ? c->run(c, argc - 1, argv + 1) : unknown_command(argv[1], false);
}

int main(int argc, char **argv)
{
    int status;

    /* A file that may not grow further (ulimit -f) is a failing write, not the end of the process:
     * what was begun is removed. */
    signal(SIGXFSZ, SIG_IGN);
    status = run(argc, argv);
    if (!cli_close_log())
        status = INLAY_NO_RESOURCE;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (status != INLAY_NO_RESOURCE) /* who met it on the way has told it */
        fprintf(stderr, "inlay: error: %s\n", cli_lost);
    return INLAY_NO_RESOURCE;
}
