/* Windows over planes that are one run, with vectors of VECTOR_BYTES: included by flat.c. TARGET
 * names the instruction set; LOAD_SEEN loads the lanes that MASK bytes at a place say, and takes
 * others from V, without reading there; STORE_SOME stores N lanes. */

typedef float NAME(vector)
    __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(float)), may_alias));
typedef int32_t NAME(lanes) __attribute__((vector_size(VECTOR_BYTES)));

enum { NAME(width) = VECTOR_BYTES / sizeof(float) };

#define INLINE static inline TARGET __attribute__((always_inline))

#include "interp/library/end_loop.h"

/* Divides what vector J of Y has, and sets lanes of ODD where it is not finite. */
INLINE void NAME(divide)(const flat_plan *p, int64_t j, NAME(vector) * v, NAME(lanes) * odd)
{
    if (!p->counts)
        return;
    *odd |= (*v - *v) != 0;
    *v /= *(const NAME(vector) *)(p->counts + j * NAME(width));
}

/* Computes N vectors, from vector J on. */
INLINE void NAME(some)(const flat_plan *p, int64_t j, int n, const float *x, const float *f,
                       float *y, const tile_end *e, bool most, NAME(lanes) * odd)
{
    const int64_t width = NAME(width), step = p->vectors * MASK;
    const NAME(vector) first = FUSED_ALL(NAME(vector), most ? -INFINITY : 0);
    const unsigned char *sees = p->sees + j * MASK;
    NAME(vector) sums[BESIDE];

    FUSED_UNROLLED
    for (int i = 0; i < n; i++)
        sums[i] = first;
    x += j * width;
    for (int64_t k = 0; k < p->places; k++, sees += step) {
        FUSED_UNROLLED
        for (int i = 0; i < n; i++) {
            NAME(vector) v = LOAD_SEEN(x + p->at[k] + i * width, sees + i * MASK, first);

            if (most)
                sums[i] = LARGER(v, sums[i]);
            else
                FUSED_ADD(NAME(fused), sums[i], FUSED_ALL(NAME(vector), f[k]), v);
        }
    }
    FUSED_UNROLLED
    for (int i = 0; i < n; i++) {
        int64_t at = (j + i) * width;

        if (!most) {
            sums[i] = NAME(end)(e, sums[i] + 0 /* of -0 */);
            NAME(divide)(p, j + i, &sums[i], odd);
        }
        if (at + width <= p->plane)
            *(NAME(vector) *)(y + at) = sums[i];
        else
            STORE_SOME(y + at, p->plane - at, sums[i]);
    }
}

INLINE bool NAME(all)(const flat_plan *p, const float *x, const float *f, float *y,
                      const tile_end *e, bool most)
{
    NAME(lanes) odd = {0}, found;
    int64_t j = 0;
    int32_t any = 0;

    for (; j + BESIDE <= p->vectors; j += BESIDE)
        NAME(some)(p, j, BESIDE, x, f, y, e, most, &odd);
    for (; j < p->vectors; j++)
        NAME(some)(p, j, 1, x, f, y, e, most, &odd);
    if (!p->counts)
        return true;
    found = odd;
    for (int i = 0; i < NAME(width); i++)
        any |= found[i];
    return any == 0;
}

static TARGET bool NAME(compute)(const flat_plan *p, const float *x, const float *f, float *y,
                                 const tile_end *e)
{
    return f ? NAME(all)(p, x, f, y, e, false) : NAME(all)(p, x, f, y, NULL, true);
}
#undef INLINE
#undef NAME
#undef TARGET
#undef VECTOR_BYTES
#undef MASK
#undef LOAD_SEEN
#undef STORE_SOME
#undef LARGER
