#!/bin/sh
# The programs of tests/unit and the golden files on a machine of another kind: compiled for AArch64, whose vectors
# are NEON's, and run by qemu-user. The functions of interp/maths have the same bits there, or test_maths fails.
# It needs Debian's gcc-aarch64-linux-gnu and qemu-user and, after `dpkg --add-architecture arm64`, the packages of
# setup.sh that end in -dev for arm64.
set -u
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2
cross=aarch64-linux-gnu-
build=$BUILD/aarch64
PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig
INLAY_SLOW=1 INLAY_TEST_TIMEOUT=3600
export PKG_CONFIG_LIBDIR INLAY_SLOW INLAY_TEST_TIMEOUT

for needed in "${cross}gcc" qemu-aarch64; do
    command -v "$needed" >/dev/null && continue
    skip "AArch64" "there is no $needed"
    finish
    exit
done

# Tests start the command and one another, with any PATH, so that each program becomes a script that starts it in the
# emulator.
emulator=$(command -v qemu-aarch64)
emulate() { # PROGRAM
    mv "$1" "$1.aarch64"
    printf '#!/bin/sh\nexec %s -0 "$0" "%s.aarch64" "$@"\n' "$emulator" "$1" >"$1"
    chmod +x "$1"
}

is_foreign() { # FILE; the machine stands at byte 18 of an ELF file, and 183 is AArch64
    [ -f "$1" ] && [ -x "$1" ] && [ "$(od -An -tu2 -j18 -N2 "$1" | tr -d ' ')" = 183 ]
}

if [ ! -e "$LONG_STATE/built" ]; then
    rm -rf "$build"
    works "it is built" make -s tests BUILD="$build" CC=${cross}gcc LD=${cross}ld AR=${cross}ar OBJCOPY=${cross}objcopy \
        ONEDNN=no
    for program in "$build"/* "$build"/tests/*; do
        case $program in
        *.so*) ;;
        *) [ -L "$program" ] || ! is_foreign "$program" || emulate "$program" ;;
        esac
    done
    touch "$LONG_STATE/built"
fi
for test in tests/unit/test_*.c $(find tests/golden -name '*.t' | sort); do
    state=$LONG_STATE/$(echo "$test" | tr / _)
    [ -e "$state" ] && pass "$test, before" && continue
    [ "$(date +%s)" -gt "$LONG_UNTIL" ] && exit 75
    works "$test" env BUILD="$build" sh tests/run.sh "$test" && touch "$state"
done
echo "# result: $(qemu-aarch64 --version | head -1), $(${cross}gcc -dumpversion)"
finish
