/* See op_types.h. */
#include "op_types.h"
#include "unit.h"

#include "case_files.h"
#include "ir/shared.h"
#include "models.h"
#include "parser/parser.h"

enum {
    MOST_CASES = 12,
    SLOW_CASES = 3
}; /* of many: they differ in what is computed, seldom in where elements are */

/* Returns T's elements as numbers of TYPE. */
static inlay_tensor *as_type(const inlay_tensor *t, inlay_type type)
{
    inlay_tensor *out = inlay_tensor_new(type, t->rank, t->dims);
    bool whole = !inlay_type_is_float(type);

    if (!out)
        fail_msg("no tensor of %s", inlay_type_info_of(type)->name);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        double x = inlay_tensor_get_f64(t, i);

        if (whole)
            inlay_tensor_set_i64(out, i, x > -100 && x < 100 ? (int64_t)x : 1);
        else
            inlay_tensor_set_f64(out, i, x);
    }
    return out;
}

static bool is_number(inlay_type type)
{
    return inlay_type_is_float(type) || inlay_type_is_int(type) || type == INLAY_BOOLEAN;
}

/* Returns the row's operand I; the last operand of a row may stand for many. */
static const inlay_operand_info *operand(const inlay_node *n, int i)
{
    return &n->op->in[i < n->op->n_in ? i : n->op->n_in - 1];
}

/* Converts to TYPE the constants that are operands of N with variable VAR. */
static bool retype(inlay_node *n, int var, inlay_type type, inlay_diags *d)
{
    for (int i = 0; i < n->n_in; i++) {
        inlay_value *v = n->in[i].value;
        inlay_tensor *t;
        bool ok;

        if (!v || operand(n, i)->var != var)
            continue;
        if (!(operand(n, i)->types >> type & 1) || !inlay_node_is(v->node, INLAY_OP_CONST) ||
            !is_number(v->fact.type))
            return false;
        t = as_type(inlay_node_attr(v->node, "value")->as.tensor, type);
        ok = inlay_node_set_tensor(v->node, "value", t, d);
        inlay_tensor_release(t);
        if (!ok)
            return false;
    }
    return true;
}

/* Returns the node of ROW. */
static inlay_node *node_of(const inlay_graph *g, const inlay_op *row)
{
    inlay_node *n = g->first;

    while (n && n->op != row)
        n = n->next;
    return n;
}

struct attempt {
    const char *path;
    const inlay_op *row;
    const op_case *c;
    op_types_fn *try;
    void *ctx;
};

/* Returns the graph of the case, as its file says it. */
static inlay_graph *read_case(const struct attempt *t, inlay_diags *d)
{
    const inlay_strbuf *text = &t->c->form[OP_FORM_CONSTANTS];

    return inlay_read_text(t->path, text->bytes, text->n, NULL, d);
}

/* Tries the case with the operands of VAR as TYPE, if the row and the shape rule allow that. */
static bool try_type(const struct attempt *t, int var, inlay_type type)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = read_case(t, d);
    inlay_node *n = g ? node_of(g, t->row) : NULL;
    bool ran;
    char what[600];

    snprintf(what, sizeof what, "%s, variable %d is %s", t->path, var,
             inlay_type_info_of(type)->name);
    ran = n && n->op->n_in > 0 && retype(n, var, type, d) && inlay_infer_graph(g, d) &&
          inlay_check_graph(g, d) && t->try(what, g, n, t->ctx);
    inlay_graph_free(g);
    inlay_diags_free(d);
    return ran;
}

static bool is_about(const struct attempt *t)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = read_case(t, d);
    bool is = g && node_of(g, t->row);

    inlay_graph_free(g);
    inlay_diags_free(d);
    return is;
}

/* Returns how often the case was tried; -1: it is not of the row, or expects an error. */
static int try_case(struct attempt *t, const char *text)
{
    inlay_diags *d = inlay_diags_new();
    int ran = -1;
    op_case c;

    if (!op_case_read(&c, text, t->path, d))
        fail_msg("%s: %s", t->path, model_messages(d));
    t->c = &c;
    if (c.error.n == 0 && is_about(t)) {
        ran = 0;
        for (int type = 0; type < INLAY_N_TYPES; type++) {
            for (int var = 0; is_number((inlay_type)type) && var < 2; var++)
                ran += try_type(t, var, (inlay_type)type);
        }
    }
    op_case_free(&c);
    inlay_diags_free(d);
    return ran;
}

static size_t try_some(const case_texts *all, size_t step, struct attempt *t, int *ran)
{
    size_t cases = 0;

    for (size_t i = 0; i < all->n; i += step) {
        int n;

        t->path = all->list[i].path;
        n = try_case(t, all->list[i].text);
        cases += n >= 0;
        *ran += n > 0 ? n : 0;
    }
    return cases;
}

int op_types_each(const inlay_op *row, op_types_fn *try, void *ctx)
{
    struct attempt t = {.row = row, .try = try, .ctx = ctx};
    size_t most = getenv("INLAY_SLOW") ? SLOW_CASES : MOST_CASES;
    case_texts all = {0};
    char folder[256];
    int ran = 0;

    snprintf(folder, sizeof folder, "tests/ops/%s", row->name);
    case_texts_add(&all, folder);
    /* Where few of many are of the row, each of them is tried. */
    if (all.n > 0 && try_some(&all, all.n / most + 1, &t, &ran) == 0)
        try_some(&all, 1, &t, &ran);
    case_texts_free(&all);
    return all.n > 0 ? ran : -1;
}
