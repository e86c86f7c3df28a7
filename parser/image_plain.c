/* Pictures that need no library: BMP without compression, and the portable formats PBM, PGM and
 * PPM. */
#include "parser/image.h"

#include <stdlib.h>

/* BMP */

struct bmp {
    const image_source *s;
    uint64_t at, palette; /* where the pixels and the palette begin */
    int64_t width, height;
    int bits, colours, entry; /* of the palette, and bytes of one of its entries */
    uint32_t masks[4];
    bool top_first;
};

static uint32_t number(const image_source *s, uint64_t at, int bytes)
{
    uint32_t x = 0;

    for (int i = 0; i < bytes; i++)
        x |= at + (uint64_t)i < s->n ? (uint32_t)s->bytes[at + (uint64_t)i] << 8 * i : 0;
    return x;
}

/* The old header has sizes of 16 bits and no masks. */
static bool read_header(struct bmp *b)
{
    const image_source *s = b->s;
    uint32_t size = number(s, 14, 4), packing = 0;
    int32_t height;

    if (s->n < 26 || (size != 12 && size < 40))
        return false;
    b->at = number(s, 10, 4);
    b->palette = 14 + (uint64_t)size;
    b->entry = size == 12 ? 3 : 4;
    b->width = size == 12 ? (int32_t)number(s, 18, 2) : (int32_t)number(s, 18, 4);
    height = size == 12 ? (int32_t)number(s, 20, 2) : (int32_t)number(s, 22, 4);
    b->top_first = height < 0;
    b->height = llabs((long long)height);
    b->bits = (int)number(s, size == 12 ? 24 : 28, 2);
    packing = size == 12 ? 0 : number(s, 30, 4);
    b->colours = b->bits <= 8 ? 1 << b->bits : 0;
    for (int i = 0; i < 3; i++)
        b->masks[i] = packing == 3    ? number(s, 54 + 4 * (uint64_t)i, 4)
                      : b->bits == 16 ? UINT32_C(31) << (10 - 5 * i)
                                      : UINT32_C(255) << (16 - 8 * i);
    return b->width > 0 && (packing == 0 || (packing == 3 && b->bits >= 16)) &&
           (b->bits == 1 || b->bits == 4 || b->bits == 8 || b->bits == 16 || b->bits == 24 ||
            b->bits == 32);
}

/* The bits of X that MASK has, as 8. */
static uint8_t masked(uint32_t x, uint32_t mask)
{
    uint32_t low = mask & (0u - mask), most = low ? mask / low : 0;

    return most ? (uint8_t)(((uint64_t)((x & mask) / low) * 255 + most / 2) / most) : 0;
}

static void read_pixel(const struct bmp *b, uint64_t row, int64_t x, uint8_t *to)
{
    const image_source *s = b->s;
    uint64_t bit = (uint64_t)x * (uint64_t)b->bits, at = row + bit / 8;

    if (b->bits <= 8) {
        uint32_t code = number(s, at, 1) >> (8 - b->bits - (int)(bit % 8));

        at = b->palette + (code & ((1u << b->bits) - 1)) * (uint64_t)b->entry;
    }
    for (int i = 0; i < 3; i++)
        to[i] = b->bits <= 8 ? (uint8_t)number(s, at + 2 - (uint64_t)i, 1)
                             : masked(number(s, at, b->bits / 8), b->masks[i]);
    to[3] = 255;
}

inlay_tensor *image_bmp(const image_source *s)
{
    struct bmp b = {.s = s};
    inlay_tensor *t;
    uint64_t stride;
    uint8_t *to;

    if (!read_header(&b))
        return image_fail(s, "the BMP file has a form that is not read, or is broken");
    t = image_new(s, (uint64_t)b.width, (uint64_t)b.height);
    if (!t)
        return NULL;
    stride = ((uint64_t)b.width * (uint64_t)b.bits + 31) / 32 * 4;
    if (b.at > s->n || s->n - b.at < stride * (uint64_t)b.height ||
        b.palette + (uint64_t)(b.colours > 0) > s->n) {
        image_fail(s, "the BMP file is cut off");
        inlay_tensor_release(t);
        return NULL;
    }
    to = t->data;
    for (int64_t y = 0; y < b.height; y++) {
        uint64_t row = b.at + stride * (uint64_t)(b.top_first ? y : b.height - 1 - y);

        for (int64_t x = 0; x < b.width; x++, to += 4)
            read_pixel(&b, row, x, to);
    }
    return t;
}

/* PNM */

struct pnm {
    const image_source *s;
    size_t at;
    int kind; /* 1 to 6: bits, grey, colours in words, and the same in bytes */
    uint32_t width, height, most;
    bool broken;
};

static bool is_blank(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Passes over blanks, and comments from # to the end of the line. */
static void pass_blanks(struct pnm *p)
{
    const image_source *s = p->s;

    while (p->at < s->n && (is_blank(s->bytes[p->at]) || s->bytes[p->at] == '#')) {
        if (s->bytes[p->at++] != '#')
            continue;
        while (p->at < s->n && s->bytes[p->at] != '\n')
            p->at++;
    }
}

/* A number in words of at most DIGITS digits. */
static uint32_t word(struct pnm *p, int digits)
{
    const image_source *s = p->s;
    uint32_t x = 0;
    int n = 0;

    pass_blanks(p);
    for (; n < digits && p->at < s->n && s->bytes[p->at] >= '0' && s->bytes[p->at] <= '9'; n++)
        x = 10 * x + (uint32_t)(s->bytes[p->at++] - '0');
    p->broken |= n == 0;
    return x;
}

/* A number in 1 or 2 bytes. */
static uint32_t bytes(struct pnm *p)
{
    uint32_t x = 0;

    for (int i = 0; i < (p->most > 255 ? 2 : 1); i++) {
        p->broken |= p->at >= p->s->n;
        x = x << 8 | (p->at < p->s->n ? p->s->bytes[p->at] : 0u);
        p->at++;
    }
    return x;
}

/* The next number of a row, of which the first has number X = 0. A bit of 1 is black. */
static uint8_t next(struct pnm *p, uint32_t x)
{
    uint32_t v;

    if (p->kind == 4) {
        v = p->at < p->s->n ? p->s->bytes[p->at] >> (7 - x % 8) & 1u : 0;
        p->broken |= p->at >= p->s->n;
        p->at += x % 8 == 7 || x == p->width - 1;
    } else {
        v = p->kind > 4 ? bytes(p) : word(p, p->kind == 1 ? 1 : 9);
    }
    p->broken |= v > p->most;
    v = p->kind == 1 || p->kind == 4 ? 1 - (v & 1u) : v > p->most ? p->most : v;
    return (uint8_t)((v * 255u + p->most / 2) / p->most);
}

inlay_tensor *image_pnm(const image_source *s)
{
    struct pnm p = {.s = s, .at = 2, .kind = s->bytes[1] - '0'};
    bool colours = p.kind % 3 == 0;
    inlay_tensor *t;
    uint8_t *to;

    p.width = word(&p, 9);
    p.height = word(&p, 9);
    p.most = p.kind % 3 == 1 ? 1 : word(&p, 9);
    p.at++; /* one blank stands before bytes */
    if (p.broken || p.most < 1 || p.most > 65535)
        return image_fail(s, "the header of the PNM file is broken");
    t = image_new(s, p.width, p.height);
    to = t ? t->data : NULL;
    for (uint64_t i = 0; t && i < (uint64_t)p.width * p.height && !p.broken; i++, to += 4) {
        for (int k = 0; k < 3; k++)
            to[k] = k == 0 || colours ? next(&p, (uint32_t)(i % p.width)) : to[0];
        to[3] = 255;
    }
    if (t && p.broken) {
        image_fail(s, "the PNM file is broken or cut off");
        inlay_tensor_release(t);
        return NULL;
    }
    return t;
}
