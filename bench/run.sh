#!/bin/sh
# Measures and prints the result as Markdown. Programs that are missing are built; `make bench` builds all anew.
# Peers that are not there are left out: numpy needs python3-numpy, ONNX Runtime needs npm, which
# puts the library into the build directory. $BENCH_SECONDS: for each line; $BENCH_ROUNDS.
# $BENCH_KEEP: a file of what was measured, from which a run that was stopped goes on.
set -eu
cd "$(dirname "$0")/.."
export PYTHONDONTWRITEBYTECODE=1
bin=${BUILD:-build}/bench
VERSION=1.30.0 # of the package onnxruntime-node

python=
for p in "${PYTHON:-python3}" /usr/bin/python3; do
    if [ -z "$python" ] && "$p" -c 'import numpy' 2>/dev/null; then
        python=$p
    fi
done
if [ -z "$python" ]; then
    echo "bench: python3 with numpy is needed" >&2
    exit 2
fi

library() {
    case $(uname -m) in
    aarch64) machine=arm64 ;;
    *) machine=x64 ;;
    esac
    find "$bin/onnxruntime" -path "*/linux/$machine/libonnxruntime.so.1" 2>/dev/null | head -n 1
}

# Only the package's files: its install script would fetch more.
if [ -z "$(library)" ] && command -v npm >/dev/null 2>&1; then
    mkdir -p "$bin/onnxruntime"
    npm install --prefix "$bin/onnxruntime" --ignore-scripts --no-audit --no-fund --silent \
        "onnxruntime-node@$VERSION" >&2 || true
fi
if [ -n "$(library)" ]; then
    [ "$bin/onnx/done" -nt bench/onnx_models.py ] || "$python" bench/onnx_models.py "$bin/onnx"
    touch "$bin/onnx/done"
    set -- --ort "$(library)" "$@"
else
    echo "bench: no ONNX Runtime, it is left out" >&2
fi
# Models as large as those that people have, from the shared material where it is there.
large=$(tests/shared.sh)/bench/make_onnx.py
if [ -f "$large" ] && [ ! -d "$bin/onnx-large" ] && "$python" -c 'import onnx' 2>/dev/null; then
    "$python" "$large" "$bin/onnx-large" cmp_matmul cmp_conv cmp_resnet50 cmp_mobilenetv2 cmp_bert cmp_lstm cmp_gpt >&2
fi
[ -d "$bin/onnx-large" ] || echo "bench: no large models ($large needs the module onnx), they are left out" >&2
# The programs that these options ask for are built where they are not there.
programs="windows limits"
[ -z "$(library)" ] || programs="$programs ort"
case " $* " in
*" --only ops "* | *" --only exports "*) programs= ;;
*" --only "*" table "*) programs="$programs table step compressed" ;;
*" --only "*) ;;
*) programs="$programs table step compressed read_xml read_onnx" ;;
esac
missing=
for program in $programs; do
    [ -x "$bin/$program" ] || missing="$missing $bin/$program"
done
# shellcheck disable=SC2086
[ -z "$missing" ] || "${MAKE:-make}" -s $missing >&2
exec "$python" bench/run.py --bin "$bin" "$@"
