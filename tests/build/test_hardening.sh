#!/bin/sh
# What is built by default is hardened (Makefile, HARDENING): the binaries say so, as far as the compiler can do it.
set -u
. "$ROOT/tests/tap.sh"
library=$BUILD/libinlay.so module=$BUILD/libinlay-onednn.so

# Has a file what the pattern says, in what readelf prints with the options?
has() { # FILE OPTIONS PATTERN NAME
    # Options are words.
    # shellcheck disable=SC2086
    if readelf -W $2 "$1" 2>/dev/null | grep -qE "$3"; then pass "${1##*/}: $4"; else fail "${1##*/}: $4"; fi
}

takes() { # OPTION
    echo | $CC -Werror "$1" -S -o /dev/null -x c - 2>/dev/null
}

for file in "$BUILD/inlay" "$library" "$module"; do
    [ -e "$file" ] || continue
    has "$file" -l GNU_RELRO "what is relocated becomes read-only"
    has "$file" -d 'BIND_NOW|FLAGS_1.*NOW' "all of it, because symbols are bound at once"
    has "$file" -l 'GNU_STACK.* RW +' "no code on the stack"
    if ! takes -fstack-protector-strong; then
        skip "${file##*/}: a stack that is overwritten is noticed" "$CC does not know it"
    else
        has "$file" --dyn-syms ' __stack_chk_fail' "a stack that is overwritten is noticed"
    fi
done
has "$BUILD/inlay" -h 'Type: +DYN' "the command lies anywhere"
case " $CFLAGS " in
*" -O0 "*) skip "functions that check sizes" "it is not optimised" ;;
*)
    has "$BUILD/inlay" --dyn-syms ' __(printf|fprintf|snprintf|memcpy|vsnprintf)_chk' "functions that check sizes"
    has "$library" --dyn-syms ' __(memcpy|snprintf|vsnprintf|strcpy)_chk' "functions that check sizes"
    ;;
esac
# A linker notes in a program that jumps are marked where all that it links has marks, the C library's first object, too:
# Debian's has none. What is ours is in one object.
if takes -fcf-protection; then
    has "$BUILD/libinlay.o" -n 'IBT.*SHSTK' "ends of jumps are marked"
else
    skip "ends of jumps are marked" "$CC does not know it for this machine"
fi
if takes -fstack-clash-protection; then
    flags=$(${MAKE:-make} -n -C "$ROOT" "CC=$CC" "CFLAGS=$CFLAGS" BUILD="$scratch/build" "$scratch/build/obj/ir/base/strbuf.o" | grep -o -- '-fstack-clash-protection' | sort -u)
    if [ "$flags" ]; then pass "a large frame does not jump over the guard page"; else fail "a large frame does not jump over the guard page"; fi
else
    skip "a large frame does not jump over the guard page" "$CC does not know it"
fi
works "a build without it" sh -c '! ${MAKE:-make} -n -C "$ROOT" "CC=$CC" HARDENING= BUILD="$0" "$0/obj/ir/base/strbuf.o" | grep -E "stack-protector|FORTIFY"' "$scratch/build"
finish
