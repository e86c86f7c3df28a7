/* Random numbers that are the same on every machine. For the folders of this project, not
 * installed. */
#ifndef INLAY_IR_BASE_RANDOM_H
#define INLAY_IR_BASE_RANDOM_H

#include <stdint.h>

/* splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014); any
 * initial state will do. */
static inline uint64_t inlay_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

#endif
