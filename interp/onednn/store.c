#include "interp/onednn/store.h"
#include "interp/onednn/call.h"
#include "interp/onednn/pack.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    LINE = 64,
    HUGE = 2 << 20 /* a large page */
};

/* A packed form of a constant. */
typedef struct form {
    const void *constant;
    api_layout from, to;
    void *data;
    struct form *next;
} form;

struct module_store {
    form *list;
    size_t bytes;
};

module_store *store_new(void)
{
    return calloc(1, sizeof(module_store));
}

static void form_free(form *f)
{
    api_free(f->from);
    api_free(f->to);
    free(f->data);
    free(f);
}

void store_free(module_store *s)
{
    for (form *f = s ? s->list : NULL, *next; f; f = next) {
        next = f->next;
        form_free(f);
    }
    free(s);
}

size_t store_bytes(const module_store *s)
{
    return s->bytes;
}

/* Constants of a file may be misaligned. Those are copied to pages of their own before oneDNN gets
 * them, because freed memory of that size would otherwise stay with the process. */
static bool fill(const form *f, dnnl_engine_t e)
{
    size_t bytes = api_bytes(f->from);
    void *copy;
    bool ok;

    if (api_is_same(f->from, f->to)) {
        memcpy(f->data, f->constant, bytes);
        return true;
    }
    if (pack_fills_up(f->to))
        return pack(f->constant, f->from, f->data, f->to);
    if ((uintptr_t)f->constant % sizeof(float) == 0)
        return call_reorder(e, f->constant, f->from, f->data, f->to);
    copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return false;
    memcpy(copy, f->constant, bytes);
    ok = call_reorder(e, copy, f->from, f->data, f->to);
    munmap(copy, bytes);
    return ok;
}

/* Allocates BYTES of memory that each run reads from one end to the other. With large pages there
 * are fewer address translations, and prefetching does not stop every 4 KiB; only whole large pages
 * are asked for, so that no memory is wasted. NULL: out of memory. */
static void *room_for(size_t bytes)
{
    void *p = NULL;

    if (posix_memalign(&p, bytes < HUGE ? LINE : HUGE, bytes) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    if (bytes >= HUGE)
        madvise(p, bytes / HUGE * HUGE, MADV_HUGEPAGE);
#endif
    return p;
}

static form *form_new(dnnl_engine_t e, const void *constant, api_layout from, api_layout to)
{
    form *f = calloc(1, sizeof *f);

    if (!f)
        return NULL;
    f->constant = constant;
    f->from = api_copy(from);
    f->to = api_copy(to);
    f->data = room_for((api_bytes(to) + LINE - 1) / LINE * LINE + LINE);
    if (f->from && f->to && f->data && fill(f, e))
        return f;
    form_free(f);
    return NULL;
}

const void *store_take(module_store *s, dnnl_engine_t e, const void *constant, api_layout from,
                       api_layout to)
{
    form *f = s->list;

    while (f && !(f->constant == constant && api_is_same(f->to, to) && api_is_same(f->from, from)))
        f = f->next;
    if (f)
        return f->data;
    f = form_new(e, constant, from, to);
    if (!f)
        return NULL;
    f->next = s->list;
    s->list = f;
    s->bytes += api_bytes(to);
    return f->data;
}
