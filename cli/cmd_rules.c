#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* What happened to a rule on the model. */
struct rule_fate {
    const char *name; /* of the rule */
    uint64_t count;
    char *at, *why; /* as in inlay_rule_miss; NULL: no pass applied its set, or it did something */
    bool late;      /* another rule replaced a node before */
};

struct rule_list {
    inlay_rules *rules;
    struct rule_fate *fates, **by_name; /* in the order of the rules, and of their names */
};

/* A node that a rule or a pass replaced. */
struct taken {
    char *node, *by;
};

struct rules {
    cli_model_options model;
    bool json, explain, counted, no_memory;
    struct rule_list *sets;
    int n;
    struct taken *taken; /* with --explain and rules of the user */
    size_t n_taken;
};

static int by_name(const void *a, const void *b)
{
    return strcmp((*(struct rule_fate *const *)a)->name, (*(struct rule_fate *const *)b)->name);
}

/* Finds the entry of the rule with INFO's set and name. NULL: there is none. */
static struct rule_fate *find_fate(struct rules *r, const inlay_rule_info *info)
{
    struct rule_fate wanted = {.name = info->name}, *key = &wanted;

    for (int s = 0; s < r->n; s++) {
        size_t n = inlay_rules_count(r->sets[s].rules);
        bool named = n > 0 && strcmp(inlay_rules_at(r->sets[s].rules, 0).file, info->file) == 0;
        struct rule_fate **found =
            named ? bsearch(&key, r->sets[s].by_name, n, sizeof key, by_name) : NULL;

        if (found)
            return *found;
    }
    return NULL;
}

static void count_rule(struct rules *r, const inlay_rule_info *info)
{
    struct rule_fate *fate = info ? find_fate(r, info) : NULL;

    if (fate)
        fate->count++;
}

static void keep_miss(struct rules *r, const inlay_rule_miss *miss)
{
    struct rule_fate *fate = find_fate(r, miss->rule);

    if (!fate)
        return;
    free(fate->at);
    free(fate->why);
    fate->at = miss->at ? strdup(miss->at) : NULL;
    fate->why = strdup(miss->why);
    r->no_memory = r->no_memory || !fate->why || (miss->at && !fate->at);
}

/* Remembers the nodes that went, for tell_taken. */
static void keep_taken(struct rules *r, const char *pass, const inlay_application *a)
{
    struct taken *more;

    if (!r->explain || r->model.rules.n == 0 || a->n_replaced == 0)
        return;
    more = realloc(r->taken, (r->n_taken + a->n_replaced) * sizeof *more);
    r->no_memory = r->no_memory || !more;
    if (!more)
        return;
    r->taken = more;
    for (size_t i = 0; i < a->n_replaced; i++) {
        struct taken *t = &more[r->n_taken++];

        t->node = strdup(a->replaced[i]->name);
        t->by = strdup(a->rule ? a->rule->name : pass);
        r->no_memory = r->no_memory || !t->node || !t->by;
    }
}

static const char *taken_by(const struct rules *r, const char *node)
{
    const char *by = NULL;

    for (size_t i = 0; i < r->n_taken && !by; i++)
        by = r->taken[i].node && strcmp(r->taken[i].node, node) == 0 ? r->taken[i].by : NULL;
    return by;
}

/* The rules of the user run alone: one that did nothing before, and now replaces a node that went
 * then, came too late. */
static bool tell_taken(void *ctx, const inlay_event *e, inlay_diags *d)
{
    struct rules *r = ctx;
    const inlay_application *a = e->kind == INLAY_EVENT_APPLIED ? e->as.application : NULL;
    struct rule_fate *fate = a && a->rule ? find_fate(r, a->rule) : NULL;
    char why[200];

    (void)d;
    for (size_t i = 0; fate && fate->count == 0 && !fate->late && i < a->n_replaced; i++) {
        const char *node = a->replaced[i]->name, *by = taken_by(r, node);

        if (!by)
            continue;
        snprintf(why, sizeof why, "taken earlier by %s", by);
        free(fate->at);
        free(fate->why);
        fate->at = strdup(a->at->name);
        fate->why = strdup(why);
        fate->late = true;
        r->no_memory = r->no_memory || !fate->at || !fate->why;
    }
    return true;
}

static bool find_taken(struct rules *r, const char *file, inlay_diags *d)
{
    cli_pass_hook hook = {.events = {tell_taken, r, false}};
    cli_model_options alone = r->model;
    inlay_graph *g = r->n_taken > 0 ? cli_read(file, &r->model, d) : NULL;
    bool ok;

    alone.passes = "rules";
    ok = r->n_taken == 0 || (g && cli_run_passes(g, &alone, &hook, d));
    inlay_graph_free(g);
    return ok;
}

static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    (void)d;
    if (e->kind == INLAY_EVENT_APPLIED)
        keep_taken(ctx, e->pass, e->as.application);
    if (e->kind == INLAY_EVENT_APPLIED)
        count_rule(ctx, e->as.application->rule);
    else if (e->kind == INLAY_EVENT_MISSED)
        keep_miss(ctx, e->as.miss);
    return true;
}

/* Makes the entries of the rules of L; false: out of memory. */
static bool make_fates(struct rule_list *l)
{
    size_t n = inlay_rules_count(l->rules);

    l->fates = calloc(n + 1, sizeof *l->fates);
    l->by_name = calloc(n + 1, sizeof *l->by_name);
    if (!l->fates || !l->by_name)
        return false;
    for (size_t i = 0; i < n; i++) {
        l->fates[i].name = inlay_rules_at(l->rules, i).name;
        l->by_name[i] = &l->fates[i];
    }
    qsort(l->by_name, n, sizeof *l->by_name, by_name);
    return true;
}

static bool add_set(struct rules *r, inlay_rules *rules, inlay_diags *d)
{
    struct rule_list *more;

    if (!rules)
        return false;
    more = realloc(r->sets, (size_t)(r->n + 1) * sizeof *more);
    if (!more) {
        inlay_rules_free(rules);
        return inlay_fail_memory(d);
    }
    r->sets = more;
    more[r->n] = (struct rule_list){.rules = rules};
    return make_fates(&more[r->n++]) || inlay_fail_memory(d);
}

/* The user's own come first. */
static bool load_sets(struct rules *r, inlay_diags *d)
{
    for (int i = 0; i < r->model.rules.n; i++) {
        if (!add_set(r, cli_read_rules(r->model.rules.items[i], &r->model, d), d))
            return false;
    }
    for (size_t i = 0; inlay_rule_set_at(i); i++) {
        if (!add_set(r, inlay_rules_builtin(inlay_rule_set_at(i), d), d))
            return false;
    }
    return true;
}

static bool count_on(struct rules *r, const char *file, inlay_diags *d)
{
    cli_pass_hook hook = {.events = {receive, r, r->explain}};
    inlay_graph *g = cli_read(file, &r->model, d);
    bool ok = g && cli_run_passes(g, &r->model, &hook, d);

    inlay_graph_free(g);
    ok = ok && find_taken(r, file, d);
    r->counted = true;
    return ok && r->no_memory ? inlay_fail_memory(d) : ok;
}

static void print_rule(const struct rules *r, inlay_rule_info info, const struct rule_fate *fate)
{
    cli_say(stdout, "%-16s %-36s %-8s", info.set, info.name, inlay_exactness_text(info.exactness));
    if (r->counted)
        printf(" %6llu", (unsigned long long)fate->count);
    cli_say(stdout, " %s:%u\n", info.file, info.line);
    if (fate->why && fate->count == 0)
        cli_say(stdout, "    %s%s%s\n", fate->at ? fate->at : "", fate->at ? ": " : "", fate->why);
}

static void print_field(const char *name, const char *text)
{
    cli_say(stdout, ", \"%s\": ", name);
    cli_json_string(stdout, text);
}

static void print_rule_json(const struct rules *r, inlay_rule_info info,
                            const struct rule_fate *fate, bool first)
{
    printf("%s\n  {\"set\": ", first ? "" : ",");
    cli_json_string(stdout, info.set);
    print_field("name", info.name);
    print_field("exactness", inlay_exactness_text(info.exactness));
    print_field("file", info.file);
    printf(", \"line\": %u", info.line);
    if (r->counted)
        printf(", \"count\": %llu", (unsigned long long)fate->count);
    if (fate->at && fate->count == 0)
        print_field("at", fate->at);
    if (fate->why && fate->count == 0)
        print_field("why", fate->why);
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
                print_rule_json(r, info, &r->sets[s].fates[i], first);
            else
                print_rule(r, info, &r->sets[s].fates[i]);
            first = false;
        }
    }
    if (r->json)
        printf("\n]\n");
}

static void free_sets(struct rules *r)
{
    for (int s = 0; s < r->n; s++) {
        for (size_t i = 0; r->sets[s].fates && i < inlay_rules_count(r->sets[s].rules); i++) {
            free(r->sets[s].fates[i].at);
            free(r->sets[s].fates[i].why);
        }
        inlay_rules_free(r->sets[s].rules);
        free(r->sets[s].fates);
        free(r->sets[s].by_name);
    }
    for (size_t i = 0; i < r->n_taken; i++) {
        free(r->taken[i].node);
        free(r->taken[i].by);
    }
    free(r->taken);
    free(r->sets);
}

static void print_function(size_t i, bool json)
{
    inlay_rule_function fn = inlay_rule_function_at(i);
    char call[200];

    inlay_rule_function_text(i, call, sizeof call);
    if (!json) {
        cli_say(stdout, "  %s\n      %s\n", call, fn.help);
        return;
    }
    cli_say(stdout, "%s\n  {\"name\": \"%s\", \"call\": ", i ? "," : "", fn.name);
    cli_json_string(stdout, call);
    printf(", \"condition\": %s, \"help\": ", fn.condition ? "true" : "false");
    cli_json_string(stdout, fn.help);
    printf("}");
}

static void print_functions(bool json)
{
    if (json) {
        printf("[");
        for (size_t i = 0; inlay_rule_function_at(i).name; i++)
            print_function(i, true);
        printf("\n]\n");
        return;
    }
    for (int functions = 0; functions < 2; functions++) {
        printf("%s\n", functions ? "\nfunctions, for `let NAME = ...`:" : "conditions:");
        for (size_t i = 0; inlay_rule_function_at(i).name; i++) {
            if (inlay_rule_function_at(i).condition != functions)
                print_function(i, false);
        }
    }
}

/* FILE: the model, or NULL. */
static int list_rules(struct rules *r, const char *file)
{
    inlay_diags *d = inlay_diags_new();
    bool ok = d && load_sets(r, d) && (!file || count_on(r, file, d));

    if (!d)
        return cli_no_memory();
    if (ok)
        print_all(r);
    free_sets(r);
    return cli_finish(d, ok ? INLAY_OK : INLAY_INVALID);
}

int cmd_rules(const cli_command *self, int argc, char **argv)
{
    struct rules r = {0};
    bool functions = false;
    const cli_option options[] = {
        CLI_PASS_OPTIONS(r.model),
        {"--explain", NULL,
         "say of each rule that did nothing at which node it came nearest, and what was missing",
         .flag = &r.explain},
        {"--functions", NULL, "list the conditions and functions that a rule may call",
         .flag = &functions},
        CLI_JSON_OPTION(r.json),
        CLI_SHAPE_OPTION(r.model.shapes),
        CLI_MEMORY_OPTION(r.model),
        CLI_READ_OPTIONS(r.model),
        {0}};
    const char *file;
    int n, status = cli_parse(self, options, argc, argv, &file, 0, 1, &n);

    if (status < 0 && !cli_settle(self, &r.model))
        status = INLAY_INVALID;
    if (status >= 0) {
        cli_free_model_options(&r.model);
        return status;
    }
    if (functions && n == 0) {
        print_functions(r.json);
        cli_free_model_options(&r.model);
        return INLAY_OK;
    }
    if (functions || (r.explain && n == 0)) {
        cli_free_model_options(&r.model);
        return cli_usage(self, functions ? "--functions goes without a model"
                                         : "--explain needs a model");
    }
    status = list_rules(&r, n > 0 ? file : NULL);
    cli_free_model_options(&r.model);
    return status;
}
