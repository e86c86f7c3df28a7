#!/bin/sh
# Shows a window update that is made in place, and why the same update is refused when there is a
# second reader. Run by `make demo`, after the build, from the root of the repository.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
build=${build#"$PWD/"}
model=models/window

# Prints a command as it can be typed here, then runs it.
run() {
    printf '$ %s\n' "$*"
    "$@"
    echo
}

echo 'A part of a tensor is read, computed on, and written back (models/window/README.md):'
echo
run cat "$model/window.inlay"
echo 'The update is made in the tensor that is already there:'
echo
run "$build/inlay" opt "$model/window.inlay" --explain
run "$build/inlay" run "$model/window.inlay" -i "data=$model/data.npy,donate" \
    --expect "out=$model/out.npy" --stats -
echo 'The same update, and something that reads the old rows after it:'
echo
run diff "$model/window.inlay" "$model/second_reader.inlay" || true
run "$build/inlay" opt "$model/second_reader.inlay" --explain
run "$build/inlay" run "$model/second_reader.inlay" -i "data=$model/data.npy,donate" \
    --expect "out=$model/out.npy" --expect "change=$model/change.npy" --stats -
