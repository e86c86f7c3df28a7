/* Runs dot, a program found on the path, on the groups of a graph. */
#include "cli/view.h"

#include "cli/child.h"

#include <errno.h>
#include <string.h>

enum { SECONDS = 2 };

static bool run(view_dot *v, FILE *in, FILE *out, FILE *err)
{
    char name[] = "dot", format[] = "-Tplain", *argv[] = {name, format, NULL};
    const cli_child dot = {.argv = argv, .in = in, .out = out, .err = err, .seconds = SECONDS};
    double begin = cli_now_ms();
    int status = cli_run_child(&dot);

    v->left_ms -= cli_now_ms() - begin;
    if (status == -1 && errno == ENOMEM)
        inlay_fail_memory(v->d);
    else if (status == 127 || (status == -1 && errno == ENOENT))
        snprintf(v->why, sizeof v->why, "dot is not there (Debian: apt install graphviz)");
    else if (status < 0 && status != CLI_CHILD_LATE)
        snprintf(v->why, sizeof v->why, "dot cannot be started: %s", strerror(errno));
    else if (status == CLI_CHILD_LATE || v->left_ms < 0)
        snprintf(v->why, sizeof v->why, "dot had not ended within %d s", SECONDS);
    else if (status != 0)
        snprintf(v->why, sizeof v->why, "dot ended with status %d", status);
    return status == 0;
}

static bool ask(view_dot *v, const char *dot, size_t n, inlay_strbuf *plain, FILE *in, FILE *out,
                FILE *err)
{
    if (*v->why)
        return false;
    if (fwrite(dot, 1, n, in) != n || fflush(in) != 0 || fseek(in, 0, SEEK_SET) != 0)
        return inlay_fail_resource(v->d, NULL, "the questions for dot cannot be written: %s",
                                   strerror(errno));
    return run(v, in, out, err) && (cli_child_said(out, plain) || inlay_fail_memory(v->d));
}

bool view_ask_dot(void *ctx, const char *dot, size_t n, inlay_strbuf *plain)
{
    view_dot *v = ctx;
    FILE *in = cli_child_file(v->d), *out = in ? cli_child_file(v->d) : NULL,
         *err = out ? cli_child_file(v->d) : NULL;
    bool ok = err && ask(v, dot, n, plain, in, out, err);

    if (in)
        fclose(in);
    if (out)
        fclose(out);
    if (err)
        fclose(err);
    return ok;
}
