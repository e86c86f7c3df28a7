/* Values that are written down as text, for tests that state them by hand:
 *
 *     "f32[2,3] 1 2 3 4 5 6"    a tensor; also nan, inf, -inf, true, 0x7f; "i64 5" is a scalar
 *     "string[2] a ''"          two strings, one of them empty
 *     "f32[20,10,5] iota"       0, 1, 2, ...
 *     "f32[2,?a,1..8]"          a shape: what is known of a tensor, "..." for an unknown rank;
 *                               sizes with the same letter behind them are one size
 *
 * Nothing here fails a test or prints: a text that is wrong gives NULL and an error. */
#ifndef INLAY_GENERATE_WRITTEN_H
#define INLAY_GENERATE_WRITTEN_H

#include "ir/ir.h"

/* The caller releases it. */
inlay_tensor *written_tensor(const char *text, inlay_diags *d);
/* A constant when TEXT has elements, else a Parameter of the shape that it states. */
inlay_value *written_operand(inlay_graph *g, const char *text, inlay_diags *d);

/* The same form back: a tensor, and what is known of a value, with known elements behind "="
 * ("i64[2]={3,?a}"). */
void written_add_tensor(inlay_strbuf *b, const inlay_tensor *t);
void written_add_fact(inlay_strbuf *b, const inlay_fact *f);

/* The elements of T as every second one of the last dimension of a larger tensor. NULL: no memory.
 */
inlay_tensor *written_strided(const inlay_tensor *t);

#endif
