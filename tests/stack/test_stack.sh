#!/bin/sh
# A thread with 256 KiB of stack is enough (ir/README.md): bodies nested as deep as is allowed, and metadata as deep as
# is allowed, go through everything that walks a graph.
set -u
. "$ROOT/tests/tap.sh"
cd "$scratch" || exit 2

# So many bodies in each other, then a ReLU with so many elements of metadata in each other. Elements of XML nest at
# most 240 deep, and a body takes three.
nested() { # OPERATION BODIES METADATA
    awk -v op="$1" -v bodies="$2" -v meta="$3" 'function line(s) { print s }
    function graph(d) {
        line("%x = Parameter-1 {element_type = f32, shape = [?,3]}")
        if (d == 0) {
            printf "%%y = ReLU-1(%%x) rt_info "
            for (i = 0; i < meta; i++) printf "{ m "
            for (i = 0; i < meta; i++) printf "} "
            line("")
        } else {
            line("%go = Const-1 {value = boolean[] true}")
            line("%trip = Const-1 {value = i64[] 1}")
            if (op == "If") line("%y = If-8(%go, %x)")
            if (op == "Loop") line("%y = Loop-5(%trip, %go, %x)")
            if (op == "TensorIterator") line("%y = TensorIterator-1(%x)")
            line((op == "If" ? "then_body" : "body") " \"b\" {")
            graph(d - 1)
            if (op == "Loop") {
                line("%more = Const-1 {value = boolean[] true}")
                line("%condition = Result-1(%more)")
            }
            line("}")
            line("in " (op == "If" ? 1 : op == "Loop" ? 2 : 0) " -> %x")
            line("out %r -> 0")
            if (op == "Loop") line("out %condition -> none condition")
            if (op == "If") {
                line("else_body \"b\" { %x = Parameter-1 {element_type = f32, shape = [?,3]} %r = Result-1(%x) }")
                line("in 1 -> %x")
                line("out %r -> 0")
            }
        }
        line("%r = Result-1(%y)")
    }
    BEGIN { print "graph \"nested\" {"; graph(bodies); print "}" }'
}

ends() { # STATUS COMMAND...
    wanted=$1
    shift
    (ulimit -s 256 && "$BUILD/inlay" "$@" >stdout 2>stderr)
    status=$?
    if [ $status = "$wanted" ]; then pass "inlay $*"; else fail "inlay $*" "status $status: $(head -c 300 stderr)"; fi
}
small() { # COMMAND...
    ends 0 "$@"
}

passes=lower-dialects,simplify,infer-shapes,fold-constants,eliminate-common,fuse,eliminate-dead,in-place-windows
for op in If Loop TensorIterator None; do
    case $op in
    None) nested $op 0 128 >$op.inlay ;;
    *) nested $op 64 16 >$op.inlay ;;
    esac
    for format in xml json; do
        small convert $op.inlay $op.$format
        small info $op.$format
        small print --full $op.$format
    done
    small print --dot $op.inlay
    small opt $op.inlay --passes $passes -o out.xml
    small opt $op.inlay --verify --explain
    small run $op.inlay --random
    small run $op.inlay --random --exec reference --passes none
    small verify $op.inlay $op.json --trials 1
    small verify $op.xml $op.inlay --trials 1 --exec planned
    small rules $op.inlay --explain
    small plan $op.inlay
    small view $op.inlay -o page.html
    small bench $op.inlay -t 0.001
    case $op in
    If | TensorIterator) ends 1 diff $op.inlay out.xml ;;
    *) small diff $op.inlay out.xml ;;
    esac
    case $op in
    TensorIterator) ends 2 convert $op.inlay out.onnx ;; # ONNX has none
    If | Loop) ends 2 convert $op.inlay out.onnx ;;      # at most 31 deep
    *) small convert $op.inlay out.onnx ;;
    esac
    small verify --prove $op.inlay $op.inlay --trials 1
    small bisect $op.inlay --trials 1
    small explore $op.inlay --limit 3 --trials 1
done

# The others, in which no model nests.
echo 'rule twice exact: Abs(Abs(x)) => Abs(x)' >one.rules
small reduce None.inlay --test 'exit 1' -o small.inlay
small fuzz --seed 5 --count 2 --trials 1
small check-rules one.rules --instances 4
small ops
small passes
small compare "$ROOT/models/window/data.npy" "$ROOT/models/window/data.npy"
if command -v z3 >/dev/null; then small prove one.rules --seconds 20; fi
finish
