/* What the files of inlay-check share (README.md). Memory is never given back, because the program
 * ends soon; without memory it ends with status 3. */
#ifndef INLAY_CHECK_H
#define INLAY_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { ACCEPTED = 0, REFUSED = 1, INVALID = 2, NO_RESOURCE = 3 }; /* exit statuses */
enum { MAX_RANK = 16, OPEN = -1, MOST = 1 << 22, MOST_DEPTH = 64 };

/* Strings are kept once, so that equal ones have equal addresses. */
typedef const char *word;
typedef struct node node;
typedef struct graph graph;

typedef struct shape {
    int rank;               /* -1: unknown */
    int64_t dims[MAX_RANK]; /* OPEN: unknown */
} shape;

/* Output K of N, or its element AT in row-major order; without N: absent, or the number 0. */
typedef struct element {
    node *n;
    int k;
    size_t at;
} element;

typedef enum note_kind { FRESH, VIEW_OF, OVERWRITES, INTO } note_kind;

typedef struct value {
    word type;          /* NULL: not known */
    const shape *shape; /* NULL: not known */
    bool claimed;       /* by the certificate alone */
    note_kind note;
    element target;
    bool planned; /* its plan was looked for */
    const struct plan *plan;
    struct stored *stored; /* of notes.c */
} value;

typedef struct file {
    const char *path, *text;
    size_t n;
    bool claims; /* types and shapes are what a certificate says */
} file;

/* A word, a string with its quotes, one of ,;=: or a bracket with what stands in it. */
typedef struct tree {
    word text;
    struct tree *in, *next;
    const file *file;
    const char *from, *to; /* in the text */
    bool begins;           /* its line */
} tree;

typedef struct attr {
    word name, text;
    tree *value;
} attr;

/* An equation: NAME is OP of what it reads. A name keeps its node for good; one that nothing
 * defines has no OP. A term of a rule is a node, too; then a name is a variable. */
struct node {
    word name, op, set; /* "SliceScatter"; "onnx13", NULL for OpenVINO's */
    int64_t version;
    const char *flags; /* of its row in ir/ops */
    element *in;
    attr *attrs;
    value *out;
    graph **bodies;
    word *rims; /* the port map of each body */
    int n_in, n_attrs, n_out, n_bodies;
    int mark;         /* of the last walk that was here */
    const char *text; /* the line that it is written in */
    word *elements;   /* of a Const */
    size_t n_elements;
    /* Of a term: what it is in the match at hand. */
    bool is_window, is_optional, is_any, bound;
    element is, *list; /* LIST: of a rest, N_LIST */
    int n_list;
    word literal; /* a number, or the attribute that it is */
};

struct graph {
    node **nodes; /* in the order of the file, those that came behind */
    int n_nodes;
    int depth;      /* of bodies around it */
    word variables; /* lines about them */
    bool is_rule;
};

/* read.c */
void *room(size_t n); /* zeroed; to be freed */
void *keep(size_t n); /* zeroed; until the end */
/* Room for one more entry of SIZE in the list *LIST of *N. */
void *more(void *list, int *n, size_t size);
word word_of(const char *p, size_t n);
/* Where the node of this name in G is; one without an equation if it is new. */
node **slot_of(const graph *g, word name);
const char *shown(const char *text); /* what is not ASCII, and what a terminal obeys, as \xHH */
file open_file(const char *path);
file open_certificate(const char *const *paths);
tree *trees_of(const file *f);
_Noreturn void fail(const tree *t, const char *fmt, ...);
bool takes(tree **t, const char *text);
void must(tree **t, const char *text);
word read_word(tree **t, bool name);
int64_t read_int(tree **t);
element read_operand(tree **t, graph *g);
void read_call(tree **t, graph *g, node *n); /* what is behind the = */
node *read_node(tree **t, graph *g);
/* NULL, or the operand of N that there is not. */
const element *missing_operand(const node *n);
graph *read_graph(const char *path);
bool is_op(const node *n, const char *op);
word attr_of(const node *n, const char *name); /* NULL: it is not set */
word attr_or_default(const node *n, const char *name);
bool has_flag(const node *n, const char *flag); /* of its row in ir/ops */
bool is_enum_word(const char *text);
bool attr_is(const node *n, const char *name, const char *text);

/* same.c: have two equations the same value? */
typedef enum answer { SAME, DIFFERENT, UNDECIDED } answer;
typedef struct rule rule;
typedef struct question {
    int64_t steps;       /* how many more may be looked at */
    bool claimed;        /* a shape was used that the certificate alone states */
    bool in_body;        /* where inputs are not any numbers */
    const rule *rule;    /* that may be applied once; or NULL */
    bool by_rule, plain; /* it was; look at names, operations and constants alone */
    int depth;
    const char *why;
} question;

answer same_value(question *q, element a, element b);
bool alike(const node *a, const node *b); /* operation, version and attributes */
bool may_turn(const node *n);

/* move.c: where elements come from. */
size_t count_of(const shape *s); /* more than MOST: open, or too many */
bool same_shape(const shape *a, const shape *b);
const shape *shape_of(question *q, element e); /* NULL: not known, or open */
element operand_of(const node *n, int i);
/* The element that E is moved from; false: E is computed, or a number, or it cannot be told. */
bool moved(question *q, element *e);
/* The element of operand I that element E is computed from. */
bool pointwise_of(question *q, element e, int i, element *from);
word number_of(question *q, element e, word *type); /* NULL: it is none */
bool same_window(question *q, const node *a, int i, const node *b, int k, const shape *data);
bool is_pointwise(const node *n);

/* rule.c */
element read_term(tree **t, graph *g);
const rule *rule_of(word name, word set); /* NULL: its text is not known */
const char *proof_of(word name, word set);
const tree *next_function(const rule *r, const tree *before); /* of its conditions */
void add_rules(const char *path);
bool is_instance(question *q, const rule *r, element a, element b);

/* steps.c */
typedef enum assumed_kind { BY_RULE, BY_FUNCTION, BY_PASS, FOLDED, BY_SHAPE, BY_NOTE } assumed_kind;

typedef struct step {
    int64_t serial;
    word pass, rule, set; /* rule NULL: the pass itself */
} step;

typedef struct assumption {
    const step *step; /* NULL: none */
    word name;        /* of the equation, or of the value with the note */
    const char *why;
} assumption;

/* What is assumed of one kind, and of one rule, function or pass. */
typedef struct group {
    assumed_kind kind;
    word name;
    const char *status; /* of a rule */
    assumption *list;
    int n;
} group;

typedef struct verdict {
    bool refused;
    const step *step; /* that is not accepted, or NULL */
    char why[1000];
    group *groups;
    int n_groups, n_steps, n_equations, n_checked, n_folded, n_notes;
    const char *fold; /* the command that computes constants again; or NULL */
} verdict;

void assume(verdict *v, assumed_kind kind, const step *s, word group, word name, const char *why);
/* Always false. */
bool refuse(verdict *v, const step *s, const char *fmt, ...);
bool replay(graph *g, tree *steps, verdict *v);
bool same_graphs(const graph *g, const graph *out, verdict *v);

/* main.c: is NOW the constant that the command computes of OLD? */
answer fold_again(node *old, const node *now, const char *command, const char **why);

/* notes.c */
bool check_notes(const graph *g, verdict *v);

#endif
