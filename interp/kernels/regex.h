/* Regular expressions as RE2 reads them (RegexFullMatch of ONNX), matched against a whole string in
 * time that is the product of both lengths, whatever they say. POSIX's regcomp, which the C library
 * has, knows neither the classes of these expressions nor a bound on its memory. Private to
 * interp/kernels/. */
#ifndef INLAY_KERNELS_REGEX_H
#define INLAY_KERNELS_REGEX_H

#include "interp/call/kernel.h"

typedef struct regex regex;

/* PATTERN, which lives as long as the call. NULL after recording an error that says what of it is
 * wrong, or is not read: flags, \p, \C, \Q. */
regex *regex_new(inlay_call *c, const char *pattern);
/* All of S is what the expression describes. */
bool regex_matches(regex *r, inlay_string s);

#endif
