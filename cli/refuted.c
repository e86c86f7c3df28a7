/* What refutes an equality: the inputs, and what both graphs make of them. As JSON these are the
 * fields "inputs", "first" and "second": lists of tensors, or the words of the error. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static void print_tensor(FILE *f, const char *what, const char *name, const inlay_tensor *t)
{
    fprintf(f, "  %s \"%s\": ", what, name);
    cli_print_type(f, t->type, t->rank, t->dims);
    fputc('\n', f);
    cli_print_tensor(f, t, 4);
}

static void json_tensors(FILE *f, const char *field, const char *const *names,
                         const inlay_tensor *const *tensors, int n)
{
    fprintf(f, ", \"%s\": [", field);
    for (int i = 0; i < n; i++) {
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
    for (int i = 0; i < n; i++)
        print_tensor(p->file, gives, names[i], tensors[i]);
}

/* Prints what G gives, or why it fails. WHAT: "first" or "second". */
static void print_results(const cli_printer *p, const char *what, const inlay_graph *g,
                          const inlay_evaluator *ev, const inlay_tensor *const *in)
{
    inlay_diags *d = inlay_diags_new();
    const char *const *names = inlay_result_names(g, d);
    inlay_tensor **out = calloc((size_t)g->n_results + 1, sizeof *out);

    if (out && names && ev->eval_graph(ev->ctx, g, in, out, NULL, d))
        print_tensors(p, what, names, (const inlay_tensor *const *)out, g->n_results);
    else if (inlay_diags_error(d) && p->json)
        cli_json_field(p->file, what, inlay_diags_error(d)->text);
    else if (inlay_diags_error(d))
        fprintf(p->file, "  the %s fails: %s\n", what, inlay_diags_error(d)->text);
    for (int i = 0; out && i < g->n_results; i++)
        inlay_tensor_release(out[i]);
    free(out);
    inlay_diags_free(d);
}

void cli_print_refutation(const cli_printer *p, const inlay_graph *a, const inlay_evaluator *first,
                          const inlay_graph *b, const inlay_evaluator *second,
                          const inlay_tensor *const *in)
{
    const inlay_tensor **other = calloc((size_t)b->n_params + 1, sizeof *other);

    if (a->n_params > 0 && !in[0]) {
        free(other);
        return;
    }
    print_inputs(p, a, in);
    if (other && a->n_variables == 0 && b->n_params == a->n_params &&
        !cli_order_inputs(a, in, b, other)) {
        print_results(p, "first", a, first, in);
        print_results(p, "second", b, second, other);
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
static void compare(const cli_printer *p, const inlay_graph *a, const inlay_graph *b,
                    const inlay_evaluator *reference, inlay_diags *d)
{
    inlay_tensor **in = calloc((size_t)a->n_params + 1, sizeof(inlay_tensor *));
    const inlay_verify_options o = {.kept = in, .may_mend = true};
    inlay_verify_result r;

    if (in && inlay_verify(a, reference, b, reference, &o, &r, d) && r.verdict == INLAY_NOT_SAME &&
        r.counted > 0)
        cli_print_refutation(p, a, reference, b, reference, (const inlay_tensor *const *)in);
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
