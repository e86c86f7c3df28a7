"""Writes layers as OpenVINO IR version 11: X.xml and X.bin.

Laid out as OpenVINO's own writer does it: Parameters first, then the layers in topological order,
then the Results; ids are positions; input ports count from 0 and output ports go on from there;
every port says precision and dims (-1 for a size not known); edges sorted by their source.
"""

import io
from xml.sax.saxutils import quoteattr

import numpy as np

# numpy's kind of number -> (in <data>, on ports)
PRECISIONS = {"uint8": ("u8", "U8"), "float32": ("f32", "FP32"), "int64": ("i64", "I64"),
              "bool": ("boolean", "BOOL")}


class Value:
    """One output of a layer: where it comes from, its type and its shape."""

    def __init__(self, layer, port, dtype, shape):
        self.layer, self.port, self.dtype, self.shape = layer, port, np.dtype(dtype), shape

    def port_xml(self, index, indent, names=None):
        head = f'<port id="{index}" precision="{PRECISIONS[self.dtype.name][1]}"'
        head += f" names={quoteattr(names)}" if names else ""
        if not self.shape:
            return f"{indent}{head} />\n"
        dims = "".join(f"{indent}\t<dim>{d}</dim>\n" for d in self.shape)
        return f"{indent}{head}>\n{dims}{indent}</port>\n"


class Model:
    def __init__(self, name):
        self.name = name
        self.layers = []
        self.edges = []
        self.weights = io.BytesIO()

    def layer(self, type_, version, name, inputs, output, attributes=None, tensor_name=None):
        """Adds a layer; output is (dtype, shape) or None; returns its Value."""
        outputs = [(*output, tensor_name)] if output else []
        values = self.layer_of(type_, version, name, inputs, outputs, attributes)
        return values[0] if values else None

    def layer_of(self, type_, version, name, inputs, outputs, attributes=None):
        """The same with any number of outputs, (dtype, shape, tensor name or None) each."""
        index = len(self.layers)
        text = f'\t\t<layer id="{index}" name={quoteattr(name)} type="{type_}" version="{version}">\n'
        if attributes:
            pairs = " ".join(f"{k}={quoteattr(str(v))}" for k, v in attributes.items())
            text += f"\t\t\t<data {pairs} />\n"
        if inputs:
            ports = "".join(v.port_xml(i, "\t\t\t\t") for i, v in enumerate(inputs))
            text += f"\t\t\t<input>\n{ports}\t\t\t</input>\n"
        values = [Value(index, len(inputs) + i, *o[:2]) for i, o in enumerate(outputs)]
        if values:
            ports = "".join(v.port_xml(v.port, "\t\t\t\t", o[2]) for v, o in zip(values, outputs))
            text += f"\t\t\t<output>\n{ports}\t\t\t</output>\n"
        self.layers.append(text + "\t\t</layer>\n")
        self.edges += [(v.layer, v.port, index, i) for i, v in enumerate(inputs)]
        return values

    def constant(self, name, array):
        """Its bytes go to the .bin, little endian, at a multiple of the element size."""
        array = np.asarray(array, order="C")
        self.weights.write(b"\0" * (-self.weights.tell() % array.itemsize))
        attributes = {
            "element_type": PRECISIONS[array.dtype.name][0],
            "shape": ", ".join(str(d) for d in array.shape),
            "offset": self.weights.tell(),
            "size": array.nbytes,
        }
        self.weights.write(array.astype(array.dtype.newbyteorder("<")).tobytes())
        return self.layer("Const", "opset1", name, [], (array.dtype, array.shape), attributes)

    def write(self, stem):
        edges = "".join(
            f'\t\t<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}" />\n'
            for a, b, c, d in sorted(self.edges)
        )
        text = f'<?xml version="1.0"?>\n<net name={quoteattr(self.name)} version="11">\n'
        text += f"\t<layers>\n{''.join(self.layers)}\t</layers>\n"
        text += f"\t<edges>\n{edges}\t</edges>\n\t<rt_info />\n</net>\n"
        with open(f"{stem}.xml", "w", encoding="utf-8", newline="\n") as f:
            f.write(text)
        with open(f"{stem}.bin", "wb") as f:
            f.write(self.weights.getvalue())
