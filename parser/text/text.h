/* What the files of the text reader share. Private to parser/. */
#ifndef INLAY_PARSER_TEXT_H
#define INLAY_PARSER_TEXT_H

#include "parser/internal.h"

enum { TEXT_MAX_META_ATTRS = 1000 }; /* of one element, as in XML */

typedef struct text_reader {
    inlay_lexer lex;
    inlay_diags *diags;
    const inlay_read_options *options; /* may be NULL */
    inlay_strbuf word;                 /* the last name or string, escapes resolved */
    inlay_strbuf list;                 /* the elements of a list while it is read */
    inlay_arena *scratch;              /* what is only needed until the graph is complete */
    struct text_scope *scopes;         /* of the outermost graph and its bodies */
} text_reader;

/* %name or %name:port as it stands in the source. */
typedef struct text_ref {
    inlay_token name;
    int64_t port; /* -1: not given */
} text_ref;

/* A reference to what was not defined yet: an input, the target of a note, an order edge. */
typedef struct text_pending {
    struct text_pending *next;
    inlay_node *node;     /* the user; NULL: an order edge */
    int index;            /* input, or output with the note */
    inlay_note_kind note; /* INLAY_FRESH: an input */
    text_ref ref, after;
} text_pending;

/* What is written about one output. */
typedef struct text_claim {
    inlay_type type;
    int rank;
    inlay_dim *dims; /* id: the number after # */
} text_claim;

/* The graph that is being read: names may be used before they are defined, types and shapes are
 * compared with inference when all is there. */
typedef struct text_scope {
    inlay_graph *g;
    text_pending *pending, **pending_end; /* inputs, resolved when the graph is complete */
    text_pending *notes, **notes_end; /* notes and order edges, set when nothing changes any more */
    text_claim **claims;              /* by node id; entries may be NULL */
    size_t cap_claims;
    uint32_t *ids; /* identity of number k at k */
    size_t n_ids, cap_ids;
    struct text_scope *next; /* in reader->scopes */
} text_scope;

/* text_value.c. All move past what they read; false after recording an error. */

bool text_next(text_reader *r);
/* The current token must be the word or punctuation TEXT; moves past it. */
bool text_expect(text_reader *r, const char *text);
/* Moves past TEXT when it is the current token. */
bool text_accept(text_reader *r, const char *text, bool *there);
/* A string, or (when WORD_OK) a word: into r->word, with a NUL, which it must not contain. */
bool text_string(text_reader *r, bool word_ok, const char *what);
bool text_int(text_reader *r, int64_t *out);
bool text_type(text_reader *r, inlay_type *out);
/* A shape in brackets. The id of a dim is the number after its # (0: none). */
bool text_shape(text_reader *r, inlay_shape *out);
/* Fails at the current token. */
bool text_fail(text_reader *r, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* The value of attribute I of N, up to the comma or brace. */
bool text_attr(text_reader *r, text_scope *s, inlay_node *n, int i);

/* text_meta.c: metadata in braces */
bool text_meta(text_reader *r, inlay_graph *g, inlay_meta **list);

/* text_facts.c */

/* Dims read with numbers get identities of the graph. */
bool text_resolve_ids(text_reader *r, text_scope *s, int rank, inlay_dim *dims);
/* : TYPE SHAPE as "name" overwrites %target, ... after a node */
bool text_outputs(text_reader *r, text_scope *s, inlay_node *n);
/* Takes what is written about values that no rule infers: stand-ins, parameters of bodies. */
bool text_take_claims(text_reader *r, text_scope *s);
/* Infers every node of the outermost graph (its rules infer the bodies) and holds what is written
 * against it, as it goes. */
bool text_infer(text_reader *r, text_scope *s);
/* Holds what is written in a body against what inference has found. */
bool text_check_claims(text_reader *r, text_scope *s);

/* text_ref.c */

/* %name or %name:port; moves past it. */
bool text_ref_read(text_reader *r, text_ref *ref);
/* "found `%x`, WHAT" on the line of REF; always false. */
bool text_ref_fail(text_reader *r, const text_ref *ref, const char *what);
/* *N is the node that REF names (its name is in r->word), NULL when there is none yet. */
bool text_ref_node(text_reader *r, const text_scope *s, const text_ref *ref, inlay_node **n);
/* The output of N that REF means. */
bool text_ref_value(text_reader *r, const text_ref *ref, inlay_node *n, inlay_value **v);
/* Both; what is not defined is an error. */
bool text_ref_resolve(text_reader *r, const text_scope *s, const text_ref *ref, inlay_value **v);
/* r->word in the arena of G, NULL when out of memory. */
const char *text_copy_word(text_reader *r, inlay_graph *g);

/* text_node.c: %name = Op-1(%a, %b) {axis = 0} : f32[2] ... */
bool text_node(text_reader *r, text_scope *s);
/* text_body.c: the bodies behind a node, with their port maps */
bool text_bodies(text_reader *r, inlay_node *n);
/* text.c: { statements } of G, which is complete then */
bool text_graph(text_reader *r, inlay_graph *g);

#endif
