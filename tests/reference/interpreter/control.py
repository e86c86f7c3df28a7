"""Variables, and the operations with bodies."""

import math

import numpy as np

from .operands import axis_of, integer, integers, joined_slack
from .registry import Fault, Unknown, Unsupported, check, operation
from .tensor import Tensor, fits


# ---- variables: what ReadValue gives is the state as it was when this run of the graph began ----


@operation("ReadValue", "opset3", "opset6")
def read_value(node, init=None, run=None):
    name = node.text("variable_id")
    state = run.before.get(name)
    if state is not None:
        return state
    row = run.graph.variables.get(name, {})
    if init is not None:
        check("shape" not in row or fits(row["shape"], init.shape), f"an initial value of shape {init.shape}")
        return init
    type_ = node.text("variable_type", row.get("type"))
    shape = node.attributes.get("variable_shape", row.get("shape"))
    return Tensor(type_, np.zeros([int(n) for n in shape]))


@operation("Assign", "opset3", "opset6")
def assign(node, value, run=None):
    row = run.graph.variables.get(node.text("variable_id"))
    check(row is None or fits(row["shape"], value.shape), f"a state of shape {value.shape}")
    run.assigned[node.text("variable_id")] = value
    return value


def run_body(graph, inputs, run, state):
    """A body sees the variables as the invocation before it left them."""
    return graph.run_with(inputs, state, state)


def finish_state(run, before, state):
    for name, value in state.items():
        if before.get(name) is not value:
            run.assigned[name] = value


# ---- port maps ----


class Body:
    def __init__(self, node, key, ports, folder):
        from .graph import Graph

        self.graph = Graph(node.row[key], folder, is_body=True)
        self.names = {row["name"]: i for i, row in enumerate(self.graph.inputs)}
        entries = node.row.get(ports, {})
        self.inputs, self.outputs = entries.get("input", []), entries.get("output", [])
        self.back = node.row.get("back_edges", [])

    def parameter(self, entry):
        return self.names[entry["internal_layer_id"] if "internal_layer_id" in entry else entry["to-layer"]]

    def result(self, name):
        for kind in (0, 1):  # the name of the Result, else that of its value
            for i in range(len(self.graph.outputs)):
                if self.graph.output_names(i)[kind] == name:
                    return i
        raise Fault(f"{name} is no output of the body")


def external(entry):
    return int(entry.get("external_port_id", -1))


@operation("If", "opset8")
def if_8(node, cond, *inputs, run=None):
    if cond.slack:
        raise Unknown("a branch that depends on a sum")
    taken = integer(cond) if cond.array.size else 0
    key = "then" if taken else "else"
    body = Body(node, f"{key}_body", f"{key}_port_map", run.graph.folder)
    given = [None] * len(body.graph.inputs)
    for entry in body.inputs:
        given[body.parameter(entry)] = ((cond,) + inputs)[external(entry)]
    state = dict(run.before)
    made = run_body(body.graph, given, run, state)
    finish_state(run, run.before, state)
    out = [None] * len(node.outputs)
    for entry in body.outputs:
        if external(entry) >= 0:
            out[external(entry)] = made[body.result(entry["internal_layer_id"])]
    return out


# ---- loops ----


def cut(entry, tensor):
    """(axis, where the parts of a sliced input begin, elements in a part). Start and end are
    positions, both included; below 0 they count from the last, which is -1."""
    axis = axis_of(int(entry["axis"]), tensor.rank)
    size, stride, part = tensor.shape[axis], int(entry.get("stride", 1)), int(entry.get("part_size", 1))
    start, end = int(entry.get("start", 0)), int(entry.get("end", -1))
    if size == 0:
        return axis, [], part
    start, end = (v + size if v < 0 else v for v in (start, end))
    low, high = (end, start) if stride < 0 else (start, end)
    check(0 <= low <= high < size, f"parts of [{low}, {high}] of {size}")
    count = max((high - low + 1 - part) // abs(stride) + 1, 0)
    first = low if stride > 0 else high - part + 1
    return axis, [first + stride * i for i in range(count)], part


def one_part(entry, tensor, iteration):
    axis, begins, n = cut(entry, tensor)
    check(iteration < len(begins), "the input has no part for this iteration")
    at = begins[iteration]
    return tensor.like(np.take(tensor.array, range(at, at + n), axis))


class Loop:
    """The iterations of a body, one at a time."""

    def __init__(self, node, inputs, run):
        self.node, self.inputs, self.run = node, inputs, run
        self.body = Body(node, "body", "port_map", run.graph.folder)
        self.state = dict(run.before)
        self.given = [None] * len(self.body.graph.inputs)
        for entry in self.body.inputs:
            if external(entry) >= 0:
                self.given[self.body.parameter(entry)] = inputs[external(entry)]
        self.results, self.joined, self.count = None, {}, 0

    def enter(self):
        for entry in self.body.inputs:
            i = self.body.parameter(entry)
            if entry.get("purpose") == "current_iteration":
                row = self.body.graph.inputs[i]
                shape = (1,) if row["shape"] != "..." and len(row["shape"]) == 1 else ()
                self.given[i] = Tensor(row["type"], np.full(shape, self.count))
            elif "axis" in entry:
                self.given[i] = one_part(entry, self.inputs[external(entry)], self.count)

    def iterate(self):
        self.enter()
        self.results = run_body(self.body.graph, list(self.given), self.run, self.state)
        for edge in self.body.back:
            self.given[self.body.names[edge["to-layer"]]] = self.results[self.body.result(edge["from-layer"])]
        for k, entry in enumerate(self.body.outputs):
            if "axis" in entry and external(entry) >= 0:
                self.joined.setdefault(k, []).append(self.results[self.body.result(entry["internal_layer_id"])])
        self.count += 1

    def wants_more(self):
        for entry in self.body.outputs:
            if entry.get("purpose") == "execution_condition":
                cond = self.results[self.body.result(entry["internal_layer_id"])]
                if cond.slack:
                    raise Unknown("a condition that depends on a sum")
                return bool(integer(cond))
        return True

    def finish(self):
        finish_state(self.run, self.run.before, self.state)
        numbers = sorted({external(e) for e in self.body.outputs if external(e) >= 0})
        out = [None] * max(len(self.node.outputs), len(numbers))
        for k, entry in enumerate(self.body.outputs):
            if external(entry) >= 0:
                out[external(entry)] = self.output(k, entry)
        return out

    def output(self, k, entry):
        i = self.body.result(entry["internal_layer_id"])
        if self.count == 0:
            return self.initial(entry, i)
        if "axis" not in entry:
            return self.results[i]
        made = self.joined[k]
        axis = axis_of(int(entry["axis"]), made[0].rank)
        for t in made:
            check(all(m == n for d, (m, n) in enumerate(zip(t.shape, made[0].shape)) if d != axis), "parts differ")
        made = list(reversed(made)) if int(entry.get("stride", 1)) < 0 else made
        return Tensor(made[0].type, np.concatenate([t.array for t in made], axis), joined_slack(*made))

    def initial(self, entry, i):
        """No iteration ran: the value that the first one would have been given."""
        if "axis" in entry:
            raise Unsupported("joined parts of no iteration")
        for edge in self.body.back:
            if self.body.result(edge["from-layer"]) == i:
                return self.given[self.body.names[edge["to-layer"]]]
        raise Fault("no iteration ran, and nothing is given instead")


@operation("Loop", "opset5")
def loop_5(node, trip_count, execution_condition, *inputs, run=None):
    loop = Loop(node, (trip_count, execution_condition) + inputs, run)
    trips = integer(trip_count)
    trips = math.inf if trips < 0 else trips
    more = bool(integers(execution_condition)[0])
    while more and loop.count < trips:
        loop.iterate()
        more = loop.wants_more()
        check(loop.count < 10000, "a loop that does not end")
    return loop.finish()


@operation("TensorIterator", "opset1")
def tensor_iterator_1(node, *inputs, run=None):
    loop = Loop(node, inputs, run)
    counts = {len(cut(e, inputs[external(e)])[1]) for e in loop.body.inputs if "axis" in e}
    check(len(counts) <= 1, "sliced inputs with different numbers of parts")
    for _ in range(counts.pop() if counts else 1):
        loop.iterate()
    return loop.finish()
