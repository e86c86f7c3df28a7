/* What passes/prove says of operations on numbers is what the reference computes: of each operation
 * three hundred elements of all types, by chance and the odd ones, whose formulas the solver works
 * out; INLAY_SEEDS=1,1000 tries a thousand. */
#include "interp/interp.h"
#include "passes/prove/meaning.h"
#include "seeds.h"
#include "unit.h"

#include <inttypes.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ELEMENTS = 120, SLOW_ELEMENTS = 40, LINE = 4096 };

struct instance {
    const inlay_op *op;
    const meaning *m;  /* NULL: of a Convert */
    const char *attrs; /* for inlay_build */
    inlay_tensor *in[2], *out;
    int n_in;
};

static uint64_t draw(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

/* One in two is a number with few digits, or an odd one. */
static double draw_float(uint64_t *random)
{
    static const double odd[] = {0.0,   -0.0,   1,        -1,        0.5,   -0.5, 1.5,
                                 2.5,   NAN,    INFINITY, -INFINITY, 2,     3,    6e-8,
                                 65504, -65504, 1e-45,    3.4e38,    1e-310};
    uint64_t bits = draw(random);
    double x;

    if (bits % 4 == 0)
        return odd[bits / 4 % (sizeof odd / sizeof *odd)];
    if (bits % 4 == 1)
        return ((double)(int64_t)(bits >> 40) - (1 << 23)) / 1024;
    bits = draw(random);
    memcpy(&x, &bits, sizeof x);
    return bits % 2 ? x : ldexp((double)(int64_t)(bits >> 12), (int)(bits % 64) - 84);
}

/* One in two is small. */
static int64_t draw_integer(uint64_t *random)
{
    uint64_t bits = draw(random);

    return bits % 2 ? (int64_t)(bits / 2 % 7) - 3 : (int64_t)draw(random);
}

static inlay_tensor *draw_tensor(inlay_type type, int64_t n, uint64_t *random, bool no_fault)
{
    inlay_tensor *t = inlay_tensor_new(type, 1, &n);

    assert_non_null(t);
    for (int64_t i = 0; i < n; i++) {
        int64_t x = draw_integer(random);

        if (inlay_type_is_float(type))
            inlay_tensor_set_f64(t, i, draw_float(random));
        else
            inlay_tensor_set_i64(t, i, type == INLAY_BOOLEAN ? x & 1 : x);
        /* Of integers a divisor of zero, a power below zero, a shift by less than none is an error.
         */
        if (no_fault && !inlay_type_is_float(type) && inlay_tensor_get_i64(t, i) <= 0)
            inlay_tensor_set_i64(t, i, 1);
    }
    return t;
}

static inlay_node *build(inlay_graph *g, const struct instance *x, inlay_diags *d)
{
    inlay_value *operands[2];

    for (int i = 0; i < x->n_in; i++) {
        inlay_shape shape = {.rank = 1, .dim = {inlay_dim_of(x->in[i]->dims[0])}};

        operands[i] = inlay_build_parameter(g, NULL, x->in[i]->type, &shape, d);
    }
    return inlay_build(g, NULL, x->op->name, operands, x->n_in, x->attrs, d);
}

static void run(struct instance *x)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("made", d);
    inlay_node *n = build(g, x, d);
    inlay_evaluator reference = inlay_reference_evaluator(NULL);

    assert_non_null(n);
    inlay_build_result(g, NULL, &n->out[0], d);
    if (!reference.eval_graph(reference.ctx, g, (const inlay_tensor *const *)x->in, &x->out, NULL,
                              d))
        fail_msg("%s: %s", x->op->name, inlay_diags_at(d, 0)->text);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static void write_element(inlay_strbuf *out, const inlay_tensor *t, int64_t i)
{
    int bits = inlay_type_info_of(t->type)->bits;

    if (inlay_type_is_float(t->type))
        meaning_literal(out, t->type, inlay_tensor_get_f64(t, i));
    else if (t->type == INLAY_BOOLEAN)
        inlay_strbuf_puts(out, inlay_tensor_get_i64(t, i) ? "true" : "false");
    else
        inlay_strbuf_printf(out, "(_ bv%" PRIu64 " %d)",
                            (uint64_t)inlay_tensor_get_i64(t, i) & UINT64_MAX >> (64 - bits), bits);
}

/* The bounds of a Clamp of floats. */
static const char bounds[] = "min=-1.5; max=2.3";

static int write_bounds(const struct instance *x, inlay_strbuf *texts, meaning_operand *operands)
{
    static const double numbers[] = {-1.5, 2.3};
    inlay_type wide = meaning_computed(x->m, x->in[0]->type);

    for (int i = 0; i < 2; i++) {
        meaning_literal(&texts[1 + i], wide, numbers[i]);
        operands[1 + i] = (meaning_operand){texts[1 + i].bytes, wide};
    }
    return 3;
}

static void write_formula(inlay_strbuf *out, const struct instance *x, int64_t i)
{
    inlay_strbuf texts[3] = {{0}};
    meaning_operand operands[3];
    number_class cls;
    int n = x->n_in;

    for (int k = 0; k < n; k++) {
        write_element(&texts[k], x->in[k], i);
        operands[k] = (meaning_operand){texts[k].bytes, x->in[k]->type};
    }
    if (x->attrs == bounds)
        n = write_bounds(x, texts, operands);
    if (x->m && meaning_class(x->in[0]->type, &cls))
        meaning_apply(out, x->m, x->m->formula[cls], x->out->type, operands, n);
    else
        meaning_convert(out, texts[0].bytes, x->in[0]->type, x->out->type);
    for (int k = 0; k < n; k++)
        inlay_strbuf_free(&texts[k]);
}

/* Asks whether the formula of element I is what came out. */
static void write_question(inlay_strbuf *out, const struct instance *x, int64_t i)
{
    inlay_strbuf_puts(out, "(simplify (= ");
    if (meaning_is_narrow(x->out->type))
        inlay_strbuf_printf(out, "(near_%s ", inlay_type_info_of(x->out->type)->name);
    write_formula(out, x, i);
    inlay_strbuf_puts(out, meaning_is_narrow(x->out->type) ? ") " : " ");
    write_element(out, x->out, i);
    inlay_strbuf_puts(out, "))\n");
}

/* The solver, which is started once: it is asked what TO is written, and answers what FROM reads. */
struct solver {
    FILE *to, *from;
    pid_t id;
};

static int start_solver(void **state)
{
    static struct solver z3;
    int to[2], from[2];

    if (system("command -v z3 >/dev/null 2>&1") != 0)
        return 0;
    if (pipe(to) != 0 || pipe(from) != 0 || (z3.id = fork()) < 0)
        return -1;
    if (z3.id == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        close(to[1]);
        execlp("z3", "z3", "-in", (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    z3.to = fdopen(to[1], "w");
    z3.from = fdopen(from[0], "r");
    *state = &z3;
    return z3.to && z3.from ? 0 : -1;
}

static int stop_solver(void **state)
{
    struct solver *z3 = *state;

    if (z3) {
        fclose(z3->to);
        fclose(z3->from);
        waitpid(z3->id, NULL, 0);
    }
    return 0;
}

/* Asks Z3 all of TEXT; how many of its lines are true. One that is false fails, one that is neither
 * is about a function that is not told. */
static int count_true(struct solver *z3, const inlay_strbuf *text, const struct instance *x,
                      uint64_t seed)
{
    char *line = malloc(LINE);
    int n = 0;

    assert_non_null(line);
    fprintf(z3->to, "%.*s(reset)\n(echo \"done\")\n", (int)text->n, text->bytes);
    assert_int_equal(fflush(z3->to), 0);
    for (int at = 0; fgets(line, LINE, z3->from) && strcmp(line, "done\n") != 0; at++) {
        n += strcmp(line, "true\n") == 0;
        if (strcmp(line, "false\n") == 0 || strncmp(line, "(error", 6) == 0)
            fail_msg("%s of %s: element %d is another, INLAY_SEED=%" PRIu64 ": %s", x->op->name,
                     inlay_type_info_of(x->in[0]->type)->name, at, seed, line);
    }
    free(line);
    return n;
}

static int compare(struct solver *z3, struct instance *x, const seed_range *seeds)
{
    inlay_strbuf text = {0};
    number_class cls;
    int n;

    run(x);
    for (int type = 0; type < INLAY_N_TYPES; type++) {
        if (meaning_is_narrow((inlay_type)type) &&
            (x->in[0]->type == (inlay_type)type || x->out->type == (inlay_type)type))
            meaning_declare_nearest(&text, (inlay_type)type);
    }
    if (x->m && meaning_class(x->in[0]->type, &cls) && x->m->declare[cls])
        meaning_write(&text, x->m->declare[cls], meaning_computed(x->m, x->in[0]->type));
    for (int64_t i = 0; i < x->in[0]->dims[0]; i++)
        write_question(&text, x, i);
    n = count_true(z3, &text, x, seeds->first);
    inlay_strbuf_free(&text);
    inlay_tensor_release(x->out);
    return n;
}

/* How many elements the solver has told. */
static int compare_type(struct solver *z3, struct instance x, inlay_type type,
                        const seed_range *seeds)
{
    uint64_t random = (seeds->first + 1) * 0x2545f4914f6cdd1d + (uint64_t)type;
    int n;

    for (int i = 0; i < x.n_in; i++)
        x.in[i] = draw_tensor(type, (int64_t)seeds->n, &random, i == x.op->faults);
    n = compare(z3, &x, seeds);
    for (int i = 0; i < x.n_in; i++)
        inlay_tensor_release(x.in[i]);
    return n;
}

static seed_range range_of_elements(const struct solver *z3)
{
    seed_range seeds = seeds_to_try(ELEMENTS, SLOW_ELEMENTS);

    if (!z3)
        skip();
    if (seeds.n < SLOW_ELEMENTS)
        seeds.n = SLOW_ELEMENTS;
    return seeds;
}

static bool is_told(const meaning *m, const inlay_op *op, int type)
{
    number_class cls;

    if (type == INLAY_F4E2M1 && m->declare[NUMBER_FLOAT]) /* nor what becomes of NaN */
        return false;
    if (type == INLAY_STRING) /* the solver has integers in their order, and not them */
        return false;
    return (op->in[0].types >> type & 1) && meaning_class((inlay_type)type, &cls) &&
           m->formula[cls] && (strcmp(m->type, "Clamp") != 0 || cls == NUMBER_FLOAT);
}

static void compare_meaning(struct solver *z3, const meaning *m, seed_range seeds)
{
    inlay_diags *d = inlay_diags_new();
    const inlay_op *op = inlay_op_find(NULL, m->type, NULL, NULL, d);
    char attrs[100] = "";
    int n_types = 0;

    assert_non_null(op);
    if (m->attr)
        snprintf(attrs, sizeof attrs, "%s=%s", m->attr, m->value);
    for (int type = 0; type < 32; type++)
        n_types += is_told(m, op, type);
    seeds.n = seeds.n / (uint64_t)n_types + 1;
    for (int type = 0; type < 32; type++) {
        bool clamps = strcmp(m->type, "Clamp") == 0;
        struct instance x = {op, m, clamps ? bounds : attrs, {NULL}, NULL, op->n_in};

        /* Of what calls functions that are not known only a part is told. */
        if (is_told(m, op, type) && compare_type(z3, x, (inlay_type)type, &seeds) < (int)seeds.n &&
            !m->declare[0] && type != INLAY_F4E2M1)
            fail_msg("%s of %s is not told", m->type, inlay_type_info_of((inlay_type)type)->name);
    }
    inlay_diags_free(d);
}

static void test_operations(void **state)
{
    seed_range seeds = range_of_elements(*state);

    for (const meaning *m = meaning_all(); m->type; m++)
        compare_meaning(*state, m, seeds);
}

/* Of floats as integers, and of integers as floats, nothing is told. */
static void test_conversions(void **state)
{
    seed_range seeds = range_of_elements(*state);
    inlay_diags *d = inlay_diags_new();
    const inlay_op *op = inlay_op_find(NULL, "Convert", NULL, NULL, d);

    for (int pair = 0; pair < 32 * 32; pair++) {
        inlay_type from = (inlay_type)(pair % 32), to = (inlay_type)(pair / 32);
        char attrs[100];
        struct instance x = {op, NULL, attrs, {NULL}, NULL, 1};

        if (!(meaning_types() >> from & 1) || !(meaning_types() >> to & 1) ||
            (inlay_type_is_float(from) != inlay_type_is_float(to) && to != INLAY_BOOLEAN) ||
            meaning_is_shrunk(from, to))
            continue;
        snprintf(attrs, sizeof attrs, "destination_type=%s", inlay_type_info_of(to)->name);
        assert_int_equal(
            compare_type(*state, x, from, &(seed_range){seeds.first, SLOW_ELEMENTS, false}),
            SLOW_ELEMENTS);
    }
    inlay_diags_free(d);
}

/* Only how floats are rounded to others of 8 bits and less may be left open: of the bits of f16,
 * bf16 and f32 there are tables. */
static void test_left_open(void **state)
{
    for (int pair = 0; pair < 32 * 32; pair++) {
        inlay_type from = (inlay_type)(pair % 32), to = (inlay_type)(pair / 32);
        bool types = (meaning_types() >> from & 1) && (meaning_types() >> to & 1);

        if (!types || !meaning_is_shrunk(from, to))
            continue;
        assert_true(from != to && inlay_type_is_float(from) && inlay_type_is_float(to));
        assert_true(inlay_type_info_of(to)->bits <= 8);
    }
    assert_false(meaning_is_shrunk(INLAY_F64, INLAY_F32));
    assert_false(meaning_is_shrunk(INLAY_F32, INLAY_F8E4M3));
    assert_false(meaning_is_shrunk(INLAY_F16, INLAY_F8E5M2));
}

static bool is_same(const inlay_tensor *a, const inlay_tensor *b, int64_t i)
{
    double x, y;

    if (!inlay_type_is_float(a->type))
        return inlay_tensor_get_i64(a, i) == inlay_tensor_get_i64(b, i);
    x = inlay_tensor_get_f64(a, i);
    y = inlay_tensor_get_f64(b, i);
    return (isnan(x) && isnan(y)) || (x == y && signbit(x) == signbit(y));
}

/* What X makes of its operands is what it makes of them turned round. */
static void compare_turned(struct instance x, inlay_type type, const seed_range *seeds)
{
    uint64_t random = (seeds->first + 1) * 0x2545f4914f6cdd1d + (uint64_t)type;
    struct instance turned = x;

    for (int i = 0; i < 2; i++)
        turned.in[1 - i] = x.in[i] = draw_tensor(type, (int64_t)seeds->n, &random, false);
    run(&x);
    run(&turned);
    for (int64_t i = 0; i < (int64_t)seeds->n; i++) {
        if (!is_same(x.out, turned.out, i))
            fail_msg("%s of %s: element %d, INLAY_SEED=%" PRIu64, x.op->name,
                     inlay_type_info_of(type)->name, (int)i, seeds->first);
    }
    for (int i = 0; i < 2; i++)
        inlay_tensor_release(x.in[i]);
    inlay_tensor_release(x.out);
    inlay_tensor_release(turned.out);
}

/* The contract of `commutes` says so of all operations that have the flag. */
static void test_operands_turned(void **state)
{
    seed_range seeds = seeds_to_try(ELEMENTS, SLOW_ELEMENTS);
    int n = 0;

    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const inlay_op *op = inlay_op_at(NULL, i);
        inlay_type_set types = meaning_types() & op->in[0].types;

        for (int type = 0; (op->flags & INLAY_COMMUTES) && type < 32; type++) {
            if (!(types >> type & 1))
                continue;
            compare_turned((struct instance){op, NULL, "", {NULL}, NULL, 2}, (inlay_type)type,
                           &seeds);
            n++;
        }
    }
    assert_true(n > 0);
}

/* ---- what scatters make of several updates ---- */

/* A constant with a tuple for each of N updates, two for each of half as many places. */
static inlay_value *build_places(inlay_graph *g, int64_t n, inlay_diags *d)
{
    const int64_t dims[] = {n, 1};
    inlay_tensor *t = inlay_tensor_new(INLAY_I64, 2, dims);
    inlay_value *v;

    assert_non_null(t);
    for (int64_t i = 0; i < n; i++)
        inlay_tensor_set_i64(t, i, i % (n / 2));
    v = inlay_build_const(g, NULL, t, d);
    inlay_tensor_release(t);
    return v;
}

static inlay_value *build_input(inlay_graph *g, const inlay_tensor *t, inlay_diags *d)
{
    inlay_shape shape = {.rank = 1, .dim = {inlay_dim_of(t->dims[0])}};

    return inlay_build_parameter(g, NULL, t->type, &shape, d);
}

/* What a scatter with this REDUCTION makes of DATA and of two updates for each element. */
static inlay_tensor *scatter(const char *reduction, const inlay_tensor *data,
                             const inlay_tensor *updates)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("made", d);
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    inlay_value *operands[] = {build_input(g, data, d), build_places(g, updates->dims[0], d),
                               build_input(g, updates, d)};
    const inlay_tensor *in[] = {data, updates};
    char attrs[40];
    inlay_tensor *out = NULL;
    inlay_node *n;

    snprintf(attrs, sizeof attrs, "reduction=%s", reduction);
    n = inlay_build(g, NULL, "ScatterNDUpdate", operands, 3, attrs, d);
    assert_non_null(n);
    inlay_build_result(g, NULL, &n->out[0], d);
    if (!reference.eval_graph(reference.ctx, g, in, &out, NULL, d))
        fail_msg("%s: %s", reduction, inlay_diags_at(d, 0)->text);
    inlay_graph_free(g);
    inlay_diags_free(d);
    return out;
}

/* What the two updates of each element make together. */
static inlay_tensor *put_together(const char *reduction, const inlay_tensor *updates)
{
    int64_t n = updates->dims[0] / 2;
    inlay_tensor *t = inlay_tensor_new(updates->type, 1, &n);

    assert_non_null(t);
    for (int64_t i = 0; i < n; i++) {
        uint64_t a = (uint64_t)inlay_tensor_get_i64(updates, i);
        uint64_t b = (uint64_t)inlay_tensor_get_i64(updates, n + i);

        inlay_tensor_set_i64(t, i, (int64_t)(strcmp(reduction, "prod") == 0 ? a * b : a + b));
    }
    return t;
}

/* Integers are put together first, whatever the order. */
static void test_scattered(void **state)
{
    static const char *const reductions[] = {"sum", "sub", "prod"};
    seed_range seeds = range_of_elements(*state);
    inlay_diags *d = inlay_diags_new();
    const inlay_op *op = inlay_op_find(NULL, "ScatterNDUpdate", NULL, NULL, d);
    int64_t n = (int64_t)seeds.n / 8;

    for (int at = 0; at < 3 * 32; at++) {
        const char *reduction = reductions[at % 3];
        inlay_type type = (inlay_type)(at / 3);
        uint64_t random = (seeds.first + 1) * 0x2545f4914f6cdd1d + (uint64_t)at;
        struct instance x = {op, meaning_of_scattered(reduction), reduction, {NULL}, NULL, 2};
        inlay_strbuf text = {0};
        inlay_tensor *updates;

        if (!(op->in[0].types >> type & 1) || !inlay_type_is_int(type))
            continue;
        updates = draw_tensor(type, 2 * n, &random, false);
        x.in[0] = draw_tensor(type, n, &random, false);
        x.in[1] = put_together(reduction, updates);
        x.out = scatter(reduction, x.in[0], updates);
        for (int64_t i = 0; i < n; i++)
            write_question(&text, &x, i);
        assert_int_equal(count_true(*state, &text, &x, seeds.first), n);
        inlay_strbuf_free(&text);
        inlay_tensor_release(updates);
        inlay_tensor_release(x.out);
        for (int i = 0; i < 2; i++)
            inlay_tensor_release(x.in[i]);
    }
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations), cmocka_unit_test(test_operands_turned),
        cmocka_unit_test(test_conversions), cmocka_unit_test(test_left_open),
        cmocka_unit_test(test_scattered)};

    return cmocka_run_group_tests(tests, start_solver, stop_solver);
}
