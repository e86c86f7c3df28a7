#!/bin/sh
# Seeds of `inlay fuzz` split over processes: by xargs, by GNU parallel, and by a job array of Slurm, for which a real
# slurmctld and slurmd are started on loopback. cli/SWEEPS.md has the commands.
set -u
. "$ROOT/tests/tap.sh"
inlay=$BUILD/inlay
printf 'rule relu-is-abs exact:\n  ReLU(x) => Abs(x)\n' >"$scratch/wrong.rules"
cd "$scratch" || exit 2

# The seeds that the folder's files name, and how many were tried.
found() { # FOLDER
    "$inlay" fuzz --collect "$1" | sed 's/:.*//; s/, .*//' | sort
}

# What one process finds; every way to split the seeds must find the same.
"$inlay" fuzz --seed 1..40 --large --passes rules --rules wrong.rules -o alone >/dev/null
found alone | sed 's/^1 task/4 tasks/' | grep seed >expected
[ "$(wc -l <expected)" -gt 1 ] || fail "one process finds some seeds" "$(cat expected)"

# shellcheck disable=SC2016
seq 1 10 40 | xargs -P 2 -I {} sh -c \
    '"$0" fuzz --seed {}..$(({} + 9)) --large --passes rules --rules wrong.rules -o split >/dev/null' "$inlay"
found split | grep seed >actual
same "xargs: four processes find what one does" expected actual

if command -v parallel >/dev/null; then
    seq 1 10 40 | parallel --will-cite -j 2 --joblog log \
        "$inlay fuzz --seed {}..'{= \$_ += 9 =}' --large --passes rules --rules wrong.rules -o gnu" >/dev/null 2>&1
    status=$?
    found gnu | grep seed >actual
    same "parallel: four processes find what one does" expected actual
    if [ "$status" -gt 0 ]; then pass "parallel: its status says that some fail"; else
        fail "parallel: its status says that some fail"
    fi
else
    skip "parallel: four processes find what one does" "there is no GNU parallel"
fi

# ---- Slurm ----

slurm_conf() { # PORT
    cat <<END
ClusterName=inlay
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$1
SlurmdPort=$(($1 + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$scratch/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
ReturnToService=2
SelectType=select/cons_tres
StateSaveLocation=$scratch/slurm/state
SlurmdSpoolDir=$scratch/slurm/spool
SlurmctldPidFile=$scratch/slurm/ctld.pid
SlurmdPidFile=$scratch/slurm/d.pid
NodeName=localhost NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
END
}

daemons=
start() { # COMMAND...
    "$@" >>"$scratch/slurm/log" 2>&1 &
    daemons="$daemons $!"
}

start_slurm() {
    mkdir -p slurm/state slurm/spool
    port=$((20000 + $$ % 20000))
    slurm_conf "$port" >slurm/slurm.conf
    printf 'CgroupPlugin=cgroup/v1\nIgnoreSystemd=yes\n' >slurm/cgroup.conf
    SLURM_CONF=$scratch/slurm/slurm.conf
    export SLURM_CONF
    dd if=/dev/urandom of=munge.key bs=1024 count=1 2>/dev/null && chmod 400 munge.key
    chmod 755 "$scratch"
    start munged --foreground --force --socket="$scratch/munge.socket" --key-file="$scratch/munge.key" \
        --pid-file="$scratch/munge.pid" --log-file="$scratch/munge.log" --seed-file="$scratch/munge.seed"
    sleep 2
    start slurmctld -D -f "$SLURM_CONF"
    sleep 2
    start slurmd -D -f "$SLURM_CONF" -N localhost
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        sinfo -h -o %t 2>/dev/null | grep -q idle && return 0
        sleep 2
    done
    return 1
}

if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || ! command -v munged >/dev/null ||
    [ "$(id -u)" != 0 ]; then
    skip "Slurm: a job array finds what one process does" "there is no slurmctld, slurmd and munged, or no root"
elif ! start_slurm; then
    skip "Slurm: a job array finds what one process does" "it does not start here: $(tail -1 slurm/log)"
else
    cat >task.sh <<END
#!/bin/sh
first=\$((1 + 10 * SLURM_ARRAY_TASK_ID))
exec "$inlay" fuzz --seed \$first..\$((first + 9)) --large --passes rules --rules "$scratch/wrong.rules" -o "$scratch/array"
END
    sbatch --wait --array=0-3 --chdir="$scratch" --output=/dev/null task.sh >sbatch.log 2>&1
    status=$?
    found array | grep seed >actual
    same "Slurm: a job array finds what one process does" expected actual
    if [ "$status" -gt 0 ]; then pass "Slurm: the status of sbatch says that some fail"; else
        fail "Slurm: the status of sbatch says that some fail" "$(cat sbatch.log)"
    fi
fi
for daemon in $daemons; do
    kill "$daemon" 2>/dev/null
done
wait
finish
