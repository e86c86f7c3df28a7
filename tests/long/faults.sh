#!/bin/sh
# All faults of tests/faults/faults.sh at every place of every subcommand; FAULTS_EVERY=N takes each N-th. What is done
# stands in $LONG_STATE/done.
set -u
. "$ROOT/tests/tap.sh"
. "$ROOT/tests/faults/faults.sh"
make_old
can_inject || { skip "faults of the system" "peer: strace is not there, or may not trace" && finish && exit 0; }

# Does CALL ARGUMENTS unless an earlier slice has.
once() {
    grep -qsxF "$*" "$LONG_STATE/done" && return
    [ "$(date +%s)" -lt "$LONG_UNTIL" ] || exit 75
    "$@" >"$scratch/once"
    cat "$scratch/once"
    grep -q '^not ok' "$scratch/once" && return
    sed 's/^ok [0-9]* - /ok - /' "$scratch/once" >>"$LONG_STATE/said"
    echo "$*" >>"$LONG_STATE/done"
}

# Where a command opens its model; those without one begin with the process.
opens() {
    case $1 in
    compare) echo 'data.npy", O_' ;;
    verify) echo 'wide.inlay", O_' ;;
    *) echo "$2\", O_" ;;
    esac
}

each_command >"$scratch/list"
while read -r line <&5; do
    # shellcheck disable=SC2086
    {
        for signal in TERM:15 INT:2 HUP:1 WINCH:0; do
            once signal_every_call "${signal%:*}" "${signal#*:}" "" $line
        done
        once least_stack $line
        once closed_pipe $line
        once limit -n "3 4 5 6 7 8 9 10 12" $line
        once limit -f "0 1 8" $line
        once limit -v "40000 50000 60000 70000 80000 100000 150000 200000" $line
        case $line in
        *" -o "* | convert*)
            once kill_at_every_call "" $line
            for left in 0 4 8 12; do once small_disk $left $line; done
            once read_only $line
            ;;
        esac
        case $line in
        # A page is another one without Graphviz, and is not judged here.
        info* | run* | opt* | convert* | plan* | verify* | print* | compare* | diff* | explore* | rules* | prove* | check-rules*)
            for error in EINTR ENOSPC EIO EACCES EMFILE ENOMEM; do
                once fail_every_call $error "" "$(opens $line)" $line
            done
            for error in ENOSPC EIO EACCES EMFILE ENOMEM; do
                once fail_every_call $error + "$(opens $line)" $line
            done
            ;;
        esac
    }
done 5<"$scratch/list"
printf '# result: %d commands with a kind of fault, %d places; stacks of %d KiB at most\n1..%d\n' "$(wc -l <"$LONG_STATE/said")" \
    "$(sed -n 's/.*(\([0-9]*\) calls.*/\1/p' "$LONG_STATE/said" | awk '{ n += $1 } END { print n + 0 }')" \
    "$(sed -n 's/.*(\([0-9]*\) KiB).*/\1/p' "$LONG_STATE/said" | sort -n | tail -n 1)" "$count"
