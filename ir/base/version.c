#include "ir/version.h"

const char *inlay_version(void)
{
    return INLAY_VERSION;
}
