/* The tokens of the text form and of the rule language. For the folders of this project, not
 * installed.
 *
 * The arguments must be a started lexer and tokens that it made; this is not checked. */
#ifndef INLAY_IR_TEXT_TOKEN_H
#define INLAY_IR_TEXT_TOKEN_H

#include "ir/diag.h"
#include "ir/strbuf.h"

typedef enum inlay_token_kind {
    INLAY_TOKEN_END,
    INLAY_TOKEN_WORD,   /* SliceScatter, then_body, write-back */
    INLAY_TOKEN_NAME,   /* %data, %"any bytes" */
    INLAY_TOKEN_STRING, /* "text" */
    INLAY_TOKEN_NUMBER, /* 12, 1.5e-3, 0x7f: no sign */
    INLAY_TOKEN_PUNCT   /* the longest of ... .. => -> == != <= >= && ||, else one character */
} inlay_token_kind;

typedef struct inlay_token {
    inlay_token_kind kind;
    const char *start; /* in the source */
    size_t length;
    unsigned line;
    bool glued; /* no blank or comment precedes it */
} inlay_token;

typedef struct inlay_lexer {
    const char *file; /* for messages */
    const char *at, *end;
    unsigned line;
    inlay_token now;
    inlay_diags *diags;
} inlay_lexer;

/* BYTES must outlive the lexer. The first token is read by the first inlay_lexer_next. */
void inlay_lexer_start(inlay_lexer *l, const char *file, const char *bytes, size_t n,
                       inlay_diags *d);
/* Reads the next token. False and an error at a byte that begins none. */
bool inlay_lexer_next(inlay_lexer *l);
/* Records "found X, expected EXPECTED" at the current token; always false. */
bool inlay_lexer_fail(inlay_lexer *l, const char *expected);
/* Replaces the contents of OUT by the bytes of a STRING or NAME, escapes resolved; they may contain
 * NULs. */
bool inlay_lexer_string(inlay_lexer *l, inlay_strbuf *out);
/* Is T a WORD or PUNCT with exactly this text? */
bool inlay_token_is(const inlay_token *t, const char *text);
/* Can S be written bare as a WORD, or after % as a NAME? Else it must be quoted. */
bool inlay_token_is_word(const char *s);
bool inlay_token_is_name(const char *s);

#endif
