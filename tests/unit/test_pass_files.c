/* Runs the files tests/passes/<pass>/{yes,no}_*.inlay; those without a line `// pass: LIST` must be
 * run by a golden file:
 *
 *     // What this case shows.
 *     // pass: fold-constants
 *     // fold_bytes: 16            (where the budget matters)
 *     // says: a part of a note or warning that the pass must leave   (any number of them)
 *     graph "before" { ... }
 *     // expect:
 *     graph "after" { ... }
 *
 * A no_ case has no second graph: the pass must change nothing. A yes_ case must come out as the
 * second graph, be the same function as before on made-up inputs, and change no more when run
 * again. */
#include "budget.h"
#include "models.h"

#include "interp/interp.h"
#include "passes/passes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>

enum { MAX_FILES = 512, MAX_PATH = 1024 };

typedef struct file_case {
    char path[MAX_PATH];
    const char *text;
    char passes[128];
    size_t fold_bytes;
    inlay_graph *before, *after, *expected;
    inlay_diags *diags;
} file_case;

static const char *golden;
static size_t root_length; /* the checkout's own path may speak of passes too */

/* The rest of the line that begins with KEY, from *AT on; *AT moves behind it. */
static bool find_line(const char **at, const char *key, char *out, size_t size)
{
    const char *found = strstr(*at, key);
    size_t len;

    if (!found)
        return false;
    found += strlen(key);
    len = strcspn(found, "\n");
    snprintf(out, size, "%.*s", (int)len, found);
    *at = found + len;
    return true;
}

static inlay_graph *read_part(file_case *c, const char *text, size_t n)
{
    inlay_graph *g = inlay_read_text(text, n, c->path, NULL, c->diags);

    if (!g)
        fail_msg("%s: %s", c->path, model_messages(c->diags));
    return g;
}

/* A golden file that names the file, or all of its folder, runs it. */
static bool is_golden(const file_case *c)
{
    const char *name = strrchr(c->path, '/') + 1, *kind = strncmp(name, "no_", 3) ? "yes" : "no";
    const char *folder = strstr(c->path + root_length, "passes/");
    char all[MAX_PATH], some[MAX_PATH];
    int n = (int)(name - folder);

    snprintf(all, sizeof all, "%.*s*.inlay", n, folder);
    snprintf(some, sizeof some, "%.*s%s_*.inlay", n, folder, kind);
    return strstr(golden, folder) || strstr(golden, all) || strstr(golden, some);
}

/* What a name promises is there: a file that says less would pass whatever the pass does. */
static void check_parts(const file_case *c)
{
    const char *name = strrchr(c->path, '/') + 1;
    bool yes = strncmp(name, "yes_", 4) == 0, expects = strstr(c->text, "// expect:") != NULL;

    if (!yes && strncmp(name, "no_", 3) != 0)
        fail_msg("%s: the name begins with neither yes_ nor no_", c->path);
    if (!strstr(c->text, "// pass: ")) {
        if (!is_golden(c))
            fail_msg("%s: there is no line `// pass: LIST`, and no golden file runs it", c->path);
        return;
    }
    if (yes != expects)
        fail_msg("%s: a line `// expect:` %s", c->path, yes ? "is missing" : "in a no_ case");
}

static void load(file_case *c)
{
    const char *at = c->text, *expect = strstr(c->text, "// expect:");
    char number[32];

    c->diags = inlay_diags_new();
    assert_true(find_line(&at, "// pass: ", c->passes, sizeof c->passes));
    at = c->text;
    if (find_line(&at, "// fold_bytes: ", number, sizeof number))
        c->fold_bytes = (size_t)strtoull(number, NULL, 10);
    c->before = read_part(c, c->text, expect ? (size_t)(expect - c->text) : strlen(c->text));
    c->after = inlay_graph_clone(c->before, c->diags);
    assert_non_null(c->after);
    if (expect)
        c->expected = read_part(c, expect, strlen(expect));
}

static uint64_t changes;

static bool count(void *ctx, const inlay_event *e, inlay_diags *d)
{
    (void)ctx;
    (void)d;
    if (e->kind == INLAY_EVENT_PASS_ENDS)
        changes += e->as.stats->changes;
    return true;
}

static void run(file_case *c, const inlay_evaluator *ev)
{
    inlay_pass_options o = {.passes = c->passes,
                            .evaluator = ev,
                            .fold_bytes = c->fold_bytes,
                            .check = true,
                            .events = {count, NULL, false}};

    changes = 0;
    inlay_diags_clear(c->diags);
    budget_start(c->path);
    if (!inlay_run_passes(c->after, &o, c->diags))
        fail_msg("%s: %s", c->path, model_messages(c->diags));
    budget_end();
}

static void check_says(const file_case *c)
{
    const char *at = c->text, *said = model_messages(c->diags);
    char wanted[512];

    while (find_line(&at, "// says: ", wanted, sizeof wanted)) {
        if (!strstr(said, wanted))
            fail_msg("%s: wanted \"%s\" in what was said:\n%s", c->path, wanted, said);
    }
}

static void check_equal(const file_case *c, const inlay_graph *wanted)
{
    inlay_strbuf b = {0};
    inlay_sink to = {inlay_strbuf_sink, &b};
    char why[512];

    if (inlay_graph_equal(c->after, wanted, why, sizeof why))
        return;
    inlay_print(c->after, true, &to, c->diags);
    print_message("%s", b.bytes ? b.bytes : "");
    inlay_strbuf_free(&b);
    fail_msg("%s: %s", c->path, why);
}

static void check_same_function(file_case *c, const inlay_evaluator *ev)
{
    const inlay_verify_options o = {0};
    inlay_verify_result result;

    assert_true(inlay_verify(c->before, ev, c->after, ev, &o, &result, c->diags));
    if (result.verdict != INLAY_SAME)
        fail_msg("%s: before and after are not the same function: %s", c->path, result.why);
}

static void test_file(void **state)
{
    file_case *c = *state;
    inlay_evaluator ev = inlay_reference_evaluator(NULL);

    check_parts(c);
    if (!strstr(c->text, "// pass: "))
        return;
    load(c);
    run(c, &ev);
    check_says(c);
    check_equal(c, c->expected ? c->expected : c->before);
    if (c->expected) {
        assert_true(changes > 0);
        check_same_function(c, &ev);
        run(c, &ev);
    }
    assert_int_equal(changes, 0);
    inlay_graph_free(c->before);
    inlay_graph_free(c->after);
    inlay_graph_free(c->expected);
    inlay_diags_free(c->diags);
}

static file_case cases[MAX_FILES];
static struct CMUnitTest tests[MAX_FILES];
static size_t n_cases;

static void add_case(const char *path)
{
    file_case *c = &cases[n_cases];

    assert_true(n_cases < MAX_FILES);
    snprintf(c->path, sizeof c->path, "%s", path);
    c->text = model_load(path, NULL);
    tests[n_cases++] = (struct CMUnitTest){c->path, test_file, NULL, NULL, c};
}

/* All golden files of DIR, one after another, for is_golden. */
static bool load_golden(const char *dir, inlay_strbuf *all)
{
    DIR *d = opendir(dir);

    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        char path[MAX_PATH], *text;

        if (!strstr(e->d_name, ".t") ||
            snprintf(path, sizeof path, "%s/%s", dir, e->d_name) >= MAX_PATH)
            continue;
        text = model_load(path, NULL);
        inlay_strbuf_puts(all, text);
        free(text);
    }
    if (d)
        closedir(d);
    inlay_strbuf_add(all, "", 1);
    return all->n > 1 && !all->failed;
}

/* The .inlay files in DIR, and in the folders in it. */
static void find_cases(const char *dir, int depth)
{
    DIR *d = opendir(dir);

    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        char path[MAX_PATH];
        size_t n = (size_t)snprintf(path, sizeof path, "%s/%s", dir, e->d_name);

        if (e->d_name[0] == '.' || n >= sizeof path)
            continue;
        if (strcmp(path + n - (n > 6 ? 6 : 0), ".inlay") == 0)
            add_case(path);
        else if (depth == 0)
            find_cases(path, 1);
    }
    if (d)
        closedir(d);
}

int main(void)
{
    const char *root = getenv("ROOT");
    char dir[MAX_PATH];
    inlay_strbuf all = {0};
    int failed;

    snprintf(dir, sizeof dir, "%s/tests/golden", root ? root : ".");
    if (!load_golden(dir, &all)) {
        fprintf(stderr, "there is no golden file in %s\n", dir);
        return 1;
    }
    golden = all.bytes;
    root_length = root ? strlen(root) : 1;
    snprintf(dir, sizeof dir, "%s/tests/passes", root ? root : ".");
    find_cases(dir, 0);
    if (n_cases == 0) {
        fprintf(stderr, "there is no case below %s\n", dir);
        return 1;
    }
    failed = _cmocka_run_group_tests("pass files", tests, n_cases, NULL, NULL);
    for (size_t i = 0; i < n_cases; i++)
        free((char *)cases[i].text);
    inlay_strbuf_free(&all);
    return failed;
}
