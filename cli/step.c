/* `inlay opt --step`: prints what each application changes in the graph before it. */
#include "cli/cli.h"

#include <inttypes.h>

/* Prints a line like "Application 3: simplify slice-of-slice at "again" (Slice-8), line 7". */
static void print_application(const inlay_event *e)
{
    const inlay_application *a = e->as.application;
    char op[160];

    cli_say(stdout, "application %" PRIu64 ": %s%s%s at \"%s\" (%s)", a->serial, e->pass,
            a->rule ? " " : "", a->rule ? a->rule->name : "", a->at->name,
            inlay_op_text(a->at->op, op, sizeof op));
    if (a->at->line)
        printf(", line %u", a->at->line);
    printf("\n");
}

static void print_head(const inlay_event *e)
{
    if (e->kind == INLAY_EVENT_APPLIED)
        print_application(e);
    else
        printf("pass %s:\n", e->pass);
}

bool cli_step_begin(cli_step *s, const inlay_graph *g, inlay_diags *d)
{
    s->before = inlay_graph_clone(g, d);
    return s->before != NULL;
}

bool cli_step_told(cli_step *s, const inlay_event *e, inlay_diags *d)
{
    inlay_diff diff;
    bool ok = true, changed;

    if (e->kind != INLAY_EVENT_APPLIED && e->kind != INLAY_EVENT_PASS_ENDS)
        return true;
    if (!inlay_diff_graphs(s->before, e->graph, &diff, d))
        return false;
    changed = e->kind == INLAY_EVENT_APPLIED || cli_count_changes(&diff, 0) < diff.n;
    if (changed) {
        cli_progress_clear();
        print_head(e);
        ok = cli_print_differences(stdout, &diff, d);
        s->told = true;
    }
    inlay_diff_free(&diff);
    cli_step_end(s);
    return ok && cli_step_begin(s, e->graph, d);
}

void cli_step_end(cli_step *s)
{
    inlay_graph_free(s->before);
    s->before = NULL;
}
