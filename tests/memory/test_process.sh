#!/bin/sh
# --max-memory is a promise of the whole process, on every path of every command: what it holds that is no file's
# stays within the limit and 16 MiB, whatever takes it, and a command either does without, or ends with status 3 and
# one message. Without the limit each of these takes more than that. --max-time is one too.
set -u
. "$ROOT/tests/tap.sh"

if [ -n "${INLAY_SLOW:-}" ]; then
    skip "memory of the process" "a sanitizer takes its own"
    finish
    exit 0
fi
$CC -std=c11 -D_DEFAULT_SOURCE -O1 -o "$scratch/peak" "$ROOT/tests/memory/peak.c" || exit 2
cd "$scratch" || exit 2
limit=32
most=$(((limit + 16) * 1024)) # KiB

held() { # COMMAND...
    ANON=$scratch/kib timeout 60 ./peak "$BUILD/inlay" "$@" --max-memory ${limit}M >stdout 2>stderr </dev/null
    status=$?
    kib=$(cat kib)
    errors=$(grep -c 'error:' stderr)
    if [ "$kib" -gt $most ]; then
        fail "inlay $*" "$kib KiB were in use, at most $most are wanted"
    elif [ $status -eq 3 ] && [ "$errors" -eq 1 ]; then
        pass "inlay $*: it ends"
    elif [ $status -lt 2 ] || [ $status -eq 4 ]; then
        pass "inlay $*: it does without"
    else
        fail "inlay $*" "status $status: $(head -c 600 stderr)"
    fi
}

# 18,000 nodes are read within the limit; passes, plans, programs and pages of them are not.
awk 'BEGIN { print "graph \"chain\" {\n  %x = Parameter-1 {element_type = f32, shape = [4]}"
    for (i = 0; i < 18000; i++) printf "  %%n%d = %s-1(%%%s)\n", i, i % 2 ? "Abs" : "Exp", i ? "n" (i - 1) : "x"
    print "  %r = Result-1(%n17999)\n}" }' >chain.inlay
held plan chain.inlay
held view chain.inlay -o chain.html
held explore chain.inlay --limit 3
held info chain.inlay
held print chain.inlay
held opt chain.inlay -o out.xml
held convert chain.inlay out.onnx
held convert chain.inlay out.json
held diff chain.inlay chain.inlay
held verify chain.inlay chain.inlay --trials 1
held reduce chain.inlay --test 'false' -o less.inlay
held run chain.inlay --random --quiet --exec reference

# Values of 16 MB: two programs, or two sessions, or two evaluators hold them.
cat >wide.inlay <<'END'
graph "wide" {
  %x = Parameter-1 {element_type = f32, shape = [4000000]}
  %a = Exp-1(%x)
  %r = Result-1(%a)
}
END
held verify wide.inlay wide.inlay --trials 1
held bisect wide.inlay --trials 1
held bench wide.inlay -t 0.01 --hint throughput
held run wide.inlay --random --quiet

# Each rule is some hundred bytes of text, and some thousand of memory.
awk 'BEGIN { for (i = 0; i < 30000; i++) printf "rule r%d exact: Abs(Abs(x)) => Abs(x)\n", i }' >many.rules
held rules --rules many.rules
held check-rules many.rules --rule r1 --instances 1
held prove many.rules --rule none

# The characters of strings, of which each row has more than the one before.
awk 'BEGIN { print "graph \"strings\" {\n  %x = Parameter-1 {element_type = string, shape = [1]}"
    for (i = 0; i < 28; i++) printf "  %%c%d = StringConcat-20@onnx20(%%%s, %%%s)\n", i, v = i ? "c" (i - 1) : "x", v
    print "  %r = Result-1(%c27)\n}" }' >strings.inlay
held run strings.inlay --random
held run strings.inlay --random --exec reference

# A packed list of protobuf: 4,000,000 numbers of a byte, which are as many of eight.
cat >ints.inlay <<'END'
graph "ints" {
  %x = Parameter-1 {element_type = i64, shape = [?]}
  %r = Result-1(%x)
}
END
{ printf '\010\200\222\364\001\020\007\072\200\222\364\001'; head -c 4000000 /dev/zero; } >packed.pb
held run ints.inlay -i x=packed.pb --quiet
held compare packed.pb packed.pb

# Time is over wherever it is.
late() { # COMMAND...
    timeout 20 "$BUILD/inlay" "$@" --max-time 0.05 >stdout 2>stderr </dev/null
    status=$?
    if [ $status -eq 3 ] && [ "$(grep -c 'error: the time of --max-time is over' stderr)" -eq 1 ]; then
        pass "inlay $* --max-time"
    else
        fail "inlay $* --max-time" "status $status: $(head -c 600 stderr)"
    fi
}
late run wide.inlay --random --quiet --repeat 100000
late bench wide.inlay -t 10
late verify wide.inlay wide.inlay --trials 100000
late fuzz --count 100000
late explore chain.inlay
late reduce wide.inlay --test 'sleep 5; false'
late check-rules
for wrong in 0 -1 x ''; do
    "$BUILD/inlay" info wide.inlay --max-time "$wrong" >stdout 2>stderr && fail "--max-time $wrong" "it was taken"
done
if "$BUILD/inlay" info wide.inlay --max-time 60 >stdout; then pass "in time"; else fail "in time"; fi
finish
