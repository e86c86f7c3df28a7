/* Regular expressions in RE2's syntax (RegexFullMatch of ONNX), matched against a whole string in
 * time proportional to the product of both lengths, whatever the expression. The C library's POSIX
 * regcomp has neither the classes of these expressions nor a bound on memory. Private to
 * interp/kernels/. */
#ifndef INLAY_KERNELS_REGEX_H
#define INLAY_KERNELS_REGEX_H

#include "interp/call/kernel.h"

typedef struct regex regex;

/* Compiles PATTERN, which must live as long as the call. NULL after recording an error that says
 * what is wrong or not supported (flags, \p, \C, \Q). */
regex *regex_new(inlay_call *c, const char *pattern);
/* Does the expression match all of S? */
bool regex_matches(regex *r, inlay_string s);

#endif
