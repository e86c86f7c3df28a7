/* The joined outputs of join.h. */
#include "interp/exec/loop/join.h"
#include "interp/call/ports.h"
#include "interp/exec/loop/slots.h"

#include <string.h>

static bool is_backward(const exec_join *j)
{
    return j->port->stride < 0;
}

/* Makes a tensor of LENGTH elements along the axis, with the other dims of T. It lies where the
 * output is wanted if the output will have that length. */
static inlay_tensor *new_whole(const exec_join *j, inlay_call *c, const inlay_tensor *t,
                               int64_t length)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor form = *t, *room;

    memcpy(dims, t->dims, (size_t)t->rank * sizeof *dims);
    dims[j->axis] = length;
    form.dims = dims;
    room = j->hands->room(c, j->port->outer, &form);
    return room ? inlay_tensor_retain(room) : j->hands->like(c, &form);
}

/* Returns the part of WHOLE that has LENGTH elements of the axis from AT on; DIMS is room for its
 * dims. */
static inlay_tensor part_of(const exec_join *j, const inlay_tensor *whole, int64_t at,
                            int64_t length, int64_t *dims)
{
    inlay_tensor part = *whole;

    memcpy(dims, whole->dims, (size_t)whole->rank * sizeof *dims);
    dims[j->axis] = length;
    part.dims = dims;
    slots_point(&part, whole, at * whole->strides[j->axis]);
    return part;
}

/* Copies all parts so far to another tensor, of LENGTH elements along the axis. */
static bool move_to(exec_join *j, inlay_call *c, int64_t length)
{
    inlay_tensor *whole = new_whole(j, c, j->whole, length), from, to;
    int64_t a[INLAY_MAX_RANK], b[INLAY_MAX_RANK];
    bool back = is_backward(j), ok;

    if (!whole)
        return false;
    from = part_of(j, j->whole, back ? j->whole->dims[j->axis] - j->at : 0, j->at, a);
    to = part_of(j, whole, back ? length - j->at : 0, j->at, b);
    ok = j->hands->assign(c, &to, &from);
    if (ok)
        call_copied(c, inlay_tensor_bytes(&to));
    if (!ok) {
        inlay_tensor_release(whole);
        return false;
    }
    j->outgrown[j->n_outgrown++] = j->whole;
    j->whole = whole;
    return true;
}

static bool begin(exec_join *j, inlay_call *c, const inlay_tensor *t, int64_t most)
{
    enum { SOME = 8 };
    int64_t n = most > 0 ? most : SOME;

    if (!ports_axis(c, j->port, t->rank, &j->axis))
        return false;
    j->first = t->dims[j->axis];
    if (j->first > INT64_MAX / n)
        return ports_fail_size(c, j->port, j->axis);
    j->whole = new_whole(j, c, t, n * j->first);
    return j->whole != NULL;
}

/* Checks that T agrees with the other parts in everything but the length of the axis. */
static bool check_form(exec_join *j, inlay_call *c, const inlay_tensor *t)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor first;
    bool same = t->rank == j->whole->rank && t->type == j->whole->type;

    for (int k = 0; same && k < t->rank; k++)
        same = k == j->axis || t->dims[k] == j->whole->dims[k];
    if (same)
        return true;
    first = part_of(j, j->whole, 0, j->first, dims);
    return ports_fail_join(c, j->port, &first, t, j->parts);
}

bool join_reserve(exec_join *j, inlay_call *c, const inlay_tensor *t, int64_t most)
{
    int64_t length, have, twice;

    if (!j->whole)
        return begin(j, c, t, most);
    if (!check_form(j, c, t))
        return false;
    length = t->dims[j->axis];
    have = j->whole->dims[j->axis];
    if (length <= have - j->at)
        return true;
    if (length > INT64_MAX - j->at)
        return ports_fail_size(c, j->port, j->axis);
    twice = have > INT64_MAX / 2 ? INT64_MAX : 2 * have;
    return move_to(j, c, twice > j->at + length ? twice : j->at + length);
}

int64_t join_next(const exec_join *j, const inlay_tensor *t)
{
    int64_t length = t->dims[j->axis];

    return is_backward(j) ? j->whole->dims[j->axis] - j->at - length : j->at;
}

bool join_add(exec_join *j, inlay_call *c, const inlay_tensor *t, bool stands)
{
    int64_t dims[INLAY_MAX_RANK], length = t->dims[j->axis];
    inlay_tensor part = part_of(j, j->whole, join_next(j, t), length, dims);

    if (!stands) {
        if (!j->hands->assign(c, &part, t))
            return false;
        call_copied(c, inlay_tensor_bytes(&part));
    }
    j->at += length;
    j->parts++;
    return true;
}

inlay_tensor *join_end(exec_join *j, inlay_call *c)
{
    inlay_tensor *whole;

    if (j->at < j->whole->dims[j->axis] && !move_to(j, c, j->at))
        return NULL;
    whole = j->whole;
    j->whole = NULL;
    join_drop(j);
    return whole;
}

void join_drop(exec_join *j)
{
    inlay_tensor_release(j->whole);
    call_release(j->outgrown, (size_t)j->n_outgrown);
    *j = (exec_join){.port = j->port, .hands = j->hands};
}
