/* Floats that are made of integers. A type holds every integer of no more bits than its numbers
 * have, as it is: so what is made of such floats is told of the integers, which a solver decides
 * where it does not decide what rounding does.
 *
 *     u8:  ReLU(Convert(x) {f32})  is the f32 that the larger one of x and 0 is, which is x
 *
 * That is so of what gives one of its operands, of comparisons, and of sums and products that have
 * no more bits; not of a product with a negative number, which may be -0, as no integer is. */
#include "passes/prove/law.h"

#include <math.h>
#include <string.h>

/* An integer of 64 bits, by its text: it lies in [-2 ^ BITS, 2 ^ BITS). */
typedef struct exact {
    inlay_strbuf text;
    int bits;
    bool negative; /* it may be below 0 */
} exact;

enum { NONE = 64 };

/* Of how many bits integers are that TYPE holds; 0: nothing is said of it. */
static int bits_held(inlay_type type)
{
    switch (type) {
    case INLAY_F16:
        return 11;
    case INLAY_BF16:
        return 8;
    case INLAY_F32:
        return 24;
    case INLAY_F64:
        return 53;
    default:
        return 0;
    }
}

static bool find_exact(law *l, exact *out, const smt *t);

/* An element of integers or booleans, of TYPE. */
static void widen(exact *out, const char *x, inlay_type type)
{
    const inlay_type_info *info = inlay_type_info_of(type);

    out->negative = info->cls == INLAY_CLASS_SIGNED;
    out->bits = type == INLAY_BOOLEAN ? 1 : info->bits - out->negative;
    if (type == INLAY_BOOLEAN)
        inlay_strbuf_printf(&out->text, "(ite %s (_ bv1 64) (_ bv0 64))", x);
    else
        inlay_strbuf_printf(&out->text, "((_ %s %d) %s)",
                            out->negative ? "sign_extend" : "zero_extend", 64 - info->bits, x);
}

static bool is_integer(inlay_type type)
{
    return type == INLAY_BOOLEAN ||
           (inlay_type_is_int(type) && inlay_type_info_of(type)->bits < 64);
}

/* Of a conversion of X. */
static bool find_converted(law *l, exact *out, const smt *x)
{
    inlay_type from = law_type_of(l, x);
    inlay_strbuf text = {0};

    if (!is_integer(from))
        return find_exact(l, out, x);
    law_write(l, &text, x);
    widen(out, text.bytes ? text.bytes : "", from);
    inlay_strbuf_free(&text);
    return true;
}

static bool find_literal(exact *out, double number)
{
    if (number != trunc(number) || fabs(number) > 0x1p53 || (number == 0 && signbit(number)))
        return false;
    *out = (exact){.bits = number == 0 ? 1 : ilogb(number) + 1, .negative = number < 0};
    inlay_strbuf_printf(&out->text, number < 0 ? "(bvneg (_ bv%.0f 64))" : "(_ bv%.0f 64)",
                        fabs(number));
    return true;
}

static bool is_among(const char *type, const char *const *types)
{
    while (*types && strcmp(*types, type) != 0)
        types++;
    return *types != NULL;
}

/* How many more bits the operation TYPE gives than its exact operands have; NONE: it is not told.
 */
static int more_bits(const char *type)
{
    static const char *const one_of[] = {"ReLU",    "Maximum", "Minimum", "Sign", "Floor",
                                         "Ceiling", "Round",   "Clamp",   NULL},
                             *const longer[] = {"Add", "Subtract", "Abs", NULL};

    return is_among(type, longer) ? 1 : is_among(type, one_of) ? 0 : NONE;
}

/* FORM of exact operands. */
static void apply(inlay_strbuf *out, const char *form, const exact *operands, int n)
{
    inlay_strbuf_puts(out, "(let (");
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(out, "(%c %s)", 'a' + i,
                            operands[i].text.bytes ? operands[i].text.bytes : "");
    inlay_strbuf_puts(out, ") ");
    meaning_write(out, form, INLAY_I64);
    inlay_strbuf_puts(out, ")");
}

/* The operands of T, which the type of the first holds. False: some is none; what is found is to be
 * freed all the same. */
static bool find_operands(law *l, exact *out, const smt *t)
{
    bool all = true;

    for (int i = 0; i < t->n_args && all; i++)
        all = find_exact(l, &out[i], t->arg[i]) &&
              out[i].bits <= bits_held(law_type_of(l, t->arg[0]));
    return all;
}

static void free_operands(exact *operands)
{
    for (int i = 0; i < SMT_ARGS; i++)
        inlay_strbuf_free(&operands[i].text);
}

/* Of a product of numbers that are not below 0, so that none is -0, the bits are those of both. */
static bool find_product(law *l, exact *out, const smt *t)
{
    exact operands[SMT_ARGS] = {{.bits = 0}};
    bool found = find_operands(l, operands, t) && !operands[0].negative && !operands[1].negative;

    out->bits = operands[0].bits + operands[1].bits;
    if (found)
        apply(&out->text, "(bvmul a b)", operands, 2);
    free_operands(operands);
    return found;
}

static bool find_made(law *l, exact *out, const smt *t, const prove_symbol *s)
{
    exact operands[SMT_ARGS] = {{.bits = 0}};
    const char *const above[] = {"ReLU", "Abs", NULL};
    const char *form = strcmp(s->op->name, "Clamp") == 0
                           ? "(ite (bvslt a b) b (ite (bvsgt a c) c a))"
                           : s->meaning->formula[NUMBER_SIGNED];
    int more = more_bits(s->op->name);
    bool found = more != NONE && form && find_operands(l, operands, t);

    for (int i = 0; found && i < t->n_args; i++) {
        out->bits = operands[i].bits > out->bits ? operands[i].bits : out->bits;
        out->negative =
            out->negative || operands[i].negative || strcmp(s->op->name, "Subtract") == 0;
    }
    out->negative = out->negative && !is_among(s->op->name, above);
    out->bits += more;
    if (found)
        apply(&out->text, form, operands, t->n_args);
    free_operands(operands);
    return found;
}

/* Sets OUT, which is all 0. */
static bool find_exact(law *l, exact *out, const smt *t)
{
    const prove_symbol *s = prove_symbol_of(l->c, t);
    bool found = false;

    if (s && s->kind == PROVE_LITERAL)
        found = find_literal(out, s->number);
    else if (s && s->kind == PROVE_OPERATION && bits_held(law_type_of(l, t)) == 0)
        found = false;
    else if (s && law_converts(s))
        found = find_converted(l, out, t->arg[0]);
    else if (s && s->kind == PROVE_OPERATION && s->op && strcmp(s->op->name, "Multiply") == 0)
        found = find_product(l, out, t);
    else if (s && s->kind == PROVE_OPERATION && s->op && s->meaning)
        found = find_made(l, out, t, s);
    return found && (s->kind == PROVE_LITERAL || out->bits <= bits_held(law_type_of(l, t)));
}

bool law_write_exact(law *l, inlay_strbuf *out, const smt *t)
{
    const prove_symbol *s = prove_symbol_of(l->c, t);
    exact x = {.bits = 0};
    bool found = s && s->kind == PROVE_OPERATION && find_exact(l, &x, t);

    if (found) {
        law_declare_conversions(l, law_type_of(l, t));
        meaning_convert(out, x.text.bytes ? x.text.bytes : "", INLAY_I64, law_type_of(l, t));
    }
    inlay_strbuf_free(&x.text);
    return found;
}

/* A comparison of exact floats. */
static bool write_compared(law *l, inlay_strbuf *out, const smt *t, const prove_symbol *s)
{
    exact operands[SMT_ARGS] = {{.bits = 0}};
    bool found = law_type_of(l, t) == INLAY_BOOLEAN && t->n_args == 2 && s->meaning &&
                 s->meaning->formula[NUMBER_SIGNED] && find_operands(l, operands, t);

    if (found)
        apply(out, s->meaning->formula[NUMBER_SIGNED], operands, t->n_args);
    free_operands(operands);
    return found;
}

/* TYPE holds the integers that X may be. */
static bool holds_exact(inlay_type type, const exact *x)
{
    const inlay_type_info *info = inlay_type_info_of(type);

    return info->cls == INLAY_CLASS_SIGNED ? x->bits < info->bits
                                           : !x->negative && x->bits <= info->bits;
}

/* A conversion of an exact float to an integer or boolean. */
static bool write_back(law *l, inlay_strbuf *out, const smt *t)
{
    inlay_type to = law_type_of(l, t);
    exact x = {.bits = 0};
    bool found = find_exact(l, &x, t->arg[0]) && (to == INLAY_BOOLEAN || holds_exact(to, &x));

    if (found)
        meaning_convert(out, x.text.bytes ? x.text.bytes : "", INLAY_I64, to);
    inlay_strbuf_free(&x.text);
    return found;
}

bool law_write_of_exact(law *l, inlay_strbuf *out, const smt *t)
{
    const prove_symbol *s = prove_symbol_of(l->c, t);

    if (!s || s->kind != PROVE_OPERATION || !s->op || t->n_args == 0 ||
        bits_held(law_type_of(l, t->arg[0])) == 0 || bits_held(law_type_of(l, t)) > 0)
        return false;
    return law_converts(s) ? write_back(l, out, t) : write_compared(l, out, t, s);
}
