/* The module inlay._inlay: what it holds, and its state. the package inlay makes of it what users
 * see. */
#include "py.h"

static struct PyModuleDef definition;

py_state *py_state_get(void)
{
    return PyModule_GetState(PyState_FindModule(&definition));
}

PyObject *py_hook(const char *name, PyObject *args)
{
    PyObject *hooks = py_state_get()->hooks;
    PyObject *f = hooks && args ? PyObject_GetAttrString(hooks, name) : NULL;
    PyObject *result = f ? PyObject_CallObject(f, args) : NULL;

    if (args && !hooks)
        PyErr_SetString(PyExc_SystemError, "inlay._inlay was not set up; import inlay");
    Py_XDECREF(f);
    Py_XDECREF(args);
    return result;
}

PyObject *py_add_type(PyObject *module, const char *name, PyType_Spec *spec)
{
    PyObject *type = PyType_FromSpec(spec);

    if (type && PyModule_AddObjectRef(module, name, type) < 0)
        Py_CLEAR(type);
    return type;
}

void *py_object_new(PyObject *type)
{
    return PyType_GenericAlloc((PyTypeObject *)type, 0);
}

void py_object_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    PyObject_Free(self);
    Py_DECREF(type);
}

static bool set_dtypes(py_state *state, PyObject *dtypes)
{
    for (int i = 0; i < INLAY_N_TYPES; i++) {
        PyObject *d = PyDict_GetItemString(dtypes, inlay_type_info_of((inlay_type)i)->name), *kind;

        Py_XINCREF(d);
        Py_XDECREF(state->dtypes[i]);
        state->dtypes[i] = d;
        if (!py_format_of((inlay_type)i) || !inlay_type_is_float((inlay_type)i) || !d)
            continue;
        kind = PyObject_GetAttrString(d, "kind");
        state->foreign[i] = kind && PyUnicode_CompareWithASCIIString(kind, "f") != 0 &&
                            PyUnicode_CompareWithASCIIString(kind, "u") != 0;
        Py_XDECREF(kind);
        if (!kind)
            return false;
    }
    return true;
}

/* setup(hooks, ndarray, dtypes by name of type, donated arrays by address) */
static PyObject *setup(PyObject *module, PyObject *args)
{
    py_state *state = PyModule_GetState(module);
    PyObject *hooks, *ndarray, *dtypes, *given;

    if (!PyArg_ParseTuple(args, "OOO!O!", &hooks, &ndarray, &PyDict_Type, &dtypes, &PyDict_Type,
                          &given))
        return NULL;
    Py_INCREF(given);
    Py_XDECREF(state->given);
    state->given = given;
    Py_INCREF(hooks);
    Py_XDECREF(state->hooks);
    state->hooks = hooks;
    Py_INCREF(ndarray);
    Py_XDECREF(state->ndarray);
    state->ndarray = ndarray;
    if (!set_dtypes(state, dtypes) || !py_run_watch(module))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *element_types(PyObject *module, PyObject *unused)
{
    PyObject *names = PyList_New(0);

    (void)module;
    (void)unused;
    for (int i = INLAY_BOOLEAN; names && i < INLAY_N_TYPES; i++) {
        const inlay_type_info *t = inlay_type_info_of((inlay_type)i);
        PyObject *row =
            Py_BuildValue("(siiO)", t->name, t->bits, (int)t->cls, t->refused ? Py_True : Py_False);

        if (!row || PyList_Append(names, row) < 0)
            Py_CLEAR(names);
        Py_XDECREF(row);
    }
    return names;
}

static PyObject *file_version(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_FromString(inlay_version());
}

#define WITH_KEYWORDS(f) (PyCFunction)(void (*)(void))(f), METH_VARARGS | METH_KEYWORDS

static PyMethodDef methods[] = {
    {"setup", setup, METH_VARARGS, "Sets the functions in Python that this module calls."},
    {"element_types", element_types, METH_NOARGS, "(name, bits, class, refused) of each type."},
    {"version", file_version, METH_NOARGS, "The version of the library that runs."},
    {"tensor", py_tensor_from, METH_VARARGS, "tensor(object, type or None): without a copy."},
    {"empty", py_tensor_empty, METH_VARARGS, "empty(shape, type): a writable tensor of zeros."},
    {"strings", py_tensor_strings, METH_VARARGS, "strings(shape, list of bytes)."},
    {"items", py_tensor_items, METH_VARARGS, "items(list of tensors or None, as a sequence?)."},
    {"pack", py_tensor_pack, METH_VARARGS, "pack(array, type): a tensor of packed elements."},
    {"from_dlpack", py_tensor_from_dlpack, METH_O, "from_dlpack(object): without a copy."},
    {"compare", WITH_KEYWORDS(py_tensor_compare), "compare(a, b, rtol=, atol=, ulp=)."},
    {"read", WITH_KEYWORDS(py_read), "Reads a graph from a file, or from bytes."},
    {"run_passes", WITH_KEYWORDS(py_run_passes), "Runs passes over a graph, in place."},
    {"passes", py_pass_list, METH_NOARGS, "(name, summary) of each pass that is built in."},
    {"parse_rules", WITH_KEYWORDS(py_rules_parse), "Rules from text."},
    {"operations", py_operations_new, METH_VARARGS, "Operations with functions in Python."},
    {"verify", WITH_KEYWORDS(py_verify), "Compares two graphs as functions."},
    {"find_difference", WITH_KEYWORDS(py_find_difference), "The first values that differ."},
    {"make_inputs", WITH_KEYWORDS(py_make_inputs), "Makes inputs up."},
    {"diff", py_diff, METH_VARARGS, "Pairs the nodes of two graphs."},
    {"reduce", py_reduce, METH_VARARGS, "reduce(graph, keeps, tries)."},
    {"page", py_page, METH_VARARGS, "page(graph, title=None): a page of HTML that shows it."},
    {"plan", py_plan, METH_VARARGS, "plan(graph, kernels): what a run will do."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "inlay._inlay",
    .m_doc = "The library, thinly wrapped. Import inlay instead.",
    .m_size = sizeof(py_state),
    .m_methods = methods,
};

static bool add_types(PyObject *m, py_state *s)
{
    return (s->tensor = py_add_type(m, "Tensor", &py_tensor_spec)) &&
           (s->graph = py_add_type(m, "Graph", &py_graph_spec)) &&
           (s->node = py_add_type(m, "Node", &py_node_spec)) &&
           (s->value = py_add_type(m, "Value", &py_value_spec)) &&
           (s->model = py_add_type(m, "Model", &py_model_spec)) &&
           (s->session = py_add_type(m, "Session", &py_session_spec)) &&
           (s->rules = py_add_type(m, "Rules", &py_rules_spec)) &&
           (s->operations = py_add_type(m, "Operations", &py_operations_spec)) &&
           (s->pass_run = py_add_type(m, "PassRun", &py_pass_run_spec)) &&
           (s->functions = PyDict_New());
}

PyMODINIT_FUNC PyInit__inlay(void)
{
    PyObject *module = PyModule_Create(&definition);

    if (module && !add_types(module, PyModule_GetState(module)))
        Py_CLEAR(module);
    return module;
}
