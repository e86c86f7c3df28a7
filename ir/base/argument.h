/* Checks of the arguments of public functions, with one message for each kind. For the folders of
 * this project, not installed. */
#ifndef INLAY_IR_ARGUMENT_H
#define INLAY_IR_ARGUMENT_H

#include "ir/diag.h"
#include "ir/strbuf.h"

/* Is P NULL? Then records an error: "no graph is given". */
bool inlay_is_missing(const void *p, const char *what, inlay_diags *d);
/* Checks that a list of N entries is there, and N is not negative; else records an error. */
bool inlay_list_is_sound(const void *list, int n, const char *what, inlay_diags *d);
/* The same for N strings, none of them NULL. */
bool inlay_names_are_sound(const char *const *names, int n, const char *what, inlay_diags *d);
/* Checks that a sink has a function; else records an error. */
bool inlay_sink_is_sound(const inlay_sink *to, inlay_diags *d);
/* Writes to a sink. False: records that WHAT could not be written; of a buffer, that memory ended. */
bool inlay_sink_write(const inlay_sink *to, const char *bytes, size_t n, const char *what,
                      inlay_diags *d);

#endif
