/* What refutes an equality: the inputs, and what both graphs make of them. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static void print_tensor(const char *what, const char *name, const inlay_tensor *t)
{
    printf("  %s \"%s\": ", what, name);
    cli_print_type(stdout, t->type, t->rank, t->dims);
    printf("\n");
    cli_print_tensor(stdout, t, 4);
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

/* Prints what G gives, or why it fails. */
static void print_results(const char *what, const inlay_graph *g, const inlay_evaluator *ev,
                          const inlay_tensor *const *in)
{
    inlay_diags *d = inlay_diags_new();
    const char *const *names = inlay_result_names(g, d);
    inlay_tensor **out = calloc((size_t)g->n_results + 1, sizeof *out);
    char gives[32];

    snprintf(gives, sizeof gives, "%s gives", what);
    if (out && names && ev->eval_graph(ev->ctx, g, in, out, NULL, d)) {
        for (int i = 0; i < g->n_results; i++)
            print_tensor(gives, names[i], out[i]);
    } else if (inlay_diags_error(d)) {
        printf("  %s fails: %s\n", what, inlay_diags_error(d)->text);
    }
    for (int i = 0; out && i < g->n_results; i++)
        inlay_tensor_release(out[i]);
    free(out);
    inlay_diags_free(d);
}

void cli_print_refutation(const inlay_graph *a, const inlay_evaluator *first, const inlay_graph *b,
                          const inlay_evaluator *second, const inlay_tensor *const *in)
{
    const inlay_tensor **other = calloc((size_t)b->n_params + 1, sizeof *other);

    for (int i = 0; i < a->n_params; i++)
        print_tensor("input", a->params[i]->name, in[i]);
    if (other && a->n_variables == 0 && b->n_params == a->n_params &&
        !cli_order_inputs(a, in, b, other)) {
        print_results("the first", a, first, in);
        print_results("the second", b, second, other);
    }
    free(other);
}

/* A rule that is applied once, because one such as Subtract(a, b) => Subtract(b, a) undoes itself. */
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
static void compare(const inlay_graph *a, const inlay_graph *b, const inlay_evaluator *reference,
                    inlay_diags *d)
{
    inlay_tensor **in = calloc((size_t)a->n_params + 1, sizeof(inlay_tensor *));
    const inlay_verify_options o = {.kept = in, .may_mend = true};
    inlay_verify_result r;

    if (in && inlay_verify(a, reference, b, reference, &o, &r, d) && r.verdict == INLAY_NOT_SAME &&
        r.counted > 0)
        cli_print_refutation(a, reference, b, reference, (const inlay_tensor *const *)in);
    for (int i = 0; in && i < a->n_params; i++)
        inlay_tensor_release(in[i]);
    free(in);
}

void cli_print_refuted_rule(const inlay_rules *rules, const char *name, const char *text)
{
    const inlay_exec_options limits = {.max_memory = (uint64_t)1 << 26};
    const inlay_evaluator reference = inlay_reference_evaluator(&limits);
    inlay_diags *d = inlay_diags_new();
    inlay_graph *a = inlay_read_text(name, text, strlen(text), NULL, d);
    inlay_graph *b = a ? inlay_graph_clone(a, d) : NULL;

    if (b && apply(b, rules, name, &reference, d))
        compare(a, b, &reference, d);
    inlay_graph_free(a);
    inlay_graph_free(b);
    inlay_diags_free(d);
}
