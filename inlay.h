/* All of the library. Each of its headers can be included on its own. */
#ifndef INLAY_H
#define INLAY_H

#include "front/front.h"
#include "generate/generate.h"
#include "inlay_ops.h"
#include "interp/interp.h"
#include "interp/kernel.h"
#include "ir/ir.h"
#include "parser/parser.h"
#include "passes/passes.h"

#endif
