/* A mutator of mutate_KIND.c as a library that AFL++ loads (AFL_CUSTOM_MUTATOR_LIBRARY). */
#include "mutate.h"

#include <stdlib.h>
#include <string.h>

struct mutator {
    uint64_t state;
    uint8_t *bytes;
    size_t room;
};

#pragma GCC visibility push(default)
void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_fuzz(struct mutator *m, uint8_t *data, size_t n, uint8_t **out, uint8_t *other,
                       size_t n_other, size_t most);
void afl_custom_deinit(struct mutator *m);
#pragma GCC visibility pop

/* Where libFuzzer is not there: a byte becomes another one. AFL++ does the rest by itself. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t most)
{
    static uint64_t state;

    if (n < most && draw(&state, 4) == 0)
        data[n++] = 0;
    if (n > 0)
        data[draw(&state, n)] ^= (uint8_t)(1 << draw(&state, 8));
    return n;
}

void *afl_custom_init(void *afl, unsigned seed)
{
    struct mutator *m = calloc(1, sizeof *m);

    (void)afl;
    if (m)
        m->state = seed;
    return m;
}

size_t afl_custom_fuzz(struct mutator *m, uint8_t *data, size_t n, uint8_t **out, uint8_t *other,
                       size_t n_other, size_t most)
{
    (void)other;
    (void)n_other;
    if (most > m->room) {
        free(m->bytes);
        m->bytes = malloc(most);
        m->room = m->bytes ? most : 0;
    }
    if (n > m->room) {
        *out = data;
        return n;
    }
    memcpy(m->bytes, data, n);
    *out = m->bytes;
    return LLVMFuzzerCustomMutator(m->bytes, n, most, (unsigned)draw(&m->state, 1U << 31));
}

void afl_custom_deinit(struct mutator *m)
{
    free(m->bytes);
    free(m);
}
