/* Node: a handle of a node of a graph. */
#include "py.h"

/* The Graph of N: GRAPH, or a new one for the body that N is in. */
static PyObject *graph_of(PyObject *graph, inlay_graph *g)
{
    py_graph *given = (py_graph *)graph;

    if (given->g != g)
        return py_graph_of(g, given->owner ? given->owner : graph);
    Py_INCREF(graph);
    return graph;
}

PyObject *py_node_of(PyObject *graph, const inlay_node *n)
{
    py_node *self;

    if (!n)
        Py_RETURN_NONE;
    self = py_object_new(py_state_get()->node);
    if (!self)
        return NULL;
    self->n = (inlay_node *)(uintptr_t)n;
    self->graph = graph_of(graph, n->graph);
    if (!self->graph)
        Py_CLEAR(self);
    return (PyObject *)self;
}

inlay_node *py_node_in(PyObject *object, bool change)
{
    py_node *self = (py_node *)object;

    if (!PyObject_TypeCheck(object, (PyTypeObject *)py_state_get()->node)) {
        PyErr_Format(PyExc_TypeError, "an inlay.Node was expected, not %R", Py_TYPE(object));
        return NULL;
    }
    if (inlay_graph_node(self->n->graph, self->n->name) != self->n) {
        PyErr_Format(PyExc_ValueError, "the node \"%s\" is not in its graph any more",
                     self->n->name);
        return NULL;
    }
    return change && !py_graph_in(self->graph, true) ? NULL : self->n;
}

static PyObject *get_name(PyObject *self, void *closure)
{
    const inlay_node *n = ((py_node *)self)->n;

    return PyUnicode_FromString(closure && n->label ? n->label : n->name);
}

static PyObject *get_op(PyObject *self, void *closure)
{
    char text[160];

    (void)closure;
    return PyUnicode_FromString(inlay_op_text(((py_node *)self)->n->op, text, sizeof text));
}

static PyObject *get_type(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(((py_node *)self)->n->op->name);
}

static PyObject *get_version(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((py_node *)self)->n->op->version);
}

static PyObject *get_line(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLong(((py_node *)self)->n->line);
}

static PyObject *get_graph(PyObject *self, void *closure)
{
    PyObject *graph = ((py_node *)self)->graph;

    (void)closure;
    Py_INCREF(graph);
    return graph;
}

static PyObject *get_inputs(PyObject *object, void *closure)
{
    py_node *self = (py_node *)object;
    PyObject *list = py_node_in(object, false) ? PyList_New(self->n->n_in) : NULL;

    (void)closure;
    for (int i = 0; list && i < self->n->n_in; i++) {
        PyObject *value = py_value_of(self->graph, self->n->in[i].value);

        if (!value || PyList_SetItem(list, i, value) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *get_outputs(PyObject *object, void *closure)
{
    py_node *self = (py_node *)object;
    PyObject *list = py_node_in(object, false) ? PyList_New(self->n->n_out) : NULL;

    (void)closure;
    for (int i = 0; list && i < self->n->n_out; i++) {
        PyObject *value = py_value_of(self->graph, &self->n->out[i]);

        if (!value || PyList_SetItem(list, i, value) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *get_attrs(PyObject *object, void *closure)
{
    const inlay_node *n = py_node_in(object, false);
    PyObject *attrs = n ? PyDict_New() : NULL;

    (void)closure;
    for (int i = 0; attrs && i < n->op->n_attrs; i++) {
        PyObject *value = inlay_node_attr(n, n->op->attrs[i].name) ? py_attr_of(n, i) : NULL;

        if (!value && PyErr_Occurred())
            Py_CLEAR(attrs);
        if (value && PyDict_SetItemString(attrs, n->op->attrs[i].name, value) < 0)
            Py_CLEAR(attrs);
        Py_XDECREF(value);
    }
    return attrs;
}

static PyObject *get_bodies(PyObject *object, void *closure)
{
    py_node *self = (py_node *)object;
    py_graph *graph = (py_graph *)self->graph;
    PyObject *bodies = py_node_in(object, false) ? PyDict_New() : NULL;

    (void)closure;
    for (int i = 0; bodies && i < self->n->n_bodies; i++) {
        const inlay_body *b = &self->n->bodies[i];
        PyObject *body = py_graph_of(b->graph, graph->owner ? graph->owner : self->graph);

        if (!body || PyDict_SetItemString(bodies, b->role, body) < 0)
            Py_CLEAR(bodies);
        Py_XDECREF(body);
    }
    return bodies;
}

static PyObject *get_origin(PyObject *self, void *closure)
{
    inlay_provenance p = inlay_node_provenance(((py_node *)self)->n);

    (void)closure;
    return Py_BuildValue("{s:z,s:I,s:L,s:K,s:z,s:z}", "name", p.name, "line", p.line, "place",
                         (long long)p.place, "application", (unsigned long long)p.application,
                         "pass", p.pass, "rule", p.rule);
}

static PyObject *rename(PyObject *self, PyObject *args)
{
    inlay_node *n = py_node_in(self, true);
    const char *name;
    inlay_diags *d;

    if (!n || !PyArg_ParseTuple(args, "s", &name))
        return NULL;
    d = inlay_diags_new();
    return py_ended(inlay_node_rename(n, name, d), d);
}

static PyObject *drop(PyObject *self, PyObject *unused)
{
    inlay_node *n = py_node_in(self, true);
    inlay_diags *d;

    (void)unused;
    if (!n)
        return NULL;
    d = inlay_diags_new();
    return py_ended(inlay_node_remove(n, d), d);
}

static PyObject *set(PyObject *self, PyObject *args)
{
    inlay_node *n = py_node_in(self, true);
    const char *name;
    PyObject *value;
    inlay_diags *d;

    if (!n || !PyArg_ParseTuple(args, "sO", &name, &value))
        return NULL;
    d = inlay_diags_new();
    return py_ended(py_attr_set(n, name, value, d), d);
}

static PyObject *set_input(PyObject *self, PyObject *args)
{
    inlay_node *n = py_node_in(self, true);
    inlay_value *v = NULL;
    PyObject *value;
    inlay_diags *d;
    int i;

    if (!n || !PyArg_ParseTuple(args, "iO", &i, &value) ||
        (value != Py_None && !(v = py_value_in(value, true))))
        return NULL;
    d = inlay_diags_new();
    return py_ended(inlay_node_set_input(n, i, v, d), d);
}

static PyObject *represent(PyObject *self)
{
    const inlay_node *n = ((py_node *)self)->n;
    inlay_strbuf b = {0};
    const inlay_sink to = {inlay_strbuf_sink, &b};
    inlay_diags *d = inlay_diags_new();
    bool ok;

    if (inlay_graph_node(n->graph, n->name) != n) {
        inlay_diags_free(d);
        return PyUnicode_FromFormat("<inlay.Node \"%s\", removed>", n->name);
    }
    ok = inlay_print_node(n, false, &to, d);
    if (b.n > 0 && b.bytes[b.n - 1] == '\n') /* it may stand in a list */
        b.bytes[--b.n] = '\0';
    return py_text(&b, ok, d);
}

static Py_hash_t hash(PyObject *self)
{
    return (Py_hash_t)((uintptr_t)((py_node *)self)->n >> 4);
}

static PyObject *compare(PyObject *a, PyObject *b, int op)
{
    bool nodes = PyObject_TypeCheck(b, Py_TYPE(a));

    if (!nodes || (op != Py_EQ && op != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    return PyBool_FromLong((((py_node *)a)->n == ((py_node *)b)->n) == (op == Py_EQ));
}

static void destroy(PyObject *self)
{
    Py_XDECREF(((py_node *)self)->graph);
    py_object_free(self);
}

static PyGetSetDef properties[] = {
    {"name", get_name, NULL, "The name, unique in its graph.", NULL},
    {"label", get_name, NULL, "The name that the file gave it.", (void *)1},
    {"op", get_op, NULL, "Operation and version: \"Slice-8\".", NULL},
    {"type", get_type, NULL, "The operation: \"Slice\".", NULL},
    {"version", get_version, NULL, "The version of the operation.", NULL},
    {"line", get_line, NULL, "The line in the file, 0 where it is not known.", NULL},
    {"graph", get_graph, NULL, "The graph that it is in.", NULL},
    {"inputs", get_inputs, NULL, "The values that it reads; None where one is left out.", NULL},
    {"outputs", get_outputs, NULL, "The values that it makes.", NULL},
    {"attrs", get_attrs, NULL, "The attributes, defaults included, by name.", NULL},
    {"bodies", get_bodies, NULL, "The graphs of its bodies, by role.", NULL},
    {"origin", get_origin, NULL, "Where it comes from: node and line of the file, rewrite.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"rename", rename, METH_VARARGS, "rename(name)."},
    {"remove", drop, METH_NOARGS, "Removes the node, whose outputs must be unused."},
    {"set", set, METH_VARARGS, "set(attribute, value)."},
    {"set_input", set_input, METH_VARARGS, "set_input(i, value or None)."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, "A node of a graph."},
                              {Py_tp_dealloc, PY_SLOT(destroy)},
                              {Py_tp_repr, PY_SLOT(represent)},
                              {Py_tp_hash, PY_SLOT(hash)},
                              {Py_tp_richcompare, PY_SLOT(compare)},
                              {Py_tp_getset, properties},
                              {Py_tp_methods, methods},
                              {0, NULL}};

PyType_Spec py_node_spec = {"inlay.Node", sizeof(py_node), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
