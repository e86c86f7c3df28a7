/* The algebra of regions (ir/graph/region.h) against sets of positions (places.h): all pairs of
 * windows of a buffer; and windows, rows and parts of which only the run knows where they are, with
 * all numbers it may have. */
#include "claims.h"
#include "graphs.h"
#include "ir/graph/node.h"
#include "places.h"

/* All windows of a buffer */

enum { MOST_WINDOWS = 23 * 23 * 23 };

typedef struct windows {
    int n;
    inlay_window w[MOST_WINDOWS][AXES];
    inlay_region region[MOST_WINDOWS];
    places places[MOST_WINDOWS];
} windows;

/* All windows of an axis of SIZE, each of them once. */
static int axis_windows(int size, inlay_window *out)
{
    int n = 1;

    out[0] = (inlay_window){0, 0, 1};
    for (int begin = 0; begin < size; begin++) {
        out[n++] = (inlay_window){begin, 1, 1};
        for (int step = 1 - size; step < size; step++) {
            for (int last = begin + step; step != 0 && last >= 0 && last < size; last += step)
                out[n++] = (inlay_window){begin, (last - begin) / step + 1, step};
        }
    }
    return n;
}

static void list_windows(int rank, const int *dims, inlay_index_space *f, windows *out)
{
    const places all = all_places(rank, dims);
    inlay_window axis[AXES][40];
    int n[AXES] = {1, 1, 1};
    for (int i = 0; i < rank; i++)
        n[i] = axis_windows(dims[i], axis[i]);
    out->n = n[0] * n[1] * n[2];
    for (int k = 0; k < out->n; k++) {
        int at[AXES] = {k / (n[1] * n[2]), k / n[2] % n[1], k % n[2]};

        for (int i = 0; i < rank; i++)
            out->w[k][i] = axis[i][at[i]];
        out->region[k] = (inlay_region){.frame = f, .rank = rank, .windows = out->w[k]};
        out->places[k] = places_in(&all, out->w[k]);
    }
}

/* Compares all pairs of windows of all buffers of RANK axes with sizes up to SIZE. */
static uint64_t check_windows(int rank, int size)
{
    static windows all;
    uint64_t pairs = 0;

    for (int k = 0; k < (size + 1) * (size + 1) * (size + 1); k++) {
        const int dims[AXES] = {k % (size + 1), k / (size + 1) % (size + 1),
                                k / ((size + 1) * (size + 1))};
        inlay_index_space f = {.all.frame = &f, .all.rank = rank};

        if ((rank < 2 && dims[1] > 0) || (rank < 3 && dims[2] > 0))
            continue;
        list_windows(rank, dims, &f, &all);
        for (int i = 0; i < all.n; i++) {
            for (int j = 0; j < all.n; j++)
                check_pair(&all.region[i], &all.places[i], &all.region[j], &all.places[j], true,
                           dims, i, j);
        }
        pairs += (uint64_t)all.n * (uint64_t)all.n;
    }
    return pairs;
}

static void all_windows(void **state)
{
    const char *size = getenv("INLAY_REGION_SIZE"); /* of three axes */
    uint64_t pairs = check_windows(1, 5) + check_windows(2, 5);

    pairs += check_windows(3, size ? atoi(size) : getenv("INLAY_SLOW") ? 2 : 3);
    print_message("# %llu pairs of windows\n", (unsigned long long)pairs);
}

/* Numbers that only the run knows */

/* start:stop:step on an axis of SIZE, as the Slice of ONNX has it; step is above 0. */
static inlay_window cut(int start, int stop, int step, int size)
{
    inlay_window w = {0, 0, step};

    start += start < 0 ? size : 0;
    stop += stop < 0 ? size : 0;
    start = start < 0 ? 0 : start > size ? size : start;
    stop = stop < 0 ? 0 : stop > size ? size : stop;
    for (int i = start; i < stop; i += step)
        w.count++;
    w.begin = w.count > 0 ? start : 0;
    return w;
}

/* A value that is selected of another one. */
typedef struct open_value {
    const char *name;
    int of; /* which value it is selected of */
    int axis, step;
    /* p, e, f, or a digit: where a Slice begins and ends. '@' instead of an end: the row that begin
     * says; '!': two rows of updates; '<': all, backwards; '~': as '<', as some positions. */
    char begin, end;
} open_value;

static const open_value open_values[] = {
    {"d", -1, 0, 1, '0', '0'},     {"pe", 0, 0, 1, 'p', 'e'},    {"ef", 0, 0, 1, 'e', 'f'},
    {"pe2", 0, 0, 1, 'p', 'e'},    {"pf2", 0, 0, 2, 'p', 'f'},   {"ef2", 0, 0, 2, 'e', 'f'},
    {"k", 0, 0, 1, '1', '3'},      {"l", 0, 0, 2, '0', '3'},     {"pe0", 1, 0, 1, '0', '1'},
    {"ef0", 2, 0, 1, '0', '2'},    {"col", 0, 1, 1, '1', '2'},   {"colpe", 10, 0, 1, 'p', 'e'},
    {"colef", 10, 0, 1, 'e', 'f'}, {"row", 0, 0, 1, 'p', '@'},   {"below", 0, 0, 1, 'q', '@'},
    {"w", 0, 0, 1, '1', '!'},      {"back", 0, 0, -1, '0', '<'}, {"bpf", 16, 0, 2, 'p', 'f'},
    {"bef", 16, 0, 2, 'e', 'f'},   {"k", 6, 0, 1, '0', '~'},     {"k0", 19, 0, 1, '0', '1'}};
enum { OPEN_VALUES = sizeof open_values / sizeof open_values[0] };

/* The text of the graph, in which data have SIZE rows, or, below 0, any number of them. */
static const char open_text[] =
    "%%d = Parameter-1 {element_type = f32, shape = [%s,2]}\n"
    "%%p = Parameter-1 {element_type = i64, shape = [1]}\n"
    "%%e = Parameter-1 {element_type = i64, shape = [1]}\n"
    "%%f = Parameter-1 {element_type = i64, shape = [1]}\n"
    "%%u = Parameter-1 {element_type = f32, shape = [2,2]}\n"
    "%%n0 = Const-1 {value = i64[1] [0]}\n%%n1 = Const-1 {value = i64[1] [1]}\n"
    "%%n2 = Const-1 {value = i64[1] [2]}\n%%n3 = Const-1 {value = i64[1] [3]}\n"
    "%%i = Const-1 {value = i64[] 0}\n%%q = Add-1(%%p, %%n1)\n"
    "%%pe = Slice-8(%%d, %%p, %%e, %%n1, %%n0)\n%%ef = Slice-8(%%d, %%e, %%f, %%n1, %%n0)\n"
    "%%pe2 = Slice-8(%%d, %%p, %%e, %%n1, %%n0)\n%%pf2 = Slice-8(%%d, %%p, %%f, %%n2, %%n0)\n"
    "%%ef2 = Slice-8(%%d, %%e, %%f, %%n2, %%n0)\n%%k = Slice-8(%%d, %%n1, %%n3, %%n1, %%n0)\n"
    "%%l = Slice-8(%%d, %%n0, %%n3, %%n2, %%n0)\n%%pe0 = Slice-8(%%pe, %%n0, %%n1, %%n1, %%n0)\n"
    "%%ef0 = Slice-8(%%ef, %%n0, %%n2, %%n1, %%n0)\n%%col = Slice-8(%%d, %%n1, %%n2, %%n1, %%n1)\n"
    "%%colpe = Slice-8(%%col, %%p, %%e, %%n1, %%n0)\n"
    "%%colef = Slice-8(%%col, %%e, %%f, %%n1, %%n0)\n"
    "%%row = Gather-8(%%d, %%p, %%i)\n%%below = Gather-8(%%d, %%q, %%i)\n"
    "%%w = SliceScatter-15(%%d, %%u, %%n1, %%n3, %%n1, %%n0)\n"
    "%%m1 = Const-1 {value = i64[1] [-1]}\n%%m9 = Const-1 {value = i64[1] [-9]}\n"
    "%%back = Slice-8(%%d, %%m1, %%m9, %%m1, %%n0)\n"
    "%%bpf = Slice-8(%%back, %%p, %%f, %%n2, %%n0)\n"
    "%%bef = Slice-8(%%back, %%e, %%f, %%n2, %%n0)\n"
    "%%k0 = Slice-8(%%k, %%n0, %%n1, %%n1, %%n0)\n"
    "%%i1 = Const-1 {value = i64[] 1}\n%%all = Const-1 {value = i64[1] [-1]}\n"
    "%%column = Gather-8(%%d, %%p, %%i1)\n"
    "%%flat_row = Reshape-1(%%row, %%all) {special_zero = false}\n"
    "%%flat_column = Reshape-1(%%column, %%all) {special_zero = false}\n";

/* Where value I stands in a run with these numbers, by the character that calls them. False: that
 * run fails. */
static bool run_open(const int *number, int size, int i, places *all)
{
    const open_value *v = &open_values[i];
    inlay_window w[2];
    int begin = number[(unsigned char)v->begin];

    if (v->of < 0) {
        all[i] = all_places(2, (const int[]){size, 2});
        return true;
    }
    for (int k = 0; k < 2; k++)
        w[k] = (inlay_window){0, all[v->of].dims[k], 1};
    if (v->end == '@') { /* a row, counted from the end if it is below 0 */
        begin += begin < 0 ? size : 0;
        w[0] = (inlay_window){begin, 1, 1};
        if (begin < 0 || begin >= size)
            return false;
    } else if (v->end == '!') { /* updates of two rows */
        w[0] = (inlay_window){begin, 2, 1};
        if (begin + 2 > size)
            return false;
    } else if (v->end == '<' || v->end == '~') {
        w[0] = (inlay_window){all[v->of].dims[0] - 1, all[v->of].dims[0], -1};
    } else {
        w[v->axis] = cut(begin, number[(unsigned char)v->end], v->step, all[v->of].dims[v->axis]);
    }
    all[i] = places_in(&all[v->of], w);
    return true;
}

static uint64_t check_open(const inlay_region *const *r, const int *number, int size)
{
    places all[OPEN_VALUES];
    bool ran[OPEN_VALUES];

    for (int i = 0; i < OPEN_VALUES; i++)
        ran[i] = run_open(number, size, i, all);
    for (int i = 0; i < OPEN_VALUES; i++) {
        for (int j = 0; ran[i] && j < OPEN_VALUES; j++) {
            if (ran[j])
                check_pair(r[i], &all[i], r[j], &all[j], false, (const int[]){size, 2, 0}, i, j);
        }
    }
    return OPEN_VALUES * OPEN_VALUES;
}

/* A row that is picked of data follows in memory, a column of several rows does not. */
static void check_picked(inlay_arena *arena, const inlay_region *const *r, inlay_graph *g)
{
    bool shown;
    const inlay_region *column =
        inlay_region_view(arena, r[0], value_called(g, "column"), -1, &shown);

    inlay_region_view(arena, r[13], value_called(g, "flat_row"), -1, &shown);
    assert_true(shown);
    inlay_region_view(arena, column, value_called(g, "flat_column"), -1, &shown);
    assert_false(shown);
}

/* Data of SIZE rows, which the graph knows or not. */
static uint64_t check_open_size(int size, bool known)
{
    const inlay_region *r[OPEN_VALUES];
    inlay_region_room room;
    inlay_arena *arena = inlay_arena_new();
    inlay_graph *g;
    char text[4000], rows[8] = "?";
    int number[256] = {0};
    uint64_t pairs = 0;
    bool shown;

    if (known)
        snprintf(rows, sizeof rows, "%d", size);
    snprintf(text, sizeof text, open_text, rows);
    g = graph_of(text);
    for (int i = 0; i < OPEN_VALUES; i++) {
        const inlay_value *v = value_called(g, open_values[i].name);

        if (i == 0)
            r[i] = inlay_region_whole(arena, v);
        else if (v->node->op->flags & INLAY_SCATTER)
            r[i] = inlay_region_keep(arena, inlay_region_slice(r[0], v->node, &room), &room);
        else if (open_values[i].end == '~')
            r[i] = inlay_region_keep(arena, inlay_region_some(r[open_values[i].of], &room), &room);
        else
            r[i] = inlay_region_view(arena, r[open_values[i].of], v, -1, &shown);
    }
    for (int i = 0; i < 10; i++)
        number['0' + i] = i;
    for (int p = -size - 1; p <= size + 1; p++) {
        for (int e = -size - 1; e <= size + 1; e++) {
            for (int f = -size - 1; f <= size + 1; f++) {
                number['p'] = p;
                number['q'] = p + 1;
                number['e'] = e;
                number['f'] = f;
                pairs += check_open(r, number, size);
            }
        }
    }
    /* the graph knows that much */
    assert_false(inlay_region_meets(r[1], r[2]));
    assert_true(inlay_region_same(r[1], r[3]));
    assert_true(inlay_region_shifted(r[4], r[5]));
    assert_int_equal(inlay_region_meets(r[11], r[12]), !known);
    assert_true(inlay_region_inside(r[8], r[1]));
    assert_int_equal(inlay_region_meets(r[13], r[14]), !known || size < 2);
    check_picked(arena, r, g);
    inlay_arena_free(arena);
    inlay_graph_free(g);
    return pairs;
}

static void numbers_of_the_run(void **state)
{
    uint64_t pairs = 0;

    for (int size = 0; size <= 5; size++)
        pairs += check_open_size(size, false) + (size < 3 ? 0 : check_open_size(size, true));
    print_message("# %llu pairs of runs\n", (unsigned long long)pairs);
}

/* Parts of unknown sizes, in parts: o = (c = (a, b), h). */
static void parts_of_the_run(void **state)
{
    inlay_graph *g = graph_of("%a = Parameter-1 {element_type = f32, shape = [?]}\n"
                              "%b = Parameter-1 {element_type = f32, shape = [?]}\n"
                              "%h = Parameter-1 {element_type = f32, shape = [?]}\n"
                              "%n0 = Const-1 {value = i64[1] [0]}\n"
                              "%n2 = Const-1 {value = i64[1] [2]}\n"
                              "%n1 = Const-1 {value = i64[1] [1]}\n"
                              "%c = Concat-1(%a, %b) {axis = 0}\n"
                              "%o = Concat-1(%c, %h) {axis = 0}\n"
                              "%x = Slice-8(%b, %n0, %n2, %n1)\n");
    const inlay_value *a = value_called(g, "a"), *b = value_called(g, "b"),
                      *h = value_called(g, "h"), *c = value_called(g, "c"),
                      *o = value_called(g, "o");
    inlay_arena *arena = inlay_arena_new();
    inlay_region_room room;
    const inlay_region *r[6];

    r[0] = inlay_region_whole(arena, o);
    r[1] = inlay_region_part(arena, r[0], c, o);
    r[2] = inlay_region_part(arena, r[0], h, o);
    r[3] = inlay_region_part(arena, r[1], a, c);
    r[4] = inlay_region_part(arena, r[1], b, c);
    r[5] = inlay_region_slice(r[4], value_called(g, "x")->node, &room);
    for (int sizes = 0; sizes < 64; sizes++) {
        const int na = sizes % 4, nb = sizes / 4 % 4, nh = sizes / 16;
        const places all = all_places(1, (const int[]){na + nb + nh});
        const inlay_window w[6] = {{0, all.n, 1}, {0, na + nb, 1}, {na + nb, nh, 1},
                                   {0, na, 1},    {na, nb, 1},     {na, nb < 2 ? nb : 2, 1}};

        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                const places p = places_in(&all, &w[i]), q = places_in(&all, &w[j]);

                check_pair(r[i], &p, r[j], &q, false, (const int[]){na, nb, nh}, i, j);
            }
        }
    }
    for (int i = 3; i < 6; i++) {
        assert_false(inlay_region_meets(r[2], r[i]));
        assert_true(inlay_region_inside(r[i], r[1]));
        assert_int_equal(inlay_region_meets(r[3], r[i]), i == 3);
    }
    inlay_arena_free(arena);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_windows),
                                       cmocka_unit_test(numbers_of_the_run),
                                       cmocka_unit_test(parts_of_the_run)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
