/* Is a change an instance of the rewrite rule that it names (passes/rules/README.md)? A rule is
 * read as two graphs whose names without an equation are variables. The answers and results of the
 * functions in its conditions are not computed here. */
#include "check/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rule {
    graph names;
    element from, to[20];
    int n_to;
    bool is_approx;
    const tree *where; /* its conditions */
};

typedef struct match {
    question *q;
    const rule *r;
    bool right; /* side */
    int n, n_seen;
    node *bound[64];      /* terms that are something, in this order */
    const node *seen[20]; /* nodes of the left side */
} match;

/* ---- reading ---- */

/* `x`, `Add(x, 1)`, `[p]`, `...xs` (at 1: a list), `window w`, `any f(x)`, `[0, 1]`, `0.5`, `_` */
element read_term(tree **t, graph *g)
{
    bool is_any, is_window, is_rest;
    tree *is = *t, *call;
    element e = {NULL, 0, 0};
    word text;

    if (takes(t, "[") && is->in && !strchr("-0123456789", *is->in->text)) {
        is = is->in;
        e = read_term(&is, g);
        e.n->is_optional = true;
        return e;
    }
    is_any = takes(t, "any");
    is_window = takes(t, "window");
    call = *t;
    if (!is)
        fail(is, "a term was expected");
    text = *is->text == '[' ? word_of(is->from, (size_t)(is->to - is->from)) : read_word(t, false);
    is_rest = strncmp(text, "...", 3) == 0;
    text = word_of(text + 3 * is_rest, strlen(text) - 3 * is_rest);
    e.n = keep(sizeof *e.n);
    if (strchr("-0123456789[", *text))
        e.n->literal = text;
    else if (*t && *(*t)->text == '(')
        read_call(&call, g, e.n), *t = call;
    else if (strcmp(text, "_") != 0)
        e.n = *slot_of(g, text);
    e.n->is_any = is_any;
    e.n->is_window = is_window;
    e.at = is_rest;
    return e;
}

/* Terms in brackets, or one. */
static int read_terms(tree **t, graph *g, element *to)
{
    tree *in = *t ? (*t)->in : NULL;
    int n = 0;

    if (!takes(t, "("))
        return to[0] = read_term(t, g), 1;
    for (; in && n < 20; takes(&in, ","))
        to[n++] = read_term(&in, g);
    return n;
}

/* Definitions `y = Add(x, 1); (a, b) = Split(y, 0);` and what comes last: how many terms. The
 * operand of a name that is defined is its definition. */
static int read_side(tree **t, graph *g, element *last)
{
    for (;;) {
        int n = read_terms(t, g, last);

        if (*t && *(*t)->text == '=' && (*t)->next && *(*t)->next->text != '>') {
            element is = (*t = (*t)->next, read_term(t, g));

            for (int i = 0; i < n; i++) {
                int had = 0;

                *(element *)more(&last[i].n->in, &had, sizeof is) = is;
                last[i].n->n_in = 1;
                last[i].n->in->k = i;
            }
        }
        if (!takes(t, ";"))
            return n;
    }
}

static struct text {
    word name, set, proof;
    const char *text; /* SET NULL: of a user */
    rule *read;
} texts[2000] = {
#include "check_rules.inc"
};

void add_rules(const char *path)
{
    const char *p = open_file(path).text;
    size_t i = 0;

    while (texts[i].text)
        i++;
    for (; *p && i < 1999; p += strcspn(p, "\n"), p += *p != '\0') {
        if (strncmp(p, "rule ", 5) == 0)
            texts[i++] =
                (struct text){word_of(p + 5, strcspn(p + 5, " ")), NULL, "of a user", p, NULL};
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
    struct text *x = text_of(name, set);
    file *f = keep(sizeof *f);
    rule *r;
    tree *t;

    if (!x->text || x->read)
        return x->read;
    *f = (file){"rules", x->text, 0, false};
    t = trees_of(f);
    for (int i = 0; i < 2 && t; i++)
        t = t->next; /* `rule NAME` */
    r = x->read = keep(sizeof *r);
    r->names.is_rule = true;
    r->is_approx = takes(&t, "approx") || !(takes(&t, "exact") || takes(&t, "refines"));
    must(&t, ":");
    read_side(&t, &r->names, r->to);
    r->from = r->to[0];
    must(&t, "=");
    must(&t, ">");
    r->n_to = read_side(&t, &r->names, r->to);
    r->where = t;
    while (t && t->next && strcmp(t->next->text, "rule") != 0)
        t = t->next;
    if (t)
        t->next = NULL;
    return r;
}

const tree *next_function(const rule *r, const tree *before)
{
    const tree *t = before ? before->next : r->where;

    while (t && !(t->next && *t->next->text == '('))
        t = t->next;
    return t;
}

static bool is_computed(const rule *r, word name)
{
    const tree *t = r->where;

    while (t && !(strcmp(t->text, "let") == 0 && t->next && t->next->text == name))
        t = t->next;
    return t;
}

/* ---- matching ---- */

static bool match_value(match *m, element t, element e);

/* On the right side only what a function computes has no value yet. */
static bool bind(match *m, node *t, element is)
{
    if (m->n == sizeof m->bound / sizeof *m->bound ||
        (m->right && !t->op && t->name && !is_computed(m->r, t->name)))
        return false;
    t->is = is;
    t->bound = true;
    m->bound[m->n++] = t;
    return true;
}

static void undo(match *m, int n)
{
    while (m->n > n)
        m->bound[--m->n]->bound = false;
}

static bool same(match *m, element a, element b)
{
    return a.n && b.n ? same_value(m->q, a, b) == SAME : a.n == b.n;
}

/* The same word, number, or list; rows write lists as 0;1. */
static bool same_text(word a, word b)
{
    char *x, *y;

    if (!a || !b)
        return a == b;
    if (strtod(a, &x) == strtod(b, &y) && x != a && y != b && !*x && !*y)
        return true;
    for (;; a++, b++) {
        a += strspn(a, "[] ");
        b += strspn(b, "[] ");
        if (!*a || !*b || (*a != *b && !(strchr(",;", *a) && strchr(",;", *b))))
            return *a == *b;
    }
}

static bool match_text(match *m, word wanted, word is)
{
    node *t = *slot_of(&m->r->names, wanted);

    if (t->bound)
        return same_text(t->literal, is);
    if (is && same_text(wanted, is))
        return true;
    if (strspn(wanted, "_abcdefghijklmnopqrstuvwxyz0123456789") < strlen(wanted) ||
        strspn(wanted, "0123456789") > 0 || is_enum_word(wanted) ||
        !bind(m, t, (element){NULL, 0, 0}))
        return false;
    t->literal = is;
    return true;
}

/* An attribute that the rule does not name has its default, or is that of a node of this type that
 * was matched. */
static bool match_attrs(match *m, const node *t, const node *n, const node *like)
{
    bool any = (t->is_any && !like) || attr_of(t, "...");

    for (int i = 0; i < t->n_attrs; i++) {
        if (t->attrs[i].value &&
            !match_text(m, t->attrs[i].text, attr_or_default(n, t->attrs[i].name)))
            return false;
    }
    for (int k = 0; any && !like && k < m->n_seen; k++)
        like = m->seen[k]->op == n->op ? m->seen[k] : NULL;
    for (int i = 0; i < n->n_attrs && !(any && !m->right); i++) {
        node bare = {.op = n->op};

        if (!attr_of(t, n->attrs[i].name) &&
            !same_text(n->attrs[i].text, attr_or_default(like ? like : &bare, n->attrs[i].name)))
            return false;
    }
    return true;
}

/* Is N of a version that T asks for: "opset1..7", "onnx13"? */
static bool match_version(const node *t, const node *n)
{
    const char *wanted = t->set ? t->set : "opset", *is = n->set ? n->set : "opset";
    size_t letters = strcspn(wanted, "0123456789");
    char *end;
    int64_t first = strtoll(wanted + letters, &end, 10);
    int64_t last = strncmp(end, "..", 2) == 0 ? strtoll(end + 2, NULL, 10) : first;

    return strncmp(is, wanted, letters) == 0 &&
           strspn(is + letters, "0123456789") == strlen(is + letters) &&
           (last == 0 || (n->version >= first && n->version <= last));
}

/* LIKE: the node that the name of an operation stands for. */
static bool match_op(match *m, const node *t, const node *n, const node **like)
{
    node *f = *slot_of(&m->r->names, t->op);

    *like = f->bound ? f->is.n : NULL;
    if (*like)
        return (*like)->op == n->op && (*like)->set == n->set && (*like)->version == n->version;
    if (t->is_any)
        return n->n_bodies == 0 && bind(m, f, (element){(node *)n, 0, 0});
    return n->op == t->op && match_version(t, n);
}

static bool match_window(match *m, node *t, node *n, int i)
{
    element b = t->is;
    int k = 0;

    if (!t->bound)
        return bind(m, t, (element){n, i, 0});
    while (k < 4 && same(m, operand_of(b.n, b.k + k), operand_of(n, i + k)))
        k++;
    return k == 4 || same_window(m->q, b.n, b.k, n, i, shape_of(m->q, operand_of(n, 0)));
}

static bool match_node(match *m, node *t, node *n);
static bool match_operands(match *m, const node *t, int i, node *n, int j, int turned);

/* All outputs of what defines the list T? */
static bool match_outputs(match *m, const node *t)
{
    node *n = t->n_list > 0 ? t->list[0].n : NULL;

    for (int k = 0; k < t->n_list; k++)
        n = t->list[k].n == n && t->list[k].k == k ? n : NULL;
    return t->n_in == 0 || (n && n->n_out == t->n_list && match_node(m, t->in->n, n));
}

/* A list: one that is bound, or as many operands as the rest of the rule leaves. A call with a list
 * is one for each of its elements. */
static bool match_rest(match *m, const node *t, int i, node *n, int j)
{
    node *x = t->in[i].n, *b = x;

    for (int k = 0; x->op && k < x->n_in && b == x; k++)
        b = x->in[k].n->bound && x->in[k].n->list ? x->in[k].n : x;
    for (int length = b->bound ? b->n_list : n->n_in - j; length >= 0; length--) {
        bool known = b->bound;
        int had = m->n, k = 0;
        element *list = keep(((size_t)length + 1) * sizeof *list);

        for (; k < length && j + k < n->n_in; k++) {
            bool fits = !known || (!x->op && same(m, b->list[k], operand_of(n, j + k)));

            list[k] = operand_of(n, j + k);
            if (known && x->op) {
                b->is = b->list[k];
                fits = match_value(m, t->in[i], list[k]);
                undo(m, had);
            }
            if (!fits)
                break;
        }
        if (!known) {
            x->list = list;
            x->n_list = length;
        }
        if (k == length && (known || (bind(m, x, list[0]) && (x->op || match_outputs(m, x)))) &&
            match_operands(m, t, i + 1, n, j + length, 0))
            return true;
        undo(m, had);
        if (known || !m->right)
            return false;
    }
    return false;
}

/* The terms of T from I on, and the operands of N from J on. */
static bool match_operands(match *m, const node *t, int i, node *n, int j, int turned)
{
    const node *x = i < t->n_in ? t->in[i].n : NULL;

    while (!x && j < n->n_in && !n->in[j].n)
        j++;
    if (!x)
        return j >= n->n_in;
    if (t->in[i].at == 1)
        return match_rest(m, t, i, n, j);
    if (x->is_window)
        return match_window(m, t->in[i].n, n, j) && match_operands(m, t, i + 1, n, j + 4, 0);
    return match_value(m, t->in[i], operand_of(n, j ^ turned)) &&
           match_operands(m, t, i + 1, n, j + 1, turned);
}

static bool match_node(match *m, node *t, node *n)
{
    int had = m->n, seen = m->n_seen, inner;
    const node *like;
    bool fits = match_op(m, t, n, &like) && bind(m, t, (element){n, 0, 0}) && m->n_seen < 20;

    inner = m->n;
    for (int turned = 0; fits && turned <= (t->n_in == 2 && may_turn(n)); turned++) {
        if (match_operands(m, t, 0, n, 0, turned) && match_attrs(m, t, n, like)) {
            m->seen[m->n_seen] = n;
            m->n_seen += !m->right;
            return true;
        }
        m->n_seen = seen;
        undo(m, inner);
    }
    undo(m, had);
    return false;
}

/* Is E, which is known, what is written in the rule: a list of integers, or a number, of floats the
 * nearest one of the type, within a tolerance a near one? */
static bool match_literal(match *m, word text, element e)
{
    const shape *s = shape_of(m->q, e);
    bool is_float = *text != '[' && strpbrk(text, ".e");
    word type, is;
    size_t n = s ? count_of(s) : 0;
    char *end;

    if (!s || n > MOST || (!is_float && s->rank != (*text == '[')) || (is_float && n != 1))
        return false;
    for (text += *text == '['; *text && *text != ']'; e.at++, text = end + strspn(end, ", ")) {
        double x = strtod(text, &end), y;

        is = e.at < n ? number_of(m->q, e, &type) : NULL;
        y = is ? strtod(is, NULL) : 0;
        if (!is || end == text || (is_float && !strchr("fb", *type)))
            return false;
        if (m->r->is_approx && is_float ? fabs(x - y) > fabs(x) / 128
                                        : (float)x != (float)y || signbit(x) != signbit(y))
            return false;
    }
    return e.at == n;
}

/* A Slice that takes everything is what it reads. */
static bool is_whole_slice(const node *t)
{
    return strcmp(t->op, "Slice") == 0 && t->n_in == 2 && t->in[1].n->is_window;
}

static bool match_value(match *m, element t, element e)
{
    node *x = t.n;

    if (!e.n)
        return x->is_optional && (x->bound ? !x->is.n : bind(m, x, e));
    if (!x->op && x->n_in > 0)
        t = x->in[0], x = t.n;
    if (x->literal && !x->name)
        return match_literal(m, x->literal, e);
    if (x->bound)
        return same(m, (element){x->is.n, x->op ? t.k : x->is.k, 0}, e);
    if (!x->op)
        return bind(m, x, e);
    return (e.k == t.k && match_node(m, x, e.n)) ||
           (m->right && is_whole_slice(x) && match_value(m, x->in[0], e));
}

bool is_instance(question *q, const rule *r, element a, element b)
{
    match *m = keep(sizeof *m);
    node *root = r->from.n->op ? r->from.n : r->from.n->n_in ? r->from.n->in->n : NULL;
    const node *to = r->to[0].n;
    bool is;

    m->q = q;
    m->r = r;
    is = root && match_node(m, root, a.n);
    m->right = true;
    if (is && r->to[0].at == 1 && !to->op)
        is = to->bound && a.k < to->n_list && same(m, to->list[a.k], b);
    else
        is = is && a.k < r->n_to && match_value(m, r->to[a.k], b);
    undo(m, 0);
    return is;
}
