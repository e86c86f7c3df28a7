/* Finds the contract of a condition. */
#include "passes/prove/contracts.h"

#include <string.h>

const prove_contract *prove_contract_of(const char *name)
{
    static const prove_contract *const lists[] = {
        prove_window_contracts,  prove_before_contracts, prove_part_contracts,
        prove_shape_contracts,   prove_axis_contracts,   prove_index_contracts,
        prove_copy_contracts,    prove_view_contracts,   prove_number_contracts,
        prove_strided_contracts, prove_fold_contracts,   prove_chain_contracts,
        prove_channel_contracts};
    static const prove_contract none = {"", NULL, "it has no contract"};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (const prove_contract *at = lists[i]; at->name; at++) {
            if (strcmp(at->name, name) == 0)
                return at;
        }
    }
    return &none;
}
