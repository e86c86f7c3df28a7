/* Names of the values of a graph in a document. */
#include "parser/json/name.h"

/* Output 1 of the node "split" is called "split.1", and "split.1_" where a node is called
 * "split.1". Two generated names are never equal, because each holds the names of its node and
 * output; whether a node has the name is looked up. */
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
