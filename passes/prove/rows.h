/* What the files of rows share; a row expresses the sizes and elements of an operation. Private to
 * passes/prove. */
#ifndef INLAY_PASSES_PROVE_ROWS_H
#define INLAY_PASSES_PROVE_ROWS_H

#include "passes/prove/case.h"

/* Each list ends with a row without a type. */
extern const prove_row prove_window_rows[], prove_view_rows[], prove_index_rows[],
    prove_place_rows[], prove_element_rows[], prove_sum_rows[], prove_picture_rows[],
    prove_fold_rows[], prove_real_rows[], prove_slide_rows[], prove_attention_rows[];

/* The row of TYPE among those of LIST, or NULL. */
const prove_row *prove_row_in(const prove_row *list, const char *type);
/* N fails unless T. */
void prove_must(prove_case *c, prove_node *n, const smt *t);
/* Output OUT of N has these sizes. */
void prove_set_sizes(prove_case *c, prove_node *n, int out, int rank, const smt *const *sizes);
/* The function from an element to its truth value. */
extern const char prove_holds[];
/* An element that is 0, of which nothing else is known. */
const smt *prove_zero(prove_case *c);
/* Element AT of V broadcast to a result; axis i of V is its axis ORDER[i]. */
const smt *prove_repeated(prove_case *c, const prove_value *v, const int *order,
                          const smt *const *at);
/* reduced.c: chooses the reduction of N, a scatter, from its attribute ATTR. */
void prove_choose_reduction(prove_case *c, prove_node *n, const char *attr);
/* Element AT of its result, a place that is written. */
const smt *prove_reduced(prove_case *c, const prove_node *n, const smt *const *at);
/* The sizes of DATA with those of INDICES instead of AXIS; returns how many. */
int prove_sizes_replaced(const prove_value *data, int axis, const prove_value *indices,
                         const smt **sizes);

/* contracts_before.c: W, the window where a mask is true or false, has the place AT. */
const smt *prove_masked_at(prove_case *c, const prove_window *w, const smt *const *at);

/* spelling.c: the window of operand 0 that lists among the operands or attributes of N define; its
 * numbers are not known. */
prove_window *prove_spelt_window(prove_case *c, const prove_node *n);
/* List number LIST of those that define W. */
prove_value *prove_spell(prove_case *c, prove_window *w, int list);

/* Chooses one of WAYS in which N, a gather, can have batch axes; 0: it has none. A node that copies
 * the attributes of another one has its batch axes, too. */
int prove_choose_batch(prove_case *c, prove_node *n, int ways);

/* value.c: the position on AXIS of element NUMBER, in row-major order, of a value of RANK SIZES. */
const smt *prove_unravelled(prove_case *c, int rank, const smt *const *sizes, const smt *number,
                            int axis);

/* rows_sum.c: the factor from operand I in term K of the sum that is element AT of the MatMul N. */
const smt *prove_factor(prove_case *c, const prove_node *n, int i, const smt *const *at,
                        const smt *k);

/* The sizes of the MatMul N, whose operands are transposed or not. */
void prove_shape_product(prove_case *c, prove_node *n, bool a_transposed, bool b_transposed);
/* Operand 1 of the MatMul N is transposed. */
bool prove_is_by_rows(const prove_node *n);

/* rows_fold.c: the element of the data at ALONG on the reduced axes that goes into element AT of
 * the reduction N. */
const smt *prove_folded(prove_case *c, const prove_node *n, const smt *const *at,
                        const smt *const *along);

/* totals*.c: how the reduction TYPE combines elements; NULL: not known. */
typedef struct prove_total prove_total;
const struct prove_total_kind *prove_total_kind_of(const char *type);
/* The total T, of which all but MADE is set, by laws about the totals of its parts. */
const smt *prove_total_of(prove_case *c, prove_total t);
/* The total T, to which no such law applies. */
const smt *prove_new_total(prove_case *c, prove_total t);
/* OF depends on the variables of T. */
bool prove_varies(const prove_case *c, const prove_total *t, const smt *of);
/* ways.c, rows_channel.c: N, a Reshape, puts one number per channel on the channel axis of weights.
 */
bool prove_is_by_channels(const rule *r, const rule_node *n);
extern const prove_row prove_channel_row;
/* rows_slide.c: convolutions of reals, whose window the rule leaves open. */
void prove_shape_sliding(prove_case *c, prove_node *n);
const smt *prove_element_of_sliding(prove_case *c, const prove_node *n, int out,
                                    const smt *const *at);
/* rows_real.c: of reals, the sum T divided by the number of its elements. */
const smt *prove_mean_of(prove_case *c, prove_total t);
/* N, a mean, fails if it has results, but no elements to take the mean of. */
void prove_must_have_some(prove_case *c, prove_node *n);
/* rows_attention.c: element AT of N, a softmax along its axis of floats as they are: a function of
 * the line in which it lies. */
const smt *prove_element_of_line(prove_case *c, const prove_node *n, const smt *const *at);
/* The product of two elements, as Multiply makes it. */
const smt *prove_product(prove_case *c, const smt *a, const smt *b);
/* The text of T without the places of elements. */
const char *prove_key(prove_case *c, const smt *t);
/* The operation TYPE of these elements. */
const smt *prove_operation(prove_case *c, const char *type, int n, const smt *const *args);
/* real_write.c: functions from a count to the element that is this count, and to its reciprocal. */
extern const char prove_count_of[], prove_per_count[];
/* discrete.c: totals of V do not depend on an order: conditions and operations say that V has only
 * integers or booleans, or numbers are real. */
bool prove_is_discrete(const prove_case *c, const prove_value *v);

/* dropped.c: whether the left side may fail where the right side, which drops axes, sizes or
 * elements, does not: because of the axes of node N, of sizes, of elements. */
void prove_state_dropped_axes(prove_case *c, prove_node *n);
void prove_state_dropped_sizes(prove_case *c);
void prove_state_dropped_elements(prove_case *c);

/* places.c */
/* Element AT of V as an index. */
const smt *prove_index_at(prove_case *c, const prove_value *v, const smt *const *at);
/* The places that INDICES point to. ASKED holds what they point into and how. */
const prove_places *prove_places_of(prove_case *c, prove_value *indices, prove_places asked);
/* The place of the update with the index AT, which for tuples has room for one more number. */
void prove_place_of(prove_case *c, const prove_places *h, const smt *const *at, const smt **place);
/* The index of the last update of PLACE. */
void prove_last_at(prove_case *c, const prove_places *h, const smt *const *place, const smt **at);
/* BODY is true for each update; AT is its index. */
typedef const smt *about_update(prove_case *c, const prove_places *h, const smt *const *at,
                                void *ctx);
const smt *prove_of_each_update(prove_case *c, const prove_places *h, about_update *body,
                                void *ctx);
/* All indices of H are in range; FROM_END: they may count from the end. */
const smt *prove_points_inside(prove_case *c, const prove_places *h, bool from_end);

/* All elements of V are indices in [0, size). */
const smt *prove_indices_in_range(prove_case *c, const prove_value *v, const smt *size);
const smt *prove_indices_not_negative(prove_case *c, const prove_value *v);
/* The number in TEXTS of the text of attribute NAME of N. It is chosen if the rule leaves the
 * attribute open, and is 0, the default, if the rule does not name it. */
int prove_text_attr(prove_case *c, prove_node *n, const char *name, const char *const *texts,
                    int n_texts);

#endif
