/* Messages of the library as exceptions, and exceptions of functions in Python as messages. */
#include "py.h"

#include <string.h>

static PyObject *notes_of(const inlay_diags *d)
{
    PyObject *notes = PyList_New(0);

    for (size_t i = 0; notes && i < inlay_diags_count(d); i++) {
        const inlay_diag *m = inlay_diags_at(d, i);
        PyObject *text = m->severity == INLAY_ERROR ? NULL : PyUnicode_FromString(m->text);

        if (text && PyList_Append(notes, text) < 0)
            Py_CLEAR(notes);
        Py_XDECREF(text);
    }
    return notes;
}

static PyObject *error_of(const inlay_diags *d)
{
    const inlay_diag *e = inlay_diags_error(d);
    PyObject *notes = notes_of(d);

    if (!notes)
        return NULL;
    if (!e)
        return py_hook("error", Py_BuildValue("(isIsN)", (int)INLAY_NO_RESOURCE, NULL, 0,
                                              "out of memory", notes));
    return py_hook("error",
                   Py_BuildValue("(izIsN)", (int)e->status, e->file, e->line, e->text, notes));
}

bool py_stopped(void)
{
    py_state *state = py_state_get();
    PyObject *raised = state->raised;
    bool stop = raised && !PyErr_GivenExceptionMatches(raised, PyExc_Exception);

    state->raised = NULL;
    if (stop)
        PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
    Py_XDECREF(raised);
    return stop;
}

PyObject *py_raise(inlay_diags *d)
{
    py_state *state = py_state_get();
    PyObject *cause = state->raised, *error;

    state->raised = NULL;
    if (cause && (!inlay_diags_error(d) || !PyErr_GivenExceptionMatches(cause, PyExc_Exception))) {
        error = cause; /* an interrupt stays one; and of this the library knows nothing */
        cause = NULL;
    } else
        error = error_of(d);
    inlay_diags_free(d);
    if (!error) {
        Py_XDECREF(cause);
        return NULL;
    }
    if (cause)
        PyException_SetCause(error, cause);
    PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_DECREF(error);
    return NULL;
}

PyObject *py_ended(bool ok, inlay_diags *d)
{
    if (PyErr_Occurred()) {
        inlay_diags_free(d);
        return NULL;
    }
    if (!ok)
        return py_raise(d);
    inlay_diags_free(d);
    Py_RETURN_NONE;
}

bool py_warn(inlay_diags *d)
{
    bool ok = !py_stopped();

    for (size_t i = 0; ok && i < inlay_diags_count(d); i++) {
        const inlay_diag *m = inlay_diags_at(d, i);
        PyObject *said;

        if (m->severity != INLAY_WARNING)
            continue;
        said = py_hook("warn", Py_BuildValue("(zIs)", m->file, m->line, m->text));
        ok = said != NULL;
        Py_XDECREF(said);
    }
    inlay_diags_free(d);
    return ok;
}

void py_exception_text(char *buf, size_t size)
{
    PyObject *type, *value, *trace, *text;

    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    text = value ? py_hook("exception_text", PyTuple_Pack(1, value)) : NULL;
    *buf = '\0';
    if (text) {
        const char *utf8 = PyUnicode_AsUTF8AndSize(text, NULL);

        if (utf8)
            PyOS_snprintf(buf, size, "%s", utf8);
    }
    Py_XDECREF(text);
    PyErr_Clear();
    PyErr_Restore(type, value, trace);
}

bool py_keep_exception(const char *what, inlay_diags *d)
{
    py_state *state = py_state_get();
    PyObject *type, *value, *trace;
    char text[400];

    py_exception_text(text, sizeof text);
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value && trace)
        PyException_SetTraceback(value, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    if (state->raised)
        Py_XDECREF(value); /* the first one counts */
    else
        state->raised = value;
    return inlay_fail(d, NULL, "%s raised %s", what, text);
}

bool py_interrupted(inlay_diags *d)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *raised = py_state_get()->raised;
    bool stop = raised && !PyErr_GivenExceptionMatches(raised, PyExc_Exception);

    if (!stop && PyErr_CheckSignals() < 0) {
        py_keep_exception("the handler of a signal", d);
        stop = true;
    }
    PyGILState_Release(gil);
    return stop;
}
