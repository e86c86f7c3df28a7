/* Every kernel has a test of its own that would fail. For each row the cases in tests/ops/<name>
 * are run with its kernel replaced by one that gives, in one of its outputs,
 *
 *     zeros                       or
 *     the elements of an operand  where that has the type and the dims of output 0,
 *
 * and what it should give in the others. At least one case must notice each of these mutants, but
 * for those that tests/ops/equivalent.txt explains. MUTANTS=list prints each mutant with the case
 * that notices it. */
#include "op_cases.h"
#include "unit.h"

#include "interp/kernel.h"
#include "ir/shared.h"

enum { MOST_OUTPUTS = 8 };

/* What happens to a row. */
struct mutant {
    const inlay_op *row;
    int output, operand; /* operand -1: zeros */
    bool fits;           /* in some case the operand could stand for the output */
    char noticed[256];   /* by this case; empty: by none */
};

/* The row with the mutant's kernel, by which the kernel finds the mutant. */
struct spoiled {
    inlay_op op;
    struct mutant *mutant;
};

static bool same_shape(const inlay_tensor *a, const inlay_tensor *b)
{
    return a && a->type == b->type && a->rank == b->rank &&
           memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims) == 0;
}

/* Returns what the mutant gives instead of T, as a new tensor; NULL: T, since nothing fits. */
static inlay_tensor *other_output(const struct mutant *m, const inlay_call *c,
                                  const inlay_tensor *t)
{
    if (m->operand < 0)
        return inlay_tensor_new(t->type, t->rank, t->dims);
    if (m->operand >= c->n_in || !same_shape(c->in[m->operand], t))
        return NULL;
    return inlay_tensor_copy(c->in[m->operand]);
}

static bool eval_spoiled(inlay_call *c)
{
    struct mutant *m = ((const struct spoiled *)c->node->op)->mutant;
    inlay_tensor *t;

    if (!m->row->eval(c))
        return false;
    if (m->output >= c->n_out || !c->out[m->output])
        return true;
    t = other_output(m, c, c->out[m->output]);
    if (!t)
        return true;
    m->fits = true;
    inlay_tensor_release(c->out[m->output]);
    c->out[m->output] = t;
    return true;
}

/* Gives the nodes of FROM in G and in its bodies the row TO. Returns how many there are. */
static int replace_row(inlay_graph *g, const inlay_op *from, const inlay_op *to)
{
    int n = 0;

    for (inlay_node *x = g->first; x; x = x->next) {
        if (x->op == from) {
            x->op = to;
            n++;
        }
        for (int i = 0; i < x->n_bodies; i++)
            n += replace_row(x->bodies[i].graph, from, to);
    }
    return n;
}

static bool try_case(const char *path, const op_case *c, void *ctx)
{
    struct mutant *m = ctx;
    struct spoiled spoiled = {*m->row, m};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = c->error.n ? NULL : op_case_graph(path, c, d);

    spoiled.op.eval = eval_spoiled;
    if (g && replace_row(g, m->row, &spoiled.op) > 0 && op_case_judge(c, g, d) != OP_HOLDS)
        snprintf(m->noticed, sizeof m->noticed, "%s", strstr(path, "tests/ops/"));
    inlay_graph_free(g);
    inlay_diags_free(d);
    return !m->noticed[0];
}

/* Returns whether M may have no case that it fits: an operand of the shape of output 0, an output
 * that is one of any number. */
static bool is_spare(const struct mutant *m)
{
    return m->operand >= 0 || m->output > 0;
}

/* Returns whether a case notices the mutant, none can be made, or a line explains it. */
static bool try_mutant(struct mutant *m, op_excuses *excuses, int *tried)
{
    const char *list = getenv("MUTANTS");
    char row[80], what[80];

    inlay_op_text(m->row, row, sizeof row);
    if (m->operand < 0)
        snprintf(what, sizeof what, "kernel: zeros in output %d", m->output);
    else
        snprintf(what, sizeof what, "kernel: operand %d", m->operand);
    op_cases_each(m->row->name, try_case, m);
    *tried += m->fits;
    if (list && m->noticed[0])
        print_message("%s\t%s\t%s\n", row, what, m->noticed);
    if (m->noticed[0] || (is_spare(m) && !m->fits) || op_excuses_has(excuses, row, what))
        return true;
    print_error("%s: no case notices %s\n", row, what);
    return false;
}

static int outputs_of(const inlay_op *row)
{
    return row->n_out < 0 || row->n_out > MOST_OUTPUTS ? MOST_OUTPUTS : row->n_out;
}

/* Returns whether cases notice all mutants of the row that need one. */
static bool try_row(const inlay_op *row, op_excuses *excuses, int *tried)
{
    bool ok = true;

    for (int i = 0; i < outputs_of(row); i++)
        ok = try_mutant(&(struct mutant){.row = row, .output = i, .operand = -1}, excuses, tried) &&
             ok;
    for (int i = 0; i < row->n_in; i++)
        ok = try_mutant(&(struct mutant){.row = row, .operand = i}, excuses, tried) && ok;
    return ok;
}

static void test_mutants(void **state)
{
    op_excuses *excuses = op_excuses_read("kernel: ");
    int tried = 0, missing = 0;

    for (size_t i = 0; i < inlay_op_count(NULL); i++)
        missing += !try_row(inlay_op_at(NULL, i), excuses, &tried);
    print_message("# %zu rows, %d mutants\n", inlay_op_count(NULL), tried);
    op_excuses_end(excuses);
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
