/* TopK-1, -3, -11: the K greatest or least elements of every line along an axis. The sort is
 * stable: of equal elements the first is taken first. NaN is less than any number (TopK-3). */
#include "interp/kernels/topk.h"
#include "ir/shared.h"

#include <math.h>
#include <string.h>

/* One line of the operand, in the type in which it is compared. */
typedef struct line {
    const double *f; /* or */
    const int64_t *i;
    bool is_unsigned, greatest;
    int64_t start, step;
} line;

static bool less_float(double a, double b)
{
    return a < b || (isnan(a) && !isnan(b));
}

/* Returns whether element A comes before element B of the line. */
static bool comes_before(const line *l, int64_t a, int64_t b)
{
    int64_t i = l->start + (l->greatest ? b : a) * l->step;
    int64_t j = l->start + (l->greatest ? a : b) * l->step;

    if (l->f)
        return less_float(l->f[i], l->f[j]);
    return l->is_unsigned ? (uint64_t)l->i[i] < (uint64_t)l->i[j] : l->i[i] < l->i[j];
}

static void merge_runs(const line *l, const int64_t *from, int64_t *to, int64_t a, int64_t middle,
                       int64_t end)
{
    int64_t b = middle;

    for (int64_t k = a; k < end; k++) {
        bool second = a == middle || (b < end && comes_before(l, from[b], from[a]));

        to[k] = second ? from[b++] : from[a++];
    }
}

/* Sorts the N positions in ORDER by merging; the result is in one of the two arrays. */
static int64_t *sort_positions(const line *l, int64_t n, int64_t *order, int64_t *spare)
{
    for (int64_t width = 1; width < n; width *= 2) {
        int64_t *swap = order;

        for (int64_t a = 0; a < n; a += 2 * width) {
            int64_t middle = a + width < n ? a + width : n;
            int64_t end = middle + width < n ? middle + width : n;

            merge_runs(l, order, spare, a, middle, end);
        }
        order = spare;
        spare = swap;
    }
    return order;
}

/* Sorts the first K of ORDER by position, by counting: N is the length of the line. */
static void sort_by_index(int64_t *order, int64_t k, int64_t n, bool *taken)
{
    int64_t next = 0;

    for (int64_t i = 0; i < n;
         i++) /* gcc 14 warns of a memset, whose size a negative N would burst */
        taken[i] = false;
    for (int64_t i = 0; i < k; i++)
        taken[order[i]] = true;
    for (int64_t i = 0; i < n; i++) {
        if (taken[i])
            order[next++] = i;
    }
}

/* Memory to sort one line. */
typedef struct sorting {
    int64_t *order, *spare;
    bool *taken;
    bool by_index;
} sorting;

static const int64_t *sort_line(const line *l, int64_t n, int64_t k, const sorting *s)
{
    int64_t *order;

    for (int64_t i = 0; i < n; i++)
        s->order[i] = i;
    order = sort_positions(l, n, s->order, s->spare);
    if (s->by_index)
        sort_by_index(order, k, n, s->taken);
    return order;
}

static bool load_line(inlay_call *c, const topk *t, line *l)
{
    if (load_domain(c->in[0]->type) == DOMAIN_I64)
        l->i = load_i64(c, 0);
    else
        l->f = load_f64(c, 0);
    l->is_unsigned = c->in[0]->type == INLAY_U64;
    l->greatest = t->greatest;
    l->step = t->s.after;
    return l->i || l->f;
}

static bool make_room(inlay_call *c, const topk *t, sorting *s)
{
    s->order = inlay_call_memory(c, t->s.length, sizeof *s->order);
    s->spare = inlay_call_memory(c, t->s.length, sizeof *s->spare);
    s->taken = inlay_call_memory(c, t->s.length, sizeof *s->taken);
    s->by_index = t->by_index;
    return s->order && s->spare && s->taken;
}

bool topk_read(inlay_call *c, topk *t)
{
    const inlay_tensor *data = c->in[0];
    int axis;

    t->k = inlay_tensor_get_i64(c->in[1], 0);
    t->greatest = strcmp(inlay_node_string(c->node, "mode"), "max") == 0;
    t->by_index = strcmp(inlay_node_string(c->node, "sort"), "index") == 0;
    if (!axis_checked(c, "axis", inlay_node_int(c->node, "axis"), data->rank, &axis))
        return false;
    t->s = axis_split_of(data, axis);
    return (t->k >= 0 && t->k <= t->s.length && c->out[0]->dims[axis] == t->k) ||
           inlay_call_fail(c, "k is %lld, axis %d has %lld element%s", (long long)t->k, axis,
                           (long long)t->s.length, inlay_plural(t->s.length, "", "s"));
}

/* Takes the first K elements of ORDER. */
static void take(inlay_call *c, const line *l, const int64_t *order, int64_t k, int64_t to)
{
    const inlay_tensor *data = c->in[0], *values = c->out[0];

    for (int64_t m = 0; m < k; m++, to += l->step) {
        int64_t from = l->start + order[m] * l->step;

        inlay_copy_element(data->type, values->data, inlay_tensor_index(values, to), data->data,
                           inlay_tensor_index(data, from));
        inlay_tensor_set_i64(c->out[1], to, order[m]);
    }
}

bool eval_topk(inlay_call *c)
{
    line l = {0};
    sorting room;
    topk t;

    if (!topk_read(c, &t) || !load_line(c, &t, &l) || !make_room(c, &t, &room))
        return false;
    for (int64_t i = 0; i < t.s.before; i++) {
        for (int64_t j = 0; j < t.s.after; j++) {
            l.start = i * t.s.length * t.s.after + j;
            take(c, &l, sort_line(&l, t.s.length, t.k, &room), t.k, i * t.k * t.s.after + j);
        }
    }
    return true;
}
