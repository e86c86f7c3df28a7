#!/usr/bin/python3
"""Holds the ports that an OpenVINO file declares against those that Inlay infers.

usage: ports.py DECLARED.xml INFERRED.xml

INFERRED is what `inlay convert` wrote of DECLARED, so that its ports say what was inferred. Prints a
line for each port that differs, and at last how many were compared. Layers belong together by name
and, where a name repeats, by their order; a layer that leads to no result is not written, and a
port without <dim> says nothing of the shape unless the other one has dims.
"""
import sys
import xml.etree.ElementTree as ET

# Two spellings of one type.
SAME = {"boolean": "BOOL", "bin": "BIN", "u1": "BIN", "undefined": "UNSPECIFIED", "dynamic": "UNSPECIFIED"}


def text(port):
    dims = ",".join(d.text.strip() for d in port.findall("dim"))
    kind = port.get("precision")
    return f"{SAME.get(kind, kind and kind.upper())} [{dims}]"


def layers(net):
    """By (name, how often it stood before)."""
    found, seen = {}, {}
    for layer in net.find("layers"):
        name = layer.get("name")
        seen[name] = seen.get(name, 0) + 1
        found[name, seen[name]] = layer
    return found


def compare_ports(where, side, declared, inferred):
    declared, inferred = (list(l.find(side) if l.find(side) is not None else ()) for l in (declared, inferred))
    if len(declared) != len(inferred):
        print(f"{where}: {len(declared)} ports of {side} are declared, {len(inferred)} are there")
    differ = 0
    for i, (d, f) in enumerate(zip(declared, inferred)):
        says, is_ = text(d), text(f)
        if d.get("precision") is None:  # input ports need not say it
            says, is_ = says.split()[1], is_.split()[1]
        if says != is_:
            print(f"{where}: {side} {i}: the file says {says}, inferred is {is_}")
    return min(len(declared), len(inferred))


def compare(path, declared, inferred):
    there, count = layers(inferred), 0
    for key, layer in layers(declared).items():
        where = f"{path}{key[0]} ({layer.get('type')})"
        other = there.get(key)
        if other is None:
            continue
        sides = ("input",) if layer.get("type") == "Result" else ("input", "output")
        count += sum(compare_ports(where, side, layer, other) for side in sides)
        for body in ("body", "then_body", "else_body"):
            if layer.find(body) is not None:
                count += compare(f"{path}{key[0]}/", layer.find(body), other.find(body))
    return count


if __name__ == "__main__":
    roots = [ET.parse(name).getroot() for name in sys.argv[1:]]
    print(compare("", *roots), "ports")
