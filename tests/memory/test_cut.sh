#!/bin/sh
# Another program makes the weights shorter while a model is run: files below 64 MiB are read into memory before, and
# with --no-mmap all are, so nothing happens.
set -u
. "$ROOT/tests/tap.sh"
cd "$scratch" || exit 2

cuts() { # NAME OPTION...: the weights are cut once the model is read, as it says
    name=$1
    shift
    cp "$ROOT/models/digits/digits.xml" m.xml && cp "$ROOT/models/digits/digits.bin" m.bin || exit 2
    mkfifo said
    timeout 60 "$BUILD/inlay" run m.xml -i "image=$ROOT/models/digits/ten.npy" --repeat 40 --quiet --verbose "$@" 2>said &
    running=$!
    { head -n 1; : >m.bin; cat; } <said >stderr
    wait $running
    status=$?
    rm said
    if [ $status = 0 ]; then pass "$name"; else fail "$name" "status $status: $(cat stderr)"; fi
}
cuts "weights that become shorter"
cuts "weights that become shorter, all read" --no-mmap
finish
