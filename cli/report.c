/* Messages for people, and small printing helpers. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void print_diag(FILE *f, const inlay_diag *m, bool color)
{
    static const struct {
        const char *word, *color;
    } kinds[] = {[INLAY_NOTE] = {"note", "\033[36m"},
                 [INLAY_WARNING] = {"warning", "\033[35m"},
                 [INLAY_ERROR] = {"error", "\033[31m"}};

    cli_say(f, "%s", m->file ? m->file : "inlay");
    if (m->file && m->line)
        fprintf(f, ":%u", m->line);
    fprintf(f, ": %s%s:%s ", color ? kinds[m->severity].color : "", kinds[m->severity].word,
            color ? "\033[0m" : "");
    cli_say(f, "%s%s\n", m->text, cli_held_text(m));
}

/* Prints the messages of D to standard error; notes (what passes declined to do) only if NOTES. */
static void report(const inlay_diags *d, bool notes)
{
    bool color = cli_has_color(stderr);

    for (size_t i = 0; i < inlay_diags_count(d); i++) {
        const inlay_diag *m = inlay_diags_at(d, i);

        if (notes || m->severity != INLAY_NOTE)
            print_diag(stderr, m, color);
        if (cli_log_file())
            print_diag(cli_log_file(), m, false);
    }
}

static int finish(inlay_diags *d, bool notes, int status)
{
    inlay_status worst = inlay_diags_status(d);

    report(d, notes);
    inlay_diags_free(d);
    return worst != INLAY_OK ? (int)worst : status;
}

int cli_finish(inlay_diags *d, int status)
{
    return finish(d, false, status);
}

int cli_finish_notes(inlay_diags *d, int status)
{
    return finish(d, true, status);
}

int cli_no_memory(void)
{
    fprintf(stderr, "inlay: error: out of memory%s\n", cli_held_text(NULL));
    return INLAY_NO_RESOURCE;
}

bool cli_file_sink(void *file, const char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, file) == n;
}

void cli_record_again(const inlay_diag *e, inlay_diags *d)
{
    const inlay_pos pos = {e->file, e->line};

    if (e->severity != INLAY_ERROR)
        inlay_warn(d, &pos, "%s", e->text);
    else if (e->status == INLAY_NO_RESOURCE)
        inlay_fail_resource(d, &pos, "%s", e->text);
    else
        inlay_fail(d, &pos, "%s", e->text);
}

void cli_json_field(FILE *f, const char *name, const char *text)
{
    fprintf(f, ", \"%s\": ", name);
    if (text && *text)
        cli_json_string(f, text);
    else
        fputs("null", f);
}

FILE *cli_text_open(cli_text *t, inlay_diags *d)
{
    *t = (cli_text){0};
    t->file = open_memstream(&t->bytes, &t->n);
    if (!t->file)
        inlay_fail_memory(d);
    return t->file;
}

bool cli_text_write(cli_text *t, inlay_files *fs, const char *path, bool ok, inlay_diags *d)
{
    bool failed;

    if (!t->file)
        return false;
    failed = ferror(t->file) != 0;
    failed = fclose(t->file) != 0 || failed || !t->bytes; /* glibc only leaves it NULL */
    if (failed)
        ok = inlay_fail_memory(d);
    fflush(stdout); /* PATH may be /dev/stdout */
    ok = ok && inlay_files_bytes(fs, path, t->bytes, t->n, d);
    free(t->bytes);
    return ok;
}

const char cli_lost[] = "standard output could not be written";

bool cli_may_write(inlay_diags *d)
{
    if (inlay_diags_status(d) != INLAY_OK)
        return false;
    return (fflush(stdout) == 0 && !ferror(stdout)) || inlay_fail_resource(d, NULL, "%s", cli_lost);
}

double cli_now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}
