#!/bin/sh
# A row of the op table whose shape rule or kernel is missing must not link.
set -u
. "$ROOT/tests/tap.sh"

link() { # the library, from the objects in $scratch/obj
    # shellcheck disable=SC2046,SC2086
    $CC -shared -Wl,-z,defs $CFLAGS $LDFLAGS -o "$scratch/lib.so" $(find "$scratch/obj" -name '*.o') \
        $(pkg-config --libs libcjson zlib libprotobuf-c) $(pkg-config --libs libpng 2>/dev/null) \
        $(pkg-config --libs libjpeg 2>/dev/null) $(for p in libwebp libtiff-4 libopenjp2; do pkg-config --libs $p 2>/dev/null; done) \
        -lm -pthread >"$scratch/output" 2>&1
}

# Renames the first function of that family, and expects the linker to ask for it by name.
without() { # PREFIX
    object=$(grep -rlE "$1[a-z]" "$scratch/obj" | sort | while read -r file; do
        ! nm "$file" | grep -qE " T $1" || { echo "$file" && break; }
    done)
    name=$(nm "$object" | awk -v prefix="$1" '$2 == "T" && index($3, prefix) == 1 { print $3; exit }')
    cp "$object" "$scratch/kept.o"
    objcopy --redefine-sym "$name=gone_$name" "$object"
    if link; then
        fail "without $name the library does not link" "it did"
    elif grep -q "undefined reference to .$name'" "$scratch/output"; then
        pass "without $name the library does not link"
    else
        fail "without $name the library does not link" "$(tail -5 "$scratch/output")"
    fi
    cp "$scratch/kept.o" "$object"
}

mkdir "$scratch/obj"
for folder in ir parser passes interp generate front; do
    cp -r "$BUILD/obj/$folder" "$scratch/obj/"
done
# The module is another library.
rm -rf "$scratch/obj/interp/onednn"
# Objects of sources that are gone do not count.
find "$scratch/obj" -name '*.o' | while read -r object; do
    source=${object#"$scratch/obj/"}
    [ -f "$ROOT/${source%.o}.c" ] || [ -f "$BUILD/gen/$(basename "$source" .o).c" ] || rm "$object"
done

if link; then pass "with all of them it links"; else fail "with all of them it links" "$(cat "$scratch/output")"; fi
without eval_
without infer_
finish
