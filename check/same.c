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

static answer same_operand(question *q, const node *a, int i, const node *b, int j)
{
    element x = operand_of(&q->s, a, i), y = operand_of(&q->s, b, j);

    return x.n && y.n ? same_value(q, x.n, x.k, y.n, y.k) : x.n == y.n ? SAME : UNDECIDED;
}

/* Operand by operand; commuting ones in the other order, too. */
static bool same_operation(question *q, const node *a, const node *b)
{
    bool same = alike(a, b) && a->n_in == b->n_in && !is_unlike(a) && a->n_in > 0;

    for (int turned = 0; same && turned <= may_turn(a); turned++) {
        int i = 0;

        while (i < a->n_in && same_operand(q, a, i, b, i ^ turned) == SAME)
            i++;
        if (i == a->n_in)
            return true;
    }
    return false;
}

static answer same_element(question *q, element a, element b);

/* Element by element of the operands. Results differ surely if one operand does, and the others
 * are no numbers, such as 0, that could hide it. */
static answer same_arithmetic(question *q, element a, element b)
{
    const shape *to = shape_of(&q->s, a), *also = shape_of(&q->s, b);
    int different = 0, n = a.n->n_in;

    /* which element of integers cannot be divided matters */
    if (!to || !also || (has_flag(a.n, "faults") && strchr("iu", *a.n->out[0].type)))
        return UNDECIDED;
    for (int turned = 0; turned <= may_turn(a.n); turned++) {
        int same = 0, numbers = 0;

        for (int i = 0; i < n; i++) {
            element x = operand_of(&q->s, a.n, i), y = operand_of(&q->s, b.n, i ^ turned);
            const shape *of = shape_of(&q->s, x), *its = shape_of(&q->s, y);
            word type;
            answer is;

            if (!of || !its)
                return UNDECIDED;
            x.at = broadcast_at(of, to, a.at);
            y.at = broadcast_at(its, also, b.at);
            is = same_element(q, x, y);
            same += is == SAME;
            numbers += is == SAME && number_of(&q->s, x, &type) != NULL;
            different += is == DIFFERENT;
        }
        if (same == n)
            return SAME;
        if (different != 1 || same != n - 1 || numbers > 0 || may_turn(a.n))
            different = n + 1;
    }
    return different == 1 ? DIFFERENT : UNDECIDED;
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

    do {
        way[n++] = a;
    } while (n < MOST_STEPS && moved(&q->s, &a));
    do {
        for (int i = 0; i < n; i++) {
            if (b.n && way[i].n == b.n && way[i].k == b.k && way[i].at == b.at)
                return SAME;
        }
    } while (moved(&q->s, &b));
    if (q->s.steps <= 0 || q->depth > 24)
        return UNDECIDED;
    if (!a.n || !b.n) /* padding without a value */
        return a.n == b.n ? SAME : UNDECIDED;
    x = number_of(&q->s, a, &type);
    y = number_of(&q->s, b, &other);
    if (x && y && type == other)
        return x == y ? SAME : DIFFERENT;
    if (is_op(a.n, "Const") && is_op(b.n, "Const"))
        return alike(a.n, b.n) && a.at == b.at ? SAME : UNDECIDED;
    if (!q->s.g->is_body && (x || is_op(a.n, "Parameter")) && (y || is_op(b.n, "Parameter")))
        return DIFFERENT; /* inputs may be any numbers */
    q->depth++;
    if (is_pointwise(a.n) && alike(a.n, b.n) && a.n->n_in == b.n->n_in)
        is = same_arithmetic(q, a, b);
    else if (a.at == b.at && a.k == b.k && shape_of(&q->s, a) && shape_of(&q->s, b) &&
             same_shape(shape_of(&q->s, a), shape_of(&q->s, b)))
        is = same_operation(q, a.n, b.n) ? SAME : UNDECIDED;
    q->depth--;
    return is;
}

static answer same_elements(question *q, element a, element b)
{
    const shape *x = shape_of(&q->s, a), *y = shape_of(&q->s, b);

    if (!x || !y)
        q->why = "sizes are open, or it is large";
    else if (!same_shape(x, y))
        q->why = "the shapes differ";
    else if (count_of(x) == 0)
        q->why = "it has no elements, so errors alone could differ";
    else if (count_of(x) > (size_t)q->s.steps)
        q->why = "it is large";
    if (!x || !y || !same_shape(x, y) || count_of(x) == 0 || count_of(x) > (size_t)q->s.steps)
        return x && y && !same_shape(x, y) && !q->s.claimed ? DIFFERENT : UNDECIDED;
    for (; a.at < count_of(x); a.at++, b.at++) {
        answer is = same_element(q, a, b);

        q->why = "an element is another one";
        if (is != SAME)
            return is;
    }
    return SAME;
}

answer same_value(question *q, const node *a, int i, const node *b, int j)
{
    answer is = UNDECIDED;

    if (a == b && i == j)
        return SAME;
    if (q->s.steps-- <= 0 || q->depth > 24)
        return UNDECIDED;
    if (is_op(a, "Const") && is_op(b, "Const"))
        return alike(a, b) ? SAME : same_elements(q, (element){a, i, 0}, (element){b, j, 0});
    q->depth++;
    if (i == j && same_operation(q, a, b))
        is = SAME;
    else if (!q->plain)
        is = same_elements(q, (element){a, i, 0}, (element){b, j, 0});
    if (is == UNDECIDED && q->rule && !q->plain) {
        q->plain = true;
        is = is_instance(q, q->rule, a, i, b, j) ? SAME : UNDECIDED;
        q->plain = false;
        q->by_rule |= is == SAME;
    }
    q->depth--;
    return is;
}
