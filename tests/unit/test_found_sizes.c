/* A step whose sizes the run finds out is made as one whose sizes are known: each row of the table,
 * by the cases of tests/ops, beside the same node behind a NonZero that decides how many rows there
 * are.
 *
 *     known    %q = Gather(%p, %at)                          %at i64[3]
 *     found    %q = Gather(%p, Squeeze(NonZero(%mask), 0))  %mask boolean[3], all true
 *
 * In both %q is the operand of the case, so the results have the same bits. The instances say how
 * the step is computed: as blocks, in a group, by which kernel of the library, with packed weights.
 * Of each row with a kernel of the library some case must use it. */
#include "graphs.h"
#include "op_cases.h"

#include "interp/audit/audit.h"
#include "interp/exec/exec.h"
#include "interp/exec/run/bind.h"
#include "interp/exec/run/frame.h"
#include "interp/library/library.h"
#include "models.h"

/* When the sizes are known: before the run; when a NonZero has run; or never, as in a body whose
 * sizes are others in each iteration, where one instance serves them all. */
typedef enum when { BEFORE, FOUND, NEVER } when;

/* A case whose operands are inputs: of the first one, or of ALL of them, the rows along the first
 * or the LAST axis. */
typedef struct form {
    when known;
    bool all, last;
} form;

typedef struct made {
    inlay_graph *graph;
    inlay_node *node; /* of the row */
    inlay_tensor *in[2 * OP_CASE_MAX], *out[OP_CASE_MAX];
    graph_steps *steps;
    exec_plan *plan;
    inlay_meter *meter;
    exec_workers *workers;
    exec_session *session;
    bool any; /* one instance serves all sizes */
} made;

/* How the step of the node is made. */
typedef struct outcome {
    const exec_step *step;
    bool ran;
} outcome;

/* ---- the graphs ---- */

static inlay_value *parameter(made *m, inlay_tensor *t, inlay_diags *d)
{
    inlay_shape s = {.rank = t ? t->rank : 0};

    if (!t)
        return NULL;
    for (int i = 0; i < s.rank; i++)
        s.dim[i] = inlay_dim_of(t->dims[i]);
    m->in[m->graph->n_params] = t;
    return inlay_build_parameter(m->graph, NULL, t->type, &s, d);
}

static inlay_value *build(inlay_graph *g, const char *op, inlay_value *a, inlay_value *b,
                          inlay_value *c, inlay_diags *d)
{
    inlay_value *in[] = {a, b, c};
    inlay_node *n = inlay_build(g, NULL, op, in, c ? 3 : b ? 2 : 1, NULL, d);

    return n ? &n->out[0] : NULL;
}

/* Returns the rows 0 to N - 1: a list that is an input, or what NonZero makes of one. */
static inlay_value *rows(made *m, int64_t n, bool found, inlay_diags *d)
{
    inlay_tensor *t = inlay_tensor_new(found ? INLAY_BOOLEAN : INLAY_I64, 1, &n);
    inlay_value *at = parameter(m, t, d);

    for (int64_t i = 0; t && i < n; i++)
        inlay_tensor_set_i64(t, i, found ? 1 : i);
    if (!found || !at)
        return at;
    at = build(m->graph, "NonZero", at, NULL, NULL, d);
    return build(m->graph, "Squeeze@opset1", at, inlay_build_i64(m->graph, NULL, 0, d), NULL, d);
}

/* Makes operand I of the node, a constant so far, rows of an input. */
static bool open_operand(made *m, int i, const form *f, inlay_diags *d)
{
    const inlay_value *v = inlay_node_input(m->node, i);
    const inlay_attr *a =
        v && inlay_node_is(v->node, INLAY_OP_CONST) ? inlay_node_attr(v->node, "value") : NULL;
    const inlay_tensor *t = a ? a->as.tensor : NULL;
    int axis = t && f->last ? t->rank - 1 : 0;
    inlay_value *p, *at, *o;

    if (!t || t->rank == 0)
        return true;
    p = parameter(m, inlay_tensor_copy(t), d);
    at = rows(m, t->dims[axis], f->known == FOUND, d);
    o = inlay_build_i64_scalar(m->graph, NULL, axis, d);
    o = p && at && o ? build(m->graph, "Gather@opset8", p, at, o, d) : NULL;
    return o && inlay_node_set_input(m->node, i, o, d);
}

/* Makes what runs the graph. */
static bool begin(made *m, inlay_diags *d)
{
    m->steps = steps_new(m->graph, d);
    m->plan = m->steps ? exec_plan_new(m->steps, d) : NULL;
    m->meter = meter_new(NULL, 0, 0, true);
    m->workers = exec_workers_new(1);
    if (!m->plan || !m->meter || !m->workers)
        return false;
    m->plan->set->audit = audit_instance;
    exec_plan_kernels(m->plan, INLAY_KERNELS_PORTABLE, true);
    m->session = exec_session_new(m->plan, m->meter, m->workers, true);
    return m->session != NULL;
}

static bool make(made *m, const char *path, const op_case *c, const inlay_op *row, const form *f,
                 inlay_diags *d)
{
    bool ok;

    m->graph = op_case_graph(path, c, d);
    m->node = m->graph ? op_case_node(m->graph, row) : NULL;
    ok = m->node && m->node->graph == m->graph && m->graph->n_params == 0 &&
         m->graph->n_results <= OP_CASE_MAX;
    for (int i = 0; ok && i < (f->all ? m->node->n_in : 1) && i < m->node->n_in; i++)
        ok = open_operand(m, i, f, d);
    if (!ok || m->graph->n_params == 0 || !inlay_infer_graph(m->graph, d))
        return false;
    m->any = f->known == NEVER;
    return begin(m, d);
}

static void done(made *m)
{
    for (size_t i = 0; i < sizeof m->in / sizeof *m->in; i++)
        inlay_tensor_release(m->in[i]);
    for (size_t i = 0; i < sizeof m->out / sizeof *m->out; i++)
        inlay_tensor_release(m->out[i]);
    exec_session_free(m->session);
    exec_plan_free(m->plan);
    steps_free(m->steps);
    exec_workers_free(m->workers);
    meter_release(m->meter);
    inlay_graph_free(m->graph);
}

/* ---- runs ---- */

static bool run_plan(made *m, run_env *env, inlay_diags *d)
{
    bool ours[2 * OP_CASE_MAX] = {false}, ok;
    const exec_outside o = {.in = (const inlay_tensor *const *)m->in,
                            .ours = ours,
                            .state = env->variables,
                            .n_states = env->n_variables,
                            .any = true};
    exec_frame *f;

    if (!m->any)
        return exec_run_plan(m->plan, m->session, env, o.in, ours, m->out, d);
    f = exec_frame_take(m->session, m->plan, env, &o, d);
    if (!f)
        return false;
    f->run.journal = &m->session->journal;
    ok = exec_frame_run(&f, env, &o, m->out, d);
    journal_forget(&m->session->journal);
    exec_frame_end(f);
    return ok;
}

static outcome run(made *m, inlay_diags *d)
{
    inlay_exec_stats stats = {0};
    const inlay_tensor *variables[OP_CASE_MAX] = {NULL};
    run_env env = {.meter = m->meter,
                   .stats = &stats,
                   .variables = variables,
                   .n_variables = m->graph->n_variables};
    outcome o = {.ran = run_plan(m, &env, d)};

    for (const exec_frame *f = m->session->frames[m->plan->number]; f; f = f->next) {
        for (size_t i = 0; i < f->x->n; i++)
            o.step = f->x->list[i].step->node == m->node ? &f->x->list[i] : o.step;
    }
    for (int i = 0; i < OP_CASE_MAX; i++)
        inlay_tensor_release(variables[i]);
    return o;
}

static const exec_kernel_call *call_of(const exec_step *s)
{
    return s->kind == EXEC_KERNEL || s->kind == EXEC_WALK ? &s->kernel : NULL;
}

/* Says how A is made, and B is not; NULL: they are made alike. WALKED: B finds its sizes in the
 * run. */
static const char *differ(const exec_step *a, const exec_step *b, bool walked)
{
    const exec_kernel_call *x = call_of(a), *y = call_of(b);

    if (!walked && a->kind != b->kind)
        return "the kind of step";
    if (!walked && (a->fused == NULL) != (b->fused == NULL))
        return "the group";
    if (!x || !x->library)
        return NULL;
    if (!y || x->library != y->library || (y->found && !walked && !x->found))
        return "the kernel of the library";
    return (x->packed == NULL) != (y->packed == NULL) ? "the packed weights" : NULL;
}

static bool same_results(const made *a, const made *b, const char **what)
{
    static char why[512];
    inlay_compare_options exact = {0};
    bool same = true;

    for (int i = 0; same && i < a->graph->n_results; i++)
        same = inlay_compare_tensors(a->out[i], b->out[i], &exact, why, sizeof why);
    *what = why;
    return same;
}

/* ---- cases ---- */

struct row {
    const inlay_op *op;
    int compared, library, wrong;
};

static void complain(struct row *r, const char *path, const form *f, const char *what)
{
    print_error("%s, %s%s, sizes that are known %s: %s\n", path, f->all ? "all" : "the first",
                f->last ? ", last axis" : "", f->known == FOUND ? "in the run" : "never", what);
    r->wrong++;
}

/* Judges the step of FOUND, whose sizes are known as F says, by that of KNOWN, which was made as
 * OF. */
static void judge(struct row *r, const char *path, const form *f, const made *known,
                  const outcome *of, made *found, inlay_diags *d)
{
    outcome now = run(found, d);
    const char *what =
        now.ran && now.step ? differ(of->step, now.step, f->known == NEVER) : model_messages(d);

    if (what || !same_results(known, found, &what))
        complain(r, path, f, what);
    r->compared++;
    r->library += call_of(of->step) && call_of(of->step)->library;
}

static void compare(struct row *r, const char *path, const op_case *c, form f)
{
    inlay_diags *d = inlay_diags_new();
    made known = {0};
    outcome of = {0};

    if (make(&known, path, c, r->op, &f, d))
        of = run(&known, d);
    for (f.known = FOUND; of.ran && of.step && f.known <= NEVER; f.known++) {
        made found = {0};

        if (make(&found, path, c, r->op, &f, d))
            judge(r, path, &f, &known, &of, &found, d);
        done(&found);
    }
    done(&known);
    inlay_diags_free(d);
}

static bool try_case(const char *path, const op_case *c, void *ctx)
{
    for (int i = 0; c->error.n == 0 && i < 4; i++)
        compare(ctx, path, c, (form){.known = BEFORE, .all = i & 1, .last = i & 2});
    return true;
}

/* Sizes go through a chain of ShapeOf, Slice and Concat to the pattern of a Reshape. What that
 * makes is known as soon as they are, and the product has its kernel and its packed weights. */
static void test_chain_of_sizes(void **state)
{
    made m = {
        .graph = graph_of(
            "%x = Parameter-1 {element_type = f32, shape = [4,2,2]}\n"
            "%mask = Parameter-1 {element_type = boolean, shape = [4]}\n"
            "%o = Const-1 {value = i64[1] [0]}\n%one = Const-1 {value = i64[1] [1]}\n"
            "%four = Const-1 {value = i64[1] [4]}\n%axis = Const-1 {value = i64[] 0}\n"
            "%w = Const-1 {value = f32[4,5] [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "
            "11, 12, 13, 14, 15, 16, 17, 18, 19, 20]}\n"
            "%n = NonZero-3(%mask) {output_type = i64}\n%at = Squeeze-1(%n, %o)\n"
            "%s = Gather-8(%x, %at, %axis)\n"
            "%all = ShapeOf-3(%s) {output_type = i64}\n%rows = Slice-8(%all, %o, %one, %one)\n"
            "%as = Concat-1(%rows, %four) {axis = 0}\n"
            "%flat = Reshape-1(%s, %as) {special_zero = false}\n"
            "%y = MatMul-1(%flat, %w) {transpose_a = false, transpose_b = false}\n"
            "%out = Result-1(%y)\n")};
    inlay_diags *d = inlay_diags_new();
    const exec_step *s;

    m.node = inlay_graph_node(m.graph, "y");
    m.in[0] = tensor_of("f32[4,2,2] 1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4");
    m.in[1] = tensor_of("boolean[4] 1 0 0 1");
    assert_true(begin(&m, d));
    s = run(&m, d).step;
    assert_non_null(s);
    check_tensor(m.out[0], "f32[2,5] 34 38 42 46 50 136 152 168 184 200");
    assert_int_equal(s->kind, EXEC_KERNEL);
    assert_non_null(s->kernel.library);
    assert_non_null(s->kernel.packed);
    assert_false(s->kernel.found);
    done(&m);
    inlay_diags_free(d);
}

static void test_rows(void **state)
{
    int wrong = 0, compared = 0;

    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        struct row r = {.op = inlay_op_at(NULL, i)};

        op_cases_each(r.op->name, try_case, &r);
        compared += r.compared > 0;
        if (library_find(r.op) && r.library == 0) {
            print_error("%s: no case uses the kernel of the library\n", r.op->name);
            wrong++;
        }
        wrong += r.wrong;
    }
    print_message("# %d rows\n", compared);
    assert_true(compared > 270);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_chain_of_sizes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
