/* Graphs from text and back, for tests. */
#ifndef TESTS_UNIT_TEXTS_H
#define TESTS_UNIT_TEXTS_H

#include "parser/parser.h"

/* Returns the graph that TEXT describes (stand-ins allowed); fails the test when TEXT is
 * refused. */
inlay_graph *graph_of_text(const char *text);
/* Returns what reading TEXT says, as model_messages does; fails the test when TEXT is read. The
 * result is static. */
const char *text_refusal(const char *text);
/* Returns the text of G, which the caller frees. */
char *text_of_graph(const inlay_graph *g, bool full);
/* Checks that G prints as EXPECTED (full form), which is read to an equal graph that prints the
 * same. */
void check_round_trip(const inlay_graph *g, const char *expected);

/* Puts M at the end of LIST. */
void append_meta(inlay_meta **list, inlay_meta *m);

#endif
