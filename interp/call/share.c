/* The helpers of share.h and split.h. If an executor has no function for one, it does the plain
 * thing. */
#include "interp/call/share.h"

#include "interp/call/run.h"
#include "ir/shared.h"

bool inlay_call_shares(const inlay_call *c)
{
    int i = c->node->op->overwrites;
    const inlay_tensor *in = i >= 0 && i < c->n_in ? c->in[i] : NULL;
    const inlay_tensor *out = c->n_out > 0 ? c->out[0] : NULL;

    return in && out && in->data == out->data && in->offset == out->offset;
}

bool call_show(inlay_call *c, int o, const inlay_tensor *t, bool *done)
{
    const call_executor *e = c->run->executor;

    *done = false;
    return !e->show || e->show(c, o, t, done);
}

void row_block_read(row_block *k)
{
    if (k->one && k->type == INLAY_F32)
        k->number.f32 = inlay_load_f32(k->one_type, k->one, 0);
    else if (k->one && k->type == INLAY_F64)
        k->number.f64 = inlay_load_f64(k->one_type, k->one, 0);
    else if (k->one)
        memcpy(&k->number, k->one, inlay_type_info_of(k->type)->bits / 8);
}

bool call_block(inlay_call *c, row_block *k)
{
    const call_executor *e = c->run->executor;

    if (e->block)
        return e->block(c, k);
    row_block_read(k);
    k->run(k);
    return true;
}

void call_form(inlay_call *c, const row_form *f)
{
    if (c->run->executor->form)
        c->run->executor->form(c, f);
}

bool call_settle(inlay_call *c)
{
    return !c->run->executor->settle || c->run->executor->settle(c);
}

bool call_rest(inlay_call *c, call_rest_fn *rest, const void *frame, size_t size)
{
    const call_executor *e = c->run->executor;

    return e->rest ? e->rest(c, rest, frame, size) : rest(c, frame);
}

bool call_reads(const inlay_call *c, int i)
{
    return !c->run->executor->reads || c->run->executor->reads(c, i);
}

bool call_only_checks(const inlay_call *c)
{
    return c->run->only_checks;
}

void call_picked(inlay_call *c, int64_t n, const int64_t *to)
{
    if (c->run->executor->picked)
        c->run->executor->picked(c, n, to);
}

bool call_computes(inlay_call *c, int64_t n, int64_t length, const int64_t *to)
{
    const call_executor *e = c->run->executor;

    return e->computes && e->computes(c, n, length, to);
}

const call_reader *call_reader_of(inlay_call *c, bool whole)
{
    const call_executor *e = c->run->executor;

    return e->reader ? e->reader(c, whole) : NULL;
}

void call_split(inlay_call *c, int64_t n, double cost, call_part_fn *fn, void *ctx)
{
    const call_executor *e = c->run->executor;

    if (e->split)
        e->split(c, n, cost, fn, ctx);
    else
        fn(ctx, 0, n);
}

void call_rounds(inlay_call *c, int64_t rounds, int64_t n, double cost, call_round_fn *fn,
                 void *ctx)
{
    const call_executor *e = c->run->executor;

    if (e->rounds) {
        e->rounds(c, rounds, n, cost, fn, ctx);
        return;
    }
    for (int64_t r = 0; r < rounds; r++)
        fn(ctx, r, 0, n);
}

/* Copies a part whose elements are not in place yet, as call_copy_part does. */
static bool copy_part(inlay_call *c, const inlay_tensor *to, inlay_tensor *dst,
                      const inlay_tensor *from, const inlay_tensor *src)
{
    const call_executor *e = c->run->executor;

    if (e->copies)
        return e->copies(c, to, dst, from, src);
    return call_settle(c) && (inlay_tensor_assign(dst, src) || inlay_fail_memory(c->diags));
}

bool call_copy_part(inlay_call *c, const inlay_tensor *to, inlay_tensor *dst,
                    const inlay_tensor *from, const inlay_tensor *src)
{
    return inlay_tensor_same_place(dst, src) /* it was computed there */
           || copy_part(c, to, dst, from, src);
}

/* Announces a write, as call_executor says. */
static bool announce(inlay_call *c, const inlay_tensor *t, int64_t n, int64_t length,
                     const int64_t *to)
{
    const call_executor *e = c->run->executor;

    return !e->overwrites || !inlay_call_shares(c) || e->overwrites(c, t, n, length, to);
}

bool inlay_call_writes_runs(inlay_call *c, int64_t n, int64_t length, const int64_t *to)
{
    return announce(c, c->out[0], n, length, to);
}

/* Counts a copy if bytes are written: the updates were in memory before. */
bool call_write_part(inlay_call *c, inlay_tensor *to, const inlay_tensor *from)
{
    if (inlay_tensor_same_place(to, from)) {
        c->writes_nothing = true;
        return true;
    }
    if (!announce(c, to, -1, 0, NULL))
        return false;
    call_copied(c, inlay_tensor_bytes(from));
    return copy_part(c, c->out[0], to, from, from);
}

bool inlay_call_copy(inlay_call *c, int o, int i)
{
    bool done;

    if (inlay_tensor_same_place(c->out[o], c->in[i]))
        return true;
    if (!call_show(c, o, c->in[i], &done) || done)
        return done;
    call_copied(c, inlay_tensor_bytes(c->out[o]));
    return copy_part(c, c->out[o], c->out[o], c->in[i], c->in[i]);
}
