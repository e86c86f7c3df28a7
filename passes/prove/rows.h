/* What the files of rows share: how an operation tells its sizes and its elements. Private to
 * passes/prove. */
#ifndef INLAY_PASSES_PROVE_ROWS_H
#define INLAY_PASSES_PROVE_ROWS_H

#include "passes/prove/case.h"

/* Each list ends with a row without a type. */
extern const prove_row prove_window_rows[], prove_view_rows[], prove_index_rows[],
    prove_element_rows[];

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
/* All elements of V are indices in [0, size). */
const smt *prove_indices_in_range(prove_case *c, const prove_value *v, const smt *size);
/* The text of attribute NAME of N, one of TEXTS, by its number. Where the rule leaves it open the
 * choice is open; where it is not named it is the first, which is the default. */
int prove_text_attr(prove_case *c, prove_node *n, const char *name, const char *const *texts,
                    int n_texts);

#endif
