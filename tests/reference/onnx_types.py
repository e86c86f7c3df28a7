"""Cases of operations about element types: Cast and BitCast of ONNX, FakeConvert of OpenVINO."""

import numpy as np

from case import CARRIER, Case, Tensor, rounded

# Floats of 4 and 8 bits: bits of the significand, bias, codes of finite numbers without sign, and whether
# infinity, or what is too large, has a code of its own. Source: ONNX, "Float stored in 8 bits", "in 4 bits".
NARROW = {
    "f8e4m3": (3, 7, 0x7F, "nan"),
    "f8e4m3fnuz": (3, 8, 0x80, "nan"),
    "f8e5m2": (2, 15, 0x7C, "inf"),
    "f8e5m2fnuz": (2, 16, 0x80, "nan"),
    "f4e2m1": (1, 1, 0x08, "most"),
}


def numbers(type_):
    """The finite numbers of the type that are not negative, by their codes."""
    mantissa, bias, codes, _ = NARROW[type_]
    values = []
    for code in range(codes):
        field, fraction = code >> mantissa, code & ((1 << mantissa) - 1)
        if field:
            values.append(2.0 ** (field - bias) * (1 + fraction / 2**mantissa))
        else:
            values.append(2.0 ** (1 - bias) * fraction / 2**mantissa)
    return values


def narrow(type_, x, saturate):
    """The table of Cast: the nearest number, of two the one with the even code; beyond the largest that, or what the
    type has for it."""
    values, beyond = numbers(type_), NARROW[type_][3]
    negative_zero = 0.0 if type_.endswith("fnuz") else -0.0
    if np.isnan(x):
        return -0.0 if type_ == "f4e2m1" else np.nan
    most, step = values[-1], values[-1] - values[-2]
    if abs(x) > most and (saturate or beyond == "most"):
        return np.copysign(most, x)
    # The number behind the largest would be even, too, where the largest is odd.
    limit = most + step / 2
    if abs(x) > limit or (abs(x) == limit and (len(values) - 1) % 2 == 1):
        return np.copysign(np.inf, x) if beyond == "inf" else np.nan
    code = min(range(len(values)), key=lambda k: (abs(values[k] - abs(x)), k % 2))
    y = values[code]
    return y if x > 0 else (-y if y else negative_zero) if np.signbit(x) else y


def cast_to_narrow_floats():
    specials = [0, -0.0, np.nan, np.inf, -np.inf, 1e6, -1e6, 1e-9, -1e-9]
    for type_ in NARROW:
        values = numbers(type_)
        picked = values[1:4] + [values[-2], -values[-1]]
        halves = [(a + b) / 2 for a, b in zip(values[1:6], values[2:7])]
        beyond = values[-1] + (values[-1] - values[-2]) / 2
        x = np.array(specials + picked + halves + [beyond, -beyond, np.nextafter(np.float32(beyond), np.float32(0))],
                     np.float32)
        for saturate in [True] if type_ == "f4e2m1" else [True, False]:
            c = Case("Cast", f"to_{type_}{'' if saturate else '_unsaturated'}")
            y = Tensor(type_, [narrow(type_, float(v), saturate) for v in x])
            c.node([Tensor("f32", x)], y, {"to": type_, **({} if saturate else {"saturate": False})}, "onnx25")


def cast_to_exponents():
    """f8e8m0: the power of two at or above, at or below, or nearest, halves up."""
    x = np.array([0.0, 1, 1.25, 1.5, 1.75, 2, 3, 0.124, -4, 2.0**127, 1.75 * 2.0**127, np.nan, np.inf], np.float32)
    for mode in ("up", "down", "nearest"):
        for saturate in (True, False):
            y = []
            for v in np.abs(x.astype(np.float64)):
                if not np.isfinite(v):
                    y.append(np.nan)
                    continue
                v = max(v, 2.0**-127)
                low = 2.0 ** np.floor(np.log2(v))
                up = v > low if mode == "up" else mode == "nearest" and v >= 1.5 * low
                p = 2 * low if up else low
                y.append(p if p <= 2.0**127 else 2.0**127 if saturate else np.nan)
            c = Case("Cast", f"to_f8e8m0_{mode}{'' if saturate else '_unsaturated'}")
            c.node([Tensor("f32", x)], Tensor("f8e8m0", y), {"to": "f8e8m0", "round_mode": mode, "saturate": saturate},
                   "onnx25")


def cast_strings():
    c = Case("Cast", "from_strings")
    text = Tensor("string", ["3.14", "1000", "1e-5", "1E8", "-INF", "+inf", "NaN", "-7"])
    for type_ in ("f64", "f32"):
        c.node([text], Tensor(type_, [3.14, 1000, 1e-5, 1e8, -np.inf, np.inf, np.nan, -7]), {"to": type_}, "onnx25")
    whole = Tensor("string", ["9223372036854775807", "-9223372036854775808", "0", "+12"])
    c.node([whole], Tensor("i64", [2**63 - 1, -(2**63), 0, 12]), {"to": "i64"}, "onnx25")
    c = Case("Cast", "to_strings")
    x = np.array([314.15926, 1, -0.5, 1e-7, 1e6, 123456789, 2.5e20, 0], np.float32)
    c.node([Tensor("f32", x)], Tensor("string", x.astype(str)), {"to": "string"}, "onnx25")
    x = np.array([np.nan, np.inf, -np.inf])
    c.node([Tensor("f64", x)], Tensor("string", ["NaN", "INF", "-INF"]), {"to": "string"}, "onnx25")
    x = np.array([-128, 0, 127], np.int8)
    c.node([Tensor("i8", x)], Tensor("string", x.astype(str)), {"to": "string"}, "onnx25")


def bit_cast():
    c = Case("BitCast", "types")
    numbers = {"f32": [1, -2.5, np.inf, 0], "i32": [1, -1, 2**31 - 1, 0x7FC00000], "f16": [1, -2, 0.5, 0],
               "i64": [1, -1, 2**62, 0], "i8": [1, -1, 127, -128], "boolean": [1, 0, 1, 1]}
    for from_, to in (("f32", "i32"), ("i32", "f32"), ("i32", "u32"), ("f16", "i16"), ("i64", "f64"), ("i64", "u64"),
                      ("i8", "u8"), ("boolean", "u8")):
        x = Tensor(from_, np.array(numbers[from_]).reshape(2, 2))
        c.node([x], Tensor(to, x.array.view(CARRIER[to])), {"to": to}, "onnx26")


def through(type_, x):
    """x as f16, then as the type: finite numbers saturate, and infinity where the type has none."""
    with np.errstate(over="ignore"):
        h = float(np.float32(x).astype(np.float16))
    saturate = np.isfinite(h) or type_ == "f8e4m3"
    return narrow(type_, h, saturate)


def fake_converted(type_, x, scale, shift):
    """Element by element, in f32."""
    x, scale, shift = (v.array.astype(np.float32) for v in (x, scale, shift))
    with np.errstate(all="ignore"):
        inner = x * scale - shift
        y = np.array([through(type_, v) for v in inner.reshape(-1)], np.float32).reshape(inner.shape)
        return (y + shift) / scale


def fake_convert():
    specials = [0, 448, 449, -1000, 57344, 61440, -61440, 65504, 65520, 1e6, np.nan, np.inf, -np.inf, 2.0**-9, 1.5 * 2.0**-9,
                2.0**-10, 1.1 * 2.0**-10, 2.0**-6, 0.9 * 2.0**-6, 1.0625, 1.1875, 1.125, 1.375, 2.0**-16, 3 * 2.0**-17]
    for to in ("f8e4m3", "f8e5m2"):
        c = Case("FakeConvert", to)
        one, none = Tensor("f32", 1), Tensor("f32", 0)
        x = Tensor("f32", specials)
        c.node([x, one], rounded("f32", fake_converted(to, x, one, none)), {"destination_type": to}, "opset13")
        for t in ("f32", "f16", "bf16"):
            x, scale, shift = c.floats(t, (2, 3, 4)), c.floats(t, (3, 1), 1, 4), c.floats(t, (3, 1), -2, 2)
            c.node([x, scale, shift], rounded(t, fake_converted(to, x, scale, shift)), {"destination_type": to}, "opset13")
        x, scale, shift = c.floats("f32", (2, 2)), c.floats("f32", (2, 2), 1, 4), Tensor("f32", 0.5)
        c.node([x, scale, shift], rounded("f32", fake_converted(to, x, scale, shift)), {"destination_type": to}, "opset13")


def make():
    cast_to_narrow_floats()
    cast_to_exponents()
    cast_strings()
    bit_cast()
    fake_convert()
