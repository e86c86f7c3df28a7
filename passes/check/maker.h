/* Makes graphs that match the left side of a rule. Private to passes/check; README.md explains the
 * method. */
#ifndef INLAY_PASSES_CHECK_MAKER_H
#define INLAY_PASSES_CHECK_MAKER_H

#include "ir/shared.h"
#include "passes/rules/rule.h"

enum {
    CHECK_RANK = 8,  /* axes of generated values; usually fewer than four */
    CHECK_SIZE = 5,  /* of an axis */
    CHECK_LIST = 3,  /* values of a list */
    CHECK_TRIES = 24 /* to make a node that its shape rule accepts */
};

/* What a name of the rule is bound to in the graph. */
typedef struct check_name {
    bool bound;
    inlay_value *value; /* NULL: absent */
    inlay_value *list[CHECK_LIST];
    int n_list;
    inlay_value *window[4];
    const inlay_attr *attr;
    inlay_attr_kind attr_kind;
    const inlay_node *op;
} check_name;

typedef struct check_maker {
    const rule *rule;
    inlay_graph *graph;
    uint64_t random;
    inlay_type type; /* of its data */
    int rank;        /* of most of its data, and their sizes */
    int64_t dims[CHECK_RANK];
    double most;   /* magnitude of inputs, if the rule is not exact */
    bool specials; /* constants may contain NaN, infinities and the extremes of their types */
    /* The rule wants windows that are two parts of one value: the first is [cut_from, cut_at) of
     * this axis, the second [cut_at, cut_to). */
    bool cuts;
    int cut_axis;
    int64_t cut_from, cut_at, cut_to;
    check_name names[RULE_NAMES];
    inlay_node *nodes[RULE_NODES];
    const rule_node *unmade; /* the first node whose operands were refused each time; or NULL */
    /* What the rule requires of the operand being drawn: it is constant; all its elements are
     * equal; it is one number; it has no axes; it is less than all others; margins are along axes
     * over which filters slide. */
    bool constant, alike, number, scalar, low, margins;
    const rule_ints *asked; /* all its elements are this number, which the rule writes; or NULL */
    /* What its row requires: the types that it may have, and that its numbers are not sizes. */
    inlay_type_set types;
    bool any_number;
    inlay_diags *diags; /* NULL: errors of shape rules are ignored */
} check_maker;

/* What names are bound to before anything is drawn. */
typedef struct check_given {
    /* False: out of memory. */
    bool (*bind)(check_maker *m, void *ctx);
    void *ctx;
} check_given;

/* check.c: checks RULE on graphs with the names bound as GIVEN (NULL: none). False: out of memory.
 */
bool check_rule_given(const rule *r, const check_given *given, const inlay_check_options *o,
                      inlay_check *out, inlay_diags *d);

/* make.c: makes the graph of the left side, with its outputs. False: it did not succeed this time.
 */
bool check_make(check_maker *m);

/* types.c */
/* Returns the types that the data of R may have, as far as the rows of the left side tell. */
inlay_type_set check_types(const rule *r);
/* Draws one of them, or rarely another one. */
inlay_type check_draw_type(check_maker *m);

/* attrs.c: gives N, which is made for FROM, the attribute INFO. False: it cannot have it. */
bool check_set_attr(check_maker *m, inlay_node *n, const rule_node *from,
                    const inlay_attr_info *info);
/* Does OP slide filters or windows over data of three or four axes? */
bool check_slides(const inlay_op *op);

/* chance.c */

/* Draws a number in [lo, hi]. */
int64_t check_draw(check_maker *m, int64_t lo, int64_t hi);
/* True once in N times. */
bool check_one_in(check_maker *m, int64_t n);

/* integers.c */

/* Returns the size of V along its axis I, or one for an unknown size. */
int64_t check_size(const inlay_value *v, int i);
/* Returns the number of axes of V; that of most data if it is unknown. */
int check_rank(const check_maker *m, const inlay_value *v);
/* Sets *OUT to an operand for DATA, by its role. False: the role does not say what is needed. */
bool check_role(check_maker *m, inlay_role role, const inlay_value *data, inlay_value **out);
/* Makes a list of numbers for operand ROW of OP, one for each axis of DATA. */
inlay_value *check_numbers(check_maker *m, const inlay_op *op, int row, const inlay_value *data);
/* Makes the operands start, stop, step and axes of a window of DATA. */
bool check_window(check_maker *m, const inlay_value *data, inlay_value **out);
/* The same for the window [FROM, TO) of the axis that the maker cuts. */
bool check_part(check_maker *m, int64_t from, int64_t to, inlay_value **out);

/* draw.c */

/* Draws operand number I of a node of row OP with the operands IN before it. NULL: none fits. */
inlay_value *check_operand(check_maker *m, const inlay_op *op, int i, inlay_value *const *in);
/* Returns the type of that operand: the maker's, or that of an earlier operand with which it shares
 * its type. */
inlay_type check_type(const check_maker *m, const inlay_op *op, int i, inlay_value *const *in);

/* lists.c: makes N values by one kind of operation. False: it cannot. */
bool check_list(check_maker *m, int n, inlay_value **out);
/* Makes data that are partly overwritten. NULL: it cannot. */
inlay_value *check_written(check_maker *m);

#endif
