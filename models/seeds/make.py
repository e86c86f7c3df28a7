#!/usr/bin/env python3
"""Writes the models of this folder and their expected outputs.

Every value is typed here from the documents; nothing is computed but counting and filling. Only
whoever changes an example needs to run it: python3 make.py
"""
import json
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
# type: port precision, npy, struct
TYPES = {"f32": ("FP32", "<f4", "f"), "i32": ("I32", "<i4", "i"), "i64": ("I64", "<i8", "q")}


def path(name):
    return os.path.join(HERE, name)


def nested_shape(values):
    return (len(values),) + nested_shape(values[0]) if isinstance(values, list) else ()


def flat(values):
    return [x for v in values for x in flat(v)] if isinstance(values, list) else [values]


class Array:
    """Elements, as nested lists, or as a flat list and a shape."""

    def __init__(self, element, values, shape=None):
        self.type, self.values = element, flat(values)
        self.shape = nested_shape(values) if shape is None else shape

    def tobytes(self):
        return struct.pack(f"<{len(self.values)}{TYPES[self.type][2]}", *self.values)


class Input:
    """A Parameter: the caller gives it (iota, zeros or ones, or anything)."""

    def __init__(self, element, *shape):
        self.type, self.shape = element, shape


def f32(values):
    return Array("f32", values)


def i32(values):
    return Array("i32", values)


def i64(values):
    return Array("i64", values)


def expect(name, array):
    """NAME.npy, format 1.0."""
    shape = ", ".join(str(d) for d in array.shape) + ("," if len(array.shape) == 1 else "")
    header = (f"{{'descr': '{TYPES[array.type][1]}', 'fortran_order': False, "
              f"'shape': ({shape}), }}")
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path(name + ".npy"), "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        f.write(array.tobytes())


def ports(tag, first, operands):
    if not operands:
        return ""
    lines = [f"\t\t\t<{tag}>"]
    for i, (element, shape) in enumerate(operands):
        dims = "".join(f"\n\t\t\t\t\t<dim>{d}</dim>" for d in shape)
        close = f">{dims}\n\t\t\t\t</port>" if shape else "/>"
        lines.append(f'\t\t\t\t<port id="{first + i}" precision="{element}"{close}')
    lines.append(f"\t\t\t</{tag}>")
    return "\n".join(lines) + "\n"


def openvino(name, op, opset, operands, result_shape):
    """An IR of one operation; OPERANDS: (name, Input or array)."""
    layers, edges, weights = [], [], b""
    for i, (operand, value) in enumerate(operands):
        element, precision = value.type, TYPES[value.type][0]
        shape = ",".join(str(d) for d in value.shape)
        out = ports("output", 0, [(precision, value.shape)])
        if isinstance(value, Input):
            data = f'<data shape="{shape}" element_type="{element}"/>'
            layers.append((operand, "Parameter", "opset1", data, "", out))
        else:
            raw = value.tobytes()
            data = (f'<data element_type="{element}" shape="{shape}" offset="{len(weights)}" '
                    f'size="{len(raw)}"/>')
            weights += raw
            layers.append((operand, "Const", "opset1", data, "", out))
        edges.append((i, 0, len(operands), i))
    kinds = [(TYPES[v.type][0], v.shape) for _, v in operands]
    result = (kinds[0][0], result_shape)
    layers.append(("output", op, opset, "", ports("input", 0, kinds),
                   ports("output", len(operands), [result])))
    layers.append(("result", "Result", "opset1", "", ports("input", 0, [result]), ""))
    edges.append((len(operands), len(operands), len(operands) + 1, 0))
    with open(path(name + ".xml"), "w") as f:
        f.write(f'<?xml version="1.0"?>\n<net name="{name}" version="11">\n\t<layers>\n')
        for i, (layer, kind, version, data, inputs, outputs) in enumerate(layers):
            f.write(f'\t\t<layer id="{i}" name="{layer}" type="{kind}" version="{version}">\n')
            f.write(f"\t\t\t{data}\n" if data else "")
            f.write(inputs + outputs + "\t\t</layer>\n")
        f.write("\t</layers>\n\t<edges>\n")
        for edge in edges:
            f.write('\t\t<edge from-layer="%d" from-port="%d" to-layer="%d" to-port="%d"/>\n' % edge)
        f.write("\t</edges>\n</net>\n")
    with open(path(name + ".bin"), "wb") as f:
        f.write(weights)


def graph(name, op, version, operands, attributes=None):
    """A JSON graph of one operation; OPERANDS: (name, Input or array)."""
    inputs, constants = [], []
    for operand, value in operands:
        entry = {"name": operand, "type": value.type, "shape": list(value.shape)}
        if isinstance(value, Input):
            inputs.append(entry)
        else:
            constants.append(dict(entry, data=value.values))
    node = {"name": "output", "type": op, "version": version,
            "inputs": [operand for operand, _ in operands], "attributes": attributes or {}}
    document = {"format": "inlay-graph", "format_version": 1, "name": name, "inputs": inputs,
                "constants": constants, "nodes": [node], "outputs": ["output"]}
    with open(path(name + ".json"), "w") as f:
        lines = [f'  {json.dumps(key)}: ' +
                 ("[\n    " + ",\n    ".join(json.dumps(v) for v in value) + "\n  ]"
                  if isinstance(value, list) and value and isinstance(value[0], dict)
                  else json.dumps(value)) for key, value in document.items()]
        f.write("{\n" + ",\n".join(lines) + "\n}\n")


def slice_scatter():
    operands = lambda shape, updates, *lists: [("data", Input("f32", *shape)),
                                               ("updates", f32(updates))] + list(
        zip(("start", "stop", "step", "axes"), map(i32, lists)))
    openvino("slice_scatter_1", "SliceScatter", "opset15",
             operands((2, 5), [[10, 20, 30, 40, 50]], [0], [1], [1], [0]), (2, 5))
    expect("slice_scatter_1", f32([[10, 20, 30, 40, 50], [5, 6, 7, 8, 9]]))
    openvino("slice_scatter_2", "SliceScatter", "opset15",
             operands((2, 5), [[10, 20, 30], [40, 50, 60]], [-25], [25], [2], [1]), (2, 5))
    expect("slice_scatter_2", f32([[10, 1, 20, 3, 30], [40, 6, 50, 8, 60]]))
    openvino("slice_scatter_3", "SliceScatter", "opset15",
             operands((3, 5), [[50, 60], [70, 80]], [0, 1], [3, 5], [2, 2]), (3, 5))
    expect("slice_scatter_3", f32([[0, 50, 2, 60, 4], [5, 6, 7, 8, 9], [10, 70, 12, 80, 14]]))


def scatter_update():
    openvino("scatter_update_1", "ScatterUpdate", "opset3",
             [("data", Input("f32", 1000, 256, 10, 15)), ("indices", Input("i32", 125, 20)),
              ("updates", Input("f32", 1000, 125, 20, 10, 15)), ("axis", i32([1]))],
             (1000, 256, 10, 15))
    openvino("scatter_update_2", "ScatterUpdate", "opset3",
             [("data", f32([[-1, 1, -1, 3, 4], [-1, 6, -1, 8, 9], [-1, 11, 1, 13, 14]])),
              ("indices", i32([0, 2])), ("updates", f32([[1, 1], [1, 1], [1, 2]])),
              ("axis", i32([1]))], (3, 5))
    expect("scatter_update_2", f32([[1, 1, 1, 3, 4], [1, 6, 1, 8, 9], [1, 11, 2, 13, 14]]))


def onnx_slice():
    data = i32([[1, 2, 3, 4], [5, 6, 7, 8]])
    for v in (13, 11, 10):
        graph(f"onnx_slice_{v}_1", "Slice", f"onnx{v}",
              [("data", data), ("starts", i64([1, 0])), ("ends", i64([2, 3])),
               ("axes", i64([0, 1])), ("steps", i64([1, 2]))])
        expect(f"onnx_slice_{v}_1", i32([[5, 7]]))
        graph(f"onnx_slice_{v}_2", "Slice", f"onnx{v}",
              [("data", data), ("starts", i64([0, 1])), ("ends", i64([-1, 1000]))])
        expect(f"onnx_slice_{v}_2", i32([[2, 3, 4]]))
    graph("onnx_slice_1_1", "Slice", "onnx1", [("data", data)],
          {"axes": [0, 1], "starts": [1, 0], "ends": [2, 3]})
    expect("onnx_slice_1_1", i32([[5, 6, 7]]))
    graph("onnx_slice_1_2", "Slice", "onnx1", [("data", data)], {"starts": [0, 1], "ends": [-1, 1000]})
    expect("onnx_slice_1_2", i32([[2, 3, 4]]))


def onnx_slice_backend():
    # The document's data is random; here it counts: x[i, j, k] = 50 i + 5 j + k.
    def x(*axes):
        return Array("f32", [50 * i + 5 * j + k for i in axes[0] for j in axes[1] for k in axes[2]],
                     tuple(len(a) for a in axes))

    names = ("starts", "ends", "axes", "steps")
    all20, all10, all5, last = range(20), range(10), range(5), range(3, 4)
    examples = {
        "slice": ([0, 0], [3, 10], [0, 1], [1, 1], x(range(3), all10, all5)),
        "slice_neg": ([0], [-1], [1], [1], x(all20, range(9), all5)),
        "slice_start_out_of_bounds": ([1000], [1000], [1], [1], x(all20, range(0), all5)),
        "slice_end_out_of_bounds": ([1], [1000], [1], [1], x(all20, range(1, 10), all5)),
        "slice_default_axes": ([0, 0, 3], [20, 10, 4], None, None, x(all20, all10, last)),
        "slice_default_steps": ([0, 0, 3], [20, 10, 4], [0, 1, 2], None, x(all20, all10, last)),
        "slice_neg_steps": ([20, 10, 4], [0, 0, 1], [0, 1, 2], [-1, -3, -2],
                            x(range(19, 0, -1), range(9, 0, -3), range(4, 1, -2))),
        "slice_negative_axes": ([0, 0, 3], [20, 10, 4], [0, -2, -1], None, x(all20, all10, last)),
    }
    for name, (*lists, y) in examples.items():
        given = [(n, i64(values)) for n, values in zip(names, lists) if values is not None]
        graph("onnx_" + name, "Slice", "onnx13", [("x", Input("f32", 20, 10, 5))] + given)
        expect("onnx_" + name, y)


def mindspore_scatter():
    this, index = f32([[1, 2], [3, 4]]), i64([[1, 0], [1, 0]])
    src, rows = f32([[4, 3], [2, 1]]), i64([[0], [1]])
    with_src = [("self", this), ("index", index), ("src", src)]
    with_value = [("self", this), ("index", rows)]
    examples = {
        "src": (with_src, {"dim": 1}, [[3, 4], [1, 2]]),
        "src_add": (with_src, {"dim": 1, "reduce": "add"}, [[4, 6], [4, 6]]),
        "value": (with_value, {"dim": 0, "value": 10}, [[10, 2], [10, 4]]),
        "value_multiply": (with_value, {"dim": 0, "value": 3, "reduce": "multiply"}, [[3, 2], [9, 4]]),
    }
    for name, (operands, attributes, y) in examples.items():
        graph("mindspore_scatter_" + name, "Tensor.scatter_", "mindspore", operands, attributes)
        expect("mindspore_scatter_" + name, f32(y))


def tensorflow_scatter():
    def example(name, tensor, indices, updates, y):
        graph("tensorflow_" + name, "tensor_scatter_nd_update", "tensorflow",
              [("tensor", tensor), ("indices", i32(indices)), ("updates", updates)],
              {"bad_indices": "error"})
        expect("tensorflow_" + name, y)

    example("elements", Input("i32", 8), [[1], [3], [4], [7]], i32([9, 10, 11, 12]),
            i32([0, 9, 0, 10, 11, 0, 0, 12]))
    example("elements_2d", Input("i32", 3, 2), [[0, 1], [2, 0]], i32([5, 10]),
            i32([[1, 5], [1, 1], [10, 1]]))
    example("rows", Input("i32", 6, 3), [[2], [4]], i32([[1, 2, 3], [4, 5, 6]]),
            i32([[0, 0, 0], [0, 0, 0], [1, 2, 3], [0, 0, 0], [4, 5, 6], [0, 0, 0]]))
    video = (13, 11, 7, 5, 3)
    clip, image = 11 * 7 * 5 * 3, 7 * 5 * 3
    clips = Array("f32", [1] * (2 * clip) + [0] * (11 * clip), video)
    frames = Array("f32", ([1] * image + [0] * (clip - image)) * 3 + [0] * (10 * clip), video)
    example("clips", Input("f32", *video), [[0], [1]],
            Input("f32", 2, 11, 7, 5, 3), clips)
    example("frames", Input("f32", *video), [[0, 0], [1, 0], [2, 0]],
            Input("f32", 3, 7, 5, 3), frames)
    example("cross", Input("f32", 5, 5),
            [[[0, 0], [1, 1], [2, 2], [3, 3], [4, 4]], [[0, 4], [1, 3], [2, 2], [3, 1], [4, 0]]],
            f32([[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]]),
            f32([[1, 0, 0, 0, 1], [0, 1, 0, 1, 0], [0, 0, 1, 0, 0], [0, 1, 0, 1, 0],
                 [1, 0, 0, 0, 1]]))


if __name__ == "__main__":
    slice_scatter()
    scatter_update()
    onnx_slice()
    onnx_slice_backend()
    mindspore_scatter()
    tensorflow_scatter()
