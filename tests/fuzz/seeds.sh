#!/bin/sh
# Puts the inputs that a fuzzer's search begins with into folders xml, json, text, onnx, rules, tensor of
# OUT: what the tree's models and tests hold, each model in all formats. usage: tests/fuzz/seeds.sh OUT
set -eu
out=$1
mkdir -p "$out/xml" "$out/json" "$out/text" "$out/onnx" "$out/rules" "$out/tensor"
cd "$ROOT"

# tests/passes/in-place-windows/no_O1.inlay is called tests_passes_in-place-windows_no_O1.inlay there.
put() { # FOLDER FILE
    cp "$2" "$out/$1/$(echo "$2" | tr / _)"
}

find models tests -name '*.inlay' | tar -cf - --transform='s,/,_,g' -T - | tar -xf - -C "$out/text"
# Of the cases that stand in one file one of each kind, which the first part of its name says.
find tests/ops -name '*.cases' -exec awk -v out="$out/text/" '
    /^case / {
        close(path)
        path = FILENAME "_" $2
        sub(/,.*/, "", path)
        gsub("/", "_", path)
        path = out path ".inlay"
        on = !seen[path]++
        next
    }
    on { print >path }' {} +
# In ONNX those with sequences, which no file of the tree has.
for form in json xml onnx; do
    mkdir -p "$out/said"
    if [ $form = onnx ]; then grep -l item "$out"/text/*; else find "$out/text" -type f; fi | while read -r file; do
        name=${file##*/}
        printf '%s\tconvert\t%s\t%s\n' "$name" "$file" "$out/$form/$name.$form"
    done | "$BUILD/tests/inlays" "$out/said" >/dev/null
    rm -rf "$out/said"
done
rm -f "$out"/xml/*.bin "$out"/json/*.bin
find models -name '*.xml' -size -100k | while read -r file; do put xml "$file"; done
find models -name '*.json' -size -20k | while read -r file; do put json "$file"; done
find models tests -name '*.onnx' -size -100k | while read -r file; do put onnx "$file"; done
find passes/rules -name '*.rules' | while read -r file; do put rules "$file"; done
find models tests -name '*.np[yz]' -size -20k | while read -r file; do put tensor "$file"; done
