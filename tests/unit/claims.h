/* What the tests of the checker of storage notes share. Notes that stand in a text are claims, and
 * a reader drops illegal ones; here they are set by hand instead: "r overwrites data; x view of
 * data; y into r {I1 x, N1 data}; a before b". A BODY is that of graph_of (graphs.h). */
#ifndef INLAY_TESTS_CLAIMS_H
#define INLAY_TESTS_CLAIMS_H

#include "ir/ir.h"

/* Returns the value of G that is called "r", or "split.1". */
inlay_value *value_called(inlay_graph *g, const char *name);
void set_claims(inlay_graph *g, const char *claims);
/* TEXT receives the error about BODY with CLAIMS; "": the claims are legal. */
void judge_claims(const char *body, const char *claims, char *text, size_t size);
/* Checks that BODY with CLAIMS is legal. */
void check_legal(const char *body, const char *claims);
/* Checks that the claims are not legal: NOTE is how the message calls the note, and WHY is all that
 * comes after that. */
void check_illegal(const char *body, const char *claims, const char *note, const char *why);

#endif
