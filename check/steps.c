/* The steps of a certificate, made again, and the comparison of their result with OUT. */
#include "check/check.h"

#include <stdarg.h>
#include <string.h>

void assume(verdict *v, assumed_kind kind, const step *s, word group, word name, const char *why)
{
    assumption *a = more(&v->assumed, &v->n_assumed, sizeof *a);

    *a = (assumption){kind, s, group, name, why};
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

static bool is_rim(const node *n)
{
    return is_op(n, "Parameter") || is_op(n, "Result") || is_op(n, "Assign");
}

/* The edits of a step in one graph: names that go, nodes that come; a name that does both gets
 * another equation. */
typedef struct change {
    verdict *v;
    const step *s;
    graph *g, made; /* MADE: the nodes with new names */
    node **gone, **come;
    int n_gone, n_come;
} change;

static int mark;

/* Do new names depend on new names in a circle? Each is marked twice, before and after. */
static bool is_circular(const change *c, node *n, int depth)
{
    if (n->mark == mark || depth > 10000)
        return n->mark == mark;
    n->mark = mark;
    for (int i = 0; i < n->n_in; i++) {
        node *from = find(&c->made, n->in[i].name);

        if (from && from->mark != -mark && is_circular(c, from, depth + 1))
            return true;
    }
    n->mark = -mark;
    return false;
}

/* May a name that was OLD be NOW? */
static bool ask(const change *c, const node *old, node *now)
{
    const rule *r = c->s->rule ? rule_of(c->s->rule, c->s->set) : NULL;
    assumed_kind kind = c->s->rule ? BY_RULE : is_op(now, "Const") ? FOLDED : BY_PASS;
    word group = c->s->rule ? c->s->rule : is_op(now, "Const") ? NULL : c->s->pass;
    answer is = old->n_out == now->n_out ? SAME : UNDECIDED;
    question q;
    static int64_t left = 1 << 24;

    if (is_rim(old) && !alike(old, now))
        return refuse(c->v, c->s, "\"%s\" is an input, output or variable, and changes", old->name);
    c->v->n_equations++;
    q = (question){
        {c->g, &c->made, left < 1 << 20 ? left : 1 << 20, false}, r, false, false, 0, ""};
    left -= q.s.steps;
    for (int k = 0; is == SAME && k < old->n_out; k++)
        is = same_value(&q, old, k, now, k);
    left += q.s.steps > 0 ? q.s.steps : 0;
    if (is == UNDECIDED && kind == FOLDED && c->v->fold) {
        is = fold_again(c->g, old, now, c->v->fold, &q.why);
        c->v->n_folded += is == SAME;
    }
    if (is == DIFFERENT)
        return refuse(c->v, c->s, "\"%s\" has another value: %s", old->name, q.why);
    if (is == UNDECIDED && r && now->n_bodies == 0)
        return refuse(c->v, c->s, "\"%s\" is not changed as rule %s says: %s", old->name,
                      c->s->rule, q.why);
    if (is == UNDECIDED || q.by_rule)
        assume(c->v, kind, c->s, group, old->name, q.why);
    else
        c->v->n_checked++;
    for (const word *f = q.by_rule ? functions_of(r) : NULL; f && *f; f++)
        assume(c->v, BY_FUNCTION, c->s, *f, old->name, "its answer");
    if (q.s.claimed && is == SAME && !q.by_rule)
        assume(c->v, BY_SHAPE, c->s, NULL, old->name, "a shape that the certificate alone states");
    for (int k = 0; k < now->n_out && old->n_out == now->n_out; k++) {
        const value *was = &old->out[k];

        if (was->shape && !was->claimed)
            now->out[k] = (value){.type = was->type, .shape = was->shape};
    }
    return true;
}

static bool count(const change *c, const node *n, int by)
{
    for (int i = 0; i < n->n_in; i++) {
        node *from = find(c->g, n->in[i].name);

        if (n->in[i].name && (!from || n->in[i].index < 0 || n->in[i].index >= from->n_out))
            return refuse(c->v, c->s, "\"%s\" reads \"%s:%d\", which there is not", n->name,
                          n->in[i].name, n->in[i].index);
        if (from)
            from->uses += by;
    }
    return true;
}

/* Takes away what goes, and adds what comes. */
static bool apply(const change *c)
{
    for (int i = 0; i < c->n_gone; i++) {
        if (!count(c, c->gone[i], -1))
            return false;
    }
    for (int i = 0; i < c->n_gone; i++)
        set_node(c->g, c->gone[i]->name, NULL);
    for (int i = 0; i < c->n_come; i++) {
        node *n = c->come[i];

        n->mark = 0;
        set_node(c->g, n->name, n);
        for (int k = 0; k < c->n_gone && n->place < 0; k++)
            n->place = c->gone[k]->name == n->name ? c->gone[k]->place : -1;
        if (n->place < 0) {
            n->place = c->g->n_nodes;
            more(&c->g->nodes, &c->g->n_nodes, sizeof n);
        }
        c->g->nodes[n->place] = n;
    }
    for (int i = 0; i < c->n_gone; i++) {
        node *old = c->gone[i], *now = find(c->g, old->name);

        if (now)
            now->uses += old->uses;
        if (!now && (is_rim(old) || old->uses > 0))
            return refuse(c->v, c->s, "\"%s\" goes and is %s", old->name,
                          is_rim(old) ? "an input, output or variable" : "still read");
    }
    for (int i = 0; i < c->n_come; i++) {
        if (!count(c, c->come[i], 1))
            return false;
    }
    return true;
}

static bool read_edits(change *c, reader *r)
{
    while (c->g) {
        bool goes = takes(r, "-"), reads = !goes && takes(r, "@");
        node *n = keep(sizeof *n), *old;

        if (!goes && !reads && !takes(r, "+"))
            return true;
        if (goes || reads)
            n->name = read_name(r);
        else
            n = read_node(r, true);
        old = find(c->g, n->name);
        if ((goes || reads) && (!old || old->mark == mark))
            return refuse(c->v, c->s, "there is no \"%s\"", n->name);
        if (goes || reads) {
            old->mark = mark;
            *(node **)more(&c->gone, &c->n_gone, sizeof n) = old;
        }
        if (reads) {
            *n = *old;
            n->in = NULL;
            n->n_in = n->uses = n->mark = 0;
            n->out = keep(((size_t)n->n_out + 1) * sizeof *n->out);
            for (int k = 0; k < n->n_out; k++)
                n->out[k] = (value){.type = old->out[k].type,
                                    .shape = old->out[k].shape,
                                    .claimed = old->out[k].claimed};
            read_operands(r, n);
        }
        n->place = -1;
        if (!goes)
            *(node **)more(&c->come, &c->n_come, sizeof n) = n;
    }
    return refuse(c->v, c->s, "there is no such body");
}

/* The edits of a step within one graph. */
static bool change_graph(change *c, reader *r)
{
    mark++;
    if (!read_edits(c, r))
        return false;
    for (int i = 0; i < c->n_come; i++) {
        node *n = c->come[i], *old = find(c->g, n->name);

        if (old ? old->mark != mark : (is_rim(n) || find(&c->made, n->name)))
            return refuse(c->v, c->s, "\"%s\" may not come", n->name);
        if (!old)
            set_node(&c->made, n->name, n);
    }
    for (int i = 0; i < c->n_come; i++) {
        if (find(&c->made, c->come[i]->name) && c->come[i]->mark != -mark &&
            is_circular(c, c->come[i], 0))
            return refuse(c->v, c->s, "\"%s\" depends on itself", c->come[i]->name);
    }
    for (int i = 0; i < c->n_come; i++) {
        const node *old = find(c->g, c->come[i]->name);

        if (old && !ask(c, old, c->come[i]))
            return false;
    }
    return apply(c);
}

static step *read_step(reader *r)
{
    step *s = keep(sizeof *s);

    s->serial = read_int(r);
    s->pass = read_name(r);
    if (takes(r, "rule")) {
        s->rule = read_name(r);
        read_word(r, false), must(r, "of");
        s->set = read_name(r);
    }
    if (takes(r, "from"))
        read_name(r), must(r, "line"), read_int(r);
    return s;
}

bool replay(graph *g, reader *r, verdict *v)
{
    while (takes(r, "step")) {
        change first = {.v = v, .s = read_step(r), .g = g}, *c = keep(sizeof *c);

        v->n_steps++;
        *c = first;
        if (!change_graph(c, r))
            return false;
        while (takes(r, "graph")) {
            graph *at = g;

            while (skip(r), *r->p == '%') {
                const node *n = find(at, read_name(r));
                int64_t body = read_int(r);

                at = n && body >= 0 && body < n->n_bodies ? n->bodies[body] : NULL;
            }
            c = keep(sizeof *c);
            *c = (change){.v = v, .s = first.s, .g = at};
            if (!change_graph(c, r))
                return false;
        }
    }
    skip(r);
    if (*r->p)
        fail(r, "a step was expected");
    return true;
}

static bool may_have(const shape *a, const shape *b)
{
    bool may = !a || !b || a->rank < 0 || b->rank < 0 || a->rank == b->rank;

    for (int i = 0; may && a && b && i < a->rank && i < b->rank; i++)
        may = a->dims[i] == OPEN || b->dims[i] == OPEN || a->dims[i] == b->dims[i];
    return may;
}

static bool same_node(const node *a, const node *b, verdict *v)
{
    bool is_constant = is_op(a, "Const") && is_op(b, "Const"), same = alike(a, b);

    if (!same && is_constant && !a->elements != !b->elements) {
        assume(v, BY_HASH, NULL, NULL, a->name, "its elements are written in two ways");
        same = true;
    }
    same = same && a->n_in == b->n_in && a->n_bodies == b->n_bodies && a->n_out == b->n_out;
    for (int i = 0; same && i < a->n_in; i++)
        same = a->in[i].name == b->in[i].name && a->in[i].index == b->in[i].index;
    for (int k = 0; same && k < a->n_out; k++)
        same = may_have(a->out[k].shape, b->out[k].shape);
    for (int i = 0; same && i < a->n_bodies; i++) {
        same = a->rims[i] == b->rims[i];
        if (same && !same_graphs(a->bodies[i], b->bodies[i], v))
            return false;
    }
    return same || refuse(v, NULL, "\"%s\" is not the same in OUT", a->name);
}

/* OUT stands in an order in which it can be computed, so it has one solution. */
static bool is_in_order(const graph *out, verdict *v)
{
    mark++;
    for (int i = 0; i < out->n_nodes; i++) {
        node *n = out->nodes[i];

        for (int k = 0; k < n->n_in; k++) {
            if (n->in[k].name && find(out, n->in[k].name)->mark != mark)
                return refuse(v, NULL, "OUT is not in order: \"%s\" reads \"%s\"", n->name,
                              n->in[k].name);
        }
        n->mark = mark;
    }
    return true;
}

static bool is_port(const node *n)
{
    return is_op(n, "Parameter") || is_op(n, "Result");
}

bool same_graphs(const graph *g, const graph *out, verdict *v)
{
    int live = 0, port = 0;

    if (!is_in_order(out, v))
        return false;
    for (int i = 0; i < g->n_nodes; i++) {
        const node *n = g->nodes[i], *there = find(out, n->name);

        if (find(g, n->name) != n)
            continue;
        live++;
        if (!there)
            return refuse(v, NULL, "OUT has no \"%s\"", n->name);
        if (!same_node(n, there, v))
            return false;
        while (is_port(n) && port < out->n_nodes && !is_port(out->nodes[port]))
            port++;
        if (is_port(n) && (port == out->n_nodes || out->nodes[port++] != there))
            return refuse(v, NULL, "OUT has other inputs or outputs than MODEL");
    }
    return live == out->n_nodes || refuse(v, NULL, "OUT has nodes that no step makes");
}
