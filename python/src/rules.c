/* Rules: rewrites that are data, tried on graphs that are made up, and proven by a solver. */
#include "py.h"

#include <string.h>

PyObject *py_rules_parse(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"text", "name", "operations", NULL};
    const char *text, *name = "rules";
    PyObject *operations = Py_None;
    const inlay_op_set *ops;
    Py_ssize_t n;
    inlay_diags *d;
    py_rules *self;
    bool ok;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "s#|sO", names, &text, &n, &name, &operations))
        return NULL;
    ops = py_operations_in(operations, &ok);
    self = ok ? py_object_new(py_state_get()->rules) : NULL;
    if (!self)
        return NULL;
    d = inlay_diags_new();
    self->rules = inlay_rules_parse_of(ops, name, text, (size_t)n, d);
    if (!self->rules) {
        Py_DECREF((PyObject *)self);
        return py_raise(d);
    }
    if (!py_warn(d))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static Py_ssize_t count(PyObject *self)
{
    return (Py_ssize_t)inlay_rules_count(((py_rules *)self)->rules);
}

/* The rule of number I as (name, set, exactness, file, line). */
static PyObject *at(PyObject *self, Py_ssize_t i)
{
    inlay_rule_info r;

    if (i < 0 || i >= count(self)) {
        PyErr_SetString(PyExc_IndexError, "there is no such rule");
        return NULL;
    }
    r = inlay_rules_at(((py_rules *)self)->rules, (size_t)i);
    return Py_BuildValue("(ssszI)", r.name, r.set, inlay_exactness_text(r.exactness), r.file,
                         r.line);
}

static PyObject *check(PyObject *self, PyObject *args)
{
    const inlay_exec_options limits = {.max_iterations = 1000};
    inlay_check_options o = {.evaluator = inlay_reference_evaluator(&limits)};
    long long graphs = 0;
    unsigned long long seed = 0;
    inlay_diags *d;
    inlay_check c;
    PyObject *result = NULL;
    Py_ssize_t i;
    bool ok;

    if (!PyArg_ParseTuple(args, "n|LK", &i, &graphs, &seed))
        return NULL;
    o.graphs = graphs;
    o.seed = seed;
    d = inlay_diags_new();
    Py_BEGIN_ALLOW_THREADS;
    ok = inlay_check_rule(((py_rules *)self)->rules, (size_t)i, &o, &c, d);
    Py_END_ALLOW_THREADS;
    if (ok) {
        static const char *const words[] = {"passed", "refuted", "unknown"};

        result = Py_BuildValue("(sLLLKzs)", words[c.verdict], (long long)c.graphs,
                               (long long)c.rewritten, (long long)c.instances,
                               (unsigned long long)c.seed, c.counterexample, c.why);
        inlay_diags_free(d);
    } else
        py_raise(d);
    inlay_check_free(&c);
    return result;
}

/* Asks SOLVER, a function in Python from text to text. */
static bool ask(void *solver, const char *text, size_t n, inlay_strbuf *answer, inlay_diags *d)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *said = PyObject_CallFunction(solver, "s#", text, (Py_ssize_t)n);
    Py_ssize_t size = 0;
    const char *utf8 = said ? PyUnicode_AsUTF8AndSize(said, &size) : NULL;

    if (utf8)
        inlay_strbuf_add(answer, utf8, (size_t)size);
    else
        py_keep_exception("the solver", d);
    Py_XDECREF(said);
    PyGILState_Release(gil);
    return utf8 != NULL;
}

static PyObject *prove(PyObject *self, PyObject *args)
{
    const inlay_exec_options limits = {.max_iterations = 1000};
    inlay_prove_options o = {.solver = {ask, NULL},
                             .evaluator = inlay_reference_evaluator(&limits)};
    PyObject *solver, *result = NULL;
    inlay_proof p;
    inlay_diags *d;
    Py_ssize_t i;
    bool ok;

    if (!PyArg_ParseTuple(args, "nO", &i, &solver))
        return NULL;
    o.solver.ctx = solver;
    d = inlay_diags_new();
    Py_BEGIN_ALLOW_THREADS;
    ok = inlay_prove(((py_rules *)self)->rules, (size_t)i, &o, &p, d);
    Py_END_ALLOW_THREADS;
    if (ok) {
        static const char *const words[] = {"proven",
                                            "not proven",
                                            "refuted",
                                            "proven for",
                                            "proven over the reals",
                                            "proven over the reals for"};

        result = Py_BuildValue("(siiissz)", words[p.verdict], p.rank, p.cases, p.questions, p.why,
                               p.only, p.counterexample);
        inlay_diags_free(d);
    } else
        py_raise(d);
    inlay_proof_free(&p);
    return result;
}

static void destroy(PyObject *self)
{
    inlay_rules_free(((py_rules *)self)->rules);
    py_object_free(self);
}

static PyMethodDef methods[] = {
    {"check_one", check, METH_VARARGS, "check_one(i, graphs=0, seed=0)."},
    {"prove_one", prove, METH_VARARGS, "prove_one(i, solver)."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, "A set of rewrite rules."},
                              {Py_tp_dealloc, PY_SLOT(destroy)},
                              {Py_tp_methods, methods},
                              {Py_sq_length, PY_SLOT(count)},
                              {Py_sq_item, PY_SLOT(at)},
                              {0, NULL}};

PyType_Spec py_rules_spec = {"inlay.Rules", sizeof(py_rules), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
