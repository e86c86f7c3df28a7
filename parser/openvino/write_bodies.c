/* Writes port maps and back edges of If, Loop and TensorIterator, with the ids of layers and ports
 * (parser/openvino/README.md 6). */
#include "ir/shared.h"
#include "parser/openvino/write.h"

#include <stdlib.h>
#include <string.h>

bool ov_number_bodies(ov_writer *w, const inlay_node *n, ov_numbering *bodies)
{
    if (n->n_bodies > OV_MAX_BODIES)
        return xml_refuse(&w->x, "a layer with %d bodies cannot be written", n->n_bodies);
    for (int i = 0; i < n->n_bodies; i++) {
        if (n->bodies[i].graph && ov_number(w, n->bodies[i].graph, &bodies[i]))
            continue;
        if (!n->bodies[i].graph)
            xml_refuse(&w->x, "a body is missing");
        while (i-- > 0)
            ov_free_numbering(&bodies[i]);
        return false;
    }
    return true;
}

static void put_int(ov_writer *w, const char *name, int64_t x)
{
    xml_printf(&w->x, " %s=\"%lld\"", name, (long long)x);
}

static void put_entry(ov_writer *w, const char *tag, const inlay_port *p, int64_t external,
                      int64_t internal)
{
    xml_newline(&w->x);
    xml_printf(&w->x, "<%s", tag);
    if (p->has_axis)
        put_int(w, "axis", p->axis);
    put_int(w, "external_port_id", external);
    put_int(w, "internal_layer_id", internal);
    if (p->has_axis) {
        put_int(w, "start", p->start);
        put_int(w, "end", p->end);
        put_int(w, "stride", p->stride);
        put_int(w, "part_size", p->part_size);
    }
    if (p->purpose == INLAY_PORT_ITERATION)
        xml_puts(&w->x, " purpose=\"current_iteration\"");
    else if (p->purpose == INLAY_PORT_CONDITION)
        xml_puts(&w->x, " purpose=\"execution_condition\"");
    xml_puts(&w->x, " />");
}

/* Refuses a body in which one outer input feeds two Parameters: OpenVINO keeps one entry for each
 * external id. */
static bool check_outer_once(ov_writer *w, const inlay_node *n, const inlay_body *b)
{
    bool *seen = inlay_take(inlay_node_budget(n), (size_t)n->n_in + 1, sizeof *seen);

    if (!seen)
        return xml_out_of_memory(&w->x);
    for (int i = 0; i < b->n_in; i++) {
        int outer = b->in[i].outer;

        if (outer >= 0 && seen[outer])
            xml_refuse(&w->x,
                       "input %d feeds two Parameters of a body, which OpenVINO IR cannot say",
                       outer);
        if (outer >= 0)
            seen[outer] = true;
    }
    inlay_give(seen);
    return !w->x.failed;
}

static void put_map(ov_writer *w, const inlay_body *b, int n_in, const ov_numbering *num)
{
    for (int i = 0; i < b->n_in; i++)
        put_entry(w, "input", &b->in[i], b->in[i].outer,
                  ov_layer_id(num, b->graph->params[b->in[i].inner]));
    for (int i = 0; i < b->n_out; i++)
        put_entry(w, "output", &b->out[i], b->out[i].outer < 0 ? -1 : n_in + b->out[i].outer,
                  ov_layer_id(num, b->graph->results[b->out[i].inner]));
}

static void put_back_edges(ov_writer *w, const inlay_body *b, const ov_numbering *num)
{
    if (b->n_back == 0)
        return;
    xml_open(&w->x, "<back_edges>");
    for (int i = 0; i < b->n_back; i++) {
        xml_newline(&w->x);
        xml_puts(&w->x, "<edge");
        put_int(w, "from-layer", ov_layer_id(num, b->graph->results[b->back[i].from]));
        put_int(w, "to-layer", ov_layer_id(num, b->graph->params[b->back[i].to]));
        xml_puts(&w->x, " />");
    }
    xml_close(&w->x, "</back_edges>");
}

/* <port_map> goes with <body>, <then_port_map> with <then_body>, and so on. */
static void put_map_tag(ov_writer *w, const char *open, const char *role)
{
    xml_newline(&w->x);
    xml_printf(&w->x, "<%s%.*sport_map>", open, (int)(strlen(role) - strlen("body")), role);
}

void ov_put_port_maps(ov_writer *w, const inlay_node *n, int n_in, const ov_numbering *bodies)
{
    for (int i = 0; i < n->n_bodies && !w->x.failed; i++) {
        const inlay_body *b = &n->bodies[i];

        if (!check_outer_once(w, n, b))
            return;
        put_map_tag(w, "", b->role);
        w->x.indent++;
        put_map(w, b, n_in, &bodies[i]);
        w->x.indent--;
        put_map_tag(w, "/", b->role);
        put_back_edges(w, b, &bodies[i]);
    }
}
