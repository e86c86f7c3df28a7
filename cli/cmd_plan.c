/* `inlay plan MODEL`: what a run will do, told before anything runs. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

struct plan {
    const cli_command *self;
    cli_model_options model;
    cli_list shapes;
    bool json;
    const char *file, *passes, *kernels_name;
    inlay_kernels kernels;
    cli_unknown *missing;
    size_t n_missing;
    inlay_program_plan steps;
    inlay_memory_plan memory;
};

static unsigned long long bytes(uint64_t n)
{
    return (unsigned long long)n;
}

/* Text */

static void print_place(FILE *f, const inlay_plan_place *p)
{
    bool known = strcmp(p->root, "in the run") != 0;

    fprintf(f, "%s", p->root);
    if (p->number >= 0)
        fprintf(f, " %d", p->number);
    if (known && strcmp(p->root, "const") != 0)
        fprintf(f, " +%lld", (long long)p->offset);
    fprintf(f, ", %llu bytes%s", bytes(p->bytes), p->strided ? ", strided" : "");
}

static void print_step(FILE *f, size_t i, const inlay_plan_step *s)
{
    const inlay_node *n = s->node;

    fprintf(f, "%6zu %-10s \"%s\" (%s-%d)%s", i, s->made, n->name, n->op->name, n->op->version,
            s->in_place ? ", in place" : "");
    if (s->kernel)
        fprintf(f, ", by %s", s->kernel);
    if (s->copied_bytes > 0)
        fprintf(f, ", copies %llu bytes", bytes(s->copied_bytes));
    fprintf(f, "\n");
    for (int k = 0; k < n->n_out; k++) {
        fprintf(f, "%19s", "-> ");
        print_place(f, &s->out[k]);
        fprintf(f, "\n");
    }
}

/* The last step that reads V, from step FIRST on. */
static size_t last_reader(const inlay_program_plan *p, const inlay_value *v, size_t first)
{
    size_t last = first;

    for (size_t i = first + 1; i < p->n_steps; i++) {
        for (int k = 0; k < p->steps[i].node->n_in; k++)
            last = p->steps[i].in[k].value == v ? i : last;
    }
    return last;
}

/* A row of the map: a value in the arena. */
struct row {
    const inlay_plan_place *place;
    size_t step;
};

static int by_offset(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int64_t p = x->place->offset, q = y->place->offset;

    return p != q ? (p > q) - (p < q) : (x->step > y->step) - (x->step < y->step);
}

/* Which bytes of the arena hold which value, and from which step until which. */
static void print_map(FILE *f, const inlay_program_plan *p)
{
    size_t n = 0, cap = 0;
    struct row *rows;

    for (size_t i = 0; i < p->n_steps; i++)
        cap += (size_t)p->steps[i].node->n_out;
    rows = calloc(cap + 1, sizeof *rows);
    for (size_t i = 0; rows && i < p->n_steps; i++) {
        for (int k = 0; k < p->steps[i].node->n_out; k++) {
            if (strcmp(p->steps[i].out[k].root, "arena") == 0)
                rows[n++] = (struct row){&p->steps[i].out[k], i};
        }
    }
    if (n > 0)
        qsort(rows, n, sizeof *rows, by_offset);
    fprintf(f, "arena: %llu bytes; at least %llu are needed\n", bytes(p->arena_bytes),
            bytes(p->lower_bound_bytes));
    for (size_t i = 0; i < n; i++) {
        const inlay_value *v = rows[i].place->value;

        fprintf(f, "  %10lld %10llu bytes, steps %zu to %zu: \"%s\"\n",
                (long long)rows[i].place->offset, bytes(rows[i].place->bytes), rows[i].step,
                last_reader(p, v, rows[i].step), v->node->name);
    }
    free(rows);
}

static void print_missing(FILE *f, const struct plan *p)
{
    char text[160];

    for (size_t i = 0; i < p->n_missing; i++)
        fprintf(f, "%s  %s, %zu times, first on line %u: %s\n", i ? "" : "missing:\n",
                cli_unknown_text(&p->missing[i], text, sizeof text), p->missing[i].count,
                p->missing[i].line,
                cli_is_missing_const(&p->missing[i]) ? "its weights are not there"
                                                     : "it has no kernel");
}

static void print_text(FILE *f, const struct plan *p)
{
    fprintf(f, "%s: passes %s\n", p->file, p->passes);
    print_missing(f, p);
    if (p->n_missing > 0)
        return;
    fprintf(f, "steps:\n");
    for (size_t i = 0; i < p->steps.n_steps; i++)
        print_step(f, i, &p->steps.steps[i]);
    print_map(f, &p->steps);
    if (p->steps.input_copies > 0)
        fprintf(f, "inputs that are written and kept: %llu bytes copied\n",
                bytes(p->steps.input_copies));
    if (p->steps.aligned_bytes > 0)
        fprintf(f, "constants that stand askew: %llu bytes copied, once\n",
                bytes(p->steps.aligned_bytes));
    if (p->steps.packed_bytes > 0)
        fprintf(f, "constants packed for kernels: at most %llu bytes, once\n",
                bytes(p->steps.packed_bytes));
    fprintf(f, "copied: %llu bytes a run%s\n", bytes(p->steps.copied_bytes),
            p->steps.about ? ", and what steps copy that are found out in the run" : "");
    fprintf(f, "peak: %llu bytes%s\n", bytes(p->memory.peak_bytes),
            p->memory.about || p->memory.unknown ? ", about" : "");
}

/* JSON */

static void json_place(FILE *f, const inlay_plan_place *p)
{
    char name[16];

    if (!p->value) {
        fprintf(f, "null");
        return;
    }
    fprintf(f, "{\"value\": ");
    cli_json_string(f, p->value->node->name);
    snprintf(name, sizeof name, "%d", p->value->index);
    fprintf(f, ", \"output\": %s, \"root\": \"%s\", ", name, p->root);
    if (p->number >= 0)
        fprintf(f, "\"number\": %d, ", p->number);
    fprintf(f, "\"offset\": %lld, \"bytes\": %llu, \"strided\": %s}", (long long)p->offset,
            bytes(p->bytes), p->strided ? "true" : "false");
}

static void json_places(FILE *f, const char *name, const inlay_plan_place *list, int n)
{
    fprintf(f, ", \"%s\": [", name);
    for (int i = 0; i < n; i++) {
        fprintf(f, "%s", i ? ", " : "");
        json_place(f, &list[i]);
    }
    fprintf(f, "]");
}

static void json_step(FILE *f, const inlay_plan_step *s)
{
    const inlay_node *n = s->node;

    fprintf(f, "{\"name\": ");
    cli_json_string(f, n->name);
    fprintf(f,
            ", \"type\": \"%s\", \"version\": %d, \"made\": \"%s\", \"kernel\": \"%s\", "
            "\"in_place\": %s, \"copied_bytes\": %llu",
            n->op->name, n->op->version, s->made, s->kernel ? s->kernel : "own",
            s->in_place ? "true" : "false", bytes(s->copied_bytes));
    json_places(f, "inputs", s->in, n->n_in);
    json_places(f, "outputs", s->out, n->n_out);
    fprintf(f, "}");
}

static void print_json(FILE *f, const struct plan *p)
{
    fprintf(f, "{\"model\": ");
    cli_json_string(f, p->file);
    fprintf(f, ", \"passes\": ");
    cli_json_string(f, p->passes);
    fprintf(f,
            ",\n \"arena_bytes\": %llu, \"lower_bound_bytes\": %llu, \"peak_bytes\": %llu, "
            "\"copied_bytes\": %llu, \"about\": %s,\n \"missing\": [",
            bytes(p->steps.arena_bytes), bytes(p->steps.lower_bound_bytes),
            bytes(p->memory.peak_bytes), bytes(p->steps.copied_bytes),
            p->steps.about || p->memory.about || p->memory.unknown ? "true" : "false");
    for (size_t i = 0; i < p->n_missing; i++) {
        fprintf(f, "%s{\"type\": ", i ? ", " : "");
        cli_json_string(f, p->missing[i].type);
        fprintf(f, ", \"version\": ");
        cli_json_string(f, p->missing[i].version);
        fprintf(f, ", \"count\": %zu}", p->missing[i].count);
    }
    fprintf(f, "],\n \"steps\": [");
    for (size_t i = 0; i < p->steps.n_steps; i++) {
        fprintf(f, "%s\n  ", i ? "," : "");
        json_step(f, &p->steps.steps[i]);
    }
    fprintf(f, "]}\n");
}

/* All of it */

static bool make(struct plan *p, inlay_graph *g, inlay_diags *d)
{
    if (!cli_find_unknown(g, &p->missing, &p->n_missing, d))
        return false;
    return p->n_missing > 0 ||
           (cli_set_shapes(g, &p->shapes, d) && cli_run_passes(g, &p->model, NULL, d) &&
            inlay_program_plan_make(g, p->kernels, &p->steps, d) &&
            inlay_memory_plan_make(g, &p->memory, d));
}

static int plan_file(struct plan *p)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;
    bool ok;

    if (!d)
        return cli_no_memory();
    p->passes = p->model.passes ? p->model.passes : "default";
    p->model.allow_unknown = true;
    cli_progress_begin("plan");
    g = cli_read(p->file, &p->model, d);
    ok = g && make(p, g, d);
    cli_progress_end();
    if (ok)
        (p->json ? print_json : print_text)(stdout, p);
    inlay_program_plan_free(&p->steps);
    inlay_memory_plan_free(&p->memory);
    free(p->missing);
    inlay_graph_free(g);
    return cli_finish(d, ok && p->n_missing == 0 ? INLAY_OK : INLAY_INVALID);
}

int cmd_plan(const cli_command *self, int argc, char **argv)
{
    struct plan p = {.self = self};
    const cli_option options[] = {
        {"--json", NULL, "print JSON", .flag = &p.json},
        {"--shape", "NAME=DIMS", "the shape of an input: 1,3,224,224", .list = &p.shapes},
        CLI_KERNELS_OPTION(p.kernels_name),
        CLI_PASS_OPTIONS(p.model),
        CLI_MEMORY_OPTION(p.model),
        CLI_READ_OPTIONS(p.model),
        {0}};
    int n, status = cli_parse(self, options, argc, argv, &p.file, 1, 1, &n);

    if (status < 0)
        status = cli_settle(self, &p.model) && cli_kernels(self, p.kernels_name, &p.kernels)
                     ? plan_file(&p)
                     : INLAY_INVALID;
    cli_list_free(&p.shapes);
    cli_free_model_options(&p.model);
    return status;
}
