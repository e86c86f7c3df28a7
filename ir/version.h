/* Which version of the library this is. The Makefile takes it from here. */
#ifndef INLAY_VERSION_H
#define INLAY_VERSION_H

#include "ir/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

#define INLAY_VERSION_MAJOR 0
#define INLAY_VERSION_MINOR 2
#define INLAY_VERSION_PATCH 0

/* The three as a number that grows with the version, for comparisons: 0.12.3 is 1203. */
#define INLAY_VERSION_NUMBER                                                                       \
    (INLAY_VERSION_MAJOR * 10000 + INLAY_VERSION_MINOR * 100 + INLAY_VERSION_PATCH)

/* And as a string: "0.12.3". */
#define INLAY_VERSION_DOTTED(a, b, c) #a "." #b "." #c
#define INLAY_VERSION_OF(a, b, c) INLAY_VERSION_DOTTED(a, b, c)
#define INLAY_VERSION                                                                              \
    INLAY_VERSION_OF(INLAY_VERSION_MAJOR, INLAY_VERSION_MINOR, INLAY_VERSION_PATCH)

/* base/version.c: INLAY_VERSION of the library that runs, which may be newer than the headers that
 * a program was compiled with. */
INLAY_API const char *inlay_version(void);

#ifdef __cplusplus
}
#endif

#endif
