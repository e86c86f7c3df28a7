/* Computes chains of elementwise steps tile by tile. When such a step writes into a buffer that
 * exists already, its work can wait. It is put off as blocks of rows. As soon as something is about
 * to read or write the buffer otherwise, all blocks are computed: those rows of every block that
 * lie in the first tile of the buffer, then those in the second tile, and so on. All steps of a
 * chain, and of chains beside it, then find their elements in the cache. One step after the other,
 * each would fetch them from memory again.
 *
 *     the buffer  | slot 0 | slot 1 | slot 2 | slot 3 |   a slot for each row
 *     block a       aaaa     aaaa     aaaa                waits
 *     block b                bbbb     bbbb     bbbb       waits
 *     tiles       |   first tile    |   second tile   |   are computed as: a a b, then a b b
 *
 * All blocks that wait write to one buffer, the root, which is divided into slots as long as the
 * distance from row to row of a block. A block may wait only if all that it reads and writes in the
 * root for a row lies in the slot of that row. Slots do not overlap, and within a slot the blocks
 * are computed in their order, so the result is the same bit for bit. A block of a single row must
 * write each element where it reads it; it may then be cut between any two elements.
 *
 * The other buffers that waiting blocks read do not change in the meantime: before a step that
 * writes in place and cannot wait, all blocks are computed (tiles_before).
 */
#include "interp/exec/exec.h"

#include <stdlib.h>
#include <string.h>

enum {
    TILE = 48 << 10,      /* bytes of a tile of the root */
    SMALLEST = 256 << 10, /* bytes of the smallest root that is worth it */
    MOST_PARTS = 128,     /* blocks that may wait at one time */
    FLAT_SLOT = 64        /* bytes of a slot when only single rows wait */
};

/* A block that waits. If it is a single row, each element of it counts as a row, and the size of an
 * element is the distance from row to row. */
struct tiles_part {
    int64_t slot, end; /* of its first row, and behind the last one; found when it is computed */
    int64_t rows;
    int64_t at; /* the byte of the root where the first row begins */
    bool single_row;
    row_block k;
};

/* The tensors that a waiting block writes and reads. */
struct tiles_hold {
    const inlay_tensor *of[3];
};

void tiles_begin(exec_tiles *t, int64_t tile)
{
    *t = (exec_tiles){.tile = tile ? tile : TILE, .smallest = tile ? 0 : SMALLEST};
}

void tiles_reset(exec_tiles *t, int64_t tile)
{
    t->tile = tile ? tile : TILE;
    t->smallest = tile ? 0 : SMALLEST;
}

/* Forgets all blocks. */
static void clear(exec_tiles *t)
{
    for (int i = 0; i < t->n; i++) {
        for (int k = 0; k < 3; k++)
            inlay_tensor_release(t->holds[i].of[k]);
    }
    t->n = 0;
    t->pitch = 0;
    t->root = NULL;
}

void tiles_drop(exec_tiles *t)
{
    clear(t);
}

void tiles_end(exec_tiles *t)
{
    clear(t);
    free(t->parts);
    free(t->holds);
}

/* Computing */

/* Returns how many rows of P lie before SLOT. */
static int64_t rows_before(const exec_tiles *t, const struct tiles_part *p, int64_t slot)
{
    int64_t n = p->single_row ? (slot * t->pitch - p->at) / p->k.to_pitch : slot - p->slot;

    return n < 0 ? 0 : n < p->rows ? n : p->rows;
}

/* Computes the rows of P in the slots FROM <= slot < END. */
static void compute(const exec_tiles *t, const struct tiles_part *p, int64_t from, int64_t end)
{
    int64_t first = rows_before(t, p, from), n = rows_before(t, p, end) - first;
    row_block k = p->k;

    if (n == 0)
        return;
    *(p->single_row ? &k.length : &k.rows) = n;
    k.to += first * k.to_pitch;
    if (k.x)
        k.x += first * k.x_pitch;
    if (k.y)
        k.y += first * k.y_pitch;
    k.run(&k);
}

/* The tiles of the root, from a slot on. */
struct tiles_work {
    const exec_tiles *t;
    int64_t first, slots; /* of a tile */
};

/* Lists the blocks, in their order, of which rows lie in TILE. Returns the first tile behind it of
 * which that is not the list. */
static int64_t list_blocks(const struct tiles_work *w, int64_t tile, int *list, int *n)
{
    int64_t change = INT64_MAX;

    *n = 0;
    for (int i = 0; i < w->t->n; i++) {
        const struct tiles_part *p = &w->t->parts[i];
        int64_t first = (p->slot - w->first) / w->slots;
        int64_t behind = (p->end - 1 - w->first) / w->slots + 1,
                next = tile < first ? first : behind;

        if (first <= tile && tile < behind)
            list[(*n)++] = i;
        change = tile < next && next < change ? next : change;
    }
    return change;
}

/* Computes the tiles FROM <= tile < TO. Windows of many rows meet few others: blocks are looked for
 * only where one begins or ends, and not in each tile. */
static void compute_tiles(void *ctx, int64_t from, int64_t to)
{
    const struct tiles_work *w = ctx;
    int list[MOST_PARTS], n;

    while (from < to) {
        int64_t change = list_blocks(w, from, list, &n), stop = change < to ? change : to;

        for (int64_t tile = from; n > 0 && tile < stop; tile++) {
            int64_t begin = w->first + tile * w->slots;

            for (int i = 0; i < n; i++)
                compute(w->t, &w->t->parts[list[i]], begin, begin + w->slots);
        }
        from = stop;
    }
}

/* Finds the slots of each block. Returns the first one of all, and *END behind the last one; *COST
 * is what all blocks cost. */
static int64_t count_slots(exec_tiles *t, int64_t *end, double *cost)
{
    int64_t first = INT64_MAX;

    *end = 0;
    *cost = 0;
    for (int i = 0; i < t->n; i++) {
        struct tiles_part *p = &t->parts[i];

        p->slot = p->at / t->pitch;
        p->end = p->single_row ? (p->at + p->rows * p->k.to_pitch - 1) / t->pitch + 1
                               : p->slot + p->rows;
        first = p->slot < first ? p->slot : first;
        *end = p->end > *end ? p->end : *end;
        *cost += (double)p->k.rows * (double)p->k.length;
    }
    return first;
}

/* Computes what waits. Tiles do not share a slot, so threads may share the tiles. A single block is
 * faster without tiles. */
void tiles_settle(exec_tiles *t)
{
    struct tiles_work w = {.t = t};
    int64_t end, n;
    double cost;

    if (t->n == 0)
        return;
    t->pitch = t->pitch ? t->pitch : FLAT_SLOT;
    w.slots = t->tile > t->pitch ? t->tile / t->pitch : 1;
    w.first = count_slots(t, &end, &cost);
    n = (end - w.first + w.slots - 1) / w.slots;
    if (t->n == 1)
        exec_split_block(t->workers, &t->parts[0].k);
    else if (t->workers)
        exec_workers_split(t->workers, n, cost / (double)n, compute_tiles, &w);
    else
        compute_tiles(&w, 0, n);
    clear(t);
}

/* Waiting */

/* Returns the offset in the root of the byte that P points to. */
static int64_t place(const exec_tiles *t, const char *p)
{
    return p - (const char *)inlay_buffer_data(t->root);
}

/* Returns whether each row of a lane that begins at P, with PITCH bytes from row to row, lies in
 * the slot of the output's row. A lane is the rows of one tensor that a block reads or writes. */
static bool in_slots(const exec_tiles *t, const row_block *k, const char *p, ptrdiff_t pitch)
{
    int64_t at = place(t, p), to = place(t, k->to);

    if (k->rows == 1)
        return at == to && at % (int64_t)k->size == 0;
    return pitch == k->to_pitch && at / pitch == to / pitch &&
           at % pitch + k->length * (int64_t)k->size <= pitch;
}

static bool fits(const exec_tiles *t, const row_block *k, const inlay_tensor *const lane[3])
{
    if (k->rows > 1 && (k->to_pitch <= 0 || (t->pitch && t->pitch != k->to_pitch)))
        return false;
    return in_slots(t, k, k->to, k->to_pitch) &&
           (!k->x || lane[1]->buffer != t->root || in_slots(t, k, k->x, k->x_pitch)) &&
           (!k->y || lane[2]->buffer != t->root || in_slots(t, k, k->y, k->y_pitch));
}

static bool make_room(exec_tiles *t)
{
    if (!t->parts)
        t->parts = malloc(MOST_PARTS * sizeof *t->parts);
    if (!t->holds)
        t->holds = malloc(MOST_PARTS * sizeof *t->holds);
    return t->parts && t->holds;
}

static void add_part(exec_tiles *t, const row_block *k, const inlay_tensor *const lane[3])
{
    struct tiles_part *p = &t->parts[t->n];

    *p = (struct tiles_part){.k = *k, .rows = k->rows, .single_row = k->rows == 1};
    if (p->single_row) {
        p->rows = k->length;
        p->k.to_pitch = p->k.x_pitch = p->k.y_pitch = (ptrdiff_t)k->size;
    } else {
        t->pitch = k->to_pitch;
    }
    p->at = place(t, k->to);
    for (int i = 0; i < 3; i++)
        t->holds[t->n].of[i] = inlay_tensor_retain(lane[i]);
    t->n++;
}

/* Returns whether K may wait; the buffer of LANE[0] becomes the root. Blocks that are in the way
 * are computed first. */
static bool may_wait(exec_tiles *t, const row_block *k, const inlay_tensor *const lane[3])
{
    const inlay_buffer *root = lane[0]->buffer;

    if ((int64_t)inlay_buffer_size(root) < t->smallest || k->length == 0)
        return false;
    if (t->n == MOST_PARTS || root != t->root || !fits(t, k, lane))
        tiles_settle(t);
    t->root = root;
    return fits(t, k, lane);
}

/* Puts off K. False when it cannot wait, or when there is no memory to remember it. */
static bool put_off(exec_tiles *t, const row_block *k, const inlay_tensor *const lane[3])
{
    if (!may_wait(t, k, lane) || !make_room(t))
        return false;
    add_part(t, k, lane);
    return true;
}

static const exec_place *place_of(const inlay_call *c, const inlay_value *v)
{
    return &exec_run_of(c)->plan->places[steps_slot(exec_run_of(c)->steps, v)];
}

/* Returns whether operand I exists until the end of the run in any case. Only such an operand may
 * be held by a waiting block, because waiting must not make a run need more memory. */
static bool stays(const inlay_call *c, int i)
{
    const inlay_value *v = c->node->in[i].value;

    while (place_of(c, v)->kind == INLAY_VIEW_OF)
        v = inlay_node_input(v->node, 0);
    return c->in[i]->buffer == c->out[0]->buffer ||
           (!place_of(c, v)->spoiled &&
            (inlay_node_is(v->node, INLAY_OP_CONST) || inlay_node_is(v->node, INLAY_OP_PARAMETER)));
}

bool tiles_block(inlay_call *c, row_block *k)
{
    const exec_run *run = exec_run_of(c);
    const inlay_tensor *lane[3] = {c->out[0], k->x ? c->in[0] : NULL, k->y ? c->in[1] : NULL};

    row_block_read(k);
    if (run->tiles && run->in_place && (!k->x || stays(c, 0)) && (!k->y || stays(c, 1)) &&
        put_off(run->tiles, k, lane))
        return true;
    tiles_touch(c);
    exec_run_block(run, k);
    return true;
}

static void copy_row(const row_block *k)
{
    memcpy(k->to, k->x, (size_t)k->length);
}

bool tiles_copy(exec_tiles *t, const inlay_tensor *to, const inlay_tensor *from)
{
    const inlay_tensor *lane[3] = {to, from, NULL};
    row_block k = {.run = copy_row, .rows = 1, .size = 1};

    if (!inlay_tensor_is_dense(to) || !inlay_tensor_is_dense(from) || to->type == INLAY_STRING)
        return false;
    k.length = (int64_t)inlay_tensor_bytes(to);
    k.to = to->data;
    k.x = from->data;
    return put_off(t, &k, lane);
}

/* What must not wait */

static bool waits_in(const exec_tiles *t, const inlay_tensor *x)
{
    return x && t->n > 0 && x->buffer == t->root;
}

/* A call that does not write in place adds no waiting blocks, so its operands are examined only
 * once, and not again for each of its blocks. */
bool tiles_touch(inlay_call *c)
{
    exec_run *run = exec_run_of(c);
    exec_tiles *t = run->tiles;
    bool touches = run->in_place;

    if (!t || t->n == 0 || (run->settled && !run->in_place))
        return true;
    for (int i = 0; i < c->n_in && !touches; i++)
        touches = waits_in(t, c->in[i]);
    if (touches)
        tiles_settle(t);
    run->settled = true;
    return true;
}

static bool writes_in_place(const inlay_call *c)
{
    inlay_note_kind kind = c->node->n_out > 0 ? place_of(c, &c->node->out[0])->kind : INLAY_FRESH;

    return kind == INLAY_OVERWRITES || kind == INLAY_INTO;
}

/* Returns whether the kernel hands all its work over as blocks. An operand that is one number is
 * read at once, so it must not wait. */
static bool makes_blocks(const inlay_call *c)
{
    const inlay_op *op = c->node->op;
    bool yes = (op->flags & INLAY_BLOCKS) && writes_in_place(c);

    for (int i = 0; yes && i < c->n_in; i++)
        yes = !c->in[i] ||
              (inlay_type_is_float(c->in[i]->type) &&
               (inlay_tensor_count(c->in[i]) > 1 || !waits_in(exec_run_of(c)->tiles, c->in[i])));
    return yes;
}

/* Returns how many operands, from the first on, may stand in the root. The kernel only shows these
 * operands, or it calls call_settle before it reads them (kernels/moves.c). */
static int shown_operands(const inlay_call *c)
{
    if (c->node->op->flags & INLAY_VIEW)
        return 1;
    if (inlay_node_is(c->node, INLAY_OP_SLICE_SCATTER) && writes_in_place(c))
        return inlay_op_operand(c->node->op, INLAY_ROLE_UPDATES) + 1;
    return 0;
}

void tiles_before(const inlay_call *c)
{
    exec_tiles *t = exec_run_of(c)->tiles;
    int shown = 0;
    bool touches;

    if (!t || t->n == 0 || makes_blocks(c) || (call_adopts(c->node->op) && c->node->n_bodies == 0))
        return;
    shown = shown_operands(c);
    touches = shown < 2 && writes_in_place(c);
    for (int i = shown; i < c->n_in; i++)
        touches = touches || waits_in(t, c->in[i]);
    if (touches)
        tiles_settle(t);
}

bool exec_assign_part(inlay_call *c, const inlay_tensor *to, inlay_tensor *dst,
                      const inlay_tensor *from, const inlay_tensor *src)
{
    (void)to, (void)from;
    return tiles_touch(c) && (exec_assign(exec_run_of(c), dst, src) || inlay_fail_memory(c->diags));
}
