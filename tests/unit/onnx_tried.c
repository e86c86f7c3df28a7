#define _XOPEN_SOURCE 700 /* glob, alarm */
#include "tests/unit/onnx_tried.h"
#include "unit.h"

#include "models.h"
#include "passes/passes.h"
#include <ctype.h>
#include <glob.h>
#include <signal.h>
#include <unistd.h>

enum { LIMIT = 1 << 26, MOST_RESULTS = 64 };

struct onnx_tried onnx_tried;

static void add_word(const char *word, size_t length)
{
    for (int i = 0; i < onnx_tried.n_words; i++) {
        if (strlen(onnx_tried.words[i]) == length && memcmp(onnx_tried.words[i], word, length) == 0)
            return;
    }
    assert_true(onnx_tried.n_words < MOST_WORDS);
    onnx_tried.words[onnx_tried.n_words++] = inlay_arena_strndup(onnx_tried.arena, word, length);
}

/* Adds what stands in quotation marks in TEXT and could be the name of an attribute. */
static void add_words(const char *text)
{
    for (const char *p = text; (p = strchr(p, '"')); p++) {
        size_t n = 0;

        while (isalnum((unsigned char)p[1 + n]) || p[1 + n] == '_')
            n++;
        if (n > 0 && p[1 + n] == '"' && (n == 1 || islower((unsigned char)p[1])))
            add_word(p + 1, n);
    }
}

void onnx_tried_words(void)
{
    const char *root = getenv("ROOT");
    char pattern[400];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/parser/onnx/import/*.c", root ? root : ".");
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *text = model_load(found.gl_pathv[i], NULL);

        add_words(text);
        free(text);
    }
    globfree(&found);
}

void onnx_tried_late(int number)
{
    static const char late[] = " takes too long\n";

    (void)number;
    if (write(2, onnx_tried.now, strlen(onnx_tried.now)) < 0 || write(2, late, sizeof late - 1) < 0)
        _exit(2);
    _exit(1);
}

inlay_graph *onnx_tried_read(const struct node_test *t, inlay_diags *d)
{
    const inlay_read_options o = {.max_memory = LIMIT};
    size_t n = protobuf_c_message_get_packed_size(&t->m->base);
    inlay_buffer *b = inlay_buffer_new(n);
    char name[500];
    inlay_graph *g;

    assert_non_null(b);
    protobuf_c_message_pack(&t->m->base, inlay_buffer_data(b));
    snprintf(name, sizeof name, "%s/model.onnx", t->name);
    g = inlay_read_onnx(name, inlay_buffer_data(b), n, b, &o, d);
    inlay_buffer_release(b);
    return g;
}

/* Writes the results of G on the inputs of T to OUT. False and an error: it cannot be run. */
static bool run(const struct node_test *t, const inlay_graph *g, inlay_tensor **out, inlay_diags *d)
{
    const inlay_exec_options o = {.max_memory = LIMIT, .max_iterations = 1000, .threads = 1};
    inlay_program *p = inlay_compile(g, &o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    bool ok = s && inlay_session_run(s, (const inlay_tensor *const *)t->in, NULL, out, d);

    inlay_session_free(s);
    inlay_program_free(p);
    onnx_tried.n_runs++;
    return ok;
}

static void release(inlay_tensor **out)
{
    for (int i = 0; i < MOST_RESULTS; i++)
        inlay_tensor_release(out[i]);
}

/* G, which is freed, is T in another form, and gives WANTED as well. */
static void check_same(const struct node_test *t, inlay_graph *g, inlay_tensor *const *wanted,
                       const char *form, inlay_diags *d)
{
    const inlay_compare_options near = {.rtol = 1e-3, .atol = 1e-4},
                                narrow = {.rtol = 0.01, .atol = 0.1};
    inlay_tensor *out[MOST_RESULTS] = {NULL};
    char why[512] = "";

    if (!g || !run(t, g, out, d))
        snprintf(why, sizeof why, "%s", model_messages(d));
    for (int i = 0; g && i < g->n_results && !*why; i++) {
        bool few = wanted[i]->type == INLAY_BF16 || wanted[i]->type == INLAY_F16;

        if (inlay_compare_tensors(wanted[i], out[i], few ? &narrow : &near, why, sizeof why))
            *why = '\0';
    }
    if (*why)
        print_error("%s, %s: %s\n", onnx_tried.now, form, why), onnx_tried.n_wrong++;
    release(out);
    inlay_graph_free(g);
}

/* Reads T without the shapes of its inputs, or, if OPEN, without their sizes. */
static inlay_graph *read_unknown(const struct node_test *t, bool open, inlay_diags *d)
{
    static Onnx__TensorShapeProto__Dimension any = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__INIT;
    Onnx__TensorShapeProto__Dimension *dims[INLAY_MAX_RANK];
    Onnx__TensorShapeProto *was[64], shapes[64];
    const Onnx__GraphProto *m = t->m->graph;
    inlay_graph *g;

    for (int i = 0; i < INLAY_MAX_RANK; i++)
        dims[i] = &any;
    for (size_t i = 0; i < m->n_input; i++) {
        Onnx__TypeProto__Tensor *type = m->input[i]->type->tensor_type;

        was[i] = type ? type->shape : NULL;
        if (!was[i] || was[i]->n_dim > INLAY_MAX_RANK)
            continue;
        shapes[i] = *was[i];
        shapes[i].dim = dims;
        type->shape = open ? &shapes[i] : NULL;
    }
    g = onnx_tried_read(t, d);
    for (size_t i = 0; i < m->n_input; i++) {
        if (was[i])
            m->input[i]->type->tensor_type->shape = was[i];
    }
    return g;
}

static inlay_graph *read_written(const inlay_graph *g, inlay_diags *d)
{
    inlay_strbuf file = {0};
    inlay_sink to = {inlay_strbuf_sink, &file};
    int k = onnx_tried.n_forms / 3; /* each other one as it needs, or 17 to 28 */
    const inlay_write_options o = {.opset = k % 2 ? 17 + k / 2 % (ONNX_MAX_OPSET - 16) : 0};
    bool ok = inlay_write_onnx(g, NULL, &o, &to, NULL, d);
    inlay_graph *again = ok ? inlay_read_onnx("m.onnx", file.bytes, file.n, NULL, NULL, d) : NULL;

    inlay_strbuf_free(&file);
    return again;
}

/* Whether it draws numbers. */
static bool is_random(const inlay_graph *g)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        if (strcmp(n->op->name, "RandomUniform") == 0 || strcmp(n->op->name, "Multinomial") == 0)
            return true;
    }
    return false;
}

/* T, which was read as G and gave WANTED, gives the same where less is known of its inputs, and
 * where it was written as ONNX, unless ONNX cannot say it. */
static void check_forms(const struct node_test *t, const inlay_graph *g,
                        inlay_tensor *const *wanted)
{
    static const char *const forms[] = {"ranks unknown", "sizes unknown", "written"};
    int form = onnx_tried.n_forms++ % 3;
    inlay_diags *d = inlay_diags_new();
    inlay_graph *other = form < 2 ? read_unknown(t, form == 1, d) : read_written(g, d);

    if (other || (!strstr(model_messages(d), "ONNX cannot say") &&
                  !strstr(model_messages(d), "sizes are not known, which is not read")))
        check_same(t, other, wanted, forms[form], d);
    inlay_diags_free(d);
}

size_t onnx_tried_errors(const inlay_diags *d)
{
    size_t errors = 0;

    for (size_t i = 0; i < inlay_diags_count(d); i++)
        errors += inlay_diags_at(d, i)->severity == INLAY_ERROR;
    return errors;
}

/* An import that fails without a word leaves the reader to say that an operand is missing, which is
 * so where a node leaves one out alone. */
static bool is_silent(const struct node_test *t, const inlay_diags *d)
{
    bool all = true;

    for (size_t i = 0; i < t->node->n_input; i++)
        all = all && *t->node->input[i];
    return all && strstr(model_messages(d), "cannot be imported with these inputs");
}

/* Reads and runs T: it works, or there is one error of a status that is the caller's fault. */
void onnx_tried_run(const struct node_test *t)
{
    inlay_tensor *out[MOST_RESULTS] = {NULL};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;
    bool ok;

    alarm(SECONDS);
    onnx_tried.n_cases++;
    if (getenv("CASES"))
        fprintf(stderr, "%s\n", onnx_tried.now);
    g = onnx_tried_read(t, d);
    ok = g && (g->n_params != t->n_in || run(t, g, out, d));
    if (onnx_tried_errors(d) != !ok || is_silent(t, d) ||
        (!ok && inlay_diags_status(d) != INLAY_INVALID &&
         inlay_diags_status(d) != INLAY_NO_RESOURCE))
        print_error("%s: %s\n", onnx_tried.now, ok ? "warnings" : model_messages(d)),
            onnx_tried.n_wrong++;
    if (ok && out[0] && !is_random(g))
        check_forms(t, g, out);
    release(out);
    inlay_graph_free(g);
    inlay_diags_free(d);
}
