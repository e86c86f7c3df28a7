/* Mutations that know more of an input than its bytes: words and lines of text, messages of ONNX, checksums of
 * archives. Each .c file beside this one that is called mutate_KIND.c has the function that libFuzzer and, by afl.c,
 * AFL++ call for the targets of that kind; replays do without. */
#ifndef INLAY_TESTS_FUZZ_MUTATE_H
#define INLAY_TESTS_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Changes the N bytes at DATA, which has room for MOST, and returns how many there are then. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t most, unsigned seed);
/* The same without knowing anything: by libFuzzer, or afl.c. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t most);

/* Draws a number below N, which is not 0, from STATE. */
static inline size_t draw(uint64_t *state, size_t n)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (size_t)(*state >> 33) % n;
}

/* Returns a number at which something may go wrong: an end of a type, a size, a small one. */
int64_t draw_number(uint64_t *state);

#endif
