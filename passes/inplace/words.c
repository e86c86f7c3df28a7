/* Describes decisions in words. */
#include "passes/inplace/decide.h"

const char *inlay_decision_text(const inlay_decision *d)
{
    return d && d->by ? inlay_condition_text(inlay_condition_named(d->condition)) : "";
}

const char *inlay_decision_remedy(const inlay_decision *d)
{
    return d && !d->made ? inlay_condition_remedy(inlay_condition_named(d->condition)) : "";
}
