/* The helpers of moves.h. */
#include "interp/kernels/moves.h"
#include "ir/shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct view view_all(const inlay_tensor *t)
{
    struct view v = {.rank = t->rank};

    for (int i = 0; i < t->rank; i++) {
        v.dims[i] = t->dims[i];
        v.strides[i] = t->strides[i];
    }
    return v;
}

struct view view_windows(const inlay_tensor *t, const inlay_window *w)
{
    struct view v = view_all(t);

    for (int i = 0; i < t->rank; i++) {
        v.offset += w[i].count > 0 ? w[i].begin * t->strides[i] : 0;
        v.dims[i] = w[i].count;
        if (w[i].count > 1) /* the step of a single element may be any number */
            v.strides[i] *= w[i].step;
    }
    return v;
}

struct view view_dense(int rank, const int64_t *dims)
{
    struct view v = {.rank = rank};

    for (int i = 0; i < rank; i++)
        v.dims[i] = dims[i];
    dense_strides(rank, dims, v.strides);
    return v;
}

static inlay_tensor *seen_through(const inlay_tensor *t, const struct view *v)
{
    return v ? inlay_tensor_window(t, v->rank, v->dims, v->strides, v->offset)
             : inlay_tensor_retain(t);
}

/* Over what TO shows through TV go the elements of SRC, which has the same dims. */
static bool copy_view(inlay_call *c, const inlay_tensor *to, const struct view *tv,
                      const inlay_tensor *src)
{
    inlay_tensor *dst = seen_through(to, tv);
    bool ok = (dst && inlay_tensor_assign(dst, src)) || inlay_fail_memory(c->diags);

    inlay_tensor_release(dst);
    return ok;
}

bool move_output(inlay_call *c, int o, const struct view *tv, const inlay_tensor *from,
                 const struct view *fv)
{
    inlay_tensor *src = seen_through(from, fv);
    bool done = false, ok = src ? call_show(c, o, src, &done) : inlay_fail_memory(c->diags);

    if (ok && !done) {
        call_settle(c);
        ok = copy_view(c, c->out[o], tv, src);
    }
    inlay_tensor_release(src);
    return ok;
}

bool move_part(inlay_call *c, const inlay_tensor *to, const struct view *tv,
               const inlay_tensor *from)
{
    call_settle(c);
    return copy_view(c, to, tv, from);
}

void zero_run(inlay_tensor *dst, int64_t to, int64_t n)
{
    static const unsigned char zero[sizeof(inlay_string)];

    for (int64_t i = 0; i < n; i++)
        inlay_copy_element(dst->type, dst->data, inlay_tensor_index(dst, to + i), zero, 0);
}

/* "indices[2,0]": the element at row-major POSITION of T. */
static void element_text(const inlay_tensor *t, int64_t position, char *buf, size_t size)
{
    int64_t at[INLAY_MAX_RANK];
    size_t n = 0;

    for (int i = t->rank - 1; i >= 0; i--) {
        at[i] = position % t->dims[i];
        position /= t->dims[i];
    }
    buf[0] = '\0';
    for (int i = 0; i < t->rank && n < size; i++)
        n += (size_t)snprintf(buf + n, size - n, "%s%" PRId64 "%s", i ? "," : "[", at[i],
                              i == t->rank - 1 ? "]" : "");
}

bool check_index(inlay_call *c, int i, int64_t position, int64_t x, int axis, int64_t size,
                 bool negative, int64_t *out)
{
    bool huge = c->in[i]->type == INLAY_U64 && x < 0;
    char where[96], value[32];

    if (!huge && x < size && (x >= 0 || (negative && x >= -size))) {
        *out = x < 0 ? x + size : x;
        return true;
    }
    element_text(c->in[i], position, where, sizeof where);
    if (huge)
        snprintf(value, sizeof value, "%" PRIu64, (uint64_t)x);
    else
        snprintf(value, sizeof value, "%" PRId64, x);
    return call_fail(c, "%s%s is %s, axis %d has %" PRId64 " element%s%s", c->node->op->in[i].name,
                     where, value, axis, size, size == 1 ? "" : "s",
                     x < 0 && !huge && !negative ? " and negative indices are not allowed" : "");
}

bool operand_axis(inlay_call *c, int i, int rank, int *axis)
{
    int64_t n;
    const int64_t *x = call_ints(c, i, &n);

    if (!x)
        return false;
    if (n != 1)
        return call_fail(c, "input %d \"%s\" has %" PRId64 " elements, it must have one", i,
                         c->node->op->in[i].name, n);
    if (*x < -rank || *x >= rank)
        return call_fail(c, "%s is %" PRId64 ", it must be in [%d, %d]", c->node->op->in[i].name,
                         *x, -rank, rank - 1);
    *axis = (int)(*x < 0 ? *x + rank : *x);
    return true;
}

int64_t product(const int64_t *dims, int n)
{
    int64_t p = 1;

    for (int i = 0; i < n; i++)
        p *= dims[i];
    return p;
}
