/* `inlay opt --certify`: the certificate, and the texts that inlay-check reads beside it where the
 * model or the result is no text, or not as it is printed. */
#include "cli/cli.h"

#include <string.h>
#include <sys/stat.h>

/* What begins many steps, and a certificate, for the packer; in check/read.c, too. */
static const char usual[] =
    "step %trim-bodies\nstep %fuse rule %\nstep %canonicalize rule %constant-to-the-right\n+ %Const"
    "step %simplify rule %\nstep %eliminate-common\n@ %\nstep %fold-constants\n+ %certificate 1\n";

bool cli_is_text(const char *path)
{
    const char *end = path ? strrchr(path, '.') : NULL;

    return end && strcmp(end, ".inlay") == 0;
}

/* Appends the text of G; only the short form has hashes in place of large constants. */
static bool add_text(cli_certify *c, const inlay_graph *g, inlay_diags *d)
{
    return inlay_print(g, c->full, &(inlay_sink){inlay_strbuf_sink, &c->text}, d);
}

/* Is the file of the model the text that was collected? */
static bool is_printed(const cli_certify *c, const char *model)
{
    FILE *f = cli_is_text(model) ? fopen(model, "rb") : NULL;
    char piece[4096];
    size_t at = 0, n;
    bool same = f != NULL;

    while (same && (n = fread(piece, 1, sizeof piece, f)) > 0) {
        same = n <= c->text.n - at && memcmp(piece, c->text.bytes + at, n) == 0;
        at += n;
    }
    if (f)
        fclose(f);
    return same && at == c->text.n;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;

    return b && (strcmp(a, b) == 0 || (stat(a, &x) == 0 && stat(b, &y) == 0 &&
                                       x.st_dev == y.st_dev && x.st_ino == y.st_ino));
}

bool cli_certify_begin(cli_certify *c, inlay_graph *g, const char *model, const char *out,
                       inlay_diags *d)
{
    if (!c->path)
        return true;
    if (is_same_file(c->path, model) || is_same_file(c->path, out))
        return inlay_fail(d, NULL, "--certify %s is the model or the result itself", c->path);
    c->text = c->packed = (inlay_strbuf){.budget = inlay_graph_budget(g)};
    c->steps = c->text;
    c->to = (inlay_sink){inlay_strbuf_sink, &c->steps};
    c->of = inlay_certificate_begin(g, &c->to, d);
    c->full = c->of && inlay_certificate_is_full(c->of);
    c->out = c->full && cli_is_text(out);
    if (!c->of || !add_text(c, g, d))
        return false;
    c->printed = is_printed(c, model);
    c->n_model = c->text.n;
    return true;
}

/* Adds the file CERTIFICATE.ENDING, or CERTIFICATE itself. */
static bool add_file(const cli_certify *c, inlay_files *fs, const char *ending, const char *bytes,
                     size_t n, inlay_diags *d)
{
    char path[4096];

    if (snprintf(path, sizeof path, "%s%s", c->path, ending) >= (int)sizeof path)
        return inlay_fail(d, &(inlay_pos){c->path, 0}, "the path is too long");
    return inlay_files_bytes(fs, path, bytes, n, d);
}

/* The certificate is the last of the files, which are to appear together. */
static bool write_files(cli_certify *c, inlay_diags *d)
{
    inlay_files *fs = c->files = inlay_files_new(d);
    size_t n = c->n_model, head = sizeof "certificate 1\n" - 1;
    bool ok = fs;

    if (ok && !c->printed)
        ok = add_file(c, fs, ".model", c->text.bytes, n, d);
    if (ok && !c->out)
        ok = add_file(c, fs, ".out", c->text.bytes + n, c->text.n - n, d);
    inlay_strbuf_puts(&c->packed, "packed 1\n");
    inlay_strbuf_puts(&c->text, usual);
    n = c->text.n;
    if (ok)
        inlay_strbuf_sink(&c->text, c->steps.bytes + head, c->steps.n - head);
    return ok && (!(c->text.failed || c->steps.failed) || inlay_fail_memory(d)) &&
           cli_pack(&c->text, n, &c->packed, d) &&
           add_file(c, fs, "", c->packed.bytes, c->packed.n, d) && cli_may_write(d);
}

bool cli_certify_end(cli_certify *c, const inlay_graph *g, inlay_diags *d)
{
    /* while it knows the hashes of what was there before */
    bool ok = !c->path || !g || add_text(c, g, d);

    ok = inlay_certificate_end(c->of, d) && ok;
    c->of = NULL;
    ok = ok && (!c->path || !g || write_files(c, d));
    inlay_strbuf_free(&c->text);
    inlay_strbuf_free(&c->steps);
    inlay_strbuf_free(&c->packed);
    return ok;
}

bool cli_certify_commit(cli_certify *c, bool wanted, inlay_diags *d)
{
    bool ok = wanted && (!c->files || inlay_files_commit(c->files, d));

    inlay_files_free(c->files);
    c->files = NULL;
    return ok;
}
