/* Where the module is, and whether it may be opened. Private to interp/library/. */
#ifndef INLAY_LIBRARY_PLACE_H
#define INLAY_LIBRARY_PLACE_H

#include <stddef.h>

/* Opens the module NAME, relative to the folder of this library. The code of a module runs as soon
 * as it is opened, so before that it must be a regular file that nobody else may write, of the
 * library's owner, this user's or root's, and must hold the words of MODULE_MARK. NULL: there is
 * none, or WHY says what is wrong with it. */
void *module_open(const char *name, char *why, size_t room);

#endif
