/* One case of a rule: how many axes its values have, which axes its attributes name, how many
 * values its lists hold. Sizes, windows and elements stay open. What both sides mean in this case
 * is told in terms of the solver. Private to passes/prove; README.md has the idea.
 */
#ifndef INLAY_PASSES_PROVE_CASE_H
#define INLAY_PASSES_PROVE_CASE_H

#include "passes/prove/term.h"
#include "passes/rules/rule.h"

enum {
    PROVE_RANK = 7,     /* axes of a value; of those that the rule is given, fewer */
    PROVE_PICTURE = 5,  /* axes of pictures, batches and channels among them */
    PROVE_LIST = 3,     /* values of a list */
    PROVE_OUTS = 6,     /* outputs of a node, where a rule names each */
    PROVE_CHOICES = 64, /* in one case */
    PROVE_PLACES = 6,   /* different uses of indices */
    PROVE_SUMS = 16,
    PROVE_OPEN = 4,  /* attributes of a node that the rule leaves open */
    PROVE_SPELT = 4, /* lists that spell a window: start, stop, step, axes */
    PROVE_SYMBOLS = 48
};

/* What the elements are that a proof is about: those of each type as they are; floats, read as real
 * numbers (real.h); those of all other types alone. */
typedef enum prove_numbers { PROVE_AS_THEY_ARE, PROVE_REAL, PROVE_NO_FLOATS } prove_numbers;

typedef struct prove_case prove_case;
typedef struct prove_node prove_node;
typedef struct prove_value prove_value;

/* What stands for an operation on numbers, or for a number, in the terms of a case. What it means
 * is said in questions about numbers alone (law.c). */
typedef enum prove_symbol_kind {
    PROVE_OPERATION,
    PROVE_LITERAL,   /* NUMBER */
    PROVE_ATTRIBUTE, /* the number that an attribute is */
    PROVE_LESS,      /* one such number is less than another */
    PROVE_LARGER,    /* one is the larger of two others, the smaller: of equal ones the first */
    PROVE_SMALLER
} prove_symbol_kind;

typedef struct prove_symbol {
    prove_symbol_kind kind;
    const char *name;
    const inlay_op *op;            /* NULL: all operands and the result are of one type */
    const struct meaning *meaning; /* NULL: it is a function that nothing is known of */
    double number;
    inlay_type_set types; /* of a literal: those that it may be of */
    /* The name of the rule that the attribute has, or that says what a Convert makes; -1: TO */
    int attr;
    inlay_type to;
} prove_symbol;

/* What a condition says of the elements of a value. */
typedef struct prove_type_fact {
    const prove_value *value;
    inlay_type_set types;
    bool not_zero, zero; /* no element is 0; all are, or -0 */
    /* The attribute, by its name, whose type it is, or whose type holds all its numbers; -1: none.
     */
    int typed_by, held_by;
    inlay_type held_in;            /* the type that the rule writes there; INLAY_DYNAMIC: none */
    const prove_value *like;       /* it has the type of this one; NULL */
    const smt *number;             /* of the rule, which its one element is; NULL: it is not told */
    const prove_value *reciprocal; /* 1 divided by its one element, a power of two; or NULL */
} prove_type_fact;

/* A window of one tensor. Of axis i it takes count[i] positions, the k-th is at(k). What holds of
 * all windows is assumed: each position is in [0, size), none comes twice; has(p) says whether p is
 * one of them, and which(p) which one. Where at(k) lies, the conditions of the rule say. */
typedef struct prove_window {
    int rank;
    bool known; /* its numbers are: it is no error, and what it writes fits */
    const smt *proper;
    struct prove_axis {
        const smt *count, *size;
        const char *at, *has, *which;
    } axis[PROVE_RANK];
    /* What functions that ask the same of an axis agree about; NULL: nobody asked. It goes back;
     * how many of its positions lie in the padding before and behind a value. */
    const prove_value *mask; /* it is where this holds, or does not hold; NULL: of another kind */
    bool masked_out;
    int part; /* which of several values it lies in, and one more; 0: nobody asked */
    const smt *back[PROVE_RANK], *before[PROVE_RANK], *behind[PROVE_RANK];
    int copies[PROVE_RANK]; /* how it cuts copies, and one more; 0: nobody asked */
    const smt *times[PROVE_RANK];
    /* The values that it touches, of several that are joined, in its order; of each the number of
     * the first position of the window that lies in it, and that behind the last. N_TOUCHED: 0,
     * nobody asked. */
    int touched[PROVE_LIST], n_touched;
    const smt *cut[PROVE_LIST + 1];
} prove_window;

/* A window that lists spell; NULL: one that is absent, or steps of 1 (spelling.c). */
typedef struct prove_spelling {
    const prove_value *lists[PROVE_SPELT];
    prove_value *asked[PROVE_SPELT]; /* those of a StridedSlice, which functions give */
    prove_window *window;
} prove_spelling;

struct prove_value {
    int rank; /* -1: not chosen yet */
    const smt *dim[PROVE_RANK];
    const char *element; /* of a value that the rule is given: the function of an index */
    prove_node *node;    /* NULL: the rule is given it */
    int out;
    int n_ints; /* elements that are integers, -1: nobody asked for them */
    const smt *ints[PROVE_RANK];
    /* Its one integer names an axis, of so many, and could count from the end as well: that is
     * chosen where it is one of more or fewer. 0: it counts as it says. */
    int axis_of;
    const prove_symbol *number; /* what all elements are; NULL: they differ */
    bool turns_round;           /* an order of axes that is empty */
    bool ranked;                /* how many axes it has is known where the rule is applied */
    bool finite;                /* no element is infinite or NaN */
    bool unread;                /* nobody reads it */
    bool fixed;                 /* its sizes are known where the rule is applied */
    const prove_value *over;    /* each size is known to be 1 or that of this value; NULL */
    int components;             /* of tuples of indices, and one more; 0: nobody asked */
    /* Sizes that are 1 but on these axes, whose elements are numbered together as those of one axis
     * of a value are, counted from the end; N_CHANNELS: 0, they are no such. */
    int channel, n_channels, channel_of;
    const prove_value *ones_of; /* it has as many elements as this one, all of them 1 */
};

/* How indices point into data. */
typedef enum prove_pointing {
    PROVE_SINGLE,  /* each at a row of an axis: ScatterUpdate */
    PROVE_TUPLES,  /* a tuple at a place on the first axes */
    PROVE_ELEMENTS /* each along an axis, and on the others at where it stands itself */
} prove_pointing;

/* Where indices point to (places.c): a place is N positions on axes of data of these sizes. */
typedef struct prove_places {
    prove_value *indices;
    prove_pointing kind;
    int n, axis; /* AXIS: of PROVE_ELEMENTS */
    bool raw;    /* an index below zero is no place */
    const smt *size[PROVE_RANK];
    /* Of indices that a Concat joins along their first axis; 0: they are not joined. */
    const struct prove_places *parts[PROVE_LIST];
    int n_parts;
    const char *hit, *last[PROVE_RANK]; /* whether one is written; where the last update stands */
    int n_last;
} prove_places;

/* What an operation is to those that are not its row. */
enum {
    PROVE_KEEPS_NUMBERS = 1,    /* its elements are those of operand 0 in row-major order */
    PROVE_BRINGS_AXES = 2,      /* AXES of a node are axes of its output, which operand 0 has not */
    PROVE_TAKES_AXES = 4,       /* AXES of a node are axes of operand 0, which its output has not */
    PROVE_SIZES_OF_DATA = 8,    /* its output has the sizes of operand 0, even if it is an error */
    PROVE_SIZES_OF_WINDOW = 16, /* its output has the sizes of its window, if that is proper */
    PROVE_SIZES_OF_INDICES = 32, /* its output has the sizes of operand 1, even if it is an error */
    PROVE_CHECKS_KNOWN = 64,     /* its shape rule refuses operands that are known and do not fit */
    PROVE_KEEPS_ELEMENTS = 128,  /* each element of an operand is one of its output */
    PROVE_ALONG_AXES = 256,      /* it works along each axis by itself */
    PROVE_HAS_PLACES = 512,      /* and a place may be in a part of what it makes, or not */
    PROVE_KEEPS_RANK = 1024,     /* its output has as many axes as operand 0 */
    PROVE_ANY_RANK = 2048,       /* it is no error for how many axes operand 0 has */
    PROVE_BY_LIST = 4096,        /* operand 1 has a number for each axis of operand 0 */
    PROVE_SAME_AXES = 8192,      /* axis i of each operand that has axes is axis i of its output */
    PROVE_BY_INDICES = 16384,    /* places on one axis are told by the elements of operand 1 */
    PROVE_BY_LISTS = 32768,      /* which are a list, whatever axes it has */
    PROVE_BY_TUPLES = 65536,     /* of tuples, so that there may be several such axes */
    PROVE_MAY_MISS = 131072,     /* on the other axes there may be fewer indices than places */
    PROVE_FOLDS = 262144,        /* a reduction along some axes */
    PROVE_OF_MATRICES = 524288,  /* it adds up along the last two axes */
    PROVE_OF_PICTURES = 1048576 /* operand 0 has up to PROVE_PICTURE axes, two of them and others */
};

/* An operation as the solver sees it. */
typedef struct prove_row {
    const char *type;
    /* Sets rank and sizes of the outputs, and what must hold so that the node is no error. */
    void (*shape)(prove_case *c, prove_node *n);
    /* Element AT of output OUT. */
    const smt *(*element)(prove_case *c, const prove_node *n, int out, const smt *const *at);
    const char *unknown; /* why neither is there */
    unsigned flags;      /* of those above */
    const char *attrs;   /* the attributes that both look at, with blanks around each, or NULL */
} prove_row;

struct prove_node {
    const prove_row *row;
    const rule_node *from;
    const char *function;       /* of a pointwise operation */
    bool commutes;              /* that function gives the same of its two operands turned round */
    const prove_symbol *symbol; /* of one that is named */
    prove_value *in[SMT_ARGS];  /* NULL: absent */
    int n_in;
    prove_window *window;
    prove_value out[PROVE_OUTS];
    int n_out;
    bool right;
    /* FITS: of a scatter, its updates have the sizes they must have. RIGHT_AXES: those that it
     * names are axes of its data; beside VALID, and of the left side. */
    const smt *valid, *fits, *right_axes;
    const prove_places *places;
    /* For the row alone: an axis, one of its forms, how many axes are a batch, the axis of the
     * operand that each axis is, axes, sizes. */
    int axis, form, n_batch, order[PROVE_RANK];
    bool axes[PROVE_RANK];
    const smt *sizes[PROVE_RANK];
    bool sure; /* its list of sizes or lengths, if that says what its result has */
    /* Of a convolution of reals: functions of sizes and positions, along each axis of a picture. */
    const struct prove_sliding *slides;
    bool listed;           /* of a Reshape: its sizes are by a list that is not known */
    bool single;           /* of a reduction: what it makes of one element is that element */
    const char *reduction; /* of a scatter; NULL: it does not reduce */
    /* What was chosen for attributes that the rule leaves open. */
    struct {
        const char *name;
        int way;
    } open[PROVE_OPEN];
    int n_open;
};

/* What a name of the rule stands for. */
typedef struct prove_name {
    bool bound, absent;
    prove_value *value;
    prove_window *window;
    prove_value *list[SMT_ARGS];
    prove_window *windows[SMT_ARGS]; /* of a list of windows; NULL: all of it */
    int n_list;
    prove_node *op;
    const smt *attr;
    int axis_of;      /* as of a value */
    const char *text; /* of an attribute */
    inlay_type type;  /* of an element type that a condition writes; INLAY_DYNAMIC */
} prove_name;

/* The windows of a case: a rule's side may have one that the other has, too. */
typedef struct prove_windows {
    prove_places places[PROVE_PLACES];
    int n_places;
    prove_spelling spellings[PROVE_PLACES];
    int n_spellings;
} prove_windows;

/* The terms that stand for what operations make: of the same they make the same, on either side. */
typedef struct prove_terms {
    /* Of scatters that reduce: what stands for the updates of a place, in their order. */
    struct prove_updates {
        const prove_places *places;
        const prove_value *of;
        const char *made;
    } updates[PROVE_PLACES];
    int n_updates;
    /* Steps of reductions, which may leave what is there as it is. */
    struct {
        const smt *step, *there;
    } steps[PROVE_PLACES];
    int n_steps;
    /* Sums that a MatMul makes, each at one place: equal where all that they add is. */
    struct prove_sum {
        const prove_node *node;
        const smt *at[PROVE_RANK], *made;
    } sums[PROVE_SUMS], pictures[PROVE_SUMS]; /* pictures: what convolutions and poolings make */
    int n_sums, n_pictures;
    /* What reductions make, by a function of the place, and of those places that are looked at. */
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
    /* What is made of all of a box, of integers or booleans (totals.c): of BODY, which the numbers
     * of the box stand in as variables, is made MADE. */
    struct prove_total {
        const struct prove_total_kind *kind;
        int n;
        const smt *var[PROVE_RANK], *size[PROVE_RANK], *body, *made;
        const smt *free[PROVE_RANK]; /* variables of boxes around it, of reals */
        int n_free;
    } totals[PROVE_SUMS];
    int n_totals;
} prove_terms;

/* What conditions and functions of the rule say of elements, sizes and attributes. */
typedef struct prove_facts {
    prove_type_fact types[PROVE_PLACES];
    int n_types;
    const smt *ones[PROVE_SUMS]; /* sizes that are 1 */
    int n_ones;
    const smt *numbers_assumed; /* of attributes */
} prove_facts;

/* What operations on numbers, and literals, mean. */
typedef struct prove_meanings {
    prove_symbol symbols[PROVE_SYMBOLS];
    int n_symbols;
    prove_numbers numbers; /* which are meant, in all cases until it is set anew */
    unsigned read;         /* which literals were read as other numbers than are written */
} prove_meanings;

/* The way to a case: at each choice the one of RANGE that is taken. */
typedef struct prove_way {
    int n_choices, choice[PROVE_CHOICES], range[PROVE_CHOICES];
} prove_way;

struct prove_case {
    smt_pool pool;
    const rule *rule;
    int max_rank;
    prove_name names[RULE_NAMES];
    prove_node *left[RULE_NODES], *right[RULE_NODES];
    prove_value *results[SMT_ARGS]; /* what stands for the outputs of the root */
    int n_results;
    const smt *assumed, *left_valid, *right_valid;
    prove_windows windows;
    prove_terms terms;
    prove_facts facts;
    prove_meanings meanings;
    prove_way way;
    bool split, faulty;  /* whether the left side is an error is chosen; it is */
    bool flat;           /* some node is a Reshape: elements are numbered in row-major order */
    bool ranks_known;    /* the rule is not applied where a result would have other axes */
    bool ranks_assumed;  /* this is of values alone that have a known number of axes */
    bool capped;         /* some value might have more axes than are tried */
    bool cut;            /* no graph is like this case */
    const char *unknown; /* the rule cannot be told, and why */
    char spare[sizeof(prove_node)]; /* for what there is no memory for; nobody looks at it */
};

/* clauses.c */
bool prove_is_type(const char *type, const char *asked);
bool prove_calls(const rule_clause *clause, const char *function);
/* Such of a list that ends with NULL. */
bool prove_calls_one(const rule_clause *clause, const char *const *functions);
/* How many conditions of R, none of them negated, ask FUNCTION. */
int prove_count_calls(const rule *r, const char *function);
/* The clause that gives NAME its meaning; NULL: the left side does. */
const rule_clause *prove_clause_of(const rule *r, int name);
/* The name that is argument AT; -1: it is none. */
int prove_name_at(const rule_clause *clause, int at);

/* N makes each element of those of its operands that stand there. */
bool prove_is_by_element(const prove_node *n);

/* ways.c */
/* The case that C's choices lead to, with values of up to MAX_RANK axes; the first is {0}. */
void prove_begin_case(prove_case *c, const rule *r, int max_rank, inlay_arena *arena);
/* The next way; false: this was the last. */
bool prove_next_way(prove_case *c);
/* Takes one of N ways; the prover comes back for each of the others. */
int prove_choose(prove_case *c, int n);
void prove_assume(prove_case *c, const smt *t);
/* The size SIZE is 1. */
void prove_assume_one(prove_case *c, const smt *size);
/* T, in which such sizes are 1. */
const smt *prove_with_ones(prove_case *c, const smt *t);
/* A number of axes, or of sizes, from 0 up to as many as are tried. */
int prove_choose_rank(prove_case *c);
/* 0, or as many as are tried. */
int prove_choose_no_or_all_axes(prove_case *c);
/* No graph is like this case unless YES. */
void prove_need(prove_case *c, bool yes);
/* Always false. */
bool prove_unknown(prove_case *c, const char *why);
/* Memory of the case for a value, a node or a window: never NULL. */
void *prove_alloc(prove_case *c, size_t size);

/* value.c */
prove_value *prove_free_value(prove_case *c);
prove_value *prove_ints_value(prove_case *c, int n, const smt *const *ints);
/* V's number of axes; chosen now if it was not. */
int prove_rank(prove_case *c, prove_value *v);
/* V has RANK axes, and is given them if it may be. */
void prove_be_of_rank(prove_case *c, prove_value *v, int rank);
/* V is a list of N integers, or (N < 0) one. */
void prove_be_ints(prove_case *c, prove_value *v, int n);
/* An axis of RANK that V, or the attribute ATTR of N, names. */
int prove_axis_of(prove_case *c, prove_value *v, int rank);
int prove_axis_attr(prove_case *c, prove_node *n, const char *attr, int rank);
/* Operand AT of N names axes. */
bool prove_names_axes(const rule_node *n, int at);
/* *AXIS, which names one of *OF axes, becomes the number that it is: from the front or the end. */
void prove_count_axis(prove_case *c, const smt **axis, int *of);
/* The axis of RANK that *AXIS is, which names one of *OF; 0: it counts as it says. */
int prove_axis_at(prove_case *c, const smt **axis, int *of, int rank);
/* The node whose attribute ATTR is that of N: where N does not name it and copies all others,
 * `{...}`, the one of the left side that it copies them from; else N. */
prove_node *prove_attr_node(const prove_case *c, prove_node *n, const char *attr);
/* The rule leaves the attributes of N open that it does not name. */
bool prove_is_open(const prove_node *n);
/* Which of WAYS the attribute ATTR of N, which the rule leaves open, takes: always the same one. */
int prove_open_attr(prove_case *c, prove_node *n, const char *attr, int ways);
/* Whether the attribute ATTR of N, a boolean, is set; false where the rule does not name it. */
bool prove_flag_attr(prove_case *c, prove_node *n, const char *attr);
/* Order number N of RANK axes, of rank! */
void prove_nth_order(int n, int rank, int *order);
/* Which axes of RANK the list V names. */
void prove_axes_of(prove_case *c, prove_value *v, int rank, bool *axes);
/* The order of RANK axes that V is. */
void prove_order_of(prove_case *c, prove_value *v, int rank, int *order);
const smt *prove_element(prove_case *c, const prove_value *v, const smt *const *at);
/* The one element of a value that has one, whatever axes it has. */
const smt *prove_first_element(prove_case *c, const prove_value *v);
/* Element AT of V, which is a list of integers. */
const smt *prove_ints_element(prove_case *c, const prove_value *v, const smt *const *at);
/* Element number AT in row-major order. */
const smt *prove_flat_element(prove_case *c, const prove_value *v, const smt *at);
/* The number of element AT, and how many there are. */
const smt *prove_number(prove_case *c, const prove_value *v, const smt *const *at);
const smt *prove_count(prove_case *c, const prove_value *v);
/* All sizes are the same; the ranks must be. */
const smt *prove_same_sizes(prove_case *c, const prove_value *a, const prove_value *b);
/* The function that makes an element of an integer. */
extern const char prove_of_int[];
/* What is left of K when N is taken from it as often as that goes. Of the solver's own remainder by
 * a number that is not known little can be proven. */
const smt *prove_remainder(prove_case *c, const smt *k, const smt *n);
extern const char prove_remainder_of[];
/* The element T as an integer. */
const smt *prove_integer(prove_case *c, const smt *t);

/* symbols.c */
/* The symbol that is LIKE this one, by its name; a new one where there is none. */
const prove_symbol *prove_symbol_like(prove_case *c, const prove_symbol *like, int n_args);
/* The symbol that T calls; NULL: it calls none. */
const prove_symbol *prove_symbol_of(const prove_case *c, const smt *t);
/* NUMBER as an element of one of TYPES; of booleans 1 is true. */
const prove_symbol *prove_literal(prove_case *c, double number, inlay_type_set types);
/* The constant of the rule that has no axes and is this number. */
prove_value *prove_literal_value(prove_case *c, double number, inlay_type_set types);
/* The number that the attribute A of the left side, or what the rule names so, is. */
const smt *prove_attr_number(prove_case *c, const rule_attr *a);
const smt *prove_name_number(prove_case *c, int name);

/* window.c */
prove_window *prove_new_window(prove_case *c, int rank, const smt *const *sizes);
/* Position number K of axis I; whether there is one at P; which. */
const smt *prove_at(prove_case *c, const prove_window *w, int i, const smt *k);
const smt *prove_has(prove_case *c, const prove_window *w, int i, const smt *p);
const smt *prove_which(prove_case *c, const prove_window *w, int i, const smt *p);
/* For every k in [0, count) of axis I of W: BODY, which has K in it; tried where W's at(k) occurs.
 */
void prove_for_each(prove_case *c, const prove_window *w, int i, const smt *k, const smt *body);
/* On axis I the positions are FROM + k: P is one of them where it lies within. */
void prove_for_each_position(prove_case *c, const prove_window *w, int i, const smt *from);
const smt *prove_is_empty(prove_case *c, const prove_window *w);

/* What the rule gives to attribute NAME of N; NULL: it does not name it */
const rule_attr *prove_attr(const prove_node *n, const char *name);

/* row_table.c */
const prove_row *prove_row_of(const char *type);
/* Row number I of those that have FLAG, and how many have. */
const prove_row *prove_row_with(unsigned flag, int i);
int prove_count_rows(unsigned flag);
/* rows_element.c: of a pointwise operation that has no row of its own; NULL: it is none */
const prove_row *prove_named_row(const rule_node *from);
extern const prove_row prove_pointwise;
extern const prove_row prove_fold; /* rows_fold.c: of a reduction */
enum {
    PROVE_SAME_TYPE = 2, /* a form of ConvertLike */
    PROVE_STRICT = 1,    /* of a pointwise operation: auto_broadcast is none */
    PROVE_ONE_WAY = 2    /* it is pdpd: the second operand is broadcast to the first alone */
};

/* contracts*.c, contract_table.c: what the yes of a condition says, and what a function gives. */
typedef struct prove_call {
    prove_case *c;
    prove_name *arg[RULE_ARGS];
    prove_name *out; /* of a let */
} prove_call;

typedef struct prove_contract {
    const char *name;
    void (*state)(prove_call *call); /* NULL: nothing of elements */
    const char *unknown;             /* why not, where the rest of the rule needs it */
} prove_contract;

const prove_contract *prove_contract_of(const char *name);

/* ranks.c: how many axes V has is known where the rule is applied. */
bool prove_knows_rank(const prove_case *c, const prove_value *v);

/* known.c */
/* NOW is known to have the sizes that are known of OLD, whose place it takes. */
void prove_state_fixed_result(prove_case *c, const prove_value *old, const prove_value *now);
void prove_state_size_of_constants(prove_case *c, const prove_value *old, const prove_value *now);

/* side.c */
void prove_build_left(prove_case *c);
void prove_state_clauses(prove_case *c);
void prove_build_right(prove_case *c);

#endif
