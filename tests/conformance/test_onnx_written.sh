#!/bin/sh
# ONNX's node tests, written in each form that inlay writes and read back: what an import makes can be written.
exec sh "$(dirname "$0")/onnx.sh" planned,none,xml planned,none,json planned,none,inlay planned,none,onnx
