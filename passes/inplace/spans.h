/* An index over the reads, or the writes, of all buffers in the order of time: it finds the next
 * one that may matter without looking at the others.
 *
 * Each place has one read or write, or none. A span is a bound on what is at one place, or at a
 * range of places:
 *
 *     place 4    reads d[0:2]       rows 0..1    version 1    fence 9
 *     place 5    nothing
 *     place 6    reads d[6:8]       rows 6..7    version 3    fence: none
 *     place 7    nothing
 *     4 to 7                        rows 0..7    version 1    fence: none
 *
 * The index is a binary tree of spans with the places as its leaves. A search for row 3 rejects
 * places 4 and 6 one by one; a search for row 9 rejects all four places at once. */
#ifndef INLAY_PASSES_INPLACE_SPANS_H
#define INLAY_PASSES_INPLACE_SPANS_H

#include "ir/shared.h"

typedef struct inplace_span {
    bool any; /* false: empty, and the other fields have no meaning */
    inlay_framed_box box;
    size_t version; /* of reads: the moment of the last write that the value contains; the least */
    size_t fence;   /* of reads: the moment of the first write that order edges keep after the read,
                       SIZE_MAX: none; the greatest */
} inplace_span;

typedef struct inplace_span_index {
    size_t n;         /* places, a power of two */
    inplace_span *at; /* at[1] is of all places, at[i] of at[2i] and at[2i + 1], at[n + k] of k */
    uint64_t *steps;
} inplace_span_index;

/* A search for reads or writes in the box, with a version below and a fence above these. */
typedef struct inplace_span_query {
    inlay_framed_box box;
    size_t version_below, fence_above;
} inplace_span_query;

/* An empty index of N_PLACES. STEPS counts the work. False: out of memory, which is not recorded.
 */
bool inplace_spans_begin(inplace_span_index *x, inlay_budget *budget, size_t n_places,
                         uint64_t *steps);
void inplace_spans_end(inplace_span_index *x);
void inplace_spans_clear(inplace_span_index *x);
void inplace_spans_set(inplace_span_index *x, size_t place, const inplace_span *s);
/* The first place in [FROM, TO) that may be what is searched for; SIZE_MAX: there is none. */
size_t inplace_spans_next(const inplace_span_index *x, size_t from, size_t to,
                          const inplace_span_query *wanted);
/* May PLACE be what is searched for? */
bool inplace_spans_hold(const inplace_span_index *x, size_t place,
                        const inplace_span_query *wanted);

#endif
