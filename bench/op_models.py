"""Operations as they stand in models, each as an ONNX model with its inputs: at sizes that models have, and at others
that are drawn. `ops.py` measures them.

A line of OPS is a function of a Graph and of S, which gives a size for one that models have: that, or one drawn beside
it. The function makes the nodes and returns the inputs; the last node's outputs are those of the model."""
import os

import numpy as np

from onnx_models import KINDS, Graph, value_info

OPSET = 17
OPS = {}  # name: function


def op(f):
    OPS[f.__name__] = f
    return f


class Model(Graph):
    """A graph whose inputs are arrays, and whose outputs are those of its last node."""

    def __init__(self, seed):
        super().__init__()
        self.r, self.given, self.kind = np.random.default_rng(seed), {}, np.float32

    def floats(self, *dims, scale=1.0):
        return ((self.r.random(dims) - 0.5) * scale).astype(self.kind)

    def indices(self, below, *dims):
        return self.r.integers(0, below, dims)

    def bytes_of(self, kind, *dims):
        low = -127 if kind is np.int8 else 0
        return self.r.integers(low, low + 255, dims).astype(kind)

    def give(self, array):
        name = f"x{len(self.given)}"
        self.given[name] = array
        return self.input(name, KINDS[array.dtype.name], *array.shape)

    def end(self, name, *inputs, kinds=None, **attributes):
        kinds = kinds or (np.dtype(self.kind).name,)
        outs = [f"y{i}" for i in range(len(kinds))]
        self.node(name, *inputs, out=outs, **attributes)
        self.outputs = [value_info(out, KINDS[kind], None) for out, kind in zip(outs, kinds)]

    def weights(self, *dims):
        return self.constant(self.floats(*dims))

    def number(self, x, kind=np.float32):
        return self.constant(np.array(x, kind))


def picture(g, s, channels=96, size=56, scale=16.0):
    return g.give(g.floats(1, s(channels), s(size), s(size), scale=scale))


def elementwise(name):
    def f(g, s):
        g.end(name, picture(g, s))
    OPS[name.lower()] = f


for each in ("Exp", "Tanh", "Sigmoid", "Erf", "Softplus", "Elu", "HardSwish", "LeakyRelu", "Floor", "Sin"):
    elementwise(each)


@op
def silu(g, s):
    x = picture(g, s)
    g.end("Mul", x, g.node("Sigmoid", x))


@op
def gelu(g, s):
    x = g.give(g.floats(1, s(128), s(3072), scale=6.0))
    erf = g.node("Erf", g.node("Div", x, g.number(2 ** 0.5)))
    g.end("Mul", g.node("Mul", x, g.node("Add", erf, g.number(1))), g.number(0.5))


@op
def add_channel(g, s):
    c = s(96)
    x = g.give(g.floats(1, c, s(56), s(56)))
    g.end("Add", x, g.weights(c, 1, 1))


@op
def divide(g, s):
    a = g.floats(1, s(96), s(56), s(56))
    g.end("Div", g.give(a), g.give(np.abs(a) + 1))


@op
def power(g, s):
    g.end("Pow", g.give(np.abs(g.floats(1, s(96), s(56), s(56)))), g.number(1.7))


@op
def power_of_tensors(g, s):
    shape = (1, s(96), s(56), s(56))
    g.end("Pow", g.give(g.floats(*shape)), g.give(g.floats(*shape)))


@op
def where(g, s):
    a = g.floats(1, s(96), s(56), s(56))
    g.end("Where", g.give(a > 0), g.give(a), g.give(-a))


@op
def clip(g, s):
    g.end("Clip", picture(g, s), g.number(0), g.number(6))


@op
def cast_f16(g, s):
    g.end("Cast", picture(g, s), to=KINDS["float16"], kinds=("float16",))


@op
def softmax(g, s):
    g.end("Softmax", g.give(g.floats(1, 12, s(128), s(128), scale=5.0)), axis=-1)


@op
def softmax_channels(g, s):
    g.end("Softmax", g.give(g.floats(1, s(21), s(64), s(64), scale=5.0)), axis=1)


@op
def log_softmax(g, s):
    g.end("LogSoftmax", g.give(g.floats(s(64), s(1000))), axis=-1)


@op
def layer_norm(g, s):
    n = s(768)
    g.end("LayerNormalization", g.give(g.floats(1, s(128), n)), g.weights(n), g.weights(n), axis=-1)


@op
def instance_norm(g, s):
    c = s(64)
    g.end("InstanceNormalization", g.give(g.floats(1, c, s(56), s(56))), g.weights(c), g.weights(c))


@op
def batch_norm(g, s):
    c = s(96)
    x = g.give(g.floats(1, c, s(56), s(56)))
    g.end("BatchNormalization", x, *(g.weights(c) for _ in range(3)), g.constant(np.abs(g.floats(c)) + 0.5))


@op
def lrn(g, s):
    g.end("LRN", g.give(g.floats(1, s(64), s(55), s(55))), size=5)


def convolution(name, inner, outer, kernel, sizes, stride=1, groups=1, kind="Conv", dilation=1, pad=True):
    def f(g, s):
        i, o, group = s(inner // groups) * groups, s(outer // groups) * groups, groups
        if groups == inner:  # depthwise
            o = group = i = s(inner)
        shape = (i, o // group) if kind == "ConvTranspose" else (o, i // group)
        pads = [(k - 1) // 2 * dilation if pad else 0 for k in kernel] * 2
        g.end(kind, g.give(g.floats(1, i, *(s(n) for n in sizes))), g.weights(*shape, *kernel), g.weights(o),
              strides=[stride] * len(kernel), pads=pads, group=group, dilations=[dilation] * len(kernel))
    OPS[name] = f


convolution("conv3x3", 64, 64, (3, 3), (56, 56))
convolution("conv3x3_stride2", 256, 256, (3, 3), (28, 28), 2)
convolution("conv3x3_dilated", 64, 64, (3, 3), (28, 28), dilation=2)
convolution("conv7x7_stem", 3, 64, (7, 7), (224, 224), 2)
convolution("conv1x1", 256, 64, (1, 1), (56, 56))
convolution("conv1x1_7x7", 512, 2048, (1, 1), (7, 7))
convolution("conv1d", 64, 128, (10,), (4000,), 5, pad=False)
convolution("conv3d", 16, 32, (3, 3, 3), (16, 28, 28))
convolution("group32", 256, 256, (3, 3), (28, 28), groups=32)
convolution("depthwise3x3", 144, 144, (3, 3), (56, 56), groups=144)
convolution("depthwise3x3_stride2", 144, 144, (3, 3), (56, 56), 2, groups=144)
convolution("depthwise5x5", 240, 240, (5, 5), (28, 28), groups=240)
convolution("transposed2x2", 64, 64, (2, 2), (28, 28), 2, kind="ConvTranspose", pad=False)
convolution("transposed4x4", 64, 32, (4, 4), (28, 28), 2, kind="ConvTranspose")


def product(name, a, b, constant=True):
    def f(g, s):
        rows, inner, columns = s(a[-2]), s(a[-1]), s(b[-1])
        x = g.give(g.floats(*a[:-2], rows, inner))
        y = g.floats(*b[:-2], inner, columns)
        g.end("MatMul", x, g.constant(y) if constant else g.give(y))
    OPS[name] = f


product("matmul_row", (1, 768), (768, 3072))
product("matmul_3rows", (3, 512), (512, 512))
product("matmul", (128, 768), (768, 768))
product("matmul_heads", (1, 12, 128, 64), (1, 12, 64, 128), False)


@op
def gemm_transposed(g, s):
    inner, columns = s(1280), s(1000)
    g.end("Gemm", g.give(g.floats(s(32), inner)), g.weights(columns, inner), g.weights(columns), transB=1)


@op
def einsum(g, s):
    n, d = s(64), s(64)
    g.end("Einsum", g.give(g.floats(2, 12, n, d)), g.give(g.floats(2, 12, s(64), d)), equation="bhid,bhjd->bhij")


def pool(name, kind, kernel, stride, sizes, **attributes):
    def f(g, s):
        pads = [(k - 1) // 2 for k in kernel] * 2
        g.end(kind, g.give(g.floats(1, s(sizes[0]), *(s(n) for n in sizes[1:]))), kernel_shape=kernel,
              strides=[stride] * len(kernel), pads=pads, **attributes)
    OPS[name] = f


pool("max_pool", "MaxPool", (3, 3), 2, (64, 112, 112))
pool("max_pool_5x5", "MaxPool", (5, 5), 1, (128, 20, 20))
pool("max_pool_5x5x5", "MaxPool", (5, 5, 5), 4, (16, 16, 24, 24))
pool("average_pool", "AveragePool", (3, 3), 1, (64, 56, 56))


@op
def global_average(g, s):
    g.end("GlobalAveragePool", g.give(g.floats(1, s(1280), s(7), s(7))))


def reduction(name, kind, axes, dims, **attributes):
    def f(g, s):
        x = g.give(g.floats(*(n if n == 1 else s(n) for n in dims)))
        if kind == "ReduceSum":
            g.end(kind, x, g.ints(*axes), **attributes)
        else:
            g.end(kind, x, axes=list(axes), **attributes)
    OPS[name] = f


reduction("mean_of_planes", "ReduceMean", (2, 3), (1, 96, 56, 56))
reduction("mean_of_short_rows", "ReduceMean", (2,), (512, 36, 8))
reduction("max_of_channels", "ReduceMax", (1,), (1, 96, 56, 56))
reduction("sum_of_rows", "ReduceSum", (1,), (512, 1024))
reduction("norm_of_rows", "ReduceL2", (1,), (512, 1024))


@op
def arg_max(g, s):
    g.end("ArgMax", g.give(g.floats(1, s(21), s(128), s(128))), axis=1, kinds=("int64",))


@op
def top_k(g, s):
    g.end("TopK", g.give(g.floats(1, s(20000))), g.ints(100), kinds=("float32", "int64"))


@op
def cumulative_sum(g, s):
    g.end("CumSum", g.give(g.floats(s(64), s(4096))), g.number(1, np.int64))


def moved(name, kind, dims, *constants, **attributes):
    def f(g, s):
        g.end(kind, g.give(g.floats(*(n if n < 8 else s(n) for n in dims))),
              *(g.constant(np.array(c)) for c in constants), **attributes)
    OPS[name] = f


@op
def sum_of_whole_columns(g, s):
    x = g.give(g.indices(99, s(40), s(172), s(8)).astype(np.int32))
    g.end("CumSum", x, g.number(1, np.int64), kinds=("int32",))


@op
def hard_max(g, s):
    g.end("Hardmax", g.give(g.floats(s(1024), s(32))), axis=-1)


@op
def greater_bytes(g, s):
    shape = (s(256), s(512))
    g.end("Greater", g.give(g.bytes_of(np.int8, *shape)), g.give(g.bytes_of(np.int8, *shape)), kinds=("bool",))


moved("transpose_nhwc", "Transpose", (1, 96, 56, 56), perm=[0, 2, 3, 1])
moved("transpose_heads", "Transpose", (1, 128, 12, 64), perm=[0, 2, 1, 3])
moved("slice_strided", "Slice", (1, 96, 56, 56), [0, 0], [48, 48], [2, 3], [2, 2])
moved("pad", "Pad", (1, 96, 56, 56), [0, 0, 3, 3, 0, 0, 3, 3])
moved("pad_reflect", "Pad", (1, 96, 56, 56), [0, 0, 3, 3, 0, 0, 3, 3], mode="reflect")
moved("tile", "Tile", (1, 96, 28, 28), [1, 1, 2, 2])
moved("expand", "Expand", (1, 96, 1, 1), [1, 1, 56, 56])


@op
def concat(g, s):
    h, w = s(56), s(56)
    g.end("Concat", g.give(g.floats(1, s(64), h, w)), g.give(g.floats(1, s(32), h, w)), axis=1)


@op
def depth_to_space(g, s):
    g.end("DepthToSpace", g.give(g.floats(1, 4 * s(32), s(56), s(56))), blocksize=2)


@op
def gather_rows(g, s):
    n = s(30000)
    g.end("Gather", g.give(g.floats(n, s(128))), g.give(g.indices(n, 1, s(256))), axis=0)


@op
def gather_columns(g, s):
    n = s(1024)
    g.end("Gather", g.give(g.floats(s(64), n)), g.give(g.indices(n, s(256))), axis=1)


@op
def gather_elements(g, s):
    rows, n = s(256), s(1024)
    g.end("GatherElements", g.give(g.floats(rows, n)), g.give(g.indices(n, rows, s(512))), axis=1)


@op
def gather_nd(g, s):
    n, m = s(256), s(256)
    places = np.stack([g.indices(n, 4096), g.indices(m, 4096)], -1)
    g.end("GatherND", g.give(g.floats(n, m, 16)), g.give(places))


@op
def scatter_elements(g, s):
    rows, n, k = s(256), s(1024), s(512)
    g.end("ScatterElements", g.give(g.floats(rows, n)), g.give(g.indices(n, rows, k)), g.give(g.floats(rows, k)),
          axis=1)


@op
def scatter_nd_add(g, s):
    n, width = s(4096), s(128)
    g.end("ScatterND", g.give(g.floats(n, width)), g.give(g.indices(n, 512, 1)), g.give(g.floats(512, width)),
          reduction="add")


@op
def one_hot(g, s):
    n = s(1000)
    g.end("OneHot", g.give(g.indices(n, s(512))), g.number(n, np.int64), g.constant(np.array([0, 1], np.float32)))


@op
def non_zero(g, s):
    g.end("NonZero", g.give(g.floats(s(256), s(1024)) > 0.3), kinds=("int64",))


def resize(name, mode, **attributes):
    def f(g, s):
        scales = g.constant(np.array([1, 1, 2, 2], np.float32))
        g.end("Resize", g.give(g.floats(1, s(64), s(40), s(40))), "", scales, mode=mode, **attributes)
    OPS[name] = f


resize("resize_nearest", "nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
resize("resize_linear", "linear")
resize("resize_cubic", "cubic")


@op
def grid_sample(g, s):
    g.end("GridSample", g.give(g.floats(1, s(32), s(64), s(64))), g.give(g.floats(1, s(64), s(64), 2, scale=2.0)))


@op
def roi_align(g, s):
    boxes = np.abs(g.floats(s(100), 4)) * 20 + np.array([0, 0, 20, 20], np.float32)
    g.end("RoiAlign", g.give(g.floats(1, s(64), s(50), s(50))), g.give(boxes),
          g.give(np.zeros(len(boxes), np.int64)), output_height=7, output_width=7, sampling_ratio=2)


@op
def non_max_suppression(g, s):
    n = s(1000)
    b = g.floats(1, n, 4)
    boxes = np.concatenate([b[..., :2], b[..., :2] + np.abs(b[..., 2:])], -1)
    g.end("NonMaxSuppression", g.give(boxes), g.give(g.floats(1, 4, n) + np.float32(0.5)), g.ints(50),
          g.constant(np.array([0.5], np.float32)), g.constant(np.array([0.3], np.float32)), kinds=("int64",))


def recurrent(kind, gates):
    def f(g, s):
        n = s(128)
        g.end(kind, g.give(g.floats(s(64), 1, n)), g.weights(1, gates * n, n), g.weights(1, gates * n, n),
              g.weights(1, 2 * gates * n), hidden_size=n)
    OPS[kind.lower()] = f


recurrent("LSTM", 4)
recurrent("GRU", 3)
recurrent("RNN", 1)


@op
def dft(g, s):
    g.end("DFT", g.give(g.floats(1, s(512), 1)), axis=1, onesided=1)


@op
def quantize(g, s):
    g.end("QuantizeLinear", picture(g, s), g.number(0.05), g.number(128, np.uint8), kinds=("uint8",))


@op
def dequantize(g, s):
    x = g.give(g.bytes_of(np.uint8, 1, s(96), s(56), s(56)))
    g.end("DequantizeLinear", x, g.number(0.05), g.number(128, np.uint8))


@op
def dynamic_quantize(g, s):
    g.end("DynamicQuantizeLinear", g.give(g.floats(s(128), s(768))), kinds=("uint8", "float32", "uint8"))


@op
def matmul_integer(g, s):
    n = s(768)
    g.end("MatMulInteger", g.give(g.bytes_of(np.uint8, s(128), n)), g.constant(g.bytes_of(np.int8, n, s(768))),
          g.number(120, np.uint8), kinds=("int32",))


@op
def conv_integer(g, s):
    c = s(64)
    g.end("ConvInteger", g.give(g.bytes_of(np.uint8, 1, c, s(56), s(56))),
          g.constant(g.bytes_of(np.int8, s(64), c, 3, 3)), g.number(120, np.uint8), kinds=("int32",), pads=[1] * 4)


@op
def qlinear_conv(g, s):
    c = s(64)
    g.end("QLinearConv", g.give(g.bytes_of(np.uint8, 1, c, s(56), s(56))), g.number(0.02), g.number(128, np.uint8),
          g.constant(g.bytes_of(np.int8, s(64), c, 3, 3)), g.number(0.01), g.number(0, np.int8), g.number(0.5),
          g.number(128, np.uint8), kinds=("uint8",), pads=[1] * 4)


def as_codes(g, x, scale):
    """X as quantisers write it: codes of 8 bits, and what they stand for."""
    how = g.number(scale), g.number(128, np.uint8)
    return g.node("DequantizeLinear", g.node("QuantizeLinear", x, *how), *how)


@op
def qdq_shuffle(g, s):
    """A unit of ShuffleNet in 8 bits: a scale for each filter, and codes between all operations."""
    n, size = s(58), s(28)
    x = as_codes(g, g.give(g.floats(1, n, size, size)), 0.01)
    w = g.node("DequantizeLinear", g.constant(g.bytes_of(np.int8, n, n, 1, 1)),
               g.constant(g.floats(n) * 0.01 + 0.01), g.constant(np.zeros(n, np.int8)), axis=0)
    y = as_codes(g, g.node("Conv", x, w), 0.05)
    y = as_codes(g, g.node("Concat", x, y, axis=1), 0.05)
    y = as_codes(g, g.node("Reshape", y, g.ints(1, 2, n, size, size)), 0.05)
    y = as_codes(g, g.node("Transpose", y, perm=[0, 2, 1, 3, 4]), 0.05)
    g.end("Reshape", y, g.ints(1, 2 * n, size, size))


@op
def rows_found_in_the_run(g, s):
    """A product whose rows only the run knows."""
    n = s(512)
    x = g.give(g.floats(s(400), n))
    chosen = g.node("Greater", g.node("ReduceMax", x, keepdims=0, axes=[1]), g.number(0))
    g.end("MatMul", g.node("Compress", x, chosen, axis=0), g.weights(n, s(512)))


def halves(name):
    """The operation NAME on f16."""
    def f(g, s):
        g.kind = np.float16
        OPS[name](g, s)
    OPS[name + "_f16"] = f


for each in ("hardswish", "add_channel", "softmax", "layer_norm", "conv3x3", "conv1x1", "depthwise3x3", "matmul",
             "max_pool", "mean_of_planes"):
    halves(each)


def sizes(seed):
    """Sizes as models have them; SEED: odd ones beside them, the same for the same seed."""
    r = np.random.default_rng(seed)
    return (lambda n: int(n * (0.7 + 0.6 * r.random())) | 1) if seed else (lambda n: n)


def write(folder, seed):
    """Writes all models and their inputs. Returns (name, "models" or "drawn", file, inputs)."""
    os.makedirs(folder, exist_ok=True)
    for name, f in OPS.items():
        for which, s in (("models", 0), ("drawn", seed)):
            g, path = Model(1), os.path.join(folder, f"{name}-{which}")
            f(g, sizes(s and s * 1000 + len(name)))
            g.save(path + ".onnx", OPSET)
            np.savez(path + ".npz", **g.given)
            yield name, which, path + ".onnx", path + ".npz"
