/* The signed form of sums and products of floats:
 *
 *     a - b = a + -b      -a * b = -(a * b)      -(-a) = a      a + b = b + a
 *
 * Each is exact, whatever the numbers are: IEEE 754 defines a difference as that sum, and the sign
 * of a product by the signs of its factors; the sign of a NaN is not specified. -(a - b) is not
 * b - a, which is +0 where a and b are equal. */
#include "inlay_ops.h"
#include "passes/symbolic/term.h"

#include <string.h>

bool signed_has_form(const inlay_node *n)
{
    const inlay_attr *a = inlay_node_attr(n, "auto_broadcast");

    return (inlay_node_is(n, INLAY_OP_ADD) || inlay_node_is(n, INLAY_OP_SUBTRACT) ||
            inlay_node_is(n, INLAY_OP_MULTIPLY) || inlay_node_is(n, INLAY_OP_NEGATIVE)) &&
           inlay_type_is_float(n->out[0].fact.type) && !(a && strcmp(a->as.s, "pdpd") == 0);
}

static int64_t form_of(int64_t form, inlay_type type)
{
    return form - SIGNED_FORMS * (int64_t)type;
}

/* Sets *X to what it is the negation of, if it is one. */
static bool strip(const terms *t, inlay_type type, int64_t *x)
{
    const int64_t *parts;
    bool negated =
        term_parts(t, *x, TERM_APPLY, &parts) == 2 && parts[0] == form_of(SIGNED_NEGATION, type);

    if (negated)
        *x = parts[1];
    return negated;
}

static int64_t negation(terms *t, inlay_type type, int64_t x)
{
    if (x < 0 || strip(t, type, &x))
        return x;
    return term_of(t, TERM_APPLY, (int64_t[]){form_of(SIGNED_NEGATION, type), x}, 2);
}

static int64_t sorted(terms *t, int64_t form, int64_t x, int64_t y)
{
    const int64_t parts[] = {form, x < y ? x : y, x < y ? y : x};

    return x < 0 || y < 0 ? -1 : term_of(t, TERM_APPLY, parts, 3);
}

static int64_t product(terms *t, inlay_type type, int64_t x, int64_t y)
{
    bool negated = strip(t, type, &x) != strip(t, type, &y);
    int64_t term = sorted(t, form_of(SIGNED_PRODUCT, type), x, y);

    return negated ? negation(t, type, term) : term;
}

int64_t signed_term(terms *t, const inlay_node *n, const int64_t *parts)
{
    const inlay_type type = n->out[0].fact.type;

    if (inlay_node_is(n, INLAY_OP_NEGATIVE))
        return negation(t, type, parts[0]);
    if (inlay_node_is(n, INLAY_OP_MULTIPLY))
        return product(t, type, parts[0], parts[1]);
    return sorted(t, form_of(SIGNED_SUM, type), parts[0],
                  inlay_node_is(n, INLAY_OP_SUBTRACT) ? negation(t, type, parts[1]) : parts[1]);
}
