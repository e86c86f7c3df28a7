/* What the functions of a case mean in an instance. See prove_instance.h. */
#include "prove_instance.h"
#include "smt_places.h"
#include "smt_totals.h"
#include "unit.h"

static bool element_of(const void *about, int flat, const int64_t *args, int n, int64_t *out)
{
    const inlay_tensor *t = about;
    int64_t at = 0;

    for (int i = 0; i < n && !flat; i++) {
        if (args[i] < 0 || args[i] >= t->dims[i])
            return false;
        at = at * t->dims[i] + args[i];
    }
    at = flat ? args[0] : at;
    if (at < 0 || at >= inlay_tensor_count(t))
        return false;
    *out = inlay_tensor_get_i64(t, at);
    return true;
}

enum { AT, HAS, WHICH };

static bool position(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    const inlay_window *w = about;
    int64_t k = w->step ? (args[0] - w->begin) / w->step : 0;
    bool has = w->begin + k * w->step == args[0] && k >= 0 && k < w->count;

    *out = which == AT ? w->begin + w->step * args[0] : which == HAS ? has : k;
    return n == 1 && (which != WHICH || has);
}

static bool same(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    (void)about;
    *out = which ? args[0] != 0 : args[0];
    return n == 1;
}

static bool remainder_of(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    (void)about;
    (void)which;
    *out = args[1] > 0 ? (args[0] % args[1] + args[1]) % args[1] : 0;
    return n == 2 && args[1] > 0;
}

static bool constant(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    (void)which;
    (void)args;
    *out = *(const int64_t *)about;
    return n == 0;
}

static bool zero(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    (void)about;
    (void)which;
    (void)args;
    *out = 0;
    return n == 0;
}

static int by_size(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Entry I of a list as a case has it: an axis of Squeeze and Unsqueeze counts from the front, and
 * they ascend; a length of -1 is what is left. */
static int64_t entry_of(const struct instance *x, const inlay_tensor *t, int64_t i)
{
    const inlay_node *root = x->m->nodes[x->m->rule->root];
    const inlay_tensor *data = instance_content(x, root->in[0].value);
    int64_t n = inlay_tensor_get_i64(t, i), sum = 0;

    if (n < 0 && (strcmp(root->op->name, "Squeeze") == 0 || (root->op->flags & INLAY_FOLDS)))
        return n + data->rank;
    if (n < 0 && strcmp(root->op->name, "Unsqueeze") == 0)
        return n + root->out[0].fact.rank;
    if (n != -1 || strcmp(root->op->name, "VariadicSplit") != 0 || t->rank != 1 ||
        t != instance_content(x, root->in[2].value))
        return n;
    for (int64_t k = 0; k < inlay_tensor_count(t); k++)
        sum += inlay_tensor_get_i64(t, k);
    n = inlay_tensor_get_i64(instance_content(x, root->in[1].value), 0);
    return data->dims[n < 0 ? n + data->rank : n] - sum - 1;
}

static bool mean_ints(smt_world *w, const struct instance *x, const prove_value *v,
                      const inlay_tensor *t)
{
    const char *type = x->m->nodes[x->m->rule->root]->op->name;
    bool ok = t->rank <= 1 && inlay_tensor_count(t) == v->n_ints;
    int64_t entries[PROVE_RANK];

    for (int i = 0; ok && i < v->n_ints; i++)
        entries[i] = entry_of(x, t, i);
    if (ok && (strcmp(type, "Squeeze") == 0 || strcmp(type, "Unsqueeze") == 0 ||
               strncmp(type, "Reduce", 6) == 0))
        qsort(entries, (size_t)v->n_ints, sizeof *entries, by_size);
    for (int i = 0; ok && i < v->n_ints; i++)
        ok = smt_mean_constant(w, v->ints[i], entries[i]);
    return ok;
}

/* AXIS is that of a case, which names one of OF axes and stands for what counts from the end, too.
 */
static bool is_axis(const smt *axis, int of, int64_t n)
{
    return axis->n == (n < 0 ? n + of : n);
}

static bool mean_value(smt_world *w, const struct instance *x, const prove_case *c,
                       const prove_value *v, const inlay_value *of)
{
    const inlay_tensor *t = of ? instance_content(x, of) : NULL;
    bool ok;

    if (!t || !v || v->node)
        return (v != NULL) == (of != NULL);
    if (v->axis_of > 0) /* for a list of one, too */
        return inlay_tensor_count(t) == 1 &&
               is_axis(v->ints[0], v->axis_of, inlay_tensor_get_i64(t, 0));
    ok = v->rank < 0 || (v->rank == t->rank && (v->n_ints < 0 || mean_ints(w, x, v, t)));
    for (int i = 0; ok && i < v->rank; i++)
        ok = smt_mean_constant(w, v->dim[i], t->dims[i]);
    if (ok && v->element)
        smt_mean(w, v->element, element_of, t, c->flat);
    return ok;
}

static void mean_axis(smt_world *w, const prove_window *of, int i, const inlay_window *axis)
{
    smt_mean_constant(w, of->axis[i].count, axis->count);
    smt_mean(w, of->axis[i].at, position, axis, AT);
    smt_mean(w, of->axis[i].has, position, axis, HAS);
    smt_mean(w, of->axis[i].which, position, axis, WHICH);
}

static bool mean_window(smt_world *w, const struct instance *x, const prove_window *of,
                        inlay_value *const *lists, const inlay_tensor *data)
{
    int64_t numbers[4][INLAY_MAX_RANK];
    inlay_slice s = {
        lists[0]->fact.n_known, numbers[0], numbers[1], numbers[2], numbers[3], "", ""};
    inlay_window *axis = inlay_arena_array(x->arena, INLAY_MAX_RANK, sizeof *axis);
    char why[100];
    bool proper;

    for (int i = 0; i < 4; i++) {
        const inlay_tensor *t = instance_content(x, lists[i]);

        for (int k = 0; k < s.n; k++)
            numbers[i][k] = inlay_tensor_get_i64(t, k);
    }
    proper = inlay_slice_windows(&s, data->rank, data->dims, axis, why, sizeof why);
    smt_mean_constant(w, of->proper, proper);
    for (int i = 0; proper && i < data->rank; i++)
        mean_axis(w, of, i, &axis[i]);
    return proper && of->rank == data->rank;
}

static bool same_attr(const prove_name *name, const check_name *of)
{
    if (name->axis_of > 0)
        return of->attr && is_axis(name->attr, name->axis_of, of->attr->as.i);
    if (name->attr)
        return of->attr && name->attr->n ==
                               (of->attr_kind == INLAY_ATTR_BOOL ? of->attr->as.b : of->attr->as.i);
    if (name->text)
        return strcmp(name->text, of->attr ? of->attr->as.s : "constant") == 0;
    return true;
}

/* Every name of these rules is a part of their left sides. */
static bool mean_name(smt_world *w, const struct instance *x, const prove_case *c, int i)
{
    const rule *r = c->rule;
    const prove_name *name = &c->names[i];
    const check_name *of = &x->m->names[i];

    switch (r->names[i].kind) {
    case RULE_VALUE:
    case RULE_INTEGERS:
    case RULE_NUMBERS:
        return mean_value(w, x, c, name->value, of->value);
    case RULE_WINDOW:
        return mean_window(w, x, name->window, of->window,
                           instance_content(x, x->m->nodes[r->root]->in[0].value));
    case RULE_LIST:
        for (int k = 0; k < name->n_list && k < of->n_list; k++) {
            if (!mean_value(w, x, c, name->list[k], of->list[k]))
                return false;
        }
        return name->n_list == of->n_list;
    case RULE_OP: /* those reductions that are tried make something of nothing */
        return !name->attr || smt_mean_constant(w, name->attr, 1);
    default:
        return same_attr(name, of);
    }
}

/* The axes that a Reverse turns are no part of the names. */
static bool same_turn(const struct instance *x, const prove_node *n)
{
    const inlay_tensor *t = instance_content(x, x->m->nodes[x->m->rule->root]->in[1].value);
    bool turned[PROVE_RANK] = {false};

    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        int64_t k = inlay_tensor_get_i64(t, i);

        if (t->type == INLAY_BOOLEAN)
            turned[i] = k != 0;
        else
            turned[k < 0 ? k + n->in[0]->rank : k] = true;
    }
    return memcmp(turned, n->axes, (size_t)n->in[0]->rank * sizeof *turned) == 0;
}

/* ---- the window of a StridedSlice, which has no name ---- */

/* A StridedSlice: its masks, by inlay_strided_entries, and its lists. */
struct strided {
    int rank, n;
    inlay_strided_entry entries[2 * INLAY_MAX_RANK + 1];
    const inlay_tensor *lists[3]; /* begin, end, stride; NULL: there is none */
};

static bool read_strided(const struct instance *x, const inlay_node *of, struct strided *s)
{
    char why[160];

    *s = (struct strided){.rank = instance_content(x, of->in[0].value)->rank};
    for (int i = 1; i < of->n_in; i++) {
        s->lists[i - 1] = of->in[i].value ? instance_content(x, of->in[i].value) : NULL;
        if (of->in[i].value && !s->lists[i - 1])
            return false;
    }
    s->n = (int)inlay_tensor_count(s->lists[0]);
    return s->n <= 2 * INLAY_MAX_RANK &&
           inlay_strided_entries(of, s->n, s->rank, s->entries, why, sizeof why);
}

/* What entry I selects of an axis of SIZE. False: it is an error. */
static bool strided_window(const struct strided *s, int i, int64_t size, inlay_window *out)
{
    const inlay_strided_entry *e = &s->entries[i];
    int64_t step = s->lists[2] ? inlay_tensor_get_i64(s->lists[2], i) : 1;
    int64_t begin = inlay_tensor_get_i64(s->lists[0], i),
            end = inlay_tensor_get_i64(s->lists[1], i);

    if (e->shrinks) {
        begin = e->from_first ? 0 : begin;
        *out = (inlay_window){begin < 0 ? begin + size : begin, 1, 1};
        return begin >= -size && begin < size;
    }
    begin = !e->from_first ? begin : step < 0 ? INT64_MAX : 0;
    end = !e->to_last ? end : step < 0 ? INT64_MIN : INT64_MAX;
    if (step != 0)
        *out = inlay_window_normalise(begin, end, step, size);
    return step != 0;
}

/* The axes of the result are those that N has chosen: axes of the data, or -1 for a new one. */
static bool same_strided_axes(const struct strided *s, const prove_node *n)
{
    int order[3 * INLAY_MAX_RANK + 1], all = 0, next = 0, named = 0;
    bool lost[INLAY_MAX_RANK] = {false}, same;

    for (int i = 0; i < s->n; i++)
        named += s->entries[i].axis >= 0;
    for (int i = 0; i <= s->n; i++) { /* behind the entries, too, stands what none of them names */
        int axis = i < s->n ? s->entries[i].axis : -2;

        for (int k = named; axis == -2 && k < s->rank; k++)
            order[all++] = next++;
        if (axis == -2)
            named = s->rank;
        else if (axis == -1)
            order[all++] = -1;
        else if (!s->entries[i].shrinks)
            order[all++] = next++;
        else
            lost[next++] = true;
    }
    same = all == n->out[0].rank;
    for (int i = 0; same && i < all; i++)
        same = n->order[i] == order[i];
    for (int i = 0; same && i < s->rank; i++)
        same = n->axes[i] == lost[i];
    return same;
}

static bool mean_strided(smt_world *w, const struct instance *x, const prove_node *n)
{
    const inlay_node *of = x->m->nodes[x->m->rule->root];
    const inlay_tensor *data = instance_content(x, of->in[0].value);
    inlay_window *axis = inlay_arena_array(x->arena, INLAY_MAX_RANK, sizeof *axis);
    struct strided s;
    bool proper = true;

    if (!read_strided(x, of, &s) || !same_strided_axes(&s, n))
        return false;
    for (int i = 0; i < data->rank; i++)
        axis[i] = (inlay_window){0, data->dims[i], 1};
    for (int i = 0; proper && i < s.n; i++) {
        int a = s.entries[i].axis;

        proper = a < 0 || strided_window(&s, i, data->dims[a], &axis[a]);
    }
    smt_mean_constant(w, n->window->proper, proper);
    for (int i = 0; i < data->rank; i++)
        mean_axis(w, n->window, i, &axis[i]);
    return true;
}

/* What the row of N chose without asking a name. The sizes of a Reshape, which may be 0 and -1, are
 * those that come out. */
static bool same_choice(smt_world *w, const struct instance *x, const prove_node *n)
{
    const inlay_node *of = x->m->nodes[x->m->rule->root];
    bool same = strcmp(n->row->type, "Reverse") != 0 || same_turn(x, n);

    if (n->from->op_name >= 0 && n->n_in > 1 && n->row != &prove_fold)
        same = (strcmp(inlay_node_string(of, "auto_broadcast"), "none") == 0) ==
               (n->form == PROVE_STRICT);
    if (strcmp(n->row->type, "StridedSlice") == 0)
        return mean_strided(w, x, n);
    if (strcmp(n->row->type, "Reshape") != 0 || !n->listed)
        return same;
    same = x->ran && x->out[0]->rank == n->out[0].rank + 1;
    for (int i = 0; same && i < n->out[0].rank; i++)
        same = smt_mean_constant(w, n->out[0].dim[i], x->out[0]->dims[i + 1]);
    return same;
}

/* The updates of N are a number. */
static void mean_number(smt_world *w, const struct instance *x, const prove_node *n)
{
    const inlay_attr *a = inlay_node_attr(x->m->nodes[x->m->rule->root], "value");
    const prove_node *repeated = n->n_in < 3 && n->in[2] ? n->in[2]->node : NULL;

    if (repeated && a)
        smt_mean(w, repeated->in[0]->element, constant, &a->as.number.i, 0);
}

static bool minus(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    (void)about;
    (void)which;
    *out = args[0] - args[1];
    return n == 2;
}

static bool plus(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    (void)about;
    (void)which;
    *out = args[0] + args[1];
    return n == 2;
}

/* What the indices of H are: an operand by its name, else those of the operation. */
static const inlay_tensor *indices_of(const struct instance *x, const prove_case *c,
                                      const prove_places *h)
{
    for (int i = 0; i < c->rule->n_names; i++) {
        if (c->names[i].value == h->indices)
            return instance_content(x, x->m->names[i].value);
    }
    return instance_content(x, instance_operand(x, 1));
}

/* False: the case describes another graph. */
bool instance_mean(smt_world *w, const struct instance *x, const prove_case *c)
{
    const prove_node *root = c->left[c->rule->root];
    int64_t held;

    w->n = w->n_constants = 0;
    smt_mean(w, "zero", zero, NULL, 0);
    smt_mean(w, "of_int", same, NULL, 0);
    smt_mean(w, "as_int", same, NULL, 0);
    smt_mean(w, prove_remainder_of, remainder_of, NULL, 0);
    smt_mean(w, prove_holds, same, NULL, 1);
    smt_mean(w, "|scattered sum|", plus, NULL, 0);
    smt_mean(w, "|scattered sub|", minus, NULL, 0);
    smt_mean_operations(w);
    if (root->function)
        smt_mean(w, root->function, minus, NULL, 0);
    for (int i = 0; i < c->rule->n_names; i++) {
        if (!mean_name(w, x, c, i))
            return false;
    }
    mean_number(w, x, root);
    for (int i = 0; i < c->windows.n_places; i++) {
        if (!smt_mean_places(w, x->arena, &c->windows.places[i],
                             indices_of(x, c, &c->windows.places[i])))
            return false;
    }
    return same_choice(w, x, root) && smt_value(w, c->assumed, &held) && held;
}
