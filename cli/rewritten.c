/* `inlay verify --prove`, where the graphs have different operations: both are rewritten by the
 * same passes, and what comes out is compared term by term, as a whole or in pieces. A proof that
 * relies on rewrites says on which; passes/PROVEN.md says which of the rules are proven themselves.
 */
#include "cli/rewritten.h"

#include <stdlib.h>
#include <string.h>

static uint64_t applications(const cli_rewrites *r)
{
    uint64_t n = 0;

    for (size_t i = 0; i < r->n; i++)
        n += r->list[i].applications;
    return n;
}

/* Returns the entry of NAME, which is made if there is none; NULL: out of memory. */
static cli_rewrite *entry(cli_rewrites *r, const char *name, inlay_exactness exactness)
{
    cli_rewrite *grown;

    for (size_t i = 0; i < r->n; i++) {
        if (strcmp(r->list[i].name, name) == 0)
            return &r->list[i];
    }
    grown = realloc(r->list, (r->n + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    r->list = grown;
    r->list[r->n] = (cli_rewrite){.name = name, .exactness = exactness};
    return &r->list[r->n++];
}

/* Adds that NAME was applied at N; nodes of a piece have no names of their own. */
static bool count(cli_rewrites *r, const char *name, inlay_exactness exactness, const inlay_node *n)
{
    cli_rewrite *e = entry(r, name, exactness);
    char op[160];

    if (!e)
        return false;
    e->applications++;
    if (r->piece)
        n = r->piece->node;
    if (exactness != INLAY_EXACT)
        inlay_strbuf_printf(&e->at, "%s\"%s\" (%s)", e->at.n > 0 ? ", " : "", n->name,
                            inlay_op_text(n->op, op, sizeof op));
    return !e->at.failed;
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
    return count(ctx, rule ? rule->name : e->pass, exactness_of(e), e->as.application->at) ||
           inlay_fail_memory(d);
}

/* Returns a copy of G as the passes of PIPELINE leave it when they are repeated until they find
 * nothing more, since a model may have been rewritten before; NULL and an error. */
static inlay_graph *rewritten(const inlay_graph *g, const char *pipeline,
                              const inlay_symbolic_options *o, cli_rewrites *r, inlay_diags *d)
{
    static const char *const disable[] = {"in-place-windows"};
    const inlay_pass_options passes = {.passes = pipeline,
                                       .disable = disable,
                                       .n_disable = 1,
                                       .evaluator = &o->evaluator,
                                       .events = {receive, r, false}};
    enum { MOST_ROUNDS = 4 };
    inlay_graph *copy = inlay_graph_clone(g, d);
    uint64_t before = UINT64_MAX;

    for (int i = 0; copy && i < MOST_ROUNDS && applications(r) != before; i++) {
        before = applications(r);
        if (!inlay_run_passes(copy, &passes, d)) {
            inlay_graph_free(copy);
            copy = NULL;
        }
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

/* ---- pieces ---- */

struct proving {
    const inlay_symbolic_options *o;
    cli_rewrites *all;
};

/* Adds what ONE lists to ALL. */
static bool merge(cli_rewrites *all, const cli_rewrites *one)
{
    for (size_t i = 0; i < one->n; i++) {
        const cli_rewrite *from = &one->list[i];
        cli_rewrite *to = entry(all, from->name, from->exactness);

        if (!to)
            return false;
        to->applications += from->applications;
        if (from->at.n > 0)
            inlay_strbuf_printf(&to->at, "%s%s", to->at.n > 0 ? ", " : "", from->at.bytes);
        if (to->at.failed)
            return false;
    }
    return true;
}

/* By terms alone, else by as few rewrites as are needed. */
static bool prove_piece(void *ctx, const inlay_value *end, const inlay_graph *a,
                        const inlay_graph *b, bool *proven, inlay_diags *d)
{
    static const char *const pipelines[] = {"default", "aggressive"};
    enum { MOST_TERMS = 1 << 18 };
    const struct proving *p = ctx;
    inlay_symbolic_options o = {.evaluator = p->o->evaluator, .max_terms = MOST_TERMS};
    inlay_symbolic_result result;
    bool ok = inlay_symbolic_same(a, b, &o, &result, d);

    *proven = ok && result.all_sizes;
    for (size_t i = 0; ok && !*proven && i < sizeof pipelines / sizeof *pipelines; i++) {
        cli_rewrites one = {.piece = end};

        ok = cli_prove_rewritten(a, b, pipelines[i], &o, &result, &one, d);
        *proven = ok && result.proven && result.all_sizes;
        ok = ok && (!*proven || merge(p->all, &one) || inlay_fail_memory(d));
        cli_free_rewrites(&one);
    }
    return ok;
}

bool cli_prove_pieces(const inlay_graph *a, const inlay_graph *b, const inlay_value_pair *pairs,
                      size_t n, const inlay_symbolic_options *o, inlay_pieces_result *result,
                      cli_rewrites *r, inlay_diags *d)
{
    struct proving p = {o, r};
    const inlay_pieces_options options = {
        .pairs = pairs, .n_pairs = n, .prove = prove_piece, .ctx = &p};

    cli_free_rewrites(r);
    return inlay_symbolic_pieces(a, b, &options, result, d);
}

/* ---- what was applied ---- */

void cli_free_rewrites(cli_rewrites *r)
{
    for (size_t i = 0; i < r->n; i++)
        inlay_strbuf_free(&r->list[i].at);
    free(r->list);
    *r = (cli_rewrites){.piece = r->piece};
}

inlay_exactness cli_rewrites_exactness(const cli_rewrites *r)
{
    inlay_exactness worst = INLAY_EXACT;

    for (size_t i = 0; i < r->n; i++)
        worst = r->list[i].exactness > worst ? r->list[i].exactness : worst;
    return worst;
}

void cli_print_rewrites(const cli_rewrites *r, const char *where)
{
    cli_say(stdout, "  relying on %" PRIu64 " application%s of %zu rewrite%s %s:\n",
            applications(r), inlay_plural(applications(r), "", "s"), r->n,
            inlay_plural(r->n, "", "s"), where);
    for (size_t i = 0; i < r->n; i++)
        cli_say(stdout, "  %8" PRIu64 "  %s (%s)%s%s\n", r->list[i].applications, r->list[i].name,
                inlay_exactness_text(r->list[i].exactness), r->list[i].at.n > 0 ? " at " : "",
                r->list[i].at.n > 0 ? r->list[i].at.bytes : "");
}

void cli_json_rewrites(const cli_rewrites *r)
{
    printf(", \"relies_on\": [");
    for (size_t i = 0; i < r->n; i++) {
        printf("%s{\"applications\": %" PRIu64, i > 0 ? ", " : "", r->list[i].applications);
        cli_json_field(stdout, "rewrite", r->list[i].name);
        cli_json_field(stdout, "exactness", inlay_exactness_text(r->list[i].exactness));
        if (r->list[i].at.n > 0)
            cli_json_field(stdout, "at", r->list[i].at.bytes);
        printf("}");
    }
    printf("]");
}
