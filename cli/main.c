/* `inlay SUBCOMMAND ...`: finds the subcommand in the table and runs it. */
#include "cli/cli.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

const cli_command cli_commands[] = {
    {"run", "MODEL", "Run a model and print its outputs.",
     "inlay run models/digits/digits.xml -i image=models/digits/ten.npy", cmd_run},
    {"opt", "MODEL", "Rewrite a model.", "inlay opt models/digits/digits.xml -o /tmp/smaller.xml",
     cmd_opt},
    {"convert", "IN OUT", "Write the same graph in another format, untouched.",
     "inlay convert models/digits/digits.xml /tmp/digits.json", cmd_convert},
    {"plan", "MODEL", "Show what a run will do: steps, places in memory, copies.",
     "inlay plan models/digits/digits.xml --shape image=1,1,28,28", cmd_plan},
    {"bench", "MODEL", "Measure how long a run takes, and which steps take it.",
     "inlay bench models/digits/digits.xml -t 1", cmd_bench},
    {"verify", "A B", "Are these two graphs the same function?",
     "inlay verify models/digits/digits.xml models/digits/digits.xml", cmd_verify},
    {"diff", "A [B]", "Which nodes of two graphs differ, or what do passes do to one?",
     "inlay diff models/window/window.inlay", cmd_diff},
    {"explore", "MODEL", "Which graphs do rules reach, and which of them is the cheapest?",
     "inlay explore models/window/window.inlay --rules turn,simplify --limit 20", cmd_explore},
    {"bisect", "MODEL", "Which single application of a pass or rule changed the results?",
     "inlay bisect models/digits/digits.xml --trials 4", cmd_bisect},
    {"fuzz", "", "Look for a graph, made up, on which an executor or a pass is wrong.",
     "inlay fuzz --seed 1 --count 20", cmd_fuzz},
    {"reduce", "MODEL", "A smaller model on which a command fails alike.",
     "inlay reduce models/digits/digits.xml --keep 'inlay info' --match MaxPool", cmd_reduce},
    {"compare", "A B", "Are these two arrays, or folders of them as `run -o` writes, the same?",
     "inlay compare models/window/out.npy models/window/out.npy", cmd_compare},
    {"info", "MODEL", "Show a model's inputs, outputs, operations and sizes.",
     "inlay info models/digits/digits.xml", cmd_info},
    {"print", "MODEL", "Print the graph as readable text, or for Graphviz.",
     "inlay print models/digits/digits.xml", cmd_print},
    {"ops", "", "List the operations this build knows.", "inlay ops --json", cmd_ops},
    {"passes", "", "List the passes and pipelines this build knows.", "inlay passes", cmd_passes},
    {"rules", "[MODEL]", "List the rewrite rules, and how often each applies to a model.",
     "inlay rules", cmd_rules},
    {"prove", "[FILE]", "Prove rewrite rules for all sizes, with z3.",
     "inlay prove --rule slice-of-slice", cmd_prove},
    {"check-rules", "[FILE]", "Check rewrite rules on graphs that are made up for them.",
     "inlay check-rules --rule slice-of-slice --instances 100", cmd_check_rules},
    {NULL, NULL, NULL, NULL, NULL},
};

static void print_usage(FILE *f)
{
    fprintf(f, "usage: inlay SUBCOMMAND [options] ...\n"
               "       inlay MODEL (what `inlay info MODEL` shows)\n\n");
    for (const cli_command *c = cli_commands; c->name; c++)
        fprintf(f, "  %-8s %-8s %s\n", c->name, c->arguments, c->summary);
    fprintf(f, "\n`inlay help SUBCOMMAND` shows its options and an example; "
               "`inlay --version` what is built in.\n");
}

static int print_version(void)
{
    printf("inlay %s\n", inlay_version());
    printf("built in: libxml2 (OpenVINO IR), cJSON (JSON graph), zlib (npz), protobuf-c (ONNX)\n");
    printf("not built in: oneDNN, OpenMP, Graphviz\n");
    return INLAY_OK;
}

static const cli_command *find_command(const char *name)
{
    const cli_command *c = cli_commands;

    while (c->name && strcmp(c->name, name) != 0)
        c++;
    return c->name ? c : NULL;
}

static int unknown_command(const char *name)
{
    static const char *const others[] = {"help", "--help", "--version"};
    inlay_guess guess = {.word = name, .length = strlen(name)};
    char text[100];

    for (const cli_command *c = cli_commands; c->name; c++)
        inlay_guess_try(&guess, c->name);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        inlay_guess_try(&guess, others[i]);
    fprintf(stderr, "inlay: error: unknown subcommand \"%s\"%s (see `inlay --help`)\n", name,
            inlay_guess_text(&guess, text, sizeof text));
    return INLAY_INVALID;
}

/* `inlay help`, `inlay help SUBCOMMAND` */
static int help(const char *name)
{
    char option[] = "--help", *argv[] = {option, NULL};
    const cli_command *c = name ? find_command(name) : NULL;

    if (c)
        return c->run(c, 1, argv);
    if (name)
        return unknown_command(name);
    print_usage(stdout);
    return INLAY_OK;
}

/* No subcommand has a dot or a slash in its name. */
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
    if (strcmp(argv[1], "--version") == 0)
        return print_version();
    c = find_command(argv[1]);
    if (c)
        return c->run(c, argc - 2, argv + 2);
    c = find_command("info");
    return is_file(argv[1]) ? c->run(c, argc - 1, argv + 1) : unknown_command(argv[1]);
}

int main(int argc, char **argv)
{
    int status;

    /* A file that may not grow further (ulimit -f) is a failing write, not the end of the process:
     * what was begun is removed. */
    signal(SIGXFSZ, SIG_IGN);
    status = run(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (status != INLAY_NO_RESOURCE) /* else a writer met the error first, and has told it */
        fprintf(stderr, "inlay: error: standard output could not be written\n");
    return INLAY_NO_RESOURCE;
}
