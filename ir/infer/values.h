/* Known values of small integer and boolean tensors, as intervals. Private to ir/infer/. */
#ifndef INLAY_INFER_VALUES_H
#define INLAY_INFER_VALUES_H

#include "ir/infer/infer.h"

typedef inlay_dim value_fn(inlay_dim a, inlay_dim b);

/* Types whose values are worth following; u64 has values that no inlay_dim holds. */
bool follows_values(inlay_type type);
/* FN of A and B as an element of TYPE: what may have wrapped is unknown. */
inlay_dim combine_values(value_fn *fn, inlay_type type, inlay_dim a, inlay_dim b);
/* D as an element of TYPE; out of its range nothing is known. */
inlay_dim fit_value(inlay_type type, inlay_dim d);

/* A truth value: YES and NO say whether it is proven to be true, and to be false. */
inlay_dim truth(bool yes, bool no);
inlay_dim value_equal(inlay_dim a, inlay_dim b);
inlay_dim value_not_equal(inlay_dim a, inlay_dim b);
inlay_dim value_not(inlay_dim a);

/* Sets output 0: inputs 0 and 1 broadcast as attribute auto_broadcast says, elements of TYPE, whose
 * known values are FN of those of the inputs. FN NULL: nothing is said about values. */
bool infer_pair(inlay_infer *cx, inlay_type type, value_fn *fn);

#endif
