/* The audit (interp/audit) refuses mistakes in what surrounds a graph: in bodies, in what loops
 * carry and give, at the border of a segment. */
#include "audited.h"

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

/* The audit sees what lies in the frame of the body alone. */
static void overlap_in_body(exec_instance *x)
{
    unit_of(x, "b")->offset = unit_of(x, "a")->offset;
    unit_of(x, "s")->offset = unit_of(x, "a")->offset;
}

static void body_result_in_frame(exec_instance *x)
{
    exec_allocation *u = unit_of(x, "t");

    u->root = EXEC_ARENA;
    u->offset = x->arena.bytes;
    x->arena.bytes += u->bytes;
}

static void carried_value_of_others(exec_instance *x)
{
    exec_allocation *u = unit_of(x, "new");

    assert_true(u->root == EXEC_INPUT && u->ours);
    u->ours = false;
}

static void carried_value_in_another(exec_instance *x)
{
    size_t new = value_of(x, "new"), k = step_of(x, "row")->in[0];

    x->meta[new]->data = x->meta[k]->data;
    x->allocation[new] = x->allocation[k];
}

static void carried_value_read_late(exec_instance *x)
{
    exec_step *before = step_of(x, "before"), *now = step_of(x, "new"), was = *now;

    *now = *before;
    *before = was;
}

static void carried_value_over_another(exec_instance *x)
{
    exec_allocation *u = unit_of(x, "sum");

    u->root = EXEC_INPUT;
    u->same = x->allocation[value_of(x, "new")];
}

/* What a loop gives has room in the arena. */
static void room_over_living(exec_instance *x)
{
    exec_allocation *room = unit_of(x, "l");

    assert_true(room->root == EXEC_MADE && exec_in_arena(room));
    room->offset = unit_of(x, "beside")->offset;
}

static void loop_over_living(exec_instance *x)
{
    size_t l = step_of(x, "l")->out[0];

    assert_true(unit_of(x, "l")->root != EXEC_MADE);
    x->allocation[l] = x->allocation[value_of(x, "beside")];
    x->meta[l]->data = x->meta[value_of(x, "beside")]->data;
}

static void loop_beside_its_input(exec_instance *x)
{
    size_t l = step_of(x, "l")->out[0];

    x->meta[l]->data = (char *)x->meta[l]->data + 8;
}

static void room_over_room(exec_instance *x)
{
    const exec_step *s = step_of(x, "l");

    x->allocations[x->allocation[s->out[1]]].offset =
        x->allocations[x->allocation[s->out[0]]].offset;
}

static void room_behind_the_arena(exec_instance *x)
{
    unit_of(x, "l")->offset = x->arena.bytes;
}

/* Returns the unit of the value called NAME, which was made in the segment before. */
static exec_allocation *old_unit(exec_instance *x, const char *name)
{
    return &x->allocations
                [x->allocations[x->allocation[value_of((exec_instance *)x->segment.before, name)]]
                     .same];
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
    size_t b = value_of((exec_instance *)x->segment.before, "b");

    inlay_tensor_release(x->meta[b]);
    x->meta[b] = NULL;
}

static void exchanged_at_the_border(exec_instance *x)
{
    exec_allocation *a = old_unit(x, "a"), *b = old_unit(x, "b");
    size_t was = a->was;

    a->was = b->was;
    b->was = was;
}

static void result_lost_at_the_border(exec_instance *x)
{
    size_t r = value_of((exec_instance *)x->segment.before, "r");

    inlay_tensor_release(x->meta[r]);
    x->meta[r] = NULL;
}

static void result_moved_to_the_arena(exec_instance *x)
{
    exec_allocation *r = old_unit(x, "r");

    r->root = EXEC_ARENA;
    r->offset = x->arena.bytes;
    x->arena.bytes += r->bytes;
}

static void step_left_out_at_the_border(exec_instance *x)
{
    x->list++;
    x->n--;
    x->segment.begin++;
}

static void across_two_regions(exec_instance *x)
{
    unit_of(x, "g")->offset = x->segment.region[1] - 64;
}

static void region_too_early(exec_instance *x)
{
    x->segment.region[1] -= 128;
    unit_of(x, "g")->offset -= 128;
}

static void nobodys_value(exec_instance *x)
{
    exec_allocation *g = unit_of(x, "g");

    g->root = EXEC_MADE;
    g->first = 0;
}

/* A loop whose carried values take turns in a frame, and whose parts are joined. */
static exec_inner *inner_of(exec_instance *x)
{
    assert_true(x->n_inner == 1 && x->inner[0].n_iterations > 3);
    return &x->inner[0];
}

static void frame_over_living(exec_instance *x)
{
    x->allocations[x->allocation[inner_of(x)->value]].offset = unit_of(x, "beside")->offset;
}

static void frame_over_an_operand(exec_instance *x)
{
    x->allocations[x->allocation[inner_of(x)->value]].offset = unit_of(x, "data")->offset;
}

static void frame_behind_the_arena(exec_instance *x)
{
    x->allocations[x->allocation[inner_of(x)->value]].offset = x->arena.bytes;
}

static void frame_over_an_output(exec_instance *x)
{
    unit_of(x, "t")->offset = x->allocations[x->allocation[inner_of(x)->value]].offset;
}

static void frame_too_small(exec_instance *x)
{
    inner_of(x)->base += 64;
}

static void slot_in_the_arena_of_the_body(exec_instance *x)
{
    exec_inner *in = inner_of(x);

    in->frame_slots[in->n_frame_slots - 1].at = in->base;
}

static void slots_that_stay(exec_instance *x)
{
    const exec_iteration *t = &inner_of(x)->iterations[2];
    int *makes = (int *)t->makes;

    assert_true(makes[1] != t->reads[1]);
    makes[1] = t->reads[1];
}

static void carried_from_the_other_slot(exec_instance *x)
{
    const exec_iteration *t = &inner_of(x)->iterations[2];

    ((int *)t->reads)[1] = t->makes[1];
}

static void part_on_part(exec_instance *x)
{
    const exec_iteration *t = &inner_of(x)->iterations[2];

    assert_true(t->part[0] > 0);
    ((int64_t *)t->part)[0]--;
}

static void iteration_of_no_instance(exec_instance *x)
{
    inner_of(x)->iterations[1].kind = 7;
}

/* Both outputs of the If are one tensor in its branches. */
static const char twice[] = "  %c = Parameter {element_type = boolean, shape = []}\n"
                            "  %x = Parameter {element_type = f32, shape = [6]}\n"
                            "  %e = Tanh(%x)\n"
                            "  %i:2 = If(%c, %x)\n"
                            "    then_body \"then\" {\n"
                            "      %p = Parameter {element_type = f32, shape = [6]}\n"
                            "      %a = Exp(%p)\n"
                            "      %q = Result(%a)\n"
                            "    }\n"
                            "    in 1 -> %p\n"
                            "    out %q -> 0\n"
                            "    out %q -> 1\n"
                            "    else_body \"else\" {\n"
                            "      %p = Parameter {element_type = f32, shape = [6]}\n"
                            "      %b = Abs(%p)\n"
                            "      %q = Result(%b)\n"
                            "    }\n"
                            "    in 1 -> %p\n"
                            "    out %q -> 0\n"
                            "    out %q -> 1\n"
                            "  %f = Add(%e, %x)\n"
                            "  %one = Add(%i:0, %f)\n"
                            "  %two = Result(%i:1)\n"
                            "  %out = Result(%one)\n";

static void one_output_in_a_window(exec_instance *x)
{
    size_t i = step_of(x, "i")->out[0], e = value_of(x, "e");

    x->allocation[i] = x->allocation[e];
    x->meta[i]->data = x->meta[e]->data;
}

static const mistake mistakes[] = {
    {"an output in a window that is another output, too", twice, OUTERMOST, one_output_in_a_window},

    {"values of a body on one another", branch, BODY, overlap_in_body},
    {"a result of a body in its frame", branch, BODY, body_result_in_frame},
    {"a carried value of others that is written", carried, BODY, carried_value_of_others},
    {"a carried value that is looked for in another", carried, BODY, carried_value_in_another},
    {"a carried value that is read behind the write", carried, BODY, carried_value_read_late},
    {"a carried value written over another", carried, BODY, carried_value_over_another},
    {"room for a loop on a value that lives", around, OUTERMOST, room_over_living},
    {"a loop that writes over a value that lives", given, OUTERMOST, loop_over_living},
    {"a loop that writes over a part of its input", given, OUTERMOST, loop_beside_its_input},
    {"room for two outputs of a loop at one place", around, OUTERMOST, room_over_room},
    {"room for a loop behind the arena", around, OUTERMOST, room_behind_the_arena},
    {"a frame on a value that lives", turns, OUTERMOST, frame_over_living},
    {"a frame on an operand of the loop", turns, OUTERMOST, frame_over_an_operand},
    {"a frame behind the arena", turns, OUTERMOST, frame_behind_the_arena},
    {"an output in the frame", turns, OUTERMOST, frame_over_an_output},
    {"a frame that is too small", turns, OUTERMOST, frame_too_small},
    {"a frame slot in the arena of a body", turns, OUTERMOST, slot_in_the_arena_of_the_body},
    {"carried values that do not change places", turns, OUTERMOST, slots_that_stay},
    {"a carried value that is looked for in the other slot", turns, OUTERMOST,
     carried_from_the_other_slot},
    {"a part on another part", turns, OUTERMOST, part_on_part},
    {"an iteration without an instance", turns, OUTERMOST, iteration_of_no_instance},
    {"a value that moves at a border", border, NEXT_SEGMENT, moved_at_the_border},
    {"a value on one that lives over a border", border, NEXT_SEGMENT, over_what_lives_on},
    {"a value that is lost at a border", border, NEXT_SEGMENT, lost_at_the_border},
    {"two values that change places at a border", border, NEXT_SEGMENT, exchanged_at_the_border},
    {"a result that is lost at a border", border, NEXT_SEGMENT, result_lost_at_the_border},
    {"a result that comes into the arena", border, NEXT_SEGMENT, result_moved_to_the_arena},
    {"a step that is left out at a border", border, NEXT_SEGMENT, step_left_out_at_the_border},
    {"a value that lies in two regions", border, NEXT_SEGMENT, across_two_regions},
    {"a region that begins too early", border, NEXT_SEGMENT, region_too_early},
    {"a value that the segment before does not pass on", border, NEXT_SEGMENT, nobodys_value},
};

static void test_mistakes_around(void **state)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        check_mistake(&mistakes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes_around),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
