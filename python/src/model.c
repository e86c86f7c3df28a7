/* Model and Session: a compiled graph, and who runs it. */
#include "py.h"

#include <stdlib.h>
#include <string.h>

/* ---- slots: a session with room for the tensors of a run ---- */

void py_slot_free(py_slot *s)
{
    if (!s)
        return;
    inlay_session_free(s->session);
    inlay_diags_free(s->diags);
    free(s->in);
    free(s->donated);
    free(s->borrowed);
    free(s->out);
    free(s);
}

py_slot *py_slot_new(const py_model *m)
{
    size_t n_in = (size_t)m->g->n_params + 1, n_out = (size_t)m->g->n_results + 1;
    py_slot *s = calloc(1, sizeof *s);

    if (s) {
        s->diags = inlay_diags_new();
        s->in = calloc(n_in, sizeof *s->in);
        s->donated = calloc(n_in, sizeof *s->donated);
        s->borrowed = calloc(n_in, sizeof *s->borrowed);
        s->out = calloc(n_out, sizeof *s->out);
        s->session = inlay_session_new(m->program, s->diags);
    }
    if (s && s->session && s->diags && s->in && s->donated && s->borrowed && s->out)
        return s;
    py_slot_free(s);
    PyErr_NoMemory();
    return NULL;
}

PyObject *py_slot_stats(const py_slot *s)
{
    inlay_exec_stats x;

    inlay_session_stats(s->session, &x);
    return Py_BuildValue(
        "{s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:d,s:d}", "nodes", (unsigned long long)x.nodes,
        "steps", (unsigned long long)x.steps, "arena_bytes", (unsigned long long)x.arena_bytes,
        "peak_bytes", (unsigned long long)x.peak_bytes, "copied_bytes",
        (unsigned long long)x.copied_bytes, "iterations", (unsigned long long)x.iterations,
        "in_place_writes", (unsigned long long)x.in_place_writes, "aligned_bytes",
        (unsigned long long)x.aligned_bytes, "packed_bytes", (unsigned long long)x.packed_bytes,
        "compile_ms", x.compile_ms, "run_ms", x.run_ms);
}

/* ---- models ---- */

/* Takes the names of values to keep from SELF->keep, whose strings live as long. */
static const char **kept_names(PyObject *keep)
{
    Py_ssize_t n = PyTuple_Size(keep);
    const char **names = PyMem_Calloc((size_t)n + 1, sizeof *names);

    for (Py_ssize_t i = 0; names && i < n; i++)
        names[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(keep, i), NULL);
    return names;
}

static bool compile(py_model *self, inlay_exec_options *o)
{
    inlay_diags *d = inlay_diags_new();
    const char **names = kept_names(self->keep);

    o->keep = names;
    o->n_keep = (int)PyTuple_Size(self->keep);
    if (names && !PyErr_Occurred()) {
        Py_BEGIN_ALLOW_THREADS;
        self->program = inlay_compile(self->g, o, d);
        Py_END_ALLOW_THREADS;
        self->result_names = self->program ? inlay_result_names(self->g, d) : NULL;
    }
    PyMem_Free(names);
    if (PyErr_Occurred() || (self->program && self->result_names))
        return py_warn(d) && !PyErr_Occurred();
    return py_raise(d) != NULL;
}

bool py_mode_named(const char *name, inlay_exec_mode *mode)
{
    *mode = strcmp(name, "reference") == 0 ? INLAY_EXEC_REFERENCE : INLAY_EXEC_PLANNED;
    if (*mode == INLAY_EXEC_REFERENCE || strcmp(name, "planned") == 0)
        return true;
    PyErr_Format(PyExc_ValueError, "executor \"%s\": \"planned\" or \"reference\" is expected",
                 name);
    return false;
}

bool py_kernels_named(const char *name, inlay_kernels *kernels)
{
    static const char *const words[] = {[INLAY_KERNELS_PORTABLE] = "portable",
                                        [INLAY_KERNELS_REFERENCE] = "reference",
                                        [INLAY_KERNELS_ONEDNN] = "onednn"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i], name) == 0) {
            *kernels = (inlay_kernels)i;
            return true;
        }
    }
    PyErr_Format(PyExc_ValueError,
                 "kernels \"%s\": \"portable\", \"reference\" or \"onednn\" is expected", name);
    return false;
}

static bool read_options(PyObject *args, PyObject *keywords, PyObject **graph, PyObject **keep,
                         inlay_exec_options *o)
{
    static char *names[] = {"graph",          "executor",  "kernels", "threads", "max_memory",
                            "max_iterations", "instances", "keep",    NULL};
    const char *mode = "planned", *kernels = "portable";
    unsigned long long memory = 0, iterations = 0;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|ssiKKiO!", names, graph, &mode, &kernels,
                                     &o->threads, &memory, &iterations, &o->instances,
                                     &PyTuple_Type, keep))
        return false;
    o->max_memory = memory;
    o->max_iterations = iterations;
    return py_mode_named(mode, &o->mode) && py_kernels_named(kernels, &o->kernels);
}

static PyObject *new_model(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *graph, *keep = NULL;
    inlay_exec_options o = {0};
    py_model *self;

    if (!read_options(args, keywords, &graph, &keep, &o) || !py_graph_in(graph, true))
        return NULL;
    self = py_object_new((PyObject *)type);
    if (!self)
        return NULL;
    Py_INCREF(graph);
    self->graph = graph;
    self->g = ((py_graph *)graph)->g;
    self->keep = keep ? PySequence_Tuple(keep) : PyTuple_New(0);
    if (!self->keep || !compile(self, &o)) {
        Py_DECREF(self);
        return NULL;
    }
    ((py_graph *)graph)->frozen = true;
    return (PyObject *)self;
}

static void destroy_model(PyObject *object)
{
    py_model *self = (py_model *)object;

    for (py_slot *s = self->idle, *next; s; s = next) {
        next = s->next;
        py_slot_free(s);
    }
    inlay_program_free(self->program);
    Py_XDECREF(self->graph);
    Py_XDECREF(self->keep);
    py_object_free(object);
}

/* Takes a session that no thread uses, or makes one. Calls hold the GIL. */
static py_slot *take(py_model *self)
{
    py_slot *s = self->idle;

    if (!s)
        return py_slot_new(self);
    self->idle = s->next;
    if (self->g->n_variables > 0)
        inlay_session_reset(s->session);
    return s;
}

static void put(py_model *self, py_slot *s)
{
    s->next = self->idle;
    self->idle = s;
}

typedef PyObject *run_fn(const py_model *m, py_slot *s, PyObject *args, PyObject *keywords);

static PyObject *by_model(PyObject *object, run_fn *run, PyObject *args, PyObject *keywords)
{
    py_model *self = (py_model *)object;
    py_slot *s = take(self);
    PyObject *result;

    if (!s)
        return NULL;
    result = run(self, s, args, keywords);
    put(self, s);
    return result;
}

static PyObject *call_model(PyObject *self, PyObject *args, PyObject *keywords)
{
    return by_model(self, py_run_call, args, keywords);
}

static PyObject *run_model(PyObject *self, PyObject *args, PyObject *keywords)
{
    return by_model(self, py_run_full, args, keywords);
}

static PyObject *get_graph(PyObject *self, void *closure)
{
    PyObject *graph = ((py_model *)self)->graph;

    (void)closure;
    Py_INCREF(graph);
    return graph;
}

static PyObject *new_session(PyObject *object, PyObject *unused)
{
    py_session *self = py_object_new(py_state_get()->session);

    (void)unused;
    if (!self)
        return NULL;
    Py_INCREF(object);
    self->model = (py_model *)object;
    self->slot = py_slot_new(self->model);
    if (!self->slot)
        Py_CLEAR(self);
    return (PyObject *)self;
}

#define WITH_KEYWORDS(f) (PyCFunction)(void (*)(void))(f), METH_VARARGS | METH_KEYWORDS
#define RUN_DOC                                                                                    \
    "run(inputs, *, donate=(), out=None, tensors=False): a dict of all outputs by name.\n\n"       \
    "inputs: arrays by name. donate: names of inputs whose memory the run may write over.\n"       \
    "out: arrays by name of outputs, which are computed there. tensors: give inlay.Tensor."

static PyGetSetDef model_properties[] = {
    {"graph", get_graph, NULL, "The graph that runs, after the passes.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef model_methods[] = {
    {"run", WITH_KEYWORDS(run_model), RUN_DOC},
    {"session", new_session, METH_NOARGS, "A session, which keeps variables between runs."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot model_slots[] = {
    {Py_tp_doc, "A compiled graph. Threads may share it; each call begins without a past."},
    {Py_tp_new, PY_SLOT(new_model)},
    {Py_tp_dealloc, PY_SLOT(destroy_model)},
    {Py_tp_call, PY_SLOT(call_model)},
    {Py_tp_getset, model_properties},
    {Py_tp_methods, model_methods},
    {0, NULL}};

PyType_Spec py_model_spec = {"inlay.Model", sizeof(py_model), 0, Py_TPFLAGS_DEFAULT, model_slots};

/* ---- sessions ---- */

static bool enter(py_session *self)
{
    if (self->busy)
        PyErr_SetString(PyExc_RuntimeError,
                        "another thread runs this session; each needs one of its own");
    return !self->busy;
}

static PyObject *by_session(PyObject *object, run_fn *run, PyObject *args, PyObject *keywords)
{
    py_session *self = (py_session *)object;
    PyObject *result;

    if (!enter(self))
        return NULL;
    self->busy = true;
    result = run(self->model, self->slot, args, keywords);
    self->busy = false;
    return result;
}

static PyObject *call_session(PyObject *self, PyObject *args, PyObject *keywords)
{
    return by_session(self, py_run_call, args, keywords);
}

static PyObject *run_session(PyObject *self, PyObject *args, PyObject *keywords)
{
    return by_session(self, py_run_full, args, keywords);
}

static PyObject *reset(PyObject *object, PyObject *unused)
{
    py_session *self = (py_session *)object;

    (void)unused;
    if (!enter(self))
        return NULL;
    inlay_session_reset(self->slot->session);
    Py_RETURN_NONE;
}

static PyObject *cancel(PyObject *self, PyObject *unused)
{
    (void)unused;
    inlay_session_cancel(((py_session *)self)->slot->session);
    Py_RETURN_NONE;
}

static PyObject *get_variable(PyObject *object, PyObject *args)
{
    py_session *self = (py_session *)object;
    const inlay_tensor *t;
    int i;

    if (!enter(self) || !PyArg_ParseTuple(args, "i", &i))
        return NULL;
    t = inlay_session_variable(self->slot->session, i);
    if (!t)
        Py_RETURN_NONE;
    /* A copy, because the next run writes into it. */
    return py_array_of(inlay_tensor_copy(t), false);
}

static PyObject *set_variable(PyObject *object, PyObject *args)
{
    py_session *self = (py_session *)object;
    inlay_diags *d;
    inlay_tensor *t = NULL, *own = NULL;
    PyObject *value;
    bool ok;
    int i;

    if (!enter(self) || !PyArg_ParseTuple(args, "iO", &i, &value))
        return NULL;
    if (value != Py_None) {
        inlay_type type = i >= 0 && i < self->model->g->n_variables
                              ? self->model->g->variables[i]->type
                              : INLAY_DYNAMIC;

        t = py_tensor_take(value, type, PY_READ, NULL);
        own = inlay_tensor_copy(t);
        inlay_tensor_release(t);
        if (!own)
            return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    d = inlay_diags_new();
    ok = inlay_session_set_variable(self->slot->session, i, own, d);
    inlay_tensor_release(own);
    if (!ok)
        return py_raise(d);
    inlay_diags_free(d);
    Py_RETURN_NONE;
}

static PyObject *get_kept(PyObject *object, PyObject *args)
{
    py_session *self = (py_session *)object;
    const inlay_tensor *t;
    int i;

    if (!enter(self) || !PyArg_ParseTuple(args, "i", &i))
        return NULL;
    t = inlay_session_kept(self->slot->session, i);
    if (!t)
        Py_RETURN_NONE;
    return py_array_of(inlay_tensor_copy(t), false);
}

static PyObject *get_stats(PyObject *self, void *closure)
{
    (void)closure;
    return enter((py_session *)self) ? py_slot_stats(((py_session *)self)->slot) : NULL;
}

static PyObject *get_model(PyObject *self, void *closure)
{
    PyObject *model = (PyObject *)((py_session *)self)->model;

    (void)closure;
    Py_INCREF(model);
    return model;
}

static PyObject *get_keep(PyObject *self, void *closure)
{
    PyObject *keep = ((py_session *)self)->model->keep;

    (void)closure;
    Py_INCREF(keep);
    return keep;
}

static void destroy_session(PyObject *object)
{
    py_session *self = (py_session *)object;

    py_slot_free(self->slot);
    Py_XDECREF((PyObject *)self->model);
    py_object_free(object);
}

static PyGetSetDef session_properties[] = {
    {"stats", get_stats, NULL, "The numbers of the last run: bytes, steps, milliseconds.", NULL},
    {"model", get_model, NULL, "The model that it runs.", NULL},
    {"keep", get_keep, NULL, "The names of the values that it keeps.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef session_methods[] = {
    {"run", WITH_KEYWORDS(run_session), RUN_DOC},
    {"reset", reset, METH_NOARGS, "Forgets all variables."},
    {"cancel", cancel, METH_NOARGS, "Ends a run of another thread before its next step."},
    {"get_variable", get_variable, METH_VARARGS, "get_variable(i): a copy, None if reset."},
    {"set_variable", set_variable, METH_VARARGS, "set_variable(i, array or None)."},
    {"get_kept", get_kept, METH_VARARGS, "get_kept(i): value i of `keep` in the last run."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot session_slots[] = {
    {Py_tp_doc, "One user of a model, whose variables last from run to run. One thread at a time."},
    {Py_tp_dealloc, PY_SLOT(destroy_session)},
    {Py_tp_call, PY_SLOT(call_session)},
    {Py_tp_getset, session_properties},
    {Py_tp_methods, session_methods},
    {0, NULL}};

PyType_Spec py_session_spec = {"inlay.Session", sizeof(py_session), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               session_slots};
