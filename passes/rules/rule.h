/* The rule language (passes/rules/README.md): what a rule is once it is read, and the functions
 * that its conditions call. Private to passes/.
 *
 * A rule has two sides made of the same parts. A side is a list of nodes; a node's operands are
 * terms, and a term is a name, another node, or a literal. Names are numbered within their rule and
 * have a kind. A rule is immutable once it is read; what its names stand for at one place in one
 * graph is a rule_match.
 */
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
    RULE_READS = 2,    /* operands of a root that are looked at before it is matched */
    /* A run ends when it has rewritten this many times for each node that was there. Each rule
     * lowers a measure, so that only a rule set that goes in circles gets there. */
    RULE_REWRITES_PER_NODE = 16
};

#define RULE_CONSTANTS (UINT64_C(1) << 63) /* in a set of operations (rule_bit) */

/* What a name stands for; the letters are those of function signatures. */
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
    bool is_real; /* the constant is the number REAL: what a function gives, or a literal number;
                     that of an operand is of no type of its own */
    double real;
    int64_t *x;
} rule_ints;

/* A window of a rule. When it is known there is an inlay_window for each axis of the data; {0,
 * RULE_WHOLE, 1} is all of an axis whose size is not known. When it is not known only FROM is set:
 * the node that has the operands of the window. */
#define RULE_WHOLE INT64_MAX

typedef struct rule_window {
    bool known;
    int rank;
    inlay_window axis[INLAY_MAX_RANK];
    const inlay_node *from; /* NULL: the window was computed */
} rule_window;

/* What a name stands for in a match. The kind says which of the members is set. */
typedef struct rule_binding {
    bool bound;
    rule_kind kind;
    inlay_value *value;
    const rule_window *window;
    inlay_value *const *list;
    const rule_window *const *windows; /* of windows: an entry that is NULL takes everything */
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
    bool optional; /* the name stands in brackets */
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
    int n_outs; /* 0: the node stands in the place of an operand */
    bool any_attrs;
    bool outs_rest; /* the only name is a list of all outputs */
    bool spread;    /* right: a TERM_SPREAD names it */
    unsigned line;
} rule_node;

typedef struct rule_side {
    rule_node *nodes;
    int n_nodes;
    rule_term *values; /* of the right side */
    int n_values;
} rule_side;

/* What a name is: its kind, and what gives it a meaning. */
typedef struct rule_name {
    const char *text;
    rule_kind kind;
    inlay_attr_kind attr_kind;
    bool optional;
    int node, out; /* left: the node whose output has this name; -1: it names no output */
    bool bound;    /* the left side or a let gives it a meaning */
    int right;     /* right: the node of the right side whose output has this name; -1: none */
    unsigned line;
} rule_name;

struct rule_function;

typedef struct rule_clause {
    const struct rule_function *fn;
    bool negated;
    int target; /* the name that a let sets; -1: the clause is a condition */
    rule_term *args;
    int n_args;
    const char *text; /* as it stands in the file */
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
    unsigned root_flags; /* the rule applies only where the row of its root has them all */
    /* And where the root reads an operation of each of these sets; 0: any. A set for each of its
     * first operands, which may stand in another order. */
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
    const rule ***by_row;    /* by row of ops: rules whose root may be that, NULL at the end */
    const rule **of_any;     /* rules whose root may be of any operation, NULL at the end */
};

/* The rules of S whose root may be of OP, NULL at the end. */
const rule *const *rules_of(const inlay_rules *s, const inlay_op *op);

/* OP as an element of a set of operations. Some share a bit: where that is not in a set, OP is not.
 */
static inline uint64_t rule_bit(const inlay_op *op)
{
    return op->kind == INLAY_OP_CONST ? RULE_CONSTANTS : UINT64_C(1) << (unsigned)op->row % 63;
}

/* Answers of a condition. RULE_DONT_KNOW is no match, and `not` does not turn it. */
typedef enum rule_answer { RULE_NO, RULE_YES, RULE_DONT_KNOW } rule_answer;

/* The part of a left side that did not describe the graph. Matching never goes back, so there is
 * exactly one such part. */
typedef struct rule_miss {
    const rule_node *part; /* NULL: the left side did describe it */
    const inlay_node *node;
    int input; /* this operand of NODE is not TERM (NULL: it must be absent), or -1 */
    const rule_term *term;
    const char
        *attr;   /* else: the attribute of this name is another; NULL: NODE itself is not PART */
    bool unsure; /* operand INPUT is TERM, but says sizes that may be wrong */
    int held;    /* the number of operands and attributes that matched before this part */
} rule_miss;

typedef struct rule_chains rule_chains; /* chain.h */

typedef struct rule_match {
    const rule *rule;
    inlay_graph *graph;
    rule_chains *chains;           /* of the graph */
    inlay_node *nodes[RULE_NODES]; /* what the nodes of the left side are */
    rule_binding names[RULE_NAMES];
    inlay_arena *scratch; /* windows, lists, integers */
    rule_miss miss;
    const rule_clause *failed; /* the condition that was not answered by yes */
    rule_answer answer;        /* of it */
    bool no_memory;
} rule_match;

/* A call of a function or a predicate. Arguments have the kinds of the signature; an I may come
 * from a constant, an attribute or a literal. */
typedef struct rule_call {
    rule_match *match;
    rule_binding arg[RULE_ARGS];
    rule_binding out; /* what a let binds */
} rule_call;

/* SIGNATURE: kinds of the arguments; a small letter may be absent. RESULT: a kind, or 'P' for a
 * predicate. FLAGS: the answer is yes only where the row of the operation that the first argument
 * is, or is made by, has them; 0: it may be of any row. */
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

/* V has exactly one use. */
static inline bool rule_used_once(const inlay_value *v)
{
    return v->uses && !v->uses->next;
}

/* Memory that lives as long as the match. Without any the result is NULL, and M->no_memory is
 * set. */
void *rule_alloc(rule_match *m, size_t size);
rule_ints *rule_new_ints(rule_match *m, inlay_type type, int rank, int n);

/* match.c: does RULE match at N? False: no; M says why, in MISS or FAILED. */
bool rule_matches(rule_match *m, const rule *r, inlay_node *n);

/* order.c: the two operands of N are those of NODE in the other order, and not as NODE says them.
 */
bool rule_is_turned(const rule_match *m, const rule_node *node, const inlay_node *n);
/* order.c: TYPE, one of floats, has NUMBER for a rule that is as exact as this: itself, or, of an
 * approximate one, a number that is near it. */
bool rule_has_number(inlay_type type, double number, inlay_exactness exactness);
/* order.c: how far the number behind 1 is from it in TYPE, one of floats; 1 where none is. */
double rule_step_from_one(inlay_type type);
/* order.c: V is the constant that a rule has written as INTS; N is of one of the rows of NODE. */
bool rule_is_literal(const rule_ints *ints, const inlay_value *v);
bool rule_has_row(const rule_node *node, const inlay_node *n);

/* replace.c: the right side, for the values of the root's outputs; *DONE is false, and the
 * graph as it was, when it could not be built or says less than what was there. */
bool rule_apply(rule_match *m, bool *done, inlay_diags *d);

/* vocabulary/sizes.c: if operand INPUT of N says sizes, nothing is known of the result that it did
 * not say: then N can be no error for it that the shape rule has not seen. */
bool rule_sizes_are_sure(const inlay_node *n, int input);

#endif
