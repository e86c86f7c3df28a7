/* What `inlay bisect` compares, in this process or in a child, and what counts as refused. */
#include "cli/bisect.h"

bool bisect_compare(const bisect *b, const inlay_graph *before, const inlay_graph *after,
                    inlay_verify_result *result, inlay_diags *d)
{
    const cli_comparison how = {.trials = b->trials, .seed = b->seed, .rewritten = true};

    return cli_compare(&b->model, before, after, &how, result, d);
}

void bisect_tell_difference(const bisect *b, const inlay_graph *before, const inlay_graph *after,
                            const inlay_verify_result *result)
{
    const cli_printer p = {stdout, b->json};

    if (result->verdict == INLAY_NOT_SAME)
        cli_tell_difference(&b->model, before, after, &(cli_comparison){.rewritten = true}, result,
                            &p);
}

bool bisect_judge(const bisect *b, const inlay_graph *before, const inlay_graph *after,
                  inlay_verify_result *result, inlay_diags *d)
{
    if (!*b->refused)
        return bisect_compare(b, before, after, result, d);
    *result = (inlay_verify_result){.verdict = INLAY_NOT_SAME};
    snprintf(result->why, sizeof result->why, "%s", b->refused);
    return true;
}

bool bisect_is_refusal(const inlay_event *e)
{
    return e->kind == INLAY_EVENT_SAID && e->as.message->status == INLAY_INVALID;
}
