#include "rule_measure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const part_names[N_PARTS] = {"foreign",    "written", "nodes",   "elements",
                                                "transposes", "ways",    "operands"};

static int64_t elements(const inlay_value *v)
{
    enum { LIKELY_SIZE = 9, LIKELY_RANK = 3 };
    int64_t n = 1;

    for (int i = 0; i < v->fact.rank; i++) {
        inlay_dim d = v->fact.dims[i];

        n *= LIKELY_SIZE < d.lo ? d.lo : LIKELY_SIZE > d.hi && d.hi >= 0 ? d.hi : LIKELY_SIZE;
    }
    return v->fact.rank < 0 ? LIKELY_SIZE * LIKELY_SIZE * LIKELY_SIZE : n;
}

static bool is_one_of(const inlay_node *n, const inlay_op_kind *kinds, size_t n_kinds)
{
    for (size_t i = 0; i < n_kinds; i++) {
        if (inlay_node_is(n, kinds[i]))
            return true;
    }
    return false;
}

static bool may_be_view(const inlay_node *n)
{
    static const inlay_op_kind views[] = {
        INLAY_OP_SLICE, INLAY_OP_RESHAPE,        INLAY_OP_SQUEEZE,  INLAY_OP_UNSQUEEZE,
        INLAY_OP_SPLIT, INLAY_OP_VARIADIC_SPLIT, INLAY_OP_TRANSPOSE};

    return is_one_of(n, views, sizeof views / sizeof views[0]);
}

/* Returns the updates of a scatter, which are all that it need write. */
static const inlay_value *updates(const inlay_node *n)
{
    static const inlay_op_kind scatters[] = {
        INLAY_OP_SCATTER_UPDATE, INLAY_OP_SCATTER_ELEMENTS_UPDATE, INLAY_OP_SCATTER_ND_UPDATE};

    if (inlay_node_is(n, INLAY_OP_SLICE_SCATTER))
        return inlay_node_input(n, 1);
    return is_one_of(n, scatters, sizeof scatters / sizeof scatters[0]) ? inlay_node_input(n, 2)
                                                                        : NULL;
}

static int64_t written(const inlay_node *n, int64_t made)
{
    if (inlay_node_is(n, INLAY_OP_PARAMETER) || inlay_node_is(n, INLAY_OP_RESULT) || may_be_view(n))
        return 0;
    return 1 + (updates(n) ? elements(updates(n)) : made);
}

static void add_node(measure *m, const inlay_node *n)
{
    int64_t made = 0;

    for (int i = 0; i < n->n_out; i++)
        made += elements(&n->out[i]);
    for (int i = 0; i < n->n_in; i++)
        m->part[OPERANDS] += n->in[i].value != NULL;
    m->part[FOREIGN] += strcmp(n->op->set, "opset") != 0;
    m->part[WRITTEN] += written(n, made);
    m->part[NODES]++;
    m->part[ELEMENTS] += made;
    m->part[TRANSPOSES] += inlay_node_is(n, INLAY_OP_TRANSPOSE);
}

/* Counts nodes on all ways to N, N itself included: a node on two ways counts twice. WAYS of the
 * nodes of its operands are known. */
static int64_t ways_to(const inlay_node *n, const int64_t *ways)
{
    int64_t sum = 1;

    for (int i = 0; i < n->n_in; i++)
        sum += n->in[i].value ? ways[n->in[i].value->node->id] : 0;
    return sum;
}

measure measure_of(const inlay_graph *g)
{
    int64_t *ways = calloc((size_t)g->next_id + 1, sizeof *ways);
    inlay_diags *d = inlay_diags_new();
    inlay_order_list order;
    measure m = {{0}};

    assert_non_null(ways);
    assert_true(inlay_order(g, false, &order, d));
    for (size_t i = 0; i < order.n; i++) {
        const inlay_node *n = order.nodes[i];

        ways[n->id] = inlay_node_is(n, INLAY_OP_CONST) ? 0 : ways_to(n, ways);
        m.part[WAYS] += ways[n->id];
        if (!inlay_node_is(n, INLAY_OP_CONST))
            add_node(&m, n);
    }
    inlay_order_free(&order);
    inlay_diags_free(d);
    free(ways);
    return m;
}

bool measure_is_lower(const measure *a, const measure *b)
{
    for (int i = 0; i < N_PARTS; i++) {
        if (a->part[i] != b->part[i])
            return b->part[i] < a->part[i];
    }
    return false;
}

void measure_print(const char *when, const measure *m)
{
    print_error("%s:", when);
    for (int i = 0; i < N_PARTS; i++)
        print_error(" %s %lld", part_names[i], (long long)m->part[i]);
    print_error("\n");
}
