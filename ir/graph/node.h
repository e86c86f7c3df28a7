/* Functions on graphs, nodes, values, variables and bodies for the folders of this project; not
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
/* Reserves capacity in the table of names for about NODES more nodes. */
bool inlay_graph_expect(inlay_graph *g, size_t nodes, inlay_diags *d);
/* Prefetches what making a node needs whose name has HASH (the low half of inlay_hash). */
void inlay_graph_foresee(const inlay_graph *g, uint32_t hash);
/* Are A and B one value, or constants of the same type, shape and bytes, or both NULL? */
bool inlay_value_same(const inlay_value *a, const inlay_value *b);
int inlay_graph_depth(const inlay_graph *g); /* 0 for an outermost graph */
/* The opset that the file gave for N ("opset8"); writers write it back. */
bool inlay_node_set_opset(inlay_node *n, const char *opset, inlay_diags *d);
/* Exchanges the names of A and B. Unchecked: they are nodes of one graph. */
void inlay_node_swap_names(inlay_node *a, inlay_node *b);
/* Gives N N_OUT outputs; new ones have no type. No output may have uses. */
bool inlay_node_set_n_out(inlay_node *n, int n_out, inlay_diags *d);
/* Appends COUNT inputs, VALUES of N's graph, to N, which is variadic. The caller adds them to port
 * maps. */
bool inlay_node_add_inputs(inlay_node *n, inlay_value *const *values, int count, inlay_diags *d);
/* Removes input I of N, or output I, which must have no uses; later ones move up by one. The caller
 * corrects port maps. */
bool inlay_node_drop_input(inlay_node *n, int i, inlay_diags *d);
bool inlay_node_drop_output(inlay_node *n, int i, inlay_diags *d);
/* Adds a tensor name to V, unless V has it already. */
bool inlay_value_add_name(inlay_value *v, const char *name, inlay_diags *d);
/* Adds N tensor names to V, without those that it has already. */
bool inlay_value_add_names(inlay_value *v, const char *const *names, int n, inlay_diags *d);
/* fact.c: can the pointwise node N fail for some elements, as an integer Divide by zero does? */
bool inlay_node_may_fail(const inlay_node *n);
/* check_node.c: arity, attributes and operand types of one node against its row. */
bool inlay_check_node(const inlay_node *n, inlay_diags *d);
/* The number of outputs that N must have by its row, attributes and known inputs; -1: unknown. */
int inlay_node_n_out(const inlay_node *n);
/* The node behind N in a walk over G and all bodies below it, each node before those of its bodies.
 * N NULL: the first one. NULL: N is the last one. N must still be where it was. */
inlay_node *inlay_graph_walk(const inlay_graph *g, const inlay_node *n);
/* How many nodes a walk over G has. */
size_t inlay_graph_count_nodes(const inlay_graph *g);
/* What the row of OP says of operand I: the last one may stand for several. */
static inline const inlay_operand_info *inlay_op_operand_info(const inlay_op *op, int i)
{
    return &op->in[i < op->n_in ? i : op->n_in - 1];
}
/* Does some node, or a body, read an output of N? */
bool inlay_node_is_used(const inlay_node *n);
/* Is F known to be of this type, rank and sizes? INLAY_DYNAMIC, and a rank below 0, say nothing. */
bool inlay_fact_is_within(const inlay_fact *f, inlay_type type, int rank, const inlay_dim *dims);
/* Has F a type, and one number for each size? */
bool inlay_fact_is_exact(const inlay_fact *f);
/* Sets *BYTES to the size of a dense tensor, if type and sizes are known and it fits into memory.
 */
bool inlay_fact_bytes(const inlay_fact *f, size_t *bytes);
/* Writes the sizes to DIMS. False: not all are known, or a stride would not fit into 64 bits. */
bool inlay_fact_sizes(const inlay_fact *f, int64_t *dims);
/* Do elements of A and B have the same width for sure, so that one may be written over the other?
 */
bool inlay_fact_same_width(const inlay_fact *a, const inlay_fact *b);
/* Is the tensor empty in every run (some size is 0)? */
bool inlay_fact_is_empty(const inlay_fact *f);
/* Sets the fact of V, for operations without a shape rule (stand-ins); dims are copied. */
bool inlay_value_set_fact(inlay_value *v, inlay_type type, int rank, const inlay_dim *dims,
                          inlay_diags *d);

/* dim_name.c: the name of size AXIS of V if V's node introduces that size (no operand has its
 * identity), as inputs do. Writers write these names; inference finds all others from them. */
const char *inlay_value_new_dim_name(const inlay_value *v, int axis);
/* Has some size of V such a name? */
bool inlay_value_has_new_dim_name(const inlay_value *v);

/* fact.c: marks the readers of V to be inferred again, because V's fact has changed. */
void inlay_value_unsettle_readers(inlay_value *v);

/* keep.c: has G, or had it once, a node with one of these flags of its row? If not, a walk over G
 * for such nodes is not needed. Bodies are not included. */
bool inlay_graph_had(const inlay_graph *g, unsigned flags);
/* The same of nodes that may have bodies. */
static inline bool inlay_graph_had_bodies(const inlay_graph *g)
{
    return inlay_graph_had(g, INLAY_HAS_BODY | INLAY_STAND_IN);
}

/* clone.c: copies N into TO, a graph around N's or inside it, with the operands IN. The copy keeps
 * the facts of the outputs. NULL: out of memory. */
inlay_node *inlay_node_clone(inlay_graph *to, const inlay_node *n, inlay_value *const *in,
                             inlay_diags *d);
/* Inlines FROM into the graph TO around it: copies all nodes but Parameters and Results to the end
 * of TO. PARAMS are the values of TO for the Parameters; RESULTS[i] receives the copy of the value
 * that Result i reads. */
bool inlay_graph_splice(inlay_graph *to, const inlay_graph *from, inlay_value *const *params,
                        inlay_value **results, inlay_diags *d);

/* build.c: inlay_build_begin for a row that is at hand. Unchecked: INPUTS has N_IN entries. */
inlay_node *inlay_build_row(inlay_graph *g, const char *name, const inlay_op *op,
                            inlay_value *const *inputs, int n_in, inlay_diags *d);

/* variables.c */

/* The variable that N names, if it is of KIND (ReadValue or Assign); else NULL. */
inlay_variable *inlay_variable_of(const inlay_node *n, inlay_op_kind kind);
/* For each variable of the outermost graph around G: ASSIGN[its index] receives G's Assign to it,
 * if there is one. */
void inlay_variables_assigned(const inlay_graph *g, const inlay_node **assign);
/* The same for bodies: INSIDE[its index], if it is NULL, receives a node in some body below G that
 * reads or assigns the variable. */
void inlay_variables_in_bodies(const inlay_graph *g, const inlay_node **inside);
/* The last step of inlay_infer_graph on an outermost graph, for callers that infer node by node:
 * the facts of a variable come from all nodes that use it, so G is inferred again if a later one
 * knows more. False and an error when they contradict each other, or two of them assign the
 * variable. */
bool inlay_settle_variables(inlay_graph *g, inlay_diags *d);

/* result_name.c */

/* inlay_result_names with the names allocated in ARENA. */
const char *const *inlay_result_names_in(const inlay_graph *g, inlay_arena *arena, inlay_diags *d);

/* known.c: the window that a node reads or writes. Slice and SliceScatter have one, and so have
 * Gather and ScatterUpdate if their indices are distinct (distinct.h): one row, rows at equal
 * steps, or a list of rows. A row is all that the data has at one position of the axis. */

/* Sets *AXIS, of RANK, to what the operand with role `axis` says. False: N has no such operand, or
 * its value is unknown or out of range. Unchecked. */
bool inlay_node_axis(const inlay_node *n, int rank, int *axis);
/* Does N read or write whole rows by a list of indices, which may repeat? The row may be at
 * positions of several axes. */
bool inlay_node_names_rows(const inlay_node *n);
/* The same along one axis with indices at equal steps, whatever their values. */
bool inlay_node_steps_rows(const inlay_node *n);
/* Does N read exactly one row (by a scalar or one tuple, which removes the axis)? */
bool inlay_node_picks_row(const inlay_node *n);
/* Does N read or write exactly one row of an axis before which there are only axes of size 1, so
 * that the elements of any row follow each other? */
bool inlay_node_takes_outer_row(const inlay_node *n);
/* Does N use a list of rows that are known to be distinct, but not to be at equal steps, so that no
 * strided view can stand for them? */
bool inlay_node_lists_rows(const inlay_node *n);
/* The number of axes of a row of N, which names rows: the last ones of its data. */
int inlay_node_row_axes(const inlay_node *n);
/* Does N read or write a window of its data, known or not? A list of distinct rows counts as one.
 */
bool inlay_node_has_window(const inlay_node *n);
/* The same for nodes that read the window, and for scatters, which write it. */
static inline bool inlay_node_reads_window(const inlay_node *n)
{
    return inlay_node_has_window(n) && !(n->op->flags & INLAY_SCATTER);
}
static inline bool inlay_node_writes_window(const inlay_node *n)
{
    return inlay_node_has_window(n) && (n->op->flags & INLAY_SCATTER);
}
/* Has V, which overwrites DATA, the shape of DATA in every run? A scatter's result has it, whatever
 * else is known of either, because its updates say more. */
static inline bool inlay_value_fits_over(const inlay_value *v, const inlay_value *data)
{
    return inlay_fact_same_shape(&v->fact, &data->fact) ||
           ((v->node->op->flags & INLAY_SCATTER) && data->fact.rank >= 0);
}
/* Writes the window of N on data with sizes DIMS (NULL: on its own data, whose sizes must be known)
 * to OUT[INLAY_MAX_RANK]. False: a number is unknown, or the operands are invalid. Unchecked: N has
 * a window. */
bool inlay_node_windows(const inlay_node *n, const int64_t *dims, inlay_window *out);
/* Writes to OUT a window that contains N's window whatever its open sizes are. False: none is
 * known. */
bool inlay_node_windows_within(const inlay_node *n, inlay_window *out);
/* Writes to OUT the window that the SliceScatter N writes if it does not fail: the sizes of its
 * updates, whether those of the data are known or not. False: they are unknown, or the begin
 * depends on an open size. */
bool inlay_node_windows_written(const inlay_node *n, inlay_window *out);
/* Does the node of U read an empty window of U's value in every run? */
bool inlay_use_reads_none(const inlay_use *u);
/* Is V noted as written over the data of a scatter whose window is empty in every run? */
bool inlay_value_writes_none(const inlay_value *v);
/* Does the SliceScatter N write all of its data in order, if it does not fail? Updates as large as
 * the data, written forwards, fit only without gaps from the begin on. */
bool inlay_node_writes_all(const inlay_node *n);
/* How many of N's operands, from the first on, are parts of its output, as those of Concat are: 0,
 * 1 or all. Such operands can be computed in place of their part without a copy. */
int inlay_node_held(const inlay_node *n);
/* Sets *AXIS to the axis along which N concatenates its operands. False: it does not, or the rank
 * is unknown. */
bool inlay_node_joined_axis(const inlay_node *n, int *axis);
/* If N reads rows of a variable's state by indices that are an input of the graph, perhaps
 * converted to i32 or i64 (as beam search does): the number of that input; else -1. */
int inlay_node_picks_by(const inlay_node *n);
/* The smaller of LEAST and the number of N's first operand that is V. */
int inlay_node_first_operand(const inlay_node *n, const inlay_value *v, int least);
/* The first operand that N holds and that is V or a view of V's bytes by a reshape; NULL: none. */
const inlay_value *inlay_node_shown(const inlay_node *n, const inlay_value *v);
/* V is noted as a view of a value that is computed inside a part of another one, and a node reads
 * the value through V. Can the value have the strides that V gets there? */
bool inlay_value_is_shown(const inlay_value *v);
/* Writes to OUT the window of output 0 of N in which the operand that is V, or a view of V, is
 * held. Leading axes of the output that V does not have are {0, 1, 1}. False: only the run knows
 * it, N does not hold V, or V is not whole there. */
bool inlay_node_part(const inlay_node *n, const inlay_value *v, inlay_window *out);
/* Returns the fact of V in one run, or in another graph. */
typedef const inlay_fact *inlay_fact_fn(const void *of, const inlay_value *v);
/* The same with the facts that FACT(OF, value) gives for N's operands and output; FACT NULL: their
 * own. */
bool inlay_node_part_by(const inlay_node *n, const inlay_value *v, inlay_fact_fn *fact,
                        const void *of, inlay_window *out);
/* Is V, or a view of it, held whole in a window of output 0 of N that is known once the sizes of
 * the graph's inputs are known? The windows of two operands never overlap. LATE: see
 * inlay_list_late. */
bool inlay_node_has_part(const inlay_node *n, const inlay_value *v, const bool *late);
/* Is the place of V, N's only operand, in N's output known, but V is cut off there or has its axes
 * in another order? */
bool inlay_node_shows_otherwise(const inlay_node *n, const inlay_value *v);
/* Are the elements of V contiguous in output 0 of N for sure? */
bool inlay_node_part_follows(const inlay_node *n, const inlay_value *v);
/* late.c: sets LATE[node id] for each node in ORDER if a size of its outputs depends on data, as
 * that of a NonZero does, and not only on the sizes of the graph's inputs. */
void inlay_list_late(const inlay_order_list *order, bool *late);
/* By the notes, is V, or the value whose bytes it has, computed in its part of R? */
bool inlay_value_stands_in_part(const inlay_value *v, const inlay_value *r);
/* How many values V is a part of by the notes, one in the other: at most INLAY_MAX_NESTED + 1, for
 * no more are counted. */
enum { INLAY_MAX_NESTED = 24 };
int inlay_value_nested(const inlay_value *v);
/* The value whose buffer V is in, by the notes. *WHOLE (may be NULL): V is written over all of it.
 */
const inlay_value *inlay_value_owner(const inlay_value *v, bool *whole);
/* The value that is noted as computed into the window of the scatter that makes R: its updates, or
 * the value of which these are a view with other axes. NULL: none. */
inlay_value *inlay_value_into_operand(const inlay_value *r);
/* V is computed into the window of SCATTER. Are its axes those of the updates? Otherwise the
 * updates are a view of V with other axes. */
bool inlay_node_has_axes(const inlay_node *scatter, const inlay_value *v);
/* V is an output of a Split and begins at BEGIN along its axis (below 0: unknown). Writes the
 * window of V to OUT[INLAY_MAX_RANK]. False: unknown. */
bool inlay_value_cut(const inlay_value *v, int64_t begin, inlay_window *out);
/* Where the output of the Split after V begins; below 0: unknown. */
int64_t inlay_value_cut_end(const inlay_value *v, int64_t begin);
/* Do A and B, which have windows, select the same positions in the same order from data of the same
 * shape? Either their windows are equal, or unknown but spelt by the same values. Unchecked: they
 * have windows. */
bool inlay_node_windows_same(const inlay_node *a, const inlay_node *b);

/* Can the scatter N move updates that are in the buffer it writes (memmove), if they have the same
 * steps as its window? */
bool inlay_node_moves_updates(const inlay_node *n);
/* Do a Slice A and a scatter B that moves updates, on data of one shape, have windows of the same
 * positive steps, wherever they begin? */
bool inlay_node_windows_stepped_alike(const inlay_node *a, const inlay_node *b);
/* Are the windows of A and B on data of the same shape disjoint for sure, although their numbers
 * are unknown? Such are i:k and k:n along one axis, and the rows t and t + 1 of more than one row.
 */
bool inlay_node_windows_apart(const inlay_node *a, const inlay_node *b);

/* compare.c: have A and B equally many bodies, with equal port maps and the same structure,
 * whatever their names? False: that failed. */
bool inlay_node_same_bodies(const inlay_node *a, const inlay_node *b, bool *same, inlay_diags *d);

/* body.c: port maps of If, Loop and TensorIterator */

/* Checks that N has the bodies it must have, that port maps are in range and complete, and that
 * back edges have an initial value. Call this before you follow a port map. */
bool inlay_check_bodies(const inlay_node *n, inlay_diags *d);
/* To be called before a port map of N is changed by hand, if no edit of N goes with it. */
void inlay_node_changes_ports(inlay_node *n);
/* The parts of a sliced port along an axis of SIZE: part i has port->part_size elements and begins
 * at *FIRST + i * port->stride. Negative start and end count from the end; both are inclusive.
 * False: they are not on the axis, or the stride has the wrong sign. */
bool inlay_port_parts(const inlay_port *port, int64_t size, int64_t *first, int64_t *count);
/* Does P pass a whole value, not parts, the iteration's number or a condition? */
bool inlay_port_is_plain(const inlay_port *p);
/* The value that result R of the body reads. */
static inline const inlay_value *inlay_body_result(const inlay_body *b, int r)
{
    return b->graph->results[r]->in[0].value;
}
/* The Parameter of B that is input INPUT of the node as a whole, and nothing else; NULL: none. */
const inlay_node *inlay_body_entered(const inlay_body *b, int input);
/* Is PARAM, a Parameter of a body, the target of a back edge (a loop-carried value)? */
bool inlay_param_is_carried(const inlay_node *param);
/* Is PARAM of a body given overlapping parts of a tensor: rows 0 and 1, then 1 and 2? */
bool inlay_param_overlaps(const inlay_node *param);
/* handed.c: sets HANDED[i] for each input i of N that some output of N may be, unchanged (a body
 * passes it through). Not counted are output EXCEPT and outputs noted as written over an input.
 * False: out of memory, which is not recorded. */
bool inlay_node_handed(const inlay_node *n, int except, bool *handed);
/* Sets *IS: may a body of V's node pass an input through as V, unchanged? False: out of memory. */
bool inlay_value_is_handed(const inlay_value *v, bool *is);
/* Sets *TWICE: may V be the same value as another output of its node? Also true when more than 256
 * nested bodies would have to be searched. False: out of memory. */
bool inlay_value_is_given_twice(const inlay_value *v, bool *twice);
/* Is N a Parameter of a body that may run more than once? */
bool inlay_node_is_iterated(const inlay_node *n);
/* Has N a body that may run more than once? */
bool inlay_node_loops(const inlay_node *n);
/* Is N a Loop that makes at least one iteration for sure? Of a TensorIterator that is unknown. */
bool inlay_node_surely_iterates(const inlay_node *n);
/* known.c: returns the value to which V, looked at through views, adds *PLUS; with 0 V itself. */
const inlay_value *inlay_value_sum(const inlay_value *v, int64_t *plus);
/* iterations.c: how often N, which has a body, runs it; -1: unknown. */
int64_t inlay_node_iterations(const inlay_node *n);
/* Is V a constant of one integer or boolean? Sets *OUT to it. */
bool inlay_value_integer(const inlay_value *v, int64_t *out);

/* graph.c: storage notes, which say where the bytes of values are, and order edges. A graph means
 * the same with and without them (ir/README.md). Every structural edit drops them in its graph and
 * in the graphs around it. */

bool inlay_value_set_note(inlay_value *v, inlay_note_kind kind, inlay_value *target,
                          inlay_diags *d);
bool inlay_graph_add_order_edge(inlay_graph *g, inlay_node *before, inlay_node *after,
                                inlay_diags *d);
/* Is some output of U's node noted as written over U's value? */
bool inlay_use_is_overwritten(const inlay_use *u);
const char *inlay_note_text(inlay_note_kind kind); /* "fresh", "view of", ... */
/* Removes all notes and order edges of G. */
void inlay_graph_drop_notes(inlay_graph *g);

/* turn.c: V is a view of data of RANK axes with these STRIDES: transposed, reversed or cut. Writes
 * its strides to OUT (those of axes of one element do not matter). False: unknown, or no such view.
 */
bool inlay_value_strides(const inlay_value *v, int rank, const int64_t *strides, int64_t *out);

/* strided.c: what the masks of a StridedSlice say */

/* Entry i of begin, end and step of a StridedSlice, with its masks applied. */
typedef struct inlay_strided_entry {
    int axis; /* of data; -1: a new axis of one element, -2: the ellipsis */
    bool shrinks, from_first, to_last; /* the axis is removed; begin, end are ignored */
} inlay_strided_entry;

/* Decodes the N entries of a StridedSlice on data of RANK axes. False: WHY says what is wrong. */
bool inlay_strided_entries(const inlay_node *node, int n, int rank, inlay_strided_entry *out,
                           char *why, size_t size);

/* meta.c: metadata trees in the graph's arena */

inlay_meta *inlay_meta_new(inlay_graph *g, const char *tag, inlay_diags *d);
bool inlay_meta_set(inlay_graph *g, inlay_meta *m, const char *name, const char *value,
                    inlay_diags *d);

#endif
