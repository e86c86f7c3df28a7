/* Deferred nodes in runs of the planned executor. When the sizes of its operands are known, and the
 * elements of those that say a shape, such a node is expanded into a graph, which is planned as a
 * program of its own. The session keeps that program for later calls with such operands, in a loop
 * or in later runs.
 *
 *     %y = Deferred(%x) "LSTM"     called on f32[7,1,4]:   a graph for [7,1,4], and its plan
 *                                  on f32[9,1,4]:          another one
 *                                  on f32[7,1,4] again:    the first one
 */
#include "interp/exec/run/deferred.h"
#include "interp/call/made.h"
#include "interp/exec/plan/packed.h"
#include "interp/exec/run/walk.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_MADE = 64, /* programs that a session keeps, */
    MOST_PACKED = 4 /* and of one node, with packed constants of their own */
};

/* An operand for which a graph was made. */
typedef struct form {
    inlay_type type;
    int rank;
    int64_t dims[INLAY_MAX_RANK];
    const inlay_tensor *elements; /* of a constant of the graph; NULL: elements do not matter */
} form;

struct exec_made {
    const inlay_node *node;
    form *forms; /* by operand */
    call_made made;
    exec_plan *plan;
    exec_session *session;
    bool *ours; /* by Parameter: may a run overwrite it? no, as the operand is not its own */
    struct exec_made *next;
};

static void free_made(struct exec_made *m)
{
    if (!m)
        return;
    exec_session_free(m->session);
    exec_plan_free(m->plan);
    call_made_free(&m->made);
    inlay_give(m->forms);
    inlay_give(m->ours);
    inlay_give(m);
}

static void free_list(struct exec_made *list)
{
    while (list) {
        struct exec_made *m = list;

        list = m->next;
        free_made(m);
    }
}

static bool fits(const form *f, const inlay_tensor *t)
{
    if (f->type != t->type || f->rank != t->rank ||
        memcmp(f->dims, t->dims, (size_t)t->rank * sizeof *f->dims) != 0)
        return false;
    return !f->elements || inlay_tensor_equal(f->elements, t);
}

static bool is_for(const struct exec_made *m, const inlay_call *c)
{
    bool is = m->node == c->node;

    for (int i = 0; is && i < c->n_in; i++)
        is = !c->in[i] || fits(&m->forms[i], c->in[i]);
    return is;
}

/* Finds the program that was made for such a call, and moves it to the front of LIST. NULL: none.
 */
static struct exec_made *find(struct exec_made **list, const inlay_call *c)
{
    for (struct exec_made **at = list; *at; at = &(*at)->next) {
        struct exec_made *m = *at;

        if (!is_for(m, c))
            continue;
        *at = m->next;
        m->next = *list;
        *list = m;
        return m;
    }
    return NULL;
}

/* Notes for which operands M was made. The constants are the first nodes of its graph. */
static bool note_forms(struct exec_made *m, const inlay_call *c, const bool *constant)
{
    const inlay_node *first = m->made.graph->first;

    m->forms = inlay_take(inlay_node_budget(first), (size_t)c->n_in + 1, sizeof *m->forms);
    for (int i = 0; m->forms && i < c->n_in; i++) {
        const inlay_tensor *t = c->in[i];
        form *f = &m->forms[i];

        if (!t)
            continue;
        f->type = t->type;
        f->rank = t->rank;
        memcpy(f->dims, t->dims, (size_t)t->rank * sizeof *f->dims);
        f->elements = constant[i] ? inlay_node_attr(first, "value")->as.tensor : NULL;
        first = first->next;
    }
    return m->forms || inlay_fail_memory(c->diags);
}

/* Chooses the kernels for M, which packs its constants unless other programs of its node have done
 * so, or memory is scarce. */
static void choose_kernels(const exec_session *s, const struct exec_made *m)
{
    const exec_settings *set = s->plan->set;
    int n = 0;

    for (const struct exec_made *other = s->made; other; other = other->next)
        n += other->node == m->node;
    exec_plan_kernels(m->plan, set->kernels, set->packs && n < MOST_PACKED);
    if (!meter_may_keep(s->meter, exec_plan_packable_bytes(m->plan)))
        exec_plan_kernels(m->plan, set->kernels, false);
}

static bool plan(struct exec_made *m, const inlay_call *c)
{
    const exec_run *run = exec_run_of(c);
    const exec_session *s = run->session;

    m->plan = exec_plan_new(m->made.steps, c->diags);
    if (!m->plan)
        return false;
    m->plan->set->audit = s->plan->set->audit;
    choose_kernels(s, m);
    m->session = exec_session_new(m->plan, s->meter, s->workers, s->poison);
    m->ours = inlay_take(inlay_node_budget(c->node), (size_t)m->made.graph->n_params + 1,
                         sizeof *m->ours);
    return (m->session && m->ours) || inlay_fail_memory(c->diags);
}

static struct exec_made *make(inlay_call *c)
{
    bool *constant = inlay_call_memory(c, c->n_in, sizeof *constant);
    struct exec_made *m = constant ? inlay_take(inlay_node_budget(c->node), 1, sizeof *m) : NULL;

    if (!m) {
        inlay_fail_memory(c->diags);
        return NULL;
    }
    for (int i = 0; i < c->n_in; i++)
        constant[i] = call_is_constant(c, i);
    m->node = c->node;
    if (call_made_begin(c, constant, &m->made) && note_forms(m, c, constant) && plan(m, c))
        return m;
    free_made(m);
    return NULL;
}

/* Frees the least recently used programs of LIST, at its end. */
static void bound(struct exec_made *list)
{
    int n = 1;

    while (list && n++ < MOST_MADE)
        list = list->next;
    if (list) {
        free_list(list->next);
        list->next = NULL;
    }
}

static bool run_made(inlay_call *c, struct exec_made *m)
{
    run_env env = run_env_of_body(c->run->env);
    const inlay_tensor **in = inlay_call_memory(c, c->n_in, sizeof *in);
    inlay_tensor **bound = inlay_call_memory(c, c->n_out, sizeof(inlay_tensor *));
    int n = 0, n_bound = 0;

    if (!in || !bound)
        return false;
    for (int i = 0; i < c->n_in; i++) {
        if (c->in[i] && !m->forms[i].elements)
            in[n++] = c->in[i];
    }
    for (int i = 0; i < c->n_out; i++) {
        if (m->made.has[i])
            bound[n_bound++] = c->out[i];
    }
    env.bound = bound;
    env.progress = NULL;
    env.n_variables = 0;
    return exec_run_plan(m->plan, m->session, &env, in, m->ours, m->made.out, c->diags) &&
           call_made_give(c, &m->made);
}

bool exec_run_deferred(inlay_call *c)
{
    exec_session *s = exec_run_of(c)->session;
    struct exec_made *m = find(&s->made, c);

    if (m)
        return run_made(c, m);
    m = make(c);
    if (!m)
        return false;
    m->next = s->made;
    s->made = m;
    s->free_made = free_list;
    bound(m);
    return run_made(c, m);
}

uint64_t exec_made_packed_bytes(const exec_session *s)
{
    uint64_t bytes = 0;

    for (const struct exec_made *m = s->made; m; m = m->next)
        bytes += exec_plan_packed_bytes(m->plan) + exec_made_packed_bytes(m->session);
    return bytes;
}
