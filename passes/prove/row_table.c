/* Finds the row of an operation. */
#include "passes/prove/rows.h"

static const prove_row *const lists[] = {prove_view_rows,    prove_window_rows,   prove_index_rows,
                                         prove_place_rows,   prove_element_rows,  prove_sum_rows,
                                         prove_picture_rows, prove_fold_rows,     prove_real_rows,
                                         prove_slide_rows,   prove_attention_rows};

enum { N_LISTS = sizeof lists / sizeof *lists };

const prove_row *prove_row_of(const char *type)
{
    for (size_t i = 0; i < N_LISTS; i++) {
        const prove_row *row = prove_row_in(lists[i], type);

        if (row)
            return row;
    }
    return NULL;
}

const prove_row *prove_row_with(unsigned flag, int i)
{
    for (size_t k = 0; k < N_LISTS; k++) {
        for (const prove_row *row = lists[k]; row->type; row++) {
            if ((row->flags & flag) && i-- == 0)
                return row;
        }
    }
    return NULL;
}

int prove_count_rows(unsigned flag)
{
    int n = 0;

    while (prove_row_with(flag, n))
        n++;
    return n;
}
