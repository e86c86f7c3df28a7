/* Floats that are converted from integers. A float type represents every integer exactly that has
 * no more bits than its significand. So operations on such floats are stated as operations on the
 * integers, which a solver can decide even where it cannot decide rounding.
 *
 *     u8:  ReLU(Convert(x) {f32})  is max(x, 0) as an f32, which is x
 *
 * This works for operations that return one of their operands, for comparisons, and for sums and
 * products with few enough bits; not for a product with a negative number, which may be -0, which
 * is no integer. */
#include "passes/prove/law.h"

#include <math.h>
#include <string.h>

/* The text of a 64-bit integer in [-2 ^ BITS, 2 ^ BITS). */
typedef struct exact {
    inlay_strbuf text;
    int bits;
    bool negative; /* it may be below 0 */
} exact;

/* The number of bits of integers that TYPE represents exactly; 0: not stated. */
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

bool law_converts(const prove_symbol *s)
{
    return s->kind == PROVE_OPERATION && s->op && (s->op->flags & INLAY_CONVERTS);
}

void law_declare_once(law *l, const char *text)
{
    if (!l->declared.bytes || !strstr(l->declared.bytes, text))
        inlay_strbuf_puts(&l->declared, text);
}

void law_declare_conversions(law *l, inlay_type to)
{
    inlay_strbuf declared = {0};

    meaning_declare_conversions(&declared, to);
    if (to != INLAY_BOOLEAN)
        law_declare_once(l, declared.bytes ? declared.bytes : "");
    inlay_strbuf_free(&declared);
}

static bool find_exact(law *l, exact *out, const smt *t);

/* Sets OUT to X, an element of the integer or boolean TYPE. */
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

/* Sets OUT to X, which a conversion makes a float. */
static bool find_converted(law *l, exact *out, const smt *x)
{
    inlay_type from = law_type_of(l, x);
    inlay_strbuf text = {0};

    if (!is_integer(from))
        return find_exact(l, out, x);
    l->write(l, &text, x);
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

/* Applies FORM to exact operands. */
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

/* Finds the operands of T as exact integers, if the type of the first represents them. False: some
 * is not exact; what was found must be freed all the same. */
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

/* Sets the number of bits of the result of operation M on N operands. */
static void count_bits(exact *out, const meaning *m, const exact *operands, int n)
{
    for (int i = 0; i < n; i++) {
        bool product = m->exact == MEANING_EXACT_PRODUCT;

        out->bits = product                        ? out->bits + operands[i].bits
                    : operands[i].bits > out->bits ? operands[i].bits
                                                   : out->bits;
        out->negative = out->negative || operands[i].negative;
    }
    out->bits += m->exact == MEANING_EXACT_SUM;
}

static bool find_made(law *l, exact *out, const smt *t, const meaning *m)
{
    exact operands[SMT_ARGS] = {{.bits = 0}};
    const char *form = m->exactly ? m->exactly : m->formula[NUMBER_SIGNED];
    bool found = m->exact != MEANING_ROUNDED && form && find_operands(l, operands, t);

    if (found)
        count_bits(out, m, operands, t->n_args);
    if (found)
        apply(&out->text, form, operands, t->n_args);
    free_operands(operands);
    found = found && !(m->exact == MEANING_EXACT_PRODUCT && out->negative);
    out->negative = out->negative || m->exact == MEANING_EXACT_SUM;
    return found;
}

/* Finds T as an exact integer; OUT is all 0 before. */
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
    else if (s && s->kind == PROVE_OPERATION && s->op && s->meaning)
        found = find_made(l, out, t, s->meaning);
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

/* TYPE represents all values of X exactly. */
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
