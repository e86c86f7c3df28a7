/* The graph and its meaning: element types, shapes, tensors, the op table, nodes and values,
 * shape inference, the verifier, the printer, diagnostics. Everything else in the tree stands on
 * this folder; it knows nothing of files, kernels or passes. Start with ir/README.md.
 *
 * Conventions of all public headers.
 *
 * Order of arguments: first the object, then inputs, options, outputs, and the inlay_diags last:
 * inlay_verify(a, ea, b, eb, options, &result, d). A text in memory is (name, bytes, n), where NAME
 * is the file name in messages; a list is (list, n), a shape (rank, dims), a buffer for text (buf,
 * size). Functions that make something in a graph take the graph and then the name of the new
 * thing. In functions that record a message the inlay_diags is the object.
 *
 * Results: a function that can fail returns bool, or a pointer to what it made. False or NULL means
 * that it recorded one error in the inlay_diags, which may be NULL if you do not want the message;
 * outputs are then NULL or unchanged. A function that only answers a question has no inlay_diags.
 * Options are a struct in which zero means the default; the pointer to it may be NULL.
 *
 * Ownership: you own what x_new, inlay_read_x, inlay_load and inlay_compile return, and free it
 * with the x_free (x_close) of its kind. Tensors and buffers are counted references: release with
 * x_release what a function made or retained for you. NULL may be freed and released. Strings and
 * lists that you pass are copied, tensors and buffers retained, except where a comment says
 * "borrowed": then they must outlive the object. Data behind a returned const pointer stays owned
 * by the object you called. A graph owns its nodes, values, bodies, variables and metadata. Read
 * struct fields, but change a graph only through functions.
 *
 * Arguments are checked: NULL where an object is needed, a missing list entry, an index out of
 * range, or an impossible type, rank or shape is an error; a function that cannot fail does nothing
 * then and returns NULL, 0, false or what its comment says. Not checked are: that other pointers
 * refer to live objects of their type, that lists and buffers have the stated length, that pointers
 * for outputs are not NULL, printf formats, and what you wrote into struct fields. Functions marked
 * "unchecked", which are called for each element, check nothing.
 *
 * Threads: one thread at a time may use a graph or a session. Programs, rule sets, tables and
 * complete registries may be shared by threads. Reference counts are atomic.
 */
#ifndef INLAY_IR_H
#define INLAY_IR_H

#include "ir/budget.h"
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
