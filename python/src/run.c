/* A run: inputs in, the GIL released, outputs out. Ctrl-C cancels a run of the main thread. */
#include "py.h"

#include <signal.h>
#include <string.h>
#include <time.h>

/* ---- Ctrl-C ----
 *
 * CPython's handler only notes the signal until the interpreter runs again, which it does not
 * while a run goes on. So a handler of ours stands before it, which also cancels the run. */

static inlay_session *volatile watched; /* what the main thread runs */
static struct sigaction before;         /* the handler that ours calls */
static unsigned long main_thread;

static void on_signal(int number, siginfo_t *info, void *context)
{
    inlay_session_cancel(watched);
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(number, info, context);
    else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        before.sa_handler(number);
}

static void install(void)
{
    struct sigaction now, ours = {.sa_sigaction = on_signal};

    if (sigaction(SIGINT, NULL, &now) != 0)
        return;
    if ((now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_signal) ||
        (!(now.sa_flags & SA_SIGINFO) && (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN)))
        return;
    before = now;
    ours.sa_mask = now.sa_mask;
    ours.sa_flags = now.sa_flags | SA_SIGINFO;
    sigaction(SIGINT, &ours, NULL);
}

/* The program may have put in a handler of its own; to ask for it costs more than a small run, so
 * that is done 20 times a second at most. */
static void watch(inlay_session *s)
{
    static int64_t asked;
    struct timespec now;
    int64_t tick;

    clock_gettime(CLOCK_MONOTONIC, &now);
    tick = (int64_t)now.tv_sec * 20 + now.tv_nsec / 50000000;
    if (tick != asked)
        install();
    asked = tick;
    watched = s;
}

bool py_run_watch(PyObject *module)
{
    PyObject *ident = py_hook("main_thread", PyTuple_New(0));

    (void)module;
    main_thread = ident ? PyLong_AsUnsignedLong(ident) : 0;
    Py_XDECREF(ident);
    return !PyErr_Occurred();
}

static bool run_watched(py_slot *s)
{
    bool main = PyThread_get_thread_ident() == main_thread, ok;
    inlay_session *outer = watched; /* whose kernel in Python calls this model */

    if (main)
        watch(s->session);
    Py_BEGIN_ALLOW_THREADS;
    ok = inlay_session_run(s->session, s->in, s->donated, s->out, s->diags);
    Py_END_ALLOW_THREADS;
    if (main)
        watched = outer;
    return ok;
}

/* ---- inputs ---- */

static void release_inputs(const py_model *m, py_slot *s)
{
    for (int i = 0; i < m->g->n_params; i++) {
        if (!s->borrowed[i])
            inlay_tensor_release(s->in[i]);
        s->in[i] = NULL;
        s->donated[i] = s->borrowed[i] = false;
    }
}

/* Adds to the exception that is set which input it is about. */
static void note_input(const char *name)
{
    PyObject *type, *value, *trace, *done;

    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    done = PyObject_CallMethod(value, "add_note", "N",
                               PyUnicode_FromFormat("for the input \"%s\"", name));
    Py_XDECREF(done);
    PyErr_Restore(type, value, trace);
}

static bool set_input(const py_model *m, py_slot *s, int i, PyObject *object)
{
    const inlay_node *p = m->g->params[i];

    if (s->in[i]) {
        PyErr_Format(PyExc_TypeError, "input \"%s\" is given twice", p->name);
        return false;
    }
    s->in[i] = py_tensor_take(object, p->out[0].fact.type, s->donated[i] ? PY_DONATE : PY_READ,
                              &s->borrowed[i]);
    if (!s->in[i])
        note_input(p->name);
    return s->in[i] != NULL;
}

/* The number of the input called KEY; -1 after raising. */
static int find_input(const py_model *m, PyObject *key)
{
    Py_ssize_t n = 0;
    const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, &n) : NULL;
    int i = name ? inlay_graph_find_input(m->g, name, (size_t)n) : INLAY_NO_SUCH;

    if (i < 0)
        Py_XDECREF(py_hook("no_input", Py_BuildValue("(OO)", key, m->graph)));
    return i < 0 ? -1 : i;
}

static bool set_named(const py_model *m, py_slot *s, PyObject *inputs)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;

    while (PyDict_Next(inputs, &at, &key, &value)) {
        int i = find_input(m, key);

        if (i < 0 || !set_input(m, s, i, value))
            return false;
    }
    return true;
}

static bool are_all_given(const py_model *m, const py_slot *s)
{
    for (int i = 0; i < m->g->n_params; i++) {
        if (!s->in[i]) {
            PyErr_Format(PyExc_TypeError, "input \"%s\" is not given", m->g->params[i]->name);
            return false;
        }
    }
    return true;
}

/* ---- outputs ---- */

static PyObject *output_of(inlay_tensor *t, bool tensor)
{
    return tensor ? py_tensor_of(t, false) : py_array_of(t, false);
}

/* A dict of all outputs; those bound in OUT are the caller's own arrays. */
static PyObject *dict_of(const py_model *m, py_slot *s, PyObject *out, bool tensors)
{
    PyObject *dict = PyDict_New();

    for (int i = 0; i < m->g->n_results; i++) {
        PyObject *name = PyLong_FromLong(i), *given = NULL, *value;

        if (out && name)
            given = PyDict_GetItemWithError(out, name);
        Py_XDECREF(name);
        Py_XINCREF(given);
        if (given)
            inlay_tensor_release(s->out[i]);
        value = given ? given : output_of(s->out[i], tensors);
        s->out[i] = NULL;
        if (dict && (!value || PyDict_SetItemString(dict, m->result_names[i], value) < 0))
            Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

static PyObject *failed(py_slot *s)
{
    inlay_diags *d = s->diags;

    s->diags = inlay_diags_new();
    if (PyErr_CheckSignals() < 0) {
        inlay_diags_free(d);
        return NULL;
    }
    return py_raise(d);
}

PyObject *py_run_call(const py_model *m, py_slot *s, PyObject *args, PyObject *keywords)
{
    Py_ssize_t n = PyTuple_Size(args);
    PyObject *result = NULL;
    bool ok = true;

    if (n > m->g->n_params) {
        PyErr_Format(PyExc_TypeError, "the model has %d input%s, %zd were given", m->g->n_params,
                     m->g->n_params == 1 ? "" : "s", n);
        return NULL;
    }
    for (Py_ssize_t i = 0; ok && i < n; i++)
        ok = set_input(m, s, (int)i, PyTuple_GetItem(args, i));
    ok = ok && (!keywords || set_named(m, s, keywords)) && are_all_given(m, s);
    if (ok && !run_watched(s))
        failed(s);
    else if (ok && m->g->n_results == 1) {
        result = py_array_of(s->out[0], false);
        s->out[0] = NULL;
    } else if (ok)
        result = dict_of(m, s, NULL, false);
    release_inputs(m, s);
    return result;
}

/* ---- donate and out ---- */

static bool mark_donated(const py_model *m, py_slot *s, PyObject *donate)
{
    PyObject *list = PySequence_List(donate);
    bool ok = list != NULL;

    if (PyUnicode_Check(donate)) {
        PyErr_SetString(PyExc_TypeError, "donate is a list of names of inputs");
        ok = false;
    }
    for (Py_ssize_t k = 0; ok && k < PyList_Size(list); k++) {
        int i = find_input(m, PyList_GetItem(list, k));

        ok = i >= 0;
        if (ok)
            s->donated[i] = true;
    }
    Py_XDECREF(list);
    return ok;
}

/* What was donated says so from now on. */
static bool tell_donated(const py_model *m, py_slot *s, PyObject *inputs)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    bool ok = true;

    while (ok && PyDict_Next(inputs, &at, &key, &value)) {
        int i = find_input(m, key);
        PyObject *done;

        if (i < 0 || !s->donated[i])
            continue;
        done = py_hook("gave_away", Py_BuildValue("(OO)", value, key));
        ok = done != NULL;
        Py_XDECREF(done);
    }
    return ok;
}

static bool bind(py_slot *s, int i, PyObject *object, inlay_type type)
{
    inlay_tensor *t = py_tensor_take(object, type, PY_WRITE, NULL);
    bool ok = t && inlay_session_bind_output(s->session, i, t, s->diags);

    inlay_tensor_release(t);
    return ok;
}

/* OUT: arrays by name. *BOUND receives them by number. */
static bool bind_outputs(const py_model *m, py_slot *s, PyObject *out, PyObject **bound)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    bool ok = true;

    *bound = PyDict_New();
    while (ok && *bound && PyDict_Next(out, &at, &key, &value)) {
        const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
        int i = name ? inlay_graph_find_output(m->g, m->result_names, name, strlen(name)) : -1;
        PyObject *number = PyLong_FromLong(i);

        if (i < 0)
            Py_XDECREF(py_hook("no_output", Py_BuildValue("(OO)", key, m->graph)));
        ok = number && i >= 0 && PyDict_SetItem(*bound, number, value) == 0 &&
             bind(s, i, value, m->g->results[i]->in[0].value->fact.type);
        Py_XDECREF(number);
    }
    return ok && *bound;
}

static void unbind(const py_model *m, py_slot *s, PyObject *bound)
{
    for (int i = 0; bound && i < m->g->n_results; i++)
        inlay_session_bind_output(s->session, i, NULL, NULL);
}

static PyObject *run_prepared(const py_model *m, py_slot *s, PyObject *inputs, PyObject *bound,
                              int tensors)
{
    bool ok = run_watched(s), told = tell_donated(m, s, inputs);
    PyObject *result;

    if (!ok) {
        PyErr_Clear();
        return failed(s);
    }
    result = dict_of(m, s, bound, tensors);
    if (!told)
        Py_CLEAR(result);
    return result;
}

PyObject *py_run_full(const py_model *m, py_slot *s, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"inputs", "donate", "out", "tensors", NULL};
    PyObject *inputs, *donate = NULL, *out = Py_None, *bound = NULL, *result = NULL;
    int tensors = 0;
    bool ok;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!|$OOp", names, &PyDict_Type, &inputs,
                                     &donate, &out, &tensors))
        return NULL;
    if (out != Py_None && !PyDict_Check(out)) {
        PyErr_SetString(PyExc_TypeError, "out is a dict of arrays by name of output");
        return NULL;
    }
    ok = (!donate || mark_donated(m, s, donate)) && set_named(m, s, inputs) && are_all_given(m, s);
    if (ok && out != Py_None)
        ok = bind_outputs(m, s, out, &bound);
    if (ok)
        result = run_prepared(m, s, inputs, bound, tensors);
    else if (!PyErr_Occurred())
        failed(s);
    unbind(m, s, bound);
    release_inputs(m, s);
    Py_XDECREF(bound);
    return result;
}
