/* Operations on each element of a result before it is stored: adding a bias, adding another value,
 * clamping.
 *
 *     c = Convolution(x, f)   b = Sum(c, bias)   s = Sum(b, y)   r = Clamp(s)      one call computes r
 */
#include "interp/onednn/make.h"

/* Returns the only node that reads V, if V is not an output of the chain; -1: there is none. */
static int only_reader(const maker *m, int v)
{
    int found = -1;

    if (m->w->values[v].leaves || m->uses[v] != 1)
        return -1;
    for (int i = 0; i < m->w->n_nodes; i++) {
        const module_node *n = &m->w->nodes[i];

        if (!m->done[i] && (n->in[0] == v || n->in[1] == v))
            found = i;
    }
    return found;
}

static float clamped(float x, float low, float high)
{
    x = x < low ? low : x;
    return x > high ? high : x;
}

/* Two consecutive clamps are merged into one. */
static void add_clamp(api_posts *p, float low, float high)
{
    api_post *last = p->n > 0 ? &p->list[p->n - 1] : NULL;

    if (last && !last->sum) {
        last->low = clamped(last->low, low, high);
        last->high = clamped(last->high, low, high);
        return;
    }
    p->list[p->n++] = (api_post){.low = low, .high = high};
}

/* Returns whether V exists already: it has been computed, or is an input. */
static bool is_there(const maker *m, int v)
{
    bool made = false;

    for (int i = 0; i < m->w->n_nodes; i++)
        made = made || m->w->nodes[i].out == v;
    return !made || m->form[v].buffer >= 0;
}

/* Merges node N, which reads the result of P, into P, if possible. */
static bool take_sum(const maker *m, const module_node *n, int axis, make_posts *p)
{
    int other = n->in[0] == p->result ? n->in[1] : n->in[0];

    if (p->posts.n > 0 || other == p->result)
        return false;
    if (n->axis == axis && p->bias < 0 && n->in[0] == p->result) {
        p->bias = n->in[1];
        return true;
    }
    if (n->axis >= 0 || m->w->values[other].constant || !is_there(m, other))
        return false;
    p->other = other;
    p->posts.list[p->posts.n++] = (api_post){.sum = true};
    return true;
}

static bool take(const maker *m, const module_node *n, int axis, make_posts *p)
{
    if (n->kind == MODULE_SUM)
        return take_sum(m, n, axis, p);
    if (n->kind != MODULE_CLAMP || p->posts.n == API_POSTS)
        return false;
    add_clamp(&p->posts, n->low, n->high);
    return true;
}

void posts_find(maker *m, int i, int axis, make_posts *p)
{
    *p = (make_posts){.bias = -1, .other = -1, .result = m->w->nodes[i].out};
    for (int k = only_reader(m, p->result); k >= 0 && take(m, &m->w->nodes[k], axis, p);
         k = only_reader(m, p->result)) {
        m->done[k] = true;
        p->result = m->w->nodes[k].out;
    }
}
