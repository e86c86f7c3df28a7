/* Has another program (the oracle) judge a run of a graph. It is called with a folder that holds
 *
 *     graph.json               the graph
 *     in_0.npy, in_1.npy       its inputs, in order; its variables are in their reset state
 *     out_0.npy, out_1.npy     what the reference made of them; packed types in files of .bin
 *
 * Its exit status says whether that is right: 0, right; 1, wrong, and the first line that it prints
 * says why; 4, undecided. Any other is a failure, too. */
#include "cli/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool fuzz_make_folder(fuzz *f, inlay_diags *d)
{
    *f->folder = '\0';
    return !f->oracle || cli_new_folder("fuzz", "the oracle", f->folder, sizeof f->folder, d);
}

void fuzz_remove_folder(fuzz *f)
{
    if (!*f->folder)
        return;
    cli_empty_folder(f->folder);
    rmdir(f->folder);
}

static bool write_tensors(const fuzz *f, inlay_files *files, const char *word,
                          inlay_tensor *const *t, int n, inlay_diags *d)
{
    char name[32], file[64];
    bool ok = true;

    for (int i = 0; ok && i < n; i++) {
        snprintf(name, sizeof name, "%s_%d", word, i);
        ok = cli_write_tensor(t[i], files, f->folder, name, file, sizeof file, d);
    }
    return ok;
}

/* Runs G on generated inputs and writes all of it. False: there is nothing to ask. */
static bool write_run(const fuzz *f, const inlay_graph *g, uint64_t seed, inlay_tensor **in,
                      inlay_tensor **out, inlay_tensor **state, inlay_diags *d)
{
    inlay_exec_options limits = {.max_memory = f->model.memory,
                                 .max_iterations = f->model.iterations};
    inlay_evaluator reference = inlay_reference_evaluator(&limits);
    const inlay_make_options make = {.seed = seed, .max_memory = f->model.memory};
    inlay_files *files = inlay_files_new(d);
    char path[CLI_FOLDER_SIZE + 16];
    bool ok =
        files && inlay_make_inputs(g, &make, in, d) &&
        reference.eval_graph(reference.ctx, g, (const inlay_tensor *const *)in, out, state, d) &&
        write_tensors(f, files, "in", in, g->n_params, d) &&
        write_tensors(f, files, "out", out, g->n_results, d) && inlay_files_commit(files, d);

    inlay_files_free(files);
    snprintf(path, sizeof path, "%s/graph.json", f->folder);
    return ok && inlay_write_file(g, path, NULL, d);
}

/* Returns the oracle's status; CLI_CHILD_LATE; -1: it could not be started. */
static int run_oracle(const fuzz *f, FILE *out)
{
    inlay_strbuf line = {0};
    char sh[] = "sh", flag[] = "-c", *argv[] = {sh, flag, NULL, NULL};
    const cli_child oracle = {.argv = argv, .out = out, .err = out, .seconds = f->oracle_seconds};
    int status = -1;

    inlay_strbuf_printf(&line, "%s %s", f->oracle, f->folder);
    argv[2] = line.bytes;
    if (!line.failed)
        status = cli_run_child(&oracle);
    inlay_strbuf_free(&line);
    return status;
}

/* Writes to WHY the reason why STATUS, with which the oracle ended, counts against the graph; SAID
 * is what it printed. */
static void tell(const fuzz *f, int status, const inlay_strbuf *said, char *why, size_t size)
{
    const char *line = said->n > 0 ? said->bytes : "the oracle does not say why";
    int n = (int)strcspn(line, "\n");

    if (status == CLI_CHILD_LATE)
        snprintf(why, size, "the oracle was ended after %d s", f->oracle_seconds);
    else if (status == INLAY_DIFFERENT)
        snprintf(why, size, "%.*s", n, line);
    else
        snprintf(why, size, "the oracle ends with status %d: %.*s", status, n, line);
}

/* Asks the oracle about the run in the folder. Returns the kind of failure if it contradicts, or
 * gives no verdict: an oracle that cannot be started would otherwise approve of all graphs. */
static const char *ask(const fuzz *f, char *why, size_t size, inlay_diags *d)
{
    FILE *out = cli_child_file(d);
    inlay_strbuf said = {0};
    int status;

    if (!out)
        return NULL;
    status = run_oracle(f, out);
    cli_child_said(out, &said);
    tell(f, status, &said, why, size);
    inlay_strbuf_free(&said);
    fclose(out);
    if (status == INLAY_OK || status == INLAY_UNDECIDED)
        return NULL;
    return status == CLI_CHILD_LATE ? "hang" : "oracle";
}

void fuzz_release(inlay_tensor **list, int n)
{
    for (int i = 0; list && i < n; i++)
        inlay_tensor_release(list[i]);
    free(list);
}

const char *fuzz_ask_oracle(const fuzz *f, const inlay_graph *g, uint64_t seed, char *why,
                            size_t size)
{
    inlay_diags *d = inlay_diags_new();
    inlay_tensor **in = calloc((size_t)g->n_params + 1, sizeof(inlay_tensor *));
    inlay_tensor **out = calloc((size_t)g->n_results + 1, sizeof(inlay_tensor *));
    inlay_tensor **state = calloc((size_t)g->n_variables + 1, sizeof(inlay_tensor *));
    const char *kind = NULL;

    cli_empty_folder(f->folder);
    if (d && in && out && state && write_run(f, g, seed, in, out, state, d))
        kind = ask(f, why, size, d);
    fuzz_release(in, g->n_params);
    fuzz_release(out, g->n_results);
    fuzz_release(state, g->n_variables);
    inlay_diags_free(d);
    return kind;
}
