/* What colours the boxes of a page: the time of each step, the error of each value. */
#include "cli/view.h"

#include "cli/bench.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 28 }; /* of a report of bench */

static const double seconds = 0.3; /* of measuring */

void view_free_numbers(view_numbers *n)
{
    for (size_t i = 0; i < n->n; i++)
        free((void *)n->overlays[i].list);
    n->n = 0;
}

/* Adds an overlay with room for N numbers; NULL without memory. */
static inlay_view_number *add(view_numbers *out, const char *name, const char *unit, size_t n,
                              inlay_diags *d)
{
    inlay_view_number *list = calloc(n + 1, sizeof *list);

    if (!list)
        inlay_fail_memory(d);
    else
        out->overlays[out->n++] = (inlay_view_overlay){name, unit, list, 0};
    return list;
}

static bool make_inputs(const struct view *o, const inlay_graph *g, cli_inputs *in, inlay_diags *d)
{
    return cli_make_inputs(o->self, g, &o->inputs, o->model.memory, in, d);
}

static bool measure_times(const struct view *o, const inlay_graph *g, view_numbers *out,
                          inlay_diags *d)
{
    const inlay_exec_options exec = {.max_memory = o->model.memory,
                                     .max_iterations = o->model.iterations};
    cli_inputs in = {0};
    bench_steps steps = {0};
    inlay_view_number *list = NULL;
    bool ok = make_inputs(o, g, &in, d) && bench_profile(g, &exec, &in, seconds, &steps, d) &&
              (list = add(out, "time", "us", steps.n, d)) != NULL;

    for (size_t i = 0; ok && i < steps.n; i++)
        list[out->overlays[out->n - 1].n++] =
            (inlay_view_number){steps.list[i].node, steps.list[i].us};
    bench_free_steps(&steps);
    cli_free_inputs(&in);
    return ok;
}

/* The node called NAME in G or in a body; recursion is bounded, because the nesting is. */
static const inlay_node *find_node(const inlay_graph *g, const char *name)
{
    const inlay_node *found = inlay_graph_node(g, name);

    for (const inlay_node *n = g->first; n && !found; n = n->next) {
        for (int i = 0; i < n->n_bodies && !found; i++)
            found = n->bodies[i].graph ? find_node(n->bodies[i].graph, name) : NULL;
    }
    return found;
}

static bool take_steps(const cJSON *steps, const char *path, const inlay_graph *g,
                       view_numbers *out, inlay_diags *d)
{
    const inlay_pos pos = {path, 0};
    inlay_view_number *list;
    const cJSON *step;

    if (!cJSON_IsArray(steps))
        return inlay_fail(d, &pos,
                          "there is no list \"steps\": what `inlay bench --json` prints "
                          "is expected");
    list = add(out, "time", "us", (size_t)cJSON_GetArraySize(steps), d);
    cJSON_ArrayForEach(step, steps)
    {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(step, "name"),
                    *us = cJSON_GetObjectItemCaseSensitive(step, "us");
        const inlay_node *n;

        if (!cJSON_IsString(name) || !cJSON_IsNumber(us))
            return inlay_fail(d, &pos,
                              "a step has no \"name\" that is a text and \"us\" that is "
                              "a number");
        n = list ? find_node(g, name->valuestring) : NULL;
        if (n)
            list[out->overlays[out->n - 1].n++] = (inlay_view_number){n, us->valuedouble};
    }
    return list != NULL;
}

static bool read_times(const char *path, const inlay_graph *g, view_numbers *out, inlay_diags *d)
{
    const inlay_pos pos = {path, 0};
    inlay_strbuf b = {0};
    char *text = NULL;
    cJSON *json;
    bool ok;

    if (cli_read_text(fopen(path, "rb"), path, MOST_BYTES, "a report of bench", &b, d)) {
        text = b.bytes;
        if (!text)
            inlay_fail(d, &pos, "the file is empty");
    }
    errno = 0;
    json = text ? cJSON_Parse(text) : NULL;
    ok = json && take_steps(cJSON_GetObjectItemCaseSensitive(json, "steps"), path, g, out, d);

    if (text && !json && errno == ENOMEM)
        inlay_fail_memory(d);
    else if (text && !json)
        inlay_fail(d, &pos, "this is no JSON: what `inlay bench --json` prints is expected");
    cJSON_Delete(json);
    inlay_strbuf_free(&b);
    return ok;
}

/* Values of one graph that are kept in a run, by the name that inlay_exec_options wants. */
struct kept {
    char **names;
    const inlay_value **values;
    int n;
    inlay_program *program;
    inlay_session *session;
};

static void free_kept(struct kept *k)
{
    inlay_session_free(k->session);
    inlay_program_free(k->program);
    for (int i = 0; k->names && i < k->n; i++)
        free(k->names[i]);
    free(k->names);
    free((void *)k->values);
}

static bool keep(struct kept *k, const inlay_value *v)
{
    size_t size = strlen(v->node->name) + 16;
    char *name = malloc(size);

    if (!name)
        return false;
    if (v->node->n_out > 1)
        snprintf(name, size, "%s.%d", v->node->name, v->index);
    else
        snprintf(name, size, "%s", v->node->name);
    k->names[k->n] = name;
    k->values[k->n++] = v;
    return true;
}

static bool begin_kept(struct kept *k, size_t most, inlay_diags *d)
{
    k->names = calloc(most + 1, sizeof *k->names);
    k->values = calloc(most + 1, sizeof *k->values);
    return (k->names && k->values) || inlay_fail_memory(d);
}

static bool is_computed(const inlay_node *n)
{
    return n->n_in > 0 && n->n_out > 0 && n->op->eval;
}

/* How many values the second graph of DIFF has, those in bodies included. */
static size_t count_values(const inlay_diff *diff)
{
    size_t n = 0;

    for (size_t i = 0; i < diff->n; i++)
        n += diff->pairs[i].b ? (size_t)diff->pairs[i].b->n_out : 0;
    return n;
}

/* Lists the values of DIFF that both graphs compute. */
static bool list_pairs(const inlay_diff *diff, const inlay_graph *a, const inlay_graph *b,
                       struct kept *of_a, struct kept *of_b, inlay_diags *d)
{
    size_t most = count_values(diff);

    if (!begin_kept(of_a, most, d) || !begin_kept(of_b, most, d))
        return false;
    for (size_t i = 0; i < diff->n; i++) {
        const inlay_node_pair *p = &diff->pairs[i];

        if (!p->a || !p->b || p->a->graph != a || p->b->graph != b || !is_computed(p->a) ||
            !is_computed(p->b))
            continue;
        for (int k = 0; k < p->b->n_out && k < p->a->n_out; k++) {
            if (!keep(of_a, &p->a->out[k]) || !keep(of_b, &p->b->out[k]))
                return inlay_fail_memory(d);
        }
    }
    return true;
}

static bool run_kept(const struct view *o, const inlay_graph *g, inlay_exec_mode mode,
                     const inlay_tensor *const *in, struct kept *k, inlay_diags *d)
{
    const inlay_exec_options exec = {.mode = mode,
                                     .max_memory = o->model.memory,
                                     .max_iterations = o->model.iterations,
                                     .keep = (const char *const *)k->names,
                                     .n_keep = k->n};
    inlay_tensor **out = calloc((size_t)g->n_results + 1, sizeof(inlay_tensor *));
    bool ok = (out || inlay_fail_memory(d)) && (k->program = inlay_compile(g, &exec, d)) &&
              (k->session = inlay_session_new(k->program, d)) &&
              inlay_session_run(k->session, in, NULL, out, d);

    for (int i = 0; out && i < g->n_results; i++)
        inlay_tensor_release(out[i]);
    free(out);
    return ok;
}

static bool is_number(const inlay_tensor *t)
{
    inlay_type_class c = inlay_type_info_of(t->type)->cls;

    return c == INLAY_CLASS_FLOAT || c == INLAY_CLASS_SIGNED || c == INLAY_CLASS_UNSIGNED ||
           c == INLAY_CLASS_BOOLEAN;
}

/* The largest difference, as a part of the largest number of A. What cannot be compared, and what
 * is finite on one side only, is infinitely far apart. */
static double error_of(const inlay_tensor *a, const inlay_tensor *b)
{
    double most = 0, largest = 0;
    int64_t n = inlay_tensor_count(a);

    if (!is_number(a) || !is_number(b) || inlay_tensor_count(b) != n)
        return INFINITY;
    for (int64_t i = 0; i < n; i++) {
        double x = inlay_tensor_get_f64(a, i), y = inlay_tensor_get_f64(b, i);

        if (isfinite(x) != isfinite(y) || isnan(x) != isnan(y))
            return INFINITY;
        if (!isfinite(x))
            continue;
        most = fabs(x - y) > most ? fabs(x - y) : most;
        largest = fabs(x) > largest ? fabs(x) : largest;
    }
    return largest > 0 ? most / largest : most;
}

/* Adds the error of Y, which node N of the second graph has made, to the last overlay. */
static void add_error(void *ctx, const inlay_node *n, const inlay_tensor *x, const inlay_tensor *y)
{
    view_numbers *out = ctx;
    inlay_view_overlay *o = &out->overlays[out->n - 1];

    if (x && y && (is_number(x) || is_number(y)))
        ((inlay_view_number *)o->list)[o->n++] = (inlay_view_number){n, error_of(x, y)};
}

static bool compare_kept(const struct kept *a, const struct kept *b, size_t most, view_numbers *out,
                         inlay_diags *d)
{
    inlay_view_number *list = add(out, "error", "", most, d);

    for (int i = 0; list && i < b->n; i++)
        add_error(out, b->values[i]->node, inlay_session_kept(a->session, i),
                  inlay_session_kept(b->session, i));
    return list != NULL;
}

/* The elements of V, a value of the graph whose values are KEPT and whose inputs are IN; NULL: they
 * are not known. */
static const inlay_tensor *elements_of(const inlay_value *v, const struct kept *kept,
                                       inlay_tensor *const *in)
{
    const inlay_graph *g = v->node->graph;
    const inlay_attr *value =
        inlay_node_is(v->node, INLAY_OP_CONST) ? inlay_node_attr(v->node, "value") : NULL;
    const inlay_tensor *t = value ? value->as.tensor : NULL;

    for (int i = 0; !t && i < g->n_params; i++)
        t = g->params[i] == v->node ? in[i] : NULL;
    for (int i = 0; !t && i < kept->n; i++)
        t = kept->values[i] == v ? inlay_session_kept(kept->session, i) : NULL;
    return t;
}

/* Compares what is in the bodies of A and B, two nodes of the outermost graphs. */
static bool compare_in(const view_bodies *how, const inlay_node *a, const inlay_node *b,
                       const struct kept *of_a, const cli_inputs *in, inlay_diags *d)
{
    const inlay_tensor **operands = calloc((size_t)a->n_in + 1, sizeof *operands);
    bool ok = operands || inlay_fail_memory(d);

    for (int i = 0; ok && i < a->n_in; i++)
        operands[i] = a->in[i].value ? elements_of(a->in[i].value, of_a, in->tensors) : NULL;
    ok = ok && view_compare_bodies(how, a, b, operands, d);
    free((void *)operands);
    return ok;
}

static bool compare_bodies(const struct view *o, const inlay_diff *diff, const struct kept *of_a,
                           const cli_inputs *in, view_numbers *out, inlay_diags *d)
{
    inlay_exec_options limits = {.max_memory = o->model.memory,
                                 .max_iterations = o->model.iterations};
    const inlay_evaluator first = inlay_reference_evaluator(&limits),
                          second = inlay_planned_evaluator(&limits);
    const view_bodies how = {diff, &first, &second, add_error, out};
    bool ok = true;

    for (size_t i = 0; ok && i < diff->n; i++) {
        const inlay_node *a = diff->pairs[i].a, *b = diff->pairs[i].b;

        if (a && b && a->n_bodies > 0 && !a->graph->owner)
            ok = compare_in(&how, a, b, of_a, in, d);
    }
    return ok;
}

static bool take_inputs(const inlay_graph *a, const cli_inputs *in, const inlay_graph *b,
                        const inlay_tensor **out, inlay_diags *d)
{
    const inlay_node *missing =
        cli_order_inputs(a, (const inlay_tensor *const *)in->tensors, b, out);

    return !missing ||
           inlay_fail(d, NULL, "--values: input \"%s\" is not there in both models", missing->name);
}

/* Runs A by the reference and B as planned, and compares what they compute. */
static bool measure_errors(const struct view *o, const inlay_graph *a, const inlay_graph *b,
                           view_numbers *out, inlay_diags *d)
{
    const inlay_tensor **in_b = calloc((size_t)b->n_params + 1, sizeof *in_b);
    struct kept of_a = {0}, of_b = {0};
    inlay_diff diff = {0};
    cli_inputs in = {0};
    bool ok =
        (in_b || inlay_fail_memory(d)) && make_inputs(o, a, &in, d) &&
        take_inputs(a, &in, b, in_b, d) && inlay_diff_graphs(a, b, &diff, d) &&
        list_pairs(&diff, a, b, &of_a, &of_b, d) &&
        run_kept(o, a, INLAY_EXEC_REFERENCE, (const inlay_tensor *const *)in.tensors, &of_a, d) &&
        run_kept(o, b, INLAY_EXEC_PLANNED, in_b, &of_b, d) &&
        compare_kept(&of_a, &of_b, count_values(&diff), out, d) &&
        compare_bodies(o, &diff, &of_a, &in, out, d);

    free_kept(&of_a);
    free_kept(&of_b);
    inlay_diff_free(&diff);
    cli_free_inputs(&in);
    free((void *)in_b);
    return ok;
}

bool view_measure(const struct view *o, inlay_graph *g, const inlay_graph *other, view_numbers *out,
                  inlay_diags *d)
{
    bool ok = !o->time || measure_times(o, g, out, d);

    ok = ok && (!o->bench || read_times(o->bench, g, out, d));
    return ok && (!o->values || measure_errors(o, other ? other : g, g, out, d));
}
