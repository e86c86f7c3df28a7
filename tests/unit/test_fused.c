/* Steps that are computed together, tile by tile (interp/exec/build/fuse.c): which steps these are,
 * which values need no memory, that random chains and trees give the bits of the reference for any
 * number of threads, and that the audit finds what is planted wrong. */
#include "generate/rng.h"
#include "graphs.h"
#include "grouped.h"
#include "interp/audit/audit.h"
#include "models.h"
#include "seeds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Counts */

/* d is a tree, e is read by a MatMul, and f stands alone, of other dims. */
static const char tree[] = "%x = Parameter-1 {element_type = f32, shape = [6,100]}\n"
                           "%y = Parameter-1 {element_type = f32, shape = [6,1]}\n"
                           "%k = Parameter-1 {element_type = f32, shape = [100,6]}\n"
                           "%a = Add-1(%x, %y)\n"
                           "%b = Exp-1(%x)\n"
                           "%c = Multiply-1(%a, %b)\n"
                           "%d = Subtract-1(%c, %a)\n"
                           "%e = Abs-1(%d)\n"
                           "%m = MatMul-1(%e, %k)\n"
                           "%f = Sqrt-1(%m)\n"
                           "%out = Result-1(%f)\n"
                           "%also = Result-1(%e)\n";

static void test_counts(void **state)
{
    grouped s = grouped_of(tree, INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "a")->fused;

    (void)state;
    assert_non_null(f);
    assert_int_equal(f->n_ops, 5);
    assert_int_equal(f->registers, 2);
    assert_ptr_equal(grouped_step(&s, "e")->fused, f);
    assert_true(in_register(&s, "a") && in_register(&s, "b") && in_register(&s, "c") &&
                in_register(&s, "d"));
    assert_false(in_register(&s, "e"));
    assert_null(grouped_step(&s, "m")->fused);
    assert_null(grouped_step(&s, "f")->fused);
    assert_int_equal(s.x->arena.bytes, 192); /* of m, 6 by 6: e and f are results */
    assert_int_equal(f->rows, 6);
    assert_int_equal(f->tiles, 1);
    grouped_free(&s);
}

static void test_reference_fuses_nothing(void **state)
{
    grouped s = grouped_of(tree, INLAY_KERNELS_REFERENCE);

    (void)state;
    for (size_t i = 0; i < s.x->n; i++)
        assert_null(s.x->list[i].fused);
    grouped_free(&s);
}

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

    (void)state;
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

enum { MOST_NODES = 90, MOST_INPUTS = 4, TEXT = 1 << 15 };

struct model {
    char text[TEXT];
    size_t used;
    inlay_type type;
    int rank;
    int64_t dims[4];
    int n_in, n_values;
    int narrow; /* number of the last value that is narrow; 0: none is */
    inlay_tensor *in[MOST_INPUTS];
};

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
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F64,
                                       INLAY_I32, INLAY_I64, INLAY_U8};
    int nodes = (int)rng_in(r, 1, rng_one_in(r, 6) ? MOST_NODES : 12), inputs;
    int64_t count = 1;
    bool narrow;

    *m = (struct model){.type = types[rng_in(r, 0, 6)], .rank = (int)rng_in(r, 0, 4)};
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

static void check_model(const struct model *m, uint64_t seed)
{
    static const int threads[] = {1, 2, 3, 7};
    inlay_graph *g = graph_of(m->text);
    inlay_tensor *wanted[2], *out[2];

    grouped_run(g, &(inlay_exec_options){.mode = INLAY_EXEC_REFERENCE}, m->in, m->text, wanted);
    for (int i = 0; i < 4; i++) {
        grouped_run(g, &(inlay_exec_options){.threads = threads[i], .poison = i % 2 == 0}, m->in,
                    m->text, out);
        for (int k = 0; k < 2; k++) {
            if (!grouped_same(out[k], wanted[k]))
                fail_msg("seed %llu, %d threads: result %d differs\n%s", (unsigned long long)seed,
                         threads[i], k, m->text);
            inlay_tensor_release(out[k]);
        }
    }
    inlay_tensor_release(wanted[0]);
    inlay_tensor_release(wanted[1]);
    inlay_graph_free(g);
}

static void test_random(void **state)
{
    seed_range seeds = seeds_to_try(300, 30);
    struct model *m = malloc(sizeof *m);

    (void)state;
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

/* Casts */

static const char casts[] = "%x = Parameter-1 {element_type = f16, shape = [6,100]}\n"
                            "%a = Convert-1(%x) {destination_type = f32}\n"
                            "%b = Exp-1(%a)\n"
                            "%c = Convert-1(%b) {destination_type = f16}\n"
                            "%d = Convert-1(%c) {destination_type = f32}\n"
                            "%e = Abs-1(%d)\n"
                            "%f = Convert-1(%e) {destination_type = i32}\n"
                            "%out = Result-1(%f)\n";

static exec_op *op_of(const grouped *s, const char *name);

/* A conversion is computed with the others; it cannot be computed in the register that it reads. */
static void test_casts(void **state)
{
    grouped s = grouped_of(casts, INLAY_KERNELS_PORTABLE);

    (void)state;
    assert_non_null(grouped_step(&s, "a")->fused);
    assert_int_equal(grouped_step(&s, "a")->fused->n_ops, 6);
    assert_int_equal(grouped_step(&s, "a")->fused->registers, 2);
    assert_true(in_register(&s, "c") && in_register(&s, "e"));
    assert_int_equal(s.x->arena.bytes, 0);
    assert_int_equal(op_of(&s, "a")->size[1], 2);
    assert_int_equal(op_of(&s, "b")->reg[0], op_of(&s, "a")->reg[0]);
    assert_int_not_equal(op_of(&s, "c")->reg[0], op_of(&s, "b")->reg[0]);
    grouped_free(&s);
}

/* Integers and choices */

static const char choice[] = "%x = Parameter-1 {element_type = i32, shape = [6,100]}\n"
                             "%y = Parameter-1 {element_type = i32, shape = [6,1]}\n"
                             "%mask = Parameter-1 {element_type = boolean, shape = [100]}\n"
                             "%s = Parameter-1 {element_type = f32, shape = [6,100]}\n"
                             "%low = Const-1 {value = f32[] -1000}\n"
                             "%a = Add-1(%x, %y)\n"
                             "%b = Less-1(%a, %x)\n"
                             "%c = LogicalAnd-1(%b, %mask)\n"
                             "%d = Select-1(%c, %s, %low)\n"
                             "%e = Exp-1(%d)\n"
                             "%out = Result-1(%e)\n";

/* Integers, comparisons and choices are computed with the floats beside them. The registers are as
 * wide as the widest elements. */
static void test_choice(void **state)
{
    grouped s = grouped_of(choice, INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "a")->fused;

    (void)state;
    assert_non_null(f);
    assert_int_equal(f->n_ops, 5);
    assert_true(in_register(&s, "a") && in_register(&s, "b") && in_register(&s, "c") &&
                in_register(&s, "d"));
    assert_int_equal(op_of(&s, "b")->size[0], 1);
    assert_int_equal(op_of(&s, "d")->size[1], 1);
    assert_int_equal(op_of(&s, "d")->size[2], 4);
    assert_int_equal(s.x->blocks[op_of(&s, "d")->block].k.single, SINGLE_Z);
    assert_true(op_of(&s, "a")->each);
    assert_int_equal(s.x->arena.bytes, 0);
    grouped_free(&s);
}

/* In one go */

/* I is read twice, so it is in memory: what leads to it is computed in one go, and what is made of
 * it in another one, with rows, a row for all of them and numbers for each on either side. R
 * divides by what O makes, and does not work on it. */
static const char straight[] = "%x = Parameter-1 {element_type = f32, shape = [5,70]}\n"
                               "%y = Parameter-1 {element_type = f32, shape = [5,1]}\n"
                               "%w = Parameter-1 {element_type = f32, shape = [70]}\n"
                               "%p = Const-1 {value = f32[] 0.7}\n"
                               "%q = Const-1 {value = f32[] -0.3}\n"
                               "%z = Add-1(%x, %y)\n"
                               "%a = Minimum-1(%z, %p)\n"
                               "%b = Subtract-1(%a, %q)\n"
                               "%c = Multiply-1(%b, %q)\n"
                               "%d = Maximum-1(%c, %q)\n"
                               "%e = Add-1(%d, %q)\n"
                               "%f = ReLU-1(%e)\n"
                               "%g = Subtract-1(%f, %p)\n"
                               "%h = Abs-1(%g)\n"
                               "%i = Clamp-1(%h) {min = 0.1, max = 0.6}\n"
                               "%j = Multiply-1(%i, %x)\n"
                               "%k = Add-1(%w, %j)\n"
                               "%l = Divide-1(%k, %y)\n"
                               "%m = Multiply-1(%q, %l)\n"
                               "%n = Subtract-1(%m, %w)\n"
                               "%o = Add-1(%y, %n)\n"
                               "%r = Divide-1(%x, %o)\n"
                               "%out = Result-1(%r)\n"
                               "%also = Result-1(%i)\n";

static float number_of(int i)
{
    static const float special[] = {NAN, -INFINITY, INFINITY, 0.0f, -0.0f, 0.7f, -0.3f, 1e-40f};

    return i % 3 == 0 ? special[i / 3 % 8] : (float)(i % 41) / 20 - 1;
}

/* H is computed from G in one go, and must not take the register of the numbers that G divides
 * by, which nobody else reads. */
static const char straight_norm[] = "%x = Parameter-1 {element_type = f32, shape = [6,80]}\n"
                                    "%scale = Parameter-1 {element_type = f32, shape = [80]}\n"
                                    "%axis = Const-1 {value = i64[1] [-1]}\n"
                                    "%a = ReduceL1-4(%x, %axis) {keep_dims = true}\n"
                                    "%g = Divide-1(%x, %a)\n"
                                    "%h = Multiply-1(%g, %scale)\n"
                                    "%i = Exp-1(%h)\n"
                                    "%out = Result-1(%i)\n"
                                    "%also = Result-1(%x)\n";

/* Checks the model TEXT on N operands of rank 2, whose sizes are DIMS. */
static void check_numbers(const char *text, int n, const int64_t (*dims)[2])
{
    struct model *m = calloc(1, sizeof *m);

    assert_non_null(m);
    snprintf(m->text, sizeof m->text, "%s", text);
    for (int k = 0; k < n; k++) {
        bool row = dims[k][0] == 0;

        m->in[k] = inlay_tensor_new(INLAY_F32, row ? 1 : 2, dims[k] + row);
        assert_non_null(m->in[k]);
        for (int64_t i = 0; i < inlay_tensor_count(m->in[k]); i++)
            inlay_tensor_set_f64(m->in[k], i, (double)number_of((int)i * (2 * k + 1) + k));
    }
    check_model(m, 0);
    for (int k = 0; k < n; k++)
        inlay_tensor_release(m->in[k]);
    free(m);
}

static void test_straight(void **state)
{
    grouped s = grouped_of(straight, INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "z")->fused;

    (void)state;
    assert_int_equal(f->n_ops, 17);
    assert_int_equal(f->n_runs, 3);
    assert_int_equal(f->runs[0].n, 10);
    assert_int_equal(f->runs[1].n, 6);
    grouped_free(&s);
    s = grouped_of(straight_norm, INLAY_KERNELS_PORTABLE);
    assert_int_equal(grouped_step(&s, "a")->fused->n_runs, 4);
    grouped_free(&s);
    check_numbers(straight, 3, (const int64_t[][2]){{5, 70}, {5, 1}, {0, 70}});
    check_numbers(straight_norm, 2, (const int64_t[][2]){{6, 80}, {0, 80}});
}

/* Rows */

static const char rows[] = "%x = Parameter-1 {element_type = f32, shape = [6,8,1000]}\n"
                           "%m = Parameter-1 {element_type = f32, shape = [8,1000]}\n"
                           "%half = Const-1 {value = f32[] 0.5}\n"
                           "%a = Multiply-1(%x, %half)\n"
                           "%b = Add-1(%a, %m)\n"
                           "%c = SoftMax-8(%b) {axis = -1}\n"
                           "%d = Multiply-1(%c, %m)\n"
                           "%out = Result-1(%d)\n";

/* A softmax along the last dim is computed with what stands around it, on tiles of whole rows: what
 * it reads and makes has no memory. */
static void test_rows(void **state)
{
    grouped s = grouped_of(rows, INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "a")->fused;

    (void)state;
    assert_non_null(f);
    assert_int_equal(f->n_ops, 4);
    assert_true(in_register(&s, "a") && in_register(&s, "b") && in_register(&s, "c"));
    assert_int_equal(f->registers, 1);
    assert_int_equal(f->length, 1000);
    assert_int_equal(f->rows, 1);
    assert_int_equal(s.x->arena.bytes, 0);
    grouped_free(&s);
}

/* So is a normalisation along the last dim. */
static void test_norms(void **state)
{
    grouped s = grouped_of("%x = Parameter-1 {element_type = f32, shape = [6,8,100]}\n"
                           "%m = Parameter-1 {element_type = f32, shape = [8,100]}\n"
                           "%axis = Const-1 {value = i64[1] [-1]}\n"
                           "%a = Abs-1(%x)\n"
                           "%b = MVN-6(%a, %axis) {normalize_variance = true, eps = 0.01, "
                           "eps_mode = inside_sqrt}\n"
                           "%c = Multiply-1(%b, %m)\n"
                           "%out = Result-1(%c)\n",
                           INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "a")->fused;

    (void)state;
    assert_non_null(f);
    assert_int_equal(f->n_ops, 3);
    assert_true(in_register(&s, "a") && in_register(&s, "b"));
    assert_int_equal(f->length, 100);
    assert_int_equal(s.x->arena.bytes, 0);
    grouped_free(&s);
}

/* Folds */

static const char norm[] = "%x = Parameter-1 {element_type = f32, shape = [6,8,100]}\n"
                           "%axis = Const-1 {value = i64[1] [-1]}\n"
                           "%two = Const-1 {value = f32[] 2}\n"
                           "%little = Const-1 {value = f32[] 0.00001}\n"
                           "%scale = Parameter-1 {element_type = f32, shape = [100]}\n"
                           "%a = ReduceMean-1(%x, %axis) {keep_dims = true}\n"
                           "%b = Subtract-1(%x, %a)\n"
                           "%c = Power-1(%b, %two)\n"
                           "%d = ReduceMean-1(%c, %axis) {keep_dims = true}\n"
                           "%e = Add-1(%d, %little)\n"
                           "%f = Sqrt-1(%e)\n"
                           "%g = Divide-1(%b, %f)\n"
                           "%h = Multiply-1(%g, %scale)\n"
                           "%out = Result-1(%h)\n";

/* A layer normalisation is one group. What has one element for each row is in registers, too. */
static void test_folds(void **state)
{
    grouped s = grouped_of(norm, INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "a")->fused;

    (void)state;
    assert_non_null(f);
    assert_int_equal(f->n_ops, 8);
    assert_ptr_equal(grouped_step(&s, "h")->fused, f);
    assert_true(in_register(&s, "a") && in_register(&s, "d") && in_register(&s, "g"));
    assert_true(op_of(&s, "a")->folds && op_of(&s, "a")->narrow[0] && !op_of(&s, "a")->narrow[1]);
    assert_true(op_of(&s, "b")->each && op_of(&s, "b")->narrow[2]);
    assert_true(op_of(&s, "f")->narrow[0] && op_of(&s, "f")->narrow[1] && op_of(&s, "f")->flat);
    assert_int_equal(f->rank, 2); /* 48 rows */
    assert_int_equal(f->length, 100);
    assert_int_equal(s.x->arena.bytes, 0);
    grouped_free(&s);
}

/* The last two axes are one row, if they lie one behind the other in all that is read. */
static void test_two_axes(void **state)
{
    static const char body[] = "%%x = Parameter-1 {element_type = f32, shape = [6,7,7]}\n"
                               "%%y = Parameter-1 {element_type = f32, shape = [%s]}\n"
                               "%%axes = Const-1 {value = i64[2] [1, 2]}\n"
                               "%%a = Multiply-1(%%x, %%y)\n"
                               "%%b = ReduceSum-1(%%a, %%axes)\n"
                               "%%out = Result-1(%%b)\n";
    static const struct {
        const char *dims;
        bool fused;
    } cases[] = {{"6,7,7", true}, {"6,1,1", true}, {"7,7", true}, {"6,7,1", false}, {"7", false}};
    char text[600];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        grouped s;
        const exec_fused *f;

        snprintf(text, sizeof text, body, cases[i].dims);
        s = grouped_of(text, INLAY_KERNELS_PORTABLE);
        f = grouped_step(&s, "b")->fused;
        if (!f != !cases[i].fused)
            fail_msg("y[%s]: the fold is %sfused", cases[i].dims, f ? "" : "not ");
        assert_true(!f || (f->row_length == 49 && in_register(&s, "a")));
        grouped_free(&s);
    }
}

/* Axes that no constant holds, but that are known before the run, are parameters, too. */
static void test_known_axes(void **state)
{
    grouped s = grouped_of("%x = Parameter-1 {element_type = f64, shape = [4,6]}\n"
                           "%i = Const-1 {value = i64[2] [0, 1]}\n"
                           "%axes = Convert-1(%i) {destination_type = i32}\n"
                           "%sum = ReduceSum-1(%x, %axes)\n"
                           "%y = Tanh-1(%sum)\n"
                           "%out = Result-1(%y)\n",
                           INLAY_KERNELS_PORTABLE);

    (void)state;
    assert_non_null(grouped_step(&s, "sum")->fused);
    if (!audit_instance(s.x, s.diags))
        fail_msg("%s", model_messages(s.diags));
    grouped_free(&s);
}

/* Mistakes */

static exec_fused *fused_of(const grouped *s)
{
    return (exec_fused *)grouped_step(s, "a")->fused;
}

static exec_op *op_of(const grouped *s, const char *name)
{
    exec_fused *f = fused_of(s);

    for (int i = 0; i < f->n_ops; i++) {
        if (&s->x->list[f->ops[i].step] == grouped_step(s, name))
            return &f->ops[i];
    }
    fail_msg("%s is not fused", name);
    return NULL;
}

static void other_register(const grouped *s)
{
    op_of(s, "c")->reg[1] = op_of(s, "b")->reg[0];
}

static void register_too_early(const grouped *s)
{
    op_of(s, "b")->reg[0] = op_of(s, "a")->reg[0];
}

static void register_written_over(const grouped *s)
{
    op_of(s, "c")->reg[0] = op_of(s, "a")->reg[0];
    op_of(s, "d")->reg[1] = op_of(s, "a")->reg[0];
}

static void other_choice(const grouped *s)
{
    exec_block *b = &s->x->blocks[op_of(s, "d")->block];

    b->k.y -= 4;
}

static void chosen_number_elsewhere(const grouped *s)
{
    s->x->blocks[op_of(s, "d")->block].k.single = SINGLE_Y;
}

static void narrow_taken_for_wide(const grouped *s)
{
    op_of(s, "b")->narrow[2] = false;
}

static void wide_taken_for_narrow(const grouped *s)
{
    op_of(s, "g")->narrow[1] = true;
}

static void one_number_for_all_rows(const grouped *s)
{
    op_of(s, "g")->each = false;
}

static void fold_of_half_a_row(const grouped *s)
{
    fused_of(s)->length = 50;
    fused_of(s)->pieces = 2;
    fused_of(s)->tiles *= 2;
}

static void fold_of_flat_rows(const grouped *s)
{
    op_of(s, "d")->flat = true;
}

static void written_over_its_rows(const grouped *s)
{
    op_of(s, "b")->reg[2] = op_of(s, "a")->reg[0] = op_of(s, "b")->reg[0];
}

static void lane_too_far(const grouped *s)
{
    s->x->blocks[op_of(s, "b")->block].k.x += 4;
}

static void lane_of_other_strides(const grouped *s)
{
    ((ptrdiff_t *)op_of(s, "a")->strides[2])[0] = 0;
}

static void output_of_other_strides(const grouped *s)
{
    ((ptrdiff_t *)op_of(s, "e")->strides[0])[0] += 4;
}

static void too_few_tiles(const grouped *s)
{
    fused_of(s)->tiles = 0;
}

static void too_few_rows(const grouped *s)
{
    fused_of(s)->rows--;
}

static void read_in_memory(const grouped *s)
{
    op_of(s, "d")->reg[2] = -1;
    op_of(s, "d")->strides[2] = op_of(s, "b")->strides[1];
}

static void cast_over_itself(const grouped *s)
{
    op_of(s, "c")->reg[0] = op_of(s, "d")->reg[1] = op_of(s, "b")->reg[0];
}

static void other_size(const grouped *s)
{
    op_of(s, "c")->size[0] = 4;
}

static void too_large_for_registers(const grouped *s)
{
    fused_of(s)->size = 64;
}

static void part_of_a_row(const grouped *s)
{
    fused_of(s)->length = 500;
    fused_of(s)->pieces = 2;
    fused_of(s)->tiles *= 2;
}

static void left_out(const grouped *s)
{
    fused_of(s)->ops[2].step = fused_of(s)->ops[1].step;
}

static void run_of_one_more(const grouped *s)
{
    fused_of(s)->runs[0].n++;
}

static void run_left_out(const grouped *s)
{
    fused_of(s)->n_runs--;
}

static void run_of_a_divisor(const grouped *s)
{
    exec_fused *f = fused_of(s);

    f->runs[1].n += f->runs[2].n;
    f->runs[1].op.reg[0] = f->ops[f->n_ops - 1].reg[0];
    f->runs[1].op.strides[0] = f->ops[f->n_ops - 1].strides[0];
    f->n_runs = 2;
}

static void run_writes_elsewhere(const grouped *s)
{
    fused_of(s)->runs[1].op.strides[0] = fused_of(s)->runs[0].op.strides[1];
}

static void run_forgets_rows(const grouped *s)
{
    op_of(s, "n")->beside = 0;
}

static void run_turned_round(const grouped *s)
{
    op_of(s, "n")->beside = 1;
}

static void run_of_one_row(const grouped *s)
{
    fused_of(s)->runs[1].op.flat = true;
}

static void run_over_its_numbers(const grouped *s)
{
    exec_fused *f = fused_of(s);
    exec_straight *r = &f->runs[1];

    op_of(s, "g")->beside = op_of(s, "h")->beside = 2;
    r[0].n = 2;
    r[0].op.each = false;
    r[0].op.reg[0] = op_of(s, "h")->reg[0];
    r[0].op.strides[0] = op_of(s, "h")->strides[0];
    r[1] = r[2];
    f->n_runs--;
}

/* The output takes the place of y, which is read again in other tiles. */
static void over_a_broadcast_operand(const grouped *s)
{
    exec_allocation *y =
        &s->x->allocations
             [s->x->allocation
                  [s->steps->first_slot[grouped_step(s, "a")->step->node->in[1].value->node->id]]];
    exec_allocation *e = &s->x->allocations[s->x->allocation[grouped_step(s, "e")->out[0]]];

    e->same = (size_t)(y - s->x->allocations);
    y->ours = true;
    y->bytes = e->bytes;
}

static void test_mistakes(void **state)
{
    static const struct {
        const char *name;
        void (*plant)(const grouped *s);
        const char *body;
    } mistakes[] = {
        {"another register", other_register, tree},
        {"a register that is still read", register_too_early, tree},
        {"a register that is written over", register_written_over, tree},
        {"a lane that begins too far", lane_too_far, tree},
        {"a lane of other strides", lane_of_other_strides, tree},
        {"an output of other strides", output_of_other_strides, tree},
        {"too few tiles", too_few_tiles, tree},
        {"too few rows", too_few_rows, tree},
        {"memory that a value does not have", read_in_memory, tree},
        {"a tile too large for its register", too_large_for_registers, tree},
        {"a step that is left out", left_out, tree},
        {"an output over a broadcast operand", over_a_broadcast_operand, tree},
        {"a cast in the register that it reads", cast_over_itself, casts},
        {"elements of another size", other_size, casts},
        {"a choice of other elements", other_choice, choice},
        {"a number of another operand", chosen_number_elsewhere, choice},
        {"a narrow register that is read as a wide one", narrow_taken_for_wide, norm},
        {"a wide register that is read as a narrow one", wide_taken_for_narrow, norm},
        {"one number for all rows", one_number_for_all_rows, norm},
        {"a fold of half a row", fold_of_half_a_row, norm},
        {"a fold of rows that follow each other", fold_of_flat_rows, norm},
        {"a tile over the numbers of its rows", written_over_its_rows, norm},
        {"a softmax of half a row", part_of_a_row, rows},
        {"a run of one operation more", run_of_one_more, straight},
        {"a run that is left out", run_left_out, straight},
        {"a run that divides by what it makes", run_of_a_divisor, straight},
        {"a run that writes elsewhere", run_writes_elsewhere, straight},
        {"a run that forgets rows", run_forgets_rows, straight},
        {"a run that turns a difference round", run_turned_round, straight},
        {"a run of rows that follow each other", run_of_one_row, straight},
        {"a run over the numbers of its rows", run_over_its_numbers, straight_norm},
    };

    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        grouped s = grouped_of(mistakes[i].body, INLAY_KERNELS_PORTABLE);

        mistakes[i].plant(&s);
        if (audit_instance(s.x, s.diags))
            fail_msg("the audit accepts %s", mistakes[i].name);
        if (!strstr(model_messages(s.diags), "audit: step"))
            fail_msg("%s: %s", mistakes[i].name, model_messages(s.diags));
        grouped_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_reference_fuses_nothing),
        cmocka_unit_test(test_dying_operands),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_casts),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_folds),
        cmocka_unit_test(test_two_axes),
        cmocka_unit_test(test_known_axes),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_norms),
        cmocka_unit_test(test_mistakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
