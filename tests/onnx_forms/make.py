#!/usr/bin/python3
"""Makes NAME.onnx and NAME.json of each NAME.onnxtxt of this folder: onnx.parser reads the text, and protobuf's
json_format writes the JSON. Made with python3-onnx 1.12.0 and python3-protobuf 3.21.12 of Debian 12."""
import glob
import os

import onnx.parser
from google.protobuf import json_format

here = os.path.dirname(os.path.abspath(__file__))
for i, path in enumerate(sorted(glob.glob(os.path.join(here, "*.onnxtxt")))):
    with open(path, encoding="utf-8") as f:
        model = onnx.parser.parse_model(f.read())
    name = path[: -len(".onnxtxt")]
    with open(name + ".onnx", "wb") as f:
        f.write(model.SerializeToString())
    with open(name + ".json", "w", encoding="utf-8") as f:
        f.write(json_format.MessageToJson(model, preserving_proto_field_name=i % 2 == 1) + "\n")
