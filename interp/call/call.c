/* What a kernel asks of the executor, and the table of kernels. */
#include "interp/call/run.h"
#include "ir/shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A row of the op table without a kernel leaves an undefined symbol here, so that it fails to link.
 */
#define OP(type, version, opsets, inputs, outputs, attrs, flags, infer, eval)                      \
    inlay_kernel eval_##eval;
#include "ir/ops/ops.def"
#undef OP

static inlay_kernel *const kernels[] = {
#define OP(type, version, opsets, inputs, outputs, attrs, flags, infer, eval) eval_##eval,
#include "ir/ops/ops.def"
#undef OP
};

const char *call_stand_in(const inlay_op *op)
{
    if (strcmp(op->name, "Const") == 0)
        return "the weights of this constant are missing, so it cannot be run";
    return "this operation is not in the table, so it cannot be run";
}

static bool eval_stand_in(inlay_call *c)
{
    return call_fail(c, "%s", call_stand_in(c->node->op));
}

inlay_kernel *inlay_kernel_of(const inlay_op *op)
{
    if ((op->flags & INLAY_STAND_IN) || op->row < 0 ||
        (size_t)op->row >= sizeof kernels / sizeof kernels[0])
        return eval_stand_in;
    return kernels[op->row];
}

bool call_fail(inlay_call *c, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    inlay_vfail_node(c->diags, c->node, fmt, args);
    va_end(args);
    return false;
}

inlay_tensor *call_tensor(inlay_call *c, inlay_type type, int rank, const int64_t *dims)
{
    return meter_tensor(c->run->env->meter, type, rank, dims, c->node, c->diags);
}

void call_release(inlay_tensor **tensors, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        inlay_tensor_release(tensors[i]);
        tensors[i] = NULL;
    }
}

bool call_take(inlay_call *c, uint64_t size)
{
    return meter_take(c->run->env->meter, size, c->node, c->diags);
}

void call_give(inlay_call *c, uint64_t size)
{
    meter_give(c->run->env->meter, size);
}

inlay_tensor *call_output(inlay_call *c, int i, inlay_type type, int rank, const int64_t *dims)
{
    if (i < 0 || i >= c->n_out || c->out[i]) {
        call_fail(c, "the kernel asked for output %d, which it may not", i);
        return NULL;
    }
    c->out[i] = call_tensor(c, type, rank, dims);
    return c->out[i];
}

bool call_adopt(inlay_call *c, int i, const inlay_tensor *t)
{
    if (i < 0 || i >= c->n_out || c->out[i])
        return call_fail(c, "the kernel gave output %d, which it may not", i);
    c->out[i] = inlay_tensor_retain(t);
    return c->out[i] || inlay_fail_memory(c->diags);
}

bool call_shares(const inlay_call *c)
{
    int i = c->node->op->overwrites;
    const inlay_tensor *in = i >= 0 && i < c->n_in ? c->in[i] : NULL;
    const inlay_tensor *out = c->n_out > 0 ? c->out[0] : NULL;

    return in && out && in->data == out->data && in->offset == out->offset;
}

void call_copied(inlay_call *c, uint64_t size)
{
    c->run->env->stats->copied_bytes += size;
}

/* What the kernel is about to do. An executor that gives every output a buffer of its own has
 * nothing to do then. */

bool call_show(inlay_call *c, int o, const inlay_tensor *t, bool *done)
{
    const call_executor *e = c->run->executor;

    *done = false;
    return !e->show || e->show(c, o, t, done);
}

bool call_block(inlay_call *c, const row_block *k)
{
    const call_executor *e = c->run->executor;

    if (e->block)
        return e->block(c, k);
    k->run(k);
    return true;
}

void call_settle(inlay_call *c)
{
    if (c->run->executor->settle)
        c->run->executor->settle(c);
}

bool call_overwrites_runs(inlay_call *c, const inlay_tensor *t, int64_t n, int64_t length,
                          const int64_t *to)
{
    const call_executor *e = c->run->executor;

    return !e->overwrites || e->overwrites(c, t, n, length, to);
}

bool call_overwrites(inlay_call *c, const inlay_tensor *t)
{
    return call_overwrites_runs(c, t, -1, 0, NULL);
}

bool copy_input(inlay_call *c, int o, int i)
{
    bool done;

    if (inlay_tensor_same_place(c->out[o], c->in[i]))
        return true;
    if (!call_show(c, o, c->in[i], &done) || done)
        return done;
    call_copied(c, inlay_tensor_bytes(c->out[o]));
    call_settle(c);
    return inlay_tensor_assign(c->out[o], c->in[i]) || inlay_fail_memory(c->diags);
}

void copy_run(inlay_tensor *dst, int64_t to, const inlay_tensor *src, int64_t from, int64_t n)
{
    if (inlay_tensor_is_dense(dst) && inlay_tensor_is_dense(src)) {
        inlay_copy_elements(dst->type, dst->data, to, src->data, from, n);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        move_element(dst, inlay_tensor_index(dst, to + i), src, inlay_tensor_index(src, from + i));
}

/* Bodies, and the states of variables */

bool call_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out)
{
    return c->run->executor->run_body(c, body, in, out);
}

/* A condition that never turns false is the model's right, but not the caller's wish. */
bool call_iterates(inlay_call *c)
{
    const run_env *env = c->run->env;

    if (env->max_iterations > 0 && env->stats->iterations >= env->max_iterations)
        return inlay_fail_resource_node(c->diags, c->node,
                                        "the loops of this run have made %" PRIu64
                                        " iterations, more are not allowed",
                                        env->stats->iterations);
    env->stats->iterations++;
    return true;
}

const inlay_variable *call_variable(inlay_call *c)
{
    const inlay_attr *a = inlay_node_attr(c->node, "variable_id");

    if (!a || !c->run->state) {
        call_fail(c, a ? "a variable has no state outside a run"
                       : "attribute \"variable_id\" is missing");
        return NULL;
    }
    return a->as.variable;
}

const inlay_tensor *call_state(const inlay_call *c, const inlay_variable *v)
{
    return c->run->state[v->index];
}

void call_assign(inlay_call *c, const inlay_variable *v, const inlay_tensor *t)
{
    inlay_tensor_release(c->run->pending[v->index]);
    c->run->pending[v->index] = inlay_tensor_retain(t);
}

void *scratch_bytes(inlay_call *c, size_t size)
{
    void *p;

    if (size > SIZE_MAX / 2) {
        inlay_fail_memory(c->diags);
        return NULL;
    }
    if (!call_take(c, size))
        return NULL;
    c->run->scratch_taken += size;
    p = inlay_arena_alloc(c->scratch, size ? size : 1);
    if (!p)
        inlay_fail_memory(c->diags);
    return p;
}

void *scratch_array(inlay_call *c, int64_t count, size_t size)
{
    if (count < 0 || (uint64_t)count > SIZE_MAX / 2 / size) {
        inlay_fail_memory(c->diags);
        return NULL;
    }
    return scratch_bytes(c, (size_t)count * size);
}

const int64_t *call_ints(inlay_call *c, int i, int64_t *n)
{
    *n = inlay_tensor_count(c->in[i]);
    return load_i64(c, i);
}
