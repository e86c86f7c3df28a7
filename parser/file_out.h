/* Files that are written: each appears complete or not at all, and several appear together or not
 * at all. Private to parser/.
 *
 *     file_out_open     the file has no name yet, or a temporary one beside PATH
 *     file_out_write    bytes are collected and written
 *     file_out_finish   all bytes are in the file, or an error is recorded
 *     file_out_commit   the files take their places, in one go
 *     file_out_close    what was not committed vanishes */
#ifndef INLAY_PARSER_FILE_OUT_H
#define INLAY_PARSER_FILE_OUT_H

#include "parser/parser.h"

/* A file that is being written. Where the system has files without a name, it is such a file until
 * it takes its place, so that nothing is left of it when the program is killed. */
typedef struct file_out {
    char *path;
    char *temp; /* the temporary name, empty when the file has none; there is room for one, since a
                   file takes its place without asking for memory */
    int fd;
    bool nameless;
    bool fresh; /* the file took a place where no file was */
    char *buf;  /* bytes that are not written yet */
    size_t n;
    int error; /* errno of the first write that failed */
} file_out;

bool file_out_open(file_out *o, const char *path, inlay_diags *d);
/* An inlay_write_fn; CTX is the file_out. False once a write failed. */
bool file_out_write(void *ctx, const char *bytes, size_t n);
/* Writes what was collected; false and an error when anything was not written. */
bool file_out_finish(file_out *o, inlay_diags *d);
/* Closes the descriptor of a finished file that must wait for others. A file without a name gets a
 * temporary one for that. */
bool file_out_wait(file_out *o, inlay_diags *d);
/* Puts N finished files in their places, in this order. No signal comes between, and no other
 * program that puts files into the folder of the last one. When one cannot
 * take its place, those that are new go again. */
bool file_out_commit(file_out *const *files, size_t n, inlay_diags *d);
/* Removes what was not committed, and frees. O may be one whose opening failed. */
void file_out_close(file_out *o);

/* files.c: for a room that writes files of its own. */

/* A new file at PATH, which FS owns. NULL and an error. */
file_out *files_add(inlay_files *fs, const char *path, inlay_diags *d);
/* O is complete. OK: all was written, as far as the caller knows. */
bool files_finish(inlay_files *fs, file_out *o, bool ok, inlay_diags *d);

#endif
