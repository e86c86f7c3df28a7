/* `inlay plan --json`. */
#include "cli/plan.h"

static unsigned long long bytes(uint64_t n)
{
    return (unsigned long long)n;
}

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

static void json_steps(FILE *f, const inlay_plan_step *list, size_t n);

static void json_ports(FILE *f, const char *name, const inlay_plan_port *list, int n)
{
    fprintf(f, ", \"%s\": [", name);
    for (int i = 0; i < n; i++) {
        fprintf(f, "%s{\"value\": ", i ? ", " : "");
        cli_json_string(f, list[i].value->node->name);
        fprintf(f, ", \"how\": \"%s\", \"outer\": %d, \"moves\": %lld, \"slots\": [", list[i].how,
                list[i].outer, (long long)list[i].moves);
        for (int k = 0; k < list[i].n_slots; k++)
            fprintf(f, "%s%lld", k ? ", " : "", (long long)list[i].slots[k]);
        fprintf(f, "]}");
    }
    fprintf(f, "]");
}

static void json_body(FILE *f, const inlay_plan_body *b)
{
    fprintf(f, "{\"known\": %s", b->known ? "true" : "false");
    if (b->known) {
        fprintf(f,
                ", \"repeats\": %s, \"iterations\": %lld, \"offset\": %lld, \"bytes\": %llu, "
                "\"copied_first\": %llu, \"copied_each\": %llu, \"copied_all\": %llu, "
                "\"input_copies\": %llu",
                b->repeats ? "true" : "false", (long long)b->iterations, (long long)b->offset,
                bytes(b->bytes), bytes(b->copied_first), bytes(b->copied_each),
                bytes(b->copied_all), bytes(b->input_copies));
        json_ports(f, "enters", b->in, b->n_in);
        json_ports(f, "leaves", b->out, b->n_out);
        fprintf(f, ", \"steps\": [");
        json_steps(f, b->steps, b->n_steps);
        fprintf(f, "]");
    }
    fprintf(f, "}");
}

static void json_bodies(FILE *f, const inlay_plan_step *s)
{
    for (int i = 0; i < s->n_bodies; i++) {
        fprintf(f, "%s", i ? ", " : ", \"bodies\": [");
        json_body(f, &s->bodies[i]);
    }
    fprintf(f, "%s", s->n_bodies > 0 ? "]" : "");
}

static void json_step(FILE *f, const inlay_plan_step *s)
{
    const inlay_node *n = s->node;

    fprintf(f, "{\"name\": ");
    cli_json_string(f, n->name);
    fprintf(f,
            ", \"type\": \"%s\", \"version\": %d, \"made\": \"%s\", \"kernel\": \"%s\", "
            "\"in_place\": %s, \"picked\": %s, \"copied_bytes\": %llu, \"group\": %d",
            n->op->name, n->op->version, s->made, s->kernel ? s->kernel : "own",
            s->in_place ? "true" : "false", s->picked ? "true" : "false", bytes(s->copied_bytes),
            s->group);
    json_places(f, "inputs", s->in, s->in ? n->n_in : 0);
    json_places(f, "outputs", s->out, s->out ? n->n_out : 0);
    json_bodies(f, s);
    fprintf(f, "}");
}

/* Recursive; readers limit the depth to INLAY_MAX_BODY_DEPTH. */
static void json_steps(FILE *f, const inlay_plan_step *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fprintf(f, "%s\n  ", i ? "," : "");
        json_step(f, &list[i]);
    }
}

static void json_segments(FILE *f, const inlay_program_plan *p)
{
    fprintf(f, " \"segments\": [");
    for (size_t i = 0; i < p->n_segments; i++) {
        const inlay_plan_segment *s = &p->segments[i];

        fprintf(f, "%s{\"first\": %zu, \"waits\": ", i ? ", " : "", s->first);
        if (s->waits)
            cli_json_string(f, s->waits->node->name);
        else
            fprintf(f, "null");
        fprintf(f, ", \"at_most\": %s, \"known\": %s}", s->at_most ? "true" : "false",
                s->known ? "true" : "false");
    }
    fprintf(f, "],\n");
}

bool plan_json(FILE *f, const struct plan *p)
{
    fprintf(f, "{\"model\": ");
    cli_json_string(f, p->file);
    fprintf(f, ", \"passes\": ");
    cli_json_string(f, p->passes);
    fprintf(f,
            ",\n \"arena_bytes\": %llu, \"lower_bound_bytes\": %llu, \"peak_bytes\": %llu, "
            "\"copied_bytes\": %llu, \"initial_copies\": %llu, \"saved_bytes\": %llu, \"about\": "
            "%s,\n \"missing\": [",
            bytes(p->steps.arena_bytes), bytes(p->steps.lower_bound_bytes),
            bytes(p->memory.peak_bytes), bytes(p->steps.copied_bytes),
            bytes(p->steps.initial_copies), bytes(p->steps.saved_bytes),
            p->steps.about || p->memory.about || p->memory.unknown ? "true" : "false");
    for (size_t i = 0; i < p->n_missing; i++) {
        fprintf(f, "%s{\"type\": ", i ? ", " : "");
        cli_json_string(f, p->missing[i].type);
        fprintf(f, ", \"version\": ");
        cli_json_string(f, p->missing[i].version);
        fprintf(f, ", \"count\": %zu}", p->missing[i].count);
    }
    fprintf(f, "],\n");
    json_segments(f, &p->steps);
    fprintf(f, " \"steps\": [");
    json_steps(f, p->steps.steps, p->steps.n_steps);
    fprintf(f, "]}\n");
    return true;
}
