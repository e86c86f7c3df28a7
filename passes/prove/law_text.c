/* Writes a law of numbers in the solver's language. See law.h. */
#include "passes/prove/law.h"

#include <math.h>
#include <string.h>

static void write(law *l, inlay_strbuf *out, const smt *t);

/* Writes the number X, which is no element, as a float of TYPE. To which value an attribute is
 * rounded is left open. */
static void write_number(law *l, inlay_strbuf *out, const prove_symbol *x, inlay_type type)
{
    inlay_strbuf line = {0};

    if (x->kind == PROVE_LITERAL) {
        l->impossible = !meaning_literal(out, type, x->number) || l->impossible;
        return;
    }
    inlay_strbuf_printf(&line, "(declare-const %s.%s ", x->name, inlay_type_info_of(type)->name);
    meaning_sort(&line, type);
    inlay_strbuf_puts(&line, ")\n");
    law_declare_once(l, line.bytes ? line.bytes : "");
    inlay_strbuf_free(&line);
    inlay_strbuf_printf(out, "%s.%s", x->name, inlay_type_info_of(type)->name);
}

/* Argument I of S is an operand, not a number from an attribute. */
static bool is_operand(const prove_symbol *s, int i)
{
    return !s->op || i < s->op->n_in;
}

/* Writes operand I of T, an operation that computes in WIDE; returns its type. */
static inlay_type write_operand(law *l, inlay_strbuf *out, const smt *t, int i, inlay_type wide)
{
    const prove_symbol *s = prove_symbol_of(l->c, t->arg[i]);
    inlay_type type = inlay_type_is_float(wide) ? wide : INLAY_F64;

    if (is_operand(prove_symbol_of(l->c, t), i) || !s) {
        write(l, out, t->arg[i]);
        return law_type_of(l, t->arg[i]);
    }
    write_number(l, out, s, type);
    return type;
}

/* Writes FORM of M for T, which is that operation. */
static void write_form(law *l, inlay_strbuf *out, const smt *t, const meaning *m, const char *form,
                       inlay_type result)
{
    inlay_type wide = meaning_computed(m, law_type_of(l, t->arg[0]));
    meaning_operand operands[SMT_ARGS];
    inlay_strbuf texts[SMT_ARGS] = {{0}};

    for (int i = 0; i < t->n_args; i++) {
        operands[i].type = write_operand(l, &texts[i], t, i, wide);
        operands[i].text = texts[i].bytes ? texts[i].bytes : "";
    }
    meaning_apply(out, m, form, result, operands, t->n_args);
    for (int i = 0; i < t->n_args; i++)
        inlay_strbuf_free(&texts[i]);
}

/* The bounds of a Clamp of integers are rounded inward, to integers of the type. */
static void state_bounds(law *l, const smt *t, inlay_type type)
{
    static const char *const names[] = {"least", "most"};
    inlay_strbuf line = {0};

    for (int i = 0; i < 2; i++) {
        const prove_symbol *s = prove_symbol_of(l->c, t->arg[i + 1]);
        double bound = s && s->kind == PROVE_LITERAL ? i ? floor(s->number) : ceil(s->number) : NAN;

        line.n = 0;
        inlay_strbuf_printf(&line, "(assert (= (%s_%s ", names[i], inlay_type_info_of(type)->name);
        if (!s || !meaning_literal(&line, INLAY_F64, s->number))
            continue;
        inlay_strbuf_puts(&line, ") ");
        if (meaning_literal(&line, type, bound + 0.0)) {
            inlay_strbuf_puts(&line, "))\n");
            law_declare_once(l, line.bytes ? line.bytes : "");
        }
    }
    inlay_strbuf_free(&line);
}

static void write_formula(law *l, inlay_strbuf *out, const smt *t, const meaning *m,
                          number_class cls)
{
    inlay_strbuf lines = {0};

    if (m->declare[cls]) {
        meaning_write(&lines, m->declare[cls], meaning_computed(m, law_type_of(l, t->arg[0])));
        law_declare_once(l, lines.bytes ? lines.bytes : "");
        inlay_strbuf_free(&lines);
    }
    if (cls != NUMBER_FLOAT && strcmp(m->type, "Clamp") == 0)
        state_bounds(l, t, law_type_of(l, t));
    write_form(l, out, t, m, m->formula[cls], law_type_of(l, t));
}

/* T is a conversion that keeps every number, so its operand can be used instead.
 * tests/prove/numbers.smt2 proves that for the solver's conversions. */
static bool widens(law *l, const smt *t)
{
    const prove_symbol *s = prove_symbol_of(l->c, t);

    return s && law_converts(s) && law_holds_all(law_type_of(l, t), law_type_of(l, t->arg[0]));
}

static void write_conversion(law *l, inlay_strbuf *out, const smt *t)
{
    const smt *x = widens(l, t->arg[0]) ? t->arg[0]->arg[0] : t->arg[0];
    inlay_type from = law_type_of(l, x), to = law_type_of(l, t);

    law_declare_conversions(l, to);
    inlay_strbuf_puts(out, "(let ((a ");
    write(l, out, x);
    inlay_strbuf_puts(out, ")) ");
    meaning_convert(out, "a", from, to);
    inlay_strbuf_puts(out, ")");
}

/* Writes T as an uninterpreted function of these types. */
static void write_unknown(law *l, inlay_strbuf *out, const smt *t)
{
    inlay_strbuf name = {0}, line = {0};

    inlay_strbuf_printf(&name, "|%.*s", (int)strlen(t->name) - 2, t->name + 1);
    for (int i = 0; i < t->n_args; i++)
        inlay_strbuf_printf(&name, " %s", inlay_type_info_of(law_type_of(l, t->arg[i]))->name);
    inlay_strbuf_printf(&name, " %s|", inlay_type_info_of(law_type_of(l, t))->name);
    if (name.failed)
        return;
    inlay_strbuf_printf(&line, "(declare-fun %s (", name.bytes);
    for (int i = 0; i < t->n_args; i++)
        meaning_sort(&line, law_type_of(l, t->arg[i]));
    inlay_strbuf_puts(&line, ") ");
    meaning_sort(&line, law_type_of(l, t));
    inlay_strbuf_puts(&line, ")\n");
    law_declare_once(l, line.bytes ? line.bytes : "");
    inlay_strbuf_printf(out, "(%s", name.bytes);
    for (int i = 0; i < t->n_args; i++) {
        inlay_strbuf_puts(out, " ");
        write(l, out, t->arg[i]);
    }
    inlay_strbuf_puts(out, ")");
    inlay_strbuf_free(&name);
    inlay_strbuf_free(&line);
}

/* Operation S has a meaning for these operand types; *CLS is their class. */
static bool is_told(law *l, const smt *t, const prove_symbol *s, number_class *cls)
{
    inlay_type type = law_type_of(l, t->arg[0]);

    return s->meaning && meaning_class(type, cls) && s->meaning->formula[*cls];
}

static void write_symbol(law *l, inlay_strbuf *out, const smt *t, const prove_symbol *s)
{
    number_class cls;

    if (s->kind == PROVE_LITERAL) {
        l->impossible = !meaning_literal(out, law_type_of(l, t), s->number) || l->impossible;
    } else if (s->kind != PROVE_OPERATION) {
        write_number(l, out, s, INLAY_F64);
    } else if (law_write_of_exact(l, out, t) || law_write_exact(l, out, t)) {
        return;
    } else if (law_converts(s)) {
        write_conversion(l, out, t);
    } else if (is_told(l, t, s, &cls)) {
        write_formula(l, out, t, s->meaning, cls);
    } else {
        write_unknown(l, out, t);
    }
}

static void write(law *l, inlay_strbuf *out, const smt *t)
{
    const prove_symbol *s = prove_symbol_of(l->c, t);
    static const char *const heads[] = {
        [SMT_ITE] = "ite", [SMT_AND] = "and", [SMT_OR] = "or", [SMT_NOT] = "not"};

    if (s) {
        write_symbol(l, out, t, s);
    } else if (law_is_integer(t)) {
        l->impossible =
            !meaning_literal(out, law_type_of(l, t), (double)t->arg[0]->n) || l->impossible;
    } else if (law_is_holds(t)) {
        write(l, out, t->arg[0]);
    } else if (t->n_args == 0) {
        smt_print(out, t);
    } else {
        inlay_strbuf_printf(out, "(%s", heads[t->op]);
        for (int i = 0; i < t->n_args; i++) {
            inlay_strbuf_puts(out, " ");
            write(l, out, t->arg[i]);
        }
        inlay_strbuf_puts(out, ")");
    }
}

static bool reads_elements(const smt *t)
{
    bool reads = law_is_holds(t);

    for (int i = 0; i < t->n_args && !reads; i++)
        reads = reads_elements(t->arg[i]);
    return reads;
}

/* Writes the condition under which T fails: when an operation in it does. Both sides of a Select
 * are computed; of an element that is moved from one of two values, only that one. */
static void write_fault(law *l, inlay_strbuf *out, const smt *t)
{
    const prove_symbol *s = prove_symbol_of(l->c, t);
    bool one = t->op == SMT_ITE && !reads_elements(t->arg[0]);
    number_class cls;

    if (one) {
        inlay_strbuf_puts(out, "(ite ");
        write(l, out, t->arg[0]);
    } else {
        inlay_strbuf_puts(out, "(or false");
    }
    if (s && s->kind == PROVE_OPERATION && s->meaning &&
        meaning_class(law_type_of(l, t->arg[0]), &cls) && s->meaning->fault[cls]) {
        inlay_strbuf_puts(out, " ");
        write_form(l, out, t, s->meaning, s->meaning->fault[cls], INLAY_BOOLEAN);
    }
    for (int i = one; i < t->n_args; i++) {
        inlay_strbuf_puts(out, " ");
        write_fault(l, out, t->arg[i]);
    }
    inlay_strbuf_puts(out, ")");
}

/* Some operation in T fails for some operands of its types. */
static bool may_fail(law *l, const smt *t)
{
    const prove_symbol *s = prove_symbol_of(l->c, t);
    number_class cls;
    bool fails = s && s->kind == PROVE_OPERATION && s->meaning &&
                 meaning_class(law_type_of(l, t->arg[0]), &cls) && s->meaning->fault[cls];

    for (int i = 0; i < t->n_args && !fails; i++)
        fails = may_fail(l, t->arg[i]);
    return fails;
}

static void declare_leaves(law *l)
{
    for (int i = 0; i < l->n_leaves; i++) {
        inlay_strbuf_printf(&l->declared, "(declare-const v%d ", i);
        meaning_sort(&l->declared,
                     l->leaves[i].truth ? INLAY_BOOLEAN : law_type_of(l, l->leaves[i].variable));
        inlay_strbuf_puts(&l->declared, ")\n");
        if (!l->leaves[i].truth && meaning_is_narrow(law_type_of(l, l->leaves[i].variable)))
            inlay_strbuf_printf(&l->declared, "(assert (= v%d (near_%s v%d)))\n", i,
                                inlay_type_info_of(law_type_of(l, l->leaves[i].variable))->name, i);
    }
}

/* Declares the functions that round to the chosen types. */
static void declare_nearest(law *l)
{
    inlay_type_set done = 0;

    for (int i = 0; i < l->n_roots; i++) {
        inlay_type type = l->slots[l->roots[i]].type;

        if (meaning_is_narrow(type) && !(done >> type & 1))
            meaning_declare_nearest(&l->declared, type);
        done |= (inlay_type_set)1 << type;
    }
}

/* Writes a blank and (HEAD A B) for two numbers in the form of TYPE. */
static void write_pair(law *l, inlay_strbuf *out, const char *head, const smt *const *pair,
                       inlay_type type)
{
    inlay_strbuf_printf(out, " (%s", head);
    for (int i = 0; i < 2; i++) {
        inlay_strbuf_puts(out, " ");
        write_number(l, out, prove_symbol_of(l->c, pair[i]), type);
    }
    inlay_strbuf_puts(out, ")");
}

/* One number is less than the other: this holds for the doubles, and after rounding to f32 at least
 * "not greater" does. */
static void write_less(law *l, inlay_strbuf *out, const smt *t)
{
    static const inlay_type types[] = {INLAY_F64, INLAY_F32};

    for (int i = 0; i < 2; i++) {
        inlay_strbuf_puts(out, "(assert");
        write_pair(l, out, types[i] == INLAY_F64 ? "fp.lt" : "fp.leq", t->arg, types[i]);
        inlay_strbuf_puts(out, ")\n");
    }
}

/* If the double A is not greater than the double B, neither is A rounded to f32 greater than B so
 * rounded. */
static void write_in_order(law *l, inlay_strbuf *out, const smt *a, const smt *b)
{
    const smt *const pair[] = {a, b};

    inlay_strbuf_puts(out, "(assert (=>");
    write_pair(l, out, "fp.leq", pair, INLAY_F64);
    write_pair(l, out, "fp.leq", pair, INLAY_F32);
    inlay_strbuf_puts(out, "))\n");
}

/* Two different numbers are not rounded to zeros of different signs. */
static void write_no_two_zeros(law *l, inlay_strbuf *out, const smt *const *pair)
{
    inlay_strbuf_puts(out, "(assert (or");
    write_pair(l, out, "fp.eq", pair, INLAY_F64);
    write_pair(l, out, "=", pair, INLAY_F32);
    inlay_strbuf_puts(out, " (not");
    write_pair(l, out, "fp.eq", pair, INLAY_F32);
    inlay_strbuf_puts(out, ")))\n");
}

/* The first number of T is one of the other two: which one the doubles decide, and rounded to f32
 * it is that same one. */
static void write_one_of(law *l, inlay_strbuf *out, const smt *t, bool larger)
{
    static const inlay_type types[] = {INLAY_F64, INLAY_F32};
    const smt *const first[] = {t->arg[0], t->arg[1]}, *const second[] = {t->arg[0], t->arg[2]};

    for (int i = 0; i < 2; i++) {
        inlay_strbuf_puts(out, "(assert (ite");
        write_pair(l, out, larger ? "fp.lt" : "fp.gt", &t->arg[1], INLAY_F64);
        write_pair(l, out, "=", second, types[i]);
        write_pair(l, out, "=", first, types[i]);
        inlay_strbuf_puts(out, "))\n");
    }
    write_in_order(l, out, t->arg[1], t->arg[2]);
    write_in_order(l, out, t->arg[2], t->arg[1]);
    write_no_two_zeros(l, out, &t->arg[1]);
}

static void write_assumed(law *l, inlay_strbuf *out, const smt *t)
{
    const prove_symbol *s = prove_symbol_of(l->c, t);

    if (t->op == SMT_AND) {
        write_assumed(l, out, t->arg[0]);
        write_assumed(l, out, t->arg[1]);
    } else if (s && s->kind == PROVE_LESS) {
        write_less(l, out, t);
    } else if (s) {
        write_one_of(l, out, t, s->kind == PROVE_LARGER);
    }
}

/* Elements that a condition says are 0 or -0, or are not. */
static void write_zeros(law *l, inlay_strbuf *out)
{
    for (int i = 0; i < l->c->facts.n_types; i++) {
        const prove_type_fact *fact = &l->c->facts.types[i];
        const smt *v = fact->zero || fact->not_zero ? law_variable_of(l, fact->value) : NULL;

        if (!v || law_type_of(l, v) == INLAY_BOOLEAN)
            continue;
        inlay_strbuf_printf(out, "(assert (= %s ", fact->zero ? "true" : "false");
        if (inlay_type_is_float(law_type_of(l, v)))
            inlay_strbuf_printf(out, "(fp.isZero %s)))\n", v->name);
        else
            inlay_strbuf_printf(out, "(= %s (_ bv0 %d))))\n", v->name,
                                inlay_type_info_of(law_type_of(l, v))->bits);
    }
}

/* Numbers that the rule takes from elements, as operations see them: rounded from the element. */
static void write_only_numbers(law *l, inlay_strbuf *out)
{
    static const inlay_type types[] = {INLAY_F64, INLAY_F32};

    for (int i = 0; i < 2 * l->c->facts.n_types; i++) {
        const prove_type_fact *fact = &l->c->facts.types[i / 2];
        const smt *v = fact->number ? law_variable_of(l, fact->value) : NULL;

        if (!v)
            continue;
        inlay_strbuf_puts(out, "(assert (= ");
        write_number(l, out, prove_symbol_of(l->c, fact->number), types[i % 2]);
        inlay_strbuf_puts(out, " ");
        meaning_convert(out, v->name, law_type_of(l, v), types[i % 2]);
        inlay_strbuf_puts(out, "))\n");
    }
}

/* Writes a side of the law as one of the numbers of its type. */
static void write_side(law *l, inlay_strbuf *out, const smt *t)
{
    inlay_type type = law_type_of(l, t);

    if (meaning_is_narrow(type))
        inlay_strbuf_printf(out, "(near_%s ", inlay_type_info_of(type)->name);
    write(l, out, t);
    if (meaning_is_narrow(type))
        inlay_strbuf_puts(out, ")");
}

/* Writes the negation of the law: both sides fail for the same numbers, and are equal where they do
 * not fail. */
static void write_law(law *l, const char *left, const char *right)
{
    inlay_strbuf *out = &l->body;

    inlay_strbuf_puts(out, "(declare-const bad Bool)\n(assert (= bad ");
    write_fault(l, out, l->left);
    inlay_strbuf_puts(out, "))\n(assert (not (and (= bad ");
    write_fault(l, out, l->right);
    inlay_strbuf_printf(out, ") (or bad (= %s %s)))))\n(check-sat)\n", left, right);
}

void law_write_question(law *l)
{
    inlay_strbuf left = {0}, right = {0};

    l->impossible = false;
    l->write = write;
    declare_nearest(l);
    declare_leaves(l);
    write_assumed(l, &l->body, l->c->facts.numbers_assumed);
    write_zeros(l, &l->body);
    write_only_numbers(l, &l->body);
    write_side(l, &left, l->left);
    write_side(l, &right, l->right);
    l->body.failed = l->body.failed || left.failed || right.failed || !left.bytes || !right.bytes;
    l->plain = !l->body.failed && strcmp(left.bytes, right.bytes) == 0 && !may_fail(l, l->left) &&
               !may_fail(l, l->right);
    if (!l->body.failed)
        write_law(l, left.bytes, right.bytes);
    inlay_strbuf_free(&left);
    inlay_strbuf_free(&right);
}
