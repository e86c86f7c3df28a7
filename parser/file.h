/* Files that are read. A file that the user names may be anything that can be read; a file that a
 * model names is untrusted, and file_map_named is the only way to it. Private to parser/. */
#ifndef INLAY_PARSER_FILE_H
#define INLAY_PARSER_FILE_H

#include "ir/ir.h"

/* The bytes of PATH ("-": standard input), which the user named. A regular file is mapped; any
 * other is read into memory, and *HELD (HELD may be NULL) says how many bytes of memory that took.
 * NULL and an error when the file cannot be opened, has more than MAX bytes, or more than MAX_HELD
 * bytes would have to be read into memory (0: no limit). */
inlay_buffer *file_map(const char *path, uint64_t max, uint64_t max_held, uint64_t *held,
                       inlay_diags *d);

/* Why a file that a model names is not read. */
typedef enum file_fault {
    FILE_FINE,
    FILE_FAILED,   /* the error is recorded already; every other fault is the caller's to report */
    FILE_MISSING,  /* the file cannot be opened; errno says why */
    FILE_OUTSIDE,  /* the file is not below the model's folder */
    FILE_IRREGULAR /* the file is a device, a pipe or a folder */
} file_fault;

/* *BYTES are those of the file NAME in the folder of MODEL. The file must be a regular one below
 * that folder; with FOLLOW_LINKS it may also be one that a link leads to. */
file_fault file_map_named(const char *model, const char *name, bool follow_links,
                          inlay_buffer **bytes, inlay_diags *d);

/* "WHAT: why", with the words of errno, for the file PATH; always false. */
bool file_fail(inlay_diags *d, const char *path, const char *what);

/* NAME in the folder of PATH, malloc'd; NULL when out of memory. */
char *file_beside(const char *path, const char *name);
/* PATH with all after the last dot of its file name replaced by ENDING ("bin"), malloc'd. */
char *file_with_ending(const char *path, const char *ending);

#endif
