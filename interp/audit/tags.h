/* The tags of the audit: which value is in each byte. Private to interp/audit. */
#ifndef INLAY_INTERP_AUDIT_TAGS_H
#define INLAY_INTERP_AUDIT_TAGS_H

#include "interp/exec/build/instance.h"

/* The bytes of one root: the arena, or one allocation outside of it. */
typedef struct audit_space {
    uint32_t *tag; /* one for each byte: 1 + the value that was written there last; 0: none */
    uint64_t bytes;
} audit_space;

typedef struct audit_tags {
    const exec_instance *x;
    audit_space *spaces;        /* one for each allocation, followed by that of the arena */
    struct audit_source {       /* by value: 1 + a value, 0: none */
        uint32_t shows;         /* the value of which it is a view */
        uint32_t data, updates; /* the data of a scatter in place, whose result it is, and its
                                   updates */
        uint32_t beside;        /* the same if only the run knows what it writes */
        bool stood;             /* a row whose index only the run knows was written, and the rest of
                                   the value was there */
        uint32_t parts, next;   /* the first operand that is in its part of this value; the next
                                   such operand of the same value */
    } * from;
    uint32_t *seen; /* by value: the last query that visited the value */
    uint32_t question;
} audit_tags;

/* A run of bytes of one element or of several adjacent ones. */
typedef bool audit_run_fn(void *ctx, uint64_t at, uint64_t bytes);

/* Begins T with no values. Sets *FITS to whether X is small enough to be audited. False: out of
 * memory. */
bool tags_begin(audit_tags *t, const exec_instance *x, bool *fits);
void tags_end(audit_tags *t);

/* Calls CALL for all elements of TENSOR, a meta tensor in ALLOCATION; positions are in the space of
 * that allocation. False: a call returned false, which ends the loop, or an element is outside of
 * the space. */
bool tags_each(const audit_tags *t, const inlay_tensor *tensor, size_t allocation,
               audit_run_fn *call, void *ctx);
/* Makes VALUE, a row whose index only the run knows, present in its allocation. Nothing is written.
 */
bool tags_show(audit_tags *t, size_t value);
/* Returns the value of which ALLOCATION is a row whose index only the run knows; SIZE_MAX: it is no
 * such row. */
size_t tags_whole(const audit_tags *t, size_t allocation);
/* Returns the allocation with the bytes of ALLOCATION: if it is such a row, the one of which it is
 * a row. */
size_t tags_below(const audit_tags *t, size_t allocation);
/* Writes the elements of VALUE: if VALUE is such a row, possibly over any other row. False: some of
 * them are outside of its space. */
bool tags_write(audit_tags *t, size_t value);
/* Clears the bytes of VALUE: no value is there any longer. */
void tags_lose(audit_tags *t, size_t value);
/* Writes the elements of VALUE in PART, a tensor in the same allocation. */
bool tags_write_part(audit_tags *t, size_t value, const inlay_tensor *part);
/* Are all elements of VALUE in its bytes, written as VALUE or as a value that VALUE comes from? For
 * example, the rows of a Slice were written as its data. Of a row whose index only the run knows,
 * all rows that it may be must be there. */
bool tags_hold(audit_tags *t, size_t value);
/* Are the elements of VALUE in PART, of the same allocation, there? */
bool tags_hold_part(audit_tags *t, size_t value, const inlay_tensor *part);
/* Are all elements of VALUE there except those in PART, of the same allocation? */
bool tags_hold_beside(audit_tags *t, size_t value, const inlay_tensor *part);
/* Are all elements of VALUE there except those that were written to allocation ROW, such a row of
 * it, while all of VALUE was there? */
bool tags_hold_but_row(audit_tags *t, size_t value, size_t row);
/* Protects the elements of VALUE from writes (ON), or ends that. */
void tags_shield(audit_tags *t, size_t value, bool on);
/* Is none of the elements of PART, a value, shielded? */
bool tags_unshielded(audit_tags *t, size_t part);
/* May A and B have a byte in common? */
bool tags_meet(audit_tags *t, size_t a, size_t b);
/* May A have a byte in common with PART in ALLOCATION? */
bool tags_meet_part(audit_tags *t, size_t a, const inlay_tensor *part, size_t allocation);
/* Returns the space of ALLOCATION; sets *BASE to its position there. */
audit_space *tags_space(const audit_tags *t, size_t allocation, uint64_t *base);

#endif
