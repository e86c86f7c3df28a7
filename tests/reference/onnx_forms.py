"""Models of one operator in forms that its page allows and few files have: one number in any shape, sizes that only a
run knows, parts and indices of any size. Results are by numpy."""

import numpy as np

import onnx_model

RNG = np.random.RandomState(26)
ONE = ((), (1,), (1, 1), (1, 1, 1))
ANY_RANK = ("If", "Loop", "NonMaxSuppression", "Compress")  # as ONNX Runtime; of the others a scalar or a list
SIZES = ("said", "open", "minus")


def f32(*shape):
    return RNG.uniform(-1, 1, shape).astype(np.float32)


def name_of(shape):
    return "x".join(map(str, shape)) or "scalar"


def body(nodes, outputs, inputs=()):
    return onnx_model.graph(nodes, [(n, None) for n in inputs], [(n, None) for n in outputs])


def choice():
    return {"then_branch": body([onnx_model.node("Neg", ["x0"], ["t"])], ["t"]),
            "else_branch": body([onnx_model.node("Abs", ["x0"], ["e"])], ["e"])}


def rounds():
    """A carried value to which x2 is added in each round."""
    return {"body": body([onnx_model.node("Identity", ["go"], ["on"]), onnx_model.node("Add", ["v", "x2"], ["w"])],
                         ["on", "w"], ["i", "go", "v"])}


def single_numbers():
    """OP, its version, operands, places of operands that are one number, attributes, results. Operand 0 of If is what
    its branches use."""
    x, line = f32(3, 4), f32(8)
    boxes = np.array([[[0, 0, 1, 1], [0, 0, 1, .9], [2, 2, 3, 3]]], np.float32)
    scores = np.array([[[.5, .8, .7]]], np.float32)
    first, i64 = f32(2), np.int64
    order = np.argsort(-x, 1, "stable")[:, :2]
    yield "If", 16, [x, np.array(True)], (1,), choice(), [-x]
    yield "Loop", 16, [np.array(3, i64), np.array(True), first], (0, 1), rounds(), [4 * first]
    yield "Loop", 1, [np.array(3, i64), np.array(False), first], (0, 1), rounds(), [first]
    yield "TopK", 11, [x, np.array(2, i64)], (1,), {}, [np.take_along_axis(x, order, 1), order]
    yield "OneHot", 11, [np.array([2, 0], i64), np.array(3, i64), np.array([0, 1], i64)], (1,), {}, [np.eye(3)[[2, 0]].astype(i64)]
    yield "Trilu", 14, [x, np.array(1, i64)], (1,), {}, [np.triu(x, 1)]
    yield "Pad", 18, [line, np.array([1, 2], i64), np.array(.5, np.float32)], (2,), {}, [np.pad(line, (1, 2), constant_values=.5)]
    yield "NonMaxSuppression", 11, [boxes, scores, np.array(2, i64), np.array(.5, np.float32), np.array(.1, np.float32)], \
        (2, 3, 4), {}, [np.array([[0, 0, 1], [0, 0, 2]], i64)]
    yield "HannWindow", 17, [np.array(6, i64)], (0,), {}, [np.sin(np.pi * np.arange(6) / 6)**2]
    yield "Compress", 11, [line[:1], np.array(True)], (1,), {"axis": 0}, [line[:1]]


def write_numbers(folder):
    """Each number in each shape of one element, as a constant and as an input."""
    for op, opset, operands, places, attributes, results in single_numbers():
        for place in places:
            for shape in ONE if op in ANY_RANK else ONE[:2]:
                for given in (False, True):
                    arrays = [a.reshape(shape) if i == place else a for i, a in enumerate(operands)]
                    ports = [(f"x{i}", a) for i, a in enumerate(arrays)]
                    used = [p for p, _ in ports][1:] if op == "If" else [p for p, _ in ports]
                    wanted = [(f"y{i}", np.asarray(r, np.float32) if np.asarray(r).dtype == np.float64 else np.asarray(r))
                              for i, r in enumerate(results)]
                    constants = [p for i, p in enumerate(ports) if i in places and not (given and i == place)]
                    inputs = [p for p in ports if p[0] not in [c[0] for c in constants]]
                    onnx_model.write_graph(
                        folder / f"{op}_{opset}_one_{place}_{name_of(shape)}{'_given' * given}", opset,
                        [onnx_model.node(op, used, [n for n, _ in wanted], attributes)], inputs, wanted,
                        constants=constants)


def write(folder):
    write_numbers(folder)
    write_sizes(folder)


def moves():
    """OP, its version, a name, operands, attributes, results: parts and indices of every size."""
    for size in (0, 1, 6, 7, 9):
        for parts in (1, 2, 3, 4):
            x, each = f32(2, size), -(-size // parts)
            cuts = [x[:, min(i * each, size):min((i + 1) * each, size)] for i in range(parts)]
            yield "Split", 18, f"{size}_{parts}", [x], {"axis": 1, "num_outputs": parts}, cuts
            if size % parts == 0:
                yield "Split", 13, f"{size}_{parts}", [x], {"axis": 1}, cuts
    for opset in (10, 11):
        for k in (0, 1, 3):
            x = f32(2, 3)
            order = np.argsort(-x, 1, "stable")[:, :k]
            yield "TopK", opset, f"of_{k}", [x, np.array([k], np.int64)], {}, [np.take_along_axis(x, order, 1), order]
    for data in ((3, 4), (2, 3, 4), (1, 4)):
        for axis in range(len(data)):
            for less in (0, 1):
                yield from gathers(data, axis, less)
    for groups, channels in ((1, 4), (2, 4), (4, 4)):
        for rest in ((), (3,), (2, 3), (2, 1, 3)):
            x, scale, bias = f32(2, channels, *rest), f32(channels), f32(channels)
            flat = x.reshape(2, groups, -1)
            flat = (flat - flat.mean(-1, keepdims=True)) / np.sqrt(flat.var(-1, keepdims=True) + 1e-5)
            name = f"{groups}_of_{channels}_rank_{x.ndim}"
            yield "GroupNormalization", 18, name, [x, scale[:groups], bias[:groups]], {"num_groups": groups}, \
                [(flat * scale[:groups, None] + bias[:groups, None]).reshape(x.shape)]
            along = (-1,) + (1,) * len(rest)
            yield "GroupNormalization", 21, name, [x, scale, bias], {"num_groups": groups}, \
                [flat.reshape(x.shape) * scale.reshape(along) + bias.reshape(along)]
    for axis in (-1, 1):
        x, scale = f32(2, 3, 4), f32(4)
        mean = (x * x).mean((-1,) if axis == -1 else (1, 2), keepdims=True) + 1e-5
        yield "SimplifiedLayerNormalization", 17, f"axis_{axis}", [x, scale], {"axis": axis}, \
            [x / np.sqrt(mean) * scale, 1 / np.sqrt(mean)]


def gathers(data, axis, less):
    """Indices with LESS fewer elements than DATA beside AXIS."""
    x = f32(*data)
    shape = tuple(n - less if i != axis else 2 for i, n in enumerate(data))
    beside = tuple(slice(None) if i == axis else slice(n) for i, n in enumerate(shape))
    name = f"{name_of(data)}_axis_{axis}_less_{less}"
    indices = RNG.randint(-data[axis], data[axis], shape).astype(np.int64)
    yield "GatherElements", 11, name, [x, indices], {"axis": axis}, [np.take_along_axis(x[beside], indices, axis)]
    if data[axis] < 2:
        return
    places = np.argsort(RNG.rand(*(data[axis] if i == axis else n for i, n in enumerate(shape))), axis)
    places = places.take(range(2), axis).astype(np.int64)
    updates = f32(*shape)
    for opset, attributes in ((11, {}), (18, {"reduction": "add"})):
        y = x.copy()
        old = np.take_along_axis(x[beside], places, axis)
        np.put_along_axis(y[beside], places, updates + (old if attributes else 0), axis)
        yield "ScatterElements", opset, name, [x, places, updates], {"axis": axis, **attributes}, [y]


def write_sizes(folder):
    """Each with its sizes said, open, and -1."""
    for op, opset, name, operands, attributes, results in moves():
        for sizes in SIZES:
            given = [(f"x{i}", a) for i, a in enumerate(operands)]
            wanted = [(f"y{i}", np.asarray(r, np.float32 if np.asarray(r).dtype.kind == "f" else np.int64))
                      for i, r in enumerate(results)]
            onnx_model.write_graph(folder / f"{op}_{opset}_{name}_{sizes}", opset,
                                   [onnx_model.node(op, [n for n, _ in given], [n for n, _ in wanted], attributes)],
                                   given, wanted, sizes=sizes)
