/* The output buffer of the printer. */
#include "ir/base/argument.h"
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
    p->stopped = !inlay_sink_write(p->to, p->buf.bytes, p->buf.n, "the text", p->diags);
    p->buf.n = 0;
    return !p->stopped;
}
