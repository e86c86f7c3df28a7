/* What the parts of this folder share (README.md). */
#ifndef INLAY_PASSES_SYMBOLIC_TERM_H
#define INLAY_PASSES_SYMBOLIC_TERM_H

#include "passes/passes.h"

/* term.c: terms, numbered from 1. Number 0 is that of a zero of any type, which an operation may
 * write without an operand for it (Pad). */

enum { TERM_ZERO = 0 };

/* What a term is made of. Two terms are one if all of it is equal. */
typedef enum term_kind {
    TERM_INPUT,    /* Parameter, element */
    TERM_CONSTANT, /* type, bits */
    TERM_APPLY,    /* of a pointwise operation: what it is, a term for each operand */
    TERM_CALL,     /* of any other: what it is, all operands with their shapes */
    TERM_ELEMENT   /* a TERM_CALL, an output, an element of it */
} term_kind;

typedef struct terms {
    struct term *all; /* by number */
    int64_t *parts;   /* of all of them, one after the other */
    size_t n, cap, n_parts, cap_parts;
    uint64_t limit; /* of terms and parts together */
    int64_t *slots; /* a hash table with open addressing of numbers; 0: free */
    size_t n_slots;
    const inlay_node **kinds; /* the first node of each operation with its attributes and types */
    size_t n_kinds, cap_kinds;
    bool full;   /* the limit was reached */
    bool lacked; /* memory ran out */
} terms;

/* False: memory ran out. */
bool terms_begin(terms *t, uint64_t limit, inlay_diags *d);
void terms_free(terms *t);
/* Returns the number of the term of KIND with these N parts; -1: there are too many, or memory ran
 * out. */
int64_t term_of(terms *t, term_kind kind, const int64_t *parts, size_t n);
/* *PARTS: those of term NUMBER, if it is of KIND. Returns how many; 0: it is of another kind. */
size_t term_parts(const terms *t, int64_t number, term_kind kind, const int64_t **parts);
/* What N does to its operands, as a number: equal for nodes of one row, attributes and types. -1:
 * memory ran out. */
int64_t term_operation(terms *t, const inlay_node *n);
/* Writes term NUMBER as "Add(x[3], 2)", a few levels deep. A: the graph whose inputs it names. */
void term_text(const terms *t, const inlay_graph *a, int64_t number, inlay_strbuf *out);

/* element.c: what is known of a value */

typedef struct symbol {
    inlay_tensor *value; /* its elements, when they depend on no input; or NULL */
    inlay_tensor *terms; /* the numbers of terms, i64; NULL until they are asked for */
} symbol;

typedef struct symbolic_run {
    terms *terms;
    const inlay_evaluator *evaluator;
    symbol **of; /* by id of a node: a symbol for each output, or NULL */
    size_t n_of;
    char *why; /* room for SIZE bytes: what cannot be decided */
    size_t size;
    inlay_diags *d;
    inlay_diags *refused; /* why something cannot be made or run, where that is an answer */
} symbolic_run;

/* Says what cannot be decided, of node N. Always false. */
bool symbolic_unknown(symbolic_run *r, const inlay_node *n, const char *what);
/* No term could be had: there are too many elements for N, or memory ran out. Always false. */
bool symbolic_lacks_terms(symbolic_run *r, const inlay_node *n);
/* Forgets what REFUSED says. False: that memory ran out, which is no answer. */
bool symbolic_refused(inlay_diags *refused, inlay_diags *d);
/* Finds the symbols of N's outputs from those of its operands. False: it cannot be decided, or
 * memory ran out, which the diagnostics then say. */
bool symbolic_node(symbolic_run *r, const inlay_node *n);
/* The terms of V, borrowed; NULL as above. */
const inlay_tensor *symbolic_terms(symbolic_run *r, const inlay_value *v);
/* Room for the terms of a value of N; NULL: there are too many elements, or memory ran out. */
inlay_tensor *symbolic_new_terms(symbolic_run *r, const inlay_node *n, int rank,
                                 const int64_t *dims);
/* The symbols of N, which are none yet; NULL: memory ran out. */
symbol *symbolic_new(symbolic_run *r, const inlay_node *n);

#endif
