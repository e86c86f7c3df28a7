/* Prints the verdict of trials, as text and as JSON, with what they did not cover. */
#include "cli/cli.h"

#include <string.h>

static const char *const words[] = {
    [INLAY_SAME] = "same", [INLAY_NOT_SAME] = "different", [INLAY_INCONCLUSIVE] = "inconclusive"};
static const int statuses[] = {[INLAY_SAME] = INLAY_OK,
                               [INLAY_NOT_SAME] = INLAY_DIFFERENT,
                               [INLAY_INCONCLUSIVE] = INLAY_UNDECIDED};

int cli_print_verdict(FILE *f, const inlay_verify_result *r)
{
    fputs(words[r->verdict], f);
    if (r->trials > 0)
        fprintf(f, ": %d of %d trial%s counted", r->counted, r->trials,
                inlay_plural(r->trials, "", "s"));
    if (r->verdict == INLAY_NOT_SAME && r->counted > 0)
        fprintf(f, ", seed %llu", (unsigned long long)r->seed);
    fputs(*r->why ? "\n  " : "", f);
    cli_say(f, "%s\n", r->why);
    if (r->verdict != INLAY_NOT_SAME && r->counted > 0 && *r->missed)
        fprintf(f, "  not covered by a trial that counted: %s\n", r->missed);
    if (r->verdict == INLAY_INCONCLUSIVE && r->counted == 0)
        fprintf(
            f,
            "  inputs that the graphs take may be found with --dim NAME=N, --shape NAME=DIMS or -i "
            "NAME=FILE\n");
    return statuses[r->verdict];
}

void cli_print_untried(FILE *f, const inlay_graph *g, const inlay_verify_options *o)
{
    char untried[512];

    if (inlay_verify_untried(g, o, untried, sizeof untried))
        fprintf(f, "  not covered: %s\n", untried);
}

int cli_json_verdict(FILE *f, const inlay_verify_result *r, const inlay_graph *g,
                     const inlay_verify_options *o)
{
    char untried[512];
    bool missed = r->verdict != INLAY_NOT_SAME && r->counted > 0 && *r->missed;
    bool more =
        g && r->verdict == INLAY_SAME && inlay_verify_untried(g, o, untried, sizeof untried);

    fprintf(f, "\"result\": \"%s\", \"trials\": %d, \"counted\": %d", words[r->verdict], r->trials,
            r->counted);
    if (r->verdict == INLAY_NOT_SAME && r->counted > 0)
        fprintf(f, ", \"seed\": %llu", (unsigned long long)r->seed);
    cli_json_field(f, "why", r->why);
    fputs(", \"not_covered\": [", f);
    if (missed)
        cli_json_string(f, r->missed);
    if (more) {
        fputs(missed ? ", " : "", f);
        cli_json_string(f, untried);
    }
    fputs("]", f);
    return statuses[r->verdict];
}
