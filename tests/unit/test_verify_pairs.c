/* Runs the pairs of graphs tests/verify/<kind>/{same,differ}_*.inlay:
 *
 *     // What tells them apart, or why nothing does.
 *     graph "a" { ... }
 *     // against:
 *     graph "b" { ... }
 *
 * With the trials that are the default `inlay verify` must find that the two of a differ_ file are
 * not the same function, whatever the seed, find it again by that trial alone, and say of the two
 * of a same_ file that they are, every trial counted. Each kind has two pairs of either sort, and
 * there are no fewer that are the same. */
#include "tests/unit/models.h"
#include "unit.h"

#include "interp/interp.h"
#include "passes/passes.h"

#include <dirent.h>

enum { MAX_FILES = 512, MAX_PATH = 1024 };

typedef struct pair_case {
    char path[MAX_PATH];
    bool differ;
    inlay_graph *a, *b;
} pair_case;

static pair_case cases[MAX_FILES];
static struct CMUnitTest tests[MAX_FILES + 1];
static size_t n_cases;

static inlay_graph *read_part(const pair_case *c, const char *text, size_t n)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_text(c->path, text, n, NULL, d);

    if (!g)
        fail_msg("%s: %s", c->path, model_messages(d));
    inlay_diags_free(d);
    return g;
}

static void load(pair_case *c)
{
    char *text = model_load(c->path, NULL), *second = strstr(text, "// against:");

    assert_non_null(second);
    c->a = read_part(c, text, (size_t)(second - text));
    c->b = read_part(c, second, strlen(second));
    free(text);
}

static inlay_verify_result try_pair(const pair_case *c, int trials, uint64_t seed)
{
    inlay_evaluator ev = inlay_reference_evaluator(NULL);
    inlay_verify_options o = {.trials = trials, .seed = seed};
    inlay_verify_result r;
    inlay_diags *d = inlay_diags_new();

    if (!inlay_verify(c->a, &ev, c->b, &ev, &o, &r, d))
        fail_msg("%s, seed %llu: %s", c->path, (unsigned long long)seed, model_messages(d));
    inlay_diags_free(d);
    return r;
}

static void check_differ(const pair_case *c, uint64_t seed, const inlay_verify_result *r)
{
    inlay_verify_result alone;

    if (r->verdict != INLAY_NOT_SAME)
        fail_msg("%s: seed %llu finds no difference", c->path, (unsigned long long)seed);
    alone = try_pair(c, 1, r->seed);
    if (alone.verdict != INLAY_NOT_SAME || strcmp(alone.why, r->why) != 0)
        fail_msg("%s: seed %llu alone does not find \"%s\" again", c->path,
                 (unsigned long long)r->seed, r->why);
}

static void check_same(const pair_case *c, uint64_t seed, const inlay_verify_result *r)
{
    if (r->verdict != INLAY_SAME || r->counted != r->trials)
        fail_msg("%s: seed %llu: %d of %d trials counted; %s", c->path, (unsigned long long)seed,
                 r->counted, r->trials, r->why);
}

static void test_pair(void **state)
{
    static const uint64_t seeds[] = {0, 1, 15, 16, 100, 12345, UINT64_C(1) << 40, INT64_MAX};
    pair_case *c = *state;
    size_t n = getenv("INLAY_SLOW") ? 1 : sizeof seeds / sizeof seeds[0];

    load(c);
    for (size_t i = 0; i < n; i++) {
        inlay_verify_result r = try_pair(c, 0, seeds[i]), again = try_pair(c, 0, seeds[i]);

        assert_int_equal(r.verdict, again.verdict);
        assert_int_equal(r.seed, again.seed);
        if (c->differ)
            check_differ(c, seeds[i], &r);
        else
            check_same(c, seeds[i], &r);
    }
    inlay_graph_free(c->a);
    inlay_graph_free(c->b);
}

static size_t kind_length(const char *path)
{
    return (size_t)(strrchr(path, '/') - path);
}

/* Returns how many files of the same kind and sort there are. */
static size_t count_alike(const pair_case *c)
{
    size_t n = 0, len = kind_length(c->path);

    for (size_t i = 0; i < n_cases; i++)
        n += cases[i].differ == c->differ && kind_length(cases[i].path) == len &&
             strncmp(cases[i].path, c->path, len) == 0;
    return n;
}

static void test_every_kind_has_pairs(void **state)
{
    size_t differ = 0;

    for (size_t i = 0; i < n_cases; i++) {
        if (count_alike(&cases[i]) < 2)
            fail_msg("%s is the only one", cases[i].path);
        differ += cases[i].differ;
    }
    assert_in_range(differ, 1, n_cases / 2);
}

static void add_case(const char *path, bool differ)
{
    pair_case *c = &cases[n_cases];

    if (n_cases == MAX_FILES)
        return;
    snprintf(c->path, sizeof c->path, "%s", path);
    c->differ = differ;
    tests[n_cases++] = (struct CMUnitTest){c->path, test_pair, NULL, NULL, c};
}

/* Finds the pairs in DIR, and in the folders in it. */
static void find_cases(const char *dir, int depth)
{
    DIR *d = opendir(dir);

    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        bool differ = strncmp(e->d_name, "differ_", 7) == 0;
        char path[MAX_PATH];
        size_t n = (size_t)snprintf(path, sizeof path, "%s/%s", dir, e->d_name);

        if (e->d_name[0] == '.' || n >= sizeof path)
            continue;
        if (depth == 0)
            find_cases(path, 1);
        else if (differ || strncmp(e->d_name, "same_", 5) == 0)
            add_case(path, differ);
    }
    if (d)
        closedir(d);
}

int main(void)
{
    const char *root = getenv("ROOT");
    char dir[MAX_PATH];

    snprintf(dir, sizeof dir, "%s/tests/verify", root ? root : ".");
    find_cases(dir, 0);
    if (n_cases == 0) {
        fprintf(stderr, "there is no case below %s\n", dir);
        return 1;
    }
    tests[n_cases] =
        (struct CMUnitTest){"every kind has pairs", test_every_kind_has_pairs, NULL, NULL, NULL};
    return _cmocka_run_group_tests("pairs", tests, n_cases + 1, NULL, NULL);
}
