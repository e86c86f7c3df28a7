/* The steps of a certificate, made again, and the comparison of their result with OUT. */
#include "check/check.h"

#include <stdarg.h>
#include <string.h>

void assume(verdict *v, assumed_kind kind, const step *s, word of, word name, const char *why)
{
    int i = 0;
    group *g;

    while (i < v->n_groups && (v->groups[i].kind != kind || v->groups[i].name != of))
        i++;
    if (i == v->n_groups)
        *(group *)more(&v->groups, &v->n_groups, sizeof *g) =
            (group){kind, of, kind == BY_RULE ? proof_of(of, s->set) : "", NULL, 0};
    g = &v->groups[i];
    if (s && g->n > 0 && g->list[g->n - 1].step == s && g->list[g->n - 1].name == name)
        return;
    *(assumption *)more(&g->list, &g->n, sizeof *g->list) = (assumption){s, name, why};
}

bool refuse(verdict *v, const step *s, const char *fmt, ...)
{
    va_list args;

    v->refused = true;
    v->step = s;
    va_start(args, fmt);
    vsnprintf(v->why, sizeof v->why, fmt, args);
    va_end(args);
    return false;
}

/* Inputs, outputs and variables stay as they are. */
static bool is_fixed(const node *n)
{
    return is_op(n, "Parameter") || is_op(n, "Result") || is_op(n, "Assign");
}

/* What a step does in one graph to a name: NOW is its equation. */
typedef struct edit {
    node *of, *now;
    bool is_new;
} edit;

typedef struct change {
    verdict *v;
    const step *s;
    graph *g;
    edit *edits;
    int n;
} change;

/* May OLD have the equation NOW? */
static bool ask(const change *c, node *old, node *now)
{
    const rule *r = c->s->rule ? rule_of(c->s->rule, c->s->set) : NULL;
    assumed_kind kind = c->s->rule ? BY_RULE : is_op(now, "Const") ? FOLDED : BY_PASS;
    word of = kind == BY_RULE ? c->s->rule : kind == FOLDED ? NULL : c->s->pass;
    answer is = old->n_out == now->n_out ? SAME : UNDECIDED;
    static int64_t left = 1 << 24;
    int64_t steps = left < 1 << 20 ? left : 1 << 20;
    question q = {.steps = steps, .in_body = c->g->depth > 0, .rule = r, .why = ""};

    if (is_fixed(old) && !alike(old, now))
        return refuse(c->v, c->s, "\"%s\" is an input, output or variable, and changes", old->name);
    c->v->n_equations++;
    for (int k = 0; is == SAME && k < old->n_out; k++)
        is = same_value(&q, (element){old, k, 0}, (element){now, k, 0});
    left -= steps - (q.steps > 0 ? q.steps : 0);
    if (is == UNDECIDED && kind == FOLDED && c->v->fold) {
        is = fold_again(old, now, c->v->fold, &q.why);
        c->v->n_folded += is == SAME;
    }
    if (is == DIFFERENT)
        return refuse(c->v, c->s, "\"%s\" has another value: %s", old->name, q.why);
    if (is == UNDECIDED && r && now->n_bodies == 0)
        return refuse(c->v, c->s, "\"%s\" is not changed as rule %s says: %s", old->name,
                      c->s->rule, q.why);
    if (is == UNDECIDED || q.by_rule)
        assume(c->v, kind, c->s, of, old->name, q.why);
    else
        c->v->n_checked++;
    for (const tree *f = NULL; q.by_rule && (f = next_function(r, f));)
        assume(c->v, BY_FUNCTION, c->s, f->text, old->name, "its answer");
    if (q.claimed && is == SAME && !q.by_rule)
        assume(c->v, BY_SHAPE, c->s, NULL, old->name, "a shape that the certificate alone states");
    for (int k = 0; k < now->n_out && old->n_out == now->n_out; k++) {
        const value *was = &old->out[k];

        if (was->shape && !was->claimed)
            now->out[k] = (value){.type = was->type, .shape = was->shape};
    }
    return true;
}

/* `@ %y 1 %b`: what OLD is, with other operands. */
static node *read_reads(tree **t, graph *g, const node *old)
{
    node *now = keep(sizeof *now);
    int n = 0;

    *now = *old;
    for (now->in = NULL; n < old->n_in;) {
        element *e = more(&now->in, &n, sizeof *e);

        *e = old->in[n - 1];
    }
    now->out = keep(((size_t)old->n_out + 1) * sizeof *now->out);
    for (int k = 0; k < old->n_out; k++)
        now->out[k] = (value){
            .type = old->out[k].type, .shape = old->out[k].shape, .claimed = old->out[k].claimed};
    while (*t && !(*t)->begins) {
        int64_t i = read_int(t);

        while (i >= now->n_in && now->n_in < 1 << 16)
            more(&now->in, &now->n_in, sizeof *now->in);
        if (i < 0 || i >= now->n_in)
            fail(*t, "an operand of \"%s\" was expected", old->name);
        now->in[i] = read_operand(t, g);
    }
    return now;
}

/* `+`: a new name, or another equation of one; `*`: a name that went, and comes again as another
 * one; `@`: an equation that reads others. */
static bool read_edits(change *c, tree **t)
{
    static int mark;

    for (mark++; *t && strchr("+*@", *(*t)->text);) {
        bool reads = takes(t, "@"), again = takes(t, "*");
        node *now = NULL;
        word name;
        edit e;

        takes(t, "+");
        if (reads)
            name = read_word(t, true);
        else
            now = read_node(t, c->g), name = now->name;
        if (again)
            *slot_of(c->g, name) = NULL;
        e = (edit){.of = *slot_of(c->g, name), .now = now};
        e.is_new = !e.of->op;
        if (e.is_new && (reads || is_fixed(now)))
            return refuse(c->v, c->s, "there is no \"%s\"", name);
        if (e.of->mark == mark)
            return refuse(c->v, c->s, "\"%s\" comes twice", name);
        e.of->mark = mark;
        if (reads)
            e.now = read_reads(t, c->g, e.of);
        *(edit *)more(&c->edits, &c->n, sizeof e) = e;
    }
    return true;
}

/* New names are defined by what there was, and by new names before, wherever these stand. */
static bool define(const change *c)
{
    int left = 0, had;
    int64_t looks = 1 << 26;

    for (int i = 0; i < c->n; i++)
        left += c->edits[i].is_new;
    do {
        had = left;
        for (int i = 0; i < c->n; i++) {
            edit *e = &c->edits[i];

            if (e->of->op || missing_operand(e->now))
                continue;
            *e->of = *e->now;
            *(node **)more(&c->g->nodes, &c->g->n_nodes, sizeof(node *)) = e->of;
            left--;
        }
        looks -= c->n;
    } while (left < had && looks > 0);
    for (int i = 0; i < c->n; i++) {
        if (missing_operand(c->edits[i].now))
            return refuse(c->v, c->s,
                          "\"%s\" reads \"%s\", which is not there, or depends on itself",
                          c->edits[i].of->name, missing_operand(c->edits[i].now)->n->name);
    }
    return true;
}

/* The edits of a step within one graph. */
static bool change_graph(change *c, tree **t)
{
    if (!read_edits(c, t) || !define(c))
        return false;
    for (int i = 0; i < c->n; i++) {
        edit *e = &c->edits[i];

        if (!e->is_new && !ask(c, e->of, e->now))
            return false;
    }
    for (int i = 0; i < c->n; i++) {
        if (!c->edits[i].is_new)
            *c->edits[i].of = *c->edits[i].now;
    }
    return true;
}

/* `step 3 %simplify rule %slice-of-slice of %simplify from %again`; without number the next one,
 * without set that of the pass. */
static step *read_step(tree **t, int64_t last)
{
    step *s = keep(sizeof *s);

    s->serial = *t && *(*t)->text != '%' ? read_int(t) : last + 1;
    s->pass = s->set = read_word(t, true);
    s->rule = takes(t, "rule") ? read_word(t, true) : NULL;
    s->set = takes(t, "of") ? read_word(t, true) : s->pass;
    while (*t && !(*t)->begins)
        *t = (*t)->next;
    return s;
}

bool replay(graph *g, tree *t, verdict *v)
{
    int64_t last = 0;

    must(&t, "certificate");
    must(&t, "1");
    while (takes(&t, "step")) {
        const step *s = read_step(&t, last);
        graph *at = g;

        v->n_steps++;
        last = s->serial;
        do {
            change *c = keep(sizeof *c);

            for (at = g; at && t && *t->text == '%';) {
                const node *n = *slot_of(at, read_word(&t, true));
                int64_t body = read_int(&t);

                at = body >= 0 && body < n->n_bodies ? n->bodies[body] : NULL;
            }
            *c = (change){.v = v, .s = s, .g = at};
            if (!at)
                return refuse(v, s, "there is no such body");
            if (!change_graph(c, &t))
                return false;
        } while (takes(&t, "graph"));
    }
    if (t)
        fail(t, "a step was expected");
    return true;
}

/* What G has under its name, and THERE, which is in OUT. */
static bool same_node(const graph *g, const node *there, verdict *v)
{
    const node *n = *slot_of(g, there->name);
    bool same = n->op && alike(n, there) && n->n_in == there->n_in &&
                n->n_bodies == there->n_bodies && n->n_out == there->n_out;

    for (int i = 0; same && i < n->n_in; i++) {
        element a = n->in[i], b = there->in[i];

        same = !a.n == !b.n && a.k == b.k && (!a.n || a.n == *slot_of(g, b.n->name));
    }
    for (int k = 0; same && k < n->n_out; k++) {
        const shape *x = n->out[k].shape, *y = there->out[k].shape;

        same = !x || !y || count_of(x) > MOST || count_of(y) > MOST || same_shape(x, y);
    }
    for (int i = 0; same && i < n->n_bodies; i++) {
        same = n->rims[i] == there->rims[i];
        if (same && !same_graphs(n->bodies[i], there->bodies[i], v))
            return false;
    }
    return same ||
           refuse(v, NULL,
                  n->op ? "\"%s\" is not the same in OUT" : "OUT has \"%s\", which no step makes",
                  there->name);
}

/* The next input, output or variable from *I on; NULL: there is none. */
static const node *next_fixed(const graph *g, int *i)
{
    while (*i < g->n_nodes && !is_fixed(g->nodes[*i]))
        ++*i;
    return *i < g->n_nodes ? g->nodes[(*i)++] : NULL;
}

/* OUT stands in an order in which it can be computed, so it has one solution; each of its equations
 * is there; and inputs, outputs and variables are the same, in one order. */
bool same_graphs(const graph *g, const graph *out, verdict *v)
{
    const node *is;
    int i = 0, k = 0;

    for (int m = 0; m < out->n_nodes; m++) {
        node *n = out->nodes[m];

        for (int j = 0; j < n->n_in; j++) {
            if (n->in[j].n && n->in[j].n->mark == 0)
                return refuse(v, NULL, "OUT is not in order: \"%s\" reads \"%s\"", n->name,
                              n->in[j].n->name);
        }
        n->mark = 1;
        if (!same_node(g, n, v))
            return false;
    }
    do {
        const node *there = next_fixed(out, &k);

        is = next_fixed(g, &i);
        if (g->variables != out->variables || !is != !there ||
            (is && *slot_of(out, is->name) != there))
            return refuse(v, NULL, "OUT has other inputs, outputs or variables than MODEL");
    } while (is);
    return true;
}
