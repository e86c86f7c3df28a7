/* Deferred nodes: facts about the outputs of nodes that are not expanded yet. There is no second
 * table of shape rules for them. The nodes are made in a graph of their own, with operands of the
 * same facts; if the rank of an operand is needed, once for each possible rank. What all results
 * have in common is known. So the output of an LSTM has three axes, whatever its operands are. */
#include "ir/graph/deferred.h"
#include "ir/build.h"
#include "ir/graph/memory.h"
#include "ir/infer/border.h"
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"
#include "ir/tensor/storage.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MAX_TRIALS = 200, /* graphs made for one node */
    MAX_NESTED = 2    /* ranks that are tried at the same time */
};

typedef struct trial {
    inlay_infer *cx;
    inlay_fact *in; /* facts of the operands in this trial */
    inlay_fact *out;
    int n_made;       /* how often the nodes could be made */
    int left;         /* graphs that may still be made */
    bool types;       /* only types are wanted: one trial stands for all */
    bool refused;     /* the operands are invalid, whatever is not known */
    bool broke;       /* there was no memory for a trial, which so says nothing */
    inlay_diags *own; /* for the errors of trials that nobody hears of */
} trial;

/* Joins the fact F of output O from one trial with those from others, in identities of the graph
 * around. */
static void join(trial *t, int o, const inlay_fact *f, uint32_t first_new)
{
    inlay_fact *out = &t->out[o];
    inlay_shape s = {.rank = t->types ? -1 : f->rank}, had = {.rank = out->rank};
    inlay_type type = f->type;

    for (int i = 0; i < s.rank; i++) {
        s.dim[i] = f->dims[i];
        s.dim[i].id = s.dim[i].id >= first_new ? 0 : s.dim[i].id;
    }
    if (t->n_made > 0) {
        for (int i = 0; i < had.rank; i++)
            had.dim[i] = out->dims[i];
        border_join(&s, &had);
        type = type == out->type ? type : INLAY_DYNAMIC;
    }
    inlay_infer_set_out(t->cx, o, type, &s);
}

/* Operand I of the trial T as a value of G. */
static inlay_value *operand(const trial *t, inlay_graph *g, int i)
{
    const inlay_fact *f = &t->in[i];
    inlay_shape s = {.rank = f->rank};
    inlay_value *v;

    if (f->content)
        return inlay_build_const(g, NULL, f->content, NULL);
    for (int k = 0; k < s.rank; k++)
        s.dim[k] = f->dims[k];
    v = inlay_build_parameter(g, NULL, f->type, &s, NULL);
    if (v && f->known) {
        v->fact.known = f->known;
        v->fact.n_known = f->n_known;
    }
    return v;
}

/* Makes the nodes of the operands of T in G, and joins what is known of the outputs. */
static bool make_in(trial *t, inlay_graph *g, inlay_asked *asked, inlay_diags *d)
{
    inlay_infer *cx = t->cx;
    inlay_value **in = inlay_arena_array(cx->arena, (size_t)cx->n_in + 1, sizeof(inlay_value *));
    inlay_value **out = inlay_arena_array(cx->arena, (size_t)cx->n_out + 1, sizeof(inlay_value *));
    uint32_t first_new = cx->next_id ? *cx->next_id : 1;
    bool ok = in && out;

    g->next_dim_id = first_new;
    g->file = cx->node->graph->file;
    for (int i = 0; ok && i < cx->n_in; i++)
        ok = !cx->in[i] || (in[i] = operand(t, g, i));
    if (!ok)
        return inlay_fail_memory(d);
    if (!inlay_node_expand(cx->node, g, in, out, asked, d))
        return false;
    for (int i = 0; i < cx->n_out; i++) {
        static const inlay_fact none = {.type = INLAY_DYNAMIC, .rank = -1};

        join(t, i, out[i] ? &out[i]->fact : &none, first_new);
    }
    t->n_made++;
    return true;
}

static bool make(trial *t, inlay_asked *asked, inlay_diags *d)
{
    inlay_diags *said = d ? d : t->own;
    inlay_graph *g = t->left-- > 0 ? inlay_graph_new_like(t->cx->node->graph, said) : NULL;
    bool ok = g && make_in(t, g, asked, said);

    t->broke |= !ok && inlay_diags_status(said) == INLAY_NO_RESOURCE;
    if (said == t->own)
        inlay_diags_clear(said);
    if (!g)
        *asked = (inlay_asked){.what = INLAY_ASKS_TYPE, .input = -1, .rank = -1};
    inlay_graph_free(g);
    return ok;
}

/* Nothing is known any more that another rank could contradict. */
static bool is_exhausted(const trial *t)
{
    for (int i = 0; i < t->cx->n_out; i++) {
        if (t->out[i].rank >= 0)
            return false;
    }
    return t->n_made > 1;
}

static void try(trial *t, int depth, inlay_diags *d);

static void try_ranks(trial *t, int input, int depth)
{
    inlay_fact was = t->in[input];
    inlay_dim dims[INLAY_MAX_RANK];

    for (int i = 0; i < INLAY_MAX_RANK; i++)
        dims[i] = inlay_dim_any();
    for (int rank = 0; rank <= INLAY_MAX_RANK && !is_exhausted(t); rank++) {
        t->in[input] = (inlay_fact){.type = was.type, .rank = rank, .dims = dims};
        try(t, depth + 1, NULL);
    }
    t->in[input] = was;
}

/* A tensor that operand INPUT may be, all of whose elements are X. */
static inlay_tensor *some_tensor(trial *t, int input, int64_t x)
{
    const inlay_fact *f = &t->in[input];
    int64_t dims[INLAY_MAX_RANK] = {1}, count;
    int rank = f->rank < 0 ? 1 : f->rank;
    inlay_tensor *made;

    for (int i = 0; i < f->rank; i++)
        dims[i] = inlay_dim_is_static(f->dims[i]) ? f->dims[i].lo : inlay_dim_clamp(f->dims[i], 1);
    if (!inlay_count_elements(rank, dims, &count) || count > INLAY_MAX_KNOWN ||
        !(inlay_type_is_int(f->type) || f->type == INLAY_BOOLEAN || inlay_type_is_float(f->type)))
        return NULL;
    made = inlay_tensor_new(f->type, rank, dims);
    t->broke |= !made;
    if (!made)
        return NULL;
    for (int64_t i = 0; i < count; i++)
        inlay_tensor_set_i64(made, i, x);
    return made;
}

/* The types of outputs do not depend on elements or sizes, so any will do to find them. */
static void try_types(trial *t, const inlay_asked *asked, int depth)
{
    inlay_fact was = t->in[asked->input];
    bool types = t->types;
    int made = t->n_made;

    t->types = true;
    for (int64_t x = 0; x < 3 && t->n_made == made; x++) {
        inlay_tensor *some = some_tensor(t, asked->input, x);

        if (!some)
            break;
        t->in[asked->input].content = some;
        try(t, depth + 1, NULL);
        t->in[asked->input] = was;
        inlay_tensor_release(some);
    }
    t->types = types;
}

static void try_sizes(trial *t, const inlay_asked *asked, int depth)
{
    inlay_fact was = t->in[asked->input];
    inlay_dim dims[INLAY_MAX_RANK];
    bool types = t->types;
    int made = t->n_made;

    for (int i = 0; i < was.rank; i++)
        dims[i] = was.dims[i];
    t->types = true;
    t->in[asked->input].dims = dims;
    for (int64_t size = 1; size <= 16 && t->n_made == made; size *= 2) {
        dims[asked->axis] = inlay_dim_of(inlay_dim_clamp(was.dims[asked->axis], size));
        try(t, depth + 1, NULL);
    }
    t->in[asked->input] = was;
    t->types = types;
}

/* What the nodes ask for cannot be tried: only what holds in any case is known. */
static void give_up(trial *t, const inlay_asked *asked)
{
    inlay_dim dims[INLAY_MAX_RANK];
    inlay_fact known = {.type = asked->type, .rank = asked->rank, .dims = dims};
    static const inlay_fact none = {.type = INLAY_DYNAMIC, .rank = -1};

    for (int i = 0; i < INLAY_MAX_RANK; i++)
        dims[i] = inlay_dim_any();
    for (int i = 0; i < t->cx->n_out; i++)
        join(t, i, i == 0 ? &known : &none, 1);
    t->n_made++;
}

/* Makes the nodes, or tries the values that they ask for. D, unless NULL, receives errors. */
static void try(trial *t, int depth, inlay_diags *d)
{
    inlay_asked asked;
    int made = t->n_made;
    const inlay_fact *f;

    if (t->broke || make(t, &asked, d) || t->broke)
        return;
    if (asked.what == INLAY_ASKS_NOTHING) {
        t->refused = depth == 0;
        return;
    }
    f = asked.input >= 0 ? &t->in[asked.input] : NULL;
    if (f && depth < MAX_NESTED && asked.what == INLAY_ASKS_RANK && f->rank < 0)
        try_ranks(t, asked.input, depth);
    else if (f && depth <= MAX_NESTED && asked.what == INLAY_ASKS_ELEMENTS && asked.rank < 0)
        try_types(t, &asked, depth);
    else if (f && depth <= MAX_NESTED && asked.what == INLAY_ASKS_SIZE && asked.rank < 0 &&
             asked.axis < f->rank)
        try_sizes(t, &asked, depth);
    if (t->n_made == made && asked.what != INLAY_ASKS_RANK)
        give_up(t, &asked);
}

bool infer_deferred(inlay_infer *cx)
{
    trial t = {.cx = cx, .out = cx->out, .left = MAX_TRIALS};

    t.in = inlay_arena_array(cx->arena, (size_t)cx->n_in + 1, sizeof *t.in);
    if (!t.in)
        return inlay_fail_memory(cx->diags);
    for (int i = 0; i < cx->n_in; i++)
        t.in[i] = cx->in[i] ? *cx->in[i] : (inlay_fact){.type = INLAY_DYNAMIC, .rank = -1};
    t.own = inlay_diags_new();
    if (!t.own)
        return inlay_fail_memory(cx->diags);
    if (inlay_graph_can_expand(cx->node->graph))
        try(&t, 0, cx->diags);
    inlay_diags_free(t.own);
    if (t.broke)
        return inlay_fail_memory(cx->diags);
    if (t.refused)
        return false;
    for (int i = 0; t.n_made == 0 && i < cx->n_out; i++) {
        if (!set_out_unknown(cx, i, INLAY_DYNAMIC))
            return false;
    }
    return true;
}

/* What N waits for, in words */

/* Finds out what N asks for, given what is known of its operands. */
static bool find_asked(const inlay_node *n, inlay_asked *asked)
{
    inlay_arena *arena = inlay_arena_of(inlay_node_budget(n));
    inlay_fact *in = inlay_arena_array(arena, (size_t)n->n_in + 1, sizeof *in);
    const inlay_fact **there = inlay_arena_array(arena, (size_t)n->n_in + 1, sizeof *there);
    inlay_fact *out = inlay_arena_array(arena, (size_t)n->n_out + 1, sizeof *out);
    inlay_infer cx = {n, there, n->n_in, out, n->n_out, arena, NULL, NULL};
    trial t = {.cx = &cx, .in = in, .out = out, .left = 1};
    bool asks = arena && in && there && out;

    for (int i = 0; asks && i < n->n_in; i++) {
        there[i] = n->in[i].value ? &n->in[i].value->fact : NULL;
        in[i] = there[i] ? *there[i] : (inlay_fact){.type = INLAY_DYNAMIC, .rank = -1};
    }
    asks = asks && !make(&t, asked, NULL) && asked->what != INLAY_ASKS_NOTHING;
    inlay_arena_free(arena);
    return asks;
}

static bool is_open(const inlay_fact *f)
{
    int64_t dims[INLAY_MAX_RANK];

    return f->rank < 0 || !inlay_fact_dims(f, dims);
}

/* Lists a few inputs of the graph with open shapes from which N is computed, as "x=..., y=...". */
static void list_open(const inlay_node *n, char *buf, size_t size)
{
    const inlay_graph *g = n->graph;
    bool *seen = inlay_take(inlay_graph_budget(g), (size_t)g->next_id + 1, sizeof *seen);
    size_t at = 0;

    buf[0] = '\0';
    if (seen)
        seen[n->id] = true;
    /* An operand comes before its user in the order of ids; otherwise it is found in the next
     * round. Three rounds are enough for a message. */
    for (int round = 0; seen && round < 3; round++) {
        for (const inlay_node *k = g->last; k; k = k->prev) {
            for (int i = 0; seen[k->id] && i < k->n_in; i++) {
                if (k->in[i].value)
                    seen[k->in[i].value->node->id] = true;
            }
        }
    }
    for (int i = 0; seen && i < g->n_params && at < size; i++) {
        const inlay_node *p = g->params[i];

        if (seen[p->id] && is_open(&p->out[0].fact))
            at += (size_t)snprintf(buf + at, size - at, "%s%.80s=...", at ? ", " : "", p->name);
    }
    inlay_give(seen);
}

const char *inlay_deferred_text(const inlay_node *n, char *buf, size_t size)
{
    static const char *const words[] = {[INLAY_ASKS_NOTHING] = "something",
                                        [INLAY_ASKS_RANK] = "the number of axes",
                                        [INLAY_ASKS_SIZE] = "a size",
                                        [INLAY_ASKS_ELEMENTS] = "the elements",
                                        [INLAY_ASKS_TYPE] = "the type"};
    const inlay_value *of = NULL;
    const inlay_node *outer = n;
    char inputs[300];
    inlay_asked asked = {.input = -1};

    if (find_asked(n, &asked) && asked.input >= 0)
        of = n->in[asked.input].value;
    while (outer->graph->owner)
        outer = outer->graph->owner;
    list_open(outer, inputs, sizeof inputs);
    snprintf(buf, size, "%s of %s%.100s%s is not known before the run%s%s", words[asked.what],
             of ? "\"" : "an operand", of ? of->n_names ? of->names[0] : of->node->name : "",
             of ? "\"" : "", *inputs ? "; say --shape " : "", inputs);
    return buf;
}
