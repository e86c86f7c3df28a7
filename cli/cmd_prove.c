#include "cli/solver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct prove {
    cli_model_options model;
    inlay_exec_options limits; /* of what runs counterexamples */
    const char *rule, *smt;    /* NULL: all; where questions are kept */
    const char *seconds_text;
    int seconds; /* that the solver may take to answer */
    bool json, strict;
    const char *now; /* the rule that is being asked about */
    int n_asked;     /* times that the solver was asked about it */
    bool late;       /* it was not done in time */
    int n_rules, n_of[INLAY_PROVEN_OVER_REALS_FOR + 1], n_late; /* n_of: by their verdicts */
};

/* Writes the questions to DIR/RULE.smt2. */
static bool keep(struct prove *v, const char *text, size_t n, inlay_diags *d)
{
    char path[4096];
    FILE *f;
    bool ok;

    if (snprintf(path, sizeof path, "%s/%s.smt2", v->smt, v->now) >= (int)sizeof path)
        return inlay_fail(d, &(inlay_pos){v->smt, 0}, "the path is too long");
    f = fopen(path, v->n_asked > 1 ? "ab" : "wb");
    ok = f && fwrite(text, 1, n, f) == n;
    ok = f && fclose(f) == 0 && ok;
    return ok || inlay_fail_resource(d, &(inlay_pos){path, 0}, "the file cannot be written: %s",
                                     strerror(errno));
}

static bool ask(void *ctx, const char *text, size_t n, inlay_strbuf *answer, inlay_diags *d)
{
    struct prove *v = ctx;

    v->n_asked++;
    return (!v->smt || keep(v, text, n, d)) &&
           cli_ask_solver(v->seconds, text, n, answer, &v->late, d);
}

static void print_note(const char *key, const char *text)
{
    if (!*text)
        return;
    cli_say(stdout, ", \"%s\": ", key);
    cli_json_string(stdout, text);
}

static void print_json(const struct prove *v, const inlay_rules *rules, const inlay_rule_info *info,
                       const char *verdict, const inlay_proof *proof)
{
    printf("%s\n  {\"rule\": ", v->n_rules == 1 ? "" : ",");
    cli_json_string(stdout, info->name);
    cli_say(stdout, ", \"result\": \"%s\", \"instances\": %d, \"counterexample\": ", verdict,
            proof->cases);
    if (proof->counterexample)
        cli_json_string(stdout, proof->counterexample);
    else
        printf("null");
    print_note("for", proof->only);
    print_note("literals", proof->read);
    print_note("why", proof->why);
    if (proof->counterexample)
        cli_print_refuted_rule(&(cli_printer){stdout, true}, rules, info->name,
                               proof->counterexample);
    printf("}");
}

static void print_proof(const struct prove *v, const inlay_rules *rules,
                        const inlay_rule_info *info, const inlay_proof *proof)
{
    static const char *const words[] = {[INLAY_PROVEN] = "proven",
                                        [INLAY_NOT_PROVEN] = "unknown",
                                        [INLAY_REFUTED] = "refuted",
                                        [INLAY_PROVEN_FOR] = "proven for",
                                        [INLAY_PROVEN_OVER_REALS] = "proven over the reals",
                                        [INLAY_PROVEN_OVER_REALS_FOR] =
                                            "proven over the reals for"};
    const char *notes[] = {proof->only, proof->read, proof->why}, *before = ": ";

    if (v->json) {
        print_json(v, rules, info, words[proof->verdict], proof);
        return;
    }
    cli_say(stdout, "%-10s %-36s %4d case%s, %4d question%s, tried up to %d ax%s",
            words[proof->verdict], info->name, proof->cases, inlay_plural(proof->cases, "", "s"),
            proof->questions, inlay_plural(proof->questions, "", "s"), proof->rank,
            inlay_plural(proof->rank, "is", "es"));
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (!*notes[i])
            continue;
        cli_say(stdout, "%s%s", before, notes[i]);
        before = "; ";
    }
    printf("\n");
    if (proof->counterexample) {
        cli_print_text(stdout, proof->counterexample);
        cli_print_refuted_rule(&(cli_printer){stdout, false}, rules, info->name,
                               proof->counterexample);
    }
}

/* Proves rule I of RULES. If the solver takes too long, its answer is "unknown", and the next rule
 * is tried. */
static bool prove_rule(struct prove *v, const inlay_rules *rules, size_t i, inlay_proof *out,
                       inlay_diags *d)
{
    const inlay_prove_options o = {{ask, v}, inlay_reference_evaluator(&v->limits)};
    inlay_diags *said = inlay_diags_new();
    bool ok = said ? inlay_prove(rules, i, &o, out, said) : inlay_fail_memory(d);
    const inlay_diag *e = said ? inlay_diags_error(said) : NULL;

    if (!ok && e && v->late) {
        out->verdict = INLAY_NOT_PROVEN;
        *out->only = *out->read = '\0';
        snprintf(out->why, sizeof out->why, "%s", e->text);
        v->n_late++;
        ok = true;
    } else if (!ok && e) {
        cli_record_again(e, d);
    }
    inlay_diags_free(said);
    return ok;
}

static void tell_interrupted(const struct prove *v)
{
    if (!v->json) {
        cli_say(stdout, "rule %s: interrupted in question %d\n", v->now, v->n_asked);
        return;
    }
    printf("%s\n  {\"rule\": ", v->n_rules == 0 ? "" : ",");
    cli_json_string(stdout, v->now);
    printf(", \"result\": \"interrupted\", \"questions\": %d, \"counterexample\": null}",
           v->n_asked);
}

static bool prove_set(struct prove *v, const inlay_rules *rules, inlay_diags *d)
{
    bool ok = true;

    for (size_t i = 0; ok && i < inlay_rules_count(rules); i++) {
        inlay_rule_info info = inlay_rules_at(rules, i);
        inlay_proof proof = {0};

        if (v->rule && strcmp(v->rule, info.name) != 0)
            continue;
        v->now = info.name;
        v->n_asked = 0;
        v->late = false;
        cli_progress_now("prove", info.name, i, inlay_rules_count(rules));
        ok = prove_rule(v, rules, i, &proof, d);
        cli_progress_clear();
        if (cli_interrupted()) {
            tell_interrupted(v);
            inlay_proof_free(&proof);
            return false;
        }
        v->n_rules++;
        v->n_of[proof.verdict] += ok;
        if (ok)
            print_proof(v, rules, &info, &proof);
        inlay_proof_free(&proof);
        fflush(stdout);
    }
    return ok;
}

/* Proves the rules of FILE; NULL: all that are built in. */
static bool prove_all(struct prove *v, const char *file, inlay_diags *d)
{
    cli_near_rule near = {0};
    bool ok = true;

    for (size_t i = 0; ok && (file ? i == 0 : inlay_rule_set_at(i) != NULL); i++) {
        inlay_rules *rules = file ? cli_read_rules(file, &v->model, d)
                                  : inlay_rules_builtin(inlay_rule_set_at(i), d);

        ok = rules && prove_set(v, rules, d);
        if (ok && v->rule && v->n_rules == 0)
            cli_guess_rule(&near, v->rule, rules);
        inlay_rules_free(rules);
    }
    if (ok && v->rule && v->n_rules == 0)
        return inlay_fail(d, NULL, "there is no rule \"%s\"%s", v->rule, near.text);
    return ok;
}

static void print_sum(const struct prove *v)
{
    static const struct {
        inlay_proof_verdict verdict;
        const char *text;
    } others[] = {{INLAY_PROVEN_OVER_REALS, "over the reals"},
                  {INLAY_PROVEN_FOR, "for some of what they take"},
                  {INLAY_PROVEN_OVER_REALS_FOR, "over the reals for some of what they take"},
                  {INLAY_REFUTED, "refuted"}};

    printf("%d of %d rule%s %s proven", v->n_of[INLAY_PROVEN], v->n_rules,
           inlay_plural(v->n_rules, "", "s"), inlay_plural(v->n_rules, "is", "are"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (v->n_of[others[i].verdict])
            cli_say(stdout, ", %d %s", v->n_of[others[i].verdict], others[i].text);
    }
    printf("\n");
}

/* What a rule promises is proven: bit for bit, or of one within a tolerance over the reals. */
static bool keep_promises(const struct prove *v)
{
    return v->n_of[INLAY_PROVEN] + v->n_of[INLAY_PROVEN_OVER_REALS] == v->n_rules;
}

int cmd_prove(const cli_command *self, int argc, char **argv)
{
    struct prove v = {.limits = {.max_memory = (uint64_t)1 << 26}, .seconds = 600};
    const cli_option options[] = {
        {"--rule", "NAME", "take this rule alone", .text = &v.rule},
        {"--strict", NULL,
         "exit with 4 where a rule is neither proven nor, within its tolerance, over the reals",
         .flag = &v.strict},
        CLI_JSON_OPTION(v.json),
        CLI_SECONDS_OPTION(v.seconds_text, "600"),
        {"--smt", "DIR", "write what z3 is asked to DIR, a file for each rule", .text = &v.smt},
        CLI_MEMORY_OPTION(v.model),
        CLI_EXTENSION_OPTION(v.model),
        {0}};
    const char *file;
    int n, status = cli_parse(self, options, argc, argv, &file, 0, 1, &n);
    inlay_diags *d;
    bool ok;

    if (status < 0 &&
        (!cli_settle(self, &v.model) || !cli_count(self, "--seconds", v.seconds_text, &v.seconds)))
        status = INLAY_INVALID;
    d = status < 0 ? inlay_diags_new() : NULL;
    if (!d) {
        cli_free_model_options(&v.model);
        return status < 0 ? cli_no_memory() : status;
    }
    if (v.json)
        printf("[");
    cli_on_interrupt(NULL, NULL);
    ok = prove_all(&v, n ? file : NULL, d);
    if (v.json)
        printf("\n]\n");
    else if (ok || cli_interrupted())
        print_sum(&v);
    cli_end_if_interrupted();
    cli_free_model_options(&v.model);
    return cli_finish(d, !ok                              ? INLAY_INVALID
                         : v.n_of[INLAY_REFUTED]          ? INLAY_DIFFERENT
                         : v.n_late                       ? INLAY_NO_RESOURCE
                         : v.strict && !keep_promises(&v) ? INLAY_UNDECIDED
                                                          : INLAY_OK);
}
