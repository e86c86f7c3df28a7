/* Every value of every attribute has a test of its own. For each attribute of each row the cases in
 * tests/ops/<name> are run with its value changed, and for
 *
 *     a bool, an enum     each value: changed to the default; the default: to some other value
 *     any other kind      some value that is not the default: changed to the default
 *     without a default   some value: changed to another one, or taken away where it may be absent
 *
 * at least one case must notice it: other results come out, or only one of both is refused. Those
 * that tests/ops/equivalent.txt explains need none. For a required enum the first name takes the
 * part of the default. An enum of one name, lists of words and of types, shapes, tensors and
 * variables have no other value that could be made up; they are left out. VALUES=list prints each
 * with the case that notices it. */
#include "op_cases.h"
#include "unit.h"

enum { ABSENT = -1, ANY = -2, MOST_ELEMENTS = 64 };

/* A value that a case is to be found for. */
struct wanted {
    const inlay_op *row;
    int attr, value;   /* its number among those of a bool or an enum, or ABSENT; ANY */
    char noticed[256]; /* the case that notices it; empty: none does */
};

static const inlay_attr_info *info_of(const struct wanted *w)
{
    return &w->row->attrs[w->attr];
}

static int count_values(const inlay_attr_info *a)
{
    int n = 0;

    if (a->kind == INLAY_ATTR_BOOL)
        return 2;
    while (a->kind == INLAY_ATTR_ENUM && a->allowed[n])
        n++;
    return n;
}

/* Returns the number of the value X of a bool or an enum. */
static int number_of(const inlay_attr_info *a, const inlay_attr *x)
{
    int n = 0;

    if (!x->set && !a->has_default && !a->required)
        return ABSENT;
    if (a->kind == INLAY_ATTR_BOOL)
        return x->as.b;
    while (strcmp(a->allowed[n], x->as.s) != 0)
        n++;
    return n;
}

static inlay_attr value_of(const inlay_attr_info *a, int number)
{
    inlay_attr x = {.set = number != ABSENT};

    if (a->kind == INLAY_ATTR_BOOL)
        x.as.b = number > 0;
    else if (number != ABSENT)
        x.as.s = a->allowed[number];
    return x;
}

/* Returns the number of the value that takes the part of the default. */
static int default_of(const inlay_attr_info *a)
{
    if (a->has_default)
        return number_of(a, &a->dflt);
    return a->required ? 0 : ABSENT;
}

/* ---- what a value is changed to ---- */

/* What the value of an attribute is changed to, with the elements of a list. */
struct change {
    inlay_attr to;
    int64_t ints[MOST_ELEMENTS];
    double floats[MOST_ELEMENTS];
};

/* Each of these makes the K-th change of the value X. False: there is none. */

static bool change_number(const struct wanted *w, const inlay_attr *x, int k, inlay_attr *to)
{
    const inlay_attr_info *a = info_of(w);
    int now = number_of(a, x), dflt = default_of(a);

    if (now != w->value || k >= count_values(a) || (now != dflt && k > 0))
        return false;
    *to = value_of(a, now != dflt ? dflt : k);
    return true;
}

static bool same_ints(const inlay_attr *a, const inlay_attr *b)
{
    return a->n == b->n &&
           (a->n == 0 || memcmp(a->as.ints, b->as.ints, (size_t)a->n * sizeof *a->as.ints) == 0);
}

static bool same_value(inlay_attr_kind kind, const inlay_attr *a, const inlay_attr *b)
{
    switch (kind) {
    case INLAY_ATTR_INT:
        return a->as.i == b->as.i;
    case INLAY_ATTR_FLOAT:
        return a->as.f == b->as.f;
    case INLAY_ATTR_STRING:
        return strcmp(a->as.s, b->as.s) == 0;
    case INLAY_ATTR_TYPE:
        return a->as.type == b->as.type;
    case INLAY_ATTR_INTS:
        return same_ints(a, b);
    default:
        return false;
    }
}

/* Elements one more and one less, one after the other. */
static bool change_element(const inlay_attr *x, int k, struct change *c)
{
    int step = k % 2 ? -1 : 1;

    if (k >= 2 * x->n || x->n > MOST_ELEMENTS)
        return false;
    c->to = *x;
    memcpy(c->ints, x->as.ints, (size_t)x->n * sizeof *c->ints);
    c->ints[k / 2] += step;
    c->to.as.ints = c->ints;
    return true;
}

static bool change_float_element(const inlay_attr *x, int k, struct change *c)
{
    if (k >= x->n || x->n > MOST_ELEMENTS)
        return false;
    c->to = *x;
    memcpy(c->floats, x->as.floats, (size_t)x->n * sizeof *c->floats);
    c->floats[k] = 2 * c->floats[k] + 1;
    c->to.as.floats = c->floats;
    return true;
}

static bool change_type(const inlay_attr *x, int k, inlay_attr *to)
{
    static const inlay_type types[] = {INLAY_I64, INLAY_I32, INLAY_F32, INLAY_F16};

    if (k >= (int)(sizeof types / sizeof *types))
        return false;
    *to = (inlay_attr){.set = true, .as.type = types[k]};
    return types[k] != x->as.type;
}

/* A value beside X, of a kind that has many. */
static bool change_nearby(inlay_attr_kind kind, const inlay_attr *x, int k, struct change *c)
{
    static const double steps[] = {1, -1, 0.25, -0.25, 100, -100};
    bool any = k < (int)(sizeof steps / sizeof *steps);

    c->to = *x;
    switch (kind) {
    case INLAY_ATTR_INT:
        c->to.as.i += any ? (int64_t)steps[k] : 0;
        return any;
    case INLAY_ATTR_FLOAT:
        c->to.as.f += any ? steps[k] : 0;
        return any;
    case INLAY_ATTR_NUMBER:
        c->to.as.number.f += any ? (int64_t)steps[k] : 0;
        c->to.as.number.i += any ? (int64_t)steps[k] : 0;
        return any;
    case INLAY_ATTR_INTS:
        return change_element(x, k, c);
    case INLAY_ATTR_FLOATS:
        return change_float_element(x, k, c);
    case INLAY_ATTR_TYPE:
        return change_type(x, k, &c->to);
    default:
        return false;
    }
}

static bool change(const struct wanted *w, const inlay_attr *x, int k, struct change *c)
{
    const inlay_attr_info *a = info_of(w);

    if (count_values(a) > 0)
        return change_number(w, x, k, &c->to);
    if (a->has_default) {
        c->to = a->dflt;
        return k == 0 && !same_value(a->kind, x, &a->dflt);
    }
    if (a->required)
        return change_nearby(a->kind, x, k, c);
    c->to = (inlay_attr){.set = false};
    return x->set && (k == 0 || change_nearby(a->kind, x, k - 1, c));
}

/* ---- cases ---- */

static const inlay_attr *value_in(const inlay_node *n, const struct wanted *w)
{
    const inlay_attr *x = &n->attrs[w->attr];

    return !x->set && info_of(w)->has_default ? &info_of(w)->dflt : x;
}

/* Judges the case with the K-th change. False: there is no such change. */
static bool try_change(const char *path, const op_case *c, struct wanted *w, int k)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = op_case_graph(path, c, d);
    inlay_node *n = g ? op_case_node(g, w->row) : NULL;
    struct change x;
    bool ok, is = n && change(w, value_in(n, w), k, &x);

    if (is) {
        n->attrs[w->attr] = x.to;
        n->settled = false;
        ok = inlay_infer_graph(g, d) && inlay_check_graph(g, d);
        if (op_case_judge(c, ok ? g : NULL, d) != OP_HOLDS)
            snprintf(w->noticed, sizeof w->noticed, "%s", strstr(path, "tests/ops/"));
    }
    inlay_graph_free(g);
    inlay_diags_free(d);
    return is;
}

static bool try_case(const char *path, const op_case *c, void *ctx)
{
    struct wanted *w = ctx;

    for (int k = 0; !w->noticed[0] && try_change(path, c, w, k); k++)
        ;
    return !w->noticed[0];
}

/* "mode = tanh"; of a kind that has many values "alpha". */
static void say(const struct wanted *w, char *buf, size_t size)
{
    const inlay_attr_info *a = info_of(w);

    if (w->value == ANY)
        snprintf(buf, size, "attribute: %s", a->name);
    else if (w->value == ABSENT)
        snprintf(buf, size, "attribute: %s, absent", a->name);
    else if (a->kind == INLAY_ATTR_BOOL)
        snprintf(buf, size, "attribute: %s = %s", a->name, w->value ? "true" : "false");
    else
        snprintf(buf, size, "attribute: %s = %s", a->name, a->allowed[w->value]);
}

/* Returns whether a case notices the value, or a line explains why none can. */
static bool try_value(struct wanted w, op_excuses *excuses, int *tried)
{
    char row[80], what[160];

    ++*tried;
    inlay_op_text(w.row, row, sizeof row);
    say(&w, what, sizeof what);
    op_cases_each(w.row->name, try_case, &w);
    if (getenv("VALUES") && w.noticed[0])
        print_message("%s\t%s\t%s\n", row, what, w.noticed);
    if (w.noticed[0] || op_excuses_has(excuses, row, what))
        return true;
    print_error("%s: no case notices %s\n", row, what);
    return false;
}

/* Returns whether another value can be made up. */
static bool has_others(const inlay_attr_info *a)
{
    return count_values(a) != 1 && a->kind != INLAY_ATTR_SHAPE && a->kind != INLAY_ATTR_TENSOR &&
           a->kind != INLAY_ATTR_VARIABLE && a->kind != INLAY_ATTR_STRINGS &&
           a->kind != INLAY_ATTR_TYPES && (a->kind != INLAY_ATTR_STRING || !a->required);
}

static bool try_attribute(const inlay_op *row, int attr, op_excuses *excuses, int *tried)
{
    const inlay_attr_info *a = &row->attrs[attr];
    int n = count_values(a);
    bool ok = true;

    if (!has_others(a))
        return true;
    if (n == 0)
        return try_value((struct wanted){.row = row, .attr = attr, .value = ANY}, excuses, tried);
    for (int i = default_of(a) == ABSENT ? ABSENT : 0; i < n; i++)
        ok = try_value((struct wanted){.row = row, .attr = attr, .value = i}, excuses, tried) && ok;
    return ok;
}

static void test_values(void **state)
{
    op_excuses *excuses = op_excuses_read("attribute: ");
    int tried = 0, missing = 0;

    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const inlay_op *row = inlay_op_at(NULL, i);

        for (int k = 0; k < row->n_attrs; k++)
            missing += !try_attribute(row, k, excuses, &tried);
    }
    print_message("# %d values\n", tried);
    op_excuses_end(excuses);
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
