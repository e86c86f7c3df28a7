/* Every case of tests/ops: a graph of constants, run by each executor, against the values that lie
 * beside it in NAME.expect.json. tests/reference/make_cases.py made both, by numpy.
 *
 * An output is compared exactly, unless its entry has "ulp" (units in the last place of its type)
 * or "atol" (absolute): then meeting either is enough. */
#include "interp/interp.h"
#include "ir/ir.h"
#include "parser/parser.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>

enum { SHOWN = 5 }; /* differences told of one output */

/* What one case is compared by, and what is wrong with it so far. */
typedef struct check {
    inlay_strbuf report;
    const char *output; /* its name */
    double ulp, atol;
    int shown;
} check;

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    inlay_strbuf text = {0};
    char piece[4096];
    size_t n;
    if (!f)
        fail_msg("%s: cannot be read", path);
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        inlay_strbuf_add(&text, piece, n);
    fclose(f);
    return text.bytes;
}

/* "x.json" to "x.expect.json" */
static cJSON *read_expected(const char *path)
{
    char name[512];
    snprintf(name, sizeof name, "%.*s.expect.json", (int)(strlen(path) - strlen(".json")), path);
    char *text = read_text(name);
    cJSON *json = cJSON_Parse(text);
    free(text);
    if (!json)
        fail_msg("%s: not JSON", name);
    return json;
}

static void set_element(inlay_tensor *t, int64_t i, const cJSON *e)
{
    inlay_type_class cls = inlay_type_info_of(t->type)->cls;
    const char *text = cJSON_GetStringValue(e);
    if (cls == INLAY_CLASS_STRING)
        inlay_tensor_set_string(t, i, text, strlen(text));
    else if (cls == INLAY_CLASS_BOOLEAN)
        inlay_tensor_set_i64(t, i, cJSON_IsTrue(e));
    else if (cls == INLAY_CLASS_FLOAT)
        inlay_tensor_set_f64(t, i, text ? strtod(text, NULL) : e->valuedouble);
    else if (cls == INLAY_CLASS_UNSIGNED)
        inlay_tensor_set_i64(t, i,
                             text ? (int64_t)strtoull(text, NULL, 10) : (int64_t)e->valuedouble);
    else
        inlay_tensor_set_i64(t, i, text ? strtoll(text, NULL, 10) : (int64_t)e->valuedouble);
}

static inlay_tensor *expected_tensor(const cJSON *entry)
{
    const cJSON *shape = cJSON_GetObjectItem(entry, "shape");
    const cJSON *data = cJSON_GetObjectItem(entry, "data");
    int64_t dims[INLAY_MAX_RANK];
    int rank = 0;
    const cJSON *e;
    cJSON_ArrayForEach(e, shape) dims[rank++] = (int64_t)e->valuedouble;
    inlay_type type;
    assert_true(
        inlay_type_by_name(cJSON_GetStringValue(cJSON_GetObjectItem(entry, "type")), &type));
    inlay_tensor *t = inlay_tensor_new(type, rank, dims);
    assert_non_null(t);
    assert_int_equal(inlay_tensor_count(t), cJSON_GetArraySize(data));
    int64_t i = 0;
    cJSON_ArrayForEach(e, data) set_element(t, i++, e);
    return t;
}

/* The distance between neighbours in TYPE at X. */
static double spacing(inlay_type type, double x)
{
    int precision = type == INLAY_F64 ? 53 : type == INLAY_F32 ? 24 : type == INLAY_F16 ? 11 : 8;
    int lowest = type == INLAY_F64 ? -1022 : type == INLAY_F16 ? -14 : -126;
    int exponent;
    frexp(x, &exponent);
    return ldexp(1, (exponent - 1 > lowest ? exponent - 1 : lowest) - (precision - 1));
}

static void tell(check *c, int64_t i, const char *got, const char *want)
{
    if (c->shown++ < SHOWN)
        inlay_strbuf_printf(&c->report, "\n#   %s[%lld] is %s, expected %s", c->output,
                            (long long)i, got, want);
}

static void compare_float(check *c, const inlay_tensor *got, const inlay_tensor *want, int64_t i)
{
    double g = inlay_tensor_get_f64(got, i), w = inlay_tensor_get_f64(want, i);
    double distance = fabs(g - w);
    char got_text[40], want_text[40];
    if (g == w || (isnan(g) && isnan(w)) || distance <= c->atol)
        return;
    if (isfinite(w) && distance <= c->ulp * spacing(want->type, w))
        return;
    snprintf(got_text, sizeof got_text, "%.17g", g);
    snprintf(want_text, sizeof want_text, "%.17g", w);
    tell(c, i, got_text, want_text);
}

static void compare_int(check *c, const inlay_tensor *got, const inlay_tensor *want, int64_t i)
{
    int64_t g = inlay_tensor_get_i64(got, i), w = inlay_tensor_get_i64(want, i);
    char got_text[24], want_text[24];
    if (g == w)
        return;
    snprintf(got_text, sizeof got_text, "%lld", (long long)g);
    snprintf(want_text, sizeof want_text, "%lld", (long long)w);
    tell(c, i, got_text, want_text);
}

static void compare_string(check *c, const inlay_tensor *got, const inlay_tensor *want, int64_t i)
{
    inlay_string g = inlay_tensor_get_string(got, i), w = inlay_tensor_get_string(want, i);
    if (g.length != w.length || (g.length && memcmp(g.bytes, w.bytes, g.length) != 0))
        tell(c, i, "another string", w.bytes);
}

/* TYPE and dims as text: "f32[2,3]". */
static void kind_text(const inlay_tensor *t, char *buf, size_t size)
{
    inlay_shape s = {.rank = t->rank};
    char dims[256];
    for (int i = 0; i < t->rank; i++)
        s.dim[i] = inlay_dim_of(t->dims[i]);
    inlay_shape_text(s.rank, s.dim, dims, sizeof dims);
    snprintf(buf, size, "%s%s", inlay_type_info_of(t->type)->name, dims);
}

static bool same_kind(check *c, const inlay_tensor *got, const inlay_tensor *want)
{
    char got_text[300], want_text[300];
    kind_text(got, got_text, sizeof got_text);
    kind_text(want, want_text, sizeof want_text);
    if (strcmp(got_text, want_text) == 0)
        return true;
    inlay_strbuf_printf(&c->report, "\n#   %s is %s, expected %s", c->output, got_text, want_text);
    return false;
}

static void compare(check *c, const inlay_tensor *got, const inlay_tensor *want)
{
    inlay_type_class cls = inlay_type_info_of(want->type)->cls;
    if (!same_kind(c, got, want))
        return;
    c->shown = 0;
    for (int64_t i = 0; i < inlay_tensor_count(want); i++)
        if (cls == INLAY_CLASS_FLOAT)
            compare_float(c, got, want, i);
        else if (cls == INLAY_CLASS_STRING)
            compare_string(c, got, want, i);
        else
            compare_int(c, got, want, i);
    if (c->shown > SHOWN)
        inlay_strbuf_printf(&c->report, "\n#   ... and %d more of %s", c->shown - SHOWN, c->output);
}

/* All operands are constants, so inference must have found the shape itself, unless DYNAMIC. */
static bool inferred_well(const inlay_fact *fact, const inlay_tensor *want, bool dynamic)
{
    if (fact->type != want->type || (fact->rank != want->rank && !(dynamic && fact->rank < 0)))
        return false;
    for (int i = 0; i < fact->rank; i++) {
        inlay_dim d = fact->dims[i];
        if (want->dims[i] < d.lo || want->dims[i] > d.hi || (d.lo != d.hi && !dynamic))
            return false;
    }
    return true;
}

static void compare_inferred(check *c, const inlay_fact *fact, const inlay_tensor *want,
                             bool dynamic)
{
    char found[300], want_text[300];
    if (inferred_well(fact, want, dynamic))
        return;
    inlay_shape_text(fact->rank, fact->dims, found, sizeof found);
    kind_text(want, want_text, sizeof want_text);
    inlay_strbuf_printf(&c->report, "\n#   %s is inferred as %s%s, it is %s", c->output,
                        inlay_type_info_of(fact->type)->name, found, want_text);
}

static void compare_all(check *c, const inlay_graph *g, inlay_tensor **out, const cJSON *expected)
{
    const cJSON *entry;
    int i = 0;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(expected, "outputs"))
    {
        const cJSON *ulp = cJSON_GetObjectItem(entry, "ulp");
        const cJSON *atol = cJSON_GetObjectItem(entry, "atol");
        inlay_tensor *want = expected_tensor(entry);
        const inlay_value *v = inlay_node_input(g->results[i], 0);
        c->output = v->node->name;
        c->ulp = ulp ? ulp->valuedouble : 0;
        c->atol = atol ? atol->valuedouble : -1;
        compare_inferred(c, &v->fact, want, cJSON_IsTrue(cJSON_GetObjectItem(entry, "dynamic")));
        compare(c, out[i++], want);
        inlay_tensor_release(want);
    }
}

static bool run(const inlay_graph *g, inlay_exec_mode mode, inlay_tensor **out, inlay_diags *d)
{
    inlay_exec_options options = {.mode = mode, .poison = true};
    inlay_program *program = inlay_compile(g, &options, d);
    inlay_session *session = program ? inlay_session_new(program, d) : NULL;
    bool ran = session && inlay_session_run(session, NULL, NULL, out, d);
    inlay_session_free(session);
    inlay_program_free(program);
    return ran;
}

static void run_and_compare(check *c, const inlay_graph *g, inlay_exec_mode mode,
                            const cJSON *expected, inlay_diags *d)
{
    inlay_tensor **out = calloc((size_t)g->n_results, sizeof(inlay_tensor *));
    assert_non_null(out);
    if (run(g, mode, out, d))
        compare_all(c, g, out, expected);
    for (int i = 0; i < g->n_results; i++)
        inlay_tensor_release(out[i]);
    free(out);
}

static void test_case(void **state)
{
    const char *path = *state;
    check c = {0};
    inlay_diags *d = inlay_diags_new();
    cJSON *expected = read_expected(path);
    inlay_graph *g = inlay_read_file(path, NULL, d);
    int count = cJSON_GetArraySize(cJSON_GetObjectItem(expected, "outputs"));
    if (g && g->n_results != count)
        inlay_strbuf_printf(&c.report, "\n#   %d outputs, expected %d", g->n_results, count);
    else if (g) {
        run_and_compare(&c, g, INLAY_EXEC_REFERENCE, expected, d);
        run_and_compare(&c, g, INLAY_EXEC_PLANNED, expected, d);
    }
    for (size_t i = 0; i < inlay_diags_count(d); i++)
        inlay_strbuf_printf(&c.report, "\n#   line %u: %s", inlay_diags_at(d, i)->line,
                            inlay_diags_at(d, i)->text);
    inlay_graph_free(g);
    inlay_diags_free(d);
    cJSON_Delete(expected);
    if (c.report.n)
        fail_msg("%s%s", path, c.report.bytes);
    inlay_strbuf_free(&c.report);
}

/* All files of tests/ops; those of expected values are told by their names. */
static bool find_files(glob_t *found)
{
    const char *root = getenv("ROOT");
    char pattern[512];
    snprintf(pattern, sizeof pattern, "%s/tests/ops/*/*.json", root ? root : ".");
    return glob(pattern, 0, NULL, found) == 0;
}

/* "Add/types.json" of its path */
static const char *case_name(const char *path)
{
    const char *last = strrchr(path, '/');
    while (last > path && last[-1] != '/')
        last--;
    return last;
}

int main(void)
{
    glob_t found = {0};
    size_t n = 0;
    if (!find_files(&found)) {
        fputs("no cases in tests/ops\n", stderr);
        return 1;
    }
    struct CMUnitTest *tests = calloc(found.gl_pathc, sizeof *tests);
    for (size_t i = 0; tests && i < found.gl_pathc; i++)
        if (!strstr(found.gl_pathv[i], ".expect.json"))
            tests[n++] = (struct CMUnitTest){
                .name = case_name(found.gl_pathv[i]),
                .test_func = test_case,
                .initial_state = found.gl_pathv[i],
            };
    int failed = tests ? _cmocka_run_group_tests("ops", tests, n, NULL, NULL) : 1;
    free(tests);
    globfree(&found);
    return failed;
}
