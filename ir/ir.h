/* The graph and its meaning: element types, shapes, tensors, the op table, nodes and values,
 * shape inference, the verifier, the printer, diagnostics. Everything else in the tree stands on
 * this folder; it knows nothing of files, kernels or passes. Start with ir/README.md.
 *
 * Conventions of all public headers.
 *
 * Order of arguments: the object (what the function is about, or what it is put into), what goes
 * in, options, what comes out, and the inlay_diags last: inlay_verify(a, ea, b, eb, options,
 * &result, d). A text in memory is (name, bytes, n), where NAME stands for a file in messages; a
 * list is (list, n), a shape (rank, dims), room for words (buf, size). Functions that make
 * something in a graph take the graph and then the new thing's name. Functions that record a
 * message have the inlay_diags for their object.
 *
 * Results: a function that can fail returns bool, or a pointer to what it made; false or NULL means
 * that one error was recorded in the inlay_diags handed in, which may be NULL when nobody wants the
 * words. What comes out through pointers is then NULL, or as it was before. A question returns its
 * answer, and has no inlay_diags. Options are a struct, all zero being the default, and its pointer
 * may be NULL.
 *
 * Ownership: what x_new, inlay_read_x, inlay_load and inlay_compile return is the caller's, and
 * goes with the x_free (x_close) of its kind. Tensors and buffers are counted: who has one from a
 * function that makes or retains it gives it back with x_release, and NULL may be freed and
 * released. Strings and lists handed in are copied, tensors and buffers retained; "borrowed" says
 * where that is not so, and the object must then outlive the borrower. What a const pointer that is
 * returned leads to belongs to the object that was asked. A graph owns its nodes, values, bodies,
 * variables and metadata: they go with inlay_graph_free. Fields of structs are for reading; change
 * a graph through the functions only.
 *
 * Arguments: a function that is handed NULL where it needs something, an entry of a list that is
 * missing, an index out of range, or a type, rank or shape that cannot be, fails with an error; one
 * that has no way to fail does nothing and returns NULL, 0, false or what its comment says. It
 * takes on trust: that pointers which are not NULL lead to living objects of their type, that lists
 * and buffers are as long as is said, that pointers for results are not NULL, formats of printf,
 * and what was written into struct fields by hand. "Unchecked" are functions that are called for
 * each element: they take all their arguments on trust.
 *
 * Threads: a graph is used by one thread at a time, but its programs may run in many. A session
 * belongs to one thread at a time; programs, rule sets, tables, and registries that are complete
 * may be shared. Counts of references are atomic.
 */
#ifndef INLAY_IR_H
#define INLAY_IR_H

#include "ir/build.h"
#include "ir/diag.h"
#include "ir/diff.h"
#include "ir/graph.h"
#include "ir/infer.h"
#include "ir/op.h"
#include "ir/print.h"
#include "ir/strbuf.h"
#include "ir/tensor.h"
#include "ir/version.h"

#endif
