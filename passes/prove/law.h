/* A law of numbers: two sides, terms of variables, that must be equal. Private to law*.c. */
#ifndef INLAY_PASSES_PROVE_LAW_H
#define INLAY_PASSES_PROVE_LAW_H

#include "passes/prove/meaning.h"
#include "passes/prove/rows.h"

enum {
    LEAVES = 24,
    TERMS = 96,
    SLOTS = 2 * TERMS,
    TYPINGS = 4000,
    SMALL = 16, /* types of up to so many bits are asked about first, to find wrong laws fast */
    BUDGET_OF_LAW = 8000000,
    BUDGET_OF_FEW = 400000000 /* for a law of one number of few bits, which is always decided */
};

/* A part of the law that is not an operation on numbers, and the variable that replaces it. */
typedef struct leaf {
    const smt *actual, *variable;
    bool truth; /* a condition on places, not an element */
} leaf;

/* A set of terms of the same element type. UP: the slot that it was merged into, or itself. */
typedef struct slot {
    int up;
    inlay_type_set types;
    bool used; /* by an operation, a number or a condition: otherwise its type does not matter */
    inlay_type type;
} slot;

/* Questions about numbers of several types. The solver answers each with two lines: the types, and
 * its verdict. */
typedef struct law_questions {
    inlay_strbuf text;
    int n;
} law_questions;

typedef struct law law;

struct law {
    prove_case *c;
    void (*write)(law *l, inlay_strbuf *out, const smt *t); /* as SMT-LIB */
    leaf leaves[LEAVES];
    int n_leaves;
    const smt *left, *right, *follows; /* FOLLOWS: RIGHT with the leaves that LEFT has */
    const smt *merged;                 /* the condition that leaves with one variable are equal */
    struct {
        const smt *term;
        int slot;
    } typed[TERMS];
    int n_typed;
    slot slots[SLOTS];
    int n_slots;
    int attr_slot[RULE_NAMES]; /* 1 + the slot of the type in an attribute; 0: none */
    int roots[SLOTS], n_roots;
    bool too_large;
    law_questions small, large; /* about small types, and about others */
    int n_typings;
    /* Of one question. */
    inlay_strbuf declared, body;
    bool impossible, plain; /* PLAIN: the texts of both sides are equal */
};

/* law_parts.c */
/* T with variables instead of leaves; *ACTUAL: T with the leaves of the left side. */
const smt *law_abstracted(law *l, const smt *t, bool truth, bool right, const smt **actual);
/* T with products instead of quotients by a number whose reciprocal the rule has. */
const smt *law_with_products(prove_case *c, const smt *t);
/* The slot of the element T. */
int law_slot_of(law *l, const smt *t);
/* Merges two slots. */
void law_join(law *l, int a, int b);
/* Applies what conditions say about types to the slots. */
void law_state_types(law *l);
/* The chosen types fulfil the conditions about several types. */
bool law_types_fit(law *l);
bool law_is_holds(const smt *t);
/* T is an integer that a rule writes, as an element. */
bool law_is_integer(const smt *t);
/* The variable that stands for an element of V, or NULL. */
const smt *law_variable_of(const law *l, const prove_value *v);
/* The element type of T, now that types are chosen. */
inlay_type law_type_of(law *l, const smt *t);
/* WIDE can represent every number of NARROW: of integers, or of the floats that the condition
 * takes. / */
bool law_holds_all(inlay_type wide, inlay_type narrow);

/* law_exact.c: T, a float, is computed from integers and is an integer that its type can represent;
 * appends it as an integer of 64 bits. The second appends T, a boolean or an integer, that is
 * computed from such floats. */
bool law_write_exact(law *l, inlay_strbuf *out, const smt *t);
bool law_write_of_exact(law *l, inlay_strbuf *out, const smt *t);

bool law_converts(const prove_symbol *s);
void law_declare_once(law *l, const char *text);
/* Declares the functions that convert to TO. */
void law_declare_conversions(law *l, inlay_type to);

/* law_text.c: writes the negation of the law for the chosen types into L's declarations and body. L
 * becomes impossible if a number of the rule does not exist in its type. */
void law_write_question(law *l);

#endif
