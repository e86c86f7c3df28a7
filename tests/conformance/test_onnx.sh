#!/bin/sh
# ONNX's node tests as people run models.
exec sh "$(dirname "$0")/onnx.sh" planned,default
