#include "prove_told.h"
#include "passes/prove/ranks.h"
#include "unit.h"

enum {
    AXES = 2, /* of operands */
    WAYS = 600
};

/* ---- a rule told otherwise ---- */

/* The name with the number I gets this one. */
static int turned(const rule *r, int i)
{
    return i < 0 ? i : r->n_names - 1 - i;
}

static void turn_terms(const rule *r, rule_term *t, int n)
{
    for (int i = 0; i < n; i++) {
        bool named = t[i].kind == TERM_NAME || t[i].kind == TERM_REST || t[i].kind == TERM_WINDOW;

        t[i].name = named ? turned(r, t[i].name) : t[i].name;
    }
}

static void *copy_of(inlay_arena *a, const void *from, size_t n)
{
    void *to = inlay_arena_alloc(a, n + 1);

    assert_non_null(to);
    return n ? memcpy(to, from, n) : to;
}

static rule_side turn_side(const rule *r, const rule_side *from, inlay_arena *a)
{
    rule_side out = *from;

    out.values = copy_of(a, out.values, (size_t)out.n_values * sizeof *out.values);
    turn_terms(r, out.values, out.n_values);
    out.nodes = copy_of(a, out.nodes, (size_t)out.n_nodes * sizeof *out.nodes);
    for (int i = 0; i < out.n_nodes; i++) {
        rule_node *n = &out.nodes[i];

        n->in = copy_of(a, n->in, (size_t)n->n_in * sizeof *n->in);
        turn_terms(r, n->in, n->n_in);
        n->attrs = copy_of(a, n->attrs, (size_t)n->n_attrs * sizeof *n->attrs);
        for (int k = 0; k < n->n_attrs; k++)
            n->attrs[k].var = turned(r, n->attrs[k].var);
        n->outs = copy_of(a, n->outs, (size_t)n->n_outs * sizeof *n->outs);
        for (int k = 0; k < n->n_outs; k++)
            n->outs[k] = turned(r, n->outs[k]);
        n->op_name = turned(r, n->op_name);
    }
    return out;
}

/* CLAUSE asks for a name that no clause of DONE defines, of which there are N. */
static bool waits(const rule *r, const rule_clause *clause, const rule_clause *done, int n)
{
    bool missing = false;

    for (int k = 0; k < clause->n_args; k++) {
        int name = prove_name_at(clause, k);
        const rule_clause *by = name < 0 ? NULL : prove_clause_of(r, name);
        bool known = !by;

        for (int i = 0; i < n; i++)
            known = known || done[i].target == name;
        missing = missing || !known;
    }
    return missing;
}

/* The conditions of R, the last of those that can come next always first. */
static rule_clause *turn_clauses(const rule *r, inlay_arena *a)
{
    rule_clause *out = copy_of(a, r->clauses, (size_t)r->n_clauses * sizeof *out);
    bool taken[RULE_CLAUSES] = {false};

    for (int n = 0; n < r->n_clauses; n++) {
        int next = r->n_clauses - 1;

        while (taken[next] || waits(r, &r->clauses[next], out, n))
            next--;
        taken[next] = true;
        out[n] = r->clauses[next];
    }
    for (int n = 0; n < r->n_clauses; n++) {
        out[n].args = copy_of(a, out[n].args, (size_t)out[n].n_args * sizeof *out[n].args);
        turn_terms(r, out[n].args, out[n].n_args);
        out[n].target = turned(r, out[n].target);
    }
    return out;
}

rule prove_told_otherwise(const rule *r, inlay_arena *a)
{
    rule out = *r;

    out.names = copy_of(a, r->names, (size_t)r->n_names * sizeof *r->names);
    for (int i = 0; i < r->n_names; i++)
        out.names[turned(r, i)] = r->names[i];
    out.left = turn_side(r, &r->left, a);
    out.right = turn_side(r, &r->right, a);
    out.clauses = turn_clauses(r, a);
    return out;
}

/* ---- what stands behind an end ---- */

/* What no pointer may be that is followed. */
static void spoil(const void *from, const void *to)
{
    memset((char *)(uintptr_t)from, 0xa5, (size_t)((const char *)to - (const char *)from));
}

static void spoil_value(const prove_value *v)
{
    if (v && v->rank >= 0)
        spoil(v->dim + v->rank, v->dim + PROVE_RANK);
    if (v && v->n_ints >= 0)
        spoil(v->ints + v->n_ints, v->ints + PROVE_RANK);
}

static void spoil_node(const prove_node *n)
{
    for (int i = 0; n && i < n->n_in; i++)
        spoil_value(n->in[i]);
    for (int i = 0; n && i < n->n_out; i++)
        spoil_value(&n->out[i]);
}

static void spoil_case(prove_case *c)
{
    const rule *r = c->rule;

    for (int i = 0; i < r->left.n_nodes; i++)
        spoil_node(c->left[i]);
    for (int i = 0; i < r->right.n_nodes; i++)
        spoil_node(c->right[i]);
    spoil(c->left + r->left.n_nodes, c->left + RULE_NODES);
    spoil(c->right + r->right.n_nodes, c->right + RULE_NODES);
    spoil(c->names + r->n_names, c->names + RULE_NAMES);
    spoil(c->results + c->n_results, c->results + SMT_ARGS);
    spoil(c->windows.places + c->windows.n_places, c->windows.places + PROVE_PLACES);
    spoil(c->windows.spellings + c->windows.n_spellings, c->windows.spellings + PROVE_PLACES);
    spoil(c->facts.types + c->facts.n_types, c->facts.types + PROVE_PLACES);
}

/* ---- what is found out ---- */

static uint64_t mixed(uint64_t hash, uint64_t more)
{
    hash = (hash ^ more) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

static uint64_t of_value(const prove_case *c, const prove_value *v)
{
    return v ? mixed(7, (uint64_t)prove_knows_rank(c, v) | (uint64_t)prove_is_discrete(c, v) << 1 |
                            (uint64_t)ranks_is_told(c, v) << 2 |
                            (uint64_t)ranks_is_assumed(c, v) << 3 |
                            (uint64_t)ranks_makes_known(c, v) << 4 |
                            (uint64_t)prove_is_one_list(v) << 5)
             : 1;
}

static uint64_t of_node(const prove_case *c, const prove_node *n)
{
    uint64_t hash = n ? (uint64_t)prove_keeps_numbers(c, n) |
                            (uint64_t)(n->n_in > 0 && prove_needs_alike(c, n)) << 1
                      : 9;

    for (int i = 0; n && i < n->n_in; i++)
        hash = mixed(hash, n->in[i] ? of_value(c, n->in[i]) ^ ranks_is_error_of_both(c, n, i) : 2);
    for (int i = 0; n && i < n->n_out; i++)
        hash = mixed(hash, of_value(c, &n->out[i]));
    return hash;
}

static uint64_t of_case(const prove_case *c)
{
    prove_orders orders;
    uint64_t hash;

    prove_relate_orders(c, &orders);
    hash = mixed((uint64_t)orders.steps << 2 | orders.forest, (uint64_t)orders.differ);
    hash = mixed(hash, (uint64_t)orders.of_matrices);
    hash = mixed(hash, (uint64_t)prove_axes_needed(c) << 1 | prove_covers_unknown_ranks(c));
    hash = mixed(hash, (uint64_t)prove_axes_when_merged(c));
    for (int i = 0; i < c->rule->left.n_nodes; i++)
        hash = mixed(hash, of_node(c, c->left[i]));
    for (int i = 0; i < c->rule->right.n_nodes; i++)
        hash = mixed(hash, of_node(c, c->right[i]));
    return hash;
}

static bool is_new(const uint64_t *seen, int n, uint64_t hash)
{
    for (int i = 0; i < n; i++) {
        if (seen[i] == hash)
            return false;
    }
    return true;
}

uint64_t prove_told_of(const rule *r, bool spoilt)
{
    prove_case c = {.meanings.numbers =
                        r->exactness == INLAY_APPROX ? PROVE_REAL : PROVE_AS_THEY_ARE};
    inlay_arena *arena = inlay_arena_new();
    uint64_t seen[WAYS], sum = 1;
    bool more = true, told = true;
    int n = 0;

    for (int ways = 0; more && told; ways++) {
        inlay_arena_clear(arena);
        prove_begin_case(&c, r, AXES, arena);
        prove_build_left(&c);
        if (!c.cut && !c.unknown)
            prove_state_clauses(&c);
        if (!c.cut && !c.unknown)
            prove_build_right(&c);
        if (spoilt && !c.cut && !c.unknown && !c.faulty)
            spoil_case(&c);
        if (!c.cut && !c.unknown && !c.faulty && is_new(seen, n, of_case(&c)))
            sum += seen[n++] = of_case(&c);
        inlay_strbuf_free(&c.pool.declared);
        told = ways < WAYS && (c.cut || !c.unknown);
        more = prove_next_way(&c);
    }
    inlay_arena_free(arena);
    return told ? sum : 0;
}
