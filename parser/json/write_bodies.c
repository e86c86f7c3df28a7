/* Writes bodies and port maps; bodies.c describes their members. */
#include "parser/json/write.h"

#include <stdio.h>
#include <string.h>

static void write_ordinal(json_writer *w, const char *key, int64_t x, bool *first)
{
    json_write_key(w, key, first);
    json_write_int(w, x);
}

static void write_port(json_writer *w, const inlay_port *p, const inlay_node *inner)
{
    static const char *const purposes[] = {[INLAY_PORT_PLAIN] = NULL,
                                           [INLAY_PORT_ITERATION] = "current_iteration",
                                           [INLAY_PORT_CONDITION] = "execution_condition"};
    bool first = true;

    inlay_strbuf_puts(&w->text, "{");
    write_ordinal(w, "external_port_id", p->outer, &first);
    json_write_member(w, "internal_layer_id", inner->name, &first);
    if (p->has_axis) {
        write_ordinal(w, "axis", p->axis, &first);
        write_ordinal(w, "start", p->start, &first);
        write_ordinal(w, "end", p->end, &first);
        write_ordinal(w, "stride", p->stride, &first);
        write_ordinal(w, "part_size", p->part_size, &first);
    }
    if (purposes[p->purpose] != NULL)
        json_write_member(w, "purpose", purposes[p->purpose], &first);
    inlay_strbuf_puts(&w->text, "}");
}

static void write_input_port(json_writer *w, const void *body, int i)
{
    const inlay_body *b = body;
    write_port(w, &b->in[i], b->graph->params[b->in[i].inner]);
}

static void write_output_port(json_writer *w, const void *body, int i)
{
    const inlay_body *b = body;
    write_port(w, &b->out[i], b->graph->results[b->out[i].inner]);
}

static void write_back_edge(json_writer *w, const void *body, int i)
{
    const inlay_body *b = body;
    bool first = true;

    inlay_strbuf_puts(&w->text, "{");
    json_write_member(w, "from-layer", b->graph->results[b->back[i].from]->name, &first);
    json_write_member(w, "to-layer", b->graph->params[b->back[i].to]->name, &first);
    inlay_strbuf_puts(&w->text, "}");
}

/* "port_map" goes with "body", "then_port_map" with "then_body", and so on. */
void json_write_body(json_writer *w, const inlay_body *b, bool *first)
{
    char key[32];
    bool first_in = true;

    snprintf(key, sizeof(key), "%.*sport_map", (int)strcspn(b->role, "b"), b->role);
    inlay_strbuf_puts(&w->text, ",");
    json_write_line(w);
    *first = true;
    json_write_key(w, key, first);
    inlay_strbuf_puts(&w->text, "{");
    json_write_key(w, "input", &first_in);
    json_write_list(w, b->n_in, b, write_input_port);
    json_write_key(w, "output", &first_in);
    json_write_list(w, b->n_out, b, write_output_port);
    inlay_strbuf_puts(&w->text, "}");
    if (b->n_back > 0) {
        json_write_key(w, "back_edges", first);
        json_write_list(w, b->n_back, b, write_back_edge);
    }
    inlay_strbuf_puts(&w->text, ",");
    json_write_line(w);
    *first = true;
    json_write_key(w, b->role, first);
    json_write_graph(w, b->graph, false);
}
