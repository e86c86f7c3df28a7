/* Elementwise comparisons. Numbers compare by value (u64 as unsigned), strings by their bytes, and
 * a NaN is neither equal to, less nor greater than anything. */
#include "interp/kernels/elementwise.h"

#include <math.h>
#include <string.h>

typedef struct compare_fn {
    bool (*f64)(double a, double b);
    bool (*i64)(int64_t a, int64_t b);
    bool (*u64)(uint64_t a, uint64_t b);
    row_fn *rows_f32, *rows_f64;
    int_rows rows;
} compare_fn;

/* Operands as arrays of the type in which they are compared; one of the three pairs is set. */
typedef struct compare_operands {
    const double *f[2];
    const int64_t *i[2];
    const inlay_tensor *s[2];
    bool is_unsigned;
} compare_operands;

static bool load_operands(inlay_call *c, compare_operands *o)
{
    inlay_type type = c->in[0]->type;

    memset(o, 0, sizeof *o);
    o->is_unsigned = type == INLAY_U64;
    for (int k = 0; k < 2; k++) {
        if (type == INLAY_STRING)
            o->s[k] = c->in[k];
        else if (load_domain(type) == DOMAIN_I64)
            o->i[k] = load_i64(c, k);
        else
            o->f[k] = load_f64(c, k);
        if (!o->s[k] && !o->i[k] && !o->f[k])
            return false;
    }
    return true;
}

/* Returns -1, 0 or 1, comparing unsigned bytes; a prefix is less. */
static int string_order(inlay_string a, inlay_string b)
{
    size_t n = a.length < b.length ? a.length : b.length;
    int order = n > 0 ? memcmp(a.bytes, b.bytes, n) : 0;

    if (order != 0)
        return order < 0 ? -1 : 1;
    return (a.length > b.length) - (a.length < b.length);
}

static bool compare_at(const compare_operands *o, const compare_fn *fn, int64_t i, int64_t j)
{
    if (o->f[0])
        return fn->f64(o->f[0][i], o->f[1][j]);
    if (o->s[0])
        return fn->i64(
            string_order(inlay_tensor_get_string(o->s[0], i), inlay_tensor_get_string(o->s[1], j)),
            0);
    if (o->is_unsigned)
        return fn->u64((uint64_t)o->i[0][i], (uint64_t)o->i[1][j]);
    return fn->i64(o->i[0][i], o->i[1][j]);
}

/* Returns the function of FN for rows of TYPE, or NULL. */
static row_fn *rows_of(const compare_fn *fn, inlay_type type)
{
    return load_domain(type) == DOMAIN_F32   ? fn->rows_f32
           : load_domain(type) == DOMAIN_F64 ? fn->rows_f64
                                             : elementwise_int_rows(&fn->rows, type);
}

/* Announces that rows can be computed by a row function. */
static bool announce(inlay_call *c, const compare_fn *fn)
{
    int64_t strides[2][INLAY_MAX_RANK];

    for (int i = 0; i < 2; i++)
        elementwise_strides(c, i, c->in[i]->strides, strides[i]);
    return elementwise_announce(c, rows_of(fn, c->in[0]->type), strides[0], strides[1]);
}

/* Compares the N pairs from I and J on of numbers as they were loaded; one of the operands may be one
 * number for all of them. False: nothing, since there is no row function for that. */
static bool compare_rows(const compare_operands *o, const compare_fn *fn, const pairing *p,
                         int64_t i, int64_t j, bool *to)
{
    row_block k = {.to = (char *)to, .rows = 1, .length = p->length, .size = 1};
    bool wide = o->f[0] != NULL, ones = p->step[0] + p->step[1] > 0;

    k.run = wide ? fn->rows_f64 : o->i[0] && !o->is_unsigned ? fn->rows.i64 : NULL;
    if (!k.run || !ones || p->step[0] > 1 || p->step[1] > 1)
        return false;
    k.x = wide ? (const char *)(o->f[0] + i) : (const char *)(o->i[0] + i);
    k.y = wide ? (const char *)(o->f[1] + j) : (const char *)(o->i[1] + j);
    k.single = p->step[0] == 0 ? SINGLE_X : p->step[1] == 0 ? SINGLE_Y : NO_SINGLE;
    if (k.single != NO_SINGLE)
        memcpy(&k.number, k.single == SINGLE_X ? k.x : k.y, sizeof k.number);
    k.run(&k);
    return true;
}

static bool run_compare(inlay_call *c, const compare_fn *fn)
{
    compare_operands o;
    pairing p;
    bool *y, *z;

    if (!announce(c, fn))
        return false;
    elementwise_pairs(c, &p);
    y = z = inlay_call_memory(c, p.count, sizeof *y);
    if (!y || !load_operands(c, &o))
        return false;
    for (index_iter it = index_rows(c->out[0]->rank, p.dims); index_valid(&it); index_next(&it)) {
        int64_t i = index_dot(p.outer, it.at, p.strides[0]);
        int64_t j = index_dot(p.outer, it.at, p.strides[1]);

        if (compare_rows(&o, fn, &p, i, j, z))
            z += p.length;
        else
            for (int64_t k = 0; k < p.length; k++, i += p.step[0], j += p.step[1])
                *z++ = compare_at(&o, fn, i, j);
    }
    return store_bool(c, 0, y);
}

#define ROWS(name, operator)                                                                       \
    PAIR_ROWS(name##_f32, uint8_t, float, float, f32, a operator b)                                \
    PAIR_ROWS(name##_f64, uint8_t, double, double, f64, a operator b)                              \
    PAIR_ROWS(name##_rows_i64, uint8_t, int64_t, int64_t, i64, a operator b)                       \
    PAIR_ROWS(name##_rows_u64, uint8_t, uint64_t, uint64_t, bits64, a operator b)                  \
    PAIR_ROWS(name##_rows_i32, uint8_t, int32_t, int32_t, i32, a operator b)                       \
    PAIR_ROWS(name##_rows_u32, uint8_t, uint32_t, uint32_t, u32, a operator b)                     \
    PAIR_ROWS(name##_rows_i16, uint8_t, int16_t, int16_t, i16, a operator b)                       \
    PAIR_ROWS(name##_rows_u16, uint8_t, uint16_t, uint16_t, u16, a operator b)                     \
    PAIR_ROWS(name##_rows_i8, uint8_t, int8_t, int8_t, i8, a operator b)                           \
    PAIR_ROWS(name##_rows_u8, uint8_t, uint8_t, uint8_t, u8, a operator b)                         \
    PAIR_ROWS(name##_rows_boolean, uint8_t, uint8_t, bool, u8, a operator b)

/* Runs a row function with operands x and y swapped. */
static void run_turned(const row_block *k, row_fn *run)
{
    row_block t = *k;

    t.x = k->y;
    t.y = k->x;
    t.x_pitch = k->y_pitch;
    t.y_pitch = k->x_pitch;
    t.single = k->single == SINGLE_X ? SINGLE_Y : k->single == SINGLE_Y ? SINGLE_X : NO_SINGLE;
    run(&t);
}

#define TURNED(name, type, of)                                                                     \
    static void name##_##type(const row_block *k)                                                  \
    {                                                                                              \
        run_turned(k, of##_##type);                                                                \
    }
/* a > b is computed by the rows of b < a, so that they are compiled only once. */
#define TURNED_ROWS(name, of)                                                                      \
    TURNED(name, f32, of)                                                                          \
    TURNED(name, f64, of)                                                                          \
    TURNED(name, rows_i64, of)                                                                     \
    TURNED(name, rows_u64, of)                                                                     \
    TURNED(name, rows_i32, of)                                                                     \
    TURNED(name, rows_u32, of)                                                                     \
    TURNED(name, rows_i16, of)                                                                     \
    TURNED(name, rows_u16, of)                                                                     \
    TURNED(name, rows_i8, of)                                                                      \
    TURNED(name, rows_u8, of)                                                                      \
    TURNED(name, rows_boolean, of)

#define COMPARE(name, operator)                                                                    \
    static bool name##_one_f64(double a, double b)                                                 \
    {                                                                                              \
        return a operator b;                                                                       \
    }                                                                                              \
    static bool name##_one_i64(int64_t a, int64_t b)                                               \
    {                                                                                              \
        return a operator b;                                                                       \
    }                                                                                              \
    static bool name##_one_u64(uint64_t a, uint64_t b)                                             \
    {                                                                                              \
        return a operator b;                                                                       \
    }                                                                                              \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const compare_fn fn = {name##_one_f64, name##_one_i64, name##_one_u64,              \
                                      name##_f32,     name##_f64,     ROWS_OF_TYPES(name)};        \
        return run_compare(c, &fn);                                                                \
    }

ROWS(equal, ==)
ROWS(not_equal, !=)
ROWS(less, <)
ROWS(less_equal, <=)
TURNED_ROWS(greater, less)
TURNED_ROWS(greater_equal, less_equal)

COMPARE(equal, ==)
COMPARE(not_equal, !=)
COMPARE(less, <)
COMPARE(less_equal, <=)
COMPARE(greater, >)
COMPARE(greater_equal, >=)

/* Tests of one operand. Those for infinities have the signs that count as parameters: the positive
 * and the negative one. */
typedef struct test_fn {
    row_fn *rows_f32, *rows_f64;
} test_fn;

#define TEST_ROWS(name, T, form)                                                                   \
    static INLAY_CLONES void name(const row_block *k)                                              \
    {                                                                                              \
        const bool positive = k->a != 0, negative = k->b != 0;                                     \
                                                                                                   \
        (void)positive, (void)negative;                                                            \
        EACH_ROW(uint8_t, T x = ROW_X(T), form)                                                    \
    }
#define TEST(name, form)                                                                           \
    TEST_ROWS(name##_f32, float, form)                                                             \
    TEST_ROWS(name##_f64, double, form)                                                            \
    static const test_fn name = {name##_f32, name##_f64};

TEST(test_nan, isnan(x) != 0)
TEST(test_finite, (x > -INFINITY) & (x < INFINITY))
TEST(test_inf, ((x == INFINITY) & positive) | ((x == -INFINITY) & negative))

static bool run_test(inlay_call *c, const test_fn *fn, bool positive, bool negative)
{
    const inlay_tensor *t = c->in[0];
    inlay_domain domain = load_domain(t->type);
    row_form f = {.run = domain == DOMAIN_F32   ? fn->rows_f32
                         : domain == DOMAIN_F64 ? fn->rows_f64
                                                : NULL,
                  .a = positive,
                  .b = negative,
                  .n = 1,
                  .from = {domain == DOMAIN_F32 ? INLAY_F32 : t->type},
                  .to = c->out[0]->type};
    int64_t n = inlay_tensor_count(t);
    const double *x;
    bool *y;

    if (t->rank > 0)
        memcpy(f.strides[0], t->strides, (size_t)t->rank * sizeof *t->strides);
    if (f.run)
        call_form(c, &f);
    if (!call_settle(c))
        return false;
    x = load_f64(c, 0);
    y = inlay_call_memory(c, n, sizeof *y);
    if (!x || !y)
        return false;
    fn->rows_f64(&(row_block){.to = (char *)y,
                              .x = (const char *)x,
                              .rows = 1,
                              .length = n,
                              .size = sizeof *y,
                              .a = positive,
                              .b = negative});
    return store_bool(c, 0, y);
}

bool eval_is_nan(inlay_call *c)
{
    return run_test(c, &test_nan, false, false);
}

bool eval_is_finite(inlay_call *c)
{
    return run_test(c, &test_finite, false, false);
}

bool eval_is_inf(inlay_call *c)
{
    return run_test(c, &test_inf, inlay_node_bool(c->node, "detect_positive"),
                    inlay_node_bool(c->node, "detect_negative"));
}
