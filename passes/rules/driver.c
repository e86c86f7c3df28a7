/* Applies sets of rules to a graph until nothing matches any more.
 *
 * There is one worklist: all nodes in canonical order, and after each rewrite the new nodes with
 * their readers, and the operands with those of their readers that changed. Rules are tried in the
 * order of their file. Nodes that a rewrite leaves without readers are removed at once, so that
 * "used once" counts real uses. Conditions may look farther than that, so all nodes are visited
 * again until none is rewritten. */
#include "passes/rules/driver.h"
#include "ir/shared.h"
#include "passes/rules/chain.h"

#include <stdlib.h>
#include <string.h>

typedef struct driver {
    inlay_graph *g;
    rule_run *run;
    inlay_diags *diags;
    rule_match match;
    inlay_node **queue;
    size_t first, n, cap;  /* of the queue */
    inlay_node **operands; /* of the node being rewritten */
    int n_operands, cap_operands;
    size_t n_moved;         /* readers of the node being rewritten, before the rewrite */
    unsigned char *waiting; /* by node id */
    size_t n_ids;
    uint64_t rewrites, limit;
    bool bounded; /* the limit was reached */
} driver;

/* Makes room for all node ids of the graph: new nodes have new ids. */
static bool reserve_ids(driver *d)
{
    size_t wanted = (size_t)d->g->next_id + 1;
    unsigned char *more;

    if (wanted <= d->n_ids)
        return true;
    wanted += wanted / 2;
    more = inlay_retake(inlay_graph_budget(d->g), d->waiting, wanted);
    if (!more)
        return inlay_fail_memory(d->diags);
    memset(more + d->n_ids, 0, wanted - d->n_ids);
    d->waiting = more;
    d->n_ids = wanted;
    return true;
}

/* Bits of `waiting`: the node is in the queue; the node was removed from the graph. */
enum { QUEUED = 1, GONE = 2 };

static bool enqueue(driver *d, inlay_node *n)
{
    inlay_count_steps(d->g, 1);
    if (!reserve_ids(d))
        return false;
    if (d->waiting[n->id] || (n->op->flags & INLAY_STAND_IN))
        return true;
    if (d->first + d->n == d->cap && d->first > d->cap / 2) {
        memmove(d->queue, d->queue + d->first, d->n * sizeof(inlay_node *));
        d->first = 0;
    }
    if (d->first + d->n == d->cap) {
        size_t cap = d->cap ? 2 * d->cap : 64;
        inlay_node **more = inlay_retake(inlay_node_budget(n), d->queue, cap * sizeof *more);

        if (!more)
            return inlay_fail_memory(d->diags);
        d->queue = more;
        d->cap = cap;
    }
    d->queue[d->first + d->n++] = n;
    d->waiting[n->id] = QUEUED;
    return true;
}

/* N has no readers and no effect. */
static bool is_dead(const inlay_node *n)
{
    if (n->op->flags & (INLAY_EFFECT | INLAY_SINK | INLAY_HAS_BODY | INLAY_STAND_IN))
        return false;
    for (int i = 0; i < n->n_out; i++) {
        if (n->out[i].uses)
            return false;
    }
    return true;
}

static bool enqueue_user(driver *d, const inlay_use *u)
{
    if (u->index == 0)
        rule_chains_forget(d->match.chains, u->node);
    return enqueue(d, u->node);
}

/* If a node has only one reader left, that may match now. */
static bool lost_reader(driver *d, inlay_node *n)
{
    for (int i = 0; i < n->n_out; i++) {
        const inlay_use *u = n->out[i].uses;

        if (u && !u->next)
            rule_chains_forget(d->match.chains, u->node);
    }
    return enqueue(d, n);
}

/* Removes N if it is dead, and then each operand that only N read. Operands with other readers go
 * back into the queue. */
static bool sweep(driver *d, inlay_node *n)
{
    inlay_node **stack = inlay_take_raw(inlay_node_budget(n), sizeof *stack);
    size_t depth = stack ? 1 : 0;
    bool ok = stack || inlay_fail_memory(d->diags);

    if (stack)
        stack[0] = n;
    while (ok && depth > 0) {
        inlay_node *at = stack[--depth], **more;
        int n_in = at->n_in;

        inlay_count_steps(d->g, 1);
        if ((d->waiting[at->id] & GONE) || !is_dead(at)) {
            ok = (d->waiting[at->id] & GONE) || lost_reader(d, at);
            continue;
        }
        more =
            inlay_retake(inlay_node_budget(n), stack, (depth + (size_t)n_in + 1) * sizeof *stack);
        if (!more) {
            ok = inlay_fail_memory(d->diags);
            break;
        }
        stack = more;
        for (int i = 0; i < n_in; i++) {
            if (at->in[i].value)
                stack[depth++] = at->in[i].value->node;
        }
        ok = inlay_node_remove(at, d->diags);
        d->waiting[at->id] |= GONE;
    }
    inlay_give(stack);
    return ok;
}

static bool enqueue_users(driver *d, const inlay_node *n)
{
    for (int i = 0; i < n->n_out; i++) {
        for (const inlay_use *u = n->out[i].uses; u; u = u->next) {
            if (!enqueue_user(d, u))
                return false;
        }
    }
    return true;
}

/* Removes nodes that a rewrite left without readers. MARK was the last node of the graph before the
 * rewrite. */
static bool clean_up(driver *d, inlay_node *root, const inlay_node *mark)
{
    const rule *r = d->match.rule;

    if (!reserve_ids(d))
        return false;
    d->waiting[root->id] |= GONE;
    for (inlay_node *n = mark == root || !mark ? d->g->first : mark->next; n; n = n->next) {
        if (!enqueue(d, n) || !enqueue_users(d, n))
            return false;
    }
    for (int i = 0; i < r->left.n_nodes; i++) {
        inlay_node *n = d->match.nodes[i];

        if (!n || n == root || (d->waiting[n->id] & GONE))
            continue;
        if (!sweep(d, n))
            return false;
    }
    return true;
}

/* Queues readers of V that may match only now: those that were moved to V, which come first in its
 * list, and one that has become the only reader, since a condition may require that. Nothing has
 * changed for the others, and a constant may have very many of them. */
static bool enqueue_new_users(driver *d, const inlay_value *v)
{
    bool once = v->uses && !v->uses->next;
    size_t i = 0;

    for (const inlay_use *u = v->uses; u && i <= d->n_moved; u = u->next, i++) {
        if (!(once || i < d->n_moved ? enqueue_user(d, u) : enqueue(d, u->node)))
            return false;
    }
    return true;
}

/* Puts N back into the queue, because N has lost a reader or got another one. */
static bool requeue(driver *d, inlay_node *n)
{
    bool ok = true;

    if (n->id < d->n_ids && (d->waiting[n->id] & GONE))
        return true;
    if (is_dead(n))
        return sweep(d, n);
    ok = enqueue(d, n);
    for (int i = 0; ok && i < n->n_out; i++)
        ok = enqueue_new_users(d, &n->out[i]);
    return ok;
}

/* Remembers the operands of N. They may be removed together with N, whether the rule names them or
 * not. */
static bool keep_operands(driver *d, const inlay_node *n)
{
    if (n->n_in > d->cap_operands) {
        inlay_node **more =
            inlay_retake(inlay_node_budget(n), d->operands, (size_t)n->n_in * sizeof *more);

        if (!more)
            return inlay_fail_memory(d->diags);
        d->operands = more;
        d->cap_operands = n->n_in;
    }
    d->n_operands = 0;
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value)
            d->operands[d->n_operands++] = n->in[i].value->node;
    }
    return true;
}

static size_t count_users(const inlay_node *n)
{
    size_t count = 0;

    for (int i = 0; i < n->n_out; i++) {
        for (const inlay_use *u = n->out[i].uses; u; u = u->next)
            count++;
    }
    inlay_count_steps(n->graph, count);
    return count;
}

static bool requeue_operands(driver *d)
{
    for (int i = 0; i < d->n_operands; i++) {
        if (!requeue(d, d->operands[i]))
            return false;
    }
    return true;
}

/* Puts the readers of the right side's values into the queue, for values that existed before. */
static bool requeue_names(driver *d)
{
    const rule *r = d->match.rule;

    for (int i = 0; i < r->n_names; i++) {
        const rule_binding *b = &d->match.names[i];

        if (b->bound && b->kind == RULE_VALUE && b->value && !requeue(d, b->value->node))
            return false;
    }
    return true;
}

/* Empties the scratch arena when it has become large. A new arena for each match would be slow. */
static bool fresh_scratch(driver *d)
{
    enum { LARGE = 1 << 18 };

    if (d->match.scratch && inlay_arena_bytes(d->match.scratch) <= LARGE)
        return true;
    inlay_arena_free(d->match.scratch);
    d->match.scratch = inlay_arena_of(inlay_graph_budget(d->g));
    return d->match.scratch || inlay_fail_memory(d->diags);
}

static void refused(const driver *d, const inlay_node *n)
{
    if (d->run->refused)
        d->run->refused(d->run->ctx, n, &d->match);
}

/* Applies the rule that matched. MARK was the last node of the graph before it. */
static bool apply(driver *d, inlay_node *n, const inlay_node *mark, uint64_t *count, bool *done)
{
    d->n_moved = count_users(n);
    if (!keep_operands(d, n) || !rule_apply(&d->match, done, d->diags))
        return false;
    if (!*done) {
        refused(d, n);
        return true;
    }
    d->rewrites++;
    (*count)++;
    return clean_up(d, n, mark) && requeue_operands(d) && requeue_names(d);
}

/* Asks whether rule INDEX of set SET, which matches at N, may be applied. */
static bool begin(const driver *d, const inlay_node *n, int set, int index)
{
    inlay_rule_info info = inlay_rules_at(d->run->sets[set], (size_t)index);
    bool first = d->run->counts[set][index] == 0;

    return !d->run->pass || pass_begin_rule(d->run->pass, n, &info, first);
}

static bool end(const driver *d, bool done)
{
    const inlay_node *matched[RULE_NODES];
    int n = d->match.rule->left.n_nodes;

    if (!d->run->pass)
        return true;
    if (!done)
        return pass_gave_up(d->run->pass);
    for (int i = 0; i < n; i++)
        matched[i] = d->match.nodes[i];
    return pass_applied(d->run->pass, matched, (size_t)n);
}

/* Tries rule R of set SET at N. */
static bool try_rule(driver *d, const rule *r, int set, inlay_node *n, bool *done)
{
    inlay_node *mark = d->g->last;
    uint64_t *count = &d->run->counts[set][r->index];

    *done = false;
    if (!fresh_scratch(d))
        return false;
    if (!rule_matches(&d->match, r, n)) {
        refused(d, n);
        return !d->match.no_memory || inlay_fail_memory(d->diags);
    }
    if (mark == n)
        mark = n->prev;
    if (!begin(d, n, set, r->index))
        return true;
    return apply(d, n, mark, count, done) && end(d, *done);
}

/* The operations of N's operands, as a bit set. */
static uint64_t read_by(const inlay_node *n)
{
    uint64_t rows = 0;

    inlay_count_steps(n->graph, (uint64_t)n->n_in);
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value)
            rows |= rule_bit(n->in[i].value->node->op);
    }
    return rows;
}

/* R requires an operand to be made by an operation that is not among READS. */
static bool misses_operand(const rule *r, uint64_t reads)
{
    for (int i = 0; i < RULE_READS; i++) {
        if (r->reads[i] && !(r->reads[i] & reads))
            return true;
    }
    return false;
}

/* A rule that cannot match at N is skipped, unless it is asked why it does not match. */
static bool is_hopeless(const driver *d, const rule *r, const inlay_node *n, uint64_t reads)
{
    return !d->run->refused && ((r->root_flags & ~n->op->flags) != 0 || misses_operand(r, reads));
}

/* Applies the first rule that matches at N. */
static bool rewrite_node(driver *d, inlay_node *n)
{
    uint64_t reads = read_by(n);

    for (int s = 0; s < d->run->n_sets; s++) {
        const inlay_rules *set = d->run->sets[s];

        for (const rule *const *r = rules_of(set, n->op); *r; r++) {
            bool done;

            if (is_hopeless(d, *r, n, reads))
                continue;
            if (!try_rule(d, *r, s, n, &done))
                return false;
            if (done)
                return true;
        }
    }
    return true;
}

/* Moves a node, drawn at random, to the front of the queue. */
static void shuffle(driver *d)
{
    uint64_t *x = &d->run->shuffle; /* xorshift64 */
    inlay_node *first = d->queue[d->first];
    size_t at;

    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    at = d->first + (size_t)(*x % d->n);
    d->queue[d->first] = d->queue[at];
    d->queue[at] = first;
}

static bool work(driver *d)
{
    while (d->n > 0) {
        inlay_node *n;

        if (d->run->shuffle)
            shuffle(d);
        n = d->queue[d->first++];
        d->n--;
        inlay_count_node(n);
        if (d->waiting[n->id] & GONE)
            continue;
        d->waiting[n->id] = 0;
        if (is_dead(n))
            continue;
        if (d->rewrites >= d->limit) {
            d->bounded = true;
            return true;
        }
        if (!rewrite_node(d, n))
            return false;
    }
    return true;
}

/* Visits all nodes once, and those that rewrites put into the queue. */
static bool look_at_all(driver *d)
{
    inlay_order_list order;
    bool ok = inlay_order(d->g, false, &order, d->diags) && reserve_ids(d) &&
              (rule_chains_reset(d->match.chains) || inlay_fail_memory(d->diags));

    for (size_t i = 0; ok && i < order.n; i++)
        ok = enqueue(d, order.nodes[i]);
    inlay_order_free(&order);
    return ok && work(d);
}

bool rule_drive(inlay_graph *g, rule_run *run, inlay_diags *diags)
{
    driver d = {.g = g, .run = run, .diags = diags};
    uint64_t before;
    bool ok = true;

    d.match.chains = rule_chains_new(g);
    if (!d.match.chains)
        return inlay_fail_memory(diags);
    d.limit = RULE_REWRITES_PER_NODE * (uint64_t)(g->n_nodes + 16);
    do {
        before = d.rewrites;
        ok = look_at_all(&d);
    } while (ok && !d.bounded && d.rewrites > before);
    if (ok && d.bounded)
        inlay_warn(diags, NULL,
                   "rules were applied %llu time%s, which is the limit: do they go in "
                   "circles?",
                   (unsigned long long)d.limit, inlay_plural(d.limit, "", "s"));
    run->rewrites += d.rewrites;
    inlay_arena_free(d.match.scratch);
    rule_chains_free(d.match.chains);
    inlay_give(d.queue);
    inlay_give(d.operands);
    inlay_give(d.waiting);
    return ok;
}
