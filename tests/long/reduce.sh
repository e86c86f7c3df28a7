#!/bin/sh
# `inlay reduce` on failures from outside: programs of others that crash, hang or complain, optimisers that are wrong,
# writers that refuse, limits. Prints the nodes that are left of each, the seconds, and the medians.
set -u
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2
inlay=$BUILD/inlay tries=${REDUCE_TRIES:-250} table=$LONG_STATE/table
touch "$table"

nodes() { "$inlay" info "$1" --allow-unknown | sed -n 's/^nodes: //p'; }

# Prints the median of column N of the table.
median() { cut -f "$1" "$table" | sort -n | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }

# MODEL COMMAND [TEXT]: what is left must fail in the same way.
smaller() {
    name="$(basename "$(dirname "$1")")/$(basename "$1"): $(echo "$2" | sed "s|$scratch/||g; s|$BUILD/||g; s|$ROOT/||g")"
    grep -qF "$name" "$table" && pass "$name, before" && return
    [ "$(date +%s)" -gt "$LONG_UNTIL" ] && exit 75
    begin=$(date +%s.%N)
    if ! "$inlay" reduce "$1" --test "$2" ${3:+--match "$3"} --tries "$tries" --seconds 20 -o "$scratch/small.inlay" \
        >"$scratch/said" 2>&1; then
        fail "$name" "$(tail -3 "$scratch/said")"
        return
    fi
    seconds=$(echo "$(date +%s.%N) - $begin" | bc)
    printf '%s\t%s\t%s\t%s\n' "$(nodes "$1")" "$(nodes "$scratch/small.inlay")" "$seconds" "$name" >>"$table"
    pass "$name: $(tail -1 "$table" | cut -f 1-3 | tr '\t' ' ')"
}

sub=tests/subgraphs gpt=models/tiny-gpt/tiny-gpt.onnx bert=models/onnx/transformer/model.onnx
json="$inlay convert {} $scratch/x.json && python3 tests/long/reduce/consumer.py"
wrong() { echo "sed '$1' {} >$scratch/wrong.inlay && $inlay verify {} $scratch/wrong.inlay --trials 4"; }
onnx() { echo "$inlay convert {} $scratch/x.onnx --opset $1"; }

# Readers that do not know what they read, crash, go too deep or do not end.
smaller $bert "$json unknown $scratch/x.json" KeyError
smaller $gpt "$json squares $scratch/x.json" "read twice"
smaller $gpt "$json deep $scratch/x.json" RecursionError
smaller $bert "$json dies $scratch/x.json"
smaller $bert "$inlay convert {} $scratch/x.json && timeout 2 python3 tests/long/reduce/consumer.py waits $scratch/x.json"
smaller $sub/attention_step.inlay "$json shared $scratch/x.json" "double free"
smaller $sub/translator.inlay "$json axis $scratch/x.json" "negative axis"
# Optimisers that are wrong.
smaller $bert "$(wrong 's/= Subtract/= Add/')" "different:"
smaller $gpt "$(wrong '0,/= Multiply/s/= Multiply/= Add/')" "different:"
smaller $sub/fourier_mixer.inlay "$(wrong 's/= Multiply/= Maximum/')" "different:"
smaller models/onnx/loop_cache/model.onnx "$(wrong 's/= Add/= Subtract/')" "different:"
smaller $sub/mel_spectrum.inlay "$(wrong 's/= Log/= Abs/')" "different:"
printf 'rule wrong exact:\n  Minimum(x, y) => x\n' >"$scratch/wrong.rules"
smaller models/onnx/mobilenet/model.onnx "$inlay opt {} --passes rules --rules $scratch/wrong.rules --verify" different
# Writers that refuse.
smaller $sub/dense_head.inlay "$(onnx 17)" "rows that are left"
smaller $sub/rcnn_head.inlay "$(onnx 17)" "mode avg"
smaller $sub/denoiser.inlay "$(onnx 17)" ISTFT
smaller $sub/clustered_head.inlay "$(onnx 28)" PriorBoxClustered
# Limits, of memory and of what may be copied.
smaller $gpt "$inlay plan {} --max-peak 2K"
smaller models/onnx/slice_scatter_concat/model.onnx "$inlay plan {} --max-copied 0"
smaller models/digits/digits.xml "$inlay run {} --random --exec planned --max-memory 200K" memory
if [ "${ONNXRUNTIME_NODE:-}" ]; then
    cat >"$scratch/session.js" <<'END'
const ort = require('onnxruntime-node')
ort.InferenceSession.create(process.argv[2]).then(() => {}, e => { console.log(e.message); process.exit(3) })
END
    smaller $bert "$(onnx 28) && NODE_PATH=$ONNXRUNTIME_NODE node $scratch/session.js $scratch/x.onnx" ValidateOpset
fi
echo "# result: $(wc -l <"$table") failures, $(median 1) nodes in the median, $(median 2) left, $(median 3) s"
finish
