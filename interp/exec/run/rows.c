/* What kernels say of rows that a group reads (gathered.c) or writes (listed.c). */
#include "interp/exec/run/rows.h"
#include "interp/exec/run/fused.h"

bool exec_check(inlay_call *c)
{
    bool ok;

    c->run->only_checks = true;
    ok = call_kernel_of(c->node->op)(c);
    c->run->only_checks = false;
    return ok;
}

bool exec_computes(inlay_call *c, int64_t n, int64_t length, const int64_t *to)
{
    exec_frame *f = (exec_frame *)c->run;

    (void)n, (void)length;
    if (!f->putting)
        return false;
    exec_fused_put(f, f->putting, to);
    return true;
}

void exec_note_rows(inlay_call *c, int64_t n, const int64_t *to)
{
    exec_frame *f = (exec_frame *)c->run;

    (void)n;
    f->lists[f->picking] = to;
}
