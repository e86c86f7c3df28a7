/* Finds chains: consecutive steps that a module (library/module.h) computes in one call. The first
 * of them is a matrix product or a convolution:
 *
 *     c = Convolution(x, f)      the module computes r from x; it keeps f and b in its own layout;
 *     s = Add(c, b)              c and s lie in its scratch memory
 *     r = ReLU(s)
 *
 * Changing the layout of values on entry and exit costs as much as several products for each
 * element. So convolutions with few products, such as a depthwise one alone, are left to the
 * library.
 *
 * oneDNN's clamp and maximum return a number for a NaN. So a chain with one of these needs finite
 * operands: if a constant is not finite there is no chain, and if an input is not, the run fails.
 */
#include "interp/exec/build/chain.h"
#include "interp/exec/build/meta.h"
#include "interp/exec/plan/packed.h"
#include "interp/library/chain.h"
#include "interp/library/library.h"

#include <string.h>

enum { MOST_IN = 2 };

/* The steps that are being gathered. */
struct gather {
    exec_builder *b;
    module_node *nodes; /* operands and outputs are slots */
    size_t *steps;      /* by node */
    int n;
    bool *made;      /* by slot: one of the nodes computes it */
    uint32_t *reads; /* by slot: how many of the nodes read it */
    double products; /* multiplications in convolutions */
    int *number;     /* by slot: of the module's value; -1: not listed yet */
    size_t *slots;   /* by number */
    module_value *values;
    int n_values;
};

static bool is_constant(const exec_instance *x, size_t slot)
{
    return x->allocation[slot] != SIZE_MAX &&
           x->allocations[x->allocation[slot]].root == EXEC_CONST;
}

/* Describes step I to the library as a call on meta tensors; IN and OUT have room for two operands.
 * An operand that is not known is NULL. False: the step is computed in another way, or an output is
 * not dense or not known. */
static bool describe(const exec_builder *b, size_t i, inlay_call *c, const inlay_tensor **in,
                     inlay_tensor **out, bool *constant)
{
    const exec_instance *x = b->x;
    const exec_step *s = &x->list[i];
    const inlay_node *n = s->step->node;
    bool ok = (s->kind == EXEC_KERNEL || s->kind == EXEC_BLOCKS) && !s->in_place &&
              s->n_copies == 0 && n->n_in <= MOST_IN && x->meta[s->out[0]];

    for (int k = 0; ok && k < n->n_in; k++) {
        in[k] = s->in[k] != SIZE_MAX ? x->meta[s->in[k]] : NULL;
        constant[k] = in[k] && is_constant(x, s->in[k]);
    }
    for (int k = 1; ok && k < n->n_out; k++)
        ok = b->s->uses[s->out[k]] == 0;
    if (!ok || x->allocations[x->allocation[s->out[0]]].slot != s->out[0])
        return false;
    out[0] = x->meta[s->out[0]];
    *c = (inlay_call){.node = n, .in = in, .n_in = n->n_in, .out = out, .n_out = n->n_out};
    return true;
}

/* Sets *NODE to step I as a node of a chain, and *PRODUCTS to the number of its multiplications. */
static bool is_node(const exec_builder *b, size_t i, module_node *node, double *products)
{
    const inlay_tensor *in[MOST_IN] = {NULL};
    inlay_tensor *out[1];
    bool constant[MOST_IN] = {false};
    const exec_step *s = &b->x->list[i];
    inlay_call c;

    if (!describe(b, i, &c, in, out, constant) || !chain_takes(&c, constant, node))
        return false;
    *products = chain_products(&c, node);
    for (int k = 0; k < MOST_IN; k++)
        node->in[k] = node->in[k] >= 0 ? (int)s->in[node->in[k]] : -1;
    node->out = (int)s->out[0];
    return true;
}

/* Returns whether an operand of NODE shares bytes with a value of the chain without being that
 * value: it would be read before it is written. */
static bool reads_behind(const struct gather *g, const module_node *node)
{
    const exec_instance *x = g->b->x;
    bool behind = false;

    for (int k = 0; k < MOST_IN; k++) {
        const exec_allocation *u =
            node->in[k] >= 0 ? &x->allocations[x->allocation[node->in[k]]] : NULL;

        behind = behind || (u && u->slot < g->b->s->n_slots && g->made[u->slot] &&
                            u->slot != (size_t)node->in[k]);
    }
    return behind;
}

static void add_node(struct gather *g, size_t i, const module_node *node, double products)
{
    g->nodes[g->n] = *node;
    g->steps[g->n++] = i;
    g->made[node->out] = true;
    g->products += node->kind == MODULE_CONVOLUTION ? products : 0;
    for (int k = 0; k < MOST_IN; k++) {
        if (node->in[k] >= 0)
            g->reads[node->in[k]]++;
    }
}

/* Returns whether only nodes of the chain read the value of SLOT, which the chain computes. */
static bool is_inner(const struct gather *g, size_t slot)
{
    const exec_builder *b = g->b;
    const exec_place *place = build_place(b, slot);

    return g->reads[slot] == b->s->uses[slot] &&
           b->x->allocations[b->x->allocation[slot]].root == EXEC_ARENA &&
           (!place || place->kind == INLAY_FRESH);
}

/* The work for the module */

/* Returns the number of SLOT among the module's values, listing it if it is new. */
static int list_value(struct gather *g, size_t slot)
{
    const inlay_tensor *t = g->b->x->meta[slot];
    module_value *v = &g->values[g->n_values];
    int size = inlay_type_info_of(t->type)->bits / 8;

    if (g->number[slot] >= 0)
        return g->number[slot];
    *v = (module_value){.rank = t->rank, .leaves = g->made[slot] && !is_inner(g, slot)};
    memcpy(v->dims, t->dims, (size_t)t->rank * sizeof *v->dims);
    if (is_constant(g->b->x, slot))
        v->constant = (const char *)t->data + t->offset * size;
    g->slots[g->n_values] = slot;
    return g->number[slot] = g->n_values++;
}

static void list_work(struct gather *g)
{
    g->n_values = 0;
    for (int i = 0; i < g->n; i++) {
        for (int k = 0; k < MOST_IN; k++) {
            if (g->nodes[i].in[k] >= 0)
                g->nodes[i].in[k] = list_value(g, (size_t)g->nodes[i].in[k]);
        }
        g->nodes[i].out = list_value(g, (size_t)g->nodes[i].out);
    }
}

static bool is_border(const struct gather *g, int v)
{
    return g->values[v].leaves || (!g->values[v].constant && !g->made[g->slots[v]]);
}

/* Returns whether the convolutions compute enough to be worth the change of layout on entry and
 * exit. */
static bool is_worth(const struct gather *g)
{
    double elements = 0;
    bool convolves = false;

    for (int i = 0; i < g->n; i++)
        convolves = convolves || g->nodes[i].kind == MODULE_CONVOLUTION;
    for (int i = 0; i < g->n_values; i++) {
        if (is_border(g, i))
            elements += (double)inlay_tensor_count(g->b->x->meta[g->slots[i]]);
    }
    return !convolves || g->products >= g->b->plan->set->worth * elements;
}

/* Returns whether some node would turn a NaN into a number. */
static bool hides_nan(const struct gather *g)
{
    bool hides = false;

    for (int i = 0; i < g->n; i++)
        hides = hides || g->nodes[i].kind == MODULE_CLAMP || g->nodes[i].kind == MODULE_MAX_POOL;
    return hides;
}

/* Weights that are not known when the plan is made are assumed to be finite. */
static bool constants_are_finite(const struct gather *g)
{
    bool finite = true;

    for (int i = 0; finite && g->b->plan->set->packs && i < g->n_values; i++)
        finite = !g->values[i].constant ||
                 library_are_finite(g->values[i].constant,
                                    inlay_tensor_count(g->b->x->meta[g->slots[i]]));
    return finite;
}

/* Chains */

/* Reserves BYTES of scratch memory for the module in the arena, alive while the steps of F run. */
static bool add_room(exec_builder *b, const exec_fused *f, size_t bytes, size_t *room)
{
    exec_instance *x = b->x;
    const int64_t count = (int64_t)bytes;
    size_t allocation;

    *room = SIZE_MAX;
    if (bytes == 0)
        return true;
    if (x->n_values == b->cap_values)
        return false;
    allocation = build_allocation(b, EXEC_ARENA, x->n_values, bytes);
    if (allocation == SIZE_MAX)
        return false;
    x->allocations[allocation].node = x->list[f->first].step->node;
    x->allocations[allocation].first = exec_time(f->first);
    x->allocations[allocation].last = exec_time(f->first + f->n - 1);
    *room = x->n_values++;
    x->segment.next_fake = b->next;
    return build_value(b, *room, allocation,
                       inlay_tensor_over_in(x->memory, NULL, x->allocations[allocation].fake,
                                            INLAY_U8, 1, &count));
}

/* Values inside of the chain get no bytes; its outputs are alive from its first step on. */
static void settle_outputs(const struct gather *g, const exec_fused *f)
{
    exec_instance *x = g->b->x;

    for (int i = 0; i < g->n_values; i++) {
        exec_allocation *u = &x->allocations[x->allocation[g->slots[i]]];

        if (!g->made[g->slots[i]])
            continue;
        if (!g->values[i].leaves)
            u->bytes = 0;
        else if (u->first > exec_time(f->first))
            u->first = exec_time(f->first);
    }
}

static void settle_steps(const struct gather *g, exec_fused *f)
{
    exec_instance *x = g->b->x;

    for (int i = 0; i < g->n; i++) {
        exec_step *s = &x->list[g->steps[i]];

        for (size_t k = s->block; k < s->block + s->n_blocks; k++)
            x->blocks[k] = (exec_block){.allocation = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX}};
        s->n_blocks = 0;
        s->kind = EXEC_CHAIN;
        s->kernel.library = NULL;
        s->kernel.rest = NULL;
        s->zeroes = false;
        g->b->form[g->steps[i]] = NULL;
    }
    for (size_t i = f->first; i < f->first + f->n; i++) {
        x->list[i].fused = f;
        f->counted += !inlay_node_is(x->list[i].step->node, INLAY_OP_CONST);
    }
}

/* Marks the original weights as not read: the module reads its own copy of them. */
static void unload_weights(const struct gather *g)
{
    for (int i = 0; g->b->plan->set->packs && i < g->n; i++) {
        int k = g->nodes[i].in[1];

        if (k >= 0 && g->values[k].constant && g->nodes[i].kind <= MODULE_PRODUCT)
            inlay_tensor_unload(g->b->x->meta[g->slots[k]]);
    }
}

static bool add_chain(struct gather *g, module_chain *made)
{
    exec_instance *x = g->b->x;
    exec_fused *f = inlay_arena_alloc(x->memory, sizeof *f);
    exec_chain *c = inlay_arena_alloc(x->memory, sizeof *c);
    size_t *value = inlay_arena_array(x->memory, (size_t)g->n_values + 1, sizeof *value);
    bool *enters = inlay_arena_array(x->memory, (size_t)g->n_values + 1, sizeof *enters);
    const module_table *module = g->b->plan->set->module;

    if (!f || !c || !value || !enters) {
        module->chain_free(made);
        return false;
    }
    *f = (exec_fused){
        .kind = FUSED_MODULE, .number = ++g->b->n_fused, .first = g->steps[0], .chain = c};
    f->n = g->steps[g->n - 1] + 1 - f->first;
    *c = (exec_chain){.made = made,
                      .module = module,
                      .value = value,
                      .enters = enters,
                      .n_values = g->n_values,
                      .finite = hides_nan(g)};
    for (int i = 0; i < g->n_values; i++) {
        value[i] = is_border(g, i) ? g->slots[i] : SIZE_MAX;
        enters[i] = is_border(g, i) && !g->made[g->slots[i]];
    }
    settle_outputs(g, f);
    settle_steps(g, f);
    unload_weights(g);
    return add_room(g->b, f, module->chain_room(made), &c->room);
}

static void forget(struct gather *g)
{
    for (int i = 0; i < g->n_values; i++) {
        g->made[g->slots[i]] = false;
        g->reads[g->slots[i]] = 0;
        g->number[g->slots[i]] = -1;
    }
    g->n = g->n_values = 0;
    g->products = 0;
}

/* Ends the chain. Steps that the module refuses are computed as if there were no module. */
static bool close_chain(struct gather *g)
{
    module_work w = {.values = g->values, .nodes = g->nodes, .n_nodes = g->n};
    module_chain *made = NULL;
    bool ok = true;

    if (g->n == 0)
        return true;
    list_work(g);
    w.n_values = g->n_values;
    w.threads = g->b->plan->set->threads;
    w.least = g->b->plan->set->part;
    if (is_worth(g) && (!hides_nan(g) || constants_are_finite(g)))
        made = exec_packed_chain(g->b->plan, &w);
    if (made)
        ok = add_chain(g, made);
    forget(g);
    return ok;
}

static bool begin(exec_builder *b, struct gather *g)
{
    size_t slots = b->s->n_slots + 1, steps = b->x->n + 1;

    *g = (struct gather){.b = b};
    g->nodes = inlay_arena_array(b->scratch, steps, sizeof *g->nodes);
    g->steps = inlay_arena_array(b->scratch, steps, sizeof *g->steps);
    g->made = inlay_arena_array(b->scratch, slots, sizeof *g->made);
    g->reads = inlay_arena_array(b->scratch, slots, sizeof *g->reads);
    g->number = inlay_arena_array(b->scratch, slots, sizeof *g->number);
    g->slots = inlay_arena_array(b->scratch, slots, sizeof *g->slots);
    g->values = inlay_arena_array(b->scratch, slots, sizeof *g->values);
    for (size_t i = 0; g->number && i < slots; i++)
        g->number[i] = -1;
    return g->nodes && g->steps && g->made && g->reads && g->number && g->slots && g->values;
}

bool build_chains(exec_builder *b)
{
    struct gather g;
    module_node node;
    double products;
    bool ok = true;

    if (!b->plan->set->module)
        return true;
    if (!begin(b, &g))
        return false;
    for (size_t i = 0; ok && i < b->x->n; i++) {
        const exec_step *s = &b->x->list[i];
        bool fit = !build_is_nothing(s) && is_node(b, i, &node, &products);

        if (build_is_nothing(s))
            continue;
        if (!fit || reads_behind(&g, &node))
            ok = close_chain(&g);
        if (ok && fit && (g.n > 0 || chain_begins(s->step->node)))
            add_node(&g, i, &node, products);
    }
    return ok && close_chain(&g);
}

void build_leave_chains(const exec_instance *x)
{
    for (size_t i = 0; x->list && i < x->n; i++) {
        const exec_fused *f = x->list[i].fused;

        if (f && f->kind == FUSED_MODULE && f->first == i)
            f->chain->module->chain_free(f->chain->made);
    }
}
