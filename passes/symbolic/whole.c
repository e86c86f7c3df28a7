/* Whole values as terms: are two graphs the same for all sizes?
 *
 *     f(x, y)                          the operation with its attributes and operands
 *     along axis 0: x[0, 2), u         the result of a Slice, SliceScatter, Split or Concat
 *                                      with known numbers: parts of values, joined
 *     in the order 1 0: x              the result of one or more Transposes
 *     in the shape s: x                the result of a Reshape, or of a Broadcast of a number
 *
 * A value that consists of parts has one form: adjacent parts of the same value are merged, and all
 * of a value is the value. Terms are numbered (term.h), so equal numbers are equal values, whatever
 * sizes the graph leaves open. */
#include "passes/symbolic/whole.h"
#include "inlay_ops.h"
#include "ir/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 64, MAX_OPERANDS = 64 };

/* The first number of a TERM_APPLY for these forms. */
enum { IN_PARTS = -1, IN_ORDER = -2, IN_SHAPE = -3, REPEATED = -4 };

/* SIZE elements from LO on of an axis of BASE, which has WHOLE elements. Both are -1 if not known:
 * then it is all of BASE. */
struct part {
    int64_t base, lo, size, whole;
};

/* Parts joined along AXIS. */
struct row {
    int64_t axis;
    struct part part[MAX_PARTS];
    int n;
};

struct whole {
    terms *terms;
    const inlay_graph *g;
    int64_t **of; /* by node id: a number for each output, or NULL */
    char *why;
    size_t size;
    inlay_diags *d;
};

static int64_t number_of(const struct whole *w, const inlay_value *v)
{
    return w->of[v->node->id][v->index];
}

/* ---- parts ---- */

static int64_t size_of(const inlay_value *v, int axis)
{
    const inlay_fact *f = &v->fact;

    return axis < f->rank && inlay_dim_is_static(f->dims[axis]) ? f->dims[axis].lo : -1;
}

/* The parts of V along AXIS. */
static void parts_of(const struct whole *w, const inlay_value *v, int axis, struct row *out)
{
    const int64_t number = number_of(w, v), size = size_of(v, axis);
    const int64_t *x;
    size_t n = term_parts(w->terms, number, TERM_APPLY, &x);

    *out = (struct row){.axis = axis, .n = 1, .part = {{number, 0, size, size}}};
    if (n < 2 || x[0] != IN_PARTS || x[1] != axis)
        return;
    out->n = (int)((n - 2) / 4);
    memcpy(out->part, x + 2, (n - 2) * sizeof *x);
}

/* Adds P, which is merged with the last part if it continues the same value. False: too many parts.
 */
static bool add_part(struct row *r, struct part p)
{
    struct part *last = r->n ? &r->part[r->n - 1] : NULL;

    if (p.size == 0)
        return true;
    if (last && last->base == p.base && last->size >= 0 && last->lo + last->size == p.lo) {
        last->size += p.size;
        return true;
    }
    if (r->n == MAX_PARTS)
        return false;
    r->part[r->n++] = p;
    return true;
}

/* Adds the elements of FROM from LO up to, not including, HI. False: a size is not known, or there
 * are too many parts. */
static bool add_cut(const struct row *from, int64_t lo, int64_t hi, struct row *to)
{
    int64_t at = 0;

    for (int i = 0; i < from->n; i++) {
        const struct part p = from->part[i];
        const int64_t end = at + p.size, a = lo > at ? lo : at, b = hi < end ? hi : end;

        if (p.size < 0)
            return false;
        if (a < b && !add_part(to, (struct part){p.base, p.lo + a - at, b - a, p.whole}))
            return false;
        at = end;
    }
    return true;
}

static bool add_all(const struct row *from, struct row *to)
{
    for (int i = 0; i < from->n; i++) {
        if (!add_part(to, from->part[i]))
            return false;
    }
    return true;
}

/* The term number of R; -1: out of memory, or R has no elements, so its shape would be lost. */
static int64_t term_of_row(const struct whole *w, const struct row *r)
{
    int64_t x[2 + 4 * MAX_PARTS] = {IN_PARTS, r->axis};

    if (r->n == 0)
        return -1;
    if (r->n == 1 && r->part[0].lo == 0 && r->part[0].size == r->part[0].whole)
        return r->part[0].base;
    memcpy(x + 2, r->part, (size_t)r->n * sizeof r->part[0]);
    return term_of(w->terms, TERM_APPLY, x, 2 + 4 * (size_t)r->n);
}

/* ---- windows ---- */

/* The only axis of the data that N, a Slice or a SliceScatter, cuts, with a step of one; *AXIS is
 * -1 if it cuts none. An axis of open size counts as not cut if its largest size would not be.
 * False: another kind of window, or not known. */
static bool find_window(const inlay_node *n, int *axis, inlay_window *out)
{
    const inlay_fact *f = &n->in[0].value->fact;
    int64_t dims[INLAY_MAX_RANK];
    inlay_window w[INLAY_MAX_RANK];

    for (int i = 0; i < f->rank; i++)
        dims[i] = f->dims[i].hi;
    *axis = -1;
    if (f->rank < 0 || !inlay_node_windows(n, dims, w))
        return false;
    for (int i = 0; i < f->rank; i++) {
        if (w[i].begin == 0 && w[i].count == dims[i] && (w[i].step == 1 || w[i].count < 2))
            continue;
        if (*axis >= 0 || w[i].step != 1 || !inlay_dim_is_static(f->dims[i]))
            return false;
        *axis = i;
        *out = w[i];
    }
    return true;
}

static int64_t slice_term(const struct whole *w, const inlay_node *n)
{
    struct row all, part = {0};
    inlay_window window;
    int axis;

    if (!find_window(n, &axis, &window))
        return -1;
    if (axis < 0)
        return number_of(w, n->in[0].value);
    parts_of(w, n->in[0].value, axis, &all);
    part.axis = axis;
    return add_cut(&all, window.begin, window.begin + window.count, &part) ? term_of_row(w, &part)
                                                                           : -1;
}

/* A and B are known to have the same sizes, except along AXIS. */
static bool fit_but_for(const inlay_value *a, const inlay_value *b, int axis)
{
    if (a->fact.rank < 0 || a->fact.rank != b->fact.rank)
        return false;
    for (int i = 0; i < a->fact.rank; i++) {
        if (i != axis && !inlay_dim_proven_equal(a->fact.dims[i], b->fact.dims[i]))
            return false;
    }
    return true;
}

static int64_t slice_scatter_term(const struct whole *w, const inlay_node *n)
{
    struct row data, updates, out = {0};
    inlay_window window;
    int axis;

    if (!find_window(n, &axis, &window) || !fit_but_for(n->in[0].value, n->in[1].value, axis))
        return -1;
    if (axis < 0) /* all of the data is overwritten */
        return number_of(w, n->in[1].value);
    parts_of(w, n->in[0].value, axis, &data);
    parts_of(w, n->in[1].value, axis, &updates);
    out.axis = axis;
    if (size_of(n->in[1].value, axis) != window.count || !add_cut(&data, 0, window.begin, &out) ||
        !add_all(&updates, &out) || !add_cut(&data, window.begin + window.count, INT64_MAX, &out))
        return -1;
    return term_of_row(w, &out);
}

/* The axis of N, from an operand or an attribute, for data of RANK axes. */
static bool find_axis(const inlay_node *n, int rank, int *axis)
{
    const int attr = n->op->attr_of ? n->op->attr_of[INLAY_ROLE_AXIS] : -1;
    const inlay_attr *a = attr >= 0 ? inlay_node_attr_at(n, attr) : NULL;

    if (!a)
        return inlay_node_axis(n, rank, axis);
    *axis = (int)(a->as.i < 0 ? a->as.i + rank : a->as.i);
    return *axis >= 0 && *axis < rank;
}

static int64_t concat_term(const struct whole *w, const inlay_node *n)
{
    struct row part, out = {0};
    int axis;

    if (!find_axis(n, n->out[0].fact.rank, &axis))
        return -1;
    out.axis = axis;
    for (int i = 0; i < n->n_in; i++) {
        parts_of(w, n->in[i].value, axis, &part);
        if (!fit_but_for(n->in[0].value, n->in[i].value, axis) || !add_all(&part, &out))
            return -1;
    }
    return term_of_row(w, &out);
}

/* The term of output I of N, which splits its data along an axis. */
static int64_t split_term(const struct whole *w, const inlay_node *n, int i)
{
    const inlay_value *data = n->in[0].value;
    struct row all, part = {0};
    int64_t lo = 0, size;
    int axis;

    if (data->fact.rank < 0 || !find_axis(n, data->fact.rank, &axis) || size_of(data, axis) < 0)
        return -1;
    for (int k = 0; k <= i; k++) {
        size = size_of(&n->out[k], axis);
        if (size < 0)
            return -1;
        lo += k < i ? size : 0;
    }
    parts_of(w, data, axis, &all);
    part.axis = axis;
    return add_cut(&all, lo, lo + size, &part) ? term_of_row(w, &part) : -1;
}

/* ---- orders ---- */

/* The order of N, a Transpose, in ORDER; false: it is not known. */
static bool find_order(const inlay_node *n, int64_t *order)
{
    const inlay_value *v = inlay_node_input(n, 1);
    const int rank = n->in[0].value->fact.rank;

    if (rank < 1 || !v || v->fact.n_known != rank)
        return false;
    for (int i = 0; i < rank; i++) {
        if (!inlay_dim_is_static(v->fact.known[i]) || v->fact.known[i].lo < 0 ||
            v->fact.known[i].lo >= rank)
            return false;
        order[i] = v->fact.known[i].lo;
    }
    return true;
}

static int64_t transpose_term(const struct whole *w, const inlay_node *n)
{
    const int rank = n->in[0].value->fact.rank;
    const int64_t number = number_of(w, n->in[0].value);
    int64_t order[INLAY_MAX_RANK], x[2 + INLAY_MAX_RANK] = {IN_ORDER, number};
    const int64_t *inner;
    bool moved = false;
    size_t count;

    if (!find_order(n, order))
        return -1;
    count = term_parts(w->terms, number, TERM_APPLY, &inner);
    if (count < 2 || inner[0] != IN_ORDER)
        inner = NULL;
    x[1] = inner ? inner[1] : number;
    for (int i = 0; i < rank; i++) {
        x[2 + i] = inner ? inner[2 + order[i]] : order[i];
        moved = moved || x[2 + i] != i;
    }
    return moved ? term_of(w->terms, TERM_APPLY, x, 2 + (size_t)rank) : x[1];
}

/* ---- shapes ---- */

/* Surely no element of V is 0. */
static bool has_no_zero(const inlay_value *v)
{
    const inlay_fact *f = &v->fact;

    for (int i = 0; i < f->n_known; i++) {
        if (f->known[i].lo <= 0 && f->known[i].hi >= 0)
            return false;
    }
    return f->n_known > 0;
}

/* The numbers of V, a list, after the N of X. Returns how many there are now; N: not all are
 * known. */
static size_t add_numbers(const inlay_value *v, int64_t *x, size_t n)
{
    const inlay_fact *f = &v->fact;

    for (int i = 0; i < f->n_known; i++) {
        if (f->n_known > INLAY_MAX_RANK || !inlay_dim_is_static(f->known[i]))
            return n;
        x[n + (size_t)i] = f->known[i].lo;
    }
    return n + (size_t)f->n_known;
}

/* Operand 0 of N in the sizes that operand 1 lists: it does not matter where known ones come
 * from. */
static int64_t shaped_term(const struct whole *w, const inlay_node *n, int form, int64_t zeros)
{
    const inlay_value *shape = n->in[1].value;
    int64_t x[4 + INLAY_MAX_RANK] = {form, number_of(w, n->in[0].value), zeros};
    const size_t count = add_numbers(shape, x, 4);

    x[3] = count > 4 ? -1 : number_of(w, shape);
    return term_of(w->terms, TERM_APPLY, x, count);
}

/* What zeros mean (special_zero) says nothing where there are none. */
static int64_t reshape_term(const struct whole *w, const inlay_node *n)
{
    return shaped_term(w, n, IN_SHAPE,
                       has_no_zero(n->in[1].value) ? -1 : inlay_node_bool(n, "special_zero"));
}

/* A number repeated is the same in both modes. */
static int64_t broadcast_term(const struct whole *w, const inlay_node *n)
{
    const char *mode = inlay_node_string(n, "mode");

    if (n->in[0].value->fact.rank != 0 || !inlay_node_input(n, 1) ||
        (strcmp(mode, "numpy") != 0 && strcmp(mode, "bidirectional") != 0))
        return -1;
    return shaped_term(w, n, REPEATED, -1);
}

/* ---- nodes ---- */

/* The term of output I of N if the operation only moves elements in a known way; else -1. */
static int64_t moved_term(const struct whole *w, const inlay_node *n, int i)
{
    const inlay_value *x = inlay_node_input(n, 0);

    if (!x)
        return -1;
    if ((n->op->flags & INLAY_CONVERTS) && x->fact.type == n->out[0].fact.type &&
        x->fact.type != INLAY_DYNAMIC)
        return number_of(w, x);
    if (inlay_node_is(n, INLAY_OP_SLICE))
        return slice_term(w, n);
    if (inlay_node_is(n, INLAY_OP_SLICE_SCATTER))
        return slice_scatter_term(w, n);
    if (inlay_node_is(n, INLAY_OP_TRANSPOSE))
        return transpose_term(w, n);
    if (inlay_node_is(n, INLAY_OP_CONCAT))
        return concat_term(w, n);
    if (inlay_node_is(n, INLAY_OP_RESHAPE))
        return reshape_term(w, n);
    if (inlay_node_is(n, INLAY_OP_BROADCAST))
        return broadcast_term(w, n);
    return n->op->flags & INLAY_CUTS && n->n_out > 1 ? split_term(w, n, i) : -1;
}

/* The operands of N may be swapped; not with broadcasting in pdpd's way. */
static bool commutes(const inlay_node *n)
{
    const inlay_attr *a = inlay_node_attr(n, "auto_broadcast");

    return (n->op->flags & INLAY_COMMUTES) && n->n_in == 2 && n->in[0].value && n->in[1].value &&
           !(a && strcmp(a->as.s, "pdpd") == 0);
}

/* The term of N as a function of the values OPERAND; -1: out of memory. */
static int64_t call_term(const struct whole *w, const inlay_node *n, const int64_t *operand)
{
    int64_t x[1 + MAX_OPERANDS];

    x[0] = term_operation(w->terms, n);
    memcpy(x + 1, operand, (size_t)n->n_in * sizeof *x);
    if (commutes(n) && x[1] > x[2]) {
        const int64_t first = x[1];

        x[1] = x[2];
        x[2] = first;
    }
    return x[0] < 0 ? -1 : term_of(w->terms, TERM_CALL, x, 1 + (size_t)n->n_in);
}

static int64_t output_term(const struct whole *w, int64_t call, int i)
{
    return call < 0 ? -1 : term_of(w->terms, TERM_ELEMENT, (int64_t[]){call, i, -1}, 3);
}

/* Operand V of N, a single number for all elements, is the same in any order of axes. */
static bool is_scalar(const inlay_value *v)
{
    return v->fact.rank == 0;
}

/* *ORDER: the order in which N, a pointwise node, reads all operands that are not scalars, and
 * OPERAND their terms before it. False: there is no common order. */
static bool find_common_order(const struct whole *w, const inlay_node *n, const int64_t **order,
                              int64_t *operand)
{
    const inlay_attr *a = inlay_node_attr(n, "auto_broadcast");
    const int rank = n->out[0].fact.rank;

    *order = NULL;
    if (!(n->op->flags & INLAY_POINTWISE) || n->n_out != 1 || rank < 2 ||
        (a && strcmp(a->as.s, "pdpd") == 0))
        return false;
    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;
        const int64_t *x;

        if (!v || (!is_scalar(v) && v->fact.rank != rank))
            return false;
        if (is_scalar(v))
            continue;
        if (term_parts(w->terms, number_of(w, v), TERM_APPLY, &x) < 2 || x[0] != IN_ORDER ||
            (*order && memcmp(*order, x + 2, (size_t)rank * sizeof *x) != 0))
            return false;
        *order = x + 2;
        operand[i] = x[1];
    }
    return *order != NULL;
}

/* f(transpose(x), transpose(y)) = transpose(f(x, y)); -1: not of this form. */
static int64_t turned_term(const struct whole *w, const inlay_node *n)
{
    int64_t operand[MAX_OPERANDS], x[2 + INLAY_MAX_RANK] = {IN_ORDER};
    const int rank = n->out[0].fact.rank;
    const int64_t *order;

    for (int i = 0; i < n->n_in; i++)
        operand[i] = n->in[i].value ? number_of(w, n->in[i].value) : -1;
    if (!find_common_order(w, n, &order, operand))
        return -1;
    memcpy(x + 2, order, (size_t)rank * sizeof *x); /* adding an order may move the table of terms
                                                       */
    x[1] = output_term(w, call_term(w, n, operand), 0);
    return x[1] < 0 ? -1 : term_of(w->terms, TERM_APPLY, x, 2 + (size_t)rank);
}

bool symbolic_is_function(const inlay_node *n)
{
    const unsigned never = INLAY_EFFECT | INLAY_SINK | INLAY_STAND_IN;

    if (n->op->flags & never)
        return false;
    for (int i = 0; i < n->n_bodies; i++) {
        const inlay_graph *g = n->bodies[i].graph;

        for (const inlay_node *x = g ? inlay_graph_walk(g, NULL) : NULL; x;
             x = inlay_graph_walk(g, x)) {
            if (x->op->flags & never && !inlay_node_is(x, INLAY_OP_RESULT) &&
                !inlay_node_is(x, INLAY_OP_PARAMETER))
                return false;
        }
    }
    return true;
}

static bool is_undecided(const struct whole *w, const inlay_node *n)
{
    char op[160];

    if (symbolic_is_function(n) && n->n_in <= MAX_OPERANDS)
        return false;
    snprintf(w->why, w->size, "node \"%s\" (%s) has state or an effect", n->name,
             inlay_op_text(n->op, op, sizeof op));
    return true;
}

static bool add_node(struct whole *w, const inlay_node *n)
{
    int64_t operand[MAX_OPERANDS],
        call = -1, *to = inlay_take(inlay_node_budget(n), (size_t)n->n_out + 1, sizeof *to);

    w->of[n->id] = to;
    if (!to)
        return inlay_fail_memory(w->d);
    if (is_undecided(w, n))
        return false;
    for (int i = 0; i < n->n_in; i++)
        operand[i] = n->in[i].value ? number_of(w, n->in[i].value) : -1;
    for (int i = 0; i < n->n_out; i++) {
        to[i] = moved_term(w, n, i);
        to[i] = to[i] < 0 ? turned_term(w, n) : to[i];
        if (to[i] >= 0)
            continue;
        call = call < 0 ? call_term(w, n, operand) : call;
        to[i] = output_term(w, call, i);
        if (to[i] < 0)
            return inlay_fail_memory(w->d);
    }
    return true;
}

static bool add_input(struct whole *w, const inlay_node *param, int number)
{
    int64_t *to = inlay_take(inlay_node_budget(param), 1, sizeof *to);

    w->of[param->id] = to;
    if (to)
        *to = term_of(w->terms, TERM_INPUT, (int64_t[]){number, -1}, 2);
    return (to && *to >= 0) || inlay_fail_memory(w->d);
}

/* PAIR[I] is the number of the Parameter of G for input I; NULL: it is I. */
static bool add_graph(struct whole *w, const int *pair)
{
    const inlay_graph *g = w->g;
    inlay_order_list order = {0};
    bool ok;

    w->of = inlay_take(inlay_graph_budget(g), (size_t)g->next_id + 1, sizeof *w->of);
    ok = (w->of || inlay_fail_memory(w->d)) && inlay_order(g, false, &order, w->d);
    for (int i = 0; ok && i < g->n_params; i++)
        ok = add_input(w, g->params[pair ? pair[i] : i], i);
    for (size_t i = 0; ok && i < order.n; i++) {
        const inlay_node *n = order.nodes[i];

        inlay_count_node(n);
        if (!inlay_node_is(n, INLAY_OP_PARAMETER) && !inlay_node_is(n, INLAY_OP_RESULT))
            ok = add_node(w, n);
    }
    inlay_order_free(&order);
    return ok;
}

static void free_graph(struct whole *w)
{
    for (uint32_t i = 0; w->of && i < w->g->next_id; i++)
        inlay_give(w->of[i]);
    inlay_give(w->of);
}

/* ---- two graphs ---- */

/* A and B have the same bounds, and the same identity relations: if FIRST_A is the same size as A,
 * FIRST_B is the same as B. */
static bool same_size(inlay_dim a, inlay_dim b, inlay_dim first_a, inlay_dim first_b)
{
    return a.lo == b.lo && a.hi == b.hi &&
           (a.id && a.id == first_a.id) == (b.id && b.id == first_b.id);
}

/* Compares dim K of input I with all dims of input J. */
static bool same_beside(const inlay_fact *x, const inlay_fact *y, int k, const inlay_fact *other_x,
                        const inlay_fact *other_y)
{
    for (int l = 0; l < other_x->rank && l < other_y->rank; l++) {
        if (!same_size(x->dims[k], y->dims[k], other_x->dims[l], other_y->dims[l]))
            return false;
    }
    return true;
}

bool symbolic_same_inputs(const inlay_graph *a, const inlay_graph *b, const verify_pairs *pairs)
{
    for (int i = 0; i < a->n_params; i++) {
        const inlay_fact *x = &a->params[i]->out[0].fact;
        const inlay_fact *y = &b->params[pairs->inputs[i]]->out[0].fact;

        if (x->type != y->type || x->rank != y->rank)
            return false;
        for (int k = 0; k < x->rank; k++) {
            for (int j = 0; j <= i; j++) {
                if (!same_beside(x, y, k, &a->params[j]->out[0].fact,
                                 &b->params[pairs->inputs[j]]->out[0].fact))
                    return false;
            }
        }
    }
    return true;
}

static bool same_outputs(const struct whole *x, const struct whole *y, const verify_pairs *pairs)
{
    for (int i = 0; i < x->g->n_results; i++) {
        const inlay_value *v = inlay_node_input(x->g->results[i], 0);
        const inlay_value *u = inlay_node_input(y->g->results[pairs->outputs[i]], 0);

        if (v->fact.type != u->fact.type || number_of(x, v) != number_of(y, u)) {
            snprintf(x->why, x->size, "output \"%s\" is computed otherwise", pairs->a_outputs[i]);
            return false;
        }
    }
    return true;
}

bool symbolic_same_wholes(const inlay_graph *a, const inlay_graph *b, const verify_pairs *pairs,
                          char *why, size_t size, inlay_diags *d)
{
    enum { LIMIT = 1 << 24 };
    terms t = {0};
    struct whole x = {.terms = &t, .g = a, .why = why, .size = size, .d = d}, y = x;
    bool same;

    y.g = b;
    if (!symbolic_same_inputs(a, b, pairs)) {
        snprintf(why, size, "the inputs of the two graphs take other sizes");
        return false;
    }
    same = terms_begin(&t, inlay_graph_budget(a), LIMIT, d) && add_graph(&x, NULL) &&
           add_graph(&y, pairs->inputs) && same_outputs(&x, &y, pairs) && !t.lacked;
    if (t.lacked)
        inlay_fail_memory(d);
    free_graph(&x);
    free_graph(&y);
    terms_free(&t);
    return same;
}
