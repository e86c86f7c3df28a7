/* hoist-products: multiplies all parts of a loop's input at once, instead of a part in each
 * iteration.
 *
 *     y = TensorIterator(x)      body    p -> Add(MatMul(Squeeze(p), w), ...)    p is a part of x
 *
 *     m = MatMul(x, w);  y = TensorIterator(m)      body    q -> Add(Squeeze(q), ...)
 *
 * A Loop may take its parts itself: Gather(x, i), i being the number of the iteration.
 *
 * Each row of a product is computed by the same operations in the same order, whatever rows there
 * are beside it. A few rows read all weights in each iteration; many at once read them once. */
#include "passes/control/control.h"

#include <string.h>

enum { FEW_ROWS = 16 }; /* of a part; reading the weights for more takes less than the product */

struct product {
    inlay_node *n;
    inlay_body *body;
    struct control_ports ports;
    inlay_node *at;           /* the product in the body; */
    const inlay_port *cut;    /* its rows enter by this port, in parts */
    int64_t axis;             /* along this axis; */
    const inlay_node *gather; /* or this node takes them from what enters by that port; or NULL */
    inlay_value *weights;     /* and its second operand outside; NULL: a constant of the body */
    inlay_diags *diags;
};

/* Is N the operation NAME, not one of that name that a program added? */
static bool is_called(const inlay_node *n, const char *name)
{
    return n->op->kind != INLAY_OP_ADDED && strcmp(n->op->name, name) == 0;
}

static bool is_matrix(const inlay_fact *f)
{
    return f->rank == 2 && inlay_type_is_float(f->type) && inlay_dim_is_static(f->dims[0]) &&
           inlay_dim_is_static(f->dims[1]);
}

static bool find_weights(struct product *p)
{
    const inlay_value *w = p->at->in[1].value;
    int param = p->ports.param[w->node->id];

    p->weights = param >= 0 ? control_entering(&p->ports, p->n, param) : NULL;
    return is_matrix(&w->fact) && (p->weights || w->fact.content);
}

static bool find_parts(struct product *p)
{
    const inlay_value *rows = p->at->in[0].value, *part = control_strip(rows);
    int param = p->ports.param[part->node->id], port = param < 0 ? -1 : p->ports.entry[param];

    p->cut = port < 0 ? NULL : &p->body->in[port];
    return p->cut && p->cut->outer >= 0 && p->cut->purpose == INLAY_PORT_PLAIN &&
           !p->ports.carried[param] && is_matrix(&rows->fact) &&
           rows->fact.dims[0].lo <= FEW_ROWS && control_cuts(p->cut, &p->axis) &&
           control_is_flat(&part->fact, p->axis, &rows->fact) &&
           control_parts_enter(inlay_node_input(p->n, p->cut->outer), p->axis, part->node);
}

/* Is the value of PARAM the number of the iteration? */
static bool is_number(const struct product *p, int param)
{
    int port = param < 0 ? -1 : p->ports.entry[param];

    return port >= 0 && p->body->in[port].purpose == INLAY_PORT_ITERATION;
}

/* Are the rows what a Gather takes by the number of the iteration, and are most rows taken? */
static bool find_gathered(struct product *p)
{
    const inlay_value *rows = p->at->in[0].value;
    const inlay_node *g = rows->node;
    const inlay_value *x =
        is_called(g, "Gather") && !inlay_node_int(g, "batch_dims") ? g->in[0].value : NULL;
    int param = x ? p->ports.param[x->node->id] : -1, port = param < 0 ? -1 : p->ports.entry[param];
    int64_t axis;

    if (port < 0 || x->fact.rank != 3 || !control_entering(&p->ports, p->n, param) ||
        !is_number(p, p->ports.param[g->in[1].value->node->id]) || g->in[1].value->fact.rank != 0 ||
        !inlay_value_integer(g->in[2].value, &axis) || axis != 0 || !is_matrix(&rows->fact) ||
        rows->fact.dims[0].lo > FEW_ROWS || !inlay_dim_is_static(x->fact.dims[0]) ||
        inlay_node_iterations(p->n) < x->fact.dims[0].lo / 2 + 1)
        return false;
    p->cut = &p->body->in[port];
    p->gather = g;
    return true;
}

/* Is M a product of a part's rows and of weights that are the same in each iteration? */
static bool is_one(struct product *p, inlay_node *m)
{
    p->at = m;
    p->gather = NULL;
    return is_called(m, "MatMul") && !inlay_node_bool(m, "transpose_a") &&
           (find_parts(p) || find_gathered(p)) && find_weights(p);
}

/* Returns the product of all parts, outside. */
static inlay_value *multiply(struct product *p)
{
    const inlay_value *w = p->at->in[1].value;
    inlay_value *in[] = {inlay_node_input(p->n, p->cut->outer), p->weights};
    inlay_node *all;

    if (!in[1])
        in[1] = inlay_build_const(p->n->graph, w->node->name, w->fact.content, p->diags);
    all = in[1] ? inlay_node_clone(p->n->graph, p->at, in, p->diags) : NULL;
    return all && inlay_infer_node(all, p->diags) ? &all->out[0] : NULL;
}

/* Returns OP(A, B) in the body. */
static inlay_value *build(struct product *p, const char *op, inlay_value *a, inlay_value *b)
{
    inlay_value *in[] = {a, b};
    inlay_node *n = a && b ? inlay_build(p->body->graph, NULL, op, in, 2, NULL, p->diags) : NULL;

    return n ? &n->out[0] : NULL;
}

/* Returns the row of V that the Gather would take. */
static inlay_value *take(struct product *p, inlay_value *v)
{
    inlay_value *in[] = {v, p->gather->in[1].value, p->gather->in[2].value};
    inlay_node *g = inlay_node_clone(p->body->graph, p->gather, in, p->diags);

    return g && inlay_infer_node(g, p->diags) ? &g->out[0] : NULL;
}

/* Lets V, the next input of the node, enter the body as P's rows do. Returns the part of it that
 * belongs to an iteration. */
static inlay_value *enter(struct product *p, const inlay_value *v)
{
    inlay_shape shape = {.rank = v->fact.rank};
    inlay_port port = *p->cut;
    inlay_value *part;

    for (int i = 0; i < shape.rank; i++)
        shape.dim[i] = !p->gather && i == p->axis ? inlay_dim_of(1) : v->fact.dims[i];
    part = inlay_build_parameter(p->body->graph, p->at->name, v->fact.type, &shape, p->diags);
    port.outer = p->n->n_in;
    port.inner = p->body->graph->n_params - 1;
    if (!part || !control_add_port(p->body, &port, p->diags))
        return NULL;
    return p->gather ? take(p, part)
                     : build(p, "Squeeze", part,
                             inlay_build_i64_list(p->body->graph, NULL, &p->axis, 1, p->diags));
}

static bool move(struct product *p)
{
    inlay_value *all = multiply(p), *part = all ? enter(p, all) : NULL;

    return part && inlay_node_add_inputs(p->n, &all, 1, p->diags) &&
           inlay_value_replace(&p->at->out[0], part, p->diags) &&
           inlay_node_remove(p->at, p->diags);
}

/* Moves the first product of the body, if there is one. */
static bool move_one(inlay_node *n, bool *done, pass_run *r)
{
    struct product p = {.n = n, .body = n->bodies, .diags = r->diags};
    bool ok = control_ports_make(&p.ports, p.body, r->diags);
    inlay_node *m = ok ? p.body->graph->first : NULL;

    while (m && !is_one(&p, m))
        m = m->next;
    *done = m && inlay_pass_begin(r, n);
    ok = ok && !r->failed;
    if (*done)
        ok = move(&p) && control_tidy(n, r->diags) && inlay_pass_end(r, true);
    control_ports_free(&p.ports);
    return ok;
}

bool pass_hoist_products(inlay_graph *g, pass_run *r)
{
    bool ok = true, done;

    for (inlay_node *n = inlay_graph_had_bodies(g) ? g->first : NULL; ok && n; n = n->next) {
        done = n->n_bodies == 1;
        while (ok && done)
            ok = move_one(n, &done, r);
    }
    return ok;
}
