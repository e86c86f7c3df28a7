/* Finds the row of an operation. */
#include "passes/prove/rows.h"

const prove_row *prove_row_of(const char *type)
{
    static const prove_row *const lists[] = {prove_window_rows,  prove_view_rows,
                                             prove_index_rows,   prove_place_rows,
                                             prove_element_rows, prove_sum_rows};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const prove_row *row = prove_row_in(lists[i], type);

        if (row)
            return row;
    }
    return NULL;
}
