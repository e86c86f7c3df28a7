/* What the readers and writers share among themselves. Private to parser/. */
#ifndef INLAY_PARSER_INTERNAL_H
#define INLAY_PARSER_INTERNAL_H

#include "ir/shared.h"
#include "parser/parser.h"

/* file.c */

/* The bytes of PATH ("-": standard input), which the user named: mapped when it is a regular file,
 * else read into memory. NULL and an error when it cannot be opened, has more than MAX bytes, or
 * more than MAX_HELD that must be read into memory (0: no limit). *HELD (HELD may be NULL): how
 * many bytes of memory were taken. */
inlay_buffer *file_map(const char *path, uint64_t max, uint64_t max_held, uint64_t *held,
                       inlay_diags *d);

/* Why a file that a model names is not read. */
typedef enum file_fault {
    FILE_FINE,
    FILE_FAILED,   /* the error is recorded; what else there is, the caller says */
    FILE_MISSING,  /* it cannot be opened; errno says why */
    FILE_OUTSIDE,  /* it is not below the model's folder */
    FILE_IRREGULAR /* a device, a pipe, a folder */
} file_fault;

/* The only way to a file that a model names: *BYTES are those of NAME in the folder of MODEL. It
 * must be a regular file below that folder; FOLLOW_LINKS: or one that a link leads to. */
file_fault file_map_named(const char *model, const char *name, bool follow_links,
                          inlay_buffer **bytes, inlay_diags *d);
/* Says of a reader that failed because its ARENA (may be NULL) is over its limit, that of O, that
 * it did; ahead of "out of memory", which is all that the one it happened to knew. */
void file_say_over(const inlay_arena *arena, const char *name, const inlay_read_options *o,
                   inlay_diags *d);
/* NAME in the folder of PATH, malloc'd; NULL when out of memory. */
char *file_beside(const char *path, const char *name);
/* PATH with everything after the last dot of its file name replaced by ENDING ("bin"), malloc'd. */
char *file_with_ending(const char *path, const char *ending);

/* A file without a name, or where the system has no such thing under a temporary name beside PATH,
 * until file_out_commit puts it in its place. */
typedef struct file_out {
    char *path;
    char *temp; /* the temporary name, empty when it has none; room for one, since a file takes its
                   place without asking for memory */
    int fd;
    bool nameless;
    bool fresh; /* it took a place where no file was */
    char *buf;  /* writes are collected */
    size_t n;
    int error; /* errno of the first write that failed */
} file_out;

bool file_out_open(file_out *o, const char *path, inlay_diags *d);
/* An inlay_write_fn; CTX is the file_out. False once a write failed. */
bool file_out_write(void *ctx, const char *bytes, size_t n);
/* Flushes; false and an error when anything was not written. */
bool file_out_finish(file_out *o, inlay_diags *d);
/* A finished file that must wait for others gives its descriptor back, for a temporary name. */
bool file_out_wait(file_out *o, inlay_diags *d);
/* Puts N finished files in their places, in this order. No signal comes between. When one cannot
 * take its place, those that are new go again. */
bool file_out_commit(file_out *const *files, size_t n, inlay_diags *d);
/* Removes what was not committed; frees. Fine after a failed open, too. */
void file_out_close(file_out *o);

/* foreign.c: a format that is not read, such as "an ONNX model, which is not read yet"; NULL when
 * it is none. By the bytes of a file, which no format that is read has, or by the ending of its
 * name. */
const char *foreign_by_content(const char *bytes, size_t n);
const char *foreign_by_name(const char *path);

#endif
