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

#endif
