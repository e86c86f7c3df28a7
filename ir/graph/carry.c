/* Outputs that are inputs of the next run, such as the KV cache of a model without variables. Each
 * becomes a variable, so that passes and executors know that the caller does not hold the value:
 *
 *     %past = Parameter                    %past = Parameter            the variable's first value
 *     %new = Concat(%past, %token)    =>   %state = ReadValue(%past)
 *     %present = Result(%new)              %new = Concat(%state, %token)
 *                                          Assign(%new) */
#include "ir/build.h"
#include "ir/graph/argument.h"
#include "ir/graph/fail.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"

#include <stdlib.h>
#include <string.h>

static bool has_variable(const inlay_graph *g, const char *name)
{
    bool has = false;

    for (int i = 0; i < g->n_variables && !has; i++)
        has = strcmp(g->variables[i]->name, name) == 0;
    return has;
}

/* Can a value with the fact FROM be one with the fact TO? */
static bool may_be(const inlay_fact *from, const inlay_fact *to)
{
    bool may = from->type == to->type && (from->rank < 0 || to->rank < 0 || from->rank == to->rank);

    for (int i = 0; may && from->rank >= 0 && i < to->rank; i++)
        may = inlay_dim_compatible(from->dims[i], to->dims[i]);
    return may;
}

static bool check_fit(const inlay_node *past, const inlay_value *present, inlay_diags *d)
{
    const inlay_fact *to = &past->out[0].fact, *from = &present->fact;
    char a[256], b[256];

    return may_be(from, to) ||
           inlay_fail_node(d, past, "it is %s%s, and what it is to get from the run before is %s%s",
                           inlay_type_info_of(to->type)->name,
                           inlay_shape_text(to->rank, to->dims, a, sizeof a),
                           inlay_type_info_of(from->type)->name,
                           inlay_shape_text(from->rank, from->dims, b, sizeof b));
}

/* Is pair K of PAIRS an output and an input that no earlier pair has? */
static bool check_pair(const inlay_graph *g, const inlay_carried *pairs, int k, inlay_diags *d)
{
    const inlay_carried *p = &pairs[k];
    const inlay_node *past;

    if (p->output < 0 || p->output >= g->n_results || p->input < 0 || p->input >= g->n_params)
        return inlay_fail(d, NULL, "there is no output %d, or no input %d", p->output, p->input);
    past = g->params[p->input];
    for (int i = 0; i < k; i++) {
        if (pairs[i].input == p->input)
            return inlay_fail_node(d, past, "it cannot get two outputs of the run before");
    }
    if (has_variable(g, past->name))
        return inlay_fail_node(d, past, "there is a variable of this name already");
    if (past->out[0].fact.type == INLAY_DYNAMIC)
        return inlay_fail_node(d, past, "what a run carries to the next must have a known type");
    return check_fit(past, inlay_node_input(g->results[p->output], 0), d);
}

/* Makes a ReadValue of a new variable with the type and shape of PAST; NULL: error. */
static inlay_node *read_variable(inlay_graph *g, inlay_value *past, inlay_diags *d)
{
    inlay_node *n = inlay_build_begin(g, NULL, "ReadValue@opset6", &past, 1, d);
    inlay_shape shape = {.rank = past->fact.rank};

    for (int i = 0; i < shape.rank; i++)
        shape.dim[i] = past->fact.dims[i];
    return inlay_build_end(n,
                           n && inlay_node_set_string(n, "variable_id", past->node->name, d) &&
                               inlay_node_set_type(n, "variable_type", past->fact.type, d) &&
                               inlay_node_set_shape(n, "variable_shape", &shape, d),
                           d);
}

/* Makes PAST the state of a variable, whose next state is PRESENT. */
static bool carry(inlay_graph *g, inlay_node *past, inlay_value *present, inlay_diags *d)
{
    inlay_node *read = read_variable(g, &past->out[0], d), *assign;

    if (!read || !inlay_value_replace(&past->out[0], &read->out[0], d) ||
        !inlay_node_set_input(read, 0, &past->out[0], d))
        return false;
    if (present == &past->out[0])
        present = &read->out[0];
    assign = inlay_build_begin(g, NULL, "Assign@opset6", &present, 1, d);
    return inlay_build_end(
        assign, assign && inlay_node_set_string(assign, "variable_id", past->name, d), d);
}

/* An open size of an input, and the one that stands there in the next run. */
struct becomes {
    uint32_t id, next;
};

static int by_id(const void *a, const void *b)
{
    const struct becomes *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static uint32_t identity(const inlay_fact *f, int axis)
{
    return axis < f->rank && !inlay_dim_is_static(f->dims[axis]) ? f->dims[axis].id : 0;
}

/* Lists in OUT the open sizes of the inputs of G, and returns how many they are. OUT NULL: only
 * counts them. An input that gets no output has the same size again, as far as anyone knows. */
static size_t list_sizes(const inlay_graph *g, const inlay_value *const *next, struct becomes *out)
{
    size_t n = 0;

    for (int i = 0; i < g->n_params; i++) {
        const inlay_fact *f = &g->params[i]->out[0].fact, *to = next[i] ? &next[i]->fact : f;

        for (int k = 0; k < f->rank; k++) {
            uint32_t id = identity(f, k);

            if (out && id)
                out[n] = (struct becomes){id, identity(to, k)};
            n += id != 0;
        }
    }
    return n;
}

/* Are the inputs of G whose sizes are known to be equal so in the next run, too? If all caches are
 * s rows long and get one more, they are all s + 1 rows long then, which is again one length. NEXT
 * says what inputs get; NULL: what the caller gives. *EQUAL is the answer; false: no memory. */
static bool sizes_stay_equal(const inlay_graph *g, const inlay_value *const *next, bool *equal,
                             inlay_diags *d)
{
    size_t n = list_sizes(g, next, NULL);
    struct becomes *list = inlay_take(inlay_graph_budget(g), n + 1, sizeof *list);

    if (!list)
        return inlay_fail_memory(d);
    list_sizes(g, next, list);
    qsort(list, n, sizeof *list, by_id);
    *equal = true;
    for (size_t i = 1; i < n; i++) {
        if (list[i].id == list[i - 1].id && (list[i].next != list[i - 1].next || !list[i].next))
            *equal = false;
    }
    inlay_give(list);
    return true;
}

/* Forgets what was inferred, and so which sizes are equal. */
static void forget(inlay_graph *g)
{
    for (inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->n_out && !(n->op->flags & INLAY_STAND_IN); i++)
            n->out[i].fact = (inlay_fact){.type = INLAY_DYNAMIC, .rank = -1};
    }
}

/* What the inputs of G get in the next run, by their numbers; NULL: no memory. */
static const inlay_value **next_inputs(const inlay_graph *g, const inlay_carried *pairs, int n)
{
    const inlay_value **next =
        inlay_take(inlay_graph_budget(g), (size_t)g->n_params + 1, sizeof(const inlay_value *));

    for (int k = 0; next && k < n; k++)
        next[pairs[k].input] = inlay_node_input(g->results[pairs[k].output], 0);
    return next;
}

static bool carry_all(inlay_graph *g, inlay_node *const *past, inlay_node *const *result, int n,
                      bool equal, inlay_diags *d)
{
    bool ok = true;

    for (int k = 0; ok && k < n; k++)
        ok = carry(g, past[k], inlay_node_input(result[k], 0), d);
    for (int k = 0; ok && k < n; k++) {
        bool gone = false;

        for (int i = 0; i < k && !gone; i++)
            gone = result[i] == result[k];
        ok = gone || inlay_node_remove(result[k], d);
    }
    if (ok && !equal)
        forget(g);
    return ok && inlay_infer_graph(g, d);
}

bool inlay_graph_carry(inlay_graph *g, const inlay_carried *pairs, int n, inlay_diags *d)
{
    const inlay_value **next = NULL;
    inlay_node **past, **result;
    bool ok = true, equal = true;

    if (!inlay_graph_is_whole(g, d) || !inlay_params_are_whole(g, d) ||
        (n > 0 && inlay_is_missing(pairs, "list of pairs", d)))
        return false;
    if (g->owner)
        return inlay_fail(d, NULL, "a body carries nothing from run to run");
    for (int k = 0; ok && k < n; k++)
        ok = check_pair(g, pairs, k, d);
    past = inlay_take(inlay_graph_budget(g), (size_t)(n > 0 ? n : 0) + 1, sizeof *past);
    result = inlay_take(inlay_graph_budget(g), (size_t)(n > 0 ? n : 0) + 1, sizeof *result);
    for (int k = 0; past && result && ok && k < n; k++) {
        past[k] = g->params[pairs[k].input];
        result[k] = g->results[pairs[k].output];
    }
    if (ok && past && result)
        next = next_inputs(g, pairs, n);
    ok = ok && (next ? sizes_stay_equal(g, next, &equal, d) : inlay_fail_memory(d));
    ok = ok && (n <= 0 || carry_all(g, past, result, n, equal, d));
    inlay_give(next);
    inlay_give(past);
    inlay_give(result);
    return ok;
}
