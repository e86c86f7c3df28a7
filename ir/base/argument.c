#include "ir/base/argument.h"
#include "ir/strbuf.h"

bool inlay_is_missing(const void *p, const char *what, inlay_diags *d)
{
    return !p && !inlay_fail(d, NULL, "no %s is given", what);
}

bool inlay_list_is_sound(const void *list, int n, const char *what, inlay_diags *d)
{
    if (n < 0)
        return inlay_fail(d, NULL, "a list of %d %s is given", n, what);
    return n == 0 || list || inlay_fail(d, NULL, "no list of %s is given", what);
}

bool inlay_names_are_sound(const char *const *names, int n, const char *what, inlay_diags *d)
{
    if (!inlay_list_is_sound((const void *)names, n, what, d))
        return false;
    for (int i = 0; i < n; i++) {
        if (!names[i])
            return inlay_fail(d, NULL, "entry %d of the list of %s is missing", i, what);
    }
    return true;
}

bool inlay_sink_is_sound(const inlay_sink *to, inlay_diags *d)
{
    return !inlay_is_missing(to, "sink", d) &&
           (to->write || inlay_fail(d, NULL, "a sink is empty"));
}

bool inlay_sink_write(const inlay_sink *to, const char *bytes, size_t n, const char *what,
                      inlay_diags *d)
{
    if (to->write(to->ctx, bytes, n))
        return true;
    return to->write == inlay_strbuf_sink
               ? inlay_fail_memory(d)
               : inlay_fail_resource(d, NULL, "%s could not be written", what);
}
