#!/bin/sh
# Recognises digits that the network has never seen and shows them. Run by `make demo`, after the
# build, from the root of the repository.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
build=${build#"$PWD/"}
model=models/digits
out=$build/demo
mkdir -p "$out"

# Prints a command as it can be typed here, then runs it.
run() {
    printf '$ %s\n' "$*"
    "$@"
    echo
}

# The same, with only the first line of what it prints.
run_briefly() {
    printf '$ %s\n' "$*"
    "$@" >"$out/log" || { cat "$out/log"; exit 1; }
    sed -n '1s/$/ .../p' "$out/log"
    echo
}

echo 'A network with two convolutions, trained on drawn digits (models/digits/README.md):'
echo
run "$build/inlay" info "$model/digits.xml"
echo 'Ten pictures that it was not trained on, and what it takes them for:'
echo
run_briefly "$build/inlay" run "$model/digits.xml" -i "image=$model/ten.npy" -o "$out/ten"
run "$build/show_digits" "$model/ten.npy" "$out/ten/0.npy"
echo 'Four hundred more. The probabilities must be those that numpy computed:'
echo
run_briefly "$build/inlay" run "$model/digits.xml" -i "image=$model/test_images.npy" \
    --expect "probabilities=$model/expected.npy" -o "$out/test"
run "$build/show_digits" --score "$model/test_labels.npy" "$out/test/0.npy"
