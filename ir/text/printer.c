/* The output buffer of the printer. */
#include "ir/text/print.h"

bool print_flush(printer *p, bool end)
{
    enum { MUCH = 1 << 15 };

    if (p->stopped)
        return false;
    if (p->buf.failed) {
        p->stopped = true;
        return inlay_fail_memory(p->diags);
    }
    if (p->buf.n == 0 || (!end && p->buf.n < MUCH))
        return true;
    if (!p->to->write(p->to->ctx, p->buf.bytes, p->buf.n)) {
        p->stopped = true;
        return inlay_fail_resource(p->diags, NULL, "the text could not be written");
    }
    p->buf.n = 0;
    return true;
}
