/* find-sequences: a TensorIterator whose body is a cell is a sequence.
 *
 *     y, h, c = TensorIterator(x, h0, c0)      body    p, h, c -> LSTMCell(Squeeze(p), h, c, w, r, b)
 *                                              p is a part of x; h and c come back; h joined is y
 *
 *     y, h, c = LSTMSequence(x, h0, c0, lengths, w, r, b)
 *
 * The sequence computes the same numbers in the same order, but what the gates get from the data in
 * one product for all steps. Only f32: between iterations other floats are rounded. */
#include "ir/shared.h"
#include "passes/control/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 2 };

struct finding {
    inlay_node *n;
    const inlay_body *body;
    struct control_ports ports;
    const inlay_node *cell;
    int states;                      /* of the cell: as many as it has outputs */
    const inlay_port *data;          /* by which the parts of X enter */
    int64_t axis;                    /* of X, along which it is cut */
    inlay_value *state[MOST_STATES]; /* at the beginning */
    inlay_value *weights[3];         /* W, R, B outside; NULL: a constant of the body, or no B */
    inlay_diags *diags;
};

/* ---- is it one? ---- */

/* Returns how long the name of OP is without "Cell"; 0: OP is no cell, the step of a sequence. */
static size_t length_of_kind(const inlay_op *op)
{
    size_t n = strlen(op->name), end = strlen("Cell");

    return n > end && strcmp(op->name + n - end, "Cell") == 0 ? n - end : 0;
}

/* Finds the only cell of the body. */
static bool find_cell(struct finding *f)
{
    for (const inlay_node *m = f->body->graph->first; m; m = m->next) {
        if (length_of_kind(m->op) == 0)
            continue;
        if (f->cell)
            return false;
        f->cell = m;
        f->states = m->n_out;
    }
    return f->cell && f->states <= MOST_STATES && f->cell->out[0].fact.type == INLAY_F32;
}

/* Has the cell an operand behind B, or another order of gates, as the oldest row of an LSTMCell may
 * have? */
static bool has_more(const struct finding *f)
{
    const inlay_attr *order = inlay_node_attr(f->cell, "weights_format");
    bool more =
        order && (strcmp(order->as.s, "fico") != 0 || inlay_node_bool(f->cell, "input_forget"));

    for (int i = f->states + 4; i < f->cell->n_in; i++)
        more = more || f->cell->in[i].value;
    return more;
}

static bool find_data(struct finding *f)
{
    const inlay_value *x = f->cell->in[0].value, *whole = control_strip(x);
    int param = f->ports.param[whole->node->id], port = param < 0 ? -1 : f->ports.entry[param];

    f->data = port < 0 ? NULL : &f->body->in[port];
    for (int i = 0; f->data && i < f->body->n_in; i++) {
        if (i != port && !inlay_port_is_plain(&f->body->in[i]))
            return false;
    }
    return f->data && f->data->outer >= 0 && f->data->purpose == INLAY_PORT_PLAIN &&
           control_cuts(f->data, &f->axis) && control_is_flat(&whole->fact, f->axis, &x->fact) &&
           control_parts_enter(inlay_node_input(f->n, f->data->outer), f->axis,
                               f->body->graph->params[param]);
}

/* Finds the value with which state K begins, if the cell's output K comes back as the state. */
static bool find_state(struct finding *f, int k)
{
    const inlay_value *v = f->cell->in[1 + k].value;
    int param = f->ports.param[v->node->id], port = param < 0 ? -1 : f->ports.entry[param];
    bool back = false;

    for (int i = 0; port >= 0 && i < f->body->n_back; i++) {
        const inlay_back_edge *e = &f->body->back[i];

        back = back || (e->to == param && inlay_body_result(f->body, e->from) == &f->cell->out[k]);
    }
    if (!back || f->body->in[port].outer < 0)
        return false;
    f->state[k] = inlay_node_input(f->n, f->body->in[port].outer);
    return f->state[k] && control_admits(f->body->graph->params[param], &f->state[k]->fact);
}

/* Finds W, R and B, which are constants of the body or the same in each iteration. */
static bool find_weights(struct finding *f)
{
    bool ok = true;

    for (int i = 0; ok && i < 3; i++) {
        int operand = 1 + f->states + i;
        const inlay_value *v = operand < f->cell->n_in ? f->cell->in[operand].value : NULL;
        int param = v ? f->ports.param[v->node->id] : -1;

        if (param >= 0)
            f->weights[i] = control_entering(&f->ports, f->n, param);
        ok = f->weights[i] || (v && v->fact.content) || (!v && i == 2);
    }
    return ok;
}

/* Is each output the last state, or all states joined as X is cut? */
static bool leaves_as_sequence(const struct finding *f)
{
    bool ok = true;

    for (int i = 0; ok && i < f->body->n_out; i++) {
        const inlay_port *p = &f->body->out[i];
        const inlay_value *v = inlay_body_result(f->body, p->inner);
        int64_t axis;

        if (p->outer < 0)
            continue;
        if (p->has_axis)
            ok = control_cuts(p, &axis) && p->stride == f->data->stride &&
                 control_strip(v) == &f->cell->out[0] &&
                 control_is_flat(&v->fact, axis, &f->cell->out[0].fact);
        else
            ok = p->purpose == INLAY_PORT_PLAIN && v->node == f->cell;
    }
    return ok;
}

static bool is_sequence(struct finding *f)
{
    bool ok = find_cell(f) && !has_more(f) && f->body->n_back == f->states && find_data(f);

    for (int k = 0; ok && k < f->states; k++)
        ok = find_state(f, k);
    return ok && find_weights(f) && leaves_as_sequence(f);
}

/* ---- the sequence ---- */

static inlay_value *build(const struct finding *f, const char *op, inlay_value *const *in, int n,
                          const char *attrs)
{
    inlay_node *made;

    for (int i = 0; i < n; i++) {
        if (!in[i])
            return NULL;
    }
    made = inlay_build(f->n->graph, NULL, op, in, n, attrs, f->diags);
    return made ? &made->out[0] : NULL;
}

/* Returns OP(V, NUMBERS). */
static inlay_value *by_list(const struct finding *f, const char *op, inlay_value *v,
                            const int64_t *numbers, int n)
{
    inlay_value *in[] = {v, inlay_build_i64_list(f->n->graph, NULL, numbers, n, f->diags)};

    return build(f, op, in, 2, NULL);
}

/* Exchanges the first two of three axes. */
static inlay_value *turned(const struct finding *f, inlay_value *v)
{
    return by_list(f, "Transpose", v, (int64_t[]){1, 0, 2}, 3);
}

/* Returns T with a first axis of size 1, as a constant of the graph around the body. */
static inlay_value *one_of(const struct finding *f, const inlay_tensor *t)
{
    int64_t dims[3] = {1}, strides[3] = {0};
    inlay_tensor *seen;
    inlay_value *v = NULL;

    memcpy(dims + 1, t->dims, (size_t)t->rank * sizeof *dims);
    memcpy(strides + 1, t->strides, (size_t)t->rank * sizeof *strides);
    strides[0] = dims[1] * strides[1];
    seen = inlay_tensor_window(t, t->rank + 1, dims, strides, 0);
    if (seen)
        v = inlay_build_const(f->n->graph, NULL, seen, f->diags);
    else
        inlay_fail_memory(f->diags);
    inlay_tensor_release(seen);
    return v;
}

/* Returns how many rows W has: as many as all gates together. */
static int64_t rows_of(const struct finding *f)
{
    const inlay_fact *w = &f->cell->in[1 + f->states].value->fact;

    return w->rank == 2 ? w->dims[0].lo : 0;
}

/* Returns W, R or B with an axis of directions. A cell without B has zeros. */
static inlay_value *weights(const struct finding *f, int i)
{
    int operand = 1 + f->states + i;
    const inlay_value *v = operand < f->cell->n_in ? f->cell->in[operand].value : NULL;
    bool linear = inlay_node_bool(f->cell, "linear_before_reset");
    int64_t n = rows_of(f) + (linear ? inlay_node_int(f->cell, "hidden_size") : 0);
    inlay_tensor *zeros = v ? NULL : inlay_tensor_new(INLAY_F32, 1, &n);
    inlay_value *made = NULL;

    if (f->weights[i] && !f->weights[i]->fact.content)
        made = by_list(f, "Unsqueeze", f->weights[i], (int64_t[]){0}, 1);
    else if (!v && !zeros)
        inlay_fail_memory(f->diags);
    else
        made = one_of(f, f->weights[i] ? f->weights[i]->fact.content : v ? v->fact.content : zeros);
    inlay_tensor_release(zeros);
    return made;
}

/* Returns size AXIS of X, as a list of one. */
static inlay_value *size_of(const struct finding *f, inlay_value *x, int64_t axis)
{
    inlay_value *in[] = {build(f, "ShapeOf", &x, 1, NULL),
                         inlay_build_i64_list(f->n->graph, NULL, &axis, 1, f->diags),
                         inlay_build_i64_scalar(f->n->graph, NULL, 0, f->diags)};

    return build(f, "Gather", in, 3, NULL);
}

/* Returns the number of steps for each batch. */
static inlay_value *lengths(const struct finding *f, inlay_value *x)
{
    inlay_value *in[] = {size_of(f, x, f->axis), size_of(f, x, 1 - f->axis)};

    return build(f, "Broadcast", in, 2, "mode=numpy");
}

/* Gives SEQ, which is being built, the attributes of the cell. */
static bool copy_attrs(const struct finding *f, inlay_node *seq)
{
    bool ok = seq && inlay_node_set_string(seq, "direction",
                                           f->data->stride > 0 ? "forward" : "reverse", f->diags);

    for (int i = 0; ok && i < f->cell->op->n_attrs; i++) {
        const char *name = f->cell->op->attrs[i].name;
        const inlay_attr *a = inlay_node_attr_at(f->cell, i);

        ok = !a || inlay_op_attr(seq->op, name) < 0 || inlay_node_set_attr(seq, name, a, f->diags);
    }
    return ok;
}

static inlay_node *make_sequence(const struct finding *f)
{
    inlay_value *x = inlay_node_input(f->n, f->data->outer), *in[7];
    int n = 0, all = f->states + 5;
    char name[64];
    inlay_node *seq;

    in[n++] = f->axis == 1 ? x : turned(f, x);
    for (int k = 0; k < f->states; k++)
        in[n++] = by_list(f, "Unsqueeze", f->state[k], (int64_t[]){1}, 1);
    in[n++] = lengths(f, x);
    for (int i = 0; i < 3; i++)
        in[n++] = weights(f, i);
    for (int i = 0; i < all; i++) {
        if (!in[i])
            return NULL;
    }
    snprintf(name, sizeof name, "%.*sSequence", (int)length_of_kind(f->cell->op),
             f->cell->op->name);
    seq = inlay_build_begin(f->n->graph, f->cell->name, name, in, all, f->diags);
    return inlay_build_end(seq, copy_attrs(f, seq), f->diags);
}

/* OUT receives, for each output of the node, the value that replaces it. */
static bool leave(const struct finding *f, inlay_value **out, uint32_t first_id)
{
    inlay_node *seq = make_sequence(f);
    bool ok = seq != NULL;

    for (int i = 0; ok && i < f->body->n_out; i++) {
        const inlay_port *p = &f->body->out[i];
        int which = p->has_axis ? 0 : 1 + inlay_body_result(f->body, p->inner)->index;
        inlay_value *v;
        int64_t axis;

        if (p->outer < 0)
            continue;
        v = by_list(f, "Squeeze", &seq->out[which], (int64_t[]){1}, 1);
        if (v && p->has_axis && control_cuts(p, &axis) && axis == 0)
            v = turned(f, v);
        ok = v && control_may_replace(&f->n->out[p->outer], v, first_id);
        out[p->outer] = v;
    }
    for (int i = 0; ok && i < f->n->n_out; i++)
        ok = out[i] != NULL;
    return ok;
}

static bool replace(struct finding *f, bool *done, inlay_diags *d)
{
    inlay_diags *refused = inlay_diags_new(); /* what shape rules refuse is left to the run */
    inlay_value **out =
        inlay_take(inlay_node_budget(f->n), (size_t)f->n->n_out + 1, sizeof(inlay_value *));
    uint32_t first_id = f->n->graph->next_id;
    bool ok = refused && out;

    f->diags = refused;
    *done = ok && leave(f, out, first_id) && pass_readers_take_all(f->n, out, refused);
    if (ok && !*done)
        ok = control_undo(f->n->graph, first_id, refused) &&
             inlay_diags_status(refused) != INLAY_NO_RESOURCE;
    else if (ok)
        ok = control_replace(f->n, out, refused);
    inlay_give(out);
    inlay_diags_free(refused);
    return ok || inlay_fail_memory(d);
}

/* ---- the pass ---- */

static bool find(inlay_node *n, pass_run *r)
{
    struct finding f = {.n = n, .body = n->bodies, .diags = r->diags};
    bool ok = control_ports_make(&f.ports, f.body, r->diags), done = false;

    if (ok && is_sequence(&f) && (inlay_pass_begin(r, n) || r->failed))
        ok = !r->failed && replace(&f, &done, r->diags) && inlay_pass_end(r, done);
    control_ports_free(&f.ports);
    return ok;
}

bool pass_find_sequences(inlay_graph *g, pass_run *r)
{
    bool ok = true;

    for (inlay_node *n = inlay_graph_had_bodies(g) ? g->first : NULL, *next; ok && n; n = next) {
        next = n->next;
        if (inlay_node_is(n, INLAY_OP_TENSOR_ITERATOR) && !control_has_effect(n))
            ok = find(n, r);
    }
    return ok;
}
