/* What tests ask of programs beyond interp.h. */
#ifndef INLAY_INTERP_SESSION_H
#define INLAY_INTERP_SESSION_H

#include "interp/interp.h"

/* The size of the tiles, in bytes, in which P computes what can wait, if it runs planned. */
void program_tile(inlay_program *p, int64_t bytes);

#endif
