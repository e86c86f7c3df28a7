/* Graphs from text and back, for tests. */
#ifndef TESTS_UNIT_TEXTS_H
#define TESTS_UNIT_TEXTS_H

#include "parser/parser.h"

/* The graph that TEXT describes (stand-ins allowed); fails the test when it is refused. */
inlay_graph *graph_of_text(const char *text);
/* What reading TEXT says, as model_messages; fails the test when it is read. Static. */
const char *text_refusal(const char *text);
/* The text of G, to be freed. */
char *text_of_graph(const inlay_graph *g, bool full);
/* G prints as EXPECTED (full form), which is read to an equal graph that prints the same. */
void check_round_trip(const inlay_graph *g, const char *expected);

/* Puts M at the end of LIST. */
void append_meta(inlay_meta **list, inlay_meta *m);

#endif
