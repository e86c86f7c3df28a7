/* `inlay opt --certify`: the file of the certificate, and the texts that inlay-check reads beside
 * it where the model or the result is no text. */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>

static bool fail_file(const char *path, inlay_diags *d)
{
    return inlay_fail_resource(d, &(inlay_pos){path, 0}, "the file cannot be written: %s",
                               strerror(errno));
}

/* Are the constants of G small enough to be written with all their elements? */
static bool is_small(const inlay_graph *g)
{
    enum { LARGE = 1 << 20 };
    size_t bytes = 0;

    for (const inlay_node *n = g->first; n; n = n->next) {
        const inlay_attr *a = inlay_node_is(n, INLAY_OP_CONST) ? inlay_node_attr(n, "value") : NULL;

        bytes += a ? inlay_tensor_bytes(a->as.tensor) : 0;
    }
    return bytes <= LARGE;
}

/* Writes the text of G beside the certificate, with hashes in place of constants if they are large.
 */
static bool write_beside(const char *certificate, const char *ending, const inlay_graph *g,
                         inlay_diags *d)
{
    char path[4096];
    inlay_sink to = {cli_file_sink, NULL};
    bool ok;

    if (snprintf(path, sizeof path, "%s.%s", certificate, ending) >= (int)sizeof path)
        return inlay_fail(d, &(inlay_pos){certificate, 0}, "the path is too long");
    to.ctx = fopen(path, "wb");
    if (!to.ctx)
        return fail_file(path, d);
    ok = inlay_print(g, is_small(g), &to, d);
    return (fclose(to.ctx) == 0 || fail_file(path, d)) && ok;
}

bool cli_is_text(const char *path)
{
    const char *end = path ? strrchr(path, '.') : NULL;

    return end && strcmp(end, ".inlay") == 0;
}

bool cli_certify_begin(cli_certify *c, inlay_graph *g, bool as_read, inlay_diags *d)
{
    if (!c->path)
        return true;
    if (!as_read && !write_beside(c->path, "model", g, d))
        return false;
    c->file = fopen(c->path, "wb");
    if (!c->file)
        return fail_file(c->path, d);
    c->to = (inlay_sink){cli_file_sink, c->file};
    c->of = inlay_certificate_begin(g, &c->to, d);
    return c->of != NULL;
}

bool cli_certify_end(cli_certify *c, const inlay_graph *g, bool written, inlay_diags *d)
{
    bool ok = inlay_certificate_end(c->of, d);

    c->of = NULL;
    if (c->file && fclose(c->file) != 0)
        ok = fail_file(c->path, d);
    if (c->file && !g) /* a run that failed leaves none */
        remove(c->path);
    c->file = NULL;
    return ok && (!c->path || !g || written || write_beside(c->path, "out", g, d));
}
