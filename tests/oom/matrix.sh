# Twenty models and what is done with each: read by test_oom_matrix.sh and long/oom.sh behind survives.sh.

plain() { # CASE NAME: the graph of a case of a pass, without what is expected of it
    sed '/^\/\/ expect:/,$d' "$ROOT/tests/passes/$1" >"$scratch/$2.inlay"
    echo "$scratch/$2.inlay"
}

cat >"$scratch/strings.inlay" <<'END'
graph "strings" {
  %x = Parameter {element_type = f32, shape = [2]}
  %a = Const {value = string[2] ["a", "bc"]}
  %b = Const {value = string[2] ["d", "ef"]}
  %c = StringConcat(%a, %b)
  %y = Abs(%x)
  %r = Result(%y)
  %s = Result(%c)
}
END

"$BUILD/inlay" convert "$ROOT/models/window/chain.json" "$scratch/chain.inlay" || exit 2

# A run of the whole takes five seconds, of which there is one for each allocation.
sed 's/\b1000\b/2/g' "$ROOT/models/seeds/scatter_update_1.xml" >"$scratch/scatter.xml"
cp "$ROOT/models/seeds/scatter_update_1.bin" "$scratch/scatter.bin" || exit 2

# What a solver thinks takes long, and is none of our memory: this one answers at once.
mkdir "$scratch/solver" && cat >"$scratch/solver/z3" <<'END' && chmod 755 "$scratch/solver/z3" || exit 2
#!/bin/sh
exec awk '/\(check-sat\)/ { print "unsat" }'
END
PATH=$scratch/solver:$PATH

models="
window $ROOT/models/window/window.inlay
second-reader $ROOT/models/window/second_reader.inlay
chain $scratch/chain.inlay
digits $ROOT/models/digits/digits.xml
cache $ROOT/models/cache/step.inlay
folded $ROOT/examples/folded.inlay
loop-cache $ROOT/models/onnx/loop_cache/model.onnx
lstm $ROOT/models/onnx/lstm/model.onnx
mobilenet $ROOT/models/onnx/mobilenet/model.onnx
attention $ROOT/tests/subgraphs/attention_step.inlay
elements $ROOT/models/onnx/slice_scatter_elements/model.onnx
nd $ROOT/models/onnx/slice_scatter_nd/model.onnx
transformer $ROOT/models/onnx/transformer/model.onnx
scatter $scratch/scatter.xml
frames $ROOT/models/seeds/tensorflow_frames.json
strings $scratch/strings.inlay
if $(plain in-place-windows/yes_B3_if.inlay if)
find-lstm $(plain find-sequences/yes_lstm.inlay find-lstm)
gathered $(plain hoist-products/yes_gathered.inlay gathered)
layer-read $(plain fold-scatter-update/yes_layer_read.inlay layer-read)
"
commands="read opt verify compile run plan write-xml write-json write-onnx view prove explore"

# What COMMAND of the matrix does with the model at PATH.
does() { # COMMAND PATH
    case $1 in
    read) survives info "$2" --json ;;
    opt) survives opt "$2" -o out.inlay --explain ;;
    verify) survives verify "$2" "$2" --trials 1 ;;
    compile) survives run "$2" --random --threads 2 --stats stats.json ;;
    run) survives run "$2" --random --exec reference -o out ;;
    plan) survives plan "$2" ;;
    write-*) survives convert "$2" "out.${1#write-}" ;;
    view) survives view "$2" -o page.html ;;
    prove) survives verify --prove "$2" "$2" --trials 1 ;;
    explore) survives explore "$2" --limit 4 --trials 1 ;;
    esac
}

path_of() { # MODEL
    echo "$models" | sed -n "s/^$1 //p"
}
