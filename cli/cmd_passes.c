#include "cli/cli.h"

static void print_text(void)
{
    for (size_t i = 0; i < inlay_pass_count(NULL); i++)
        printf("%-24s %s\n", inlay_pass_at(NULL, i).name, inlay_pass_at(NULL, i).summary);
    printf("\npipelines:\n");
    for (size_t i = 0; i < inlay_pipeline_count(NULL); i++) {
        inlay_pipeline_info p = inlay_pipeline_at(NULL, i);

        printf("%-24s", p.name);
        for (int k = 0; p.passes[k]; k++)
            printf("%s %s", k ? "," : "", p.passes[k]);
        printf("\n");
    }
}

static void print_json(void)
{
    printf("{\"passes\": [");
    for (size_t i = 0; i < inlay_pass_count(NULL); i++) {
        printf("%s\n  {\"name\": ", i ? "," : "");
        cli_json_string(stdout, inlay_pass_at(NULL, i).name);
        printf(", \"summary\": ");
        cli_json_string(stdout, inlay_pass_at(NULL, i).summary);
        printf("}");
    }
    printf("],\n \"pipelines\": {");
    for (size_t i = 0; i < inlay_pipeline_count(NULL); i++) {
        inlay_pipeline_info p = inlay_pipeline_at(NULL, i);

        printf("%s\n  ", i ? "," : "");
        cli_json_string(stdout, p.name);
        printf(": [");
        for (int k = 0; p.passes[k]; k++) {
            printf("%s", k ? ", " : "");
            cli_json_string(stdout, p.passes[k]);
        }
        printf("]");
    }
    printf("}}\n");
}

int cmd_passes(const cli_command *self, int argc, char **argv)
{
    bool json = false;
    const cli_option options[] = {{"--json", NULL, "for programs", .flag = &json}, {0}};
    const char *none;
    int n, status = cli_parse(self, options, argc, argv, &none, 0, 0, &n);

    if (status >= 0)
        return status;
    if (json)
        print_json();
    else
        print_text();
    return INLAY_OK;
}
