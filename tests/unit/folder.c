#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/inlay-test-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

int remove_folder(void **state)
{
    (void)state;
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}
