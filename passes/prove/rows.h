/* What the files of rows share: how an operation tells its sizes and its elements. Private to
 * passes/prove. */
#ifndef INLAY_PASSES_PROVE_ROWS_H
#define INLAY_PASSES_PROVE_ROWS_H

#include "passes/prove/case.h"

/* Each list ends with a row without a type. */
extern const prove_row prove_window_rows[], prove_view_rows[], prove_index_rows[],
    prove_place_rows[], prove_element_rows[], prove_sum_rows[], prove_picture_rows[],
    prove_fold_rows[], prove_real_rows[], prove_slide_rows[];

/* The row of TYPE among those of LIST, or NULL. */
const prove_row *prove_row_in(const prove_row *list, const char *type);
/* N is an error unless T. */
void prove_must(prove_case *c, prove_node *n, const smt *t);
/* Output OUT of N has these sizes. */
void prove_set_sizes(prove_case *c, prove_node *n, int out, int rank, const smt *const *sizes);
/* The function that says whether an element is true. */
extern const char prove_holds[];
/* 0 as an element; nothing is known of it. */
const smt *prove_zero(prove_case *c);
/* Element AT of V broadcast, whose axis i is axis ORDER[i] of the result. */
const smt *prove_repeated(prove_case *c, const prove_value *v, const int *order,
                          const smt *const *at);
/* reduced.c: which reduction N, a scatter, has in its attribute ATTR is chosen. */
void prove_choose_reduction(prove_case *c, prove_node *n, const char *attr);
/* What it makes of element AT of the data, a place that is written. */
const smt *prove_reduced(prove_case *c, const prove_node *n, const smt *const *at);
/* The sizes of DATA with those of INDICES in the place of the axis; how many. */
int prove_sizes_replaced(const prove_value *data, int axis, const prove_value *indices,
                         const smt **sizes);

/* contracts_before.c: whether W, the window of a mask, has the place AT. */
const smt *prove_masked_at(prove_case *c, const prove_window *w, const smt *const *at);

/* spelling.c: the window of operand 0 that the operands or attributes of N spell; its numbers are
 * not known. */
prove_window *prove_spelt_window(prove_case *c, const prove_node *n);
/* A value that is list number LIST of those that spell W. */
prove_value *prove_spell(prove_case *c, prove_window *w, int list);

/* Which of WAYS to have a batch N, a gather, has; 0 is none. A right side that has
 * the attributes of the left has its batch, too. */
int prove_choose_batch(prove_case *c, prove_node *n, int ways);

/* value.c: the position on AXIS of the element of this NUMBER, in row-major order, of RANK
 * SIZES: a function of them. */
const smt *prove_unravelled(prove_case *c, int rank, const smt *const *sizes, const smt *number,
                            int axis);

/* rows_sum.c: the element of operand I of the MatMul N that term K of the sum AT multiplies. */
const smt *prove_factor(prove_case *c, const prove_node *n, int i, const smt *const *at,
                        const smt *k);

/* The rows of operand 1 of the MatMul N are its columns: it is transposed. */
bool prove_is_by_rows(const prove_node *n);

/* rows_fold.c: the element of the data that stands at ALONG on the axes along which the reduction N
 * makes its element AT. */
const smt *prove_folded(prove_case *c, const prove_node *n, const smt *const *at,
                        const smt *const *along);

/* totals.c, totals_compared.c, totals_terms.c: how this reduction puts elements together; NULL: it is not told. */
typedef struct prove_total prove_total;
const struct prove_total_kind *prove_total_kind_of(const char *type);
/* What T, all of which but MADE is set, makes: by what is made of its parts. */
const smt *prove_total_of(prove_case *c, prove_total t);
/* The same of one of which no more is told; and whether what OF is made of varies along its box. */
const smt *prove_new_total(prove_case *c, prove_total t);
bool prove_varies(const prove_case *c, const prove_total *t, const smt *of);
/* ways.c, rows_channel.c: N, a Reshape, puts the numbers of channels where weights have these. */
bool prove_is_by_channels(const rule *r, const rule_node *n);
extern const prove_row prove_channel_row;
/* rows_slide.c: of reals, convolutions, whose window the rule leaves open. */
void prove_shape_sliding(prove_case *c, prove_node *n);
const smt *prove_element_of_sliding(prove_case *c, const prove_node *n, int out,
                                    const smt *const *at);
/* rows_real.c: of reals, the sum T divided by how many there are; N, which takes the mean of such,
 * must have some, or makes nothing. */
const smt *prove_mean_of(prove_case *c, prove_total t);
void prove_must_have_some(prove_case *c, prove_node *n);
/* The product of two elements, as Multiply makes it. */
const smt *prove_product(prove_case *c, const smt *a, const smt *b);
/* What T is called, without places. */
const char *prove_key(prove_case *c, const smt *t);
/* The operation TYPE of these elements. */
const smt *prove_operation(prove_case *c, const char *type, int n, const smt *const *args);
/* real_write.c: functions that make an element of a number of elements: that, and 1 divided by it. */
extern const char prove_count_of[], prove_per_count[];
/* discrete.c: totals of V do not depend on an order: conditions and operations say that V has only
 * integers or booleans, or numbers are real. */
bool prove_is_discrete(const prove_case *c, const prove_value *v);

/* dropped.c: what is so of N, a node of the left side, and of all of its nodes, where the right
 * side drops axes or sizes; and whether errors of elements are lost. */
void prove_state_dropped_axes(prove_case *c, prove_node *n);
void prove_state_dropped_sizes(prove_case *c);
void prove_state_dropped_elements(prove_case *c);

/* places.c */
/* The index that element AT of V is. */
const smt *prove_index_at(prove_case *c, const prove_value *v, const smt *const *at);
/* The places that INDICES point to, as ASKED, of which all but what is set here is given. */
const prove_places *prove_places_of(prove_case *c, prove_value *indices, prove_places asked);
/* The place of the update that stands AT; for tuples there is room for one more in AT. */
void prove_place_of(prove_case *c, const prove_places *h, const smt *const *at, const smt **place);
/* Where the last update of PLACE stands. */
void prove_last_at(prove_case *c, const prove_places *h, const smt *const *place, const smt **at);
/* BODY is so of each update, which stands AT. */
typedef const smt *about_update(prove_case *c, const prove_places *h, const smt *const *at,
                                void *ctx);
const smt *prove_of_each_update(prove_case *c, const prove_places *h, about_update *body,
                                void *ctx);
/* All of what the indices of H point to is there; FROM_END: they may count from the end. */
const smt *prove_points_inside(prove_case *c, const prove_places *h, bool from_end);

/* All elements of V are indices in [0, size). */
const smt *prove_indices_in_range(prove_case *c, const prove_value *v, const smt *size);
const smt *prove_indices_not_negative(prove_case *c, const prove_value *v);
/* The text of attribute NAME of N, one of TEXTS, by its number. Where the rule leaves it open the
 * choice is open; where it is not named it is the first, which is the default. */
int prove_text_attr(prove_case *c, prove_node *n, const char *name, const char *const *texts,
                    int n_texts);

#endif
