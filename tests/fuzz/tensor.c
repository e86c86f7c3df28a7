/* A tensor of any bytes: .npy, .pb and pictures from memory; what begins with PK is an archive of arrays, what begins
 * with Z is put into one, with its sum and its size, so that its content is looked at. */
#include "fuzz.h"
#include "ir/shared.h"
#include "parser/formats.h"
#include "parser/image.h"
#include "parser/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

static void check(inlay_tensor *t, inlay_diags *d)
{
    if (!t && !inlay_diags_error(d))
        fuzz_broken("a reader that refuses says why", d);
    inlay_tensor_release(t);
    inlay_diags_clear(d);
}

static void read_bytes(const uint8_t *bytes, size_t n)
{
    static tensor_reader *const readers[] = {onnx_read_tensor, onnx_read_sequence,
                                             onnx_read_optional};
    inlay_diags *d = inlay_diags_new();
    inlay_budget *budget = inlay_budget_new(FUZZ_MOST_BYTES, d);
    image_source picture = {"fuzz.png", bytes, n, budget, d};

    check(inlay_read_npy_bytes("fuzz.npy", bytes, n, d), d);
    for (int i = 0; i < 3; i++)
        check(readers[i]("fuzz.pb", (const char *)bytes, n, budget, d), d);
    for (int channels = 1; channels <= 4; channels += 2)
        check(image_decode(&picture, channels), d);
    if (inlay_budget_used(budget) != 0)
        fuzz_broken("what is freed is given back", d);
    inlay_budget_free(budget);
    inlay_diags_free(d);
}

static void read_archive(const void *bytes, size_t n)
{
    const char *path = fuzz_path("fuzz.npz");
    inlay_diags *d = inlay_diags_new();
    FILE *f = fopen(path, "wb");
    bool written = f && fwrite(bytes, 1, n, f) == n;
    inlay_budget *budget = inlay_budget_new(FUZZ_MOST_BYTES, d);
    inlay_npz *z = NULL;

    if (f)
        fclose(f);
    if (written)
        z = inlay_npz_open(path, budget, d);
    for (size_t i = 0; z && i < inlay_npz_count(z) && i < 4; i++)
        inlay_tensor_release(inlay_npz_read(z, i, budget, d));
    inlay_npz_close(z);
    inlay_budget_free(budget);
    inlay_diags_free(d);
    unlink(path);
}

static uint8_t *put(uint8_t *at, uint32_t value, int n)
{
    for (int i = 0; i < n; i++)
        *at++ = (uint8_t)(value >> 8 * i);
    return at;
}

/* What both headers of a member say of it. */
static uint8_t *put_member(uint8_t *at, const uint8_t *bytes, uint32_t n)
{
    at = put(at, 20, 2); /* version, and then flags, method, time and date: stored */
    at = put(put(at, 0, 4), 0, 4);
    at = put(at, (uint32_t)crc32(0, bytes, n), 4);
    at = put(put(at, n, 4), n, 4);
    return put(put(at, 5, 2), 0, 2); /* the length of the name, and nothing more */
}

/* Reads the bytes as the member x.npy of an archive. */
static void read_member(const uint8_t *bytes, size_t n)
{
    uint8_t *archive = malloc(n + 200), *at = archive;
    size_t central;

    if (!archive)
        return;
    at = put_member(put(at, 0x04034b50, 4), bytes, (uint32_t)n);
    memcpy(at, "x.npy", 5);
    memcpy(at + 5, bytes, n);
    at += 5 + n;
    central = (size_t)(at - archive);
    at = put_member(put(put(at, 0x02014b50, 4), 20, 2), bytes, (uint32_t)n);
    at = put(put(put(put(at, 0, 4), 0, 2), 0, 4), 0, 4); /* no comment, and the member is at 0 */
    memcpy(at, "x.npy", 5);
    at += 5;
    at = put(put(put(at, 0x06054b50, 4), 0, 4), 1, 2);
    at = put(put(at, 1, 2), (uint32_t)(at - archive) - (uint32_t)central - 10, 4);
    at = put(put(at, (uint32_t)central, 4), 0, 2);
    read_archive(archive, (size_t)(at - archive));
    free(archive);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (n >= 4 && bytes[0] == 'P' && bytes[1] == 'K')
        read_archive(bytes, n);
    else if (n > 0 && bytes[0] == 'Z')
        read_member(bytes + 1, n - 1);
    else
        read_bytes(bytes, n);
    return 0;
}
