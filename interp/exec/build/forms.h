/* What steps that can be computed together are (fuse.c): which elements their rows have, along the
 * dims that are not 1. Private to the files of groups. */
#ifndef INLAY_EXEC_BUILD_FORMS_H
#define INLAY_EXEC_BUILD_FORMS_H

#include "interp/exec/build/builder.h"

/* How rows of an operand lie: as arrays, as one number each, or as one number for all; or
 * otherwise.
 */
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
/* Returns whether step I can be computed tile by tile: it has a form, and writes to bytes that are
 * new, or element by element to some that were there and that nobody wants to keep. What follows is
 * asked of such steps only. */
bool forms_fit(const exec_builder *b, size_t i);
/* Returns the tensor along whose dims the rows of step I go: the output, or what is folded. */
const inlay_tensor *forms_space(const exec_builder *b, size_t i);
/* Returns how the rows lie of an operand with STRIDES along the dims of OF. */
form_rows forms_rows(const inlay_tensor *of, const int64_t *strides);
/* Returns how many of the last real dims are one row of step I; 0: it does not want whole rows. */
int forms_row_dims(const exec_builder *b, size_t i);
/* Returns whether the last ROW_DIMS real dims of step I lie one behind the other in all lanes. */
bool forms_merge(const exec_builder *b, size_t i, int row_dims);
/* Returns the bytes of the largest element that the rows of F have. */
size_t forms_size(const row_form *f);

#endif
