/* The floats of 4 to 16 bits, as codes. Private to ir/tensor/. */
#ifndef INLAY_IR_NARROW_H
#define INLAY_IR_NARROW_H

#include "ir/tensor.h"

/* The number that CODE stands for; exact. */
float narrow_decode(inlay_type type, unsigned code);
/* The code of the number nearest to X. */
unsigned narrow_encode(inlay_type type, double x);

#endif
