/* What the parts of this folder share (README.md). */
#ifndef INLAY_PASSES_SYMBOLIC_TERM_H
#define INLAY_PASSES_SYMBOLIC_TERM_H

#include "passes/passes.h"

/* term.c: terms, numbered from 1. Number 0 is a zero of any type, which some operations (Pad) write
 * without having an operand for it. */

enum { TERM_ZERO = 0 };

/* The parts of a term by kind. Terms with equal kinds and parts are one term. */
typedef enum term_kind {
    TERM_INPUT,    /* Parameter, element */
    TERM_CONSTANT, /* type, bits */
    TERM_APPLY,    /* a pointwise operation: its number, a term for each operand */
    TERM_CALL,     /* any other operation: its number, all operands with their shapes */
    TERM_ELEMENT   /* a TERM_CALL, an output, an element of it */
} term_kind;

/* The operations of the signed form of sums and products of floats (signed.c): the first part of a
 * TERM_APPLY is one of these, less SIGNED_FORMS times the type. */
enum { SIGNED_SUM = -1, SIGNED_PRODUCT = -2, SIGNED_NEGATION = -3, SIGNED_FORMS = 3 };

typedef struct terms {
    struct term *all; /* by number */
    int64_t *parts;   /* of all terms, consecutively */
    size_t n, cap, n_parts, cap_parts;
    uint64_t limit; /* on terms and parts together */
    int64_t *slots; /* a hash table with open addressing of term numbers; 0: free */
    size_t n_slots;
    const inlay_node **kinds; /* the first node of each operation with its attributes and types */
    size_t n_kinds, cap_kinds;
    inlay_budget *budget; /* where they count; or NULL */
    bool full;            /* the limit was reached */
    bool lacked;          /* memory ran out */
} terms;

/* False: out of memory. */
bool terms_begin(terms *t, inlay_budget *budget, uint64_t limit, inlay_diags *d);
void terms_free(terms *t);
/* Returns the number of the term of KIND with these N parts; -1: too many terms, or out of memory.
 */
int64_t term_of(terms *t, term_kind kind, const int64_t *parts, size_t n);
/* Sets *PARTS to the parts of term NUMBER, if it is of KIND. Returns their number; 0: it is of
 * another kind. */
size_t term_parts(const terms *t, int64_t number, term_kind kind, const int64_t **parts);
/* Returns the number of N's operation: equal for nodes of one row, attributes and types. -1: out of
 * memory. */
int64_t term_operation(terms *t, const inlay_node *n);
/* Writes term NUMBER as "Add(x[3], 2)", a few levels deep. A: the graph whose inputs are named. */
void term_text(const terms *t, const inlay_graph *a, int64_t number, inlay_strbuf *out);

/* signed.c */

/* Has N, which computes each element of its output by itself, a signed form? */
bool signed_has_form(const inlay_node *n);
/* Returns the term of N for its operands PARTS; -1: too many terms, or out of memory. */
int64_t signed_term(terms *t, const inlay_node *n, const int64_t *parts);

/* element.c: what is known of a value */

typedef struct symbol {
    inlay_tensor *value; /* its elements, if they depend on no input; or NULL */
    inlay_tensor *terms; /* the numbers of terms, i64; NULL until they are needed */
} symbol;

typedef struct symbolic_run {
    terms *terms;
    const inlay_evaluator *evaluator;
    symbol **of; /* by id of a node: a symbol for each output, or NULL */
    size_t n_of;
    char *why; /* SIZE bytes for what cannot be decided */
    size_t size;
    inlay_diags *d;
    inlay_diags *refused; /* why a node cannot be made or run, where that decides the question */
} symbolic_run;

/* Writes that N's WHAT cannot be decided. Always false. */
bool symbolic_unknown(symbolic_run *r, const inlay_node *n, const char *what);
/* Reports why N has no terms: too many elements, or memory ran out. Always false. */
bool symbolic_lacks_terms(symbolic_run *r, const inlay_node *n);
/* Clears the errors in REFUSED. False: memory ran out, which decides nothing. */
bool symbolic_refused(inlay_diags *refused, inlay_diags *d);
/* Finds the symbols of N's outputs from those of its operands. False: undecidable, or out of
 * memory, which the diagnostics then say. */
bool symbolic_node(symbolic_run *r, const inlay_node *n);
/* Returns the terms of V, borrowed; NULL as above. */
const inlay_tensor *symbolic_terms(symbolic_run *r, const inlay_value *v);
/* Allocates the terms of a value of N; NULL: too many elements, or out of memory. */
inlay_tensor *symbolic_new_terms(symbolic_run *r, const inlay_node *n, int rank,
                                 const int64_t *dims);
/* Allocates the symbols of N, still empty; NULL: out of memory. */
symbol *symbolic_new(symbolic_run *r, const inlay_node *n);

#endif
