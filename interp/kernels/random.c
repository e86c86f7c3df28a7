/* RandomUniform-8 and Multinomial-13, by the generator Philox 4x32-10 (Salmon and others, "Parallel
 * Random Numbers: As Easy as 1, 2, 3"): a function of the seeds and of the position, four numbers
 * at a time. So runs are reproducible. In the specification two seeds of 0 may give anything; here
 * they are seeds like others. */
#include "interp/call/kernel.h"
#include "interp/maths/maths.h"

#include <math.h>
#include <string.h>

typedef struct philox {
    uint64_t key, counter;
    uint64_t n;    /* number of the next group of four */
    uint32_t x[4]; /* the newest group */
    int used;      /* how many of it were used */
} philox;

static void make_four(philox *p)
{
    uint32_t c[4] = {(uint32_t)p->n, (uint32_t)(p->n >> 32), (uint32_t)p->counter,
                     (uint32_t)(p->counter >> 32)};
    uint32_t key[2] = {(uint32_t)p->key, (uint32_t)(p->key >> 32)};

    for (int round = 0; round < 10; round++) {
        uint64_t a = UINT64_C(0xD2511F53) * c[0], b = UINT64_C(0xCD9E8D57) * c[2];

        c[0] = (uint32_t)(b >> 32) ^ c[1] ^ key[0];
        c[1] = (uint32_t)b;
        c[2] = (uint32_t)(a >> 32) ^ c[3] ^ key[1];
        c[3] = (uint32_t)a;
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
    memcpy(p->x, c, sizeof c);
    p->n++;
    p->used = 0;
}

static uint32_t next(philox *p)
{
    if (p->used == 4)
        make_four(p);
    return p->x[p->used++];
}

/* Returns a number in [0, 1): the lowest bits of X are the fraction of a number in [1, 2). */
static double unit_float(inlay_type type, philox *p)
{
    uint32_t x = next(p);

    switch (type) {
    case INLAY_F16:
        return (double)(x & 0x3ff) * 0x1p-10;
    case INLAY_BF16:
        return (double)(x & 0x7f) * 0x1p-7;
    case INLAY_F32:
        return (double)(x & 0x7fffff) * 0x1p-23;
    default:
        return ((double)(x & 0xfffff) * 0x1p32 + (double)next(p)) * 0x1p-52;
    }
}

/* Fills the result with X (MAX - MIN) + MIN, each step of which is rounded to the type. */
static bool fill_floats(inlay_call *c, philox *p)
{
    inlay_tensor *y = c->out[0];
    double min = inlay_tensor_get_f64(c->in[1], 0), max = inlay_tensor_get_f64(c->in[2], 0), x;
    bool single = y->type != INLAY_F64;

    for (int64_t i = 0; i < inlay_tensor_count(y); i++) {
        x = unit_float(y->type, p);
        if (single)
            x = (double)((float)x * ((float)max - (float)min) + (float)min);
        else
            x = x * (max - min) + min;
        inlay_tensor_set_f64(y, i, x);
    }
    return true;
}

/* Two numbers of the generator make one of 64 bits. Bounds with nothing between them give the lower
 * one. */
static bool fill_integers(inlay_call *c, philox *p)
{
    inlay_tensor *y = c->out[0];
    int64_t min = inlay_tensor_get_i64(c->in[1], 0), max = inlay_tensor_get_i64(c->in[2], 0);
    uint64_t range = max > min ? (uint64_t)max - (uint64_t)min : 1;

    for (int64_t i = 0; i < inlay_tensor_count(y); i++) {
        uint64_t x = next(p);

        if (y->type == INLAY_I64)
            x |= (uint64_t)next(p) << 32;
        inlay_tensor_set_i64(y, i, (int64_t)(x % range + (uint64_t)min));
    }
    return true;
}

static philox seeded(const inlay_call *c)
{
    return (philox){.key = (uint64_t)inlay_node_int(c->node, "global_seed"),
                    .counter = (uint64_t)inlay_node_int(c->node, "op_seed"),
                    .used = 4};
}

bool eval_random_uniform(inlay_call *c)
{
    philox p = seeded(c);

    if (strcmp(inlay_node_string(c->node, "alignment"), "TENSORFLOW") != 0)
        return inlay_call_fail(c, "alignment is PYTORCH, whose generator is not here");
    return inlay_type_is_int(c->out[0]->type) ? fill_integers(c, &p) : fill_floats(c, &p);
}

/* Multinomial */

/* Turns N logarithms at X into weights: the largest one becomes 1, so that none is infinite. */
static void exponentiate(double *x, int64_t n)
{
    double most = -INFINITY;

    for (int64_t i = 0; i < n; i++)
        most = x[i] > most ? x[i] : most;
    for (int64_t i = 0; i < n; i++)
        x[i] = maths_exp_f64(x[i] - most);
}

/* Returns how many of the N weights at X are above 0; -1: one of them is no weight. */
static int64_t count_weights(const double *x, int64_t n)
{
    int64_t count = 0;

    for (int64_t i = 0; i < n; i++) {
        if (!(x[i] >= 0) || isinf(x[i]))
            return -1;
        count += x[i] > 0;
    }
    return count;
}

/* Returns the first of N classes up to which the weights are at least RANDOM, in [0, 1), of all. */
static int64_t draw_class(const double *x, int64_t n, double random)
{
    double sum = 0, all = 0;
    int64_t found = -1;

    for (int64_t i = 0; i < n; i++)
        all += x[i];
    for (int64_t i = 0; i < n; i++) {
        sum += x[i];
        if (x[i] > 0 && (found < 0 || random > (sum - x[i]) / all))
            found = i;
    }
    return found;
}

static bool check_weights(inlay_call *c, const double *x, int64_t row, int64_t n, int64_t wanted)
{
    int64_t count = count_weights(x, n);

    if (count < 0)
        return inlay_call_fail(c, "row %lld of probs has a number that is no probability",
                               (long long)row);
    return count >= wanted ||
           inlay_call_fail(c, "row %lld of probs has %lld classes above 0, %lld are to be drawn",
                           (long long)row, (long long)count, (long long)wanted);
}

/* Draws the classes of the rows of operand 0, whose elements are X. */
static void draw_rows(inlay_call *c, double *x, bool replace)
{
    int64_t classes = c->in[0]->dims[1], samples = c->out[0]->dims[1];
    philox p = seeded(c);

    for (int64_t i = 0; i < inlay_tensor_count(c->out[0]); i++) {
        double *row = x + i / samples * classes;
        int64_t found = draw_class(row, classes, unit_float(INLAY_F64, &p));

        inlay_tensor_set_i64(c->out[0], i, found);
        if (!replace)
            row[found] = 0;
    }
}

bool eval_multinomial(inlay_call *c)
{
    int64_t batch = c->in[0]->dims[0], classes = c->in[0]->dims[1], samples = c->out[0]->dims[1];
    bool replace = inlay_node_bool(c->node, "with_replacement");
    double *x = inlay_call_memory(c, batch * classes, sizeof *x);
    const double *given = load_f64(c, 0);

    if (!x || !given)
        return false;
    if (batch * classes > 0)
        memcpy(x, given, (size_t)(batch * classes) * sizeof *x);
    for (int64_t i = 0; i < batch; i++) {
        if (inlay_node_bool(c->node, "log_probs"))
            exponentiate(x + i * classes, classes);
        if (!check_weights(c, x + i * classes, i, classes, replace && samples > 0 ? 1 : samples))
            return false;
    }
    draw_rows(c, x, replace);
    return true;
}
