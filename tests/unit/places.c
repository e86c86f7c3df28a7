#include "places.h"
#include "unit.h"

void count_places(places *p)
{
    p->n = 1;
    for (int i = 0; i < p->rank; i++)
        p->n *= p->dims[i];
}

void collect_places(places *p)
{
    p->set[0] = p->set[1] = 0;
    for (int i = 0; i < p->n; i++)
        p->set[p->at[i] / 64] |= UINT64_C(1) << p->at[i] % 64;
}

void index_of(const places *p, int k, int *index)
{
    for (int i = p->rank; i-- > 0; k /= p->dims[i])
        index[i] = k % p->dims[i];
}

int element_at(const places *p, const int *index)
{
    int k = 0;

    for (int i = 0; i < p->rank; i++)
        k = k * p->dims[i] + index[i];
    return k;
}

places all_places(int rank, const int *dims)
{
    places p = {.rank = rank};

    for (int i = 0; i < rank; i++)
        p.dims[i] = dims[i];
    count_places(&p);
    for (int i = 0; i < p.n; i++)
        p.at[i] = (uint8_t)i;
    collect_places(&p);
    return p;
}

places places_in(const places *p, const inlay_window *w)
{
    places out = {.rank = p->rank};
    int index[AXES];

    for (int i = 0; i < p->rank; i++)
        out.dims[i] = (int)w[i].count;
    count_places(&out);
    for (int k = 0; k < out.n; k++) {
        index_of(&out, k, index);
        for (int i = 0; i < p->rank; i++)
            index[i] = (int)(w[i].begin + w[i].step * index[i]);
        out.at[k] = p->at[element_at(p, index)];
    }
    collect_places(&out);
    return out;
}

/* The four relations */

static bool meet(const places *a, const places *b)
{
    return (a->set[0] & b->set[0]) || (a->set[1] & b->set[1]);
}

static bool lies_inside(const places *a, const places *b)
{
    return !(a->set[0] & ~b->set[0]) && !(a->set[1] & ~b->set[1]);
}

static bool are_same(const places *a, const places *b)
{
    return a->n == b->n && memcmp(a->at, b->at, (size_t)a->n) == 0;
}

static bool are_shifted(const places *a, const places *b)
{
    bool shifted = a->n == b->n;

    for (int i = 1; shifted && i < a->n; i++)
        shifted = a->at[i] > a->at[i - 1] && a->at[i] - b->at[i] == a->at[0] - b->at[0];
    return shifted;
}

void check_pair(const inlay_region *a, const places *p, const inlay_region *b, const places *q,
                bool exact, const int *dims, int i, int j)
{
    const bool said[] = {!inlay_region_meets(a, b), inlay_region_inside(a, b),
                         inlay_region_same(a, b),
                         inlay_region_shifted(a, b) && (exact || p->n == q->n)};
    const bool is[] = {!meet(p, q), lies_inside(p, q), are_same(p, q), are_shifted(p, q)};
    static const char *const words[] = {"apart", "inside", "same", "shifted"};

    exact = exact && p->n > 0 && q->n > 0;
    for (int k = 0; k < 4; k++) {
        if (said[k] != is[k] && (said[k] || (exact && (k < 3 || !a->frame->shows))))
            fail_msg("%d,%d,%d, values %d and %d: %s is %s", dims[0], dims[1], dims[2], i, j,
                     words[k], said[k] ? "said, but not so" : "not said");
    }
}
