/* All of the library. Each of the four headers can be included on its own. */
#ifndef INLAY_H
#define INLAY_H

#include "interp/interp.h"
#include "ir/ir.h"
#include "parser/parser.h"
#include "passes/passes.h"

#endif
