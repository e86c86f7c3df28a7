/* `inlay reduce MODEL --test COMMAND`: a smaller model on which a command fails in the same way.
 *
 * Each candidate is written to a file in a folder of its own, and `sh` runs the command with the
 * file's name appended, or in place of {}. It fails in the same way when its exit status is that
 * for the model itself and, with --match, its output contains the same text.
 *
 * When interrupted, it leaves the best model so far: the file of -o is always complete, whenever
 * this process ends. */
#include "cli/child.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct reduce {
    const cli_command *self;
    cli_model_options model;
    const char *command, *match, *out, *tries_text, *seconds_text;
    int tries, seconds;  /* candidates; of a run of the command */
    inlay_graph *best;   /* so far, where -o names no file */
    bool saved, unsaved; /* there is a best one; it could not be written */
    int late;            /* the number of runs that were ended by the time limit */
    char folder[CLI_FOLDER_SIZE], candidate[CLI_FOLDER_SIZE + 32]; /* the file there: a graph */
    char *line;                                                    /* what sh is given */
    inlay_strbuf said; /* by the last run of the command */
    int status;        /* the one to keep */
    inlay_diags *d;
};

/* Returns COMMAND with the name FILE in place of each {}, or at the end. The caller frees it. */
static char *command_line(const char *command, const char *file)
{
    inlay_strbuf b = {0};
    const char *hole = strstr(command, "{}");
    char *line;

    if (!hole)
        inlay_strbuf_printf(&b, "%s %s", command, file);
    for (const char *p = command; hole; hole = strstr(p, "{}")) {
        inlay_strbuf_add(&b, p, (size_t)(hole - p));
        inlay_strbuf_puts(&b, file);
        p = hole + 2;
        if (!strstr(p, "{}"))
            inlay_strbuf_puts(&b, p);
    }
    line = b.failed ? NULL : strdup(b.bytes);
    inlay_strbuf_free(&b);
    return line;
}

/* Runs the command and keeps its output. Returns its status as a shell does; CLI_CHILD_LATE; or -1
 * if it could not be started. */
static int run_command(struct reduce *r)
{
    char sh[] = "sh", flag[] = "-c", *argv[] = {sh, flag, r->line, NULL};
    FILE *said = cli_child_file(r->d);
    const cli_child command = {.argv = argv,
                               .out = said,
                               .err = said,
                               .seconds = r->seconds,
                               .stop = cli_interrupt_flag()};
    int status = said ? cli_run_child(&command) : -1;

    r->late += status == CLI_CHILD_LATE;
    inlay_strbuf_free(&r->said);
    r->said = (inlay_strbuf){0};
    if (said && !cli_child_said(said, &r->said))
        status = -1;
    if (said)
        fclose(said);
    return status;
}

/* Whether the command's output contains the text of --match. */
static bool said_it(const struct reduce *r)
{
    return !r->match || (r->said.bytes && strstr(r->said.bytes, r->match) != NULL);
}

/* Makes G the best model so far. */
static bool save(struct reduce *r, const inlay_graph *g)
{
    if (!r->out) {
        inlay_graph_free(r->best);
        r->best = inlay_graph_clone(g, r->d);
    }
    r->saved = r->out ? inlay_write_file(g, r->out, NULL, r->d) : r->best != NULL;
    r->unsaved = !r->saved;
    return r->saved;
}

static void remove_folder(struct reduce *r)
{
    static const char *const weights[] = {"model.bin", "model.json.bin"};
    char path[CLI_FOLDER_SIZE + 32];

    for (size_t i = 0; *r->folder && i < sizeof weights / sizeof *weights; i++) {
        snprintf(path, sizeof path, "%s/%s", r->folder, weights[i]);
        unlink(path);
    }
    if (*r->folder)
        unlink(r->candidate);
    if (*r->folder)
        rmdir(r->folder);
    free(r->line);
    inlay_strbuf_free(&r->said);
    inlay_graph_free(r->best);
}

/* Ends this process by the signal that asked for it. */
static void end_if_stopped(struct reduce *r)
{
    const inlay_sink out = {cli_file_sink, stdout};
    const int signal_number = *cli_interrupt_flag();

    if (!signal_number)
        return;
    fprintf(stderr, "inlay reduce: interrupted%s\n",
            !r->saved ? ""
            : r->out  ? "; the best so far is saved"
                      : "; the best so far:");
    if (r->best)
        inlay_print(r->best, false, &out, NULL);
    fflush(stdout);
    remove_folder(r);
    cli_end_if_late();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Whether the candidate fails as the model does. If so, it is the best one, and is saved; if that
 * fails, no other candidate is tried. */
static bool fails_alike(void *ctx, const inlay_graph *g)
{
    struct reduce *r = ctx;
    bool alike = !r->unsaved && inlay_write_file(g, r->candidate, NULL, NULL) &&
                 run_command(r) == r->status && said_it(r) && save(r, g);

    end_if_stopped(r);
    return alike;
}

/* Runs the command on the model itself, to learn the status and output to look for. */
static bool learn(struct reduce *r, const inlay_graph *g)
{
    if (!inlay_write_file(g, r->candidate, NULL, r->d))
        return false;
    r->status = run_command(r);
    end_if_stopped(r);
    if (r->status == CLI_CHILD_LATE)
        return inlay_fail_resource(
            r->d, NULL,
            "the command did not end within %d s (--seconds N gives it more; "
            "a hang is kept by `timeout N COMMAND`): %s",
            r->seconds, r->command);
    if (r->status < 0 || r->status == 127)
        return inlay_fail_resource(r->d, NULL, "the command cannot be run: %s", r->command);
    if (r->status == 0 && !r->match)
        return inlay_fail(r->d, NULL,
                          "the command succeeds on the model, so there is no failure to keep; "
                          "--match TEXT keeps what it prints: %s",
                          r->command);
    if (!said_it(r))
        return inlay_fail(r->d, NULL, "the command does not print \"%s\" for the model: %s",
                          r->match, r->command);
    return true;
}

static bool print_best(const struct reduce *r, const inlay_graph *g)
{
    inlay_sink out = {cli_file_sink, stdout};

    return r->out || inlay_print(g, false, &out, r->d);
}

/* Prints a comment of the text form, which may precede the graph. */
static void tell(const struct reduce *r, const inlay_reduce_result *result)
{
    printf("%s%zu node%s of %zu; %d smaller graph%s tried, %d of them failed in the same way%s",
           r->out ? "" : "// ", result->graph->n_nodes,
           inlay_plural(result->graph->n_nodes, "", "s"), result->before, result->tried,
           inlay_plural(result->tried, "", "s"), result->kept,
           result->exhausted ? "; --tries is used up" : "");
    if (r->late > 0)
        printf("; on %d the command was ended after %d s", r->late, r->seconds);
    printf("\n");
}

static int reduce_graph(struct reduce *r, const inlay_graph *g)
{
    inlay_reduce_options options = {.keeps = fails_alike, .ctx = r, .tries = r->tries};
    inlay_reduce_result result;
    bool ok = learn(r, g) && save(r, g) && inlay_reduce(g, &options, &result, r->d);

    if (!ok)
        return inlay_diags_status(r->d);
    ok = !r->unsaved;
    if (ok) {
        tell(r, &result);
        ok = print_best(r, result.graph);
    }
    inlay_graph_free(result.graph);
    return ok ? INLAY_OK : INLAY_NO_RESOURCE;
}

/* Makes the folder for candidates. They are text, or OpenVINO IR if the result will be. */
static bool make_folder(struct reduce *r)
{
    const char *dot = r->out ? strrchr(r->out, '.') : NULL;
    const char *ending = dot && strlen(dot) < 8 ? dot : ".inlay";

    if (!cli_new_folder("reduce", "candidates", r->folder, sizeof r->folder, r->d))
        return false;
    snprintf(r->candidate, sizeof r->candidate, "%s/model%s", r->folder, ending);
    r->line = command_line(r->command, r->candidate);
    return r->line || inlay_fail_memory(r->d);
}

static int reduce_file(struct reduce *r, const char *file)
{
    inlay_graph *g;
    int status = INLAY_INVALID;

    r->d = inlay_diags_new();
    if (!r->d)
        return cli_no_memory();
    g = cli_read(file, &r->model, r->d);
    if (g) {
        /* A signal first ends the command, which is in another process group and does not receive
         * it, and the folder is removed. */
        cli_on_interrupt(NULL, NULL);
        if (make_folder(r))
            status = reduce_graph(r, g);
        remove_folder(r);
    }
    inlay_graph_free(g);
    return cli_finish(r->d, status);
}

static bool read_options(struct reduce *r)
{
    r->seconds = 60;
    if (!r->command || !r->command[strspn(r->command, " \t\n")]) {
        cli_usage(r->self, "option --test is %s: the command that fails on the model",
                  r->command ? "empty" : "missing");
        return false;
    }
    if (r->out && strcmp(r->out, "-") == 0)
        r->out = NULL; /* printed once, in the end */
    return cli_count(r->self, "--tries", r->tries_text, &r->tries) &&
           cli_count(r->self, "--seconds", r->seconds_text, &r->seconds) &&
           cli_settle(r->self, &r->model);
}

int cmd_reduce(const cli_command *self, int argc, char **argv)
{
    struct reduce r = {.self = self};
    const cli_option options[] = {
        {"--test", "COMMAND",
         "the command that fails, run by sh; the model's file stands for {} in it, or comes last",
         .text = &r.command},
        {"--keep", "COMMAND", "", .text = &r.command, .hidden = true},
        {"--match", "TEXT", "the command must also print TEXT; then it need not fail",
         .text = &r.match},
        CLI_OUT_OPTION(r.out, "prints the smallest graph"),
        {"--tries", "N", "try at most N smaller graphs (5000)", .text = &r.tries_text},
        CLI_SECONDS_OPTION(r.seconds_text, "60"),
        CLI_SHAPE_OPTION(r.model.shapes),
        CLI_LIMIT_OPTIONS(r.model),
        CLI_READ_OPTIONS(r.model),
        {0}};
    const char *file;
    int n, status = cli_parse(self, options, argc, argv, &file, 1, 1, &n);

    if (status < 0)
        status = read_options(&r) ? reduce_file(&r, file) : INLAY_INVALID;
    cli_free_model_options(&r.model);
    return status;
}
