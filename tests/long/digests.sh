#!/bin/sh
# models/digests.txt, computed by other compilers, for other processors and with another C library: gcc, clang, musl-gcc
# (Debian's musl-tools), aarch64-linux-gnu-gcc, and qemu-user. The program is linked as a whole there, without the
# libraries of formats that it does not read.
set -u
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2
foreign="-idirafter /usr/include -idirafter /usr/include/x86_64-linux-gnu"
whole="LDFLAGS=-static -Wl,--unresolved-symbols=ignore-all"
tried=

have() { command -v "$1" >/dev/null; }

# NAME RUN ARGUMENTS-OF-MAKE...: RUN is a program in front; threads are few where it emulates.
compare() {
    name=$1 run=$2 build=$BUILD/digests/$1
    shift 2
    [ -e "$LONG_STATE/$name" ] && pass "$name, before" && return
    [ "$(date +%s)" -gt "$LONG_UNTIL" ] && exit 75
    works "$name is built" make -s "${build#"$ROOT"/}/tests/digests" BUILD="$build" ONEDNN=no "$@"
    works "$name gives the hashes" env BUILD="$build" DIGESTS_RUN="$run" DIGESTS_THREADS="${run:+2}" \
        sh tests/run.sh tests/digests/test_digests.sh && touch "$LONG_STATE/$name" && tried="$tried $name"
}

have gcc && compare gcc-O0 "" CC=gcc CFLAGS=-O0
have gcc && compare gcc-O3 "" CC=gcc CFLAGS=-O3
have clang && compare clang-O0 "" CC=clang CFLAGS=-O0
have clang && compare clang-O3 "" CC=clang CFLAGS=-O3
if have qemu-x86_64 && have gcc; then
    compare gcc-O1 "" CC=gcc CFLAGS=-O1
    mkdir -p "$BUILD/digests/sse4.2" "$BUILD/digests/avx2"
    for kind in sse4.2 avx2; do ln -sfn "$BUILD/digests/gcc-O1/tests" "$BUILD/digests/$kind/tests"; done
    compare sse4.2 "qemu-x86_64 -cpu Nehalem" -t
    compare avx2 "qemu-x86_64 -cpu Haswell" -t
fi
have musl-gcc && compare musl "" CC="musl-gcc $foreign" CFLAGS=-O1 "$whole" LIBS=-lm
if have qemu-aarch64 && have aarch64-linux-gnu-gcc; then
    cross=aarch64-linux-gnu-
    compare aarch64 qemu-aarch64 CC="${cross}gcc $foreign" LD=${cross}ld AR=${cross}ar OBJCOPY=${cross}objcopy \
        CFLAGS=-O1 "$whole" LIBS=-lm
fi
echo "# result: the hashes of models/digests.txt by$tried"
finish
