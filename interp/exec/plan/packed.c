/* Which step uses which kernel of the library, and the packed forms of constants for these kernels
 * and for the module. The first instance that needs a packed form makes it; it belongs to the plan,
 * and all threads and instances share it. */
#include "interp/exec/plan/packed.h"
#include "interp/exec/plan/pack_memory.h"
#include "interp/library/chain.h"
#include "interp/library/library.h"
#include "ir/shared.h"

#include <pthread.h>
#include <stdlib.h>

/* The packed form of the constant of a slot that nodes with KERNEL and FORM need. */
struct packed {
    const library_kernel *kernel;
    int form;
    void *data;
    struct packed *next;
};

struct exec_packed {
    const graph_steps *steps;
    pthread_mutex_t lock;
    uint64_t bytes; /* of all forms */
    pack_memory *memory;
    const module_table *module;
    module_store *store;   /* what the module packed of constants; NULL: nothing yet */
    struct packed *list[]; /* by slot */
};

struct exec_packed *packed_new(const graph_steps *s)
{
    struct exec_packed *p =
        inlay_take(inlay_graph_budget(s->graph), 1, sizeof *p + s->n_slots * sizeof p->list[0]);

    if (!p)
        return NULL;
    p->steps = s;
    if (pthread_mutex_init(&p->lock, NULL) == 0)
        return p;
    inlay_give(p);
    return NULL;
}

void packed_free(struct exec_packed *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->steps->n_slots; i++) {
        for (struct packed *f = p->list[i], *next; f; f = next) {
            next = f->next;
            inlay_give(f);
        }
    }
    pack_memory_free(p->memory);
    if (p->store)
        p->module->store_free(p->store);
    pthread_mutex_destroy(&p->lock);
    inlay_give(p);
}

const library_kernel *exec_plan_library(const exec_plan *p, const inlay_node *n)
{
    return p->set->kernels != INLAY_KERNELS_REFERENCE ? library_find(n->op) : NULL;
}

static int form_of(const library_kernel *k, const inlay_node *n)
{
    return k->form ? k->form(n) : 0;
}

/* Returns the packed form of the constant of SLOT that K needs for N; NULL: not packed yet. */
static struct packed *find_form(const struct exec_packed *all, const library_kernel *k,
                                const inlay_node *n, size_t slot)
{
    struct packed *f = all->list[slot];

    while (f && (f->kernel != k || f->form != form_of(k, n)))
        f = f->next;
    return f;
}

/* Packs T, the constant of SLOT, as K needs it for N, into BYTES. NULL: out of memory. */
static struct packed *make_form(struct exec_packed *all, const library_kernel *k,
                                const inlay_node *n, size_t slot, const inlay_tensor *t,
                                size_t bytes)
{
    struct packed *f = inlay_take(inlay_node_budget(n), 1, sizeof *f);

    if (!f)
        return NULL;
    f->kernel = k;
    f->form = form_of(k, n);
    f->data = pack_memory_take(&all->memory, inlay_budget_of(all), bytes);
    if (!f->data) {
        inlay_give(f);
        return NULL;
    }
    k->pack(n, t, f->data);
    f->next = all->list[slot];
    all->list[slot] = f;
    all->bytes += bytes;
    if (k->replaces)
        inlay_tensor_unload(t);
    return f;
}

/* Returns how many bytes the packed form that W asks for will take; 0: it is there already, or W
 * wants none. */
static size_t missing(const struct exec_packed *all, const exec_want *w)
{
    return find_form(all, w->kernel, w->node, w->slot) ? 0 : w->kernel->packed_bytes(w->node, w->t);
}

/* Reserves memory for all missing packed forms. A form that several steps share is counted once for
 * each; the surplus costs nothing, because pages that are never touched take no memory. */
static bool reserve(struct exec_packed *all, const exec_want *list, size_t n)
{
    size_t bytes = 0;

    for (size_t i = 0; i < n; i++) {
        size_t room = pack_memory_size(missing(all, &list[i]));

        if (room > SIZE_MAX - bytes)
            return false;
        bytes += room;
    }
    return bytes == 0 || pack_memory_reserve(&all->memory, inlay_budget_of(all), bytes);
}

/* Gives the step of W its packed form, if it wants one. */
static bool take_form(struct exec_packed *all, const exec_want *w)
{
    struct packed *f = find_form(all, w->kernel, w->node, w->slot);
    size_t bytes = f ? 0 : w->kernel->packed_bytes(w->node, w->t);

    if (bytes > 0)
        f = make_form(all, w->kernel, w->node, w->slot, w->t, bytes);
    *w->packed = f ? f->data : NULL;
    return f || bytes == 0;
}

bool exec_packed_forms(const exec_plan *p, const exec_want *list, size_t n)
{
    bool ok;

    pthread_mutex_lock(&p->packed->lock);
    ok = reserve(p->packed, list, n);
    for (size_t i = 0; ok && i < n; i++)
        ok = take_form(p->packed, &list[i]);
    pthread_mutex_unlock(&p->packed->lock);
    return ok;
}

module_chain *exec_packed_chain(const exec_plan *p, const module_work *w)
{
    struct exec_packed *all = p->packed;
    module_chain *made = NULL;

    pthread_mutex_lock(&all->lock);
    all->module = p->set->module;
    if (p->set->packs && !all->store)
        all->store = p->set->module->store_new();
    if (!p->set->packs || all->store)
        made = p->set->module->chain_new(all->store, w);
    pthread_mutex_unlock(&all->lock);
    return made;
}

bool exec_reads_packed(const exec_plan *p, const inlay_use *u, const inlay_tensor *t)
{
    const library_kernel *k = p->set->packs ? exec_plan_library(p, u->node) : NULL;

    if (p->set->packs && p->set->module && u->node->n_in > 1 && u == &u->node->in[1] &&
        chain_packs(u->node, t))
        return true;
    return k && k->replaces && u->node->n_in > k->packs && u == &u->node->in[k->packs] &&
           k->packed_bytes(u->node, t) > 0;
}

void exec_plan_kernels(exec_plan *p, inlay_kernels kernels, bool packs)
{
    p->set->kernels = kernels;
    p->set->packs = packs && kernels != INLAY_KERNELS_REFERENCE;
}

static bool has_work(const exec_plan *p)
{
    bool has = false;

    for (size_t i = 0; !has && i < p->steps->n; i++)
        has = chain_begins(p->steps->list[i].node);
    for (size_t i = 0; !has && i < p->n_bodies; i++)
        has = has_work(p->bodies[i]);
    return has;
}

bool exec_plan_module(exec_plan *p, int threads, inlay_diags *d)
{
    char why[200];

    if (!has_work(p))
        return true;
    p->set->module = chain_open(why, sizeof why);
    p->set->threads = threads;
    return p->set->module || inlay_fail(d, NULL, "there are no kernels of oneDNN: %s", why);
}

uint64_t exec_plan_packed_bytes(const exec_plan *p)
{
    uint64_t bytes;

    pthread_mutex_lock(&p->packed->lock);
    bytes = p->packed->bytes;
    if (p->packed->store)
        bytes += p->packed->module->store_bytes(p->packed->store);
    pthread_mutex_unlock(&p->packed->lock);
    for (size_t i = 0; i < p->n_bodies; i++)
        bytes += exec_plan_packed_bytes(p->bodies[i]);
    return bytes;
}

/* Returns operand I of N if it is a constant, or NULL. */
static const inlay_tensor *constant_of(const inlay_node *n, int i)
{
    const inlay_value *v = i < n->n_in ? inlay_node_input(n, i) : NULL;
    const inlay_attr *a =
        v && inlay_node_is(v->node, INLAY_OP_CONST) ? inlay_node_attr(v->node, "value") : NULL;

    return a ? a->as.tensor : NULL;
}

uint64_t exec_plan_packable_bytes(const exec_plan *p)
{
    const graph_steps *s = p->steps;
    uint64_t bytes = 0;

    for (size_t i = 0; i < s->n; i++) {
        const inlay_node *n = s->list[i].node;
        const library_kernel *k = exec_plan_library(p, n);
        const inlay_tensor *t = k && k->packs >= 0 ? constant_of(n, k->packs) : NULL;
        const inlay_tensor *filters = p->set->module && chain_begins(n) ? constant_of(n, 1) : NULL;

        if (filters)
            bytes += chain_packed_bytes(n, filters);
        else if (t)
            bytes += k->packed_bytes(n, t);
    }
    for (size_t i = 0; i < p->n_bodies; i++)
        bytes += exec_plan_packable_bytes(p->bodies[i]);
    return bytes;
}
