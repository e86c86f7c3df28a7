/* What the folders of this project share of ir/ beyond its public headers. Not installed, and none
 * of its names is exported: what a program outside needs belongs into a public header. */
#ifndef INLAY_IR_SHARED_H
#define INLAY_IR_SHARED_H

#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/base/hash.h"
#include "ir/base/locale.h"
#include "ir/base/memory.h"
#include "ir/base/random.h"
#include "ir/base/record.h"
#include "ir/base/utf8.h"
#include "ir/graph/argument.h"
#include "ir/graph/attr.h"
#include "ir/graph/condition.h"
#include "ir/graph/deferred.h"
#include "ir/graph/fail.h"
#include "ir/graph/items.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/graph/provenance.h"
#include "ir/graph/region.h"
#include "ir/graph/work.h"
#include "ir/infer/activations.h"
#include "ir/infer/equation.h"
#include "ir/infer/facts.h"
#include "ir/ir.h"
#include "ir/notes/illegal.h"
#include "ir/ops/rows.h"
#include "ir/tensor/box.h"
#include "ir/tensor/casts.h"
#include "ir/tensor/dim.h"
#include "ir/tensor/number.h"
#include "ir/tensor/storage.h"
#include "ir/tensor/window.h"
#include "ir/text/token.h"

#endif
