/* Terms of SMT-LIB. See term.h. */
#include "passes/prove/term.h"

#include <inttypes.h>
#include <string.h>

enum { VARIABLE = 1 }; /* the n of terms that smt_variable made */

static const smt always = {.op = SMT_TRUE}, never = {.op = SMT_FALSE};

static const smt *make(smt_pool *p, smt t)
{
    smt *out = inlay_arena_alloc(p->arena, sizeof *out);

    if (!out) {
        p->no_memory = true;
        return &never;
    }
    *out = t;
    return out;
}

static const smt *make2(smt_pool *p, smt_op op, const smt *a, const smt *b)
{
    return make(p, (smt){.op = op, .n_args = 2, .arg = {a, b}});
}

const smt *smt_int(smt_pool *p, int64_t n)
{
    return make(p, (smt){.op = SMT_INT, .n = n});
}

const smt *smt_bool(bool yes)
{
    return yes ? &always : &never;
}

static bool same_name(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool smt_same(const smt *a, const smt *b)
{
    if (a == b)
        return true;
    if (a->op != b->op || a->n != b->n || a->n_args != b->n_args || !same_name(a->name, b->name) ||
        a->op == SMT_ALL)
        return false;
    for (int i = 0; i < a->n_args; i++) {
        if (!smt_same(a->arg[i], b->arg[i]))
            return false;
    }
    return true;
}

bool smt_is_open(const smt *t)
{
    bool open = t->op == SMT_APPLY && t->n == VARIABLE;

    for (int i = 0; i < t->n_args && !open; i++)
        open = smt_is_open(t->arg[i]);
    return open;
}

static bool is(const smt *t, int64_t n)
{
    return t->op == SMT_INT && t->n == n;
}

static bool numbers(const smt *a, const smt *b)
{
    return a->op == SMT_INT && b->op == SMT_INT;
}

const smt *smt_add(smt_pool *p, const smt *a, const smt *b)
{
    if (numbers(a, b))
        return smt_int(p, a->n + b->n);
    if (is(a, 0))
        return b;
    return is(b, 0) ? a : make2(p, SMT_ADD, a, b);
}

const smt *smt_sub(smt_pool *p, const smt *a, const smt *b)
{
    if (numbers(a, b))
        return smt_int(p, a->n - b->n);
    if (smt_same(a, b))
        return smt_int(p, 0);
    if (a->op == SMT_ADD && smt_same(a->arg[1], b))
        return a->arg[0];
    return is(b, 0) ? a : make2(p, SMT_SUB, a, b);
}

const smt *smt_mul(smt_pool *p, const smt *a, const smt *b)
{
    if (numbers(a, b))
        return smt_int(p, a->n * b->n);
    if (is(a, 1) || is(b, 0))
        return b;
    return is(b, 1) || is(a, 0) ? a : make2(p, SMT_MUL, a, b);
}

const smt *smt_div(smt_pool *p, const smt *a, const smt *b)
{
    return is(b, 1) || is(a, 0) ? a : make2(p, SMT_DIV, a, b);
}

const smt *smt_mod(smt_pool *p, const smt *a, const smt *b)
{
    return is(b, 1) ? smt_int(p, 0) : make2(p, SMT_MOD, a, b);
}

const smt *smt_eq(smt_pool *p, const smt *a, const smt *b)
{
    if (numbers(a, b))
        return smt_bool(a->n == b->n);
    return smt_same(a, b) ? &always : make2(p, SMT_EQ, a, b);
}

const smt *smt_le(smt_pool *p, const smt *a, const smt *b)
{
    if (numbers(a, b))
        return smt_bool(a->n <= b->n);
    return smt_same(a, b) ? &always : make2(p, SMT_LE, a, b);
}

const smt *smt_lt(smt_pool *p, const smt *a, const smt *b)
{
    return smt_not(p, smt_le(p, b, a));
}

const smt *smt_and(smt_pool *p, const smt *a, const smt *b)
{
    if (a == &never || b == &always || smt_same(a, b))
        return a;
    return a == &always || b == &never ? b : make2(p, SMT_AND, a, b);
}

const smt *smt_or(smt_pool *p, const smt *a, const smt *b)
{
    if (a == &always || b == &never || smt_same(a, b))
        return a;
    return a == &never || b == &always ? b : make2(p, SMT_OR, a, b);
}

const smt *smt_not(smt_pool *p, const smt *a)
{
    if (a == &always || a == &never)
        return smt_bool(a == &never);
    return a->op == SMT_NOT ? a->arg[0] : make(p, (smt){.op = SMT_NOT, .n_args = 1, .arg = {a}});
}

const smt *smt_implies(smt_pool *p, const smt *a, const smt *b)
{
    return smt_same(a, b) ? &always : smt_or(p, smt_not(p, a), b);
}

const smt *smt_ite(smt_pool *p, const smt *c, const smt *a, const smt *b)
{
    if (c == &always || smt_same(a, b))
        return a;
    if (c == &never || (c->op == SMT_EQ && smt_same(c->arg[0], b) && smt_same(c->arg[1], a)))
        return b; /* of x = 1 ? 1 : x, too */
    return make(p, (smt){.op = SMT_ITE, .n_args = 3, .arg = {c, a, b}});
}

const smt *smt_within(smt_pool *p, const smt *lo, const smt *x, const smt *hi)
{
    return smt_and(p, smt_le(p, lo, x), smt_lt(p, x, hi));
}

static const char *new_name(smt_pool *p, const char *hint)
{
    const char *name = inlay_arena_printf(p->arena, "%s!%d", hint, p->n_names++);

    if (!name)
        p->no_memory = true;
    return name ? name : hint;
}

const smt *smt_variable(smt_pool *p)
{
    return make(p, (smt){.op = SMT_APPLY, .n = VARIABLE, .name = new_name(p, "k")});
}

const smt *smt_all(smt_pool *p, const smt *x, const smt *body, const smt *at)
{
    return smt_all_of(p, 1, &x, body, at);
}

const smt *smt_all_of(smt_pool *p, int n, const smt *const *x, const smt *body, const smt *at)
{
    smt t = {.op = SMT_ALL, .n_args = n + 2, .arg = {body, at}};

    if (body == &always || n == 0)
        return body;
    for (int i = 0; i < n; i++)
        t.arg[i + 2] = x[i];
    return make(p, t);
}

void smt_declare(smt_pool *p, const char *name, int n, bool elements, const char *sort)
{
    inlay_strbuf_printf(&p->declared, "(declare-fun %s (", name);
    for (int i = 0; i < n; i++)
        inlay_strbuf_puts(&p->declared, elements ? " E" : " Int");
    inlay_strbuf_printf(&p->declared, ") %s)\n", sort);
}

const char *smt_function(smt_pool *p, const char *hint, int n, bool elements, const char *sort)
{
    const char *name = new_name(p, hint);

    smt_declare(p, name, n, elements, sort);
    return name;
}

const smt *smt_apply(smt_pool *p, const char *function, int n, const smt *const *args)
{
    smt t = {.op = SMT_APPLY, .name = function, .n_args = n};

    for (int i = 0; i < n; i++)
        t.arg[i] = args[i];
    return make(p, t);
}

const smt *smt_apply1(smt_pool *p, const char *function, const smt *arg)
{
    return smt_apply(p, function, 1, &arg);
}

const smt *smt_constant(smt_pool *p, const char *hint, const char *sort)
{
    return smt_apply(p, smt_function(p, hint, 0, false, sort), 0, NULL);
}

/* Prints T, or, if it is a conjunction, its parts. */
static void print_occurring(inlay_strbuf *out, const smt *t)
{
    if (t->op == SMT_AND) {
        print_occurring(out, t->arg[0]);
        inlay_strbuf_puts(out, " ");
        print_occurring(out, t->arg[1]);
    } else {
        smt_print(out, t);
    }
}

static void print_all(inlay_strbuf *out, const smt *t)
{
    inlay_strbuf_puts(out, "(forall (");
    for (int i = 2; i < t->n_args; i++)
        inlay_strbuf_printf(out, "(%s Int)", t->arg[i]->name);
    inlay_strbuf_puts(out, ") (! ");
    smt_print(out, t->arg[0]);
    inlay_strbuf_puts(out, " :pattern (");
    print_occurring(out, t->arg[1]);
    inlay_strbuf_puts(out, ")))");
}

static const char *head(const smt *t)
{
    static const char *const heads[] = {
        [SMT_ADD] = "+",      [SMT_SUB] = "-",   [SMT_MUL] = "*",   [SMT_DIV] = "div",
        [SMT_MOD] = "mod",    [SMT_ITE] = "ite", [SMT_EQ] = "=",    [SMT_LE] = "<=",
        [SMT_AND] = "and",    [SMT_OR] = "or",   [SMT_NOT] = "not", [SMT_TRUE] = "true",
        [SMT_FALSE] = "false"};

    return t->op == SMT_APPLY ? t->name : heads[t->op];
}

void smt_print(inlay_strbuf *out, const smt *t)
{
    if (t->op == SMT_INT && t->n < 0) {
        inlay_strbuf_printf(out, "(- %" PRIu64 ")", -(uint64_t)t->n);
        return;
    }
    if (t->op == SMT_INT) {
        inlay_strbuf_printf(out, "%" PRId64, t->n);
        return;
    }
    if (t->op == SMT_ALL) {
        print_all(out, t);
        return;
    }
    inlay_strbuf_printf(out, "%s%s", t->n_args ? "(" : "", head(t));
    for (int i = 0; i < t->n_args; i++) {
        inlay_strbuf_puts(out, " ");
        smt_print(out, t->arg[i]);
    }
    inlay_strbuf_puts(out, t->n_args ? ")" : "");
}
