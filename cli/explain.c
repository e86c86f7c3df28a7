/* Prints the decisions of in-place-windows, as text or as JSON. */
#include "cli/cli.h"

#include <string.h>

void cli_print_node(FILE *f, const inlay_node *n)
{
    char op[160];

    cli_say(f, "\"%s\" (%s)", n->label ? n->label : n->name, inlay_op_text(n->op, op, sizeof op));
}

static void print_bytes(FILE *f, uint64_t bytes)
{
    if (bytes >= 1u << 20 && bytes % (1u << 20) == 0)
        fprintf(f, "%llu MiB", (unsigned long long)(bytes >> 20));
    else if (bytes >= 1u << 10 && bytes % (1u << 10) == 0)
        fprintf(f, "%llu KiB", (unsigned long long)(bytes >> 10));
    else
        fprintf(f, "%llu byte%s", (unsigned long long)bytes, inlay_plural(bytes, "", "s"));
}

/* Prints what N copies, BYTES each time it runs; in a loop also how often that is. */
static void print_amount(FILE *f, const inlay_node *n, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    int64_t runs = inlay_node_runs(n);
    double all = (double)bytes * (double)runs;
    size_t unit = 0;

    print_bytes(f, bytes);
    if (runs == 0)
        fprintf(f, " in each iteration");
    if (runs < 2)
        return;
    for (; all >= 1000 && unit + 1 < sizeof units / sizeof *units; unit++)
        all /= 1000;
    fprintf(f, " in each of %lld iterations, %.3g %s in all", (long long)runs, all, units[unit]);
}

/* BYTES 0: not known. */
static void print_copied(FILE *f, const inlay_node *n, uint64_t bytes)
{
    fprintf(f, ": copied%s", bytes ? ", " : "");
    if (bytes)
        print_amount(f, n, bytes);
    fprintf(f, "\n");
}

static void print_place(FILE *f, const inlay_node *n)
{
    if (n->graph->file && n->line)
        cli_say(f, "%s:%u: ", n->graph->file, n->line);
    cli_print_node(f, n);
}

/* Returns the value that has the note of decision O on WHAT; or NULL. */
static const inlay_value *overwriting(const inlay_in_place *what)
{
    const inlay_node *n = what->scatter;
    int data = n->n_bodies > 0 ? what->input : n->op->overwrites;

    for (int i = 0; i < n->n_out; i++) {
        if (n->out[i].note == INLAY_OVERWRITES && n->out[i].note_target == n->in[data].value)
            return &n->out[i];
    }
    return NULL;
}

/* Returns the updates of WHAT if they are computed in its window; or NULL. */
static const inlay_value *computed_inside(const inlay_in_place *what)
{
    const inlay_value *v = inlay_node_operand(what->scatter, INLAY_ROLE_UPDATES);

    return v && v->note == INLAY_INTO ? v : NULL;
}

/* Returns the value that COPY's operand is a view of, or itself, if it is computed in its part; or
 * NULL. */
static const inlay_value *computed_part(const inlay_copy *copy)
{
    const inlay_value *v = copy->node->in[copy->input].value;

    v = v->note == INLAY_VIEW_OF ? v->note_target : v;
    return v->note == INLAY_INTO ? v : NULL;
}

/* Returns the next value after V in a chain of values that are computed in one window; or NULL. */
static const inlay_value *link_above(const inlay_value *v)
{
    for (int i = 0; v->note == INLAY_INTO && i < v->node->n_in; i++) {
        const inlay_value *x = v->node->in[i].value;

        if (x && x->note == INLAY_INTO && x->note_target == v->note_target)
            return x;
    }
    return NULL;
}

/* Whether the note of V relies on the same condition and node as G. */
static bool states(const inlay_value *v, const inlay_ground *g)
{
    for (int i = 0; v->grounds && i < v->grounds->n; i++) {
        if (v->grounds->list[i].condition == g->condition && v->grounds->list[i].node == g->node)
            return true;
    }
    return false;
}

/* Prints what the note of V relies on, and what else the notes of the values after it in the chain
 * rely on, with their names. */
static void print_grounds(FILE *f, const inlay_value *v)
{
    for (const inlay_value *link = v; link; link = link_above(link)) {
        for (int i = 0; link->grounds && i < link->grounds->n; i++) {
            const inlay_ground *g = &link->grounds->list[i];

            if (link != v && states(v, g))
                continue;
            cli_say(f, "    %s", inlay_ground_name(g));
            if (link != v)
                cli_say(f, " of \"%s\"", link->node->name);
            fprintf(f, ": ");
            cli_print_node(f, g->node);
            cli_say(f, " %s%s\n", inlay_ground_text(g),
                    inlay_ground_is_ordered(g, link) ? ", by an order edge" : "");
        }
    }
}

/* Of node N. NOTED: the value that has the note, if there is one, which may state what it relies
 * on. */
static void print_decision(FILE *f, const char *what, const inlay_node *n, const inlay_decision *d,
                           const inlay_value *noted)
{
    if (!d->asked)
        return;
    cli_say(f, "  %s: %s", what, d->made ? "yes" : "no");
    if (!d->made) {
        cli_say(f, " (%s)", d->condition);
        if (d->by) {
            fprintf(f, ": ");
            cli_print_node(f, d->by);
            cli_say(f, " %s", inlay_decision_text(d));
        }
        if (d->bytes) {
            fprintf(f, "; copies ");
            print_amount(f, n, d->bytes);
        }
    }
    cli_say(f, "%s%s\n", d->remark ? "; " : "", d->remark ? d->remark : "");
    if (d->made)
        print_grounds(f, noted);
    else if (*inlay_decision_remedy(d))
        cli_say(f, "    what helps: %s\n", inlay_decision_remedy(d));
}

/* The value that V shows, perhaps in part and with other axes. */
static const inlay_value *shown_by(const inlay_value *v)
{
    while (v && v->node->op->flags & (INLAY_VIEW | INLAY_RESHAPES | INLAY_CUTS))
        v = inlay_node_input(v->node, 0);
    return v;
}

/* Says that the updates of WHAT are copied, and how they need not be. */
static void print_updates(FILE *f, const inlay_in_place *what)
{
    const inlay_value *v = inlay_node_operand(what->scatter, INLAY_ROLE_UPDATES);

    fprintf(f, "  updates");
    print_copied(f, what->scatter, what->update_bytes);
    v = shown_by(v);
    fprintf(
        f, "    what helps: %s\n",
        v && v->node->n_in > 0
            ? "say the places by a window or a Range; what is computed for those that a list "
              "names is copied there"
            : "compute them in the run; what is given or constant stands in a buffer of its own");
}

void cli_explain_text(FILE *f, const inlay_in_place *what)
{
    print_place(f, what->scatter);
    if (what->slice) {
        fprintf(f, ", window of ");
        cli_print_node(f, what->slice);
    }
    if (what->scatter->n_bodies > 0)
        fprintf(f, ", input %d", what->input);
    fprintf(f, ":\n");
    print_decision(f, "overwrite", what->scatter, &what->overwrite, overwriting(what));
    print_decision(f, "view", what->slice, &what->view, NULL);
    print_decision(f, "into", what->scatter, &what->into, computed_inside(what));
    if (what->copies_updates)
        print_updates(f, what);
    if (what->order_edges > 0)
        fprintf(f, "  order edges: %d\n", what->order_edges);
}

/* Does N join parts of an input of the graph again, with others between them? */
static bool puts_back(const inlay_node *n)
{
    int parts = 0;

    for (int i = 0; n->op->flags & INLAY_HOLDS && n->op->variadic_in && i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;
        const inlay_value *of = v && v->node->op->flags & INLAY_CUTS ? v->node->in[0].value : NULL;

        parts += of && inlay_node_is(of->node, INLAY_OP_PARAMETER) && !of->node->graph->owner;
    }
    return parts > 0 && parts < n->n_in;
}

/* What helps where N, which joins its operands, copies them. */
static const char *join_remedy(const inlay_node *n)
{
    const inlay_value *first = shown_by(inlay_node_input(n, 0));

    if (first && inlay_node_is(first->node, INLAY_OP_READ_VALUE))
        return "room behind the state, which it gets in its first step: then only what is new is "
               "copied, unless the end of the state is cut off";
    for (int i = 1; i < n->n_in; i++) {
        const inlay_value *v = shown_by(n->in[i].value);

        if (v && inlay_node_is(v->node, INLAY_OP_READ_VALUE))
            return "join what is new behind the state, which has room only there";
    }
    if (!first || !inlay_node_is(first->node, INLAY_OP_PARAMETER))
        return "let the run compute each part for this alone; what is given, constant or shown by "
               "a view stands in a buffer of its own";
    return first->node->graph->owner
               ? "carry a buffer of full size, and write the new part into it; what grows or rolls "
                 "in a body is copied"
               : "let the session carry the result to this input (--carry), if the next run is "
                 "given it there";
}

/* What helps where N puts its operand into a border. */
static const char *border_remedy(const inlay_node *n)
{
    const inlay_value *v = inlay_node_input(n, 0);

    v = v->note == INLAY_VIEW_OF ? v->note_target : v;
    return v->note == INLAY_INTO
               ? "nothing but a reader that makes the border itself, as a Convolution does: only "
                 "the border is filled"
               : "let the run compute for this alone what gets the border; what is given, constant "
                 "or shown by a view stands in a buffer without one";
}

/* What helps where COPY is made. */
static const char *copy_remedy(const inlay_copy *copy)
{
    const inlay_node *n = copy->node;

    if (copy->input >= 0)
        return "give it elements in row-major order, as whole rows are; its kernel reads no others";
    if (puts_back(n))
        return "write what is new into the input by a scatter, and let the caller donate the input";
    if (inlay_node_operand(n, INLAY_ROLE_INDICES) || inlay_node_operand(n, INLAY_ROLE_TUPLES))
        return "name the rows by a Slice, or by a Range or constants in equal steps, so that they "
               "can be a view";
    if (n->op->flags & INLAY_REPEATS)
        return "let its readers broadcast, as elementwise operations and MatMul do; what repeats "
               "elements is no view";
    if (n->op->flags & INLAY_HOLDS)
        return n->op->variadic_in ? join_remedy(n) : border_remedy(n);
    return "let its readers take the elements in the order in which they are; no view has them in "
           "this one";
}

void cli_copy_text(FILE *f, const inlay_copy *copy)
{
    print_place(f, copy->node);
    if (copy->view.asked) {
        fprintf(f, ":\n");
        print_decision(f, "view", copy->node, &copy->view, NULL);
        return;
    }
    if (copy->into.asked) {
        const inlay_value *part = copy->node->in[copy->input].value;

        fprintf(f, ", its part ");
        cli_print_node(f, part->node);
        if (part->node->n_out > 1)
            fprintf(f, ", output %d", part->index);
        fprintf(f, ":\n");
        print_decision(f, "into", copy->node, &copy->into, computed_part(copy));
        return;
    }
    if (copy->input >= 0)
        fprintf(f, ", input %d for its kernel", copy->input);
    print_copied(f, copy->node, copy->bytes);
    fprintf(f, "    what helps: %s\n", copy_remedy(copy));
}

static void json_grounds(FILE *f, const inlay_value *v)
{
    const char *separator = "";

    fprintf(f, ", \"grounds\": [");
    for (const inlay_value *link = v; link; link = link_above(link)) {
        for (int i = 0; link->grounds && i < link->grounds->n; i++) {
            const inlay_ground *g = &link->grounds->list[i];

            fprintf(f, "%s{\"of\": ", separator);
            cli_json_string(f, link->node->name);
            fprintf(f, ", \"condition\": ");
            cli_json_string(f, inlay_ground_name(g));
            fprintf(f, ", \"node\": ");
            cli_json_string(f, g->node->name);
            fprintf(f, ", \"how\": ");
            cli_json_string(f, inlay_ground_text(g));
            fprintf(f, ", \"order_edge\": %s}",
                    inlay_ground_is_ordered(g, link) ? "true" : "false");
            separator = ", ";
        }
    }
    fprintf(f, "]");
}

static void json_decision(FILE *f, const char *what, const inlay_decision *d,
                          const inlay_value *noted, const char *end)
{
    cli_say(f, "    \"%s\": ", what);
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
        fprintf(f, ", \"bytes\": %llu, \"remedy\": ", (unsigned long long)d->bytes);
        cli_json_string(f, inlay_decision_remedy(d));
    }
    if (d->made)
        json_grounds(f, noted);
    if (d->remark) {
        fprintf(f, ", \"remark\": ");
        cli_json_string(f, d->remark);
    }
    fprintf(f, "}%s\n", end);
}

static void json_node(FILE *f, const char *key, const inlay_node *n, bool first)
{
    char op[160];

    cli_say(f, "%s\n  {\n    \"%s\": ", first ? "" : ",", key);
    cli_json_string(f, n->name);
    fprintf(f, ",\n    \"op\": ");
    cli_json_string(f, inlay_op_text(n->op, op, sizeof op));
    fprintf(f, ",\n    \"line\": %u,\n    \"runs\": %lld,\n", n->line,
            (long long)inlay_node_runs(n));
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
    json_decision(f, "overwrite", &what->overwrite, overwriting(what), ",");
    json_decision(f, "view", &what->view, NULL, ",");
    json_decision(f, "into", &what->into, computed_inside(what), "");
    fprintf(f, "  }");
}

void cli_copy_json(FILE *f, const inlay_copy *copy, bool first)
{
    bool moves = copy->input < 0 || copy->into.asked;

    json_node(f, moves ? "moves" : "reads", copy->node, first);
    if (copy->into.asked) {
        fprintf(f, "    \"input\": %d,\n", copy->input);
        json_decision(f, "into", &copy->into, computed_part(copy), ",");
    } else if (copy->input >= 0)
        fprintf(f, "    \"input\": %d,\n", copy->input);
    else
        json_decision(f, "view", &copy->view, NULL, ",");
    if (!copy->into.asked && !copy->view.asked) {
        fprintf(f, "    \"remedy\": ");
        cli_json_string(f, copy_remedy(copy));
        fprintf(f, ",\n");
    }
    fprintf(f, "    \"bytes\": %llu\n  }", (unsigned long long)copy->bytes);
}
