/* passes/query/indices.c: patterns in all short lists of indices, beside what they are by the words
 * of the header; and which sizes the updates of a scatter must have, of all small ranks, which
 * OpenVINO's pages of the three operations say. */
#include "parser/parser.h"
#include "passes/query/indices.h"
#include "unit.h"

#include "ir/build.h"

enum { MOST = 3 }; /* axes of the data and of the indices */

struct sizes {
    int n;
    int64_t size[2 * MOST];
};

static void add(struct sizes *out, const int64_t *size, int from, int to)
{
    for (int i = from; i < to; i++)
        out->size[out->n++] = size[i];
}

static inlay_value *parameter(inlay_graph *g, inlay_type type, const struct sizes *s, int open)
{
    inlay_shape shape;

    inlay_shape_of_rank(&shape, s->n);
    for (int i = 0; i < s->n; i++)
        shape.dim[i] = i == open ? inlay_dim_any() : inlay_dim_of(s->size[i]);
    return inlay_build_parameter(g, NULL, type, &shape, NULL);
}

/* Whether the updates fit, of which size OPEN (-1: none) is not known; false where there is no such
 * scatter. */
static bool fits(const char *type, const struct sizes *data, const struct sizes *indices,
                 const struct sizes *updates, int axis, int open)
{
    inlay_graph *g = inlay_graph_new("scatter", NULL);
    inlay_value *in[] = {parameter(g, INLAY_F32, data, -1), parameter(g, INLAY_I64, indices, -1),
                         parameter(g, INLAY_F32, updates, open),
                         inlay_build_i64_scalar(g, NULL, axis, NULL)};
    inlay_node *n = inlay_build(g, NULL, type, in, axis < 0 ? 3 : 4, NULL, NULL);
    bool fit = n && scatter_updates_fit(n);

    inlay_graph_free(g);
    return fit;
}

/* Updates of the sizes WANTED fit; with one axis that is longer, or not known, they do not. */
static void check(const char *type, const struct sizes *data, const struct sizes *indices,
                  const struct sizes *wanted, int axis)
{
    if (!fits(type, data, indices, wanted, axis, -1))
        fail_msg("%s of %d and %d axes along %d: right updates do not fit", type, data->n,
                 indices->n, axis);
    for (int i = 0; i < wanted->n; i++) {
        struct sizes other = *wanted;

        other.size[i]++;
        if (fits(type, data, indices, &other, axis, -1) ||
            fits(type, data, indices, wanted, axis, i))
            fail_msg("%s of %d and %d axes along %d: axis %d of wrong updates fits", type, data->n,
                     indices->n, axis, i);
    }
}

static const struct sizes some_data = {MOST, {5, 6, 7}}, some_indices = {MOST, {2, 3, 4}};

static void of_tuples(void **state)
{
    for (int rank = 1; rank <= MOST; rank++) {
        for (int tuples = 0; tuples < MOST; tuples++) {
            for (int length = 1; length <= rank; length++) {
                struct sizes data = some_data, indices = some_indices, wanted = {0};

                data.n = rank;
                indices.n = tuples + 1;
                indices.size[tuples] = length;
                add(&wanted, indices.size, 0, tuples);
                add(&wanted, data.size, length, rank);
                check("ScatterNDUpdate", &data, &indices, &wanted, -1);
            }
        }
    }
}

static void of_rows(void **state)
{
    for (int rank = 1; rank <= MOST; rank++) {
        for (int n = 0; n <= MOST; n++) {
            for (int axis = 0; axis < rank; axis++) {
                struct sizes data = some_data, indices = some_indices, wanted = {0};

                data.n = rank;
                indices.n = n;
                add(&wanted, data.size, 0, axis);
                add(&wanted, indices.size, 0, n);
                add(&wanted, data.size, axis + 1, rank);
                check("ScatterUpdate", &data, &indices, &wanted, axis);
            }
        }
    }
}

/* The indices may be longer than the data along the axis alone. */
static void of_elements(void **state)
{
    for (int rank = 1; rank <= MOST; rank++) {
        for (int axis = 0; axis < rank; axis++) {
            for (int longer = -1; longer < rank; longer++) {
                struct sizes data = some_data, indices = some_indices;
                bool fit;

                data.n = indices.n = rank;
                if (longer >= 0)
                    indices.size[longer] = data.size[longer] + 1;
                fit = fits("ScatterElementsUpdate", &data, &indices, &indices, axis, -1);
                assert_int_equal(fit, longer < 0 || longer == axis);
                if (fit)
                    check("ScatterElementsUpdate", &data, &indices, &indices, axis);
                indices.size[axis]--;
                assert_false(
                    fits("ScatterElementsUpdate", &data, &some_indices, &indices, axis, -1));
            }
        }
    }
}

/* Lists of four numbers, from -2 to 1, of an axis of 3 elements; FROM_END in turn. */
enum { LISTS = 256, NUMBERS = 4, SIZE = 3 };

static inlay_tensor *list(int which, int rank, const int64_t *dims)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_I64, rank, dims);

    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++, which /= 4)
        inlay_tensor_set_i64(t, i, which % 4 - 2);
    return t;
}

static int64_t position(const inlay_tensor *t, int64_t i, bool from_end)
{
    int64_t x = inlay_tensor_get_i64(t, i);

    return x >= 0 ? x : from_end ? x + SIZE : -1;
}

/* The N numbers X are one for each position of W. */
static bool are_positions(const int64_t *x, int64_t n, inlay_window w)
{
    bool are = w.count == n && w.step != 0;

    for (int64_t i = 0; i < n && are; i++)
        are = x[i] == w.begin + i * w.step;
    return are;
}

static void of_progressions(void **state)
{
    for (int which = 0; which < 2 * LISTS; which++) {
        for (int64_t n = 0; n <= NUMBERS; n++) {
            bool from_end = which >= LISTS, all = true, is;
            inlay_tensor *t = list(which, 1, &n);
            int64_t x[NUMBERS] = {0}, got[NUMBERS];
            inlay_window w, by = {0, n, 1};

            for (int64_t i = 0; i < n; i++) {
                x[i] = position(t, i, from_end);
                all = all && x[i] >= 0;
            }
            assert_int_equal(index_list(t, SIZE, from_end, got), all);
            assert_true(!all || memcmp(got, x, (size_t)n * sizeof *x) == 0);
            by.begin = x[0];
            by.step = n > 1 ? x[1] - x[0] : 1;
            is = index_progression(x, n, &w);
            assert_int_equal(is, n > 0 && are_positions(x, n, by));
            assert_true(!is || are_positions(x, n, w));
            inlay_tensor_release(t);
        }
    }
}

/* A list along an axis, the same at all places of the others. */
static void of_lines(void **state)
{
    static const int64_t shapes[][3] = {{2, 2, 1}, {1, 2, 2}, {2, 1, 2}, {4, 1, 1}, {0, 2, 1}};

    for (int k = 0; k < 5 * 3 * 2 * LISTS; k++) {
        const int64_t *dims = shapes[k % 5];
        int axis = k / 5 % 3;
        bool from_end = k / 15 % 2, same = dims[0] > 0;
        inlay_tensor *t = list(k / 30, 3, dims);
        int64_t inner = axis == 2 ? 1 : axis == 1 ? dims[2] : dims[1] * dims[2];
        int64_t line[NUMBERS] = {0}, got[NUMBERS];

        for (int64_t i = inlay_tensor_count(t) - 1; i >= 0; i--)
            line[i / inner % dims[axis]] = position(t, i, from_end);
        for (int64_t i = 0; i < inlay_tensor_count(t); i++)
            same = same && position(t, i, from_end) == line[i / inner % dims[axis]] &&
                   position(t, i, from_end) >= 0;
        assert_int_equal(index_line(t, axis, SIZE, from_end, got), same);
        assert_true(!same || memcmp(got, line, (size_t)dims[axis] * sizeof *got) == 0);
        inlay_tensor_release(t);
    }
}

/* Tuple I of T is position I, in row-major order, of N[0] times N[1] positions. */
static bool is_box(const inlay_tensor *t, int64_t tuples, int64_t k, const int64_t *n,
                   bool from_end)
{
    bool is = n[0] * n[1] == tuples;

    for (int64_t j = 0; j < k && is; j++) {
        int64_t stride = j + 1 < k ? n[1] : 1, length = k == 1 ? tuples : n[j];
        int64_t first = position(t, j, from_end), x, by;

        by = length > 1 ? position(t, stride * k + j, from_end) - first : 1;
        for (int64_t i = 0; i < tuples && is; i++) {
            x = position(t, i * k + j, from_end);
            is = x >= 0 && by != 0 && x == first + i / stride % length * by;
        }
    }
    return is;
}

static void of_boxes(void **state)
{
    const inlay_dim dims[] = {inlay_dim_of(SIZE), inlay_dim_of(SIZE)};
    const inlay_dim open[] = {{SIZE, SIZE + 2, 0}, {SIZE, SIZE + 2, 0}};

    for (int which = 0; which < 2 * LISTS * LISTS; which++) {
        bool from_end = which >= LISTS * LISTS;

        for (int64_t k = 1; k <= 2; k++) {
            for (int64_t tuples = 0; tuples <= 4; tuples++) {
                inlay_tensor *t = list(which, 2, (const int64_t[]){tuples, k});
                inlay_window w[2];
                bool box = false;

                for (int64_t n = 1; n <= tuples; n++)
                    box = box || is_box(t, tuples, k, (const int64_t[]){tuples / n, n}, from_end);
                assert_false(index_box(t, open, from_end, w));
                assert_int_equal(index_box(t, dims, from_end, w), box);
                for (int64_t i = 0; i < tuples * k && box; i++) {
                    const inlay_window *a = &w[i % k];
                    int64_t stride = i % k + 1 < k ? w[1].count : 1;

                    assert_int_equal(position(t, i, from_end),
                                     a->begin + i / k / stride % a->count * a->step);
                }
                inlay_tensor_release(t);
            }
        }
    }
}

/* Whether indices are never negative, of all pairs of ranges from -2 to 2: yes if none can be; no
 * if the first that can be is so in any case. */
static void test_sign_of_known(void **state)
{
    inlay_dim known[2];
    static const char text[] = "graph \"g\" {\n  %x = Parameter {element_type = i64, shape = [2]}\n"
                               "  %y = Abs(%x)\n  %out = Result(%y)\n}\n";
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_text("g", text, sizeof text - 1, NULL, d);
    inlay_value v;

    assert_non_null(g);
    v = g->params[0]->out[0];
    v.fact = (inlay_fact){.type = INLAY_I64, .known = known, .n_known = 2};
    for (int k = 0; k < 625; k++) {
        int first;

        known[0] = (inlay_dim){k % 5 - 2, k / 5 % 5 - 2, 0};
        known[1] = (inlay_dim){k / 25 % 5 - 2, k / 125 - 2, 0};
        first = known[0].lo < 0 ? 0 : 1;
        if (known[0].lo <= known[0].hi && known[1].lo <= known[1].hi)
            assert_int_equal(index_never_negative(&v), known[first].lo >= 0  ? 1
                                                       : known[first].hi < 0 ? 0
                                                                             : -1);
    }
    inlay_graph_free(g);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_progressions),
        cmocka_unit_test(of_lines),
        cmocka_unit_test(of_boxes),
        cmocka_unit_test(of_tuples),
        cmocka_unit_test(of_rows),
        cmocka_unit_test(of_elements),
        cmocka_unit_test(test_sign_of_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
