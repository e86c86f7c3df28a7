/* Compares the types and shapes of the ports in a file with inference. */
#include "parser/openvino/read.h"

/* True when the port and the inferred fact cannot both be right. A port without dims is a scalar or
 * of unknown rank, so that only its type can contradict (3.3). */
static bool contradicts(const ov_port *p, const inlay_fact *f)
{
    if (p->type != INLAY_DYNAMIC && f->type != INLAY_DYNAMIC && p->type != f->type)
        return true;
    if (p->n_dims == 0 || f->rank < 0)
        return false;
    if (p->n_dims != f->rank)
        return true;
    for (int i = 0; i < p->n_dims; i++) {
        if (p->dims[i] >= 0 && (p->dims[i] < f->dims[i].lo || p->dims[i] > f->dims[i].hi))
            return true;
    }
    return false;
}

static void warn_port(const ov_reader *r, const ov_layer *l, int i, const ov_port *p)
{
    const inlay_fact *f = &l->made.node->out[i].fact;
    inlay_dim dims[INLAY_MAX_RANK];
    char ours[400], theirs[400];

    for (int k = 0; k < p->n_dims; k++)
        dims[k] = p->dims[k] < 0 ? inlay_dim_any() : inlay_dim_of(p->dims[k]);
    inlay_shape_text(f->rank, f->dims, ours, sizeof ours);
    inlay_shape_text(p->n_dims, dims, theirs, sizeof theirs);
    inlay_warn_node(r->a.d, l->made.node, "output %d is %s %s, the file says %s %s", i,
                    inlay_type_info_of(f->type)->name, ours, inlay_type_info_of(p->type)->name,
                    theirs);
}

/* Whether the fact knows a size that the port leaves open. */
static bool knows_more(const ov_port *p, const inlay_fact *f)
{
    for (int i = 0; i < p->n_dims && i < f->rank; i++) {
        if (p->dims[i] < 0 && inlay_dim_is_static(f->dims[i]))
            return true;
    }
    return false;
}

bool ov_ports_agree(const ov_layer *l, bool open)
{
    const inlay_node *n = l->made.node;
    int i = 0;

    for (const ov_port *p = l->out.first; p && i < n->n_out; p = p->next, i++) {
        if (contradicts(p, &n->out[i].fact) || (open && knows_more(p, &n->out[i].fact)))
            return false;
    }
    for (int role = 0; l->bodies && n->n_bodies > 0 && role < OV_N_ROLES; role++) {
        const ov_net *body = l->bodies[role].net;

        for (const ov_layer *b = body ? body->first : NULL; b; b = b->next) {
            if (b->made.node && !ov_ports_agree(b, open))
                return false;
        }
    }
    return true;
}

void ov_compare_ports(const ov_reader *r, const ov_layer *l)
{
    int i = 0;

    for (const ov_port *p = l->out.first; p && i < l->made.node->n_out; p = p->next, i++) {
        if (contradicts(p, &l->made.node->out[i].fact))
            warn_port(r, l, i, p);
    }
    for (int role = 0; l->bodies && role < OV_N_ROLES; role++) {
        const ov_net *body = l->made.node->n_bodies > 0 ? l->bodies[role].net : NULL;

        for (const ov_layer *b = body ? body->first : NULL; b; b = b->next) {
            if (b->made.node)
                ov_compare_ports(r, b);
        }
    }
}
