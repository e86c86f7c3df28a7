/* `inlay SUBCOMMAND ...`: finds the subcommand in the table and runs it. */
#include "cli/cli.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

const cli_command cli_commands[] = {
    {"run", "MODEL", "Run a model and print its outputs.",
     "inlay run models/digits/digits.xml -i image=models/digits/ten.npy", true, cmd_run},
    {"info", "MODEL", "Show a model's inputs, outputs, operations, and the memory of a run.",
     "inlay info models/digits/digits.xml", true, cmd_info},
    {"opt", "MODEL", "Rewrite a model, and say what is written in place.",
     "inlay opt models/digits/digits.xml -o /tmp/smaller.xml", true, cmd_opt},
    {"convert", "IN OUT",
     "Write a model in another format, or a part of it; else its graph stays as it is.",
     "inlay convert models/digits/digits.xml /tmp/digits.json", true, cmd_convert},
    {"plan", "MODEL", "Show what a run will do: steps, where values lie in memory, copies.",
     "inlay plan models/digits/digits.xml --shape image=1,1,28,28", true, cmd_plan},
    {"view", "A [B]", "Write a page that shows a model's graph, or two beside each other.",
     "inlay view models/window/window.inlay -o /tmp/window.html", true, cmd_view},
    {"bench", "MODEL", "Measure how long a run takes, and which steps take the time.",
     "inlay bench models/digits/digits.xml -t 1", true, cmd_bench},
    {"verify", "A B", "Test whether two models are the same function.",
     "inlay verify models/digits/digits.xml models/digits/digits.xml", true, cmd_verify},
    {"print", "MODEL", "Print a model's graph as readable text, or for Graphviz.",
     "inlay print models/digits/digits.xml", false, cmd_print},
    {"compare", "A B", "Compare two arrays, or two folders of them that `run -o` wrote.",
     "inlay compare models/window/out.npy models/window/out.npy", false, cmd_compare},
    {"diff", "A [B]", "Show how the nodes of two models differ, or what the passes change in one.",
     "inlay diff models/window/window.inlay", false, cmd_diff},
    {"bisect", "MODEL", "Find the one rewrite that changed a model's results.",
     "inlay bisect models/digits/digits.xml --trials 4", false, cmd_bisect},
    {"reduce", "MODEL", "Find a smaller model on which a command still fails in the same way.",
     "inlay reduce models/digits/digits.xml --test 'inlay info' --match MaxPool", false,
     cmd_reduce},
    {"fuzz", "", "Make graphs up, and look for one that an executor or a pass gets wrong.",
     "inlay fuzz --seed 1 --count 20", false, cmd_fuzz},
    {"explore", "MODEL", "List all graphs that rules make of a model, and name the cheapest.",
     "inlay explore models/window/window.inlay --rules turn,simplify --limit 20", false,
     cmd_explore},
    {"ops", "", "List the operations that this build knows.", "inlay ops --json", false, cmd_ops},
    {"passes", "", "List the passes and pipelines that this build knows.", "inlay passes", false,
     cmd_passes},
    {"rules", "[MODEL]", "List the rewrite rules, and how often each applies to a model.",
     "inlay rules", false, cmd_rules},
    {"prove", "[FILE]",
     "Prove rewrite rules for all sizes, with z3: bit for bit, or (approx) over the reals.",
     "inlay prove --rule slice-of-slice", false, cmd_prove},
    {"check-rules", "[FILE]", "Test rewrite rules on graphs that are made up for them.",
     "inlay check-rules --rule slice-of-slice --instances 100", false, cmd_check_rules},
    {NULL, NULL, NULL, NULL, false, NULL},
};

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
    if (helped)
        cli_guess_conditions(&guess);
    fprintf(stderr, "inlay: error: unknown subcommand \"%s\"%s (see `inlay --help`)\n", name,
            inlay_guess_text(&guess, text, sizeof text));
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
    fprintf(stderr, "inlay: error: standard output could not be written\n");
    return INLAY_NO_RESOURCE;
}
