/* hoist-products: multiplies all parts of a loop's input at once, instead of a part in each
 * iteration.
 *
 *     y = TensorIterator(x)      body    p -> Add(MatMul(Squeeze(p), w), ...)    p is a part of x
 *
 *     m = MatMul(x, w);  y = TensorIterator(m)      body    q -> Add(Squeeze(q), ...)
 *
 * Each row of a product is computed by the same operations in the same order, whatever rows there
 * are beside it. A few rows read all weights in each iteration; many at once read them once. */
#include "passes/control/control.h"

#include "inlay_ops.h"

enum { FEW_ROWS = 16 }; /* of a part; reading the weights for more takes less than the product */

struct product {
    inlay_node *n;
    inlay_body *body;
    struct control_ports ports;
    inlay_node *at;        /* the product in the body, */
    const inlay_port *cut; /* by which its rows enter, */
    int64_t axis;          /* along which axis, */
    inlay_value *weights;  /* and its second operand outside; NULL: a constant of the body */
    inlay_diags *diags;
};

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

/* Is M a product of a part's rows and of weights that are the same in each iteration? */
static bool is_one(struct product *p, inlay_node *m)
{
    p->at = m;
    return inlay_node_is(m, INLAY_OP_MAT_MUL) && !inlay_node_bool(m, "transpose_a") &&
           find_parts(p) && find_weights(p);
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

/* Lets parts of V, the next input of the node, enter the body as P's rows do. Returns a part
 * without the axis along which V is cut. */
static inlay_value *enter(struct product *p, const inlay_value *v)
{
    inlay_shape shape = {.rank = v->fact.rank};
    inlay_port port = *p->cut;
    inlay_value *in[2];
    inlay_node *flat;

    for (int i = 0; i < shape.rank; i++)
        shape.dim[i] = i == p->axis ? inlay_dim_of(1) : v->fact.dims[i];
    in[0] = inlay_build_parameter(p->body->graph, p->at->name, v->fact.type, &shape, p->diags);
    in[1] = inlay_build_i64_list(p->body->graph, NULL, &p->axis, 1, p->diags);
    port.outer = p->n->n_in;
    port.inner = p->body->graph->n_params - 1;
    if (!in[0] || !in[1] || !control_add_port(p->body, &port, p->diags))
        return NULL;
    flat = inlay_build(p->body->graph, NULL, "Squeeze", in, 2, NULL, p->diags);
    return flat ? &flat->out[0] : NULL;
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
