/* Each integer attribute of each row, and each integer that an operand holds, at the ends of its
 * range, in the cases of tests/ops: a graph with it is refused by one error, by the shape rule or
 * in the run, or it works. Nothing overflows before it is checked, which a build with sanitizers
 * sees. CASES=list prints each case before it is tried. */
#define _XOPEN_SOURCE 700 /* alarm */
#include "op_cases.h"
#include "unit.h"

#include "interp/interp.h"
#include "ir/shared.h"
#include "models.h"
#include "parser/parser.h"

#include <signal.h>
#include <unistd.h>

enum { MOST_ELEMENTS = 16, MOST_CASES = 12, SECONDS = 60 };
enum { LIMIT = 1 << 26 };

static const int64_t ends[] = {0, -1, INT64_C(1) << 31, INT64_MAX, INT64_MIN};
enum { N_ENDS = sizeof ends / sizeof *ends };

static struct tried {
    const inlay_op *row;
    char now[600];
    int n, n_wrong;
    int n_cases; /* of the row */
} tried;

static void say_case(int number)
{
    static const char late[] = " takes too long\n";

    (void)number;
    if (write(2, tried.now, strlen(tried.now)) < 0 || write(2, late, sizeof late - 1) < 0)
        _exit(2);
    _exit(1);
}

/* False and an error: G cannot be run on the operands IN. */
static bool runs(const inlay_graph *g, const inlay_tensor *const *in, inlay_exec_mode mode,
                 inlay_diags *d)
{
    const inlay_exec_options o = {
        .mode = mode, .max_memory = LIMIT, .max_iterations = 1000, .threads = 1};
    inlay_tensor *out[OP_CASE_MAX] = {NULL};
    inlay_program *p = inlay_compile(g, &o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    bool ok = s && inlay_session_run(s, in, NULL, out, d);

    for (int i = 0; i < OP_CASE_MAX; i++)
        inlay_tensor_release(out[i]);
    inlay_session_free(s);
    inlay_program_free(p);
    return ok;
}

static size_t errors_of(const inlay_diags *d)
{
    size_t errors = 0;

    for (size_t i = 0; i < inlay_diags_count(d); i++)
        errors += inlay_diags_at(d, i)->severity == INLAY_ERROR;
    return errors;
}

static void begin(void)
{
    alarm(SECONDS);
    tried.n++;
    if (getenv("CASES"))
        fprintf(stderr, "%s\n", tried.now);
}

/* Fails unless it is OK, or D has one error of a status that is the caller's fault. */
static void judge(bool ok, const inlay_diags *d)
{
    inlay_status s = inlay_diags_status(d);

    if (ok ? s == INLAY_OK : errors_of(d) == 1 && (s == INLAY_INVALID || s == INLAY_NO_RESOURCE))
        return;
    print_error("%s: %s\n", tried.now, model_messages(d));
    tried.n_wrong++;
}

/* Infers, checks and runs G, which was changed. */
static void try_graph(inlay_graph *g, const inlay_tensor *const *in)
{
    static const inlay_exec_mode modes[] = {INLAY_EXEC_REFERENCE, INLAY_EXEC_PLANNED};
    inlay_diags *d = inlay_diags_new();
    bool ok;

    begin();
    ok = inlay_check_graph(g, d) && inlay_infer_graph(g, d);
    for (int i = 0; ok && i < 2; i++)
        ok = runs(g, in, modes[i], d);
    judge(ok, d);
    inlay_diags_free(d);
}

static inlay_graph *read_form(const char *path, const op_case *c, op_form form)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_text(path, c->form[form].bytes, c->form[form].n, NULL, d);

    inlay_diags_free(d);
    return g;
}

/* Attributes */

/* Sets element I of attribute A of the first node of the row to X. False: there is no such element,
 * or the row is not there. */
static bool set_element(inlay_graph *g, int a, int i, int64_t x, int64_t *room)
{
    inlay_node *n = op_case_node(g, tried.row);
    const inlay_attr_info *info = &tried.row->attrs[a];
    const inlay_attr *was =
        n ? (n->attrs[a].set || !info->has_default ? &n->attrs[a] : &info->dflt) : NULL;
    inlay_attr to = {.set = true};

    if (!n || i >= (info->kind == INLAY_ATTR_INTS ? was->n : 1) || i >= MOST_ELEMENTS ||
        was->n > MOST_ELEMENTS)
        return false;
    if (info->kind == INLAY_ATTR_INTS) {
        memcpy(room, was->as.ints, (size_t)was->n * sizeof *room);
        room[i] = x;
        to.as.ints = room;
        to.n = was->n;
    } else if (info->kind == INLAY_ATTR_NUMBER) {
        to.as.number.integral = true;
        to.as.number.i = x;
        to.as.number.f = (double)x;
    } else {
        to.as.i = x;
    }
    n->attrs[a] = to;
    n->settled = false;
    return true;
}

/* False: there is no element I. */
static bool try_element(const char *path, const op_case *c, op_form form, int a, int i)
{
    int64_t room[MOST_ELEMENTS];
    bool is = true;

    for (int k = 0; is && k < N_ENDS; k++) {
        inlay_graph *g = read_form(path, c, form);

        is = g && set_element(g, a, i, ends[k], room);
        snprintf(tried.now, sizeof tried.now, "%s, form %d: %s[%d] = %lld", path, form,
                 tried.row->attrs[a].name, i, (long long)ends[k]);
        if (is)
            try_graph(g, c->operand);
        inlay_graph_free(g);
    }
    return is;
}

static void try_attributes(const char *path, const op_case *c, op_form form)
{
    for (int a = 0; a < tried.row->n_attrs; a++) {
        inlay_attr_kind kind = tried.row->attrs[a].kind;
        bool integer =
            kind == INLAY_ATTR_INT || kind == INLAY_ATTR_INTS || kind == INLAY_ATTR_NUMBER;

        for (int i = 0; integer && try_element(path, c, form, a, i); i++)
            ;
    }
}

/* Operands */

/* Returns the Const of which the case has operand I. */
static inlay_node *constant_of(const inlay_graph *g, const inlay_graph *shapes, int i)
{
    for (inlay_node *n = g->first; n; n = n->next) {
        if (inlay_node_is(n, INLAY_OP_CONST) && strcmp(n->name, shapes->params[i]->name) == 0)
            return n;
    }
    return NULL;
}

/* Runs with T for operand I, and infers with it as a constant. */
static void try_operand(const char *path, const op_case *c, int i, inlay_tensor *t)
{
    const inlay_tensor *in[OP_CASE_MAX];
    inlay_graph *shapes = read_form(path, c, OP_FORM_SHAPES),
                *constants = read_form(path, c, OP_FORM_CONSTANTS);
    inlay_node *n =
        shapes && constants && i < shapes->n_params ? constant_of(constants, shapes, i) : NULL;
    inlay_diags *d = inlay_diags_new();

    memcpy(in, c->operand, sizeof in);
    in[i] = t;
    if (shapes)
        try_graph(shapes, in);
    if (n && inlay_node_set_tensor(n, "value", t, d))
        try_graph(constants, NULL);
    inlay_diags_free(d);
    inlay_graph_free(shapes);
    inlay_graph_free(constants);
}

static void try_operands(const char *path, const op_case *c)
{
    for (int i = 0; i < c->n_operands; i++) {
        const inlay_tensor *was = c->operand[i];
        int64_t count = inlay_type_is_int(was->type) ? inlay_tensor_count(was) : 0;

        for (int64_t at = 0; at < count && at < MOST_ELEMENTS; at++) {
            for (int k = 0; k < N_ENDS; k++) {
                inlay_tensor *t = inlay_tensor_copy(was);

                assert_non_null(t);
                inlay_tensor_set_i64(t, at, ends[k]);
                snprintf(tried.now, sizeof tried.now, "%s: operand %d[%d] = %lld", path, i, (int)at,
                         (long long)ends[k]);
                try_operand(path, c, i, t);
                inlay_tensor_release(t);
            }
        }
    }
}

static bool try_case(const char *path, const op_case *c, void *ctx)
{
    (void)ctx;
    for (int form = 0; form < OP_FORMS; form++)
        try_attributes(path, c, (op_form)form);
    try_operands(path, c);
    return ++tried.n_cases < MOST_CASES;
}

static void test_ends(void **state)
{
    signal(SIGALRM, say_case);
    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const char *only = getenv("ROW");

        tried.row = inlay_op_at(NULL, i);
        tried.n_cases = 0;
        if (!only || strcmp(only, tried.row->name) == 0)
            op_cases_each(tried.row->name, try_case, NULL);
    }
    alarm(0);
    print_message("# %d cases\n", tried.n);
    assert_int_equal(tried.n_wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
