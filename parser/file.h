/* Reads files. A file that the user names may be anything readable; a file that a model names is
 * untrusted, and may only be opened by file_map_named. Private to parser/. */
#ifndef INLAY_PARSER_FILE_H
#define INLAY_PARSER_FILE_H

#include "ir/ir.h"

/* How much of files may be read into memory. A mapped file takes none, but where another program
 * makes it shorter, this one is ended by a signal. */
typedef struct file_memory {
    inlay_budget *budget; /* where the bytes count that are read; NULL: no limit */
    bool never_map;       /* read every file, or fail */
} file_memory;

/* Returns the bytes of PATH ("-": standard input), which the user named. A regular file is mapped
 * where it has 64 MiB or more, or much of what M allows; else it is read into memory. NULL and an
 * error when the file cannot be opened, has more than MAX bytes, or more would have to be read than
 * M allows. */
inlay_buffer *file_map(const char *path, uint64_t max, file_memory m, inlay_diags *d);

/* Why a file that a model names is not read. */
typedef enum file_fault {
    FILE_FINE,
    FILE_FAILED,   /* the error is recorded already; every other fault is the caller's to report */
    FILE_MISSING,  /* the file cannot be opened; errno says why */
    FILE_OUTSIDE,  /* the file is not below the model's folder */
    FILE_IRREGULAR /* the file is a device, a pipe or a folder */
} file_fault;

/* Sets *BYTES to those of the file NAME in the folder of MODEL, as file_map does. The file must be
 * a regular one below that folder; with FOLLOW_LINKS a link may lead to a regular file elsewhere.
 */
file_fault file_map_named(const char *model, const char *name, bool follow_links, file_memory m,
                          inlay_buffer **bytes, inlay_diags *d);

/* Records "WHAT: why" for the file PATH, where "why" is the text of errno; always false. */
bool file_fail(inlay_diags *d, const char *path, const char *what);

/* Returns the path of NAME in the folder of PATH, malloc'd; NULL when out of memory. */
char *file_beside(const char *path, const char *name);
/* Returns PATH with the ending of its file name, after the last dot, replaced by ENDING, malloc'd.
 */
char *file_with_ending(const char *path, const char *ending);

#endif
