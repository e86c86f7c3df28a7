/* <input>, <output> and their ports (parser/openvino/README.md 3.3). */
#include "ir/shared.h"
#include "parser/xml/xml.h"

#include <stdlib.h>
#include <string.h>

static int compare_keys(const void *a, const void *b)
{
    const ov_port_key *p = a, *q = b;

    if (p->id != q->id)
        return p->id < q->id ? -1 : 1;
    return (p->position > q->position) - (p->position < q->position);
}

/* Ids that do not count up by one need a sorted index. */
bool ov_index_ports(xml_reader *x, ov_ports *ports, const char *what)
{
    int i = 0;

    if (ports->counted || ports->n == 0)
        return true;
    ports->by_id = inlay_arena_array(x->r->a.scratch, (size_t)ports->n, sizeof *ports->by_id);
    if (!ports->by_id)
        return inlay_fail_memory(x->r->a.d);
    for (const ov_port *p = ports->first; p; p = p->next, i++)
        ports->by_id[i] = (ov_port_key){p->id, i};
    qsort(ports->by_id, (size_t)ports->n, sizeof *ports->by_id, compare_keys);
    for (i = 1; i < ports->n; i++) {
        if (ports->by_id[i].id == ports->by_id[i - 1].id)
            return xml_fail(x, "two %s ports have the id %lld", what,
                            (long long)ports->by_id[i].id);
    }
    return true;
}

/* The first <input> and <output> of a layer count. */
static bool start_ports(xml_reader *x, ov_ports *ports)
{
    if (ports->seen)
        x->kinds[x->depth] = XML_SKIP;
    ports->seen = true;
    x->ports = ports;
    return true;
}

bool ov_start_inputs(xml_reader *x, xml_attrs attrs)
{
    (void)attrs;
    return start_ports(x, &x->layer->in);
}

bool ov_start_outputs(xml_reader *x, xml_attrs attrs)
{
    (void)attrs;
    return start_ports(x, &x->layer->out);
}

/* The precision of an input is optional and unread by OpenVINO (3.3), so an unknown one is no
 * error. */
static bool port_precision(xml_reader *x, xml_attrs attrs, bool output)
{
    ov_port *port = x->port;
    size_t n;
    const char *s = xml_attr(x, attrs, XML_N_precision, &n);

    if (!s && output)
        return xml_fail(x, "output port %lld has no precision", (long long)port->id);
    if (!s)
        return true;
    if (n > 0 && n < sizeof x->precision) {
        if (strncmp(x->precision, s, n) != 0 || x->precision[n]) {
            memcpy(x->precision, s, n);
            x->precision[n] = '\0';
            if (!inlay_type_by_xml(x->precision, &x->type))
                x->precision[0] = '\0';
        }
        port->type = x->type;
        if (x->precision[0])
            return true;
    }
    port->type = INLAY_DYNAMIC;
    return !output || xml_fail(x, "output port %lld has the unknown precision \"%.*s\"",
                               (long long)port->id, n < 40 ? (int)n : 40, s);
}

static bool append_port(xml_reader *x, const ov_port *port)
{
    ov_port *copy = ov_record(x, sizeof *copy);

    if (!copy)
        return false;
    *copy = *port;
    *x->ports->end = copy;
    x->ports->end = &copy->next;
    x->port = copy;
    return true;
}

/* Inputs whose ids count up by one have no records, until one does not. */
static bool keep_input(xml_reader *x)
{
    ov_ports *ports = x->ports;

    if (ports->counted && ports->n > 0 && x->input.id - ports->first_id != ports->n) {
        for (int i = 0; i < ports->n; i++) {
            if (!append_port(x, &(ov_port){.id = ports->first_id + i}))
                return false;
        }
        ports->counted = false;
    }
    return ports->counted || append_port(x, &x->input);
}

bool ov_start_port(xml_reader *x, xml_attrs attrs)
{
    ov_ports *ports = x->ports;
    bool output = ports == &x->layer->out;

    x->input = (ov_port){.next = NULL};
    x->port = &x->input;
    x->n_dims = 0;
    if (!ov_int_attr(x, attrs, XML_N_id, 0, -1, &x->input.id))
        return false;
    if (ports->n == 0) {
        ports->first_id = x->input.id;
        ports->counted = true;
    }
    if (output) {
        ports->counted = ports->counted && x->input.id - ports->first_id == ports->n;
        if (!append_port(x, &x->input))
            return false;
    } else if (!keep_input(x)) {
        return false;
    }
    ports->n++;
    return port_precision(x, attrs, output) &&
           (!output || ov_copy_attr(x, attrs, XML_N_names, &x->port->names));
}

bool ov_end_port(xml_reader *x)
{
    int64_t *dims;

    if (x->n_dims == 0 || x->ports == &x->layer->in)
        return true;
    dims = ov_record(x, (size_t)x->n_dims * sizeof *dims);
    if (!dims)
        return false;
    memcpy(dims, x->dims, (size_t)x->n_dims * sizeof *dims);
    x->port->dims = dims;
    x->port->n_dims = x->n_dims;
    return true;
}

bool ov_start_dim(xml_reader *x, xml_attrs attrs)
{
    (void)attrs;
    x->text.n = 0;
    return true;
}

bool ov_end_dim(xml_reader *x)
{
    const char *side = x->ports == &x->layer->out ? "output" : "input";
    size_t n = x->text.n;
    int64_t dim;

    if (!ov_parse_int(x->text.bytes, n, &dim) || dim < -1)
        return xml_fail(x, "%s port %lld: dim \"%.*s\" is not a number from -1 up", side,
                        (long long)x->port->id, n < 40 ? (int)n : 40, n ? x->text.bytes : "");
    if (x->n_dims == INLAY_MAX_RANK)
        return xml_fail(x, "%s port %lld has more than %d dims", side, (long long)x->port->id,
                        INLAY_MAX_RANK);
    x->dims[x->n_dims++] = dim;
    return true;
}
