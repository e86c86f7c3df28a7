#!/bin/sh
# Out of memory is an error like any other. Runs the command again and again with one allocation failing (then
# with three, and with all from that one on), and expects each time: status 3 and a message that says so, and no file left;
# or the same result as ever, where the C library could do without.
set -u
. "$ROOT/tests/tap.sh"

$CC -std=c11 -D_DEFAULT_SOURCE -shared -fPIC -O1 -o "$scratch/fail.so" "$ROOT/tests/oom/failing_malloc.c" || exit 2

# A fresh folder each time, so that what a run leaves behind is seen.
run() { # FAIL-AT COMMAND...
    at=$1
    shift
    rm -rf "$scratch/work" && mkdir "$scratch/work" || exit 2
    (cd "$scratch/work" && INLAY_FAIL_COUNT=$scratch/counts INLAY_FAIL_AT=$at timeout 60 env LD_PRELOAD="$scratch/fail.so" "$BUILD/inlay" "$@" \
        >"$scratch/stdout" 2>"$scratch/stderr" </dev/null)
}

# Of a model that is no XML, with nothing printed.
quiet=no

# What the run did wrong, in words; nothing if it did right.
judge() { # STATUS
    case $1 in
    3)
        grep -qE 'out of memory|Cannot allocate memory' "$scratch/stderr" || echo "no message: $(head -3 "$scratch/stderr")"
        [ -z "$(ls -A "$scratch/work")" ] || echo "left behind: $(ls -A "$scratch/work")"
        ;;
    0)
        cmp -s "$scratch/stdout" "$scratch/good.stdout" || echo "status 0 but another output"
        # The times in the statistics are others each time.
        diff -r -x stats.json "$scratch/work" "$scratch/good.work" >/dev/null || echo "status 0 but other files"
        [ -e "$scratch/work/stats.json" ] || [ ! -e "$scratch/good.work/stats.json" ] || echo "status 0 but no statistics"
        ;;
    *) echo "status $1: $(head -3 "$scratch/stderr")" ;;
    esac
    [ "$quiet" = no ] || freed
}

# The last run freed all it had. The C library keeps a buffer of what is printed, libxml2 more: neither has a part in it.
freed() {
    unfreed=$(cut -d ' ' -f 2 "$scratch/counts")
    [ "$unfreed" = 0 ] || echo "$unfreed blocks were never freed"
}

# All of the first 60 and the last 20, where files take their places, and a sample of those between.
sample() { # TOTAL
    awk -v total="$1" -v runs="${INLAY_OOM_RUNS:-60}" 'BEGIN {
        for (i = 1; i <= 60 && i <= total; i++) print i
        step = (total - 80) / runs
        for (x = 60 + step; step > 0 && int(x) <= total - 20; x += step < 1 ? 1 : step) print int(x)
        for (i = total > 80 ? total - 19 : 61; i <= total; i++) print i
    }'
}

survives() { # COMMAND...
    run 0 "$@"
    status=$?
    if [ $status != 0 ]; then
        fail "inlay $*" "status $status without any failure: $(head -5 "$scratch/stderr")"
        return
    fi
    cp "$scratch/stdout" "$scratch/good.stdout"
    rm -rf "$scratch/good.work" && cp -r "$scratch/work" "$scratch/good.work"
    total=$(cut -d ' ' -f 1 "$scratch/counts")
    : >"$scratch/wrong"
    for at in $(sample "$total"); do
        run "$at" "$@"
        wrong=$(judge $?)
        [ -z "$wrong" ] || echo "allocation $at of $total fails: $wrong" >>"$scratch/wrong"
        INLAY_FAIL_MORE=2 run "$at" "$@"
        wrong=$(judge $?)
        [ -z "$wrong" ] || echo "three allocations from $at of $total fail: $wrong" >>"$scratch/wrong"
        INLAY_FAIL_ON=1 run "$at" "$@"
        wrong=$(judge $?)
        [ -z "$wrong" ] || echo "all allocations from $at of $total fail: $wrong" >>"$scratch/wrong"
    done
    if [ -s "$scratch/wrong" ]; then
        fail "inlay $*" "$(wc -l <"$scratch/wrong") runs did wrong
$(head -20 "$scratch/wrong")"
    else
        pass "inlay $* ($total allocations)"
    fi
}

# The same model in each format, with its weights beside it.
model=$ROOT/models/digits/digits.xml
"$BUILD/inlay" convert "$model" "$scratch/digits.json" && "$BUILD/inlay" convert "$model" "$scratch/digits.inlay" ||
    exit 2

cat >"$scratch/open.inlay" <<'END'
graph "open" {
  %x = Parameter {element_type = f32, shape = [?,?]}
  %p = Parameter {element_type = i64, shape = [?]}
  %u = Parameter {element_type = f32, shape = [?]}
  %s = Parameter {element_type = i64, shape = [1]}
  %e = Parameter {element_type = i64, shape = [1]}
  %one = Const {value = i64[1] [1]}
  %t = Transpose(%x, %p)
  %minus = Const {value = i64[1] [-1]}
  %all = Reshape(%t, %minus) {special_zero = false}
  %y = SliceScatter(%all, %u, %s, %e, %one)
  %result = Result(%y)
}
END

survives run "$model" -i "image=$ROOT/models/digits/ten.npy" -o out
survives run "$model" -i "image=$ROOT/models/digits/ten.npy" -o out --keep conv1 --stats stats.json
survives run "$model" --random --exec reference
survives opt "$model" -o out.xml
survives opt "$scratch/digits.json" --passes default --explain
survives convert "$model" out.json
survives convert "$scratch/digits.inlay" out.xml
survives convert "$scratch/digits.json" out.inlay
survives verify "$model" "$scratch/digits.json" --trials 2
# Inputs that must fit each other are chosen by asking the shape rules, and which they are must not depend on memory.
survives run "$scratch/open.inlay" --random
survives print "$model"
survives print "$model" --full
survives info "$model" --json
survives ops
survives rules
survives passes --json
survives opt "$ROOT/tests/passes/in-place-windows/yes_window.inlay" --verify --explain

# So few allocations that each of them fails once: of the pass, and of the checker when its notes are read.
survives opt "$ROOT/tests/passes/in-place-windows/yes_O3_moved.inlay" --passes in-place-windows --explain
survives opt "$ROOT/tests/passes/in-place-windows/yes_variable.inlay" --passes in-place-windows -o out.inlay
"$BUILD/inlay" opt "$ROOT/tests/passes/in-place-windows/yes_O3_moved.inlay" --passes in-place-windows -o "$scratch/noted.inlay" ||
    exit 2
survives print "$scratch/noted.inlay"

# zlib needs memory of its own. x.npz, by numpy: x = [1, 2, 3, 4], deflated.
base64 -d >"$scratch/x.npz" <<'END'
UEsDBBQAAAAIAAAAIQCNPNRVUQAAAJAAAAAFAAAAeC5ucHmb7BfqGxDJyFDGUK2eklqcXKRupaBuk2airqOgnpZfVFKUmBefX5SS
ChJ3S8wpTgWKF2ckFqQC+RomOpo6CrUKFAAuBoYGewYGBgcgAuIGBwBQSwECFAMUAAAACAAAACEAjTzUVVEAAACQAAAABQAAAAAA
AAAAAAAAgAEAAAAAeC5ucHlQSwUGAAAAAAEAAQAzAAAAdAAAAAAA
END
cat >"$scratch/x.inlay" <<'END'
graph "x" {
  %x = Parameter-1 {element_type = f32, shape = [4]}
  %r = Result-1(%x)
}
END
survives run "$scratch/x.inlay" -i "$scratch/x.npz"

# Two windows of columns, large enough to wait for tiles; without memory to wait they need not.
cat >"$scratch/columns.inlay" <<'END'
graph "columns" {
  %d = Parameter-1 {element_type = f32, shape = [512,256]}
  %one = Const-1 {value = i64[1] [1]}
  %b = Const-1 {value = i64[1] [16]}
  %c = Const-1 {value = i64[1] [32]}
  %e = Const-1 {value = i64[1] [48]}
  %x = Slice-8(%d, %b, %c, %one, %one)
  %y = Add-1(%x, %x)
  %r = SliceScatter-15(%d, %y, %b, %c, %one, %one)
  %u = Slice-8(%r, %c, %e, %one, %one)
  %v = ReLU-1(%u)
  %s = SliceScatter-15(%r, %v, %c, %e, %one, %one)
  %out = Result-1(%s)
}
END
[ "${INLAY_OOM_RUNS:-}" ] || INLAY_OOM_RUNS=1000
survives run "$scratch/columns.inlay" -i d=iota -o out

# Whichever allocation of a pass fails.
quiet=yes
for name in yes_constant_data yes_corner yes_line_permutation yes_single_permutation; do
    sed '/^\/\/ expect:/,$d' "$ROOT/tests/passes/fold-scatter-update/$name.inlay" >"$scratch/$name.inlay"
    survives opt "$scratch/$name.inlay" --passes fold-scatter-update -o out.inlay
done

# Without any failure all is freed too.
for file in "$ROOT"/tests/passes/*/*.inlay; do
    sed '/^\/\/ expect:/,$d' "$file" >"$scratch/one.inlay"
    run 0 opt "$scratch/one.inlay" --passes default -o out.inlay
    [ -z "$(freed)" ] || echo "${file#"$ROOT"/}: $(freed)"
done >"$scratch/wrong"
if [ -s "$scratch/wrong" ]; then
    fail "all is freed" "$(head -20 "$scratch/wrong")"
else
    pass "all is freed"
fi
finish
