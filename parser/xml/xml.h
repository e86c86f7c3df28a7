/* Reads XML by a table of elements. The table belongs to a format; this folder handles elements,
 * attributes, text and positions, whatever they mean.
 *
 * The driver (sax.c) runs libxml2 over a document in memory. Each open element has a KIND, a small
 * number; rules of the table say which elements are read under which kind of parent:
 *
 *     <a><b id="1"/><c>...</c></a>
 *
 *     {XML_ROOT, NAME_a, KIND_A, start_a, end_a}    the root element <a> gets KIND_A
 *     {KIND_A, NAME_b, XML_SKIP, start_b, NULL}     for <b> in it start_b is called
 *
 * and <c>, for which there is no rule, is skipped with its contents. Names of elements and
 * attributes are looked up in libxml2's dictionary once, so that rules compare pointers.
 *
 * It includes ir/ and headers of parser/ itself, and of no folder beside it. */
#ifndef INLAY_PARSER_XML_H
#define INLAY_PARSER_XML_H

#include "ir/shared.h"
#include "parser/parser.h"
#include "parser/xml/library.h"

enum { XML_MAX_DEPTH = 240, XML_MAX_ATTRIBUTES = 1000 };

/* Kinds of open elements. A format's own kinds begin with XML_OWN. */
enum {
    XML_ROOT, /* no element: the parent of the root element */
    XML_SKIP, /* its contents are skipped */
    XML_TEXT, /* its text is collected in xml_reader.text */
    XML_TREE, /* every element in it becomes an inlay_meta */
    XML_OWN
};

/* In place of a name in a rule: any element. */
enum { XML_ANY };

/* An element as libxml2 passes it: its name, and for each attribute five pointers, which are local
 * name, prefix, URI, value and end of the value. */
typedef struct xml_attrs {
    const xmlChar **a;
    int n;
    const xmlChar *tag, *prefix;
} xml_attrs;

typedef struct xml_reader xml_reader;

/* libxml2's dictionary, and the function that frees it. */
typedef struct xml_words {
    xmlDictPtr dict; /* or NULL */
    void (*free)(xmlDictPtr dict);
} xml_words;

/* An element NAME under a parent of kind PARENT gets KIND; the functions (each may be NULL) are
 * called at its start and end. False: one recorded an error, or set x->failed. */
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
    const xml_rule *rules; /* the first that matches is used */
    size_t n_rules;
    bool (*end)(xml_reader *x); /* called at the end of the document */
    /* Records the error WHAT in line LINE, with what the reader knows of the position; always
     * false. */
    bool (*fail)(void *reader, unsigned line, const char *what);
} xml_format;

/* The state of the reader. The members up to `d` are set by the caller. */
struct xml_reader {
    const xml_format *format;
    void *reader;            /* the format's */
    inlay_arena *arena;      /* copies of attributes and words */
    inlay_arena *tree_arena; /* trees */
    const char *file;        /* for messages */
    inlay_diags *d;
    xml_words words; /* frequent words: xml_free_words */
    bool failed;
    int depth;         /* of the open element */
    inlay_strbuf text; /* of the open element, if its kind collects text */
    xml_library library;
    xmlParserCtxtPtr ctxt;
    const xmlChar **names;                  /* of the format, in the dictionary */
    unsigned char kinds[XML_MAX_DEPTH + 1]; /* of the open elements; [0] is XML_ROOT */
    /* Trees, by depth: the open element (NULL: it is not part of a tree), and where the next
     * element of that depth is appended. */
    inlay_meta *tree[XML_MAX_DEPTH + 1];
    inlay_meta **tree_end[XML_MAX_DEPTH + 2];
};

/* sax.c: the driver */

/* Reads the N BYTES. False: an error is recorded. */
bool xml_read(xml_reader *x, const char *bytes, size_t n);
/* Frees the frequent words and the names of attributes. Zeros are fine. */
void xml_free_words(xml_words words);
/* In a start function: skips the element that begins, whatever its rule says. */
void xml_skip(xml_reader *x);

/* fail.c */

/* The current line. */
unsigned xml_line(const xml_reader *x);
/* Records an error in the current line, unless there is one; always false. */
bool xml_fail(xml_reader *x, const char *fmt, ...) INLAY_PRINTF(2, 3);
/* Records an error in line LINE; always false. */
bool xml_fail_line(xml_reader *x, unsigned line, const char *fmt, ...) INLAY_PRINTF(3, 4);
bool xml_fail_memory(xml_reader *x);

/* attr.c: attributes of the element that begins, and their values. NAME is an index of
 * xml_format.names. */

/* Returns SIZE zeroed bytes in x->arena; NULL and an error when out of memory. */
void *xml_alloc(xml_reader *x, size_t size);
/* Copies N bytes as a string to ARENA; NULL and an error when out of memory. */
const char *xml_copy(xml_reader *x, inlay_arena *arena, const char *bytes, size_t n);
/* Returns the value of an attribute, not zero-terminated, and its length; NULL: it is absent. */
const char *xml_attr(const xml_reader *x, xml_attrs attrs, int name, size_t *n);
/* Sets *OUT to a copy of an attribute, NULL if it is absent. */
bool xml_copy_attr(xml_reader *x, xml_attrs attrs, int name, const char **out);
/* The same for a required attribute; WORD: its values are frequent words. */
bool xml_need_attr(xml_reader *x, xml_attrs attrs, int name, bool word, const char **out);
/* Reads a number in LO..2^63-1. If the attribute is absent: DFLT, or an error when that is below
 * LO. */
bool xml_int_attr(xml_reader *x, xml_attrs attrs, int name, int64_t lo, int64_t dflt, int64_t *out);
/* Parses the N bytes of TEXT, a decimal number. Blanks around it are allowed, and nothing else. */
bool xml_parse_int(const char *text, size_t n, int64_t *out);

/* tree.c: elements that are kept unchanged, with their contents */

/* Makes a tree of the element that begins, and appends it at **END, which advances. */
bool xml_tree_append(xml_reader *x, xml_attrs attrs, inlay_meta ***end);
/* Makes trees of the elements inside the element that begins, as LIST. */
void xml_tree_list(xml_reader *x, inlay_meta **list);
/* For the driver, when an element in a tree begins; when an element of kind XML_TREE ends. */
bool xml_tree_start(xml_reader *x, xml_attrs attrs);
bool xml_tree_finish(xml_reader *x);

#endif
