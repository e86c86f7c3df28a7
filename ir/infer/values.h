/* Known values of small integer and boolean tensors, as intervals. Private to ir/infer/. */
#ifndef INLAY_INFER_VALUES_H
#define INLAY_INFER_VALUES_H

#include "ir/infer/infer.h"

typedef inlay_dim value_fn(inlay_dim a, inlay_dim b);

/* Does inference follow values of TYPE? Not those of u64, because no inlay_dim holds the largest.
 */
bool follows_values(inlay_type type);
/* Returns FN of A and B as an element of TYPE; a result that may have wrapped is unknown. */
inlay_dim combine_values(value_fn *fn, inlay_type type, inlay_dim a, inlay_dim b);
/* Returns D as an element of TYPE; unknown, if it may be out of the range of TYPE. */
inlay_dim fit_value(inlay_type type, inlay_dim d);

/* Returns a truth value: surely true if YES, surely false if NO, else unknown. */
inlay_dim truth(bool yes, bool no);
inlay_dim value_equal(inlay_dim a, inlay_dim b);
inlay_dim value_not_equal(inlay_dim a, inlay_dim b);
inlay_dim value_not(inlay_dim a);

/* Sets output 0 to the shape of inputs 0 and 1, broadcast as attribute auto_broadcast says. Its
 * elements, of TYPE, are FN of the inputs' elements where those are known; FN NULL: all are
 * unknown. */
bool infer_pair(inlay_infer *cx, inlay_type type, value_fn *fn);

#endif
