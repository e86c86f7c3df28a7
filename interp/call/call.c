/* Functions for every kernel. */
#include "interp/call/run.h"
#include "ir/shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *call_no_kernel(const inlay_op *op)
{
    if (op->kind == INLAY_OP_ADDED)
        return "this operation has no kernel, so it cannot be run";
    if (strcmp(op->name, "Const") == 0)
        return "the weights of this constant are missing, so it cannot be run";
    return "this operation is not in the table, so it cannot be run";
}

static bool eval_nothing(inlay_call *c)
{
    return inlay_call_fail(c, "%s", call_no_kernel(c->node->op));
}

inlay_eval_fn *call_kernel_of(const inlay_op *op)
{
    return op->eval ? op->eval : eval_nothing;
}

bool inlay_call_fail(inlay_call *c, const char *fmt, ...)
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

inlay_tensor *call_raw_tensor(inlay_call *c, inlay_type type, int rank, const int64_t *dims)
{
    return meter_tensor_raw(c->run->env->meter, type, rank, dims, c->node, c->diags);
}

inlay_tensor *call_output_tensor(inlay_call *c, inlay_type type, int rank, const int64_t *dims)
{
    if (c->node->op->flags & INLAY_FILLS)
        return call_raw_tensor(c, type, rank, dims);
    return call_tensor(c, type, rank, dims);
}

void call_release(inlay_tensor **tensors, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        inlay_tensor_release(tensors[i]);
        tensors[i] = NULL;
    }
}

inlay_tensor *inlay_call_output(inlay_call *c, int i, inlay_type type, int rank,
                                const int64_t *dims)
{
    if (i < 0 || i >= c->n_out || c->out[i]) {
        inlay_call_fail(c, "the kernel asked for output %d, which it may not", i);
        return NULL;
    }
    c->out[i] = call_output_tensor(c, type, rank, dims);
    return c->out[i];
}

inlay_tensor *call_sized_output(inlay_call *c, int i, inlay_type type, int rank,
                                const int64_t *dims)
{
    return c->out[i] ? c->out[i] : inlay_call_output(c, i, type, rank, dims);
}

bool call_is_read(const inlay_call *c, int i)
{
    return c->node->out[i].uses || c->run->env->kept;
}

bool call_adopt(inlay_call *c, int i, const inlay_tensor *t)
{
    if (i < 0 || i >= c->n_out || c->out[i])
        return inlay_call_fail(c, "the kernel gave output %d, which it may not", i);
    c->out[i] = inlay_tensor_retain(t);
    return c->out[i] || inlay_fail_memory(c->diags);
}

void call_copied(inlay_call *c, uint64_t size)
{
    c->run->env->stats->copied_bytes += size;
}

/* Allocates SIZE bytes by ALLOC. */
static void *take_bytes(inlay_call *c, size_t size, void *(*alloc)(inlay_arena *a, size_t size))
{
    void *p = NULL;

    if (c->run->scratch_refused)
        return NULL;
    if (size > SIZE_MAX / 2) {
        inlay_fail_memory(c->diags);
    } else if (meter_take(c->run->env->meter, size, c->node, c->diags)) {
        c->run->scratch_taken += size;
        p = alloc(c->scratch, size ? size : 1);
        if (!p)
            inlay_fail_memory(c->diags);
    }
    c->run->scratch_refused = !p;
    return p;
}

void *call_bytes(inlay_call *c, size_t size)
{
    return take_bytes(c, size, inlay_arena_alloc);
}

void *call_raw_memory(inlay_call *c, int64_t count, size_t size)
{
    bool fits = count >= 0 && (uint64_t)count <= SIZE_MAX / 2 / size;

    return take_bytes(c, fits ? (size_t)count * size : SIZE_MAX, inlay_arena_raw);
}

bool call_put_string(inlay_call *c, inlay_tensor *t, int64_t i, const char *bytes, size_t n)
{
    inlay_meter *m = c->run->env->meter;

    if (inlay_tensor_set_string(t, i, bytes, n))
        return true;
    if (!meter_take(m, n, c->node, c->diags)) /* says what did not fit */
        return false;
    meter_give(m, n);
    return inlay_fail_memory(c->diags);
}

void *inlay_call_memory(inlay_call *c, int64_t count, size_t size)
{
    bool fits = count >= 0 && (uint64_t)count <= SIZE_MAX / 2 / size;

    return call_bytes(c, fits ? (size_t)count * size : SIZE_MAX);
}

const char *call_element_name(inlay_call *c, int i, int64_t position)
{
    const inlay_tensor *t = c->in[i];
    size_t size = 64 + 24 * (size_t)t->rank, used;
    int64_t strides[INLAY_MAX_RANK];
    char *text = call_bytes(c, size);

    if (!text)
        return "an element"; /* out of memory, which is reported */
    strides_dense(t->rank, t->dims, strides);
    used = (size_t)snprintf(text, size, "%.40s", c->node->op->in[i].name);
    for (int k = 0; k < t->rank; k++) {
        used += (size_t)snprintf(text + used, size - used, "%s%" PRId64, k == 0 ? "[" : ",",
                                 position / strides[k]);
        position %= strides[k];
    }
    if (t->rank > 0)
        snprintf(text + used, size - used, "]");
    return text;
}
