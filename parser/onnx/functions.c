/* The functions of a model, found by name. */
#include "ir/shared.h"
#include "parser/onnx/onnx.h"

#include <stdlib.h>
#include <string.h>

/* What a node says of the function that it calls, and a function of itself. */
struct called {
    const char *name, *domain, *overload;
};

static int compare_words(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_called(const struct called *a, const struct called *b)
{
    int order = compare_words(a->name, b->name);

    order = order ? order : compare_words(a->domain, b->domain);
    return order ? order : compare_words(a->overload, b->overload);
}

static struct called called_of(const Onnx__FunctionProto *f)
{
    return (struct called){f->name, f->domain, f->overload};
}

/* Orders functions of one name by their place in the model, for qsort. */
static int by_name(const void *a, const void *b)
{
    const onnx_function *f = a, *g = b;
    const struct called x = called_of(f->proto), y = called_of(g->proto);
    int order = compare_called(&x, &y);

    return order ? order : (f->place > g->place) - (f->place < g->place);
}

/* A file of a kilobyte can have functions that call each other ten times each, six deep. */
static uint64_t bound_calls(const onnx_reader *r)
{
    enum { LEAST = 100000, FOR_EACH = 100 };
    const Onnx__ModelProto *m = r->model;
    uint64_t n = m->graph ? m->graph->n_node : 0;

    if (r->a.options.max_called)
        return r->a.options.max_called;
    for (size_t i = 0; i < m->n_functions; i++)
        n += m->functions[i]->n_node;
    return n > LEAST / FOR_EACH ? n * FOR_EACH : LEAST;
}

bool onnx_count_called(onnx_reader *r, size_t n)
{
    r->n_called += n;
    if (r->n_called <= r->max_called)
        return true;
    if (r->had_error || !inlay_diags_error(r->a.d))
        inlay_fail_resource(r->a.d, &(inlay_pos){r->a.file, r->line},
                            "the functions of the model become more than %llu nodes; "
                            "--max-memory BYTES says what to hold instead",
                            (unsigned long long)r->max_called);
    return false;
}

bool onnx_list_functions(onnx_reader *r)
{
    const Onnx__ModelProto *m = r->model;

    r->max_called = bound_calls(r);
    r->functions = inlay_arena_array(r->a.scratch, m->n_functions + 1, sizeof *r->functions);
    if (!r->functions)
        return inlay_fail_memory(r->a.d);
    for (size_t i = 0; i < m->n_functions; i++)
        r->functions[i] = (onnx_function){m->functions[i], i};
    if (m->n_functions > 0)
        qsort(r->functions, m->n_functions, sizeof *r->functions, by_name);
    return true;
}

const Onnx__FunctionProto *onnx_function_of(const onnx_reader *r, const Onnx__NodeProto *node)
{
    const struct called wanted = {node->op_type, node->domain, node->overload};
    size_t from = 0, to = r->model->n_functions;
    struct called found;

    while (from < to) {
        size_t at = from + (to - from) / 2;

        found = called_of(r->functions[at].proto);
        if (compare_called(&found, &wanted) < 0)
            from = at + 1;
        else
            to = at;
    }
    if (from == r->model->n_functions)
        return NULL;
    found = called_of(r->functions[from].proto);
    return compare_called(&found, &wanted) == 0 ? r->functions[from].proto : NULL;
}
