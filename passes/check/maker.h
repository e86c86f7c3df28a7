/* Makes graphs that the left side of a rule describes. Private to passes/check; README.md has the
 * idea. */
#ifndef INLAY_PASSES_CHECK_MAKER_H
#define INLAY_PASSES_CHECK_MAKER_H

#include "ir/shared.h"
#include "passes/rules/rule.h"

enum {
    CHECK_RANK = 8,  /* axes of what a graph is given: fewer than four, most of the time */
    CHECK_SIZE = 5,  /* of an axis */
    CHECK_LIST = 3,  /* values of a list */
    CHECK_TRIES = 24 /* that a node gets to be accepted by its shape rule */
};

/* What a name of the rule stands for in the graph. */
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
    double most;   /* of inputs, where the rule is not exact */
    bool specials; /* constants may hold NaN, infinities and the borders of their types */
    /* Windows are two parts of one value where a rule wants that: the first part of this axis is
     * [cut_from, cut_at), the second one [cut_at, cut_to). */
    bool cuts;
    int cut_axis;
    int64_t cut_from, cut_at, cut_to;
    check_name names[RULE_NAMES];
    inlay_node *nodes[RULE_NODES];
    const rule_node *unmade; /* the first one whose operands were refused each time; or NULL */
    /* What the rule asks of the operand that is drawn: that it is constant; that all its elements
     * are alike; that it is one number; that this is below all others; that margins are of axes
     * which filters slide along. */
    bool constant, alike, number, low, margins;
    /* What its row says of it: the types that it may have, and that its numbers say no size. */
    inlay_type_set types;
    bool any_number;
    inlay_diags *diags; /* none: nobody reads what shape rules refuse */
} check_maker;

/* What names stand for before anything is drawn. */
typedef struct check_given {
    /* False: memory ran out. */
    bool (*bind)(check_maker *m, void *ctx);
    void *ctx;
} check_given;

/* check.c: checks RULE on graphs in which the names are what is GIVEN (NULL: nothing is). False:
 * memory ran out. */
bool check_rule_given(const rule *r, const check_given *given, const inlay_check_options *o,
                      inlay_check *out, inlay_diags *d);

/* make.c: makes the graph of the left side, with its outputs. False: this one cannot be made. */
bool check_make(check_maker *m);

/* types.c */
/* The types that the data of R may have, as far as the rows of the left side tell. */
inlay_type_set check_types(const rule *r);
/* One of them, or once in a while another one. */
inlay_type check_draw_type(check_maker *m);

/* attrs.c: gives N, which is made for FROM, the attribute INFO. False: it cannot have it. */
bool check_set_attr(check_maker *m, inlay_node *n, const rule_node *from,
                    const inlay_attr_info *info);
/* Filters or the fields of a pooling slide over data of three axes or four. */
bool check_slides(const inlay_op *op);

/* chance.c */

/* A number in [lo, hi]. */
int64_t check_draw(check_maker *m, int64_t lo, int64_t hi);
/* True once in N times. */
bool check_one_in(check_maker *m, int64_t n);

/* integers.c */

/* A size of V along its axis I, were it known or not. */
int64_t check_size(const inlay_value *v, int i);
/* The number of axes of V; of most data where it is not known. */
int check_rank(const check_maker *m, const inlay_value *v);
/* An operand that goes with DATA, by what its role asks for. False: that asks for nothing. */
bool check_role(check_maker *m, inlay_role role, const inlay_value *data, inlay_value **out);
/* A list of numbers for operand ROW of OP, one for each axis of DATA. */
inlay_value *check_numbers(check_maker *m, const inlay_op *op, int row, const inlay_value *data);
/* The operands start, stop, step and axes of a window of DATA. */
bool check_window(check_maker *m, const inlay_value *data, inlay_value **out);
/* The same of the window [FROM, TO) of the axis that the maker cuts. */
bool check_part(check_maker *m, int64_t from, int64_t to, inlay_value **out);

/* draw.c */

/* The operand number I of a node of row OP, whose operands before it are IN. NULL: none fits. */
inlay_value *check_operand(check_maker *m, const inlay_op *op, int i, inlay_value *const *in);
/* The type of that operand: the maker's, or that of an operand before it whose type it shares. */
inlay_type check_type(const check_maker *m, const inlay_op *op, int i, inlay_value *const *in);

/* lists.c: N values that one kind of operation makes. False: it cannot. */
bool check_list(check_maker *m, int n, inlay_value **out);
/* Data of which a part is written over. NULL: it cannot be made. */
inlay_value *check_written(check_maker *m);

#endif
