/* Runs z3, a program found on the path, on questions that stand in a file. */
#include "cli/solver.h"

#include "cli/child.h"

#include <errno.h>
#include <string.h>

static bool run(int seconds, FILE *in, FILE *out, inlay_strbuf *answer, inlay_diags *d)
{
    char name[] = "z3", from_input[] = "-in", *argv[] = {name, from_input, NULL};
    const cli_child z3 = {.argv = argv, .in = in, .out = out, .seconds = seconds};
    int status = cli_run_child(&z3);

    if (status == CLI_CHILD_LATE)
        return inlay_fail_resource(d, NULL,
                                   "z3 did not end within %d s (--seconds N gives it more; its "
                                   "own budget should end it sooner)",
                                   seconds);
    if (status < 0)
        return inlay_fail_resource(d, NULL, "z3 cannot be started: %s (Debian: apt install z3)",
                                   strerror(errno));
    return cli_child_said(out, answer) || inlay_fail_memory(d);
}

bool cli_ask_solver(int seconds, const char *text, size_t n, inlay_strbuf *answer, inlay_diags *d)
{
    FILE *in = cli_child_file(d), *out = in ? cli_child_file(d) : NULL;
    bool ok = false;

    if (out && (fwrite(text, 1, n, in) != n || fflush(in) != 0 || fseek(in, 0, SEEK_SET) != 0))
        inlay_fail_resource(d, NULL, "the solver's questions cannot be written: %s",
                            strerror(errno));
    else if (out)
        ok = run(seconds, in, out, answer, d);
    if (out)
        fclose(out);
    if (in)
        fclose(in);
    return ok;
}
