# Runs a command of inlay again and again with allocations failing (failing_malloc.c says which, and what a run must do).
# Read by the tests of this folder, which have $scratch from tests/tap.sh.

$CC -std=c11 -D_DEFAULT_SOURCE -shared -fPIC -O1 -o "$scratch/fail.so" "$ROOT/tests/oom/failing_malloc.c" -ldl || exit 2

survives() { # COMMAND...
    total=$(INLAY_FAIL=$scratch LD_PRELOAD=$scratch/fail.so "$BUILD/inlay" "$@" </dev/null)
    if [ -z "$total" ] || [ -s "$scratch/wrong" ]; then
        fail "inlay $*" "$(wc -l <"$scratch/wrong") runs did wrong
$(head -20 "$scratch/wrong")
$(tail -3 "$scratch/one/stderr")"
    else
        pass "inlay $* ($total allocations)"
    fi
}
