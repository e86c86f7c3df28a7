/* The audit of states that grow in the middle of their buffers (interp/exec/plan/states.c): a
 * mistake is planted in where the next state begins, in which bytes it asks for, in what is written
 * over. It is found whatever form the state has; INLAY_SEED=N tries the form of seed N. */
#include "audited.h"
#include "generate/rng.h"
#include "interp/audit/audit.h"
#include "models.h"
#include "passes/passes.h"
#include "seeds.h"

#define GRAPH(past)                                                                                \
    "  %x = Parameter {element_type = f32, shape = [?,1,?]}\n"                                     \
    "  %beam = Parameter {element_type = i64, shape = [?]}\n"                                      \
    "  %old = ReadValue {variable_id = \"v\", variable_type = f32, variable_shape = [?,?,?]}\n"    \
    "  %zero = Const {value = i64[] 0}\n"                                                          \
    "  %order = Gather(%old, %beam, %zero)\n"                                                      \
    "  %new = Concat(%" past ", %x) {axis = 1}\n"                                                  \
    "  %save = Assign(%new) {variable_id = \"v\"}\n"                                               \
    "  %y = Add(%new, %new)\n"                                                                     \
    "  %out = Result(%y)\n"

/* What a state is like: ROWS in each of HEADS periods, in which there is room for ROOM. */
typedef struct form {
    int64_t heads, rows, room, width;
} form;

/* Returns a state of form F; without room, one that is dense. */
static const inlay_tensor *state_of(const form *f)
{
    inlay_tensor *all =
        inlay_tensor_new(INLAY_F32, 3, (const int64_t[]){f->heads, f->room, f->width});
    const inlay_tensor *state = inlay_tensor_window(
        all, 3, (const int64_t[]){f->heads, f->rows, f->width}, all->strides, 0);

    inlay_tensor_release(all);
    return state;
}

/* Makes an instance that begins with a state of form F. */
static subject growing(const char *body, const form *f)
{
    const inlay_tensor *state = state_of(f);
    inlay_pass_options o = {.passes = "in-place-windows"};
    subject s = {.graph = graph_of(body), .diags = inlay_diags_new()};

    assert_true(inlay_run_passes(s.graph, &o, s.diags));
    s.steps = steps_new(s.graph, s.diags);
    s.plan = exec_plan_new(s.steps, s.diags);
    assert_true(s.steps && s.plan && state);
    s.in[0] = inlay_tensor_new(INLAY_F32, 3, (const int64_t[]){f->heads, 1, f->width});
    s.in[1] = inlay_tensor_new(INLAY_I64, 1, &f->heads);
    s.x = exec_instance_new(s.plan,
                            &(exec_outside){.in = (const inlay_tensor *const *)s.in,
                                            .state = (const inlay_tensor *const[]){state},
                                            .n_states = 1},
                            s.diags);
    inlay_tensor_release(state);
    assert_non_null(s.x);
    if (!audit_instance(s.x, s.diags))
        fail_msg("%s", model_messages(s.diags));
    return s;
}

static void begins_too_late(exec_instance *x)
{
    unit_of(x, "new")->state.grows -= 4;
}

static void begins_elsewhere(exec_instance *x)
{
    unit_of(x, "new")->state.skips += 24;
}

static void other_periods(exec_instance *x)
{
    unit_of(x, "new")->state.period /= 2;
}

static void behind_another(exec_instance *x)
{
    unit_of(x, "new")->state.behind = (size_t)(unit_of(x, "y") - x->allocations);
}

static void behind_itself(exec_instance *x)
{
    unit_of(x, "new")->state.behind = (size_t)(unit_of(x, "new") - x->allocations);
}

static void state_of_another(exec_instance *x)
{
    unit_of(x, "new")->state.variable = 1;
}

/* Rows that are computed anew are taken for rows that are picked. */
static void computed_as_picked(exec_instance *x)
{
    static const exec_pick pick = {.picks = true, .variable = 0, .order = 1, .axis = 0, .grows = 1};

    unit_of(x, "order")->state.pick = &pick;
}

/* Picked rows may be written over a state that somebody reads behind them. */
static void moved_in_what_is_read(exec_instance *x)
{
    static exec_pick pick;

    pick = *unit_of(x, "order")->state.pick;
    assert_false(pick.alone);
    pick.alone = true;
    unit_of(x, "order")->state.pick = &pick;
}

/* What is computed lies over the rows that are picked, which may be the state. */
static void over_what_is_picked(exec_instance *x)
{
    size_t unit = (size_t)(unit_of(x, "order") - x->allocations), y = value_of(x, "y");
    const inlay_tensor *was = x->meta[y];

    x->allocation[y] = unit;
    x->meta[y] =
        inlay_tensor_window(x->meta[value_of(x, "order")], was->rank, was->dims, was->strides, 0);
    inlay_tensor_release(was);
}

/* The state with some of its rows replaced, in the order that the Parameter says. */
#define REPLACED                                                                                   \
    "  %x = Parameter {element_type = f32, shape = [?,1,?]}\n"                                     \
    "  %beam = Parameter {element_type = i64, shape = [?]}\n"                                      \
    "  %old = ReadValue {variable_id = \"v\", variable_type = f32, variable_shape = [?,?,?]}\n"    \
    "  %zero = Const {value = i64[] 0}\n  %rows = Add(%old, %old)\n"                               \
    "  %order = ScatterUpdate(%old, %beam, %rows, %zero)\n"                                        \
    "  %new = Concat(%old, %x) {axis = 1}\n"                                                       \
    "  %save = Assign(%new) {variable_id = \"v\"}\n"                                               \
    "  %y = Add(%order, %order)\n"                                                                 \
    "  %out = Result(%y)\n  %all = Result(%order)\n"

/* The state is read when its rows were picked. */
#define READ_LATER                                                                                 \
    GRAPH("order")                                                                                 \
    "  %later = Add(%y, %x)\n  %w = Add(%old, %old)\n  %last = Result(%later)\n"                   \
    "  %also = Result(%w)\n"

static const mistake mistakes[] = {
    {"picked rows over a state that is read later", READ_LATER, OUTERMOST, moved_in_what_is_read},
    {"rows that are replaced for picked ones", REPLACED, OUTERMOST, computed_as_picked},
    {"a state that begins too late", GRAPH("old"), OUTERMOST, begins_too_late},
    {"a state that begins elsewhere", GRAPH("old"), OUTERMOST, begins_elsewhere},
    {"a state in other periods", GRAPH("old"), OUTERMOST, other_periods},
    {"a state behind another unit", GRAPH("old"), OUTERMOST, behind_another},
    {"the state of another variable", GRAPH("old"), OUTERMOST, state_of_another},
    {"picked rows that begin too late", GRAPH("order"), OUTERMOST, begins_too_late},
    {"picked rows of another variable", GRAPH("order"), OUTERMOST, state_of_another},
    {"a value over picked rows", GRAPH("order"), OUTERMOST, over_what_is_picked},
};

static void check_form(const form *f, uint64_t seed)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        subject s = growing(mistakes[i].body, f);
        const exec_allocation *u = unit_of(s.x, "new");

        assert_true(u->state.grows == (uint64_t)(4 * f->rows * f->width));
        assert_true(u->state.period == (uint64_t)(4 * f->room * f->width));
        mistakes[i].plant(s.x);
        if (audit_instance(s.x, s.diags))
            fail_msg("seed %llu: the audit accepts %s", (unsigned long long)seed, mistakes[i].name);
        subject_free(&s);
    }
}

static void test_mistakes(void **state)
{
    const form usual = {.heads = 2, .rows = 2, .room = 8, .width = 6};

    check_form(&usual, 0);
}

static void test_random_forms(void **state)
{
    const seed_range s = seeds_to_try(60, 20);

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++) {
        rng r = {seed};
        form f = {.heads = rng_in(&r, 2, 5), .rows = rng_in(&r, 1, 5), .width = rng_in(&r, 2, 9)};

        f.room = f.rows + rng_in(&r, 1, 9);
        check_form(&f, seed);
    }
}

/* The state is copied in blocks of one element, in which it has another rank than the next one. */
#define BLOCKS                                                                                     \
    "  %old = ReadValue {variable_id = \"v\", variable_type = f32, variable_shape = [1,1,6]}\n"    \
    "  %new = SpaceToDepth(%old) {mode = blocks_first}\n"                                          \
    "  %save = Assign(%new) {variable_id = \"v\"}\n"                                               \
    "  %out = Result(%old)\n"

/* Returns the copy that makes the next state. */
static const exec_copy *copy_of(const exec_instance *x, const exec_step *s)
{
    assert_true(s->kind == EXEC_MOVES && s->n_copies == 1);
    return &x->copies[s->copy];
}

/* Shows VALUE with gaps of one element between its last ones. */
static void show_gaps(exec_instance *x, size_t value)
{
    const inlay_tensor *t = x->meta[value];
    int64_t strides[INLAY_MAX_RANK];

    for (int i = 0; i < t->rank; i++)
        strides[i] = 2 * t->strides[i];
    x->meta[value] = inlay_tensor_window(t, t->rank, t->dims, strides, 0);
    assert_non_null(x->meta[value]);
    inlay_tensor_release(t);
}

static void copied_from_gaps(exec_instance *x)
{
    show_gaps(x, copy_of(x, step_of(x, "new"))->from);
}

static void copied_into_gaps(exec_instance *x)
{
    show_gaps(x, copy_of(x, step_of(x, "new"))->to);
}

static void test_other_form(void **state)
{
    static const mistake all[] = {
        {"a state that begins too late", BLOCKS, OUTERMOST, begins_too_late},
        {"a state that begins elsewhere", BLOCKS, OUTERMOST, begins_elsewhere},
        {"a state behind another unit", BLOCKS, OUTERMOST, behind_itself},
        {"the state of another variable", BLOCKS, OUTERMOST, state_of_another},
        {"a state with gaps", BLOCKS, OUTERMOST, copied_from_gaps},
        {"a next state with gaps", BLOCKS, OUTERMOST, copied_into_gaps},
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const form dense = {.heads = 1, .rows = 1, .room = 1, .width = 6};
        subject s = growing(all[i].body, &dense);

        assert_true(unit_of(s.x, "new")->state.grows == 24 &&
                    unit_of(s.x, "new")->state.period == 0);
        all[i].plant(s.x);
        if (audit_instance(s.x, s.diags))
            fail_msg("the audit accepts %s", all[i].name);
        subject_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_random_forms),
        cmocka_unit_test(test_other_form),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
