#!/bin/sh
# Every OpenVINO model of the corpus: what is inferred is what its ports declare (ports.txt lists the
# ports that are wrong, with the reasons), and it runs, planned as in the reference executor. A model
# that comes without its weights gets made-up ones. Files that are there to be refused, those with
# operations that nobody here knows, and one that takes the reference executor half a minute are named
# in this script; INLAY_WHOLE=1 (make long) leaves nothing out.
set -u
. "$ROOT/tests/tap.sh"
PATH=$BUILD:$PATH
corpus=${INLAY_SHARED:-}/corpus/openvino
if [ ! -d "$corpus" ]; then
    skip "the models of the corpus" "the corpus is not here"
    finish
    exit 0
fi
refused="ir_frontend_tests/test_model_with_underallocated_weights.xml ir_frontend_tests/test_model_wrong_shape.xml
openvino_old_ir/mxnet_synthetic_gru_bidirectional_FP16_1_v6.xml
openvino_old_ir/mxnet_synthetic_gru_bidirectional_FP16_1_v6_negative.xml"
foreign="openvino_tests/ir_serialization/custom_identity.xml openvino_tests/ir_serialization/custom_op.xml
pointpillars/pointpillars_ov_pillar_layer.xml pointpillars/pointpillars_ov_postproc.xml"

trials=2
[ -z "${INLAY_SLOW:-}" ] || trials=1
slow=pointpillars/pointpillars_ov_nn.xml

is_in() { # WORD LIST
    case " $(echo "$2" | tr '\n' ' ') " in *" $1 "*) return 0 ;; *) return 1 ;; esac
}

# Writes MODEL, with its weights or made-up ones, to made.xml; --allow-unknown for a foreign one.
remake() { # MODEL
    set -- "$1" "$corpus/$1"
    is_in "$1" "$foreign" && set -- "$@" --allow-unknown
    [ -f "${2%.xml}.bin" ] || set -- "$@" --weights random
    shift
    inlay convert "$@" "$scratch/made.xml" >"$scratch/log" 2>&1
}

runs() { # MODEL
    if is_in "$1" "$slow" && [ "${INLAY_WHOLE:-0}" != 1 ]; then
        [ -n "${INLAY_SLOW:-}" ] || inlay run --random --stats - --quiet "$scratch/made.xml"
    else
        inlay verify --trials "$trials" --exec planned "$scratch/made.xml" "$scratch/made.xml"
    fi
}

hold() { # MODEL
    if ! remake "$1"; then
        fail "$1 is read" "$(cat "$scratch/log")"
        return
    fi
    python3 "$ROOT/tests/models/ports.py" "$corpus/$1" "$scratch/made.xml" >"$scratch/log"
    sed '$d' "$scratch/log" | sed "s|^|$1: |" >>"$scratch/differ"
    sed -n '$s/ ports$//p' "$scratch/log" >>"$scratch/counts"
    is_in "$1" "$foreign" && return
    works "$1 runs" runs "$1"
}

: >"$scratch/differ"
for model in $(cd "$corpus" && find . -name '*.xml' ! -name 'bad_*' | sed 's|^\./||' | sort); do
    is_in "$model" "$refused" || hold "$model"
done
for model in $refused; do
    if remake "$model"; then fail "$model is refused" ""; else pass "$model is refused"; fi
done
grep -v '^#' "$ROOT/tests/models/ports.txt" >"$scratch/known"
ports=$(awk '{ n += $1 } END { print n }' "$scratch/counts")
same "$ports ports are as declared, but for those of ports.txt" "$scratch/known" "$scratch/differ"
finish
