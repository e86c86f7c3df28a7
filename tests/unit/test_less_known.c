/* The cases of the rules, tests/rules/ and tests/passes/, of which less is known: a shape is
 * unknown, or some of its sizes, or a constant is a Parameter, or one of its elements is. What
 * passes then still do must end, and must be the same function: the same results, and an error
 * where there was one, for operands of the sizes that the case had and for others, which its
 * operations may refuse.
 * INLAY_CASE=TEXT runs the cases whose path has TEXT in it, INLAY_WHOLE=1 the default passes on all
 * cases of rules, of which each fifth is tried otherwise. */
#include "budget.h"
#include "models.h"
#include "rule_cases.h"
#include "unit.h"

#include "interp/interp.h"

enum { MAX_INPUTS = 40, MAX_SOURCES = 24, MAX_OUT = 16 };

/* A graph of which less is known than the case says, and the operands of the case. */
typedef struct less_known {
    char what[600]; /* for messages */
    inlay_graph *g, *after;
    inlay_tensor *in[MAX_INPUTS];
    int n;
    inlay_diags *diags;
} less_known;

/* What is forgotten: the size of this axis, or one of these; of a list also element number K alone
 * (ONE_ELEMENT + K). */
enum { ALL_AXES = -1, THE_RANK = -2, THE_ELEMENTS = -3, ONE_ELEMENT = 100 };

static void forget_shape(const inlay_node *p, int what, inlay_shape *out)
{
    const inlay_fact *f = &p->out[0].fact;

    *out = (inlay_shape){.rank = what == THE_RANK ? -1 : f->rank};
    for (int i = 0; i < out->rank; i++)
        out->dim[i] = what == ALL_AXES || what == i ? inlay_dim_any() : f->dims[i];
}

/* Parameters and constants, in order. */
static int find_sources(const inlay_graph *g, inlay_node **out)
{
    int n = 0;

    for (inlay_node *at = g->first; at && n < MAX_SOURCES; at = at->next) {
        if (inlay_node_is(at, INLAY_OP_PARAMETER) || inlay_node_is(at, INLAY_OP_CONST))
            out[n++] = at;
    }
    return n;
}

static inlay_value *add_operand(less_known *t, const inlay_shape *s, inlay_tensor *elements)
{
    inlay_value *v = inlay_build_parameter(t->g, "operand", elements->type, s, t->diags);

    assert_true(v && elements && t->n < MAX_INPUTS);
    t->in[t->n++] = elements;
    return v;
}

/* Elements [FROM, TO) of the list T. */
static inlay_tensor *part_of(const inlay_tensor *t, int64_t from, int64_t to)
{
    const int64_t n = to - from;
    inlay_tensor *part = inlay_tensor_window(t, 1, &n, t->strides, from * t->strides[0]);
    inlay_tensor *copy = part ? inlay_tensor_copy(part) : NULL;

    inlay_tensor_release(part);
    assert_non_null(copy);
    return copy;
}

/* Replaces a list by a Concat in which element K is not known. */
static bool forget_element(less_known *t, inlay_node *source, int64_t k)
{
    const inlay_tensor *list = source->out[0].fact.content;
    const int64_t ends[] = {0, k, k + 1, list->dims[0]};
    inlay_shape one = {.rank = 1, .dim = {inlay_dim_of(1)}};
    inlay_value *in[3];
    inlay_node *joined;
    int n = 0;

    for (int i = 0; i < 3; i++) {
        inlay_tensor *part = part_of(list, ends[i], ends[i + 1]);

        if (i == 1) {
            in[n++] = add_operand(t, &one, part);
            continue;
        }
        if (ends[i] < ends[i + 1])
            in[n++] = inlay_build_const(t->g, "part", part, t->diags);
        inlay_tensor_release(part);
    }
    joined = inlay_build(t->g, "list", "Concat", in, n, "axis=0", t->diags);
    return joined && inlay_value_replace(&source->out[0], &joined->out[0], t->diags);
}

/* The source becomes a Parameter of which WHAT is not known. The elements of a constant become the
 * operand of that Parameter. */
static bool forget(less_known *t, inlay_node *source, int what)
{
    inlay_shape s;
    inlay_value *v;

    if (what >= ONE_ELEMENT)
        return forget_element(t, source, what - ONE_ELEMENT);
    forget_shape(source, what, &s);
    if (inlay_node_is(source, INLAY_OP_PARAMETER))
        return inlay_node_set_shape(source, "shape", &s, t->diags);
    v = add_operand(t, &s, inlay_tensor_copy(source->out[0].fact.content));
    return inlay_value_replace(&source->out[0], v, t->diags);
}

static bool run(inlay_graph *g, inlay_tensor *const *in, inlay_tensor **out, inlay_diags *d)
{
    const inlay_exec_options o = {.max_iterations = 100}; /* a number of rounds may be -1 */
    inlay_evaluator ev = inlay_reference_evaluator(&o);
    inlay_tensor *variables[MAX_INPUTS] = {NULL};
    bool ok = g->n_variables <= MAX_INPUTS &&
              ev.eval_graph(ev.ctx, g, (const inlay_tensor *const *)in, out, variables, d);

    for (int i = 0; i < g->n_variables; i++)
        inlay_tensor_release(variables[i]);
    return ok;
}

static void print_shapes(const less_known *t, inlay_tensor *const *in)
{
    for (int i = 0; i < t->n; i++) {
        inlay_dim dims[INLAY_MAX_RANK];
        char text[200];

        for (int k = 0; k < in[i]->rank; k++)
            dims[k] = inlay_dim_of(in[i]->dims[k]);
        print_error("# %s: [%s]\n", t->g->params[i]->name,
                    inlay_shape_text(in[i]->rank, dims, text, sizeof text));
    }
}

static bool to_stderr(void *ctx, const char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, ctx) == n;
}

static int differences;

static void tell(const less_known *t, inlay_tensor *const *in, const char *why)
{
    inlay_sink sink = {to_stderr, stderr};

    differences++;
    print_error("# %s: %s\n", t->what, why);
    print_shapes(t, in);
    if (getenv("INLAY_CASE"))
        inlay_print(t->after, true, &sink, NULL);
}

static void compare(const less_known *t, inlay_tensor *const *in)
{
    inlay_tensor *a[MAX_OUT] = {NULL}, *b[MAX_OUT] = {NULL};
    inlay_diags *da = inlay_diags_new(), *db = inlay_diags_new();
    bool was = run(t->g, in, a, da), is = run(t->after, in, b, db);
    inlay_compare_options exact = {0};
    char why[700];

    assert_true(t->g->n_results <= MAX_OUT);
    if (was != is) {
        snprintf(why, sizeof why, "%s: %.500s", was ? "a new error" : "an error is lost",
                 model_messages(was ? db : da));
        tell(t, in, why);
    }
    for (int i = 0; i < t->g->n_results; i++) {
        if (was && is && !inlay_compare_tensors(a[i], b[i], &exact, why, sizeof why))
            tell(t, in, why);
        inlay_tensor_release(a[i]);
        inlay_tensor_release(b[i]);
    }
    inlay_diags_free(da);
    inlay_diags_free(db);
}

/* Returns a tensor of other dims, whose elements are those of T, again and again. */
static inlay_tensor *reshaped(const inlay_tensor *t, int rank, const int64_t *dims)
{
    int64_t n = inlay_tensor_count(t);
    inlay_tensor *out = inlay_tensor_new(t->type, rank, dims);

    for (int64_t i = 0; out && i < inlay_tensor_count(out); i++) {
        if (inlay_type_is_float(t->type))
            inlay_tensor_set_f64(out, i, n ? inlay_tensor_get_f64(t, i % n) : 1);
        else
            inlay_tensor_set_i64(out, i, n ? inlay_tensor_get_i64(t, i % n) : 1);
    }
    return out;
}

static bool admits(const inlay_node *p, int rank, const int64_t *dims)
{
    const inlay_fact *f = &p->out[0].fact;

    for (int i = 0; i < rank; i++) {
        if (dims[i] < 0 || (f->rank >= 0 && f->rank == rank &&
                            (dims[i] < f->dims[i].lo || dims[i] > f->dims[i].hi)))
            return false;
    }
    return f->rank < 0 || f->rank == rank;
}

/* Whether sizes with one identity are equal, as they are in every run. */
static bool agree(const less_known *t)
{
    int64_t size[256];

    memset(size, -1, sizeof size);
    for (int i = 0; i < t->n; i++) {
        const inlay_fact *f = &t->g->params[i]->out[0].fact;

        for (int k = 0; k < f->rank; k++) {
            uint32_t id = f->dims[k].id;

            assert_true(id < 256);
            if (id && size[id] >= 0 && size[id] != t->in[i]->dims[k])
                return false;
            size[id] = t->in[i]->dims[k];
        }
    }
    return true;
}

/* Compares with all operands as they were, except operand I, which has DIMS. */
static void compare_with(less_known *t, int i, int rank, const int64_t *dims)
{
    inlay_tensor *was = t->in[i];

    if (!admits(t->g->params[i], rank, dims) || !(t->in[i] = reshaped(was, rank, dims))) {
        t->in[i] = was;
        return;
    }
    if (agree(t))
        compare(t, t->in);
    inlay_tensor_release(t->in[i]);
    t->in[i] = was;
}

/* Compares with other integers in operand I: an axis that is not there, a step of 0. */
static void compare_numbers(less_known *t, int i)
{
    static const int64_t numbers[] = {0, -1, -9, 9};
    inlay_tensor *was = t->in[i];

    if (!inlay_type_is_int(was->type))
        return;
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        t->in[i] = reshaped(was, was->rank, was->dims);
        assert_non_null(t->in[i]);
        for (int64_t at = 0; at < inlay_tensor_count(was); at++)
            inlay_tensor_set_i64(t->in[i], at, numbers[k]);
        compare(t, t->in);
        inlay_tensor_release(t->in[i]);
    }
    t->in[i] = was;
}

/* Compares with other shapes of operand I: one size is another, two sizes change places or are
 * joined, there is an axis more or less. */
static void compare_others(less_known *t, int i)
{
    const inlay_tensor *was = t->in[i];
    int64_t dims[INLAY_MAX_RANK + 1], count = inlay_tensor_count(was);

    for (int k = 0; k < was->rank; k++) {
        for (int64_t by = -1; by <= 1; by += 2) {
            memcpy(dims, was->dims, (size_t)was->rank * sizeof *dims);
            dims[k] += by;
            compare_with(t, i, was->rank, dims);
        }
        if (was->dims[k] > 1) {
            memcpy(dims, was->dims, (size_t)was->rank * sizeof *dims);
            dims[k] = 1;
            compare_with(t, i, was->rank, dims);
        }
    }
    for (int k = 0; k + 1 < was->rank; k++) {
        memcpy(dims, was->dims, (size_t)was->rank * sizeof *dims);
        dims[k] = was->dims[k + 1];
        dims[k + 1] = was->dims[k];
        compare_with(t, i, was->rank, dims);
        dims[k] = 1;
        dims[k + 1] = was->dims[k] * was->dims[k + 1];
        compare_with(t, i, was->rank, dims);
        dims[k] = was->dims[k] * was->dims[k + 1];
        dims[k + 1] = 1;
        compare_with(t, i, was->rank, dims);
    }
    dims[0] = 1;
    memcpy(dims + 1, was->dims, (size_t)was->rank * sizeof *dims);
    compare_with(t, i, was->rank + 1, dims);
    if (was->rank > 0)
        compare_with(t, i, was->rank - 1, was->dims + 1);
    compare_with(t, i, 1, &count);
}

static bool apply(less_known *t, const inlay_rules *rules, uint64_t *changes)
{
    uint64_t counts[256] = {0}, *list = counts;
    rule_run r = {.sets = &rules, .n_sets = 1, .counts = &list};
    inlay_pass_options o = {.check = true};

    if (!rules) {
        inlay_evaluator ev = inlay_reference_evaluator(NULL);

        o.evaluator = &ev;
        if (!inlay_run_passes(t->after, &o, t->diags))
            return false;
        *changes = 1;
        return true;
    }
    if (!rule_drive(t->after, &r, t->diags) || !inlay_check_graph(t->after, t->diags))
        return false;
    *changes = r.rewrites;
    return true;
}

/* Runs RULES, or the default passes, on what is the graph of T now. */
static void check_rules(less_known *t, const inlay_rules *rules)
{
    uint64_t changes = 0;

    t->after = inlay_graph_clone(t->g, t->diags);
    assert_non_null(t->after);
    budget_start(t->what);
    if (!apply(t, rules, &changes))
        fail_msg("%s: %s", t->what, model_messages(t->diags));
    if (changes > 0) {
        compare(t, t->in);
        for (int i = 0; i < t->n; i++)
            compare_others(t, i);
        for (int i = 0; i < t->n; i++)
            compare_numbers(t, i);
    }
    budget_end();
    inlay_graph_free(t->after);
}

static const char *forgotten(int what)
{
    switch (what) {
    case THE_ELEMENTS:
        return "the elements";
    case THE_RANK:
        return "the rank";
    case ALL_AXES:
        return "all sizes";
    default:
        return what >= ONE_ELEMENT ? "an element" : "a size";
    }
}

/* Tries the case when WHAT is forgotten of the sources in MASK. */
static void check(const rule_case *c, const inlay_rules *rules, uint32_t mask, int what)
{
    less_known t = {.diags = inlay_diags_new()};
    inlay_node *sources[MAX_SOURCES];
    char *text;
    int n;
    bool ok;

    t.g = rule_case_graph(c, &text, t.diags);
    free(text);
    ok = t.g->n_params <= MAX_INPUTS && inlay_make_inputs(t.g, NULL, t.in, t.diags);
    t.n = t.g->n_params;
    n = find_sources(t.g, sources);
    snprintf(t.what, sizeof t.what, "%.300s (%s), %s unknown of", c->path,
             rules ? "the rule" : "default passes", forgotten(what));
    for (int i = 0; ok && i < n; i++) {
        if (!(mask >> i & 1))
            continue;
        snprintf(t.what + strlen(t.what), sizeof t.what - strlen(t.what), " %.40s",
                 sources[i]->name);
        ok = forget(&t, sources[i], what);
    }
    if (ok && inlay_infer_graph(t.g, t.diags) && inlay_check_graph(t.g, t.diags))
        check_rules(&t, rules);
    for (int i = 0; i < t.n; i++)
        inlay_tensor_release(t.in[i]);
    inlay_graph_free(t.g);
    inlay_diags_free(t.diags);
}

/* A constant of which one element, or none, is known. */
static void check_elements_of(const rule_case *c, const inlay_rules *rules,
                              const inlay_node *source, uint32_t mask)
{
    const inlay_fact *f = &source->out[0].fact;

    check(c, rules, mask, THE_ELEMENTS);
    for (int64_t k = 0; f->rank == 1 && inlay_type_is_int(f->type) && f->dims[0].lo > 1 &&
                        k < f->dims[0].lo && k < 4;
         k++)
        check(c, rules, mask, ONE_ELEMENT + (int)k);
}

static void check_case(const rule_case *c, const inlay_rules *rules)
{
    inlay_diags *d = inlay_diags_new();
    inlay_node *sources[MAX_SOURCES];
    char *text;
    inlay_graph *g = rule_case_graph(c, &text, d);
    int n = find_sources(g, sources);
    uint32_t params = 0;

    for (int i = 0; i < n; i++) {
        int rank = sources[i]->out[0].fact.rank;

        if (inlay_node_is(sources[i], INLAY_OP_PARAMETER))
            params |= UINT32_C(1) << i;
        else
            check_elements_of(c, rules, sources[i], UINT32_C(1) << i);
        for (int what = THE_RANK; what < rank; what++) {
            if (rank != 1 || what != ALL_AXES)
                check(c, rules, UINT32_C(1) << i, what);
        }
    }
    for (int what = THE_RANK; what <= ALL_AXES; what++) {
        if (params & (params - 1))
            check(c, rules, params, what);
        for (int i = 0; i < n; i++) {
            if (!(params >> i & 1))
                check(c, rules, params | UINT32_C(1) << i, what);
        }
    }
    inlay_graph_free(g);
    free(text);
    inlay_diags_free(d);
}

static bool is_asked(const rule_case *c)
{
    const char *only = getenv("INLAY_CASE");

    return !only || strstr(c->path, only);
}

/* The rules of a set, each on its own cases. */
static void check_set(const char *name)
{
    size_t n;
    rule_case *cases = rule_cases(&n);

    differences = 0;
    for (size_t i = 0; i < n; i += getenv("INLAY_SLOW") ? 4 : 1) {
        const char *set = rule_set_of(cases[i].rule);
        inlay_rules *alone;

        if (!set || strcmp(set, name) != 0 || !is_asked(&cases[i]))
            continue;
        alone = rule_alone(cases[i].rule);
        check_case(&cases[i], alone);
        inlay_rules_free(alone);
    }
    if (differences)
        fail_msg("%d differences", differences);
}

static void simplify_is_the_same_function(void **state)
{
    check_set("simplify");
}

static void canonicalize_is_the_same_function(void **state)
{
    check_set("canonicalize");
}

static void turn_is_the_same_function(void **state)
{
    check_set("turn");
}

static void lower_dialects_is_the_same_function(void **state)
{
    check_set("lower-dialects");
}

/* Is the case at PATH one of those that are drawn, one of STEP? By its name, so that a new case does
 * not change which others are drawn. */
static bool is_drawn(const char *path, unsigned step)
{
    const char *name = strstr(path, "/tests/");
    uint32_t sum = 2166136261U;

    for (name = name ? name : path; *name; name++)
        sum = (sum ^ (unsigned char)*name) * 16777619U;
    return (sum >> 8) % step == 0;
}

/* The default passes on one of STEP of the cases. */
static void check_default(const rule_case *cases, size_t n, unsigned step)
{
    for (size_t i = 0; i < n; i++) {
        if (is_drawn(cases[i].path, step) && is_asked(&cases[i]))
            check_case(&cases[i], NULL);
    }
}

static void the_default_passes_are_the_same_function(void **state)
{
    const rule_case *cases;
    size_t n;

    differences = 0;
    cases = pass_cases(&n);
    check_default(cases, n, getenv("INLAY_SLOW") ? 4 : 1);
    cases = rule_cases(&n);
    check_default(cases, n, getenv("INLAY_WHOLE") ? 1 : getenv("INLAY_SLOW") ? 20 : 5);
    if (differences)
        fail_msg("%d differences", differences);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplify_is_the_same_function),
        cmocka_unit_test(canonicalize_is_the_same_function),
        cmocka_unit_test(turn_is_the_same_function),
        cmocka_unit_test(lower_dialects_is_the_same_function),
        cmocka_unit_test(the_default_passes_are_the_same_function),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
