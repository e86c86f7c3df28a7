/* Which value stands at each byte. Private to interp/audit. */
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
    audit_space *spaces;        /* one for each allocation; that of the arena stands behind them */
    struct audit_source {       /* by value: 1 + a value, 0: none */
        uint32_t shows;         /* the value whose elements it shows some of */
        uint32_t data, updates; /* the data that a scatter in place made it of */
        uint32_t beside;        /* the same where only the run knows what it writes */
        bool stood;             /* written in a row that the run finds, of what stood there else */
        uint32_t parts, next;   /* the first operand that stands in its part of it; the next one
                                   that does in the same value */
    } * from;
    uint32_t *seen; /* by value: the last question for which the value was looked at */
    uint32_t question;
} audit_tags;

/* A run of bytes of one element or of several that lie side by side. */
typedef bool audit_run_fn(void *ctx, uint64_t at, uint64_t bytes);

/* Begins T, where nothing stands yet. *FITS says whether X is small enough to be looked at. False:
 * out of memory. */
bool tags_begin(audit_tags *t, const exec_instance *x, bool *fits);
void tags_end(audit_tags *t);

/* Calls CALL for all elements of TENSOR, a meta tensor in allocation UNIT; positions count in the
 * space of the unit. False: a call was false, after which no other is made, or an element lies
 * outside of the space. */
bool tags_each(const audit_tags *t, const inlay_tensor *tensor, size_t allocation,
               audit_run_fn *call, void *ctx);
/* VALUE, a row that the run finds, stands in its allocation from now on. Nothing is written. */
bool tags_show(audit_tags *t, size_t value);
/* Returns the value that UNIT is a row of which the run finds; SIZE_MAX: UNIT is no such row. */
size_t tags_whole(const audit_tags *t, size_t allocation);
/* Returns the allocation in which the bytes of UNIT are: if it is a row that the run finds, the one
 * of which it is a row. */
size_t tags_below(const audit_tags *t, size_t allocation);
/* The elements of VALUE are written: if VALUE stands in a row that the run finds, perhaps over any
 * other row. False: some of them lie outside of its space. */
bool tags_write(audit_tags *t, size_t value);
/* Nothing stands any longer where VALUE lies. */
void tags_lose(audit_tags *t, size_t value);
/* The elements of VALUE that PART shows, a tensor in the same allocation, are written. */
bool tags_write_part(audit_tags *t, size_t value, const inlay_tensor *part);
/* Whether all elements of VALUE stand where VALUE lies: they were written as VALUE, or as a value
 * that VALUE comes from. For example, the rows of a Slice were written as its data. Of a row that
 * the run finds all must stand that it may be. */
bool tags_hold(audit_tags *t, size_t value);
/* Whether the elements of VALUE stand there that PART shows, in the same unit. */
bool tags_hold_part(audit_tags *t, size_t value, const inlay_tensor *part);
/* Whether all elements of VALUE stand there except those that PART shows, in the same unit. */
bool tags_hold_beside(audit_tags *t, size_t value, const inlay_tensor *part);
/* Whether all elements of VALUE stand there except what was written in allocation ROW, a row of it
 * that the run finds, while all of VALUE stood there. */
bool tags_hold_but_row(audit_tags *t, size_t value, size_t row);
/* From now on, or no longer, what is written leaves the elements of VALUE as they are. */
void tags_shield(audit_tags *t, size_t value, bool on);
/* Whether none of the elements that PART, a value, shows is shielded. */
bool tags_unshielded(audit_tags *t, size_t part);
/* Whether A and B may have a byte in common. */
bool tags_meet(audit_tags *t, size_t a, size_t b);
/* Whether A may have a byte in common with what PART shows in allocation UNIT. */
bool tags_meet_part(audit_tags *t, size_t a, const inlay_tensor *part, size_t allocation);
/* Returns the space of UNIT; *BASE receives where the allocation begins in that space. */
audit_space *tags_space(const audit_tags *t, size_t allocation, uint64_t *base);

#endif
