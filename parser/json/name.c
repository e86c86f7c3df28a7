/* Names of the values of a graph in a document. */
#include "parser/json/name.h"

/* Output 1 of the node "split" is called "split.1", or "split.1_" if a node is called "split.1".
 * Generated names differ from each other, since each consists of the name of its node and the
 * number of the output; only names of nodes have to be looked up. */
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
