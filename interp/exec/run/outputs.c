/* Places the outputs of a node as its storage notes say: an output may be a view of an operand,
 * overwrite an operand, or be computed in the window that a later SliceScatter writes.
 *
 * In some runs a note cannot be obeyed: the window is not known yet, or a shape is another than
 * expected. Then the output gets a buffer of its own. That is always right, because every value is
 * read through its own tensor, and the kernel copies what is not in the buffer yet. */
#include "interp/exec/run/outputs.h"
#include "interp/call/window.h"
#include "interp/exec/build/meta.h"
#include "interp/exec/build/query.h"
#include "interp/exec/run/run.h"
#include "interp/exec/run/session.h"

#include <string.h>

static bool takes(const inlay_fact *f, const inlay_tensor *t)
{
    if (f->type == INLAY_DYNAMIC || f->rank != t->rank ||
        inlay_type_info_of(f->type)->bits != inlay_type_info_of(t->type)->bits)
        return false;
    for (int i = 0; i < f->rank; i++) {
        if (!inlay_dim_is_static(f->dims[i]) || f->dims[i].lo != t->dims[i])
            return false;
    }
    return true;
}

/* Returns a view of T with elements of TYPE, which has as many bits as T's type. */
static inlay_tensor *seen_as(const inlay_call *c, const inlay_tensor *t, inlay_type type)
{
    inlay_tensor other = *t;

    other.type = type;
    return spares_window(&exec_run_of(c)->session->spares, &other, t->rank, t->dims, t->strides, 0);
}

/* Returns the tensor of V in this run; NULL: V is not computed yet. A constant has one even before
 * its step. */
static const inlay_tensor *operand_now(const exec_run *run, const inlay_value *v)
{
    const inlay_attr *a;

    if (run->values[steps_slot(run->steps, v)])
        return run->values[steps_slot(run->steps, v)];
    a = inlay_node_is(v->node, INLAY_OP_CONST) ? inlay_node_attr(v->node, "value") : NULL;
    return a ? a->as.tensor : NULL;
}

/* Returns the window of DATA that SCATTER will write, in scratch memory; NULL: not known yet. If
 * the operands that define the window are invalid, no error is recorded: the scatter itself will
 * report it. */
static inlay_tensor *window_ahead(inlay_call *c, const inlay_node *scatter,
                                  const inlay_tensor *data)
{
    const inlay_tensor **in = inlay_call_memory(c, scatter->n_in, sizeof *in);
    inlay_call ahead = {
        .node = scatter, .in = in, .n_in = scatter->n_in, .scratch = c->scratch, .run = c->run};
    inlay_window w[INLAY_MAX_RANK];

    if (!in || !data)
        return NULL;
    in[0] = data;
    for (int i = 1; i < scatter->n_in; i++) {
        const inlay_value *v =
            i == inlay_op_operand(scatter->op, INLAY_ROLE_UPDATES) ? NULL : scatter->in[i].value;

        in[i] = v ? operand_now(exec_run_of(c), v) : NULL;
        if (v && !in[i])
            return NULL;
    }
    return call_windows_ahead(&ahead, w) ? call_window_of(c->scratch, data, w) : NULL;
}

/* Returns where in TARGET a value is to be computed: in the window of SCATTER, or in its part of a
 * result such as Concat's. If only one operand is held, that is all of the target. NULL: not known
 * yet. */
static inlay_tensor *place_in(inlay_call *c, const inlay_node *scatter, const inlay_tensor *target)
{
    return scatter->op->flags & INLAY_HOLDS ? inlay_tensor_retain(target)
                                            : window_ahead(c, scatter, target);
}

/* Returns a tensor with the dims of F and no bytes, in scratch memory. */
static inlay_tensor *form_of(const inlay_call *c, const inlay_fact *f)
{
    int64_t dims[INLAY_MAX_RANK];

    for (int i = 0; i < f->rank; i++)
        dims[i] = f->dims[i].lo;
    return inlay_tensor_over_in(c->scratch, NULL, NULL, f->type, f->rank, dims);
}

static bool is_static(const inlay_fact *f)
{
    bool yes = f->rank >= 0 && f->type != INLAY_DYNAMIC;

    for (int i = 0; yes && i < f->rank; i++)
        yes = inlay_dim_is_static(f->dims[i]) && f->dims[i].lo > 0;
    return yes;
}

/* Returns whether a view can show the window of operand 0. Rows of a list are not always a window.
 */
static bool can_show(inlay_call *c)
{
    inlay_window w[INLAY_MAX_RANK];

    return !(c->node->op->flags & INLAY_ROWS) || call_windows_ahead(c, w);
}

static bool view_output(inlay_call *c, int i, const inlay_fact *f)
{
    if (!is_static(f) || f->type != c->in[0]->type || !can_show(c))
        return true;
    c->out[i] = form_of(c, f);
    return c->out[i] || inlay_fail_memory(c->diags);
}

/* Puts output I where T is, if T has the output's form; takes over the reference to T. T may be in
 * scratch memory. SAVE: what T
 * holds is saved first. No two positions of T are the same byte, because overwritten values are
 * dense, or windows of dense ones. */
static bool output_in(inlay_call *c, int i, inlay_tensor *t, const inlay_fact *f, bool save)
{
    bool ok = true;

    if (t && takes(f, t)) {
        ok = !save || journal_save(c, t, -1, 0, NULL);
        c->out[i] = ok ? seen_as(c, t, f->type) : NULL;
        ok = ok && (c->out[i] || inlay_fail_memory(c->diags));
        exec_run_of(c)->in_place = ok;
    }
    inlay_tensor_release(t);
    return ok;
}

bool exec_outputs(inlay_call *c, const inlay_fact *promise)
{
    const exec_run *run = exec_run_of(c);
    const exec_plan *p =
        call_adopts(c->node->op) ? NULL : run->plan; /* other kernels place them themselves */
    bool ok = true;

    for (int i = 0; ok && p && p->places && i < c->n_out; i++) {
        const exec_place *place = &p->places[steps_slot(run->steps, &c->node->out[i])];
        const inlay_tensor *target = run->values[place->target];

        if (place->kind == INLAY_VIEW_OF)
            ok = exec_slice_is_copied(p, run->x, steps_slot(run->steps, &c->node->out[i])) ||
                 view_output(c, i, &promise[i]);
        else if (place->kind == INLAY_OVERWRITES)
            /* scatter kernels announce themselves which elements they write */
            ok = output_in(c, i, inlay_tensor_retain(target), &promise[i],
                           c->node->op->flags & INLAY_POINTWISE);
        else if (place->kind == INLAY_INTO && target) /* NULL: what holds it has no memory yet */
            ok = output_in(
                c, i, build_reshaped(c->scratch, place_in(c, place->scatter, target), &promise[i]),
                &promise[i], true);
    }
    return ok;
}

/* Views */

/* Returns whether output O, whose memory is known already, is a view of operand 0. */
static bool is_shown(const exec_run *run, int o)
{
    const size_t *allocation = run->x->allocation;

    return run->now->views && allocation[run->now->out[o]] == allocation[run->now->in[0]];
}

static bool is_operand(const inlay_call *c, const inlay_tensor *t)
{
    bool is = false;

    for (int i = 0; i < c->n_in; i++)
        is = is || c->in[i] == t;
    return is;
}

/* An output gets a buffer of its own if no strides can describe its shape as a view. */
bool exec_show(inlay_call *c, int o, const inlay_tensor *t, bool *done)
{
    const exec_run *run = exec_run_of(c);
    inlay_tensor *form = c->out[o];
    int64_t strides[INLAY_MAX_RANK];

    if (run->now)
        *done = is_shown(run, o);
    if (run->now || form->buffer)
        return true;
    *done = inlay_strides_reshaped(t->rank, t->dims, t->strides, form->rank, form->dims, strides);
    if (!*done)
        c->out[o] = call_output_tensor(c, form->type, form->rank, form->dims);
    else if (is_operand(c, t) && inlay_tensor_same_dims(form, t))
        c->out[o] = inlay_tensor_retain(t);
    else
        c->out[o] = spares_window(&run->session->spares, t, form->rank, form->dims, strides, 0);
    inlay_tensor_release(form);
    return c->out[o] || (*done && inlay_fail_memory(c->diags));
}
