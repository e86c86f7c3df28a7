/* What the files of contracts share. Private to passes/prove. */
#ifndef INLAY_PASSES_PROVE_CONTRACTS_H
#define INLAY_PASSES_PROVE_CONTRACTS_H

#include "passes/prove/rows.h"

/* Each list ends with a contract without a name. */
extern const prove_contract prove_window_contracts[], prove_before_contracts[],
    prove_part_contracts[], prove_shape_contracts[], prove_axis_contracts[],
    prove_index_contracts[], prove_copy_contracts[], prove_view_contracts[],
    prove_number_contracts[], prove_strided_contracts[], prove_fold_contracts[],
    prove_chain_contracts[], prove_channel_contracts[];

static inline prove_window *contract_window(const prove_call *call, int i)
{
    return call->arg[i]->window;
}

/* Argument I as integers; NULL: it is none, and the case is cut. */
prove_value *contract_ints(prove_call *call, int i);
/* When the sizes of V are what they are taken for: what is known of a result is known if the
 * operation is no error. */
const smt *contract_sizes_hold(prove_case *c, const prove_value *v);
/* Argument I as an order of axes; false: it is none, or empty, of which all functions say that they
 * do not know. */
bool contract_order(prove_call *call, int i, int *n, int *order);
/* What argument I is, which is a value, has one of TYPES. */
void prove_state_types(prove_call *call, int i, inlay_type_set types);
/* Argument I as an axis of RANK. */
int contract_axis(prove_call *call, int i, int rank);
/* The let gives a new window of these sizes, whose numbers are known. */
prove_window *contract_give_window(prove_call *call, int rank, const smt *const *sizes);
/* The let gives these integers. */
void contract_give_ints(prove_call *call, int n, const smt *const *ints);
/* On axis I W takes the positions FROM + k, k in [0, count). */
void contract_run(prove_case *c, const prove_window *w, int i, const smt *from);
/* On axis I W takes everything in order. */
void contract_whole(prove_case *c, const prove_window *w, int i);
/* Of axis I, A and B take as many positions, and B's are A's moved by BY. */
void contract_moved(prove_case *c, const prove_window *a, int i, const prove_window *b, int k,
                    const smt *by);
/* What the function of this name has given in a let of the rule; NULL: there is none. */
prove_name *contract_given(prove_case *c, const char *function);
/* The node whose output argument I is; NULL: the rule is given it. */
prove_node *contract_node(const prove_call *call, int i);

#endif
