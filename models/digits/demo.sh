#!/bin/sh
# Recognises digits that the network has never seen and shows them. Run by `make demo`, after the
# build, from the root of the repository.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
model=models/digits
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Prints a command as one would type it, then runs it from where it was built.
run() {
    printf '$ %s\n' "$*"
    program=$1
    shift
    "$build/$program" "$@"
    echo
}

echo 'A network with two convolutions, trained on drawn digits (models/digits/README.md):'
echo
run inlay info "$model/digits.xml"
echo 'Ten pictures that it was not trained on, and what it takes them for:'
echo
run inlay run "$model/digits.xml" -i "image=$model/ten.npy" -o "$out/ten"
run show_digits "$model/ten.npy" "$out/ten/0.npy"
echo 'Four hundred more. The probabilities must be those that numpy computed:'
echo
run inlay run "$model/digits.xml" -i "image=$model/test_images.npy" -o "$out/test" \
    --expect "probabilities=$model/expected.npy"
run show_digits --score "$model/test_labels.npy" "$out/test/0.npy"
