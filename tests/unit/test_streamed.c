/* Large results of steps that are computed together are written past the caches
 * (interp/kernels/stages.c): every element of them, and nothing beside them. */
#include "graphs.h"
#include "ir/shared.h"
#include "models.h"

enum { HIGH = 129, WIDE = 32771 }; /* 16 MiB of floats, in rows that end within a line of a cache */

/* Makes a tensor of numbers from -15 to 15. */
static inlay_tensor *numbered(int rank, const int64_t *dims)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, rank, dims);

    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        ((float *)t->data)[i] = (float)(i * 7919 % 1983 - 991) / 64;
    return t;
}

/* What is too large for the caches is written past them: rows of odd length, to memory that begins
 * anywhere, also where the operand is. */
static void check_large(const char *body, int threads, int at, bool over)
{
    int64_t dims[] = {HIGH, WIDE}, wide = WIDE, room = HIGH * WIDE + 64, strides[] = {WIDE, 1};
    inlay_tensor *bytes = inlay_tensor_new(INLAY_F32, 1, &room), *to, *out = NULL;
    inlay_graph *g = graph_of(body);
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, &(inlay_exec_options){.threads = threads}, d);
    inlay_session *s = inlay_session_new(p, d);
    inlay_tensor *x = numbered(2, dims), *y = numbered(1, &wide);
    const float *in = x->data, *row = y->data;
    float *copy = malloc(sizeof *copy * HIGH * WIDE);

    assert_true(bytes && copy && s);
    memcpy(copy, in, sizeof *copy * HIGH * WIDE);
    to = over ? inlay_tensor_retain(x) : inlay_tensor_window(bytes, 2, dims, strides, at);
    assert_true(inlay_session_bind_output(s, 0, to, d));
    if (!inlay_session_run(s, (const inlay_tensor *const[]){x, y}, NULL, &out, d))
        fail_msg("%s", model_messages(d));
    for (int64_t i = 0; i < HIGH * WIDE; i++) {
        float sum = copy[i] + row[i % WIDE], wanted = sum > 0 ? sum * 0.5F : 0;
        float found = ((const float *)to->data)[to->offset + i];

        if (found != wanted)
            fail_msg("element %lld is %a, it must be %a", (long long)i, found, wanted);
    }
    for (int64_t i = 0; !over && i < room; i++)
        assert_true((i >= at && i < at + HIGH * WIDE) || ((const float *)bytes->data)[i] == 0);
    free(copy);
    inlay_tensor_release(out);
    inlay_tensor_release(to);
    inlay_tensor_release(x);
    inlay_tensor_release(y);
    inlay_tensor_release(bytes);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_diags_free(d);
    inlay_graph_free(g);
}

static void test_large(void **state)
{
    static const char body[] = "%x = Parameter-1 {element_type = f32, shape = [129,32771]}\n"
                               "%y = Parameter-1 {element_type = f32, shape = [32771]}\n"
                               "%half = Const-1 {value = f32[] 0.5}\n"
                               "%a = Add-1(%x, %y)\n"
                               "%b = Multiply-1(%a, %half)\n"
                               "%c = ReLU-1(%b)\n"
                               "%out = Result-1(%c)\n";

    for (int threads = 1; threads <= 2; threads++) {
        check_large(body, threads, 0, false);
        check_large(body, threads, 2, false);
        check_large(body, threads, 18, false);
        check_large(body, threads, 0, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
