/* All programs of tests/unit in one: a link of the library for each of them took longer than to compile them. The
 * names of the programs are links to this one, and say which is meant. */
#include <stdio.h>
#include <string.h>

#define UNIT(name) int name##_main(void);
#include "units.inc"
#undef UNIT

static const struct unit {
    const char *name;
    int (*run)(void);
} units[] = {
#define UNIT(name) {#name, name##_main},
#include "units.inc"
#undef UNIT
};

int main(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *name = slash ? slash + 1 : argc > 0 ? argv[0] : "";

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, name) == 0)
            return units[i].run();
    fprintf(stderr, "units: there is no test program \"%s\"\n", name);
    return 2;
}
