/* Have two equations the same value, whatever the inputs are? */
#include "check/check.h"

#include <string.h>

bool alike(const node *a, const node *b)
{
    bool same =
        a->op == b->op && a->set == b->set && a->version == b->version && a->n_attrs == b->n_attrs;

    for (int i = 0; same && i < a->n_attrs; i++)
        same = a->attrs[i].name == b->attrs[i].name && a->attrs[i].text == b->attrs[i].text;
    return same;
}

/* What gives other numbers each time, or depends on when and where it runs. */
static bool is_unlike(const node *n)
{
    return strncmp(n->op, "Random", 6) == 0 || strcmp(n->op, "Multinomial") == 0 ||
           strcmp(n->op, "Bernoulli") == 0 || is_op(n, "Parameter") || n->n_bodies > 0;
}

bool may_turn(const node *n)
{
    return n->n_in == 2 && !n->set && has_flag(n, "commutes") &&
           (!attr_of(n, "auto_broadcast") || attr_is(n, "auto_broadcast", "numpy"));
}

/* Operand by operand; commuting ones in the other order, too. */
static bool same_operation(question *q, const node *a, const node *b)
{
    bool same = alike(a, b) && a->n_in == b->n_in && !is_unlike(a) && a->n_in > 0;

    for (int turned = 0; same && turned <= may_turn(a); turned++) {
        int i = 0;

        while (i < a->n_in && same_value(q, a->in[i], b->in[i ^ turned]) == SAME)
            i++;
        if (i == a->n_in)
            return true;
    }
    return false;
}

static answer same_element(question *q, element a, element b);

/* Element by element of the operands. */
static answer same_arithmetic(question *q, element a, element b)
{
    /* which element of integers cannot be divided matters */
    if (has_flag(a.n, "faults") && strchr("iu", *a.n->out[0].type))
        return UNDECIDED;
    for (int turned = 0; turned <= may_turn(a.n); turned++) {
        element x, y;
        int i = 0;

        while (i < a.n->n_in && pointwise_of(q, a, i, &x) && pointwise_of(q, b, i ^ turned, &y) &&
               same_element(q, x, y) == SAME)
            i++;
        if (i == a.n->n_in)
            return SAME;
    }
    return UNDECIDED;
}

/* What is moved is the same if the ways that its elements came meet; else where they begin is
 * compared. */
static answer same_element(question *q, element a, element b)
{
    enum { MOST_STEPS = 48 };
    element way[MOST_STEPS];
    int n = 0;
    word type = NULL, other = NULL, x, y;
    answer is = UNDECIDED;

    do
        way[n++] = a;
    while (n < MOST_STEPS && moved(q, &a));
    do {
        for (int i = 0; i < n; i++) {
            if (b.n && way[i].n == b.n && way[i].k == b.k && way[i].at == b.at)
                return SAME;
        }
    } while (moved(q, &b));
    if (q->steps <= 0 || q->depth > 24)
        return UNDECIDED;
    if (!a.n || !b.n) /* padding without a value */
        return a.n == b.n ? SAME : UNDECIDED;
    x = number_of(q, a, &type);
    y = number_of(q, b, &other);
    if (x && y && type == other)
        return x == y ? SAME : DIFFERENT;
    if (is_op(a.n, "Const") && is_op(b.n, "Const"))
        return alike(a.n, b.n) && a.at == b.at ? SAME : UNDECIDED;
    if (!q->in_body && (x || is_op(a.n, "Parameter")) && (y || is_op(b.n, "Parameter")))
        return DIFFERENT; /* inputs may be any numbers */
    q->depth++;
    if (is_pointwise(a.n) && alike(a.n, b.n) && a.n->n_in == b.n->n_in)
        is = same_arithmetic(q, a, b);
    else if (a.at == b.at && a.k == b.k && shape_of(q, a) && shape_of(q, b) &&
             same_shape(shape_of(q, a), shape_of(q, b)))
        is = same_operation(q, a.n, b.n) ? SAME : UNDECIDED;
    q->depth--;
    return is;
}

static answer same_elements(question *q, element a, element b)
{
    const shape *x = shape_of(q, a), *y = shape_of(q, b);
    answer is = SAME;

    q->why = !x || !y                         ? "sizes are open, or it is large"
             : !same_shape(x, y)              ? "the shapes differ"
             : count_of(x) == 0               ? "it has no elements, so errors alone could differ"
             : count_of(x) > (size_t)q->steps ? "it is large"
                                              : NULL;
    if (q->why)
        return x && y && !same_shape(x, y) && !q->claimed ? DIFFERENT : UNDECIDED;
    q->why = "an element is another one";
    for (; is == SAME && a.at < count_of(x); a.at++, b.at++)
        is = same_element(q, a, b);
    return is;
}

answer same_value(question *q, element a, element b)
{
    answer is = UNDECIDED;

    if (a.n == b.n && a.k == b.k)
        return SAME;
    if (!a.n || !b.n || q->steps-- <= 0 || q->depth > 24)
        return UNDECIDED;
    if (is_op(a.n, "Const") && is_op(b.n, "Const"))
        return alike(a.n, b.n) ? SAME : same_elements(q, a, b);
    q->depth++;
    if (a.k == b.k && same_operation(q, a.n, b.n))
        is = SAME;
    else if (!q->plain)
        is = same_elements(q, a, b);
    if (is == UNDECIDED && q->rule && !q->plain) {
        q->plain = true;
        is = is_instance(q, q->rule, a, b) ? SAME : UNDECIDED;
        q->plain = false;
        q->by_rule |= is == SAME;
    }
    q->depth--;
    return is;
}
