/* The checksum of a weights file. See checksum.h. */
#include "parser/checksum.h"
#include "ir/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 32 };

static uint64_t load(const unsigned char *p)
{
    uint64_t x = 0;

    for (int i = 0; i < 8; i++) /* compilers make one load of it */
        x |= (uint64_t)p[i] << 8 * i;
    return x;
}

/* Any function that mixes well does: a file is not forged, but mistaken for another one. */
static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0xff51afd7ed558ccd);
    return h ^ h >> 32;
}

static void add_blocks(checksum *c, const unsigned char *p, size_t n)
{
    uint64_t a = c->lanes[0], b = c->lanes[1], x = c->lanes[2], y = c->lanes[3];

    for (; n >= BLOCK; n -= BLOCK, p += BLOCK) {
        a = mix(a, load(p));
        b = mix(b, load(p + 8));
        x = mix(x, load(p + 16));
        y = mix(y, load(p + 24));
    }
    c->lanes[0] = a, c->lanes[1] = b, c->lanes[2] = x, c->lanes[3] = y;
}

void checksum_add(checksum *c, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    size_t waiting = (size_t)(c->size % BLOCK), fill = BLOCK - waiting;

    if (n == 0)
        return;
    c->size += n;
    if (waiting > 0) {
        fill = fill < n ? fill : n;
        memcpy(c->waits + waiting, p, fill);
        p += fill;
        n -= fill;
        if (waiting + fill < BLOCK)
            return;
        add_blocks(c, c->waits, BLOCK);
    }
    add_blocks(c, p, n);
    memcpy(c->waits, p + n / BLOCK * BLOCK, n % BLOCK);
}

/* Zeros that fill up the last block are told from zeros of the file by its size. */
static uint64_t value_of(const checksum *c)
{
    checksum last = *c;
    size_t waiting = (size_t)(c->size % BLOCK);
    uint64_t h = c->size;

    memset(last.waits + waiting, 0, BLOCK - waiting);
    add_blocks(&last, last.waits, BLOCK);
    for (int i = 0; i < 4; i++)
        h = mix(h, last.lanes[i]);
    return mix(h, 0);
}

void checksum_text(const checksum *c, char text[CHECKSUM_TEXT])
{
    snprintf(text, CHECKSUM_TEXT, "%016llx", (unsigned long long)value_of(c));
}

bool checksum_parse(const char *text, uint64_t *value)
{
    *value = strtoull(text, NULL, 16);
    return strlen(text) == CHECKSUM_TEXT - 1 &&
           strspn(text, "0123456789abcdef") == CHECKSUM_TEXT - 1;
}

bool checksum_matches(const checksum_record *r, const inlay_buffer *file, char *why, size_t size)
{
    checksum c = {.size = 0};

    if (inlay_buffer_size(file) != r->size) {
        snprintf(why, size, "it has %llu byte%s, not %llu",
                 (unsigned long long)inlay_buffer_size(file),
                 inlay_plural(inlay_buffer_size(file), "", "s"), (unsigned long long)r->size);
        return false;
    }
    checksum_add(&c, inlay_buffer_data(file), inlay_buffer_size(file));
    snprintf(why, size, "its bytes are others");
    return value_of(&c) == r->value;
}
