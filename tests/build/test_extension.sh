#!/bin/sh
# The extension of models/extension is built against an installed copy, as its README says, and its operation is
# checked, run, verified, planned, converted and bounded as those that are built in. What is no extension is refused.
set -u
. "$ROOT/tests/tap.sh"
if ! [ -e "$BUILD/libinlay.so" ]; then
    skip "extensions" "this build has no shared library, which an extension and the command would share"
    finish
    exit
fi

prefix=$scratch/prefix
works "make install" ${MAKE:-make} -C "$ROOT" "CC=$CC" "CFLAGS=$CFLAGS" "LDFLAGS=$LDFLAGS" install "PREFIX=$prefix"
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
PATH=$prefix/bin:$PATH
export PKG_CONFIG_PATH PATH
unset LD_LIBRARY_PATH
mkdir "$scratch/work" && cd "$scratch/work" || exit 2
cp "$ROOT"/models/extension/hypot.* .

# Words are split on purpose.
# shellcheck disable=SC2046,SC2086
build() { # FILE OUT
    $CC -std=c11 $CFLAGS -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Werror -shared -fPIC \
        $(pkg-config --cflags inlay) -o "$2" "$1" $LDFLAGS -lm
}
works "it compiles without a warning" build hypot.c hypot.so

# shellcheck disable=SC2016
awk '/^```/ { inside = $0 == "```sh"; next } inside' "$ROOT/models/extension/README.md" >commands
works "the commands of the README run" sh -e ./commands

# 2 * hypot(-3, 4) and 2 * hypot(-5, 12), by hand
cat >numbers.inlay <<'END'
graph "numbers" {
  %x = Const {value = f32[2] [3, 5]}
  %y = Const {value = f32[2] [4, 12]}
  %a = Negative(%x)
  %h = Hypot-1@extension(%a, %y) {scale = 2}
  %wanted = Const {value = f32[2] [10, 26]}
  %same = Equal(%h, %wanted)
  %axis = Const {value = i64[1] [0]}
  %all = ReduceLogicalAnd(%same, %axis)
  %out = Result(%all)
}
END
for how in reference planned; do
    inlay run numbers.inlay --extension ./hypot.so --exec $how >output 2>&1
    if grep -qw True output; then pass "it computes, $how"; else fail "it computes, $how" "$(cat output)"; fi
done
# What COMMAND prints must have the words.
shows() { # NAME WORDS COMMAND...
    name=$1 words=$2
    shift 2
    if "$@" >output 2>&1 && grep -qF -- "$words" output; then pass "$name"; else fail "$name" "$(cat output)"; fi
}
shows "it is listed" 'Hypot-1' inlay ops --extension ./hypot.so
shows "and for programs" '{"type": "Hypot", "version": 1' inlay ops --json --extension ./hypot.so
shows "info counts it" 'Hypot-1                          1' inlay info hypot.txt --extension ./hypot.so
shows "and for programs" '"Hypot-1": 1' inlay info --json hypot.txt --extension ./hypot.so

# By the flags of its row it is computed in a window: rows 2 to 4 of the data are changed where they are.
cat >window.txt <<'END'
graph "window" {
  %data = Parameter {element_type = f32, shape = [6,2]}
  %y = Parameter {element_type = f32, shape = [3,2]}
  %start = Const {value = i64[1] [2]}
  %stop = Const {value = i64[1] [5]}
  %step = Const {value = i64[1] [1]}
  %axes = Const {value = i64[1] [0]}
  %rows = Slice(%data, %start, %stop, %step, %axes)
  %h = Hypot-1@extension(%rows, %y)
  %out = SliceScatter(%data, %h, %start, %stop, %step, %axes)
  %result = Result(%out)
}
END
shows "the pass puts it into a window" 'into: yes' inlay opt window.txt --extension ./hypot.so --explain
shows "and a run copies nothing" '"copied_bytes": 0' \
    inlay run window.txt --extension ./hypot.so -i data=iota,donate --random --stats - --quiet
works "which gives what the reference gives" \
    inlay verify window.txt window.txt --exec planned --extension ./hypot.so
shows "bench names its step" 'Hypot-1' inlay bench hypot.txt --extension ./hypot.so -t 0.1 --shape x=3,2 --shape y=3,2
works "it is planned" inlay plan hypot.txt --extension hypot.so
works "passes leave it the same function" inlay verify hypot.txt hypot.txt --extension hypot.so
works "it is written as XML" inlay convert hypot.txt hypot.xml --extension hypot.so
works "and read again" inlay verify hypot.txt hypot.xml --extension hypot.so

# The command must fail, and an error must have the words.
says() { # NAME WORDS COMMAND...
    name=$1 words=$2
    shift 2
    if "$@" >output 2>&1; then fail "$name" "it does not fail"; return; fi
    if grep -qF -- "$words" output; then pass "$name"; else fail "$name" "$(cat output)"; fi
}
says "without it the operation is unknown" 'operation Hypot is of unknown version "extension"' inlay info hypot.txt
sed 's/f32/i32/' hypot.txt >integers.inlay
says "its types are checked" 'input 0 "x" has type i32, it must be' inlay info integers.inlay --extension hypot.so
sed '4s/?/3/; 3s/?/2/' hypot.txt >shapes.inlay
says "its shape rule is asked" 'axis 0' inlay info shapes.inlay --extension hypot.so
echo 'int nothing;' >nothing.c
works "what is none compiles" build nothing.c nothing.so
says "a missing entry is an error" 'this is no extension: it has no inlay_extension_v1' inlay info hypot.txt --extension nothing.so
says "a file that is not there is an error" 'the extension cannot be loaded' inlay info hypot.txt --extension missing.so
{
    sed 's/^INLAY_EXTENSION(ops);//' hypot.c
    echo 'INLAY_API extern const inlay_extension inlay_extension_v1;'
    echo 'const inlay_extension inlay_extension_v1 = {INLAY_EXTENSION_VERSION, INLAY_EXTENSION_LAYOUT + 1, ops, 1};'
} >layout.c
works "one with another layout compiles" build layout.c layout.so
says "other headers are refused" 'built with the headers of another inlay' inlay info hypot.txt --extension layout.so
finish
