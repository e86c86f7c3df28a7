/* ONNX Runtime as a peer: `inlay bench MODEL.onnx --compare onnxruntime` runs it in turn with us,
 * on the same file and the same inputs. Its library is found by the loader, or named; it is not
 * linked. */
#include "cli/bench.h"
#include "cli/onnxruntime.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Our tensors that the peer reads or writes, and its own handles of them. */
struct side {
    const char **names;
    inlay_tensor **tensors;
    void **handles;
    int n;
};

struct bench_peer {
    const ort_function *api;
    void *session, *memory;
    struct side in, out; /* out is made at the first turn, when shapes are known */
    bench_samples samples;
    double load_us;
};

static bool fails(const bench_peer *p, const void *status, inlay_diags *d)
{
    if (status)
        inlay_fail(d, NULL, "ONNX Runtime: %s",
                   ((ort_error_message *)p->api[ORT_GET_ERROR_MESSAGE])(status));
    return status != NULL;
}

static bool open_library(bench_peer *p, const char *path, inlay_diags *d)
{
    static const char *const usual[] = {"libonnxruntime.so", "libonnxruntime.so.1"};
    void *library = NULL, *symbol;
    ort_get_base *get_base = NULL;

    for (size_t i = 0; !library && i < (path ? 1 : 2); i++)
        library = dlopen(path ? path : usual[i], RTLD_NOW);
    symbol = library ? dlsym(library, "OrtGetApiBase") : NULL;
    if (!symbol)
        return inlay_fail(
            d, NULL, "ONNX Runtime is not there (--onnxruntime names its library): %s", dlerror());
    memcpy(&get_base, &symbol, sizeof symbol); /* ISO C has no cast from one to the other */
    p->api = get_base()->get_api(ORT_API_VERSION);
    return p->api || inlay_fail(d, NULL, "this ONNX Runtime is too old");
}

static bool open_session(bench_peer *p, const char *model, int threads, inlay_diags *d)
{
    double start = bench_now_us();
    void *env, *options;
    bool ok =
        !fails(p, ((ort_create_env *)p->api[ORT_CREATE_ENV])(ORT_LOG_ERROR, "inlay", &env), d) &&
        !fails(p, ((ort_create_options *)p->api[ORT_CREATE_SESSION_OPTIONS])(&options), d) &&
        !fails(p, ((ort_set_threads *)p->api[ORT_SET_INTRA_OP_NUM_THREADS])(options, threads), d) &&
        !fails(p,
               ((ort_create_session *)p->api[ORT_CREATE_SESSION])(env, model, options, &p->session),
               d) &&
        !fails(p,
               ((ort_create_memory_info *)p->api[ORT_CREATE_CPU_MEMORY_INFO])(ORT_ARENA_ALLOCATOR,
                                                                              0, &p->memory),
               d);

    p->load_us = bench_now_us() - start;
    return ok;
}

/* Makes tensor number I of S from a dense copy of T; without CONTENTS the copy only has T's type
 * and dims. */
static bool add_tensor(const bench_peer *p, struct side *s, int i, const char *name,
                       const inlay_tensor *t, bool contents, inlay_diags *d)
{
    int type = inlay_type_info_of(t->type)->onnx;

    if (t->type == INLAY_STRING || type == 0)
        return inlay_fail(d, NULL, "\"%s\": ONNX Runtime is not given tensors of type %s", name,
                          inlay_type_info_of(t->type)->name);
    s->names[i] = name;
    s->tensors[i] = inlay_tensor_new(t->type, t->rank, t->dims);
    if (!s->tensors[i] || (contents && !inlay_tensor_assign(s->tensors[i], t)))
        return inlay_fail_memory(d);
    return !fails(p,
                  ((ort_create_tensor *)p->api[ORT_CREATE_TENSOR_WITH_DATA])(
                      p->memory, s->tensors[i]->data, (size_t)inlay_tensor_bytes(t), t->dims,
                      (size_t)t->rank, type, &s->handles[i]),
                  d);
}

static bool side_begin(struct side *s, int n, inlay_diags *d)
{
    *s = (struct side){calloc((size_t)n + 1, sizeof *s->names),
                       calloc((size_t)n + 1, sizeof(inlay_tensor *)),
                       calloc((size_t)n + 1, sizeof *s->handles), n};
    return (s->names && s->tensors && s->handles) || inlay_fail_memory(d);
}

static void side_end(struct side *s)
{
    for (int i = 0; s->tensors && i < s->n; i++)
        inlay_tensor_release(s->tensors[i]);
    free(s->names);
    free(s->tensors);
    free(s->handles);
}

/* In ONNX a value is known by the name of its tensor. */
static const char *name_of(const inlay_node *parameter)
{
    const inlay_value *v = &parameter->out[0];

    return v->n_names > 0 ? v->names[0] : parameter->name;
}

static bool take_inputs(bench_peer *p, const inlay_graph *g, const cli_inputs *in, inlay_diags *d)
{
    bool ok = side_begin(&p->in, g->n_params, d);

    for (int i = 0; ok && i < g->n_params; i++)
        ok = add_tensor(p, &p->in, i, name_of(g->params[i]), in->tensors[i], true, d);
    return ok;
}

bench_peer *bench_peer_new(const char *library, const char *model, const inlay_graph *g,
                           const char *const *outputs, const cli_inputs *in, int threads,
                           inlay_diags *d)
{
    bench_peer *p = calloc(1, sizeof *p);
    bool ok = p || inlay_fail_memory(d);

    ok = ok && open_library(p, library, d) && open_session(p, model, threads, d) &&
         take_inputs(p, g, in, d) && side_begin(&p->out, g->n_results, d);
    for (int i = 0; ok && i < g->n_results; i++)
        p->out.names[i] = outputs[i];
    if (ok)
        return p;
    bench_peer_free(p);
    return NULL;
}

static bool run(bench_peer *p, inlay_diags *d)
{
    return !fails(p,
                  ((ort_run *)p->api[ORT_RUN])(p->session, NULL, p->in.names,
                                               (const void *const *)p->in.handles, (size_t)p->in.n,
                                               p->out.names, (size_t)p->out.n, p->out.handles),
                  d);
}

/* The first turn: checks that the peer computes the same as we do. */
static bool first_run(bench_peer *p, inlay_tensor *const *out, inlay_diags *d)
{
    const inlay_compare_options near = {.rtol = 1e-3, .atol = 1e-4};
    char why[512];

    for (int i = 0; i < p->out.n; i++) {
        if (!add_tensor(p, &p->out, i, p->out.names[i], out[i], false, d))
            return false;
    }
    if (!run(p, d))
        return false;
    for (int i = 0; i < p->out.n; i++) {
        if (!inlay_compare_tensors(p->out.tensors[i], out[i], &near, why, sizeof why))
            inlay_warn(d, NULL, "output \"%s\" is not what ONNX Runtime computes: %s",
                       p->out.names[i], why);
    }
    return true;
}

bool bench_peer_turn(void *peer, inlay_tensor *const *out, bool measured, inlay_diags *d)
{
    bench_peer *p = peer;
    double start;

    if (p->out.n > 0 && !p->out.tensors[0])
        return first_run(p, out, d);
    start = bench_now_us();
    return run(p, d) &&
           (!measured || bench_sample(&p->samples, bench_now_us() - start) || inlay_fail_memory(d));
}

bench_samples *bench_peer_samples(bench_peer *p)
{
    return &p->samples;
}

double bench_peer_load_us(const bench_peer *p)
{
    return p->load_us;
}

void bench_peer_free(bench_peer *p)
{
    if (!p)
        return;
    side_end(&p->in);
    side_end(&p->out);
    free(p->samples.us);
    free(p);
}
