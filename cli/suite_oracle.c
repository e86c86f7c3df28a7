/* Has another runtime run a test of a suite: a command that is called with the model and the folder
 * of a data set (test_data.c), in which it finds
 *
 *     input_0.npy, input_1.npy     the inputs, in order; packed types in files of .bin
 *     inputs.json                  [{"file": "input_0.npy", "type": "f32", "shape": [2, 3]}, ...]
 *
 * and to which it writes output_0.npy, output_1.npy, ... (or .pb, a TensorProto). Its exit status
 * is 0, or 4 where it does not take the model; any other is a failure, of which the first line that
 * it prints is the reason. */
#include "cli/child.h"
#include "cli/suite.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct asked {
    const suite *s;
    const suite_test *t;
    char set[CLI_FOLDER_SIZE + 32];
};

/* Writes input I and its entry of inputs.json. */
static bool write_input(const struct asked *a, inlay_files *fs, FILE *f, const inlay_tensor *t,
                        int i, inlay_diags *d)
{
    char name[32], file[64];

    snprintf(name, sizeof name, "input_%d", i);
    if (!cli_write_tensor(t, fs, a->set, name, file, sizeof file, d))
        return false;
    fprintf(f, "%s\n  {\"file\": \"%s\", \"type\": \"%s\", \"shape\": [", i ? "," : "", file,
            inlay_type_info_of(t->type)->name);
    for (int k = 0; k < t->rank; k++)
        fprintf(f, "%s%lld", k ? ", " : "", (long long)t->dims[k]);
    fputs("]}", f);
    return true;
}

static bool write_inputs(const struct asked *a, inlay_tensor *const *in, int n, inlay_diags *d)
{
    inlay_files *fs = inlay_files_new(d);
    char path[sizeof a->set + 16];
    cli_text index;
    bool ok = fs && cli_text_open(&index, d);

    if (ok) {
        fputc('[', index.file);
        for (int i = 0; ok && i < n; i++)
            ok = write_input(a, fs, index.file, in[i], i, d);
        fputs("\n]\n", index.file);
        snprintf(path, sizeof path, "%s/inputs.json", a->set);
        ok = cli_text_write(&index, fs, path, ok, d) && inlay_files_commit(fs, d);
    }
    inlay_files_free(fs);
    return ok;
}

/* Runs the command; the first line that it prints goes to LINE. Returns its status; -1: none. */
static int run_command(struct asked *a, inlay_strbuf *said, inlay_diags *d)
{
    inlay_strbuf command = {0};
    char sh[] = "sh", flag[] = "-c", *argv[] = {sh, flag, NULL, sh, a->t->model, a->set, NULL};
    FILE *out = cli_child_file(d);
    const cli_child child = {.argv = argv, .out = out, .err = out};
    int status = -1;

    inlay_strbuf_printf(&command, "%s \"$@\"", a->s->oracle);
    argv[2] = command.bytes;
    if (out && !command.failed)
        status = cli_run_child(&child);
    if (out && cli_child_said(out, said) && said->bytes)
        said->bytes[strcspn(said->bytes, "\n")] = '\0';
    inlay_strbuf_free(&command);
    if (out)
        fclose(out);
    return status;
}

static bool read_outputs(const struct asked *a, inlay_tensor **out, int n, uint64_t held,
                         inlay_diags *d)
{
    inlay_tensor **got = cli_read_set(NULL, a->set, "output", n, a->s->budget, &held, d);

    for (int i = 0; got && i < n; i++)
        out[i] = got[i];
    free(got);
    return got != NULL;
}

static int ask(void *ctx, inlay_tensor *const *in, int n_in, uint64_t held, inlay_tensor **out,
               int n_out, inlay_diags *d)
{
    struct asked *a = ctx;
    inlay_strbuf said = {0};
    int status = INLAY_INVALID;

    cli_empty_folder(a->set);
    if (write_inputs(a, in, n_in, d))
        status = run_command(a, &said, d);
    if (status == INLAY_OK && !read_outputs(a, out, n_out, held, d))
        status = INLAY_INVALID;
    else if (status == INLAY_UNDECIDED)
        cli_say(stderr, "inlay: %s\n", said.bytes ? said.bytes : "the oracle does not take it");
    else if (status != INLAY_OK && !inlay_diags_error(d))
        inlay_fail(d, NULL, "the oracle ends with status %d: %s", status,
                   said.bytes ? said.bytes : "it does not say why");
    inlay_strbuf_free(&said);
    return status == INLAY_OK || status == INLAY_UNDECIDED ? status : INLAY_INVALID;
}

int suite_ask_oracle(const suite *s, const suite_test *t, bool drawn)
{
    struct asked a = {.s = s, .t = t};
    bool by_shape = false;
    cli_data_run run = {.n_in = -1,
                        .n_out = -1,
                        .tolerance = &s->tolerance,
                        .budget = s->budget,
                        .quiet = true,
                        .drawn = drawn,
                        .by_shape = &by_shape,
                        .run = ask,
                        .ctx = &a};
    inlay_diags *d = inlay_diags_new();
    int status;

    if (!d)
        return cli_no_memory();
    snprintf(a.set, sizeof a.set, "%s/test_data_set_0", s->exchange);
    mkdir(a.set, 0700);
    status = cli_run_data_sets(&run, t->folder, d);
    status = cli_finish(d, status);
    return status == INLAY_OK && by_shape ? SUITE_BY_SHAPE : status;
}
