/* Comparing graphs: verify, the first values that differ, diff, reduce, made-up inputs. */
#include "py.h"

#include <string.h>

/* ---- evaluators that end at Ctrl-C ---- */

struct stoppable {
    inlay_evaluator inner;
    inlay_exec_options limits;
};

static bool eval_node(void *ctx, const inlay_node *n, const inlay_tensor *const *in,
                      inlay_tensor **out, inlay_diags *d)
{
    const struct stoppable *s = ctx;

    return s->inner.eval_node(s->inner.ctx, n, in, out, d);
}

static bool eval_graph(void *ctx, const inlay_graph *g, const inlay_tensor *const *in,
                       inlay_tensor **out, inlay_tensor **variables, inlay_diags *d)
{
    const struct stoppable *s = ctx;

    if (py_interrupted(NULL)) {
        memset(out, 0, (size_t)g->n_results * sizeof *out);
        return inlay_fail_resource(d, NULL, "interrupted");
    }
    return s->inner.eval_graph(s->inner.ctx, g, in, out, variables, d);
}

/* EXECUTOR "": the planned one where G has notes, else the reference. */
static bool evaluator(struct stoppable *s, const char *executor, const inlay_graph *g,
                      inlay_evaluator *out)
{
    inlay_exec_mode mode = g->has_notes ? INLAY_EXEC_PLANNED : INLAY_EXEC_REFERENCE;

    if (*executor && !py_mode_named(executor, &mode))
        return false;
    s->inner = mode == INLAY_EXEC_PLANNED ? inlay_planned_evaluator(&s->limits)
                                          : inlay_reference_evaluator(&s->limits);
    *out = (inlay_evaluator){eval_node, eval_graph, s};
    return true;
}

/* ---- lists of tensors ---- */

static PyObject *tensors_of(inlay_tensor **list, int n)
{
    PyObject *result = PyList_New(n);

    for (int i = 0; i < n; i++) {
        PyObject *t = list[i] ? py_tensor_of(list[i], false) : Py_NewRef(Py_None);

        if (!result || !t)
            Py_XDECREF(t);
        else
            PyList_SetItem(result, i, t);
        list[i] = NULL;
    }
    return result;
}

static void release_all(inlay_tensor **list, int n)
{
    for (int i = 0; list && i < n; i++)
        inlay_tensor_release(list[i]);
    PyMem_Free(list);
}

/* INPUTS: a dict of arrays by name, of some of G's inputs. NULL after raising. */
static inlay_tensor **tensors_in(PyObject *inputs, const inlay_graph *g)
{
    inlay_tensor **list = PyMem_Calloc((size_t)g->n_params + 1, sizeof *list);
    PyObject *key, *value;
    Py_ssize_t at = 0, n;

    if (!list)
        PyErr_NoMemory();
    while (list && PyDict_Next(inputs, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, &n);
        int i = name ? inlay_graph_find_input(g, name, (size_t)n) : INLAY_NO_SUCH;

        if (i >= 0 && !list[i])
            list[i] = py_tensor_take(value, g->params[i]->out[0].fact.type, PY_READ, NULL);
        else if (!PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "there is no input %R", key);
        if (PyErr_Occurred()) {
            release_all(list, g->n_params);
            list = NULL;
        }
    }
    return list;
}

/* ---- verify ---- */

struct verify {
    PyObject *a, *b, *shapes, *inputs;
    const char *run_a, *run_b;
    inlay_verify_options o;
    long long exhaustive;
};

static bool read_verify(struct verify *v, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"a",      "b",        "run_a",      "run_b",      "trials",
                            "seed",   "rtol",     "atol",       "ulp",        "shapes",
                            "inputs", "may_mend", "exhaustive", "max_memory", NULL};
    unsigned long long seed = 0, ulp = 0, memory = 0;
    int mend = 0;

    v->run_a = v->run_b = "";
    v->shapes = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|ssiKddKOO!pLK", names, &v->a, &v->b,
                                     &v->run_a, &v->run_b, &v->o.trials, &seed,
                                     &v->o.tolerance.rtol, &v->o.tolerance.atol, &ulp, &v->shapes,
                                     &PyDict_Type, &v->inputs, &mend, &v->exhaustive, &memory))
        return false;
    v->o.seed = seed;
    v->o.tolerance.ulp = ulp;
    v->o.may_mend = mend;
    v->o.max_memory = memory;
    return true;
}

static PyObject *verdict(const inlay_graph *a, const struct verify *v, const inlay_verify_result *r,
                         inlay_tensor **kept)
{
    static const char *const words[] = {"same", "different", "inconclusive"};
    char untried[512] = "";

    if (r->verdict == INLAY_SAME && v->exhaustive == 0)
        inlay_verify_untried(a, &v->o, untried, sizeof untried);
    return Py_BuildValue("(siiKsssN)", words[r->verdict], r->trials, r->counted,
                         (unsigned long long)r->seed, r->why, r->missed, untried,
                         tensors_of(kept, a->n_params));
}

static PyObject *verify(struct verify *v, const inlay_graph *a, const inlay_graph *b)
{
    struct stoppable first = {.limits = {.max_iterations = 100000}}, second = first;
    inlay_evaluator ea, eb;
    inlay_diags *d = inlay_diags_new();
    inlay_verify_result r;
    PyObject *result = NULL;
    bool ok;

    if (!evaluator(&first, *v->run_a ? v->run_a : "reference", a, &ea) ||
        !evaluator(&second, v->run_b, b, &eb)) {
        inlay_diags_free(d);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS;
    ok = v->exhaustive > 0 ? inlay_verify_exhaustive(a, &ea, b, &eb, &v->o, v->exhaustive, &r, d)
                           : inlay_verify(a, &ea, b, &eb, &v->o, &r, d);
    Py_END_ALLOW_THREADS;
    if (!ok)
        return py_raise(d);
    result = verdict(a, v, &r, v->o.kept);
    if (!py_warn(d))
        Py_CLEAR(result);
    return result;
}

PyObject *py_verify(PyObject *module, PyObject *args, PyObject *keywords)
{
    struct verify v = {0};
    const inlay_graph *a, *b;
    inlay_shape *shapes = NULL;
    inlay_tensor **given = NULL, **kept;
    PyObject *result = NULL;

    (void)module;
    if (!read_verify(&v, args, keywords) || !(a = py_graph_in(v.a, false)) ||
        !(b = py_graph_in(v.b, false)) || !py_shapes_from(v.shapes, a, &shapes))
        return NULL;
    kept = PyMem_Calloc((size_t)a->n_params + 1, sizeof *kept);
    if (v.inputs)
        given = tensors_in(v.inputs, a);
    v.o.shapes = shapes;
    v.o.inputs = given;
    v.o.kept = kept;
    if (kept && !PyErr_Occurred())
        result = verify(&v, a, b);
    release_all(given, a->n_params);
    release_all(kept, a->n_params);
    PyMem_Free(shapes);
    return result;
}

PyObject *py_find_difference(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"a", "b", "inputs", "run_a", "run_b", "rtol", "atol", "ulp", NULL};
    struct stoppable first = {.limits = {.max_iterations = 100000}}, second = first;
    const char *run_a = "reference", *run_b = "reference";
    PyObject *pa, *pb, *inputs, *result = NULL;
    inlay_compare_options tolerance = {0};
    inlay_value_difference out;
    const inlay_graph *a, *b;
    unsigned long long ulp = 0;
    inlay_evaluator ea, eb;
    inlay_tensor **in;
    inlay_diags *d;
    bool ok;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO!|ssddK", names, &pa, &pb, &PyDict_Type,
                                     &inputs, &run_a, &run_b, &tolerance.rtol, &tolerance.atol,
                                     &ulp) ||
        !(a = py_graph_in(pa, false)) || !(b = py_graph_in(pb, false)) ||
        !evaluator(&first, run_a, a, &ea) || !evaluator(&second, run_b, b, &eb) ||
        !(in = tensors_in(inputs, a)))
        return NULL;
    tolerance.ulp = ulp;
    d = inlay_diags_new();
    Py_BEGIN_ALLOW_THREADS;
    ok =
        inlay_find_difference(a, &ea, b, &eb, (const inlay_tensor *const *)in, &tolerance, &out, d);
    Py_END_ALLOW_THREADS;
    release_all(in, a->n_params);
    if (!ok)
        return py_raise(d);
    if (!py_warn(d))
        return NULL;
    result = Py_BuildValue("(NNns)", py_value_of(pa, out.a), py_value_of(pb, out.b),
                           (Py_ssize_t)out.compared, out.why);
    return result;
}

PyObject *py_make_inputs(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"graph", "seed", "fill", "shapes", "inputs", NULL};
    PyObject *graph, *sizes = Py_None, *inputs = NULL, *result = NULL;
    const char *fill = "random";
    inlay_make_options o = {0};
    unsigned long long seed = 0;
    const inlay_graph *g;
    inlay_shape *shapes;
    inlay_tensor **in = NULL;
    inlay_fill *fills, word;
    inlay_diags *d;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|KsOO!", names, &graph, &seed, &fill, &sizes,
                                     &PyDict_Type, &inputs) ||
        !(g = py_graph_in(graph, false)) || !py_shapes_from(sizes, g, &shapes))
        return NULL;
    if (!inlay_fill_by_name(fill, &word)) {
        PyMem_Free(shapes);
        return PyErr_Format(PyExc_ValueError, "fill \"%s\": random, zeros, ones or iota", fill);
    }
    fills = PyMem_Calloc((size_t)g->n_params + 1, sizeof *fills);
    for (int i = 0; fills && i < g->n_params; i++)
        fills[i] = word;
    o.seed = seed;
    o.shapes = shapes;
    o.fills = fills;
    in = inputs ? tensors_in(inputs, g) : PyMem_Calloc((size_t)g->n_params + 1, sizeof *in);
    d = inlay_diags_new();
    if (in && fills && inlay_make_inputs(g, &o, in, d)) {
        result = tensors_of(in, g->n_params);
        inlay_diags_free(d);
    } else if (PyErr_Occurred())
        inlay_diags_free(d);
    else
        py_raise(d);
    release_all(in, g->n_params);
    PyMem_Free(fills);
    PyMem_Free(shapes);
    return result;
}

/* ---- diff ---- */

/* (node of A or None, node of B or None, changes as bits). */
PyObject *py_diff(PyObject *module, PyObject *args)
{
    PyObject *pa, *pb, *list;
    const inlay_graph *a, *b;
    inlay_diff diff = {0};
    inlay_diags *d;

    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &pa, &pb) || !(a = py_graph_in(pa, false)) ||
        !(b = py_graph_in(pb, false)))
        return NULL;
    d = inlay_diags_new();
    if (!inlay_diff_graphs(a, b, &diff, d))
        return py_raise(d);
    inlay_diags_free(d);
    list = PyList_New(0);
    for (size_t i = 0; list && i < diff.n; i++) {
        PyObject *row = Py_BuildValue("(NNI)", py_node_of(pa, diff.pairs[i].a),
                                      py_node_of(pb, diff.pairs[i].b), diff.pairs[i].changes);

        if (!row || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    inlay_diff_free(&diff);
    return list;
}

/* ---- reduce ---- */

static bool call_keeps(PyObject *function, const inlay_graph *g)
{
    PyObject *graph = py_graph_of(inlay_graph_clone(g, NULL), NULL);
    PyObject *answer = graph ? PyObject_CallFunctionObjArgs(function, graph, NULL) : NULL;
    int yes = answer ? PyObject_IsTrue(answer) : -1;

    Py_XDECREF(answer);
    Py_XDECREF(graph);
    if (yes < 0)
        py_keep_exception("the test", NULL);
    return yes == 1;
}

static bool keeps(void *ctx, const inlay_graph *g)
{
    PyGILState_STATE gil;
    bool yes;

    if (py_interrupted(NULL))
        return false;
    gil = PyGILState_Ensure();
    yes = !py_state_get()->raised && call_keeps(ctx, g);
    PyGILState_Release(gil);
    return yes;
}

/* reduce(graph, keeps, tries): (graph, nodes before, tried, kept, exhausted) */
PyObject *py_reduce(PyObject *module, PyObject *args)
{
    inlay_reduce_options o = {.keeps = keeps};
    PyObject *graph, *function;
    inlay_reduce_result r;
    const inlay_graph *g;
    inlay_diags *d;
    bool ok;

    (void)module;
    if (!PyArg_ParseTuple(args, "OO|i", &graph, &function, &o.tries) ||
        !(g = py_graph_in(graph, false)))
        return NULL;
    o.ctx = function;
    d = inlay_diags_new();
    Py_BEGIN_ALLOW_THREADS;
    ok = inlay_reduce(g, &o, &r, d);
    Py_END_ALLOW_THREADS;
    if (!ok || py_state_get()->raised) {
        if (ok)
            inlay_graph_free(r.graph);
        return py_raise(d);
    }
    inlay_diags_free(d);
    return Py_BuildValue("(NniiO)", py_graph_of(r.graph, NULL), (Py_ssize_t)r.before, r.tried,
                         r.kept, r.exhausted ? Py_True : Py_False);
}
