/* Reads tensors by path: lists the formats, and recognises each. */
#include "ir/shared.h"
#include "parser/file.h"
#include "parser/formats.h"
#include "parser/parser.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_protobuf(const char *path, const char *bytes, size_t n)
{
    size_t length = strlen(path);

    return length > 3 && strcasecmp(path + length - 3, ".pb") == 0 &&
           !(n >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0);
}

/* Reads what is in PATH: with PROTOBUF, if that is a .pb and PROTOBUF not NULL, else as .npy. */
static inlay_tensor *read_path(const char *path, tensor_reader *protobuf, inlay_budget *budget,
                               inlay_diags *d)
{
    inlay_buffer *file;
    inlay_tensor *t;
    const char *bytes;
    size_t n;

    if (inlay_is_missing(path, "path", d))
        return NULL;
    file = file_map(path, 0, (file_memory){.budget = budget}, d);
    if (!file)
        return NULL;
    bytes = inlay_buffer_data(file);
    n = inlay_buffer_size(file);
    t = protobuf && is_protobuf(path, bytes, n) ? protobuf(path, bytes, n, budget, d)
                                                : npy_read(path, bytes, n, budget, d);
    inlay_buffer_release(file);
    return t;
}

inlay_tensor *inlay_read_npy(const char *path, inlay_diags *d)
{
    return read_path(path, NULL, NULL, d);
}

inlay_tensor *inlay_read_tensor(const char *path, inlay_budget *budget, inlay_diags *d)
{
    return read_path(path, onnx_read_tensor, budget, d);
}

static bool path_of(const char *folder, int64_t i, char *path, size_t size)
{
    return snprintf(path, size, "%s/%lld.npy", folder, (long long)i) < (int)size;
}

/* Reads the files 0.npy, 1.npy, ... of FOLDER as items. */
static inlay_tensor *read_folder(const char *folder, int rank, inlay_budget *budget, inlay_diags *d)
{
    char path[4096];
    int64_t n = 0;
    inlay_tensor *items;
    bool ok = true;

    while (path_of(folder, n, path, sizeof path) && access(path, F_OK) == 0)
        n++;
    if (rank == 0 && n > 1)
        return inlay_fail(d, &(inlay_pos){folder, 0}, "an optional has one element, in 0.npy"),
               NULL;
    items = inlay_tensor_in(budget, INLAY_ITEM, rank == 0 ? 0 : 1, &n);
    if (!items)
        inlay_fail_memory(d);
    for (int64_t i = 0; items && ok && i < n; i++) {
        inlay_tensor *t =
            path_of(folder, i, path, sizeof path) ? read_path(path, NULL, budget, d) : NULL;

        ok = t && (inlay_tensor_set_item(items, i, t) || inlay_fail_memory(d));
        inlay_tensor_release(t);
    }
    if (items && !ok) {
        inlay_tensor_release(items);
        return NULL;
    }
    return items;
}

inlay_tensor *inlay_read_value(const char *path, inlay_type type, int rank, inlay_budget *budget,
                               inlay_diags *d)
{
    struct stat about;

    if (type != INLAY_ITEM)
        return inlay_read_tensor(path, budget, d);
    if (inlay_is_missing(path, "path", d))
        return NULL;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return read_folder(path, rank, budget, d);
    return read_path(path, rank == 0 ? onnx_read_optional : onnx_read_sequence, budget, d);
}
