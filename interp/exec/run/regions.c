/* The parts of the arena in which the values of a frame lie. */
#include "interp/exec/run/regions.h"

#include <string.h>

char *regions_home(const exec_frame *f)
{
    return f->home.frame ? (char *)f->home.frame->data + f->home.at : NULL;
}

void exec_frame_house(exec_frame *f, const exec_run *run)
{
    const exec_inner *in = run->walked ? run->walked->inner : NULL;

    f->home.frame = in && in->value != SIZE_MAX ? run->values[in->value] : NULL;
    f->home.at = in ? in->base : 0;
}

/* Returns the regions in which F's values lie. */
static struct exec_region *regions_of(const exec_frame *f)
{
    return &f->run.session->regions[f->run.plan->depth * EXEC_SEGMENTS];
}

char *regions_address(const exec_frame *f, const exec_allocation *u, inlay_buffer **buffer)
{
    const exec_instance *x = f->x;
    const inlay_tensor *bytes;
    int i = x->segment.number;

    while (i > 0 && u->offset < x->segment.region[i])
        i--;
    if (i == 0 && f->home.frame && u->bytes > 0) {
        *buffer = f->home.frame->buffer;
        return regions_home(f) + u->offset;
    }
    bytes = u->bytes > 0 ? regions_of(f)[i].bytes : NULL;
    *buffer = bytes ? bytes->buffer : f->run.session->nothing;
    return bytes ? (char *)bytes->data + (u->offset - x->segment.region[i])
                 : inlay_buffer_data(*buffer);
}

uint64_t regions_age(const exec_frame *f)
{
    uint64_t age = 0;

    for (int i = f->home.frame ? 1 : 0; i <= f->x->segment.number; i++)
        age = regions_of(f)[i].age > age ? regions_of(f)[i].age : age;
    return age;
}

/* Returns how many bytes the segment of F adds to the arena. */
static uint64_t fresh_bytes(const exec_instance *x)
{
    uint64_t begin = x->segment.region[x->segment.number];

    return x->arena.bytes > begin ? x->arena.bytes - begin : 0;
}

/* Returns whether the first region lies in the arena of the frame around the body. */
static bool is_housed(const exec_frame *f)
{
    uint64_t room = f->home.frame ? (uint64_t)f->home.frame->dims[0] - f->home.at : 0;

    return f->home.frame && fresh_bytes(f->x) <= room;
}

/* Counts the bytes of a region once in a run, however often a body runs in it. */
static void count_bytes(exec_frame *f, struct exec_region *r, uint64_t size)
{
    const exec_session *s = f->run.session;

    if (r->run != s->runs)
        r->most = 0;
    r->run = s->runs;
    if (size <= r->most)
        return;
    f->run.run.env->stats->arena_bytes += size - r->most;
    r->most = size;
}

/* Returns the node at which most of the arena of X is in use, or NULL. */
static const inlay_node *fullest_at(const exec_instance *x)
{
    return x->arena.at > 0 ? x->list[x->arena.at - 1].step->node : NULL;
}

/* Returns how many bytes a region gets that had less than SIZE before: where sizes grow from run to
 * run, as with a cache, it grows once in many runs. */
static int64_t with_spare(const inlay_meter *m, int64_t size)
{
    int64_t spare = size / 4;

    return meter_may_keep(m, (uint64_t)spare) ? size + spare : size;
}

bool regions_reserve(exec_frame *f, inlay_diags *d)
{
    const exec_instance *x = f->x;
    exec_session *s = f->run.session;
    struct exec_region *r = &regions_of(f)[x->segment.number];
    int64_t size = (int64_t)fresh_bytes(x), grown, stride = 1;
    inlay_tensor form = {.type = INLAY_U8, .rank = 1, .dims = &grown, .strides = &stride};

    if (x->segment.number == 0 && is_housed(f)) {
        if (s->poison)
            memset(regions_home(f), EXEC_POISON, (size_t)size);
        return true;
    }
    f->home.frame = x->segment.number == 0 ? NULL : f->home.frame;
    if (r->age == 0)
        r->age = ++s->clock;
    if (size > 0 && (!r->bytes || r->bytes->dims[0] < size)) {
        grown = r->bytes ? with_spare(s->meter, size) : size;
        inlay_tensor_release(r->bytes);
        r->bytes = meter_tensor_like(s->meter, &form, fullest_at(x), d);
        r->age = ++s->clock;
    }
    if (size > 0 && r->bytes && s->poison)
        memset(r->bytes->data, EXEC_POISON, (size_t)size);
    if (r->bytes)
        count_bytes(f, r, (uint64_t)size);
    return size == 0 || r->bytes;
}

void exec_frame_poison(exec_frame *f, size_t i)
{
    const exec_instance *x = f->x;

    for (size_t k = 0; k < x->n_allocations; k++) {
        const exec_allocation *u = &x->allocations[k];
        inlay_buffer *buffer;

        if (exec_in_arena(u) && u->same == k && u->last == exec_time(i) && u->bytes > 0)
            memset(regions_address(f, u, &buffer), EXEC_POISON, u->bytes);
    }
}
