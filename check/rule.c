/* Is a change an instance of the rewrite rule that it names (passes/rules/README.md)? The answers
 * and results of the functions in its conditions are not computed here. */
#include "check/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum term_kind { NAME, NODE, NUMBER, INTS, REST, SPREAD, WINDOW, ANY } term_kind;

typedef struct term {
    term_kind kind;
    bool optional, any;  /* in brackets; `any f` */
    word text;           /* the name, the operation, the number */
    node *attrs;         /* only those */
    word set;            /* "opset", "onnx" */
    int64_t first, last; /* version */
    struct term **in, **outs;
    int n_in, n_outs;
} term;

struct rule {
    term *sides[2][20]; /* definitions, and what comes last */
    int n[2];
    word functions[20], lets[20];
    bool is_approx;
};

typedef struct binding {
    word name;
    element is;    /* a value; of a window the node and its first operand */
    element *list; /* or several: N_LIST */
    int n_list;
    const node *op; /* or an operation */
    word text;      /* or an attribute, NULL: absent */
} binding;

typedef struct match {
    question *q;
    const rule *r;
    int side, n, n_nodes;
    binding list[64];
    const node *nodes[20]; /* of the left side */
} match;

/* ---- reading ---- */

static term *read_term(reader *r);

static void read_version(reader *r, term *t)
{
    size_t letters = strcspn(r->p, "0123456789({ ");

    t->set = word_of(r->p, letters);
    r->p += letters;
    t->first = strtoll(r->p, (char **)&r->p, 10);
    t->last = t->first ? t->first : INT64_MAX;
    if (takes(r, ".."))
        t->last = *r->p >= '0' && *r->p <= '9' ? read_int(r) : INT64_MAX;
}

static void read_node_term(reader *r, term *t)
{
    t->kind = NODE;
    t->set = word_of("opset", 5);
    t->last = INT64_MAX;
    t->attrs = keep(sizeof *t->attrs);
    if (takes(r, "@"))
        read_version(r, t);
    must(r, "(");
    while (!takes(r, ")")) {
        term *in = read_term(r);

        *(term **)more(&t->in, &t->n_in, sizeof in) = in;
        takes(r, ",");
    }
    read_attrs(r, t->attrs);
}

static term *read_term(reader *r)
{
    term *t = keep(sizeof *t);
    bool spread = takes(r, "...");

    skip(r);
    if (strchr("-0123456789", *r->p) || (*r->p == '[' && strchr("-0123456789]", r->p[1]))) {
        size_t n = *r->p == '[' ? strcspn(r->p, "]") + 1 : strcspn(r->p, ",); \n");

        t->text = word_of(r->p, n);
        t->kind = *t->text != '[' && strpbrk(t->text, ".e") ? NUMBER : INTS;
        r->p += n;
        return t;
    }
    t->optional = takes(r, "[");
    t->any = takes(r, "any");
    t->kind = takes(r, "window") ? WINDOW : spread ? REST : NAME;
    t->text = read_word(r, false);
    if (*r->p == '(' || *r->p == '@')
        read_node_term(r, t);
    t->kind = spread && t->kind == NODE ? SPREAD : strcmp(t->text, "_") == 0 ? ANY : t->kind;
    if (t->optional)
        must(r, "]");
    return t;
}

/* Terms in brackets, or one. */
static void read_terms(reader *r, term *to)
{
    bool several = takes(r, "(");

    do {
        term *t = read_term(r);

        *(term **)more(&to->outs, &to->n_outs, sizeof t) = t;
    } while (several && takes(r, ","));
    if (several)
        must(r, ")");
}

static void read_side(reader *r, rule *to, int side)
{
    do {
        term *names = keep(sizeof *names), *t;

        read_terms(r, names);
        skip(r);
        t = names->n_outs == 1 && side == 0 ? names->outs[0] : names;
        if (r->p[0] == '=' && r->p[1] != '>') {
            must(r, "=");
            t = read_term(r);
            t->outs = names->outs;
            t->n_outs = names->n_outs;
        }
        if (to->n[side] == 20)
            fail(r, "the rule is too long");
        to->sides[side][to->n[side]++] = t;
    } while (takes(r, ";"));
}

static void read_conditions(reader *r, rule *to)
{
    int n = 0, k = 0, lets = 0;

    if (!takes(r, "where"))
        return;
    do {
        word f;

        if (takes(r, "let") && lets < 20)
            to->lets[lets++] = read_word(r, false), must(r, "=");
        takes(r, "not");
        f = read_word(r, false);
        for (k = 0; k < n && to->functions[k] != f; k++)
            ;
        if (k == n && n < 19)
            to->functions[n++] = f;
        must(r, "(");
        r->p += strcspn(r->p, ")") + 1;
    } while (takes(r, ","));
}

static struct text {
    word name, set, proof, text; /* SET NULL: of a user */
    rule *read;
} texts[2000] = {
#include "check_rules.inc"
};

void add_rules(const char *path)
{
    reader r = open_file(path);
    size_t i = 0;

    while (texts[i].text)
        i++;
    for (skip(&r); *r.p; r.p += strcspn(r.p, "\n"), skip(&r)) {
        const char *at = r.p;

        if (takes(&r, "rule") && i < 1999)
            texts[i++] = (struct text){(read_word(&r, true)), NULL, "of a user", at, NULL};
    }
}

static struct text *text_of(word name, word set)
{
    struct text *t = texts;

    while (t->text && (strcmp(t->name, name) != 0 || (t->set && strcmp(t->set, set) != 0)))
        t++;
    return t;
}

const char *proof_of(word name, word set)
{
    const struct text *t = text_of(name, set);

    return !t->text                           ? "of a user"
           : strcmp(t->proof, "unknown") == 0 ? "tested only"
           : strcmp(t->proof, "proven") == 0  ? "proven by z3"
                                              : t->proof;
}

const rule *rule_of(word name, word set)
{
    struct text *t = text_of(name, set);
    reader r = {"rules", t->text, t->text, 0, 0};

    if (!t->text || t->read)
        return t->read;
    t->read = keep(sizeof *t->read);
    must(&r, "rule");
    read_word(&r, true);
    t->read->is_approx = takes(&r, "approx") || !(takes(&r, "exact") || takes(&r, "refines"));
    must(&r, ":");
    read_side(&r, t->read, 0);
    must(&r, "=>");
    read_side(&r, t->read, 1);
    read_conditions(&r, t->read);
    return t->read;
}

const word *functions_of(const rule *r)
{
    return r->functions;
}

/* ---- matching ---- */

static bool match_value(match *m, const term *t, element e);

static binding *binding_of(match *m, word name)
{
    int i = m->n;

    while (--i >= 0 && m->list[i].name != name)
        ;
    return i >= 0 ? &m->list[i] : NULL;
}

static bool push(match *m, binding b)
{
    if (m->n == (int)(sizeof m->list / sizeof *m->list))
        return false;
    m->list[m->n++] = b;
    return true;
}

/* On the right side only what a function computes has no value yet. */
static bool bind(match *m, binding b)
{
    for (int i = 0; m->side == 1 && m->r->lets[i] != b.name; i++) {
        if (i == 19 || !m->r->lets[i])
            return false;
    }
    return push(m, b);
}

static bool same(match *m, element a, element b)
{
    return a.n && b.n ? same_value(m->q, a.n, a.k, b.n, b.k) == SAME : a.n == b.n;
}

static bool same_number(word a, word b)
{
    char *x, *y;

    return a && b && strtod(a, &x) == strtod(b, &y) && x != a && y != b && !*x && !*y;
}

static bool match_text(match *m, word wanted, word is)
{
    binding *b = binding_of(m, wanted);

    if (b)
        return b->text == is || (is && b->text && strcmp(b->text, is) == 0) ||
               same_number(b->text, is);
    if (is && (strcmp(wanted, is) == 0 || same_number(wanted, is)))
        return true;
    return strspn(wanted, "_abcdefghijklmnopqrstuvwxyz0123456789") == strlen(wanted) &&
           strspn(wanted, "0123456789") == 0 && !is_enum_word(wanted) &&
           bind(m, (binding){.name = wanted, .text = is});
}

static bool names(const node *attrs, word name)
{
    for (int i = 0; i < attrs->n_attrs; i++) {
        if (attrs->attrs[i].name == name)
            return true;
    }
    return false;
}

/* An attribute that the rule does not name has its default, or is that of a node of this type that
 * was matched. */
static bool match_attrs(match *m, const term *t, const node *n, const node *like)
{
    bool any = (t->any && !like) || names(t->attrs, word_of("...", 3));

    for (int i = 0; i < t->attrs->n_attrs; i++) {
        const attr *a = &t->attrs->attrs[i];

        if (a->text && !match_text(m, a->text, attr_or_default(n, a->name)))
            return false;
    }
    for (int i = 0; i < n->n_attrs; i++) {
        const attr *a = &n->attrs[i];
        node bare = {.op = n->op};
        word is;

        if (names(t->attrs, a->name) || (any && m->side == 0))
            continue;
        for (int k = 0; any && !like && k < m->n_nodes; k++)
            like = m->nodes[k]->op == n->op ? m->nodes[k] : NULL;
        is = attr_or_default(like ? like : &bare, a->name);
        if (!is || (strcmp(is, a->text) != 0 && !same_number(is, a->text)))
            return false;
    }
    return true;
}

static bool match_op(match *m, const term *t, const node *n, const node **like)
{
    const char *set = n->set ? n->set : "opset";
    binding *f = binding_of(m, t->text);

    *like = f ? f->op : NULL;
    if (t->any && !f)
        return n->n_bodies == 0 && bind(m, (binding){.name = t->text, .op = n});
    if (*like)
        return (*like)->op == n->op && (*like)->set == n->set && (*like)->version == n->version;
    return n->op == t->text && strncmp(set, t->set, strlen(t->set)) == 0 &&
           strspn(set + strlen(t->set), "0123456789") == strlen(set + strlen(t->set)) &&
           n->version >= (t->last < INT64_MAX ? 0 : t->first) && n->version <= t->last;
}

static bool match_window(match *m, const term *t, const node *n, int i)
{
    binding *b = binding_of(m, t->text);
    int k = 0;

    if (!b)
        return bind(m, (binding){.name = t->text, .is = {n, i, 0}});
    while (k < 4 &&
           same(m, operand_of(&m->q->s, b->is.n, b->is.k + k), operand_of(&m->q->s, n, i + k)))
        k++;
    return k == 4 || same_window(&m->q->s, b->is.n, b->is.k, n, i,
                                 shape_of(&m->q->s, operand_of(&m->q->s, n, 0)));
}

static bool match_operands(match *m, const term *t, int i, const node *n, int j, int turned);

/* A list: one that is bound, or as many operands as the rest of the rule leaves. */
static bool match_rest(match *m, const term *t, int i, const node *n, int j)
{
    const term *x = t->in[i];
    binding *b = x->kind == REST ? binding_of(m, x->text) : NULL;

    for (int k = 0; x->kind == SPREAD && !b && k < x->n_in; k++)
        b = x->in[k]->kind == NAME ? binding_of(m, x->in[k]->text) : NULL;
    for (int length = b ? b->n_list : n->n_in - j; length >= 0; length--) {
        binding all = {.name = x->text, .n_list = length};
        int had = m->n, k = 0;

        all.list = keep(((size_t)length + 1) * sizeof *all.list);
        for (; k < length && j + k < n->n_in; k++) {
            element e = all.list[k] = operand_of(&m->q->s, n, j + k);
            bool fits = !b || (x->kind == REST && same(m, b->list[k], e));

            if (!fits && x->kind == SPREAD) {
                push(m, (binding){.name = b->name, .is = b->list[k]});
                fits = match_value(m, x, e);
                m->n = had;
            }
            if (!fits)
                break;
        }
        if (k == length && (b || x->kind == SPREAD || bind(m, all)) &&
            match_operands(m, t, i + 1, n, j + length, 0))
            return true;
        m->n = had;
        if (b || m->side == 0)
            return false;
    }
    return false;
}

/* The terms of T from I on, and the operands of N from J on. */
static bool match_operands(match *m, const term *t, int i, const node *n, int j, int turned)
{
    const term *x = i < t->n_in ? t->in[i] : NULL;

    if (!x) {
        for (; j < n->n_in; j++) {
            if (n->in[j].name)
                return false;
        }
        return true;
    }
    if (x->kind == REST || x->kind == SPREAD)
        return match_rest(m, t, i, n, j);
    if (x->kind == WINDOW)
        return match_window(m, x, n, j) && match_operands(m, t, i + 1, n, j + 4, 0);
    return match_value(m, x, operand_of(&m->q->s, n, j ^ turned)) &&
           match_operands(m, t, i + 1, n, j + 1, turned);
}

static bool match_node(match *m, const term *t, const node *n)
{
    int had;
    const node *like;

    for (int i = 0; i < t->n_outs; i++) {
        binding b = {.name = t->outs[i]->text, .is = {n, i, 0}};

        if (t->outs[i]->kind == REST) {
            b.n_list = n->n_out;
            b.list = keep(((size_t)n->n_out + 1) * sizeof *b.list);
            for (int k = 0; k < n->n_out; k++)
                b.list[k] = (element){n, k, 0};
        }
        if (t->outs[i]->kind != ANY && !push(m, b))
            return false;
    }
    if (!match_op(m, t, n, &like) || m->n_nodes == 20)
        return false;
    had = m->n;
    for (int turned = 0; turned <= (t->n_in == 2 && may_turn(n)); turned++, m->n = had) {
        int nodes = m->n_nodes;

        if (match_operands(m, t, 0, n, 0, turned) && match_attrs(m, t, n, like)) {
            if (m->side == 0)
                m->nodes[m->n_nodes++] = n;
            return true;
        }
        m->n_nodes = nodes;
    }
    return false;
}

/* The definition of NAME on this side, and which of its outputs that is. */
static const term *definition_of(const match *m, word name, int *k)
{
    for (int i = 0; i < m->r->n[m->side]; i++) {
        const term *t = m->r->sides[m->side][i];

        for (*k = 0; t->kind == NODE && *k < t->n_outs; ++*k) {
            if (t->outs[*k]->text == name)
                return t;
        }
    }
    return NULL;
}

static bool match_name(match *m, const term *t, element e)
{
    binding *b = binding_of(m, t->text);
    int k;
    const term *of;

    if (b)
        return same(m, b->is, e);
    of = definition_of(m, t->text, &k);
    if (of)
        return e.n && e.k == k && match_node(m, of, e.n);
    return bind(m, (binding){.name = t->text, .is = e});
}

/* Are the elements of E, which are known, those that are written in the rule? */
static bool match_ints(match *m, const term *t, element e)
{
    const shape *s = shape_of(&m->q->s, e);
    const char *p = t->text;
    char *end;
    word type, text;

    if (!s || s->rank != (*p == '['))
        return false;
    for (p += *p == '['; *p && *p != ']'; e.at++, p = end + strspn(end, ", ")) {
        int64_t x = strtoll(p, &end, 10);

        text = e.at < count_of(s) ? number_of(&m->q->s, e, &type) : NULL;
        if (!text || strtoll(text, NULL, 10) != x)
            return false;
    }
    return e.at == count_of(s);
}

/* The nearest number of the type; within a tolerance, a near one. */
static bool match_number(match *m, const term *t, element e)
{
    const shape *s = shape_of(&m->q->s, e);
    word type, text = s && count_of(s) == 1 ? number_of(&m->q->s, e, &type) : NULL;
    double x = text ? strtod(text, NULL) : 0, y = strtod(t->text, NULL);

    if (!text || !strchr("fb", *type))
        return false;
    return m->r->is_approx ? fabs(x - y) <= fabs(y) / 128
                           : (float)x == (float)y && !signbit(x) == !signbit(y);
}

/* A Slice that takes everything is what it reads. */
static bool is_whole_slice(const term *t)
{
    return strcmp(t->text, "Slice") == 0 && t->n_in == 2 && t->in[1]->kind == WINDOW;
}

static bool match_value(match *m, const term *t, element e)
{
    if (!e.n)
        return t->optional && match_name(m, t, e);
    switch (t->kind) {
    case NAME:
        return match_name(m, t, e);
    case NODE:
    case SPREAD:
        if (e.k == 0 && match_node(m, t, e.n))
            return true;
        return m->side == 1 && is_whole_slice(t) && match_value(m, t->in[0], e);
    case INTS:
        return match_ints(m, t, e);
    case NUMBER:
        return match_number(m, t, e);
    case ANY:
        return true;
    default:
        return false;
    }
}

bool is_instance(question *q, const rule *r, const node *a, int i, const node *b, int j)
{
    match *m = keep(sizeof *m);
    const term *root = r->sides[0][r->n[0] - 1], *to = r->sides[1][r->n[1] - 1];
    binding *all;

    m->q = q;
    m->r = r;
    if (root->kind != NODE || !match_node(m, root, a))
        return false;
    m->side = 1;
    if (to->kind == NODE)
        return i == 0 && j == 0 && match_node(m, to, b);
    if (to->outs[0]->kind == REST) {
        all = binding_of(m, to->outs[0]->text);
        return all && i < all->n_list && same(m, all->list[i], (element){b, j, 0});
    }
    return i < to->n_outs && match_value(m, to->outs[i], (element){b, j, 0});
}
