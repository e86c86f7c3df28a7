/* Steps that are computed together, tile by tile. The tags are as if each step were completed
 * before the next; a separate check makes sure that tiles make no difference: bytes that one of the
 * steps writes and another one reads or writes belong to the same elements. */
#include "interp/audit/auditor.h"
#include "interp/audit/border.h"

enum {
    MOST_ELEMENTS = 1 << 16
}; /* of an output: the lanes of a larger one are not checked one by
                                     one */

/* The operation of the step, or NULL after a refusal. */
static const exec_op *op_of(const auditor *a)
{
    const exec_fused *f = a->s->fused;
    const exec_op *found = NULL;
    bool ok = f && f->kind == FUSED_ROWS && f->first <= a->number && a->number < f->first + f->n;

    for (int i = 0; ok && i < f->n_ops; i++) {
        ok = i == 0 || f->ops[i - 1].step < f->ops[i].step;
        found = f->ops[i].step == a->number ? &f->ops[i] : found;
    }
    if (!ok || !found)
        audit_refuse(a, "a fused step is none of those that it is fused with", a->s->out[0]);
    return ok ? found : NULL;
}

static size_t output_of(const auditor *a, const exec_op *op)
{
    return a->x->list[op->step].out[0];
}

/* Whether register REG holds VALUE when OP is computed. */
static bool register_holds(const auditor *a, const exec_op *op, int reg, size_t value)
{
    const exec_op *from = op;

    while (from > a->s->fused->ops) {
        from--;
        if (from->reg[0] == reg)
            return output_of(a, from) == value;
    }
    return false;
}

/* The offset of lane LANE of OP from the beginning of its allocation. */
static int64_t lane_begin(const auditor *a, const exec_op *op, int lane)
{
    const exec_block *b = &a->x->blocks[op->block];
    const char *at[EXEC_LANES] = {b->k.to, b->k.x, b->k.y, b->k.z, b->k.one};

    return at[lane] - a->x->allocations[b->allocation[lane]].fake;
}

static int64_t first_byte(const auditor *a, size_t value)
{
    const inlay_tensor *t = a->x->meta[value];

    return ((char *)t->data - a->x->allocations[a->x->allocation[value]].fake) +
           t->offset * (inlay_type_info_of(t->type)->bits / 8);
}

/* The offset from the first element of its tensor that lane LANE has for element P of the output:
 * by the dims of the tiles. */
static int64_t lane_byte(const exec_fused *f, const exec_op *op, int lane, int64_t p)
{
    int64_t at = 0;

    for (int i = f->rank; i-- > 0; p /= f->dims[i])
        at += p % f->dims[i] * op->strides[lane][i];
    return at;
}

/* The same for T, an operand that is broadcast to OUT, or OUT itself: by its strides. */
static int64_t element_byte(const inlay_tensor *t, const inlay_tensor *out, int64_t p)
{
    int64_t at = 0, size = inlay_type_info_of(t->type)->bits / 8;

    for (int i = out->rank; i-- > 0; p /= out->dims[i]) {
        int own = i - (out->rank - t->rank);

        if (own >= 0 && t->dims[own] > 1)
            at += p % out->dims[i] * t->strides[own] * size;
    }
    return at;
}

static int64_t elements_of_tiles(const exec_fused *f)
{
    int64_t n = 1;

    for (int i = 0; i < f->rank; i++)
        n *= f->dims[i];
    return n;
}

/* Whether the output of the step is narrow: it has one element for each row of the tiles. */
static bool makes_narrow(const auditor *a)
{
    return inlay_tensor_count(a->x->meta[a->s->out[0]]) != elements_of_tiles(a->s->fused);
}

/* Whether the step reduces whole rows of its operand: all axes from a certain one on. */
static bool folds(const auditor *a)
{
    return makes_narrow(a) && !(node_of(a)->op->flags & INLAY_POINTWISE);
}

/* Whether lane LANE of OP addresses the elements of VALUE, broadcast to the output; an operand that
 * is reduced is not broadcast. */
static bool lane_shows(const auditor *a, const exec_op *op, int lane, size_t value)
{
    const exec_fused *f = a->s->fused;
    const inlay_tensor *t = a->x->meta[value];
    const inlay_tensor *out = lane > 0 && folds(a) ? t : a->x->meta[a->s->out[0]];
    int64_t n = inlay_tensor_count(out), each = elements_of_tiles(f) / n;
    bool ok = a->x->blocks[op->block].allocation[lane] == a->x->allocation[value] &&
              lane_begin(a, op, lane) == first_byte(a, value);

    if (n > MOST_ELEMENTS)
        return ok;
    for (int64_t p = 0; ok && p < n; p++)
        ok = lane_byte(f, op, lane, p * each) == element_byte(t, out, p);
    return ok;
}

/* Whether OP takes operand I, one number for all elements, from VALUE. The number of a constant has
 * been read. */
static bool is_number(const auditor *a, const exec_op *op, int i, size_t value)
{
    const exec_block *b = &a->x->blocks[op->block];
    bool single = b->k.single == (enum row_single)(i + 1);

    return single && !op->each &&
           (b->allocation[EXEC_ONE] == SIZE_MAX
                ? root_of(a, value) == EXEC_CONST
                : b->allocation[EXEC_ONE] == a->x->allocation[value] &&
                      lane_begin(a, op, EXEC_ONE) == first_byte(a, value));
}

/* Whether the elements of operand I are known before the run: those of a constant, or by inference.
 */
static bool is_known(const auditor *a, int i, size_t value)
{
    const inlay_fact *f = &node_of(a)->in[i].value->fact;
    bool known = f->known != NULL;

    for (int k = 0; known && k < f->n_known; k++)
        known = inlay_dim_is_static(f->known[k]);
    return known || root_of(a, value) == EXEC_CONST;
}

/* Whether the row function takes operand I as a parameter, whose elements are known. */
static bool is_parameter(const auditor *a, const exec_op *op, int i, size_t value)
{
    const exec_block *b = &a->x->blocks[op->block];

    return i > 0 && is_known(a, i, value) && b->k.single == NO_SINGLE &&
           (i + 1 >= FUSED_LANES || (op->reg[i + 1] < 0 && b->allocation[i + 1] == SIZE_MAX));
}

/* Returns the number of elements of the last axes of T that the output does not have, or has with
 * size 1; -1: the axes before them differ from those of the output. */
static int64_t folded_row(const inlay_tensor *t, const inlay_tensor *out)
{
    int64_t row = 1, kept = 1;
    int i = t->rank;

    while (i > 0 && row * inlay_tensor_count(out) < inlay_tensor_count(t))
        row *= t->dims[--i];
    for (int k = 0, o = 0; k < i; k++) {
        if (t->dims[k] == 1)
            continue;
        while (o < out->rank && out->dims[o] == 1)
            o++;
        if (o == out->rank || out->dims[o++] != t->dims[k])
            return -1;
        kept *= t->dims[k];
    }
    return kept == inlay_tensor_count(out) ? row : -1;
}

/* Whether OP, if it needs whole rows, is computed on whole rows of the last dim of its output, or
 * of the operand that it reduces. */
static bool has_rows(const auditor *a, const exec_op *op)
{
    const inlay_tensor *out = a->x->meta[a->s->out[0]];
    const exec_fused *f = a->s->fused;
    int64_t length = out->rank > 0 ? out->dims[out->rank - 1] : 1;

    if (folds(a))
        length = folded_row(a->x->meta[a->s->in[0]], out);
    return (node_of(a)->op->flags & INLAY_POINTWISE) ||
           (!op->flat && f->rank > 0 && f->dims[f->rank - 1] == length && f->row_length == length &&
            f->length == length && op->folds == folds(a));
}

/* Whether exactly the right lanes are marked as narrow: those of values that the steps keep in
 * registers, and of narrow outputs. */
static bool check_narrow(const auditor *a, const exec_op *op)
{
    const exec_fused *f = a->s->fused;
    bool narrow = makes_narrow(a), ok = op->narrow[0] == narrow;

    if (narrow && (f->pieces != 1 || elements_of_tiles(f) / f->row_length !=
                                         inlay_tensor_count(a->x->meta[a->s->out[0]])))
        return audit_refuse(a, "a narrow value has not one element for each row", a->s->out[0]);
    for (int i = 0; ok && i < node_of(a)->n_in && i + 1 < FUSED_LANES; i++) {
        const inlay_tensor *t = a->s->in[i] == SIZE_MAX ? NULL : a->x->meta[a->s->in[i]];

        ok = op->reg[i + 1] < 0 ||
             (t && op->narrow[i + 1] == (inlay_tensor_count(t) != elements_of_tiles(f)));
        if (ok && op->reg[i + 1] >= 0 && op->narrow[i + 1] && !narrow)
            ok = op->each && op->reg[i + 1] != op->reg[0] &&
                 a->x->blocks[op->block].k.single == (enum row_single)(i + 1);
    }
    return ok || audit_refuse(a, "rows of a register are taken for others", a->s->out[0]);
}

/* Whether lane LANE of OP has the element size of VALUE, and a tile fits into a register. A
 * register that is still read must not be overwritten with elements of another size. */
static bool size_fits(const auditor *a, const exec_op *op, int lane, size_t value)
{
    size_t size = (size_t)inlay_type_info_of(a->x->meta[value]->type)->bits / 8;

    return op->size[lane] == size && size <= a->s->fused->size &&
           (op->reg[lane] < 0 || op->reg[lane] != op->reg[0] || op->size[0] == size);
}

static bool check_operand(auditor *a, const exec_op *op, int i)
{
    size_t value = a->s->in[i];

    if (border_lost(a->x, value))
        return audit_refuse(a, "an operand has lost its place at the border", value);
    if (!is_seen(a, value))
        return audit_refuse(a, "a fused step reads what has no place", value);
    if (is_parameter(a, op, i, value))
        return true;
    if (!is_number(a, op, i, value) && !size_fits(a, op, i + 1, value))
        return audit_refuse(a, "a fused step reads elements of another size", value);
    if (op->listed & 2u << i)
        return a->s->fused->scatter > 0 ? listed_operand(a, op, i + 1, value)
                                        : gathered_operand(a, op, i + 1, value);
    if (op->reg[i + 1] >= 0)
        return register_holds(a, op, op->reg[i + 1], value) ||
               audit_refuse(a, "a register holds something else", value);
    if (exec_in_register(a->x, value) || !tags_hold(&a->t, value))
        return audit_refuse(a, "an operand is gone when it is read", value);
    return (op->strides[i + 1] ? lane_shows(a, op, i + 1, value) : is_number(a, op, i, value)) ||
           audit_refuse(a, "a fused step reads other elements than its node", value);
}

/* Whether values ONE and OTHER, in memory, have the same elements at the same bytes, or share no
 * byte. */
static bool are_same_or_apart(auditor *a, size_t one, size_t other)
{
    return one == other || !tags_meet(&a->t, one, other) || part_is_same(a, one, other);
}

/* Tiles are computed one after the other: OP must not write elements of another tile that the steps
 * read or write. */
static bool check_meetings(auditor *a, const exec_op *op)
{
    const exec_fused *f = a->s->fused;
    size_t out = output_of(a, op);
    bool ok = true;

    for (int k = 0; ok && k < f->n_ops; k++) {
        const exec_step *s = &a->x->list[f->ops[k].step];

        ok = f->ops[k].reg[0] >= 0 || (f->ops[k].listed & 1u) ||
             are_same_or_apart(a, out, s->out[0]);
        for (int i = 0; ok && i < s->step->node->n_in; i++)
            ok = s->in[i] == SIZE_MAX || f->ops[k].reg[i + 1] >= 0 ||
                 (f->ops[k].listed & 2u << i) || !is_seen(a, s->in[i]) ||
                 root_of(a, s->in[i]) == EXEC_CONST || are_same_or_apart(a, out, s->in[i]);
    }
    return ok || audit_refuse(a, "tiles of an output meet other tiles of what is read", out);
}

/* Whether all elements are computed: the tiles cover the dims, the dims are those of the output,
 * and a tile fits into each register. */
static bool check_tiles(const auditor *a)
{
    const exec_fused *f = a->s->fused;
    int64_t n = elements_of_tiles(f), outer = 1;
    int64_t bytes = f->rows * f->length * (int64_t)f->size;
    bool one = f->n_runs == 1 && f->n_lists == 0 && !f->whole;

    if (f->rank > 0 &&
        (one ? bytes > FUSED_WIDE : bytes > FUSED_TILE || bytes * f->registers > FUSED_ROOM))
        return audit_refuse(a, "a tile is larger than its register", a->s->out[0]);
    for (int i = 0; i + 2 < f->rank; i++)
        outer *= f->dims[i];
    return ((n == inlay_tensor_count(a->x->meta[a->s->out[0]]) || f->whole) &&
            f->pieces * f->length >= f->row_length && f->bands * f->rows >= f->band_rows &&
            outer * f->pieces * f->bands == f->tiles &&
            outer * f->row_length * f->band_rows == n) ||
           audit_refuse(a, "the tiles do not cover the output", a->s->out[0]);
}

/* The run that contains operation K; NULL: the runs up to it are not contiguous. */
static const exec_straight *run_of(const exec_fused *f, int k)
{
    int at = 0;

    for (int i = 0; i < f->n_runs && f->runs[i].first == at && f->runs[i].n > 0; i++) {
        at += f->runs[i].n;
        if (k < at)
            return &f->runs[i];
    }
    return NULL;
}

/* Whether R reads where its first operation reads and writes where its last one writes, and its
 * rows are contiguous only if those of all its operations are. */
static bool has_lanes(const exec_fused *f, const exec_straight *r)
{
    const exec_op *first = &f->ops[r->first], *last = first + r->n - 1;
    bool has = r->op.block == first->block && (r->n == 1 || !r->op.each);

    for (int i = 0; i < FUSED_LANES; i++) {
        const exec_op *of = i == 0 ? last : first;

        has = has && r->op.reg[i] == of->reg[i] && r->op.strides[i] == of->strides[i] &&
              r->op.size[i] == of->size[i];
    }
    for (const exec_op *op = first; r->op.flat && op <= last; op++)
        has = has && op->flat;
    return has;
}

/* The operand from which OP, in a run with others, computes each number: operand 0, unless that is
 * its second one. */
static int worked_on(const auditor *a, const exec_op *op)
{
    bool number = op->beside == 0 && a->x->blocks[op->block].k.single == SINGLE_X;

    return op->beside == 1 || number ? 1 : 0;
}

/* Whether the result of OP stays in the processor: only the next operation reads it, as its operand
 * NEXT. */
static bool is_passed_on(const auditor *a, const exec_op *op, int next)
{
    const exec_fused *f = a->s->fused;
    bool passed = op->reg[0] >= 0 && a->x->list[op[1].step].in[next] == output_of(a, op);

    for (int k = 0; passed && k < f->n_ops; k++) {
        const exec_step *s = &a->x->list[f->ops[k].step];

        for (int i = 0; passed && i < s->step->node->n_in; i++)
            passed = s->in[i] != output_of(a, op) || (&f->ops[k] == op + 1 && i == next);
    }
    return passed;
}

/* Whether the other operand of OP is one number for all, or its lane is recorded. OP may take its
 * operands in either order then. */
static bool has_beside(const auditor *a, const exec_op *op)
{
    int other = 1 - worked_on(a, op);
    bool has = op->beside == 0 ? is_number(a, op, other, a->s->in[other]) : op->beside == other + 1;

    return has && (other == 1 || row_op_commutes(op->computes));
}

/* Whether the result of R overwrites numbers in LANE of OP that are still to be read: of later
 * rows, or elements of another size. */
static bool spoils(const exec_straight *r, const exec_op *op, int lane)
{
    return r->op.reg[0] >= 0 && op->reg[lane] == r->op.reg[0] &&
           (op->narrow[lane] || op->size[lane] != r->op.size[0]);
}

static bool keeps_numbers(const exec_fused *f, const exec_straight *r)
{
    bool keeps = !spoils(r, &r->op, 1);
    int rows = 0;

    for (const exec_op *op = &f->ops[r->first]; op < &f->ops[r->first + r->n]; op++) {
        keeps = keeps && (op->beside == 0 || !spoils(r, op, op->beside));
        rows += op->beside > 0;
    }
    return keeps && rows <= STAGES_ROWS && r->n <= STAGES_MOST;
}

/* Whether R is a sigmoid, and a product of it and its operand that does not overwrite that. */
static bool is_gate(const auditor *a, const exec_straight *r)
{
    const exec_op *op = &a->s->fused->ops[r->first], *next = op + 1;
    size_t of = a->x->list[op->step].in[0];

    if (r->n != 2 || op->computes != ROW_SIGMOID || next->computes != ROW_MULTIPLY || op->listed ||
        next->listed || spoils(r, op, 1))
        return false;
    for (int i = 0; i < 2; i++) {
        if (a->x->list[next->step].in[i] == of && is_passed_on(a, op, 1 - i))
            return true;
    }
    return false;
}

static row_stage stage_of(const auditor *a, const exec_op *op)
{
    return row_stage_of(op->computes, &a->x->blocks[op->block].k);
}

/* Whether operation K of R, if it is a conversion, is at an end of R, or one of two that follow a
 * Clamp to what the type between them has. */
static bool converts_well(const auditor *a, const exec_straight *r, int k)
{
    const exec_op *op = &a->s->fused->ops[k];
    bool reads = k > r->first && op->computes == ROW_READS;
    bool writes = k < r->first + r->n - 1 && op->computes == ROW_WRITES;
    row_stage clamp, from, to;

    if (!reads && !writes)
        return true;
    op += writes;
    if (op - a->s->fused->ops < r->first + 2)
        return false;
    clamp = stage_of(a, op - 2);
    from = stage_of(a, op - 1);
    to = stage_of(a, op);
    return row_stages_lead_through(&clamp, &from, &to);
}

/* Whether the runs have the operations in their order: OP alone, or after the one whose result it
 * takes. */
static bool check_run(auditor *a, const exec_op *op)
{
    const exec_fused *f = a->s->fused;
    int k = (int)(op - f->ops);
    const exec_straight *r = run_of(f, k);
    bool ok = r && r->first + r->n <= f->n_ops && has_lanes(f, r);

    if (ok && r->gate)
        ok = is_gate(a, r);
    else if (ok && r->n > 1)
        ok = row_op_is_stage(op->computes) && converts_well(a, r, k) && !op->listed &&
             !op->narrow[0] && !op->narrow[worked_on(a, op) + 1] &&
             (k > r->first || worked_on(a, op) == 0) &&
             (k == r->first + r->n - 1 || is_passed_on(a, op, worked_on(a, op + 1))) &&
             (node_of(a)->n_in < 2 || has_beside(a, op)) && keeps_numbers(f, r);
    return ok || audit_refuse(a, "what is computed in one go is not these steps", a->s->out[0]);
}

bool fused_step(auditor *a)
{
    const exec_fused *f = a->s->fused;
    bool put = f && f->kind == FUSED_ROWS && f->scatter > 0 && f->scatter == a->number;
    const exec_op *op = put ? NULL : op_of(a);
    size_t out = a->s->out[0];
    bool ok = op && check_tiles(a) && check_narrow(a, op) && check_run(a, op) && parts_check(a, op);

    if (put)
        return listed_put(a);
    for (int i = 0; ok && i < node_of(a)->n_in; i++)
        ok = a->s->in[i] == SIZE_MAX || check_operand(a, op, i);
    if (ok && !has_rows(a, op))
        return audit_refuse(a, "a fused step wants whole rows", out);
    if (ok && !size_fits(a, op, 0, out))
        return audit_refuse(a, "a fused step writes elements of another size", out);
    if (ok && (op->listed & 1u))
        return listed_output(a, op);
    if (!ok || op->reg[0] >= 0)
        return ok && (exec_in_register(a->x, out) ||
                      audit_refuse(a, "a value in a register has memory, too", out));
    if (!lane_shows(a, op, 0, out))
        return audit_refuse(a, "a fused step writes other elements than its output", out);
    return check_meetings(a, op) && gathered_leaves(a, out) && write_outputs(a);
}
