/* Every case of tests/ops, whose README says what stands in one, and every graph of
 * tests/subgraphs, which are cases of several nodes, is run by each executor, with the operands as
 * constants, as Parameters of known shape, and as Parameters of unknown rank whose tensors are
 * strided. Parameters are computed on by three threads, which share all the work that can be
 * shared. */
#include "case_files.h"
#include "models.h"
#include "op_case.h"
#include "op_forms.h"
#include "unit.h"

#include "interp/session.h"
#include "parser/parser.h"
#include "written.h"

static const char *const form_names[] = {"constants", "shapes", "open shapes"};
static const char *const mode_names[] = {
    [INLAY_EXEC_PLANNED] = "planned", [INLAY_EXEC_REFERENCE] = "reference"};

/* One way to run a case. */
struct run {
    const char *path;
    const op_case *c;
    op_form form;
    inlay_exec_mode mode;
    inlay_graph *graph;
    inlay_diags *diags;
};

static void fail_run(const struct run *r, const char *what)
{
    fail_msg("%s: %s, %s: %s", r->path, form_names[r->form], mode_names[r->mode], what);
}

/* ---- what inference said ---- */

static bool holds_size(inlay_dim d, int64_t n)
{
    return d.lo <= n && n <= d.hi;
}

/* Returns whether T is one of the tensors that F allows. */
static bool allows(const inlay_fact *f, const inlay_tensor *t)
{
    if ((f->type != INLAY_DYNAMIC && f->type != t->type) || (f->rank >= 0 && f->rank != t->rank))
        return false;
    for (int i = 0; i < f->rank; i++) {
        if (!holds_size(f->dims[i], t->dims[i]))
            return false;
    }
    if (!f->known)
        return true;
    for (int i = 0; i < f->n_known; i++) {
        if (f->n_known != inlay_tensor_count(t) ||
            !holds_size(f->known[i], inlay_tensor_get_i64(t, i)))
            return false;
    }
    return true;
}

static bool is_exact(const inlay_fact *f)
{
    for (int i = 0; i < f->rank; i++) {
        if (!inlay_dim_is_static(f->dims[i]))
            return false;
    }
    return f->rank >= 0 && f->type != INLAY_DYNAMIC;
}

/* Of constants the whole shape is known, unless it depends on elements. */
static void check_inferred(const struct run *r, const inlay_fact *f, const op_expectation *e)
{
    char shape[400], what[600];

    if (allows(f, e->tensor) && (r->form != OP_FORM_CONSTANTS || e->dynamic || is_exact(f)))
        return;
    inlay_shape_text(f->rank, f->dims, shape, sizeof shape);
    snprintf(what, sizeof what, "%s is inferred as %s%s", e->name,
             inlay_type_info_of(f->type)->name, shape);
    fail_run(r, what);
}

/* ---- what a run gave ---- */

static void check_output(const struct run *r, int i, const inlay_tensor *t)
{
    const inlay_node *result = r->graph->results[i];
    const op_expectation *e = op_case_expected(r->c, result->name);
    char why[512], what[600];

    if (!e)
        fail_run(r, "a Result is not expected");
    check_inferred(r, &inlay_node_input(result, 0)->fact, e);
    if (inlay_compare_tensors(e->tensor, t, &e->tolerance, why, sizeof why))
        return;
    snprintf(what, sizeof what, "%s: %s", e->name, why);
    fail_run(r, what);
}

/* Checks that the file is about the operation whose folder it is in, unless it is a graph of
 * several. */
static void check_folder(const struct run *r)
{
    const char *file = strrchr(r->path, '/'), *folder = file;
    const inlay_node *n = r->graph->first;

    while (folder[-1] != '/')
        folder--;
    if (strncmp(folder, "subgraphs/", 10) == 0)
        return;
    while (n && strncmp(n->op->name, folder, (size_t)(file - folder)) != 0)
        n = n->next;
    if (!n)
        fail_run(r, "there is no node of the operation that its folder is called after");
}

/* Checks that all operands are constants. */
static void check_file(const struct run *r)
{
    int n_params = r->form == OP_FORM_CONSTANTS ? 0 : r->c->n_operands;

    check_folder(r);
    if (r->graph->n_params != n_params || r->graph->n_results > OP_CASE_MAX)
        fail_run(r, "found a Parameter, or too many Results");
}

static bool execute(const struct run *r, inlay_tensor **out)
{
    inlay_exec_options options = {
        .mode = r->mode, .poison = true, .threads = r->form == OP_FORM_CONSTANTS ? 1 : 3};
    inlay_program *program = inlay_compile(r->graph, &options, r->diags);
    inlay_session *session = program ? inlay_session_new(program, r->diags) : NULL;
    const inlay_tensor *in[OP_CASE_MAX];
    bool ran = session != NULL;

    if (program)
        program_split(program, 1);
    for (int i = 0; i < r->graph->n_params; i++)
        in[i] = r->form == OP_FORM_OPEN ? written_strided(r->c->operand[i])
                                        : inlay_tensor_retain(r->c->operand[i]);
    ran = ran && inlay_session_run(session, in, NULL, out, r->diags);
    for (int i = 0; i < r->graph->n_params; i++)
        inlay_tensor_release(in[i]);
    inlay_session_free(session);
    inlay_program_free(program);
    return ran;
}

static void check_run(const struct run *r)
{
    inlay_tensor *out[OP_CASE_MAX] = {NULL};

    if (r->graph->n_results != r->c->n_expected)
        fail_run(r, "there are not as many Results as expectations");
    if (!execute(r, out))
        fail_run(r, model_messages(r->diags));
    for (int i = 0; i < r->graph->n_results; i++) {
        check_output(r, i, out[i]);
        inlay_tensor_release(out[i]);
    }
}

/* Checks that the graph is refused when it is read, or that its run fails. */
static void check_error(const struct run *r)
{
    inlay_tensor *out[OP_CASE_MAX] = {NULL};

    if (r->graph && execute(r, out))
        fail_run(r, "it ran, an error is expected");
    if (!strstr(model_messages(r->diags), r->c->error.bytes))
        fail_run(r, model_messages(r->diags));
}

static void try_form(const char *path, const op_case *c, op_form form)
{
    static const inlay_exec_mode modes[] = {INLAY_EXEC_REFERENCE, INLAY_EXEC_PLANNED};

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct run r = {path, c, form, modes[i], NULL, inlay_diags_new()};
        const inlay_strbuf *text = &c->form[form];

        r.graph = inlay_read_text(path, text->bytes, text->n, NULL, r.diags);
        if (r.graph)
            check_file(&r);
        if (c->error.n)
            check_error(&r);
        else if (!r.graph)
            fail_run(&r, model_messages(r.diags));
        else
            check_run(&r);
        inlay_graph_free(r.graph);
        inlay_diags_free(r.diags);
    }
}

static void test_case(void **state)
{
    const case_text *x = *state;
    inlay_diags *d = inlay_diags_new();
    op_case c;

    if (!op_case_read(&c, x->text, x->path, d))
        fail_msg("%s: %s", x->path, model_messages(d));
    for (int form = 0; form < OP_FORMS; form++)
        try_form(x->path, &c, (op_form)form);
    op_case_free(&c);
    inlay_diags_free(d);
}

/* "Add/elementwise.cases:types,f32" of its path */
static const char *case_name(const char *path)
{
    const char *last = strrchr(path, '/');

    while (last > path && last[-1] != '/')
        last--;
    return last;
}

int main(void)
{
    case_texts all = {0};
    struct CMUnitTest *tests;
    int failed = 1;

    case_texts_add(&all, "tests/ops/*");
    case_texts_add(&all, "tests/subgraphs");
    if (all.n == 0) {
        fputs("no cases in tests/ops\n", stderr);
        return 1;
    }
    tests = calloc(all.n, sizeof *tests);
    for (size_t i = 0; tests && i < all.n; i++)
        tests[i] = (struct CMUnitTest){.name = case_name(all.list[i].path),
                                       .test_func = test_case,
                                       .initial_state = &all.list[i]};
    if (tests)
        failed = _cmocka_run_group_tests("ops", tests, all.n, NULL, NULL);
    free(tests);
    case_texts_free(&all);
    return failed;
}
