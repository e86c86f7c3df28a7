/*
 * Loads, optimises, runs and frees models from several threads under a limit of memory, while allocations fail.
 * usage: soak SECONDS THREADS N MODEL...
 *
 * First each model is run alone, and the digest of its outputs kept; the first N that need little memory are taken. Then each thread takes one model after another by
 * chance, with limits of memory and numbers of threads by chance. A load or a run either succeeds, and then the digest
 * must be the same, or memory ran out, and that must be the status. At the end as many blocks are alive as before, the
 * memory of the process has not grown, and no thread stood still.
 */
#include "../oom/failing_malloc.c"

#include "inlay.h"

#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <time.h>

enum { MOST_INPUTS = 16 << 20 /* bytes */ };
enum {
    MOST_MODELS = 64,
    MOST_THREADS = 64,
    MOST_TENSORS = 32,
    RUNS = 3,
    EVERY = 5 /* seconds between two looks */
};
enum { STILL = 60 /* seconds in which a thread must do something */, MOST_LOOKS = 4096 };

static struct model {
    const char *path;
    uint64_t digest;
} models[MOST_MODELS];
static int n_models;
static atomic_bool over;
static atomic_int wrong;

static struct worker {
    pthread_t id;
    uint64_t random;
    atomic_ulong loads, runs, refusals;
} workers[MOST_THREADS];

static uint64_t draw(uint64_t *state, uint64_t below) /* splitmix64 */
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % below;
}

static uint64_t add(uint64_t hash, const void *bytes, size_t n) /* FNV-1a */
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Needs no memory. */
static uint64_t digest_of(uint64_t hash, const inlay_tensor *t)
{
    hash = add(hash, &t->type, sizeof t->type);
    hash = add(hash, t->dims, (size_t)t->rank * sizeof *t->dims);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (t->type == INLAY_STRING) {
            inlay_string s = inlay_tensor_get_string(t, i);
            hash = add(hash, s.bytes, s.length);
        } else if (t->type != INLAY_ITEM) {
            double x = inlay_tensor_get_f64(t, i);
            int64_t n = inlay_type_is_float(t->type) ? 0 : inlay_tensor_get_i64(t, i);

            hash = add(add(hash, &x, sizeof x), &n, sizeof n);
        }
    }
    return hash;
}

static void release_all(inlay_tensor **list)
{
    for (int i = 0; i < MOST_TENSORS; i++)
        inlay_tensor_release(list[i]);
}

/* Runs the loaded model, each time from the same state. True: all went well. */
static bool run_model(const inlay_model *m, int runs, uint64_t *digest, inlay_diags *d)
{
    inlay_tensor *in[MOST_TENSORS] = {NULL}, *out[MOST_TENSORS] = {NULL};
    inlay_session *s = inlay_session_new(m->program, d);
    bool ok =
        s && inlay_make_inputs(m->graph,
                               &(inlay_make_options){.seed = 7, .max_memory = MOST_INPUTS}, in, d);

    for (int i = 0; ok && i < runs; i++) {
        uint64_t hash = UINT64_C(0xcbf29ce484222325);

        inlay_session_reset(s);
        ok = inlay_session_run(s, (const inlay_tensor *const *)in, NULL, out, d);
        for (int k = 0; ok && k < m->graph->n_results; k++)
            hash = digest_of(hash, out[k]);
        release_all(out);
        memset(out, 0, sizeof out);
        ok = ok && (i == 0 || hash == *digest);
        *digest = hash;
    }
    release_all(in);
    inlay_session_free(s);
    return ok;
}

/* Returns INLAY_OK with a digest, or why there is none. */
static inlay_status load_and_run(const char *path, const inlay_load_options *o, uint64_t *digest,
                                 char *said, size_t size)
{
    inlay_diags *d = inlay_diags_new();
    inlay_model *m = d ? inlay_load(path, o, d) : NULL;
    bool fits = m && m->graph->n_params <= MOST_TENSORS && m->graph->n_results <= MOST_TENSORS;
    bool ok = fits && run_model(m, RUNS, digest, d);
    inlay_status status = !d ? INLAY_NO_RESOURCE : ok ? INLAY_OK : inlay_diags_status(d);
    const inlay_diag *first = inlay_diags_error(d);

    snprintf(said, size, "%s", first ? first->text : ok ? "" : "the results of two runs differ");
    inlay_model_free(m);
    inlay_diags_free(d);
    return ok || status != INLAY_OK ? status : INLAY_INVALID;
}

static inlay_load_options options_by_chance(uint64_t *random)
{
    static const uint64_t limits[] = {0, 64 << 20, 4 << 20, 256 << 10, 32 << 10};
    inlay_load_options o = {0};

    o.read.max_memory = limits[draw(random, 5)];
    o.exec.max_memory = limits[draw(random, 5)];
    o.exec.threads = 1 + (int)draw(random, 3);
    o.exec.mode = draw(random, 4) == 0 ? INLAY_EXEC_REFERENCE : INLAY_EXEC_PLANNED;
    return o;
}

static void *work(void *arg)
{
    struct worker *w = arg;

    while (!over) {
        struct model *m = &models[draw(&w->random, (uint64_t)n_models)];
        inlay_load_options o = options_by_chance(&w->random);
        uint64_t digest = 0;
        char said[200];
        inlay_status status = load_and_run(m->path, &o, &digest, said, sizeof said);

        w->loads++;
        w->runs += status == INLAY_OK ? RUNS : 0;
        w->refusals += status == INLAY_NO_RESOURCE;
        if ((status == INLAY_OK && digest != m->digest) ||
            (status != INLAY_OK && status != INLAY_NO_RESOURCE)) {
            printf("# %s: status %d, digest %016" PRIx64 " of %016" PRIx64 ": %s\n", m->path,
                   (int)status, digest, m->digest, said);
            wrong++;
        }
    }
    return NULL;
}

static long resident_kib(void)
{
    char line[200];
    long pages = 0, unused;
    FILE *f = fopen("/proc/self/statm", "r");

    if (f && (!fgets(line, sizeof line, f) || sscanf(line, "%ld %ld", &unused, &pages) != 2))
        pages = 0;
    if (f)
        fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Each thread must have done something since the last look. */
static bool all_go_on(int n, unsigned long *seen, time_t *since)
{
    for (int i = 0; i < n; i++) {
        unsigned long now = workers[i].loads;

        if (now != seen[i])
            since[i] = time(NULL);
        seen[i] = now;
        if (time(NULL) - since[i] > STILL)
            return false;
    }
    return true;
}

/* Lets one allocation fail now and then, sometimes many. */
static void disturb(uint64_t *random)
{
    fail_on = 0;
    fail_more = draw(random, 8) == 0 ? (long)draw(random, 50) : 0;
    fail_at = calls + 1 + (long)draw(random, 20000);
}

static int watch(int seconds, int threads, long *rss)
{
    unsigned long seen[MOST_THREADS] = {0};
    time_t since[MOST_THREADS], end = time(NULL) + seconds, look = 0;
    uint64_t random = 1;
    int n = 0;

    for (int i = 0; i < threads; i++)
        since[i] = time(NULL);
    while (time(NULL) < end) {
        usleep(20000);
        disturb(&random);
        if (time(NULL) < look)
            continue;
        look = time(NULL) + EVERY;
        if (n < MOST_LOOKS)
            rss[n++] = resident_kib();
        if (!all_go_on(threads, seen, since)) {
            printf("not ok 1 - no thread stands still\n");
            fflush(stdout);
            _exit(1);
        }
    }
    return n;
}

static long most_of(const long *list, int from, int to)
{
    long most = 0;

    for (int i = from; i < to; i++)
        most = list[i] > most ? list[i] : most;
    return most;
}

static int check(int number, bool ok, const char *what)
{
    printf("%s %d - %s\n", ok ? "ok" : "not ok", number, what);
    return !ok;
}

/* Returns whether WANTED models were found. */
static bool learn(int wanted, char **paths)
{
    const inlay_load_options o = {.exec.max_memory = 4 * MOST_INPUTS};

    for (; *paths && n_models < wanted; paths++) {
        struct model *m = &models[n_models];
        char said[200];
        inlay_status status = load_and_run(*paths, &o, &m->digest, said, sizeof said);

        m->path = *paths;
        n_models += status == INLAY_OK;
        if (status != INLAY_OK)
            printf("# left out: %s: %s\n", *paths, said);
    }
    return n_models == wanted;
}

int main(int argc, char **argv)
{
    int seconds = argc > 4 ? atoi(argv[1]) : 0, threads = argc > 4 ? atoi(argv[2]) : 0, looks,
        failed = 0;
    unsigned long loads = 0, runs = 0, refusals = 0;
    static long rss[MOST_LOOKS];
    long before;

    if (threads < 1 || threads > MOST_THREADS || seconds < 1 || atoi(argv[3]) > MOST_MODELS)
        return 2;
    setvbuf(stdout, printed, _IOLBF, sizeof printed);
    mallopt(M_ARENA_MAX, 2); /* what one arena holds back says nothing of the others */
    if (!learn(atoi(argv[3]), argv + 4))
        return 2;
    before = live;
    for (int i = 0; i < threads; i++) {
        workers[i].random = 1000 + (uint64_t)i;
        if (pthread_create(&workers[i].id, NULL, work, &workers[i]) != 0)
            return 2;
    }
    looks = watch(seconds, threads, rss);
    over = true;
    fail_at = 0;
    for (int i = 0; i < threads; i++) {
        pthread_join(workers[i].id, NULL);
        loads += workers[i].loads;
        runs += workers[i].runs;
        refusals += workers[i].refusals;
    }
    printf("# result: %d models, %d threads, %d s: %lu loads, %lu runs with the right digest, %lu "
           "times no memory; resident "
           "at most %ld MiB in the first half, %ld MiB in the second; %ld allocations\n",
           n_models, threads, seconds, loads, runs, refusals, most_of(rss, 0, looks / 2) / 1024,
           most_of(rss, looks / 2, looks) / 1024, (long)calls);
    failed += check(1, true, "no thread stands still");
    failed += check(2, wrong == 0, "results are right, or memory ran out");
    failed += check(3, runs > 0 && refusals > 0, "runs succeed, and memory runs out");
    failed += check(
        4, looks < 8 || most_of(rss, looks / 2, looks) <= most_of(rss, 0, looks / 2) * 11 / 10,
        "memory is flat");
    failed += check(5, live - before <= 2 * threads, "all is freed");
    printf("1..5\n");
    return failed > 0;
}
