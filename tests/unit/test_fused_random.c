/* Random chains and trees of steps that are computed together (interp/exec/build/fuse.c) have the bits
 * of the reference, for any number of threads. */
#include "fused_graphs.h"
#include "generate/rng.h"
#include "seeds.h"

#include <math.h>

/* Counts */

/* What comes out of one group may be written over what dies there, if both are read and written
 * element by element; a row that is read for all rows must stay. */
static void test_dying_operands(void **state)
{
    grouped s = grouped_of("%x = Parameter-1 {element_type = f32, shape = [64,64]}\n"
                           "%m = MatMul-1(%x, %x)\n"
                           "%a = Add-1(%m, %x)\n"
                           "%b = Abs-1(%a)\n"
                           "%n = MatMul-1(%b, %x)\n"
                           "%out = Result-1(%n)\n",
                           INLAY_KERNELS_PORTABLE);

    assert_true(in_register(&s, "a"));
    assert_int_equal(s.x->arena.bytes, 64 * 64 * 4);
    grouped_free(&s);
    s = grouped_of("%x = Parameter-1 {element_type = f32, shape = [1,64]}\n"
                   "%r = MatMul-1(%x, %x) {transpose_a = true}\n"
                   "%s = ReduceMax-1(%r, %axis) {keep_dims = true}\n"
                   "%axis = Const-1 {value = i64[1] [0]}\n"
                   "%a = Add-1(%x, %s)\n"
                   "%b = Abs-1(%a)\n"
                   "%n = MatMul-1(%b, %r)\n"
                   "%out = Result-1(%n)\n",
                   INLAY_KERNELS_PORTABLE);
    assert_true(in_register(&s, "a"));
    grouped_free(&s);
}

/* Random chains and trees */

enum { MOST_NODES = 90 };

static void put(struct model *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(struct model *m, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    m->used += (size_t)vsnprintf(m->text + m->used, TEXT - m->used, fmt, args);
    va_end(args);
    assert_true(m->used < TEXT);
}

static double any_number(rng *r)
{
    static const double odd[] = {0, -0.0, 1, -1, 1e-42, 3e38, -3e38, INFINITY, -INFINITY, NAN};

    return rng_one_in(r, 12) ? odd[rng_in(r, 0, 9)] : (double)rng_in(r, -3000000, 3000000) / 999983;
}

/* Makes a tensor, which may show part of another one. */
static inlay_tensor *any_tensor(rng *r, inlay_type type, int rank, const int64_t *dims)
{
    int64_t larger[4], strides[4], step = 1;
    bool gaps = rng_one_in(r, 3);
    inlay_tensor *all, *t;

    for (int i = rank - 1; i >= 0; i--) {
        larger[i] = dims[i] + (gaps ? rng_in(r, 0, 2) : 0);
        strides[i] = step;
        step *= larger[i];
    }
    all = inlay_tensor_new(type, rank, larger);
    assert_non_null(all);
    for (int64_t i = 0; i < inlay_tensor_count(all); i++)
        inlay_tensor_set_f64(all, i, any_number(r));
    t = inlay_tensor_window(all, rank, dims, strides, 0);
    inlay_tensor_release(all);
    return t;
}

static int64_t any_size(rng *r)
{
    static const int64_t odd[] = {0, 1, 1, 2, 63, 64, 65, 1000, 1024, 1025, 3000};

    return rng_one_in(r, 3) ? odd[rng_in(r, 0, 10)] : rng_in(r, 2, 12);
}

static const inlay_type cast_types[] = {INLAY_F32, INLAY_F64, INLAY_F16,    INLAY_BF16,
                                        INLAY_I64, INLAY_I32, INLAY_I8,     INLAY_U8,
                                        INLAY_I16, INLAY_U16, INLAY_BOOLEAN};
enum { CAST_TYPES = sizeof cast_types / sizeof *cast_types };

static const char *any_type(rng *r)
{
    return inlay_type_info_of(cast_types[rng_in(r, 0, CAST_TYPES - 1)])->name;
}

/* Adds an input that broadcasts to the dims of M; the first one has all of them. */
static void add_input(rng *r, struct model *m)
{
    int64_t dims[4];
    int skip = m->n_in > 0 ? (int)rng_in(r, 0, m->rank) : 0, rank = m->rank - skip;
    inlay_type type = rng_one_in(r, 4) ? cast_types[rng_in(r, 0, CAST_TYPES - 1)] : m->type;

    put(m, "%%i%d = Parameter-1 {element_type = %s, shape = [", m->n_values,
        inlay_type_info_of(type)->name);
    for (int i = 0; i < rank; i++) {
        dims[i] = m->n_in > 0 && rng_one_in(r, 3) ? 1 : m->dims[skip + i];
        put(m, "%s%lld", i ? "," : "", (long long)dims[i]);
    }
    put(m, "]}\n%%v%d = Convert-1(%%i%d) {destination_type = %s}\n", m->n_values, m->n_values,
        inlay_type_info_of(m->type)->name);
    m->n_values++;
    m->in[m->n_in++] = any_tensor(r, type, rank, dims);
}

/* Adds a choice between values A and B by two comparisons. */
static void add_choice(rng *r, struct model *m, int a, int b)
{
    static const char *const compare[] = {"Less",  "LessEqual",    "Greater",
                                          "Equal", "GreaterEqual", "NotEqual"};
    static const char *const join[] = {"LogicalAnd", "LogicalOr", "LogicalXor"};
    int n = m->n_values, c = (int)rng_in(r, 0, n - 1);

    put(m, "%%p%d = %s-1(%%v%d, %%v%d)\n%%q%d = %s-1(%%v%d, %%v%d)\n", n, compare[rng_in(r, 0, 5)],
        a, b, n, compare[rng_in(r, 0, 5)], c, rng_one_in(r, 3) ? b : 0);
    put(m, "%%n%d = LogicalNot-1(%%p%d)\n%%l%d = %s-1(%%%s%d, %%q%d)\n", n, n, n,
        join[rng_in(r, 0, 2)], rng_one_in(r, 2) ? "n" : "p", n, n);
    put(m, "%%v%d = Select-1(%%l%d, %%v%d, %%v%d)\n", n, n, rng_one_in(r, 2) ? a : c, b);
    m->n_values++;
}

/* Adds a normalisation of what has all dims, as a rule along the last one. */
static void add_norm(rng *r, struct model *m, int a)
{
    int n = m->n_values, last = m->rank - 1;

    put(m, "%%s%d = Add-1(%%v%d, %%v0)\n", n, a);
    if (last > 0 && rng_one_in(r, 4))
        put(m, "%%k%d = Const-1 {value = i64[2] [%d,%d]}\n", n, last, (int)rng_in(r, 0, last - 1));
    else
        put(m, "%%k%d = Const-1 {value = i64[1] [%d]}\n", n,
            rng_one_in(r, 4) ? (int)rng_in(r, 0, last) : last);
    put(m, "%%v%d = MVN-6(%%s%d, %%k%d) {normalize_variance = %s, eps = 0.01, eps_mode = %s}\n", n,
        n, n, rng_one_in(r, 4) ? "false" : "true",
        rng_one_in(r, 2) ? "inside_sqrt" : "outside_sqrt");
}

/* Adds a value that is narrow, if it is the last axes that are folded, and what is made of that and
 * of its operand. */
static void add_fold(rng *r, struct model *m, int a)
{
    static const char *const folds[] = {"ReduceSum-1",  "ReduceMax-1", "ReduceMin-1",
                                        "ReduceProd-1", "ReduceL1-4",  "ReduceMean-1",
                                        "ReduceL2-4"};
    int n = m->n_values, first = (int)rng_in(r, 0, m->rank - 1);
    int end = rng_one_in(r, 5) ? (int)rng_in(r, first + 1, m->rank) : m->rank;
    bool floats = inlay_type_is_float(m->type);

    put(m, "%%s%d = Add-1(%%v%d, %%v0)\n%%axes%d = Const-1 {value = i64[%d] [", n, a, n,
        end - first);
    for (int i = first; i < end; i++)
        put(m, "%s%d", i > first ? "," : "", i);
    put(m, "]}\n%%r%d_ = %s(%%s%d, %%axes%d) {keep_dims = true}\n", n,
        folds[rng_in(r, 0, floats ? 6 : 3)], n, n);
    if (rng_one_in(r, 2))
        put(m, "%%u%d = Abs-1(%%r%d_)\n%%w%d = Maximum-1(%%u%d, %%r%d_)\n", n, n, n, n, n);
    else
        put(m, "%%w%d = Add-1(%%r%d_, %%r%d_)\n", n, n, n);
    put(m, "%%v%d = %s-1(%%s%d, %%w%d)\n", n, rng_one_in(r, 2) ? "Subtract" : "Multiply", n, n);
    m->narrow = n;
    m->n_values++;
}

/* Adds a quantised value, made of value A by one step, and the number that it stands for. */
static void add_quantised(rng *r, struct model *m, int a)
{
    static const char *const types[] = {"u8", "i8", "u16", "i16", "i32"};
    int n = m->n_values, type = (int)rng_in(r, 0, 4);

    put(m, "%%kk%d = Const-1 {value = %s[] 0.%d}\n%%zz%d = Const-1 {value = %s[] %d}\n", n,
        inlay_type_info_of(m->type)->name, (int)rng_in(r, 1, 99), n,
        inlay_type_info_of(m->type)->name, (int)rng_in(r, 0, 9));
    put(m,
        "%%dd%d = %s-1(%%v%d, %%kk%d)\n%%rr%d = Round-5(%%dd%d)\n%%aa%d = Add-1(%%rr%d, %%zz%d)\n",
        n, rng_one_in(r, 3) ? "Multiply" : "Divide", a, n, n, n, n, n, n);
    put(m,
        "%%cc%d = Clamp-1(%%aa%d) {min = %d, max = 100}\n"
        "%%qq%d = Convert-1(%%cc%d) {destination_type = %s}\n",
        n, n, type % 2 || type == 4 ? -100 : 0, n, n, types[type]);
    put(m, "%%v%d = Convert-1(%%qq%d) {destination_type = %s}\n", n, n,
        inlay_type_info_of(m->type)->name);
}

static void add_node(rng *r, struct model *m)
{
    static const char *const one[] = {"Abs", "Negative", "ReLU", "Sqrt", "Exp", "Tanh"};
    static const char *const two[] = {"Add",     "Subtract", "Multiply",
                                      "Maximum", "Minimum",  "Divide"};
    bool near = rng_one_in(r, 2), floats = inlay_type_is_float(m->type);
    int n = m->n_values, a = (int)rng_in(r, near && n > 3 ? n - 3 : 0, n - 1),
        b = (int)rng_in(r, 0, n - 1);

    if (rng_one_in(r, 6)) {
        add_choice(r, m, a, b);
        return;
    }
    if (m->rank > 0 && rng_one_in(r, 8)) {
        add_fold(r, m, a);
        return;
    }
    if (rng_one_in(r, 3))
        put(m, "%%v%d = %s-1(%%v%d)\n", m->n_values,
            one[m->type == INLAY_U8 ? 0 : rng_in(r, 0, floats ? 5 : 2)], a);
    else if (!floats && rng_one_in(r, 6))
        put(m, "%%v%d = Bitwise%s-13(%%v%d, %%v%d)\n", m->n_values,
            rng_one_in(r, 2) ? "And" : "Xor", a, b);
    else if (!floats)
        put(m, "%%v%d = %s-1(%%v%d, %%v%d)\n", m->n_values, two[rng_in(r, 0, 4)], a, b);
    else if (m->rank > 0 && rng_one_in(r, 8)) /* v0 has all dims */
        put(m, "%%s%d = Add-1(%%v%d, %%v0)\n%%v%d = %s(%%s%d) {axis = %d}\n", m->n_values, a,
            m->n_values, rng_one_in(r, 3) ? "LogSoftmax-5" : "SoftMax-8", m->n_values,
            rng_one_in(r, 4) ? (int)rng_in(r, 0, m->rank - 1) : m->rank - 1);
    else if (m->rank > 0 && rng_one_in(r, 8))
        add_norm(r, m, a);
    else if (rng_one_in(r, 6))
        put(m,
            "%%c%d = Convert-1(%%v%d) {destination_type = %s}\n"
            "%%v%d = Convert-1(%%c%d) {destination_type = %s}\n",
            m->n_values, a, any_type(r), m->n_values, m->n_values,
            inlay_type_info_of(m->type)->name);
    else if (rng_one_in(r, 6))
        add_quantised(r, m, a);
    else if (rng_one_in(r, 8))
        put(m, "%%v%d = Clamp-1(%%v%d) {min = -1.5, max = 2.5}\n", m->n_values, a);
    else
        put(m, "%%v%d = %s-1(%%v%d, %%v%d)\n", m->n_values, two[rng_in(r, 0, 5)], a, b);
    m->n_values++;
}

static void make_model(rng *r, struct model *m)
{
    static const inlay_type types[] = {INLAY_F32,  INLAY_F32, INLAY_F32, INLAY_F64, INLAY_F16,
                                       INLAY_BF16, INLAY_I32, INLAY_I64, INLAY_U8};
    int nodes = (int)rng_in(r, 1, rng_one_in(r, 6) ? MOST_NODES : 12), inputs;
    int64_t count = 1;
    bool narrow;

    *m = (struct model){.type = types[rng_in(r, 0, 8)], .rank = (int)rng_in(r, 0, 4)};
    for (int i = 0; i < m->rank; i++) {
        m->dims[i] = any_size(r);
        if (count * m->dims[i] > 20000)
            m->dims[i] = 3;
        count *= m->dims[i];
    }
    inputs = (int)rng_in(r, 1, MOST_INPUTS);
    while (m->n_in < inputs)
        add_input(r, m);
    for (int i = 0; i < nodes; i++)
        add_node(r, m);
    narrow = rng_one_in(r, 2);
    put(m,
        "%%last = Convert-1(%%v%d) {destination_type = %s}\n%%r0 = Result-1(%%last)\n"
        "%%r1 = Result-1(%%%s%d)\n",
        m->n_values - 1, any_type(r), m->narrow && narrow ? "w" : "v",
        m->narrow && narrow ? m->narrow : (int)rng_in(r, inputs, m->n_values - 1));
}

static void test_random(void **state)
{
    seed_range seeds = seeds_to_try(300, 30);
    struct model *m = malloc(sizeof *m);

    assert_non_null(m);
    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};

        make_model(&r, m);
        check_model(m, seeds.first + i);
        for (int k = 0; k < m->n_in; k++)
            inlay_tensor_release(m->in[k]);
    }
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dying_operands),
                                       cmocka_unit_test(test_random)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
