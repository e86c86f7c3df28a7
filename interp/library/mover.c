/* The mover: any copy between strided tensors is a list of axes (how many elements, how far they
 * are apart in the result, and in the data). The axes are put into the order of the result, and
 * merged where they are one; elements that lie side by side in both are one larger element. What
 * is left decides on the loop for the two innermost axes:
 *
 *     a permutation        squares of 64 bytes, whose blocks are turned round in registers
 *     a repeated element   a line is filled, or each element of a line is written several times
 *     any steps            element by element, along the longer axis if one is short
 *     runs                 memcpy */
#include "interp/library/mover.h"
#include "interp/call/bound.h"
#include "interp/kernels/clones.h"

#include <string.h>

enum { LINE = 64, SHORT = 16, ZIPPED = 4 };

/* N elements, TO and FROM bytes apart. */
struct axis {
    int64_t n, to, from;
};

struct move {
    char *to;
    const char *from;
    int64_t size; /* bytes of an element */
    int rank;
    struct axis axis[INLAY_MAX_RANK + 2]; /* the last two are those of a loop */
};

/* Moves the elements of the two innermost axes, the first of which go FROM and TO. */
typedef void move_fn(const struct move *m, char *to, const char *from);

static inline const struct axis *inner_of(const struct move *m)
{
    return &m->axis[m->rank - 1];
}

static inline const struct axis *outer_of(const struct move *m)
{
    return &m->axis[m->rank - 2];
}

#define T uint8_t
#define NAME(name) name##_1
#define LANES 16
#define LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#include "interp/library/mover_loop.h"
#undef T
#undef NAME
#undef LANES
#undef LOW
#undef HIGH

#define T uint16_t
#define NAME(name) name##_2
#define LANES 8
#define LOW 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH 4, 12, 5, 13, 6, 14, 7, 15
#include "interp/library/mover_loop.h"
#undef T
#undef NAME
#undef LANES
#undef LOW
#undef HIGH

#define T uint32_t
#define NAME(name) name##_4
#define LANES 4
#define LOW 0, 4, 1, 5
#define HIGH 2, 6, 3, 7
#include "interp/library/mover_loop.h"
#undef T
#undef NAME
#undef LANES
#undef LOW
#undef HIGH

#define T uint64_t
#define NAME(name) name##_8
#define LANES 2
#define LOW 0, 2
#define HIGH 1, 3
#include "interp/library/mover_loop.h"
#undef T
#undef NAME
#undef LANES
#undef LOW
#undef HIGH

/* Copies N bytes, most often few. */
static inline __attribute__((always_inline)) void copy_few(char *restrict to,
                                                           const char *restrict from, int64_t n)
{
    if (n > 128) {
        memcpy(to, from, (size_t)n);
    } else if (n > 32) {
        for (int64_t i = 0; i < n - 32; i += 32)
            memcpy(to + i, from + i, 32);
        memcpy(to + n - 32, from + n - 32, 32);
    } else if (n >= 16) {
        memcpy(to, from, 16);
        memcpy(to + n - 16, from + n - 16, 16);
    } else if (n >= 8) {
        memcpy(to, from, 8);
        memcpy(to + n - 8, from + n - 8, 8);
    } else {
        for (int64_t i = 0; i < n; i++)
            to[i] = from[i];
    }
}

/* Makes N copies of the SIZE bytes at TO, the first of them, one behind the other: each time as
 * many as are there. */
static void copy_on(char *to, int64_t size, int64_t n)
{
    for (int64_t made = 1, more; made < n; made += more) {
        more = made < n - made ? made : n - made;
        memcpy(to + made * size, to, (size_t)(more * size));
    }
}

enum { AGAIN = 512 }; /* bytes */

static void runs(const struct move *m, char *to, const char *from)
{
    const struct axis outer = *outer_of(m), inner = *inner_of(m);
    /* A few short copies are sooner made one by one. */
    bool again = inner.from == 0 && inner.to == m->size && inner.n * m->size >= AGAIN;

    for (int64_t r = 0; r < outer.n; r++, to += outer.to, from += outer.from) {
        for (int64_t i = 0; i < (again ? 1 : inner.n); i++)
            copy_few(to + i * inner.to, from + i * inner.from, m->size);
        if (again)
            copy_on(to, m->size, inner.n);
    }
}

/* The loops for elements of a size; those that are NULL are left to `each`. */
struct loops {
    move_fn *each, *fill, *repeat, *zip, *unzip, *turn;
    int64_t lanes; /* both axes of what is turned have as many elements */
};

static const struct loops *loops_of(int64_t size)
{
    static const struct loops any = {.each = runs},
                              one = {each_1, fill_1, repeat_1, zip_1, unzip_1, turn_1, 16},
                              two = {each_2, fill_2, repeat_2, zip_2, unzip_2, turn_2, 8},
                              four = {each_4, fill_4, repeat_4, zip_4, unzip_4, turn_4, 4},
                              eight = {each_8, fill_8, repeat_8, zip_8, unzip_8, turn_8, 2};

    switch (size) {
    case 1:
        return &one;
    case 2:
        return &two;
    case 4:
        return &four;
    case 8:
        return &eight;
    default:
        return &any;
    }
}

/* Adds A before the axes whose elements are closer together in the result. */
static void add_axis(struct move *m, struct axis a)
{
    int k = m->rank++;

    for (; k > 0 && m->axis[k - 1].to < a.to; k--)
        m->axis[k] = m->axis[k - 1];
    m->axis[k] = a;
}

/* An axis that is shown from its end in the result is walked over from the other end. */
static void list_axes(struct move *m, const inlay_tensor *dst, const inlay_tensor *src)
{
    int64_t size = inlay_type_info_of(dst->type)->bits / 8;

    m->to = (char *)dst->data + dst->offset * size;
    m->from = (const char *)src->data + src->offset * size;
    m->size = size;
    m->rank = 0;
    for (int i = 0; i < dst->rank; i++) {
        struct axis a = {dst->dims[i], dst->strides[i] * size, src->strides[i] * size};

        if (a.n == 1)
            continue;
        if (a.to < 0) {
            m->to += (a.n - 1) * a.to;
            m->from += (a.n - 1) * a.from;
            a.to = -a.to;
            a.from = -a.from;
        }
        add_axis(m, a);
    }
}

static void merge_axes(struct move *m)
{
    int n = 0;

    for (int i = 0; i < m->rank; i++) {
        struct axis a = m->axis[i], *last = n > 0 ? &m->axis[n - 1] : NULL;

        if (last && last->to == a.n * a.to && last->from == a.n * a.from)
            *last = (struct axis){last->n * a.n, a.to, a.from};
        else
            m->axis[n++] = a;
    }
    m->rank = n;
    if (n > 0 && inner_of(m)->to == m->size && inner_of(m)->from == m->size)
        m->size *= m->axis[--m->rank].n;
    while (m->rank < 2) { /* the loops have two axes */
        m->axis[1] = m->axis[0];
        m->axis[0] = (struct axis){.n = 1};
        m->rank++;
    }
}

static int64_t distance(int64_t step)
{
    return step < 0 ? -step : step;
}

/* Makes the axis that is the closest together in the data the last but one, if it is closer there
 * than the last one. Returns whether it is. */
static bool find_closer(struct move *m)
{
    int last = m->rank - 1, best = last;
    struct axis a;

    for (int i = 0; i < last; i++) {
        if (m->axis[i].from != 0 && distance(m->axis[i].from) < distance(m->axis[best].from))
            best = i;
    }
    a = m->axis[best];
    if (best == last)
        return false;
    memmove(&m->axis[best], &m->axis[best + 1], (size_t)(last - 1 - best) * sizeof a);
    m->axis[last - 1] = a;
    return true;
}

static move_fn *choose(struct move *m)
{
    const struct loops *l = loops_of(m->size);
    struct axis *outer = &m->axis[m->rank - 2], *inner = outer + 1, a;

    if (l->fill && inner->from == 0 && inner->to == m->size)
        return inner->n < SHORT && outer->from == m->size && outer->to == inner->n * m->size
                   ? l->repeat
                   : l->fill;
    if (!find_closer(m))
        return l->each;
    if (l->turn && inner->to == m->size && outer->from == m->size && inner->n >= l->lanes &&
        outer->n >= l->lanes)
        return l->turn;
    if (outer->from == m->size && inner->from == outer->n * m->size && inner->to == m->size &&
        l->unzip && outer->n <= ZIPPED)
        return l->unzip;
    if (inner->n >= SHORT || inner->n >= outer->n)
        return l->each;
    a = *inner;
    *inner = *outer;
    *outer = a;
    return l->zip && inner->from == m->size && inner->to == outer->n * m->size &&
                   outer->to == m->size && outer->n <= ZIPPED
               ? l->zip
               : l->each;
}

static void move_all(const struct move *m, move_fn *fn)
{
    int64_t at[INLAY_MAX_RANK] = {0};
    char *to = m->to;
    const char *from = m->from;
    int i;

    do {
        fn(m, to, from);
        for (i = m->rank - 3; i >= 0; i--) {
            const struct axis *a = &m->axis[i];

            to += a->to;
            from += a->from;
            if (++at[i] < a->n)
                break;
            at[i] = 0;
            to -= a->n * a->to;
            from -= a->n * a->from;
        }
    } while (i >= 0);
}

/* Does all that M writes but for its first axis lie side by side? */
static bool is_whole(const struct move *m)
{
    int64_t bytes = m->size;

    for (int i = m->rank - 1; i > 0; bytes *= m->axis[i--].n) {
        if (m->axis[i].to != bytes)
            return false;
    }
    return m->axis[0].to == bytes;
}

/* Returns whether elements are whole bytes, and none that is written is read. */
static bool may_move(const inlay_tensor *dst, const inlay_tensor *src)
{
    return !inlay_type_refers(dst->type) && inlay_type_info_of(dst->type)->bits % 8 == 0 &&
           dst->type == src->type && inlay_tensor_same_dims(dst, src) &&
           inlay_tensor_count(dst) > 0 &&
           !(inlay_tensor_is_dense(dst) && inlay_tensor_is_dense(src)) && !bound_overlap(dst, src);
}

bool library_assign(inlay_tensor *dst, const inlay_tensor *src)
{
    int64_t copies = 1, size;
    struct move m;

    if (!may_move(dst, src))
        return inlay_tensor_assign(dst, src);
    list_axes(&m, dst, src);
    merge_axes(&m);
    size = m.axis[0].to;
    if (m.rank > 2 && m.axis[0].from == 0 &&
        is_whole(&m)) { /* the others are copies of the first */
        copies = m.axis[0].n;
        m.axis[0].n = 1;
    }
    move_all(&m, choose(&m));
    copy_on(m.to, size, copies);
    return true;
}
