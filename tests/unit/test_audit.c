/* The audit of instances (interp/audit) accepts what the planner made, and refuses it once a
 * mistake is planted: in an offset, in a live range, in the geometry of a view or a window, in the
 * order of the steps, in a block, in what leaves the run, in a body, at the border of a segment. */
#include "graphs.h"
#include "interp/audit/audit.h"
#include "interp/exec/exec.h"
#include "models.h"
#include "passes/passes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* An instance for tests to spoil; x is the instance of its body where the graph has one, or of the
 * second segment, before which comes BEFORE. */
typedef struct subject {
    inlay_graph *graph;
    inlay_diags *diags;
    graph_steps *steps;
    exec_plan *plan;
    exec_instance *before; /* or NULL */
    exec_instance *x;
    inlay_tensor *in[4], *loose; /* what the first segment hands over */
} subject;

/* Makes an instance once the PASSES have run (NULL: the default ones). Inputs have 4 by 6 elements
 * for the outermost graph, 6 for a body. */
static subject subject_behind(const char *passes, const char *body, bool of_body)
{
    inlay_pass_options o = {.passes = passes};
    static const int64_t dims[] = {4, 6};
    static const bool all_ours[] = {true, true, true, true};
    subject s = {.graph = graph_of(body), .diags = inlay_diags_new()};
    const exec_plan *plan;

    if (!inlay_run_passes(s.graph, &o, s.diags))
        fail_msg("%s", model_messages(s.diags));
    s.steps = steps_new(s.graph, s.diags);
    assert_non_null(s.steps);
    s.plan = exec_plan_new(s.steps, s.diags);
    assert_non_null(s.plan);
    exec_plan_kernels(s.plan, INLAY_KERNELS_REFERENCE, false); /* test_fused.c has fused steps */
    for (int i = 0; i < 4; i++)
        s.in[i] = of_body ? inlay_tensor_new(INLAY_F32, 1, &dims[1])
                          : inlay_tensor_new(INLAY_F32, 2, dims);
    plan = of_body ? s.plan->bodies[0] : s.plan;
    s.x = exec_instance_new(
        plan,
        &(exec_outside){.in = (const inlay_tensor *const *)s.in, .ours = of_body ? all_ours : NULL},
        s.diags);
    assert_non_null(s.x);
    if (!audit_instance(s.x, s.diags))
        fail_msg("%s", model_messages(s.diags));
    return s;
}

static subject subject_of(const char *body, bool of_body)
{
    return subject_behind(NULL, body, of_body);
}

/* Makes the segment behind S's instance, once the only loose value of that instance has turned out
 * to be i64[2,7]. */
static void go_on(subject *s)
{
    inlay_tensor **values = calloc(s->steps->n_slots + 1, sizeof *values);
    exec_outside o = {.in = (const inlay_tensor *const *)s->in, .segments = true};

    exec_instance_free(s->x);
    s->before = exec_instance_new(s->plan, &o, s->diags);
    assert_true(values && s->before && exec_goes_on(s->before) && s->before->n_over == 1);
    s->loose = inlay_tensor_new(INLAY_I64, 2, (int64_t[]){2, 7});
    values[s->before->over[0]] = s->loose;
    o.before = s->before;
    o.values = values;
    s->x = exec_instance_new(s->plan, &o, s->diags);
    free(values);
    assert_true(s->x && s->x->segment == 1 && !exec_goes_on(s->x));
    if (!audit_instance(s->x, s->diags))
        fail_msg("%s", model_messages(s->diags));
}

static void subject_free(subject *s)
{
    exec_instance_free(s->x);
    exec_instance_free(s->before);
    inlay_tensor_release(s->loose);
    exec_plan_free(s->plan);
    steps_free(s->steps);
    for (int i = 0; i < 4; i++)
        inlay_tensor_release(s->in[i]);
    inlay_diags_free(s->diags);
    inlay_graph_free(s->graph);
}

/* Returns the step of the node called NAME. */
static exec_step *step_of(exec_instance *x, const char *name)
{
    for (size_t i = 0; i < x->n; i++) {
        if (strcmp(x->list[i].step->node->name, name) == 0)
            return &x->list[i];
    }
    fail_msg("there is no step \"%s\"", name);
    return NULL;
}

static size_t value_of(exec_instance *x, const char *name)
{
    return step_of(x, name)->out[0];
}

static exec_unit *unit_of(exec_instance *x, const char *name)
{
    return &x->units[x->units[x->unit[value_of(x, name)]].same];
}

/* Replaces the tensor of the value NAME: its first element lies BYTES farther, and it has other
 * STRIDES unless NULL. */
static void reshow(exec_instance *x, const char *name, int64_t bytes, const int64_t *strides)
{
    size_t v = value_of(x, name);
    inlay_tensor *was = x->shadow[v], moved = *was;

    moved.data = (char *)moved.data + bytes;
    x->shadow[v] =
        inlay_tensor_window(&moved, was->rank, was->dims, strides ? strides : was->strides, 0);
    inlay_tensor_release(was);
    assert_non_null(x->shadow[v]);
}

/* Values live side by side: a and b until c is made, which leaves the run; d is made after them. */
static const char chain[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                            "  %k = Const {value = f32[6] [1, 2, 3, 4, 5, 6]}\n"
                            "  %one = Const {value = f32[] 1}\n"
                            "  %a = Exp(%x)\n"
                            "  %b = Add(%a, %k)\n"
                            "  %s = SoftMax(%b) {axis = 1}\n"
                            "  %c = Multiply(%s, %a)\n"
                            "  %d = Add(%c, %one)\n"
                            "  %m = MatMul(%d, %a) {transpose_b = true}\n"
                            "  %out = Result(%m)\n";

/* A window is read, computed on and written back in place. */
static const char window[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                             "  %start = Const {value = i64[1] [1]}\n"
                             "  %stop = Const {value = i64[1] [3]}\n"
                             "  %step = Const {value = i64[1] [1]}\n"
                             "  %data = Exp(%x)\n"
                             "  %rows = Slice(%data, %start, %stop, %step)\n"
                             "  %new = Abs(%rows)\n"
                             "  %set = SliceScatter(%data, %new, %start, %stop, %step)\n"
                             "  %end = Sqrt(%set)\n"
                             "  %out = Result(%end)\n";

/* An input is written over, so it is copied first. */
static const char kept[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                           "  %start = Const {value = i64[1] [1]}\n"
                           "  %stop = Const {value = i64[1] [3]}\n"
                           "  %step = Const {value = i64[1] [1]}\n"
                           "  %rows = Slice(%x, %start, %stop, %step)\n"
                           "  %new = Abs(%rows)\n"
                           "  %set = SliceScatter(%x, %new, %start, %stop, %step)\n"
                           "  %out = Result(%set)\n";

/* Rows are written in place, and were computed elsewhere. */
static const char late[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                           "  %p = Parameter {element_type = f32, shape = [4,6]}\n"
                           "  %start = Const {value = i64[1] [1]}\n"
                           "  %stop = Const {value = i64[1] [3]}\n"
                           "  %step = Const {value = i64[1] [1]}\n"
                           "  %data = Exp(%x)\n"
                           "  %rows = Slice(%p, %start, %stop, %step)\n"
                           "  %late = SliceScatter(%data, %rows, %start, %stop, %step)\n"
                           "  %end = Sqrt(%late)\n"
                           "  %out = Result(%end)\n";

/* The values of the body of an If have a frame of their own. */
static const char branch[] = "  %c = Parameter {element_type = boolean, shape = []}\n"
                             "  %x = Parameter {element_type = f32, shape = [6]}\n"
                             "  %y:1 = If(%c, %x)\n"
                             "    then_body \"then\" {\n"
                             "      %p = Parameter {element_type = f32, shape = [6]}\n"
                             "      %a = Exp(%p)\n"
                             "      %b = SoftMax(%a) {axis = 0}\n"
                             "      %s = SoftMax(%b) {axis = 0}\n"
                             "      %t = Multiply(%s, %a)\n"
                             "      %q = Result(%t)\n"
                             "    }\n"
                             "    in 1 -> %p\n"
                             "    out %q -> 0\n"
                             "    else_body \"else\" {\n"
                             "      %p = Parameter {element_type = f32, shape = [6]}\n"
                             "      %q = Result(%p)\n"
                             "    }\n"
                             "    in 1 -> %p\n"
                             "    out %q -> 0\n"
                             "  %out = Result(%y)\n";

/* The body of a loop writes over one of two carried values; then a value lives beside what the loop
 * gives. */
#define CARRIED(type, last)                                                                        \
    "  %x = Parameter {element_type = f32, shape = [" type "]}\n"                                  \
    "  %n = Const {value = i64[] 3}\n"                                                             \
    "  %go = Const {value = boolean[] true}\n"                                                     \
    "  %beside = Exp(%x)\n"                                                                        \
    "  %l:2 = Loop(%n, %go, %x, %beside)\n"                                                        \
    "    body \"b\" {\n"                                                                           \
    "      %p = Parameter {element_type = f32, shape = [" type "]}\n"                              \
    "      %k = Parameter {element_type = f32, shape = [" type "]}\n"                              \
    "      %at = Const {value = i64[1] [0]}\n"                                                     \
    "      %axis = Const {value = i64[] 0}\n"                                                      \
    "      %yes = Const {value = boolean[] true}\n"                                                \
    "      %row = Gather(%k, %at, %axis)\n"                                                        \
    "      %before = SoftMax(%p) {axis = 0}\n"                                                     \
    "      %new = ScatterUpdate(%p, %at, %row, %axis)\n"                                           \
    "      %sum = Add(%new, %before)\n"                                                            \
    "      %on = Result(%yes)\n"                                                                   \
    "      %r = Result(%new)\n"                                                                    \
    "      %s = Result(%sum)\n"                                                                    \
    "    }\n"                                                                                      \
    "    in 2 -> %p\n"                                                                             \
    "    in 3 -> %k\n"                                                                             \
    "    out %on -> none condition\n"                                                              \
    "    out %r -> 0\n"                                                                            \
    "    out %s -> 1\n"                                                                            \
    "    back %r -> %p\n"                                                                          \
    "    back %s -> %k\n"                                                                          \
    "  %one = SoftMax(%l:0) {axis = 0}\n"                                                          \
    "  %two = Add(%l:1, %beside)\n"                                                                \
    "  %three = Add(%one, %two)\n"                                                                 \
    "  %four = Add(%three, " last ")\n"                                                            \
    "  %out = Result(%four)\n"

/* The loop has room for what it gives, because its input is read again; or writes over the input.
 */
static const char carried[] = CARRIED("6", "%x"), around[] = CARRIED("4,6", "%x");
static const char given[] = CARRIED("4,6", "%two");

/* A value becomes the state of a variable, and nothing else looks at it after the run. */
static const char variable[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                               "  %old = ReadValue {variable_id = \"v\", variable_type = f32, "
                               "variable_shape = [4,6]}\n"
                               "  %new = Add(%old, %x)\n"
                               "  %save = Assign(%new) {variable_id = \"v\"}\n"
                               "  %y = SoftMax(%new) {axis = 1}\n"
                               "  %out = Result(%y)\n";

/* NonZero ends a segment: a and b live over the border, in the arena, and r in a tensor of its own;
 * the second segment needs more of the arena than there is. */
static const char border[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                             "  %zero = Const {value = i64[] 0}\n"
                             "  %p = Const {value = i64[2] [1, 0]}\n"
                             "  %a = SoftMax(%x) {axis = 1}\n"
                             "  %b = SoftMax(%a) {axis = 0}\n"
                             "  %r = MatMul(%a, %b) {transpose_b = true}\n"
                             "  %n = NonZero(%r)\n"
                             "  %g = Gather(%a, %n, %zero)\n"
                             "  %h = SoftMax(%g) {axis = 2}\n"
                             "  %k = MatMul(%h, %b) {transpose_b = true}\n"
                             "  %m = MatMul(%k, %r)\n"
                             "  %out = Result(%m)\n"
                             "  %other = Result(%r)\n";

/* A carried value takes turns, and parts are joined. */
static const char turns[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                            "  %data = SoftMax(%x) {axis = 1}\n"
                            "  %beside = SoftMax(%x) {axis = 0}\n"
                            "  %h = Const {value = f32[1,6] [1, 2, 3, 4, 5, 6]}\n"
                            "  %t:2 = TensorIterator(%data, %h)\n"
                            "    body \"step\" {\n"
                            "      %row = Parameter {element_type = f32, shape = [1,6]}\n"
                            "      %was = Parameter {element_type = f32, shape = [1,6]}\n"
                            "      %s = Add(%row, %was)\n"
                            "      %m = SoftMax(%s) {axis = 1}\n"
                            "      %r = Multiply(%m, %was)\n"
                            "      %o = Exp(%m)\n"
                            "      %part = Result(%o)\n"
                            "      %next = Result(%r)\n"
                            "    }\n"
                            "    in 0 -> %row axis 0 start 0 end -1 stride 1 part_size 1\n"
                            "    in 1 -> %was\n"
                            "    out %part -> 0 axis 0 start 0 end -1 stride 1 part_size 1\n"
                            "    out %next -> 1\n"
                            "    back %next -> %was\n"
                            "  %two = Add(%beside, %t:1)\n"
                            "  %one = SoftMax(%t:0) {axis = 0}\n"
                            "  %other = Result(%two)\n"
                            "  %out = Result(%one)\n";

/* Mistakes */

static void overlap_living(exec_instance *x)
{
    unit_of(x, "s")->offset = unit_of(x, "a")->offset;
}

static void overlap_by_a_byte(exec_instance *x)
{
    exec_unit *a = unit_of(x, "a"), *s = unit_of(x, "s");

    s->offset = a->offset + a->bytes - 1;
    x->arena_bytes += 4096;
}

static void merge_living(exec_instance *x)
{
    unit_of(x, "s")->same = (size_t)(unit_of(x, "a") - x->units);
}

static void small_arena(exec_instance *x)
{
    x->arena_bytes -= 64;
}

static void result_in_arena(exec_instance *x)
{
    exec_unit *u = unit_of(x, "m");

    u->root = EXEC_ARENA;
    u->offset = x->arena_bytes;
    x->arena_bytes += u->bytes;
}

static void state_in_arena(exec_instance *x)
{
    exec_unit *u = unit_of(x, "new");

    u->root = EXEC_ARENA;
    u->offset = x->arena_bytes;
    x->arena_bytes += u->bytes;
}

static void small_result(exec_instance *x)
{
    unit_of(x, "m")->bytes -= 4;
}

static void forgotten_step(exec_instance *x)
{
    step_of(x, "s")->kind = EXEC_NOTHING;
}

static void swapped_steps(exec_instance *x)
{
    exec_step *b = step_of(x, "b"), *s = step_of(x, "s"), was = *b;

    *b = *s;
    *s = was;
}

static void other_operand(exec_instance *x)
{
    exec_step *c = step_of(x, "c");
    size_t *in = (size_t *)c->in;

    in[1] = in[0];
}

static void over_a_matmul(exec_instance *x)
{
    /* d is an operand of MatMul, which must not be written over it */
    unit_of(x, "d")->root = EXEC_HEAP;
    unit_of(x, "m")->same = (size_t)(unit_of(x, "d") - x->units);
}

/* The updates stand elsewhere: they were not computed in their window. */
static void updates_beside_window(exec_instance *x)
{
    reshow(x, "new", 24, NULL);
    assert_true(step_of(x, "set")->kind == EXEC_NOTHING);
}

static exec_copy *window_copy(exec_instance *x)
{
    exec_step *s = step_of(x, "late");

    assert_true(s->kind == EXEC_MOVES && s->n_copies == 1);
    return &x->copies[s->copy];
}

/* Moves a part of a copy in the scatter BYTES farther than it belongs. */
static void move_part(exec_instance *x, size_t v, int64_t bytes)
{
    inlay_tensor *was = x->shadow[v], moved = *was;

    moved.data = (char *)moved.data + bytes;
    x->shadow[v] = inlay_tensor_window(&moved, was->rank, was->dims, was->strides, 0);
    inlay_tensor_release(was);
}

static void window_copied_too_far(exec_instance *x)
{
    move_part(x, window_copy(x)->to, 24);
}

static void window_copied_from_elsewhere(exec_instance *x)
{
    move_part(x, window_copy(x)->from, 4);
}

static void window_not_copied(exec_instance *x)
{
    window_copy(x);
    step_of(x, "late")->kind = EXEC_NOTHING;
    step_of(x, "late")->n_copies = 0;
}

static bool no_rest(inlay_call *c, const void *frame)
{
    (void)c;
    (void)frame;
    return true;
}

static void rest_of_none(exec_instance *x)
{
    step_of(x, "s")->rest = no_rest;
    step_of(x, "s")->frame = x;
}

static exec_block *block_of(exec_instance *x, const char *name)
{
    exec_step *s = step_of(x, name);

    assert_true(s->kind == EXEC_BLOCKS && s->n_blocks > 0);
    return &x->blocks[s->block];
}

static void block_too_far(exec_instance *x)
{
    block_of(x, "d")->k.to += 4;
}

static void block_reads_too_far(exec_instance *x)
{
    block_of(x, "d")->k.x += 8;
}

static void block_reads_other_unit(exec_instance *x)
{
    exec_block *b = block_of(x, "d");

    b->unit[1] = x->unit[value_of(x, "a")];
    b->k.x = x->units[b->unit[1]].fake;
}

static void block_too_short(exec_instance *x)
{
    block_of(x, "d")->k.length--;
}

static void no_blocks(exec_instance *x)
{
    step_of(x, "d")->n_blocks = 0;
}

static void view_too_far(exec_instance *x)
{
    reshow(x, "rows", 6 * 4, NULL);
}

static void view_of_other_strides(exec_instance *x)
{
    static const int64_t strides[] = {12, 1};

    reshow(x, "rows", 0, strides);
}

static void window_too_early(exec_instance *x)
{
    reshow(x, "new", -6 * 4, NULL);
}

static void window_outside(exec_instance *x)
{
    reshow(x, "new", 4096, NULL);
}

static void write_before_read(exec_instance *x)
{
    exec_step *set = step_of(x, "set"), *now = step_of(x, "new"), was = *now;

    *now = *set;
    *set = was;
}

static void no_copy_of_input(exec_instance *x)
{
    assert_true(x->n_entries == 1);
    x->n_entries = 0;
}

static void copy_of_input_in_a_constant(exec_instance *x)
{
    unit_of(x, "set")->root = EXEC_CONST;
}

/* The audit sees what lies in the frame of the body alone. */
static void overlap_in_body(exec_instance *x)
{
    unit_of(x, "b")->offset = unit_of(x, "a")->offset;
    unit_of(x, "s")->offset = unit_of(x, "a")->offset;
}

static void body_result_in_frame(exec_instance *x)
{
    exec_unit *u = unit_of(x, "t");

    u->root = EXEC_ARENA;
    u->offset = x->arena_bytes;
    x->arena_bytes += u->bytes;
}

static void carried_value_of_others(exec_instance *x)
{
    exec_unit *u = unit_of(x, "new");

    assert_true(u->root == EXEC_INPUT && u->ours);
    u->ours = false;
}

static void carried_value_in_another(exec_instance *x)
{
    size_t new = value_of(x, "new"), k = step_of(x, "row")->in[0];

    x->shadow[new]->data = x->shadow[k]->data;
    x->unit[new] = x->unit[k];
}

static void carried_value_read_late(exec_instance *x)
{
    exec_step *before = step_of(x, "before"), *now = step_of(x, "new"), was = *now;

    *now = *before;
    *before = was;
}

static void carried_value_over_another(exec_instance *x)
{
    exec_unit *u = unit_of(x, "sum");

    u->root = EXEC_INPUT;
    u->same = x->unit[value_of(x, "new")];
}

/* What a loop gives has room in the arena. */
static void room_over_living(exec_instance *x)
{
    exec_unit *room = unit_of(x, "l");

    assert_true(room->root == EXEC_MADE && exec_in_arena(room));
    room->offset = unit_of(x, "beside")->offset;
}

static void loop_over_living(exec_instance *x)
{
    size_t l = step_of(x, "l")->out[0];

    assert_true(unit_of(x, "l")->root != EXEC_MADE);
    x->unit[l] = x->unit[value_of(x, "beside")];
    x->shadow[l]->data = x->shadow[value_of(x, "beside")]->data;
}

static void loop_beside_its_input(exec_instance *x)
{
    size_t l = step_of(x, "l")->out[0];

    x->shadow[l]->data = (char *)x->shadow[l]->data + 8;
}

static void room_over_room(exec_instance *x)
{
    const exec_step *s = step_of(x, "l");

    x->units[x->unit[s->out[1]]].offset = x->units[x->unit[s->out[0]]].offset;
}

static void room_behind_the_arena(exec_instance *x)
{
    unit_of(x, "l")->offset = x->arena_bytes;
}

/* Returns the unit of the value called NAME, which was made in the segment before. */
static exec_unit *old_unit(exec_instance *x, const char *name)
{
    return &x->units[x->units[x->unit[value_of((exec_instance *)x->before, name)]].same];
}

static void moved_at_the_border(exec_instance *x)
{
    old_unit(x, "b")->offset += 64;
}

static void over_what_lives_on(exec_instance *x)
{
    unit_of(x, "h")->offset = old_unit(x, "b")->offset;
}

static void lost_at_the_border(exec_instance *x)
{
    size_t b = value_of((exec_instance *)x->before, "b");

    inlay_tensor_release(x->shadow[b]);
    x->shadow[b] = NULL;
}

static void exchanged_at_the_border(exec_instance *x)
{
    exec_unit *a = old_unit(x, "a"), *b = old_unit(x, "b");
    size_t was = a->was;

    a->was = b->was;
    b->was = was;
}

static void result_lost_at_the_border(exec_instance *x)
{
    size_t r = value_of((exec_instance *)x->before, "r");

    inlay_tensor_release(x->shadow[r]);
    x->shadow[r] = NULL;
}

static void result_moved_to_the_arena(exec_instance *x)
{
    exec_unit *r = old_unit(x, "r");

    r->root = EXEC_ARENA;
    r->offset = x->arena_bytes;
    x->arena_bytes += r->bytes;
}

static void step_left_out_at_the_border(exec_instance *x)
{
    x->list++;
    x->n--;
    x->begin++;
}

static void across_two_regions(exec_instance *x)
{
    unit_of(x, "g")->offset = x->region[1] - 64;
}

static void region_too_early(exec_instance *x)
{
    x->region[1] -= 128;
    unit_of(x, "g")->offset -= 128;
}

static void nobodys_value(exec_instance *x)
{
    exec_unit *g = unit_of(x, "g");

    g->root = EXEC_MADE;
    g->first = 0;
}

/* A loop whose carried values take turns in a frame, and whose parts are joined. */
static exec_inner *inner_of(exec_instance *x)
{
    assert_true(x->n_inner == 1 && x->inner[0].n_turns > 3);
    return &x->inner[0];
}

static void frame_over_living(exec_instance *x)
{
    x->units[x->unit[inner_of(x)->value]].offset = unit_of(x, "beside")->offset;
}

static void frame_over_an_operand(exec_instance *x)
{
    x->units[x->unit[inner_of(x)->value]].offset = unit_of(x, "data")->offset;
}

static void frame_behind_the_arena(exec_instance *x)
{
    x->units[x->unit[inner_of(x)->value]].offset = x->arena_bytes;
}

static void frame_over_an_output(exec_instance *x)
{
    unit_of(x, "t")->offset = x->units[x->unit[inner_of(x)->value]].offset;
}

static void frame_too_small(exec_instance *x)
{
    inner_of(x)->base += 64;
}

static void seat_in_the_arena_of_the_body(exec_instance *x)
{
    exec_inner *in = inner_of(x);

    in->seats[in->n_seats - 1].at = in->base;
}

static void slots_that_stay(exec_instance *x)
{
    const exec_turn *t = &inner_of(x)->turns[2];
    int *makes = (int *)t->makes;

    assert_true(makes[1] != t->reads[1]);
    makes[1] = t->reads[1];
}

static void carried_from_the_other_slot(exec_instance *x)
{
    const exec_turn *t = &inner_of(x)->turns[2];

    ((int *)t->reads)[1] = t->makes[1];
}

static void part_on_part(exec_instance *x)
{
    const exec_turn *t = &inner_of(x)->turns[2];

    assert_true(t->part[0] > 0);
    ((int64_t *)t->part)[0]--;
}

static void iteration_of_no_instance(exec_instance *x)
{
    inner_of(x)->turns[1].kind = 7;
}

/* Only the run knows that the reshape fits; y is computed in its part of c, and copied from there.
 */
static const char reshaped[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                               "  %all = Const {value = i64[1] [-1]}\n"
                               "  %zero = Const {value = i64[] 0}\n"
                               "  %flat = Reshape(%x, %all) {special_zero = false}\n"
                               "  %most = ReduceMax(%flat, %zero) {keep_dims = true}\n"
                               "  %shape = Convert(%most) {destination_type = i64}\n"
                               "  %y = Exp(%flat)\n"
                               "  %q = Reshape(%y, %shape) {special_zero = false}\n"
                               "  %c = Concat(%q, %y) {axis = 0}\n"
                               "  %sum = ReduceSum(%c, %zero) {keep_dims = true}\n"
                               "  %late = Add(%y, %sum)\n"
                               "  %out = Result(%c)\n"
                               "  %out_2 = Result(%late)\n";

static void beside_the_part_of_its_reshape(exec_instance *x)
{
    assert_true(unit_of(x, "y") == unit_of(x, "c"));
    reshow(x, "y", 4, NULL);
}

static const struct mistake {
    const char *name, *body;
    bool of_body;
    void (*plant)(exec_instance *x);
} mistakes[] = {
    {"a unit on another that still lives", chain, false, overlap_living},
    {"a unit that begins a byte too early", chain, false, overlap_by_a_byte},
    {"two living units made one", chain, false, merge_living},
    {"an arena that is too small", chain, false, small_arena},
    {"a result in the arena", chain, false, result_in_arena},
    {"a state in the arena", variable, false, state_in_arena},
    {"a result that is too small", chain, false, small_result},
    {"a step that is left out", chain, false, forgotten_step},
    {"two steps in the wrong order", chain, false, swapped_steps},
    {"the wrong operand", chain, false, other_operand},
    {"a product written over its operand", chain, false, over_a_matmul},
    {"a rest of a kernel that has none", chain, false, rest_of_none},
    {"early updates beside their window", window, false, updates_beside_window},
    {"a window that is copied too far", late, false, window_copied_too_far},
    {"a window that is copied from elsewhere", late, false, window_copied_from_elsewhere},
    {"a window that is not copied", late, false, window_not_copied},
    {"a block that writes behind the output", chain, false, block_too_far},
    {"a block that reads behind the operand", chain, false, block_reads_too_far},
    {"a block that reads another value", chain, false, block_reads_other_unit},
    {"a block that stops early", chain, false, block_too_short},
    {"blocks that are missing", chain, false, no_blocks},
    {"a value beside the part of its reshape", reshaped, false, beside_the_part_of_its_reshape},
    {"a view of the wrong rows", window, false, view_too_far},
    {"a view of the wrong strides", window, false, view_of_other_strides},
    {"an early store in the wrong rows", window, false, window_too_early},
    {"an early store outside of its root", window, false, window_outside},
    {"an early store behind its scatter", window, false, write_before_read},
    {"an input that is written without a copy", kept, false, no_copy_of_input},
    {"a constant that is written", kept, false, copy_of_input_in_a_constant},
    {"values of a body on one another", branch, true, overlap_in_body},
    {"a result of a body in its frame", branch, true, body_result_in_frame},
    {"a carried value of others that is written", carried, true, carried_value_of_others},
    {"a carried value that is looked for in another", carried, true, carried_value_in_another},
    {"a carried value that is read behind the write", carried, true, carried_value_read_late},
    {"a carried value written over another", carried, true, carried_value_over_another},
    {"room for a loop on a value that lives", around, false, room_over_living},
    {"a loop that writes over a value that lives", given, false, loop_over_living},
    {"a loop that writes over a part of its input", given, false, loop_beside_its_input},
    {"room for two outputs of a loop at one place", around, false, room_over_room},
    {"room for a loop behind the arena", around, false, room_behind_the_arena},
    {"a frame on a value that lives", turns, false, frame_over_living},
    {"a frame on an operand of the loop", turns, false, frame_over_an_operand},
    {"a frame behind the arena", turns, false, frame_behind_the_arena},
    {"an output in the frame", turns, false, frame_over_an_output},
    {"a frame that is too small", turns, false, frame_too_small},
    {"a seat in the arena of a body", turns, false, seat_in_the_arena_of_the_body},
    {"carried values that do not change places", turns, false, slots_that_stay},
    {"a carried value that is looked for in the other slot", turns, false,
     carried_from_the_other_slot},
    {"a part on another part", turns, false, part_on_part},
    {"an iteration without an instance", turns, false, iteration_of_no_instance},
    {"a value that moves at a border", border, false, moved_at_the_border},
    {"a value on one that lives over a border", border, false, over_what_lives_on},
    {"a value that is lost at a border", border, false, lost_at_the_border},
    {"two values that change places at a border", border, false, exchanged_at_the_border},
    {"a result that is lost at a border", border, false, result_lost_at_the_border},
    {"a result that comes into the arena", border, false, result_moved_to_the_arena},
    {"a step that is left out at a border", border, false, step_left_out_at_the_border},
    {"a value that lies in two regions", border, false, across_two_regions},
    {"a region that begins too early", border, false, region_too_early},
    {"a value that nobody hands over", border, false, nobodys_value},
};

static void test_mistakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        subject s = subject_of(mistakes[i].body, mistakes[i].of_body);

        if (mistakes[i].body == border)
            go_on(&s);
        mistakes[i].plant(s.x);
        if (audit_instance(s.x, s.diags))
            fail_msg("the audit accepts %s", mistakes[i].name);
        if (!strstr(model_messages(s.diags), "audit: step"))
            fail_msg("%s: %s", mistakes[i].name, model_messages(s.diags));
        subject_free(&s);
    }
}

/* What dies at a pointwise step may become elements of another type: of the same width. */
static const char widths[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                             "  %a = SoftMax(%x) {axis = 1}\n"
                             "  %b = Convert(%a) {destination_type = i32}\n"
                             "  %c = Convert(%b) {destination_type = f64}\n"
                             "  %d = SoftMax(%c) {axis = 1}\n"
                             "  %out = Result(%d)\n";

static void test_widths(void **state)
{
    subject s = subject_of(widths, false);

    (void)state;
    assert_int_equal(unit_of(s.x, "a")->offset, unit_of(s.x, "b")->offset);
    assert_int_not_equal(unit_of(s.x, "c")->offset, unit_of(s.x, "b")->offset);
    assert_true(audit_instance(s.x, s.diags));
    unit_of(s.x, "c")->offset = unit_of(s.x, "b")->offset;
    assert_false(audit_instance(s.x, s.diags));
    if (!strstr(model_messages(s.diags), "N9 same-width"))
        fail_msg("%s", model_messages(s.diags));
    subject_free(&s);
}

/* Puts the units of every pair that lives at one time on one another. A unit that is made where the
 * other one is read for the last time may be written over it. */
static void test_every_pair(void **state)
{
    subject s = subject_of(chain, false);
    int tried = 0;

    (void)state;
    for (size_t i = 0; i < s.x->n_units; i++) {
        for (size_t k = 0; k < s.x->n_units; k++) {
            exec_unit *a = &s.x->units[i], *b = &s.x->units[k];
            uint64_t was = b->offset;

            if (i == k || a->same != i || b->same != k || a->root != EXEC_ARENA ||
                b->root != EXEC_ARENA || a->last <= b->first || b->last <= a->first)
                continue;
            b->offset = a->offset;
            if (audit_instance(s.x, NULL))
                fail_msg("the values of \"%s\" and \"%s\" may lie on one another", a->node->name,
                         b->node->name);
            b->offset = was;
            tried++;
        }
    }
    assert_true(tried >= 2);
    subject_free(&s);
}

/* Windows of an axis with four elements, and how many they select by the text of Slice-13 in ONNX:
 * a start is moved into 0 .. 4, or 0 .. 3 where the step is backwards; a stop into 0 .. 4, or
 * -1 .. 3. */
static const struct axis_window {
    int64_t start, stop, step;
    int first, count;
} windows[] = {
    {1, 3, 1, 1, 2},
    {-3, -1, 1, 1, 2},
    {-9, 2, 1, 0, 2},
    {INT64_MIN, INT64_MAX, 2, 0, 2},
    {1, 3, INT64_MAX, 1, 1},
    {2, 9, 3, 2, 1},
    {2, 0, -1, 2, 2},
    {9, -9, -2, 3, 2},
    {INT64_MAX, INT64_MIN, -3, 3, 2},
    {-5, -6, -1, 0, 1}, /* begins before the first element: Python would select nothing */
    {INT64_MIN, INT64_MIN, -1, 0, 1},
    {2, INT64_MIN, INT64_MIN, 2, 1},
    {-4, INT64_MIN, -1, 0, 1},
};

/* Returns `late` with the window W. */
static char *late_with(const struct axis_window *w)
{
    static const char form[] = "  %%x = Parameter {element_type = f32, shape = [4,6]}\n"
                               "  %%p = Parameter {element_type = f32, shape = [4,6]}\n"
                               "  %%start = Const {value = i64[1] [%lld]}\n"
                               "  %%stop = Const {value = i64[1] [%lld]}\n"
                               "  %%step = Const {value = i64[1] [%lld]}\n"
                               "  %%data = Exp(%%x)\n"
                               "  %%rows = Slice(%%p, %%start, %%stop, %%step)\n"
                               "  %%late = SliceScatter(%%data, %%rows, %%start, %%stop, %%step)\n"
                               "  %%end = Sqrt(%%late)\n"
                               "  %%out = Result(%%end)\n";
    char *body = malloc(sizeof form + 64);

    assert_non_null(body);
    snprintf(body, sizeof form + 64, form, (long long)w->start, (long long)w->stop,
             (long long)w->step);
    return body;
}

/* Whether T, a part of the value NAME, is the rows of W. */
static bool is_rows_of(exec_instance *x, const char *name, const inlay_tensor *t,
                       const struct axis_window *w)
{
    const inlay_tensor *all = x->shadow[value_of(x, name)];
    int64_t first = t->offset - all->offset + ((float *)t->data - (float *)all->data);

    return first == (int64_t)w->first * 6 && t->dims[0] == w->count && t->dims[1] == 6 &&
           t->strides[1] == 1 && (w->count == 1 || t->strides[0] == w->step * 6);
}

/* The audit knows which rows a window selects: it accepts a copy to them, and none that is a row
 * farther. Without passes the data are copied first; otherwise the window is written in place. */
static void test_windows(void **state)
{
    static const char *const passes[] = {"none", "in-place-windows"};

    (void)state;
    for (size_t i = 0; i < 2 * sizeof windows / sizeof *windows; i++) {
        const struct axis_window *w = &windows[i / 2];
        char *body = late_with(w);
        subject s = subject_behind(passes[i % 2], body, false);
        exec_step *scatter = step_of(s.x, "late");
        size_t to = s.x->copies[scatter->copy + scatter->n_copies - 1].to;

        assert_true(scatter->kind == EXEC_MOVES && scatter->n_copies == 2 - i % 2);
        assert_true(is_rows_of(s.x, "late", s.x->shadow[to], w));
        move_part(s.x, to, w->first == 3 ? -24 : 24);
        assert_false(audit_instance(s.x, s.diags));
        assert_non_null(strstr(model_messages(s.diags), "a window is copied to where it does not"));
        subject_free(&s);
        free(body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_every_pair),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
