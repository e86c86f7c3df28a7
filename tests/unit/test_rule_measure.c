/* Every rule of simplify lowers the measure that passes/rules/simplify.rules states: computed here
 * for each yes_ case before the rule and after it, with no other rule taking part, also where what
 * the rule takes apart has other readers. A size that is not known counts as a number that is
 * likely. A rule of lower-dialects leaves fewer operations that are not OpenVINO's. */
#include "models.h"
#include "rule_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FOREIGN, WRITTEN, NODES, ELEMENTS, OPERANDS, TRANSPOSES, DEPTH, N_PARTS };

static const char *const part_names[N_PARTS] = {"foreign",  "written",    "nodes", "elements",
                                                "operands", "transposes", "depth"};

typedef struct measure {
    int64_t part[N_PARTS];
} measure;

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

/* The updates of a scatter, which are all that it need write. */
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
    return updates(n) ? elements(updates(n)) : made;
}

static void add_node(measure *m, const inlay_node *n)
{
    int64_t made = 0;

    for (int i = 0; i < n->n_out; i++)
        made += elements(&n->out[i]);
    for (int i = 0; i < n->n_in; i++)
        m->part[OPERANDS] += n->in[i].value && !inlay_node_is(n->in[i].value->node, INLAY_OP_CONST);
    m->part[FOREIGN] += strcmp(n->op->set, "opset") != 0;
    m->part[WRITTEN] += written(n, made);
    m->part[NODES]++;
    m->part[ELEMENTS] += made;
    m->part[TRANSPOSES] += inlay_node_is(n, INLAY_OP_TRANSPOSE);
}

/* Nodes on the longest way to N, itself counted; DEPTHS of its operands' nodes are known. */
static int64_t depth_of(const inlay_node *n, const int64_t *depths)
{
    int64_t depth = 0;

    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;

        if (v && depths[v->node->id] > depth)
            depth = depths[v->node->id];
    }
    return depth + 1;
}

static measure measure_of(const inlay_graph *g)
{
    int64_t *depths = calloc((size_t)g->next_id + 1, sizeof *depths);
    inlay_diags *d = inlay_diags_new();
    inlay_order_list order;
    measure m = {{0}};

    assert_non_null(depths);
    assert_true(inlay_order(g, false, &order, d));
    for (size_t i = 0; i < order.n; i++) {
        const inlay_node *n = order.nodes[i];

        depths[n->id] = inlay_node_is(n, INLAY_OP_CONST) ? 0 : depth_of(n, depths);
        m.part[DEPTH] += depths[n->id];
        if (!inlay_node_is(n, INLAY_OP_CONST))
            add_node(&m, n);
    }
    inlay_order_free(&order);
    inlay_diags_free(d);
    free(depths);
    return m;
}

/* Does B come before A, the parts compared in order? No rule but those of lower-dialects changes
 * what is foreign. */
static bool is_lower(const measure *a, const measure *b)
{
    for (int i = 0; i < N_PARTS; i++) {
        if (a->part[i] != b->part[i])
            return b->part[i] < a->part[i];
    }
    return false;
}

static void print_measure(const char *when, const measure *m)
{
    print_error("%s:", when);
    for (int i = 0; i < N_PARTS; i++)
        print_error(" %s %lld", part_names[i], (long long)m->part[i]);
    print_error("\n");
}

enum { NOTHING = -1, ALL = -2 };

/* What computing node number WHICH yields becomes an output too, or what all yield. False: there is
 * no such node. */
static bool also_output(inlay_graph *g, int which, inlay_diags *d)
{
    inlay_node *last = g->last;
    int at = 0;

    for (inlay_node *n = g->first; n != last; n = n->next) {
        if (n->n_in == 0 || n->n_out == 0)
            continue;
        for (int i = 0; i < n->n_out && (which == ALL || which == at); i++)
            assert_non_null(inlay_build_result(g, &n->out[i], "also", d));
        at++;
    }
    return which < at;
}

/* With other readers of WHICH, for whom the rule need not apply. 1: it applies and does not lower
 * the measure; -1: there is no WHICH. */
static int check_case(const rule_case *c, int which)
{
    const inlay_rules *alone = rule_alone(c->rule);
    uint64_t *counts = calloc(alone->n, sizeof *counts);
    rule_run run = {.sets = &alone, .n_sets = 1, .counts = &counts};
    inlay_diags *d = inlay_diags_new();
    char *text;
    inlay_graph *g = rule_case_graph(c, &text, d);
    measure before, after;
    bool found, lower;

    assert_non_null(counts);
    found = also_output(g, which, d);
    before = measure_of(g);
    if (!rule_drive(g, &run, d))
        fail_msg("%s: %s", c->path, model_messages(d));
    after = measure_of(g);
    lower = run.rewrites > 0 ? is_lower(&before, &after) : which != NOTHING;
    if (!lower) {
        print_error("%s: rewritten %llu times%s\n", c->path, (unsigned long long)run.rewrites,
                    which == NOTHING ? "" : ", with other readers");
        print_measure("before", &before);
        print_measure("after ", &after);
    }
    inlay_graph_free(g);
    inlay_diags_free(d);
    inlay_rules_free((inlay_rules *)alone);
    free(counts);
    free(text);
    return found ? !lower : -1;
}

static void test_measure(void **state)
{
    size_t n;
    const rule_case *cases = rule_cases(&n);
    int higher = 0;

    (void)state;
    for (size_t i = 0; i < n; i++) {
        if (!cases[i].yes || strcmp(rule_set_of(cases[i].rule), "turn") == 0)
            continue;
        higher += check_case(&cases[i], NOTHING) + check_case(&cases[i], ALL);
        for (int which = 0, found; (found = check_case(&cases[i], which)) >= 0; which++)
            higher += found;
    }
    if (higher > 0)
        fail_msg("%d cases do not lower the measure", higher);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_measure)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
