/* See op_cases.h. */
#include "op_cases.h"
#include "unit.h"

#include "case_files.h"
#include "interp/session.h"
#include "models.h"
#include "parser/parser.h"

static bool visit_case(const case_text *x, op_case_visitor *visit, void *ctx)
{
    inlay_diags *d = inlay_diags_new();
    bool more;
    op_case c;

    if (!op_case_read(&c, x->text, x->path, d))
        fail_msg("%s: %s", x->path, model_messages(d));
    more = visit(x->path, &c, ctx);
    op_case_free(&c);
    inlay_diags_free(d);
    return more;
}

void op_cases_each(const char *operation, op_case_visitor *visit, void *ctx)
{
    case_texts all = {0};
    char folder[256];
    bool more = true;

    snprintf(folder, sizeof folder, "tests/ops/%s", operation);
    case_texts_add(&all, folder);
    for (size_t i = 0; more && i < all.n; i++)
        more = visit_case(&all.list[i], visit, ctx);
    case_texts_free(&all);
}

inlay_graph *op_case_graph(const char *path, const op_case *c, inlay_diags *d)
{
    const inlay_strbuf *text = &c->form[c->error.n ? OP_FORM_OPEN : OP_FORM_CONSTANTS];

    return inlay_read_text(path, text->bytes, text->n, NULL, d);
}

inlay_node *op_case_node(const inlay_graph *g, const inlay_op *row)
{
    for (inlay_node *n = g->first; n; n = n->next) {
        inlay_node *found = n->op == row ? n : NULL;

        for (int i = 0; !found && i < n->n_bodies; i++)
            found = op_case_node(n->bodies[i].graph, row);
        if (found)
            return found;
    }
    return NULL;
}

static bool run(const op_case *c, const inlay_graph *g, inlay_tensor **out, inlay_diags *d)
{
    const inlay_exec_options o = {.mode = INLAY_EXEC_REFERENCE, .max_memory = 1 << 28};
    inlay_program *p = inlay_compile(g, &o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    bool ok = s && inlay_session_run(s, c->operand, NULL, out, d);

    inlay_session_free(s);
    inlay_program_free(p);
    return ok;
}

static bool is_expected(const op_case *c, const inlay_node *result, const inlay_tensor *t)
{
    const op_expectation *e = op_case_expected(c, result->name);
    char why[512];

    return e && inlay_compare_tensors(e->tensor, t, &e->tolerance, why, sizeof why);
}

op_verdict op_case_judge(const op_case *c, const inlay_graph *g, inlay_diags *d)
{
    inlay_tensor *out[OP_CASE_MAX] = {NULL};
    bool ran = g && g->n_results <= OP_CASE_MAX && run(c, g, out, d), holds = true;

    for (int i = 0; ran && i < g->n_results; i++) {
        holds = holds && is_expected(c, g->results[i], out[i]);
        inlay_tensor_release(out[i]);
    }
    if (ran)
        return holds ? OP_HOLDS : OP_DIFFERS;
    return c->error.n && strstr(model_messages(d), c->error.bytes) ? OP_HOLDS : OP_REFUSED;
}

/* ---- what no case can notice ---- */

enum { MOST_EXCUSES = 512 };

struct op_excuses {
    char *text;
    const char *kind;
    int n;
    /* Each has the words of its line: ROW <tab> WHAT <tab> WHY. */
    struct excuse {
        const char *row, *what;
        bool used;
    } list[MOST_EXCUSES];
};

static char *cut(char **rest, const char *end)
{
    char *word = *rest;
    size_t n = strcspn(word, end);

    *rest = word + n + (word[n] != '\0');
    word[n] = '\0';
    return word;
}

/* Adds the LINE if its WHAT begins with the kind. */
static void add_excuse(op_excuses *x, char *line)
{
    const char *row = cut(&line, "\t"), *what = cut(&line, "\t");

    if (row[0] == '#' || row[0] == '\0' || strncmp(what, x->kind, strlen(x->kind)) != 0)
        return;
    if (line[0] == '\0' || x->n == MOST_EXCUSES)
        fail_msg("equivalent.txt: %s: %s: there is no reason, or there are too many lines", row,
                 what);
    x->list[x->n++] = (struct excuse){row, what, false};
}

op_excuses *op_excuses_read(const char *kind)
{
    op_excuses *x = calloc(1, sizeof *x);
    const char *root = getenv("ROOT");
    char path[512], *rest;

    assert_non_null(x);
    snprintf(path, sizeof path, "%s/tests/ops/equivalent.txt", root ? root : ".");
    x->kind = kind;
    rest = x->text = model_load(path, NULL);
    while (*rest)
        add_excuse(x, cut(&rest, "\n"));
    return x;
}

bool op_excuses_has(op_excuses *x, const char *row, const char *what)
{
    for (int i = 0; i < x->n; i++) {
        if (strcmp(x->list[i].row, row) == 0 && strcmp(x->list[i].what, what) == 0) {
            x->list[i].used = true;
            return true;
        }
    }
    return false;
}

void op_excuses_end(op_excuses *x)
{
    int stale = 0;

    for (int i = 0; i < x->n; i++) {
        if (!x->list[i].used)
            print_error("equivalent.txt excuses %s: %s, which a case notices\n", x->list[i].row,
                        x->list[i].what);
        stale += !x->list[i].used;
    }
    free(x->text);
    free(x);
    assert_int_equal(stale, 0);
}
