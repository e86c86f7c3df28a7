#!/bin/sh
# Weights of ONNX models are never held twice: what a file has is mapped, and what nobody reads is not even loaded.
# The weights here are holes in files, so that they take no space on the disk.
set -u
. "$ROOT/tests/tap.sh"

$CC -std=c11 -D_DEFAULT_SOURCE -O1 -o "$scratch/peak" "$ROOT/tests/memory/peak.c" || exit 2
cd "$scratch" || exit 2

varint() { # NUMBER
    n=$1
    while [ "$n" -ge 128 ]; do
        printf '%b' "\\0$(printf %o $((n % 128 + 128)))"
        n=$((n / 128))
    done
    printf '%b' "\\0$(printf %o "$n")"
}
size() { # FILE
    wc -c <"$1"
}
field() { # NUMBER FILE: the file as a message in another one
    varint $(($1 * 8 + 2))
    varint "$(size "$2")"
    cat "$2"
}
# A model of one tensor "w" of f32, which is its output. Numbers of fields: onnx.proto.
begin_tensor() { # ELEMENTS
    printf '\010'
    varint "$1"
    printf '\020\001\102\001w'
}
# Each file is a beginning that is written, with ROOM bytes behind it that a hole gives.
wrap() { # ROOM
    { printf '\142\003\012\001w\052'; varint $(($(size tensor) + $1)); cat tensor; } >graph
    { printf '\010\010\102\002\020\021\072'; varint $(($(size graph) + $1)); cat graph; }
}
holds() { # MOST-MIB COMMAND...
    most=$1
    shift
    PEAK=$scratch/kib timeout 20 ./peak "$BUILD/inlay" "$@" >stdout 2>stderr </dev/null
    status=$?
    if [ $status != 0 ]; then
        fail "inlay $*" "status $status: $(head -c 600 stderr)"
    elif [ "$(cat kib)" -gt $((most * 1024)) ]; then
        fail "inlay $*" "$(cat kib) KiB were in use, at most $most MiB are wanted"
    else
        pass "inlay $*"
    fi
}

# 128 MiB inside of the file.
elements=33554432 bytes=134217728
{ begin_tensor $elements; printf '\112'; varint $bytes; } >tensor
wrap $bytes >inside.onnx
truncate -s +$bytes inside.onnx
holds 64 info inside.onnx
holds 64 run inside.onnx --quiet
holds 192 opt inside.onnx
holds 192 run inside.onnx --quiet -o out

# 3 GiB beside it: more than a message of protocol buffers may have.
elements=805306368 bytes=3221225472
printf '\012\010location\022\005w.bin' >entry
{ begin_tensor $elements; field 13 entry; printf '\160\001'; } >tensor
wrap 0 >beside.onnx
truncate -s $bytes w.bin
holds 64 info beside.onnx
begin=$(date +%s%N)
"$BUILD/inlay" info beside.onnx >/dev/null
took=$((($(date +%s%N) - begin) / 1000000))
if [ $took -lt 1000 ]; then pass "3 GiB open in milliseconds"; else fail "3 GiB open in milliseconds" "$took ms"; fi

# A file that ends too early.
truncate -s 1G w.bin
if "$BUILD/inlay" info beside.onnx >stdout 2>&1 || [ $? != 2 ]; then
    fail "a file that is too short"
elif grep -q 'bytes 0 to 3221225472 are not in "w.bin", which has 1073741824' stdout; then
    pass "a file that is too short"
else
    fail "a file that is too short" "$(cat stdout)"
fi
finish
