/* The errors of values in bodies: a body is a graph of its own, which runs on what its node is given
 * in the run, the one that is chosen of an If, the first iteration of a loop. */
#include "cli/view.h"

#include <stdlib.h>
#include <string.h>

/* Returns the part of T that the first iteration takes by PORT; NULL: it is not such a part, or
 * memory is lacking. */
static inlay_tensor *first_part(const inlay_tensor *t, const inlay_port *port)
{
    int64_t dims[INLAY_MAX_RANK], size, begin;
    int axis = (int)(port->axis < 0 ? port->axis + t->rank : port->axis);

    if (!port->has_axis)
        return inlay_tensor_retain(t);
    if (axis < 0 || axis >= t->rank || port->part_size > t->dims[axis] || port->part_size < 1)
        return NULL;
    memcpy(dims, t->dims, (size_t)t->rank * sizeof *dims);
    size = dims[axis];
    begin = port->start < 0 ? port->start + size + (port->stride < 0) : port->start;
    begin -= port->stride < 0 ? port->part_size : 0;
    dims[axis] = port->part_size;
    return begin < 0 || begin + port->part_size > size
               ? NULL
               : inlay_tensor_window(t, t->rank, dims, t->strides, begin * t->strides[axis]);
}

/* The number of the first iteration, in the form of PARAM. */
static inlay_tensor *first_number(const inlay_node *param)
{
    int64_t dims[INLAY_MAX_RANK];
    const inlay_fact *f = &param->out[0].fact;

    return inlay_fact_dims(f, dims) ? inlay_tensor_new(f->type, f->rank, dims) : NULL;
}

/* Lists in IN what the Parameters of BODY are given at first; OPERANDS are those of its node. */
static bool list_inputs(const inlay_body *body, const inlay_tensor *const *operands,
                        inlay_tensor **in)
{
    bool all = true;

    for (int i = 0; i < body->n_in; i++) {
        const inlay_port *p = &body->in[i];
        const inlay_tensor *t = p->outer >= 0 ? operands[p->outer] : NULL;

        in[p->inner] = p->purpose == INLAY_PORT_ITERATION
                           ? first_number(body->graph->params[p->inner])
                       : t ? first_part(t, p)
                           : NULL;
    }
    for (int i = 0; i < body->graph->n_params; i++)
        all = all && in[i];
    return all;
}

/* A body whose Results are the values that are compared. */
struct shown {
    inlay_graph *graph;
    inlay_tensor **out;
};

static void free_shown(struct shown *s)
{
    for (int i = 0; s->graph && s->out && i < s->graph->n_results; i++)
        inlay_tensor_release(s->out[i]);
    free(s->out);
    inlay_graph_free(s->graph);
}

static bool show_value(struct shown *s, const inlay_node *n, int k, inlay_diags *d)
{
    inlay_node *mine = inlay_graph_node(s->graph, n->name);

    return mine && inlay_build_result(s->graph, NULL, &mine->out[k], d);
}

static bool run_shown(struct shown *s, const inlay_evaluator *ev, inlay_tensor *const *in,
                      inlay_diags *d)
{
    s->out = calloc((size_t)s->graph->n_results + 1, sizeof(inlay_tensor *));
    return (s->out || inlay_fail_memory(d)) &&
           ev->eval_graph(ev->ctx, s->graph, (const inlay_tensor *const *)in, s->out, NULL, d);
}

static bool is_shown(const inlay_node_pair *p, const inlay_graph *a, const inlay_graph *b)
{
    return p->a && p->b && p->a->graph == a && p->b->graph == b && p->b->n_in > 0 &&
           p->b->op->eval && p->a->op->eval && p->a->n_out == p->b->n_out;
}

/* Calls V's `add` for each value that both bodies compute. */
static bool compare_bodies(const view_bodies *v, const inlay_body *a, const inlay_body *b,
                           inlay_tensor *const *in, inlay_diags *d)
{
    struct shown of_a = {inlay_graph_clone(a->graph, d), NULL},
                 of_b = {inlay_graph_clone(b->graph, d), NULL};
    int first_a = a->graph->n_results, first_b = b->graph->n_results;
    bool ok = of_a.graph && of_b.graph;

    for (size_t i = 0; ok && i < v->diff->n; i++) {
        const inlay_node_pair *p = &v->diff->pairs[i];

        for (int k = 0; ok && is_shown(p, a->graph, b->graph) && k < p->b->n_out; k++)
            ok = show_value(&of_a, p->a, k, d) && show_value(&of_b, p->b, k, d);
    }
    ok = ok && run_shown(&of_a, v->first, in, d) && run_shown(&of_b, v->second, in, d);
    for (size_t i = 0; ok && i < v->diff->n; i++) {
        const inlay_node_pair *p = &v->diff->pairs[i];

        for (int k = 0; is_shown(p, a->graph, b->graph) && k < p->b->n_out; k++)
            v->add(v->ctx, p->b, of_a.out[first_a++], of_b.out[first_b++]);
    }
    free_shown(&of_a);
    free_shown(&of_b);
    return ok;
}

/* Which body runs at first. */
static int chosen(const inlay_node *n, const inlay_tensor *const *operands)
{
    if (n->n_bodies == 1)
        return 0;
    return operands[0] && operands[0]->type == INLAY_BOOLEAN && inlay_tensor_count(operands[0]) > 0
               ? inlay_tensor_get_i64(operands[0], 0) == 0
               : -1;
}

/* Says in D if memory was lacking. */
static bool had_memory(const inlay_diags *said, inlay_diags *d)
{
    for (size_t i = 0; i < inlay_diags_count(said); i++) {
        if (inlay_diags_at(said, i)->status == INLAY_NO_RESOURCE) {
            cli_record_again(inlay_diags_at(said, i), d);
            return false;
        }
    }
    return true;
}

bool view_compare_bodies(const view_bodies *v, const inlay_node *a, const inlay_node *b,
                         const inlay_tensor *const *operands, inlay_diags *d)
{
    int which = chosen(b, operands);
    inlay_diags *said = inlay_diags_new();
    const inlay_body *of_a = which < 0 || which >= a->n_bodies ? NULL : &a->bodies[which],
                     *of_b = which < 0 || which >= b->n_bodies ? NULL : &b->bodies[which];
    bool same = of_a && of_b && of_a->graph && of_b->graph &&
                of_a->graph->n_params == of_b->graph->n_params;
    size_t n = same ? (size_t)of_a->graph->n_params : 0;
    inlay_tensor **in = calloc(n + 1, sizeof *in);
    bool ok = (said && in) || inlay_fail_memory(d);

    if (said && in && same && list_inputs(of_a, operands, in))
        compare_bodies(v, of_a, of_b, in, said);
    for (size_t i = 0; in && i < n; i++)
        inlay_tensor_release(in[i]);
    free(in);
    ok = ok && had_memory(said, d);
    inlay_diags_free(said);
    return ok;
}
