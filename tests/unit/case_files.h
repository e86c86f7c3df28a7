/* The files of cases in tests/ops and tests/subgraphs: NAME.inlay is one case, FAMILY.cases has one
 * below each line `case NAME`. */
#ifndef INLAY_TESTS_CASE_FILES_H
#define INLAY_TESTS_CASE_FILES_H

#include <stddef.h>

typedef struct case_text {
    char
        *path; /* ".../tests/ops/Add/same.inlay", ".../tests/ops/Add/elementwise.cases:types,f32" */
    const char *name; /* in PATH: "same.inlay", "types,f32" */
    char *text;
} case_text;

typedef struct case_texts {
    case_text *list;
    size_t n;
} case_texts;

/* Adds the cases in FOLDER ("tests/ops/Add", "tests/ops/" and a star) of the checkout, in the order
 * of their names. */
void case_texts_add(case_texts *c, const char *folder);
void case_texts_free(case_texts *c);

#endif
