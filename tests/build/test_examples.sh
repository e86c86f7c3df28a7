#!/bin/sh
# The programs of examples/ are short, compile against an installed copy without a warning, and do what they say.
set -u
. "$ROOT/tests/tap.sh"
if ! [ -e "$BUILD/libinlay.so" ]; then
    skip "examples" "this build has no shared library, which they would be linked with"
    finish
    exit
fi
prefix=$scratch/prefix
works "make install" ${MAKE:-make} -C "$ROOT" "CC=$CC" "CFLAGS=$CFLAGS" "LDFLAGS=$LDFLAGS" install "PREFIX=$prefix"
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
LD_LIBRARY_PATH=$prefix/lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH
cd "$scratch" || exit 2

# Words are split on purpose.
# shellcheck disable=SC2046,SC2086
build() { # NAME
    $CC -std=c11 $CFLAGS -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Werror $(pkg-config --cflags inlay) \
        -o "$1" "$ROOT/examples/$1.c" $(pkg-config --libs inlay) $LDFLAGS
}

for example in "$ROOT"/examples/*.c; do
    name=$(basename "$example" .c)
    lines=$(wc -l <"$example")
    if [ "$lines" -lt 60 ]; then pass "$name has less than 60 lines"; else fail "$name has less than 60 lines" "$lines"; fi
    works "$name compiles" build "$name"
done

does() { # NAME ARGUMENTS... against ./expected
    "./$@" >actual 2>&1
    same "$1 does what it says" expected actual
}

# The largest of each row is the digit; the file has one row for each of 0 to 9.
seq 0 9 >expected
./run_model "$ROOT/models/digits/digits.xml" image "$ROOT/models/digits/ten.npy" probabilities 2>&1 |
    awk '{ best = 1; for (i = 2; i <= NF; i++) if ($i + 0 > $best + 0) best = i; print best - 1 }' >actual
same "run_model does what it says" expected actual
echo 'there is no input "picture"' >expected
./run_model "$ROOT/models/digits/digits.xml" picture "$ROOT/models/digits/ten.npy" probabilities >actual 2>&1
same "run_model says what is wrong" expected actual

cat >expected <<'END'
graph "pooled" {
  %x = Parameter-1 {element_type = f32, shape = [1,1,?,?]} : f32[1,1,?#1,?#2]
  %six = Const-1 {value = f32[] 6}
  %scaled = Multiply-1(%x, %six) : f32[1,1,?#1,?#2]
  %pool = MaxPool-1(%scaled) {strides = [2, 2], pads_begin = [0, 0], pads_end = [0, 0], kernel = [2, 2]} : f32[1,1,1..,1..]
  %y = Result-1(%pool)
}
END
does build_graph

echo '3 nodes, before 4: the same function' >expected
does rewrite "$ROOT/examples/same.inlay"

# 1, then e to the power of 0, 2 and 4.
cat >expected <<'END'
1.000 1.000
1.000 7.389
1.000 54.598
END
does bind_output

cat >expected <<'END'
donated: row 2 is 1, 0 bytes copied
donated: row 2 is 2, 0 bytes copied
donated: row 2 is 3, 0 bytes copied
kept: row 2 is 4, 16000 bytes copied
END
does window
finish
