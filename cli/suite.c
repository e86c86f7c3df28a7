/* Finds the tests of a suite and runs each in a process of its own, so that one that crashes or
 * hangs is one failure. */
#include "cli/suite.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_DEPTH = 6, PATH_SIZE = 4096 }; /* folders in folders */

/* ---- finding tests ---- */

static bool exists(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    struct stat st;

    return snprintf(path, sizeof path, "%s/%s", folder, name) < PATH_SIZE && stat(path, &st) == 0;
}

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);

    return n > m && strcmp(name + n - m, ending) == 0;
}

/* Returns the model of a test whose folder has the N entries LIST: the first file with the first of
 * the endings that any file has. */
static char *model_in(const char *folder, struct dirent *const *list, int n)
{
    static const char *const endings[] = {".onnx", ".xml", ".inlay", ".json", ".onnxtxt"};
    const char *found = NULL;
    inlay_strbuf path = {0};

    for (size_t k = 0; !found && k < sizeof endings / sizeof *endings; k++) {
        for (int i = 0; !found && i < n; i++)
            found = ends_with(list[i]->d_name, endings[k]) ? list[i]->d_name : NULL;
    }
    inlay_strbuf_printf(&path, "%s/%s", folder, found ? found : "model.onnx");
    return path.bytes;
}

static bool add_test(suite *s, const char *folder, struct dirent *const *list, int n,
                     inlay_diags *d)
{
    const char *slash = strrchr(folder, '/');
    size_t root = strlen(s->folder);
    const char *name = folder[root] ? folder + root + 1 : slash && slash[1] ? slash + 1 : folder;
    suite_test *more;

    if (s->filter && fnmatch(s->filter, name, 0) != 0)
        return true;
    more = realloc(s->tests, (s->n + 1) * sizeof *more);
    if (!more)
        return inlay_fail_memory(d);
    s->tests = more;
    more[s->n] = (suite_test){.folder = strdup(folder), .model = model_in(folder, list, n)};
    if (!more[s->n].folder)
        return inlay_fail_memory(d);
    more[s->n].name = more[s->n].folder + (name - folder);
    return more[s->n++].model || inlay_fail_memory(d);
}

static bool find_tests(suite *s, const char *folder, int depth, inlay_diags *d);

static bool find_below(suite *s, const char *folder, const char *name, int depth, inlay_diags *d)
{
    char path[PATH_SIZE];
    struct stat st;

    if (*name == '.' || depth == MAX_DEPTH ||
        snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_SIZE || stat(path, &st) != 0)
        return true;
    return !S_ISDIR(st.st_mode) || find_tests(s, path, depth + 1, d);
}

static bool find_tests(suite *s, const char *folder, int depth, inlay_diags *d)
{
    struct dirent **list;
    int n = scandir(folder, &list, NULL, alphasort);
    bool ok = true, is_test = exists(folder, "test_data_set_0");

    if (n < 0)
        return inlay_fail(d, &(inlay_pos){folder, 0}, "cannot open: %s", strerror(errno));
    if (is_test)
        ok = add_test(s, folder, list, n, d);
    for (int i = 0; i < n; i++) {
        ok = ok && (is_test || find_below(s, folder, list[i]->d_name, depth, d));
        free(list[i]);
    }
    free(list);
    return ok;
}

/* ---- running one ---- */

struct work {
    const suite *s;
    const suite_test *t;
    const char *way;
};

static int work(void *ctx)
{
    const struct work *w = ctx;

    return w->s->judge(w->s->ctx, w->t, w->way);
}

/* Writes to OUT what LINE, a message of the command, says: `FILE: error: TEXT`, without the path of
 * the file and without the model's name, or `inlay: TEXT`. */
static void put_reason(const suite_test *t, const char *line, int n, inlay_strbuf *out)
{
    static const char mark[] = ": error: ", own[] = "inlay: ";
    const char *error = strstr(line, mark), *file = line;
    bool ours = strncmp(line, own, sizeof own - 2) == 0;

    if (error && error < line + n) {
        for (const char *p = line; p < error; p++)
            file = *p == '/' ? p + 1 : file;
        if (!ours && strncmp(line, t->model, strlen(t->model)) != 0)
            inlay_strbuf_printf(out, "%.*s: ", (int)(error - file), file);
        n -= (int)(error - line) + (int)sizeof mark - 1;
        line = error + sizeof mark - 1;
    } else if (ours) {
        n -= (int)sizeof own - 1;
        line += sizeof own - 1;
    }
    inlay_strbuf_printf(out, "%.*s", n, line);
}

static bool is_reason(const char *line, int n)
{
    const char *error = strstr(line, ": error: ");

    return (error && error < line + n) || strncmp(line, "inlay: ", 7) == 0;
}

/* Appends the first line of SAID that is a reason, or else, if ANY, the first. */
static bool put_first(const suite_test *t, const char *said, bool any, inlay_strbuf *out)
{
    for (const char *p = said; p && *p; p += strcspn(p, "\n"), p += *p == '\n') {
        int n = (int)strcspn(p, "\n");

        if (n > 0 && (any || is_reason(p, n))) {
            put_reason(t, p, n, out);
            return true;
        }
    }
    return false;
}

/* Returns why a test that ended with STATUS fails; SAID is what it printed. */
static char *reason(const suite *s, const suite_test *t, int status, const char *said)
{
    inlay_strbuf b = {0};

    if (status == CLI_CHILD_LATE) {
        inlay_strbuf_printf(&b, "it was ended after %d s", s->seconds);
    } else if (status > 128) {
        inlay_strbuf_printf(&b, "it crashes: signal %d (%s)", status - 128,
                            strsignal(status - 128));
    } else if (!put_first(t, said, false, &b)) {
        inlay_strbuf_printf(&b, "it ends with status %d", status);
        if (said && *said)
            inlay_strbuf_puts(&b, ": ");
        put_first(t, said, true, &b);
    }
    return b.bytes;
}

/* Runs the child, which tells the operators of the model if they are not known. */
static int run_child(suite *s, suite_test *t, const cli_child *child, inlay_diags *d)
{
    int status;

    s->told = t->operators.n == 0 ? cli_child_file(d) : NULL;
    status = cli_run_child(child);
    if (s->told) {
        cli_child_said(s->told, &t->operators);
        fclose(s->told);
    }
    return status;
}

static void run_test(suite *s, suite_test *t, int way, inlay_diags *d)
{
    static const suite_result results[] = {
        [INLAY_OK] = SUITE_PASS, [INLAY_UNDECIDED] = SUITE_SKIP, [SUITE_BY_SHAPE] = SUITE_DRAWN};
    struct work w = {s, t, s->ways[way]};
    FILE *out = cli_child_file(d);
    const cli_child child = {.work = work,
                             .ctx = &w,
                             .out = out,
                             .err = out,
                             .seconds = s->seconds,
                             .stop = cli_interrupt_flag()};
    suite_run *run = &t->runs[way];
    double start = cli_now_ms();
    inlay_strbuf said = {0};
    int status = out ? run_child(s, t, &child, d) : -1;
    bool ends = status == INLAY_OK || status == INLAY_UNDECIDED || status == SUITE_BY_SHAPE;

    run->seconds = (cli_now_ms() - start) / 1000;
    run->result = ends ? results[status] : SUITE_FAIL;
    if (out)
        cli_child_said(out, &said);
    if (run->result == SUITE_FAIL || run->result == SUITE_SKIP)
        run->why = reason(s, t, status, said.bytes);
    inlay_strbuf_free(&said);
    if (out)
        fclose(out);
}

/* ---- all of them ---- */

static bool write_junit(const suite *s, inlay_diags *d)
{
    inlay_files *fs = inlay_files_new(d);
    cli_text text;
    bool ok = fs && cli_text_open(&text, d);

    if (ok) {
        suite_print_junit(text.file, s);
        ok = cli_text_write(&text, fs, s->junit, true, d) && cli_may_write(d) &&
             inlay_files_commit(fs, d);
    }
    inlay_files_free(fs);
    return ok;
}

static int tell(const suite *s, inlay_diags *d)
{
    size_t failed = 0;

    if (s->json)
        suite_print_json(stdout, s);
    else
        suite_print(s);
    for (int way = 0; way < s->n_ways; way++)
        failed += suite_count(s, way, SUITE_FAIL, NULL);
    if (s->junit && !write_junit(s, d))
        return INLAY_NO_RESOURCE;
    return failed > 0 ? INLAY_DIFFERENT : INLAY_OK;
}

static void free_tests(suite *s)
{
    for (size_t i = 0; i < s->n; i++) {
        for (int way = 0; way < s->n_ways; way++)
            free(s->tests[i].runs[way].why);
        free(s->tests[i].folder);
        free(s->tests[i].model);
        inlay_strbuf_free(&s->tests[i].operators);
    }
    free(s->tests);
}

static bool find_all(suite *s, inlay_diags *d)
{
    if (!find_tests(s, s->folder, 0, d))
        return false;
    if (s->n == 0 && s->filter)
        return inlay_fail(d, &(inlay_pos){s->folder, 0}, "no test has a name like \"%s\"",
                          s->filter);
    return s->n > 0 ||
           inlay_fail(d, &(inlay_pos){s->folder, 0},
                      "has no test: a folder with a model and a folder test_data_set_0");
}

static bool make_exchange(suite *s, inlay_diags *d)
{
    return !s->oracle || cli_new_folder("run", "the oracle", s->exchange, sizeof s->exchange, d);
}

static void remove_exchange(const suite *s)
{
    char set[CLI_FOLDER_SIZE + 32];

    if (!*s->exchange)
        return;
    snprintf(set, sizeof set, "%s/test_data_set_0", s->exchange);
    cli_empty_folder(set);
    rmdir(set);
    rmdir(s->exchange);
}

int suite_run_all(suite *s)
{
    inlay_diags *d = inlay_diags_new();
    int status = INLAY_INVALID;

    if (!d)
        return cli_no_memory();
    cli_on_interrupt(NULL, NULL);
    if (find_all(s, d) && make_exchange(s, d)) {
        for (size_t i = 0; i < s->n && !cli_interrupted(); i++) {
            cli_progress_now("run", s->tests[i].name, i, s->n);
            suite_operators(s->tests[i].model, &s->tests[i].operators);
            for (int way = 0; way < s->n_ways; way++)
                run_test(s, &s->tests[i], way, d);
        }
        cli_progress_end();
        status = cli_interrupted() ? INLAY_NO_RESOURCE : tell(s, d);
    }
    remove_exchange(s);
    cli_end_if_interrupted();
    free_tests(s);
    return cli_finish(d, status);
}
