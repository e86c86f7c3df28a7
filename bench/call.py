"""What a call from Python costs above the call in C: `make bench-python`. At most 1.5 us are wanted.

Beside it stand onnxruntime's Python and numpy, where the first is there. The least of many turns counts.
"""

import os
import subprocess
import timeit

import numpy as np

import inlay

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "call.inlay")
MOST = 1500


def least(call):
    """Nanoseconds of a call."""
    return min(timeit.repeat(call, number=100, repeat=500)) / 100 * 1e9


def peer(x):
    """The same model in onnxruntime; None where it or onnx is missing."""
    try:
        import onnx
        import onnxruntime
    except ImportError:
        return None
    helper, f32 = onnx.helper, onnx.TensorProto.FLOAT
    one = helper.make_tensor("one", f32, [], [1.0])
    graph = helper.make_graph([helper.make_node("Add", ["x", "one"], ["y"])], "call",
                              [helper.make_tensor_value_info("x", f32, [4])],
                              [helper.make_tensor_value_info("y", f32, [4])], [one])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return lambda: session.run(None, {"x": x})


def main():
    x = np.zeros(4, "f4")
    m = inlay.load(MODEL)
    assert (m(x) == 1).all()
    in_c = float(subprocess.check_output([os.path.join(os.environ["BUILD"], "bench", "call"), MODEL]))
    rows = [("C", in_c), ("m(x)", least(lambda: m(x))), ("m.run({...})", least(lambda: m.run({"x": x}))),
            ("numpy, x + 1", least(lambda: x + np.float32(1)))]
    other = peer(x)
    if other:
        rows.append(("onnxruntime", least(other)))
    for name, ns in rows:
        print(f"{name:14} {ns:7.0f} ns")
    above = rows[1][1] - in_c
    print(f"m(x) is {above:.0f} ns above C, at most {MOST} are wanted")
    raise SystemExit(above > MOST)


main()
