#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* A set on the way, and how often each of its rules applied. */
struct rule_list {
    inlay_rules *rules;
    uint64_t *counts;
};

struct rules {
    cli_model_options model;
    bool json, counted;
    struct rule_list *sets;
    int n;
};

/* The rule that INFO is about has the same set and name. */
static void count_rule(void *ctx, const inlay_rule_info *info, uint64_t times)
{
    struct rules *r = ctx;

    for (int s = 0; s < r->n; s++) {
        for (size_t i = 0; i < inlay_rules_count(r->sets[s].rules); i++) {
            inlay_rule_info known = inlay_rules_at(r->sets[s].rules, i);

            if (strcmp(known.file, info->file) == 0 && strcmp(known.name, info->name) == 0)
                r->sets[s].counts[i] += times;
        }
    }
}

static bool add_set(struct rules *r, inlay_rules *rules, inlay_diags *d)
{
    struct rule_list *more;

    if (!rules)
        return false;
    more = realloc(r->sets, (size_t)(r->n + 1) * sizeof *more);
    if (more)
        r->sets = more;
    if (!more || !(more[r->n].counts = calloc(inlay_rules_count(rules) + 1, sizeof(uint64_t)))) {
        inlay_rules_free(rules);
        return inlay_fail_memory(d);
    }
    r->sets[r->n++].rules = rules;
    return true;
}

static bool load_sets(struct rules *r, inlay_diags *d)
{
    for (size_t i = 0; inlay_rule_set_at(i); i++) {
        if (!add_set(r, inlay_rules_builtin(inlay_rule_set_at(i), d), d))
            return false;
    }
    for (int i = 0; i < r->model.rules.n; i++) {
        if (!add_set(r, cli_read_rules(r->model.rules.items[i], d), d))
            return false;
    }
    return true;
}

static bool count_on(struct rules *r, const char *file, inlay_diags *d)
{
    cli_pass_hook hook = {.applied = count_rule, .ctx = r};
    inlay_graph *g = cli_read(file, &r->model, d);
    bool ok = g && cli_run_passes(g, &r->model, &hook, d);

    inlay_graph_free(g);
    r->counted = true;
    return ok;
}

static void print_rule(const struct rules *r, inlay_rule_info info, uint64_t count)
{
    printf("%-16s %-36s %-8s", info.set, info.name, inlay_exactness_text(info.exactness));
    if (r->counted)
        printf(" %6llu", (unsigned long long)count);
    printf(" %s:%u\n", info.file, info.line);
}

static void print_rule_json(const struct rules *r, inlay_rule_info info, uint64_t count, bool first)
{
    printf("%s\n  {\"set\": ", first ? "" : ",");
    cli_json_string(stdout, info.set);
    printf(", \"name\": ");
    cli_json_string(stdout, info.name);
    printf(", \"exactness\": \"%s\", \"file\": ", inlay_exactness_text(info.exactness));
    cli_json_string(stdout, info.file);
    printf(", \"line\": %u", info.line);
    if (r->counted)
        printf(", \"count\": %llu", (unsigned long long)count);
    printf("}");
}

static void print_all(const struct rules *r)
{
    bool first = true;

    if (r->json)
        printf("[");
    for (int s = 0; s < r->n; s++) {
        for (size_t i = 0; i < inlay_rules_count(r->sets[s].rules); i++) {
            inlay_rule_info info = inlay_rules_at(r->sets[s].rules, i);

            if (r->json)
                print_rule_json(r, info, r->sets[s].counts[i], first);
            else
                print_rule(r, info, r->sets[s].counts[i]);
            first = false;
        }
    }
    if (r->json)
        printf("\n]\n");
}

int cmd_rules(const cli_command *self, int argc, char **argv)
{
    struct rules r = {0};
    const cli_option options[] = {CLI_PASS_OPTIONS(r.model),
                                  {"--json", NULL, "for programs", .flag = &r.json},
                                  CLI_MEMORY_OPTION(r.model),
                                  {0}};
    const char *file;
    int n, status = cli_parse(self, options, argc, argv, &file, 0, 1, &n);
    inlay_diags *d;
    bool ok;

    if (status < 0 && !cli_limits(self, &r.model))
        status = INLAY_INVALID;
    if (status >= 0) {
        cli_free_model_options(&r.model);
        return status;
    }
    d = inlay_diags_new();
    if (!d)
        return cli_no_memory();
    ok = load_sets(&r, d) && (n == 0 || count_on(&r, file, d));
    if (ok)
        print_all(&r);
    for (int i = 0; i < r.n; i++) {
        inlay_rules_free(r.sets[i].rules);
        free(r.sets[i].counts);
    }
    free(r.sets);
    cli_free_model_options(&r.model);
    return cli_finish(d, ok ? INLAY_OK : INLAY_INVALID);
}
