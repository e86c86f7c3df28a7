/* A step of a model whose caches are inputs and outputs, without copying them: for Inlay the inputs
 * are donated; ONNX Runtime's outputs are bound to the inputs' memory. usage: step LIBRARY MODEL
 * KERNELS
 *
 * Input pNAME and output nNAME are one cache. Runs alternate; one JSON line has the medians. */
#include "bench/measure.h"
#include "bench/session.h"
#include "inlay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32, RUNS = 2000, WARM_UP = 3 };

/* An input or output of the model, and its tensor in each library. */
struct value {
    const char *name;
    inlay_tensor *ours;
    float *memory; /* of ONNX Runtime's tensor */
    void *handle;
    int back; /* for an input, the number of the output that is the same cache; -1: none */
};

struct step {
    inlay_diags *d;
    inlay_model *m;
    inlay_session *s;
    const inlay_graph *g;
    ort_library library;
    void *peer, *place;
    struct value in[MOST], out[MOST];
    int n_in, n_out;
};

static void *handle_of(const struct step *s, const inlay_tensor *t, void *memory)
{
    void *handle;

    ort_check(&s->library, ((ort_create_tensor *)s->library.api[ORT_CREATE_TENSOR_WITH_DATA])(
                               s->place, memory, (size_t)inlay_tensor_bytes(t), t->dims,
                               (size_t)t->rank, inlay_type_info_of(t->type)->onnx, &handle));
    return handle;
}

/* Floats are functions of their index; integers are 0. */
static void make_input(struct step *s, int i)
{
    const inlay_node *p = s->g->params[i];
    struct value *v = &s->in[i];
    int64_t dims[INLAY_MAX_RANK];

    v->name = p->out[0].n_names > 0 ? p->out[0].names[0] : p->name;
    v->ours = inlay_fact_dims(&p->out[0].fact, dims)
                  ? inlay_tensor_new(p->out[0].fact.type, p->out[0].fact.rank, dims)
                  : NULL;
    if (!v->ours)
        die("input", NULL);
    if (v->ours->type == INLAY_F32)
        fill(v->ours->data, (size_t)inlay_tensor_count(v->ours));
    v->memory = touched((size_t)inlay_tensor_bytes(v->ours));
    memcpy(v->memory, v->ours->data, (size_t)inlay_tensor_bytes(v->ours));
    v->handle = handle_of(s, v->ours, v->memory);
}

static void run_ours(struct step *s)
{
    const inlay_tensor *in[MOST];
    inlay_tensor *out[MOST] = {NULL};
    bool donated[MOST];

    for (int i = 0; i < s->n_in; i++) {
        in[i] = s->in[i].ours;
        donated[i] = s->in[i].back >= 0;
    }
    if (!inlay_session_run(s->s, in, donated, out, s->d))
        die("run", s->d);
    for (int i = 0; i < s->n_in; i++) {
        if (donated[i]) {
            inlay_tensor_release(s->in[i].ours);
            s->in[i].ours = out[s->in[i].back];
            out[s->in[i].back] = NULL;
        }
    }
    for (int k = 0; k < s->n_out; k++) {
        inlay_tensor_release(s->out[k].ours);
        s->out[k].ours = out[k];
    }
}

static void run_peer(struct step *s)
{
    const char *in[MOST], *out[MOST];
    const void *in_handle[MOST];
    void *out_handle[MOST];

    for (int i = 0; i < s->n_in; i++) {
        in[i] = s->in[i].name;
        in_handle[i] = s->in[i].handle;
    }
    for (int i = 0; i < s->n_out; i++) {
        out[i] = s->out[i].name;
        out_handle[i] = s->out[i].handle;
    }
    ort_check(&s->library,
              ((ort_run *)s->library.api[ORT_RUN])(s->peer, NULL, in, in_handle, (size_t)s->n_in,
                                                   out, (size_t)s->n_out, out_handle));
}

static void find_ways_back(struct step *s)
{
    for (int i = 0; i < s->n_in; i++) {
        s->in[i].back = -1;
        for (int k = 0; k < s->n_out; k++) {
            if (s->in[i].name[0] == 'p' && s->out[k].name[0] == 'n' &&
                strcmp(s->in[i].name + 1, s->out[k].name + 1) == 0)
                s->in[i].back = k;
        }
    }
}

/* Each output of ONNX Runtime has the memory of the input that is the same cache, or its own. */
static void make_outputs(struct step *s)
{
    inlay_tensor *out[MOST] = {NULL};
    const inlay_tensor *in[MOST];

    for (int i = 0; i < s->n_in; i++)
        in[i] = s->in[i].ours;
    if (!inlay_session_run(s->s, in, NULL, out, s->d))
        die("run", s->d);
    for (int k = 0; k < s->n_out; k++) {
        struct value *v = &s->out[k];

        for (int i = 0; i < s->n_in; i++)
            v->memory = s->in[i].back == k ? s->in[i].memory : v->memory;
        if (!v->memory)
            v->memory = touched((size_t)inlay_tensor_bytes(out[k]));
        v->handle = handle_of(s, out[k], v->memory);
        inlay_tensor_release(out[k]);
    }
}

static void open_step(struct step *s, const char *library, const char *model, const char *kernels)
{
    inlay_load_options o = {.exec = {.threads = 1}};
    const char *const *names;

    if (strcmp(kernels, "onednn") == 0)
        o.exec.kernels = INLAY_KERNELS_ONEDNN;
    s->d = inlay_diags_new();
    s->m = inlay_load(model, &o, s->d);
    s->s = s->m ? inlay_session_new(s->m->program, s->d) : NULL;
    s->g = s->m ? s->m->graph : NULL;
    names = s->g ? inlay_result_names(s->g, s->d) : NULL;
    if (!s->s || !names || s->g->n_params > MOST || s->g->n_results > MOST)
        die("model", s->d);
    ort_open(&s->library, library, 1);
    s->peer = ort_session(&s->library, model);
    ort_check(&s->library, ((ort_create_memory_info *)s->library.api[ORT_CREATE_CPU_MEMORY_INFO])(
                               ORT_ARENA_ALLOCATOR, 0, &s->place));
    s->n_in = s->g->n_params;
    s->n_out = s->g->n_results;
    for (int i = 0; i < s->n_in; i++)
        make_input(s, i);
    for (int k = 0; k < s->n_out; k++)
        s->out[k].name = names[k];
    find_ways_back(s);
    make_outputs(s);
}

/* Ends the program unless both libraries have the same results, including caches. */
static void agree(const struct step *s)
{
    for (int i = 0; i < s->n_in + s->n_out; i++) {
        const struct value *v = i < s->n_in ? &s->in[i] : &s->out[i - s->n_in];
        const inlay_tensor *t = v->ours;

        for (int64_t k = 0; t && t->type == INLAY_F32 && k < inlay_tensor_count(t); k++) {
            float x = ((const float *)t->data)[t->offset + k], y = v->memory[k];

            if (!(fabsf(x - y) <= 1e-3F + 1e-3F * fabsf(y))) {
                fprintf(stderr, "bench: \"%s\", element %lld is %g, and %g to ONNX Runtime\n",
                        v->name, (long long)k, (double)x, (double)y);
                exit(1);
            }
        }
    }
}

int main(int argc, char **argv)
{
    static double ours[RUNS], peers[RUNS];
    const char *limit = getenv("BENCH_SECONDS");
    double seconds = limit ? atof(limit) : 1, begin;
    struct step s = {0};
    int n = 0;

    if (argc != 4) {
        fprintf(stderr, "usage: step LIBRARY MODEL portable|onednn\n");
        return 2;
    }
    open_step(&s, argv[1], argv[2], argv[3]);
    for (int i = 0; i < WARM_UP; i++) {
        run_ours(&s);
        run_peer(&s);
    }
    agree(&s);
    begin = now();
    while (n < RUNS && (n < WARM_UP || now() - begin < 2 * seconds)) {
        double start = now();

        run_ours(&s);
        ours[n] = now() - start;
        start = now();
        run_peer(&s);
        peers[n++] = now() - start;
    }
    printf("{\"median_us\": %.2f, \"compare\": {\"median_us\": %.2f}, \"runs\": %d}\n",
           median(ours, n) * 1e6, median(peers, n) * 1e6, n);
    return 0;
}
