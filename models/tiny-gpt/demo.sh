#!/bin/sh
# Adds numbers with a transformer, token by token. Run by `make demo`, after the build, from the
# root of the repository.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
build=${build#"$PWD/"}
model=models/tiny-gpt

# Prints a command as it can be typed here, then runs it.
run() {
    printf '$ %s\n' "$*"
    "$@"
    echo
}

echo 'A transformer that adds, its cache in variables (models/tiny-gpt/README.md):'
echo
run "$build/ask_gpt" "$model/tiny-gpt.xml" 123+456 7+35 999+999
run "$build/ask_gpt" --score "$model/tiny-gpt.xml" "$model/sums.npy"
echo 'The cache is written in place. What a step copies does not grow with it:'
echo
printf '$ %s\n' "$build/inlay plan $model/tiny-gpt.xml --shape tokens=1,1"
"$build/inlay" plan "$model/tiny-gpt.xml" --shape tokens=1,1 | sed -n '/in place/p; /^copied/p'
echo
