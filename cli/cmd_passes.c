#include "cli/cli.h"

static void print_text(const inlay_pass_registry *p)
{
    for (size_t i = 0; i < inlay_pass_count(p); i++)
        printf("%-24s %s\n", inlay_pass_at(p, i).name, inlay_pass_at(p, i).summary);
    printf("\npipelines:\n");
    for (size_t i = 0; i < inlay_pipeline_count(p); i++) {
        inlay_pipeline_info line = inlay_pipeline_at(p, i);

        printf("%-24s", line.name);
        for (int k = 0; line.passes[k]; k++)
            printf("%s %s", k ? "," : "", line.passes[k]);
        printf("\n");
    }
}

static void print_json(const inlay_pass_registry *p)
{
    printf("{\"passes\": [");
    for (size_t i = 0; i < inlay_pass_count(p); i++) {
        printf("%s\n  {\"name\": ", i ? "," : "");
        cli_json_string(stdout, inlay_pass_at(p, i).name);
        printf(", \"summary\": ");
        cli_json_string(stdout, inlay_pass_at(p, i).summary);
        printf("}");
    }
    printf("],\n \"pipelines\": {");
    for (size_t i = 0; i < inlay_pipeline_count(p); i++) {
        inlay_pipeline_info line = inlay_pipeline_at(p, i);

        printf("%s\n  ", i ? "," : "");
        cli_json_string(stdout, line.name);
        printf(": [");
        for (int k = 0; line.passes[k]; k++) {
            printf("%s", k ? ", " : "");
            cli_json_string(stdout, line.passes[k]);
        }
        printf("]");
    }
    printf("}}\n");
}

static void print(const inlay_pass_registry *p, bool json)
{
    if (json)
        print_json(p);
    else
        print_text(p);
}

int cmd_passes(const cli_command *self, int argc, char **argv)
{
    bool json = false;
    cli_list files = {0}, operations = {0};
    cli_plugins plugins = {0};
    const cli_option options[] = {CLI_JSON_OPTION(json), CLI_LOAD_OPTION(files), {0}};
    const char *none;
    int n, status = cli_parse(self, options, argc, argv, &none, 0, 0, &n);

    if (status < 0) {
        status = INLAY_INVALID;
        if (cli_load_plugins(&files, &operations, &plugins)) {
            print(plugins.passes, json);
            status = INLAY_OK;
        }
    }
    cli_free_plugins(&plugins);
    cli_list_free(&files);
    return status;
}
