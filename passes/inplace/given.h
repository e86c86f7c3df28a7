/* Decision O for nodes with bodies, which overwrite an input. Private to this room. */
#ifndef INLAY_PASSES_INPLACE_GIVEN_H
#define INLAY_PASSES_INPLACE_GIVEN_H

#include "passes/inplace/decide.h"

bool inplace_decide_given(inplace_pass *p);

#endif
