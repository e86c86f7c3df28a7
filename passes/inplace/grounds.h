/* States what each note relies on. Private to this room. */
#ifndef INLAY_PASSES_INPLACE_GROUNDS_H
#define INLAY_PASSES_INPLACE_GROUNDS_H

#include "passes/inplace/decide.h"

bool inplace_state_grounds(inplace_pass *p);

#endif
