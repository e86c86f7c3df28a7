/* INLAY_PLANTED=N turns bug number N on before anything runs. */
#include "tests/planted/planted.h"

#include <stdlib.h>

int planted_bug;

__attribute__((constructor)) static void turn_on(void)
{
    const char *number = getenv("INLAY_PLANTED");

    planted_bug = number ? atoi(number) : 0;
}
