/* What the files of the text reader share. It includes headers of parser/ itself and of no folder
 * beside it; its lexer is that of ir/text. Private to parser/text. */
#ifndef INLAY_PARSER_TEXT_H
#define INLAY_PARSER_TEXT_H

#include "ir/shared.h"
#include "parser/assemble.h"

typedef struct text_reader {
    inlay_lexer lex;
    assembler a;
    inlay_strbuf word;         /* the last name or string, escapes resolved */
    inlay_strbuf list;         /* the elements of a list while it is read */
    inlay_strbuf dim_names;    /* const char *: the names of sizes, as the text has them */
    struct text_scope *scopes; /* of the outermost graph and its bodies, the latest first */
    struct text_scope *outermost;
} text_reader;

/* A reference in the source: `%name` or `%name:port`. */
typedef struct text_ref {
    inlay_token name;
    int64_t port; /* -1: not given */
} text_ref;

/* What the text claims about one output. */
typedef struct text_claim {
    inlay_type type;
    int rank;
    inlay_dim *dims; /* id: the number after # */
} text_claim;

/* A graph while it is read. The types and shapes that the text claims are compared with inference
 * when the graph is complete. */
typedef struct text_scope {
    assemble_scope *names;
    inlay_graph *g;
    text_claim **claims; /* by node id; entries may be NULL */
    size_t cap_claims;
    uint32_t *ids; /* identity of number k at k */
    size_t n_ids, cap_ids;
    struct text_scope *next; /* in reader->scopes */
} text_scope;

/* Functions that read advance past what they read, and return false after recording an error. */

/* tokens.c */

bool text_next(text_reader *r);
/* Reads the word or punctuation TEXT; an error if the current token is another. */
bool text_expect(text_reader *r, const char *text);
/* Sets *THERE to whether TEXT is the current token, and reads it if so. */
bool text_accept(text_reader *r, const char *text, bool *there);
/* Reads a string, or (when WORD_OK) a word, into r->word, followed by a zero byte; it must not
 * contain one. */
bool text_string(text_reader *r, bool word_ok, const char *what);
/* Fails at the current token. */
bool text_fail(text_reader *r, const char *fmt, ...) INLAY_PRINTF(2, 3);

/* value.c */

/* Reads a number with its sign, or a word for a number (`inf`), as text into BUF, and stays at its
 * last token. */
bool text_number(text_reader *r, char *buf, size_t size, const char *what);
/* Reads a number into element INDEX of the elements of TYPE at BASE. */
bool text_element(text_reader *r, inlay_type type, void *base, int64_t index, const char *what);
bool text_int(text_reader *r, int64_t *out);
bool text_type(text_reader *r, inlay_type *out);
/* Reads a shape in brackets. The id of a size is the number after its # (0: none), or TEXT_NAMED
 * plus the index of the name there. */
bool text_shape(text_reader *r, inlay_shape *out);
enum { TEXT_MAX_NUMBER = INT32_MAX };
#define TEXT_NAMED (UINT32_C(1) << 31)
/* Returns the name for ID in the text; NULL: ID is a number. */
const char *text_dim_name(const text_reader *r, uint32_t id);

/* attr.c: reads the value of attribute I of N, up to the comma or brace. */
bool text_attr(text_reader *r, text_scope *s, inlay_node *n, int i);

/* meta.c: reads metadata in braces. */
bool text_meta(text_reader *r, inlay_graph *g, inlay_meta **list);

/* facts.c */

/* Replaces the numbers and names after # in DIMS by identities of the graph. */
bool text_resolve_ids(text_reader *r, text_scope *s, int rank, inlay_dim *dims);
/* Reads what follows a node: `: TYPE SHAPE as "name" overwrites %target, ...`. */
bool text_outputs(text_reader *r, text_scope *s, inlay_node *n);
/* Accepts the claims about values that no shape rule infers as facts: those of stand-ins and of
 * parameters of bodies. */
bool text_take_claims(text_reader *r, text_scope *s);
/* Called when node N of the outermost graph was inferred: compares the claims about its outputs
 * with the result. */
bool text_inferred(void *reader, const inlay_node *n);
/* Compares the claims about a body with what inference has found. */
bool text_check_claims(text_reader *r, text_scope *s);

/* ref.c */

/* Reads `%name` or `%name:port`. */
bool text_ref_read(text_reader *r, text_ref *ref);
/* Records "found `%x`, WHAT" on the line of REF; always false. */
bool text_ref_fail(text_reader *r, const text_ref *ref, const char *what);
/* assemble_words.unresolved: says in the same way why REF, whose `at` is a text_ref, cannot be
 * resolved. */
bool text_ref_unresolved(void *reader, const assemble_ref *ref, assemble_fault fault);
/* Returns the name of REF in S; r->word holds its text, too. NULL and an error. */
assemble_name *text_ref_name(text_reader *r, assemble_scope *s, const text_ref *ref);
/* Sets *OUT to REF for the assembler, with a copy of REF for later messages. */
bool text_ref_keep(text_reader *r, assemble_scope *s, const text_ref *ref, assemble_ref *out);

/* node.c: reads `%name = Op-1(%a, %b) {axis = 0} : f32[2] ...`. */
bool text_node(text_reader *r, text_scope *s);
/* body.c: reads the bodies behind a node, with their port maps. */
bool text_bodies(text_reader *r, text_scope *s, inlay_node *n);
/* read.c: reads `{ statements }` as the whole graph of NAMES. */
bool text_graph(text_reader *r, assemble_scope *names);

#endif
