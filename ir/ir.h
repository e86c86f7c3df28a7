/* The graph and its meaning: element types, shapes, tensors, the op table, nodes and values,
 * shape inference, the verifier, the printer, diagnostics. Everything else in the tree stands on
 * this folder; it knows nothing of files, kernels or passes. Start with ir/README.md.
 *
 * Conventions. Functions that can fail return bool or a pointer; false or NULL means that an error
 * was recorded in the inlay_diags handed in (which may be NULL when nobody wants the words).
 * A graph and all it points to live in the graph's arena and go with inlay_graph_free. Strings
 * handed in are copied. Struct fields are for reading; change a graph through the functions only.
 *
 * Arguments. A function that is handed NULL where it needs something, an entry of a list that is
 * missing, an index out of range, or a type, rank or shape that cannot be, fails with an error; one
 * that has no way to fail does nothing and returns NULL, 0, false or what its comment says. It
 * takes on trust: that pointers which are not NULL lead to living objects of their type, that lists
 * and buffers are as long as is said, that pointers for results are not NULL, formats of printf,
 * and what was written into struct fields by hand. "Unchecked" are functions that are called for
 * each element: they take all their arguments on trust.
 */
#ifndef INLAY_IR_H
#define INLAY_IR_H

#include "ir/build.h"
#include "ir/diag.h"
#include "ir/graph.h"
#include "ir/op.h"
#include "ir/print.h"
#include "ir/strbuf.h"
#include "ir/tensor.h"

#endif
