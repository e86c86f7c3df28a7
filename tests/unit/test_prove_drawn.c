/* A proof leaves no graph out: each graph that is made up for a rule, and that the rule takes, is
 * like one of the cases that its proof goes through. What conditions and rows say of the sizes,
 * windows and lists of such a case may not contradict those of the graph, which the solver is asked.
 * Without MUTANT (tests/mutation/run.py) these are a few rules, other ones for each INLAY_SEED. */
#define _XOPEN_SOURCE 700 /* fdopen, mkstemp, popen */
#include "interp/interp.h"
#include "passes/prove/prove.h"
#include "passes/rules/chain.h"
#include "prove_rules.h"

#include <unistd.h>

enum {
    AXES = 3,   /* of values of a graph that is tried */
    GRAPHS = 6, /* of a rule */
    LIKE = 30,  /* cases of a graph: if as many are like it, they are not asked about */
    WAYS = 4000,
    SHARE = 15 /* of the rules one is tried */
};

struct drawn {
    const rule *rule;
    inlay_strbuf text;
    int cases[GRAPHS]; /* that are asked about, of each graph */
    char *graph[GRAPHS];
    int n;
    inlay_arena *arena;
    const inlay_graph *last;
};

/* ---- a case that is like a match ---- */

struct likeness {
    prove_case *c;
    const rule_match *m;
    const smt *held;
};

static void hold(struct likeness *x, const smt *t)
{
    x->held = smt_and(&x->c->pool, x->held, t);
}

static void hold_number(struct likeness *x, const smt *t, int64_t n)
{
    hold(x, smt_eq(&x->c->pool, t, smt_int(&x->c->pool, n)));
}

/* A number below zero may count from the end, which a case has as what it counts to. */
static bool is_like_ints(struct likeness *x, const prove_value *v, const inlay_tensor *t)
{
    bool counted = false;

    if (!t || v->n_ints < 0)
        return true;
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        counted = counted || inlay_tensor_get_i64(t, i) < 0;
    if (inlay_tensor_count(t) != v->n_ints)
        return false;
    for (int i = 0; i < v->n_ints && !counted; i++)
        hold_number(x, v->ints[i], inlay_tensor_get_i64(t, i));
    return true;
}

/* AXIS is that of a case, which names one of OF axes and stands for what counts from the end, too.
 */
static bool is_axis(const smt *axis, int of, int64_t n)
{
    return axis->n == (n < 0 ? n + of : n);
}

/* All that read V are Pads, whose value it is; of such a case has a list. */
static bool is_padding(const inlay_value *v)
{
    bool is = v->uses != NULL;

    for (const inlay_use *u = v->uses; u && is; u = u->next)
        is = strcmp(u->node->op->name, "Pad") == 0 && u->index == 3;
    return is;
}

static bool is_like_value(struct likeness *x, const prove_value *v, const inlay_value *of)
{
    const inlay_tensor *t = of ? of->fact.content : NULL;

    if (!v || !of || v->rank < 0)
        return (v != NULL) == (of != NULL);
    if (v->axis_of > 0) /* for a list of one, too */
        return !t || (inlay_tensor_count(t) == 1 &&
                      is_axis(v->ints[0], v->axis_of, inlay_tensor_get_i64(t, 0)));
    if (is_padding(of) && v->rank == 1)
        return true;
    if (v->rank != of->fact.rank)
        return false;
    for (int i = 0; i < v->rank; i++)
        hold_number(x, v->dim[i], of->fact.dims[i].lo);
    return is_like_ints(x, v, t);
}

static bool is_like_window(struct likeness *x, const prove_window *w, const rule_window *of)
{
    smt_pool *p = &x->c->pool;

    if (!w || !of || !of->known)
        return true;
    if (w->rank != of->rank)
        return false;
    for (int i = 0; i < w->rank; i++) {
        const inlay_window *axis = &of->axis[i];

        if (axis->count == RULE_WHOLE)
            continue;
        hold_number(x, w->axis[i].count, axis->count);
        for (int64_t k = 0; k < axis->count; k++)
            hold_number(x, prove_at(x->c, w, i, smt_int(p, k)), axis->begin + k * axis->step);
    }
    return true;
}

static bool is_like_list(struct likeness *x, const prove_name *name, const rule_binding *of)
{
    bool like = name->n_list == of->n_list;

    for (int i = 0; i < of->n_list && like; i++)
        like = is_like_value(x, name->list[i], of->list[i]);
    return like;
}

static bool is_like_attr(struct likeness *x, const prove_name *name, const rule_binding *of)
{
    if (name->text && of->attr)
        return strcmp(name->text, of->attr->as.s) == 0;
    if (name->axis_of > 0 && of->attr)
        return is_axis(name->attr, name->axis_of, of->attr->as.i);
    if (name->attr && of->attr && of->attr_kind == INLAY_ATTR_INT && of->attr->as.i >= 0)
        hold_number(x, name->attr, of->attr->as.i);
    return true;
}

static bool is_like_name(struct likeness *x, int i)
{
    const prove_name *name = &x->c->names[i];
    const rule_binding *of = &x->m->names[i];

    /* What has no name may be told as if it were not there. */
    if (!name->bound || !of->bound || (name->absent && *x->c->rule->names[i].text == '_'))
        return true;
    switch (of->kind) {
    case RULE_VALUE:
        return is_like_value(x, name->value, of->value);
    case RULE_LIST:
        return is_like_list(x, name, of);
    case RULE_WINDOW:
        return is_like_window(x, name->window, of->window);
    case RULE_ATTR:
        return is_like_attr(x, name, of);
    default:
        return true;
    }
}

static bool is_like(struct likeness *x)
{
    const rule *r = x->c->rule;
    bool like = true;

    x->held = smt_bool(true);
    for (int i = 0; i < r->n_names && like; i++)
        like = is_like_name(x, i);
    for (int i = 0; i < r->left.n_nodes && like; i++) {
        for (int k = 0; k < x->c->left[i]->n_out && like; k++)
            like = is_like_value(x, &x->c->left[i]->out[k], &x->m->nodes[i]->out[k]);
    }
    return like;
}

/* Writes the question of C, if it is like M. */
static bool ask_case(struct drawn *d, prove_case *c, const rule_match *m)
{
    struct likeness x = {c, m, NULL};
    smt_pool *p = &c->pool;

    prove_build_left(c);
    if (!c->cut && !c->unknown)
        prove_state_clauses(c);
    if (c->cut || c->unknown || c->faulty || !is_like(&x))
        return false;
    inlay_strbuf_puts(&d->text, "(push)\n");
    inlay_strbuf_puts(&d->text, p->declared.bytes ? p->declared.bytes : "");
    prove_say(&d->text, c->assumed);
    prove_say(&d->text, c->left_valid);
    prove_say(&d->text, x.held);
    inlay_strbuf_puts(&d->text, "(check-sat)\n(pop)\n");
    return true;
}

/* ---- graphs ---- */

static char *text_of_graph(const inlay_graph *g)
{
    inlay_strbuf text = {0};
    inlay_sink sink = {inlay_strbuf_sink, &text};
    inlay_diags *d = inlay_diags_new();

    assert_true(inlay_print(g, true, &sink, d));
    inlay_diags_free(d);
    return text.bytes;
}

static void ask_graph(struct drawn *d, const rule_match *m, const inlay_graph *g)
{
    prove_case c = {.meanings.numbers =
                        d->rule->exactness == INLAY_APPROX ? PROVE_REAL : PROVE_AS_THEY_ARE};
    bool unknown = false;
    size_t begin = d->text.n;
    int n = 0, ways = 0;

    do {
        inlay_arena_clear(d->arena);
        prove_begin_case(&c, d->rule, AXES, d->arena);
        n += ask_case(d, &c, m);
        inlay_strbuf_free(&c.pool.declared);
        unknown = unknown || (c.unknown && !c.cut);
    } while (!unknown && n < LIKE && ++ways < WAYS && prove_next_way(&c));
    if (unknown || n == LIKE || ways == WAYS) {
        d->text.n = begin;
        return;
    }
    d->cases[d->n] = n;
    d->graph[d->n++] = text_of_graph(g);
}

/* The sizes of G are known, and no value has more axes than are tried. */
static bool is_small(const inlay_graph *g)
{
    bool small = true;

    for (const inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->n_out && small; i++) {
            const inlay_fact *f = &n->out[i].fact;

            small = f->rank >= 0 && f->rank <= AXES;
            for (int k = 0; k < f->rank && small; k++)
                small = inlay_dim_is_static(f->dims[k]);
        }
    }
    return small;
}

/* The node number AT of G matches the rule, or, to APPLY it, is replaced. */
static bool matches(struct drawn *d, inlay_graph *g, int at, rule_match *m, bool apply)
{
    inlay_diags *diags = inlay_diags_new();
    inlay_node *n = g->first;
    bool done;

    *m = (rule_match){.scratch = inlay_arena_new(), .chains = rule_chains_new(g)};
    for (; at > 0; at--)
        n = n->next;
    done = rule_matches(m, d->rule, n);
    if (done && apply)
        done = rule_apply(m, &done, diags) && done;
    rule_chains_free(m->chains);
    inlay_diags_free(diags);
    return done;
}

static void try_node(struct drawn *d, const inlay_graph *g, int at)
{
    inlay_diags *diags = inlay_diags_new();
    inlay_graph *asked = inlay_graph_clone(g, diags), *applied = inlay_graph_clone(g, diags);
    rule_match m, other = {0};

    if (matches(d, asked, at, &m, false) && matches(d, applied, at, &other, true))
        ask_graph(d, &m, g);
    inlay_arena_free(m.scratch);
    inlay_arena_free(other.scratch);
    inlay_graph_free(asked);
    inlay_graph_free(applied);
    inlay_diags_free(diags);
}

static bool eval_node(void *ctx, const inlay_node *n, const inlay_tensor *const *in,
                      inlay_tensor **out, inlay_diags *diags)
{
    const inlay_evaluator reference = inlay_reference_evaluator(NULL);

    (void)ctx;
    return reference.eval_node(reference.ctx, n, in, out, diags);
}

/* Runs G, and tries it if it is no error. */
static bool eval(void *ctx, const inlay_graph *g, const inlay_tensor *const *in, inlay_tensor **out,
                 inlay_tensor **variables, inlay_diags *diags)
{
    const inlay_evaluator reference = inlay_reference_evaluator(NULL);
    struct drawn *d = ctx;
    bool ok = reference.eval_graph(reference.ctx, g, in, out, variables, diags);
    int at = 0, before = d->n;

    for (const inlay_node *n = g->first; ok && n && is_small(g) && d->n == before; n = n->next) {
        if (d->n < GRAPHS)
            try_node(d, g, at++);
    }
    return ok;
}

/* ---- the solver ---- */

static void read_answers(const struct drawn *d, FILE *f)
{
    char line[200];

    for (int i = 0; i < d->n; i++) {
        bool like = false;

        for (int k = 0; k < d->cases[i]; k++) {
            assert_non_null(fgets(line, sizeof line, f));
            like = like || strcmp(line, "unsat\n") != 0;
        }
        if (!like)
            fail_msg("%s: none of %d cases is like\n%s", d->rule->name, d->cases[i], d->graph[i]);
    }
}

static void ask(const struct drawn *d)
{
    char path[] = "/tmp/inlay-drawn-XXXXXX", command[100];
    inlay_strbuf begin = {0};
    FILE *f = fdopen(mkstemp(path), "w");

    assert_non_null(f);
    prove_begin_text(&begin, true);
    fwrite(begin.bytes, 1, begin.n, f);
    fwrite(d->text.bytes, 1, d->text.n, f);
    assert_int_equal(fclose(f), 0);
    inlay_strbuf_free(&begin);
    snprintf(command, sizeof command, "timeout 100 z3 %s", path);
    f = popen(command, "r");
    assert_non_null(f);
    read_answers(d, f);
    pclose(f);
    unlink(path);
}

static void try_rule(const inlay_rules *rules, size_t i)
{
    struct drawn d = {.rule = rules->rules[i], .arena = inlay_arena_new()};
    const inlay_check_options o = {
        .evaluator = {eval_node, eval, &d}, .graphs = 2 * GRAPHS, .inputs = 1};
    inlay_diags *diags = inlay_diags_new();
    inlay_check found;

    assert_true(inlay_check_rule(rules, i, &o, &found, diags));
    if (d.text.n > 0 || d.n > 0)
        ask(&d);
    if (getenv("MUTANT"))
        print_message("%s: %d of %lld graphs\n", d.rule->name, d.n, (long long)found.graphs);
    inlay_check_free(&found);
    inlay_diags_free(diags);
    for (int k = 0; k < d.n; k++)
        free(d.graph[k]);
    inlay_strbuf_free(&d.text);
    inlay_arena_free(d.arena);
}

static void test_drawn(void **state)
{
    static const char *const sets[] = {
        "simplify",  "canonicalize", "relax",       "turn",          "fuse",
        "xla.rules", "user.rules",   "wrong.rules", "limited.rules", "wrong-reals.rules"};

    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        inlay_rules *rules = rules_in(sets[k]);

        for (size_t i = 0; i < rules->n; i++) {
            if (is_drawn(rules->rules[i]->name, getenv("MUTANT") ? 1 : SHARE))
                try_rule(rules, i);
        }
        inlay_rules_free(rules);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_drawn)};

    if (system("z3 --version >/dev/null 2>&1") != 0) {
        printf("1..0 # SKIP z3 is not installed\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
