/* The meanings of operations on numbers as formulas. See meaning.h. Integers wrap, floats are
 * rounded to nearest, and there is one NaN.
 *
 * Strings are modelled as integers: a law about strings only compares them. Any finite set of
 * strings, ordered by their bytes, has the same order as some integers, so a law that fails for
 * some strings fails for some integers. */
#include "passes/prove/meaning.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define FLOOR_DIVIDE                                                                               \
    "(let ((q (bvsdiv a b))) (ite (and (not (= (bvsrem a b) @0)) "                                 \
    "(xor (bvslt a @0) (bvslt b @0))) (bvsub q @1) q))"
/* The square root of -0 is 0 as a power, and that of minus infinity is infinite. */
#define POWER_OF_FLOATS                                                                            \
    "(ite (fp.eq b @1) a (ite (fp.isZero b) @1 (ite (fp.eq b (fp.add RNE @1 @1)) "                 \
    "(fp.mul RNE a a) (power_@t a b))))"
#define POWER_OF_INTEGERS "(ite (= b @0) @1 (ite (= b @1) a (power_@t a b)))"
#define LARGER_FLOAT "(ite (or (fp.gt a b) (fp.isNaN a)) a b)"
#define SMALLER_FLOAT "(ite (or (fp.lt a b) (fp.isNaN a)) a b)"
#define CLAMP_FLOATS "(ite (fp.lt a b) b (ite (fp.gt a c) c a))"
/* The bounds of integers are left open. */
#define CLAMP_INTEGERS(less)                                                                       \
    "(let ((y (ite (" less " a (least_@t b)) (least_@t b) a))) "                                   \
    "(ite (" less " (most_@t c) y) (most_@t c) y))"
#define DIVISOR_OF_ZERO                                                                            \
    {                                                                                              \
        NULL, "(= b @0)", "(= b @0)"                                                               \
    }
#define BELOW_ZERO                                                                                 \
    {                                                                                              \
        NULL, "(bvslt b @0)"                                                                       \
    }
#define DOUBLE "(_ FloatingPoint 11 53)"
/* All that is stated of a bound above zero is that it is not negative. */
#define UNKNOWN_BOUND(name) "(declare-fun " name "_@t (" DOUBLE ") @s)\n"
#define BOUND(name)                                                                                \
    UNKNOWN_BOUND("some_" name)                                                                    \
    "(define-fun " name "_@t ((x " DOUBLE ")) @s (ite (and (fp.gt x (_ +zero 11 53)) "             \
    "(bvslt (some_" name "_@t x) @0)) @0 (some_" name "_@t x)))\n"
#define A_POWER "(declare-fun power_@t (@s @s) @s)\n"

/* clang-format off */
static const meaning meanings[] = {
    {.type = "Add", .exact = MEANING_EXACT_SUM, .formula = {"(fp.add RNE a b)", "(bvadd a b)", "(bvadd a b)"}},
    {.type = "Subtract", .exact = MEANING_EXACT_SUM, .formula = {"(fp.sub RNE a b)", "(bvsub a b)", "(bvsub a b)"}},
    {.type = "Multiply", .exact = MEANING_EXACT_PRODUCT, .formula = {"(fp.mul RNE a b)", "(bvmul a b)", "(bvmul a b)"}},
    {.type = "Divide", .attr = "m_pythondiv", .value = "true", .formula = {"(fp.div RNE a b)", FLOOR_DIVIDE, "(bvudiv a b)"}, .fault = DIVISOR_OF_ZERO},
    {.type = "Divide", .attr = "m_pythondiv", .value = "false", .formula = {"(fp.div RNE a b)", "(bvsdiv a b)", "(bvudiv a b)"}, .fault = DIVISOR_OF_ZERO},
    {.type = "Mod", .formula = {NULL, "(bvsrem a b)", "(bvurem a b)"}, .fault = DIVISOR_OF_ZERO},
    {.type = "FloorMod", .formula = {NULL, "(bvsmod a b)", "(bvurem a b)"}, .fault = DIVISOR_OF_ZERO},
    {.type = "Power", .formula = {POWER_OF_FLOATS, POWER_OF_INTEGERS, POWER_OF_INTEGERS}, .wide = true,
     .fault = {NULL, "(and (= a @0) (bvslt b @0))"}, .declare = {A_POWER, A_POWER, A_POWER}},
    {.type = "SquaredDifference", .formula = {"(let ((d (fp.sub RNE a b))) (fp.mul RNE d d))", "(let ((d (bvsub a b))) (bvmul d d))",
      "(let ((d (bvsub a b))) (bvmul d d))"}, .wide = true},
    {.type = "Maximum", .exact = MEANING_EXACT, .formula = {LARGER_FLOAT, "(ite (bvslt a b) b a)", "(ite (bvult a b) b a)"}},
    {.type = "Minimum", .exact = MEANING_EXACT, .formula = {SMALLER_FLOAT, "(ite (bvslt b a) b a)", "(ite (bvult b a) b a)"}},
    {.type = "Abs", .exact = MEANING_EXACT_SUM, .formula = {"(fp.abs a)", "(ite (bvslt a @0) (bvneg a) a)", "a"}},
    {.type = "Negative", .formula = {"(fp.neg a)", "(bvneg a)", "(bvneg a)"}},
    {.type = "ReLU", .exact = MEANING_EXACT, .formula = {"(ite (fp.leq a @0) @0 a)", "(ite (bvslt a @0) @0 a)", "a"}},
    {.type = "Sign", .exact = MEANING_EXACT, .formula = {"(ite (fp.gt a @0) @1 (ite (fp.lt a @0) @- a))",
     "(ite (bvslt a @0) @- (ite (= a @0) @0 @1))", "(ite (= a @0) @0 @1)"}},
    {.type = "Floor", .exact = MEANING_EXACT, .formula = {"(fp.roundToIntegral RTN a)", "a", "a"}, .wide = true},
    {.type = "Ceiling", .exact = MEANING_EXACT, .formula = {"(fp.roundToIntegral RTP a)", "a", "a"}, .wide = true},
    {.type = "Round", .exact = MEANING_EXACT, .attr = "mode", .value = "half_to_even", .formula = {"(fp.roundToIntegral RNE a)", "a", "a"}, .wide = true},
    {.type = "Round", .exact = MEANING_EXACT, .attr = "mode", .value = "half_away_from_zero", .formula = {"(fp.roundToIntegral RNA a)", "a", "a"}, .wide = true},
    {.type = "Sqrt", .formula = {"(fp.sqrt RNE a)"}},
    {.type = "Clamp", .exact = MEANING_EXACT, .exactly = "(ite (bvslt a b) b (ite (bvsgt a c) c a))", .formula = {CLAMP_FLOATS, CLAMP_INTEGERS("bvslt"), CLAMP_INTEGERS("bvult")}, .wide = true,
     .declare = {NULL, BOUND("least") BOUND("most"), UNKNOWN_BOUND("least") UNKNOWN_BOUND("most")}},
    {.type = "HSigmoid", .formula = {"(let ((y (fp.add RNE a @3))) (fp.div RNE (ite (fp.lt y @0) @0 (ite (fp.gt y @6) @6 y)) @6))"},
     .wide = true},
    {.type = "HSwish", .formula = {"(let ((y (fp.add RNE a @3))) "
     "(fp.div RNE (fp.mul RNE a (ite (fp.lt y @0) @0 (ite (fp.gt y @6) @6 y))) @6))"}, .wide = true},
    {.type = "Equal", .formula = {"(fp.eq a b)", "(= a b)", "(= a b)", "(= a b)", "(= a b)"}},
    {.type = "NotEqual", .formula = {"(not (fp.eq a b))", "(not (= a b))", "(not (= a b))", "(xor a b)", "(not (= a b))"}},
    {.type = "Less", .formula = {"(fp.lt a b)", "(bvslt a b)", "(bvult a b)", "(and (not a) b)", "(< a b)"}},
    {.type = "LessEqual", .formula = {"(fp.leq a b)", "(bvsle a b)", "(bvule a b)", "(or (not a) b)", "(<= a b)"}},
    {.type = "Greater", .formula = {"(fp.gt a b)", "(bvsgt a b)", "(bvugt a b)", "(and a (not b))", "(> a b)"}},
    {.type = "GreaterEqual", .formula = {"(fp.geq a b)", "(bvsge a b)", "(bvuge a b)", "(or a (not b))", "(>= a b)"}},
    {.type = "IsNaN", .formula = {"(fp.isNaN a)"}},
    {.type = "IsFinite", .formula = {"(not (or (fp.isNaN a) (fp.isInfinite a)))"}},
    {.type = "LogicalAnd", .formula = {[NUMBER_BOOLEAN] = "(and a b)"}},
    {.type = "LogicalOr", .formula = {[NUMBER_BOOLEAN] = "(or a b)"}},
    {.type = "LogicalXor", .formula = {[NUMBER_BOOLEAN] = "(xor a b)"}},
    {.type = "LogicalNot", .formula = {[NUMBER_BOOLEAN] = "(not a)"}},
    {.type = "BitwiseAnd", .formula = {NULL, "(bvand a b)", "(bvand a b)", "(and a b)"}},
    {.type = "BitwiseOr", .formula = {NULL, "(bvor a b)", "(bvor a b)", "(or a b)"}},
    {.type = "BitwiseXor", .formula = {NULL, "(bvxor a b)", "(bvxor a b)", "(xor a b)"}},
    {.type = "BitwiseNot", .formula = {NULL, "(bvnot a)", "(bvnot a)", "(not a)"}},
    {.type = "BitwiseLeftShift", .formula = {NULL, "(bvshl a b)", "(bvshl a b)"}, .fault = BELOW_ZERO},
    {.type = "BitwiseRightShift", .formula = {NULL, "(bvashr a b)", "(bvlshr a b)"}, .fault = BELOW_ZERO},
    {0},
};
/* clang-format on */

/* Integers wrap, so all updates can be combined before they are applied. */
static const meaning scattered[] = {
    {.type = "sum", .formula = {NULL, "(bvadd a b)", "(bvadd a b)"}},
    {.type = "sub", .formula = {NULL, "(bvsub a b)", "(bvsub a b)"}},
    {.type = "prod", .formula = {NULL, "(bvmul a b)", "(bvmul a b)"}},
    {0},
};

const meaning *meaning_all(void)
{
    return meanings;
}

static const meaning *find(const meaning *m, const char *type)
{
    while (m->type && strcmp(m->type, type) != 0)
        m++;
    return m->type ? m : NULL;
}

const meaning *meaning_of(const char *type)
{
    return find(meanings, type);
}

const meaning *meaning_of_scattered(const char *reduction)
{
    return find(scattered, reduction);
}

/* ---- types ---- */

typedef struct float_form {
    inlay_type type;
    int exponent, significand; /* in bits, the hidden bit of the significand included */
} float_form;

bool meaning_is_narrow(inlay_type type)
{
    return inlay_type_is_float(type) && inlay_type_info_of(type)->bits <= 8;
}

/* Floats of 8 bits and less are modelled as the f32 of the same value, and computed in f32. */
static const float_form *form_of(inlay_type type)
{
    static const float_form forms[] = {
        {INLAY_F16, 5, 11}, {INLAY_BF16, 8, 8}, {INLAY_F32, 8, 24}, {INLAY_F64, 11, 53}};
    inlay_type like = meaning_is_narrow(type) ? INLAY_F32 : type;

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (forms[i].type == like)
            return &forms[i];
    }
    return NULL;
}

bool meaning_class(inlay_type type, number_class *out)
{
    switch (inlay_type_info_of(type)->cls) {
    case INLAY_CLASS_FLOAT:
        *out = NUMBER_FLOAT;
        return form_of(type) != NULL;
    case INLAY_CLASS_SIGNED:
        *out = NUMBER_SIGNED;
        return !inlay_type_info_of(type)->refused;
    case INLAY_CLASS_UNSIGNED:
        *out = NUMBER_UNSIGNED;
        return !inlay_type_info_of(type)->refused;
    case INLAY_CLASS_BOOLEAN:
        *out = NUMBER_BOOLEAN;
        return true;
    case INLAY_CLASS_STRING:
        *out = NUMBER_STRING;
        return true;
    default:
        return false;
    }
}

inlay_type_set number_class_types(number_class wanted)
{
    inlay_type_set all = 0;
    number_class cls;

    for (int type = 0; type < 32; type++) {
        if (meaning_class((inlay_type)type, &cls) && cls == wanted)
            all |= (inlay_type_set)1 << type;
    }
    return all;
}

inlay_type_set meaning_types(void)
{
    inlay_type_set all = 0;

    for (int cls = 0; cls <= NUMBER_BOOLEAN; cls++)
        all |= number_class_types((number_class)cls);
    return all;
}

inlay_type_set meaning_all_types(void)
{
    return meaning_types() | number_class_types(NUMBER_STRING);
}

void meaning_sort(inlay_strbuf *out, inlay_type type)
{
    const float_form *f = form_of(type);

    if (f)
        inlay_strbuf_printf(out, "(_ FloatingPoint %d %d)", f->exponent, f->significand);
    else if (type == INLAY_BOOLEAN || type == INLAY_STRING)
        inlay_strbuf_puts(out, type == INLAY_BOOLEAN ? "Bool" : "Int");
    else
        inlay_strbuf_printf(out, "(_ BitVec %d)", inlay_type_info_of(type)->bits);
}

/* Writes the double with all its bits; the solver rounds it. */
static void write_float(inlay_strbuf *out, const float_form *f, double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    inlay_strbuf_printf(out, "((_ to_fp %d %d) RNE ((_ to_fp 11 53) #x%016" PRIx64 "))",
                        f->exponent, f->significand, bits);
}

static double nearest_of(inlay_type type, double x)
{
    double nearest;

    inlay_store_f64(type, &nearest, 0, x);
    return inlay_load_f64(type, &nearest, 0);
}

bool meaning_literal(inlay_strbuf *out, inlay_type type, double x)
{
    const float_form *f = form_of(type);
    int bits = inlay_type_info_of(type)->bits;
    bool is_signed = inlay_type_info_of(type)->cls == INLAY_CLASS_SIGNED;

    if (f && meaning_is_narrow(type)) {
        write_float(out, f, nearest_of(type, x));
        return fabs(nearest_of(type, x) - x) <= fabs(x) / 4;
    }
    if (f) {
        write_float(out, f, x);
        return true;
    }
    if (type == INLAY_BOOLEAN) {
        inlay_strbuf_puts(out, x != 0 ? "true" : "false");
        return true;
    }
    if (type == INLAY_STRING)
        return false;
    if (!(fabs(x) < 0x1p62) || x != trunc(x) || (x < 0 && !is_signed) || (x == 0 && signbit(x)) ||
        fabs(x) >= ldexp(1, bits - is_signed))
        return false;
    inlay_strbuf_printf(out, "((_ int2bv %d) %" PRId64 ")", bits, (int64_t)x);
    return true;
}

inlay_type meaning_computed(const meaning *m, inlay_type type)
{
    bool wide = m->wide || meaning_is_narrow(type);

    return wide && inlay_type_is_float(type) && type != INLAY_F64 ? INLAY_F32 : type;
}

/* ---- floats of 8 bits and less ---- */

enum { INFINITE = 0x7f800000, MOST_PIECES = 600 };

/* The float number AT in their order: 0 is 0, negative numbers count downward. */
static float float_at(int32_t at)
{
    uint32_t bits = at < 0 ? (uint32_t)-at | 0x80000000u : (uint32_t)at;
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint32_t nearest_bits(inlay_type type, int32_t at)
{
    return bits_of((float)nearest_of(type, (double)float_at(at)));
}

static void put_bits(inlay_strbuf *out, uint32_t bits)
{
    inlay_strbuf_printf(out, "((_ to_fp 8 24) #x%08" PRIx32 ")", bits);
}

/* A run of floats, up to LAST, that are rounded to the same number. */
struct piece {
    int32_t last;
    uint32_t nearest;
};

/* The last float from AT on that is rounded to the same number as AT: rounding is monotonic. */
static int32_t end_of_piece(inlay_type type, int32_t at, int32_t end)
{
    uint32_t nearest = nearest_bits(type, at);
    int64_t lo = at, hi = end;

    while (lo < hi) {
        int64_t middle = lo + (hi - lo + 1) / 2;

        if (nearest_bits(type, (int32_t)middle) == nearest)
            lo = middle;
        else
            hi = middle - 1;
    }
    return (int32_t)lo;
}

static int find_pieces(inlay_type type, struct piece *out)
{
    int n = 0;

    for (int sign = -1; sign <= 1; sign += 2) {
        int32_t at = sign < 0 ? -INFINITE : 1, end = sign < 0 ? -1 : INFINITE;

        while (at <= end && n < MOST_PIECES) {
            out[n] = (struct piece){end_of_piece(type, at, end), nearest_bits(type, at)};
            at = out[n++].last + 1;
        }
    }
    return n;
}

static void put_pieces(inlay_strbuf *out, const struct piece *pieces, int n)
{
    int half = n / 2;

    if (n == 1) {
        put_bits(out, pieces->nearest);
        return;
    }
    inlay_strbuf_puts(out, "(ite (fp.leq x ");
    put_bits(out, bits_of(float_at(pieces[half - 1].last)));
    inlay_strbuf_puts(out, ") ");
    put_pieces(out, pieces, half);
    inlay_strbuf_puts(out, " ");
    put_pieces(out, pieces + half, n - half);
    inlay_strbuf_puts(out, ")");
}

void meaning_declare_nearest(inlay_strbuf *out, inlay_type type)
{
    struct piece pieces[MOST_PIECES];
    int n = find_pieces(type, pieces);

    if (type == INLAY_F4E2M1)
        inlay_strbuf_puts(out, "(declare-fun nan_f4e2m1 ((_ FloatingPoint 8 24) "
                               "(_ FloatingPoint 8 24)) (_ FloatingPoint 8 24))\n");
    inlay_strbuf_printf(out,
                        "(define-fun near_%s ((x (_ FloatingPoint 8 24))) "
                        "(_ FloatingPoint 8 24) (ite (fp.isNaN x) ",
                        inlay_type_info_of(type)->name);
    put_bits(out, bits_of((float)nearest_of(type, (double)NAN)));
    inlay_strbuf_puts(out, " (ite (fp.isZero x) (ite (fp.isNegative x) ");
    put_bits(out, bits_of((float)nearest_of(type, -0.0)));
    inlay_strbuf_puts(out, " ");
    put_bits(out, nearest_bits(type, 0));
    inlay_strbuf_puts(out, ") ");
    put_pieces(out, pieces, n);
    inlay_strbuf_puts(out, ")))\n");
}

/* Begins the rounding of X, an f32, to TYPE. */
static void begin_nearest(inlay_strbuf *out, inlay_type type)
{
    if (meaning_is_narrow(type))
        inlay_strbuf_printf(out, "(near_%s ", inlay_type_info_of(type)->name);
}

static void end_nearest(inlay_strbuf *out, inlay_type type)
{
    if (meaning_is_narrow(type))
        inlay_strbuf_puts(out, ")");
}

/* In a type of one bit, -1 is 1. */
static void write_number(inlay_strbuf *out, inlay_type type, double x)
{
    int bits = inlay_type_info_of(type)->bits;

    if (form_of(type))
        write_float(out, form_of(type), x);
    else
        inlay_strbuf_printf(out, "(_ bv%" PRIu64 " %d)",
                            x < 0 ? UINT64_MAX >> (64 - bits) : (uint64_t)x, bits);
}

void meaning_write(inlay_strbuf *out, const char *form, inlay_type type)
{
    for (; *form; form++) {
        if (*form != '@') {
            inlay_strbuf_add(out, form, 1);
            continue;
        }
        form++;
        if (*form == 's')
            meaning_sort(out, type);
        else if (*form == 't')
            inlay_strbuf_puts(out, inlay_type_info_of(type)->name);
        else
            write_number(out, type, *form == '-' ? -1 : *form - '0');
    }
}

/* The result of FORM on numbers of the narrow TYPE needs no rounding: it is one of the operands, or
 * the negative of one, if each number has one. Types that end in FNUZ have no -0: it is taken for 0
 * wherever it could be distinguished from 0. */
static bool is_unrounded(const char *form, inlay_type type)
{
    if (meaning_is_narrow(type) &&
        (strcmp(form, LARGER_FLOAT) == 0 || strcmp(form, SMALLER_FLOAT) == 0))
        return true;
    return meaning_is_narrow(type) && type != INLAY_F8E8M0 && type != INLAY_NF4 &&
           (strcmp(form, "(fp.neg a)") == 0 || strcmp(form, "(fp.abs a)") == 0);
}

/* f4e2m1 has no NaN: what a NaN becomes is left open, since it depends on its sign; likewise a
 * power that is left open may be any number. No other operation with a formula makes a NaN of
 * numbers of f4e2m1. */
static const char *without_nan(const char *form, inlay_type type)
{
    if (type != INLAY_F4E2M1)
        return form;
    if (strcmp(form, "(fp.div RNE a b)") == 0)
        return "(ite (and (fp.isZero a) (fp.isZero b)) (nan_f4e2m1 a b) (fp.div RNE a b))";
    if (strcmp(form, "(fp.sqrt RNE a)") == 0)
        return "(ite (fp.lt a @0) (nan_f4e2m1 a a) (fp.sqrt RNE a))";
    return form;
}

void meaning_apply(inlay_strbuf *out, const meaning *m, const char *form, inlay_type result,
                   const meaning_operand *operands, int n)
{
    inlay_type type = operands[0].type, wide = meaning_computed(m, type);
    inlay_strbuf computed = {0};

    inlay_strbuf_puts(&computed, "(let (");
    for (int i = 0; i < n; i++) {
        inlay_strbuf_printf(&computed, "(%c ", 'a' + i);
        if (meaning_is_narrow(operands[i].type))
            inlay_strbuf_puts(&computed, operands[i].text);
        else
            meaning_convert(&computed, operands[i].text, operands[i].type,
                            inlay_type_is_float(type) ? wide : operands[i].type);
        inlay_strbuf_puts(&computed, ")");
    }
    inlay_strbuf_puts(&computed, ") ");
    meaning_write(&computed, without_nan(form, type), wide);
    inlay_strbuf_puts(&computed, ")");
    if (computed.failed)
        out->failed = true;
    else if (result == type && is_unrounded(form, type))
        inlay_strbuf_puts(out, computed.bytes);
    else if (result == type && meaning_is_narrow(type))
        inlay_strbuf_printf(out, "(near_%s %s)", inlay_type_info_of(type)->name, computed.bytes);
    else
        meaning_convert(out, computed.bytes, result == type ? wide : result, result);
    inlay_strbuf_free(&computed);
}

/* ---- conversions ---- */

static void convert(inlay_strbuf *out, const char *x, inlay_type from, inlay_type to);

static void write_as_boolean(inlay_strbuf *out, const char *x, inlay_type from)
{
    if (form_of(from))
        inlay_strbuf_printf(out, "(not (fp.isZero %s))", x);
    else
        inlay_strbuf_printf(out, "(not (= %s (_ bv0 %d)))", x, inlay_type_info_of(from)->bits);
}

static void write_of_boolean(inlay_strbuf *out, const char *x, inlay_type to)
{
    int bits = form_of(to) ? 65 : inlay_type_info_of(to)->bits;

    begin_nearest(out, to);
    if (form_of(to))
        inlay_strbuf_printf(out, "(round_%s ", inlay_type_info_of(to)->name);
    inlay_strbuf_printf(out, "(ite %s (_ bv1 %d) (_ bv0 %d))%s", x, bits, bits,
                        form_of(to) ? ")" : "");
    end_nearest(out, to);
}

static void write_resized(inlay_strbuf *out, const char *x, inlay_type from, inlay_type to)
{
    int had = inlay_type_info_of(from)->bits, has = inlay_type_info_of(to)->bits;

    if (has <= had)
        inlay_strbuf_printf(out, "((_ extract %d 0) %s)", has - 1, x);
    else
        inlay_strbuf_printf(out, "((_ %s %d) %s)",
                            inlay_type_info_of(from)->cls == INLAY_CLASS_SIGNED ? "sign_extend"
                                                                                : "zero_extend",
                            has - had, x);
}

bool meaning_is_shrunk(inlay_type from, inlay_type to)
{
    return from != to && meaning_is_narrow(to) && inlay_type_is_float(from) &&
           (from == INLAY_F64 || to == INLAY_F4E2M1);
}

/* Declares functions for the rounding of each float type to TO, which is left open. */
static void declare_shrunk(inlay_strbuf *out, inlay_type to)
{
    for (int from = 0; from < INLAY_N_TYPES; from++) {
        if (!meaning_is_shrunk((inlay_type)from, to))
            continue;
        inlay_strbuf_printf(out, "(declare-fun shrink_%s_of_%s (", inlay_type_info_of(to)->name,
                            inlay_type_info_of((inlay_type)from)->name);
        meaning_sort(out, (inlay_type)from);
        inlay_strbuf_puts(out, ") (_ FloatingPoint 8 24))\n");
    }
}

static bool has_signs(inlay_type type)
{
    return form_of(type) && !meaning_is_narrow(type);
}

/* Rounding an integer keeps its sign: below 0 the result is -1 or less, otherwise it is not -0; and
 * it is never NaN. */
static void define_rounding(inlay_strbuf *out, inlay_type to)
{
    const char *name = inlay_type_info_of(to)->name;

    inlay_strbuf_printf(out, "(define-fun round_%s ((x (_ BitVec 65))) ", name);
    meaning_sort(out, to);
    inlay_strbuf_printf(out,
                        " (let ((y (some_round_%s x)) (below (bvslt x (_ bv0 65)))) "
                        "(ite (and (not (fp.isNaN y)) (= below (fp.isNegative y)) "
                        "(or (not below) (not (fp.isZero y)))) y (ite below ",
                        name);
    write_float(out, form_of(to), -1);
    inlay_strbuf_puts(out, " ");
    write_float(out, form_of(to), 0);
    inlay_strbuf_puts(out, "))))\n");
}

void meaning_declare_conversions(inlay_strbuf *out, inlay_type to)
{
    const char *name = inlay_type_info_of(to)->name;

    inlay_strbuf_printf(out, "(declare-fun cut_%s (" DOUBLE ") ", name);
    meaning_sort(out, to);
    inlay_strbuf_printf(out, ")\n(declare-fun %sround_%s ((_ BitVec 65)) ",
                        has_signs(to) ? "some_" : "", name);
    meaning_sort(out, to);
    inlay_strbuf_puts(out, ")\n");
    if (has_signs(to))
        define_rounding(out, to);
    declare_shrunk(out, to);
}

/* Writes the conversion of a float to an integer as a function of its value as a double, which is
 * left open. */
static void write_cut_off(inlay_strbuf *out, const char *x, inlay_type from, inlay_type to)
{
    inlay_strbuf_printf(out, "(cut_%s ", inlay_type_info_of(to)->name);
    meaning_convert(out, x, from, INLAY_F64);
    inlay_strbuf_puts(out, ")");
}

/* Writes the rounding of an integer as a function of its value, which is left open. */
static void write_rounded(inlay_strbuf *out, const char *x, inlay_type from, inlay_type to)
{
    const inlay_type_info *info = inlay_type_info_of(from);

    begin_nearest(out, to);
    inlay_strbuf_printf(out, "(round_%s ((_ %s %d) %s))", inlay_type_info_of(to)->name,
                        info->cls == INLAY_CLASS_SIGNED ? "sign_extend" : "zero_extend",
                        65 - info->bits, x);
    end_nearest(out, to);
}

/* Writes a conversion between floats. A double is rounded to a narrow type in one step: how is left
 * open, and so is what f4e2m1 makes of NaN. */
static void write_float_as(inlay_strbuf *out, const char *x, inlay_type from, inlay_type to)
{
    const float_form *had = form_of(from), *has = form_of(to);

    begin_nearest(out, to);
    if (meaning_is_shrunk(from, to))
        inlay_strbuf_printf(out, "(shrink_%s_of_%s %s)", inlay_type_info_of(to)->name,
                            inlay_type_info_of(from)->name, x);
    else if (had == has)
        inlay_strbuf_puts(out, x);
    else
        inlay_strbuf_printf(out, "((_ to_fp %d %d) RNE %s)", has->exponent, has->significand, x);
    end_nearest(out, to);
}

void meaning_convert(inlay_strbuf *out, const char *x, inlay_type from, inlay_type to)
{
    if (from == to) {
        inlay_strbuf_puts(out, x);
        return;
    }
    if (meaning_is_narrow(from)) {
        inlay_strbuf_printf(out, "(let ((n (near_%s %s))) ", inlay_type_info_of(from)->name, x);
        convert(out, "n", from, to);
        inlay_strbuf_puts(out, ")");
    } else {
        convert(out, x, from, to);
    }
}

static void convert(inlay_strbuf *out, const char *x, inlay_type from, inlay_type to)
{
    const float_form *had = form_of(from), *has = form_of(to);

    if (to == INLAY_BOOLEAN)
        write_as_boolean(out, x, from);
    else if (from == INLAY_BOOLEAN)
        write_of_boolean(out, x, to);
    else if (had && has)
        write_float_as(out, x, from, to);
    else if (had)
        write_cut_off(out, x, from, to);
    else if (has)
        write_rounded(out, x, from, to);
    else
        write_resized(out, x, from, to);
}
