/* A product with weights of 4, 8 and 16 bits, as in exported models, and the same product with
 * weights of f32, all in turn, in one run. Prints a JSON line for each.
 *
 *     usage: compressed [ROWS [SIZE [THREADS]]]     default: 1 row by 4096 x 4096, one thread
 */
#include "bench/measure.h"
#include "inlay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 128, ROUNDS = 41, MOST_NODES = 8 };

/* How weights are stored, and the type of their scales. */
struct storage {
    const char *name;
    inlay_type weights, scale; /* scale INLAY_DYNAMIC: not scaled */
    bool grouped; /* a scale and a zero point per GROUP weights, rather than per column */
    double limit; /* the time that is allowed, as a part of that of f32; 0: no limit */
};

static const struct storage storages[] = {
    {"f32", INLAY_F32, INLAY_DYNAMIC, false, 0},
    {"i8, scales f32", INLAY_I8, INLAY_F32, false, 0.35},
    {"i8, scales f16", INLAY_I8, INLAY_F16, false, 0.35},
    {"u8, zero points, scales f16", INLAY_U8, INLAY_F16, true, 0.35},
    {"i4, groups, scales f32", INLAY_I4, INLAY_F32, true, 0.2},
    {"u4, groups, zero points, scales f16", INLAY_U4, INLAY_F16, true, 0.2},
    {"f16", INLAY_F16, INLAY_DYNAMIC, false, 0},
    {"bf16", INLAY_BF16, INLAY_DYNAMIC, false, 0},
};

enum { STORAGES = sizeof storages / sizeof storages[0] };

struct model {
    inlay_graph *g;
    inlay_program *p;
    inlay_session *s;
    double seconds[ROUNDS];
};

/* A constant whose elements differ; integers come from the whole range of their type. */
static inlay_value *constant(inlay_graph *g, inlay_type type, int rank, const int64_t *dims,
                             inlay_diags *d)
{
    inlay_tensor *t = inlay_tensor_new(type, rank, dims);
    inlay_value *v;

    if (!t)
        die("memory", NULL);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (inlay_type_is_int(type))
            inlay_tensor_set_i64(t, i, i * 7 + i / 11);
        else
            inlay_tensor_set_f64(t, i, (double)(i * 7 % 101 + 1) / 4096);
    }
    v = inlay_build_const(g, NULL, t, d);
    inlay_tensor_release(t);
    return v;
}

static inlay_value *node(inlay_graph *g, const char *op, inlay_value *x, inlay_value *y,
                         const char *attrs, inlay_diags *d)
{
    inlay_value *in[] = {x, y};
    inlay_node *n = x ? inlay_build(g, NULL, op, in, y ? 2 : 1, attrs, d) : NULL;

    if (!n)
        die(op, d);
    return &n->out[0];
}

/* The weights [SIZE, SIZE] of S, as exporters write them. */
static inlay_value *weights(inlay_graph *g, const struct storage *s, int64_t size, inlay_diags *d)
{
    const int64_t dims[] = {size, s->grouped ? size / GROUP : size, GROUP}, shape[] = {size, size};
    const int64_t one[] = {size, s->grouped ? size / GROUP : 1, 1};
    int rank = s->grouped ? 3 : 2;
    inlay_value *w = constant(g, s->weights, rank, dims, d);
    const char *type = s->scale == INLAY_F16 ? "destination_type=f16" : "destination_type=f32";

    if (s->weights == INLAY_F32)
        return w;
    w = node(g, "Convert", w, NULL, type, d);
    if (s->scale == INLAY_DYNAMIC)
        return w;
    if (s->weights == INLAY_U4 || s->weights == INLAY_U8)
        w = node(g, "Subtract", w,
                 node(g, "Convert", constant(g, s->weights, rank, one, d), NULL, type, d), NULL, d);
    w = node(g, "Multiply", w, constant(g, s->scale, rank, one, d), NULL, d);
    if (s->grouped)
        w = node(g, "Reshape", w, inlay_build_i64_list(g, NULL, shape, 2, d), "special_zero=false",
                 d);
    return s->scale == INLAY_F32 ? w : node(g, "Convert", w, NULL, "destination_type=f32", d);
}

static void compile(struct model *m, const struct storage *s, int64_t rows, int64_t size,
                    int threads)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("compressed", d);
    inlay_shape shape = {.rank = 2, .dim = {inlay_dim_of(rows), inlay_dim_of(size)}};
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_pass_options passes = {.evaluator = &e};
    inlay_exec_options exec = {.threads = threads};
    inlay_value *x = inlay_build_parameter(g, "x", INLAY_F32, &shape, d);
    inlay_value *y = node(g, "MatMul", x, weights(g, s, size, d), "transpose_b=true", d);

    if (!inlay_build_result(g, "y", y, d) || !inlay_run_passes(g, &passes, d))
        die("model", d);
    m->p = inlay_compile(g, &exec, d);
    m->s = m->p ? inlay_session_new(m->p, d) : NULL;
    if (!m->s)
        die("compile", d);
    m->g = g;
    inlay_diags_free(d);
}

static void run(struct model *m, const inlay_tensor *x, double *seconds)
{
    inlay_diags *d = inlay_diags_new();
    inlay_tensor *y = NULL;
    double start = now();

    if (!inlay_session_run(m->s, &x, NULL, &y, d))
        die("run", d);
    *seconds = now() - start;
    inlay_tensor_release(y);
    inlay_diags_free(d);
}

static double least(const struct model *m)
{
    double x = m->seconds[0];

    for (int i = 1; i < ROUNDS; i++)
        x = m->seconds[i] < x ? m->seconds[i] : x;
    return x;
}

/* Compares the smallest times, since other processes only ever make a run slower. */
static void print(const struct storage *s, const struct model *m, const struct model *f32)
{
    inlay_exec_stats stats;

    inlay_session_stats(m->s, &stats);
    printf("{\"weights\": \"%s\", \"min_us\": %.0f, ", s->name, least(m) * 1e6);
    if (m != f32)
        printf("\"ratio\": %.3f, ", least(m) / least(f32));
    if (s->limit > 0)
        printf("\"limit\": %.2f, ", s->limit);
    printf("\"packed_bytes\": %llu}\n", (unsigned long long)stats.packed_bytes);
}

/* Turns N uniform numbers into normally distributed ones, in pairs, that use all bits of a float.
 */
static void make_normal(float *x, int64_t n)
{
    for (int64_t i = 0; i + 1 < n; i += 2) {
        double size = sqrt(-2 * log((double)x[i] + 0.5 + 0x1p-25));
        double angle = 6.283185307 * (double)x[i + 1];

        x[i] = (float)(size * cos(angle));
        x[i + 1] = (float)(size * sin(angle));
    }
}

int main(int argc, char **argv)
{
    int64_t rows = argc > 1 ? atoll(argv[1]) : 1, size = argc > 2 ? atoll(argv[2]) : 4096;
    int64_t dims[] = {rows, size};
    static struct model m[STORAGES];
    double warm;
    inlay_tensor *x = inlay_tensor_new(INLAY_F32, 2, dims);

    if (!x)
        die("memory", NULL);
    fill(x->data, (size_t)(rows * size));
    make_normal(x->data, rows * size);
    for (int i = 0; i < STORAGES; i++) {
        compile(&m[i], &storages[i], rows, size, argc > 3 ? atoi(argv[3]) : 1);
        run(&m[i], x, &warm);
    }
    for (int k = 0; k < ROUNDS; k++) {
        for (int i = 0; i < STORAGES; i++)
            run(&m[i], x, &m[i].seconds[k]);
    }
    for (int i = 0; i < STORAGES; i++)
        print(&storages[i], &m[i], &m[0]);
    return 0;
}
