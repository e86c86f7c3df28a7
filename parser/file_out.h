/* Writes files so that each appears complete or not at all, and several appear together or not at
 * all. Private to parser/.
 *
 *     file_out_open     makes a file without a name, or a temporary one beside PATH
 *     file_out_write    buffers and writes bytes
 *     file_out_finish   writes the rest, or records an error
 *     file_out_commit   gives all files their names, in one go
 *     file_out_close    removes what was not committed */
#ifndef INLAY_PARSER_FILE_OUT_H
#define INLAY_PARSER_FILE_OUT_H

#include "parser/parser.h"

/* A file that is being written. Where the system has files without a name, it is one until it is
 * committed, so that nothing is left behind when the program is killed. */
typedef struct file_out {
    char *path;
    char *temp; /* the temporary name, empty when the file has none; allocated early, so that
                   committing needs no memory */
    int fd;
    unsigned mode; /* of the file that it replaces, whose mode it keeps; 0: it replaces none */
    bool nameless;
    bool fresh; /* no file had this path before the commit */
    char *buf;  /* bytes that are not written yet */
    size_t n;
    int error; /* errno of the first write that failed */
} file_out;

bool file_out_open(file_out *o, const char *path, inlay_diags *d);
/* An inlay_write_fn; CTX is the file_out. False once a write failed. */
bool file_out_write(void *ctx, const char *bytes, size_t n);
/* Writes what was collected; false and an error when anything was not written. */
bool file_out_finish(file_out *o, inlay_diags *d);
/* Closes the descriptor of a finished file that is committed later, together with others. A file
 * without a name gets a temporary one for that. */
bool file_out_wait(file_out *o, inlay_diags *d);
/* Gives N finished files their names, in this order. Signals are blocked meanwhile, and the folder
 * of the last file is locked against other programs that commit files this way. When one file
 * fails, new files committed before it are removed again. */
bool file_out_commit(file_out *const *files, size_t n, inlay_diags *d);
/* Removes what was not committed, and frees. O may be one whose opening failed. */
void file_out_close(file_out *o);

/* files.c: for folders that write formats of their own. */

/* Adds a new file for PATH, which FS owns. NULL and an error. */
file_out *files_add(inlay_files *fs, const char *path, inlay_diags *d);
/* Finishes O. OK: the caller has written all of it without an error. */
bool files_finish(inlay_files *fs, file_out *o, bool ok, inlay_diags *d);

#endif
