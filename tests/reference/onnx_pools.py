"""Poolings of ONNX in all forms of their windows, by plain loops over what a window has below it."""

import itertools

import numpy as np

import onnx_model

RNG = np.random.RandomState(11)


def length(size, kernel, stride, begin, end, dilation, ceil):
    """How many windows there are: one that would begin behind the image, in the padding, is none."""
    room = size + begin + end - (dilation * (kernel - 1) + 1)
    count = (-(-room // stride) if ceil else room // stride) + 1
    return count - (ceil and (count - 1) * stride >= size + begin)


def taps(size, kernel, stride, begin, end, dilation, ceil):
    """The places of each window that lie in the image or its padding: what ceil_mode lets it have behind is none."""
    for i in range(length(size, kernel, stride, begin, end, dilation, ceil)):
        places = [i * stride - begin + k * dilation for k in range(kernel)]
        yield [p for p in places if p < size + end]


def pool(x, op, kernel, strides, pads, dilations, ceil, include, p):
    n = len(kernel)
    axes = [list(taps(x.shape[2 + i], kernel[i], strides[i], pads[i], pads[n + i], dilations[i], ceil)) for i in range(n)]
    y = np.empty(x.shape[:2] + tuple(len(a) for a in axes))
    for at in np.ndindex(y.shape[2:]):
        places = list(itertools.product(*(axes[i][at[i]] for i in range(n))))
        inside = [q for q in places if all(0 <= q[i] < x.shape[2 + i] for i in range(n))]
        if not inside:
            return None
        values = np.stack([x[(slice(None), slice(None)) + q] for q in inside], -1).astype(np.float64)
        y[(slice(None), slice(None)) + at] = {
            "MaxPool": lambda v: v.max(-1),
            "AveragePool": lambda v: v.sum(-1) / len(places if include else inside),
            "LpPool": lambda v: (np.abs(v)**p).sum(-1) ** (1 / p)}[op](values)
    return y


def same_pads(size, kernel, stride, dilation, upper):
    total = max((-(-size // stride) - 1) * stride + dilation * (kernel - 1) + 1 - size, 0)
    return (total // 2, total - total // 2) if upper else (total - total // 2, total // 2)


def forms(n, count):
    """Forms of windows with N axes: all of small ones with one axis, and COUNT drawn ones with more."""
    one = list(itertools.product((1, 4, 5), (1, 2, 4), (1, 2, 3), ((0, 0), (1, 0), (0, 2), (1, 1)), (1, 2), ("", "upper", "lower")))
    whole = itertools.product(((f,) for f in one), (0, 1)) if n == 1 else (
        ([one[k] for k in RNG.randint(0, len(one), n)], RNG.randint(0, 2)) for _ in range(count))
    for axes, ceil in whole:
        sizes, kernel, strides, pads, dilations, auto = zip(*axes)
        if auto[0] and not ceil:
            pads = [same_pads(*f[:3], f[4], auto[0] == "upper") for f in axes]
        if any(dilations[i] * (kernel[i] - 1) + 1 > sizes[i] + sum(pads[i]) or max(pads[i]) >= kernel[i] for i in range(n)):
            continue
        yield sizes, kernel, strides, [p[0] for p in pads] + [p[1] for p in pads], dilations, ceil, auto[0]


def model(folder, op, n, is_open):
    """One graph with a node for each form; their results stand one behind another in the only output."""
    nodes, inputs, results = [onnx_model.node("Constant", [], ["flat"], {"value_ints": [-1]})], {}, []
    for sizes, kernel, strides, pads, dilations, ceil, auto in forms(n, 120):
        x = inputs.setdefault(sizes, RNG.uniform(-1, 1, (1, 2) + sizes).astype(np.float32))
        for include, p in {"MaxPool": ((0, 0),), "AveragePool": ((0, 0), (1, 0)), "LpPool": ((0, 2), (0, 3))}[op]:
            y = pool(x, op, kernel, strides, pads, dilations, ceil, include, p)
            if y is None:
                continue
            given = {"pads": pads} if ceil or not auto else {"auto_pad": f"SAME_{auto.upper()}"}
            given.update({"count_include_pad": include} if include else {}, **({"p": p} if p else {}))
            name = f"y{len(results)}"
            nodes += [onnx_model.node(op, ["x" + "_".join(map(str, sizes))], [name], {
                **given, "kernel_shape": kernel, "strides": strides, "dilations": dilations, "ceil_mode": int(ceil)}),
                      onnx_model.node("Reshape", [name, "flat"], ["flat_" + name])]
            results.append(y.reshape(-1))
    nodes.append(onnx_model.node("Concat", [f"flat_y{i}" for i in range(len(results))], ["y"], {"axis": 0}))
    given = [("x" + "_".join(map(str, k)), v) for k, v in inputs.items()]
    onnx_model.write_graph(folder / f"{op}_22_{n}d_{'open' if is_open else 'known'}", 22, nodes, given,
                           [("y", np.concatenate(results).astype(np.float32))], sizes="open" if is_open else "said")


def write(s):
    for op, n, is_open in itertools.product(("AveragePool", "LpPool", "MaxPool"), (1, 2, 3), (False, True)):
        model(s.folder, op, n, is_open)
