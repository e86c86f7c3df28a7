/* A tensor of any bytes: .npy from memory, and .npz from a file. */
#include "fuzz.h"
#include "parser/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void read_npy(const uint8_t *bytes, size_t n)
{
    inlay_diags *d = inlay_diags_new();
    inlay_tensor *t = inlay_read_npy_bytes("fuzz.npy", bytes, n, d);

    if (!t && !inlay_diags_error(d))
        fuzz_broken("a reader that refuses says why", d);
    inlay_tensor_release(t);
    inlay_diags_free(d);
}

static void read_members(const char *path)
{
    inlay_diags *d = inlay_diags_new();
    inlay_npz *z = inlay_npz_open(path, 0, d);

    for (size_t i = 0; z && i < inlay_npz_count(z) && i < 4; i++)
        inlay_tensor_release(inlay_npz_read(z, i, 0, d));
    inlay_npz_close(z);
    inlay_diags_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char path[] = "/tmp/inlay-fuzz-XXXXXX";
    int fd;

    read_npy(bytes, n);
    fd = n >= 4 && bytes[0] == 'P' ? mkstemp(path) : -1;
    if (fd < 0)
        return 0;
    if (write(fd, bytes, n) == (ssize_t)n)
        read_members(path);
    close(fd);
    unlink(path);
    return 0;
}
