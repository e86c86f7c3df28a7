"""Element types and tensors.

A tensor has an element type, a numpy array of its carrier type, and a slack: how far each element of
the program's tensor may be from it. 0 is bit for bit (a NaN is any NaN, and zeros have no sign);
infinite slack means that only type and shape are known.
"""

import numpy as np

from .registry import Unsupported

# bf16 is carried by the f32 that it stands for, packed types by bytes.
CARRIER = {
    "f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.float32,
    "i64": np.int64, "i32": np.int32, "i16": np.int16, "i8": np.int8, "i4": np.int8,
    "u64": np.uint64, "u32": np.uint32, "u16": np.uint16, "u8": np.uint8, "u4": np.uint8,
    "u1": np.uint8, "boolean": np.bool_, "string": object,
}
FLOATS = ("f64", "f32", "f16", "bf16")
INTEGERS = ("i64", "i32", "i16", "i8", "i4", "u64", "u32", "u16", "u8", "u4", "u1")
EPSILON = {"f64": 2.0**-52, "f32": 2.0**-23, "f16": 2.0**-10, "bf16": 2.0**-7}


def is_float(type_):
    return type_ in FLOATS


def bits_of(type_):
    return int(type_.lstrip("iuf"))


def least_and_greatest(type_):
    bits = bits_of(type_)
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if type_[0] == "i" else (0, 2**bits - 1)


class Tensor:
    def __init__(self, type_, array, slack=0.0):
        if type_ not in CARRIER:
            raise Unsupported(f"element type {type_}")
        self.type, self.slack = type_, slack
        self.array = np.asarray(array, dtype=CARRIER[type_])

    @property
    def shape(self):
        return self.array.shape

    @property
    def rank(self):
        return self.array.ndim

    def like(self, array):
        """The same type and slack: elements that were only moved."""
        return Tensor(self.type, array, self.slack)

    def greatest(self):
        """The greatest magnitude among the finite elements."""
        if not is_float(self.type) or self.array.size == 0:
            return 0.0
        wide = np.abs(self.array.astype(np.float64))
        return float(np.max(np.where(np.isfinite(wide), wide, 0.0)))


def to_bf16(array):
    """f32 rounded to the nearest bf16, ties to even, still carried by f32."""
    array = np.asarray(array, np.float32)
    bits = array.reshape(-1).view(np.uint32).astype(np.int64)
    nearest = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32)
    return np.where(np.isnan(array), array, nearest.view(np.float32).reshape(array.shape))


def wrap(type_, integers):
    """Python integers of any size, modulo the width of the type."""
    low, high = least_and_greatest(type_)
    flat = [(int(x) - low) % (high - low + 1) + low for x in np.asarray(integers, object).reshape(-1)]
    return np.array(flat, dtype=CARRIER[type_]).reshape(np.shape(integers))


def rounded(type_, array):
    """f32 or f64 values as a float type keeps them; f16 and bf16 are rounded from f32."""
    with np.errstate(all="ignore"):
        if type_ == "f16":
            return np.asarray(array).astype(np.float32).astype(np.float16)
        if type_ == "bf16":
            return to_bf16(np.asarray(array).astype(np.float32))
        return np.asarray(array).astype(CARRIER[type_])


def working(tensor):
    """The elements in the type that arithmetic is done in: f64, f32 (of f16 and bf16 too), or
    Python integers."""
    if tensor.type == "f64":
        return tensor.array
    if is_float(tensor.type):
        return tensor.array.astype(np.float32)
    return tensor.array.astype(object)


def finish(type_, array, slack=0.0):
    """What was computed on `working` elements, as a tensor."""
    if is_float(type_):
        return Tensor(type_, rounded(type_, array), slack)
    return Tensor(type_, wrap(type_, array), slack)


# ---- bytes, as the program holds tensors ----


def from_bytes(type_, shape, raw):
    count = int(np.prod(shape, dtype=np.int64))
    if type_ in ("i4", "u4"):  # the first element is in the low half of a byte
        pairs = np.frombuffer(raw, np.uint8)
        flat = np.stack([pairs & 15, pairs >> 4], axis=-1).reshape(-1)[:count].astype(np.int64)
        array = np.where((flat > 7) & (type_ == "i4"), flat - 16, flat)
    elif type_ == "u1":  # the first element is the high bit
        array = np.unpackbits(np.frombuffer(raw, np.uint8))[:count]
    elif type_ == "bf16":
        array = (np.frombuffer(raw, np.uint16).astype(np.uint32) << 16).view(np.float32)
    elif type_ == "boolean":
        array = np.frombuffer(raw, np.uint8) != 0
    elif type_ in CARRIER and type_ != "string":
        array = np.frombuffer(raw, CARRIER[type_])
    else:
        raise Unsupported(f"the bytes of {type_}")
    return Tensor(type_, array.reshape(shape))


def to_bytes(tensor):
    flat = tensor.array.reshape(-1)
    if tensor.type in ("i4", "u4"):
        halves = np.append(flat.astype(np.int64) & 15, [0] * (flat.size % 2)).astype(np.uint8)
        return (halves[0::2] | halves[1::2] << 4).tobytes()
    if tensor.type == "u1":
        return np.packbits(flat).tobytes()
    if tensor.type == "bf16":
        return (flat.view(np.uint32) >> 16).astype(np.uint16).tobytes()
    return flat.tobytes()


# ---- JSON ----


def fits(partial, shape):
    """SHAPE is one that the document's PARTIAL shape allows."""
    if partial == "...":
        return True
    return len(partial) == len(shape) and all(dim_fits(d, n) for d, n in zip(partial, shape))


def dim_fits(dim, size):
    if dim == "?":
        return True
    low, _, high = (str(dim) if ".." in str(dim) else f"{dim}..{dim}").partition("..")
    return int(low or 0) <= size and (high == "" or size <= int(high))


def flatten(data):
    return [x for part in data for x in flatten(part)] if isinstance(data, list) else [data]


def element_of(type_, x):
    if type_ in INTEGERS:
        return int(x)
    if type_ == "boolean":
        return bool(x) and x != "0"
    if type_ == "string":
        return x if isinstance(x, str) else bytes.fromhex(x["hex"]).decode("latin-1")
    return float(x)


def float_of_bits(type_, text):
    width = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2}[type_]
    return from_bytes(type_, (1,), int(text, 16).to_bytes(width, "little")).array[0]


def from_json(type_, shape, data):
    if type_ not in CARRIER:
        raise Unsupported(f"element type {type_}")
    flat = [float_of_bits(type_, x) if isinstance(x, str) and x.startswith("0x") and is_float(type_)
            else element_of(type_, x) for x in flatten(data)]
    array = np.empty(len(flat), CARRIER[type_])
    with np.errstate(over="ignore"):
        array[:] = rounded(type_, np.array(flat, np.float64)) if is_float(type_) else flat
    return Tensor(type_, array.reshape(shape))
