/* Records what a kernel does by calling it while an instance is made, on meta tensors, which have
 * no elements. The kernel announces blocks to compute, or which part of an operand an output is a
 * view of; if it wants to read or write elements, it is told to give up. Operands that say where
 * elements are (the start of a window, an axis) do have elements, if these are known before the
 * run. */
#include "interp/exec/build/record.h"
#include "interp/call/halves.h"
#include "interp/call/run.h"
#include "interp/call/window.h"
#include "interp/exec/build/meta.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 512 }; /* of one step; if there are more, its kernel is called in each run */

struct recorder {
    struct inlay_run run; /* comes first, because kernels have a pointer to it */
    exec_builder *b;
    enum { MOVES, BLOCKS, REST, NOTHING } what; /* is recorded */
    inlay_tensor **seen;                        /* MOVES: by output: the view that it is */
    inlay_tensor *const *wanted; /* by output: a tensor without address where it may be put */
    uint64_t copied;             /* bytes, as the kernel counts them */
    int next_in, next_out;       /* MOVES: where to search first for the tensors of the next copy */
    bool refused;                /* the kernel wanted elements */
    bool failed;                 /* out of memory */
};

static struct recorder *recorder_of(const inlay_call *c)
{
    return (struct recorder *)c->run;
}

static bool refuse(inlay_call *c)
{
    recorder_of(c)->refused = true;
    return false;
}

static bool note_view(inlay_call *c, int o, const inlay_tensor *t, bool *done)
{
    struct recorder *r = recorder_of(c);

    if (r->what != MOVES)
        return refuse(c);
    *done = r->wanted[o]->data == NULL;
    if (*done && !r->seen[o])
        r->seen[o] = inlay_tensor_window_in(r->b->scratch, t, t->rank, t->dims, t->strides, 0);
    return true;
}

static size_t allocation_of(const exec_builder *b, size_t value)
{
    return b->x->allocation[value];
}

/* Adds T, a part of VALUE, as a new value in the same allocation, if there is room. */
static bool add_part(exec_builder *b, size_t value, const inlay_tensor *t, size_t *out)
{
    if (b->x->n_values == b->cap_values)
        return false;
    *out = b->x->n_values++;
    return build_value(b, *out, allocation_of(b, value),
                       inlay_tensor_window_in(b->x->memory, t, t->rank, t->dims, t->strides, 0));
}

/* Returns the index of T in LIST, which has N tensors; N: it is not there. The search begins at
 * *NEXT, behind the last hit, because tensors are copied in their order. */
static int find_next(const inlay_tensor *const *list, int n, const inlay_tensor *t, int *next)
{
    for (int k = 0; k < n; k++) {
        int i = (*next + k) % n;

        if (list[i] == t) {
            *next = i + 1;
            return i;
        }
    }
    return n;
}

/* Records a copy, unless it has no elements. */
static bool note_copy(inlay_call *c, const inlay_tensor *to, inlay_tensor *dst,
                      const inlay_tensor *from, const inlay_tensor *src)
{
    struct recorder *r = recorder_of(c);
    exec_builder *b = r->b;
    exec_copy *copy = &b->x->copies[b->x->n_copies];
    int o = find_next((const inlay_tensor *const *)c->out, c->n_out, to, &r->next_out);
    int i = find_next(c->in, c->n_in, from, &r->next_in);

    if (r->what != MOVES || o == c->n_out || i == c->n_in || dst->type != src->type ||
        b->x->n_copies == b->cap_allocations)
        return refuse(c);
    if (inlay_tensor_count(dst) == 0)
        return true;
    copy->operand = -1; /* it replaces no operand */
    if (!add_part(b, b->now->out[o], dst, &copy->to) ||
        !add_part(b, b->now->in[i], src, &copy->from))
        return refuse(c);
    b->x->n_copies++;
    return true;
}

exec_block *build_block(exec_builder *b)
{
    size_t cap = b->x->cap_blocks ? 2 * b->x->cap_blocks : 64;
    exec_block *list = b->x->blocks;

    if (b->x->n_blocks == b->x->cap_blocks) {
        exec_block *grown =
            inlay_retake(inlay_graph_budget(b->s->graph), list, cap * sizeof *grown);

        b->lacks = b->lacks || !grown;
        if (!grown)
            return NULL;
        b->x->blocks = list = grown;
        b->x->cap_blocks = cap;
    }
    list += b->x->n_blocks++;
    *list = (exec_block){.allocation = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX}};
    return list;
}

void build_number(const exec_builder *b, exec_block *block, size_t allocation)
{
    if (b->x->allocations[allocation].root == EXEC_CONST) {
        row_block_read(&block->k);
        block->k.one = NULL;
    } else {
        block->allocation[EXEC_ONE] = allocation;
    }
}

static bool note_block(inlay_call *c, row_block *k)
{
    struct recorder *r = recorder_of(c);
    exec_builder *b = r->b;
    exec_block *block;

    if (r->what != BLOCKS || b->x->n_blocks - b->now->block >= MOST_BLOCKS ||
        !(block = build_block(b)))
        return refuse(c);
    block->k = *k;
    block->allocation[0] = allocation_of(b, b->now->out[0]);
    if (k->x)
        block->allocation[1] = allocation_of(b, b->now->in[0]);
    if (k->y)
        block->allocation[2] = allocation_of(b, b->now->in[1]);
    if (k->one)
        build_number(b, block, allocation_of(b, b->now->in[k->single == SINGLE_X ? 0 : 1]));
    return true;
}

/* Keeps the kernel's description of what it computes element by element, for fuse.c, unless it
 * wanted to read a number that is not known. */
static void note_form(inlay_call *c, const row_form *f)
{
    struct recorder *r = recorder_of(c);
    bool wanted = (r->what == BLOCKS || r->what == REST) && !r->refused;
    row_form *copy = wanted ? inlay_arena_alloc(r->b->scratch, sizeof *copy) : NULL;
    call_halves *halves = copy ? inlay_arena_alloc(r->b->x->memory, sizeof *halves) : NULL;

    if (!halves)
        return;
    *copy = *f;
    call_halves_form(c, copy, halves);
    r->b->form[r->b->now - r->b->x->list] = copy;
}

static bool note_rest(inlay_call *c, call_rest_fn *rest, const void *frame, size_t size)
{
    struct recorder *r = recorder_of(c);
    void *copy = r->what == REST ? inlay_arena_alloc(r->b->x->memory, size) : NULL;

    if (!copy)
        return refuse(c);
    memcpy(copy, frame, size);
    r->b->now->kernel.rest = rest;
    r->b->now->kernel.frame = copy;
    return true;
}

/* Returns whether the kernel may read the elements of operand I. A block may read a number that is
 * a constant. Other kernels may read operands that are not data, if their elements are known. */
static bool may_read(const inlay_call *c, int i)
{
    struct recorder *r = recorder_of(c);
    size_t value, allocation;

    if (r->what == NOTHING) /* R->what is NOTHING for another node than the step's; its operands
                               have elements */
        return true;
    value = r->b->now->in[i];
    allocation = allocation_of(r->b, value);
    if (allocation != SIZE_MAX && r->b->x->allocations[allocation].root == EXEC_CONST)
        return true;
    if (r->what != BLOCKS && c->in[i] != r->b->x->meta[value])
        return true;
    r->refused = true;
    return false;
}

/* The kernel wants to split work on elements, without having asked before whether it may read them.
 */
static void refuse_split(inlay_call *c, int64_t n, double cost, call_part_fn *fn, void *ctx)
{
    (void)n, (void)cost, (void)fn, (void)ctx;
    refuse(c);
}

static void refuse_rounds(inlay_call *c, int64_t rounds, int64_t n, double cost, call_round_fn *fn,
                          void *ctx)
{
    (void)rounds, (void)n, (void)cost, (void)fn, (void)ctx;
    refuse(c);
}

static const call_executor recorder_executor = {.show = note_view,
                                                .copies = note_copy,
                                                .block = note_block,
                                                .form = note_form,
                                                .settle = refuse,
                                                .split = refuse_split,
                                                .rounds = refuse_rounds,
                                                .rest = note_rest,
                                                .reads = may_read};

/* Calls the kernel of the step on IN and OUT; R says what is to be recorded. */
static bool record(exec_builder *b, const inlay_tensor *const *in, inlay_tensor **out,
                   struct recorder *r)
{
    const inlay_node *n = b->now->step->node;
    inlay_exec_stats stats = {0};
    run_env env = {.meter = b->meter, .stats = &stats};
    inlay_call c = {.node = n,
                    .in = in,
                    .n_in = n->n_in,
                    .out = out,
                    .n_out = n->n_out,
                    .scratch = b->scratch,
                    .diags = b->said,
                    .run = &r->run};
    bool ok;

    r->run = (struct inlay_run){.executor = &recorder_executor, .env = &env, .scratch = b->scratch};
    r->b = b;
    ok = call_kernel_of(n->op)(&c);
    r->copied = stats.copied_bytes;
    meter_give(b->meter, r->run.scratch_taken);
    return ok && !r->refused;
}

/* Lists the operands. READABLE: those that are not data have elements, where these are known. */
static const inlay_tensor **list_operands(exec_builder *b, bool readable)
{
    const inlay_node *n = b->now->step->node;
    const inlay_tensor **in = inlay_arena_array(b->scratch, (size_t)n->n_in + 1, sizeof *in);

    for (int i = 0; in && i < n->n_in; i++) {
        size_t value = b->now->in[i];

        if (value == SIZE_MAX)
            continue;
        if (readable && !build_is_data(b, i))
            in[i] = build_readable(b, value);
        if (!in[i])
            in[i] = b->x->meta[value];
    }
    return in;
}

bool build_record_moves(exec_builder *b, inlay_tensor *const *out, inlay_tensor **seen)
{
    const inlay_tensor **in = list_operands(b, true);
    const inlay_node *n = b->now->step->node;
    inlay_tensor **mine = inlay_arena_array(b->scratch, (size_t)n->n_out + 1, sizeof *mine);
    struct recorder r = {.what = MOVES, .seen = seen, .wanted = out};
    size_t n_values = b->x->n_values;

    b->now->copy = b->x->n_copies;
    if (!in || !mine)
        return false;
    memcpy(mine, out, (size_t)n->n_out * sizeof *mine);
    if (!record(b, in, mine, &r)) {
        b->x->n_copies = b->now->copy;
        b->x->n_values = n_values;
        return false;
    }
    b->now->n_copies = b->x->n_copies - b->now->copy;
    if (n->op->flags & INLAY_SCATTER) /* other kernels are counted by their outputs */
        b->now->moved += r.copied;
    return true;
}

bool build_record_blocks(exec_builder *b)
{
    const inlay_tensor **in = list_operands(b, false);
    inlay_tensor *out[1] = {b->x->meta[b->now->out[0]]};

    b->now->block = b->x->n_blocks;
    if (!in || b->now->step->node->n_out != 1 ||
        !record(b, in, out, &(struct recorder){.what = BLOCKS})) {
        b->x->n_blocks = b->now->block;
        return false;
    }
    b->now->n_blocks = b->x->n_blocks - b->now->block;
    return true;
}

void build_record_form(exec_builder *b)
{
    build_record_blocks(b);
    b->x->n_blocks = b->now->block;
    b->now->n_blocks = 0;
}

bool build_record_rest(exec_builder *b)
{
    const inlay_tensor **in = list_operands(b, true);
    const inlay_node *n = b->now->step->node;
    inlay_tensor **out = inlay_arena_array(b->scratch, (size_t)n->n_out + 1, sizeof *out);

    for (int i = 0; in && out && i < n->n_out; i++)
        out[i] = b->x->meta[b->now->out[i]];
    for (int i = 0; in && i < n->n_in; i++) {
        if (b->now->in[i] != SIZE_MAX && !in[i]) /* known only in the run */
            return false;
    }
    return in && out && record(b, in, out, &(struct recorder){.what = REST});
}

/* Returns the elements of V, if they are known. Those of a constant are, even before its step. */
static const inlay_tensor *elements_of(exec_builder *b, const inlay_value *v)
{
    const inlay_attr *a =
        inlay_node_is(v->node, INLAY_OP_CONST) ? inlay_node_attr(v->node, "value") : NULL;
    size_t slot = steps_slot(b->s, v);

    if (a)
        return a->as.tensor;
    return b->fact[slot] ? build_readable(b, slot) : NULL;
}

inlay_tensor *build_window(exec_builder *b, const inlay_node *scatter, const inlay_tensor *data)
{
    const inlay_tensor **in = inlay_arena_array(b->scratch, (size_t)scatter->n_in, sizeof *in);
    inlay_exec_stats stats = {0};
    run_env env = {.meter = b->meter, .stats = &stats};
    struct recorder r = {
        .run = {.executor = &recorder_executor, .env = &env, .scratch = b->scratch},
        .b = b,
        .what = NOTHING};
    inlay_call c = {
        .node = scatter, .in = in, .n_in = scatter->n_in, .scratch = b->scratch, .run = &r.run};
    inlay_window w[INLAY_MAX_RANK];
    bool known;

    if (!in)
        return NULL;
    in[0] = data;
    for (int i = 1; i < scatter->n_in; i++) {
        const inlay_value *v =
            i == inlay_op_operand(scatter->op, INLAY_ROLE_UPDATES) ? NULL : scatter->in[i].value;

        if (v && !(in[i] = elements_of(b, v)))
            return NULL;
    }
    known = call_windows_ahead(&c, w);
    meter_give(b->meter, r.run.scratch_taken);
    return known ? call_window_of(b->x->memory, data, w) : NULL;
}
