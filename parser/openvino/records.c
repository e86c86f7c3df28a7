/* Look-ups in the records of a file. */
#include "parser/openvino/records.h"

#include <string.h>

const char *ov_role(int role)
{
    static const char *const roles[] = {"body", "then_body", "else_body"};

    return roles[role];
}

const char *ov_data(const ov_layer *layer, const char *name)
{
    for (int i = 0; i < layer->n_data; i++) {
        if (strcmp(layer->data[i].name, name) == 0)
            return layer->data[i].value;
    }
    return NULL;
}

int ov_port_position(const ov_ports *ports, int64_t id)
{
    int lo = 0, hi = ports->n;

    if (ports->counted)
        return id < ports->first_id || id - ports->first_id >= ports->n
                   ? -1
                   : (int)(id - ports->first_id);
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;

        if (ports->by_id[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < ports->n && ports->by_id[lo].id == id ? ports->by_id[lo].position : -1;
}

ov_layer *ov_find_layer(const ov_net *net, int64_t id)
{
    size_t lo = 0, hi = net->n_layers;

    if (id >= 0 && (uint64_t)id < hi && net->by_id[id]->id == id)
        return net->by_id[id];
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (net->by_id[mid]->id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < net->n_layers && net->by_id[lo]->id == id ? net->by_id[lo] : NULL;
}
