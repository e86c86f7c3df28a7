/* Operations that work element by element. What they compute is an uninterpreted function, the same
 * one for the same operation with the same attributes; law.c knows more about some of them. */
#include "passes/prove/meaning.h"
#include "passes/prove/rows.h"

#include <string.h>

const char prove_holds[] = "holds";

/* The last operand has at most the rank of the one before it, and each of its sizes is 1 or that of
 * the other, with the last axes aligned. A third operand, the mask of a Select, is broadcast with
 * both. */
static void fit_one_way(prove_case *c, prove_node *n)
{
    smt_pool *p = &c->pool;
    const prove_value *a = n->in[n->n_in - 2], *b = n->in[n->n_in - 1];
    int more = a->rank - b->rank;

    if (more < 0)
        prove_must(c, n, smt_bool(false));
    for (int k = 0; k < b->rank && more >= 0; k++)
        prove_must(
            c, n,
            smt_or(p, smt_eq(p, b->dim[k], smt_int(p, 1)), smt_eq(p, b->dim[k], a->dim[more + k])));
}

/* Broadcasts the operands, with the last axes aligned. */
static void shape_pointwise(prove_case *c, prove_node *n)
{
    smt_pool *p = &c->pool;
    const smt *sizes[PROVE_RANK], *one = smt_int(p, 1);
    int rank = 0;

    for (int i = 0; i < n->n_in; i++) {
        if (prove_rank(c, n->in[i]) > rank)
            rank = n->in[i]->rank;
    }
    for (int k = 0; k < rank; k++)
        sizes[k] = one;
    if (n->form == PROVE_ONE_WAY && n->n_in > 1)
        fit_one_way(c, n);
    for (int i = 1; i < n->n_in && n->form == PROVE_STRICT; i++)
        prove_must(c, n, prove_same_sizes(c, n->in[0], n->in[i]));
    for (int i = 0; i < n->n_in && !c->cut; i++) {
        int more = rank - n->in[i]->rank;

        for (int k = more; k < rank; k++) {
            const smt *size = n->in[i]->dim[k - more];

            prove_must(c, n,
                       smt_or(p, smt_eq(p, size, sizes[k]),
                              smt_or(p, smt_eq(p, size, one), smt_eq(p, sizes[k], one))));
            sizes[k] = smt_ite(p, smt_eq(p, sizes[k], one), size, sizes[k]);
        }
    }
    prove_set_sizes(c, n, 0, rank, sizes);
}

/* Element AT of operand I, broadcast to the sizes of the result. */
static const smt *element_of_operand(prove_case *c, const prove_node *n, int i,
                                     const smt *const *at)
{
    const prove_value *v = n->in[i];
    int order[PROVE_RANK], more = n->out[0].rank - v->rank;

    for (int k = 0; k < v->rank; k++)
        order[k] = more + k;
    return n->n_in == 1 ? prove_element(c, v, at) : prove_repeated(c, v, order, at);
}

/* N's function of ARGS is the same with its two arguments swapped. */
static void state_commutes(prove_case *c, const prove_node *n, const smt *const *args)
{
    const smt *turned[] = {args[1], args[0]};

    if (!smt_is_open(args[0]) && !smt_is_open(args[1]))
        prove_assume(c, smt_eq(&c->pool, smt_apply(&c->pool, n->function, 2, args),
                               smt_apply(&c->pool, n->function, 2, turned)));
}

static const smt *element_of_pointwise(prove_case *c, const prove_node *n, int out,
                                       const smt *const *at)
{
    const smt *args[SMT_ARGS];

    (void)out;
    for (int i = 0; i < n->n_in; i++)
        args[i] = element_of_operand(c, n, i, at);
    if (n->commutes && n->n_in == 2)
        state_commutes(c, n, args);
    return smt_apply(&c->pool, n->function, n->n_in, args);
}

/* Operations that work element by element work along each axis by itself, for any number of axes.
 */
enum { POINTWISE = PROVE_ALONG_AXES | PROVE_KEEPS_RANK | PROVE_ANY_RANK | PROVE_SAME_AXES };

const prove_row prove_pointwise = {"",   shape_pointwise, element_of_pointwise,
                                   NULL, POINTWISE,       NULL};

static const smt *element_of_select(prove_case *c, const prove_node *n, int out,
                                    const smt *const *at)
{
    const smt *mask;

    (void)out;
    mask = element_of_operand(c, n, 0, at);
    return smt_ite(&c->pool, smt_apply1(&c->pool, prove_holds, mask),
                   element_of_operand(c, n, 1, at), element_of_operand(c, n, 2, at));
}

static void choose_broadcast(prove_case *c, prove_node *n);

static void shape_select(prove_case *c, prove_node *n)
{
    choose_broadcast(c, n);
    shape_pointwise(c, n);
}

/* Converted to boolean, an integer is true unless it is 0. */
static void state_boolean(prove_case *c, const char *converted)
{
    smt_pool *p = &c->pool;
    const smt *k = smt_variable(p);
    const smt *x = smt_apply1(p, converted, smt_apply1(p, prove_of_int, k));
    const smt *holds = smt_apply1(p, prove_holds, x);

    prove_assume(c, smt_all(p, k, smt_or(p, holds, smt_eq(p, k, smt_int(p, 0))), x));
}

/* ---- operations that the rule names ---- */

static int number_of(const prove_case *c, const prove_node *n)
{
    int i = 0;

    while (i < c->rule->left.n_nodes && c->left[i] != n)
        i++;
    return i;
}

/* Chooses which of TEXTS attribute NAME of N is. */
static int choice_of(prove_case *c, prove_node *n, const char *name, const char *const *texts)
{
    const rule_attr *a = prove_attr(n, name);
    const inlay_op *op = n->from->rows[0];
    int at = inlay_op_attr(op, name);

    if (a && a->kind == INLAY_ATTR_BOOL && a->var < 0)
        return strcmp(texts[0], "true") == 0 ? !a->literal.as.b : a->literal.as.b;
    if (a || n->from->any_attrs)
        return prove_text_attr(c, n, name, texts, 2);
    if (op->attrs[at].kind == INLAY_ATTR_BOOL)
        return (strcmp(texts[0], "true") == 0) != op->attrs[at].dflt.as.b;
    return strcmp(texts[0], op->attrs[at].dflt.as.s) != 0;
}

/* The form of N, of the forms from M on. */
static const meaning *form_of(prove_case *c, prove_node *n, const meaning *m)
{
    const prove_node *like = m && m->attr ? prove_attr_node(c, n, m->attr) : n;

    if (!m || !m->attr)
        return m;
    if (like != n && like->symbol)
        return like->symbol->meaning;
    if (c->meanings.numbers == PROVE_REAL && m[0].formula[NUMBER_FLOAT] &&
        m[1].formula[NUMBER_FLOAT] &&
        strcmp(m[0].formula[NUMBER_FLOAT], m[1].formula[NUMBER_FLOAT]) == 0)
        return m; /* of floats both are one */
    return m + choice_of(c, n, m->attr, (const char *const[]){m[0].value, m[1].value});
}

/* What attribute A adds to the name of N's function: "" for its default. */
static const char *word_of(const prove_case *c, prove_node *n, const inlay_attr_info *a)
{
    const rule_attr *given = prove_attr(n, a->name);
    inlay_arena *arena = c->pool.arena;

    if (!given)
        return n->from->any_attrs ? inlay_arena_printf(arena, ".of%d",
                                                       number_of(c, prove_attr_node(c, n, a->name)))
                                  : "";
    if (given->var >= 0)
        return inlay_arena_printf(arena, ".%s", c->rule->names[given->var].text);
    if (a->kind == INLAY_ATTR_STRING || a->kind == INLAY_ATTR_ENUM)
        return inlay_arena_printf(arena, ".%s", given->literal.as.s);
    if (a->kind == INLAY_ATTR_TYPE)
        return inlay_arena_printf(arena, ".%s", inlay_type_info_of(given->literal.as.type)->name);
    return inlay_arena_printf(
        arena, ".%d", a->kind == INLAY_ATTR_BOOL ? given->literal.as.b : (int)given->literal.as.i);
}

/* Attributes that are part of a function's name: not numbers, which are arguments, and not those
 * that say how operands are broadcast. */
static bool is_named(const inlay_attr_info *a, const meaning *m)
{
    return a->kind != INLAY_ATTR_FLOAT && strcmp(a->name, "auto_broadcast") != 0 &&
           !(m && m->attr && strcmp(m->attr, a->name) == 0);
}

static prove_symbol symbol_of(prove_case *c, prove_node *n)
{
    const inlay_op *op = n->from->rows[0];
    prove_symbol s = {.kind = PROVE_OPERATION, .op = op, .attr = -1};
    const char *name = op->name, *word = "";

    s.meaning = form_of(c, n, meaning_of(op->name));
    for (int i = 0; i < op->n_attrs && name && word; i++) {
        const rule_attr *given = prove_attr(n, op->attrs[i].name);

        if (given && op->attrs[i].kind == INLAY_ATTR_TYPE) {
            s.attr = given->var;
            s.to = given->literal.as.type;
        }
        if (!is_named(&op->attrs[i], s.meaning))
            continue;
        word = word_of(c, n, &op->attrs[i]);
        name = word ? inlay_arena_printf(c->pool.arena, "%s%s", name, word) : NULL;
    }
    if (name)
        name = inlay_arena_printf(c->pool.arena, "|%s%s%s|", name,
                                  s.meaning && s.meaning->attr ? " " : "",
                                  s.meaning && s.meaning->attr ? s.meaning->value : "");
    s.name = name;
    return s;
}

/* The attributes of N that are numbers, in their order. */
static int number_attrs(prove_case *c, const prove_node *n, const smt **out)
{
    const inlay_op *op = n->from->rows[0];
    int n_out = 0;

    for (int i = 0; i < op->n_attrs; i++) {
        const inlay_attr_info *info = &op->attrs[i];
        const rule_attr *a = prove_attr(n, info->name);

        if (info->kind != INLAY_ATTR_FLOAT)
            continue;
        if (!a && n->from->any_attrs)
            prove_unknown(c, "any numbers as attributes");
        if (a)
            out[n_out++] = prove_attr_number(c, a);
        else if (!n->from->any_attrs)
            out[n_out++] = smt_apply(
                &c->pool, prove_literal(c, info->dflt.as.f, number_class_types(NUMBER_FLOAT))->name,
                0, NULL);
    }
    return n_out;
}

/* Chooses whether operands are broadcast as numpy does it, or not at all. */
static void choose_broadcast(prove_case *c, prove_node *n)
{
    static const char *const modes[] = {
        [0] = "numpy", [PROVE_STRICT] = "none", [PROVE_ONE_WAY] = "pdpd"};
    const prove_node *like = prove_attr_node(c, n, "auto_broadcast");

    if (inlay_op_attr(n->from->rows[0], "auto_broadcast") < 0)
        return;
    n->form = like != n ? like->form : prove_text_attr(c, n, "auto_broadcast", modes, 3);
}

static void shape_named(prove_case *c, prove_node *n)
{
    prove_symbol s = symbol_of(c, n);
    const smt *numbers[RULE_TERMS];

    choose_broadcast(c, n);
    shape_pointwise(c, n);
    n->symbol = prove_symbol_like(c, &s, n->n_in + number_attrs(c, n, numbers));
}

static const smt *element_of_named(prove_case *c, const prove_node *n, int out,
                                   const smt *const *at)
{
    const smt *args[SMT_ARGS + RULE_TERMS];
    int more;

    (void)out;
    for (int i = 0; i < n->n_in; i++)
        args[i] = element_of_operand(c, n, i, at);
    more = number_attrs(c, n, args + n->n_in);
    if (n->n_in + more > SMT_ARGS) {
        prove_unknown(c, "too many operands and numbers");
        return smt_bool(false);
    }
    return smt_apply(&c->pool, n->symbol->name, n->n_in + more, args);
}

/* Data, and operands that are one number each. */
static void shape_with_numbers(prove_case *c, prove_node *n)
{
    prove_symbol s = symbol_of(c, n);

    for (int i = 0; i < n->n_in; i++) {
        prove_need(c, prove_rank(c, n->in[i]) <= 1 || i == 0);
        if (i > 0 && !c->cut && n->in[i]->rank == 1)
            prove_must(c, n, smt_eq(&c->pool, n->in[i]->dim[0], smt_int(&c->pool, 1)));
    }
    prove_set_sizes(c, n, 0, n->in[0]->rank, n->in[0]->dim);
    n->symbol = prove_symbol_like(c, &s, n->n_in);
}

static const smt *element_with_numbers(prove_case *c, const prove_node *n, int out,
                                       const smt *const *at)
{
    const smt *args[SMT_ARGS], *first = smt_int(&c->pool, 0);

    (void)out;
    for (int i = 0; i < n->n_in; i++)
        args[i] = prove_element(c, n->in[i], i ? &first : at);
    return smt_apply(&c->pool, n->symbol->name, n->n_in, args);
}

static const prove_row named_row = {"", shape_named, element_of_named, NULL, POINTWISE, NULL};

const prove_row *prove_named_row(const rule_node *from)
{
    return from->n_rows > 0 && (from->rows[0]->flags & INLAY_POINTWISE) ? &named_row : NULL;
}

/* ---- conversions ---- */

static void shape_convert(prove_case *c, prove_node *n)
{
    const rule_attr *to = prove_attr(n, "destination_type");

    shape_named(c, n);
    if (to && to->var < 0 && to->literal.as.type == INLAY_BOOLEAN)
        state_boolean(c, n->symbol->name);
}

/* Only the type of LIKE is used, not its sizes. */
static void shape_convert_like(prove_case *c, prove_node *n)
{
    const prove_symbol s = {
        .kind = PROVE_OPERATION, .name = "|ConvertLike|", .op = n->from->rows[0], .attr = -1};

    prove_rank(c, n->in[0]);
    prove_rank(c, n->in[1]);
    prove_set_sizes(c, n, 0, n->in[0]->rank, n->in[0]->dim);
    n->symbol = prove_symbol_like(c, &s, 2);
}

static const smt *element_of_convert_like(prove_case *c, const prove_node *n, int out,
                                          const smt *const *at)
{
    const smt *args[2], *none[PROVE_RANK];

    (void)out;
    for (int i = 0; i < PROVE_RANK; i++)
        none[i] = smt_int(&c->pool, 0);
    args[0] = prove_element(c, n->in[0], at);
    if (n->form == PROVE_SAME_TYPE)
        return args[0];
    args[1] = prove_element(c, n->in[1], none);
    return smt_apply(&c->pool, n->symbol->name, 2, args);
}

/* ---- sizes as numbers ---- */

static void shape_of_sizes(prove_case *c, prove_node *n)
{
    const smt *size = smt_int(&c->pool, prove_rank(c, n->in[0]));

    prove_set_sizes(c, n, 0, 1, &size);
    n->out[0].n_ints = n->in[0]->rank;
    memcpy(n->out[0].ints, n->in[0]->dim, (size_t)n->in[0]->rank * sizeof *n->in[0]->dim);
}

static const smt *element_of_sizes(prove_case *c, const prove_node *n, int out,
                                   const smt *const *at)
{
    return prove_ints_element(c, &n->out[out], at);
}

const prove_row prove_element_rows[] = {
    {"Select", shape_select, element_of_select, NULL,
     PROVE_ALONG_AXES | PROVE_ANY_RANK | PROVE_SAME_AXES, " auto_broadcast "},
    {"Convert", shape_convert, element_of_named, NULL,
     PROVE_KEEPS_ELEMENTS | PROVE_ALONG_AXES | PROVE_ANY_RANK | PROVE_KEEPS_RANK | PROVE_SAME_AXES,
     " destination_type "},
    {"ConvertLike", shape_convert_like, element_of_convert_like, NULL,
     PROVE_ALONG_AXES | PROVE_ANY_RANK, NULL},
    {"HardSigmoid", shape_with_numbers, element_with_numbers, NULL, POINTWISE, NULL},
    {"Selu", shape_with_numbers, element_with_numbers, NULL, POINTWISE, NULL},
    {"Swish", shape_with_numbers, element_with_numbers, NULL, POINTWISE, NULL},
    {"ShapeOf", shape_of_sizes, element_of_sizes, NULL, PROVE_ANY_RANK, " output_type "},
    {0},
};
