/* Decoders as exporters write them: $INLAY_DECODERS/NAME/model.onnx, whose inputs past_* are its
 * outputs present_* of the step before. Each adds 32 tokens, of which the likeliest is the next one.
 * Without that folder there is nothing to do: tests/in_place/test_decoders.sh provides it. */
#include "front/front.h"
#include "graphs.h"
#include "parser/parser.h"
#include "passes/passes.h"

#include <dirent.h>
#include <math.h>

/* How the cache goes from step to step. */
typedef enum binding { REFERENCE, KEPT, DONATED, CARRIED } binding;

enum { PORTS = 64, TOKENS = 32, PAST = 11, SIZES = 64 };

typedef struct exported {
    inlay_model *m;
    inlay_session *session;
    inlay_diags *d;
    inlay_tensor *in[PORTS];
    int present[PORTS]; /* for an input, the output that it is in the next step; -1: none */
    binding by;
    int64_t length, fresh, token; /* rows that there are; tokens of a step; the last one of it */
    uint64_t copied, rows;        /* bytes of all steps but the first */
    int grown;                    /* steps that copied a state for lack of room */
} exported;

static inlay_tensor *tensor(inlay_type type, int rank, const int64_t *dims)
{
    inlay_tensor *t = inlay_tensor_new(type, rank, dims);

    assert_non_null(t);
    return t;
}

#define TENSOR(type, ...)                                                                          \
    tensor(type, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t),                         \
           (const int64_t[]){__VA_ARGS__})

static const char *name_of(const inlay_node *param)
{
    return param->out[0].n_names > 0 ? param->out[0].names[0] : param->name;
}

/* Sets in X which outputs of G come back. */
static void pair_ports(exported *x, inlay_graph *g)
{
    const char *const *names = inlay_result_names(g, x->d);
    inlay_carried pairs[PORTS];
    int n = 0;

    assert_true(names && g->n_params <= PORTS && g->n_results <= PORTS);
    for (int i = 0; i < g->n_params; i++) {
        const char *name = name_of(g->params[i]);
        char present[200];

        snprintf(present, sizeof present, "present%s", strncmp(name, "past", 4) ? "" : name + 4);
        x->present[i] = inlay_graph_find_output(g, names, present, strlen(present));
        x->present[i] = x->present[i] < 0 ? -1 : x->present[i];
        if (x->present[i] >= 0)
            pairs[n++] = (inlay_carried){x->present[i], i};
    }
    assert_true(n > 0);
    if (x->by == CARRIED && !inlay_graph_carry(g, pairs, n, x->d))
        fail_msg("%s", inlay_diags_at(x->d, 0)->text);
}

/* An input for the first step: caches of PAST rows. */
static inlay_tensor *first_input(const inlay_fact *f, bool cache)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor *t;

    for (int i = 0; i < f->rank; i++)
        dims[i] = inlay_dim_is_static(f->dims[i]) ? f->dims[i].lo : cache ? PAST : 1;
    t = tensor(f->type, f->rank, dims);
    for (int64_t i = 0; cache && i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i, (double)(i * 7 % 17 - 8) / 16);
    return t;
}

static exported open_exported(const char *path, binding by)
{
    const inlay_load_options o = {
        .exec = {.mode = by == REFERENCE ? INLAY_EXEC_REFERENCE : INLAY_EXEC_PLANNED,
                 .threads = 1}};
    exported x = {.d = inlay_diags_new(), .by = by, .length = PAST, .token = 5};
    inlay_graph *g = inlay_read_file(path, NULL, x.d);

    if (!g)
        fail_msg("%s", inlay_diags_at(x.d, 0)->text);
    pair_ports(&x, g);
    x.m = inlay_load_graph(g, &o, x.d);
    x.session = x.m ? inlay_session_new(x.m->program, x.d) : NULL;
    if (!x.session)
        fail_msg("%s", inlay_diags_at(x.d, 0)->text);
    for (int i = 0; i < x.m->graph->n_params; i++) {
        x.in[i] = first_input(&x.m->graph->params[i]->out[0].fact, x.present[i] >= 0);
        if (strcmp(name_of(x.m->graph->params[i]), "tokens") == 0)
            x.fresh = x.in[i]->dims[1];
    }
    return x;
}

/* The inputs of the next step that are no caches: tokens, their positions, and a mask of all. */
static void next_inputs(exported *x)
{
    for (int i = 0; i < x->m->graph->n_params; i++) {
        const char *name = name_of(x->m->graph->params[i]);
        bool mask = strstr(name, "mask"), places = strstr(name, "position");
        int64_t n = mask ? x->length + x->fresh : x->fresh;

        if (x->present[i] >= 0)
            continue;
        inlay_tensor_release(x->in[i]);
        x->in[i] = TENSOR(INLAY_I64, 1, n);
        for (int64_t k = 0; k < n; k++)
            inlay_tensor_set_i64(x->in[i], k,
                                 mask     ? 1
                                 : places ? x->length + k
                                          : (x->token + k) % 97);
    }
}

/* Bytes of all caches that X is given, and in *ROWS of those that a step adds to them. */
static uint64_t cache_bytes(const exported *x, uint64_t *rows)
{
    uint64_t all = 0;

    *rows = 0;
    for (int i = 0; i < x->m->graph->n_params; i++) {
        uint64_t row = 0;

        if (x->present[i] >= 0 && x->in[i]->dims[2] > 0)
            row = inlay_tensor_bytes(x->in[i]) / (uint64_t)x->in[i]->dims[2];
        all += row * (uint64_t)x->length;
        *rows += row * (uint64_t)x->fresh;
    }
    return all;
}

/* A step of one token copies the new row of each head, a byte for each row that the mask tells of,
 * and some lists of sizes; once, where the room of the states is used up, they are copied, too. */
static void check_bytes(exported *x, uint64_t copied, uint64_t rows, uint64_t all)
{
    uint64_t most = rows + (uint64_t)x->length + (uint64_t)x->fresh + SIZES;

    x->grown += copied > most;
    if (x->grown > 1 || copied > most + all)
        fail_msg("%llu bytes are copied behind %lld rows, %llu may be", (unsigned long long)copied,
                 (long long)x->length, (unsigned long long)most);
}

/* Sets the next token, and counts bytes. */
static void look(exported *x, const inlay_tensor *logits, int step)
{
    int64_t all = inlay_tensor_count(logits), n = logits->dims[logits->rank - 1], best = all - n;
    inlay_exec_stats s;
    uint64_t rows, caches = cache_bytes(x, &rows);

    for (int64_t i = best; i < all; i++)
        best = inlay_tensor_get_f64(logits, i) > inlay_tensor_get_f64(logits, best) ? i : best;
    x->token = best - (all - n);
    inlay_session_stats(x->session, &s);
    if (step == 0)
        return;
    x->copied += s.copied_bytes;
    x->rows += rows;
    if (x->by == CARRIED && x->fresh == 1)
        check_bytes(x, s.copied_bytes, rows, caches);
}

/* A step; returns its logits. */
static inlay_tensor *step_exported(exported *x, int step)
{
    inlay_tensor *out[PORTS] = {NULL};
    bool donated[PORTS];

    next_inputs(x);
    for (int i = 0; i < PORTS; i++)
        donated[i] = x->by == DONATED && x->present[i] >= 0;
    if (!inlay_session_run(x->session, (const inlay_tensor *const *)x->in, donated, out, x->d))
        fail_msg("%s", inlay_diags_at(x->d, 0)->text);
    look(x, out[0], step);
    for (int i = 0; i < x->m->graph->n_params && x->by != CARRIED; i++) {
        if (x->present[i] < 0)
            continue;
        inlay_tensor_release(x->in[i]);
        x->in[i] = out[x->present[i]];
    }
    x->length += x->fresh;
    return out[0];
}

static void free_exported(exported *x)
{
    for (int i = 0; i < x->m->graph->n_params; i++)
        inlay_tensor_release(x->in[i]);
    inlay_session_free(x->session);
    inlay_model_free(x->m);
    inlay_diags_free(x->d);
}

/* The reference is left out: products of codes have sums of their own. */
static void play_exported(const char *folder, const char *name)
{
    exported x[4];
    char path[2000];

    snprintf(path, sizeof path, "%s/%s/model.onnx", folder, name);
    for (int i = KEPT; i <= CARRIED; i++)
        x[i] = open_exported(path, (binding)i);
    for (int k = 0; k < TOKENS / x[KEPT].fresh; k++) {
        inlay_tensor *y[4];

        for (int i = KEPT; i <= CARRIED; i++) {
            y[i] = step_exported(&x[i], k);
            if (x[i].token != x[KEPT].token ||
                memcmp(y[i]->data, y[KEPT]->data, inlay_tensor_bytes(y[KEPT])) != 0)
                fail_msg("%s, step %d: binding %d gives other bits", name, k, i);
        }
        for (int i = KEPT; i <= CARRIED; i++)
            inlay_tensor_release(y[i]);
    }
    print_message("# %s: %llu bytes are new, %llu are copied carried, %llu donated, %llu kept\n",
                  name, (unsigned long long)x[CARRIED].rows, (unsigned long long)x[CARRIED].copied,
                  (unsigned long long)x[DONATED].copied, (unsigned long long)x[KEPT].copied);
    for (int i = KEPT; i <= CARRIED; i++)
        free_exported(&x[i]);
}

static void test_exported(void **state)
{
    const char *folder = getenv("INLAY_DECODERS");
    DIR *d = folder ? opendir(folder) : NULL;

    if (!folder)
        return;
    assert_non_null(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        if (strncmp(e->d_name, "d_", 2) == 0)
            play_exported(folder, e->d_name);
    }
    closedir(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exported)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
