/* Finds the first piece in which two graphs differ.
 *
 * What has no counterpart and leads to an output that differs is bad. A value of B is the end of
 * the piece if, with a bad value of A in its place, values behind it that are bad become equal to
 * values of A: then all that is wrong lies between the pairs before it and itself. */
#include "cli/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENDS = 96,       /* bad values of B that are tried, */
    AFTER = 6,       /* and those after one that may be the end */
    CANDIDATES = 24, /* bad values of A in the place of each */
    AHEAD = 24       /* nodes behind it that are computed again */
};

/* ---- what is bad ---- */

static bool leads_to_bad(const match_side *s, const inlay_value *v)
{
    for (const inlay_use *u = v->uses; u; u = u->next) {
        for (int k = 0; k < u->node->n_out; k++) {
            if (s->values[match_index(s, &u->node->out[k])].bad)
                return true;
        }
    }
    return false;
}

static int depth_of(const match_side *s, const inlay_node *n)
{
    int depth = 0;

    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;
        const match_value *x = v ? &s->values[match_index(s, v)] : NULL;

        if (x && x->bad && x->depth > depth)
            depth = x->depth;
    }
    return depth + 1;
}

static void mark_bad(match_side *s)
{
    for (int i = s->n - 1; i >= 0; i--) {
        match_value *x = &s->values[i];

        x->bad = x->bad || (x->pair < 0 && x->varies && leads_to_bad(s, x->v));
    }
    for (int i = 0; i < s->n; i++)
        s->values[i].depth = s->values[i].bad ? depth_of(s, s->values[i].v->node) : 0;
}

static void mark_both(match *m)
{
    for (int i = 0; i < m->b.g->n_results; i++) {
        if (match_output_differs(m, i)) {
            m->b.values[match_output(&m->b, i)].bad = true;
            m->a.values[match_output(&m->a, m->outputs[i])].bad = true;
        }
    }
    mark_bad(&m->a);
    mark_bad(&m->b);
}

/* Has a value the elements of its counterpart in another shape? */
static bool is_reshaped(const match_side *s, const match_side *other, int i)
{
    const inlay_tensor *x = s->values[i].t[0];
    const inlay_tensor *y = s->values[i].pair >= 0 ? other->values[s->values[i].pair].t[0] : NULL;

    return x && y && !match_same_dims(x, y);
}

/* Is the operand of value I the same as I is? */
static bool is_idle(const match_side *s, int i)
{
    const inlay_node *n = s->values[i].v->node;
    bool idle = false;

    for (int k = 0; k < n->n_in && !idle && s->values[i].pair >= 0; k++) {
        int j = n->in[k].value ? match_index(s, n->in[k].value) : -1;

        idle = j >= 0 && s->values[j].pair == s->values[i].pair;
    }
    return idle;
}

/* What has the elements of its counterpart in another shape, or those of its operand, may be wrong,
 * too, where it is read in the piece. Where numbers of elements differ that is so in all steps
 * before. */
void match_mark_piece(const match *m, bool second, bool *in)
{
    const match_side *s = second ? &m->b : &m->a, *other = second ? &m->a : &m->b;
    const inlay_tensor *x = m->a.values[m->piece.a].t[m->draw];
    const inlay_tensor *y = m->b.values[m->piece.b].t[m->draw];
    int end = second ? m->piece.b : m->piece.a;
    bool of_shape = !x || !y || !match_comparable(x, y);

    memset(in, 0, (size_t)s->n * sizeof *in);
    in[end] = true;
    for (int i = end; i >= 0; i--) {
        const inlay_node *n = s->values[i].v->node;
        bool begun = in[i] && (s->values[i].pair < 0 || of_shape || is_idle(s, i));

        for (int k = 0; begun && k < n->n_in; k++) {
            int j = n->in[k].value ? match_index(s, n->in[k].value) : -1;

            if (j >= 0 && (s->values[j].bad || is_reshaped(s, other, j) || is_idle(s, j)))
                in[j] = true;
        }
    }
}

/* ---- a value of A in the place of one of B ---- */

struct trial {
    match *m;
    int a, b;
    inlay_tensor **now; /* values of B that are others than before */
    bool *behind;       /* values of A that depend on A */
};

/* Returns the elements of T with the type and shape of what it replaces. */
static inlay_tensor *as_value(const inlay_tensor *t, const inlay_tensor *before)
{
    const inlay_tensor *like = before ? before : t;
    inlay_tensor *out = inlay_tensor_new(like->type, like->rank, like->dims);
    int64_t n = out ? inlay_tensor_count(out) : 0;

    for (int64_t i = 0; i < n; i++) {
        if (inlay_type_is_float(t->type))
            inlay_tensor_set_f64(out, i, inlay_tensor_get_f64(t, i));
        else
            inlay_tensor_set_i64(out, i, inlay_tensor_get_i64(t, i));
    }
    return out;
}

static bool is_constant(const inlay_tensor *t)
{
    int64_t n = inlay_tensor_count(t), i = 1;

    while (i < n && inlay_tensor_get_f64(t, i) == inlay_tensor_get_f64(t, 0))
        i++;
    return i >= n && n != 1;
}

/* Is X equal to a bad value of A that the one in place of B leads to? */
static bool becomes_equal(const struct trial *t, const inlay_tensor *x)
{
    const match *m = t->m;
    match_print p = match_print_of(x);
    const match_value *placed = &m->a.values[t->a];

    if (!inlay_type_is_float(x->type) || is_constant(x) ||
        match_equal(m, x, &p, placed->t[m->draw], &placed->print[m->draw]))
        return false;
    for (int i = t->a + 1; i < m->a.n; i++) {
        const match_value *v = &m->a.values[i];

        if (v->bad && t->behind[i] && match_equal(m, v->t[m->draw], &v->print[m->draw], x, &p))
            return true;
    }
    return false;
}

/* Collects the operands of N. Returns whether one of them is another than before. */
static bool operands_now(const struct trial *t, const inlay_node *n, const inlay_tensor **in)
{
    bool changed = false;

    for (int k = 0; k < n->n_in; k++) {
        int j = n->in[k].value ? match_index(&t->m->b, n->in[k].value) : -1;

        in[k] = j < 0 ? NULL : t->now[j] ? t->now[j] : t->m->b.values[j].t[t->m->draw];
        if (j >= 0 && !in[k])
            return false;
        changed = changed || (j >= 0 && t->now[j]);
    }
    return changed;
}

/* Computes N again if its operands have changed; *SCORE grows with values that become equal. */
static bool compute_again(const struct trial *t, const inlay_node *n, int *score)
{
    size_t count = (size_t)(n->n_in + n->n_out) + 1;
    const inlay_tensor **in = calloc(count, sizeof *in);
    bool changed = in && operands_now(t, n, in);
    int first = t->m->b.first[n->id];

    if (changed && t->m->ev.eval_node(t->m->ev.ctx, n, in, &t->now[first], NULL)) {
        for (int k = 0; k < n->n_out; k++)
            *score +=
                t->now[first + k] && !match_only_moves(n) && becomes_equal(t, t->now[first + k]);
    }
    free(in);
    return changed;
}

static void mark_behind(const match_side *s, int a, bool *behind)
{
    memset(behind, 0, (size_t)s->n * sizeof *behind);
    behind[a] = true;
    for (int i = a + 1; i < s->n; i++) {
        const inlay_node *n = s->values[i].v->node;

        for (int k = 0; !behind[i] && k < n->n_in; k++)
            behind[i] = n->in[k].value && behind[match_index(s, n->in[k].value)];
    }
}

/* Returns how many values behind B become equal when A is in its place. */
static int score_of(struct trial *t)
{
    const match_side *b = &t->m->b;
    const inlay_node *end = b->values[t->b].v->node;
    int score = 0, left = AHEAD, draw = t->m->draw;
    bool begun = false;

    mark_behind(&t->m->a, t->a, t->behind);
    t->now[t->b] = as_value(t->m->a.values[t->a].t[draw], b->values[t->b].t[draw]);
    for (size_t i = 0; t->now[t->b] && i < b->order.n && left > 0; i++) {
        const inlay_node *n = b->order.nodes[i];

        if (begun && n->n_out > 0)
            left -= compute_again(t, n, &score);
        begun = begun || n == end;
    }
    for (int i = 0; i < b->n; i++) {
        inlay_tensor_release(t->now[i]);
        t->now[i] = NULL;
    }
    return score;
}

/* ---- candidates ---- */

/* How many operands of the nodes of two values are counterparts; *ALL: all that depend on inputs
 * are. */
static int shared_operands(const match *m, int a, int b, bool *all)
{
    const inlay_node *x = m->a.values[a].v->node, *y = m->b.values[b].v->node;
    int shared = 0;

    *all = x->n_in == y->n_in;
    for (int k = 0; k < x->n_in && k < y->n_in; k++) {
        int i = x->in[k].value ? match_index(&m->a, x->in[k].value) : -1;
        int j = y->in[k].value ? match_index(&m->b, y->in[k].value) : -1;
        bool varies = (i >= 0 && m->a.values[i].varies) || (j >= 0 && m->b.values[j].varies);
        bool paired = i >= 0 && j >= 0 && m->a.values[i].pair >= 0 && m->b.values[j].pair >= 0;

        shared += varies && paired && m->b.values[j].pair == i;
        *all = *all && (!varies || paired);
    }
    return shared;
}

/* Have the nodes of two values the same operation, on values that are counterparts? */
static bool is_alike(const match *m, int a, int b)
{
    bool all;
    int shared = shared_operands(m, a, b, &all);

    return all && shared > 0 &&
           m->a.values[a].v->node->op->kind == m->b.values[b].v->node->op->kind;
}

static double distance(const match *m, int a, int b)
{
    const match_value *x = &m->a.values[a], *y = &m->b.values[b];
    bool all, same = x->v->node->op->kind == y->v->node->op->kind;
    int shared = shared_operands(m, a, b, &all);

    return abs(x->depth - y->depth) - 100.0 * (all && same) - 20.0 * (shared > 0) + 4.0 * !same +
           (double)a / m->a.n;
}

/* Fills LIST with the nearest bad values of A for B. Returns how many they are. */
static int candidates(const match *m, int b, int *list)
{
    const inlay_tensor *y = m->b.values[b].t[m->draw];
    int n = 0;

    for (int a = 0; y && a < m->a.n; a++) {
        const match_value *x = &m->a.values[a];
        int at = n;

        if (!x->bad || !x->t[m->draw] || !match_comparable(x->t[m->draw], y))
            continue;
        while (at > 0 && distance(m, a, b) < distance(m, list[at - 1], b))
            at--;
        if (at == CANDIDATES)
            continue;
        n += n < CANDIDATES;
        memmove(list + at + 1, list + at, (size_t)(n - 1 - at) * sizeof *list);
        list[at] = a;
    }
    return n;
}

/* Does B fail although it has its operands, or has it another number of elements than the value of A
 * that is like it? Then it ends the piece: nothing of A can be in its place. */
static bool ends_by_size(match *m, int b)
{
    const match_side *s = &m->b;
    const inlay_tensor *y = s->values[b].t[m->draw];
    const inlay_node *n = s->values[b].v->node;
    int like = -1;

    for (int k = 0; k < n->n_in && !y; k++) {
        if (n->in[k].value && !s->values[match_index(s, n->in[k].value)].t[m->draw])
            return false;
    }
    for (int a = 0; a < m->a.n; a++) {
        const match_value *x = &m->a.values[a];

        if (x->bad && x->t[m->draw] && !(y && match_comparable(x->t[m->draw], y)) &&
            (is_alike(m, a, b) || !y) && (like < 0 || distance(m, a, b) < distance(m, like, b)))
            like = a;
    }
    m->piece = (match_piece){like, b};
    return like >= 0;
}

/* Tries the value B as the end of the piece. Returns its score. */
static int try_end(struct trial *t, int b)
{
    match *m = t->m;
    int list[CANDIDATES], best = 0;
    int n = candidates(m, b, list);

    if (ends_by_size(m, b))
        return AHEAD;
    for (int i = 0; i < n; i++) {
        int score;

        t->a = list[i];
        t->b = b;
        score = score_of(t);
        if (score > best) {
            best = score;
            m->piece = (match_piece){list[i], b};
        }
    }
    return best;
}

static int size_of_piece(const match *m, bool *in)
{
    int n = 0;

    match_mark_piece(m, true, in);
    for (int i = 0; i < m->b.n; i++)
        n += in[i];
    return n;
}

/* Where nothing behind a value tells, the piece ends with an output: that of the smallest. */
static void end_with_output(match *m, bool *in)
{
    match_piece best = {-1, -1};
    int least = 0;

    for (int i = 0; i < m->b.g->n_results; i++) {
        int n;

        m->piece = (match_piece){match_output(&m->a, m->outputs[i]), match_output(&m->b, i)};
        if (!match_output_differs(m, i))
            continue;
        n = size_of_piece(m, in);
        if (least == 0 || n < least) {
            least = n;
            best = m->piece;
        }
    }
    m->piece = best;
}

/* Tries bad values in the order of their depth. A later one is better only if much more becomes equal:
 * what becomes equal by chance is little. */
static bool try_all(struct trial *t)
{
    const match_side *b = &t->m->b;
    int deepest = 0, left = ENDS, best = 0;
    match_piece found = {-1, -1};

    for (int i = 0; i < b->n; i++)
        deepest = b->values[i].depth > deepest ? b->values[i].depth : deepest;
    for (int depth = 1; depth <= deepest; depth++) {
        for (int i = 0; i < b->n; i++) {
            int score = b->values[i].depth == depth && left-- > 0 ? try_end(t, i) : 0;

            if (score > 2 * best) {
                left = best == 0 && left > AFTER ? AFTER : left;
                best = score;
                found = t->m->piece;
            }
        }
    }
    t->m->piece = found;
    return best > 0;
}

bool match_find_piece(match *m, inlay_diags *d)
{
    size_t n = (size_t)(m->a.n > m->b.n ? m->a.n : m->b.n) + 1;
    struct trial t = {.m = m, .now = calloc(n, sizeof *t.now), .behind = calloc(n, sizeof(bool))};
    bool ok = (t.now && t.behind) || inlay_fail_memory(d);

    m->piece = (match_piece){-1, -1};
    if (ok) {
        m->draw = match_draw(m);
        mark_both(m);
        if (!try_all(&t))
            end_with_output(m, t.behind);
    }
    free(t.now);
    free(t.behind);
    return ok;
}
