/* What the parts of the prover share: the text of its questions, and what they lead to. Private to
 * passes/prove. */
#ifndef INLAY_PASSES_PROVE_H
#define INLAY_PASSES_PROVE_H

#include "passes/passes.h"
#include "passes/prove/case.h"

/* text.c */
/* What all questions begin with: the solver's budget, the sort of elements and what is known of
 * them; what is said of all integers only if ALL. */
void prove_begin_text(inlay_strbuf *out, bool all);
/* Asserts T. */
void prove_say(inlay_strbuf *out, const smt *t);
/* The next line of *AT; false: there is none. */
bool prove_next_line(const char **at, char *out, size_t size);

/* law.c: laws of numbers that were asked about, of one rule. */
typedef struct prove_laws {
    inlay_strbuf held, broken; /* their texts, a line each */
    char why[120];             /* of one that is not proven */
    inlay_type_set skipped;    /* types that the rule takes, but nothing is encoded of */
} prove_laws;

/* Whether LEFT and RIGHT, two elements of C, are the same whatever the parts of them are that are
 * no operations on numbers is asked of numbers alone, of each type that the rule is about. Where
 * it is so *INSTANCE becomes what follows for these parts, and else nothing: true. False: memory
 * ran out, or the solver cannot be asked. */
bool prove_law(prove_case *c, prove_laws *laws, const smt *left, const smt *right,
               const inlay_solver *solver, const smt **instance, inlay_diags *d);
void prove_free_laws(prove_laws *laws);

/* clauses.c */
enum { PROVE_MANY = 1000 };
/* The root of I among rows that are joined; nothing is joined to row -1. */
int prove_root_of(const int *up, int i);
void prove_join(int *up, int i, int k);
bool prove_is_axis_attr(const rule_attr *a);
/* The row of N, or, where it is NULL, of FROM. */
const prove_row *prove_row_at(const prove_case *c, const rule_node *from, const prove_node *n);

/* N keeps the numbers of elements in row-major order. */
bool prove_keeps_numbers(const prove_case *c, const prove_node *n);
/* N is element by element. What a function of values makes stands for no node of the rule. */
bool prove_is_pointwise(const prove_node *n);
/* What N makes has as many axes as its operand 0; the shape rule of N says so, too. */
bool prove_keeps_rank(const prove_node *n);
/* Where nothing is an error V has as many axes as this. */
const prove_value *prove_as_many_axes(const prove_value *v);

/* real_types.c: all numbers of C's rule are of one type, as one of *TYPES, or floats. */
bool prove_one_type(const prove_case *c, inlay_type_set *types);

/* axes.c: so many axes as show that C's rule is wrong, if it is; 0: that is not known. */
int prove_axes_needed(const prove_case *c);

/* written.c: so many where axes are made one between those that the rule writes; 0: there are others
 * that it names. */
int prove_axes_when_merged(const prove_case *c);

/* orders.c: what the orders of C, and what its values and nodes have of their axes, say of how many
 * axes must stay. */
typedef struct prove_orders {
    bool forest;     /* no other way than an order leads from what it makes to what it is of */
    int steps;       /* that an axis goes, all orders together */
    int differ;      /* axes that show that both sides differ in their axes */
    int of_matrices; /* that are last ones of a row */
} prove_orders;

void prove_relate_orders(const prove_case *c, prove_orders *out);

/* covered.c: what the cases of a proof leave out. */
typedef struct prove_limits {
    bool axes, ranked;
    bool mixed;       /* axes are not told apart: no number of axes is enough */
    int needed;       /* else so many axes are */
    const char *attr; /* one that is left open, and has its default in all cases; or NULL */
    inlay_type_set types;
    unsigned read; /* literals that were read as real numbers other than are written */
} prove_limits;

/* Adds to L what C leaves out. */
void prove_note_limits(const prove_case *c, prove_limits *l);
/* What is left: "up to 4 axes, known numbers of axes"; "" where nothing is left out. */
void prove_limits_text(const prove_limits *l, int max_rank, char *text, size_t size);

/* ranks.c: no error is lost that is one because of how many axes a value has of which the graph
 * does not know it. */
bool prove_covers_unknown_ranks(const prove_case *c);

/* written.c: the axes that N names are written in the rule, and both sides need as many of the value
 * that its data is made of. */
bool prove_needs_alike(const prove_case *c, const prove_node *n);

/* refute.c: asks for a model of C in which AGAINST holds, and runs the rule on graphs like it.
 * FOUND says whether it is refuted; it stays as it is where there is no model. False: memory ran
 * out, or the solver cannot be asked. */
bool prove_refute(prove_case *c, const smt *against, const inlay_prove_options *o,
                  inlay_check *found, inlay_diags *d);

#endif
