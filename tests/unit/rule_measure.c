#include "rule_measure.h"
#include "inlay_ops.h"
#include "ir/shared.h"
#include "unit.h"

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

/* A size that is not known counts as a number that is likely. */
static int64_t elements_of(const inlay_value *v)
{
    int64_t n = 1;

    for (int i = 0; i < v->fact.rank; i++)
        n *= inlay_dim_clamp(v->fact.dims[i], 9);
    return n;
}

static bool is_view(const inlay_node *n)
{
    return (n->op->flags & (INLAY_CUTS | INLAY_RESHAPES)) || inlay_node_is(n, INLAY_OP_TRANSPOSE);
}

static void add_late(late_measure *m, const inlay_node *n)
{
    const inlay_value *updates = inlay_node_operand(n, INLAY_ROLE_UPDATES);
    bool writes = n->n_in > 0 && n->n_out > 0 && !is_view(n);

    m->nodes++;
    m->slow += strcmp(n->op->name, "Divide") == 0 ? 1 : strcmp(n->op->name, "Power") == 0 ? 2 : 0;
    for (int i = 0; i < n->n_out; i++)
        m->elements += elements_of(&n->out[i]);
    for (int i = 0; writes && i < n->n_out; i++)
        m->written += elements_of(updates ? updates : &n->out[i]);
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
        if (late[n->id])
            add_late(&m, n);
        m.in_front += n->n_in == 2 && is_constant(n, 0) && !is_constant(n, 1);
    }
    inlay_order_free(&order);
    free(late);
    return m;
}

bool late_measure_is_lower(const late_measure *a, const late_measure *b)
{
    const int64_t parts[][2] = {{a->written, b->written},
                                {a->nodes, b->nodes},
                                {a->slow, b->slow},
                                {a->in_front, b->in_front},
                                {a->elements, b->elements}};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i][0] != parts[i][1])
            return parts[i][1] < parts[i][0];
    }
    return false;
}
