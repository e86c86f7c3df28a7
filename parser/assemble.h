/* From what a file says to a graph: the part of reading that all formats have in common.
 *
 * A reader knows the syntax of its format and where each thing stands in the file. It calls the
 * assembler with one record after the other, and the assembler makes the graph. The text form
 *
 *     %y = Add-1(%x, %c)
 *     %c = Const-1 {value = f32[] 1}
 *     order %c before %y
 *
 * leads to these calls (error handling left out):
 *
 *     y = assemble_name_of(scope, "y", 1);            the name "y", which stands for nothing yet
 *     op = assemble_row(scope, &(assemble_spec){.type = "Add", .number = 1}, at);
 *     node = assemble_node(scope, op, &(assemble_record){.name = "y", .n_in = 2, .n_out = 1});
 *     assemble_define(scope, y, node, -1, line);      now "y" stands for this node
 *     assemble_operand(scope, node, 0, ref of "x");   "x" is there: the operand is connected
 *     assemble_operand(scope, node, 1, ref of "c");   "c" is not: the operand waits
 *     ...
 *     assemble_order(scope, ref of "c", ref of "y");  order edges and notes wait for the end
 *     assemble_all_defined(scope);                    what waits is connected
 *     assemble_infer(a, NULL);                        rows check and infer their nodes
 *     assemble_notes(a);                              notes and order edges are set
 *     graph = assemble_end(a, ok);                    illegal notes are dropped with a warning
 *
 * A SCOPE is one graph with its names: the outermost graph, or a body of a node. A NAME is whatever
 * the format calls values by. A text names a node, of which a reference selects an output
 * (`%split:1`); a JSON graph names values; a layer of an OpenVINO file has an id instead, so that
 * its reader makes the name without text and finds it by the id. A name may be used before it is
 * defined. What is used and never defined is told to the reader (`unresolved`), because the
 * reader alone knows the sentence and the place.
 *
 * What a format may need besides:
 *  - An input that is left out is an operand for which assemble_operand is never called; an output
 *    that is left out is one without a name.
 *  - A body whose nodes may use values of the graph around it (captured values) looks for a name in
 *    scope->outer, makes a Parameter, defines the name as that Parameter, and adds a port:
 *    assemble_port takes ports as long as the body is not handed to assemble_bodies.
 *  - A function that is expanded where it is called has names of its own, but its nodes belong to
 *    the graph of the caller: assemble_scope_new takes any graph, also one that has a scope.
 *
 * Errors: a function that fails has recorded one error and returns false or NULL. The assembler
 * lies between the readers and ir/; it knows no format. */
#ifndef INLAY_PARSER_ASSEMBLE_H
#define INLAY_PARSER_ASSEMBLE_H

#include "ir/shared.h"
#include "parser/parser.h"

/* Attributes of one node or of one element of metadata, where nothing else bounds their number. */
enum { ASSEMBLE_MAX_ATTRIBUTES = 1000 };

/* A name of the file, and what it stands for. */
typedef struct assemble_name {
    const char *text; /* NULL: the reader finds the name by other means */
    size_t length;
    uint32_t hash;               /* of the text */
    inlay_node *node;            /* NULL: the name is not defined yet */
    int output;                  /* the name is that of this output of the node; -1: of the node */
    unsigned line;               /* where the name is defined */
    struct assemble_name *chain; /* the next name in the same bucket of the scope's table */
} assemble_name;

/* A use of a name. */
typedef struct assemble_ref {
    assemble_name *name; /* NULL: the file says nothing that could be a name */
    int64_t output;      /* of the node that the name stands for; -1: the file gives none */
    const void *at;      /* for the reader's messages; it lives as long as the reference waits */
} assemble_ref;

/* Why a reference leads to no value. */
typedef enum assemble_fault {
    ASSEMBLE_UNDEFINED,    /* no node of the scope has the name */
    ASSEMBLE_WHICH_OUTPUT, /* the node has not exactly one output, and the file says not which */
    ASSEMBLE_NO_OUTPUT     /* the node has fewer outputs */
} assemble_fault;

/* What a reader says for the assembler. READER is assembler.reader, AT what the reader passed. */
typedef struct assemble_words {
    /* Records the error WHAT with the place AT in front of it; always false. */
    bool (*fail)(void *reader, const void *at, const char *what);
    /* REF leads to no value, because of FAULT. False: the reader recorded an error. True, for a
     * note or an order edge only: the reader warned, and the note is left out. */
    bool (*unresolved)(void *reader, const assemble_ref *ref, assemble_fault fault);
} assemble_words;

typedef struct assemble_scope assemble_scope;

/* A row that was found before. */
typedef struct assemble_found {
    const char *type, *version;
    const inlay_op *op;
} assemble_found;

enum { ASSEMBLE_N_FOUND = 64 }; /* a power of two */

/* One run of a reader. */
typedef struct assembler {
    inlay_graph *graph;   /* the outermost graph */
    inlay_arena *scratch; /* memory for the time of reading, under the same limit as the graph's */
    const char *file;     /* the name of the file in messages; may be NULL */
    inlay_read_options options;
    inlay_diags *d;
    const assemble_words *words;
    void *reader;
    assemble_found found[ASSEMBLE_N_FOUND];
    struct assemble_note *notes, **notes_end; /* in the order of the file */
    struct assemble_dim *dims, **dims_end;    /* names of dims, in the order of the file */
} assembler;

/* A name that was asked for by a text that stays where it is. */
typedef struct assemble_recent {
    const char *text;
    assemble_name *name;
} assemble_recent;

enum { ASSEMBLE_N_RECENT = 16 }; /* a power of two */

/* A graph while it is read. */
struct assemble_scope {
    assembler *a;
    inlay_graph *graph;
    assemble_scope *outer; /* of the node whose body the graph is; NULL: the outermost graph */
    bool all_defined;      /* a name that is not defined now will never be */
    assemble_name **table; /* hash table of the names that have a text, chained */
    size_t n_names, table_size;
    assemble_recent recent[ASSEMBLE_N_RECENT];
    struct assemble_wait *waiting, **waiting_end; /* operands, in the order of the file */
    inlay_body body; /* role and graph of a body; its ports are counted here, and listed below */
    struct assemble_port_entry *in, **in_end, *out, **out_end;
    struct assemble_back_entry *back, **back_end;
};

/* The run */

/* Begins to read the file NAME (may be NULL) with the options O (may be NULL): an empty graph under
 * the limit of memory that O gives. After a failure, too, assemble_end must be called. */
bool assemble_begin(assembler *a, const char *name, const inlay_read_options *o, inlay_diags *d);
/* The same, where EXPAND makes what deferred nodes of the graph stand for. */
bool assemble_begin_as(assembler *a, const char *name, const inlay_read_options *o,
                       inlay_expand_fn *expand, inlay_diags *d);
/* Ends the run. OK: the graph is complete; its illegal notes are dropped with a warning each, and
 * the caller owns it. Otherwise the graph is freed, and when the limit of memory was the reason,
 * an error says so. NULL unless all went well. */
inlay_graph *assemble_end(assembler *a, bool ok);
/* Begins to add nodes to G, which is there, and which messages call FILE. assemble_leave must be
 * called in any case. */
bool assemble_resume(assembler *a, inlay_graph *g, const char *file, inlay_diags *d);
void assemble_leave(assembler *a);
/* Checks and infers every node of the outermost graph in canonical order, which infers the bodies,
 * and settles what is known of variables. INFERRED (may be NULL) is called for each node of the
 * outermost graph when its facts are known, before any node that uses them is inferred. */
bool assemble_infer(assembler *a, bool (*inferred)(void *reader, const inlay_node *n));
/* Gives the dims their names, and sets the notes and order edges of all scopes. This comes last,
 * because edits drop notes. */
bool assemble_notes(assembler *a);

/* Scopes */

/* A scope without names for nodes of G. NULL: out of memory. */
assemble_scope *assemble_scope_new(assembler *a, assemble_scope *outer, inlay_graph *g);
/* The name TEXT of LENGTH bytes in S; the first use of a name makes it. NULL: out of memory. */
assemble_name *assemble_name_of(assemble_scope *s, const char *text, size_t length);
/* The same for a TEXT with a zero at its end, which lives as long as the assembler does, unchanged:
 * it is not copied, and found without a look at it where it was asked for a moment ago. */
assemble_name *assemble_lasting_name(assemble_scope *s, const char *text);
/* About N names will be made in S, which has none yet. False: out of memory. */
bool assemble_expect(assemble_scope *s, size_t n);
/* Nothing more will be defined in S: connects the operands that wait. */
bool assemble_all_defined(assemble_scope *s);

/* Nodes */

/* What may stand for an operation: its row, or a stand-in, which keeps all attributes as text. */
typedef enum assemble_wanted {
    ASSEMBLE_ROW,
    ASSEMBLE_STAND_IN,
    ASSEMBLE_EITHER /* a stand-in where there is no row and the options allow one */
} assemble_wanted;

/* An operation as a file spells it. Both texts live as long as the assembler does, unchanged. */
typedef struct assemble_spec {
    const char *type;
    const char *version; /* "opset8"; NULL: the file gives none */
    int64_t number;      /* that of the specification (the 8 of Slice-8); -1: the file gives none */
    assemble_wanted wanted;
} assemble_spec;

/* The row of the op table that SPEC means, or a stand-in. This is the only place of parser/ where a
 * row is looked up. An error stands at AT. */
const inlay_op *assemble_row(assemble_scope *s, const assemble_spec *spec, const void *at);

typedef struct assemble_record {
    const char *name;    /* NULL: the node gets a name of its type; a name that is taken: NAME_2 */
    const char *version; /* that the file gives, to be written back; NULL: none */
    int n_in, n_out;
    unsigned line;
    inlay_meta *rt_info;
} assemble_record;

inlay_node *assemble_node(assemble_scope *s, const inlay_op *op, const assemble_record *r);
/* NAME, which must not be defined yet, stands for output OUTPUT (-1: the whole) of N from now on.
 */
void assemble_define(assemble_name *name, inlay_node *n, int output, unsigned line);
/* Operand I of N is what REF leads to. Where the name is not defined yet, the operand waits. */
bool assemble_operand(assemble_scope *s, inlay_node *n, int i, const assemble_ref *ref);
/* The value that REF leads to; NULL and an error when there is none. */
inlay_value *assemble_value(assemble_scope *s, const assemble_ref *ref);
/* A copy of TEXT that lives as long as the graph. NULL: out of memory. */
const char *assemble_string(assembler *a, const char *text);
/* Sets attribute ATTR of N, a list: COUNT items at ITEMS, of the C type that its kind has (int64_t,
 * double, inlay_type, const char *). */
bool assemble_list(inlay_node *n, int attr, const void *items, int count, inlay_diags *d);
/* The stand-in N keeps the attribute NAME as text. */
bool assemble_extra(inlay_node *n, const char *name, const char *value, inlay_diags *d);
/* A new dense tensor, counted against the limit of memory. NULL: out of memory. */
inlay_tensor *assemble_tensor(assembler *a, inlay_type type, int rank, const int64_t *dims);

/* Bodies */

/* The scope of a new body of N, which is a node of S. NULL and an error. */
assemble_scope *assemble_body(assemble_scope *s, inlay_node *n, const char *role, const char *name);
/* The position of INNER among the Parameters (INPUT) or Results of G; -1: it is none of them. */
int assemble_inner(const inlay_graph *g, bool input, const inlay_node *inner);
/* Appends a port to the body of S: P with its position P->inner. */
bool assemble_port(assemble_scope *s, bool input, const inlay_port *p);
bool assemble_back_edge(assemble_scope *s, inlay_back_edge edge);
/* N has these bodies, which are complete. */
bool assemble_bodies(inlay_node *n, assemble_scope *const *bodies, int count, inlay_diags *d);

/* Names of dims. Of an input of the model a name is a declaration: its inputs have the same size
 * wherever they have the same name. Of another value it is what the file calls the size that
 * inference finds. Where inference finds a number, or a size that has a name already, the name says
 * nothing. */

/* Dim AXIS of V is called NAME, which lives as long as the assembler. The declared shape of a
 * Parameter must be set before; a dim that V does not have, or is a number, is passed over. */
bool assemble_dim_name(assemble_scope *s, inlay_value *v, int axis, const char *name);

/* Notes: what a file says of storage is a claim. It is set at the end, and dropped when illegal. */

/* The kind of note that WORD names ("view of", "overwrites", "into"); false: none. */
bool assemble_note_kind(const char *word, inlay_note_kind *kind);
/* The storage of V has KIND, with the target that REF leads to. */
bool assemble_note(assemble_scope *s, inlay_value *v, inlay_note_kind kind,
                   const assemble_ref *ref);
/* The note of V, of which assemble_note was told before, states what it relies on. */
bool assemble_grounds(assemble_scope *s, inlay_value *v);
/* It relies on the node that REF leads to, which keeps CONDITION. */
bool assemble_ground(assemble_scope *s, inlay_value *v, inlay_condition condition,
                     const assemble_ref *ref);
/* The node that BEFORE leads to must have run before that of AFTER. */
bool assemble_order(assemble_scope *s, const assemble_ref *before, const assemble_ref *after);

#endif
