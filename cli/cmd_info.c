#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* How often each op occurs, bodies included. */
struct counts {
    size_t *by_row;
    size_t nodes, stand_ins;
    uint64_t parameters, bytes; /* elements and bytes of constants */
};

/* As deep as bodies are nested, which readers bound. */
static void count_graph(const inlay_graph *g, struct counts *c)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        const inlay_attr *value = inlay_node_attr(n, "value");

        c->nodes++;
        if (n->op->flags & INLAY_STAND_IN)
            c->stand_ins++;
        else
            c->by_row[n->op->row]++;
        if (inlay_node_is(n, INLAY_OP_CONST) && value) {
            c->parameters += (uint64_t)inlay_tensor_count(value->as.tensor);
            c->bytes += inlay_tensor_bytes(value->as.tensor);
        }
        for (int i = 0; i < n->n_bodies; i++)
            count_graph(n->bodies[i].graph, c);
    }
}

static const char *value_shape(const inlay_value *v, char *buf, size_t size)
{
    return inlay_shape_text(v->fact.rank, v->fact.dims, buf, size);
}

static void print_names(const inlay_value *v)
{
    for (int i = 0; i < v->n_names; i++)
        printf("%s%s", i ? ", " : "  names: ", v->names[i]);
}

static void print_text(const inlay_graph *g, const struct counts *c, inlay_diags *d)
{
    char buf[1024], op[160];

    printf("%s%s%s\n", g->file ? g->file : "", g->file && *g->name ? ": " : "", g->name);
    printf("inputs:\n");
    for (int i = 0; i < g->n_params; i++) {
        const inlay_value *v = &g->params[i]->out[0];

        printf("  %-20s %s%s", g->params[i]->name, inlay_type_info_of(v->fact.type)->name,
               value_shape(v, buf, sizeof buf));
        print_names(v);
        printf("\n");
    }
    printf("outputs:\n");
    for (int i = 0; i < g->n_results; i++) {
        const inlay_value *v = inlay_node_input(g->results[i], 0);
        const char *name = inlay_result_name(g, i, d);

        printf("  %-20s %s%s\n", name ? name : "?", inlay_type_info_of(v->fact.type)->name,
               value_shape(v, buf, sizeof buf));
    }
    for (int i = 0; i < g->n_variables; i++) {
        const inlay_variable *v = g->variables[i];

        printf("%s  %-20s %s%s\n", i ? "" : "variables:\n", v->name,
               inlay_type_info_of(v->type)->name,
               inlay_shape_text(v->rank, v->dims, buf, sizeof buf));
    }
    printf("nodes: %zu\n", c->nodes);
    for (size_t i = 0; i < inlay_op_count(); i++) {
        if (c->by_row[i])
            printf("  %-32s %zu\n", inlay_op_text(inlay_op_at(i), op, sizeof op), c->by_row[i]);
    }
    if (c->stand_ins)
        printf("  %-32s %zu\n", "(not in the table)", c->stand_ins);
    printf("constants: %llu elements, %llu bytes\n", (unsigned long long)c->parameters,
           (unsigned long long)c->bytes);
}

static void json_value(const char *name, const inlay_value *v)
{
    char buf[1024];

    printf("{\"name\": ");
    cli_json_string(stdout, name);
    printf(", \"type\": \"%s\", \"shape\": ", inlay_type_info_of(v->fact.type)->name);
    cli_json_string(stdout, value_shape(v, buf, sizeof buf));
    printf(", \"tensor_names\": [");
    for (int i = 0; i < v->n_names; i++) {
        printf("%s", i ? ", " : "");
        cli_json_string(stdout, v->names[i]);
    }
    printf("]}");
}

static void print_json(const inlay_graph *g, const struct counts *c, inlay_diags *d)
{
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
        const char *name = inlay_result_name(g, i, d);

        printf("%s", i ? ", " : "");
        json_value(name ? name : "", inlay_node_input(g->results[i], 0));
    }
    printf("],\n  \"variables\": [");
    for (int i = 0; i < g->n_variables; i++) {
        printf("%s", i ? ", " : "");
        cli_json_string(stdout, g->variables[i]->name);
    }
    printf("],\n  \"nodes\": %zu,\n  \"ops\": {", c->nodes);
    for (size_t i = 0; i < inlay_op_count(); i++) {
        if (!c->by_row[i])
            continue;
        printf("%s", first ? "" : ", ");
        cli_json_string(stdout, inlay_op_text(inlay_op_at(i), op, sizeof op));
        printf(": %zu", c->by_row[i]);
        first = false;
    }
    printf("},\n  \"constant_elements\": %llu,\n  \"constant_bytes\": %llu\n}\n",
           (unsigned long long)c->parameters, (unsigned long long)c->bytes);
}

int cmd_info(const cli_command *self, int argc, char **argv)
{
    cli_model_options model = {0};
    bool json = false;
    const char *file;
    const cli_option options[] = {CLI_READ_OPTIONS(model),
                                  {"--json", NULL, "for programs", .flag = &json},
                                  {"--allow-unknown", NULL,
                                   "count operations that the table does not have",
                                   .flag = &model.allow_unknown},
                                  {0}};
    int n, status = cli_parse(self, options, argc, argv, &file, 1, 1, &n);
    struct counts counts = {0};
    inlay_diags *d;
    inlay_graph *g;

    if (status >= 0)
        return status;
    d = inlay_diags_new();
    counts.by_row = calloc(inlay_op_count(), sizeof *counts.by_row);
    if (!d || !counts.by_row) {
        free(counts.by_row);
        inlay_diags_free(d);
        return cli_no_memory();
    }
    g = cli_read(file, &model, d);
    if (g) {
        count_graph(g, &counts);
        if (json)
            print_json(g, &counts, d);
        else
            print_text(g, &counts, d);
    }
    free(counts.by_row);
    inlay_graph_free(g);
    return cli_finish(d, INLAY_OK);
}
