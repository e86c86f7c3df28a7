/* The steps of a certificate, made again, and the comparison of their result with OUT. */
#include "check/check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void assume(verdict *v, assumed_kind kind, const application *s, word name, const char *why)
{
    assumption *a = keep(sizeof *a);

    *a = (assumption){.kind = kind, .step = s, .name = name, .why = word_of(why, strlen(why))};
    if (!v->last)
        v->last = &v->assumed;
    *v->last = a;
    v->last = &a->next;
}

bool refuse(verdict *v, const application *s, const char *fmt, ...)
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

/* The graph that P names; NULL: there is none. */
static graph *place_of(graph *g, const place *p)
{
    for (int i = 0; g && i < p->depth; i++) {
        const node *n = find(g, p->path[i]);

        g = n && p->body[i] >= 0 && p->body[i] < n->n_bodies ? n->bodies[p->body[i]] : NULL;
    }
    return g;
}

/* Do new names depend on new names in a circle? N is one of them. */
static bool is_circular(const graph *made, node *n, int depth)
{
    if (n->uses == -1 || depth > 10000)
        return true;
    if (n->uses == -2)
        return false;
    n->uses = -1;
    for (int i = 0; i < n->n_in; i++) {
        node *from = find(made, n->in[i].name);

        if (from && is_circular(made, from, depth + 1))
            return true;
    }
    n->uses = -2;
    return false;
}

/* One place of a step. */
struct change {
    verdict *v;
    const application *s;
    graph *g, *made; /* what was there, and the nodes with new names */
    int mark;
};

static bool same_attr(const attr *a, const attr *b)
{
    return a->name == b->name && a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

static bool same_operation(const node *a, const node *b)
{
    bool same = a->op == b->op && a->set == b->set && a->n_attrs == b->n_attrs;

    for (int i = 0; same && i < a->n_attrs; i++)
        same = same_attr(&a->attrs[i], &b->attrs[i]);
    return same;
}

/* Marks what goes, and lists what comes with a new name. */
static bool look(struct change *c, const place *p)
{
    for (const edit *e = p->first; e; e = e->next) {
        node *old = find(c->g, e->name);

        if (e->kind != COMES && !old)
            return refuse(c->v, c->s, "there is no \"%s\"", e->name);
        if (old) {
            if (e->kind != COMES && old->mark == c->mark)
                return refuse(c->v, c->s, "\"%s\" goes twice", e->name);
            old->mark = e->kind == COMES ? old->mark : c->mark;
            continue;
        }
        if (is_rim(e->node) || find(c->made, e->name))
            return refuse(c->v, c->s, "\"%s\" may not come", e->name);
        e->node->mark = c->mark;
        add_node(c->made, e->node);
    }
    for (size_t i = 0; i < c->made->n_nodes; i++) {
        if (is_circular(c->made, c->made->nodes[i], 0))
            return refuse(c->v, c->s, "\"%s\" depends on itself", c->made->nodes[i]->name);
    }
    return true;
}

/* May a name that was OLD be NOW? */
static bool ask(struct change *c, node *old, node *now)
{
    question q = {.before = c->g, .made = c->made, .old = old, .now = now, .mark = c->mark};
    char why[200] = "";
    const char *in_the_way = why;
    assumed_kind kind = c->s->rule ? BY_RULE : is_op(now, "Const") ? FOLDED : BY_PASS;
    answer is;

    if (is_rim(old) && !same_operation(old, now))
        return refuse(c->v, c->s, "\"%s\" is an input, output or variable, and changes", old->name);
    now->mark = c->mark;
    is = compare_equations(&q, why, sizeof why);
    c->v->n_equations++;
    if (is == UNDECIDED && kind == FOLDED && c->v->fold) {
        is = fold_again(c->g, old, now, c->v->fold, &in_the_way);
        c->v->n_folded += is == SAME;
        snprintf(why, sizeof why, "%s", in_the_way);
    }
    if (is == DIFFERENT)
        return refuse(c->v, c->s, "\"%s\" has another value: %s", old->name, why);
    if (is == SAME) {
        c->v->n_checked++;
        if (q.unstated)
            assume(c->v, BY_SHAPE, c->s, old->name, "a shape that the certificate alone states");
    } else {
        assume(c->v, kind, c->s, old->name, why);
    }
    for (int k = 0; k < now->n_out && old->n_out == now->n_out; k++) {
        now->out[k].type = old->out[k].type ? old->out[k].type : now->out[k].type;
        now->out[k].shape = old->out[k].shape ? old->out[k].shape : now->out[k].shape;
        now->stated = old->stated;
    }
    return true;
}

/* OLD with the operands of READS. */
static node *with_operands(const node *old, const node *reads)
{
    node *n = keep(sizeof *n);

    *n = *old;
    n->in = reads->in;
    n->n_in = reads->n_in;
    n->out = keep((size_t)(n->n_out + 1) * sizeof *n->out);
    memcpy(n->out, old->out, (size_t)n->n_out * sizeof *n->out);
    return n;
}

/* Every edit of a name that was there must leave its value. */
static bool ask_all(struct change *c, const place *p)
{
    for (edit *e = p->first; e; e = e->next) {
        node *old = find(c->g, e->name);

        if (!old || e->kind == GOES)
            continue;
        if (old->mark != c->mark)
            return refuse(c->v, c->s, "\"%s\" comes, and is there already", e->name);
        if (e->kind == READS)
            e->node = with_operands(old, e->node);
        if (!ask(c, old, e->node))
            return false;
    }
    return true;
}

static bool count(struct change *c, const node *n, int by)
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
static bool apply(struct change *c, const place *p)
{
    graph gone = {0};

    for (const edit *e = p->first; e; e = e->next) {
        node *old = find(c->g, e->name);

        if (e->kind == COMES)
            continue;
        if (!count(c, old, -1))
            return false;
        add_node(&gone, old);
    }
    for (const edit *e = p->first; e; e = e->next) {
        if (find(&gone, e->name) && find(c->g, e->name))
            drop_node(c->g, e->name);
        if (e->kind == GOES)
            continue;
        e->node->uses = 0;
        if (find(&gone, e->name)) {
            e->node->uses = find(&gone, e->name)->uses;
            drop_node(&gone, e->name);
        }
        add_node(c->g, e->node);
    }
    for (const edit *e = p->first; e; e = e->next) {
        if (e->kind != GOES && !count(c, e->node, 1))
            return false;
    }
    for (size_t i = 0; i < gone.n_nodes; i++) {
        const node *n = gone.nodes[i];

        if (n && (is_rim(n) || n->uses > 0))
            return refuse(c->v, c->s,
                          is_rim(n) ? "\"%s\" is an input, output or variable, and goes"
                                    : "\"%s\" goes and is still read",
                          n->name);
    }
    return true;
}

bool replay(graph *g, const application *steps, verdict *v)
{
    for (const application *s = steps; s; s = s->next) {
        v->n_steps++;
        for (const place *p = s->first; p; p = p->next) {
            graph made = {0};
            struct change c = {v, s, place_of(g, p), &made, 0};
            static int mark;

            if (!p->first)
                continue;
            c.mark = ++mark;
            if (!c.g)
                return refuse(v, s, "there is no such body");
            if (!look(&c, p) || !ask_all(&c, p) || !apply(&c, p))
                return false;
        }
    }
    return true;
}

/* ---- the result ---- */

/* Numbers as a person may have written them, and as the printer does. */
static bool same_elements(const char *p, size_t n, const char *q, size_t m)
{
    const char *p_end = p + n, *q_end = q + m;

    if (n == m && memcmp(p, q, n) == 0)
        return true;
    while (p < p_end && q < q_end) {
        char *after, *also;
        bool one = *p == *q && strchr("[],", *p);

        if (!one && (strtod(p, &after) != strtod(q, &also) || after == p || also == q))
            return false;
        p = one ? p + 1 : after;
        q = one ? q + 1 : also;
    }
    return p == p_end && q == q_end;
}

static bool count_of_all(const shape *s, size_t *n)
{
    *n = 1;
    for (int i = 0; i < s->rank; i++)
        *n *= (size_t)s->dims[i];
    return s->rank >= 0;
}

static bool same_constant(const node *a, const node *b, verdict *v)
{
    value x, y;
    bool hashed, also;
    size_t n, m;
    const char *p = literal_of(a, &x, &hashed, &n), *q = literal_of(b, &y, &also, &m);
    uint64_t hash, other;
    size_t count;
    char text[32];

    if (!p || !q || x.type != y.type || x.shape->rank != y.shape->rank ||
        memcmp(x.shape->dims, y.shape->dims, (size_t)x.shape->rank * sizeof(int64_t)) != 0)
        return false;
    if (hashed == also && same_elements(p, n, q, m))
        return true;
    if (hashed && also)
        return false;
    if (!hashed && !also && count_of_all(x.shape, &count) &&
        hash_of_literal(x.type, p, n, count, &hash) && hash_of_literal(y.type, q, m, count, &other))
        return hash == other;
    if (count_of_all(x.shape, &count) &&
        hash_of_literal(x.type, hashed ? q : p, hashed ? m : n, count, &hash)) {
        snprintf(text, sizeof text, "#%016llx", (unsigned long long)hash);
        return strncmp(hashed ? p : q, text, 17) == 0;
    }
    assume(v, BY_HASH, NULL, a->name, "its elements are written in two ways");
    return true;
}

/* May a value have both shapes? */
static bool may_have(const shape *a, const shape *b)
{
    bool may = !a || !b || a->rank < 0 || b->rank < 0 || a->rank == b->rank;

    for (int i = 0; may && a && b && i < a->rank && i < b->rank; i++)
        may = a->dims[i] == OPEN || b->dims[i] == OPEN || a->dims[i] == b->dims[i];
    return may;
}

static bool same_node(const node *a, const node *b, verdict *v)
{
    bool same =
        a->op == b->op && a->set == b->set && a->n_in == b->n_in && a->n_bodies == b->n_bodies &&
        (!a->version || !b->version || a->version == b->version) && a->n_attrs == b->n_attrs;

    for (int i = 0; same && i < a->n_in; i++)
        same = a->in[i].name == b->in[i].name && a->in[i].index == b->in[i].index;
    for (int k = 0; same && k < a->n_out && k < b->n_out; k++)
        same = may_have(a->out[k].shape, b->out[k].shape);
    if (same && is_op(a, "Const"))
        return same_constant(a, b, v) ||
               refuse(v, NULL, "constant \"%s\" is not the same in OUT", a->name);
    for (int i = 0; same && i < a->n_attrs; i++) {
        const attr *x = &a->attrs[i], *y = attr_of(b, x->name);

        same = y && (same_attr(x, y) || same_elements(x->text, x->n, y->text, y->n));
    }
    for (int i = 0; same && i < a->n_bodies; i++) {
        same = a->rims[i] == b->rims[i];
        if (same && !same_graphs(a->bodies[i], b->bodies[i], v))
            return false;
    }
    return same || refuse(v, NULL, "\"%s\" (line %zu) is not the same in OUT (line %zu)", a->name,
                          a->line, b->line);
}

/* OUT stands in an order in which it can be computed, so it has one solution. */
static bool is_in_order(const graph *out, verdict *v)
{
    graph before = {0};

    for (size_t i = 0; i < out->n_nodes; i++) {
        const node *n = out->nodes[i];

        for (int k = 0; k < n->n_in; k++) {
            if (n->in[k].name && !find(&before, n->in[k].name))
                return refuse(v, NULL,
                              "OUT is not in order: \"%s\" reads \"%s\" before it is there",
                              n->name, n->in[k].name);
        }
        add_node(&before, out->nodes[i]);
    }
    return true;
}

bool same_graphs(const graph *g, const graph *out, verdict *v)
{
    size_t live = 0;

    for (size_t i = 0; i < g->n_nodes; i++) {
        const node *n = g->nodes[i], *there = n ? find(out, n->name) : NULL;

        live += n != NULL;
        if (n && !there)
            return refuse(v, NULL, "OUT has no \"%s\"", n->name);
        if (n && !same_node(n, there, v))
            return false;
    }
    for (size_t i = 0; live != out->n_nodes && i < out->n_nodes; i++) {
        if (!find(g, out->nodes[i]->name))
            return refuse(v, NULL, "no step makes \"%s\", which OUT has", out->nodes[i]->name);
    }
    return is_in_order(out, v);
}

word *rim_of(const graph *g, int *n)
{
    word *list = keep((g->n_nodes + 1) * sizeof *list);

    *n = 0;
    for (size_t i = 0; i < g->n_nodes; i++) {
        if (is_op(g->nodes[i], "Parameter") || is_op(g->nodes[i], "Result"))
            list[(*n)++] = g->nodes[i]->name;
    }
    return list;
}
