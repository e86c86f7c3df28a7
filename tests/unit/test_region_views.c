/* The algebra of regions (ir/graph/region.h) against sets of positions (places.h): all pairs of
 * views of views of a buffer, and how the elements of each view lie. */
#include "graphs.h"
#include "ir/graph/node.h"
#include "places.h"

enum { MOST_VIEWS = 3000, TEXT = 1 << 20 };

/* The values of one graph: the buffer first, then views of those before. */
typedef struct views {
    int n;
    places places[MOST_VIEWS];
    bool turned[MOST_VIEWS]; /* a view that is no window of its operand */
    const inlay_region *region[MOST_VIEWS];
    char *text;
    size_t used;
} views;

INLAY_PRINTF(2, 3) static void say(views *v, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    v->used += (size_t)vsnprintf(v->text + v->used, TEXT - v->used, fmt, args);
    va_end(args);
    assert_true(v->used < TEXT);
}

/* A constant LIST of RANK numbers, called NAME and the number of the view it is for. */
static void say_list(views *v, const char *name, int rank, const int64_t *list)
{
    say(v, "%%%s%d = Const-1 {value = i64[%d] [", name, v->n, rank);
    for (int i = 0; i < rank; i++)
        say(v, "%s%lld", i ? ", " : "", (long long)list[i]);
    say(v, "]}\n");
}

static places *next(views *v, bool turned)
{
    assert_true(v->n < MOST_VIEWS);
    v->turned[v->n] = turned;
    return &v->places[v->n++];
}

static void slice(views *v, int of, const inlay_window *w)
{
    const places *p = &v->places[of];
    int64_t list[4][AXES];

    for (int i = 0; i < p->rank; i++) {
        int64_t end = w[i].begin + w[i].step * w[i].count;

        list[0][i] = w[i].begin;
        list[1][i] = end < 0 ? -p->dims[i] - 1 : end; /* -1 is the last element */
        list[2][i] = w[i].step;
        list[3][i] = i;
    }
    say_list(v, "b", p->rank, list[0]);
    say_list(v, "e", p->rank, list[1]);
    say_list(v, "s", p->rank, list[2]);
    say_list(v, "a", p->rank, list[3]);
    say(v, "%%v%d = Slice-8(%%v%d, %%b%d, %%e%d, %%s%d, %%a%d)\n", v->n, of, v->n, v->n, v->n,
        v->n);
    *next(v, false) = places_in(p, w);
}

/* A few windows of each axis: all, backwards, all but the first, every second one, the last. */
static void slices(views *v, int of)
{
    const places *p = &v->places[of];
    const int kinds = p->rank == 1 ? 5 : p->rank == 2 ? 4 : 2;

    for (int k = 0; p->n > 0 && k < kinds * kinds * kinds; k++) {
        const int kind[AXES] = {k % kinds, k / kinds % kinds, k / (kinds * kinds)};
        inlay_window w[AXES];

        if ((p->rank < 2 && kind[1] > 0) || (p->rank < 3 && kind[2] > 0))
            continue;
        for (int i = 0; i < p->rank; i++) {
            const int size = p->dims[i];
            const inlay_window all[] = {{1, size - 1, 1},
                                        {size - 1, size, -1},
                                        {0, (size + 1) / 2, 2},
                                        {0, size, 1},
                                        {size - 1, 1, 1}};

            w[i] = all[kind[i]];
        }
        slice(v, of, w);
    }
}

static void transpose(views *v, int of, const int *order)
{
    const places *p = &v->places[of];
    int64_t list[AXES];
    places out = {.rank = p->rank};

    for (int i = 0; i < p->rank; i++) {
        list[i] = order[i];
        out.dims[i] = p->dims[order[i]];
    }
    count_places(&out);
    for (int k = 0; k < out.n; k++) {
        int to[AXES], from[AXES];

        index_of(&out, k, to);
        for (int i = 0; i < p->rank; i++)
            from[order[i]] = to[i];
        out.at[k] = p->at[element_at(p, from)];
    }
    collect_places(&out);
    say_list(v, "o", p->rank, list);
    say(v, "%%v%d = Transpose-1(%%v%d, %%o%d)\n", v->n, of, v->n);
    *next(v, true) = out;
}

static void transposes(views *v, int of)
{
    static const int orders[][AXES] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0},
                                       {1, 2, 0}, {2, 0, 1}, {0, 2, 1}};
    static const int of_rank[] = {0, 1, 2, 6};

    for (int i = 0; i < of_rank[v->places[of].rank]; i++)
        transpose(v, of, orders[i]);
}

static void reverse(views *v, int of, int axis)
{
    const places *p = &v->places[of];
    inlay_window w[AXES];

    for (int i = 0; i < p->rank; i++)
        w[i] = i == axis ? (inlay_window){p->dims[i] - 1, p->dims[i], -1}
                         : (inlay_window){0, p->dims[i], 1};
    say_list(v, "r", 1, &(int64_t){axis});
    say(v, "%%v%d = Reverse-1(%%v%d, %%r%d) {mode = index}\n", v->n, of, v->n);
    *next(v, true) = places_in(p, w);
}

/* What a StridedSlice leaves of the first axis: all but the first, or every second one, backwards.
 */
static void strided(views *v, int of)
{
    const places *p = &v->places[of];
    const int size = p->dims[0];
    const inlay_window first[] = {{1, size - 1, 1}, {size - 1, (size + 1) / 2, -2}};

    for (int k = 0; k < 2 && size > 0; k++) {
        inlay_window w[AXES] = {first[k]};

        for (int i = 1; i < p->rank; i++)
            w[i] = (inlay_window){0, p->dims[i], 1};
        say_list(v, "b", 1, &w[0].begin);
        say_list(v, "s", 1, &w[0].step);
        say(v,
            "%%v%d = StridedSlice-1(%%v%d, %%b%d, %%b%d, %%s%d) {begin_mask = [0], "
            "end_mask = [1]}\n",
            v->n, of, v->n, v->n, v->n);
        *next(v, true) = places_in(p, w);
    }
}

static void reshapes(views *v, int of)
{
    const places *p = &v->places[of];

    for (int a = 1; a <= p->n; a++) {
        for (int b = 1; p->n % a == 0 && b <= p->n / a; b++) {
            const int64_t dims[AXES] = {a, b, p->n / a / b};
            const int rank = dims[2] > 1 ? 3 : dims[1] > 1 ? 2 : 1;
            places *out;

            if (p->n / a % b != 0)
                continue;
            say_list(v, "c", rank, dims);
            say(v, "%%v%d = Reshape-1(%%v%d, %%c%d) {special_zero = false}\n", v->n, of, v->n);
            out = next(v, true);
            *out = *p;
            out->rank = rank;
            for (int i = 0; i < rank; i++)
                out->dims[i] = (int)dims[i];
        }
    }
}

static void list_views(views *v, int of)
{
    slices(v, of);
    strided(v, of);
    transposes(v, of);
    reshapes(v, of);
    for (int i = 0; i < v->places[of].rank; i++)
        reverse(v, of, i);
}

/* Finds the strides that lead from each element of P to the next. False: none do. */
static bool find_strides(const places *p, int *strides)
{
    for (int i = 0; i < p->rank; i++) {
        int one[AXES] = {0};

        one[i] = 1;
        strides[i] = p->dims[i] > 1 ? p->at[element_at(p, one)] - p->at[0] : 0;
    }
    for (int k = 0; k < p->n; k++) {
        int index[AXES], at = p->at[0];

        index_of(p, k, index);
        for (int i = 0; i < p->rank; i++)
            at += index[i] * strides[i];
        if (at != p->at[k])
            return false;
    }
    return true;
}

/* R, a view of OF, is SHOWN by strides if there are some, and it is known how OF lies. */
static void check_strides(const inlay_region *r, const inlay_region *of, const places *p,
                          bool shown, const char *where)
{
    int64_t sizes[INLAY_MAX_RANK], steps[INLAY_MAX_RANK];
    bool known = inlay_region_axes(r, sizes, steps);
    int strides[AXES];
    bool found = find_strides(p, strides);

    if (shown != found && (shown || of->frame->strides))
        fail_msg("%s: strides %s", where, found ? "show it" : "cannot show it");
    for (int i = 0; known && i < p->rank; i++) {
        if (p->dims[i] > 1 && steps[i] != strides[i])
            fail_msg("%s: stride %d of axis %d", where, (int)steps[i], i);
    }
}

/* Do the rows of P, of elements of 4 bits, begin and end on whole bytes? */
static bool rows_on_bytes(const places *p)
{
    const int row = p->rank > 0 ? p->dims[p->rank - 1] : 1;

    for (int k = 0; k < p->n; k++) {
        bool first = k % row == 0, last = k % row == row - 1;

        if ((first && p->at[k] % 2 != 0) || (last && p->at[k] % 2 != 1) ||
            (!first && p->at[k] != p->at[k - 1] + 1))
            return false;
    }
    return true;
}

/* Reads the graph of V and compares what is said of each view and of all pairs with their places.
 */
static uint64_t check_views(views *v)
{
    const int *dims = v->places[0].dims;
    inlay_arena *arena = inlay_arena_new();
    inlay_graph *g = graph_of(v->text);
    const inlay_value *root = g->first->out, *now = root;
    char where[40];

    v->region[0] = inlay_region_whole(arena, root);
    for (int i = 1; i < v->n; i++) {
        bool shown;
        int of;

        do
            now = now->node->next->out;
        while (now->node->name[0] != 'v');
        of = atoi(inlay_node_input(now->node, 0)->node->name + 1);
        snprintf(where, sizeof where, "%d,%d,%d: v%d of v%d", dims[0], dims[1], dims[2], i, of);
        v->region[i] = inlay_region_view(arena, v->region[of], now, -1, &shown);
        if (v->turned[i] && v->places[i].n > 0)
            check_strides(v->region[i], v->region[of], &v->places[i], shown, where);
        if (inlay_region_on_bytes(v->region[i], root) && v->places[i].n > 0 &&
            !inlay_region_is_whole(v->region[i]) && !rows_on_bytes(&v->places[i]))
            fail_msg("%s: its rows are on no whole bytes", where);
    }
    for (int i = 0; i < v->n; i++) {
        for (int j = 0; j < v->n; j++)
            check_pair(v->region[i], &v->places[i], v->region[j], &v->places[j],
                       v->region[i]->frame == v->region[j]->frame, dims, i, j);
    }
    inlay_arena_free(arena);
    inlay_graph_free(g);
    return (uint64_t)v->n * (uint64_t)v->n;
}

/* The graph of V has a buffer of DIMS. */
static void begin_views(views *v, int rank, const int *dims)
{
    v->n = 0;
    v->used = 0;
    say(v, "%%v0 = Parameter-1 {element_type = u4, shape = [");
    for (int i = 0; i < rank; i++)
        say(v, "%s%d", i ? "," : "", dims[i]);
    say(v, "]}\n");
    *next(v, false) = all_places(rank, dims);
}

static void all_views(void **state)
{
    static const int dims[][AXES] = {{0},    {1},    {2},    {3},       {4},       {5},      {6},
                                     {8},    {1, 3}, {2, 2}, {2, 3},    {3, 2},    {3, 3},   {2, 4},
                                     {4, 2}, {3, 4}, {4, 3}, {1, 2, 3}, {2, 2, 2}, {2, 3, 2}};
    views *v = *state;
    uint64_t pairs = 0;

    for (size_t i = 0; i < sizeof dims / sizeof dims[0]; i++) {
        begin_views(v, dims[i][2] ? 3 : dims[i][1] ? 2 : 1, dims[i]);
        for (int k = 0, level = 0, end = 1; level < 2; level++, end = v->n) {
            for (; k < end; k++)
                list_views(v, k);
        }
        pairs += check_views(v);
    }
    print_message("# %llu pairs of views\n", (unsigned long long)pairs);
}

/* Frames in frames, more than are followed, and views of the last few. */
static void deep_views(void **state)
{
    views *v = *state;

    begin_views(v, 2, (const int[]){4, 2});
    for (int i = 0; i < 2 * INLAY_REGION_MOST_DEEP + 3; i++) {
        if (i % 2 == 0)
            transpose(v, i, (const int[]){1, 0});
        else
            reverse(v, i, 0);
    }
    for (int i = v->n - 1, end = v->n; i >= end - 4; i--)
        list_views(v, i);
    for (int i = 2 * INLAY_REGION_MOST_DEEP + 4, end = v->n; i < end; i++)
        reshapes(v, i);
    check_views(v);
}

static int begin(void **state)
{
    views *v = calloc(1, sizeof *v);

    *state = v;
    if (v)
        v->text = malloc(TEXT);
    return v && v->text ? 0 : -1;
}

static int end(void **state)
{
    free(((views *)*state)->text);
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_views), cmocka_unit_test(deep_views)};

    return cmocka_run_group_tests(tests, begin, end);
}
