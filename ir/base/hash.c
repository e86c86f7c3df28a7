

#include "ir/base/hash.h"

#include <string.h>

/* SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012). */

static inline uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

/* The function is inline because names are short: each takes a few rounds. */
static inline void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

/* The N bytes at P, less than eight. */
static inline uint64_t last_bytes(const unsigned char *p, size_t n)
{
    uint64_t all = 0;
    uint32_t four;
    uint16_t two;
    int at = 0;

    if (n & 4) {
        memcpy(&four, p, 4);
        all = four;
        at = 32;
    }
    if (n & 2) {
        memcpy(&two, p + (n & 4), 2);
        all |= (uint64_t)two << at;
        at += 16;
    }
    return n & 1 ? all | (uint64_t)p[n - 1] << at : all;
}

uint64_t inlay_hash(const void *bytes, size_t n)
{
    /* The key is the address of code and data in this process, since the address space layout is
     * random. */
    static const char anchor = 0;
    uint64_t k0 = (uint64_t)(uintptr_t)&anchor * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t k1 = (uint64_t)(uintptr_t)&inlay_hash ^ UINT64_C(0xc2b2ae3d27d4eb4f);
    uint64_t v[4] = {k0 ^ UINT64_C(0x736f6d6570736575), k1 ^ UINT64_C(0x646f72616e646f6d),
                     k0 ^ UINT64_C(0x6c7967656e657261), k1 ^ UINT64_C(0x7465646279746573)};
    const unsigned char *p = bytes;
    uint64_t m, last = (uint64_t)n << 56;

    for (; n >= 8; n -= 8, p += 8) {
        memcpy(&m, p, 8);
        v[3] ^= m;
        sip_round(v);
        v[0] ^= m;
    }
    last |= last_bytes(p, n);
    v[3] ^= last;
    sip_round(v);
    v[0] ^= last;
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

uint64_t inlay_hash_join(uint64_t h, uint64_t next)
{
    uint64_t both[2] = {h, next};

    return inlay_hash(both, sizeof both);
}
