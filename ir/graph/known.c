/* What is known, without a run, of the operands of a node that say where it works: the window of a
 * Slice or SliceScatter, the axis of a Split or a scatter. */
#include "ir/graph/node.h"
#include "ir/tensor/window.h"

/* Reads the elements of a list operand. False when one of them is not known. */
static bool known_list(const inlay_value *v, int64_t *out, int *n)
{
    if (!v || !v->fact.known || v->fact.n_known > INLAY_MAX_RANK)
        return false;
    for (int i = 0; i < v->fact.n_known; i++) {
        if (!inlay_dim_is_static(v->fact.known[i]))
            return false;
        out[i] = v->fact.known[i].lo;
    }
    *n = v->fact.n_known;
    return true;
}

bool inlay_node_axis(const inlay_node *n, int rank, int *axis)
{
    int64_t list[INLAY_MAX_RANK];
    int count;

    if (!known_list(inlay_node_operand(n, INLAY_ROLE_AXIS), list, &count) || count != 1)
        return false;
    list[0] += list[0] < 0 ? rank : 0;
    *axis = (int)list[0];
    return list[0] >= 0 && list[0] < rank;
}

bool inlay_node_windows(const inlay_node *n, const int64_t *dims, inlay_window *out)
{
    int64_t lists[4][INLAY_MAX_RANK], known[INLAY_MAX_RANK];
    const inlay_value *data = inlay_node_input(n, 0);
    const inlay_value *axes = inlay_node_operand(n, INLAY_ROLE_AXES);
    int counts[4] = {0};
    inlay_slice s = {0, lists[0], lists[1], lists[2], axes ? lists[3] : NULL, "step", "axes"};
    char why[8];

    if (!data || (!dims && !inlay_fact_dims(&data->fact, known)))
        return false;
    for (int i = 0; i < (axes ? 4 : 3); i++) {
        if (!known_list(inlay_node_window(n, i), lists[i], &counts[i]) || counts[i] != counts[0])
            return false;
    }
    s.n = counts[0];
    return inlay_slice_windows(&s, data->fact.rank, dims ? dims : known, out, why, sizeof why);
}

bool inlay_node_windows_same(const inlay_node *a, const inlay_node *b)
{
    const inlay_value *da = inlay_node_input(a, 0), *db = inlay_node_input(b, 0);
    inlay_window wa[INLAY_MAX_RANK], wb[INLAY_MAX_RANK];

    if (!da || !db || !inlay_fact_same_shape(&da->fact, &db->fact))
        return false;
    if (inlay_node_windows(a, NULL, wa) && inlay_node_windows(b, NULL, wb))
        return inlay_windows_equal(wa, wb, da->fact.rank);
    for (int i = 0; i < 4; i++) {
        if (!inlay_value_same(inlay_node_window(a, i), inlay_node_window(b, i)))
            return false;
    }
    return true;
}
