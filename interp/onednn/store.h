/* Constants as oneDNN wants them, each once for all chains of a program. */
#ifndef INLAY_ONEDNN_STORE_H
#define INLAY_ONEDNN_STORE_H

#include "interp/onednn/api.h"

module_store *store_new(void);
void store_free(module_store *s);
size_t store_bytes(const module_store *s);
/* Returns the elements of CONSTANT, which lie as FROM says, laid out as TO; they live as long as S.
 * NULL: out of memory. */
const void *store_take(module_store *s, dnnl_engine_t e, const void *constant, api_layout from,
                       api_layout to);

#endif
