#include "cli/cli.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

struct check {
    cli_model_options model;
    const char *rule, *instances, *inputs, *seed; /* NULL: all; the defaults */
    bool json, strict;
    inlay_check_options o;
    inlay_exec_options limits; /* of its evaluator */
    int n_rules, n_refuted, n_unknown;
    /* The rule that is being checked, NULL between two of them; which of how many it is; and what
     * is known of it. */
    const char *now;
    size_t item, items;
    inlay_check found;
};

static const char *verdict_of(const inlay_check *c)
{
    static const char *const words[] = {[INLAY_CHECK_PASSED] = "passed",
                                        [INLAY_CHECK_REFUTED] = "refuted",
                                        [INLAY_CHECK_UNKNOWN] = "unknown"};

    return words[c->verdict];
}

static void print_check(const inlay_rules *rules, const inlay_rule_info *info, const inlay_check *c)
{
    cli_say(stdout, "%-8s %-36s %6" PRId64 " instance%s on %" PRId64 " of %" PRId64 " graph%s",
            verdict_of(c), info->name, c->instances, inlay_plural(c->instances, "", "s"),
            c->rewritten, c->graphs, inlay_plural(c->graphs, "", "s"));
    if (c->verdict == INLAY_CHECK_REFUTED)
        printf(", seed %" PRIu64, c->seed);
    cli_say(stdout, "%s%s\n", *c->why ? ": " : "", c->why);
    if (c->counterexample) {
        cli_print_text(stdout, c->counterexample);
        cli_print_refuted_rule(&(cli_printer){stdout, false}, rules, info->name, c->counterexample);
    }
}

static void print_json(const struct check *v, const inlay_rules *rules, const inlay_rule_info *info,
                       const inlay_check *c)
{
    printf("%s\n  {\"rule\": ", v->n_rules == 1 ? "" : ",");
    cli_json_string(stdout, info->name);
    printf(", \"result\": \"%s\", \"instances\": %" PRId64 ", \"counterexample\": ", verdict_of(c),
           c->instances);
    if (c->counterexample)
        cli_json_string(stdout, c->counterexample);
    else
        printf("null");
    if (*c->why) {
        printf(", \"why\": ");
        cli_json_string(stdout, c->why);
    }
    if (c->counterexample)
        cli_print_refuted_rule(&(cli_printer){stdout, true}, rules, info->name, c->counterexample);
    printf("}");
}

/* Before each step of the executor. */
static void begin_step(void *ctx, const inlay_node *n, uint64_t steps)
{
    const struct check *v = ctx;
    double part = (double)v->found.instances / (double)v->o.instances;

    (void)n;
    (void)steps;
    cli_interrupt_point();
    if (v->now)
        cli_progress_instance(v->found.instances, v->o.instances,
                              ((double)v->item + part) / (double)v->items);
}

/* Checks rule I. */
static bool check_rule(struct check *v, const inlay_rules *rules, size_t i, const char *name,
                       inlay_diags *d)
{
    double began = cli_now_ms();
    bool ok;

    v->item = i;
    v->items = inlay_rules_count(rules);
    v->now = name;
    cli_progress_item(name, i, v->items);
    ok = inlay_check_rule(rules, i, &v->o, &v->found, d);
    v->now = NULL;
    cli_progress_clear();
    if (ok)
        cli_log("check %s: %" PRId64 " of %" PRId64 " instances, %.1f ms", name, v->found.instances,
                v->o.instances, cli_now_ms() - began);
    return ok;
}

static bool check_set(struct check *v, const inlay_rules *rules, inlay_diags *d)
{
    for (size_t i = 0; i < inlay_rules_count(rules); i++) {
        inlay_rule_info info = inlay_rules_at(rules, i);
        const inlay_check *c = &v->found;
        bool ok;

        if (v->rule && strcmp(v->rule, info.name) != 0)
            continue;
        ok = check_rule(v, rules, i, info.name, d);
        v->n_rules++;
        v->n_refuted += ok && c->verdict == INLAY_CHECK_REFUTED;
        v->n_unknown += ok && c->verdict == INLAY_CHECK_UNKNOWN;
        if (ok && v->json)
            print_json(v, rules, &info, c);
        else if (ok)
            print_check(rules, &info, c);
        fflush(stdout);
        inlay_check_free(&v->found);
        if (!ok)
            return false;
    }
    return true;
}

static void print_sum(const struct check *v)
{
    printf("%d of %d rule%s %s refuted, %d met no graph that they rewrite\n", v->n_refuted,
           v->n_rules, inlay_plural(v->n_rules, "", "s"), inlay_plural(v->n_rules, "is", "are"),
           v->n_unknown);
}

/* When it is interrupted. */
static void tell(void *ctx)
{
    const struct check *v = ctx;

    cli_progress_clear();
    if (v->now && v->json) {
        printf("%s\n  {\"rule\": ", v->n_rules == 0 ? "" : ",");
        cli_json_string(stdout, v->now);
        printf(", \"result\": \"interrupted\", \"instances\": %" PRId64
               ", \"counterexample\": null}",
               v->found.instances);
    } else if (v->now) {
        cli_say(stdout,
                "rule %s: interrupted in instance %" PRId64 " of %" PRId64
                "; none before refutes it\n",
                v->now, v->found.instances + 1, v->o.instances);
    }
    if (v->json)
        printf("\n]\n");
    else
        print_sum(v);
}

/* Checks the rules of FILE; NULL: all that are built in. */
static bool check_all(struct check *v, const char *file, inlay_diags *d)
{
    cli_near_rule near = {0};
    bool ok = true;

    for (size_t i = 0; ok && (file ? i == 0 : inlay_rule_set_at(i) != NULL); i++) {
        inlay_rules *rules = file ? cli_read_rules(file, &v->model, d)
                                  : inlay_rules_builtin(inlay_rule_set_at(i), d);

        ok = rules && check_set(v, rules, d);
        if (ok && v->rule && v->n_rules == 0)
            cli_guess_rule(&near, v->rule, rules);
        inlay_rules_free(rules);
    }
    if (ok && v->rule && v->n_rules == 0)
        return inlay_fail(d, NULL, "there is no rule \"%s\"%s", v->rule, near.text);
    return ok;
}

static bool read_options(const cli_command *self, struct check *v)
{
    int64_t seed = 0, inputs = 0;

    v->o.instances = 4000;
    v->limits.max_memory = (uint64_t)1 << 26;
    v->limits.progress = begin_step;
    v->limits.progress_ctx = v;
    if ((v->instances && !cli_number(self, "--instances", v->instances, 1, &v->o.instances)) ||
        (v->inputs && !cli_number(self, "--trials", v->inputs, 1, &inputs)) ||
        (v->seed && !cli_number(self, "--seed", v->seed, 0, &seed)) || !cli_settle(self, &v->model))
        return false;
    v->o.seed = (uint64_t)seed;
    v->o.inputs = inputs > INT_MAX ? INT_MAX : (int)inputs;
    v->o.evaluator = inlay_reference_evaluator(&v->limits);
    return true;
}

static int check_file(struct check *v, const char *file)
{
    inlay_diags *d = inlay_diags_new();
    bool ok;

    if (!d)
        return cli_no_memory();
    if (v->json)
        printf("[");
    cli_on_interrupt(tell, v);
    cli_progress_begin("check-rules");
    ok = check_all(v, file, d);
    cli_progress_end();
    if (v->json)
        printf("\n]\n");
    else if (ok)
        print_sum(v);
    if (!ok)
        return cli_finish(d, INLAY_INVALID);
    return cli_finish(d, v->n_refuted                ? INLAY_DIFFERENT
                         : v->strict && v->n_unknown ? INLAY_UNDECIDED
                                                     : INLAY_OK);
}

int cmd_check_rules(const cli_command *self, int argc, char **argv)
{
    struct check v = {0};
    const cli_option options[] = {
        {"--rule", "NAME", "take this rule alone", .text = &v.rule},
        {"--instances", "N", "a rule passes when it is right in N comparisons (4000)",
         .text = &v.instances},
        CLI_TRIALS_OPTION(v.inputs, "4"),
        {"--inputs", "N", "", .text = &v.inputs, .hidden = true},
        CLI_SEED_OPTION(v.seed, "0"),
        {"--strict", NULL, "exit with 4 where no graph was found that a rule rewrites",
         .flag = &v.strict},
        CLI_JSON_OPTION(v.json),
        CLI_MEMORY_OPTION(v.model),
        CLI_EXTENSION_OPTION(v.model),
        {0}};
    const char *file;
    int n, status = cli_parse(self, options, argc, argv, &file, 0, 1, &n);

    if (status < 0)
        status = read_options(self, &v) ? check_file(&v, n ? file : NULL) : INLAY_INVALID;
    cli_free_model_options(&v.model);
    return status;
}
