/* Instances of rules. See prove_instance.h. */
#include "prove_instance.h"
#include "unit.h"

#include "interp/interp.h"

enum { ENTRIES = 48, RANK = 3 };

static inlay_tensor *make_input(struct instance *x, int at)
{
    const inlay_fact *fact = &x->m->graph->params[at]->out[0].fact;
    int64_t dims[INLAY_MAX_RANK] = {1};
    inlay_tensor *t;

    for (int i = 0; i < fact->rank; i++) {
        inlay_dim d = fact->dims[i];

        dims[i] = check_draw(x->m, d.lo, d.hi == INLAY_DIM_MAX ? d.lo + RANK : d.hi);
    }
    t = inlay_tensor_new(fact->type, fact->rank < 0 ? 1 : fact->rank, dims);
    assert_non_null(t);
    for (int64_t k = 0; k < inlay_tensor_count(t); k++)
        inlay_tensor_set_i64(t, k,
                             fact->type == INLAY_F32 ? 1 + 97 * at + k : check_draw(x->m, 0, 1));
    /* Lists that are not constants say nothing of the case. */
    x->known = x->known && fact->rank >= 0 && fact->rank <= RANK &&
               (fact->type == INLAY_F32 || fact->type == INLAY_BOOLEAN);
    return t;
}

/* What the value V of the graph is; NULL: it is made by a node. */
const inlay_tensor *instance_content(const struct instance *x, const inlay_value *v)
{
    if (v->fact.content)
        return v->fact.content;
    for (int i = 0; i < x->m->graph->n_params; i++) {
        if (&x->m->graph->params[i]->out[0] == v)
            return x->in[i];
    }
    for (int i = 0; i < x->n_made; i++) {
        if (x->made[i] == v)
            return x->out[x->n_out + i];
    }
    return NULL;
}

const inlay_value *instance_operand(const struct instance *x, int i)
{
    return x->m->nodes[x->m->rule->root]->in[i].value;
}

/* What nodes make of which the operation is given is shown, so that its elements are known. */
static void show_made(struct instance *x, inlay_diags *d)
{
    const inlay_node *root = x->m->nodes[x->m->rule->root];

    for (int i = 0; i < root->n_in && x->n_made < PROVE_LIST; i++) {
        inlay_value *v = root->in[i].value;

        if (!v || instance_content(x, v) || inlay_node_is(v->node, INLAY_OP_CONST))
            continue;
        assert_true(inlay_build_result(x->m->graph, NULL, v, d));
        x->made[x->n_made++] = v;
    }
}

/* Where the operation fails, what a Concat makes along axis 0 is put together here. */
static void join_made(struct instance *x)
{
    for (int i = 0; i < x->n_made; i++) {
        const inlay_node *n = x->made[i]->node;
        int64_t dims[INLAY_MAX_RANK], at = 0;
        inlay_tensor *t;

        if (strcmp(n->op->name, "Concat") != 0)
            continue;
        for (int k = 0; k < x->made[i]->fact.rank; k++)
            dims[k] = x->made[i]->fact.dims[k].lo;
        t = inlay_tensor_new(INLAY_I64, x->made[i]->fact.rank, dims);
        assert_non_null(t);
        for (int part = 0; part < n->n_in; part++) {
            const inlay_tensor *from = instance_content(x, n->in[part].value);

            for (int64_t k = 0; k < inlay_tensor_count(from); k++)
                inlay_tensor_set_i64(t, at++, inlay_tensor_get_i64(from, k));
        }
        x->out[x->n_out + i] = t;
    }
}

static void run(struct instance *x, inlay_diags *d)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    const char *type = x->m->nodes[x->m->rule->root]->op->name;

    for (int i = 0; i < x->m->graph->n_params; i++)
        x->in[i] = make_input(x, i);
    x->n_out = x->m->nodes[x->m->rule->root]->n_out;
    assert_int_equal(x->m->graph->n_results, x->n_out);
    show_made(x, d);
    inlay_diags_clear(d);
    x->ran = reference.eval_graph(reference.ctx, x->m->graph, (const inlay_tensor *const *)x->in,
                                  x->out, NULL, d);
    /* What a Reshape refuses, its own list of sizes says, which a case does not look at. A Squeeze
     * that keeps an axis which the shape rules took for gone breaks no rule of the row. */
    x->known =
        x->known && (x->ran || (strcmp(type, "Squeeze") != 0 && strcmp(type, "Reshape") != 0));
    if (!x->ran)
        join_made(x);
    if (!x->ran && getenv("INLAY_SEED"))
        print_message("%s\n", inlay_diags_at(d, 0)->text);
}

static void draw_indices(check_maker *m, check_name *out, int rank, int64_t columns)
{
    int64_t dims[] = {check_draw(m, 0, 3), columns}, x[3 * 3];

    for (int i = 0; i < 3 * 3; i++)
        x[i] = check_draw(m, -2, 2);
    *out =
        (check_name){.bound = true,
                     .value = inlay_build_ints(m->graph, NULL, INLAY_I64, rank, dims, x, m->diags)};
}

/* What a node in front of the operation joins are indices. The maker of graphs, which makes that
 * node first, would give it data. */
static void draw_joined(check_maker *m, const rule_node *joining)
{
    int rank = (int)check_draw(m, 1, 2);
    int64_t columns = check_draw(m, 1, 3);

    for (int k = 0; k < joining->n_in; k++)
        draw_indices(m, &m->names[joining->in[k].name], rank, columns);
}

bool instance_make(const rule *r, uint64_t seed, struct instance *x)
{
    inlay_diags *d = inlay_diags_new();
    bool made;

    *x = (struct instance){.arena = inlay_arena_new(), .known = true, .seed = seed};
    x->m = inlay_arena_alloc(x->arena, sizeof *x->m);
    *x->m = (check_maker){.rule = r, .random = seed * 0x2545f4914f6cdd1d, .diags = d};
    x->m->rank = (int)check_draw(x->m, 0, RANK);
    x->m->type = INLAY_F32;
    for (int i = 0; i < x->m->rank; i++)
        x->m->dims[i] = check_draw(x->m, check_one_in(x->m, 8) ? 0 : 1, 3);
    x->m->graph = inlay_graph_new("made", d);
    assert_non_null(x->m->graph);
    for (int i = 0; i < r->left.n_nodes; i++) {
        if (i != r->root)
            draw_joined(x->m, &r->left.nodes[i]);
    }
    /* One reader alone: a second one is another output. */
    made = check_make(x->m) && x->m->graph->n_results == x->m->nodes[r->root]->n_out &&
           x->m->graph->n_results <= PROVE_LIST;
    if (made) {
        x->in = inlay_arena_array(x->arena, (size_t)x->m->graph->n_params + 1, sizeof *x->in);
        run(x, d);
    }
    inlay_diags_free(d);
    x->m->diags = NULL;
    return made;
}

void instance_free(struct instance *x)
{
    for (int i = 0; x->in && i < x->m->graph->n_params; i++)
        inlay_tensor_release(x->in[i]);
    for (int i = 0; i < x->n_out + x->n_made; i++)
        inlay_tensor_release(x->out[i]);
    inlay_graph_free(x->m->graph);
    inlay_arena_free(x->arena);
}
