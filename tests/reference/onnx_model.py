"""Writes a model of ONNX with one node, and its test data, as the bytes of protobuf messages: field numbers are those
of onnx.proto. Nothing of the library is used."""

import struct

import numpy as np

TYPES = {np.dtype(np.float32): 1, np.dtype(np.int32): 6, np.dtype(np.int64): 7, np.dtype(bool): 9,
         np.dtype(np.float16): 10, np.dtype(np.float64): 11, np.dtype(np.uint8): 2, np.dtype(np.int8): 3,
         np.dtype(np.int16): 5}


class Nibbles:
    """Numbers of 4 bits, which lie two in a byte, the first one in its low half."""

    def __init__(self, array, signed):
        self.array, self.shape, self.type = array, array.shape, 22 if signed else 21

    def bytes(self):
        x = self.array.reshape(-1) & 15
        x = np.append(x, 0) if len(x) % 2 else x
        return (x[::2] | x[1::2] << 4).astype(np.uint8).tobytes()


class BFloat16:
    """Numbers whose lower half is 0 as f32."""

    def __init__(self, array):
        self.array, self.shape, self.type = array, array.shape, 16

    def bytes(self):
        return (self.array.view(np.uint32) >> 16).astype(np.uint16).tobytes()


def type_of(array):
    if isinstance(array, (Nibbles, BFloat16)):
        return array.type
    return 8 if array.dtype.kind == "U" else TYPES[array.dtype]


def varint(n):
    n &= 2**64 - 1
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n)


def block(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def real(field, x):
    return varint(field << 3 | 5) + struct.pack("<f", x)


def tensor(array, name=""):
    if isinstance(array, (Nibbles, BFloat16)):
        return (b"".join(number(1, n) for n in array.shape) + number(2, array.type) + block(8, name) +
                block(9, array.bytes()))
    array = np.asarray(array)
    if array.dtype.kind == "U":
        return (b"".join(number(1, n) for n in array.shape) + number(2, type_of(array)) + b"".join(block(6, x) for x in array.flat) +
                block(8, name))
    return (b"".join(number(1, n) for n in array.shape) + number(2, TYPES[array.dtype]) + block(8, name) +
            block(9, array.tobytes()))


def declaration(name, array, sizes="said"):
    """SIZES: said, open (no word of them), or minus (-1, as some exporters write an open one)."""
    dims = b"".join(block(1, b"" if sizes == "open" else number(1, -1 if sizes == "minus" else n)) for n in array.shape)
    return block(1, name) + block(2, block(1, number(1, type_of(array)) + block(2, dims)))


def attribute(name, x):
    out = block(1, name)
    if isinstance(x, bytes):  # a graph
        return out + block(6, x) + number(20, 5)
    if isinstance(x, str):
        return out + block(4, x) + number(20, 3)
    if isinstance(x, int):
        return out + number(3, x) + number(20, 2)
    if isinstance(x, float):
        return out + real(2, x) + number(20, 1)
    if isinstance(x[0], str):
        return out + b"".join(block(9, s) for s in x) + number(20, 8)
    if isinstance(x[0], float):
        return out + b"".join(real(7, v) for v in x) + number(20, 6)
    return out + b"".join(number(8, v) for v in x) + number(20, 7)


def node(op, inputs, outputs, attributes=None, domain=""):
    return (b"".join(block(1, i) for i in inputs) + b"".join(block(2, o) for o in outputs) + block(4, op) +
            b"".join(block(5, attribute(*a)) for a in (attributes or {}).items()) + block(7, domain))


def graph(nodes, inputs, outputs, constants=(), sizes="said"):
    """Inputs, outputs and constants: names with arrays, or None where nothing is declared."""
    def ports(field, values):
        return b"".join(block(field, declaration(n, a, sizes) if a is not None else block(1, n)) for n, a in values)

    fixed = b"".join(block(5, tensor(a, n)) for n, a in constants)
    return b"".join(block(1, n) for n in nodes) + block(2, "g") + fixed + ports(11, inputs) + ports(12, outputs)


def write(folder, op, opset, operands, results, attributes=None, domain="", sizes="said"):
    """OPERANDS and RESULTS: arrays, of which None is left out. IS_OPEN: no size is declared."""
    names = [f"x{i}" if a is not None else "" for i, a in enumerate(operands)]
    outs = [f"y{i}" if a is not None else "" for i, a in enumerate(results)]
    given = [(n, a) for n, a in zip(names, operands) if a is not None]
    wanted = [(n, a) for n, a in zip(outs, results) if a is not None]
    write_graph(folder, opset, [node(op, names, outs, attributes, domain)], given, wanted, domain, sizes=sizes)


def write_graph(folder, opset, nodes, given, wanted, domain="", constants=(), sizes="said"):
    """GIVEN, WANTED and CONSTANTS: the names of inputs, outputs and constants with their arrays."""
    sets = block(8, block(1, "") + number(2, opset if not domain else 17))
    sets += block(8, block(1, domain) + number(2, opset)) if domain else b""
    body = graph(nodes, given, wanted, constants, sizes)
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(number(1, 8) + block(7, body) + sets)
    for prefix, values in (("input", given), ("output", wanted)):
        for i, (name, array) in enumerate(values):
            (data / f"{prefix}_{i}.pb").write_bytes(tensor(array, name))
