/* The rule language (passes/rules/README.md): the data structure of a rule, and the functions that
 * its conditions call. Private to passes/.
 *
 * A rule has two sides with the same structure. A side is a list of nodes; a node's operands are
 * terms, and a term is a name, another node, or a literal. Names are numbered within their rule and
 * have a kind. A rule is immutable once it is read; a rule_match says what its names are bound to
 * at one place in one graph. */
#ifndef INLAY_PASSES_RULE_H
#define INLAY_PASSES_RULE_H

#include "ir/shared.h"
#include "passes/pass.h"

enum {
    RULE_NAMES = 32,   /* names in a rule */
    RULE_NODES = 16,   /* nodes on a side */
    RULE_TERMS = 8,    /* operands of a node, attributes of a node, values of a side */
    RULE_CLAUSES = 14, /* conditions */
    RULE_ARGS = 6,     /* of a condition */
    RULE_DEPTH = 8,    /* nodes in nodes */
    RULE_LITERAL = 32, /* elements of a literal list */
    RULE_READS = 2,    /* operands of a root that are checked before it is matched */
    /* A run ends when it has rewritten this many times for each node of the original graph. Each
     * rule lowers a measure, so only a rule set with a cycle gets there. */
    RULE_REWRITES_PER_NODE = 16
};

#define RULE_CONSTANTS (UINT64_C(1) << 63) /* in a set of operations (rule_bit) */

/* What a name is bound to; the letters are those of function signatures. */
typedef enum rule_kind {
    RULE_UNKNOWN = 0,
    RULE_VALUE = 'V',    /* a value of the graph, or absent */
    RULE_WINDOW = 'W',   /* the index operands of a Slice or SliceScatter */
    RULE_LIST = 'L',     /* several values */
    RULE_WINDOWS = 'S',  /* several windows, only computed ones */
    RULE_INTEGERS = 'I', /* a list of integers, or one */
    RULE_NUMBERS = 'N',  /* an argument: a constant, an attribute that is a number, or a number */
    RULE_ATTR = 'A',     /* an attribute, or absent */
    RULE_OP = 'F'        /* an operation with its attributes */
} rule_kind;

typedef struct rule_ints {
    inlay_type type; /* of the constant it becomes */
    int rank;        /* 0 or 1 */
    int n;
    bool is_real; /* the constant is the number REAL: the result of a function, or a literal; a
                     literal operand has no type of its own */
    double real;
    int64_t *x;
} rule_ints;

/* A window of a rule. If it is known, there is an inlay_window for each axis of the data; {0,
 * RULE_WHOLE, 1} is all of an axis of unknown size. If not, only FROM is set, the node that has the
 * operands of the window, and perhaps AXES. */
#define RULE_WHOLE INT64_MAX

typedef struct rule_window {
    bool known;
    int rank;
    inlay_window axis[INLAY_MAX_RANK];
    const inlay_node *from; /* NULL: the window was computed */
    const rule_ints *axes;  /* of a window that is not known: in place of those of FROM; or NULL */
} rule_window;

/* What a name is bound to in a match; one member is set, by kind. */
typedef struct rule_binding {
    bool bound;
    rule_kind kind;
    inlay_value *value;
    const rule_window *window;
    inlay_value *const *list;
    const rule_window *const *windows; /* of windows; a NULL entry is the whole tensor */
    int n_list;                        /* of list or windows */
    const rule_ints *ints;
    const inlay_attr *attr;
    inlay_attr_kind attr_kind;
    const inlay_node *op;
} rule_binding;

typedef enum rule_term_kind {
    TERM_NAME,
    TERM_NODE,
    TERM_REST,
    TERM_SPREAD, /* right: a node for each element of the lists among its operands */
    TERM_WINDOW,
    TERM_INTS,
    TERM_ANY
} rule_term_kind;

typedef struct rule_term {
    rule_term_kind kind;
    bool optional; /* the name is in brackets */
    int name;      /* NAME, REST, WINDOW */
    int node;      /* NODE, SPREAD: index in its side */
    const rule_ints *ints;
    unsigned line;
} rule_term;

typedef struct rule_attr {
    const char *name;
    inlay_attr_kind kind;
    int var; /* the name it matches or sets; -1: literal */
    inlay_attr literal;
} rule_attr;

typedef struct rule_node {
    const char *type;      /* NULL: `any f` */
    const inlay_op **rows; /* the rows that the node may have */
    int n_rows, op_name;   /* op_name: the name f, -1 */
    rule_term *in;
    rule_attr *attrs;
    int *outs; /* names of outputs; -1: not wanted */
    int n_in, n_attrs;
    int n_outs; /* 0: the node is itself an operand */
    bool any_attrs;
    bool outs_rest; /* the only name is a list of all outputs */
    bool spread;    /* right: a TERM_SPREAD refers to it */
    unsigned line;
} rule_node;

typedef struct rule_side {
    rule_node *nodes;
    int n_nodes;
    rule_term *values; /* of the right side */
    int n_values;
} rule_side;

/* A name of a rule: its kind, and its definition. */
typedef struct rule_name {
    const char *text;
    rule_kind kind;
    inlay_attr_kind attr_kind;
    bool optional;
    int node, out; /* left: the node whose output this name is; -1: none */
    bool bound;    /* defined by the left side or a let */
    int right;     /* right: the node of the right side whose output this name is; -1: none */
    unsigned line;
} rule_name;

struct rule_function;

typedef struct rule_clause {
    const struct rule_function *fn;
    bool negated;
    int target; /* the name that a let sets; -1: the clause is a condition */
    rule_term *args;
    int n_args;
    const char *text; /* as in the file */
} rule_clause;

typedef struct rule {
    const char *name;
    inlay_exactness exactness;
    unsigned line;
    int index; /* its number in its set */
    rule_name *names;
    int n_names;
    rule_side left, right;
    int root; /* node of the left side */
    rule_clause *clauses;
    int n_clauses;
    unsigned root_flags; /* the rule applies only if the row of its root has all of these */
    /* and only if the root reads operations of these sets; 0: any. A set for each of its first
     * operands, whose order may be exchanged. */
    uint64_t reads[RULE_READS];
} rule;

struct inlay_rules {
    inlay_arena *arena; /* NULL: built in, a constant of the library */
    const char *name;   /* the set: "simplify" */
    const char *file;   /* the file that messages name */
    rule **rules;
    size_t n, cap;
    const inlay_op_set *ops; /* the operations that the rules are about; NULL: the built-in ones */
    size_t n_rows;           /* of ops */
    const rule ***by_row;    /* by row of ops: rules whose root may have it, NULL at the end */
    const rule **of_any;     /* rules whose root may be any operation, NULL at the end */
};

/* The rules of S whose root may be of OP, NULL at the end. */
const rule *const *rules_of(const inlay_rules *s, const inlay_op *op);

/* Returns OP as an element of a set of operations. Some share a bit: if that is not in a set, OP is
 * not in it. */
static inline uint64_t rule_bit(const inlay_op *op)
{
    return op->kind == INLAY_OP_CONST ? RULE_CONSTANTS : UINT64_C(1) << (unsigned)op->row % 63;
}

/* Answers of a condition. RULE_DONT_KNOW is no match, and `not` leaves it as it is. */
typedef enum rule_answer { RULE_NO, RULE_YES, RULE_DONT_KNOW } rule_answer;

/* The part of a left side that did not match. Matching never backtracks, so there is exactly one
 * such part. */
typedef struct rule_miss {
    const rule_node *part; /* NULL: the left side did match */
    const inlay_node *node;
    int input; /* this operand of NODE does not match TERM (NULL: it must be absent); or -1 */
    const rule_term *term;
    const char
        *attr;   /* else: the attribute with this name differs; NULL: NODE itself does not match
                    PART */
    bool unsure; /* operand INPUT matches TERM, but gives sizes that may be invalid */
    int held;    /* the number of operands and attributes that matched before this part */
} rule_miss;

typedef struct rule_chains rule_chains; /* chain.h */

typedef struct rule_match {
    const rule *rule;
    inlay_graph *graph;
    rule_chains *chains;           /* of the graph */
    inlay_node *nodes[RULE_NODES]; /* the nodes that match those of the left side */
    rule_binding names[RULE_NAMES];
    inlay_arena *scratch; /* windows, lists, integers */
    rule_miss miss;
    const rule_clause *failed; /* the condition whose answer was not yes */
    rule_answer answer;        /* and its answer */
    const inlay_node *lost;    /* all matches, but an error of this node would be lost */
    bool no_memory;
} rule_match;

/* A call of a function or a predicate. Arguments have the kinds of the signature; an I may come
 * from a constant, an attribute or a literal. */
typedef struct rule_call {
    rule_match *match;
    rule_binding arg[RULE_ARGS];
    rule_binding out; /* the result, to which a let is bound */
} rule_call;

/* SIGNATURE: kinds of the arguments; a small letter may be absent. RESULT: a kind, or 'P' for a
 * predicate. FLAGS: the answer is yes only if the row of the first argument's operation (it is one,
 * or was made by one) has them; 0: any row. */
typedef struct rule_function {
    const char *name, *signature;
    char result;
    unsigned flags;
    rule_answer (*call)(rule_call *c);
    const char *help; /* one line for `inlay rules` and the documentation's test */
} rule_function;

#define RULE_FN(name, signature, result, help) rule_answer rule_fn_##name(rule_call *c);
#include "passes/rules/functions.def"
#undef RULE_FN

extern const rule_function rule_functions[];

const rule_function *rule_function_find(const char *name, size_t len);
const rule_function *rule_function_at(size_t i); /* NULL past the last */

/* Has V exactly one use? */
static inline bool rule_used_once(const inlay_value *v)
{
    return v->uses && !v->uses->next;
}

/* Allocates memory that lives as long as the match. NULL: out of memory, which sets M->no_memory.
 */
void *rule_alloc(rule_match *m, size_t size);
rule_ints *rule_new_ints(rule_match *m, inlay_type type, int rank, int n);

/* match.c: does RULE match at N? If not, M says why, in MISS or FAILED. */
bool rule_matches(rule_match *m, const rule *r, inlay_node *n);

/* lost.c: returns a node outside of the match M that would have no readers after the rewrite, and
 * may fail in a run, so that an exact rule must not be applied; NULL: there is none. */
const inlay_node *rule_lost_error(rule_match *m);

/* order.c: do the two operands of N match those of NODE only in exchanged order? */
bool rule_is_turned(const rule_match *m, const rule_node *node, const inlay_node *n);
/* order.c: does TYPE, a float type, have NUMBER for a rule of this exactness: exactly, or, for an
 * approximate rule, nearly? */
bool rule_has_number(inlay_type type, double number, inlay_exactness exactness);
/* order.c: returns the distance from 1 to the next number in TYPE, a float type; 1 for others. */
double rule_step_from_one(inlay_type type);
/* order.c: is V the constant written as INTS in a rule; is N of one of NODE's rows? */
bool rule_is_literal(const rule_ints *ints, const inlay_value *v);
bool rule_has_row(const rule_node *node, const inlay_node *n);

/* replace.c: replaces the values of the root's outputs by the right side. Sets *DONE to false, with
 * the graph unchanged, when it could not be built or less would be known. */
bool rule_apply(rule_match *m, bool *done, inlay_diags *d);

/* vocabulary/sizes.c: if operand INPUT of N gives sizes: is everything known of the result known
 * from it alone? Then N has no error in these sizes that the shape rule has not seen. */
bool rule_sizes_are_sure(const inlay_node *n, int input);

/* attrs.c: does NODE name the attribute? */
bool rule_names_attr(const rule_node *node, const char *attr);

#endif
