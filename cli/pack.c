/* A certificate as bytes: it repeats much of the texts of MODEL and OUT, and its own steps are alike.
 * So what stands in these texts, or before, is copied from there:
 *
 *     {length of new bytes, new bytes, length of a copy, how far it begins before what it makes}
 *
 * with numbers in base 128, the lowest digits first, all but the last with 128 added. A copy of
 * length 0, which has no distance, is the last. Distances count over MODEL, OUT and what is
 * unpacked already. `inlay-check` unpacks it (check/README.md). */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 5, MOST_TRIES = 12, SLOTS = 1 << 16 };

typedef struct packer {
    const char *bytes;
    size_t n;
    uint32_t *first, *before; /* of a hash the last place, from 1; of a place the one before it */
} packer;

static void put_number(inlay_strbuf *to, size_t x)
{
    char digit;

    for (; x >= 128; x >>= 7) {
        digit = (char)(x | 128);
        inlay_strbuf_sink(to, &digit, 1);
    }
    digit = (char)x;
    inlay_strbuf_sink(to, &digit, 1);
}

static size_t slot_of(const char *p)
{
    uint64_t x = 0;

    memcpy(&x, p, LEAST);
    return (size_t)(x * UINT64_C(0x9e3779b97f4a7c15) >> 48);
}

static void enter(packer *p, size_t at)
{
    uint32_t *slot;

    if (at + LEAST > p->n)
        return;
    slot = &p->first[slot_of(p->bytes + at)];
    p->before[at] = *slot;
    *slot = (uint32_t)at + 1;
}

/* The length of the longest copy for what stands at AT, and where it is. */
static size_t find(const packer *p, size_t at, size_t *from)
{
    size_t best = 0;
    uint32_t place = at + LEAST <= p->n ? p->first[slot_of(p->bytes + at)] : 0;

    for (int i = 0; place && i < MOST_TRIES; i++, place = p->before[place - 1]) {
        size_t n = 0;

        while (at + n < p->n && p->bytes[place - 1 + n] == p->bytes[at + n])
            n++;
        if (n > best) {
            best = n;
            *from = place - 1;
        }
    }
    return best;
}

static void pack(packer *p, size_t begin, inlay_strbuf *to)
{
    size_t at = begin, fresh = begin, from = 0;

    for (size_t i = 0; i < begin; i++)
        enter(p, i);
    while (at < p->n) {
        size_t n = find(p, at, &from);

        if (n < LEAST) {
            enter(p, at++);
            continue;
        }
        put_number(to, at - fresh);
        inlay_strbuf_sink(to, p->bytes + fresh, at - fresh);
        put_number(to, n);
        put_number(to, at - from);
        for (size_t i = 0; i < n; i++)
            enter(p, at++);
        fresh = at;
    }
    put_number(to, at - fresh);
    inlay_strbuf_sink(to, p->bytes + fresh, at - fresh);
    put_number(to, 0);
}

bool cli_pack(const inlay_strbuf *text, size_t begin, inlay_strbuf *to, inlay_diags *d)
{
    packer p = {.bytes = text->bytes, .n = text->n};
    bool ok;

    p.first = calloc(SLOTS, sizeof *p.first);
    p.before = calloc(text->n + 1, sizeof *p.before);
    ok = p.first && p.before && text->n < UINT32_MAX;
    if (ok)
        pack(&p, begin, to);
    free(p.first);
    free(p.before);
    return (ok && !to->failed) || inlay_fail_memory(d);
}
