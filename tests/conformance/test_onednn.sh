#!/bin/sh
# The tree's models, and those of ONNX's node tests that have work for it, with the kernels of oneDNN's module.
set -u
: "${ROOT:=$(cd "$(dirname "$0")/../.." && pwd)}" "${BUILD:=$ROOT/build}"
. "$ROOT/tests/tap.sh"

if [ ! -e "$BUILD/libinlay-onednn.so" ]; then
    skip "models with the kernels of oneDNN" "peer: the module is not here"
    finish
    exit 0
fi
for model in tiny-gpt/tiny-gpt.onnx digits/digits.xml onnx/mobilenet/model.onnx onnx/transformer/model.onnx \
    onnx/lstm/model.onnx; do
    file=$ROOT/models/$model
    works "$model means the same" "$BUILD/inlay" verify "$file" "$file" --kernels onednn --trials 3 --rtol 1e-4 --atol 1e-4
done

"$BUILD/inlay" plan "$ROOT/models/tiny-gpt/tiny-gpt.onnx" --shape tokens=1,8 --kernels onednn >"$scratch/plan"
if grep -q ' chain .*(MatMul-1), by onednn' "$scratch/plan"; then pass "a plan shows chains"; else
    fail "a plan shows chains" "$(head -5 "$scratch/plan")"
fi

archive=${INLAY_SHARED:-}/conformance/onnx-node.tar.xz
if [ ! -f "$archive" ]; then
    skip "ONNX's node tests with the kernels of oneDNN" "the suite is not here"
    finish
    exit 0
fi
tar -C "$scratch" -xf "$archive" || fail "the suite of ONNX is unpacked" "tar cannot read $archive"
for kernels in portable onednn; do
    mkdir -p "$scratch/said"
    for folder in "$scratch"/node/*; do
        case ${folder##*/} in
        *integer* | *qlinear*) continue ;;
        *conv* | *matmul* | *gemm* | *pool* | *relu* | *clip*) ;;
        *) continue ;;
        esac
        printf '%s\trun\t%s/model.onnx\t--test-data\t%s\t--kernels\t%s\t--quiet\n' "${folder##*/}" "$folder" "$folder" \
            $kernels
    done | "$BUILD/tests/inlays" "$scratch/said" | sort >"$scratch/$kernels"
done
same "$(wc -l <"$scratch/portable") of ONNX's node tests end as with portable kernels" "$scratch/portable" "$scratch/onednn"
finish
