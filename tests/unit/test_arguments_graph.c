/* Functions of graphs, nodes and what belongs to them are misused: see test_arguments.c. */
#include "ir/shared.h"
#include "misused.h"
#include "unit.h"

static void test_graphs(void **state)
{
    misused s = misused_of(SOUND);

    inlay_graph_free(NULL);
    inlay_graph_free(inlay_graph_new(NULL, s.d));
    inlay_graph_free(inlay_graph_new_of(NULL, NULL, s.d));
    REFUSED(inlay_graph_new_body(NULL, "b", s.d), no_node);
    REFUSED(inlay_node_set_bodies(NULL, 1, s.d), no_node);
    REFUSED(inlay_node_set_bodies(s.b, 1, s.d),
            "3: error: node \"b\" (ReLU-1): the operation cannot have 1 body");
    REFUSED(inlay_node_set_bodies(s.b, -1, s.d),
            "3: error: node \"b\" (ReLU-1): the operation cannot have -1 bodies");
    assert_int_equal(inlay_graph_depth(NULL), 0);
    REFUSED(inlay_graph_clone(NULL, s.d), no_graph);
    REFUSED(inlay_graph_set_budget(NULL, NULL, s.d), no_graph);
    REFUSED_QUIETLY(inlay_graph_budget(NULL));
    REFUSED_QUIETLY(inlay_graph_node(NULL, "x"));
    REFUSED_QUIETLY(inlay_graph_node(s.g, NULL));
    inlay_graph_drop_notes(NULL);
    misused_free(&s);
}

static void test_nodes(void **state)
{
    misused s = misused_of(SOUND);

    REFUSED(inlay_node_new(NULL, s.b->op, "n", 1, 1, s.d), no_graph);
    REFUSED(inlay_node_new(s.g, NULL, "n", 1, 1, s.d), "error: no operation is given");
    REFUSED(inlay_node_new(s.g, s.b->op, "n", -1, 1, s.d),
            "error: a node cannot have -1 inputs and 1 output");
    REFUSED(inlay_node_rename(NULL, "n", s.d), no_node);
    REFUSED(inlay_node_rename(s.b, NULL, s.d), "error: no name is given");
    REFUSED(inlay_node_set_opset(NULL, "opset1", s.d), no_node);
    REFUSED(inlay_node_set_input(NULL, 0, NULL, s.d), no_node);
    REFUSED(inlay_node_set_input(s.b, -1, NULL, s.d),
            "3: error: node \"b\" (ReLU-1): there is no input -1, the node has 1");
    REFUSED_QUIETLY(inlay_node_input(s.b, -1));
    REFUSED(inlay_node_set_n_out(NULL, 1, s.d), no_node);
    REFUSED(inlay_node_drop_input(NULL, 0, s.d), no_node);
    REFUSED(inlay_node_drop_output(NULL, 0, s.d), no_node);
    REFUSED(inlay_node_drop_output(s.b, 7, s.d),
            "3: error: node \"b\" (ReLU-1): there is no output 7, the node has 1");
    REFUSED(inlay_node_set_n_out(s.b, -1, s.d),
            "3: error: node \"b\" (ReLU-1): a node cannot have -1 outputs");
    REFUSED(inlay_node_remove(NULL, s.d), no_node);
    assert_true(inlay_node_remove(s.g->results[0], s.d));
    assert_true(inlay_node_remove(s.b, s.d));
    REFUSED(inlay_node_remove(s.b, s.d),
            "3: error: node \"b\" (ReLU-1): the node is not in its graph any more");
    assert_int_equal(inlay_node_n_out(NULL), -1);
    misused_free(&s);
}

static void test_dim_names(void **state)
{
    misused s = misused_of("%x = Parameter-1 {element_type = f32, shape = [1..4#n]}\n"
                           "%b = ReLU(%x)\n%r = Result(%b)\n");
    char text[40];

    REFUSED(inlay_graph_carry(NULL, &(inlay_carried){0, 0}, 1, s.d), no_graph);
    REFUSED(inlay_graph_carry(s.g, NULL, 1, s.d), "error: no list of pairs is given");
    REFUSED(inlay_graph_carry(s.g, &(inlay_carried){9, 0}, 1, s.d),
            "error: there is no output 9, or no input 0");
    REFUSED(inlay_graph_named_dim(NULL, "n", s.d), no_graph);
    REFUSED(inlay_graph_named_dim(s.g, NULL, s.d), "error: no name of a dimension is given");
    REFUSED(inlay_graph_named_dim(s.g, "", s.d), "error: the name of a dimension is empty");
    REFUSED(inlay_graph_name_dim(NULL, 1, "n", s.d), no_graph);
    REFUSED(inlay_graph_name_dim(s.g, 1, NULL, s.d), "error: no name of a dimension is given");
    REFUSED(inlay_graph_name_dim(s.g, 1, "", s.d), "error: the name of a dimension is empty");
    REFUSED(inlay_graph_name_dim(s.g, 0, "m", s.d),
            "error: the graph has no identity 0 of a dimension");
    REFUSED(inlay_graph_name_dim(s.g, 99, "m", s.d),
            "error: the graph has no identity 99 of a dimension");
    assert_int_equal(inlay_graph_dim_id(NULL, "n"), 0);
    assert_int_equal(inlay_graph_dim_id(s.g, NULL), 0);
    assert_null(inlay_graph_dim_name(NULL, 1));
    assert_null(inlay_graph_dim_name(s.g, 0));
    assert_null(inlay_value_dim_name(NULL, 0));
    assert_null(inlay_value_dim_name(&s.b->out[0], -1));
    assert_null(inlay_value_dim_name(&s.b->out[0], 1));
    assert_string_equal(inlay_value_shape_text(NULL, text, sizeof text), "...");
    assert_string_equal(inlay_value_shape_text(&s.b->out[0], text, 4), "[1.");
    REFUSED(inlay_graph_set_dim(NULL, "n", 1, s.d), no_graph);
    REFUSED(inlay_graph_set_dim(s.g, NULL, 1, s.d), "error: no name of a dimension is given");
    REFUSED(inlay_graph_set_dim(s.g, "n", -1, s.d), "error: dimension \"n\" cannot be -1");
    REFUSED(inlay_graph_set_dim(s.g, "m", 1, s.d), "error: no input has a dimension called \"m\"");
    misused_free(&s);
}

static void test_values(void **state)
{
    misused s = misused_of(SOUND);
    const char *const names[] = {"a", NULL};
    const inlay_dim turned[] = {{3, 1, 0}}, many[INLAY_MAX_RANK + 1] = {{0, 0, 0}};
    inlay_value *v = &s.b->out[0];

    REFUSED_QUIETLY(inlay_value_same(v, NULL));
    REFUSED_QUIETLY(inlay_value_is_output(NULL));
    REFUSED(inlay_value_replace(NULL, v, s.d), no_value);
    REFUSED(inlay_value_replace(v, NULL, s.d), "error: no value to replace it is given");
    REFUSED(inlay_value_set_names(NULL, names, 1, s.d), no_value);
    REFUSED(inlay_value_set_names(v, NULL, 1, s.d), "error: no list of names is given");
    REFUSED(inlay_value_set_names(v, names, -1, s.d), "error: a list of -1 names is given");
    REFUSED(inlay_value_set_names(v, names, 2, s.d),
            "error: entry 1 of the list of names is missing");
    REFUSED(inlay_value_add_name(NULL, "n", s.d), no_value);
    REFUSED(inlay_value_add_name(v, NULL, s.d), "error: entry 0 of the list of names is missing");
    REFUSED(inlay_value_add_names(NULL, names, 1, s.d), no_value);
    REFUSED(inlay_value_add_names(v, NULL, 1, s.d), "error: no list of names is given");
    REFUSED(inlay_value_add_names(v, names, -1, s.d), "error: a list of -1 names is given");
    REFUSED(inlay_value_set_fact(NULL, INLAY_F32, 0, NULL, s.d), no_value);
    REFUSED(inlay_value_set_fact(v, INLAY_F32, INLAY_MAX_RANK + 1, many, s.d),
            "3: error: node \"b\" (ReLU-1): a shape has rank 33, it must be in [-1, 32]");
    REFUSED(inlay_value_set_fact(v, INLAY_F32, -2, many, s.d),
            "3: error: node \"b\" (ReLU-1): a shape has rank -2, it must be in [-1, 32]");
    REFUSED(inlay_value_set_fact(v, INLAY_F32, 1, NULL, s.d),
            "3: error: node \"b\" (ReLU-1): a shape of rank 1 has no dimensions");
    REFUSED(inlay_value_set_fact(v, INLAY_F32, 1, turned, s.d),
            "3: error: node \"b\" (ReLU-1): dimension 0 of a shape goes from 3 to 1");
    REFUSED(inlay_value_set_fact(v, (inlay_type)9999, 0, NULL, s.d),
            "3: error: node \"b\" (ReLU-1): there is no element type 9999");
    misused_free(&s);
}

static void test_variables(void **state)
{
    misused s = misused_of(SOUND);
    inlay_variable *v = inlay_graph_variable(s.g, "v", s.d);
    const inlay_dim turned[] = {{3, 1, 0}};
    const inlay_node *inside = NULL;

    REFUSED(inlay_graph_variable(NULL, "v", s.d), no_graph);
    REFUSED(inlay_graph_variable(s.g, NULL, s.d), "error: no name of a variable is given");
    REFUSED_QUIETLY(inlay_variable_of(NULL, INLAY_OP_ASSIGN));
    inlay_variables_in_bodies(NULL, &inside);
    inlay_variables_in_bodies(s.g, NULL);
    assert_null(inside);
    REFUSED(inlay_variable_set(NULL, v, INLAY_F32, -1, NULL, s.d), no_graph);
    REFUSED(inlay_variable_set(s.g, NULL, INLAY_F32, -1, NULL, s.d), "error: no variable is given");
    REFUSED(inlay_variable_set(s.g, v, (inlay_type)-1, -1, NULL, s.d),
            "error: there is no element type -1");
    REFUSED(inlay_variable_set(s.g, v, INLAY_F32, 50, turned, s.d),
            "error: a shape has rank 50, it must be in [-1, 32]");
    REFUSED(inlay_variable_set(s.g, v, INLAY_F32, 1, turned, s.d),
            "error: dimension 0 of a shape goes from 3 to 1");
    REFUSED(inlay_settle_variables(NULL, s.d), no_graph);
    misused_free(&s);
}

static void test_setters_without_a_node(void **state)
{
    misused s = misused_of(SOUND);
    const inlay_attr attr = {.set = true};

    REFUSED(inlay_node_set_bool(NULL, "a", true, s.d), no_node);
    REFUSED(inlay_node_set_int(s.b, NULL, 1, s.d), no_name);
    REFUSED(inlay_node_set_float(NULL, "a", 1, s.d), no_node);
    REFUSED(inlay_node_set_number(s.b, NULL, true, 1, 1, s.d), no_name);
    REFUSED(inlay_node_set_string(NULL, "a", "b", s.d), no_node);
    REFUSED(inlay_node_set_string(s.b, NULL, "b", s.d), no_name);
    REFUSED(inlay_node_set_type(NULL, "a", INLAY_F32, s.d), no_node);
    REFUSED(inlay_node_set_ints(NULL, "a", NULL, 0, s.d), no_node);
    REFUSED(inlay_node_set_floats(NULL, "a", NULL, 0, s.d), no_node);
    REFUSED(inlay_node_set_strings(NULL, "a", NULL, 0, s.d), no_node);
    REFUSED(inlay_node_set_types(NULL, "a", NULL, 0, s.d), no_node);
    REFUSED(inlay_node_set_shape(NULL, "a", NULL, s.d), no_node);
    REFUSED(inlay_node_set_tensor(NULL, "a", NULL, s.d), no_node);
    REFUSED(inlay_node_set_attr(NULL, "a", &attr, s.d), no_node);
    REFUSED(inlay_node_set_attr(s.b, NULL, &attr, s.d), no_name);
    REFUSED(inlay_node_set_attr(s.b, "a", NULL, s.d), "error: no attribute is given");
    REFUSED(inlay_node_set_attr_text(NULL, 0, "a", s.d), no_node);
    misused_free(&s);
}

static inlay_node *new_node(const misused *s, const char *type)
{
    inlay_node *n =
        inlay_node_new(s->g, inlay_op_find(NULL, type, NULL, NULL, s->d), "n", 0, 0, s->d);

    assert_non_null(n);
    return n;
}

/* Attributes cannot have these values, also when they are another node's attribute. */
static void test_values_of_attributes(void **state)
{
    misused s = misused_of(SOUND);
    inlay_node *p = new_node(&s, "Parameter"), *c = new_node(&s, "Const"),
               *pool = new_node(&s, "MaxPool"), *assign = new_node(&s, "Assign");
    inlay_shape wide = {.rank = 77}, turned = {.rank = 1, .dim = {{9, 1, 0}}};
    const inlay_attr nothing = {.set = true}, wide_attr = {.set = true, .as.shape = &wide};

    REFUSED(inlay_node_set_type(p, "element_type", (inlay_type)9999, s.d),
            "error: node \"n\" (Parameter-1): there is no element type 9999");
    REFUSED(inlay_node_set_shape(p, "shape", NULL, s.d), "error: no shape is given");
    REFUSED(inlay_node_set_shape(p, "shape", &wide, s.d),
            "error: node \"n\" (Parameter-1): a shape has rank 77, it must be in [-1, 32]");
    REFUSED(inlay_node_set_shape(p, "shape", &turned, s.d),
            "error: node \"n\" (Parameter-1): dimension 0 of a shape goes from 9 to 1");
    REFUSED(inlay_node_set_attr(p, "shape", &nothing, s.d), "error: no shape is given");
    REFUSED(inlay_node_set_attr(p, "shape", &wide_attr, s.d),
            "error: node \"n\" (Parameter-1): a shape has rank 77, it must be in [-1, 32]");
    REFUSED(inlay_node_set_tensor(c, "value", NULL, s.d), no_tensor);
    REFUSED(inlay_node_set_attr(c, "value", &nothing, s.d), no_tensor);
    REFUSED(inlay_node_set_attr(assign, "variable_id", &nothing, s.d),
            "error: no variable is given");
    REFUSED(inlay_node_set_string(assign, "variable_id", NULL, s.d), "error: no string is given");
    REFUSED(inlay_node_set_string(pool, "rounding_type", NULL, s.d), "error: no string is given");
    REFUSED(inlay_node_set_ints(pool, "strides", NULL, 2, s.d),
            "error: no list of elements is given");
    REFUSED(inlay_node_set_ints(pool, "strides", NULL, -1, s.d),
            "error: a list of -1 elements is given");
    REFUSED(inlay_node_set_attr_text(pool, 99, "1", s.d),
            "error: node \"n\" (MaxPool-14): there is no attribute 99, the operation has 9");
    REFUSED(inlay_node_set_attr_text(pool, -1, "1", s.d),
            "error: node \"n\" (MaxPool-14): there is no attribute -1, the operation has 9");
    REFUSED(inlay_node_set_attr_text(pool, 0, NULL, s.d), "error: no text is given");
    misused_free(&s);
}

static void test_reading_attributes(void **state)
{
    misused s = misused_of(SOUND);
    const inlay_attr attr = {.set = true};
    bool is;
    int n;

    REFUSED_QUIETLY(inlay_bool_parse(NULL, &is));
    REFUSED_QUIETLY(inlay_node_attr(NULL, "axis"));
    REFUSED_QUIETLY(inlay_node_attr(s.b, NULL));
    REFUSED_QUIETLY(inlay_node_bool(NULL, "axis"));
    REFUSED_QUIETLY(inlay_node_int(NULL, "axis"));
    REFUSED_QUIETLY(inlay_node_float(NULL, "axis") != 0);
    REFUSED_QUIETLY(inlay_node_string(NULL, "axis"));
    assert_int_equal(inlay_node_type(NULL, "axis"), INLAY_DYNAMIC);
    REFUSED_QUIETLY(inlay_node_ints(NULL, "axis", &n));
    assert_int_equal(n, 0);
    REFUSED_QUIETLY(inlay_attr_equal(INLAY_ATTR_INT, &attr, NULL));
    misused_free(&s);
}

static void test_building(void **state)
{
    misused s = misused_of(SOUND);
    inlay_shape shape = {.rank = 0}, wide = {.rank = 77}, turned = {.rank = 1, .dim = {{9, 1, 0}}};
    const int64_t two[] = {2};
    inlay_value *none[] = {NULL};

    REFUSED(inlay_build_parameter(NULL, "p", INLAY_F32, &shape, s.d), no_graph);
    REFUSED(inlay_build_parameter(s.g, "p", INLAY_F32, NULL, s.d), "error: no shape is given");
    REFUSED(inlay_build_parameter(s.g, "q", (inlay_type)9999, &shape, s.d),
            "error: node \"q\" (Parameter-1): there is no element type 9999");
    REFUSED(inlay_build_parameter(s.g, "w", INLAY_F32, &wide, s.d),
            "error: node \"w\" (Parameter-1): a shape has rank 77, it must be in [-1, 32]");
    REFUSED(inlay_build_parameter(s.g, "t", INLAY_F32, &turned, s.d),
            "error: node \"t\" (Parameter-1): dimension 0 of a shape goes from 9 to 1");
    REFUSED(inlay_build_const(s.g, "c", NULL, s.d), no_tensor);
    REFUSED(inlay_build_ints(s.g, "i", INLAY_I64, 1, two, NULL, s.d),
            "error: these are no elements of a constant of type i64 and rank 1");
    REFUSED(inlay_build_ints(s.g, "i", INLAY_I64, 77, NULL, two, s.d),
            "error: these are no elements of a constant of type i64 and rank 77");
    REFUSED(inlay_build_ints(s.g, "i", (inlay_type)9999, 1, two, two, s.d),
            "error: there is no element type 9999");
    REFUSED(inlay_build_i64(NULL, "i", 1, s.d), no_graph);
    REFUSED(inlay_build_i64_scalar(NULL, "i", 1, s.d), no_graph);
    REFUSED(inlay_build_i64_list(s.g, "i", NULL, 1, s.d), "error: no list of elements is given");
    REFUSED(inlay_build_i64_list(s.g, "i", two, -1, s.d), "error: a list of -1 elements is given");
    REFUSED(inlay_build_f32(NULL, "i", 1, s.d), no_graph);
    REFUSED(inlay_build_f32_scalar(NULL, "i", 1, s.d), no_graph);
    REFUSED(inlay_build_f32_list(s.g, "i", NULL, 1, s.d), "error: no list of elements is given");
    REFUSED(inlay_build_begin(NULL, "n", "ReLU", none, 1, s.d), no_graph);
    REFUSED(inlay_build_begin(s.g, "n", "ReLU", NULL, 1, s.d), "error: no list of inputs is given");
    REFUSED_QUIETLY(inlay_build_end(NULL, true, s.d));
    assert_string_equal(inlay_version(), INLAY_VERSION);
    REFUSED(inlay_build_result(s.g, "o", NULL, s.d),
            "error: node \"o\" (Result-1): input 0 \"value\" is missing");
    REFUSED(inlay_build(NULL, "n", "ReLU", none, 1, NULL, s.d), no_graph);
    REFUSED(inlay_build(s.g, "n", NULL, none, 1, NULL, s.d),
            "error: no type of an operation is given");
    REFUSED(inlay_build(s.g, "n", "ReLU", NULL, 1, NULL, s.d), "error: no list of inputs is given");
    REFUSED(inlay_build(s.g, "n", "ReLU", none, -1, NULL, s.d),
            "error: a list of -1 inputs is given");
    REFUSED(inlay_build(s.g, "n", "ReLU", none, 1, NULL, s.d),
            "error: node \"n\" (ReLU-1): input 0 \"x\" is missing");
    REFUSED(inlay_build(s.g, "n", "ReLU", none, 1, "a=b", s.d),
            "error: node \"n\" (ReLU-1): there is no attribute \"a\"");
    /* what was not built is not there */
    assert_int_equal(s.g->n_nodes, 3);
    assert_int_equal(s.g->n_params, 1);
    assert_int_equal(s.g->n_results, 1);
    assert_true(inlay_check_graph(s.g, s.d));
    misused_free(&s);
}

static void test_ports(void **state)
{
    inlay_port p = {.start = -1, .end = INT64_MIN, .stride = 1, .part_size = 1};
    int64_t first, count;
    misused s = misused_of(SOUND);

    REFUSED_QUIETLY(inlay_port_parts(&p, INT64_MIN, &first, &count));
    REFUSED_QUIETLY(inlay_port_parts(&p, 4, &first, &count));
    REFUSED(inlay_check_bodies(NULL, s.d), no_node);
    REFUSED(inlay_check_bodies(s.b, s.d), "3: error: node \"b\" (ReLU-1): body is missing");
    misused_free(&s);
}

static void test_notes_and_metadata(void **state)
{
    misused s = misused_of(SOUND);
    inlay_meta *m = inlay_meta_new(s.g, "tag", s.d);
    inlay_value *v = &s.b->out[0];

    REFUSED(inlay_value_set_note(NULL, INLAY_FRESH, v, s.d), no_value);
    REFUSED(inlay_value_set_note(v, (inlay_note_kind)7, v, s.d),
            "3: error: node \"b\" (ReLU-1): there is no kind 7 of storage notes");
    REFUSED(inlay_value_state_grounds(NULL, s.d), no_value);
    REFUSED(inlay_value_add_ground(NULL, INLAY_O3_NO_LATER_READ, s.x, s.d), no_value);
    REFUSED(inlay_value_add_ground(v, INLAY_O3_NO_LATER_READ, NULL, s.d), no_node);
    assert_null(inlay_ground_name(NULL));
    assert_null(inlay_ground_name(&(inlay_ground){.condition = 1000}));
    assert_string_equal(inlay_ground_text(NULL), "");
    assert_false(inlay_ground_is_ordered(NULL, v));
    assert_false(inlay_ground_is_ordered(&(inlay_ground){.node = s.x}, NULL));
    REFUSED(inlay_graph_add_order_edge(NULL, s.x, s.b, s.d), no_graph);
    REFUSED(inlay_graph_add_order_edge(s.g, NULL, s.b, s.d), no_node);
    REFUSED(inlay_graph_add_order_edge(s.g, s.x, NULL, s.d), no_node);
    REFUSED_QUIETLY(inlay_note_text((inlay_note_kind)7));
    REFUSED(inlay_check_notes(NULL, NULL, NULL, s.d), no_graph);
    REFUSED(inlay_check_notes(s.g, NULL, NULL, s.d), "error: no order is given");
    REFUSED(inlay_drop_illegal_notes(NULL, s.d), no_graph);
    REFUSED(inlay_meta_new(NULL, "tag", s.d), no_graph);
    REFUSED(inlay_meta_new(s.g, NULL, s.d), "error: no tag is given");
    REFUSED(inlay_meta_set(NULL, m, "a", "b", s.d), no_graph);
    REFUSED(inlay_meta_set(s.g, NULL, "a", "b", s.d), "error: no element of metadata is given");
    REFUSED(inlay_meta_set(s.g, m, NULL, "b", s.d), no_name);
    REFUSED(inlay_meta_set(s.g, m, "a", NULL, s.d), no_value);
    misused_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_dim_names),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_setters_without_a_node),
        cmocka_unit_test(test_values_of_attributes),
        cmocka_unit_test(test_reading_attributes),
        cmocka_unit_test(test_building),
        cmocka_unit_test(test_ports),
        cmocka_unit_test(test_notes_and_metadata),
    };

    return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
