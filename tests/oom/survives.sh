# Runs the command again and again with one allocation failing (then with three, and with all from that one on), and
# expects each time: status 3 and a message that says so, and no file left; or the same result as ever, where the C
# library could do without. Read by the tests of this folder, which have $scratch from tests/tap.sh.

$CC -std=c11 -D_DEFAULT_SOURCE -shared -fPIC -O1 -o "$scratch/fail.so" "$ROOT/tests/oom/failing_malloc.c" -ldl || exit 2

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
