/* The sets of tiles: the loops of tile_loop.h, compiled for several processors. */
#include "interp/library/tile.h"
#include "interp/kernels/formulas.h"
#include "interp/library/fused.h"

#include <string.h>

/* The widest vectors have 64 bytes. A processor with these has 32 registers for them, as an AArch64
 * processor has for its vectors of 16 bytes; others have 16 registers, which is enough for tiles of
 * six rows: twelve sums, two vectors of B and a number of A. Four rows are enough for vectors of 16
 * bytes, which no current x86 processor is limited to. */
#if defined __x86_64__
#define HAS_X86
#endif

/* Asks for the share of A that belongs to the rows FROM <= i < TO of ALL. */
static inline void ask_for(const tile_ask *a, int64_t from, int64_t to, int64_t all)
{
    for (int64_t i = from * a->rows / all; i < to * a->rows / all; i++)
        tile_ask_row(a, i, 0, a->bytes);
}

/* Returns how many of ROWS rows the next block has: MOST, or so many that the blocks are alike. */
static int64_t block_height(int64_t rows, int64_t most)
{
    int64_t blocks = (rows + most - 1) / most;

    return (rows + blocks - 1) / blocks;
}

#define TAPS_SUMS 8
#define EACH_TAPS(x) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8)
#define FEW TILE_FEW
#define FEW_PANELS 2
#define LINE_SUMS 8 /* enough to keep all pipes busy, and few enough to be in registers */
#define PREFETCH 16 /* floats of a cache line */
#define AHEAD 16    /* columns: how far ahead a row is prefetched */
#define VECTORS 2
#define T float
#define TAPS
#define TILE tile_f32
#define TARGET
#define VECTOR_BYTES 16
#ifdef HAS_X86
#define ROWS 4
#define EACH_HEIGHT(x) x(1) x(2) x(3) x(4)
#else
#define ROWS 8
#define EACH_HEIGHT(x) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8)
#endif
#define NAME(name) name##_f32_plain
#include "interp/library/tile_loop.h"
#undef TAPS
#undef NAME
#undef T
#undef TILE

#define T double
#define TILE tile_f64
#define NAME(name) name##_f64_plain
#include "interp/library/tile_loop.h"
#undef NAME
#undef T
#undef TILE
#undef TARGET
#undef VECTOR_BYTES
enum { ROWS_PLAIN = ROWS };
#undef ROWS
#undef EACH_HEIGHT

#ifdef HAS_X86
#define ROWS 6
#define EACH_HEIGHT(x) x(1) x(2) x(3) x(4) x(5) x(6)
#define VECTOR_BYTES 32
#define TARGET FUSED_AVX2
#define T float
#define TAPS
#define TILE tile_f32
#define NAME(name) name##_f32_avx2
#include "interp/library/tile_loop.h"
#undef TAPS
#undef NAME
#undef T
#undef TILE

#define T double
#define TILE tile_f64
#define NAME(name) name##_f64_avx2
#include "interp/library/tile_loop.h"
#undef NAME
#undef T
#undef TILE
#undef TARGET
#undef VECTOR_BYTES
#undef ROWS
#undef EACH_HEIGHT

#undef FEW_PANELS
#define FEW_PANELS 4
#define ROWS 8
#define EACH_HEIGHT(x) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8)
#define VECTOR_BYTES 64
#define TARGET FUSED_AVX512
#define T float
#define TAPS
#define TILE tile_f32
#define NAME(name) name##_f32_avx512
#include "interp/library/tile_loop.h"
#undef TAPS
#undef NAME
#undef T
#undef TILE

#define T double
#define TILE tile_f64
#define NAME(name) name##_f64_avx512
#include "interp/library/tile_loop.h"
#undef NAME
#undef T
#undef TILE
#undef TARGET
#undef VECTOR_BYTES
#undef ROWS
#undef EACH_HEIGHT
#endif
#undef VECTORS

static const tile_set sets[] = {
    {"vectors of 16 bytes", 16, ROWS_PLAIN, cols_f32_plain, cols_f64_plain, width_f32_plain,
     LINE_SUMS / 2, 2, tile_f32_plain, tile_f64_plain, line_f32_plain, line_f64_plain,
     few_f32_plain, few_f64_plain, dots_f32_plain, taps_f32_plain, positions_f32_plain},
#ifdef HAS_X86
    {"avx2", 32, 6, cols_f32_avx2, cols_f64_avx2, width_f32_avx2, LINE_SUMS / 2, 2, tile_f32_avx2,
     tile_f64_avx2, line_f32_avx2, line_f64_avx2, few_f32_avx2, few_f64_avx2, dots_f32_avx2,
     taps_f32_avx2, positions_f32_avx2},
    {"avx512", 64, 8, cols_f32_avx512, cols_f64_avx512, width_f32_avx512, LINE_SUMS / 2, 4,
     tile_f32_avx512, tile_f64_avx512, line_f32_avx512, line_f64_avx512, few_f32_avx512,
     few_f64_avx512, dots_f32_avx512, taps_f32_avx512, positions_f32_avx512},
#endif
};

/* Their numbers. */
enum {
    PLAIN,
#ifdef HAS_X86
    AVX2,
    AVX512,
#endif
    SETS
};

/* Returns whether this processor has the instructions of set I, including those of the other loops
 * for this vector width (unpack.c). Nearly all processors with AVX-512 have its 16-bit integers.
 * All processors with FMA have F16C, which clang has no name for. */
static bool has(int i)
{
#ifdef HAS_X86
    __builtin_cpu_init();
    return i == PLAIN ||
           (i == AVX2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) ||
           (i == AVX512 && __builtin_cpu_supports("avx512f") &&
            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma"));
#else
    return i == PLAIN;
#endif
}

const tile_set *tile_set_at(int i, bool *more)
{
    *more = i + 1 < SETS;
    return i < SETS && has(i) ? &sets[i] : NULL;
}

const tile_set *tile_set_best(void)
{
    int i = SETS - 1;

    while (!has(i))
        i--;
    return &sets[i];
}
