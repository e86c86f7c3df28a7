/* Runs the files tests/passes/<pass>/{yes,no}_*.inlay; those without a line `// pass: LIST` must be
 * run by a golden file:
 *
 *     // What this case shows.
 *     // pass: fold-constants
 *     // fold_bytes: 16            (where the budget matters)
 *     // says: a part of a note or warning that the pass must leave   (any number of them)
 *     // shape: x 2,3              (of a Parameter, said when the graph has been read; any number)
 *     // rules:                    (for the pass `rules`: a rule file, up to the graph)
 *     //   rule relu-twice exact:
 *     //     ReLU(ReLU(x)) => ReLU(x)
 *     graph "before" { ... }
 *     // expect:
 *     graph "after" { ... }
 *
 * A no_ case has no second graph: the pass must change nothing. A yes_ case must come out as the
 * second graph, be the same function as before on made-up inputs, and change no more when run
 * again. The pass that the folder is called after is one of LIST. Every pass has both kinds of
 * case. */
#include "budget.h"
#include "models.h"
#include "rule_cases.h"
#include "unit.h"

#include "interp/interp.h"
#include "passes/passes.h"

#include <dirent.h>

enum { MAX_PATH = 1024 };

/* A file being run. */
typedef struct pass_case {
    const rule_case *file;
    char *text;
    char passes[128];
    size_t fold_bytes;
    inlay_rules *rules; /* NULL: none */
    bool mends;
    bool approximate; /* some rule that was applied is so */ /* a rule that was applied is not
                                                                exact: errors may go */
    uint64_t changes;
    inlay_graph *before, *after, *expected;
    inlay_diags *diags;
} pass_case;

static const char *golden;

/* Returns whether a golden file that names the file, or all of its folder, runs it. */
static bool is_golden(const rule_case *c)
{
    const char *folder = strstr(c->path, "tests/passes/") + strlen("tests/");
    char all[MAX_PATH], some[MAX_PATH];
    int n = (int)(strrchr(folder, '/') + 1 - folder);

    snprintf(all, sizeof all, "%.*s*.inlay", n, folder);
    snprintf(some, sizeof some, "%.*s%s_*.inlay", n, folder, c->yes ? "yes" : "no");
    return strstr(golden, folder) || strstr(golden, all) || strstr(golden, some);
}

/* Returns whether NAME is one of LIST, whose names have commas between them. */
static bool lists(const char *list, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, n) == 0 && (at[n] == ',' || at[n] == '\0'))
            return true;
    }
    return false;
}

/* Checks that what a name promises is there: a file that says less would pass whatever the pass
 * does. False: a golden file runs the file. */
static bool check_parts(pass_case *c)
{
    const char *name = strrchr(c->file->path, '/') + 1, *at = c->text;
    bool expects = strstr(c->text, "// expect:") != NULL;

    if (!c->file->yes && strncmp(name, "no_", 3) != 0)
        fail_msg("%s: the name begins with neither yes_ nor no_", c->file->path);
    if (!rule_case_line(&at, "// pass: ", c->passes, sizeof c->passes)) {
        if (!is_golden(c->file))
            fail_msg("%s: there is no line `// pass: LIST`, and no golden file runs it",
                     c->file->path);
        return false;
    }
    if (!lists(c->passes, c->file->rule))
        fail_msg("%s: %s is not among the passes that run", c->file->path, c->file->rule);
    if (c->file->yes != expects)
        fail_msg("%s: a line `// expect:` %s", c->file->path,
                 expects ? "in a no_ case" : "is missing");
    return true;
}

/* Reads what the comments say that follow the line `// rules:`. */
static void read_rules(pass_case *c)
{
    const char *at = strstr(c->text, "// rules:\n");
    inlay_strbuf b = {0};

    if (!at)
        return;
    for (at = strchr(at, '\n') + 1; strncmp(at, "//", 2) == 0; at += strcspn(at, "\n") + 1)
        inlay_strbuf_add(&b, at + 2, strcspn(at, "\n") - 1);
    c->rules = inlay_rules_parse(c->file->path, b.bytes, b.n, c->diags);
    if (!c->rules)
        fail_msg("%s: %s", c->file->path, model_messages(c->diags));
    inlay_strbuf_free(&b);
}

/* Gives G's Parameters the shapes that the lines `// shape: ` say. Nothing is inferred from these
 * shapes. */
static void set_shapes(const pass_case *c, inlay_graph *g)
{
    const char *at = c->text, *why;
    char line[200], *shape;
    inlay_shape s;

    while (rule_case_line(&at, "// shape: ", line, sizeof line)) {
        shape = strchr(line, ' ');
        assert_non_null(shape);
        *shape++ = '\0';
        if (!inlay_shape_parse(shape, &s, &why) || !inlay_graph_node(g, line) ||
            !inlay_node_set_shape(inlay_graph_node(g, line), "shape", &s, c->diags))
            fail_msg("%s: the shape of %s cannot be set", c->file->path, line);
    }
}

static void load(pass_case *c)
{
    const char *at = c->text, *expect = strstr(c->text, "// expect:");
    char number[32];

    if (rule_case_line(&at, "// fold_bytes: ", number, sizeof number))
        c->fold_bytes = (size_t)strtoull(number, NULL, 10);
    read_rules(c);
    c->after = inlay_graph_clone(c->before, c->diags);
    assert_non_null(c->after);
    set_shapes(c, c->after);
    set_shapes(c, c->before);
    assert_true(inlay_infer_graph(c->before, c->diags));
    if (!expect)
        return;
    c->expected = inlay_read_text(c->file->path, expect, strlen(expect), NULL, c->diags);
    if (!c->expected)
        fail_msg("%s: behind `// expect:`: %s", c->file->path, model_messages(c->diags));
}

static bool watch(void *ctx, const inlay_event *e, inlay_diags *d)
{
    pass_case *c = ctx;

    (void)d;
    if (e->kind == INLAY_EVENT_PASS_ENDS)
        c->changes += e->as.stats->changes;
    if (e->kind == INLAY_EVENT_APPLIED && e->as.application->rule) {
        c->mends = c->mends || e->as.application->rule->exactness != INLAY_EXACT;
        c->approximate = c->approximate || e->as.application->rule->exactness == INLAY_APPROX;
    }
    return true;
}

static void run(pass_case *c, const inlay_evaluator *ev)
{
    const inlay_rules *sets[1] = {c->rules};
    inlay_pass_options o = {.passes = c->passes,
                            .evaluator = ev,
                            .fold_bytes = c->fold_bytes,
                            .check = true,
                            .rules = sets,
                            .n_rules = c->rules ? 1 : 0,
                            .events = {watch, c, false}};

    c->changes = 0;
    inlay_diags_clear(c->diags);
    budget_start(c->file->path);
    if (!inlay_run_passes(c->after, &o, c->diags))
        fail_msg("%s: %s", c->file->path, model_messages(c->diags));
    budget_end();
}

static void check_equal(const pass_case *c, const inlay_graph *wanted)
{
    inlay_strbuf b = {0};
    inlay_sink to = {inlay_strbuf_sink, &b};
    char why[512];

    if (inlay_graph_equal(c->after, wanted, why, sizeof why))
        return;
    inlay_print(c->after, true, &to, c->diags);
    print_message("%s", b.bytes ? b.bytes : "");
    inlay_strbuf_free(&b);
    fail_msg("%s: %s", c->file->path, why);
}

static void check_same_function(pass_case *c, const inlay_evaluator *ev)
{
    const inlay_verify_options o = {
        .may_mend = c->mends,
        .tolerance = {c->approximate ? 1e-4 : 0, c->approximate ? 1e-5 : 0, 0}};
    inlay_verify_result result;

    assert_true(inlay_verify(c->before, ev, c->after, ev, &o, &result, c->diags));
    if (result.verdict != INLAY_SAME)
        fail_msg("%s: before and after are not the same function: %s", c->file->path, result.why);
}

static void test_file(void **state)
{
    pass_case c = {.file = *state, .diags = inlay_diags_new()};
    inlay_evaluator ev = inlay_reference_evaluator(NULL);

    c.before = rule_case_graph(c.file, &c.text, c.diags);
    if (check_parts(&c)) {
        load(&c);
        run(&c, &ev);
        rule_case_says(c.file, c.text, c.diags);
        check_equal(&c, c.expected ? c.expected : c.before);
        if (c.expected) {
            assert_true(c.changes > 0);
            check_same_function(&c, &ev);
            run(&c, &ev);
        }
        assert_int_equal(c.changes, 0);
    }
    inlay_graph_free(c.before);
    inlay_graph_free(c.after);
    inlay_graph_free(c.expected);
    inlay_rules_free(c.rules);
    inlay_diags_free(c.diags);
    free(c.text);
}

static const rule_case *cases;
static size_t n_cases;

static bool is_pass(const char *name)
{
    for (size_t i = 0; i < inlay_pass_count(NULL); i++) {
        if (strcmp(inlay_pass_at(NULL, i).name, name) == 0)
            return true;
    }
    return false;
}

static void test_every_pass_has_cases(void **state)
{
    for (size_t k = 0; k < n_cases; k++) {
        if (!is_pass(cases[k].rule))
            fail_msg("%s: there is no pass %s", cases[k].path, cases[k].rule);
    }
    for (size_t i = 0; i < inlay_pass_count(NULL); i++) {
        const char *name = inlay_pass_at(NULL, i).name;
        int yes = 0, no = 0;

        for (size_t k = 0; k < n_cases; k++) {
            yes += strcmp(cases[k].rule, name) == 0 && cases[k].yes;
            no += strcmp(cases[k].rule, name) == 0 && !cases[k].yes;
        }
        if (yes < 2 || no < 2)
            fail_msg("pass %s has %d yes_ and %d no_ cases, expected two of each", name, yes, no);
    }
}

/* Loads all golden files of DIR, one after another, for is_golden. */
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

int main(void)
{
    const char *root = getenv("ROOT");
    char dir[MAX_PATH];
    inlay_strbuf all = {0};
    struct CMUnitTest *tests;
    int failed;

    snprintf(dir, sizeof dir, "%s/tests/golden", root ? root : ".");
    if (!load_golden(dir, &all)) {
        fprintf(stderr, "there is no golden file in %s\n", dir);
        return 1;
    }
    golden = all.bytes;
    cases = pass_cases(&n_cases);
    tests = calloc(n_cases + 1, sizeof *tests);
    for (size_t i = 0; i < n_cases; i++)
        tests[i] = (struct CMUnitTest){.name = cases[i].path,
                                       .test_func = test_file,
                                       .initial_state = (void *)(uintptr_t)&cases[i]};
    tests[n_cases] = (struct CMUnitTest)cmocka_unit_test(test_every_pass_has_cases);
    failed = _cmocka_run_group_tests("pass files", tests, n_cases + 1, NULL, NULL);
    free(tests);
    inlay_strbuf_free(&all);
    return failed;
}
