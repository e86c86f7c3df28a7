/* `inlay SUBCOMMAND ...`: finds the subcommand in the table and runs it. */
#include "cli/cli.h"

#include <signal.h>
#include <string.h>

const cli_command cli_commands[] = {
    {"run", "MODEL", "Run a model and print its outputs.",
     "inlay run models/digits/digits.xml -i image=models/digits/ten.npy", cmd_run},
    {"opt", "MODEL", "Rewrite a model.", "inlay opt models/digits/digits.xml -o /tmp/smaller.xml",
     cmd_opt},
    {"convert", "IN OUT", "Write the same graph in another format, untouched.",
     "inlay convert models/digits/digits.xml /tmp/digits.json", cmd_convert},
    {"verify", "A B", "Are these two graphs the same function?",
     "inlay verify models/digits/digits.xml models/digits/digits.xml", cmd_verify},
    {"info", "MODEL", "Show a model's inputs, outputs, operations and sizes.",
     "inlay info models/digits/digits.xml", cmd_info},
    {"print", "MODEL", "Print the graph as readable text, or for Graphviz.",
     "inlay print models/digits/digits.xml", cmd_print},
    {"ops", "", "List the operations this build knows.", "inlay ops --json", cmd_ops},
    {"passes", "", "List the passes and pipelines this build knows.", "inlay passes", cmd_passes},
    {"rules", "[MODEL]", "List the rewrite rules, and how often each applies to a model.",
     "inlay rules", cmd_rules},
    {NULL, NULL, NULL, NULL, NULL},
};

static void print_usage(FILE *f)
{
    fprintf(f, "usage: inlay SUBCOMMAND [options] ...\n\n");
    for (const cli_command *c = cli_commands; c->name; c++)
        fprintf(f, "  %-8s %-8s %s\n", c->name, c->arguments, c->summary);
    fprintf(f, "\n`inlay SUBCOMMAND --help` shows its options and an example; "
               "`inlay --version` what is built in.\n");
}

static int print_version(void)
{
    printf("inlay %s\n", INLAY_VERSION);
    printf("built in: libxml2 (OpenVINO IR), cJSON (JSON graph), zlib (npz)\n");
    printf("not built in: oneDNN, OpenMP, protobuf-c (ONNX), Graphviz\n");
    return INLAY_OK;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return INLAY_INVALID;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return INLAY_OK;
    }
    if (strcmp(argv[1], "--version") == 0)
        return print_version();
    for (const cli_command *c = cli_commands; c->name; c++) {
        if (strcmp(c->name, argv[1]) == 0)
            return c->run(c, argc - 2, argv + 2);
    }
    fprintf(stderr, "inlay: error: unknown subcommand \"%s\" (see `inlay --help`)\n", argv[1]);
    return INLAY_INVALID;
}

int main(int argc, char **argv)
{
    int status;

    /* A file that may not grow further (ulimit -f) is a failing write, not the end of the process:
     * what was begun is removed. */
    signal(SIGXFSZ, SIG_IGN);
    status = run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "inlay: error: standard output could not be written\n");
        return INLAY_NO_RESOURCE;
    }
    return status;
}
