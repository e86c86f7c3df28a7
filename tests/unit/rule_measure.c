#include "rule_measure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

inlay_measure measure_of(const inlay_graph *g)
{
    inlay_measure m;

    assert_true(inlay_measure_graph(g, &m, NULL));
    return m;
}

bool measure_is_lower(const inlay_measure *a, const inlay_measure *b)
{
    return inlay_measure_compare(b, a) < 0;
}

void measure_print(const char *when, const inlay_measure *m)
{
    print_error("%s:", when);
    for (size_t i = 0; i < INLAY_MEASURES; i++)
        print_error(" %s %lld", inlay_measure_name(i), (long long)m->part[i]);
    print_error("\n");
}
