/* Operations that only a program knows, for the tests of sets of operations. */
#ifndef INLAY_TESTS_OWN_OPS_H
#define INLAY_TESTS_OWN_OPS_H

#include "ir/infer.h"
#include "parser/parser.h"

/* Triple multiplies each element by an attribute, or by 3 where nothing is said. */
bool infer_triple(inlay_infer *cx);
bool eval_triple(inlay_call *c);

/* The built-in operations and those of own_ops.c. */
const inlay_op_set *my_ops(void);

typedef inlay_graph *reader(const char *name, const char *bytes, size_t n,
                            const inlay_read_options *o, inlay_diags *d);

inlay_graph *read_with(reader *read, const inlay_op_set *ops, const char *text);
/* Reads a graph of the text form, whose operations are those of my_ops. */
inlay_graph *my_graph(const char *text);

/* A window is read, computed on by Triple and written back. */
static const char window[] = "graph \"w\" {\n"
                             "  %data = Parameter-1 {element_type = f32, shape = [4,2]}\n"
                             "  %start = Const-1 {value = i64[1] [1]}\n"
                             "  %stop = Const-1 {value = i64[1] [3]}\n"
                             "  %step = Const-1 {value = i64[1] [1]}\n"
                             "  %rows = Slice-8(%data, %start, %stop, %step)\n"
                             "  %more = Triple-1@mine(%rows)\n"
                             "  %out = SliceScatter-15(%data, %more, %start, %stop, %step)\n"
                             "  %result = Result-1(%out)\n"
                             "}\n";

#endif
