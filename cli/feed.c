/* --feed OUTPUT=INPUT: what one run of --repeat gives is what the next one takes, as a model that
 * writes text takes the token it chose. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* TEXT is an output's name, an =, and an input's; names may have an = themselves. */
static bool split_feed(const inlay_graph *g, const char *const *names, const char *text,
                       cli_feed *feed)
{
    for (const char *p = strchr(text, '='); p; p = strchr(p + 1, '=')) {
        feed->output = inlay_graph_find_output(g, names, text, (size_t)(p - text));
        feed->input = inlay_graph_find_input(g, p + 1, strlen(p + 1));
        if (feed->output >= 0 && feed->input >= 0)
            return true;
    }
    return false;
}

bool cli_read_feeds(const inlay_graph *g, const char *const *names, const cli_list *given,
                    cli_feeds *feeds, inlay_diags *d)
{
    feeds->items = calloc((size_t)given->n + 1, sizeof *feeds->items);
    feeds->fed = calloc((size_t)g->n_params + 1, sizeof *feeds->fed);
    if (!feeds->items || !feeds->fed)
        return inlay_fail_memory(d);
    for (int k = 0; k < given->n; k++)
        if (!split_feed(g, names, given->items[k], &feeds->items[feeds->n++]))
            return inlay_fail(d, NULL,
                              "--feed %s: OUTPUT=INPUT is expected, the name of an output of the "
                              "model and that of an input",
                              given->items[k]);
    return true;
}

void cli_feed_inputs(const cli_feeds *feeds, inlay_tensor *const *out, cli_inputs *in)
{
    for (int k = 0; k < feeds->n; k++) {
        const cli_feed *f = &feeds->items[k];

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
