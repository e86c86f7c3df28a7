"""Run by test_run.py in a process of its own, as the package looks for ml_dtypes when it is imported."""

import ml_dtypes
import numpy as np

import inlay


def converts(a, b):
    g = inlay.Graph()
    g.result(g.add("Convert", g.parameter("x", a, [1, None]), destination_type=b), "y")
    return inlay.load(g)


def check(name, dtype, bits, values):
    """VALUES have these BITS as elements of the type NAME, which is DTYPE of ml_dtypes."""
    plain = np.array([bits], "u2" if name == "bf16" else "u1")
    x = plain.view(dtype)
    np.testing.assert_array_equal(converts(name, "f32")(x), [values])
    np.testing.assert_array_equal(converts(name, "f32")(plain), [values])
    for strided in (np.repeat(x, 2, 1)[:, ::2], x[:, ::-1][:, ::-1]):
        np.testing.assert_array_equal(converts(name, "f32")(strided), [values])
    y = converts("f32", name)(np.array([values], "f4"))
    assert y.dtype == np.dtype(dtype), (name, y.dtype)
    np.testing.assert_array_equal(y.view(plain.dtype), plain)

    g = inlay.Graph()
    g.result(g.add("Broadcast", g.parameter("x", name, [1, len(bits)]),
                   g.constant(np.array([2, len(bits)]))), "y")
    m = inlay.load(g)
    out = np.zeros((2, len(bits)), plain.dtype).view(dtype)
    m.run({"x": x}, out={"y": out})
    np.testing.assert_array_equal(out.view(plain.dtype), np.repeat(plain, 2, 0))

    t = inlay.tensor(x)
    assert t.type == name and np.asarray(t).dtype == np.dtype(dtype), t
    assert np.shares_memory(np.asarray(t).view(plain.dtype), plain)
    s = inlay.load(g).session()
    s.run({"x": x}, donate=["x"])
    try:
        s.run({"x": x})
        raise AssertionError("a donated array was taken again")
    except ValueError as e:
        assert "donated" in str(e), e
    try:
        converts("f32", "i32")(plain.copy().view(dtype))
        raise AssertionError("an array of " + name + " was taken for f32")
    except inlay.Error as e:
        assert name in str(e), e


check("bf16", ml_dtypes.bfloat16, [0x3f80, 0x4000, 0xc040], [1, 2, -3])
check("f8e4m3", ml_dtypes.float8_e4m3fn, [0x38, 0xc0, 0x7e], [1, -2, 448])
check("f8e5m2", ml_dtypes.float8_e5m2, [0x3c, 0xc0, 0x7b], [1, -2, 57344])
check("f8e4m3fnuz", ml_dtypes.float8_e4m3fnuz, [0x40, 0x48], [1, 2])
check("f8e5m2fnuz", ml_dtypes.float8_e5m2fnuz, [0x40, 0x44], [1, 2])
if hasattr(ml_dtypes, "float8_e8m0fnu"):  # since 0.5
    check("f8e8m0", ml_dtypes.float8_e8m0fnu, [0x7f, 0x80], [1, 2])
if hasattr(ml_dtypes, "int4"):
    small = np.array([[-8, 7, 0, 3, -1]], "i1").astype(ml_dtypes.int4)
    np.testing.assert_array_equal(converts("i4", "i32")(small), [[-8, 7, 0, 3, -1]])
print("ok")
