/* Kernels of rows with the flags blocks, moves, view or prepares are called while an instance is
 * made, on addresses where nothing lies (interp/exec/build/record.c, interp/kernels/README.md). Here the
 * kernels of all these rows are called so: in every type, with operands that are known or not, in
 * several orders in memory, with and without storage notes. A kernel that touches an element all
 * the same is named. */
#include "interp/exec/build/instance.h"
#include "models.h"
#include "op_types.h"
#include "unit.h"

#include <signal.h>

/* Which operands of the node are Parameters: those whose elements are not known. */
typedef enum unknown { NOTHING_UNKNOWN, DATA_UNKNOWN, ALL_UNKNOWN, N_UNKNOWN } unknown;

/* How the elements of a Parameter's tensor lie: without gaps, with gaps, last one first, or one for
 * all. */
typedef enum order { DENSE, GAPS, REVERSED, REPEATED, N_ORDERS } order;

static const char *const unknown_names[] = {"all operands known", "unknown data",
                                            "unknown operands"};
static const char *const order_names[] = {"dense", "with gaps", "reversed", "repeated"};

enum { MAX_INPUTS = OP_CASE_MAX };

static sigjmp_buf escape;

static void on_fault(int signal)
{
    siglongjmp(escape, signal);
}

/* Records what the kernels of the graph of P do for IN. NULL: one of the kernels touched
 * elements. */
static exec_instance *record(const exec_plan *p, const inlay_tensor *const *in, bool donated,
                             inlay_diags *d)
{
    struct sigaction ours = {.sa_handler = on_fault}, segv, bus;
    bool all[MAX_INPUTS];
    exec_instance *volatile x = NULL;

    memset(all, donated, sizeof all);
    sigaction(SIGSEGV, &ours, &segv);
    sigaction(SIGBUS, &ours, &bus);
    if (sigsetjmp(escape, 1) == 0)
        x = exec_instance_new(p, &(exec_outside){.in = in, .ours = all}, d);
    sigaction(SIGSEGV, &segv, NULL);
    sigaction(SIGBUS, &bus, NULL);
    return x;
}

/* Makes a tensor like T, whose elements lie in ORDER and are anything. */
static inlay_tensor *laid_out(const inlay_tensor *t, order o)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK], step = 1, last = 0;
    inlay_tensor *room, *out;

    for (int i = t->rank; i-- > 0;) {
        int64_t way = o == GAPS ? 2 * step : o == REVERSED ? -step : o == REPEATED ? 0 : step;

        dims[i] = o == GAPS ? 2 * t->dims[i] : t->dims[i];
        strides[i] = way;
        last += way < 0 && t->dims[i] > 0 ? -way * (t->dims[i] - 1) : 0;
        step *= dims[i];
    }
    room = inlay_tensor_new(t->type, t->rank, dims);
    assert_non_null(room);
    out = inlay_tensor_window(room, t->rank, t->dims, strides, last);
    assert_non_null(out);
    inlay_tensor_release(room);
    return out;
}

static bool is_unknown(const inlay_node *n, int i, unknown what)
{
    const inlay_op *op = n->op;
    const inlay_operand_info *operand = &op->in[i < op->n_in ? i : op->n_in - 1];

    return what == ALL_UNKNOWN || (what == DATA_UNKNOWN && operand->var == op->out[0].var);
}

/* Replaces constants of N by Parameters. IN receives tensors of their shapes. */
static void open_operands(inlay_graph *g, inlay_node *n, unknown what, order o, inlay_tensor **in,
                          inlay_diags *d)
{
    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;
        const inlay_attr *a = v ? inlay_node_attr(v->node, "value") : NULL;
        inlay_shape s = {.rank = v ? v->fact.rank : 0};
        inlay_value *made;

        if (!a || !is_unknown(n, i, what) || g->n_params == MAX_INPUTS)
            continue;
        for (int k = 0; k < s.rank; k++)
            s.dim[k] = v->fact.dims[k];
        in[g->n_params] = laid_out(a->as.tensor, o);
        made = inlay_build_parameter(g, NULL, v->fact.type, &s, d);
        assert_non_null(made);
        assert_true(inlay_node_set_input(n, i, made, d));
    }
}

static bool was_recorded(const exec_instance *x, const inlay_node *n)
{
    for (size_t i = 0; i < x->n; i++) {
        exec_kind k = x->list[i].kind;

        if (x->list[i].step->node == n)
            return k == EXEC_BLOCKS || k == EXEC_MOVES || k == EXEC_NOTHING ||
                   (k == EXEC_KERNEL && x->list[i].kernel.rest);
    }
    return false;
}

/* One form of a case. */
struct form {
    unknown unknown;
    order order;
    bool noted; /* with storage notes, and inputs that may be written over */
};

static bool record_form(const char *what, inlay_graph *g, inlay_node *n, struct form f)
{
    const inlay_pass_options notes = {.passes = "in-place-windows"};
    inlay_diags *d = inlay_diags_new();
    inlay_tensor *in[MAX_INPUTS] = {NULL};
    graph_steps *steps;
    exec_plan *plan;
    exec_instance *x;
    bool recorded;

    open_operands(g, n, f.unknown, f.order, in, d);
    assert_true(!f.noted || inlay_run_passes(g, &notes, d));
    steps = steps_new(g, d);
    plan = steps ? exec_plan_new(steps, d) : NULL;
    assert_non_null(plan);
    x = record(plan, (const inlay_tensor *const *)in, f.noted, d);
    if (!x)
        fail_msg("%s, %s, %s%s: the kernel of %s-%d touches elements while it is recorded "
                 "(interp/kernels/README.md)",
                 what, unknown_names[f.unknown], order_names[f.order], f.noted ? ", in place" : "",
                 n->op->name, n->op->version);
    recorded = was_recorded(x, n);
    exec_instance_free(x);
    exec_plan_free(plan);
    steps_free(steps);
    for (int i = 0; i < g->n_params; i++)
        inlay_tensor_release(in[i]);
    inlay_diags_free(d);
    return recorded;
}

static bool record_case(const char *what, inlay_graph *g, inlay_node *n, void *recorded)
{
    struct form f;

    for (f.unknown = 0; f.unknown < N_UNKNOWN; f.unknown++) {
        for (f.order = 0; f.order < (f.unknown ? N_ORDERS : 1); f.order++) {
            for (int noted = 0; noted < 2; noted++) {
                inlay_graph *copy = inlay_graph_clone(g, NULL);
                inlay_node *k = copy->first;

                while (k && strcmp(k->name, n->name) != 0)
                    k = k->next;
                f.noted = noted;
                *(int *)recorded += record_form(what, copy, k, f);
                inlay_graph_free(copy);
            }
        }
    }
    return true;
}

/* A kernel that must be told where elements go, by operands that a run may know first, need not be
 * recorded. */
static bool must_be_recorded(const inlay_op *row)
{
    bool all = row->flags & (INLAY_BLOCKS | INLAY_VIEW | INLAY_MOVES);

    for (int i = 0; i < row->n_in; i++)
        all =
            all && (row->flags & (INLAY_BLOCKS | INLAY_VIEW) || row->in[i].var == row->out[0].var);
    return all || (row->flags & INLAY_PREPARES);
}

/* Whether the kernel of ROW is called without elements: it tells its rows, or how it casts. */
static bool is_recorded(const inlay_op *row)
{
    const unsigned casts = INLAY_CONVERTS | INLAY_POINTWISE;

    return (row->flags & (INLAY_BLOCKS | INLAY_MOVES | INLAY_VIEW | INLAY_PREPARES)) ||
           (row->flags & casts) == casts;
}

static void test_kernels(void **state)
{
    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const inlay_op *row = inlay_op_at(NULL, i);
        int recorded = 0;

        if (!is_recorded(row))
            continue;
        if (op_types_each(row, record_case, &recorded) <= 0)
            fail_msg("%s-%d has no case in tests/ops", row->name, row->version);
        if (recorded == 0 && must_be_recorded(row))
            fail_msg("%s-%d: nothing that its kernel does was recorded", row->name, row->version);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
