#!/bin/sh
# Long work that is interrupted prints what it has, and ends by the signal. SIGTERM stands for Ctrl-C, which a shell
# makes its background processes ignore.
PATH=${BUILD:?}:$PATH
. "$ROOT/tests/tap.sh"
cd "$scratch" || exit 2
cat >slow.inlay <<'END'
graph "slow" {
  %x = Parameter {element_type = f32, shape = [64,64]}
  %y = MatMul(%x, %x)
  %r = Result(%y)
}
END

# Starts the command, and stops it after SECONDS.
stop_after() { # SECONDS COMMAND...
    seconds=$1
    shift
    inlay "$@" >output 2>errors &
    process=$!
    sleep "$seconds"
    kill -TERM $process
    wait $process
    status=$?
}

# Stops the command once it has done some of its work. On a busy machine it may not have begun after half a second.
interrupt() { # NAME EXPECTED-PATTERN COMMAND...
    name=$1 pattern=$2
    shift 2
    stop_after 0.5 "$@"
    grep -q '^inlay: interrupted$' errors || stop_after 8 "$@"
    if [ $status = 143 ] && grep -q "$pattern" output && grep -q '^inlay: interrupted$' errors; then
        pass "$name"
    else
        fail "$name" "status $status; $(tail -n 3 output; tail -n 3 errors)"
    fi
}
interrupt verify '^no difference in [0-9]* trials\{0,1\}$' verify slow.inlay slow.inlay --trials 1000000
interrupt "verify as JSON" '"result": "interrupted", "trials": [0-9]*}$' verify slow.inlay slow.inlay --trials 1000000 --json
interrupt "check-rules says in which instance" '^rule .*: interrupted in instance [0-9]* of 10000000' \
    check-rules --instances 10000000
interrupt "check-rules as JSON" '"result": "interrupted", "instances": [0-9]*' check-rules --instances 10000000 --json
interrupt fuzz '^[0-9]* graphs\{0,1\}, 0 of them fail$' fuzz --count 1000000 --trials 1
interrupt bench 'runs\|latency\|median' bench slow.inlay -t 100

# What is shared with an oracle, or with the command that reduce runs, is removed.
export TMPDIR="$scratch/tmp"
vanishes() { # NAME COMMAND...: which waits once it has a folder
    name=$1
    shift
    rm -rf tmp && mkdir tmp
    inlay "$@" >output 2>errors &
    process=$!
    until [ -n "$(find tmp -name '*.npy' -o -name 'model*')" ] || ! kill -0 $process 2>/dev/null; do sleep 0.05; done
    kill -TERM $process
    wait $process
    status=$?
    if [ $status = 143 ] && [ -z "$(ls tmp)" ]; then pass "$name"; else fail "$name" "status $status; $(ls tmp; cat errors)"; fi
}
vanishes "the folder of reduce" reduce slow.inlay --test 'sleep 60; :'
vanishes "the folder of a suite's oracle" run --test-data "$ROOT/models/onnx/lstm" --oracle 'sleep 60; :'
vanishes "the folder of fuzz's oracle" fuzz --count 1 --oracle 'sleep 60; :'

if command -v z3 >/dev/null; then
    interrupt prove '^[0-9]* of [0-9]* rules\{0,1\} \(is\|are\) proven' prove
    interrupt "prove as JSON" '"result": "interrupted", "questions": [0-9]*' prove --json
else
    skip prove "there is no z3"
fi
finish
