/* Builds a graph from what a file says: the part of reading that all formats share.
 *
 * A reader knows the syntax of its format and the position of everything in the file. It calls the
 * assembler with one record after another, and the assembler makes the graph. The text form
 *
 *     %y = Add-1(%x, %c)
 *     %c = Const-1 {value = f32[] 1}
 *     order %c before %y
 *
 * leads to these calls (error handling left out):
 *
 *     y = assemble_name_of(scope, "y", 1);            the name "y", not defined yet
 *     op = assemble_row(scope, &(assemble_spec){.type = "Add", .number = 1}, at);
 *     node = assemble_node(scope, op, &(assemble_record){.name = "y", .n_in = 2, .n_out = 1});
 *     assemble_define(scope, y, node, -1, line);      now "y" names this node
 *     assemble_operand(scope, node, 0, ref of "x");   "x" is defined: the operand is connected
 *     assemble_operand(scope, node, 1, ref of "c");   "c" is not: the operand is queued
 *     ...
 *     assemble_order(scope, ref of "c", ref of "y");  order edges and notes are queued, too
 *     assemble_all_defined(scope);                    connects the queued operands
 *     assemble_infer(a, NULL);                        checks and infers all nodes
 *     assemble_notes(a);                              sets notes and order edges
 *     graph = assemble_end(a, ok);                    drops illegal notes with a warning
 *
 * A SCOPE is one graph with its names: the outermost graph, or a body of a node. A NAME is whatever
 * the format uses to refer to values: in the text form it names a node, and a reference selects one
 * of its outputs (`%split:1`); in a JSON graph it names a value; a layer of an OpenVINO file has an
 * id instead, so its reader makes names without text and finds them by id. A name may be used
 * before it is defined. For names that are used and never defined the assembler calls the reader
 * (`unresolved`), because only the reader can word the message.
 *
 * What some formats need besides:
 *  - An input is left out by never calling assemble_operand for it, an output by giving it no name.
 *  - In a body whose nodes may use values of the outer graph (captured values), the reader looks
 *    for a name in scope->outer, makes a Parameter, defines the name as that Parameter, and adds a
 *    port: assemble_port accepts ports until the body is passed to assemble_bodies.
 *  - A function that is inlined at its call has names of its own, but its nodes belong to the graph
 *    of the caller: assemble_scope_new accepts any graph, also one that has a scope.
 *
 * Errors: a function that fails has recorded one error and returns false or NULL. The assembler is
 * the layer between the readers and ir/; it knows no format. */
#ifndef INLAY_PARSER_ASSEMBLE_H
#define INLAY_PARSER_ASSEMBLE_H

#include "ir/shared.h"
#include "parser/parser.h"

/* The most attributes of one node or of one element of metadata, for formats without a limit. */
enum { ASSEMBLE_MAX_ATTRIBUTES = 1000 };

/* A name in the file, and what it refers to. */
typedef struct assemble_name {
    const char *text; /* NULL: the reader finds the name by other means */
    size_t length;
    inlay_node *node; /* NULL: the name is not defined yet */
    int output;       /* the name refers to this output of the node; -1: to the node */
    unsigned line;    /* where the name is defined */
} assemble_name;

/* A use of a name. */
typedef struct assemble_ref {
    assemble_name *name; /* NULL: the file has nothing there that could be a name */
    int64_t output;      /* which output of the node; -1: the file gives none */
    const void *at;      /* for the reader's messages; must live until the reference is resolved */
} assemble_ref;

/* Why a reference cannot be resolved. */
typedef enum assemble_fault {
    ASSEMBLE_UNDEFINED,    /* no node of the scope has the name */
    ASSEMBLE_WHICH_OUTPUT, /* the node has not exactly one output, and the file says not which */
    ASSEMBLE_NO_OUTPUT     /* the node has fewer outputs */
} assemble_fault;

/* The reader's functions for messages. READER is assembler.reader, AT what the reader passed. */
typedef struct assemble_words {
    /* Records the error WHAT with the place AT in front of it; always false. */
    bool (*fail)(void *reader, const void *at, const char *what);
    /* Reports that REF cannot be resolved, because of FAULT. False: the reader recorded an error.
     * True, for a note or an order edge only: the reader warned, and the note is left out. */
    bool (*unresolved)(void *reader, const assemble_ref *ref, assemble_fault fault);
} assemble_words;

typedef struct assemble_scope assemble_scope;

/* A cached result of assemble_row. */
typedef struct assemble_found {
    const char *type, *version;
    const inlay_op *op;
} assemble_found;

enum { ASSEMBLE_N_FOUND = 64 }; /* a power of two */

/* One run of a reader. */
typedef struct assembler {
    inlay_graph *graph;   /* the outermost graph */
    inlay_arena *scratch; /* memory that is freed after reading, under the same limit as the
                             graph's */
    const char *file;     /* the name of the file in messages; may be NULL */
    inlay_read_options options;
    inlay_diags *d;
    const assemble_words *words;
    void *reader;
    assemble_found found[ASSEMBLE_N_FOUND];
    struct assemble_note *notes, **notes_end; /* in the order of the file */
    struct assemble_dim *dims, **dims_end;    /* names of dims, in the order of the file */
} assembler;

/* A slot of a scope's table of names: a name is in the first free one from that of its hash on. */
typedef struct assemble_slot {
    uint32_t hash;
    assemble_name *name; /* NULL: the slot is free */
} assemble_slot;

/* A cached lookup, by the address of TEXT. */
typedef struct assemble_recent {
    const char *text;
    assemble_name *name; /* NULL: not looked up yet, */
    size_t length;       /* but these are known */
    uint32_t hash;
} assemble_recent;

enum { ASSEMBLE_N_RECENT = 32 }; /* a power of two */

/* A graph while it is read. */
struct assemble_scope {
    assembler *a;
    inlay_graph *graph;
    assemble_scope *outer; /* the graph around this body; NULL: this is the outermost graph */
    bool all_defined;      /* nothing more will be defined */
    assemble_slot *table;  /* the names that have a text: TABLE_SIZE slots, a power of two, at */
    size_t n_names, table_size; /* least half of them free */
    assemble_recent recent[ASSEMBLE_N_RECENT];
    struct assemble_wait *waiting, **waiting_end; /* operands without a value yet, in the order of
                                                     the file */
    inlay_body body; /* role and graph of a body; its ports are counted here, and listed below */
    struct assemble_port_entry *in, **in_end, *out, **out_end;
    struct assemble_back_entry *back, **back_end;
};

/* Begin and end */

/* Begins to read the file NAME (may be NULL) with the options O (may be NULL): makes an empty graph
 * under the memory limit of O. assemble_end must be called, even after a failure. */
bool assemble_begin(assembler *a, const char *name, const inlay_read_options *o, inlay_diags *d);
/* The same with EXPAND, which replaces deferred nodes of the graph once enough is known. */
bool assemble_begin_as(assembler *a, const char *name, const inlay_read_options *o,
                       inlay_expand_fn *expand, inlay_diags *d);
/* Ends reading. OK: the graph is complete; its illegal notes are dropped with a warning each, and
 * the caller owns it. Otherwise frees the graph, and records an error if the memory limit was the
 * reason. NULL unless all went well. */
inlay_graph *assemble_end(assembler *a, bool ok);
/* Begins to add nodes to the existing graph G, which messages call FILE. assemble_leave must be
 * called, even after a failure. */
bool assemble_resume(assembler *a, inlay_graph *g, const char *file, inlay_diags *d);
void assemble_leave(assembler *a);
/* Checks and infers all nodes of the outermost graph in canonical order, and with them the bodies
 * and the facts of variables. INFERRED (may be NULL) is called for each node of the outermost graph
 * when its facts are known, before any node that uses them is inferred. */
bool assemble_infer(assembler *a, bool (*inferred)(void *reader, const inlay_node *n));
/* Names the open sizes, and sets the notes and order edges of all scopes. Call this last, because
 * edits drop notes. */
bool assemble_notes(assembler *a);

/* Scopes */

/* Makes a scope, without names yet, for nodes of G. NULL: out of memory. */
assemble_scope *assemble_scope_new(assembler *a, assemble_scope *outer, inlay_graph *g);
/* Finds or makes the name TEXT of LENGTH bytes in S. NULL: out of memory. */
assemble_name *assemble_name_of(assemble_scope *s, const char *text, size_t length);
/* The same for a C string that lives, unchanged, as long as the assembler: it is not copied, and
 * recent ones are found by address. */
assemble_name *assemble_lasting_name(assemble_scope *s, const char *text);
/* Tells that assemble_lasting_name will be called for TEXT, and that a node may get that name:
 * fetches what both will read, since a look-up in a large table waits for memory. */
void assemble_foresee(assemble_scope *s, const char *text);
/* Reserves capacity for about N names in S, which has none yet. False: out of memory. */
bool assemble_expect(assemble_scope *s, size_t n);
/* Declares that nothing more will be defined in S, and connects the queued operands. */
bool assemble_all_defined(assemble_scope *s);

/* Nodes */

/* What an operation may become: its row, or a stand-in, which keeps all attributes as text. */
typedef enum assemble_wanted {
    ASSEMBLE_ROW,
    ASSEMBLE_STAND_IN,
    ASSEMBLE_EITHER /* a stand-in where there is no row and the options allow one */
} assemble_wanted;

/* An operation as written in a file. Both texts must live, unchanged, as long as the assembler. */
typedef struct assemble_spec {
    const char *type;
    const char *version; /* "opset8"; NULL: the file gives none */
    int64_t number;      /* from the specification (the 8 of Slice-8); -1: the file gives none */
    assemble_wanted wanted;
} assemble_spec;

/* Returns the row of the op table for SPEC, or a stand-in. No other code of parser/ looks up rows.
 * AT is the position for errors. */
const inlay_op *assemble_row(assemble_scope *s, const assemble_spec *spec, const void *at);

typedef struct assemble_record {
    const char *name;    /* NULL: the node gets a name of its type; a name that is taken: NAME_2 */
    const char *version; /* the file's, which writers write back; NULL: none */
    int n_in, n_out;
    unsigned line;
    inlay_meta *rt_info;
} assemble_record;

inlay_node *assemble_node(assemble_scope *s, const inlay_op *op, const assemble_record *r);
/* Defines NAME, which must be undefined, as output OUTPUT (-1: the whole) of N. */
void assemble_define(assemble_name *name, inlay_node *n, int output, unsigned line);
/* Connects operand I of N to the value of REF, at once or when its name is defined. */
bool assemble_operand(assemble_scope *s, inlay_node *n, int i, const assemble_ref *ref);
/* Returns the value of REF; NULL and an error when there is none. */
inlay_value *assemble_value(assemble_scope *s, const assemble_ref *ref);
/* Copies TEXT to memory that lives as long as the graph. NULL: out of memory. */
const char *assemble_string(assembler *a, const char *text);
/* Sets the list attribute ATTR of N to the COUNT items at ITEMS, of the C type of its kind
 * (int64_t, double, inlay_type, const char *). */
bool assemble_list(inlay_node *n, int attr, const void *items, int count, inlay_diags *d);
/* Adds the attribute NAME, as text, to the stand-in N. */
bool assemble_extra(inlay_node *n, const char *name, const char *value, inlay_diags *d);
/* Makes a dense tensor, counted against the memory limit. NULL: out of memory. */
inlay_tensor *assemble_tensor(assembler *a, inlay_type type, int rank, const int64_t *dims);

/* Bodies */

/* Makes the scope of a new body of N, a node of S. NULL and an error. */
assemble_scope *assemble_body(assemble_scope *s, inlay_node *n, const char *role, const char *name);
/* Returns the position of INNER among the Parameters (INPUT) or Results of G; -1: it is none. */
int assemble_inner(const inlay_graph *g, bool input, const inlay_node *inner);
/* Appends port P to the body of S; P->inner is set. */
bool assemble_port(assemble_scope *s, bool input, const inlay_port *p);
bool assemble_back_edge(assemble_scope *s, inlay_back_edge edge);
/* Gives N these bodies, which are complete. */
bool assemble_bodies(inlay_node *n, assemble_scope *const *bodies, int count, inlay_diags *d);

/* Names of open sizes. On an input of the model a name is a declaration: sizes with one name are
 * equal. On another value it names the size that inference finds; if inference finds a number, or a
 * size with a name, the file's name is ignored. */

/* Names size AXIS of V; NAME must live as long as the assembler. The declared shape of a Parameter
 * must have been set. A size that V does not have, or that is a number, is ignored. */
bool assemble_dim_name(assemble_scope *s, inlay_value *v, int axis, const char *name);

/* Storage notes of a file are only claims: they are set at the end, and dropped when illegal. */

/* Sets *KIND to the kind of note that WORD names ("view of", "overwrites", "into"); false: none. */
bool assemble_note_kind(const char *word, inlay_note_kind *kind);
/* Sets the note of V to KIND with the value of REF as target. */
bool assemble_note(assemble_scope *s, inlay_value *v, inlay_note_kind kind,
                   const assemble_ref *ref);
/* Declares that the note of V, set before by assemble_note, states what it relies on. */
bool assemble_grounds(assemble_scope *s, inlay_value *v);
/* Adds a ground to that note: it relies on the node of REF to fulfil CONDITION. */
bool assemble_ground(assemble_scope *s, inlay_value *v, inlay_condition condition,
                     const assemble_ref *ref);
/* Adds an order edge: the node of BEFORE must run before the node of AFTER. */
bool assemble_order(assemble_scope *s, const assemble_ref *before, const assemble_ref *after);

#endif
