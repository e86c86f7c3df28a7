/* Symbols: operations on numbers, and numbers, whose names are the same in all cases. */
#include "passes/prove/case.h"
#include "passes/prove/meaning.h"

#include <string.h>

static const prove_symbol *find(const prove_case *c, const char *name)
{
    for (int i = 0; i < c->meanings.n_symbols; i++) {
        if (strcmp(c->meanings.symbols[i].name, name) == 0)
            return &c->meanings.symbols[i];
    }
    return NULL;
}

const prove_symbol *prove_symbol_like(prove_case *c, const prove_symbol *like, int n_args)
{
    const prove_symbol *known = like->name ? find(c, like->name) : NULL;

    if (known)
        return known;
    if (!like->name || c->meanings.n_symbols == PROVE_SYMBOLS) {
        c->pool.no_memory = c->pool.no_memory || !like->name;
        prove_unknown(c, "too many operations on numbers");
        return &c->meanings.symbols[0];
    }
    smt_declare(&c->pool, like->name, n_args, true, like->kind >= PROVE_LESS ? "Bool" : "E");
    c->meanings.symbols[c->meanings.n_symbols] = *like;
    return &c->meanings.symbols[c->meanings.n_symbols++];
}

const prove_symbol *prove_symbol_of(const prove_case *c, const smt *t)
{
    return t->op == SMT_APPLY ? find(c, t->name) : NULL;
}

const prove_symbol *prove_literal(prove_case *c, double number, inlay_type_set types)
{
    const prove_symbol like = {
        .kind = PROVE_LITERAL,
        .name = inlay_arena_printf(c->pool.arena, "|%a %x|", number, (unsigned)types),
        .number = number,
        .types = types,
        .attr = -1};

    return prove_symbol_like(c, &like, 0);
}

prove_value *prove_literal_value(prove_case *c, double number, inlay_type_set types)
{
    prove_value *v = prove_free_value(c);

    prove_be_of_rank(c, v, 0);
    v->number = prove_literal(c, number, types);
    return v;
}

const smt *prove_name_number(prove_case *c, int name)
{
    const prove_symbol like = {
        .kind = PROVE_ATTRIBUTE,
        .name = inlay_arena_printf(c->pool.arena, "attr_%s", c->rule->names[name].text),
        .attr = name};

    return smt_apply(&c->pool, prove_symbol_like(c, &like, 0)->name, 0, NULL);
}

const smt *prove_attr_number(prove_case *c, const rule_attr *a)
{
    double number = a->kind == INLAY_ATTR_FLOAT ? a->literal.as.f : (double)a->literal.as.i;

    if (a->var >= 0)
        return prove_name_number(c, a->var);
    return smt_apply(&c->pool, prove_literal(c, number, number_class_types(NUMBER_FLOAT))->name, 0,
                     NULL);
}

static void write_key(inlay_strbuf *out, const smt *t)
{
    bool total = t->op == SMT_APPLY && strstr(t->name, " of ");
    bool operation = t->op == SMT_APPLY && *t->name == '|' && !total;

    inlay_strbuf_puts(out, t->op == SMT_APPLY ? t->name : "ite");
    for (int i = 0; operation && i < t->n_args; i++) {
        inlay_strbuf_puts(out, i ? "," : "(");
        write_key(out, t->arg[i]);
    }
    inlay_strbuf_puts(out, operation ? ")" : "");
}

const char *prove_key(prove_case *c, const smt *t)
{
    inlay_strbuf text = {0};
    const char *key;

    write_key(&text, t);
    key = inlay_arena_printf(c->pool.arena, "%s", text.bytes ? text.bytes : "");
    c->pool.no_memory = c->pool.no_memory || !key || text.failed;
    inlay_strbuf_free(&text);
    return key ? key : "";
}

const smt *prove_operation(prove_case *c, const char *type, int n, const smt *const *args)
{
    const prove_symbol s = {.kind = PROVE_OPERATION,
                            .name = inlay_arena_printf(c->pool.arena, "|%s|", type),
                            .op = inlay_op_find(NULL, type, NULL, NULL, NULL),
                            .meaning = meaning_of(type),
                            .attr = -1};

    return smt_apply(&c->pool, prove_symbol_like(c, &s, n)->name, n, args);
}
