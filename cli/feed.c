/* OUTPUT=INPUT, an output of one run that is an input of the next. --feed: like the next token of a
 * language model; each run's outputs are printed. --carry: like a KV cache; a state of the session.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* Splits TEXT, OUTPUT=INPUT. Names may contain an = themselves. */
static bool split_feed(const inlay_graph *g, const char *const *names, const char *text,
                       inlay_carried *feed)
{
    for (const char *p = strchr(text, '='); p; p = strchr(p + 1, '=')) {
        feed->output = inlay_graph_find_output(g, names, text, (size_t)(p - text));
        feed->input = inlay_graph_find_input(g, p + 1, strlen(p + 1));
        if (feed->output >= 0 && feed->input >= 0)
            return true;
    }
    return false;
}

static bool split_all(const inlay_graph *g, const char *const *names, const char *option,
                      const cli_list *given, inlay_carried *out, inlay_diags *d)
{
    for (int k = 0; k < given->n; k++)
        if (!split_feed(g, names, given->items[k], &out[k]))
            return inlay_fail(d, NULL,
                              "%s %s: OUTPUT=INPUT is expected, the name of an output of the "
                              "model and that of an input",
                              option, given->items[k]);
    return true;
}

bool cli_read_feeds(const inlay_graph *g, const char *const *names, const cli_list *given,
                    cli_feeds *feeds, inlay_diags *d)
{
    feeds->items = calloc((size_t)given->n + 1, sizeof *feeds->items);
    feeds->fed = calloc((size_t)g->n_params + 1, sizeof *feeds->fed);
    feeds->n = given->n;
    return ((feeds->items && feeds->fed) || inlay_fail_memory(d)) &&
           split_all(g, names, "--feed", given, feeds->items, d);
}

bool cli_carry(inlay_graph *g, const cli_list *given, inlay_diags *d)
{
    const char *const *names = given->n > 0 ? inlay_result_names(g, d) : NULL;
    inlay_carried *pairs = names ? calloc((size_t)given->n, sizeof *pairs) : NULL;
    bool ok;

    if (given->n == 0 || !names)
        return given->n == 0;
    ok = (pairs || inlay_fail_memory(d)) && split_all(g, names, "--carry", given, pairs, d) &&
         inlay_graph_carry(g, pairs, given->n, d);
    free(pairs);
    return ok;
}

void cli_feed_inputs(const cli_feeds *feeds, inlay_tensor *const *out, cli_inputs *in)
{
    for (int k = 0; k < feeds->n; k++) {
        const inlay_carried *f = &feeds->items[k];

        inlay_tensor_release(in->tensors[f->input]);
        in->tensors[f->input] = inlay_tensor_retain(out[f->output]);
        feeds->fed[f->input] = in->donated[f->input] = true;
    }
}

void cli_free_feeds(cli_feeds *feeds)
{
    free(feeds->items);
    free(feeds->fed);
}
