/* What in-place-windows decided, in words or for programs. */
#include "cli/cli.h"

#include <string.h>

static void print_node(FILE *f, const inlay_node *n)
{
    char op[160];

    fprintf(f, "\"%s\" (%s)", n->label ? n->label : n->name, inlay_op_text(n->op, op, sizeof op));
}

static void print_bytes(FILE *f, uint64_t bytes)
{
    if (bytes >= 1u << 20 && bytes % (1u << 20) == 0)
        fprintf(f, "%llu MiB", (unsigned long long)(bytes >> 20));
    else if (bytes >= 1u << 10 && bytes % (1u << 10) == 0)
        fprintf(f, "%llu KiB", (unsigned long long)(bytes >> 10));
    else
        fprintf(f, "%llu bytes", (unsigned long long)bytes);
}

/* BYTES 0: not known. */
static void print_copied(FILE *f, uint64_t bytes)
{
    fprintf(f, ": copied%s", bytes ? ", " : "");
    if (bytes)
        print_bytes(f, bytes);
    fprintf(f, "\n");
}

static void print_place(FILE *f, const inlay_node *n)
{
    if (n->graph->file && n->line)
        fprintf(f, "%s:%u: ", n->graph->file, n->line);
    print_node(f, n);
}

static void print_decision(FILE *f, const char *what, const inlay_decision *d)
{
    if (!d->asked)
        return;
    fprintf(f, "  %s: %s", what, d->made ? "yes" : "no");
    if (!d->made) {
        fprintf(f, " (%s)", d->condition);
        if (d->by) {
            fprintf(f, ": ");
            print_node(f, d->by);
            fprintf(f, " %s", inlay_decision_text(d));
        }
        if (d->bytes) {
            fprintf(f, "; copies ");
            print_bytes(f, d->bytes);
        }
    }
    fprintf(f, "%s%s\n", d->remark ? "; " : "", d->remark ? d->remark : "");
}

void cli_explain_text(FILE *f, const inlay_in_place *what)
{
    print_place(f, what->scatter);
    if (what->slice) {
        fprintf(f, ", window of ");
        print_node(f, what->slice);
    }
    if (what->scatter->n_bodies > 0)
        fprintf(f, ", input %d", what->input);
    fprintf(f, ":\n");
    print_decision(f, "overwrite", &what->overwrite);
    print_decision(f, "view", &what->view);
    print_decision(f, "into", &what->into);
    if (what->copies_updates) {
        fprintf(f, "  updates");
        print_copied(f, what->update_bytes);
    }
    if (what->order_edges > 0)
        fprintf(f, "  order edges: %d\n", what->order_edges);
}

void cli_copy_text(FILE *f, const inlay_copy *copy)
{
    print_place(f, copy->node);
    if (copy->view.asked) {
        fprintf(f, ":\n");
        print_decision(f, "view", &copy->view);
        return;
    }
    if (copy->into.asked) {
        const inlay_value *part = copy->node->in[copy->input].value;

        fprintf(f, ", its part ");
        print_node(f, part->node);
        if (part->node->n_out > 1)
            fprintf(f, ", output %d", part->index);
        fprintf(f, ":\n");
        print_decision(f, "into", &copy->into);
        return;
    }
    if (copy->input >= 0)
        fprintf(f, ", input %d for its kernel", copy->input);
    print_copied(f, copy->bytes);
}

static void json_decision(FILE *f, const char *what, const inlay_decision *d, const char *end)
{
    fprintf(f, "    \"%s\": ", what);
    if (!d->asked) {
        fprintf(f, "null%s\n", end);
        return;
    }
    fprintf(f, "{\"made\": %s", d->made ? "true" : "false");
    if (!d->made) {
        fprintf(f, ", \"condition\": ");
        cli_json_string(f, d->condition);
        fprintf(f, ", \"node\": ");
        if (d->by)
            cli_json_string(f, d->by->name);
        else
            fprintf(f, "null");
        fprintf(f, ", \"why\": ");
        cli_json_string(f, inlay_decision_text(d));
        fprintf(f, ", \"bytes\": %llu", (unsigned long long)d->bytes);
    }
    if (d->remark) {
        fprintf(f, ", \"remark\": ");
        cli_json_string(f, d->remark);
    }
    fprintf(f, "}%s\n", end);
}

static void json_node(FILE *f, const char *key, const inlay_node *n, bool first)
{
    char op[160];

    fprintf(f, "%s\n  {\n    \"%s\": ", first ? "" : ",", key);
    cli_json_string(f, n->name);
    fprintf(f, ",\n    \"op\": ");
    cli_json_string(f, inlay_op_text(n->op, op, sizeof op));
    fprintf(f, ",\n    \"line\": %u,\n", n->line);
}

void cli_explain_json(FILE *f, const inlay_in_place *what, bool first)
{
    json_node(f, "scatter", what->scatter, first);
    if (what->scatter->n_bodies > 0)
        fprintf(f, "    \"input\": %d,\n", what->input);
    fprintf(f, "    \"slice\": ");
    if (what->slice)
        cli_json_string(f, what->slice->name);
    else
        fprintf(f, "null");
    fprintf(f, ",\n    \"order_edges\": %d,\n", what->order_edges);
    fprintf(f, "    \"copies_updates\": %s,\n    \"update_bytes\": %llu,\n",
            what->copies_updates ? "true" : "false", (unsigned long long)what->update_bytes);
    json_decision(f, "overwrite", &what->overwrite, ",");
    json_decision(f, "view", &what->view, ",");
    json_decision(f, "into", &what->into, "");
    fprintf(f, "  }");
}

void cli_copy_json(FILE *f, const inlay_copy *copy, bool first)
{
    bool moves = copy->input < 0 || copy->into.asked;

    json_node(f, moves ? "moves" : "reads", copy->node, first);
    if (copy->into.asked) {
        fprintf(f, "    \"input\": %d,\n", copy->input);
        json_decision(f, "into", &copy->into, ",");
    } else if (copy->input >= 0)
        fprintf(f, "    \"input\": %d,\n", copy->input);
    else
        json_decision(f, "view", &copy->view, ",");
    fprintf(f, "    \"bytes\": %llu\n  }", (unsigned long long)copy->bytes);
}
