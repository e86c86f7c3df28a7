/* Reading XML by a table of elements. The table belongs to a format; this room knows elements,
 * attributes, text and positions, and nothing of what they mean.
 *
 * The driver (sax.c) runs libxml2 over a document in memory. Each open element has a KIND, a small
 * number, and the table says which element under which kind of parent means something:
 *
 *     <a><b id="1"/><c>...</c></a>
 *
 *     {XML_ROOT, NAME_a, KIND_A, start_a, end_a}    the root element <a> gets KIND_A
 *     {KIND_A, NAME_b, XML_SKIP, start_b, NULL}     <b> in it is handed to start_b
 *
 * and <c>, which no rule names, is skipped with all that is in it. Names of elements and attributes
 * are looked up in libxml2's dictionary once, so that the rules compare pointers.
 *
 * The room includes ir/, headers of parser/ itself, and no other room. */
#ifndef INLAY_PARSER_XML_H
#define INLAY_PARSER_XML_H

#include "ir/shared.h"
#include "parser/parser.h"
#include "parser/xml/library.h"

enum { XML_MAX_DEPTH = 240, XML_MAX_ATTRIBUTES = 1000 };

/* Kinds of open elements. Those of a format begin with XML_OWN. */
enum {
    XML_ROOT, /* no element: the parent of the root element */
    XML_SKIP, /* nothing in the element is looked at */
    XML_TEXT, /* the text of the element is collected in xml_reader.text */
    XML_TREE, /* every element in it becomes an inlay_meta */
    XML_OWN
};

/* In place of a name in a rule: whatever the element is called. */
enum { XML_ANY };

/* An element as libxml2 hands it over: its name, and for each attribute five pointers, which are
 * local name, prefix, URI, value and end of the value. */
typedef struct xml_attrs {
    const xmlChar **a;
    int n;
    const xmlChar *tag, *prefix;
} xml_attrs;

typedef struct xml_reader xml_reader;

/* libxml2's dictionary, and what frees it. */
typedef struct xml_words {
    xmlDictPtr dict; /* or NULL */
    void (*free)(xmlDictPtr dict);
} xml_words;

/* Which element under which parent; which kind it gets; what is called at its start and its end
 * (each may be NULL). A function that returns false has recorded an error, or set x->failed. */
typedef struct xml_rule {
    int parent;
    int name;
    int kind;
    bool (*start)(xml_reader *x, xml_attrs attrs);
    bool (*end)(xml_reader *x);
} xml_rule;

typedef struct xml_format {
    const char *const *names; /* names[XML_ANY] is not used */
    int n_names;
    const xml_rule *rules; /* the first one that fits counts */
    size_t n_rules;
    bool (*end)(xml_reader *x); /* the document is complete */
    /* Records the error WHAT in line LINE, with what the reader knows of the place; always false.
     */
    bool (*fail)(void *reader, unsigned line, const char *what);
} xml_format;

/* The state of one run. The members up to `d` are set by the caller. */
struct xml_reader {
    const xml_format *format;
    void *reader;            /* the format's */
    inlay_arena *arena;      /* copies of attributes and words */
    inlay_arena *tree_arena; /* trees */
    const char *file;        /* for messages */
    inlay_diags *d;
    xml_words words; /* those that come often: xml_free_words */
    bool failed;
    int depth;         /* of the element that is open */
    inlay_strbuf text; /* of the element that is open, where it is collected */
    xml_library library;
    xmlParserCtxtPtr ctxt;
    const xmlChar **names;                  /* of the format, in the dictionary */
    unsigned char kinds[XML_MAX_DEPTH + 1]; /* of the open elements; [0] is XML_ROOT */
    /* Trees, by depth: the element that is open (NULL: it is in no tree itself), and where the next
     * element of that depth is appended. */
    inlay_meta *tree[XML_MAX_DEPTH + 1];
    inlay_meta **tree_end[XML_MAX_DEPTH + 2];
};

/* sax.c: the driver */

/* Reads the N BYTES. False: an error is recorded. */
bool xml_read(xml_reader *x, const char *bytes, size_t n);
/* Frees the words of xml_word and the names of attributes. Zeros are fine. */
void xml_free_words(xml_words words);
/* In a start function: the element that begins is skipped, whatever its rule says. */
void xml_skip(xml_reader *x);

/* fail.c */

/* The current line. */
unsigned xml_line(const xml_reader *x);
/* An error in the current line, unless there was one before; always false. */
bool xml_fail(xml_reader *x, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* An error in line LINE; always false. */
bool xml_fail_line(xml_reader *x, unsigned line, const char *fmt, ...) INLAY_PRINTF(3, 4);
bool xml_fail_memory(xml_reader *x);

/* attr.c: attributes of the element that begins, and what their values are. NAME is an index of
 * xml_format.names. */

/* SIZE zeroed bytes in x->arena; NULL and an error when out of memory. */
void *xml_alloc(xml_reader *x, size_t size);
/* N bytes as a string in ARENA; NULL and an error when out of memory. */
const char *xml_copy(xml_reader *x, inlay_arena *arena, const char *bytes, size_t n);
/* The same for words that come often: each is kept once, until the words are freed. */
const char *xml_word(xml_reader *x, const char *bytes, size_t n);
/* The value of an attribute, which no zero byte ends, and its length; NULL: it is not there. */
const char *xml_attr(const xml_reader *x, xml_attrs attrs, int name, size_t *n);
/* *OUT is a copy of an attribute, NULL when it is not there. */
bool xml_copy_attr(xml_reader *x, xml_attrs attrs, int name, const char **out);
/* The same of an attribute that must be there; WORD: its values come often. */
bool xml_need_attr(xml_reader *x, xml_attrs attrs, int name, bool word, const char **out);
/* A number in LO..2^63-1. Where the attribute is not there: DFLT, or an error when that is below
 * LO. */
bool xml_int_attr(xml_reader *x, xml_attrs attrs, int name, int64_t lo, int64_t dflt, int64_t *out);
/* TEXT, N bytes, as a decimal number. Blanks around it are allowed, and nothing else. */
bool xml_parse_int(const char *text, size_t n, int64_t *out);

/* tree.c: elements that are kept as they are, with all that is in them */

/* The element that begins becomes a tree, appended at **END, which moves behind it. */
bool xml_tree_append(xml_reader *x, xml_attrs attrs, inlay_meta ***end);
/* The elements in the element that begins become the trees of LIST. */
void xml_tree_list(xml_reader *x, inlay_meta **list);
/* For the driver: an element in a tree begins; an element of kind XML_TREE ends. */
bool xml_tree_start(xml_reader *x, xml_attrs attrs);
bool xml_tree_finish(xml_reader *x);

#endif
