/* Inner loops that are compiled for several processors. Private to interp/kernels/.
 *
 *     static INLAY_CLONES void add_row(float *to, const float *from, int64_t n) ...
 *
 * The compiler makes one function for each instruction set, and the loader selects one. The source
 * stays plain, and the results are the same bit for bit: elements of a row are computed side by
 * side, no sum changes its order, and -ffp-contract=off prevents fused multiply-adds that are not
 * written down. INLAY_FUSED_CLONES is for loops that write down `fmaf` or `fma`: in its clones these
 * are the processor's instruction, elsewhere a call of libm, which is slow. Sanitizers start too
 * late for the loader's selection, so builds with them have one function; and so have those by
 * clang 14, whose selectors of static functions have names that the linker takes for the same. */
#ifndef INLAY_KERNELS_CLONES_H
#define INLAY_KERNELS_CLONES_H

#include <stdint.h> /* defines __GLIBC__ */

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define INLAY_ONE_CLONE
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ ||                                 \
    (defined __clang__ && __clang_major__ < 15) || !defined __x86_64__ || !defined __GLIBC__
#define INLAY_ONE_CLONE
#endif

#ifdef INLAY_ONE_CLONE
#define INLAY_CLONES
#define INLAY_FUSED_CLONES
#else
#define INLAY_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#define INLAY_FUSED_CLONES __attribute__((target_clones("default", "fma", "avx512f")))
#endif

#endif
