/* Prints how nodes changed: the lines of both graphs, as in their text form.
 *
 *     -  %rows = Slice-8(%data, %start, %stop, %step) : f32[3,4]           removed
 *     +  %part = Gather-8(%data, %where, %axis) : f32[3,4]                 added
 *     <  %sum = Add-1(%rows, %one) : f32[3,4]                              reads another value
 *     >  %sum = Add-1(%part, %one) : f32[3,4] */
#include "cli/cli.h"

#include <inttypes.h>

static const struct word {
    inlay_change change;
    const char *word;
} words[] = {{INLAY_REMOVED, "removed"},
             {INLAY_ADDED, "added"},
             {INLAY_CHANGED, "changed"},
             {INLAY_RECONNECTED, "reconnected"},
             {INLAY_RETYPED, "retyped"}};

enum { WORDS = sizeof words / sizeof *words };

static bool print_side(FILE *f, char mark, const inlay_node *n, inlay_diags *d)
{
    const inlay_sink out = {cli_file_sink, f};

    for (const inlay_node *owner = n->graph->owner; owner; owner = owner->graph->owner)
        fprintf(f, "  ");
    fprintf(f, "%c ", mark);
    return inlay_print_node(n, mark == '+', &out, d);
}

static bool print_pair(FILE *f, const inlay_node_pair *p, inlay_diags *d)
{
    if (!p->changes)
        return true;
    if (p->a && p->b)
        return print_side(f, '<', p->a, d) && print_side(f, '>', p->b, d);
    return p->a ? print_side(f, '-', p->a, d) : print_side(f, '+', p->b, d);
}

size_t cli_count_changes(const inlay_diff *diff, unsigned changes)
{
    size_t n = 0;

    for (size_t i = 0; i < diff->n; i++)
        n += changes ? (diff->pairs[i].changes & changes) != 0 : !diff->pairs[i].changes;
    return n;
}

bool cli_print_differences(FILE *f, const inlay_diff *diff, inlay_diags *d)
{
    for (size_t i = 0; i < diff->n; i++) {
        if (!print_pair(f, &diff->pairs[i], d))
            return false;
    }
    fprintf(f, "%zu the same", cli_count_changes(diff, 0));
    for (int i = 0; i < WORDS; i++) {
        size_t n = cli_count_changes(diff, words[i].change);

        if (n > 0)
            fprintf(f, ", %zu %s", n, words[i].word);
    }
    fprintf(f, "\n");
    return true;
}

static void print_json_node(FILE *f, const char *side, const inlay_node *n)
{
    inlay_provenance from = inlay_node_provenance(n);
    char op[160];

    cli_say(f, ", \"%s\": ", side);
    if (!n) {
        fprintf(f, "null");
        return;
    }
    fprintf(f, "{\"name\": ");
    cli_json_string(f, n->name);
    fprintf(f, ", \"op\": ");
    cli_json_string(f, inlay_op_text(n->op, op, sizeof op));
    fprintf(f, ", \"line\": %u, \"from\": ", n->line);
    if (from.name)
        cli_json_string(f, from.name);
    else
        fprintf(f, "null");
    fprintf(f, ", \"application\": %" PRIu64 "}", from.application);
}

static void print_json_pair(FILE *f, const inlay_node_pair *p, bool first)
{
    const char *sep = "";

    fprintf(f, "%s\n  {\"changes\": [", first ? "" : ",");
    for (int i = 0; i < WORDS; i++) {
        if (p->changes & words[i].change) {
            fprintf(f, "%s\"%s\"", sep, words[i].word);
            sep = ", ";
        }
    }
    fprintf(f, "]");
    print_json_node(f, "a", p->a);
    print_json_node(f, "b", p->b);
    fprintf(f, "}");
}

void cli_differences_json(FILE *f, const inlay_diff *diff)
{
    bool first = true;

    fprintf(f, "{\"same\": %zu, \"differences\": [", cli_count_changes(diff, 0));
    for (size_t i = 0; i < diff->n; i++) {
        if (diff->pairs[i].changes) {
            print_json_pair(f, &diff->pairs[i], first);
            first = false;
        }
    }
    fprintf(f, "%s]}\n", first ? "" : "\n");
}
