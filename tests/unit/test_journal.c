/* What a run saves of the states that it writes over (interp/exec/run/journal.c): room for it waits for
 * the next run, but not much of it. */
#include "graphs.h"
#include "passes/passes.h"

enum { LENGTH = 12288 }; /* of a row: 49152 bytes */

/* Three nodes write to one variable, each of them as many rows as there are places. */
static const char writes[] =
    "%rows = Parameter-1 {element_type = f32, shape = [?,12288]}\n"
    "%p = Parameter-1 {element_type = i64, shape = [?]}\n"
    "%q = Parameter-1 {element_type = i64, shape = [?]}\n"
    "%s = Parameter-1 {element_type = i64, shape = [?]}\n"
    "%axis = Const-1 {value = i64[] 0}\n"
    "%old = ReadValue-6 {variable_id = \"v\", variable_type = f32, variable_shape = [8,12288]}\n"
    "%a = ScatterUpdate-3(%old, %p, %rows, %axis)\n"
    "%b = ScatterUpdate-3(%a, %q, %rows, %axis)\n"
    "%c = ScatterUpdate-3(%b, %s, %rows, %axis)\n"
    "%save = Assign-6(%c) {variable_id = \"v\"}\n";

static runner noted(void)
{
    const inlay_pass_options o = {.passes = "in-place-windows"};
    const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED};
    inlay_graph *g = graph_of(writes);

    assert_true(inlay_run_passes(g, &o, NULL));
    return runner_on(g, &planned);
}

/* Returns the bytes that were held at one time by a run that writes to the places P, Q and S. */
static uint64_t peak_of(runner *r, const char *p, const char *q, const char *s)
{
    inlay_tensor *in[4] = {NULL, tensor_of(p), tensor_of(q), tensor_of(s)}, *out[1];
    const int64_t dims[2] = {inlay_tensor_count(in[1]), LENGTH};
    inlay_exec_stats stats;

    in[0] = inlay_tensor_new(INLAY_F32, 2, dims);
    assert_non_null(in[0]);
    if (!inlay_session_run(r->session, (const inlay_tensor *const *)in, NULL, out, r->diags))
        fail_msg("%s", inlay_diags_at(r->diags, 0)->text);
    inlay_session_stats(r->session, &stats);
    for (int i = 0; i < 4; i++)
        inlay_tensor_release(in[i]);
    return stats.peak_bytes;
}

/* Two saved rows give no room for one row, so the entries that wait come on top of what is saved:
 * 64 KiB at most. The first run of each session finds no state to save. */
static void test_little_waits(void **state)
{
    runner fresh = noted(), used = noted();
    uint64_t least, most;

    peak_of(&fresh, "i64[2] 0 2", "i64[2] 4 6", "i64[2] 1 3");
    least = peak_of(&fresh, "i64[2] 0 2", "i64[2] 4 6", "i64[2] 1 3");
    for (int i = 0; i < 2; i++)
        peak_of(&used, "i64[1] 0", "i64[1] 2", "i64[1] 4");
    most = peak_of(&used, "i64[2] 0 2", "i64[2] 4 6", "i64[2] 1 3");
    assert_true(least >= (uint64_t)8 * LENGTH * 4 + (uint64_t)6 * LENGTH * 4);
    assert_in_range(most, least, least + 65536);
    runner_free(&fresh);
    runner_free(&used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_little_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
