/* What refutes an equality: the inputs, and what both graphs make of them. As JSON these are the
 * fields "inputs", "first" and "second": lists of tensors, or the words of the error. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

void cli_guess_rule(cli_near_rule *near, const char *name, const inlay_rules *rules)
{
    inlay_guess guess = {.word = name, .length = strlen(name)};

    for (size_t i = 0; i < inlay_rules_count(rules); i++)
        inlay_guess_try(&guess, inlay_rules_at(rules, i).name);
    if (guess.best)
        inlay_guess_text(&guess, near->text, sizeof near->text);
}

static void print_tensor(FILE *f, const char *what, const char *name, const inlay_tensor *t)
{
    cli_say(f, "  %s \"%s\": ", what, name);
    cli_print_type(f, t->type, t->rank, t->dims);
    fputc('\n', f);
    cli_print_tensor(f, t, 4);
}

static void json_tensors(FILE *f, const char *field, const char *const *names,
                         const inlay_tensor *const *tensors, int n)
{
    cli_say(f, ", \"%s\": [", field);
    for (int i = 0; i < n; i++) {
        if (!tensors[i]) /* a variable that was never set */
            continue;
        fputs(i > 0 ? ", " : "", f);
        cli_json_tensor(f, names[i], tensors[i]);
    }
    fputc(']', f);
}

const inlay_node *cli_order_inputs(const inlay_graph *a, const inlay_tensor *const *in,
                                   const inlay_graph *b, const inlay_tensor **out)
{
    for (int i = 0; i < b->n_params; i++) {
        const char *name = b->params[i]->name;
        int k = inlay_graph_find_input(a, name, strlen(name));

        k = k < 0 && a->n_params == b->n_params ? i : k;
        if (k < 0)
            return b->params[i];
        out[i] = in[k];
    }
    return NULL;
}

static void print_inputs(const cli_printer *p, const inlay_graph *g, const inlay_tensor *const *in)
{
    const char **names = calloc((size_t)g->n_params + 1, sizeof *names);

    for (int i = 0; names && i < g->n_params; i++) {
        names[i] = g->params[i]->name;
        if (!p->json)
            print_tensor(p->file, "input", names[i], in[i]);
    }
    if (names && p->json)
        json_tensors(p->file, "inputs", names, in, g->n_params);
    free(names);
}

static void print_tensors(const cli_printer *p, const char *what, const char *const *names,
                          const inlay_tensor *const *tensors, int n)
{
    char gives[32];

    if (p->json) {
        json_tensors(p->file, what, names, tensors, n);
        return;
    }
    snprintf(gives, sizeof gives, "the %s gives", what);
    for (int i = 0; i < n; i++) {
        if (tensors[i])
            print_tensor(p->file, gives, names[i], tensors[i]);
    }
}

/* Recorders */

static void forget(cli_recorder *r)
{
    for (int i = 0; r->out && i < r->n; i++)
        inlay_tensor_release(r->out[i]);
    free(r->out);
    r->out = NULL;
    r->n = 0;
}

static bool record(void *ctx, const inlay_graph *g, const inlay_tensor *const *in,
                   inlay_tensor **out, inlay_tensor **variables, inlay_diags *d)
{
    cli_recorder *r = ctx;
    int n = g->n_results, more = variables ? g->n_variables : 0;
    bool ok = r->of.eval_graph(r->of.ctx, g, in, out, variables, d);

    forget(r);
    *r->why = '\0';
    r->out = ok ? calloc((size_t)(n + more) + 1, sizeof(inlay_tensor *)) : NULL;
    for (int i = 0; r->out && i < n + more; i++)
        r->out[r->n++] = inlay_tensor_retain(i < n ? out[i] : variables[i - n]);
    if (!ok && inlay_diags_error(d))
        snprintf(r->why, sizeof r->why, "%s", inlay_diags_error(d)->text);
    return ok;
}

static bool pass_on(void *ctx, const inlay_node *n, const inlay_tensor *const *in,
                    inlay_tensor **out, inlay_diags *d)
{
    const cli_recorder *r = ctx;

    return r->of.eval_node(r->of.ctx, n, in, out, d);
}

inlay_evaluator cli_record(cli_recorder *r, const inlay_evaluator *ev)
{
    *r = (cli_recorder){.of = *ev};
    return (inlay_evaluator){pass_on, record, r};
}

/* Prints what G gave, and the state that it left, or why it failed. WHAT: "first" or "second". */
static void print_results(const cli_printer *p, const char *what, const inlay_graph *g,
                          const cli_recorder *r)
{
    const char *const *results = inlay_result_names(g, NULL);
    const char **names = calloc((size_t)r->n + 1, sizeof *names);

    for (int i = 0; names && results && i < r->n; i++)
        names[i] = i < g->n_results ? results[i] : g->variables[i - g->n_results]->name;
    if (*r->why && p->json)
        cli_json_field(p->file, what, r->why);
    else if (*r->why)
        cli_say(p->file, "  the %s fails: %s\n", what, r->why);
    else if (names && results && r->out)
        print_tensors(p, what, names, (const inlay_tensor *const *)r->out, r->n);
    free(names);
}

void cli_print_refutation(const cli_printer *p, const inlay_graph *a, const cli_recorder *first,
                          const inlay_graph *b, const cli_recorder *second,
                          const inlay_tensor *const *in)
{
    if (a->n_params > 0 && !in[0])
        return;
    print_inputs(p, a, in);
    print_results(p, "first", a, first);
    print_results(p, "second", b, second);
}

void cli_free_recorder(cli_recorder *r)
{
    forget(r);
}

/* A rule that is applied once, because one such as Subtract(a, b) => Subtract(b, a) undoes itself.
 */
struct once {
    const char *rule;
    bool done;
};

static bool let_once(void *ctx, const inlay_event *e, inlay_diags *d)
{
    struct once *o = ctx;
    const inlay_application *a = &(inlay_application){0};

    (void)d;
    if (e->kind == INLAY_EVENT_WILL_APPLY || e->kind == INLAY_EVENT_APPLIED)
        a = e->as.application;
    o->done = o->done || (e->kind == INLAY_EVENT_APPLIED && a->rule);
    return e->kind != INLAY_EVENT_WILL_APPLY || !a->rule ||
           (!o->done && strcmp(a->rule->name, o->rule) == 0);
}

/* Applies the rule called NAME to G. */
static bool apply(inlay_graph *g, const inlay_rules *rules, const char *name,
                  const inlay_evaluator *reference, inlay_diags *d)
{
    struct once once = {name, false};
    const inlay_pass_options o = {.passes = "rules",
                                  .evaluator = reference,
                                  .rules = &rules,
                                  .n_rules = 1,
                                  .events = {let_once, &once, false}};

    return inlay_run_passes(g, &o, d);
}

/* Compares A, and what the rule makes of it, and prints a difference. */
static void compare(const cli_printer *p, const inlay_graph *a, const inlay_graph *b,
                    const inlay_evaluator *reference, inlay_diags *d)
{
    inlay_tensor **in = calloc((size_t)a->n_params + 1, sizeof(inlay_tensor *));
    const inlay_verify_options o = {.kept = in, .may_mend = true};
    inlay_verify_result r;
    cli_recorder of_a, of_b;
    const inlay_evaluator first = cli_record(&of_a, reference),
                          second = cli_record(&of_b, reference);

    if (in && inlay_verify(a, &first, b, &second, &o, &r, d) && r.verdict == INLAY_NOT_SAME &&
        r.counted > 0)
        cli_print_refutation(p, a, &of_a, b, &of_b, (const inlay_tensor *const *)in);
    cli_free_recorder(&of_a);
    cli_free_recorder(&of_b);
    for (int i = 0; in && i < a->n_params; i++)
        inlay_tensor_release(in[i]);
    free(in);
}

void cli_print_refuted_rule(const cli_printer *p, const inlay_rules *rules, const char *name,
                            const char *text)
{
    const inlay_exec_options limits = {.max_memory = (uint64_t)1 << 26};
    const inlay_evaluator reference = inlay_reference_evaluator(&limits);
    inlay_diags *d = inlay_diags_new();
    inlay_graph *a = inlay_read_text(name, text, strlen(text), NULL, d);
    inlay_graph *b = a ? inlay_graph_clone(a, d) : NULL;

    if (b && apply(b, rules, name, &reference, d))
        compare(p, a, b, &reference, d);
    inlay_graph_free(a);
    inlay_graph_free(b);
    inlay_diags_free(d);
}
