/* A certificate as bytes: it repeats much of the texts of MODEL and OUT, and its own steps are
 * alike. So what stands in these texts, in what is usual, or before, is copied from there, and all
 * is written as bits whose probabilities adapt to what was there before, by the range coder of LZMA.
 * After the length of all and 1 stand
 *
 *     0, a byte in the context of the one before
 *     1, length of a copy, 0, how far it begins before what it makes
 *     1, length of a copy, 1, before the end of the last copy or behind it (1, 0), how far and 1
 *
 * A number is the length of it in bits, and the bits behind the first. `inlay-check` unpacks all
 * (check/README.md). */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 4, MOST_TRIES = 24, SLOTS = 1 << 16, HALF = 1024, WHOLE = 2048 };

/* How much more probable than 1024 of 2048 a 0 is, after USED bits. */
typedef struct chance {
    int16_t more, used;
} chance;

/* A number: its bits, and by their count the bits behind the first. */
typedef struct number {
    chance length[32], bits[32][32];
} number;

typedef struct packer {
    const char *bytes;
    size_t n, last;           /* LAST: behind the last copy */
    uint32_t *first, *before; /* of a hash the last place, from 1; of a place the one before it */
    inlay_strbuf *to;
    uint64_t low;
    uint32_t range;
    size_t held; /* bytes that a carry may still change: the first, and 0xff */
    unsigned char byte;
    bool is_letter[256];
    chance is_copy[2][256], is_near[1], is_back[1], literals[256][256];
    number size, lengths, distances, steps;
} packer;

static void shift(packer *p)
{
    if (p->low < 0xff000000u || p->low >> 32) {
        for (; p->held > 0; p->held--) {
            char byte = (char)(p->byte + (p->low >> 32));

            inlay_strbuf_sink(p->to, &byte, 1);
            p->byte = 0xff;
        }
        p->byte = (unsigned char)(p->low >> 24);
    }
    p->held++;
    p->low = (p->low & 0x00ffffff) << 8;
}

static void put_bit(packer *p, chance *of, bool one)
{
    uint32_t zero = (uint32_t)(HALF + of->more), bound = (p->range >> 11) * zero;
    int rate = 1 + of->used / 2;

    p->low += one ? bound : 0;
    p->range = one ? p->range - bound : bound;
    of->more = (int16_t)(of->more + (one ? -(int)(zero >> rate) : (int)((WHOLE - zero) >> rate)));
    of->used = (int16_t)(of->used + (of->used < 6));
    for (; p->range < 1u << 24; p->range <<= 8)
        shift(p);
}

static void put_symbol(packer *p, chance *of, int bits, size_t x)
{
    size_t at = 1;

    while (bits-- > 0) {
        put_bit(p, &of[at], x >> bits & 1);
        at = at << 1 | (x >> bits & 1);
    }
}

static int bits_of(size_t x)
{
    return x ? 64 - __builtin_clzll(x) : 0;
}

/* X is at least 1. */
static void put_number(packer *p, number *of, size_t x)
{
    int n = bits_of(x);

    put_symbol(p, of->length, 5, (size_t)n);
    for (int i = n - 2; i >= 0; i--)
        put_bit(p, &of->bits[n][i], x >> i & 1);
}

static uint32_t *slot_of(const packer *p, size_t at)
{
    uint32_t x;

    memcpy(&x, p->bytes + at, LEAST);
    return &p->first[x * UINT32_C(0x9e3779b1) >> 16];
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Copies begin where words do, which is where most that are worth it begin. */
static bool may_begin(const packer *p, size_t at)
{
    return at + LEAST <= p->n && (at == 0 || !p->is_letter[(unsigned char)p->bytes[at - 1]] ||
                                  !p->is_letter[(unsigned char)p->bytes[at]]);
}

/* Later copies may be of what begins at one of the N places from AT on. */
static void enter(packer *p, size_t at, size_t n)
{
    const unsigned char *bytes = (const unsigned char *)p->bytes;
    size_t last = p->n < LEAST ? 0 : p->n - LEAST + 1, end = at + n < last ? at + n : last;
    bool was = at > 0 && p->is_letter[bytes[at - 1]];

    for (; at < end; at++) {
        bool is = p->is_letter[bytes[at]];

        if (!was || !is) {
            uint32_t *slot = slot_of(p, at);

            p->before[at] = *slot;
            *slot = (uint32_t)at + 1;
        }
        was = is;
    }
}

/* How far FROM is from where the last copy ended, and the bits that this takes. */
static size_t apart(const packer *p, size_t from)
{
    return from > p->last ? from - p->last : p->last - from;
}

static int cost_of(const packer *p, size_t at, size_t from)
{
    int near = 1 + bits_of(apart(p, from) + 1), back = bits_of(at - from);

    return near < back ? near : back;
}

/* The length of the copy for what stands at AT that saves most, and where it is; 0: none does. */
static size_t find(const packer *p, size_t at, size_t *from)
{
    size_t best = 0;
    int most = 12;
    uint32_t place = may_begin(p, at) ? *slot_of(p, at) : 0;

    for (int i = 0; place && i < MOST_TRIES; i++, place = p->before[place - 1]) {
        const char *a = p->bytes + place - 1, *b = p->bytes + at;
        size_t n = 0;
        int saved;

        while (at + n < p->n && a[n] == b[n])
            n++;
        saved = (int)(n < 1000 ? 3 * n : 3000) - cost_of(p, at, place - 1);
        if (n >= LEAST && saved > (best ? most : 0)) {
            most = saved;
            best = n;
            *from = place - 1;
        }
    }
    return best;
}

static void put_copy(packer *p, size_t at, size_t from, size_t n)
{
    bool near = 1 + bits_of(apart(p, from) + 1) < bits_of(at - from);

    put_number(p, &p->lengths, n);
    put_bit(p, p->is_near, near);
    if (near) {
        put_bit(p, p->is_back, from < p->last);
        put_number(p, &p->steps, apart(p, from) + 1);
    } else {
        put_number(p, &p->distances, at - from);
    }
    p->last = from + n;
}

static void pack(packer *p, size_t begin)
{
    size_t from = 0;
    bool copied = false;

    put_number(p, &p->size, p->n - begin + 1);
    for (int c = 0; c < 256; c++)
        p->is_letter[c] = is_letter((char)c);
    enter(p, 0, begin);
    for (size_t at = begin; at < p->n;) {
        size_t n = find(p, at, &from);
        unsigned char before = at ? (unsigned char)p->bytes[at - 1] : 0;

        put_bit(p, &p->is_copy[copied][before], n > 0);
        copied = n > 0;
        if (copied)
            put_copy(p, at, from, n);
        else
            put_symbol(p, p->literals[before], 8, (unsigned char)p->bytes[at]);
        n += !copied;
        enter(p, at, n);
        at += n;
    }
    /* the number within the range that ends with the most zeros, which are not written */
    p->low = (p->low + 0xffffff) & ~UINT64_C(0xffffff);
    for (int i = 0; i < 5; i++)
        shift(p);
    while (p->to->n > 0 && p->to->bytes[p->to->n - 1] == '\0')
        p->to->n--;
}

bool cli_pack(const inlay_strbuf *text, size_t begin, inlay_strbuf *to, inlay_diags *d)
{
    packer *p = calloc(1, sizeof *p);
    bool ok = p && text->n < UINT32_MAX;

    if (ok) {
        p->bytes = text->bytes;
        p->n = text->n;
        p->to = to;
        p->range = UINT32_MAX;
        p->first = calloc(SLOTS, sizeof *p->first);
        p->before = calloc(text->n + 1, sizeof *p->before);
        ok = p->first && p->before;
    }
    if (ok)
        pack(p, begin);
    if (p) {
        free(p->first);
        free(p->before);
    }
    free(p);
    return (ok && !to->failed) || inlay_fail_memory(d);
}
