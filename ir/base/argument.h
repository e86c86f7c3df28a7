/* What public functions ask of what they are handed: one place for each question and its words. For
 * the folders of this project, not installed. */
#ifndef INLAY_IR_ARGUMENT_H
#define INLAY_IR_ARGUMENT_H

#include "ir/diag.h"
#include "ir/strbuf.h"

/* True, and an error, when there is no P: "no graph is given". */
bool inlay_is_missing(const void *p, const char *what, inlay_diags *d);
/* A list of N entries is there, and N is not negative; else an error. */
bool inlay_list_is_sound(const void *list, int n, const char *what, inlay_diags *d);
/* The same for strings, each of which is there. */
bool inlay_names_are_sound(const char *const *names, int n, const char *what, inlay_diags *d);
/* A sink with a function; else an error. */
bool inlay_sink_is_sound(const inlay_sink *to, inlay_diags *d);

#endif
