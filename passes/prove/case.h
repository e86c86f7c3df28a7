/* One case of a rule fixes how many axes its values have, which axes its attributes name, and how
 * many values its lists hold. Sizes, windows and elements are unknowns of the solver, in whose
 * terms both sides of the rule are expressed. Private to passes/prove; README.md has the idea. */
#ifndef INLAY_PASSES_PROVE_CASE_H
#define INLAY_PASSES_PROVE_CASE_H

#include "passes/prove/term.h"
#include "passes/rules/rule.h"

enum {
    PROVE_RANK = 7,     /* axes of a value; operands of the rule have fewer */
    PROVE_PICTURE = 5,  /* axes of a picture, including batch and channel */
    PROVE_LIST = 3,     /* values of a list */
    PROVE_OUTS = 6,     /* outputs of a node, if the rule names each of them */
    PROVE_CHOICES = 64, /* choices that make up one case */
    PROVE_PLACES = 6,   /* operands of indices */
    PROVE_SUMS = 16,
    PROVE_OPEN = 4,  /* attributes of a node whose values the rule leaves open */
    PROVE_SPELT = 4, /* lists that define a window: start, stop, step, axes */
    PROVE_SYMBOLS = 48
};

/* The elements that a proof is about: of every type, bit for bit; floats, as if they were real
 * numbers (real.h); of all types but floats. */
typedef enum prove_numbers { PROVE_AS_THEY_ARE, PROVE_REAL, PROVE_NO_FLOATS } prove_numbers;

typedef struct prove_case prove_case;
typedef struct prove_node prove_node;
typedef struct prove_value prove_value;

/* A function in the terms of a case that represents an operation on numbers, or a number. Only
 * questions about numbers (law.c) define what it computes. */
typedef enum prove_symbol_kind {
    PROVE_OPERATION,
    PROVE_LITERAL,   /* NUMBER */
    PROVE_ATTRIBUTE, /* the number in an attribute */
    PROVE_LESS,      /* one such number is less than another */
    PROVE_LARGER,    /* the larger of two such numbers; the first one if they are equal */
    PROVE_SMALLER
} prove_symbol_kind;

typedef struct prove_symbol {
    prove_symbol_kind kind;
    const char *name;
    const inlay_op *op;            /* NULL: all operands and the result are of one type */
    const struct meaning *meaning; /* NULL: a function of which nothing is known */
    double number;
    inlay_type_set types; /* that a literal may have */
    int attr; /* name in the rule of the attribute, or of the type that a Convert makes; -1: TO */
    inlay_type to;
} prove_symbol;

/* What a condition says about the elements of a value. */
typedef struct prove_type_fact {
    const prove_value *value;
    inlay_type_set types;
    bool not_zero, zero; /* no element is 0; all elements are 0 or -0 */
    /* The names of attributes that are types: the value has this type; it can represent all
     * elements of the value. -1: no such attribute. */
    int typed_by, held_by;
    inlay_type held_in;            /* held_by as a literal of the rule; INLAY_DYNAMIC: none */
    const prove_value *like;       /* a value of the same type; or NULL */
    const smt *number;             /* its only element, if the rule says which; or NULL */
    const prove_value *reciprocal; /* 1 divided by its only element, a power of two; or NULL */
} prove_type_fact;

/* A window of one tensor. On axis i it has count[i] positions; at(k) is the k-th. The solver
 * assumes what is true for all windows: each position is in [0, size), and none occurs twice;
 * has(p) says whether p is one of them, and which(p) is its number k. All else about at(k) comes
 * from the conditions of the rule. */
typedef struct prove_window {
    int rank;
    bool known; /* its numbers are known, so it is valid, and what is written into it fits */
    const smt *proper;
    struct prove_axis {
        const smt *count, *size;
        const char *at, *has, *which;
    } axis[PROVE_RANK];
    const prove_value *mask; /* the window is where this mask is true; NULL: no such window */
    bool masked_out;         /* or where it is false */
    int part; /* 1 + the number of the joined value in which the window lies; 0: not asked yet */
    /* Answers for each axis, on which functions of the rule must agree; NULL: not asked yet:
     * whether the window runs backwards; how many of its positions lie in the padding before and
     * behind. */
    const smt *back[PROVE_RANK], *before[PROVE_RANK], *behind[PROVE_RANK];
    int copies[PROVE_RANK]; /* 1 + the way in which it cuts copies of a Tile; 0: not asked yet */
    const smt *times[PROVE_RANK];
    /* The joined values that the window meets, in its order. The part in value i has the positions
     * with the numbers cut[i] to cut[i + 1] - 1. N_TOUCHED is 0: not asked yet. */
    int touched[PROVE_LIST], n_touched;
    const smt *cut[PROVE_LIST + 1];
} prove_window;

/* A window that is defined by lists (spelling.c). */
typedef struct prove_spelling {
    const prove_value *lists[PROVE_SPELT]; /* NULL: absent, or steps of 1 */
    prove_value *asked[PROVE_SPELT];       /* results of functions about a StridedSlice */
    prove_window *window;
} prove_spelling;

struct prove_value {
    int rank; /* -1: not chosen yet */
    const smt *dim[PROVE_RANK];
    const char *element; /* of an operand of the rule: the function from index to element */
    prove_node *node;    /* that makes it; NULL: an operand of the rule */
    int out;
    int n_ints; /* elements of a list of integers; -1: not used as such a list yet */
    const smt *ints[PROVE_RANK];
    /* Its only integer is one of AXIS_OF axes, and a graph may count it from the end as well. That
     * is decided when it is used on a value with another number of axes. 0: it is decided. */
    int axis_of;
    const prove_symbol *number; /* the value of all elements; NULL: they differ */
    bool turns_round;           /* an empty order of axes, which reverses them */
    bool ranked;                /* its rank is known where the rule is applied */
    bool finite;                /* no element is infinite or NaN */
    bool unread;                /* nobody reads it */
    bool fixed;                 /* its sizes are known where the rule is applied */
    const prove_value *over;    /* each size is known to be 1 or that of this value; or NULL */
    int components;             /* 1 + the length of tuples of indices; 0: not asked yet */
    /* Weights per channel: all sizes are 1 but those of N_CHANNELS axes from CHANNEL on. In
     * row-major order their elements belong to axis CHANNEL_OF, counted from the end, of another
     * value. N_CHANNELS is 0: no such weights. */
    int channel, n_channels, channel_of;
    const prove_value *ones_of; /* it has as many elements as this one, all of them 1 */
};

/* How indices point into data: as in ScatterUpdate, at a position of an axis; as in
 * ScatterNDUpdate, with a tuple at the first axes; as in ScatterElementsUpdate, at a position of an
 * axis, and on the other axes at their own position. */
typedef enum prove_pointing { PROVE_SINGLE, PROVE_TUPLES, PROVE_ELEMENTS } prove_pointing;

/* Where indices point to (places.c): a place is N positions on axes of these sizes. */
typedef struct prove_places {
    prove_value *indices;
    prove_pointing kind;
    int n, axis; /* AXIS: of PROVE_ELEMENTS */
    bool raw;    /* an index below zero is invalid, rather than counted from the end */
    const smt *size[PROVE_RANK];
    /* The operands, if a Concat makes the indices along their first axis; 0: it does not. */
    const struct prove_places *parts[PROVE_LIST];
    int n_parts;
    /* The same places before the indices got other axes; NULL: they are as they were given. */
    const struct prove_places *given;
    const char *hit;              /* function: a place is written */
    const char *last[PROVE_RANK]; /* functions: the index of the last update of a place */
    int n_last;
} prove_places;

/* Properties of operations that other files than those of their rows use. */
enum {
    PROVE_KEEPS_NUMBERS = 1,     /* its elements are those of operand 0 in row-major order */
    PROVE_BRINGS_AXES = 2,       /* a node's AXES are axes that its output has, but not operand 0 */
    PROVE_TAKES_AXES = 4,        /* a node's AXES are axes that operand 0 has, but not its output */
    PROVE_SIZES_OF_DATA = 8,     /* its output has the sizes of operand 0, even if it fails */
    PROVE_SIZES_OF_WINDOW = 16,  /* its output has the sizes of its window, if that is valid */
    PROVE_SIZES_OF_INDICES = 32, /* its output has the sizes of operand 1, even if it fails */
    PROVE_CHECKS_KNOWN = 64,     /* its shape rule refuses known operands that do not fit */
    PROVE_KEEPS_ELEMENTS = 128,  /* each element of an operand occurs in its output */
    PROVE_ALONG_AXES = 256,      /* it treats each axis independently of the others */
    PROVE_HAS_PLACES = 512,      /* and each place is or is not in a part of its output */
    PROVE_KEEPS_RANK = 1024,     /* its output has the rank of operand 0 */
    PROVE_ANY_RANK = 2048,       /* it does not fail because of the rank of operand 0 */
    PROVE_BY_LIST = 4096,        /* operand 1 has a number for each axis of operand 0 */
    PROVE_SAME_AXES = 8192,      /* axis i of each operand that has axes is axis i of its output */
    PROVE_BY_INDICES = 16384,    /* the elements of operand 1 are positions on one axis */
    PROVE_BY_LISTS = 32768,      /* which are used as a list, whatever its rank */
    PROVE_BY_TUPLES = 65536,     /* or as tuples, so that there may be several such axes */
    PROVE_MAY_MISS = 131072,     /* on the other axes there may be fewer indices than places */
    PROVE_FOLDS = 262144,        /* a reduction along some axes */
    PROVE_OF_MATRICES = 524288,  /* a product along the last two axes */
    PROVE_OF_PICTURES = 1048576, /* operand 0 has a batch, channels, and 1 to 3 axes of pictures */
    PROVE_ONE_FLOAT = 2097152,   /* its shape rule checks that all its floats are of one type */
    PROVE_LAST_IS_ONE = 4194304  /* its last operand is one element, in any shape */
};

/* An operation as the solver sees it. */
typedef struct prove_row {
    const char *type;
    /* Sets rank and sizes of the outputs, and the conditions under which the node does not fail. */
    void (*shape)(prove_case *c, prove_node *n);
    /* Element AT of output OUT. */
    const smt *(*element)(prove_case *c, const prove_node *n, int out, const smt *const *at);
    const char *unknown; /* the reason, if both functions are absent */
    unsigned flags;      /* of those above */
    const char *attrs;   /* the attributes that both use, with blanks around each, or NULL */
} prove_row;

struct prove_node {
    const prove_row *row;
    const rule_node *from;
    const char *function;       /* of a pointwise operation */
    bool commutes;              /* its two operands may be exchanged */
    const prove_symbol *symbol; /* of a pointwise operation that the rule names */
    prove_value *in[SMT_ARGS];  /* NULL: absent */
    int n_in;
    prove_window *window;
    prove_value out[PROVE_OUTS];
    int n_out;
    bool right;
    /* VALID: the node does not fail. FITS: the updates of a scatter have the right sizes.
     * RIGHT_AXES: the axes that a node of the left side names are axes of its data. */
    const smt *valid, *fits, *right_axes;
    const prove_places *places;
    /* Only for the row: an axis, a form of the operation, the number of batch axes, the axis of the
     * operand for each axis of the result, a set of axes, sizes. */
    int axis, form, n_batch, order[PROVE_RANK];
    bool axes[PROVE_RANK];
    const smt *sizes[PROVE_RANK];
    bool sure; /* its list of sizes or lengths is known to be that of its result */
    const struct prove_sliding *slides; /* of a convolution of reals: rows_slide.c */
    const prove_node *made_by;          /* of an attention: the last of its parts */
    bool listed;                        /* of a Reshape: its list of sizes is not known */
    /* Of a reduction: a single element stays as it is; of a Broadcast: it repeats nothing along
     * AXIS, and varies along no other. */
    bool single;
    const char *reduction; /* of a scatter; NULL: it does not reduce */
    /* The choices made for attributes that the rule leaves open. */
    struct {
        const char *name;
        int way;
    } open[PROVE_OPEN];
    int n_open;
};

/* The meaning of a name of the rule. */
typedef struct prove_name {
    bool bound, absent;
    prove_value *value;
    prove_window *window;
    prove_value *list[SMT_ARGS];
    prove_window *windows[SMT_ARGS]; /* of a list of windows; NULL: the whole value */
    int n_list;
    prove_node *op;
    const smt *attr;
    int axis_of;      /* as in prove_value */
    const char *text; /* of an attribute */
    inlay_type type;  /* an element type that a condition writes, or INLAY_DYNAMIC */
} prove_name;

/* The windows of a case, which both sides of the rule may use. */
typedef struct prove_windows {
    prove_places places[PROVE_PLACES];
    int n_places;
    bool wide; /* some of them are told by tuples of more than one component */
    prove_spelling spellings[PROVE_PLACES];
    int n_spellings;
} prove_windows;

/* The results of operations as terms: an operation has the same result for the same operands, on
 * either side of the rule. */
typedef struct prove_terms {
    /* Of scatters that reduce: a term for all updates of a place, in their order. */
    struct prove_updates {
        const prove_places *places;
        const prove_value *of;
        const char *made;
    } updates[PROVE_PLACES];
    int n_updates;
    /* Steps of reductions, which may leave the element that is there unchanged. */
    struct {
        const smt *step, *there;
    } steps[PROVE_PLACES];
    int n_steps;
    /* Sums of a MatMul, each at one place: equal if all their terms are. */
    struct prove_sum {
        int within; /* how many softmaxes: sums at different depths are not compared */
        const prove_node *node;
        const smt *at[PROVE_RANK], *made;
    } sums[PROVE_SUMS], pictures[PROVE_SUMS], /* pictures: results of convolutions and poolings */
        lines[PROVE_PLACES];                  /* of a softmax of floats */
    int n_sums, n_pictures, n_lines, within;
    const char *masks; /* of attentions of reals: what a mask makes of a score; NULL: not asked */
    /* Results of reductions as functions of the place, and at the places that are used. */
    struct prove_fold {
        const prove_value *data;
        const char *function, *made;
        bool axes[PROVE_RANK];
    } folds[PROVE_PLACES];
    struct prove_made {
        const prove_node *node;
        const smt *at[PROVE_RANK], *made;
    } made[PROVE_SUMS];
    int n_folds, n_made;
    /* MADE is the total (totals.c) of BODY for all values of the variables VAR in [0, SIZE). */
    struct prove_total {
        const struct prove_total_kind *kind;
        int n;
        const smt *var[PROVE_RANK], *size[PROVE_RANK], *body, *made;
        const smt *free[PROVE_RANK]; /* of reals: variables of totals around this one */
        int n_free;
    } totals[PROVE_SUMS];
    int n_totals;
} prove_terms;

/* What conditions and functions of the rule say about elements, sizes and attributes. */
typedef struct prove_facts {
    prove_type_fact types[PROVE_PLACES];
    int n_types;
    const smt *ones[PROVE_SUMS]; /* sizes that are 1 */
    int n_ones;
    const smt *numbers_assumed; /* about attributes */
} prove_facts;

/* The meaning of operations on numbers, and of literals. */
typedef struct prove_meanings {
    prove_symbol symbols[PROVE_SYMBOLS];
    int n_symbols;
    prove_numbers numbers; /* for all cases of one proof */
    unsigned read;         /* a set of the literals that were taken for an exact number */
} prove_meanings;

/* The choices that lead to a case: CHOICE[i] of RANGE[i] ways was taken. */
typedef struct prove_way {
    int n_choices, choice[PROVE_CHOICES], range[PROVE_CHOICES];
} prove_way;

struct prove_case {
    smt_pool pool;
    const rule *rule;
    int max_rank;
    prove_name names[RULE_NAMES];
    prove_node *left[RULE_NODES], *right[RULE_NODES];
    prove_value *results[SMT_ARGS]; /* values of the right side that replace the root's outputs */
    int n_results;
    const smt *assumed, *left_valid, *right_valid;
    prove_windows windows;
    prove_terms terms;
    prove_facts facts;
    prove_meanings meanings;
    prove_way way;
    bool split, faulty;  /* it is a choice whether the left side fails; it does */
    bool flat;           /* some node is a Reshape: elements are numbered in row-major order */
    bool ranks_known;    /* the rule is not applied if the rank of a result would change */
    bool ranks_assumed;  /* the case is only about values of known rank */
    bool capped;         /* some value might have more axes than are tried */
    bool cut;            /* no graph belongs to this case */
    const char *unknown; /* why the rule cannot be expressed, or NULL */
    char spare[sizeof(prove_node)]; /* what prove_alloc returns when memory ran out */
};

/* The case is one of some graph still, and the rule can be expressed. */
static inline bool prove_goes_on(const prove_case *c)
{
    return !c->cut && !c->unknown;
}

/* Node I of both sides, those of the left side first; NULL: it is not made yet. */
static inline prove_node *prove_node_at(const prove_case *c, int i)
{
    return i < c->rule->left.n_nodes ? c->left[i] : c->right[i - c->rule->left.n_nodes];
}
static inline int prove_count_nodes(const prove_case *c)
{
    return c->rule->left.n_nodes + c->rule->right.n_nodes;
}

/* clauses.c */
bool prove_is_type(const char *type, const char *asked);
bool prove_calls(const rule_clause *clause, const char *function);
/* It calls one of a list, which ends with NULL. */
bool prove_calls_one(const rule_clause *clause, const char *const *functions);
/* How many conditions of R call FUNCTION, without a negation. */
int prove_count_calls(const rule *r, const char *function);
/* The clause that defines NAME; NULL: the left side does. */
const rule_clause *prove_clause_of(const rule *r, int name);
/* The name that is argument AT; -1: it is not a name. */
int prove_name_at(const rule_clause *clause, int at);
/* The value of that name; NULL: it is none, or the name of something else. */
const prove_value *prove_value_at(const prove_case *c, const rule_clause *clause, int at);
/* The rule asks FUNCTION, not its opposite, of V as argument AT. */
bool prove_asks_of(const prove_case *c, const rule_clause *clause, const char *function, int at,
                   const prove_value *v);

/* N computes each element from the elements of its operands at the same index. */
bool prove_is_by_element(const prove_node *n);

/* ways.c */
/* Starts the case that C's choices lead to, with operands of up to MAX_RANK axes; at first C is
 * {0}. / */
void prove_begin_case(prove_case *c, const rule *r, int max_rank, inlay_arena *arena);
/* Sets the choices of the next case; false: this was the last one. */
bool prove_next_way(prove_case *c);
/* Chooses one of N ways; other cases choose the others. */
int prove_choose(prove_case *c, int n);
void prove_assume(prove_case *c, const smt *t);
/* Assumes that SIZE is 1. */
void prove_assume_one(prove_case *c, const smt *size);
/* T, with 1 instead of these sizes. */
const smt *prove_with_ones(prove_case *c, const smt *t);
/* Chooses a number of axes, from 0 to the case's maximum. */
int prove_choose_rank(prove_case *c);
/* Chooses 0 or that maximum. */
int prove_choose_no_or_all_axes(prove_case *c);
/* No graph belongs to this case unless YES. */
void prove_need(prove_case *c, bool yes);
/* The rule cannot be expressed. Always returns false. */
bool prove_unknown(prove_case *c, const char *why);
/* Memory of the case for a value, a node or a window: never NULL. */
void *prove_alloc(prove_case *c, size_t size);

/* value.c */
prove_value *prove_free_value(prove_case *c);
prove_value *prove_ints_value(prove_case *c, int n, const smt *const *ints);
/* V's rank, which is chosen now if it was not yet. */
int prove_rank(prove_case *c, prove_value *v);
/* V must have RANK axes, and gets them if its rank is not chosen yet. */
void prove_be_of_rank(prove_case *c, prove_value *v, int rank);
/* V must be a list of N integers or, if N < 0, an integer. */
void prove_be_ints(prove_case *c, prove_value *v, int n);
/* The axis, of RANK axes, that V or the attribute ATTR of N names. */
int prove_axis_of(prove_case *c, prove_value *v, int rank);
int prove_axis_attr(prove_case *c, prove_node *n, const char *attr, int rank);
/* Operand AT of N names axes. */
bool prove_names_axes(const rule_node *n, int at);
/* Decides whether *AXIS, one of *OF axes, is counted from the front or from the end. */
void prove_count_axis(prove_case *c, const smt **axis, int *of);
/* The number, of RANK axes, of *AXIS, which is one of *OF; 0: how it counts is decided. */
int prove_axis_at(prove_case *c, const smt **axis, int *of, int rank);
/* The node that the attribute ATTR of N comes from: a node of the left side, if N copies its
 * attributes, `{...}`, and does not name this one itself; else N. */
prove_node *prove_attr_node(const prove_case *c, prove_node *n, const char *attr);
/* The attributes of N that the rule does not name may have any value. */
bool prove_is_open(const prove_node *n);
/* Chooses one of WAYS for the attribute ATTR of N, which the rule leaves open: once for a node. */
int prove_open_attr(prove_case *c, prove_node *n, const char *attr, int ways);
/* The boolean attribute ATTR of N; false if the rule does not name it. */
bool prove_flag_attr(prove_case *c, prove_node *n, const char *attr);
/* Permutation number N, of rank!, of RANK axes. */
void prove_nth_order(int n, int rank, int *order);
/* The axes, of RANK, that the list V names. */
void prove_axes_of(prove_case *c, prove_value *v, int rank, bool *axes);
/* V as an order of RANK axes. */
void prove_order_of(prove_case *c, prove_value *v, int rank, int *order);
const smt *prove_element(prove_case *c, const prove_value *v, const smt *const *at);
/* The only element of V, which may have any rank. */
const smt *prove_first_element(prove_case *c, const prove_value *v);
/* Element AT of V, which is a list of integers. */
const smt *prove_ints_element(prove_case *c, const prove_value *v, const smt *const *at);
/* Element number AT in row-major order. */
const smt *prove_flat_element(prove_case *c, const prove_value *v, const smt *at);
/* The row-major number of element AT; the number of elements. */
const smt *prove_number(prove_case *c, const prove_value *v, const smt *const *at);
const smt *prove_count(prove_case *c, const prove_value *v);
/* All sizes of A and B, which have the same rank, are equal. */
const smt *prove_same_sizes(prove_case *c, const prove_value *a, const prove_value *b);
/* The function from an integer to an element. */
extern const char prove_of_int[];
/* K mod N, as a function with axioms: with an unknown N the solver proves little about its own
 * remainder. */
const smt *prove_remainder(prove_case *c, const smt *k, const smt *n);
extern const char prove_remainder_of[];
/* The element T as an integer. */
const smt *prove_integer(prove_case *c, const smt *t);

/* symbols.c */
/* The symbol with the name of LIKE; a new one like it if there is none. */
const prove_symbol *prove_symbol_like(prove_case *c, const prove_symbol *like, int n_args);
/* The symbol that T calls; NULL: it calls none. */
const prove_symbol *prove_symbol_of(const prove_case *c, const smt *t);
/* NUMBER as an element of one of TYPES; as a boolean, 1 is true. */
const prove_symbol *prove_literal(prove_case *c, double number, inlay_type_set types);
/* A constant without axes that the rule writes as a number. */
prove_value *prove_literal_value(prove_case *c, double number, inlay_type_set types);
/* The number in an attribute of the left side, or in one that the rule calls NAME. */
const smt *prove_attr_number(prove_case *c, const rule_attr *a);
const smt *prove_name_number(prove_case *c, int name);

/* window.c */
prove_window *prove_new_window(prove_case *c, int rank, const smt *const *sizes);
/* On axis I: position number K; whether P is a position; its number. */
const smt *prove_at(prove_case *c, const prove_window *w, int i, const smt *k);
const smt *prove_has(prove_case *c, const prove_window *w, int i, const smt *p);
const smt *prove_which(prove_case *c, const prove_window *w, int i, const smt *p);
/* Assumes BODY for every K in [0, count) of axis I of W; the solver applies it where at(K) occurs.
 */
void prove_for_each(prove_case *c, const prove_window *w, int i, const smt *k, const smt *body);
/* Assumes that the positions on axis I are FROM + k, so that each P in that range is one. */
void prove_for_each_position(prove_case *c, const prove_window *w, int i, const smt *from);
const smt *prove_is_empty(prove_case *c, const prove_window *w);

/* The value that the rule gives to attribute NAME of N; NULL: it does not name it. */
const rule_attr *prove_attr(const prove_node *n, const char *name);

/* row_table.c */
const prove_row *prove_row_of(const char *type);
/* Row number I of those with FLAG; how many have it. */
const prove_row *prove_row_with(unsigned flag, int i);
int prove_count_rows(unsigned flag);
/* rows_element.c: for a pointwise operation without a row of its own; NULL: it is not pointwise */
const prove_row *prove_named_row(const rule_node *from);
extern const prove_row prove_pointwise;
extern const prove_row prove_fold; /* rows_fold.c: of a reduction */
/* Forms of nodes. */
enum {
    PROVE_SAME_TYPE = 2, /* a ConvertLike to the same type */
    PROVE_STRICT = 1,    /* a pointwise operation with auto_broadcast none */
    PROVE_ONE_WAY = 2    /* with pdpd: only the second operand is broadcast */
};

/* contracts*.c, contract_table.c: what is true when a condition holds, or about the result of a
 * function. */
typedef struct prove_call {
    prove_case *c;
    prove_name *arg[RULE_ARGS];
    prove_name *out; /* the result of a function */
} prove_call;

typedef struct prove_contract {
    const char *name;
    void (*state)(prove_call *call); /* NULL: it says nothing about elements */
    const char *unknown;             /* the reason, if the prover cannot express it */
} prove_contract;

const prove_contract *prove_contract_of(const char *name);

/* ranks_known.c: the rank of V is known where the rule is applied. */
bool prove_knows_rank(const prove_case *c, const prove_value *v);

/* known.c */
/* NOW, which replaces OLD, has its known sizes: else the rule is not applied. */
void prove_state_fixed_result(prove_case *c, const prove_value *old, const prove_value *now);
void prove_state_size_of_constants(prove_case *c, const prove_value *old, const prove_value *now);

/* side.c */
void prove_build_left(prove_case *c);
void prove_state_clauses(prove_case *c);
void prove_build_right(prove_case *c);

#endif
