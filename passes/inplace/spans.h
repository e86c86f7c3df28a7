/* An index over the reads of all buffers, or over the writes, as they stand in time: it finds the
 * next one that may matter without a look at the others.
 *
 * At each place stands one read or write, or none. A span bounds what stands at one place, or at
 * several places beside each other:
 *
 *     place 4    reads d[0:2]       rows 0..1    version 1    fence 9
 *     place 5    nothing
 *     place 6    reads d[6:8]       rows 6..7    version 3    fence: none
 *     place 7    nothing
 *     4 to 7                        rows 0..7    version 1    fence: none
 *
 * The index is a binary tree of spans with the places as its leaves. A search for row 3 passes by
 * places 4 and 6 in turn; a search for row 9 passes by all four places at once.
 */
#ifndef INLAY_PASSES_INPLACE_SPANS_H
#define INLAY_PASSES_INPLACE_SPANS_H

#include "ir/shared.h"

typedef struct inplace_span {
    bool any; /* false: nothing stands there, and the rest does not count */
    inlay_framed_box box;
    size_t version; /* of reads: the moment of the last write that the read value contains; of
                       several reads the least */
    size_t fence;   /* of reads: the moment of the first write that order edges keep behind the
                       read, SIZE_MAX: none; of several reads the greatest */
} inplace_span;

typedef struct inplace_span_index {
    size_t n;         /* places, a power of two */
    inplace_span *at; /* at[1] is of all places, at[i] of at[2i] and at[2i + 1], at[n + k] of k */
    uint64_t *steps;
} inplace_span_index;

/* What is searched: something in the box, with a version below and a fence above these. */
typedef struct inplace_span_query {
    inlay_framed_box box;
    size_t version_below, fence_above;
} inplace_span_query;

/* An index of N_PLACES in which nothing stands; STEPS counts what is looked at. False: out of
 * memory, which is not recorded. */
bool inplace_spans_begin(inplace_span_index *x, size_t n_places, uint64_t *steps);
void inplace_spans_end(inplace_span_index *x);
void inplace_spans_clear(inplace_span_index *x);
void inplace_spans_set(inplace_span_index *x, size_t place, const inplace_span *s);
/* The first place in [FROM, TO) at which what is searched may stand; SIZE_MAX: there is none. */
size_t inplace_spans_next(const inplace_span_index *x, size_t from, size_t to,
                          const inplace_span_query *wanted);
/* Whether that may stand at PLACE. */
bool inplace_spans_hold(const inplace_span_index *x, size_t place,
                        const inplace_span_query *wanted);

#endif
