/* The helpers of infer.h. */
#include "ir/base/arena.h"
#include "ir/graph/fail.h"
#include "ir/graph/node.h"
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool inlay_infer_fail(inlay_infer *cx, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    inlay_vfail_node(cx->diags, cx->node, fmt, args);
    va_end(args);
    return false;
}

void inlay_infer_shape(const inlay_infer *cx, int i, inlay_shape *out)
{
    const inlay_fact *f = cx->in[i];

    out->rank = f->rank;
    if (f->rank > 0)
        memcpy(out->dim, f->dims, (size_t)f->rank * sizeof *f->dims);
}

inlay_dim in_dim(const inlay_infer *cx, int i, int axis)
{
    return in_rank(cx, i) < 0 ? inlay_dim_any() : cx->in[i]->dims[axis];
}

inlay_type shared_type(const inlay_infer *cx)
{
    return cx->in[0]->type != INLAY_DYNAMIC ? cx->in[0]->type : cx->in[1]->type;
}

const char *in_name(const inlay_infer *cx, int i)
{
    const inlay_op *op = cx->node->op;

    if (op->n_in == 0)
        return "input";
    return inlay_op_operand_info(op, i)->name;
}

const char *in_text(inlay_infer *cx, int i)
{
    char buf[512];
    const char *copy;

    inlay_shape_text(cx->in[i]->rank, cx->in[i]->dims, buf, sizeof buf);
    copy = inlay_arena_strdup(cx->arena, buf);
    return copy ? copy : "?";
}

bool inlay_infer_ints(const inlay_infer *cx, int i, int64_t *out, int max, int *n)
{
    int count;
    const inlay_dim *known = in_known(cx, i, &count);

    if (!known || count > max)
        return false;
    for (int k = 0; k < count; k++) {
        if (!inlay_dim_is_static(known[k]))
            return false;
        out[k] = known[k].lo;
    }
    *n = count;
    return true;
}

bool in_int(const inlay_infer *cx, int i, int64_t *out)
{
    int n;

    return inlay_infer_ints(cx, i, out, 1, &n) && n == 1;
}

const inlay_dim *in_known(const inlay_infer *cx, int i, int *n)
{
    static const inlay_dim none[1];

    if (!in_has(cx, i))
        return NULL;
    if (!cx->in[i]->known) { /* a list without elements is completely known */
        bool empty = cx->in[i]->rank == 1 && cx->in[i]->dims[0].hi == 0;

        *n = 0;
        return empty ? none : NULL;
    }
    *n = cx->in[i]->n_known;
    return cx->in[i]->known;
}

bool in_length(inlay_infer *cx, int i, bool scalar_ok, inlay_dim *n)
{
    int rank = in_rank(cx, i);

    *n = rank < 0 ? inlay_dim_any() : rank == 0 ? inlay_dim_of(1) : cx->in[i]->dims[0];
    if (rank < 0 || rank == 1 || (rank == 0 && scalar_ok))
        return true;
    return inlay_infer_fail(cx, "input %d \"%s\" has shape %s, it must have rank 1", i,
                            in_name(cx, i), in_text(cx, i));
}

bool in_check_one(inlay_infer *cx, int i)
{
    inlay_dim n;

    if (!in_length(cx, i, true, &n))
        return false;
    if (n.lo > 1 || n.hi < 1)
        return inlay_infer_fail(cx, "input %d \"%s\" has shape %s, it must have one element", i,
                                in_name(cx, i), in_text(cx, i));
    return true;
}

bool in_check_rank(inlay_infer *cx, int i, int lo, int hi)
{
    int rank = in_rank(cx, i);
    char wanted[64];

    if (rank < 0 || (rank >= lo && (hi < 0 || rank <= hi)))
        return true;
    if (lo == hi)
        snprintf(wanted, sizeof wanted, "rank %d", lo);
    else if (hi < 0)
        snprintf(wanted, sizeof wanted, "rank %d or more", lo);
    else
        snprintf(wanted, sizeof wanted, "rank %d to %d", lo, hi);
    return inlay_infer_fail(cx, "input %d \"%s\" has shape %s, it must have %s", i, in_name(cx, i),
                            in_text(cx, i), wanted);
}

bool inlay_infer_axis(inlay_infer *cx, const char *what, int64_t axis, int rank, int *out)
{
    if (axis < -(int64_t)rank || axis >= rank)
        return inlay_infer_fail(cx, "%s is %lld, it must be in [%d, %d]", what, (long long)axis,
                                -rank, rank - 1);
    *out = (int)(axis < 0 ? axis + rank : axis);
    return true;
}

bool attr_count(inlay_infer *cx, const char *name, int64_t least, int64_t *out)
{
    *out = inlay_node_int(cx->node, name);
    return (*out >= least && *out <= INT32_MAX) ||
           inlay_infer_fail(cx, "%s is %lld, it must be in [%lld, %d]", name, (long long)*out,
                            (long long)least, INT32_MAX);
}

bool norm_axes(inlay_infer *cx, const char *what, const int64_t *axes, int n, int rank, int *out)
{
    bool seen[INLAY_MAX_RANK] = {false};

    for (int i = 0; i < n; i++) {
        char name[64];
        int axis = 0;

        snprintf(name, sizeof name, "%s[%d]", what, i);
        if (!inlay_infer_axis(cx, name, axes[i], rank, &axis))
            return false;
        if (seen[axis])
            return inlay_infer_fail(cx, "%s is %lld: axis %d is repeated", name, (long long)axes[i],
                                    axis);
        seen[axis] = true;
        out[i] = axis;
    }
    return true;
}

/* A and B are the same sizes, and each that is unknown has an identity. */
static bool same_sizes(const inlay_dim *a, const inlay_dim *b, int rank)
{
    int k = 0;

    while (k < rank && a[k].lo == b[k].lo && a[k].hi == b[k].hi && a[k].id == b[k].id &&
           (a[k].id != 0 || inlay_dim_is_static(a[k])))
        k++;
    return k == rank;
}

/* Returns the dims of the first operand if they equal S. Both facts must live in the graph: dims
 * that a caller made temporarily are not shared. */
static const inlay_dim *shared_dims(const inlay_infer *cx, const inlay_shape *s)
{
    const inlay_fact *first = cx->n_in > 0 ? cx->in[0] : NULL;
    bool lasts = first && cx->arena == cx->node->graph->arena && cx->node->in[0].value &&
                 first == &cx->node->in[0].value->fact;

    return lasts && first->rank == s->rank && same_sizes(first->dims, s->dim, s->rank) ? first->dims
                                                                                       : NULL;
}

/* Returns a copy of S, in which every unknown size has an identity. */
static const inlay_dim *new_dims(inlay_infer *cx, const inlay_shape *s)
{
    inlay_dim *dims = inlay_arena_array(cx->arena, (size_t)s->rank, sizeof *dims);

    if (!dims)
        return NULL;
    memcpy(dims, s->dim, (size_t)s->rank * sizeof *dims);
    for (int k = 0; cx->next_id && k < s->rank; k++) {
        if (!inlay_dim_is_static(dims[k]) && dims[k].id == 0)
            dims[k].id = (*cx->next_id)++;
    }
    return dims;
}

bool inlay_infer_set_out(inlay_infer *cx, int i, inlay_type type, const inlay_shape *s)
{
    const inlay_dim *dims = NULL;

    if (s->rank > 0 && !(dims = shared_dims(cx, s)) && !(dims = new_dims(cx, s)))
        return inlay_fail_memory(cx->diags);
    cx->out[i].type = type;
    cx->out[i].rank = s->rank;
    cx->out[i].dims = dims;
    return true;
}

bool set_out_as(inlay_infer *cx, int i, int in, inlay_type type)
{
    inlay_shape s;

    inlay_infer_shape(cx, in, &s);
    return inlay_infer_set_out(cx, i, type, &s);
}

bool inlay_infer_set_out_like(inlay_infer *cx, int i, int in)
{
    return set_out_as(cx, i, in, cx->in[in]->type);
}

bool in_sizes(inlay_infer *cx, int i, bool scalar_ok, inlay_shape *s)
{
    const inlay_dim *known;
    inlay_dim n;
    int count;

    s->rank = -1;
    if (!in_length(cx, i, scalar_ok, &n))
        return false;
    if (!inlay_dim_is_static(n))
        return true;
    if (n.lo > INLAY_MAX_RANK)
        return inlay_infer_fail(
            cx, "input %d \"%s\" has %lld element%s, a tensor has at most %d dimensions", i,
            in_name(cx, i), (long long)n.lo, inlay_plural(n.lo, "", "s"), INLAY_MAX_RANK);
    inlay_shape_of_rank(s, (int)n.lo);
    known = in_known(cx, i, &count);
    for (int k = 0; known && k < s->rank; k++) {
        if (known[k].hi < 0)
            return inlay_infer_fail(cx, "%s[%d] is %lld, it must not be negative", in_name(cx, i),
                                    k, (long long)known[k].hi);
        s->dim[k] = known[k];
        if (s->dim[k].lo < 0)
            s->dim[k].lo = 0;
    }
    return true;
}

bool set_out_unknown(inlay_infer *cx, int i, inlay_type type)
{
    inlay_shape s = {.rank = -1};

    return inlay_infer_set_out(cx, i, type, &s);
}

bool set_out_rank(inlay_infer *cx, int i, inlay_type type, int rank)
{
    inlay_shape s;

    inlay_shape_of_rank(&s, rank);
    return inlay_infer_set_out(cx, i, type, &s);
}

bool inlay_infer_set_known(inlay_infer *cx, int i, const inlay_dim *elements, int n)
{
    inlay_dim *copy;

    if (n > INLAY_MAX_KNOWN)
        return true;
    copy = inlay_arena_array(cx->arena, (size_t)n, sizeof *copy);
    if (!copy)
        return inlay_fail_memory(cx->diags);
    if (n > 0)
        memcpy(copy, elements, (size_t)n * sizeof *copy);
    cx->out[i].known = copy;
    cx->out[i].n_known = n;
    return true;
}

inlay_dim fresh_dim(inlay_infer *cx, int64_t lo, int64_t hi)
{
    return (inlay_dim){lo, hi, cx->next_id && lo != hi ? (*cx->next_id)++ : 0};
}

/* At run time, and where a node is looked at for itself, nobody asks for identities. */
static bool names_sums(const inlay_infer *cx)
{
    return cx->next_id == &cx->node->graph->next_dim_id;
}

bool sum_add(const inlay_infer *cx, inlay_dim_sum *s, int64_t times, inlay_dim d)
{
    return names_sums(cx) && inlay_dim_sum_add(cx->node->graph, s, times, d);
}

bool sum_name(inlay_infer *cx, inlay_dim a, int64_t times, inlay_dim b, inlay_dim *d)
{
    inlay_dim_sum s = {0};

    return inlay_dim_is_static(*d) || !sum_add(cx, &s, 1, a) || !sum_add(cx, &s, times, b) ||
           inlay_dim_sum_name(cx->node->graph, &s, d, cx->diags);
}

bool sum_less(inlay_infer *cx, inlay_dim a, inlay_dim b, inlay_dim *d)
{
    *d = inlay_dim_sub(a, b);
    return a.lo < 0 || b.lo < 0 || sum_name(cx, a, -1, b, d);
}

bool merge_dim(inlay_infer *cx, int i, int axis, inlay_dim d, inlay_dim *dim)
{
    char found[64], wanted[64];

    if (inlay_dim_merge(*dim, d, dim))
        return true;
    return inlay_infer_fail(cx, "input %d \"%s\" has shape %s: axis %d is %s, it must be %s", i,
                            in_name(cx, i), in_text(cx, i), axis,
                            inlay_dim_text(d, found, sizeof found),
                            inlay_dim_text(*dim, wanted, sizeof wanted));
}

static bool may_be_one(inlay_dim d)
{
    return d.lo <= 1 && d.hi >= 1;
}

/* OUT receives one axis of the numpy broadcasting of A and B. If a dim may be 1 or larger, the
 * output may have the size of either. */
static bool broadcast_dim(inlay_dim a, inlay_dim b, inlay_dim *out)
{
    if (inlay_dim_is_static(a) && a.lo == 1) {
        *out = b;
        return true;
    }
    if (inlay_dim_is_static(b) && b.lo == 1) {
        *out = a;
        return true;
    }
    if (inlay_dim_proven_equal(a, b) || (a.lo > 1 && b.lo > 1))
        return inlay_dim_merge(a, b, out);
    if (a.lo > 1 || b.lo > 1) { /* the other one equals it, or is 1 */
        inlay_dim big = a.lo > 1 ? a : b, other = a.lo > 1 ? b : a, both;

        if (inlay_dim_merge(big, other, &both))
            *out = may_be_one(other) ? big : both;
        else
            *out = big;
        return may_be_one(other) || inlay_dim_compatible(big, other);
    }
    if (a.hi == 0 || b.hi == 0) { /* the other one is 0 or 1 */
        *out = inlay_dim_of(0);
        return true;
    }
    if (!inlay_dim_compatible(a, b) && !may_be_one(a) && !may_be_one(b))
        return false;
    *out = inlay_dim_union(a, b);
    out->id = 0;
    return true;
}

bool broadcast_shapes(const inlay_shape *a, const inlay_shape *b, inlay_shape *out, int *axis)
{
    int rank = a->rank > b->rank ? a->rank : b->rank;

    if (a->rank < 0 || b->rank < 0) {
        out->rank = -1;
        return true;
    }
    for (int i = 0; i < rank; i++) {
        int ia = i - (rank - a->rank), ib = i - (rank - b->rank);
        inlay_dim da = ia < 0 ? inlay_dim_of(1) : a->dim[ia];
        inlay_dim db = ib < 0 ? inlay_dim_of(1) : b->dim[ib];

        if (!broadcast_dim(da, db, &out->dim[i])) {
            *axis = i;
            return false;
        }
    }
    out->rank = rank;
    return true;
}

bool broadcasts_to(const inlay_shape *a, const inlay_shape *to)
{
    int lead = to->rank - a->rank;

    if (a->rank < 0 || to->rank < 0)
        return true;
    for (int i = 0; lead >= 0 && i < a->rank; i++) {
        if (!may_be_one(a->dim[i]) && !inlay_dim_compatible(a->dim[i], to->dim[lead + i]))
            return false;
    }
    return lead >= 0;
}

static bool equal_shapes(inlay_infer *cx, int i, int j, inlay_shape *out)
{
    inlay_shape b;

    inlay_infer_shape(cx, i, out);
    inlay_infer_shape(cx, j, &b);
    if (out->rank < 0 || b.rank < 0) {
        if (out->rank < 0)
            *out = b;
        return true;
    }
    if (out->rank != b.rank)
        return inlay_infer_fail(cx,
                                "input %d \"%s\" has shape %s, it must have the rank of input %d "
                                "\"%s\", which has shape %s",
                                j, in_name(cx, j), in_text(cx, j), i, in_name(cx, i),
                                in_text(cx, i));
    for (int k = 0; k < b.rank; k++) {
        if (!merge_dim(cx, j, k, b.dim[k], &out->dim[k]))
            return false;
    }
    return true;
}

/* The dims of input J stand at the end of those of input I, and each is 1 or the dim of I
 * ("pdpd"). */
static bool pdpd_shapes(inlay_infer *cx, int i, int j, inlay_shape *out)
{
    inlay_shape b;
    int lead;

    inlay_infer_shape(cx, i, out);
    inlay_infer_shape(cx, j, &b);
    if (out->rank < 0 || b.rank < 0)
        return true;
    lead = out->rank - b.rank;
    if (lead < 0)
        return inlay_infer_fail(cx,
                                "input %d \"%s\" has shape %s: it does not fit input %d \"%s\" of "
                                "shape %s at axis %d",
                                j, in_name(cx, j), in_text(cx, j), i, in_name(cx, i),
                                in_text(cx, i), lead);
    for (int k = 0; k < b.rank; k++) {
        if (!may_be_one(b.dim[k]) && !merge_dim(cx, j, k, b.dim[k], &out->dim[lead + k]))
            return false;
    }
    return true;
}

/* Have operands I and J the same sizes, all of them known? */
static bool are_alike(const inlay_infer *cx, int i, int j)
{
    const inlay_fact *a = cx->in[i], *b = cx->in[j];
    bool alike = a->rank >= 0 && a->rank == b->rank;

    for (int k = 0; alike && k < a->rank; k++)
        alike = a->dims[k].lo == b->dims[k].lo && inlay_dim_is_static(a->dims[k]) &&
                inlay_dim_is_static(b->dims[k]);
    return alike;
}

/* What "pdpd" allows pairs the same elements as "numpy" does, because no file says an axis for
 * "pdpd". */
bool inlay_infer_broadcast(inlay_infer *cx, int i, int j, const char *mode, inlay_shape *out)
{
    inlay_shape a, b;
    int where;

    if (are_alike(cx, i, j)) { /* as most are, whatever the mode */
        inlay_infer_shape(cx, i, out);
        return true;
    }
    if (strcmp(mode, "none") == 0)
        return equal_shapes(cx, i, j, out);
    if (strcmp(mode, "pdpd") == 0)
        return pdpd_shapes(cx, i, j, out);
    inlay_infer_shape(cx, i, &a);
    inlay_infer_shape(cx, j, &b);
    if (broadcast_shapes(&a, &b, out, &where))
        return true;
    return inlay_infer_fail(cx,
                            "input %d \"%s\" has shape %s, which does not broadcast with %s of "
                            "input %d \"%s\" (axis %d of the result)",
                            j, in_name(cx, j), in_text(cx, j), in_text(cx, i), i, in_name(cx, i),
                            where);
}
