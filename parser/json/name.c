/* How the values of a graph are called in a document. */
#include "parser/json/name.h"

/* "split.1", and "split.1_" should some node be called "split.1". A generated name has its node and
 * output in it and so is no other generated one; a node's own name is looked up. */
void json_value_name(const inlay_value *v, inlay_strbuf *out)
{
    size_t start = out->n;

    inlay_strbuf_puts(out, v->node->name);
    if (v->node->n_out == 1)
        return;
    inlay_strbuf_printf(out, ".%d", v->index);
    while (!out->failed && inlay_graph_node(v->node->graph, out->bytes + start) != NULL)
        inlay_strbuf_puts(out, "_");
}
