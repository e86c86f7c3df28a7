/* The table of passes and pipelines: the rows of passes.def, and those that the caller adds. */
#include "passes/registry.h"
#include "ir/shared.h"
#include "passes/pass.h"

#include <stdlib.h>
#include <string.h>

#define PASS(name, function, summary) inlay_pass_fn pass_##function;
#define PIPELINE(...)
#include "passes/passes.def"
#undef PASS
#undef PIPELINE

/* The built-in registry has no arena; the names of the others are in theirs. */
struct inlay_pass_registry {
    const pass *passes;
    size_t n_passes;
    const inlay_pipeline_info *pipelines;
    size_t n_pipelines;
    inlay_arena *arena;
    const char *file; /* the file from which passes are being added, or NULL */
};

static const pass passes[] = {
#define ROW(name, function, summary, each, exactness)                                              \
    {{name, summary}, pass_##function, NULL, true, each, exactness},
#define PASS(name, function, summary) ROW(name, function, summary, false, INLAY_EXACT)
#define EACH(name, function, summary) ROW(name, function, summary, true, INLAY_EXACT)
#define EACH_APPROX(name, function, summary) ROW(name, function, summary, true, INLAY_APPROX)
#define PIPELINE(...)
#include "passes/passes.def"
#undef PASS
#undef PIPELINE
};

enum { MAX_IN_PIPELINE = 40 };

/* A row is the name of the pipeline, its passes, NULL. */
static const char *const rows[][MAX_IN_PIPELINE] = {
#define PASS(name, function, summary)
#define PIPELINE(...) {__VA_ARGS__, NULL},
#include "passes/passes.def"
#undef PASS
#undef PIPELINE
};

enum { N_PASSES = sizeof passes / sizeof *passes, N_PIPELINES = sizeof rows / sizeof *rows };

size_t inlay_pass_count(const inlay_pass_registry *p)
{
    return p ? p->n_passes : N_PASSES;
}

static const pass *pass_at(const inlay_pass_registry *p, size_t i)
{
    return p ? &p->passes[i] : &passes[i];
}

inlay_pass_info inlay_pass_at(const inlay_pass_registry *p, size_t i)
{
    return i < inlay_pass_count(p) ? pass_at(p, i)->info : (inlay_pass_info){NULL, NULL};
}

inlay_exactness inlay_pass_exactness(const inlay_pass_registry *p, const char *name)
{
    const pass *row = name ? registry_pass(p, name, strlen(name)) : NULL;

    return row ? row->exactness : INLAY_EXACT;
}

size_t inlay_pipeline_count(const inlay_pass_registry *p)
{
    return p ? p->n_pipelines : N_PIPELINES;
}

inlay_pipeline_info inlay_pipeline_at(const inlay_pass_registry *p, size_t i)
{
    if (i >= inlay_pipeline_count(p))
        return (inlay_pipeline_info){NULL, NULL};
    return p ? p->pipelines[i] : (inlay_pipeline_info){rows[i][0], rows[i] + 1};
}

static bool is_name(const char *name, const char *text, size_t len)
{
    return strlen(name) == len && memcmp(name, text, len) == 0;
}

const pass *registry_pass(const inlay_pass_registry *p, const char *name, size_t len)
{
    for (size_t i = 0; i < inlay_pass_count(p); i++) {
        if (is_name(pass_at(p, i)->info.name, name, len))
            return pass_at(p, i);
    }
    return NULL;
}

const char *const *registry_pipeline(const inlay_pass_registry *p, const char *name, size_t len)
{
    for (size_t i = 0; i < inlay_pipeline_count(p); i++) {
        if (is_name(inlay_pipeline_at(p, i).name, name, len))
            return inlay_pipeline_at(p, i).passes;
    }
    return NULL;
}

/* Returns a copy of the N entries of SIZE bytes at LIST with room for one more. NULL: out of
 * memory. */
static void *grow(const void *list, size_t n, size_t size)
{
    void *more = inlay_take(NULL, n + 1, size);

    if (more && n > 0)
        memcpy(more, list, n * size);
    if (more)
        inlay_give((void *)list);
    return more;
}

static bool add_pass(inlay_pass_registry *p, const pass *row, inlay_diags *d)
{
    pass *more = grow(p->passes, p->n_passes, sizeof *more);

    if (!more)
        return inlay_fail_memory(d);
    more[p->n_passes++] = *row;
    p->passes = more;
    return true;
}

static bool add_pipeline(inlay_pass_registry *p, inlay_pipeline_info row, inlay_diags *d)
{
    inlay_pipeline_info *more = grow(p->pipelines, p->n_pipelines, sizeof *more);

    if (!more)
        return inlay_fail_memory(d);
    more[p->n_pipelines++] = row;
    p->pipelines = more;
    return true;
}

static bool add_built_in(inlay_pass_registry *p, inlay_diags *d)
{
    for (size_t i = 0; i < N_PASSES; i++) {
        if (!add_pass(p, &passes[i], d))
            return false;
    }
    for (size_t i = 0; i < N_PIPELINES; i++) {
        if (!add_pipeline(p, inlay_pipeline_at(NULL, i), d))
            return false;
    }
    return true;
}

inlay_pass_registry *inlay_pass_registry_new(inlay_diags *d)
{
    inlay_pass_registry *p = inlay_take(NULL, 1, sizeof *p);

    if (p && (p->arena = inlay_arena_new()) && add_built_in(p, d))
        return p;
    inlay_pass_registry_free(p);
    inlay_fail_memory(d);
    return NULL;
}

void inlay_pass_registry_free(inlay_pass_registry *p)
{
    if (!p)
        return;
    inlay_give((void *)p->passes);
    inlay_give((void *)p->pipelines);
    inlay_arena_free(p->arena);
    inlay_give(p);
}

void registry_come_from(inlay_pass_registry *p, const char *file)
{
    p->file = file;
}

/* NAME may be used in a list with commas, and is not taken yet. */
static bool name_is_free(const inlay_pass_registry *p, const char *name, inlay_diags *d)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    const inlay_pos pos = {p->file, 0};
    size_t len = strlen(name);

    if (len == 0 || strspn(name, letters) < len)
        return inlay_fail(d, &pos,
                          "a pass or pipeline cannot be called \"%s\": a name has letters, digits, "
                          "'-', '_' and '.'",
                          name);
    if (registry_pass(p, name, len))
        return inlay_fail(d, &pos, "there is already a pass \"%s\"", name);
    if (registry_pipeline(p, name, len))
        return inlay_fail(d, &pos, "there is already a pipeline \"%s\"", name);
    return true;
}

bool inlay_pass_register(inlay_pass_registry *p, const inlay_pass_info *info, inlay_pass_fn *fn,
                         void *ctx, inlay_diags *d)
{
    pass row = {.run = fn, .ctx = ctx};

    if (inlay_is_missing(p, "registry of passes", d) ||
        inlay_is_missing(info, "description of a pass", d) ||
        inlay_is_missing(info->name, "name of a pass", d) ||
        inlay_is_missing(info->summary, "summary of a pass", d))
        return false;
    if (!fn)
        return inlay_fail(d, &(inlay_pos){p->file, 0}, "pass \"%s\" has no function", info->name);
    if (!name_is_free(p, info->name, d))
        return false;
    row.info.name = inlay_arena_strdup(p->arena, info->name);
    row.info.summary = inlay_arena_strdup(p->arena, info->summary);
    if (!row.info.name || !row.info.summary)
        return inlay_fail_memory(d);
    return add_pass(p, &row, d);
}

bool inlay_pipeline_register(inlay_pass_registry *p, const char *name, const char *const *list,
                             inlay_diags *d)
{
    inlay_pipeline_info row;
    const char **copy;
    size_t n = 0;

    if (inlay_is_missing(p, "registry of passes", d) ||
        inlay_is_missing(name, "name of a pipeline", d) ||
        inlay_is_missing(list, "list of passes", d) || !name_is_free(p, name, d))
        return false;
    while (list[n])
        n++;
    copy = inlay_arena_array(p->arena, n + 1, sizeof *copy);
    row.name = inlay_arena_strdup(p->arena, name);
    row.passes = copy;
    if (!copy || !row.name)
        return inlay_fail_memory(d);
    for (size_t i = 0; i < n; i++) {
        const pass *known = registry_pass(p, list[i], strlen(list[i]));

        if (!known)
            return inlay_fail(d, &(inlay_pos){p->file, 0},
                              "pipeline \"%s\": there is no pass \"%s\"", name, list[i]);
        copy[i] = known->info.name;
    }
    return add_pipeline(p, row, d);
}
