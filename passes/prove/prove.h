/* What the parts of the prover share: the text of its questions, and its verdict. Private to
 * passes/prove. */
#ifndef INLAY_PASSES_PROVE_H
#define INLAY_PASSES_PROVE_H

#include "passes/passes.h"
#include "passes/prove/case.h"

/* text.c */
/* The beginning of all questions: the solver's budget, the sort of elements and axioms about them;
 * axioms that hold for all integers only if ALL. */
void prove_begin_text(inlay_strbuf *out, bool all);
/* Asserts T. */
void prove_say(inlay_strbuf *out, const smt *t);
/* Reads the next line of *AT; false: there is none. */
bool prove_next_line(const char **at, char *out, size_t size);

/* law.c: the laws of numbers that one rule has needed so far. */
typedef struct prove_laws {
    inlay_strbuf held, broken; /* the texts of proven and other laws, one per line */
    char why[120];             /* why one is not proven */
    inlay_type_set skipped;    /* types that the rule takes, but that have no encoding */
} prove_laws;

/* Asks whether the elements LEFT and RIGHT are equal for each type that the rule is about, with a
 * variable number for every part that is not an operation on numbers. If so, *INSTANCE becomes what
 * this law says about these parts; else true, which says nothing. False: memory ran out, or the
 * solver cannot be asked. */
bool prove_law(prove_case *c, prove_laws *laws, const smt *left, const smt *right,
               const inlay_solver *solver, const smt **instance, inlay_diags *d);
void prove_free_laws(prove_laws *laws);

/* clauses.c */
enum { PROVE_MANY = 1000 };
/* Disjoint sets of rows (union-find): the representative of row I, and the union of two sets. Row
 * -1 is in no set. */
int prove_root_of(const int *up, int i);
void prove_join(int *up, int i, int k);
bool prove_is_axis_attr(const rule_attr *a);
/* The row of N or, if that is NULL, of FROM. */
const prove_row *prove_row_at(const prove_case *c, const rule_node *from, const prove_node *n);

/* N keeps the row-major number of each element. */
bool prove_keeps_numbers(const prove_case *c, const prove_node *n);
/* N is pointwise, and a node of the rule, not a function's result. */
bool prove_is_pointwise(const prove_node *n);
/* N's result has the rank of operand 0; so says the shape rule, too. */
bool prove_keeps_rank(const prove_node *n);
/* V, indices of a scatter, is known to be a number, or a list of one axis. */
bool prove_is_one_list(const prove_value *v);
/* A value that has the rank of V if no operation fails. */
const prove_value *prove_as_many_axes(const prove_value *v);

/* real_types.c: all numbers of C's rule have one type, which is one of *TYPES or a float. */
bool prove_one_type(const prove_case *c, inlay_type_set *types);

/* axes.c: a number of axes with which C's rule fails if it is wrong at all; 0: not known. */
int prove_axes_needed(const prove_case *c);

/* written.c: the same, if the axes between those that the rule writes as numbers are merged; 0: it
 * names other axes. */
int prove_axes_when_merged(const prove_case *c);

/* orders.c: how many axes must stay because of the orders of C, which relate the axes of values. */
typedef struct prove_orders {
    bool forest;     /* the result and the operand of an order are related by nothing else */
    int steps;       /* that an axis takes through all orders */
    int differ;      /* axes with which both sides differ in the order of their axes */
    int of_matrices; /* axes that are among the last two of a product */
} prove_orders;

void prove_relate_orders(const prove_case *c, prove_orders *out);

/* covered.c: what the cases of a proof leave out. */
typedef struct prove_limits {
    bool axes, ranked; /* values with more axes; values of unknown rank */
    bool mixed;        /* elements of several axes are mixed: no number of axes is enough */
    int needed;        /* otherwise, the number of axes that is enough */
    const char *attr;  /* an attribute that the rule leaves open but the cases do not; or NULL */
    inlay_type_set types;
    unsigned read; /* literals that were taken for an exact number, such as a root */
} prove_limits;

/* Adds to L what C leaves out. */
void prove_note_limits(const prove_case *c, prove_limits *l);
/* What the proof is limited to: "up to 4 axes, known numbers of axes"; "": nothing is left out. */
void prove_limits_text(const prove_limits *l, int max_rank, char *text, size_t size);

/* ranks.c: no error is lost that depends on a rank that the graph does not know. */
bool prove_covers_unknown_ranks(const prove_case *c);

/* written.c: the rule writes the axes of N as numbers, and both sides fail for the same ranks of
 * the value that N's data comes from. */
bool prove_needs_alike(const prove_case *c, const prove_node *n);

/* refute.c: asks for a model of C in which AGAINST is true, and runs the rule on graphs made from
 * it. FOUND says whether the rule is refuted, and is unchanged if there is no model. False: memory
 * ran out, or the solver cannot be asked. */
bool prove_refute(prove_case *c, const smt *against, const inlay_prove_options *o,
                  inlay_check *found, inlay_diags *d);

#endif
