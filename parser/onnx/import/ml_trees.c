/* Tree ensembles of the domain ai.onnx.ml. Their attributes are lists in several layouts; the row
 * TreeEnsemble has one layout for all (ir/ops/ml.def), which is made here. */
#include "parser/onnx/export.h"
#include "parser/onnx/import/ml.h"
#include "parser/onnx/write.h"

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

/* Makes a value of L. NULL: there was no memory for its numbers, or there is none now. */
static inlay_value *made(onnx_node *n, ints l)
{
    return l.x || l.n == 0 ? onnx_list(n, l.x, l.n) : NULL;
}

static inlay_value *made_as(onnx_node *n, ints l, inlay_type type)
{
    inlay_tensor *t;
    inlay_value *v;

    if (!l.x && l.n > 0)
        return NULL;
    t = assemble_tensor(&n->s->r->a, type, 1, (int64_t[]){l.n});
    for (int i = 0; t && i < l.n; i++)
        inlay_tensor_set_i64(t, i, type == INLAY_BOOLEAN ? l.x[i] != 0 : l.x[i]);
    v = onnx_constant(n, t);
    inlay_tensor_release(t);
    return v;
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

    return onnx_make(n, "TreeEnsemble@onnxml1", sizeof in / sizeof in[0], in,
                     ATTRS(INT("n_targets", targets), WORD("aggregate_function", how)));
}

static inlay_value *missing_of(onnx_node *n, int nodes, bool *ok)
{
    ints l = list(n, "nodes_missing_value_tracks_true", ok);

    if (l.n == 0)
        l = filled(n, nodes, 0);
    return made_as(n, l, INLAY_BOOLEAN);
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

static ints whole_numbers(onnx_node *n, const inlay_tensor *t)
{
    int64_t *x = room(n, (int)inlay_tensor_count(t));

    for (int64_t i = 0; x && i < inlay_tensor_count(t); i++)
        x[i] = inlay_tensor_get_i64(t, i);
    return (ints){x, x ? (int)inlay_tensor_count(t) : 0};
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
        t->modes = made_as(n, whole_numbers(n, modes), INLAY_I64);
        t->roots = roots_of(n, w.yes, w.no, &ok);
        t->missing = missing_of(n, w.nodes, &ok);
    }
    inlay_tensor_release(modes);
    inlay_tensor_release(members);
    return ok;
}

static const char *const aggregates[] = {"AVERAGE", "SUM", "MIN", "MAX"}; /* by their numbers */

static bool import_tree_ensemble(onnx_node *n)
{
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
    return onnx_give(
        n, 0, ml_transformed_as(n, ensemble(n, &t, targets, aggregates[how]), transforms[after]));
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

/* Export. A leaf of ONNX's operator has one vote, a leaf here any number: the trees are copied as
 * often as the leaf with most votes needs. A root that is a leaf becomes a node with that leaf as
 * both children. */

enum {
    OUT_ROOTS = 1,
    OUT_FEATURES,
    OUT_MODES,
    OUT_SPLITS,
    OUT_TRUE,
    OUT_FALSE,
    OUT_MISSING,
    OUT_MEMBERS,
    OUT_MEMBER_BEGIN,
    OUT_LEAF_BEGIN,
    OUT_TARGETS,
    OUT_WEIGHTS,
    N_OPERANDS
};

typedef struct out_trees {
    const inlay_tensor *in[N_OPERANDS]; /* by operand */
    int64_t nodes, leaves, copies;      /* of the row; of each leaf */
    bool voiceless;                     /* some leaf has no vote */
    int n, n_roots, n_members;          /* of the operator */
    int64_t *roots, *features, *modes, *missing, *child[2], *is_leaf[2], *targets;
    int64_t *stack, *seen; /* of the walk that lists members */
    double *splits, *weights, *members;
} out_trees;

static int64_t of_row(const out_trees *t, int operand, int64_t i)
{
    return inlay_tensor_get_i64(t->in[operand], i);
}

static bool all_between(const out_trees *t, int operand, int64_t low, int64_t high)
{
    for (int64_t i = 0; i < inlay_tensor_count(t->in[operand]); i++) {
        if (of_row(t, operand, i) < low || of_row(t, operand, i) > high)
            return false;
    }
    return true;
}

/* Are the elements of an operand the beginnings of COUNT lists in one of SIZE elements? */
static bool all_begin(const out_trees *t, int operand, int64_t count, int64_t size)
{
    bool ok = inlay_tensor_count(t->in[operand]) == count + 1 && all_between(t, operand, 0, size);

    for (int64_t i = 0; ok && i < count; i++)
        ok = of_row(t, operand, i) <= of_row(t, operand, i + 1);
    return ok;
}

/* Checks what a run would check. */
static bool fits(const out_trees *t)
{
    static const int of_nodes[] = {OUT_MODES, OUT_SPLITS, OUT_TRUE, OUT_FALSE, OUT_MISSING};
    int64_t votes = inlay_tensor_count(t->in[OUT_TARGETS]);

    for (size_t i = 0; i < sizeof of_nodes / sizeof *of_nodes; i++) {
        if (inlay_tensor_count(t->in[of_nodes[i]]) != t->nodes)
            return false;
    }
    return t->leaves > 0 && votes == inlay_tensor_count(t->in[OUT_WEIGHTS]) &&
           all_between(t, OUT_ROOTS, -t->leaves, t->nodes - 1) &&
           all_between(t, OUT_TRUE, -t->leaves, t->nodes - 1) &&
           all_between(t, OUT_FALSE, -t->leaves, t->nodes - 1) &&
           all_between(t, OUT_MODES, 0, MODE_MEMBER) &&
           all_begin(t, OUT_LEAF_BEGIN, t->leaves, votes) &&
           all_begin(t, OUT_MEMBER_BEGIN, t->nodes, inlay_tensor_count(t->in[OUT_MEMBERS]));
}

static bool read_row(onnx_export *x, out_trees *t)
{
    for (int i = 1; i < N_OPERANDS; i++) {
        if (!(t->in[i] = put_fact(x, i)->content))
            return put_refuse(x, "the elements of input %d are not known", i);
    }
    t->nodes = inlay_tensor_count(t->in[OUT_FEATURES]);
    t->leaves = inlay_tensor_count(t->in[OUT_LEAF_BEGIN]) - 1;
    t->copies = 1;
    if (!fits(t))
        return put_refuse(x, "its lists do not fit each other");
    for (int64_t i = 0; i < t->leaves; i++) {
        int64_t votes = of_row(t, OUT_LEAF_BEGIN, i + 1) - of_row(t, OUT_LEAF_BEGIN, i);

        t->voiceless = t->voiceless || votes == 0;
        t->copies = votes > t->copies ? votes : t->copies;
    }
    return true;
}

static int64_t *out_room(onnx_export *x, int64_t count)
{
    return inlay_arena_array(x->w->a, (size_t)count + 1, sizeof(int64_t));
}

static bool make_room(onnx_export *x, out_trees *t)
{
    int64_t roots = inlay_tensor_count(t->in[OUT_ROOTS]), nodes, all;
    int64_t members = inlay_tensor_count(t->in[OUT_MEMBERS]);
    bool fits = !__builtin_add_overflow(t->nodes, roots, &all) &&
                !__builtin_add_overflow(all, t->leaves, &all) &&
                !__builtin_add_overflow(all, members, &all) &&
                !__builtin_mul_overflow(all, t->copies, &all) && all <= INT32_MAX / 2;

    if (!fits)
        return put_refuse(x, "its leaves have too many votes");
    nodes = t->copies * (t->nodes + roots);
    t->roots = out_room(x, t->copies * roots);
    t->features = out_room(x, nodes);
    t->modes = out_room(x, nodes);
    t->missing = out_room(x, nodes);
    for (int i = 0; i < 2; i++) {
        t->child[i] = out_room(x, nodes);
        t->is_leaf[i] = out_room(x, nodes);
    }
    t->targets = out_room(x, t->copies * t->leaves);
    t->stack = out_room(x, 2 * nodes);
    t->seen = out_room(x, nodes);
    t->splits = inlay_arena_array(x->w->a, (size_t)nodes + 1, sizeof(double));
    t->weights = inlay_arena_array(x->w->a, (size_t)(t->copies * t->leaves) + 1, sizeof(double));
    t->members = inlay_arena_array(x->w->a, (size_t)(2 * all) + 1, sizeof(double));
    return (t->roots && t->features && t->modes && t->missing && t->child[0] && t->child[1] &&
            t->is_leaf[0] && t->is_leaf[1] && t->targets && t->stack && t->seen && t->splits &&
            t->weights && t->members) ||
           onnx_out_of_memory(x->w);
}

/* Sets child SIDE of node number N to CHILD of the row, in copy C. */
static void set_child(out_trees *t, int side, int64_t c, int64_t child)
{
    t->is_leaf[side][t->n] = child < 0;
    t->child[side][t->n] = child < 0 ? c * t->leaves - 1 - child : c * t->nodes + child;
}

/* Copy C of the nodes. */
static void copy_nodes(out_trees *t, int64_t c)
{
    for (int64_t i = 0; i < t->nodes; i++, t->n++) {
        t->features[t->n] = of_row(t, OUT_FEATURES, i);
        t->modes[t->n] = of_row(t, OUT_MODES, i);
        t->missing[t->n] = of_row(t, OUT_MISSING, i);
        t->splits[t->n] = inlay_tensor_get_f64(t->in[OUT_SPLITS], i);
        set_child(t, 0, c, of_row(t, OUT_TRUE, i));
        set_child(t, 1, c, of_row(t, OUT_FALSE, i));
    }
}

static void copy_roots(out_trees *t, int64_t c)
{
    for (int64_t i = 0; i < inlay_tensor_count(t->in[OUT_ROOTS]); i++) {
        int64_t root = of_row(t, OUT_ROOTS, i);

        t->roots[t->n_roots++] = root < 0 ? t->n : c * t->nodes + root;
        for (int side = 0; root < 0 && side < 2; side++)
            set_child(t, side, c, root);
        t->n += root < 0;
    }
}

/* Vote number C of each leaf. A leaf with fewer votes gets weight 0 if votes are summed, else its
 * last vote once more. */
static void copy_votes(out_trees *t, int64_t c, bool sums)
{
    for (int64_t i = 0; i < t->leaves; i++) {
        int64_t first = of_row(t, OUT_LEAF_BEGIN, i), end = of_row(t, OUT_LEAF_BEGIN, i + 1);
        int64_t at = first + c < end ? first + c : end - 1, to = c * t->leaves + i;
        bool votes = first < end && (first + c < end || !sums);

        t->targets[to] = votes ? of_row(t, OUT_TARGETS, at) : 0;
        t->weights[to] = votes ? inlay_tensor_get_f64(t->in[OUT_WEIGHTS], at) : 0;
    }
}

/* The members of node K of the row, ended by NaN, which is no member itself. */
static void add_members(out_trees *t, int64_t k)
{
    for (int64_t i = of_row(t, OUT_MEMBER_BEGIN, k); i < of_row(t, OUT_MEMBER_BEGIN, k + 1); i++) {
        double member = inlay_tensor_get_f64(t->in[OUT_MEMBERS], i);

        if (!isnan(member))
            t->members[t->n_members++] = member;
    }
    t->members[t->n_members++] = NAN;
}

/* Lists the members of all nodes below ROOT as take_members() finds them. */
static void list_members(out_trees *t, int64_t root)
{
    int depth = 0;

    t->stack[depth++] = root;
    while (depth > 0) {
        int64_t k = t->stack[--depth];

        if (t->seen[k])
            continue;
        t->seen[k] = true;
        if (t->modes[k] == MODE_MEMBER)
            add_members(t, k % t->nodes);
        for (int side = 1; side >= 0; side--) {
            if (!t->is_leaf[side][k])
                t->stack[depth++] = t->child[side][k];
        }
    }
}

static const inlay_tensor *out_numbers(onnx_export *x, inlay_type type, const double *list, int n)
{
    inlay_tensor *t = put_new(x, type, 1, (int64_t[]){n});

    for (int i = 0; t && i < n; i++)
        inlay_tensor_set_f64(t, i, list[i]);
    return put_keep(x, t);
}

static const inlay_tensor *out_modes(onnx_export *x, const out_trees *t)
{
    inlay_tensor *modes = put_new(x, INLAY_U8, 1, (int64_t[]){t->n});

    for (int i = 0; modes && i < t->n; i++)
        inlay_tensor_set_i64(modes, i, t->modes[i]);
    return put_keep(x, modes);
}

/* Puts the operator that combines votes in way number HOW. */
static const char *put_ensemble(onnx_export *x, const out_trees *t, int how)
{
    inlay_type type = put_type(x, 0);
    int leaves = (int)(t->copies * t->leaves);
    const inlay_tensor *splits = out_numbers(x, type, t->splits, t->n), *modes = out_modes(x, t);
    const inlay_tensor *weights = out_numbers(x, type, t->weights, leaves);
    const inlay_tensor *members =
        t->n_members > 0 ? out_numbers(x, type, t->members, t->n_members) : NULL;

    if (!splits || !modes || !weights)
        return NULL;
    return put(x, "ai.onnx.ml.TreeEnsemble", IN(put_in(x, 0)),
               ATTRS(INT("n_targets", inlay_node_int(x->n, "n_targets")),
                     INT("aggregate_function", how), INTS("tree_roots", t->roots, t->n_roots),
                     INTS("nodes_featureids", t->features, t->n), TENSOR("nodes_modes", modes),
                     TENSOR("nodes_splits", splits), INTS("nodes_truenodeids", t->child[0], t->n),
                     INTS("nodes_trueleafs", t->is_leaf[0], t->n),
                     INTS("nodes_falsenodeids", t->child[1], t->n),
                     INTS("nodes_falseleafs", t->is_leaf[1], t->n),
                     INTS("nodes_missing_value_tracks_true", t->missing, t->n),
                     TENSOR("membership_values", members),
                     INTS("leaf_targetids", t->targets, leaves), TENSOR("leaf_weights", weights)));
}

static bool export_tree_ensemble(onnx_export *x)
{
    enum { AVERAGE, SUM };
    int how = 0, roots;
    out_trees t = {.nodes = 0};
    const char *y;

    while (strcmp(aggregates[how], inlay_node_string(x->n, "aggregate_function")) != 0)
        how++;
    if (!read_row(x, &t) || !make_room(x, &t))
        return false;
    roots = (int)inlay_tensor_count(t.in[OUT_ROOTS]);
    if (how > SUM && t.voiceless)
        return put_refuse(x, "a leaf without a vote");
    for (int64_t c = 0; c < t.copies; c++) {
        copy_nodes(&t, c);
        copy_votes(&t, c, how <= SUM);
    }
    for (int64_t c = 0; c < t.copies; c++)
        copy_roots(&t, c);
    for (int i = 0; i < t.n_roots; i++)
        list_members(&t, t.roots[i]);
    y = put_ensemble(x, &t, t.copies > 1 && how == AVERAGE ? SUM : how);
    if (t.copies > 1 && how == AVERAGE)
        y = put_binary(x, "Div", y, put_number(x, put_type(x, 0), roots));
    return put_give(x, 0, y);
}

const onnx_exporter onnx_exporters_ml_trees[] = {
    {"TreeEnsemble@onnxml", export_tree_ensemble, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
