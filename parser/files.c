/* Files that appear together or not at all: none is committed before all are complete. */
#include "ir/shared.h"
#include "parser/file_out.h"
#include "parser/names.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_OPEN = 64 }; /* files that wait with an open descriptor */

struct inlay_files {
    file_out **list;
    size_t n, cap;
    parser_names paths;
};

inlay_files *inlay_files_new(inlay_diags *d)
{
    inlay_files *fs = calloc(1, sizeof *fs);

    if (!fs)
        inlay_fail_memory(d);
    return fs;
}

void inlay_files_free(inlay_files *fs)
{
    for (size_t i = 0; fs && i < fs->n; i++) {
        file_out_close(fs->list[i]);
        free(fs->list[i]);
    }
    if (fs)
        parser_names_free(&fs->paths);
    free(fs ? fs->list : NULL);
    free(fs);
}

file_out *files_add(inlay_files *fs, const char *path, inlay_diags *d)
{
    file_out *o;

    if (parser_names_find(&fs->paths, path)) {
        inlay_fail(d, &(inlay_pos){path, 0}, "two files of this name would be written");
        return NULL;
    }
    if (fs->n == fs->cap) {
        size_t cap = fs->cap ? 2 * fs->cap : 8;
        file_out **list = realloc(fs->list, cap * sizeof *list);

        if (!list) {
            inlay_fail_memory(d);
            return NULL;
        }
        fs->list = list;
        fs->cap = cap;
    }
    o = calloc(1, sizeof *o);
    if (!o) {
        inlay_fail_memory(d);
        return NULL;
    }
    o->fd = -1;
    fs->list[fs->n++] = o;
    if (!file_out_open(o, path, d))
        return NULL;
    if (o->temp && !parser_names_add(&fs->paths, o->path, o)) {
        inlay_fail_memory(d);
        return NULL;
    }
    return o;
}

bool files_finish(inlay_files *fs, file_out *o, bool ok, inlay_diags *d)
{
    /* A write that failed is reported, with its reason, by file_out_finish. */
    if (!ok && o->error == 0)
        return false;
    ok = file_out_finish(o, d) && ok;
    free(o->buf);
    o->buf = NULL;
    return ok && (fs->n <= MAX_OPEN || file_out_wait(o, d));
}

bool inlay_files_bytes(inlay_files *fs, const char *path, const void *bytes, size_t n,
                       inlay_diags *d)
{
    bool sound = !inlay_is_missing(fs, "list of files", d) && !inlay_is_missing(path, "path", d) &&
                 (n == 0 || !inlay_is_missing(bytes, "list of bytes", d));
    file_out *o = sound ? files_add(fs, path, d) : NULL;

    return o && files_finish(fs, o, file_out_write(o, bytes, n), d);
}

bool inlay_files_commit(inlay_files *fs, inlay_diags *d)
{
    return !inlay_is_missing(fs, "list of files", d) && file_out_commit(fs->list, fs->n, d);
}
