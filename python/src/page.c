/* The page of HTML that shows a graph, as `inlay view` writes it. */
#include "py.h"

/* Has the program `dot` place boxes, where it is there. */
static bool place(void *ctx, const char *dot, size_t n, inlay_strbuf *plain)
{
    PyObject *said = py_hook("dot", Py_BuildValue("(s#)", dot, (Py_ssize_t)n));
    Py_ssize_t size = 0;
    const char *text = said ? PyUnicode_AsUTF8AndSize(said, &size) : NULL;

    (void)ctx;
    if (text)
        inlay_strbuf_add(plain, text, (size_t)size);
    else
        PyErr_Clear();
    Py_XDECREF(said);
    return size > 0;
}

PyObject *py_page(PyObject *module, PyObject *args)
{
    inlay_view_options o = {.place = place, .why = "Graphviz's dot did not place them"};
    inlay_view_graph shown = {0};
    inlay_strbuf b = {0};
    const inlay_sink to = {inlay_strbuf_sink, &b};
    inlay_view *view;
    PyObject *object;
    inlay_diags *d;
    bool ok;

    (void)module;
    if (!PyArg_ParseTuple(args, "O|z", &object, &o.title) ||
        !(shown.graph = py_graph_in(object, false)))
        return NULL;
    d = inlay_diags_new();
    view = inlay_view_new(&o, d);
    ok = view && inlay_view_add(view, &shown, d) && inlay_view_write(view, &to, d);
    inlay_view_free(view);
    return py_text(&b, ok, d);
}
