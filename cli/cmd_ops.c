#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    const inlay_op *x = *(const inlay_op *const *)a, *y = *(const inlay_op *const *)b;
    int order = strcmp(x->set, y->set);

    if (order != 0)
        return strcmp(x->set, "opset") == 0 ? -1 : strcmp(y->set, "opset") == 0 ? 1 : order;
    order = strcmp(x->name, y->name);
    return order != 0 ? order : x->version - y->version;
}

static void print_operands(const inlay_operand_info *in, int n, bool variadic)
{
    for (int i = 0; i < n; i++) {
        printf("%s%s%s%s%s", i ? ", " : "", in[i].optional ? "[" : "", in[i].name,
               variadic && i == n - 1 ? "..." : "", in[i].optional ? "]" : "");
    }
}

static void print_row(const inlay_op *op)
{
    char name[160], opsets[64];

    inlay_op_text(op, name, sizeof name);
    cli_opsets_text(op, opsets, sizeof opsets);
    printf("%-40s %-12s (", name, opsets);
    print_operands(op->in, op->n_in, op->variadic_in);
    printf(")");
    for (int i = 0; i < op->n_attrs; i++) {
        printf("%s%s%s", i ? ", " : "  {", op->attrs[i].name, op->attrs[i].required ? "" : "?");
        if (i == op->n_attrs - 1)
            printf("}");
    }
    printf("\n");
}

static void print_json_operands(const inlay_operand_info *in, int n)
{
    for (int i = 0; i < n; i++) {
        printf("%s{\"name\": ", i ? ", " : "");
        cli_json_string(stdout, in[i].name);
        printf(", \"types\": ");
        cli_json_string(stdout, in[i].constraint);
        printf(", \"optional\": %s}", in[i].optional ? "true" : "false");
    }
}

static void print_json_row(const inlay_op *op)
{
    char opsets[64];

    cli_opsets_text(op, opsets, sizeof opsets);
    printf("  {\"type\": ");
    cli_json_string(stdout, op->name);
    printf(", \"version\": %d, \"opsets\": \"%s\", \"written\": \"%s\", \"inputs\": [", op->version,
           opsets, op->written);
    print_json_operands(op->in, op->n_in);
    printf("], \"outputs\": [");
    print_json_operands(op->out, op->n_out < 0 ? 1 : op->n_out);
    printf("], \"attributes\": [");
    for (int i = 0; i < op->n_attrs; i++) {
        printf("%s{\"name\": ", i ? ", " : "");
        cli_json_string(stdout, op->attrs[i].name);
        printf(", \"required\": %s}", op->attrs[i].required ? "true" : "false");
    }
    if (op->overwrites >= 0)
        printf("], \"overwrites\": %d}", op->overwrites);
    else
        printf("], \"overwrites\": null}");
}

/* Prints the operations of SET (NULL: the built-in ones), sorted by name. */
static int print_rows(const inlay_op_set *set, bool json)
{
    size_t count = inlay_op_count(set);
    const inlay_op **ops = malloc(count * sizeof *ops);

    if (!ops)
        return cli_no_memory();
    for (size_t i = 0; i < count; i++)
        ops[i] = inlay_op_at(set, i);
    qsort(ops, count, sizeof *ops, by_name);
    if (json)
        printf("[\n");
    for (size_t i = 0; i < count; i++) {
        if (json)
            print_json_row(ops[i]);
        else
            print_row(ops[i]);
        if (json)
            printf("%s\n", i + 1 < count ? "," : "");
    }
    if (json)
        printf("]\n");
    free(ops);
    return INLAY_OK;
}

int cmd_ops(const cli_command *self, int argc, char **argv)
{
    bool json = false, markdown = false;
    cli_model_options read = {0};
    const cli_option options[] = {CLI_JSON_OPTION(json),
                                  {"--markdown", NULL,
                                   "print the page ir/OPERATIONS.md of the built-in operations",
                                   .flag = &markdown},
                                  CLI_EXTENSION_OPTION(read),
                                  {0}};
    const char *none;
    int n, status = cli_parse(self, options, argc, argv, &none, 0, 0, &n);

    if (status < 0 && markdown) {
        cli_print_ops_page();
        status = INLAY_OK;
    } else if (status < 0) {
        status = cli_load_plugins(&read.load, &read.extensions, &read.plugins)
                     ? print_rows(read.plugins.ops, json)
                     : INLAY_INVALID;
    }
    cli_free_model_options(&read);
    return status;
}
