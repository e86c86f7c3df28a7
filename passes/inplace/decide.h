/* What the files of the pass in-place-windows share. Private to this room. */
#ifndef INLAY_PASSES_INPLACE_DECIDE_H
#define INLAY_PASSES_INPLACE_DECIDE_H

#include "passes/inplace/layout.h"
#include "passes/inplace/storage.h"
#include "passes/pass.h"
#include "passes/query/scatter.h"

/* VALUE is operand number INPUT of HOLDER, which holds it, or that is a reshape of VALUE: is it
 * computed in its part of the result? */
typedef struct inplace_held {
    inlay_node *holder;
    int input;
    inlay_value *value;
    inlay_decision d;
} inplace_held;

/* In which order candidates are asked: scatters, and operands that may be computed in their parts.
 */
typedef enum inplace_turn {
    INPLACE_LAST_THEN_LARGEST, /* the last scatter first, the largest operand first */
    INPLACE_FIRST_FIRST,
    INPLACE_LAST_FIRST,
    INPLACE_LARGEST_FIRST,
    INPLACE_TURNS
} inplace_turn;

/* A whole order. */
typedef struct inplace_turns {
    inplace_turn turn;
    /* By node id of a scatter, or of the node that computes an operand: those of a lower rank are
     * asked first; a scatter of rank INPLACE_LATE behind all views. NULL: all ranks are 0. */
    const int *rank;
} inplace_turns;

enum { INPLACE_LATE = 1 << 24 };

/* What came of one order. */
typedef struct inplace_outcome {
    uint64_t saved; /* bytes that are not copied */
    bool contested; /* something was refused that another order might allow */
    uint32_t *ids;  /* of the nodes of all candidates; the caller's to free */
    size_t n;
} inplace_outcome;

/* One run of the pass over one graph. */
typedef struct inplace_pass {
    inplace_storage s;
    pass_run *run;
    inlay_arena *words;   /* remarks */
    inlay_in_place *told; /* the decisions that the caller is told, in their order */
    size_t n_told, cap_told;
    inplace_layouts layouts; /* asked for when O, V and I are decided for all scatters */
    /* By node id of a view, a slice for one: the decision V on it; does the record of some scatter
     * name it? */
    inlay_decision *views;
    bool *named;
    /* By node id of a scatter: the value that the first scatter of its chain has as its data. */
    const inlay_value **origin;
    /* By index of variable: the only Assign of the variable; a node in a body that uses the
     * variable. NULL: there is none. */
    const inlay_node **assign, **inside;
    bool *late_sizes;   /* by node id: inlay_list_late */
    inplace_held *held; /* in the order of the graph as it is before any order edge is added */
    size_t n_held;
    size_t *first_held; /* by node id of a holder: the first of its operands in `held` */
    inplace_turns turns;
    bool contested;         /* see inplace_outcome */
    bool relies;            /* reshapes rely on elements that follow each other in the buffer */
    bool late;              /* views are decided, and how values lie */
    const inlay_node *heir; /* the scatter that has the buffer of the data in question; or NULL */
    int reorders_left;      /* so many more readers may be moved before writes in this run */
} inplace_pass;

/* attempt.c */

/* Which condition a conflict breaks depends on who reads. */
typedef struct inplace_names {
    inlay_condition reader;    /* a later reader */
    inlay_condition observer;  /* an output or an Assign, when the run is over */
    inlay_condition same_node; /* the writer itself, which reads other positions of the buffer */
    inlay_condition broadcast; /* the writer itself, which reads each of them several times */
} inplace_names;

/* Notes V as KIND of TARGET when no reader sees a write that it must not see; readers that come too
 * late are moved before the write where they may be. D receives the decision, with a condition out
 * of NAMES when it is no; WHAT counts the order edges that it relies on. False: the error is
 * recorded, as with all functions below that give a bool and have a D or a WHAT. */
bool inplace_try_note(inplace_pass *p, inlay_value *v, inlay_note_kind kind, inlay_value *target,
                      const inplace_names *names, inlay_in_place *what, inlay_decision *d);
/* Makes BEFORE come before NODE. *LATE becomes BEFORE if it can be made only after NODE. WHAT
 * counts the order edges. */
bool inplace_comes_first(inplace_pass *p, inlay_node *before, inlay_node *node,
                         const inlay_node **late, inlay_in_place *what);
/* CONDITION, which BY breaks, forbids D. */
void inplace_refuse(inlay_decision *d, inlay_condition condition, const inlay_node *by);
/* May N fail half way? Of what stands in bodies nobody knows. */
bool inplace_may_fail(const inlay_node *n);
/* A node that computes into a window of the buffer of X and may fail half way; or NULL. */
const inlay_node *inplace_failing_writer(inplace_pass *p, inlay_value *x);
/* Has V a buffer of its own, or all of that of another value? */
bool inplace_fills_buffer(const inlay_value *v);
/* Bytes of V when its shape is static, else 0. */
uint64_t inplace_bytes_of(const inlay_value *v);

/* heirs.c: O for each of the N scatters of LIST, the last first, but of those that share their data
 * the largest first. */
bool inplace_decide_overwrites(inplace_pass *p, inlay_in_place *list, size_t n);
/* overwrite.c: O for the scatter of WHAT. */
bool inplace_decide_overwrite(inplace_pass *p, inlay_in_place *what);
/* The condition that a body breaks by writing over the buffer of ROOT: what does not vary is read
 * again in each iteration. INLAY_NO_CONDITION: it may, or ROOT is in no body. */
inlay_condition inplace_body_condition(const inlay_value *root);
/* The conditions on DATA itself, when R is to overwrite it; inplace_try_note judges its readers. */
bool inplace_may_overwrite(inplace_pass *p, inlay_value *r, inlay_value *data, inlay_decision *d);
/* The condition that a reader of old data breaks, when what ROOT gives is written over: that may be
 * what the iteration before made. */
inlay_condition inplace_reader_condition(const inlay_node *root);
/* What is copied all the same when the buffer of ROOT is written, as a sentence; or NULL. */
const char *inplace_remark_on(const inlay_node *root);

/* given.c: O for the outputs of nodes with bodies that write over what they are given. */
bool inplace_decide_given(inplace_pass *p);

/* chain.c */

/* Does the node of V compute it, with a kernel that writes every element of an output of any
 * strides, and is no view of what is there? Or in bodies? */
bool inplace_is_computed(const inlay_value *v);

typedef struct inplace_chain {
    inlay_value *shown;  /* the updates, if they are a reshape of link 0; or NULL */
    inlay_node *slice;   /* what the chain reads of the scatter's data: the slice with the scatter's
                            own window if there is one, else any slice of the data; or NULL */
    inlay_value **links; /* from the scatter upward: the updates first */
    int n_links, cap_links;
} inplace_chain;

/* The chain that computes the updates of SCATTER; the updates alone when they are computed, but not
 * pointwise; empty when they are not computed. False: out of memory. inplace_free_chain is called
 * in any case. */
bool inplace_find_chain(inplace_pass *p, inlay_node *scatter, inplace_chain *out);
void inplace_free_chain(inplace_chain *c);
/* Is V a Slice of the data of SCATTER, or of another version of this data? */
bool inplace_slices_data(inplace_pass *p, const inlay_value *v, const inlay_node *scatter);
/* The node that makes the list by which SCATTER names rows, if the updates are computed of these
 * very rows, but no two of them are known not to be the same; or NULL. */
const inlay_node *inplace_may_repeat(inplace_pass *p, const inlay_node *scatter);
/* The slice with SCATTER's own window that V stands on, the result of scatters one over another; or
 * NULL. When it is a view, V stands in the window of SCATTER. */
inlay_value *inplace_window_below(inplace_pass *p, inlay_value *v, const inlay_node *scatter);

/* Have A and B the same sizes on all axes, so that neither is broadcast to the other? */
bool inplace_same_extent(const inlay_value *a, const inlay_value *b);
/* Computes N one output, element by element? */
bool inplace_is_pointwise(const inlay_node *n);

/* rows.c */

/* Has the kernel of N a function that computes one row after the other, wherever rows lie? */
bool inplace_has_row_function(const inlay_node *n);
/* Makes all that the nodes which compute the updates of SCATTER row by row read come before them,
 * and before those which pick the rows, so that they follow each other. *LATE receives what can
 * only be made later, or NULL. WHAT counts the order edges. */
bool inplace_rows_together(inplace_pass *p, const inlay_node *scatter, const inlay_node **late,
                           inlay_in_place *what);
/* When all else is decided: D is refused if the rows of SCATTER cannot be computed together where
 * they are, as the data and other operands lie and as the nodes follow each other. */
bool inplace_check_rows(inplace_pass *p, const inlay_node *scatter, inlay_decision *d);
/* Do all that read V compute, element by element, what SCATTER writes, and nothing else? Else
 * *OTHER is a node that does not. */
bool inplace_feeds_only(inplace_pass *p, const inlay_value *v, const inlay_node *scatter,
                        const inlay_node **other);

/* view.c */

/* V for the slices of the data of SCATTER that its chain C reads. */
bool inplace_decide_views(inplace_pass *p, const inlay_node *scatter, const inplace_chain *c,
                          inlay_in_place *what);
/* V for what a Gather picks of the data of SCATTER, a list of rows that no strides show, when I is
 * decided: it is read where it stands by what is computed into these rows, or copied. */
bool inplace_decide_listed_views(inplace_pass *p, const inlay_node *scatter, const inplace_chain *c,
                                 inlay_in_place *what);
/* V for X, the output of a node that can make views, with readers that take any strides. */
bool inplace_decide_view(inplace_pass *p, inlay_value *x, inlay_in_place *what, inlay_decision *d);
/* V for the nodes that repeat elements, where no reader copies them on. This is decided before what
 * is held, because a view needs no part in which its operand is computed. */
bool inplace_view_repeated(inplace_pass *p);
/* V for all nodes that can make views and that were not asked before. */
bool inplace_view_the_rest(inplace_pass *p);
/* Elements of less than a byte: does a row of the window of SLICE (or SliceScatter) begin or end
 * within a byte? */
bool inplace_splits_bytes(const inlay_node *slice);

/* V for X, a reshape of what stands, or will stand, in the window of N: strides surely show it. */
bool inplace_view_reshape(inplace_pass *p, inlay_value *x, inlay_in_place *what, inlay_decision *d);

/* reshape.c */

/* What V is a reshape of; or V. */
inlay_value *inplace_unshaped(const inlay_value *v);
/* Is each axis of X one axis of V or several that follow each other, apart from those of size 1?
 * Then X can be shown in any strides, and V in the same place. */
bool inplace_only_joins_axes(const inlay_value *v, const inlay_value *x);
/* Do the elements of window W of R follow each other in R? */
bool inplace_window_follows(const inlay_value *r, const inlay_window *w);
/* Do strides surely show the window of N, which has the axes of X, with those of V? */
bool inplace_window_shows(const inlay_node *n, const inlay_value *v, const inlay_value *x);
/* A reshape of what stands on V, but for SHOWN, that strides may not show if V is moved; or NULL.
 */
const inlay_node *inplace_relies_on(inplace_pass *p, inlay_value *v, const inlay_value *shown);

/* into.c: I for the links of the chain C of SCATTER, the updates first. */
bool inplace_decide_into(inplace_pass *p, inlay_node *scatter, const inplace_chain *c,
                         inlay_in_place *what);

/* Makes the data of SCATTER, and the operands that say where its window is, come before NODE, which
 * computes into the window. *LATE receives the operand that can be made only after NODE, or NULL.
 * WHAT counts the order edges. */
bool inplace_window_first(inplace_pass *p, const inlay_node *scatter, inlay_node *node,
                          const inlay_node **late, inlay_in_place *what);
/* The condition that LATE, which makes an operand of SCATTER, breaks. */
inlay_condition inplace_late_condition(const inlay_node *scatter, const inlay_node *late);
/* A node that may fail half way when it has written over what can be seen after the error, if V is
 * computed into the buffer of R: that of V, or one that computes into V's buffer. Or NULL. */
const inlay_node *inplace_find_trap(inplace_pass *p, const inlay_value *v, const inlay_value *r);

/* Where V is given by a node with bodies: D is refused if what these make may be another output,
 * too, or cannot be made in its window or part of R. */
bool inplace_check_made(inplace_pass *p, const inlay_value *v, const inlay_value *r,
                        inlay_decision *d);
/* D, which computes V in its place, gets a remark if a body of V's node may hand V through. */
bool inplace_remark_made(inplace_pass *p, const inlay_value *v, inlay_decision *d);

/* held.c: operands that are computed in their part of the result */

/* Lists them in P->held. */
bool inplace_list_held(inplace_pass *p);
/* Decides on all of them, in the order of P->turns. */
bool inplace_decide_held(inplace_pass *p);
/* Bytes that are not copied in G, as its notes say. */
uint64_t inplace_saved_bytes(const inlay_graph *g);

/* grounds.c: each note states what it relies on. */
bool inplace_state_grounds(inplace_pass *p);

/* choose.c */

/* Decides on all of a graph as TURNS has it, without telling anybody. OUT receives what came of it.
 */
typedef bool inplace_decide_fn(inlay_graph *g, pass_run *r, const inplace_turns *turns,
                               inplace_outcome *out);
/* Finds an order that saves more bytes than FIRST, the outcome of the first one, or as many; BEST
 * receives it, and its ranks are the caller's to free. */
bool inplace_choose(inlay_graph *g, pass_run *r, inplace_decide_fn *decide,
                    const inplace_outcome *first, inplace_turns *best);
/* The rank of the candidate that N makes. */
static inline int inplace_rank(const inplace_pass *p, const inlay_node *n)
{
    return p->turns.rank ? p->turns.rank[n->id] : 0;
}

/* copies.c */

/* Puts into WHAT how many bytes each refusal copies. */
void inplace_count_bytes(const inplace_pass *p, inlay_in_place *what);
/* WHAT, as it is now, will be told. False: out of memory. */
bool inplace_record(inplace_pass *p, const inlay_in_place *what);
/* Takes back the notes of rows of a list that inplace_check_rows refuses, which is known only when
 * all views and the order are decided. */
bool inplace_give_up_rows(inplace_pass *p);
#define INPLACE_STANDING "the updates are written where they belong"
/* Finds the scatters of which this is so only now that all views are decided. */
void inplace_find_standing(inplace_pass *p);
/* Tells the caller what was recorded; and for each node that no record names and that only moves
 * elements, whether it makes views and what it copies; and which operands will be copied because a
 * kernel wants them dense. False: the caller stops the run, or memory ran out. */
bool inplace_tell(inplace_pass *p);

#endif
