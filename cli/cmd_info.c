#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* How often each op occurs, bodies included. */
struct counts {
    size_t *by_row;
    size_t nodes;
    cli_unknown *unknown; /* operations that the table does not have, and where they occur */
    size_t n_unknown;
    uint64_t parameters, bytes; /* elements and bytes of constants */
};

/* Recursive; readers limit the depth of bodies. */
static void count_graph(const inlay_graph *g, struct counts *c)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        const inlay_attr *value = inlay_node_attr(n, "value");

        c->nodes++;
        if (!(n->op->flags & INLAY_STAND_IN))
            c->by_row[n->op->row]++;
        if (inlay_node_is(n, INLAY_OP_CONST) && value) {
            c->parameters += (uint64_t)inlay_tensor_count(value->as.tensor);
            c->bytes += inlay_tensor_bytes(value->as.tensor);
        }
        for (int i = 0; i < n->n_bodies; i++)
            count_graph(n->bodies[i].graph, c);
    }
}

/* The memory plan: what a run of the graph after passes would hold. If there can be none (an
 * operation is not in the table), WHY says so. */
struct memory {
    inlay_graph *graph; /* after passes */
    inlay_memory_plan plan;
    bool there;
    const char *passes;
    inlay_diags *why;
};

static const char *why_not(const struct memory *m)
{
    const inlay_diag *e = inlay_diags_error(m->why);

    return e ? e->text : "out of memory";
}

static bool plan_memory(struct memory *m, const inlay_graph *g, cli_model_options *o,
                        inlay_diags *d)
{
    m->passes = o->passes ? o->passes : "default";
    m->why = inlay_diags_new();
    if (!m->why)
        return inlay_fail_memory(d);
    m->graph = inlay_graph_clone(g, d);
    if (!m->graph)
        return false;
    cli_progress_begin("info");
    m->there = cli_run_passes(m->graph, o, NULL, m->why) &&
               inlay_memory_plan_make(m->graph, &m->plan, m->why);
    cli_progress_end();
    if (!m->there && inlay_diags_status(m->why) == INLAY_NO_RESOURCE)
        return inlay_fail_resource(d, NULL, "%s", why_not(m));
    return true;
}

static void free_memory(struct memory *m)
{
    if (m->there)
        inlay_memory_plan_free(&m->plan);
    inlay_graph_free(m->graph);
    inlay_diags_free(m->why);
}

static const char *value_shape(const inlay_value *v, char *buf, size_t size)
{
    return inlay_value_shape_text(v, buf, size);
}

static void print_names(const inlay_value *v)
{
    for (int i = 0; i < v->n_names; i++)
        cli_say(stdout, "%s%s", i ? ", " : "  names: ", v->names[i]);
}

static void print_unknown(const struct counts *c)
{
    for (size_t i = 0; i < c->n_unknown; i++) {
        const cli_unknown *u = &c->unknown[i];
        char op[160], place[160];

        cli_say(stdout, "  %-32s %zu  %s, first on %s\n", cli_unknown_text(u, op, sizeof op),
                u->count, cli_is_missing_const(u) ? "weights are missing" : "not known to Inlay",
                cli_unknown_place(u, place, sizeof place));
    }
}

static void print_text(const inlay_graph *g, const struct counts *c, const struct memory *m,
                       inlay_diags *d)
{
    const char *const *names = inlay_result_names(g, d);
    char buf[1024], op[160];

    cli_say(stdout, "%s%s%s\n", g->file ? g->file : "", g->file && *g->name ? ": " : "", g->name);
    printf("inputs:\n");
    for (int i = 0; i < g->n_params; i++) {
        const inlay_value *v = &g->params[i]->out[0];

        cli_say(stdout, "  %-20s %s%s", g->params[i]->name, inlay_type_info_of(v->fact.type)->name,
                value_shape(v, buf, sizeof buf));
        print_names(v);
        printf("\n");
    }
    printf("outputs:\n");
    for (int i = 0; i < g->n_results; i++) {
        const inlay_value *v = inlay_node_input(g->results[i], 0);

        cli_say(stdout, "  %-20s %s%s\n", names ? names[i] : "?",
                inlay_type_info_of(v->fact.type)->name, value_shape(v, buf, sizeof buf));
    }
    for (int i = 0; i < g->n_variables; i++) {
        const inlay_variable *v = g->variables[i];

        printf("%s", i ? "" : "variables:\n");
        cli_say(stdout, "  %-20s %s%s\n", v->name, inlay_type_info_of(v->type)->name,
                inlay_shape_text(v->rank, v->dims, buf, sizeof buf));
    }
    printf("nodes: %zu\n", c->nodes);
    for (size_t i = 0; i < inlay_op_count(g->ops); i++) {
        if (c->by_row[i])
            cli_say(stdout, "  %-32s %zu\n", inlay_op_text(inlay_op_at(g->ops, i), op, sizeof op),
                    c->by_row[i]);
    }
    print_unknown(c);
    printf("constants: %llu element%s, %llu byte%s\n", (unsigned long long)c->parameters,
           inlay_plural(c->parameters, "", "s"), (unsigned long long)c->bytes,
           inlay_plural(c->bytes, "", "s"));
    if (m->there)
        cli_memory_text(stdout, &m->plan, m->passes);
    else
        cli_say(stdout, "memory plan: none, %s\n", why_not(m));
}

/* Prints "dim_names", if a dim of V has a name. */
static void json_dim_names(const inlay_value *v)
{
    const char *before = ", \"dim_names\": [";
    bool any = false;

    for (int i = 0; i < v->fact.rank; i++)
        any |= inlay_value_dim_name(v, i) != NULL;
    for (int i = 0; any && i < v->fact.rank; i++, before = ", ") {
        printf("%s", before);
        if (inlay_value_dim_name(v, i))
            cli_json_string(stdout, inlay_value_dim_name(v, i));
        else
            printf("null");
    }
    printf("%s", any ? "]" : "");
}

static void json_value(const char *name, const inlay_value *v)
{
    char buf[1024];

    printf("{\"name\": ");
    cli_json_string(stdout, name);
    printf(", \"type\": \"%s\", \"shape\": ", inlay_type_info_of(v->fact.type)->name);
    cli_json_string(stdout, inlay_shape_text(v->fact.rank, v->fact.dims, buf, sizeof buf));
    json_dim_names(v);
    printf(", \"tensor_names\": [");
    for (int i = 0; i < v->n_names; i++) {
        printf("%s", i ? ", " : "");
        cli_json_string(stdout, v->names[i]);
    }
    printf("]}");
}

/* Prints "unknown_ops" and "missing_weights", if there are any. */
static void json_unknown(const struct counts *c)
{
    size_t weights = 0;
    const char *before = "  \"unknown_ops\": [";

    for (size_t i = 0; i < c->n_unknown; i++) {
        const cli_unknown *u = &c->unknown[i];

        if (cli_is_missing_const(u)) {
            weights += u->count;
            continue;
        }
        printf("%s{\"type\": ", before);
        cli_json_string(stdout, u->type);
        printf(", \"version\": ");
        cli_json_string(stdout, u->version);
        printf(", \"count\": %zu, \"line\": %u, \"node\": ", u->count, u->line);
        cli_json_string(stdout, u->node);
        printf("}");
        before = ", ";
    }
    if (*before == ',')
        printf("],\n");
    if (weights > 0)
        printf("  \"missing_weights\": %zu,\n", weights);
}

static void print_json(const inlay_graph *g, const struct counts *c, const struct memory *m,
                       inlay_diags *d)
{
    const char *const *names = inlay_result_names(g, d);
    char op[160];
    bool first = true;

    printf("{\n  \"name\": ");
    cli_json_string(stdout, g->name);
    printf(",\n  \"inputs\": [");
    for (int i = 0; i < g->n_params; i++) {
        printf("%s", i ? ", " : "");
        json_value(g->params[i]->name, &g->params[i]->out[0]);
    }
    printf("],\n  \"outputs\": [");
    for (int i = 0; i < g->n_results; i++) {
        printf("%s", i ? ", " : "");
        json_value(names ? names[i] : "", inlay_node_input(g->results[i], 0));
    }
    printf("],\n  \"variables\": [");
    for (int i = 0; i < g->n_variables; i++) {
        printf("%s", i ? ", " : "");
        cli_json_string(stdout, g->variables[i]->name);
    }
    printf("],\n  \"nodes\": %zu,\n  \"ops\": {", c->nodes);
    for (size_t i = 0; i < inlay_op_count(g->ops); i++) {
        if (!c->by_row[i])
            continue;
        printf("%s", first ? "" : ", ");
        cli_json_string(stdout, inlay_op_text(inlay_op_at(g->ops, i), op, sizeof op));
        printf(": %zu", c->by_row[i]);
        first = false;
    }
    printf("},\n");
    json_unknown(c);
    printf("  \"constant_elements\": %llu,\n  \"constant_bytes\": %llu,\n  \"memory_plan\": ",
           (unsigned long long)c->parameters, (unsigned long long)c->bytes);
    if (m->there)
        cli_memory_json(stdout, &m->plan, m->passes);
    else
        printf("null");
    printf("\n}\n");
}

static void print_info(inlay_graph *g, const struct counts *c, cli_model_options *o, bool json,
                       inlay_diags *d)
{
    struct memory m = {0};

    if (plan_memory(&m, g, o, d)) {
        if (json)
            print_json(g, c, &m, d);
        else
            print_text(g, c, &m, d);
    }
    free_memory(&m);
}

static int info_of(const char *file, cli_model_options *o, bool json)
{
    inlay_diags *d = inlay_diags_new();
    size_t rows = inlay_op_count(o->plugins.ops); /* with those of extensions */
    struct counts counts = {.by_row = calloc(rows, sizeof *counts.by_row)};
    inlay_graph *g;

    if (!d || !counts.by_row) {
        free(counts.by_row);
        inlay_diags_free(d);
        return cli_no_memory();
    }
    g = cli_read(file, o, d);
    if (g) {
        count_graph(g, &counts);
        if (cli_find_unknown(g, &counts.unknown, &counts.n_unknown, d))
            print_info(g, &counts, o, json, d);
    }
    free(counts.unknown);
    free(counts.by_row);
    inlay_graph_free(g);
    return cli_finish(d, INLAY_OK);
}

int cmd_info(const cli_command *self, int argc, char **argv)
{
    cli_model_options model = {0};
    bool json = false;
    const char *file;
    const cli_option options[] = {CLI_READ_OPTIONS(model),
                                  CLI_SHAPE_OPTION(model.shapes),
                                  CLI_PASS_OPTIONS(model),
                                  CLI_MEMORY_OPTION(model),
                                  CLI_JSON_OPTION(json),
                                  CLI_UNKNOWN_OPTION(model),
                                  {0}};
    int n, status = cli_parse(self, options, argc, argv, &file, 1, 1, &n);

    if (status < 0)
        status = cli_settle(self, &model) ? info_of(file, &model, json) : INLAY_INVALID;
    cli_free_model_options(&model);
    return status;
}
