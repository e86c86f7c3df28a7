/* Judges what does not depend on the order of the nodes: whether the operation can have such a
 * note, and whether the target has the right type and shape. Conditions have the names that
 * in-place-windows gives them. */
#include "ir/graph/node.h"
#include "ir/notes/notes.h"

static bool check_view(const inlay_value *v, note_complaint *c)
{
    const inlay_value *from = inlay_node_input(v->node, 0);
    bool shows =
        (v->node->op->flags & (INLAY_VIEW | INLAY_CONVERTS)) || inlay_node_reads_window(v->node);
    const char *wrong = shows ? NULL : "this operation computes its output, it cannot be a view";

    if (!wrong && from != v->note_target)
        wrong = "a view is of input 0 of its operation";
    if (!wrong && (from->fact.type == INLAY_DYNAMIC || from->fact.type != v->fact.type))
        wrong = "a view has the element type of what it views";
    return !wrong || note_complain(c, v, INLAY_NO_CONDITION, "%s", wrong);
}

static bool check_overwrites(const inlay_value *v, note_complaint *c)
{
    const inlay_node *n = v->node;
    const inlay_value *t = v->note_target;
    bool scatter = n->op->flags & INLAY_SCATTER, bodies = n->op->flags & INLAY_HAS_BODY;
    int other = -1; /* an input that is T, and not the data of a scatter */

    if (bodies && !note_check_given(v, c))
        return false;
    if (!bodies && (v->index != 0 || (!scatter && !(n->op->flags & INLAY_POINTWISE))))
        return note_complain(c, v, INLAY_N13_NAMED_OPERAND,
                             "this operation cannot write over an input");
    for (int i = 0; i < n->n_in; i++)
        other = n->in[i].value == t && !(scatter && i == n->op->overwrites) ? i : other;
    if (scatter ? inlay_node_input(n, n->op->overwrites) != t : other < 0)
        return note_complain(c, v, other >= 0 ? INLAY_N13_NAMED_OPERAND : INLAY_NO_CONDITION,
                             scatter ? "a scatter writes over its data, input %d"
                                     : "an operation writes over one of its inputs",
                             n->op->overwrites);
    if (!inlay_value_fits_over(v, t))
        return note_complain(c, v, INLAY_O1_SAME_TYPE_AND_SHAPE,
                             "the two shapes are not proven equal");
    if (scatter || bodies ? v->fact.type != t->fact.type
                          : !inlay_fact_same_width(&v->fact, &t->fact))
        return note_complain(c, v, INLAY_O1_SAME_TYPE_AND_SHAPE,
                             "their elements differ in size or type");
    return !scatter || other < 0 ||
           note_complain(c, v, INLAY_O7_DATA_USED_ONCE, "the data is also input %d", other);
}

/* Does the kernel of V's node write every element of an output of any strides? */
static bool is_computed(const inlay_value *v)
{
    const unsigned never =
        INLAY_SINK | INLAY_EFFECT | INLAY_STAND_IN | INLAY_HAS_BODY | INLAY_COUNTS | INLAY_ADOPTS;

    return (v->node->op->flags & INLAY_FILLS) && !(v->node->op->flags & never);
}

/* Have V and R the same element type, of whole bytes? */
static bool check_elements(const inlay_value *v, const inlay_value *r, note_complaint *c)
{
    if (v->fact.type == INLAY_DYNAMIC || v->fact.type != r->fact.type)
        return note_complain(c, v, INLAY_I6_ELEMENT_WIDTH,
                             "its elements do not fit those of the window");
    return inlay_type_info_of(v->fact.type)->bits >= 8 ||
           note_complain(c, v, INLAY_O12_WHOLE_BYTE_WINDOW,
                         "its part may not begin and end on whole bytes");
}

/* Judges the note that V is computed in its part of R. */
static bool check_held(const inlay_value *v, note_complaint *c)
{
    const inlay_value *r = v->note_target;

    if (r->note != INLAY_FRESH && r->note != INLAY_INTO)
        return note_complain(c, v, INLAY_NO_CONDITION, "what holds it writes over other bytes");
    if (!(v->node->op->flags & INLAY_HAS_BODY) && !is_computed(v))
        return note_complain(c, v, INLAY_NO_CONDITION,
                             "its kernel does not write all elements where they belong");
    if (inlay_value_nested(v) > INLAY_MAX_NESTED)
        return note_complain(c, v, INLAY_N15_NESTED_AT_MOST, "it is in more than %d values",
                             INLAY_MAX_NESTED);
    if (!check_elements(v, r, c))
        return false;
    return !inlay_node_shows_otherwise(r->node, v) ||
           note_complain(c, v, INLAY_I1_SAME_WINDOW, "what holds it shows it elsewhere");
}

static bool check_into(const inlay_value *v, note_complaint *c)
{
    const inlay_value *r = v->note_target, *u = inlay_value_into_operand(r);
    bool bodies = v->node->op->flags & INLAY_HAS_BODY;

    if (bodies && !check_elements(v, r, c)) /* the walk checks whether they compute it there */
        return false;
    if (r->node->op->flags & INLAY_HOLDS)
        return check_held(v, c);
    if (!inlay_node_writes_window(r->node) || r->index != 0)
        return note_complain(
            c, v, inlay_node_names_rows(r->node) ? INLAY_I11_DISTINCT_ROWS : INLAY_NO_CONDITION,
            "only the result of a scatter of a window, or of what holds its operands, "
            "has a window to compute in");
    if (r->note != INLAY_OVERWRITES)
        return note_complain(c, v, INLAY_NO_CONDITION, "the %s does not write over its data",
                             r->node->op->name);
    if (inlay_node_reads_window(v->node))
        return note_complain(c, v, INLAY_I1_SAME_WINDOW,
                             "it only moves elements that are elsewhere");
    if (v->node->op->flags & (INLAY_SINK | INLAY_EFFECT))
        return note_complain(c, v, INLAY_I10_NO_EFFECTS, "its operation has an effect");
    if (!bodies && !(v->node->op->flags & (INLAY_POINTWISE | INLAY_HOLDS)) &&
        (v != u || !is_computed(v)))
        return note_complain(c, v, INLAY_I2_POINTWISE, "its operation is not elementwise");
    if (!inlay_fact_same_width(&v->fact, &r->fact))
        return note_complain(c, v, INLAY_I6_ELEMENT_WIDTH,
                             "its elements do not fit those of the window");
    return inlay_node_has_axes(r->node, v) || (u && inlay_fact_same_shape(&v->fact, &u->fact)) ||
           note_complain(c, v, INLAY_I2_POINTWISE, "its shape is not proven to be the window's");
}

bool note_check_local(const inlay_value *v, note_complaint *c)
{
    if (v->note == INLAY_FRESH)
        return true;
    if (!v->note_target || v->note_target == v || v->note_target->node->graph != v->node->graph)
        return note_complain(c, v, INLAY_NO_CONDITION,
                             "it has no other value of this graph as its target");
    if (v->note_target->note == INLAY_VIEW_OF &&
        (v->note_target->node->op->flags & INLAY_REPEATS)) /* which is only read */
        return note_complain(c, v, INLAY_O8_DISTINCT_ELEMENTS, "one element there is several");
    if (v->note == INLAY_VIEW_OF)
        return check_view(v, c);
    return v->note == INLAY_OVERWRITES ? check_overwrites(v, c) : check_into(v, c);
}
