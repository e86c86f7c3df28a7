/* <input>, <output> and their ports (parser/openvino/README.md 3.3). */
#include "parser/openvino/parse.h"

#include <stdlib.h>
#include <string.h>

static int compare_keys(const void *a, const void *b)
{
    const ov_port_key *p = a, *q = b;

    if (p->id != q->id)
        return p->id < q->id ? -1 : 1;
    return (p->position > q->position) - (p->position < q->position);
}

/* Makes a sorted index of the ports, unless their ids are consecutive. */
bool ov_index_ports(xml_reader *x, ov_ports *ports, const char *what)
{
    int i = 0;

    if (ports->counted || ports->n == 0)
        return true;
    ports->by_id = inlay_arena_array(x->arena, (size_t)ports->n, sizeof *ports->by_id);
    if (!ports->by_id)
        return inlay_fail_memory(x->d);
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

/* The first <input> and the first <output> of a layer are read; further ones are skipped. */
static bool start_ports(xml_reader *x, ov_ports *ports)
{
    ov_parser *p = x->reader;

    if (ports->seen)
        xml_skip(x);
    ports->seen = true;
    p->ports = ports;
    return true;
}

bool ov_start_inputs(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;

    (void)attrs;
    return start_ports(x, &p->layer->in);
}

bool ov_start_outputs(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;

    (void)attrs;
    return start_ports(x, &p->layer->out);
}

/* Reads the precision of a port. At an input it is optional, and OpenVINO does not read it (3.3),
 * so that an unknown one is no error. */
static bool port_precision(xml_reader *x, xml_attrs attrs, bool output)
{
    ov_parser *p = x->reader;
    ov_port *port = p->port;
    size_t n;
    const char *s = xml_attr(x, attrs, OV_NAME_precision, &n);

    if (!s && output)
        return xml_fail(x, "output port %lld has no precision", (long long)port->id);
    if (!s)
        return true;
    if (n > 0 && n < sizeof p->precision) {
        if (strncmp(p->precision, s, n) != 0 || p->precision[n]) {
            memcpy(p->precision, s, n);
            p->precision[n] = '\0';
            if (!inlay_type_by_xml(p->precision, &p->type))
                p->precision[0] = '\0';
        }
        port->type = p->type;
        if (p->precision[0])
            return true;
    }
    port->type = INLAY_DYNAMIC;
    return !output || xml_fail(x, "output port %lld has the unknown precision \"%.*s\"",
                               (long long)port->id, n < 40 ? (int)n : 40, s);
}

static bool append_port(xml_reader *x, const ov_port *port)
{
    ov_parser *p = x->reader;
    ov_port *copy = xml_alloc(x, sizeof *copy);

    if (!copy)
        return false;
    *copy = *port;
    *p->ports->end = copy;
    p->ports->end = &copy->next;
    p->port = copy;
    return true;
}

/* Records an input port. As long as ids are consecutive no records are needed; the first id that is
 * not makes records of all ports. */
static bool keep_input(xml_reader *x)
{
    ov_parser *p = x->reader;
    ov_ports *ports = p->ports;

    if (ports->counted && ports->n > 0 && p->input.id - ports->first_id != ports->n) {
        for (int i = 0; i < ports->n; i++) {
            if (!append_port(x, &(ov_port){.id = ports->first_id + i}))
                return false;
        }
        ports->counted = false;
    }
    return ports->counted || append_port(x, &p->input);
}

bool ov_start_port(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;
    ov_ports *ports = p->ports;
    bool output = ports == &p->layer->out;

    p->input = (ov_port){.next = NULL};
    p->port = &p->input;
    p->n_dims = 0;
    if (!xml_int_attr(x, attrs, OV_NAME_id, 0, -1, &p->input.id))
        return false;
    if (ports->n == 0) {
        ports->first_id = p->input.id;
        ports->counted = true;
    }
    if (output) {
        ports->counted = ports->counted && p->input.id - ports->first_id == ports->n;
        if (!append_port(x, &p->input))
            return false;
    } else if (!keep_input(x)) {
        return false;
    }
    ports->n++;
    return port_precision(x, attrs, output) &&
           (!output || xml_copy_attr(x, attrs, OV_NAME_names, &p->port->names));
}

bool ov_end_port(xml_reader *x)
{
    ov_parser *p = x->reader;
    int64_t *dims;

    if (p->n_dims == 0 || p->ports == &p->layer->in)
        return true;
    dims = xml_alloc(x, (size_t)p->n_dims * sizeof *dims);
    if (!dims)
        return false;
    memcpy(dims, p->dims, (size_t)p->n_dims * sizeof *dims);
    p->port->dims = dims;
    p->port->n_dims = p->n_dims;
    return true;
}

bool ov_end_dim(xml_reader *x)
{
    ov_parser *p = x->reader;
    const char *side = p->ports == &p->layer->out ? "output" : "input";
    size_t n = x->text.n;
    int64_t dim;

    if (!xml_parse_int(x->text.bytes, n, &dim) || dim < -1)
        return xml_fail(x, "%s port %lld: dim \"%.*s\" is not a number from -1 up", side,
                        (long long)p->port->id, n < 40 ? (int)n : 40, n ? x->text.bytes : "");
    if (p->n_dims == INLAY_MAX_RANK)
        return xml_fail(x, "%s port %lld has more than %d dims", side, (long long)p->port->id,
                        INLAY_MAX_RANK);
    p->dims[p->n_dims++] = dim;
    return true;
}
