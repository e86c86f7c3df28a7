/* Computes fused steps (build/fuse.c): all of them on one tile, then all of them on the next. */
#include "interp/exec/run/fused.h"
#include "interp/call/halves.h"
#include "interp/exec/run/chain.h"
#include "interp/exec/run/windows.h"
#include "interp/library/lookup.h"

#include <stdint.h>
#include <string.h>

enum {
    LARGE = 2 << 20,     /* bytes of an output that is too large for the near caches, and */
    STREAMED = 32 << 20, /* of one and an operand, if it is written past all of them */
    PAGE = 4 << 10
};

/* What a group computes, at real addresses. */
struct work {
    const exec_fused *f;
    const row_block *blocks;  /* the frame's */
    bool large;               /* rows come from memory rather than from a cache */
    const int64_t *const *to; /* by list: elements at which its rows begin */
    int streamed;             /* the run of operations whose output bypasses the caches, or -1 */
    const call_rows *part;    /* what a kernel hands over; NULL: it is complete in memory */
};

/* Registers of a tile. Their offset within a page is chosen so that the processor, which compares
 * only low bits of addresses, does not take a load for one of bytes just stored. */
struct room {
    _Alignas(PAGE) char registers[FUSED_ROOM];
    _Alignas(double) char rows[FUSED_LANES][FUSED_TILE]; /* by lane: a copy of a misaligned row */
    row_stages list[FUSED_MOST];  /* by run: what it computes in one loop, if it does */
    row_stage stages[FUSED_MOST]; /* by operation; addresses of what is in memory are set for each
                                     tile */
};

/* A tile: where it begins along the dims, and how large it is. */
struct tile {
    int64_t at[INLAY_MAX_RANK];
    int64_t rows, length;
    bool apart;       /* its rows do not follow one another */
    const char *part; /* where it begins in what a kernel hands over; or NULL */
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A small group has one tile, and tiles of contiguous whole rows are simply numbered: neither needs
 * divisions. */
static void find_tile(const exec_fused *f, int64_t number, struct tile *t)
{
    int64_t line = number == 0 || f->pieces == 1 ? number : number / f->pieces;
    int64_t outer = f->rank <= 2 || line == 0 ? 0 : line / f->bands;
    int64_t piece = (number - line * f->pieces) * f->length;
    int64_t band = (line - outer * f->bands) * f->rows;

    for (int i = f->rank - 3; i >= 0; i--) {
        t->at[i] = outer == 0 ? 0 : outer % f->dims[i];
        outer = outer == 0 ? 0 : outer / f->dims[i];
    }
    if (f->rank > 1)
        t->at[f->rank - 2] = band;
    if (f->rank > 0)
        t->at[f->rank - 1] = piece;
    t->rows = smaller(f->rows, f->band_rows - band);
    t->length = smaller(f->length, f->row_length - piece);
    t->apart = false;
    t->part = NULL;
}

/* Returns the offset in bytes of T in the lane of OP. */
static ptrdiff_t offset_of(const exec_fused *f, const exec_op *op, int lane, const struct tile *t)
{
    const ptrdiff_t *strides = op->strides[lane];
    ptrdiff_t at = 0;

    for (int i = 0; strides && i < f->rank; i++)
        at += (ptrdiff_t)t->at[i] * strides[i];
    return at;
}

/* Returns the bytes of a row of lane LANE in its register. */
static ptrdiff_t row_of(const exec_fused *f, const exec_op *op, int lane)
{
    return (op->narrow[lane] ? 1 : f->length) * (ptrdiff_t)op->size[lane];
}

/* Where a row that is not in the data is read. */
static const _Alignas(double) char no_row[FUSED_TILE];

/* Returns the number of row ROW of T in the list of lane LANE of OP, and adds to *AT what the other
 * dims add to its place. */
static int64_t find_entry(const exec_fused *f, const exec_op *op, int lane, const struct tile *t,
                          int64_t row, ptrdiff_t *at)
{
    const exec_list *l = &f->list[op->list[lane]];
    int64_t entry = 0;

    for (int i = 0; i < f->rank; i++) {
        int64_t k = t->at[i] + (i == f->rank - 2 ? row : 0);

        if (l->from <= i && i < l->to)
            entry = entry * f->dims[i] + k;
        else
            *at += (ptrdiff_t)k * op->strides[lane][i];
    }
    return entry;
}

/* Returns the address of row ROW of T in the listed lane of OP, whose data begins at FIRST. */
static const char *listed_row(const struct work *w, const exec_op *op, int lane, const char *first,
                              const struct tile *t, int64_t row)
{
    ptrdiff_t at = 0;
    int64_t entry = find_entry(w->f, op, lane, t, row, &at), to = w->to[op->list[lane]][entry];

    return to == CALL_NO_ROW ? no_row : first + at + (ptrdiff_t)(to * (int64_t)op->size[lane]);
}

/* Returns row ROW of T for the listed lane of OP, whose data begins at FIRST: a copy in ROOM if it
 * is misaligned, as constants may be in their file. */
static const char *read_row(const struct work *w, const exec_op *op, int lane, const char *first,
                            const struct tile *t, int64_t row, struct room *room)
{
    const char *at = listed_row(w, op, lane, first, t, row);

    if ((uintptr_t)at % op->size[lane] == 0)
        return at;
    return memcpy(room->rows[lane], at, (size_t)t->length * op->size[lane]);
}

/* Returns whether run I is computed as stages: it is several operations, or one for which that is
 * better than its row function. */
static bool is_staged(const struct work *w, int i)
{
    const exec_straight *r = &w->f->runs[i];

    return (r->n > 1 && !r->gate) ||
           (r->straight && (r->op.each || i == w->streamed ||
                            call_halves_of(&w->blocks[w->f->ops[r->first].block])));
}

/* Returns the block of the frame for the last operation of R. */
static const row_block *last_block(const struct work *w, const exec_straight *r)
{
    return &w->blocks[w->f->ops[r->first + r->n - 1].block];
}

/* Returns whether lane LANE of OP is in what a kernel hands over. */
static bool is_part(const struct work *w, const exec_op *op, int lane)
{
    return w->part && (op->parts & 1u << lane);
}

static ptrdiff_t pitch_of(const exec_fused *f, const exec_op *op, int lane)
{
    return op->reg[lane] >= 0                 ? row_of(f, op, lane)
           : op->strides[lane] && f->rank > 1 ? op->strides[lane][f->rank - 2]
                                              : 0;
}

/* Returns the stage of OP, whose input is the result of the operation before, with its other
 * operand if that is in a register. Registers are EACH bytes apart in ROOM. */
static row_stage stage_of(const struct work *w, const exec_op *op, struct room *room,
                          ptrdiff_t each)
{
    row_stage s = row_stage_of(op->computes, &w->blocks[op->block]);

    if (op->beside == 0)
        return s;
    if (op->reg[op->beside] >= 0)
        s.y = room->registers + op->reg[op->beside] * each;
    s.y_pitch = is_part(w, op, op->beside) ? w->part->pitch : pitch_of(w->f, op, op->beside);
    s.each = op->each;
    return s;
}

/* Makes K compute all operations of run I as stages, which are listed in ROOM. */
static void take_stages(const struct work *w, int i, row_block *k, struct room *room,
                        ptrdiff_t each)
{
    const exec_straight *r = &w->f->runs[i];

    for (int j = r->first; j < r->first + r->n; j++)
        room->stages[j] = stage_of(w, &w->f->ops[j], room, each);
    room->list[i] = (row_stages){r->n, room->stages + r->first, i == w->streamed};
    k->run = row_stages_f32;
    k->half = INLAY_DYNAMIC;
    k->with = &room->list[i];
}

/* Sets the addresses of the other operands of run R that are in memory, for tile T. */
static void place_stages(const struct work *w, const exec_straight *r, struct room *room,
                         const struct tile *t)
{
    for (int j = r->first; j < r->first + r->n; j++) {
        const exec_op *op = &w->f->ops[j];
        const row_block *from = &w->blocks[op->block];

        if (op->beside > 0 && is_part(w, op, op->beside))
            room->stages[j].y = t->part;
        else if (op->beside > 0 && op->strides[op->beside])
            room->stages[j].y =
                (op->beside == 1 ? from->x : from->y) + offset_of(w->f, op, op->beside, t);
    }
}

/* Copies the blocks of the frame, one for each run, and sets their registers in ROOM. */
static void take_blocks(const struct work *w, row_block *k, struct room *room)
{
    const exec_fused *f = w->f;
    ptrdiff_t each = f->rows * f->length * (ptrdiff_t)f->size;

    each = (each + CALL_PIECE - 1) / CALL_PIECE * CALL_PIECE;
    for (int i = 0; i < f->n_runs; i++) {
        const exec_op *op = &f->runs[i].op;

        k[i] = w->blocks[op->block];
        k[i].size = op->size[0];
        k[i].to_pitch = pitch_of(f, op, 0);
        k[i].x_pitch = is_part(w, op, 1) ? w->part->pitch : pitch_of(f, op, 1);
        k[i].y_pitch = is_part(w, op, 2) ? w->part->pitch : pitch_of(f, op, 2);
        k[i].z_pitch = is_part(w, op, 3) ? w->part->pitch : pitch_of(f, op, 3);
        if (op->reg[0] >= 0)
            k[i].to = room->registers + op->reg[0] * each;
        if (op->reg[1] >= 0)
            k[i].x = room->registers + op->reg[1] * each;
        if (op->reg[2] >= 0)
            k[i].y = room->registers + op->reg[2] * each;
        if (op->reg[3] >= 0)
            k[i].z = room->registers + op->reg[3] * each;
        if (f->runs[i].gate)
            k[i].run = call_halves_of(&k[i]) ? call_halves_gate : row_gate_f32;
        else if (is_staged(w, i))
            take_stages(w, i, &k[i], room, each);
    }
}

/* P moved by PITCH. Rows may be picked from anywhere, so that the place behind the last one, which
 * nobody reads, may be no address at all. */
static char *moved(const char *p, ptrdiff_t pitch)
{
    return p ? (char *)((uintptr_t)p + (uintptr_t)pitch) : NULL;
}

/* Moves K to the next row. A lane without memory has no address: it is missing, or one number for
 * all. */
static void next_row(row_block *k)
{
    k->to = moved(k->to, k->to_pitch);
    k->x = moved(k->x, k->x_pitch);
    k->y = moved(k->y, k->y_pitch);
    k->z = moved(k->z, k->z_pitch);
}

/* Computes K row by row, because its operand that is a number has another value in each row. */
static void compute_rows(const exec_op *op, row_block k)
{
    int64_t rows = k.rows;

    if (call_halves_of(&k)) {
        call_halves_each(&k);
        return;
    }
    for (k.rows = 1; rows > 0; rows--) {
        const char *number = k.single == SINGLE_X ? k.x : k.single == SINGLE_Y ? k.y : k.z;

        memcpy(&k.number, number, op->size[k.single]);
        k.run(&k);
        next_row(&k);
    }
}

/* Returns how many rows of T, of which ROW is K's, are equally far from each other, and sets the
 * pitch of K to that. */
static int64_t rows_apart(const struct work *w, const exec_op *op, row_block *k,
                          const struct tile *t, int64_t row)
{
    const char *first = w->blocks[op->block].x;
    int64_t n = 1;

    if (op->listed != 2u || (uintptr_t)first % op->size[1] != 0)
        return 1;
    for (; row + n < t->rows; n++) {
        ptrdiff_t far = listed_row(w, op, 1, first, t, row + n) - k->x;

        k->x_pitch = n == 1 ? far : k->x_pitch;
        if (far != n * k->x_pitch)
            break;
    }
    return n;
}

/* Copies an element of SIZE bytes; of those that there are the compiler makes one load and store.
 */
static void copy_element(char *to, const char *from, size_t size)
{
    if (size == sizeof(float))
        memcpy(to, from, sizeof(float));
    else if (size == sizeof(double))
        memcpy(to, from, sizeof(double));
    else
        memcpy(to, from, size);
}

/* Copies N elements of SIZE bytes that lie at the places TO of DATA to or from ROW. */
static void move_elements(const int64_t *to, char *data, char *row, int64_t n, size_t size,
                          bool back)
{
    for (int64_t i = 0; i < n; i++, row += size) {
        if (back)
            copy_element(data + to[i] * (int64_t)size, row, size);
        else
            copy_element(row, to[i] == CALL_NO_ROW ? no_row : data + to[i] * (int64_t)size, size);
    }
}

/* Returns whether the elements of T, which are rows of one element, may be computed as one row: in
 * lanes that no list addresses they follow each other. */
static bool are_one_row(const struct work *w, const exec_op *op, const row_block *k,
                        const struct tile *t)
{
    const char *const lane[FUSED_LANES] = {k->to, k->x, k->y, k->z};
    const ptrdiff_t pitch[FUSED_LANES] = {k->to_pitch, k->x_pitch, k->y_pitch, k->z_pitch};
    const exec_fused *f = w->f;
    bool one = f->rank > 1 && f->row_length == 1 && t->rows > 1 && !op->each && !op->folds;

    for (int i = 0; one && i < FUSED_LANES; i++) {
        if (op->listed & 1u << i)
            one = f->list[op->list[i]].to == f->rank - 1 &&
                  t->rows * (int64_t)op->size[i] <= FUSED_TILE;
        else
            one = !lane[i] || (i > 0 && (int)k->single == i) || pitch[i] == (ptrdiff_t)op->size[i];
    }
    return one;
}

/* Computes such elements. */
static void compute_elements(const struct work *w, const exec_op *op, row_block k,
                             const struct tile *t, struct room *room)
{
    const row_block *data = &w->blocks[op->block];
    const char *const first[FUSED_LANES] = {data->to, data->x, data->y, data->z};
    const int64_t *to[FUSED_LANES] = {NULL};
    char *at[FUSED_LANES] = {NULL};

    for (int i = FUSED_LANES; i-- > 0;) {
        ptrdiff_t more = 0;

        if (!(op->listed & 1u << i))
            continue;
        to[i] = w->to[op->list[i]] + find_entry(w->f, op, i, t, 0, &more);
        at[i] = (char *)first[i] + more;
        if (i > 0)
            move_elements(to[i], at[i], room->rows[i], t->rows, op->size[i], false);
    }
    k.to = at[0] ? room->rows[0] : k.to;
    k.x = at[1] ? room->rows[1] : k.x;
    k.y = at[2] ? room->rows[2] : k.y;
    k.z = at[3] ? room->rows[3] : k.z;
    k.rows = 1;
    k.length = t->rows;
    k.run(&k);
    if (at[0])
        move_elements(to[0], at[0], room->rows[0], t->rows, op->size[0], true);
}

/* Computes K, some lanes of which address rows of a list: row by row, or, where that is one operand
 * alone, as many rows at a time as are equally far from each other. */
static void compute_listed(const struct work *w, const exec_op *op, row_block k,
                           const struct tile *t, struct room *room)
{
    const row_block *data = &w->blocks[op->block];

    if (are_one_row(w, op, &k, t)) {
        compute_elements(w, op, k, t, room);
        return;
    }
    k.length = op->narrow[0] && !op->folds ? 1 : t->length;
    for (int64_t row = 0; row < t->rows; row += k.rows) {
        if (op->listed & 1u)
            k.to = (char *)listed_row(w, op, 0, data->to, t, row);
        if (op->listed & 2u)
            k.x = read_row(w, op, 1, data->x, t, row, room);
        if (op->listed & 4u)
            k.y = read_row(w, op, 2, data->y, t, row, room);
        if (op->listed & 8u)
            k.z = read_row(w, op, 3, data->z, t, row, room);
        k.rows = rows_apart(w, op, &k, t, row);
        if (op->each)
            compute_rows(op, k);
        else
            k.run(&k);
        for (int64_t i = 0; i < k.rows; i++)
            next_row(&k);
    }
}

/* Computes T of OP by K; EACH: the number of K differs from row to row. */
static void compute_op(const exec_op *op, row_block *k, const struct tile *t, bool each)
{
    k->rows = t->rows;
    k->length = op->narrow[0] && !op->folds ? 1 : t->length;
    if (each) {
        compute_rows(op, *k);
        return;
    }
    if (op->flat && !t->apart) {
        k->rows = 1;
        k->length *= t->rows;
    }
    k->run(k);
}

/* Prefetches BYTES from P on, which need not be valid addresses. */
static void ask_for(const char *p, ptrdiff_t bytes)
{
    enum { LINE = 64 };

    for (ptrdiff_t i = 0; i < bytes; i += LINE)
        __builtin_prefetch(p + i);
}

/* Prefetches the other operands of run R in the next LENGTH elements of the row. */
static void ask_for_others(const exec_fused *f, const exec_straight *r, const struct room *room,
                           int64_t length)
{
    ptrdiff_t bytes = length * (ptrdiff_t)sizeof(float);

    for (int j = r->first + 1; j < r->first + r->n; j++) {
        const exec_op *op = &f->ops[j];

        if (op->beside > 0 && op->strides[op->beside] && !op->each)
            ask_for(room->stages[j].y + bytes, bytes);
    }
}

/* Prefetches what the next piece of the row reads and writes, while the other steps compute on this
 * one. */
static void ask_for_next(const exec_op *op, const row_block *k, bool streamed)
{
    const char *const at[FUSED_LANES] = {k->to, k->x, k->y, k->z};

    for (int lane = streamed ? 1 : 0; lane < FUSED_LANES; lane++) {
        ptrdiff_t bytes = k->length * (ptrdiff_t)op->size[lane];

        if (op->strides[lane])
            ask_for(at[lane] + bytes, bytes);
    }
}

/* Sets the addresses of those lanes of K, the block of run R, that are in memory to where T begins.
 */
static void place_lanes(const struct work *w, const exec_straight *r, row_block *k,
                        const struct tile *t)
{
    const exec_fused *f = w->f;
    const exec_op *op = &r->op;
    const row_block *from = &w->blocks[op->block];

    if (op->strides[0])
        k->to = last_block(w, r)->to + offset_of(f, op, 0, t);
    if (op->strides[1])
        k->x = is_part(w, op, 1) ? t->part : from->x + offset_of(f, op, 1, t);
    if (op->strides[2])
        k->y = is_part(w, op, 2) ? t->part : from->y + offset_of(f, op, 2, t);
    if (op->strides[3])
        k->z = is_part(w, op, 3) ? t->part : from->z + offset_of(f, op, 3, t);
}

/* Computes T, which begins where the blocks do if it is the FIRST one. */
static void compute_tile(const struct work *w, row_block *k, const struct tile *t, bool first,
                         struct room *room)
{
    const exec_fused *f = w->f;

    for (int i = 0; i < f->n_runs; i++) {
        const exec_op *op = &f->runs[i].op;

        if (!first || f->runs[i].n > 1)
            place_lanes(w, &f->runs[i], &k[i], t);
        if (op->listed) {
            compute_listed(w, op, k[i], t, room);
            continue;
        }
        if (is_staged(w, i))
            place_stages(w, &f->runs[i], room, t);
        compute_op(op, &k[i], t, op->each && !is_staged(w, i));
        if (w->large && !op->each)
            ask_for_next(op, &k[i], i == w->streamed);
        if (w->large && is_staged(w, i))
            ask_for_others(f, &f->runs[i], room, k[i].length);
    }
}

static void compute_tiles(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    row_block k[FUSED_MOST];
    struct room room;

    take_blocks(w, k, &room);
    for (; from < to; from++) {
        struct tile t;

        find_tile(w->f, from, &t);
        compute_tile(w, k, &t, from == 0, &room);
    }
    if (w->streamed >= 0)
        row_stages_end();
}

/* Returns whether an operation of G has an operand at the address of OUT. */
static bool is_read(const exec_fused *g, const row_block *blocks, const char *out)
{
    bool read = false;

    for (int i = 0; i < g->n_ops; i++) {
        const exec_op *op = &g->ops[i];

        read = read || (op->strides[1] && blocks[op->block].x == out) ||
               (op->strides[2] && blocks[op->block].y == out) ||
               (op->strides[3] && blocks[op->block].z == out);
    }
    return read;
}

/* Returns the last run of G if its output is so large that it would only evict useful data from the
 * caches; or -1. */
static int find_streamed(const exec_fused *g, const row_block *blocks)
{
    const exec_op *op = &g->runs[g->n_runs - 1].op, *last = &g->ops[g->n_ops - 1];
    int64_t bytes = g->tiles * g->rows * g->length * (op->size[0] + g->runs[0].op.size[1]);
    bool may = bytes >= STREAMED && op->strides[0] && g->runs[g->n_runs - 1].straight &&
               (op->flat || g->rows == 1); /* short rows share lines of the caches */

    return may && !is_read(g, blocks, blocks[last->block].to) ? g->n_runs - 1 : -1;
}

/* Reports and counts each step of G. */
static bool announce(const exec_frame *f, const exec_fused *g, inlay_diags *d)
{
    run_env *env = f->run.run.env;
    const exec_step *s = &f->x->list[g->first];
    bool ok = true;

    if (!env->progress) {
        env->stats->steps += g->counted;
        return run_announce(env, s->step->node, d);
    }
    for (size_t i = 0; ok && i < g->n; i++) {
        ok = run_announce(env, s[i].step->node, d);
        env->stats->steps += !inlay_node_is(s[i].step->node, INLAY_OP_CONST);
    }
    return ok;
}

/* Returns whether G is one operation on one tile, so that all operands and results are in memory.
 */
static bool is_small(const exec_fused *g)
{
    const exec_op *op = &g->runs[0].op;

    return g->tiles == 1 && g->n_ops == 1 && !op->listed && !op->each;
}

/* Computes G, which is small, straight from its block. */
static void compute_small(const exec_frame *f, const exec_fused *g)
{
    const exec_op *op = &g->runs[0].op;
    const struct tile t = {.rows = smaller(g->rows, g->band_rows),
                           .length = smaller(g->length, g->row_length)};
    row_block k = f->blocks[op->block];

    k.to_pitch = pitch_of(g, op, 0);
    k.x_pitch = pitch_of(g, op, 1);
    k.y_pitch = pitch_of(g, op, 2);
    k.z_pitch = pitch_of(g, op, 3);
    compute_op(op, &k, &t, false);
}

/* Tables */

/* A group whose operand in memory has a byte for each element, and its only result, too: it is
 * computed once for each byte. */
struct table {
    const uint8_t *from;
    uint8_t *to, entries[LOOKUP_ENTRIES];
    int64_t n;
};

enum { TABLE_PIECE = 16 << 10 };

static void look_up(void *ctx, int64_t from, int64_t to)
{
    const struct table *t = ctx;
    int64_t at = from * TABLE_PIECE;

    lookup_bytes(t->entries, t->from + at, t->to + at, smaller(t->n, to * TABLE_PIECE) - at);
}

/* Returns whether lane LANE of OP has bytes in memory, in the order of the dims of G. */
static bool has_bytes(const exec_fused *g, const exec_op *op, int lane)
{
    bool has = op->size[lane] == 1 && op->strides[lane];
    int64_t apart = 1;

    for (int i = g->rank - 1; has && i >= 0; apart *= g->dims[i--])
        has = op->strides[lane][i] == apart;
    return has;
}

/* Returns the lane of OP that reads memory; 0: none; below 0: the operation does more than make
 * each element from others at its place, or reads several. */
static int reads_lane(const exec_op *op)
{
    int found = op->listed || op->each || op->folds || op->whole || op->narrow[0] ? -1 : 0;

    for (int lane = 1; found >= 0 && lane < FUSED_LANES; lane++) {
        if (op->strides[lane])
            found = found > 0 ? -1 : lane;
    }
    return found;
}

/* Returns the operation of G that reads the bytes of a table, and sets *LANE to where; or NULL. */
static const exec_op *find_bytes(const exec_fused *g, int *lane)
{
    enum { FEW = 3 };
    const exec_op *found = NULL;
    bool one = g->n_ops >= FEW && has_bytes(g, &g->ops[g->n_ops - 1], 0);

    for (int i = 0; one && i < g->n_ops; i++) {
        int reads = reads_lane(&g->ops[i]);

        one = reads == 0 || (reads > 0 && !found && has_bytes(g, &g->ops[i], reads));
        one = one && (i == g->n_ops - 1 || !g->ops[i].strides[0]);
        found = one && reads > 0 ? &g->ops[i] : found;
        *lane = found == &g->ops[i] ? reads : *lane;
    }
    return one ? found : NULL;
}

/* Makes the entries of T, all of them one row: G is computed on all bytes in place of its operand.
 */
static void make_entries(const exec_frame *f, const exec_fused *g, const exec_op *op, int lane,
                         struct table *t)
{
    exec_fused all = *g;
    row_block *in = &f->blocks[op->block], *out = &f->blocks[g->ops[g->n_ops - 1].block];
    const char **x = lane == 1 ? &in->x : lane == 2 ? &in->y : &in->z;
    struct work w = {&all, f->blocks, false, NULL, -1, NULL};
    uint8_t bytes[LOOKUP_ENTRIES];

    for (int i = 0; i < LOOKUP_ENTRIES; i++)
        bytes[i] = (uint8_t)i;
    t->from = (const uint8_t *)*x;
    t->to = (uint8_t *)out->to;
    *x = (const char *)bytes;
    out->to = (char *)t->entries;
    all.rows = all.band_rows = all.pieces = 1;
    all.length = all.row_length = LOOKUP_ENTRIES;
    compute_tiles(&w, 0, 1);
    *x = (const char *)t->from;
    out->to = (char *)t->to;
}

/* Computes G by a table, if it is worth one. */
static bool compute_table(const exec_frame *f, const exec_fused *g)
{
    enum { WORTH = 8, COST = 16 /* bytes that take the time of an addition */ };
    int64_t room = g->rows * g->length, pieces;
    struct table t;
    const exec_op *op;
    int lane = 0;

    if (g->tiles * room < WORTH * LOOKUP_ENTRIES || room < LOOKUP_ENTRIES ||
        !(op = find_bytes(g, &lane)))
        return false;
    t.n = 1;
    for (int i = 0; i < g->rank; i++)
        t.n *= g->dims[i];
    make_entries(f, g, op, lane, &t);
    pieces = (t.n + TABLE_PIECE - 1) / TABLE_PIECE;
    if ((double)t.n / COST < (double)f->run.worth)
        look_up(&t, 0, pieces);
    else
        exec_workers_split(f->run.workers, pieces, (double)TABLE_PIECE / COST, look_up, &t);
    return true;
}

/* The whole group */

/* Computes G. TO has, by list, the elements at which the rows of listed lanes begin. */
static void compute_group(const exec_frame *f, const exec_fused *g, const int64_t *const *to)
{
    bool large =
        g->n_runs > 1 && g->pieces > 1 && g->tiles * g->rows * g->length * (int64_t)g->size > LARGE;
    struct work w = {g, f->blocks, large, to, find_streamed(g, f->blocks), NULL};
    double cost = (double)g->cost * (double)(g->rows * g->length);

    if (cost * (double)g->tiles < (double)f->run.worth)
        compute_tiles(&w, 0, g->tiles);
    else
        exec_workers_split(f->run.workers, g->tiles, cost, compute_tiles, &w);
}

/* Reads the operands of G that are one number for all elements. */
static void read_numbers(const exec_frame *f, const exec_fused *g)
{
    for (int i = 0; g->numbers && i < g->n_ops; i++) {
        row_block *k = &f->blocks[g->ops[i].block];

        if (k->one)
            row_block_read(k);
    }
}

/* A kernel calls this to have the rows at elements TO of its data computed. */
bool exec_computes(inlay_call *c, int64_t n, int64_t length, const int64_t *to)
{
    const exec_frame *f = (exec_frame *)c->run;

    (void)n, (void)length;
    if (!f->rows.putting)
        return false;
    read_numbers(f, f->rows.putting);
    compute_group(f, f->rows.putting, &to);
    return true;
}

/* Parts that a kernel hands over */

/* Returns the bytes of an element that is handed over to F. */
static ptrdiff_t size_of_part(const exec_fused *f)
{
    for (int i = 0; i < f->n_ops; i++) {
        for (int lane = 1; lane < FUSED_LANES; lane++) {
            if (f->ops[i].parts & 1u << lane)
                return f->ops[i].size[lane];
        }
    }
    return sizeof(float);
}

/* Sets T to the tile of P, whose elements have SIZE bytes, that begins at ROW and FIRST of the
 * output, whose rows the group F counts along all dims but the last one. */
static void find_part(const exec_fused *f, const call_rows *p, int64_t row, int64_t first,
                      ptrdiff_t size, struct tile *t)
{
    int64_t left = row, in_band = f->rank > 1 ? f->dims[f->rank - 2] - row % f->band_rows : 1;

    for (int i = f->rank - 2; i >= 0; left /= f->dims[i--])
        t->at[i] = left % f->dims[i];
    t->at[f->rank - 1] = first;
    t->rows = smaller(smaller(f->rows, p->row + p->rows - row), in_band);
    t->length = smaller(f->length, p->first + p->length - first);
    t->apart = t->rows > 1 && (t->length < f->row_length || p->pitch != f->row_length * size);
    t->part = p->data + (row - p->row) * p->pitch + (first - p->first) * size;
}

/* Computes the group for the part P of what it reads. */
static void read_part(const call_reader *r, const call_rows *p)
{
    const exec_frame *frame = ((const exec_frame_reader *)r)->frame;
    const exec_fused *group = ((const exec_frame_reader *)r)->group;
    exec_fused f = p->begun ? *group->rest : *group;
    const struct work w = {&f, frame->blocks, false, NULL, -1, p};
    int64_t room_for = f.rows * f.length;
    ptrdiff_t size = size_of_part(&f);
    row_block k[FUSED_MOST];
    struct room room;
    struct tile t;

    f.length = smaller(p->length, room_for);
    f.rows = smaller(p->rows, room_for / f.length);
    take_blocks(&w, k, &room);
    for (int64_t row = p->row; row < p->row + p->rows; row += t.rows) {
        for (int64_t first = p->first; first < p->first + p->length; first += t.length) {
            find_part(&f, p, row, first, size, &t);
            compute_tile(&w, k, &t, false, &room);
        }
    }
}

/* Returns whether rows of lane LANE of OP are floats side by side, at equal distances. */
static bool has_floats(const exec_fused *g, const exec_op *op, int lane)
{
    const ptrdiff_t *s = op->strides[lane];
    bool has = s && !op->listed && !op->each && s[g->rank - 1] == (ptrdiff_t)sizeof(float);

    for (int i = 0; has && i < g->rank - 2; i++)
        has = s[i] == s[i + 1] * (ptrdiff_t)g->dims[i + 1];
    return has;
}

/* Returns lane LANE of OP, if it is not what is handed over. */
static call_beside beside_of(const exec_frame *f, const exec_fused *g, const exec_op *op, int lane)
{
    const row_block *k = &f->blocks[op->block];
    const char *const at[FUSED_LANES] = {k->to, k->x, k->y, k->z};
    bool has = !(op->parts & 1u << lane) && has_floats(g, op, lane);

    return has ? (call_beside){at[lane], op->strides[lane][g->rank - 2]} : (call_beside){NULL, 0};
}

/* Sets what G reads beside the parts, and where it then writes its last result: there are more
 * streams than the processor follows itself. */
static void find_beside(const exec_frame *f, const exec_fused *g, call_reader *r)
{
    for (int i = 0; g->rank > 1 && i < g->n_ops; i++) {
        for (int lane = 1; lane < FUSED_LANES && !r->beside.data; lane++)
            r->beside = beside_of(f, g, &g->ops[i], lane);
    }
    if (r->beside.data)
        r->becomes = beside_of(f, g, &g->ops[g->n_ops - 1], 0);
    if (r->beside.data == r->becomes.data)
        r->becomes.data = NULL;
}

/* Sets R to what a kernel may do for G itself. */
static void begin_reader(const exec_frame *f, const exec_fused *g, call_reader *r)
{
    for (int i = 0; i < g->begun; i++) {
        const exec_op *op = &g->ops[i];
        const row_block *k = &f->blocks[op->block];

        if (op->computes == ROW_ADD && !op->each) {
            for (int lane = 1; lane <= 2 && !r->sum.data; lane++)
                r->sum = beside_of(f, g, op, lane);
        } else if (op->computes == ROW_ADD) {
            r->add = k->single == SINGLE_X ? k->x : k->y;
            r->add_rows = g->dims[g->rank - 2];
        } else {
            r->then = row_stage_of(op->computes, k);
        }
    }
    if (g->begun == g->n_ops) {
        const exec_op *last = &g->ops[g->n_ops - 1];

        r->to = f->blocks[last->block].to;
        r->to_pitch = g->rank > 1 ? last->strides[0][g->rank - 2] : 0;
    }
}

const call_reader *exec_reader(inlay_call *c, bool whole)
{
    exec_frame *f = (exec_frame *)c->run;
    const exec_fused *g = f->run.now ? f->run.now->kernel.follower : NULL;

    if (!g || (g->whole && !whole))
        return NULL;
    read_numbers(f, g);
    f->rows.read = g;
    f->rows.reader = (exec_frame_reader){{.read = read_part}, f, g};
    begin_reader(f, g, &f->rows.reader.reader);
    find_beside(f, g, &f->rows.reader.reader);
    return &f->rows.reader.reader;
}

bool exec_fused_run(exec_frame *f, const exec_fused *g, inlay_diags *d)
{
    bool done = f->rows.read == g;

    f->rows.read = NULL;
    if (!announce(f, g, d))
        return false;
    if (done)
        return true;
    if (g->kind == FUSED_MODULE)
        return exec_chain_run(f, g, d);
    if (g->kind == FUSED_SLOTS) {
        exec_fused_windows(f, g);
    } else if (g->scatter == 0) {
        read_numbers(f, g);
        if (is_small(g))
            compute_small(f, g);
        else if (!compute_table(f, g))
            compute_group(f, g, f->rows.lists);
    }
    return true;
}
