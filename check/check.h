/* What the files of inlay-check share (README.md). Memory is taken from one list and never given
 * back, because the program ends soon; without memory it ends with status 3. */
#ifndef INLAY_CHECK_H
#define INLAY_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { ACCEPTED = 0, REFUSED = 1, INVALID = 2, NO_RESOURCE = 3 }; /* exit statuses */
enum { MAX_RANK = 32, OPEN = -1 };

/* Strings of all files are kept once, so that equal ones have equal addresses. */
typedef const char *word;

typedef struct shape {
    int rank;               /* -1: unknown */
    int64_t dims[MAX_RANK]; /* OPEN: unknown */
} shape;

typedef struct operand {
    word name; /* NULL: absent */
    int index;
} operand;

typedef struct ground {
    word condition;
    word node;
} ground;

typedef enum note_kind { FRESH, VIEW_OF, OVERWRITES, INTO } note_kind;

typedef struct value {
    word type;          /* NULL: not stated */
    const shape *shape; /* NULL: not stated */
    word *names;        /* of the tensor */
    int n_names;
    note_kind note;
    operand target;
} value;

typedef struct attr {
    word name;
    const char *text; /* without blanks */
    size_t n;
} attr;

typedef struct graph graph;

typedef struct node {
    word name, op, set; /* "SliceScatter"; "onnx13", NULL for OpenVINO's */
    int version;        /* 0: not stated */
    operand *in;
    attr *attrs;
    value *out;
    graph **bodies;
    word *rims; /* the port map of each body, as text */
    int n_in, n_attrs, n_out, n_bodies;
    int uses;    /* by how many operands of the graph it is read */
    bool stated; /* of MODEL, whose types and shapes are trusted */
    int mark;
    size_t line;
    struct stored *stored; /* of notes.c */
} node;

struct graph {
    word name;
    node **nodes; /* in the order of the file; NULL: gone */
    size_t n_nodes, cap_nodes;
    size_t *slots; /* by name: the number of the node from 1 */
    size_t n_slots;
    operand *orders; /* pairs: before, after */
    size_t n_orders;
    word variables; /* their lines, as text */
};

typedef struct edit {
    enum { GOES, COMES, READS } kind;
    word name;
    node *node; /* COMES: all of it; READS: its operands alone */
    struct edit *next;
} edit;

/* The edits of a step within one graph. */
typedef struct place {
    word *path; /* names of nodes with bodies, outermost first */
    int *body;  /* and which body of each */
    int depth;
    edit *first;
    struct place *next;
} place;

typedef struct application {
    long serial;
    word pass, rule, promise, set; /* rule NULL: the pass itself */
    word from;
    size_t line;
    place *first;
    struct application *next;
} application;

/* read.c */
void *keep(size_t n);    /* zeroed */
void *scratch(size_t n); /* zeroed, until scratch_ends */
void scratch_ends(void);
word word_of(const char *p, size_t n);
graph *read_graph(const char *path, bool stated);
application *read_certificate(const char *path);
node *find(const graph *g, word name);
void add_node(graph *g, node *n);
void drop_node(graph *g, word name);
bool is_op(const node *n, const char *op);
const attr *attr_of(const node *n, const char *name);
int64_t attr_int(const node *n, const char *name, int64_t otherwise);
bool attr_is(const node *n, const char *name, const char *text);
/* The literal of a Const: its type and shape, and where its elements begin; *HASHED: they are a
 * hash. NULL: N is no such node. */
const char *literal_of(const node *n, value *out, bool *hashed, size_t *length);
void fail_at(const char *file, size_t line, const char *fmt, ...);

/* move.c: tags of the elements of a tensor, in row-major order. What a tag means is up to the
 * caller; a number has the bit NUMBER and its value in `numbers`. */
typedef uint64_t tag;
typedef struct tags {
    word type;
    shape shape;
    size_t n;
    tag *at;
} tags;
#define NUMBER ((tag)1 << 63)
#define TERM ((tag)1 << 62)

bool count_of(const shape *s, size_t *n); /* false: open, or more than can be tagged */
tags *new_tags(word type, const shape *s);
tag number_tag(int64_t x, word type);
bool number_of(tag t, int64_t *x);
/* Does N only move elements? */
bool moves(const node *n);
/* Output K of N for the tags of its operands. NULL: *WHY says why it cannot be told. */
tags *move(const node *n, tags *const *in, int k, const char **why);
/* The shape of operands that broadcast. */
bool broadcast_of(tags *const *in, int n, shape *out);
/* The position in an operand of shape FROM that broadcasts to element I of TO. */
size_t broadcast_at(const shape *from, const shape *to, size_t i);
bool is_pointwise(const node *n);

/* terms.c */
typedef enum answer { SAME, DIFFERENT, UNDECIDED } answer;
typedef struct question {
    const graph *before, *made; /* the names that were there, and new ones */
    const node *old, *now;      /* two equations of one name */
    int mark;                   /* of all nodes that go or come */
    bool unstated;              /* the answer relies on a shape that the certificate alone states */
} question;
answer compare_equations(question *q, char *why, size_t size);
tags *tags_of_constant(const node *n);

/* steps.c */
typedef enum assumed_kind { BY_RULE, BY_PASS, FOLDED, BY_HASH, BY_SHAPE, BY_NOTE } assumed_kind;
typedef struct assumption {
    assumed_kind kind;
    const application *step; /* NULL: none */
    word name;               /* of the equation, or of the value with the note */
    word why;
    struct assumption *next;
} assumption;
typedef struct verdict {
    bool refused;
    const application *step; /* that is not accepted, or NULL */
    char why[1000];
    assumption *assumed, **last;
    size_t n_steps, n_equations, n_checked, n_folded, n_notes;
    const char *fold; /* the command that computes constants again; or NULL */
} verdict;

void assume(verdict *v, assumed_kind kind, const application *s, word name, const char *why);
/* Always false. */
bool refuse(verdict *v, const application *s, const char *fmt, ...);
/* Replays STEPS on G. */
bool replay(graph *g, const application *steps, verdict *v);
/* Are the equations of G those of OUT? */
bool same_graphs(const graph *g, const graph *out, verdict *v);
/* The inputs and outputs of a graph, in order, by name. */
word *rim_of(const graph *g, int *n);

/* fold.c */

/* The hash that the text form gives of the elements of a constant. False: it cannot be told. */
bool hash_of_literal(word type, const char *p, size_t length, size_t count, uint64_t *out);
/* Has constant NOW the elements that the command COMMAND computes of OLD in G? UNDECIDED: WHY says
 * what is in the way. */
answer fold_again(const graph *g, const node *old, const node *now, const char *command,
                  const char **why);

/* notes.c */
bool check_notes(const graph *out, verdict *v);

#endif
