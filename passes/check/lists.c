/* Makes the values of a list alike, because a rule's requirements on all operands together seldom
 * appear in its text: for example that they are Transposes with the same order, or adjacent parts
 * of one value. */
#include "passes/check/maker.h"

#include <stdio.h>
#include <string.h>

static inlay_value *parameter(check_maker *m, const int64_t *dims)
{
    inlay_shape shape = {.rank = m->rank};

    for (int i = 0; i < m->rank; i++)
        shape.dim[i] = inlay_dim_of(dims[i]);
    return inlay_build_parameter(m->graph, NULL, m->type, &shape, m->diags);
}

static inlay_value *list_of(check_maker *m, int64_t n, const int64_t *x)
{
    return inlay_build_ints(m->graph, NULL, INLAY_I64, 1, &n, x, m->diags);
}

/* The output of the operation OP on the operands IN; NULL: an operand is missing, or the operation
 * is invalid. */
static inlay_value *made(check_maker *m, const char *op, inlay_value **in, int n, const char *attrs)
{
    inlay_node *node;

    for (int i = 0; i < n; i++) {
        if (!in[i])
            return NULL;
    }
    node = inlay_build(m->graph, NULL, op, in, n, attrs, m->diags);
    return node ? &node->out[0] : NULL;
}

/* All have the maker's sizes, and the same value ORDER. */
static bool make_transposes(check_maker *m, int n, inlay_value **out)
{
    int64_t order[CHECK_RANK], dims[CHECK_RANK];
    inlay_value *by;

    for (int i = 0; i < m->rank; i++) {
        int64_t k = check_draw(m, 0, i);

        order[i] = order[k];
        order[k] = i;
    }
    for (int i = 0; i < m->rank; i++)
        dims[order[i]] = m->dims[i];
    by = list_of(m, m->rank, order);
    for (int i = 0; i < n; i++) {
        out[i] = made(m, "Transpose", (inlay_value *[]){parameter(m, dims), by}, 2, NULL);
        if (!out[i])
            return false;
    }
    return true;
}

/* Adjacent parts of one value along an axis; sometimes with a gap between them. */
static bool make_slices(check_maker *m, int n, inlay_value **out)
{
    int64_t dims[CHECK_RANK], axis = check_draw(m, 0, m->rank - 1), begin = check_draw(m, 0, 1);
    int64_t one = 1, cuts[CHECK_LIST + 1], end = begin;
    inlay_value *data;

    if (m->rank == 0)
        return false;
    for (int i = 0; i <= n; i++) {
        cuts[i] = end;
        end += check_draw(m, 0, 2);
    }
    for (int i = 0; i < m->rank; i++)
        dims[i] = i == axis ? cuts[n] + check_draw(m, 0, 1) : m->dims[i];
    data = parameter(m, dims);
    for (int i = 0; i < n; i++) {
        begin = cuts[i] + (cuts[i] < cuts[i + 1] && check_one_in(m, 16));
        out[i] = made(m, "Slice",
                      (inlay_value *[]){data, list_of(m, 1, &begin), list_of(m, 1, &cuts[i + 1]),
                                        list_of(m, 1, &one), list_of(m, 1, &axis)},
                      5, NULL);
        if (!out[i])
            return false;
    }
    return true;
}

/* Makes one or some of them a Concat of two values of the maker's sizes. */
static bool make_concats(check_maker *m, int n, inlay_value **out)
{
    char attrs[40];

    if (m->rank == 0)
        return false;
    snprintf(attrs, sizeof attrs, "axis=%d", (int)check_draw(m, 0, m->rank - 1));
    for (int i = 0; i < n; i++) {
        inlay_value *parts[] = {parameter(m, m->dims), parameter(m, m->dims)};

        out[i] = check_one_in(m, 3) ? parts[0] : made(m, "Concat", parts, 2, attrs);
        if (!out[i])
            return false;
    }
    return true;
}

/* Broadcasts some of them to the maker's sizes. */
static bool make_broadcasts(check_maker *m, int n, inlay_value **out)
{
    int64_t dims[CHECK_RANK];

    for (int i = 0; i < n; i++) {
        inlay_value *in[] = {NULL, list_of(m, m->rank, m->dims)};
        bool repeated = check_one_in(m, 2);

        for (int k = 0; k < m->rank; k++)
            dims[k] = repeated && check_one_in(m, 2) ? 1 : m->dims[k];
        in[0] = parameter(m, dims);
        out[i] = repeated ? made(m, "Broadcast", in, 2, NULL) : in[0];
        if (!out[i])
            return false;
    }
    return true;
}

inlay_value *check_written(check_maker *m)
{
    int64_t axis = check_draw(m, 0, m->rank - 1), one = 1, ends[2], dims[CHECK_RANK];
    int64_t size = m->rank > 0 ? m->dims[axis] : 0;
    inlay_value *data;

    if (m->rank == 0)
        return NULL;
    memcpy(dims, m->dims, sizeof dims);
    ends[0] = check_one_in(m, 2) ? 0 : check_draw(m, 0, size);
    ends[1] = ends[0] > 0 ? size : check_draw(m, 0, size);
    dims[axis] = ends[1] - ends[0];
    data = made(m, "Abs", (inlay_value *[]){parameter(m, m->dims)}, 1, NULL);
    return made(m, "SliceScatter",
                (inlay_value *[]){data, parameter(m, dims), list_of(m, 1, &ends[0]),
                                  list_of(m, 1, &ends[1]), list_of(m, 1, &one),
                                  list_of(m, 1, &axis)},
                6, NULL);
}

bool check_list(check_maker *m, int n, inlay_value **out)
{
    static bool (*const kinds[])(check_maker *, int, inlay_value **) = {
        make_transposes, make_slices, make_concats, make_broadcasts};

    return kinds[check_draw(m, 0, (int64_t)(sizeof kinds / sizeof *kinds) - 1)](m, n, out);
}
