# What happens to a command from outside: it is killed, interrupted, its calls of the system fail, there is no room, no
# right, no reader. Read behind tap.sh by test_faults.sh (a sample) and long/faults.sh. FAULTS_EVERY=N: only each N-th
# place is tried.
#
# The law: a command ends with the result that it has without the fault, or with a status of its own and a message, or
# by the signal. What it was to replace is whole, the old or the new; of a model in two files one may be new where it
# is killed between the two renames, and then a reader refuses the pair.
every=${FAULTS_EVERY:-1}
inlay=$BUILD/inlay

can_inject() {
    command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null
}

# The folder `old`, in which each command begins: a model and what is there to be replaced.
make_old() {
    mkdir "$scratch/old" && cd "$scratch/old" || exit 2
    cp "$ROOT/models/window/window.inlay" "$ROOT/models/window/data.npy" . || exit 2
    cat >wide.inlay <<'END'
graph "wide" {
  %x = Parameter-1 {element_type = f32, shape = [64]}
  %i = Const-1 {value = i64[] 0}
  %n = Const-1 {value = i64[] 64}
  %o = Const-1 {value = i64[] 1}
  %c = Range-4(%i, %n, %o) {output_type = f32}
  %s = Add-1(%x, %c)
  %r = Result-1(%s)
}
END
    printf 'rule twice exact: Abs(Abs(x)) => Abs(x)\n' >one.rules
    "$inlay" opt wide.inlay -o folded.inlay && "$inlay" convert window.inlay out.xml && "$inlay" convert window.inlay out.json &&
        "$inlay" convert window.inlay out.onnx && "$inlay" view window.inlay -o out.html || exit 2
    cd "$scratch" || exit 2
}

# Each subcommand in few words, without a clock in what it prints but for bench and check-rules.
each_command() {
    cat <<'END'
info folded.inlay
run window.inlay --random -o values --threads 1
opt wide.inlay -o out.xml
convert folded.inlay out.json
plan window.inlay
view wide.inlay -o out.html
bench wide.inlay -t 0.001 --threads 1
verify wide.inlay folded.inlay --trials 2
verify --prove wide.inlay folded.inlay --trials 1
print window.inlay --full
compare data.npy data.npy
diff wide.inlay folded.inlay
bisect wide.inlay --trials 1
reduce wide.inlay --test false -o out.xml
fuzz --seed 3 --count 1 --trials 1
explore wide.inlay --limit 4 --trials 1
ops
passes --json
rules window.inlay --rules one.rules
prove one.rules --seconds 20
check-rules one.rules --instances 4
END
}

begin() { # the folder `work` is as `old`, and that for temporary files empty
    rm -rf "$scratch/work" "$scratch/tmp" && cp -r "$scratch/old" "$scratch/work" && mkdir "$scratch/tmp"
}
export TMPDIR="$scratch/tmp"

# A page with Graphviz is another one than without it, so it fails everywhere. Where it cannot even be started a page
# says that, too.
mkdir -p "$scratch/programs"
printf '#!/bin/sh\nexit 1\n' >"$scratch/programs/dot"
# What a solver thinks takes seconds, and nothing of it is ours: this one answers at once.
cat >"$scratch/programs/z3" <<'END'
#!/bin/sh
exec awk '/\(check-sat\)/ { print "unsat" }'
END
chmod +x "$scratch/programs/dot" "$scratch/programs/z3"
PATH=$scratch/programs:$PATH

# Runs the command in `work`: its status is left in $status, what it printed in stdout and stderr.
act() { # COMMAND...
    exec 3>&2 2>/dev/null # the shell says who was killed
    (cd "$scratch/work" && exec timeout -k 5 60 "$@" 3>&-) >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
    status=$?
    exec 2>&3 3>&-
}

# Keeps what the command does without any fault: the folder `new`, good.stdout, good.status.
learn() { # ARGUMENTS...
    case $1 in reduce) improves=yes ;; *) improves=no ;; esac # it saves the best so far
    begin
    act "$inlay" "$@"
    rm -rf "$scratch/new" && mv "$scratch/work" "$scratch/new" && mv "$scratch/stdout" "$scratch/good.stdout"
    good=$status
}

# The calls of the system that the command makes from the first that names PATTERN on, one a line: its name, and which
# of that name it is.
calls_from() { # PATTERN ARGUMENTS...
    pattern=$1
    shift
    begin
    act strace -o "$scratch/trace" "$inlay" "$@"
    awk -v pattern="$pattern" -v unable="${unable:-^$}" '/^[a-z_0-9]+\(/ {
            name = substr($0, 1, index($0, "(") - 1)
            n[name]++
            if (index($0, pattern)) seen = 1
            if (name ~ /^(rt_sigpending|wait4|clock_nanosleep)$/ && n[name] > 2) next # it waits for a child
            if (seen && name !~ /^(exit_group|execve|rt_sigreturn|restart_syscall)$/ && name !~ unable) print name, n[name]
        }' "$scratch/trace" | awk -v every="$every" '(NR - 1) % every == 0'
}

refuses() { # FILE: a reader takes its weights for those of another model
    [ -e "$1" ] && ! "$inlay" info "$1" >"$scratch/said" 2>&1 && grep -q 'is not the weights file of this model' "$scratch/said"
}

# Leaves in $state what stands in `work`: old, new, refused (a pair that a reader does not take), or half; and counts
# temporary files, which are taken away.
look() {
    for name in "$scratch"/work/*.tmp; do
        [ ! -e "$name" ] || { rm "$name" && strays=$((strays + 1)); }
    done
    if diff -rq "$scratch/new" "$scratch/work" >/dev/null; then
        state=new
        return
    fi
    # A folder of outputs has whole ones, if not all.
    [ ! -d "$scratch/work/values" ] || ! diff -rq "$scratch/new/values" "$scratch/work/values" | grep -vq '^Only in .*/new/values' &&
        rm -rf "$scratch/work/values"
    if diff -rq "$scratch/old" "$scratch/work" >/dev/null; then
        state=old
    elif refuses "$scratch/work/out.xml" || refuses "$scratch/work/out.json"; then
        state=refused
    elif [ "$improves" = yes ] && "$inlay" info "$scratch/work/out.xml" >/dev/null 2>&1; then
        state=new
    else
        state=half
    fi
}

# Is the run right, which met FAULT? Leaves in $wrong what is not. With $mute messages cannot be written either.
mute=no any_output=no
judge() { # FAULT SIGNAL: the signal by which it may end, as 128 and its number; 0: none
    strays=0
    look
    [ "$strays" = 0 ] && [ -z "$(ls "$scratch/tmp")" ] || state="$state and a temporary one"
    case $status in
    "$good") [ "$state" = new ] && { cmp -s "$scratch/stdout" "$scratch/good.stdout" || [ "$any_output" = yes ]; } && return ;;
    1 | 2 | 3) [ -s "$scratch/stderr" ] || [ "$mute" = yes ] && case $state in old | new | refused) return ;; esac ;;
    "$2") case $state in old | new | refused) return ;; esac ;;
    esac
    wrong="$wrong$1: status $status, files $state; $(tail -n 1 "$scratch/stderr" | cut -c 1-150)
"
}

tell() { # NAME
    if [ -z "$wrong" ]; then pass "$1"; else fail "$1" "$(printf '%s' "$wrong" | head -n 20)"; fi
}

# kill -9 at every call of the system.
kill_at_every_call() { # PATTERN ARGUMENTS...
    pattern=$1 n=0 olds=0 news=0 refused=0 strays=0 wrong=
    shift
    learn "$@"
    calls_from "$pattern" "$@" >"$scratch/calls"
    while read -r call k; do
        begin
        act strace -o /dev/null -e "trace=$call" -e "inject=$call:signal=KILL:when=$k" "$inlay" "$@"
        n=$((n + 1))
        look
        case $state in
        old) olds=$((olds + 1)) ;;
        new) news=$((news + 1)) ;;
        refused) refused=$((refused + 1)) ;;
        *) wrong="${wrong}killed at $call $k: files are half written
" ;;
        esac
    done <"$scratch/calls"
    [ "$n" -gt 0 ] || wrong="no call was found"
    tell "kill -9: inlay $* ($n calls: $olds old, $news new, $refused refused; $strays temporary files)"
}

# Every call of the system fails, once or from there on, but for those that cannot, or whose failure is not told by a
# number (brk).
fail_every_call() { # ERROR WHEN PATTERN ARGUMENTS...: WHEN is empty, or + for all behind
    error=$1 from=$2 pattern=$3 n=0 wrong= any_output=no
    shift 3
    learn "$@"
    unable='^(brk|getpid|getuid|gettid|sched_yield|munmap|rt_sigprocmask)$'
    calls_from "$pattern" "$@" >"$scratch/calls"
    unable=
    while read -r call k; do
        begin
        act strace -o /dev/null -e "trace=$call" -e "inject=$call:error=$error:when=$k$from" "$inlay" "$@"
        n=$((n + 1))
        case $call$from in write+) mute=yes ;; *) mute=no ;; esac
        judge "$call $k$from" 0
    done <"$scratch/calls"
    mute=no
    [ "$n" -gt 0 ] || wrong="no call was found"
    tell "$error${from:+ from there on}: inlay $* ($n calls)"
}

# A signal arrives at every call of the system: the command ends by it, or goes on as if nothing were (STOP with CONT
# behind it, WINCH, CHLD).
signal_every_call() { # SIGNAL NUMBER PATTERN ARGUMENTS...: NUMBER is 0 for one that ends nothing
    signal=$1 number=$2 pattern=$3 n=0 wrong=
    shift 3
    learn "$@"
    prints_times "$1"
    calls_from "$pattern" "$@" >"$scratch/calls"
    while read -r call k; do
        begin
        act strace -o /dev/null -e "trace=$call" -e "inject=$call:signal=$signal:when=$k" "$inlay" "$@"
        n=$((n + 1))
        judge "$signal at $call $k" "$([ "$number" = 0 ] && echo 0 || echo $((128 + number)))"
    done <"$scratch/calls"
    [ "$n" -gt 0 ] || wrong="no call was found"
    tell "SIG$signal: inlay $* ($n calls)"
}

prints_times() { # COMMAND
    case $1 in bench | check-rules | fuzz | prove) any_output=yes ;; *) any_output=no ;; esac
}

# Limits of the process: memory that it may map, files that it may open, bytes that a file may have.
limit() { # OPTION VALUES ARGUMENTS...
    option=$1 values=$2 wrong=
    [ "$option" != -f ] || mute=yes # what is printed goes to files
    shift 2
    learn "$@"
    prints_times "$1"
    for value in $values; do
        begin
        # shellcheck disable=SC2016
        act sh -c 'ulimit "$1" "$2" && shift 2 && exec "$@"' sh "$option" "$value" "$inlay" "$@"
        # What the loader cannot do it says itself; a shell without files cannot start anything; a page says why dot
        # has not made it.
        grep -q 'loading shared libraries\|cannot execute\|^sh: ' "$scratch/stderr" ||
            grep -qs '"dot":false,"why":"dot ' "$scratch"/work/*.html || judge "$value" 0
    done
    mute=no
    tell "ulimit $option: inlay $*"
}

# Nobody reads what is printed: the pipe ends the command, or, where its signal is ignored, the write fails.
closed_pipe() { # ARGUMENTS...
    wrong=
    learn "$@"
    prints_times "$1"
    for ignored in 0 PIPE; do
        begin
        # shellcheck disable=SC2016
        act sh -c '[ "$1" = 0 ] || trap "" "$1"; shift; mkfifo pipe && exec 4<>pipe 3>pipe 4<&- && rm pipe; exec "$@" >&3' sh "$ignored" "$inlay" "$@"
        [ -s "$scratch/good.stdout" ] || any_output=yes
        if [ -s "$scratch/good.stdout" ] && [ "$status" = 0 ]; then wrong="${wrong}status 0 without a reader
"; else judge "pipe, signal ignored: $ignored" 141; fi
    done
    tell "closed pipe: inlay $*"
}

# A disk on which LEFT KiB are free.
small_disk() { # LEFT ARGUMENTS...
    left=$1 wrong= any_output=no
    shift
    learn "$@"
    begin
    # shellcheck disable=SC2016
    act unshare -m sh -c '
        mkdir disk && mount -t tmpfs -o size=1m none disk && cp -r "$1"/old/* disk/ || exit 99
        free=$(($(df --output=avail -k disk | tail -n 1) - $2))
        [ $free -le 0 ] || head -c ${free}K /dev/zero >disk/filled
        work=$1 && shift 2
        (cd disk && "$@")
        status=$?
        rm -f disk/filled && cp -r disk/* . && umount disk && rmdir disk
        exit $status' sh "$scratch" "$left" "$inlay" "$@"
    judge "$left KiB are left" 0
    tell "full disk, $left KiB left: inlay $*"
}

read_only() { # ARGUMENTS...
    wrong= any_output=no
    learn "$@"
    begin
    # shellcheck disable=SC2016
    act unshare -m sh -c 'mount --bind . . && mount -o remount,bind,ro . || exit 99
        cd "$PWD" && exec "$@"' sh "$inlay" "$@"
    judge "a folder that cannot be written" 0
    tell "read-only folder: inlay $*"
}

# The smallest stack, within 8 KiB, with which the command does what it does with a larger one; 256 KiB must do.
least_stack() { # ARGUMENTS...
    low=16 high=264
    learn "$@"
    while [ $((high - low)) -gt 8 ]; do
        middle=$(((low + high) / 2))
        begin
        # shellcheck disable=SC2016
        act sh -c 'ulimit -s "$1" && shift && exec "$@"' sh $middle "$inlay" "$@"
        if [ "$status" = "$good" ]; then high=$middle; else low=$middle; fi
    done
    wrong=
    [ $high -le 256 ] || wrong="256 KiB are too few"
    tell "stack: inlay $* ($high KiB)"
}
