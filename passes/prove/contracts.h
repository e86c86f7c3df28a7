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

/* Argument I as integers; NULL: it cannot be, and no graph belongs to the case. */
prove_value *contract_ints(prove_call *call, int i);
/* The condition under which the sizes of V are right: the operation that makes it does not fail. */
const smt *contract_sizes_hold(prove_case *c, const prove_value *v);
/* Argument I as an order of axes; false: it is not one, or an empty one, which all functions
 * refuse. */
bool contract_order(prove_call *call, int i, int *n, int *order);
/* States that argument I, a value, has one of TYPES. */
void prove_state_types(prove_call *call, int i, inlay_type_set types);
/* Argument I as an axis of RANK axes. */
int contract_axis(prove_call *call, int i, int rank);
/* The function's result is a new window of a value of these sizes, whose numbers are known. */
prove_window *contract_give_window(prove_call *call, int rank, const smt *const *sizes);
/* The function's result are these integers. */
void contract_give_ints(prove_call *call, int n, const smt *const *ints);
/* On axis I the positions of W are FROM + k, k in [0, count). */
void contract_run(prove_case *c, const prove_window *w, int i, const smt *from);
/* On axis I W has all positions in order. */
void contract_whole(prove_case *c, const prove_window *w, int i);
/* A on axis I and B on axis K have the same count, and B's positions are A's plus BY. */
void contract_moved(prove_case *c, const prove_window *a, int i, const prove_window *b, int k,
                    const smt *by);
/* The result of FUNCTION in this rule; NULL: the rule does not call it. */
prove_name *contract_given(prove_case *c, const char *function);
/* The node whose output argument I is; NULL: it is an operand of the rule. */
prove_node *contract_node(const prove_call *call, int i);

#endif
