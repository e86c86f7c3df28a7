/* A law of numbers. Private to law.c, law_parts.c and law_text.c. */
#ifndef INLAY_PASSES_PROVE_LAW_H
#define INLAY_PASSES_PROVE_LAW_H

#include "passes/prove/meaning.h"
#include "passes/prove/rows.h"

enum {
    LEAVES = 24,
    TERMS = 96,
    SLOTS = 2 * TERMS,
    TYPINGS = 4000,
    SMALL = 16, /* bits of the types that are asked about first: a wrong law shows there */
    BUDGET_OF_LAW = 8000000,
    BUDGET_OF_FEW = 400000000 /* of one number of few bits, which is decided */
};

typedef struct leaf {
    const smt *actual, *variable;
    bool truth; /* a condition on places, not an element */
} leaf;

/* Terms of one element type; UP: the slot that it became one with, or itself. */
typedef struct slot {
    int up;
    inlay_type_set types;
    bool used; /* by an operation, a number or a condition: else its type is of no matter */
    inlay_type type;
} slot;

/* Questions of numbers of several types. The solver answers each with a line of types and one that
 * says what it found. */
typedef struct law_questions {
    inlay_strbuf text;
    int n;
} law_questions;

typedef struct law law;

struct law {
    prove_case *c;
    void (*write)(law *l, inlay_strbuf *out, const smt *t); /* in the words of the solver */
    leaf leaves[LEAVES];
    int n_leaves;
    const smt *left, *right, *follows; /* FOLLOWS: RIGHT with the leaves that LEFT has */
    const smt *merged;                 /* leaves that have become one variable are the same */
    struct {
        const smt *term;
        int slot;
    } typed[TERMS];
    int n_typed;
    slot slots[SLOTS];
    int n_slots;
    int attr_slot[RULE_NAMES]; /* of the type that an attribute is, and one more; 0: none */
    int roots[SLOTS], n_roots;
    bool too_large;
    law_questions small, large; /* about small types, and about others */
    int n_typings;
    /* Of one question. */
    inlay_strbuf declared, body;
    bool impossible, plain; /* PLAIN: both sides are told in the same words */
};

/* law_parts.c */
/* T with variables for leaves, and in ACTUAL with those that the left side has. */
const smt *law_abstracted(law *l, const smt *t, bool truth, bool right, const smt **actual);
/* T with products in the place of quotients by a number whose reciprocal the rule has. */
const smt *law_with_products(prove_case *c, const smt *t);
/* The slot of the element T; two slots become one; what conditions say of types is stated of slots.
 */
int law_slot_of(law *l, const smt *t);
void law_join(law *l, int a, int b);
void law_state_types(law *l);
/* What conditions say of several types is so of those that are chosen. */
bool law_types_fit(law *l);
bool law_is_holds(const smt *t);
/* An integer that a rule writes, as an element. */
bool law_is_integer(const smt *t);
/* The variable that stands for an element of V, or NULL. */
const smt *law_variable_of(const law *l, const prove_value *v);
/* The element type of T, now that types are chosen. */
inlay_type law_type_of(law *l, const smt *t);
/* WIDE holds every number of NARROW: integers, or those floats that the condition takes. */
bool law_holds_all(inlay_type wide, inlay_type narrow);

/* law_exact.c: T, a float, is made of integers and is one that its type holds as it is: OUT gets
 * that integer, of 64 bits. Or what T makes, a boolean or an integer, is told by such ones. */
bool law_write_exact(law *l, inlay_strbuf *out, const smt *t);
bool law_write_of_exact(law *l, inlay_strbuf *out, const smt *t);

bool law_converts(const prove_symbol *s);
void law_declare_once(law *l, const char *text);
/* Declares the functions that convert to TO. */
void law_declare_conversions(law *l, inlay_type to);

/* law_text.c: writes into L's declarations and body the opposite of the law, of numbers of the
 * types that are chosen. L becomes impossible where a number is none of its type. */
void law_write_question(law *l);

#endif
