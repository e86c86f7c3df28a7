/* ONNX's machine-learning models on tables. */
#include "interp/call/kernel.h"

#include <math.h>
#include <string.h>

/* LabelEncoder */

/* Compares keys by their bits, so that NaN is a key, too. */
static bool same_element(const inlay_tensor *a, int64_t i, const inlay_tensor *b, int64_t j)
{
    unsigned char x[16] = {0}, y[16] = {0};

    if (a->type == INLAY_STRING) {
        inlay_string s = inlay_tensor_get_string(a, i), t = inlay_tensor_get_string(b, j);

        return s.length == t.length && (s.length == 0 || memcmp(s.bytes, t.bytes, s.length) == 0);
    }
    inlay_copy_element(a->type, x, 0, a->data, inlay_tensor_index(a, i));
    inlay_copy_element(b->type, y, 0, b->data, inlay_tensor_index(b, j));
    return memcmp(x, y, sizeof x) == 0;
}

/* A hash table of the keys with open addressing: SLOTS is a power of two and at least twice the
 * number of keys, and a slot holds the number of a key plus 1. A key whose slot is taken goes to
 * the next free one. */
typedef struct dictionary {
    const inlay_tensor *keys;
    int64_t *slot;
    uint64_t slots;
} dictionary;

/* Returns the slot of element I of T, or the free slot where that element belongs. */
static int64_t *find(const dictionary *d, const inlay_tensor *t, int64_t i)
{
    uint64_t at = inlay_tensor_hash(t, i, 1) & (d->slots - 1);

    while (d->slot[at] && !same_element(t, i, d->keys, d->slot[at] - 1))
        at = (at + 1) & (d->slots - 1);
    return &d->slot[at];
}

static bool read_keys(inlay_call *c, dictionary *d)
{
    int64_t n = inlay_tensor_count(c->in[1]);

    *d = (dictionary){.keys = c->in[1], .slots = 2};
    while (d->slots < 2 * (uint64_t)n)
        d->slots *= 2;
    d->slot = inlay_call_memory(c, (int64_t)d->slots, sizeof *d->slot);
    for (int64_t i = 0; d->slot && i < n; i++) {
        int64_t *slot = find(d, d->keys, i);

        if (!*slot) /* of two equal keys the first counts */
            *slot = i + 1;
    }
    return d->slot != NULL;
}

static bool put_element(inlay_call *c, int64_t to, const inlay_tensor *from, int64_t i)
{
    inlay_tensor *y = c->out[0];
    inlay_string s;

    if (y->type == INLAY_STRING) {
        s = inlay_tensor_get_string(from, i);
        return call_put_string(c, y, to, s.length ? s.bytes : "", s.length);
    }
    inlay_copy_element(y->type, y->data, inlay_tensor_index(y, to), from->data,
                       inlay_tensor_index(from, i));
    return true;
}

bool eval_label_encoder(inlay_call *c)
{
    const inlay_tensor *x = c->in[0];
    dictionary d;

    if (!read_keys(c, &d))
        return false;
    for (int64_t i = 0; i < inlay_tensor_count(x); i++) {
        int64_t key = *find(&d, x, i);

        if (!put_element(c, i, c->in[key ? 2 : 3], key ? key - 1 : 0))
            return false;
    }
    return true;
}

/* TreeEnsemble */

/* The operands, in the order of the row. */
enum {
    IN_X,
    IN_ROOTS,
    IN_FEATURES,
    IN_MODES,
    IN_SPLITS,
    IN_TRUE,
    IN_FALSE,
    IN_MISSING,
    IN_MEMBERS,
    IN_MEMBER_BEGIN,
    IN_LEAF_BEGIN,
    IN_TARGETS,
    IN_WEIGHTS,
    N_INPUTS
};

typedef struct trees {
    const int64_t *ints[N_INPUTS]; /* by operand; NULL: not an operand of integers */
    int64_t n[N_INPUTS];
    const double *x, *splits, *members, *weights;
    const bool *missing;
    int64_t columns, targets;
} trees;

static bool check_range(inlay_call *c, const trees *t, int operand, int64_t low, int64_t high)
{
    for (int64_t i = 0; i < t->n[operand]; i++) {
        int64_t x = t->ints[operand][i];

        if (x < low || x > high)
            return inlay_call_fail(c, "%s is %lld, it must be from %lld to %lld",
                                   call_element_name(c, operand, i), (long long)x, (long long)low,
                                   (long long)high);
    }
    return true;
}

static bool check_rising(inlay_call *c, const trees *t, int operand, int64_t end)
{
    if (!check_range(c, t, operand, 0, end))
        return false;
    for (int64_t i = 1; i < t->n[operand]; i++) {
        if (t->ints[operand][i] < t->ints[operand][i - 1])
            return inlay_call_fail(c, "%s is less than the one before it",
                                   call_element_name(c, operand, i));
    }
    return true;
}

/* Checks that lists of nodes have one length, that lists of votes have one length, and that each
 * list of beginnings is one longer than what has these beginnings. */
static bool check_lengths(inlay_call *c, const trees *t)
{
    static const int of_nodes[] = {IN_MODES, IN_SPLITS, IN_TRUE, IN_FALSE, IN_MISSING};
    int64_t n = t->n[IN_FEATURES];

    for (size_t i = 0; i < sizeof of_nodes / sizeof of_nodes[0]; i++) {
        if (t->n[of_nodes[i]] != n)
            return inlay_call_fail(c, "%s has %lld element%s, features %lld",
                                   c->node->op->in[of_nodes[i]].name, (long long)t->n[of_nodes[i]],
                                   inlay_plural(t->n[of_nodes[i]], "", "s"), (long long)n);
    }
    if (t->n[IN_MEMBER_BEGIN] != n + 1 || t->n[IN_LEAF_BEGIN] < 1)
        return inlay_call_fail(c, "member_begin or leaf_begin has too few elements");
    return t->n[IN_TARGETS] == t->n[IN_WEIGHTS] ||
           inlay_call_fail(c, "there are %lld vote_targets and %lld vote_weights",
                           (long long)t->n[IN_TARGETS], (long long)t->n[IN_WEIGHTS]);
}

static bool check_trees(inlay_call *c, const trees *t)
{
    int64_t nodes = t->n[IN_FEATURES], leaves = t->n[IN_LEAF_BEGIN] - 1;

    return check_lengths(c, t) && check_range(c, t, IN_ROOTS, -leaves, nodes - 1) &&
           check_range(c, t, IN_TRUE, -leaves, nodes - 1) &&
           check_range(c, t, IN_FALSE, -leaves, nodes - 1) &&
           check_range(c, t, IN_FEATURES, 0, t->columns - 1) && check_range(c, t, IN_MODES, 0, 6) &&
           check_range(c, t, IN_TARGETS, 0, t->targets - 1) &&
           check_rising(c, t, IN_MEMBER_BEGIN, t->n[IN_MEMBERS]) &&
           check_rising(c, t, IN_LEAF_BEGIN, t->n[IN_TARGETS]);
}

static bool load_trees(inlay_call *c, trees *t)
{
    for (int i = 0; i < N_INPUTS; i++) {
        t->n[i] = inlay_tensor_count(c->in[i]);
        t->ints[i] = c->in[i]->type == INLAY_I64 ? load_i64(c, i) : NULL;
        if (c->in[i]->type == INLAY_I64 && !t->ints[i])
            return false;
    }
    t->columns = c->in[IN_X]->dims[1];
    t->targets = c->out[0]->dims[1];
    t->x = load_f64(c, IN_X);
    t->splits = load_f64(c, IN_SPLITS);
    t->members = load_f64(c, IN_MEMBERS);
    t->weights = load_f64(c, IN_WEIGHTS);
    t->missing = load_bool(c, IN_MISSING);
    return t->x && t->splits && t->members && t->weights && t->missing && check_trees(c, t);
}

static bool is_member(const trees *t, int64_t node, double x)
{
    for (int64_t i = t->ints[IN_MEMBER_BEGIN][node]; i < t->ints[IN_MEMBER_BEGIN][node + 1]; i++) {
        if (t->members[i] == x)
            return true;
    }
    return false;
}

static bool holds(const trees *t, int64_t node, double x)
{
    double split = t->splits[node];

    if (isnan(x) && t->missing[node])
        return true;
    switch (t->ints[IN_MODES][node]) {
    case 0:
        return x <= split;
    case 1:
        return x < split;
    case 2:
        return x >= split;
    case 3:
        return x > split;
    case 4:
        return x == split;
    case 5:
        return x != split;
    default:
        return is_member(t, node, x);
    }
}

/* Finds the leaf that ROW reaches. A path with more steps than there are nodes has a cycle. */
static bool leaf_of(inlay_call *c, const trees *t, int64_t root, const double *row, int64_t *leaf)
{
    int64_t at = root;

    for (int64_t steps = 0; at >= 0; steps++) {
        if (steps == t->n[IN_FEATURES])
            return inlay_call_fail(c, "the nodes of a tree form a circle");
        at = t->ints[holds(t, at, row[t->ints[IN_FEATURES][at]]) ? IN_TRUE : IN_FALSE][at];
    }
    *leaf = -1 - at;
    return true;
}

typedef enum { AVERAGE, SUM, MIN, MAX } aggregate;

static aggregate aggregate_of(const inlay_node *n)
{
    static const char *const names[] = {"AVERAGE", "SUM", "MIN"};
    const char *name = inlay_node_string(n, "aggregate_function");

    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0)
            return (aggregate)i;
    }
    return MAX;
}

static void vote(const trees *t, int64_t leaf, aggregate how, double *y, bool *voted)
{
    for (int64_t i = t->ints[IN_LEAF_BEGIN][leaf]; i < t->ints[IN_LEAF_BEGIN][leaf + 1]; i++) {
        int64_t target = t->ints[IN_TARGETS][i];
        double w = t->weights[i], *to = &y[target];

        if (how == SUM || how == AVERAGE)
            *to += w;
        else if (!voted[target] || (how == MIN ? w < *to : w > *to))
            *to = w;
        voted[target] = true;
    }
}

/* Sums are taken in f64 and rounded once. A target without a vote is 0. */
bool eval_tree_ensemble(inlay_call *c)
{
    int64_t rows = c->in[IN_X]->dims[0];
    aggregate how = aggregate_of(c->node);
    double *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);
    trees t = {0};
    bool *voted;

    if (!y || !load_trees(c, &t) || !(voted = inlay_call_memory(c, t.targets, sizeof *voted)))
        return false;
    for (int64_t r = 0; r < rows; r++) {
        double *row = y + r * t.targets;
        int64_t leaf = 0;

        memset(voted, 0, (size_t)t.targets * sizeof *voted);
        for (int64_t i = 0; i < t.n[IN_ROOTS]; i++) {
            if (!leaf_of(c, &t, t.ints[IN_ROOTS][i], t.x + r * t.columns, &leaf))
                return false;
            vote(&t, leaf, how, row, voted);
        }
        for (int64_t k = 0; how == AVERAGE && k < t.targets; k++)
            row[k] /= (double)t.n[IN_ROOTS];
    }
    return store_f64(c, 0, y);
}
