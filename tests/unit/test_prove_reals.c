/* What passes/prove tells of real numbers is what the reference computes of f64, but for rounding:
 * of terms that are made up, the normal form that they have, the totals that their sums are, and
 * two that are told to be the same number. */
#include "interp/interp.h"
#include "passes/prove/real.h"
#include "passes/rules/rule.h"
#include "seeds.h"
#include "unit.h"

#include <math.h>

enum { TERMS = 400, SLOW_TERMS = 60, DEPTH = 3, ELEMENTS = 3, POINTS = 4, LINES = 64 };

struct making {
    prove_case c;
    uint64_t random, point;
    const char *element[ELEMENTS];
    const smt *var[2]; /* of a box, which elements may name */
    int n_vars;
    struct {
        const smt *var;
        int64_t value;
    } lines[LINES];
    int n_lines;
};

static int draw(struct making *m, int n)
{
    m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((m->random >> 33) % (uint64_t)n);
}

/* ---- what a term is ---- */

/* The operation of these numbers as the reference computes it. */
static double computed(const char *type, const char *attrs, const double *x, int n)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("made", d);
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    inlay_tensor *in[3], *out = NULL;
    inlay_value *operands[3];
    inlay_shape shape = {.rank = 0};
    inlay_node *node;
    double y;

    for (int i = 0; i < n; i++) {
        in[i] = inlay_tensor_new(INLAY_F64, 0, NULL);
        inlay_tensor_set_f64(in[i], 0, x[i]);
        operands[i] = inlay_build_parameter(g, NULL, INLAY_F64, &shape, d);
    }
    node = inlay_build(g, NULL, type, operands, n, attrs, d);
    assert_non_null(node);
    inlay_build_result(g, NULL, &node->out[0], d);
    if (!reference.eval_graph(reference.ctx, g, (const inlay_tensor *const *)in, &out, NULL, d))
        fail_msg("%s: %s", type, inlay_diags_at(d, 0)->text);
    y = inlay_tensor_get_f64(out, 0);
    inlay_tensor_release(out);
    for (int i = 0; i < n; i++)
        inlay_tensor_release(in[i]);
    inlay_graph_free(g);
    inlay_diags_free(d);
    return y;
}

static int64_t index_of(const struct making *m, const smt *t)
{
    if (t->op == SMT_INT)
        return t->n;
    for (int i = m->n_lines - 1; i >= 0; i--) {
        if (smt_same(m->lines[i].var, t))
            return m->lines[i].value;
    }
    fail_msg("a variable without a value: %s", t->name);
    return 0;
}

/* A number that is drawn for an element at this place, at the point that M is at. */
static double element(struct making *m, const smt *t)
{
    uint64_t x = m->point * 31 + (uint64_t)t->name[strlen(t->name) - 1];

    for (int i = 0; i < t->n_args; i++)
        x = (x + (uint64_t)index_of(m, t->arg[i]) + 7) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x + 99) * UINT64_C(0x9e3779b97f4a7c15);
    return ((double)(x >> 40) / (1 << 24) - 0.4) * 3;
}

static double value_of(struct making *m, const smt *t);

static double sum_of_box(struct making *m, const prove_total *total, int axis)
{
    double sum = 0;

    if (axis == total->n)
        return value_of(m, total->body);
    for (int64_t i = 0; i < total->size[axis]->n; i++) {
        m->lines[m->n_lines].var = total->var[axis];
        m->lines[m->n_lines++].value = i;
        sum += sum_of_box(m, total, axis + 1);
        m->n_lines--;
    }
    return sum;
}

/* The total that T is, at its arguments; NULL: it is none. */
static const prove_total *total_of(struct making *m, const smt *t)
{
    for (int i = 0; i < m->c.terms.n_totals; i++) {
        const prove_total *total = &m->c.terms.totals[i];

        if (t->op != SMT_APPLY || t->n_args == 0 || strcmp(total->made->name, t->name) != 0 ||
            !smt_same(total->made->arg[0], t->arg[0]))
            continue;
        for (int k = 0; k < total->n_free; k++) {
            int64_t value = index_of(m, t->arg[1 + k]);

            m->lines[m->n_lines].var = total->free[k];
            m->lines[m->n_lines++].value = value;
        }
        return total;
    }
    return NULL;
}

static double value_of(struct making *m, const smt *t)
{
    const prove_symbol *s = prove_symbol_of(&m->c, t);
    double x[3];
    int n_lines = m->n_lines;
    const prove_total *total;

    if (s && s->kind == PROVE_LITERAL)
        return s->number;
    if (s) {
        int n = s->op->n_in < t->n_args ? s->op->n_in : t->n_args;

        for (int i = 0; i < t->n_args; i++)
            x[i] = value_of(m, t->arg[i]);
        return computed(s->op->name,
                        strcmp(s->op->name, "Clamp") == 0     ? "min=-0.5; max=1.25"
                        : strcmp(s->name, "|Gelu.tanh|") == 0 ? "approximation_mode=tanh"
                                                              : "",
                        x, n);
    }
    if (strcmp(t->name, prove_of_int) == 0 || strcmp(t->name, prove_count_of) == 0)
        return (double)t->arg[0]->n;
    if (strcmp(t->name, "zero") == 0)
        return 0;
    total = total_of(m, t);
    if (total) {
        double sum = sum_of_box(m, total, 0);

        m->n_lines = n_lines;
        return sum;
    }
    return element(m, t);
}

static double value_of_sum(struct making *m, const reals *r, const real_sum *s)
{
    double sum = 0;

    for (int i = 0; i < s->n; i++) {
        double product = (double)s->p[i].over / (double)s->p[i].under;

        for (int k = 0; k < s->p[i].n; k++)
            product *= pow(value_of(m, r->atoms[s->p[i].f[k].atom].term), s->p[i].f[k].power);
        sum += product;
    }
    return sum;
}

/* ---- terms that are made up ---- */

static const smt *apply(struct making *m, const char *type, int n, const smt *const *args)
{
    return prove_operation(&m->c, type, n, args);
}

static const smt *leaf(struct making *m)
{
    const smt *args[2] = {smt_int(&m->c.pool, draw(m, 2)), smt_int(&m->c.pool, draw(m, 2))};
    int number = draw(m, 9);

    if (number < 2)
        return smt_apply1(&m->c.pool, prove_of_int, smt_int(&m->c.pool, number * 2 - 3));
    for (int i = 0; i < m->n_vars; i++)
        args[i] = draw(m, 3) ? m->var[i] : args[i];
    return smt_apply(&m->c.pool, m->element[draw(m, ELEMENTS)], 2, args);
}

/* Whatever is told of one number, and of two. */
static const char *const of_one[] = {"Negative", "Sqrt",     "Exp",   "Log",  "Sigmoid",
                                     "Tanh",     "SoftPlus", "Mish",  "ReLU", "HSigmoid",
                                     "HSwish",   "Gelu",     "Swish", "Abs",  "Erf"},
                         *const of_two[] = {"Add",      "Subtract", "Multiply",          "Divide",
                                            "Multiply", "Add",      "SquaredDifference", "Maximum",
                                            "Minimum",  "Swish"};

static const smt *gelu_by_tanh(struct making *m, const smt *x)
{
    const prove_symbol s = {.kind = PROVE_OPERATION,
                            .name = "|Gelu.tanh|",
                            .op = inlay_op_find(NULL, "Gelu", NULL, NULL, NULL),
                            .attr = -1};

    return smt_apply1(&m->c.pool, prove_symbol_like(&m->c, &s, 1)->name, x);
}

static const smt *made_up(struct making *m, int depth)
{
    const smt *args[3];
    int way = depth == 0 ? 0 : draw(m, 12);

    if (way == 0)
        return leaf(m);
    args[0] = made_up(m, depth - 1);
    if (way == 1)
        return gelu_by_tanh(m, args[0]);
    if (way == 2) {
        double to[] = {2, 3, -1, 0.5, -0.5};
        const prove_symbol *s =
            prove_literal(&m->c, to[draw(m, 5)], number_class_types(NUMBER_FLOAT));

        args[1] = smt_apply(&m->c.pool, s->name, 0, NULL);
        return apply(m, "Power", 2, args);
    }
    if (way == 3) {
        for (int i = 0; i < 2; i++)
            args[1 + i] = smt_apply(
                &m->c.pool,
                prove_literal(&m->c, i ? 1.25 : -0.5, number_class_types(NUMBER_FLOAT))->name, 0,
                NULL);
        return apply(m, "Clamp", 3, args);
    }
    if (way < 7)
        return apply(m, of_one[draw(m, sizeof of_one / sizeof *of_one)], 1, args);
    args[1] = made_up(m, depth - 1);
    return apply(m, of_two[draw(m, sizeof of_two / sizeof *of_two)], 2, args);
}

/* T with one thing made anew. */
static const smt *changed(struct making *m, const smt *t, int depth)
{
    const smt *args[SMT_ARGS];
    int at = t->n_args && prove_symbol_of(&m->c, t) ? draw(m, t->n_args) : 0;

    if (t->n_args == 2 && prove_symbol_of(&m->c, t) && draw(m, 2)) {
        args[0] = t->arg[1]; /* which is the same number, or not */
        args[1] = t->arg[0];
        return smt_apply(&m->c.pool, t->name, 2, args);
    }
    if (!prove_symbol_of(&m->c, t) || t->n_args == 0 || draw(m, 4) == 0)
        return draw(m, 2) ? apply(m, "Negative", 1, &t) : made_up(m, depth > 2 ? 2 : depth);
    for (int i = 0; i < t->n_args; i++)
        args[i] = i == at ? changed(m, t->arg[i], depth - 1) : t->arg[i];
    return smt_apply(&m->c.pool, t->name, t->n_args, args);
}

/* ---- tests ---- */

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-5 * (1 + fabs(a) + fabs(b));
}

/* Numbers that are too large, or none, say nothing. */
static bool says_something(double x)
{
    return isfinite(x) && fabs(x) < 1e6;
}

static void begin(struct making *m, const rule *r, inlay_arena *arena, uint64_t seed)
{
    memset(m, 0, sizeof *m);
    m->c.meanings.numbers = PROVE_REAL;
    prove_begin_case(&m->c, r, 4, arena);
    m->random = seed * UINT64_C(2654435761);
    for (int i = 0; i < ELEMENTS; i++)
        m->element[i] = smt_function(&m->c.pool, "element", 2, false, "E");
}

/* The normal form of T is the number that T is, wherever T is one. */
static int compare_form(struct making *m, const smt *t)
{
    reals r = {.c = &m->c, .merged = smt_bool(true)};
    real_number form = real_of(&r, t);
    const smt *again;
    int n = 0;

    if (r.why)
        return 0;
    again = real_term(&r, form);
    for (m->point = 0; m->point < POINTS; m->point++) {
        double is = value_of(m, t), under = value_of_sum(m, &r, form.under),
               told = value_of_sum(m, &r, form.over) / under;

        if (!says_something(is) || fabs(under) < 1e-3 || !says_something(told / 1e3))
            continue;
        assert_true(is_near(is, told));
        if (says_something(value_of(m, again)))
            assert_true(is_near(is, value_of(m, again)));
        n++;
    }
    return n;
}

/* Two terms are the same number at all points if that is told. */
static int compare_two(struct making *m, const smt *a, const smt *b)
{
    const smt *follows = NULL;
    const char *why = NULL;
    int n = 0;

    real_law(&m->c, a, b, &follows, &why);
    for (m->point = 0; m->point < POINTS && follows && !why; m->point++) {
        double x = value_of(m, a), y = value_of(m, b);

        /* Elements of one value are taken for one; where they are not, nothing is told. */
        if (!says_something(x) || follows->op != SMT_EQ)
            continue;
        if (!is_near(x, y)) {
            inlay_strbuf text = {0};

            smt_print(&text, a);
            inlay_strbuf_puts(&text, "\n");
            smt_print(&text, b);
            fail_msg("%g and %g are told to be the same:\n%s", x, y, text.bytes);
        }
        n++;
    }
    return n;
}

/* The total that the sum of a body over a box is, is that sum. */
static int compare_total(struct making *m)
{
    prove_total t = {.kind = prove_total_kind_of("ReduceSum"), .n = 1 + draw(m, 2)}, whole;
    const smt *made;
    int n = 0;

    for (int i = 0; i < t.n; i++) {
        t.var[i] = m->var[i] = smt_constant(&m->c.pool, "along", "Int");
        t.size[i] = smt_int(&m->c.pool, 2 + draw(m, 2));
    }
    m->n_vars = t.n;
    t.body = made_up(m, DEPTH - 1);
    whole = t;
    made = prove_total_of(&m->c, t);
    for (m->point = 0; m->point < POINTS && !m->c.unknown; m->point++) {
        double is = sum_of_box(m, &whole, 0);

        if (!says_something(is))
            continue;
        assert_true(is_near(is, value_of(m, made)));
        n++;
    }
    return n;
}

static void test_reals(void **state)
{
    static const char text[] = "rule any approx:\n  Abs(x) => x\n";
    seed_range seeds = seeds_to_try(TERMS, SLOW_TERMS);
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("any.rules", text, strlen(text), d);
    struct making *m = calloc(1, sizeof *m);
    inlay_arena *arena = inlay_arena_new();
    int forms = 0, twos = 0, totals = 0;

    for (uint64_t i = 0; i < seeds.n; i++) {
        const smt *t, *other;

        begin(m, rules->rules[0], arena, seeds.first + i);
        t = made_up(m, DEPTH);
        forms += compare_form(m, t) > 0;
        for (int k = 0; k < 8; k++) {
            other = changed(m, t, DEPTH);
            twos += compare_two(m, t, other) > 0;
        }
        inlay_strbuf_free(&m->c.pool.declared);
        inlay_arena_clear(arena);
        begin(m, rules->rules[0], arena, seeds.first + i);
        totals += compare_total(m) > 0;
        inlay_strbuf_free(&m->c.pool.declared);
        inlay_arena_clear(arena);
    }
    print_message("%d forms, %d pairs, %d totals\n", forms, twos, totals);
    if (seeds.whole) {
        assert_true(forms > (int)seeds.n / 3);
        assert_true(twos > (int)seeds.n / 10);
        assert_true(totals > (int)seeds.n / 5);
    }
    inlay_arena_free(arena);
    free(m);
    inlay_rules_free(rules);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reals)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
