#!/bin/sh
# Another program makes the weights shorter while a model is run: files below 64 MiB are read into memory before, unless
# they are an eighth of what may be held, and with --no-mmap all are, so nothing happens. The run waits for its input,
# which is a pipe, until the weights are cut.
set -u
. "$ROOT/tests/tap.sh"
cd "$scratch" || exit 2
mkfifo said image.npy
limit=$((7 * $(wc -c <"$ROOT/models/digits/digits.bin")))

# Starts a run, and tells in $mapped whether the weights are mapped once the model is read, as it says.
start() { # OPTION...
    cp "$ROOT/models/digits/digits.xml" m.xml && cp "$ROOT/models/digits/digits.bin" m.bin || exit 2
    "$BUILD/inlay" run m.xml -i image=image.npy --expect "probabilities=$ROOT/models/digits/ten_expected.npy" --verbose "$@" \
        >stdout 2>said &
    running=$!
    exec 3<said
    head -n 1 <&3 >stderr
    if grep -q 'm[.]bin' /proc/$running/maps; then mapped=yes; else mapped=no; fi
}
# Ends it, with its status in $status.
end() {
    cat "$ROOT/models/digits/ten.npy" >image.npy
    cat <&3 >>stderr
    exec 3<&-
    wait $running
    status=$?
}
cuts() { # NAME OPTION...
    name=$1
    shift
    start "$@"
    : >m.bin
    end
    if [ $status = 0 ] && [ $mapped = no ]; then pass "$name"; else fail "$name" "status $status, mapped: $mapped: $(cat stderr)"; fi
}
cuts "weights that become shorter"
cuts "weights that become shorter, all read" --no-mmap
cuts "weights that become shorter, all read under a limit" --no-mmap --max-memory $limit

# What the last case relies on: without the option they are mapped.
start --max-memory $limit
end
if [ $status = 0 ] && [ $mapped = yes ]; then pass "they are mapped otherwise"; else fail "they are mapped otherwise" "$(cat stderr)"; fi
finish
