#!/bin/sh
# A sample of what `make long PARTS=faults` does: faults.sh says what must hold.
set -u
. "$ROOT/tests/tap.sh"
. "$ROOT/tests/faults/faults.sh"
make_old

if can_inject; then
    kill_at_every_call O_TMPFILE convert folded.inlay out.xml
    fail_every_call ENOSPC "" O_TMPFILE convert folded.inlay out.xml
    fail_every_call ENOSPC + O_TMPFILE opt wide.inlay -o out.json
    every=4
    fail_every_call EINTR "" 'window.inlay", O_' run window.inlay --random -o values --threads 1
    fail_every_call EIO "" 'wide.inlay", O_' opt wide.inlay -o out.xml
    fail_every_call EMFILE + 'wide.inlay", O_' opt wide.inlay -o out.onnx
    every=12
    signal_every_call TERM 15 "" opt wide.inlay -o out.xml
    signal_every_call WINCH 0 "" verify wide.inlay folded.inlay --trials 2
    every=1
else
    skip "faults of the system" "peer: strace is not there, or may not trace"
fi

limit -n "3 4 5 6 8" convert folded.inlay out.xml
limit -n "3 4 5 16" view wide.inlay -o out.html
limit -f "0 1" convert window.inlay out.xml
limit -v "50000 60000 80000 120000" run window.inlay --random -o values --threads 1
each_command | while read -r line; do
    # shellcheck disable=SC2086
    closed_pipe $line
done >"$scratch/pipes"
cat "$scratch/pipes"
count=$(($(grep -c '^ok\|^not ok' "$scratch/pipes") + count))
if unshare -m mount -t tmpfs none /mnt 2>/dev/null; then
    small_disk 0 opt wide.inlay -o out.xml
    small_disk 4 view wide.inlay -o out.html
    read_only convert folded.inlay out.xml
    read_only run window.inlay --random -o values --threads 1
else
    skip "disks" "peer: nothing may be mounted"
fi
finish
