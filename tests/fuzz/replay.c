/* Runs a fuzzer's target on the files that are given, once each. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

static uint8_t *read_all(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = NULL;
    long size = -1;

    if (f && fseek(f, 0, SEEK_END) == 0)
        size = ftell(f);
    if (size >= 0 && fseek(f, 0, SEEK_SET) == 0)
        bytes = malloc((size_t)size + 1);
    *n = bytes ? fread(bytes, 1, (size_t)size, f) : 0;
    if (f)
        fclose(f);
    return bytes;
}

int main(int argc, char **argv)
{
    fuzz_all_laws = true;
    for (int i = 1; i < argc; i++) {
        size_t n;
        uint8_t *bytes = read_all(argv[i], &n);

        if (!bytes) {
            perror(argv[i]);
            return 2;
        }
        fprintf(stderr, "%s\n", argv[i]); /* the last name is the one that did it */
        LLVMFuzzerTestOneInput(bytes, n);
        free(bytes);
    }
    return 0;
}
