/* Variables: the past value is an input of the model, the present one an output. */
#include "parser/onnx/write.h"

static const inlay_variable *variable_of(const onnx_export *x)
{
    return inlay_node_attr(x->n, "variable_id")->as.variable;
}

static bool export_read_value(onnx_export *x)
{
    return put_give(x, 0, onnx_past(x->w, variable_of(x)));
}

static bool export_assign(onnx_export *x)
{
    if (x->n->graph->owner)
        return put_refuse(x, "a variable that is set in a body");
    return onnx_put_present(x->w, variable_of(x), put_in(x, 0)) &&
           (!put_wants(x, 0) || put_give(x, 0, put_in(x, 0)));
}

const onnx_exporter onnx_exporters_state[] = {
    {"Assign", export_assign, NULL, 0, PUT_ANY},
    {"ReadValue", export_read_value, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
