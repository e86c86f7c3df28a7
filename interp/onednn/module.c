/* What this module exports. */
#include "interp/onednn/make.h"

__attribute__((visibility("default"))) module_entry_fn inlay_module;
__attribute__((visibility("default"))) const char inlay_module_mark[] = MODULE_MARK;

const module_table *inlay_module(void)
{
    static const module_table table = {.version = MODULE_VERSION,
                                       .store_new = store_new,
                                       .store_free = store_free,
                                       .store_bytes = store_bytes,
                                       .chain_new = make_chain,
                                       .chain_free = call_chain_free,
                                       .chain_room = call_chain_room,
                                       .chain_run = call_chain_run};

    return &table;
}
