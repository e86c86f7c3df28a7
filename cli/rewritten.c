/* `inlay verify --prove`, where the graphs have different operations: both are rewritten by the
 * same passes, and what comes out is compared term by term. A proof that relies on rewrites says on
 * which; passes/PROVEN.md says which of the rules are proven themselves. */
#include "cli/rewritten.h"

#include <stdlib.h>
#include <string.h>

static bool count(cli_rewrites *r, const char *name, inlay_exactness exactness)
{
    cli_rewrite *grown;

    for (size_t i = 0; i < r->n; i++) {
        if (strcmp(r->list[i].name, name) == 0) {
            r->list[i].applications++;
            return true;
        }
    }
    grown = realloc(r->list, (r->n + 1) * sizeof *grown);
    if (!grown)
        return false;
    r->list = grown;
    r->list[r->n++] = (cli_rewrite){.name = name, .exactness = exactness, .applications = 1};
    return true;
}

/* Names live as long as the built-in rules and passes do. */
static inlay_exactness exactness_of(const inlay_event *e)
{
    const inlay_rule_info *rule = e->as.application->rule;

    return rule ? rule->exactness : inlay_pass_exactness(NULL, e->pass);
}

static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    const inlay_rule_info *rule;

    if (e->kind != INLAY_EVENT_APPLIED)
        return true;
    rule = e->as.application->rule;
    return count(ctx, rule ? rule->name : e->pass, exactness_of(e)) || inlay_fail_memory(d);
}

/* Returns a copy of G as the passes of PIPELINE leave it; NULL and an error. */
static inlay_graph *rewritten(const inlay_graph *g, const char *pipeline,
                              const inlay_symbolic_options *o, cli_rewrites *r, inlay_diags *d)
{
    static const char *const disable[] = {"in-place-windows"};
    const inlay_pass_options passes = {.passes = pipeline,
                                       .disable = disable,
                                       .n_disable = 1,
                                       .evaluator = &o->evaluator,
                                       .events = {receive, r, false}};
    inlay_graph *copy = inlay_graph_clone(g, d);

    if (copy && !inlay_run_passes(copy, &passes, d)) {
        inlay_graph_free(copy);
        copy = NULL;
    }
    return copy;
}

bool cli_prove_rewritten(const inlay_graph *a, const inlay_graph *b, const char *pipeline,
                         const inlay_symbolic_options *o, inlay_symbolic_result *result,
                         cli_rewrites *r, inlay_diags *d)
{
    inlay_graph *first, *second;
    bool ok;

    cli_free_rewrites(r);
    first = rewritten(a, pipeline, o, r, d);
    second = first ? rewritten(b, pipeline, o, r, d) : NULL;
    ok = second && inlay_symbolic_same(first, second, o, result, d);
    inlay_graph_free(first);
    inlay_graph_free(second);
    return ok;
}

void cli_free_rewrites(cli_rewrites *r)
{
    free(r->list);
    *r = (cli_rewrites){0};
}

static uint64_t applications(const cli_rewrites *r)
{
    uint64_t n = 0;

    for (size_t i = 0; i < r->n; i++)
        n += r->list[i].applications;
    return n;
}

inlay_exactness cli_rewrites_exactness(const cli_rewrites *r)
{
    inlay_exactness worst = INLAY_EXACT;

    for (size_t i = 0; i < r->n; i++)
        worst = r->list[i].exactness > worst ? r->list[i].exactness : worst;
    return worst;
}

void cli_print_rewrites(const cli_rewrites *r)
{
    cli_say(stdout, "  relying on %" PRIu64 " application%s of %zu rewrite%s to both graphs:\n",
            applications(r), inlay_plural(applications(r), "", "s"), r->n,
            inlay_plural(r->n, "", "s"));
    for (size_t i = 0; i < r->n; i++)
        cli_say(stdout, "  %8" PRIu64 "  %s (%s)\n", r->list[i].applications, r->list[i].name,
                inlay_exactness_text(r->list[i].exactness));
}

void cli_json_rewrites(const cli_rewrites *r)
{
    printf(", \"relies_on\": [");
    for (size_t i = 0; i < r->n; i++) {
        printf("%s{\"applications\": %" PRIu64, i > 0 ? ", " : "", r->list[i].applications);
        cli_json_field(stdout, "rewrite", r->list[i].name);
        cli_json_field(stdout, "exactness", inlay_exactness_text(r->list[i].exactness));
        printf("}");
    }
    printf("]");
}
