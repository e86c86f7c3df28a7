/* Two graphs compared piece by piece (README.md).
 *
 * Values that may be equal cut both graphs. A piece is what computes such a value of each graph
 * from values before it that are proven equal, which are inputs of the piece:
 *
 *     a = f(g(x))      b = h(y)      x and y are equal: is f(g(p)) = h(p) for all p?
 *
 * Each structure is decided once, however many pieces have it. A pair of which this is not proven
 * cuts nothing. Proofs only rest on pairs before them, so none of them rests on itself. */
#include "ir/base/table.h"
#include "ir/shared.h"
#include "passes/symbolic/whole.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_NODES = 200, /* of a piece in one graph */
    MOST_INPUTS = 500,
    SMALL = 64 /* constants of integers with more elements are inputs of the piece */
};

/* A structure that was decided. */
struct decided {
    char *text;
    bool proven;
    UT_hash_handle hh;
};

/* An input of a piece: the value of A that it stands for, or a constant of both graphs. */
struct entry {
    const inlay_value *value;
    const inlay_tensor *constant;
};

struct side {
    const inlay_graph *g;
    inlay_order_list order;
    size_t *place;            /* by id: where a node is in the order */
    size_t *first;            /* by id: the index of output 0 among all values */
    const inlay_value **same; /* by index: the value of A to which it is proven equal, or NULL */
    uint32_t *seen;           /* by id: the last piece that had the node */
    inlay_node **copy;        /* by id: the node in that piece */
    const inlay_node *nodes[MOST_NODES];
    size_t n;
    inlay_graph *piece;
};

struct pieces {
    struct side a, b;
    const inlay_pieces_options *o;
    inlay_pieces_result *out;
    struct decided *table;
    struct entry inputs[MOST_INPUTS];
    int n_inputs;
    uint32_t now;           /* the number of the piece */
    const inlay_value *end; /* what it computes, in A */
    bool contents;          /* constants of any size are nodes of the piece */
    bool large;             /* it has a large one */
    inlay_diags *refused, *d;
};

/* ---- both graphs ---- */

static bool begin_side(struct side *s, inlay_diags *d)
{
    inlay_budget *budget = inlay_graph_budget(s->g);
    size_t ids = (size_t)s->g->next_id + 1, n = 0;

    if (!inlay_order(s->g, false, &s->order, d))
        return false;
    s->place = inlay_take(budget, ids, sizeof *s->place);
    s->first = inlay_take(budget, ids, sizeof *s->first);
    s->seen = inlay_take(budget, ids, sizeof *s->seen);
    s->copy = inlay_take(budget, ids, sizeof *s->copy);
    for (size_t i = 0; s->place && s->first && i < s->order.n; i++) {
        s->place[s->order.nodes[i]->id] = i;
        s->first[s->order.nodes[i]->id] = n;
        n += (size_t)s->order.nodes[i]->n_out;
    }
    s->same = inlay_take(budget, n + 1, sizeof *s->same);
    return (s->place && s->first && s->seen && s->copy && s->same) || inlay_fail_memory(d);
}

static void free_side(struct side *s)
{
    inlay_order_free(&s->order);
    inlay_give(s->place);
    inlay_give(s->first);
    inlay_give(s->same);
    inlay_give(s->seen);
    inlay_give(s->copy);
}

static const inlay_value **same_as(const struct side *s, const inlay_value *v)
{
    return &s->same[s->first[v->node->id] + (size_t)v->index];
}

/* ---- what belongs to a piece ---- */

/* A Const, or a Parameter, reads nothing, and only of the first the elements are known. */
static bool is_constant(const inlay_value *v)
{
    return v->node->n_in == 0 && v->fact.content;
}

/* Returns the elements of V if it is a constant whose elements are weights, as those of each layer
 * are others; NULL: it is none. */
static const inlay_tensor *large_constant(const inlay_value *v)
{
    const inlay_tensor *t = is_constant(v) ? v->fact.content : NULL;

    return t && inlay_tensor_count(t) > (inlay_type_is_float(t->type) ? 1 : SMALL) ? t : NULL;
}

/* Is V an input of the piece? */
static bool ends_at(const struct pieces *p, const struct side *s, const inlay_value *v)
{
    return *same_as(s, v) || (!p->contents && large_constant(v));
}

static bool is_given(const inlay_node *n)
{
    return n->n_in == 0 && n->n_out > 0 && !is_constant(&n->out[0]);
}

static bool add_node(const struct pieces *p, struct side *s, const inlay_node *n)
{
    if (s->seen[n->id] == p->now)
        return true;
    if (!symbolic_is_function(n) || is_given(n) || s->n == MOST_NODES)
        return false;
    s->seen[n->id] = p->now;
    s->nodes[s->n++] = n;
    return true;
}

/* Collects the nodes that compute V. False: they are no piece. */
static bool collect(struct pieces *p, struct side *s, const inlay_value *v)
{
    bool ok;

    s->n = 0;
    ok = add_node(p, s, v->node);
    for (size_t i = 0; ok && i < s->n; i++) {
        const inlay_node *n = s->nodes[i];

        for (int k = 0; ok && k < n->n_in; k++) {
            const inlay_value *in = n->in[k].value;

            p->large = p->large || (in && large_constant(in));
            ok = !in || ends_at(p, s, in) || add_node(p, s, in->node);
        }
    }
    return ok;
}

/* The nodes, in the order of the graph: a heap is not needed, since most pieces have a few. */
static void sort_nodes(struct side *s)
{
    for (size_t i = 1; i < s->n; i++) {
        const inlay_node *n = s->nodes[i];
        size_t k = i;

        for (; k > 0 && s->place[s->nodes[k - 1]->id] > s->place[n->id]; k--)
            s->nodes[k] = s->nodes[k - 1];
        s->nodes[k] = n;
    }
}

/* The input of the piece for V, or -1. */
static int input_of(const struct pieces *p, const struct side *s, const inlay_value *v)
{
    const inlay_value *same = *same_as(s, v);
    const inlay_tensor *constant = same ? NULL : large_constant(v);

    for (int i = 0; i < p->n_inputs; i++) {
        if (same ? p->inputs[i].value == same
                 : p->inputs[i].constant && inlay_tensor_equal(p->inputs[i].constant, constant))
            return i;
    }
    return -1;
}

static bool add_inputs(struct pieces *p, struct side *s)
{
    sort_nodes(s);
    for (size_t i = 0; i < s->n; i++) {
        for (int k = 0; k < s->nodes[i]->n_in; k++) {
            const inlay_value *v = s->nodes[i]->in[k].value;

            if (!v || !ends_at(p, s, v) || input_of(p, s, v) >= 0)
                continue;
            if (p->n_inputs == MOST_INPUTS)
                return false;
            p->inputs[p->n_inputs++] =
                (struct entry){*same_as(s, v), *same_as(s, v) ? NULL : large_constant(v)};
        }
    }
    return true;
}

/* ---- the piece as a graph ---- */

/* The open sizes of A, by identity, as those of a piece. */
struct sizes {
    uint32_t from[MOST_INPUTS], to[MOST_INPUTS];
    int n;
};

static bool size_in_piece(struct sizes *s, inlay_graph *piece, inlay_dim *dim)
{
    int i = 0;

    if (!dim->id)
        return true;
    while (i < s->n && s->from[i] != dim->id)
        i++;
    if (i == MOST_INPUTS)
        return false;
    if (i == s->n) {
        s->from[s->n] = dim->id;
        s->to[s->n++] = piece->next_dim_id++;
    }
    dim->id = s->to[i];
    return true;
}

static bool build_input(const struct entry *e, inlay_graph *piece, struct sizes *sizes, int i,
                        inlay_diags *d)
{
    const inlay_fact *f = e->value ? &e->value->fact : NULL;
    const int rank = f ? f->rank : e->constant->rank;
    inlay_shape shape;
    char name[24];

    inlay_shape_of_rank(&shape, rank < 0 ? 0 : rank);
    shape.rank = rank;
    for (int k = 0; k < rank; k++) {
        shape.dim[k] = f ? f->dims[k] : inlay_dim_of(e->constant->dims[k]);
        if (!size_in_piece(sizes, piece, &shape.dim[k]))
            return false;
    }
    snprintf(name, sizeof name, "p%d", i);
    return inlay_build_parameter(piece, name, f ? f->type : e->constant->type, &shape, d) != NULL;
}

/* A name and notes of the model would make pieces differ that are alike. */
static bool make_plain(inlay_node *n, size_t number, inlay_diags *d)
{
    bool ok = true;
    char name[24];

    snprintf(name, sizeof name, "n%zu", number);
    n->label = NULL;
    n->rt_info = n->extra = NULL;
    for (int i = 0; ok && i < n->n_out; i++) {
        n->out[i].rt_info = NULL;
        ok = inlay_value_set_names(&n->out[i], NULL, 0, d);
    }
    return ok && inlay_node_rename(n, name, d);
}

static bool copy_node(const struct pieces *p, struct side *s, size_t number)
{
    const inlay_node *n = s->nodes[number];
    inlay_value **in = inlay_take(inlay_graph_budget(s->g), (size_t)n->n_in + 1, sizeof *in);
    inlay_node *copy = NULL;

    for (int k = 0; in && k < n->n_in; k++) {
        const inlay_value *v = n->in[k].value;

        if (v && ends_at(p, s, v))
            in[k] = &s->piece->params[input_of(p, s, v)]->out[0];
        else if (v)
            in[k] = &s->copy[v->node->id]->out[v->index];
    }
    if (in)
        copy = inlay_node_clone(s->piece, n, in, p->refused);
    s->copy[n->id] = copy;
    inlay_give(in);
    return copy && make_plain(copy, number, p->refused);
}

/* Makes the graph of the piece that computes V; false: there is none. */
static bool build(const struct pieces *p, struct side *s, const inlay_value *v)
{
    struct sizes sizes = {.n = 0};
    bool ok;

    s->piece = inlay_graph_new_in(inlay_graph_budget(s->g), s->g->ops, "piece", p->refused);
    ok = s->piece != NULL;
    for (int i = 0; ok && i < p->n_inputs; i++)
        ok = build_input(&p->inputs[i], s->piece, &sizes, i, p->refused);
    for (size_t i = 0; ok && i < s->n; i++)
        ok = copy_node(p, s, i);
    return ok &&
           inlay_build_result(s->piece, "r", &s->copy[v->node->id]->out[v->index], p->refused) &&
           inlay_infer_graph(s->piece, p->refused);
}

/* ---- decisions ---- */

static bool ask(struct pieces *p, bool *proven)
{
    p->out->proofs++;
    return p->o->prove(p->o->ctx, p->end, p->a.piece, p->b.piece, proven, p->d);
}

/* The structure of both graphs of the piece; NULL: out of memory. */
static char *text_of(const struct pieces *p)
{
    inlay_strbuf text = {0};
    inlay_sink to = {inlay_strbuf_sink, &text};
    char *copy = NULL;

    if (inlay_print(p->a.piece, true, &to, p->d) && inlay_print(p->b.piece, true, &to, p->d) &&
        !text.failed)
        copy = inlay_take(inlay_graph_budget(p->a.g), text.n + 1, 1);
    if (copy)
        memcpy(copy, text.bytes, text.n);
    inlay_strbuf_free(&text);
    return copy;
}

static bool remember(struct pieces *p, char *text, bool proven)
{
    inlay_budget *table_budget = inlay_graph_budget(p->a.g);
    struct decided *e = inlay_take(table_budget, 1, sizeof *e);
    bool table_oom = false;

    if (e) {
        *e = (struct decided){.text = text, .proven = proven};
        HASH_ADD_KEYPTR(hh, p->table, e->text, strlen(e->text), e);
    }
    if (!e || table_oom) {
        inlay_give(e);
        inlay_give(text);
        return inlay_fail_memory(p->d);
    }
    return true;
}

/* Decides the piece, unless its structure was decided before. */
static bool decide_once(struct pieces *p, bool *proven)
{
    char *text = text_of(p);
    struct decided *e = NULL;

    if (!text)
        return inlay_fail_memory(p->d);
    HASH_FIND(hh, p->table, text, strlen(text), e);
    if (e) {
        *proven = e->proven;
        inlay_give(text);
        return true;
    }
    if (!ask(p, proven)) {
        inlay_give(text);
        return false;
    }
    return remember(p, text, *proven);
}

static bool decide(struct pieces *p, bool *proven)
{
    if (!inlay_graph_compare(p->a.piece, p->b.piece, proven, NULL, 0, p->d))
        return false;
    if (*proven)
        return true;
    return p->contents ? ask(p, proven) : decide_once(p, proven);
}

static bool try_piece(struct pieces *p, const inlay_value *a, const inlay_value *b, bool *proven)
{
    bool ok = true;

    p->now++;
    p->end = a;
    p->n_inputs = 0;
    p->large = false;
    if (collect(p, &p->a, a) && collect(p, &p->b, b) && add_inputs(p, &p->a) &&
        add_inputs(p, &p->b)) {
        if (build(p, &p->a, a) && build(p, &p->b, b))
            ok = decide(p, proven);
        inlay_graph_free(p->a.piece);
        inlay_graph_free(p->b.piece);
        p->a.piece = p->b.piece = NULL;
    }
    return symbolic_refused(p->refused, p->d) && ok;
}

/* Values of other kinds have a name in common by chance. */
static bool same_kind(const inlay_value *a, const inlay_value *b)
{
    return a->fact.type == b->fact.type && a->fact.rank == b->fact.rank;
}

/* Is B, a value of the second graph, equal to A? If this is not proven of all constants, then
 * perhaps of those that the graphs have. */
static bool prove_pair(struct pieces *p, const inlay_value *a, const inlay_value *b, bool *proven)
{
    bool ok;

    *proven = same_kind(a, b) && a->fact.type != INLAY_DYNAMIC && *same_as(&p->b, b) == a;
    if (*proven || !same_kind(a, b))
        return true;
    p->contents = false;
    ok = try_piece(p, a, b, proven);
    if (ok && !*proven && p->large) {
        p->contents = true;
        ok = try_piece(p, a, b, proven);
        p->contents = false;
    }
    return ok;
}

/* A list of sizes or an index is computed again in each piece: as an input nothing were known of
 * it, and the sizes of what it makes neither. */
static bool may_cut(const inlay_value *v)
{
    return v->fact.type != INLAY_DYNAMIC &&
           (inlay_type_is_float(v->fact.type) || v->fact.type == INLAY_BOOLEAN || v->fact.rank > 1);
}

/* Says which pair is the first of which it is not proven that it is equal. */
static void tell_unproven(struct pieces *p, const inlay_value *a, const inlay_value *b)
{
    char op[160], other[160];

    p->out->unproven++;
    if (*p->out->why)
        return;
    snprintf(p->out->why, sizeof p->out->why,
             "the first piece that is not proven ends with \"%.80s\" (%.60s) in the first graph, "
             "\"%.80s\" (%.60s) in the second",
             a->node->name, inlay_op_text(a->node->op, op, sizeof op), b->node->name,
             inlay_op_text(b->node->op, other, sizeof other));
}

static bool cut_at(struct pieces *p, const inlay_value *a, const inlay_value *b)
{
    bool proven;

    if (!may_cut(a) || !same_kind(a, b) || *same_as(&p->b, b) || is_constant(b))
        return true;
    if (!prove_pair(p, a, b, &proven))
        return false;
    if (!proven)
        tell_unproven(p, a, b);
    else {
        p->out->pieces++;
        *same_as(&p->a, a) = *same_as(&p->b, b) = a;
    }
    return true;
}

static bool prove_outputs(struct pieces *p, const verify_pairs *pairs)
{
    bool proven = true;

    for (int i = 0; proven && i < p->a.g->n_results; i++) {
        const inlay_value *a = inlay_node_input(p->a.g->results[i], 0);
        const inlay_value *b = inlay_node_input(p->b.g->results[pairs->outputs[i]], 0);

        if (!prove_pair(p, a, b, &proven))
            return false;
        p->out->pieces += proven && *same_as(&p->b, b) != a;
        if (!proven)
            tell_unproven(p, a, b);
    }
    p->out->proven = proven;
    return true;
}

static bool run(struct pieces *p, const verify_pairs *pairs)
{
    bool ok = begin_side(&p->a, p->d) && begin_side(&p->b, p->d);

    for (int i = 0; ok && i < p->a.g->n_params; i++) {
        const inlay_value *v = &p->a.g->params[i]->out[0];

        *same_as(&p->a, v) = *same_as(&p->b, &p->b.g->params[pairs->inputs[i]]->out[0]) = v;
    }
    for (size_t i = 0; ok && i < p->o->n_pairs; i++)
        ok = cut_at(p, p->o->pairs[i].a, p->o->pairs[i].b);
    return ok && prove_outputs(p, pairs);
}

static void free_table(struct decided *table)
{
    struct decided *e, *next;

    HASH_ITER(hh, table, e, next)
    {
        HASH_DEL(table, e);
        inlay_give(e->text);
        inlay_give(e);
    }
}

static bool compare(const inlay_graph *a, const inlay_graph *b, const verify_pairs *pairs,
                    const inlay_pieces_options *o, inlay_pieces_result *out, inlay_diags *d)
{
    struct pieces *p = inlay_take(inlay_graph_budget(a), 1, sizeof *p);
    bool ok;

    if (!p)
        return inlay_fail_memory(d);
    *p = (struct pieces){.a.g = a, .b.g = b, .o = o, .out = out, .d = d};
    p->refused = inlay_diags_new();
    ok = p->refused ? run(p, pairs) : inlay_fail_memory(d);
    free_table(p->table);
    free_side(&p->a);
    free_side(&p->b);
    inlay_diags_free(p->refused);
    inlay_give(p);
    return ok;
}

bool inlay_symbolic_pieces(const inlay_graph *a, const inlay_graph *b,
                           const inlay_pieces_options *o, inlay_pieces_result *out, inlay_diags *d)
{
    verify_pairs pairs;
    inlay_verify_result paired = {0};
    bool ok;

    *out = (inlay_pieces_result){.proven = false};
    if (!inlay_graph_is_whole(a, d) || !inlay_graph_is_whole(b, d) ||
        inlay_is_missing(o, "list of options", d))
        return false;
    ok = verify_pair_up(a, b, &pairs, &paired, d);
    if (ok && paired.verdict == INLAY_NOT_SAME)
        snprintf(out->why, sizeof out->why, "%.390s", paired.why);
    else if (ok && (a->n_variables > 0 || b->n_variables > 0))
        snprintf(out->why, sizeof out->why, "graphs with variables have no pieces");
    else if (ok && !symbolic_same_inputs(a, b, &pairs))
        snprintf(out->why, sizeof out->why, "the inputs of the two graphs take other sizes");
    else if (ok)
        ok = compare(a, b, &pairs, o, out, d);
    verify_pairs_free(&pairs);
    return ok;
}
