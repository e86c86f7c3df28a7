"""Attention by the formula of OpenVINO's page, and what is made of it: scaled roots of mean squares."""

import numpy as np

from case import FLOATS, Case, Tensor, exact, rounded

CASES = {}


def case_of(op, name):
    """Nodes of one name are one case."""
    if (op, name) not in CASES:
        CASES[op, name] = Case(op, name)
    return CASES[op, name]


def attention(q, k, v, mask=None, scale=None, causal=False):
    scale = 1 / np.sqrt(q.shape[-1]) if scale is None else scale
    weight = np.matmul(q, np.swapaxes(k, -1, -2)) * scale
    if causal:
        weight = weight + np.triu(np.full(weight.shape[-2:], -np.inf), k=1)
    elif mask is not None:
        weight = weight + (np.where(mask, 0, -np.inf) if mask.dtype == bool else mask)
    weight = np.exp(weight - weight.max(axis=-1, keepdims=True))
    return np.matmul(weight / weight.sum(axis=-1, keepdims=True), v)


# query, key, value, mask
SHAPES = [((1, 3, 4), (1, 5, 4), (1, 5, 2), (1, 3, 5)), ((2, 3, 2, 4), (2, 3, 5, 4), (2, 3, 5, 4), (2, 1, 2, 5)),
          ((1, 6, 3, 2), (2, 1, 4, 2), (2, 6, 4, 3), (1, 1, 1, 4)), ((2, 2, 3, 2), (2, 4, 2), (2, 4, 1), (3, 4)),
          ((1, 1, 2), (1, 1, 2), (1, 1, 3), (1, 1, 1)), ((2, 0, 4), (2, 3, 4), (2, 3, 2), (2, 0, 3)),
          ((1, 2, 4), (1, 3, 4), (1, 3, 0), (1, 2, 3))]


def attentions():
    for shapes in SHAPES:
        c = case_of("ScaledDotProductAttention", "shapes")
        q, k, v, mask = (c.floats("f32", shape, -2, 2) for shape in shapes)
        seen = Tensor("boolean", c.rng.randint(0, 3, shapes[3]) > 0)
        seen.array[..., 0] = True  # a query that sees nothing is a case of its own
        e = [exact(x) for x in (q, k, v)]
        for causal, operands, want in ((False, [q, k, v], attention(*e)), (True, [q, k, v, mask], attention(*e, causal=True)),
                                       (False, [q, k, v, mask], attention(*e, exact(mask))),
                                       (False, [q, k, v, seen], attention(*e, seen.array))):
            c.node(operands, rounded("f32", want), {"causal": causal}, "opset13", ulp=16, atol=1e-6)
    for t in FLOATS:
        c = case_of("ScaledDotProductAttention", "types")
        q, k, v = (c.floats(t, shape, -2, 2) for shape in ((1, 2, 4), (1, 3, 4), (1, 3, 2)))
        scale = Tensor(t, 0.25)
        for mask in (None, Tensor(t, 0), Tensor("boolean", [[[True, False, True]]])):
            want = attention(*(exact(x) for x in (q, k, v)), None if mask is None else mask.array, 0.25)
            c.node([q, k, v, mask, scale], rounded(t, want), {"causal": False}, "opset13", ulp=8, atol=1e-6)
    c = case_of("ScaledDotProductAttention", "sees_nothing")
    q = c.floats("f32", (1, 2, 2))
    c.node([q, q, q, Tensor("boolean", [[[True, False], [False, False]]])],
           Tensor("f32", [[q.array[0, 0], [np.nan, np.nan]]]), {"causal": False}, "opset13")


def roots_of_mean_squares():
    for t in FLOATS:
        c = case_of("RMS", "types")
        x, scale = c.floats(t, (2, 3, 4)), c.floats(t, (4,))
        e = exact(x)
        y = e / np.sqrt((e * e).mean(axis=-1, keepdims=True) + 1e-6) * exact(scale)
        c.node([x, scale], rounded(t, y), {"epsilon": 1e-6}, "ie_internal_opset", ulp=1)
    for out in ("f16", "bf16", "f32", "f64", "undefined", "dynamic"):
        c = case_of("RMS", "output_type")
        x, scale = c.floats("f32", (3, 2)), c.floats("f32", (3, 1))
        e = exact(x)
        y = e / np.sqrt((e * e).mean(axis=-1, keepdims=True) + 0.5) * exact(scale)
        c.node([x, scale], rounded(out if out[0] in "fb" else "f32", y), {"epsilon": 0.5, "output_type": out},
               "ie_internal_opset", ulp=1)


def along_axes():
    for t in FLOATS:
        c = case_of("RMSNorm", "types")
        x, scale = c.floats(t, (2, 3, 4)), c.floats(t, (3, 1))
        e = exact(x)
        y = e / np.sqrt((e * e).mean(axis=(0, 2), keepdims=True) + 1e-6) * exact(scale)
        c.node([x, Tensor("i64", [-1, 0]), scale], rounded(t, y), {"epsilon": 1e-6}, "opset14", ulp=1)
    for axes, scaled, computed in (((1,), None, "f32"), ((), None, "undefined"), ((0, 1), (), "f64"), ((0,), (1, 3), "dynamic"),
                                   ((1,), (2, 1), "f16"), ((0,), (2, 3), "bf16")):
        c = case_of("RMSNorm", "axes")
        x = c.floats("f32", (2, 3))
        e = exact(x)
        mean = (e * e).mean(axis=axes, keepdims=True) if axes else e * e
        operands = [x, Tensor("i32", np.array(axes, np.int32))]
        y = e / np.sqrt(mean + 0.5)
        if scaled is not None:
            operands.append(c.floats("f32", scaled))
            y = y * exact(operands[-1])
        c.node(operands, rounded("f32", y), {"epsilon": 0.5, "compute_type": computed}, "opset14", ulp=1)


def make():
    attentions()
    roots_of_mean_squares()
    along_axes()
