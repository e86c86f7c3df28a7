/* An index of a port map by inner number, made in one walk: a body may have as many ports as its
 * graph has nodes, and each Parameter or Result needs its own. */
#include "ir/shared.h"
#include "passes/control/control.h"

#include <stdlib.h>

static int *fill(int *list, int n)
{
    for (int i = 0; i < n; i++)
        list[i] = -1;
    return list + n;
}

void control_ports_go_back(struct control_ports *p)
{
    const inlay_body *b = p->body;

    for (int i = 0; i < b->graph->n_params; i++)
        p->carried[i] = false;
    for (int i = 0; i < b->n_back; i++)
        p->carried[b->back[i].to] = true;
}

static void index_ports(struct control_ports *p)
{
    const inlay_body *b = p->body;

    for (int i = b->n_in; i-- > 0;)
        p->entry[b->in[i].inner] = i;
    for (int i = b->n_out; i-- > 0;) {
        p->next[i] = p->leaving[b->out[i].inner];
        p->leaving[b->out[i].inner] = i;
    }
    for (int i = 0; i < b->graph->n_params; i++)
        p->param[b->graph->params[i]->id] = i;
    control_ports_go_back(p);
}

bool control_ports_make(struct control_ports *p, const inlay_body *b, inlay_diags *d)
{
    const inlay_graph *g = b->graph;
    size_t n = (size_t)g->n_params + (size_t)g->n_results + (size_t)b->n_out + g->next_id;

    inlay_count_steps(g, n + (size_t)b->n_in + (size_t)b->n_back);
    *p = (struct control_ports){
        .body = b,
        .entry = inlay_take_raw(inlay_graph_budget(g), (n + 1) * sizeof(int)),
        .carried = inlay_take(inlay_graph_budget(g), (size_t)g->n_params + 1, sizeof(bool))};
    if (!p->entry || !p->carried) {
        control_ports_free(p);
        return inlay_fail_memory(d);
    }
    p->leaving = fill(p->entry, g->n_params);
    p->next = fill(p->leaving, g->n_results);
    p->param = fill(p->next, b->n_out);
    fill(p->param, (int)g->next_id);
    index_ports(p);
    return true;
}

inlay_value *control_entering(const struct control_ports *p, const inlay_node *n, int param)
{
    int port = p->entry[param];
    inlay_value *v;

    if (port < 0 || !inlay_port_is_plain(&p->body->in[port]) || p->carried[param])
        return NULL;
    v = inlay_node_input(n, p->body->in[port].outer);
    return v && control_admits(p->body->graph->params[param], &v->fact) ? v : NULL;
}

bool control_add_port(inlay_body *b, const inlay_port *port, inlay_diags *d)
{
    inlay_port *in = inlay_arena_array(b->graph->arena, (size_t)b->n_in + 1, sizeof *in);

    if (!in)
        return inlay_fail_memory(d);
    for (int i = 0; i < b->n_in; i++)
        in[i] = b->in[i];
    in[b->n_in++] = *port;
    b->in = in;
    return true;
}

void control_ports_free(struct control_ports *p)
{
    inlay_give(p->entry);
    inlay_give(p->carried);
    *p = (struct control_ports){0};
}
