/* What passes/prove tells of a sum, a product, the greatest or the least of integers or booleans by
 * what is so of its parts is what comes out where all elements are put together: of bodies that are
 * made up, over boxes that are cut in two, have one element or none, with totals inside of them. */
#include "passes/rules/rule.h"
#include "seeds.h"
#include "smt_totals.h"
#include "unit.h"

enum { BODIES = 4000, SLOW_BODIES = 400, DEPTH = 4, ELEMENTS = 3, VARIABLES = 6 };

struct making {
    prove_case c;
    smt_world w;
    inlay_arena *arena;
    uint64_t random;
    bool booleans;
    const char *element[ELEMENTS];
    /* Those that a body may name, and where the box of each is cut. */
    const smt *var[VARIABLES], *cut[VARIABLES], *size[VARIABLES];
    int n_vars;
};

static int draw(struct making *m, int n)
{
    m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((m->random >> 33) % (uint64_t)n);
}

/* Small numbers that differ from place to place. */
static bool element_of(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    uint64_t x = (uint64_t)which + 1;

    for (int i = 0; i < n; i++)
        x = (x + (uint64_t)args[i] + 7) * UINT64_C(0x9e3779b97f4a7c15);
    *out = *(const bool *)about ? (int64_t)(x >> 63) : (int64_t)(x >> 61) - 3;
    return true;
}

static const smt *operation(struct making *m, const char *type, int n, const smt *const *args)
{
    const prove_symbol s = {.kind = PROVE_OPERATION,
                            .name = inlay_arena_printf(m->arena, "|%s|", type),
                            .op = inlay_op_find(NULL, type, NULL, NULL, NULL),
                            .attr = -1};

    return smt_apply(&m->c.pool, prove_symbol_like(&m->c, &s, n)->name, n, args);
}

static const smt *body(struct making *m, int depth);

/* The reduction of what is made up, over one axis or two. */
static const smt *made_up_total(struct making *m, int depth, prove_total *t)
{
    static const char *const types[] = {"ReduceSum",        "ReduceMax",      "ReduceSum",
                                        "ReduceProd",       "ReduceMin",      "ReduceSum",
                                        "ReduceLogicalAnd", "ReduceLogicalOr"};
    int before = m->n_vars;

    *t =
        (prove_total){.kind = prove_total_kind_of(types[m->booleans ? 6 + draw(m, 2) : draw(m, 6)]),
                      .n = 1 + draw(m, 2)};
    for (int i = 0; i < t->n; i++) {
        const smt *first = smt_constant(&m->c.pool, "first", "Int");
        const smt *second = smt_constant(&m->c.pool, "second", "Int");

        smt_mean_constant(&m->w, first, draw(m, 3));
        smt_mean_constant(&m->w, second, draw(m, 3));
        t->var[i] = m->var[m->n_vars] = smt_constant(&m->c.pool, "along", "Int");
        m->cut[m->n_vars] = first;
        t->size[i] = draw(m, 5) ? smt_add(&m->c.pool, first, second) : smt_int(&m->c.pool, 1);
        m->size[m->n_vars++] = t->size[i];
    }
    t->body = body(m, depth - 1);
    m->n_vars = before;
    return prove_total_of(&m->c, *t);
}

static const smt *index_of(struct making *m)
{
    int i = draw(m, m->n_vars + 1);
    smt_pool *p = &m->c.pool;

    if (m->c.flat && m->n_vars > 1) /* the row-major number of a place */
        return smt_add(p, smt_mul(p, m->var[0], m->size[1]), m->var[1]);
    return i < m->n_vars ? m->var[i] : smt_int(&m->c.pool, draw(m, 3));
}

/* One of two by where a variable lies, as Concat joins them. */
static const smt *joined(struct making *m, int depth)
{
    int i = draw(m, m->n_vars);
    smt_pool *p = &m->c.pool;
    const smt *behind =
        smt_replaced(p, body(m, depth - 1), m->var[i], smt_sub(p, m->var[i], m->cut[i]));

    return smt_ite(p, smt_lt(p, m->var[i], m->cut[i]), body(m, depth - 1), behind);
}

static const smt *body(struct making *m, int depth)
{
    static const char *const numbers[] = {"Add",      "Add",     "Subtract", "Multiply",
                                          "Multiply", "Maximum", "Minimum"},
                             *const booleans[] = {"LogicalAnd", "LogicalOr", "LogicalOr"};
    int what = depth <= 0 ? 9 : draw(m, 10);
    prove_total inner;

    if (what < 5) {
        const char *type = m->booleans ? booleans[draw(m, 3)] : numbers[draw(m, 7)];
        const smt *a = body(m, depth - 1), *b = body(m, depth - 1);

        return operation(m, type, 2, (const smt *[]){a, b});
    }
    if (what == 5) {
        const smt *a = body(m, depth - 1);

        return operation(m, m->booleans ? "LogicalNot" : "Negative", 1, &a);
    }
    if (what == 6)
        return joined(m, depth);
    if (what == 7 && m->n_vars + 2 <= 4)
        return made_up_total(m, depth, &inner);
    return smt_apply(&m->c.pool, m->element[draw(m, ELEMENTS)], 2,
                     (const smt *[]){index_of(m), index_of(m)});
}

/* Whether more was told of it than that it is one. */
static bool compare(struct making *m)
{
    smt_totals about = {&m->w, &m->c};
    int64_t told, is;
    prove_total t;
    const smt *made;

    m->booleans = draw(m, 3) == 0;
    m->c.flat = draw(m, 4) == 0;
    for (int i = 0; i < ELEMENTS; i++) {
        m->element[i] = smt_function(&m->c.pool, "element", 2, false, "E");
        smt_mean(&m->w, m->element[i], element_of, &m->booleans, i);
    }
    made = made_up_total(m, DEPTH, &t);
    if (m->c.unknown)
        return false;
    smt_mean_operations(&m->w);
    smt_mean_totals(&about);
    assert_true(smt_value(&m->w, made, &told));
    assert_true(smt_put_together(&m->w, &t, &is));
    assert_int_equal(told, is);
    return m->c.terms.n_totals != 1 || m->c.terms.totals[0].made != made;
}

static void test_totals(void **state)
{
    static const char text[] = "rule any exact:\n  Abs(x) => x\n";
    seed_range seeds = seeds_to_try(BODIES, SLOW_BODIES);
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("any.rules", text, strlen(text), d);
    struct making *m = calloc(1, sizeof *m);
    inlay_arena *arena = inlay_arena_new();
    uint64_t more = 0;

    for (uint64_t i = 0; i < seeds.n; i++) {
        memset(m, 0, sizeof *m);
        prove_begin_case(&m->c, rules->rules[0], 4, arena);
        m->arena = arena;
        m->random = (seeds.first + i) * UINT64_C(2654435761);
        more += compare(m);
        inlay_strbuf_free(&m->c.pool.declared);
        inlay_arena_clear(arena);
    }
    if (seeds.whole)
        assert_true(more > seeds.n / 3);
    inlay_arena_free(arena);
    free(m);
    inlay_rules_free(rules);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_totals)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
