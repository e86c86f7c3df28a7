/* ONNX Runtime on the workloads of this folder, through its C API. usage: ort LIBRARY MODEL
 * WORKLOAD VARIANT THREADS, where VARIANT is "own output" (outputs go to fixed buffers) or "output
 * bound to input" (the result's buffer is the input's, which ONNX Runtime does not check). */
#include "bench/measure.h"
#include "bench/session.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE_FLOAT = 1, TYPE_INT64 = 7 };

struct ort {
    ort_library library;
    void *session, *memory;
    void *in[3], *out[2];
    float *data, *result, y;
    int64_t place, length, step;
};

static void open_session(struct ort *o, const char *path, const char *model, int threads)
{
    ort_library *l = &o->library;

    ort_open(l, path, threads);
    o->session = ort_session(l, model);
    ort_check(l, ((ort_create_memory_info *)l->api[ORT_CREATE_CPU_MEMORY_INFO])(ORT_ARENA_ALLOCATOR,
                                                                                0, &o->memory));
}

static void *tensor(const struct ort *o, void *data, int type, size_t rank, const int64_t *dims)
{
    size_t bytes = type == TYPE_INT64 ? sizeof(int64_t) : sizeof(float);
    void *out;

    for (size_t i = 0; i < rank; i++)
        bytes *= (size_t)dims[i];
    ort_check(&o->library, ((ort_create_tensor *)o->library.api[ORT_CREATE_TENSOR_WITH_DATA])(
                               o->memory, data, bytes, dims, rank, type, &out));
    return out;
}

static bool run(void *ctx)
{
    static const char *const in_names[] = {"x", "row", "place"}, *const out_names[] = {"out", "y"};
    struct ort *o = ctx;

    if (o->length)
        o->place = o->step++ % o->length;
    ort_check(&o->library, ((ort_run *)o->library.api[ORT_RUN])(
                               o->session, NULL, in_names, (const void *const *)o->in,
                               o->length ? 3 : 1, out_names, o->length ? 2 : 1, o->out));
    return true;
}

/* Fills o->in and o->out; returns the number of elements of the tensor. */
static size_t make_tensors(struct ort *o, bool bound)
{
    const int64_t chain[] = {ROWS, COLUMNS}, row[] = {1, HEADS, 1, WIDTH}, one[] = {1};
    const int64_t cache[] = {1, HEADS, o->length, WIDTH};
    const int64_t *dims = o->length ? cache : chain;
    size_t rank = o->length ? 4 : 2;
    size_t n = o->length ? (size_t)(HEADS * o->length * WIDTH) : (size_t)ROWS * COLUMNS;
    float *rows = touched(sizeof(float) * HEADS * WIDTH);

    o->data = touched(n * sizeof(float));
    o->result = bound ? o->data : touched(n * sizeof(float));
    fill(o->data, n);
    fill(rows, (size_t)HEADS * WIDTH);
    o->in[0] = tensor(o, o->data, TYPE_FLOAT, rank, dims);
    o->out[0] = tensor(o, o->result, TYPE_FLOAT, rank, dims);
    o->in[1] = tensor(o, rows, TYPE_FLOAT, 4, row);
    o->in[2] = tensor(o, &o->place, TYPE_INT64, 1, one);
    o->out[1] = tensor(o, &o->y, TYPE_FLOAT, 0, NULL);
    return n;
}

int main(int argc, char **argv)
{
    struct ort o = {0};
    char variant[128];
    measurement m = {"onnxruntime", "", variant, run, &o, 0, 0, ""};
    size_t n;

    if (argc != 6) {
        fprintf(stderr, "usage: ort LIBRARY MODEL WORKLOAD VARIANT THREADS\n");
        return 2;
    }
    m.workload = argv[3];
    if (strncmp(argv[3], "cache-", 6) == 0)
        o.length = atol(argv[3] + 6);
    open_session(&o, argv[1], argv[2], atoi(argv[5]));
    n = make_tensors(&o, strcmp(argv[4], "output bound to input") == 0);
    run(&o);
    m.check = o.length ? (double)o.y : sum(o.result, n);
    if (!o.length)
        m.memcpy_size = n * sizeof(float);
    snprintf(variant, sizeof variant, "%s", argv[4]);
    measure(&m);
    return 0;
}
