/* Reads tensors by path: lists the formats, and recognises each. */
#include "ir/shared.h"
#include "parser/file.h"
#include "parser/formats.h"
#include "parser/parser.h"

#include <string.h>
#include <strings.h>

static bool is_protobuf(const char *path, const char *bytes, size_t n)
{
    size_t length = strlen(path);

    return length > 3 && strcasecmp(path + length - 3, ".pb") == 0 &&
           !(n >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0);
}

/* Reads the tensor in PATH with READ, or, if READ is NULL, with the reader of the file's format. */
static inlay_tensor *read_path(const char *path, tensor_reader *read, uint64_t max_memory,
                               inlay_diags *d)
{
    inlay_buffer *file;
    uint64_t held;
    inlay_tensor *t;
    const char *bytes;
    size_t n;

    if (inlay_is_missing(path, "path", d))
        return NULL;
    file = file_map(path, 0, max_memory, &held, d);
    if (!file)
        return NULL;
    bytes = inlay_buffer_data(file);
    n = inlay_buffer_size(file);
    if (!read)
        read = is_protobuf(path, bytes, n) ? onnx_read_tensor : npy_read;
    t = read(path, bytes, n, held, max_memory, d);
    inlay_buffer_release(file);
    return t;
}

inlay_tensor *inlay_read_npy(const char *path, inlay_diags *d)
{
    return read_path(path, npy_read, 0, d);
}

inlay_tensor *inlay_read_tensor(const char *path, uint64_t max_memory, inlay_diags *d)
{
    return read_path(path, NULL, max_memory, d);
}
