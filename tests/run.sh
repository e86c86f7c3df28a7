#!/bin/sh
# Runs the tests and ends with one line `N passed, N failed[, N skipped]`; `make check` and
# `make quick` call it. usage: tests/run.sh all | quick | sanitized | rebase | FILE...
#
# Every test program (a cmocka program, a golden file under its runner, a test_*.sh) speaks TAP: a
# plan `1..N`, then `ok`, `not ok` and `not ok # SKIP` lines, `#` lines for details. A program that
# ends early or with a bad status and says nothing of it counts as one failure.
set -u
cd "$(dirname "$0")/.." || exit 2
ROOT=$(pwd)
BUILD=${BUILD:-$ROOT/build}
export ROOT BUILD LC_ALL=C CMOCKA_MESSAGE_OUTPUT=TAP
unset MAKEFLAGS MAKELEVEL

INLAY_SHARED=$(tests/shared.sh)
export INLAY_SHARED

# Runs one test; its output goes to a log, named so that logs sort as the tests do.
run_one() {
    log=$BUILD/tests/log/$(echo "$1" | tr / _).tap name=$1
    case $1 in
    *.t) set -- "$BUILD/tests/golden" "$1" ;;
    *.sh) set -- sh "$1" ;;
    *.c) set -- "$BUILD/tests/$(basename "$1" .c)" ;;
    esac
    timeout "${INLAY_TEST_TIMEOUT:-900}" "$@" >"$log" 2>&1 </dev/null
    echo "# exit status $?" >>"$log"
    { echo "$name" && times; } >"$log.times"
    progress
}

# Says how many tests are done, of how many: on a terminal in one line, else in about twenty.
progress() {
    done=$(find "$BUILD/tests/log" -name '*.times' | wc -l) of=$(wc -l <"$BUILD/tests/log/all")
    if [ -t 2 ]; then
        printf '  %d of %d test programs are done\033[K\r' "$done" "$of" >&2
    elif [ "$of" -ge 20 ] && [ $((done % (of / 20))) = 0 ]; then
        echo "  $done of $of test programs are done" >&2
    fi
}

if [ "$1" = --one ]; then
    run_one "$2"
    exit 0
fi

list() {
    for pattern in "$@"; do
        [ ! -e "$pattern" ] || echo "$pattern"
    done
}

quick_tests() {
    list tests/unit/test_*.c tests/unit/test_*.sh
    find tests/golden -name '*.t' | sort
}

mode=${1:-all}
case $mode in
quick) # without those that take the most of the processors and have others of their room beside them
    tests=$(quick_tests | grep -vE '/test_(attribute_ends|fills|in_place_cost|interrupted|less_known|locale|onnx_attributes|onnx_memory|opgen|part_outputs|planned_random|prove_numbers|prove_solved|read_verify|recorded|row_forms|rule_types|scaling)[.]|/(in_place|plan)[.]t')
    export INLAY_SLOW=1
    ;;
# Those that take longest come first, so that none of them is left for the end, when the other processors have no more.
all) tests=$(list tests/test_*.sh tests/*/test_*.sh | grep -v '^tests/unit/'; quick_tests) ;;
sanitized) # without those that look at the build itself, put another malloc in, measure memory or stack,
    # or take long; what z3 does in tests/prove no sanitizer sees, and test_prove*.c call the prover
    tests=$(list tests/test_*.sh tests/*/test_*.sh |
        grep -Ev '^tests/(unit|build|faults|oom|memory|places|planted|prove|stack)/|/test_onnx_written'; quick_tests | grep -v '/test_prove_memory[.]')
    ;;
rebase)
    find tests/golden -name '*.t' -print0 | xargs -0r "$BUILD/tests/golden" --rebase
    exit
    ;;
*)
    for file in "$@"; do
        [ -e "$file" ] || { echo "tests/run.sh: there is no $file" >&2 && exit 2; }
    done
    tests=$(list "$@")
    ;;
esac

rm -rf "$BUILD/tests/log"
mkdir -p "$BUILD/tests/log"
echo "$tests" >"$BUILD/tests/log/all"
echo "$tests" | xargs -r -P "$(nproc 2>/dev/null || echo 2)" -n 1 sh tests/run.sh --one
[ ! -t 2 ] || printf '\033[K' >&2

# What each test took of the processors, in seconds, the most first: the second line of `times` is that of children.
awk -F '[ms ]' 'FNR == 1 { test = $0 } FNR == 3 { printf "%.1f %s\n", $1 * 60 + $2 + $4 * 60 + $5, test }' \
    "$BUILD"/tests/log/*.times | sort -rn >"$BUILD/tests/log/times"

# Failures are shown with what belongs to them, everything else is only counted.
for test in $tests; do
    log=$BUILD/tests/log/$(echo "$test" | tr / _).tap
    awk -v test="$test" -v require="${INLAY_REQUIRE_SHARED:-}" '
        function flush() { if (shown) printf "%s", shown; shown = "" }
        function head() { if (!headed++) shown = "---- " test "\n" shown }
        /^1\.\.[0-9]+$/ { planned += substr($0, 4); next }
        /^not ok .*# SKIP|^ok .*# SKIP/ {
            if (require == "1" && !/# SKIP peer: /) { failed++; head(); shown = shown $0 " (must not be skipped here)\n" }
            else { skipped++; head(); shown = shown "skipped: " substr($0, index($0, "# SKIP") + 7) why "\n" }
            bad = 0; why = ""; next
        }
        # A cmocka program says before its line why it skips a test.
        /^(#? ?[0-9.]*)?skipped: / { why = ": " substr($0, index($0, "skipped: ") + 9); next }
        /^ok / { passed++; held = ""; bad = 0; next }
        /^not ok / { failed++; head(); shown = shown held $0 "\n"; held = ""; bad = 1; next }
        /^# exit status / { status = $4; next }
        { if (bad) shown = shown $0 "\n"; else { held = held $0 "\n" } }
        END {
            missing = planned - passed - failed - skipped
            if (missing > 0 || (status != 0 && !failed) || passed + failed + skipped == 0) {
                head()
                shown = shown held "not ok - " test " ended with status " status \
                    (missing > 0 ? ", " missing " of its " planned " tests did not run" : "") \
                    (planned + passed == 0 ? ", no test ran" : "") "\n"
                failed += missing > 0 ? missing : 1
            }
            flush()
            printf "%d %d %d\n", passed, failed, skipped >"/dev/stderr"
        }' "$log" 2>>"$BUILD/tests/log/counts"
done
awk '{ p += $1; f += $2; s += $3 }
    END {
        printf "%d passed, %d failed%s\n", p, f, s ? ", " s " skipped" : ""
        exit f > 0
    }' "$BUILD/tests/log/counts"
