/* What a run will do, as dicts: steps with their places, memory by value, and the totals. */
#include "py.h"

static PyObject *place(const inlay_plan_place *p)
{
    if (!p->value)
        Py_RETURN_NONE;
    return Py_BuildValue("{s:s,s:i,s:s,s:i,s:L,s:K,s:O}", "value", p->value->node->name, "output",
                         p->value->index, "root", p->root, "number", p->number, "offset",
                         (long long)p->offset, "bytes", (unsigned long long)p->bytes, "strided",
                         p->strided ? Py_True : Py_False);
}

static PyObject *places(const inlay_plan_place *list, int n)
{
    PyObject *result = PyList_New(0);

    for (int i = 0; result && list && i < n; i++) {
        PyObject *p = place(&list[i]);

        if (!p || PyList_Append(result, p) < 0)
            Py_CLEAR(result);
        Py_XDECREF(p);
    }
    return result;
}

static PyObject *steps_of(const inlay_plan_step *list, size_t n);

static PyObject *body(const inlay_plan_body *b)
{
    if (!b->known)
        return Py_BuildValue("{s:s,s:O}", "role", b->body->role, "known", Py_False);
    return Py_BuildValue(
        "{s:s,s:O,s:O,s:L,s:K,s:K,s:K,s:N}", "role", b->body->role, "known", Py_True, "repeats",
        b->repeats ? Py_True : Py_False, "iterations", (long long)b->iterations, "bytes",
        (unsigned long long)b->bytes, "copied_first", (unsigned long long)b->copied_first,
        "copied_each", (unsigned long long)b->copied_each, "steps", steps_of(b->steps, b->n_steps));
}

static PyObject *bodies(const inlay_plan_step *s)
{
    PyObject *list = PyList_New(0);

    for (int i = 0; list && i < s->n_bodies; i++) {
        PyObject *b = body(&s->bodies[i]);

        if (!b || PyList_Append(list, b) < 0)
            Py_CLEAR(list);
        Py_XDECREF(b);
    }
    return list;
}

static PyObject *step(const inlay_plan_step *s)
{
    char op[160];

    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:i,s:O,s:K,s:N,s:N,s:N}", "name", s->node->name, "op",
                         inlay_op_text(s->node->op, op, sizeof op), "made", s->made, "kernel",
                         s->kernel ? s->kernel : "own", "group", s->group, "in_place",
                         s->in_place ? Py_True : Py_False, "copied_bytes",
                         (unsigned long long)s->copied_bytes, "inputs",
                         places(s->in, s->node->n_in), "outputs", places(s->out, s->node->n_out),
                         "bodies", bodies(s));
}

/* Recursive; readers limit how deep bodies are. */
static PyObject *steps_of(const inlay_plan_step *list, size_t n)
{
    PyObject *result = PyList_New(0);

    for (size_t i = 0; result && i < n; i++) {
        PyObject *s = step(&list[i]);

        if (!s || PyList_Append(result, s) < 0)
            Py_CLEAR(result);
        Py_XDECREF(s);
    }
    return result;
}

static PyObject *values_of(const inlay_memory_plan *m)
{
    static const char *const words[] = {"fresh", "view of", "overwrites", "into"};
    PyObject *list = PyList_New(0);

    for (size_t i = 0; list && i < m->n_values; i++) {
        const inlay_value_plan *v = &m->values[i];
        PyObject *row = Py_BuildValue("{s:s,s:i,s:K,s:s,s:n,s:n}", "value", v->value->node->name,
                                      "output", v->value->index, "bytes",
                                      (unsigned long long)v->bytes, "place", words[v->place],
                                      "made", (Py_ssize_t)v->made, "last", (Py_ssize_t)v->last);

        if (!row || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *all(const inlay_program_plan *p, const inlay_memory_plan *m)
{
    return Py_BuildValue(
        "{s:N,s:N,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:z,s:O}", "steps", steps_of(p->steps, p->n_steps),
        "values", values_of(m), "arena_bytes", (unsigned long long)p->arena_bytes,
        "lower_bound_bytes", (unsigned long long)p->lower_bound_bytes, "copied_bytes",
        (unsigned long long)p->copied_bytes, "input_copies", (unsigned long long)p->input_copies,
        "saved_bytes", (unsigned long long)p->saved_bytes, "peak_bytes",
        (unsigned long long)m->peak_bytes, "fresh_peak_bytes",
        (unsigned long long)m->fresh_peak_bytes, "peak_at", m->peak_at ? m->peak_at->name : NULL,
        "about", p->about || m->about || m->unknown > 0 ? Py_True : Py_False);
}

PyObject *py_plan(PyObject *module, PyObject *args)
{
    inlay_program_plan plan = {0};
    inlay_memory_plan memory = {0};
    const char *word = "portable";
    PyObject *object, *result;
    inlay_kernels kernels;
    const inlay_graph *g;
    inlay_diags *d;

    (void)module;
    if (!PyArg_ParseTuple(args, "O|s", &object, &word) || !(g = py_graph_in(object, false)) ||
        !py_kernels_named(word, &kernels))
        return NULL;
    d = inlay_diags_new();
    if (!inlay_program_plan_make(g, kernels, &plan, d))
        return py_raise(d);
    if (!inlay_memory_plan_make(g, &memory, d)) {
        inlay_program_plan_free(&plan);
        return py_raise(d);
    }
    result = all(&plan, &memory);
    inlay_program_plan_free(&plan);
    inlay_memory_plan_free(&memory);
    inlay_diags_free(d);
    return result;
}
