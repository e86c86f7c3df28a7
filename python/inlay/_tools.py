"""Rewriting graphs, comparing them, and finding where they part."""

from __future__ import annotations

import inspect
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import (Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple,
                    Union)


from . import _inlay
from ._graph import Array, Shape, inputs as _inputs
from ._inlay import Graph, Node, Operations, Rules, Tensor, Value

Passes = Union[None, str, Callable[..., Any], Sequence[Union[str, Callable[..., Any]]]]
Model = Union[str, "os.PathLike[str]", Graph]


def _graph(m: Any) -> Graph:
    from ._graph import read

    if isinstance(m, _inlay.Model):
        return m.graph
    return m if isinstance(m, Graph) else read(m)


# ---- rules ----

@dataclass
class Check:
    """What trials say of a rule. verdict: "passed", "refuted" or "unknown"."""

    rule: str
    verdict: str
    graphs: int
    rewritten: int
    instances: int
    seed: int
    counterexample: Optional[Graph]
    why: str

    def __bool__(self) -> bool:
        return self.verdict == "passed"


@dataclass
class Proof:
    """What a solver says of a rule. verdict: "proven", "refuted", "not proven", "proven for"...

    only: for what it is proven, if not for all. counterexample: the graph before the rule.
    """

    rule: str
    verdict: str
    rank: int
    cases: int
    questions: int
    why: str
    only: str
    counterexample: Optional[Graph]

    def __bool__(self) -> bool:
        return self.verdict.startswith("proven")


def rule(text: str, name: str = "rules", *, operations: Optional[Operations] = None) -> Rules:
    """Rewrite rules from text: rule("rule twice exact: Negative(Negative(x)) => x")."""
    return _inlay.parse_rules(text, name=name, operations=operations)


def _read_rules(item: Union[Rules, str, "os.PathLike[str]"]) -> Rules:
    if isinstance(item, Rules):
        return item
    text = os.fspath(item)
    if "=>" in text:
        return rule(text)
    with open(text, encoding="utf-8") as f:
        return rule(f.read(), text)


def _parsed(text: Optional[str]) -> Optional[Graph]:
    return _inlay.read("counterexample", text.encode()) if text else None


def _check(self: Rules, graphs: int = 0, seed: int = 0) -> List[Check]:
    """Tries each rule on GRAPHS (0: a hundred or so) that are made up."""
    checks = []
    for i in range(len(self)):
        verdict, made, rewritten, instances, s, graph, why = self.check_one(i, graphs, seed)
        checks.append(Check(self[i][0], verdict, made, rewritten, instances, s, _parsed(graph),
                            why))
    return checks


def _z3(solver: str) -> Callable[[str], str]:
    if not shutil.which(solver):
        raise FileNotFoundError(f"{solver}: no such solver; Debian has z3")

    def ask(question: str) -> str:
        done = subprocess.run([solver, "-in", "-smt2"], input=question, text=True,
                              stdout=subprocess.PIPE, check=False)
        return done.stdout

    return ask


def _prove(self: Rules, solver: str = "z3") -> List[Proof]:
    """Asks SOLVER, a program that reads SMT-LIB 2, for a proof of each rule."""
    ask = _z3(solver)
    proofs = []
    for i in range(len(self)):
        verdict, rank, cases, questions, why, only, graph = self.prove_one(i, ask)
        proofs.append(Proof(self[i][0], verdict, rank, cases, questions, why, only,
                            _parsed(graph)))
    return proofs


# ---- passes ----

class Refusal(NamedTuple):
    """Why something is not done in place: the condition that does not hold, and what breaks it."""

    condition: str
    node: Optional[Node]
    bytes: int  # copied because of it; 0: not known
    why: str
    remark: Optional[str]


@dataclass(frozen=True)
class Decision:
    """One decision. It is true where it is made; else `refused` says why not."""

    made: bool
    refused: Optional[Refusal]
    remark: Optional[str] = None

    def __bool__(self) -> bool:
        return self.made


@dataclass(frozen=True)
class InPlace:
    """What was decided about a scatter. None: the question does not arise.

    overwrite: the result takes the buffer of the data. view: the slice copies nothing.
    into: the updates are computed in the window.
    """

    scatter: Node
    slice: Optional[Node]
    input: int
    overwrite: Optional[Decision]
    view: Optional[Decision]
    into: Optional[Decision]
    order_edges: int
    update_bytes: int


@dataclass(frozen=True)
class Copy:
    """What a node copies that no decision is about. input: of an operand, -1: its result."""

    node: Node
    bytes: int
    input: int
    view: Optional[Decision]
    into: Optional[Decision]


class Application(NamedTuple):
    """A rule or a pass changed the graph at one place."""

    serial: int
    pass_: str
    rule: Optional[str]
    at: str
    replaced: List[str]
    made: List[str]


class PassStats(NamedTuple):
    name: str
    changes: int
    ms: float
    steps: int


class Miss(NamedTuple):
    """A rule that did nothing, the place where it came nearest, and what was in the way."""

    rule: str
    at: Optional[str]
    why: Optional[str]


@dataclass(repr=False)
class Decisions(Sequence[InPlace]):
    """What happened while passes ran: a list of decisions, and the graph that came out."""

    graph: Graph
    decisions: List[InPlace] = field(default_factory=list)
    copies: List[Copy] = field(default_factory=list)
    applications: List[Application] = field(default_factory=list)
    passes: List[PassStats] = field(default_factory=list)
    misses: List[Miss] = field(default_factory=list)

    def __repr__(self) -> str:
        refused = sum(len([x for x in (d.overwrite, d.view, d.into) if x is not None and x.refused])
                      for d in self.decisions)
        return (f"<inlay.Decisions {len(self.decisions)} places, {refused} refusals, "
                f"{len(self.copies)} copies, {len(self.applications)} applications>")

    def __getitem__(self, i: Any) -> Any:
        return self.decisions[i]

    def __len__(self) -> int:
        return len(self.decisions)

    def __iter__(self) -> Iterator[InPlace]:
        return iter(self.decisions)


def _decision(d: Optional[Dict[str, Any]]) -> Optional[Decision]:
    if d is None:
        return None
    refused = None if d["made"] else Refusal(d["condition"], d["node"], d["bytes"], d["why"],
                                             d["remark"])
    return Decision(d["made"], refused, d["remark"])


def _record(log: Decisions, kind: str, name: str, what: Dict[str, Any]) -> None:
    if kind == "decided":
        log.decisions.append(InPlace(what["scatter"], what["slice"], what["input"],
                                     _decision(what["overwrite"]), _decision(what["view"]),
                                     _decision(what["into"]), what["order_edges"],
                                     what["update_bytes"]))
    elif kind == "copies":
        log.copies.append(Copy(what["node"], what["bytes"], what["input"],
                               _decision(what["view"]), _decision(what["into"])))
    elif kind == "applied":
        log.applications.append(Application(what["serial"], name, what["rule"], what["at"],
                                            what["replaced"], what["made"]))
    elif kind == "ends":
        log.passes.append(PassStats(name, what["changes"], what["ms"], what["steps"]))
    elif kind == "missed":
        log.misses.append(Miss(what["rule"], what["at"], what["why"]))


def _name_of(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__).strip("<>").replace("_", "-")


def _split(passes: Passes, rules: Sequence[Any]) -> Tuple[Optional[str], List[Any]]:
    """The list of passes as the library takes it, and the functions among them."""
    if passes is None:
        return None, []
    if isinstance(passes, str):
        return passes, []
    items: List[Any] = [passes] if callable(passes) else list(passes)
    functions = [(_name_of(p), (inspect.getdoc(p) or "a pass in Python").split("\n")[0], p)
                 for p in items if callable(p)]
    names = [_name_of(p) if callable(p) else p for p in items]
    return ",".join(names) or "none", functions


def _run(g: Graph, passes: Passes, rules: Sequence[Any], disable: Sequence[str],
         event: Any, **more: Any) -> None:
    sets = [rules] if isinstance(rules, (str, Rules)) else list(rules)
    text, functions = _split(passes, sets)
    _inlay.run_passes(g, text, functions, [_read_rules(r) for r in sets], list(disable), event,
                      **more)


def optimize(g: Model, passes: Passes = None, rules: Any = (), explain: bool = False, *,
             disable: Sequence[str] = (), prefer: str = "memory", check: bool = False,
             misses: bool = False, fold_bytes: int = 0, max_memory: int = 0,
             event: Optional[Callable[[str, str, Dict[str, Any]], Any]] = None) -> Any:
    """A rewritten copy of G; with `explain` the Decisions, whose `graph` it is.

    passes: "default", "none", "a,b", or a list of names and of functions: a pass in Python takes
    the graph, changes it, and returns how many changes it made; one that takes a second argument
    announces each change there (PassRun). rules: texts, files or Rules, for this call alone.
    prefer: "copies" saves copies at the price of memory. check: verifies the structure after each
    pass. event: is told all that happens; False vetoes an "apply".
    """
    copy = _graph(g).copy()
    log = Decisions(copy)

    def receive(kind: str, name: str, what: Dict[str, Any]) -> Any:
        if explain:
            _record(log, kind, name, what)
        return event(kind, name, what) if event else None

    _run(copy, passes, rules, disable, receive if explain or event else None, misses=misses,
         prefer_copies=prefer == "copies", check=check, fold_bytes=fold_bytes,
         max_memory=max_memory)
    return log if explain else copy


# ---- comparing ----

@dataclass
class Verdict:
    """Are two graphs the same function? True where every trial agreed.

    verdict: "same", "different" or "inconclusive". inputs: those of the first trial that differed,
    by name; a and b: what both graphs made of them (None where one failed). missed, untried: kinds
    of input that no trial covered.
    """

    verdict: str
    trials: int
    counted: int
    seed: int
    why: str
    missed: str
    untried: str
    inputs: Optional[Dict[str, Array]] = None
    a: Optional[Dict[str, Array]] = None
    b: Optional[Dict[str, Array]] = None

    def __bool__(self) -> bool:
        return self.verdict == "same"

    def __repr__(self) -> str:
        more = f": {self.why}" if self.why else ""
        return f"<inlay.Verdict {self.verdict}, {self.counted} of {self.trials} trials{more}>"


def _outputs(g: Graph, given: Dict[str, Array], executor: str) -> Any:
    from ._model import compile

    try:
        return compile(g, executor=executor).run(given)
    except Exception:  # a graph that fails on these inputs has no outputs
        return None


def verify(a: Model, b: Model, *, trials: int = 0, seed: int = 0, rtol: float = 0,
           atol: float = 0, ulp: int = 0, shapes: Optional[Dict[str, Any]] = None,
           inputs: Optional[Dict[str, Any]] = None, rewritten: bool = False,
           exhaustive: int = 0, executor: Sequence[str] = ("reference", "")) -> Verdict:
    """Runs both graphs on made-up inputs and compares, bit for bit unless a tolerance is given.

    trials: 0: 64. inputs: the same in every trial. rewritten: B may give results where A fails.
    exhaustive: every combination of small inputs, at most so many. executor: of A and of B;
    "" is the planned one where the graph has storage notes.
    """
    x, y = _graph(a), _graph(b)
    *words, kept = _inlay.verify(x, y, run_a=executor[0], run_b=executor[1], trials=trials,
                                 seed=seed, rtol=rtol, atol=atol, ulp=ulp, shapes=shapes,
                                 inputs=inputs or {}, may_mend=rewritten, exhaustive=exhaustive)
    v = Verdict(*words)
    if v.verdict == "different" and all(t is not None for t in kept):
        v.inputs = {p.name: t.numpy() for p, t in zip(_inputs(x), kept)}
        v.a = _outputs(x, v.inputs, executor[0] or "planned")
        v.b = _outputs(y, dict(zip((p.name for p in _inputs(y)), v.inputs.values()))
                       if set(v.inputs) != {p.name for p in _inputs(y)} else v.inputs,
                       executor[1] or "planned")
    return v


class Difference(NamedTuple):
    """The first values of two graphs that differ; None: none do."""

    a: Optional[Value]
    b: Optional[Value]
    compared: int
    why: str


def first_difference(a: Model, b: Model, inputs: Dict[str, Any], *, rtol: float = 0,
                     atol: float = 0, ulp: int = 0) -> Difference:
    """Runs both graphs on INPUTS and names the first value inside of them that differs."""
    return Difference(*_inlay.find_difference(_graph(a), _graph(b), inputs, rtol=rtol, atol=atol,
                                              ulp=ulp))


class Pair(NamedTuple):
    """A node of A and what corresponds to it in B. changes: words, empty where they are alike."""

    a: Optional[Node]
    b: Optional[Node]
    changes: Tuple[str, ...]


_CHANGES = {1: "removed", 2: "added", 4: "changed", 8: "reconnected", 16: "retyped"}


def diff(a: Model, b: Model, *, all: bool = False) -> List[Pair]:
    """How the nodes of two graphs differ; with `all` those that are the same, too."""
    pairs = [Pair(x, y, tuple(word for bit, word in _CHANGES.items() if changes & bit))
             for x, y, changes in _inlay.diff(_graph(a), _graph(b))]
    return [p for p in pairs if all or p.changes]


class Reduced(NamedTuple):
    graph: Graph
    before: int
    tried: int
    kept: int
    exhausted: bool


def reduce(g: Model, keeps: Callable[[Graph], Any], tries: int = 0) -> Reduced:
    """A small graph for which KEEPS is still true; it must be true for G."""
    return Reduced(*_inlay.reduce(_graph(g), keeps, tries))


def make_inputs(g: Model, *, seed: int = 0, fill: str = "random",
                shapes: Optional[Dict[str, Any]] = None,
                inputs: Optional[Dict[str, Any]] = None) -> Dict[str, Array]:
    """Inputs that G takes, made up: indices and counts are in range. fill: zeros, ones, iota."""
    graph = _graph(g)
    made: List[Tensor] = _inlay.make_inputs(graph, seed=seed, fill=fill, shapes=shapes,
                                            inputs=inputs or {})
    return {p.name: t.numpy() for p, t in zip(_inputs(graph), made)}


# ---- bisect ----

@dataclass
class Culprit:
    """The application that changed what a model computes; None in `application`: a whole pass."""

    pass_: str
    application: Optional[Application]
    verdict: Verdict
    before: Graph
    after: Graph


def _rewritten(g: Graph, passes: str, functions: List[Any], rules: List[Rules],
               disable: Sequence[str], limit: float) -> Tuple[Graph, List[str], List[Application]]:
    copy, names = g.copy(), []  # type: Tuple[Graph, List[str]]
    log = Decisions(copy)

    def receive(kind: str, name: str, what: Dict[str, Any]) -> Any:
        if kind == "begins":
            names.append(name)
        _record(log, kind, name, what)
        return what["serial"] <= limit if kind == "apply" else None

    _inlay.run_passes(copy, passes, functions, rules, list(disable), receive)
    return copy, names, log.applications


def bisect(model: Model, passes: Passes = None, rules: Any = (), *, disable: Sequence[str] = (),
           trials: int = 0, seed: int = 0, rtol: float = 0, atol: float = 0
           ) -> Optional[Culprit]:
    """The first rewrite after which MODEL is another function; None: the passes keep it."""
    g = _graph(model)
    sets = [_read_rules(r) for r in ([rules] if isinstance(rules, (str, Rules)) else rules)]
    text, functions = _split(passes, sets)

    def part(n: int, limit: float) -> Tuple[Graph, List[Application]]:
        made, _, done = _rewritten(g, ",".join(names[:n]) or "none", functions, sets, disable,
                                   limit)
        return made, done

    def judge(graph: Graph) -> Verdict:
        return verify(g, graph, trials=trials, seed=seed, rtol=rtol, atol=atol, rewritten=True)

    last, names, _ = _rewritten(g, text or "default", functions, sets, disable, float("inf"))
    if judge(last).verdict != "different":
        return None

    def first(low: int, high: int, differs: Callable[[int], bool]) -> int:
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if differs(middle) else (middle, high)
        return high

    n = first(0, len(names), lambda k: judge(part(k, float("inf"))[0]).verdict == "different")
    before, done = part(n - 1, float("inf"))
    after, all_done = part(n, float("inf"))
    known, application = len(done), None
    if len(all_done) > known and judge(part(n, known)[0]).verdict != "different":
        at = first(known, len(all_done),
                   lambda k: judge(part(n, k)[0]).verdict == "different")
        application = all_done[at - 1]
        before, after = part(n, at - 1)[0], part(n, at)[0]
    return Culprit(names[n - 1], application, judge(after), before, after)


# ---- plan ----

class Step(NamedTuple):
    """A step of a run. made: "kernel", "fused", "view", "nothing", "copy", ...

    inputs, outputs: where each value is: root, offset and bytes. bodies: dicts with `steps`.
    """

    name: str
    op: str
    made: str
    kernel: str
    group: int
    in_place: bool
    copied_bytes: int
    inputs: List[Dict[str, Any]]
    outputs: List[Dict[str, Any]]
    bodies: List[Dict[str, Any]]


class ValuePlan(NamedTuple):
    """The memory of one value: from the step that makes it to the last one that reads it."""

    value: str
    output: int
    bytes: int
    place: str
    made: int
    last: int


@dataclass(repr=False)
class Plan:
    """What a run will do. pandas.DataFrame(p.steps) is a table. All sizes are in bytes.

    copies: the steps that copy. about: some sizes are known only in the run.
    """

    steps: List[Step]
    values: List[ValuePlan]
    arena_bytes: int
    lower_bound_bytes: int
    copied_bytes: int
    input_copies: int
    saved_bytes: int
    peak_bytes: int
    fresh_peak_bytes: int
    peak_at: Optional[str]
    about: bool

    def __repr__(self) -> str:
        at = f' at "{self.peak_at}"' if self.peak_at else ""
        return (f"<inlay.Plan {len(self.steps)} steps, copies {self.copied_bytes} bytes, "
                f"peak {self.peak_bytes} bytes{at}{', about' if self.about else ''}>")

    @property
    def copies(self) -> List[Step]:
        return [s for s in self.steps if s.copied_bytes]


def plan(model: Any, *, kernels: str = "portable") -> Plan:
    """The plan of a model's graph, or of a graph as it is: optimize it first."""
    p = _inlay.plan(_graph(model), kernels)
    p["steps"] = [Step(**s) for s in p["steps"]]
    p["values"] = [ValuePlan(**v) for v in p["values"]]
    return Plan(**p)


# ---- operations ----

class Fact(NamedTuple):
    """What a shape rule knows of an operand, and says of an output.

    shape: None: not even the rank is known; a size that is not known is a name or "?".
    """

    type: str
    shape: Shape


def operation(type: str, *, inputs: str, outputs: str, infer: Callable[..., Any],
              kernel: Optional[Callable[..., Any]] = None, attributes: str = "", flags: str = "",
              version: int = 1, opset: str = "python") -> Tuple[Any, ...]:
    """An operation as functions in Python, for `operations`.

    inputs, outputs, attributes, flags: as in ir/ops/ops.def: "T:float x", "T", "int axis=0".
    infer(*facts, **attributes) returns a Fact for each output; kernel(*arrays, **attributes)
    returns the arrays, in the types and shapes that infer gave.
    """
    return (type, version, opset, inputs, outputs, attributes, flags, infer, kernel)


def operations(*rows: Tuple[Any, ...]) -> Operations:
    """A set of operations that files and graphs may use beside the built-in ones."""
    return _inlay.operations(list(rows))


def passes() -> Dict[str, str]:
    """The passes that are built in, with a sentence of each."""
    return dict(_inlay.passes())


def _attach() -> None:
    setattr(Rules, "check", _check)
    setattr(Rules, "prove", _prove)
    setattr(Rules, "names", property(lambda self: [r[0] for r in self]))
    setattr(Rules, "__repr__", lambda self: f"<inlay.Rules {', '.join(self.names)}>")


_attach()
