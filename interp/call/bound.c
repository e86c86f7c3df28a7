/* Delivers outputs; see bound.h. Every value is read before any byte of a caller's tensor that
 * belongs to another value is written: so a caller's tensor may share bytes with inputs, states and
 * other results. */
#include "interp/call/bound.h"
#include "ir/shared.h"

/* Finds the bytes from T's first element in memory to its last one. */
static bool span_of(const inlay_tensor *t, uintptr_t *begin, uintptr_t *end)
{
    int64_t bits = inlay_type_info_of(t->type)->bits, first = t->offset, last;

    if (inlay_tensor_count(t) == 0)
        return false;
    last = first;
    for (int i = 0; i < t->rank; i++)
        *(t->strides[i] < 0 ? &first : &last) += (t->dims[i] - 1) * t->strides[i];
    *begin = (uintptr_t)t->data + (uintptr_t)(first * bits / 8);
    *end = (uintptr_t)t->data + (uintptr_t)((last + 1) * bits / 8 + 1);
    if (bits % 8 == 0)
        --*end;
    return true;
}

/* Returns whether A and B are two buffers allocated from the system: such buffers share no byte. */
static bool are_apart(const inlay_buffer *a, const inlay_buffer *b)
{
    return a != b && inlay_buffer_access(a) == INLAY_ACCESS_OWN &&
           inlay_buffer_access(b) == INLAY_ACCESS_OWN;
}

bool bound_overlap(const inlay_tensor *a, const inlay_tensor *b)
{
    uintptr_t x, x_end, y, y_end;

    return !are_apart(a->buffer, b->buffer) && span_of(a, &x, &x_end) && span_of(b, &y, &y_end) &&
           x < y_end && y < x_end;
}

static bool fits(const inlay_node *result, const inlay_tensor *value, const inlay_tensor *room,
                 inlay_diags *d)
{
    char a[512], b[512];
    bool same = value->type == room->type && value->rank == room->rank;

    for (int i = 0; same && i < value->rank; i++)
        same = value->dims[i] == room->dims[i];
    return same || inlay_fail_node(
                       d, result, "the output is %s%s, the tensor that is bound to it %s%s",
                       inlay_type_info_of(value->type)->name, tensor_shape_text(value, a, sizeof a),
                       inlay_type_info_of(room->type)->name, tensor_shape_text(room, b, sizeof b));
}

/* Replaces *T by a copy if it shares bytes with a bound tensor other than MINE. */
static bool set_apart(struct inlay_run *r, int n, const inlay_tensor **t, const inlay_tensor *mine,
                      inlay_diags *d)
{
    inlay_tensor *const *bound = r->env->bound;
    bool shares = false;
    inlay_tensor *copy;

    if (!*t || *t == mine || (mine && inlay_tensor_same_place(*t, mine)))
        return true;
    for (int i = 0; i < n && !shares; i++)
        shares = bound[i] && bound_overlap(*t, bound[i]);
    if (!shares)
        return true;
    copy = meter_copy(r->env->meter, *t, NULL, d);
    if (!copy)
        return false;
    r->env->stats->copied_bytes += inlay_tensor_bytes(copy);
    inlay_tensor_release(*t);
    *t = copy;
    return true;
}

static bool set_all_apart(struct inlay_run *r, const inlay_graph *g, inlay_tensor **out, int n_keep,
                          inlay_diags *d)
{
    int n = g->n_results;
    bool ok = true;

    for (int i = 0; ok && i < n; i++)
        ok = set_apart(r, n, (const inlay_tensor **)&out[i], r->env->bound[i], d);
    for (int i = 0; ok && r->env->kept && i < n_keep; i++)
        ok = set_apart(r, n, &r->env->kept[i], NULL, d);
    for (int i = 0; ok && i < r->env->n_variables; i++)
        ok = set_apart(r, n, &r->pending[i], NULL, d);
    for (int i = 0; ok && i < r->env->n_variables; i++)
        ok = r->pending[i] || set_apart(r, n, &r->env->variables[i], NULL, d);
    return ok;
}

static bool deliver(struct inlay_run *r, inlay_tensor **out, inlay_tensor *room, inlay_diags *d)
{
    if (*out == room)
        return true;
    if (!inlay_tensor_same_place(*out, room)) {
        if (!inlay_tensor_assign(room, *out))
            return inlay_fail_memory(d);
        r->env->stats->copied_bytes += inlay_tensor_bytes(room);
    }
    inlay_tensor_release(*out);
    *out = inlay_tensor_retain(room);
    return true;
}

bool bound_deliver(struct inlay_run *r, const inlay_graph *g, inlay_tensor **out, int n_keep,
                   inlay_diags *d)
{
    inlay_tensor *const *bound = r->env->bound;
    bool ok = true;

    for (int i = 0; bound && ok && i < g->n_results; i++)
        ok = !bound[i] || out[i] == bound[i] || fits(g->results[i], out[i], bound[i], d);
    ok = ok && (!bound || set_all_apart(r, g, out, n_keep, d));
    for (int i = 0; bound && ok && i < g->n_results; i++)
        ok = !bound[i] || deliver(r, &out[i], bound[i], d);
    return ok;
}
