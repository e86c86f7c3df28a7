#!/bin/sh
# Installs into a temporary prefix, and builds and runs a small program against what was installed, as a user of
# the library would: with pkg-config, shared and static.
set -u
. "$ROOT/tests/tap.sh"
prefix=$scratch/prefix
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
LD_LIBRARY_PATH=$prefix/lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH
cd "$ROOT" || exit 2

make_() { # GOAL VARIABLES... with the build that is being tested
    ${MAKE:-make} "CC=$CC" "CFLAGS=$CFLAGS" "LDFLAGS=$LDFLAGS" "$@"
}

# $1 is split into words on purpose.
# shellcheck disable=SC2086
compile() { # COMPILER-AND-FLAGS LIBRARIES OUT
    $1 $CFLAGS $(pkg-config --cflags inlay) -o "$3" "$ROOT/tests/build/window.c" $2 $LDFLAGS
}

works "make install" make_ install "PREFIX=$prefix"
if grep -q "ldconfig $prefix/lib" "$scratch/output"; then pass "it says that the loader does not look there"; else
    fail "it says that the loader does not look there" "$(cat "$scratch/output")"
fi
readelf -S "$prefix/bin/inlay" "$prefix/lib/libinlay.so.1" "$prefix/lib/libinlay.a" >"$scratch/sections"
if grep -n 'debug_info' "$scratch/sections"; then fail "what is installed is stripped"; else
    pass "what is installed is stripped"
fi
works "the installed command runs" "$prefix/bin/inlay" --version
works "it finds its library by itself" env LD_LIBRARY_PATH= "$prefix/bin/inlay" --version
mv "$prefix" "$prefix-moved"
works "also when both are moved" env LD_LIBRARY_PATH= "$prefix-moved/bin/inlay" --version
mv "$prefix-moved" "$prefix"

printf '0 10 20 0 0\n0 30 40 0 0\n' >"$scratch/expected"
prints_the_window() { # NAME PROGRAM
    "$2" >"$scratch/actual" 2>&1
    same "$1" "$scratch/expected" "$scratch/actual"
}

works "pkg-config builds the example" compile "$CC -std=c11 -Wall -Wextra -Wpedantic -Werror" "$(pkg-config --libs inlay)" "$scratch/window"
prints_the_window "the example prints the window" "$scratch/window"
works "the static library builds the example" compile "$CC -std=c11" \
    "$prefix/lib/libinlay.a $(pkg-config --static --libs-only-l inlay | sed "s/-linlay//") -lm -pthread" "$scratch/window-static"
LD_LIBRARY_PATH='' prints_the_window "so does the static one" "$scratch/window-static"

# What programs that are built by CMake or Meson say.
mkdir -p "$scratch/project"
cp tests/build/window.c "$scratch/project/"
cat >"$scratch/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(window C)
find_package(inlay 0.2 REQUIRED)
add_executable(shared window.c)
target_link_libraries(shared inlay::inlay)
add_executable(static window.c)
target_link_libraries(static inlay::static)
END
cat >"$scratch/project/meson.build" <<'END'
project('window', 'c')
executable('shared', 'window.c', dependencies: dependency('inlay', version: '>=0.2'))
END
built_by() { # TOOL COMMAND PROGRAM...
    tool=$1
    if ! command -v "$tool" >/dev/null; then
        skip "$tool finds the library" "there is no $tool"
        return
    fi
    works "$tool finds the library" sh -c "$2"
    shift 2
    for program in "$@"; do prints_the_window "$tool: ${program##*/}" "$program"; done
}
CC=$CC CFLAGS=$CFLAGS LDFLAGS=$LDFLAGS
export CC CFLAGS LDFLAGS
built_by cmake "cmake -S '$scratch/project' -B '$scratch/cmake' -DCMAKE_PREFIX_PATH='$prefix' && cmake --build '$scratch/cmake'" \
    "$scratch/cmake/shared" "$scratch/cmake/static"
built_by meson "meson setup '$scratch/meson' '$scratch/project' && meson compile -C '$scratch/meson'" "$scratch/meson/shared"

# The headers on their own.
for header in $(make_ -s headers); do
    echo "#include <$header>" >"$scratch/alone.c"
    # shellcheck disable=SC2046
    works "<$header> stands alone" $CC -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only $(pkg-config --cflags inlay) "$scratch/alone.c"
done

# So do they for C++, whose rules differ.
if ${CXX:-c++} --version >/dev/null 2>&1; then
    echo "#include <inlay.h>" >"$scratch/alone.cc"
    # shellcheck disable=SC2046
    works "C++ reads the headers" ${CXX:-c++} -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only $(pkg-config --cflags inlay) "$scratch/alone.cc"
else
    skip "C++ reads the headers" "there is no C++ compiler"
fi

works "make uninstall" make_ uninstall "PREFIX=$prefix"
find "$prefix" ! -type d >"$scratch/left"
: >"$scratch/nothing"
same "uninstall leaves no file" "$scratch/nothing" "$scratch/left"

works "make install with DESTDIR" make_ install "DESTDIR=$scratch/stage" PREFIX=/opt/inlay
(cd "$scratch/stage" && find . ! -type d | sort) >"$scratch/staged"
cat >"$scratch/expected" <<'END'
./opt/inlay/bin/inlay
./opt/inlay/bin/inlay-check
./opt/inlay/include/inlay/front/front.h
./opt/inlay/include/inlay/generate/generate.h
./opt/inlay/include/inlay/inlay.h
./opt/inlay/include/inlay/inlay_kinds.h
./opt/inlay/include/inlay/inlay_ops.h
./opt/inlay/include/inlay/interp/interp.h
./opt/inlay/include/inlay/interp/kernel.h
./opt/inlay/include/inlay/ir/budget.h
./opt/inlay/include/inlay/ir/build.h
./opt/inlay/include/inlay/ir/diag.h
./opt/inlay/include/inlay/ir/diff.h
./opt/inlay/include/inlay/ir/graph.h
./opt/inlay/include/inlay/ir/infer.h
./opt/inlay/include/inlay/ir/ir.h
./opt/inlay/include/inlay/ir/op.h
./opt/inlay/include/inlay/ir/print.h
./opt/inlay/include/inlay/ir/strbuf.h
./opt/inlay/include/inlay/ir/tensor.h
./opt/inlay/include/inlay/ir/version.h
./opt/inlay/include/inlay/parser/parser.h
./opt/inlay/include/inlay/passes/passes.h
./opt/inlay/lib/cmake/inlay/inlay-config-version.cmake
./opt/inlay/lib/cmake/inlay/inlay-config.cmake
./opt/inlay/lib/inlay/libinlay-onednn.so
./opt/inlay/lib/libinlay.a
./opt/inlay/lib/libinlay.so
./opt/inlay/lib/libinlay.so.1
./opt/inlay/lib/pkgconfig/inlay.pc
END
{
    (cd "$ROOT" && ls docs/*) | sed 's|^|./opt/inlay/share/doc/inlay/|'
    printf './opt/inlay/share/%s\n' doc/inlay/README.md doc/inlay/CONDITIONS.md doc/inlay/CATALOGUE.md \
        doc/inlay/OPERATIONS.md bash-completion/completions/inlay fish/vendor_completions.d/inlay.fish \
        zsh/site-functions/_inlay man/man1/inlay.1 man/man1/inlay-check.1 man/man3/libinlay.3 man/man5/inlay-json.5 man/man5/inlay-rules.5 \
        man/man5/inlay-text.5
    "$BUILD/inlay" --help | sed -n 's|^  \([a-z][a-z-]*\) .*|./opt/inlay/share/man/man1/inlay-\1.1|p'
} >>"$scratch/expected"
sort -o "$scratch/expected" "$scratch/expected"
[ -e "$BUILD/libinlay-onednn.so" ] || sed -i /onednn/d "$scratch/expected" # the module is made where oneDNN is
same "DESTDIR holds exactly what belongs there" "$scratch/expected" "$scratch/staged"
if grep -q ldconfig "$scratch/output"; then fail "a stage is no business of the loader"; else
    pass "a stage is no business of the loader"
fi

# Spaces in every path: the checkout's, the stage's, the prefix's. The checkout is links to this one, whose build
# is complete, and one object that is built anew.
tree="$scratch/with two spaces/tree"
mkdir -p "$tree"
for entry in "$ROOT"/*; do
    [ "$entry" = "$ROOT/build" ] || ln -s "$entry" "$tree/"
done
ln -s "$BUILD" "$tree/build"
ls "$tree" >"$scratch/tree"
make_there() {
    ${MAKE:-make} -C "$tree" "CC=$CC" "CFLAGS=$CFLAGS" "LDFLAGS=$LDFLAGS" "$@"
}
unset BUILD
works "spaces: make" make_there
works "spaces: make install" make_there install "DESTDIR=$scratch/a stage" "PREFIX=/opt/my inlay"
(cd "$scratch/a stage" && find . ! -type d | sort) >"$scratch/spaced"
sed 's|/opt/inlay/|/opt/my inlay/|' "$scratch/staged" >"$scratch/expected"
same "spaces: DESTDIR holds the same" "$scratch/expected" "$scratch/spaced"
works "spaces: an object" make_there BUILD="$tree/other" other/obj/ir/base/guess.o
rm -rf "$tree/other"
ls "$tree" >"$scratch/actual"
same "spaces: nothing appears elsewhere" "$scratch/tree" "$scratch/actual"
if make_there BUILD="$scratch/a build" >"$scratch/output" 2>&1 || [ -e "$scratch/a" ] || [ -e "$scratch/a build" ]; then
    fail "spaces: a build directory elsewhere is refused" "$(cat "$scratch/output")"
else
    pass "spaces: a build directory elsewhere is refused"
fi
works "spaces: make install without a stage" make_there install "PREFIX=$scratch/a prefix"
PKG_CONFIG_PATH="$scratch/a prefix/lib/pkgconfig"
# shellcheck disable=SC2016
works "spaces: pkg-config says them" sh -c 'eval "$CC -std=c11 $CFLAGS $(pkg-config --cflags inlay) -o \"$0\" tests/build/window.c $(pkg-config --libs inlay) $LDFLAGS"' "$scratch/spaced-window"
if grep -q "$scratch" "$scratch/stage/opt/inlay/lib/pkgconfig/inlay.pc"; then
    fail "inlay.pc does not mention DESTDIR" "$(cat "$scratch/stage/opt/inlay/lib/pkgconfig/inlay.pc")"
else
    pass "inlay.pc does not mention DESTDIR"
fi
finish
