#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

void fuzz_broken(const char *law, const inlay_diags *d)
{
    const inlay_diag *e = d ? inlay_diags_error(d) : NULL;

    fuzz_broken_text(law, e ? e->text : "no message");
}

void fuzz_broken_text(const char *law, const char *why)
{
    fprintf(stderr, "broken: %s: %s\n", law, why);
    abort();
}
