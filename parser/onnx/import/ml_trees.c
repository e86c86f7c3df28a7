/* Tree ensembles of the domain ai.onnx.ml. Their attributes are lists in several layouts; the row
 * TreeEnsemble has one layout for all (ir/ops/ml.def), which is made here. */
#include "parser/onnx/import/ml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list of integers. */
typedef struct ints {
    const int64_t *x;
    int n;
} ints;

static ints list(onnx_node *n, const char *name, bool *ok)
{
    ints l = {0};

    l.x = onnx_attr_ints(n, name, &l.n, ok);
    return l;
}

static inlay_value *made(onnx_node *n, ints l)
{
    return onnx_list(n, l.x, l.n);
}

static int64_t *room(onnx_node *n, int count)
{
    int64_t *x = inlay_arena_array(n->s->r->a.scratch, (size_t)count + 1, sizeof *x);

    if (!x)
        inlay_fail_memory(n->d);
    return x;
}

/* Makes a list of COUNT times X. */
static ints filled(onnx_node *n, int count, int64_t x)
{
    ints l = {room(n, count), count};

    for (int i = 0; l.x && i < count; i++)
        ((int64_t *)l.x)[i] = x;
    return l;
}

/* Returns attribute AS_TENSOR or, in old versions, the floats of attribute NAME, in TYPE. NULL: the
 * attribute is absent, or *OK is false. */
static inlay_value *numbers(onnx_node *n, const char *name, const char *as_tensor, inlay_type type,
                            bool *ok)
{
    inlay_tensor *t = onnx_attr_tensor(n, as_tensor, ok);
    inlay_value *v = onnx_constant(n, t);

    inlay_tensor_release(t);
    if (!*ok || v)
        return onnx_convert(n, v, type);
    return name ? ml_list(n, name, type, ok) : NULL;
}

/* The operands of the row TreeEnsemble, in its order. */
typedef struct trees {
    inlay_value *x, *roots, *features, *modes, *splits, *true_nodes, *false_nodes, *missing,
        *members, *member_begin, *leaf_begin, *targets, *weights;
} trees;

static inlay_value *ensemble(onnx_node *n, const trees *t, int64_t targets, const char *how)
{
    inlay_value *in[] = {t->x,          t->roots,       t->features, t->modes,   t->splits,
                         t->true_nodes, t->false_nodes, t->missing,  t->members, t->member_begin,
                         t->leaf_begin, t->targets,     t->weights};
    enum { N = sizeof in / sizeof in[0] };

    for (int i = 0; i < N; i++) {
        if (!in[i])
            return NULL;
    }
    return onnx_make(n, "TreeEnsemble@onnxml1", N, in,
                     ATTRS(INT("n_targets", targets), WORD("aggregate_function", how)));
}

static inlay_value *missing_of(onnx_node *n, int nodes, bool *ok)
{
    ints l = list(n, "nodes_missing_value_tracks_true", ok);

    if (l.n == 0)
        l = filled(n, nodes, 0);
    return onnx_convert(n, made(n, l), INLAY_BOOLEAN);
}

static inlay_value *no_members(onnx_node *n, inlay_type type)
{
    inlay_tensor *t = assemble_tensor(&n->s->r->a, type, 1, (int64_t[]){0});
    inlay_value *v = onnx_constant(n, t);

    inlay_tensor_release(t);
    return v;
}

/* Version 5 */

/* Lists children of nodes, where -1 - k stands for leaf k: of two leaves, 0 1 becomes -1 -2. */
static inlay_value *children(onnx_node *n, const char *nodes, const char *leaves, ints *out,
                             bool *ok)
{
    ints at = list(n, nodes, ok), leaf = list(n, leaves, ok);
    int64_t *x = *ok ? room(n, at.n) : NULL;

    if (!x)
        return NULL;
    if (at.n != leaf.n) {
        onnx_node_fail(n, "%s has %d element%s, %s has %d", nodes, at.n,
                       inlay_plural(at.n, "", "s"), leaves, leaf.n);
        return NULL;
    }
    for (int i = 0; i < at.n; i++) {
        if (at.x[i] < 0) {
            onnx_node_fail(n, "%s[%d] is %lld, it must not be negative", nodes, i,
                           (long long)at.x[i]);
            return NULL;
        }
        x[i] = leaf.x[i] ? -1 - at.x[i] : at.x[i];
    }
    *out = (ints){x, at.n};
    return made(n, *out);
}

/* Lists the roots. A root both of whose children are one leaf is replaced by that leaf. */
static inlay_value *roots_of(onnx_node *n, ints yes, ints no, bool *ok)
{
    ints given = list(n, "tree_roots", ok);
    int64_t *x = *ok ? room(n, given.n) : NULL;

    for (int i = 0; x && i < given.n; i++) {
        int64_t k = given.x[i];

        x[i] =
            k >= 0 && k < yes.n && k < no.n && yes.x[k] < 0 && yes.x[k] == no.x[k] ? yes.x[k] : k;
    }
    return x ? onnx_list(n, x, given.n) : NULL;
}

/* A walk that finds the members of each node. The attribute lists the members of one node after
 * another, each ended by NaN, in the order of the walk: a node, its true branch, its false branch.
 */
typedef struct member_walk {
    onnx_node *n;
    const inlay_tensor *modes, *members;
    ints yes, no;
    int64_t *begin, *end; /* for each node; both are -1 if it has no members */
    int64_t at;
    int nodes;
} member_walk;

enum { MODE_MEMBER = 6 };

static bool take_members(member_walk *w, int64_t node)
{
    int64_t count = w->members ? inlay_tensor_count(w->members) : 0;

    if (inlay_tensor_get_i64(w->modes, node) != MODE_MEMBER || w->begin[node] >= 0)
        return true;
    w->begin[node] = w->at;
    while (w->at < count && !isnan(inlay_tensor_get_f64(w->members, w->at)))
        w->at++;
    if (w->at == count)
        return onnx_node_fail(w->n, "membership_values has no members for node %lld",
                              (long long)node);
    w->end[node] = w->at++;
    return true;
}

/* Walks all nodes below ROOT, true branches first, and visits each node once. */
static bool walk(member_walk *w, int64_t root, int64_t *stack, bool *seen)
{
    int depth = 0;

    stack[depth++] = root;
    while (depth > 0) {
        int64_t k = stack[--depth];

        if (k < 0 || k >= w->nodes || seen[k])
            continue;
        seen[k] = true;
        if (!take_members(w, k))
            return false;
        stack[depth++] = w->no.x[k];
        stack[depth++] = w->yes.x[k];
    }
    return true;
}

/* Puts the members of all nodes side by side, in the order of the nodes. */
static bool sort_members(member_walk *w, trees *t, inlay_type type)
{
    int64_t count = 0, *begin = room(w->n, w->nodes), k = 0;
    inlay_tensor *sorted;

    for (int i = 0; begin && i < w->nodes; i++) {
        begin[i] = count;
        count += w->end[i] - w->begin[i];
    }
    if (!begin)
        return false;
    begin[w->nodes] = count;
    sorted = assemble_tensor(&w->n->s->r->a, type, 1, &count);
    for (int i = 0; sorted && i < w->nodes; i++) {
        for (int64_t m = w->begin[i]; m < w->end[i]; m++)
            inlay_tensor_set_f64(sorted, k++, inlay_tensor_get_f64(w->members, m));
    }
    t->members = onnx_constant(w->n, sorted);
    t->member_begin = onnx_list(w->n, begin, w->nodes + 1);
    inlay_tensor_release(sorted);
    return t->members && t->member_begin;
}

static bool read_members(member_walk *w, trees *t, inlay_type type, bool *ok)
{
    ints roots = list(w->n, "tree_roots", ok);
    int64_t *stack = room(w->n, 2 * w->nodes + 1);
    bool *seen = inlay_arena_array(w->n->s->r->a.scratch, (size_t)w->nodes, sizeof *seen);

    w->begin = (int64_t *)filled(w->n, w->nodes, -1).x;
    w->end = (int64_t *)filled(w->n, w->nodes, -1).x;
    if (!*ok || !stack || !seen || !w->begin || !w->end)
        return false;
    for (int i = 0; i < roots.n; i++) {
        if (!walk(w, roots.x[i], stack, seen))
            return false;
    }
    return sort_members(w, t, type);
}

static bool same_count(onnx_node *n, const char *name, int64_t count, int nodes)
{
    return count == nodes ||
           onnx_node_fail(n, "%s has %lld element%s, there %s %d node%s", name, (long long)count,
                          inlay_plural(count, "", "s"), inlay_plural(nodes, "is", "are"), nodes,
                          inlay_plural(nodes, "", "s"));
}

static bool read_nodes_5(onnx_node *n, trees *t, inlay_type type)
{
    bool ok = true;
    inlay_tensor *modes = onnx_attr_tensor(n, "nodes_modes", &ok);
    inlay_tensor *members = onnx_attr_tensor(n, "membership_values", &ok);
    member_walk w = {.n = n, .modes = modes, .members = members};

    t->true_nodes = children(n, "nodes_truenodeids", "nodes_trueleafs", &w.yes, &ok);
    t->false_nodes =
        t->true_nodes ? children(n, "nodes_falsenodeids", "nodes_falseleafs", &w.no, &ok) : NULL;
    w.nodes = w.yes.n;
    ok = ok && t->false_nodes && modes &&
         same_count(n, "nodes_modes", inlay_tensor_count(modes), w.nodes) &&
         same_count(n, "nodes_falsenodeids", w.no.n, w.nodes) && read_members(&w, t, type, &ok);
    if (ok) {
        t->modes = onnx_convert(n, onnx_constant(n, modes), INLAY_I64);
        t->roots = roots_of(n, w.yes, w.no, &ok);
        t->missing = missing_of(n, w.nodes, &ok);
    }
    inlay_tensor_release(modes);
    inlay_tensor_release(members);
    return ok;
}

static bool import_tree_ensemble(onnx_node *n)
{
    static const char *const hows[] = {"AVERAGE", "SUM", "MIN", "MAX"};
    static const char *const transforms[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO",
                                             "PROBIT"};
    bool ok = true;
    int64_t how = onnx_attr_int(n, "aggregate_function", 1, &ok),
            after = onnx_attr_int(n, "post_transform", 0, &ok),
            targets = onnx_attr_int(n, "n_targets", 0, &ok);
    inlay_type type = n->in[0]->fact.type;
    trees t = {.x = n->in[0]};
    int64_t *begin;
    ints votes;

    onnx_attr_ignore(n, "nodes_hitrates");
    if (!ok || !read_nodes_5(n, &t, type))
        return false;
    t.features = made(n, list(n, "nodes_featureids", &ok));
    t.splits = numbers(n, NULL, "nodes_splits", type, &ok);
    votes = list(n, "leaf_targetids", &ok);
    t.weights = numbers(n, NULL, "leaf_weights", type, &ok);
    begin = ok ? room(n, votes.n) : NULL;
    for (int i = 0; begin && i <= votes.n; i++)
        begin[i] = i;
    if (!begin || how < 0 || how > 3 || after < 0 || after > 4)
        return ok && onnx_node_fail(n,
                                    "aggregate_function is %lld and post_transform %lld, they must "
                                    "be from 0 to 3 and from 0 to 4",
                                    (long long)how, (long long)after);
    t.targets = made(n, votes);
    t.leaf_begin = onnx_list(n, begin, votes.n + 1);
    return onnx_give(n, 0,
                     ml_transformed_as(n, ensemble(n, &t, targets, hows[how]), transforms[after]));
}

/* Versions 1 and 3: a leaf is a node, too, and nodes are named by two numbers */

/* A node with the two numbers that name it; lists of these are sorted. */
typedef struct named {
    int64_t tree, node;
    int index;
} named;

typedef struct old_trees {
    onnx_node *n;
    ints tree, node;
    named *names;
    const Onnx__AttributeProto *modes;
    int64_t *leaf; /* for each node: its number as a leaf, or -1 */
    int leaves;
} old_trees;

static int compare_names(const void *a, const void *b)
{
    const named *x = a, *y = b;

    if (x->tree != y->tree)
        return x->tree < y->tree ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static bool sort_names(old_trees *o)
{
    o->names = inlay_arena_array(o->n->s->r->a.scratch, (size_t)o->tree.n, sizeof *o->names);
    if (!o->names)
        return inlay_fail_memory(o->n->d);
    for (int i = 0; i < o->tree.n; i++)
        o->names[i] = (named){o->tree.x[i], o->node.x[i], i};
    qsort(o->names, (size_t)o->tree.n, sizeof *o->names, compare_names);
    return true;
}

/* Returns the index of a node; -1: there is none, and an error has been reported. */
static int index_of(const old_trees *o, int64_t tree, int64_t node)
{
    named wanted = {tree, node, 0};
    const named *found =
        bsearch(&wanted, o->names, (size_t)o->tree.n, sizeof wanted, compare_names);

    if (!found)
        onnx_node_fail(o->n, "there is no node %lld of tree %lld", (long long)node,
                       (long long)tree);
    return found ? found->index : -1;
}

/* Returns the number of a mode in TreeEnsemble-5; -1: LEAF; -2: none. */
static int mode_of(ProtobufCBinaryData word)
{
    static const char *const words[] = {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE",
                                        "BRANCH_GT",  "BRANCH_EQ", "BRANCH_NEQ"};

    for (int i = 0; i < 6; i++) {
        if (word.len == strlen(words[i]) && memcmp(word.data, words[i], word.len) == 0)
            return i;
    }
    return word.len == 4 && memcmp(word.data, "LEAF", 4) == 0 ? -1 : -2;
}

static bool read_modes(old_trees *o, trees *t)
{
    int count = o->tree.n;
    int64_t *modes = room(o->n, count);

    o->leaf = room(o->n, count);
    if (!modes || !o->leaf)
        return false;
    if (!o->modes || o->modes->n_strings != (size_t)count)
        return onnx_node_fail(o->n, "nodes_modes has %zu element%s, there %s %d node%s",
                              o->modes ? o->modes->n_strings : 0,
                              inlay_plural(o->modes ? o->modes->n_strings : 0, "", "s"),
                              inlay_plural(count, "is", "are"), count,
                              inlay_plural(count, "", "s"));
    for (int i = 0; i < count; i++) {
        ProtobufCBinaryData word = o->modes->strings[i];
        int mode = mode_of(word);

        if (mode < -1)
            return onnx_node_fail(
                o->n,
                "nodes_modes[%d] is \"%.*s\", it must be LEAF or BRANCH_ and LEQ, "
                "LT, GTE, GT, EQ or NEQ",
                i, word.len < 40 ? (int)word.len : 40, (const char *)word.data);
        modes[i] = mode < 0 ? 0 : mode;
        o->leaf[i] = mode < 0 ? o->leaves++ : -1;
    }
    t->modes = onnx_list(o->n, modes, count);
    return t->modes != NULL;
}

/* Returns TreeEnsemble's number for a node or leaf. */
static int64_t place_of(const old_trees *o, int index)
{
    return o->leaf[index] >= 0 ? -1 - o->leaf[index] : index;
}

static inlay_value *old_children(const old_trees *o, const char *name, bool *ok)
{
    ints given = list(o->n, name, ok);
    int64_t *x = *ok ? room(o->n, o->tree.n) : NULL;

    if (!x || !same_count(o->n, name, given.n, o->tree.n))
        return NULL;
    for (int i = 0; i < given.n; i++) {
        int child = o->leaf[i] >= 0 ? i : index_of(o, o->tree.x[i], given.x[i]);

        if (child < 0)
            return NULL;
        x[i] = place_of(o, child);
    }
    return onnx_list(o->n, x, given.n);
}

/* Lists the first node of each tree. */
static inlay_value *old_roots(const old_trees *o)
{
    int64_t *x = room(o->n, o->tree.n);
    bool *seen = inlay_arena_array(o->n->s->r->a.scratch, (size_t)o->tree.n, sizeof *seen);
    int count = 0;

    if (!x || !seen)
        return NULL;
    for (int i = 0; i < o->tree.n; i++) {
        named wanted = {o->tree.x[i], o->node.x[i], 0};
        const named *k =
            bsearch(&wanted, o->names, (size_t)o->tree.n, sizeof wanted, compare_names);

        /* The nodes of a tree are consecutive, and the first one is its root. */
        while (k > o->names && k[-1].tree == k->tree)
            k--;
        if (!seen[k - o->names])
            x[count++] = place_of(o, i);
        seen[k - o->names] = true;
    }
    return onnx_list(o->n, x, count);
}

/* Reads the votes, sorted by leaf: ids and weights are attributes that begin with PREFIX. */
static bool read_votes(old_trees *o, trees *t, ints of_tree, ints of_node, ints ids,
                       inlay_value *weights)
{
    onnx_node *n = o->n;
    int64_t *begin = room(n, o->leaves + 1), *order = room(n, ids.n), *to = room(n, ids.n);
    int64_t *leaf = room(n, ids.n);

    if (!begin || !order || !to || !leaf)
        return false;
    for (int i = 0; i < ids.n; i++) {
        int k = index_of(o, of_tree.x[i], of_node.x[i]);

        if (k < 0 || o->leaf[k] < 0)
            return k >= 0 && onnx_node_fail(n, "vote %d is of a node that is no leaf", i);
        leaf[i] = o->leaf[k];
        begin[leaf[i] + 1]++;
    }
    for (int i = 0; i < o->leaves; i++)
        begin[i + 1] += begin[i];
    t->leaf_begin = onnx_list(n, begin, o->leaves + 1);
    for (int i = 0; i < ids.n; i++) {
        int64_t at = begin[leaf[i]]++;

        order[at] = i;
        to[at] = ids.x[i];
    }
    t->targets = onnx_list(n, to, ids.n);
    t->weights =
        onnx_make(n, "Gather", 3,
                  (inlay_value *[]){weights, onnx_list(n, order, ids.n), onnx_integer(n, 0)}, NULL);
    return t->leaf_begin && t->targets && t->weights;
}

static bool read_old_nodes(old_trees *o, trees *t, inlay_type type)
{
    onnx_node *n = o->n;
    bool ok = true;

    o->tree = list(n, "nodes_treeids", &ok);
    o->node = list(n, "nodes_nodeids", &ok);
    o->modes = onnx_attr(n, "nodes_modes");
    onnx_attr_ignore(n, "nodes_hitrates");
    onnx_attr_ignore(n, "nodes_hitrates_as_tensor");
    if (!ok || !same_count(n, "nodes_nodeids", o->node.n, o->tree.n) || !sort_names(o) ||
        !read_modes(o, t))
        return false;
    t->true_nodes = old_children(o, "nodes_truenodeids", &ok);
    t->false_nodes = t->true_nodes ? old_children(o, "nodes_falsenodeids", &ok) : NULL;
    if (!ok || !t->false_nodes)
        return false;
    t->roots = old_roots(o);
    t->features = made(n, list(n, "nodes_featureids", &ok));
    t->splits = numbers(n, "nodes_values", "nodes_values_as_tensor", type, &ok);
    t->missing = missing_of(n, o->tree.n, &ok);
    t->members = no_members(n, type);
    t->member_begin = made(n, filled(n, o->tree.n + 1, 0));
    return ok;
}

/* Returns the sums of the votes, plus base_values. The attributes of votes begin with PREFIX. */
static inlay_value *old_ensemble(onnx_node *n, const char *prefix, int64_t targets, const char *how,
                                 ints *ids)
{
    char name[5][40];
    static const char *const ends[] = {"treeids", "nodeids", "ids", "weights", "weights_as_tensor"};
    inlay_value *x = ml_floats(n, n->in[0]), *weights, *base, *y;
    old_trees o = {.n = n};
    trees t = {.x = x};
    bool ok = true;
    ints of_tree, of_node;

    if (!x || !read_old_nodes(&o, &t, x->fact.type))
        return NULL;
    for (int i = 0; i < 5; i++)
        snprintf(name[i], sizeof name[i], "%s_%s", prefix, ends[i]);
    of_tree = list(n, name[0], &ok);
    of_node = list(n, name[1], &ok);
    *ids = list(n, name[2], &ok);
    weights = numbers(n, name[3], name[4], x->fact.type, &ok);
    base = numbers(n, "base_values", "base_values_as_tensor", x->fact.type, &ok);
    if (!ok || of_tree.n != ids->n || of_node.n != ids->n) {
        if (ok)
            onnx_node_fail(n, "%s, %s and %s have not one length", name[0], name[1], name[2]);
        return NULL;
    }
    y = read_votes(&o, &t, of_tree, of_node, *ids, weights) ? ensemble(n, &t, targets, how) : NULL;
    if (y && base && !ml_fits_columns(n, "base_values", base, y))
        return NULL;
    return base ? onnx_binary(n, "Add", y, base) : y;
}

static bool import_regressor(onnx_node *n)
{
    bool ok = true;
    int64_t targets = onnx_attr_int(n, "n_targets", 1, &ok);
    const char *how = onnx_attr_string(n, "aggregate_function", "SUM", &ok);
    ints ids;
    inlay_value *y = ok ? old_ensemble(n, "target", targets, how, &ids) : NULL;

    return onnx_give(n, 0, onnx_convert(n, ml_transformed(n, y), INLAY_F32));
}

/* All votes are for one class, the second of two: the score of the first class follows from that of
 * the second. */
static inlay_value *of_two_classes(onnx_node *n, inlay_value *y, int64_t voted)
{
    bool ok = true;
    const char *after = onnx_attr_string(n, "post_transform", "NONE", &ok);
    inlay_value *column = onnx_list(n, &voted, 1), *axis = onnx_integer(n, 1), *first;

    if (!ok || !y || !column || !axis)
        return NULL;
    y = onnx_make(n, "Gather", 3, (inlay_value *[]){y, column, axis}, NULL);
    first = y ? onnx_number(n, y->fact.type, strcmp(after, "NONE") == 0) : NULL;
    first = onnx_binary(n, "Subtract", first, y);
    return onnx_make(n, "Concat", 2, (inlay_value *[]){first, y}, ATTRS(INT("axis", 1)));
}

static bool import_classifier(onnx_node *n)
{
    inlay_value *classes = ml_classes(n, "classlabels_strings", "classlabels_int64s"), *y;
    ints ids = {0};
    bool one = true;

    if (!classes)
        return false;
    y = old_ensemble(n, "class", classes->fact.dims[0].lo, "SUM", &ids);
    for (int i = 1; i < ids.n; i++)
        one = one && ids.x[i] == ids.x[0];
    if (y && one && ids.n > 0 && classes->fact.dims[0].lo == 2)
        y = of_two_classes(n, y, ids.x[0]);
    return ml_give_labels(n, ml_transformed(n, y), classes);
}

const onnx_operator onnx_operators_ml_trees[] = {
    {"ai.onnx.ml.TreeEnsemble", 5, import_tree_ensemble, NULL, 1},
    {"ai.onnx.ml.TreeEnsembleClassifier", 1, import_classifier, NULL, 1},
    {"ai.onnx.ml.TreeEnsembleRegressor", 1, import_regressor, NULL, 1},
    {NULL, 0, NULL, NULL, 0},
};
