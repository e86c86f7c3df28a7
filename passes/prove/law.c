/* Laws of numbers: two elements are equal whatever the values of the input elements. An element of
 * a result is a term: operations on numbers, with leaves that are elements of the rule's inputs.
 * Each leaf becomes a variable, the same one on both sides. What is left is a question about
 * numbers of one type, without sizes and positions:
 *
 *     |Multiply|(element!3(ite(size!1 = 1, 0, at!9)), |1|)  =  element!3(at!9)
 *     of f16: (= (fp.mul RNE v0 1.0) v0), and the same of all types that Multiply takes
 *
 * If the law holds, the question about the case may use it for the case's own leaves. */
#include "passes/prove/law.h"
#include "passes/prove/prove.h"

#include <stdio.h>
#include <string.h>

/* There is a choice of its type; an attribute that is a number has none. */
static bool varies(const slot *s)
{
    return (s->types & (s->types - 1)) != 0;
}

static bool is_small(const law *l)
{
    for (int i = 0; i < l->n_roots; i++) {
        const slot *s = &l->slots[l->roots[i]];

        if (varies(s) && inlay_type_info_of(s->type)->bits > SMALL)
            return false;
    }
    return true;
}

/* A line that names the types of a question; never an empty line, which would end the answer. */
static void write_types(const law *l, inlay_strbuf *out)
{
    const char *before = " of ";

    inlay_strbuf_puts(out, "(echo \"numbers");
    for (int i = 0; i < l->n_roots; i++) {
        const slot *s = &l->slots[l->roots[i]];

        if (varies(s)) {
            inlay_strbuf_printf(out, "%s%s", before, inlay_type_info_of(s->type)->name);
            before = " ";
        }
    }
    inlay_strbuf_puts(out, "\")\n");
}

static void ask_of_types(law *l)
{
    law_questions *out = is_small(l) ? &l->small : &l->large;
    int budget = is_small(l) && l->n_leaves == 1 ? BUDGET_OF_FEW : BUDGET_OF_LAW;

    if (!law_types_fit(l) || l->too_large)
        return;
    l->declared = l->body = (inlay_strbuf){0};
    law_write_question(l);
    l->n_typings += !l->impossible;
    if (!l->impossible && !l->plain && l->n_typings <= TYPINGS) {
        out->n++;
        inlay_strbuf_printf(&out->text, "(reset)\n(set-option :rlimit %d)\n", budget);
        write_types(l, &out->text);
        inlay_strbuf_printf(&out->text, "%s%s", l->declared.bytes, l->body.bytes);
    }
    l->too_large = l->too_large || l->declared.failed || l->body.failed;
    inlay_strbuf_free(&l->declared);
    inlay_strbuf_free(&l->body);
}

static void choose_types(law *l, int i)
{
    slot *s = i < l->n_roots ? &l->slots[l->roots[i]] : NULL;

    if (!s) {
        ask_of_types(l);
        return;
    }
    for (int type = 0; type < 32 && l->n_typings <= TYPINGS; type++) {
        if (!(s->types & ((inlay_type_set)1 << type)))
            continue;
        s->type = (inlay_type)type;
        choose_types(l, i + 1);
    }
}

static void find_types(law *l)
{
    law_join(l, law_slot_of(l, l->left), law_slot_of(l, l->right));
    for (int i = 0; i < l->n_leaves; i++) {
        if (!l->leaves[i].truth)
            law_slot_of(l, l->leaves[i].variable);
    }
    law_state_types(l);
    for (int i = 0; i < l->n_slots; i++) {
        if (l->slots[i].up == i)
            l->roots[l->n_roots++] = i;
    }
}

/* ---- answers ---- */

/* A question without an answer counts as one for which nothing was found. */
static bool ask(const law_questions *asked, const inlay_solver *solver, prove_laws *laws,
                bool *holds, inlay_diags *d)
{
    inlay_strbuf answer = {0};
    char types[100] = "numbers", line[100];
    const char *at;
    bool ok =
        asked->n == 0 || solver->ask(solver->ctx, asked->text.bytes, asked->text.n, &answer, d);

    at = answer.bytes ? answer.bytes : "";
    for (int i = 0; i < asked->n && ok && *holds; i++) {
        if (!prove_next_line(&at, types, sizeof types) || !prove_next_line(&at, line, sizeof line))
            snprintf(line, sizeof line, "nothing");
        *holds = strcmp(line, "unsat") == 0;
        if (!*holds)
            snprintf(laws->why, sizeof laws->why, ", and %.20s of %.70s", line, types);
    }
    inlay_strbuf_free(&answer);
    return ok;
}

/* The law was asked about before; *HOLDS is the answer. */
static bool is_known(const prove_laws *laws, const char *text, bool *holds)
{
    *holds = laws->held.bytes && strstr(laws->held.bytes, text);
    return *holds || (laws->broken.bytes && strstr(laws->broken.bytes, text));
}

/* If elements are only moved, one type represents all; otherwise those types remain whose numbers
 * have an encoding. */
static void leave_encoded(law *l, prove_laws *laws)
{
    for (int i = 0; i < l->n_roots; i++) {
        slot *s = &l->slots[l->roots[i]];

        if (!s->used && (s->types >> INLAY_I64 & 1))
            s->types = (inlay_type_set)1 << INLAY_I64;
        if (l->c->meanings.numbers == PROVE_NO_FLOATS)
            s->types &= ~number_class_types(NUMBER_FLOAT);
        laws->skipped |= s->types & ~meaning_all_types();
        s->types &= meaning_all_types();
    }
}

static bool ask_all(law *l, prove_laws *laws, const char *text, const inlay_solver *solver,
                    bool *holds, inlay_diags *d)
{
    bool ok;

    find_types(l);
    leave_encoded(l, laws);
    choose_types(l, 0);
    *holds = !l->too_large && l->n_typings > 0 && l->n_typings <= TYPINGS;
    ok = !l->small.text.failed && !l->large.text.failed;
    if (!ok)
        return inlay_fail_memory(d);
    ok = !*holds || (ask(&l->small, solver, laws, holds, d) &&
                     (!*holds || ask(&l->large, solver, laws, holds, d)));
    inlay_strbuf_puts(*holds ? &laws->held : &laws->broken, text);
    return ok;
}

/* Writes one line that describes the law. */
static void write_law(inlay_strbuf *out, const law *l)
{
    smt_print(out, l->left);
    inlay_strbuf_puts(out, " = ");
    smt_print(out, l->right);
    inlay_strbuf_puts(out, "\n");
}

bool prove_law(prove_case *c, prove_laws *laws, const smt *left, const smt *right,
               const inlay_solver *solver, const smt **instance, inlay_diags *d)
{
    law *l = prove_alloc(c, sizeof *l);
    const smt *same, *product = law_with_products(c, left);
    inlay_strbuf text = {0};
    bool ok = true, holds = false;

    if (c->pool.no_memory)
        return inlay_fail_memory(d);
    *l = (law){.c = c, .merged = smt_bool(true)};
    l->left = law_abstracted(l, product, false, false, &same);
    l->right = law_abstracted(l, right, false, true, &l->follows);
    write_law(&text, l);
    if (text.failed || c->pool.no_memory) {
        ok = inlay_fail_memory(d);
    } else if (!l->too_large && (product != left || !smt_same(l->left, l->right))) {
        holds = smt_same(l->left, l->right);
        if (!holds && !is_known(laws, text.bytes, &holds))
            ok = ask_all(l, laws, text.bytes, solver, &holds, d);
        if (ok && holds)
            *instance = smt_implies(&c->pool, l->merged, smt_eq(&c->pool, left, l->follows));
    }
    inlay_strbuf_free(&l->small.text);
    inlay_strbuf_free(&l->large.text);
    inlay_strbuf_free(&text);
    return ok;
}

void prove_free_laws(prove_laws *laws)
{
    inlay_strbuf_free(&laws->held);
    inlay_strbuf_free(&laws->broken);
}
