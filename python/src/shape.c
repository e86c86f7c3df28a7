/* Shapes as tuples. */
#include "py.h"

#include <string.h>

static PyObject *size_of(const inlay_graph *g, inlay_dim dim)
{
    const char *name = g && dim.id ? inlay_graph_dim_name(g, dim.id) : NULL;
    char text[64];
    size_t n;

    if (inlay_dim_is_static(dim))
        return PyLong_FromLongLong(dim.lo);
    if (name)
        return PyUnicode_FromString(name);
    dim.id = 0;
    inlay_shape_text(1, &dim, text, sizeof text);
    n = strlen(text);
    return PyUnicode_FromStringAndSize(text + 1, (Py_ssize_t)n - 2); /* without brackets */
}

PyObject *py_shape_of(const inlay_graph *g, int rank, const inlay_dim *dims)
{
    PyObject *shape;

    if (rank < 0)
        Py_RETURN_NONE;
    shape = PyTuple_New(rank);
    for (int i = 0; shape && i < rank; i++) {
        PyObject *size = size_of(g, dims[i]);

        if (!size || PyTuple_SetItem(shape, i, size) < 0)
            Py_CLEAR(shape);
    }
    return shape;
}

static bool open_size(const char *text, inlay_graph *g, inlay_dim *out)
{
    inlay_shape s;
    const char *why = NULL;

    if (strcmp(text, "?") == 0 || strstr(text, "..")) {
        if (inlay_shape_parse(text, &s, &why) && s.rank == 1) {
            *out = s.dim[0];
            return true;
        }
        PyErr_Format(PyExc_ValueError, "the size \"%s\": %s", text, why ? why : "not understood");
        return false;
    }
    *out = inlay_dim_any();
    if (g)
        out->id = inlay_graph_named_dim(g, text, NULL);
    if (!out->id)
        PyErr_Format(PyExc_ValueError, "the size \"%s\" is a name, here a number is needed", text);
    return out->id != 0;
}

static bool size_from(PyObject *object, inlay_graph *g, inlay_dim *out)
{
    const char *text = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, NULL) : NULL;
    PyObject *number;

    if (text)
        return open_size(text, g, out);
    if (object == Py_None) {
        *out = inlay_dim_any();
        return true;
    }
    number = PyNumber_Index(object);
    if (!number)
        return false;
    *out = inlay_dim_of(PyLong_AsLongLong(number));
    Py_DECREF(number);
    if (!PyErr_Occurred() && out->lo < 0)
        PyErr_Format(PyExc_ValueError, "a size is %R, it must not be negative", object);
    return !PyErr_Occurred();
}

bool py_shape_from(PyObject *object, inlay_graph *g, inlay_shape *out)
{
    Py_ssize_t n;
    bool ok = true;

    out->rank = -1;
    if (object == Py_None)
        return true;
    n = PySequence_Size(object);
    if (n > INLAY_MAX_RANK)
        PyErr_Format(PyExc_ValueError, "a shape of %zd sizes, at most %d are possible", n,
                     INLAY_MAX_RANK);
    if (n < 0 || n > INLAY_MAX_RANK)
        return false;
    out->rank = (int)n;
    for (Py_ssize_t i = 0; ok && i < n; i++) {
        PyObject *size = PySequence_GetItem(object, i);

        ok = size && size_from(size, g, &out->dim[i]);
        Py_XDECREF(size);
    }
    return ok;
}

static bool shape_of_input(PyObject *name, PyObject *shape, const inlay_graph *g, inlay_shape *list)
{
    Py_ssize_t n = 0;
    const char *text = PyUnicode_AsUTF8AndSize(name, &n);
    int at = text ? inlay_graph_find_input(g, text, (size_t)n) : INLAY_NO_SUCH;

    if (!text)
        return false;
    if (at < 0) {
        PyErr_Format(PyExc_ValueError, "there is no input %R", name);
        return false;
    }
    return py_shape_from(shape, NULL, &list[at]);
}

bool py_shapes_from(PyObject *object, const inlay_graph *g, inlay_shape **out)
{
    PyObject *name, *shape;
    Py_ssize_t at = 0;
    bool ok = true;

    *out = NULL;
    if (object == Py_None)
        return true;
    *out = PyMem_Calloc((size_t)g->n_params + 1, sizeof **out);
    if (!*out)
        return PyErr_NoMemory() != NULL;
    for (int i = 0; i < g->n_params; i++)
        (*out)[i].rank = -1;
    while (ok && PyDict_Next(object, &at, &name, &shape))
        ok = shape_of_input(name, shape, g, *out);
    if (!ok) {
        PyMem_Free(*out);
        *out = NULL;
    }
    return ok;
}
