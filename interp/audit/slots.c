/* Steps that are computed together, tile by tile of the buffer that they write to. Tiles consist of
 * slots, so they make no difference if each element belongs to one slot, and each row touches only
 * its own slot. */
#include "interp/audit/auditor.h"

static const exec_windows *windows_of(const auditor *a)
{
    return a->s->fused->windows;
}

/* Returns the slot that contains N bytes from P on, or -1: no slot has all of them. */
static int64_t slot_of(const auditor *a, const char *p, int64_t n)
{
    const exec_windows *w = windows_of(a);
    int64_t at = p - a->x->allocations[w->allocation].fake;

    return at >= 0 && (at + n - 1) / w->pitch == at / w->pitch ? at / w->pitch : -1;
}

/* Whether lane LANE, which begins at P, touches the buffer in each row only in the slot of the
 * output's row. */
static bool lane_fits(const auditor *a, const exec_block *b, int lane, const char *p,
                      ptrdiff_t pitch)
{
    const row_block *k = &b->k;
    int64_t bytes = k->length * (int64_t)k->size;

    if (b->allocation[lane] != windows_of(a)->allocation)
        return true;
    if (k->rows == 1)
        return p == k->to &&
               (p - a->x->allocations[windows_of(a)->allocation].fake) % (int64_t)k->size == 0;
    for (int64_t r = 0; r < k->rows; r++) {
        int64_t slot = slot_of(a, k->to + r * k->to_pitch, bytes);

        if (slot < 0 || slot_of(a, p + r * pitch, bytes) != slot)
            return false;
    }
    return true;
}

/* Whether V has the rows of B, and the tiles contain them. A block of several rows has one in each
 * slot. */
static bool is_listed(const auditor *a, const exec_window *v, const exec_block *b)
{
    const exec_windows *w = windows_of(a);
    const row_block *k = &b->k;
    int64_t at = k->to - a->x->allocations[w->allocation].fake;
    int64_t last = at + (k->rows - 1) * k->to_pitch + k->length * (int64_t)k->size - 1;

    return v->at == at && v->single_row == (k->rows == 1) &&
           v->rows == (v->single_row ? k->length : k->rows) &&
           (v->single_row || k->to_pitch == w->pitch) && v->slot == at / w->pitch &&
           v->end == last / w->pitch + 1 && w->first <= v->slot &&
           v->end <= w->first + a->s->fused->tiles * w->slots && w->pitch % (int64_t)k->size == 0;
}

/* Whether the blocks of the group's list from *AT on are those of the step. */
static bool check_blocks(const auditor *a, int at)
{
    const exec_windows *w = windows_of(a);

    for (size_t i = a->s->block; i < a->s->block + a->s->n_blocks; i++) {
        const exec_block *b = &a->x->blocks[i];

        if (b->k.rows <= 0 || b->k.length <= 0)
            continue;
        if (at == w->n || w->list[at].block != i || b->allocation[0] != w->allocation ||
            b->allocation[EXEC_ONE] == w->allocation || !is_listed(a, &w->list[at], b) ||
            !lane_fits(a, b, 0, b->k.to, b->k.to_pitch) ||
            !lane_fits(a, b, 1, b->k.x, b->k.x_pitch) || !lane_fits(a, b, 2, b->k.y, b->k.y_pitch))
            return audit_refuse(a, "a block of a group does not keep to its slots", a->s->out[0]);
        at++;
    }
    return true;
}

/* Whether the first block copies all of the buffer. */
static bool copies_all(const auditor *a)
{
    const exec_windows *w = windows_of(a);
    const exec_block *b = &a->x->blocks[w->list[0].block];

    return (b->k.to == a->x->allocations[w->allocation].fake && b->k.rows == 1 && b->k.size == 1 &&
            (uint64_t)b->k.length == a->x->allocations[w->allocation].bytes &&
            is_listed(a, &w->list[0], b)) ||
           audit_refuse(a, "a copy of a group is not one of all of the buffer", a->s->out[0]);
}

/* Whether nothing reads or writes the copy of an input before the group makes it. */
static bool is_untouched(const auditor *a)
{
    const exec_fused *f = a->s->fused;
    bool ok = a->x->entries[windows_of(a)->entry].later;

    for (size_t k = 0; ok && k < f->first; k++) {
        const exec_step *s = &a->x->list[k];
        const inlay_node *n = s->step->node;

        for (int i = 0; ok && s->kind != EXEC_NOTHING && i < n->n_in + n->n_out; i++) {
            size_t value = i < n->n_in ? s->in[i] : s->out[i - n->n_in];

            ok = value == SIZE_MAX || a->x->allocation[value] != windows_of(a)->allocation;
        }
    }
    return ok || audit_refuse(a, "an input is copied too late", a->s->out[0]);
}

/* The number of blocks in the steps before this one. */
static int blocks_before(const auditor *a)
{
    const exec_fused *f = a->s->fused;
    int n = windows_of(a)->entry != SIZE_MAX;

    for (size_t k = f->first; k < a->number; k++) {
        const exec_step *s = &a->x->list[k];

        n += s->kind == EXEC_FUSED && s->n_blocks == 0;
        for (size_t i = s->block; s->kind == EXEC_FUSED && i < s->block + s->n_blocks; i++)
            n += a->x->blocks[i].k.rows > 0 && a->x->blocks[i].k.length > 0;
    }
    return n;
}

bool slots_check(const auditor *a)
{
    const exec_windows *w = windows_of(a);
    bool first = a->number == a->s->fused->first;

    if (w->n == 0 || w->slots <= 0 || w->pitch <= 0)
        return audit_refuse(a, "a group has no tiles", a->s->out[0]);
    if (first && w->entry != SIZE_MAX && !(is_untouched(a) && copies_all(a)))
        return false;
    return (a->s->n_blocks > 0 || (first && copies_all(a))) && check_blocks(a, blocks_before(a));
}
