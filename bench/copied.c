/* How many bytes ONNX Runtime copies in a run of a model. Its library calls the memcpy and memmove
 * that this program defines, and these count; loops that copy element by element are not counted.
 * usage: copied LIBRARY [--bound] MODEL... prints a line for each model: its name, and the bytes of
 * the third run, when session and arena exist. Inputs are zeros. --bound: an output present* has
 * the memory of the input past*, where both have one shape. */
#include "bench/measure.h"
#include "bench/session.h"
#include "ir/shared.h"
#include "parser/parser.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_PORTS = 16,
    LEAST = 64, /* bytes of a call that counts: smaller ones copy names and shapes, not tensors */
    RUNS = 3
};

typedef void *copy_fn(void *to, const void *from, size_t n);

/* What the two functions below count. It is global because the library calls them as it calls those
 * of C, without a context. */
static struct {
    bool on;
    size_t bytes;
} counted;

static void count(size_t n)
{
    if (counted.on && n >= LEAST)
        counted.bytes += n;
}

/* Copies byte by byte, until the functions of C are found. */
static void *copy_bytes(void *to, const void *from, size_t n)
{
    volatile char *y = to;
    const volatile char *x = from;

    for (size_t i = 0; i < n; i++) {
        size_t k = y < x ? i : n - 1 - i;

        y[k] = x[k];
    }
    return to;
}

/* The C library's function NAME, looked up once. The lookup itself calls memcpy. */
static copy_fn *next_of(const char *name, copy_fn **found)
{
    void *symbol;

    if (!*found) {
        *found = copy_bytes;
        symbol = dlsym(RTLD_NEXT, name);
        if (symbol)
            *(void **)found = symbol;
    }
    return *found;
}

INLAY_API void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    static copy_fn *next;

    count(n);
    return next_of("memcpy", &next)(to, from, n);
}

INLAY_API void *memmove(void *to, const void *from, size_t n)
{
    static copy_fn *next;

    count(n);
    return next_of("memmove", &next)(to, from, n);
}

struct inputs {
    const char *names[MAX_PORTS];
    void *handles[MAX_PORTS];
};

/* The input of G that output K is to be written over; NULL: none. */
static void *bound_to(const inlay_graph *g, const struct inputs *in, const char *name, int k)
{
    const inlay_fact *out = &inlay_node_input(g->results[k], 0)->fact;

    for (int i = 0; i < g->n_params; i++) {
        if (strncmp(name, "present", 7) == 0 && strncmp(in->names[i], "past", 4) == 0 &&
            strcmp(name + 7, in->names[i] + 4) == 0 &&
            inlay_fact_same_shape(out, &g->params[i]->out[0].fact))
            return in->handles[i];
    }
    return NULL;
}

static void make_inputs(const ort_library *l, const inlay_graph *g, struct inputs *in)
{
    void *memory;

    ort_check(l, ((ort_create_memory_info *)l->api[ORT_CREATE_CPU_MEMORY_INFO])(ORT_ARENA_ALLOCATOR,
                                                                                0, &memory));
    for (int i = 0; i < g->n_params; i++) {
        const inlay_value *v = &g->params[i]->out[0];
        int64_t dims[INLAY_MAX_RANK];
        inlay_tensor *t = inlay_fact_dims(&v->fact, dims)
                              ? inlay_tensor_new(v->fact.type, v->fact.rank, dims)
                              : NULL;

        if (!t)
            die("an input of open size", NULL);
        in->names[i] = v->n_names > 0 ? v->names[0] : g->params[i]->name;
        ort_check(l, ((ort_create_tensor *)l->api[ORT_CREATE_TENSOR_WITH_DATA])(
                         memory, t->data, (size_t)inlay_tensor_bytes(t), t->dims, (size_t)t->rank,
                         inlay_type_info_of(t->type)->onnx, &in->handles[i]));
    }
}

static void count_model(const ort_library *l, const char *path, bool bound)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_file(path, NULL, d);
    void *session = ort_session(l, path);
    struct inputs in = {0};
    const char *const *outs = g ? inlay_result_names(g, d) : NULL;

    if (!outs || g->n_params > MAX_PORTS || g->n_results > MAX_PORTS)
        die(path, d);
    make_inputs(l, g, &in);
    for (int i = 0; i < RUNS; i++) {
        void *results[MAX_PORTS] = {NULL}; /* never freed, nor are the inputs */

        for (int k = 0; bound && k < g->n_results; k++)
            results[k] = bound_to(g, &in, outs[k], k);
        counted.bytes = 0;
        counted.on = true;
        ort_check(l, ((ort_run *)l->api[ORT_RUN])(
                         session, NULL, in.names, (const void *const *)in.handles,
                         (size_t)g->n_params, outs, (size_t)g->n_results, results));
        counted.on = false;
    }
    printf("%s %zu\n", path, counted.bytes);
    ort_release(l, session);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

int main(int argc, char **argv)
{
    ort_library library;

    if (argc < 3) {
        fprintf(stderr, "usage: copied LIBRARY [--bound] MODEL...\n");
        return 2;
    }
    ort_open(&library, argv[1], 1);
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--bound") != 0)
            count_model(&library, argv[i], strcmp(argv[2], "--bound") == 0);
    }
    return 0;
}
