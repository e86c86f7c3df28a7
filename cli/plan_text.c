/* `inlay plan` for people. */
#include "cli/plan.h"

#include <stdlib.h>
#include <string.h>

static unsigned long long bytes(uint64_t n)
{
    return (unsigned long long)n;
}

static void print_place(FILE *f, const inlay_plan_place *p)
{
    bool placed = p->offset >= 0 && strcmp(p->root, "in the run") != 0;

    cli_say(f, "%s", p->root);
    if (p->number >= 0)
        fprintf(f, " %d", p->number);
    if (placed && strcmp(p->root, "const") != 0)
        fprintf(f, " +%lld", (long long)p->offset);
    fprintf(f, ", %llu byte%s%s", bytes(p->bytes), inlay_plural(bytes(p->bytes), "", "s"),
            p->strided ? ", strided" : "");
}

/* The lines of a body are indented below the step that runs it. */
static void indent(FILE *f, int depth)
{
    cli_say(f, "%*s", 8 * depth, "");
}

static void print_body(FILE *f, const inlay_plan_body *b, int depth);

/* Recursive; readers limit the depth to INLAY_MAX_BODY_DEPTH. */
static void print_step(FILE *f, size_t i, const inlay_plan_step *s, int depth)
{
    const inlay_node *n = s->node;

    indent(f, depth);
    cli_say(f, "%6zu %-10s \"%s\" (%s-%d)%s", i, s->made, n->name, n->op->name, n->op->version,
            s->in_place ? ", in place" : "");
    if (s->kernel)
        cli_say(f, ", by %s", s->kernel);
    if (s->group > 0)
        fprintf(f, ", group %d", s->group);
    if (s->copied_bytes > 0)
        fprintf(f, ", copies %llu byte%s", bytes(s->copied_bytes),
                inlay_plural(bytes(s->copied_bytes), "", "s"));
    if (s->picked)
        fprintf(f, ", the state itself if the indices are in order");
    fprintf(f, "\n");
    for (int k = 0; k < n->n_out && s->out; k++) {
        indent(f, depth);
        cli_say(f, "%19s", "-> ");
        print_place(f, &s->out[k]);
        fprintf(f, "\n");
    }
    for (int k = 0; k < s->n_bodies; k++)
        print_body(f, &s->bodies[k], depth + 1);
}

static void print_carried(FILE *f, const inlay_plan_port *p)
{
    fprintf(f, "is carried");
    if (p->outer >= 0)
        fprintf(f, ", operand %d at first", p->outer);
    for (int i = 0; i < p->n_slots; i++) {
        fprintf(f, "%s", i ? " and " : "; it stands ");
        if (p->slots[i] == -2)
            fprintf(f, "where the last one stood");
        else if (p->slots[i] < 0)
            fprintf(f, "outside of the frame");
        else
            fprintf(f, "in arena +%lld", (long long)p->slots[i]);
    }
    fprintf(f, "%s", p->n_slots == 2 ? " in turn" : "");
}

static void print_input(FILE *f, const inlay_plan_port *p)
{
    if (strcmp(p->how, "carried") == 0)
        print_carried(f, p);
    else if (strcmp(p->how, "slice") == 0)
        fprintf(f, "is a slice of operand %d, %lld byte%s further in each iteration", p->outer,
                (long long)p->moves, inlay_plural(p->moves, "", "s"));
    else if (strcmp(p->how, "number") == 0)
        fprintf(f, "is the number of the iteration");
    else if (p->outer >= 0)
        fprintf(f, "is operand %d", p->outer);
    else
        fprintf(f, "has no value");
}

static const char *output_words(const inlay_plan_port *p)
{
    if (strcmp(p->how, "window") == 0)
        return "is computed in its slice of output";
    return strcmp(p->how, "part") == 0 ? "is copied to its slice of output"
                                       : "gives, in the end, output";
}

static void print_ports(FILE *f, const inlay_plan_body *b, int depth)
{
    for (int i = 0; i < b->n_in; i++) {
        indent(f, depth);
        cli_say(f, "  \"%s\" ", b->in[i].value->node->name);
        print_input(f, &b->in[i]);
        fprintf(f, "\n");
    }
    for (int i = 0; i < b->n_out; i++) {
        indent(f, depth);
        cli_say(f, "  \"%s\" %s %d\n", b->out[i].value->node->name, output_words(&b->out[i]),
                b->out[i].outer);
    }
}

static void print_iterations(FILE *f, const inlay_plan_body *b)
{
    if (b->iterations > 0)
        fprintf(f, "%lld iteration%s", (long long)b->iterations,
                inlay_plural(b->iterations, "", "s"));
    else
        fprintf(f, "the run finds out how many iterations");
    fprintf(f, "; the first copies %llu byte%s", bytes(b->copied_first),
            inlay_plural(bytes(b->copied_first), "", "s"));
    if (b->input_copies > 0)
        fprintf(f, " (%llu of them its first value, because the body writes over it)",
                bytes(b->input_copies));
    if (b->iterations != 1)
        fprintf(f, ", each of the others %llu", bytes(b->copied_each));
    if (b->iterations > 1)
        fprintf(f, ", all %llu", bytes(b->copied_all));
    fprintf(f, "\n");
}

static void print_body(FILE *f, const inlay_plan_body *b, int depth)
{
    indent(f, depth);
    cli_say(f, "body \"%s\"", b->body->graph->name ? b->body->graph->name : "");
    if (!b->known) {
        fprintf(f, ": only a run can plan it\n");
        return;
    }
    if (b->bytes > 0)
        fprintf(f, ", frame of %llu byte%s at arena +%lld", bytes(b->bytes),
                inlay_plural(bytes(b->bytes), "", "s"), (long long)b->offset);
    fprintf(f, "\n");
    if (b->repeats) {
        indent(f, depth);
        fprintf(f, "  ");
        print_iterations(f, b);
    }
    print_ports(f, b, depth);
    for (size_t i = 0; i < b->n_steps; i++)
        print_step(f, i, &b->steps[i], depth);
}

/* Prints a line if another segment begins with step I. */
static void print_border(FILE *f, const inlay_program_plan *p, size_t i)
{
    for (size_t k = 1; k < p->n_segments; k++) {
        const inlay_plan_segment *s = &p->segments[k];
        const char *told = s->known ? "shown for its largest value" : "it has no upper bound";

        if (s->first == i && s->waits)
            cli_say(f, "       planned in the run, once the size of \"%s\" (%s-%d) is known; %s\n",
                    s->waits->node->name, s->waits->node->op->name, s->waits->node->op->version,
                    told);
    }
}

static void print_steps(FILE *f, const inlay_program_plan *p)
{
    fprintf(f, "steps:\n");
    for (size_t i = 0; i < p->n_steps; i++) {
        print_border(f, p, i);
        print_step(f, i, &p->steps[i], 0);
    }
}

/* A line of the map: a value in the arena. */
struct row {
    const inlay_plan_place *place;
    size_t step, last; /* the step that makes it, and the last one that reads it */
};

static int by_value(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    const uintptr_t p = (uintptr_t)x->place->value, q = (uintptr_t)y->place->value;

    return (p > q) - (p < q);
}

/* Finds the last readers of the N ROWS, which are sorted by value for that. */
static void find_readers(const inlay_program_plan *p, struct row *rows, size_t n)
{
    qsort(rows, n, sizeof *rows, by_value);
    for (size_t i = 0; i < p->n_steps; i++) {
        const inlay_node *node = p->steps[i].node;

        for (int k = 0; k < node->n_in; k++) {
            const inlay_plan_place read = {.value = node->in[k].value};
            const struct row key = {.place = &read};
            struct row *row = bsearch(&key, rows, n, sizeof *rows, by_value);

            if (row && i > row->step)
                row->last = i;
        }
    }
}

static int by_offset(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int64_t p = x->place->offset, q = y->place->offset;

    return p != q ? (p > q) - (p < q) : (x->step > y->step) - (x->step < y->step);
}

/* Prints which bytes of the arena hold which value, and from which step to which. */
static bool print_map(FILE *f, const inlay_program_plan *p)
{
    size_t n = 0, cap = 0;
    struct row *rows;

    for (size_t i = 0; i < p->n_steps; i++)
        cap += (size_t)p->steps[i].node->n_out;
    rows = calloc(cap + 1, sizeof *rows);
    for (size_t i = 0; rows && i < p->n_steps; i++) {
        for (int k = 0; p->steps[i].out && k < p->steps[i].node->n_out; k++) {
            if (strcmp(p->steps[i].out[k].root, "arena") == 0)
                rows[n++] = (struct row){&p->steps[i].out[k], i, i};
        }
    }
    if (n > 0) {
        find_readers(p, rows, n);
        qsort(rows, n, sizeof *rows, by_offset);
    }
    fprintf(f, "arena: %llu byte%s; no plan takes less than %llu\n", bytes(p->arena_bytes),
            inlay_plural(bytes(p->arena_bytes), "", "s"), bytes(p->lower_bound_bytes));
    for (size_t i = 0; i < n; i++) {
        const inlay_value *v = rows[i].place->value;

        cli_say(f, "  %10lld %10llu bytes, steps %zu to %zu: \"%s\"\n",
                (long long)rows[i].place->offset, bytes(rows[i].place->bytes), rows[i].step,
                rows[i].last, v->node->name);
    }
    free(rows);
    return rows != NULL;
}

static void print_missing(FILE *f, const struct plan *p)
{
    char text[160], place[160];

    fprintf(f, "%s", p->n_missing > 0 ? "missing:\n" : "");
    for (size_t i = 0; i < p->n_missing; i++)
        cli_say(f, "  %s, %zu time%s, first on %s: %s\n",
                cli_unknown_text(&p->missing[i], text, sizeof text), p->missing[i].count,
                inlay_plural(p->missing[i].count, "", "s"),
                cli_unknown_place(&p->missing[i], place, sizeof place),
                cli_is_missing_const(&p->missing[i]) ? "its weights are not there"
                                                     : "it has no kernel");
}

static void print_copied(FILE *f, const inlay_program_plan *p)
{
    fprintf(f, "copied: %llu byte%s a run%s\n", bytes(p->copied_bytes),
            inlay_plural(bytes(p->copied_bytes), "", "s"),
            p->about ? ", and what steps copy that only a run can plan" : "");
    if (p->initial_copies > 0)
        fprintf(f, "  %llu of them are initial values of variables, in the first run only\n",
                bytes(p->initial_copies));
    if (p->saved_bytes > 0)
        fprintf(f,
                "  %llu more where states are written over, from the second run on: what they "
                "were, in case it fails\n",
                bytes(p->saved_bytes));
}

bool plan_text(FILE *f, const struct plan *p)
{
    bool ok;

    cli_say(f, "%s: passes %s\n", p->file, p->passes);
    print_missing(f, p);
    if (p->n_missing > 0)
        return true;
    print_steps(f, &p->steps);
    ok = print_map(f, &p->steps);
    if (p->steps.input_copies > 0)
        fprintf(f, "inputs that are written over, but kept by the caller: %llu byte%s copied\n",
                bytes(p->steps.input_copies), inlay_plural(bytes(p->steps.input_copies), "", "s"));
    if (p->steps.aligned_bytes > 0)
        fprintf(f, "misaligned constants: %llu byte%s copied, once\n",
                bytes(p->steps.aligned_bytes),
                inlay_plural(bytes(p->steps.aligned_bytes), "", "s"));
    if (p->steps.packed_bytes > 0)
        fprintf(f, "constants packed for kernels: at most %llu byte%s, once\n",
                bytes(p->steps.packed_bytes), inlay_plural(bytes(p->steps.packed_bytes), "", "s"));
    print_copied(f, &p->steps);
    fprintf(f, "peak: %llu byte%s%s\n", bytes(p->memory.peak_bytes),
            inlay_plural(bytes(p->memory.peak_bytes), "", "s"),
            p->memory.about || p->memory.unknown ? ", about" : "");
    return ok;
}
