/* The makers: each draws operands from the existing values and adds one node or a few, or nothing
 * when the operands do not suit. Private to generate/; the table is in generate.c. */
#ifndef INLAY_GENERATE_MAKE_H
#define INLAY_GENERATE_MAKE_H

#include "generate/generator.h"

typedef void gen_maker(generator *g);

/* make_window.c */
gen_maker gen_update_window, gen_write_whole, gen_slice_any, gen_write_any, gen_write_pair,
    gen_strided_slice;
/* make_scatter.c: by indices */
gen_maker gen_write_rows, gen_write_tuples, gen_write_elements, gen_scatter_rows, gen_update_rows,
    gen_update_pairs, gen_scatter_tuples, gen_scatter_elements, gen_gather, gen_gather_tuples,
    gen_gather_elements;
/* make_shape.c */
gen_maker gen_reshape, gen_unsqueeze, gen_squeeze, gen_turn_round, gen_transpose,
    gen_transpose_pair, gen_update_view, gen_reverse, gen_broadcast, gen_broadcast_number, gen_tile,
    gen_pad;
/* make_join.c */
gen_maker gen_split, gen_split_evenly, gen_split_and_join, gen_slice_and_join, gen_concat,
    gen_concat_twice;
/* make_pointwise.c */
gen_maker gen_pointwise, gen_convert_any, gen_reduce;
/* Is some pointwise operation allowed? */
bool gen_has_pointwise(const generator *g);
/* gen_pointwise on X; the result may be computed on again. */
gen_value gen_pointwise_of(generator *g, const gen_value *x);

/* make_place.c */
gen_maker gen_update_shown, gen_write_shown, gen_join_shown, gen_update_layer, gen_update_tuples;

/* make_row.c: any row of the table */
gen_maker gen_row;
/* make_body.c */
gen_maker gen_branch, gen_loop, gen_iterate;

/* make_size.c */
gen_maker gen_range, gen_non_zero, gen_top, gen_flat;

/* make_variable.c: reads of variables K come first, and their assignments last. */
void gen_read_variable(generator *g, int k);
void gen_assign_variable(generator *g, int k);
/* X, or X with its rows permuted by an input, as beam search does. */
inlay_value *gen_in_order(generator *g, const gen_value *x);

/* make_cache.c: the growing state number K, with its readers. */
void gen_cache(generator *g, int k);

#endif
