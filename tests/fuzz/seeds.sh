#!/bin/sh
# Puts the inputs that a fuzzer's search begins with into folders xml, json, text, onnx, rules, extension, tensor of
# OUT, and the words that its format has into OUT/xml.dict and so on: what the tree's models and tests hold, each model
# in all formats. usage: tests/fuzz/seeds.sh OUT
set -eu
out=$1
mkdir -p "$out/xml" "$out/json" "$out/text" "$out/onnx" "$out/rules" "$out/extension" "$out/tensor"
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
find models -name '*.xml' -size -100k | while read -r file; do
    put xml "$file"
    bin=${file%.xml}.bin
    [ ! -e "$bin" ] || [ "$(wc -c <"$bin")" -gt 8000 ] || put xml "$bin"
done
# A model and its weights are one input, with a zero between them.
for bin in "$out"/xml/*.bin; do
    xml=${bin%.bin}.xml
    { printf '\0' && cat "$bin"; } >>"$xml"
    rm "$bin"
done
rm -f "$out"/json/*.bin
find models -name '*.json' -size -20k | while read -r file; do put json "$file"; done
sed -i 's/"file": *"[^"]*"/"file": "w.bin"/' "$out"/json/*
find models tests -name '*.onnx' -size -100k | while read -r file; do put onnx "$file"; done
find passes/rules -name '*.rules' | while read -r file; do put rules "$file"; done
find models tests '(' -name '*.np[yz]' -o -name '*.pb' -o -name '*.png' -o -name '*.jpg' -o -name '*.p[gpb]m' ')' -size -20k |
    while read -r file; do put tensor "$file"; done
for file in "$out"/tensor/*.npy; do { printf Z && cat "$file"; } >"$file.member"; done

# Rows that stand in one piece, under another name, and a graph with the operation.
cat ir/ops/*.def | tr -d '\n' | sed 's/OP("/\n&/g' |
    sed -n 's/^OP("\([^"]*\)", *[0-9]*, *"\([^"]*\)", *"\([^"]*\)", *"\([^"]*\)", *"\([^"]*\)", *"\([^"]*\)",.*/\1|\2|\3|\4|\5|\6/p' |
    sort -u -t '|' -k 1,1 | while IFS='|' read -r type opsets in results attributes flags; do
    cat >"$out/extension/$type" <<END
${type}Own
$opsets
$in
$results
$attributes
$flags

graph "own" {
  %x = Parameter {element_type = f32, shape = [2,3]}
  %y = ${type}Own-1(%x)
  %r = Result(%y)
}
END
done

words() { # TARGET SOURCE...
    target=$1
    shift
    { grep -oh '"[A-Za-z_][A-Za-z0-9_.]*"' "$@" && "$BUILD/inlay" ops | sed 's/[- ].*//; s/.*/"&"/'; } | sort -u >"$out/$target.dict"
}

words xml parser/openvino/*.c
words json parser/json/*.c
words text parser/text/*.c ir/text/*.c
words onnx parser/onnx/*.c parser/onnx/import/*.c
words rules passes/rules/*.c passes/rules/vocabulary/*.c
words extension ir/ops/row.c ir/ops/row.h
words tensor parser/npy/*.c parser/onnx/items.c
