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

static bool is_port(const node *n)
{
    return is_op(n, "Parameter") || is_op(n, "Result");
}

/* What a step does in one graph to a name: NOW is its equation; NULL: it goes. */
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

    if ((is_port(old) || is_op(old, "Assign")) && !alike(old, now))
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

static bool read_edits(change *c, tree **t)
{
    static int mark;
    bool goes = false;

    for (mark++; *t;) {
        bool reads = takes(t, "@");
        edit e = {NULL, NULL, false};

        goes = !reads && (takes(t, "-") || (goes && *(*t)->text == '%'));
        if (!goes && !reads && !takes(t, "+"))
            return true;
        e.now = goes || reads ? NULL : read_node(t, c->g);
        e.of = *slot_of(c->g, e.now ? e.now->name : read_word(t, true));
        e.is_new = !e.of->op;
        if (e.is_new && (!e.now || is_port(e.now)))
            return refuse(c->v, c->s, "there is no \"%s\"", e.of->name);
        if (reads) {
            e.now = keep(sizeof *e.now);
            *e.now = *e.of;
            e.now->gone = false;
            e.now->in = NULL;
            e.now->n_in = 0;
            e.now->out = keep(((size_t)e.of->n_out + 1) * sizeof *e.now->out);
            for (int k = 0; k < e.of->n_out; k++)
                e.now->out[k] = (value){.type = e.of->out[k].type,
                                        .shape = e.of->out[k].shape,
                                        .claimed = e.of->out[k].claimed};
            read_operands(t, c->g, e.now);
        }
        if (e.now && e.of->mark == mark)
            return refuse(c->v, c->s, "\"%s\" comes twice", e.of->name);
        e.of->mark = e.now ? mark : e.of->mark;
        e.of->gone = e.of->mark != mark;
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
        if (c->edits[i].now && missing_operand(c->edits[i].now))
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

        if (e->now && !e->is_new && !ask(c, e->of, e->now))
            return false;
    }
    for (int i = 0; i < c->n; i++) {
        edit *e = &c->edits[i];

        if (e->of->gone && (is_port(e->of) || is_op(e->of, "Assign")))
            return refuse(c->v, c->s, "\"%s\" goes and is an input, output or variable",
                          e->of->name);
        if (e->of->gone)
            *slot_of(c->g, e->of->name) = NULL;
        else if (e->now && !e->is_new)
            *e->of = *e->now;
    }
    return true;
}

/* `step 3 %simplify rule %slice-of-slice exact of %simplify from %again line 7` */
static step *read_step(tree **t)
{
    step *s = keep(sizeof *s);

    s->serial = read_int(t);
    s->pass = read_word(t, true);
    if (takes(t, "rule")) {
        s->rule = read_word(t, true);
        read_word(t, false);
        must(t, "of");
        s->set = read_word(t, true);
    }
    while (*t && !(*t)->begins)
        *t = (*t)->next;
    return s;
}

bool replay(graph *g, tree *t, verdict *v)
{
    must(&t, "certificate");
    must(&t, "1");
    while (takes(&t, "step")) {
        const step *s = read_step(&t);
        graph *at = g;

        v->n_steps++;
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

/* N, which is in G, and what OUT has under its name. */
static bool same_node(const graph *g, const node *n, const node *there, verdict *v)
{
    bool same = alike(n, there) && n->n_in == there->n_in && n->n_bodies == there->n_bodies &&
                n->n_out == there->n_out;

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
    return same || refuse(v, NULL, "\"%s\" is not the same in OUT", n->name);
}

/* OUT stands in an order in which it can be computed, so it has one solution; and inputs and
 * outputs in the same one as in MODEL. */
bool same_graphs(const graph *g, const graph *out, verdict *v)
{
    int live = 0, port = 0;

    for (int i = 0; i < out->n_nodes; i++) {
        node *n = out->nodes[i];

        for (int k = 0; k < n->n_in; k++) {
            if (n->in[k].n && n->in[k].n->mark == 0)
                return refuse(v, NULL, "OUT is not in order: \"%s\" reads \"%s\"", n->name,
                              n->in[k].n->name);
        }
        n->mark = 1;
    }
    for (int i = 0; i < g->n_nodes; i++) {
        const node *n = g->nodes[i], *there = *slot_of(out, n->name);

        if (n->gone)
            continue;
        live++;
        if (!there->op)
            return refuse(v, NULL, "OUT has no \"%s\"", n->name);
        if (!same_node(g, n, there, v))
            return false;
        while (is_port(n) && port < out->n_nodes && !is_port(out->nodes[port]))
            port++;
        if (is_port(n) && (port == out->n_nodes || out->nodes[port++] != there))
            return refuse(v, NULL, "OUT has other inputs or outputs than MODEL");
    }
    return live == out->n_nodes || refuse(v, NULL, "OUT has nodes that no step makes");
}
