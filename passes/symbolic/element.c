/* The elements of one node's outputs, as terms, from those of its inputs (README.md). */
#include "ir/shared.h"
#include "passes/symbolic/term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool symbolic_unknown(symbolic_run *r, const inlay_node *n, const char *what)
{
    char op[160];

    snprintf(r->why, r->size, "node \"%s\" (%s): %s", n->name, inlay_op_text(n->op, op, sizeof op),
             what);
    return false;
}

bool symbolic_refused(inlay_diags *refused, inlay_diags *d)
{
    const inlay_diag *e = inlay_diags_error(refused);
    bool lacked = e && e->status == INLAY_NO_RESOURCE;

    if (lacked)
        inlay_fail_resource(d, NULL, "%s", e->text);
    inlay_diags_clear(refused);
    return !lacked;
}

bool symbolic_lacks_terms(symbolic_run *r, const inlay_node *n)
{
    return r->terms->full ? symbolic_unknown(r, n, "there are too many elements")
                          : inlay_fail_memory(r->d);
}

inlay_tensor *symbolic_new_terms(symbolic_run *r, const inlay_node *n, int rank,
                                 const int64_t *dims)
{
    int64_t count;
    inlay_tensor *t;

    if (!inlay_count_elements(rank, dims, &count) || (uint64_t)count > r->terms->limit) {
        r->terms->full = true;
        symbolic_lacks_terms(r, n);
        return NULL;
    }
    t = inlay_tensor_in(r->terms->budget, INLAY_I64, rank, dims);
    if (!t)
        inlay_fail_memory(r->d);
    return t;
}

symbol *symbolic_new(symbolic_run *r, const inlay_node *n)
{
    symbol *s = inlay_take(inlay_node_budget(n), (size_t)n->n_out + 1, sizeof *s);

    r->of[n->id] = s;
    if (!s)
        inlay_fail_memory(r->d);
    return s;
}

static symbol *symbol_of(const symbolic_run *r, const inlay_value *v)
{
    return &r->of[v->node->id][v->index];
}

/* The term for element I of X: its bits; zero has one of its own. */
static int64_t constant_term(terms *t, const inlay_tensor *x, int64_t i)
{
    int64_t parts[3] = {x->type};

    inlay_copy_element(x->type, &parts[1], 0, x->data, inlay_tensor_index(x, i));
    return parts[1] || parts[2] ? term_of(t, TERM_CONSTANT, parts, 3) : TERM_ZERO;
}

static bool constant_terms(symbolic_run *r, const inlay_node *n, symbol *s)
{
    int64_t *to, count = inlay_tensor_count(s->value);

    s->terms = symbolic_new_terms(r, n, s->value->rank, s->value->dims);
    if (!s->terms)
        return false;
    to = s->terms->data;
    for (int64_t i = 0; i < count; i++) {
        if ((to[i] = constant_term(r->terms, s->value, i)) < 0)
            return symbolic_lacks_terms(r, n);
    }
    return true;
}

const inlay_tensor *symbolic_terms(symbolic_run *r, const inlay_value *v)
{
    symbol *s = symbol_of(r, v);

    if (!s->terms && v->fact.type == INLAY_STRING) {
        symbolic_unknown(r, v->node, "strings are not looked into");
        return NULL;
    }
    return s->terms || constant_terms(r, v->node, s) ? s->terms : NULL;
}

/* N computes only from constants, so its outputs are constants. */
static bool is_constant(const symbolic_run *r, const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value && !symbol_of(r, n->in[i].value)->value)
            return false;
    }
    return true;
}

/* Runs N on its operands; operands of which no element is known are zeros. */
static bool evaluate(symbolic_run *r, const inlay_node *n, symbol *s)
{
    const inlay_tensor **in = inlay_take(inlay_node_budget(n), (size_t)n->n_in + 1, sizeof *in);
    inlay_tensor **out = inlay_take(inlay_node_budget(n), (size_t)n->n_out + 1, sizeof *out);
    bool ok = (in && out) || inlay_fail_memory(r->d);

    for (int i = 0; ok && i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;
        const symbol *x = v ? symbol_of(r, v) : NULL;

        if (x)
            in[i] = x->value ? inlay_tensor_retain(x->value)

                             : inlay_tensor_in(r->terms->budget, v->fact.type, x->terms->rank,
                                               x->terms->dims);
        ok = !x || in[i] || inlay_fail_memory(r->d);
    }
    if (ok && !r->evaluator->eval_node(r->evaluator->ctx, n, in, out, r->refused))
        ok = symbolic_refused(r->refused, r->d) && symbolic_unknown(r, n, "it fails");
    for (int i = 0; in && i < n->n_in; i++)
        inlay_tensor_release(in[i]);
    for (int i = 0; out && i < n->n_out; i++)
        s[i].value = out[i];
    inlay_give(in);
    inlay_give(out);
    return ok;
}

/* Movement */

/* Whether each output element is an element of an operand, chosen by the other operands: operations
 * that move elements, and scatters without a reduction. */
static bool moves(const inlay_node *n)
{
    const inlay_attr *reduction = inlay_node_attr(n, "reduction");

    if (n->op->flags & (INLAY_VIEW | INLAY_MOVES | INLAY_CHOOSES))
        return true;
    return (n->op->flags & INLAY_SCATTER) && strcmp(n->op->set, "opset") == 0 &&
           (!reduction || strcmp(reduction->as.s, "none") == 0);
}

/* Operands of output 0's element type are those that are moved. */
static bool is_moved(const inlay_node *n, int i)
{
    const inlay_operand_info *in = inlay_op_operand_info(n->op, i);

    return in->var >= 0 && in->var == n->op->out[0].var;
}

static bool knows_where(const symbolic_run *r, const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value && !is_moved(n, i) && !symbol_of(r, n->in[i].value)->value)
            return false;
    }
    return true;
}

/* Makes operand I of N in the graph G, which has only this node: an input of term numbers, or a
 * constant. */
static inlay_value *stand_in(symbolic_run *r, inlay_graph *g, const inlay_node *n, int i,
                             const inlay_tensor **in)
{
    const inlay_value *v = n->in[i].value;
    inlay_shape shape;

    if (!is_moved(n, i))
        return inlay_build_const(g, NULL, symbol_of(r, v)->value, r->d);
    in[g->n_params] = symbolic_terms(r, v);
    if (!in[g->n_params])
        return NULL;
    inlay_shape_of_rank(&shape, in[g->n_params]->rank);
    for (int k = 0; k < shape.rank; k++)
        shape.dim[k] = inlay_dim_of(in[g->n_params]->dims[k]);
    return inlay_build_parameter(g, NULL, INLAY_I64, &shape, r->d);
}

/* Copies N to G; NULL also if its row does not accept integers. */
static inlay_node *copy_node(symbolic_run *r, inlay_graph *g, const inlay_node *n,
                             const inlay_tensor **in)
{
    inlay_value **operands =
        inlay_take(inlay_graph_budget(g), (size_t)n->n_in + 1, sizeof *operands);
    inlay_node *copy = NULL;
    char operation[160];
    bool ok = operands || inlay_fail_memory(r->d);

    for (int i = 0; ok && i < n->n_in; i++)
        ok = !n->in[i].value || (operands[i] = stand_in(r, g, n, i, in)) != NULL;
    snprintf(operation, sizeof operation, "%s@%s", n->op->name, n->op->written);
    if (ok)
        copy = inlay_build_begin(g, "moved", operation, operands, n->n_in, r->refused);
    for (int i = 0; copy && i < n->op->n_attrs; i++)
        ok = ok && (!n->attrs[i].set ||
                    inlay_node_set_attr(copy, n->op->attrs[i].name, &n->attrs[i], r->refused));
    inlay_give(operands);
    return inlay_build_end(copy, ok, r->refused);
}

/* Runs N on term numbers, which it moves. *DONE is false if its row does not accept them. */
static bool move(symbolic_run *r, const inlay_node *n, symbol *s, bool *done)
{
    inlay_graph *g = inlay_graph_new_in(inlay_node_budget(n), n->graph->ops, "movement", r->d);
    const inlay_tensor **in = inlay_take(inlay_graph_budget(g), (size_t)n->n_in + 1, sizeof *in);
    inlay_tensor **out = inlay_take(inlay_graph_budget(g), (size_t)n->n_out + 1, sizeof *out);
    inlay_node *copy = g && in && out ? copy_node(r, g, n, in) : NULL;
    bool ok = copy != NULL;

    for (int i = 0; ok && i < copy->n_out; i++)
        ok = inlay_build_result(g, "result", &copy->out[i], r->d) != NULL;
    *done = ok && r->evaluator->eval_graph(r->evaluator->ctx, g, in, out, NULL, r->refused);
    for (int i = 0; *done && i < n->n_out; i++)
        s[i].terms = out[i];
    ok = symbolic_refused(r->refused, r->d) && *r->why == '\0' &&
         ((g && in && out) || inlay_fail_memory(r->d));
    inlay_give(in);
    inlay_give(out);
    inlay_graph_free(g);
    return ok;
}

/* Computing element by element */

/* The index into an operand, broadcast as in numpy, for element I of OUT. */
static int64_t broadcast_index(const inlay_tensor *out, const inlay_tensor *operand, int64_t i)
{
    int64_t index = 0, stride = 1;

    for (int k = 1; k <= operand->rank; k++) {
        int64_t size = operand->dims[operand->rank - k], here = out->dims[out->rank - k];

        index += size == 1 ? 0 : i % here * stride;
        stride *= size;
        i /= here;
    }
    return index;
}

static void sort_two(int64_t *parts)
{
    int64_t first = parts[0];

    if (first > parts[1]) {
        parts[0] = parts[1];
        parts[1] = first;
    }
}

enum { MAX_POINTWISE = 8 };

/* Lists the operands of N that are present, as terms, in IN (room for MAX_POINTWISE); -1: not
 * decided, or too many. */
static int pointwise_operands(symbolic_run *r, const inlay_node *n, const inlay_tensor **in)
{
    int count = 0;

    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value && count == MAX_POINTWISE)
            return -1;
        if (n->in[i].value && !(in[count++] = symbolic_terms(r, n->in[i].value)))
            return -1;
    }
    return count;
}

/* Allocates output I of N; false without an error if its sizes are not known. */
static bool new_output(symbolic_run *r, const inlay_node *n, int i, symbol *s)
{
    int64_t dims[INLAY_MAX_RANK];

    if (!inlay_fact_dims(&n->out[i].fact, dims))
        return symbolic_unknown(r, n, "the size of what it makes depends on elements");
    s[i].terms = symbolic_new_terms(r, n, n->out[i].fact.rank, dims);
    return s[i].terms != NULL;
}

static bool apply(symbolic_run *r, const inlay_node *n, const inlay_tensor *const *in, int n_in,
                  inlay_tensor *out)
{
    int64_t parts[1 + MAX_POINTWISE] = {term_operation(r->terms, n)};
    int64_t *to = out->data, count = inlay_tensor_count(out);
    bool commutes = (n->op->flags & INLAY_COMMUTES) && n_in == 2;
    const bool has_form = signed_has_form(n);

    for (int64_t i = 0; i < count; i++) {
        for (int k = 0; k < n_in; k++)
            parts[1 + k] = inlay_tensor_get_i64(in[k], broadcast_index(out, in[k], i));
        if (commutes)
            sort_two(&parts[1]);
        to[i] = has_form ? signed_term(r->terms, n, &parts[1])
                         : term_of(r->terms, TERM_APPLY, parts, 1 + (size_t)n_in);
        if (to[i] < 0)
            return symbolic_lacks_terms(r, n);
    }
    return parts[0] >= 0 || inlay_fail_memory(r->d);
}

/* *DONE is false if there are too many operands. */
static bool pointwise(symbolic_run *r, const inlay_node *n, symbol *s, bool *done)
{
    const inlay_tensor *in[MAX_POINTWISE];
    int n_in = pointwise_operands(r, n, in);

    *done = n_in >= 0;
    if (n_in < 0)
        return *r->why == '\0';
    return new_output(r, n, 0, s) && apply(r, n, in, n_in, s[0].terms);
}

/* Any other operation: a function of all elements of its operands and of their shapes */

static size_t count_parts(const inlay_tensor *const *in, int n)
{
    size_t count = 1;

    for (int i = 0; i < n; i++)
        count += 1 + (in[i] ? (size_t)in[i]->rank + (size_t)inlay_tensor_count(in[i]) : 0);
    return count;
}

static void put_parts(const inlay_tensor *const *in, int n, int64_t *parts)
{
    for (int i = 0; i < n; i++) {
        int64_t count = in[i] ? inlay_tensor_count(in[i]) : 0;

        *parts++ = in[i] ? in[i]->rank : -1;
        for (int k = 0; in[i] && k < in[i]->rank; k++)
            *parts++ = in[i]->dims[k];
        for (int64_t k = 0; k < count; k++)
            *parts++ = inlay_tensor_get_i64(in[i], k);
    }
}

static int64_t call_term(symbolic_run *r, const inlay_node *n, const inlay_tensor *const *in)
{
    size_t count = count_parts(in, n->n_in);
    int64_t *parts = inlay_take_raw(inlay_node_budget(n), count * sizeof *parts), call = -1;

    if (parts && (parts[0] = term_operation(r->terms, n)) >= 0) {
        put_parts(in, n->n_in, parts + 1);
        call = term_of(r->terms, TERM_CALL, parts, count);
    }
    inlay_give(parts);
    return call;
}

static bool call_elements(symbolic_run *r, const inlay_node *n, int64_t call, symbol *s)
{
    for (int i = 0; i < n->n_out; i++) {
        int64_t *to, count;

        if (!new_output(r, n, i, s))
            return false;
        to = s[i].terms->data;
        count = inlay_tensor_count(s[i].terms);
        for (int64_t k = 0; k < count; k++) {
            const int64_t parts[3] = {call, i, k};

            if ((to[k] = term_of(r->terms, TERM_ELEMENT, parts, 3)) < 0)
                return symbolic_lacks_terms(r, n);
        }
    }
    return true;
}

static bool call(symbolic_run *r, const inlay_node *n, symbol *s)
{
    const inlay_tensor **in = inlay_take(inlay_node_budget(n), (size_t)n->n_in + 1, sizeof *in);
    bool ok = in || inlay_fail_memory(r->d);
    int64_t number = -1;

    for (int i = 0; ok && i < n->n_in; i++)
        ok = !n->in[i].value || (in[i] = symbolic_terms(r, n->in[i].value)) != NULL;
    if (ok)
        number = call_term(r, n, in);
    inlay_give(in);
    if (!ok)
        return false;
    return number < 0 ? symbolic_lacks_terms(r, n) : call_elements(r, n, number, s);
}

static bool is_decided(symbolic_run *r, const inlay_node *n)
{
    if (n->op->flags & (INLAY_EFFECT | INLAY_SINK | INLAY_STAND_IN))
        return symbolic_unknown(r, n, "it has state or an effect");
    return !(n->op->flags & INLAY_HAS_BODY) || symbolic_unknown(r, n, "bodies are not looked into");
}

/* A conversion to the type that the operand already has. */
static bool hands_on(const inlay_node *n)
{
    return (n->op->flags & INLAY_CONVERTS) && n->in[0].value->fact.type == n->out[0].fact.type;
}

static bool hand_on(symbolic_run *r, const inlay_node *n, symbol *s)
{
    const inlay_tensor *same = symbolic_terms(r, n->in[0].value);

    s->terms = same ? inlay_tensor_retain(same) : NULL;
    return same != NULL;
}

bool symbolic_node(symbolic_run *r, const inlay_node *n)
{
    symbol *s = symbolic_new(r, n);
    bool done = false;

    if (!s || !is_decided(r, n))
        return false;
    if ((n->op->flags & INLAY_SHAPE_ONLY) || is_constant(r, n))
        return evaluate(r, n, s);
    if (hands_on(n))
        return hand_on(r, n, s);
    if (moves(n) && knows_where(r, n) && !move(r, n, s, &done))
        return false;
    if (!done && (n->op->flags & INLAY_POINTWISE) && !pointwise(r, n, s, &done))
        return false;
    return done || call(r, n, s);
}
