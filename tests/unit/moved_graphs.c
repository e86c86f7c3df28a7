/* Graphs of moves. See moved_graphs.h. */
#include "moved_graphs.h"
#include "unit.h"

static int64_t number(struct moves *m, int64_t lo, int64_t hi)
{
    int64_t x = rng_in(&m->numbers, lo, hi);

    return m->next++ != m->nudge ? x : x < hi ? x + 1 : x - 1;
}

/* Which of N forms the next move has. */
static int form(struct moves *m, int n)
{
    return (int)rng_in(&m->forms, 0, n - 1);
}

static inlay_value *fixed(struct moves *m, int64_t x)
{
    return inlay_build_i64_list(m->g, NULL, &x, 1, NULL);
}

inlay_value *moves_make(struct moves *m, const char *op, inlay_value *const *in, int n,
                        const char *attrs)
{
    inlay_node *made = inlay_build(m->g, NULL, op, in, n, attrs, NULL);

    assert_non_null(made);
    return &made->out[0];
}

/* COUNT places of X from LO on. */
static inlay_value *cut(struct moves *m, inlay_value *x, int axis, int64_t lo, int64_t count)
{
    const int64_t lengths[] = {lo, count, SIDE - lo - count};
    inlay_value *list = inlay_build_i64_list(m->g, NULL, lengths, 3, NULL);
    inlay_value *along = inlay_build_i64_scalar(m->g, NULL, axis - form(m, 2) * RANK, NULL);
    int from_end = form(m, 2) && lo + count < SIDE ? SIDE : 0;
    inlay_value *window[] = {x, fixed(m, lo - from_end), fixed(m, lo + count - from_end),
                             fixed(m, 1), fixed(m, axis)};

    if (form(m, 2))
        return moves_make(m, "Slice", window, 5, NULL);
    return moves_make(m, "VariadicSplit", (inlay_value *[]){x, along, list}, 3, NULL) + 1;
}

static inlay_value *join(struct moves *m, int axis, inlay_value *const *parts, int n)
{
    char attrs[20];

    snprintf(attrs, sizeof attrs, "axis=%d", axis - form(m, 2) * RANK);
    return moves_make(m, "Concat", parts, n, attrs);
}

static inlay_value *roll(struct moves *m, inlay_value *x)
{
    int axis = (int)number(m, 0, 1);
    int64_t by = number(m, 1, SIDE - 1), list[SIDE];

    for (int i = 0; i < SIDE; i++)
        list[i] = (i + by) % SIDE;
    if (m->lists && form(m, 2))
        return moves_make(m, "Gather",
                          (inlay_value *[]){x, inlay_build_i64_list(m->g, NULL, list, SIDE, NULL),
                                            inlay_build_i64_scalar(m->g, NULL, axis, NULL)},
                          3, NULL);
    return join(m, axis, (inlay_value *[]){cut(m, x, axis, by, SIDE - by), cut(m, x, axis, 0, by)},
                2);
}

static inlay_value *overwrite(struct moves *m, inlay_value *x, inlay_value *y)
{
    int axis = (int)number(m, 0, 1);
    int64_t count = rng_in(&m->numbers, 1, 3), at = number(m, 0, SIDE - count);
    inlay_value *part = cut(m, y, axis, number(m, 0, SIDE - count), count);
    inlay_value *in[] = {x, part, fixed(m, at), fixed(m, at + count), fixed(m, 1), fixed(m, axis)};

    if (form(m, 2))
        return moves_make(m, "SliceScatter", in, 6, NULL);
    return join(m, axis,
                (inlay_value *[]){cut(m, x, axis, 0, at), part,
                                  cut(m, x, axis, at + count, SIDE - at - count)},
                3);
}

static inlay_value *transpose(struct moves *m, inlay_value *x, const int64_t *order)
{
    return moves_make(m, "Transpose",
                      (inlay_value *[]){x, inlay_build_i64_list(m->g, NULL, order, RANK, NULL)}, 2,
                      NULL);
}

/* The sum of X, perhaps turned, and its Abs, in one order of the axes or in another. */
static inlay_value *turn(struct moves *m, inlay_value *x)
{
    static const int64_t orders[][RANK] = {{1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
    const int64_t *a = orders[form(m, 5)], *b = orders[form(m, 5)];
    int64_t both[RANK], back[RANK];
    bool is_swapped = number(m, 0, 1), before = form(m, 2);
    inlay_value *y;

    for (int i = 0; i < RANK; i++)
        back[both[i] = a[b[i]]] = i;
    if (is_swapped)
        x = transpose(m, x, (const int64_t[]){1, 0, 2});
    y = moves_make(m, "Abs", &x, 1, NULL);
    if (form(m, 2))
        return moves_make(m, "Add", before ? (inlay_value *[]){x, y} : (inlay_value *[]){y, x}, 2,
                          NULL);
    x = transpose(m, transpose(m, x, a), b);
    y = transpose(m, y, both);
    x = moves_make(m, "Add", before ? (inlay_value *[]){y, x} : (inlay_value *[]){x, y}, 2, NULL);
    return transpose(m, x, back);
}

static inlay_value *rejoin(struct moves *m, inlay_value *x)
{
    int axis = form(m, 2);
    int64_t at = form(m, SIDE + 1);

    if (form(m, 2))
        return moves_make(m, "Convert", &x, 1, "destination_type=f32");
    return join(m, axis, (inlay_value *[]){cut(m, x, axis, 0, at), cut(m, x, axis, at, SIDE - at)},
                2);
}

static inlay_value *move(struct moves *m, inlay_value *x, inlay_value *y)
{
    switch (rng_in(&m->numbers, 0, 4)) {
    case 0:
        return roll(m, x);
    case 1:
        return overwrite(m, x, y);
    case 2:
        return turn(m, x);
    case 3:
        return rejoin(m, x);
    default:
        return moves_make(
            m, "CumSum",
            (inlay_value *[]){x, inlay_build_i64_scalar(m->g, NULL, number(m, 0, 1), NULL)}, 2,
            NULL);
    }
}

inlay_graph *moved(uint64_t seed, uint64_t forms, bool lists, int nudge, int *numbers)
{
    struct moves m = {inlay_graph_new("moves", NULL), {seed}, {forms}, 0, nudge, lists};
    inlay_shape shape;
    inlay_value *x, *y;

    inlay_shape_of_rank(&shape, RANK);
    shape.dim[0] = shape.dim[1] = inlay_dim_of(SIDE);
    shape.dim[2] = lists ? inlay_dim_of(2) : inlay_dim_any();
    shape.dim[2].id = lists ? 0 : inlay_graph_named_dim(m.g, "n", NULL);
    x = inlay_build_parameter(m.g, "x", INLAY_F32, &shape, NULL);
    y = inlay_build_parameter(m.g, "y", INLAY_F32, &shape, NULL);
    for (int i = 0; i < MOVES; i++)
        x = move(&m, x, y);
    assert_non_null(inlay_build_result(m.g, "out", x, NULL));
    *numbers = m.next;
    return m.g;
}
