#include "rule_measure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

inlay_measure measure_of(const inlay_graph *g)
{
    inlay_measure m;

    assert_true(inlay_measure_graph(g, &m, NULL));
    return m;
}

bool measure_is_lower(const inlay_measure *a, const inlay_measure *b)
{
    return inlay_measure_compare(b, a) < 0;
}

void measure_print(const char *when, const inlay_measure *m)
{
    print_error("%s:", when);
    for (size_t i = 0; i < INLAY_MEASURES; i++)
        print_error(" %s %lld", inlay_measure_name(i), (long long)m->part[i]);
    print_error("\n");
}

static bool depends_on_run(const inlay_node *n, const bool *late)
{
    bool depends = n->n_in == 0 && !inlay_node_is(n, INLAY_OP_CONST);

    for (int i = 0; i < n->n_in && !depends; i++)
        depends = n->in[i].value && late[n->in[i].value->node->id];
    return depends;
}

static bool is_constant(const inlay_node *n, int i)
{
    return n->in[i].value && inlay_node_is(n->in[i].value->node, INLAY_OP_CONST);
}

late_measure late_measure_of(const inlay_graph *g)
{
    bool *late = calloc((size_t)g->next_id + 1, sizeof *late);
    inlay_order_list order;
    late_measure m = {0};

    assert_non_null(late);
    assert_true(inlay_order(g, false, &order, NULL));
    for (size_t i = 0; i < order.n; i++) {
        const inlay_node *n = order.nodes[i];

        late[n->id] = depends_on_run(n, late);
        m.nodes += late[n->id];
        if (late[n->id] && strcmp(n->op->name, "Divide") == 0)
            m.slow++;
        if (late[n->id] && strcmp(n->op->name, "Power") == 0)
            m.slow += 2;
        m.in_front += n->n_in == 2 && is_constant(n, 0) && !is_constant(n, 1);
    }
    inlay_order_free(&order);
    free(late);
    return m;
}

bool late_measure_is_lower(const late_measure *a, const late_measure *b)
{
    if (a->nodes != b->nodes)
        return b->nodes < a->nodes;
    return a->slow != b->slow ? b->slow < a->slow : b->in_front < a->in_front;
}
