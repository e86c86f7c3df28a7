/* The strides that regions expect (ir/graph/region.h), on random chains of views.
 * The test writes down for each value where each of its elements stands, and moves these places as
 * the operation says; strides must show exactly them. INLAY_SEED=N tries the one chain of seed
 * N. */
#include "generate/rng.h"
#include "graphs.h"
#include "ir/graph/region.h"
#include "ir/shared.h"
#include "seeds.h"

enum { LINKS = 6, ROOM = 6 * 6 * 6, TEXT = 8192, RANK = 6 };

/* A value: its sizes, and the place of each element, in row-major order. */
typedef struct places {
    int rank;
    int64_t dims[RANK], n, at[ROOM];
} places;

static int64_t count_of(const places *p)
{
    int64_t n = 1;

    for (int i = 0; i < p->rank; i++)
        n *= p->dims[i];
    return n;
}

/* Returns the place of the element of P with INDEX. */
static int64_t place(const places *p, const int64_t *index)
{
    int64_t k = 0;

    for (int i = 0; i < p->rank; i++)
        k = k * p->dims[i] + index[i];
    return p->at[k];
}

/* Finds the index of the element number K of P. */
static void index_of(const places *p, int64_t k, int64_t *index)
{
    for (int i = p->rank; i-- > 0; k /= p->dims[i])
        index[i] = k % p->dims[i];
}

static void make_dense(places *p)
{
    p->n = count_of(p);
    for (int64_t k = 0; k < p->n; k++)
        p->at[k] = k;
}

typedef enum form_kind { NOT_SHOWN, DENSE, STRIDED, OPEN } form_kind;

/* Says how a value must lie, with the strides of its axes of more than one element. */
typedef struct form {
    form_kind kind;
    int rank;
    int64_t dims[RANK], strides[RANK];
} form;

/* Values v0, v1 and so on, each of which is made of the one before. */
typedef struct chain {
    uint64_t seed;
    int n;                           /* the one that is being made, or looked at */
    char text[TEXT];                 /* the graph */
    int output[LINKS + 1];           /* of its node */
    inlay_note_kind note[LINKS + 1]; /* INLAY_VIEW_OF where nothing is said */
    form wanted[LINKS + 1];
} chain;

/* Writes WORDS, where @ stands for the number of the link and $ for the value before it. */
static void add(chain *c, const char *words)
{
    size_t at = strlen(c->text);

    for (const char *w = words; *w; w++) {
        if (*w == '@')
            at += (size_t)snprintf(c->text + at, TEXT - at, "%d", c->n);
        else if (*w == '$')
            at += (size_t)snprintf(c->text + at, TEXT - at, "%%v%d:%d", c->n - 1,
                                   c->output[c->n - 1]);
        else if (at + 1 < TEXT)
            c->text[at++] = *w;
    }
    assert_true(at + 1 < TEXT);
    c->text[at] = '\0';
}

static void add_list(chain *c, const int64_t *list, int n)
{
    char word[32];

    add(c, "[");
    for (int i = 0; i < n; i++) {
        snprintf(word, sizeof word, "%s%lld", i ? ", " : "", (long long)list[i]);
        add(c, word);
    }
    add(c, "]");
}

/* Writes the N numbers of LIST as the constant that LETTER and the number of the link name. */
static void add_constant(chain *c, const char *letter, const int64_t *list, int n)
{
    char word[32];

    add(c, "%");
    add(c, letter);
    snprintf(word, sizeof word, "@ = Const-1 {value = i64[%d] ", n);
    add(c, word);
    add_list(c, list, n);
    add(c, "}\n");
}

/* Where windows begin, stop, their steps, and along which axes they are. */
typedef struct lists {
    int64_t begin[RANK + 1], stop[RANK + 1], step[RANK + 1], axes[RANK + 1];
} lists;

static void add_lists(chain *c, const lists *l, int n)
{
    add_constant(c, "b", l->begin, n);
    add_constant(c, "e", l->stop, n);
    add_constant(c, "s", l->step, n);
    add_constant(c, "a", l->axes, n);
}

/* Draws windows of some positions on each axis, forwards or backwards: those of Y in X. */
static lists cut(rng *r, const places *x, places *y)
{
    lists l;
    int64_t *begin = l.begin, *stop = l.stop, *step = l.step, *axes = l.axes;

    *y = (places){.rank = x->rank};
    for (int i = 0; i < x->rank; i++) {
        bool back = rng_one_in(r, 3);
        int64_t room;

        axes[i] = i;
        begin[i] = rng_one_in(r, 2) ? rng_in(r, 0, x->dims[i] - 1) : back ? x->dims[i] - 1 : 0;
        step[i] = rng_in(r, 1, 2);
        room = (back ? begin[i] : x->dims[i] - 1 - begin[i]) / step[i] + 1;
        y->dims[i] = rng_one_in(r, 2) ? room : rng_in(r, 1, room);
        step[i] = back ? -step[i] : step[i];
        stop[i] = begin[i] + y->dims[i] * step[i];
        if (stop[i] < 0)
            stop[i] = -1000; /* before the first position; -1 is the last */
    }
    y->n = count_of(y);
    for (int64_t k = 0; k < y->n; k++) {
        int64_t index[RANK];

        index_of(y, k, index);
        for (int i = 0; i < x->rank; i++)
            index[i] = begin[i] + index[i] * step[i];
        y->at[k] = place(x, index);
    }
    return l;
}

static void add_slice(rng *r, chain *c, const places *x, places *y)
{
    lists l = cut(r, x, y);

    add_lists(c, &l, x->rank);
    add(c, "%v@ = Slice-8($, %b@, %e@, %s@, %a@)\n");
}

/* Adds a StridedSlice. Axes of one element may go, and one may come at entry AT of the lists. */
static void add_strided(rng *r, chain *c, const places *x, places *y)
{
    lists l = cut(r, x, y);
    bool new = x->rank < RANK &&rng_one_in(r, 2);
    int at = new ? (int)rng_in(r, 0, x->rank) : -1, n = 0, rank = 0;
    int64_t shrinks[RANK + 1] = {0}, comes[RANK + 1] = {0}, none[RANK + 1] = {0}, dims[RANK];
    lists all = {.stop = {0}};

    for (int i = 0; i <= x->rank; i++) {
        if (i == at) {
            comes[n] = all.step[n] = dims[rank++] = 1;
            n++;
        }
        if (i == x->rank)
            break;
        all.begin[n] = l.begin[i];
        all.stop[n] = l.stop[i];
        all.step[n] = l.step[i];
        shrinks[n] = y->dims[i] == 1 && rank > 0 && rng_one_in(r, 2);
        if (!shrinks[n++])
            dims[rank++] = y->dims[i];
    }
    y->rank = rank;
    memcpy(y->dims, dims, (size_t)rank * sizeof *dims);
    add_lists(c, &all, n);
    add(c, "%v@ = StridedSlice-1($, %b@, %e@, %s@) {begin_mask = ");
    add_list(c, none, n);
    add(c, ", end_mask = ");
    add_list(c, none, n);
    add(c, ", new_axis_mask = ");
    add_list(c, comes, n);
    add(c, ", shrink_axis_mask = ");
    add_list(c, shrinks, n);
    add(c, "}\n");
}

/* Adds a value that is computed into the window of a scatter, whose data is the value before. */
static void add_into(rng *r, chain *c, const places *x, places *y)
{
    lists l = cut(r, x, y);

    add_lists(c, &l, x->rank);
    add(c, "%x@ = Slice-8($, %b@, %e@, %s@, %a@)\n"
           "%v@ = Exp-1(%x@)\n"
           "%r@ = SliceScatter-15($, %v@, %b@, %e@, %s@, %a@)\n");
    c->note[c->n] = INLAY_INTO;
}

static void add_order(rng *r, chain *c, const places *x, places *y)
{
    bool reversed = rng_one_in(r, 3);
    int64_t order[RANK];

    *y = (places){.rank = x->rank, .n = x->n};
    for (int i = 0; i < x->rank; i++)
        order[i] = reversed ? x->rank - 1 - i : i;
    for (int i = x->rank; !reversed && i-- > 1;) {
        int64_t k = rng_in(r, 0, i), last = order[i];

        order[i] = order[k];
        order[k] = last;
    }
    for (int i = 0; i < x->rank; i++)
        y->dims[i] = x->dims[order[i]];
    for (int64_t k = 0; k < y->n; k++) {
        int64_t index[RANK], from[RANK] = {0};

        index_of(y, k, index);
        for (int i = 0; i < x->rank; i++)
            from[order[i]] = index[i];
        y->at[k] = place(x, from);
    }
    add_constant(c, "o", order, reversed ? 0 : x->rank);
    add(c, "%v@ = Transpose-1($, %o@)\n");
}

/* Adds a Reverse along axes that are drawn, counted from either end. */
static void add_reverse(rng *r, chain *c, const places *x, places *y)
{
    int64_t axes[RANK];
    bool back[RANK];
    int n = 0;

    *y = *x;
    for (int i = 0; i < x->rank; i++) {
        back[i] = rng_one_in(r, 2);
        if (back[i])
            axes[n++] = rng_one_in(r, 2) ? i : i - x->rank;
    }
    for (int64_t k = 0; k < y->n; k++) {
        int64_t index[RANK];

        index_of(y, k, index);
        for (int i = 0; i < x->rank; i++)
            index[i] = back[i] ? x->dims[i] - 1 - index[i] : index[i];
        y->at[k] = place(x, index);
    }
    add_constant(c, "r", axes, n);
    add(c, "%v@ = Reverse-1($, %r@) {mode = index}\n");
}

/* Adds the same elements in sizes that are drawn: each prime factor goes to one of the axes. */
static void add_reshape(rng *r, chain *c, const places *x, places *y)
{
    int64_t left = x->n;

    *y = *x;
    y->rank = (int)rng_in(r, 1, 4);
    for (int i = 0; i < y->rank; i++)
        y->dims[i] = 1;
    for (int64_t f = 2; left > 1; f++) {
        for (; left % f == 0; left /= f)
            y->dims[rng_in(r, 0, y->rank - 1)] *= f;
    }
    add_constant(c, "c", y->dims, y->rank);
    add(c, "%v@ = Reshape-1($, %c@) {special_zero = false}\n");
}

/* Adds the second of two parts of an axis. */
static void add_part(rng *r, chain *c, const places *x, places *y)
{
    int64_t axis = rng_in(r, 0, x->rank - 1);
    int64_t first = rng_in(r, 0, x->dims[axis] - 1), parts[2] = {first, x->dims[axis] - first};

    *y = *x;
    y->dims[axis] = parts[1];
    y->n = count_of(y);
    for (int64_t k = 0; k < y->n; k++) {
        int64_t index[RANK];

        index_of(y, k, index);
        index[axis] += first;
        y->at[k] = place(x, index);
    }
    add_constant(c, "a", &axis, 1);
    add_constant(c, "l", parts, 2);
    add(c, "%v@:2 = VariadicSplit-1($, %a@, %l@)\n");
    c->output[c->n] = 1;
}

/* Adds a value that is written over the value before. */
static void add_pointwise(rng *r, chain *c, const places *x, places *y)
{
    (void)r;
    *y = *x;
    add(c, "%v@ = Abs-1($)\n");
    c->note[c->n] = INLAY_OVERWRITES;
}

/* Do strides show P? An axis of one element has no stride, and 0 stands for it. */
static bool find_strides(const places *p, int64_t *strides)
{
    int64_t step = 1;

    for (int i = p->rank; i-- > 0; step *= p->dims[i])
        strides[i] = p->dims[i] > 1 ? p->at[step] - p->at[0] : 0;
    for (int64_t k = 0; k < p->n; k++) {
        int64_t index[RANK], at = p->at[0];

        index_of(p, k, index);
        for (int i = 0; i < p->rank; i++)
            at += index[i] * strides[i];
        if (at != p->at[k])
            return false;
    }
    return true;
}

static bool is_dense(const places *p)
{
    for (int64_t k = 0; k < p->n; k++) {
        if (p->at[k] != p->at[0] + k)
            return false;
    }
    return true;
}

static void find_form(const places *p, form *f)
{
    bool shown = find_strides(p, f->strides);

    f->kind = is_dense(p) ? DENSE : shown ? STRIDED : NOT_SHOWN;
    f->rank = p->rank;
    memcpy(f->dims, p->dims, sizeof f->dims);
}

typedef void link(rng *r, chain *c, const places *x, places *y);

/* Draws a chain. A value that no strides can show is a copy, which is dense. */
static void make_chain(rng *r, chain *c)
{
    static link *const links[] = {add_slice, add_into,      add_order,   add_reshape, add_reshape,
                                  add_part,  add_pointwise, add_strided, add_reverse};
    places at[LINKS + 1];

    at[0].rank = (int)rng_in(r, 1, 3);
    for (int i = 0; i < at[0].rank; i++)
        at[0].dims[i] = rng_in(r, 2, 6);
    make_dense(&at[0]);
    add(c, "%v0 = Parameter-1 {element_type = f32, shape = [");
    for (int i = 0; i < at[0].rank; i++) {
        char size[32];

        snprintf(size, sizeof size, "%s%lld", i ? ", " : "", (long long)at[0].dims[i]);
        add(c, size);
    }
    add(c, "]}\n");
    for (c->n = 1; c->n <= LINKS; c->n++) {
        c->note[c->n] = INLAY_VIEW_OF;
        links[rng_in(r, 0, (int64_t)(sizeof links / sizeof links[0]) - 1)](r, c, &at[c->n - 1],
                                                                           &at[c->n]);
        find_form(&at[c->n], &c->wanted[c->n]);
        if (c->wanted[c->n].kind == NOT_SHOWN)
            make_dense(&at[c->n]);
    }
}

static form form_of(const inlay_region *r, bool shown)
{
    form f = {.rank = r->rank};
    bool known = inlay_region_axes(r, f.dims, f.strides);

    f.kind = !shown ? NOT_SHOWN : inlay_region_is_dense(r) ? DENSE : known ? STRIDED : OPEN;
    return f;
}

static void check_form(const chain *c, const form *wanted, const form *found)
{
    static const char *const words[] = {"no strides", "dense", "strided", "open"};

    if (found->kind != wanted->kind)
        fail_msg("seed %llu, link %d: %s, wanted %s\n%s", (unsigned long long)c->seed, c->n,
                 words[found->kind], words[wanted->kind], c->text);
    for (int i = 0; wanted->kind == STRIDED && i < wanted->rank; i++) {
        if (wanted->dims[i] > 1 && found->strides[i] != wanted->strides[i])
            fail_msg("seed %llu, link %d, axis %d: stride %lld, wanted %lld\n%s",
                     (unsigned long long)c->seed, c->n, i, (long long)found->strides[i],
                     (long long)wanted->strides[i], c->text);
    }
}

static inlay_node *node_called(const inlay_graph *g, char letter, int n)
{
    char name[16];

    snprintf(name, sizeof name, "%c%d", letter, n);
    for (inlay_node *node = g->first; node; node = node->next) {
        if (strcmp(node->name, name) == 0)
            return node;
    }
    fail_msg("there is no node %s", name);
    return NULL;
}

/* V as a view of what lies at OUTER. */
static const inlay_region *view_of(inlay_arena *a, const inlay_region *outer, const inlay_value *v,
                                   bool *shown)
{
    int64_t begin = v->index == 0 ? 0 : inlay_value_cut_end(&v->node->out[0], 0);

    return inlay_region_view(a, outer, v, begin, shown);
}

/* Asks how the value of a link, noted as the chain says, lies where the one before lies at OUTER.
 * Returns where that is. What no strides show is a copy. */
static const inlay_region *check_link(const chain *c, const inlay_graph *g, inlay_arena *a,
                                      const inlay_region *outer)
{
    const inlay_value *v = &node_called(g, 'v', c->n)->out[c->output[c->n]];
    const inlay_region *r = outer;
    bool shown = true;
    form found;

    if (c->note[c->n] == INLAY_VIEW_OF)
        r = view_of(a, outer, v, &shown);
    else if (c->note[c->n] == INLAY_INTO)
        r = inlay_region_window(a, outer, v, node_called(g, 'r', c->n));
    assert_non_null(r);
    found = form_of(r, shown);
    check_form(c, &c->wanted[c->n], &found);
    return shown ? r : inlay_region_whole(a, v);
}

static void check_seed(uint64_t seed, uint64_t *kinds)
{
    rng r = {seed};
    chain c = {.seed = seed};
    inlay_arena *a = inlay_arena_new();
    const inlay_region *where;
    inlay_graph *g;

    make_chain(&r, &c);
    g = graph_of(c.text);
    where = inlay_region_whole(a, node_called(g, 'v', 0)->out);
    for (c.n = 1; c.n <= LINKS; c.n++) {
        where = check_link(&c, g, a, where);
        kinds[c.wanted[c.n].kind]++;
    }
    inlay_graph_free(g);
    inlay_arena_free(a);
}

static void test_random_chains(void **state)
{
    const seed_range s = seeds_to_try(3000, 500);
    uint64_t kinds[4] = {0};

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        check_seed(seed, kinds);
    assert_true(!s.whole || (kinds[DENSE] > s.n / 2 && kinds[STRIDED] > s.n / 2 &&
                             kinds[NOT_SHOWN] > s.n / 20));
}

/* Asks how v2 lies, where BODY does not say everything: v0 is the parameter, v1 a view of it. */
static void check_unknown(const char *body, form_kind wanted)
{
    inlay_graph *g = graph_of(body);
    inlay_arena *a = inlay_arena_new();
    const inlay_region *r = inlay_region_whole(a, node_called(g, 'v', 0)->out);
    bool shown;

    r = view_of(a, r, node_called(g, 'v', 1)->out, &shown);
    r = view_of(a, r, node_called(g, 'v', 2)->out, &shown);
    assert_int_equal(form_of(r, shown).kind, wanted);
    inlay_graph_free(g);
    inlay_arena_free(a);
}

#define COLUMNS                                                                                    \
    "%b = Const-1 {value = i64[1] [1]}\n"                                                          \
    "%e = Const-1 {value = i64[1] [3]}\n"                                                          \
    "%v1 = Slice-8(%v0, %b, %e, %b, %b)\n"
#define SIZES "%v0 = Parameter-1 {element_type = f32, shape = [6,4]}\n" COLUMNS

/* No strides are given where sizes, or the order of the axes, are not known. */
static void test_unknown(void **state)
{
    check_unknown("%v0 = Parameter-1 {element_type = f32, shape = [6,?]}\n" COLUMNS
                  "%v2 = Slice-8(%v1, %b, %e, %b)\n",
                  OPEN);
    check_unknown(SIZES "%o = Parameter-1 {element_type = i64, shape = [2]}\n"
                        "%v2 = Transpose-1(%v1, %o)\n",
                  OPEN);
    check_unknown(SIZES "%p = Parameter-1 {element_type = i64, shape = [1]}\n"
                        "%o = Concat-1(%b, %p) {axis = 0}\n"
                        "%v2 = Transpose-1(%v1, %o)\n",
                  OPEN);
    check_unknown(SIZES "%c = Parameter-1 {element_type = i64, shape = [1]}\n"
                        "%v2 = Reshape-1(%v1, %c) {special_zero = false}\n",
                  NOT_SHOWN);
    check_unknown("%v0 = Parameter-1 {element_type = f32, shape = [6,?]}\n" COLUMNS
                  "%v2 = Unsqueeze-1(%v1, %b)\n",
                  OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_chains),
        cmocka_unit_test(test_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
