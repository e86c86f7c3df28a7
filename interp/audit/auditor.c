#include "interp/audit/auditor.h"

bool audit_refuse(const auditor *a, const char *what, size_t value)
{
    return inlay_fail(a->d, NULL, "audit: step %zu, \"%s\" (%s-%d): %s (value %zu)", a->number,
                      a->s ? node_of(a)->name : "the end", a->s ? node_of(a)->op->name : "",
                      a->s ? node_of(a)->op->version : 0, what, value);
}
