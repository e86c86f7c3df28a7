"""What ONNX's operators give at the ends of their range, where imports write them as several nodes: as ends.py has it."""

import numpy as np

import ends
import onnx_model
from case import FLOATS, Tensor, exact, rounded

NAMES = {"SoftPlus": "Softplus", "HSwish": "HardSwish", "SoftSign": "Softsign"}


class Model:
    """One graph of nodes of one type; each has an output of its own."""

    def __init__(self, type_):
        self.type, self.nodes, self.given, self.wanted = type_, [], {}, []

    def array(self, tensor):
        return onnx_model.BFloat16(tensor.array) if tensor.type == "bf16" else tensor.array

    def add(self, op, operands, result, attributes=None, name=None):
        """OPERANDS: names and tensors."""
        name = f"{name or op}_{len(self.nodes)}"
        self.given.update({k: self.array(v) for k, v in operands.items()})
        self.nodes.append(onnx_model.node(op, list(operands), [name], attributes))
        self.wanted.append((name, self.array(rounded(self.type, result))))

    def write(self, folder):
        onnx_model.write_graph(folder, 24, self.nodes, list(self.given.items()), self.wanted)


def functions(m):
    for name, (f, _, attributes, low, high, _) in ends.FUNCTIONS.items():
        op = NAMES.get(name.split()[0], name.split()[0])
        if op == "HSigmoid":
            continue
        attributes = {"approximate": "tanh"} if name == "Gelu tanh" else {} if op == "Gelu" else attributes
        m.add(op, {"x_" + name.replace(" ", "_"): ends.numbers(m.type, low, high)},
              f(ends.wide(ends.numbers(m.type, low, high))), attributes)
    x = ends.numbers(m.type)
    for alpha in (0.5, 1.0, 2.0):
        y = np.maximum(ends.wide(x), 0) + alpha * np.expm1(np.minimum(ends.wide(x) / alpha, 0))
        m.add("Celu", {"x": x}, y, {"alpha": alpha})


def log_sum_exp(x):
    most = x.max(1, keepdims=True)
    return most + np.log(np.exp(x - most).sum(1, keepdims=True))


def folds(m):
    x = ends.rows(m.type, 5)
    w = ends.wide(x)
    positive = x.like(abs(x.array) + x.array.dtype.type(ends.LIMITS[m.type][0]))
    axis = Tensor("i64", [1])
    for op, v, y in (("ReduceL1", x, abs(w).sum(1, keepdims=True)), ("ReduceL2", x, ends.l2(w, 1)),
                     ("ReduceMean", x, ends.mean(w, 1)), ("ReduceSumSquare", x, (w * w).sum(1, keepdims=True)),
                     ("ReduceLogSum", positive, np.log(ends.wide(positive).sum(1, keepdims=True)))):
        m.add(op, {"positive" if v is positive else "rows": v, "axis": axis}, y)
    for p in (1, 2):
        norm = (abs(w)**p).sum(1, keepdims=True) ** (1 / ends.WIDE(p))
        m.add("LpNormalization", {"rows": x}, w / np.where(norm == 0, 1, norm), {"axis": 1, "p": p})
    image, i = x.like(x.array[:, None]), w[:, None]
    for p in (1, 2, 3):
        y = (abs(i)**p).sum(2, keepdims=True) ** (1 / ends.WIDE(p))
        m.add("GlobalLpPool", {"image": image}, y, {"p": p})
        m.add("LpPool", {"image": image}, y, {"p": p, "kernel_shape": [5]})
    m.add("GlobalAveragePool", {"image": image}, ends.mean(i, 2))
    m.add("AveragePool", {"image": image}, ends.mean(i, 2), {"kernel_shape": [5]})
    m.add("Mean", {f"part_{k}": x.like(x.array[:, k]) for k in range(5)}, w.sum(1) / 5) if m.type != "f64" else None


def normalizations(m):
    x = ends.rows(m.type, 5)
    y = ends.mvn(ends.wide(x), 1, ends.WIDE(1e-5))
    one, zero = (rounded(m.type, np.full(1, k)) for k in (1, 0))
    ones, zeros = (rounded(m.type, np.full(5, k)) for k in (1, 0))
    wide = {"stash_type": 11} if m.type == "f64" else {}
    m.add("LayerNormalization", {"rows": x, "ones": ones, "zeros": zeros}, y, wide)
    m.add("InstanceNormalization", {"image": x.like(x.array[:, None]), "one": one, "zero": zero}, y[:, None])
    m.add("GroupNormalization", {"rows": x, "ones": ones, "zeros": zeros}, y, {"num_groups": 1, **wide})


def logarithms(m):
    most = ends.LIMITS[m.type][3]
    x = rounded(m.type, [[100, 99, -most], [-200, -201, -most], [most, most / 2, -most], [-1e4, -9992, -1e4], [88, -88, 0],
                         [most, most, most], [-most, -most, -most]])
    w = ends.wide(x)
    m.add("ReduceLogSumExp", {"logits": x, "axis": Tensor("i64", [1])}, log_sum_exp(w))
    w -= w.max(1, keepdims=True)
    m.add("LogSoftmax", {"logits": x}, w - log_sum_exp(w))
    m.add("Softmax", {"logits": x}, np.exp(w - log_sum_exp(w)))
    few = rounded(m.type, np.tile([[0, 30, -30], [2, 1, -20]], (2000, 1)))
    target, weights = Tensor("i64", np.full(4000, 2)), rounded(m.type, [1, 2, 0.5])
    log = ends.wide(few) - log_sum_exp(ends.wide(few))
    for operands, mean in (({"few": few, "target": target}, -log[:, 2].mean()),
                           ({"few": few, "target": target, "weights": weights}, -log[:, 2].mean())):
        m.add("SoftmaxCrossEntropyLoss", operands, mean)
    m.add("NegativeLogLikelihoodLoss", {"few": few, "target": target, "weights": weights}, -exact(few)[:, 2].mean())


def write(s):
    for t in FLOATS:
        m = Model(t)
        with np.errstate(all="ignore"):
            for part in (functions, folds, normalizations, logarithms):
                part(m)
        m.write(s.folder / f"Ends_24_{t}")
