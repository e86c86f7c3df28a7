#!/bin/sh
# A few models in two forms; tests/long/commands.sh takes all.
exec sh "$(dirname "$0")/commands.sh" 300 json onnx
