/* More of graphs, nodes, values, variables and bodies. For the folders of this project, not
 * installed. */
#ifndef INLAY_IR_GRAPH_NODE_H
#define INLAY_IR_GRAPH_NODE_H

#include "ir/graph.h"
#include "ir/tensor/window.h"

/* node.c, graph.c */

/* A new node at the end of the document order with N_IN empty inputs and N_OUT outputs of unknown
 * type and shape. NAME NULL or already taken: made unique ("_2"), the label keeps what was asked
 * for. Parameter and Result nodes join params and results in order of creation. */
inlay_node *inlay_node_new(inlay_graph *g, const inlay_op *op, const char *name, int n_in,
                           int n_out, inlay_diags *d);
/* About NODES more nodes will be made in G, which makes room for their names at once. */
bool inlay_graph_expect(inlay_graph *g, size_t nodes, inlay_diags *d);
/* They are one value, or constants of the same type, shape and bytes, or both NULL. */
bool inlay_value_same(const inlay_value *a, const inlay_value *b);
int inlay_graph_depth(const inlay_graph *g); /* 0 for an outermost graph */
/* The opset its file wrote ("opset8"); kept and written back. */
bool inlay_node_set_opset(inlay_node *n, const char *opset, inlay_diags *d);
/* A is called like B, and B like A. Unchecked: they are nodes of one graph. */
void inlay_node_swap_names(inlay_node *a, inlay_node *b);
/* N gets N_OUT outputs, those that are new being empty. No output may be in use. */
bool inlay_node_set_n_out(inlay_node *n, int n_out, inlay_diags *d);
/* N gets COUNT inputs more, behind those that it has: VALUES of its graph. N takes any number of
 * inputs; what a port map says of the new ones is the caller's to add. */
bool inlay_node_add_inputs(inlay_node *n, inlay_value *const *values, int count, inlay_diags *d);
/* Input I of N goes, or output I, which nothing may read; those behind it move up by one. What a
 * port map says of them is the caller's to mend. */
bool inlay_node_drop_input(inlay_node *n, int i, inlay_diags *d);
bool inlay_node_drop_output(inlay_node *n, int i, inlay_diags *d);
/* V keeps its tensor names and gets one more; a name that it has already counts once. */
bool inlay_value_add_name(inlay_value *v, const char *name, inlay_diags *d);
/* V gets N more tensor names; those that it has already count once. */
bool inlay_value_add_names(inlay_value *v, const char *const *names, int n, inlay_diags *d);
/* fact.c: N, which is pointwise, fails for some elements, as an integer Divide does for a divisor
 * of zero. */
bool inlay_node_may_fail(const inlay_node *n);
/* check_node.c: arity, attributes and operand types of one node against its row. */
bool inlay_check_node(const inlay_node *n, inlay_diags *d);
/* How many outputs N must have by its row, its attributes and its known inputs; -1:
 * not known. */
int inlay_node_n_out(const inlay_node *n);
/* The bytes of a dense tensor, when type and sizes are known and fit the address space. */
bool inlay_fact_bytes(const inlay_fact *f, size_t *bytes);
/* The sizes of a tensor that has a place in 64 bits, so that none of its strides leaves them.
 * False: they are not all known, or it has none. */
bool inlay_fact_sizes(const inlay_fact *f, int64_t *dims);
/* An element of A is surely as large as one of B, and may stand in its place. */
bool inlay_fact_same_width(const inlay_fact *a, const inlay_fact *b);
/* Some dim is 0 in every run: there are no elements. */
bool inlay_fact_is_empty(const inlay_fact *f);
/* Says what is known of V, for values whose op has no rule (stand-ins); dims are copied. */
bool inlay_value_set_fact(inlay_value *v, inlay_type type, int rank, const inlay_dim *dims,
                          inlay_diags *d);

/* dim_name.c: the name of dim AXIS of V when V's node makes that size: no operand of it has the
 * identity. Those of an input are such. A writer says these names, inference finds the others. */
const char *inlay_value_new_dim_name(const inlay_value *v, int axis);
/* One of V's dims has such a name. */
bool inlay_value_has_new_dim_name(const inlay_value *v);

/* fact.c: what is known of V has changed, so that those who read it are to be inferred again. */
void inlay_value_unsettle_readers(inlay_value *v);

/* keep.c: G has or had a node whose row has one of these flags. G that never had any needs no walk
 * for them. Bodies count for themselves. */
bool inlay_graph_had(const inlay_graph *g, unsigned flags);
/* The same of nodes that may have bodies. */
static inline bool inlay_graph_had_bodies(const inlay_graph *g)
{
    return inlay_graph_had(g, INLAY_HAS_BODY | INLAY_STAND_IN);
}

/* clone.c: a node of TO that is equal to N, of a graph that TO holds or is held by, with the
 * operands IN. What was known of its outputs is known still. NULL: out of memory. */
inlay_node *inlay_node_clone(inlay_graph *to, const inlay_node *n, inlay_value *const *in,
                             inlay_diags *d);
/* The nodes of FROM, but its Parameters and Results, are copied to the end of TO, a graph
 * around it. PARAMS are values of TO that stand for the Parameters; RESULTS, with room for as many
 * as FROM has Results, gets what these read. */
bool inlay_graph_splice(inlay_graph *to, const inlay_graph *from, inlay_value *const *params,
                        inlay_value **results, inlay_diags *d);

/* build.c: as inlay_build, of a row that was found before. Unchecked: INPUTS has N_IN entries. */
inlay_node *inlay_build_row(inlay_graph *g, const char *name, const inlay_op *op,
                            inlay_value *const *inputs, int n_in, const char *attrs,
                            inlay_diags *d);

/* variables.c */

/* The variable that N names, if it is of KIND (ReadValue or Assign); else NULL. */
inlay_variable *inlay_variable_of(const inlay_node *n, inlay_op_kind kind);
/* ASSIGN has an entry for each variable of the outermost graph that holds G, by its index, which
 * receives the Assign of the variable that G has, if there is one. */
void inlay_variables_assigned(const inlay_graph *g, const inlay_node **assign);
/* INSIDE has an entry for each variable of the outermost graph that holds G, by its index. Those
 * that are NULL receive a node that reads or assigns the variable in a body below G, however deep,
 * where there is one. */
void inlay_variables_in_bodies(const inlay_graph *g, const inlay_node **inside);
/* The last step of inlay_infer_graph on an outermost graph, for who inferred node by node. What is
 * known of a variable comes from all its nodes: where a later one says more, G is inferred again.
 * False and an error when they contradict each other, or two of them assign it. */
bool inlay_settle_variables(inlay_graph *g, inlay_diags *d);

/* result_name.c */

/* As inlay_result_names, but the names are made in ARENA. */
const char *const *inlay_result_names_in(const inlay_graph *g, inlay_arena *arena, inlay_diags *d);

/* known.c: windows of Slice and SliceScatter, and of Gather and ScatterUpdate where no two indices
 * name one row: a single row, rows that follow each other in equal steps, or any others, which
 * distinct.h knows to be distinct. */

/* Which axis, of RANK, the operand `axis` of N names. False: none has that role, or the number is
 * not known or out of range. Unchecked. */
bool inlay_node_axis(const inlay_node *n, int rank, int *axis);
/* Does N pick or write, by a list, all that its data has at some positions of an axis or of several
 * axes? The same position may be named twice. */
bool inlay_node_names_rows(const inlay_node *n);
/* The same of one axis, and the rows follow each other in equal steps, whatever they are. */
bool inlay_node_steps_rows(const inlay_node *n);
/* Does N pick one such row, whichever it is? A scalar, or one tuple, leaves the axis out. */
bool inlay_node_picks_row(const inlay_node *n);
/* The same of any axes, and it is known that no two numbers of the list name one
 * position, but not that they follow each other in equal steps: no strides may show the rows. */
bool inlay_node_lists_rows(const inlay_node *n);
/* Of N, which names rows: so many axes of its data, the last ones, does a row have. */
int inlay_node_row_axes(const inlay_node *n);
/* Does N select a window of its data, whatever the numbers are that say which? Rows of a list are
 * taken for one if no two of them are the same. */
bool inlay_node_has_window(const inlay_node *n);
/* The same, and N reads it, or writes it as a scatter. */
static inline bool inlay_node_reads_window(const inlay_node *n)
{
    return inlay_node_has_window(n) && !(n->op->flags & INLAY_SCATTER);
}
static inline bool inlay_node_writes_window(const inlay_node *n)
{
    return inlay_node_has_window(n) && (n->op->flags & INLAY_SCATTER);
}
/* What N, which has a window, selects of data of DIMS, as many as N's data has axes; of DIMS
 * NULL: of its data, whose sizes must be static. OUT has room for INLAY_MAX_RANK windows. False: a
 * number is not known, or the lists are wrong. Unchecked: N is such a node. */
bool inlay_node_windows(const inlay_node *n, const int64_t *dims, inlay_window *out);
/* Windows of data that N may have: all positions that it selects lie in them, whatever the sizes
 * are that are not known. False: that depends on sizes, too. */
bool inlay_node_windows_within(const inlay_node *n, inlay_window *out);
/* What N, a SliceScatter, writes if the run goes well: the sizes of its updates are known, be those
 * of the data known or not. False: they are not, or where the window begins depends on a size. */
bool inlay_node_windows_written(const inlay_node *n, inlay_window *out);
/* U is what a node reads a window of that is empty in every run. */
bool inlay_use_reads_none(const inlay_use *u);
/* V is noted as written over the data of a scatter whose window is empty in every run. */
bool inlay_value_writes_none(const inlay_value *v);
/* Does N, a SliceScatter, write all of its data, in their order, if the run goes well? Updates as
 * large as the data, written forwards, have room in an axis from its begin on only, without gaps.
 */
bool inlay_node_writes_all(const inlay_node *n);
/* How many of N's operands, from the first on, it holds in its output: 0, 1, or all. */
int inlay_node_held(const inlay_node *n);
/* The axis along which N puts its operands side by side. False: N does not, or its rank is not
 * known. */
bool inlay_node_joined_axis(const inlay_node *n, int *axis);
/* The number of the input of the graph that says, perhaps converted to i32 or i64, which rows N
 * picks of the state of a variable; -1: N picks none. */
int inlay_node_picks_by(const inlay_node *n);
/* The first operand of N that is V, or LEAST if that comes before. */
int inlay_node_first_operand(const inlay_node *n, const inlay_value *v, int least);
/* The operand that N holds and that shows V: V, or what is noted as a reshape of V, the first of
 * them; NULL: there is none. */
const inlay_value *inlay_node_shown(const inlay_node *n, const inlay_value *v);
/* Is V, noted as a view, what shows the value whose view it is to a node in whose part that value
 * is computed, and can that value be shown with whatever strides V has? V has those of the part. */
bool inlay_value_is_shown(const inlay_value *v);
/* The window of output 0 of N, which holds its operands, in which stands what shows V. OUT has room
 * for as many windows as the output has axes; those in front that V does not have are {0, 1, 1}.
 * False: a size or a place is not known before the run, V is no operand that N holds, or it does
 * not stand there whole. */
bool inlay_node_part(const inlay_node *n, const inlay_value *v, inlay_window *out);
/* What is known of V in one run, or in another graph. */
typedef const inlay_fact *inlay_fact_fn(const void *of, const inlay_value *v);
/* The same by what FACT, which is called with OF, knows of N's operands and its output; NULL: by
 * what they say themselves. */
bool inlay_node_part_by(const inlay_node *n, const inlay_value *v, inlay_fact_fn *fact,
                        const void *of, inlay_window *out);
/* Does what shows V stand whole in a window of output 0 of N, which is known once the sizes of the
 * inputs of the graph are? Of two values in a list these windows do not meet. LATE is that of
 * inlay_list_late. */
bool inlay_node_has_part(const inlay_node *n, const inlay_value *v, const bool *late);
/* Is it known where N shows V, its only operand, but V does not stand there as it is: part of it is
 * cut off, or it lies along other axes? */
bool inlay_node_shows_otherwise(const inlay_node *n, const inlay_value *v);
/* Do the elements of what shows V surely follow each other in output 0 of N? */
bool inlay_node_part_follows(const inlay_node *n, const inlay_value *v);
/* late.c: LATE, by node id, receives of each node in ORDER whether a size of its outputs is known
 * only when it runs: it follows from data, as that of a NonZero does, and not from the sizes of
 * the inputs of the graph. */
void inlay_list_late(const inlay_order_list *order, bool *late);
/* V stands, by the notes, in the part of R that R's node holds for it, or on a value that does. */
bool inlay_value_stands_in_part(const inlay_value *v, const inlay_value *r);
/* The value that owns the bytes of V by notes. *WHOLE, if it is not NULL: V is written over it. */
const inlay_value *inlay_value_owner(const inlay_value *v, bool *whole);
/* The updates of the scatter that makes R, or what is shown there with other axes, when it is noted
 * as computed into the window; or NULL. */
inlay_value *inlay_value_into_operand(const inlay_value *r);
/* Has V, which is computed into the window of SCATTER, the axes of the updates? Else it is shown
 * there with others. */
bool inlay_node_has_axes(const inlay_node *scatter, const inlay_value *v);
/* The windows of V, an output of a Split that begins at BEGIN along the Split's axis; below 0: that
 * is not known. OUT has room for INLAY_MAX_RANK. False: they are not known. */
bool inlay_value_cut(const inlay_value *v, int64_t begin, inlay_window *out);
/* Where the output behind V begins, if V begins at BEGIN; or below 0. */
int64_t inlay_value_cut_end(const inlay_value *v, int64_t begin);
/* A and B, which have windows, select the same positions in the same order, of data that has the
 * same shape: their windows are equal, or, where numbers are not known, their operands are the same
 * values. Unchecked: they are such nodes. */
bool inlay_node_windows_same(const inlay_node *a, const inlay_node *b);

/* Does N, a scatter, move updates which lie in the buffer that it writes, if their steps are those
 * of what it writes, in the order in which none is written over before it is read? */
bool inlay_node_moves_updates(const inlay_node *n);
/* A and B, a Slice and a node that moves updates, of data of one shape, select with the same steps,
 * none of them backwards, wherever they begin. */
bool inlay_node_windows_stepped_alike(const inlay_node *a, const inlay_node *b);
/* A and B, which have windows, surely select no position in common of data that has the same shape,
 * though their numbers are not known: i:k and k:n along one axis, or the rows t and t + 1, where
 * there are more than one. */
bool inlay_node_windows_apart(const inlay_node *a, const inlay_node *b);

/* body.c: port maps of If, Loop and TensorIterator */

/* The bodies a node must have, their port maps in range and complete, back edges with an initial
 * value. Who follows a port map calls this first. */
bool inlay_check_bodies(const inlay_node *n, inlay_diags *d);
/* Where a sliced port cuts an axis of SIZE: part i is port->part_size elements from *FIRST +
 * i * port->stride. Start and end count from the end when negative and are both inside the parts.
 * False when they do not lie on the axis, or the stride leads away from the end. */
bool inlay_port_parts(const inlay_port *port, int64_t size, int64_t *first, int64_t *count);
/* P brings a value as it is, not in parts, and not the number of the iteration or a condition. */
bool inlay_port_is_plain(const inlay_port *p);
/* The Parameter of B that input INPUT of the node enters as it is, and that nothing else brings in;
 * NULL: none. */
const inlay_node *inlay_body_entered(const inlay_body *b, int input);
/* Result R of B, and no other, is what the next iteration has as PARAM. A body that runs once has
 * no next iteration. */
bool inlay_body_renews(const inlay_body *b, int r, const inlay_node *param);
/* A back edge brings PARAM, a Parameter of a body, another value in each iteration. */
bool inlay_param_is_carried(const inlay_node *param);
/* PARAM, of a body, has parts of a tensor that overlap: rows 0 and 1, then 1 and 2. */
bool inlay_param_overlaps(const inlay_node *param);
/* handed.c: sets HANDED[i] for each input i of N which an output of N may be, unchanged, but for
 * output EXCEPT and those that are noted as written over an input: who reads them reads what was
 * written. False: out of memory, which is not recorded. */
bool inlay_node_handed(const inlay_node *n, int except, bool *handed);
/* *IS: a body of V's node may hand V through, unchanged. False: out of memory. */
bool inlay_value_is_handed(const inlay_value *v, bool *is);
/* *TWICE: what a body of V's node makes as V may be another output of the node, too; and where more
 * than 256 bodies in bodies would have to be looked into. False: out of memory. */
bool inlay_value_is_given_twice(const inlay_value *v, bool *twice);
/* N is a Parameter of a body that may run more than once. */
bool inlay_node_is_iterated(const inlay_node *n);
/* A body of N may run more than once. */
bool inlay_node_loops(const inlay_node *n);
/* N is a Loop that makes an iteration in any case. Of a TensorIterator nobody knows. */
bool inlay_node_surely_iterates(const inlay_node *n);

/* graph.c: storage notes and order edges, which say where the bytes of values live, on a graph that
 * means the same with and without them (ir/README.md). Every structural edit drops them in its
 * graph and in the graphs around it. */

bool inlay_value_set_note(inlay_value *v, inlay_note_kind kind, inlay_value *target,
                          inlay_diags *d);
bool inlay_graph_add_order_edge(inlay_graph *g, inlay_node *before, inlay_node *after,
                                inlay_diags *d);
/* An output of U's node is noted as written over U's value. */
bool inlay_use_is_heir(const inlay_use *u);
const char *inlay_note_text(inlay_note_kind kind); /* "fresh", "view of", ... */
/* All notes and order edges of G go. */
void inlay_graph_drop_notes(inlay_graph *g);

/* turn.c: OUT receives the strides of V, a view that shows the axes of data of RANK axes in another
 * order, backwards or cut, when those of the data are STRIDES. An axis of one element may have any.
 * False: not known, or V is no such view. */
bool inlay_value_strides(const inlay_value *v, int rank, const int64_t *strides, int64_t *out);

/* strided.c: what the masks of a StridedSlice say */

/* What entry i of a StridedSlice is about, as its masks say. */
typedef struct inlay_strided_entry {
    int axis; /* of data; -1: a new axis of one element, -2: the ellipsis */
    bool shrinks, from_first, to_last; /* the axis goes; begin, end do not count */
} inlay_strided_entry;

/* The N entries of a StridedSlice on data of RANK dimensions. On failure WHY says what is wrong. */
bool inlay_strided_entries(const inlay_node *node, int n, int rank, inlay_strided_entry *out,
                           char *why, size_t size);

/* meta.c: metadata trees in the graph's arena */

inlay_meta *inlay_meta_new(inlay_graph *g, const char *tag, inlay_diags *d);
bool inlay_meta_set(inlay_graph *g, inlay_meta *m, const char *name, const char *value,
                    inlay_diags *d);

#endif
