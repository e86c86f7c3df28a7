/* What the files of the rule reader share. Private to passes/rules/. */
#ifndef INLAY_PASSES_RULE_PARSE_H
#define INLAY_PASSES_RULE_PARSE_H

#include "ir/shared.h"
#include "passes/rules/rule.h"

/* A rule while it is read, with arrays for the largest rule; the used part is copied when the rule
 * is complete. */
typedef struct rule_draft {
    rule rule;
    rule_name names[RULE_NAMES];
    rule_node left[RULE_NODES], right[RULE_NODES];
    rule_clause clauses[RULE_CLAUSES];
} rule_draft;

typedef struct rule_parser {
    inlay_lexer l;
    inlay_rules *set;
    rule_draft *draft;
    rule *r;         /* of the draft; NULL between rules */
    bool right;      /* the right side is being read */
    const char *end; /* of the last condition that was read */
    size_t *named;   /* by hash of the name: the number of the rule, from 1; 0: none */
    size_t n_named;  /* room there, a power of two, and of rules half of it */
} rule_parser;

/* words.c */

/* Records an error of the rule being read, at LINE of the file; always false. */
bool rule_fail(rule_parser *p, unsigned line, const char *fmt, ...) INLAY_PRINTF(3, 4);
/* Reads the token TEXT; an error if it is another. */
bool rule_expect(rule_parser *p, const char *text);
/* Reads the token TEXT if it is the next. Sets *OK to false only when the token after it is
 * malformed. */
bool rule_accept(rule_parser *p, const char *text, bool *ok);
/* Returns the number of the name T in this rule, or -1. */
int rule_lookup(const rule *r, const inlay_token *t);
/* The same, with a new number for a new name; -1 and an error. */
int rule_intern(rule_parser *p, const inlay_token *t);
/* Reads the current token as a name. */
int rule_word(rule_parser *p, const char *expected);
/* Records that the left side uses NAME as KIND: NAME gets this kind, or must have it already. */
bool rule_define(rule_parser *p, int name, rule_kind kind, unsigned line);
const char *rule_kind_text(rule_kind kind);

/* A literal: 3, -1, [0, 1]. */
bool rule_read_ints(rule_parser *p, const rule_ints **out);
/* A number: 1, -0.5, 1e-6. */
bool rule_read_real(rule_parser *p, const rule_ints **out);
/* Reads a literal operand: as rule_read_ints, or a number with a point or an exponent. */
bool rule_read_literal(rule_parser *p, const rule_ints **out);
/* attrs.c: reads the attributes of NODE, `{axis = n, ...}`, and looks up the defaults of those that
 * are not named. */
bool rule_read_attrs(rule_parser *p, rule_node *node);
bool rule_check_attrs(rule_parser *p, const rule_node *node);
/* side.c */
bool rule_read_left(rule_parser *p);
bool rule_read_right(rule_parser *p);
/* check.c: checks that need the whole rule. */
bool rule_check(rule_parser *p);

#endif
