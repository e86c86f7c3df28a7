/* Which value stands at each byte. Private to interp/audit. */
#ifndef INLAY_INTERP_AUDIT_TAGS_H
#define INLAY_INTERP_AUDIT_TAGS_H

#include "interp/exec/instance.h"

/* The bytes of one root: the arena, or one unit outside of it. */
typedef struct audit_space {
    uint32_t *tag; /* one for each byte: 1 + the value that was written there last; 0: none */
    uint64_t bytes;
} audit_space;

typedef struct audit_tags {
    const exec_instance *x;
    audit_space *spaces;        /* one for each unit; that of the arena stands behind them */
    struct audit_source {       /* by value: 1 + a value, 0: none */
        uint32_t shows;         /* whose elements it is part of */
        uint32_t data, updates; /* of which a scatter in place has made it */
    } * from;
    uint32_t *seen; /* by value: the last question in which it was looked at */
    uint32_t question;
} audit_tags;

/* A run of bytes of one element or of several that lie side by side. */
typedef bool audit_run_fn(void *ctx, uint64_t at, uint64_t bytes);

/* *FITS: whether X is small enough to be looked at. False: out of memory. */
bool tags_begin(audit_tags *t, const exec_instance *x, bool *fits);
void tags_end(audit_tags *t);

/* Calls for all elements of T, a shadow tensor in unit UNIT; positions count in its space. False as
 * soon as a call is, or when an element lies outside of the space. */
bool tags_each(const audit_tags *t, const inlay_tensor *tensor, size_t unit, audit_run_fn *call,
               void *ctx);
/* The elements of VALUE are written. False: some of them lie outside. */
bool tags_write(audit_tags *t, size_t value);
/* Those of its elements are written that T shows, in the same unit. */
bool tags_write_part(audit_tags *t, size_t value, const inlay_tensor *part);
/* Whether all elements of VALUE stand where it lies: they were written as VALUE, or as what VALUE
 * comes from (audit_source). */
bool tags_hold(audit_tags *t, size_t value);
/* The same of those that PART shows, in the same unit. */
bool tags_hold_part(audit_tags *t, size_t value, const inlay_tensor *part);
/* The same but for the elements that PART shows, in the same unit. */
bool tags_hold_beside(audit_tags *t, size_t value, const inlay_tensor *part);
/* Whether A and B have a byte in common. */
bool tags_meet(audit_tags *t, size_t a, size_t b);
/* Whether A has one in common with what PART shows in unit UNIT. */
bool tags_meet_part(audit_tags *t, size_t a, const inlay_tensor *part, size_t unit);
/* The space of a unit, and where the unit begins in it. */
audit_space *tags_space(const audit_tags *t, size_t unit, uint64_t *base);

#endif
