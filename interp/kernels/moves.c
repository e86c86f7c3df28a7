/* The helpers of moves.h. */
#include "interp/kernels/moves.h"

#include "interp/run.h"

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

/* Dims other than 1, with their strides. */
static int long_dims(const inlay_tensor *t, int64_t *dims, int64_t *strides)
{
    int n = 0;

    for (int i = 0; i < t->rank; i++) {
        if (t->dims[i] != 1) {
            dims[n] = t->dims[i];
            strides[n++] = t->strides[i];
        }
    }
    return n;
}

/* Strides that show T's elements, in row-major order, in the shape DIMS; false when there are none.
 * Dims are matched group by group; a group that is split or joined must be contiguous in itself. */
static bool strides_of_shape(const inlay_tensor *t, int rank, const int64_t *dims, int64_t *strides)
{
    int64_t from[INLAY_MAX_RANK], steps[INLAY_MAX_RANK];
    int n = long_dims(t, from, steps), i = 0, k = 0;

    while (k < rank) {
        int first = k, last = i;
        int64_t have, want = dims[k++], step;

        if (want == 1) {
            strides[first] = 1;
            continue;
        }
        have = from[i++];
        while (have != want) {
            if (want < have)
                want *= dims[k++];
            else
                have *= from[i++];
        }
        for (; last + 1 < i; last++) {
            if (steps[last] != from[last + 1] * steps[last + 1])
                return false;
        }
        step = steps[i - 1];
        for (int j = k - 1; j >= first; j--) {
            strides[j] = step;
            step *= dims[j];
        }
    }
    (void)n;
    return true;
}

/* The output whose form is *TO becomes a view of what FROM shows; if its shape does not allow that,
 * *TO gets a buffer and *DONE is false. */
static bool show(inlay_call *c, inlay_tensor **to, const inlay_tensor *from, bool *done)
{
    inlay_tensor *form = *to;
    int64_t strides[INLAY_MAX_RANK];

    *done = strides_of_shape(from, form->rank, form->dims, strides);
    *to = *done ? inlay_tensor_window(from, form->rank, form->dims, strides, 0)
                : meter_tensor(c->run->env->meter, form->type, form->rank, form->dims, c->node,
                               c->diags);
    inlay_tensor_release(form);
    return *to || (*done && inlay_fail_memory(c->diags));
}

static inlay_tensor **output_of(inlay_call *c, const inlay_tensor *t)
{
    int i = 0;

    while (c->out[i] != t)
        i++;
    return &c->out[i];
}

bool move(inlay_call *c, inlay_tensor *to, const struct view *tv, const inlay_tensor *from,
          const struct view *fv)
{
    inlay_tensor *dst, *src = seen_through(from, fv);
    bool ok = src || inlay_fail_memory(c->diags), done = false;

    if (ok && call_wants_view(c, to)) {
        inlay_tensor **out = output_of(c, to);

        ok = show(c, out, src, &done);
        to = *out;
    }
    dst = ok && !done ? seen_through(to, tv) : NULL;
    if (ok && !done)
        call_settle(c);
    if (ok && !done)
        ok = (dst && inlay_tensor_assign(dst, src)) || inlay_fail_memory(c->diags);
    inlay_tensor_release(dst);
    inlay_tensor_release(src);
    return ok;
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
