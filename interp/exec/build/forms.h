/* The forms of steps that can be computed together (fuse.c): which elements their rows consist of,
 * along the dims that are not 1. Only for the files of groups. */
#ifndef INLAY_EXEC_BUILD_FORMS_H
#define INLAY_EXEC_BUILD_FORMS_H

#include "interp/exec/build/builder.h"

/* The layout of an operand's rows: arrays, one number per row, one number for all rows, or anything
 * else. */
typedef enum form_rows { FORM_ARRAYS, FORM_EACH, FORM_NUMBER, FORM_GAPS } form_rows;

static inline size_t size_of(inlay_type type)
{
    return (size_t)inlay_type_info_of(type)->bits / 8;
}

static inline const char *first_of(const inlay_tensor *t)
{
    return (const char *)t->data + t->offset * (inlay_type_info_of(t->type)->bits / 8);
}

static inline bool all_zero(const int64_t *strides, int n)
{
    bool zero = true;

    for (int i = 0; i < n; i++)
        zero = zero && strides[i] == 0;
    return zero;
}

/* Lists the dims of T that are not 1. Returns how many. */
int real_dims(const inlay_tensor *t, int64_t *dims);
/* Lists those of STRIDES that belong to dims of T which are not 1. */
void real_strides(const inlay_tensor *t, const int64_t *strides, int64_t *real);
/* Returns whether step I can be computed tile by tile: it has a form, and it writes to fresh bytes,
 * or, element by element, over bytes that are not needed any more. The following functions are for
 * such steps only. */
bool forms_fit(const exec_builder *b, size_t i);
/* Returns the tensor along whose dims step I works in rows: the output, or the operand of a
 * reduction. */
const inlay_tensor *forms_space(const exec_builder *b, size_t i);
/* Returns the layout of the rows of an operand with STRIDES along the dims of OF. */
form_rows forms_rows(const inlay_tensor *of, const int64_t *strides);
/* Returns how many of the last real dims make up one row of step I; 0: it does not need whole rows.
 */
int forms_row_dims(const exec_builder *b, size_t i);
/* Returns whether the last ROW_DIMS real dims of step I are contiguous in all lanes. */
bool forms_merge(const exec_builder *b, size_t i, int row_dims);
/* Returns the size in bytes of the largest element in rows of F. */
size_t forms_size(const row_form *f);

#endif
