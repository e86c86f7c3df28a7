/* What the files of inlay-check share (README.md). Memory is never given back, because the program
 * ends soon; without memory it ends with status 3. */
#ifndef INLAY_CHECK_H
#define INLAY_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { ACCEPTED = 0, REFUSED = 1, INVALID = 2, NO_RESOURCE = 3 }; /* exit statuses */
enum { MAX_RANK = 32, OPEN = -1, MOST = 1 << 22 };

/* Strings are kept once, so that equal ones have equal addresses. */
typedef const char *word;

typedef struct shape {
    int rank;               /* -1: unknown */
    int64_t dims[MAX_RANK]; /* OPEN: unknown */
} shape;

typedef struct operand {
    word name; /* NULL: absent */
    int index;
} operand;

typedef enum note_kind { FRESH, VIEW_OF, OVERWRITES, INTO } note_kind;

typedef struct value {
    word type;          /* NULL: not known */
    const shape *shape; /* NULL: not known */
    bool claimed;       /* by the certificate alone */
    note_kind note;
    operand target;
    bool planned; /* its plan was looked for */
    const struct plan *plan;
    struct stored *stored; /* of notes.c */
} value;

typedef struct attr {
    word name, text; /* without blanks, and without quotes around a word */
} attr;

typedef struct node {
    word name, op, set; /* "SliceScatter"; "onnx13", NULL for OpenVINO's */
    int64_t version;
    const char *flags; /* of its row in ir/ops */
    operand *in;
    attr *attrs;
    value *out;
    struct graph **bodies;
    word *rims; /* the port map of each body */
    int n_in, n_attrs, n_out, n_bodies;
    int uses, mark, place; /* PLACE: in its graph */
    const char *text;      /* the node as it is written, N_TEXT bytes */
    size_t n_text;
    const char **elements; /* of a Const: where each is written */
    size_t n_elements;
} node;

typedef struct graph {
    node **nodes; /* in the order of the file, those that came behind */
    int n_nodes;
    bool is_body;
} graph;

/* read.c */
typedef struct reader {
    const char *file, *start, *p;
    size_t n;
    int depth;
} reader;

void *keep(size_t n); /* zeroed */
/* Room for one more entry of SIZE in the list *LIST of *N. */
void *more(void *list, int *n, size_t size);
word word_of(const char *p, size_t n);
word word_of_number(int64_t x);
reader open_file(const char *path);
reader open_certificate(const char *const *files);
_Noreturn void fail(const reader *r, const char *fmt, ...);
void skip(reader *r);
bool takes(reader *r, const char *text);
void must(reader *r, const char *text);
int64_t read_int(reader *r);
word read_word(reader *r, bool name);
word read_name(reader *r);
void read_operands(reader *r, node *n);
void read_attrs(reader *r, node *n);
/* With CLAIMED, types and shapes are what a certificate says. */
node *read_node(reader *r, bool claimed);
graph *read_graph(const char *path);
/* Finds NAME in G, which may be NULL, or sets what it is; NULL: nothing. */
node *find(const graph *g, word name);
void set_node(const graph *g, word name, node *n);
bool is_op(const node *n, const char *op);
bool is_among(const node *n, const char *const *list);
word attr_of(const node *n, const char *name); /* NULL: it is not set */
word attr_or_default(const node *n, const char *name);
bool has_flag(const node *n, const char *flag); /* of its row in ir/ops */
bool is_enum_word(const char *text);
int64_t attr_int(const node *n, const char *name);
bool attr_is(const node *n, const char *name, const char *text);
/* move.c: where elements come from. */
typedef struct scope {
    const graph *g, *made; /* names that were there, and new ones */
    int64_t steps;         /* how many more may be looked at */
    bool claimed;          /* a shape was used that the certificate alone states */
} scope;

typedef struct element {
    const node *n; /* NULL: absent, or the number 0 */
    int k;
    size_t at; /* in row-major order */
} element;

size_t count_of(const shape *s); /* more than MOST: open, or too many */
bool same_shape(const shape *a, const shape *b);
const shape *shape_of(scope *s, element e); /* NULL: not known, or open */
element operand_of(const scope *s, const node *n, int i);
/* The element that E is moved from; false: E is computed, or a number, or it cannot be told. */
bool moved(scope *s, element *e);
word number_of(scope *s, element e, word *type); /* NULL: it is none */
bool same_window(scope *s, const node *a, int i, const node *b, int k, const shape *data);
bool is_pointwise(const node *n);
size_t broadcast_at(const shape *from, const shape *to, size_t i);

/* same.c */
typedef enum answer { SAME, DIFFERENT, UNDECIDED } answer;
typedef struct rule rule;
typedef struct question {
    scope s;
    const rule *rule;    /* that may be applied once; or NULL */
    bool by_rule, plain; /* it was; look at names, operations and constants alone */
    int depth;
    const char *why;
} question;

answer same_value(question *q, const node *a, int i, const node *b, int j);
bool alike(const node *a, const node *b); /* operation, version and attributes */
bool may_turn(const node *n);

/* rule.c */
const rule *rule_of(word name, word set); /* NULL: its text is not known */
const char *proof_of(word name, word set);
const word *functions_of(const rule *r);
void add_rules(const char *path);
bool is_instance(question *q, const rule *r, const node *a, int i, const node *b, int j);

/* steps.c */
typedef enum assumed_kind {
    BY_RULE,
    BY_FUNCTION,
    BY_PASS,
    FOLDED,
    BY_HASH,
    BY_SHAPE,
    BY_NOTE
} assumed_kind;
typedef struct step {
    int64_t serial;
    word pass, rule, set; /* rule NULL: the pass itself */
} step;
typedef struct assumption {
    assumed_kind kind;
    const step *step; /* NULL: none */
    word group,
        name; /* the rule, function or pass; of the equation, or of the value with the note */
    const char *why;
} assumption;
typedef struct verdict {
    bool refused;
    const step *step; /* that is not accepted, or NULL */
    char why[1000];
    assumption *assumed;
    int n_assumed, n_steps, n_equations, n_checked, n_folded, n_notes;
    const char *fold; /* the command that computes constants again; or NULL */
} verdict;

void assume(verdict *v, assumed_kind kind, const step *s, word group, word name, const char *why);
/* Always false. */
bool refuse(verdict *v, const step *s, const char *fmt, ...);
bool replay(graph *g, reader *certificate, verdict *v);
bool same_graphs(const graph *g, const graph *out, verdict *v);

/* main.c: is NOW the constant that the command computes of OLD in G? */
answer fold_again(const graph *g, const node *old, const node *now, const char *command,
                  const char **why);

/* notes.c */
bool check_notes(const graph *g, word rim, verdict *v);

#endif
