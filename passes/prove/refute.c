/* Turns a model of the solver, which describes how a rule fails, into a graph, on which both sides
 * are run. All sizes are limited to a few, so that statements about all numbers can be made about
 * each one, and windows can be given steps. */
#include "passes/check/maker.h"
#include "passes/prove/prove.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST = 3,         /* largest size */
    INTS = 4,         /* largest integer in a list; the smallest is its negative */
    TRIED = 2 * MOST, /* statements about all numbers are made about so many of them */
    NUMBERS = 512,
    GRAPHS = 24 /* graphs made from one model; operations and types are random */
};

/* The numbers of a model, in the order in which they are asked for. */
struct model {
    prove_case *c;
    const smt *term[NUMBERS], *limits;
    int64_t number[NUMBERS];
    int n, at;
    bool asking; /* there is no model yet: terms are collected */
};

static int64_t number(struct model *x, const smt *t)
{
    if (t->op == SMT_INT)
        return t->n;
    if (x->asking && x->n < NUMBERS)
        x->term[x->n++] = t;
    return x->asking || x->at == x->n ? 0 : x->number[x->at++];
}

static void limit(struct model *x, const smt *t)
{
    if (x->asking)
        x->limits = smt_and(&x->c->pool, x->limits, t);
}

static int64_t number_in(struct model *x, const smt *t, int64_t lo, int64_t hi)
{
    smt_pool *p = &x->c->pool;

    limit(x, smt_and(p, smt_le(p, smt_int(p, lo), t), smt_le(p, t, smt_int(p, hi))));
    return number(x, t);
}

/* ---- what names stand for; M is NULL while there is no model ---- */

static inlay_value *ints_of(struct model *x, check_maker *m, const prove_value *v)
{
    int64_t ints[PROVE_RANK], n = v->n_ints;

    for (int i = 0; i < v->n_ints; i++)
        ints[i] = number_in(x, v->ints[i], -INTS, INTS);
    return m ? inlay_build_ints(m->graph, NULL, INLAY_I64, v->rank, &n, ints, m->diags) : NULL;
}

/* The index of element number K of a box with MOST elements along each axis. False: V, of these
 * DIMS, has no such element. */
static bool index_of(struct model *x, const prove_value *v, const int64_t *dims, int64_t k,
                     int64_t *out)
{
    const smt *at[PROVE_RANK];
    bool inside = true;

    for (int i = v->rank - 1; i >= 0; i--, k /= MOST) {
        at[i] = smt_int(&x->c->pool, k % MOST);
        inside = inside && k % MOST < dims[i];
    }
    *out = number(x, prove_integer(x->c, prove_element(x->c, v, at)));
    return inside;
}

static inlay_value *indices_of(struct model *x, check_maker *m, const prove_value *v,
                               const int64_t *dims)
{
    int64_t elements[MOST * MOST], index, n = 0, all = 1;

    for (int i = 0; i < v->rank; i++)
        all *= MOST;
    for (int64_t k = 0; k < all; k++) {
        if (index_of(x, v, dims, k, &index))
            elements[n++] = index;
    }
    return m ? inlay_build_ints(m->graph, NULL, INLAY_I64, v->rank, dims, elements, m->diags)
             : NULL;
}

/* NAME is an operand whose elements are indices. */
static bool is_index(const rule *r, int name)
{
    for (int i = 0; i < r->left.n_nodes; i++) {
        const rule_node *n = &r->left.nodes[i];

        for (int k = 0; k < n->n_in && n->n_rows > 0; k++) {
            inlay_role role = k < n->rows[0]->n_in ? n->rows[0]->in[k].role : INLAY_ROLE_DATA;

            if (n->in[k].kind == TERM_NAME && n->in[k].name == name &&
                (role == INLAY_ROLE_INDICES || role == INLAY_ROLE_TUPLES))
                return true;
        }
    }
    return false;
}

static inlay_value *value_of(struct model *x, check_maker *m, const prove_value *v, bool index)
{
    inlay_shape shape = {.rank = v->rank};
    int64_t dims[PROVE_RANK];

    if (v->n_ints >= 0)
        return ints_of(x, m, v);
    for (int i = 0; i < v->rank; i++) {
        dims[i] = number_in(x, v->dim[i], 0, MOST);
        shape.dim[i] = inlay_dim_of(dims[i]);
        /* Some rules are wrong only if a size is not known. */
        if (m && check_one_in(m, 4))
            shape.dim[i] = (inlay_dim){dims[i] ? 1 : 0, dims[i] + 1, 0};
    }
    if (index && v->rank <= 2)
        return indices_of(x, m, v, dims);
    return m ? inlay_build_parameter(m->graph, NULL, m->type, &shape, m->diags) : NULL;
}

/* The positions of an axis lie one step apart. */
static inlay_window axis_of(struct model *x, const prove_window *w, int i)
{
    smt_pool *p = &x->c->pool;
    const smt *first = prove_at(x->c, w, i, smt_int(p, 0)), *count = w->axis[i].count;
    const smt *step = smt_sub(p, prove_at(x->c, w, i, smt_int(p, 1)), first);
    inlay_window out;

    for (int k = 2; k < MOST; k++) {
        const smt *by = smt_mul(p, smt_int(p, k), step);
        const smt *at = prove_at(x->c, w, i, smt_int(p, k));

        limit(x, smt_implies(p, smt_lt(p, smt_int(p, k), count),
                             smt_eq(p, at, smt_add(p, first, by))));
    }
    out.count = number(x, count);
    out.begin = number(x, first);
    out.step = number(x, step);
    if (out.count < 2 || out.step == 0)
        out.step = 1;
    return out;
}

/* The operands start, stop, step and axes. */
static bool window_of(struct model *x, check_maker *m, const prove_window *w, inlay_value **out)
{
    int64_t lists[4][PROVE_RANK], n = w->rank;
    bool proper = number(
        x, smt_ite(&x->c->pool, w->proper, smt_int(&x->c->pool, 1), smt_int(&x->c->pool, 0)));

    for (int i = 0; i < w->rank; i++) {
        int64_t size = number_in(x, w->axis[i].size, 0, MOST);
        inlay_window axis = axis_of(x, w, i);

        if (!m)
            continue;
        inlay_window_denormalise(axis, size, &lists[0][i], &lists[1][i], &lists[2][i]);
        lists[2][i] = proper ? lists[2][i] : 0;
        lists[3][i] = i;
    }
    for (int i = 0; m && i < 4; i++) {
        out[i] = inlay_build_ints(m->graph, NULL, INLAY_I64, 1, &n, lists[i], m->diags);
        if (!out[i])
            return false;
    }
    return true;
}

static bool list_of(struct model *x, check_maker *m, const prove_name *list, check_name *out)
{
    for (int i = 0; i < list->n_list; i++) {
        inlay_value *v = value_of(x, m, list->list[i], false);

        if (m && (i == CHECK_LIST || !v))
            return false;
        if (m)
            out->list[i] = v;
    }
    if (m)
        out->n_list = list->n_list;
    return true;
}

static bool attr_of(const prove_name *name, check_maker *m, inlay_attr_kind kind, check_name *out)
{
    inlay_attr *a = m ? inlay_arena_alloc(m->graph->arena, sizeof *a) : NULL;

    if (!m)
        return true;
    if (!a)
        return false;
    *a = (inlay_attr){0};
    if (name->attr)
        a->as.i = name->attr->n;
    else
        a->as.s = name->text;
    out->attr = a;
    out->attr_kind = kind;
    return true;
}

/* NAME is an input of the rule: no node of the left side and no function makes it. */
static bool is_given(const rule *r, int name)
{
    return !prove_clause_of(r, name) && r->names[name].bound && r->names[name].node < 0 &&
           r->names[name].kind != RULE_OP;
}

static bool bind_name(struct model *x, check_maker *m, int i)
{
    const prove_name *name = &x->c->names[i];
    check_name none = {0}, *out = m ? &m->names[i] : &none;
    const rule_name *info = &x->c->rule->names[i];
    bool ok = true;

    if (!is_given(x->c->rule, i) || (name->value && name->value->rank < 0))
        return true;
    if (name->window)
        ok = window_of(x, m, name->window, out->window);
    else if (name->n_list > 0)
        ok = list_of(x, m, name, out);
    else if (info->kind == RULE_ATTR && (name->text || name->attr))
        ok = attr_of(name, m, info->attr_kind, out);
    else if (name->value && !name->value->node)
        ok = (out->value = value_of(x, m, name->value, is_index(x->c->rule, i))) || !m;
    else if (!name->absent)
        return true;
    out->bound = ok;
    return ok;
}

static bool bind_names(check_maker *m, void *ctx)
{
    struct model *x = ctx;

    x->at = 0;
    for (int i = 0; i < x->c->rule->n_names; i++) {
        if (!bind_name(x, m, i))
            return false;
    }
    return true;
}

/* ---- the question ---- */

static void ask_for_model(struct model *x, const smt *against, inlay_strbuf *text)
{
    smt_pool *p = &x->c->pool;

    x->asking = true;
    x->limits = smt_bool(true);
    bind_names(NULL, x);
    x->asking = false;
    against = smt_and(p, smt_and(p, x->limits, x->c->assumed), against);
    prove_begin_text(text, false);
    if (p->declared.bytes)
        inlay_strbuf_puts(text, p->declared.bytes);
    for (int64_t n = -INTS; n <= TRIED; n++) {
        const smt *k = smt_int(p, n);

        prove_say(text, smt_eq(p, prove_integer(x->c, smt_apply1(p, prove_of_int, k)), k));
    }
    prove_say(text, smt_ground(p, against, -1, TRIED));
    inlay_strbuf_puts(text, "(check-sat)\n");
    for (int i = 0; i < x->n; i++) {
        inlay_strbuf_puts(text, "(eval ");
        smt_print(text, x->term[i]);
        inlay_strbuf_puts(text, " :completion true)\n");
    }
}

/* Reads "7" or "(- 7)". */
static bool read_number(const char *line, int64_t *out)
{
    bool negative = strncmp(line, "(- ", 3) == 0;
    char *end;

    line += negative ? 3 : 0;
    *out = strtoll(line, &end, 10);
    *out = negative ? -*out : *out;
    return end > line;
}

/* False: the solver has no model. */
static bool read_model(struct model *x, const char *answer)
{
    char line[100];

    if (!prove_next_line(&answer, line, sizeof line) || strcmp(line, "sat") != 0)
        return false;
    for (int i = 0; i < x->n; i++) {
        if (!prove_next_line(&answer, line, sizeof line) || !read_number(line, &x->number[i]))
            return false;
    }
    return true;
}

static bool run_model(struct model *x, const inlay_evaluator *evaluator, inlay_check *found,
                      inlay_diags *d)
{
    check_given given = {bind_names, x};
    inlay_check_options o = {.evaluator = *evaluator, .graphs = GRAPHS};

    return check_rule_given(x->c->rule, &given, &o, found, d);
}

bool prove_refute(prove_case *c, const smt *against, const inlay_prove_options *o,
                  inlay_check *found, inlay_diags *d)
{
    struct model *x = prove_alloc(c, sizeof *x);
    inlay_strbuf text = {0}, answer = {0};
    bool ok;

    if (c->pool.no_memory)
        return inlay_fail_memory(d);
    *x = (struct model){.c = c};
    ask_for_model(x, against, &text);
    ok = text.failed || c->pool.no_memory
             ? inlay_fail_memory(d)
             : o->solver.ask(o->solver.ctx, text.bytes, text.n, &answer, d);
    if (ok && read_model(x, answer.bytes ? answer.bytes : ""))
        ok = run_model(x, &o->evaluator, found, d);
    inlay_strbuf_free(&answer);
    inlay_strbuf_free(&text);
    return ok;
}
