/* The layout of constants in a weights file (README.md 4.2). Private to parser/openvino. */
#ifndef INLAY_PARSER_OPENVINO_LAYOUT_H
#define INLAY_PARSER_OPENVINO_LAYOUT_H

#include "ir/shared.h"

/* Says why constants of TYPE are neither read nor written; NULL: they are. Elsewhere a u2 has its
 * first element in the lowest bits; OpenVINO has shipped two bit orders for it, and a file does not
 * say which one it uses. */
static inline const char *ov_no_constant(inlay_type type)
{
    return type == INLAY_U2 ? inlay_type_info_of(INLAY_U3)->refused
                            : inlay_type_info_of(type)->refused;
}

#endif
